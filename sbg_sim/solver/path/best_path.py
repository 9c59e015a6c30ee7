"""One search for one goal: the cheapest route for each number of dice, exact and within a range that suffices."""

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

_HOPELESS: Final = 1.0  # inches: a crossing so stiff sits at a corner, which is a node of its own
_FIRST: Final = 1.02  # by how much more than a known cost is looked at, as a factor
_PAD: Final = 0.05  # and on top of it, inches
_GROWTH: Final = 1.6  # by what factor the range grows at least where nothing was found
_NEARLY: Final = 0.85  # from what share of the horizon on all of it is looked at: most of what is so far lies beyond it
_FITTING: Final = 0.1 + FITS  # inches beyond the allowance up to which a horizon asks only whether a way fits
_LARGE: Final = 4000  # nodes; closer sampling of a graph this size takes seconds


def options(search: Search, known: Known | None = None) -> Options:
    """Find the ways to a goal, up to the horizon; what other searches found for the same question may be known.

    It is noted what is found. Where it is only asked whether a way fits, what a search found that meets the same will
    do.
    """
    # By some readings a last jump or leap may cost more than is left.
    loose = beyond_the_move(search.table, search.mover, search.left, search.goal) if search.dice else 0.0
    within = search.left + loose
    # What leads yet farther is a jump, and looked for by itself.
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
    """Look for ways as :func:`_sought` does, but for none better than one that fitted under other readings and does."""
    before = [(other, found) for other, found in known if search.only_fits and other.asked == search.asked]
    kept = _kept(search, before)
    if not kept:
        return _sought(search, within, far)
    chance = kept[0].chance
    if chance == 1:
        return Options(kept, before[0][1].beyond)
    dice = search.dice and chance < chance_of(1, landing=True)
    if dice and chance >= chance_of(1, landing=False):
        # Then a die alone that puts the mover down on its goal is better.
        (x, y, radius), ways = search.goal.focus, search.around(within).transitions
        dice = any(way.way.tests and way.to_far(np.array([(x, y)]))[0] <= radius + TOUCH for way in ways)
    better = replace(search, chance=chance, dice=dice)
    found = _sought(better, within if better.dice else search.left, far if better.dice else search.horizon)
    return Options([*found.found, *kept], found.beyond)


def _kept(search: Search, before: Sequence[tuple[Search, Options]]) -> list[Option]:
    """Return the option of the best chance among those found before that still is a way that fits, if there is one."""
    every = [(other, option) for other, found in before for option in found.found]
    for other, option in sorted(every, key=lambda row: (-row[1].chance, row[1].cost)):
        around = search.around(option.cost)
        # Whether a zone that has been left may be entered again hangs on the whole of a way.
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
    """Look for ways as far as what is too ``far``, and ``within`` some more inches for a jump that ends the move."""
    found = _within_horizon(search, min(within, far), far)
    if within <= far or (not found.found and math.isinf(found.beyond)):
        return found
    chance = max([search.chance, *(option.chance for option in found.found if search.fits(option))])
    late = _late(replace(search, chance=chance), within)
    return Options(_best_of_each(search, [*found.found, *late]), found.beyond) if late else found


def _late(search: Search, within: float, spacing: float = SPACING) -> list[Option]:
    """Return the best way that ends by a jump or leap begun in time, whatever that costs, within so many inches."""
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
    """Look for ways in ever wider ranges, from all that may fit ``within`` some inches to what is too ``far``."""
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
        # Most that a first look does not find is found by the next.
        if math.isinf(cost) and (looks == 2 or (looks == 1 and look.reach >= far)) and _closed(search):
            return Options([])
        if look.reach >= far:
            return Options([o for o in look.found if o.cost <= far], horizon)
        reach = look.further


def _told_at_once(search: Search, within: float, far: float) -> Options | None:
    """Return what bounds, the straight way or a goal that is closed off tell; None where ways have to be looked for."""
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
    """Say whether ways may be longer than the inches they cost, for free shifts that stand within as many."""
    around = make_surroundings(search.table, search.mover, reach=far, without=search.without, dice=search.dice)
    return search.mover.climbed > TOUCH or length_per_cost(around.transitions) > 1


def _straight(search: Search) -> Option | None:
    """Return the straight way where it is open and costs its length: then no way is cheaper, and none needs a look."""
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
    """Say whether there is plainly no way at any Move; nobody asks that who only asks whether one fits."""
    if search.horizon <= search.left + _FITTING:
        return False
    return closed_off(search)


@dataclass(frozen=True)
class _Look:
    """What one look within a range found.

    Parameters
    ----------
    reach
        The range, inches: all that ways up to this cost can come near was looked at.
    found
        The options.
    further
        The range to look at next, inches; infinite where nothing could lead there, whatever was left out.
    dearer
        What the cheapest way costs, as sampled (inches), of those beyond the horizon; they are not made exact.

    """

    reach: float
    found: list[Option]
    further: float
    dearer: float = math.inf


