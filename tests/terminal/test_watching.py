"""A game at the terminal that a page in the browser follows."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest

from sbg_sim.errors import SbgError
from sbg_sim.phase import Phase
from sbg_sim.scenario import read_text
from sbg_sim.terminal import watching

DUEL = """
[table]
width = 24
depth = 24
[models.sam]
base = 1
height = 1
move = 4
side = "good"
at = [6, 6]
[models.orc]
base = 1
height = 1
move = 4
side = "evil"
at = [18, 18]
[questions.far]
ask = "charge"
model = "orc"
target = "sam"
"""


def shown(address):
    with urllib.request.urlopen(address.partition("?")[0] + "api/file", timeout=30) as answer:
        found = json.loads(answer.read())
    return found["name"], read_text(found["text"])


def test_the_page_follows_every_move_and_ends_with_the_game(tmp_path):
    file = tmp_path / "duel.toml"
    file.write_text(DUEL, encoding="utf-8")
    command = [sys.executable, "-m", "sbg_sim", "phase", str(file), "--priority", "good", "--watch"]
    game = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        line = game.stdout.readline()
        assert line.startswith("the table is at http://127.0.0.1:"), line
        address = line.split()[-1]
        assert address.endswith("/?watch")
        name, table = shown(address)
        assert (name, table.models["sam"].at) == ("duel.toml", (6, 6))
        assert not table.questions
        game.stdin.write("sam to 6 9\n")
        game.stdin.flush()
        begun = time.monotonic()
        while shown(address)[1].models["sam"].at == (6, 6):
            assert time.monotonic() - begun < 30
            time.sleep(0.05)
        assert shown(address)[1].models["sam"].at == (6, 9)
        game.communicate("quit\n", timeout=30)
    finally:
        game.kill()
    assert game.returncode == 0
    assert file.read_text(encoding="utf-8") == DUEL
    with pytest.raises(urllib.error.URLError):
        shown(address)


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("import sys; sys.exit('no port is free')", "the page cannot be served: no port is free"),
        ("import time; time.sleep(60)", "the page cannot be served: it did not begin"),
    ],
)
def test_a_page_that_cannot_be_served_is_told_in_one_line(tmp_path, monkeypatch, script, said):
    real = subprocess.Popen

    def other(_, **given):
        return real([sys.executable, "-c", script], **given)

    monkeypatch.setattr(watching.subprocess, "Popen", other)
    monkeypatch.setattr(watching, "_PATIENCE", 0.5 if "sleep" in script else 20.0)
    phase = Phase.begin(read_text(DUEL), "good")
    with pytest.raises(SbgError) as raised, watching.watched(phase, str(pathlib.Path(tmp_path) / "duel.toml")):
        pytest.fail("there is no page")
    assert str(raised.value) == said
