"""The expectations that a file may have of an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sbg_sim.document import meant
from sbg_sim.units import fraction

if TYPE_CHECKING:
    from fractions import Fraction

ANSWERS: Final = ("yes", "no", "chance", "too-close")


_KINDS: Final = {
    "measure": ("a number of inches",),
    "reach": ("a number of square inches",),
    "gap": ("yes", "no", "too-close", "a number of inches"),
    "sight": ("yes", "no"),
    "move": (*ANSWERS, 'a chance such as "5/6"'),
    "charge": (*ANSWERS, 'a chance such as "5/6"'),
}
"""The types of expectation of each kind of question."""


def expectation(expect: str | float | None, ask: str = "") -> str:
    """Return the fault of an ``expect`` for a kind of question; empty if there is none."""
    kinds = _KINDS.get(ask)
    if expect is None:
        return ""
    if not isinstance(expect, str):
        if kinds is None or any(kind.startswith("a number") for kind in kinds):
            return ""
        return f"cannot be a number: a {ask} is answered with {_either(kinds)}; a cost stands in `needed`"
    chance = None if expect in ANSWERS else chance_of(expect)
    if expect not in ANSWERS and chance is None:
        return f'cannot be "{expect}": an answer, a chance such as "5/6", or a number{meant(expect, ANSWERS)}'
    if chance is not None and not 0 <= chance <= 1:
        return f'"{expect}" is no chance: it must lie between 0 and 1'
    chances = kinds is None or any(kind.startswith("a chance") for kind in kinds)
    if kinds is None or expect in kinds or (chance is not None and chances):
        return ""
    return f'cannot be "{expect}": a {ask} is answered with {_either(kinds)}'


def _either(kinds: tuple[str, ...]) -> str:
    return " or ".join(part for part in (", ".join(kinds[:-1]), kinds[-1]) if part)


def chance_of(text: str) -> Fraction | None:
    """Read a chance such as ``"5/6"``; None for anything else."""
    if "/" not in text:
        return None
    try:
        return fraction(text)
    except ValueError:
        return None
