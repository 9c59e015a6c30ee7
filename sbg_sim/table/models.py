"""A model: a disc with a height, and what state it is in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point


@dataclass(frozen=True, slots=True)
class Model:
    """One model on the table.

    Parameters
    ----------
    id
        Its key in the scenario.
    at
        Centre of the base, inches.
    base
        Diameter of the base, inches.
    height
        Height, inches; None when the file does not say (only some questions need it).
    move
        Maximum Move, inches; None when the file does not say.
    side
        Whose it is; models of different, named sides are enemies.
    keywords
        Such as ``"cavalry"``.
    prone, engaged, moved, may_move
        State: lying down, ids in contact with, has moved, may move at all.
    on
        The platform it stands on; None on the ground.
    climbed
        Inches already climbed on the face of a tall structure.

    """

    id: str
    at: Point
    base: float
    height: float | None = None
    move: float | None = None
    side: str = ""
    keywords: frozenset[str] = field(default_factory=frozenset)
    prone: bool = False
    engaged: frozenset[str] = field(default_factory=frozenset)
    moved: bool = False
    may_move: bool = True
    on: str | None = None
    climbed: float = 0.0

    @property
    def radius(self) -> float:
        """Radius of the base, inches."""
        return self.base / 2

    @property
    def has_zone(self) -> bool:
        """Whether it has a Control Zone: not when prone or engaged (CZ.2)."""
        return not self.prone and not self.engaged

    def is_enemy(self, other: Model) -> bool:
        """Whether the two stand on different, named sides."""
        return bool(self.side) and bool(other.side) and self.side != other.side
