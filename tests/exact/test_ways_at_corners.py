"""Charges amid crowds whose best way is found only beside a corner of two rims, or where contact is free to slide."""

from __future__ import annotations

import math

import pytest

import sbg_sim as sbg
from sbg_sim.referee import audit
from sbg_sim.solver.answer import ask
from tests.benchmarks.crowds import mixed


@pytest.mark.parametrize(
    ("seed", "charger", "target", "cost"),
    [
        (805, "m3", "m0", 19.862900719),  # of two ends of one way, a place and the circle of contact, the circle
        (809, "m2", "m3", 11.591694373),  # a leap lands beside where a jump begins: multipliers stop at the corner
        (812, "m0", "m15", 12.248827429),  # a landing that could slide on, held to be one that is fixed
    ],
)
def test_no_dearer_way_stands_for_the_best(seed, charger, target, cost):
    """Each was up to 0.013 in too dear, or not, by how differences were rounded; a legal way shows what it costs."""
    table, question = mixed(seed, models=20, pieces=20, size=24), sbg.Charge(charger, target)
    verdict = ask(table, question, alternatives=False)
    assert verdict.needed <= cost + 1e-8
    assert verdict.needed - verdict.at_least <= 1e-8
    assert audit(table, charger, verdict.route, charging=[target], allowance=math.inf).legal
