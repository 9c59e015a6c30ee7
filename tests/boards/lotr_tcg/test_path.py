"""LOTR TCG: who plays the next site, and what replaces what (L3-L11)."""

from dataclasses import replace

import pytest

from sbg_sim.boards import lotr_tcg
from sbg_sim.boards.lotr_tcg import (
    Arrow,
    Effect,
    EndTurn,
    PathSite,
    PlaySite,
    Travel,
    UseEffect,
)
from sbg_sim.errors import UnknownNameError
from tests.boards.lotr_tcg.games import arrows, play_on, replacing, rules, shadows_deck, table


def test_l3_a_new_site_must_be_placed():
    state = lotr_tcg.apply(table(2), Travel())
    assert state.pending.number == 2
    assert state.number("A") == 1
    assert rules(state, Travel()) == rules(state, EndTurn()) == ["L3"]
    assert rules(table(2), PlaySite("B", "s9")) == ["L3"]
    state = lotr_tcg.apply(state, PlaySite("B", "s9"))
    assert state.pending is None
    assert state.number("A") == 2
    state = lotr_tcg.apply(lotr_tcg.apply(state, EndTurn()), Travel())  # B walks where A has been
    assert state.pending is None
    assert state.number("B") == 2


@pytest.mark.parametrize(("direction", "who"), [("left", "B"), ("right", "D")])
def test_l4_the_arrow_says_who(direction, who):
    state = table(4, direction)
    assert lotr_tcg.next_players(state) == (who,)
    state = lotr_tcg.apply(state, Travel())
    for player in "BCD":
        site = state.deck(player)[0]
        assert rules(state, PlaySite(player, site)) == ([] if player == who else ["L4"])


def test_l4_the_arrow_of_the_site_moved_from():
    catalogue = dict(arrows("left"))
    catalogue["s9"] = replace(catalogue["s9"], arrow=Arrow.RIGHT)
    state = replace(table(4), catalogue=catalogue)
    state = lotr_tcg.apply(lotr_tcg.apply(state, Travel()), PlaySite("B", "s9"))
    assert lotr_tcg.next_players(state) == ("D",)


def test_l4_with_three_players_left_and_right_differ():
    assert lotr_tcg.next_players(table(3, "left")) == ("B",)
    assert lotr_tcg.next_players(table(3, "right")) == ("C",)
    assert lotr_tcg.next_players(replace(table(3, "right"), moving="B")) == ("A",)


@pytest.mark.parametrize("direction", ["left", "right"])
def test_l5_two_players(direction):
    state = table(2, direction)
    assert lotr_tcg.next_players(state) == ("B",)
    assert rules(lotr_tcg.apply(state, Travel()), PlaySite("A", "s1")) == ["L5"]


def test_l6_sites_two_and_three_are_in_region_one():
    state = play_on(play_on(table(2)))
    assert [site.number for site in state.path] == [1, 2, 3]
    assert [lotr_tcg.region(n) for n in range(1, 10)] == [1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert len(lotr_tcg.reachable(table(2))) == 9  # all of the Shadow player's deck


def test_l7_copies_are_different_sites():
    deck = shadows_deck()
    assert "shadows/anduin-banks" in deck
    state = lotr_tcg.start({"A": deck, "B": deck, "C": deck}, deck[3])
    state = replace(state, path=(*state.path, PathSite(2, "shadows/anduin-banks", "A")), at=(2, 1, 1))
    state = lotr_tcg.apply(state, Travel())
    chooser = state.pending.players[0]
    state = lotr_tcg.apply(state, PlaySite(chooser, "shadows/anduin-banks"))
    assert [(s.number, s.site) for s in state.path[1:]] == [
        (2, "shadows/anduin-banks"),
        (3, "shadows/anduin-banks"),
    ]
    assert state.path[1] != state.path[2]


def test_l8_a_card_plays_the_next_site_even_when_it_is_there():
    state, effect = replacing()
    assert rules(state, UseEffect(effect, "s9")) == []
    assert rules(replace(state, effects=()), UseEffect(effect, "s9")) == ["L8"]
    state = table(2, effects=[effect])
    after = lotr_tcg.apply(state, UseEffect(effect, "s9"))
    assert after.path[1].site == "s9"
    assert after.number("A") == 1
    assert after.effects == ()


def test_l9_the_old_site_goes_home():
    state, effect = replacing()
    after = lotr_tcg.apply(state, UseEffect(effect, "s9"))
    assert len(after.deck("A")) == len(state.deck("A")) + 1
    assert len(after.deck("B")) == len(state.deck("B")) - 1
    assert "s1" in after.deck("A")
    assert after.path[1].owner == "B"


def test_l10_one_site_per_number():
    state, effect = replacing()
    after = lotr_tcg.apply(state, UseEffect(effect, "s9"))
    assert [site.number for site in after.path] == [1, 2]
    with pytest.raises(ValueError, match="L10"):
        replace(state, path=(PathSite(1, "s0", "A"), PathSite(1, "s1", "A")))
    with pytest.raises(ValueError, match="L10"):
        replace(state, path=(PathSite(1, "s0", "A"), PathSite(3, "s1", "A")))
    far = Effect("B", 5)
    assert rules(replace(state, effects=(far,)), UseEffect(far, "s9")) == ["L10"]
    beyond = Effect("B", 10)
    assert rules(replace(state, effects=(beyond,)), UseEffect(beyond, "s9")) == ["L1"]


def test_l1_a_path_ends_at_site_nine():
    state, _ = replacing()
    whole = tuple(PathSite(n, f"s{n}", "A") for n in range(1, 10))
    state = replace(state, path=whole, at=(9, 9), effects=())
    assert rules(state, Travel()) == ["L1"]
    assert Travel() not in lotr_tcg.legal_moves(state)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"seats": ("A", "A")}, "name of their own"),
        ({"at": (1,)}, "every seat"),
        ({"path": ()}, "one to nine"),
        ({"at": (1, 4)}, "on the path"),
    ],
)
def test_games_that_there_are_not(wrong, said):
    with pytest.raises(ValueError, match=said):
        replace(table(2), **wrong)


def test_a_game_begins_with_a_site_of_the_first_player():
    with pytest.raises(ValueError, match="first player's adventure deck"):
        lotr_tcg.start({"A": ["s1"], "B": ["s2"]}, "s2", catalogue=arrows("left"))


def test_l12_sites_lie_in_three_regions():
    assert [lotr_tcg.region(number) for number in range(1, 10)] == [1, 1, 1, 2, 2, 2, 3, 3, 3]
    with pytest.raises(ValueError, match="1 to 9"):
        lotr_tcg.region(10)


def test_l11_cards_move_to_the_new_site_in_order():
    state, effect = replacing()
    after = lotr_tcg.apply(state, UseEffect(effect, "s9"))
    assert after.path[1].cards == ("condition", "possession")
    assert after.path[1].stacked == ("token",)


def test_moves_of_a_player_that_there_is_not():
    with pytest.raises(UnknownNameError):
        lotr_tcg.legal_moves(table(2), "Z")
    assert lotr_tcg.legal_moves(table(2), "B") == ()
