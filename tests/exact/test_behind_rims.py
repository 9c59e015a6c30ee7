"""Costs of many places at once, from those along rims, are those of a few places, from the kinds of path to each."""

from dataclasses import replace

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.solver.answer import ask
from sbg_sim.table.frozen import FrozenMap
from tests.fuzz.kinds import make
from tests.fuzz.scatter import Recipe, scatter

_BESIDE = sbg.polygon([(4, 15), (9, 15), (9, 18), (4, 18)])
STEP = sbg.Terrain("step", frozenset({"platform"}), _BESIDE, height=1.0)
PIT = sbg.Terrain("pit", frozenset({"gap"}), _BESIDE, depth=1.0)
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


def _bog(corners):
    """A table with difficult ground alone."""
    return {"bog": sbg.Terrain("bog", frozenset({"difficult"}), sbg.polygon(corners))}


def test_whoever_came_along_a_straight_rim_goes_on_from_where_it_came_onto_it():
    """Off the side of a bog that it came along a path was made to bend where it leaves, and then given up."""
    models = [
        sbg.Model("me", (10.32, 8.89), 25 / 25.4, 1.0, 4.0, "evil"),
        sbg.Model("friend", (8.52, 7.54), 25 / 25.4, 1.0, 4.0, "evil"),
    ]
    terrain = _bog([(10.467, 11.284), (7.752, 10.383), (7.713, 8.822), (10.55, 7.878)])
    table = sbg.Table(24.0, 24.0, FrozenMap({model.id: model for model in models}), FrozenMap(terrain))
    places = np.array([(11.018, 9.447), (11.162, 10.599), (11.283, 11.671)])
    many = sbg.reach(table, "me").distance(np.repeat(places, 300, axis=0))[::300]
    assert many == pytest.approx(sbg.reach(table, "me").distance(places), abs=1e-9)


def test_along_a_round_corner_costs_of_a_place_behind_it_may_fall_twice():
    radius = 20 / 25.4
    me = sbg.Model("me", (12.3, 11.5), 2 * radius, 1.5, 12.0, "good")
    terrain = _bog([(4, 6), (10, 6), (10, 10), (4, 10)])
    table = sbg.Table(24.0, 24.0, FrozenMap({"me": me}), FrozenMap(terrain))
    place = np.array((10 - 0.47118644, 10 - 0.06440678))

    def cost(angle):
        rim = 10 + radius * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
        return np.hypot(*(rim - me.at).T) + 2 * np.hypot(*(rim - place).T)

    angles = np.linspace(0, np.pi / 2, 100_001)
    costs = cost(angles)
    falls = np.flatnonzero((np.diff(costs)[:-1] < 0) & (np.diff(costs)[1:] > 0))
    assert len(falls) == 1
    assert costs[-1] < costs[-2]  # and again, onto the straight side beyond
    told = sbg.reach(table, "me").distance(np.array([place] * 600))
    assert told == pytest.approx(costs.min(), abs=1e-8)


@pytest.mark.parametrize("beside", [STEP, PIT], ids=["top", "gap"])
def test_places_behind_a_rim_are_told_by_it_though_ways_lead_down(beside):
    """Down from a top to which no way leads without a die, or into a gap: no path that stays takes them."""
    me = sbg.Model("me", (6.0, 12.0), 1.0, 1.5, 8.0, "good")
    terrain = _bog([(7.5, 9), (10, 9), (10, 13), (7.5, 13)])
    plain = sbg.Table(24.0, 24.0, FrozenMap({"me": me}), FrozenMap(terrain))
    table = replace(plain, terrain=FrozenMap({**terrain, beside.id: beside}))
    reach = sbg.reach(table, "me")
    field = reach.certain.at(0, None)
    assert field.net.transitions
    assert field.behind is not None
    places = np.stack(np.meshgrid(np.linspace(7.1, 12, 30), np.linspace(8, 13.4, 30)), axis=-1)
    assert reach.distance(places) == pytest.approx(sbg.reach(plain, "me").distance(places), abs=1e-9)


@pytest.mark.filterwarnings("error")
def test_places_however_far_cost_more_than_there_is():
    reach = sbg.reach(sbg.load("scenarios/amon-hen.toml"), "lurtz")
    costs = reach.distance([[1e300, 0], [1e160, -1e160], [np.inf, 0], [11.2, 19.0]])
    assert costs.tolist() == [np.inf, np.inf, np.inf, pytest.approx(1.0)]


def test_what_comes_over_more_ground_than_was_thought_is_weighed_anew_where_it_stands():
    """Among six other places the best type had a link of another weight, and a corner in its stead: 1e-3 too dear."""
    table = scatter(2, Recipe(bases=60, pieces=30, size=36.0, enemies=0.5, difficult=0.6))
    models = {name: model if model.move else replace(model, move=6.0) for name, model in table.models.items()}
    table = replace(table, models=FrozenMap(models))
    place = (5.671950048925734, 10.473837204396217)
    others = [(7.792545811441094, 8.435847916814943), (3.5274585072674594, 9.05006515540892)]
    others += [(2.31445694921703, 9.068791135289644), (6.309512628052358, 10.788150193669665)]
    others += [(7.6748548554038685, 4.763032552229538), (6.36277478376457, 10.789208410431597)]
    told = sbg.reach(table, "m60").distance(np.array([place, *others]))[0]
    assert told == pytest.approx(ask(table, sbg.Move("m60", place)).needed, abs=1e-9)
