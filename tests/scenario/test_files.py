"""Scenario files read: what each key means."""

from __future__ import annotations

import math

import pytest

from sbg_sim import scenario
from sbg_sim.geometry import shapes
from sbg_sim.table.questions import Charge, Gap, Measure, Move, ReachOf, Sight
from sbg_sim.table.record import MoveRecord, Record

FULL = """\
title = "A wall between"
source = "a case"
[table]
width = 24
depth = "609.6 mm"
tolerance = 0.03125
[rulings]
obstacle_exactly_half = "free"
[profiles.uruk]
base = "25.4 mm"
height = 1.5
move = 6
side = "evil"
keywords = ["infantry"]
[models.lurtz]
profile = "uruk"
at = [10, 12]
[models.ugluk]
profile = "uruk"
base = 2
at = [15, 12]
keywords = ["cavalry"]
engaged = ["sam"]
prone = true
moved = true
may_move = false
[models.sam]
side = "good"
at = [4, 4]
base = 1
on = "scaffold"
climbed = 0.5
[models.faramir]
side = "good"
base = 1
[models.beregond]
base = 1
off_table = true
[terrain.scaffold]
tags = ["platform"]
height = 2
polygon = [[2, 2], [6, 2], [6, 6], [2, 6], [2, 2]]
[terrain.ring]
tags = ["difficult"]
polygon = [[18, 2], [23, 2], [23, 7], [18, 7]]
holes = [[[19, 3], [20, 3], [20, 4]]]
[terrain.fence]
tags = ["obstacle", "unscalable"]
line = [[1, 20], [3, 20], [3, 22]]
thickness = 0.25
lets_through = ["sam"]
[terrain.well]
tags = ["gap"]
depth = 4
circle = { center = [20, 20], radius = 1 }
[terrain.field]
wkt = "POLYGON ((8 16, 12 16, 12 20, 8 20, 8 16), (9 17, 10 17, 10 18, 9 17))"
[terrain.steps]
tags = ["ladder"]
at = [6, 4]
to = "scaffold"
[terrain.crate]
tags = ["obstacle"]
height = 0.5
on = "scaffold"
circle = { center = [5.5, 5.5], radius = 0.1 }
[questions.a]
ask = "measure"
from = "lurtz"
to = "fence"
expect = 2.5
needed = 3
[questions.b]
ask = "gap"
between = ["scaffold", "lurtz"]
model = "sam"
[questions.c]
ask = "sight"
model = "sam"
target = "lurtz"
expect = "no"
[questions.d]
ask = "move"
model = "lurtz"
to = [4, 4]
on = "scaffold"
needed = "2*sqrt(3)"
[questions.e]
ask = "charge"
model = "lurtz"
target = "sam"
expect = "5/6"
[questions.f]
ask = "charge"
model = "lurtz"
target = ["sam"]
note = "why"
[questions.g]
ask = "reach"
model = "sam"
[phase]
priority = "good"
fights = [["sam", "ugluk"]]
[[moves]]
model = "sam"
charge = "lurtz"
rolls = [4, 1]
[[moves]]
model = "faramir"
arrive = [0, 3]
to = [2, 3]
[[moves]]
model = "lurtz"
path = [[1, 2], [3, 4]]
stand = true
[[moves]]
model = "ugluk"
crawl = [15, 13]
lie = true
"""


@pytest.fixture(scope="module")
def table():
    return scenario.read_text(FULL)


def test_the_board(table):
    assert (table.width, table.depth, table.tolerance) == (24.0, pytest.approx(24.0, abs=1e-12), 0.03125)
    assert (table.title, table.source) == ("A wall between", "a case")
    assert table.rulings["obstacle_exactly_half"] == "free"


