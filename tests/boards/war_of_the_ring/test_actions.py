"""War of the Ring: who enters play, what moves characters, and what they do once (W1-W7, W26)."""

from dataclasses import replace

import pytest

from sbg_sim.boards import war_of_the_ring
from sbg_sim.boards.war_of_the_ring import Means, Move, State
from sbg_sim.errors import SbgError
from tests.boards.war_of_the_ring.positions import CHART, FREE, SHADOW, go, on_map, reach, read_as, rules


def test_w1_companions_enter_when_separated():
    state = State(CHART, fellowship=frozenset({"Legolas", "Gimli"}), fellowship_at="Hollin")
    inside = replace(state, means=FREE)
    assert rules(inside, go("Legolas", "Moria")) == {"W1"}
    assert reach(state, "Legolas") == set()
    apart = war_of_the_ring.apply(state, Move("separate", ("Legolas",), "Hollin"))
    assert apart.at == {"legolas": "hollin"}
    assert apart.fellowship == {"gimli"}
    assert rules(replace(apart, means=FREE), go("Legolas", "Moria")) == set()
    assert rules(state, Move("separate", ("Legolas",), "Moria")) == {"W1"}
    assert rules(apart, Move("separate", ("Legolas",), "Hollin")) == {"W1"}
    assert rules(inside, Move("separate", ("Gimli",), "Hollin")) == {"W1"}


def test_w1_a_companion_has_no_die_of_its_own():
    state = State(CHART, means=Means("free-peoples", "will-of-the-west-die"), entries=frozenset({("Gimli", "Dale")}))
    assert rules(state, Move("enter", ("Gimli",), "Dale")) == {"W1"}


@pytest.mark.parametrize("who", ["Gandalf the White", "Aragorn - Heir to Isildur"])
def test_w2_by_a_will_of_the_west_die(who):
    state = State(CHART, entries=frozenset({(who, "Minas Tirith")}))
    move = Move("enter", (who,), "Minas Tirith")
    assert rules(state, move) == {"W2"}
    for kind in ("character-die", "muster-die", "event", "army-die"):
        assert rules(replace(state, means=Means("free-peoples", kind)), move) == {"W2"}
    will = replace(state, means=Means("free-peoples", "will-of-the-west-die"))
    assert rules(will, move) == set()
    assert rules(will, replace(move, to="Edoras")) == {"W2"}  # the card does not say so
    entered = war_of_the_ring.apply(will, move)
    assert set(entered.at.values()) == {"minas-tirith"}
    assert entered.means is None
    assert rules(replace(entered, means=will.means), move) == {"W2"}


@pytest.mark.parametrize(("who", "where"), [("Saruman", "Orthanc"), ("Witch-king", "Minas Morgul"), ("Mouth", "Bree")])
def test_w3_minions_by_a_muster_die(who, where):
    # an enemy Army, or no settlement of the own side, would bar a recruitment: it does not bar this
    state = State(CHART, entries=frozenset({(who, where)}), armies=frozenset({(where, "free-peoples")}))
    move = Move("enter", (who,), where)
    assert rules(replace(state, means=Means("shadow", "muster-die")), move) == set()
    for means in (SHADOW, Means("shadow", "will-of-the-west-die"), Means("free-peoples", "muster-die")):
        assert rules(replace(state, means=means), move) == {"W3"}
    assert rules(State(CHART, means=Means("shadow", "muster-die")), move) == {"W3"}


def test_w3_a_nazgul_is_recruited_otherwise():
    state = State(CHART, means=Means("shadow", "muster-die"), entries=frozenset({("Nazgûl 1", "Morannon")}))
    assert rules(state, Move("enter", ("Nazgûl 1",), "Morannon")) == {"W3"}
    assert rules(replace(state, phase="fellowship"), Move("enter", ("Mouth",), "Morannon")) == {"W3", "W4"}
    assert "W3" in rules(state, Move("enter", ("Mouth", "Saruman"), "Morannon"))


