"""Files about the Riddle: the faults of a board, the answers to questions, the standard board."""

from collections import Counter
from pathlib import Path

import pytest
from pydantic import ValidationError

from sbg_sim.boards import riddle
from sbg_sim.boards.riddle import Kind, faces
from sbg_sim.errors import FileFaultsError, UnknownNameError

FILES = sorted((Path(__file__).parents[3] / "scenarios" / "boards" / "riddle").glob("*.toml"))

BASE = {
    "game": "riddle",
    "board": {"spaces": {"a": {"borders": ["b"]}, "b": {"terrain": ["forest"], "borders": ["c"]}, "c": {}}},
    "marker": {"at": "a", "allowance": 3},
}


def ask(**question):
    scenario = faces.load({**BASE, "questions": {"q": question}})
    return faces.answer(scenario, "q")


def test_the_scenarios_tell_of_every_rule():
    text = "".join(path.read_text(encoding="utf-8") for path in FILES)
    for word in (
        "bridges",
        "fords",
        "cloak",
        "rope",
        "boat",
        "horse",
        "eagles",
        "flying-beasts",
        "tom-bombadil",
    ):
        assert word in text


def test_answers_have_the_keys_of_the_contract():
    found = ask(ask="move", to="c")
    keys = {"question", "ask", "answer", "cost", "turns", "route", "reachable", "rules", "options", "reason"}
    assert keys <= set(found)
    assert found["answer"] == "no"
    assert found["rules"] == ["R6"]
    assert "Cloak" in found["reason"]


@pytest.mark.parametrize(
    ("to", "cards", "rules", "said"),
    [
        ("beyond", [], ["R36"], "in 5 turns without a Boat"),
        ("lake", ["eagles"], ["R46"], "without a Boat"),
        ("isle", [], [], "no route from a to isle in 5 turns."),
        ("tarn", ["eagles"], ["R46"], "without a Boat"),
        ("tarn", ["tom-bombadil"], [], "no route from a to tarn in 5 turns."),
        ("bank", [], ["R20"], "without a Boat"),
    ],
)
def test_no_route_names_what_takes_a_boat(to, cards, rules, said):
    spaces = {
        "a": {"borders": ["lake", "bank"]},
        "lake": {"terrain": ["lake"], "borders": ["beyond"]},
        "beyond": {},
        "bank": {},
        "isle": {"borders": ["tarn"]},
        "tarn": {"terrain": ["swamp"]},
    }
    board = {"spaces": spaces, "rivers": {"r": {"between": [["a", "bank"]]}}}
    question = {"ask": "route", "to": to, "turns": 5, "cards": cards}
    scenario = faces.load({**BASE, "board": board, "questions": {"q": question}})
    found = faces.answer(scenario, "q")
    assert (found["answer"], found["rules"]) == ("no", rules)
    assert said in found["reason"]


def test_readings_that_change_the_answer_are_named():
    found = ask(ask="reach", at="b", allowance=2)
    assert 'leaving_rough = "one-space"' not in found["options"]
    assert "exact_roll = true" in found["options"]
    found = ask(ask="move", at="c", cards=["cloak"], path=["b", "a"])
    assert found["answer"] == "yes"
    assert found["cost"] == 2


def test_route_with_rolls():
    assert ask(ask="route", to="c", allowance=0, rolls=[1, 1])["turns"] == 3
    assert ask(ask="route", to="c", allowance=0)["answer"] == "no"


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ({"ask": "reach", "to": "a"}, "questions.q.to"),
        ({"ask": "move"}, "questions.q"),
        ({"ask": "move", "to": "b", "path": ["b"]}, "questions.q"),
        ({"ask": "move", "path": []}, "questions.q.path"),
        ({"ask": "move", "to": "b", "by": "eagles"}, "questions.q.by"),
        ({"ask": "route"}, "questions.q.to"),
        ({"ask": "route", "to": "nowhere"}, "questions.q.to"),
        ({"ask": "reach", "at": "nowhere"}, "questions.q.at"),
        ({"ask": "reach", "rolls": [1]}, "questions.q.rolls"),
        ({"ask": "move", "to": "b", "turns": 2}, "questions.q.turns"),
    ],
)
def test_questions_that_do_not_fit(question, key, wrong_keys):
    assert wrong_keys(lambda: ask(**question)) == [key]


