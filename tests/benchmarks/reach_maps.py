"""The whole reach map and one verdict beside scikit-fmm, in one run.

Run from the top folder: ``python -m tests.benchmarks.reach_maps [--rounds N] [--seed S] [--sizes 20+5,60+20]``.
Prints one table. Times are of the quickest of the rounds; nothing is asserted about them.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np
import skfmm

import sbg_sim as sbg
from sbg_sim.table.frozen import FrozenMap
from tests.fuzz.scatter import Recipe, scatter

H = 0.05  # of the grid, inches
SIZES = ((20, 5), (60, 20), (200, 60))
DISC = 2  # steps of the grid round the start within which it is given its exact times
SAMPLES = 12
ZONE = 1.0  # a Control Zone, inches: closed, from where the mover starts at the nearest (CZ.1, CZ.4)


@dataclass(frozen=True)
class Grid:
    """Times of travel on a grid."""

    xy: np.ndarray
    time: np.ndarray
    area: float
    marching: float
    painting: float


@dataclass(frozen=True)
class Row:
    """What was measured on one table."""

    name: str
    grid: Grid
    ours: np.ndarray
    map_seconds: float
    costs_seconds: float
    verdict_seconds: float
    area: float
    area_error: float
    samples: tuple[tuple[float, float, float], ...]  # verdict, ours, grid


def quickest(work, rounds):
    """The shortest of several runs, seconds, and what the last one returned."""
    best, value = math.inf, None
    for _ in range(rounds):
        start = perf_counter()
        value = work()
        best = min(best, perf_counter() - start)
    return best, value


def benchmark_table(bases, pieces, seed, size=48.0, move=6.0):
    """A seeded table; a third of its pieces is difficult, the others are solids."""
    return scatter(seed, Recipe(bases=bases, pieces=pieces, size=size, move=move, varied=False, largest=2.0))


def ten_times(table):
    """The same table with nine copies of it to the right."""
    models, terrain = dict(table.models), dict(table.terrain)
    for k in range(1, 10):
        shift = (k * table.width, 0.0)
        for m in table.models.values():
            at = (m.at[0] + shift[0], m.at[1])
            models[f"{m.id}-{k}"] = replace(m, id=f"{m.id}-{k}", at=at)
        for p in table.terrain.values():
            terrain[f"{p.id}-{k}"] = replace(p, id=f"{p.id}-{k}", shape=p.shape.moved(0.0, shift))
    return replace(table, width=10 * table.width, models=FrozenMap(models), terrain=FrozenMap(terrain))


def fast_marching(table, rounds, h=H):
    """Travel times by scikit-fmm on a window cropped to the move, on a grid of so many inches."""
    me, disc = table.model("me"), DISC * h
    n = math.ceil((me.move + 2 * h) / h)
    offset = np.arange(-n, n + 1) * h
    x, y = np.meshgrid(me.at[0] + offset, me.at[1] + offset)
    xy = np.stack([x, y], axis=-1)

    def paint():
        blocked, slow = np.zeros(x.shape, dtype=bool), np.zeros(x.shape, dtype=bool)
        blocked |= (x < me.radius) | (x > table.width - me.radius) | (y < me.radius) | (y > table.depth - me.radius)
        for other in table.standing():
            if other.id != "me" and math.dist(other.at, me.at) < 1.5 * me.move + 3:
                zone = ZONE if me.is_enemy(other) and other.has_zone else 0.0
                kept = min(other.radius + me.radius + zone, math.dist(other.at, me.at))
                blocked |= np.hypot(x - other.at[0], y - other.at[1]) < kept
        for piece in table.terrain.values():
            x0, y0, x1, y1 = piece.shape.bounds
            if x0 > x.max() + 1 or x1 < x.min() - 1 or y0 > y.max() + 1 or y1 < y.min() - 1:
                continue
            near = piece.shape.distance(xy) < me.radius
            if piece.difficult:
                slow |= near
            else:
                blocked |= near
        return blocked, slow

    painting, (blocked, slow) = quickest(paint, rounds)
    start = np.hypot(x - me.at[0], y - me.at[1]) - disc
    phi = np.ma.MaskedArray(start, blocked)
    speed = np.where(slow, 0.5, 1.0)
    marching, found = quickest(lambda: skfmm.travel_time(phi, speed, dx=h, order=2), rounds)
    # Inside the little disc the marcher gives the time to its rim; its speed is that of the start.
    at_start = speed[n, n]
    time = np.where(start < 0, (start + disc) / at_start, np.ma.filled(found, np.inf) + disc / at_start)
    return Grid(xy, time, float((time <= me.move).sum()) * h * h, marching, painting)


def measure(name, table, rounds):
    """Everything about one table."""
    grid = fast_marching(table, rounds)

    def whole():
        reach = sbg.reach(table, "me")
        return reach, reach.area

    map_seconds, (reach, area) = quickest(whole, rounds)
    costs_seconds, ours = quickest(lambda: sbg.reach(table, "me").distance(grid.xy), 1)
    rng = np.random.default_rng(5)
    both = np.argwhere(np.isfinite(ours) & np.isfinite(grid.time) & (ours > 1.0))
    samples, verdict_seconds = [], []
    for i, j in both[rng.permutation(len(both))[:SAMPLES]].tolist():
        at = (float(grid.xy[i, j, 0]), float(grid.xy[i, j, 1]))
        seconds, verdict = quickest(lambda at=at: sbg.check(table, sbg.Move("me", at)), 1)
        verdict_seconds.append(seconds)
        samples.append((verdict.needed, float(ours[i, j]), float(grid.time[i, j])))
    return Row(
        name,
        grid,
        ours,
        map_seconds,
        costs_seconds,
        float(np.median(verdict_seconds)),
        float(area.area),
        reach.area_error,
        tuple(samples),
    )


HEAD = (
    f"{'table':>12} {'march':>8} {'paint':>8} {'area':>9} {'ratio':>7} {'costs':>9} {'us/pt':>6} {'verdict':>8}"
    f" {'ratio':>7} | {'sq in':>8} {'+-':>7} {'grid':>8} | {'grid-ours 50%':>13} {'99%':>7} |"
    f" {'grid-verdict':>12} {'ours-verdict':>12}"
)


def line(row):
    """One line of the printed table; times in ms, lengths in inches."""
    g = row.grid
    both = np.isfinite(row.ours) & np.isfinite(g.time)
    off = np.abs(row.ours[both] - g.time[both])
    by_grid = max((abs(t - v) for v, _, t in row.samples), default=0.0)
    by_ours = max((abs(o - v) for v, o, _ in row.samples), default=0.0)
    points = max(row.ours.size, 1)
    return (
        f"{row.name:>12} {1e3 * g.marching:8.1f} {1e3 * g.painting:8.1f} {1e3 * row.map_seconds:9.1f}"
        f" {row.map_seconds / g.marching:7.1f} {1e3 * row.costs_seconds:9.1f} {1e6 * row.costs_seconds / points:6.1f}"
        f" {1e3 * row.verdict_seconds:8.2f} {row.verdict_seconds / g.marching:7.2f} |"
        f" {row.area:8.3f} {row.area_error:7.4f} {g.area:8.3f} |"
        f" {np.median(off):13.4f} {np.quantile(off, 0.99):7.4f} | {by_grid:12.4f} {by_ours:12.1e}"
    )


def main(argv=None):
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sizes", default=",".join(f"{b}+{p}" for b, p in SIZES))
    given = parser.parse_args(argv)
    print("times in ms (march and paint: scikit-fmm; ratio: ours / march), lengths in inches")
    print(HEAD)
    for size in given.sizes.split(","):
        bases, pieces = (int(v) for v in size.split("+"))
        table = benchmark_table(bases, pieces, given.seed)
        print(line(measure(size, table, given.rounds)), flush=True)
    large = ten_times(table)
    print(f"the last one with nine copies of it beside it ({len(large.models)}+{len(large.terrain)}):")
    for what, ask in (
        ("reach area", lambda t: sbg.reach(t, "me").area),
        ("verdict", lambda t: sbg.check(t, sbg.Move("me", (t.model("me").at[0] + 3.0, t.model("me").at[1] + 3.5)))),
    ):
        small_seconds = quickest(lambda ask=ask: ask(table), given.rounds)[0]
        large_seconds = quickest(lambda ask=ask: ask(large), given.rounds)[0]
        ratio = large_seconds / small_seconds
        print(f"{what:>12}: {1e3 * small_seconds:.1f} -> {1e3 * large_seconds:.1f} ms, ratio {ratio:.2f}")


if __name__ == "__main__":
    main()
