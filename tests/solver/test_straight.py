"""The straight way is taken without a network where it is open, and readings that cannot matter are not asked."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.errors import SbgError
from sbg_sim.solver import readings
from sbg_sim.solver.answer import ask
from sbg_sim.solver.path import best_path
from tests.fuzz.scatter import Recipe, scatter


def asked(table, rng):
    """Some moves and charges near the mover."""
    x, y = table.model("me").at
    foes = [m for m in table.models.values() if m.side == "evil"]
    for enemy in sorted(foes, key=lambda m: math.dist(m.at, (x, y)))[:4]:
        yield sbg.Charge("me", enemy.id)
    for angle, far in zip(rng.uniform(0, math.tau, 6), rng.uniform(0.3, 7.0, 6), strict=True):
        yield sbg.Move("me", (x + far * math.cos(angle), y + far * math.sin(angle)))


@pytest.mark.parametrize("seed", range(6))
def test_the_network_finds_nothing_else(seed, monkeypatch):
    table = scatter(seed, Recipe(bases=14, pieces=4, size=18.0, enemies=0.4))
    table = table.under("charge_stays_in_zone", "no") if seed % 2 else table
    told = [ask(table, q, alternatives=False) for q in asked(table, np.random.default_rng(seed))]
    monkeypatch.setattr(best_path, "_straight", lambda search: None)
    searched = [ask(table, q, alternatives=False) for q in asked(table, np.random.default_rng(seed))]
    straight = 0
    for one, two in zip(told, searched, strict=True):
        assert (one.answer, one.chance, one.rules) == (two.answer, two.chance, two.rules)
        assert one.needed == (None if two.needed is None else pytest.approx(two.needed, abs=1e-9))
        straight += one.route is not None and [leg.kind for leg in one.route.legs] == ["straight"]
    assert straight


@pytest.mark.parametrize("seed", [1, 2, *(pytest.param(seed, marks=pytest.mark.heavy) for seed in range(3, 40))])
def test_every_reading_asked_anew_says_the_same(seed):
    """Whatever is left out: under each reading that is not told the answer is the same."""
    table = scatter(seed, Recipe(bases=14, pieces=4, size=18.0, enemies=0.4))
    models = {k: replace(m, prone=k == "m3") for k, m in table.models.items()}
    table = replace(table, models=type(table.models)(models))
    for question in asked(table, np.random.default_rng(seed)):
        verdict = ask(table, question)
        for name in readings._FREER:
            for reading in table.rulings.alternatives(name):
                try:
                    other = ask(table.under(name, reading), question, alternatives=False)
                except SbgError:
                    continue
                differs = (other.answer, other.chance) != (verdict.answer, verdict.chance)
                assert differs == (f"{name} = {reading}" in verdict.rulings), (question, name, reading)
