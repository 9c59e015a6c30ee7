"""Cutting the rims that ways over begin and end on, so that a part can be used as a whole or not at all."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.geometry.breaks import circle_breaks, segment_breaks
from sbg_sim.geometry.grown import Grown, joined
from sbg_sim.geometry.pieces import Piece
from sbg_sim.solver.sheet import zone_discs
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.rules.zones import Zone
    from sbg_sim.solver.sheet import Sheet
    from sbg_sim.solver.ways import Portal

Floats = np.ndarray
_SHORT: Final = 1e-9  # inches: a part shorter than this holds no place that its neighbours do not hold
_STEP: Final = 0.02  # inches between places at which a shift straight across is first tried
_HALVINGS: Final = 30  # of such a step: down to a fiftieth of a nano-inch


def cut(sheet: Sheet, piece: Piece, *others: Grown, marks: Floats | None = None) -> list[Piece]:
    """Cut a line where what stands there changes; keep the parts on which the mover may be.

    Parameters
    ----------
    sheet
        The surface it lies on.
    piece
        The line.
    others
        What else has rims to cut at.
    marks
        Where else to cut, inches along it.

    """
    if piece.length == 0:
        return [piece]
    cutters = joined(sheet.walls, sheet.mire, zone_discs(sheet.zones), sheet.low, *others)
    u = np.concatenate([[0.0, piece.length], _breaks(piece, cutters)])
    if marks is not None and len(marks):
        # A place found by trying lies off the exact one by as much as two edges may overlap: that leaves no sliver.
        u = np.concatenate([u, marks[np.abs(marks[:, None] - u).min(axis=1) > 4 * TOUCH]])
    u = np.unique(u)
    u = u[(u >= 0) & (u <= piece.length)]
    mid = piece.at((u[:-1] + u[1:]) / 2)
    of_use = (np.diff(u) > _SHORT) & (sheet.free(mid) | sheet.bound(mid))
    return [part_of(piece, float(u[k]), float(u[k + 1])) for k in np.flatnonzero(of_use)]


def cut_rim(sheets: Sequence[Sheet], portal: Portal, piece: Piece, *, near: bool) -> list[Piece]:
    """Cut a rim piece of a way where what can be done there changes; keep the parts that are of use.

    Parameters
    ----------
    sheets
        The surfaces.
    portal
        The way over.
    piece
        A piece of its near or far rim.
    near
        Which of the two.

    """
    if piece.length == 0:
        return [piece]
    sheet = sheets[portal.source if near else portal.dest]
    # The way over must keep off what stands where it begins with both its ends, whichever surface they are on.
    away = sheets[portal.source].zones if portal.dest != portal.source else ()
    marks = _changes(sheets, portal, piece) if near and portal.way.across else None
    parts = cut(sheet, piece, zone_discs(away), portal.others, marks=marks)
    if not parts:
        return []
    mid = np.array([part.at(np.array(part.length / 2)) for part in parts])
    of_use = np.ones(len(parts), dtype=bool)
    if not portal.others.empty:
        of_use &= portal.others.clearance(mid) >= -TOUCH
    if sheet.target is None:
        of_use &= _clear(away, mid)
    if near and portal.way.across and of_use.any():
        of_use[of_use] = _passes(sheets, portal, mid[of_use]).any(axis=0)
    return [part for part, ok in zip(parts, of_use.tolist(), strict=True) if ok]


def _clear(zones: Sequence[Zone], p: Floats) -> Floats:
    """Say which places ``(n, 2)`` lie in none of some zones."""
    ok = np.ones(len(p), dtype=bool)
    for z in zones:
        ok &= np.hypot(p[:, 0] - z.at[0], p[:, 1] - z.at[1]) >= (z.floor if z.stuck else z.radius) - TOUCH
    return ok


def _breaks(piece: Piece, cutters: Grown) -> Floats:
    """Return where a piece crosses the rims of a grown set, inches along it."""
    if piece.radius:
        angles = circle_breaks(np.array(piece.start), piece.radius, cutters)
        return np.asarray(((angles - piece.toward[0]) % (2 * math.pi)) * piece.radius)
    ends = piece.at(np.array([0.0, piece.length]))
    return np.asarray(segment_breaks(ends[0], ends[1], cutters) * piece.length)


def _passes(sheets: Sequence[Sheet], portal: Portal, p: Floats) -> Floats:
    """Say whether the shift straight across from places is open, to one free, one that is bound by it, one bound."""
    q = portal.landing(p)
    landed = np.isfinite(q).all(axis=1)
    to = np.where(landed[:, None], q, p)
    found = []
    states = ((False, False), (False, True), (True, True))
    dest = sheets[portal.dest]
    for before, after in states if any(sheet.target is not None for sheet in sheets) else states[:1]:
        ok = portal.open(p, q, sheets[portal.source], np.full(len(p), before), np.full(len(p), after))
        found.append(landed & ok & (dest.bound(to) if after else dest.free(to)))
    return np.array(found)


def _beset(sheets: Sequence[Sheet], portal: Portal, piece: Piece) -> bool:
    """Say whether anything stands so near to a piece that it could close the way straight across."""
    p = piece.at(np.linspace(0.0, piece.length, 3))
    q = portal.landing(p)
    if not np.isfinite(q).all():
        return True
    both = np.concatenate([p, q])
    low, high = both.min(axis=0) - piece.radius, both.max(axis=0) + piece.radius
    dest = sheets[portal.dest]
    bodies = [portal.others, zone_discs(sheets[portal.source].zones), zone_discs(dest.zones)]
    if portal.source != portal.dest:
        walls = dest.walls
        mine = walls.owner < len(dest.blocks)  # what stands there, not the edge of the platform
        bodies.append(Grown(walls.spines[mine], walls.rho[mine], (), walls.owner[mine], ()))
    return any(not body.near(tuple(low), tuple(high)).empty for body in bodies)


def _changes(sheets: Sequence[Sheet], portal: Portal, piece: Piece) -> Floats:
    """Return where along a near rim the shift straight across opens or closes, or its landing turns a corner."""
    corners: list[float] = []
    if portal.source != portal.dest:
        for far in portal.far:
            ends = far.at(np.array([0.0, far.length]))
            corners += [piece.nearest((float(x), float(y)))[0] for x, y in ends]
    if not _beset(sheets, portal, piece):
        return np.array(corners)
    u = np.linspace(0.0, piece.length, max(3, math.ceil(piece.length / _STEP) + 1))
    u = np.unique(np.concatenate([u, np.array(corners)]))
    u = (u[:-1] + u[1:]) / 2
    ok = _passes(sheets, portal, piece.at(u))
    found = [np.array(corners)]
    for state in range(len(ok)):
        k = np.flatnonzero(ok[state, 1:] != ok[state, :-1])
        if not len(k):
            continue
        one, two, first = u[k], u[k + 1], ok[state, k]
        for _ in range(_HALVINGS):
            mid = (one + two) / 2
            same = _passes(sheets, portal, piece.at(mid))[state] == first
            one, two = np.where(same, mid, one), np.where(same, two, mid)
        found.append((one + two) / 2)
    return np.concatenate(found)


def part_of(piece: Piece, u0: float, u1: float) -> Piece:
    """Return the part of a rim piece between two parameters."""
    if piece.radius:
        return Piece(
            piece.start,
            (piece.toward[0] + u0 / piece.radius, 0.0),
            u1 - u0,
            piece.radius,
            piece.normal,
            piece.owner,
        )
    x, y = piece.at(np.array(u0)).tolist()
    return Piece((x, y), piece.toward, u1 - u0, 0.0, piece.normal, piece.owner)
