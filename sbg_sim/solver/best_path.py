"""One search for one goal: the cheapest route for each number of dice, exact and within a range that suffices."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from sbg_sim.solver.closed import closed_off
from sbg_sim.solver.graph_builder import GraphBuilder
from sbg_sim.solver.label_search import Labels, settle
from sbg_sim.solver.neighbours import beside_corners, constrained, detours, mend, off_rings
from sbg_sim.solver.optimise import certify
from sbg_sim.solver.path_types import PathType, as_path_type, kind_of, trace
from sbg_sim.solver.polish import polish
from sbg_sim.solver.routes import route_of
from sbg_sim.solver.setting import make_setting
from sbg_sim.solver.tangent_graph import SPACING, TangentGraph
from sbg_sim.solver.transitions import stretch
from sbg_sim.tolerance import FITS, ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.geometry.regions import Region
    from sbg_sim.solver.goals import Wanted
    from sbg_sim.solver.setting import Setting
    from sbg_sim.solver.tangent_graph import Goal
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.route import Route

MOST_TESTS: Final = 6
"""Dice looked ahead; a seventh test in one move would have a chance below 1 in 46656."""

MOST_KINDS: Final = 20
"""Kinds of path polished for one answer, the cheapest first."""

SLACK: Final = 0.05
"""How far (inches) a sampled cost may lie above the best before its kind of path is left unpolished: twice what
the samples' spacing can hide at two crossings."""

_HIDDEN: Final = SPACING
"""How far (inches) a sampled cost may lie above the true one where a way over must just clear something: there
the error grows with the distance between samples, not with its square."""

_TRACED: Final = 4  # paths from which detours are looked for, the cheapest first
_HOPELESS: Final = 1.0  # inches: a crossing so stiff sits at a corner, which is a node of its own
_FIRST: Final = 1.02  # by how much more than a lower bound is looked at, as a factor
_PAD: Final = 0.05  # and on top of it, inches
_LEAP: Final = 1.3  # by what factor the range grows at most towards the cost of a way that was found
_ALMOST: Final = 1.15  # by what factor the range may stay below the cost of a way that was found
_LARGE: Final = 4000  # nodes; closer sampling of a network this size takes seconds

_Known: TypeAlias = dict[tuple[object, ...], PathType]

JUMPS: Final = frozenset({"jump", "jump-prone", "leap"})
"""Tests that put a model down beyond what it crosses."""

SIX = Fraction(1, 6)
TWO_UP = Fraction(5, 6)


@dataclass(frozen=True)
class Option:
    """One way to the goal.

    Parameters
    ----------
    tests
        Dice on the way.
    landing
        Whether the last die already puts the mover on the goal.
    cost
        Exact cost, inches.
    slack
        Width of the certificate: the true least cost of this kind is within ``[cost - slack, cost]``.
    route
        The witness.
    begun
        Movement used when the last die is thrown, inches.
    snap
        What sampling could hide at this route's crossings, inches; other kinds of path are ruled out only while
        it stays below SLACK.

    """

    tests: int
    landing: bool
    cost: float
    slack: float
    route: Route
    begun: float = 0.0
    snap: float = 0.0

    @property
    def chance(self) -> Fraction:
        """Probability that the dice allow it."""
        if self.landing:
            return SIX ** (self.tests - 1) * TWO_UP
        return SIX**self.tests


@dataclass(frozen=True)
class Search:
    """What is fixed while the range grows.

    Parameters
    ----------
    table, mover
        The table and who moves (already standing, with its place).
    charging
        Whose zone may be entered.
    goal
        What to look for.
    offset
        Movement used before (standing up), inches.
    dice
        Whether tests may be taken.
    near
        Distance from the mover to the goal, as the crow flies, inches.
    landing
        Whether the goal may be ended on only by being put down there by the last die.
    horizon
        Costs beyond this are not looked for, inches, standing up included.
    least
        What any way is known to cost at least, inches, standing up not included.
    set_down
        Whether a jump's or leap's 2 to 5 may put it down on the goal (ruling ``jump_into_contact``).
    without
        Enemies whose zones are left out.

    """

    table: Table
    mover: Model
    charging: str | None
    goal: Wanted
    offset: float
    dice: bool
    near: float
    horizon: float
    landing: bool = False
    least: float = 0.0
    set_down: bool = True
    without: frozenset[str] = frozenset()

    def may_end(self, option: Option) -> bool:
        """Say whether an option may end the way it does."""
        return self.set_down or not option.landing or option.route.tests[-1].kind not in JUMPS


