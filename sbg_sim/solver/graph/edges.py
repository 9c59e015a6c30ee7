"""The edges of the tangent graph: along common tangents, and over, up and down from near rims to far rims."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from sbg_sim.arrays import distances
from sbg_sim.geometry.rims import Rims
from sbg_sim.geometry.tangents import bitangents, leave_to_point
from sbg_sim.solver.graph.between_samples import past_tangents, through_narrows
from sbg_sim.solver.graph.bicliques import Product
from sbg_sim.solver.graph.tangent_graph import ON_RING, POINT, VIRTUAL, Nodes, rim_owner
from sbg_sim.solver.space.cutting import cut_rims
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.geometry.pieces import Piece
    from sbg_sim.solver.graph.graph_builder import GraphBuilder
    from sbg_sim.solver.space.transitions import Transition

_PAIRS: Final = 250_000  # looked at in one go: some ten megabytes


class _Ways(NamedTuple):
    """Ways round the rings of a space ``(n,)``: rings, turns, whether bound, centres ``(n, 2)`` and radii, inches."""

    ring: Ints
    turn: Ints
    bound: Bools
    center: Floats
    rho: Floats


def tangents(builder: GraphBuilder, i: int) -> None:
    """Add all tangent edges of one space."""
    ring_ids = [k for k, ring in enumerate(builder.rings) if ring.space == i]
    if not ring_ids:
        return
    states = [False, True] if builder.spaces[i].target is not None else [False]
    rows = [
        (k, turn, state)
        for k in ring_ids
        for state in states
        if builder.rings[k].open[int(state)].any()
        for turn in (1, -1)
    ]
    if not rows:
        return
    ring, turn, bound = (np.array(column) for column in zip(*rows, strict=True))
    ways = _Ways(ring, turn, bound, builder.arcs.center[ring], builder.arcs.rho[ring])
    point_tangents(builder, i, ways)
    ring_tangents(builder, i, ways)
    contact_tangents(builder, i, ways)


def blocks(n: int, m: int) -> list[Ints]:
    """Cut ``n`` rows into blocks that make no more than so many pairs with ``m`` others."""
    return np.array_split(np.arange(n), max(1, math.ceil(n * m / _PAIRS)))


def touching(builder: GraphBuilder, i: int, ring: Ints, turn: Ints, bound: Bools, angle: Floats) -> Ints:
    """Make tangent nodes at angles at which the rings are open, as :meth:`RingArcs.locate` says; return their ids."""
    xy = builder.arcs.places(ring, angle)
    return builder.add_nodes(Nodes.on(xy, i, bound=bound, kind=ON_RING, ref=ring, turn=turn, param=angle))


def point_tangents(builder: GraphBuilder, i: int, ways: _Ways) -> None:
    """Add tangents between points and rings, both ways."""
    ring, turn, bound, c, rho = ways
    if not builder.points[i]:
        return
    pts = np.concatenate(builder.points[i])
    xy, pb = builder.nodes.xy[pts], builder.nodes.bound[pts]
    goal = np.isin(pts, builder.goals)
    start = np.isin(pts, builder.sources)
    # At the near rim of a way a path only ends its walk, at the far rim it only begins one.
    ins, outs = np.isin(pts, np.concatenate(builder.only_in)), np.isin(pts, np.concatenate(builder.only_out))
    near, ahead = builder.near(xy), builder.ahead(xy)
    first, last = builder.near(c) - rho, np.maximum(builder.ahead(c) - rho, 0)
    # Towards the ring, then away from it.
    for rows, away in itertools.product(blocks(len(pts), len(ring)), (False, True)):
        apart = distances(xy[rows], c)
        use = (apart >= rho - TOUCH) & ~(bound & ~pb[rows, None] if away else ~bound & pb[rows, None])
        use &= ~(start | outs if away else goal | ins)[rows, None]
        # What is too far by a first look at the ring's centre need not be looked up.
        least = first + ahead[rows, None] if away else near[rows, None] + last
        use &= least + np.sqrt(np.maximum(apart * apart - rho * rho, 0.0)) <= builder.range + TOUCH
        row, m = np.nonzero(use)
        k = rows[row]
        angle, length = leave_to_point(c[m], rho[m], turn[m] if away else -turn[m], xy[k])
        ok = np.flatnonzero(np.isfinite(angle))
        ok = ok[builder.arcs.may_locate(ring[m[ok]], angle[ok], bound[m[ok]])]
        ok = ok[builder.arcs.locate(ring[m[ok]], angle[ok], bound[m[ok]]) >= 0]
        k, m, angle, length = k[ok], m[ok], angle[ok], length[ok]
        foot = builder.arcs.places(ring[m], angle)
        use = builder.within(foot, length, xy[k]) if away else builder.within(xy[k], length, foot)
        k, m, angle, length = k[use], m[use], angle[use], length[use]
        ids = touching(builder, i, ring[m], turn[m], bound[m], angle)
        if away:
            builder.edge(ids, pts[k], length)
        else:
            builder.edge(pts[k], ids, length)


def ring_tangents(builder: GraphBuilder, i: int, ways: _Ways) -> None:
    """Add the four common tangents of every two rings."""
    ring, turn, bound, c, rho = ways
    begin, ahead = builder.near(c) - rho, np.maximum(builder.ahead(c) - rho, 0)
    found = []
    for rows in blocks(len(ring), len(ring)):
        a, b = (g.ravel() for g in np.meshgrid(rows, np.arange(len(ring)), indexing="ij"))
        apart = np.hypot(c[a, 0] - c[b, 0], c[a, 1] - c[b, 1])
        use = (ring[a] != ring[b]) & ~(bound[a] & ~bound[b])
        use &= begin[a] + ahead[b] + np.maximum(apart - rho[a] - rho[b], 0) <= builder.range
        a, b = a[use], b[use]
        t1, t2, length = bitangents(c[a], rho[a], turn[a], c[b], rho[b], turn[b], TOUCH)
        ok = np.isfinite(length) & (begin[a] + ahead[b] + np.nan_to_num(length) <= builder.range)
        for theta, side in ((t1, a), (t2, b)):
            k = np.flatnonzero(ok)
            ok[k] = builder.arcs.may_locate(ring[side[k]], theta[k], bound[side[k]])
        for theta, side in ((t1, a), (t2, b)):
            k = np.flatnonzero(ok)
            ok[k] = builder.arcs.locate(ring[side[k]], theta[k], bound[side[k]]) >= 0
        a, b, t1, t2, length = a[ok], b[ok], t1[ok], t2[ok], length[ok]
        ok = builder.within(builder.arcs.places(ring[a], t1), length, builder.arcs.places(ring[b], t2))
        found.append((a[ok], b[ok], t1[ok], t2[ok], length[ok]))
    a, b, t1, t2, length = (np.concatenate(part) for part in zip(*found, strict=True))
    n1 = touching(builder, i, ring[a], turn[a], bound[a], t1)
    n2 = touching(builder, i, ring[b], turn[b], bound[b], t2)
    builder.edge(n1, n2, length)


def contact_tangents(builder: GraphBuilder, i: int, ways: _Ways) -> None:
    """Add tangents from rings straight at a target's centre, ended at contact."""
    ring, turn, bound, c, rho = ways
    goal = builder.goal
    if goal is None or builder.goal_space != i or len(goal.contact) != 1:
        return
    x, y, r = goal.contact[0]
    use = np.hypot(c[:, 0] - x, c[:, 1] - y) >= rho
    use &= ~(bound & (not goal.bound))
    m = np.flatnonzero(use)
    angle, length = leave_to_point(c[m], rho[m], turn[m], np.broadcast_to(np.array([x, y]), (len(m), 2)))
    ok = builder.arcs.locate(ring[m], angle, bound[m]) >= 0
    m, angle, length = m[ok], angle[ok], length[ok]
    ids = touching(builder, i, ring[m], turn[m], bound[m], angle)
    builder.edge(ids, np.full(len(ids), builder.goals[-1]), np.maximum(length - r, 0.0))


