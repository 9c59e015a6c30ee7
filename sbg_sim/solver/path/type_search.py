"""The best path behind a number of dice: every type of path that the tangent graph suggests, polished and mended."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.solver.path.cheapest import MOST_TYPES, Sampled, cheapest, option_of
from sbg_sim.solver.path.gathering import as_path, detours, gather, trace
from sbg_sim.solver.path.mending import Mender
from sbg_sim.solver.path.neighbours import beside, beside_corners, let_go, over_rings, walked_beside
from sbg_sim.solver.path.normal_form import normal, without_idle
from sbg_sim.solver.path.optimise import optimise
from sbg_sim.solver.path.options import MOST_TESTS, NEAR_BEST, SAMPLING_ERROR, Option, chance_of
from sbg_sim.solver.path.paths import Fixed, Slide, type_of, whereabouts
from sbg_sim.tolerance import DIFFERENCE, DOUBLED_ROUNDING, FITS, ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from sbg_sim.solver.graph.label_search import Labels
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.path.options import Search
    from sbg_sim.solver.path.paths import Path, PathType, Steps

_TRACED: Final = 4  # paths from which detours are looked for, the cheapest first


def best_options(
    search: Search,
    net: TangentGraph,
    labels: Labels,
    k: int,
    *,
    landed: bool,
    most: float = math.inf,
) -> list[Option]:
    """Polish every type of path that could be the best with ``k`` dice; keep the best that is allowed.

    None that costs more than ``most`` (inches) is taken.
    Where it is only asked whether one fits, one that does as it was sampled will do.
    """
    table = labels.ending(landed=landed)
    goals = [g for g in net.goals.tolist() if math.isfinite(table[k, g])]
    if not goals:
        return []
    best = min(float(table[k, g]) for g in goals)
    endings = _endings(net, labels, k, goals, best, landed=landed)
    if net.pieces and not landed:
        endings += [
            (other_steps, cost + more)
            for steps, cost in sorted(endings, key=lambda pair: pair[1])[:_TRACED]
            for other_steps, more in detours(net, labels, k, steps, NEAR_BEST + best - cost)
        ]
    types, sampled_types = _sampled_types(net, endings)
    mender = Mender(search.table, search.mover, net, k, landed=landed)
    if search.only_fits:
        fitting = first_fitting(search, mender, types)
        if fitting is not None:
            return [fitting]
    winner, costs = cheapest(mender, types, None, most)
    if winner is None or not search.cannot_cost_less(winner):
        winner, _ = cheapest(mender, _beside_types(net, types, costs, sampled_types), winner, most)
    if winner is None or not search.may_end(winner):
        return []
    winner = _polished_within(mender, winner)
    # However little a certificate proves, no path behind so many dice is cheaper than samples can hide.
    return [replace(winner, slack=min(winner.slack, max(winner.cost - best + SAMPLING_ERROR, ROUNDING)))]


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
    net: TangentGraph, types: Sequence[Sampled], costs: Sequence[float], sampled_types: set[PathType]
) -> list[Sampled]:
    """Return types that were not sampled beside some that were, the cheapest first, each with what that one cost.

    What each of the given types costs is known.
    """
    others: dict[PathType, tuple[float, float, Path]] = {}
    walked: dict[PathType, tuple[float, float, Path]] = {}
    for n, ((sampled, path, _), cost) in enumerate(zip(types, costs, strict=True)):
        # Types that are polished to one path leave its rings in the same ways, if the same of their places are fixed.
        still = {e for e in path.elements if isinstance(e, Fixed)}
        known = any(
            abs(cost - other) <= ROUNDING and still == {e for e in one.path.elements if isinstance(e, Fixed)}
            for other, one in zip(costs[:n], types, strict=False)
        )
        near = beside_corners(net, path) if known else beside(net, [path])[0]
        for rows, some in ((others, near), (walked, walked_beside(net, path))):
            for other in some:
                # Not sampled itself, so nothing is known of it but that it may cost as much.
                if type_of(other) not in sampled_types:
                    rows.setdefault(type_of(other), (cost, sampled, other))
    ranked = (sorted(rows.values(), key=lambda row: row[:2])[:MOST_TYPES] for rows in (others, walked))
    return [Sampled(*row[1:]) for rows in ranked for row in rows]


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


def _endings(
    net: TangentGraph, labels: Labels, k: int, goals: list[int], best: float, *, landed: bool
) -> list[tuple[Steps, float]]:
    """Return the ways that end within NEAR_BEST of the best, one per last step, each with what it costs as sampled."""
    table, most = labels.ending(landed=landed), best + NEAR_BEST
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
    return ends + found
