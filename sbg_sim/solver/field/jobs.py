"""What is to be polished for many places, and what is learnt of the paths that come there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.solver.path.batch import WRAP
from sbg_sim.tolerance import HAIR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.solver.field.tails import Tail
    from sbg_sim.solver.path.batch import Batch
    from sbg_sim.solver.path.paths import Path


@dataclass(frozen=True)
class Work:
    """Paths to polish: their tails, and row by row the place, which tail and its type, and where it slides if known."""

    tails: Sequence[Tail]
    rows: Ints
    which: Ints
    path_type: Ints
    slid: Floats | None = None


@dataclass
class Arrivals:
    """How the best paths come to places: unit directions ``(n, 2)``, NaN where none was polished; types of path.

    With them the tails they have, and where those slide ``(n, k)``, inches.
    """

    direction: Floats
    weight: Floats
    path_type: Ints
    which: Ints
    slid: Floats
    tails: Sequence[Tail] = ()

    def begin(self, tails: Sequence[Tail], wide: int) -> tuple[int, int]:
        """Take up tails of paths with so many elements; return from where on they and their types are numbered."""
        first, path_type = len(self.tails), int(self.path_type.max(initial=-1)) + 1
        self.tails = [*self.tails, *tails]
        self.slid = np.pad(self.slid, ((0, 0), (0, max(0, wide - self.slid.shape[1]))))
        return first, path_type

    def note(self, batch: Batch, i: Ints, path_type: Ints, which: Ints) -> None:
        """Note from where paths come: along their last link that has a length."""
        legs = batch.legs()
        # A link that leaves a ring has the ring's direction, however short it is.
        long = ((legs.length > HAIR) | (batch.kind[:, :-1] == WRAP)) & (
            np.arange(batch.weight.shape[1]) < batch.size[:, None] - 1
        )
        last = batch.weight.shape[1] - 1 - np.argmax(long[:, ::-1], axis=1)
        rows = np.arange(len(i))
        phi = legs.phi[rows, last]
        self.direction[i] = np.stack([np.cos(phi), np.sin(phi)], axis=1)
        self.weight[i] = batch.weight[rows, last]
        self.path_type[i], self.which[i] = path_type, which
        self.slid[i], self.slid[i, : batch.u.shape[1]] = 0.0, batch.u


class Jobs:
    """Paths to polish, each for some places, with what it costs to come there as sampled.

    Parameters
    ----------
    before
        Jobs for the same places that were done: what was polished is not polished again.

    """

    def __init__(self, before: Jobs | None = None) -> None:
        self.numbers: dict[tuple[object, ...], int] = {} if before is None else before.numbers
        self.done: set[int] = set() if before is None else before.done
        self.paths: list[Path] = []
        self.rows: list[Ints] = []
        self.low: list[Floats] = []

    def add(self, path: Path, rows: Ints, low: Floats) -> None:
        """Note that a path may be best for some places, whose sampled costs by it are given."""
        self.paths.append(path)
        self.rows.append(rows)
        self.low.append(low)

    def fresh(self, tails: Sequence[Tail], path_type: Ints, rows: Ints, count: int) -> Bools:
        """Say which of some tails ``(b,)`` for some of ``count`` places were not asked for before, and note them."""
        own = {
            n: self.numbers.setdefault((tails[n].path_type, tails[n].before), len(self.numbers))
            for n in set(path_type.tolist())
        }
        codes = np.array([own[n] for n in path_type.tolist()], dtype=np.int64) * count + rows
        new = ~np.isin(codes, np.fromiter(self.done, np.int64, len(self.done)))
        self.done.update(codes[new].tolist())
        return new
