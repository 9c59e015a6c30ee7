"""What the page and programs ask, asked of one desk in this process."""

from __future__ import annotations

import json
import math
import re
import socket

import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.geometry.shapes import polygon
from sbg_sim.table.terrain import Terrain
from sbg_sim.web import asked, moving
from sbg_sim.web import serve as serving
from sbg_sim.web.desk import Desk
from sbg_sim.web.limits import Limits
from sbg_sim.web.serve import has_browser
from tests.web.conftest import DUEL, ROOT
from tests.web.test_drawing import rings


def say(desk, verb, **data):
    """The status and the answer to a message."""
    status, reply = desk.answer(f"{verb}\n{json.dumps(data)}".encode())
    return status, json.loads(reply)


def told(desk, verb, **data):
    status, found = say(desk, verb, **data)
    assert status == 200, found
    return found


def on_the_desk(text=DUEL):
    desk = Desk()
    told(desk, "show", text=text)
    return desk


def area(path):
    """What the rings of a path enclose: a ring in another is a hole."""
    whole = shapely.Polygon()
    for ring in rings(path):
        whole = whole.symmetric_difference(shapely.Polygon(ring).buffer(0))
    return whole.area


@pytest.mark.parametrize(
    ("verb", "asked", "words"),
    [
        ("show", {}, "data must be the tables of a file"),
        ("show", {"text": 3}, "text must be the text of a table"),
        ("show", {"data": [1]}, "data must be the tables of a file"),
        ("show", {"data": {"x": [None]}}, "data holds null"),
        ("written", {"text": "a = 1"}, "data must be the tables of a file"),
        ("written", {"data": {"x": [[1, None]]}}, "data holds null"),
    ],
)
def test_what_is_no_table_is_refused(verb, asked, words):
    status, reply = say(Desk(), verb, **asked)
    assert status == 422
    assert reply["error"].startswith(words)


@pytest.mark.parametrize("verb", ["outline", "chances", "near", "placed", "ask", "picture", "play"])
def test_without_a_table_nothing_is_answered(verb):
    assert say(Desk(), verb, model="lurtz", at=[1, 1], actions=[]) == (422, {"error": "there is no table"})


def test_what_nobody_knows_and_what_should_not_happen(monkeypatch, capsys):
    desk = on_the_desk()
    assert len(say(desk, "x" * 10_000)[1]["error"]) < 100
    assert say(desk, "dance") == (422, {"error": "nobody knows how to dance"})
    for error, status, words in (
        (RuntimeError("oh"), 500, "this should not have happened: RuntimeError: oh"),
        (MemoryError(), 504, "the question needed more memory than it may have and was given up"),
    ):

        def broken(*_, error=error):
            raise error

        monkeypatch.setattr(asked, "check", broken)
        assert say(desk, "check", table=DUEL) == (status, {"error": words})
    assert "RuntimeError: oh" in capsys.readouterr().err
    assert told(desk, "outline", model="lurtz")["model"] == "lurtz"


def test_the_file_of_a_board_game_is_no_table():
    board = next((ROOT / "scenarios").rglob("*riddle*/*.toml")).read_text(encoding="utf-8")
    status, found = say(Desk(), "show", text=board)
    assert (status, found["faults"][0]["reason"]) == (400, "is a board game's file; the page shows tables")
    status, found = say(Desk(), "reach", table=board, model="frodo")
    assert status == 400
    assert found["faults"][0]["reason"].startswith("a board game's file can be checked, drawn and played")
    status, found = say(Desk(), "check", table=board, question={"ask": "reach", "model": "frodo"})
    assert (status, found["error"]) == (422, "question must be the id of a question of the file")


