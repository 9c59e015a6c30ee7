"""One search for one goal: the cheapest route for each number of dice, exact and within a range that suffices."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.solver.graph.graph_builder import GraphBuilder
from sbg_sim.solver.graph.label_search import Labels, settle
from sbg_sim.solver.graph.tangent_graph import SPACING, TangentGraph
from sbg_sim.solver.path.closed import closed_off, covered
from sbg_sim.solver.path.in_time import begun_in_time
from sbg_sim.solver.path.options import (
    MOST_TESTS,
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
from sbg_sim.solver.path.type_search import best_options, better, over_instead
from sbg_sim.solver.space.surroundings import make_surroundings
from sbg_sim.solver.space.transitions import length_per_cost
from sbg_sim.table.route import Leg, Route
from sbg_sim.tolerance import FITS, ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.solver.graph.label_search import Labels
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.space.surroundings import Goal

_HOPELESS: Final = 1.0  # inches: a crossing so stiff sits at a corner, which is a node of its own
_FIRST: Final = 1.02  # by how much more than a lower bound is looked at, as a factor
_PAD: Final = 0.05  # and on top of it, inches
_GROWTH: Final = 1.3  # by what factor the range grows at most towards the cost of a way that was found
_ALMOST: Final = 1.15  # by what factor the range may stay below the cost of a way that was found
_FITTING: Final = 0.1 + FITS  # inches beyond the allowance up to which a horizon asks only whether a way fits
_LARGE: Final = 4000  # nodes; closer sampling of a graph this size takes seconds


def options(search: Search, known: Known | None = None) -> Options:
    """Find the ways to a goal, up to the horizon; what other searches found for the same question may be known.

    It is noted what is found. Where it is only asked whether a way fits, what a search found that meets the same will
    do.
    """
    left = search.left
    # By some readings a last jump or leap may cost as much again as is left.
    loose = beyond_the_move(search.table, search.mover, left, search.goal)
    wanted = max(search.horizon, left)
    far = max(wanted, left + loose)
    told = _told_at_once(search, loose, far)
    if told is not None:
        return told
    known = [] if known is None else known
    alike = (found for other, found in known if search.only_fits and other.meets == search.meets)
    found = next(alike, None) or _sought(search, loose, far)
    known.append((search, found))
    return found


def _sought(search: Search, loose: float, far: float) -> Options:
    """Look for ways in ever wider ranges, up to so many inches; a last way over may cost more than is left by some."""
    left, wanted = search.left, max(search.horizon, search.left)
    first, asked = max(search.near, search.least) * _FIRST + _PAD, False
    # What cannot fit without dice is looked at with them from the first.
    testing = search.landing or max(search.near, search.least) > left + FITS
    reach = first if search.landing or not testing else max(first, left + loose)
    if testing and _ALMOST * reach > far:
        reach = far  # nearly so far is looked at in one go
    known, walked = math.inf, None
    if search.only_fits and _leads(reach) >= left:
        reach = max(reach, left)  # the graph is that large anyway
    while True:
        look = _within(search, min(reach, far), far, testing=testing, walked=walked)
        walks = any(o.tests == 0 and o.cost <= min(look.reach + ROUNDING, left + FITS) for o in look.found)
        costs = [look.dearer, *(o.cost for o in look.found)]
        enough, known = look.reach >= left and min(costs) <= look.reach, min([known, *costs])
        proven = known <= search.least + TOUCH and search.least > left + loose + FITS
        unfit = enough or look.whole or look.reach >= far or look.least[0] > left + FITS
        if look.tests and not walks and not proven and unfit:
            # Only dice can help now: within the allowance, or by ways that cost no more than what was found without.
            reach, testing = max(first, left + loose), True
            reach = known if known <= _GROWTH * reach else far if far <= _ALMOST * reach else reach
            reach = max(reach, left + loose) if loose else reach  # a last leap may be dearer than what falls short
            walked = next((o for o in look.found if o.cost <= look.reach), None)
        elif walks or enough or look.whole:
            return Options(look.found, math.inf if look.found or math.isinf(look.dearer) else wanted)
        elif math.isinf(known) and not asked and _closed(search):
            return Options([])
        elif look.reach >= far:
            return Options([o for o in look.found if o.cost <= far], wanted)
        else:
            reach, asked = _wider(look, known, left, far, testing=testing), True


def _told_at_once(search: Search, loose: float, far: float) -> Options | None:
    """Return what bounds, the straight way or a goal that is closed off tell; None where ways have to be looked for."""
    crow = search.near > far and search.near > farthest(search.table, search.mover, far)
    beyond = Options([], search.near if crow else far)
    if search.least >= far:
        return beyond
    if crow:
        return Options([]) if _closed(search) else beyond
    direct = _straight(search)
    if direct is not None and (direct.cost <= search.left + FITS or not loose):
        return Options([direct])
    if covered(search):
        return Options([])
    if search.near > far and not _shifts(search, far):
        return Options([]) if _closed(search) else beyond
    return None


def _shifts(search: Search, far: float) -> bool:
    """Say whether ways may be longer than the inches they cost, for free shifts that stand within as many."""
    around = make_surroundings(search.table, search.mover, reach=far, without=search.without, dice=search.dice)
    return search.mover.climbed > TOUCH or length_per_cost(around.transitions) > 1


def _wider(look: _Look, known: float, left: float, far: float, *, testing: bool) -> float:
    """Return the range of the next look, inches: no wider than what a known way costs, or than is wanted."""
    certain, least = look.least
    # Leaving things out only makes ways cheaper: until one fits without dice nothing below its cost needs a look.
    further = certain if certain <= left or certain == least else max(left, least)
    wide = look.reach >= left and not look.found and testing and least <= look.reach
    # What was found may no longer be a way, but it costs no less than one.
    dearest = min((o.cost for o in look.found), default=0.0) + _PAD
    reach = max(max(further, look.reach) * (_GROWTH if wide else _FIRST) + _PAD, min(dearest, _GROWTH * look.reach))
    last = min(known + _PAD, far)
    # Nearly so far is looked at in one go.
    return last if look.reach < known and _ALMOST * reach > last else reach


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
    at = goal.at or (float(end[0, 0]), float(end[0, 1]))
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
    least
        Lower bounds of the cost (inches) without dice and in any way, whatever was left out.
    whole
        Whether nothing that was left out could make another way, but for dice.
    tests
        Whether ways that take dice were left out.
    dearer
        What the cheapest way costs, as sampled (inches), of those beyond the horizon; they are not made exact.

    """

    reach: float
    found: list[Option]
    least: tuple[float, float]
    whole: bool
    tests: bool
    dearer: float = math.inf


