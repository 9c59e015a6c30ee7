"""A game record: turn by turn the moves of the Move phase, and what else befell models, as a file holds it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point


STAGES: Final = ("moves", "reinforcements")
"""What a side does in its part of a turn, in order."""


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """One entry of a record: a move, or what befell a model by other rules than those for moving.

    Parameters
    ----------
    model
        Who moves.
    charge, to, path, stand, lie, crawl, arrive
        What it does; lengths in inches. ``path`` is a hand-drawn polyline of the centre, ``arrive`` a point of
        the table's edge from which a reinforcement enters. ``stand`` and ``lie`` go with any of the others
        (stand first, then move; crawl, then stand).
    on
        The platform on which the move ends; None on the ground.
    rolls
        The dice in the order in which they are needed.
    place
        Where an effect (backing away, a Magical Power) sets the model down; ``on`` names the surface, ``lie`` and
        ``stand`` say whether it lies then. It is no move, and the rules for moving are not asked.
    slain
        The model is taken off the table.
    delayed
        The reinforcement could not be placed and waits for the next turn (REINF.2).

    """

    model: str
    charge: tuple[str, ...] = ()
    to: Point | None = None
    path: tuple[Point, ...] | None = None
    stand: bool = False
    lie: bool = False
    crawl: Point | None = None
    arrive: Point | None = None
    on: str | None = None
    rolls: tuple[int, ...] = ()
    place: Point | None = None
    slain: bool = False
    delayed: bool = False

    def __post_init__(self) -> None:
        given: Any = self.charge
        if isinstance(given, str):  # one target, not one for each of its letters
            object.__setattr__(self, "charge", (given,))

    @property
    def is_move(self) -> bool:
        """Whether the model moves of its own, so that the rules for moving judge it."""
        return not (self.slain or self.delayed or self.place is not None)


@dataclass(frozen=True, slots=True)
class Record:
    """A turn: who has Priority, the moves in order, the fights the Priority player chose; and the turns after it.

    Parameters
    ----------
    priority
        The side that moves first.
    moves
        The moves of both sides in order.
    fights
        The chosen pairing off, each fight a tuple of model ids; empty when not given.
    stage
        How far the turn has come when its last moves do not show it: a side and ``moves`` or ``reinforcements``,
        as in ``"evil moves"``, or ``"over"``.
    later
        The turns after this one.
    key
        Where it stands in the file: ``"turns[2]."``, or nothing for ``[phase]`` and ``[[moves]]``.

    """

    priority: str
    moves: tuple[MoveRecord, ...] = ()
    fights: tuple[tuple[str, ...], ...] = ()
    stage: str = ""
    later: tuple[Record, ...] = ()
    key: str = field(default="", compare=False)

    @property
    def turns(self) -> tuple[Record, ...]:
        """The turn itself and those after it."""
        return (self, *self.later)
