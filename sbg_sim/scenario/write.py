"""Write tables as scenario files that read back as the same table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sbg_sim.document import write_whole
from sbg_sim.table.board import sound
from sbg_sim.table.questions import Charge, Gap, Measure, Move, ReachOf, Sight

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from sbg_sim.geometry.shapes import Point, Shape
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.questions import Asked
    from sbg_sim.table.record import MoveRecord, Record
    from sbg_sim.table.terrain import Terrain

_WIDTH: Final = 110


def write(table: Table, path: str | os.PathLike[str] | None = None) -> str:
    """Return a table as the text of a scenario file; ``sbg_sim.dump`` is this function.

    Parameters
    ----------
    table
        The table; its lengths are written in inches, to the last digit.
    path
        A file to write it to as well.

    Returns
    -------
    TOML. Reading it returns an equal table; profiles have become fields of their models.

    Raises
    ------
    OSError
        When the file cannot be written; an existing file stays as it was.
    SbgError
        For a table with faults, such as one during a move may have, and for an object that is no path.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> print(write(sbg.Table(24, 24, models={"merry": {"at": [4, 4], "base": "1 in"}})))
    [table]
    width = 24.0
    depth = 24.0
    <BLANKLINE>
    [models.merry]
    at = [4.0, 4.0]
    base = 1.0
    <BLANKLINE>

    """
    import tomli_w  # here: not needed for reading

    text = _folded(tomli_w.dumps(as_data(sound(table))))
    if path is not None:
        write_whole(path, text)
    return text


def _folded(text: str) -> str:
    """Put arrays on one line if they fit, so that points are pairs.

    No string spans lines in this text: a line that ends in ``[`` opens an array, whatever strings hold.
    """
    lines: list[str] = []
    opened: list[int] = []
    for line in text.removesuffix("\n").split("\n"):
        lines.append(line)
        bare = line.strip()
        if bare == "[" or bare.endswith("= ["):
            opened.append(len(lines) - 1)
        elif bare in ("]", "],") and opened:
            start = opened.pop()
            inner = " ".join(part.strip() for part in lines[start + 1 : -1]).removesuffix(",")
            whole = f"{lines[start]}{inner}{bare}"
            if len(whole) <= _WIDTH:
                lines[start:] = [whole]
    return "\n".join(lines) + "\n"


def as_data(table: Table) -> dict[str, Any]:
    """Return a table as the plain data of a scenario file."""
    data: dict[str, Any] = {}
    if table.title:
        data["title"] = table.title
    if table.source:
        data["source"] = table.source
    data["table"] = {"width": table.width, "depth": table.depth}
    if table.horizon is not None:
        data["table"]["horizon"] = table.horizon
    if table.tolerance:
        data["table"]["tolerance"] = table.tolerance
    if table.picture is not None:
        corners = [_point(corner) for corner in table.picture.corners]
        data["table"]["picture"] = {"file": table.picture.file, "corners": corners}
    data["rulings"] = dict(table.rulings.chosen)
    data["models"] = {name: _model(m, off=name in table.off) for name, m in table.models.items()}
    data["terrain"] = {name: _terrain(piece) for name, piece in table.terrain.items()}
    data["questions"] = {name: _question(asked) for name, asked in table.questions.items()}
    data = {key: value for key, value in data.items() if value != {}}
    if table.record is not None:
        data |= as_record(table.record)
    return data


def _given(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out empty values and defaults."""
    return {k: v for k, v in fields.items() if v is not None and v is not False and v != []}


def _point(point: Point | None) -> list[float] | None:
    return None if point is None else [float(point[0]), float(point[1])]


def _model(model: Model, *, off: bool) -> dict[str, Any]:
    fields = _given(
        {
            "at": _point(model.at),
            "base": float(model.base),
            "height": model.height,
            "move": model.move,
            "side": model.side or None,
            "keywords": sorted(model.keywords),
            "prone": model.prone,
            "engaged": sorted(model.engaged),
            "moved": model.moved,
            "on": model.on,
            "climbed": model.climbed or None,
            "doubt": model.doubt,
            "off_table": off,
            "waited": model.waited or None,
        }
    )
    if not model.may_move:
        fields["may_move"] = False
    return fields


def _terrain(piece: Terrain) -> dict[str, Any]:
    return _given(
        {
            "tags": sorted(piece.tags),
            **({} if piece.shape is None else as_shape(piece.shape)),
            "height": piece.height,
            "depth": piece.depth,
            "at": _point(piece.at),
            "to": piece.to,
            "on": piece.on,
            "lets_through": sorted(piece.lets_through),
        }
    )


def as_shape(given: Shape) -> dict[str, Any]:
    """Return a shape as its keys in a scenario file."""
    if given.kind == "circle":
        return {"circle": {"center": _point(given.spine[0]), "radius": given.radius}}
    if given.kind == "line":
        return {"line": [_point(p) for p in given.spine], "thickness": 2 * given.radius}
    rings = [[_point(p) for p in ring] for ring in given.rings]
    return {"polygon": rings[0], "holes": rings[1:]}


def _question(asked: Asked) -> dict[str, Any]:
    fields: dict[str, Any] = {"ask": asked.question.ask}
    match asked.question:
        case Measure(start, end):
            fields |= {"from": start, "to": end}
        case Gap(between, model):
            fields |= {"between": list(between), "model": model}
        case Move(model, to, on):
            fields |= {"model": model, "to": _point(to), "on": on}
        case Charge(model, target) | Sight(model, target):
            fields |= {"model": model, "target": target if isinstance(target, str) else list(target)}
        case ReachOf(model):
            fields |= {"model": model}
    return _given({**fields, "expect": asked.expect, "needed": asked.needed, "note": asked.note or None})


def as_record(record: Record) -> dict[str, Any]:
    """Return a game record as the plain data of a scenario file."""
    data: dict[str, Any] = {}
    if not record.key:
        data["phase"] = head_of(record)
        if record.moves:
            data["moves"] = [entry(move) for move in record.moves]
    turns = record.later if not record.key else record.turns
    if turns:
        data["turns"] = [{**head_of(turn), "moves": [entry(move) for move in turn.moves]} for turn in turns]
    return data


def head_of(record: Record) -> dict[str, Any]:
    """Return the keys of a record's turn other than its moves, as plain data."""
    fights = [list(f) for f in record.fights]
    return _given({"priority": record.priority, "fights": fights, "stage": record.stage or None})


def entry(move: MoveRecord) -> dict[str, Any]:
    """Return one entry of a record as plain data."""
    return _given(
        {
            "model": move.model,
            "charge": list(move.charge),
            "to": _point(move.to),
            "path": None if move.path is None else [_point(p) for p in move.path],
            "stand": move.stand,
            "lie": move.lie,
            "crawl": _point(move.crawl),
            "arrive": _point(move.arrive),
            "on": move.on,
            "rolls": list(move.rolls),
            "place": _point(move.place),
            "slain": move.slain,
            "delayed": move.delayed,
        }
    )