@dataclass(frozen=True)
class Options:
    """What was found on the way to a goal.

    Parameters
    ----------
    found
        The cheapest option of each kind: those within the allowance are all there, beyond it the cheapest is.
    beyond
        No way that is not there costs less than this, inches (standing up included); infinite where it is known that
        there is none at any Move.

    """

    found: list[Option]
    beyond: float = math.inf


def options(search: Search, allowance: float) -> Options:
    """Find the ways to a goal, up to the horizon.

    Parameters
    ----------
    search
        What to look for.
    allowance
        The maximum Move, inches.

    """
    budget = allowance - search.offset
    # By some readings a last jump or leap may cost as much again as is left.
    loose = beyond_the_move(search.table, search.mover, budget)
    wanted = max(search.horizon - search.offset, budget)
    far = max(wanted, budget + loose)
    if search.least >= far:
        return Options([], max(far, search.near) + search.offset)
    if search.near > far:
        return Options([]) if _closed(search) else Options([], search.near + search.offset)
    reach, testing, asked = max(search.near, search.least) * _FIRST + _PAD, search.landing, False
    known = math.inf
    while True:
        look = _within(search, min(reach, far), budget, far, testing=testing)
        fits = any(o.tests == 0 and o.cost <= min(look.reach + ROUNDING, budget + FITS) for o in look.found)
        certain, least = look.least
        costs = [look.dearer, *(o.cost for o in look.found)]
        enough, known = look.reach >= budget and min(costs) <= look.reach, min([known, *costs])
        proven = known <= search.least + TOUCH and search.least > budget + loose + FITS
        if look.tests and not fits and not proven and (enough or look.whole or look.reach >= far):
            # Only dice can help now: within the allowance, or by ways that cost no more than what was found without.
            reach, testing = max(max(search.near, search.least) * _FIRST + _PAD, budget + loose), True
            reach = known if known <= _LEAP * reach else reach
            continue
        if fits or enough or look.whole:
            return Options(look.found, math.inf if look.found or math.isinf(look.dearer) else wanted + search.offset)
        if math.isinf(known) and not asked:
            asked = True
            if _closed(search):
                return Options([])
        if look.reach >= far:
            return Options([o for o in look.found if o.cost <= far], wanted + search.offset)
        # Leaving things out only makes ways cheaper: until one fits without dice nothing below its cost needs a look.
        further = certain if certain <= budget or certain == least else max(budget, least)
        wide = look.reach >= budget and not look.found and testing
        reach = max(
            max(further, look.reach) * (_LEAP if wide else _FIRST) + _PAD, min(_dearest(look), _LEAP * look.reach)
        )
        if look.reach < known:
            # A way that is there bounds what has to be looked at; nearly so far is looked at in one go.
            reach = known + _PAD if _ALMOST * reach > known else reach


def _dearest(look: _Look) -> float:
    """Return how far (inches) is far enough: what was found may no longer be a way, but it costs no less than one."""
    return min((o.cost for o in look.found), default=0.0) + _PAD


