"""Edges of a tangent graph: all tangents there are within range, and ways over from and to where they can lead."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.solver.graph.graph_builder import GraphBuilder
from sbg_sim.solver.graph.tangent_graph import ON_RING, SAMPLE, rim_owner
from sbg_sim.solver.graph.ways_over import _feet, _landing_at, in_range, in_rim_order
from sbg_sim.solver.space.surroundings import Goal, make_surroundings

ME = {"at": (8, 8), "base": 1, "height": 1.5, "move": 9, "side": "good"}
OTHERS = {
    "one": ME | {"at": (10.2, 8.4), "base": 1.5},
    "two": ME | {"at": (7.1, 10.6), "base": 2},
    "three": ME | {"at": (5.2, 6.9)},
    "four": ME | {"at": (11.9, 11.0)},
    "foe": ME | {"at": (9.4, 4.4), "side": "evil"},
}


def crowd(range_, goal=None, **more):
    table = sbg.Table(18, 18, models={"me": ME} | OTHERS)
    here = make_surroundings(table, table.model("me"), reach=20.0, **more)
    builder = GraphBuilder(here, goal, 0.25, range_)
    return builder, builder.build()


def straights(net):
    """Edges by where they begin and end, with their turns there, and how long they are."""
    at = net.nodes
    found = {}
    for a, b, low, mark in zip(
        *(part.tolist() for part in (net.graph.src, net.graph.dst, net.graph.low, net.transition_of)), strict=True
    ):
        ends = [(*at.xy[n].round(7).tolist(), int(at.kind[n]), int(at.turn[n]), bool(at.bound[n])) for n in (a, b)]
        found[(*ends[0], *ends[1], mark)] = low
    return found


@pytest.mark.parametrize("goal", [None, Goal(None, (12.5, 8.6)), Goal(None, (4.0, 12.0))])
@pytest.mark.parametrize("range_", [4.0, 6.0, 8.5])
def test_of_the_edges_for_a_longer_range_those_are_there_that_can_be_of_use(goal, range_):
    """What is as near, and leads on as near, is left out by no look at centres of rings."""
    builder, net = crowd(range_, goal)
    short, far = straights(net), straights(crowd(40.0, goal)[1])
    p, q = (np.array([key[5 * n : 5 * n + 2] for key in far]) for n in (0, 1))
    low = np.array(list(far.values()))
    use = builder.within(p, low, q)
    missing = [key for key, one in zip(far, use.tolist(), strict=True) if one and key not in short]
    assert missing == []
    assert all(far[key] == pytest.approx(value, abs=1e-6) for key, value in short.items())
    assert len(short) < len(far)


def test_tangents_touch_their_rings_and_are_as_long_as_is_said():
    _, net = crowd(20.0)
    p, q = net.nodes.xy[net.graph.src], net.nodes.xy[net.graph.dst]
    np.testing.assert_allclose(net.graph.low, np.hypot(*(q - p).T), atol=1e-5)
    seen = set()
    for a, b in zip(net.graph.src.tolist(), net.graph.dst.tolist(), strict=True):
        for n, sign in ((a, 1), (b, 1)):
            if net.nodes.kind[n] != ON_RING:
                continue
            d, ring = net.nodes.xy[b] - net.nodes.xy[a], net.rings[net.nodes.ref[n]]
            off = net.nodes.xy[n] - ring.center
            assert abs(off @ d) < 1e-5
            # Travel goes on as the ring is turned round.
            assert sign * (off[0] * d[1] - off[1] * d[0]) * net.nodes.turn[n] > -1e-9
            seen.add((net.nodes.ref[a] if net.nodes.kind[a] == ON_RING else -1, net.nodes.ref[b]))
    assert len(seen) > len(net.rings)


def test_between_two_rings_in_plain_sight_there_are_four_tangents():
    table = sbg.Table(
        40, 24, models={"me": ME | {"at": (4, 4)}, "a": ME | {"at": (14, 12)}, "b": ME | {"at": (22, 13), "base": 2}}
    )
    here = make_surroundings(table, table.model("me"), reach=60.0)
    net = GraphBuilder(here, None, 0.25, 60.0).build()
    ref, turn = net.nodes.ref, net.nodes.turn
    pairs = {
        (ref[a], turn[a], ref[b], turn[b])
        for a, b in zip(net.graph.src.tolist(), net.graph.dst.tolist(), strict=True)
        if net.nodes.kind[a] == net.nodes.kind[b] == ON_RING
    }
    assert pairs == {(i, s, j, t) for i, j in ((0, 1), (1, 0)) for s in (-1, 1) for t in (-1, 1)}


# -- ways over ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hedge():
    wall = {"tags": ["obstacle"], "line": [(12, 8), (12, 16)], "thickness": 0.4, "height": 1}
    table = sbg.Table(24, 24, models={"me": ME | {"at": (6, 12), "move": 20}}, terrain={"wall": wall})
    here = make_surroundings(table, table.model("me"), reach=20.0)
    builder = GraphBuilder(here, None, 0.3, 20.0)
    return builder, builder.build()


@pytest.mark.parametrize("range_", [6.0, 6.5, 8.0, 20.0])
@pytest.mark.parametrize("begun", [math.inf, 6.2])
def test_of_a_rim_the_parts_are_kept_that_a_path_within_range_comes_to(hedge, range_, begun):
    """And a sample more on either side; where a way over may begin for no more than so much, no farther either."""
    full = hedge[0]
    (way,) = full.transitions
    here = type("S", (), {})()
    here.spaces, here.transitions, here.mover = full.spaces, full.transitions, type("M", (), {"at": (6.0, 12.0)})()
    builder = GraphBuilder(here, None, 0.3, range_, begun=begun)
    for near in (True, False):
        parts = in_range(builder, way.near, way, near=near)
        rims = [piece.at(np.linspace(0, piece.length, 200)) for piece in way.near]
        most = min(range_, begun if near else math.inf)
        for p in rims:
            close = np.hypot(*(p - (6, 12)).T) + way.way.cost <= most - 1e-6
            kept = np.min([[part.nearest(tuple(at))[1] for at in p] for part in parts] or [np.full(200, 9.0)], axis=0)
            assert (kept[close] < 1e-9).all()
            farther = np.hypot(*(p - (6, 12)).T) > most + 3 * 0.3
            assert (kept[farther] > 1e-9).all()


def test_nodes_on_rims_are_put_in_order_each_once(hedge):
    builder, net = hedge
    on = np.flatnonzero(net.nodes.kind == SAMPLE)
    rng = np.random.default_rng(1)
    mixed = in_rim_order(builder, [rng.permutation(on), on[:7]])
    assert sorted(mixed.tolist()) == on.tolist()
    order = list(zip(net.nodes.ref[mixed].tolist(), net.nodes.param[mixed].tolist(), strict=True))
    assert order == sorted(order)
    assert rim_owner(3, near=True) + 1 == rim_owner(3, near=False)
    assert len({rim_owner(j, near=near) for j in range(5) for near in (True, False)}) == 10


@pytest.fixture(scope="module")
def terrace():
    top = {"tags": ["platform"], "polygon": [(8, 8), (16, 8), (16, 16), (8, 16)], "height": 3}
    table = sbg.Table(24, 24, models={"me": ME | {"at": (6, 12), "move": 20}}, terrain={"top": top})
    here = make_surroundings(table, table.model("me"), reach=20.0)
    builder = GraphBuilder(here, None, 0.3, 20.0)
    net = builder.build()
    return builder, next(way for way in net.transitions if way.source == 0), net


def test_feet_of_a_landing_are_the_places_from_which_one_lands_there(terrace):
    _, up, _ = terrace
    for at, feet in (((8.5, 12.0), [(7.5, 12.0)]), ((12.3, 15.5), [(12.3, 16.5)])):
        np.testing.assert_allclose(_feet(up, np.array([at])), feet, atol=1e-9)
    # At a corner one lands from either side of it.
    corner = {tuple(foot) for foot in _feet(up, np.array([(8.5, 8.5)])).round(6).tolist()}
    assert {(7.5, 8.5), (8.5, 7.5)} <= corner
    for foot in corner:
        p = np.array([foot])
        lands = np.concatenate([up.landing(p), up.tied(p)[1]])
        assert np.hypot(*(lands - (8.5, 8.5)).T).min() < 1e-6
    assert len(_feet(up, np.array([(12.0, 12.0)]))) == 0  # nobody lands amid the top


def test_a_climb_leads_straight_across_alone(terrace):
    """From each place of the near rim to where it comes out, and from corners either way: nowhere aslant."""
    _, up, net = terrace
    j = next(j for j, way in enumerate(net.transitions) if way.source == 0)
    edges = np.flatnonzero(net.transition_of == j)
    p, q = net.ends(edges)
    assert len(edges) > 20
    lands = np.hypot(*(up.landing(p) - q).T) <= 1e-6
    row, tied = up.tied(p)
    lands[row[np.hypot(*(tied - q[row]).T) <= 1e-6]] = True
    assert lands.all()


def test_round_a_corner_one_lands_at_one_place(terrace):
    builder, up, net = terrace
    j = builder.transitions.index(up)
    rim = np.flatnonzero((net.nodes.kind == SAMPLE) & np.isin(net.nodes.ref, net.rim_of(j, near=True)))
    found = _landing_at(builder, up, rim, np.array([8.5, 8.5]))
    for k in np.unique(net.nodes.ref[rim]).tolist():
        places = net.pieces[k].at(np.linspace(0.0, net.pieces[k].length, 9))
        there = np.hypot(*(up.landing(places) - (8.5, 8.5)).T) < 1e-6
        assert bool(there.all()) is (k in found)
    assert any(net.pieces[k].radius for k in found)
    assert _landing_at(builder, up, rim, np.array([8.5, 12.0])) == []
