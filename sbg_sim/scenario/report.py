"""Verdicts as the JSON of the contract, and answers held against what the file expects."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from sbg_sim.document import meant
from sbg_sim.scenario.formula import FormulaError, evaluate
from sbg_sim.tolerance import CERTIFICATE

if TYPE_CHECKING:
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.questions import Asked
    from sbg_sim.table.route import Test

ANSWERS: Final = ("yes", "no", "chance", "too-close")


def as_json(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as plain data with the contract's keys, in its order; no NaN, no infinity."""
    chance = verdict.chance
    path = verdict.path
    return {
        "question": verdict.name,
        "ask": verdict.question.ask,
        "answer": verdict.answer,
        "needed": _number(verdict.needed),
        "at_least": _number(verdict.at_least),
        "at_most": _number(verdict.at_most),
        "allowance": _number(verdict.allowance),
        "margin": _number(verdict.margin),
        "chance": None if chance is None else fraction(chance),
        "chance_value": None if chance is None else float(chance),
        "path": None if path is None else [[_number(x), _number(y)] for x, y in path],
        "tests": [_test(test) for test in verdict.tests],
        "rules": list(verdict.rules),
        "rulings": list(verdict.rulings),
        "reason": verdict.reason,
        "inches": _number(verdict.inches),
        "area": _number(verdict.area),
        "areas": None if verdict.areas is None else {k: _number(v) for k, v in verdict.areas.items()},
    }


def fraction(chance: Fraction) -> str:
    """Write a chance with its denominator, certainty included.

    Examples
    --------
    >>> fraction(Fraction(1))
    '1/1'

    """
    return f"{chance.numerator}/{chance.denominator}"


def _number(value: float | None) -> float | None:
    return float(value) if value is not None and math.isfinite(value) else None


def _test(test: Test) -> dict[str, Any]:
    return {
        "kind": test.kind,
        "terrain": test.over,
        "at": list(test.at),
        "landing": list(test.landing),
        "results": dict(test.results),
        "rule": test.rule,
    }


def expectation(expect: str | float | None) -> str:
    """Say what is wrong with an ``expect``; empty when nothing is."""
    if not isinstance(expect, str) or expect in ANSWERS:
        return ""
    chance = _chance(expect)
    if chance is None:
        return f'cannot be "{expect}": an answer, a chance such as "5/6", or a number{meant(expect, ANSWERS)}'
    return "" if 0 <= chance <= 1 else f'"{expect}" is no chance: it must lie between 0 and 1'


def _chance(text: str) -> Fraction | None:
    if "/" not in text:
        return None
    try:
        return Fraction(text.replace(" ", ""))
    except (ValueError, ZeroDivisionError):
        return None


def unmet(asked: Asked, verdict: Verdict) -> tuple[str, ...]:
    """Return what a verdict fails to meet of what the file expects, a sentence each; empty when all is met.

    Parameters
    ----------
    asked
        The question with ``expect`` (a word is held against ``answer``, a fraction against ``chance``, a
        number against inches or square inches) and ``needed`` (against the cost), each within a
        certificate's width.
    verdict
        The answer.

    """
    found = []
    expect = asked.expect
    chance = _chance(expect) if isinstance(expect, str) else None
    if chance is not None:
        if verdict.chance != chance:
            got = "none" if verdict.chance is None else fraction(verdict.chance)
            found.append(f"expected a chance of {expect}, got {got}")
    elif isinstance(expect, str):
        if verdict.answer != expect:
            found.append(f"expected {expect}, got {verdict.answer}")
    elif expect is not None:
        found += _differs("", expect, verdict.area if verdict.inches is None else verdict.inches)
    if asked.needed is not None:
        found += _differs("needed = ", asked.needed, verdict.needed)
    return tuple(found)


def _differs(what: str, expect: str | float, got: float | None) -> list[str]:
    try:
        wanted = evaluate(expect)
    except FormulaError as error:
        return [str(error)]
    if got is not None and abs(got - wanted) <= CERTIFICATE:
        return []
    formula = f" ({expect})" if isinstance(expect, str) else ""
    return [f"expected {what}{wanted:.9g}{formula}, got {'nothing' if got is None else f'{got:.9g}'}"]
