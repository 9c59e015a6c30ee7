"""Where two faces meet: from a corner a way straight up or down leads across either."""

import math
from dataclasses import replace

import pytest

from sbg_sim.geometry.shapes import polygon
from sbg_sim.solver.answer import ask
from sbg_sim.table.questions import Charge
from tests.heights.ruins import placed
from tests.heights.stage import POLISHED, TOLD, box, charge, disc, move, mover, other, piece, table

LEDGE = (
    piece("a", "platform", box(16.5, 20.25, 21.5, 24.75), height=2.0),
    piece("b", "platform", box(21.5, 21.25, 25.0, 23.25), height=2.0),
)


@pytest.mark.parametrize("prone", [False, True])
def test_up_one_face_from_where_two_meet_and_down_the_next(prone):
    """It touches both: up a (2 x 2) to its lower corner, down there (2 x 2), and half an inch to contact."""
    shut = piece("shut", "unscalable", box(21.5, 10.0, 21.6, 20.2))
    found = charge(table(mover(22.0, 20.75, prone=prone), other("e", 21.0, 18.25), shut, *LEDGE, size=40), "e")
    assert found.needed == pytest.approx((3.0 if prone else 0.0) + 4.0 + 4.0 + 0.5, abs=TOLD)
    assert found.at_most - found.at_least <= 3 * TOLD


@pytest.mark.parametrize("on", ["a", "b"])
@pytest.mark.parametrize(("to", "along"), [((21.0, 20.75), 0.0), ((22.0, 21.75), 0.0), ((19.0, 20.75), 2.0)])
def test_either_face_is_climbed_from_the_corner(on, to, along):
    """Both tops are one level: onto either it is 2 x 2, and on from the corner along the top."""
    found = move(table(mover(22.0, 20.75), *LEDGE, size=40), to, on)
    assert found.needed == pytest.approx(4.0 + along, abs=TOLD)
    assert found.chance > 0


@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_up_a_round_tower_one_lands_only_opposite(angle):
    """To the far side of the top it is 1.5 to the foot, 2 x 1.51 up, and 3 across, with a 6."""
    away = complex(math.cos(math.radians(angle)), math.sin(math.radians(angle)))
    tower = piece("b", "platform", disc(20.0, 20.0, 2.0), height=1.51)
    at = table(mover(20.0 - 4 * away.real, 20.0 - 4 * away.imag), tower, size=40)
    found = move(at, (20.0 + 1.5 * away.real, 20.0 + 1.5 * away.imag), "b")
    assert found.needed == pytest.approx(1.5 + 3.02 + 3.0, abs=TOLD)


@pytest.mark.parametrize("mirror", [1.0, -1.0])
def test_up_to_the_corner_of_a_top_from_the_nearest_place_round_its_foot(mirror):
    """All round the foot the corner is what lies straight across: half an inch before its centre 2 x 1.51 up begin."""
    low, high = sorted((20.0 + 2.5 * mirror, 20.0 + 4.25 * mirror))
    tower = piece("b", "platform", box(low, 19.0, high, 23.75), height=1.51)
    found = move(table(mover(20.0 + 0.75 * mirror, 25.75), tower, size=40), (20.0 + 3.0 * mirror, 23.25), "b")
    assert found.needed == pytest.approx(math.hypot(1.75, 2.0) - 0.5 + 3.02, abs=TOLD)
    assert found.at_most - found.at_least <= 2 * TOLD


@pytest.mark.parametrize(
    "turn", [0.0, pytest.param(1.0, marks=pytest.mark.heavy), pytest.param(4.0, marks=pytest.mark.heavy)]
)
def test_a_leap_past_the_corner_of_a_gap_too_wide_to_cross(turn):
    """Straight across it is 3.25 in wide, past its corner just 3; the second leap lands in the zone of whom it charges.

    Both leaps are made exact, however the table is turned: before, one way lay 0.028 in and the other 0.015 too dear.
    """
    pit = piece("pit", "gap", box(18.5, 20.5, 21.75, 24.0), depth=3.0)
    block = piece("block", "platform", box(16.25, 19.75, 18.5, 23.25), height=0.75)
    at = table(mover(23.75, 19.75, move=5.0), other("e", 16.25, 23.75), pit, block)
    at, asked = placed(at, [Charge("m", "e")], turn, (60.0, 60.0))
    found = ask(replace(at, width=200.0, depth=200.0), asked[0])
    assert found.at_most - found.at_least <= 2e-9
    assert found.needed == pytest.approx(8.562570447, abs=POLISHED)


@pytest.mark.parametrize("upside", [False, True])
@pytest.mark.parametrize(("short", "up"), [(0.1, True), (0.05, True), (0.0, True), (0.1, False), (0.3, False)])
def test_a_climb_begins_at_the_side_it_crosses(upside, short, up):
    """It already touches another side, of an arm too narrow to stand on or of a pit that is filled to a step."""

    def turned(*places):
        return [(x, 40.0 - y) if upside else (x, y) for x, y in places]

    arm = [(10, 10), (20, 10), (20, 14), (24, 14), (24, 14.4), (20, 14.4), (20, 15.5), (24, 15.5), (24, 20), (10, 20)]
    sides = [(25.75, 24), (25.75, 20), (23.75, 20), (23.75, 18.5), (25.75, 18.5), (25.75, 18), (21, 18), (21, 24)]
    step = [(25.75, 20), (25.75, 18.5), (23.75, 18.5), (23.75, 20)]
    if up:
        (at, to), on, end = turned((22.0, 15.0 - short), (22.0, 17.0)), None, "top"
        things = (piece("top", "platform", polygon(turned(*arm)), height=2.0),)
    else:
        (at, to), on, end = turned((23.25, 18.5 + short), (23.25, 17.5)), "top", None
        things = (
            piece("top", "platform", polygon(turned(*sides)), height=2.0),
            piece("step", "platform", polygon(turned(*step)), height=1.4),
        )
    found = move(table(mover(*at, on=on), *things, size=40), to, end)
    assert found.needed == pytest.approx(short + 4.0 + (1.0 if up else 0.0), abs=TOLD)