def _closed(search: Search) -> bool:
    goal = search.goal
    return closed_off(search.table, search.mover, goal.goal, goal.surface, search.charging, search.without)


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
    search: Search, reach: float, enough: float, far: float, spacing: float = SPACING, *, testing: bool = True
) -> _Look:
    """Look for ways to the goal within a range, with dice or without; none that costs more than ``far`` is wanted."""
    setting = _setting(search, reach)
    transitions = [p for p in setting.transitions if testing or not p.way.tests]
    left = len(transitions) < len(setting.transitions)
    layers = MOST_TESTS if any(p.way.tests for p in transitions) and search.dice else 0
    nothing = _Look(reach, [], (math.inf, math.inf), whole=False, tests=left)
    goal = search.goal(setting)
    if goal is None:
        return replace(nothing, whole=True)
    # Ways over make a network large: then no further than must be.
    limit = min(1.5 * reach + 1.0 if not layers else _FIRST * reach + _HIDDEN, far)
    horizon = limit + SLACK
    net = GraphBuilder(setting.spaces, transitions, (0, search.mover.at), goal, spacing, horizon).build()
    if not len(net.goals):
        return replace(nothing, whole=True)
    labels = settle(
        net.graph,
        dict.fromkeys(net.source, 0.0),
        layers=layers,
        cutoff=horizon,
        ahead=_ahead(net, goal),
        goal=net.goals,
        slack=_HIDDEN if net.transitions else 0.0,
    )
    reached = (labels.landed if search.landing else labels.cost)[:, net.goals].min(axis=1)
    if not np.isfinite(reached).any():
        # Nothing leads there for so little, whatever was left out.
        return replace(nothing, reach=limit, least=(limit, limit))
    hidden = _HIDDEN if transitions or goal.lines else SLACK if net.pieces else 0.0
    least = (min(float(reached[0]), horizon) - hidden, min(float(reached.min()), horizon) - hidden)
    look = _Look(reach, [], least, whole=False, tests=left)
    wider = max(least[1], least[0] if reach < enough else 0.0)
    if wider > reach:
        wider = wider * _FIRST + _PAD
        if wider > horizon or not setting.holds_as_much_as(_setting(search, wider)):
            return look
        # Nothing more stands there: what was found holds as it is.
        look = replace(look, reach=wider)
    found, dearer = _by_dice(search, net, labels, enough)
    cheapest = min((o.cost for o in found), default=0.0)
    if look.reach < cheapest < horizon and setting.holds_as_much_as(_setting(search, cheapest)):
        look = replace(look, reach=cheapest)
    coarse = any(SLACK < option.snap < _HOPELESS for option in found)
    if coarse and spacing > SPACING / 3 and net.graph.size < _LARGE:
        return _within(search, look.reach, enough, far, spacing / 2, testing=testing)
    if not found and math.isinf(dearer):
        # What was reached could not be made into a path that is allowed: look much further at once.
        least = (3 * look.reach, 3 * look.reach)
    return replace(look, found=found, least=least, dearer=dearer)


def _setting(search: Search, reach: float) -> Setting:
    """Collect all that paths can come near which cost no more than so many inches."""
    mover = search.mover

    def within(region: Region) -> Setting:
        return make_setting(
            search.table,
            mover,
            region=region,
            surface=search.goal.surface,
            charging=search.charging,
            without=search.without,
            dice=search.dice,
        )

    setting = within(search.goal.region(mover.at, reach + TOUCH, mover.radius))
    longer = stretch(setting.transitions)
    if longer > 1:
        # Free shifts may lead out of the ellipse of the straight ways.
        setting = within(search.goal.region(mover.at, longer * reach + TOUCH, mover.radius))
    return setting


def _by_dice(search: Search, net: TangentGraph, labels: Labels, enough: float) -> tuple[list[Option], float]:
    """Return the best option for each number of dice that can matter, and the least cost beyond the horizon."""
    numbers = range(1, len(labels.cost))
    kinds = [(0, False), *((k, landed) for k in numbers for landed in (True, False))]
    found: list[Option] = []
    dearer: list[tuple[float, int, bool]] = []
    loose = beyond_the_move(search.table, search.mover, enough) > 0
    for k, landed in kinds if not search.landing else [kind for kind in kinds if kind[1]]:
        table = labels.landed if landed else labels.cost
        least = float(table[k, net.goals].min()) - _HIDDEN
        if least > enough + FITS and not (landed and loose):
            dearer.append((least, k, landed))
            continue
        found += [o for o in _best(search, net, labels, k, landed=landed) if search.may_end(o)]
        # In the order of falling chances: once one fits, those that follow cannot be better.
        if any(option.cost <= enough + FITS for option in found):
            return found, math.inf
    # None fits: of those that cannot, only the cheapest is wanted.
    for least, k, landed in sorted(dearer):
        if not math.isfinite(least) or any(option.cost <= least for option in found):
            break
        if least > search.horizon - search.offset:
            return found, least + _HIDDEN
        found += [o for o in _best(search, net, labels, k, landed=landed) if search.may_end(o)]
    return found, math.inf


