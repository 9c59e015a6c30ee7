"""Labels that find a free place near the thing they name: on no base or label, with a leader line if they stand off."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely
from matplotlib.lines import Line2D

from sbg_sim.arrays import point
from sbg_sim.plot import palette
from sbg_sim.plot.canvas import HARD, Box, Note, miniature, sheet
from sbg_sim.plot.fonts import scaled, text_width
from sbg_sim.plot.spots import LED, Spot, end_of_lead

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.text import Text

    from sbg_sim.arrays import Bools, Floats
    from sbg_sim.geometry.shapes import Point

_WAYS: Final = tuple(
    (math.cos(a), math.sin(a)) for a in (math.radians(d) for d in (-90, 90, 0, 180, -45, 45, -135, 135))
)
_BETWEEN: Final = tuple((math.cos(a), math.sin(a)) for a in (math.radians(d + 22.5) for d in range(0, 360, 45)))
WAYS_ROUND: Final = np.array([(math.cos(a), math.sin(a)) for a in np.linspace(0, math.tau, 33).tolist()])
_PADDING: Final = 1.5  # points of white around a label
RINGS: Final = (0.0, 8.0, 18.0, 30.0, 44.0, 60.0)  # points further out, for when the near places are taken
_AFAR: Final = (8.0, 72.0, 3.0)  # points: begin, end and step of distances further out, for when all those are taken
_SAME: Final = 0.01  # share by which the scale may change before labels are placed anew
_LABEL: Final = HARD + 1  # the weight of a label, which no leader line of another may cross
_ALONG: Final = 3.0  # points: length of the boxes along a leader line
_LINE: Final = 40.0  # the weight of a leader line for other labels
_THIN, _CASED = 0.7, 2.0  # points: width of a leader line, and of the pale line under it
_OVER: Final = 4.0  # cost of a leader line over a base or a mark; over a label half of that more
_MEETS: Final = 200.0  # cost of meeting a base or a label: it outweighs all others


def label(
    ax: Axes,
    xy: Point,
    text: str,
    *,
    clear: float = 0.0,
    inside: bool = False,
    size: float = 7.5,
    colour: str = palette.INK,
    owner: str = "",
    more: Iterable[Point] = (),
    others: Sequence[tuple[float, float, float]] = (),
    costly: Callable[[Floats], Floats] | None = None,
    rings: Sequence[float] = RINGS,
    air: float = 0.0,
    spare: bool = False,
    **style: Any,
) -> Text:
    """Write a label beside a point where it covers the least; in a miniature only where its place is free.

    Parameters
    ----------
    xy
        The point that it names, inches.
    clear
        Least distance from the point, inches (such as the radius of a base).
    inside
        Whether it may lie on the point itself (the middle of a piece of terrain).
    size
        Size of the font, points.
    owner
        Owner of the label, for `forget`.
    more
        Further places for the middle of the text.
    others
        Circles ``(x, y, radius)``, inches, that it would seem to name if it stood nearer to them than to the point.
    costly, rings, air
        Further costs of boxes, distances from the point, and space round the label, as in `place`.
    spare
        Whether it is left out, as in a miniature, where it or its leader line would cover a base or a label.

    """
    weight = str(style.get("fontweight", "normal"))
    how: dict[str, Any] = {"inside": inside, "more": tuple(more), "weight": weight, "others": others, "costly": costly}
    how |= {"rings": rings, "air": air}
    found = place(ax, xy, text, clear=clear, size=size, **how)
    owner = owner or f"label {len(sheet(ax).notes)}"
    written = put(ax, xy, text, found, clear=clear, size=size, colour=colour, owner=owner, **style)
    note = Note(written, xy, owner, {"clear": clear, "size": size, **how}, per_point(ax), spare=spare)
    sheet(ax).notes.append(note)
    _keep(ax, note, found)
    return written


def _keep(ax: Axes, note: Note, spot: Spot) -> None:
    """Show a label that was written or moved, or hide it if its place is not free and it may be left out."""
    shown = (spot.free and (spot.bare or not note.spare)) or not (note.spare or miniature(ax))
    note.text.set_visible(shown)
    if not shown:
        forget(ax, note.owner)


def settle(ax: Axes) -> None:
    """Place labels anew that were written at another scale of the Axes."""
    scale, kept = per_point(ax), sheet(ax)
    kept.notes = [note for note in kept.notes if note.text.axes is not None]  # a user may have removed one
    moved = [note for note in kept.notes if not np.allclose(note.scale, scale, rtol=_SAME)]
    for note in moved:
        forget(ax, note.owner)
    for note in moved:
        text = note.text
        spot = place(ax, note.xy, text.get_text(), **note.how)
        text.set_position(spot.at)
        how: dict[str, Any] = {"clear": note.how["clear"], "colour": text.get_color(), "owner": note.owner}
        _claim(ax, note.xy, spot, text.get_text(), **how)
        note.scale = scale
        _keep(ax, note, spot)


def place(
    ax: Axes,
    xy: Point,
    text: str,
    *,
    clear: float = 0.0,
    inside: bool = False,
    size: float = 7.5,
    more: Iterable[Point] = (),
    rings: Sequence[float] = RINGS,
    weight: str = "normal",
    others: Sequence[tuple[float, float, float]] = (),
    share: float = 1.0,
    costly: Callable[[Floats], Floats] | None = None,
    air: float = 0.0,
) -> Spot:
    """Find the best place for a label; a point out of view keeps its label at the point itself.

    No place is free whose distance to one of ``others`` (circles) is less than a ``share`` of that to the point: it
    would seem to name the circle. ``costly`` returns further costs of boxes ``(n, 4)``, inches, in units of a box's
    area; a box of infinite cost is not free. ``air`` is the space kept round the label, ``rings`` are the distances
    tried, both in points; without rings only the places ``more`` are tried. The other parameters are those of `label`.
    """
    width, height = np.array(extent(ax, text, size, weight)) + 2 * air * np.array(per_point(ax))
    if not in_view(ax, xy):
        box = (xy[0] - width / 2, xy[1] - height / 2, xy[0] + width / 2, xy[1] + height / 2)
        return Spot(xy, box, 0.0, free=False)
    step = per_point(ax)
    spots: list[tuple[float, float, float]] = [(*xy, 0.0)] if inside else []
    spots += [(x, y, 0.0) for x, y in more]
    for out in rings:
        for cos, sin in _WAYS if out < LED else _WAYS + _BETWEEN:
            reach_x = (clear + out * step[0]) * cos + math.copysign(width / 2, cos) * min(1.0, 2 * abs(cos)) * (
                abs(cos) > 0.1
            )
            reach_y = (clear + out * step[1]) * sin + math.copysign(height / 2, sin) * min(1.0, 2 * abs(sin)) * (
                abs(sin) > 0.1
            )
            spots.append((xy[0] + reach_x, xy[1] + reach_y, out))
    middles = np.array(spots)
    half = np.array([width / 2, height / 2])
    boxes = np.hstack([middles[:, :2] - half, middles[:, :2] + half])
    costs, met = _costs(ax, boxes)
    met = met | on_leads(ax, boxes)
    costs = costs / (width * height) + 0.02 * np.arange(len(spots)) + 0.02 * middles[:, 2]
    if costly is not None:
        costs = costs + costly(boxes)
        met = met | np.isinf(costs)
    if len(others):  # a label nearer to another thing would seem to name that
        circles = np.array(others)
        beside = (_apart(boxes, circles[:, :2]) - circles[:, 2]).min(axis=1)
        met = met | (beside < share * (_apart(boxes, np.array([xy]))[:, 0] - clear))
    led = middles[:, 2] >= LED
    over = led & leads_over(ax, xy, boxes, HARD)
    costs = costs + _OVER * (over + 0.5 * (led & leads_over(ax, xy, boxes)))
    best = int(np.argmin(costs + 1e6 * met))  # a place that meets nothing, however far, is better than one that does
    x, y, out = spots[best]
    return Spot((x, y), tuple(boxes[best].tolist()), out, free=not met[best], bare=not over[best])


def from_afar(ax: Axes, xy: Point, text: str, size: float, weight: str = "normal") -> Spot | None:
    """Find the nearest free place for a label with a leader line that crosses nothing; None if there is none.

    For labels without a free place near: more places, further off, are tried than by `place`.
    """
    half, step = np.array(extent(ax, text, size, weight)) / 2, np.array(per_point(ax))
    out = np.repeat(np.arange(*_AFAR), len(WAYS_ROUND) - 1)
    ways = np.tile(WAYS_ROUND[1:], (len(out) // (len(WAYS_ROUND) - 1), 1))
    middles = np.array(xy) + ways * (out[:, None] * step + half)
    boxes = np.hstack([middles - half, middles + half])
    free = np.flatnonzero(~_costs(ax, boxes)[1])
    bare = free[~leads_over(ax, xy, boxes[free], HARD)] if len(free) else free
    if not len(bare):
        return None
    first = bare[0]
    return Spot(point(middles[first]), tuple(boxes[first].tolist()), float(out[first]), free=True)


def put(
    ax: Axes,
    xy: Point,
    text: str,
    spot: Spot,
    *,
    clear: float,
    size: float,
    colour: str = palette.INK,
    owner: str = "",
    **style: Any,
) -> Text:
    """Write a label at a place found for it, with a leader line if it stands off."""
    style.setdefault("zorder", palette.LAYER["label"])
    box = {"boxstyle": "square,pad=0.1", "facecolor": palette.PAPER, "edgecolor": "none", "alpha": 0.82}
    written = ax.text(
        *spot.at,
        text,
        fontsize=scaled(size),
        color=colour,
        ha="center",
        va="center",
        clip_on=True,
        linespacing=1.1,
        bbox=box,
        **style,
    )
    _claim(ax, xy, spot, text, clear=clear, colour=colour, owner=owner)
    return written


def _claim(ax: Axes, xy: Point, spot: Spot, text: str, *, clear: float, colour: Any, owner: str) -> None:
    """Reserve the place of a label, and draw and reserve its leader line if it stands off."""
    sheet(ax).boxes.append((spot.box, _LABEL, owner))
    if spot.led:
        lead = _lead(ax, xy, end_of_lead(spot, text, xy), clear, colour)
        sheet(ax).leads.setdefault(owner, []).extend(lead)
        ends, step = np.asarray(lead[0].get_xydata(), dtype=float), np.array(per_point(ax))
        count = max(2, math.ceil(float(np.linalg.norm((ends[1] - ends[0]) / step)) / _ALONG))
        for at in np.linspace(ends[0], ends[1], 2 * count + 1)[1::2]:
            low, high = at - step * _ALONG / 2, at + step * _ALONG / 2
            sheet(ax).boxes.append(((*low.tolist(), *high.tolist()), _LINE, owner))


def leads_over(ax: Axes, xy: Point, boxes: Floats, weight: float = _LABEL) -> Bools:
    """Say which lines from a place to boxes ``(n, 4)``, inches, cross something of a weight or more: ``(n,)``."""
    kept, weights = sheet(ax).rows()
    low, high = np.minimum(boxes[:, :2].min(axis=0), xy), np.maximum(boxes[:, 2:].max(axis=0), xy)
    near = (weights >= weight) & (kept[:, :2] < high).all(axis=1) & (kept[:, 2:] > low).all(axis=1)
    near &= (kept[:, :2] > xy).any(axis=1) | (kept[:, 2:] < xy).any(axis=1)
    ends = np.clip(np.array(xy), boxes[:, :2], boxes[:, 2:])
    lines = shapely.linestrings(np.stack([np.broadcast_to(xy, ends.shape), ends], axis=1))
    return np.asarray(shapely.intersects(lines[:, None], shapely.box(*kept[near].T)).any(axis=1))


def on_leads(ax: Axes, boxes: Floats) -> Bools:
    """Say which boxes ``(n, 4)``, inches, lie on leader lines: ``(n,)``."""
    kept, weights = sheet(ax).rows()
    return np.asarray((_overlaps(boxes, kept[weights == _LINE]) > 0).any(axis=1))


def _lead(ax: Axes, xy: Point, end: Point, clear: float, colour: Any) -> list[Line2D]:
    """Draw a leader line from the edge of the named thing to its label, over a pale line to show on any shade."""
    x, y = end
    far = max(math.hypot(x - xy[0], y - xy[1]), 1e-9)
    part = min(1.0, clear / far)
    start = (xy[0] + (x - xy[0]) * part, xy[1] + (y - xy[1]) * part)
    drawn: list[Line2D] = []
    for gid, hue, broad in (("leader", colour, _THIN), ("round-leader", palette.PAPER, _CASED)):
        layer = palette.LAYER["label"] - broad / 10
        line = Line2D([start[0], x], [start[1], y], color=hue, linewidth=broad, zorder=layer, gid=gid)
        drawn.append(ax.add_line(line))
    return drawn


def forget(ax: Axes, owner: str) -> None:
    """Free the places reserved for an owner's labels, and remove their leader lines."""
    kept = sheet(ax)
    kept.boxes = [entry for entry in kept.boxes if entry[2] != owner]
    for line in kept.leads.pop(owner, ()):
        line.remove()


