"""Sight into ditches, out of them and across: the lip of the ground is what hides (line of sight, ``sight_*``)."""

import pytest

from sbg_sim.rules.sight import look
from tests.heights.stage import box, mover, other, piece, table


def ditch(depth, x0=8.0, x1=11.0, name="g", **more):
    return piece(name, "gap", box(x0, -1, x1, 41), depth=depth, **more)


def seen_both_ways(at):
    return look(at, "m", "e").seen, look(at, "e", "m").seen


@pytest.mark.parametrize(
    ("prone", "deepest"),
    [((False, False), 3.0), ((True, False), 2.25), ((False, True), 2.25)],
    ids=["both stand", "who looks lies", "who is looked at lies"],
)
def test_over_the_lip_down_into_a_ditch_and_back_up(prone, deepest):
    """Eye 1.5 up, 2 in before the lip: 3 in beyond it, the far side of the base, the look is 2.25 lower than the eye.

    Back up: over the lip 1.5 in away at 1 in 1 to the near side of the other base. Who lies has half the height.
    """
    for depth, seen in ((deepest - 1e-6, True), (deepest + 1e-6, False)):
        at = table(mover(6, 12, prone=prone[0]), ditch(depth), other("e", 9.5, 12, on="g", prone=prone[1]))
        assert seen_both_ways(at) == (seen, seen)
        if not seen:
            assert look(at, "m", "e").hidden_by == ("g",)


@pytest.mark.parametrize(("reading", "seen"), [("passes", True), ("blocks", False)])
def test_a_look_that_grazes_the_lip(reading, seen):
    lip = table(mover(6, 12), ditch(3.0), other("e", 9.5, 12, on="g"), sight_grazing=reading)
    assert seen_both_ways(lip) == (seen, seen)
    ridge = ditch(1.5), ditch(1.5, 12, 15, "h")
    at = table(mover(9.5, 12, on="g"), *ridge, other("e", 13.5, 12, on="h"), sight_grazing=reading)
    assert seen_both_ways(at) == (seen, seen)


def test_from_ditch_to_ditch_along_one_and_over_one():
    for depth, seen in ((1.4999, True), (1.5001, False)):
        at = table(mover(9.5, 12, on="g"), ditch(depth), ditch(depth, 12, 15, "h"), other("e", 13.5, 12, on="h"))
        assert seen_both_ways(at) == (seen, seen)
    assert seen_both_ways(table(mover(9.5, 12, on="g"), ditch(9.0), other("e", 9.5, 20, on="g"))) == (True, True)
    assert seen_both_ways(table(mover(6, 12), ditch(9.0), other("e", 13, 12))) == (True, True)
    assert seen_both_ways(table(mover(6, 12), ditch(None), other("e", 13, 12))) == (True, True)


def test_into_a_pit_of_a_deck():
    deck = piece("k", "platform", box(0, 0, 40, 40), height=3.0)
    for depth, seen in ((2.9999, True), (3.0001, False)):
        pit = piece("g", "gap", box(8, 1, 11, 39), depth=depth, on="k")
        assert seen_both_ways(table(mover(6, 12, on="k"), deck, pit, other("e", 9.5, 12, on="g"))) == (seen, seen)


@pytest.mark.parametrize("reading", ["blocks", "ignored"])
def test_the_ground_round_a_ditch_is_not_what_one_stands_in(reading):
    at = table(mover(6, 12), ditch(3.5), other("e", 9.5, 12, on="g"), sight_within=reading)
    assert seen_both_ways(at) == (False, False)


def test_what_stands_in_the_ditch_hides_there():
    stone = piece("s", "platform", box(10, 5, 13, 19), height=2.0, on="g")
    at = table(mover(8.6, 12, on="g"), ditch(3.0, 8, 16), stone, other("e", 14.5, 12, on="g"))
    assert seen_both_ways(at) == (False, False)
    assert look(at, "m", "e").hidden_by == ("s",)
