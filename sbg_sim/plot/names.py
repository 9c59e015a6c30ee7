"""The names of models and terrain: beside them or, where it is crowded, as numbers in the bases with a key."""

from __future__ import annotations

import math
import re
import string
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely

from sbg_sim.errors import plain
from sbg_sim.plot import palette
from sbg_sim.plot.canvas import HARD, SIDE, Box, miniature, sheet
from sbg_sim.plot.fonts import scaled, text_width
from sbg_sim.plot.labels import RINGS, extent, fits, from_afar, in_view, leads_over, per_point, place, put
from sbg_sim.plot.terrain import (
    NAMES,
    TERRAIN_SIZES,
    Rims,
    keep_names_off,
    label_piece,
    middle_in_view,
    piece_in_view,
    piece_middle,
    piece_text,
)
from sbg_sim.plot.words import inches_text
from sbg_sim.wording import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.text import Text

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.plot.spots import Spot
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain

_TAIL: Final = re.compile(r"\d+$")
_NEAR: Final = (0.0, 8.0, 18.0)  # points: a name further from its base is not read as the base's
_SHARE: Final = 0.5  # share of the gap to its own base: a name keeps at least this far from others
_FEW: Final = 12  # rows of a key beyond which runs share a row
_ALIKE: Final = 6  # rows of a key beyond which models of one kind, numbered as in their names, share a row
_MANY: Final = 40  # runs of numbers beyond which a key does not list them, if it can do without
_SPARED: Final = 0.2  # share of models that may be numbered before all are
_COVERED: Final = 0.25  # share of a view that names may cover before all are numbers
_MOST: Final = 240  # models in view beyond which none is named
_RIM: Final = 1.8  # points: the greatest width of the rim of a base
_RIM_SHARE: Final = 0.1  # and as a share of the base's width, if that is less
_SIDES: Final = 4  # sides whose bases look different
_NUMBERED: Final = 60  # models in view beyond which nearly always all are numbered
_AMPLE: Final = 1.01  # a little more room, so that a number fits for certain
_TOLD_BY_PLACE: Final = 3  # pieces listed in the key by their places: more would take too much room
_LARGEST: Final = 11.0  # longest side of a view on paper, inches
_ON_PAPER: Final = {"boxstyle": "square,pad=0.05", "facecolor": palette.PAPER, "edgecolor": "none"}
NAME_SIZE: Final = 7.5
"""Points of a model's name."""

_DIGIT: Final = 0.73  # height of a digit, as a share of the size of type
_SMALL: Final = (7.0, 6.0, 5.0, 4.2)  # points: sizes of numbers in bases; the largest that fits is used
_LEGIBLE: Final = 6.0  # points: with smaller numbers in bases a picture must be as wide as possible


def draw_names(ax: Axes, table: Table) -> list[Artist]:
    """Write the name and state of every model in view, and the name and height of every piece of terrain.

    If names cannot stand beside their bases without covering something, numbers stand in the bases, explained by a key.
    Models are named first; terrain gets the room that is left. A miniature has no room for a key, and names without
    room are left out.
    """
    models = [m for m in table.standing() if in_view(ax, m.at)]
    sheet(ax).key, sheet(ax).cramped = [], False
    drawn: list[Artist] = []
    if len(models) <= _MOST:
        drawn += _models(ax, models) + _without_zones(ax, models)
    pieces = [piece for piece in table.terrain.values() if piece_in_view(ax, piece)]
    keep_names_off(ax, pieces[:_MOST])
    rims = Rims(table, pieces)
    named = [] if sheet(ax).bare else [(piece, label_piece(ax, piece, rims)) for piece in pieces[:_MOST]]
    drawn += [written for _, written in named if written is not None]
    letters = list(reversed(string.ascii_lowercase))
    left: list[tuple[str, str, str]] = []
    for piece in (piece for piece, written in named if written is None and not miniature(ax)):
        drawn += _crowded_out(ax, piece, letters, left)
    sheet(ax).key += left if len(left) <= _TOLD_BY_PLACE else [(str(len(left)), "pieces have no room for a name", "")]
    return drawn