def beyond_the_move(table: Table, mover: Model, budget: float) -> float:
    """Return by how much a last jump or leap may cost more than is left, by the table's readings, inches."""
    if table.rulings["jump_without_movement"] == "yes":
        return budget
    if table.rulings["leap_needs"] != "maximum" or mover.height is None:
        return 0.0
    if not any(piece.tags & {"gap", "platform"} for piece in table.terrain.values()):
        return 0.0
    return min(budget, 2 * mover.height + 4 * mover.radius)


def _ahead(net: TangentGraph, goal: Goal) -> np.ndarray | None:
    """A lower bound of the cost still to come: the straight distance, but for what is free on the way."""
    if goal.lines:
        return None
    longer = stretch(net.transitions)
    if goal.at is not None:
        return np.asarray(np.hypot(net.xy[:, 0] - goal.at[0], net.xy[:, 1] - goal.at[1]) / longer)
    x, y, r = goal.contact[0]
    ahead = np.maximum(np.hypot(net.xy[:, 0] - x, net.xy[:, 1] - y) - r, 0.0) / longer
    ahead[net.goals] = 0.0
    return np.asarray(ahead)


def _best(search: Search, net: TangentGraph, labels: Labels, k: int, *, landed: bool) -> list[Option]:
    """Polish every kind of path that could be the best with ``k`` dice; keep the best that is allowed."""
    table = labels.landed if landed else labels.cost
    goals = [g for g in net.goals.tolist() if math.isfinite(table[k, g])]
    if not goals:
        return []
    best = min(float(table[k, g]) for g in goals)
    chains: dict[tuple[object, ...], tuple[float, PathType]] = {}
    for steps, cost in _endings(net, labels, k, goals, best, landed=landed):
        chain = as_path_type(net, steps)
        key = kind_of(chain)
        if key not in chains or cost < chains[key][0]:
            chains[key] = (cost, chain)
    if net.pieces and not landed:
        cheapest = sorted(_endings(net, labels, k, goals, best, landed=landed), key=lambda pair: pair[1])
        for steps, cost in cheapest[:_TRACED]:
            for other_steps, more in detours(net, labels, k, steps, SLACK + best - cost):
                chain = as_path_type(net, other_steps)
                chains.setdefault(kind_of(chain), (cost + more, chain))
    kinds = sorted(chains.values(), key=lambda pair: pair[0])[:MOST_KINDS]
    winner, costs = _cheapest(search, net, kinds, k, None, landed=landed)
    beside: dict[tuple[object, ...], tuple[float, float, PathType]] = {}
    for n, ((sampled, chain), cost) in enumerate(zip(kinds, costs, strict=True)):
        # Kinds that are polished to one path leave its rings in the same ways.
        known = any(abs(cost - other) <= ROUNDING for other in costs[:n])
        for other in (*beside_corners(net, chain), *(() if known else off_rings(net, chain))):
            # Not sampled itself, so nothing is known of it but that it may cost as much.
            if kind_of(other) not in chains:
                beside.setdefault(kind_of(other), (cost, sampled, other))
    further = [row[1:] for row in sorted(beside.values(), key=lambda row: row[:2])[:MOST_KINDS]]
    winner, _ = _cheapest(search, net, further, k, winner, landed=landed)
    return [] if winner is None else [winner]


def _better(one: Option | None, other: Option | None) -> Option | None:
    """Return the cheaper option, or of two as cheap the better proven."""
    if one is None or other is None:
        return one or other
    if abs(one.cost - other.cost) <= ROUNDING:
        return min(one, other, key=lambda option: (option.slack, option.cost))
    return min(one, other, key=lambda option: option.cost)