def keep_clear(ax: Axes, box: Box, weight: float = 1.0) -> None:
    """Keep labels off an area, the more the greater its weight; from `HARD` on, whatever else they cover."""
    sheet(ax).boxes.append((box, weight, ""))


def keep_clear_of_mark(ax: Axes, xy: Point, points: float) -> None:
    """Let no label cover a mark ``points`` points wide."""
    x, y = per_point(ax)
    x, y = x * points / 2, y * points / 2
    keep_clear(ax, (xy[0] - x, xy[1] - y, xy[0] + x, xy[1] + y), HARD)


def keep_off_line(ax: Axes, points: Iterable[Point], half: float = 0.06, weight: float = 1.5) -> None:
    """Keep labels off a polyline, sampled every fifth of an inch."""
    for box in boxes_along(points, half):
        keep_clear(ax, box, weight * 4)


def boxes_along(points: Iterable[Point], half: float) -> list[Box]:
    """Return boxes along a polyline, every fifth of an inch, reaching ``half`` inches to either side."""
    boxes: list[Box] = []
    for (ax, ay), (bx, by) in itertools.pairwise(points):
        count = max(1, math.ceil(math.hypot(bx - ax, by - ay) / 0.2))
        for i in range(count):
            x, y = ax + (bx - ax) * (i + 0.5) / count, ay + (by - ay) * (i + 0.5) / count
            boxes.append((x - half, y - half, x + half, y + half))
    return boxes


