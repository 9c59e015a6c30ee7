"""How lengths, chances, counts and lists of names are written, in every room."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING

from sbg_sim.tolerance import PRINTED, ROUNDING, SHOWN

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction


def length(inches: float, beside: float = 0.0) -> str:
    """Write a length with four decimals, or with as many as tell it from another one, inches.

    Examples
    --------
    >>> length(6.25), length(6.0000012, beside=6.0), length(0.0000012)
    ('6.2500', '6.000001200', '1.2e-06')

    """
    if abs(inches - beside) >= SHOWN or abs(inches - beside) <= ROUNDING:
        return f"{inches:.4f}"
    return f"{inches:.2g}" if not beside else f"{inches:.{PRINTED}f}"


def cut_off(inches: float, step: float = SHOWN) -> float:
    """Return a lower bound in whole steps, not rounded up: what is written must not say more than is certified, inches.

    Examples
    --------
    >>> cut_off(6.0057, 0.01), cut_off(7.0, 0.01)
    (6.0, 7.0)

    """
    return round(math.floor((inches + ROUNDING) / step) * step, PRINTED)


def fraction(chance: Fraction) -> str:
    """Write a chance with its denominator, certainty included.

    Examples
    --------
    >>> from fractions import Fraction
    >>> fraction(Fraction(1))
    '1/1'

    """
    return f"{chance.numerator}/{chance.denominator}"


def counted(number: int, noun: str, nouns: str = "") -> str:
    """Write a number with its noun, in the plural unless there is one; `nouns` is a plural that is not made with an s.

    Examples
    --------
    >>> counted(1, "region"), counted(0, "region"), counted(2, "die", "dice")
    ('1 region', '0 regions', '2 dice')

    """
    return f"{number} {noun if number == 1 else nouns or f'{noun}s'}"


def wrapped(text: str, width: int, *, indent: str = "", hang: str = "", long_words: bool = True) -> list[str]:
    """Break a text into lines of so many letters, no name at its hyphen; long words where there is no other way.

    Examples
    --------
    >>> wrapped("it charges uruk-1", 16)
    ['it charges', 'uruk-1']

    """
    wrapper = textwrap.TextWrapper(width, indent, hang, break_on_hyphens=False, break_long_words=long_words)
    return wrapper.wrap(text)


def listed(words: Sequence[str]) -> str:
    """Write words as a list in a sentence.

    Examples
    --------
    >>> listed(["Boromir", "Gimli", "Merry"])
    'Boromir, Gimli and Merry'

    """
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
