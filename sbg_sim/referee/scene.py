"""One mover on one table, for the referee: the models and terrain that stand on each surface."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from sbg_sim.errors import QuestionError
from sbg_sim.referee.outline import edges, signed_gap
from sbg_sim.table.board import allowance, height_of
from sbg_sim.table.joining import faces_of
from sbg_sim.table.levels import is_level, is_stood_on, standing_out, supports, uncovered
from sbg_sim.tolerance import ROUNDING, TOUCH

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Shape
    from sbg_sim.referee.curves import Curve, Spot
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain

Surface = str | None
"""A platform's id, or None for the ground."""

Box = tuple[float, float, float, float]
"""A box in inches: ``xmin, ymin, xmax, ymax``."""

NEIGHBOURHOOD: Final = 1.1
"""Farther than this from a path, beyond both radii, inches, a model meets it neither with its base nor its zone."""


@dataclass(frozen=True, slots=True)
class Track:
    """A piece of path on which the mover's base travels.

    Parameters
    ----------
    curve
        The path of the base's centre.
    offset
        Inches of path before it.
    surfaces
        The surfaces that the base occupies: two while it goes up or down.
    leg
        Index of the leg.
    over
        Id of the model or piece of terrain that it passes over by a test; empty if there is none.

    """

    curve: Curve
    offset: float
    surfaces: frozenset[Surface]
    leg: int
    over: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """One mover on one table.

    Parameters
    ----------
    table
        The table.
    model
        The mover.
    crowd, ground
        The models and terrain that can matter; None stands for all.

    """

    table: Table
    model: Model
    crowd: tuple[Model, ...] | None = None
    ground: tuple[Terrain, ...] | None = None

    def near(self, box: Box) -> Scene:
        """Return the scene with only the models and pieces that can matter to a path within a box."""
        left, low, right, high = box

        def far(other: Box, reach: float) -> bool:
            over = other[0] > right + reach or other[2] < left - reach
            return over or other[1] > high + reach or other[3] < low - reach

        crowd = []
        for other in self.table.standing():
            x, y = other.at
            if not far((x, y, x, y), self.radius + other.radius + NEIGHBOURHOOD):
                crowd.append(other)
        ground = []
        for piece in self.table.terrain.values():
            if piece.shape is not None:
                points = [p for edge in edges(piece.shape) for p in edge]
                xs, ys = [p[0] for p in points], [p[1] for p in points]
                reach = self.radius + piece.shape.radius + NEIGHBOURHOOD
                if not far((min(xs), min(ys), max(xs), max(ys)), reach):
                    ground.append(piece)
        return replace(self, crowd=tuple(crowd), ground=tuple(ground))

    @property
    def radius(self) -> float:
        """The mover's radius, inches."""
        return self.model.radius

    @property
    def move(self) -> float:
        """The mover's maximum Move, inches."""
        return allowance(self.model)

    @property
    def height(self) -> float:
        """The mover's height, inches."""
        return height_of(self.model)

    def everyone(self) -> list[Model]:
        """Return the other models, on all surfaces."""
        crowd = self.table.standing() if self.crowd is None else self.crowd
        return [m for m in crowd if m.id != self.model.id]

    def others(self, surface: Surface) -> list[Model]:
        """Return the other models that stand on a surface."""
        if self.margin:
            return [m for m in self.everyone() if m.on == surface]
        # By its centre it may stand half over the next step, where its base must not overlap another.
        high, near = self.elevation(surface), self.height / 2 + ROUNDING
        return [m for m in self.everyone() if m.on == surface or abs(self.elevation(m.on) - high) <= near]

    def pieces(self, surface: Surface) -> list[tuple[Terrain, Shape]]:
        """Return the terrain that stands on a level, or beside it and higher, with its shape there."""
        found = self.table.terrain.values() if self.ground is None else self.ground
        here = [(p, s) for p in found if p.id != surface and p.shape is not None for s in self._faces(p, surface)]
        return [(p, s) for p, s in here if p.on == surface or self.tall(p, surface) > ROUNDING]

    def _faces(self, piece: Terrain, surface: Surface) -> tuple[Shape, ...]:
        """Return the outlines of a piece on a level; none if it does not reach the level."""
        if piece.on == surface:
            return standing_out(self.table, piece)
        if not piece.is_obstacle or "gap" in piece.tags:
            return ()
        face = piece.shape if self.elevation(piece.on) <= self.elevation(surface) + ROUNDING else None
        if "platform" in piece.tags:
            face = faces_of(self.table, piece.id, self.elevation(surface))
        return () if face is None else (face,)

    def tall(self, piece: Terrain, surface: Surface) -> float:
        """Return the height of a piece's top above a level, inches."""
        if piece.on == surface:
            return piece.top
        return self.elevation(piece.on) + piece.top - self.elevation(surface)

    def rough(self, surface: Surface) -> list[Shape]:
        """Return the difficult ground of a level, and of steps beside it that the base may overlap."""
        found = self.table.terrain.values() if self.ground is None else self.ground
        rough = [(p, p.id if p.tags & {"platform", "gap"} else p.on) for p in found if p.difficult]
        near = [p for p, level in rough if p.shape is not None and (level == surface or self._over(level, surface))]
        return [shape for p in near for shape in uncovered(self.table, p)]

    def _over(self, level: Surface, surface: Surface) -> bool:
        """Say whether a base that stands on a level by its centre may overlap another (ruling ``stand_on``)."""
        return not self.margin and self.is_step(abs(self.elevation(level) - self.elevation(surface)))

    def top(self, surface: str) -> Shape:
        """Return the shape of a level: a platform's top, or a gap's bottom; QuestionError if it is neither."""
        piece = self.table.piece(surface)
        if piece.shape is None or not ("platform" in piece.tags or ("gap" in piece.tags and piece.depth)):
            raise QuestionError(f"terrain.{surface} is no platform: nothing can stand on it")
        return piece.shape

    @property
    def margin(self) -> float:
        """How far inside a level's rim the centre must stay, inches: its radius, or 0 (ruling ``stand_on``)."""
        return 0.0 if self.table.rulings["stand_on"] == "centre" else self.radius

    def elevation(self, surface: Surface) -> float:
        """Return the height of a surface above the ground, inches."""
        total = 0.0
        seen = set()
        while surface is not None and surface not in seen:
            seen.add(surface)
            piece = self.table.piece(surface)
            total += -(piece.depth or 0.0) if "gap" in piece.tags else piece.top
            surface = piece.on
        return total

    def is_seam(self, piece: Terrain, surface: Surface) -> bool:
        """Say whether the base may overlap a piece, and only its centre may not (ruling ``stand_on``).

        That is so of platforms no taller than the model, and of a gap into which it can step.
        """
        if self.margin:
            return False
        if "gap" in piece.tags:
            return piece.depth is not None and self.is_step(piece.depth)
        return "platform" in piece.tags and self.no_taller(self.tall(piece, surface))

    def outside_of(self, piece: Terrain, surface: Surface) -> float:
        """Return the distance from a piece at which the centre meets it, inches: 0 if the base may overlap it."""
        return 0.0 if self.is_seam(piece, surface) else self.radius

    def inside_of(self, rise: float) -> float:
        """Return how far inside a rim the centre is at the inner end of a way up or down by ``rise``, inches."""
        return self.margin if self.no_taller(rise) else self.radius

    def is_stood_on(self, piece: Terrain, surface: Surface) -> bool:
        """Say whether a piece beside a level is a platform on which the mover can stand, and no obstacle to it."""
        return "platform" in piece.tags and (piece.on != surface or is_stood_on(self.table, piece, self.radius))

    def below(self, spot: Spot, high: float) -> Surface:
        """Return the highest level under a place that is lower than an elevation (inches)."""
        best: Surface = None
        over = [p for p in self.table.terrain.values() if p.shape is not None and signed_gap(spot, p.shape) <= TOUCH]
        lost = {p.on for p in over if "gap" in p.tags}
        low = -math.inf if None in lost else 0.0
        for piece in over:
            made = "platform" in piece.tags or ("gap" in piece.tags and piece.depth is not None)
            at = self.elevation(piece.id) if made and piece.id not in lost else math.inf
            if low < at < high - ROUNDING:
                best, low = piece.id, at
        return best

    def lets_through(self, piece: Terrain) -> bool:
        """Say whether both players agreed that the mover may pass a piece (MOV.8)."""
        return self.model.id in piece.lets_through

    def is_step(self, rise: float) -> bool:
        """Say whether a rise is below half the mover's height, or exactly half if that is ruled free."""
        if rise <= 0:
            return True
        if rise > 1e6:
            return False
        short = self.height / 2 - rise
        if abs(short) <= ROUNDING:
            return self.table.rulings["obstacle_exactly_half"] == "free"
        return short > 0

    def no_taller(self, rise: float) -> bool:
        """Say whether a rise is no more than the mover's height."""
        return rise <= self.height + ROUNDING


