"""Costs of contact behind difficult ground of many corners: no finer network finds a cheaper way."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.solver import charges as lists
from sbg_sim.solver.field.cost_field import CostField

FINER = 0.02  # inches between samples on rims


def lake(seed, corners, radius, ragged, start, across):
    """A round lake, its outline ragged by a share of its radius, between a charger and whom it charges."""
    rng = random.Random(seed)
    radius = radius or rng.uniform(0.8, 2)
    turns = [math.tau * k / corners for k in range(corners)]
    far = [radius * rng.uniform(1 - ragged, 1) for _ in turns]
    shore = [(round(12 + r * math.cos(a), 3), round(12 + r * math.sin(a), 3)) for a, r in zip(turns, far, strict=True)]
    if start is None:
        rng.choice("ddd")
        start, across = 11.2 - radius, 12.6 + radius
    body = {"base": 1, "height": 1.5, "move": 7}
    models = {
        "a": {"at": [start, 12 + rng.uniform(-1, 1)], "side": "good", **body},
        "b": {"at": [across, 12 + rng.uniform(-1, 1)], "side": "evil", **body},
    }
    return sbg.Table(24, 24, models=models, terrain={"lake": {"tags": ["difficult"], "polygon": shore}})


def costs(table, angles):
    """Costs of contact at angles, sampled and exact, and that of the way to the first."""
    field = lists.contact_costs(table, table.model("a"), table.model("b"))[0]
    x, y = table.model("b").at
    places = np.stack([x + np.cos(angles), y + np.sin(angles)], axis=1)
    sampled = field.distance(places, exact=(math.inf, math.inf))
    return sampled, field.distance(places), field.route((float(places[0, 0]), float(places[0, 1]))).cost


@pytest.mark.parametrize(
    ("shape", "angles"),
    [
        # The rim is crossed between a corner that points inwards and the enemy's base, on a piece without a sample.
        ((7, 50, 2.0, 0.03, 9.2, 14.6), (1.7836, 1.77, 1.78, 1.793)),
        # It is crossed on an arc just before the enemy's base, along which the sampled way turns.
        ((3, 64, None, 0.0, None, None), (2.161919662131537, 2.3)),
        # What the sampled way turns round between the rim and the enemy's base is not in the way of the best.
        ((30, 64, None, 0.0, None, None), (4.5581606563812205,)),
        # Nor is the place where the rim meets that base.
        ((213, 7, None, 0.4, None, None), (3.620193708162627, 3.9278171908703134)),
        # It is crossed within the enemy's zone, by a way whose samples lie outside of it.
        ((61, 12, None, 0.3, None, None), (2.5331608250972897, 2.3396432813360453, 2.6358887167392657)),
        ((343, 12, None, 0.3, None, None), (2.840673954901335,)),
    ],
)
def test_no_finer_network_finds_a_cheaper_way(shape, angles, monkeypatch):
    table = lake(*shape)
    _, exact, way = costs(table, np.array(angles))
    monkeypatch.setattr(lists, "SPACING", FINER)
    sampled, finer, _ = costs(table, np.array(angles))
    assert (exact <= sampled + 1e-9).all()
    assert exact == pytest.approx(finer, abs=1e-7)
    assert way == pytest.approx(exact[0], abs=1e-7)


def test_contact_arcs_are_found_without_a_search_for_every_place(monkeypatch):
    """A tangent from a place on a circle has no length: else its rounding hides that a path is known already."""
    alone = []
    whole = CostField.route
    monkeypatch.setattr(CostField, "route", lambda self, at: alone.append(at) or whole(self, at))
    table = lake(2, 50, 2.0, 0.03, 9.2, 14.6)
    ((first, last),) = lists.contact_arcs(table, table.model("a"), table.model("b"))
    assert len(alone) <= 2  # 69 before
    monkeypatch.setattr(lists, "SPACING", FINER)
    _, cost, _ = costs(table, np.array([first, last]))
    assert cost == pytest.approx([table.model("a").move] * 2, abs=1e-7)
