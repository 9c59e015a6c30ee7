"""Verdicts as JSON with fixed keys: the answer, its certainty, and the way."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sbg_sim.report.legs import as_legs
from sbg_sim.tolerance import PRINTED
from sbg_sim.wording import fraction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.route import Test


def as_json(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as plain data, with fixed keys in a fixed order; no NaN, no infinity.

    Lengths (inches), places, areas and angles are rounded to nine decimals, bounds away from the cost. Chances are
    exact, and so are the legs, from which the way can be judged again.
    """
    chance = verdict.chance
    path = verdict.path
    return {
        "question": verdict.name,
        "ask": verdict.question.ask,
        "answer": verdict.answer,
        "needed": number(verdict.needed),
        "at_least": _bound(verdict.at_least, verdict.needed, -1),
        "at_most": _bound(verdict.at_most, verdict.needed, +1),
        "allowance": number(verdict.allowance),
        "margin": number(verdict.margin),
        "chance": None if chance is None else fraction(chance),
        "chance_value": None if chance is None else float(chance),
        "path": None if path is None else [place(spot) for spot in path],
        "legs": None if verdict.route is None else as_legs(verdict.route),
        "tests": [_test(test) for test in verdict.tests],
        "rules": list(verdict.rules),
        "rulings": list(verdict.rulings),
        "reason": verdict.reason,
        "inches": number(verdict.inches),
        "area": number(verdict.area),
        "areas": None if verdict.areas is None else {k: number(v) for k, v in verdict.areas.items()},
        "certainty": None if verdict.certainty is None else verdict.certainty.as_json(),
    }


def number(value: float | None) -> float | None:
    """Round a length, an area or an angle to the decimals of JSON; None for a missing or infinite value.

    Examples
    --------
    >>> number(14.000000000000686), number(-1e-15), number(float("inf"))
    (14.0, 0.0, None)

    """
    return round(float(value), PRINTED) + 0.0 if value is not None and math.isfinite(value) else None


def _bound(value: float | None, cost: float | None, side: int) -> float | None:
    """Round a bound away from the cost, so that it stays proven; a bound equal to the cost is rounded like it."""
    near = number(value)
    if near is None or value is None or value == cost or (near - value) * side >= 0:
        return near
    return round(near + side * 10.0**-PRINTED, PRINTED)


def place(spot: Sequence[float]) -> list[float | None]:
    """Round a place or a pair of angles to the decimals of JSON."""
    return [number(x) for x in spot]


def _test(test: Test) -> dict[str, Any]:
    return {
        "kind": test.kind,
        "terrain": test.over,
        "at": place(test.at),
        "landing": place(test.landing),
        "results": dict(test.results),
        "rule": test.rule,
    }
