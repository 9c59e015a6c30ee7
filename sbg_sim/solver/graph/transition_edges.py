"""The edges that lead over, up and down: from the near rims of solids to their far rims."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.geometry.rims import Rims
from sbg_sim.solver.graph.tangent_graph import POINT, VIRTUAL, rim_owner
from sbg_sim.solver.space.rims import cut_rims, part_of
from sbg_sim.solver.space.transitions import Transition, nearest_on
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Floats, Ints
    from sbg_sim.geometry.pieces import Piece
    from sbg_sim.solver.graph.graph_builder import GraphBuilder


def transition_edges(w: GraphBuilder) -> None:
    """Sample the rims of every way and link each near place with the places it can lead to."""
    for j, transition in enumerate(w.transitions):
        near = transition_rim(w, transition, j, near=True)
        if not len(near):
            continue
        w.only_in.append(near)
        xy = np.concatenate(w.nodes.xy)
        if transition.way.across or transition.way.foot is not None:
            q = transition.landing(xy[near])
            ok = np.isfinite(q).all(axis=1)
            for bound in (False, True):
                far = landing_nodes(w, transition, near[ok], q[ok], bound=bound)
                w.only_out.append(far[far >= 0])
                link(w, j, transition, near[ok], far)
            link_from_corners(w, j, transition, xy[near])
            link_to_goals(w, j, transition)
        else:
            far = transition_rim(w, transition, j, near=False)
            w.only_out.append(far)
            far = np.concatenate([far, on_far(w, transition)])
            a, b = np.meshgrid(near, far, indexing="ij")
            link(w, j, transition, a.ravel(), b.ravel())


def link_from_corners(w: GraphBuilder, j: int, transition: Transition, p: Floats) -> None:
    """Where two faces meet one can go straight across either."""
    row, q = transition.tied(p)
    for at, to in zip(p[row], q, strict=True):
        near = w.add_points(transition.source, at[None])
        w.only_in.append(near)
        for bound in (False, True):
            far = landing_nodes(w, transition, near, np.repeat(to[None], len(near), axis=0), bound=bound)
            w.only_out.append(far[far >= 0])
            link(w, j, transition, near, far)


def link_to_goals(w: GraphBuilder, j: int, transition: Transition) -> None:
    """Straight across, a goal on the far rim is landed on from just one place: the one opposite."""
    for goal in on_far(w, transition).tolist():
        at = np.concatenate(w.nodes.xy)[[goal]]
        if transition.source == transition.dest:
            feet = transition.landing(at)
        else:
            feet = np.concatenate([nearest_on(piece, at) for piece in transition.near])
        feet = feet[np.isfinite(feet).all(axis=1)]
        back = np.array([transition.opposite(foot, at[0]) for foot in feet]).reshape(-1, 2)
        feet = feet[np.hypot(*(back - at).T) <= TOUCH]
        if len(feet):
            near = w.add_points(transition.source, feet)
            w.only_in.append(near)
            link(w, j, transition, near, np.full(len(near), goal))


def on_far(w: GraphBuilder, transition: Transition) -> Ints:
    """Return the goals that lie on the far rim of a way, so that a landing can be the end of the move."""
    goals = np.array(w.goals, dtype=np.int64)
    space, kind = np.concatenate(w.nodes.space)[goals], np.concatenate(w.nodes.kind)[goals]
    goals = goals[(space == transition.dest) & (kind != VIRTUAL)]
    if not len(goals):
        return np.zeros(0, dtype=np.int64)
    return np.asarray(goals[transition.to_far(np.concatenate(w.nodes.xy)[goals]) <= TOUCH])


def transition_rim(w: GraphBuilder, transition: Transition, j: int, *, near: bool) -> Ints:
    """Sample a transition's rim where it is legal to stand; pieces are cut where legality changes."""
    rim = transition.near if near else transition.far
    parts = cut_rims(w.spaces, transition, in_range(w, rim, transition), near=near)
    named = [replace(part, owner=rim_owner(j, near=near)) for part in parts]
    return w.samples(transition.source if near else transition.dest, named)[0]


def in_range(w: GraphBuilder, rim: Sequence[Piece], transition: Transition) -> list[Piece]:
    """Return the parts of a rim that a path within range could come to and go over, and a little more."""
    if not rim:
        return []
    rims = Rims(rim)
    # Tiny pieces have no samples of their own, but a path may well slide onto them.
    row, u = rims.evenly(w.spacing)
    p = rims.at(row, u)
    # What the way over costs is spent for a shift of no more than twice the base at either rim.
    free = 0.0 if transition.way.horizontal else 4 * transition.radius
    near = w.near(p) + w.ahead(p) + max(transition.way.cost - free, 0.0) <= w.range + w.spacing
    row, u = row[near], u[near]
    low, high = np.full(len(rim), np.inf), np.full(len(rim), -np.inf)
    np.minimum.at(low, row, u - w.spacing)
    np.maximum.at(high, row, u + w.spacing)
    low, high = np.maximum(low, 0.0), np.minimum(high, rims.length)
    whole = (low == 0) & (high == rims.length)
    return [
        piece if whole[k] else part_of(piece, float(low[k]), float(high[k]))
        for k, piece in enumerate(rim)
        if high[k] >= low[k]
    ]


def landing_nodes(w: GraphBuilder, transition: Transition, near: Ints, q: Floats, *, bound: bool) -> Ints:
    """Make nodes where ways straight across come out, free or bound; -1 where the mover may not be so."""
    space = w.spaces[transition.dest]
    # Who is free may land in the zone of the very enemy it charges, and is bound from there on (CHG.3).
    ok = space.bound(q) if bound else space.free(q) & ~np.concatenate(w.nodes.bound)[near]
    ids = np.full(len(near), -1, dtype=np.int64)
    k = np.flatnonzero(ok)
    if len(k):
        ids[k] = w.nodes.add(q[k], transition.dest, bound=bound, kind=POINT)
        w.points[transition.dest].append(ids[k])
    return ids


def link(w: GraphBuilder, j: int, transition: Transition, a: Ints, b: Ints) -> None:
    """Add the edges of one way from places ``a`` to places ``b``."""
    ok = b >= 0
    a, b = a[ok], b[ok]
    if not len(a):
        return
    xy, bound = np.concatenate(w.nodes.xy), np.concatenate(w.nodes.bound)
    d = np.hypot(*(xy[b] - xy[a]).T)
    keep = ~(bound[a] & ~bound[b]) & (d <= transition.way.longest + 4 * transition.radius + TOUCH)
    if transition.source == transition.dest:
        keep &= d > TOUCH  # a way over that leads nowhere only throws a die
    a, b, d = a[keep], b[keep], d[keep]
    low = transition.at_least(d)
    use = w.within(xy[a], low, xy[b])
    w.edge(a[use], b[use], low[use], layers_up=transition.way.tests, transition=j)
