"""The best path with a number of dice: every type of path that the tangent graph suggests, polished and mended.

Also the last jump or leap of a move, which by some readings may cost more than the movement left (JMP.1, LEAP.1).
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
    """A tangent graph with the labels of a search in it."""

_TRACED: Final = 4  # paths whose detours are looked at, the cheapest first
_BESIDE: Final = 4  # rounds in which the types beside the best one are tried
_SLID: Final = 101  # places of a rim tried as the begin of a last way that is to begin in time
_ASKED: Final = (8, 64)  # of these the nearest 8 are tried first, then the next up to 64, then the rest
_TRIED: Final = 4  # types, barred where they are shortest, whose last way is held to spots of a rim
_SPOTS: Final = 33  # spots tried together for the begin of a last way
_CLOSER: Final = 8  # rounds in which spots are tried ever closer together


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
    """Polish every type of path that could be the best with ``k`` dice; return the best legal one, if any.

    Only paths of at most ``most`` inches count. Types that are best by ``optimistic`` weights are polished as well.
    Where only a route that fits is asked for, a path that fits as sampled is enough.
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
        # Beside a type that was not sampled there may be a better one still.
        for _ in range(_BESIDE):
            if winner is None or winner.path is None or winner is before:
                break
            one, before = Sampled(winner.cost, winner.path), winner
            winner, _ = cheapest(mender, _beside_types(mender, [one], [winner.cost], sampled_types), winner, most)
    if winner is None or not search.may_end(winner):
        return []
    winner = along_what_it_touches(mender, _polished_within(mender, winner))
    # Whatever the certificate proves, sampling hides no more than SAMPLING_ERROR.
    return [replace(winner, slack=min(winner.slack, max(winner.cost - best + SAMPLING_ERROR, ROUNDING)))]


def _truly(net: TangentGraph, optimistic: TangentGraph, steps: Steps, cost: float) -> tuple[Steps, float]:
    """Return a way with its cost by true weights, given its cost by optimistic ones, inches."""
    edges = np.array([edge for edge, *_ in steps if edge >= 0], dtype=np.int64)
    return steps, cost + float((net.graph.weights(edges) - optimistic.graph.weights(edges)).sum())


def _sampled_types(net: TangentGraph, ways: Sequence[tuple[Steps, float]]) -> tuple[list[Sampled], set[PathType]]:
    """Return the cheapest path of each type among ways with their costs, and the set of all types."""
    traced: dict[Path, float] = {}  # many ways differ only in nodes on rings
    for steps, cost in ways:
        path = as_path(net, steps)
        traced[path] = min(cost, traced.get(path, math.inf))
    paths: dict[tuple[PathType, tuple[int, ...]], tuple[float, Path]] = {}
    # Idle elements go even if no other path was sampled without them (tests/exact/two-jumps-amid-corners).
    for path, cost in zip(without_idle(net, list(traced)), traced.values(), strict=True):
        key = (type_of(path), whereabouts(path))
        if key not in paths or cost < paths[key][0]:
            paths[key] = (cost, path)
    ranked = sorted(paths.values(), key=lambda row: row[0])
    # Many differ only in samples along one rim.
    plain = normal(net, [path for _, path in ranked])
    cheap = set(list(dict.fromkeys(map(type_of, plain)))[:MOST_TYPES])
    found = [Sampled(*row, path) for row, path in zip(ranked, plain, strict=True) if type_of(path) in cheap]
    return found, {of for of, _ in paths}


def _beside_types(
    mender: Mender, types: Sequence[Sampled], costs: Sequence[float], sampled_types: set[PathType]
) -> list[Sampled]:
    """Return types beside the given ones that were not sampled, the cheapest first, each with its neighbour's cost.

    ``costs`` are those of the given types. Types that cross rims elsewhere come before those that walk round.
    """
    net = mender.net
    still = [{e for e in one.path.elements if isinstance(e, Fixed)} for one in types]

    def crossing(n: int) -> list[Path]:
        # Types polished to one path have the same neighbours round its rings, if the same of their places are fixed.
        known = any(abs(costs[n] - costs[k]) <= ROUNDING and still[n] == still[k] for k in range(n))
        return beside_corners(net, types[n].path) if known else beside(net, [types[n].path])[0]

    def walking(n: int) -> list[Path]:
        # A path that is to end with a landing does not walk on.
        walked = walked_beside(net, types[n].path)
        return [path for path in walked if not mender.landed or path.links[-1].transition >= 0]

    found: list[Sampled] = []
    for near in (crossing, walking):
        others: dict[PathType, tuple[float, float, Path]] = {}
        for n, one in enumerate(types):
            for path in near(n):
                # Nothing is known of its own cost, so the neighbour's stands for it.
                if type_of(path) not in sampled_types:
                    others.setdefault(type_of(path), (costs[n], one.cost, path))
        found += [Sampled(*row[1:]) for row in sorted(others.values(), key=lambda row: row[:2])[:MOST_TYPES]]
    return found


