"""Numbers and names as they are written in a picture."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from sbg_sim.wording import fraction, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

# Hebrew, Arabic and related scripts
_LEFTWARD: Final = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff"
_EXACT: Final = 1e-5  # inches by which a written length may be off at any length
_PART: Final = 0.05  # share of a small length by which it may be off
_NAMES: Final = re.compile(f"[{_LEFTWARD}]+(?:[ '’_-]+[{_LEFTWARD}]+)*")


def inches_text(length: float, against: float | None = None) -> str:
    """Write a length in inches with two digits, or as many as needed to differ from ``against``.

    Examples
    --------
    >>> inches_text(6.0001, against=6.0), inches_text(5.41421)
    ('6.0001″', '5.41″')
    >>> inches_text(4.001), inches_text(4.0), inches_text(0.0064)
    ('4.001″', '4″', '0.0064″')

    """
    if math.isinf(length):
        return "∞"
    for digits in range(2, 7):
        text = _trim(f"{length:.{digits}f}")
        # 4.001 is not 4, and 6.3004 is not 6.3: only exact numbers are written as round ones
        off = abs(float(text) - length) if length > 0 else 0.0
        round_ = len(text.partition(".")[2]) < 2 and digits < 5 and off > _EXACT
        rough = off > max(_EXACT, _PART * length)  # 0.006 is not 0.01
        if not (round_ or rough) and (against is None or text != _trim(f"{against:.{digits}f}")):
            return text + "″"
    return _trim(f"{length:.2f}") + "″"


def chance_text(chance: Fraction | float) -> str:
    """Write a chance as a fraction, with the percentage beside it; 1 is ``certain``.

    Examples
    --------
    >>> chance_text(Fraction(5, 6))
    '5/6 (83 %)'

    """
    if chance == 1:
        return "certain"
    if chance == 0:
        return "never"
    share = float(chance) * 100
    percent = f"{share:.0f}" if 1 <= share <= 99 else f"{share:.2g}" if share < 1 else f"{share:.6g}"
    if percent == "100":  # a chance below 1 is not written as 100
        percent = "over 99.9999"
    if isinstance(chance, Fraction):
        if chance.denominator > 10**6:
            return f"{percent} %"
        return f"{fraction(chance)} ({percent} %)"
    return f"{percent} %"


def shortened(names: Sequence[str], most: int) -> str:
    """Join names; of more than ``most`` only the first, and the number of the others.

    Examples
    --------
    >>> shortened(["a", "b", "c", "d"], 3)
    'a, b and 2 more'

    """
    return listed(list(names) if len(names) <= most else [*names[: most - 1], f"{len(names) - most + 1} more"])


def _trim(digits: str) -> str:
    text = digits.rstrip("0").rstrip(".") if "." in digits else digits
    return "0" if text in {"-0", ""} else text


def left_to_right(text: str) -> str:
    """Return a text that runs from left to right, even if it holds names in scripts that run from right to left.

    Otherwise numbers and commas after such a name would follow its direction. Left-to-right marks (U+200E) enclose it.
    """
    return _NAMES.sub("\u200e\\g<0>\u200e", text)
