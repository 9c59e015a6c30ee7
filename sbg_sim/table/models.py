"""A model: a disc with a height, and its state."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from shapely.errors import ShapelyError

from sbg_sim.errors import QuestionError
from sbg_sim.units import inches

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point


_NO_PLACE = (bytes, bytearray, memoryview, AbstractSet, Mapping)  # these may yield two numbers, but not x and y


@dataclass(frozen=True, slots=True)
class Model:
    """One model on the table.

    Lengths are inches or strings with a unit; a place is any pair of numbers.

    Parameters
    ----------
    id
        Its key in the scenario.
    at
        Centre of the base, inches.
    base
        Diameter of the base, inches.
    height
        Height, inches; None if unknown (only some questions need it).
    move
        Maximum Move, inches; None if unknown.
    side
        Its side; models of different, named sides are enemies.
    keywords
        Such as ``"cavalry"``; capitals make no difference.
    prone, engaged, moved, may_move
        State: whether it lies, the ids of the enemies it is engaged with, whether it has moved, whether it may move.
    on
        The platform or gap of its level; None on the ground.
    climbed
        Inches already climbed on the face of a tall structure.
    doubt
        How far it may stand from ``at``, inches; None for the table's tolerance.
    waited
        The number of turns in which it could not be placed as a reinforcement, added to its roll (REINF.2).

    Raises
    ------
    LengthError
        For a string that is no length.

    Examples
    --------
    >>> merry = Model("merry", [3, 4], base="25.4 mm", move=4, side="good")
    >>> merry.radius, merry.at
    (0.5, (3.0, 4.0))
    >>> merry.is_enemy(Model("lurtz", (8, 4), base=1, side="evil"))
    True

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
    doubt: float | None = None
    waited: int = 0

    def __post_init__(self) -> None:
        for name in ("base", "height", "move", "climbed", "doubt"):
            if isinstance(getattr(self, name), str):
                object.__setattr__(self, name, inches(getattr(self, name)))
        if type(self.at) is not tuple:
            object.__setattr__(self, "at", place(self.at))
        for name in ("keywords", "engaged"):
            if isinstance(getattr(self, name), list | tuple | set):
                object.__setattr__(self, name, frozenset(getattr(self, name)))
        if any(word != word.casefold() for word in self.keywords):
            object.__setattr__(self, "keywords", frozenset(word.casefold() for word in self.keywords))

    @property
    def __geo_interface__(self) -> dict[str, Any]:
        """The centre of its base as GeoJSON."""
        return {"type": "Point", "coordinates": [float(self.at[0]), float(self.at[1])]}

    @property
    def radius(self) -> float:
        """Radius of the base, inches.

        Examples
        --------
        >>> Model("merry", (6, 6), "50.8 mm").radius
        1.0

        """
        return self.base / 2

    @property
    def has_zone(self) -> bool:
        """Whether it has a Control Zone: not if it is prone or engaged (CZ.2).

        Examples
        --------
        >>> Model("merry", (6, 6), 1).has_zone, Model("merry", (6, 6), 1, prone=True).has_zone
        (True, False)

        """
        return not self.prone and not self.engaged

    def is_enemy(self, other: Model) -> bool:
        """Whether the two stand on different, named sides.

        Examples
        --------
        >>> Model("merry", (6, 6), 1, side="good").is_enemy(Model("lurtz", (9, 6), 1, side="evil"))
        True

        """
        return bool(self.side) and bool(other.side) and self.side != other.side


def place(given: Any, what: str = "at") -> Point:
    """Read a place: a pair of numbers, an array of two, or a shapely point; QuestionError for anything else.

    A set or a mapping of two is no place: their order is not that of x and y.

    Examples
    --------
    >>> import numpy, shapely
    >>> place(numpy.array([3, 4])), place(shapely.Point(1, 2))
    ((3.0, 4.0), (1.0, 2.0))

    """
    try:
        x, y = (given.x, given.y) if hasattr(given, "x") and hasattr(given, "y") else given
        if not isinstance(given, _NO_PLACE) and _is_number(x) and _is_number(y):
            return (float(x), float(y))
    except (TypeError, ValueError, OverflowError, ShapelyError):  # the last: a point without coordinates
        pass
    raise QuestionError(f"{what}: must be a place [x, y], inches, not {given!r:.60}")


def _is_number(part: Any) -> bool:
    """Say whether a value counts as a number, as in a file: no text, no truth value, nothing masked."""
    return not (
        isinstance(part, str | bool)
        or hasattr(part, "mask")
        or getattr(getattr(part, "dtype", None), "kind", "") == "b"
    )
