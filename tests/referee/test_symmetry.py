"""A judgement stays the same when the table is shifted, turned or mirrored, or the path walked backwards."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from sbg_sim.geometry.shapes import circle, line, polygon
from sbg_sim.referee import Audit, audit
from sbg_sim.table.board import Table
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.models import Model
from sbg_sim.table.route import Leg, Route
from sbg_sim.table.terrain import Terrain

Spot = tuple[float, float]
MIDDLE = 60.0


def place(p: Spot, turn: float, shift: Spot, *, mirror: bool) -> Spot:
    c, s = math.cos(turn), math.sin(turn)
    x, y = p[0], -p[1] if mirror else p[1]
    return (c * x - s * y + shift[0], s * x + c * y + shift[1])


def scene(seed: int) -> tuple[list[Model], list[Terrain], Route]:
    """A crowded place about the origin and a way of segments and arcs through it."""
    dice = random.Random(seed)
    spot = lambda: (dice.uniform(-6, 6), dice.uniform(-6, 6))  # noqa: E731
    models = [Model(f"e{i}", spot(), 1.0, 1.5, 6.0, "evil") for i in range(4)]
    terrain = [
        Terrain("bog", frozenset({"difficult"}), circle(spot(), dice.uniform(0.5, 3))),
        Terrain("reeds", frozenset({"difficult"}), line([spot(), spot(), spot()], 0.5)),
        Terrain("rocks", frozenset({"difficult"}), polygon([(-5, -5), (1, -4), (0, 0), (-2, 3)])),
        Terrain("pillar", frozenset({"unscalable"}), circle(spot(), 0.4)),
    ]
    legs: list[Leg] = []
    here = spot()
    for number in range(5):
        if number % 2:
            center, sweep = spot(), dice.uniform(-5, 5)
            radius, first = math.dist(here, center), math.atan2(here[1] - center[1], here[0] - center[0])
            end = (center[0] + radius * math.cos(first + sweep), center[1] + radius * math.sin(first + sweep))
            legs.append(Leg("arc", here, end, 0.0, None, center, radius, sweep))
        else:
            end = spot()
            legs.append(Leg("straight", here, end, 0.0))
        here = end
    return [Model("m", legs[0].start, 1.0, 1.5, 6.0, "good"), *models], terrain, Route(tuple(legs))


def judged(seed: int, turn: float = 0.0, shift: Spot = (0.0, 0.0), *, mirror: bool = False) -> Audit:
    models, terrain, route = scene(seed)
    shift = (MIDDLE + shift[0], MIDDLE + shift[1])
    put = lambda p: place(p, turn, shift, mirror=mirror)  # noqa: E731
    table = Table(
        2 * MIDDLE,
        2 * MIDDLE,
        FrozenMap({m.id: replace(m, at=put(m.at)) for m in models}),
        FrozenMap({t.id: replace(t, shape=t.shape and t.shape.moved(turn, shift, mirror=mirror)) for t in terrain}),
    )
    legs = tuple(
        replace(
            g,
            start=put(g.start),
            end=put(g.end),
            center=g.center and put(g.center),
            sweep=-g.sweep if mirror else g.sweep,
        )
        for g in route.legs
    )
    return audit(table, "m", Route(legs), charging=(), allowance=math.inf)


def facts(found: Audit) -> list[tuple[str, str]]:
    # The claimed costs are all zero here, so MOV.3 is in every one of them and left out.
    return [(v.rule, v.blame) for v in found.violations if v.rule != "MOV.3"]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.floats(0, 6.28), st.floats(-9, 9), st.floats(-9, 9), st.booleans())
def test_moved_tables_are_judged_alike(seed: int, turn: float, dx: float, dy: float, mirror: bool) -> None:
    plain, moved = judged(seed), judged(seed, turn, (dx, dy), mirror=mirror)
    assert facts(moved) == facts(plain)
    assert abs(moved.cost - plain.cost) < 1e-8
    assert abs(moved.clearance - plain.clearance) < 1e-9
    assert [e.enemy for e in moved.entered] == [e.enemy for e in plain.entered]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_cost_agrees_with_a_fine_sum(seed: int) -> None:
    # Independent and slow: walk the path in small steps and ask each midpoint whether the base overlaps.
    models, terrain, route = scene(seed)
    steps = 4000
    total = 0.0
    for leg in route.legs:
        fine = leg.points(leg.length / steps) if leg.kind == "arc" else _cut(leg, steps)
        middles = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in itertools.pairwise(fine)]
        inside = [False] * len(middles)
        for piece in terrain:
            if piece.difficult and piece.shape is not None:
                near = piece.shape.distance(middles) < models[0].radius
                inside = [a or bool(b) for a, b in zip(inside, near, strict=True)]
        total += leg.length * (1 + sum(inside) / len(inside))
    # Each of the few rims met shifts the sum by less than one step.
    slack = sum(leg.length for leg in route.legs) / steps * 12
    assert abs(judged(seed).cost - total) < slack


def _cut(leg: Leg, steps: int) -> list[Spot]:
    (ax, ay), (bx, by) = leg.start, leg.end
    return [(ax + (bx - ax) * i / steps, ay + (by - ay) * i / steps) for i in range(steps + 1)]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_cost_and_clearance_are_the_same_backwards(seed: int) -> None:
    models, terrain, route = scene(seed)
    there = judged(seed)
    back = tuple(replace(g, start=g.end, end=g.start, sweep=-g.sweep) for g in reversed(route.legs))
    shift = (MIDDLE, MIDDLE)
    put = lambda p: place(p, 0.0, shift, mirror=False)  # noqa: E731
    table = Table(
        2 * MIDDLE,
        2 * MIDDLE,
        FrozenMap({m.id: replace(m, at=put(m.at)) for m in (replace(models[0], at=back[0].start), *models[1:])}),
        FrozenMap({t.id: replace(t, shape=t.shape and t.shape.moved(0.0, shift)) for t in terrain}),
    )
    legs = tuple(replace(g, start=put(g.start), end=put(g.end), center=g.center and put(g.center)) for g in back)
    again = audit(table, "m", Route(legs), allowance=math.inf)
    assert abs(again.cost - there.cost) < 1e-8
    assert abs(again.clearance - there.clearance) < 1e-9
