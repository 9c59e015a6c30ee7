"""How time grows with models, pieces, corners, Move and dice. Part of `tests.benchmarks`."""

from __future__ import annotations

from dataclasses import replace

import sbg_sim as sbg
from sbg_sim.table.frozen import FrozenMap
from tests.benchmarks.crowds import crowd, hedge_rows, lake, timed
from tests.fuzz.scatter import Recipe

MODELS, PIECES, SIDES, SHORES = (25, 50, 100, 200, 400), (10, 20, 40, 80, 160), (16, 64, 256, 1000), (16, 64, 256)
MOVES, HEDGES = (3.0, 6.0, 9.0, 12.0), (1, 2, 4, 7)
FAR = 100_000  # corners of a piece that nobody comes near


def row(what, size, table, ask):
    """One row: a question or a list, and the areas of the reach by chance, in milliseconds."""
    first, _ = timed(lambda: ask(table))
    area, _ = timed(lambda: sbg.reach(table, "a" if "a" in table.models else "me").areas)
    return f"| {what} | {size} | {1000 * first:.0f} | {1000 * area:.0f} |"


def moved(name, to):
    """A move to a place, as work on a table."""
    return lambda table: sbg.check(table, sbg.Move(name, to))


def charged(table):
    """The list of charges of the model in the middle."""
    return sbg.charges(table, "me")


def growth(seed):
    """Rows of growth: on 36 x 36 in with one thing more and more, round pieces of many sides, hedges in a row."""
    rows = [
        row("`charges`: models, 10 pieces", n, crowd(seed, Recipe(bases=n, pieces=10, size=36.0, enemies=0.5)), charged)
        for n in MODELS
    ]
    rows += [
        row("`charges`: pieces, 50 models", n, crowd(seed, Recipe(50, n, 36.0, enemies=0.5, largest=1.2)), charged)
        for n in PIECES
    ]
    rows += [
        row("`charges`: Move (in), 60 models, 20 pieces", f"{move:g}", sixty(seed, move), charged) for move in MOVES
    ]
    for tag, most, to in (("unscalable", SIDES, (9.0, 6.8)), ("difficult", SHORES, (10.0, 12.0))):
        rows += [row(f"a move: corners of one {tag} piece", n, lake(n, tag), moved("a", to)) for n in most]
    rows.append(row("a move: corners far away", FAR, far_away(), moved("a", (9.0, 12.0))))
    rows += [row("a move: hedges to jump", n, hedge_rows(n), moved("me", (6.6 + 1.25 * n, 12.0))) for n in HEDGES]
    return rows


def sixty(seed, move):
    """Sixty models and twenty pieces, the mover with another Move."""
    return crowd(seed, Recipe(bases=60, pieces=20, size=48.0, enemies=0.5, move=move))


def far_away():
    """The mover alone beside a corner, and a piece of very many corners at the other end of the table."""
    near = lake(8, "unscalable")
    shore = lake(FAR, "difficult").terrain["lake"]
    moved = replace(shore, id="far", shape=shore.shape.moved(0.0, (200.0, 0.0)))
    return replace(near, width=260.0, terrain=FrozenMap({**near.terrain, "far": moved}))
