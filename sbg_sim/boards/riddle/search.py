"""The best use of a marker's points: a search over the states of a turn, and turn by turn."""

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
"""Two cards with the same effect (R42)."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A way to a goal over several turns: the moves of each without its end, and every place, the start first."""

    turns: tuple[tuple[Move, ...], ...]
    route: tuple[str, ...]


def situations(*begun: State, ahead: bool = False) -> Iterator[Found]:
    """Yield the situations of a turn with a cheapest way to each, the cheapest first; `ahead`: more turns follow.

    Each place with its stop and cards occurs once, with the most points left; states with other points are kept apart
    only if fewer can be better, or if flights use up points. Cards in play matter only for later turns. The result of a
    flight depends on the cards and the landing, not on its start, so that each is made once.
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
        spare = WINGS[1:] if here.cards.issuperset(WINGS) else ()  # the two are equivalent
        used = here.in_play | used_by_leaving(here) if in_play else None
        for card in sorted((FLIGHTS & here.cards).difference(spare)):
            hand = (card, here.cards, used, here.bonus, here.points if options.exact_roll else 0)
            landed = flown.setdefault(hand, set())
            for flight in legal_flights(here, card, [place for place in here.board.places if place not in landed]):
                landed.add(flight.to)
                yield 0, flight, moved(here, flight)

    return ways(*begun, onward=onward, alike=alike)


def trace(start: str, moves: Iterable[Move]) -> tuple[str, ...]:
    """Return every place on the way of `moves`, `start` first."""
    route = [start]
    for move in moves:
        if isinstance(move, Step):
            route.extend(move.to)
        elif isinstance(move, Flight):
            route.append(move.to)
    return tuple(route)


def endings(*begun: State, ahead: bool = False) -> Iterator[Found]:
    """Yield the ways in which a turn can end, the cheapest first; the parameters are those of `situations`."""
    return (way for way in situations(*begun, ahead=ahead) if not explain(way.end, EndTurn()))


def reachable(state: State, who: str | None = None) -> Mapping[str, Reached]:  # noqa: ARG001 - one marker moves
    """Return every place where the marker can end this turn, with its points and a cheapest route."""
    out: dict[str, Reached] = {}
    for way in endings(state):
        if way.end.at not in out:
            out[way.end.at] = Reached(way.cost, trace(state.at, way.moves))
    return {place: out[place] for place in state.board.places if place in out}


def needed(state: State, goal: str, limit: int = 60) -> int | None:
    """Return the smallest allowance that is enough for `goal` in one turn, or None if it is above `limit`."""
    state.board.require(goal)
    found: int | None = None
    for way in situations(replace(state, allowance=limit, points=limit)):
        if found is not None and way.cost >= found:
            break
        if way.end.at == goal:
            found = min((n for n in (found, *_rolls_that_end(way, limit)) if n is not None), default=None)
    return found


def _rolls_that_end(way: Found, limit: int) -> Iterator[int]:
    """Yield the smallest allowances with which a turn can end as `way` does: just enough, or one more.

    Under `exact_roll`, a turn that ends with one point left, as no step is legal, ends with more points left as well.
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
        The marker in its first turn.
    goal
        The place where the last turn must end.
    rolls
        Allowances of the second and later turns; after them the last one (or else the state's own allowance) is
        repeated.
    turns
        The most turns searched.

    """
    state.board.require(goal)
    if state.at == goal:
        return Plan((), (goal,))
    if state.board.is_water(goal) and Card.BOAT not in state.cards:
        return None  # in any number of turns (R24, R36, R46)
    front: dict[State, tuple[tuple[Move, ...], ...]] = {state: ()}
    known: set[State] = set()
    for turn in range(turns):
        if turn <= len(rolls):
            known = set()  # a state may be worth revisiting while rolls still change
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
