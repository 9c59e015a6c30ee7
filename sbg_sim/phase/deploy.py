"""Places a whole warband from one point of the edge: a placement that the referee accepts, or a proof of none.

Placing: the models come on one by one, each to the farthest free site of a lattice that it can reach, so that the point
of entry stays free for the next. Every move is judged as any other.

Proving: every place where a centre can end lies in a part of the table that can be bounded from outside: within the
movement, on the table, off every base, solid and enemy zone, and connected with the point of entry. Centres of the
smallest base are its diameter ``d`` apart, and at most ``2 A / (sqrt(3) d^2) + P / (2 d) + 1`` such points fit into a
convex set of area ``A`` and perimeter ``P`` (Oler's inequality). If that is fewer than the warband has models, there is
no placement.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from sbg_sim.errors import QuestionError
from sbg_sim.phase.events import inward, starting_spot
from sbg_sim.phase.legality import judge
from sbg_sim.phase.play import played
from sbg_sim.phase.too_far import goes_farther
from sbg_sim.rules.zones import zones
from sbg_sim.table.board import allowance
from sbg_sim.table.record import MoveRecord
from sbg_sim.tolerance import FITS, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from shapely import Geometry

    from sbg_sim.geometry.shapes import Point, Shape
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain

BUDGET: Final = 240
"""Moves judged before the search for a placement gives up."""

_CORNERS: Final = 64  # per quarter of a circle, of the polygons that bound circles


@dataclass(frozen=True)
class Deployment:
    """The answer whether a warband can come on from a point.

    Parameters
    ----------
    answer
        ``"yes"``, ``"no"``, or ``"undecided"``: no placement was found, nor proven impossible.
    moves
        For a yes, the moves in order.
    after
        The table after them.
    room
        The most of its models that fit, by the proof; all of them if it proves nothing.
    reason
        One sentence.

    """

    answer: str
    moves: tuple[MoveRecord, ...] = ()
    after: Table | None = field(default=None, repr=False)
    room: int = 0
    reason: str = ""

    @property
    def bonus(self) -> int:
        """The bonus to the roll next turn: 1 if there is no placement (REINF.2)."""
        return int(self.answer == "no")


def deploy(table: Table, names: Sequence[str], point: Point, *, budget: int = BUDGET) -> Deployment:
    """Find whether a whole warband can be placed from a point of the edge (REINF.2).

    Parameters
    ----------
    table
        The table, the warband off it.
    names
        The warband, its first model first.
    point
        A point of the edge, inches.
    budget
        Moves judged before the search gives up.

    Raises
    ------
    UnknownNameError
        For a model that the table does not have.
    QuestionError
        If a model is on the table already, or the point is on no edge.

    """
    models = [table.model(name) for name in names]
    on_table = [m.id for m in models if m.id not in table.off]
    if on_table:
        raise QuestionError(f"on the table already: {', '.join(on_table)}")
    if not models:
        raise QuestionError("nobody waits outside the table")
    if inward(table, point) is None:
        raise QuestionError(f"({point[0]:g}, {point[1]:g}) is no point of the table's edge")
    region = _region(table, models, point)
    room = _most_apart(region, min(m.base for m in models), len(models))
    if room < len(models):
        reason = f"of {len(models)} models at most {room} find room within reach of the point"
        return Deployment("no", room=room, reason=reason)
    orders = _orders(models)
    search = _Search(table, point, 0, region.buffer(2 * TOUCH))
    for order in orders:
        for sites in search.lattices(models):
            search.left = budget // (3 * len(orders))
            moves = search.place(order, sites)
            if moves is not None:
                reason = f"all {len(models)} find room"
                return Deployment("yes", tuple(moves[0]), moves[1], room, reason)
    return Deployment("undecided", room=room, reason="no placement was found, and none was proven impossible")


def _orders(models: list[Model]) -> list[list[Model]]:
    fast_first = sorted(models, key=lambda m: -allowance(m))
    large_first = sorted(models, key=lambda m: -m.base)
    return _distinct([models, fast_first, large_first])


def _distinct(orders: list[list[Model]]) -> list[list[Model]]:
    found: list[list[Model]] = []
    for order in orders:
        if order not in found:
            found.append(order)
    return found


class _Search:
    """A search that places models on lattices of sites, farthest first."""

    def __init__(self, table: Table, point: Point, budget: int, region: Geometry) -> None:
        self.table, self.point, self.left, self.region = table, point, budget, region
        shapely.prepare(self.region)

    def lattices(self, models: list[Model]) -> Iterator[list[Point]]:
        """Yield lists of sites: square and hexagonal lattices, straight before the point and aside of it."""
        pitch = max(m.base for m in models)
        far = max(allowance(m) for m in models) + pitch
        way = inward(self.table, self.point)
        assert way is not None
        size = math.hypot(*way)
        ahead, aside = (way[0] / size, way[1] / size), (-way[1] / size, way[0] / size)
        for row, shift in ((pitch, 0.0), (pitch * math.sqrt(0.75), 0.5), (pitch, 0.5)):
            rows, columns = int(far / row) + 1, int(far / pitch) + 1
            sites = []
            for i in range(rows):
                for k in range(-columns, columns + 1):
                    deep = pitch / 2 + i * row
                    wide = (k + (shift if row == pitch else shift * (i % 2))) * pitch
                    x = self.point[0] + deep * ahead[0] + wide * aside[0]
                    y = self.point[1] + deep * ahead[1] + wide * aside[1]
                    sites.append((round(x, 6) + 0.0, round(y, 6) + 0.0))
            inside = shapely.contains_xy(self.region, np.array(sites))
            yield [sites[i] for i in np.flatnonzero(inside)]

    def place(self, order: list[Model], sites: list[Point]) -> tuple[list[MoveRecord], Table] | None:
        """Place models in order, with backtracking; None if it fails."""
        return self._place(self.table, order, sites, [])

    def _place(
        self, table: Table, order: list[Model], sites: list[Point], moves: list[MoveRecord]
    ) -> tuple[list[MoveRecord], Table] | None:
        if not order:
            return moves, table
        model = order[0]
        free = self._candidates(table, model, sites)
        if len(free) < len(order) and all(m.base == model.base and m.move == model.move for m in order):
            return None
        for site in free:
            if self.left <= 0:
                return None
            self.left -= 1
            move = MoveRecord(model.id, arrive=self.point, to=site)
            judged = judge(table, move)
            if judged.violations or judged.route.tests:
                continue
            _, after = played(table, judged, lambda _: 6)
            found = self._place(after, order[1:], sites, [*moves, move])
            if found is not None:
                return found
        return None

    def _candidates(self, table: Table, model: Model, sites: list[Point]) -> list[Point]:
        """Return the sites on which a model could stand, the farthest first."""
        start = starting_spot(table, model, self.point)
        assert start is not None
        reach, r = allowance(model) + FITS, model.radius
        at = np.array(sites).reshape(-1, 2)
        ok = np.hypot(*(at - start).T) <= reach
        ok &= (at >= r - TOUCH).all(axis=1) & (at <= np.array([table.width - r, table.depth - r]) + TOUCH).all(axis=1)
        for other in table.standing():
            if other.on is None:
                ok &= np.hypot(*(at - other.at).T) >= other.radius + r - TOUCH
        for zone in zones(table, model):
            if zone.binds(None):
                ok &= np.hypot(*(at - zone.at).T) >= zone.radius - TOUCH
        for piece in table.terrain.values():
            if (
                piece.on is None
                and piece.shape is not None
                and _no_place(piece, table)
                and model.id not in piece.lets_through
            ):
                ok &= piece.shape.distance(at) >= r - TOUCH
        free = [sites[i] for i in np.flatnonzero(ok)]
        return sorted(free, key=lambda p: (-round(math.dist(p, start), 6), p))


def _most_apart(region: Geometry, base: float, wanted: int) -> int:
    """Return a bound of the number of centres in a region, a base's diameter apart; at most ``wanted``."""
    if region.is_empty:
        return 0
    hull = region.convex_hull
    d = base - 2 * TOUCH
    edge = hull.length if hull.geom_type == "Polygon" else 2 * hull.length
    most = 2 * hull.area / (math.sqrt(3) * d * d) + edge / (2 * d) + 1
    return min(wanted, math.floor(float(most) + FITS))


