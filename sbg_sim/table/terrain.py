"""A piece of terrain: a shape with tags and a height."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point, Shape

TAGS: Final = ("difficult", "obstacle", "unscalable", "gap", "platform", "ladder")


@dataclass(frozen=True, slots=True)
class Terrain:
    """One piece of terrain.

    Parameters
    ----------
    id
        Its key in the scenario.
    tags
        Any of :data:`TAGS`.
    shape
        Its outline, inches; None for a ladder, which is a point.
    height
        Inches above what it stands on; None when it has none. Unscalable without a height is taller than all.
    depth
        Of a gap, inches.
    at, to
        Of a ladder: its foot, and the platform it leads to.
    on
        The platform the piece itself stands on.
    lets_through
        Models that both players agree may pass it (MOV.8).

    """

    id: str
    tags: frozenset[str]
    shape: Shape | None = None
    height: float | None = None
    depth: float | None = None
    at: Point | None = None
    to: str | None = None
    on: str | None = None
    lets_through: frozenset[str] = field(default_factory=frozenset)

    @property
    def difficult(self) -> bool:
        """Whether distance counts double on it (TER.2)."""
        return "difficult" in self.tags

    @property
    def is_obstacle(self) -> bool:
        """Whether it bars the way on the ground: an obstacle, a platform, or anything unscalable."""
        return bool(self.tags & {"obstacle", "unscalable", "platform"})

    @property
    def top(self) -> float:
        """Height of its top above what it stands on, inches; infinite for a sheer thing of no stated height."""
        if self.height is None:
            return math.inf if "unscalable" in self.tags else 0.0
        return self.height
