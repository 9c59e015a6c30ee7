"""Difficult ground against a slow oracle: least travel time on a fine grid of directions, always a little too long.

Each grid place is joined to all places within five steps in 128 directions that are in lowest terms, so a straight
way is overrated by less than half a percent; weights are sampled along every step. The oracle knows neither
rims nor Snell's law.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

STEP = 0.1
REACH = 5
PLACES = 81
SAMPLES = 20


def steps():
    span = range(-REACH, REACH + 1)
    return [(i, j) for i in span for j in span if math.gcd(i, j) == 1]


def grid_cost(shapes, start, goal):
    """Dijkstra's search from start to goal on an 8 x 8 table for a base of an inch; both must lie on the grid."""

    def doubled(px, py):
        p = np.stack([px, py], axis=-1)
        wet = np.zeros(px.shape, dtype=bool)
        for shape in shapes:
            wet |= shape.distance(p) < 0.5 - 1e-9
        return wet

    number = np.arange(PLACES * PLACES).reshape(PLACES, PLACES)
    table = []
    for i, j in steps():
        if (i, j) < (0, 0):
            continue  # a step back costs the same
        a, b = (g.ravel() for g in np.meshgrid(np.arange(PLACES - i), np.arange(max(0, -j), PLACES - max(0, j))))
        weight = np.zeros(len(a))
        for k in range(SAMPLES):
            t = (k + 0.5) / SAMPLES * STEP
            weight += np.where(doubled(a * STEP + i * t, b * STEP + j * t), 2.0, 1.0) / SAMPLES
        table.append((weight * math.hypot(i, j) * STEP, number[a, b], number[a + i, b + j]))
    costs, ones, others = (np.concatenate(column) for column in zip(*table, strict=True))
    source, target = (number[tuple(round(c / STEP) for c in p)] for p in (start, goal))
    graph = csr_array((costs, (ones, others)), shape=(number.size, number.size))
    return dijkstra(graph, directed=False, indices=source)[target]


CASES = {
    "a box aslant": lambda lay: [lay.polygon([(3, 2.5), (5, 3.5), (4.5, 5.5), (2.5, 4.5)])],
    "two boxes": lambda lay: [lay.box(2.5, 1.5, 3, 4.5), lay.box(4.6, 3.6, 5.2, 7)],
    "a disc and a line": lambda lay: [lay.circle(4, 4.2, 1), lay.line([(2.5, 6.5), (6, 2)], 0.3)],
    "an L": lambda lay: [lay.polygon([(3, 2), (5.5, 2), (5.5, 2.6), (3.6, 2.6), (3.6, 6), (3, 6)])],
    "overlapping discs": lambda lay: [lay.circle(3.3, 4, 0.8), lay.circle(4.4, 4.4, 0.8), lay.circle(4, 3.4, 0.7)],
}


THROUGH, INTO = ((1.0, 4.0), (7.0, 4.0)), ((1.0, 2.0), (4.0, 4.0))


@pytest.mark.parametrize(
    ("case", "start", "goal"), [*((case, *THROUGH) for case in CASES), ("a disc and a line", *INTO)]
)
def test_grid_agrees(lay, case, start, goal):
    shapes = CASES[case](lay)
    bogs = [lay.bog(f"b{i}", shape) for i, shape in enumerate(shapes)]
    exact = lay.needed(lay.table(lay.mover(*start), *bogs, width=8.0, depth=8.0), goal)
    grid = grid_cost(shapes, start, goal)
    assert exact <= grid + 0.03
    assert grid <= exact * 1.006 + 0.1
