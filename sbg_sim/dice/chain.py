"""Numbers of turns until a goal is reached: absorbing Markov chains, solved exactly.

A chain is given by a function from a state to the chances of the states one turn later. Its reachable states are found
once; there must be finitely many. All chances are fractions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, islice
from numbers import Real
from typing import Any, Final, Generic, TypeVar

import numpy as np

from sbg_sim.dice.interval import LEVEL, wilson
from sbg_sim.dice.montecarlo import CHUNK, Seed, checked_seed, checked_trials, dice_of_chunk
from sbg_sim.errors import QuestionError
from sbg_sim.pictured import Pictured
from sbg_sim.wording import fraction

S = TypeVar("S", bound=Hashable)
Rows = list[dict[int, Fraction]]

MOST_STATES: Final = 20_000
"""A chain with more states than this is taken to be infinite."""


@dataclass(frozen=True)
class Chain(Generic[S]):
    """A finite absorbing Markov chain, one step a turn.

    Build it with :func:`explore`.

    Parameters
    ----------
    states
        All reachable states, the start first, goals included.
    rows
        For every state the chances of the states one turn later, by index; goals stay where they are.
    goals
        Indices of the goal states.

    """

    states: tuple[S, ...]
    rows: tuple[tuple[tuple[int, Fraction], ...], ...] = field(repr=False)
    goals: frozenset[int]

    @cached_property
    def chances(self) -> tuple[Fraction, ...]:
        """For every state the chance of ever reaching a goal."""
        alive = self._can_reach_goal()
        every = range(len(self.states))
        known = {i: Fraction(int(i in self.goals)) for i in every if i in self.goals or i not in alive}
        return self._solve(known, dict.fromkeys(every, Fraction(0)))

    @property
    def chance(self) -> Fraction:
        """The chance of ever reaching a goal from the start."""
        return self.chances[0]

    @cached_property
    def expectations(self) -> tuple[Fraction | None, ...]:
        """For every state the expected number of turns to a goal; None if it may never be reached."""
        sure = [i for i, p in enumerate(self.chances) if p == 1]
        known = {i: Fraction(0) for i in range(len(self.states)) if i in self.goals or self.chances[i] != 1}
        turns = self._solve(known, dict.fromkeys(sure, Fraction(1)))
        return tuple(turns[i] if p == 1 else None for i, p in enumerate(self.chances))

    @property
    def expected(self) -> Fraction | None:
        """The expected number of turns from the start to a goal; None if it may never be reached."""
        return self.expectations[0]

    def turns(self) -> Iterator[Fraction]:
        """Yield the chances that a goal is reached on turn 0 (it is the start), 1, 2, and so on for ever."""
        now = {0: Fraction(1)}
        while True:
            yield sum((p for i, p in now.items() if i in self.goals), Fraction(0))
            after: dict[int, Fraction] = {}
            for i, p in now.items():
                for j, q in () if i in self.goals else self.rows[i]:
                    after[j] = after.get(j, Fraction(0)) + p * q
            now = after

    def within(self, turns: int) -> TurnTable:
        """Return the distribution of the number of turns up to ``turns``, and the tail beyond it."""
        given: Any = turns
        if isinstance(given, bool) or not isinstance(given, int | np.integer) or given < 0:
            raise QuestionError(f"{given!r:.60} turns: it takes a whole number from 0 up")
        return TurnTable(tuple(islice(self.turns(), turns + 1)))

    def turns_for(self, chance: Fraction | float) -> int | None:
        """Return the fewest turns that reach a goal with at least this chance; None if no number does."""
        given: Any = chance
        if not isinstance(given, Real) or not 0 <= chance <= 1:
            raise QuestionError(f"a chance of {given!s:.60} is not between 0 and 1")
        if chance > self.chance or (chance == self.chance and not self._ends_surely()):
            return None
        return next(turn for turn, so_far in enumerate(accumulate(self.turns())) if so_far >= chance)

    def simulate(self, trials: int, seed: Seed, *, most_turns: int = 10_000) -> ChainCounts:
        """Walk the chain with random numbers, many times.

        Parameters
        ----------
        trials
            The number of walks.
        seed
            The seed of the random numbers; each chunk of a fixed size has a seed spawned from it.
        most_turns
            Walks that last longer count as not arrived.

        """
        checked_seed(seed)
        checked_trials(trials)
        counts: dict[int, int] = {}
        for index in range(-(-trials // CHUNK)):
            self._walk(min(CHUNK, trials - index * CHUNK), dice_of_chunk(seed, index), most_turns, counts)
        last = max(counts, default=-1)
        return ChainCounts(trials, seed, tuple(counts.get(turn, 0) for turn in range(last + 1)))

    def _walk(self, trials: int, dice: np.random.Generator, most_turns: int, counts: dict[int, int]) -> None:
        now = {0: trials}
        for turn in range(most_turns + 1):
            home = sum(many for i, many in now.items() if i in self.goals)
            if home:
                counts[turn] = counts.get(turn, 0) + home
            after: dict[int, int] = {}
            for i in sorted(now):
                if i in self.goals or not self.chances[i]:
                    continue
                for j, many in self._scatter(i, now[i], dice):
                    after[j] = after.get(j, 0) + many
            now = after
            if not now:
                return

    def _scatter(self, i: int, many: int, dice: np.random.Generator) -> list[tuple[int, int]]:
        """Send ``many`` walks from a state to the next ones, by whole numbers below the row's denominator."""
        row = self.rows[i]
        if len(row) == 1:
            return [(row[0][0], many)]
        over = math.lcm(*(p.denominator for _, p in row))
        if over > np.iinfo(np.int64).max:
            raise QuestionError(f"the chances after {self.states[i]!r} need a die of {over} sides")
        edges = np.cumsum([int(p * over) for _, p in row])
        drawn = dice.integers(0, over, size=many, dtype=np.int64)
        spread = np.bincount(np.searchsorted(edges, drawn, side="right"), minlength=len(row))
        return [(j, int(n)) for (j, _), n in zip(row, spread, strict=True) if n]

    def _can_reach_goal(self) -> frozenset[int]:
        before: dict[int, list[int]] = {}
        for i, row in enumerate(self.rows):
            for j, _ in row:
                before.setdefault(j, []).append(i)
        found, todo = set(self.goals), list(self.goals)
        while todo:
            for i in before.get(todo.pop(), []):
                if i not in found:
                    found.add(i)
                    todo.append(i)
        return frozenset(found)

    def _ends_surely(self) -> bool:
        """Say whether the goal is certain to be reached, if ever, within as many turns as there are states."""
        short = islice(self.turns(), len(self.states) + 1)
        return sum(short, Fraction(0)) == self.chance

    def _solve(self, known: Mapping[int, Fraction], constant: Mapping[int, Fraction]) -> tuple[Fraction, ...]:
        """Solve x = constant + P x where x is not known, one strongly connected component at a time."""
        values = dict(known)
        for knot in _knots(self.rows):
            open_ = [i for i in knot if i not in values]
            place = {i: k for k, i in enumerate(open_)}
            matrix = [[Fraction(int(a == b)) for b in range(len(open_))] for a in range(len(open_))]
            right = [constant[i] for i in open_]
            for k, i in enumerate(open_):
                for j, p in self.rows[i]:
                    if j in place:
                        matrix[k][place[j]] -= p
                    else:
                        right[k] += p * values[j]
            values.update(zip(open_, _eliminate(matrix, right), strict=True))
        return tuple(values[i] for i in range(len(self.states)))


