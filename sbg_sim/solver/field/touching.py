"""Ways over that touch difficult ground: paths to many places, and to bends, slid along it.

Where a way over touches a round corner of difficult ground from outside the slope of the cost is infinite on one side,
and a path comes to rest there too early. Held to keep out of the ground it slides along it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.solver.path.grazing import constrain_grazing
from sbg_sim.solver.path.newton import columns
from sbg_sim.solver.path.optimise import optimise
from sbg_sim.solver.path.paths import Slide
from sbg_sim.tolerance import DIFFERENCE, ROUNDING, STEEP, TOUCH

if TYPE_CHECKING:
    from collections.abc import Callable

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.solver.path.batch import Batch
    from sbg_sim.solver.path.paths import Path


def slid_along(batch: Batch, which: Ints, path_of: Callable[[int, Floats], Path]) -> tuple[Batch, Ints]:
    """Slide polished paths along the difficult ground that their ways over touch.

    Parameters
    ----------
    batch
        The paths, each made shortest.
    which
        Those that are of interest ``(n,)``.
    path_of
        Gives one of them, by its number and where it slides ``(k,)``, inches.

    Returns
    -------
    The paths with their places where they come to, and which of them are shorter than they were.

    """
    rough = np.array([*(p.way.horizontal and not p.difficult.empty for p in batch.net.transitions), False])
    which = which[rough[batch.transition[which]].any(axis=1)]  # the last stands for no way over
    if len(which):
        which = which[_steep(batch.rows(which))]
    held = {n: constrain_grazing(batch.net, path_of(n, batch.u[n])) for n in which.tolist()}
    some = {n: path for n, path in held.items() if path is not None}
    if not some:
        return batch, np.zeros(0, dtype=np.int64)
    k = np.array(list(some))
    part, u = batch.rows(k), batch.u[k]
    for row, best in zip(u, optimise(batch.net, list(some.values())), strict=True):
        if best.clears:
            row[: len(best.path.elements)] = [e.u if isinstance(e, Slide) else 0.0 for e in best.path.elements]
    shorter = replace(part, u=u).cost() < part.cost() - ROUNDING
    slid = batch.u.copy()
    slid[k[shorter]] = u[shorter]
    return replace(batch, u=slid), k[shorter]


def _steep(batch: Batch) -> Bools:
    """Say which paths stand where their cost still has a slope, though they were made shortest ``(b,)``."""
    cols, real = columns(batch)
    (b, s), rows = cols.shape, np.arange(len(batch))
    unit = np.zeros((b, s, batch.u.shape[1]))
    unit[rows[:, None], np.arange(s), cols] = real * DIFFERENCE
    many = batch.rows(np.repeat(rows, 2 * s))
    at = replace(many, u=many.u + np.stack([unit, -unit], axis=1).reshape(many.u.shape)).cost().reshape(b, 2, s)
    with np.errstate(invalid="ignore"):  # beside a place nothing may be landed on
        slope = (at[:, 0] - at[:, 1]) / (2 * DIFFERENCE)
    u, top = (np.take_along_axis(part, cols, axis=1) for part in (batch.u, batch.top))
    live = real & ((u > 2 * TOUCH) | (slope < 0)) & ((u < top - 2 * TOUCH) | (slope > 0))
    return np.asarray((live & (np.abs(slope) > STEEP)).any(axis=1))