def test_a_marker_nowhere():
    with pytest.raises(FileFaultsError) as caught:
        faces.load({**BASE, "marker": {}, "questions": {"q": {"ask": "reach"}}})
    assert len(caught.value.faults) == 2


@pytest.mark.parametrize(
    "change",
    [
        {"game": "chess"},
        {"unknown": 1},
        {"marker": {"at": "a", "allowance": -1}},
        {"marker": {"at": "a", "allowance": "3"}},
        {"marker": {"at": "a", "allowance": 1001}},  # more than any board has: nothing would end
        {"marker": {"cards": ["sword"]}},
        {"options": {"two_terrains": "none"}},
        {"board": {"spaces": {"a": {"terrain": ["desert"]}}}},
        {"board": {"dots": {"d": {}}}},
    ],
)
def test_files_of_the_wrong_shape(change):
    with pytest.raises((ValidationError, FileFaultsError)) as caught:
        faces.load({**BASE, **change})
    assert isinstance(caught.value if caught.type is ValidationError else caught.value.__cause__, ValidationError)


def test_every_fault_of_a_board_at_once():
    with pytest.raises(FileFaultsError) as caught:
        riddle.read_board(
            {
                "spaces": {
                    "a": {"borders": ["a", "b", "x"], "roads_apart": [["r", "s"]]},
                    "b": {"terrain": ["lake", "open"], "river_head": True},
                    "c": {"terrain": []},
                    "e": {"city": True, "river_head": True},
                },
                "dots": {"d": {"banks": ["a", "b"]}, "c": {"banks": ["a", "b", "d"]}},
                "rivers": {"w": {"course": ["a", "d", "d", "y"], "between": [["a", "b"], ["a", "c"], ["a", "z"]]}},
                "roads": {"r": {"through": ["c", "a", "b"]}},
            }
        )
    keys = Counter(fault.key for fault in caught.value.faults)
    assert keys == {
        "spaces.b.terrain": 2,  # open with something else; water with land
        "spaces.b.river_head": 3,  # no city; on water; on no river
        "spaces.c": 1,  # a dot has that id
        "spaces.c.terrain": 1,
        "spaces.a.borders": 2,  # itself; x is nowhere
        "rivers.w.course": 3,  # a is a space; d follows itself; y is nowhere
        "rivers.w.between": 3,  # water; a and c do not border; z is nowhere
        "roads.r.through": 2,  # c and a do not border; b is water
        "spaces.a.roads_apart": 1,  # no road s
        "dots.d.banks": 1,
        "dots.c.banks": 1,  # d is a dot
        "dots.c": 1,  # on no river
        "spaces.e.river_head": 1,
    }


def test_a_board_is_a_map_or_typed_in():
    assert riddle.read_board({"map": "standard"}) is riddle.standard()
    more = riddle.read_board({"map": "standard", "spaces": {"a": {"borders": ["bree"]}}})
    assert more.spaces.keys() - riddle.standard().spaces == {"a"}
    for wrong in ({"map": "standard", "spaces": {"bree": {}}}, {}, {"map": "other"}):
        with pytest.raises(FileFaultsError):
            riddle.read_board(wrong)


def test_the_standard_board():
    board = riddle.standard()
    assert len(board.spaces) == 56
    ways = Counter(board.border_way(border).value for border in board.borders.values())
    assert set(ways) == {"land", "road", "cross", "water"}
    assert any(border.bridge for border in board.borders.values())
    assert any(border.ford for border in board.borders.values())
    assert all(len(set(dot.banks)) == 3 for dot in board.dots.values())
    for dot in board.dots.values():  # three spaces that meet in a point border each other
        a, b, c = dot.banks
        assert all(board.border(x, y) for x, y in ((a, b), (b, c), (a, c)))
    by_land = {riddle.RIVER_HEADS.index(s.name): s.terrain for s in board.spaces.values() if s.river_head}
    assert len(by_land) == 8
    assert {Kind.FOREST} in by_land.values()
    assert {Kind.MOUNTAIN} in by_land.values()