@dataclass(frozen=True)
class TurnTable(Pictured):
    """The chances that a goal takes 0, 1, 2, ... turns.

    Parameters
    ----------
    chances
        The chances by turn, turn 0 first.

    """

    chances: tuple[Fraction, ...]

    @property
    def tail(self) -> Fraction:
        """The chance that it takes more turns, or is never reached."""
        return 1 - sum(self.chances, Fraction(0))

    def by_turn(self, turn: int) -> Fraction:
        """Return the chance that it is reached on this turn or before."""
        return sum(self.chances[: turn + 1], Fraction(0))

    def as_json(self) -> dict[str, Any]:
        """Return the chances by turn, exact as text and as numbers beside them."""
        return {"chances": [fraction(p) for p in self.chances], "chances_value": [float(p) for p in self.chances]}

    def __repr__(self) -> str:
        rows = ", ".join(f"{turn}: {float(self.by_turn(turn)):.5f}" for turn in range(len(self.chances)))
        return f"<TurnTable: chance to have arrived by turn {rows}>"


@dataclass(frozen=True)
class ChainCounts:
    """The counts of random walks that arrived on each turn.

    Parameters
    ----------
    trials, seed
        The number of walks, and the seed.
    arrived
        Walks that arrived, by turn, turn 0 first.

    """

    trials: int
    seed: Seed
    arrived: tuple[int, ...]

    @property
    def missing(self) -> int:
        """The number of walks that did not arrive."""
        return self.trials - sum(self.arrived)

    @property
    def mean(self) -> float:
        """The mean number of turns of the walks that arrived; NaN if none did."""
        home = sum(self.arrived)
        return sum(turn * many for turn, many in enumerate(self.arrived)) / home if home else float("nan")

    def interval(self, turn: int, *, level: float = LEVEL) -> tuple[float, float]:
        """Return the Wilson interval of the chance to arrive on this very turn."""
        return wilson(self.arrived[turn] if turn < len(self.arrived) else 0, self.trials, level=level)


