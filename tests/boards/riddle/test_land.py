"""The Riddle of the Ring on land: stops, cards, roads (R1-R19)."""

import pytest

from sbg_sim.boards import IllegalMoveError, riddle
from sbg_sim.boards.riddle import Card, EndTurn, Flight, Kind, Options, Step, Way
from sbg_sim.errors import FileFaultsError, UnknownNameError
from tests.boards.riddle.positions import costs, rules


def test_moves_that_make_no_sense(line):
    state = riddle.start(line("open open open"), "a", 2)
    with pytest.raises(ValueError, match="one place or two"):
        riddle.explain(state, Step(Way.LAND, ("b", "c", "b")))
    with pytest.raises(ValueError, match="lifts no marker"):
        riddle.explain(state, Flight(Card.BOAT, "b"))
    assert rules(state, Step(Way.ROAD, ("b", "a"))) == {"R16"}  # no road on either leg


def test_r1_eleven_kinds_and_no_other(line):
    land = {"open", "road", "forest", "thicket", "mountain", "hill", "city"}
    words = land | {"river", "ocean", "lake", "swamp"}
    assert {kind.value for kind in Kind} == words
    assert len(words) == 11
    with pytest.raises(FileFaultsError) as caught:
        line("open desert")
    assert caught.value.faults[0].key.startswith("spaces.b.terrain")


def test_r1_the_standard_board_has_every_kind():
    board = riddle.standard()
    assert frozenset().union(*(board.kinds(place) for place in board.places)) == set(Kind)


def test_r2_roads_reach_further_than_mountains(line, reach):
    road = line("open open open open open", roads={"r": {"through": list("abcde")}})
    rock = line("open mountain mountain mountain mountain")
    for n in range(4):
        assert reach(rock, "a", n) <= reach(road, "a", n)
    assert reach(rock, "a", 2) < reach(road, "a", 2)


def test_r3_symbols_change_nothing(line):
    plain = line("open forest open hill open")
    signs = ["gollum", "clairvoyance", "secret"]
    signed = line("open forest open hill open", spaces={p: {"symbols": signs} for p in "abcde"})
    for n in range(5):
        assert costs(plain, "a", n) == costs(signed, "a", n)


@pytest.mark.parametrize("n", range(6))
def test_r4_open_country_counts_one_each(line, n):
    assert costs(line("open open open open open"), "a", n) == {p: i for i, p in enumerate("abcde") if i <= n}


@pytest.mark.parametrize("kind", ["forest", "thicket"])
def test_r5_forest_stops_without_cloak(line, reach, kind):
    assert reach(line(f"open {kind} open"), "a", 6) == {"a", "b"}


@pytest.mark.parametrize("kind", ["mountain", "hill"])
def test_r10_mountain_stops_without_rope(line, reach, kind):
    assert reach(line(f"open {kind} open"), "a", 6) == {"a", "b"}


def test_r6_stop_on_the_first_forest(line, reach):
    assert reach(line("open forest forest"), "a", 6) == {"a", "b"}


def test_r11_stop_on_the_first_mountain(line, reach):
    assert reach(line("open hill mountain"), "a", 6) == {"a", "b"}


@pytest.mark.parametrize(("kind", "rule", "flying"), [("forest", "R6", "R7"), ("mountain", "R11", "R12")])
@pytest.mark.parametrize("card", ["horse", "eagles", "flying-beasts"])
def test_r7_and_r12_no_card_frees_the_marker(line, kind, rule, flying, card):
    state = riddle.start(line(f"open {kind} open"), "a", 6, [card], options=Options(horse_bonus=3))
    state = riddle.apply(state, Step(Way.LAND, ("b",)))
    assert riddle.legal_moves(state) == (EndTurn(),)
    assert rule in rules(state, Step(Way.LAND, ("c",)))
    if card != "horse":
        assert flying in rules(state, Flight(Card(card), "c"))
        with pytest.raises(IllegalMoveError):
            riddle.apply(state, Flight(Card(card), "c"))


