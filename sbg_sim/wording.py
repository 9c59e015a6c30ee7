"""How chances, counts and lists of names are written, in every room."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction


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


def listed(words: Sequence[str]) -> str:
    """Write words as a list in a sentence.

    Examples
    --------
    >>> listed(["Boromir", "Gimli", "Merry"])
    'Boromir, Gimli and Merry'

    """
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
