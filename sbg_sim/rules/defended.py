"""Defended positions: charges at a model that stands behind a barrier (CHG.8).

A barrier (a piece with the tag ``obstacle``) defends a model when it stands on the same surface, the
model's base touches it, and the straight line between the two centres enters it. Such a charge may end
touching the barrier opposite to the target, and both count as in contact across it. What "opposite" means
is the ruling ``defended_opposite``: the barrier lies on the straight line between the centres and, under
``overlap``, the bases would meet or touch if the charger were pushed straight across, along the line from
the target's centre to a place where its base touches the barrier; under ``anywhere`` that second condition
falls away.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.geometry.panorama import Panorama, Prism, cornered_spans, round_spans
from sbg_sim.geometry.shapes import circle, point_segment_distance
from sbg_sim.tolerance import ANGLE, ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sbg_sim.geometry.shapes import Point, Shape
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain


@dataclass(frozen=True, slots=True)
class Strand:
    """A segment, or an arc when it has a centre: places for the centre of a base.

    Parameters
    ----------
    start, end
        Its ends, inches.
    center, radius, sweep
        Of an arc: centre, radius (inches) and signed angle (radians, counter-clockwise positive).

    """

    start: Point
    end: Point
    center: Point | None = None
    radius: float = 0.0
    sweep: float = 0.0

    @property
    def length(self) -> float:
        """Length, inches."""
        return self.radius * abs(self.sweep) if self.center else math.dist(self.start, self.end)

    def at(self, share: float) -> Point:
        """Return the point that a share of the length lies behind, from 0 at the start to 1 at the end."""
        if self.center is None:
            (ax, ay), (bx, by) = self.start, self.end
            return (ax + share * (bx - ax), ay + share * (by - ay))
        first = math.atan2(self.start[1] - self.center[1], self.start[0] - self.center[0])
        angle = first + share * self.sweep
        (x, y), r = self.center, self.radius
        return (x + r * math.cos(angle), y + r * math.sin(angle))

    def part(self, first: float, last: float) -> Strand:
        """Return the part between two shares of the length."""
        return Strand(self.at(first), self.at(last), self.center, self.radius, self.sweep * (last - first))


@dataclass(frozen=True, slots=True)
class Defence:
    """A barrier that defends a model against a charge.

    Parameters
    ----------
    barrier
        Its id.
    locus
        Where the charger's centre may be so that its base touches the barrier opposite to the target; other
        models and terrain are not looked at.

    """

    barrier: str
    locus: tuple[Strand, ...]


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
        For an id the table does not have.

    """
    mover, enemy = table.model(charger), table.model(target)
    if mover.on != enemy.on:
        return ()
    return tuple(
        Defence(piece.id, opposite(table, piece, mover.radius, enemy))
        for piece in table.terrain.values()
        if _leans_on(enemy, piece) and piece.shape is not None and _between(piece.shape, enemy.at, mover.at)
    )


def opposite(table: Table, piece: Terrain, radius: float, target: Model) -> tuple[Strand, ...]:
    """Find where a base touches a barrier opposite to a model that leans on it.

    Parameters
    ----------
    table
        The table, for its ruling.
    piece
        The barrier.
    radius
        Radius of the charger's base, inches.
    target
        Who is defended.

    Returns
    -------
    Segments and arcs of the barrier's outline grown by the radius; none when the model does not lean on it.

    """
    if piece.shape is None or not _leans_on(target, piece):
        return ()
    shape = piece.shape
    limit = radius + target.radius if table.rulings["defended_opposite"] == "overlap" else math.inf
    across = _contact_directions(shape, target)

    def holds(spot: Point) -> bool:
        if abs(float(shape.distance(spot)) - radius) > ROUNDING:
            return False
        dx, dy = spot[0] - target.at[0], spot[1] - target.at[1]
        beside = any(abs(dx * ny - dy * nx) <= limit and dx * nx + dy * ny > 0 for nx, ny in across)
        return (beside or limit == math.inf) and _between(shape, target.at, spot)

    strands = list(_rim(shape, radius))
    lines = list(_key_lines(shape, target, across, limit))
    found: list[Strand] = []
    for strand in strands:
        cuts = sorted({0.0, 1.0, *_cuts(strand, strands, lines)})
        joined: list[tuple[float, float]] = []
        for a, b in itertools.pairwise(cuts):
            if b - a <= ANGLE or not holds(strand.at((a + b) / 2)):
                continue
            if joined and a - joined[-1][1] <= ANGLE:
                joined[-1] = (joined[-1][0], b)
            else:
                joined.append((a, b))
        found += [strand.part(a, b) for a, b in joined]
    return tuple(found)


