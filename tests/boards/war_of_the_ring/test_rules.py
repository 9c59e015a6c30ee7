"""War of the Ring rules W1-W26, each by its id; expected values are facts of the text and the map."""

from dataclasses import replace
from itertools import combinations

import networkx as nx
import pytest

from sbg_sim.boards import IllegalMoveError, war_of_the_ring
from sbg_sim.boards.war_of_the_ring import Means, Move, Options, State, mapfile
from sbg_sim.errors import FileFaultsError, SbgError, UnknownNameError

CHART = war_of_the_ring.load_map()
FREE, SHADOW = Means("free-peoples"), Means("shadow")
NEAR_RIVENDELL = {
    "trollshaws", "fords-of-bruinen", "high-pass", "hollin", "ettenmoors", "south-downs", "weather-hills",
}  # fmt: skip


def on_map(means=None, chart=CHART, **figures):
    """A position from ``name="region"`` pairs; underscores stand for blanks."""
    pairs = tuple((name.replace("_", " "), region) for name, region in figures.items())
    return State(chart, pairs, means=means)


def go(figures, to):
    return Move("travel", tuple(figures.split(", ")), to)


def rules(state, move):
    return {violation.rule for violation in war_of_the_ring.explain(state, move)}


def reach(state, who):
    return set(war_of_the_ring.reachable(state, who))


def read_as(state, **options):
    return replace(state, options=Options(**options))


def chart(*edges, **regions):
    """A small chart: edges as ``"ab"``; regions as ``a="shadow"`` with a Stronghold of that side."""
    names = sorted({name for edge in edges for name in edge})
    entry = {
        "nations": {"free-peoples": "free-peoples", "shadow": "shadow"},
        "regions": {
            name: {"nation": regions[name], "settlement": "stronghold"} if name in regions else {} for name in names
        },
        "borders": {name: [edge[1] for edge in edges if edge[0] == name] for name in names},
    }
    return mapfile.build(mapfile.BoardEntry.model_validate(entry))


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
    assert war_of_the_ring.attached(state, "Orthanc", "shadow") == ("mouth-of-sauron", "nazgul-1")
    assert war_of_the_ring.stays(state, "Mouth") == ()


@pytest.mark.parametrize(("allowed", "broken"), [(False, {"W7", "W9"}), (True, set())])
def test_w7_level_zero_in_a_group(allowed, broken):
    state = read_as(on_map(FREE, strider="Bree", gollum="Bree"), level_zero_rides=allowed)
    assert rules(state, go("Strider, Gollum", "Weather Hills")) == broken
    assert rules(state, go("Gollum", "Weather Hills")) == {"W7"}


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


SIEGE = frozenset({"Minas Tirith"})


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


def test_names_without_accents_and_aliases():
    assert CHART.region("barad dur") is CHART.region("Barad~Dur") is CHART.region("BARAD-DÛR")
    assert CHART.region("Lórien").id == "lorien"
    assert CHART.character("nazgul 3").id == "nazgul-3"
    with pytest.raises(UnknownNameError, match="rivendell"):
        CHART.region("Rivendel")


def test_the_standard_map_in_numbers():
    graph = nx.Graph((a.id, b) for a in CHART.regions.values() for b in a.neighbours)
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (105, 232)
    assert nx.is_connected(graph)
    assert {who.id: who.level for who in CHART.characters.values() if who.kind == "companion"} == {
        "gandalf-the-grey": 3, "strider": 3, "boromir": 2, "legolas": 2, "gimli": 2, "merry": 1, "pippin": 1,
        "aragorn": 3, "gandalf-the-white": 3,
    }  # fmt: skip
    assert [CHART.character(name).level for name in ("Gollum", "Saruman", "Mouth", "Witch-king")] == [
        0,
        0,
        3,
        None,
    ]


def test_positions_that_cannot_be():
    with pytest.raises(SbgError):
        on_map(strider="Bree", Strider="Dale")
    with pytest.raises(SbgError):
        State(CHART, (("strider", "bree"),), fellowship=frozenset({"strider"}))
    with pytest.raises(SbgError):
        State(CHART, fellowship=frozenset({"Gandalf the White"}))
    with pytest.raises(SbgError):
        State(CHART, besieged=frozenset({"Bree"}))
    with pytest.raises(UnknownNameError):
        on_map(strider="Nowhere")
    with pytest.raises(IllegalMoveError, match="W8"):
        war_of_the_ring.apply(on_map(FREE, merry="Bree"), go("Merry", "Rivendell"))


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"regions": {}}, "board"),
        ({"borders": {"a": ["x"]}}, "board.borders.a"),
        ({"borders": {"a": ["a"]}}, "board.borders.a"),
        ({"impassable": [["a", "b"]]}, "board.impassable"),
        ({"impassable": [["a"]]}, "board.impassable"),
        ({"regions": {"a": {"nation": "elves"}, "b": {}}}, "board.regions.a.nation"),
        ({"regions": {"a": {"settlement": "stronghold"}, "b": {}}}, "board.regions.a.nation"),
        ({"characters": {"n": {"kind": "nazgul", "level": 2}}}, "board.characters.n.level"),
        ({"characters": {"n": {"kind": "companion"}}}, "board.characters.n.level"),
        ({"characters": {"n": {"kind": "minion", "level": 0, "bound": "x"}}}, "board.characters.n.bound"),
    ],
)
def test_faults_of_a_board(changes, key):
    entry = {"regions": {"a": {}, "b": {}}, "borders": {"a": ["b"]}} | changes
    with pytest.raises(FileFaultsError) as caught:
        mapfile.build(mapfile.BoardEntry.model_validate(entry))
    assert key in [fault.key for fault in caught.value.faults]