def transition_edges(builder: GraphBuilder) -> None:
    """Sample the rims of every way and link each near place with the places it can lead to."""
    for j, transition in enumerate(builder.transitions):
        near = transition_rim(builder, j, near=True)
        if not len(near):
            continue
        builder.only_in.append(near)
        if transition.way.across or transition.way.foot is not None:
            p = builder.nodes.xy[near]
            q = transition.landing(p)
            ok = np.isfinite(q).all(axis=1)
            link_across(builder, j, near[ok], q[ok])
            link_from_corners(builder, j, p)
            link_to_goals(builder, j, near)
        else:
            far, goals = transition_rim(builder, j, near=False), on_far(builder, transition)
            builder.only_out.append(far)
            more = [past_tangents(builder, j, near, goals, alone=True), through_narrows(builder, j, near, far)]
            if builder.products is not None and not transition.way.tests:
                more += [past_tangents(builder, j, near, far, alone=False)]
                more += [past_tangents(builder, j, far, near, alone=False, back=True)]
            links = list(itertools.chain(*more))
            for a, b in links:
                link(builder, j, a, b)
            far = np.concatenate([far, goals])
            if builder.products is not None:
                near, far = (along_rims(builder, nodes) for nodes in zip((near, far), *links, strict=True))
                builder.products.append(Product(near, far, transition.source, j))
                continue
            a, b = np.meshgrid(near, far, indexing="ij")
            link(builder, j, a.ravel(), b.ravel())


