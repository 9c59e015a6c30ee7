"""What commands print for people and for programs, and the calls they refuse, where no other test asks."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from importlib.metadata import PackageNotFoundError
from types import SimpleNamespace

import click
import pytest
from click.testing import CliRunner

import sbg_sim as sbg
from sbg_sim.cli import group, show, watching
from sbg_sim.cli.evidence import _maker
from sbg_sim.cli.group import _COMMANDS, _sbg_sim
from sbg_sim.cli.waiting import Waiting
from sbg_sim.errors import SbgError
from sbg_sim.web import openapi

OPEN = """\
[table]
width = 24
depth = 24
[models.m]
at = [4, 4]
base = 1
height = 1.5
move = 6
side = "good"
[questions.q]
ask = "move"
model = "m"
to = [7, 8]
"""
GAME = 'game = "metw"\nnew_game = true\n[questions.q]\nask = "reach"\ncompany = "one-1"\n'
DECK = '[terrain.deck]\ntags = ["platform"]\nheight = 0.5\npolygon = [[6, 2], [10, 2], [10, 6], [6, 6]]\n'
THREAT = OPEN.replace(
    "[questions", '[models.e]\nat = [10, 4]\nbase = 1\nheight = 1.5\nmove = 6\nside = "evil"\n[questions'
)
FAR = THREAT.replace("at = [10, 4]", "at = [20, 4]").replace('side = "good"', 'side = "good"\nmay_move = false')
FRIEND = '[models.f]\nat = [7, 7]\nbase = 1\nheight = 1.5\nmove = 6\nside = "good"\n'
HIDDEN = """\
[models.looker]
at = [4, 12]
base = 1
height = 1.5
side = "good"
[models.friend]
at = [6, 12]
base = 1.6
height = 30
side = "good"
[models.target]
at = [10, 12]
base = 1
height = 1.5
side = "evil"
[terrain.hut]
tags = ["unscalable"]
height = 9
polygon = [[9.4, 11], [14, 11], [14, 13], [9.4, 13]]
lets_through = ["target"]
[questions.sees]
ask = "sight"
model = "looker"
target = "target"
"""


@pytest.fixture
def path(tmp_path):
    def write(text):
        (tmp_path / "case.toml").write_text(text, encoding="utf-8")
        return str(tmp_path / "case.toml")

    return write


@pytest.mark.parametrize(
    ("text", "args", "said"),
    [
        (GAME, ["check", "FILE", "--certificate", "c.json"], "is for a question at a table, and this is a board game"),
        (OPEN, ["readings", "FILE"], "there are none in this file"),
        (OPEN, ["sweep", "FILE", "q", "--vary", "models.m.move=3,4", "--json", "--csv"], "two ways to print"),
        (OPEN, ["replay", "FILE", "--priority", "good"], "say with --out where to write it"),
        (OPEN, ["doubt", "FILE", "q", "--sigma", "1 mm", "--dask", "here:1"], "--dask needs the package"),
        (OPEN, ["serve", "FILE"], "serve needs starlette: pip install starlette uvicorn websockets"),
        ('game = "riddle"\n', ["play", "FILE"], "give `at` and `allowance` under [marker]"),
    ],
)
def test_what_is_refused(run, path, text, args, said, monkeypatch):
    monkeypatch.setattr(sbg, "web", import_module("sbg_sim.web"))  # so that it is again what it was
    for name in ("distributed", "starlette"):
        monkeypatch.setitem(sys.modules, name, None)
    for name in [name for name in sys.modules if name.startswith(("sbg_sim.web", "starlette."))]:
        monkeypatch.delitem(sys.modules, name)
    found = run(*(path(text) if arg == "FILE" else arg for arg in args))
    assert (found.exit_code, found.stdout) == (2, "")
    assert said in found.stderr


def test_a_cluster_that_does_not_answer_is_told_as_one(run, path, monkeypatch):
    def silent(_):
        raise TimeoutError("timed out")

    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=silent))
    found = run("doubt", path(OPEN), "q", "--sigma", "1 mm", "--dask", "here:1")
    assert (found.exit_code, found.stdout) == (2, "")
    assert "--dask: no scheduler answers at here:1: timed out" in found.stderr


def test_rulings_alone_and_together(run, path):
    assert (
        run("rulings", path(OPEN), "q").stdout == "q: yes, as the table is played\nno ruling can touch this question\n"
    )
    said = run("rulings", path(OPEN + HIDDEN), "sees").stdout
    assert "together: models_block_sight = no and sight_within = ignored: yes\n" in said


def test_doubt_is_the_same_with_more_processes(run, path):
    call = ("doubt", path(OPEN), "q", "--sigma", "1 mm", "--trials", 20, "--json")
    assert run(*call, "--workers", 2).stdout == run(*call).stdout


def test_a_reach_tells_its_platforms(run, path):
    rows = run("reach", path(OPEN + DECK), "m").stdout.splitlines()
    assert any(row.split()[:2] == ["deck", "1/1:"] for row in rows)


def test_rules_of_a_chapter_stand_apart(run):
    said = run("rules", "CZ").stdout
    assert said.count("\n\n") == len(json.loads(run("rules", "CZ", "--json").stdout)) - 1


def test_the_form_of_a_certificate(run):
    found = json.loads(run("schema", "--certificate").stdout)
    assert {"claim", "legs", "table"} <= found["properties"].keys()


def test_a_wish_that_cannot_come_true(run, path):
    found = run("order", path(THREAT.replace("[10, 4]", "[20, 20]")), "--wishes", "m:e")
    assert found.exit_code == 1
    assert "-  m cannot charge e: " in found.stdout


def test_priority_where_there_is_but_one_side(run, path):
    text = OPEN.replace("[questions", '[phase]\npriority = "good"\n[questions')
    found = run("next", path(text))
    assert (found.exit_code, found.stderr) == (0, "")
    assert found.stdout.count('priority = "good"') == 1


def test_screens_for_people_and_programs(run, path):
    file = path(THREAT + FRIEND)
    data = json.loads(run("safe", file, "m", "--screen", "--json").stdout)
    ((name, (x, y)),) = ((row["model"], row["at"]) for row in data["places"])
    assert name == "f"
    assert f"to ({x:.3f}, {y:.3f})" in run("safe", file, "m", "--screen").stdout


def test_a_screen_that_is_interrupted_says_how_many_were_asked(run, path, monkeypatch):
    def stopped(table, model, progress):
        progress(3, 100)
        raise KeyboardInterrupt

    monkeypatch.setattr(import_module("sbg_sim.threats"), "screen", stopped)
    found = run("safe", path(THREAT), "m", "--screen")
    assert found.exit_code == 130
    assert "no screen among the 3 arrangements asked" in found.stderr


def test_a_table_on_a_wide_terminal_has_lines_and_on_a_narrow_one_blocks(capsys, monkeypatch):
    rows = [["lurtz", "yes", "4.5"], ["ugluk", "no", "9"]]
    for width, lines in (("80", 3), ("12", 6)):
        monkeypatch.setenv("COLUMNS", width)
        show._on_terminal(["model", "answer", "needed"], rows, [5, 6, 6])
        said = [line for line in capsys.readouterr().out.splitlines() if line.strip()]
        assert len(said) == lines
        assert "lurtz" in "".join(said[:2])


def test_a_long_line_is_broken_between_words_on_a_terminal_alone(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    said = "-  uruk-3 cannot charge pippin: it enters the zone of aragorn first (CHG.3)"
    show.line(said)
    assert capsys.readouterr().out == f"{said}\n"
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    show.line(said)
    assert capsys.readouterr().out.splitlines() == [
        "-  uruk-3 cannot charge",
        "  pippin: it enters the zone",
        "  of aragorn first (CHG.3)",
    ]
    show.line("written to a/place/longer/than/the/terminal.toml")
    assert "  a/place/longer/than/the/terminal.toml\n" in capsys.readouterr().out
    show.line("")
    assert capsys.readouterr().out == "\n"


@pytest.mark.parametrize("name", sorted(_COMMANDS))
def test_help_breaks_no_word_at_sixty_columns(name):
    command = _sbg_sim.get_command(click.Context(_sbg_sim), name)
    words = {word for p in command.params for word in (getattr(p, "help", "") or "").split()}
    columns = 58  # click leaves two of a terminal's free
    told = CliRunner().invoke(_sbg_sim, [name, "--help"], prog_name="sbg-sim", terminal_width=columns).stdout
    assert words <= set(told.split())


@pytest.mark.parametrize(
    "args",
    [
        ["rulings", "scenarios/edge-exactly-half-test.toml", "just-over"],
        ["flips", "scenarios/charging-2.toml", "aragorn-charges-the-nearest"],
        ["denies", "scenarios/charging-2.toml", "uruk-3"],
        ["campaign", "scenarios/jumping.toml", "pippin-too-far"],
        ["sweep", "scenarios/jumping.toml", "pippin-goes-on", "--vary", "terrain.wall.height=0.4,0.8", "--csv"],
    ],
)
def test_a_bar_tells_how_far_it_is_and_goes_before_anything_is_printed(args, run, monkeypatch):
    seen, echo = [], click.echo
    monkeypatch.setattr(Waiting, "told", lambda _, done, total, what="": seen.append((done, total, what)))
    monkeypatch.setattr(Waiting, "end", lambda _: seen.append("gone"))
    monkeypatch.setattr(click, "echo", lambda *args, **how: (seen.append("said"), echo(*args, **how)))
    assert run(*args).exit_code == 0
    first = seen.index("said")
    done, total, what = next(row for row in reversed(seen[:first]) if row != "gone")
    assert seen[first - 1] == "gone"
    assert done == total
    assert what


def test_a_bar_shows_what_is_done_and_goes(monkeypatch, capsys):
    bar = Waiting()
    bar._show()  # the answer came first
    assert bar._bar is None
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    bar.begin()
    bar.told(1, 4, "looks")
    bar._show()
    bar.told(2, 4)
    (task,) = bar._bar.tasks
    assert (task.description, task.completed, task.total) == ("looks", 2, 4)
    bar.end()
    assert bar._bar is None


def test_a_file_with_a_fault_is_waited_for():
    def wrong():
        raise SbgError("table.width: is missing")

    with click.Context(click.Command("plot")):
        assert watching.patient(wrong) == 2
        assert watching.patient(lambda: 0) == 0


def test_a_file_that_is_away_has_no_state(tmp_path):
    (tmp_path / "a").write_text("x")
    there, away = watching._state([str(tmp_path / "a"), str(tmp_path / "b")])
    assert (there[1], away) == (1, None)


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (click.Abort(), 130, "interrupted\n"),
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (OSError(28, "No space left on device"), 2, "standard output: No space left on device\n"),
        (BrokenPipeError(32, "Broken pipe"), 141, ""),
    ],
)
def test_how_a_command_ends(error, code, said, monkeypatch, capsys):
    def ending(**_):
        raise error

    monkeypatch.setattr(_sbg_sim, "main", ending)
    monkeypatch.setattr(group, "_muted", lambda code: code)
    assert group.run([]) == code
    assert capsys.readouterr().err == said


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [(["check", "-"], 2, "<stdin>: is empty"), (["phase", "scenarios/phase/three-turns.toml"], 0, "good moves")],
)
def test_closed_standard_input_is_empty(args, code, said, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", None)
    assert group.run(args) == code
    assert said in "".join(capsys.readouterr())
    sys.stdin.close()


@pytest.mark.parametrize("error", [ImportError("no numpy"), ValueError("a mistake")])
def test_a_mistake_is_shown_whole_when_asked_for(error, monkeypatch):
    def ending(**_):
        raise error

    monkeypatch.setattr(_sbg_sim, "main", ending)
    monkeypatch.setenv("SBG_SIM_TRACEBACK", "1")
    with pytest.raises(type(error)):
        group.run([])


def test_a_command_that_there_is_not():
    assert _sbg_sim.get_command(click.Context(_sbg_sim), "chek") is None
    assert "did you mean `check`" in CliRunner().invoke(_sbg_sim, ["chek"]).stderr


@pytest.mark.parametrize(
    ("x", "told"),
    [
        (13, "the nearest charge is 2.0000 in"),
        (20, "is at least 9.0000 in"),
        (20.00047, "is at least 9.0004 in"),  # a bound is cut off
    ],
)
def test_beyond_the_horizon_of_costs_the_nearest_charge_falls_short_by_so_much_at_least(tmp_path, x, told):
    (file := tmp_path / "far.toml").write_text(FAR.replace("[20, 4]", f"[{x}, 4]"), encoding="utf-8")
    said = " ".join(CliRunner().invoke(_sbg_sim, ["safe", str(file), "m"]).output.split())
    assert told in said


def test_rules_are_broken_between_words_and_no_line_is_longer_than_a_terminal_has_columns():
    said = CliRunner().invoke(_sbg_sim, ["rules", "CHG"]).output.splitlines()
    assert max(map(len, said)) <= 100
    assert any(line.startswith("  ruling defended_behind") for line in said)


def test_a_ruling_to_vary_that_is_written_amiss_is_told_the_nearest(tmp_path):
    (file := tmp_path / "a.toml").write_text(OPEN, encoding="utf-8")
    said = CliRunner().invoke(_sbg_sim, ["sweep", str(file), "q", "--vary", "rulings.leap_neds=remaining"])
    assert (said.exit_code, said.output) == (
        2,
        f"{file}: no ruling is called 'leap_neds'; did you mean `leap_needs`?\n",
    )


def test_without_what_an_installer_writes_no_version_is_told(monkeypatch):
    """From a copy of the sources alone: certificates and the description of the page say so much and no more."""

    def unknown(name):
        raise PackageNotFoundError(name)

    assert _maker().startswith("sbg_sim ")
    assert openapi.openapi.__wrapped__()["info"]["version"] == _maker().removeprefix("sbg_sim ")
    monkeypatch.setattr("importlib.metadata.version", unknown)
    monkeypatch.setattr(openapi, "version", unknown)
    assert _maker() == "sbg_sim"
    assert openapi.openapi.__wrapped__()["info"]["version"] == "0"
