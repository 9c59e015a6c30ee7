"""``sweep`` and ``campaign`` at the command line."""

from __future__ import annotations

import csv
import io
import json
import math
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from sbg_sim.cli.group import _sbg_sim as program

FILE = "scenarios/jumping.toml"


def run(*args):
    return CliRunner().invoke(program, args)


def test_a_sweep_over_heights_as_json():
    """Half a Hobbit of 1 in is 0.5: below it the wall is stepped over, up to 1 jumped, above it climbed."""
    done = run("sweep", FILE, "merry-across", "--vary", "terrain.wall.height=0.4:1:0.3", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.output)
    assert found["parameter"] == "terrain.wall.height"
    assert [row["terrain.wall.height"] for row in found["rows"]] == [0.4, 0.7, 1.0]
    assert [row["chance"] for row in found["rows"]] == ["1/1", "5/6", "5/6"]


def test_a_sweep_as_csv_and_as_lines(tmp_path):
    args = ("sweep", FILE, "pippin-goes-on", "--vary", "models.pippin.move=3,4,5")
    rows = list(csv.DictReader(io.StringIO(run(*args, "--csv").output)))
    assert [row["models.pippin.move"] for row in rows] == ["3", "4", "5"]
    assert [row["answer"] for row in rows] == ["no", "chance", "chance"]
    lines = run(*args, "--plot", str(tmp_path / "sweep.svg"))
    assert lines.exit_code == 0, lines.output
    assert len(lines.stdout.splitlines()) == 4
    assert (tmp_path / "sweep.svg").stat().st_size > 1000


def test_a_sweep_with_dice_is_the_same_again():
    args = ("sweep", FILE, "merry-across", "--vary", "terrain.wall.height=0.6,0.8", "--trials", "500", "--json")
    assert run(*args).output == run(*args).output


@pytest.mark.parametrize("given", ["10 mm:20 mm:5 mm", "10mm,15 mm,20 mm", "1 cm:2cm:0.5 cm"])
def test_lengths_may_bear_a_unit(given):
    done = run("sweep", FILE, "merry-across", "--vary", f"terrain.wall.height={given}", "--json")
    rows = json.loads(done.stdout)["rows"]
    assert [row["terrain.wall.height"] for row in rows] == pytest.approx([10 / 25.4, 15 / 25.4, 20 / 25.4])


@pytest.mark.parametrize(
    ("vary", "words"),
    [
        ("terrain.wall.height", "KEY=FROM:TO:STEP"),
        ("terrain.wall.height=1:2", "FROM:TO:STEP"),
        ("terrain.wall.height=1:2:0", "step"),
        ("terrain.wall.height=2:1:0.5", "step"),
        ("terrain.wall.height=0:1:1e-9", "too many"),
        ("terrain.wall.height=a:b:c", "FROM:TO:STEP"),
        ("terrain.wall.height=10 mm:1 in:2 mm", "in one unit"),
        ("terrain.wall.height=10 mm:20 mm:2", "in one unit"),
        ("terrain.wal.height=1,2", "wal"),
        ("terrain.wall.heigth=1,2", "height"),
        ("terrain.wall.height=-1,2", "terrain.wall.height"),
    ],
)
def test_what_cannot_be_varied(vary, words):
    done = run("sweep", FILE, "merry-across", "--vary", vary)
    assert done.exit_code == 2
    assert "Traceback" not in done.output
    assert words in done.output


def test_a_campaign_over_the_wall(tmp_path):
    """Each turn a 2 or more gets over: 6/5 turns on average."""
    done = run("campaign", FILE, "merry-across", "--json", "--turns", "3", "--plot", str(tmp_path / "turns.png"))
    assert done.exit_code == 0, done.output
    (way,) = json.loads(done.output)["ways"]
    assert way["expected"] == "6/5"
    assert way["chance"] == "1/1"
    assert way["arrived_by_turn"] == ["5/6", "35/36", "215/216"]
    assert way["arrived_by_turn_value"] == [float(Fraction(s)) for s in way["arrived_by_turn"]]
    words = run("campaign", FILE, "merry-across").output
    assert "1.2 turns on average (6/5)" in words


def test_a_campaign_needs_a_place_to_go():
    done = run("campaign", "scenarios/movement-3.toml", "does-it-fit")
    assert done.exit_code == 2
    assert "move or charge" in done.output


MEASURED = """
[table]
width = 24
depth = 24
[models.a]
base = 1
height = 1
move = 3
side = "good"
at = [6, 12]
[models.b]
base = 1
height = 1
move = 3
side = "good"
at = [20, 12]
[questions.far]
ask = "measure"
from = "a"
to = "b"
[questions.where]
ask = "reach"
model = "a"
"""


def test_a_sweep_tells_what_is_measured():
    """Of a measurement the inches, of a reach the area: a circle of the Move about the model, in the open."""
    with CliRunner().isolated_filesystem():
        Path("t.toml").write_text(MEASURED, encoding="utf-8")
        far = json.loads(run("sweep", "t.toml", "far", "--vary", "models.b.base=1,2", "--json").stdout)["rows"]
        where = json.loads(run("sweep", "t.toml", "where", "--vary", "models.a.move=1,2", "--json").stdout)["rows"]
        assert run("sweep", "t.toml", "far", "--vary", "models.b.base=1,2", "--plot", "far.svg").exit_code == 0
    assert [row["inches"] for row in far] == [13.0, 12.5]
    assert [row["area"] for row in where] == pytest.approx([math.pi, 4 * math.pi], rel=1e-3)
    assert all(row["dice"] is None for row in where)


def test_flips_looks_as_far_as_a_length_says():
    asked = ("flips", "scenarios/disputes/gap-too-narrow.toml", "a-thousandth-too-narrow", "--json", "--limit")
    assert json.loads(run(*asked, "1 mm").stdout)["limit"] == pytest.approx(1 / 25.4)
    assert run(*asked, "far").exit_code == 2
    assert run(*asked, "nan").exit_code == 2
