"""Comparison of answers with the expectations of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbg_sim.scenario.expecting import chance_of
from sbg_sim.scenario.formula import FormulaError, evaluate
from sbg_sim.tolerance import CERTIFICATE
from sbg_sim.wording import fraction

if TYPE_CHECKING:
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.questions import Asked


def unmet(asked: Asked, verdict: Verdict) -> tuple[str, ...]:
    """Return the expectations of a file that a verdict fails to meet, as sentences; empty if all are met.

    Parameters
    ----------
    asked
        The question with ``expect`` (a word is compared with ``answer``, a fraction with ``chance``, a number with
        inches or square inches) and ``needed`` (compared with the cost), each within the width of the certified bounds.
    verdict
        The answer.

    """
    found = []
    expect = asked.expect
    chance = chance_of(expect) if isinstance(expect, str) else None
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
