"""The best use of a marker's points: search over space, points left, and what holds it."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count
from typing import TYPE_CHECKING

from sbg_sim.boards.game import Reached
from sbg_sim.boards.riddle.legality import after, explain, legal_flights, stepped
from sbg_sim.boards.riddle.pruning import WINGS, Kept
from sbg_sim.boards.riddle.state import EndTurn, Flight, Move, State, Step, begin_turn
from sbg_sim.boards.riddle.stops import used_by_leaving
from sbg_sim.boards.riddle.terrain import FLIGHTS

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence


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
    """One situation of a turn: the points it took, the moves, the state it is, and which beginning it comes from."""

    cost: int
    moves: tuple[Move, ...]
    state: State
    begun: int = 0


def situations(*begun: State, ahead: bool = False) -> Iterator[Found]:
    """Yield the situations of a turn that matter, each by the cheapest way to it, the cheapest first.

    Parameters
    ----------
    begun
        Where the turn can begin, all with as many points.
    ahead
        Keep what makes a difference to later turns only. Left out are situations that another is at least
        as good as, see `Kept`.

    """
    kept = Kept(begun[0].options, ahead=ahead)
    flown: dict[Hashable, set[str]] = {}
    number = count()  # ties in the order found, so that the answer is the same every time
    heap = [(0, next(number), Found(0, (), state, source)) for source, state in enumerate(begun)]
    while heap:
        cost, _, found = heapq.heappop(heap)
        here = found.state
        if kept.known(here):
            continue
        kept.keep(here)
        yield found
        for move, there in _onward(here, flown, ahead=ahead):
            if not kept.known(there):
                spent = cost + (here.points - there.points if isinstance(move, Step) else 0)
                way = Found(spent, (*found.moves, move), there, found.begun)
                heapq.heappush(heap, (spent, next(number), way))


def _onward(here: State, flown: dict[Hashable, set[str]], *, ahead: bool) -> Iterator[tuple[Move, State]]:
    """Yield the legal moves of a situation with what comes of them, but no flight made already at less cost.

    What comes of a flight depends on the hand of cards and the landing only, not on where it began.
    """
    yield from stepped(here)
    spare = WINGS[1:] if here.cards.issuperset(WINGS) else ()  # one of the two is as good as the other
    for card in sorted((FLIGHTS & here.cards).difference(spare)):
        points = here.points if here.options.exact_roll else 0  # else those that come first have the most
        in_play = here.in_play | used_by_leaving(here) if ahead else None
        landed = flown.setdefault((card, here.cards, in_play, points, here.bonus), set())
        places = [place for place in here.board.places if place not in landed]
        for flight in legal_flights(here, card, places):
            landed.add(flight.to)
            yield flight, after(here, flight)


def trace(start: str, moves: Sequence[Move]) -> tuple[str, ...]:
    """Return every place that `moves` touch, `start` first."""
    route = [start]
    for move in moves:
        if isinstance(move, Step):
            route.extend(move.to)
        elif isinstance(move, Flight):
            route.append(move.to)
    return tuple(route)


def endings(*begun: State, ahead: bool = False) -> Iterator[Found]:
    """Yield the ways a turn can end, the cheapest first; the parameters are those of `situations`."""
    return (way for way in situations(*begun, ahead=ahead) if not explain(way.state, EndTurn()))


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
    ways = situations(replace(state, allowance=limit, points=limit))
    return min((n for way in ways if way.state.at == goal for n in _rolls_that_end(way, limit)), default=None)


def _rolls_that_end(way: Found, limit: int) -> Iterator[int]:
    """Yield the smallest allowances with which a turn can end as `way` does: just enough, or with one to spare.

    With one point left a turn ends only where no step is legal (`exact_roll`), and then with any more as well.
    """
    for n in (way.cost, way.cost + 1):
        left = replace(way.state, allowance=n, points=min(way.state.points, n - way.cost))
        if n <= limit and not explain(left, EndTurn()):
            yield n


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
    kept = Kept(state.options, ahead=True)
    for turn in range(turns):
        if turn <= len(rolls):
            kept = Kept(state.options, ahead=True)  # a place is worth coming to again while rolls still change
        roll = rolls[min(turn, len(rolls) - 1)] if rolls else state.allowance
        later: list[tuple[tuple[tuple[Move, ...], ...], State]] = []
        for way in endings(*(here for _, here in front), ahead=True):
            done = (*front[way.begun][0], way.moves)
            if way.state.at == goal:
                return Plan(done, trace(state.at, [move for moves in done for move in moves]))
            begun = begin_turn(after(way.state, EndTurn()), roll)
            if not kept.known(begun):
                kept.keep(begun)
                later.append((done, begun))
        front = later
        if not front:
            break
    return None
