"""What is left out of paths, arcs of a hair on rings that are closed, and fans cast in a graph or its sharper one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.geometry.grown import grown
from sbg_sim.geometry.pieces import Piece
from sbg_sim.solver.field import fans
from sbg_sim.solver.field.fans import RayFans
from sbg_sim.solver.path import best_path, onward, polish, type_search
from sbg_sim.solver.path.gathering import gather
from sbg_sim.solver.path.optimise import Optimum
from sbg_sim.solver.path.paths import Fixed, Link, Path, SamePlace, Slide, Wrap
from sbg_sim.tolerance import HAIR
from tests.solver.stage import STRIP, level, net, path, ring

A, B = Fixed((0.0, 0.0)), Fixed((9.0, 0.0))


@pytest.mark.parametrize(
    ("weights", "left"), [([1.0, 2.0, 1.0], True), ([1.0, 2.0, 2.0], False), ([2.0, 2.0, 1.0], False)]
)
def test_places_that_met_are_left_out_where_straight_on_is_cheaper(weights, left):
    here = net([level(2.0)])
    met = path(A, Slide(0, 23.0), Slide(0, 23.0), B, weights=weights)
    found = onward._left_out(here, met, 1)
    assert (found is not None) == left
    if left:
        assert found.elements == (A, B)
        assert [link.weight for link in found.links] == [1.0]
    straight = path(A, Slide(0, 20.0), Slide(0, 20.0), Fixed((0.0, 9.0)), weights=[1.0, 2.0, 1.0])
    assert onward._left_out(here, straight, 1) is None  # no cheaper
    assert onward._left_out(here, met, 0) is None
    assert onward._left_out(here, met, 2) is None


@pytest.mark.parametrize(("sweep", "gone"), [(-0.5, Wrap), (0.5, Slide)])
def test_an_arc_past_nothing_is_left_out_before_places_that_met(sweep, gone):
    """What goes on with such an arc would have it go all the way round; with one that is none, places are joined."""
    here = net([level(2.0)], [ring(5.0, 3.0, 1.0)])
    some = path(A, Slide(0, 23.0), Slide(0, 23.0), Wrap(0, 1), Slide(0, 30.0))
    best = Optimum(some, 9.0, np.array([0.0, 0, 0, sweep, 0]), np.array([3.6, 0, 2, 3]), stopped=False)
    left = Counter(map(type, onward.met(here, some, best).elements))
    assert left == Counter(map(type, some.elements)) - Counter([gone])


@pytest.mark.parametrize("stopped", [True, False])
def test_who_stopped_with_an_arc_past_nothing_goes_on_without_it(stopped):
    here = net([level(2.0)], [ring(5.0, 3.0, 1.0)])
    some = path(A, Slide(0, 23.0), Wrap(0, 1), Slide(0, 30.0))
    best = Optimum(some, 9.0, np.array([0.0, 0, -0.5, 0]), np.array([3.6, 2, 3]), stopped=stopped)
    (found,) = polish._further(here, [polish._Polishing(some, some)], [best], hops=False)
    assert found.elements == (A, Slide(0, 23.0), Slide(0, 30.0))


@pytest.mark.parametrize("walked", [0, 1, 2])
@pytest.mark.parametrize("rim", ["same", "crossing", "apart"])
def test_where_an_arc_ran_out_the_next_way_over_begins_just_where_the_last_one_lands(walked, rim):
    """Whatever comes before: also where a path begins with a way over."""
    second = {
        "same": level(2.0),
        "crossing": Piece((3.0, -18.0), (0.0, 1.0), 40.0, normal=(1.0, 0.0)),  # it meets the other at its middle
        "apart": level(2.5),
    }[rim]
    here = net([level(2.0), second], [ring(3.0, 2.0, 0.5)])
    here.transitions = [SimpleNamespace(way=SimpleNamespace(across=False))] * 2
    before = [Fixed((-9.0 + k, 1.0)) for k in range(walked)]
    start, landed, begun = Fixed((3.0, 0.0)), Slide(0, 23.0), Slide(1, 20.0 if rim == "crossing" else 23.0)
    walk, one, two = Link(0), Link(0, transition=0), Link(0, transition=1)
    links = ((walk,) * walked, one, walk, walk, two)
    run_out = Path((*before, start, landed, Wrap(0, 1), begun, B), (*links[0], *links[1:]))
    found = onward._arc_run_out(here, run_out, walked + 2)
    if rim == "apart":
        assert found is None
    else:
        there = landed if rim == "same" else Fixed((3.0, 2.0))
        then = SamePlace() if rim == "same" else Fixed((3.0, 2.0))
        assert found.elements == (*before, start, there, then, B)
        assert found.links == (*links[0], one, walk, two)
    for k in (walked, walked + 3):  # no way over lands there, or begins
        links = tuple(walk if i == k else link for i, link in enumerate(run_out.links))
        assert onward._arc_run_out(here, replace(run_out, links=links), walked + 2) is None


@pytest.mark.parametrize("to", [(1, 20.0), (0, 25.0)])
def test_a_path_that_came_to_another_piece_is_weighed_anew(to):
    """Over a strip of difficult ground it was weighed as bare on the near rim; where it stays on that, it stays so."""
    here = net([level(2.0), level(4.0)], difficult=grown([(STRIP, 0.0)]))
    before, end = path(A, Slide(0, 20.0), B), Slide(*to)
    best = Optimum(path(A, end, B), 9.0, np.zeros(3), np.array([4.0, 8.0]), stopped=False)
    (found,) = polish._weighed(here, [before], [best])
    assert (found is best.path) == (to[0] == 0)
    assert found.elements == best.path.elements


def test_runs_are_those_of_the_graph_that_fans_are_cast_in():
    models = {
        "me": {"at": (8, 8), "base": 1, "height": 1.5, "move": 6, "side": "good"},
        "friend": {"at": (10.2, 9.1), "base": 1.5, "height": 1.5, "move": 6, "side": "good"},
    }
    bog = {"tags": ["difficult"], "polygon": [(4, 4), (7, 4), (7, 6), (4, 6)]}
    field = sbg.reach(sbg.Table(16, 16, models=models, terrain={"bog": bog}), "me").certain.at(0, None)
    sketch = RayFans(field, 6.0, sagitta=0.1)
    assert sketch.net is field.net
    assert sketch.runs is field.runs
    fine = RayFans(field, 6.0)
    assert fine.net is field.sharp[0]
    assert (fine.runs is field.runs) == (fine.net is field.net)
    assert len(fine.cost) == len(fine.net.nodes.xy)


@pytest.mark.parametrize("stretch", [1, 2, 3, 7, 10_000])
def test_a_fan_from_a_ring_is_the_same_however_many_of_its_rays_are_drawn_at_once(monkeypatch, stretch):
    """Behind a base, from its ring: by ray after ray, or all in one outline."""
    friend = {"at": (9.5, 8), "base": 1.5, "height": 1.5, "move": 6, "side": "good"}
    me = {"at": (8, 8), "base": 1, "height": 1.5, "move": 6, "side": "good"}
    field = sbg.reach(sbg.Table(16, 16, models={"me": me, "friend": friend}), "me").certain.at(0, None)
    whole = sum(part.area for part in RayFans(field, 5.0)._fans())
    monkeypatch.setattr(fans, "_STRETCH", stretch)
    assert sum(part.area for part in RayFans(field, 5.0)._fans()) == pytest.approx(whole, abs=1e-9)


@pytest.mark.parametrize("rho", [0.5, 2.0])
@pytest.mark.parametrize(("factor", "open_"), [(0.7, True), (1.3, False)])
def test_an_arc_of_no_more_than_a_hair_is_open_on_a_ring_that_is_closed(rho, factor, open_):
    """From afar along the top of a ring and on, a little downwards: by so much it turns round it."""
    shut = ring(4.0, 0.0, rho)
    here = net(rings=[replace(shut, open=np.zeros_like(shut.open))])
    sweep = factor * HAIR / rho
    some = path(Fixed((0.0, rho)), Wrap(0, -1), Fixed((8.0, rho - 4 * sweep)))
    batch = gather(here, [some])
    assert abs(batch.legs().sweep[0, 1]) == pytest.approx(sweep, rel=1e-6)
    assert bool(np.isfinite(batch.allowed(batch.cost()))[0]) == open_


@pytest.mark.parametrize(("west", "on"), [(-5.0, False), (5.0, True)])
def test_a_place_goes_on_along_its_rim_where_that_costs_less_on_the_ground_there(west, on):
    """From the edge of difficult ground beside it straight down: beyond the end of the rim it would be crossed."""
    flat = Piece((4.0, 0.0), (-1.0, 0.0), 4.0, normal=(0.0, 1.0))
    rims = [flat, Piece((0.0, 0.0), (-0.8, 0.6), 4.0, normal=(0.6, 0.8))]
    ground = sbg.polygon([(0, -3), (0, 12), (west, 12), (west, -3)])
    here = net(rims, difficult=grown([(ground, 0.0)]))
    at_end = path(Fixed((0.0, 10.0)), Slide(0, 4.0))
    best = Optimum(at_end, 10.0, np.zeros(2), np.array([10.0]), stopped=False)
    (ways,) = polish._hops(here, [best])
    assert [way.elements[-1].piece for way in ways] == [1] * on


def test_what_is_barred_wherever_it_was_sampled_is_no_last_way(monkeypatch):
    """From where a jump up may begin in time the base first stands on the top, and not in contact.

    Forty such ways were made shortest, nine seconds long, each time it was asked what the reading turns.
    """
    models = {
        "m": {"at": (3, 5), "base": 1, "height": 1.5, "move": 8, "side": "good"},
        "e": {"at": (10, 6), "base": 1, "height": 1.0, "move": 8, "side": "evil", "on": "p", "prone": True},
    }
    deck = {"tags": ["platform"], "height": 0.75, "polygon": [(4.5, 2), (10.5, 2), (10.5, 12), (4.5, 12)]}
    rulings = {"jump_without_movement": "yes"}
    table = sbg.Table(14, 14, models=models, terrain={"p": deck}, rulings=rulings)
    polished, usual = [], type_search.polish
    monkeypatch.setattr(
        type_search, "polish", lambda net, paths, **how: polished.extend(paths) or usual(net, paths, **how)
    )
    verdict = sbg.check(table, sbg.Charge("m", "e"))
    assert verdict.chance == Fraction(1, 6)
    assert polished == []


@pytest.mark.parametrize("lies", ["foe", "friend"])
def test_nobody_goes_on_from_where_the_goal_is_met(monkeypatch, lies):
    """Over who lies and is charged leads nothing: to touch it is enough. Over a friend that lies before it does."""
    man = {"base": 1, "height": 1.5, "move": 8}
    models = {
        "me": man | {"at": (6, 12), "side": "good"},
        "friend": man | {"at": (10, 12), "side": "good", "prone": lies == "friend"},
        "foe": man | {"at": (15.2, 12), "side": "evil", "prone": lies == "foe"},
    }
    nets, usual = [], best_path._graph
    monkeypatch.setattr(best_path, "_graph", lambda *args, **how: nets.append(usual(*args, **how)) or nets[-1])
    bog = {"tags": ["difficult"], "polygon": [(12, 10), (14, 10), (14, 13), (12, 13)]}
    verdict = sbg.check(sbg.Table(24, 24, models=models, terrain={"bog": bog}), sbg.Charge("me", "foe"))
    assert verdict.answer == "no"
    over = [np.flatnonzero(net.transition_of >= 0) for net, *_ in filter(None, nets)]
    begun = [net.nodes.xy[net.graph.src[e]] for (net, *_), e in zip(filter(None, nets), over, strict=True)]
    assert nets
    assert (sum(map(len, begun)) > 0) == (lies == "friend")
    assert all((np.hypot(*(p - (15.2, 12)).T) > 1 + 1e-6).all() for p in begun)
