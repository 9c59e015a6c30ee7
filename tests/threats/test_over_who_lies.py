"""Zones that are entered amid a jump over a model that lies (PRN.5, CHG.5)."""

from __future__ import annotations

from fractions import Fraction

import shapely

import sbg_sim as sbg

FOOT = {"base": 1, "height": 1.5, "move": 6}


def test_a_zone_entered_over_a_model_that_lies_lets_its_charger_into_others():
    """Down a passage barred by who lies: over it at 8.7 the model's zone begins, another's 0.07 in behind."""
    sides = {
        name: {"tags": ["unscalable"], "polygon": [[x, 5], [x + 0.1, 5], [x + 0.1, 9.9], [x, 9.9]]}
        for name, x in (("left", 11.3), ("right", 12.6))
    }
    models = {
        "model": {**FOOT, "side": "good", "at": [12, 14]},
        "friend": {**FOOT, "side": "good", "at": [13.4, 10.2]},
        "lies": {**FOOT, "side": "good", "at": [12, 8.2], "prone": True},
        "enemy": {**FOOT, "side": "evil", "at": [12, 6]},
    }
    found = sbg.safe(sbg.Table(24, 24, models=models, terrain=sides), "model")
    at = (12.0, 10.7)
    (charge,) = found.charges_at(at)
    # 1.2 in to the one that lies, 2 over it and half an inch to contact.
    assert (charge.chance, round(charge.needed, 6)) == (Fraction(1, 6), 3.7)
    assert shapely.contains(found.certain, shapely.Point(at))
    assert not shapely.dwithin(found.area, shapely.Point(at), 0.02)
