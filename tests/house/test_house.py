"""What the house promises of itself, beside what the import contracts hold."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

import sbg_sim as sbg

ROOT = Path(__file__).parents[2]
FORBIDDEN = {"utils", "util", "helpers", "common", "core", "base"}


def modules():
    return sorted((ROOT / "sbg_sim").rglob("*.py"))


def python(code):
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=ROOT)


def test_import_loads_no_matplotlib():
    loaded = python("import sbg_sim, sys; sbg_sim.load, sbg_sim.check; print(*sys.modules)").stdout.split()
    assert "sbg_sim.solver.answer" in loaded
    assert not [name for name in loaded if name.partition(".")[0] in {"matplotlib", "rich", "dask", "IPython"}]


def test_the_front_door_opens_rooms_when_they_are_asked_for():
    loaded = python("import sbg_sim, sys; print(*sys.modules)").stdout.split()
    assert not [name for name in loaded if name.startswith(("sbg_sim.", "numpy", "shapely", "pydantic"))]
    assert python("import sbg_sim as sbg; print(*(n for n in sbg.__all__ if not hasattr(sbg, n)))").stdout.strip() == ""


@pytest.mark.parametrize("first", ["sweep", "campaign", "Phase", "simulate", "plot", "svg"])
def test_front_door_answers_in_any_order(first):
    code = (
        f"import sbg_sim as sbg; sbg.{first}; import sbg_sim.simulate, sbg_sim.plot, sbg_sim.phase;"
        "print(all(callable(t) for t in (sbg.sweep, sbg.campaign, sbg.Phase, sbg.simulate, sbg.plot)),"
        "type(sbg.plot).__name__)"
    )
    assert python(code).stdout.strip() == "True function"


def test_names_of_files():
    assert [path for path in modules() if path.stem in FORBIDDEN or path.parent.name in FORBIDDEN] == []


def test_every_file_says_what_it_is_for():
    assert [path for path in modules() if not path.read_text(encoding="utf-8").startswith('"""')] == []


def test_no_file_is_longer_than_can_be_read_at_once():
    lines = {path.name: path.read_text(encoding="utf-8").count("\n") for path in modules()}
    assert {name: count for name, count in lines.items() if count > 400} == {}


def test_contracts_name_every_room():
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = config["tool"]["importlinter"]["contracts"][0]["layers"]
    named = {room.strip() for layer in layers for room in layer.split("|")}
    package = ROOT / "sbg_sim"
    there = {p.stem for p in package.glob("*.py")} | {p.parent.name for p in package.glob("*/__init__.py")}
    assert named == there - {"__init__"}


def test_every_ruling_is_told_in_the_docs():
    lines = (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8").splitlines()
    told = [line for line in lines if line.startswith("| `")]
    readings = {name: ", ".join(f"`{reading}`" for reading in ruling.readings) for name, ruling in sbg.RULINGS.items()}
    wanted = [f"| `{name}` | {rule.rule} | {readings[name]} | {rule.about} |" for name, rule in sbg.RULINGS.items()]
    assert told == wanted


def results():
    jumping, hobbits = sbg.load(ROOT / "scenarios/jumping.toml"), "pippin-goes-on"
    sim = sbg.simulate(jumping, hobbits, 1000, 1)
    held = sbg.load(ROOT / "scenarios/charging-2.toml")
    return {
        "Table": jumping,
        "Verdict": sbg.check(jumping, hobbits),
        "Reach": sbg.reach(jumping, "sam"),
        "Charges": sbg.charges(held, "uruk-3"),
        "Simulation": sim,
        "Distribution": sim.distribution,
        "Phase": sbg.Phase.begin(held, "evil"),
    }


@pytest.mark.parametrize(("kind", "thing"), results().items())
def test_results_show_themselves(kind, thing):
    text = repr(thing)
    assert text.startswith(f"<{kind}")
    assert len(text) < 400
    assert " object at 0x" not in text
    show = getattr(thing, "_repr_svg_", None) or thing._repr_html_
    assert show().lstrip().startswith(("<svg", "<table"))
    ax = sbg.plot(thing)
    assert ax.figure is not None
    assert sbg.plot(thing, ax) is ax


def test_text_says_what_was_asked():
    table = sbg.load(ROOT / "scenarios/charging-2.toml")
    assert repr(table) == "<Table 'Charging 2: the gap is shut': 24 x 24 in, 6 models, 0 pieces, 6 questions>"
    assert "uruk-3 into pippin: no" in repr(sbg.check(table, "third-to-pippin"))
    assert "pippin" in repr(sbg.charges(table, "uruk-3"))
    assert repr(sbg.Phase.begin(table, "evil")) == "<Phase: 0 moves, evil to move>"


DRAWN = {"plot", "sheet", "terminal", "web"}  # rooms whose small numbers are sizes on paper or screen


def epsilons(source):
    """The small floats that source text writes down, with their lines."""
    numbers = (n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Constant) and isinstance(n.value, float))
    return [(n.lineno, n.value) for n in numbers if 0 < n.value < 0.005]


def test_every_epsilon_stands_in_one_file():
    rooms = [p for p in modules() if p.relative_to(ROOT / "sbg_sim").parts[0] not in {*DRAWN, "tolerance.py"}]
    assert {p.name: found for p in rooms if (found := epsilons(p.read_text(encoding="utf-8")))} == {}


def test_small_floats_are_found():
    assert epsilons("NEAR = 1e-9\nHALF = 0.5\nSTEP = 0.01") == [(1, 1e-9)]


def test_every_tolerance_has_a_reason_and_a_use():
    source = (ROOT / "sbg_sim/tolerance.py").read_text(encoding="utf-8")
    body = ast.parse(source).body
    names = [one.target.id for one in body if isinstance(one, ast.AnnAssign)]
    after = [two for one, two in pairwise(body) if isinstance(one, ast.AnnAssign)]
    assert all(isinstance(two, ast.Expr) and isinstance(two.value, ast.Constant) for two in after)
    assert len(after) == len(names)
    text = "\n".join(p.read_text(encoding="utf-8") for p in modules() if p.name != "tolerance.py")
    assert set(names) - set(re.findall(r"\w+", text)) == set()
