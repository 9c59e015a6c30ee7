"""Where dice end a route, by the referee: a test's 1, what it sets down, who lies there (JMP.1, LEAP.2, CLB.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sbg_sim.errors import QuestionError
from sbg_sim.referee import audit, audit_path
from sbg_sim.table.route import Leg, Route
from sbg_sim.tolerance import APART
from tests.referee.legs import TOWER, die_leg, me, model, piece, table_of, walk

if TYPE_CHECKING:
    from sbg_sim.referee.findings import Stop
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain

WALL = piece("wall", "obstacle", height=1.0)
JUMP = die_leg("jump", "wall", (7.5, 10), (8.9, 10))


def stops(*legs: Leg, things: tuple[Model | Terrain, ...], **rulings: str) -> dict[tuple[str, ...], Stop]:
    mover = me(*legs[0].start)
    found = audit(table_of(mover, *things, **rulings), "m", Route(legs), allowance=99.0)
    return {stop.results: stop for stop in found.stops}


def test_a_jump_that_fails_leaves_it_standing_before_the_wall() -> None:
    found = stops(walk((7, 10), (7.5, 10)), JUMP, walk((8.9, 10), (10, 10)), things=(WALL,))
    assert list(found) == [("1",), ("2-5",), ("6",)]
    assert (found["1",].place, found["1",].cost, found["1",].prone) == ((7.5, 10), 0.5, False)
    assert (found["2-5",].place, found["2-5",].cost, found["2-5",].prone) == ((8.9, 10), pytest.approx(1.9), False)
    assert (found["6",].place, found["6",].cost) == ((10, 10), pytest.approx(3.0))


def test_a_jump_at_the_end_has_no_third_result() -> None:
    assert [*stops(JUMP, things=(WALL,))] == [("1",), ("2-6",)]


def test_a_climb_that_fails_ends_lying_at_the_foot() -> None:
    climb = die_leg("climb", "tower", (7.5, 10), (8.5, 10), cost=4.0, on="tower", rise=2.0)
    failed = stops(climb, things=(TOWER,))["1",]
    assert (failed.place, failed.surface, failed.cost, failed.prone) == ((7.5, 10), None, 0.0, True)


def test_a_leap_that_fails_ends_lying_at_the_bottom_of_the_gap() -> None:
    leap = die_leg("leap", "rift", (7.5, 10), (10.5, 10))
    failed = stops(leap, things=(piece("rift", "gap", wide=2.0, depth=4.0),))["1",]
    assert (failed.place, failed.surface, failed.prone) == ((9.0, 10.0), "rift", True)
    unknown = stops(leap, things=(piece("rift", "gap", wide=2.0),))["1",]
    assert (unknown.place, unknown.surface) == ((9.0, 10.0), None)


@pytest.mark.parametrize("state", [{"prone": True}, {}, {"side": "good", "prone": True}])
@pytest.mark.parametrize("ruling", ["charge", "apart"])
def test_one_that_would_touch_an_enemy_without_a_zone_is_kept_apart_as_ruled(
    state: dict[str, object], ruling: str
) -> None:
    other = model("e", 9.9, 10, **state)  # touched at (8.9, 10)
    found = stops(JUMP, walk((8.9, 10), (8.9, 11.5)), things=(WALL, other), jump_into_contact=ruling)
    apart = ruling == "apart" and state == {"prone": True}
    assert found["2-5",].place == pytest.approx((8.9 - APART, 10) if apart else (8.9, 10), abs=1e-12)


def test_a_way_without_dice_takes_none() -> None:
    there = table_of(me(4, 10))
    ended = audit_path(there, "m", ((4, 10), (6, 10)), rolls=())
    assert ended.reached is not None
    assert ended.reached.place == (6, 10)
    with pytest.raises(QuestionError, match="1 rolls are given, and only 0 are needed"):
        audit_path(there, "m", ((4, 10), (6, 10)), rolls=(3,))


def test_who_lies_down_or_stands_up_on_the_way() -> None:
    lie = Leg("lie", (4.0, 10.0), (4.0, 10.0), 0.0)
    crawl = Leg("crawl", (4.0, 10.0), (5.0, 10.0), 1.0)
    stand = Leg("stand", (4.0, 10.0), (4.0, 10.0), 3.0)
    for prone, legs, wanted in (
        (False, (lie, crawl), True),
        (True, (crawl,), True),
        (True, (stand, walk((4, 10), (5, 10))), False),
        (False, (walk((4, 10), (5, 10)),), False),
    ):
        found = audit(table_of(me(4, 10, prone=prone)), "m", Route(legs), allowance=99.0)
        assert [stop.prone for stop in found.stops] == [wanted]
    assert [stop.prone for stop in audit(table_of(me(4, 10, prone=True)), "m", Route()).stops] == [True]


def test_over_a_lying_enemy_a_one_binds_it_to_charge() -> None:
    over = die_leg("jump", "e", (8.0, 10), (10.0, 10), die="jump-prone")
    assert stops(over, things=(model("e", 9, 10, prone=True),))["1",].must_charge == "e"
    assert stops(over, things=(model("e", 9, 10, "good", prone=True),))["1",].must_charge == ""
