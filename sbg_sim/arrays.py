"""Names of arrays by what they hold (the shapes stand in docstrings), ranges of numbers, and unit vectors."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Ints: TypeAlias = np.ndarray[Any, np.dtype[np.integer[Any]]]
Bools: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]
Array: TypeAlias = np.ndarray[Any, Any]
"""Any of them."""


def ranges(begin: Ints, count: Ints) -> Ints:
    """Return so many numbers from each beginning on, one after the other."""
    ends = np.cumsum(count)
    total = int(ends[-1]) if len(ends) else 0
    return np.asarray(np.arange(total) + np.repeat(begin - ends + count, count))


def unit(angle: Floats) -> Floats:
    """Return unit vectors ``(..., 2)`` in some directions ``(...)``, radians."""
    out = np.empty((*np.shape(angle), 2))
    out[..., 0], out[..., 1] = np.cos(angle), np.sin(angle)
    return out
