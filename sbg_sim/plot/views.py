"""The part of a table that is in view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sbg_sim.plot.canvas import Box
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model

_ROUNDS: Final = 3  # in a crowd there is always another base at the edge


def box_of(model: Model, grow: float = 0.0) -> Box:
    """Return the box round a model's base, inches."""
    (x, y), r = model.at, model.radius + grow
    return x - r, y - r, x + r, y + r


def whole_of(table: Table) -> Box:
    """Return the view of a whole table with a small margin, inches."""
    air = max(table.width, table.depth) * 0.015
    return -air, -air, table.width + air, table.depth + air


def neighbourhood(table: Table, boxes: Iterable[Box], *, margin: float = 0.75) -> Box:
    """Return the view of some boxes with a margin, or of the whole table if that is hardly larger; inches."""
    frame = whole_of(table)
    rows = list(boxes)
    view = view_around(rows, frame, margin=margin)
    for _ in range(_ROUNDS):  # a base cut by the edge of the view is shown whole, which may cut another
        cut = [box_of(m, 0.1) for m in table.standing() if _meets(box_of(m), view)]
        before, view = view, view_around([view, *cut], frame, margin=0.0)
        if view == before:
            break
    area = (view[2] - view[0]) * (view[3] - view[1])
    return frame if area > 0.8 * (frame[2] - frame[0]) * (frame[3] - frame[1]) else view


def view_around(boxes: Iterable[Box], within: Box, *, margin: float = 0.75, least: float = 5.0) -> Box:
    """Return a view that holds all boxes with a margin, no narrower than 1 : 1.8, inside the table if possible.

    Parameters
    ----------
    boxes
        Boxes that must be in view, inches.
    within
        The whole table, inches.
    margin
        Margin on all sides, inches.
    least
        Shortest side, inches.

    """
    rows = list(boxes)
    if not rows:
        return within
    x0, y0 = min(b[0] for b in rows) - margin, min(b[1] for b in rows) - margin
    x1, y1 = max(b[2] for b in rows) + margin, max(b[3] for b in rows) + margin
    wide, deep = x1 - x0, y1 - y0
    wide_now, deep_now = max(wide, deep / 1.8, least), max(deep, wide / 1.8, least)
    left, right = _slid((x0 + x1 - wide_now) / 2, wide_now, within[0], within[2])
    low, high = _slid((y0 + y1 - deep_now) / 2, deep_now, within[1], within[3])
    return left, low, right, high


def _slid(low: float, length: float, least: float, most: float) -> tuple[float, float]:
    if length >= most - least:
        return least, most
    low = min(max(low, least), most - length)
    return low, low + length


def _meets(one: Box, two: Box) -> bool:
    return one[0] < two[2] and one[2] > two[0] and one[1] < two[3] and one[3] > two[1]
