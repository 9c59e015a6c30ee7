"""Every scenario of the Move phase against what its file expects, with the witness judged by the referee.

The costs in the files are formulas worked out by hand; here they are only evaluated.
"""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sbg_sim.referee import audit
from sbg_sim.report import unmet
from sbg_sim.scenario import read
from sbg_sim.scenario.formula import evaluate
from sbg_sim.solver.answer import ask
from sbg_sim.table.questions import Charge, Move, ReachOf

if TYPE_CHECKING:
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table

FOLDER = Path(__file__).parents[2] / "scenarios"
OTHER = {"boards", "phase"}
"""Folders whose files hold no questions for the move solver."""


def paths() -> list[Path]:
    found = sorted(FOLDER.rglob("*.toml"))
    return [path for path in found if not OTHER & set(path.relative_to(FOLDER).parts)]


@cache
def table(path: Path) -> Table:
    return read(path)


@cache
def verdict(path: Path, name: str) -> Verdict:
    return ask(table(path), name, alternatives=False)


def cases() -> list[tuple[Path, str]]:
    return [(path, name) for path in paths() for name in table(path).questions]


def label(value: object) -> str:
    return value.relative_to(FOLDER).with_suffix("").as_posix() if isinstance(value, Path) else str(value)


ASKED = cases()
COSTED = [case for case in ASKED if table(case[0]).asked(case[1]).needed is not None]
MOVES = [case for case in ASKED if isinstance(table(case[0]).asked(case[1]).question, Move | Charge)]
HAIR = 1e-4


def polished(path: Path) -> bool:
    """Whether the answer may hang on a place that slides along a rim and is found by Newton's method."""
    return any(piece.difficult for piece in table(path).terrain.values())


def test_there_are_scenarios() -> None:
    assert len(ASKED) > 90


@pytest.mark.parametrize(("path", "name"), ASKED, ids=label)
def test_expected_answer(path: Path, name: str) -> None:
    asked = table(path).asked(name)
    if isinstance(asked.question, ReachOf):
        pytest.skip("a region has no word for an answer; reaches are tested where they are made")
    assert asked.expect is not None, "every question of a scenario says what it expects"
    assert not unmet(asked, verdict(path, name))


@pytest.mark.parametrize(("path", "name"), COSTED, ids=label)
def test_expected_cost(path: Path, name: str) -> None:
    needed = verdict(path, name).needed
    assert needed is not None
    within = 1e-6 if polished(path) else 1e-9
    assert needed == pytest.approx(evaluate(table(path).asked(name).needed), abs=within, rel=0)


@pytest.mark.parametrize(("path", "name"), COSTED, ids=label)
def test_bounds_hold_and_close(path: Path, name: str) -> None:
    found = verdict(path, name)
    expected = evaluate(table(path).asked(name).needed)
    assert found.at_least is not None
    assert found.at_most is not None
    assert found.at_least <= expected + 1e-6
    assert expected <= found.at_most + 1e-6
    assert found.at_least <= found.needed <= found.at_most
    assert found.at_most - found.at_least <= 1e-6
    assert found.margin == pytest.approx(found.allowance - found.needed, abs=1e-12)


@pytest.mark.parametrize(("path", "name"), MOVES, ids=label)
def test_witness_is_legal(path: Path, name: str) -> None:
    found = verdict(path, name)
    if found.route is None:
        assert found.needed is None
        return
    question = found.question
    charging = question.targets if isinstance(question, Charge) else ()
    judged = audit(found.table, question.model, found.route, charging=charging, allowance=math.inf)
    barred = {violation.rule for violation in found.violations} & {"MOV.6", "CHG.1", "CZ.4"}
    assert [v for v in judged.violations if v.rule not in barred] == []
    assert judged.cost == pytest.approx(found.needed, abs=1e-8)
    if isinstance(question, Move) and found.route.legs:
        assert math.dist(found.route.legs[-1].end, question.to) <= 1e-6


def varied() -> list[tuple[Path, str]]:
    """Questions whose cost does not itself hang on the Move: nobody stands up, nothing but length is against it."""
    found = []
    for path, name in COSTED:
        asked = table(path).asked(name).question
        if isinstance(asked, Move | Charge) and not table(path).model(asked.model).prone:
            found.append((path, name))
    return found


@pytest.mark.parametrize(("path", "name"), varied(), ids=label)
def test_a_hair_of_movement_decides(path: Path, name: str) -> None:
    found = verdict(path, name)
    if any(violation.rule != "MOV.3" for violation in found.violations) or not found.needed:
        pytest.skip("it is not the movement that forbids it")
    model = found.question.model
    # By the text's own word a leap may cost more than is left.
    strict = found.table.under("leap_needs", "remaining")
    enough = ask(strict.having(model, move=found.needed + HAIR), found.question, alternatives=False)
    short = ask(strict.having(model, move=found.needed - HAIR), found.question, alternatives=False)
    assert enough.chance == (found.chance or enough.chance)
    assert short.chance is not None
    assert enough.chance is not None
    assert short.chance < enough.chance
    if enough.chance == 1 and not short.tests:
        assert (enough.answer, short.answer) == ("yes", "no")
