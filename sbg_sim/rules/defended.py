"""Defended positions: charges at a model that stands behind a barrier (CHG.8).

A barrier (a piece with the tag ``obstacle``) defends a model when it stands on the same surface, the
model's base touches it, and the straight line between the two centres enters it. A charge at that model may end
touching the barrier opposite to it, and both then count as in contact across the barrier. The ruling
``defended_opposite`` defines "opposite": the barrier lies on the straight line between the centres and, under
``overlap``, the bases would meet or touch if the charger were pushed straight across, along the line from the
target's centre to a place where its base touches the barrier; ``anywhere`` drops that second condition. By the
ruling ``defended_behind`` any obstacle is a barrier, or only one for which the charger needs a test.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.geometry.panorama import Panorama, Prism, cornered_spans, round_spans
from sbg_sim.geometry.pieces import Piece, segment
from sbg_sim.geometry.regions import disc_region
from sbg_sim.geometry.shapes import circle
from sbg_sim.geometry.spines import point_segment_distance
from sbg_sim.rules.ground import half_reached
from sbg_sim.table.nearby import pieces_near
from sbg_sim.tolerance import ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sbg_sim.geometry.shapes import Point, Shape
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain


@dataclass(frozen=True, slots=True)
class Defence:
    """A barrier that defends a model against a charge.

    Parameters
    ----------
    barrier
        Its id.
    locus
        The places of the charger's centre at which its base touches the barrier opposite to the target; other models
        and terrain are not considered.

    """

    barrier: str
    locus: tuple[Piece, ...]


def defended(table: Table, charger: str, target: str) -> tuple[Defence, ...]:
    """List the barriers that defend a model against a charger where it stands.

    Parameters
    ----------
    table
        The table.
    charger, target
        Ids of the models.

    Returns
    -------
    The barriers in the order of the table, each with the places that touch it opposite to the target.

    Raises
    ------
    UnknownNameError
        For an id that the table does not have.
    QuestionError
        For a missing height that decides, by the ruling.

    """
    mover, enemy = table.model(charger), table.model(target)
    if mover.on != enemy.on:
        return ()
    return tuple(
        Defence(piece.id, opposite(table, piece, mover.radius, enemy))
        for piece in pieces_near(table, disc_region(enemy.at, enemy.radius, TOUCH))
        if _leans_on(enemy, piece)
        and piece.shape is not None
        and _between(piece.shape, enemy.at, mover.at)
        and (table.rulings["defended_behind"] == "any" or half_reached(table, mover, piece))
    )


def opposite(table: Table, piece: Terrain, radius: float, target: Model) -> tuple[Piece, ...]:
    """Return the places where a base touches a barrier opposite to a model that touches it from the other side.

    Parameters
    ----------
    table
        The table, for its rulings.
    piece
        The barrier.
    radius
        Radius of the charger's base, inches.
    target
        The defended model.

    Returns
    -------
    Segments and arcs of the barrier's outline grown by the radius; none if the model does not touch the barrier.

    """
    return _common([_Side.of(table, piece, radius, target)]) if _leans_on(target, piece) else ()


def defended_together(table: Table, charger: str, targets: tuple[str, ...]) -> tuple[Defence, ...]:
    """Return the places where a charger is in contact with several models at once, at least one across a barrier.

    Parameters
    ----------
    table
        The table.
    charger, targets
        Ids of the models; with one target this is what :func:`defended` gives.

    Returns
    -------
    An entry for every choice of the models touched across a barrier, each with its barrier, and the others touched base
    to base, if there is a place for it.

    Raises
    ------
    UnknownNameError
        For an id that the table does not have.

    """
    mover = table.model(charger)
    choices: list[list[_Side | _Contact]] = []
    for name in targets:
        enemy = table.model(name)
        sides = [_Side.of(table, table.piece(d.barrier), mover.radius, enemy) for d in defended(table, charger, name)]
        choices.append([*sides, _Contact(enemy.at, enemy.radius + mover.radius)])
    found = []
    for chosen in itertools.product(*choices):
        sides = [c for c in chosen if isinstance(c, _Side)]
        locus = _common(sides, [c for c in chosen if isinstance(c, _Contact)]) if sides else ()
        if locus:
            names = dict.fromkeys(side.barrier for side in sides)
            found.append(Defence(" and ".join(names), locus))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Contact:
    """The circle of the charger's centre in contact with a base."""

    at: Point
    radius: float

    def holds(self, spot: Point) -> bool:
        return abs(math.dist(spot, self.at) - self.radius) <= ROUNDING