def _region(table: Table, models: Sequence[Model], point: Point) -> Geometry:
    """Return an area that contains every place where a centre can end.

    Circles to keep within are bounded from outside, circles to keep out of from inside; the strip outside the
    edge of entry is taken to be open.
    """
    small = replace(models[0], base=min(m.base for m in models), move=max(allowance(m) for m in models))
    r = small.radius - TOUCH
    starts = [s for m in models if (s := starting_spot(table, m, point)) is not None]
    box = shapely.box(r, r, table.width - r, table.depth - r)
    strip = shapely.box(*_stretched(table, point, r, _strip(table, models)))
    ground = strip if goes_farther(table, models) else strip.intersection(_reached(starts, allowance(small)))
    walls = [_within(other.at, other.radius + r) for other in table.standing() if other.on is None]
    lying = [_within(m.at, m.radius + r) for m in table.standing() if m.on is None and m.prone]
    zoned = [_within(z.at, z.radius - 2 * TOUCH) for z in zones(table, small) if z.binds(None)]
    sheer: list[Geometry] = []
    crossed: list[Geometry] = []
    for piece in table.terrain.values():
        through = any(m.id in piece.lets_through for m in models)
        if piece.on is None and piece.shape is not None and not through and _no_place(piece, table):
            (sheer if _sheer(piece, models) else crossed).append(_solid(piece.shape, r))
    upright = [wall for wall in walls if not any(wall.equals(flat) for flat in lying)]
    parts = shapely.get_parts(ground.difference(shapely.union_all([*upright, *zoned, *sheer])))
    joined = [p for p in parts if any(p.distance(shapely.Point(s)) <= 4 * TOUCH for s in starts)]
    held = shapely.union_all(joined).intersection(box)
    return held.difference(shapely.union_all([*crossed, *lying]))


