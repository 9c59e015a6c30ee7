"""All rulings at once: the answer under every reading in play, and under two at a time where both matter."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sbg_sim.errors import QuestionError, SbgError
from sbg_sim.pictured import Pictured
from sbg_sim.report import fraction, number
from sbg_sim.solver.answer import ask
from sbg_sim.solver.readings import relevant
from sbg_sim.table.board import sound
from sbg_sim.table.questions import Gap, Measure, ReachOf
from sbg_sim.table.rulings import RULINGS

if TYPE_CHECKING:
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table
    from sbg_sim.table.questions import Question


@dataclass(frozen=True)
class Reading:
    """The answer under one reading, or under several that differ from those in force.

    Parameters
    ----------
    chosen
        Pairs of ruling and reading.
    in_force
        Whether it is the reading the table is played by.
    verdict
        The answer; None when the question cannot be asked so.
    differs
        Whether the answer or the chance is another than the one in force.

    """

    chosen: tuple[tuple[str, str], ...]
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
    """Every reading that can touch a question.

    Parameters
    ----------
    verdict
        The answer under the readings in force.
    rows
        One per reading of each ruling in play.
    combinations
        Two readings at once that give what neither gives alone.

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
        """``"name = reading"`` for each reading under which the answer is another.

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


def rulings(table: Table, question: Question | str) -> Readings:
    """Answer a question under every reading in play.

    Parameters
    ----------
    table
        The table.
    question
        A question, or the id of one of the table's.

    Raises
    ------
    UnknownNameError
        For a name the table does not have.
    QuestionError
        For a question that no ruling can touch: a distance, a gap, a reach.

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
    rows: list[Reading] = []
    for ruling in relevant(table, asked, verdict):
        for reading in RULINGS[ruling].readings:
            row = _row(table, asked, verdict, ((ruling, reading),))
            rows.append(row)
    return Readings(verdict, tuple(rows), _combinations(table, asked, verdict, rows))


def _row(table: Table, question: Question, verdict: Verdict, chosen: tuple[tuple[str, str], ...]) -> Reading:
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


def _combinations(table: Table, question: Question, verdict: Verdict, rows: list[Reading]) -> tuple[Reading, ...]:
    """Return pairs of readings whose answer is neither the one in force nor what either gives alone.

    A ruling may come into play only under another's reading: those are paired with it too.
    """
    alone = {row.chosen[0]: _decided(row.verdict) for row in rows if not row.in_force}
    pairs = {tuple(sorted(pair)) for pair in itertools.combinations(alone, 2) if pair[0][0] != pair[1][0]}
    for row in rows:
        if row.in_force or row.verdict is None:
            continue
        under = table.under(*row.chosen[0])
        for name in relevant(under, question, row.verdict):
            new = [(name, reading) for reading in table.rulings.alternatives(name)]
            pairs |= {tuple(sorted((row.chosen[0], one))) for one in new if name != row.chosen[0][0]}
    found = []
    for pair in sorted(pairs):
        row = _row(table, question, verdict, pair)
        singles = [alone.get(one, _decided(verdict)) for one in pair]
        if row.verdict is not None and row.differs and _decided(row.verdict) not in singles:
            found.append(row)
    return tuple(found)
