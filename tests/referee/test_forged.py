"""Legs that nobody would offer but who forges a witness: each is refused, with the rule that forbids it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sbg_sim.geometry.shapes import polygon
from sbg_sim.referee import audit
from sbg_sim.table.route import Leg, Route
from sbg_sim.table.terrain import Terrain
from tests.referee.legs import TOWER, die_leg, me, model, piece, rules, said, table_of

WALL = piece("wall", "obstacle", height=2.0)
PIT = piece("pit", "gap", wide=1.0, depth=3.0)


def platform(name: str, x: float, on: str | None = None) -> Terrain:
    shape = polygon([(x, 2), (x + 4, 2), (x + 4, 18), (x, 18)])
    return Terrain(name, frozenset({"platform"}), shape, height=2.0, on=on)


@pytest.mark.parametrize("kind", ["climb", "leap", "jump"])
def test_what_takes_a_die_without_one(kind: str) -> None:
    bare = Leg(kind, (7.5, 10.0), (9.5, 10.0), 6.0, None, rise=2.0 if kind == "climb" else 0.0)
    found = rules(table_of(me(7.5, 10), WALL, PIT), bare)
    assert found


def test_a_climb_from_where_nothing_is() -> None:
    over = die_leg("climb", "wall", (6.0, 10.0), (8.9, 10.0), cost=4.0, rise=2.0)
    assert "the climb does not lead up wall from touching it" in said(table_of(me(6, 10), WALL), over)


def test_a_climber_that_hangs_on_nothing() -> None:
    on = Leg("climb", (6.0, 10.0), (6.0, 10.0), 2.0, None, rise=1.0)
    there = table_of(me(6, 10, climbed=1.6), WALL, climb_test_each_turn="no")
    assert "the base touches nothing to climb on" in said(there, on)


def test_a_ladder_to_where_none_leads() -> None:
    up = Leg("ladder", (7.5, 10.0), (12.5, 10.0), 0.5, "east", rise=0.5)
    there = table_of(me(7.5, 10, on="west"), platform("west", 4.0), platform("east", 12.0))
    assert said(there, up) == ["the base does not touch a ladder of east"]


def test_leaps_from_nowhere_to_nowhere() -> None:
    other = piece("hole", "gap", x=11.0, wide=2.0, depth=3.0)
    down = die_leg("leap", "pit", (7.5, 10.0), (12.0, 10.0), on="hole")
    assert "no leap over pit leads there" in said(table_of(me(7.5, 10), PIT, other), down)
    itself = die_leg("leap", "tower", (8.5, 10.0), (11.5, 10.0), on="tower")
    assert "there is no gap to leap over" in said(table_of(me(8.5, 10, on="tower"), TOWER), itself)


@pytest.mark.parametrize(("ruling", "expected"), [("yes", False), ("no", True)])
def test_a_charge_at_a_climber(ruling: str, *, expected: bool) -> None:
    climber = model("x", 7.5, 10.0, climbed=1.6)
    there = table_of(me(6, 10), climber, replace(WALL, height=4.0), charge_a_climber=ruling)
    way = Route((Leg("straight", (6.0, 10.0), (6.5, 10.0), 0.5, None),))
    found = [v.reason for v in audit(there, "m", way, charging=("x",)).violations]
    assert ("x hangs 1.6 in up a face" in found) == expected