def _within(
    search: Search,
    reach: float,
    far: float,
    spacing: float = SPACING,
    *,
    testing: bool = True,
    walked: Option | None = None,
) -> _Look:
    """Look for ways to the goal within a range, with dice or without; none that costs more than ``far`` is wanted.

    The cheapest way without dice may be known.
    """
    surroundings = search.around(reach)
    transitions = [p for p in surroundings.transitions if testing or not p.way.tests]
    left = len(transitions) < len(surroundings.transitions)
    layers = MOST_TESTS if any(p.way.tests for p in transitions) and search.dice else 0
    nothing = _Look(reach, [], (math.inf, math.inf), whole=False, tests=left)
    if walked is not None and not layers:
        # No die can be thrown on a way of so little, and the best way without any is known.
        return replace(nothing, found=[walked], least=(walked.cost, min(walked.cost, reach)))
    goal = search.goal
    if surroundings.index(goal.surface) is None:
        return replace(nothing, whole=True)
    # What falls short may be cheaper than a last leap that may cost more than is left.
    late = layers > 0 and beyond_the_move(search.table, search.mover, search.left, goal) > 0
    # Ways over make a graph large: then no further than must be.
    limit = min(_leads(reach) if not layers else _FIRST * reach + SAMPLING_ERROR, far)
    if search.only_fits and not late:
        # So far that what may fit, by its samples, is made exact without dice already.
        limit = min(limit, max(reach, _FIRST * (search.left + SAMPLING_ERROR) + _PAD))
    cutoff = limit + NEAR_BEST
    begun = search.left + FITS if late else -math.inf
    # Only the last of what fits may cost more than is left.
    within = begun + SAMPLING_ERROR if late and search.only_fits else math.inf
    among = replace(surroundings, transitions=tuple(transitions))
    ways = late_ways(search.table, search.allowance)
    net = GraphBuilder(among, goal, spacing, cutoff, begun=within, late=ways).build()
    if not len(net.goals):
        return replace(nothing, whole=True)
    labels = _settled(net, goal, cutoff, layers, begun, within)
    reached = labels.ending(landed=search.landing)[:, net.goals].min(axis=1)
    if not np.isfinite(reached).any():
        # Nothing leads there for so little, whatever was left out.
        return replace(nothing, reach=limit, least=(limit, limit))
    error = SAMPLING_ERROR if transitions or goal.lines else NEAR_BEST if net.pieces else 0.0
    least = (min(float(reached[0]), cutoff) - error, min(float(reached.min()), cutoff) - error)
    look = _Look(reach, [], least, whole=False, tests=left)
    wider = max(least[1], least[0] if reach < search.left else 0.0)
    if wider > reach:
        wider = wider * _FIRST + _PAD
        if wider > cutoff or not surroundings.holds_as_much_as(search.around(wider)):
            return look
        # Nothing more stands there: what was found holds as it is.
        look = replace(look, reach=wider)
    shown = min(float(reached.min()) + _PAD, far)
    if shown > look.reach + _PAD and spacing == SPACING:
        # Most likely it costs no less than that: it is made exact where all is looked at that it can come near.
        if not surroundings.holds_as_much_as(search.around(shown)):
            return _within(search, shown, far, testing=testing, walked=walked)
        look = replace(look, reach=shown)
    found, dearer = _by_dice(search, net, labels, walked)
    cheapest = min((o.cost for o in found), default=0.0)
    if look.reach < cheapest < cutoff and surroundings.holds_as_much_as(search.around(cheapest)):
        look = replace(look, reach=cheapest)
    # What costs no more than any way must cannot cost less by closer samples either.
    bound = max(search.least, search.near if length_per_cost(transitions) <= 1 else 0.0)
    coarse = [o for o in found if o is not walked and o.cost > bound + TOUCH and _coarse(search, o)]
    if coarse and spacing > SPACING / 3 and net.graph.size < _LARGE:
        exact = next((o for o in found if o.tests == 0 and o not in coarse), walked)
        closer = _within(search, look.reach, far, spacing / 2, testing=testing, walked=exact)
        return replace(closer, found=_best_of_each(search, [*found, *closer.found]))
    if not found and math.isinf(dearer):
        # What was reached could not be made into a path that is allowed: look much further at once.
        least = (3 * look.reach, 3 * look.reach)
    return replace(look, found=found, least=least, dearer=dearer)


