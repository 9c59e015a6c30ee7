"""Questions and verdicts in words, as rows for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbg_sim.table.questions import Charge, Gap, Measure, Move, ReachOf, Sight
from sbg_sim.units import area
from sbg_sim.wording import fraction, listed

if TYPE_CHECKING:
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.questions import Question


def described(question: Question) -> str:
    """Return a question in a few words.

    Examples
    --------
    >>> from sbg_sim.table.questions import Charge
    >>> described(Charge("lurtz", ("merry", "pippin")))
    'lurtz charges merry and pippin'

    """
    return _said(question)[0]


def in_words(question: Question) -> str:
    """Return a question as people ask it.

    Examples
    --------
    >>> from sbg_sim.table.questions import Charge
    >>> in_words(Charge("lurtz", ("merry", "pippin")))
    'Can lurtz charge merry and pippin?'

    """
    return f"{_said(question)[1]}?"


def _said(question: Question) -> tuple[str, str]:
    """Return a question in a few words, and as people ask it."""
    match question:
        case Measure(start, end):
            return f"from {start} to {end}", f"How far is it from {start} to {end}"
        case Gap((one, other), model):
            where = f"between {one} and {other}"
            return f"{model} {where}", f"Does the base of {model} fit {where}"
        case Sight(model, target):
            return f"{model} sees {target}", f"Can {model} see {target}"
        case Move(model, (x, y), on):
            where = f"to ({x:g}, {y:g})" + (f" on {on}" if on else "")
            return f"{model} moves {where}", f"Can {model} move {where}"
        case Charge(model):
            whom = listed(question.targets)
            return f"{model} charges {whom}", f"Can {model} charge {whom}"
        case ReachOf(model):
            return f"where {model} can end its move", f"Where can {model} end its move"


def rows(verdict: Verdict) -> list[tuple[str, str]]:
    """Return the facts of a verdict for people, as labels and texts; rows with empty texts are not printed."""
    chance = verdict.chance
    uncertain = chance is not None and chance.denominator > 1
    tests = [f"{t.named}: {', '.join(f'{k} {v}' for k, v in t.results.items())}" for t in verdict.tests]
    return [
        ("inches", text(verdict.inches)),
        ("area", "" if verdict.area is None else f"{area(verdict.area)} sq in"),
        ("needed", _bounds(verdict)),
        ("allowance", text(verdict.allowance)),
        ("margin", "" if verdict.margin is None else f"{verdict.margin:.6f}"),
        ("chance", f"{fraction(chance)} = {float(chance):.4f}" if chance is not None and uncertain else ""),
        *(("chance", f"{key}: {area(size)} sq in") for key, size in (verdict.areas or {}).items()),
        *(("test", text) for text in tests),
        ("rules", ", ".join(verdict.rules)),
        ("reason", verdict.reason),
        ("rulings", ", ".join(verdict.rulings)),
    ]


def text(value: float | None) -> str:
    """Write a number with six digits; an empty text for None."""
    return "" if value is None else f"{value:.6g}"


def _bounds(verdict: Verdict) -> str:
    if verdict.needed is None:
        return ""
    low, high = verdict.at_least, verdict.at_most
    proven = "" if low is None or high is None else f"  (proven: {low:.9g} to {high:.9g})"
    return f"{verdict.needed:.6f}{proven}"
