"""Inches and millimetres at the edge of the program; inside, a length is a plain float in inches."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Final

from sbg_sim.errors import LengthError

MM_PER_INCH: Final = 25.4

_LONGEST: Final = 400  # characters of a number that somebody writes

_INCHES_PER: Final = {
    "mm": 1 / MM_PER_INCH,
    "cm": 10 / MM_PER_INCH,
    '"': 1.0,
    "″": 1.0,
    "in": 1.0,
    "inch": 1.0,
    "inches": 1.0,
}
_LENGTH: Final = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([a-z\"″]+)\s*")
_NONE: Final = '{:.60} is not a length: write a number of inches, or "25 mm", \'1"\', "2.5 cm"'


def inches(length: float | str) -> float:
    """Read a length as inches.

    Parameters
    ----------
    length
        A number of inches, or a string with a unit: ``"25 mm"``, ``'1"'``, ``"2.5 cm"``, ``"1 in"``.

    Returns
    -------
    The length in inches.

    Raises
    ------
    LengthError
        For anything else: no unit, an unknown unit, NaN or infinity.

    Examples
    --------
    >>> inches("25.4 mm")
    1.0
    >>> inches('1.5"')
    1.5

    """
    if isinstance(length, str):
        match = _LENGTH.fullmatch(length.lower())
        if match is None or match[2] not in _INCHES_PER:
            raise LengthError(_NONE.format(repr(length)))
        number, unit = float(match[1]), match[2]
        value = number / MM_PER_INCH if unit == "mm" else number * _INCHES_PER[unit]
    else:
        try:
            value = float(length)
        except (TypeError, ValueError):
            raise LengthError(_NONE.format(repr(length))) from None
    if not math.isfinite(value):
        raise LengthError(f"{length!r} is not a finite length")
    return value


def fraction(text: str) -> Fraction:
    """Read a number that somebody wrote, exactly, in bounded time: `Fraction` writes 1e999999999 out in full.

    Raises
    ------
    ValueError
        For what is no number, and for one of so many digits that it is none anybody means.

    Examples
    --------
    >>> fraction("5 / 36"), fraction("1e3")
    (Fraction(5, 36), Fraction(1000, 1))

    """
    bare = text.replace(" ", "")
    exponent = re.search(r"[eE][+-]?0*(\d*)", bare)
    if len(bare) > _LONGEST or (exponent is not None and len(exponent[1]) > 2):
        raise ValueError("the number has too many digits")
    try:
        return Fraction(bare)
    except ZeroDivisionError:
        raise ValueError("nothing is divided by 0") from None


def area(value: float, error: float = 0.0) -> str:
    """Write an area with two digits after the point, or with the fewer that its error leaves; both in square inches.

    Examples
    --------
    >>> area(22.3196), area(22.3196, 0.0037), area(22.3196, 0.04)
    ('22.32', '22.32', '22.3')

    """
    digits = 2 if error < 10.0**-2 else max(math.floor(-math.log10(error)), 0)
    return f"{value:.{digits}f}"


def area_within(value: float, error: float) -> str:
    """Write an area and how far the truth may lie from what is written, rounded up to one digit, in square inches.

    Examples
    --------
    >>> area_within(22.3196, 0.0037), area_within(0.0, 0.0)
    ('22.32 sq in, within 0.005 sq in', '0.00 sq in')

    """
    written = area(value, error)
    off = error + abs(float(written) - value)
    if not off:
        return f"{written} sq in"
    unit = 10.0 ** math.floor(math.log10(off))
    return f"{written} sq in, within {math.ceil(off / unit) * unit:.1g} sq in"
