"""What a search for one goal is asked, and the routes that it finds: the options."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

from sbg_sim.geometry.regions import disc_region
from sbg_sim.solver.graph.tangent_graph import SPACING
from sbg_sim.solver.path.jumped import longest_jump
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.levels import elevation
from sbg_sim.table.nearby import pieces_near
from sbg_sim.tolerance import FITS, ROUNDING, TINY

if TYPE_CHECKING:
    from collections.abc import Hashable

    from sbg_sim.solver.path.paths import Path
    from sbg_sim.solver.space.surroundings import Goal, Surroundings
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.route import Route

MOST_TESTS: Final = 6
"""Dice looked ahead; a seventh test in one move would have a chance below 1 in 46656."""

NEAR_BEST: Final = 0.05
"""Types of path whose sampled cost lies farther than this (inches) above the best are not polished: twice what the
distance between samples can hide at two crossings."""

SAMPLING_ERROR: Final = SPACING
"""How far (inches) a sampled cost may lie above the true one where a way over must clear something: there the error
is proportional to the distance between samples, not to its square."""

JUMPS: Final = frozenset({"jump", "jump-up", "jump-prone", "leap"})
"""Kinds of ways over, and of tests on them, that put a model down on the far side."""

SIX = Fraction(1, 6)
TWO_UP = Fraction(5, 6)


@dataclass(frozen=True)
class Option:
    """One route to the goal, with what is proven of it.

    Parameters
    ----------
    tests
        Number of dice thrown on it.
    landing
        Whether the last die already puts the mover on the goal.
    cost
        Exact cost, inches.
    slack
        Width of the certificate: the least cost of this type of path is within ``[cost - slack, cost]``.
    route
        The route itself, as a witness.
    begun
        Movement used when the last die is thrown, inches.
    snap
        By how much sampling can miss the cost at this route's crossings, inches; only while this is below NEAR_BEST
        are other types of path ruled out.
    path
        The path that the route was made of, in the tangent graph it was found in.

    """

    tests: int
    landing: bool
    cost: float
    slack: float
    route: Route
    begun: float = 0.0
    snap: float = 0.0
    path: Path | None = field(default=None, compare=False)

    @property
    def chance(self) -> Fraction:
        """Probability that all dice succeed."""
        return chance_of(self.tests, landing=self.landing)


def chance_of(tests: int, *, landing: bool) -> Fraction:
    """Return the probability of this many sixes; if the last lands the mover on its goal, a 2 is enough for it."""
    return SIX ** (tests - 1) * TWO_UP if landing else SIX**tests


@dataclass(frozen=True)
class Search:
    """The question of one search: what stays fixed while the range of the search grows.

    Parameters
    ----------
    table, mover
        The table and the mover (already standing up, at its place).
    charging
        Id of the enemy whose zone may be entered.
    goal
        Where the route is to end.
    allowance
        The maximum Move, inches.
    dice
        Whether tests may be taken.
    horizon
        Routes that cost more than this are not searched for, inches.
    landing
        Whether the mover may end on the goal only by being put down there by the last die.
    used
        Movement used before (standing up, coming down), inches: not contained in any other cost here.
    least
        A known lower bound of the cost of any route, inches.
    cheapest
        A route known to be the cheapest.
    set_down
        Whether a jump's or leap's 2 to 5 may put it down on the goal (ruling ``jump_into_contact``).
    charged
        Ids of the charged models: a jump over one of them lands apart from it (PRN.5).
    without
        Enemies whose zones are ignored.
    began
        The mover as its move began, if it has moved since: it is stuck in the zones it was in then (CZ.4).
    bound
        Whether the mover has already entered the zone of the model it charges (CHG.3).
    only_fits
        Whether any route within the allowance will do; then routes are not made shorter than they were sampled.
    chance
        The chance of a route known already: only routes of a better chance are searched for.

    """

    table: Table
    mover: Model
    charging: str | None
    goal: Goal
    allowance: float
    dice: bool
    horizon: float
    landing: bool = False
    used: float = 0.0
    least: float = 0.0
    cheapest: Option | None = None
    set_down: bool = True
    charged: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()
    began: Model | None = None
    bound: bool = False
    only_fits: bool = False
    chance: Fraction = Fraction(0)

    @property
    def left(self) -> float:
        """Movement left for what is searched, inches."""
        return self.allowance - self.used

    @property
    def most_tests(self) -> int:
        """Most dice a route may take: with more its chance is no better than the known one."""
        return max((k for k in range(1, MOST_TESTS + 1) if chance_of(k, landing=True) > self.chance), default=0)

    @cached_property
    def near(self) -> float:
        """Distance from the mover to the goal, inches: but for free shifts (climbs) no route costs less."""
        return self.goal.apart(self.mover.at)

    def around(self, cost: float) -> Surroundings:
        """Return everything that a path of at most this cost (inches) can come near."""
        return self.goal.surroundings(
            *(self.table, self.mover, cost),
            charging=self.charging,
            without=self.without,
            began=self.began,
            bound=self.bound,
            dice=self.dice,
        )

    @cached_property
    def meets(self) -> tuple[Hashable, ...]:
        """Everything that decides which routes fit: searches that agree in it find the same under any readings."""
        loose = beyond_the_move(self.table, self.mover, self.left, self.goal)
        around = self.around(self.left + loose)
        kinds = {way.way.kind for way in around.transitions}
        late = {kind: most for kind, most in late_ways(self.table, self.allowance).items() if loose and kind in kinds}
        if loose and not late:
            around = self.around(self.left)
        over = self.table.rulings["climb_over"] if "climb-over" in kinds else None
        return (*self.asked, self.set_down, FrozenMap(late), over, around.holds)

    @property
    def asked(self) -> tuple[Hashable, ...]:
        """The question alone, without what stands on the table and without readings."""
        of = (self.mover, self.charging, self.goal, self.allowance, self.used, self.dice, self.landing)
        return (*of, self.charged, self.without, self.began, self.bound)

    def fits(self, option: Option) -> bool:
        """Say whether the movement left is enough for an option."""
        return fits(self.table, option, self.left, self.allowance)

    def cannot_cost_less(self, option: Option) -> bool:
        """Say whether an option meets the lower bound of all costs."""
        return option.cost <= self.least + 2 * ROUNDING

    def may_end(self, option: Option) -> bool:
        """Say whether the rules on jumps allow an option to end where it does (PRN.5, ``jump_into_contact``)."""
        last = option.route.legs[-1].test if option.route.legs else None
        if last is not None and last.kind == "jump-prone" and last.over in self.charged:
            return False
        return self.set_down or not option.landing or option.route.tests[-1].kind not in JUMPS


@dataclass(frozen=True)
class Options:
    """The result of a search.

    Parameters
    ----------
    found
        The cheapest option for each number of dice: all that fit the allowance, and of the others the cheapest.
    beyond
        Lower bound of the cost of any other route, inches; infinite where there is known to be none at any Move.

    """

    found: list[Option]
    beyond: float = math.inf


UNTOLD: Final = Options([], 0.0)
"""The result before any search."""


Known: TypeAlias = list[tuple[Search, Options]]
"""Searches of one question with their results, in order: that under the table's own readings first."""


