"""Leaps that do best just past a corner of their gap, where what they lead over has a kink or jumps (LEAP.1)."""

import itertools
from math import cos, hypot, sin, sqrt, tan

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


@pytest.mark.parametrize("spare", [-9e-7, -1e-8, 0.0, 2e-9, 1e-8, 1e-7, 9e-7, 2e-6, 1e-5])
@pytest.mark.parametrize("y", [20.0713, 20.1113])
def test_over_the_one_place_where_it_is_narrow_enough(y, spare):
    """A corner of the far side comes within an inch of the near one, between samples: with some to spare a leap leans.

    It leans through the corner, as far as that is no longer than may be, and lands half an inch from the upper side.
    """
    ring = [(10, -1), (12, -1), (11, y), (12, 41), (10, 41)]
    lean, back = sqrt(max(0.0, (1 + spare) ** 2 - 1)), 1 / (41 - y)
    x = 11 + hypot(1, back) / 2 / (1 - back * lean)
    start, end = (9.5, y - 1.5 * lean), (x, y + (x - 11) * lean)
    for at, to in (((8, y - 1), (13, y - 1)), ((13, y - 1), (8, y - 1))):
        places = [(8, y - 1), start, end, (13, y - 1)]
        needed = sum(hypot(c - a, d - b) for (a, b), (c, d) in itertools.pairwise(places))
        found = leapt(ring, at, to, (1 + spare) / 2)
        assert (found.needed, found.chance) == (pytest.approx(needed, abs=POLISHED), SIX)
        assert found.at_most - found.at_least <= 1e-7


def test_from_one_roof_to_another_where_they_are_near_enough():
    """From a roof to the corner of another an inch away."""
    first, roof = sbg.polygon([(4, 10), (10, 10), (10, 30), (4, 30)]), sbg.polygon([(11, 20.0713), (16, 12), (16, 28)])
    one, other = (piece(name, "platform unscalable", shape, height=4.0) for name, shape in (("a", first), ("b", roof)))
    found = move(table(mover(8, 19, height=0.500001, on="a"), one, other), (13, 20.0713), "b")
    assert found.chance == SIX
    assert found.needed == pytest.approx(hypot(1.5, 1.0713) + 3.5, abs=4e-3)


@pytest.mark.parametrize(("a", "b"), [(2.0, 1.9), (1.7, 1.55)])
@pytest.mark.parametrize(("spare", "chance"), [(1e-4, SIX), (-1e-4, 0)])
def test_over_the_corner_of_a_notch_in_its_own_roof(a, b, spare, chance):
    """Straight on, the roof would not be left, nor the whole base stay on it: the leap is drawn aside, over its corner.

    The corner is at (12, 12), the way as far to one side of it as to the other; round the corner it is farther.
    """
    ring = [(6, 6), (18, 6), (18, 12), (12, 12), (12, 18), (6, 18)]
    needed = 2 * hypot(a - 0.5, b - 0.5) + sqrt(2)
    roof = piece("roof", "platform unscalable", sbg.polygon(ring), height=4.0)
    found = move(table(mover(12 - a, 12 + b, move=needed + spare, on="roof"), roof), (12 + b, 12 - a), "roof")
    assert (found.needed, found.chance) == (pytest.approx(needed, abs=2 * POLISHED), chance)
    assert found.at_most - found.at_least <= POLISHED


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("backwards", [False, True])
def test_from_beside_a_corner_whichever_way_round_the_gap_was_given(mirrored, backwards):
    """Two inches of gap can be leapt: from round its corner at a slant, in by one side and out by the next."""

    def places(slant):
        x = 13 - 2 * cos(slant)  # where the leap comes over the gap, at y = 10
        back = (x - 11) * cos(slant) + sqrt(0.25 - ((x - 11) * sin(slant)) ** 2)
        on = 13.5 - x
        return [(10, 10), (x - back * cos(slant), 10 + back * sin(slant)), (13.5, 10 - on * tan(slant)), (14, 7)]

    def length(slant):
        return sum(hypot(c - a, d - b) for (a, b), (c, d) in itertools.pairwise(places(slant)))

    low, high = 0.5, 0.7
    for _ in range(60):  # by thirds: there is one least
        one, two = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, two) if length(one) < length(two) else (one, high)
    ring = [(11, 6), (13, 6), (13, 10), (11, 10)][:: -1 if backwards else 1]
    ring, start, to = ([(25 - x if mirrored else x, y) for x, y in some] for some in (ring, [(10, 10)], [(14, 7)]))
    gap = piece("gap", "gap", sbg.polygon(ring), depth=3.0)
    found = move(table(mover(*start[0], base=1.0, height=1.0, move=6.0), gap), to[0])
    assert (found.needed, found.chance) == (pytest.approx(length(low), abs=POLISHED), SIX)
