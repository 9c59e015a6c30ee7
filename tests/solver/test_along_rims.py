"""Costs along rims on tables: what each place of a rim costs by itself, how that changes, and where paths go on."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.solver.field.rim_costs import RIM_STEP, _rim_samples, _stretches
from tests.benchmarks.reach_maps import benchmark_table
from tests.fuzz.kinds import make

MODELS = {
    "me": {"at": (8, 8), "base": 1, "height": 1.5, "move": 7, "side": "good"},
    "friend": {"at": (10.6, 8.2), "base": 1.5, "height": 1.5, "move": 6, "side": "good"},
    "foe": {"at": (12.6, 11.2), "base": 1, "height": 1.5, "move": 6, "side": "evil"},
}
GROUND = {
    "bog": {"tags": ["difficult"], "polygon": [(9, 9.5), (13, 10), (12, 12), (10.4, 11.2), (8.6, 12.4)]},
    "pool": {"tags": ["difficult"], "circle": {"center": (6.2, 11.2), "radius": 1.1}},
    "fen": {"tags": ["difficult"], "polygon": [(4, 4), (7, 5), (6.5, 6.4), (3.6, 6.2)]},
}


def tables():
    yield sbg.Table(16, 16, models=MODELS, terrain=GROUND), "me"
    yield benchmark_table(60, 20, 12), "me"
    for seed in (3, 4):
        table, question = make("mires", seed, small=True)
        yield table, question.model


@pytest.fixture(scope="module", params=range(4))
def field(request):
    table, mover = list(tables())[request.param]
    return sbg.reach(table, mover).certain.at(0, None)


def few(field, xy):
    """Costs of places as single moves have them: by their own paths, not by what rims cost."""
    return np.concatenate([field.distance(xy[k : k + 40]) for k in range(0, len(xy), 40)])


def test_every_place_of_a_rim_costs_what_it_does_by_itself(field):
    rims = field.rims
    some = np.flatnonzero(rims.cost < field.cutoff - 0.1)
    some = some[:: max(1, len(some) // 120)]
    alone = few(field, rims.xy[some])
    finite = np.isfinite(alone)
    assert finite.mean() > 0.9
    np.testing.assert_allclose(rims.cost[some][finite], alone[finite], atol=2e-5)


def test_places_of_a_rim_lie_in_order_and_close_by(field):
    rims, net = field.rims, field.net
    along = net.rims.along(rims.piece, rims.u)
    assert (np.diff(along) >= -1e-9).all()  # a place of two stretches is there twice
    np.testing.assert_allclose(net.rims.at(rims.piece, rims.u), rims.xy, atol=1e-12)
    apart = np.diff(along)
    assert apart[rims.linked].max() <= RIM_STEP + 1e-9
    assert apart[rims.joined].max() <= 2 * RIM_STEP + 1e-9
    assert (rims.joined | ~rims.linked).all()
    assert (rims.piece[1:] == rims.piece[:-1])[rims.linked].all()
    # Along a rim a cost rises by no more than an inch an inch.
    k = np.flatnonzero(rims.joined & np.isfinite(rims.cost[1:]) & np.isfinite(rims.cost[:-1]))
    assert (np.abs(rims.cost[k + 1] - rims.cost[k]) <= apart[k] + 1e-9).all()
    sampled = rims.node[rims.node >= 0]
    assert len(set(sampled.tolist())) == len(sampled)
    np.testing.assert_allclose(net.nodes.xy[sampled], rims.xy[rims.node >= 0], atol=1e-9)


def test_slopes_are_those_of_the_costs(field):
    """Between two places of one type what the cost changes by lies between what the slopes at both say."""
    rims = field.rims
    known = np.isfinite(rims.cost)
    same = np.flatnonzero(rims.alike & rims.linked & known[1:] & known[:-1])
    step = np.diff(field.net.rims.along(rims.piece, rims.u))[same]
    same, step = same[step > 1e-3], step[step > 1e-3]
    mean = (rims.cost[same + 1] - rims.cost[same]) / step
    low, high = np.minimum(rims.slope[same], rims.slope[same + 1]), np.maximum(rims.slope[same], rims.slope[same + 1])
    assert len(same) > 20
    assert ((mean >= low - 2e-3) & (mean <= high + 2e-3)).mean() > 0.97
    assert (np.abs(rims.slope[known]) <= 2 + 1e-9).all()


def test_paths_go_on_where_a_place_beside_the_rim_costs_as_the_rim_says(field):
    """A hair out of the ground, or into it: by Snell's law the cost there is that of the rim and its slope."""
    rims, net = field.rims, field.net
    some = np.flatnonzero((rims.cost < field.cutoff - 0.3) & (rims.which >= 0) & (np.abs(rims.slope) < 0.95))
    some = some[:: max(1, len(some) // 50)]
    normal = net.rims.frame(rims.piece[some], rims.u[some])[1]
    off, space = 1e-3, field.net.spaces[0]
    for side, column in ((1.0, 0), (-1.0, 1)):
        at = rims.xy[some] + side * off * normal
        weight = space.weight(at)
        free = space.free(at) & (weight == (1.0 if side > 0 else 2.0))
        cost = few(field, at)
        on = weight * np.sqrt(np.maximum(0, 1 - np.square(rims.slope[some] / weight)))
        onward = rims.cost[some] + off * on
        for k in np.flatnonzero(free & np.isfinite(cost)).tolist():
            assert cost[k] <= onward[k] + 3e-4
            if not rims.sides[some[k], column]:
                assert cost[k] < rims.cost[some[k]] + 1e-6  # paths come from there


def test_stretches_are_what_one_can_go_along(field):
    net, run = field.net, _stretches(field)
    assert len(run) == len(net.pieces)
    free = field.open_pieces(np.arange(len(run)))
    assert ((run > 0) == free).all()
    course = net.rims.courses[0]
    for n in set(run[run > 0].tolist()):
        mine = np.flatnonzero(run == n)
        assert len(set(course[mine].tolist())) == 1
        places = np.sort(net.rims.place[mine])
        assert (np.diff(places) == 1).all()
    known, unknown = (_rim_samples(field, which) for which in (np.isfinite, np.isinf))
    assert not set(known.tolist()) & set(unknown.tolist())
    both = np.concatenate([known, unknown])
    assert net.on_ground[both].all()
    assert (net.rims.length[net.nodes.ref[both]] > 0).all()


def test_many_places_behind_rims_cost_what_a_few_do(field):
    rng = np.random.default_rng(1)
    x, y = field.net.nodes.xy[field.net.source[0]]
    xy = np.array([x, y]) + rng.uniform(-7, 7, (1200, 2))
    many = field.distance(xy)
    reached = np.flatnonzero(np.isfinite(many) & (many > np.hypot(*(xy - (x, y)).T) + 1e-6))[:150]
    np.testing.assert_allclose(many[reached], few(field, xy[reached]), atol=1e-6)
    assert len(reached) > 10
    assert math.isfinite(many[reached].max())
