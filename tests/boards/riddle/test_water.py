"""The Riddle of the Ring on rivers and water (R20-R41)."""

import pytest

from sbg_sim.boards import riddle
from sbg_sim.boards.riddle import EndTurn, Kind, Options, Step, Way
from sbg_sim.errors import FileFaultsError
from tests.boards.riddle.positions import costs, rules

RIVER = """
[spaces.a]
borders = ["b", "c"]
[spaces.b]
borders = ["c", "d"]
[spaces.c]
borders = ["d"]
[spaces.d]
terrain = ["forest"]
borders = ["e"]
[spaces.e]
terrain = ["forest"]
borders = ["f"]
[spaces.f]
terrain = ["hill"]
borders = ["d"]
[dots.d1]
banks = ["a", "b", "c"]
[dots.d2]
banks = ["b", "c", "d"]
[dots.d3]
banks = ["b", "d", "e"]
[dots.d4]
banks = ["d", "e", "f"]
[rivers.r]
course = ["d1", "d2", "d3", "d4"]
between = [["b", "c"], ["b", "d"]]
"""


def head(terrain="open", more=""):
    return f"""
[spaces.town]
terrain = ["{terrain}"]
city = true
river_head = true
borders = ["meadow", "field"]
[spaces.meadow]
borders = ["field", "far"]
[spaces.field]
borders = ["far"]
[spaces.far]
[dots.d1]
banks = ["town", "meadow", "field"]
[dots.d2]
banks = ["meadow", "field", "far"]
[rivers.r]
course = ["town", "d1", "d2"]
{more}
"""


@pytest.mark.parametrize(
    ("river", "cards", "reached"),
    [
        ({"between": [["a", "b"]]}, (), {"a"}),
        ({"between": [["a", "b"]]}, ("boat",), {"a", "b"}),
        ({"bridges": [["a", "b"]]}, (), {"a", "b"}),
        ({"fords": [["a", "b"]]}, (), {"a", "b"}),
    ],
)
def test_r20_a_river_needs_boat_bridge_or_ford(line, reach, river, cards, reached):
    board = line("open open", rivers={"r": river})
    assert reach(board, "a", 6, *cards) == reached
    if len(reached) == 1:
        state = riddle.start(board, "a", 6)
        assert rules(state, Step(Way.CROSS, ("b",))) == rules(state, Step(Way.LAND, ("b",))) == {"R20"}


def test_r21_a_road_over_a_bridge_is_a_road(line):
    board = line("open open open", roads={"r": {"through": list("abc")}}, rivers={"r": {"bridges": [["a", "b"]]}})
    assert costs(board, "a", 6) == {"a": 0, "b": 1, "c": 1}


def test_r22_crossing_by_boat_counts_one(line):
    board = line("open open open", rivers={"r": {"between": [["a", "b"], ["b", "c"]]}})
    assert costs(board, "a", 6, "boat") == {"a": 0, "b": 1, "c": 2}
    assert "R22" in rules(riddle.start(board, "a", 6, ["boat"]), Step(Way.CROSS, ("b", "c")))


@pytest.mark.parametrize("kind", ["forest", "mountain"])
def test_r23_crossing_into_rough_land_stops(line, reach, kind):
    board = line(f"open {kind} open", rivers={"r": {"between": [["a", "b"]]}})
    assert reach(board, "a", 6, "boat") == {"a", "b"}


def test_r24_river_dots_need_a_boat(toml, reach):
    board = toml(RIVER)
    assert not reach(board, "a", 6) & set(board.dots)
    assert rules(riddle.start(board, "a", 6), Step(Way.RIVER, ("d1",))) == {"R24"}


def test_r25_dots_are_spaces_of_their_own(toml, reach):
    board = toml(RIVER)
    assert set(board.dots) <= reach(board, "a", 6, "boat")
    assert all(board.kinds(dot) == {Kind.RIVER} for dot in board.dots)


def test_r26_dot_to_dot_counts_one(toml):
    board = toml(RIVER)
    assert {d: c for d, c in costs(board, "d1", 3, "boat").items() if d in board.dots} == {
        "d1": 0,
        "d2": 1,
        "d3": 2,
        "d4": 3,
    }
    assert "R26" in rules(riddle.start(board, "d1", 3, ["boat"]), Step(Way.RIVER, ("d3",)))


def test_r27_no_horse_on_a_river(toml):
    state = riddle.start(toml(RIVER), "d1", 0, ["boat", "horse"], options=Options(horse_bonus=2))
    assert rules(state, Step(Way.RIVER, ("d2",))) == {"R27"}
    assert not [m for m in riddle.legal_moves(state) if isinstance(m, Step)]


def test_r28_a_dot_is_entered_from_its_three_spaces(toml):
    board = toml(RIVER)
    for bank in "abc":
        assert rules(riddle.start(board, bank, 1, ["boat"]), Step(Way.RIVER, ("d1",))) == set()
    assert rules(riddle.start(board, "d", 1, ["boat"]), Step(Way.RIVER, ("d1",))) == {"R28"}
    with pytest.raises(FileFaultsError, match="exactly three"):
        toml(RIVER.replace('banks = ["a", "b", "c"]', 'banks = ["a", "b"]'))


