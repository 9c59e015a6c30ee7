"""A game of War of the Ring in words: its moves, moves to try, its state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbg_sim.boards.game import Lit
from sbg_sim.boards.war_of_the_ring.play import reachable
from sbg_sim.boards.war_of_the_ring.position import Means, Move, State

if TYPE_CHECKING:
    from collections.abc import Iterator


def _means(means: Means) -> str:
    return f"{means.side} {means.name or means.kind}"


def told(state: State, move: Move) -> str:  # noqa: ARG001 - as in every game
    """Return a move in words."""
    if move.kind == "begin":
        return f"take {_means(move.means) if move.means else 'nothing'}"
    if move.kind == "end":
        return "end the action"
    verb = {"travel": "to", "enter": "enters", "separate": "leaves the fellowship in"}[move.kind]
    return f"{', '.join(move.figures)} {verb} {move.to}"


def lit(state: State) -> Lit:
    """Return the regions that a character of the acting side, else of the Free Peoples, can reach, with distances."""
    sides = [state.chart.characters[figure].side for figure in state.at]
    side = state.means.side if state.means else min(sides, default=None)
    folk = ((figure, state.chart.characters[figure]) for figure in state.at)
    return Lit((one.name, reachable(state, figure)) for figure, one in folk if one.side == side)


def tries(state: State, name: str) -> Iterator[Move]:
    """Yield the moves to a region that figures of the acting side may try."""
    region = state.chart.region(name).id
    for figure, _ in state.figures:
        if state.means is None or state.chart.characters[figure].side == state.means.side:
            yield Move("travel", (figure,), region)
    yield from (Move("enter", (figure,), region) for figure in sorted({who for who, _ in state.entries}))


def shown(state: State) -> Iterator[str]:
    """Yield the state of the game, in lines."""
    yield (
        f"in use: {_means(state.means)}" if state.means else f"left: {', '.join(map(_means, state.pool)) or 'nothing'}"
    )
    for figure, place in state.figures:
        moved = ", has moved" if figure in state.moved else ""
        yield f"{state.chart.characters[figure].name} in {state.chart.regions[place].name}{moved}"
    if state.fellowship:
        inside = ", ".join(state.chart.characters[who].name for who in sorted(state.fellowship))
        yield f"in the Fellowship: {inside}"
