"""A piece of terrain: a shape with tags and a height."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from sbg_sim.errors import UnsoundError
from sbg_sim.geometry.shapes import Shape, from_shapely
from sbg_sim.table.models import place
from sbg_sim.units import inches

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point

TAGS: Final = ("difficult", "obstacle", "unscalable", "gap", "platform", "ladder")
_TAGS: Final = frozenset(TAGS)


@dataclass(frozen=True, slots=True)
class Terrain:
    """One piece of terrain.

    Lengths are inches or strings with a unit; a shape may be given as a shapely polygon.

    Parameters
    ----------
    id
        Its key in the scenario.
    tags
        Any of :data:`TAGS`.
    shape
        Its outline, inches; None for a ladder, which is a point.
    height
        Inches above its level; None if it has none. An unscalable piece without a height is taller than all models.
    depth
        Of a gap, inches.
    at, to
        Of a ladder: its foot, and the platform to which it leads.
    on
        The platform or gap on or in which the piece itself stands.
    lets_through
        Models that both players agree may pass it (MOV.8).

    Raises
    ------
    LengthError
        For a string that is no length.
    QuestionError
        For a shape that is neither one of this package nor a shapely polygon.

    UnsoundError
        For an unknown tag.

    Examples
    --------
    >>> import shapely
    >>> wall = Terrain("wall", ["obstacle"], shapely.box(9, 8, 10, 16), height="2.54 cm")
    >>> wall.height, wall.is_obstacle, wall.shape.bounds
    (1.0, True, (9.0, 8.0, 10.0, 16.0))

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

    def __post_init__(self) -> None:
        for name in ("height", "depth"):
            if isinstance(getattr(self, name), str):
                object.__setattr__(self, name, inches(getattr(self, name)))
        for name in ("tags", "lets_through"):
            if isinstance(getattr(self, name), list | tuple | set):
                object.__setattr__(self, name, frozenset(getattr(self, name)))
        shape: Any = self.shape
        if shape is not None and not isinstance(shape, Shape):
            object.__setattr__(self, "shape", from_shapely(shape))
        if self.at is not None and type(self.at) is not tuple:
            object.__setattr__(self, "at", place(self.at))
        for tag in sorted(frozenset(self.tags) - _TAGS):
            raise UnsoundError(f"terrain {self.id!r}: no tag is called {tag!r}; there are {', '.join(TAGS)}")

    @property
    def __geo_interface__(self) -> dict[str, Any]:
        """Its outline as GeoJSON (circles and thick lines as polygons); a ladder as its foot."""
        if self.shape is not None:
            return self.shape.__geo_interface__
        return {"type": "Point", "coordinates": list(self.at or ())}

    @property
    def difficult(self) -> bool:
        """Whether distance counts double on it (TER.2).

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/jumping.toml")
        >>> table.piece("wall").difficult
        False

        """
        return "difficult" in self.tags

    @property
    def is_obstacle(self) -> bool:
        """Whether it bars the way on the ground: an obstacle, a platform, or anything unscalable.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/jumping.toml")
        >>> table.piece("wall").is_obstacle
        True

        """
        return bool(self.tags & {"obstacle", "unscalable", "platform"})

    @property
    def top(self) -> float:
        """Height of its top above its level, inches; infinite for an unscalable piece without a height.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/jumping.toml")
        >>> table.piece("wall").top
        0.8

        """
        if self.height is None:
            return math.inf if "unscalable" in self.tags else 0.0
        return self.height