def test_questions_may_be_objects_with_the_keys_of_a_file():
    desk = Desk()
    for question, needed in (
        ({"ask": "measure", "from": "lurtz", "to": "merry"}, 4 - 25 / 25.4),
        ({"ask": "charge", "model": "lurtz", "target": ["merry"]}, 4 - 25 / 25.4),
        ({"ask": "move", "model": "lurtz", "to": [6, 15]}, 3),
    ):
        (found,) = told(desk, "check", table=DUEL, question=question)
        assert found["inches" if question["ask"] == "measure" else "needed"] == pytest.approx(needed, abs=1e-6)
    (gap,) = told(desk, "check", table=DUEL, question={"ask": "gap", "between": ["merry", "sam"], "model": "lurtz"})
    assert gap["answer"] == "yes"
    (seen,) = told(desk, "check", table=DUEL, question={"ask": "sight", "model": "lurtz", "target": "merry"})
    assert seen["answer"] == "yes"


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ({"ask": "measure", "from": 3, "to": "sam"}, "question.from must be an id"),
        ({"ask": "sight", "model": "lurtz", "target": ""}, "question.target must be an id"),
        ({"ask": "gap", "between": ["sam"], "model": "lurtz"}, "question.between must be 2 ids"),
        ({"ask": "charge", "model": "lurtz", "target": []}, "question.target must be one or more ids"),
        ({"ask": "dance"}, "question must be an id, or an object with ask = one of"),
        ({"ask": "sight", "model": "lurtz", "target": "sam", "to": [1, 2]}, "question.to is no key of a question"),
    ],
)
def test_questions_that_are_none(question, words):
    status, found = say(Desk(), "check", table=DUEL, question=question)
    assert status == 422
    assert words in found["error"]


def test_each_inch_of_a_move_has_its_outline():
    """Alone on a table one gets as far as a circle of each inch; with half the Move to stand up, of what is left."""
    alone = DUEL[: DUEL.index("[models.merry]")].replace("at = [6, 12]", "at = [12, 12]%s")
    found = told(on_the_desk(alone % ""), "contours", model="lurtz")
    assert [line["cost"] for line in found["contours"]] == [1, 2, 3, 4, 5]
    for line in found["contours"]:
        assert area(line["d"]) == pytest.approx(math.pi * line["cost"] ** 2, rel=1e-2)
    found = told(on_the_desk(alone % "\nprone = true"), "contours", model="lurtz")
    assert [line["cost"] for line in found["contours"]] == [4, 5]
    assert area(found["contours"][0]["d"]) == pytest.approx(math.pi, rel=1e-2)


def test_what_a_zone_takes_away_is_drawn_as_large_as_it_is_told():
    desk = on_the_desk()
    found = told(desk, "denies", model="lurtz")
    table = sbg.loads(DUEL)
    by_name = {entry.enemy: entry for entry in sbg.denials(table, "lurtz").entries}
    assert {entry["enemy"] for entry in found["entries"]} == set(by_name)
    for entry in found["entries"]:
        assert area(entry["d"]) == pytest.approx(by_name[entry["enemy"]].region.area, abs=0.05)
    assert any(entry["d"] for entry in found["entries"])


def test_only_a_few_tables_and_reaches_are_kept():
    desk = Desk()
    for width in range(24, 34):
        told(desk, "reach", table=DUEL.replace("width = 24", f"width = {width}"), model="lurtz")
    assert len(desk._read) == 4
    crowd = "".join(f'[models.m{i}]\nprofile = "man"\nside = "good"\nat = [{2 + 2 * i}, 22.5]\n' for i in range(6))
    desk = on_the_desk(DUEL + crowd)
    first = told(desk, "outline", model="m0")
    for i in range(6):
        told(desk, "outline", model=f"m{i}")
        told(desk, "held", model="lurtz", at=[2 + 2 * i, 21.4], settled=True)
    assert len(desk._reaches) <= 4
    assert len(desk._contacts) <= 4
    assert told(desk, "outline", model="m0") == first


def test_moves_that_are_refused_and_dice_that_are_missing():
    desk = on_the_desk()
    far = told(desk, "drop", move={"model": "lurtz", "to": [20, 12]})
    assert far["refused"][0]["rule"] == "MOV.3"
    wall = DUEL.replace("[6, 12]", "[7, 3]")
    path = {"model": "lurtz", "path": [[7, 3], [7, 6]]}
    assert told(on_the_desk(wall), "drop", move=path)["needs"]["kind"] == "jump"
    done = told(on_the_desk(wall), "drop", move={**path, "rolls": [6]})
    assert done["changes"]["lurtz"]["at"] == [7, 6]


def test_a_table_with_faults_is_asked_nothing():
    desk = Desk()
    shown = told(desk, "show", text=DUEL.replace("at = [10, 12]", "at = [6.5, 12]"))
    assert shown["faults"]
    status, reply = say(desk, "outline", model="lurtz")
    assert (status, "overlaps" in json.dumps(reply)) == (400, True)


