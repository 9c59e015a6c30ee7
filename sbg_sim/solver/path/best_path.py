"""The search for one goal: the cheapest route for each number of dice, exact, on no more of the table than it needs.

:func:`options` is the way in. What can be told without a search is told first; then the tangent graph of a range
(inches of movement) is built and searched, and of a wider one while something cheaper may lie outside. The types of
path that the graph suggests are made exact by :mod:`sbg_sim.solver.path.type_search`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.arrays import point
from sbg_sim.solver.graph.graph_builder import GraphBuilder
from sbg_sim.solver.graph.label_search import Labels, Limits, settle
from sbg_sim.solver.graph.tangent_graph import SPACING, TangentGraph
from sbg_sim.solver.path.cheapest import better
from sbg_sim.solver.path.closed import closed_off, covered
from sbg_sim.solver.path.options import (
    NEAR_BEST,
    SAMPLING_ERROR,
    Known,
    Option,
    Options,
    Search,
    beyond_the_move,
    chance_of,
    farthest,
    late_ways,
)
from sbg_sim.solver.path.routes import route_again
from sbg_sim.solver.path.type_search import begun_in_time, best_options, over_instead
from sbg_sim.solver.space.surroundings import make_surroundings
from sbg_sim.solver.space.transitions import length_per_cost
from sbg_sim.table.route import Leg, Route
from sbg_sim.tolerance import ABOUT, FITS, ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.solver.path.type_search import Settled
    from sbg_sim.solver.space.surroundings import Surroundings

_HOPELESS: Final = 1.0  # inches: closer samples do not help a crossing this stiff; it is at a corner, itself a node
_FIRST: Final = 1.02  # the range for a known cost is this factor times the cost
_PAD: Final = 0.05  # and this much more, inches
_GROWTH: Final = 1.6  # the range grows by at least this factor where nothing was found
_NEARLY: Final = 0.85  # a range beyond this share of the horizon is widened to all of it: most such goals lie beyond
_FITTING: Final = 0.1 + FITS  # inches: a horizon no farther beyond the allowance asks only whether some route fits
_LARGE: Final = 4000  # nodes; closer sampling of a graph this size takes seconds


def options(search: Search, known: Known | None = None) -> Options:
    """Find the best routes to a goal, up to the horizon.

    ``known`` lists the searches of the same question under other readings with their results; this one is added to it.
    Where the question is only whether some route fits, the result of a search that meets the same things is used again.
    """
    # By some readings the last jump or leap may cost more than the movement left.
    loose = beyond_the_move(search.table, search.mover, search.left, search.goal) if search.dice else 0.0
    within = search.left + loose
    # Only a last jump leads farther yet; it is searched for separately.
    far = max(search.horizon, min(within, search.left + search.allowance))
    told = _told_at_once(search, within, far)
    if told is not None:
        return told
    known = [] if known is None else known
    alike = (found for other, found in known if search.only_fits and other.meets == search.meets)
    found = next(alike, None) or _sought_beside(search, within, far, known)
    known.append((search, found))
    return found


def _sought_beside(search: Search, within: float, far: float, known: Known) -> Options:
    """Search as :func:`_sought` does, but only for a better chance than a route known from other readings has here."""
    before = [(other, found) for other, found in known if search.only_fits and other.asked == search.asked]
    kept = _kept(search, before)
    if not kept:
        return _sought(search, within, far)
    chance = kept[0].chance
    if chance == 1:
        return Options(kept, before[0][1].beyond)
    dice = search.dice and chance < chance_of(1, landing=True)
    if dice and chance >= chance_of(1, landing=False):
        # Only one die that puts the mover down on its goal has a better chance.
        (x, y, radius), ways = search.goal.focus, search.around(within).transitions
        dice = any(way.way.tests and way.to_far(np.array([(x, y)]))[0] <= radius + TOUCH for way in ways)
    better = replace(search, chance=chance, dice=dice)
    found = _sought(better, within if better.dice else search.left, far if better.dice else search.horizon)
    return Options([*found.found, *kept], found.beyond)


def _kept(search: Search, before: Sequence[tuple[Search, Options]]) -> list[Option]:
    """Return the option of best chance among those found before that is legal and fits in this search too, if any."""
    every = [(other, option) for other, found in before for option in found.found]
    for other, option in sorted(every, key=lambda row: (-row[1].chance, row[1].cost)):
        around = search.around(option.cost)
        # Whether a zone that was left may be entered again depends on the whole route.
        on = {search.mover.on, *(leg.surface for leg in option.route.legs)}
        if around.stuck(on) != other.around(option.cost).stuck(on):
            continue
        route = route_again(around, search.goal, option.route, landing=option.landing)
        if route is None:
            continue
        begun = route.cost - route.legs[-1].cost if option.landing else 0.0
        again = replace(option, cost=route.cost, begun=begun, route=route, path=None)
        if search.may_end(again) and search.fits(again):
            return [again]
    return []


def _sought(search: Search, within: float, far: float) -> Options:
    """Search for routes that cost up to ``far`` inches, or up to ``within`` if a jump or leap ends the move."""
    found = _within_horizon(search, min(within, far), far)
    if within <= far or (not found.found and math.isinf(found.beyond)):
        return found
    chance = max([search.chance, *(option.chance for option in found.found if search.fits(option))])
    late = _late(replace(search, chance=chance), within)
    return Options(_best_of_each(search, [*found.found, *late]), found.beyond) if late else found


def _late(search: Search, within: float, spacing: float = SPACING) -> list[Option]:
    """Return the best route of up to ``within`` inches whose last jump or leap is begun in time, whatever it costs."""
    surroundings, layers = search.around(within), search.most_tests
    kinds = late_ways(search.table, search.allowance)
    if not layers or not any(way.way.kind in kinds for way in surroundings.transitions):
        return []
    graph = _graph(search, surroundings, within + NEAR_BEST, spacing, layers, late=True, alone=True)
    if graph is None:
        return []
    net, labels, _ = graph
    found: list[Option] = []
    for k in range(1, layers + 1):
        found = found or begun_in_time(search, net, labels, k)
    if any(_coarse(search, o) for o in found) and spacing > SPACING / 3 and net.graph.size < _LARGE:
        return _best_of_each(search, [*found, *_late(search, within, spacing / 2)])
    return found


def _within_horizon(search: Search, within: float, far: float) -> Options:
    """Search in ever wider ranges: first for all that may cost up to ``within`` inches, at most up to ``far``."""
    if search.near > far and not _shifts(search, far):
        return Options([]) if _closed(search) else Options([], search.near)
    horizon = max(search.horizon, search.left)
    reach, looks = max(_more_than(search.near), _more_than(search.least), within), 0
    while True:
        looks += 1
        look = _look(search, reach if reach < _NEARLY * far else far, far)
        cost = min([look.dearer, *(o.cost for o in look.found)])
        if cost <= look.reach or math.isinf(look.further):
            return Options(look.found, math.inf if look.found or math.isinf(look.dearer) else horizon)
        # Whether the goal is closed off is asked late: mostly the second look finds a route.
        if math.isinf(cost) and (looks == 2 or (looks == 1 and look.reach >= far)) and _closed(search):
            return Options([])
        if look.reach >= far:
            return Options([o for o in look.found if o.cost <= far], horizon)
        reach = look.further


def _told_at_once(search: Search, within: float, far: float) -> Options | None:
    """Answer by bounds, by the straight line or by a goal that is closed off; None where a search is needed."""
    most = max(within, far)
    crow = search.near > most and search.near > farthest(search.table, search.mover, most)
    beyond = Options([], search.near if crow else far)
    if search.least >= most:
        return beyond
    if crow:
        return Options([]) if _closed(search) else beyond
    direct = search.cheapest or _straight(search)
    if direct is not None and (direct.cost <= search.left + FITS or within <= search.left):
        return Options([direct])
    if covered(search):
        return Options([])
    if search.near > most and not _shifts(search, most):
        return Options([]) if _closed(search) else beyond
    return None


def _shifts(search: Search, far: float) -> bool:
    """Say whether routes within ``far`` inches may lead farther than they cost, thanks to free shifts (climbs)."""
    around = make_surroundings(search.table, search.mover, reach=far, without=search.without, dice=search.dice)
    return search.mover.climbed > TOUCH or length_per_cost(around.transitions) > 1


def _straight(search: Search) -> Option | None:
    """Return the straight line if it is open and costs its length: then no route is cheaper."""
    goal = search.goal
    if search.landing or search.near <= TOUCH or goal.lines or len(goal.contact) > 1:
        return None
    surroundings = search.around(search.near)
    if length_per_cost(surroundings.transitions) > 1:
        return None
    (x, y, rho), start = goal.focus, np.array([search.mover.at])
    apart = math.dist(search.mover.at, (x, y))
    end = start + (np.array([[x, y]]) - start) * (1 - rho / apart)
    cost = float(surroundings.straight(goal, end)[0])
    if cost > apart - rho + ROUNDING:
        return None
    at = goal.at or point(end[0])
    route = Route((Leg("straight", search.mover.at, at, cost, goal.surface),))
    return Option(0, landing=False, cost=cost, slack=ROUNDING, route=route)


def _closed(search: Search) -> bool:
    """Say whether there is plainly no route at any Move; not asked where only a route that fits is of interest."""
    if search.horizon <= search.left + _FITTING:
        return False
    return closed_off(search)


@dataclass(frozen=True)
class _Look:
    """The result of one search within a range.

    Parameters
    ----------
    reach
        The range, inches: everything that a route of this cost can come near was in the graph.
    found
        The options.
    further
        The range to search next, inches; infinite where no route exists, whatever was left out of the graph.
    dearer
        The cost as sampled (inches) of the cheapest route beyond the horizon; such routes are not made exact.

    """

    reach: float
    found: list[Option]
    further: float
    dearer: float = math.inf


def _look(search: Search, reach: float, far: float, spacing: float = SPACING) -> _Look:
    """Search for routes to the goal within a range; none that costs more than ``far`` inches is wanted."""
    goal, surroundings = search.goal, search.around(reach)
    nowhere = _Look(reach, [], math.inf)
    if surroundings.index(goal.surface) is None:
        return nowhere
    ways = surroundings.transitions
    if length_per_cost(ways) <= 1:
        search = replace(search, least=max(search.least, search.near))
    layers = search.most_tests if any(p.way.tests for p in ways) and search.dice else 0
    # A route that falls short may be cheaper than a last leap that may cost more than the movement left.
    late = layers > 0 and beyond_the_move(search.table, search.mover, search.left, goal) > 0
    # Ways over make a graph large: then it reaches no further than it must.
    limit = min(reach + SAMPLING_ERROR if layers else 1.5 * reach + 1.0, far)
    graph = _graph(search, surroundings, limit + NEAR_BEST, spacing, layers, late=late)
    if graph is None:
        return nowhere
    net, labels, limits = graph
    reached = float(labels.ending(landed=search.landing)[:, net.goals].min())
    if not math.isfinite(reached):
        # No route costs so little, whatever was left out of the graph.
        return _Look(limit, [], _GROWTH * limit)
    if reached > reach and reach < far:
        # It is made exact in a range that holds everything it can come near.
        return _Look(reach, [], _more_than(reached))
    # Rims of ways over that may cut difficult ground are sampled twice as close.
    other = net.optimistic(spacing / 4) if layers else None
    optimistic = None if other is None else (other, _settled(other, limits, layers))
    found, dearer = _by_dice(search, net, labels, optimistic)
    if not found and math.isinf(dearer):
        # No path that was found is legal: search much further at once.
        return _Look(reach, [], 3 * reach)
    cheapest = min([dearer, *(o.cost for o in found)])
    # Closer samples cannot improve on a route that meets the lower bound.
    coarse = [o for o in found if o.cost > search.least + TOUCH and _coarse(search, o)]
    if coarse and spacing > SPACING / 3 and net.graph.size < _LARGE:
        closer = _look(search, reach, far, spacing / 2)
        return replace(closer, found=_best_of_each(search, [*found, *closer.found]))
    # In a wider range a route found here may be barred, but none is cheaper.
    return _Look(reach, found, _more_than(cheapest), dearer)


def _more_than(cost: float) -> float:
    """Return the range to search for routes of about this cost, inches."""
    return _FIRST * cost + _PAD


def _graph(
    search: Search,
    surroundings: Surroundings,
    cutoff: float,
    spacing: float,
    layers: int,
    *,
    late: bool,
    alone: bool = False,
) -> tuple[TangentGraph, Labels, Limits] | None:
    """Build the tangent graph for a goal and search it; return it with its labels and the limits of the search.

    For each number of dice every node is settled that costs no more than the cheapest route to the goal. None where no
    place of the goal can be stood on. If the last way over may be ``late``, those that begin in time are found whatever
    they cost; with ``alone``, of the routes that cost more than the movement left only those.
    """
    begun = search.left + FITS if late else -math.inf
    # Of a route that fits only the last way over may cost more than the movement left.
    within = begun + SAMPLING_ERROR if late and (alone or search.only_fits) else math.inf
    kinds = late_ways(search.table, search.allowance)
    net = GraphBuilder(
        surroundings, search.goal, spacing, cutoff, begun=within, late=kinds, absorbing=not search.landing
    ).build()
    if not len(net.goals):
        return None
    slack = SAMPLING_ERROR if net.transitions else 0.0
    limits = Limits(cutoff, net.ahead(search.goal), net.goals, slack, begun, within)
    return net, _settled(net, limits, layers), limits


def _settled(net: TangentGraph, limits: Limits, layers: int) -> Labels:
    """Search a graph from its source within limits."""
    return settle(net.graph, dict.fromkeys(net.source, 0.0), limits, layers=layers)


def _coarse(search: Search, option: Option) -> bool:
    """Say whether closer samples could change the answer: the cost, or where only that is asked, whether it fits."""
    fitting = option.cost - option.snap <= search.left + FITS < option.cost
    return NEAR_BEST < option.snap < _HOPELESS and (fitting or not search.only_fits)


def _best_of_each(search: Search, found: Sequence[Option]) -> list[Option]:
    """Return the best option for each number of dice; of those that land on the goal the best that fits as well."""
    best: dict[tuple[int, bool, bool], Option] = {}
    for option in found:
        ending = option.tests, option.landing, option.landing and search.fits(option)
        best[ending] = better(option, best.get(ending)) or option
    return list(best.values())


def _by_dice(
    search: Search, net: TangentGraph, labels: Labels, optimistic: Settled | None = None
) -> tuple[list[Option], float]:
    """Return the best option for each number of dice that can matter, and the least cost beyond the horizon.

    A graph searched with ``optimistic`` weights, lower bounds of the true ones, suggests more types of path.
    """
    numbers = range(1, len(labels.cost))
    endings = [(0, False), *((k, landed) for k in numbers for landed in (True, False))]
    endings = [(k, landed) for k, landed in endings if chance_of(k, landing=landed) > search.chance]
    found: list[Option] = []
    dearer: list[tuple[float, int, bool]] = []
    left = search.left
    loose = beyond_the_move(search.table, search.mover, left, search.goal) > 0
    for k, landed in endings if not search.landing else [pair for pair in endings if pair[1]]:
        least = float(labels.ending(landed=landed)[k, net.goals].min()) - SAMPLING_ERROR
        # The cheapest route with this many dice may be one that lands on the goal.
        if left + FITS < least < math.inf and (search.landing or not landed):
            dearer.append((least, k, landed))
        if least <= left + FITS:
            found += best_options(search, net, labels, k, landed=landed, optimistic=optimistic)
        if landed and loose and not any(search.fits(option) for option in found):
            found += begun_in_time(search, net, labels, k)
        # Chances fall: once an option with this chance fits, those that follow cannot be better.
        if any(option.chance >= chance_of(k, landing=landed) and search.fits(option) for option in found):
            return found + over_instead(search, net, found, found), math.inf
    found += over_instead(search, net, found, found)
    # None fits, so only the cheapest is wanted. Of samples within ABOUT of each other, which may be one route, those
    # with fewer dice are made exact first: they have less to clear.
    for least, k, landed in sorted(dearer, key=lambda row: (round(row[0] / ABOUT), row[1])):
        if least > search.horizon or any(o.cost <= least or search.cannot_cost_less(o) for o in found):
            continue
        most = min((option.cost for option in found), default=math.inf)
        some = best_options(search, net, labels, k, landed=landed, most=most, optimistic=optimistic)
        found += some + over_instead(search, net, some, [*found, *some])
    beyond = min((least for least, *_ in dearer if least > search.horizon), default=math.inf)
    known = any(o.cost <= beyond or search.cannot_cost_less(o) for o in found)
    return found, math.inf if known else beyond + SAMPLING_ERROR
