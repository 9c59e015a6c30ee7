"""Random tables, the same for the same seed: bases apart, solids that hold no base, terrain of all shapes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

import sbg_sim as sbg
from sbg_sim.geometry.shapes import Point, Shape, circle, line, polygon
from sbg_sim.table.frozen import FrozenMap

MILLIMETRE = 1 / 25.4
BASES = (25 * MILLIMETRE, 25 * MILLIMETRE, 25 * MILLIMETRE, 40 * MILLIMETRE, 60 * MILLIMETRE)
KINDS = ("circle", "line", "convex", "star", "holed")


@dataclass(frozen=True)
class Recipe:
    """What to scatter."""

    bases: int = 10
    pieces: int = 8
    size: float = 24.0
    move: float = 6.0
    enemies: float = 0.0  # share of the bases that are enemies with zones
    varied: bool = True  # low, jumpable and unscalable obstacles; else unscalable ones only
    largest: float = 2.2  # half the breadth of the largest pieces, inches
    base: float = 25 * MILLIMETRE  # of the mover
    difficult: float = 1 / 3


def _blob(rng: np.random.Generator, c: Point, reach: float, *, star: bool) -> list[Point]:
    n = int(rng.integers(3, 8))
    angle = np.sort(rng.uniform(0, 2 * math.pi, n))
    # Evenly spread with jitter, so that the centre stays inside and the outline never crosses itself.
    angle = 2 * math.pi * (np.arange(n) + 0.6 * rng.uniform(size=n)) / n + angle[0]
    radius = reach * (rng.uniform(0.35, 1.0, n) if star else np.full(n, 1.0))
    return [(c[0] + s * math.cos(a), c[1] + s * math.sin(a)) for a, s in zip(angle, radius, strict=True)]


def shape(rng: np.random.Generator, kind: str, c: Point, reach: float) -> Shape:
    """Make one shape about a place."""
    if kind == "circle":
        return circle(c, reach * 0.8)
    if kind == "line":
        turn = rng.uniform(0, 2 * math.pi)
        a = (c[0] - reach * math.cos(turn), c[1] - reach * math.sin(turn))
        bend = turn + rng.uniform(-1.2, 1.2)
        b = (c[0] + reach * math.cos(bend), c[1] + reach * math.sin(bend))
        return line([a, c, b] if rng.uniform() < 0.5 else [a, b], float(rng.uniform(0.1, 0.5)))
    outer = _blob(rng, c, reach, star=kind == "star")
    if kind == "holed":
        outer = _blob(rng, c, reach * 1.2, star=False)
        inner = [(c[0] + 0.3 * (x - c[0]), c[1] + 0.3 * (y - c[1])) for x, y in outer]
        return polygon(outer, [inner])
    return polygon(outer)


def _piece(rng: np.random.Generator, i: int, recipe: Recipe, c: Point) -> sbg.Terrain:
    body = shape(rng, str(rng.choice(KINDS)), c, float(rng.uniform(0.4, recipe.largest)))
    if (i % 3 == 0) if recipe.difficult == 1 / 3 else (rng.uniform() < recipe.difficult):
        return sbg.Terrain(f"bog{i}", frozenset({"difficult"}), body)
    if not recipe.varied:
        return sbg.Terrain(f"rock{i}", frozenset({"obstacle", "unscalable"}), body)
    high = float(rng.choice([0.5, 1.2, 3.0]))
    tags = {"obstacle", "unscalable"} if high != 0.5 else {"obstacle"}
    return sbg.Terrain(f"rock{i}", frozenset(tags), body, height=high)


def scatter(seed: int, recipe: Recipe = Recipe()) -> sbg.Table:
    """Make a table with the mover ``me`` in its middle, whose height is 1.5."""
    rng = np.random.default_rng(seed)
    middle = (recipe.size / 2, recipe.size / 2)
    models = {"me": sbg.Model("me", middle, recipe.base, 1.5, recipe.move, "good")}
    terrain: dict[str, sbg.Terrain] = {}
    while len(terrain) < recipe.pieces:
        c = (float(rng.uniform(1, recipe.size - 1)), float(rng.uniform(1, recipe.size - 1)))
        piece = _piece(rng, len(terrain), recipe, c)
        clear = piece.shape is not None and float(piece.shape.distance(np.array(middle))) > recipe.base / 2
        if piece.difficult or clear:
            terrain[piece.id] = piece
    solids = [p.shape for p in terrain.values() if p.is_obstacle and p.shape is not None]
    while len(models) <= recipe.bases:
        base = float(rng.choice(BASES))
        at = tuple(float(v) for v in rng.uniform(base / 2, recipe.size - base / 2, 2))
        side = "evil" if rng.uniform() < recipe.enemies else "good"
        apart = 1.0 if side == "evil" else 0.0
        me = models["me"]
        free = all(math.dist(at, m.at) > (base + m.base) / 2 for m in models.values())
        free &= math.dist(at, me.at) > (base + me.base) / 2 + apart
        if free and all(float(s.distance(np.array(at))) > base / 2 for s in solids):
            name = f"m{len(models)}"
            models[name] = sbg.Model(name, at, base, 1.5, 6.0, side)  # type: ignore[arg-type]
    return sbg.Table(recipe.size, recipe.size, FrozenMap(models), FrozenMap(terrain))
