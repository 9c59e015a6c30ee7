"""The edges of ways over: from near rims to far rims, over, up and down.

Some begin or end between the samples of their rims: where they just clear something, or just reach.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sbg_sim.arrays import distances, unit
from sbg_sim.geometry.rims import Rims
from sbg_sim.geometry.tangents import run_to_circles
from sbg_sim.solver.graph.edges import Product
from sbg_sim.solver.graph.tangent_graph import POINT, SAMPLE, VIRTUAL, Nodes, rim_owner
from sbg_sim.solver.space.cutting import cut_rims
from sbg_sim.tolerance import HAIR, ROUNDING, TINY, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.geometry.pieces import Piece
    from sbg_sim.solver.graph.graph_builder import GraphBuilder
    from sbg_sim.solver.space.transitions import Transition

    Link: TypeAlias = tuple[Ints, Ints]


def add_ways_over(builder: GraphBuilder) -> None:
    """Sample the rims of every way and link each near place with the places it can lead to."""
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
    """Sample a rim once more where ways straight across from two samples land farther apart than samples are.

    Round a corner they fan out: over a wide wall a little on the near rim is much on the far one.
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
    every = np.unique(on)
    place = Rims([builder.pieces[n] for n in every.tolist()]).at(np.searchsorted(every, on), marks)
    return builder.add_points(transition.source, place, SAMPLE, on, marks)[0]


def in_rim_order(builder: GraphBuilder, nodes: Sequence[Ints]) -> Ints:
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
    # What a way over cuts of difficult ground grows as the root of how deep: between samples it may be cheaper by much.
    steep = builder.goal is not None and transition.way.horizontal and not transition.difficult.empty
    return builder.samples(transition.source if near else transition.dest, named, twice=steep)[0]


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
    goal = builder.goal
    if near and goal is not None and builder.absorbing and transition.source == builder.goal_space:
        # Nobody goes on from where the goal is met, as over the very model that is charged.
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


# -- between samples -----------------------------------------------------------------------------------------------


def past_tangents(
    builder: GraphBuilder, j: int, rim: Ints, ends: Ints, *, alone: bool, back: bool = False
) -> Iterator[Link]:
    """Yield ways between some ends and places of a rim where they just clear something, between its samples.

    There may be room there to pass between two things.

    Parameters
    ----------
    builder, j
        What builds the graph, and which way it is.
    rim
        The samples of the rim.
    ends
        The nodes that ways from there lead to; to there from, if they are to lead ``back``.
    alone
        Whether only what no sample beside leads to is wanted, not what costs hang on.

    """
    transition, bound = builder.transitions[j], builder.nodes.bound
    at, pieces = builder.nodes.xy[ends], np.unique(builder.nodes.ref[rim])
    circles = np.concatenate([_beside_way(transition, grazed=not alone), transition.tops[0]])
    apart = distances(at, circles)
    i, m = np.nonzero(apart >= np.maximum(circles[:, 2], TOUCH))
    if not len(i) or not len(pieces):
        return
    both, _, length = run_to_circles(at[i], circles[m, :2], circles[m, 2])
    row, angle, along = np.tile(i, 2), both.ravel(), np.tile(length, 2)
    rims = Rims([builder.pieces[k] for k in pieces.tolist()])
    away, k = rims.first_hit(at[row], angle, np.full(len(angle), builder.range), TOUCH)
    met = np.flatnonzero(np.isfinite(away) & (along < away))
    k, row, p = k[met], row[met], at[row[met]] + away[met, None] * unit(angle[met])

    def leads(p: Floats, to: Ints) -> Bools:
        if back:
            return transition.open_free(at[to], p)
        return transition.open(p, at[to], np.zeros(len(p), dtype=bool), bound[ends[to]])

    open_ = leads(p, row)
    k, row, p = k[open_], row[open_], p[open_]
    u = rims.nearest(p)[0][np.arange(len(k)), k]
    if alone:
        crowded = []
        for n, end, mark in zip(k.tolist(), row.tolist(), u.tolist(), strict=True):
            beside = _beside(builder, rim, int(pieces[n]), mark)
            crowded.append(leads(beside, np.full(len(beside), end)).any())
        only = np.flatnonzero(~np.array(crowded, dtype=bool))
        k, row, p, u = k[only], row[only], p[only], u[only]
    space = transition.dest if back else transition.source
    new, of = builder.add_points(space, p, SAMPLE, pieces[k], u)
    (builder.only_out if back else builder.only_in).append(new)
    yield (ends[row[of]], new) if back else (new, ends[row[of]])


def _beside_way(transition: Transition, *, grazed: bool = False) -> Floats:
    """Return the circles ``(n, 3)`` that a way may come near, of solids and zones; of difficult ground if wanted."""
    zones = {(*z.at, z.radius) for space in (transition.here, transition.there) for z in space.zones}
    every = [transition.others.ends[0], np.array([*zones]).reshape(-1, 3)]
    every += [transition.difficult.ends[0]] if grazed and transition.way.horizontal else []
    circles = np.unique(np.concatenate(every), axis=0)
    low, high = (end(transition.body.spines.reshape(-1, 2), axis=0) for end in (np.min, np.max))
    off = np.hypot(*(circles[:, :2] - np.clip(circles[:, :2], low, high)).T)
    return np.asarray(circles[off <= circles[:, 2] + transition.body.rho.max()])


