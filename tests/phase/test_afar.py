"""Charges that the straight line alone tells to be too far."""

from __future__ import annotations

import math

import pytest

from sbg_sim.phase import Phase
from sbg_sim.phase.deploy import _sheer
from sbg_sim.phase.too_far import as_far_as_it_goes, goes_farther, too_far, zones_matter
from sbg_sim.solver.answer import ask
from sbg_sim.table.questions import Charge
from sbg_sim.table.record import MoveRecord
from sbg_sim.table.route import Leg, Route
from tests.phase.tables import R, box, man, table

SAM = man("sam", (4, 12))


def orc(x: float, **more) -> tuple:
    return (SAM, man("orc", (x, 12), "evil", **more))


@pytest.mark.parametrize("over", [-1e-4, 1e-4, 5.0])
def test_straight_ahead_tells_as_the_solver_does(over: float):
    here = table(*orc(4 + 6 + 2 * R + over))
    wrong = too_far(here, here.model("sam"), [here.model("orc")], 6.0)
    assert (wrong is None) == (over < 0) == (ask(here, Charge("sam", "orc"), alternatives=False).answer == "yes")
    assert wrong is None or wrong.place == pytest.approx((4 + 6, 12))


def test_every_reason_is_told_at_once():
    here = table(*orc(20), terrain=[box("keep", 8, 8, 9, 16, "unscalable")])
    assert [v.rule for v in Phase.begin(here, "good").explain(MoveRecord("sam", charge=("orc",)))] == ["CHG.1", "MOV.3"]


def test_shifts_that_cost_nothing_are_minded():
    # Up the face costs 2 in doubled, down it is free, and neither counts the inch across the rim: 3 in on top do.
    for piece, farther in (
        (box("tower", 8, 10, 11, 14, "platform", height=2.0), True),
        (box("far", 18, 10, 21, 14, "platform", height=2.0), False),
        (box("wall", 8, 10, 9, 14, "obstacle", height=2.0), True),
        (box("low", 8, 10, 9, 14, "obstacle", height=1.0), False),
        (box("sheer", 8, 10, 9, 14, "obstacle unscalable", height=2.0), False),
    ):
        here = table(*orc(20), terrain=[piece])
        assert goes_farther(here, [SAM], 6.0) == farther, piece.id
        assert (too_far(here, SAM, [here.model("orc")], 6.0) is None) == farther
    chasm = box("chasm", 18, 10, 19, 14, "gap", depth=4.0)
    assert goes_farther(table(*orc(20), terrain=[chasm]), [SAM], 6.0)
    assert not goes_farther(table(*orc(20), terrain=[chasm], rulings={"leap_needs": "remaining"}), [SAM], 6.0)


def test_contact_across_a_barrier_is_nearer_than_the_base():
    barrier = box("barrier", 10, 8, 12, 16, "obstacle", height=1.0)
    here = table(*orc(12 + R), terrain=[barrier])
    # To the barrier it is 10 - 4 - R, to the base behind it 2 in more.
    assert too_far(here, SAM, [here.model("orc")], 10 - 4 - R + 1e-6) is None


def test_zones_beside_the_way_do_not_matter():
    def guarded(y: float) -> bool:
        here = table(*orc(10), man("guard", (7, y), "evil"))
        return zones_matter(here, SAM, [(10, 12)], 2 * R, 6.0, without=["orc"])

    # 6 in of way and 2 R of contact make an ellipse of half axes 3.5 and sqrt(3.5^2 - 3^2); the zone reaches 2 in.
    assert guarded(12 + 2 + math.sqrt(3.5**2 - 3**2) - 0.01)
    assert not guarded(12 + 5.5)


@pytest.mark.parametrize("limit", [4.0, 3.0, 2.5])
def test_what_ends_on_no_face_is_not_cut(limit):
    """A way that fits need not be, and one that is too long on open ground ends nowhere."""
    route = Route((Leg("straight", (0.0, 0.0), (3.0, 0.0), 3.0, None),))
    assert as_far_as_it_goes(route, limit, man("sam")) is None


@pytest.mark.parametrize(
    ("tags", "height", "sheer"),
    [
        ("obstacle", 9.0, False),  # it is climbed
        ("unscalable", 2.0, True),
        ("unscalable", 1.0, False),  # it is jumped by who is an inch and a half high
        ("unscalable", None, True),
        ("unscalable gap", None, False),
    ],
)
def test_over_what_nobody_of_a_warband_gets(tags, height, sheer):
    more = {} if height is None else {"height": height}
    assert _sheer(box("piece", 0, 0, 1, 1, tags, **more), [man("sam")]) == sheer
