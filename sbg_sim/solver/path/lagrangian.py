"""The augmented Lagrangian: at the optimum its multipliers balance the slope of the cost against the constraints'.

The clearance of a constraint is how far a way over is from cutting its circle, or below its limit; it must not be
negative. A clearance that must be zero is two-sided; all others are one-sided.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.geometry.spines import where_crossed
from sbg_sim.solver.path.batch import FIXED, Batch, Held, alike
from sbg_sim.solver.path.differences import columns, differences, held_at_ends, steps_aside
from sbg_sim.solver.path.newton import minimise
from sbg_sim.tolerance import DIFFERENCE, ROUNDING, TINY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.solver.path.batch import Legs
    from sbg_sim.solver.path.paths import Constraint, Path
    from sbg_sim.solver.space.transitions import Transition

_STIFF: Final = 100.0  # stiffness of the penalty, per inch: far above the curvature of most costs
_STIFFER: Final = 30  # factor where a cost bends down sharply: a chord of a circle grows as the root of its depth
_DEAREST: Final = 10.0  # inches of cost per inch of clearance: a greater first multiplier is taken for noise
_SHARES: Final = 31  # shares of the way to the limit that are tried at once
_DIVIDED: Final = 10  # times that the share found is divided again, down to rounding
_BESIDE: Final = 0.05  # inches: from a fixed end as near as this the turn is measured, not the distance


@dataclass(frozen=True, eq=False)
class Lagrangian:
    """The augmented Lagrangian of some paths: their cost, and multipliers for what their ways over must clear.

    Parameters
    ----------
    held
        The constraints.
    multipliers
        One for each constraint ``(n, g)``: inches of cost per inch of scaled clearance.
    scale
        The factor of each clearance ``(n, g)``.
    oneway
        Which constraints are one-sided ``(n, g)``: more clearance than zero is allowed.
    stiff
        The stiffness of the penalty, per inch.

    """

    held: Held
    multipliers: Floats
    scale: Floats
    oneway: Bools
    stiff: float = _STIFF

    @property
    def tied(self) -> bool:
        """Whether a constraint limits the cost of a path, and so depends on more than one way over."""
        return any(g.begun is not None or g.alone is not None for g in self.held.every)

    def having(self, of: Ints, multipliers: Floats) -> Lagrangian:
        """Return the Lagrangian with other multipliers ``(b, g)`` for some paths, given by their numbers ``(b,)``."""
        every = self.multipliers.copy()
        every[of] = multipliers
        return replace(self, multipliers=every)

    def stiffer(self) -> Lagrangian:
        """Return the Lagrangian with a stiffer penalty, for costs that bend down sharply."""
        return replace(self, stiff=_STIFFER * self.stiff)

    def missed(self, batch: Batch, legs: Legs | None = None, costs: tuple[Floats, Floats] | None = None) -> Floats:
        """Return the scaled clearances ``(b, g)``."""
        return np.asarray(clearances(batch, self.held, legs, costs) * self.scale[batch.of])

    def merit(self, batch: Batch) -> Floats:
        """Return the augmented Lagrangian ``(b,)``, inches."""
        legs, multipliers = batch.legs(), self.multipliers[batch.of]
        begun, last = batch.costs(legs, self.held)
        miss = self.missed(batch, legs, (begun, last))
        just = np.where(self.oneway[batch.of], 0.0, miss)
        held = self.stiff / 2 * just * just - multipliers * just
        binds = np.maximum(multipliers - self.stiff * miss, 0.0)
        free = (binds * binds - multipliers * multipliers) / (2 * self.stiff)
        return np.asarray(begun + last + np.where(self.oneway[batch.of], free, held).sum(axis=1))

    def stepped(self, batch: Batch, miss: Floats) -> tuple[Batch, Lagrangian]:
        """Return the places and multipliers after one step of Newton's method for both together.

        ``miss`` are the scaled clearances ``(b, g)``; one-sided constraints that do not bind are left out.
        """
        cols, real = columns(batch)
        slopes, hess = differences(batch, self.merit, tied=self.tied)
        across = slopes_across(batch, self.held)
        free = real & ~held_at_ends(batch, slopes, hess)
        new, every = batch.u.copy(), self.multipliers.copy()
        for k, n in enumerate(batch.of.tolist()):
            at, slope, oneway = cols[k, real[k]], slopes[k, real[k]], self.oneway[n]
            u, top = batch.u[k, at], batch.top[k, at]
            live = np.flatnonzero(free[k, real[k]])
            binds = np.flatnonzero(~oneway | (self.multipliers[n] > self.stiff * miss[k]))
            over = (across[k] * self.scale[n])[np.ix_(live, binds)]
            none = np.zeros((len(binds), len(binds)))
            both = np.block([[hess[k][np.ix_(live, live)], over], [over.T, none]])
            step = np.linalg.lstsq(both, -np.concatenate([slope[live], miss[k, binds]]), rcond=None)[0]
            multipliers = np.zeros(miss.shape[1])
            multipliers[binds] = self.multipliers[n, binds] - step[len(live) :]
            new[k, at[live]] = np.clip(u[live] + step[: len(live)], 0.0, top[live])
            every[n] = np.where(oneway, np.maximum(multipliers, 0.0), multipliers)
        return replace(batch, u=new), replace(self, multipliers=every)

    def improved(self, batch: Batch, miss: Floats) -> Floats:
        """Return multipliers improved by the method of multipliers, given scaled clearances ``miss`` ``(b, g)``."""
        found = self.multipliers[batch.of] - self.stiff * miss
        return np.where(self.oneway[batch.of], np.maximum(found, 0.0), found)

    def violated(self, batch: Batch, miss: Floats) -> Floats:
        """Return the greatest violation of each path ``(b,)``; with slack, a one-sided multiplier should vanish."""
        free = np.minimum(miss, self.multipliers[batch.of] / self.stiff)
        return np.asarray(np.abs(np.where(self.oneway[batch.of], free, miss)).max(axis=1))


def constraints_of(paths: Sequence[Path]) -> Held:
    """Return the constraints of some paths, which all have the same number of them."""
    number: dict[tuple[Constraint, int], int] = {}
    every = [g for path in paths for g in path.constraints]
    # Equality of constraints leaves out their ground: those with ground of their own are never merged.
    which = [number.setdefault((g, -1 if g.ground is None else k), len(number)) for k, g in enumerate(every)]
    first = np.unique(which, return_index=True)[1]
    return Held(tuple(every[k] for k in first.tolist()), np.array(which, dtype=np.int64).reshape(len(paths), -1))


def first_lagrangian(batch: Batch, held: Held) -> tuple[Batch, Lagrangian, dict[int, Floats]]:
    """Return where paths begin, and the Lagrangian with first multipliers: least squares of the slopes there.

    Also, by path, multipliers from the slopes of only those places that are not held at an end of their rim, where
    these differ: at a held place the slope of the cost need not be balanced.
    """
    oneway = np.array([not g.opposite for g in held.every])[held.which]
    long = np.array([g.circle is None and not g.opposite for g in held.every])[held.which]
    limited = np.flatnonzero(long.any(axis=1))
    if len(limited):
        batch.u[limited] = _to_the_limit(batch.rows(limited), held, long[limited])
    # A clearance that hardly changes along the rims is scaled up, to be as stiff as the others.
    across = slopes_across(batch, held)
    steep = np.sqrt(np.square(across).sum(axis=1))
    scale = np.where(steep > ROUNDING, 1 / np.clip(steep, DIFFERENCE, np.where(long, np.inf, 1.0)), 1.0)
    slope, _ = differences(batch, partial(Batch.cost, held=held))
    cols, real = columns(batch)
    u, top = (np.take_along_axis(part, cols, axis=1) for part in (batch.u, batch.top))
    live = ((u > 0) | (slope < 0)) & ((u < top) | (slope > 0)) & real

    def taking_up(k: int, which: Bools) -> Floats:
        found = np.linalg.lstsq(across[k, which], slope[k, which], rcond=None)[0] / scale[k]
        if np.abs(found).max() > _DEAREST:  # from slopes that all but cancel
            found[:] = 0.0
        return np.asarray(np.where(oneway[k], np.maximum(found, 0.0), found))

    some = np.flatnonzero(live.any(axis=1) & (live != real).any(axis=1)).tolist()
    every = np.stack([taking_up(k, real[k]) for k in range(len(batch))])
    alone = {k: taking_up(k, live[k]) for k in some}
    others = {k: part for k, part in alone.items() if np.abs(part - every[k]).max() > ROUNDING}
    return batch, Lagrangian(held, every, scale, oneway), others


def _to_the_limit(batch: Batch, held: Held, which: Bools) -> Floats:
    """Move places towards those of least cost without constraints, as far as the limits of length ``which`` allow.

    Returns the places there ``(b, k)``, inches.
    """
    free, _ = minimise(batch)
    along, low, width = free.u - batch.u, np.zeros(len(batch)), 1.0
    row = np.repeat(np.arange(len(batch)), _SHARES)
    many = batch.rows(row)
    for _ in range(_DIVIDED):
        width /= _SHARES + 1
        share = (low[:, None] + width * np.arange(1, _SHARES + 1)).reshape(-1, 1)
        clear = clearances(replace(many, u=many.u + share * along[row]), held)
        short = np.where(which[row], clear, np.inf).min(axis=1) > 0
        low += width * np.cumprod(short.reshape(-1, _SHARES), axis=1).sum(axis=1)
    return np.asarray(batch.u + low[:, None] * along)


def slopes_across(batch: Batch, held: Held) -> Floats:
    """Return the slopes of the clearances at each sliding place, in order: ``(b, s, g)``; 0 beyond the last place.

    Also 0 where they are not defined, because a way from beside the place cannot land.
    """
    unit = steps_aside(batch)
    b, s = unit.shape[:2]
    many = batch.rows(np.repeat(np.arange(b), 2 * s))
    shifts = np.stack([unit, -unit], axis=1).reshape(many.u.shape)
    with np.errstate(invalid="ignore"):
        at = clearances(replace(many, u=many.u + shifts), held).reshape(b, 2, s, -1)
        slope = (at[:, 0] - at[:, 1]) / (2 * DIFFERENCE)
    return np.where(np.isfinite(slope), slope, 0.0)


# -- clearances ------------------------------------------------------------------------------------------------------


def clearances(
    batch: Batch, held: Held, legs: Legs | None = None, costs: tuple[Floats, Floats] | None = None
) -> Floats:
    """Return the clearances ``(b, g)``: how far ways are off their circles, or below their limits, inches.

    ``costs`` are those of the paths before their last way over, and of that way, ``(b,)`` each, if known.
    """
    legs = batch.legs() if legs is None else legs
    ways, which = np.argsort(batch.transition < 0, axis=1, kind="stable"), held.which[batch.of]
    out = np.empty(which.shape)
    for n in range(which.shape[1]):
        for m, rows in alike(which[:, n]):
            begun, alone = held.every[m].begun, held.every[m].alone
            if begun is not None or alone is not None:
                costs = batch.costs(legs, held) if costs is None else costs
                before, last = costs[0][rows], costs[1][rows]
                out[rows, n] = alone - np.where(np.isfinite(before), last, np.inf) if begun is None else begun - before
                continue
            columns = ways[rows, held.every[m].way]
            for j, same in alike(batch.transition[rows, columns]):
                k, i = rows[same], columns[same]
                out[k, n] = _clearance(batch, held.every[m], batch.net.transitions[j], legs, k, i)
    return out


def _clearance(batch: Batch, constraint: Constraint, over: Transition, legs: Legs, k: Ints, i: Ints) -> Floats:
    """Return the clearances of one constraint for ways over one transition, links ``i`` of paths ``k``: ``(n,)``."""
    p, q = legs.p[k, i], legs.q[k, i]
    if constraint.circle is None and constraint.lines:
        share = where_crossed(p, q, np.array(constraint.lines))
        return np.asarray(over.way.longest - (share[:, 1] - share[:, 0]) * np.hypot(*(q - p).T))
    if constraint.circle is None:
        return np.zeros(len(k)) if constraint.opposite else over.way.longest - over.over(p, q, beside=True)
    d, e = np.array(constraint.circle[:2]) - p, q - p
    size = np.maximum(np.hypot(e[:, 0], e[:, 1]), TINY)
    foot = (d * e).sum(axis=1) / size
    across = constraint.side * (e[:, 0] * d[:, 1] - e[:, 1] * d[:, 0]) / size
    if constraint.line:
        return np.asarray(across - constraint.circle[2])
    if constraint.zone is not None:
        space, states = batch.net.spaces[constraint.zone], batch.bound[k, i].T
        q = over.until_bound(p, q, *states) if space is over.here else space.until_bound(p, q, *states)[0]
    beyond = foot - np.clip(foot, 0.0, np.hypot(*(q - p).T))
    # Beyond an end of the chord the distance from that end counts; the change between the two is smooth.
    out = np.where(beyond == 0, across, np.hypot(across, beyond)) - constraint.circle[2]
    first = _stands_beside(batch, p, k, i, constraint)
    last = ~first & (constraint.zone is None) & _stands_beside(batch, q, k, i + 1, constraint)
    for some, near, far, side in ((first, p, q, constraint.side), (last, q, p, -constraint.side)):
        if some.any():
            out[some] = _turned_off(near[some], far[some], constraint.circle, side)
    return np.asarray(out)


def _stands_beside(batch: Batch, end: Floats, k: Ints, at: Ints, constraint: Constraint) -> Bools:
    """Say which ends of ways, elements ``at``, are fixed and all but touch the circle of a constraint."""
    assert constraint.circle is not None
    x, y, rho = constraint.circle
    fixed = batch.kind[k, at] == FIXED
    if not (rho and fixed.any()):
        return np.zeros(len(k), dtype=bool)
    return np.asarray(fixed & (np.hypot(end[:, 0] - x, end[:, 1] - y) - rho <= _BESIDE))


def _turned_off(near: Floats, far: Floats, circle: tuple[float, float, float], side: float) -> Floats:
    """Return by what angles ways from fixed ends turn off a circle, as lengths on its rim, inches ``(b,)``."""
    x, y, rho = circle
    d, e = np.array([x, y]) - near, far - near
    half = np.arcsin(np.clip(rho / np.maximum(np.hypot(d[:, 0], d[:, 1]), TINY), 0.0, 1.0))
    off = np.arctan2(d[:, 0] * e[:, 1] - d[:, 1] * e[:, 0], (d * e).sum(axis=1))
    return np.asarray((-side * off - half) * rho)
