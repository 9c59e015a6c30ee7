"""Every rule of the checklist, R1 to R48, by its id."""

import pytest

from sbg_sim.boards import IllegalMoveError, riddle
from sbg_sim.boards.riddle import Card, EndTurn, Flight, Kind, Options, Step, Way
from sbg_sim.errors import FileFaultsError, UnknownNameError


def rules(state, move):
    return {violation.rule for violation in riddle.explain(state, move)}


def costs(board, at, allowance, *cards, **options):
    state = riddle.start(board, at, allowance, cards, options=Options(**options))
    return {place: way.cost for place, way in riddle.reachable(state).items()}


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


@pytest.mark.parametrize("card", ["eagles", "flying-beasts"])
def test_r42_flying_goes_anywhere(card):
    board = riddle.standard()
    dry = {space.id for space in board.spaces.values() if not space.water}
    assert set(riddle.reachable(riddle.start(board, "bree", 0, [card]))) == dry
    assert rules(riddle.start(board, "bree", 0), Flight(Card(card), "moria")) == {"R42"}


def test_r43_nothing_on_the_way_matters(line):
    board = line("open forest mountain ocean open", rivers={"r": {"between": [["a", "b"]]}})
    assert rules(riddle.start(board, "a", 0, ["eagles"]), Flight(Card.EAGLES, "e")) == set()


@pytest.mark.parametrize("kind", ["forest", "thicket", "mountain", "hill", "lake"])
def test_r44_flying_out_of_anything(line, kind):
    board = line(f"{kind} open open")
    assert rules(riddle.start(board, "a", 0, ["eagles"]), Flight(Card.EAGLES, "c")) == set()


@pytest.mark.parametrize(("kind", "card"), [("forest", "cloak"), ("hill", "rope")])
def test_r45_flying_to_rough_land_stops(line, reach, kind, card):
    board = line(f"open open open {kind} open")
    assert "e" not in reach(line(f"open lake lake {kind} lake"), "a", 6, "eagles")
    down = riddle.apply(riddle.start(board, "a", 6, ["eagles"]), Flight(Card.EAGLES, "d"))
    assert riddle.legal_moves(down) == (EndTurn(),)
    down = riddle.apply(riddle.start(board, "a", 6, ["eagles", card]), Flight(Card.EAGLES, "d"))
    assert Step(Way.LAND, ("e",)) in riddle.legal_moves(down)


def test_r46_landing_on_water_needs_a_boat(line):
    board = line("open open lake")
    fly = Flight(Card.EAGLES, "c")
    assert rules(riddle.start(board, "a", 1, ["eagles"]), fly) == {"R46"}
    assert rules(riddle.start(board, "a", 1, ["eagles", "boat"]), fly) == set()


def test_r47_tom_bombadil_carries_six_spaces(line):
    state = riddle.start(line("open " * 9), "a", 0, ["tom-bombadil"])
    assert rules(state, Flight(Card.TOM_BOMBADIL, "g")) == set()
    assert rules(state, Flight(Card.TOM_BOMBADIL, "h")) == {"R47"}
    assert set(riddle.reachable(state)) == set("abcdefg")


def test_r48_tom_passes_everything_but_lands_like_a_flier(line):
    board = line("open mountain forest lake lake", rivers={"r": {"between": [["a", "b"]]}})
    state = riddle.start(board, "a", 0, ["tom-bombadil"])
    assert rules(state, Flight(Card.TOM_BOMBADIL, "c")) == set()
    assert rules(state, Flight(Card.TOM_BOMBADIL, "e")) == {"R48"}
    boat = riddle.start(board, "a", 0, ["tom-bombadil", "boat"])
    assert rules(boat, Flight(Card.TOM_BOMBADIL, "e")) == set()


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