def _crowded_out(ax: Axes, piece: Terrain, letters: list[str], left: list[tuple[str, str, str]]) -> list[Artist]:
    """Name a piece that has no room near it: further off, or by a letter of the key; else add it to `left`."""
    middle, size = middle_in_view(ax, piece), TERRAIN_SIZES[-1]
    if middle is None:
        return []
    text = piece_text(piece)
    spot = from_afar(ax, middle, text, size)
    if spot is None and letters:
        letter, size = letters[-1], TERRAIN_SIZES[0]
        within = place(ax, middle, letter, size=size, inside=True, rings=())
        spot = within if within.free else from_afar(ax, middle, letter, size)
        if spot is not None:
            sheet(ax).key.append((letters.pop(), text, ""))
            text = letter
    if spot is None:
        x, y = piece_middle(piece) if in_view(ax, piece_middle(piece)) else middle
        left.append((f"at ({x:.1f}, {y:.1f})", text, ""))
        return []
    return [put(ax, middle, text, spot, clear=0.0, size=size, style="italic", owner=NAMES, gid=f"name-{piece.id}")]


def _without_zones(ax: Axes, models: Sequence[Model]) -> list[Artist]:
    """Write beside prone models with a dotted ring why they have no Control Zone (CZ.2); engaged ones have marks."""
    ringed = {patch.get_gid() for patch in ax.patches}
    drawn: list[Artist] = []
    for model in models:
        if model.prone and f"no-zone-{model.id}" in ringed:
            words = f"{model.id} has no zone: {listed(['prone'] + ['engaged'] * bool(model.engaged))}"
            clear = model.radius + 0.08
            spot = place(ax, model.at, words, clear=clear, size=7.0, rings=(0.0, 8.0))
            if spot.free:  # else the dotted ring and the legend say it
                drawn.append(put(ax, model.at, words, spot, clear=clear, size=7.0, colour="#5A5A5A", owner=NAMES))
    return drawn


def side_on_paper(models: Sequence[Model], view: Box) -> float:
    """Return the longest side of a view on paper, inches: for a crowd so that a number fits in the smallest base."""
    shown = [m for m in models if view[0] <= m.at[0] <= view[2] and view[1] <= m.at[1] <= view[3]]
    if not _NUMBERED < len(shown) <= _MOST:
        return SIDE
    wide, tall = text_width("0" * len(str(len(shown))), scaled(_SMALL[-1])), _DIGIT * scaled(_SMALL[-1])
    room = (1 - _RIM_SHARE) * 2 * min(m.radius for m in shown)
    longest = max(view[2] - view[0], view[3] - view[1])
    return min(_LARGEST, max(SIDE, longest * _AMPLE * math.hypot(wide, tall) / 72 / room))


def rim_width(ax: Axes, radius: float) -> float:
    """Return the width of the rim of a base of some radius (inches), points: a number must fit inside it."""
    return min(_RIM, _RIM_SHARE * 2 * radius / per_point(ax)[0])


def _models(ax: Axes, models: Sequence[Model]) -> list[Artist]:
    drawn: list[Artist] = []
    left: list[Model] = []
    kept = len(sheet(ax).boxes)
    for model in sorted(models, key=lambda m: _neighbours(m, models)):
        written = _beside(ax, model, models)
        if written is None:
            left.append(model)
        else:
            drawn.append(written)
    if len(left) > max(1, _SPARED * len(models)) or _too_many(ax, models):  # too crowded for names
        for artist in drawn:
            artist.remove()
        sheet(ax).boxes = sheet(ax).boxes[:kept]
        for line in sheet(ax).leads.pop(NAMES, ()):
            line.remove()
        drawn, left = [], list(models)
    numbers = [] if miniature(ax) else numbered(left)
    longest = max((str(number) for _, number in numbers), key=len, default="")
    drawn += [_number(ax, model, number, models, longest) for model, number in numbers]
    sheet(ax).key = key_of(numbers)
    return drawn


def _too_many(ax: Axes, models: Sequence[Model]) -> bool:
    """Say whether names would cover too much of a view."""
    sizes = [extent(ax, model_text(model), NAME_SIZE) for model in models]
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    return sum(wide * high for wide, high in sizes) > _COVERED * abs((x1 - x0) * (y1 - y0))


def parted(name: str) -> tuple[str, int]:
    """Return a name without the number at its end, and the number, or -1 if there is none."""
    found = _TAIL.search(name)
    return (name, -1) if found is None else (name[: found.start()], int(found[0]))


