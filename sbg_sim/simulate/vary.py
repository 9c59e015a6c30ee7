"""Ways to vary a table by one number, for sweeps."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from sbg_sim.errors import QuestionError, UnknownNameError
from sbg_sim.table.board import Table
from sbg_sim.table.faults import table_faults
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.rulings import RULINGS
from sbg_sim.units import inches

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.terrain import Terrain

Vary: TypeAlias = Callable[[Table, Any], Table]

_AXES: Final = {"x": 0, "y": 1}
_LENGTHS: Final = frozenset({"base", "height", "move", "climbed", "depth", "width", "tolerance", "x", "y"})
_MODEL: Final = frozenset({"base", "height", "move", "climbed", "prone", "may_move", "moved", "on", "side"})
_PIECE: Final = frozenset({"height", "depth", "on", "to"})
_STATES: Final = frozenset({"prone", "may_move", "moved"})
_WORDS: Final = frozenset({"on", "side"})
_TABLE: Final = frozenset({"width", "depth", "tolerance"})


@dataclass(frozen=True, slots=True)
class ByKey:
    """Varies the value of a dotted key of the scenario file.

    Parameters
    ----------
    key
        ``"models.merry.move"``, ``"models.merry.at.x"``, ``"terrain.wall.height"``, ``"terrain.wall.x"``
        (shifts the piece along x by the value, inches), ``"table.tolerance"``, ``"rulings.eye"``; an id with dots must
        be in quotes, as in the file.

    """

    key: str

    @property
    def unit(self) -> str:
        """The unit of its values: inches for lengths, else none."""
        return "in" if self.key.rpartition(".")[2] in _LENGTHS else ""

    def __call__(self, table: Table, value: Any) -> Table:
        """Return the table with the value in place.

        Raises
        ------
        UnknownNameError
            If the key names nothing that can be varied.
        QuestionError
            If the value is of another kind than the key's, or if the file's reader would refuse the table with it;
            in the reader's words.

        """
        given = self.read(value)
        table_after = self._put(table, given)
        before = set(table_faults(table))
        for path, reason in table_faults(table_after):
            if (path, reason) not in before:
                place = ".".join(map(str, path))
                about = reason if place == self.key else f"{place}: {reason}"
                raise QuestionError(f"{self.key} cannot be {_written(value)}: {about}")
        return table_after

    def read(self, value: Any) -> Any:
        """Return a value as the file's reader reads it: lengths in inches, also given as ``"25 mm"``.

        Raises
        ------
        QuestionError
            If the key takes another kind of value.

        """
        last = self.key.split(".")[-1]
        if self.key.startswith("rulings.") and self.key.removeprefix("rulings.") not in RULINGS:
            return value  # an unknown ruling is an error when the value is put in place
        if self.key.startswith("rulings.") or (self.key.startswith("models.") and last in _WORDS):
            wanted, fits = "a word", isinstance(value, str)
        elif last in _STATES:
            wanted, fits = "true or false", isinstance(value, bool | np.bool_)
        elif last in _LENGTHS:
            return self._length(value)
        else:
            return value
        if not fits:
            raise QuestionError(f"{self.key} takes {wanted}, not {_written(value)}")
        return value

    def _length(self, value: Any) -> Any:
        if isinstance(value, str):
            try:
                return inches(value)
            except ValueError as error:
                raise QuestionError(f"{self.key} cannot be so: {error}") from None
        if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not math.isfinite(value):
            raise QuestionError(f"{self.key} takes inches, not {_written(value)}")
        return value

    def _put(self, table: Table, value: Any) -> Table:
        match _parts(self.key):
            case ["models", name, "at", ("x" | "y") as axis]:
                at = _put(table.model(name).at, axis, value)
                return table.with_model(replace(table.model(name), at=at))
            case ["models", name, field] if field in _MODEL:
                table.model(name)
                return table.with_model(replace(table.model(name), **{field: value}))
            case ["terrain", name, ("x" | "y") as axis]:
                return shifted_piece(table, name, _put((0.0, 0.0), axis, value))
            case ["terrain", name, field] if field in _PIECE:
                piece = replace(table.piece(name), **{field: value})
                return replace(table, terrain=table.terrain.with_item(name, piece))
            case ["table", field] if field in _TABLE:
                return replace(table, **{field: value})
            case ["rulings", name]:
                return table.under(name, value)
        raise UnknownNameError(f"{self.key!r} names nothing that can be varied{_hint(self.key)}")


@dataclass(frozen=True, slots=True)
class Shifted:
    """Varies the distance of a model from its place, along a direction.

    Parameters
    ----------
    model
        The id of the model.
    direction
        A vector; its length does not matter.

    Raises
    ------
    QuestionError
        If the direction is no direction.

    Examples
    --------
    >>> from sbg_sim.table.frozen import FrozenMap
    >>> from sbg_sim.table.models import Model
    >>> table = Table(24, 24, models=FrozenMap({"merry": Model("merry", (3.0, 4.0), base=1.0)}))
    >>> Shifted("merry", (0.0, 7.0))(table, 2.0).model("merry").at
    (3.0, 6.0)

    """

    model: str
    direction: Point

    def __post_init__(self) -> None:
        if not 0 < math.hypot(*self.direction) < math.inf:
            raise QuestionError(f"{self.direction} is no direction")

    def __call__(self, table: Table, value: float) -> Table:
        """Return the table with the model moved by ``value`` inches."""
        (x, y), (dx, dy) = table.model(self.model).at, self.direction
        far = value / math.hypot(dx, dy)
        return table.with_model(replace(table.model(self.model), at=(x + far * dx, y + far * dy)))


@dataclass(frozen=True, slots=True)
class InARow:
    """Varies the number of dice needed: copies of one piece of terrain, each shifted from the one before.

    Parameters
    ----------
    piece
        The piece in the row; its copies are called ``wall-2``, ``wall-3`` and so on.
    shift
        The shift from one to the next, inches.

    """

    piece: str
    shift: Point

    def __call__(self, table: Table, value: int) -> Table:
        """Return the table with the piece ``value`` times in all; without it for 0.

        Raises
        ------
        QuestionError
            If the value is no whole number from 0 up, or if a copy's name is taken.

        """
        if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < 0:
            raise QuestionError(f"{value!r} pieces in a row: it takes a whole number from 0 up")
        (dx, dy), first = self.shift, table.piece(self.piece)
        others = {name: piece for name, piece in table.terrain.items() if name != self.piece}
        row: dict[str, Terrain] = {}
        for n in range(value):
            name = f"{self.piece}-{n + 1}" if n else self.piece
            if name in others:
                raise QuestionError(f"there is a {name!r} already, and a copy of {self.piece!r} wants the name")
            moved = shifted_piece(table, self.piece, (n * dx, n * dy)).piece(self.piece)
            row[name] = replace(moved, id=name) if n else first
        return replace(table, terrain=FrozenMap({**others, **row}))


def shifted_piece(table: Table, name: str, shift: Point) -> Table:
    """Return the table with one piece of terrain shifted, inches."""
    piece = table.piece(name)
    at = None if piece.at is None else (piece.at[0] + shift[0], piece.at[1] + shift[1])
    shape = None if piece.shape is None else piece.shape.moved(0.0, shift)
    return replace(table, terrain=table.terrain.with_item(name, replace(piece, at=at, shape=shape)))


def _put(at: Point, axis: str, value: float) -> Point:
    return (float(value), at[1]) if _AXES[axis] == 0 else (at[0], float(value))


def _written(value: Any) -> str:
    """Return a value as the file has it."""
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _parts(key: str) -> list[str]:
    """Return the parts of a dotted key; an id in quotes may have dots, as in TOML."""
    return [quoted or bare for quoted, bare in re.findall(r'"([^"]*)"|([^."]+)', key)]


def _hint(key: str) -> str:
    parts = _parts(key) or [""]
    if parts[0] in {"models", "terrain"} and parts[-1] == "at":
        return f"; it is {key}.x or {key}.y" if parts[0] == "models" else "; it is terrain.ID.x or terrain.ID.y"
    known = {"models": _MODEL, "terrain": _PIECE, "table": _TABLE}.get(parts[0])
    if known is None:
        return "; it begins with models, terrain, table or rulings"
    if len(parts) != 3 and parts[-1] in known and parts[0] != "table":
        return f"; it is {parts[0]}.ID.{parts[-1]}, with an ID that holds dots in quotes"
    near = difflib.get_close_matches(parts[-1], known, n=1)
    return f"; did you mean {near[0]!r} at its end?" if near else f"; it ends in one of {', '.join(sorted(known))}"


assert {f.name for f in fields(Table)} >= _TABLE
