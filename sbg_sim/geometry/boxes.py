"""Which boxes meet which others, and which segments, many at once; boxes are ``x0, y0, x1, y1``."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from sbg_sim.arrays import ranges
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from sbg_sim.arrays import Floats, Ints

_DENSE: Final = 50_000
"""Pairs up to which comparing all with all is quicker than asking a tree of boxes."""

_HANDFUL: Final = 12
"""Boxes up to which comparing all with any number of others is quicker than asking a tree of them."""

_FEW: Final = 20_000
"""Pairs up to which comparing all with all is quicker than first leaving out what is far from all that is asked."""

_AT_ONCE: Final = 2_000_000
"""Pairs that a tree is asked for at once, at most: where memory ends amid an answer of its own, shapely crashes."""

_TOGETHER: Final = 8
"""Boxes in a row that are first looked at as one: sides of a piece, or arcs of its rim, lie one beside the other."""


class Boxes:
    """Many boxes; those in a row often lie one beside the other, as about the sides of a piece.

    Parameters
    ----------
    boxes
        ``(n, 4)``, inches.

    """

    def __init__(self, boxes: Floats) -> None:
        self.boxes = boxes

    def meeting(self, low: Floats, high: Floats) -> tuple[Ints, Ints]:
        """Return which boxes from ``low`` to ``high`` (``(n, 2)`` each) meet which of these, pair by pair."""
        if len(self.boxes) > _HANDFUL and len(low) * len(self.boxes) > _DENSE:
            # A line from corner to corner has the same box, and is made in less time.
            lines, many = shapely.linestrings(np.stack([low, high], axis=1)), max(1, _AT_ONCE // len(self.boxes))
            begun = range(0, len(lines), many)
            try:
                pairs = [self._tree.query(lines[k : k + many]) for k in begun]
            except RuntimeError as error:  # how shapely says that there is no memory
                raise MemoryError(*error.args) from None
            i, j = np.concatenate([np.add(some, [[k], [0]]) for k, some in zip(begun, pairs, strict=True)], axis=1)
            return i, j
        return boxes_meet(self.boxes, low, high)

    def crossed(self, p: Floats, q: Floats) -> tuple[Ints, Ints]:
        """Return which segments ``pq`` (``(n, 2)`` each) meet which boxes, pair by pair; those that all but do as well.

        The box of a long segment meets many more than the segment itself.
        """
        low, high = np.minimum(p, q), np.maximum(p, q)
        if len(self.boxes) <= _HANDFUL or len(low) * len(self.boxes) <= _FEW:
            return _not_aside(self.boxes, p, q, *boxes_meet(self.boxes, low, high))
        first, groups = self._groups
        i, g = _not_aside(groups, p, q, *boxes_meet(groups, low, high))
        count = first[g + 1] - first[g]
        i, j = np.repeat(i, count), ranges(first[g], count)
        x0, y0, x1, y1 = self.boxes.take(j, axis=0).T
        left, below, right, above = np.concatenate([low, high], axis=1).take(i, axis=0).T
        k = np.flatnonzero((left <= x1) & (right >= x0) & (below <= y1) & (above >= y0))
        return _not_aside(self.boxes, p, q, i[k], j[k])

    @cached_property
    def _tree(self) -> shapely.STRtree:
        return shapely.STRtree(shapely.box(*self.boxes.T))

    @cached_property
    def _groups(self) -> tuple[Ints, Floats]:
        """Where groups of boxes that meet the one before them begin ``(m + 1,)``, and boxes about them ``(m, 4)``."""
        low, high = self.boxes[:, :2], self.boxes[:, 2:]
        n, meets = len(low), ((low[1:] <= high[:-1]) & (high[1:] >= low[:-1])).all(axis=1)
        new = np.flatnonzero(np.append(True, ~meets))
        begin = np.flatnonzero((np.arange(n) - np.repeat(new, np.diff(np.append(new, n)))) % _TOGETHER == 0)
        low, high = np.minimum.reduceat(low, begin, axis=0), np.maximum.reduceat(high, begin, axis=0)
        return np.append(begin, n), np.concatenate([low, high], axis=1)


def boxes_meet(boxes: Floats, low: Floats, high: Floats) -> tuple[Ints, Ints]:
    """Return which boxes from ``low`` to ``high`` (``(n, 2)`` each) meet which of others ``(m, 4)``, all compared."""
    if len(low) * len(boxes) > _FEW:
        # What is asked about often lies together; some of it may be nowhere.
        x0, y0, x1, y1 = boxes.T
        (left, below), (right, above) = np.fmin.reduce(low), np.fmax.reduce(high)
        near = np.flatnonzero((left <= x1) & (right >= x0) & (below <= y1) & (above >= y0))
        if len(near) < len(boxes) / 2:
            i, j = boxes_meet(boxes[near], low, high)
            return i, near[j]
    meet = (low[:, :1] <= boxes[:, 2]) & (high[:, :1] >= boxes[:, 0])
    meet &= (low[:, 1:] <= boxes[:, 3]) & (high[:, 1:] >= boxes[:, 1])
    i, j = np.nonzero(meet)
    return i, j


def _not_aside(boxes: Floats, p: Floats, q: Floats, i: Ints, j: Ints) -> tuple[Ints, Ints]:
    """Leave out pairs of a segment and a box that lies wholly on one side of the segment's line."""
    if len(i) < _HANDFUL:
        return i, j
    x0, y0, x1, y1 = boxes.take(j, axis=0).T
    x, y, dx, dy = np.concatenate([2 * p, q - p], axis=1).take(i, axis=0).T
    off = np.abs(dx * (y0 + y1 - y) - dy * (x0 + x1 - x))
    k = np.flatnonzero(off <= np.abs(dy) * (x1 - x0) + np.abs(dx) * (y1 - y0) + TOUCH)
    return i[k], j[k]
