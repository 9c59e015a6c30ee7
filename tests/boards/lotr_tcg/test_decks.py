"""LOTR TCG: sites, formats and the adventure decks they allow (L1, L2, L12-L16)."""

from collections import Counter
from dataclasses import replace

import pytest

from sbg_sim.boards import IllegalMoveError, lotr_tcg
from sbg_sim.boards.lotr_tcg import (
    Arrow,
    Format,
    Options,
    PlaySite,
    Site,
    Travel,
    UseEffect,
)
from sbg_sim.errors import UnknownNameError
from tests.boards.lotr_tcg.games import (
    SHADOWS,
    SITES,
    F,
    K,
    S,
    T,
    block_deck,
    blocks_game,
    replacing,
    rules,
    shadows_deck,
)


@pytest.mark.parametrize("count", [8, 9, 10])
def test_l1_nine_sites(count):
    deck = (shadows_deck() + [site for site in SHADOWS if site not in shadows_deck()])[:count]
    found = lotr_tcg.check_deck(deck, Format.STANDARD, SITES, Options(deck_limits=False))
    assert [v.rule for v in found] == ([] if count == 9 else ["L1"])


def test_l2_shadows_sites_have_no_number_and_others_have():
    with pytest.raises(ValueError, match="L2"):
        Site("x", "X", S, 5, Arrow.LEFT)
    with pytest.raises(ValueError, match="L2"):
        Site("x", "X", K, None, Arrow.LEFT)
    assert all((site.number is None) == site.dark_compass for site in SITES.values())
    mixed = [*shadows_deck()[:8], "king/city-gates"]
    assert "L2" in [v.rule for v in lotr_tcg.check_deck(mixed, Format.EXPANDED, SITES)]


def test_l12_choosing_is_for_post_shadows_formats():
    assert {f for f in Format if lotr_tcg.post_shadows(f)} == {Format.EXPANDED, Format.STANDARD}


def test_l13_the_next_number_must_be_played():
    state = lotr_tcg.apply(blocks_game(), Travel())
    assert [SITES[m.site].number for m in lotr_tcg.legal_moves(state)] == [2]
    four = next(site for site in state.deck("B") if SITES[site].number == 4)
    assert rules(state, PlaySite("B", four)) == ["L13"]
    gone = tuple(site for site in blocks_game().deck("B") if SITES[site].number != 2)
    without = replace(blocks_game(), decks=(blocks_game().deck("A"), gone))
    assert rules(without, Travel()) == ["L13"]
    with pytest.raises(IllegalMoveError, match="L13"):
        lotr_tcg.apply(without, Travel())


def test_l14_unofficial_formats_take_the_last_legal_path():
    expected = {Format.TOWERS_STANDARD: T, Format.KING_STANDARD: K, Format.MOVIE_BLOCK: K}
    for fmt, block in expected.items():
        assert lotr_tcg.PATHS[fmt] is block
        assert lotr_tcg.check_deck(block_deck(block), fmt, SITES) == ()
        wrong = {v.rule for v in lotr_tcg.check_deck(block_deck(F), fmt, SITES)}
        assert "L14" in wrong


@pytest.mark.parametrize("block", [F, T, K])
def test_l15_one_site_of_each_number(block):
    fmt = Format(f"{block.value}-block")
    deck = block_deck(block)
    assert lotr_tcg.check_deck(deck, fmt, SITES) == ()
    assert [v.rule for v in lotr_tcg.check_deck(deck[:4] + deck[5:], fmt, SITES)] == ["L1", "L15"]
    first = next(s.id for s in SITES.values() if s.block is block and s.number == 1 and s.id not in deck)
    twice = [*deck[:4], first, *deck[5:]]
    assert [v.rule for v in lotr_tcg.check_deck(twice, fmt, SITES)] == ["L15", "L15"]


def test_l16_numbers_come_and_go_with_the_path():
    state, effect = replacing()
    assert all(state.catalogue[site].number is None for player in "AB" for site in state.deck(player))
    after = lotr_tcg.apply(state, UseEffect(effect, "s9"))
    assert (after.path[1].site, after.path[1].number) == ("s9", 2)
    assert after.catalogue["s1"].number is None


def test_the_packaged_paths():
    counts = Counter((site.block, site.number) for site in SITES.values())
    assert len(SITES) == 229
    assert Counter(site.block for site in SITES.values())[S] == 79
    assert all(counts[block, n] >= 1 for block in (F, T, K) for n in range(1, 10))
    assert counts[F, 5] == 1
    bridge = lotr_tcg.find_site("fellowship/the-bridge-of-khazad-dum", SITES)
    assert (bridge.title, bridge.number, bridge.arrow, bridge.shadow) == (
        "The Bridge of Khazad-dûm",
        5,
        Arrow.LEFT,
        6,
    )
    assert len({site.card for site in SITES.values()}) == len(SITES)
    assert lotr_tcg.find_site("balins tomb".replace("s ", "'s "), SITES).number == 4
    with pytest.raises(UnknownNameError, match="close to it"):
        lotr_tcg.find_site("king/anduin-bank", SITES)
