"""``sbg-sim check``: answers, expectations, exit codes."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from unicodedata import normalize

import pytest

from sbg_sim.errors import QuestionError
from tests.cli.conftest import FILE


def test_answers_and_met_expectations(run, solver, file):
    result = run("check", file)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "can-he (lurtz charges merry): yes" in result.stdout
    assert "CHG.1" in result.stdout
    assert "Nothing is in the way." in result.stdout


def test_json_is_an_array_with_an_object_per_question(run, solver, file):
    result = run("check", file, "--json")
    can_he, how_far = json.loads(result.stdout)
    assert (can_he["question"], can_he["ask"], can_he["answer"], can_he["chance"]) == (
        "can-he",
        "charge",
        "yes",
        "1/1",
    )
    assert (how_far["inches"], how_far["answer"], how_far["chance"]) == (4.0, None, None)


def test_only_the_questions_named(run, solver, file):
    assert [q["question"] for q in json.loads(run("check", file, "how-far", "--json").stdout)] == ["how-far"]


@pytest.mark.parametrize("written", ["NFC", "NFD"])
@pytest.mark.parametrize("typed", ["NFC", "NFD"])
def test_a_name_is_one_in_either_normal_form(run, tmp_path, written, typed):
    """So are files found that are called so."""
    file, out = tmp_path / normalize("NFD", "Théoden.toml"), tmp_path / normalize("NFD", "é")
    text = FILE.replace('"merry"', "merry").replace("merry", '"Éomer"').replace("how-far", '"où"')
    file.write_text(normalize(written, text), "utf-8")
    out.mkdir()
    told = run("check", str(file), normalize(typed, "où"))
    assert (told.exit_code, told.stderr, "Éomer" in told.stdout) == (0, "", True)
    assert run("map", str(file), normalize(typed, "Éomer")).exit_code == 0
    assert run("plot", str(file), f"--out={out / 'p.svg'}").exit_code == 0
    assert (out / "p.svg").exists()


def test_an_expectation_not_met_is_exit_1(run, solver, file):
    solver.answers["can-he"] = {"answer": "chance", "chance": Fraction(5, 6), "needed": 5.0}
    for extra in ([], ["--json"]):
        result = run("check", file, *extra)
        assert result.exit_code == 1
        assert result.stderr.splitlines() == [
            "can-he: expected yes, got chance",
            "can-he: expected needed = 4 (5 - 1), got 5",
        ]
    assert run("check", file, "how-far").exit_code == 0


def test_an_unknown_question(run, solver, file):
    result = run("check", file, "can-she")
    assert (result.exit_code, result.stdout) == (2, "")
    assert file in result.stderr
    assert "`can-he`" in result.stderr


def test_a_file_that_is_wrong(run, file):
    text = Path(file).read_text(encoding="utf-8")
    wrong = text.replace('side = "evil"', "sied = 1").replace("[9, 4]", "[4.5, 4]")
    Path(file).write_text(wrong, encoding="utf-8")
    result = run("check", file, "--json")
    assert result.exit_code == 2
    (told,) = json.loads(result.stdout)
    assert told["file"] == file
    assert [(f["line"], f["column"], f["key"]) for f in told["faults"]] == [
        (7, 1, "models.lurtz.sied"),
        (9, 6, "models.merry.at"),
    ]
    lines = result.stderr.splitlines()
    assert lines[0].startswith(f"{file}:7:1: models.lurtz.sied: unknown key")
    assert lines[1].startswith(f"{file}:9:6: models.merry.at: its base overlaps that of `lurtz`")
    assert len(lines) == 2


def test_missing_files_and_folders(run, tmp_path):
    for path in (tmp_path, tmp_path / "none.toml"):
        result = run("check", path)
        assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (2, "", 1)


def test_what_a_question_needs_is_told_with_its_place(run, solver, file):
    solver.error = QuestionError("models.lurtz.height is missing, and this question needs it")
    result = run("check", file)
    assert result.exit_code == 2
    assert result.stderr == f"{file}:4:2: models.lurtz.height: is missing, and this question needs it\n"


def test_a_table_without_questions(run, solver, tmp_path):
    path = tmp_path / "bare.toml"
    path.write_text("[table]\nwidth = 1\ndepth = 1\n")
    assert run("check", path, "--json").stdout == "[]\n"
    assert run("check", path).exit_code == 0


def test_a_long_list_of_faults_is_cut(run, tmp_path):
    path = tmp_path / "long.toml"
    path.write_text("[table]\nwidth = 1\ndepth = 1\n" + "".join(f"x{i} = 1\n" for i in range(150)))
    lines = run("check", path).stderr.splitlines()
    assert len(lines) == 101
    assert lines[-1] == "and 50 more"


def test_what_cannot_be_answered_keeps_no_other_question_from_its_turn(run, tmp_path):
    """Nobody says how far ann moves; how far apart the two are is told all the same, and the exit code is 2."""
    path = tmp_path / "t.toml"
    path.write_text(
        "[table]\nwidth = 24\ndepth = 24\n"
        '[models.ann]\nbase = 1\nheight = 1\nside = "good"\nat = [6, 12]\n'
        '[models.ork]\nbase = 1\nheight = 1\nside = "evil"\nat = [12, 12]\n'
        '[questions.can]\nask = "charge"\nmodel = "ann"\ntarget = "ork"\n'
        '[questions.again]\nask = "reach"\nmodel = "ann"\n'
        '[questions.far]\nask = "measure"\nfrom = "ann"\nto = "ork"\nexpect = 5\n',
        encoding="utf-8",
    )
    result = run("check", str(path), "--json")
    far, wrong = json.loads(result.stdout)
    assert (result.exit_code, far["question"], far["inches"]) == (2, "far", 5.0)
    assert [(fault["key"], fault["line"]) for fault in wrong["faults"]] == [("models.ann.move", 4)]
    assert run("check", str(path)).stdout.splitlines()[-1] == "1 of 1 as expected"


def test_a_measure_from_a_thing_to_itself_is_a_fault(run, tmp_path):
    path = tmp_path / "t.toml"
    path.write_text(
        "[table]\nwidth = 24\ndepth = 24\n"
        "[models.ann]\nbase = 1\nat = [6, 12]\n"
        '[questions.far]\nask = "measure"\nfrom = "ann"\nto = "ann"\n',
        encoding="utf-8",
    )
    result = run("check", str(path))
    assert result.exit_code == 2
    assert "t.toml:10:6: questions.far.to: `ann` is named twice; a measure runs between two things" in result.stderr


def test_a_gap_between_a_model_and_another_is_not_one_it_goes_through(run, tmp_path):
    path = tmp_path / "t.toml"
    path.write_text(
        "[table]\nwidth = 24\ndepth = 24\n"
        "[models.ann]\nbase = 1\nat = [6, 12]\n[models.ben]\nbase = 1\nat = [8, 12]\n"
        '[questions.far]\nask = "gap"\nbetween = ["ann", "ben"]\nmodel = "ben"\n',
        encoding="utf-8",
    )
    result = run("check", str(path))
    assert result.exit_code == 2
    assert "t.toml:13:9: questions.far.model: `ben` is one of the two things that the gap lies" in result.stderr
