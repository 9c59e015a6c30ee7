"""Costs on random tables against the slow oracle, in both directions; the witnesses against the referee."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.referee import audit
from sbg_sim.solver.field.cost_field import CostField
from tests.fuzz.kinds import make
from tests.fuzz.oracle import Oracle
from tests.fuzz.scatter import Recipe, scatter

SMALL = Recipe(bases=3, pieces=3, size=9.0, move=4.0, varied=False, largest=1.5)
WIDE = Recipe(bases=10, pieces=8, size=14.0, move=5.0, varied=False, largest=1.6)
ABOVE = 1e-6  # the promise on difficult ground


def recipe_of(seed: int, recipe: Recipe) -> Recipe:
    from dataclasses import replace

    return replace(recipe, difficult=(1 / 3, 0.7, 1.0)[seed % 3], enemies=0.3 if seed % 5 == 0 else 0.0)


def bent(table, oracle, seed, count):
    """Places whose cost is more than the straight way's: there paths bend."""
    rng = np.random.default_rng(seed)
    me = table.model("me")
    xy = np.array(me.at) + rng.uniform(-me.move, me.move, (150, 2))
    xy = xy[oracle.legal(xy)]
    cost = sbg.reach(table, "me").distance(xy)
    more = cost - np.hypot(*(xy - np.array(me.at)).T)
    chosen = np.flatnonzero(np.isfinite(cost) & (more > 1e-3))[:count]
    return xy[chosen], cost[chosen]


def judge(seed: int, recipe: Recipe, count: int) -> None:
    table = scatter(seed, recipe_of(seed, recipe))
    oracle = Oracle(table, reach=recipe.move + 1.5, spacing=0.15)
    xy, cost = bent(table, oracle, seed, count)
    upper = oracle.costs(xy, stages=3)
    reach = sbg.reach(table, "me")
    for at, ours, theirs in zip(xy.tolist(), cost.tolist(), upper.tolist(), strict=True):
        assert ours <= theirs + ABOVE, f"seed {seed}: {at} costs {theirs} at most, not {ours}"
        path = reach.path((at[0], at[1]))
        assert path is not None, f"seed {seed}: no path to {at}"
        assert path.cost == pytest.approx(ours, abs=ABOVE)
        judged = audit(table, "me", path)
        assert judged.violations == (), f"seed {seed}: {at}"
        assert judged.cost == pytest.approx(ours, abs=ABOVE)


@pytest.mark.parametrize("seed", [1000, 1001, 1003, 1004])
def test_costs_of_bent_paths(seed):
    judge(seed, SMALL, 3)


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(1006, 1066))
def test_costs_of_bent_paths_at_length(seed):
    judge(seed, SMALL, 6)


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(2000, 2020))
def test_costs_on_crowded_tables(seed):
    judge(seed, WIDE, 6)


def legs_between(table, places):
    """Costs of verdicts from each place to each other."""
    cost = np.zeros((len(places), len(places)))
    for i, a in enumerate(places):
        here = table.having("me", at=a)
        for j, b in enumerate(places):
            if i != j:
                verdict = sbg.check(here, sbg.Move("me", b))
                cost[i, j] = math.inf if verdict.needed is None else verdict.needed
                if verdict.needed is not None:
                    assert verdict.at_least <= verdict.needed <= verdict.at_most
                    assert verdict.at_most - verdict.at_least <= 1e-6
    return cost


def judge_metric(seed: int, recipe: Recipe) -> None:
    table = scatter(seed, recipe_of(seed + 1 if seed % 5 == 0 else seed, recipe))
    oracle = Oracle(table, reach=recipe.move + 1.5)
    xy, _ = bent(table, oracle, seed, 2)
    places = [table.model("me").at, *((x, y) for x, y in xy.tolist())]
    cost = legs_between(table, places)
    assert cost == pytest.approx(cost.T, abs=ABOVE)
    n = len(places)
    for i in range(n):
        for j in range(n):
            for k in range(n):
                assert cost[i, k] <= cost[i, j] + cost[j, k] + ABOVE


@pytest.mark.parametrize("seed", [1001, 1003])
def test_costs_are_a_metric(seed):
    judge_metric(seed, SMALL)


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(3000, 3030))
def test_costs_are_a_metric_at_length(seed):
    judge_metric(seed, SMALL)


