"""Files of the board games through ``check``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sbg_sim import document
from sbg_sim.errors import FileFaultsError
from sbg_sim.scenario import games

ROOT = Path(__file__).parents[2]

METW = """\
game = "metw"
[companies.a]
site = "Rivendell"
[questions.q]
ask = "reach"
company = "a"
[questions.m]
ask = "move"
company = "a"
to = "Moria"
expect = "yes"
"""


@pytest.fixture
def game(tmp_path):
    def write(text):
        path = tmp_path / "game.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_answers(run, game):
    result = run("check", game(METW), "--json")
    assert result.exit_code == 0, result.stderr
    reach, move = json.loads(result.stdout)
    assert (reach["question"], move["question"], move["answer"]) == ("q", "m", "yes")
    assert "m (move): yes" in run("check", game(METW), "m").stdout


def test_an_expectation_not_met(run, game):
    result = run("check", game(METW.replace('expect = "yes"', 'expect = "no"')))
    assert result.exit_code == 1
    assert result.stderr == "m: expected no, got yes\n"


def test_what_is_not_expected_is_not_counted(run, game):
    path = game(METW)
    assert run("check", path).stdout.splitlines()[-1] == "1 of 1 as expected, 1 without an expectation"
    assert "as expected" not in run("check", path, "q").stdout
    lines = [json.loads(line) for line in run("check", path, path, "--jsonl").stdout.splitlines()]
    assert [line["met"] for line in lines] == [None, True] * 2


def test_an_entry_of_an_array_is_written_as_in_every_file(run, game):
    text = """\
game = "lotr-tcg"
[players.a]
[players.b]
[[path]]
site = "shadows/nurn"
owner = "c"
"""
    result = run("check", game(text), "--json")
    assert ":6:9: path[0].owner: no player is called 'c'" in result.stderr
    assert json.loads(result.stdout)[0]["faults"][0]["key"] == "path[0].owner"


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('game = "metw"', 'game = "mtew"', 1, "did you mean `metw`"),
        ('game = "metw"', "game = 3", 1, "must be a string, not the number 3"),
        ('game = "metw"', 'game = ["metw"]', 1, "must be a string, not an array"),
        ("site =", "sitte =", 3, "did you mean `site`"),
        ('"Rivendell"', '"Rivendel"', 3, "companies.a.site"),
        ('to = "Moria"', "to = 3", 10, "a string"),
        ("[companies.a]", "[companies.a", 2, "not TOML"),
    ],
)
def test_faults_have_their_place(run, game, old, new, line, words):
    path = game(METW.replace(old, new))
    result = run("check", path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert any(row.startswith(f"{path}:{line}:") and words in row for row in result.stderr.splitlines()), result.stderr


def test_an_unknown_question(run, game):
    result = run("check", game(METW), "mm")
    assert result.exit_code == 2
    assert "`m`" in result.stderr


def test_a_board_has_no_reach(run, game):
    result = run("reach", game(METW), "a")
    assert result.exit_code == 2
    assert "board game" in result.stderr


def test_a_game_is_played_saved_and_gone_on_with(run, game, tmp_path):
    path, saved = game('game = "metw"\nnew_game = true\n'), tmp_path / "saved.toml"
    words = f"why Edoras\nbree path\nreveals\nsave {saved}\nquit\n"
    result = run("play", path, typed=words)
    assert result.exit_code == 0
    assert "M8" in result.stdout
    assert "one-1 (one) at Bree, has moved" in result.stdout
    result = run("play", str(saved), "--resume", typed="quit\n")
    assert "one-1 (one) at Bree, has moved" in result.stdout
    result = run("play", str(saved), typed="quit\n")
    assert "--resume goes on" in result.stdout


def test_a_table_is_not_played_as_a_board(run):
    result = run("play", "scenarios/amon-hen.toml")
    assert result.exit_code == 2
    assert "sbg-sim phase" in result.stderr


def test_a_misspelt_key_of_a_board_game_is_told_once(tmp_path):
    text = (ROOT / "scenarios/boards/war-of-the-ring/leaving-the-fellowship.toml").read_text(encoding="utf-8")
    for right, wrong in (("[fellowship]", "[felowship]"), ("who = ", "woh = ")):
        file = tmp_path / "game.toml"
        file.write_text(text.replace(right, wrong, 1), encoding="utf-8")
        with pytest.raises(FileFaultsError) as told:
            games.answers(document.read(file))
        assert [fault.reason for fault in told.value.faults] == [f"unknown key; did you mean `{right.strip('[= ]')}`?"]