def test_the_page_names_every_key_of_a_board():
    text = (Path(__file__).parents[3] / "docs" / "boards.md").read_text(encoding="utf-8")
    for key in faces.model.model_json_schema()["$defs"]["SpaceTable"]["properties"]:
        assert key in text
    for kind in set(Kind) - {Kind.ROAD, Kind.RIVER, Kind.CITY}:
        assert kind.value in text


def test_unknown_questions():
    with pytest.raises(UnknownNameError):
        faces.answer(faces.load(BASE), "q")


def test_places_go_by_their_printed_names():
    data = {"game": "riddle", "marker": {"at": "Minas Tirith", "allowance": 1}}
    questions = {"q": {"ask": "move", "to": "ITHILIEN"}, "r": {"ask": "move", "path": ["Ithilien"]}}
    scenario = faces.load({**data, "questions": questions})
    assert faces.answer(scenario, "q")["route"] == ["minas-tirith", "ithilien"]
    assert faces.answer(scenario, "r")["answer"] == "yes"
    with pytest.raises(FileFaultsError, match="close to it: ithilien"):
        faces.load({**data, "questions": {"q": {"ask": "move", "to": "Ithilen"}}})


def test_a_marker_off_the_board_without_questions():
    with pytest.raises(FileFaultsError) as caught:
        faces.load({**BASE, "marker": {"at": "zz"}})
    assert [fault.key for fault in caught.value.faults] == ["marker.at"]


def test_a_name_that_two_spaces_bear_is_no_name():
    spaces = {"a": {"name": "Wold"}, "b": {"name": "Wold"}}
    with pytest.raises(FileFaultsError, match=r"more than one space or river dot is called 'Wold': say a or b"):
        faces.load({"game": "riddle", "board": {"spaces": spaces}, "marker": {"at": "Wold"}})


def test_a_path_costs_what_its_end_costs():
    data = {"ask": "move", "cards": ["horse"], "options": {"horse_bonus": 1}}
    board = {"spaces": {"a": {"borders": ["b"]}, "b": {"borders": ["c"]}, "c": {}}}
    for where in ({"to": "c"}, {"path": ["b", "c"]}):
        scenario = faces.load({**BASE, "board": board, "questions": {"q": {**data, **where}}})
        assert faces.answer(scenario, "q")["cost"] == 1


def test_a_long_path_along_a_road_is_soon_gone():
    # by ones and twos there are more ways to take 60 spaces than could ever be tried
    path = ["b", "a"] * 30
    board = {"spaces": {"a": {"borders": ["b"]}, "b": {}}, "roads": {"r": {"through": ["a", "b"]}}}
    marker = {"at": "a", "allowance": 60}
    scenario = faces.load({**BASE, "board": board, "marker": marker, "questions": {"q": {"ask": "move", "path": path}}})
    found = faces.answer(scenario, "q")
    assert found["cost"] == 30
    assert found["route"] == ["a", *path]


def test_a_path_may_begin_where_the_marker_is():
    cloaked = ask(ask="move", to="c", cards=["cloak"])
    again = ask(ask="move", path=cloaked["route"], cards=["cloak"])
    assert (again["answer"], again["cost"], again["route"]) == ("yes", 2, ["a", "b", "c"])
    assert ask(ask="move", path=["a"])["answer"] == "no"


def test_a_path_tells_where_it_ends():
    found = ask(ask="move", path=["b", "c"])
    assert (found["answer"], found["rules"]) == ("no", ["R6"])
    found = ask(ask="move", path=["b", "a", "c"], cards=["cloak"])
    assert (found["rules"], "a and c" in found["reason"]) == (["R4"], True)


