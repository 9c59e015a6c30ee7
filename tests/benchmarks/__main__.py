"""How long questions and lists take on crowded tables, as whole processes of one run.

Run from the top folder: ``python -m tests.benchmarks [--out docs/performance.md] [--questions N] [--seed S]``.
Tables are seeded. Times are processor seconds, so that what else a machine does counts little; beside them stands
the march of scikit-fmm alone on a window of the same table (h = 0.05 in). Nothing is asserted about them.
"""

from __future__ import annotations

import argparse
import math
import resource
import sys
from dataclasses import replace
from pathlib import Path
from time import process_time

import numpy as np

import sbg_sim as sbg
from sbg_sim.table.frozen import FrozenMap
from tests.benchmarks.reach_maps import fast_marching
from tests.benchmarks.starting import starting
from tests.fuzz.scatter import Recipe, scatter

CROWDS = {
    "20 bases, 5 pieces": Recipe(bases=20, pieces=5, size=24.0, enemies=0.5),
    "60 bases, 20 pieces": Recipe(bases=60, pieces=20, size=48.0, enemies=0.5),
    "200 bases, 60 pieces": Recipe(bases=200, pieces=60, size=72.0, enemies=0.5),
}
SIDES = (64, 256, 1000)
BY_HAND = "## Measured beside it"  # from here on a page is kept as it is


def timed(work):
    """Processor seconds of a piece of work, and what it returned."""
    start = process_time()
    value = work()
    return process_time() - start, value


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


def questions(table, count, rng):
    """Random moves and charges of random models."""
    for _ in range(count):
        names = [m.id for m in table.models.values() if m.move]
        mover = table.model(names[int(rng.integers(len(names)))])
        foes = sorted((m for m in table.models.values() if mover.is_enemy(m)), key=lambda m: math.dist(m.at, mover.at))[
            :8
        ]
        if foes and rng.uniform() < 0.5:
            yield sbg.Charge(mover.id, foes[int(rng.integers(len(foes)))].id)
        else:
            angle, far = rng.uniform(0, math.tau), rng.uniform(0.2, 1.3 * mover.move)
            yield sbg.Move(mover.id, (mover.at[0] + far * math.cos(angle), mover.at[1] + far * math.sin(angle)))


def spread(values):
    """Median, 95th percentile and worst, as milliseconds."""
    return " | ".join(f"{1000 * float(v):.0f}" for v in (np.median(values), np.percentile(values, 95), np.max(values)))


def crowded(name, recipe, count, seed):
    """One row of the first table."""
    table = scatter(seed, recipe)
    models = {k: m if m.move else replace(m, move=6.0) for k, m in table.models.items()}
    table = replace(table, models=FrozenMap(models))
    rng = np.random.default_rng(seed)
    asked = [timed(lambda q=q: sbg.check(table, q))[0] for q in questions(table, count, rng)]
    names = [str(n) for n in rng.choice(list(models), size=min(6, len(models)), replace=False)]
    lists = [timed(lambda n=n: sbg.charges(table, n))[0] for n in names]
    maps = [timed(lambda n=n: sbg.reach(table, n).area)[0] for n in names]
    me = table.model("me")
    drags = [
        timed(lambda k=k: sbg.reach(table.having("me", at=(me.at[0] + 0.002 * k, me.at[1])), "me").area)[0]
        for k in range(10)
    ]
    march = fast_marching(table, 3).marching
    ratio = float(np.median(maps)) / march
    return [
        f"| {name} | {what} | {spread(t)} |"
        for what, t in (("one question", asked), ("charges", lists), ("reach", maps), ("drag", drags))
    ], (f"| {name} | {1000 * march:.0f} | {ratio:.1f} |")


def growth():
    """Rows for pieces of many sides, and for two battle lines."""
    rows = []
    for tag in ("unscalable", "difficult"):
        for sides in SIDES if tag == "unscalable" else SIDES[:1]:
            table = lake(sides, tag)
            to = (9.0, 6.8) if tag == "unscalable" else (10.0, 12.0)
            move, _ = timed(lambda table=table, to=to: sbg.check(table, sbg.Move("a", to)))
            area, _ = timed(lambda table=table: sbg.reach(table, "a").area)
            rows.append(f"| one {tag} piece of {sides} sides | {move:.2f} | {area:.2f} |")
    table = two_lines()
    charge, _ = timed(lambda: sbg.charges(table, "good-14"))
    area, _ = timed(lambda: sbg.reach(table, "good-14").area)
    rows.append(f"| two lines of 30, two ranks each: `charges` of a front model, `reach` | {charge:.2f} | {area:.2f} |")
    table, name = broad()
    charge, _ = timed(lambda: sbg.charges(table, name))
    area, _ = timed(lambda: sbg.reach(table, name).area)
    rows.append(f"| 500 models, 300 pieces of 50 corners: `charges` of a model, `reach` | {charge:.2f} | {area:.2f} |")
    return rows


def main(argv=None):
    """Measure and print, or write, the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(argv)
    sbg.check(lake(8, "unscalable"), sbg.Move("a", (5.0, 12.0)))  # imports are told apart below
    rows, ratios = [], []
    for name, recipe in CROWDS.items():
        mine, ratio = crowded(name, recipe, given.questions, given.seed)
        rows += mine
        ratios.append(ratio)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    text = "\n".join(
        [
            "# Performance",
            "",
            (
                f"Written by `python -m tests.benchmarks --out docs/performance.md --questions {given.questions}` "
                f"on Python {sys.version_info.major}.{sys.version_info.minor}; processor time, one run. "
                "Compare rows with each other, not with another machine."
            ),
            "",
            *starting(),
            "## Questions and lists on crowded tables (milliseconds)",
            "",
            "| table | work | median | 95 % | worst |",
            "| --- | --- | --- | --- | --- |",
            *rows,
            "",
            "A drag is `table.having(model, at=...)` and its reach area.",
            "",
            "## The reach map beside a fast march",
            "",
            (
                "The march of scikit-fmm alone, h = 0.05 in, on the window cropped to the Move: no way, "
                "no chance and no bound comes with it. The ratio is our median area over the march."
            ),
            "",
            "| table | march, ms | ratio |",
            "| --- | --- | --- |",
            *ratios,
            "",
            "## Growth (seconds)",
            "",
            "| table | one move, or the list | reach |",
            "| --- | --- | --- |",
            *growth(),
            "",
            (
                f"Peak memory of the whole run so far: {peak} MB before the pieces of many sides, "
                f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB with them."
            ),
            "",
        ]
    )
    if given.out is None:
        sys.stdout.write(text)
    else:
        known = given.out.read_text(encoding="utf-8") if given.out.exists() else ""
        _, mark, rest = known.partition(BY_HAND)
        given.out.write_text(f"{text}\n{mark}{rest}" if mark else text, encoding="utf-8")


if __name__ == "__main__":
    main()
