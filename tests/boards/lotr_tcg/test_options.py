"""LOTR TCG: every doubtful rule in each of its readings."""

from dataclasses import fields, replace

import pytest

from sbg_sim.boards import IllegalMoveError, lotr_tcg
from sbg_sim.boards.lotr_tcg import (
    Block,
    Effect,
    Format,
    Options,
    SiteText,
    Travel,
    UseEffect,
    Where,
)
from sbg_sim.errors import UnknownNameError
from tests.boards.lotr_tcg.games import (
    SHADOWS,
    SITES,
    S,
    blocks_game,
    play_on,
    replacing,
    rules,
    shadows_deck,
    table,
)


@pytest.mark.parametrize(("word", "players"), [("all-formats", 1), ("post-shadows", 2)])
def test_arrows(word, players):
    state = blocks_game(3, options=Options(arrows=word))
    assert len(lotr_tcg.next_players(state)) == players
    assert len(lotr_tcg.next_players(table(3, options=Options(arrows=word)))) == 1
    state = lotr_tcg.apply(state, Travel())
    assert len(lotr_tcg.legal_moves(state)) == players


@pytest.mark.parametrize(("word", "found"), [("printed", ["L13"]), ("any", [])])
def test_replacement_number(word, found):
    effect = Effect("B")
    state = play_on(blocks_game(options=Options(replacement_number=word), effects=[effect]))
    state = replace(state, at=(1, 1))
    five = next(site for site in state.deck("B") if SITES[site].number == 5)
    assert rules(state, UseEffect(effect, five)) == found
    fresh = blocks_game(options=Options(replacement_number=word), effects=[effect])
    assert rules(fresh, UseEffect(effect, five)) == ["L13"]  # no replacement: the number is the printed one


@pytest.mark.parametrize(("word", "found"), [(False, ["L3"]), (True, [])])
def test_replay_replaced(word, found):
    state, _ = replacing(options=Options(replay_replaced=word))
    mine = Effect("A")
    state = replace(state, effects=(mine,))
    assert rules(state, UseEffect(mine, "s1")) == found
    assert (UseEffect(mine, "s1") in lotr_tcg.legal_moves(state)) is word
    if word:
        after = lotr_tcg.apply(state, UseEffect(mine, "s1"))
        assert (after.path, after.decks) == (state.path, state.decks)


def test_the_current_site_is_not_the_next_one():
    state, effect = replacing()
    assert lotr_tcg.effect_number(state, effect) == 2
    assert lotr_tcg.effect_number(state, Effect("B", 1)) == 1
    here = Effect("B", 1)
    after = lotr_tcg.apply(replace(state, effects=(here,)), UseEffect(here, "s9"))
    assert (after.path[0].site, after.number("A")) == ("s9", 1)


@pytest.mark.parametrize(("word", "number"), [("moving-player", 2), ("card-player", 3)])
def test_next_site_of(word, number):
    state, effect = replacing(options=Options(next_site_of=word))
    state = replace(state, at=(1, 2))
    assert lotr_tcg.effect_number(state, effect) == number


@pytest.mark.parametrize("word", [True, False])
def test_any_site_counts_shadows(word):
    options = Options(any_site_counts_shadows=word)
    assert SiteText.parse("any site 5").holds(Where(5, S), options) is word
    assert not SiteText.parse("sites 1 to 5").holds(Where(5, S), options)


def test_lost_symbols_are_read_as_symbols():
    text = SiteText.parse("any site 5")
    assert all(text.holds(Where(5, block)) for block in Block)


@pytest.mark.parametrize(("word", "found"), [("error", ["L3"]), ("stays", [])])
def test_missing_site(word, found):
    state = table(2, options=Options(missing_site=word))
    state = replace(state, decks=(state.deck("A"), ()))
    assert rules(state, Travel()) == found
    if word == "stays":
        assert lotr_tcg.apply(state, Travel()) == state
    else:
        with pytest.raises(IllegalMoveError):
            lotr_tcg.apply(state, Travel())


@pytest.mark.parametrize(("word", "found"), [(True, ["L1", "L1"]), (False, [])])
def test_deck_limits(word, found):
    same = [site for site in SHADOWS if SITES[site].shadow == 0][:8]
    assert [
        v.rule for v in lotr_tcg.check_deck([*same, same[0]], Format.STANDARD, SITES, Options(deck_limits=word))
    ] == found
    assert lotr_tcg.check_deck(shadows_deck(), Format.STANDARD, SITES) == ()


def test_wrong_words_are_refused():
    with pytest.raises(ValueError):
        Options(arrows="never")
    with pytest.raises(UnknownNameError):
        lotr_tcg.next_players(replace(table(2), moving="Z"))


def test_every_option_is_tested_here():
    text = open(__file__, encoding="utf-8").read()  # noqa: PTH123, SIM115
    assert all(field.name in text for field in fields(Options))
