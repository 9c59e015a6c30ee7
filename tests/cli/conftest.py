"""A command line with a solver that answers what a test tells it to."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import pytest
from click.testing import CliRunner

from sbg_sim.cli.group import _sbg_sim
from sbg_sim.solver.verdict import Verdict

FILE = """\
[table]
width = 24
depth = 24
[models.lurtz]
at = [4, 4]
base = 1
side = "evil"
[models.merry]
at = [9, 4]
base = 1
height = 1
side = "good"
[questions.can-he]
ask = "charge"
model = "lurtz"
target = "merry"
expect = "yes"
needed = "5 - 1"
[questions.how-far]
ask = "measure"
from = "lurtz"
to = "merry"
expect = 4
"""

ANSWERS = {
    "can-he": {
        "answer": "yes",
        "needed": 4.0,
        "allowance": 6.0,
        "margin": 2.0,
        "chance": Fraction(1),
        "rules": ("CHG.1",),
        "reason": "Nothing is in the way.",
    },
    "how-far": {"inches": 4.0},
}


@dataclass
class FakeSolver:
    """What each question is answered with, and what was asked."""

    answers: dict[str, dict] = field(default_factory=lambda: dict(ANSWERS))
    error: Exception | None = None

    def ask(self, table, question, name="", **_):
        if self.error is not None:
            raise self.error
        return Verdict(table, question, name=name, **self.answers.get(name, {}))


@pytest.fixture
def solver(monkeypatch):
    fake = FakeSolver()
    monkeypatch.setattr("sbg_sim.contested.certain.check", fake.ask)
    return fake


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "case.toml"
    path.write_text(FILE, encoding="utf-8")
    return str(path)


@pytest.fixture
def run():
    def call(*args, typed=None):
        result = CliRunner().invoke(_sbg_sim, [str(a) for a in args], input=typed, prog_name="sbg-sim")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return call
