"""Names of arrays by what they hold (the shapes stand in docstrings), rows, ranges, points and what lies between."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Self, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Ints: TypeAlias = np.ndarray[Any, np.dtype[np.integer[Any]]]
Bools: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]
Array: TypeAlias = np.ndarray[Any, Any]
"""Any of them."""

_MOST_CODES: Final = 2**62  # so many different rows have numbers of their own in 64 bits


class Rows:
    """Columns of the same rows, an array each: what dataclasses inherit from that hold nothing else."""

    def some(self, k: Ints) -> Self:
        """Return some of the rows, in the order of their numbers ``k``."""
        return type(self)(*(column[k] for column in vars(self).values()))

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return the rows of several, one after the other."""
        every = zip(*(vars(part).values() for part in parts), strict=True)
        return cls(*(np.concatenate(columns) for columns in every))


def ranges(begin: Ints, count: Ints) -> Ints:
    """Return so many numbers from each beginning on, one after the other."""
    ends = np.cumsum(count)
    total = int(ends[-1]) if len(ends) else 0
    return np.asarray(np.arange(total) + np.repeat(begin - ends + count, count))


def first_of_each(row: Ints, many: int) -> Bools:
    """Say which of sorted numbers ``(n,)`` are among the first so many of those that are the same."""
    return np.asarray(np.arange(len(row)) - np.searchsorted(row, row) < many)


def point(p: Floats) -> tuple[float, float]:
    """Return a place ``(2,)`` as two numbers."""
    return float(p[0]), float(p[1])


def distances(p: Floats, q: Floats) -> Floats:
    """Return how far each of some places ``(n, 2)`` is from each of others ``(m, 2)``: ``(n, m)``."""
    x, y = p[:, :1] - q[:, 0], p[:, 1:] - q[:, 1]
    with np.errstate(over="ignore", under="ignore"):
        # In place: of many places, room for what comes in between takes longer than the sums.
        x *= x
        y *= y
        x += y
        return np.asarray(np.sqrt(x, out=x))


def lengths(x: Floats, y: Floats) -> Floats:
    """Return how long vectors are, far beyond any table infinite: several times as quick as `numpy.hypot`."""
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(np.sqrt(x * x + y * y))


def equal_rows(rows: Ints) -> list[Ints]:
    """Return the groups of equal rows of ``(n, k)``, each by the numbers of its rows, in the order of their values."""
    code, size = np.zeros(len(rows), dtype=np.int64), 1
    for column in rows.T if len(rows) else ():
        low, span = int(column.min()), int(np.ptp(column)) + 1
        if size * span > _MOST_CODES:
            found, code = np.unique(code, return_inverse=True)
            size = len(found)
        code, size = code * span + (column - low), size * span
    order = np.argsort(code, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(code[order])) + 1) if len(rows) else []


def dot(p: Floats, q: Floats) -> Floats:
    """Return the scalar products of vectors ``(..., 2)``: several times as quick as sums along so short an axis."""
    return np.asarray(p[..., 0] * q[..., 0] + p[..., 1] * q[..., 1])


def sums(rows: Floats) -> Floats:
    """Return the sum of each of many short rows ``(n, k)``; quicker than `sum` along them."""
    return np.asarray(np.add.reduce(np.ascontiguousarray(rows.T), axis=0))


def greatest(rows: Floats) -> Floats:
    """Return the greatest number in each of many short rows ``(n, k)``, at least 0; quicker than `max` along them."""
    return np.asarray(np.maximum.reduce(np.ascontiguousarray(rows.T), axis=0, initial=0.0))


def unit(angle: Floats | float) -> Floats:
    """Return unit vectors ``(..., 2)`` in some directions ``(...)``, radians."""
    out = np.empty((*np.shape(angle), 2))
    out[..., 0], out[..., 1] = np.cos(angle), np.sin(angle)
    return out
