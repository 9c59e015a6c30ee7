"""Newton's method with an active set, on many paths at once: it moves sliding places to where each path costs least.

One path is a batch of one. Slopes and curvatures are in closed form for paths without ways over, else taken by
differences, with closed forms for short links.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.arrays import greatest
from sbg_sim.solver.path.batch import FIXED, Batch
from sbg_sim.solver.path.differences import at_ends, columns, differences, held_at_ends
from sbg_sim.tolerance import (
    CONDITION,
    CREEPS,
    DIFFERENCE,
    FLAT,
    HAIR,
    LAST_DIGIT,
    MET,
    OFF_END,
    ROUNDING,
    SOFT,
    STILL,
    TINY,
)

if TYPE_CHECKING:
    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.solver.path.differences import Merit

_ROUNDS: Final = 60  # Newton steps; far from the optimum they are an inch long at most
_SHORTER: Final = 4.0 ** -np.arange(1, 14)  # shares of a step
_GROUPS: Final = np.split(_SHORTER, (2, 6))  # tried one after the other, for few paths all at once
_FEW: Final = 50
_MUCH: Final = 0.1  # a step shortened to less than this share may have met a kink
_INNER: Final = np.arange(1, 16)  # points between two shares at which the best share of such a step is sought
_REFINED: Final = 2  # rounds of that, each between the neighbours of the best
_CREEP: Final = 0.01  # a path creeps if it can go no more than this share of a step longer than CREEPS
_IDLE: Final = 3  # a path rests after this many steps without gain: along a ring a place may slide to and fro
_SHRINKS: Final = 0.9  # near an optimum each step is shorter than this share of the one before
_STRIDES: Final = 4.0 ** np.arange(1, 6)  # multiples of a step tried where steps do not shrink
_MANY: Final = 1000  # from this many paths on it pays to sort them by their elements
_NEAR: Final = 0.01  # inches: places this near each other are tried together


def minimise(batch: Batch, merit: Merit = Batch.cost, *, tied: bool = False) -> tuple[Batch, Floats]:
    """Move the sliding places of each path to where it costs least; return the paths and their costs (inches).

    Parameters
    ----------
    batch
        The paths with their first positions.
    merit, tied
        The function to minimise, and whether it couples places that are not neighbours.

    """
    if merit is Batch.cost:
        return _slid_off_ends(batch)[:2]
    batch, value, _ = _slid(batch, merit, tied=tied)
    return batch, value


def minimise_most(batch: Batch) -> tuple[Batch, Floats, Bools]:
    """Do as :func:`minimise`, but give up paths that creep into a kink; return which were given up ``(b,)`` too.

    Where two places run into each other another type of path is cheaper. Large batches are sorted into parts.
    """
    if len(batch) < _MANY:
        return _slid_off_ends(batch, _CREEP)
    u, value, crept = batch.u.copy(), np.empty(len(batch)), np.zeros(len(batch), dtype=bool)
    for k, part in batch.parts():
        slid, value[k], crept[k] = _slid_off_ends(part, _CREEP)
        u[k, : slid.u.shape[1]] = slid.u
    return replace(batch, u=u), value, crept


def _slid_off_ends(batch: Batch, creep: float = 0.0) -> tuple[Batch, Floats, Bools]:
    """Minimise the cost of paths, and again from beside the end of a rim for those that stopped there too early."""
    batch, value, crept = _slid(batch, Batch.cost, creep=creep)
    k, u = _off_ends(batch)
    if len(k):
        other, new, _ = _slid(replace(batch.rows(k), u=u), Batch.cost, creep=creep)
        # This near to the begin a tangent is as short as rounding errors, and its cost tells nothing.
        better = np.flatnonzero((new < value[k]) & (greatest(np.abs(other.u - u)) > OFF_END))
        batch.u[k[better]], value[k[better]] = other.u[better], new[better]
    return batch, value, crept


def _off_ends(batch: Batch) -> tuple[Ints, Floats]:
    """Return which paths stopped at the end of a rim though their cost falls from there, and positions just off it.

    Where a tangent to a ring shrinks to nothing it turns with the root of the distance that a place slides, so that
    Newton's steps overshoot.
    """
    near = np.minimum(OFF_END, batch.top / 2)
    first, last = batch.slides & (batch.u < near), batch.slides & (batch.u > batch.top - near)
    some = np.flatnonzero(~batch.over & (first | last).any(axis=1))
    part = batch.rows(some)
    slope = part.slopes()[0]
    first, last = first[some] & (slope < -FLAT), last[some] & (slope > FLAT)
    u = np.where(first, near[some], np.where(last, part.top - near[some], part.u))
    k = np.flatnonzero((first | last).any(axis=1))
    return some[k], u[k]


class _Progress:
    """The length of the last step of each path and its number of steps without gain, which tell whether it rests."""

    def __init__(self, count: int) -> None:
        self.moved, self.idle = np.full(count, np.inf), np.zeros(count, dtype=np.int64)

    def steady(self, k: Ints, moved: Floats) -> Bools:
        """Say which of the paths ``k`` took steps (inches) that do not shrink."""
        return np.asarray(moved > _SHRINKS * self.moved[k])

    def rests(self, k: Ints, moved: Floats, gain: Floats, joined: Bools) -> Bools:
        """Say which of the paths ``k`` rest, given the length and the gain of their step (inches), and note the step.

        A path rests if it did not move; if it moved a little without gain, or by steps that shrink no more, which is
        rounding; or after several steps without gain. After places were ``joined`` it does not rest.
        """
        gained = gain > LAST_DIGIT
        at_rest = (moved <= STILL) | (~gained & (moved <= OFF_END)) | ((moved < HAIR) & self.steady(k, moved))
        self.moved[k], self.idle[k] = moved, np.where(gained, 0, self.idle[k] + 1)
        return np.asarray((at_rest & ~joined) | (self.idle[k] >= _IDLE))


def _slid(batch: Batch, merit: Merit, *, creep: float = 0.0, tied: bool = False) -> tuple[Batch, Floats, Bools]:
    """Minimise from the first positions alone; return the paths, their costs, and which were given up ``(b,)``.

    Given up are paths that can go no more than the share ``creep`` of their step, if places of theirs have met.
    """
    top = batch.top
    u = np.clip(batch.u, 0.0, top)
    part = replace(batch, u=u)
    value = merit(part)
    u, crept = u.copy(), np.zeros(len(u), dtype=bool)
    closed = ~batch.over if merit is Batch.cost else np.zeros(len(u), dtype=bool)
    live, stay = np.arange(len(u)), batch.slides.any(axis=1) & np.isfinite(value)
    progress, earlier = _Progress(len(u)), u.copy()
    for _ in range(_ROUNDS):
        if not stay.all():
            part, live = part.rows(np.flatnonzero(stay)), live[stay]
        if not len(live):
            break
        high = top[live]
        step = _step(part, high, closed[live], merit, tied=tied)
        onward, new, moved = _search(part, high, step, value[live], merit)
        joined = np.zeros(len(live), dtype=bool)
        if not closed[live].all():
            apart = onward
            onward, new = _together(replace(part, u=apart), new, high, merit, ~closed[live])
            joined = greatest(np.abs(onward - apart)) > ROUNDING
        steady = np.flatnonzero(progress.steady(live, moved) & (moved > HAIR) & (not batch.inner))
        if len(steady):
            came = np.stack([part.u[steady], earlier[live[steady]]], axis=1)
            onward[steady], new[steady] = _strode(
                replace(part.rows(steady), u=onward[steady]), high[steady], came, new[steady], merit
            )
        earlier[live] = part.u
        part, u[live] = replace(part, u=onward), onward
        gain, value[live] = value[live] - new, new
        wanted = greatest(np.abs(step))
        slow = np.flatnonzero((moved < creep * wanted) & (wanted > CREEPS) & (gain < CREEPS))
        if len(slow):
            crept[live[slow]] = meeting(part.rows(slow)).any(axis=1)
        stay = ~progress.rests(live, moved, gain, joined) & ~crept[live]
    k = np.flatnonzero(~closed)
    if len(k):
        u[k], value[k] = _ended(replace(batch.rows(k), u=u[k]), value[k], top[k], merit)
    return replace(batch, u=u), value, crept


def _together(batch: Batch, value: Floats, top: Floats, merit: Merit, of: Bools) -> tuple[Floats, Floats]:
    """Join places of some paths that nearly meet, or put both on the corner between them, if that costs no more.

    Returns positions and costs (inches). Where two places meet the cost has a kink: moved together they go on, while a
    step of either alone is cut short.
    """
    u, near = batch.u, meeting(batch, _NEAR)
    k = np.flatnonzero(near.any(axis=1) & of)
    if not len(k):
        return u, value
    at, tangent = batch.places(), batch.frame()[0]
    onto, corner, meets = u.copy(), u.copy(), joined_by(near)
    onto[:, 1:] += np.where(near, ((at[:, :-1] - at[:, 1:]) * tangent[:, 1:]).sum(axis=-1), 0.0)
    corner[meets & (u < _NEAR)] = 0.0
    corner = np.where(meets & (u > top - _NEAR), top, corner)
    others = (np.clip(onto, 0.0, np.maximum(top, 0.0)), corner)
    some = [k[(other[k] != u[k]).any(axis=1)] for other in others]
    every = np.concatenate(some)
    if not len(every):
        return u, value
    trial = np.concatenate([other[rows] for other, rows in zip(others, some, strict=True)])
    costs = np.split(merit(replace(batch.rows(every), u=trial)), [len(some[0])])
    u, value = u.copy(), value.copy()
    for other, rows, new in zip(others, some, costs, strict=True):
        good = new <= value[rows]
        u[rows[good]], value[rows[good]] = other[rows[good]], new[good]
    return u, value


def meeting(batch: Batch, within: float = MET) -> Bools:
    """Say which straight links join two sliding places at most ``within`` inches apart ``(b, k - 1)``."""
    both = batch.slides[:, 1:] & batch.slides[:, :-1] & (batch.transition < 0)
    return np.asarray(both & (batch.apart() <= within)) if both.any() else both


def joined_by(links: Bools) -> Bools:
    """Say which places ``(b, k)`` are ends of the given links ``(b, k - 1)``."""
    return np.pad(links, ((0, 0), (0, 1))) | np.pad(links, ((0, 0), (1, 0)))


def _step(batch: Batch, top: Floats, closed: Bools, merit: Merit, *, tied: bool) -> Floats:
    """Newton's step ``(b, k)``, in closed form for the paths that allow it."""
    if closed.all():
        return _closed_step(batch, top)
    step, even, alone = np.zeros(top.shape), np.flatnonzero(~closed), np.flatnonzero(closed)
    step[even] = _even_step(batch.rows(even), merit, tied=tied)
    if len(alone):
        step[alone] = _closed_step(batch.rows(alone), top[alone])
    return step


