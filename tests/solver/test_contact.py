"""Round whom a charge ends at: looked at where something changes, and not at all where a base has no room."""

import math

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.solver.path.best_path import _look
from sbg_sim.solver.space.rings import make_rings
from sbg_sim.solver.space.surroundings import Goal, make_surroundings


def beside_a_bog(corners):
    """A mover, an enemy, and between them a round bog of so many ragged corners that both stand in the rim of."""
    dice, turn = np.random.default_rng(4), np.arange(corners) / corners * math.tau
    far = 1.5 * dice.uniform(0.97, 1, corners)
    bog = [[12 + s * math.cos(a), 12 + s * math.sin(a)] for s, a in zip(far.tolist(), turn.tolist(), strict=True)]
    models = {
        "a": {"at": [7, 12], "base": 1, "height": 1.5, "move": 6, "side": "good"},
        "b": {"at": [13, 12.8], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    }
    return sbg.Table(24, 24, models=models, terrain={"bog": {"polygon": bog, "tags": ["difficult"]}})


def space_of(table):
    return make_surroundings(table, table.model("a"), reach=9.0, charging="b").spaces[0]


def test_corners_within_a_bog_are_no_breaks_of_a_contact_circle():
    space = space_of(beside_a_bog(50))
    found = space.breaks((13.0, 12.8), 1.0)
    angle = np.linspace(0.0, math.tau, 100_000, endpoint=False)
    heavy = space.weight(np.array([13.0, 12.8]) + np.stack([np.cos(angle), np.sin(angle)], axis=1))
    changes = angle[heavy != np.roll(heavy, 1)]
    assert len(changes) >= 2
    assert all(np.abs(found - change).min() < 1e-4 for change in changes.tolist())
    assert len(found) == len(changes)  # and not one for each corner in reach


def test_arcs_of_rings_differ_from_the_ones_before_them():
    rings, _ = make_rings((space_of(beside_a_bog(50)),))
    for ring in rings:
        what = list(zip(*ring.open.tolist(), ring.weight.tolist(), ring.inner.tolist(), strict=True))
        shut = [not (free or bound) for free, bound, _, _ in what]
        alike = [what[i] == what[i - 1] or (shut[i] and shut[i - 1]) for i in range(len(what))]
        assert len(what) == 1 or not any(alike)
    assert any(len(ring.angles) > 1 and not ring.even for ring in rings)


@pytest.mark.parametrize("around", [6, 5])
def test_where_no_base_has_room_beside_whom_it_charges_no_way_is_looked_for(around, monkeypatch):
    models = {
        "a": {"at": [7, 12], "base": 1, "height": 1.5, "move": 6, "side": "good"},
        "b": {"at": [12, 12], "base": 1, "height": 3, "move": 6, "side": "evil"},
    }
    for k in range(1, around + 1):
        at = [12 + 1.02 * math.cos(k * math.tau / 6), 12 + 1.02 * math.sin(k * math.tau / 6)]
        models[f"f{k}"] = {"at": at, "base": 1, "height": 1, "move": 6, "side": "good"}
    table, looks = sbg.Table(24, 24, models=models), []

    def counted(*given, **more):
        looks.append(given)
        return _look(*given, **more)

    monkeypatch.setattr("sbg_sim.solver.path.best_path._look", counted)
    (charge,) = sbg.charges(table, "a")
    if around == 5:
        assert looks
        assert charge.verdict.needed == pytest.approx(charge.verdict.at_most)
    else:
        assert not looks
        assert (charge.verdict.answer, charge.verdict.needed, charge.verdict.at_least) == ("no", None, None)
        assert "bases close every way" in charge.verdict.reason


def test_a_goal_that_is_no_contact_is_never_covered():
    from sbg_sim.solver.path.closed import covered
    from sbg_sim.solver.path.options import Search

    table, goal = beside_a_bog(8), Goal(None, (12.0, 12.0))
    assert not covered(Search(table, table.model("a"), None, goal, 6.0, dice=True, horizon=12.0))
