"""A turn: its moves before and after their dice, the fights that follow, the roll for Priority, and the next turn."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from sbg_sim.errors import QuestionError
from sbg_sim.pictured import Pictured
from sbg_sim.rules.backing import Trap, traps
from sbg_sim.rules.pairing import Pairings, fights
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.route import Route
from sbg_sim.tolerance import PRINTED

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.rules.pairing import Pairing
    from sbg_sim.table.board import Table
    from sbg_sim.table.record import MoveRecord, Record
    from sbg_sim.table.violation import Violation


@dataclass(frozen=True)
class Judged:
    """The judgement of a move before its dice are thrown.

    Parameters
    ----------
    move
        The move.
    violations
        All violations; empty if it is allowed.
    route
        The intended route.
    targets
        The charged enemies, named or touched by a hand-drawn path.
    rules
        Ids of the rules that decided it.
    chance
        Probability that its dice let it go the whole way.
    aim
        Where the centre should end, if the move states it, inches.

    """

    move: MoveRecord
    violations: tuple[Violation, ...] = ()
    route: Route = field(default_factory=Route)
    targets: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    chance: Fraction = Fraction(1)
    aim: Point | None = None


@dataclass(frozen=True)
class Step(Pictured):
    """One move of a phase, or another event of a model.

    Parameters
    ----------
    model
        The id of the model.
    legal
        Whether the rules allow it.
    reason
        One sentence.
    move
        The move as recorded, with its dice.
    at, on, prone, climbed, engaged
        The model afterwards: place in inches, surface, whether it is prone, inches climbed, enemies in contact.
    used
        Movement used, inches.
    rolls
        The dice in order.
    hits
        Strength 3 hits taken in a fall.
    rules
        Rule ids that decided it.
    route
        The route that was made.
    violations
        The reasons why it is not allowed, with rule ids and places.
    before, after
        The table before it and after it.

    """

    model: str
    legal: bool
    reason: str
    move: MoveRecord
    at: Point | None = None
    on: str | None = None
    prone: bool = False
    climbed: float = 0.0
    engaged: tuple[str, ...] = ()
    used: float = 0.0
    rolls: tuple[int, ...] = ()
    hits: int = 0
    rules: tuple[str, ...] = ()
    route: Route = field(default_factory=Route, repr=False)
    violations: tuple[Violation, ...] = ()
    before: Table | None = field(default=None, repr=False, compare=False)
    after: Table | None = field(default=None, repr=False, compare=False)

    def as_json(self) -> dict[str, Any]:
        """Return the step as plain data, with the keys of the file format's replays."""
        return {
            "model": self.model,
            "legal": self.legal,
            "used": printed(self.used),
            "at": self.at and [printed(x) for x in self.at],
            "on": self.on,
            "prone": self.prone,
            "climbed": printed(self.climbed),
            "engaged": list(self.engaged),
            "rolls": list(self.rolls),
            "hits": self.hits,
            "rules": list(self.rules),
            "reason": self.reason,
            "violations": [
                {
                    "rule": v.rule,
                    "reason": v.reason,
                    "place": v.place and [printed(x) for x in v.place],
                    "blame": v.blame,
                }
                for v in self.violations
            ],
        }


def printed(length: float) -> float:
    """Round a length as in all JSON; no negative zero."""
    return round(float(length), PRINTED) + 0.0


def refused(table: Table, judged: Judged) -> Step:
    """Return the step of a move that is not allowed: the model stays as it was, or is gone."""
    name, first = judged.move.model, judged.violations[0]
    said = first.reason if first.reason.startswith(f"{name} ") else f"{name}: {first.reason}"
    step = Step(
        name,
        legal=False,
        reason=f"{said} ({first.rule})",
        move=judged.move,
        rolls=judged.move.rolls,
        rules=tuple(dict.fromkeys(v.rule for v in judged.violations)),
        violations=judged.violations,
        before=table,
        after=table,
    )
    if name not in table.models:
        return step
    model = table.model(name)
    return replace(
        step,
        at=None if name in table.off else model.at,
        on=model.on,
        prone=model.prone,
        climbed=model.climbed,
        engaged=tuple(sorted(model.engaged)),
    )


LISTED: Final = 1000


