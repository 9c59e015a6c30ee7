"""METW: companies, and a turn from declaration to reveal (M2, M3, M6, M7)."""

from dataclasses import replace

import pytest

from sbg_sim.boards import IllegalMoveError, metw
from sbg_sim.boards.metw import Company, Move, Options, State
from sbg_sim.errors import SbgError, UnknownNameError
from tests.boards.metw.positions import ATLAS, at, by_path, by_regions, rules


def test_m2_a_company_is_at_its_site():
    assert at("Rivendell").company("c").site == "rivendell"
    with pytest.raises(UnknownNameError):
        at("Nowhere")


def test_m3_starting_companies_are_at_rivendell():
    state = metw.new_game(ATLAS)
    assert [company.site for company in state.companies] == ["rivendell", "rivendell"]
    assert {company.player for company in state.companies} == {"one", "two"}


def test_m6_the_destination_is_hidden_until_revealed():
    state = metw.apply(metw.new_game(ATLAS), Move("region", "one-1", "Bree", ("Rhudaur", "Arthedain")))
    mine, theirs = metw.view(state, "one")["one-1"], metw.view(state, "two")["one-1"]
    assert (mine.to, mine.regions) == ("bree", ("rhudaur", "arthedain"))
    assert (theirs.to, theirs.regions) == (None, None)
    assert (theirs.face_down_sites, theirs.face_down_regions) == (1, 2)
    assert state.company("one-1").site == "rivendell"
    assert "M6" in rules(state, Move("end-turn"))
    shown = metw.apply(state, Move("reveal", "one-1"))
    assert shown.company("one-1").site == "bree"
    assert metw.view(shown, "two")["one-1"].to == "bree"


def test_m6_nothing_to_reveal():
    assert rules(at("Rivendell"), Move("reveal", "c")) == {"M6"}
    with pytest.raises(UnknownNameError):
        metw.view(at("Rivendell"), "three")


@pytest.mark.parametrize("again", [False, True])
def test_m6_to_the_current_site(again):
    state = at("Bree", Options(same_site_move=again))
    assert rules(state, by_regions("Bree", "Arthedain")) == (set() if again else {"M6"})


def test_m7_a_company_need_not_move():
    state = metw.new_game(ATLAS)
    assert Move("stay", "one-1") in metw.legal_moves(state)
    assert metw.explain(state, Move("end-turn")) == ()
    assert metw.apply(state, Move("end-turn")).active == "two"
    assert rules(state, Move("stay", "two-1")) == {"M7"}
    after = metw.apply(state, Move("stay", "one-1"))
    assert metw.legal_moves(after) == (Move("end-turn"),)


@pytest.mark.parametrize("when", ["declaration", "reveal"])
def test_when_an_illegal_journey_is_found(when):
    state = at("Rivendell", Options(check_at=when))
    bluff = by_path("Edoras")
    if when == "declaration":
        assert rules(state, bluff) == {"M8"}
        with pytest.raises(IllegalMoveError, match="M8"):
            metw.apply(state, bluff)
        return
    declared = metw.apply(state, bluff)
    assert rules(declared, Move("reveal", "c")) == {"M8"}
    assert metw.legal_moves(declared) == (Move("stay", "c"),)
    assert metw.apply(declared, Move("stay", "c")).company("c").site == "rivendell"
    honest = metw.apply(state, by_path("Bree"))
    assert metw.legal_moves(honest) == (Move("reveal", "c"),)


def test_positions_that_cannot_be():
    with pytest.raises(SbgError):
        State(ATLAS, (Company("c", "Bree"), Company("c", "Bree")))
    with pytest.raises(SbgError):
        replace(at("Bree"), players=("one", "two", "one"))
    with pytest.raises(UnknownNameError):
        replace(at("Bree"), active="three")
    with pytest.raises(UnknownNameError):
        metw.legal_moves(at("Bree"), "nobody")
