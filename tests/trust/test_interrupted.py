"""Ctrl-C: what takes long ends at once, with exit code 130, and leaves nothing half written."""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.fuzz import __main__ as fuzz
from tests.fuzz import files
from tests.patience import at_work, slower

ROOT = Path(__file__).parents[2]
SCENARIOS = ROOT / "scenarios"
JUMPING = str(SCENARIOS / "jumping.toml")
PLAYED = str(SCENARIOS / "phase" / "three-turns.toml")
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
pytestmark = POSIX


def crowd():
    """A table on which every answer takes a while: bogs of 40 corners and thirty models a side."""
    places = list(itertools.product(range(3, 46, 5), range(3, 46, 5)))
    rings = (",".join(f"[{x + dx / 10}, {y + dy / 10}]" for dx, dy in RAGGED) for x, y in places)
    lines = ["[table]", "width = 48", "depth = 48"]
    for n, ring in enumerate(rings):
        lines += [f"[terrain.bog-{n}]", 'tags = ["difficult"]', f"polygon = [{ring}]"]
    for n, (x, y) in enumerate(places[:60]):
        side = "good" if n % 2 else "evil"
        lines += [
            f"[models.m{n}]",
            f"at = [{x + 2.5}, {y + 2.5}]",
            'base = "25 mm"',
            "height = 1.5",
            "move = 30",
            f'side = "{side}"',
        ]
    return "\n".join((*lines, '[questions.q]\nask = "reach"\nmodel = "m0"\n'))


RAGGED = [(k, (3 * k * k) % 5) for k in range(20)] + [(19 - k, 20 + (7 * k) % 5) for k in range(20)]
LONG = {
    "reach": ["reach", "crowd.toml", *(f"m{n}" for n in range(60)), "--json"],
    "a picture": ["reach", "crowd.toml", "m0", "--plot", "out.png"],
    "charges": ["charges", "crowd.toml", *(f"m{n}" for n in range(60)), "--json"],
    "denies": ["denies", "crowd.toml", *(f"m{n}" for n in range(60)), "--json"],
    "sweep": ["sweep", JUMPING, "pippin-goes-on", "--vary", "models.pippin.move=1:6:0.001", "--plot", "out.svg"],
    "trials": ["simulate", JUMPING, "pippin-goes-on", "--trials", "1e10", "--plot", "out.svg"],
    "gif": ["film", PLAYED, "record", "--seconds", "900", "--out", "out.gif"],
    "doubt": ["doubt", JUMPING, "pippin-goes-on", "--sigma", "0.05", "--trials", "1e6"],
}


@pytest.mark.parametrize("what", LONG)
def test_what_takes_long_ends_at_once(what, tmp_path):
    (tmp_path / "crowd.toml").write_text(crowd())
    running = subprocess.Popen(
        [sys.executable, "-m", "sbg_sim", *LONG[what]],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    at_work(running, 2.5)  # far from its end
    assert running.poll() is None
    busy, began = slower(), time.monotonic()
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    took = time.monotonic() - began
    assert took < 1.5 * max(busy, slower())
    assert (running.returncode, err.splitlines()[-1], out) == (130, "interrupted", "")
    assert [path.name for path in tmp_path.iterdir()] == ["crowd.toml"]


@pytest.mark.parametrize("how", [[], ["--related"]])
def test_fuzz_that_is_interrupted_keeps_what_was_judged(how, tmp_path, monkeypatch, capsys):
    asked = []

    def judged(table, question, seed, *_):
        asked.append(seed)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return []

    monkeypatch.setattr(fuzz, "judged", judged)
    ledger = tmp_path / "kept" / "ledger.jsonl"
    call = ["fuzz", "--kind", "all", "--seeds", "5:9", "--out", str(tmp_path), "--ledger", str(ledger), *how]
    monkeypatch.setattr(sys, "argv", call)
    assert fuzz.main() == 130
    (line,) = map(json.loads, ledger.read_text().splitlines())
    assert (line["seeds"], line["tables"], line["interrupted"]) == ("5:7", 2, True)
    assert json.loads(capsys.readouterr().out) == line


def test_fuzz_of_files_that_is_interrupted_says_how_many_it_read(tmp_path, monkeypatch, capsys):
    read = []

    def fault(*_):
        read.append(1)
        if len(read) == 3:
            raise KeyboardInterrupt
        return ""

    monkeypatch.setattr(files, "fault", fault)
    monkeypatch.setattr(sys, "argv", ["files", "--seeds", "1:9", "--out", str(tmp_path)])
    assert files.main() == 130
    assert re.fullmatch(r"2 files in .*, 0 not taken as they should be, interrupted\n", capsys.readouterr().out)


@pytest.mark.parametrize(("typed", "code", "said"), [(KeyboardInterrupt, 130, "interrupted"), (EOFError, 2, "nobody")])
def test_a_game_nobody_says_how_to_begin(typed, code, said, tmp_path, monkeypatch, capsys):
    from sbg_sim.cli.group import run

    def asking(_):
        raise typed

    game = tmp_path / "game.toml"
    game.write_bytes(Path(JUMPING).read_bytes())
    monkeypatch.setattr("builtins.input", asking)
    assert run(["phase", str(game), "--plain"]) == code
    assert said in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["game.toml"]


SWALLOWED = """
import os, signal
from sbg_sim import cli
from sbg_sim.cli import group

class Named:
    def __set_name__(self, owner, name):
        os.kill(os.getpid(), signal.SIGINT)

def made(**how):
    try:
        type("Made", (), {"x": Named()})
    except BaseException as error:
        raise ValueError("what was to be made was not") from error

group._sbg_sim.main = made
cli.main()
"""


def test_what_is_raised_in_place_of_an_interruption_is_one():
    """As where a class is made, or by who holds it for an error."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run(
        [sys.executable, "-c", SWALLOWED], capture_output=True, text=True, env=env, timeout=60, check=False
    )
    assert (ended.returncode, ended.stderr, ended.stdout) == (130, "interrupted\n", "")
