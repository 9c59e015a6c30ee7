"""Names that would steer a terminal, in what every command prints."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from sbg_sim.cli import group
from sbg_sim.cli.group import _sbg_sim

ESCAPED = r"a\u001b[31m\u202e\u0007\nz"
NAME = "a\x1b[31m\u202e\a\nz"
STEERS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]|\nz")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")

TABLE = f"""\
[table]
width = 24
depth = 24
[models."{ESCAPED}"]
at = [8, 10]
base = "25 mm"
height = 1.5
move = 6
side = "{ESCAPED}"
[models.uruk]
at = [12, 10]
base = "25 mm"
height = 1.5
move = 6
side = "evil"
[models."{ESCAPED}2"]
at = [13.1, 12]
base = "25 mm"
height = 1.5
move = 6
side = "{ESCAPED}"
[terrain."w{ESCAPED}"]
tags = ["obstacle"]
height = 1
polygon = [[9, 12], [12, 12], [12, 12.3], [9, 12.3]]
[questions."q{ESCAPED}"]
ask = "move"
model = "{ESCAPED}"
to = [10, 13]
"""
RECORD = f"""
[phase]
priority = "{ESCAPED}"
[[moves]]
model = "{ESCAPED}"
"""
LEGAL, TOO_FAR, CHARGES = "to = [8, 8]\n", "to = [8, 20]\n", 'charge = ["uruk"]\n'
OPEN = re.sub(r"\[terrain.*?\n(?=\[)", "", TABLE, flags=re.DOTALL)  # where dice land, `safe` asks a lot
TAPE = f"""
[[readings]]
from = "{ESCAPED}3"
to = "left"
inches = 4
[[readings]]
from = "{ESCAPED}3"
to = "lower"
inches = 4
[models."{ESCAPED}3"]
near = [5, 5]
base = "25 mm"
"""
ASKED = f"q{NAME}"
GAME = "map\nuruk to 8 12\nwhy uruk to 8 20\nwhy uruk to 8.5 10\nend\nwho\nquit\n"


@pytest.fixture
def said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def call(text, *args, typed=None):
        (tmp_path / "t.toml").write_text(text, encoding="utf-8")
        done = CliRunner().invoke(_sbg_sim, list(args), color=True, input=typed)
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return done.output

    return call


@pytest.mark.parametrize(
    "args",
    [
        ("campaign", ASKED),
        ("charges", NAME),
        ("check",),
        ("check", "nobody"),
        ("check", ASKED, "--certificate", "c.json"),
        ("denies", NAME),
        ("doubt", ASKED, "--trials", "3"),
        ("flips", ASKED),
        ("order", "--wishes", f"{NAME}:uruk"),
        ("order", "--wishes", f"{NAME}:{NAME}2"),
        ("order", "--wishes", "uruk:nobody"),
        ("reach", NAME, f"{NAME}2"),
        ("rulings", ASKED),
        ("safe", NAME),
        ("safe", "uruk", "--screen"),
        ("simulate", ASKED, "--trials", "10"),
        ("sweep", ASKED, "--vary", "models.uruk.move=5"),
        ("threats", NAME),
    ],
)
def test_answers(said, args):
    out = said(OPEN if args[0] == "safe" else TABLE, args[0], "t.toml", *args[1:])
    assert not STEERS.search(out), out


@pytest.mark.parametrize(
    ("more", "args"),
    [
        (RECORD + LEGAL, ("replay", "t.toml")),
        (RECORD + TOO_FAR, ("replay", "t.toml")),
        (RECORD + CHARGES, ("replay", "t.toml")),
        (RECORD + TOO_FAR, ("replay", "t.toml", "--out", NAME + ".toml")),
        (RECORD + TOO_FAR, ("next", "t.toml", "--priority", NAME)),
        (RECORD + LEGAL, ("next", "t.toml", "--priority", NAME, "--out", "n.toml")),
        (RECORD + LEGAL, ("next", "t.toml", "--priority", "roll", "--seed", "1", "--out", "n.toml")),
        (TAPE, ("readings", "t.toml")),
        (TAPE, ("readings", "t.toml", "--plot", NAME + ".svg")),
    ],
)
def test_records_and_tapes(said, more, args):
    out = said(TABLE + more, *args)
    assert "\\u202e" in out
    assert not STEERS.search(out), out


def test_a_game_shows_the_colours_of_its_map_and_no_others(said):
    out = said(TABLE, "phase", "t.toml", "--priority", NAME, "--plain", typed=GAME)
    assert "not allowed: " in out
    assert "\\u202e" in out
    assert not STEERS.search(out.replace(r"\x07" + "\n", "")), out  # what a game says is of several lines
    out = said(TABLE, "map", "t.toml", NAME)
    assert "\\u202e" in out
    assert not STEERS.search(COLOUR.sub("", out)), out


def test_what_a_wrong_call_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(group, "bound_memory", lambda _: None)
    (tmp_path / "t.toml").write_text(TABLE + RECORD + LEGAL, encoding="utf-8")
    assert group.run(["next", "t.toml", "--priority", "nobody"]) == 2
    told = capsys.readouterr().err
    assert "\\u202e" in told
    assert not STEERS.search(told.replace("\nz", "")), told


@pytest.mark.parametrize("out", ["x.svg", "x.png"])
def test_a_line_that_ends_within_a_name_is_drawn_without_a_word(said, out, recwarn):
    assert said(TABLE, "plot", "t.toml", ASKED, "--out", out) == f"wrote {out}\n"
    assert not [str(one.message) for one in recwarn]
