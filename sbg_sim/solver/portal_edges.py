"""The edges that lead over, up and down: from the near rims of solids to their far rims."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.geometry.breaks import circle_breaks, segment_breaks
from sbg_sim.geometry.grown import joined
from sbg_sim.geometry.pieces import Piece
from sbg_sim.solver.network import POINT, VIRTUAL
from sbg_sim.solver.sheet import Sheet, zone_discs
from sbg_sim.solver.ways import Portal, nearest_on
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.geometry.grown import Grown
    from sbg_sim.solver.weaver import Weaver

Floats = np.ndarray


def portal_edges(w: Weaver) -> None:
    """Sample the rims of every way and link each near place with the places it can lead to."""
    for j, portal in enumerate(w.portals):
        near = portal_rim(w, portal.source, portal.near, portal.others, 2 * j)
        if not len(near):
            continue
        w.only_in.append(near)
        xy = np.concatenate(w.nodes.xy)
        if portal.way.across or portal.way.foot is not None:
            q = portal.landing(xy[near])
            ok = np.isfinite(q).all(axis=1)
            far = landing_nodes(w, portal, near[ok], q[ok])
            w.only_out.append(far[far >= 0])
            link(w, j, portal, near[ok], far)
            link_to_goals(w, j, portal)
        else:
            far = portal_rim(w, portal.dest, portal.far, portal.others, 2 * j + 1)
            w.only_out.append(far)
            extra = [g for g in w.goals if on_far(w, portal, g)]
            far = np.concatenate([far, np.array(extra, dtype=np.int64)])
            a, b = np.meshgrid(near, far, indexing="ij")
            link(w, j, portal, a.ravel(), b.ravel())


def link_to_goals(w: Weaver, j: int, portal: Portal) -> None:
    """Straight across, a goal on the far rim is landed on from just one place: the one opposite."""
    for goal in [g for g in w.goals if on_far(w, portal, g)]:
        at = np.concatenate(w.nodes.xy)[[goal]]
        if portal.source == portal.dest:
            feet = portal.landing(at)
        else:
            feet = np.concatenate([nearest_on(piece, at) for piece in portal.near])
        feet = feet[np.isfinite(feet).all(axis=1)]
        back = portal.landing(feet) if len(feet) else feet
        feet = feet[np.hypot(*(back - at).T) <= TOUCH] if len(feet) else feet
        if len(feet):
            near = w.add_points(portal.source, feet)
            w.only_in.append(near)
            link(w, j, portal, near, np.full(len(near), goal))


def on_far(w: Weaver, portal: Portal, node: int) -> bool:
    """Whether a goal lies on the far rim of a way, so that a landing can be the end of the move."""
    sheets = np.concatenate(w.nodes.sheet)
    kinds = np.concatenate(w.nodes.kind)
    if sheets[node] != portal.dest or kinds[node] == VIRTUAL:
        return False
    x, y = np.concatenate(w.nodes.xy)[node]
    return any(piece.nearest((float(x), float(y)))[1] <= TOUCH for piece in portal.far)


def portal_rim(w: Weaver, i: int, rim: Sequence[Piece], others: Grown, name: int) -> Floats:
    """Sample a portal's rim where it is legal to stand; pieces are cut where legality changes."""
    sheet = w.sheets[i]
    made = []
    for piece in rim:
        for part in cut(sheet, piece, others):
            index = len(w.pieces)
            w.pieces.append(replace(part, owner=name))
            w.piece_sheet.append(i)
            made.append(w.samples(i, part, index))
    return np.concatenate(made) if made else np.zeros(0, dtype=np.int64)


def cut(sheet: Sheet, piece: Piece, others: Grown) -> list[Piece]:
    """Cut a rim piece where what stands there changes; keep the parts on which the mover may be.

    The way over must keep off the ``others`` with both its ends too, whichever surface they stand on.
    """
    if piece.length == 0:
        return [piece]
    cutters = joined(sheet.walls, sheet.mire, zone_discs(sheet.zones), sheet.low, others)
    if piece.radius:
        c = np.array(piece.start)
        u = ((circle_breaks(c, piece.radius, cutters) - piece.toward[0]) % (2 * math.pi)) * piece.radius
    else:
        ends = piece.at(np.array([0.0, piece.length]))
        u = segment_breaks(ends[0], ends[1], cutters) * piece.length
    marks = np.unique(np.concatenate([[0.0], u[(u > 0) & (u < piece.length)], [piece.length]]))
    parts = []
    for u0, u1 in zip(marks[:-1].tolist(), marks[1:].tolist(), strict=True):
        mid = piece.at(np.array([(u0 + u1) / 2]))
        keeps_off = others.empty or float(others.clearance(mid)[0]) >= -TOUCH
        if keeps_off and u1 - u0 > 1e-9 and (sheet.free(mid) | sheet.bound(mid)).all():
            parts.append(part_of(piece, u0, u1))
    return parts


def landing_nodes(w: Weaver, portal: Portal, near: Floats, q: Floats) -> Floats:
    """Make nodes where ways straight across come out; -1 where the mover may not be."""
    sheet = w.sheets[portal.dest]
    bound = np.concatenate(w.nodes.bound)[near]
    ok = np.where(bound, sheet.bound(q), sheet.free(q))
    ids = np.full(len(near), -1, dtype=np.int64)
    for state in (False, True):
        k = np.flatnonzero(ok & (bound == state))
        if len(k):
            ids[k] = w.nodes.add(q[k], portal.dest, bound=state, kind=POINT)
            w.points[portal.dest].append(ids[k])
    return ids


def link(w: Weaver, j: int, portal: Portal, a: Floats, b: Floats) -> None:
    """Add the edges of one way from places ``a`` to places ``b``."""
    ok = b >= 0
    a, b = a[ok], b[ok]
    if not len(a):
        return
    xy, bound = np.concatenate(w.nodes.xy), np.concatenate(w.nodes.bound)
    d = np.hypot(*(xy[b] - xy[a]).T)
    keep = ~(bound[a] & ~bound[b]) & (d <= portal.way.longest + 4 * portal.radius + TOUCH)
    a, b, d = a[keep], b[keep], d[keep]
    low = (d if portal.way.horizontal else np.zeros(len(a))) + portal.way.cost
    tests = portal.way.tests
    if tests <= 1:
        w.edge(a, b, low, toll=tests == 1, portal=j)
        return
    mid = w.nodes.add((xy[a] + xy[b]) / 2, portal.source, bound=bound[a], kind=VIRTUAL)
    w.edge(mid, b, np.zeros(len(a)), toll=True, portal=-2)
    good = portal.open(xy[a], xy[b], w.sheets[portal.source], bound[a], bound[b])
    cost = portal.cost(xy[a], xy[b], w.sheets[portal.source])
    w.edge(a, mid, np.where(good, cost, np.inf), toll=True, portal=-2)


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