def _closed_step(batch: Batch, top: Floats) -> Floats:
    """Newton's step ``(b, k)`` from closed forms, by elimination along each path."""
    slope, bend, tie = batch.slopes()
    held = ~batch.slides | at_ends(batch.u, top, slope)
    slope[held], bend[held] = 0.0, 1.0
    tie[held[:, :-1] | held[:, 1:]] = 0.0
    # Elimination with every pivot kept positive, so that the step always leads downhill.
    tied = np.flatnonzero(tie.any(axis=0)).tolist()
    pivot, step = np.maximum(np.abs(bend), SOFT), -slope
    for k in tied:
        share = tie[:, k] / pivot[:, k]
        pivot[:, k + 1] = np.maximum(np.abs(bend[:, k + 1] - share * tie[:, k]), SOFT)
        step[:, k + 1] -= share * step[:, k]
    step /= pivot
    for k in reversed(tied):
        step[:, k] -= tie[:, k] * step[:, k + 1] / pivot[:, k]
    return _limited(step)


def _even_step(batch: Batch, merit: Merit, *, tied: bool) -> Floats:
    """Newton's step ``(b, k)`` by differences, made to lead downhill."""
    step = np.zeros(batch.u.shape)
    cols, real = columns(batch)
    rows = np.arange(len(batch))[:, None]
    slope, hess = differences(batch, merit, tied=tied)
    held = ~real | held_at_ends(batch, slope, hess)
    slope[held] = 0.0
    hess[held[:, :, None] | held[:, None, :]] = 0.0
    every = np.arange(cols.shape[1])
    hess[:, every, every] += held
    way = _downhill(slope, hess, each=merit is Batch.cost)
    for k in every.tolist():
        step[rows[real[:, k], 0], cols[real[:, k], k]] = way[real[:, k], k]
    return _limited(step)


