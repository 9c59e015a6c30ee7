"""What the referee needs to know of a table to judge one mover: who and what stands on which surface."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from sbg_sim.errors import QuestionError
from sbg_sim.referee.outline import edges
from sbg_sim.table.board import allowance, tallness
from sbg_sim.tolerance import ROUNDING

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Shape
    from sbg_sim.referee.curves import Curve
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain

Surface = str | None
"""A platform's id, or None for the ground."""

Box = tuple[float, float, float, float]
"""A box in inches: ``xmin, ymin, xmax, ymax``."""

NEIGHBOURHOOD: Final = 1.1
"""What is farther from a path than this beyond both radii, inches, is met by neither base nor zone."""


@dataclass(frozen=True, slots=True)
class Track:
    """A piece of path on which the mover's base travels.

    Parameters
    ----------
    curve
        The way of the base's centre.
    offset
        Inches of path before it.
    surfaces
        The surfaces it takes up room on: two while it goes up or down.
    leg
        Index of the leg.
    over
        Id of the model or piece of terrain it passes over by a test; empty when there is none.

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
        """Return the scene with only those models and pieces that matter to a path within a box."""
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
        return tallness(self.model)

    def everyone(self) -> list[Model]:
        """Return the other models, whatever they stand on."""
        crowd = self.table.standing() if self.crowd is None else self.crowd
        return [m for m in crowd if m.id != self.model.id]

    def others(self, surface: Surface) -> list[Model]:
        """Return the other models that stand on a surface."""
        return [m for m in self.everyone() if m.on == surface]

    def pieces(self, surface: Surface) -> list[tuple[Terrain, Shape]]:
        """Return the terrain that stands on a surface, with its shape."""
        found = self.table.terrain.values() if self.ground is None else self.ground
        return [(piece, piece.shape) for piece in found if piece.shape is not None and piece.on == surface]

    def top(self, surface: str) -> Shape:
        """Return the shape of a platform's top; QuestionError when it is not a platform."""
        piece = self.table.piece(surface)
        if "platform" not in piece.tags or piece.shape is None:
            raise QuestionError(f"terrain.{surface} is no platform: nothing can stand on it")
        return piece.shape

    def elevation(self, surface: Surface) -> float:
        """Return how high a surface lies above the ground, inches."""
        total = 0.0
        seen = set()
        while surface is not None and surface not in seen:
            seen.add(surface)
            piece = self.table.piece(surface)
            total += piece.top
            surface = piece.on
        return total

    def lets_through(self, piece: Terrain) -> bool:
        """Say whether both players agreed that the mover passes a piece (MOV.8)."""
        return self.model.id in piece.lets_through

    def steps_over(self, piece: Terrain) -> bool:
        """Say whether the mover crosses an obstacle without a test (TER.3)."""
        if "platform" in piece.tags or "gap" in piece.tags:
            return False
        return self.is_step(piece.top)

    def is_step(self, rise: float) -> bool:
        """Say whether a rise is below half the mover's height, or exactly half where that is ruled free."""
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
