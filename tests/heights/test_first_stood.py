"""A 2 to 5 puts a model down where its base first stands on the level it jumps or leaps to (JMP.1, LEAP.2).

What leads farther is movement of its own, which only a 6 leaves it.
"""

from fractions import Fraction
from math import acos, atan2, hypot, pi, sqrt

import pytest

from sbg_sim.geometry.shapes import polygon
from tests.heights.stage import PASS, POLISHED, SIX, box, charge, disc, move, mover, other, piece, table

TOP = piece("t", "platform", box(8, 8, 14, 16), height=1.0)
ROOFS = (piece("t", "platform", box(9, 8, 14, 16), height=3.0), piece("a", "platform", box(4, 8, 8, 16), height=3.0))
STARTS = {"jump": (None, (TOP,)), "leap": ("a", ROOFS)}
"""Either way a base begins at x = 7.5 and stands on ``t`` up to x = 13.5, with y from 8.5 to 15.5."""


def stage(kind, far=9.0, **rulings):
    on, terrain = STARTS[kind]
    return table(mover(6, 12, move=far, on=on), *terrain, **rulings)


@pytest.mark.parametrize("kind", STARTS)
@pytest.mark.parametrize("x", [12.0, 13.5])
def test_across_the_top_a_6_leads_and_to_its_far_rim_no_less(kind, x):
    found = move(stage(kind), (x, 12), "t")
    assert (found.chance, found.needed) == (SIX, pytest.approx(x - 6, abs=POLISHED))


@pytest.mark.parametrize(("kind", "does"), [("jump", "gets up"), ("leap", "lands")])
def test_the_words_say_where_it_is_put_down(kind, does):
    (test,) = move(stage(kind), (12, 12), "t").tests
    assert test.results["2-5"].startswith(does)
    assert "where its base first stands" in test.results["2-5"]
    assert test.results["6"] == f"{does} and may go on"


def test_by_its_centre_too():
    found = move(stage("jump", stand_on="centre"), (14, 12), "t")
    assert (found.chance, found.needed) == (SIX, pytest.approx(8, abs=POLISHED))


@pytest.mark.parametrize(
    ("kind", "spare", "chance"), [("jump", 1e-4, PASS), ("jump", -1e-4, SIX), ("leap", 1e-4, PASS)]
)
def test_a_rim_at_the_side_is_landed_on_along_it(kind, spare, chance):
    """From the place that lies in line with that rim; from nearer its middle the base stands on top before."""
    along = hypot(1.5, 3.5) + 4.5
    found = move(stage(kind, along + spare), (12, 8.5), "t")
    assert (found.chance, found.needed) == (
        chance,
        pytest.approx(along if chance == PASS else hypot(6, 3.5), abs=POLISHED),
    )
    assert found.needed - found.at_least < POLISHED


def test_the_far_rim_is_landed_on_from_round_the_corner():
    """By a tangent to the circle about the corner at (8, 16), on along the side, and down the line of the far rim."""
    apart = hypot(2, 4)
    turn = (atan2(-4, -2) - acos(0.5 / apart)) % (2 * pi) - pi / 2
    found = move(stage("jump", 20.0), (13.5, 12), "t")
    around = sqrt(apart**2 - 0.25) + turn / 2 + 5.5 + 4.5
    assert (found.chance, found.needed) == (PASS, pytest.approx(around, abs=POLISHED))


def test_a_round_top_is_landed_on_along_its_tangent():
    """Bases stand within 2.5 in of its middle, and begin 3.5 in from it."""
    found = move(table(mover(6, 12, move=12.0), piece("t", "platform", disc(11, 12, 3), height=1.0)), (11, 14.5), "t")
    x = 11 - sqrt(3.5**2 - 2.5**2)
    assert (found.chance, found.needed) == (PASS, pytest.approx(hypot(x - 6, 2.5) + 11 - x, abs=POLISHED))


def test_out_of_one_arm_of_a_pit_and_not_over_the_other():
    """Between the arms there is room to stand: the other is a pit of its own, and takes a die of its own."""
    arms = [(4, 8), (12, 8), (12, 16), (10, 16), (10, 10), (6, 10), (6, 16), (4, 16)]
    start = table(mover(5, 15, move=8.0, on="pit"), piece("pit", "gap", polygon(arms), depth=1.2))
    between, beyond = move(start, (6.5, 15)), move(start, (12.5, 15))
    assert (between.chance, between.needed) == (PASS, pytest.approx(1.5, abs=POLISHED))
    assert (beyond.chance, beyond.needed) == (Fraction(5, 36), pytest.approx(7.5, abs=POLISHED))


@pytest.mark.parametrize("y", [9.5, 13.0])
def test_nor_does_a_charge_end_beyond_the_rim_it_comes_over(y):
    """The enemy is touched from the far rim as well, an inch from its middle."""
    assert charge(table(mover(6, 12, move=9.0), TOP, other("e", 13.5, y, on="t")), "e").chance == SIX
