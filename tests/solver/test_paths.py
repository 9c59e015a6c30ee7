"""Paths from labels, and what is changed of them: which elements and links there are then."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from sbg_sim.geometry.pieces import Piece
from sbg_sim.rules.zones import Zone
from sbg_sim.solver.graph.label_search import settle
from sbg_sim.solver.graph.lazy_graph import Graph
from sbg_sim.solver.graph.tangent_graph import ON_RING, POINT, SAMPLE, VIRTUAL, Nodes
from sbg_sim.solver.path import gathering, paths
from sbg_sim.solver.path.cheapest import option_of
from sbg_sim.solver.path.mending import _begun_in_zone, _come_off_zone
from sbg_sim.solver.path.options import UNTOLD, Option, late_ways
from sbg_sim.solver.path.paths import Fixed, Link, OnCircle, Path, SamePlace, Slide, Wrap
from sbg_sim.table.route import Leg, Route
from tests.solver.stage import level, net, path, ring

A, B = Fixed((0.0, 0.0)), Fixed((9.0, 0.0))


@pytest.fixture
def strung():
    """Place 0, nodes 1 and 2 on a ring, sample 3 on that ring, place 4, and a circle 5 to come into contact with."""
    kind = np.array([POINT, ON_RING, ON_RING, SAMPLE, POINT, VIRTUAL])
    xy = np.array([[0.0, 0.0], [4.0, 1.0], [5.0, 1.0], [6.0, 0.5], [9.0, 0.0], [9.0, 5.0]])
    ref, turn = np.array([-1, 7, 7, 2, -1, -1]), np.array([0, -1, -1, 0, 0, 0])
    param = np.array([0.0, 1.0, 2.0, 0.25, 0.0, 1.5])
    bound = np.array([False, False, False, False, True, True])
    nodes = Nodes(xy, np.array([0, 0, 0, 0, 0, 1]), bound, kind, ref, turn, param)
    # A die is thrown on the way to the circle; runs 0 and 1 hold the ring's nodes.
    src, dst = np.array([0, 2, 3, 4]), np.array([1, 4, 4, 5])
    weight, up = np.array([2.0, 9.0, 1.5, 3.0]), np.array([0, 0, 0, 1])
    along, reached = np.array([1, 2, 3]), np.array([0.0, 1.0, 2.5])
    graph = Graph(6, src, dst, weight.copy(), up, lambda e: weight[e], along, reached, np.zeros(3, dtype=np.int64))
    graph.mark = np.array([-1, -1, -1, 3])
    return SimpleNamespace(
        graph=graph, nodes=nodes, transition_of=graph.mark, run_ring=np.array([7]), run_turn=np.array([-1])
    )


def test_labels_are_followed_back_along_edges_and_runs(strung):
    labels = settle(strung.graph, {0: 0.0}, layers=1)
    assert labels.cost[1, 5] == 2.0 + 2.5 + 1.5 + 3.0
    steps = gathering.trace(strung, labels, 1, 5)
    assert steps[0] == (-1, -1, 0)
    assert [(e, run, node) for e, run, node in steps[1:] if e >= 0] == [(0, -1, 1), (2, -1, 4), (3, -1, 5)]
    assert [run for _, run, _ in steps if run >= 0] == [0] * (len(steps) - 4)
    found = gathering.as_path(strung, steps)
    assert found.elements == (A, Wrap(7, -1), Slide(2, 0.25), B, OnCircle((9.0, 5.0, 1.5)))
    assert [link.transition for link in found.links] == [-1, -1, -1, 3]
    assert [link.bound for link in found.links] == [(False, False)] * 2 + [(False, True), (True, True)]
    assert [link.space for link in found.links] == [0] * 4  # each of the space that it begins on


def test_what_goes_along_a_ring_is_one_turn(strung):
    steps = [(-1, -1, 0), (0, -1, 1), (-1, 0, 2), (1, -1, 4)]
    assert gathering.as_path(strung, steps).elements == (A, Wrap(7, -1), B)
    # From a place that lies on the ring itself the turn comes with the run.
    steps = [(-1, -1, 3), (-1, 0, 2), (1, -1, 4)]
    found = gathering.as_path(strung, steps)
    assert found.elements == (Fixed((6.0, 0.5)), Wrap(7, -1), B)
    assert len(found.links) == 2


def test_of_two_runs_the_one_is_told_that_costs_what_labels_say(strung):
    graph = strung.graph
    graph.along, graph.run = np.array([1, 2, 3, 1, 3]), np.array([0, 0, 0, 1, 1])
    graph.reached = np.array([0.0, 1.0, 2.5, 0.0, 0.7])
    for cost, run in ((2.5, 0), (0.7, 1), (1.5, 1), (1.7, 0)):
        labels = SimpleNamespace(cost=np.array([[0.0, 2.0, 3.0, 2.0 + cost, 0.0, 0.0]]))
        assert gathering._run_between(strung, labels, 0, 1, 3) == run
    assert gathering._run_between(strung, labels, 0, 3, 1) == -1  # none leads back


def test_types_differ_by_what_is_touched_not_by_where_it_slides():
    one = path(A, Slide(3, 1.0), Wrap(2, 1), B)
    same = path(A, Slide(3, 2.0), Wrap(2, 1), Fixed((9.0 + 1e-11, 0.0)))
    assert paths.type_of(one) == paths.type_of(same)
    others = [
        path(A, Slide(4, 1.0), Wrap(2, 1), B),
        path(A, Slide(3, 1.0), Wrap(2, -1), B),
        path(A, Slide(3, 1.0), Wrap(1, 1), B),
        path(A, Slide(3, 1.0), Wrap(2, 1), Fixed((9.0, 1e-6))),
        path(A, Slide(3, 1.0), SamePlace(), B),
        path(A, Slide(3, 1.0), OnCircle((1.0, 1.0, 1.0)), B),
        replace(one, links=(*one.links[:-1], replace(one.links[-1], transition=0))),
    ]
    assert len({paths.type_of(one), *map(paths.type_of, others)}) == 8


def test_where_about_paths_with_ways_over_slide_tells_them_apart():
    plain = path(A, Slide(3, 1.0), B)
    over = replace(plain, links=(plain.links[0], replace(plain.links[1], transition=0)))
    assert paths.whereabouts(plain) == ()
    near, far = (paths.put(over, 1, Slide(3, u)) for u in (1.0 + 1e-9, 3.0))
    assert paths.whereabouts(over) == paths.whereabouts(near) != paths.whereabouts(far)


def test_elements_are_put_fixed_and_left_out():
    here = net([level(2.0)])
    way = path(A, Slide(0, 20.0), Slide(0, 40.0), Slide(0, 0.0), B, weights=[1.0, 2.0, 3.0, 4.0])
    assert way.slides == (1, 2, 3)
    assert paths.put(way, 2, A).elements == (A, Slide(0, 20.0), A, Slide(0, 0.0), B)
    assert paths.fixed(here, way, 1).elements[1] == Fixed((0.0, 2.0))
    assert paths.fixed(here, way, 0) is way
    ends = paths.fix_at_ends(here, way).elements
    assert ends[1:4] == (Slide(0, 20.0), Fixed((20.0, 2.0)), Fixed((-20.0, 2.0)))
    assert paths.place_of(here, Slide(0, 23.0)) == (3.0, 2.0)
    less = paths.without(way, 2)
    assert less.elements == (A, Slide(0, 20.0), Slide(0, 0.0), B)
    assert [link.weight for link in less.links] == [1.0, 3.0, 4.0]  # of the link that goes on
    onward = way.then(Link(0, 5.0), A)
    assert (onward.elements[-1], onward.links[-1].weight) == (A, 5.0)


def test_of_two_links_that_become_one_the_first_tells_where_it_begins():
    links = (Link(0, bound=(False, True)), Link(0, bound=(True, True)))
    assert paths.without(Path((A, A, B), links), 1).links == (Link(0, bound=(False, True)),)


def test_a_place_slides_on_the_rim_of_a_ring_if_both_are_one_circle():
    here = net([Piece((4.0, 1.0), (0.0, 0.0), 3.0, radius=2.0), level(2.0)], [ring(4.0, 1.0, 2.0), ring(4.0, 1.0, 2.5)])
    assert paths.on_own_ring(here, Slide(0, 1.0), Wrap(0, 1))
    assert not paths.on_own_ring(here, Slide(0, 1.0), Wrap(1, 1))
    assert not paths.on_own_ring(here, Slide(1, 1.0), Wrap(0, 1))
    assert not paths.on_own_ring(here, A, Wrap(0, 1))
    assert not paths.on_own_ring(here, Slide(0, 1.0), B)


ZONE = Zone("orc", (0.0, 2.0), 3.0, 0.0)


@pytest.mark.parametrize(("u", "bound"), [(21.0, True), (23.0, True), (23.5, False), (16.5, False)])
def test_where_a_path_slides_in_the_zone_of_whom_it_charges_it_is_bound(u, bound):
    """The rim runs through the middle of the zone, three inches to either side."""
    here = net([level(2.0)])
    here.spaces = [SimpleNamespace(target=ZONE)]
    links = (Link(0, bound=(False, not bound)), Link(0, bound=(not bound, True)))
    found = paths.bound_where_sliding(here, Path((A, Slide(0, u), B), links))
    assert [link.bound for link in found.links] == [(False, bound), (bound, True)]
    free = Path((A, Slide(0, u), B), (Link(0), Link(0)))
    assert paths.bound_where_sliding(here, free) == free
    begun = Path((A, Slide(0, u), B), (Link(0, bound=(True, True)), Link(0, bound=(True, True))))
    assert paths.bound_where_sliding(here, begun) == begun
    landed = Path((A, Slide(0, u), B), (Link(0, transition=0), Link(0, bound=(False, True))))
    assert paths.bound_where_sliding(here, landed) == landed  # where a way over lands it tells itself
    none = net([level(2.0)])
    none.spaces = [SimpleNamespace(target=None)]
    assert paths.bound_where_sliding(none, Path((A, Slide(0, u), B), links)).links == links


@pytest.mark.parametrize(("u", "kept"), [(23.0, True), (22.0, False), (24.0, False)])
def test_on_the_edge_of_the_zone_a_way_over_may_begin_free(u, kept):
    here = net([level(2.0)])
    here.spaces = [SimpleNamespace(target=ZONE)]
    links = (Link(0), Link(0, transition=0, bound=(False, True)))
    found = paths.bound_where_sliding(here, Path((A, Slide(0, u), B), links))
    within = u <= 23.0
    want = links if kept else (replace(links[0], bound=(False, within)), replace(links[1], bound=(within, True)))
    assert found.links == want


@pytest.mark.parametrize("end", [0.0, 40.0])
@pytest.mark.parametrize(("now", "off"), [(0.1, True), (7.0, False)])
def test_a_way_over_that_came_off_the_edge_of_the_zone_it_began_on_is_held_there(end, now, off):
    """It was sampled at the end of its rim, within the zone; polished it begins farther on, within it or not."""
    here = net([level(2.0), level(5.0)])
    zone = Zone("orc", (end - 20.0 + (2.0 if end else -2.0), 2.0), 2.05 if off else 12.0, 0.0)
    here.transitions = [SimpleNamespace(there=SimpleNamespace(target=zone), way=SimpleNamespace(across=False))]
    links = (Link(0), Link(0, transition=0, bound=(False, True)))
    sampled = Path((A, Slide(0, end), Slide(1, 20.0)), links)
    polished = paths.put(sampled, 1, Slide(0, abs(end - now)))
    found = _begun_in_zone(here, sampled, list(_come_off_zone(here, polished, sampled)))
    held = paths.put(sampled, 1, Fixed((end - 20.0, 2.0)))
    assert found == (held if off else None)
    assert _begun_in_zone(here, sampled, list(_come_off_zone(here, sampled, sampled))) is None
    inner = paths.put(sampled, 1, Slide(0, abs(end - 0.02)))
    assert _begun_in_zone(here, inner, list(_come_off_zone(here, polished, inner))) is None
    before = replace(sampled, links=(links[0], replace(links[1], bound=(True, True))))
    assert _begun_in_zone(here, before, list(_come_off_zone(here, polished, before))) is None


# -- what is told of a path --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("over", "slides"), [(False, True), (True, False), (True, True), (False, False)])
def test_of_a_path_that_stays_as_sampled_so_much_is_open_as_sampling_may_hide(over, slides):
    """A crossing beside its sample: a hair; a way over beside it: as much as samples lie apart; else nothing."""
    middle = Slide(0, 20.0) if slides else Fixed((0.0, 2.0))
    links = (Link(0), Link(0, transition=0 if over else -1))
    sampled, route = Path((A, middle, B), links), Route((Leg("straight", (0, 0), (9, 0), 9.0),))
    mender = SimpleNamespace(tests=0, landed=False)
    found = option_of(mender, None, sampled, route)
    assert found.cost == route.cost
    hidden = (0.25 if over else 0.05) if slides else 1e-9
    assert (found.slack, found.snap) == (hidden, 0.25 if over and slides else 0.0)
    assert found.begun == 0.0
    landed = option_of(SimpleNamespace(tests=1, landed=True), None, sampled, route)
    assert landed.begun == pytest.approx(0.0)  # its only leg is the last
    assert option_of(mender, None, sampled, None) is None


def test_nothing_is_known_to_cost_anything_of_what_is_not_known():
    assert (UNTOLD.found, UNTOLD.beyond) == ([], 0.0)


def test_a_chance_is_that_of_its_dice():
    plain, landing = (Option(2, one, 3.0, 0.0, Route()).chance for one in (False, True))
    assert (str(plain), str(landing)) == ("1/36", "5/36")


@pytest.mark.parametrize("leap", [True, False])
@pytest.mark.parametrize("jump", [True, False])
def test_what_a_last_way_may_cost_though_less_is_left_is_told_by_readings(leap, jump):
    readings = {"leap_needs": "maximum" if leap else "remaining", "jump_without_movement": "yes" if jump else "no"}
    found = late_ways(SimpleNamespace(rulings=readings), 6.0)
    assert found.get("leap") == (6.0 if leap else None)
    jumps = {kind: most for kind, most in found.items() if kind != "leap"}
    assert set(jumps.values()) == ({math.inf} if jump else set())


@pytest.mark.parametrize(("slack", "found"), [(1.0, True), (0.75, False)])
def test_onto_a_ring_a_detour_leads_by_another_node_of_its_run(strung, slack, found):
    """To node 3 by node 2 for 2.2 + 1.5 in; by node 1 for 2 + 2.5 in, eight tenths more."""
    graph = Graph(
        6, np.array([0, 4]), np.array([1, 2]), np.array([2.0, 2.2]), np.zeros(2, dtype=np.int64),
        lambda e: np.array([2.0, 2.2])[e], strung.graph.along, strung.graph.reached, strung.graph.run,
    )  # fmt: skip
    here = SimpleNamespace(graph=graph, nodes=strung.nodes, transition_of=np.full(2, -1))
    labels = settle(graph, {0: 0.0, 4: 0.0}, layers=0)
    assert labels.cost[0, 3] == pytest.approx(3.7)
    told = gathering._other_runs(here, labels, 0, 3, 2, 3.7, slack)
    assert [(steps[-1], pytest.approx(more)) for steps, more in told] == ([((-1, 0, 3), 0.8)] if found else [])
    if found:
        assert [node for _, _, node in told[0][0]] == [0, 1, 3]
    assert [steps[0][2] for steps, _ in gathering._other_runs(here, labels, 0, 3, 1, 4.5, 9.0)] == [4]
    # Of those that come there from one rim or ring, or straight, only the cheapest is of another type.
    assert [more for _, more in gathering._other_runs(here, labels, 0, 3, -1, 3.7, 9.0)] == pytest.approx([0.0])
    kind, ref = strung.nodes.kind.copy(), strung.nodes.ref.copy()
    kind[4], ref[4] = SAMPLE, 5
    here.nodes = replace(strung.nodes, kind=kind, ref=ref)
    assert [more for _, more in gathering._other_runs(here, labels, 0, 3, -1, 3.7, 9.0)] == pytest.approx([0.0, 0.8])