def test_w4_characters_move_by_sword_or_event():
    state = on_map(legolas="Rivendell")
    move = go("Legolas", "Hollin")
    assert rules(state, move) == {"W4"}
    for kind in ("muster-die", "army-die", "will-of-the-west-die"):
        assert rules(replace(state, means=Means("free-peoples", kind)), move) == {"W4"}
    assert rules(replace(state, means=FREE), move) == set()
    assert rules(replace(state, means=Means("free-peoples", "event")), move) == set()
    assert rules(replace(state, means=Means("free-peoples", "event", moves=False)), move) == {"W4"}
    assert rules(replace(state, means=FREE, phase="hunt"), move) == {"W4"}


def test_w4_actions_are_taken_from_the_pool():
    state = replace(on_map(legolas="Rivendell"), pool=(FREE,))
    begin = Move("begin", means=FREE)
    assert rules(state, Move("begin", means=SHADOW)) == {"W4"}
    assert rules(replace(state, phase="hunt"), begin) == {"W4"}
    taken = war_of_the_ring.apply(state, begin)
    assert (taken.means, taken.pool) == (FREE, ())
    assert rules(taken, begin) == {"W4"}
    ended = war_of_the_ring.apply(taken, Move("end"))
    assert ended.means is None
    assert rules(ended, Move("end")) == {"W4"}
    with pytest.raises(SbgError):
        war_of_the_ring.explain(state, Move("begin"))
    with pytest.raises(SbgError):
        war_of_the_ring.explain(taken, Move("travel", ("Legolas",)))


def test_w5_one_die_moves_all_companions():
    state = on_map(FREE, strider="Bree", legolas="Dale", witch_king="Dol Guldur")
    state = war_of_the_ring.apply(state, go("Strider", "Rivendell"))
    state = war_of_the_ring.apply(state, go("Legolas", "Erebor"))
    assert state.at["strider"] == "rivendell"
    assert state.at["legolas"] == "erebor"
    assert rules(state, go("Witch-king", "Angmar")) == {"W5"}


def test_w6_the_shadow_moves_nazgul_and_minions():
    state = on_map(SHADOW, strider="Bree", witch_king="Dol Guldur", mouth="Barad-dûr")
    assert rules(state, go("Strider", "Weather Hills")) == {"W6"}
    state = war_of_the_ring.apply(state, go("Witch-king", "Bree"))
    assert rules(state, go("Mouth", "Nurn")) == set()


def test_w7_level_zero_does_not_move():
    for who, means, broken in (("Saruman", SHADOW, {"W7", "W20"}), ("Gollum", FREE, {"W7"})):
        state = State(CHART, ((who, "Orthanc"),), means=means)
        assert rules(state, go(who, "Gap of Rohan")) == broken
        assert {v.rule for v in war_of_the_ring.stays(state, who)} >= {"W7"}
        assert reach(state, who) == set()


def test_w7_not_even_with_an_army():
    state = on_map(saruman="Orthanc", nazgul_1="Orthanc", legolas="Orthanc", mouth="Orthanc")
    assert not war_of_the_ring.stays(state, "mouth-of-sauron")
    assert not war_of_the_ring.stays(state, "nazgul-1")
    assert war_of_the_ring.stays(state, "Mouth") == ()


@pytest.mark.parametrize(("allowed", "broken"), [(False, {"W7", "W9"}), (True, set())])
def test_w7_level_zero_in_a_group(allowed, broken):
    state = read_as(on_map(FREE, strider="Bree", gollum="Bree"), level_zero_rides=allowed)
    assert rules(state, go("Strider, Gollum", "Weather Hills")) == broken
    assert rules(state, go("Gollum", "Weather Hills")) == {"W7"}


def test_w26_no_figure_twice_on_one_die():
    state = on_map(FREE, strider="Rivendell", merry="Trollshaws")
    state = war_of_the_ring.apply(state, go("Strider", "Trollshaws"))
    assert rules(state, go("Strider, Merry", "Bree")) == {"W26"}
    assert rules(state, go("Merry", "Rivendell")) == set()
    assert Move("end") in war_of_the_ring.legal_moves(state)  # nobody has to move
    nextdie = replace(war_of_the_ring.apply(state, Move("end")), means=FREE)
    assert rules(nextdie, go("Strider, Merry", "Bree")) == set()
    assert "W26" in rules(nextdie, go("Strider, Strider", "Bree"))
    assert rules(nextdie, go("Strider", "Trollshaws")) == {"W26"}
