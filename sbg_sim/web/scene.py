"""A table for the page to draw: models and terrain as path data, with their words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from sbg_sim.report import described
from sbg_sim.rules.zones import ZONE_WIDTH
from sbg_sim.table.rulings import RULINGS
from sbg_sim.tolerance import LARGEST
from sbg_sim.web.drawing import label_spots, shape_path, strips

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sbg_sim.errors import Fault
    from sbg_sim.geometry.shapes import Shape
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain

_KNOWN: Final = {"good": 0, "light": 0, "evil": 1, "dark": 1}
SIDES: Final = 4
"""Number of sides that look different."""

KINDS: Final = ("gap", "ladder", "unscalable", "platform", "obstacle", "difficult")
"""Tags that decide the look of a piece; the first that it has counts."""

_COMMON: Final = 24.0
"""Size at which a table of unknown size is drawn, inches."""

_SAID: Final = {
    "difficult": "every inch counts twice (TER.2)",
    "unscalable": "nobody climbs it; no higher than the model it may be jumped (TER.5)",
    "gap": "leapt when no wider than twice the model's height (LEAP.1)",
    "platform": "its top can be stood on",
    "ladder": "up to {to} without a test, at the cost of its height (CLB.5)",
}


def scene(table: Table, *, faulty: bool = False) -> dict[str, Any]:
    """Return a table as plain data for drawing, inches, y up; only path data has y down.

    An unknown size of a faulty table is that of the things on it, and is listed as ``unknown``.
    """
    sizes = {"width": table.width, "depth": table.depth}
    unknown = [key for key, size in sizes.items() if faulty and size >= LARGEST]
    looks = side_looks(m.side for m in table.models.values())
    sides = {m.side for m in table.models.values() if m.side}
    return {
        "title": table.title,
        **sizes,
        **{key: _needed(table, axis) for axis, key in enumerate(sizes) if key in unknown},
        "unknown": unknown,
        "tolerance": table.tolerance,
        "models": [_model(table, m, looks[m.side], enemies=len(sides - {m.side}) > 0) for m in table.models.values()],
        "terrain": _pieces(table),
        "rulings": [
            {
                "name": name,
                "rule": ruling.rule,
                "about": ruling.about,
                "readings": list(ruling.readings),
                "chosen": table.rulings[name],
            }
            for name, ruling in RULINGS.items()
        ],
        "questions": [
            {"name": name, "ask": asked.question.ask, "words": described(asked.question), "note": asked.note}
            for name, asked in table.questions.items()
        ],
        "sides": sorted(sides),
        "record": table.record is not None,
        "zone": ZONE_WIDTH,
    }


def _needed(table: Table, axis: int) -> float:
    """Return the least size of a table along x or y for the things on it, at least that along the other axis."""
    ends = [model.at[axis] + model.radius for model in table.models.values() if model.at is not None]
    ends += [piece.shape.bounds[2 + axis] for piece in table.terrain.values() if piece.shape is not None]
    other = (table.depth, table.width)[axis]
    return max(_COMMON if other >= LARGEST else other, *(math.ceil(end) + 1.0 for end in ends), 0.0)


def side_looks(sides: Iterable[str]) -> dict[str, int]:
    """Return the number of each side's look; Good and Evil always look the same, -1 means no side.

    Examples
    --------
    >>> side_looks(["elves", "evil"])
    {'': -1, 'elves': 0, 'evil': 1}

    """
    named = [side for side in dict.fromkeys(sides) if side]
    taken = {side: _KNOWN[side.casefold()] for side in named if side.casefold() in _KNOWN}
    free = [i for i in range(SIDES) if i not in taken.values()]
    looks = {"": -1}
    for side in named:
        looks[side] = taken[side] if side in taken else (free.pop(0) if free else SIDES - 1)
    return looks


def fault_json(fault: Fault) -> dict[str, Any]:
    """Return a fault as plain data."""
    return {
        "reason": fault.reason,
        "key": fault.key,
        "file": fault.file,
        "line": fault.line,
        "column": fault.column,
        "text": str(fault),
    }


def kind(piece: Terrain) -> str:
    """Return the tag that decides the look of a piece."""
    return next((word for word in KINDS if word in piece.tags), "")


def rule_words(piece: Terrain) -> str:
    """Return the rules that apply to a piece, in words with rule ids.

    Examples
    --------
    >>> from sbg_sim.table.terrain import Terrain
    >>> rule_words(Terrain("bog", tags=frozenset({"difficult"})))
    'every inch counts twice (TER.2)'

    """
    said = [_SAID[tag].format(to=piece.to) for tag in KINDS if tag in piece.tags and tag in _SAID]
    if "obstacle" in piece.tags and "unscalable" not in piece.tags:
        said.append(
            "free below half a model's height (TER.3), a Jump test up to all of it (TER.4), else a climb (CLB.1)"
        )
    if piece.lets_through:
        said.append(f"lets {', '.join(sorted(piece.lets_through))} through")
    return "; ".join(said)


def _model(table: Table, m: Model, look: int, *, enemies: bool) -> dict[str, Any]:
    return {
        "id": m.id,
        "x": m.at[0],
        "y": m.at[1],
        "r": m.radius,
        "height": m.height,
        "move": m.move,
        "side": m.side,
        "look": look,
        "zone": bool(m.has_zone and m.side and enemies),
        "keywords": sorted(m.keywords),
        "prone": m.prone,
        "engaged": sorted(m.engaged),
        "moved": m.moved,
        "held": not m.may_move,
        "on": m.on,
        "climbed": m.climbed,
        "off": m.id in table.off,
    }


def _pieces(table: Table) -> list[dict[str, Any]]:
    ordered = sorted(table.terrain.values(), key=_order)
    shapes = [piece.shape for piece in ordered]
    return [_piece(piece, [s for s in shapes[n + 1 :] if s is not None]) for n, piece in enumerate(ordered)]


def _piece(p: Terrain, over: Sequence[Shape]) -> dict[str, Any]:
    spots = [p.at] if p.shape is None else label_spots(p.shape, over)
    return {
        "id": p.id,
        "kind": kind(p),
        "tags": sorted(p.tags),
        "d": "" if p.shape is None else shape_path(p.shape),
        "label": spots[0],
        "labels": spots,
        "strips": [] if p.shape is None else strips(p.shape),
        "height": p.height,
        "depth": p.depth,
        "at": p.at,
        "to": p.to,
        "on": p.on,
        "lets_through": sorted(p.lets_through),
        "rules": rule_words(p),
        "line": p.shape is not None and p.shape.kind == "line",
    }


def _order(piece: Terrain) -> tuple[bool, bool, float, bool]:
    """Return the sort key for drawing: pieces on others late, flat ground first, taller tops after lower ones."""
    stands = bool(piece.tags & {"obstacle", "unscalable", "platform"})
    return piece.on is not None, "ladder" in piece.tags, piece.top if stands else -1.0, "platform" not in piece.tags
