"""War of the Ring: Nazgûl, Saruman, the Mouth of Sauron and Minions (W15-W25)."""

from dataclasses import replace
from itertools import combinations

import pytest

from sbg_sim.boards import war_of_the_ring
from sbg_sim.boards.war_of_the_ring import Means
from tests.boards.war_of_the_ring.positions import CHART, SHADOW, SIEGE, chart, go, on_map, reach, read_as, rules


def test_w15_a_nazgul_goes_anywhere():
    state = on_map(SHADOW, nazgul_1="Dol Guldur", witch_king="Dol Guldur")
    held = {r.id for r in CHART.regions.values() if r.is_stronghold and r.side == "free-peoples"}
    for who in ("Nazgûl 1", "Witch-king"):
        assert rules(state, go(who, "Forlindon")) == set()
        assert reach(state, who) == set(CHART.regions) - held - {"dol-guldur"}


def test_w16_one_some_or_all_once_each():
    state = on_map(SHADOW, nazgul_1="Morannon", nazgul_2="Morannon", nazgul_3="Umbar")
    for size in (1, 2, 3):
        for chosen in combinations(["nazgul-1", "nazgul-2", "nazgul-3"], size):
            now = state
            for who in chosen:
                now = war_of_the_ring.apply(now, go(who, "Bree"))
                assert rules(now, go(who, "Buckland")) == {"W26"}
            assert sum(place == "bree" for place in now.at.values()) == size
    together = war_of_the_ring.apply(state, go("nazgul-1, nazgul-2", "Bree"))
    assert together.moved == {"nazgul-1", "nazgul-2"}


def test_w17_a_free_stronghold_keeps_nazgul_out():
    state = on_map(SHADOW, nazgul_1="Dol Guldur")
    assert rules(state, go("nazgul-1", "Rivendell")) == {"W17"}
    assert rules(replace(state, besieged=frozenset({"Rivendell"})), go("nazgul-1", "Rivendell")) == set()
    for place in ("Edoras", "Bree", "Fords of Isen"):  # a City, a Town, a Fortification
        assert rules(state, go("nazgul-1", place)) == set()


@pytest.mark.parametrize(("reading", "deep", "moria"), [("current", set(), {"W17"}), ("original", {"W17"}, set())])
def test_w17_who_holds_it_now(reading, deep, moria):
    state = replace(
        on_map(SHADOW, nazgul_1="Dol Guldur"), control=(("Helm's Deep", "shadow"), ("Moria", "free-peoples"))
    )
    state = read_as(state, control=reading)
    assert rules(state, go("nazgul-1", "Helm's Deep")) == deep
    assert rules(state, go("nazgul-1", "Moria")) == moria


@pytest.mark.parametrize(("counts", "broken"), [(False, {"W26"}), (True, set())])
def test_w15_a_move_to_where_it_is(counts, broken):
    state = read_as(on_map(SHADOW, nazgul_1="Dol Guldur"), nazgul_null_move=counts)
    assert rules(state, go("nazgul-1", "Dol Guldur")) == broken


def test_w18_the_witch_king_is_both():
    king, nazgul, mouth = (CHART.character(name) for name in ("Witch-king", "Nazgûl 3", "Mouth"))
    assert (king.is_nazgul, king.is_minion) == (True, True)
    assert (nazgul.is_nazgul, nazgul.is_minion) == (True, False)
    assert (mouth.is_nazgul, mouth.is_minion) == (False, True)


def test_w19_the_others_have_no_such_move():
    assert rules(on_map(SHADOW, mouth="Barad-dûr"), go("Mouth", "Rivendell")) == {"W21", "W25"}
    assert rules(on_map(SHADOW, saruman="Orthanc"), go("Saruman", "Bree")) == {"W7", "W20"}


def test_w20_saruman_stays_in_orthanc():
    state = on_map(SHADOW, saruman="Orthanc")
    for means in (SHADOW, Means("shadow", "event")):
        assert rules(replace(state, means=means), go("Saruman", "Gap of Rohan")) == {"W7", "W20"}
    assert {v.rule for v in war_of_the_ring.stays(state, "Saruman")} == {"W7", "W20"}
    assert not [move for move in war_of_the_ring.legal_moves(state) if move.kind == "travel"]


def test_w21_the_mouth_moves_up_to_three():
    assert reach(on_map(mouth="Barad-dûr"), "Mouth") == {
        "gorgoroth", "minas-morgul", "morannon", "nurn", "dagorlad", "north-ithilien", "south-ithilien",
    }  # fmt: skip


@pytest.mark.parametrize(("reading", "broken"), [("without-army", set()), ("without-figures", {"W21"})])
def test_w21_what_alone_means(reading, broken):
    state = read_as(on_map(SHADOW, mouth="Barad-dûr", nazgul_1="Barad-dûr"), mouth_alone=reading)
    assert rules(state, go("Mouth, Nazgûl 1", "Gorgoroth")) == broken
    assert rules(state, go("Mouth", "Gorgoroth")) == set()


