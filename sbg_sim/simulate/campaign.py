"""Campaigns: goals that take several turns, with the number of turns, the chances and the best way.

The model follows one route for as many turns as necessary; all others stand still. Each turn it goes as far as its Move
allows, by this policy:

- It walks until the Move is used up, and a walk may be broken off anywhere.
- A jump or leap is begun if the Move left is enough to get over; else the turn ends in contact with the obstacle. After
  a 1 the model tries again next turn (out of a gap by its far side, by a test if it is deep; out of one without a
  depth never). Over a prone enemy a 1 is a charge at that enemy: engaged, the model goes no further (PRN.5, MOV.6).
- A face is climbed as far as the Move allows, with a test every turn (CLB.2, CLB.4); after a fall, from the
  foot.
- A prone model stands up first, for half the Move (PRN.3).
- The last stretch of a charge, inside the target's zone, is gone within one turn, or the model waits outside; on a
  face that ends in the zone it waits just below.
- That stretch is begun only in a turn that began in sight of the targets (CHG.1); where no zone binds, this holds for
  the last hair of the way. On a face that ends in contact or in the zone the model waits below. A model that stops
  where it never sees the targets never arrives: the player must name a way that steps aside first.
- No turn ends on top of an obstacle that is stepped over (TER.3): the model waits in contact with it.

Hits from falls have no effect: the model is taken to live. The first turn is the next in which it may move: a model
that has moved in this one begins with the next, and one that is engaged or held is refused (MOV.6).

All chances are exact: an absorbing Markov chain whose states are places on the route.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from sbg_sim.dice.chain import Chain, ChainCounts, TurnTable, explore
from sbg_sim.errors import QuestionError
from sbg_sim.pictured import Pictured
from sbg_sim.simulate.steps import Step, Steps, steps_of
from sbg_sim.simulate.ways import asked, asked_far, described, ways
from sbg_sim.table.questions import Charge
from sbg_sim.table.route import Route
from sbg_sim.tolerance import FITS
from sbg_sim.wording import fraction

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sbg_sim.dice.executors import Progress
    from sbg_sim.dice.montecarlo import Seed
    from sbg_sim.simulate.sweep import Judge
    from sbg_sim.table.board import Table
    from sbg_sim.table.questions import Question

DIGITS: Final = 9
"""Decimals of the inches in a state: places that differ by rounding error are one."""

_FACE = Fraction(1, 6)


@dataclass(frozen=True, slots=True)
class Standing:
    """The state of a model between two turns.

    Parameters
    ----------
    step
        The number of its step.
    along
        The part of that step behind it, in inches of movement.
    prone
        Whether it lies.

    """

    step: int
    along: float = 0.0
    prone: bool = False


@dataclass(frozen=True)
class Campaign(Pictured):
    """One route, followed for as many turns as necessary.

    Parameters
    ----------
    name
        The name of the route.
    route, steps
        The route, and the steps into which it is cut.

    """

    name: str
    route: Route = field(repr=False)
    steps: Steps = field(repr=False)

    @cached_property
    def chain(self) -> Chain[Standing]:
        """The Markov chain over turns."""
        goal = self.steps.goal
        return explore(lambda s: turn(self.steps, s), Standing(0), lambda s: s.step == goal and not s.prone)

    @property
    def expected(self) -> Fraction | None:
        """The expected number of turns; None if the goal may never be reached."""
        return self.chain.expected

    @property
    def chance(self) -> Fraction:
        """The chance that the goal is ever reached."""
        return self.chain.chance

    def within(self, turns: int) -> TurnTable:
        """Return the distribution of the number of turns up to ``turns``, and the tail beyond."""
        return self.chain.within(turns)

    def turns_for(self, chance: Fraction | float) -> int | None:
        """Return the fewest turns that reach the goal with at least this chance; None if no number does."""
        return self.chain.turns_for(chance)

    def simulate(self, trials: int, seed: Seed) -> ChainCounts:
        """Play the campaign with random numbers, many times."""
        return self.chain.simulate(trials, seed)

    def as_json(self, turns: int = 8) -> dict[str, Any]:
        """Return what the command line prints of a way: exact fractions as text, and as numbers beside them."""
        table = self.within(turns)
        arrived = [table.by_turn(turn) for turn in range(1, turns + 1)]
        return {
            "way": self.name,
            "inches": round(self.route.cost, DIGITS),
            "dice": len(self.route.tests),
            "expected": None if self.expected is None else fraction(self.expected),
            "expected_value": None if self.expected is None else float(self.expected),
            "chance": fraction(self.chance),
            "chance_value": float(self.chance),
            "arrived_by_turn": [fraction(share) for share in arrived],
            "arrived_by_turn_value": [float(share) for share in arrived],
        }

    def __repr__(self) -> str:
        return f"<Campaign {self}>"

    def __str__(self) -> str:
        if self.expected is None:
            return f"{self.name}: may never arrive (chance {self.chance})"
        return f"{self.name}: {float(self.expected):.3f} turns expected ({self.expected})"


@dataclass(frozen=True)
class Campaigns(Pictured):
    """Several ways to the same goal, the quickest first.

    Parameters
    ----------
    ranked
        By expected number of turns; ways that may never arrive last, by their chance.

    """

    ranked: tuple[Campaign, ...]

    @property
    def best(self) -> Campaign:
        """The way with the fewest expected turns."""
        return self.ranked[0]

    def __iter__(self) -> Iterator[Campaign]:
        return iter(self.ranked)

    def __len__(self) -> int:
        return len(self.ranked)

    def as_json(self, turns: int = 8) -> list[dict[str, Any]]:
        """Return every way as data, the quickest first."""
        return [way.as_json(turns) for way in self.ranked]


def campaign(
    table: Table,
    question: Question | str,
    route: Route | None = None,
    *,
    name: str = "",
    judge: Judge | None = None,
    progress: Progress | None = None,
) -> Campaign:
    """Follow one route to the goal of a move or charge question for as many turns as necessary.

    Parameters
    ----------
    table, question
        The table, and the question with the goal.
    route
        The route, whatever it costs; by default the solver's best.
    name
        The name of the route.
    judge
        Finds the route; by default the solver.
    progress
        Called with 1 of 2 when the route is found, and with 2 when it is cut into steps; ``print`` will do.

    Raises
    ------
    QuestionError
        If the question is not about the end of a move, if the model is engaged or held, or if there is no route.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.load("scenarios/jumping.toml")
    >>> campaign(table, "pippin-too-far").expected
    Fraction(13, 6)

    """
    goal = asked(table, question)
    if route is not None and not isinstance(route, Route):
        raise QuestionError(f"{route!r:.60} is no route: that of a verdict is one")
    if route is None:
        route = asked_far(table, question, judge).route
        if route is None:
            raise QuestionError("no route leads there in any number of turns")
    if progress is not None:
        progress(1, 2)
    targets = goal.targets if isinstance(goal, Charge) else ()
    steps = steps_of(table, goal.model, route, targets, judge)
    if progress is not None:
        progress(2, 2)
    return Campaign(name or described(route), route, steps)


def compare(
    table: Table,
    question: Question | str,
    routes: Mapping[str, Route] | None = None,
    *,
    judge: Judge | None = None,
    progress: Progress | None = None,
) -> Campaigns:
    """Rank ways to a goal by the expected number of turns.

    Parameters
    ----------
    table, question
        The table, and the question with the goal.
    routes
        The routes by name; by default those of :func:`ways`.
    judge
        Finds routes; by default the solver.
    progress
        Called with the number of ways that have been sought or followed, and of all so far; ``print`` will do.

    Raises
    ------
    QuestionError
        If there is no way at all.

    """
    sought = 0

    def told(done: int, total: int) -> None:
        nonlocal sought
        sought = done
        if progress is not None:
            progress(done, 2 * total)

    given = ways(table, question, judge=judge, progress=told) if routes is None else routes
    if not given:
        raise QuestionError("no route leads there in any number of turns")
    every = []
    for name, route in given.items():
        way = campaign(table, question, route, name=name)
        every.append((_rank(way), way))
        if progress is not None:
            progress(sought + len(every), sought + len(given))
    return Campaigns(tuple(way for _, way in sorted(every, key=itemgetter(0))))


def turn(steps: Steps, standing: Standing) -> dict[Standing, Fraction]:
    """Return the chances of the states of the model one turn later.

    Parameters
    ----------
    steps
        The steps of the way.
    standing
        Its state now.

    """
    after: dict[Standing, Fraction] = {}
    left = steps.move / 2 if standing.prone else steps.move
    seen = steps.in_sight(standing.step, standing.along, prone=standing.prone)
    i, along, chance, crawled = standing.step, standing.along, Fraction(1), False

    def stop(step: int, along: float = 0.0, share: Fraction = Fraction(1), *, prone: bool = False) -> None:
        key = Standing(step, round(along, DIGITS), prone)
        after[key] = after.get(key, Fraction(0)) + chance * share

    while i != steps.goal:
        step = steps.steps[i]
        rest = step.cost - along
        tested = step.tested and (step.again or not along)
        blind = step.meeting and not seen
        waits = (step.charging and not seen) or (blind and rest <= FITS)
        if waits or not _goes_on(step, along, left) or (crawled and step.kind != "stand"):
            stop(i, along)
            return after
        if blind or (rest + step.onward > left + FITS and step.kind in {"walk", "face"}):  # as far as possible
            if tested:
                stop(step.fallen, share=_FACE, prone=step.prone)
            stop(i, along + min(left, rest), 5 * _FACE if tested else Fraction(1))
            return after
        if tested:
            stop(step.fallen, share=_FACE, prone=step.prone)
            stop(step.then, share=4 * _FACE)
            chance *= _FACE
        left = max(0.0, left - rest)
        crawled |= step.kind == "crawl"
        i, along = step.then, 0.0
    stop(i)
    return after


def _goes_on(step: Step, along: float, left: float) -> bool:
    """Say whether the step is begun, or continued, this turn."""
    if step.kind == "face" and (left <= FITS or (along >= step.cost - FITS and left + FITS < step.onward)):
        return False
    return along > 0 or left + FITS >= step.needs


def _rank(one: Campaign) -> tuple[float | Fraction, Fraction, float]:
    expected = math.inf if one.expected is None else one.expected
    return (expected, -one.chance, one.route.cost)