@pytest.mark.parametrize(
    ("written", "unknown", "size"),
    [('depth = "x"', ["depth"], (24, 24)), ("depth = -3", ["depth"], (24, 24)), ("", ["depth"], (24, 31))],
)
def test_a_table_whose_size_is_at_fault_is_drawn_as_large_as_what_stands_on_it_needs(written, unknown, size):
    """It was drawn 100000 inches deep, with a line for each of them."""
    text = DUEL.replace("depth = 24", written)
    if not written:
        text = text.replace("at = [20, 20]", "at = [20, 29]")
    shown = told(Desk(), "show", text=text)
    assert {fault["key"] for fault in shown["faults"]} == {"table.depth"}
    assert (shown["scene"]["unknown"], (shown["scene"]["width"], shown["scene"]["depth"])) == (unknown, size)
    assert told(Desk(), "show", text=DUEL)["scene"]["unknown"] == []


def test_who_has_no_move_is_placed_without_a_reach():
    desk = on_the_desk(DUEL + '[models.post]\nbase = 1\nside = "good"\nat = [15, 15]\n')
    found = told(desk, "placed", model="post", at=[16, 15])
    assert (found["faults"], found.keys() & {"d", "area"}) == ([], set())


def test_a_charge_ends_where_the_pointer_points_if_it_can():
    """With a Move of 4 in the near side can be touched; the far side is too far round, and above stands another."""
    orc = '[models.orc]\nprofile = "man"\nside = "evil"\nat = [10, 13]\n'
    desk = on_the_desk(DUEL.replace("move = 6", "move = 4") + orc)
    ends = {}
    for name, angle in (("near", math.pi), ("aside", 1.25 * math.pi), ("far", 0.0), ("taken", 0.5 * math.pi)):
        spot = [10 + math.cos(angle), 12 + math.sin(angle)]
        found = told(desk, "held", model="lurtz", at=spot, settled=True)
        ends[name] = (found["verdict"]["answer"], math.dist(found["at"], spot) < 0.1)
    assert ends == {"near": ("yes", True), "aside": ("yes", True), "far": ("yes", False), "taken": ("yes", False)}
    lying = on_the_desk(DUEL.replace("at = [6, 12]", "at = [6, 12]\nprone = true"))
    found = told(lying, "held", model="lurtz", at=[10, 12 + 25 / 25.4], settled=True)
    assert (found["snap"], found["targets"]) == ("contact", ["merry"])


def test_a_charge_that_goes_round_somebody_is_drawn_round_it():
    """Straight on stands a friend: the way bends round its base, drawn by lines that touch the arc from outside."""
    uruk = '[models.uruk]\nprofile = "man"\nside = "evil"\nat = [8, 11.9]\n'
    desk = on_the_desk(DUEL + uruk)
    spot = [10 - 25 / 25.4, 12]
    found = told(desk, "held", model="lurtz", at=spot, settled=True)
    assert (found["verdict"]["answer"], found["targets"]) == ("yes", ["merry"])
    assert math.dist(found["at"], spot) < 0.1
    drawn = shapely.LineString(found["path"])
    assert len(found["path"]) > 3
    assert shapely.distance(drawn, shapely.Point(8, 11.9)) == pytest.approx(25 / 25.4, abs=1e-3)
    assert shapely.distance(drawn, shapely.Point(8, 11.9)) >= 25 / 25.4 - 1e-6


def test_who_is_held_right_over_an_enemy_charges_the_best_way():
    found = told(on_the_desk(), "held", model="lurtz", at=[10, 12], settled=True)
    assert found["targets"] in (["merry"], [])


def test_a_charge_that_hangs_on_dice_is_held_at_its_end():
    over = DUEL.replace("at = [6, 12]", "at = [7, 3]").replace("at = [10, 12]", "at = [7, 6]")
    over = over.replace("[[5, 4], [9, 4], [9, 4.4], [5, 4.4]]", "[[1, 4], [16, 4], [16, 4.4], [1, 4.4]]")
    found = told(on_the_desk(over), "held", model="lurtz", at=[7, 5.1], settled=True)
    assert found["verdict"]["answer"] == "chance"
    assert math.dist(found["at"], (7, 6)) == pytest.approx(25 / 25.4, abs=1e-3)