@dataclass(frozen=True)
class Turn(Pictured):
    """A turn whose Move phase is over.

    Parameters
    ----------
    number
        Its number, from 1.
    start, end
        The table at the beginning of its Move phase, and when the next turn began.
    steps
        Its moves, and other events until the next turn.
    record
        The turn as a file has it.

    """

    number: int
    start: Table = field(repr=False)
    end: Table = field(repr=False)
    steps: tuple[Step, ...]
    record: Record

    @property
    def fights(self) -> Pairings:
        """All pairings off at its end (PAIR.1)."""
        return fights_of(self.end, self.record.priority)


@dataclass(frozen=True)
class Melee(Pictured):
    """The fights on a table.

    Parameters
    ----------
    table
        The table.
    pairings
        All legal pairings off.
    chosen
        The fights that the Priority player chose, as sets of ids; empty if not given.

    """

    table: Table = field(repr=False)
    pairings: Pairings
    chosen: tuple[tuple[str, ...], ...] = ()

    @cached_property
    def traps(self) -> tuple[Trap, ...]:
        """For every model in a fight, whether it could back away."""
        return traps(self.table, self.pairings)

    @property
    def trapped(self) -> tuple[str, ...]:
        """The models that could not back away a full inch."""
        return tuple(trap.model for trap in self.traps if trap.trapped)

    @property
    def shown(self) -> Pairing:
        """The pairing off that was chosen, else the first."""
        first = next(iter(self.pairings.each()), ())
        if not self.chosen:
            return first
        return next((pairing for pairing in self.pairings.each() if is_chosen(pairing, self.chosen)), first)

    def listed(self) -> tuple[Pairing, ...]:
        """Return the ways to pair off, at most :data:`LISTED` of them."""
        return tuple(itertools.islice(self.pairings.each(), LISTED))

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data: at most :data:`LISTED` ways to pair off, and how many there are."""
        return {
            "fights": [
                {"pairing": [[*f.good, *f.evil] for f in pairing], "chosen": is_chosen(pairing, self.chosen)}
                for pairing in self.listed()
            ],
            "pairings": self.pairings.count,
            "trapped": [trap.as_json() for trap in self.traps if trap.trapped],
        }


def is_chosen(pairing: Pairing, chosen: Iterable[Iterable[str]]) -> bool:
    """Say whether a pairing off is the one that was chosen, in any order."""
    wanted = {frozenset(fight) for fight in chosen}
    return bool(wanted) and {fight.models for fight in pairing} == wanted


def sides_of(table: Table) -> list[str]:
    """Return the sides of a table by name."""
    return sorted({m.side for m in table.models.values() if m.side})


def side_of(table: Table, name: str) -> str:
    """Return a side by its name; QuestionError if no model is on it."""
    known = sides_of(table)
    if name not in known:
        raise QuestionError(f"no model is on the side {name!r}; there are {', '.join(known) or 'none'}")
    return name


def roll_off(table: Table, had: str, die: Callable[[], int]) -> tuple[str, str]:
    """Roll for Priority: one die a side, the higher moves first; equal dice pass it to the other side.

    The rules for moving take Priority as given; this is how the game decides it.

    Parameters
    ----------
    table, had
        The table, and the side that had Priority in the last turn.
    die
        Returns a number from 1 to 6.

    Returns
    -------
    The side that moves first next turn, and the dice in words.

    Raises
    ------
    QuestionError
        If there are not two sides.

    """
    sides = sides_of(table)
    if len(sides) != 2:
        raise QuestionError(f"dice decide between two sides, and here are {', '.join(sides) or 'none'}")
    rolled = {side: die() for side in sides}
    best = max(rolled.values())
    ahead = [side for side in sides if rolled[side] == best]
    first = ahead[0] if len(ahead) == 1 else next(side for side in sides if side != had)
    told = ", ".join(f"{side} {roll}" for side, roll in rolled.items())
    return first, f"{told}: {first} has Priority" + (" now, the dice being equal" if len(ahead) > 1 else "")


def next_turn(table: Table, delayed: Collection[str] = ()) -> Table:
    """Return a table as the next turn begins: no model has moved; engaged, prone and hanging models stay so.

    Reinforcements that could not be placed have waited one turn more (REINF.2).
    """
    models = {
        name: replace(model, moved=False, waited=model.waited + (name in delayed))
        for name, model in table.models.items()
    }
    return replace(table, models=FrozenMap(models), record=None)


def fights_of(table: Table, priority: str) -> Pairings:
    """Pair off; the side with Priority may have no models left."""
    bare = replace(table, record=None)
    return fights(bare, priority if any(m.side == priority for m in table.models.values()) else None)
