"""Mending: what runs into a base goes round it, and what comes to cost more than is wanted is given up."""

import math

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.solver.graph.graph_builder import GraphBuilder
from sbg_sim.solver.path.mending import Mender
from sbg_sim.solver.path.normal_form import normal
from sbg_sim.solver.path.paths import Fixed, Link, Path, Slide, Wrap
from sbg_sim.solver.path.polish import polish
from sbg_sim.solver.space.surroundings import Goal, make_surroundings

MODELS = {
    "a": {"at": [4, 12], "base": 1, "height": 1.5, "move": 10, "side": "good"},
    "b": {"at": [8, 12.2], "base": 1, "height": 1.5, "move": 6, "side": "good"},
}
STRAIGHT = Path((Fixed((4.0, 12.0)), Fixed((12.0, 12.0))), (Link(0),))


@pytest.fixture
def mender():
    table = sbg.Table(24, 24, models=MODELS)
    surroundings = make_surroundings(table, table.model("a"), reach=10.0)
    net = GraphBuilder(surroundings, Goal(None, (12.0, 12.0)), 0.25, 10.0).build()
    return Mender(table, table.model("a"), net, 0)


def round_the_base():
    """From 4 in on either side of a circle of 1 in whose centre lies 0.2 in off the way: tangents and an arc."""
    d = math.hypot(4, 0.2)
    return 2 * math.sqrt(d * d - 1) + (math.pi - 2 * math.atan2(0.2, 4) - 2 * math.acos(1 / d))


def test_a_way_into_a_base_goes_round_it(mender):
    route, path = mender.mended([(STRAIGHT, STRAIGHT, 10.0)])[0]
    assert route.cost == pytest.approx(round_the_base(), abs=1e-9)
    assert len(path.elements) == 3
    assert mender.route(STRAIGHT) is None
    assert not mender.dear


def test_what_comes_to_cost_more_than_the_best_is_given_up_once_and_for_all(mender):
    assert mender.mended([(STRAIGHT, STRAIGHT, 10.0)], bar=round_the_base() - 1e-4) == [None]
    assert mender.gave_up(STRAIGHT)
    assert mender.mended([(STRAIGHT, STRAIGHT, 10.0)], bar=round_the_base() + 1e-4) != [None]


def test_what_several_paths_become_is_polished_together(mender, monkeypatch):
    asked = []

    def counted(net, paths, **options):
        asked.append(len(paths))
        return polish(net, paths, **options)

    monkeypatch.setattr("sbg_sim.solver.path.mending.polish", counted)
    paths = [Path((Fixed((4.0, 12.0)), Fixed((12.0, y))), (Link(0),)) for y in (11.9, 12.0, 12.1)]
    found = mender.mended([(path, path, 10.0) for path in paths])
    assert [n for n in asked if n] == [3]
    alone = [mender.mended([(path, path, 10.0)])[0] for path in paths]
    assert [route.cost for route, _ in found] == pytest.approx([route.cost for route, _ in alone], abs=1e-12)


def test_a_link_without_length_is_weighed_when_it_comes_to_one():
    """Along the rim of a bog, then round a base that stands on it: what runs to the base's circle is in the bog."""
    bog = {"polygon": [[2, 4], [16, 4], [16, 10], [2, 10]], "tags": ["difficult"]}
    models = {"a": MODELS["a"] | {"at": [5, 10.5]}, "b": MODELS["b"] | {"at": [9, 11.3]}}
    table = sbg.Table(24, 24, models=models, terrain={"bog": bog})
    surroundings = make_surroundings(table, table.model("a"), reach=12.0)
    net = GraphBuilder(surroundings, Goal(None, (13.0, 10.5)), 0.25, 12.0).build()
    mender = Mender(table, table.model("a"), net, 0)
    base = next(k for k, ring in enumerate(net.rings) if ring.center == (9.0, 11.3))
    ends = {
        (round(x, 6), round(y, 6)): (k, u)
        for k, piece in enumerate(net.pieces)
        for u in (0.0, piece.length)
        for x, y in [piece.at(np.array(u)).tolist()]
    }
    to, off = (Slide(*ends[x, 10.5]) for x in (8.4, 9.6))
    path = Path((Fixed((5.0, 10.5)), to, Wrap(base, 1), off, Fixed((13.0, 10.5))), (Link(0, 1.0),) * 4)
    and_back = Path((*path.elements[:3], to, *path.elements[2:]), (Link(0, 1.0),) * 6)
    assert [path.elements for path in normal(net, [path, and_back])] == [path.elements] * 2
    ((polished, cost, _),) = polish(net, [path])
    assert cost == pytest.approx(2 * 3.4 + 2 * 2 * math.asin(0.6), abs=1e-9)
    assert mender.route(polished).cost == pytest.approx(cost, abs=1e-9)
