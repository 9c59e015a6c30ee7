"""Exact legs: what the JSON says of a way is enough to judge it again."""

from __future__ import annotations

import json
import math
from functools import partial
from pathlib import Path

import pytest

import sbg_sim as sbg
from sbg_sim import report
from sbg_sim.referee import audit
from sbg_sim.table.questions import Charge, Move

SCENARIOS = Path(__file__).parents[2] / "scenarios"
FILES = ["amon-hen", "charging-2-open", "jumping", "leaping", "climbing", "ladder", "prone-and-movement", "movement-2"]
KEYS = ["kind", "start", "end", "cost", "level", "center", "radius", "sweep", "rise", "test"]


@pytest.mark.parametrize("name", FILES)
def test_legs_survive_json_and_the_referee_finds_their_cost(name):
    table = sbg.load(SCENARIOS / f"{name}.toml")
    asked = [key for key, asked in table.questions.items() if isinstance(asked.question, Move | Charge)]
    found = [verdict for verdict in map(partial(sbg.check, table), asked) if verdict.route and verdict.route.legs]
    assert found
    for verdict in found:
        survives(verdict)


def survives(verdict):
    legs = json.loads(json.dumps(report.as_json(verdict)["legs"], allow_nan=False))
    assert all(list(leg) == KEYS for leg in legs)
    route = report.route_of(legs)
    assert route == verdict.route
    question = verdict.question
    charging = question.targets if isinstance(question, Charge) else ()
    found = audit(verdict.table, question.model, route, charging=charging, allowance=math.inf)
    assert abs(found.cost - verdict.needed) < 1e-8
    assert "straight" not in {leg["kind"] for leg in legs}


def test_an_arc_says_where_it_bends():
    legs = report.as_json(sbg.check(sbg.load(SCENARIOS / "charging-2.toml"), "third-to-pippin"))["legs"]
    arc = next(leg for leg in legs if leg["kind"] == "arc")
    assert abs(arc["cost"] - arc["radius"] * abs(arc["sweep"])) < 1e-12
    straight = next(leg for leg in legs if leg["kind"] == "segment")
    assert (straight["center"], straight["radius"], straight["sweep"], straight["level"]) == (None, None, None, None)


def test_a_kind_that_there_is_not():
    leg = dict.fromkeys(KEYS) | {"kind": "flight", "start": [0, 0], "end": [1, 0], "cost": 1, "rise": 0}
    with pytest.raises(ValueError, match="no kind of leg"):
        report.route_of([leg])
