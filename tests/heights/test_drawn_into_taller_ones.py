"""What is drawn into a taller platform beside it ends at that one's rim; a platform over a gap's brim is a bridge."""

from math import atan2, hypot

import pytest

from tests.heights.stage import POLISHED, SIX, box, move, mover, piece, table

TOP = piece("top", "platform", box(4, 0, 8, 8), height=0.5)


def drawn(tags, east, **more):
    return piece("drawn", tags, box(4.4, 3.5, east, 4.5), **more)


@pytest.mark.parametrize("east", [7, 12])
@pytest.mark.parametrize(
    ("tags", "more"),
    [
        ("platform", {"height": 0.2}),
        ("platform unscalable", {"height": 0.4}),
        ("obstacle", {"height": 0.2}),
        ("gap", {"depth": 1.0}),
        ("gap", {}),
    ],
)
def test_up_onto_a_platform(tags, more, east):
    """Four inches over the rim; 0.55 in more, or none, where what lies within barred the way beside it."""
    found = move(table(mover(2, 4, move=8.0), TOP, drawn(tags, east, **more)), (6, 4), "top")
    assert found.needed == pytest.approx(4, abs=POLISHED)


def test_a_jump_onto_a_platform_that_a_hedge_leads_into():
    tall = piece("top", "platform", box(4, 0, 8, 8), height=1.2)
    found = move(table(mover(2, 4, move=8.0), tall, drawn("obstacle", 12, height=0.9)), (6, 4), "top")
    assert (found.needed, found.chance) == (pytest.approx(4, abs=POLISHED), SIX)


def test_what_sticks_out_is_as_it_is():
    """East of the platform the piece bars and is stepped over as ever, and nobody ends on it."""
    at = table(mover(10, 2, move=12.0), TOP, drawn("obstacle unscalable", 11.5, height=0.4))
    assert move(at, (10, 7)).needed == pytest.approx(5, abs=POLISHED)
    assert move(at, (10, 4)).violations[0].rule == "TER.3"
    wall = table(mover(10, 2, move=12.0), TOP, drawn("unscalable", 10.5, height=3.0))
    # Round its two corners half an inch off: tangents, arcs as far as those lean, and its end of an inch.
    lean = 2 * atan2(0.5, 1.5)
    assert move(wall, (10, 6)).needed == pytest.approx(2 * 1.5 + 2 * 0.5 * lean + 1, abs=POLISHED)


@pytest.mark.parametrize("height", [0.5, 1.5])
def test_what_is_no_lower_is_as_it_is(height):
    """As tall as the platform, or taller: on top of it one meets what stands out, and nothing where it is level."""
    hedge = drawn("obstacle", 7, height=height)
    found = move(table(mover(2, 4, move=8.0), TOP, hedge), (5, 2), "top")
    assert found.needed == pytest.approx(hypot(3, 2), abs=POLISHED)


@pytest.mark.parametrize("lap", [0.2, 0.6, 1.2])
def test_a_bridge_is_gone_over_however_little_of_it_lies_on_the_banks(lap):
    gap = piece("gap", "gap", box(4 + lap, -1, 10 - lap, 41), depth=2.0)
    bridge = piece("bridge", "platform", box(4, 2, 10, 6), height=0.2)
    at = table(mover(2, 4, move=12.0), gap, bridge)
    assert move(at, (7, 4), "bridge").needed == pytest.approx(5, abs=POLISHED)
    assert move(at, (12, 4)).needed == pytest.approx(10, abs=POLISHED)
    assert move(at, (6, 8)).answer == "no"  # beside it is the gap as ever


def test_under_a_bridge_the_gap_goes_on():
    gap = piece("gap", "gap", box(4, -1, 10, 20), depth=2.0)
    bridge = piece("bridge", "platform", box(3, 8, 11, 10), height=0.2)
    at = table(mover(7, 4, move=12.0, on="gap"), gap, bridge)
    assert move(at, (7, 14), "gap").needed == pytest.approx(10, abs=POLISHED)