def fits(table: Table, option: Option, left: float, most: float) -> bool:
    """Say whether an option can be taken with the movement ``left`` of a maximum Move ``most``, inches.

    By some readings the last jump or leap may cost more than that (JMP.1, LEAP.1).
    """
    if option.cost <= left + FITS:
        return True
    if not option.landing or option.begun > left + FITS:
        return False
    alone = late_ways(table, most).get(option.route.tests[-1].kind, -math.inf)
    return option.cost - option.begun <= alone + FITS


def late_ways(table: Table, most: float) -> dict[str, float]:
    """Return the kinds of ways over that may, at the end of a move, cost more than the movement left.

    Each with the most it may cost itself (inches) of a maximum Move ``most``, by the readings of JMP.1 and LEAP.1.
    """
    found: dict[str, float] = {}
    if table.rulings["leap_needs"] == "maximum":
        found["leap"] = most
    if table.rulings["jump_without_movement"] == "yes":
        found |= dict.fromkeys(JUMPS - {"leap"}, math.inf)
    return found


def farthest(table: Table, mover: Model, left: float) -> float:
    """Return a distance (inches) beyond which no route leads with the movement ``left``, measured in a straight line.

    The shifts across the rims of a climbed face cost nothing (CLB.1, CLB.5): a base's width for a climb up or down, two
    for a climb over. A climb is higher than the mover and costs at least twice its height; a ladder costs its height.
    """
    ladders, high = table.terrain.derived("rises", lambda _: _rises(table))
    climbs = mover.height is not None and mover.height < mover.base and "cavalry" not in mover.keywords
    rises = [*ladders, *([mover.height] if climbs and mover.height is not None and high > mover.height else [])]
    gain = max(1.0, mover.base / max(TINY, min(rises, default=math.inf)))
    begun = 2 * mover.base if mover.climbed else 0.0
    return gain * left + begun


def _rises(table: Table) -> tuple[tuple[float, ...], float]:
    """Return how high the ladders of a table are, and how far its lowest level lies below its highest, inches."""
    ladders = []
    for piece in table.terrain.values():
        if "ladder" in piece.tags:
            on = None if piece.on is None else table.piece(piece.on).on
            top = elevation(table, on if piece.to is None else piece.to)
            ladders.append(abs(top - elevation(table, piece.on)) if piece.height is None else piece.height)
    tops = [0.0, *(elevation(table, p.id) for p in table.terrain.values() if "unscalable" not in p.tags)]
    return tuple(ladders), max(tops) - min(tops)


def beyond_the_move(table: Table, mover: Model, budget: float, goal: Goal | None = None) -> float:
    """Return by how much (inches) the last jump or leap may exceed the movement left, by the table's readings.

    Zero if the goal is known and nothing lies there beside which a jump or leap could land (JMP.1, LEAP.2). A leap is
    at most as long as the Move, a jump as long as what it crosses requires.
    """
    after_jump = table.rulings["jump_without_movement"] == "yes"
    whole_leap = table.rulings["leap_needs"] == "maximum" and mover.height is not None
    more = 0.0
    if after_jump:
        onto = None if goal is None else (*goal.focus[:2], goal.focus[2] + NEAR_BEST)
        more = longest_jump(table, mover, farthest(table, mover, budget), onto)
    if whole_leap:
        # A leap lands beside a gap or on a platform.
        landed_by = {"gap"} if goal is not None and goal.surface is None else {"gap", "platform"}
        near = None if goal is None else disc_region(goal.focus[:2], goal.focus[2], mover.radius + NEAR_BEST)
        pieces = table.terrain.values() if near is None else pieces_near(table, near)
        if any(piece.tags & landed_by for piece in pieces):
            more = max(more, mover.move or 0.0)
    return more