def _strip(table: Table, models: Sequence[Model]) -> float:
    """Return how far outside the edge the centres may be on their way in, inches.

    No model goes along the edge outside it (see `enter`), so bases of one size stay nearer than their start; of several
    sizes the larger ones start farther out.
    """
    if len({m.base for m in models}) > 1:
        return max(m.base for m in models)
    return (models[0].radius if table.rulings["edge_entry"] == "outside" else 0.0) - 2 * TOUCH


def _reached(starts: Sequence[Point], reach: float) -> Geometry:
    """Return discs of a radius about the starts, bounded from outside."""
    outer = (reach + TOUCH) / math.cos(math.pi / (4 * _CORNERS))
    return shapely.union_all([shapely.Point(s).buffer(outer, quad_segs=_CORNERS) for s in starts])


def _stretched(table: Table, point: Point, r: float, by: float) -> tuple[float, float, float, float]:
    """Return the box of centres, stretched over the edge of entry: ``xmin, ymin, xmax, ymax``."""
    dx, dy = inward(table, point) or (0.0, 0.0)
    return (
        -by if dx > 0 else r,
        -by if dy > 0 else r,
        table.width + (by if dx < 0 else -r),
        table.depth + (by if dy < 0 else -r),
    )


def _no_place(piece: Terrain, table: Table) -> bool:
    """Say whether no move can end on a piece: a gap, or an obstacle other than a platform, as ruled."""
    if "platform" in piece.tags:
        return False
    steps = table.rulings["end_on_low_obstacle"] == "yes" and not math.isinf(piece.top)
    return "gap" in piece.tags or (piece.is_obstacle and not steps)


def _sheer(piece: Terrain, models: Sequence[Model]) -> bool:
    """Say whether no model of a warband gets over a piece: by no step, jump or climb."""
    if "unscalable" not in piece.tags or "gap" in piece.tags:
        return False
    return math.isinf(piece.top) or all(m.height is not None and piece.top > m.height + TOUCH for m in models)


def _within(center: Point, radius: float) -> Geometry:
    """Return a disc bounded from inside."""
    return shapely.Point(center).buffer(max(radius, 0.0), quad_segs=_CORNERS)


def _solid(shape: Shape, r: float) -> Geometry:
    """Return a part of a shape grown by ``r``, bounded from inside."""
    if shape.rings:
        body: Geometry = shapely.Polygon(shape.rings[0], shape.rings[1:])
    else:
        body = shapely.Point(shape.spine[0]) if len(shape.spine) == 1 else shapely.LineString(shape.spine)
    return body.buffer(max(shape.radius + r, 0.0), quad_segs=_CORNERS)