def numbered(models: Sequence[Model]) -> list[tuple[Model, int]]:
    """Number models: as in their names if that tells those of each side apart, else from 1, kind by kind.

    In the first case models without a number in their name get numbers beyond all others.
    """
    tails = [(model.side, parted(model.id)[1]) for model in models if parted(model.id)[1] >= 0]
    if 2 * len(tails) > len(models) and len(set(tails)) == len(tails) and len({m.side for m in models}) <= _SIDES:
        beyond = max(number for _, number in tails)
        others = [model for model in models if parted(model.id)[1] < 0]
        rows = [(model, parted(model.id)[1]) for model in models if model not in others]
        rows += [(model, beyond + n) for n, model in enumerate(others, 1)]
        return sorted(rows, key=lambda row: row[1])
    kinds = list(dict.fromkeys(parted(model.id)[0] for model in models))
    ordered = sorted(models, key=lambda m: (kinds.index(parted(m.id)[0]), parted(m.id)[1]))
    return [(model, number) for number, model in enumerate(ordered, 1)]


def key_of(numbers: Sequence[tuple[Model, int]]) -> list[tuple[str, str, str]]:
    """Return the rows of a key: a row for each number, or for each run of three or more of one kind at an even step.

    Models numbered as in their names share one row for each kind; it leaves out very many numbers if there is no other
    kind, or none on their side. A row is the numbers, the names and, if sides share numbers or tell kinds apart, the
    side.
    """
    shared = len({number for _, number in numbers}) < len(numbers)
    kinds: dict[tuple[str, str, str], list[tuple[int, Model]]] = {}
    for model, number in numbers:
        state = model_text(model).removeprefix(plain(model.id)).replace("\n", " ")
        kinds.setdefault((parted(model.id)[0], state, model.side if shared else ""), []).append((number, model))
    rows: list[tuple[int, str, str, str]] = []
    held = {(model.side, kind) for kind, members in kinds.items() for _, model in members}
    told_by_side = len(kinds) == 1 or len({side for side, _ in held}) == len(held)  # the look of a base tells the kind
    alike = len(numbers) > _ALIKE and all(number == parted(model.id)[1] for model, number in numbers)
    for (stem, state, side), members in kinds.items():
        if alike and 1 < len(members) <= members[-1][0] - members[0][0]:  # numbers with gaps
            told, whose = _listed([number for number, _ in members]), side
            if told_by_side and told.count(",") > _MANY:
                told, whose = "with the number in the base", members[0][1].side if len(kinds) > 1 else ""
            rows.append((members[0][0], f"{stem}…{state}", told, whose))
            continue
        for run in _runs(members):
            (first, one), (last, other) = run[0], run[-1]
            if len(run) < 3 or len(numbers) <= _FEW:
                rows += [(n, str(n), m.id + state, side) for n, m in run]
                continue
            step = run[1][0] - first
            told = f"{first}–{last}" if step == 1 else f"{first}, {first + step}, … {last}"
            rows.append((first, told, f"{one.id} to {other.id}{state}", side))
    return [(told, words, side) for _, told, words, side in sorted(rows)]


def _listed(numbers: Sequence[int]) -> str:
    """Write rising numbers, runs of them by first and last: 1, 3–5, 8."""
    rows: list[list[int]] = []
    for number in numbers:
        if not rows or number != rows[-1][-1] + 1:
            rows.append([])
        rows[-1].append(number)
    return ", ".join(f"{row[0]}–{row[-1]}" if len(row) > 2 else ", ".join(map(str, row)) for row in rows)


def _runs(members: Sequence[tuple[int, Model]]) -> list[list[tuple[int, Model]]]:
    """Divide numbered models of one kind into runs in which numbers, and those in the names, rise by the same step."""
    runs: list[list[tuple[int, Model]]] = []
    before: tuple[int, int] | None = None
    for number, model in members:
        step = None
        if runs:
            last, other = runs[-1][-1]
            step = number - last, parted(model.id)[1] - parted(other.id)[1]
        if step is None or step[0] != step[1] or (len(runs[-1]) > 1 and step != before):
            runs.append([])
        runs[-1].append((number, model))
        before = step
    return runs


def _neighbours(model: Model, models: Sequence[Model]) -> int:
    (x, y), near = model.at, 3.0
    return -sum(abs(m.at[0] - x) < near and abs(m.at[1] - y) < near for m in models)


