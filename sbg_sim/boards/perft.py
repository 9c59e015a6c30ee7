"""Perft: the number of legal sequences of moves to a depth, a short test of all rules of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from sbg_sim.boards.game import Game

S = TypeVar("S")
Mv = TypeVar("Mv")


def perft(game: Game[S, Mv], state: S, depth: int) -> int:
    """Count the legal sequences of exactly `depth` moves from `state`.

    A position without legal moves ends its sequences: it counts for depth 0 only.

    Parameters
    ----------
    game
        A game, or a module with a game's functions.
    state
        The first position.
    depth
        Number of moves, 0 or more; depth 0 counts the position itself.

    Raises
    ------
    ValueError
        When `depth` is negative.

    """
    if depth < 0:
        raise ValueError("the depth of perft is 0 or more")
    if depth == 0:
        return 1
    moves = game.legal_moves(state)
    if depth == 1:
        return len(moves)
    return sum(perft(game, game.apply(state, move), depth - 1) for move in moves)


def divide(game: Game[S, Mv], state: S, depth: int) -> dict[Mv, int]:
    """Return for each first move the number of sequences of `depth` moves that begin with it.

    Moves must be hashable; the values add up to `perft`.
    """
    if depth < 1:
        raise ValueError("a first move needs a depth of 1 or more")
    return {move: perft(game, game.apply(state, move), depth - 1) for move in game.legal_moves(state)}