def test_while_it_moves_the_nearest_place_is_that_of_the_outline():
    desk = on_the_desk()
    found = told(desk, "held", model="lurtz", at=[6, 22], settled=False, snap=False)
    assert found["nearest"] == pytest.approx([6, 18], abs=0.01)


def test_the_slain_are_taken_off_and_let_nobody_through():
    lets = DUEL.replace("height = 1.0", 'height = 1.0\nlets_through = ["sam"]')
    assert "lets sam through" in json.dumps(told(Desk(), "show", text=lets))
    found = told(on_the_desk(), "play", actions=[{"slay": "sam"}], priority="evil")
    assert "sam" not in {model["id"] for model in found["scene"]["models"]}


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        (None, "actions must be a list of what has been done"),
        ([{}], "an action is one of move, end, slay, choose, next"),
        (["end"], "an action is one of move, end, slay, choose, next"),
        ([{"dance": 1}], "dance is no action; there are move, end, slay, choose, next"),
        ([{"choose": ["lurtz"]}], "choose takes a list of fights, each a list of ids"),
    ],
)
def test_actions_that_are_none(actions, words):
    assert say(on_the_desk(), "play", actions=actions, priority="evil") == (422, {"error": words})


def test_pictures_of_the_table_a_reach_and_an_answer():
    desk = on_the_desk()
    for kind in ("gif", ["svg"]):
        assert say(desk, "picture", kind=kind) == (422, {"error": "kind must be svg or png"})
    drawn = {
        told(desk, "picture", kind="svg", question=question)["bytes"]
        for question in (None, "far", {"ask": "reach", "model": "lurtz"})
    }
    assert len(drawn) == 3


def test_one_stands_on_the_highest_of_what_is_stacked():
    table = sbg.loads(DUEL)
    square = polygon([(10, 10), (14, 10), (14, 14), (10, 14)])
    stack = (("a", 3.0, None), ("b", 1.0, "a"), ("c", 1.0, "b"))
    pieces = {name: Terrain(name, frozenset({"platform"}), square, height=h, on=on) for name, h, on in stack}
    table = sbg.Table(24, 24, table.models, type(table.terrain)(pieces))
    assert moving.surfaces_at(table, table.model("lurtz"), (12, 12)) == ("c",)
    assert moving.surfaces_at(table, table.model("lurtz"), (10.2, 12)) == (None,)


BRIDGE = """
[table]
width = 20
depth = 12
[models.man]
at = [5, 3]
base = 1
height = 1.5
move = 6
[models.guard]
at = [3, 6]
on = "left"
base = 1
height = 1.5
move = 6
[terrain.ditch]
tags = ["gap"]
depth = 0.7
polygon = [[6, 0], [9, 0], [9, 12], [6, 12]]
[terrain.left]
tags = ["platform"]
height = 4
polygon = [[2, 4], [5, 4], [5, 8], [2, 8]]
[terrain.middle]
tags = ["platform"]
on = "left"
height = 0.1
polygon = [[4, 5], [7.2, 5], [7.2, 7], [4, 7]]
[terrain.right]
tags = ["platform"]
on = "left"
height = 0.1
polygon = [[7.2, 5], [12, 5], [12, 7], [7.2, 7]]
"""


@pytest.mark.parametrize(
    ("model", "at", "on", "needed"),
    [
        ("man", [7.5, 3], "ditch", 2.5),  # down into it: 0.7 in deep is less than half of 1.5
        ("man", [7.5, 5.5], "ditch", (2.5**2 + 2.5**2) ** 0.5),  # and on below the bridge
        ("guard", [7.2, 6], "middle", 4.2),  # along the bridge, across the joint of its halves
    ],
)
def test_a_model_is_held_over_the_highest_level_that_it_can_come_to(model, at, on, needed):
    desk = on_the_desk(BRIDGE)
    found = told(desk, "held", model=model, at=at, settled=True, snap=False)
    assert (found["verdict"]["answer"], found["on"], found["at"]) == ("yes", on, at)
    assert found["verdict"]["needed"] == pytest.approx(needed, abs=1e-6)
    placed = told(desk, "placed", model=model, at=at, settled=True)
    assert (placed["on"], placed["faults"]) == ("ditch" if at[1] < 4 else "middle", [])


