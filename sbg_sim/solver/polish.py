"""Polishing: the shortest chain of its kind.

Within one sequence of straight rims the cost is convex, and Newton's method on it gives the optimum to rounding
error; at the optimum a crossing of a rim obeys Snell's law.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.geometry.grown import crossings
from sbg_sim.solver.chains import (
    Chain,
    Element,
    Fixed,
    Link,
    Same,
    Slide,
    Wrap,
    cost_of,
    kind_of,
    places,
    values,
)
from sbg_sim.solver.newton import newton
from sbg_sim.solver.sheet import MIRE_RIM
from sbg_sim.tolerance import ROUNDING, TOUCH

if TYPE_CHECKING:
    from sbg_sim.solver.network import Network
    from sbg_sim.solver.newton import Merit

Floats = np.ndarray
_SAME: Final = 1e-6  # an arc shorter than this (inches) has run out
_NEAR: Final = 1e-4  # two places nearer than this (inches) have run into one, as far as differences can tell


def polish(net: Network, chain: Chain) -> tuple[Chain, float]:
    """Return the shortest chain of its kind and its cost (inches), whether or not something is in the way."""
    chain = normal(net, chain)
    seen: set[tuple[object, ...]] = set()
    for _ in range(30):
        if not chain.slides:
            return chain, float(cost_of(net, chain, np.zeros((1, 0)))[0])
        u, new, merit = newton(net, chain)
        chain = _with(chain, u)
        other = _pin(net, chain)
        if other is chain:
            other = _merge(net, chain)
        if other is chain:
            other = _hop(net, chain, u, merit)
        if other is chain or kind_of(other) in seen:
            return chain, new
        seen.add(kind_of(other))
        chain = normal(net, other)
    return chain, float(cost_of(net, chain, values(chain))[0])


def _pin(net: Network, chain: Chain) -> Chain:
    """Fix a sliding place that has come to rest on a fixed one: there the cost has a kink, which Newton cannot see."""
    for i in chain.slides:
        element = chain.elements[i]
        assert isinstance(element, Slide)
        piece = net.pieces[element.piece]
        at = piece.at(np.array(element.u))
        for k, n in ((i - 1, i - 1), (i, i + 1)):
            if n == len(chain.elements):
                continue  # the path ends on a line, at the place that slides
            other = chain.elements[n]
            if chain.links[k].portal < 0 and n > i and isinstance(other, Slide):
                met = _met(net, chain, i)
                if met is not None:
                    return met
            if chain.links[k].portal >= 0 or not isinstance(other, Fixed) or math.dist(other.at, at) > _NEAR:
                continue
            if piece.nearest(other.at)[1] <= ROUNDING:
                elements = (*chain.elements[:i], Fixed(other.at), *chain.elements[i + 1 :])
                return replace(chain, elements=elements)
    return chain


def _met(net: Network, chain: Chain, i: int) -> Chain | None:
    """Put two sliding places that have run into each other at the place where their rims meet, if that is cheaper."""
    one, two = chain.elements[i], chain.elements[i + 1]
    assert isinstance(one, Slide)
    assert isinstance(two, Slide)
    here, there = net.pieces[one.piece], net.pieces[two.piece]
    at = here.at(np.array(one.u))
    if one.piece == two.piece or math.dist(at, there.at(np.array(two.u))) > _NEAR:
        return None
    for u in (0.0, here.length):
        x, y = here.at(np.array(u)).tolist()
        if math.dist((x, y), at) <= _NEAR and there.nearest((x, y))[1] <= ROUNDING:
            before, after = chain.elements[:i], chain.elements[i + 2 :]
            links = (*chain.links[:i], *chain.links[i + 1 :])
            trial = replace(chain, elements=(*before, Fixed((x, y)), *after), links=links)
            costs = [float(cost_of(net, c, values(c))[0]) for c in (trial, chain)]
            return trial if costs[0] <= costs[1] + ROUNDING else None
    return None


def _with(chain: Chain, u: Floats) -> Chain:
    elements = list(chain.elements)
    for k, i in enumerate(chain.slides):
        element = elements[i]
        assert isinstance(element, Slide)
        elements[i] = replace(element, u=float(u[k]))
    return replace(chain, elements=tuple(elements))


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
        if drop and joined(net, elements[i - 1], elements[i + 1]):
            del elements[i]
            links[i - 1] = replace(links[i - 1], bound=(links[i - 1].bound[0], links[i].bound[1]))
            del links[i]
        else:
            i += 1
    return replace(chain, elements=tuple(elements), links=tuple(links))


def joined(net: Network, one: Element, two: Element) -> bool:
    """Say whether a straight line can join two elements: of rings that overlap, no tangent leads to the other turn."""
    if not (isinstance(one, Wrap) and isinstance(two, Wrap)):
        return True
    a, b = net.rings[one.ring], net.rings[two.ring]
    apart = math.dist(a.center, b.center)
    return apart >= abs(two.turn * b.rho - one.turn * a.rho) - TOUCH


def normal(net: Network, chain: Chain) -> Chain:
    """Weigh every link of a chain, with sliding places just where it crosses a rim or creeps along one."""
    chain = without_stops(net, chain)
    for _ in range(3):
        whole = split_at_rims(net, tidy(net, chain))
        chain = needed_only(net, whole)
        if len(chain.elements) == len(whole.elements):
            return chain
    return split_at_rims(net, chain)


def without_stops(net: Network, chain: Chain) -> Chain:
    """Leave out samples of rims of ways over that the path does not take: nothing bends there."""
    i = 1
    while i < len(chain.elements) - 1:
        element, before, after = chain.elements[i], chain.links[i - 1], chain.links[i]
        stop = isinstance(element, Slide) and element.piece >= net.mire_pieces
        last = chain.elements[i - 1]
        stop = stop or (isinstance(element, Fixed) and element == last)
        # What leaves a ring for a sample on it comes back to the same ring, whichever way round it then goes.
        stop = stop or (isinstance(element, Wrap) and isinstance(last, Wrap) and element.ring == last.ring)
        if stop and before.portal < 0 and after.portal < 0:
            chain = without(chain, i)
        else:
            i += 1
    return chain


def needed_only(net: Network, chain: Chain) -> Chain:
    """Leave out sliding places on rims of difficult ground at which the weight does not change: nothing bends there."""
    i = 1
    while i < len(chain.elements) - 1:
        element, before, after = chain.elements[i], chain.links[i - 1], chain.links[i]
        on_mire = isinstance(element, Slide) and element.piece < net.mire_pieces
        if (
            on_mire
            and before.portal < 0
            and after.portal < 0
            and before.weight == after.weight
            and _has_length(net, chain, i)
        ):
            chain = without(chain, i)
        else:
            i += 1
    return chain


def _has_length(net: Network, chain: Chain, i: int) -> bool:
    """Whether the links on both sides of an element have a length, so that their weights mean something."""
    legs, _ = places(net, chain, values(chain))
    return all(float(np.hypot(*(legs[k][1] - legs[k][0])[0])) > ROUNDING for k in (i - 1, i))


def _leg_weight(net: Network, elements: list[Element], links: list[Link], k: int) -> float:
    chain = Chain((elements[k], elements[k + 1]), (links[k],))
    legs, _ = places(net, chain, values(chain))
    p, q = legs[0]
    if float(np.hypot(*(q - p)[0])) < 1e-9:
        return 2.0
    return float(net.sheets[links[k].sheet].weight((p + q) / 2)[0])


def split_at_rims(net: Network, chain: Chain) -> Chain:
    """Put a sliding place wherever a straight link crosses the rim of difficult ground, and weigh every link."""
    legs, _ = places(net, chain, values(chain))
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
    return replace(chain, elements=tuple(elements), links=tuple(links))


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
    legs, sweeps = places(net, chain, values(chain))
    for i, link in enumerate(chain.links):
        one, two = chain.elements[i], chain.elements[i + 1]
        if link.portal >= 0 or not (isinstance(one, Slide) and isinstance(two, Slide)):
            continue
        if float(np.hypot(*(legs[i][1] - legs[i][0])[0])) < _NEAR:
            # A place at the end of a portal stays: leaving it out would leave the way over out of the path.
            if not i or chain.links[i - 1].portal < 0:
                return without(chain, i)
            if i + 1 < len(chain.links) and chain.links[i + 1].portal < 0:
                return without(chain, i + 1)
            if _one_line(net, one, two):
                return replace(chain, elements=(*chain.elements[: i + 1], Same(), *chain.elements[i + 2 :]))
    for i in range(1, len(chain.elements) - 1):
        if isinstance(chain.elements[i], Wrap) and sweeps[0, i] * chain.elements[i].turn < _SAME:  # type: ignore[union-attr]
            a, b = chain.elements[i - 1], chain.elements[i + 1]
            if isinstance(a, Slide) or isinstance(b, Slide):
                return without(chain, i)
    return chain


def _one_line(net: Network, one: Slide, two: Slide) -> bool:
    """Say whether two sliding places that have met could slide on together, their rims being one just there."""
    here, there = net.pieces[one.piece], net.pieces[two.piece]
    around = np.clip(one.u + np.array([-_NEAR, _NEAR]), 0.0, here.length)
    return all(there.nearest((x, y))[1] <= ROUNDING for x, y in here.at(around).tolist())


def without(chain: Chain, i: int) -> Chain:
    """Leave one element out of a chain, its two links becoming one."""
    if i == 0:
        i = 1
    elements = chain.elements[:i] + chain.elements[i + 1 :]
    before, after = chain.links[i - 1], chain.links[i]
    joined = replace(after, bound=(before.bound[0], after.bound[1]))
    return replace(chain, elements=elements, links=(*chain.links[: i - 1], joined, *chain.links[i + 1 :]))


def _runs_along(chain: Chain, i: int) -> bool:
    """Whether a link at an element runs along a straight rim: its end may not leave that rim."""
    element = chain.elements[i]
    assert isinstance(element, Slide)
    return any(
        chain.links[k].portal < 0 and isinstance(other, Slide) and other.piece == element.piece
        for k, other in ((i - 1, chain.elements[i - 1]), (i, chain.elements[min(i + 1, len(chain.links))]))
        if 0 <= k < len(chain.links)
    )


def _one_rim(net: Network, one: int, two: int) -> bool:
    """Whether two pieces belong to one rim: of difficult ground on one surface, or of one side of one way over."""
    if net.piece_sheet[one] != net.piece_sheet[two]:
        return False
    if one < net.mire_pieces or two < net.mire_pieces:
        return max(one, two) < net.mire_pieces
    return net.pieces[one].owner == net.pieces[two].owner


def _hop(net: Network, chain: Chain, u: Floats, merit: Merit) -> Chain:
    """Carry a sliding place that has come to the end of its piece over to the next piece of the rim."""
    base = float(merit(net, chain, u[None])[0])
    for k, i in enumerate(chain.slides):
        element = chain.elements[i]
        assert isinstance(element, Slide)
        piece = net.pieces[element.piece]
        if 0 < u[k] < piece.length or _runs_along(chain, i):
            continue
        at = piece.at(np.array(u[k]))
        apart = np.hypot(*np.moveaxis(net.piece_ends - at, -1, 0))
        for j, end in np.argwhere(apart <= TOUCH).tolist():
            other = net.pieces[j]
            v, away = (other.length, -1.0) if end else (0.0, 1.0)
            if not _one_rim(net, j, element.piece) or (j == element.piece and v == u[k]):
                continue
            elements = list(chain.elements)
            elements[i] = Slide(j, v + away * min(1e-4, other.length / 2))
            trial = replace(chain, elements=tuple(elements))
            if float(merit(net, trial, values(trial))[0]) < base - 1e-11:
                return trial
    return chain