def _downhill(slope: Floats, hess: Floats, *, each: bool) -> Floats:
    """Newton's step ``(b, s)``, curvatures made positive: each by itself, or all by a multiple of the unit matrix.

    By itself, so that a kink between two places, curved almost infinitely either way, does not hold up the rest. Not
    with multipliers, where over one corner the path came out dearer (small hedges 4201489).
    """
    least = np.maximum(SOFT, CONDITION * np.abs(hess).max(axis=(1, 2), initial=0.0))[:, None]
    bend, along = np.linalg.eigh(hess)
    bend = np.maximum(np.abs(bend), least) if each else bend + np.maximum(0.0, least - bend[:, :1])
    return np.asarray(-(along @ (along.transpose(0, 2, 1) @ slope[..., None] / bend[..., None]))[..., 0])


def _limited(step: Floats) -> Floats:
    """Shorten steps to an inch at most."""
    step = np.where(np.isfinite(step), step, 0.0)
    big = np.maximum(greatest(np.abs(step)), TINY)
    return np.asarray(step * np.minimum(1.0, 1.0 / big)[:, None])


def _search(batch: Batch, top: Floats, step: Floats, here: Floats, merit: Merit) -> tuple[Floats, Floats, Floats]:
    """Shorten steps until none makes a path dearer; return positions, costs, and how far places moved (inches).

    If a step had to be shortened much, the best share of it is sought: where two places meet the cost has a kink, and
    steps that merely stop short of it would approach it ever more slowly.
    """
    most, u = here + LAST_DIGIT * np.maximum(1.0, here), np.clip(batch.u + step, 0.0, top)
    value = merit(replace(batch, u=u))
    bad = ~(value <= most)
    if not bad.any():
        return u, value, greatest(np.abs(u - batch.u))
    todo, share = np.flatnonzero(bad), np.ones(len(here))
    u[todo], value[todo] = batch.u[todo], here[todo]
    wanted = greatest(np.abs(step))
    left = todo[wanted[todo] > HAIR]  # where a path rises over a shorter step, that is rounding
    for shares in _GROUPS if len(left) > _FEW else [_SHORTER]:
        if not len(left):
            break
        trial, new = _parts(batch, top, step, left, np.tile(shares, (len(left), 1)), merit)
        good = new <= most[left, None]
        first, rows = good.argmax(axis=1), np.flatnonzero(good.any(axis=1))
        k, first = left[rows], first[rows]
        u[k], value[k], share[k] = trial[rows, first], new[rows, first], shares[first]
        left = np.delete(left, rows)
    todo = np.flatnonzero((share < _MUCH) & (wanted > HAIR))
    low, width = share[todo], 3 * share[todo]
    for _ in range(_REFINED if len(todo) else 0):
        width /= len(_INNER) + 1
        trial, new = _parts(batch, top, step, todo, low[:, None] + width[:, None] * _INNER, merit)
        best = new.argmin(axis=1)
        rows = np.flatnonzero(new[np.arange(len(todo)), best] < value[todo])
        k, best = todo[rows], best[rows]
        u[k], value[k] = trial[rows, best], new[rows, best]
        low[rows] += width[rows] * best
        width[rows] *= 2
    return u, value, greatest(np.abs(u - batch.u))


