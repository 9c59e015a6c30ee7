"""A marker during its turn, and its moves: frozen values."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import TYPE_CHECKING, Any

from sbg_sim.boards.riddle.options import Options
from sbg_sim.boards.riddle.terrain import Card, Way

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sbg_sim.boards.riddle.board import Board

Held = frozenset[frozenset[Card]]
"""The cards required to move on this turn: one of each inner set. Empty if the marker is free."""


@dataclass(frozen=True, slots=True)
class Step:
    """One point spent: a step to a neighbour, or two along a road or over water.

    Parameters
    ----------
    way
        The way, one for the whole step.
    to
        The one or two places of the step, in order.

    """

    way: Way
    to: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Flight:
    """The marker is carried by Eagles, Flying Beasts or Tom Bombadil to `to`."""

    card: Card
    to: str


@dataclass(frozen=True, slots=True)
class EndTurn:
    """The turn ends; the next begins with the same allowance (see `begin_turn` for a roll)."""


Move = Step | Flight | EndTurn


@dataclass(frozen=True, slots=True)
class State:
    """A marker during its turn.

    Parameters
    ----------
    board, options
        Constant during a game; ignored in comparisons.
    at
        The space or dot of the marker.
    allowance
        Points of a turn, the roll.
    points, bonus
        Points left, and a Horse's points left, which are for land only.
    cards
        The cards that its player can use.
    in_play
        Cloak and Rope, once used.
    held
        The cards required to move on this turn (R5 to R14, R45).
    river_free
        Whether `held` leaves the river open, such as on a river head reached by water.
    moved
        Whether it has made a move this turn.
    flown
        Whether it was carried to its place (R45).

    """

    board: Board = field(compare=False, repr=False)
    at: str
    allowance: int
    points: int
    bonus: int = 0
    cards: frozenset[Card] = frozenset()
    in_play: frozenset[Card] = frozenset()
    held: Held = frozenset()
    river_free: bool = False
    moved: bool = False
    flown: bool = False
    options: Options = field(default=Options(), compare=False, repr=False)

    def moved_to(
        self,
        at: str,
        *,
        points: int,
        bonus: int,
        cards: frozenset[Card],
        in_play: frozenset[Card],
        held: Held,
        river_free: bool,
        flown: bool = False,
    ) -> State:
        """Return the state after a move within the turn; `dataclasses.replace` would take most of a search's time."""
        done, same = True, self.options
        return State(self.board, at, self.allowance, points, bonus, cards, in_play, held, river_free, done, flown, same)


def start(
    board: Board,
    at: str,
    allowance: int,
    cards: Iterable[Card | str] = (),
    *,
    in_play: Iterable[Card | str] = (),
    options: Options | None = None,
) -> State:
    """Return the state at the beginning of a turn.

    Parameters
    ----------
    board
        The board.
    at
        The space or dot of the marker.
    allowance
        The roll: the number of spaces it may normally move.
    cards
        The cards its player can use; those `in_play` are added.
    in_play
        Cloak and Rope in play from earlier turns.
    options
        The readings; None for the defaults.

    Raises
    ------
    UnknownNameError
        When `at` is not on the board.
    ValueError
        When the allowance is negative or a card is unknown.

    """
    board.require(at)
    played = frozenset(Card(card) for card in in_play)
    state = State(
        board=board,
        at=at,
        allowance=allowance,
        points=allowance,
        cards=frozenset(Card(card) for card in cards) | played,
        in_play=played,
        options=options or Options(),
    )
    return begin_turn(state, allowance)


def begin_turn(state: State, allowance: int) -> State:
    """Return `state` at the beginning of a turn with `allowance` points, free of any stop (R6).

    Raises
    ------
    ValueError
        When the allowance is negative.

    """
    given: Any = allowance
    if not isinstance(given, Integral) or allowance < 0:
        raise ValueError(f"the allowance is a whole number, 0 or more, not {allowance!r:.60}")
    bonus = state.options.horse_bonus if Card.HORSE in state.cards else 0
    return replace(
        state,
        allowance=allowance,
        points=allowance,
        bonus=bonus,
        held=frozenset(),
        river_free=False,
        moved=False,
        flown=False,
    )