def test_profiles_are_shared_and_own_fields_win(table):
    lurtz, ugluk = table.model("lurtz"), table.model("ugluk")
    assert (lurtz.base, lurtz.height, lurtz.move, lurtz.side) == (1.0, 1.5, 6.0, "evil")
    assert (ugluk.base, ugluk.keywords, ugluk.height) == (2.0, {"cavalry"}, 1.5)
    assert (ugluk.prone, ugluk.moved, ugluk.may_move) == (True, True, False)
    assert (lurtz.prone, lurtz.moved, lurtz.may_move) == (False, False, True)


def test_contact_is_mutual(table):
    assert table.model("sam").engaged == {"ugluk"}
    assert table.model("ugluk").engaged == {"sam"}


def test_who_is_not_on_the_table(table):
    assert table.off == {"faramir", "beregond"}
    assert table.model("faramir").at == (0.0, 0.0)
    assert {m.id for m in table.standing()} == {"lurtz", "ugluk", "sam"}


def test_shapes_stay_what_they_are(table):
    assert table.piece("scaffold").shape == shapes.polygon([(2, 2), (6, 2), (6, 6), (2, 6)])
    assert table.piece("well").shape == shapes.circle((20, 20), 1)
    assert table.piece("fence").shape == shapes.line([(1, 20), (3, 20), (3, 22)], 0.25)
    assert table.piece("ring").shape.rings[1] == ((19.0, 3.0), (20.0, 3.0), (20.0, 4.0))
    field = table.piece("field").shape
    assert field.kind == "polygon"
    assert field.to_shapely().area == pytest.approx(16 - 0.5)
    steps = table.piece("steps")
    assert (steps.shape, steps.at, steps.to) == (None, (6.0, 4.0), "scaffold")
    assert table.piece("crate").on == "scaffold"
    assert table.piece("fence").lets_through == {"sam"}
    assert table.piece("fence").top == math.inf


def test_questions(table):
    asked = {name: a.question for name, a in table.questions.items()}
    assert asked == {
        "a": Measure("lurtz", "fence"),
        "b": Gap(("scaffold", "lurtz"), "sam"),
        "c": Sight("sam", "lurtz"),
        "d": Move("lurtz", (4.0, 4.0), "scaffold"),
        "e": Charge("lurtz", "sam"),
        "f": Charge("lurtz", ("sam",)),
        "g": ReachOf("sam"),
    }
    assert [table.asked(n).expect for n in "acde"] == [2.5, "no", None, "5/6"]
    assert (table.asked("a").needed, table.asked("d").needed) == (3.0, "2*sqrt(3)")
    assert table.asked("f").note == "why"


def test_the_record(table):
    assert table.record == Record(
        "good",
        (
            MoveRecord("sam", charge=("lurtz",), rolls=(4, 1)),
            MoveRecord("faramir", arrive=(0.0, 3.0), to=(2.0, 3.0)),
            MoveRecord("lurtz", path=((1.0, 2.0), (3.0, 4.0)), stand=True),
            MoveRecord("ugluk", crawl=(15.0, 13.0), lie=True),
        ),
        (("sam", "ugluk"),),
    )


def test_written_and_read_again(table):
    text = scenario.write(table)
    assert scenario.read_text(text) == table
    assert scenario.write(scenario.read_text(text)) == text


def test_the_smallest_file():
    table = scenario.read_text("[table]\nwidth = 1\ndepth = 2\n")
    assert (table.width, table.depth, len(table.models), table.record) == (1.0, 2.0, 0, None)


def test_read_from_a_path(tmp_path, table):
    path = tmp_path / "full.toml"
    path.write_text(FULL, encoding="utf-8")
    assert scenario.read(path) == scenario.read(str(path)) == table


def test_the_schema_knows_every_key_of_the_full_file():
    import tomllib

    import jsonschema

    schema = scenario.json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    check = jsonschema.Draft202012Validator(schema)
    assert list(check.iter_errors(tomllib.loads(FULL))) == []
    assert list(check.iter_errors({"table": {"width": 1, "depth": 1}, "modles": {}}))
    assert list(check.iter_errors({"table": {"width": 1, "depth": 1}, "rulings": {"eye": "nose"}}))
    assert list(check.iter_errors({"table": {"width": "x"}}))
