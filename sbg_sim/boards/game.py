"""The interface of every game on spaces: legal moves, broken rules, the state after a move, reachable spaces.

A game is any object with the methods of `Game`, such as a module with functions of these names. Legality is defined
once per game, in ``explain``: ``legal_moves`` and ``apply`` must agree with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from sbg_sim.errors import SbgError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

S = TypeVar("S")
Mv = TypeVar("Mv")


@dataclass(frozen=True, slots=True)
class Violation:
    """One rule that a move breaks.

    Parameters
    ----------
    rule
        The rule's id in the game's checklist, such as ``M19``, ``R5``, ``W12`` or ``L18``.
    reason
        A sentence with the names of the spaces and pieces concerned.
    place
        The space where the rule is broken, or None.

    """

    rule: str
    reason: str
    place: str | None = None

    def __str__(self) -> str:
        return f"{self.rule}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Reached:
    """A way to a space.

    Parameters
    ----------
    cost
        The cost in the game's own unit: regions, movement points or turns.
    route
        The spaces on the way, from the mover's space to the one reached.

    """

    cost: int
    route: tuple[str, ...]


class Lit(dict[str, int]):
    """The ends of legal moves: each space with its least cost, and the pieces that can go there.

    Parameters
    ----------
    ways
        Names of pieces, each with the spaces that it can go to; ``who`` are those that can go anywhere.

    """

    def __init__(self, ways: Iterable[tuple[str, Mapping[str, Reached]]]) -> None:
        super().__init__()
        movable = [(name, found) for name, found in ways if found]
        self.who = tuple(name for name, _ in movable)
        for _, found in movable:
            for space, way in found.items():
                self[space] = min(way.cost, self.get(space, way.cost))


class IllegalMoveError(SbgError):
    """A move cannot be carried out because the rules forbid it.

    Parameters
    ----------
    violations
        All broken rules, at least one.

    """

    def __init__(self, violations: tuple[Violation, ...]) -> None:
        self.violations = violations
        super().__init__("; ".join(str(violation) for violation in violations))

    def __reduce__(self) -> tuple[type[IllegalMoveError], tuple[tuple[Violation, ...]]]:
        return (IllegalMoveError, (self.violations,))


class Game(Protocol[S, Mv]):
    """The rules of one game, as functions of an immutable state."""

    def legal_moves(self, state: S, who: str | None = None) -> tuple[Mv, ...]:
        """Return every legal move once, in a fixed order; `who` limits them to one mover."""
        ...

    def explain(self, state: S, move: Mv) -> tuple[Violation, ...]:
        """Return the rules that `move` breaks; none if it is legal."""
        ...

    def apply(self, state: S, move: Mv) -> S:
        """Return the state after `move`; raise `IllegalMoveError` when `explain` is not empty."""
        ...

    def reachable(self, state: S, who: str) -> Mapping[str, Reached]:
        """Return every space that `who` can reach with one move, its cost and a cheapest route."""
        ...


def known(move: object, *kinds: type) -> None:
    """Raise `SbgError` for an object that is no move of a game: ``explain`` must not find such an object legal."""
    if not isinstance(move, kinds):
        raise SbgError(f"{move!r:.60} is no move; a move is a {' or '.join(kind.__name__ for kind in kinds)}")


def refuse(violations: tuple[Violation, ...]) -> None:
    """Raise `IllegalMoveError` if there is any violation."""
    if violations:
        raise IllegalMoveError(violations)
