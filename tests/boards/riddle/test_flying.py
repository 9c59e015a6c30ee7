"""The Riddle of the Ring in the air (R42-R48)."""

from dataclasses import replace

import pytest

from sbg_sim.boards import riddle
from sbg_sim.boards.riddle import Card, EndTurn, Flight, Step, Way
from tests.boards.riddle.positions import rules


@pytest.mark.parametrize("card", ["eagles", "flying-beasts"])
def test_r42_flying_goes_anywhere(card):
    board = riddle.standard()
    dry = {space.id for space in board.spaces.values() if not space.water}
    assert set(riddle.reachable(riddle.start(board, "bree", 0, [card]))) == dry
    assert rules(riddle.start(board, "bree", 0), Flight(Card(card), "moria")) == {"R42"}


def test_r43_nothing_on_the_way_matters(line):
    board = line("open forest mountain ocean open", rivers={"r": {"between": [["a", "b"]]}})
    assert rules(riddle.start(board, "a", 0, ["eagles"]), Flight(Card.EAGLES, "e")) == set()


@pytest.mark.parametrize("kind", ["forest", "thicket", "mountain", "hill", "lake"])
def test_r44_flying_out_of_anything(line, kind):
    board = line(f"{kind} open open")
    assert rules(riddle.start(board, "a", 0, ["eagles"]), Flight(Card.EAGLES, "c")) == set()


@pytest.mark.parametrize(("kind", "card"), [("forest", "cloak"), ("hill", "rope")])
def test_r45_flying_to_rough_land_stops(line, reach, kind, card):
    board = line(f"open open open {kind} open")
    assert "e" not in reach(line(f"open lake lake {kind} lake"), "a", 6, "eagles")
    down = riddle.apply(riddle.start(board, "a", 6, ["eagles"]), Flight(Card.EAGLES, "d"))
    assert riddle.legal_moves(down) == (EndTurn(),)
    assert rules(down, Step(Way.LAND, ("e",))) == {"R45"}
    assert rules(replace(down, cards=frozenset({Card.EAGLES})), Flight(Card.EAGLES, "a")) == {"R45"}
    assert rules(riddle.apply(down, EndTurn()), Step(Way.LAND, ("e",))) == set()
    down = riddle.apply(riddle.start(board, "a", 6, ["eagles", card]), Flight(Card.EAGLES, "d"))
    assert Step(Way.LAND, ("e",)) in riddle.legal_moves(down)


def test_r46_landing_on_water_needs_a_boat(line):
    board = line("open open lake")
    fly = Flight(Card.EAGLES, "c")
    assert rules(riddle.start(board, "a", 1, ["eagles"]), fly) == {"R46"}
    assert rules(riddle.start(board, "a", 1, ["eagles", "boat"]), fly) == set()


def test_r47_tom_bombadil_carries_six_spaces(line):
    state = riddle.start(line("open " * 9), "a", 0, ["tom-bombadil"])
    assert rules(state, Flight(Card.TOM_BOMBADIL, "g")) == set()
    assert rules(state, Flight(Card.TOM_BOMBADIL, "h")) == {"R47"}
    assert set(riddle.reachable(state)) == set("abcdefg")


def test_r48_tom_passes_everything_but_lands_like_a_flier(line):
    board = line("open mountain forest lake lake", rivers={"r": {"between": [["a", "b"]]}})
    state = riddle.start(board, "a", 0, ["tom-bombadil"])
    assert rules(state, Flight(Card.TOM_BOMBADIL, "c")) == set()
    assert rules(state, Flight(Card.TOM_BOMBADIL, "e")) == {"R48"}
    boat = riddle.start(board, "a", 0, ["tom-bombadil", "boat"])
    assert rules(boat, Flight(Card.TOM_BOMBADIL, "e")) == set()