def _strode(batch: Batch, top: Floats, before: Floats, here: Floats, merit: Merit) -> tuple[Floats, Floats]:
    """Go on in the directions from earlier positions ``(b, w, k)`` as far as it pays; return positions and costs.

    Where a cost falls almost evenly there is no curvature, and Newton's steps are short and do not shrink. Beside a
    kink that bends, every other step leads across it: two of them together lead along it.
    """
    way = batch.u[:, None] - before
    shares = np.minimum(_STRIDES, 1 / np.maximum(np.abs(way).max(axis=2, keepdims=True), TINY))
    on, rows = (way[:, :, None] * shares[..., None]).reshape(len(here), -1, way.shape[2]), np.arange(len(here))
    trial, new = _moved(batch, top, on, rows, merit)
    best = np.where(new < here[:, None], new, np.inf).argmin(axis=1)
    good = new[rows, best] < here - LAST_DIGIT
    return np.where(good[:, None], trial[rows, best], batch.u), np.where(good, new[rows, best], here)


def _parts(batch: Batch, top: Floats, step: Floats, k: Ints, shares: Floats, merit: Merit) -> tuple[Floats, Floats]:
    """Return the positions of paths ``k`` after shares ``(n, s)`` of their steps, and their costs there."""
    return _moved(batch, top, shares[..., None] * step[k, None], k, merit)