def test_r29_a_dot_is_left_for_its_three_spaces(toml):
    state = riddle.start(toml(RIVER), "d1", 1, ["boat"])
    for bank in "abc":
        assert rules(state, Step(Way.RIVER, (bank,))) == set()
    assert rules(state, Step(Way.RIVER, ("d",))) == {"R29"}


def test_r30_in_and_out_count_one_each(toml):
    board = toml(RIVER)
    state = riddle.start(board, "a", 2, ["boat"])
    state = riddle.apply(state, Step(Way.RIVER, ("d1",)))
    assert state.points == 1
    assert riddle.apply(state, Step(Way.RIVER, ("c",))).points == 0


def test_r31_dots_in_forest_do_not_stop(toml):
    assert costs(toml(RIVER), "d3", 3, "boat")["d4"] == 1
    assert costs(toml(RIVER), "d1", 3, "boat")["d4"] == 3


def test_r32_the_eight_river_heads():
    board = riddle.standard()
    heads = {space.name for space in board.spaces.values() if space.river_head}
    assert heads == set(riddle.RIVER_HEADS)
    assert len(heads) == 8
    for space in board.spaces.values():
        assert board.is_dot(space.id) == space.river_head
        if space.river_head:
            assert Kind.RIVER in board.kinds(space.id)
            assert Kind.CITY in board.kinds(space.id)


def test_r33_no_boat_needed_to_stop_on_a_head(toml, reach):
    assert "town" in reach(toml(head()), "meadow", 1)


@pytest.mark.parametrize("cards", [(), ("boat",)])
def test_r34_landing_on_a_head_follows_its_land(toml, cards):
    state = riddle.start(toml(head("forest")), "meadow", 6, cards)
    state = riddle.apply(state, Step(Way.LAND, ("town",)))
    assert riddle.legal_moves(state) == (EndTurn(),)
    free = riddle.start(toml(head("open")), "meadow", 6, cards)
    assert len(riddle.legal_moves(riddle.apply(free, Step(Way.LAND, ("town",))))) > 1


def test_r35_on_a_head_the_marker_is_on_the_dot(toml):
    found = costs(toml(head()), "town", 6, "boat")
    assert (found["d1"], found["d2"], found["meadow"]) == (1, 2, 1)


@pytest.mark.parametrize("kind", ["ocean", "lake", "swamp"])
def test_r36_water_needs_a_boat(line, reach, kind):
    board = line(f"open {kind}")
    assert reach(board, "a", 6) == {"a"}
    assert rules(riddle.start(board, "a", 6), Step(Way.WATER, ("b",))) == {"R36"}
    assert reach(board, "a", 6, "boat") == {"a", "b"}


def test_r37_shore_steps_count_one(line):
    board = line("open lake open")
    assert costs(board, "a", 6, "boat") == {"a": 0, "b": 1, "c": 2}


def test_r38_no_horse_at_sea(line):
    state = riddle.start(line("ocean ocean open"), "a", 0, ["boat", "horse"], options=Options(horse_bonus=3))
    assert rules(state, Step(Way.WATER, ("b",))) == {"R38"}
    assert set(riddle.reachable(state)) == {"a"}


def test_r39_water_is_twice_as_fast(line, reach):
    board = line("lake " * 6)
    assert reach(board, "a", 2, "boat") == set("abcde")


def test_r40_both_spaces_must_be_water(line):
    board = line("open ocean ocean ocean open")
    assert costs(board, "a", 6, "boat") == {"a": 0, "b": 1, "c": 2, "d": 2, "e": 3}
    assert rules(riddle.start(board, "a", 6, ["boat"]), Step(Way.WATER, ("b", "c"))) == {"R40"}
    assert rules(riddle.start(board, "c", 6, ["boat"]), Step(Way.WATER, ("d", "e"))) == {"R40"}


def test_r41_one_boat_for_sea_and_river(toml):
    board = toml("""
[spaces.sea]
terrain = ["ocean"]
borders = ["p", "q"]
[spaces.p]
borders = ["q", "bay"]
[spaces.q]
borders = ["bay"]
[spaces.bay]
terrain = ["lake"]
[dots.d1]
banks = ["sea", "p", "q"]
[dots.d2]
banks = ["bay", "p", "q"]
[rivers.r]
course = ["d1", "d2"]
between = [["p", "q"]]
""")
    state = riddle.start(board, "sea", 3, ["boat"])
    for place in ("d1", "d2", "bay"):
        state = riddle.apply(state, Step(Way.RIVER, (place,)))
    assert (state.at, state.points) == ("bay", 0)
    assert rules(riddle.start(board, "sea", 3, ["boat"]), Step(Way.RIVER, ("d1", "d2"))) == {"R26"}
