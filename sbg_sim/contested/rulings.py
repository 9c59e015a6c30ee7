"""The answer under every reading in play, and under two readings at a time where both matter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from sbg_sim.errors import QuestionError, SbgError
from sbg_sim.pictured import Pictured
from sbg_sim.report import fraction, number
from sbg_sim.solver.answer import ask
from sbg_sim.solver.readings import relevant
from sbg_sim.table.board import sound
from sbg_sim.table.questions import Gap, Measure, ReachOf
from sbg_sim.table.rulings import RULINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sbg_sim.dice.executors import Progress
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table
    from sbg_sim.table.questions import Question


Chosen: TypeAlias = tuple[str, str]
"""A ruling and one of its readings."""


@dataclass(frozen=True)
class Reading:
    """The answer under one reading, or under several together.

    Parameters
    ----------
    chosen
        Pairs of ruling and reading.
    in_force
        Whether it is the reading by which the table is played.
    verdict
        The answer; None if the question cannot be asked so.
    differs
        Whether the answer or the chance differs from those under the readings in force.

    """

    chosen: tuple[Chosen, ...]
    in_force: bool
    verdict: Verdict | None
    differs: bool

    @property
    def answer(self) -> str | None:
        """The answer."""
        return None if self.verdict is None else self.verdict.answer

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        v = self.verdict
        chance = None if v is None else v.chance
        return {
            "answer": self.answer,
            "needed": None if v is None else number(v.needed),
            "margin": None if v is None else number(v.margin),
            "chance": None if chance is None else fraction(chance),
            "chance_value": None if chance is None else float(chance),
            "in_force": self.in_force,
            "differs": self.differs,
            "reason": "" if v is None else v.reason,
        }


@dataclass(frozen=True)
class Readings(Pictured):
    """All readings that can affect a question.

    Parameters
    ----------
    verdict
        The answer under the readings in force.
    rows
        One per reading of each ruling in play.
    combinations
        Pairs of readings whose answer differs from that of either alone.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.load("scenarios/edge-exactly-half-test.toml")
    >>> found = sbg.rulings(table, next(iter(table.questions)))
    >>> found.deciding
    ('obstacle_exactly_half = free',)

    """

    verdict: Verdict
    rows: tuple[Reading, ...]
    combinations: tuple[Reading, ...]

    @property
    def deciding(self) -> tuple[str, ...]:
        """``"name = reading"`` for each reading under which the answer differs.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/edge-exactly-half-test.toml")
        >>> found = sbg.rulings(table, next(iter(table.questions)))
        >>> found.deciding
        ('obstacle_exactly_half = free',)

        """
        return tuple(f"{name} = {reading}" for row in self.rows if row.differs for name, reading in row.chosen)

    def as_json(self) -> dict[str, Any]:
        """Return what the command line prints, ready for :func:`json.dumps`.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/edge-exactly-half-test.toml")
        >>> found = sbg.rulings(table, next(iter(table.questions)))
        >>> found.as_json()["answer"]
        'chance'

        """
        chance = self.verdict.chance
        return {
            "question": self.verdict.name,
            "answer": self.verdict.answer,
            "chance": None if chance is None else fraction(chance),
            "rows": [
                {
                    "ruling": name,
                    "reading": reading,
                    "rule": RULINGS[name].rule,
                    "about": RULINGS[name].about,
                    **row.as_json(),
                }
                for row in self.rows
                for name, reading in row.chosen
            ],
            "combinations": [{"readings": dict(row.chosen), **row.as_json()} for row in self.combinations],
            "deciding": list(self.deciding),
        }

    def __repr__(self) -> str:
        decides = ", ".join(self.deciding) or "none would change the answer"
        return f"<Readings: {self.verdict.answer}; {decides}>"


def rulings(table: Table, question: Question | str, *, progress: Progress | None = None) -> Readings:
    """Answer a question under every reading in play.

    Parameters
    ----------
    table
        The table.
    question
        A question, or the id of one of the table's.
    progress
        Called with the number of readings, and pairs of them, that have been tried, and of all; the latter grows if
        some come into play only under another. ``print`` will do.

    Raises
    ------
    UnknownNameError
        For a name the table does not have.
    QuestionError
        For a question that no ruling can affect: a distance, a gap, a reach.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.load("scenarios/edge-exactly-half-test.toml")
    >>> len(rulings(table, next(iter(table.questions))).rows) > 2
    True

    """
    name = question if isinstance(question, str) else ""
    asked = sound(table).asked(question).question
    if isinstance(asked, Measure | Gap | ReachOf):
        raise QuestionError(f"no ruling touches a question of kind {asked.ask!r}; ask about a move, a charge or a look")
    verdict = ask(table, asked, name, alternatives=False)
    single = [(name, reading) for name in relevant(table, asked, verdict) for reading in RULINGS[name].readings]
    others = [(name, reading) for name, reading in single if table.rulings[name] != reading]
    both = _pairs(others, others)
    rows: list[Reading] = []
    combined: list[Reading] = []

    def told() -> None:
        if progress is not None:
            progress(len(rows) + len(combined), len(single) + len(both))

    for one in single:
        rows.append(_row(table, asked, verdict, (one,)))
        told()
    both |= _brought_in(table, asked, rows)
    for pair in sorted(both):
        combined.append(_row(table, asked, verdict, pair))
        told()
    return Readings(verdict, tuple(rows), _combinations(verdict, rows, combined))


def _row(table: Table, question: Question, verdict: Verdict, chosen: tuple[Chosen, ...]) -> Reading:
    in_force = all(table.rulings[name] == reading for name, reading in chosen)
    if in_force:
        return Reading(chosen, in_force, verdict, differs=False)
    other = table
    for name, reading in chosen:
        other = other.under(name, reading)
    try:
        found = ask(other, question, verdict.name, alternatives=False)
    except SbgError:
        return Reading(chosen, in_force, None, differs=False)
    return Reading(chosen, in_force, found, differs=_decided(found) != _decided(verdict))


def _decided(verdict: Verdict | None) -> tuple[Any, Any]:
    return (None, None) if verdict is None else (verdict.answer, verdict.chance)


def _pairs(some: Iterable[Chosen], others: Iterable[Chosen]) -> set[tuple[Chosen, Chosen]]:
    """Return pairs of readings of two rulings, one from each list."""
    return {(min(a, b), max(a, b)) for a in some for b in others if a[0] != b[0]}


def _brought_in(table: Table, question: Question, rows: Sequence[Reading]) -> set[tuple[Chosen, Chosen]]:
    """Return each reading with those of the rulings that are in play under it, perhaps only under it."""
    found = set()
    for row in rows:
        if not row.in_force and row.verdict is not None:
            names = relevant(table.under(*row.chosen[0]), question, row.verdict)
            found |= _pairs(row.chosen, [(n, reading) for n in names for reading in table.rulings.alternatives(n)])
    return found


def _combinations(verdict: Verdict, rows: Sequence[Reading], combined: Sequence[Reading]) -> tuple[Reading, ...]:
    """Return pairs of readings whose answer is neither the one in force nor that of either alone."""
    alone = {row.chosen[0]: _decided(row.verdict) for row in rows if not row.in_force}

    def new(row: Reading) -> bool:
        singles = [alone.get(one, _decided(verdict)) for one in row.chosen]
        return row.verdict is not None and row.differs and _decided(row.verdict) not in singles

    return tuple(row for row in combined if new(row))
