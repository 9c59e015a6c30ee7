"""METW: which creatures may attack (M25-M27)."""

import pytest

from sbg_sim.boards import metw
from sbg_sim.boards.metw import Creature, Move, Options, State
from tests.boards.metw.positions import ROAD, at, by_path, by_regions


def attack(symbols, offered, options=None):
    creature = Creature("beast", metw.symbols(symbols))
    return {v.rule for v in metw.explain_attack(creature, metw.symbols(offered), options)}


def test_m25_one_matching_type_is_enough():
    assert attack("w", "w b") == set()
    assert attack("d", "w b") == {"M25"}
    assert attack("[s] or [d]", "w s") == set()


@pytest.mark.parametrize(("reading", "types"), [("cards", ()), ("types", metw.symbols("w w"))])
def test_m25_what_a_site_path_offers(reading, types):
    state = metw.apply(at("Bree", Options(site_path_keying=reading)), by_path("Rivendell"))
    assert metw.offered_types(state, "c") == types
    assert metw.offered_types(metw.apply(state, Move("reveal", "c")), "c") == types
    assert metw.offered_types(at("Bree"), "c") == ()


def test_m25_region_cards_key_by_their_types():
    state = metw.apply(at("Rivendell"), by_regions("Lórien", *ROAD[:4]))
    assert metw.offered_types(state, "c") == metw.symbols("w w b w")


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
