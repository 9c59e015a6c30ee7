"""What is climbed down has a face down there (FALL.1): not what sticks out of what it stands on."""

import math
from dataclasses import replace

import pytest

from sbg_sim.referee import audit
from sbg_sim.solver.answer import ask
from sbg_sim.table.questions import Move
from sbg_sim.table.route import Route
from tests.heights.stage import PASS, SIX, box, move, mover, piece, table

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
