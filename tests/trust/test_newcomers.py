"""What somebody types who has read nothing: numbers that nobody means, names that are none, things of another kind."""

from __future__ import annotations

import copy
import json
import logging
import math
import pickle
import time

import numpy as np
import pytest
from click.testing import CliRunner

import sbg_sim as sbg
from sbg_sim.certificate.form import CertificateError
from sbg_sim.cli.group import _sbg_sim
from sbg_sim.errors import FileFaultsError, QuestionError, SbgError, UnknownNameError
from sbg_sim.units import fraction

TABLE = """[table]
width = 24
depth = 24
[models.lurtz]
base = 1
height = 1.5
move = 6
side = "evil"
at = [6, 12]
[models.merry]
base = 1
height = 1
move = 4
side = "good"
at = [13, 12]
[terrain.wall]
tags = ["obstacle"]
height = 1
polygon = [[9, 8], [9.4, 8], [9.4, 16], [9, 16]]
"""
CHARGE = '[questions.q]\nask = "charge"\nmodel = "lurtz"\ntarget = "merry"\n'


@pytest.fixture(scope="module")
def table():
    return sbg.loads(TABLE + CHARGE)


@pytest.fixture
def run():
    return lambda *args: CliRunner().invoke(_sbg_sim, args)


def fault(text):
    with pytest.raises(FileFaultsError) as caught:
        sbg.loads(text, "f.toml")
    (found,) = caught.value.faults
    return f"{found.key}: {found.reason}"


# -- numbers that take for ever to write out -----------------------------------------------------------------------


@pytest.mark.parametrize("text", ["1e999999999", "1e-999999999", "1E+0999999999", "9" * 5000, "1/0", "six", ""])
def test_numbers_are_read_in_bounded_time(text):
    begun = time.process_time()
    with pytest.raises(ValueError):
        fraction(text)
    assert time.process_time() - begun < 1


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("simulate", "FILE", "q", "--trials", "1e999999999"), "is not a whole number"),
        (
            ("simulate", "FILE", "q", "--trials", "9" * 5000),
            "'9999999999999999999999999999999999999...' is not a whole",
        ),
        (("reach", "FILE", "lurtz", "--least", "1e-999999999"), "is no chance"),
        (("simulate", "FILE", "q", "--seed", "x"), "'x' is not a whole number"),
        (("threats", "FILE", "evil", "--workers", "two"), "'two' is not a whole number"),
        (("--memory", "much", "check", "FILE"), "'much' is not a number"),
        (("sweep", "FILE", "q", "--vary", "models.lurtz.move=nan:2:1"), "takes finite numbers"),
        (("check", ""), "the name of a file is empty"),
        (("check", "a\nb.toml"), "a\\nb.toml: there is no such file"),
    ],
)
def test_options_are_refused_in_words_for_people(run, tmp_path, args, said):
    file = tmp_path / "t.toml"
    file.write_text(TABLE + CHARGE)
    result = run(*(str(file) if arg == "FILE" else arg for arg in args))
    assert result.exit_code == 2, result.output
    assert said in result.stderr.splitlines()[-1]
    assert len(result.stderr) < 1000


def test_a_folder_is_no_picture(run, tmp_path):
    (tmp_path / "d.svg").mkdir()
    result = run("reach", "none.toml", "lurtz", "--plot", str(tmp_path / "d.svg"))
    assert result.exit_code == 2
    assert "this is a folder" in result.stderr  # told before the file is even looked for


def test_what_varying_spoils_is_placed(table):
    with pytest.raises(QuestionError, match=r"cannot be 1: terrain\.wall\.polygon: lies"):
        sbg.sweep(table, "q", "table.width", [1])


# -- files ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"evil"', '"  "', "models.lurtz.side: is blank; name a side, or leave it out"),
        ('"evil"', '"go\\u200bod"', "elsewhere; write it one way"),
        ("[9, 8], [9.4, 8], [9.4, 16], [9, 16]", "[9, 8], [9, 8], [9, 8]", "needs at least 3 different corners, not 1"),
        ("move = 6", "move = -1", "models.lurtz.move: must be at least 0, not -1"),
        ("polygon = [[9, 8], [9.4, 8], [9.4, 16], [9, 16]]", 'wkt = "POLYGON ((9"', "is not WKT: Expected number"),
        ("[models.lurtz]", '[models.""]', 'models."": must not be empty'),
    ],
)
def test_one_fault_of_a_file(old, new, said):
    assert said in fault(TABLE.replace(old, new, 1))


def test_answers_may_be_copied_and_pickled(table):
    """The graphs of a reach hold functions, which no pickle takes: it is left with what it has found."""
    reach = sbg.reach(table, "lurtz")
    there = (6.5, 13.0)
    asked = reach.distance(there), reach.area.area
    for found in (pickle.loads(pickle.dumps(reach)), copy.deepcopy(reach)):
        assert (found.distance(there), found.area.area) == asked
    safe = sbg.safe(table, "merry")
    found = pickle.loads(pickle.dumps(safe))
    assert (repr(found), found.margin((13.0, 12.5))) == (repr(safe), safe.margin((13.0, 12.5)))


@pytest.mark.parametrize(("x", "told"), [(6, 1), (8.5, 0)])
def test_one_that_climbs_nothing(caplog, x, told):
    with caplog.at_level(logging.WARNING, logger="sbg_sim"):
        sbg.loads(TABLE.replace("at = [6, 12]", f"at = [{x}, 12]\nclimbed = 0.5"))
    assert [("touches nothing that can be climbed" in r.getMessage()) for r in caplog.records] == [True] * told


# -- certificates --------------------------------------------------------------------------------------------------


