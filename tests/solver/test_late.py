"""For how many dice a goal is looked for, and whether a last leap may begin late on the way there."""

from __future__ import annotations

from fractions import Fraction

import pytest

import sbg_sim as sbg
from sbg_sim.solver.path import best_path
from sbg_sim.solver.path.options import MOST_TESTS, Search, chance_of
from sbg_sim.solver.space.surroundings import Goal

PIT = {"tags": ["gap"], "polygon": [(9, 9), (11, 9), (11, 15), (9, 15)], "depth": 3}


@pytest.mark.parametrize(
    ("chance", "layers"),
    [(Fraction(0), MOST_TESTS), (chance_of(2, landing=True), 1), (Fraction(1, 2), 1), (Fraction(5, 6), 0)],
)
@pytest.mark.parametrize("goal", [(11.5, 12.0), (6.5, 12.0)])
@pytest.mark.parametrize("move", [6, 0.5])
def test_a_last_leap_may_begin_late_whenever_a_die_may_be_thrown(monkeypatch, chance, layers, goal, move):
    """If only one is looked ahead as well: a leap costs more than is left by its reading (LEAP.1), beside its gap."""
    asked = []
    monkeypatch.setattr(best_path, "_graph", lambda *given, late: asked.append((given[-1], late)))
    models = {"m": {"at": (5, 12), "base": 1, "height": 1.5, "move": move}}
    table = sbg.Table(24, 24, models=models, terrain={"pit": PIT})
    search = Search(table, table.model("m"), None, Goal(None, goal), 6.0, dice=True, horizon=9.0, chance=chance)
    best_path._look(search, 8.0, 9.0)
    ((dice, late),) = asked
    assert dice == layers
    assert late is (layers > 0 and goal == (11.5, 12.0))
