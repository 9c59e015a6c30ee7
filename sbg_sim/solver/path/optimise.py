"""The shortest path of each type, and what proves that it is.

Where a way over must just clear something, multipliers take up the slope of the cost across it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.solver.path.batch import Batch, Legs
from sbg_sim.solver.path.gathering import gather, placed
from sbg_sim.solver.path.newton import Merit, columns, differences, settle
from sbg_sim.tolerance import CLEARED, DIFFERENCE, HAIR, MET, ROUNDING, SOFT, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.path.path_types import Constraint, PathType

_STIFF: Final = 100.0  # of what must be cleared, per square inch or radian: far above the curvature of a cost
_HELD: Final = 25  # times that multipliers are set anew
_SHARES: Final = 31  # of the way to the limit that are tried at once
_DIVIDED: Final = 10  # times that such a share is divided further, to rounding
_STEEP: Final = 100.0  # inches of cost an inch: where it rises by more, a cost jumps
_INSIDE: Final = 2 * TOUCH  # inches: a place farther than this from the ends of its rim slides, past STEP_RIM too


@dataclass(frozen=True)
class Optimum:
    """The shortest path of a type.

    Parameters
    ----------
    path, cost
        The path and its cost, inches.
    sweep
        What it turns by at each element, radians; against the turn of a ring where the arc has shrunk past nothing.
    merit
        What was made least if not the cost alone.
    clears
        Whether its ways over clear what they must.

    """

    path: PathType
    cost: float
    sweep: Floats
    merit: Merit | None = None
    clears: bool = True


def optimise(net: TangentGraph, paths: Sequence[PathType]) -> list[Optimum]:
    """Return the shortest path of each type, whether or not something is in its way."""
    found: dict[int, Optimum] = {
        n: _held(net, path) for n, path in enumerate(paths) if path.constraints and path.slides
    }
    rest = [n for n in range(len(paths)) if n not in found]
    if rest:
        batch, cost = settle(gather(net, [paths[n] for n in rest]).past_nothing())
        sweep = batch.legs().sweep
        for k, n in enumerate(rest):
            found[n] = Optimum(placed(paths[n], batch.u[k]), float(cost[k]), sweep[k])
    return [found[n] for n in range(len(paths))]


# -- what ways over must clear ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hold:
    """What ways over must clear, with the method of multipliers.

    Parameters
    ----------
    constraints
        What must be cleared.
    pull
        Minus the multipliers ``(g,)``.
    scale
        By which each clearance is multiplied ``(g,)``.
    oneway
        Which may be cleared by more than just so ``(g,)``.

    """

    constraints: tuple[Constraint, ...]
    pull: Floats
    scale: Floats
    oneway: Bools

    def missed(self, batch: Batch, legs: Legs | None = None) -> Floats:
        """Return the scaled clearances ``(b, g)``."""
        return np.asarray(batch.clearances(self.constraints, legs) * self.scale)

    def merit(self, batch: Batch) -> Floats:
        """Return cost and what holds it ``(b,)``."""
        legs = batch.legs()
        miss = self.missed(batch, legs)
        held = self.pull * miss + _STIFF / 2 * miss * miss
        slack = np.maximum(-self.pull - _STIFF * miss, 0.0)
        free = (slack * slack - self.pull * self.pull) / (2 * _STIFF)
        return np.asarray(batch.cost(legs, self.constraints) + np.where(self.oneway, free, held).sum(axis=1))

    def harder(self, batch: Batch, miss: Floats) -> tuple[Batch, Hold]:
        """Return where to go on, and what to hold with, after so much was missed ``(g,)``.

        A step of Newton's method for places and multipliers together, what need not bind left out.
        """
        cols, _ = columns(batch)
        slope, hess = (part[0] for part in differences(batch, self.merit))
        u, top = batch.u[0, cols[0]], batch.top[0, cols[0]]
        live = np.flatnonzero(((u > 0) | (slope < 0)) & ((u < top) | (slope > 0)))
        binds = np.flatnonzero(~self.oneway | (self.pull + _STIFF * miss < 0))
        across = (_across(batch, self.constraints) * self.scale)[np.ix_(live, binds)]
        none = np.zeros((len(binds), len(binds)))
        both = np.block([[hess[np.ix_(live, live)], across], [across.T, none]])
        step = np.linalg.lstsq(both, -np.concatenate([slope[live], miss[binds]]), rcond=None)[0]
        pull = np.zeros(len(miss))
        pull[binds] = self.pull[binds] + step[len(live) :]
        new = batch.u.copy()
        new[0, cols[0, live]] = np.clip(u[live] + step[: len(live)], 0.0, top[live])
        return replace(batch, u=new), replace(self, pull=np.where(self.oneway, np.minimum(pull, 0.0), pull))

    def violated(self, miss: Floats) -> float:
        """How far from held, the multipliers considered."""
        return float(np.abs(np.where(self.oneway, np.minimum(miss, -self.pull / _STIFF), miss)).max())


def _held(net: TangentGraph, path: PathType) -> Optimum:
    """Return the shortest path of a type that just clears what it must, the clearance being smooth where it binds."""
    batch, constraints = gather(net, [path]).past_nothing(), path.constraints
    batch = replace(batch, u=np.clip(batch.u, 0.0, batch.top))
    oneway = np.array([not g.opposite for g in constraints])
    long = np.array([g.circle is None and not g.opposite for g in constraints])
    if long.any():
        batch = _to_the_limit(batch, constraints, long)
    # Where a clearance hardly changes along the rims it is multiplied, to be as stiff as others.
    across = _across(batch, constraints)
    steep = np.sqrt(np.square(across).sum(axis=0))
    scale = 1 / np.clip(steep, DIFFERENCE, np.where(long, np.inf, 1.0))
    slope = differences(batch, partial(Batch.cost, constraints=constraints))[0][0]
    u, top = (part[0, columns(batch)[0][0]] for part in (batch.u, batch.top))
    live = ((u > 0) | (slope < 0)) & ((u < top) | (slope > 0))

    def begun(which: Bools) -> Optimum:
        pull = -np.linalg.lstsq(across[which], slope[which], rcond=None)[0] / scale
        return _cleared(path, batch, Hold(constraints, np.where(oneway, np.minimum(pull, 0.0), pull), scale, oneway))

    best = begun(np.ones(len(u), dtype=bool))
    # What is held at the end of its rim tells nothing of how hard the others must be pulled.
    return best if best.clears or live.all() or not live.any() else begun(live)


def _cleared(path: PathType, batch: Batch, hold: Hold) -> Optimum:
    """Return the shortest path of a type that just clears what it must, with multipliers to begin with."""
    before = np.inf
    for _ in range(_HELD):
        batch, _ = settle(batch, hold.merit)
        miss = hold.missed(batch)[0]
        worst = hold.violated(miss)
        if worst < CLEARED or worst > before / 2:
            break  # cleared; or held by the end of a rim, and nothing is gained by pulling harder
        (batch, hold), before = hold.harder(batch, miss), worst
    legs = batch.legs()
    return Optimum(placed(path, batch.u[0]), float(batch.cost(legs)[0]), legs.sweep[0], hold.merit, worst < TOUCH)


def _to_the_limit(batch: Batch, constraints: Sequence[Constraint], which: Bools) -> Batch:
    """Go from places towards those of least cost for as far as ways stay short enough: there the limit binds."""
    free, _ = settle(batch)
    low, width = 0.0, 1.0
    many = batch.rows(np.zeros(_SHARES, dtype=int))
    for _ in range(_DIVIDED):
        width /= _SHARES + 1
        u = batch.u + (low + width * np.arange(1, _SHARES + 1)[:, None]) * (free.u - batch.u)
        short = replace(many, u=u).clearances(constraints)[:, which].min(axis=1) > 0
        low += width * int(np.cumprod(short).sum())
    return replace(batch, u=batch.u + low * (free.u - batch.u))


def _across(batch: Batch, constraints: Sequence[Constraint]) -> Floats:
    """Return the slopes of what the ways over of one path must clear: ``(s, g)``."""
    cols, _ = columns(batch)
    unit = np.zeros((cols.shape[1], batch.u.shape[1]))
    unit[np.arange(cols.shape[1]), cols[0]] = DIFFERENCE
    many = batch.rows(np.zeros(2 * len(unit), dtype=int))
    up, down = np.split(replace(many, u=many.u + np.concatenate([unit, -unit])).clearances(constraints), 2)
    return np.asarray((up - down) / (2 * DIFFERENCE))


# -- certificate --------------------------------------------------------------------------------------------------


def certify(net: TangentGraph, path: PathType) -> tuple[float, float]:
    """Say how far a path that was made shortest may still lie above the best path there is.

    Returns
    -------
    residual, snap
        What is left to gain within this type of path, from slope and curvature where it stands (inches); and what
        moving every crossing to the nearest sample of its rim can cost: types of path whose sampled cost is farther
        than that above the best are ruled out (inches).

    """
    if not path.slides:
        return 0.0, 0.0
    batch = gather(net, [path])
    cols, _ = columns(batch)
    slope, hess = _slopes(batch, cols[0], partial(Batch.cost, constraints=path.constraints))
    u, top, piece = (part[0, cols[0]] for part in (batch.u, batch.top, batch.piece))
    # A place held at the end of its rim is a sample itself; nothing is lost there.
    live = np.flatnonzero((u > _INSIDE) & (u < top - _INSIDE) & ~_where_landings_jump(batch, cols[0]))
    if not len(live):
        return 0.0, 0.0
    if path.constraints:
        across = _across(batch, path.constraints)[live]
        slope[live] -= across @ np.linalg.lstsq(across, slope[live], rcond=None)[0]
    inner = hess[np.ix_(live, live)]
    residual = float(slope[live] @ slope[live]) / (2 * max(float(np.linalg.eigvalsh(inner)[0]), SOFT))
    gaps = np.array([_gap(net, int(piece[k]), float(u[k])) for k in live])
    return residual, 0.5 * float(np.abs(inner).sum(axis=1) @ (gaps * gaps))


def _slopes(batch: Batch, cols: Ints, cost: Merit) -> tuple[Floats, Floats]:
    """First and second derivatives of the cost of one path ``(s,)`` and ``(s, s)``, inches.

    Differences tell nothing of links shorter than their step, as from a start that all but touches difficult ground.
    """
    ends = batch.slides[0, 1:] | batch.slides[0, :-1]
    whole = batch.legs().whole[0]
    if batch.over[0] or not (ends & (whole > ROUNDING) & (whole < MET)).any():
        slope, hess = differences(batch, cost)
        return slope[0], hess[0]
    slope, bend, tie = (part[0] for part in batch.slopes())
    both = np.diag(bend) + np.diag(tie, 1) + np.diag(tie, -1)
    return slope[cols], both[np.ix_(cols, cols)]


def _where_landings_jump(batch: Batch, cols: Ints) -> Bools:
    """Say which places of one path stand where a landing jumps from one place to another: they are held there."""
    beside = np.zeros((2 * len(cols), batch.u.shape[1]))
    beside[np.arange(len(beside)), np.tile(cols, 2)] = np.repeat([-HAIR, HAIR], len(cols))
    many = batch.rows(np.zeros(len(beside), dtype=int))
    change = np.abs(replace(many, u=many.u + beside).cost() - batch.cost()[0])
    return np.asarray((change > _STEEP * HAIR).reshape(2, -1).any(axis=0))


def _gap(net: TangentGraph, piece: int, u: float) -> float:
    """Half the distance between the samples on either side of a sliding place, inches."""
    marks = np.sort(net.samples_of(piece))
    if len(marks) < 2:
        return 0.0
    k = int(np.clip(np.searchsorted(marks, u), 1, len(marks) - 1))
    return float(marks[k] - marks[k - 1]) / 2
