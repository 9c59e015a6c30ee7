"""Verdicts as JSON, and answers held against what a file expects."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import pytest

from sbg_sim import report
from sbg_sim.solver.verdict import Verdict
from sbg_sim.table.board import Table
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.questions import Asked, Measure, Move, ReachOf, Sight
from sbg_sim.table.route import Leg, Route, Test

KEYS = [
    *(
        "question",
        "ask",
        "answer",
        "needed",
        "at_least",
        "at_most",
        "allowance",
        "margin",
        "chance",
        "chance_value",
    ),
    *("path", "legs", "tests", "rules", "rulings", "reason", "inches", "area", "areas", "certainty"),
]
TABLE = Table(24.0, 24.0)
MOVE = Move("a", (1.0, 2.0))


def test_the_keys_of_the_contract():
    assert list(report.as_json(Verdict(TABLE, MOVE))) == KEYS


def test_values():
    jump = Test(
        "jump",
        "wall",
        (1.0, 0.0),
        (2.0, 0.0),
        FrozenMap({"1": "stops", "2-5": "over", "6": "goes on"}),
        "JMP.1",
    )
    route = Route((Leg("straight", (0.0, 0.0), (1.0, 0.0), 1.0), Leg("jump", (1.0, 0.0), (2.0, 0.0), 1.0, test=jump)))
    verdict = Verdict(
        TABLE,
        MOVE,
        name="q",
        answer="chance",
        needed=2.0,
        at_least=math.nan,
        at_most=math.inf,
        chance=Fraction(5, 36),
        route=route,
        rules=("JMP.1",),
    )
    data = report.as_json(verdict)
    assert (data["question"], data["ask"], data["answer"], data["needed"]) == ("q", "move", "chance", 2.0)
    assert (data["at_least"], data["at_most"]) == (None, None)
    assert (data["chance"], data["chance_value"]) == ("5/36", 5 / 36)
    assert data["path"] == [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]
    assert data["tests"][0]["kind"] == "jump"
    assert data["tests"][0]["terrain"] == "wall"
    assert data["tests"][0]["results"] == {"1": "stops", "2-5": "over", "6": "goes on"}
    assert json.loads(json.dumps(data, allow_nan=False)) == data


def test_certainty_is_a_fraction_too():
    assert report.as_json(Verdict(TABLE, MOVE, chance=Fraction(1)))["chance"] == "1/1"


@pytest.mark.parametrize(
    ("expect", "needed", "verdict", "met"),
    [
        ("yes", None, {"answer": "yes"}, True),
        ("yes", None, {"answer": "no"}, False),
        ("yes", None, {}, False),
        ("5/6", None, {"answer": "chance", "chance": Fraction(5, 6)}, True),
        ("10/12", None, {"answer": "chance", "chance": Fraction(5, 6)}, True),
        ("5/6", None, {"answer": "chance", "chance": Fraction(1, 6)}, False),
        ("5/6", None, {}, False),
        (2.5, None, {"inches": 2.5 + 9e-7}, True),
        (2.5, None, {"inches": 2.5 + 1.1e-6}, False),
        (0.0, None, {"inches": 0.0}, True),
        (2.5, None, {"area": 2.5}, True),
        (2.5, None, {}, False),
        (None, "2*sqrt(3)", {"needed": math.sqrt(12)}, True),
        (None, "2*sqrt(3)", {"needed": 3.4641}, False),
        (None, 4.0, {"needed": None}, False),
        ("no", "1/3", {"answer": "no", "needed": 1 / 3}, True),
        (None, None, {}, True),
    ],
)
def test_expectations(expect, needed, verdict, met):
    found = report.unmet(Asked(MOVE, expect, needed), Verdict(TABLE, MOVE, **verdict))
    assert (found == ()) is met
    assert all(sentence.startswith("expected ") for sentence in found)


def test_a_formula_that_is_none_is_told():
    (said,) = report.unmet(Asked(MOVE, None, "1 +"), Verdict(TABLE, MOVE, answer="yes", needed=1.0))
    assert "1 +" in said


def test_both_expectations_are_held():
    assert len(report.unmet(Asked(MOVE, "yes", "2"), Verdict(TABLE, MOVE, answer="no", needed=3.0))) == 2


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (Measure("a", "b"), "from a to b"),
        (Sight("a", "b"), "a sees b"),
        (Move("a", (1.5, 2.0), "deck"), "a moves to (1.5, 2) on deck"),
        (ReachOf("a"), "where a can end its move"),
    ],
)
def test_questions_in_words(question, words):
    assert report.described(question) == words


def _verdict(cost: float, low: float, high: float, **given: object) -> dict[str, object]:
    return report.as_json(Verdict(TABLE, MOVE, needed=cost, at_least=low, at_most=high, **given))  # type: ignore[arg-type]


def test_what_is_printed_ends_where_noise_begins():
    route = Route((Leg("straight", (14.000000000000686, -1e-16), (0.1 + 0.2, 1 / 3), 1.0),))
    data = _verdict(14.000000000000686, 14.000000000000686, 14.000000000000686, margin=-1e-14, route=route)
    assert (data["needed"], data["at_least"], data["at_most"]) == (14.0, 14.0, 14.0)
    assert data["path"] == [[14.0, 0.0], [0.3, 0.333333333]]
    assert (data["margin"], math.copysign(1.0, data["margin"])) == (0.0, 1.0)  # type: ignore[arg-type,call-overload]


@pytest.mark.parametrize("cost", [1 / 3, math.pi, math.sqrt(2), 4.0, 8.0 / 7, 23.999999999949])
@pytest.mark.parametrize("slack", [0.0, 1e-12, 3.3e-10, 1e-9, 4.7e-7])
def test_printed_bounds_stay_proven_and_about_the_cost(cost, slack):
    low, high = cost - slack, cost + slack / 3
    data = _verdict(cost, low, high)
    at_least, needed, at_most = (float(data[key]) for key in ("at_least", "needed", "at_most"))  # type: ignore[arg-type]
    assert at_least <= needed <= at_most
    assert low - 2e-9 <= at_least <= (low if slack else needed)
    assert (high if slack else needed) <= at_most <= high + 2e-9
