"""Faces hung on, come down and climbed on, and ladders between, judged leg by leg (CLB.4, CLB.5, FALL.1)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sbg_sim.referee import audit
from sbg_sim.table.route import Leg, Route
from sbg_sim.table.terrain import Terrain
from tests.referee.legs import TOWER, die_leg, me, piece, rules, table_of

# The tower's side is x = 8: touched by a base at x = 7.5; the mover is 1.5 tall.

FOOT = (7.5, 10.0)
RUNGS = Terrain("rungs", frozenset({"ladder"}), at=(8.0, 10.0), to="tower")


@pytest.mark.parametrize(
    ("climbed", "end", "expected"),
    [(1.0, FOOT, []), (1.5, FOOT, []), (1.501, FOOT, ["FALL.1"]), (1.0, (7.4, 10.0), ["CLB.4"])],
)
def test_down_where_it_hangs_by_no_more_than_its_height(
    climbed: float, end: tuple[float, float], expected: list[str]
) -> None:
    table = table_of(me(*FOOT, climbed=climbed), replace(TOWER, height=5.0))
    down = Leg("down", FOOT, end, 0.0 if end == FOOT else 0.1)
    assert [rule for rule in rules(table, down) if rule != "MOV.3"] == expected


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, []),
        ({"end": (7.4, 10.0)}, ["CLB.4"]),
        ({"start": (7.4, 10.0), "end": (7.4, 10.0)}, ["CLB.1"]),
        ({"rise": 0.0, "cost": 0.0}, ["CLB.1"]),
        ({"rise": -1.0}, ["CLB.1"]),
        ({"rise": 5.5, "cost": 11.0}, ["CLB.1"]),
    ],
)
def test_a_climb_stops_on_the_face_it_touches(changes: dict[str, object], expected: list[str]) -> None:
    x = changes.get("start", FOOT)
    table = table_of(me(*x), replace(TOWER, height=5.0))  # type: ignore[misc]
    part = replace(die_leg("climb", "tower", FOOT, FOOT, cost=4.0, rise=2.0), **changes)  # type: ignore[arg-type]
    found = set(rules(table, part, allowance=99.0)) - {"MOV.3"}
    assert found >= set(expected)
    assert bool(found) is bool(expected)


@pytest.mark.parametrize(("climbed", "each", "free"), [(0.5, "no", True), (0.0, "no", False), (0.5, "yes", False)])
def test_who_hangs_there_goes_on_without_a_test_as_ruled(climbed: float, each: str, free: bool) -> None:
    table = table_of(me(*FOOT, climbed=climbed), TOWER, climb_test_each_turn=each)
    rise = 2.0 - climbed
    up = Leg("climb", FOOT, (8.5, 10.0), 2 * rise, "tower", rise=rise)
    assert (rules(table, up) == []) is free


@pytest.mark.parametrize(
    ("at", "climbed", "rise", "expected"),
    [
        (FOOT, 1.0, -1.0, []),
        (FOOT, 1.0, -0.9, ["CLB.5"]),
        (FOOT, 1.0, -1.1, ["CLB.5"]),
        ((7.5, 11.0), 1.0, -1.0, ["CLB.5"]),
    ],
)
def test_down_a_ladder_from_half_way(at: tuple[float, float], climbed: float, rise: float, expected: list[str]) -> None:
    table = table_of(me(*at, climbed=climbed), TOWER, RUNGS)
    assert rules(table, Leg("ladder", at, at, -rise, rise=rise)) == expected


@pytest.mark.parametrize(("at", "expected"), [(FOOT, []), ((7.5, 11.0), ["CLB.5"])])
def test_up_a_ladder_half_way_at_the_end_of_a_move_only(at: tuple[float, float], expected: list[str]) -> None:
    part = Leg("ladder", at, at, 1.0, rise=1.0)
    table = table_of(me(*at), TOWER, RUNGS)
    assert rules(table, part) == expected
    assert "CLB.5" in rules(table, part, replace(part, start=at, end=at))


@pytest.mark.parametrize(("to", "expected"), [("tower", []), (None, []), ("shed", ["CLB.5"])])
def test_a_ladder_leads_to_what_it_names_or_to_what_is_there(to: str | None, expected: list[str]) -> None:
    shed = replace(piece("shed", "platform", x=2.0, wide=3.0), height=2.0)
    table = table_of(me(*FOOT), TOWER, shed, replace(RUNGS, to=to))
    assert rules(table, Leg("ladder", FOOT, (8.5, 10.0), 2.0, "tower", rise=2.0)) == expected


@pytest.mark.parametrize(("height", "test"), [(1.5, "Jump"), (1.501, "Climb")])
def test_what_is_crossed_by_a_test_is_told_with_the_test(height: float, test: str) -> None:
    wall = piece("wall", "obstacle", height=height)
    way = Leg("straight", FOOT, (9.0, 10.0), 1.5)
    found = audit(table_of(me(*FOOT), wall), "m", Route((way,)))
    assert [v.reason for v in found.violations] == [f"wall is only crossed by a {test} test"]


@pytest.mark.parametrize(("x", "expected"), [(15.0, []), (17.0, ["CLB.1"])])
def test_a_keep_is_climbed_from_the_ground_where_its_side_goes_on_down(x: float, expected: list[str]) -> None:
    """The keep's lower side is flush with the block's as far as the block goes, to x = 16; then it hangs in the air."""
    block = replace(piece("block", "platform", x=4.0, wide=12.0), height=1.0)
    keep = replace(piece("keep", "platform", x=14.0, wide=4.0), height=2.0, on="block")
    start, end = (x, 1.5), (x, 2.5)
    up = die_leg("climb", "keep", start, end, cost=6.0, on="keep", rise=3.0)
    assert rules(table_of(me(*start), block, keep), up, allowance=99.0) == expected
