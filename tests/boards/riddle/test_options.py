"""Every doubtful rule read both ways."""

from dataclasses import fields

import pytest

from sbg_sim.boards import riddle
from sbg_sim.boards.riddle import Card, EndTurn, Flight, Options, Step, Way

SPUR = {"one": {"through": ["a", "b"]}, "two": {"through": ["b", "c"]}}


def rules(state, move):
    return {violation.rule for violation in riddle.explain(state, move)}


def test_the_roll_is_an_argument(line):  # the movement section itself is not among the rules we have
    assert len(riddle.reachable(riddle.start(line("open " * 12), "a", 9))) == 10


def test_exact_roll(line, reach):
    board = line("open open open open")
    assert reach(board, "a", 2) == set("abc")
    assert reach(board, "a", 2, exact_roll=True) == {"a", "c"}
    assert reach(board, "a", 3, exact_roll=True) == {"b", "d"}
    state = riddle.start(board, "a", 2, options=Options(exact_roll=True))
    assert rules(state, EndTurn()) == {"R4"}
    stopped = line("open forest open")
    assert "b" in reach(stopped, "a", 5, exact_roll=True)


@pytest.mark.parametrize(("word", "reached"), [("free", set("abc")), ("one-space", set("ab"))])
def test_leaving_rough(line, reach, word, reached):
    assert reach(line("forest open open"), "a", 3, leaving_rough=word) == reached
    assert reach(line("forest open open"), "a", 3, "cloak", leaving_rough=word) == set("abc")


def test_each_terrain_asks_for_its_own_card(line, reach):
    assert reach(line("open forest mountain open"), "a", 6, "cloak") == set("abc")


@pytest.mark.parametrize(("word", "reached"), [("both", set("ab")), ("either", set("abc"))])
def test_two_terrains(line, reach, word, reached):
    board = line("open forest+hill open")
    assert reach(board, "a", 6, "cloak", two_terrains=word) == reached
    assert reach(board, "a", 6, "rope", two_terrains=word) == reached
    assert reach(board, "a", 6, two_terrains=word) == set("ab")
    assert reach(board, "a", 6, "cloak", "rope", two_terrains=word) == set("abc")


@pytest.mark.parametrize(("word", "reached"), [("along", set("ab")), ("any", set("abcd"))])
def test_road_space(line, reach, word, reached):
    board = line("open forest open open", roads={"r": {"through": ["b", "c"]}})
    assert reach(board, "a", 3, road_space=word) == reached


def test_leaving_the_road_into_plain_forest_stops(line, reach):
    board = line("open forest forest open", roads={"r": {"through": ["a", "b"]}})
    for word in ("along", "any"):
        assert reach(board, "a", 6, road_space=word) == set("abc")


@pytest.mark.parametrize(("word", "cost"), [("joined", 1), ("one-road", 2)])
def test_road_pair(line, word, cost):
    state = riddle.start(line("open open open", roads=SPUR), "a", 6, options=Options(road_pair=word))
    assert riddle.reachable(state)["c"].cost == cost


def test_no_half_point_is_kept(line):
    board = line("open open open open open", roads={"r": {"through": list("abcd")}})
    assert "e" not in riddle.reachable(riddle.start(board, "a", 2))
    assert riddle.needed(riddle.start(board, "a", 0), "e") == 3


@pytest.mark.parametrize(("word", "cost"), [("single", 2), ("double", 1)])
def test_road_by_boat(line, word, cost):
    board = line("open open open", roads={"r": {"through": list("abc")}}, rivers={"r": {"between": [["a", "b"]]}})
    options = Options(road_by_boat=word)
    assert riddle.reachable(riddle.start(board, "a", 6, ["boat"], options=options))["c"].cost == cost
    assert set(riddle.reachable(riddle.start(board, "a", 6, options=options))) == {"a"}
    assert "R20" in rules(riddle.start(board, "a", 6, options=options), Step(Way.ROAD, ("b",)))


CHAIN = {
    "dots": {
        "d1": {"banks": ["a", "b", "c"]},
        "d2": {"banks": ["a", "b", "c"]},
        "d3": {"banks": ["e", "f", "g"]},
    },
    "rivers": {"r": {"course": ["d1", "d2", "d3"]}},
}


@pytest.mark.parametrize(("word", "cost"), [("single", 2), ("double", 1)])
def test_river_pace(line, word, cost):
    state = riddle.start(line("open " * 7, **CHAIN), "d1", 6, ["boat"], options=Options(river_pace=word))
    assert riddle.reachable(state)["d3"].cost == cost
    assert rules(state, Step(Way.RIVER, ("d2", "a"))) == {"R26"}


