"""The shortest path of each type, and what proves that it is.

Where a way over must just clear something, multipliers take up the slope of the cost across it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from sbg_sim.solver.graph.tangent_graph import SPACING
from sbg_sim.solver.path.batch import Batch
from sbg_sim.solver.path.differences import columns, differences
from sbg_sim.solver.path.gathering import gather, slid
from sbg_sim.solver.path.lagrangian import clearances, constraints_of, first_lagrangian, slopes_across
from sbg_sim.solver.path.newton import joined_by, meeting, minimise
from sbg_sim.solver.path.paths import Slide, type_of
from sbg_sim.solver.space.configuration_space import all_even
from sbg_sim.tolerance import CLEARED, DIFFERENCE, HAIR, MET, OFF_CORNER, SLOPE_JUMPS, SOFT, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.path.lagrangian import Lagrangian
    from sbg_sim.solver.path.paths import Element, Path

_HELD: Final = 25  # rounds of new multipliers
_STEEP: Final = 100.0  # inches of cost per inch: a cost that rises by more jumps
_INSIDE: Final = 2 * TOUCH  # inches: a place farther than this from the ends of its rim slides, past STEP_RIM too


@dataclass(frozen=True)
class Optimum:
    """The shortest path of a type.

    Parameters
    ----------
    path, cost
        The path and its cost, inches.
    sweep
        The angle it turns by at each element, radians; against the turn of a ring where the arc has shrunk past
        nothing.
    length
        The lengths of its links, inches; zeros may follow.
    stopped
        Whether places stopped at the end of the stretch they may slide along at a time, though their rim goes on.
    lagrangian, number
        The Lagrangian that was minimised if the path has constraints, and the path's number in it (``Batch.of``).
    clears
        Whether its constraints are met.

    """

    path: Path
    cost: float
    sweep: Floats
    length: Floats
    stopped: bool
    lagrangian: Lagrangian | None = None
    number: int = 0
    clears: bool = True


def optimise(
    net: TangentGraph,
    paths: Sequence[Path],
    most: float | Floats = math.inf,
    *,
    within: bool = False,
    inner: bool = False,
) -> list[Optimum]:
    """Return the shortest path of each type, whether or not something is in its way.

    Of paths that cost more than ``most`` (inches, of each or of all) only that is found out. Places slide along smooth
    rims beyond their pieces too, as far as the distance of samples: farther off another sample stands for the path.
    Paths that leave their pieces are minimised ``within`` them as well, unless they have constraints and meet them.
    With ``within`` all stay on their pieces; with ``inner`` too, see :class:`Batch`.
    """
    found: dict[int, Optimum] = {}
    counts = np.array([len(path.constraints) if path.slides else 0 for path in paths])
    held = np.flatnonzero(counts).tolist()
    if held:  # a landing opposite to a fixed place follows it: then nothing slides
        counts[held] *= gather(net, [paths[n] for n in held]).slides.any(axis=1)
    bar = np.broadcast_to(most, len(paths))
    for count in sorted(set(counts.tolist())):
        alike = np.flatnonzero(counts == count).tolist()
        some = [paths[n] for n in alike]
        batch = replace(gather(net, some, aside=0.0 if within or inner else SPACING), inner=inner).letting_past()
        found |= zip(alike, _held(some, batch, bar[alike]) if count else _free(some, batch), strict=True)
    # Of some 190 paths that came to meet their constraints none was cheaper within its pieces.
    left = [n for n, best in found.items() if type_of(best.path) != type_of(paths[n])]
    left = [n for n in left if not (counts[n] and found[n].clears)]
    if left and not within and not inner:
        # A long step may pass over a cheaper position within the piece.
        bar = np.array([min(bar[n], found[n].cost if found[n].clears else np.inf) for n in left])
        for n, best in zip(left, optimise(net, [paths[n] for n in left], bar, within=True), strict=True):
            found[n] = min(found[n], best, key=_worth)
    return [found[n] for n in range(len(paths))]


def _free(paths: Sequence[Path], batch: Batch) -> list[Optimum]:
    """Return the shortest paths of types without constraints."""
    batch, cost = minimise(batch)
    legs = batch.legs()
    every = slid(batch, paths)
    return [
        Optimum(path, float(cost[k]), legs.sweep[k], legs.length[k], stopped)
        for k, (path, stopped) in enumerate(zip(every, _stopped(batch, every), strict=True))
    ]


def _stopped(batch: Batch, paths: Sequence[Path]) -> list[bool]:
    """Say which paths have a place at an end of its stretch that is not an end of its piece."""
    long = batch.net.rims.length
    return [
        any(
            ends[i] and isinstance(e, Slide) and TOUCH < e.u < long[e.piece] - TOUCH
            for i, e in enumerate(path.elements)
        )
        for path, ends in zip(paths, batch.ended.tolist(), strict=True)
    ]


def merits(net: TangentGraph, paths: Sequence[Path], like: Sequence[Optimum]) -> Floats:
    """Return for each path the function minimised for an optimum ``(n,)``, inches; infinite where it has no meaning."""
    out = np.full(len(paths), np.inf)
    for lagrangian in {one.lagrangian for one in like}:
        mine = [n for n, one in enumerate(like) if one.lagrangian is lagrangian]
        batch = gather(net, [paths[n] for n in mine], np.array([like[n].number for n in mine]))
        merit = batch.cost() if lagrangian is None else lagrangian.merit(batch)
        out[mine] = np.where(batch.cut_short, np.inf, merit)
    return out


def _held(paths: Sequence[Path], batch: Batch, most: Floats) -> list[Optimum]:
    """Return the shortest paths that meet their constraints, for types with the same number of constraints.

    Clearances are smooth where they bind. A path that stops where two rims meet, at a kink that no multiplier can
    balance, begins again beside that corner.
    """
    found = _held_from(paths, batch, most)
    missed = np.array([not best.clears for best in found])
    came = gather(batch.net, [best.path for best in found]) if missed.any() else batch
    off, u = _off_corners(came)
    again = np.flatnonzero(missed & off)
    if len(again):
        begun = replace(came.rows(again), of=np.arange(len(again)), u=u[again], past=batch.past[again])
        others = [paths[n] for n in again.tolist()]
        for n, best in zip(again.tolist(), _held_from(others, begun, most[again]), strict=True):
            found[n] = best if best.clears else found[n]
    return found


def _off_corners(batch: Batch) -> tuple[Bools, Floats]:
    """Say which paths have sliding places that met at ends of rims; return the positions moved off those ends."""
    off = np.minimum(OFF_CORNER, batch.top / 2)
    u = np.where(joined_by(meeting(batch)), np.clip(batch.u, off, batch.top - off), batch.u)
    return (u != batch.u).any(axis=1), u


def _held_from(paths: Sequence[Path], batch: Batch, most: Floats) -> list[Optimum]:
    """Return the same from the first positions alone."""
    batch, lagrangian, alone = first_lagrangian(
        replace(batch, u=np.clip(batch.u, 0.0, batch.top)), constraints_of(paths)
    )
    found = _cleared(paths, batch, lagrangian, most)
    again = np.array([n for n, best in enumerate(found) if not best.clears and n in alone], dtype=np.int64)
    if len(again):
        others = lagrangian.having(again, np.array([alone[n] for n in again.tolist()]))
        for best in _cleared(paths, batch.rows(again), others, most):
            found[best.number] = best
    # A path that began clear of all and came to cost more has strayed: again, with no step that makes it dearer.
    legs = batch.legs()
    clear = (clearances(batch, lagrangian.held, legs) >= -TOUCH).all(axis=1)
    begun = np.where(clear, batch.cost(legs, lagrangian.held), np.inf)
    again = np.array([n for n, best in enumerate(found) if best.cost > begun[n] + TOUCH], dtype=np.int64)
    for best in _cleared(paths, batch.rows(again), lagrangian, most, careful=True) if len(again) else ():
        found[best.number] = min(best, found[best.number], key=_worth)
    # A cost that bends down sharply across a constraint, as in circles of difficult ground, has a minimum there only
    # for a stiffer penalty; nor is a Lagrangian without a lower limit a bound.
    strayed = [n for n, best in enumerate(found) if not best.clears or best.cost > begun[n] + TOUCH]
    if strayed and not all_even(batch.net.spaces):
        again = np.array(strayed, dtype=np.int64)
        for best in _cleared(paths, batch.rows(again), lagrangian.stiffer(), most):
            found[best.number] = min(best, found[best.number], key=_worth)
    return found


def _worth(best: Optimum) -> tuple[bool, float]:
    """Return the key by which the best of several optima is chosen: constraints met first, then cost."""
    return not best.clears, best.cost


class _Round(NamedTuple):
    """A path after a round: positions, multipliers, violation of its constraints, least Lagrangian; inches."""

    u: Floats
    multipliers: Floats
    missed: float = math.inf
    least: float = -math.inf


@dataclass(eq=False)
class _Clearing:
    """A path while it is minimised under its constraints.

    Parameters
    ----------
    now
        The result of this round; ``before``: of the one before; ``nearest``: of the round with the least violation.
    astray
        The number of rounds that did not halve the violation, since the last that halved the least one.

    """

    now: _Round
    astray: int = 0

    def __post_init__(self) -> None:
        self.before = self.nearest = self.now

    def goes_on(self, most: float) -> bool:
        """Say whether another round may help, for a path that may cost up to ``most`` inches; else go back to the best.

        A single step may go too far and be made good by the next; two that do not help end it.
        """
        if self.now.missed > self.before.missed / 2:
            self.astray += 1
        if self.now.missed <= self.nearest.missed / 2:
            self.astray = 0
        self.nearest = min(self.nearest, self.now, key=lambda one: one.missed)
        if not self.now.missed >= CLEARED:
            return False
        if self.astray > 1:
            self.now = self.nearest._replace(least=self.now.least)
            return False
        return self.now.least <= most


def _cleared(
    paths: Sequence[Path], batch: Batch, lagrangian: Lagrangian, most: Floats, *, careful: bool = False
) -> list[Optimum]:
    """Return the shortest of some of the paths that meet their constraints, from given first multipliers.

    No path that meets them costs less than the least Lagrangian, whatever the multipliers (weak duality). If
    ``careful``, no step is taken that is dearer by its new multipliers, as at a kink a step may lead anywhere; there
    only the multipliers are improved.
    """
    every = [_Clearing(_Round(u, np.full(1, np.inf))) for u in batch.u]
    live, part = np.arange(len(every)), batch
    for _ in range(_HELD):
        part, least = minimise(part, lagrangian.merit, tied=lagrangian.tied)
        miss, some = lagrangian.missed(part), [every[k] for k in live.tolist()]
        missed, multipliers = lagrangian.violated(part, miss).tolist(), lagrangian.multipliers[part.of]
        for one, *now in zip(some, part.u, multipliers, missed, least.tolist(), strict=True):
            one.before, one.now = one.now, _Round(*now)
        on = np.array([n for n, one in enumerate(some) if one.goes_on(most[part.of[n]])], dtype=np.int64)
        live = live[on]
        if not len(live):
            break
        came, old = part.rows(on), lagrangian
        part, lagrangian = old.stepped(came, miss[on])
        if careful:
            dearer = lagrangian.merit(part) > lagrangian.merit(came)
            part.u[dearer] = came.u[dearer]
            lagrangian = lagrangian.having(part.of[dearer], old.improved(came, miss[on])[dearer])
    u, multipliers, missed, least = map(np.array, zip(*(one.now for one in every), strict=True))
    batch, lagrangian = replace(batch, u=u), lagrangian.having(batch.of, multipliers)
    legs, dear = batch.legs(), least > most[batch.of]
    cost = np.where(dear, np.maximum(batch.cost(legs), least), batch.cost(legs)).tolist()
    clears = (dear | (missed < TOUCH)).tolist()
    found = slid(batch, [paths[n] for n in batch.of.tolist()])
    return [
        Optimum(path, cost[k], legs.sweep[k], legs.length[k], stopped, lagrangian, n, clears[k])
        for k, (n, path, stopped) in enumerate(zip(batch.of.tolist(), found, _stopped(batch, found), strict=True))
    ]


# -- certificate --------------------------------------------------------------------------------------------------


def certify(net: TangentGraph, path: Path) -> tuple[float, float]:
    """Bound how far an optimal path of its type, and its cost as sampled, may lie above the best path there is.

    Returns
    -------
    residual, snap
        The gain left within this type of path, from slope and curvature at its positions (inches); and the most that
        moving every crossing to the nearest sample of its rim can cost (inches): types whose sampled cost lies farther
        than that above the best are ruled out.

    """
    if not path.slides:
        return 0.0, 0.0
    batch = gather(net, [path])
    cols, _ = columns(batch)
    held = constraints_of([path])
    slope, hess = (part[0] for part in differences(batch, partial(Batch.cost, held=held)))
    u, top = (part[0, cols[0]] for part in (batch.u, batch.top))
    # A place held at the end of its rim is a sample itself; nothing is lost there.
    live = np.flatnonzero((u > _INSIDE) & (u < top - _INSIDE) & ~_where_landings_jump(batch, cols[0]))
    if not len(live):
        return 0.0, 0.0
    spare, along = 0.0, np.eye(len(live))
    if path.constraints:
        clear = clearances(batch, held)[0]
        binds = clear < MET
        across = slopes_across(batch, held)[0, live][:, binds]
        multipliers, _, rank, _ = np.linalg.lstsq(across, slope[live], rcond=None)
        slope[live] -= across @ multipliers
        spare = float(np.abs(multipliers) @ np.maximum(clear[binds], 0.0))  # gain of using up the clearances
        # It can move only along the constraints that bind.
        along = np.linalg.svd(across)[0][:, rank:] if rank else along
    inner = hess[np.ix_(live, live)]
    bend, ways = np.linalg.eigh(along.T @ inner @ along)
    slope = ways.T @ along.T @ slope[live]
    kink = bend * DIFFERENCE / 2  # at a kink the cost rises on both sides, so that there is nothing to gain
    rests = (kink > SLOPE_JUMPS) & (np.abs(slope) <= kink)
    residual = spare + float((~rests * np.square(slope) / (2 * np.maximum(bend, SOFT))).sum())
    gaps = np.array([_gap(net, e) for e in map(path.elements.__getitem__, cols[0, live].tolist())])
    return residual, 0.5 * float(np.abs(inner).sum(axis=1) @ (gaps * gaps))


def _where_landings_jump(batch: Batch, cols: Ints) -> Bools:
    """Say which places of one path stand where a landing jumps from one place to another, which holds them there."""
    beside = np.zeros((2 * len(cols), batch.u.shape[1]))
    beside[np.arange(len(beside)), np.tile(cols, 2)] = np.repeat([-HAIR, HAIR], len(cols))
    many = batch.rows(np.zeros(len(beside), dtype=int))
    change = np.abs(replace(many, u=many.u + beside).cost() - batch.cost()[0])
    return np.asarray((change > _STEEP * HAIR).reshape(2, -1).any(axis=0))


def _gap(net: TangentGraph, element: Element) -> float:
    """Half the distance between the samples on either side of a sliding place, inches."""
    assert isinstance(element, Slide)
    marks, u = net.nodes.param[net.samples_of(element.piece)], element.u
    if len(marks) < 2:
        return 0.0
    k = int(np.clip(np.searchsorted(marks, u), 1, len(marks) - 1))
    return float(marks[k] - marks[k - 1]) / 2