def _settled(net: TangentGraph, goal: Goal, cutoff: float, layers: int, begun: float, within: float) -> Labels:
    """Return the labels of a tangent graph for a goal, up to what its cheapest way costs by each number of dice.

    Whatever it costs, nothing keeps a last way over from being found that may begin at what costs up to ``begun``; what
    is no goal is found up to ``within``.
    """
    slack = SAMPLING_ERROR if net.transitions else 0.0
    start, ahead = dict.fromkeys(net.source, 0.0), net.ahead(goal)
    return settle(
        net.graph,
        start,
        layers=layers,
        cutoff=cutoff,
        ahead=ahead,
        goal=net.goals,
        slack=slack,
        begun=begun,
        within=within,
    )


def _leads(reach: float) -> float:
    """Return how far the graph without dice leads that is made for a range, inches."""
    return 1.5 * reach + 1.0


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


def _by_dice(search: Search, net: TangentGraph, labels: Labels, walked: Option | None) -> tuple[list[Option], float]:
    """Return the best option for each number of dice that can matter, and the least cost beyond the horizon."""
    numbers = range(1, len(labels.cost))
    endings = [(k, landed) for k in numbers for landed in (True, False)]
    found = [] if walked is None else [walked]
    endings = endings if found else [(0, False), *endings]
    dearer: list[tuple[float, int, bool]] = []
    left = search.left
    loose = beyond_the_move(search.table, search.mover, left, search.goal) > 0
    for k, landed in endings if not search.landing else [pair for pair in endings if pair[1]]:
        least = float(labels.ending(landed=landed)[k, net.goals].min()) - SAMPLING_ERROR
        if least > left + FITS and (search.landing or not landed):  # what is cheapest may well end where it lands
            dearer.append((least, k, landed))
        # Of those that do not fit the cheapest alone is wanted.
        wanted = max(left + FITS, min((option.cost for option in found), default=math.inf))
        wanted = math.inf if landed and loose else wanted
        some = best_options(search, net, labels, k, landed=landed, wanted=wanted) if least <= left + FITS else []
        for option in some:
            found += [option, *(() if search.fits(option) else over_instead(search, net, option))]
        if landed and loose and not any(search.fits(option) for option in found):
            found += begun_in_time(search, net, labels, k)
        # In the order of falling chances: once one as good fits, those that follow cannot be better.
        if any(option.chance >= chance_of(k, landing=landed) and search.fits(option) for option in found):
            return found, math.inf
    # None fits: of those that cannot, only the cheapest is wanted.
    for least, k, landed in sorted(dearer):
        if not math.isfinite(least) or any(option.cost <= least for option in found):
            break
        if least > search.horizon:
            return found, least + SAMPLING_ERROR
        most = min((option.cost for option in found), default=math.inf)
        for option in best_options(search, net, labels, k, landed=landed, most=most):
            found += [option, *over_instead(search, net, option)]
    return found, math.inf