def test_the_oracle_knows_the_way_round_a_disc():
    rock = sbg.Terrain("rock", frozenset({"unscalable"}), sbg.circle((4.5, 4.5), 0.5))
    table = scatter(0, Recipe(bases=0, pieces=0, size=9.0, base=1.0)).having("me", at=(2.5, 4.5))
    from dataclasses import replace

    from sbg_sim.table.frozen import FrozenMap

    table = replace(table, terrain=FrozenMap({"rock": rock}))
    # Two tangents of length sqrt(3) at 2 from the centre of a disc of radius 1, and pi/3 of its rim between.
    assert Oracle(table).costs([(6.5, 4.5)])[0] == pytest.approx(2 * math.sqrt(3) + math.pi / 3, abs=1e-6)


def test_the_oracle_knows_the_law_of_snell():
    from dataclasses import replace

    from sbg_sim.table.frozen import FrozenMap

    strip = sbg.Terrain("strip", frozenset({"difficult"}), sbg.polygon([(-9, 5.0), (20, 5.0), (20, 30), (-9, 30)]))
    table = scatter(0, Recipe(bases=0, pieces=0, size=9.0, base=1.0)).having("me", at=(3.0, 3.5))
    table = replace(table, terrain=FrozenMap({"strip": strip}))
    x = np.linspace(3.0, 5.0, 2_000_001)
    expected = float((np.hypot(x - 3.0, 1.0) + 2 * np.hypot(5.0 - x, 1.0)).min())
    assert Oracle(table).costs([(5.0, 5.5)])[0] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("to", [(3.3114403303034186, 6.050928397288604), (2.554665603436556, 6.80524646676605)])
def test_an_arc_ends_where_the_next_leg_begins(to):
    # A speck of the arc, a few billionths long, lies where two cuts of its ring nearly fall together.
    table = scatter(1015, recipe_of(1015, SMALL))
    assert audit(table, "me", sbg.check(table, sbg.Move("me", to)).route).violations == ()


def asked(kind, seed):
    table, question = make(kind, seed)
    return table, question.model


def sliver(seed):
    return asked("sliver", seed)


def miry(seed):
    return scatter(seed, Recipe(12, 12, 16.0, 6.0, varied=False, largest=1.6, difficult=0.8, enemies=0.6)), "me"


def ridden(seed):
    recipe = Recipe(60, 20, 36.0, 10.0, varied=False, difficult=0.5, base=40 / 25.4, enemies=0.3)
    return scatter(seed, recipe), "me"


def crowded(seed):
    table = scatter(seed, Recipe(bases=60, pieces=20, size=48.0, enemies=0.5))
    return table, "me"


@pytest.mark.parametrize(
    ("table", "at"),
    [
        (sliver(11), (10.152198, 8.767756)),  # crossed between samples, by a kind that neither has
        (sliver(20), (7.880229, 10.856278)),
        (crowded(9), (24.57286432160804, 26.44221105527638)),
        (miry(206), (5.843744668639018, 11.386779640646418)),  # past a ring that the path no longer bends round
        (miry(234), (5.315556318830003, 9.128654017264772)),  # 2e-4 in behind a rim, close to a kink of the cost
        (miry(244), (9.940292603641616, 5.303098034638342)),  # by a tiny piece of a rim and round a ring
        (sliver(13000011), (5.767216306461057, 12.3176249905306)),
        (miry(215), (6.8111373619982665, 8.585117973776738)),
        (miry(20000139), (7.288135593220339, 5.4576271186440675)),  # along a zone between two places of one ring
        (miry(20000139), (7.288135593220339, 5.254237288135593)),
    ],
)
def test_places_just_behind_rims_cost_what_verdicts_say(table, at):
    table, model = table
    reach = sbg.reach(table, model)
    needed = sbg.check(table, sbg.Move(model, at)).needed
    assert reach.distance(at) == pytest.approx(needed, abs=1e-7)
    assert reach.path(at).cost == pytest.approx(needed, abs=1e-7)


