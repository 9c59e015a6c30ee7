"""A game record as a file has it: turn by turn the moves of the Move phase, and other changes of models."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point


STAGES: Final = ("moves", "reinforcements")
"""The stages of a side's part of a turn, in order."""


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """One entry of a record: a move, or a change of a model by other rules than those for moving.

    Parameters
    ----------
    model
        The id of the model.
    charge, to, path, stand, lie, crawl, arrive
        Its actions; lengths in inches. ``path`` is a hand-drawn polyline of the centre, ``arrive`` a point of the
        table's edge from which a reinforcement enters. ``stand`` and ``lie`` go with any of the others (stand first,
        then move; crawl, then stand).
    on
        The platform on which the move ends; None on the ground.
    rolls
        The dice in the order in which they are needed.
    place
        Where an effect (backing away, a Magical Power) sets the model down; ``on`` names the surface, ``lie`` and
        ``stand`` say whether it lies then. It is no move, and the rules for moving do not apply.
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
        """Whether it is a move, so that the rules for moving apply."""
        return not (self.slain or self.delayed or self.place is not None)


@dataclass(frozen=True, slots=True)
class Record:
    """A turn: its Priority, its moves in order, the fights that the Priority player chose; and the turns after it.

    Parameters
    ----------
    priority
        The side that moves first.
    moves
        The moves of both sides in order.
    fights
        The chosen pairing off, each fight a tuple of model ids; empty when not given.
    stage
        How far the turn has come, if its last moves do not show it: a side and ``moves`` or ``reinforcements``, as in
        ``"evil moves"``, or ``"over"``.
    later
        The turns after this one.
    key
        Its key in the file: ``"turns[2]."``, or nothing for ``[phase]`` and ``[[moves]]``.

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
