"""The best path behind a number of dice: every type of path that the tangent graph suggests, polished and mended."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from sbg_sim.solver.path.gathering import gather, loci_of
from sbg_sim.solver.path.mending import Mender
from sbg_sim.solver.path.neighbours import beside, beside_corners, let_go, over_rings, walked_beside
from sbg_sim.solver.path.normal_form import normal, without_idle
from sbg_sim.solver.path.optimise import certify, optimise
from sbg_sim.solver.path.options import MOST_TESTS, NEAR_BEST, SAMPLING_ERROR, Option, chance_of
from sbg_sim.solver.path.paths import Fixed, Slide, as_path, detours, trace, type_of, whereabouts
from sbg_sim.solver.path.polish import polish
from sbg_sim.tolerance import DIFFERENCE, DOUBLED_ROUNDING, FITS, ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from sbg_sim.solver.graph.label_search import Labels
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.path.gathering import Locus
    from sbg_sim.solver.path.mending import Done
    from sbg_sim.solver.path.options import Search
    from sbg_sim.solver.path.paths import Path, PathType, Steps
    from sbg_sim.table.route import Route

_Ends: TypeAlias = "tuple[Fixed | None, ...]"
MOST_TYPES: Final = 40
"""Types of path polished for one answer, the cheapest first."""

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
    types, plain, sampled_types = _sampled_types(net, endings)
    mender = Mender(search.table, search.mover, net, k, landed=landed)
    if search.only_fits:
        fitting = first_fitting(search, mender, types)
        if fitting is not None:
            return [fitting]
    winner, costs = cheapest(mender, types, None, most, plain)
    if winner is None or not search.cannot_cost_less(winner):
        winner, _ = cheapest(mender, _beside_types(net, types, costs, sampled_types), winner, most)
    if winner is None or not search.may_end(winner):
        return []
    winner = _polished_within(mender, winner)
    # However little a certificate proves, no path behind so many dice is cheaper than samples can hide.
    return [replace(winner, slack=min(winner.slack, max(winner.cost - best + SAMPLING_ERROR, ROUNDING)))]


def _sampled_types(
    net: TangentGraph, ways: Sequence[tuple[Steps, float]]
) -> tuple[list[tuple[float, Path]], list[Path], set[PathType]]:
    """Return the cheapest paths of each type among ways with what they cost; their normal forms; and all types."""
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
    some = [n for n, path in enumerate(plain) if type_of(path) in cheap]
    return [ranked[n] for n in some], [plain[n] for n in some], {of for of, _ in paths}


def _beside_types(
    net: TangentGraph, types: Sequence[tuple[float, Path]], costs: Sequence[float], sampled_types: set[PathType]
) -> list[tuple[float, Path]]:
    """Return types that were not sampled beside some that were, the cheapest first, each with what that one cost.

    What each of the given types costs is known.
    """
    others: dict[PathType, tuple[float, float, Path]] = {}
    walked: dict[PathType, tuple[float, float, Path]] = {}
    for n, ((sampled, path), cost) in enumerate(zip(types, costs, strict=True)):
        # Types that are polished to one path leave its rings in the same ways, if the same of their places are fixed.
        still = {e for e in path.elements if isinstance(e, Fixed)}
        known = any(
            abs(cost - other) <= ROUNDING and still == {e for e in one.elements if isinstance(e, Fixed)}
            for other, (_, one) in zip(costs[:n], types, strict=False)
        )
        near = beside_corners(net, path) if known else beside(net, [path])[0]
        for rows, some in ((others, near), (walked, walked_beside(net, path))):
            for other in some:
                # Not sampled itself, so nothing is known of it but that it may cost as much.
                if type_of(other) not in sampled_types:
                    rows.setdefault(type_of(other), (cost, sampled, other))
    ranked = (sorted(rows.values(), key=lambda row: row[:2])[:MOST_TYPES] for rows in (others, walked))
    return [row[1:] for rows in ranked for row in rows]


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


def first_fitting(search: Search, mender: Mender, types: Sequence[tuple[float, Path]]) -> Option | None:
    """Return the first of some paths that is allowed as it was sampled and fits."""
    for sampled, path in types:
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
            other, _ = cheapest(mender, [(float(gather(net, [path]).cost()[0]), path)], None, most)
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


def better(one: Option | None, other: Option | None) -> Option | None:
    """Return the cheaper option, or of two as cheap the better proven, then the one with the shorter ways over."""
    if one is None or other is None:
        return one or other
    if abs(one.cost - other.cost) > DOUBLED_ROUNDING:
        return min(one, other, key=lambda option: option.cost)

    def preferred(option: Option) -> tuple[float, float, float]:
        over = sum(leg.length for leg in option.route.legs if leg.kind not in {"straight", "arc"})
        return round(option.slack / ROUNDING), round(over / ROUNDING), option.cost

    best = min(one, other, key=preferred)
    return replace(best, slack=best.slack + best.cost - min(one.cost, other.cost))


def cheapest(
    mender: Mender,
    types: Sequence[tuple[float, Path]],
    winner: Option | None,
    most: float,
    plain: Sequence[Path] | None = None,
) -> tuple[Option | None, list[float]]:
    """Polish types of path, each with what it costs as sampled; return the best option and what each type costs.

    Their normal forms may be known.
    """
    return cheapest_of_each(mender, [types], [winner], most, plain=plain)[0]


def cheapest_of_each(
    mender: Mender,
    groups: Sequence[Sequence[tuple[float, Path]]],
    winners: Sequence[Option | None],
    most: float,
    *,
    again: bool = True,
    plain: Sequence[Path] | None = None,
) -> list[tuple[Option | None, list[float]]]:
    """Find what :func:`cheapest` does of several groups of types, all of which are polished together.

    With ``again`` those that came back to a type they had been go on at another of their places.
    """
    stuck: dict[int, Path] = {}
    polished = iter(polish(mender.net, [path for types in groups for _, path in types], stuck=stuck, plain=plain))
    found = [
        _cheapest_mended(mender, types, list(itertools.islice(polished, len(types))), winner, most)
        for types, winner in zip(groups, winners, strict=True)
    ]
    if stuck and again:
        every = [(n, sampled) for n, types in enumerate(groups) for sampled, _ in types]
        others: list[list[tuple[float, Path]]] = [[] for _ in groups]
        for k, path in stuck.items():
            n, sampled = every[k]
            others[n].append((sampled, path))
        gone_on = cheapest_of_each(mender, others, [best for best, _ in found], most, again=False)
        found = [(best, costs) for (best, _), (_, costs) in zip(gone_on, found, strict=True)]
    return found


def _cheapest_mended(
    mender: Mender,
    types: Sequence[tuple[float, Path]],
    polished: Sequence[tuple[Path, float]],
    winner: Option | None,
    most: float,
) -> tuple[Option | None, list[float]]:
    """Mend types, given what each was polished to; return as :func:`cheapest` does.

    The cheapest first, ever more of them together.
    """
    costs = [sampled for sampled, _ in types]
    # Polished by weights that mean less farther on a path may have come to cost more than where it began.
    begun = np.maximum(gather(mender.net, [path for _, path in types]).cost(), costs).tolist() if types else []
    least = [
        cost if cost <= start + TOUCH else start - NEAR_BEST for (_, cost), start in zip(polished, begun, strict=True)
    ]
    loci = loci_of(mender.net, [path for path, _ in polished])
    options: dict[Locus, list[tuple[_Ends, Option]]] = {}
    failed: set[Locus] = set()
    ends = [_fixed_ends(path) for _, path in types]
    # Of those that come to one locus the freest first: held to clear something they may go on where others end.
    fixed = [sum(end is not None for end in some) for some in ends]
    order = np.lexsort((np.array(fixed), np.round(np.array([cost for _, cost in polished]) / ROUNDING)))
    todo, size = order.tolist(), 1
    dear: list[int] = []
    while todo:
        bar = min(most, winner.cost if winner else math.inf) + TOUCH
        now: list[int] = []
        group: set[Locus] = set()
        done: list[tuple[int, Option | None]] = []
        later = []
        for n in todo:
            locus = loci[n]
            if least[n] > bar or mender.gave_up(polished[n][0]):
                dear.append(n)
                continue  # mending what is in the way makes no path cheaper
            option = next((one for freer, one in options.get(locus, ()) if _as_free(freer, ends[n])), None)
            # What is not proven is tried from elsewhere, unless one costs no more that is.
            if option is not None and min(option.slack, winner.slack if winner else math.inf) <= DOUBLED_ROUNDING:
                done.append((n, option))
            elif len(now) == size or (locus in group and locus not in failed):
                later.append(n)
            else:
                now.append(n)
                group.add(locus)
        done += zip(now, _options(mender, polished, types, now, bar), strict=True)
        for n, option in done:
            if option is None:
                failed.add(loci[n])
            else:
                options.setdefault(loci[n], []).append((ends[n], option))
                costs[n] = option.cost
            winner = better(option, winner)
        todo, size = later, 2 * size
    bar = min(most, winner.cost if winner else math.inf)
    along = mender.cheaper_along(polished, dear, bar - TOUCH)
    for n, option in zip(along, _options(mender, polished, types, along, bar), strict=True):
        costs[n] = costs[n] if option is None else option.cost
        winner = better(option, winner)
    return winner, costs


def _fixed_ends(path: Path) -> _Ends:
    """Return where ways over are fixed that begin or land, and where the path ends; None for what may slide."""
    ends = [path.elements[i + k] for i in path.over for k in (0, 1)]
    return tuple(e if isinstance(e, Fixed) else None for e in (*ends, path.elements[-1]))


def _as_free(one: _Ends, other: _Ends) -> bool:
    """Say whether a path is fixed nowhere but where another is."""
    return all(e is None or e == f for e, f in zip(one, other, strict=True))


def _options(
    mender: Mender,
    polished: Sequence[tuple[Path, float]],
    types: Sequence[tuple[float, Path]],
    which: Sequence[int],
    bar: float,
) -> list[Option | None]:
    """Make options of some polished paths; None for those that cannot be mended below a bar."""
    if not which:
        return []
    some = [(polished[n][0], types[n][1], types[n][0] + NEAR_BEST) for n in which]
    every = mender.mended(some, bar)
    plain: dict[int, Route] = {}
    for k, (done, n) in enumerate(zip(every, which, strict=True)):
        sampled, path = types[n]
        dear = done is None or done[0].cost > sampled + TOUCH
        route = mender.route(path) if dear and sampled <= bar else None
        if route is not None:
            plain[k] = route
    # As they were sampled they are allowed: what they were made of costs more, or is barred.
    again = [k for k, route in plain.items() if (done := every[k]) is None or route.cost < done[0].cost - TOUCH]
    for k, done in zip(again, mender.kept([(some[k][1], plain[k].cost) for k in again]), strict=True):
        every[k] = done
    return [
        option_of(mender, done, path, plain.get(k))
        for k, (done, (_, path, _)) in enumerate(zip(every, some, strict=True))
    ]


def option_of(mender: Mender, done: Done | None, sampled: Path, plain: Route | None) -> Option | None:
    """Make an option of what a type was mended to, with what its certificate says; None when there is nothing.

    Else of the path that was sampled, with its plain route if that is allowed.
    """
    snap, path = 0.0, sampled
    if done is not None:
        route, path = done
        residual, snap = certify(mender.net, path)
        slack = ROUNDING + residual
    elif plain is not None:
        # Closer samples may tell.
        route, slack = plain, (SAMPLING_ERROR if path.over else NEAR_BEST) if path.slides else ROUNDING
        snap = SAMPLING_ERROR if path.over and path.slides else 0.0
    else:
        return None
    begun = route.cost - route.legs[-1].cost if mender.landed and route.legs else 0.0
    return Option(mender.tests, mender.landed, route.cost, slack, route, begun, snap, path)


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