def _moved(batch: Batch, top: Floats, steps: Floats, k: Ints, merit: Merit) -> tuple[Floats, Floats]:
    """Return the positions of paths ``k`` after each of some steps ``(n, s, j)``, and their costs there ``(n, s)``."""
    part = batch.rows(np.repeat(k, steps.shape[1]))
    trial = np.clip(batch.u[k, None] + steps, 0.0, top[k, None])
    return trial, merit(replace(part, u=trial.reshape(part.u.shape))).reshape(steps.shape[:2])


def _ended(batch: Batch, value: Floats, top: Floats, merit: Merit) -> tuple[Floats, Floats]:
    """Put places just short of the end of a piece, or of a fixed place beside them, on it if that costs no more.

    Differences taken there reach past the end, or to both sides of a kink.
    """
    ends = [np.where(np.abs(batch.u - end) <= 2 * DIFFERENCE, end, batch.u) for end in (np.zeros(top.shape), top)]
    u = batch.u.copy()
    for onto in (*ends, _on_fixed(batch)):
        near = batch.slides & (onto != batch.u)
        for i in np.flatnonzero(near.any(axis=0)).tolist():
            k = np.flatnonzero(near[:, i])
            trial = u[k]
            trial[:, i] = onto[k, i]
            new = merit(replace(batch.rows(k), u=trial))
            good = new <= value[k]
            u[k[good]], value[k[good]] = trial[good], new[good]
    return u, value


def _on_fixed(batch: Batch) -> Floats:
    """Return positions with places nearly on a fixed place of their rim moved onto it ``(b, k)``, inches."""
    onto, legs = batch.u.copy(), batch.legs()
    at, near = batch.places(), (legs.whole > 0) & (legs.whole <= 2 * DIFFERENCE)
    tangent = batch.frame()[0]
    for mine, other in ((slice(1, None), slice(None, -1)), (slice(None, -1), slice(1, None))):
        k = near & batch.slides[:, mine] & (batch.kind[:, other] == FIXED)
        along = ((at[:, other] - at[:, mine]) * tangent[:, mine]).sum(axis=-1)
        onto[:, mine] = np.where(k, onto[:, mine] + along, onto[:, mine])
    return np.clip(onto, 0.0, np.maximum(batch.top, 0.0))
