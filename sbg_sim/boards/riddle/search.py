"""The best use of a marker's points: the one search, over the states of a turn, and turn by turn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from sbg_sim.boards.game import Reached
from sbg_sim.boards.riddle.legality import explain, legal_flights, moved, stepped
from sbg_sim.boards.riddle.state import EndTurn, Flight, Move, State, Step, begin_turn
from sbg_sim.boards.riddle.stops import used_by_leaving
from sbg_sim.boards.riddle.terrain import FLIGHTS, Card
from sbg_sim.boards.search import Way, ways

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

Found: TypeAlias = Way[State, Move]

WINGS = (Card.EAGLES, Card.FLYING_BEASTS)
"""Two cards that do the same (R42)."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A way to a goal over several turns: the moves of each, its end left out, and every place, the start first."""

    turns: tuple[tuple[Move, ...], ...]
    route: tuple[str, ...]


def situations(*begun: State, ahead: bool = False) -> Iterator[Found]:
    """Yield the situations of a turn by the cheapest way to each, the cheapest first; `ahead`: turns follow this one.

    A place with its stops and cards is come to once, with the most points left. They count apart only where having
    fewer can be better, or where a flight took them; and what lies in play counts only for the turns to come.
    What comes of a flight depends on the hand and the landing, not on where it began: each is made once.
    """
    options = begun[0].options
    counted = options.exact_roll or options.flight == "instead"
    in_play = ahead or options.two_terrains == "either"
    flown: dict[Hashable, set[str]] = {}

    def alike(state: State) -> Hashable:
        points = (state.points, state.moved) if counted else ()
        stops = (state.held, state.river_free)
        return state.at, stops, state.bonus, state.cards, points, state.in_play if in_play else ()

    def onward(here: State) -> Iterator[tuple[int, Move, State]]:
        yield from ((here.points - there.points, step, there) for step, there in stepped(here))
        spare = WINGS[1:] if here.cards.issuperset(WINGS) else ()  # one of the two is as good as the other
        used = here.in_play | used_by_leaving(here) if in_play else None
        for card in sorted((FLIGHTS & here.cards).difference(spare)):
            hand = (card, here.cards, used, here.bonus, here.points if options.exact_roll else 0)
            landed = flown.setdefault(hand, set())
            for flight in legal_flights(here, card, [place for place in here.board.places if place not in landed]):
                landed.add(flight.to)
                yield 0, flight, moved(here, flight)

    return ways(*begun, onward=onward, alike=alike)


def trace(start: str, moves: Iterable[Move]) -> tuple[str, ...]:
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
    return (way for way in situations(*begun, ahead=ahead) if not explain(way.end, EndTurn()))


def reachable(state: State, who: str | None = None) -> Mapping[str, Reached]:  # noqa: ARG001 - one marker moves
    """Return every place where the marker can end this turn, the points it takes, and a cheapest route."""
    out: dict[str, Reached] = {}
    for way in endings(state):
        if way.end.at not in out:
            out[way.end.at] = Reached(way.cost, trace(state.at, way.moves))
    return {place: out[place] for place in state.board.places if place in out}


def needed(state: State, goal: str, limit: int = 60) -> int | None:
    """Return the smallest allowance that reaches `goal` in one turn, or None when none up to `limit` does."""
    state.board.require(goal)
    found: int | None = None
    for way in situations(replace(state, allowance=limit, points=limit)):
        if found is not None and way.cost >= found:
            break
        if way.end.at == goal:
            found = min((n for n in (found, *_rolls_that_end(way, limit)) if n is not None), default=None)
    return found


def _rolls_that_end(way: Found, limit: int) -> Iterator[int]:
    """Yield the smallest allowances with which a turn can end as `way` does: just enough, or with one to spare.

    With one point left a turn ends only where no step is legal (`exact_roll`), and then with any more as well.
    """
    for n in (way.cost, way.cost + 1):
        left = replace(way.end, allowance=n, points=min(way.end.points, n - way.cost))
        if n <= limit and not explain(left, EndTurn()):
            yield n


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
    if state.board.is_water(goal) and Card.BOAT not in state.cards:
        return None  # however many turns there are (R24, R36, R46)
    front: dict[State, tuple[tuple[Move, ...], ...]] = {state: ()}
    known: set[State] = set()
    for turn in range(turns):
        if turn <= len(rolls):
            known = set()  # a place is worth coming to again while rolls still change
        roll = rolls[min(turn, len(rolls) - 1)] if rolls else state.allowance
        later: dict[State, tuple[tuple[Move, ...], ...]] = {}
        past = list(front.values())
        for way in endings(*front, ahead=True):
            done = (*past[way.begun], way.moves)
            if way.end.at == goal:
                return Plan(done, trace(state.at, [move for moves in done for move in moves]))
            begun = begin_turn(moved(way.end, EndTurn()), roll)
            if begun not in known:
                known.add(begun)
                later[begun] = done
        front = later
        if not front:
            break
    return None