def _cheapest(
    search: Search,
    net: TangentGraph,
    kinds: Sequence[tuple[float, PathType]],
    k: int,
    winner: Option | None,
    *,
    landed: bool,
) -> tuple[Option | None, list[float]]:
    """Polish kinds of path, each with what it costs as sampled; return the best option and what each kind costs."""
    costs = [sampled for sampled, _ in kinds]
    polished = polish(net, [chain for _, chain in kinds])
    mended: dict[tuple[object, ...], Option] = {}
    known: _Known = {}
    for n in sorted(range(len(kinds)), key=lambda n: polished[n][1]):
        chain, least = polished[n]
        if winner is not None and least > winner.cost + TOUCH:
            break  # mending what is in the way makes no path cheaper
        option = mended.get(kind_of(chain))  # many kinds are polished to one
        if option is None or option.slack >= SLACK:
            option = _polished(search, net, chain, kinds[n][1], k, known, landed=landed, sampled=kinds[n][0])
        if option is not None:
            mended[kind_of(chain)] = option
            costs[n] = option.cost
        winner = _better(option, winner)
    return winner, costs


def _polished(
    search: Search,
    net: TangentGraph,
    polished: PathType,
    chain: PathType,
    k: int,
    known: _Known,
    *,
    landed: bool,
    sampled: float,
) -> Option | None:
    """Make an option of a polished chain, with what its certificate says; None when it cannot be mended."""
    done = _mended(search.table, search.mover, net, polished, chain, k, sampled + SLACK, known)
    snap = 0.0
    if done is not None:
        route, chain = done
        residual, snap = certify(net, chain)
        slack = ROUNDING + residual
    else:
        plain = route_of(search.table, search.mover, net, chain)
        if plain is None or len(plain.tests) != k:
            return None
        route, slack = plain, SLACK if chain.slides else ROUNDING
    begun = route.cost - route.legs[-1].cost if landed and route.legs else 0.0
    return Option(k, landed, route.cost, slack, route, begun, snap)


def polished_route(
    table: Table, mover: Model, net: TangentGraph, chain: PathType, tests: int, sampled: float
) -> tuple[Route, PathType] | None:
    """Polish a chain, mend it where the optimum runs into something; return its route, if allowed, and the chain."""
    return _mended(table, mover, net, polish(net, [chain])[0][0], chain, tests, sampled, {})


def _mended(
    table: Table,
    mover: Model,
    net: TangentGraph,
    polished: PathType,
    sampled_chain: PathType,
    tests: int,
    most: float,
    known: _Known,
) -> tuple[Route, PathType] | None:
    """Mend a polished chain until nothing is in its way; return its route, if there is one, and the chain.

    Many chains are mended to the same kinds: what those were polished to is remembered in ``known``.
    """
    chain = polished
    for _ in range(8):
        route = route_of(table, mover, net, chain)
        if route is not None and len(route.tests) == tests and route.cost <= most + TOUCH:
            return route, chain
        mended = constrained(net, chain, sampled_chain) or mend(net, chain)
        if mended is None:
            return None
        if mended.constraints != chain.constraints:
            sampled_chain = mended
        kind = (kind_of(mended), mended.constraints)
        if kind not in known:
            known[kind] = polish(net, [mended])[0][0]
        chain = known[kind]
    return None


def _endings(
    net: TangentGraph, labels: Labels, k: int, goals: list[int], best: float, *, landed: bool
) -> list[tuple[list[tuple[int, int, int]], float]]:
    """Traces that end within SLACK of the best, one per last step."""
    if landed or not net.pieces:
        table = labels.landed if landed else labels.cost
        return [
            (trace(net, labels, k, g, landed=landed), float(table[k, g])) for g in goals if table[k, g] <= best + SLACK
        ]
    graph = net.graph
    into = np.flatnonzero(np.isin(graph.dst, goals) & (graph.layers_up == 0))
    cost = labels.cost[k, graph.src[into]] + graph.low[into]
    into, cost = into[cost <= best + SLACK], cost[cost <= best + SLACK]
    fresh = ~graph.known[into]
    if fresh.any():
        graph.low[into[fresh]] = graph.weigh(into[fresh])
        graph.known[into[fresh]] = True
        cost = labels.cost[k, graph.src[into]] + graph.low[into]
    out = [
        ([*trace(net, labels, k, int(graph.src[e])), (int(e), -1, int(graph.dst[e]))], float(c))
        for e, c in zip(into.tolist(), cost.tolist(), strict=True)
        if c <= best + SLACK
    ]
    out += [(trace(net, labels, k, g), float(labels.cost[k, g])) for g in goals if labels.cost[k, g] <= best + SLACK]
    return out