def explore(
    transition: Callable[[S], Mapping[S, Fraction]],
    start: S,
    goal: Callable[[S], bool],
    *,
    most_states: int = MOST_STATES,
) -> Chain[S]:
    """Find all reachable states of a chain and return the chain.

    Parameters
    ----------
    transition
        Returns for a state that is no goal the chances of the states one turn later.
    start
        The first state.
    goal
        Says whether a state is a goal.
    most_states
        The greatest number of states.

    Raises
    ------
    QuestionError
        If chances do not sum to 1, or there are too many states.

    Examples
    --------
    >>> die = explore(lambda s: {True: Fraction(1, 6), False: Fraction(5, 6)}, False, bool)
    >>> die.expected
    Fraction(6, 1)

    """
    index: dict[S, int] = {start: 0}
    order: list[S] = [start]
    rows: list[tuple[tuple[int, Fraction], ...]] = []
    goals: set[int] = set()
    for state in order:  # grows while it is walked
        if goal(state):
            goals.add(len(rows))
            rows.append(((len(rows), Fraction(1)),))
            continue
        after = {s: Fraction(p) for s, p in transition(state).items() if p}
        if any(p < 0 for p in after.values()) or sum(after.values()) != 1:
            raise QuestionError(f"the chances after {state!r} do not sum to 1")
        for s in after:
            if s not in index:
                index[s] = len(order)
                order.append(s)
        if len(order) > most_states:
            raise QuestionError(f"the chain has more than {most_states} states")
        rows.append(tuple((index[s], p) for s, p in after.items()))
    return Chain(tuple(order), tuple(rows), frozenset(goals))


def _eliminate(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction]:
    """Solve a square system of fractions by Gauss and Jordan."""
    n = len(right)
    for c in range(n):
        pivot = next(r for r in range(c, n) if matrix[r][c])
        matrix[c], matrix[pivot] = matrix[pivot], matrix[c]
        right[c], right[pivot] = right[pivot], right[c]
        scale = 1 / matrix[c][c]
        matrix[c] = [v * scale for v in matrix[c]]
        right[c] *= scale
        for r in range(n):
            factor = matrix[r][c]
            if r != c and factor:
                matrix[r] = [a - factor * b for a, b in zip(matrix[r], matrix[c], strict=True)]
                right[r] -= factor * right[c]
    return right


def _knots(rows: tuple[tuple[tuple[int, Fraction], ...], ...]) -> Iterator[list[int]]:
    """Yield the strongly connected components, each after all those to which it leads (Tarjan, without recursion)."""
    number: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    waiting: set[int] = set()
    for root in range(len(rows)):
        if root in number:
            continue
        number[root] = low[root] = len(number)
        stack.append(root)
        waiting.add(root)
        path = [(root, iter(rows[root]))]
        while path:
            i, following = path[-1]
            for j, _ in following:
                if j not in number:
                    number[j] = low[j] = len(number)
                    stack.append(j)
                    waiting.add(j)
                    path.append((j, iter(rows[j])))
                    break
                if j in waiting:
                    low[i] = min(low[i], number[j])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[i])
                if low[i] == number[i]:
                    cut = stack.index(i)
                    knot, stack[cut:] = stack[cut:], []
                    waiting.difference_update(knot)
                    yield knot