def _leans_on(model: Model, piece: Terrain) -> bool:
    """Whether a piece is a barrier that the model's base touches from outside."""
    if "obstacle" not in piece.tags or piece.shape is None or piece.on != model.on:
        return False
    return abs(float(piece.shape.distance(model.at)) - model.radius) <= TOUCH


def _between(shape: Shape, one: Point, other: Point) -> bool:
    """Whether the straight line between two points enters a shape."""
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
    """Unit vectors from the target's centre to the places where its base touches the shape."""
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


def _rim(shape: Shape, radius: float) -> Iterator[Strand]:
    """Segments and whole circles among which the outline of the grown shape is."""
    reach = shape.radius + radius
    centres: dict[Point, None] = {}
    for ax, ay, bx, by in shape.capsules.tolist():
        centres[ax, ay] = centres[bx, by] = None
        length = math.dist((ax, ay), (bx, by))
        if length > 0:
            nx, ny = -(by - ay) * reach / length, (bx - ax) * reach / length
            yield Strand((ax + nx, ay + ny), (bx + nx, by + ny))
            yield Strand((ax - nx, ay - ny), (bx - nx, by - ny))
    for x, y in centres:
        yield Strand((x + reach, y), (x + reach, y), (x, y), reach, 2 * math.pi)


def _key_lines(shape: Shape, target: Model, across: list[Point], limit: float) -> Iterator[tuple[Point, Point]]:
    """Lines (a point, a direction) on which a place may stop being opposite."""
    x, y = target.at
    for angle in _seen_from(shape, target.at).events().tolist():
        yield target.at, (math.cos(angle), math.sin(angle))
    for nx, ny in across:
        if math.isfinite(limit):
            yield (x - limit * ny, y + limit * nx), (nx, ny)
            yield (x + limit * ny, y - limit * nx), (nx, ny)
        yield target.at, (-ny, nx)


def _cuts(strand: Strand, strands: list[Strand], lines: list[tuple[Point, Point]]) -> Iterator[float]:
    """Shares of a strand's length at which it meets the lines or the other strands."""
    for point, direction in lines:
        yield from _meets_line(strand, point, direction)
    for other in strands:
        if other is strand:
            continue
        if other.center is not None:
            yield from _meets_circle(strand, other.center, other.radius)
        else:
            (ax, ay), (bx, by) = other.start, other.end
            yield from _meets_line(strand, (ax, ay), ((bx - ax) / other.length, (by - ay) / other.length))


def _meets_line(strand: Strand, point: Point, direction: Point) -> Iterator[float]:
    (px, py), (dx, dy) = point, direction
    if strand.center is not None:
        cx, cy = strand.center[0] - px, strand.center[1] - py
        foot, off = cx * dx + cy * dy, cx * dy - cy * dx
        if abs(off) <= strand.radius + ROUNDING:
            half = math.sqrt(max(0.0, strand.radius**2 - off**2))
            for t in (foot - half, foot + half):
                angle = math.atan2(py + t * dy - strand.center[1], px + t * dx - strand.center[0])
                yield angle % (2 * math.pi) / (2 * math.pi)
        return
    (ax, ay), (bx, by) = strand.start, strand.end
    slope = (bx - ax) * dy - (by - ay) * dx
    if slope != 0:
        t = ((px - ax) * dy - (py - ay) * dx) / slope
        if 0 < t < 1:
            yield t


def _meets_circle(strand: Strand, center: Point, radius: float) -> Iterator[float]:
    if strand.center is not None:
        apart = math.dist(strand.center, center)
        if not 0 < apart <= 2 * radius:
            return
        # all circles of a rim have one radius: they meet on the middle line between their centres
        (ax, ay), (bx, by) = strand.center, center
        yield from _meets_line(strand, ((ax + bx) / 2, (ay + by) / 2), ((ay - by) / apart, (bx - ax) / apart))
        return
    (ax, ay), (bx, by) = strand.start, strand.end
    length = strand.length
    dx, dy = (bx - ax) / length, (by - ay) / length
    cx, cy = center[0] - ax, center[1] - ay
    foot, off = cx * dx + cy * dy, cx * dy - cy * dx
    if abs(off) <= radius + ROUNDING:
        half = math.sqrt(max(0.0, radius**2 - off**2))
        yield from (t / length for t in (foot - half, foot + half) if 0 < t < length)
