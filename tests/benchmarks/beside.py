"""The ways of others to a shortest path, beside ours: time and error. Part of `tests.benchmarks`.

None of them knows a rule, a die or a bound. On ground that is free or blocked a path's length is compared, with scipy,
extremitypathfinder and pygeodesic on polygons; on weighted ground a whole map, with the march of scikit-fmm.
"""

from __future__ import annotations

import importlib.util
import itertools
import math

import numpy as np
import shapely
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

import sbg_sim as sbg
from tests.benchmarks.crowds import timed
from tests.benchmarks.reach_maps import fast_marching
from tests.fuzz.scatter import Recipe, scatter

STEPS = (0.05, 0.0125)  # of the march, inches
QUARTER = 16  # sides that stand for a quarter of a circle, where arcs must be polygons
GOALS = 12
SIZES = {
    "20 bases, 5 pieces": (20, 5, 24.0),
    "60 bases, 20 pieces": (60, 20, 48.0),
    "200 bases, 60 pieces": (200, 60, 72.0),
}


def open_ground(seed, bases, pieces, size):
    """A table of bases and of pieces that nobody crosses."""
    return scatter(seed, Recipe(bases=bases, pieces=pieces, size=size, varied=False, difficult=0.0))


def free_space(table):
    """Where the mover's centre may be, near enough for its Move, as the one polygon that holds it."""
    me = table.model("me")
    x, y = me.at
    far = 1.5 * me.move
    window = shapely.box(x - far, y - far, x + far, y + far)
    board = shapely.box(me.radius, me.radius, table.width - me.radius, table.depth - me.radius)
    solids = [shapely.Point(m.at).buffer(m.radius + me.radius, QUARTER) for m in table.standing() if m.id != "me"]
    solids += [p.shape.to_shapely().buffer(me.radius, QUARTER) for p in table.terrain.values()]
    near = [s for s in solids if s.intersects(window)]
    parts = shapely.get_parts(shapely.intersection(window, board).difference(shapely.union_all(near)))
    return next(part for part in parts if part.covers(shapely.Point(me.at)))


def goals(table, space, seed):
    """Places within the Move that the mover does not see."""
    me, rng = table.model("me"), np.random.default_rng(seed)
    found = []
    while len(found) < GOALS:
        angle, far = rng.uniform(0, math.tau), me.move * math.sqrt(rng.uniform(0.1, 0.8))
        at = (me.at[0] + far * math.cos(angle), me.at[1] + far * math.sin(angle))
        hidden = not space.covers(shapely.LineString([me.at, at]))
        if (hidden or rng.uniform() < 0.01) and space.buffer(-0.01).covers(shapely.Point(at)):
            found.append(at)
    return found


def by_visibility(space, start, ends):
    """Lengths by the visibility graph of all corners of a polygon, and Dijkstra's search on it."""
    rings = [space.exterior, *space.interiors]
    corners = np.concatenate([shapely.get_coordinates(ring)[:-1] for ring in rings])
    places = np.concatenate([[start], ends, corners])
    i, j = np.triu_indices(len(places), 1)
    lines = shapely.linestrings(np.stack([places[i], places[j]], axis=1))
    shapely.prepare(space)
    seen = shapely.covers(space.buffer(1e-9), lines)
    i, j = i[seen], j[seen]
    graph = csr_matrix((np.hypot(*(places[i] - places[j]).T), (i, j)), shape=(len(places), len(places)))
    return dijkstra(graph, directed=False, indices=0)[1 : 1 + len(ends)]


def by_extremities(space, start, ends):
    """Lengths by extremitypathfinder, which goes by the corners that stick out."""
    from extremitypathfinder import PolygonEnvironment

    whole = shapely.geometry.polygon.orient(space)
    outline = shapely.get_coordinates(whole.exterior)[:-1]
    holes = [shapely.get_coordinates(ring)[:-1] for ring in whole.interiors]
    environment = PolygonEnvironment()
    environment.store(outline, holes, validate=False)
    if not environment.prepared:  # newer versions are at once
        environment.prepare()
    return np.array([environment.find_shortest_path(tuple(start), end)[1] for end in ends], dtype=float)