def through_narrows(builder: GraphBuilder, j: int, near: Ints, far: Ints) -> Iterator[Link]:
    """Yield ways straight through where it is narrowest, if no sample beside leads through.

    A gap may be narrow enough for a leap at its corner alone, from there to a side; and two things that stand beside a
    way may leave less between them than samples are apart.
    """
    transition = builder.transitions[j]
    pairs = [_between_two(transition, builder.spacing)]
    pairs += [_narrows(transition, builder.spacing)] if np.isfinite(transition.way.longest) else []
    a, b = (np.concatenate(part) for part in zip(*pairs, strict=True))
    if not len(a) or not len(near) or not len(far):
        return
    p, begin, u = _met(builder, near, a, b)
    q, end, v = _met(builder, far, b, a)
    met = np.flatnonzero(np.isfinite(p).all(axis=1) & np.isfinite(q).all(axis=1))
    for n in met[transition.open_free(p[met], q[met])].tolist():
        one, two = _beside(builder, near, begin[n], u[n]), _beside(builder, far, end[n], v[n])
        i, m = (x.ravel() for x in np.indices((len(one), len(two))))
        if transition.open_free(one[i], two[m]).any():
            continue
        # Where it is as wide as may be nothing slides.
        held = transition.way.longest - float(transition.over(p[[n]], q[[n]])[0]) <= ROUNDING
        first, _ = builder.add_points(transition.source, p[[n]], *(() if held else (SAMPLE, int(begin[n]), u[[n]])))
        last, _ = builder.add_points(transition.dest, q[[n]], *(() if held else (SAMPLE, int(end[n]), v[[n]])))
        builder.only_in.append(first)
        builder.only_out.append(last)
        x, y = np.meshgrid(first, last, indexing="ij")
        yield x.ravel(), y.ravel()


def _between_two(transition: Transition, spacing: float) -> tuple[Floats, Floats]:
    """Return two places each ``(n, 2)`` of lines that touch two things beside a way, less than so much apart, inches.

    Either way along the tangents that pass between them, and straight through the middle.
    """
    circles = _beside_way(transition)
    centers, rho = circles[:, :2], circles[:, 2]
    apart = distances(centers, centers)
    room = apart - rho[:, None] - rho
    i, m = np.nonzero(np.triu((room > -TOUCH) & (room < spacing), 1))
    along, both = (centers[m] - centers[i]) / apart[i, m, None], rho[i] + rho[m]
    # Where one tangent touches the other crosses: on the line of centres, which they part as the radii do.
    at = centers[i] + along * (apart[i, m] * rho[i] / both)[:, None]
    sine = np.minimum(both / apart[i, m], 1.0)
    cosine, across = np.sqrt(1 - sine * sine), np.column_stack([-along[:, 1], along[:, 0]])
    tangents = [sine[:, None] * across + sign * cosine[:, None] * along for sign in (-1.0, 1.0)]
    at, way = np.tile(at, (6, 1)), np.concatenate([turn * some for some in (across, *tangents) for turn in (-1.0, 1.0)])
    return at - HAIR * way, at + HAIR * way


def _narrows(transition: Transition, spacing: float) -> tuple[Floats, Floats]:
    """Return corners and the nearest places of sides, and these the other way round, that lie about a leap apart."""
    none, longest = np.zeros((0, 2)), transition.way.longest
    bodies = [transition.firm] if transition.firm is not None else []
    bodies += [transition.brim] if transition.brim is not None else [] if bodies else [transition.body]
    if any((body.rho > transition.here.radius + TOUCH).any() for body in bodies):
        return none, none
    sides = np.concatenate([body.spines for body in bodies])
    corners, start, along = np.unique(sides.reshape(-1, 2), axis=0), sides[:, :2], sides[:, 2:] - sides[:, :2]
    square = np.maximum((along * along).sum(axis=1), TINY)
    share = np.clip((((corners[:, None] - start) * along).sum(axis=2)) / square, 0.0, 1.0)
    places = start + share[..., None] * along
    apart = np.hypot(*np.moveaxis(places - corners[:, None], -1, 0))
    # Where it is narrower by more than so much, samples beside lead over as well.
    i, m = np.nonzero((apart <= longest + TOUCH) & (apart > max(longest - 2 * spacing, TOUCH)))
    return np.concatenate([corners[i], places[i, m]]), np.concatenate([places[i, m], corners[i]])


def _met(builder: GraphBuilder, rim: Ints, a: Floats, b: Floats) -> tuple[Floats, Ints, Floats]:
    """Return where lines from ``b`` through ``a`` ``(n, 2)`` meet a rim beyond: places, pieces and how far along."""
    pieces = np.unique(builder.nodes.ref[rim])
    rims = Rims([builder.pieces[k] for k in pieces.tolist()])
    angle = np.arctan2(*(a - b).T[::-1])
    away, k = rims.first_hit(a, angle, np.full(len(a), builder.range), -TOUCH)
    with np.errstate(invalid="ignore"):
        p = a + away[:, None] * unit(angle)
    k = np.where(np.isfinite(away), k, 0)
    u = rims.nearest(np.where(np.isfinite(p), p, 0.0))[0][np.arange(len(a)), k]
    return p, pieces[k], u


def _beside(builder: GraphBuilder, rim: Ints, piece: int, mark: float) -> Floats:
    """Return the samples of a rim on either side of a place on a piece ``(n, 2)``, inches."""
    mine = rim[builder.nodes.ref[rim] == piece]
    marks = builder.nodes.param[mine]
    order = np.argsort(marks)
    after = int(np.searchsorted(marks[order], mark))
    return np.asarray(builder.nodes.xy[mine[order[max(after - 1, 0) : after + 1]]])