def along_rims(builder: GraphBuilder, nodes: Sequence[Ints]) -> Ints:
    """Return nodes on rims in order along their pieces, each once."""
    every = np.unique(np.concatenate(nodes))
    ref, param = builder.nodes.ref[every], builder.nodes.param[every]
    return np.asarray(every[np.lexsort((param, ref))])


def link_across(builder: GraphBuilder, j: int, near: Ints, q: Floats) -> None:
    """Make nodes where ways straight across come out, free or bound, and link them."""
    transition = builder.transitions[j]
    space, dest = transition.there, transition.dest
    for bound in (False, True):
        # Who is free may land in the zone of the very enemy it charges, and is bound from there on (CHG.3).
        ok = space.bound(q) if bound else space.free(q) & ~builder.nodes.bound[near]
        k = np.flatnonzero(ok)
        if len(k):
            far = builder.add_nodes(Nodes.on(q[k], dest, bound=bound, kind=POINT))
            builder.points[dest].append(far)
            builder.only_out.append(far)
            link(builder, j, near[k], far)


def link_from_corners(builder: GraphBuilder, j: int, p: Floats) -> None:
    """Where two faces meet one can go straight across either."""
    transition = builder.transitions[j]
    row, q = transition.tied(p)
    for at, to in zip(p[row], q, strict=True):
        near, _ = builder.add_points(transition.source, at[None])
        builder.only_in.append(near)
        link_across(builder, j, near, np.repeat(to[None], len(near), axis=0))


def link_to_goals(builder: GraphBuilder, j: int, rim: Ints) -> None:
    """A goal on the far rim is landed on from the place straight across, at a corner from all round it."""
    transition = builder.transitions[j]
    for goal in on_far(builder, transition).tolist():
        at = builder.nodes.xy[[goal]]
        feet = _feet(transition, at)
        if len(feet):
            near, _ = builder.add_points(transition.source, feet)
            builder.only_in.append(near)
            link(builder, j, near, np.full(len(near), goal))
        round_ = rim[np.isin(builder.nodes.ref[rim], _landing_at(builder, transition, rim, at[0]))]
        link(builder, j, round_, np.full(len(round_), goal))


def _feet(transition: Transition, at: Floats) -> Floats:
    """Return where on the near rim ways straight across begin that land at a place ``(1, 2)``: ``(n, 2)``.

    There a line through the place is at right angles to the rim: on an arc from either side of its centre.
    """
    rims = Rims(transition.near)
    feet = rims.at(np.arange(len(transition.near)), rims.nearest(at)[0][0])
    if transition.source == transition.dest and (arcs := [piece for piece in transition.near if piece.radius]):
        round_ = Rims(arcs)
        opposite = round_.nearest(2 * round_.start - at)[0].diagonal()
        feet = np.concatenate([feet, round_.at(np.arange(len(arcs)), opposite)])
    feet = feet[np.unique(feet.round(9), axis=0, return_index=True)[1]]
    lands = np.hypot(*(transition.landing(feet) - at).T) <= TOUCH
    row, tied = transition.tied(feet)
    lands[row[np.hypot(*(tied - at).T) <= TOUCH]] = True
    return np.asarray(feet[lands])


