"""Costs of many places at once, from those along rims, are those of a few places, from the kinds of path to each."""

from dataclasses import replace

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.solver.answer import ask
from sbg_sim.table.frozen import FrozenMap
from tests.fuzz.kinds import make
from tests.fuzz.scatter import Recipe, scatter

WOODS = Recipe(bases=20, pieces=14, size=24.0, varied=False, difficult=0.6)


def _differ(seed, count):
    """Ask for some of many places by themselves: by how much costs differ that are not those of straight lines."""
    reach = sbg.reach(scatter(seed, WOODS), "me")
    west, south, east, north = reach.area.bounds
    places = np.random.default_rng(seed).uniform((west, south), (east, north), (1000, 2))
    many = reach.distance(places)
    bent = np.flatnonzero(~(many <= np.hypot(*(places - np.array(reach.mover.at)).T) + 1e-9))[:count]
    few = sbg.reach(reach.table, "me").distance(places[bent])
    reached = np.isfinite(few)
    assert reached.any()
    assert np.array_equal(np.isfinite(many[bent]), reached)
    return np.abs(many[bent[reached]] - few[reached]).max()


def test_many_places_cost_what_a_few_cost():
    assert _differ(3, 40) < 1e-7


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(30))
def test_many_places_cost_what_a_few_cost_on_other_tables(seed):
    assert _differ(seed, 400) < 1e-6


@pytest.mark.heavy
def test_places_behind_a_rim_cost_what_each_costs_by_itself():
    # A detour of a last bend that the way by the rim beats was polished through a corner: 3e-8 in too cheap.
    table = scatter(9, Recipe(bases=60, pieces=20, size=48.0, enemies=0.5))
    models = {name: model if model.move else replace(model, move=6.0) for name, model in table.models.items()}
    table = replace(table, models=FrozenMap(models))
    x, y = table.model("me").at
    along = np.linspace(-6, 6, 200)
    places = np.stack(np.meshgrid(x + along, y + along), axis=-1)
    costs = sbg.reach(table, "me").distance(places)
    for i, j in [(151, 89), (153, 84), (153, 87)]:
        asked = ask(table, sbg.Move("me", tuple(places[i, j].tolist())))
        assert costs[i, j] == pytest.approx(asked.needed, abs=1e-9)


@pytest.mark.parametrize("count", [1, 600])
def test_an_arc_that_shrinks_past_nothing_behind_a_crossing_is_left_out(count):
    """Samples on a rim come round the ring beside it; the shortest way crosses the rim just before that ring begins."""
    table, question = make("sliver", 97_400_054, small=True)
    at = (11.726067965008355, 9.777097184400018)
    asked = ask(table, sbg.Move(question.model, at), alternatives=False)
    # Many places are told by what their rims cost, few by their own paths.
    told = sbg.reach(table, question.model).distance(np.array([at] * count))
    assert told == pytest.approx(asked.needed, abs=1e-9)
