"""Text that finds a free place near what it names."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any, Final

from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextToPath

from sbg_sim.plot import palette
from sbg_sim.plot.canvas import Box, sheet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes
    from matplotlib.text import Text

    from sbg_sim.geometry.shapes import Point

_MEASURE: Final = TextToPath()
_WAYS: Final = tuple(
    (math.cos(a), math.sin(a)) for a in (math.radians(d) for d in (-90, 90, 0, 180, -45, 45, -135, 135))
)
_PADDING: Final = 1.5  # points of white around a label
_RINGS: Final = (0.0, 9.0, 20.0)  # points further out, when the near places are taken


def label(
    ax: Axes,
    xy: Point,
    text: str,
    *,
    clear: float = 0.0,
    inside: bool = False,
    size: float = 7.0,
    colour: str = palette.INK,
    owner: str = "",
    more: Iterable[Point] = (),
    **style: Any,
) -> Text:
    """Write a label beside a point where it covers the least of what is there.

    Parameters
    ----------
    xy
        What it names, inches.
    clear
        How far from the point it has to stay, inches (the radius of a base).
    inside
        Whether it may lie on the point itself (the middle of a piece of terrain).
    size
        Of the font, points.
    owner
        Whose label it is, for `forget`.
    more
        Further places for the middle of the text.

    """
    width, height = _extent(ax, text, size)
    spots = [*([xy] if inside else []), *more]
    step = _per_point(ax)
    for out in _RINGS:
        for cos, sin in _WAYS:
            reach_x = (clear + out * step[0]) * cos + math.copysign(width / 2, cos) * (abs(cos) > 0.1)
            reach_y = (clear + out * step[1]) * sin + math.copysign(height / 2, sin) * (abs(sin) > 0.1)
            spots.append((xy[0] + reach_x, xy[1] + reach_y))
    boxes = [(x - width / 2, y - height / 2, x + width / 2, y + height / 2) for x, y in spots]
    near = _near(ax, xy, max(width, height) + clear + _RINGS[-1] * max(step))
    costs = [_cost(ax, box, near) + 0.02 * i * width * height for i, box in enumerate(boxes)]
    best = min(range(len(spots)), key=costs.__getitem__)
    sheet(ax).boxes.append((boxes[best], 3.0, owner))
    style.setdefault("zorder", palette.LAYER["label"])
    return ax.text(
        *spots[best],
        text,
        fontsize=size,
        color=colour,
        ha="center",
        va="center",
        clip_on=True,
        linespacing=1.1,
        bbox={"boxstyle": "round,pad=0.12", "facecolor": palette.PAPER, "edgecolor": "none", "alpha": 0.78},
        **style,
    )


def forget(ax: Axes, owner: str) -> None:
    """Free the places kept for an owner's labels."""
    kept = sheet(ax)
    kept.boxes = [entry for entry in kept.boxes if entry[2] != owner]


def keep_clear(ax: Axes, box: Box, weight: float = 1.0) -> None:
    """Ask labels to stay off an area, the more the weight."""
    sheet(ax).boxes.append((box, weight, ""))


def keep_off_line(ax: Axes, points: Iterable[Point], half: float = 0.06, weight: float = 1.5) -> None:
    """Ask labels to stay off a polyline, sampled every fifth of an inch."""
    line = list(points)
    for (ax_, ay), (bx, by) in itertools.pairwise(line):
        count = max(1, math.ceil(math.hypot(bx - ax_, by - ay) / 0.2))
        for i in range(count):
            x, y = ax_ + (bx - ax_) * (i + 0.5) / count, ay + (by - ay) * (i + 0.5) / count
            keep_clear(ax, (x - half, y - half, x + half, y + half), weight * 4)


def fits(ax: Axes, text: str, size: float, room: tuple[float, float]) -> bool:
    """Say whether a text fits in a room of data units."""
    width, height = _extent(ax, text, size)
    return width <= room[0] and height <= room[1]


def _extent(ax: Axes, text: str, size: float) -> tuple[float, float]:
    """Width and height of a text in data units, its padding included."""
    font = FontProperties(family=["DejaVu Sans"], size=size)
    lines = text.split("\n")
    width = max(_MEASURE.get_text_width_height_descent(line, font, ismath=False)[0] for line in lines)
    height = size * 1.2 * len(lines)
    x, y = _per_point(ax)
    return (width + 2 * _PADDING) * x, (height + 2 * _PADDING) * y


def _per_point(ax: Axes) -> tuple[float, float]:
    """Data units per typographic point along x and y."""
    ax.apply_aspect()
    box = ax.get_window_extent()
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    dots = ax.figure.dpi / 72
    return abs(x1 - x0) / max(box.width, 1) * dots, abs(y1 - y0) / max(box.height, 1) * dots


def _near(ax: Axes, xy: Point, reach: float) -> list[tuple[Box, float]]:
    x, y = xy
    return [
        (box, weight)
        for box, weight, _ in sheet(ax).boxes
        if box[0] <= x + reach and box[2] >= x - reach and box[1] <= y + reach and box[3] >= y - reach
    ]


def _cost(ax: Axes, box: Box, near: list[tuple[Box, float]]) -> float:
    """How bad a place is: what it covers, by weight, and what of it falls outside the view."""
    total = sum(_overlap(box, other) * weight for other, weight in near)
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    area = (box[2] - box[0]) * (box[3] - box[1])
    seen = _overlap(box, (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)))
    return total + 8 * (area - seen)


def _overlap(one: Box, two: Box) -> float:
    wide = min(one[2], two[2]) - max(one[0], two[0])
    high = min(one[3], two[3]) - max(one[1], two[1])
    return wide * high if wide > 0 and high > 0 else 0.0
