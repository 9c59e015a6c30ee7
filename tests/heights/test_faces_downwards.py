"""What is climbed down has a face down there (FALL.1): not what sticks out of what it stands on."""

import math
from dataclasses import replace

import pytest

from sbg_sim.geometry.shapes import polygon
from sbg_sim.referee import audit
from sbg_sim.solver.answer import ask
from sbg_sim.table.questions import Move
from sbg_sim.table.route import Route
from tests.heights.stage import PASS, SIX, box, charge, move, mover, other, piece, table

FLOOR = piece("floor", "platform", box(14, 10, 20, 30), height=3.0)
JUTTING = piece("jutting", "platform", box(10, 10, 20, 30), height=3.0, on="floor")
"""Two storeys of 3 in. The upper one juts 4 in out over the ground; its other sides are flush with the lower's."""


@pytest.mark.parametrize(
    ("start", "to", "chance", "cost"),
    [
        ((14, 20), (14, 30.5), PASS, 9.5 + 12),
        ((12, 26), (14, 30.5), PASS, math.hypot(2, 3.5) + 12),
        ((17, 29.5), (17, 30.5), PASS, 12),
        ((13.5, 29.5), (13.5, 30.5), SIX, 0.5 + 12 + 0.5),
    ],
    ids=["to where the sides are flush", "aslant", "straight down", "not beside the face"],
)
def test_down_a_jutting_storey_where_its_sides_are_flush(start, to, chance, cost):
    """With the whole base on top, half an inch from the side, as far as the lower storey's side goes: to x = 14."""
    verdict = move(table(mover(*start, on="jutting", move=30.0), FLOOR, JUTTING), to)
    assert verdict.chance == chance
    assert verdict.needed == pytest.approx(cost, abs=1e-6)
    back = move(table(mover(*to, move=30.0), FLOOR, JUTTING), start, "jutting")
    assert (back.chance, back.needed) == (chance if start[1] == 29.5 else SIX, pytest.approx(cost, abs=1e-6))


def test_no_way_down_a_deck_on_a_pillar():
    pillar = piece("pillar", "unscalable platform", box(19.5, 19.5, 20.5, 20.5), height=3.0)
    for thick in (0.2, 3.0):
        deck = piece("deck", "platform", box(14, 19, 26, 21), height=thick, on="pillar")
        assert move(table(mover(16, 20, on="deck", move=30.0), pillar, deck), (16, 18)).answer == "no"


def test_free_ways_down_need_no_face():
    pillar = piece("pillar", "unscalable platform", box(19.5, 19.5, 20.5, 20.5), height=1.3)
    deck = piece("deck", "platform", box(14, 19, 26, 21), height=0.2, on="pillar")
    verdict = move(table(mover(16, 20, on="deck"), pillar, deck), (16, 18))
    assert (verdict.answer, verdict.needed) == ("yes", pytest.approx(2.0, abs=1e-9))


@pytest.mark.parametrize(("x", "end"), [(10.5, 9.5), (10.5, 13.5)], ids=["past its side", "under it"])
def test_the_referee_wants_a_face_to_climb_down(x, end):
    at = table(mover(17, 29.5, on="jutting", move=30.0), FLOOR, JUTTING)
    (leg,) = ask(at, Move("m", (17, 30.5))).play.legs
    there = replace(at.model("m"), at=(x, 20.0))
    moved = replace(at, models=at.models.with_item("m", there))
    test = replace(leg.test, at=(x, 20.0), landing=(end, 20.0))
    found = audit(moved, "m", Route((replace(leg, start=(x, 20.0), end=(end, 20.0), test=test),)))
    assert "FALL.1" in {violation.rule for violation in found.violations}


@pytest.mark.parametrize(
    ("low", "thick", "chance"),
    [(0.5, 0.2, 1), (0.55, 0.2, SIX), (1.2, 0.3, SIX), (1.2, 0.3 + 1e-6, 0)],
    ids=["stepped onto", "half as high", "as high", "a hair higher"],
)
def test_up_onto_what_sticks_out_goes_by_its_height_alone(low, thick, chance):
    """From its side, 3 in away, to its rim and half an inch on; what is taller than the mover has no face there."""
    block = piece("block", "platform", box(18, 10, 24, 30), height=low)
    board = piece("board", "platform", box(14, 10, 24, 30), height=thick, on="block")
    at = table(mover(10.5, 20, move=5.0), block, board)
    found = move(at, (15, 20), "board")
    assert found.chance == chance
    if chance:
        assert found.needed == pytest.approx(4.5, abs=1e-6)
        assert found.route.legs[-1].start == pytest.approx((14.5, 20)) if chance == SIX else found.route
        back = move(table(mover(15, 20, move=5.0, on="board"), block, board), (10.5, 20))
        assert (back.chance, back.needed) == (1, pytest.approx(4.5, abs=1e-6))


