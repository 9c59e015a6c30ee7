"""A turn of the Riddle in words: its moves, moves to try, its state."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sbg_sim.boards.riddle.legality import steps
from sbg_sim.boards.riddle.search import reachable
from sbg_sim.boards.riddle.state import EndTurn, Flight, Move, State, Step, begin_turn
from sbg_sim.boards.riddle.terrain import FLIGHTS, Way

if TYPE_CHECKING:
    from collections.abc import Iterator

HOW = {
    Way.LAND: "over land",
    Way.ROAD: "by road",
    Way.CROSS: "over the river",
    Way.WATER: "by water",
    Way.RIVER: "by river",
}


def told(state: State, move: Move) -> str:
    """Return a move in words."""
    if isinstance(move, EndTurn):
        return f"end the turn on {state.at}"
    if isinstance(move, Flight):
        return f"to {move.to} by {move.card.value}"
    over = f"over {move.to[0]} " if len(move.to) > 1 else ""
    return f"{over}to {move.to[-1]} {HOW[move.way]}"


def lit(state: State) -> dict[str, int]:
    """Return the places where this turn can end, each with its points."""
    return {place: way.cost for place, way in reachable(state).items() if place != state.at}


def tries(state: State, name: str) -> Iterator[Move]:
    """Yield the moves to a place that may be tried: steps, and flights with the marker's cards."""
    place = state.board.find(name)
    yield from [s for s in steps(state.board, state.at) if s.to[-1] == place] or [Step(Way.LAND, (place,))]
    yield from (Flight(card, place) for card in sorted(FLIGHTS & state.cards))


def shown(state: State) -> Iterator[str]:
    """Yield the state of the turn, in lines."""
    board = state.board
    horse = f" and {state.bonus} of the Horse" if state.bonus else ""
    yield f"the marker is on {state.at} with {state.points} of {state.allowance} points{horse} left"
    if state.cards:
        in_play = f"; in play: {', '.join(sorted(state.in_play))}" if state.in_play else ""
        yield f"cards: {', '.join(sorted(state.cards))}{in_play}"
    if board.invented:
        yield "the map is invented, not the printed board"


def aside(state: State, words: str) -> State | None:
    """Return the position after a roll, such as ``roll 4``, at the beginning of a turn; None for other words."""
    found = re.fullmatch(r"roll (\d{1,2})", words.strip().lower())
    return begin_turn(state, int(found[1])) if found and not state.moved else None
