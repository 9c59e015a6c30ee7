"""Difficult ground that ways over touch: which of it they are held to keep out of, and where."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.geometry.grown import grown, inside_share
from sbg_sim.solver.path.constraints import constrain_to_pass
from sbg_sim.solver.path.grazing import _off_notches, _off_rounds, constrain_further, constrain_grazing, inward_corner
from sbg_sim.solver.path.paths import Fixed, Link, Path
from sbg_sim.tolerance import MET
from tests.solver.stage import net

DISC = sbg.circle((5.0, 3.0), 1.0)
FAR = sbg.circle((12.0, 3.0), 1.0)
GROUND = grown([(DISC, 0.5), (FAR, 0.5)])


def over(p, q):
    return Path((Fixed(p), Fixed(q)), (Link(0, transition=0),))


def chord(p, q):
    return np.array([p], dtype=float), np.array([q], dtype=float)


def on(ground, *, horizontal=True):
    here = net()
    way = SimpleNamespace(across=False, horizontal=horizontal)
    here.transitions = [SimpleNamespace(way=way, difficult=ground)]
    return here


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("off", [-0.9, 0.0, 0.9])
def test_a_way_that_touches_a_round_is_held_to_keep_out_of_it(off, side):
    """By less than two places count as one (1e-4 in), on either side of either; the other piece of ground stays."""
    y = 3.0 + side * (1.5 + off * MET / 10)
    held = _off_rounds(over((0.0, y), (10.0, y)), 0, chord((0.0, y), (10.0, y)), GROUND)
    (found,) = held.constraints
    assert found.circle == pytest.approx((5.0, 3.0, 1.5))
    assert found.side == -side  # the circle lies to the left of a way below it
    assert set(found.ground.owner.tolist()) == {1}
    # What is held once is not held again.
    assert _off_rounds(held, 0, chord((0.0, y), (10.0, y)), GROUND) is held


@pytest.mark.parametrize(
    ("p", "q"),
    [
        ((0.0, 4.5 + 2 * MET), (10.0, 4.5 + 2 * MET)),  # past it
        ((0.0, 4.0), (10.0, 4.0)),  # through it
        ((0.0, 4.5), (4.9, 4.5)),  # it ends before it comes to touch
        ((5.1, 4.5), (9.0, 4.5)),  # it begins beyond
    ],
)
def test_a_way_that_touches_nothing_is_held_to_nothing(p, q):
    way = over(p, q)
    assert _off_rounds(way, 0, chord(p, q), GROUND) is way
    assert constrain_grazing(on(GROUND), way) is None


@pytest.mark.parametrize(("depth", "held"), [(0.02, False), (0.04, True)])
def test_a_way_that_cuts_a_round_no_deeper_than_so_may_be_held_to_keep_out_of_it(depth, held):
    """It lies 0.03 in deep in the one, and does not come to the other."""
    found = constrain_grazing(on(GROUND), over((0.0, 4.47), (10.0, 4.47)), depth=depth)
    assert ([one.circle for one in found.constraints] if found else []) == [pytest.approx((5.0, 3.0, 1.5))] * held


def test_a_round_that_another_of_its_piece_covers_is_not_kept_out_of():
    """A thick line: at its inner places a way along it touches a circle, but lies within what joins them."""
    line = grown([(sbg.line([(2.0, 3.0), (5.0, 3.0), (8.0, 4.5)], 2.0), 0.5)])
    way = over((0.0, 1.5), (10.0, 1.5))
    (held,) = constrain_grazing(on(line), way).constraints[:1]
    assert held.circle[1] == pytest.approx(3.0)
    within = over((5.0 - 1e-3, 4.5), (9.0, 4.5))
    assert _off_rounds(within, 0, chord((5.0 - 1e-3, 4.5), (9.0, 4.5)), line) is within


def test_only_ways_that_are_weighed_are_held():
    way = over((0.0, 4.5), (10.0, 4.5))
    assert constrain_grazing(on(GROUND), way).constraints[0].circle == pytest.approx((5.0, 3.0, 1.5))
    assert constrain_grazing(on(GROUND, horizontal=False), way) is None
    assert constrain_grazing(on(grown(())), way) is None


L_SHAPE = grown([(sbg.polygon([(2, 2), (10, 2), (10, 10), (6, 10), (6, 6), (2, 6)]), 0.5)])
CORNER = (5.5, 6.5)  # inward, where the rims above (2, 6) and to the left of (6, 10) meet


def test_an_inward_corner_is_where_two_rims_meet():
    for off in ((0.0, 0.0), (2e-6, -3e-6), (-4e-6, 0.0)):
        circle, other = inward_corner(np.array(CORNER) + off, L_SHAPE)
        assert circle == pytest.approx((*CORNER, 0.0), abs=1e-12)
        assert other.sum() >= 1
    for at in (
        (4.0, 6.5),
        (5.5, 8.0),
        (10.5, 8.0),
        (10.5, 10.0),
        (5.5, 6.4),
        (5.4, 6.6),
        (10.3535533906, 10.3535533906),
    ):
        assert inward_corner(np.array(at), L_SHAPE) is None


def test_a_way_through_an_inward_corner_is_held_to_its_side_of_it():
    """It comes from open ground and runs on within: there the one rim counts alone, and it weighs the same."""
    p, q = (3.5, 8.5), (7.5, 4.5)
    way = over(p, q)
    held = _off_notches(way, 0, chord(p, q), L_SHAPE)
    (found,) = held.constraints
    assert found.circle == pytest.approx((*CORNER, 0.0))
    assert inside_share(*chord(p, q), found.ground)[0] == pytest.approx(inside_share(*chord(p, q), L_SHAPE)[0])
    assert _off_notches(held, 0, chord(p, q), L_SHAPE) is held
    beside = _off_notches(over((3.5, 8.0), q), 0, chord((3.5, 8.0), q), L_SHAPE)
    assert not beside.constraints


@pytest.mark.parametrize("off", [-4e-7, 0.0, 4e-7])
@pytest.mark.parametrize("ends", [((3.5, 8.5), (7.5, 4.5)), ((7.5, 4.5), (3.5, 8.5)), ((5.0, 8.5), (6.0, 4.5))])
def test_a_way_is_held_to_the_side_of_a_corner_on_which_the_rim_that_counts_is_crossed(ends, off):
    """However little it passes the corner by: on the other side what it costs goes on falling past the corner."""
    p, q = (np.array(end) + off for end in ends)
    (found,) = _off_notches(over(p, q), 0, chord(p, q), L_SHAPE).constraints
    right = np.array([q[1] - p[1], p[0] - q[0]]) / np.hypot(*(q - p))
    aside = [chord(p + by * right, q + by * right) for by in (0.01 * found.side, -0.01 * found.side)]
    apart = [inside_share(*way, found.ground)[0] - inside_share(*way, L_SHAPE)[0] for way in aside]
    assert apart[0] == pytest.approx(0.0, abs=1e-12)
    assert abs(apart[1]) > 1e-4


def test_a_corner_whose_other_rim_weighs_elsewhere_on_the_way_is_not_held_to():
    """A U: the rim that would be left out at one inward corner is crossed once more at its far end."""
    ground = grown([(sbg.polygon([(2, 2), (14, 2), (14, 10), (10, 10), (10, 6), (6, 6), (6, 10), (2, 10)]), 0.5)])
    p, q = (8.0, 8.0), (5.0, 5.0)
    (found,) = _off_notches(over(p, q), 0, chord(p, q), ground).constraints
    assert found.circle == pytest.approx((6.5, 6.5, 0.0))
    share = inside_share(*chord(p, q), ground)[0]
    assert inside_share(*chord(p, q), found.ground)[0] == pytest.approx(share, abs=1e-5)


def test_what_a_way_came_to_cut_it_is_held_to_clear_as_well():
    """Held to keep out of a line of rounds by one of them, it cuts the next, the deepest first."""
    rounds = grown([(sbg.line([(5.0, 3.0), (7.0, 3.6), (8.5, 3.2)], 2.0), 0.5)])
    here = on(rounds)
    start = (0.0, 4.5), (12.0, 4.5)
    bare = rounds.without(int(rounds.owner[0]))
    held = constrain_to_pass(over(*start), 0, chord(*start), (5.0, 3.0, 1.5), ground=bare)
    further = constrain_further(here, held, over(*start))
    assert [g.circle for g in further.constraints][1] == pytest.approx((7.0, 3.6, 1.5))
    again = constrain_further(here, further, over(*start))
    assert [g.circle for g in again.constraints][2] == pytest.approx((8.5, 3.2, 1.5))
    assert constrain_further(here, again, over(*start)) is None
    clear = (0.0, 5.2), (12.0, 5.2)
    assert constrain_further(here, held, over(*clear)) is None
