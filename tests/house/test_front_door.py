"""The names a newcomer guesses, tables made without a file, results as data."""

from __future__ import annotations

import json
import math
import pickle
import re
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
import shapely
import shapely.geometry
from click.testing import CliRunner

import sbg_sim as sbg
from sbg_sim.cli.group import _sbg_sim
from sbg_sim.report import told
from sbg_sim.scenario import json_schema
from tests.house import plain_data

ROOT = Path(__file__).parents[2]
LURTZ = {"at": (6, 12), "base": "25 mm", "height": 1.5, "move": 6, "side": "evil"}
MERRY = sbg.Model("merry", np.array([13, 12]), "25 mm", 1, 4, "good")
WALL = {"polygon": shapely.box(9, 8, 9.4, 16), "tags": {"obstacle"}, "height": '1"'}
FILE = """
[table]
width = 24
depth = 24
[models.lurtz]
at = [6, 12]
base = "25 mm"
height = 1.5
move = 6
side = "evil"
[models.merry]
at = [13, 12]
base = "25 mm"
height = 1
move = 4
side = "good"
[terrain.wall]
tags = ["obstacle"]
height = 1
polygon = [[9.4, 8], [9.4, 16], [9, 16], [9, 8]]
[questions.q]
ask = "charge"
model = "lurtz"
target = "merry"
"""


def table(**more):
    given = {"models": {"lurtz": LURTZ, "merry": MERRY}, "terrain": {"wall": WALL}}
    return sbg.Table(24, "24 in", **given, questions={"q": sbg.Charge("lurtz", "merry")}, **more)


@pytest.fixture(scope="module")
def charging():
    return sbg.load(ROOT / "scenarios/charging-2.toml")


def test_every_name_is_there_and_no_other():
    assert [name for name in sbg.__all__ if not hasattr(sbg, name)] == []
    assert {"simulate", "sweep", "campaign", "Phase", "loads", "RULES"} <= set(dir(sbg))
    assert not {"Any", "TYPE_CHECKING", "Final", "import_module"} & set(dir(sbg))


def test_python_says_what_a_file_says():
    assert table() == sbg.loads(FILE)
    assert sbg.loads(sbg.dump(table())) == table()
    assert sbg.Table.from_data(table().as_data()) == table()
    assert sbg.Table(24, 24, models=[MERRY]) == sbg.Table(24, 24, models={"merry": MERRY})


def test_dump_writes_too(tmp_path):
    text = sbg.dump(table(), tmp_path / "t.toml")
    assert (tmp_path / "t.toml").read_text(encoding="utf-8") == text


def test_shapes_of_all_kinds():
    ring = shapely.Polygon([(1, 1), (5, 1), (5, 5), (1, 5)], [[(2, 2), (4, 2), (4, 4), (2, 4)]])
    made = sbg.Table(24, 24, terrain={
        "wood": ring,
        "rock": {"shape": sbg.circle((10, 10), 1), "tags": ["unscalable"]},
        "hedge": sbg.Terrain("hedge", ["obstacle"], sbg.line([(12, 2), (16, 2)], 0.5), height="2 cm"),
    })  # fmt: skip
    assert made.piece("wood").shape.to_shapely().area == pytest.approx(12)
    assert made.piece("hedge").height == pytest.approx(2 / 2.54)
    assert made.piece("rock").shape.kind == "circle"
    assert shapely.geometry.shape(made.piece("rock")).area == pytest.approx(math.pi, abs=1e-3)


def test_a_multipolygon_that_holds_one_polygon_is_that_polygon():
    """What GIS programs write; several are told apart, being several pieces."""
    text = '[table]\nwidth = 24\ndepth = 24\n[terrain.a]\ntags = ["difficult"]\nwkt = "MULTIPOLYGON (%s)"\n'
    one = "((1 1, 5 1, 5 4, 1 4, 1 1), (2 2, 3 2, 3 3, 2 2))"
    assert sbg.loads(text % one).piece("a").shape.to_shapely().area == pytest.approx(11.5)
    with pytest.raises(sbg.FileFaultsError, match=r"6:7: terrain\.a\.wkt: must be one POLYGON, not MULTIPOLYGON"):
        sbg.loads(text % f"{one}, ((7 7, 8 7, 8 8, 7 7))")