@pytest.mark.parametrize(
    ("table", "at"),
    [
        (sliver(0), (10.031771, 6.317074)),  # the way on to the rim runs over another piece: it goes round that
        (miry(13000021), (6.411373233860156, 7.59617901550719)),
        (miry(13000118), (5.712785139941061, 11.722542186854604)),  # less than a micro-inch deep
        (miry(13000042), (9.626481101178111, 6.3238519005776475)),  # two crossings, one of them a hair before the place
        (miry(244), (9.963755807266967, 5.1227932240827405)),
        (miry(13000037), (8.100787665088731, 6.086191594711066)),  # along a rim from the very corner where it begins
        (miry(13000112), (8.36932304416886, 5.056452028627387)),  # beside a single sample
        (miry(13000244), (6.580938883442037, 7.902012709517937)),
        (miry(13000159), (6.184708871033759, 10.480974240311305)),  # two crossings 1.4e-3 in apart
        (miry(13000279), (9.163834144198763, 5.245914340743506)),  # a rim reached along itself, by another kind
        (ridden(3), (17.84924623115578, 24.984924623115578)),  # a crossing that came to rest at the end of its rim
        # by a kind known at the next piece of the rim, on one between that has no sample
        (asked("afar", 71000), (1748.2147762711863, 1744.6418949152542)),
        (asked("mires", 71002), (3.48135593220339, 7.684745762711864)),
    ],
)
def test_many_places_just_behind_rims_cost_what_verdicts_say(table, at):
    table, model = table
    me = table.model(model)
    span = np.linspace(-me.move, me.move, 24)
    grid = np.stack(np.meshgrid(me.at[0] + span, me.at[1] + span), axis=-1).reshape(-1, 2)
    cost = sbg.reach(table, model).distance(np.concatenate([[at], grid]))[0]
    assert cost == pytest.approx(sbg.check(table, sbg.Move(model, at)).needed, abs=1e-7)


def test_kinds_that_cost_the_same_leave_a_ring_at_other_places():
    """A verdict stayed on the rim of a zone through a bog: two kinds of path were one path there, but not beside it."""
    table, to = miry(256)[0], (10.765612190304633, 6.920872471068488)
    verdict = sbg.check(table, sbg.Move("me", to))
    path = sbg.reach(table, "me").path(to)
    assert verdict.needed == pytest.approx(path.cost, abs=1e-7)  # 5.83185 before
    assert verdict.needed < 5.83  # what a legal way costs bounds it from above
    assert audit(table, "me", path).legal


def test_places_reached_round_the_end_of_a_rim_are_settled_together(monkeypatch):
    """Hundreds of places behind a rim that ends at a ring were asked one by one: a minute, now half a second."""
    table = scatter(5, Recipe(bases=60, pieces=20, size=48.0, varied=False, largest=2.0))
    me = table.model("me")
    x, y = np.meshgrid(np.linspace(24.6, 25.2, 5), np.linspace(20.25, 20.65, 5))
    far = sbg.reach(table, "me").certain.at(0, None)
    expected = [far.route(at).cost for at in zip(x.ravel().tolist(), y.ravel().tolist(), strict=True)]
    monkeypatch.setattr(CostField, "routes", None)
    assert sbg.reach(table, me.id).distance(np.stack([x, y], axis=-1)).ravel() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("asked", "at"),
    [
        # between a ring in difficult ground and the rim ground was taken for open: what was left cost 1.6e-4 in more
        (make("fights", 52700094, small=True), (10.47481521108491, 1.8637586038843912)),
        # the arc before a rim had shrunk past nothing from the first, and was taken for a full turn: 1.2e-3 in more
        (make("mires", 52400098), (6.7144634665562215, 10.187196377686524)),
    ],
)
def test_a_place_behind_a_ring_in_difficult_ground_costs_what_a_verdict_says(asked, at):
    table, question = asked
    cost = sbg.reach(table, question.model).distance([at])[0]
    assert cost == pytest.approx(sbg.check(table, sbg.Move(question.model, at)).needed, abs=1e-7)


def test_places_beyond_a_step_are_settled_together(monkeypatch):
    """Where the way down began just where the way up had ended they were asked one by one: 28 s for 784 places."""
    table = make("towers", 159)[0]
    me = table.model("m2")
    span = np.linspace(-me.move, me.move, 12)
    grid = np.stack(np.meshgrid(me.at[0] + span, me.at[1] + span), axis=-1).reshape(-1, 2)
    whole, alone = CostField.routes, []
    monkeypatch.setattr(CostField, "routes", lambda self, xy: alone.extend(xy) or whole(self, xy))
    costs = sbg.reach(table, me.id).distance(grid)
    assert not alone
    reached = np.flatnonzero(np.isfinite(costs))
    for k in reached[:: len(reached) // 8].tolist():
        verdict = sbg.check(table, sbg.Move(me.id, tuple(grid[k].tolist())))
        assert verdict.needed == pytest.approx(costs[k], abs=1e-7)