def test_a_road_passes_neither_itself_nor_one_that_is_not_there():
    with pytest.raises(FileFaultsError) as caught:
        riddle.read_board(
            {
                "spaces": {
                    "a": {"borders": ["b"], "roads_apart": [["r", "r"], ["r", "s"]]},
                    "b": {"borders": ["c"]},
                    "c": {},
                },
                "roads": {"r": {"through": ["a", "b"]}, "s": {"through": ["b", "c"]}},
            }
        )
    assert [fault.key for fault in caught.value.faults] == ["spaces.a.roads_apart"] * 2
    assert "'s' does not come through 'a'" in caught.value.faults[1].reason


def test_readings_that_change_a_cost_are_named():
    # ashore for a point, and on by the Horse for nothing unless the water has tired it
    spaces = {"a": {"terrain": ["lake"], "borders": ["b"]}, "b": {"borders": ["c"]}, "c": {}}
    data = {"ask": "move", "to": "c", "cards": ["boat", "horse"], "options": {"horse_bonus": 1}}
    found = faces.answer(faces.load({**BASE, "board": {"spaces": spaces}, "questions": {"q": data}}), "q")
    assert (found["answer"], found["cost"]) == ("yes", 1)
    assert 'horse_after_water = "lost"' in found["options"]


@pytest.mark.parametrize(("dry", "cards", "rules"), [("fords", [], ["R4", "R21"]), ("between", ["boat"], ["R22"])])
@pytest.mark.parametrize("road", [False, True])
def test_a_ford_is_told_by_its_rule(dry, cards, rules, road):
    board = {
        "spaces": {"a": {"borders": ["b"]}, "b": {}},
        "rivers": {"r": {"between": [["a", "b"]], dry: [["a", "b"]]}},
    }
    if road:
        board["roads"] = {"old": {"through": ["a", "b"]}}
        rules = ["R15", "R21"] if dry == "fords" else rules
    question = {"q": {"ask": "move", "to": "b", "cards": cards}}
    scenario = faces.load({**BASE, "board": board, "questions": question})
    assert faces.answer(scenario, "q")["rules"] == rules


@pytest.mark.parametrize(("kind", "stops", "each"), [("thicket", "R5", "R8"), ("hill", "R10", "R13")])
def test_what_stops_a_marker_is_told_where_it_ends_too(kind, stops, each):
    """One space a turn through rough land: the way over three takes three turns, and a fourth beyond."""
    row = {"a": {"borders": ["b"]}, **{k: {"terrain": [kind], "borders": [n]} for k, n in ("bc", "cd", "de")}, "e": {}}
    data = {"game": "riddle", "board": {"spaces": row}, "marker": {"at": "a", "allowance": 6}}
    questions = {"one": {"ask": "move", "to": "b"}, "all": {"ask": "route", "to": "e"}}
    scenario = faces.load({**data, "questions": questions})
    assert faces.answer(scenario, "one")["rules"] == ["R4", stops]
    found = faces.answer(scenario, "all")
    assert (found["turns"], found["rules"]) == (4, ["R4", stops, each])


def test_onto_a_river_along_it_and_ashore():
    """Entering and leaving count one space each, as a dot to the next does (R26, R28 to R30)."""
    spaces = {k: {"borders": [n]} for k, n in ("ab", "bc", "ca", "xy", "yz", "zx")}
    dots = {"p": {"banks": ["a", "b", "c"]}, "q": {"banks": ["x", "y", "z"]}}
    board = {"spaces": spaces, "dots": dots, "rivers": {"r": {"course": ["p", "q"]}}}
    data = {"game": "riddle", "board": board, "marker": {"at": "a", "allowance": 6, "cards": ["boat"]}}
    found = faces.answer(faces.load({**data, "questions": {"q": {"ask": "move", "to": "x"}}}), "q")
    assert (found["cost"], found["rules"]) == (3, ["R26", "R28", "R29", "R30"])