FAULTS = [
    ("width", -3, "table.width: must be greater than 0, not -3"),
    ("width", math.nan, "table.width: must be a finite number"),
    ("width", "far", "table.width: 'far' is not a length"),
    ("models", 5, "models: must be a table, not the number 5"),
    ("models", {"a": {"at": (1, 1), "bse": 1}}, "models.a.bse: unknown key; did you mean `base`?"),
    ("models", {n: {"at": (1.5, 1), "base": 1} for n in "ab"}, "overlaps that of `a` by 1 in"),
    ("terrain", {"a": shapely.MultiPoint([(1, 1)])}, "terrain.a.wkt: must be one POLYGON, not MULTIPOINT"),
    ("rulings", {"eye": "third"}, "rulings.eye: cannot be `third`; it is `centre` or `volume`"),
    ("questions", {"q": sbg.Charge("x", "y")}, "questions.q.target: no model is called `y`"),
]


@pytest.mark.parametrize(("key", "value", "words"), FAULTS)
def test_what_a_file_may_not_say_python_may_not(key, value, words):
    with pytest.raises(sbg.SbgError, match=re.escape(words)):
        sbg.Table(**{"width": 24, "depth": 24, key: value})


CHANGES = [
    ({"at": (math.nan, 1)}, "models.lurtz.at[0]: must be a finite number"),
    ({"base": "25 furlongs"}, "models.lurtz.base: '25 furlongs' is not a length"),
    ({"bse": 1}, "models.lurtz.bse: unknown key; did you mean `base`?"),
    ({"at": (12.5, 12)}, "overlaps that of `lurtz`"),
    ({"at": (9, 12)}, "models.lurtz.at: its base overlaps `wall`"),
    ({"engaged": ["nobody"]}, "models.lurtz.engaged: no model is called `nobody`"),
    ({"prone": 1}, "models.lurtz.prone: must be true or false, not the number 1"),
    ({"base": None}, "models.lurtz.base: is missing"),
]


@pytest.mark.parametrize(("changes", "words"), CHANGES)
def test_having_looks_at_what_it_is_given(changes, words):
    with pytest.raises(sbg.SbgError, match=re.escape(words)):
        table().having("lurtz", **changes)


def test_having_takes_what_a_file_takes():
    changed = table().having("lurtz", at=np.array([7, 12]), base="40 mm", keywords=["cavalry"], height=None)
    assert changed.model("lurtz") == sbg.Model(
        "lurtz", (7.0, 12.0), 40 / 25.4, None, 6, "evil", keywords=frozenset({"cavalry"})
    )
    near = table().having("lurtz", at=(13, 12 + MERRY.base), engaged=["merry"])
    assert near.model("merry").engaged == {"lurtz"}
    assert near.having("merry", engaged=()).model("lurtz").engaged == frozenset()
    assert sbg.loads(sbg.dump(near)) == near


FEATURE = {
    "type": "Feature",
    "id": "rock",
    "geometry": {
        "type": "Polygon",
        "coordinates": [
            [[2, 2], [6, 2], [6, 6], [2, 6], [2, 2]],
            [[3, 3], [3, 5], [5, 5], [5, 3], [3, 3]],
        ],
    },
    "properties": {"kind": "terrain", "tags": ["unscalable"]},
}


def test_geojson_has_holes():
    made = sbg.Table.from_geojson({"type": "FeatureCollection", "features": [FEATURE]}, width=12, depth=12)
    assert shapely.geometry.shape(made.piece("rock")).area == 16 - 4


def test_geojson_loses_nothing():
    given = table(rulings={"eye": "volume"})
    assert sbg.Table.from_geojson(json.dumps(given.to_geojson())) == given
    for path in sorted((ROOT / "scenarios").glob("*.toml")):
        read = sbg.load(path)
        assert sbg.Table.from_geojson(json.loads(json.dumps(read.to_geojson()))) == read, path.name


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "is nested too deeply"),
        ('{"a": ' + "9" * 6000 + "}", "is not JSON: a whole number has too many digits to be read"),
        ({"type": "Point"}, "must be a FeatureCollection"),
        ({"features": [3]}, "features[0]: must be a Feature with a geometry"),
        ({"features": [{"geometry": {"type": "MultiPolygon"}}]}, "take it apart first"),
        ({"features": []}, "table.width: is missing"),
        ({"features": [FEATURE, FEATURE]}, "features[1].id: stands twice: two features are called `rock`"),
    ],
)
def test_geojson_that_is_none(data, words):
    with pytest.raises(sbg.SbgError, match=re.escape(words)):
        sbg.Table.from_geojson(data)


