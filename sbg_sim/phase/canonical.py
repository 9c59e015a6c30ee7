"""The canonical text of a state, the same on every machine, and its hash."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from sbg_sim.table.rulings import RULINGS
from sbg_sim.tolerance import SNAP

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain


def canonical(table: Table) -> str:
    r"""Return a state as text: all that a later turn can depend on, in a fixed order.

    Lengths are inches with six decimals. Titles, questions and records are no part of the state, nor is which
    models have moved in this turn: the next turn begins without it, and a table has the same hash before and after.

    Examples
    --------
    >>> from sbg_sim.table.board import Table
    >>> canonical(Table(48, 24))
    'table 48.000000 24.000000 0.000000\n'

    """
    lines = [f"table {_length(table.width)} {_length(table.depth)} {_length(table.tolerance)}"]
    lines += [
        f"ruling {name} {reading}"
        for name, reading in sorted(table.rulings.chosen.items())
        if reading != RULINGS[name].readings[0]
    ]
    lines += [_piece(table.terrain[name]) for name in sorted(table.terrain)]
    lines += [_model(table.models[name], off=name in table.off) for name in sorted(table.models)]
    return "\n".join(lines) + "\n"


def fingerprint(table: Table) -> str:
    """Return the SHA-256 of a state's canonical text, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical(table).encode("utf-8")).hexdigest()


def snapped(point: Point) -> Point:
    """Return a computed place as it becomes part of a state: rounded to six decimals, no negative zero."""
    return (round(point[0], SNAP) + 0.0, round(point[1], SNAP) + 0.0)


def _length(value: float | None) -> str:
    return "-" if value is None else f"{round(value, SNAP) + 0.0:.{SNAP}f}"


def _spot(point: Point | None) -> str:
    return "-" if point is None else f"{_length(point[0])},{_length(point[1])}"


def _names(names: frozenset[str]) -> str:
    return ",".join(sorted(names)) or "-"


def _model(model: Model, *, off: bool) -> str:
    marks = {
        "prone": model.prone,
        "held": not model.may_move,
        "off": off,
    }
    fields = (
        "model",
        model.id,
        model.side or "-",
        "-" if off else _spot(model.at),
        _length(model.base),
        _length(model.height),
        _length(model.move),
        _names(model.keywords),
        f"on={model.on or '-'}",
        f"climbed={_length(model.climbed)}",
        f"engaged={_names(model.engaged)}",
        *(name for name, is_so in marks.items() if is_so),
        *([f"waited={model.waited}"] if model.waited else []),
    )
    return " ".join(fields)


def _piece(piece: Terrain) -> str:
    shape = piece.shape
    rings = () if shape is None else shape.rings
    spine = () if shape is None else shape.spine
    fields = (
        "terrain",
        piece.id,
        _names(piece.tags),
        ";".join(" ".join(_spot(p) for p in ring) for ring in rings) or "-",
        " ".join(_spot(p) for p in spine) or "-",
        _length(None if shape is None else shape.radius),
        _length(piece.height),
        _length(piece.depth),
        _spot(piece.at),
        f"to={piece.to or '-'}",
        f"on={piece.on or '-'}",
        f"through={_names(piece.lets_through)}",
    )
    return " ".join(fields)