def by_geodesics(space, start, ends):
    """Lengths by pygeodesic: exact geodesics on a triangulation of the polygon."""
    from pygeodesic.geodesic import PyGeodesicAlgorithmExact

    spots = shapely.MultiPoint([start, *ends])
    cut = shapely.union_all([space.boundary, *(p.buffer(1e-4).exterior for p in spots.geoms)])
    faces = [f for f in shapely.get_parts(shapely.polygonize([cut])) if space.covers(f.representative_point())]
    triangles = [t for f in faces for t in shapely.get_parts(shapely.constrained_delaunay_triangles(f))]
    corners = np.array([shapely.get_coordinates(t)[:3] for t in triangles])
    places, index = np.unique(corners.reshape(-1, 2).round(9), axis=0, return_inverse=True)
    flat = np.column_stack([places, np.zeros(len(places))])
    algorithm = PyGeodesicAlgorithmExact(flat, index.reshape(-1, 3).astype(np.int32))
    near = [int(np.hypot(*(places - at).T).argmin()) for at in (start, *ends)]
    found, _ = algorithm.geodesicDistances(np.array(near[:1], dtype=np.int32), np.array(near[1:], dtype=np.int32))
    return np.asarray(found)


def ours(table, ends):
    """Costs by single verdicts."""
    asked = [sbg.check(table, sbg.Move("me", end)).needed for end in ends]
    return np.array([math.inf if needed is None else needed for needed in asked])


OTHERS = {
    "shapely and scipy: the visibility graph of all corners": ("scipy", by_visibility),
    "extremitypathfinder": ("extremitypathfinder", by_extremities),
    "pygeodesic, on a triangulation": ("pygeodesic", by_geodesics),
}


def paths(seed):
    """Rows that hold lengths of single paths against ours."""
    rows = []
    for name, (bases, pieces, size) in SIZES.items():
        table = open_ground(seed, bases, pieces, size)
        space = free_space(table)
        ends = goals(table, space, seed)
        seconds, exact = timed(lambda table=table, ends=ends: ours(table, ends))
        rows.append(f"| {name} | ours: verdicts with paths and bounds | {1000 * seconds / GOALS:.1f} | 1 | 0 |")
        start = table.model("me").at
        for what, (library, work) in OTHERS.items():
            if importlib.util.find_spec(library) is None:
                rows.append(f"| {name} | {what} | not installed | | |")
                continue
            took, found = timed(lambda work=work, space=space, start=start, ends=ends: work(space, start, ends))
            off = float(np.nanmax(np.abs(found - exact)))
            rows.append(f"| {name} | {what} | {1000 * took / GOALS:.1f} | {took / seconds:.1f} | {off:.1e} |")
    return rows


def march(table, step, ours_at, area):
    """Seconds of a march alone, how far its times lie from ours (median, 99 %), and its area from ours."""
    grid = fast_marching(table, 1, step)
    rng = np.random.default_rng(0)
    spots = np.argwhere(np.isfinite(grid.time) & (grid.time < table.model("me").move))
    some = spots[rng.permutation(len(spots))[:2000]]
    at = grid.xy[some[:, 0], some[:, 1]]
    off = np.abs(ours_at(at) - grid.time[some[:, 0], some[:, 1]])
    off = off[np.isfinite(off)]
    return grid.marching, float(np.median(off)), float(np.quantile(off, 0.99)), abs(grid.area - area)


def maps(seeds):
    """Rows that hold the reach area against marches on the cropped window, the medians over seeded tables."""
    rows = []
    for name, (bases, pieces, size) in SIZES.items():
        # Nothing on them can be crossed: a march knows no dice.
        recipe, found = Recipe(bases=bases, pieces=pieces, size=size, enemies=0.5, varied=False), []
        for seed in seeds:
            table = scatter(seed, recipe)
            seconds, area = timed(lambda table=table: sbg.reach(table, "me").area)
            costs = sbg.reach(table, "me").distance
            found.append((seconds, *itertools.chain(*(march(table, h, costs, area.area) for h in STEPS))))
        columns = np.array(found)
        own = columns[:, 0]
        rows.append(f"| {name} | ours: the area, its error told | {1000 * np.median(own):.0f} | 1 | 0 | 0 | 0 |")
        for k, h in enumerate(STEPS):
            took, half, most, off = columns[:, 1 + 4 * k : 5 + 4 * k].T
            ratio = own / took
            rows.append(
                f"| {name} | march, h = {h} in | {1000 * np.median(took):.0f} | "
                f"{np.median(ratio):.1f} ({np.quantile(ratio, 0.9):.1f}) | "
                f"{np.median(half):.4f} | {np.median(most):.3f} | {np.median(off):.2f} |"
            )
    return rows
