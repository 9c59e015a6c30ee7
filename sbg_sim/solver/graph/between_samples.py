"""Ways over that begin or end between the samples of their rims: where they just clear an obstacle, or just reach.

The only room between two obstacles, or the only leap that is short enough, may lie between two samples.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from sbg_sim.arrays import distances, unit
from sbg_sim.geometry.rims import Rims
from sbg_sim.geometry.tangents import run_to_circles
from sbg_sim.solver.graph.tangent_graph import SAMPLE
from sbg_sim.tolerance import HAIR, ROUNDING, TINY, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.solver.graph.graph_builder import GraphBuilder
    from sbg_sim.solver.space.transitions import Transition

    Link: TypeAlias = tuple[Ints, Ints]

_BARELY: Final = 0.02  # inches: over a gap this close to the longest leap, leaps lead all but straight across


def past_tangents(
    builder: GraphBuilder, j: int, rim: Ints, ends: Ints, *, alone: bool, back: bool = False
) -> Iterator[Link]:
    """Yield ways between ``ends`` and places of a rim, between its samples, that are tangent to an obstacle.

    Such a way may be the only one that passes between two obstacles.

    Parameters
    ----------
    builder, j
        The builder of the graph, and the number of the way over.
    rim
        The samples of the rim.
    ends
        The nodes that the ways lead to from the rim; with ``back``, the nodes from which they lead to it.
    alone
        Whether a place is left out if a sample beside it has a way to the same end.
    back
        Whether the rim is the far rim.

    """
    transition, bound = builder.transitions[j], builder.nodes.bound
    at, pieces = builder.nodes.xy[ends], np.unique(builder.nodes.ref[rim])
    circles = np.concatenate([beside_way(transition, grazed=not alone), transition.tops[0]])
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


def beside_way(transition: Transition, *, grazed: bool = False) -> Floats:
    """Return the circles ``(n, 3)`` of obstacles and zones near a way; with ``grazed``, of difficult ground too."""
    zones = {(*z.at, z.radius) for space in (transition.here, transition.there) for z in space.zones}
    every = [transition.others.ends[0], np.array([*zones]).reshape(-1, 3)]
    every += [transition.difficult.ends[0]] if grazed and transition.way.horizontal else []
    circles = np.unique(np.concatenate(every), axis=0)
    low, high = (end(transition.body.spines.reshape(-1, 2), axis=0) for end in (np.min, np.max))
    off = np.hypot(*(circles[:, :2] - np.clip(circles[:, :2], low, high)).T)
    return np.asarray(circles[off <= circles[:, 2] + transition.body.rho.max()])


def through_narrows(builder: GraphBuilder, j: int, near: Ints, far: Ints) -> Iterator[Link]:
    """Yield straight ways through narrow passages, if no sample beside leads through.

    A gap may be narrow enough for a leap only from one of its corners to a side, and two obstacles beside a way may
    leave less room between them than the distance of samples.
    """
    transition = builder.transitions[j]
    pairs = [_between_two(transition, builder.spacing)]
    pairs += [_narrows(transition, builder.spacing)] if np.isfinite(transition.way.longest) else []
    few = sum(len(nears) for nears, _ in pairs)
    across = np.isfinite(transition.way.longest) and builder.goal is not None
    pairs += [_straight_across(transition, builder.spacing)] if across else []
    a, b = (np.concatenate(part) for part in zip(*pairs, strict=True))
    if not len(a) or not len(near) or not len(far):
        return
    p, begin, u = _met(builder, near, a, b)
    q, end, v = _met(builder, far, b, a)
    met = np.flatnonzero(np.isfinite(p).all(axis=1) & np.isfinite(q).all(axis=1))
    for n in met[transition.open_free(p[met], q[met])].tolist():
        nears, fars = _beside(builder, near, begin[n], u[n]), _beside(builder, far, end[n], v[n])
        i, m = (x.ravel() for x in np.indices((len(nears), len(fars))))
        if transition.open_free(nears[i], fars[m]).any():
            continue
        # A leap of the greatest length cannot slide, except along parallel sides.
        held = n < few and transition.way.longest - float(transition.over(p[[n]], q[[n]])[0]) <= ROUNDING
        first, _ = builder.add_points(transition.source, p[[n]], *(() if held else (SAMPLE, int(begin[n]), u[[n]])))
        last, _ = builder.add_points(transition.dest, q[[n]], *(() if held else (SAMPLE, int(end[n]), v[[n]])))
        builder.only_in.append(first)
        builder.only_out.append(last)
        x, y = np.meshgrid(first, last, indexing="ij")
        yield x.ravel(), y.ravel()


def _between_two(transition: Transition, spacing: float) -> tuple[Floats, Floats]:
    """Return two places ``(n, 2)`` of each line between two obstacles beside a way less than ``spacing`` apart, inches.

    The lines are the inner tangents and the one straight through the middle, in both directions.
    """
    circles = beside_way(transition)
    centers, rho = circles[:, :2], circles[:, 2]
    apart = distances(centers, centers)
    room = apart - rho[:, None] - rho
    i, m = np.nonzero(np.triu((room > -TOUCH) & (room < spacing), 1))
    along, both = (centers[m] - centers[i]) / apart[i, m, None], rho[i] + rho[m]
    # The inner tangents meet on the line of centres, which they divide in the ratio of the radii.
    at = centers[i] + along * (apart[i, m] * rho[i] / both)[:, None]
    sine = np.minimum(both / apart[i, m], 1.0)
    cosine, across = np.sqrt(1 - sine * sine), np.column_stack([-along[:, 1], along[:, 0]])
    tangents = [sine[:, None] * across + sign * cosine[:, None] * along for sign in (-1.0, 1.0)]
    at, way = np.tile(at, (6, 1)), np.concatenate([turn * line for line in (across, *tangents) for turn in (-1.0, 1.0)])
    return at - HAIR * way, at + HAIR * way


def _narrows(transition: Transition, spacing: float) -> tuple[Floats, Floats]:
    """Return corners and the nearest places of sides about the longest leap apart, in both directions ``(n, 2)``."""
    sides, longest = _sides(transition), transition.way.longest
    corners = np.unique(sides.reshape(-1, 2), axis=0)
    places = _nearest(corners, sides)
    apart = np.hypot(*np.moveaxis(places - corners[:, None], -1, 0))
    # Where the gap is narrower than that, samples beside lead over as well.
    i, m = np.nonzero((apart <= longest + TOUCH) & (apart > max(longest - 2 * spacing, TOUCH)))
    return np.concatenate([corners[i], places[i, m]]), np.concatenate([places[i, m], corners[i]])


def _straight_across(transition: Transition, spacing: float) -> tuple[Floats, Floats]:
    """Return places along sides and the opposite places on parallel sides about the longest leap away ``(n, 2)``."""
    sides, longest = _sides(transition), transition.way.longest
    along = sides[:, 2:] - sides[:, :2]
    length = np.hypot(*along.T)
    parts = np.ceil(length / spacing).astype(np.int64)
    row = np.repeat(np.arange(len(sides)), parts)
    share = (np.arange(len(row)) - np.repeat(np.cumsum(parts) - parts, parts)) / parts[row]
    at = sides[row, :2] + share[:, None] * along[row]
    to = _nearest(at, sides) - at[:, None]
    apart = np.hypot(to[..., 0], to[..., 1])
    square = np.abs((to * along[row, None]).sum(axis=2)) <= TOUCH * length[row, None]
    parallel = (
        np.abs(along[row, None, 0] * along[:, 1] - along[row, None, 1] * along[:, 0]) <= TOUCH * length[row, None]
    )
    i, m = np.nonzero(square & parallel & (apart <= longest + TOUCH) & (apart > longest - _BARELY))
    return at[i], at[i] + to[i, m]


def _sides(transition: Transition) -> Floats:
    """Return the sides ``(n, 4)`` of what a way leads over, unless they are grown by more than the base."""
    bodies = [transition.firm] if transition.firm is not None else []
    bodies += [transition.brim] if transition.brim is not None else [] if bodies else [transition.body]
    if any((body.rho > transition.here.radius + TOUCH).any() for body in bodies):
        return np.zeros((0, 4))
    return np.concatenate([body.spines for body in bodies])


def _nearest(at: Floats, sides: Floats) -> Floats:
    """Return the places ``(n, m, 2)`` of sides ``(m, 4)`` nearest to places ``(n, 2)``, inches."""
    start, along = sides[:, :2], sides[:, 2:] - sides[:, :2]
    square = np.maximum((along * along).sum(axis=1), TINY)
    share = np.clip((((at[:, None] - start) * along).sum(axis=2)) / square, 0.0, 1.0)
    return np.asarray(start + share[..., None] * along)


def _met(builder: GraphBuilder, rim: Ints, a: Floats, b: Floats) -> tuple[Floats, Ints, Floats]:
    """Return where lines from ``b`` through ``a`` ``(n, 2)`` meet a rim: places, pieces and inches along them."""
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
    """Return the samples ``(n, 2)`` of a rim on either side of a place on a piece, inches."""
    on_piece = rim[builder.nodes.ref[rim] == piece]
    marks = builder.nodes.param[on_piece]
    order = np.argsort(marks)
    after = int(np.searchsorted(marks[order], mark))
    return np.asarray(builder.nodes.xy[on_piece[order[max(after - 1, 0) : after + 1]]])
