"""Crowded tables to measure on, and how a piece of work is timed. Part of `tests.benchmarks`."""

from __future__ import annotations

import math
from dataclasses import replace
from time import process_time

import numpy as np

import sbg_sim as sbg
from sbg_sim.table.frozen import FrozenMap
from tests.fuzz.scatter import KINDS, Recipe, scatter, shape

CROWDS = {
    "20 bases, 5 pieces": Recipe(bases=20, pieces=5, size=24.0, enemies=0.5),
    "60 bases, 20 pieces": Recipe(bases=60, pieces=20, size=48.0, enemies=0.5),
    "200 bases, 60 pieces": Recipe(bases=200, pieces=60, size=72.0, enemies=0.5),
    "200 bases, 300 pieces": Recipe(bases=200, pieces=300, size=72.0, enemies=0.5, largest=1.2),
}


TRIES = 5000  # places tried for pieces, and for models


def timed(work):
    """Processor seconds of a piece of work, and what it returned."""
    start = process_time()
    value = work()
    return process_time() - start, value


def spread(values):
    """Median, 95th percentile and worst, as cells of a table, in milliseconds."""
    cells = (np.median(values), np.percentile(values, 95), np.max(values))
    return " | ".join(f"{1000 * float(v):.{1 if v < 0.01 else 0}f}" for v in cells)


def crowd(seed, recipe):
    """A scattered table on which every model can move."""
    table = scatter(seed, recipe)
    return replace(table, models=FrozenMap({k: m if m.move else replace(m, move=6.0) for k, m in table.models.items()}))


def two_lines(count=30):
    """Two battle lines of two ranks each, facing each other at five inches."""
    base, models = 25 / 25.4, {}
    for side, y, away in (("good", 10.0, -1), ("evil", 15.0, 1)):
        for k in range(count):
            rank, file = k % 2, k // 2
            at = (6.0 + file * 1.2, y + away * rank * 1.1)
            models[f"{side}-{k}"] = sbg.Model(f"{side}-{k}", at, base, 1.5, 6.0, side)
    return sbg.Table(36.0, 24.0, FrozenMap(models))


def lake(sides, tag):
    """A round piece of so many sides, an enemy behind it."""
    angle = np.arange(sides) / sides * math.tau
    shape = sbg.polygon([(12 + 4.2 * math.cos(a), 12 + 4.2 * math.sin(a)) for a in angle])
    piece = sbg.Terrain("lake", frozenset({tag}), shape, height=None if tag == "difficult" else 3.0)
    models = [sbg.Model("a", (4.0, 12.0), 1.0, 1.5, 6.0, "good"), sbg.Model("b", (20.0, 12.3), 1.0, 1.5, 6.0, "evil")]
    return sbg.Table(24.0, 24.0, FrozenMap({m.id: m for m in models}), FrozenMap({"lake": piece}))


def hedge_rows(count):
    """So many hedges side by side, each to be jumped, before a model with a Move of 10 in."""
    me = sbg.Model("me", (6.0, 12.0), 1.0, 1.5, 10.0, "good")
    walls = {
        f"hedge-{k}": sbg.Terrain(
            f"hedge-{k}",
            frozenset({"obstacle"}),
            sbg.line([(7.2 + 1.25 * k, 0.0), (7.2 + 1.25 * k, 24.0)], 0.1),
            height=1.2,
        )
        for k in range(count)
    }
    return sbg.Table(24.0, 24.0, FrozenMap({"me": me}), FrozenMap(walls))


def broad(models=500, pieces=300, corners=50):
    """A whole table of models and of pieces with many corners, and one of the models in its middle."""
    rng, spots, found, terrain = np.random.default_rng(3), [], {}, {}
    wide, deep = 96.0, 72.0

    def free(radius):
        while True:
            x, y = rng.uniform(2, wide - 2), rng.uniform(2, deep - 2)
            if all(math.hypot(x - a, y - b) > radius + c + 0.02 for a, b, c in spots):
                spots.append((x, y, radius))
                return x, y

    for k in range(pieces):
        radius = rng.uniform(0.5, 1.4)
        x, y = free(radius)
        tag = str(rng.choice(["difficult", "difficult", "obstacle", "unscalable", "obstacle"]))
        angle, far = np.arange(corners) / corners * math.tau, radius * rng.uniform(0.97, 1, corners)
        shape = sbg.polygon(zip((x + far * np.cos(angle)).tolist(), (y + far * np.sin(angle)).tolist(), strict=True))
        height = None if tag == "difficult" else float(rng.choice([0.5, 1.0, 1.4, 3.0]))
        terrain[f"t{k}"] = sbg.Terrain(f"t{k}", frozenset({tag}), shape, height=height)
    for k in range(models):
        at = free(0.5)
        side = "good" if at[0] + rng.uniform(-12, 12) < wide / 2 else "evil"
        found[f"m{k}"] = sbg.Model(f"m{k}", at, 25 / 25.4, 1.5, 6.0, side)
    middle = min(found.values(), key=lambda m: math.dist(m.at, (wide / 2, deep / 2)))
    return sbg.Table(wide, deep, FrozenMap(found), FrozenMap(terrain)), middle.id


