"""The rows of the slowest answers say what was aimed at and whether it was met; their tables are there."""

from __future__ import annotations

import sbg_sim as sbg
from tests.benchmarks import slowest
from tests.benchmarks.crowds import littered, puddles


def test_a_row_says_whether_its_aim_was_met(monkeypatch):
    took = iter((0.04, 3.0, 7.0))
    seen = []
    monkeypatch.setattr(slowest, "timed", lambda work: (next(took), work()))
    rows = {
        "quick": (0.3, lambda: 1, seen.append),
        "slow": (2, lambda: 2, seen.append),
        "no aim": (None, int, seen.append),
    }
    monkeypatch.setattr(slowest, "ANSWERS", rows)
    assert list(slowest.slowest()) == ["| quick | 0.0 | 0.3 |", "| slow | 3.0 | 2: not met |", "| no aim | 7.0 |  |"]
    assert seen == [1, 2, 0]  # the tables, made before it is timed


def test_the_questions_are_of_their_tables():
    table, question = slowest.ditches(175100039)
    assert question.model in table.models
    assert {"m62", "m315"} <= set(slowest.ragged().models)
    assert slowest.late().rulings["leap_needs"] == "maximum"


def test_bogs_lie_apart_and_have_so_many_corners():
    table = puddles(12, 24)
    shapes = [piece.shape.to_shapely() for piece in table.terrain.values()]
    assert [len(shape.exterior.coords) for shape in shapes] == [25] * 12
    assert all(one.distance(other) > 0.1 for one in shapes for other in shapes if one is not other)
    assert sbg.check(table, sbg.Move("m0", table.model("m0").at)).answer == "yes"


def test_who_stands_among_litter_stands_free():
    table = littered(1, models=40, pieces=60)
    assert (len(table.models), len(table.terrain)) == (40, 60)
    assert {tag for piece in table.terrain.values() for tag in piece.tags} == {
        "difficult", "obstacle", "unscalable", "platform", "gap",
    }  # fmt: skip
    for name in ("m0", "m7", "m39"):
        assert sbg.check(table, sbg.Move(name, table.model(name).at)).answer == "yes"
