"""Leaps that do best just past a corner of their gap, where what they lead over has a kink or jumps (LEAP.1)."""

import itertools
from math import hypot

import pytest

import sbg_sim as sbg
from tests.heights.stage import POLISHED, SIX, move, mover, piece, table


def leapt(ring, at, to, height, base=1.0):
    """A move over a gap across the whole table."""
    cut = piece("gap", "gap unscalable", sbg.polygon(ring), depth=30.0)
    return move(table(mover(*at, base=base, height=height, move=20.0), cut), to)


def test_as_far_aslant_as_may_be_through_a_corner():
    """A corner juts 1.5 in before the far side: 1.7 in, as far as can be leapt, lead through it at 8 to 15."""
    ring = [(10, 20), (1.25, -1), (11.5, -1), (11.5, 41), (1.25, 41)]
    found = leapt(ring, (7.5, 16.5), (13, 24), 0.85)
    # The sides behind the corner go back at 5 to 12: so far from it the base touches the lower.
    start = (10 - 15 * 13 / 280, 20 - 8 * 13 / 280)
    end = (12, 20 + 2 * 8 / 15)
    way = [(7.5, 16.5), start, end, (13, 24)]
    needed = sum(hypot(c - a, d - b) for (a, b), (c, d) in itertools.pairwise(way))
    assert (found.needed, found.chance) == (pytest.approx(needed, abs=POLISHED), SIX)
    assert found.at_most - found.at_least <= 1e-8