@dataclass(frozen=True, slots=True)
class _Side:
    """The places of the charger's centre at which it touches a barrier opposite to a model."""

    barrier: str
    shape: Shape
    radius: float
    target: Point
    limit: float
    across: tuple[Point, ...]

    @classmethod
    def of(cls, table: Table, piece: Terrain, radius: float, target: Model) -> _Side:
        assert piece.shape is not None
        limit = radius + target.radius if table.rulings["defended_opposite"] == "overlap" else math.inf
        return cls(piece.id, piece.shape, radius, target.at, limit, tuple(_contact_directions(piece.shape, target)))

    def holds(self, spot: Point) -> bool:
        if abs(float(self.shape.distance(spot)) - self.radius) > ROUNDING:
            return False
        dx, dy = spot[0] - self.target[0], spot[1] - self.target[1]
        most = self.limit + ROUNDING
        beside = any(abs(dx * ny - dy * nx) <= most and dx * nx + dy * ny > 0 for nx, ny in self.across)
        return (beside or self.limit == math.inf) and _between(self.shape, self.target, spot)

    def lines(self) -> Iterator[tuple[Point, Point]]:
        return _key_lines(self.shape, self.target, self.across, self.limit)


def _common(sides: list[_Side], contacts: Sequence[_Contact] = ()) -> tuple[Piece, ...]:
    """Return the parts, or single places, of the first side's rim at which all sides and contacts hold."""
    first = sides[0]
    rim = list(_rim(first.shape, first.radius))
    lines = [line for side in sides for line in side.lines()]
    others = [piece for side in sides[1:] if side.barrier != first.barrier for piece in _rim(side.shape, side.radius)]
    found: list[Piece] = []
    every: list[_Side | _Contact] = [*sides, *contacts]
    for piece in rim:
        cuts = sorted({0.0, piece.length, *_cuts(piece, rim, lines)})
        spots = [0.0, piece.length, *_cuts(piece, others, [])]
        spots += [u for c in contacts for u in _meets_circle(piece, c.at, c.radius)]
        joined: list[tuple[float, float]] = []
        for a, b in itertools.pairwise(cuts):
            if b - a <= ROUNDING or not all(c.holds(_spot(piece, (a + b) / 2)) for c in every):
                continue
            if joined and a - joined[-1][1] <= ROUNDING:
                joined[-1] = (joined[-1][0], b)
            else:
                joined.append((a, b))
        # A single place can only be one on two rims, one on a rim and in contact, or one where the parts of a rim
        # opposite to two defenders just meet.
        joined += [
            (u, u)
            for u in sorted({*spots, *(cuts if len(sides) > 1 else ())} if len(every) > 1 else ())
            if not any(a - ROUNDING <= u <= b + ROUNDING for a, b in joined)
            and all(c.holds(_spot(piece, u)) for c in every)
        ]
        found += [piece.part(a, b) if b > a else segment(_spot(piece, a), _spot(piece, a)) for a, b in joined]
    # Each part is a rim of its own.
    return tuple(replace(piece, owner=-2 - i) for i, piece in enumerate(_distinct(found)))


def _spot(piece: Piece, u: float) -> Point:
    x, y = piece.at(np.array(u)).tolist()
    return (x, y)


def _distinct(pieces: list[Piece]) -> list[Piece]:
    """Leave out single places that lie on another piece's end or occur twice in the list."""
    kept = [piece for piece in pieces if piece.length > 0]
    for piece in pieces:
        ends = [_spot(other, u) for other in kept for u in (0.0, other.length)]
        if piece.length == 0 and all(math.dist(piece.start, spot) > TOUCH for spot in ends):
            kept.append(piece)
    return kept


def _leans_on(model: Model, piece: Terrain) -> bool:
    """Say whether a piece is a barrier that the model's base touches from outside."""
    if "obstacle" not in piece.tags or piece.shape is None or piece.on != model.on:
        return False
    return abs(float(piece.shape.distance(model.at)) - model.radius) <= TOUCH


def _between(shape: Shape, one: Point, other: Point) -> bool:
    """Say whether the straight line between two points enters a shape."""
    scene = _seen_from(shape, one)
    angle = np.array([math.atan2(other[1] - one[1], other[0] - one[0])])
    spans = [cornered_spans(piece, angle) for piece in scene.cornered]
    if scene.round:
        spans.append(round_spans(scene.round, angle, 0.0))
    away = math.dist(one, other)
    return any(bool((np.minimum(end, away) - begin > ROUNDING).any()) for begin, end in spans)


def _seen_from(shape: Shape, spot: Point) -> Panorama:
    return Panorama.make((*spot, 0.0), Prism(circle(spot, 0.0), 0.0, 0.0), [Prism(shape, -1.0, 1.0)])


