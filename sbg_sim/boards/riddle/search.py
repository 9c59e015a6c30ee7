"""The best use of a marker's points: search over space, points left, and what holds it."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count
from typing import TYPE_CHECKING

from sbg_sim.boards.game import Reached
from sbg_sim.boards.riddle.legality import apply, explain, legal_flights, legal_steps
from sbg_sim.boards.riddle.state import EndTurn, Flight, Move, State, Step, begin_turn
from sbg_sim.boards.riddle.terrain import FLIGHTS, Card

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Plan:
    """A way to a goal over several turns.

    Parameters
    ----------
    turns
        The moves of each turn, its end left out.
    route
        Every place on the way, the start first.

    """

    turns: tuple[tuple[Move, ...], ...]
    route: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """One situation of a turn: the points it took, the moves, and the state it is."""

    cost: int
    moves: tuple[Move, ...]
    state: State


def situations(state: State) -> Mapping[State, Found]:
    """Return the cheapest way to every situation of this turn.

    A situation is a state with the points struck out, since more of them never hurt; under `exact_roll`
    they do, and are kept.
    """
    exact = state.options.exact_roll
    number = count()  # ties in the order found, so that the answer is the same every time
    heap: list[tuple[int, int, tuple[Move, ...], State]] = [(0, next(number), (), state)]
    found: dict[State, Found] = {}
    flown: dict[tuple[Card, State], set[str]] = {}
    while heap:
        cost, _, moves, here = heapq.heappop(heap)
        key = here if exact else replace(here, points=0)
        if key in found:
            continue
        found[key] = Found(cost, moves, here)
        for move in _onward(here, flown):
            there = apply(here, move)
            if (there if exact else replace(there, points=0)) not in found:
                spent = cost + (here.points - there.points if isinstance(move, Step) else 0)
                heapq.heappush(heap, (spent, next(number), (*moves, move), there))
    return found


def _onward(here: State, flown: dict[tuple[Card, State], set[str]]) -> Iterator[Move]:
    """Yield the legal moves of a situation, without flights that a cheaper one has made already.

    What comes of a flight depends on the hand of cards and the landing only, not on where it began.
    """
    yield from legal_steps(here)
    hand = replace(here, at="", points=here.points if here.options.exact_roll else 0)
    for card in sorted(FLIGHTS & here.cards):
        landed = flown.setdefault((card, hand), set())
        places = [place for place in here.board.places if place not in landed]
        for flight in legal_flights(here, card, places):
            landed.add(flight.to)
            yield flight


def trace(start: str, moves: Sequence[Move]) -> tuple[str, ...]:
    """Return every place that `moves` touch, `start` first."""
    route = [start]
    for move in moves:
        if isinstance(move, Step):
            route.extend(move.to)
        elif isinstance(move, Flight):
            route.append(move.to)
    return tuple(route)


def endings(state: State) -> list[Found]:
    """Return every way this turn can end, the cheapest first."""
    ways = [way for way in situations(state).values() if not explain(way.state, EndTurn())]
    return sorted(ways, key=lambda way: way.cost)


def reachable(state: State, who: str | None = None) -> Mapping[str, Reached]:  # noqa: ARG001 - one marker moves
    """Return every place where the marker can end this turn, the points it takes, and a cheapest route.

    Parameters
    ----------
    state
        A marker in its turn.
    who
        There is one marker; any name will do.

    """
    out: dict[str, Reached] = {}
    for way in endings(state):
        out.setdefault(way.state.at, Reached(way.cost, trace(state.at, way.moves)))
    order = {place: i for i, place in enumerate(state.board.places)}
    return dict(sorted(out.items(), key=lambda item: order[item[0]]))


def best_moves(state: State, goal: str) -> tuple[Move, ...] | None:
    """Return the cheapest moves that end this turn on `goal`, or None."""
    state.board.require(goal)
    return next((way.moves for way in endings(state) if way.state.at == goal), None)


def needed(state: State, goal: str, limit: int = 60) -> int | None:
    """Return the smallest allowance that reaches `goal` in one turn, or None when none up to `limit` does."""
    state.board.require(goal)
    if not state.options.exact_roll:
        reached = reachable(replace(state, allowance=limit, points=limit)).get(goal)
        return None if reached is None else reached.cost
    rolls = (n for n in range(limit + 1) if goal in reachable(replace(state, allowance=n, points=n)))
    return next(rolls, None)


def chances(state: State, sides: int = 6) -> Mapping[str, Fraction]:
    """Return, for every place some roll reaches, the exact chance that one die rolls enough.

    Parameters
    ----------
    state
        A marker at the beginning of its turn; its allowance is not used.
    sides
        Faces of the die.

    """
    hits: dict[str, int] = {}
    for roll in range(1, sides + 1):
        for place in reachable(begin_turn(state, roll)):
            hits[place] = hits.get(place, 0) + 1
    return {place: Fraction(n, sides) for place, n in hits.items()}


def plan(state: State, goal: str, rolls: Sequence[int] = (), *, turns: int = 40) -> Plan | None:
    """Return a way to `goal` in the fewest turns, or None.

    Parameters
    ----------
    state
        A marker in its first turn.
    goal
        The place where some turn must end.
    rolls
        Allowances of the second turn and those after it; once they run out the last one (or the
        state's own allowance) stays.
    turns
        The most turns looked at.

    """
    state.board.require(goal)
    if state.at == goal:
        return Plan((), (goal,))
    front: list[tuple[tuple[tuple[Move, ...], ...], State]] = [((), state)]
    seen: set[State] = set()
    for turn in range(turns):
        after: list[tuple[tuple[tuple[Move, ...], ...], State]] = []
        for past, here in front:
            for way in endings(here):
                past_now = (*past, way.moves)
                if way.state.at == goal:
                    return Plan(past_now, trace(state.at, [move for moves in past_now for move in moves]))
                roll = rolls[min(turn, len(rolls) - 1)] if rolls else state.allowance
                begun = begin_turn(apply(way.state, EndTurn()), roll)
                if begun not in seen:
                    seen.add(begun)
                    after.append((past_now, begun))
        front = after
        if not front:
            return None
    return None