@pytest.fixture
def paper(run, tmp_path):
    (tmp_path / "t.toml").write_text(TABLE + CHARGE)
    file = tmp_path / "c.json"
    assert run("check", str(tmp_path / "t.toml"), "q", "--certificate", str(file)).exit_code == 0
    return json.loads(file.read_text())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": None}, "version: is missing; it must be 1"),
        ({"claim": None}, "claim: must be a table, not null"),
        ({"legs": "x"}, 'legs: must be an array, not the string "x"'),
        ({"seal": "x"}, "seal: must match the pattern"),
        ({"made_by": 3}, "made_by: must be a string, not the number 3"),
        ({"question": "x"}, "question: the table asks nothing"),
    ],
)
def test_certificates_that_are_spoilt(run, tmp_path, paper, change, said):
    file = tmp_path / "spoilt.json"
    file.write_text(json.dumps(paper | change))
    result = run("verify", str(file))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"{file}: {said}")
    with pytest.raises(CertificateError):
        sbg.verify(paper | change)


@pytest.mark.parametrize("wrong", [None, 3, {"a": 1}, {}])
def test_what_is_no_certificate(wrong):
    with pytest.raises(CertificateError, match="certificate"):
        sbg.verify(wrong)


def test_a_certificate_with_a_byte_order_mark(run, tmp_path, paper):
    file = tmp_path / "mark.json"
    file.write_text(json.dumps(paper), encoding="utf-8-sig")
    assert run("verify", str(file)).exit_code == 0


def test_a_chance_that_nobody_can_write_out(paper):
    paper["claim"]["chance"] = "1e-999999999"
    with pytest.raises(CertificateError, match="no fraction"):
        sbg.verify(paper)


# -- Python --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ask", [sbg.reach, sbg.charges, sbg.denials, sbg.safe, sbg.screen])
@pytest.mark.parametrize("name", [[], ["lurtz"], {}, None, 3])
def test_names_that_are_no_strings(table, ask, name):
    with pytest.raises(UnknownNameError, match="is named by its id, a string, not"):
        ask(table, name)


def test_a_model_where_its_name_is_wanted(table):
    with pytest.raises(UnknownNameError, match="a model is named by its id: 'lurtz'"):
        sbg.reach(table, table.model("lurtz"))


@pytest.mark.parametrize("workers", [0, -1, 1.5, "2", None, True, math.nan])
def test_workers_are_counted(table, workers):
    with pytest.raises(QuestionError, match="workers must be a whole number from 1 up"):
        sbg.threats(table, "evil", workers=workers)


@pytest.mark.parametrize("xy", ["x", None, [[1, 2], [3]], [["a", "b"]], [1j, 2], {1: 2}, [math.nan, 1], [1], [1, 2, 3]])
def test_places_that_are_none(table, xy):
    reach = sbg.reach(table, "lurtz")
    for ask in (reach.distance, reach.path, reach.chance):
        with pytest.raises(QuestionError, match=r"place|finite"):
            ask(xy)


@pytest.mark.parametrize("xy", [[[7, 12]], np.zeros((0, 2)), np.zeros((2, 2, 2)), ["7", "12"], [math.inf, 1]])
def test_one_place_is_wanted_for_a_path(table, xy):
    with pytest.raises(QuestionError, match="xy: must be"):
        sbg.reach(table, "lurtz").path(xy)


@pytest.mark.parametrize("least", [math.nan, "x", None, 0, 2, -1, True])
def test_least_chances_that_are_none(table, least):
    with pytest.raises(QuestionError, match="is no chance"):
        sbg.reach(table, "lurtz", least=least)


@pytest.mark.parametrize(
    ("key", "values"), [(None, [1]), (3, [1]), ("models.lurtz.move", 3), ("models.lurtz.move", "12")]
)
def test_sweeps_of_nothing(table, key, values):
    with pytest.raises(QuestionError, match=r"a parameter is|values are"):
        sbg.sweep(table, "q", key, values)


@pytest.mark.parametrize("priority", ["elves", 3, ["evil"]])
def test_priority_of_nobody(table, priority):
    with pytest.raises(SbgError, match="no model is on the side"):
        sbg.Phase(table, priority)


def test_two_of_one_name_in_a_list():
    twice = [sbg.Model("a", (3, 3), 1), sbg.Model("a", (6, 3), 1)]
    with pytest.raises(FileFaultsError, match=r"models\.a: stands twice"):
        sbg.Table(9, 9, models=twice)


@pytest.mark.parametrize("at", [3, None, "ab", (1, 2, 3), ("a", "b", "c"), [None, 1]])
def test_a_model_stands_at_a_place(at):
    with pytest.raises(SbgError, match=r"must|takes"):
        sbg.Table(9, 9, models={"a": sbg.Model("a", at, 1)})


def test_records_and_paths_of_another_kind(table):
    with pytest.raises(QuestionError, match="is not a record"):
        sbg.replay(table, [{"model": "lurtz"}])
    with pytest.raises(SbgError, match="no path"):
        sbg.save(table, 3)
    with pytest.raises(SbgError, match="no picture of None"):
        sbg.plot(None)


@pytest.mark.parametrize("name", ["amon-hen", "obstacles", "levels/stairs", "levels/roofs", "zone-above-binds"])
def test_where_every_rounding_of_numpy_is_an_error(name):
    """Who sets `numpy.seterr` for their own work gets the same answers."""

    def answers():
        table = sbg.load(f"scenarios/{name}.toml")  # anew: what is known of a table is not worked out again
        model = next(iter(table.models))
        told = [sbg.check(table, question).as_json() for question in table.questions]
        return told, sbg.reach(table, model).area.area, sbg.charges(table, model).as_json()

    usual = answers()
    with np.errstate(all="raise"):
        assert answers() == usual
