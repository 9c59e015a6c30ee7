"""The edges of ways over: chords from near rims to far rims."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.geometry.rims import Rims
from sbg_sim.solver.graph.between_samples import past_tangents, through_narrows
from sbg_sim.solver.graph.edges import Product
from sbg_sim.solver.graph.tangent_graph import POINT, SAMPLE, VIRTUAL, Nodes, rim_owner
from sbg_sim.solver.space.cutting import cut_rims
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Floats, Ints
    from sbg_sim.geometry.pieces import Piece
    from sbg_sim.solver.graph.graph_builder import GraphBuilder
    from sbg_sim.solver.space.transitions import Transition


def add_ways_over(builder: GraphBuilder) -> None:
    """Sample the rims of every way over, and add edges from each near place to the far places it can lead to."""
    for j, transition in enumerate(builder.transitions):
        near = transition_rim(builder, j, near=True)
        if not len(near):
            continue
        straight = transition.way.across or transition.way.foot is not None
        if straight:
            near = np.concatenate([near, between_landings(builder, transition, near)])
        builder.only_in.append(near)
        if straight:
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
                near, far = (in_rim_order(builder, nodes) for nodes in zip((near, far), *links, strict=True))
                builder.products.append(Product(near, far, transition.source, j))
                continue
            a, b = np.meshgrid(near, far, indexing="ij")
            link(builder, j, a.ravel(), b.ravel())


def between_landings(builder: GraphBuilder, transition: Transition, rim: Ints) -> Ints:
    """Add samples to a near rim where two neighbours land farther apart than the distance of samples.

    Round a corner ways straight across fan out, so that a short piece of the near rim leads to a long one of the far.
    """
    rim = in_rim_order(builder, [rim])
    ref, u = builder.nodes.ref[rim], builder.nodes.param[rim]
    q = transition.landing(builder.nodes.xy[rim])
    apart = np.hypot(*np.diff(q, axis=0).T) + np.diff(u)
    parts = np.ceil(apart / (2 * builder.spacing) - TOUCH)
    k = np.flatnonzero((np.diff(ref) == 0) & np.isfinite(apart) & (parts > 1))
    more = parts[k].astype(int) - 1
    row = np.repeat(k, more)
    share = (np.arange(len(row)) - np.repeat(np.cumsum(more) - more, more) + 1) / np.repeat(parts[k], more)
    marks, on = u[row] + share * (u[row + 1] - u[row]), ref[row]
    if not len(row):
        return np.zeros(0, dtype=np.int64)
    pieces = np.unique(on)
    place = Rims([builder.pieces[n] for n in pieces.tolist()]).at(np.searchsorted(pieces, on), marks)
    return builder.add_points(transition.source, place, SAMPLE, on, marks)[0]


def in_rim_order(builder: GraphBuilder, nodes: Sequence[Ints]) -> Ints:
    """Return nodes on rims, piece by piece in order along each, without repeats."""
    unique = np.unique(np.concatenate(nodes))
    ref, param = builder.nodes.ref[unique], builder.nodes.param[unique]
    return np.asarray(unique[np.lexsort((param, ref))])


def link_across(builder: GraphBuilder, j: int, near: Ints, q: Floats) -> None:
    """Add nodes at the landings ``q`` of ways straight across, free or bound, and edges to them."""
    transition = builder.transitions[j]
    space, dest = transition.there, transition.dest
    for bound in (False, True):
        # A free mover may land in its target's zone, and is bound from there on (CHG.3).
        ok = space.bound(q) if bound else space.free(q) & ~builder.nodes.bound[near]
        k = np.flatnonzero(ok)
        if len(k):
            far = builder.add_nodes(Nodes.on(q[k], dest, bound=bound, kind=POINT))
            builder.points[dest].append(far)
            builder.only_out.append(far)
            link(builder, j, near[k], far)


def link_from_corners(builder: GraphBuilder, j: int, p: Floats) -> None:
    """Add the second way straight across from a corner, where two faces meet."""
    transition = builder.transitions[j]
    row, q = transition.tied(p)
    for at, to in zip(p[row], q, strict=True):
        near, _ = builder.add_points(transition.source, at[None])
        builder.only_in.append(near)
        link_across(builder, j, near, np.repeat(to[None], len(near), axis=0))


def link_to_goals(builder: GraphBuilder, j: int, rim: Ints) -> None:
    """Add edges to goals on the far rim: from the place straight across and, at a corner, from all round it."""
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
    """Return the places ``(n, 2)`` of the near rim from which ways straight across land at a place ``(1, 2)``.

    There the line to the landing is at right angles to the rim; an arc has such a place on either side of its centre.
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
    """Return the pieces of a sampled rim from every place of which the landing is ``at`` ``(2,)``."""
    found = []
    for k in np.unique(builder.nodes.ref[rim]).tolist():
        # The ends of a piece do not suffice: a circle ends where it begins.
        landings = transition.landing(builder.pieces[k].at(np.linspace(0.0, builder.pieces[k].length, 4)))
        if builder.pieces[k].length > TOUCH and (np.hypot(*(landings - at).T) <= TOUCH).all():
            found.append(k)
    return found


