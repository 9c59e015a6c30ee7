"""Difficult ground that is drawn on beneath a platform: nobody is in it there (TER.2)."""

import pytest

from sbg_sim.geometry.shapes import circle
from tests.heights.stage import POLISHED, box, move, mover, piece, table

TOP = piece("top", "platform", box(4, 0, 8, 8), height=0.5)


def wood(shape, **more):
    return piece("wood", "difficult", shape, **more)


@pytest.mark.parametrize(
    ("shape", "needed"),
    [
        (box(4.2, 0, 7, 8), 4.0),  # beneath it
        (box(4, 0, 8, 8), 4.0),
        (box(4.2, 0, 12, 8), 4.0),  # and on beyond it
        (circle((6, 4), 1.5), 4.0),
        (box(3.6, 0, 7, 8), 4 + 1.4),  # a base is within from 3.1 until it stands on top, at 4.5
        (box(2.5, 0, 3, 8), 4 + 1.5),  # before it
    ],
)
def test_up_onto_a_platform(shape, needed):
    """Four inches, and again as much as any of the base is within the wood."""
    found = move(table(mover(2, 4, move=8.0), TOP, wood(shape)), (6, 4), "top")
    assert found.needed == pytest.approx(needed, abs=POLISHED)


@pytest.mark.parametrize(("end", "needed"), [(12, 6 + 4.5), (1, 5.0)])
def test_a_wood_that_a_platform_cuts_in_two(end, needed):
    """East of the platform a base is within from where it leaves the top, at 7.5; the ground west of it is open."""
    both = wood(box(4.5, 0, 12.5, 8))
    found = move(table(mover(6, 4, move=12.0, on="top"), TOP, both), (end, 4))
    assert found.needed == pytest.approx(needed, abs=POLISHED)


def test_on_top_of_it_is_another_level():
    """A wood on the platform's top is as it is; a deck above leaves the ground beneath it what it is."""
    on_top = table(mover(2, 4, move=9.0), TOP, wood(box(5, 0, 7, 8), on="top"))
    assert move(on_top, (6, 4), "top").needed == pytest.approx(4 + 1.5, abs=POLISHED)
    roof = piece("roof", "platform unscalable", box(4, 0, 8, 8), height=3.0)
    deck = piece("deck", "platform", box(7, 3, 12, 5), height=0.4, on="roof")
    under = table(mover(10, 1, move=12.0), roof, deck, wood(box(8.2, 3, 24, 5)))
    assert move(under, (10, 7)).needed == pytest.approx(6 + 3, abs=POLISHED)
