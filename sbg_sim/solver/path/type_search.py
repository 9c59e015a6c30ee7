"""The best path behind a number of dice: every type of path that the tangent graph suggests, polished and mended.

And the last jump or leap of a move where it may cost more than is left, if only it begins in time (JMP.1, LEAP.1).
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from sbg_sim.solver.path.cheapest import MOST_TYPES, Sampled, cheapest, option_of
from sbg_sim.solver.path.gathering import as_path, detours, gather, trace
from sbg_sim.solver.path.mending import Mender
from sbg_sim.solver.path.neighbours import beside, beside_corners, let_go, over_rings, walked_beside
from sbg_sim.solver.path.normal_form import normal, without_idle
from sbg_sim.solver.path.optimise import optimise
from sbg_sim.solver.path.options import MOST_TESTS, NEAR_BEST, SAMPLING_ERROR, Option, chance_of, late_ways
from sbg_sim.solver.path.paths import Constraint, Fixed, Path, Slide, place_of, put, type_of, whereabouts
from sbg_sim.solver.path.polish import polish
from sbg_sim.solver.path.touching import along_what_it_touches
from sbg_sim.tolerance import DIFFERENCE, DOUBLED_ROUNDING, FITS, ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from sbg_sim.arrays import Floats, Ints
    from sbg_sim.solver.graph.label_search import Labels
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.path.options import Search
    from sbg_sim.solver.path.paths import PathType, Steps

    Settled: TypeAlias = tuple[TangentGraph, Labels]
    """A tangent graph, and what a search found in it."""

_TRACED: Final = 4  # paths from which detours are looked for, the cheapest first
_BESIDE: Final = 4  # times that it is looked beside what was found beside another
_SLID: Final = 101  # places looked at on a piece of a rim for one that the last way begins at in time
_ASKED: Final = (8, 64)  # of these, the nearest first, so many are asked about at first, then those up to so many
_TRIED: Final = 4  # types of path, none of which is allowed where it is shortest, that are held at spots of a rim
_SPOTS: Final = 33  # spots at which a last way is held to begin at once
_CLOSER: Final = 8  # times that spots are looked at ever closer together


def best_options(
    search: Search,
    net: TangentGraph,
    labels: Labels,
    k: int,
    *,
    landed: bool,
    most: float = math.inf,
    optimistic: Settled | None = None,
) -> list[Option]:
    """Polish every type of path that could be the best with ``k`` dice; keep the best that is allowed.

    None that costs more than ``most`` (inches) is taken. Types that are the best by ``optimistic`` weights are polished
    as well.
    Where it is only asked whether one fits, one that does as it was sampled will do.
    """
    endings, every = _endings((net, labels), k, landed=landed), [labels]
    if optimistic is not None:
        every.append(optimistic[1])
        endings += [_truly(net, optimistic[0], *way) for way in _endings(optimistic, k, landed=landed)]
    if not endings:
        return []
    best = min(float(some.ending(landed=landed)[k, net.goals].min()) for some in every)
    types, sampled_types = _sampled_types(net, endings)
    mender = Mender(search.table, search.mover, net, k, landed=landed)
    if search.only_fits:
        fitting = first_fitting(search, mender, types)
        if fitting is not None:
            return [fitting]
    winner, costs = cheapest(mender, types, None, most)
    if winner is None or not search.cannot_cost_less(winner):
        before = winner
        winner, _ = cheapest(mender, _beside_types(mender, types, costs, sampled_types), winner, most)
        # Beside a type that was not sampled there may be better ones yet.
        for _ in range(_BESIDE):
            if winner is None or winner.path is None or winner is before:
                break
            one, before = Sampled(winner.cost, winner.path), winner
            winner, _ = cheapest(mender, _beside_types(mender, [one], [winner.cost], sampled_types), winner, most)
    if winner is None or not search.may_end(winner):
        return []
    winner = along_what_it_touches(mender, _polished_within(mender, winner))
    # However little a certificate proves, no path behind so many dice is cheaper than samples can hide.
    return [replace(winner, slack=min(winner.slack, max(winner.cost - best + SAMPLING_ERROR, ROUNDING)))]


def _truly(net: TangentGraph, optimistic: TangentGraph, steps: Steps, cost: float) -> tuple[Steps, float]:
    """Return a way with what it costs by true weights, given what it does by optimistic ones, inches."""
    edges = np.array([edge for edge, *_ in steps if edge >= 0], dtype=np.int64)
    return steps, cost + float((net.graph.weights(edges) - optimistic.graph.weights(edges)).sum())


def _sampled_types(net: TangentGraph, ways: Sequence[tuple[Steps, float]]) -> tuple[list[Sampled], set[PathType]]:
    """Return the cheapest paths of each type among ways with what they cost, and all types."""
    traced: dict[Path, float] = {}  # many differ by places on rings alone
    for steps, cost in ways:
        path = as_path(net, steps)
        traced[path] = min(cost, traced.get(path, math.inf))
    paths: dict[tuple[PathType, tuple[int, ...]], tuple[float, Path]] = {}
    # What is idle goes even where no other path was sampled without it (tests/exact/two-jumps-amid-corners).
    for path, cost in zip(without_idle(net, list(traced)), traced.values(), strict=True):
        key = (type_of(path), whereabouts(path))
        if key not in paths or cost < paths[key][0]:
            paths[key] = (cost, path)
    ranked = sorted(paths.values(), key=lambda row: row[0])
    # Many differ by samples along one rim alone.
    plain = normal(net, [path for _, path in ranked])
    cheap = set(list(dict.fromkeys(map(type_of, plain)))[:MOST_TYPES])
    found = [Sampled(*row, path) for row, path in zip(ranked, plain, strict=True) if type_of(path) in cheap]
    return found, {of for of, _ in paths}


def _beside_types(
    mender: Mender, types: Sequence[Sampled], costs: Sequence[float], sampled_types: set[PathType]
) -> list[Sampled]:
    """Return types that were not sampled beside some that were, the cheapest first, each with what that one cost.

    What each of the given types costs is known. Those that cross rims elsewhere come before those that walk.
    """
    net = mender.net
    still = [{e for e in one.path.elements if isinstance(e, Fixed)} for one in types]

    def crossing(n: int) -> list[Path]:
        # Types that are polished to one path leave its rings in the same ways, if the same of their places are fixed.
        known = any(abs(costs[n] - costs[k]) <= ROUNDING and still[n] == still[k] for k in range(n))
        return beside_corners(net, types[n].path) if known else beside(net, [types[n].path])[0]

    def walking(n: int) -> list[Path]:
        # What a landing ends walks no farther.
        walked = walked_beside(net, types[n].path)
        return [path for path in walked if not mender.landed or path.links[-1].transition >= 0]

    found: list[Sampled] = []
    for near in (crossing, walking):
        others: dict[PathType, tuple[float, float, Path]] = {}
        for n, one in enumerate(types):
            for path in near(n):
                # Not sampled itself, so nothing is known of it but that it may cost as much.
                if type_of(path) not in sampled_types:
                    others.setdefault(type_of(path), (costs[n], one.cost, path))
        found += [Sampled(*row[1:]) for row in sorted(others.values(), key=lambda row: row[:2])[:MOST_TYPES]]
    return found


def _polished_within(mender: Mender, winner: Option) -> Option:
    """Return an option polished once more by differences within pieces of rims alone, ways over let go from corners.

    Others look past the end of a piece, where other ground may begin and the cost has a kink. Only what is allowed,
    cheaper and proven as well is taken.
    """
    net, path = mender.net, winner.path
    if path is None or not path.over:
        return winner
    sliding = [e for e in path.elements if isinstance(e, Slide)]
    near_end = any(min(e.u, net.pieces[e.piece].length - e.u) < DIFFERENCE for e in sliding)
    bests = optimise(net, [*([path] if near_end else []), *let_go(net, path)], inner=True)
    for best in sorted(bests, key=lambda best: best.cost):
        if not best.cost < winner.cost - DOUBLED_ROUNDING:
            break
        route = mender.route(best.path)
        if route is None or route.cost >= winner.cost - DOUBLED_ROUNDING:
            continue
        option = option_of(mender, (route, best.path), path, None)
        if option is not None and option.slack <= max(winner.slack, TOUCH):
            return option
    return winner


def first_fitting(search: Search, mender: Mender, types: Sequence[Sampled]) -> Option | None:
    """Return the first of some paths that is allowed as it was sampled and fits."""
    for sampled, path, _ in types:
        route = mender.route(path) if mender.landed or sampled <= search.left + FITS else None
        option = None if route is None else option_of(mender, None, path, route)
        if option is not None and search.may_end(option) and search.fits(option):
            return option
    return None


def over_instead(search: Search, net: TangentGraph, options: Sequence[Option], known: Sequence[Option]) -> list[Option]:
    """Return what costs less than options that do not fit, with more dice, as it goes over what they just go round.

    Nothing that could not be the best beside what is known.
    """
    found: list[Option] = []
    todo = [option for option in options if search.dice and not search.fits(option)]
    while todo:
        one = todo.pop()
        for dice, path in over_rings(net, one.path) if one.path is not None else ():
            tests, landed = one.tests + dice, one.landing or path.links[-1].transition >= 0
            most = _most_of_use(search, one, [*known, *found], chance_of(tests, landing=landed))
            if tests > MOST_TESTS:
                continue
            mender = Mender(search.table, search.mover, net, tests, landed=landed)
            other, _ = cheapest(mender, [Sampled(float(gather(net, [path]).cost()[0]), path)], None, most)
            if other is None or other.cost >= most or other.slack > TOUCH:
                continue  # so little is worth telling only where it is proven
            if search.may_end(other):
                found.append(other)
                todo += [] if search.fits(other) else [other]  # with more dice what fits is no better
    return found


def _most_of_use(search: Search, one: Option, known: Sequence[Option], chance: Fraction) -> float:
    """Return below what cost (inches) a way of some chance that is to replace ``one`` could be the best of all."""
    if search.landing:  # over one thing alone, it may be
        return one.cost - 2 * TOUCH
    fitting = [option for option in known if search.fits(option)]
    rivals = [option for option in fitting if option.chance >= chance] if fitting else known
    return min(option.cost for option in (one, *rivals)) - 2 * TOUCH


def _endings(settled: Settled, k: int, *, landed: bool) -> list[tuple[Steps, float]]:
    """Return the ways that end within NEAR_BEST of the best, each with what it costs as sampled: inches.

    One per last step, and what leads beside the best of them.
    """
    net, labels = settled
    table = labels.ending(landed=landed)
    goals = [g for g in net.goals.tolist() if math.isfinite(table[k, g])]
    if not goals:
        return []
    best = min(float(table[k, g]) for g in goals)
    most = best + NEAR_BEST
    found = [(trace(net, labels, k, g, landed=landed), float(table[k, g])) for g in goals if table[k, g] <= most]
    if landed or not net.pieces:
        return found
    graph = net.graph
    into = np.flatnonzero(np.isin(graph.dst, goals) & (graph.layers_up == 0))
    into = into[labels.cost[k, graph.src[into]] + graph.low[into] <= most]
    cost = labels.cost[k, graph.src[into]] + graph.weights(into)
    near = cost <= most
    ends = [
        ([*trace(net, labels, k, int(graph.src[e])), (e, -1, int(graph.dst[e]))], c)
        for e, c in zip(into[near].tolist(), cost[near].tolist(), strict=True)
    ]
    ends += found
    beside = [
        (other_steps, cost + more)
        for steps, cost in sorted(ends, key=lambda pair: pair[1])[:_TRACED]
        for other_steps, more in detours(net, labels, k, steps, NEAR_BEST + best - cost)
    ]
    return [*ends, *beside]


# -- in time ----------------------------------------------------------------------------------------------------------


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
        sampled = [one.path for one in types[:_TRIED]] if winner is None or winner.path is None else [winner.path]
        held = filter(None, (_held_at_spots(mender, path) for path in sampled))
        winner = min(held, key=lambda option: option.cost, default=winner)
    return [winner] if winner is not None and search.may_end(winner) and search.fits(winner) else []


def _shortest_to_last(net: TangentGraph, paths: Sequence[Path]) -> list[float]:
    """Return what paths of some types cost at least up to where their last way over begins, inches."""
    parts = [Path(path.elements[: path.over[-1] + 1], path.links[: path.over[-1]]) for path in paths]
    some, least = [n for n, part in enumerate(parts) if part.links], np.zeros(len(parts))
    if some:
        begun = gather(net, [parts[n] for n in some]).cost()
        shortest = np.array([best.cost for best in polish(net, [parts[n] for n in some])])
        # Who came to cost more, as round the ring of the rim that its last place is on, was not made shortest.
        least[some] = np.where(shortest <= begun + TOUCH, shortest, begun - SAMPLING_ERROR)
    return least.tolist()


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
    # Most are open: the nearest are asked first, for to ask takes long.
    for some in np.split(np.flatnonzero(batch.costs()[0] <= left), _ASKED):
        part = batch.rows(some)
        good = np.isfinite(part.allowed(part.cost())) if len(some) else some
        if good.any():
            return tries[int(some[good.argmax()])]
    return path


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
        allowed = mender.first_allowed(polished)
        if allowed is None:
            break
        k, route = allowed
        beside = slice(max(k - 1, 0), k + 2)
        option = option_of(mender, (route, polished[k].path), path, None)
        more = route.cost - min(route.cost, *(one.cost for one in polished[beside]))
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
    cost = graph.weights(last)
    open_ = np.isfinite(cost) & (cost <= alone + SAMPLING_ERROR)
    return last[open_], alone[open_]
