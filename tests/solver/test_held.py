"""What ways over are held to, piece by piece: circles, corners, sides, greatest lengths; and where places are held."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from sbg_sim.geometry.grown import Grown, grown
from sbg_sim.geometry.pieces import Piece
from sbg_sim.rules.zones import Zone
from sbg_sim.solver.path import constraints, differences
from sbg_sim.solver.path.gathering import gather
from sbg_sim.solver.path.paths import Constraint, Fixed, Link, Path, Slide, Wrap
from tests.solver.stage import level, net, path, ring

A, B = Fixed((0.0, 0.0)), Fixed((9.0, 0.0))


def over(*elements, way=1, held=()):
    """A path one link of which is a way over."""
    links = tuple(Link(0, transition=0 if i == way else -1) for i in range(len(elements) - 1))
    return Path(elements, links, tuple(held))


def chord(p, q):
    return np.array([p], dtype=float), np.array([q], dtype=float)


@pytest.mark.parametrize("seed", range(4))
def test_so_far_to_the_left_of_a_way_places_lie(seed):
    rng = np.random.default_rng(seed)
    p, q, at = rng.normal(size=2), rng.normal(size=2), rng.normal(size=(30, 2))
    found = constraints.left_of(chord(p, q), at)
    turn = math.atan2(*(q - p)[::-1])
    np.testing.assert_allclose(found, (at - p) @ [-math.sin(turn), math.cos(turn)], atol=1e-12)
    assert constraints.left_of(chord(p, p), at).tolist() == [0.0] * 30


@pytest.mark.parametrize("seed", range(4))
def test_ways_from_one_to_another_are_so_far_from_rims(seed):
    rng = np.random.default_rng(seed)
    one, other = (chord(*rng.uniform(-3, 3, (2, 2))) for _ in range(2))
    circles = np.column_stack([rng.uniform(-3, 3, (5, 2)), rng.uniform(0.1, 1, 5)])
    found = constraints._between(one, other, circles)
    for share, row in zip(np.arange(1, 65) / 64, found, strict=True):
        p, q = ((1 - share) * a + share * b for a, b in zip(one, other, strict=True))
        places = p + np.linspace(0, 1, 4001)[:, None] * (q - p)
        away = np.hypot(*np.moveaxis(places[:, None] - circles[:, :2], -1, 0)).min(axis=0)
        np.testing.assert_allclose(row, away - circles[:, 2], atol=2e-3)


def test_of_circles_cut_in_the_end_that_counts_which_is_cut_first():
    depth = np.array([[1.0, 0.5, -0.3], [-0.1, -0.4, -0.2], [-0.5, -0.2, 0.1]])
    assert constraints._first_met(depth) == 1  # the third is not cut in the end; of two at once the deeper
    assert constraints._first_met(depth[[0, 2, 2]]) == 0
    assert constraints._first_met(np.array([[0.2, -5e-7], [0.1, -5e-7]])) in {0, 1}  # touching is no cut
    assert constraints._first_met(np.array([[0.1, -1e-3, 1.0], [-1e-2, -1e-3, 1.0]])) == 1


@pytest.mark.parametrize(("y", "side"), [(1.0, 1.0), (-1.0, -1.0)])
def test_a_way_is_held_to_a_circle_on_the_side_it_passes(y, side):
    before = Constraint(0, None)
    held = constraints.constrain_to_pass(
        over(A, Slide(0, 1.0), B, held=[before]), 0, chord((0, 0), (4, 0)), (2.0, y, 0.5), zone=3, line=True
    )
    assert held.constraints == (before, Constraint(0, (2.0, y, 0.5), side, zone=3, line=True))


def test_a_way_bound_from_where_it_lands():
    some = over(A, B, A, B)
    found = constraints._bound_from(some, 0)
    assert [link.bound for link in found.links] == [(False, False), (False, True), (True, True)]
    assert found.elements == some.elements


ZONE = Zone("orc", (0.0, 0.0), 2.0, 0.0)


@pytest.mark.parametrize(
    ("bound", "away", "zone", "within"),
    [
        ((False, False), 1.5, (0.0, 0.0, 2.0), True),
        ((False, False), 2.5, (0.0, 0.0, 2.0), False),
        ((False, False), 1.5, (0.0, 0.1, 2.0), False),  # another zone
        ((False, True), 1.5, (0.0, 0.0, 2.0), False),
        ((True, True), 1.5, (0.0, 0.0, 2.0), False),
    ],
)
def test_a_way_that_ends_free_may_enter_the_zone_of_whom_it_charges(bound, away, zone, within):
    for target, so in ((ZONE, within), (None, False)):
        here = SimpleNamespace(transitions=[SimpleNamespace(there=SimpleNamespace(target=target))])
        link = Link(0, transition=0, bound=bound)
        assert constraints._lands_within(here, link, np.array([[0.0, away]]), zone) is so
    assert constraints.within_zone(ZONE, np.array([[0.0, away]])) == (away < 2)
    assert not constraints.within_zone(None, np.array([[0.0, away]]))


@pytest.mark.parametrize("back", [False, True])
def test_of_a_side_that_is_cut_the_corner_nearer_to_another_way_is_passed(back):
    """Two sides, the second of which a way cuts in its middle; another way passes it by one of its corners."""
    sides = Grown(np.array([[0.0, 9.0, 4.0, 9.0], [1.0, 0.0, 5.0, 0.0]]), np.full(2, 0.25))
    cut = chord((3, -3), (3, 3))
    by = chord((0.5, -3), (0.5, 3)) if back else chord((5.5, -3), (5.5, 3))
    circle = (1.0 if back else 5.0, 0.0, 0.25)
    assert constraints._end_to_pass(sides, cut, by) == circle
    assert circle in map(tuple, sides.ends[0].tolist())
    assert constraints._end_to_pass(sides, chord((3, 0.25), (3, 3)), by) is None  # it touches
    assert constraints._end_to_pass(sides, chord((3, 0.249), (3, 3)), by) == circle
    assert constraints._end_to_pass(grown(()), cut, by) is None


@pytest.mark.parametrize(
    ("come", "reopened", "target", "rho"),
    [(False, False, False, 0.7), (True, False, False, 2.0), (True, True, False, 0.7), (True, False, True, 0.7)],
)
def test_who_has_come_back_keeps_out_of_zones_it_left(come, reopened, target, rho):
    """Within a zone it keeps so far from its enemy as it stood; outside it keeps out of it."""
    inner = replace(ZONE, closest=0.7, reopened=reopened)
    other = Zone("foe", (9.0, 0.0), 1.5, 0.0)
    space = SimpleNamespace(zones=(inner, other), target=inner if target else None)
    found = constraints._zones(space, np.array([1.0, 0.0]), come=come)
    assert found.tolist() == [[0.0, 0.0, rho], [9.0, 0.0, 1.5]]
    assert constraints._zones(SimpleNamespace(zones=(), target=None), np.zeros(2), come=come).shape == (0, 3)


@pytest.mark.parametrize(("off", "held"), [(0.0, True), (9e-7, True), (2e-6, False)])
def test_a_way_is_held_to_a_circle_that_is_the_same_to_a_touch(off, held):
    some = over(A, Slide(0, 1.0), B, held=[Constraint(0, None), Constraint(0, (1.0, 2.0, 0.5), 1.0)])
    assert constraints.held_to(some, 0, (1.0, 2.0 + off, 0.5)) is held
    assert not constraints.held_to(some, 1, (1.0, 2.0, 0.5))
    assert not constraints.held_to(over(A, B, A), 0, (1.0, 2.0, 0.5))


# -- ends that touch what they are held to -----------------------------------------------------------------------------


@pytest.mark.parametrize("end", [0.0, 40.0])
@pytest.mark.parametrize("first", [True, False])
def test_ends_of_ways_that_touch_what_they_are_held_to_are_fixed_or_moved_off(end, first):
    """The way begins or lands at the end of a rim of forty inches, half an inch off the middle of a circle."""
    here = net([level(2.0)])
    x = end - 20.0
    circle = (x, 2.5, 0.5)
    elements = (A, Slide(0, end), B) if first else (A, B, Slide(0, end), A)
    k = 1 if first else 2
    some = over(*elements, held=[Constraint(0, circle, 1.0)])
    assert constraints.touching_ends(here, some) == {k: Slide(0, end)}
    fixed = constraints.fix_touching_ends(here, some, some)
    assert fixed.elements[k] == Fixed((x, 2.0))
    elsewhere = replace(some, elements=tuple(Slide(0, 7.0) if e == Slide(0, end) else e for e in some.elements))
    assert constraints.fix_touching_ends(here, some, elsewhere) is some  # it was polished to somewhere else
    moved = constraints.off_touching_ends(here, some)
    assert moved.elements[k] == Slide(0, abs(end - 0.01))
    for other in (
        replace(some, constraints=(Constraint(0, (x, 2.5, 0.4), 1.0),)),
        replace(some, constraints=(Constraint(0, None),)),
        elsewhere,
    ):
        assert constraints.touching_ends(here, other) == {}
        assert constraints.fix_touching_ends(here, other, other) is other
        assert constraints.off_touching_ends(here, other) is None
    assert constraints.fix_touching_ends(here, over(*elements), over(*elements)) == over(*elements)


def test_off_the_end_of_a_short_rim_one_is_moved_to_its_middle():
    here = net([level(2.0, 0.012)])
    for end in (0.0, 0.012):
        some = over(A, Slide(0, end), B, held=[Constraint(0, (-20.0 + end, 2.5, 0.5), 1.0)])
        assert constraints.off_touching_ends(here, some).elements[1] == Slide(0, 0.006)


# -- where places are held at ends of their rims -----------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(60))
def test_two_places_rest_where_they_meet_if_the_cost_rises_whichever_way_they_go(seed):
    rng = np.random.default_rng(seed)
    rise, weight, cosine = rng.uniform(-1.5, 1.5, 2), float(rng.choice([1.0, 2.0])), float(rng.uniform(-1, 1))
    angle = np.linspace(0.0, math.radians(89), 4001)  # the second alone is asked of by itself
    one, other = np.cos(angle), np.sin(angle)

    def least(ways):
        costs = [
            rise[0] * one + way * rise[1] * other
            + weight * np.sqrt(np.maximum(1 - 2 * way * cosine * one * other, 0))
            for way in ways
        ]  # fmt: skip
        return min(cost.min() for cost in costs)

    for either, ways in ((True, (1, -1)), (False, (1,))):
        least_rise = least(ways)
        if abs(least_rise) > 2e-3:
            assert differences._rises(rise, weight, cosine, either=either) == (least_rise > 0)


def test_at_an_end_that_costs_more_inwards_a_place_is_held():
    u, top = np.array([[0.0, 0.0, 5.0, 5.0, 2.0, 2.0]]), np.full((1, 6), 5.0)
    slope = np.array([[0.1, -0.1, 0.1, -0.1, 0.1, -0.1]])
    assert differences.at_ends(u, top, slope).tolist() == [[True, False, False, True, False, False]]
    assert not differences.at_ends(u, top, 0 * slope).any()


def test_short_straights_that_turn_off_their_rims_are_too_short_for_differences():
    """A rim at y = 2 and one that runs up at x = 0: links between them, along them and to still places."""
    up = Piece((0.0, 0.0), (0.0, 1.0), 9.0, normal=(1.0, 0.0))
    here = net([level(2.0), up], [ring(0.0, 0.0, 1.0)])
    for short, elements, weights in (
        (True, (A, Slide(0, 20.0), Fixed((0.003, 2.004))), None),
        (False, (A, Slide(0, 20.0), Fixed((0.003, 2.02))), None),
        (False, (A, Slide(0, 20.0), Fixed((0.005, 2.0))), None),  # along the rim itself
        (False, (A, Slide(0, 20.0), Fixed((0.0, 2.0))), None),  # of no length
        (False, (A, Slide(0, 20.0), Fixed((0.003, 2.004))), [1.0, 0.0]),  # of no weight
        (True, (A, Slide(0, 20.004), Slide(1, 2.003), B), None),
        (False, (A, Slide(0, 20.004), Slide(0, 20.008), B), None),
        (False, (A, Fixed((0.0, 2.0)), Fixed((0.003, 2.004))), None),  # nothing slides
        (False, (A, Slide(0, 20.0), Wrap(0, 1)), None),
    ):
        batch = gather(here, [path(*elements, weights=weights)])
        found = differences._short_links(batch)[0].tolist()
        assert found == [i == 1 and short for i in range(len(elements) - 1)], elements


def test_places_on_arcs_turn_off_the_straight_between_them():
    arc = Piece((0.0, 0.0), (0.3, 0.0), 3.0, radius=2.0)
    here = net([arc])
    batch = gather(here, [path(A, Slide(0, 1.0), Slide(0, 1.006), B), path(A, Slide(0, 1.0), Slide(0, 1.02), B)])
    assert differences._short_links(batch).tolist() == [[False, True, False], [False, False, False]]


@pytest.mark.parametrize("seed", range(6))
def test_with_short_links_slopes_and_curvatures_are_those_of_formulas(seed):
    """From (0, 0.004) over a rim at y = 0 to afar: cost 2 |a - u| + |u - b|, its derivatives by hand."""
    rng = np.random.default_rng(seed)
    here = net([level(0.0)])
    x, off, far = float(rng.uniform(-0.004, 0.004)), float(rng.uniform(0.001, 0.005)), rng.uniform(1, 4, 2)
    some = path(Fixed((0.0, off)), Slide(0, 20.0 + x), Fixed((float(far[0]), -float(far[1]))), weights=[2.0, 1.0])
    slope, hess = differences.differences(gather(here, [some]), lambda batch: batch.cost())
    near, away = math.hypot(x, off), math.hypot(far[0] - x, far[1])
    assert slope[0, 0] == pytest.approx(2 * x / near - (far[0] - x) / away, abs=1e-6)
    assert hess[0, 0, 0] == pytest.approx(2 * off**2 / near**3 + far[1] ** 2 / away**3, rel=1e-5)


@pytest.mark.parametrize("seed", range(6))
def test_two_places_close_together_have_the_curvatures_of_the_straight_between_them(seed):
    rng = np.random.default_rng(seed)
    here = net([level(0.0), level(0.005)])
    x, y = (float(rng.uniform(-0.003, 0.003)) for _ in range(2))
    ends = Fixed((-3.0, -2.0)), Fixed((2.0, 4.0))
    some = path(ends[0], Slide(0, 20.0 + x), Slide(1, 20.0 + y), ends[1], weights=[1.0, 2.0, 1.0])
    slope, hess = differences.differences(gather(here, [some]), lambda batch: batch.cost())
    a, m, b = math.hypot(x + 3, 2), math.hypot(y - x, 0.005), math.hypot(2 - y, 3.995)
    bend = 2 * 0.005**2 / m**3
    np.testing.assert_allclose(slope[0], [(x + 3) / a - 2 * (y - x) / m, 2 * (y - x) / m - (2 - y) / b], atol=1e-6)
    want = [[4 / a**3 + bend, -bend], [-bend, bend + 3.995**2 / b**3]]
    np.testing.assert_allclose(hess[0], want, rtol=1e-5)


def test_of_a_way_that_was_not_sampled_nothing_is_held():
    here = net([level(2.0)])
    here.transitions = [SimpleNamespace(way=SimpleNamespace(across=False))]
    assert constraints.constrain(here, over(A, B, A), path(A, B, A)) is None


# -- what a way over is held off --------------------------------------------------------------------------------------


@pytest.mark.parametrize("charged", [True, False])
def test_a_way_that_cuts_a_zone_lands_in_it_bound_if_that_is_of_whom_it_charges(charged):
    """Sampled past the zone, polished into it: else it is held to clear it, on the side it was sampled on."""
    space = replace(net().spaces[0], zones=(ZONE,), target=ZONE if charged else None, stays=False)
    here = SimpleNamespace(spaces=[space])
    here.transitions = [
        SimpleNamespace(
            others=grown(()), source=0, dest=0, brim=None, there=space, notches=np.zeros((0, 2)),
            leaves=lambda p, q: np.zeros(len(p), dtype=bool), until_bound=lambda *a: space.until_bound(*a)[0],
            stands_before=lambda p, q: np.zeros(len(p), dtype=bool),
        )
    ]  # fmt: skip
    sampled, link = over(A, B, A, B), Link(0, transition=0)
    first, leg = chord((-3.0, 3.0), (1.0, 3.0)), chord((-3.0, 2.5), (0.0, 1.5))
    found = constraints._held_off(here, link, sampled, 0, leg, first)
    if charged:
        assert found == constraints._bound_from(sampled, 0)
    else:
        assert found.constraints == (Constraint(0, (0.0, 0.0, 2.0), -1.0, zone=0),)
        assert constraints._held_off(here, link, found, 0, leg, first) is None  # it is held so already
    assert constraints._held_off(here, link, sampled, 0, first, first) is None


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_way_that_cuts_a_base_is_held_off_it_on_the_side_it_was_sampled_on(side):
    base = Grown(np.array([[0.0, 0.0, 0.0, 0.0]]), np.array([1.0]))
    space = net().spaces[0]
    here = SimpleNamespace(spaces=[space])
    here.transitions = [
        SimpleNamespace(
            others=base, source=0, dest=0, brim=None, there=space, notches=np.zeros((0, 2)),
            leaves=lambda p, q: np.zeros(len(p), dtype=bool), until_bound=lambda *a: space.until_bound(*a)[0],
            stands_before=lambda p, q: np.zeros(len(p), dtype=bool),
        )
    ]  # fmt: skip
    sampled, link = over(A, B, A, B), Link(0, transition=0)
    first, leg = chord((-3.0, -1.5 * side), (3.0, -1.5 * side)), chord((-3.0, -0.2 * side), (3.0, -0.2 * side))
    found = constraints._held_off(here, link, sampled, 0, leg, first)
    assert found.constraints == (Constraint(0, (0.0, 0.0, 1.0), side),)


# -- places close together on rims that run opposite ways --------------------------------------------------------------


@pytest.mark.parametrize(("apart", "lean", "way"), [(0.003, 180, -1), (0.02, 180, 1), (0.003, 0, 1), (0.003, 100, -1)])
def test_two_places_close_together_go_opposite_ways_where_their_rims_do(apart, lean, way):
    """The second rim goes off at an angle from the first, through a place just beside that of the other."""
    angle = math.radians(lean)
    toward = (math.cos(angle), math.sin(angle))
    other = Piece((apart - 20 * toward[0], 2.0 - 20 * toward[1]), toward, 40.0, normal=(-toward[1], toward[0]))
    here = net([level(2.0), other, level(9.0)])
    some = path(A, Slide(0, 20.0), Slide(1, 20.0), Slide(2, 25.0), B)
    batch = gather(here, [some])
    first, second = np.array([[1, 2, 2]]) + 1, np.array([[0, 1, 0]]) + 1
    assert differences._same_way(batch, first, second, 0.0).tolist() == [[way, 1.0, 1.0]]
    assert differences._same_way(batch, first[:, 1:], second[:, 1:], 0.0).tolist() == [[1.0, 1.0]]
    # Of multipliers only rims on one line count.
    assert differences._same_way(batch, first, second, 1e-7 - 1).tolist() == [
        [-1.0 if lean == 180 and way < 0 else 1.0, 1, 1]
    ]