def _beside(ax: Axes, model: Model, models: Sequence[Model]) -> Text | None:
    text, size = model_text(model), NAME_SIZE
    gid = f"name-{model.id}"
    room = 1.9 * model.radius, model.radius
    if not model.prone and fits(ax, text, size, room) and _seen(ax, model.at, room) and not _crossed(ax, model):
        return _within(ax, model, text, size, gid)
    return _led(ax, model, models, text, size, _NEAR)


def _led(
    ax: Axes, model: Model, models: Sequence[Model], text: str, size: float, rings: Sequence[float]
) -> Text | None:
    """Write beside a base and its ring; None if the place is not free or the leader line would cross something."""
    others = [(*m.at, m.radius) for m in models if m is not model]
    clear = sheet(ax).ringed.get(model.id, model.radius)
    spot = place(ax, model.at, text, clear=clear, size=size, rings=rings, others=others, share=_SHARE)
    if not spot.free or any(_led_over(m, model.at, spot) for m in models if m is not model):
        return None
    if spot.led and leads_over(ax, model.at, np.array([spot.box]))[0]:
        return None
    return put(ax, model.at, text, spot, clear=model.radius, size=size, owner=NAMES, gid=f"name-{model.id}")


def _led_over(other: Model, start: Point, spot: Spot) -> bool:
    """Say whether the leader line of a name would run over another base."""
    return (
        spot.led and shapely.LineString([start, spot.nearest(start)]).distance(shapely.Point(other.at)) < other.radius
    )


def _seen(ax: Axes, at: Point, room: tuple[float, float]) -> bool:
    """Say whether a rectangle about a place is wholly in view."""
    spans = zip(at, room, (ax.get_xlim(), ax.get_ylim()), strict=True)
    return all(min(ends) <= mid - size / 2 and mid + size / 2 <= max(ends) for mid, size, ends in spans)


def _crossed(ax: Axes, model: Model) -> bool:
    """Say whether something other than a ring round it is drawn over the middle of a base."""
    boxes, weights = sheet(ax).rows()
    (x, y), r = model.at, model.radius
    meets = (boxes[:, :2] < (x + r / 2, y + r / 2)).all(axis=1) & (boxes[:, 2:] > (x - r / 2, y - r / 2)).all(axis=1)
    ring = (boxes[:, :2] < (x - r, y - r)).all(axis=1) & (boxes[:, 2:] > (x + r, y + r)).all(axis=1) & (weights < HARD)
    return int((meets & ~ring).sum()) > 1  # the base itself is one


def _within(ax: Axes, model: Model, text: str, size: float, gid: str) -> Text:
    style: dict[str, Any] = {"ha": "center", "va": "center", "color": palette.INK, "clip_on": True, "linespacing": 1.1}
    if model.prone or _crossed(ax, model):  # over the bar of a prone model, or over a cross
        style["bbox"] = _ON_PAPER
    return ax.text(*model.at, text, fontsize=scaled(size), zorder=palette.LAYER["label"], gid=gid, **style)


def over_a_bar(ax: Axes, model: Model) -> None:
    """Put a name in a base on a pale ground, so that it can be read over the bar while the model is prone."""
    for text in ax.texts:
        if text.get_gid() == f"name-{model.id}" and text.get_position() == model.at:
            text.set_bbox(_ON_PAPER)


def _number(ax: Axes, model: Model, number: int, models: Sequence[Model], longest: str) -> Text:
    """Write a number within the rim of a base, at a size that fits the longest; beside the base if none does."""
    step = per_point(ax)[0]
    room = 2 * model.radius - rim_width(ax, model.radius) * step

    def fits_in(size: float) -> bool:
        wide = text_width("0" * len(longest), scaled(size))
        return math.hypot(wide, _DIGIT * scaled(size)) * step <= room

    size = next((size for size in _SMALL if fits_in(size)), _SMALL[-1])
    sheet(ax).cramped |= size < _LEGIBLE
    if not fits_in(size) and (written := _led(ax, model, models, str(number), _SMALL[1], RINGS)) is not None:
        return written  # on a large table a base is smaller than any number
    return _within(ax, model, str(number), size, f"name-{model.id}")


def model_text(model: Model) -> str:
    """Return a model's label: its name and state."""
    notes = ["prone"] * model.prone + [f"on {model.on}"] * (model.on is not None)
    notes += [f"climbed {inches_text(model.climbed)}"] * (model.climbed > 0)
    notes += ["moved"] * model.moved + ["held"] * (not model.may_move)
    return plain(model.id) + (f"\n({', '.join(notes)})" if notes else "")
