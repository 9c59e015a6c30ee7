"""Jumps over a hedge that turns: one jump over both arms keeps to the hedge, on the inner side of its corner."""

import math

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.referee import audit

HALF = 0.25  # of the hedge's thickness
ARMS = [
    [10 - HALF, 10 - HALF],
    [20, 10 - HALF],
    [20, 10 + HALF],
    [10 + HALF, 10 + HALF],
    [10 + HALF, 20],
    [10 - HALF, 20],
]


def asked(move):
    hedge = {"tags": ["obstacle"], "polygon": ARMS, "height": 1}
    man = {"at": [14, 8.75], "base": 1, "height": 1.5, "move": move, "side": "good"}
    return sbg.check(sbg.Table(24, 24, models={"a": man}, terrain={"hedge": hedge}), sbg.Move("a", (8.75, 14)))


def test_one_jump_over_both_arms_passes_the_corner_of_the_grown_hedge():
    """The rim lies c = 3/4 beside the arms' middle: the way over goes from (3c, -c) past (c, c) to (-c, 3c)."""
    c = HALF + 0.5
    needed = 2 * math.hypot(4 - 3 * c, 1.25 - c) + 4 * c * math.sqrt(2)
    found = asked(needed + 1e-4)
    assert (found.answer, found.chance) == ("chance", pytest.approx(1 / 6))
    assert found.needed == pytest.approx(needed, abs=1e-6)
    jump = next(leg for leg in found.route.legs if leg.kind == "jump")
    assert jump.start == pytest.approx((10 + 3 * c, 10 - c), abs=1e-4)
    assert audit(found.table, "a", found.route, allowance=needed + 1e-4).legal


def test_two_jumps_go_straight_on_where_one_is_too_long():
    c = HALF + 0.5
    found = asked(2 * math.hypot(4 - 3 * c, 1.25 - c) + 4 * c * math.sqrt(2) - 1e-4)
    assert (found.chance, found.needed) == (pytest.approx(1 / 36), pytest.approx(5.25 * math.sqrt(2), abs=1e-9))


def test_round_the_outer_corner_no_die_is_thrown():
    """Two tangents from (4.25, -1) and its mirror image to a circle of half an inch, and the arc between them."""
    apart = math.hypot(4.25, 1.0)
    tangent = math.sqrt(apart**2 - 0.25)
    between = math.radians(270) - 2 * math.atan2(1.0, 4.25) - 2 * math.acos(0.5 / apart)
    needed = 2 * tangent + 0.5 * between
    found = asked(9.5)
    assert (found.answer, found.needed) == ("yes", pytest.approx(needed, abs=1e-9))


def past_the_corner(arms, start, end):
    """The least of all ways by a straight line through where a base touches both arms, tried one by one."""

    def rim(a, b):
        """A place and the direction of a side, half an inch to its right."""
        along = np.subtract(b, a) / math.dist(a, b)
        return np.array(a) + 0.5 * np.array([along[1], -along[0]]), along

    def meets(one, two):
        (p, u), (q, v) = one, two
        return p + ((q - p)[0] * v[1] - (q - p)[1] * v[0]) / (u[0] * v[1] - u[1] * v[0]) * u

    corner = meets(rim(arms[4], arms[3]), rim(arms[3], arms[2]))
    (near, along), (far, beside) = rim(arms[0], arms[5]), rim(arms[1], arms[0])
    turn = np.linspace(0.3, 0.8, 500_001)
    ray = (corner[:, None], np.stack([np.cos(turn), np.sin(turn)]))
    begun = meets((near[:, None], along[:, None]), ray)
    landed = meets((far[:, None], beside[:, None]), ray)
    first, over, last = (
        np.hypot(*(a - b))
        for a, b in ((np.array(start)[:, None], begun), (begun, landed), (landed, np.array(end)[:, None]))
    )
    return float((first + over + last).min())


def test_past_the_corner_between_arms_that_lean():
    """The way over is held to the corner of the grown hedge: proven, and 0.0027 in shorter."""
    arms = [[11.734, 12.533], [16.389, 10.018], [16.063, 9.415], [12.266, 11.467], [11.602, 7.04], [10.925, 7.141]]
    hedge = {"tags": ["obstacle"], "polygon": arms, "height": 1}
    man = {"at": [10.47, 8.66], "base": 1, "height": 1.5, "move": 9, "side": "good"}
    table = sbg.Table(24, 24, models={"a": man}, terrain={"hedge": hedge})
    found = sbg.check(table, sbg.Move("a", (15.7, 11.4)))
    assert (found.answer, found.chance) == ("chance", pytest.approx(1 / 6))
    assert found.at_most - found.at_least < 1e-8
    assert found.needed == pytest.approx(past_the_corner(arms, (10.47, 8.66), (15.7, 11.4)), abs=1e-8)
    assert audit(table, "a", found.route, allowance=9.0).legal