def keep_off_rim(ax: Axes, xy: Point, radius: float) -> None:
    """Keep labels off the rim of a base drawn as an outline."""
    keep_off_line(ax, [(xy[0] + radius * cos, xy[1] + radius * sin) for cos, sin in WAYS_ROUND], 0.04)


def in_view(ax: Axes, xy: Point) -> bool:
    """Say whether a point is in view."""
    return all(min(ends) <= at <= max(ends) for at, ends in zip(xy, (ax.get_xlim(), ax.get_ylim()), strict=True))


def meets(ax: Axes, room: shapely.Geometry, weight: float = HARD) -> bool:
    """Say whether a text's room leaves the view, or meets something of at least some weight: a base, a label, a way."""
    (x0, x1), (y0, y1) = sorted(ax.get_xlim()), sorted(ax.get_ylim())
    kept, weights = sheet(ax).rows()
    return not shapely.covers(shapely.box(x0, y0, x1, y1), room) or bool(
        shapely.intersects(room, shapely.box(*kept[weights >= weight].T)).any()
    )


def fits(ax: Axes, text: str, size: float, room: tuple[float, float]) -> bool:
    """Say whether a text fits in a room ``(width, height)`` in data units."""
    width, height = extent(ax, text, size)
    return width <= room[0] and height <= room[1]