def test_w22_the_mouth_and_black_borders():
    assert rules(on_map(SHADOW, mouth="Edoras"), go("Mouth", "Erech")) == {"W21", "W22"}


def test_w23_the_mouth_ignores_enemy_armies():
    state = on_map(mouth="Barad-dûr")
    beset = replace(state, armies=frozenset({("Gorgoroth", "free-peoples")}))
    assert war_of_the_ring.reachable(beset, "Mouth") == war_of_the_ring.reachable(state, "Mouth")


def test_w24_the_mouth_and_a_besieged_stronghold():
    state = replace(on_map(SHADOW, mouth="Gorgoroth", nazgul_1="Gorgoroth"), besieged=frozenset({"Minas Morgul"}))
    assert rules(state, go("Mouth", "Minas Morgul")) == {"W24"}
    assert rules(state, go("Nazgûl 1", "Minas Morgul")) == set()
    inside = state.placed({"mouth-of-sauron": "minas-morgul", "nazgul-1": "minas-morgul"})
    assert rules(inside, go("Mouth", "Gorgoroth")) == {"W24"}
    assert rules(inside, go("Nazgûl 1", "Gorgoroth")) == set()
    card = Means("shadow", "event", ignore_siege=True)  # the exception is for Companions
    assert rules(replace(inside, means=card), go("Mouth", "Gorgoroth")) == {"W24"}


@pytest.mark.parametrize(("reading", "broken"), [("entering", {"W24"}), ("landing", set())])
def test_w24_on_the_way_through(reading, broken):
    line = chart("ab", "bc", b="shadow")
    state = replace(on_map(SHADOW, line, mouth="a"), besieged=frozenset("b"))
    assert rules(read_as(state, siege_blocks=reading), go("mouth", "c")) == broken


@pytest.mark.parametrize("reading", ["controlled", "original"])
def test_w24_which_stronghold_is_friendly(reading):
    state = replace(
        on_map(SHADOW, mouth="Edoras"),
        control=(("Helm's Deep", "shadow"),),
        besieged=frozenset({"Helm's Deep"}),
    )
    broken = rules(read_as(state, friendly=reading), go("Mouth", "Helm's Deep"))
    assert CHART.distance("edoras", "helms-deep") <= 3
    assert broken == ({"W24"} if reading == "controlled" else set())


def test_w25_no_minion_enters_a_free_stronghold():
    state = on_map(SHADOW, mouth="Osgiliath")
    assert rules(state, go("Mouth", "Minas Tirith")) == {"W25"}
    assert rules(replace(state, besieged=SIEGE), go("Mouth", "Minas Tirith")) == set()
    far = on_map(SHADOW, mouth="Dagorlad")
    assert CHART.distance("dagorlad", "minas-tirith") == 3
    assert rules(far, go("Mouth", "Minas Tirith")) == {"W25"}
    assert rules(replace(far, besieged=SIEGE), go("Mouth", "Minas Tirith")) == set()


@pytest.mark.parametrize(("reading", "broken"), [("every-region", {"W25"}), ("destination", set())])
def test_w25_on_the_way_through(reading, broken):
    line = chart("ab", "bc", b="free-peoples")
    state = read_as(on_map(SHADOW, line, mouth="a"), mouth_passing=reading)
    assert rules(state, go("mouth", "c")) == broken
    assert rules(state, go("mouth", "b")) == {"W25"}


@pytest.mark.parametrize(("reading", "broken"), [("go-on", set()), ("stop", {"W21"})])
def test_w25_through_a_besieged_stronghold(reading, broken):
    line = chart("ab", "bc", b="free-peoples")
    state = replace(on_map(SHADOW, line, mouth="a"), besieged=frozenset("b"))
    assert rules(read_as(state, mouth_besieged=reading), go("mouth", "c")) == broken


def test_w16_figures_of_the_shadow_fly_together_from_many_regions():
    state = on_map(SHADOW, nazgul_1="Dol Guldur", witch_king="Minas Morgul", mouth="Barad-dûr")
    assert rules(state, go("nazgul-1, witch-king", "The Shire")) == set()
    assert rules(state, go("nazgul-1, mouth", "Dagorlad")) == set()
    assert rules(state, go("nazgul-1, mouth", "Bree")) == {"W21"}
    assert reach(state, ("nazgul-1", "mouth", "witch-king")) == reach(state, "mouth") - {"minas-morgul"}
    legs = war_of_the_ring.plan(state, ("nazgul-1", "mouth"), "Bree")
    assert len(legs) == len(war_of_the_ring.plan(state, "mouth", "Bree")) == 4
