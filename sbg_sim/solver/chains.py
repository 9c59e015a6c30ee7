"""Chains: a path as a sequence of things it touches.

A chain's elements are fixed points, rings it wraps round with a turn, and places that slide along a rim. Its cost
is a smooth function of the sliding places.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.geometry.breaks import TAU
from sbg_sim.geometry.tangents import bitangents, leave_to_point
from sbg_sim.solver.network import SAMPLE, TANGENT, Network
from sbg_sim.solver.search import NO_EDGE, Labels

if TYPE_CHECKING:
    from sbg_sim.solver.rings import Ring

Floats = np.ndarray


@dataclass(frozen=True)
class Fixed:
    """A place that does not slide."""

    at: tuple[float, float]


@dataclass(frozen=True)
class Wrap:
    """A ring wrapped round with a turn."""

    ring: int
    turn: int


@dataclass(frozen=True)
class Slide:
    """A place on a rim piece at parameter ``u``."""

    piece: int
    u: float


@dataclass(frozen=True)
class Aim:
    """Contact with a circle ``(x, y, radius)``: the nearest place on it."""

    circle: tuple[float, float, float]


@dataclass(frozen=True)
class Same:
    """The place of the element before: a way over begins where another one ended."""


Element = Fixed | Wrap | Slide | Aim | Same


@dataclass(frozen=True)
class Link:
    """How one element leads to the next: straight on a sheet at a weight, or through a portal."""

    sheet: int
    weight: float = 1.0
    portal: int = -1
    bound: tuple[bool, bool] = (False, False)


@dataclass(frozen=True)
class Graze:
    """A way over that must just clear a circle, or that is just as long as it may be.

    Parameters
    ----------
    way
        Which way over of the chain, counted from 0.
    circle
        ``(x, y, radius)``, inches; None when its length is what binds.
    side
        +1 when the circle lies to the left of the way, -1 to the right.
    ahead
        Whether the clearance is told from the end of the way rather than from its start.
    tip
        Whether it is that end itself, and not the way as a whole, that must keep off the circle.
    opposite
        Whether the way is so nearly too long that it can only end just opposite to where it starts.

    """

    way: int
    circle: tuple[float, float, float] | None
    side: float = 1.0
    ahead: bool = False
    tip: bool = False
    opposite: bool = False


@dataclass(frozen=True)
class Chain:
    """Elements, the links between them (one fewer), and what its ways over must just clear."""

    elements: tuple[Element, ...]
    links: tuple[Link, ...]
    grazes: tuple[Graze, ...] = ()

    @property
    def slides(self) -> tuple[int, ...]:
        """Indices of the sliding elements."""
        return tuple(i for i, e in enumerate(self.elements) if isinstance(e, Slide))


def trace(net: Network, labels: Labels, layer: int, node: int, *, landed: bool = False) -> list[tuple[int, int, int]]:
    """Follow labels back; returns steps ``(edge or -1, ring string or -1, node)`` from the start on."""
    steps: list[tuple[int, int, int]] = []
    k, n = layer, node
    first = landed
    for _ in range(100000):
        if first:
            e, r = int(labels.landing_edge[k, n]), -1
        else:
            e, r = int(labels.edge[k, n]), int(labels.run[k, n])
        first = False
        if r >= 0:
            steps.append((-1, _string_between(net, labels, k, r, n), n))
            n = r
        elif e != NO_EDGE:
            steps.append((e, -1, n))
            k -= int(net.graph.toll[e])
            n = int(net.graph.src[e])
        else:
            steps.append((-1, -1, n))
            break
    return steps[::-1]


def _string_between(net: Network, labels: Labels, k: int, a: int, b: int) -> int:
    g = net.graph
    at_a, at_b = np.flatnonzero(g.along == a), np.flatnonzero(g.along == b)
    want = labels.cost[k, b] - labels.cost[k, a]
    best, found = math.inf, -1
    for i in at_a.tolist():
        for j in at_b.tolist():
            if g.string[i] == g.string[j] and j >= i:
                gap = abs(float(g.reached[j] - g.reached[i]) - float(want))
                if gap < best:
                    best, found = gap, int(g.string[i])
    return found


def as_chain(net: Network, steps: list[tuple[int, int, int]]) -> Chain:
    """Turn traced steps into a chain."""
    elements: list[Element] = [Fixed(_xy(net, steps[0][2]))]
    links: list[Link] = []
    for (_, _, before), (e, string, node) in itertools.pairwise(steps):
        sheet = int(net.sheet[node])
        state = (bool(net.bound[before]), bool(net.bound[node]))
        if string >= 0:
            wrap = Wrap(int(net.string_ring[string]), int(net.string_turn[string]))
            if not (isinstance(elements[-1], Wrap) and elements[-1] == wrap):
                elements.append(wrap)
                links.append(Link(sheet, bound=state))
            if net.kind[node] != TANGENT:
                elements.append(_element(net, node))
                links.append(Link(sheet, bound=state))
            continue
        portal = int(net.portal_of[e])
        element: Element = Aim(tuple(net.aims[net.aim[e]].tolist())) if net.aim[e] >= 0 else _element(net, node)
        if isinstance(element, Wrap) and element == elements[-1]:
            continue
        elements.append(element)
        links.append(Link(int(net.sheet[before]), portal=portal, bound=state))
    return Chain(tuple(elements), tuple(links))


def _xy(net: Network, node: int) -> tuple[float, float]:
    return (float(net.xy[node, 0]), float(net.xy[node, 1]))


def _element(net: Network, node: int) -> Element:
    if net.kind[node] == TANGENT:
        return Wrap(int(net.ref[node]), int(net.turn[node]))
    if net.kind[node] == SAMPLE:
        return Slide(int(net.ref[node]), float(net.param[node]))
    return Fixed(_xy(net, node))


# -- the places of a chain ------------------------------------------------------------------------------------


def places(net: Network, chain: Chain, u: Floats) -> tuple[list[tuple[Floats, Floats]], Floats]:
    """Work out where each link starts and ends.

    Parameters
    ----------
    net, chain
        The chain and what it refers to.
    u
        Values of the sliding places ``(b, s)``.

    Returns
    -------
    legs, sweeps
        Per link the points ``(b, 2)`` at its ends; per element the signed angle (radians) turned on its ring
        ``(b, n)``, 0 for others.

    """
    b = len(u)
    slides = {i: k for k, i in enumerate(chain.slides)}
    opposite = {graze.way for graze in chain.grazes if graze.opposite}
    ways = 0
    point: list[Floats | None] = []
    for i, element in enumerate(chain.elements):
        if isinstance(element, Fixed):
            point.append(np.broadcast_to(np.array(element.at), (b, 2)))
        elif isinstance(element, Slide):
            point.append(net.pieces[element.piece].at(u[:, slides[i]]))
        elif isinstance(element, Aim):
            point.append(np.broadcast_to(np.array(element.circle[:2]), (b, 2)))
        elif isinstance(element, Same):
            point.append(point[i - 1])
        else:
            point.append(None)
        link = chain.links[i - 1] if i else None
        if link is not None and link.portal >= 0:
            if net.portals[link.portal].way.across or ways in opposite:
                # Straight across, the landing follows the start.
                start = point[i - 1]
                assert start is not None
                point[i] = net.portals[link.portal].landing(start)
            ways += 1
    arrive: list[Floats | None] = [None] * len(chain.elements)
    leave: list[Floats | None] = [None] * len(chain.elements)
    legs: list[tuple[Floats, Floats]] = []
    for i in range(len(chain.links)):
        one, two = chain.elements[i], chain.elements[i + 1]
        if isinstance(one, Wrap) and isinstance(two, Wrap):
            r1, r2 = net.rings[one.ring], net.rings[two.ring]
            t1, t2, _ = bitangents(
                np.array([r1.center]),
                np.array([r1.rho]),
                np.array([one.turn]),
                np.array([r2.center]),
                np.array([r2.rho]),
                np.array([two.turn]),
                1e-3,
            )
            leave[i], arrive[i + 1] = np.broadcast_to(t1, (b,)), np.broadcast_to(t2, (b,))
        elif isinstance(one, Wrap):
            ring, other = net.rings[one.ring], point[i + 1]
            assert other is not None
            leave[i], _ = leave_to_point(np.array(ring.center), np.array(ring.rho), np.array(one.turn), other)
        elif isinstance(two, Wrap):
            ring, other = net.rings[two.ring], point[i]
            assert other is not None
            arrive[i + 1], _ = leave_to_point(np.array(ring.center), np.array(ring.rho), np.array(-two.turn), other)
        legs.append((_end(net, one, point[i], leave[i]), _end(net, two, point[i + 1], arrive[i + 1])))
    for i, element in enumerate(chain.elements):
        if isinstance(element, Aim):
            p, c = legs[-1][0], np.array(element.circle[:2])
            d = p - c
            n = np.hypot(d[:, 0], d[:, 1])[:, None]
            legs[-1] = (p, c + d / np.maximum(n, 1e-12) * element.circle[2])
        del i
    sweeps = np.zeros((b, len(chain.elements)))
    for i, element in enumerate(chain.elements):
        if isinstance(element, Wrap):
            a0, a1 = arrive[i], leave[i]
            if a0 is not None and a1 is not None:
                turn = ((a1 - a0) * element.turn) % TAU
                sweeps[:, i] = np.where(turn > TAU - 1e-4, turn - TAU, turn) * element.turn
    return legs, sweeps


def _end(net: Network, element: Element, point: Floats | None, angle: Floats | None) -> Floats:
    if isinstance(element, Wrap):
        ring = net.rings[element.ring]
        assert angle is not None
        return np.array(ring.center) + ring.rho * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    assert point is not None
    return point


def cost_of(net: Network, chain: Chain, u: Floats) -> Floats:
    """Cost of a chain for values of its sliding places ``(b, s)``: ``(b,)``, inches."""
    legs, sweeps = places(net, chain, u)
    total = np.zeros(len(u))
    for link, (p, q) in zip(chain.links, legs, strict=True):
        if link.portal >= 0:
            portal = net.portals[link.portal]
            total += portal.cost(p, q, net.sheets[portal.source])
        else:
            total += link.weight * np.hypot(q[:, 0] - p[:, 0], q[:, 1] - p[:, 1])
    for i, element in enumerate(chain.elements):
        if isinstance(element, Wrap):
            total += arc_cost(net.rings[element.ring], legs[i - 1][1], sweeps[:, i], element.turn)
    return total


def arc_cost(ring: Ring, start: Floats, sweep: Floats, turn: Floats | int) -> Floats:
    """Cost of arcs from points ``(b, 2)`` by signed angles; an arc that has shrunk past nothing counts negative."""
    if (ring.weight == ring.weight[0]).all():
        return np.asarray(sweep * turn * ring.rho * ring.weight[0])
    first = np.arctan2(start[:, 1] - ring.center[1], start[:, 0] - ring.center[0])
    rel = (np.where(sweep >= 0, first, first + sweep) - ring.angles[0]) % TAU
    cost = _along(ring, rel + np.abs(sweep)) - _along(ring, rel)
    return np.asarray(np.where(sweep * turn >= 0, cost, -cost))


def _along(ring: Ring, rel: Floats) -> Floats:
    """Cost since the first angle for angles counted on beyond a full turn."""
    turns, rest = np.divmod(rel, TAU)
    i = np.searchsorted(ring.angles - ring.angles[0], rest, side="right") - 1
    into = (rest - (ring.angles[i] - ring.angles[0])) * ring.weight[i] * ring.rho
    return np.asarray(turns * ring.begin[-1] + ring.begin[i] + into)


def values(chain: Chain) -> Floats:
    """Return where the sliding places of a chain stand, as one row ``(1, s)``."""
    return np.array([[e.u for e in chain.elements if isinstance(e, Slide)]])


def kind_of(chain: Chain) -> tuple[object, ...]:
    """Return what a chain touches in order, without where: chains of one kind differ only in what slides."""
    return tuple(
        (
            type(e).__name__,
            getattr(e, "piece", None),
            getattr(e, "ring", None),
            getattr(e, "turn", None),
            getattr(e, "at", None),
        )
        for e in chain.elements
    ) + tuple(link.portal for link in chain.links)


def clearances(net: Network, chain: Chain, u: Floats) -> Floats:
    """How far each grazing way is turned clear of its circle (radians) or below its longest (inches): ``(b, g)``."""
    legs, _ = places(net, chain, u)
    ways = [(leg, net.portals[link.portal]) for leg, link in zip(legs, chain.links, strict=True) if link.portal >= 0]
    out = []
    for graze in chain.grazes:
        (p, q), portal = ways[graze.way]
        if graze.circle is None:
            out.append(np.zeros(len(u)) if graze.opposite else portal.way.longest - portal.over(p, q))
            continue
        base, other, side = (q, p, -graze.side) if graze.ahead else (p, q, graze.side)
        d = np.array(graze.circle[:2]) - base
        apart = np.hypot(d[:, 0], d[:, 1])
        if graze.tip:
            out.append(apart - graze.circle[2])
            continue
        half = np.arcsin(np.clip(graze.circle[2] / np.maximum(apart, 1e-12), 0.0, 1.0))
        e = other - base
        off = np.arctan2(d[:, 0] * e[:, 1] - d[:, 1] * e[:, 0], (d * e).sum(axis=1))
        # Seen from the base, a circle to the left is cleared by directions farther to the right than its edge.
        out.append(-side * off - half)
    return np.stack(out, axis=1)
