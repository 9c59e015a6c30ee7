"""Circles a path can wrap round: which arcs are open, what they cost, and how nodes are strung along them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.geometry.breaks import TAU, circle_breaks, line_breaks
from sbg_sim.geometry.grown import Grown, discs, grown
from sbg_sim.solver.sheet import MIRE_RIM, Sheet, zone_discs
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

Floats = np.ndarray
_EDGE = 1e-9  # radians: a tangent may touch at the very end of an open arc


@dataclass
class Ring:
    """One circle of one sheet.

    Parameters
    ----------
    center, rho
        Inches.
    sheet
        Index of its sheet.
    angles
        Sorted angles ``(m,)`` at which what the arc may do changes; arc ``i`` runs from ``angles[i]`` on.
    open
        ``(2, m)``: whether arc ``i`` can be travelled by a free (row 0) or a bound (row 1) mover.
    weight
        ``(m,)`` 1 or 2.
    inner
        ``(m,)`` which zones the arc lies in that the mover started in, as bits.
    seams
        Angles at which the target's zone begins, so that a free mover can become bound.

    """

    center: tuple[float, float]
    rho: float
    sheet: int
    angles: Floats
    open: Floats
    weight: Floats
    inner: Floats
    seams: Floats

    def __post_init__(self) -> None:
        width = np.diff(np.concatenate([self.angles, [self.angles[0] + TAU]]))
        self.width = width
        self.begin = np.concatenate([[0.0], np.cumsum(width * self.weight * self.rho)])

    def locate(self, theta: Floats, bound: Floats) -> Floats:
        """Arc index of angles ``(n,)`` on which a mover can be, -1 where the arc is closed."""
        m = len(self.angles)
        rel = (theta - self.angles[0]) % TAU
        i = np.searchsorted(self.angles - self.angles[0], rel, side="right") - 1
        into = rel - (self.angles[i] - self.angles[0])
        row = np.asarray(bound, dtype=np.int64)
        ok = self.open[row, i]
        before, after = (i - 1) % m, (i + 1) % m
        use_before = ~ok & (into <= _EDGE) & self.open[row, before]
        use_after = ~ok & ~use_before & (self.width[i] - into <= _EDGE) & self.open[row, after]
        return np.asarray(np.where(ok, i, np.where(use_before, before, np.where(use_after, after, -1))))

    def along(self, theta: Floats, arc: Floats) -> Floats:
        """Cost (inches) from the first angle counter-clockwise to angles on given arcs."""
        rel = (theta - self.angles[arc]) % TAU
        rel = np.where(rel > TAU - 2 * _EDGE, 0.0, rel)
        return np.asarray(self.begin[arc] + np.minimum(rel, self.width[arc]) * self.weight[arc] * self.rho)

    def chain(self, bound: int, turn: int) -> tuple[Floats, Floats, bool]:
        """Return string numbers of the arcs for travel with a turn, their order, and whether it closes on itself."""
        m = len(self.angles)
        order = np.arange(m) if turn > 0 else np.arange(m)[::-1]
        ok = self.open[bound][order]
        prev = np.roll(order, 1)
        # Into a zone that has been left there is no way back (CZ.4).
        entering = (self.inner[order] & ~self.inner[prev]) != 0 if not bound else np.zeros(m, dtype=bool)
        cut = ~ok | entering | ~np.roll(ok, 1)
        closes = not cut.any()
        if not closes:
            # Begin where an open arc follows a closed one: then nothing lies at the end of the last arc, where
            # rounding could not tell it from the beginning.
            after_closed = ok & ~np.roll(ok, 1)
            k = int(np.flatnonzero(after_closed if after_closed.any() else cut)[0])
            order, cut = np.roll(order, -k), np.roll(cut, -k)
        string = np.zeros(m, dtype=np.int64)
        string[order] = np.cumsum(cut)
        return string, order, closes


def make_rings(sheets: Sequence[Sheet], extra: Sequence[Sequence[tuple[float, float, float]]]) -> list[Ring]:
    """Make the rings of all sheets.

    Parameters
    ----------
    sheets
        The sheets.
    extra
        For each sheet, further circles ``(x, y, rho)`` that are wanted.

    """
    return [ring for i, sheet in enumerate(sheets) for ring in _rings_of(i, sheet, extra[i])]


def _rings_of(index: int, sheet: Sheet, extra: Sequence[tuple[float, float, float]]) -> list[Ring]:
    zones = zone_discs(sheet.zones)
    circles: dict[tuple[float, float, float], bool] = {}
    for body, is_mire in ((sheet.walls, False), (zones, False), (sheet.mire, True)):
        for (ax, ay, bx, by), rho in zip(body.spines.tolist(), body.rho.tolist(), strict=True):
            if rho > 0:
                circles.setdefault((ax, ay, rho), is_mire)
                circles.setdefault((bx, by, rho), is_mire)
    for row in extra:
        circles.setdefault(row, False)
    cutters = [sheet.walls, zones, sheet.mire]
    if sheet.inside is not None and not sheet.inside.rings:
        cutters.append(grown([(sheet.inside, -sheet.radius)]))
    made, mids = [], []
    for (x, y, rho), is_mire in circles.items():
        c = np.array([x, y])
        angles = _angles(c, rho, cutters, sheet)
        width = np.diff(np.concatenate([angles, [angles[0] + TAU]]))
        mid = angles + width / 2
        made.append((x, y, rho, is_mire, angles))
        mids.append(np.stack([x + rho * np.cos(mid), y + rho * np.sin(mid)], axis=1))
    if not made:
        return []
    points = np.concatenate(mids)
    free, bound = sheet.free(points), sheet.bound(points)
    depth = sheet.mire.clearance(points)
    inner = _inner(sheet, points)
    rings, at = [], 0
    for x, y, rho, is_mire, angles in made:
        s = slice(at, at + len(angles))
        at += len(angles)
        deep = depth[s] < -MIRE_RIM
        # The rim of difficult ground is of use only where it is the rim of all of it.
        usable = ~deep if is_mire else np.ones(len(angles), dtype=bool)
        open_ = np.stack([free[s] & usable, bound[s] & usable])
        if open_.any():
            rings.append(
                Ring(
                    (x, y),
                    rho,
                    index,
                    angles,
                    open_,
                    np.where(deep, 2.0, 1.0),
                    inner[s],
                    _seams(sheet, x, y, rho),
                )
            )
    return rings


def _angles(c: Floats, rho: float, cutters: Sequence[Grown], sheet: Sheet) -> Floats:
    found = [circle_breaks(c, rho, cutter) for cutter in cutters]
    found.append(line_breaks(*sheet.box, c, rho))
    angles = np.unique(np.concatenate(found) % TAU)
    return angles if len(angles) else np.zeros(1)


def _inner(sheet: Sheet, p: Floats) -> Floats:
    bits = np.zeros(len(p), dtype=np.int64)
    for k, zone in enumerate(z for z in sheet.zones if z.stuck):
        d = np.hypot(p[:, 0] - zone.at[0], p[:, 1] - zone.at[1])
        bits |= (d < zone.radius - TOUCH).astype(np.int64) << k
    return bits


def _seams(sheet: Sheet, x: float, y: float, rho: float) -> Floats:
    if sheet.target is None:
        return np.zeros(0)
    zone = sheet.target
    return circle_breaks(np.array([x, y]), rho, discs([(*zone.at, zone.radius)]))