def _polished_within(mender: Mender, winner: Option) -> Option:
    """Return an option polished once more with differences taken inside pieces only, and ways over freed from corners.

    Elsewhere differences reach past the end of a piece, where other ground may begin and the cost has a kink. A result
    counts only if it is legal, cheaper and as well proven.
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
    """Return the first of some paths that is legal as sampled and fits."""
    for sampled, path, _ in types:
        route = mender.route(path) if mender.landed or sampled <= search.left + FITS else None
        option = None if route is None else option_of(mender, None, path, route)
        if option is not None and search.may_end(option) and search.fits(option):
            return option
    return None


def over_instead(search: Search, net: TangentGraph, options: Sequence[Option], known: Sequence[Option]) -> list[Option]:
    """Return options with more dice that go over what some options go round, where that is cheaper.

    Only for options that do not fit, and only results that could be the best beside the known ones.
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
                continue  # so small a gain counts only if it is proven
            if search.may_end(other):
                found.append(other)
                todo += [] if search.fits(other) else [other]  # with more dice what fits is no better
    return found


def _most_of_use(search: Search, one: Option, known: Sequence[Option], chance: Fraction) -> float:
    """Return the cost (inches) below which a route of some chance, replacing ``one``, could be the best of all."""
    if search.landing:  # the known options may lead over other things
        return one.cost - 2 * TOUCH
    fitting = [option for option in known if search.fits(option)]
    rivals = [option for option in fitting if option.chance >= chance] if fitting else known
    return min(option.cost for option in (one, *rivals)) - 2 * TOUCH


def _endings(settled: Settled, k: int, *, landed: bool) -> list[tuple[Steps, float]]:
    """Return the ways to the goal within NEAR_BEST of the best, each with its cost as sampled, inches.

    One for each last edge, and the detours beside the best of them.
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
    """Return the cheapest option that exceeds the movement left but fits, as the last of ``k`` dice is thrown in time.

    The shortest path of a type may come to its last jump or leap too late; then the best is one that is just in time.
    """
    last, alone = _last(search, net, labels, k)
    before = k - net.graph.layers_up[last]
    begun, cost = labels.cost[before, net.graph.src[last]], net.graph.weights(last)
    in_time, cost = (begun <= search.left + FITS) & (cost <= alone + FITS), cost + begun
    likely = cost <= cost[in_time].min(initial=math.inf) + NEAR_BEST
    # Sliding by less than the distance of samples brings it in time, and lengthens two legs by no more than that.
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
    # Types that cannot be in time are dropped before they are polished.
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
        # A path that came to cost more, as round the ring that its last place is on, was not made shortest.
        least[some] = np.where(shortest <= begun + TOUCH, shortest, begun - SAMPLING_ERROR)
    return least.tolist()


def _slid_in_time(net: TangentGraph, path: Path, left: float) -> Path:
    """Return a sampled path whose last way begins too late with that place slid to where it is in time, if possible.

    Polished, the path may be barred, as past a corner of what it crosses; slid only as far as needed it may be open.
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
    # Most are open, and checking is slow: the nearest come first.
    for some in np.split(np.flatnonzero(batch.costs()[0] <= left), _ASKED):
        part = batch.rows(some)
        good = np.isfinite(part.allowed(part.cost())) if len(some) else some
        if good.any():
            return tries[int(some[good.argmax()])]
    return path


def _held_at_spots(mender: Mender, path: Path) -> Option | None:
    """Return the cheapest legal option of a type whose shortest path is barred, its last way held to where it begins.

    The rest is made shortest for several spots of the rim, ever closer about the best legal one, until its neighbours
    are barred or cost the same up to rounding. None where no spot is legal.
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
    """Return the edges to the goal ``(n,)`` that the last of ``k`` dice is for and that begin in time, up to sampling.

    With them the most that the way over of each may cost itself ``(n,)``, inches.
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