def head(line, terrain="forest"):
    return line(
        "open open open",
        spaces={"h": {"terrain": [terrain], "city": True, "river_head": True, "borders": ["a"]}},
        dots={"d1": {"banks": ["a", "b", "c"]}, "d2": {"banks": ["a", "b", "c"]}},
        rivers={"r": {"course": ["d1", "h", "d2"]}},
    )


@pytest.mark.parametrize(("word", "onward"), [("river", {"d1", "d2"}), ("land", set())])
def test_head_by_river(line, word, onward):
    state = riddle.start(head(line), "d1", 6, ["boat"], options=Options(head_by_river=word))
    state = riddle.apply(state, Step(Way.RIVER, ("h",)))
    assert {move.to[0] for move in riddle.legal_moves(state) if isinstance(move, Step)} == onward
    assert "R6" in rules(state, Step(Way.LAND, ("a",)))


@pytest.mark.parametrize("word", ["river", "land"])
@pytest.mark.parametrize("lift", [Card.EAGLES, Card.TOM_BOMBADIL])
def test_a_head_reached_without_a_boat_is_land(line, word, lift):
    """R34: the marker goes ashore and is not on the river, so nothing lifts it off the forest this turn."""
    board = line(
        "open open open",
        spaces={"h": {"terrain": ["forest"], "city": True, "river_head": True, "borders": ["a"]}},
        dots={"d1": {"banks": ["h", "a", "b"]}},
        rivers={"r": {"course": ["d1", "h"]}},
    )
    state = riddle.start(board, "d1", 6, [lift], options=Options(head_by_river=word))
    state = riddle.apply(state, Step(Way.RIVER, ("h",)))
    assert "R7" in rules(state, Flight(lift, "c"))
    with_boat = riddle.apply(
        riddle.start(board, "d1", 6, [lift, "boat"], options=Options(head_by_river=word)), Step(Way.RIVER, ("h",))
    )
    assert (rules(with_boat, Flight(lift, "b")) == set()) is (word == "river")


def two_rivers(line):
    """Return a head in a forest where a river begins, at a dot of another river as well."""
    return line(
        "open open open",
        spaces={"h": {"terrain": ["forest"], "city": True, "river_head": True, "borders": ["a"]}},
        dots={
            "own": {"banks": ["h", "a", "b"]},
            "other": {"banks": ["h", "b", "c"]},
            "next": {"banks": ["a", "b", "c"]},
        },
        rivers={"r": {"course": ["h", "own"]}, "q": {"course": ["other", "next"]}},
    )


def test_from_another_river_a_head_is_land(line):
    """R29, R34: a dot of another river has the city on its bank; the marker goes ashore there and stops."""
    state = riddle.start(two_rivers(line), "other", 6, ["boat", "eagles"])
    state = riddle.apply(state, Step(Way.RIVER, ("h",)))
    assert rules(state, Step(Way.RIVER, ("own",))) == {"R6"}
    assert rules(state, Flight(Card.EAGLES, "c")) == {"R7"}
    assert not [move for move in riddle.legal_moves(state) if not isinstance(move, EndTurn)]


def test_along_its_river_a_head_leaves_that_river_open_and_no_other(line):
    """R28, R31: onto another river the marker goes from the land, where the forest holds it."""
    state = riddle.start(two_rivers(line), "own", 6, ["boat"])
    state = riddle.apply(state, Step(Way.RIVER, ("h",)))
    assert rules(state, Step(Way.RIVER, ("own",))) == set()
    assert rules(state, Step(Way.RIVER, ("other",))) == {"R6"}


def test_only_dots_that_follow_each_other_double(line):
    """R26: ashore on a head of another river, and on from there, is no way along one river."""
    state = riddle.start(two_rivers(line), "other", 6, ["boat", "cloak"], options=Options(river_pace="double"))
    assert rules(state, Step(Way.RIVER, ("h", "own"))) == {"R26"}


@pytest.mark.parametrize(("word", "found"), [("river", set()), ("land", {"R34"})])
def test_head_by_river_in_the_middle_of_a_double_step(line, word, found):
    options = Options(head_by_river=word, river_pace="double")
    state = riddle.start(head(line), "d1", 6, ["boat"], options=options)
    assert rules(state, Step(Way.RIVER, ("h", "d2"))) == found