def test_results_as_values(charging):
    made = [sbg.reach(charging, "uruk-3"), sbg.check(charging, "third-to-pippin"), sbg.charges(charging, "uruk-3")]
    again = [sbg.reach(charging, "uruk-3"), sbg.check(charging, "third-to-pippin"), sbg.charges(charging, "uruk-3")]
    assert made == again
    assert [hash(one) for one in made] == [hash(one) for one in again]
    assert pickle.loads(pickle.dumps(made)) == made
    assert made[0] != sbg.reach(charging, "uruk-3", without=frozenset({"boromir"}))
    assert pickle.loads(pickle.dumps(made[0])).area.equals(made[0].area)


def test_faults_of_a_file_survive_a_pipe():
    with pytest.raises(sbg.FileFaultsError) as caught:
        sbg.loads("[table]\nwidth = 0\n")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.faults) == (str(caught.value), caught.value.faults)


def test_a_charge_list_is_a_sequence(charging):
    found = sbg.charges(charging, "uruk-3")
    assert [entry.target for entry in found] == ["aragorn", "boromir", "pippin"]
    assert len(found) == 3
    assert found["pippin"] is found[-1]
    assert "pippin" in found
    assert "merry" not in found
    with pytest.raises(KeyError, match="there are aragorn, boromir, pippin"):
        found["merry"]
    frame = found.to_frame()
    assert frame["answer"].tolist() == ["yes", "yes", "no"]
    assert frame["needed"].tolist() == pytest.approx([e.verdict.needed for e in found])
    assert sbg.denials(charging, "uruk-3").to_frame()["enemy"].tolist() == ["aragorn", "boromir", "pippin"]


def test_every_result_says_itself_as_data(charging):
    found = sbg.reach(charging, "uruk-3")
    rest = sbg.check(charging, "third-to-pippin"), sbg.charges(charging, "uruk-3"), sbg.denials(charging, "uruk-3")
    with pytest.raises(TypeError, match="a dict has no JSON of its own"):
        told.as_json({})
    for thing in (charging, found, *rest):
        json.dumps(thing.as_json())
        assert json.loads(json.dumps(thing.__geo_interface__))["type"] in {"Feature", "FeatureCollection"}
    assert shapely.geometry.shape(found).area == pytest.approx(found.area.area)
    assert not hasattr(sbg.Phase.begin(charging, "evil"), "__geo_interface__")