def test_out_from_under_it_and_up():
    """From under it to its side, and up; not through it."""
    block = piece("block", "platform", box(18, 10, 24, 30), height=0.5)
    board = piece("board", "platform", box(14, 10, 24, 30), height=0.2, on="block")
    found = move(table(mover(15, 20, move=5.0), block, board), (15, 20), "board")
    assert (found.chance, found.needed) == (1, pytest.approx(1.5 + 1 + 0.5, abs=1e-6))


@pytest.mark.parametrize("reading", ["yes", "no"])
def test_who_stands_on_what_sticks_out_is_touched_from_under_it(reading):
    """Bases meet as seen from above (``contact_across_heights``), and what sticks out is passed under: 4 - 1 in."""
    block = piece("block", "platform", box(18, 10, 24, 30), height=0.4)
    board = piece("board", "platform", box(14, 10, 24, 30), height=0.2, on="block")
    at = table(mover(11, 20, move=5.0), block, board, other("e", 15, 20, on="board"), contact_across_heights=reading)
    found = charge(at, "e")
    assert found.chance == 1
    if reading == "yes":
        assert (found.needed, found.route.legs[-1].surface) == (pytest.approx(3, abs=1e-6), None)
    else:
        assert (found.needed > 3, found.route.legs[-1].surface) == (True, "board")


LOW = piece("low", "platform", box(10, 10, 16, 14), height=1.0)


def over_the_front(x, jut, *, up):
    """From the ground before a storey of 6 in onto the roof on it, a base's width across, or down."""
    corners = [(10, 9), (jut, 9), (jut, 10), (16, 10), (16, 14), (10, 14)]
    roof = piece("roof", "platform", polygon(corners), height=1.2, on="low")
    before, above = (x, 9.5), (x, 10.5)
    start = {} if up else {"on": "roof"}
    at = table(mover(*(before if up else above), move=12.0, **start), LOW, roof)
    return at, move(at, above if up else before, "roof" if up else None)


@pytest.mark.parametrize("up", [True, False])
@pytest.mark.parametrize("x", [12.4, 12.6, 13.2, 14.4, 14.6, 15.3])
@pytest.mark.parametrize("jut", [12.0, 13.0, 14.0])
def test_a_side_is_climbed_where_nothing_sticks_out_over_it(x, jut, up):
    """From half an inch beside what juts on: straight over, 2.2 in twice, and there and back whatever it is away.

    A side of which the half and less is flush is climbed there too, and one of which more is, nowhere else.
    """
    at, found = over_the_front(x, jut, up=up)
    away = max(0.0, jut + 0.5 - x)
    assert found.chance == (SIX if away else PASS)
    assert found.needed == pytest.approx(4.4 + 2 * away, abs=1e-6)
    assert audit(at, "m", found.route).violations == ()


@pytest.mark.parametrize("depth", [(4.0, 0.1), (1.0, 0.1), (0.6, 0.2)])
@pytest.mark.parametrize("x", [11.0, 12.0, 13.0, 14.5, 15.4])
def test_one_climbs_down_from_where_the_face_is_below_also_where_it_ends_aslant(depth, x):
    """Below is a wedge, at one end so deep and at the other so: where it is half an inch deep one stands over it."""
    left, right = depth
    wedge = piece("low", "platform", polygon([(10, 10), (16, 10), (16, 10 + right), (10, 10 + left)]), height=1.0)
    roof = piece("roof", "platform", box(10, 10, 16, 14), height=1.2, on="low")
    at = table(mover(x, 10.5, move=14.0, on="roof"), wedge, roof)
    found = move(at, (x, 9.5))
    ends = 10 + 6 * (left - 0.5) / (left - right)
    assert found.needed == pytest.approx(4.4 + 2 * max(0.0, x - ends), abs=1e-6)
    assert audit(at, "m", found.route).violations == ()
