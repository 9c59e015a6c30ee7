"""A game record: the Move phase as a list of moves, as a file holds it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """One move of a record.

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


@dataclass(frozen=True, slots=True)
class Record:
    """A Move phase: who has Priority, the moves in order, and the fights the Priority player chose.

    Parameters
    ----------
    priority
        The side that moves first.
    moves
        The moves of both sides in order.
    fights
        The chosen pairing off, each fight a tuple of model ids; empty when not given.

    """

    priority: str
    moves: tuple[MoveRecord, ...] = ()
    fights: tuple[tuple[str, ...], ...] = ()
