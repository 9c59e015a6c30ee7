"""``next``, ``map`` and the themes of pictures at the command line."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from sbg_sim.cli.turning import _first
from sbg_sim.phase import replay
from sbg_sim.scenario import read

GAME = "scenarios/phase/three-turns.toml"


def test_the_turn_after_a_record(run, tmp_path):
    out = tmp_path / "next.toml"
    done = run("next", GAME, "--out", out, "--priority", "evil")
    assert done.exit_code == 0, done.output
    assert "turn 4 begins" in done.output
    assert "orc-1" in done.output.partition("slain")[2]
    after = read(out)
    assert after.record.priority == "evil"
    assert not any(m.moved for m in after.models.values())
    assert after.model("aragorn").engaged == {"orc-2", "orc-3"}
    assert "orc-1" not in after.models
    assert not after.questions
    kept = [line for line in Path(GAME).read_text(encoding="utf-8").splitlines() if line.startswith("# ")]
    assert [line for line in kept if line not in out.read_text(encoding="utf-8")] == []


def test_the_file_is_printed_when_no_other_is_named(run):
    done = run("next", GAME, "--priority", "good")
    assert done.exit_code == 0
    assert done.stdout.endswith('[phase]\npriority = "good"\n')


def test_nothing_is_overwritten_silently(run, tmp_path):
    out = tmp_path / "next.toml"
    out.write_text("mine", encoding="utf-8")
    done = run("next", GAME, "--out", out, "--priority", "evil")
    assert (done.exit_code, out.read_text(encoding="utf-8")) == (2, "mine")
    assert "--overwrite" in done.output
    assert run("next", GAME, "--out", out, "--priority", "evil", "--overwrite").exit_code == 0
    assert read(out).record.priority == "evil"
    own = tmp_path / "game.toml"
    own.write_text(Path(GAME).read_text(encoding="utf-8"), encoding="utf-8")
    before = own.read_bytes()
    assert run("replay", own, "--out", own).exit_code == 2
    assert own.read_bytes() == before


@pytest.mark.parametrize("command", [["next", GAME, "--overwrite"], ["replay", GAME]])
@pytest.mark.parametrize("name", ["turn.png", "turn", "turn.json"])
def test_a_table_is_written_to_a_toml_file_and_no_other(run, tmp_path, command, name):
    there = tmp_path / name
    there.write_text("mine", encoding="utf-8")
    done = run(*command, "--out", there)
    assert done.exit_code == 2
    assert "must end in .toml" in " ".join(done.output.split())
    assert there.read_text(encoding="utf-8") == "mine"


def test_priority_is_rolled_the_same_by_the_same_seed(run):
    said = [json.loads(run("next", GAME, "--priority", "roll", "--seed", s, "--json").stdout) for s in (5, 5)]
    assert said[0] == said[1]
    assert said[0]["priority"] in {"good", "evil"}
    assert (said[0]["turn"], said[0]["slain"], said[0]["due"]) == (4, ["orc-1"], [])


def test_priority_that_nobody_gives_is_left_open(run):
    done = run("next", GAME)
    assert done.exit_code == 0
    assert "[phase]" not in done.stdout
    assert "--priority" in done.stderr


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (("--priority", "elves"), 2, "no model is on the side 'elves'"),
        (("--priority", "roll", "--seed", "-1"), 2, "--seed"),
    ],
)
def test_wrong_calls(run, args, code, words):
    done = run("next", GAME, *args)
    assert done.exit_code == code
    assert words in done.output


def test_an_illegal_record_has_no_next_turn(run, tmp_path):
    bad = tmp_path / "bad.toml"
    text = Path(GAME).read_text(encoding="utf-8").replace("to = [10, 10.5]", "to = [10, 16]")
    bad.write_text(text, encoding="utf-8")
    out = tmp_path / "next.toml"
    done = run("next", bad, "--out", out, "--priority", "good")
    assert done.exit_code == 1
    assert "MOV.3" in done.output
    assert not out.exists()
    assert run("next", "scenarios/jumping.toml").exit_code == 2


def test_the_map_in_letters(run):
    bare = run("map", "scenarios/amon-hen.toml").stdout
    shaded = run("map", "scenarios/amon-hen.toml", "lurtz").stdout
    assert "1 boromir" in bare
    frame = shaded[: shaded.index("good:")]
    assert frame.count(".") > 10 > bare[: bare.index("good:")].count(".")
    assert run("map", "scenarios/amon-hen.toml", "lurz").exit_code == 2


def test_no_map_shows_the_reach_of_who_waits_outside(run, tmp_path):
    file = tmp_path / "waits.toml"
    waits = "[models.uruk]\nbase = 1\nmove = 6\noff_table = true\n"
    file.write_text(f"[table]\nwidth = 24\ndepth = 24\n{waits}", encoding="utf-8")
    done = run("map", file, "uruk")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "uruk is not on the table yet: it has no place to be asked about" in done.output
    assert "uruk^" in run("map", file).stdout


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_themes(run, theme, tmp_path):
    out = tmp_path / "sim.svg"
    call = ("simulate", "scenarios/jumping.toml", "pippin-goes-on", "--trials", 200)
    assert run(*call, "--plot", out, "--theme", theme).exit_code == 0
    text = out.read_text(encoding="utf-8")
    assert ("prefers-color-scheme: dark" in text) == (theme == "auto")
    assert ("#171717" in text.partition("<style>@media")[0]) == (theme == "dark")
    assert 'id="running"' in text
    assert 'id="exact-chance"' in text


DRAWING = {
    "plot": ("--out", "scenarios/jumping.toml pippin-goes-on"),
    "section": ("--out", "scenarios/jumping.toml pippin-goes-on"),
    "reach": ("--plot", "scenarios/jumping.toml pippin"),
    "charges": ("--plot", "scenarios/charging-2.toml uruk-3"),
    "denies": ("--plot", "scenarios/control-zones.toml uruk-2"),
    "threats": ("--plot", "scenarios/jumping.toml good"),
    "safe": ("--plot", "scenarios/charging-2.toml pippin"),
    "sweep": ("--plot", "scenarios/jumping.toml pippin-goes-on --vary models.pippin.move=3,4"),
    "campaign": ("--plot", "scenarios/jumping.toml pippin-too-far"),
    "flips": ("--plot", "scenarios/disputes/gap-too-narrow.toml a-thousandth-too-narrow"),
    "doubt": ("--plot", "scenarios/charging-2.toml third-to-pippin --trials 5"),
    "rulings": ("--plot", "scenarios/edge-exactly-half-test.toml just-over"),
    "replay": ("--plot", GAME),
}


@pytest.mark.parametrize("name", DRAWING)
def test_every_command_that_draws_has_themes(run, name, tmp_path):
    option, words = DRAWING[name]
    out = tmp_path / "picture.svg"
    done = run(name, *words.split(), option, out, "--theme", "dark")
    assert done.exit_code == 0, done.output
    assert f"wrote {out}" in done.stderr
    assert "#171717" in out.read_text(encoding="utf-8")
    wrong = run(name, *words.split(), option, tmp_path / "picture.bmp")
    assert wrong.exit_code == 2


DELAYED = """
[table]
width = 24
depth = 24
[models.a]
base = 1
side = "good"
at = [4, 12]
[models.r]
base = 1
side = "good"
off_table = true
[phase]
priority = "good"
[[moves]]
model = "r"
delayed = true
"""


def test_the_file_of_the_next_turn_keeps_what_is_added_to_a_roll(run, tmp_path):
    """REINF.2: who could not be placed has +1, and +2 when it could not be placed once more."""
    path, first, second = (tmp_path / name for name in ("t.toml", "n.toml", "m.toml"))
    path.write_text(DELAYED, encoding="utf-8")
    done = run("next", str(path), "--json", "--out", str(first))
    assert json.loads(done.stdout)["due"] == [{"model": "r", "bonus": 1}]
    assert read(first).model("r").waited == 1
    run("replay", str(path), "--out", str(second))
    assert read(second).model("r").waited == 1
    head = first.read_text(encoding="utf-8").partition("[phase]")[0]
    again = head + DELAYED[DELAYED.index("[phase]") :]
    path.write_text(again, encoding="utf-8")
    assert json.loads(run("replay", str(path), "--json").stdout)["due"] == [{"model": "r", "bonus": 1}]
    assert json.loads(run("next", str(path), "--json").stdout)["due"] == [{"model": "r", "bonus": 2}]


def test_at_a_terminal_priority_is_asked_for(monkeypatch):
    class Typed(io.StringIO):
        def isatty(self):
            return True

    for said, first in (("evil\n", "evil"), ("good\n", "good"), ("\n", None)):
        with CliRunner().isolation(input=said):
            monkeypatch.setattr("sys.stdin", Typed(said))
            found = _first(replay(read(GAME)), None, 5)
        assert found in ({"good", "evil"} if first is None else {first})
