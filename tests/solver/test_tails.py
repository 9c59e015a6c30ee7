"""What a place costs does not hang on the places that are asked for together with it."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("skfmm")

import sbg_sim as sbg
from sbg_sim.solver.field import tails
from sbg_sim.solver.path.gathering import gather
from sbg_sim.solver.path.paths import Fixed, Slide, Wrap
from tests.benchmarks.reach_maps import benchmark_table
from tests.fuzz.kinds import make
from tests.solver.stage import net, path, ring


@pytest.mark.parametrize(
    ("seed", "at"),
    [
        (32, (23.487437185929647, 28.348959380745555)),  # crosses the rim round the corner
        (5, (22.00903184779178, 20.352464478580664)),  # along a ring, then across its rim
    ],
)
def test_a_place_costs_the_same_alone_among_others_and_as_a_verdict(seed, at):
    table = benchmark_table(60, 20, seed)
    reach = sbg.reach(table, "me")
    near = np.array(at) + np.stack(np.meshgrid(*[np.linspace(-0.2, 0.2, 5)] * 2), axis=-1).reshape(-1, 2)
    alone, among = reach.distance(np.array([at])), reach.distance(np.concatenate([near, [at]]))
    assert alone[0] == pytest.approx(among[-1], abs=1e-9)
    verdict = sbg.check(table, sbg.Move("me", at))
    assert verdict.needed == pytest.approx(alone[0], abs=1e-6)


def test_off_the_ring_of_a_rim_a_path_goes_by_its_tangent():
    """At a place that slides on its own ring the cost has no least: it was sought in thirty steps, and then mended."""
    reach = sbg.reach(benchmark_table(60, 20, 39), "me")
    grid = np.stack(np.meshgrid(*[np.linspace(-6, 6, 60)] * 2), axis=-1).reshape(-1, 2) + reach.mover.at
    cost = reach.distance(grid)
    field = reach.certain.at(0, None)
    behind, net = field.behind, field.net
    by_tangent = 0
    for tail in behind.tails:
        *_, before, last, _ = tail.path.elements
        by_tangent += isinstance(last, Wrap)
        if isinstance(last, Slide) and isinstance(before, Wrap) and tail.path.links[-1].weight == 1:
            piece, ring = net.pieces[last.piece], net.rings[before.ring]
            assert (piece.start, piece.radius) != (ring.center, ring.rho)
    assert by_tangent
    crossed = behind.near(grid, field.net.spaces[0].weight(grid), np.full(len(grid), 6.0))
    for row in np.unique(crossed.row)[::97].tolist():
        verdict = sbg.check(reach.table, sbg.Move("me", tuple(grid[row].tolist())))
        if np.isfinite(cost[row]):
            assert verdict.needed == pytest.approx(cost[row], abs=1e-6)


def test_on_the_rim_that_one_steps_down_to_places_cost_what_verdicts_say():
    """Between an end of the rim and its first sample they were led round the corner from there, 0.02 in too dear."""
    table, question = make("ledges", 903)
    reach = sbg.reach(table, question.model)
    steps = [way for way in reach.surroundings.transitions if way.way.kind == "down" and not way.way.tests]
    corner = next(p for way in steps for p in way.far if p.radius and np.allclose(p.start, (9.2662971, 10.7337029)))
    places = corner.at(np.linspace(0.92, 1.0, 9) * corner.length)
    cost = reach.distance_on(None, places)
    assert np.isfinite(cost).sum() > 5
    for at, c in zip(places.tolist(), cost.tolist(), strict=True):
        if np.isfinite(c):
            assert sbg.check(table, sbg.Move(question.model, tuple(at))).needed == pytest.approx(c, abs=1e-6)


@pytest.mark.parametrize("turn", [-1, 1])
@pytest.mark.parametrize("rho", [0.25, 1.0, 6.0])
def test_onto_a_ring_paths_go_on_a_little_along_it_however_large_it_is(monkeypatch, rho, turn):
    """Else its cost would jump by a full turn: by a hundredth of an inch from the tangent, and on round the ring."""
    here, start = net(rings=[ring(0.0, 0.0, rho)]), Fixed((-9.0, 0.0))
    onto = path(start, Wrap(0, turn))
    batch = gather(here, [path(*onto.elements, Fixed((0.0, 0.0)))])
    monkeypatch.setattr(tails, "slid_along", lambda batch, *_: (batch, None))
    at = math.pi + turn * math.acos(rho / 9.0)  # where the tangent from the start touches it
    entry = rho * np.array([[math.cos(at), math.sin(at)]])
    ended = tails.Tails._slid_along(SimpleNamespace(net=here), [onto], batch, entry)
    x, y = ended.xy[0, 2]
    assert math.hypot(x, y) == pytest.approx(rho)
    went = (math.atan2(y, x) - at + math.pi) % math.tau - math.pi
    assert turn * went * rho == pytest.approx(tails._ON, rel=1e-6)
    assert ended.legs().sweep[0, 1] == pytest.approx(went, abs=1e-9)
