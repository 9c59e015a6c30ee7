"""Chains: a path as a sequence of things it touches, polished until it is the shortest of its kind.

A chain's elements are fixed points, rings it wraps round with a turn, and places that slide along a rim. Its cost
is a smooth function of the sliding places; within one sequence of straight rims it is convex. Newton's method on
that function gives the optimum to rounding error; at the optimum a crossing of a rim obeys Snell's law.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.geometry.breaks import TAU
from sbg_sim.geometry.grown import crossings
from sbg_sim.geometry.tangents import bitangents, leave_to_point
from sbg_sim.solver.network import SAMPLE, TANGENT, VIRTUAL, Network
from sbg_sim.solver.search import NO_EDGE, Labels
from sbg_sim.solver.sheet import MIRE_RIM
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from sbg_sim.solver.rings import Ring

Floats = np.ndarray
_STEP: Final = 1e-5  # step (inches) of the differences; the optimum is flat, so its square is the error
_SAME: Final = 1e-6  # two sliding places nearer than this (inches) have run into one


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


Element = Fixed | Wrap | Slide | Aim


@dataclass(frozen=True)
class Link:
    """How one element leads to the next: straight on a sheet at a weight, or through a portal."""

    sheet: int
    weight: float = 1.0
    portal: int = -1
    bound: tuple[bool, bool] = (False, False)


@dataclass(frozen=True)
class Chain:
    """Elements, and the links between them (one fewer)."""

    elements: tuple[Element, ...]
    links: tuple[Link, ...]

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
            if net.graph.toll[e]:
                k -= 1
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
    for (_, _, before), (e, string, node) in zip(steps[:-1], steps[1:], strict=True):
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
        if net.kind[node] == VIRTUAL and int(net.aim[e]) < 0:
            continue  # halfway over a climb: the next edge brings the mover down
        portal = int(net.portal_of[e])
        if portal == -2:
            portal = _climb_portal(net, before, node)
        element: Element = Aim(tuple(net.aims[net.aim[e]].tolist())) if net.aim[e] >= 0 else _element(net, node)
        if isinstance(element, Wrap) and element == elements[-1]:
            continue
        elements.append(element)
        links.append(Link(int(net.sheet[before]), portal=portal, bound=state))
    return Chain(tuple(elements), tuple(links))


def _climb_portal(net: Network, before: int, node: int) -> int:
    """Which climb-over leads to a landing: found by its far rim."""
    q = _xy(net, node)
    best, found = math.inf, -2
    for j, portal in enumerate(net.portals):
        if portal.way.kind == "climb-over" and portal.source == int(net.sheet[before]):
            gap = min((piece.nearest(q)[1] for piece in portal.far), default=math.inf)
            if gap < best:
                best, found = gap, j
    return found


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
    point: list[Floats | None] = []
    for i, element in enumerate(chain.elements):
        if isinstance(element, Fixed):
            point.append(np.broadcast_to(np.array(element.at), (b, 2)))
        elif isinstance(element, Slide):
            point.append(net.pieces[element.piece].at(u[:, slides[i]]))
        elif isinstance(element, Aim):
            point.append(np.broadcast_to(np.array(element.circle[:2]), (b, 2)))
        else:
            point.append(None)
        link = chain.links[i - 1] if i else None
        if link is not None and link.portal >= 0 and net.portals[link.portal].way.across:
            # Straight across, the landing follows the start.
            start = point[i - 1]
            assert start is not None
            point[i] = net.portals[link.portal].landing(start)
    arrive: list[Floats | None] = [None] * len(chain.elements)
    leave: list[Floats | None] = [None] * len(chain.elements)
    legs: list[tuple[Floats, Floats]] = []
    for i in range(len(chain.links)):
        one, two = chain.elements[i], chain.elements[i + 1]
        if isinstance(one, Wrap) and isinstance(two, Wrap):
            r1, r2 = net.rings[one.ring], net.rings[two.ring]
            t1, t2, _ = bitangents(
                np.array([r1.center]), np.array([r1.rho]), np.array([one.turn]),
                np.array([r2.center]), np.array([r2.rho]), np.array([two.turn]), 1e-3,
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
            total += _arc_cost(net.rings[element.ring], legs[i - 1][1], sweeps[:, i], element.turn)
    return total


def _arc_cost(ring: Ring, start: Floats, sweep: Floats, turn: int) -> Floats:
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


# -- polishing --------------------------------------------------------------------------------------------------


def polish(net: Network, chain: Chain) -> tuple[Chain, float]:
    """Return the shortest chain of its kind and its cost (inches), whether or not something is in the way."""
    chain = split_at_rims(net, tidy(net, chain))
    cost = math.inf
    for _ in range(30):
        chain = tidy(net, chain)
        if not chain.slides:
            return chain, float(cost_of(net, chain, np.zeros((1, 0)))[0])
        u, new = _newton(net, chain)
        chain = _with(chain, u)
        merged = _merge(net, chain)
        hopped = _hop(net, merged, u) if merged is chain else merged
        if hopped is chain and new >= cost - 1e-13:
            return chain, min(new, cost)
        cost = new if hopped is chain else min(cost, new)
        if hopped is chain:
            return chain, new
        chain = hopped
    return chain, float(cost_of(net, chain, _values(chain))[0])


def _values(chain: Chain) -> Floats:
    return np.array([[e.u for e in chain.elements if isinstance(e, Slide)]])


def _with(chain: Chain, u: Floats) -> Chain:
    elements = list(chain.elements)
    for k, i in enumerate(chain.slides):
        element = elements[i]
        assert isinstance(element, Slide)
        elements[i] = replace(element, u=float(u[k]))
    return replace(chain, elements=tuple(elements))


def _newton(net: Network, chain: Chain) -> tuple[Floats, float]:
    slides = chain.slides
    s = len(slides)
    top = np.array([net.pieces[chain.elements[i].piece].length for i in slides])  # type: ignore[union-attr]
    u = np.clip(_values(chain)[0], 0.0, top)
    here = float(cost_of(net, chain, u[None])[0])
    eye = np.eye(s) * _STEP
    pairs = [(i, j) for i in range(s) for j in range(i)]
    for _ in range(60):
        stencil = np.concatenate(
            [u[None], u + eye, u - eye, *[np.stack([u + eye[i] + eye[j], u - eye[i] - eye[j]]) for i, j in pairs]]
        )
        f = cost_of(net, chain, stencil)
        up, down = f[1 : 1 + s], f[1 + s : 1 + 2 * s]
        g = (up - down) / (2 * _STEP)
        hess = np.diag((up - 2 * f[0] + down) / _STEP**2)
        for m, (i, j) in enumerate(pairs):
            pp, mm = f[1 + 2 * s + 2 * m], f[2 + 2 * s + 2 * m]
            hess[i, j] = hess[j, i] = (pp + mm - up[i] - down[i] - up[j] - down[j] + 2 * f[0]) / (2 * _STEP**2)
        stuck = ((u <= 0) & (g > 0)) | ((u >= top) & (g < 0))
        live = np.flatnonzero(~stuck)
        if not len(live) or np.abs(g[live]).max() < 1e-9:
            break
        step = np.zeros(s)
        sub = hess[np.ix_(live, live)]
        low = float(np.linalg.eigvalsh(sub).min())
        sub = sub + np.eye(len(live)) * max(0.0, 1e-3 - low)
        step[live] = -np.linalg.solve(sub, g[live])
        limit = np.abs(step).max()
        if limit > 1.0:
            step /= limit
        scale = 1.0
        for _ in range(30):
            trial = np.clip(u + scale * step, 0.0, top)
            value = float(cost_of(net, chain, trial[None])[0])
            if value <= here + 1e-15:
                break
            scale /= 2
        else:
            break
        moved = float(np.abs(trial - u).max())
        u, gain, here = trial, here - value, value
        if moved < 1e-12 or (gain < 1e-16 and moved < 1e-7):
            break
    return u, here


def tidy(net: Network, chain: Chain) -> Chain:
    """Leave out sliding places where a path joins or leaves a rim on its open side: there it joins by a tangent."""
    elements, links = list(chain.elements), list(chain.links)
    i = 1
    while i < len(elements) - 1:
        element = elements[i]
        drop = False
        if isinstance(element, Slide) and links[i - 1].portal < 0 and links[i].portal < 0:
            piece = net.pieces[element.piece]
            for side, other in ((i - 1, i + 1), (i, i - 1)):
                near = elements[other]
                if piece.radius and isinstance(near, Wrap):
                    ring = net.rings[near.ring]
                    own = ring.center == piece.start and ring.rho == piece.radius
                    drop = drop or (own and _leg_weight(net, elements, links, side) < 1.5)
        if drop:
            del elements[i]
            links[i - 1] = replace(links[i - 1], bound=(links[i - 1].bound[0], links[i].bound[1]))
            del links[i]
        else:
            i += 1
    return Chain(tuple(elements), tuple(links))


def _leg_weight(net: Network, elements: list[Element], links: list[Link], k: int) -> float:
    chain = Chain((elements[k], elements[k + 1]), (links[k],))
    legs, _ = places(net, chain, _values(chain))
    p, q = legs[0]
    if float(np.hypot(*(q - p)[0])) < 1e-9:
        return 2.0
    return float(net.sheets[links[k].sheet].weight((p + q) / 2)[0])


def split_at_rims(net: Network, chain: Chain) -> Chain:
    """Put a sliding place wherever a straight link crosses the rim of difficult ground, and weigh every link."""
    legs, _ = places(net, chain, _values(chain))
    elements: list[Element] = [chain.elements[0]]
    links: list[Link] = []
    for i, link in enumerate(chain.links):
        sheet = net.sheets[link.sheet]
        p, q = legs[i][0][0], legs[i][1][0]
        if link.portal < 0 and not sheet.mire.empty and math.dist(p, q) > 1e-9:
            for t, weight in _weights(net, link.sheet, p, q):
                links.append(replace(link, weight=weight))
                if t < 1:
                    place = _slide_at(net, link.sheet, p + t * (q - p))
                    if place is None:
                        links.pop()
                        continue
                    elements.append(place)
        else:
            links.append(link)
        elements.append(chain.elements[i + 1])
    return Chain(tuple(elements), tuple(links))


def _weights(net: Network, sheet: int, p: Floats, q: Floats) -> list[tuple[float, float]]:
    """Weights along a segment: ``(parameter up to which, weight)``."""
    mire = net.sheets[sheet].mire
    t = np.unique(np.concatenate([crossings(p[None], q[None], mire)[0], [1.0]]))
    marks = np.concatenate([[0.0], t])
    keep = np.concatenate([np.diff(marks) > 1e-9, [True]])[: len(t)]
    t = t[keep] if keep.any() else np.array([1.0])
    if t[-1] < 1:
        t[-1] = 1.0
    starts = np.concatenate([[0.0], t[:-1]])
    mid = p + ((starts + t) / 2)[:, None] * (q - p)
    w = np.where(mire.clearance(mid) < -MIRE_RIM, 2.0, 1.0)
    out: list[tuple[float, float]] = []
    for upto, weight in zip(t.tolist(), w.tolist(), strict=True):
        if out and out[-1][1] == weight:
            out[-1] = (upto, weight)
        else:
            out.append((upto, weight))
    return out


def _slide_at(net: Network, sheet: int, p: Floats) -> Slide | None:
    best, found = 1e-6, None
    for k, piece in enumerate(net.pieces):
        if net.piece_sheet[k] == sheet and k < net.mire_pieces:
            u, d = piece.nearest((float(p[0]), float(p[1])))
            if d < best:
                best, found = d, Slide(k, u)
    return found


def _merge(net: Network, chain: Chain) -> Chain:
    """Join sliding places on one rim that have run into each other."""
    legs, sweeps = places(net, chain, _values(chain))
    for i, link in enumerate(chain.links):
        one, two = chain.elements[i], chain.elements[i + 1]
        if link.portal >= 0 or not (isinstance(one, Slide) and isinstance(two, Slide)):
            continue
        if float(np.hypot(*(legs[i][1] - legs[i][0])[0])) < _SAME:
            # A place at the end of a portal stays: leaving it out would leave the way over out of the path.
            if not i or chain.links[i - 1].portal < 0:
                return _without(chain, i)
            if chain.links[i + 1].portal < 0:
                return _without(chain, i + 1)
    for i in range(1, len(chain.elements) - 1):
        if isinstance(chain.elements[i], Wrap) and sweeps[0, i] * chain.elements[i].turn < _SAME:  # type: ignore[union-attr]
            a, b = chain.elements[i - 1], chain.elements[i + 1]
            if isinstance(a, Slide) or isinstance(b, Slide):
                return _without(chain, i)
    return chain


def _without(chain: Chain, i: int) -> Chain:
    if i == 0:
        i = 1
    elements = chain.elements[:i] + chain.elements[i + 1 :]
    before, after = chain.links[i - 1], chain.links[i]
    joined = replace(after, bound=(before.bound[0], after.bound[1]))
    return Chain(elements, chain.links[: i - 1] + (joined,) + chain.links[i + 1 :])


def _hop(net: Network, chain: Chain, u: Floats) -> Chain:
    """Carry a sliding place that has come to the end of its piece over to the next piece of the rim."""
    base = float(cost_of(net, chain, u[None])[0])
    for k, i in enumerate(chain.slides):
        element = chain.elements[i]
        assert isinstance(element, Slide)
        piece = net.pieces[element.piece]
        if 0 < u[k] < piece.length:
            continue
        at = piece.at(np.array(u[k]))
        for j, other in enumerate(net.pieces):
            if net.piece_sheet[j] != net.piece_sheet[element.piece] or (j < net.mire_pieces) != (
                element.piece < net.mire_pieces
            ):
                continue
            ends = other.at(np.array([0.0, other.length]))
            for v, away in ((0.0, 1.0), (other.length, -1.0)):
                if j == element.piece and v == u[k]:
                    continue
                if math.dist(ends[0 if v == 0 else 1], at) > TOUCH:
                    continue
                elements = list(chain.elements)
                elements[i] = Slide(j, v + away * min(1e-4, other.length / 2))
                trial = replace(chain, elements=tuple(elements))
                if float(cost_of(net, trial, _values(trial))[0]) < base - 1e-11:
                    return trial
    return chain