def _landing_at(builder: GraphBuilder, transition: Transition, rim: Ints, at: Floats) -> list[int]:
    """Return the pieces of a sampled rim from all of which one lands at the same place ``(2,)``."""
    found = []
    for k in np.unique(builder.nodes.ref[rim]).tolist():
        # Its ends alone do not tell: a circle ends where it begins.
        landings = transition.landing(builder.pieces[k].at(np.linspace(0.0, builder.pieces[k].length, 4)))
        if builder.pieces[k].length > TOUCH and (np.hypot(*(landings - at).T) <= TOUCH).all():
            found.append(k)
    return found


def on_far(builder: GraphBuilder, transition: Transition) -> Ints:
    """Return the goals that lie on the far rim of a way, so that a landing can be the end of the move."""
    goals = np.array(builder.goals, dtype=np.int64)
    space, kind = builder.nodes.space[goals], builder.nodes.kind[goals]
    goals = goals[(space == transition.dest) & (kind != VIRTUAL)]
    if not len(goals):
        return np.zeros(0, dtype=np.int64)
    return np.asarray(goals[transition.to_far(builder.nodes.xy[goals]) <= TOUCH])


def transition_rim(builder: GraphBuilder, j: int, *, near: bool) -> Ints:
    """Sample a transition's rim where it is legal to stand; pieces are cut where legality changes."""
    transition = builder.transitions[j]
    rim = transition.near if near else transition.far
    parts = cut_rims(transition, in_range(builder, rim, transition, near=near), builder.transitions, near=near)
    if not parts:  # as of most faces that nobody there could climb
        return np.zeros(0, dtype=np.int64)
    named = [replace(part, owner=rim_owner(j, near=near)) for part in parts]
    return builder.samples(transition.source if near else transition.dest, named)[0]


def in_range(builder: GraphBuilder, rim: Sequence[Piece], transition: Transition, *, near: bool) -> list[Piece]:
    """Return the parts of a rim that a path within range could come to and go over, and a little more."""
    if not rim:
        return []
    rims = Rims(rim)
    # Tiny pieces have no samples of their own, but a path may well slide onto them.
    row, u = rims.evenly(builder.spacing)
    p = rims.at(row, u)
    # What the way over costs is spent for a shift of no more than twice the base at either rim.
    free = 0.0 if transition.way.horizontal else 4 * transition.here.radius
    apart = builder.near(p)
    use = apart + builder.ahead(p) + max(transition.way.cost - free, 0.0) <= builder.range + builder.spacing
    use &= (not near) | (apart <= builder.begun + builder.spacing)
    row, u = row[use], u[use]
    low, high = np.full(len(rim), np.inf), np.full(len(rim), -np.inf)
    np.minimum.at(low, row, u - builder.spacing)
    np.maximum.at(high, row, u + builder.spacing)
    low, high = np.maximum(low, 0.0), np.minimum(high, rims.length)
    whole = (low == 0) & (high == rims.length)
    return [
        piece if whole[k] else piece.part(float(low[k]), float(high[k]))
        for k, piece in enumerate(rim)
        if high[k] >= low[k]
    ]


def link(builder: GraphBuilder, j: int, a: Ints, b: Ints) -> None:
    """Add the edges of one way from places ``a`` to places ``b``."""
    if not len(a):
        return
    transition = builder.transitions[j]
    xy, bound = builder.nodes.xy, builder.nodes.bound
    d = np.hypot(*(xy[b] - xy[a]).T)
    keep = ~(bound[a] & ~bound[b])
    if transition.source == transition.dest:
        keep &= d > TOUCH  # a way over that leads nowhere only throws a die
    a, b, d = a[keep], b[keep], d[keep]
    low = transition.at_least(d)
    use = builder.within(xy[a], low, xy[b])
    if builder.late:  # as the last it may cost more
        use |= np.isin(b, builder.goals)
    builder.edge(a[use], b[use], low[use], j)
