"""War of the Ring: Companions, by Level and in groups, Strongholds and sieges (W8-W14)."""

from dataclasses import replace

import networkx as nx
import pytest

from sbg_sim.boards import war_of_the_ring
from sbg_sim.boards.war_of_the_ring import Means
from tests.boards.war_of_the_ring.positions import CHART, FREE, SIEGE, chart, go, on_map, reach, read_as, rules

NEAR_RIVENDELL = {
    "trollshaws", "fords-of-bruinen", "high-pass", "hollin", "ettenmoors", "south-downs", "weather-hills",
}  # fmt: skip


def test_w8_up_to_the_level():
    state = on_map(legolas="Rivendell", merry="Rivendell", strider="Rivendell")
    assert reach(state, "Legolas") == NEAR_RIVENDELL
    assert reach(state, "Merry") == {"trollshaws", "fords-of-bruinen"}
    assert len(reach(state, "Strider")) == 17
    assert rules(replace(state, means=FREE), go("Legolas", "Bree")) == {"W8"}


def test_w9_a_group_goes_as_far_as_its_highest_level():
    state = on_map(FREE, strider="Rivendell", merry="Rivendell", legolas="Dale")
    assert rules(state, go("Strider, Merry", "Bree")) == set()
    assert rules(state, go("Merry", "Bree")) == {"W8"}
    assert CHART.distance("rivendell", "the-shire") == 4
    assert rules(state, go("Strider, Merry", "The Shire")) == {"W9"}
    assert rules(state, go("Strider, Legolas", "Bree")) == {"W9"}
    assert reach(state, ("Strider", "Merry")) == reach(state, "Strider")


def test_w9_sides_do_not_mix():
    state = on_map(FREE, strider="Bree", nazgul_1="Bree")
    assert {"W5", "W9"} <= rules(state, go("Strider, Nazgûl 1", "Buckland"))


def test_w10_groups_of_one_region_move_independently():
    state = on_map(FREE, strider="Rivendell", merry="Rivendell", legolas="Rivendell")
    state = war_of_the_ring.apply(state, go("Strider, Merry", "Bree"))
    state = war_of_the_ring.apply(state, go("Legolas", "Hollin"))
    assert state.at == {"legolas": "hollin", "merry": "bree", "strider": "bree"}


def test_w11_enemy_armies_do_not_matter():
    state = on_map(strider="Rivendell")
    armies = frozenset((place, "shadow") for place in ("trollshaws", "rivendell", "fords-of-bruinen"))
    beset = replace(state, armies=armies)
    assert war_of_the_ring.reachable(beset, "Strider") == war_of_the_ring.reachable(state, "Strider")


def test_w12_a_shadow_stronghold_ends_the_move():
    state = on_map(FREE, strider="Hollin")
    assert rules(state, go("Strider", "Moria")) == set()
    assert CHART.distance("hollin", "dimrill-dale") == 2
    assert rules(state, go("Strider", "Dimrill Dale")) == {"W12"}
    # round the mountains it is six regions, two actions of Level 3; through Moria two actions as well
    assert len(war_of_the_ring.plan(state, "Strider", "Dimrill Dale")) == 2
    inside = on_map(FREE, strider="Moria")
    assert "dimrill-dale" in reach(inside, "Strider")


def test_w12_the_way_round_moria_is_six():
    free = nx.Graph((a.id, b) for a in CHART.regions.values() for b in a.neighbours)
    inner = {a.id for a in CHART.regions.values() if a.is_stronghold and a.side == "shadow"}
    free.remove_nodes_from(inner - {"hollin", "dimrill-dale"})
    assert nx.shortest_path_length(free, "hollin", "dimrill-dale") == 6
    # Gorgoroth lies behind Strongholds of the Shadow on every side
    assert "gorgoroth" not in nx.node_connected_component(free, "dagorlad")
    far = on_map(FREE, strider="Dagorlad")
    assert rules(far, go("Strider", "Gorgoroth")) == {"W12"}


@pytest.mark.parametrize(("reading", "broken"), [("current", set()), ("original", {"W12"})])
def test_w12_a_captured_stronghold_lets_companions_pass(reading, broken):
    state = replace(on_map(FREE, strider="Hollin"), control=(("Moria", "free-peoples"),))
    assert rules(read_as(state, control=reading), go("Strider", "Dimrill Dale")) == broken


@pytest.mark.parametrize(("stops", "broken"), [(True, {"W12"}), (False, set())])
def test_w12_a_besieged_shadow_stronghold(stops, broken):
    state = replace(on_map(FREE, strider="Hollin"), besieged=frozenset({"Moria"}))
    assert rules(read_as(state, besieged_stronghold_stops=stops), go("Strider", "Dimrill Dale")) == broken


def test_w12_leaving_is_free():
    line = chart("ab", "bc", a="shadow")
    state = on_map(FREE, line, strider="a")
    assert {to: one.cost for to, one in war_of_the_ring.reachable(state, "strider").items()} == {
        "b": 1,
        "c": 2,
    }


def test_w13_no_way_into_or_out_of_a_siege():
    state = replace(on_map(FREE, strider="Osgiliath", legolas="Minas Tirith"), besieged=SIEGE)
    assert rules(state, go("Strider", "Minas Tirith")) == {"W13"}
    assert rules(state, go("Legolas", "Osgiliath")) == {"W13"}
    event = Means("free-peoples", "event", ignore_siege=True)
    for move in (go("Strider", "Minas Tirith"), go("Legolas", "Osgiliath")):
        assert rules(replace(state, means=event), move) == set()
        assert rules(replace(state, means=Means("free-peoples", "event")), move) == {"W13"}
        assert rules(replace(state, besieged=frozenset()), move) == set()


@pytest.mark.parametrize(("reading", "broken"), [("entering", {"W13"}), ("landing", set())])
def test_w13_on_the_way_through(reading, broken):
    line = chart("ab", "bc", b="free-peoples")
    state = replace(on_map(FREE, line, strider="a"), besieged=frozenset("b"))
    assert rules(read_as(state, siege_blocks=reading), go("strider", "c")) == broken
    assert rules(read_as(state, siege_blocks=reading), go("strider", "b")) == {"W13"}


@pytest.mark.parametrize(("reading", "broken"), [("controlled", {"W13"}), ("original", set())])
def test_w13_which_stronghold_is_friendly(reading, broken):
    state = replace(on_map(FREE, strider="Hollin"), control=(("Moria", "free-peoples"),), besieged=frozenset({"Moria"}))
    assert rules(read_as(state, friendly=reading), go("Strider", "Moria")) == broken


def test_w14_black_borders_are_not_crossed():
    assert "erech" not in CHART.regions["edoras"].neighbours
    assert CHART.distance("edoras", "erech") == 6
    assert rules(on_map(FREE, strider="Edoras"), go("Strider", "Erech")) == {"W8", "W14"}
    island = chart("ab", "cd")
    assert rules(on_map(FREE, island, strider="a"), go("strider", "d")) == {"W14"}