def floor_beyond(scene: Scene, spot: Spot, surface: str) -> tuple[Surface] | None:
    """Return the highest level for a base that has left a platform or a gap's bottom, in a tuple; None without one.

    From a platform the level is no higher, from a gap no higher than its brim.
    """
    piece = scene.table.piece(surface)
    limit = scene.elevation(piece.on if "gap" in piece.tags else surface) + ROUNDING
    cut = {p.on for p in scene.table.terrain.values() if "gap" in p.tags and p.shape and _over(scene, spot, p.shape)}
    found: list[Surface] = [] if None in cut or limit < 0 else [None]
    for other in scene.table.terrain.values():
        if other.id == surface or other.id in cut or other.shape is None or not is_level(other):
            continue
        if signed_gap(spot, other.shape) <= TOUCH - scene.margin and scene.elevation(other.id) <= limit:
            found.append(other.id)
    return (max(found, key=scene.elevation),) if found else None


def _over(scene: Scene, spot: Spot, shape: Shape) -> bool:
    return signed_gap(spot, shape) < scene.margin - TOUCH


def step_at(scene: Scene, spot: Spot, low: Surface, high: Terrain) -> Surface:
    """Return a platform onto which a centre can step at its corner, and from it onto a higher one; None if none is.

    Parameters
    ----------
    scene
        The mover and its table.
    spot
        Where the centre is on the rims of both, inches.
    low, high
        The level from which it comes, and the higher platform.

    """
    held = supports(scene.table, high.id)
    for piece, shape in scene.pieces(low):
        between = (
            "platform" in piece.tags and piece.id not in {high.id, *held} and abs(signed_gap(spot, shape)) <= TOUCH
        )
        first = scene.elevation(piece.id) - scene.elevation(low) if between else -1.0
        if first > 0 and scene.is_step(first) and scene.is_step(scene.elevation(high.id) - scene.elevation(piece.id)):
            return piece.id
    return None
