"""LOTR TCG: roaming minions and what they cost (L17-L20)."""

from dataclasses import replace

import pytest

from sbg_sim.boards import lotr_tcg
from sbg_sim.boards.lotr_tcg import (
    Format,
    Minion,
)
from tests.boards.lotr_tcg.games import F, K, T, at_site, blocks_game, play_on, rules


@pytest.mark.parametrize(("site", "expected"), [(3, True), (4, False), (5, False)])
def test_l17_roaming_below_the_minions_number(site, expected):
    assert lotr_tcg.is_roaming(Minion("orc", 4, 3), site) is expected


def test_l18_two_more_twilight():
    orc = Minion("orc", 4, 3)
    assert lotr_tcg.price(orc, 3) == 3 + lotr_tcg.PENALTY == 5
    assert lotr_tcg.price(orc, 4) == 3
    state, move = at_site(3, 5)
    assert lotr_tcg.apply(state, move).twilight == 0
    state, move = at_site(3, 4)
    assert rules(state, move) == ["L18"]
    assert move not in lotr_tcg.legal_moves(state)
    assert rules(state, replace(move, ignore_roaming=True)) == []


def test_l19_a_survivor_stops_roaming():
    state, move = at_site(3, 9)
    state = lotr_tcg.apply(state, move)
    assert lotr_tcg.is_roaming(move.minion, state.number(state.moving))
    on = play_on(state)
    assert on.number("A") == 4
    assert not lotr_tcg.is_roaming(move.minion, on.number(on.moving))
    assert on.twilight == state.twilight


@pytest.mark.parametrize("block", [F, T, K])
def test_l20_symbols_do_not_matter_to_roaming(block):
    fmt = Format(f"{block.value}-block")
    orc = Minion("orc", 4, 3)
    state = blocks_game(fmt=fmt)
    for expected in (True, True, False):
        state = play_on(state)
        assert state.where("A").block is block
        assert lotr_tcg.is_roaming(orc, state.number(state.moving)) is expected
