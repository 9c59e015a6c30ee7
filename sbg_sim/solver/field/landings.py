"""Landings: where the last of some dice puts the mover down, as lines along the far rims of ways over.

By some readings of LEAP.1 the last leap or jump of a move may cost more than is left: a late landing.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from sbg_sim.arrays import distances
from sbg_sim.geometry.regions import outside
from sbg_sim.geometry.rims import Rims
from sbg_sim.tolerance import FITS, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sbg_sim.arrays import Array, Bools, Floats, Ints
    from sbg_sim.geometry.regions import Window
    from sbg_sim.solver.graph.label_search import Labels
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.space.transitions import Transition

_STEP: Final = 0.04  # inches between the places tested along a far rim
_FIRST: Final = 6  # nearest places of the near rim that are tried before all others


def landing_lines(net: TangentGraph, labels: Labels, space: int, layer: int, limit: float) -> shapely.Geometry:
    """Return the places on a space where the last of some dice puts the mover down, as lines.

    Parameters
    ----------
    net, labels
        The settled tangent graph; lines are as fine as its samples on rims.
    space
        Index of the space of the landings.
    layer
        Number of dice.
    limit
        Movement available, inches.

    """
    # First the ways over by any chord, then those straight across.
    nodes = net.samples[~net.on_ground[net.samples] & (net.nodes.space[net.samples] == space)]
    lines = _lines_within(net.nodes.xy[nodes], labels.landed[layer, nodes], limit, net.nodes.ref[nodes])
    for transition in net.transitions:
        straight = transition.way.across or transition.way.foot is not None
        if transition.dest == space and straight and 0 < transition.way.tests <= layer:
            p, cost, piece = begun(net, labels.cost[layer - transition.way.tests], transition, math.inf)
            q, over = _straight_over(transition, p)
            lines += _lines_within(q, cost + over, limit, piece)
    return shapely.union_all(lines) if lines else shapely.GeometryCollection()


def _lines_within(places: Floats, cost: Floats, limit: float, piece: Ints) -> list[shapely.Geometry]:
    """Join neighbouring places on one piece to lines where costs are within a limit, with interpolated ends."""
    (p, low), (q, high) = (places[:-1], cost[:-1]), (places[1:], cost[1:])
    k = np.flatnonzero((np.diff(piece) == 0) & np.isfinite(low) & np.isfinite(high) & (np.minimum(low, high) <= limit))
    (p, low), (q, high) = (p[k], low[k]), (q[k], high[k])
    with np.errstate(divide="ignore", invalid="ignore"):
        end = p + ((limit - low) / (high - low))[:, None] * (q - p)
    begins, ends = (np.where((some > limit)[:, None], end, at) for some, at in ((low, p), (high, q)))
    new = np.flatnonzero((np.diff(k, prepend=-1) > 1) | (low > limit))
    lines = [np.concatenate([begins[part[:1]], ends[part]]) for part in np.split(np.arange(len(k)), new) if len(part)]
    return [line for line in map(shapely.LineString, lines) if line.length > FITS]


def late_landings(
    net: TangentGraph,
    labels: Labels,
    space: int,
    layer: int,
    limit: float,
    ways: Mapping[str, float],
    known: shapely.Geometry,
    window: Window | None = None,
) -> list[shapely.Geometry]:
    """Return the late landings on a space, by ways over that begin within the limit and end beyond it, as lines.

    Parameters
    ----------
    net, labels
        The settled tangent graph.
    space
        Index of the space of the landings.
    layer
        Number of dice.
    limit
        Movement available, inches.
    ways
        What :func:`sbg_sim.solver.path.options.late_ways` returns.
    known
        A known area; landings inside it are not needed.
    window
        Bounds of the landings needed, inches; None for no bounds.

    """
    shapely.prepare(known)
    lines: list[shapely.Geometry] = []
    for transition in net.transitions:
        before = layer - transition.way.tests
        if (
            transition.dest != space
            or transition.way.kind not in ways
            or not 0 <= before < min(layer, len(labels.cost))
        ):
            continue
        most, (p, cost, piece) = ways[transition.way.kind], begun(net, labels.cost[before], transition, limit)
        lines += [*_opposite(transition, p, cost, piece, limit, most, known)]
        if len(p) and not transition.way.across:
            # Several ways may sample the same near rim: of equal places the cheapest suffices.
            once = np.lexsort((cost, *p.T))
            once = once[np.diff(p[once], axis=0, prepend=np.inf).any(axis=1)]
            lines += _beyond(transition, p[once], cost[once], limit, most, known, window)
    return lines


def begun(net: TangentGraph, cost: Floats, transition: Transition, limit: float) -> tuple[Floats, Floats, Ints]:
    """Return the samples within a limit where a way begins: places ``(n, 2)``, costs and rim pieces, in their order.

    Parameters
    ----------
    net
        The tangent graph.
    cost
        Costs of its nodes ``(m,)``, inches.
    transition
        The way over.
    limit
        Movement available, inches.

    """
    pieces = np.flatnonzero(np.array(net.piece_space, dtype=np.int64) == transition.source)
    pieces = pieces[pieces >= net.difficult_pieces]
    if transition.near:
        mid = net.rims.at(pieces, net.rims.length[pieces] / 2)
        pieces = pieces[Rims(transition.near).nearest(mid)[1].min(axis=1) <= TOUCH]
    nodes = net.samples[np.isin(net.nodes.ref[net.samples], pieces)]
    nodes = nodes[cost[nodes] <= limit + FITS]
    return net.nodes.xy[nodes], cost[nodes], net.nodes.ref[nodes]


def apart_from(window: Window, net: TangentGraph, ways: Mapping[str, float]) -> Floats:
    """Return the distance of each node from a window, or from the begin of a late way into it, if that is less.

    Parameters
    ----------
    window
        Bounds of the places that matter, inches.
    net
        The tangent graph.
    ways
        What :func:`sbg_sim.solver.path.options.late_ways` returns.

    Returns
    -------
    Inches ``(n,)``.

    """
    apart, anywhere = outside(window, net.nodes.xy), np.zeros(net.graph.size)
    for transition in net.transitions:
        p = begun(net, anywhere, transition, 0.0)[0] if transition.way.kind in ways else apart[:0]
        if len(p) and outside(window, p).min() <= ways[transition.way.kind] + FITS:
            apart = np.minimum(apart, outside((*p.min(axis=0), *p.max(axis=0)), net.nodes.xy))
    return apart


def _straight_over(transition: Transition, p: Floats) -> tuple[Floats, Floats]:
    """Return where a way leads straight over from places ``(n, 2)``, and its costs, inches; infinite if barred."""
    q, cost = transition.landing(p), np.full(len(p), np.inf)
    k = np.flatnonzero(np.isfinite(q).all(axis=1))
    k = k[transition.there.takes(q[k], bound=False)]
    k = k[transition.open_free(p[k], q[k])]
    cost[k] = transition.cost(p[k], q[k])
    return q, cost


def _opposite(
    transition: Transition,
    p: Floats,
    begun: Floats,
    piece: Ints,
    limit: float,
    most: float,
    known: shapely.Geometry,
) -> Array:
    """Return late landings straight over, as lines; a gap of the greatest width has no others."""
    q, cost = _straight_over(transition, p)
    ok = np.isfinite(cost) & (cost <= most + FITS) & (begun + cost > limit)
    inside = shapely.contains_xy(known, *q.T)
    k = np.flatnonzero(ok[:-1] & ok[1:] & (piece[:-1] == piece[1:]) & ~(inside[:-1] & inside[1:]))
    k = k[np.hypot(*(q[k + 1] - q[k]).T) <= 2 * np.hypot(*(p[k + 1] - p[k]).T) + _STEP]
    return np.asarray(shapely.linestrings(np.stack([q[k], q[k + 1]], axis=1)))


def _beyond(
    transition: Transition,
    p: Floats,
    begun: Floats,
    limit: float,
    most: float,
    known: shapely.Geometry,
    window: Window | None,
) -> Iterator[shapely.Geometry]:
    """Yield late landings by any chord from places ``p``, as lines; the way itself costs at most ``most``, inches."""
    there, rims = transition.there, Rims(transition.far)
    for j, length in enumerate(rims.length.tolist()):
        u = np.linspace(0.0, length, max(2, math.ceil(length / _STEP) + 1))
        on = np.full(len(u), j)
        q, out = rims.at(on, u), rims.frame(on, u)[1]
        inside = np.pad(shapely.contains_xy(known, *q.T), 1, mode="edge")
        ok: Bools = ~(inside[:-2] & inside[1:-1] & inside[2:]) & (outside(window, q) <= _STEP)
        ok[ok] = (distances(q[ok], p) <= most + FITS).any(axis=1)
        ok[ok] = there.takes(q[ok], bound=False)
        k = np.flatnonzero(ok)
        if not len(k):
            continue
        ok[k] = _led_to(transition, p, begun, q[k], out[k], limit, most)
        k = np.flatnonzero(ok[:-1] & ok[1:])
        yield from shapely.linestrings(np.stack([q[k], q[k + 1]], axis=1))


def _led_to(
    transition: Transition, p: Floats, begun: Floats, q: Floats, out: Floats, limit: float, most: float
) -> Bools:
    """Say to which places ``q`` ``(m, 2)`` with normals ``out`` a late way leads from any place ``p`` ``(n, 2)``."""
    led = np.zeros(len(q), dtype=bool)
    apart = distances(q, p)
    likely = apart <= most + FITS
    if transition.source == transition.dest and transition.firm is None:
        # A chord leaves the solid at its end.
        likely &= ((q[:, None] - p) * out[:, None]).sum(axis=2) > 0
    order = np.argsort(np.where(likely, apart, np.inf), axis=1, kind="stable")
    for chosen in (order[:, :_FIRST], order[:, _FIRST:]):
        k = np.flatnonzero(~led)
        i, j = chosen[k].ravel(), np.repeat(k, chosen.shape[1])
        i, j = (some[likely[j, i]] for some in (i, j))
        cost = transition.cost(p[i], q[j])
        dear = (cost <= most + FITS) & (begun[i] + cost > limit)
        i, j = i[dear], j[dear]
        led[j[transition.open_free(p[i], q[j])]] = True
    return led
