"""Count legal end states among discs by brute force, without a line of ``sbg_sim``: a graph of all tangents, and Dijkstra.

Discs are what stands about (bases, rocks), grown by the mover's radius, enemies by an inch more: open sets that no way may enter.
"""

from __future__ import annotations

import heapq
import math
from typing import Any

Disc = tuple[float, float, float]
Point = tuple[float, float]
EPS = 1e-9


def grown(position: dict[str, Any], places: dict[str, Point], name: str) -> list[Disc]:
    """The discs that the centre of a mover must keep out of."""
    me = position["models"][name]
    found = [(*rock["at"], rock["radius"] + me["base"] / 2) for rock in position.get("rocks", [])]
    for other, model in position["models"].items():
        if other != name:
            zone = 1.0 if model["side"] != me["side"] else 0.0
            found.append((*places[other], model["base"] / 2 + me["base"] / 2 + zone))
    return found


def free(a: Point, b: Point, discs: list[Disc]) -> bool:
    """Whether a segment enters no disc."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length2 = dx * dx + dy * dy
    for x, y, r in discs:
        t = 0.0 if length2 == 0 else max(0.0, min(1.0, ((x - a[0]) * dx + (y - a[1]) * dy) / length2))
        if math.hypot(a[0] + t * dx - x, a[1] + t * dy - y) < r - EPS:
            return False
    return True


def tangents(p: Point, disc: Disc) -> list[Point]:
    """Where the tangents from a point touch a disc."""
    x, y, r = disc
    d = math.dist(p, (x, y))
    if d < r:
        return []
    middle, half = math.atan2(p[1] - y, p[0] - x), math.acos(min(1.0, r / d))
    return [(x + r * math.cos(middle + s * half), y + r * math.sin(middle + s * half)) for s in (1, -1)]


def between(one: Disc, two: Disc) -> list[tuple[Point, Point]]:
    """The common tangents of two discs, as pairs of places where they touch."""
    (x1, y1, r1), (x2, y2, r2) = one, two
    d, base = math.hypot(x2 - x1, y2 - y1), math.atan2(y2 - y1, x2 - x1)
    found = []
    for same in (1, -1):
        if d < abs(r1 - same * r2):
            continue
        half = math.acos(max(-1.0, min(1.0, (r1 - same * r2) / d)))
        for side in (1, -1):
            a, b = base + side * half, base + side * half + (0 if same == 1 else math.pi)
            p = (x1 + r1 * math.cos(a), y1 + r1 * math.sin(a))
            found.append((p, (x2 + r2 * math.cos(b), y2 + r2 * math.sin(b))))
    return found


def on_rim(disc: Disc, points: list[Point], discs: list[Disc]) -> list[tuple[Point, Point, float]]:
    """The arcs of a rim between neighbouring places on it that no other disc covers."""
    x, y, r = disc
    marks = [(math.atan2(q[1] - y, q[0] - x), q) for q in points]
    for ox, oy, orad in discs:  # where other rims cross this one, arcs end
        d = math.hypot(ox - x, oy - y)
        if (ox, oy, orad) != disc and abs(r - orad) < d < r + orad:
            share = (r * r + d * d - orad * orad) / (
                2 * r * d
            )  # beyond 1 by rounding where one touches the other within
            half, middle = math.acos(max(-1.0, min(1.0, share))), math.atan2(oy - y, ox - x)
            marks += [(m, (x + r * math.cos(m), y + r * math.sin(m))) for m in (middle - half, middle + half)]
    marks.sort(key=lambda m: m[0] % math.tau)
    found = []
    for (a, p), (b, q) in zip(marks, [*marks[1:], *marks[:1]], strict=True):
        sweep = (b - a) % math.tau
        c = a + sweep / 2
        half_way = (x + r * math.cos(c), y + r * math.sin(c))
        if all(math.dist(half_way, o[:2]) >= o[2] - EPS for o in discs if o != disc):
            found.append((p, q, r * sweep))
    return found


def costs(start: Point, goals: list[Point], discs: list[Disc], most: float) -> list[float]:
    """The lengths of the shortest ways from a point to others that enter no disc; infinite beyond ``most``."""
    near = [d for d in discs if math.dist(start, d[:2]) - d[2] < most]
    edges: dict[Point, list[tuple[Point, float]]] = {}
    rims: dict[Disc, list[Point]] = {d: [] for d in near}

    def link(p: Point, q: Point, cost: float) -> None:
        edges.setdefault(p, []).append((q, cost))
        edges.setdefault(q, []).append((p, cost))

    ends = [start, *goals]
    for goal in goals:
        if math.dist(start, goal) < most and free(start, goal, near):
            link(start, goal, math.dist(start, goal))
    for disc in near:
        for end in ends:
            for q in tangents(end, disc):
                if math.dist(end, q) < most and free(end, q, near):
                    link(end, q, math.dist(end, q))
                    rims[disc].append(q)
    for i, one in enumerate(near):
        for two in near[i + 1 :]:
            for p, q in between(one, two):
                if free(p, q, near):
                    link(p, q, math.dist(p, q))
                    rims[one].append(p)
                    rims[two].append(q)
    for disc, points in rims.items():
        for p, q, length in on_rim(disc, list(dict.fromkeys(points)), near):
            link(p, q, length)
    best, heap = {start: 0.0}, [(0.0, start)]
    while heap:
        cost, here = heapq.heappop(heap)
        if cost > best[here] or cost > most:
            continue
        for there, more in edges.get(here, []):
            if cost + more < best.get(there, math.inf):
                best[there] = cost + more
                heapq.heappush(heap, (cost + more, there))
    return [best.get(goal, math.inf) for goal in goals]


def lattice(position: dict[str, Any], at: Point, move: float, radius: float) -> list[Point]:
    """The places a move may end on, legal or not: within its length, and on the table with the whole base."""
    dx, dy = position["shift"]
    size, span = position["size"], range(-1, int(position["size"]) + 2)
    return [
        p
        for p in ((i + dx, j + dy) for i in span for j in span)
        if radius <= p[0] <= size - radius and radius <= p[1] <= size - radius and math.dist(p, at) <= move
    ]


def ends(position: dict[str, Any], places: dict[str, Point], name: str) -> list[Point]:
    """The legal end states of a mover, the first of them where it stands."""
    me, at, discs = position["models"][name], places[name], grown(position, places, name)
    spots = lattice(position, at, me["move"], me["base"] / 2)
    spots = [p for p in spots if all(math.dist(p, d[:2]) >= d[2] - EPS for d in discs)]
    found = [at]
    for spot, cost in zip(spots, costs(at, spots, discs, me["move"] + 0.01), strict=True):
        assert abs(cost - me["move"]) > 1e-6, "a position whose count hangs on rounding"
        if cost < me["move"] and math.dist(spot, at) > EPS:
            found.append(spot)
    return found


def counts(position: dict[str, Any]) -> list[int]:
    """How many end states the first mover has, and how many pairs the first and then the second."""
    places = {name: tuple(m["at"]) for name, m in position["models"].items()}
    order = position["order"]
    first = ends(position, places, order[0])
    found = [len(first)]
    if len(order) > 1:
        found.append(sum(len(ends(position, places | {order[0]: p}, order[1])) for p in first))
    return found