STOREYS = """
[table]
width = 24
depth = 24
[models.climber]
at = [20, 12]
base = "25 mm"
height = 1.5
move = 6
side = "good"
[terrain.tower]
tags = ["platform"]
height = 6
polygon = [[6, 6], [11, 6], [11, 11], [6, 11]]
[terrain.hall]
tags = ["platform"]
height = 1.5
polygon = [[6, 6], [18, 6], [18, 16], [6, 16]]
[terrain.rungs]
tags = ["ladder"]
at = [18.5, 11]
to = "hall"
"""


def test_what_is_certain_on_a_storey_is_told_as_certain():
    desk = on_the_desk(STOREYS)
    told(desk, "outline", model="climber")
    found = told(desk, "chances", model="climber")
    table = sbg.loads(STOREYS)
    rows = dict(sbg.reach(table, "climber").platforms["hall"])
    drawn = {row["chance"]: row for row in found["platforms"] if row["on"] == "hall"}
    assert drawn.keys() == {f"{c.numerator}/{c.denominator}" for c in rows}
    assert area(drawn["1/1"]["d"]) == pytest.approx(rows[1].area, abs=0.02)
    assert drawn["1/1"]["area"] == pytest.approx(rows[1].area, abs=1e-6)
    better = shapely.Polygon()
    for chance, region in rows.items():  # each without what lies in a better one: nothing is tinted twice
        row = drawn[f"{chance.numerator}/{chance.denominator}"]
        closed = "".join(re.findall("M[^MZ]*Z", row["d"]))  # where a jump lands is a line
        assert area(closed) == pytest.approx(region.difference(better).area, abs=0.02)
        better = better.union(region)
    assert "1/1" not in {row["chance"] for row in found["regions"]}


def test_storeys_are_drawn_and_named_from_the_lowest():
    pieces = told(on_the_desk(STOREYS), "show", text=STOREYS)["scene"]["terrain"]
    assert [piece["id"] for piece in pieces if piece["id"] != "rungs"] == ["hall", "tower"]
    (hall,) = [piece for piece in pieces if piece["id"] == "hall"]
    assert len(hall["labels"]) > 3
    assert not any(6 <= x <= 11 and 6 <= y <= 11 for x, y in hall["labels"])
    assert hall["label"] == hall["labels"][0]
    (tower,) = [piece for piece in pieces if piece["id"] == "tower"]
    assert tower["labels"] == [[8.5, 8.5]]


def test_costs_at_only_a_few_enemies_are_kept():
    """Of six that it is held against, one after the other, the last four; the first again is worked out anew, alike."""
    men = "".join(f'[models.foe-{k}]\nprofile = "man"\nside = "good"\nat = [{3 + 1.2 * k}, 16]\n' for k in range(6))
    desk, told_of = on_the_desk(DUEL + men), {}
    for k in (*range(6), 0):
        spot = [3 + 1.2 * k, 16 - 25 / 25.4]
        found = told(desk, "held", model="lurtz", at=spot, settled=True)
        assert f"foe-{k}" in found["targets"]
        assert told_of.setdefault(k, found) == found
        assert len(desk._contacts) <= 4
    assert ("lurtz", "foe-0") in desk._contacts


@pytest.mark.parametrize(
    ("terminal", "display", "opened"), [(True, ":0", True), (True, "", False), (False, ":0", False)]
)
def test_a_browser_is_opened_where_a_window_can_be(monkeypatch, terminal, display, opened):
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("sys.stdout", type("Out", (), {"isatty": lambda _: terminal})())
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert has_browser() == opened


@pytest.mark.parametrize("browser", [True, False])
def test_ctrl_c_ends_the_server_whose_page_was_opened(monkeypatch, browser):
    """The page that is opened is the one that is told; in the end nothing is raised, and its port is free again."""

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    told, opened = [], []
    monkeypatch.setattr(serving, "has_browser", lambda: True)
    monkeypatch.setattr(serving.webbrowser, "open", opened.append)
    monkeypatch.setattr(serving._Server, "run", interrupted)
    serving.serve(None, Limits(), host="127.0.0.1", port=0, ready=told.append, browser=browser)
    assert opened == (told if browser else [])
    port = int(told[0].rstrip("/").rpartition(":")[2])
    with socket.socket() as again:
        again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        again.bind(("127.0.0.1", port))