def extent(ax: Axes, text: str, size: float, weight: str = "normal") -> tuple[float, float]:
    """Return the width and height of a text with its padding, in data units."""
    lines = text.split("\n")
    width = max(text_width(line, scaled(size), weight) for line in lines)
    height = scaled(size) * 1.2 * len(lines)
    x, y = per_point(ax)
    return (width + 2 * _PADDING) * x, (height + 2 * _PADDING) * y


def per_point(ax: Axes) -> tuple[float, float]:
    """Return data units per typographic point along x and y."""
    return sheet(ax).scale(ax)


def _costs(ax: Axes, boxes: Floats) -> tuple[Floats, Bools]:
    """Return the costs of boxes, for what they cover and for leaving the view, and which of them meet something."""
    (x0, x1), (y0, y1) = sorted(ax.get_xlim()), sorted(ax.get_ylim())
    area = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)
    seen = _overlaps(boxes, np.array([[x0, y0, x1, y1]]))[:, 0]
    outside = seen < area * (1 - 1e-9)
    total = _MEETS * (area - seen)
    met = outside
    kept, weights = sheet(ax).rows()
    if len(kept):
        low, high = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
        near = (kept[:, 0] < high[0]) & (kept[:, 2] > low[0]) & (kept[:, 1] < high[1]) & (kept[:, 3] > low[1])
        over = _overlaps(boxes, kept[near])
        hard = weights[near] >= HARD
        total = total + over @ np.where(hard, _MEETS, weights[near])
        met = met | (over[:, hard] > 1e-9).any(axis=1)
        total = total + (over[:, hard] > 1e-9).sum(axis=1) * area
    return total, met


def _apart(boxes: Floats, points: Floats) -> Floats:
    """Return the distances of points from boxes, a row per box."""
    low, high = boxes[:, None, :2] - points, points - boxes[:, None, 2:]
    return np.asarray(np.hypot(*np.moveaxis(np.maximum(0.0, np.maximum(low, high)), -1, 0)))


def _overlaps(one: Floats, two: Floats) -> Floats:
    wide = np.minimum(one[:, None, 2], two[None, :, 2]) - np.maximum(one[:, None, 0], two[None, :, 0])
    high = np.minimum(one[:, None, 3], two[None, :, 3]) - np.maximum(one[:, None, 1], two[None, :, 1])
    return np.asarray(np.clip(wide, 0, None) * np.clip(high, 0, None))
