"""Cuts the rims on which ways over begin and end into parts, each usable all along or nowhere."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.arrays import ranges
from sbg_sim.geometry.breaks import circles_breaks
from sbg_sim.geometry.grown import Grown, joined, parts, segments_meet
from sbg_sim.geometry.pieces import Piece, without_specks
from sbg_sim.geometry.rims import Rims
from sbg_sim.solver.space.configuration_space import zone_discs
from sbg_sim.tolerance import ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.solver.space.configuration_space import Space
    from sbg_sim.solver.space.transitions import Transition

_STEP: Final = 0.02  # inches between the places at which a shift straight across is first tried
_PARTED: Final = 10  # times such a step is divided by eight: down to a fiftieth of a nano-inch
_EIGHTHS: Final = np.arange(1, 8) / 8


def cut(space: Space, pieces: Sequence[Piece], *others: Grown, marks: tuple[Ints, Floats] | None = None) -> list[Piece]:
    """Cut lines where the shapes about them change; return the parts on which the mover may be.

    Parameters
    ----------
    space
        The space of their surface.
    pieces
        The lines.
    others
        Further grown sets at whose rims to cut.
    marks
        Further places to cut at: numbers of lines, and inches along them.

    """
    rims = Rims(pieces)
    cutters = joined(space.curved, space.low, space.border, *others)
    breaks = crossed_by(rims, cutters)
    if marks is not None and len(marks[0]):
        numbers = np.arange(len(pieces))
        breaks.append(_apart(marks, [*breaks, (numbers, 0 * rims.length), (numbers, rims.length)]))
    row, u0, u1 = parts(rims.length, breaks)
    mid = rims.at(row, (u0 + u1) / 2)
    of_use = (u1 - u0 > ROUNDING) & (space.free(mid) | space.bound(mid))
    of_use |= rims.length[row] == 0
    first, last = without_specks(row, u0, u1, of_use)
    found = [
        pieces[j].part(begin, end) if rims.length[j] else pieces[j]
        for j, begin, end in zip(row[first].tolist(), u0[first].tolist(), u1[last].tolist(), strict=True)
    ]
    return found + _alone(space, rims, (row, u0, u1), of_use)


def _alone(space: Space, rims: Rims, found: tuple[Ints, Floats, Floats], of_use: Bools) -> list[Piece]:
    """Return single places between two closed parts: a passage exactly as wide as the base (MOV.4)."""
    row, u0, u1 = found
    shut = np.flatnonzero(~of_use & (u1 - u0 > ROUNDING))
    # Ends of closed parts, but for those that a part of use shares.
    beside = np.concatenate([[False], of_use, [False]])
    marked = np.concatenate([[-1], row, [-1]])
    first = shut[~(beside[shut] & (marked[shut] == row[shut]))]
    last = shut[~(beside[shut + 2] & (marked[shut + 2] == row[shut]))]
    at = rims.at(np.concatenate([row[first], row[last]]), np.concatenate([u0[first], u1[last]]))
    at = at[space.free(at) | space.bound(at)]
    ends = rims.at(np.tile(row[of_use], 2), np.concatenate([u0[of_use], u1[of_use]]))
    return _places(at, ends)


def _places(at: Floats, known: Floats) -> list[Piece]:
    """Return places ``(n, 2)`` as pieces of no length, without repeats and without known places ``(m, 2)``."""
    found: list[Piece] = []
    for x, y in at.tolist():
        if not (np.hypot(*(known - (x, y)).T) <= TOUCH).any():
            found.append(Piece((x, y), (1.0, 0.0), 0.0))
            known = np.concatenate([known, [(x, y)]])
    return found


def cut_rims(
    transition: Transition,
    pieces: Sequence[Piece],
    ways: Sequence[Transition],
    *,
    near: bool,
) -> list[Piece]:
    """Cut the rim pieces of a way over where its use changes; return the parts from or to which it can lead.

    Parameters
    ----------
    transition
        The way over.
    pieces
        Pieces of its near or far rim.
    ways
        All ways over: some may begin where this one lands.
    near
        Whether the pieces are of the near rim.

    """
    if not pieces:
        return []
    here, there = transition.here, transition.there
    space, other = (here, there) if near else (there, here)
    # Both ends of the way over must keep out of these zones, whichever surface the ends are on.
    away = () if here is there else other.zones
    marks = _changes(transition, Rims(pieces)) if near and transition.way.across else None
    # The weight of this way, and of a way that goes on from its landing, changes with the ground at its other end.
    onward = [way for way in ways if not near and way.source == transition.dest != way.dest]
    weighing = {way.dest: way.difficult for way in (transition, *onward) if way.way.horizontal}
    found = cut(space, pieces, zone_discs(away), transition.others, *weighing.values(), marks=marks)
    if not found:
        return []
    ladder = all(piece.length == 0 for piece in pieces)

    def of_use(p: Floats) -> Bools:
        ok = np.ones(len(p), dtype=bool)
        if not transition.others.empty:
            ok &= transition.others.clears(p, TOUCH)
        if space.target is None and (there.target is None or not near):
            for zone in away:
                ok &= ~zone.bars(p)
        if not near:
            ok &= space.may_end(p)  # a mover that rolls 2 to 5 stops where it lands (TER.4)
        if near and transition.way.across and ok.any():
            ok[ok] = _passes_by_state(transition, p[ok]).any(axis=0)
        return ok

    use = of_use(np.array([part.at(np.array(part.length / 2)) for part in found])) | ladder
    kept, shut = ([part for part, ok in zip(found, use.tolist(), strict=True) if ok is want] for want in (True, False))
    ends = Rims(shut).ends.reshape(-1, 2)
    ends = ends[of_use(ends)] if len(ends) else ends
    return kept + _places(ends, Rims(kept).ends.reshape(-1, 2))


def crossed_by(rims: Rims, cutters: Grown) -> list[tuple[Ints, Floats]]:
    """Return where pieces cross the rims of a grown set: numbers of pieces, and inches along them."""
    arcs = np.flatnonzero(rims.radius > 0)
    i, angle = circles_breaks(rims.start[arcs], rims.radius[arcs], cutters)
    i = arcs[i]
    found = [(i, ((angle - rims.toward[i, 0]) % (2 * math.pi)) * rims.radius[i])]
    straight = np.flatnonzero((rims.radius == 0) & (rims.length > 0))
    ends = rims.start[straight] + rims.length[straight, None] * rims.toward[straight]
    i, t = segments_meet(rims.start[straight], ends, cutters)
    return [*found, (straight[i], t * rims.length[straight[i]])]


def _apart(marks: tuple[Ints, Floats], known: Sequence[tuple[Ints, Floats]]) -> tuple[Ints, Floats]:
    """Return marks without those beside a known place on the same piece, so that no sliver is cut.

    Marks are found by trial, and lie off the exact places by as much as two edges may overlap.
    """
    row, u = marks
    rows, places = (np.concatenate([pair[n] for pair in known]) for n in (0, 1))
    # All pieces are laid out far apart on one line, where a sorted search finds the nearest known place.
    apart = 1 + max(float(places.max(initial=0.0)), float(u.max(initial=0.0)))
    line, at = np.sort(rows * apart + places), row * apart + u
    line = np.concatenate([[-math.inf], line, [math.inf]])
    k = np.searchsorted(line, at)
    keep = np.minimum(at - line[k - 1], line[k] - at) > 4 * TOUCH
    return row[keep], u[keep]


_STATES: Final = np.array([(False, False), (False, True), (True, True)])
"""Whether a mover is bound before and after a way over: free; bound by its landing (CHG.3); bound."""


def _passes_by_state(transition: Transition, p: Floats) -> Bools:
    """Say in each possible state from which places the shift straight across is open ``(s, n)``."""
    states = _STATES if transition.here.target or transition.there.target else _STATES[:1]
    places = np.tile(p, (len(states), 1))
    return _passes(transition, places, np.repeat(states, len(p), axis=0)).reshape(len(states), len(p))


def _passes(transition: Transition, p: Floats, state: Bools) -> Bools:
    """Say from which places the shift straight across is open, given states before and after it ``(n, 2)``."""
    q = transition.landing(p)
    landed: Bools = np.asarray(np.isfinite(q).all(axis=1))
    to = np.where(landed[:, None], q, p)
    free, bound = transition.there.states(to)
    ok = transition.open(p, q, state[:, 0], state[:, 1])
    return np.asarray(landed & ok & np.where(state[:, 1], bound, free) & transition.there.may_end(to))


def _changes(transition: Transition, rims: Rims) -> tuple[Ints, Floats]:
    """Return where along near rims the shift straight across opens or closes, or its landing meets a corner or a rim.

    The places are numbers of pieces, and inches along them.
    """
    numbers = np.arange(len(rims.length))
    turns = [np.zeros((0, 2))]
    if transition.far:
        far = Rims(transition.far)
        # The edge of the level below may cut the far rim too, as of a gap at the foot of a platform.
        there = transition.there
        edge = joined(there.border, there.walls.capsules(there.walls.owner >= len(there.blocks)))
        turns += [far.at(*crossed) for body in (there.difficult, edge) for crossed in crossed_by(far, body)]
        if transition.source != transition.dest:
            turns.append(far.ends.reshape(-1, 2))
    ends = np.concatenate(turns)
    rows, places = np.tile(numbers, len(ends)), rims.nearest(ends)[0].ravel()
    within = (places > 0) & (places < rims.length[rows])
    corners = (rows[within], places[within])
    steps = np.where(rims.length > 0, np.maximum(2, np.ceil(rims.length / _STEP)), 0).astype(np.int64)
    row = np.repeat(numbers, steps)
    at = rims.length[row] / steps[row] * ranges(np.zeros_like(steps), steps)
    piece, begin, end = parts(rims.length, [(row, at), corners])
    u = (begin + end) / 2
    of, u = piece[end > begin], u[end > begin]
    ok = _passes_by_state(transition, rims.at(of, u))
    state, k = np.nonzero((ok[:, 1:] != ok[:, :-1]) & (of[1:] == of[:-1]))
    if not len(k):
        return corners
    j, begin, end, first = of[k], u[k], u[k + 1], ok[state, k]
    many, states = np.repeat(j, len(_EIGHTHS)), np.repeat(_STATES[state], len(_EIGHTHS), axis=0)
    for _ in range(_PARTED):
        places = begin[:, None] + (end - begin)[:, None] * _EIGHTHS
        passes = _passes(transition, rims.at(many, places.ravel()), states).reshape(places.shape)
        same = np.logical_and.accumulate(passes == first[:, None], axis=1).sum(axis=1)
        begin, end = begin + (end - begin) * same / 8, begin + (end - begin) * (same + 1) / 8
    # The part of use must be so up to its very end, even when rounding moves that end.
    inner = np.where(first, begin - ROUNDING, end + ROUNDING)
    return np.concatenate([corners[0], j]), np.concatenate([corners[1], inner])
