"""What the referee measures along one piece of a way, by formula."""

from __future__ import annotations

import math

import pytest

import sbg_sim as sbg
from sbg_sim.referee import audit_path
from sbg_sim.referee.curves import meets_circle, meets_line, of_leg, segment
from sbg_sim.referee.ground import weigh
from sbg_sim.referee.outline import near_point
from sbg_sim.referee.scene import Scene, Track
from sbg_sim.referee.zones import Way
from sbg_sim.table.route import Leg


@pytest.mark.parametrize(
    ("start", "end", "near"),
    [
        ((0, 0), (5, 0), [(0, 2)]),  # from within
        ((-5, 0), (0, 0), [(3, 5)]),
        ((-5, 0), (5, 0), [(3, 7)]),
        ((-0.5, 0), (0.5, 0), [(0, 1)]),
        ((-5, 2), (5, 2), []),  # touching
        ((1, 0), (1, 0), [(0, 0)]),  # a single place
        ((2, 0), (2, 0), []),
    ],
)
def test_where_a_straight_is_within_two_inches_of_a_point(start, end, near):
    assert near_point(segment(start, end), (0, 0), 2.0) == [pytest.approx(pair, abs=1e-12) for pair in near]


def test_where_a_straight_meets_a_line_that_lies_anywhere():
    assert meets_line(segment((0, 1), (0, 9)), (0, 4), (0, 1), 2.0) == pytest.approx([5])
    assert meets_line(segment((1, 0), (9, 0)), (4, 7), (1, 0), -2.0) == pytest.approx([1])


@pytest.mark.parametrize(
    ("offset", "met"), [(2.0, [math.pi]), (2.0 + 1e-12, []), (1.0, [math.pi / 3, 5 * math.pi / 3])]
)
def test_an_arc_meets_a_line_that_it_touches_at_that_place(offset, met):
    """Half a circle of two inches, from the left over the top: so far above its middle."""
    half = of_leg(Leg("arc", (-2.0, 0.0), (2.0, 0.0), 2 * math.pi, None, (0.0, 0.0), 2.0, -math.pi))
    assert sorted(set(meets_line(half, (0, 0), (0, 1), offset))) == pytest.approx(met, abs=1e-12)


def test_open_ground_between_two_bogs_is_counted_once_by_both_bounds():
    """Grown by 0.5 in the bogs are 2 in wide each, and half an inch apart."""
    bogs = {
        "one": {"tags": ["difficult"], "polygon": [[8, 0], [9, 0], [9, 12], [8, 12]]},
        "two": {"tags": ["difficult"], "polygon": [[10.5, 0], [11.5, 0], [11.5, 12], [10.5, 12]]},
    }
    models = {"m": {"at": [4, 6], "base": 1, "height": 1.5, "move": 20}}
    table = sbg.Table(24, 12, models=models, terrain=bogs)
    found = weigh(Scene(table, table.model("m")), segment((4, 6), (16, 6)), (None,))
    assert (found.cost, found.most) == pytest.approx((16, 16), abs=1e-9)


def test_a_long_chord_beside_a_base_is_no_arc_round_it():
    """A drawn way of 3.2 in between two places 2 in from a friend: as an arc it would be 4 asin 0.8 = 3.7."""
    models = {
        "m": {"at": [10.4, 13.2], "base": 1, "height": 1.5, "move": 3.3, "side": "good"},
        "friend": {"at": [12, 12], "base": 1, "height": 1.5, "move": 6, "side": "good"},
    }
    table = sbg.Table(24, 24, models=models)
    found = audit_path(table, "m", [(10.4, 13.2), (13.6, 13.2)])
    assert found.violations == ()
    assert found.cost == pytest.approx(3.2, abs=1e-9)
    assert 4 * math.asin(0.8) > 3.3


@pytest.mark.parametrize(("radius", "met"), [(-0.5, []), (3.0, [1.0, 7.0])])
def test_nothing_is_met_that_has_shrunk_to_less_than_a_point(radius, met):
    assert sorted(meets_circle(segment((-4, 0), (4, 0)), (0, 0), radius)) == pytest.approx(met)


@pytest.mark.parametrize(("along", "at"), [(0.0, (0, 0)), (5.0, (3, 4)), (6.0, (3, 5)), (6.0 + 1e-12, (3, 5))])
def test_a_way_ends_where_it_ends_though_lengths_are_rounded(along, at):
    here = frozenset({None})
    way = Way((Track(segment((0, 0), (3, 4)), 0.0, here, 0), Track(segment((3, 4), (3, 5)), 5.0, here, 1)))
    assert way.at(along) == pytest.approx(at, abs=1e-9)