@pytest.mark.parametrize("kind", ["forest", "mountain"])
def test_r8_and_r13_one_space_a_turn(line, kind):
    board = line(f"open {kind} {kind} {kind}")
    plan = riddle.plan(riddle.start(board, "a", 6), "d")
    assert len(plan.turns) == 3


def test_r9_cloak_makes_forest_open(line, reach):
    board = line("open forest thicket forest")
    assert reach(board, "a", 3, "cloak") == set("abcd")
    assert reach(board, "a", 3, "rope") == set("ab")


def test_r14_rope_makes_mountain_open(line, reach):
    board = line("open mountain hill mountain")
    assert reach(board, "a", 3, "rope") == set("abcd")
    assert reach(board, "a", 3, "cloak") == set("ab")


def test_r15_one_or_two_road_spaces_for_one(line):
    board = line("open open open open open open open", roads={"r": {"through": list("abcdefg")}})
    assert costs(board, "a", 3) == {p: (i + 1) // 2 for i, p in enumerate("abcdefg")}


def test_r16_the_first_step_onto_a_road_is_not_doubled(line):
    board = line("open open open open", roads={"r": {"through": list("bcd")}})
    assert costs(board, "a", 6) == {"a": 0, "b": 1, "c": 2, "d": 2}
    assert rules(riddle.start(board, "a", 6), Step(Way.ROAD, ("b", "c"))) == {"R16"}


def test_r16_two_roads_that_do_not_meet_are_not_doubled(line):
    roads = {"one": {"through": ["a", "b"]}, "two": {"through": ["b", "c"]}}
    apart = line("open open open", roads=roads, spaces={"b": {"roads_apart": [["one", "two"]]}})
    assert costs(apart, "a", 6)["c"] == 2
    assert "R16" in rules(riddle.start(apart, "a", 6), Step(Way.ROAD, ("b", "c")))


@pytest.mark.parametrize("n", [1, 6])
def test_r17_twice_as_far_on_a_road(line, reach, n):
    board = line("open " * 14, roads={"r": {"through": list("abcdefghijklmn")}})
    assert len(reach(board, "a", n)) == 2 * n + 1


def test_r18_roads_need_neither_cloak_nor_rope(line, reach):
    board = line("open forest mountain", roads={"r": {"through": list("abc")}})
    assert reach(board, "a", 1) == set("abc")


def test_r19_cards_stay_in_their_terrain_and_on_roads_through_it(line):
    board = line("open forest forest open", roads={"r": {"through": ["b", "c"]}})
    used = riddle.start(board, "a", 3, ["cloak"])
    for place in "bc":
        used = riddle.apply(used, Step(next(w for p, w in board.neighbours[used.at] if p == place), (place,)))
    on_the_road = riddle.apply(used, EndTurn())
    assert Card.CLOAK in on_the_road.cards & on_the_road.in_play
    outside = riddle.apply(riddle.apply(used, Step(Way.LAND, ("d",))), EndTurn())
    assert Card.CLOAK not in outside.cards
    assert riddle.stays_in_play(board, Card.CLOAK, "b")
    assert not riddle.stays_in_play(board, Card.CLOAK, "d")
    assert not riddle.stays_in_play(board, Card.ROPE, "b")


def test_r19_a_card_not_used_is_not_lost(line):
    state = riddle.start(line("open open"), "a", 1, ["cloak"])
    state = riddle.apply(riddle.apply(state, Step(Way.LAND, ("b",))), EndTurn())
    assert Card.CLOAK in state.cards


def test_unknown_places_are_errors_not_answers(line):
    state = riddle.start(line("open open"), "a", 1)
    with pytest.raises(UnknownNameError):
        riddle.explain(state, Step(Way.LAND, ("nowhere",)))
    with pytest.raises(UnknownNameError):
        riddle.start(line("open"), "z", 1)
    with pytest.raises(ValueError):
        riddle.start(line("open"), "a", -1)
    with pytest.raises(ValueError):
        Options(two_terrains="neither")