def _look(search: Search, reach: float, far: float, spacing: float = SPACING) -> _Look:
    """Look for ways to the goal within a range; none that costs more than ``far`` is wanted."""
    goal, surroundings = search.goal, search.around(reach)
    nowhere = _Look(reach, [], math.inf)
    if surroundings.index(goal.surface) is None:
        return nowhere
    ways = surroundings.transitions
    if length_per_cost(ways) <= 1:
        search = replace(search, least=max(search.least, search.near))
    layers = search.most_tests if any(p.way.tests for p in ways) and search.dice else 0
    # What falls short may be cheaper than a last leap that may cost more than is left.
    late = layers > 0 and beyond_the_move(search.table, search.mover, search.left, goal) > 0
    # Ways over make a graph large: then no further than must be.
    limit = min(reach + SAMPLING_ERROR if layers else 1.5 * reach + 1.0, far)
    graph = _graph(search, surroundings, limit + NEAR_BEST, spacing, layers, late=late)
    if graph is None:
        return nowhere
    net, labels, limits = graph
    reached = float(labels.ending(landed=search.landing)[:, net.goals].min())
    if not math.isfinite(reached):
        # Nothing leads there for so little, whatever was left out.
        return _Look(limit, [], _GROWTH * limit)
    if reached > reach and reach < far:
        # It is made exact where all is looked at that it can come near.
        return _Look(reach, [], _more_than(reached))
    # Rims of ways over that may cut difficult ground are sampled twice as close.
    other = net.optimistic(spacing / 4) if layers else None
    optimistic = None if other is None else (other, _settled(other, limits, layers))
    found, dearer = _by_dice(search, net, labels, optimistic)
    if not found and math.isinf(dearer):
        # What was reached could not be made into a path that is allowed: look much further at once.
        return _Look(reach, [], 3 * reach)
    cheapest = min([dearer, *(o.cost for o in found)])
    # What costs no more than any way must cannot cost less by closer samples either.
    coarse = [o for o in found if o.cost > search.least + TOUCH and _coarse(search, o)]
    if coarse and spacing > SPACING / 3 and net.graph.size < _LARGE:
        closer = _look(search, reach, far, spacing / 2)
        return replace(closer, found=_best_of_each(search, [*found, *closer.found]))
    # What was found may no longer be a way among more, but no way costs less.
    return _Look(reach, found, _more_than(cheapest), dearer)


def _more_than(cost: float) -> float:
    """Return the range to look at for ways that cost about as much, inches."""
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
    """Build the tangent graph for a goal, and settle what costs no more than its cheapest way by each number of dice.

    And tell within what limits. None where a way may end nowhere. If the last way over may be ``late``, nothing keeps
    one from being found that begins in time, whatever it costs; with ``alone`` no other way that costs more than is
    left is found.
    """
    begun = search.left + FITS if late else -math.inf
    # Only the last of what fits may cost more than is left.
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
    """Settle a graph from its source within limits."""
    return settle(net.graph, dict.fromkeys(net.source, 0.0), limits, layers=layers)


def _coarse(search: Search, option: Option) -> bool:
    """Say whether closer samples could tell more that is asked: what an option costs, or only whether one fits."""
    fitting = option.cost - option.snap <= search.left + FITS < option.cost
    return NEAR_BEST < option.snap < _HOPELESS and (fitting or not search.only_fits)


def _best_of_each(search: Search, found: Sequence[Option]) -> list[Option]:
    """Return the best option for each number of dice, in their order; of landings, the best that fits as well."""
    best: dict[tuple[int, bool, bool], Option] = {}
    for option in found:
        ending = option.tests, option.landing, option.landing and search.fits(option)
        best[ending] = better(option, best.get(ending)) or option
    return list(best.values())


def _by_dice(
    search: Search, net: TangentGraph, labels: Labels, optimistic: Settled | None = None
) -> tuple[list[Option], float]:
    """Return the best option for each number of dice that can matter, and the least cost beyond the horizon.

    What was settled with weights that are ``optimistic`` tells of more types of path.
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
        # What is cheapest may well end where it lands.
        if left + FITS < least < math.inf and (search.landing or not landed):
            dearer.append((least, k, landed))
        if least <= left + FITS:
            found += best_options(search, net, labels, k, landed=landed, optimistic=optimistic)
        if landed and loose and not any(search.fits(option) for option in found):
            found += begun_in_time(search, net, labels, k)
        # In the order of falling chances: once one as good fits, those that follow cannot be better.
        if any(option.chance >= chance_of(k, landing=landed) and search.fits(option) for option in found):
            return found + over_instead(search, net, found, found), math.inf
    found += over_instead(search, net, found, found)
    # None fits: of those that cannot, only the cheapest is wanted. Of samples of what may be one way those with fewer
    # dice, which have less to clear, are made exact first.
    for least, k, landed in sorted(dearer, key=lambda row: (round(row[0] / ABOUT), row[1])):
        if least > search.horizon or any(o.cost <= least or search.cannot_cost_less(o) for o in found):
            continue
        most = min((option.cost for option in found), default=math.inf)
        some = best_options(search, net, labels, k, landed=landed, most=most, optimistic=optimistic)
        found += some + over_instead(search, net, some, [*found, *some])
    beyond = min((least for least, *_ in dearer if least > search.horizon), default=math.inf)
    known = any(o.cost <= beyond or search.cannot_cost_less(o) for o in found)
    return found, math.inf if known else beyond + SAMPLING_ERROR
