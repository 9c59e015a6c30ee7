"""LOTR TCG: numbers in game text, allies' homes, alternatives (L21-L27)."""

from dataclasses import replace

import pytest

from sbg_sim.boards import lotr_tcg
from sbg_sim.boards.lotr_tcg import (
    AllyLine,
    Block,
    Format,
    SiteNumber,
    SiteText,
    Where,
)
from tests.boards.lotr_tcg.games import SITES, F, K, S, T, at_site, block_deck, rules


def test_l21_an_allys_home():
    ally = AllyLine.parse("Ally • Home 3 • Elf")
    assert ally == AllyLine((SiteNumber(3),), "Elf")
    assert ally.at_home(Where(3, F))
    assert not ally.at_home(Where(3, S))
    assert not ally.at_home(Where(3, T))
    assert not ally.at_home(Where(4, F))
    both = AllyLine.parse("Ally • Home 3[tower] & 4[tower] • Man")
    assert [both.at_home(Where(n, T)) for n in (2, 3, 4, 5)] == [False, True, True, False]
    for wrong in ("Companion • Elf", "Ally • Elf", "Ally • Home 10 • Elf"):
        with pytest.raises(ValueError):
            AllyLine.parse(wrong)


@pytest.mark.parametrize(("text", "block"), [("3", F), ("3[tower]", T), ("3[king]", K), ("3 [ Tower ]", T)])
def test_l22_printed_numbers(text, block):
    assert SiteNumber.parse(text) == SiteNumber(3, block)
    assert SiteNumber.parse(str(SiteNumber(3, block))) == SiteNumber(3, block)


@pytest.mark.parametrize("text", ["0", "10", "3[shadows]", "three", ""])
def test_l22_what_is_no_number(text):
    with pytest.raises(ValueError):
        SiteNumber.parse(text)


def test_l22_a_number_stands_beside_the_compass():
    assert [SITES[site].printed for site in (block_deck(F)[2], block_deck(T)[2])] == ["3", "3[tower]"]
    assert not lotr_tcg.Site("s", "S", S, None, lotr_tcg.Arrow.LEFT, 1).printed
    for number, block, said in ((10, F, "1 to 9"), (3, S, "no printed number")):
        with pytest.raises(ValueError, match=said):
            SiteNumber(number, block)


def test_l23_symbols_are_alternatives():
    assert not SiteText.parse("site 3").holds(Where(3, T))
    assert SiteText.parse("site 3[tower]").holds(Where(3, T))
    assert not SiteText.parse("site 3[tower]").holds(Where(3, F))
    assert "L23" in {v.rule for v in lotr_tcg.check_deck(block_deck(T), Format.FELLOWSHIP_BLOCK, SITES)}


STEALTH = {
    (1, F): "cancel",
    (3, F): "cancel",
    (5, F): "cancel",
    (6, F): "strength +2",
    (3, T): "strength +2",
    (5, K): "strength +2",
    (3, S): "strength +2",
}


@pytest.mark.parametrize(("where", "effect"), STEALTH.items())
def test_l24_hobbit_stealth(where, effect):
    assert lotr_tcg.hobbit_stealth(Where(*where)) == effect


@pytest.mark.parametrize(
    ("where", "holds"), [((5, F), True), ((9, F), True), ((4, F), False), ((9, T), False), ((7, S), False)]
)
def test_l25_or_higher_is_fellowship_only(where, holds):
    assert SiteText.parse("site 5 or higher").holds(Where(*where)) is holds


@pytest.mark.parametrize(("where", "holds"), [((5, F), True), ((5, T), True), ((5, K), True), ((4, F), False)])
def test_l26_any_site(where, holds):
    assert SiteText.parse("any site 5").holds(Where(*where)) is holds


def test_what_is_no_site_in_game_text_is_told_every_form_there_is():
    with pytest.raises(ValueError, match="is no site in game text") as caught:
        SiteText.parse("somewhere")
    forms = [SiteText.parse(form) for form in str(caught.value).split("'")[3::2]]
    assert forms == [SiteText(4, 4), SiteText(1, 5), SiteText(5, 9), SiteText(5, 5, None)]


def test_l27_four_paths_and_one_shadow_player():
    assert {site.block for site in SITES.values()} == set(Block)
    assert len(Block) == 4
    state, move = at_site(4, 9)
    assert "L27" in rules(state, replace(move, player="A"))
