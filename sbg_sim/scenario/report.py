"""Verdicts as the JSON of the contract, and answers held against what the file expects."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from sbg_sim.document import meant
from sbg_sim.scenario.formula import FormulaError, evaluate
from sbg_sim.table.questions import Charge, Gap, Measure, Move, ReachOf, Sight
from sbg_sim.tolerance import CERTIFICATE, PRINTED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.solver.charges import ChargeList
    from sbg_sim.solver.denials import DenialList
    from sbg_sim.solver.reach import Reach
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.questions import Asked, Question
    from sbg_sim.table.route import Test

ANSWERS: Final = ("yes", "no", "chance", "too-close")


def as_json(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as plain data with the contract's keys, in its order; no NaN, no infinity.

    Lengths, places, areas and angles are rounded to nine decimals, bounds away from the cost; chances are exact.
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
        "path": None if path is None else [_place(spot) for spot in path],
        "tests": [_test(test) for test in verdict.tests],
        "rules": list(verdict.rules),
        "rulings": list(verdict.rulings),
        "reason": verdict.reason,
        "inches": number(verdict.inches),
        "area": number(verdict.area),
        "areas": None if verdict.areas is None else {k: number(v) for k, v in verdict.areas.items()},
    }


def fraction(chance: Fraction) -> str:
    """Write a chance with its denominator, certainty included.

    Examples
    --------
    >>> fraction(Fraction(1))
    '1/1'

    """
    return f"{chance.numerator}/{chance.denominator}"


def number(value: float | None) -> float | None:
    """Round a length, an area or an angle to the decimals that are printed; None for what is missing or infinite.

    Examples
    --------
    >>> number(14.000000000000686), number(-1e-15), number(float("inf"))
    (14.0, 0.0, None)

    """
    return round(float(value), PRINTED) + 0.0 if value is not None and math.isfinite(value) else None


def _bound(value: float | None, cost: float | None, side: int) -> float | None:
    """Round a bound away from the cost, so that it stays proven; what is the cost itself prints as the cost."""
    near = number(value)
    if near is None or value is None or value == cost or (near - value) * side >= 0:
        return near
    return round(near + side * 10.0**-PRINTED, PRINTED)


def _place(spot: Sequence[float]) -> list[float | None]:
    return [number(x) for x in spot]


def _test(test: Test) -> dict[str, Any]:
    return {
        "kind": test.kind,
        "terrain": test.over,
        "at": _place(test.at),
        "landing": _place(test.landing),
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


def described(question: Question) -> str:
    """Say a question in a few words.

    Examples
    --------
    >>> from sbg_sim.table.questions import Charge
    >>> described(Charge("lurtz", ("merry", "pippin")))
    'lurtz charges merry and pippin'

    """
    match question:
        case Measure(start, end):
            return f"from {start} to {end}"
        case Gap(between, model):
            return f"{model} between {between[0]} and {between[1]}"
        case Sight(model, target):
            return f"{model} sees {target}"
        case Move(model, (x, y), on):
            return f"{model} moves to ({x:g}, {y:g})" + (f" on {on}" if on else "")
        case Charge(model):
            return f"{model} charges {' and '.join(question.targets)}"
        case ReachOf(model):
            return f"where {model} can end its move"


def rows(verdict: Verdict) -> list[tuple[str, str]]:
    """Return what people want to know of a verdict, as labels and texts; empty texts say nothing."""
    chance = verdict.chance
    uncertain = chance is not None and chance.denominator > 1
    tests = [f"{t.kind} {t.over}: {', '.join(f'{k} {v}' for k, v in t.results.items())}" for t in verdict.tests]
    return [
        ("inches", _text(verdict.inches)),
        ("area", _text(verdict.area, " sq in")),
        ("needed", _bounds(verdict)),
        ("allowance", _text(verdict.allowance)),
        ("margin", "" if verdict.margin is None else f"{verdict.margin:.6f}"),
        ("chance", f"{fraction(chance)} = {float(chance):.4f}" if chance is not None and uncertain else ""),
        *(("chance", f"{key}: {area:.6g} sq in") for key, area in (verdict.areas or {}).items()),
        *(("test", text) for text in tests),
        ("rules", ", ".join(verdict.rules)),
        ("reason", verdict.reason),
        ("rulings", ", ".join(verdict.rulings)),
    ]


def _text(value: float | None, unit: str = "") -> str:
    return "" if value is None else f"{value:.6g}{unit}"


def _bounds(verdict: Verdict) -> str:
    if verdict.needed is None:
        return ""
    low, high = verdict.at_least, verdict.at_most
    proven = "" if low is None or high is None else f"  (proven: {low:.9g} to {high:.9g})"
    return f"{verdict.needed:.6f}{proven}"


def reach_json(reach: Reach) -> dict[str, Any]:
    """Return a reach as plain data: square inches by chance, and the contact arcs by enemy in radians."""
    return {
        "model": getattr(reach.model, "id", reach.model),
        "allowance": number(reach.allowance),
        "area": number(reach.area.area),
        "area_error": number(reach.area_error),
        "areas": {fraction(chance): number(region.area) for chance, region in reach.regions},
        "platforms": {
            name or "ground": {fraction(chance): number(region.area) for chance, region in rows}
            for name, rows in getattr(reach, "platforms", {}).items()
        },
        "swept": number(reach.swept.area),
        "contacts": {name: [_place(arc) for arc in arcs] for name, arcs in reach.contacts.items()},
    }


def charges_json(charges: ChargeList) -> list[dict[str, Any]]:
    """Return a charge list as plain data, an object per enemy: the verdict's keys and those of the charge."""
    return [
        {
            "target": entry.target,
            **as_json(entry.verdict),
            "arcs": [_place(arc) for arc in entry.arcs],
            "arcs_by_chance": {
                f"{c.numerator}/{c.denominator}": [_place(arc) for arc in arcs] for c, arcs in entry.by_chance
            },
            "binds": list(entry.binds),
            "violations": [
                {"rule": v.rule, "reason": v.reason, "place": v.place and _place(v.place), "blame": v.blame}
                for v in entry.verdict.violations
            ],
        }
        for entry in charges.entries
    ]


def charge_lines(entries: list[dict[str, Any]]) -> list[tuple[str, ...]]:
    """Return a line per enemy: target, answer, needed, margin, chance, who binds first, why."""
    return [
        (
            e["target"],
            e["answer"] or "",
            _text(e["needed"]),
            _text(e["margin"]),
            e["chance"] or "",
            ", ".join(e["binds"]),
            "; ".join(f"{v['rule']}: {v['reason']}" for v in e["violations"]) or e["reason"],
        )
        for e in entries
    ]


def denials_json(denials: DenialList) -> list[dict[str, Any]]:
    """Return what each enemy's zone takes away as plain data, in the order it comes, square inches."""
    return [
        {"enemy": e.enemy, "denied": number(e.area), "area_without": number(e.area_without)} for e in denials.entries
    ]