@pytest.mark.parametrize(("kind", "small"), [("thicket", True), ("hill", True), ("thicket", False), ("hill", False)])
def test_small_rough(line, reach, kind, small):
    board = line(f"open {kind} open", rivers={"r": {"between": [["a", "b"]]}})
    assert ("c" in reach(board, "a", 6, "boat", small_rough=small)) is not small
    city = head(line, kind)
    state = riddle.start(city, "a", 6, options=Options(small_rough=small))
    assert bool(riddle.apply(state, Step(Way.LAND, ("h",))).held) is small
    state = riddle.start(city, "b", 6, ["eagles"], options=Options(small_rough=small))
    assert bool(riddle.apply(state, Flight(Card.EAGLES, "h")).held) is small


def test_flight(line, reach):
    board = line("open " * 5)
    fly = Flight(Card.EAGLES, "d")
    for word, then, allowed in (("free", 2, set()), ("instead", 0, {"R42"})):
        state = riddle.start(board, "a", 2, ["eagles"], options=Options(flight=word))
        assert riddle.apply(state, fly).points == then
        walked = riddle.apply(state, Step(Way.LAND, ("b",)))
        assert rules(walked, fly) == allowed


def test_flights_spent(line):
    board = line("open open open")
    for spent in (True, False):
        state = riddle.start(board, "a", 0, ["eagles"], options=Options(flights_spent=spent))
        state = riddle.apply(state, Flight(Card.EAGLES, "c"))
        assert (Card.EAGLES in state.cards) is not spent


def test_fly_to_dots(line):
    board = line("open " * 7, **CHAIN)
    fly = Flight(Card.EAGLES, "d3")
    for word, found in ((True, set()), (False, {"R46"})):
        state = riddle.start(board, "a", 0, ["eagles", "boat"], options=Options(fly_to_dots=word))
        assert rules(state, fly) == found
    assert rules(riddle.start(board, "a", 0, ["eagles"]), fly) == {"R46"}
    assert rules(riddle.start(head(line), "c", 0, ["eagles"]), Flight(Card.EAGLES, "h")) == set()


def test_horse_bonus_is_for_land_only(line, reach):
    board = line("open open open lake lake")
    assert reach(board, "a", 1, "horse", horse_bonus=1) == set("abc")
    assert reach(board, "a", 1, "horse") == set("ab")
    assert reach(board, "c", 0, "horse", "boat", horse_bonus=3) == set("abc")


@pytest.mark.parametrize(("word", "reached"), [("kept", True), ("lost", False)])
def test_horse_after_water(line, reach, word, reached):
    board = line("open lake open open")
    found = reach(board, "a", 2, "horse", "boat", horse_bonus=1, horse_after_water=word)
    assert "c" in found
    assert ("d" in found) is reached


def test_bombadil_range(line, reach):
    board = line("open " * 9)
    assert reach(board, "a", 0, "tom-bombadil", bombadil_range=2) == set("abc")


@pytest.mark.parametrize(("word", "reached"), [("spaces", False), ("dots", True)])
def test_bombadil_graph(line, reach, word, reached):
    # on foot a to g is six spaces; along the dots it is a, d1, d2, d3, g
    board = line("open " * 7, **CHAIN)
    found = reach(board, "a", 0, "tom-bombadil", bombadil_range=4, bombadil_graph=word)
    assert ("g" in found) is reached


def test_bombadil_zero(line):
    for word, found in ((False, {"R47"}), (True, set())):
        state = riddle.start(line("open open"), "a", 0, ["tom-bombadil"], options=Options(bombadil_zero=word))
        assert rules(state, Flight(Card.TOM_BOMBADIL, "a")) == found


@pytest.mark.parametrize(("word", "reached"), [(True, False), (False, True)])
def test_bombadil_stop(line, reach, word, reached):
    board = line("open lake forest open")
    assert ("d" in reach(board, "a", 1, "tom-bombadil", bombadil_range=2, bombadil_stop=word)) is reached


@pytest.mark.parametrize(("word", "kept"), [("lost", False), ("kept", True)])
def test_cards_outside(line, word, kept):
    state = riddle.start(line("forest forest open"), "a", 2, ["cloak"], options=Options(cards_outside=word))
    for place in "bc":
        state = riddle.apply(state, Step(Way.LAND, (place,)))
    state = riddle.apply(state, EndTurn())
    assert (Card.CLOAK in state.cards) is kept


def test_every_option_is_tested_here():
    text = open(__file__, encoding="utf-8").read()  # noqa: PTH123, SIM115
    assert all(field.name in text for field in fields(Options))
