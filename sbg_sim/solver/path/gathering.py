"""Paths from the labels of a search, with the detours beside them; paths put into arrays and read back."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from sbg_sim.arrays import point
from sbg_sim.solver.graph.label_search import NO_EDGE
from sbg_sim.solver.graph.tangent_graph import ON_RING, SAMPLE, VIRTUAL
from sbg_sim.solver.path.batch import FOLLOW, SLIDE, WRAP, Batch
from sbg_sim.solver.path.paths import Fixed, Link, OnCircle, Path, SamePlace, Slide, Wrap, put
from sbg_sim.tolerance import ROUNDING, SMOOTH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.solver.graph.label_search import Labels
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.path.paths import Element, Steps
    from sbg_sim.solver.space.transitions import Transition

Locus: TypeAlias = tuple[object, ...]
"""Where a path leads: its straight links and ways over, and the rings it turns round."""
_DIGITS: Final = 7  # decimals of places in inches: paths that differ by less lead the same way
_MOST_DETOURS: Final = 6  # detours into one node: the cheapest from each origin, this many at most


# -- what labels say --------------------------------------------------------------------------------------------------


def trace(net: TangentGraph, labels: Labels, layer: int, node: int, *, landed: bool = False) -> Steps:
    """Return the path to a node behind a number of dice (``layer``), by following labels back to the source."""
    steps: Steps = []
    k, n = layer, node
    e, r = (int(labels.landing_edge[k, n]), -1) if landed else (int(labels.edge[k, n]), int(labels.run[k, n]))
    while r >= 0 or e != NO_EDGE:
        if r >= 0:
            steps.append((-1, _run_between(net, labels, k, r, n), n))
            n = r
        else:
            steps.append((e, -1, n))
            k, n = k - int(net.graph.layers_up[e]), int(net.graph.src[e])
        e, r = int(labels.edge[k, n]), int(labels.run[k, n])
    return [(-1, -1, n), *steps[::-1]]


def _run_between(net: TangentGraph, labels: Labels, k: int, a: int, b: int) -> int:
    g = net.graph
    at_a, at_b = np.flatnonzero(g.along == a), np.flatnonzero(g.along == b)
    want = labels.cost[k, b] - labels.cost[k, a]
    best, found = math.inf, -1
    for i in at_a.tolist():
        for j in at_b.tolist():
            if g.run[i] == g.run[j] and j >= i:
                gap = abs(float(g.reached[j] - g.reached[i]) - float(want))
                if gap < best:
                    best, found = gap, int(g.run[i])
    return found


def as_path(net: TangentGraph, steps: Steps) -> Path:
    """Turn traced steps into a path."""
    elements: list[Element] = [Fixed(point(net.nodes.xy[steps[0][2]]))]
    links: list[Link] = []
    for (_, _, before), (e, run, node) in itertools.pairwise(steps):
        space = int(net.nodes.space[node])
        state = (bool(net.nodes.bound[before]), bool(net.nodes.bound[node]))
        if run >= 0:
            wrap = Wrap(int(net.run_ring[run]), int(net.run_turn[run]))
            if not (isinstance(elements[-1], Wrap) and elements[-1] == wrap):
                elements.append(wrap)
                links.append(Link(space, bound=state))
            if net.nodes.kind[node] != ON_RING:
                elements.append(_element(net, node))
                links.append(Link(space, bound=state))
            continue
        transition = int(net.transition_of[e])
        elements.append(_element(net, node))
        links.append(Link(int(net.nodes.space[before]), transition=transition, bound=state))
    return Path(tuple(elements), tuple(links))


def _element(net: TangentGraph, node: int) -> Element:
    if net.nodes.kind[node] == ON_RING:
        return Wrap(int(net.nodes.ref[node]), int(net.nodes.turn[node]))
    if net.nodes.kind[node] == SAMPLE:
        return Slide(int(net.nodes.ref[node]), float(net.nodes.param[node]))
    if net.nodes.kind[node] == VIRTUAL:
        return OnCircle((*point(net.nodes.xy[node]), float(net.nodes.param[node])))
    return Fixed(point(net.nodes.xy[node]))


def detours(net: TangentGraph, labels: Labels, layer: int, steps: Steps, slack: float) -> list[tuple[Steps, float]]:
    """Return the paths that differ from one in how they come to one of its nodes, and how much dearer they are.

    Parameters
    ----------
    net, labels
        The settled tangent graph.
    layer
        Dice taken at the end of the path.
    steps
        The path as :func:`trace` gives it.
    slack
        How much more than the path a detour may cost, inches.

    """
    graph = net.graph
    found: list[tuple[Steps, float]] = []
    k = layer
    for i in range(len(steps) - 1, 0, -1):
        e, _, node = steps[i]
        if e >= 0 and graph.layers_up[e]:
            k -= int(graph.layers_up[e])
            continue
        before = steps[i - 1][2]
        here = labels.cost[k, before] + (graph.low[e] if e >= 0 else labels.cost[k, node] - labels.cost[k, before])
        for other, more in (
            *_other_edges(net, labels, k, node, e, here, slack),
            *_other_runs(net, labels, k, node, before, here, slack),
        ):
            found.append(([*other, *steps[i + 1 :]], more))
    return found


def _origins(net: TangentGraph, nodes: Ints) -> list[tuple[int, int, int]]:
    """Return the origin of nodes, the piece of a rim or the ring that they lie on: of each one detour is enough."""
    return list(
        zip(net.nodes.kind[nodes].tolist(), net.nodes.ref[nodes].tolist(), net.nodes.turn[nodes].tolist(), strict=True)
    )


def _other_edges(
    net: TangentGraph, labels: Labels, k: int, node: int, taken: int, here: float, slack: float
) -> list[tuple[Steps, float]]:
    graph = net.graph
    into = np.flatnonzero((graph.dst == node) & (graph.layers_up == 0))
    into = into[into != taken]
    cost = labels.cost[k, graph.src[into]] + graph.low[into]
    into = into[cost <= here + slack]
    cost = labels.cost[k, graph.src[into]] + graph.weights(into)
    order = np.argsort(cost, kind="stable")
    order = order[cost[order] <= here + slack]
    found: dict[tuple[int, int, int], tuple[Steps, float]] = {}
    for e, origin, c in zip(
        into[order].tolist(), _origins(net, graph.src[into[order]]), cost[order].tolist(), strict=True
    ):
        if origin not in found and len(found) < _MOST_DETOURS:
            found[origin] = ([*trace(net, labels, k, int(graph.src[e])), (e, -1, node)], c - here)
    return list(found.values())


def _other_runs(
    net: TangentGraph, labels: Labels, k: int, node: int, before: int, here: float, slack: float
) -> list[tuple[Steps, float]]:
    """Return the paths that come to a node along its ring from another place where the ring can be joined."""
    graph = net.graph
    found: dict[tuple[int, int, int], tuple[Steps, float]] = {}
    for at in np.flatnonzero(graph.along == node).tolist():
        run = int(graph.run[at])
        on = np.flatnonzero(graph.run[:at] == run)
        nodes = graph.along[on]
        cost = labels.cost[k, nodes] + graph.reached[at] - graph.reached[on]
        good = (cost <= here + slack) & (labels.edge[k, nodes] != NO_EDGE) & (nodes != before) & (nodes != node)
        order = np.flatnonzero(good)[np.argsort(cost[good], kind="stable")]
        sources = graph.src[labels.edge[k, nodes[order]]]
        for m, origin, c in zip(nodes[order].tolist(), _origins(net, sources), cost[order].tolist(), strict=True):
            if origin not in found and len(found) < _MOST_DETOURS:
                found[origin] = ([*trace(net, labels, k, m), (-1, run, node)], c - here)
    return list(found.values())


# -- arrays ----------------------------------------------------------------------------------------------------------


def gather(net: TangentGraph, paths: Sequence[Path], of: Ints | None = None, *, aside: float = 0.0) -> Batch:
    """Put paths into arrays, one row each; ``of`` numbers the rows, by default in their order.

    A sliding place can move along its whole piece of a rim, and up to ``aside`` inches along the smooth course that the
    piece is part of.
    """
    sizes = [len(c.elements) for c in paths]
    b, k = len(paths), max(sizes, default=1)
    kind, ring, course = (np.zeros((b, k), dtype=np.int64) for _ in range(3))
    xy = np.zeros((b, k, 2))
    turned, heavy, u, top, origin = (np.zeros((b, k)) for _ in range(5))
    rim, size = np.zeros(b), np.array(sizes, dtype=np.int64)
    spots: dict[type, list[tuple[int, int, Any]]] = {one: [] for one in (Fixed, Wrap, Slide, OnCircle, SamePlace)}
    for i, path in enumerate(paths):
        for j, e in enumerate(path.elements):
            spots[type(e)].append((i, j, e))

    def of_kind(one: type) -> tuple[tuple[Ints, Ints], list[Any]]:
        rows, cols, some = zip(*spots[one], strict=True)
        return (np.array(rows), np.array(cols)), list(some)

    if spots[Fixed]:
        at, some = of_kind(Fixed)
        xy[at] = [e.at for e in some]
    if spots[Wrap]:
        at, some = of_kind(Wrap)
        rings = [net.rings[e.ring] for e in some]
        kind[at], ring[at], xy[at] = WRAP, [e.ring for e in some], [one.center for one in rings]
        turned[at] = [e.turn * one.rho for e, one in zip(some, rings, strict=True)]
        heavy[at] = [one.even for one in rings]
    if spots[Slide]:
        at, some = of_kind(Slide)
        piece, along = np.array([e.piece for e in some]), np.array([e.u for e in some])
        kind[at] = SLIDE
        course[at], origin[at], u[at], top[at] = _stretches(net, piece, along, aside)
    if spots[OnCircle]:
        at, some = of_kind(OnCircle)
        xy[at], rim[at[0]] = [e.circle[:2] for e in some], [e.circle[2] for e in some]
    if spots[SamePlace]:
        kind[of_kind(SamePlace)[0]] = FOLLOW
    beyond = np.arange(k) >= size[:, None]
    xy = np.where(beyond[..., None], xy[np.arange(b), size - 1][:, None], xy)
    space, weight, transition, bound = _links(net, paths, kind)
    past, of = np.full((b, k), SMOOTH), np.arange(b) if of is None else of
    where = (net, kind, ring, course, xy, turned, heavy, u, top, origin)
    return Batch(*where, space, weight, transition, bound, rim, size, past, of)


def _stretches(net: TangentGraph, piece: Ints, u: Floats, aside: float) -> tuple[Ints, Floats, Floats, Floats]:
    """Return the stretches that places may slide along: course, begin on it, position on the stretch, length.

    On rims of difficult ground it is the piece alone: beyond its end the links may run over that ground.
    """
    rims = net.rims
    course, begin = rims.courses[0][piece], rims.courses[1][piece]
    past = np.where(piece < net.difficult_pieces, 0.0, aside)
    before = np.minimum(0.0, np.maximum(u - past, -begin))  # begin of the stretch, from the begin of the piece
    after = np.maximum(rims.length[piece], np.minimum(u + past, rims.whole[course] - begin))
    return course, begin + before, u - before, after - before


def _links(net: TangentGraph, paths: Sequence[Path], kind: Ints) -> tuple[Ints, Floats, Ints, Bools]:
    """Return spaces, weights, transitions and states of links; mark in ``kind`` ``(b, k)`` the landings that follow."""
    b, k = kind.shape
    space, transition = np.zeros((b, k - 1), dtype=np.int64), np.full((b, k - 1), -1)
    weight, bound = np.zeros((b, k - 1)), np.zeros((b, k - 1, 2), dtype=bool)
    every = [link for path in paths for link in path.links]
    if not every:
        return space, weight, transition, bound
    real = np.arange(k - 1) < np.array([len(path.links) for path in paths])[:, None]
    space[real] = [link.space for link in every]
    bound[real] = [link.bound for link in every]
    transition[real] = [link.transition for link in every]
    weight[real] = [link.weight if link.transition < 0 else 0.0 for link in every]
    for i in np.flatnonzero((transition >= 0).any(axis=1)).tolist():
        path = paths[i]
        opposite = {constraint.way for constraint in path.constraints if constraint.opposite}
        for way, j in enumerate(np.flatnonzero(transition[i] >= 0).tolist()):
            over = net.transitions[path.links[j].transition]
            if (over.way.across and not _lands(over, path.elements[j], path.elements[j + 1])) or way in opposite:
                kind[i, j + 1] = FOLLOW  # straight across, the landing follows the start
    return space, weight, transition, bound


def _lands(over: Transition, one: Element, other: Element) -> bool:
    """Say whether a way over leads straight across from one fixed place to another."""
    if not (isinstance(one, Fixed) and isinstance(other, Fixed)):
        return False
    return over.leads(np.array(one.at), np.array(other.at))


def placed(path: Path, u: Floats) -> Path:
    """Return a path with its sliding places at the parameters ``u`` ``(k,)`` of their pieces."""
    elements = [replace(e, u=float(u[i])) if isinstance(e, Slide) else e for i, e in enumerate(path.elements)]
    return replace(path, elements=tuple(elements))


def slid(batch: Batch, paths: Sequence[Path]) -> list[Path]:
    """Return paths with their sliding places where the rows of a batch have moved them along their courses."""
    rims, found = batch.net.rims, list(paths)
    row, col = batch.slides.nonzero()
    u, origin, course = batch.u[row, col], batch.origin[row, col], batch.course[row, col]
    ended = u >= batch.top[row, col]
    elements = [paths[n].elements[i] for n, i in zip(row.tolist(), col.tolist(), strict=True)]
    before = np.array([e.piece for e in elements if isinstance(e, Slide)], dtype=np.int64)
    at = origin - rims.courses[1][before] + u
    other, _ = rims.on_piece(course, origin, u - ROUNDING * ended)  # of two that meet there the one that ends
    piece = np.where((at >= 0) & (at <= rims.length[before]), before, other)
    at = origin - rims.courses[1][piece] + u
    at = np.where(ended & (np.abs(at - rims.length[piece]) <= ROUNDING), rims.length[piece], at)
    for n, i, j, v in zip(row.tolist(), col.tolist(), piece.tolist(), at.tolist(), strict=True):
        found[n] = put(found[n], i, Slide(j, v))
    return found


def loci_of(net: TangentGraph, paths: Sequence[Path]) -> list[Locus]:
    """Return the loci of paths: types whose shortest paths have one locus are one and the same way.

    Links of no length are left out; the constraints of the path are part of its locus.
    """
    legs = gather(net, paths).legs()
    long, turns = (legs.length > ROUNDING).tolist(), (np.abs(legs.sweep) > SMOOTH).tolist()
    ends = np.round(np.concatenate([legs.p, legs.q], axis=2), _DIGITS).tolist()
    found = []
    for n, path in enumerate(paths):
        locus: list[object] = [path.constraints]
        for i, link in enumerate(path.links):
            if turns[n][i]:
                locus.append(path.elements[i])
            if long[n][i] or link.transition >= 0:
                locus.append((*ends[n][i], link.transition, link.bound))
        found.append(tuple(locus))
    return found
