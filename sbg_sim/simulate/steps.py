"""Cuts a route into steps for many turns: the cost of each, the movement needed to begin it, and where a 1 leads.

The step graph of a route is the route itself with detours: out of the gap into which a leap fell, back up from where a
leap between levels fell, and up the whole face again for a model that began half way up it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from sbg_sim.errors import QuestionError
from sbg_sim.rules.results import failed
from sbg_sim.rules.zones import zones
from sbg_sim.simulate.plays import failed as ended
from sbg_sim.simulate.plays import goal_of, may_begin, point_on
from sbg_sim.simulate.resting import LineOfSight, cut, may_rest, part
from sbg_sim.simulate.simulation import ask_solver
from sbg_sim.table.board import allowance, height_of
from sbg_sim.table.joining import joined, level_of
from sbg_sim.table.questions import Charge, Move
from sbg_sim.table.route import FACES, Leg
from sbg_sim.tolerance import APART, FITS, ROUNDING, TOUCH

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.simulate.sweep import Judge
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.route import Route, Test

GOAL: Final = -1
"""Stands for the goal until the number of steps is known."""

_Section: TypeAlias = tuple[Leg, bool, bool]
"""A leg or a part of one, whether it is in a target's zone, and whether no move may end on it."""


@dataclass(frozen=True, slots=True)
class Step:
    """One piece of a campaign's way.

    Parameters
    ----------
    kind
        ``"walk"`` (may be broken off anywhere), ``"whole"`` (begun only if it can be finished), ``"crawl"``,
        ``"stand"`` or ``"face"`` (a climb: if it is broken off, the model stays on the face).
    cost
        Movement, inches.
    needs
        Movement that must be left to begin it, inches.
    onward
        Movement that must be left to finish it, inches: without it a model that would enter a zone waits on the face.
    then, fallen
        The numbers of the step after it, and of the step after a 1; the number of all steps stands for the goal.
    tested
        Whether a die is rolled.
    prone
        Whether a 1 leaves the model lying.
    over
        The name of the obstacle that is crossed.
    again
        Whether a die is rolled in every turn that continues it, or only to begin it (CLB.4).
    charging
        Whether it belongs to the charge itself: it is begun only in a turn that began in sight of the targets (CHG.1).
    meeting
        Whether it is a face that ends in contact or in a target's zone: in a turn that began out of sight it is climbed
        no further than to just below (CHG.1).
    leg, on, climbed
        Its leg, the level from which it leads, and inches of a face already below the model as it begins.

    """

    kind: str
    cost: float
    needs: float
    then: int
    fallen: int = GOAL
    tested: bool = False
    prone: bool = False
    over: str = ""
    again: bool = True
    onward: float = 0.0
    charging: bool = False
    meeting: bool = False
    leg: Leg | None = field(default=None, repr=False, compare=False)
    on: str | None = field(default=None, repr=False, compare=False)
    climbed: float = field(default=0.0, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Steps:
    """The way of a campaign.

    Parameters
    ----------
    steps
        The route's steps first, in order, then the detours.
    goal
        The number that stands for the goal.
    move
        Maximum Move, inches.
    sight
        The targets that a charger must see as its turn begins; None for a move.

    """

    steps: tuple[Step, ...]
    goal: int
    move: float
    sight: LineOfSight | None = field(default=None, repr=False, compare=False)

    def in_sight(self, step: int, along: float, *, prone: bool) -> bool:
        """Say whether a turn that begins ``along`` inches of movement into a step begins in sight of all targets."""
        here = None if step == self.goal else self.steps[step]
        if self.sight is None or here is None or here.leg is None:
            return True
        leg = here.leg
        if here.kind == "walk":
            share = along / here.cost if here.cost > 0 else 0.0
            return self.sight.sees(point_on(leg, share), leg.surface if along else here.on, 0.0, prone=prone)
        if here.kind != "face" or prone:
            return self.sight.sees(leg.start, here.on, here.climbed, prone=prone)
        if leg.rise > 0:
            return self.sight.sees(leg.start, here.on, here.climbed + leg.risen(along), prone=prone)
        at, on = (leg.end, leg.surface) if along else (leg.start, here.on)
        return self.sight.sees(at, on, leg.risen(along) - leg.rise if along else 0.0, prone=prone)


def steps_of(
    table: Table, model: str, route: Route, targets: tuple[str, ...] = (), judge: Judge | None = None
) -> Steps:
    """Cut a route into steps.

    Parameters
    ----------
    table
        The table before the first turn; all others are taken to stand still.
    model
        The id of the mover.
    route
        Its route, whatever it costs.
    targets
        The charged enemies: the way inside their zones, where these bind, must be gone in one turn, since a zone may
        not be entered without charging (CZ.1).
    judge
        Finds the way back from a fall between levels; by default the solver.

    Raises
    ------
    QuestionError
        If the model's Move is unknown, or its height if a leap needs it.

    """
    return _Cutter(table, table.model(model), route, targets, judge or ask_solver).cut()


@dataclass
class _Cutter:
    table: Table
    mover: Model
    route: Route
    targets: tuple[str, ...]
    judge: Judge
    fallen: dict[tuple[float, float, str | None], int] = field(default_factory=dict)

    def cut(self) -> Steps:
        move = allowance(self.mover)
        if move <= 0:
            raise QuestionError(f"models.{self.mover.id}.move is {move}: it gets nowhere in any number of turns")
        legs = self._without_tail()
        sections = self._sections(legs, self._from_zone(legs))
        levels = [level_of(joined(self.table), self.mover.on), *(leg.surface for leg, _, _ in sections)]
        rests = self._rests(sections, levels)
        steps: list[Step] = []
        detours: list[Step] = []
        for i, (leg, charging, barred) in enumerate(sections):
            then = i + 1 if i + 1 < len(sections) else GOAL
            onward = rests[then] if then != GOAL and _kind(leg) == "face" else 0.0
            step = self._step(i, leg, levels[i], rests[i], then, len(sections), detours, onward)
            meets = bool(self.targets) if then == GOAL else sections[then][1]
            meeting = meets and not charging and step.kind == "face"
            steps.append(replace(step, kind="whole" if barred else step.kind, charging=charging, meeting=meeting))
        every = [*steps, *detours]
        done = len(every)
        sight = LineOfSight(self.table, self.mover.id, self.targets) if self.targets else None
        return Steps(tuple(_aimed(step, done) for step in every), done, move, sight)

    def _sections(self, legs: list[Leg], closed: tuple[int, float]) -> list[_Section]:
        """Cut legs where a target's zone begins and where no move may end."""
        table = joined(self.table)
        return [
            (section, inside, barred)
            for i, leg in enumerate(legs)
            for half, inside in _split(leg, i, closed)
            for section, barred in cut(table, self.mover, half)
        ]

    def _rests(self, sections: list[_Section], levels: list[str | None]) -> list[float]:
        """Return the movement needed to begin each section without having to stop where no turn may end, inches."""
        table = joined(self.table)
        rests = [0.0] * len(sections)
        after, need = 0.0, 0.0  # movement needed to go on in the charge, and from a place where no move may end
        for i in range(len(sections) - 1, -1, -1):
            leg, charging, barred = sections[i]
            whole = _kind(leg) == "whole"
            held = charging or barred or (whole and need > 0)
            after = rests[i] = leg.cost + (after if charging else need) if held else 0.0
            least = max(after, leg.cost if whole else 0.0)
            need = least if i and not may_rest(table, self.mover, leg.start, levels[i]) else 0.0
        return rests

    def _step(
        self,
        i: int,
        leg: Leg,
        on: str | None,
        rest: float,
        then: int,
        main: int,
        detours: list[Step],
        onward: float = 0.0,
    ) -> Step:
        kind = _kind(leg)
        climbed = self.mover.climbed if i == 0 and kind == "face" else 0.0
        needs = max(rest, leg.cost if kind in {"whole", "stand"} else 0.0)
        test = leg.test
        if test is None:
            return Step(kind, leg.cost, needs, then, onward=onward, leg=leg, on=on, climbed=climbed)
        if kind == "whole" and self._begins_short(leg):
            needs = rest if rest > leg.cost + FITS else 0.0  # a last leap or jump into contact may begin with less
        fallen = i
        tested = Step(
            kind,
            leg.cost,
            needs,
            then,
            tested=True,
            prone=test.prone_on_fail,
            over=test.over,
            again=self._again,
            onward=onward,
            leg=leg,
            on=on,
            climbed=climbed,
        )
        if test.kind == "descend":
            fallen = then  # it lies at the bottom, to which the step leads
        elif test.kind == "jump-prone" and failed(self.table, self.mover, leg, on, climbed).must_charge:
            fallen = GOAL if self._touched(leg, on) else main + len(detours)
            detours += [] if fallen == GOAL else [_no_way(then, test.over)]  # engaged, it may not move again (MOV.6)
        elif test.kind == "leap" and test.fail_at is not None and self._over_a_platform(test.over):
            fallen = self._back_up(test, then, main, detours)
        elif test.kind == "leap":
            fallen = main + len(detours)
            detours += self._out_of(leg, fallen, then)
        elif test.kind == "climb" and i == 0 and self.mover.climbed:
            fallen = main + len(detours)
            whole = leg.cost + 2 * self.mover.climbed
            detours.append(replace(tested, cost=whole, needs=0.0, fallen=fallen, climbed=0.0))
        return replace(tested, fallen=fallen)

    @property
    def _again(self) -> bool:
        return self.table.rulings["climb_test_each_turn"] == "yes"

    def _begins_short(self, leg: Leg) -> bool:
        """Say whether the table's rulings let the test begin with too little movement left."""
        return may_begin(self.table, leg, allowance(self.mover))

    def _out_of(self, leg: Leg, first: int, then: int) -> list[Step]:
        """Return the steps from a gap's bottom up its far side: free, by a Jump test, or by a Climb test."""
        assert leg.test is not None
        test, tall = leg.test, height_of(self.mover)
        bottom, over = test.fail_at or test.at, test.over
        across = math.dist(bottom, test.landing)
        out = Leg("straight", bottom, test.landing, across, test.fail_on)
        if test.drop <= 0 and over in self.table.terrain and self.table.terrain[over].depth is None:
            return [_no_way(then, over)]  # no bottom is known on which it could stand up or crawl
        if test.drop < tall / 2 - ROUNDING:
            return [Step("walk", across, 0.0, then, over=over, leg=out, on=test.fail_on)]
        if test.drop <= tall + ROUNDING:
            return [Step("whole", across, across, then, first, tested=True, over=over, leg=out, on=test.fail_on)]
        sheer = over in self.table.terrain and "unscalable" in self.table.terrain[over].tags
        if sheer or "cavalry" in self.mover.keywords:
            return [_no_way(then, over)]
        walk = Step("walk", across, 0.0, first + 1, over=over, leg=out, on=test.fail_on)
        face = Step("face", 2 * test.drop, 0.0, then, first + 1, tested=True, prone=True, over=over, again=self._again)
        return [walk, face]

    def _touched(self, leg: Leg, on: str | None) -> bool:
        """Say whether a model that must charge whom it failed to jump over touches all targets of the question."""
        if not self.targets:
            return False
        goal = goal_of(self.table, Charge(self.mover.id, self.targets))
        return goal(ended(self.table, self.mover, leg, 0.0, on))

    def _over_a_platform(self, over: str) -> bool:
        return over in self.table.terrain and "platform" in self.table.terrain[over].tags

    def _back_up(self, test: Test, then: int, main: int, detours: list[Step]) -> int:
        """Return the number of the first step from where a leap between levels fell to where it would have landed."""
        assert test.fail_at is not None
        key = (*test.fail_at, test.fail_on)
        if key not in self.fallen:
            first = self.fallen[key] = main + len(detours)
            below = replace(self.mover, at=test.fail_at, on=test.fail_on, prone=False, climbed=0.0)
            table = replace(self.table, models=self.table.models.with_item(below.id, below))
            way = self.judge(table, Move(below.id, test.landing, test.landing_on)).route
            legs, on = () if way is None else way.legs, test.fail_on
            detours += [Step("whole", math.inf, math.inf, then)] * max(1, len(legs))
            for i, leg in enumerate(legs):
                after = first + i + 1 if i + 1 < len(legs) else then
                detours[first + i - main] = self._step(first + i, leg, on, 0.0, after, main, detours)
                on = leg.surface
        return self.fallen[key]

    def _without_tail(self) -> list[Leg]:
        """Return the legs without a last hair of walking, so that a landing on the goal is the goal."""
        legs = list(self.route.legs)
        spare = TOUCH
        while legs and legs[-1].test is None and legs[-1].cost <= spare:
            spare -= legs.pop().cost
        return legs

    def _from_zone(self, legs: list[Leg]) -> tuple[int, float]:
        """Return the leg, and the share of it, from which on the way lies in a target's zone; past the end if never."""
        table, on = joined(self.table), level_of(self.table, self.mover.on)
        binding = [zone for zone in zones(table, table.model(self.mover.id)) if zone.id in self.targets]

        def inside(at: Point, on: str | None) -> bool:
            return any(zone.binds(on) and math.dist(at, zone.at) < zone.radius - TOUCH for zone in binding)

        for i, leg in enumerate(legs):
            begun, on = on, leg.surface
            if not inside(leg.end, on):
                continue
            if leg.kind in FACES and not inside(leg.start, begun):
                return (i + 1, 0.0)  # until it is up, or down, it counts on the level from which it comes
            if inside(leg.start, begun) or not leg.stops_anywhere:
                return (i, 0.0)
            low, high = 0.0, 1.0  # outside, inside
            while (high - low) * leg.length > ROUNDING:
                middle = (low + high) / 2
                low, high = (low, middle) if inside(point_on(leg, middle), on) else (middle, high)
            return (i, low)
        return self._to_contact(legs)

    def _to_contact(self, legs: list[Leg]) -> tuple[int, float]:
        """Return where the last hair of a charge begins that no zone binds: only that part needs sight of the target.

        A face cannot be cut so; see `meeting` of a step.
        """
        if not self.targets or not legs or legs[-1].kind in FACES:
            return (len(legs), 0.0)
        last = legs[-1]
        return (len(legs) - 1, max(0.0, 1 - APART / last.length) if last.stops_anywhere and last.length > 0 else 0.0)


def _split(leg: Leg, i: int, closed: tuple[int, float]) -> list[tuple[Leg, bool]]:
    """Cut the leg on which the zone begins in two, and say for each part whether it lies inside."""
    where, share = closed
    if i != where or share * leg.cost <= FITS:
        return [(leg, i >= where)]
    return [(part(leg, 0.0, share), False), (part(leg, share, 1.0), True)]


def _no_way(then: int, over: str) -> Step:
    """Return the step of a model that can never go on."""
    return Step("whole", math.inf, math.inf, then, over=over)


def _kind(leg: Leg) -> str:
    if leg.kind in {"crawl", "stand"}:
        return leg.kind
    if leg.kind in FACES:
        return "face"
    return "walk" if leg.stops_anywhere else "whole"


def _aimed(step: Step, goal: int) -> Step:
    return replace(
        step,
        then=goal if step.then == GOAL else step.then,
        fallen=goal if step.fallen == GOAL else step.fallen,
    )
