"""The page of rulings: every rule of the engine stands in its table, and what it names is there and tests something."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import sbg_sim as sbg

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8")
TABLE = PAGE.partition("## Where each rule is tested")[2]
ROWS = re.findall(r"^\| ([A-Z]+(?:\.\d+)?) \| ([^|]+) \| ([^|]+) \|$", TABLE, re.MULTILINE)
UNTESTED = {"MOV.7", "PAIR.4"}
"""Rules of which there is nothing to test: the row says why."""


def functions_of(path):
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return {f.name for f in ast.walk(tree) if isinstance(f, ast.FunctionDef)}


def named(cell):
    """Files and tests in a cell: a test belongs to the file named before it."""
    path = None
    for word in re.findall(r"`([^`]+)`", cell):
        if word.startswith("test_"):
            yield path, word
        elif "/" in word:
            path = word
            yield path, None


def test_every_rule_has_its_row():
    assert [name for name in sbg.RULES if name not in {row[0] for row in ROWS}] == []
    assert {row[0] for row in ROWS} <= set(sbg.RULES)


@pytest.mark.parametrize(("rule", "text", "cell"), ROWS, ids=[f"{r}-{i}" for i, (r, *_) in enumerate(ROWS)])
def test_what_a_row_names_is_there(rule, text, cell):
    things = list(named(cell))
    assert bool(things) != (rule in UNTESTED)
    for path, test in things:
        assert (ROOT / path).is_file(), path
        assert test is None or test in functions_of(path), (path, test)


@pytest.mark.parametrize(
    "path", sorted({path for *_, cell in ROWS for path, _ in named(cell) if path.startswith("scenarios/")})
)
def test_a_scenario_expects_something(path):
    table = sbg.load(ROOT / path)
    expected = [name for name, asked in table.questions.items() if asked.expect is not None]
    assert expected or table.record is not None


def test_every_ruling_stands_on_the_page():
    for name, ruling in sbg.RULINGS.items():
        readings = ", ".join(f"`{reading}`" for reading in ruling.readings)
        assert f"| `{name}` | {ruling.rule} | {readings} | {ruling.about} |" in PAGE
