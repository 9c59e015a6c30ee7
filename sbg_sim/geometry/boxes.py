"""Pairs of boxes that meet, and of segments and boxes, found many at once; boxes are ``x0, y0, x1, y1``."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.arrays import ranges
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from sbg_sim.arrays import Bools, Floats, Ints

_HANDFUL: Final = 12
"""Boxes up to which comparing all with any number of queries is quicker than descending a tree of them."""

_FEW: Final = 20_000
"""Pairs up to which comparing all is quicker than first excluding boxes that are far from all queries."""

_AT_ONCE: Final = 2_000_000
"""Most pairs of a query and a box in one step, to limit memory: boxes of long lines meet many."""

_TOGETHER: Final = 8
"""Boxes under one node of a tree: sides of a piece, or arcs of its rim, lie one beside the other."""


class Boxes:
    """Many boxes; consecutive ones often lie side by side, as those of the sides of a piece.

    Parameters
    ----------
    boxes
        ``(n, 4)``, inches.

    """

    def __init__(self, boxes: Floats) -> None:
        self.boxes = boxes

    def meeting(self, low: Floats, high: Floats) -> tuple[Ints, Ints]:
        """Return which boxes from ``low`` to ``high`` (``(n, 2)`` each) meet which of these, pair by pair.

        Pairs come in the order of the queries.
        """
        if len(self.boxes) <= _HANDFUL or len(low) * len(self.boxes) <= _FEW:
            return boxes_meet(self.boxes, low, high)
        many = max(1, _AT_ONCE // len(self.boxes))
        pairs = [self._found(low[k : k + many], high[k : k + many]) for k in range(0, len(low), many)]
        i, j = (np.concatenate(part) for part in zip(*pairs, strict=True))
        return i + np.repeat(many * np.arange(len(pairs)), [len(some) for some, _ in pairs]), j

    def crossed(self, p: Floats, q: Floats) -> tuple[Ints, Ints]:
        """Return which segments ``pq`` (``(n, 2)`` each) meet, or all but meet, which boxes, pair by pair.

        The box of a long segment meets many more than the segment itself. Pairs come in the order of segments.
        """
        low, high = np.minimum(p, q), np.maximum(p, q)
        if len(self.boxes) <= _HANDFUL or len(low) * len(self.boxes) <= _FEW:
            return _not_aside(self.boxes, p, q, *boxes_meet(self.boxes, low, high))
        return self._found(low, high, (p, q))

    def _found(self, low: Floats, high: Floats, ends: tuple[Floats, Floats] | None = None) -> tuple[Ints, Ints]:
        """Descend the tree with query boxes, and with the segments between their ends if given."""
        coarsest, levels = self._tree
        i, j = boxes_meet(coarsest, low, high)
        asked = np.concatenate([low, high], axis=1)
        for first, order, boxes in levels:
            count = first[j + 1] - first[j]
            i, j = np.repeat(i, count), order[ranges(first[j], count)]
            x0, y0, x1, y1 = boxes.take(j, axis=0).T
            left, below, right, above = asked.take(i, axis=0).T
            k = np.flatnonzero((left <= x1) & (right >= x0) & (below <= y1) & (above >= y0))
            i, j = i[k], j[k]
            if ends is not None:
                i, j = _not_aside(boxes, *ends, i, j)
        return i, j

    @cached_property
    def _tree(self) -> tuple[Floats, list[tuple[Ints, Ints, Floats]]]:
        """The boxes of the tree's top level, and the levels below, down to the boxes themselves.

        Each level has the index of the first child of each box of the level above ``(m + 1,)`` in an order, that order,
        and its boxes ``(n, 4)``.
        """
        boxes = self.boxes
        found: list[tuple[Ints, Ints, Floats]] = []
        while len(boxes) > _TOGETHER**2 or not found:
            order, begin = _in_tiles(boxes) if found else _in_rows(boxes)
            found.append((np.append(begin, len(boxes)), order, boxes))
            low, high = boxes[order, :2], boxes[order, 2:]
            low, high = np.minimum.reduceat(low, begin, axis=0), np.maximum.reduceat(high, begin, axis=0)
            boxes = np.concatenate([low, high], axis=1)
        return boxes, found[::-1]


def _in_rows(boxes: Floats) -> tuple[Ints, Ints]:
    """Group each box with the one before it if they meet; return the order, and where groups begin in it."""
    low, high = boxes[:, :2], boxes[:, 2:]
    meets = np.asarray(((low[1:] <= high[:-1]) & (high[1:] >= low[:-1])).all(axis=1))
    return np.arange(len(boxes)), _begin(~meets)


def _in_tiles(boxes: Floats) -> tuple[Ints, Ints]:
    """Group boxes that lie near each other (sort-tile-recursive); return the order, and where groups begin in it."""
    n, middle = len(boxes), boxes[:, :2] + boxes[:, 2:]
    strip = np.empty(n, dtype=np.int64)
    strip[np.argsort(middle[:, 0], kind="stable")] = np.arange(n) // math.ceil(math.sqrt(n * _TOGETHER))
    order = np.lexsort((middle[:, 1], strip))
    return order, _begin(np.diff(strip[order]) != 0)


def _begin(apart: Bools) -> Ints:
    """Return where groups begin in a row: where neighbours are apart ``(n - 1,)``, and after each ``_TOGETHER``."""
    every, new = np.arange(len(apart) + 1), np.append(0, np.flatnonzero(apart) + 1)
    return np.flatnonzero((every - np.repeat(new, np.diff(np.append(new, len(every))))) % _TOGETHER == 0)


def boxes_meet(boxes: Floats, low: Floats, high: Floats) -> tuple[Ints, Ints]:
    """Return which boxes from ``low`` to ``high`` (``(n, 2)`` each) meet which of others ``(m, 4)``, all compared."""
    # A row of many a box: loops over columns of a few cost several times as much.
    sides = np.ascontiguousarray(low.T), np.ascontiguousarray(high.T)
    if len(low) * len(boxes) > _FEW:
        # Queries often lie together; some may be NaN.
        x0, y0, x1, y1 = boxes.T
        (left, below), (right, above) = np.fmin.reduce(sides[0], axis=1), np.fmax.reduce(sides[1], axis=1)
        near = np.flatnonzero((left <= x1) & (right >= x0) & (below <= y1) & (above >= y0))
        if len(near) < len(boxes) / 2:
            i, j = boxes_meet(boxes[near], low, high)
            return i, near[j]
    (left, below), (right, above), (x0, y0, x1, y1) = *sides, boxes.T[:, :, None]
    meet = left <= x1
    for met in (right >= x0, below <= y1, above >= y0):
        meet &= met
    pair = np.flatnonzero(meet.T)
    i = pair // max(len(boxes), 1)
    return i, pair - len(boxes) * i


def _not_aside(boxes: Floats, p: Floats, q: Floats, i: Ints, j: Ints) -> tuple[Ints, Ints]:
    """Leave out pairs of a segment and a box that lies wholly on one side of the segment's line."""
    if len(i) < _HANDFUL:
        return i, j
    x0, y0, x1, y1 = boxes.take(j, axis=0).T
    x, y, dx, dy = np.concatenate([2 * p, q - p], axis=1).take(i, axis=0).T
    off = np.abs(dx * (y0 + y1 - y) - dy * (x0 + x1 - x))
    k = np.flatnonzero(off <= np.abs(dy) * (x1 - x0) + np.abs(dx) * (y1 - y0) + TOUCH)
    return i[k], j[k]