def on_far(builder: GraphBuilder, transition: Transition) -> Ints:
    """Return the goals on the far rim of a way, where the landing ends the move."""
    goals = np.array(builder.goals, dtype=np.int64)
    space, kind = builder.nodes.space[goals], builder.nodes.kind[goals]
    goals = goals[(space == transition.dest) & (kind != VIRTUAL)]
    if not len(goals):
        return np.zeros(0, dtype=np.int64)
    return np.asarray(goals[transition.to_far(builder.nodes.xy[goals]) <= TOUCH])


def transition_rim(builder: GraphBuilder, j: int, *, near: bool) -> Ints:
    """Cut a rim of a way over where its use changes, and sample the parts of use; return the nodes."""
    transition = builder.transitions[j]
    rim = transition.near if near else transition.far
    parts = cut_rims(transition, in_range(builder, rim, transition, near=near), builder.transitions, near=near)
    if not parts:  # as for most faces, since nobody there could climb them
        return np.zeros(0, dtype=np.int64)
    named = [replace(part, owner=rim_owner(j, near=near)) for part in parts]
    # A chord through round difficult ground grows as the root of its depth: between samples a way may be much cheaper.
    steep = builder.goal is not None and transition.way.horizontal and not transition.difficult.empty
    return builder.samples(transition.source if near else transition.dest, named, twice=steep)[0]


def in_range(builder: GraphBuilder, rim: Sequence[Piece], transition: Transition, *, near: bool) -> list[Piece]:
    """Return the parts of a rim, a little too long, that a path within range can use."""
    if not rim:
        return []
    rims = Rims(rim)
    # Tiny pieces get no samples of their own, but a path may slide onto them.
    row, u = rims.evenly(builder.spacing)
    p = rims.at(row, u)
    # A way of fixed price shifts the mover by up to two bases in all without further cost.
    free = 0.0 if transition.way.horizontal else 4 * transition.here.radius
    apart = builder.near(p)
    use = apart + builder.ahead(p) + max(transition.way.cost - free, 0.0) <= builder.range + builder.spacing
    use &= (not near) | (apart <= builder.begun + builder.spacing)
    goal = builder.goal
    if near and goal is not None and builder.absorbing and transition.source == builder.goal_space:
        # A path ends where it meets the goal, for instance in contact with a charged model that could be jumped.
        use &= ~(goal.met(p) & transition.here.may_end(p))
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
    """Add edges of one way over from nodes ``a`` to nodes ``b``."""
    if not len(a):
        return
    transition = builder.transitions[j]
    xy, bound = builder.nodes.xy, builder.nodes.bound
    d = np.hypot(*(xy[b] - xy[a]).T)
    keep = ~(bound[a] & ~bound[b])
    if transition.source == transition.dest:
        keep &= d > TOUCH  # a chord of no length would only throw a die
    a, b, d = a[keep], b[keep], d[keep]
    low = transition.at_least(d)
    use = builder.within(xy[a], low, xy[b])
    if builder.late:  # the last way over of a path may cost more
        use |= np.isin(b, builder.goals)
    builder.edge(a[use], b[use], low[use], j)
