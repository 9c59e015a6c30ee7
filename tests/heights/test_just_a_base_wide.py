"""Ways over in a passage just as wide as the base: that is wide enough (MOV.4), over whatever lies in it."""

import math

import pytest

from sbg_sim.geometry.shapes import polygon
from sbg_sim.tolerance import TOUCH
from tests.heights.stage import PASS, POLISHED, SIX, box, charge, corridor, move, mover, other, piece, table

SIDES = corridor(room=1.0)  # from y = 11.5 to 12.5, and the base is an inch
KINDS = [
    ("obstacle", {"height": 0.5}, 1),
    ("obstacle", {"height": 1.0}, SIX),
    ("gap", {"depth": 3.0}, SIX),
]


@pytest.mark.parametrize(("tag", "given", "chance"), KINDS)
@pytest.mark.parametrize("beyond", [0.0, 1.0], ids=["wall to wall", "into the walls"])
def test_past_what_lies_across(tag, given, chance, beyond):
    found = move(
        table(mover(4, 12), *SIDES, piece("it", tag, box(6, 11.5 - beyond, 6.4, 12.5 + beyond), **given)), (8, 12)
    )
    assert (found.chance, found.needed) == (chance, pytest.approx(4, abs=POLISHED))


@pytest.mark.parametrize(("height", "chance"), [(0.5, 1), (1.0, SIX)])
def test_onto_a_platform(height, chance):
    found = move(
        table(mover(4, 12), *SIDES, piece("it", "platform", box(6, 11, 10, 13), height=height)), (8, 12), on="it"
    )
    assert (found.chance, found.needed) == (chance, pytest.approx(4, abs=POLISHED))


def test_into_a_ditch_under_both_walls():
    """What bars its brim stands on the ground, and so is not in the way on its bottom."""
    found = move(table(mover(4, 12), *SIDES, piece("it", "gap", box(6, 11, 9, 13), depth=1.0)), (7.5, 12), on="it")
    assert (found.answer, found.needed) == ("yes", pytest.approx(3.5, abs=POLISHED))


@pytest.mark.parametrize("side", ["good", "evil"])
def test_over_who_lies_there(side):
    found = move(table(mover(4, 12), *SIDES, other("lying", 6, 12, side, prone=True)), (8, 12))
    assert (found.chance, found.needed) == (SIX, pytest.approx(4, abs=POLISHED))


def test_between_the_edge_of_the_table_and_a_wall():
    side = piece("side", "unscalable", box(0, 1, 24, 2))
    found = move(table(mover(4, 0.5), side, piece("it", "obstacle", box(6, 0, 6.4, 1), height=1.0)), (8, 0.5))
    assert (found.chance, found.needed) == (SIX, pytest.approx(4, abs=POLISHED))


@pytest.mark.parametrize(("x", "chance"), [(7.9, PASS), (8.9, SIX), (9.6, SIX)])
def test_to_an_enemy_beyond(x, chance):
    """The nearest is met where the jump lands, the next in whose zone it lands, the last by going on."""
    it = piece("it", "obstacle", box(6, 11, 6.4, 13), height=1.0)
    found = charge(table(mover(4, 12), *SIDES, it, other("foe", x, 12)), "foe")
    assert (found.chance, found.needed) == (chance, pytest.approx(x - 5, abs=POLISHED))


@pytest.mark.parametrize("short", [2e-6, 1e-3])
def test_a_hair_narrower_is_too_narrow(short):
    sides = [piece(f"side-{k}", "unscalable", box(5, y, 24, y + 9)) for k, y in enumerate((2.5 + short, 12.5))]
    found = move(
        table(mover(4, 12, move=8.0), *sides, piece("it", "obstacle", box(6, 11, 6.4, 13), height=1.0)), (8, 12)
    )
    assert found.answer == "no"


@pytest.mark.parametrize("upside", [False, True])
def test_down_from_the_corner_of_a_top_past_who_stands_just_a_base_from_it(upside):
    """From the one place there is, down straight: turned by an angle the way leads into the base by half its square."""

    def turned(x, y):
        return (x, 40.0 - y) if upside else (x, y)

    top = polygon([turned(*at) for at in ((16.25, 19.0), (17.75, 19.0), (17.75, 21.5), (16.25, 21.5))])
    low = polygon([turned(*at) for at in ((12.75, 17.25), (16.25, 17.25), (16.25, 18.75), (12.75, 18.75))])
    things = (piece("top", "platform", top, height=0.25), piece("low", "platform", low, height=1.0))
    friend = other("friend", *turned(16.75, 20.0), side="good", on="top")
    start, end = (21.25, 18.5), (14.68, 19.57)
    found = move(table(mover(*turned(*start), move=8.0), *things, friend), turned(*end))
    off = math.hypot(4.5, 1.5)
    arc = math.pi / 2 + math.atan2(1.5, 4.5) - math.acos(1 / off)
    straight = math.sqrt(off * off - 1) + 1.0 + math.dist((15.75, 21.0), end)
    assert found.needed == pytest.approx(straight + arc, abs=5 * TOUCH)
