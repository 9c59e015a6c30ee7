"""Every rule of the checklist, L1 to L27, by its id, and every option both ways."""

from collections import Counter
from dataclasses import fields, replace

import pytest

from sbg_sim.boards import IllegalMoveError, lotr_tcg
from sbg_sim.boards.lotr_tcg import (
    AllyLine,
    Arrow,
    Block,
    Effect,
    EndTurn,
    Format,
    Minion,
    Options,
    PathSite,
    PlayMinion,
    PlaySite,
    Site,
    SiteNumber,
    SiteText,
    Travel,
    UseEffect,
    Where,
)
from sbg_sim.errors import UnknownNameError

SITES = lotr_tcg.standard_sites()
SHADOWS = [site.id for site in SITES.values() if site.dark_compass]
F, T, K, S = Block.FELLOWSHIP, Block.TOWER, Block.KING, Block.SHADOWS


def shadows_deck():
    """Nine Shadows sites, at most three of one Shadow number."""
    deck, seen = [], Counter()
    for site in SHADOWS:
        if seen[SITES[site].shadow] < 3 and len(deck) < 9:
            seen[SITES[site].shadow] += 1
            deck.append(site)
    return deck


def block_deck(block, skip=()):
    return [
        next(s.id for s in SITES.values() if s.block is block and s.number == n and s.id not in skip)
        for n in range(1, 10)
    ]


def rules(state, move):
    return [violation.rule for violation in lotr_tcg.explain(state, move)]


def arrows(direction):
    """A made-up library: every site points one way."""
    arrow = Arrow(direction)
    return lotr_tcg.library_of(Site(f"s{i}", f"Site {i}", S, None, arrow, i % 4) for i in range(40))


def table(players, direction="left", **more):
    names = "ABCDEF"[:players]
    decks = {name: [f"s{9 * i + j}" for j in range(9)] for i, name in enumerate(names)}
    return lotr_tcg.start(decks, "s0", library=arrows(direction), **more)


def blocks_game(players=2, fmt=Format.KING_BLOCK, **more):
    deck = block_deck(lotr_tcg.PATHS[fmt])
    return lotr_tcg.start(dict.fromkeys("ABC"[:players], deck), deck[0], fmt, **more)


def play_on(state):
    """The fellowship moves and whoever must places the first site they can."""
    state = lotr_tcg.apply(state, Travel())
    return lotr_tcg.apply(state, lotr_tcg.legal_moves(state)[0]) if state.pending else state


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
    library = dict(arrows("left"))
    library["s9"] = replace(library["s9"], arrow=Arrow.RIGHT)
    state = replace(table(4), library=library)
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


def replacing(**more):
    effect = Effect("B")
    state = table(2, effects=[effect], **more)
    old = PathSite(2, "s1", "A", ("condition", "possession"), ("token",))
    state = replace(
        state,
        path=(*state.path, old),
        decks=(tuple(s for s in state.deck("A") if s != "s1"), state.deck("B")),
    )
    return state, effect


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


def test_l11_cards_move_to_the_new_site_in_order():
    state, effect = replacing()
    after = lotr_tcg.apply(state, UseEffect(effect, "s9"))
    assert after.path[1].cards == ("condition", "possession")
    assert after.path[1].stacked == ("token",)


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
    assert all(state.library[site].number is None for player in "AB" for site in state.deck(player))
    after = lotr_tcg.apply(state, UseEffect(effect, "s9"))
    assert (after.path[1].site, after.path[1].number) == ("s9", 2)
    assert after.library["s1"].number is None


@pytest.mark.parametrize(("site", "expected"), [(3, True), (4, False), (5, False)])
def test_l17_roaming_below_the_minions_number(site, expected):
    assert lotr_tcg.is_roaming(Minion("orc", 4, 3), site) is expected


def at_site(number, twilight, *, moves=0):
    orc = Minion("orc", 4, 3)
    state = table(2)
    for _ in range(number - 1):
        state = play_on(state)
    return replace(state, twilight=twilight, hand=(("B", orc),)), PlayMinion("B", orc)


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


def test_l18_modifiers_stop_at_nothing():
    orc = Minion("orc", 4, 3)
    assert lotr_tcg.price(orc, 3, surcharge=-5) == 3
    assert lotr_tcg.price(orc, 3, surcharge=1) == 6
    assert lotr_tcg.price(orc, 3, modifier=-1) == 3


def test_l19_a_survivor_stops_roaming():
    state, move = at_site(3, 9)
    state = lotr_tcg.apply(state, move)
    assert lotr_tcg.roaming(state, move.minion)
    on = play_on(state)
    assert on.number("A") == 4
    assert not lotr_tcg.roaming(on, move.minion)
    assert on.twilight == state.twilight


@pytest.mark.parametrize("block", [F, T, K])
def test_l20_symbols_do_not_matter_to_roaming(block):
    fmt = Format(f"{block.value}-block")
    orc = Minion("orc", 4, 3)
    state = blocks_game(fmt=fmt)
    for expected in (True, True, False):
        state = play_on(state)
        assert state.where("A").block is block
        assert lotr_tcg.roaming(state, orc) is expected


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


def test_l27_four_paths_and_one_shadow_player():
    assert {site.block for site in SITES.values()} == set(Block)
    assert len(Block) == 4
    state, move = at_site(4, 9)
    assert "L27" in rules(state, replace(move, player="A"))


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


# --- readings ---


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
