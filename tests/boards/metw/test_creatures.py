"""METW: which creatures may attack (M25-M27)."""

import pytest

from sbg_sim.boards import metw
from sbg_sim.boards.metw import Creature, Options, State
from tests.boards.metw.positions import ATLAS, ROAD, at, by_path, by_regions


def attack(symbols, offered, options=None):
    creature = Creature("beast", metw.symbols(symbols))
    return {v.rule for v in metw.explain_attack(creature, metw.symbols(offered), options)}


def offered(start, move, options):
    cards = metw.apply(at(start, options), move).company("c").journey
    sites = ATLAS.site(start), ATLAS.site(cards.to)
    return metw.path_types(ATLAS, *sites, cards.method, cards.regions, options)


def test_m25_one_matching_type_is_enough():
    assert attack("w", "w b") == set()
    assert attack("d", "w b") == {"M25"}
    assert attack("[s] or [d]", "w s") == set()


@pytest.mark.parametrize(("reading", "types"), [("cards", ()), ("types", metw.symbols("w w"))])
def test_m25_what_a_site_path_offers(reading, types):
    assert offered("Bree", by_path("Rivendell"), Options(site_path_keying=reading)) == types


def test_m25_region_cards_key_by_their_types():
    assert offered("Rivendell", by_regions("Lórien", *ROAD[:4]), Options()) == metw.symbols("w w b w")


def test_m26_two_like_symbols_need_two_regions():
    assert attack("w w", "w b b w") == set()
    assert attack("w w", "w b b") == {"M26"}
    assert attack("w w", "s") == {"M25"}
    assert attack("w w s", "w s") == set()


@pytest.mark.parametrize(("reading", "broken"), [("two-cards", {"M26"}), ("one-card", set())])
def test_m26_one_card_for_two_symbols(reading, broken):
    assert attack("w w", "w b b", Options(double_symbol=reading)) == broken


def test_m27_advice_is_no_rule():
    # nothing about a hand of cards is part of a position
    assert {"bree", "edoras"} <= {m.to for m in metw.legal_moves(at("Rivendell"), "c")} | {"edoras"}
    assert not any("hand" in name for name in State.__dataclass_fields__)
