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
from sbg_sim.geometry.regions import disc_region
from sbg_sim.geometry.shapes import circle, point_segment_distance
from sbg_sim.table.nearby import pieces_near
from sbg_sim.tolerance import ANGLE, ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
        for piece in pieces_near(table, disc_region(enemy.at, enemy.radius, TOUCH))
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
    return _common([_Side.of(table, piece, radius, target)]) if _leans_on(target, piece) else ()


def defended_together(table: Table, charger: str, targets: tuple[str, ...]) -> tuple[Defence, ...]:
    """Find where a charger is in contact with several models at once, with one of them at least across a barrier.

    Parameters
    ----------
    table
        The table.
    charger, targets
        Ids of the models; with one target this is what :func:`defended` gives.

    Returns
    -------
    An entry for every choice of who is touched across which barrier, base to base for the others, as far as there
    is a place for it.

    Raises
    ------
    UnknownNameError
        For an id the table does not have.

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
    """A circle of centre positions in contact with a base."""

    at: Point
    radius: float

    def holds(self, spot: Point) -> bool:
        return abs(math.dist(spot, self.at) - self.radius) <= ROUNDING


@dataclass(frozen=True, slots=True)
class _Side:
    """The places that touch a barrier opposite to a model."""

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


def _common(sides: list[_Side], contacts: Sequence[_Contact] = ()) -> tuple[Strand, ...]:
    """Return the strands, or single places, of the first side's rim at which all sides and contacts hold."""
    first = sides[0]
    strands = list(_rim(first.shape, first.radius))
    lines = [line for side in sides for line in side.lines()]
    others = [rim for side in sides[1:] if side.barrier != first.barrier for rim in _rim(side.shape, side.radius)]
    found: list[Strand] = []
    every: list[_Side | _Contact] = [*sides, *contacts]
    for strand in strands:
        cuts = sorted({0.0, 1.0, *_cuts(strand, strands, lines)})
        spots = [0.0, 1.0, *_cuts(strand, others, [])]
        spots += [t for c in contacts for t in _meets_circle(strand, c.at, c.radius)]
        joined: list[tuple[float, float]] = []
        for a, b in itertools.pairwise(cuts):
            if b - a <= ANGLE or not all(c.holds(strand.at((a + b) / 2)) for c in every):
                continue
            if joined and a - joined[-1][1] <= ANGLE:
                joined[-1] = (joined[-1][0], b)
            else:
                joined.append((a, b))
        # A single place can only be what lies on two rims, or on a rim and in contact, or where two defenders' parts
        # of a rim just meet.
        joined += [
            (t, t)
            for t in sorted({*spots, *(cuts if len(sides) > 1 else ())} if len(every) > 1 else ())
            if not any(a - ANGLE <= t <= b + ANGLE for a, b in joined) and all(c.holds(strand.at(t)) for c in every)
        ]
        found += [strand.part(a, b) for a, b in joined]
    return _distinct(found)


def _distinct(strands: list[Strand]) -> tuple[Strand, ...]:
    """Leave out single places that lie on another strand's end or twice in the list."""
    kept = [strand for strand in strands if strand.length > 0]
    for strand in strands:
        ends = [spot for other in kept for spot in (other.start, other.end)]
        if strand.length == 0 and all(math.dist(strand.start, spot) > TOUCH for spot in ends):
            kept.append(strand)
    return tuple(kept)


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


def _key_lines(shape: Shape, target: Point, across: Sequence[Point], limit: float) -> Iterator[tuple[Point, Point]]:
    """Lines (a point, a direction) on which a place may stop being opposite."""
    x, y = target
    for angle in _seen_from(shape, target).events().tolist():
        yield target, (math.cos(angle), math.sin(angle))
    for nx, ny in across:
        if math.isfinite(limit):
            yield (x - limit * ny, y + limit * nx), (nx, ny)
            yield (x + limit * ny, y - limit * nx), (nx, ny)
        yield target, (-ny, nx)


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
        if (
            not abs(strand.radius - radius) - ROUNDING <= apart <= strand.radius + radius + ROUNDING
            or apart <= ROUNDING
        ):
            return
        # two circles meet on the line square to that between their centres
        (ax, ay), (bx, by) = strand.center, center
        ux, uy = (bx - ax) / apart, (by - ay) / apart
        along = (apart**2 + strand.radius**2 - radius**2) / (2 * apart)
        yield from _meets_line(strand, (ax + along * ux, ay + along * uy), (-uy, ux))
        return
    (ax, ay), (bx, by) = strand.start, strand.end
    length = strand.length
    dx, dy = (bx - ax) / length, (by - ay) / length
    cx, cy = center[0] - ax, center[1] - ay
    foot, off = cx * dx + cy * dy, cx * dy - cy * dx
    if abs(off) <= radius + ROUNDING:
        half = math.sqrt(max(0.0, radius**2 - off**2))
        yield from (t / length for t in (foot - half, foot + half) if 0 < t < length)
