"""The last jump or leap of a move where it may cost more than is left, if only it begins in time (JMP.1, LEAP.1)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.solver.path.cheapest import MOST_TYPES, Sampled, cheapest, option_of
from sbg_sim.solver.path.gathering import as_path, gather, trace
from sbg_sim.solver.path.mending import Mender
from sbg_sim.solver.path.options import NEAR_BEST, SAMPLING_ERROR, late_ways
from sbg_sim.solver.path.paths import Constraint, Fixed, Path, Slide, place_of, put, type_of, whereabouts
from sbg_sim.solver.path.polish import polish
from sbg_sim.solver.path.type_search import first_fitting
from sbg_sim.tolerance import FITS, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Floats, Ints
    from sbg_sim.solver.graph.label_search import Labels
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.path.options import Option, Search
    from sbg_sim.solver.path.paths import PathType

_SLID: Final = 101  # places looked at on a piece of a rim for one that the last way begins at in time
_HELD: Final = 4  # types of path, none of which is allowed where it is shortest, that are held at spots of a rim
_SPOTS: Final = 33  # spots at which a last way is held to begin at once
_CLOSER: Final = 8  # times that spots are looked at ever closer together


def begun_in_time(search: Search, net: TangentGraph, labels: Labels, k: int) -> list[Option]:
    """Return the cheapest option that costs more than is left but fits, for the last of ``k`` dice is thrown in time.

    The cheapest way of its type may come to its last jump or leap too late: then one is that just does not.
    """
    last, alone = _last(search, net, labels, k)
    before = k - net.graph.layers_up[last]
    begun, cost = labels.cost[before, net.graph.src[last]], net.graph.weights(last)
    in_time, cost = (begun <= search.left + FITS) & (cost <= alone + FITS), cost + begun
    likely = cost <= cost[in_time].min(initial=math.inf) + NEAR_BEST
    # In time comes who slides by less than the distance between samples, which lengthens two legs by no more than that.
    cost = np.where(in_time, cost, cost + 2 * SAMPLING_ERROR)
    paths: dict[tuple[PathType, tuple[int, ...]], Sampled] = {}
    for n in [n for n in np.argsort(cost, kind="stable").tolist() if likely[n]]:
        steps = trace(net, labels, int(before[n]), int(net.graph.src[last[n]]))
        path = as_path(net, [*steps, (int(last[n]), -1, int(net.graph.dst[last[n]]))])
        path = path if in_time[n] else _slid_in_time(net, path, search.left)
        way = len(path.over) - 1
        limits = [Constraint(way, None, begun=search.left), Constraint(way, None, alone=float(alone[n]))]
        path = replace(path, constraints=tuple(limits[: 1 + math.isfinite(alone[n])]))
        paths.setdefault((type_of(path), whereabouts(path)), Sampled(float(cost[n]), path))
    types = list(paths.values())[:MOST_TYPES]
    # Of a type that cannot be in time all that follows need not be made shortest.
    shortest = _shortest_to_last(net, [one.path for one in types])
    types = [one for one, least in zip(types, shortest, strict=True) if least <= search.left + TOUCH]
    mender = Mender(search.table, search.mover, net, k, landed=True)
    fitting = first_fitting(search, mender, types) if search.only_fits else None
    winner = fitting or cheapest(mender, types, None, math.inf)[0]
    if fitting is None and types and (winner is None or winner.slack > NEAR_BEST):
        sampled = [one.path for one in types[:_HELD]] if winner is None or winner.path is None else [winner.path]
        held = filter(None, (_held_at_spots(mender, path) for path in sampled))
        winner = min(held, key=lambda option: option.cost, default=winner)
    return [winner] if winner is not None and search.may_end(winner) and search.fits(winner) else []


def _shortest_to_last(net: TangentGraph, paths: Sequence[Path]) -> list[float]:
    """Return what paths cost up to where their last way over begins, that part made shortest of its type, inches."""
    parts = [Path(path.elements[: path.over[-1] + 1], path.links[: path.over[-1]]) for path in paths]
    some = [n for n, part in enumerate(parts) if part.links]
    found = dict(zip(some, (best.cost for best in polish(net, [parts[n] for n in some])), strict=True))
    return [found.get(n, 0.0) for n in range(len(parts))]


def _slid_in_time(net: TangentGraph, path: Path, left: float) -> Path:
    """Return a path as sampled whose last way begins too late with that place slid to where it does not, if it may be.

    Made shortest it may come to be barred, as past a corner of what it leads over; in time it may be open as it is.
    """
    i = path.over[-1]
    element = path.elements[i]
    if not isinstance(element, Slide):
        return path
    rims, at = net.rims, net.rims.at(np.array([element.piece]), np.array([element.u]))
    along, apart = (part[0] for part in rims.nearest(at))
    near = [j for j in net.rim_of(path.links[i].transition, near=True).tolist() if apart[j] <= SAMPLING_ERROR]
    piece = np.repeat(near, _SLID)
    aside = np.tile(np.linspace(-SAMPLING_ERROR, SAMPLING_ERROR, _SLID), len(near))
    u = np.clip(along[piece] + aside, 0.0, rims.length[piece])
    nearest = np.argsort(np.hypot(*(rims.at(piece, u) - at).T), kind="stable")
    tries = [put(path, i, Slide(int(piece[n]), float(u[n]))) for n in nearest]
    batch = gather(net, tries)
    good = (batch.begun() <= left) & np.isfinite(batch.allowed(batch.cost()))
    return tries[int(good.argmax())] if good.any() else path


def _held_at_spots(mender: Mender, path: Path) -> Option | None:
    """Return the cheapest option of a type whose shortest path is barred, its last way held where it begins.

    All else is made shortest from each of several spots of the rim, ever closer about the best that is allowed. What
    lies beside that one costs as much but for rounding, or is barred. None where none is allowed.
    """
    net, i = mender.net, path.over[-1]
    element = path.elements[i]
    if not isinstance(element, Slide):
        return None
    low, high = np.clip(element.u + np.array([-1, 1]) * SAMPLING_ERROR, 0.0, net.pieces[element.piece].length).tolist()
    best: Option | None = None
    for _ in range(_CLOSER):
        spots = np.linspace(low, high, _SPOTS)
        tries = [put(path, i, Fixed(place_of(net, Slide(element.piece, u)))) for u in spots.tolist()]
        polished = polish(net, tries, hops=False)
        routes = [mender.route(best.path) for best in polished]
        found = np.array([math.inf if route is None else route.cost for route in routes])
        k = int(found.argmin())
        route = routes[k]
        if route is None:
            break
        beside = slice(max(k - 1, 0), k + 2)
        option = option_of(mender, (route, polished[k].path), path, None)
        more = route.cost - min(route.cost, *(best.cost for best in polished[beside]))
        best = None if option is None else replace(option, slack=option.slack + more)
        low, high = spots[beside][[0, -1]].tolist()
    return best


def _last(search: Search, net: TangentGraph, labels: Labels, k: int) -> tuple[Ints, Floats]:
    """Return the edges to the goal that the last of some dice is for, and that begin in time but for samples ``(n,)``.

    And what the way over each may cost by itself ``(n,)``, inches.
    """
    late, graph = late_ways(search.table, search.allowance), net.graph
    every = np.array([late.get(transition.way.kind, -math.inf) for transition in net.transitions])
    last = np.flatnonzero(np.isin(graph.dst, net.goals) & (graph.layers_up > 0) & (graph.layers_up <= k))
    alone = every[net.transition_of[last]]
    begun = labels.cost[k - graph.layers_up[last], graph.src[last]]
    likely = (begun <= search.left + SAMPLING_ERROR) & (graph.low[last] <= alone + SAMPLING_ERROR)
    last, alone = last[likely], alone[likely]
    open_ = graph.weights(last) <= alone + SAMPLING_ERROR
    return last[open_], alone[open_]
