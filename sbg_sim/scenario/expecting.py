"""What a file may expect of an answer."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from sbg_sim.document import meant

ANSWERS: Final = ("yes", "no", "chance", "too-close")


def expectation(expect: str | float | None) -> str:
    """Say what is wrong with an ``expect``; empty when nothing is."""
    if not isinstance(expect, str) or expect in ANSWERS:
        return ""
    chance = chance_of(expect)
    if chance is None:
        return f'cannot be "{expect}": an answer, a chance such as "5/6", or a number{meant(expect, ANSWERS)}'
    return "" if 0 <= chance <= 1 else f'"{expect}" is no chance: it must lie between 0 and 1'


def chance_of(text: str) -> Fraction | None:
    """Read a chance such as ``"5/6"``; None for anything else."""
    if "/" not in text:
        return None
    try:
        return Fraction(text.replace(" ", ""))
    except (ValueError, ZeroDivisionError):
        return None
