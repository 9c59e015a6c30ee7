"""The shape that every game on spaces has: what is legal, why not, what comes of it, how far one gets.

A game is any object with the methods of `Game`; a module with functions of these names is one. Legality is
written once per game, in ``explain``: ``legal_moves`` and ``apply`` must agree with it.
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
        The rule's id in the game's checklist, as ``M19``, ``R5``, ``W12`` or ``L18``.
    reason
        One sentence for people, with the names of the spaces and pieces concerned.
    place
        The space where it happens, or None when it has no place.

    """

    rule: str
    reason: str
    place: str | None = None

    def __str__(self) -> str:
        return f"{self.rule}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Reached:
    """How one space is reached.

    Parameters
    ----------
    cost
        In the game's own unit: regions, movement points or turns.
    route
        The spaces on the way, the first being where the mover stands and the last the space reached.

    """

    cost: int
    route: tuple[str, ...]


class Lit(dict[str, int]):
    """Where legal moves lead, each space with its least cost, and by whom one gets there.

    Parameters
    ----------
    ways
        Names, each with the spaces that it can go to; ``who`` are those of them that can go anywhere.

    """

    def __init__(self, ways: Iterable[tuple[str, Mapping[str, Reached]]]) -> None:
        super().__init__()
        some = [(name, found) for name, found in ways if found]
        self.who = tuple(name for name, _ in some)
        for _, found in some:
            for space, way in found.items():
                self[space] = min(way.cost, self.get(space, way.cost))


class IllegalMoveError(SbgError):
    """A move was to be carried out that the rules do not allow.

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
    """The rules of one game, as functions of a frozen state."""

    def legal_moves(self, state: S, who: str | None = None) -> tuple[Mv, ...]:
        """Return every move the rules allow, each once, in a fixed order; `who` narrows it to one mover."""
        ...

    def explain(self, state: S, move: Mv) -> tuple[Violation, ...]:
        """Return the rules that `move` breaks; empty means legal."""
        ...

    def apply(self, state: S, move: Mv) -> S:
        """Return the state after `move`; raise `IllegalMoveError` when `explain` is not empty."""
        ...

    def reachable(self, state: S, who: str) -> Mapping[str, Reached]:
        """Return every space `who` can get to with one move, its cost and a cheapest route."""
        ...


def known(move: object, *kinds: type) -> None:
    """Raise `SbgError` when something is no move of a game: nothing that is wrong with it must not mean legal."""
    if not isinstance(move, kinds):
        raise SbgError(f"{move!r:.60} is no move; a move is a {' or '.join(kind.__name__ for kind in kinds)}")


def refuse(violations: tuple[Violation, ...]) -> None:
    """Raise `IllegalMoveError` when there is any violation."""
    if violations:
        raise IllegalMoveError(violations)