def _contact_directions(shape: Shape, target: Model) -> list[Point]:
    """Return unit vectors from the target's centre to the places where its base touches the shape."""
    found: list[Point] = []
    here = np.array(target.at)
    for a, b in shape.capsules.reshape(-1, 2, 2):
        if abs(float(point_segment_distance(here, a, b)) - shape.radius - target.radius) <= TOUCH:
            d = b - a
            along = float(d @ d)
            t = min(1.0, max(0.0, float((here - a) @ d) / along)) if along else 0.0
            w = a + t * d - here
            n = w / math.hypot(*w)
            if not any(math.dist(n, other) <= TOUCH for other in found):
                found.append((float(n[0]), float(n[1])))
    return found


def _rim(shape: Shape, radius: float) -> Iterator[Piece]:
    """Yield segments and whole circles that together contain the outline of the grown shape."""
    reach = shape.radius + radius
    centres: dict[Point, None] = {}
    for ax, ay, bx, by in shape.capsules.tolist():
        centres[ax, ay] = centres[bx, by] = None
        length = math.dist((ax, ay), (bx, by))
        if length > 0:
            nx, ny = -(by - ay) * reach / length, (bx - ax) * reach / length
            yield segment((ax + nx, ay + ny), (bx + nx, by + ny))
            yield segment((ax - nx, ay - ny), (bx - nx, by - ny))
    for at in centres:
        yield Piece(at, (0.0, 0.0), math.tau * reach, reach)


def _key_lines(shape: Shape, target: Point, across: Sequence[Point], limit: float) -> Iterator[tuple[Point, Point]]:
    """Yield the lines (a point, a direction) across which a place may cease to be opposite."""
    x, y = target
    for angle in _seen_from(shape, target).events().tolist():
        yield target, (math.cos(angle), math.sin(angle))
    for nx, ny in across:
        if math.isfinite(limit):
            yield (x - limit * ny, y + limit * nx), (nx, ny)
            yield (x + limit * ny, y - limit * nx), (nx, ny)
        yield target, (-ny, nx)


def _cuts(piece: Piece, pieces: list[Piece], lines: list[tuple[Point, Point]]) -> Iterator[float]:
    """Yield the parameters of a piece, inches, at which it meets the lines or the other pieces."""
    for point, direction in lines:
        yield from _meets_line(piece, point, direction)
    for other in pieces:
        if other is piece:
            continue
        if other.radius:
            yield from _meets_circle(piece, other.start, other.radius)
        else:
            yield from _meets_line(piece, other.start, other.toward)


def _meets_line(piece: Piece, point: Point, direction: Point) -> Iterator[float]:
    """Yield the parameters at which a segment or a whole circle meets a line, inches."""
    (px, py), (dx, dy), (x, y) = point, direction, piece.start
    if piece.radius:
        foot, off = (x - px) * dx + (y - py) * dy, (x - px) * dy - (y - py) * dx
        if abs(off) <= piece.radius + ROUNDING:
            half = math.sqrt(max(0.0, piece.radius**2 - off**2))
            for t in (foot - half, foot + half):
                yield math.atan2(py + t * dy - y, px + t * dx - x) % math.tau * piece.radius
        return
    slope = piece.toward[0] * dy - piece.toward[1] * dx
    if slope != 0:
        u = ((px - x) * dy - (py - y) * dx) / slope
        if 0 < u < piece.length:
            yield u


def _meets_circle(piece: Piece, center: Point, radius: float) -> Iterator[float]:
    """Yield the parameters at which a segment or a whole circle meets a circle, inches."""
    cx, cy = center[0] - piece.start[0], center[1] - piece.start[1]
    if piece.radius:
        apart = math.hypot(cx, cy)
        near, far = abs(piece.radius - radius) - ROUNDING, piece.radius + radius + ROUNDING
        if near <= apart <= far and apart > ROUNDING:
            # two circles meet on a line at right angles to that through their centres
            ux, uy = cx / apart, cy / apart
            along = (apart**2 + piece.radius**2 - radius**2) / (2 * apart)
            yield from _meets_line(piece, (piece.start[0] + along * ux, piece.start[1] + along * uy), (-uy, ux))
        return
    dx, dy = piece.toward
    foot, off = cx * dx + cy * dy, cx * dy - cy * dx
    if abs(off) <= radius + ROUNDING:
        half = math.sqrt(max(0.0, radius**2 - off**2))
        yield from (u for u in (foot - half, foot + half) if 0 < u < piece.length)