def mixed(seed, models=60, pieces=30, size=36.0):
    """Two sides among each other: foot, small folk and riders between walls, rocks, bogs, platforms and ditches."""
    rng, terrain, boxes = np.random.default_rng(seed), {}, np.empty((0, 4))
    kinds = {
        "wall": ("obstacle", {"height": (0.6, 0.8, 1.0, 1.4)}, (0.3, 0.3), (5.0, 8.0)),
        "rock": ("unscalable", {"height": (5.0,)}, (1.0, 3.0), (1.0, 3.0)),
        "bog": ("difficult", {}, (2.0, 6.0), (2.0, 6.0)),
        "roof": ("platform", {"height": (1.5, 2.0, 3.0)}, (2.0, 6.0), (2.0, 6.0)),
        "ditch": ("gap", {"depth": (4.0,)}, (1.2, 1.2), (5.0, 8.0)),
    }
    for k in range(TRIES):
        kind = list(kinds)[len(terrain) % len(kinds)]
        tag, numbers, *sides = kinds[kind]
        wide, deep = rng.permutation([rng.uniform(*side) for side in sides])
        x, y = rng.uniform(0.5, size - 0.5 - np.array([wide, deep]))
        if (np.maximum(boxes[:, :2] - (x + wide, y + deep), (x, y) - boxes[:, 2:]).max(axis=1) > 0.1).all():
            boxes = np.vstack([boxes, (x, y, x + wide, y + deep)])
            shape = sbg.polygon([(x, y), (x + wide, y), (x + wide, y + deep), (x, y + deep)])
            chosen = {key: float(rng.choice(values)) for key, values in numbers.items()}
            terrain[f"{kind}-{k}"] = sbg.Terrain(f"{kind}-{k}", frozenset({tag}), shape, **chosen)
        if len(terrain) == pieces:
            break
    folk = ((25, 1.5, 6.0, 0.6), (25, 1.0, 4.0, 0.2), (40, 2.5, 10.0, 0.2))
    return sbg.Table(size, size, peopled(rng, terrain, (size, size), folk, models), FrozenMap(terrain))


def littered(seed, models=200, pieces=200, wide=72.0, deep=48.0):
    """Two sides, bases of 25 to 100 mm, among ragged, round and long pieces of five kinds."""
    rng, terrain, spots = np.random.default_rng(seed), {}, np.empty((0, 3))
    kinds = {
        "difficult": {},
        "obstacle": {"height": (0.6, 0.8, 1.0, 1.4)},
        "unscalable": {"height": (5.0,)},
        "platform": {"height": (1.5, 2.0, 3.0)},
        "gap": {"depth": (4.0,)},
    }
    for k in range(TRIES):
        tag = list(kinds)[len(terrain) % len(kinds)]
        reach = float(rng.uniform(0.4, 2.2))
        at = rng.uniform(reach, (wide - reach, deep - reach))
        if (np.hypot(*(spots[:, :2] - at).T) > 0.8 * (spots[:, 2] + reach) + 0.05).all():
            spots = np.vstack([spots, (*at, reach)])
            numbers = {key: float(rng.choice(values)) for key, values in kinds[tag].items()}
            outline = shape(rng, str(rng.choice(KINDS[:4])), tuple(at.tolist()), reach)
            terrain[f"{tag}-{k}"] = sbg.Terrain(f"{tag}-{k}", frozenset({tag}), outline, **numbers)
        if len(terrain) == pieces:
            break
    folk = (
        (25, 1.5, 6.0, 0.5),
        (25, 1.0, 4.0, 0.2),
        (40, 2.5, 10.0, 0.15),
        (60, 3.0, 8.0, 0.1),
        (100, 4.0, 12.0, 0.05),
    )
    return sbg.Table(wide, deep, peopled(rng, terrain, (wide, deep), folk, models), FrozenMap(terrain))


def peopled(rng, terrain, size, folk, count):
    """Models of two sides that stand free, of kinds with a base (mm), a height, a Move and a share each."""
    solid, found = [piece.shape for piece in terrain.values() if not piece.difficult], {}
    for _ in range(TRIES):
        across, high, move, _share = folk[int(rng.choice(len(folk), p=[kind[3] for kind in folk]))]
        base = across / 25.4
        at = tuple(float(rng.uniform(base, end - base)) for end in size)
        free = all(math.dist(at, other.at) > (base + other.base) / 2 + 0.02 for other in found.values())
        if free and all(float(shape.distance([at])[0]) > base / 2 + 0.01 for shape in solid):
            side = "good" if len(found) % 2 else "evil"
            found[f"m{len(found)}"] = sbg.Model(f"m{len(found)}", at, base, high, move, side)
        if len(found) == count:
            break
    return FrozenMap(found)


def puddles(count, corners, models=20, size=36.0):
    """Two sides among round bogs, drawn as polygons of so many corners."""
    rng, found, terrain = np.random.default_rng(1), {}, {}
    spots = np.empty((0, 3))
    turns = np.arange(corners) / corners * math.tau
    while len(terrain) < count:
        (x, y), radius = rng.uniform(3, size - 3, 2), rng.uniform(1.0, 2.5)
        if (np.hypot(*(spots[:, :2] - (x, y)).T) > spots[:, 2] + radius + 0.2).all():
            spots = np.vstack([spots, (x, y, radius)])
            shore = np.stack([x + radius * np.cos(turns), y + radius * np.sin(turns)], axis=1)
            name = f"bog-{len(terrain)}"
            terrain[name] = sbg.Terrain(name, frozenset({"difficult"}), sbg.polygon(shore.tolist()))
    while len(found) < models:
        at = tuple(rng.uniform(1, size - 1, 2).tolist())
        if all(math.dist(at, other.at) > 1.1 for other in found.values()):
            name, side = f"m{len(found)}", "good" if len(found) % 2 else "evil"
            found[name] = sbg.Model(name, at, 25 / 25.4, 1.5, 6.0, side)
    return sbg.Table(size, size, FrozenMap(found), FrozenMap(terrain))
