"""Jumps and climbs in crowds whose paths have to be mended: exact, proven, and no finer network finds a cheaper way."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import pytest

import sbg_sim as sbg
from sbg_sim.referee import audit
from sbg_sim.solver.answer import ask
from sbg_sim.solver.path import best_path

TABLES = sorted(Path(__file__).parent.joinpath("mended").glob("*.toml"))
FINER = 0.07  # inches between samples on rims, about a quarter of what they are apart else


def asked(path):
    """The charge, without the readings that would turn its answer: nothing here looks at those."""
    return ask(sbg.load(path), sbg.Charge("charger", "enemy"), alternatives=False)


answered = cache(asked)


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_no_finer_network_finds_a_cheaper_way(path, monkeypatch):
    """Each of these was up to 0.04 in too dear, with bounds up to a quarter of an inch apart."""
    verdict = answered(path)
    assert verdict.needed - verdict.at_least <= 1e-8
    monkeypatch.setattr(best_path._look, "__defaults__", (FINER,))
    assert verdict.needed <= asked(path).needed + 1e-8


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_the_referee_allows_the_way(path):
    verdict = answered(path)
    assert audit(verdict.table, "charger", verdict.route, charging=["enemy"], allowance=math.inf).legal