def test_a_frame_without_pandas_says_what_to_install(charging, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(sbg.SbgError, match=r"pip install 'sbg_sim\[frames\]'"):
        sbg.charges(charging, "uruk-3").to_frame()


def test_rules_are_explained():
    cited = set()
    for path in (ROOT / "sbg_sim").rglob("*.py"):
        letters = "MOV|CZ|CHG|PAIR|TER|JMP|LEAP|CLB|FALL|PRN|REINF"
        cited |= set(re.findall(rf'"((?:{letters})\.\d+)"', path.read_text(encoding="utf-8")))
    assert cited <= set(sbg.RULES)
    assert {ruling.rule for ruling in sbg.RULINGS.values()} <= set(sbg.RULES)
    assert [rule.id for rule in sbg.RULES.values() if not (ROOT / "scenarios" / rule.scenario).exists()] == []


def test_the_command_explains_a_rule():
    def run(*words):
        return CliRunner().invoke(_sbg_sim, ["rules", *words])

    assert run("MOV.3").stdout.startswith("MOV.3  What a move costs  (Moving)\n")
    assert "ruling stuck_no_closer = start or monotone" in run("cz.4").stdout
    assert len(run().stdout.splitlines()) == 1 + len(sbg.RULES)
    assert [one["id"] for one in json.loads(run("JMP", "--json").stdout)] == ["JMP.1", "JMP.2", "JMP.3"]
    wrong = run("MVO.3")
    assert wrong.exit_code == 2
    assert "did you mean `MOV.3`?" in wrong.stderr


def test_every_key_of_a_file_is_described():
    schema = json_schema()
    forms = {"": schema, **schema["$defs"]}
    keys = {(form, key): said for form, one in forms.items() for key, said in one.get("properties", {}).items()}
    assert len(keys) > 60
    assert [key for key, said in keys.items() if not said.get("description")] == []


def test_a_table_made_of_plain_data_is_typed():
    """What Python accepts at run time, a type checker accepts too: mypy reads what is run here."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert plain_data.__file__ in {str(ROOT / name) for name in project["tool"]["mypy"]["files"]}
    assert plain_data.MOVED.model("a").at == (3.0, 4.0)


def test_a_name_that_is_called_otherwise_here_says_so():
    with pytest.raises(AttributeError, match="it is called `check` here"):
        sbg.ask  # noqa: B018 - looked up
    with pytest.raises(AttributeError, match="it is called `load` here"):
        sbg.read  # noqa: B018 - looked up


@pytest.mark.parametrize(
    "ask",
    [
        lambda t: sbg.check(t, "x"),
        lambda t: sbg.reach(t, "x"),
        lambda t: sbg.charges(t, "x"),
        lambda t: sbg.denials(t, "x"),
        lambda t: sbg.flips(t, "x"),
        lambda t: sbg.doubt(t, "x"),
        lambda t: sbg.rulings(t, "x"),
        lambda t: sbg.simulate(t, "x"),
        lambda t: sbg.threats(t, "x"),
        lambda t: sbg.safe(t, "x"),
        sbg.replay,
        sbg.dump,
    ],
)
def test_a_path_is_no_table_and_the_way_to_one_is_told(ask):
    with pytest.raises(sbg.QuestionError, match=r'load\("table.toml"\) reads one from a file'):
        ask("table.toml")


def test_a_question_may_be_the_keys_of_a_file():
    plain = table()
    given = {"ask": "charge", "model": "lurtz", "target": "merry", "expect": "yes"}
    assert sbg.check(plain, given).question == sbg.Charge("lurtz", "merry")
    with pytest.raises(sbg.SbgError, match="targt: unknown key; did you mean `target`"):
        sbg.check(plain, {"ask": "charge", "model": "lurtz", "targt": "merry"})
    with pytest.raises(sbg.SbgError, match="finite number"):
        sbg.check(plain, {"ask": "move", "model": "lurtz", "to": (float("nan"), 2)})


def test_questions_refuse_what_a_file_may_not_hold():
    with pytest.raises(sbg.QuestionError, match="two finite numbers"):
        sbg.Move("a", (float("nan"), 1))
    with pytest.raises(sbg.QuestionError, match=r"a place \[x, y\]"):
        sbg.Move("a", "x")
    with pytest.raises(sbg.QuestionError, match="at least one"):
        sbg.Charge("a", [])
    assert sbg.Move("a", [1, 2]) == sbg.Move("a", (1.0, 2.0))
    assert sbg.Charge("a", ["b"]) == sbg.Charge("a", ("b",))


def test_a_reach_says_what_a_place_is():
    plain = table()
    with pytest.raises(sbg.QuestionError, match="places are"):
        sbg.reach(plain, "merry").distance([6])


def test_audits_and_phases_are_data_too():
    plain = table()
    verdict = sbg.check(plain, sbg.Move("lurtz", (6, 15)))
    told = json.loads(json.dumps(sbg.audit(plain, "lurtz", verdict.route).as_json()))
    assert (told["legal"], told["cost"]) == (True, pytest.approx(verdict.needed))
    phase = json.loads(json.dumps(sbg.Phase(plain, "evil").as_json()))
    assert (phase["side"], phase["steps"]) == ("evil", [])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (lambda: sbg.Phase("x.toml"), r'load\("x.toml"\) reads one'),
        (lambda: sbg.Phase(table()), "moves first, 'evil' or 'good'"),
        (lambda: sbg.load(None), "no path of a file; loads reads a text"),
        (lambda: sbg.loads(None), "no text; load reads a file"),
        (lambda: sbg.inches(math.inf), "not a finite length"),
        (lambda: table().piece(3), "piece of terrain"),
        (lambda: sbg.inches(None), "write a number of inches"),
        (lambda: sbg.circle(["a", 0], 1), r"a place is \[x, y\]"),
        (lambda: sbg.campaign("x.toml", "q"), r'load\("x.toml"\) reads one'),
        (lambda: sbg.simulate(table(), 3, trials=1), "3 is not a question: use Measure"),
    ],
)
def test_a_wrong_guess_names_the_remedy(given, said):
    with pytest.raises(sbg.SbgError, match=said):
        given()


def test_a_question_may_come_as_id_keys_or_value_everywhere():
    plain = table()
    keys = {"ask": "charge", "model": "lurtz", "target": "merry"}
    asked = plain.asked(keys)
    for ask in (sbg.check, sbg.certainty, sbg.rulings, sbg.campaign, lambda t, q: sbg.simulate(t, q, trials=3, seed=1)):
        assert ask(plain, keys) == ask(plain, asked) == ask(plain, asked.question)


def test_screens_and_campaigns_are_data_too():
    plain = table()
    screened = json.loads(json.dumps(sbg.screen(plain, "merry").as_json()))
    assert (screened["model"], screened["through"]) == ("merry", [])
    way = sbg.campaign(sbg.load(ROOT / "scenarios" / "jumping.toml"), "pippin-too-far")
    assert way.as_json(2)["arrived_by_turn"] == ["0/1", "31/36"]
    assert repr(way) == "<Campaign over wall: 2.167 turns expected (13/6)>"
