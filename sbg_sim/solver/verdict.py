"""The answer to a question: a value with bounds, witness, dice, rules and a sentence for people."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sbg_sim.pictured import Pictured
from sbg_sim.table.violation import Violation

if TYPE_CHECKING:
    from fractions import Fraction

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.board import Table
    from sbg_sim.table.frozen import FrozenMap
    from sbg_sim.table.questions import Question
    from sbg_sim.table.route import Route, Test

__all__ = ["Verdict", "Violation"]


@dataclass(frozen=True)
class Verdict(Pictured):
    """The answer to one question.

    Parameters
    ----------
    table, question, name
        What was asked of what; ``name`` is the question's id in the file, empty when asked from Python.
    answer
        ``"yes"``, ``"no"``, ``"chance"``, ``"too-close"``; None for ``measure`` and ``reach``.
    needed, at_least, at_most
        Cost of the best route and certified bounds, inches; None when no route exists at any Move.
    allowance, margin
        The maximum Move and what is left of it (negative: missing), inches.
    chance
        Exact probability under best play.
    route
        The best route, whatever it costs; the witness.
    play
        The route that has the best chance within the allowance; None when there is none.
    sightline
        For ``sight``: the line of sight when there is one.
    hidden_by
        For ``sight`` answered no: ids of what hides each part.
    rules
        Rule ids that decided it.
    rulings
        ``"name = reading"`` for each reading under which the answer would differ.
    reason
        One sentence for people.
    violations
        Why not, with rule ids and places.
    inches
        For ``measure`` and ``gap``, inches.
    certainty
        Where placements are in doubt: how sure the answer is (`sbg_sim.contested.certain.Certainty`).
    area, areas
        For ``reach``: square inches that are certain; and by chance, nested.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> verdict = sbg.check(table, sbg.Charge("lurtz", "merry"))
    >>> verdict
    <Verdict: yes (lurtz into merry: yes, 5.0000 of 6 in, 1.0000 in to spare)>
    >>> verdict.at_least <= verdict.needed <= verdict.at_most, verdict.route.cost
    (True, 5.0)

    """

    table: Table = field(repr=False)
    question: Question
    name: str = ""
    answer: str | None = None
    needed: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    allowance: float | None = None
    margin: float | None = None
    chance: Fraction | None = None
    route: Route | None = field(default=None, repr=False)
    play: Route | None = field(default=None, repr=False)
    sightline: tuple[tuple[float, float, float], ...] | None = None
    hidden_by: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()
    reason: str = ""
    violations: tuple[Violation, ...] = ()
    inches: float | None = None
    area: float | None = None
    areas: FrozenMap[str, float] | None = None
    certainty: Any = field(default=None, repr=False)

    def __repr__(self) -> str:
        name = f" {self.name}" if self.name else ""
        answer = f" {self.answer}" if self.answer else ""
        return f"<Verdict{name}:{answer} ({self.reason})>"

    @property
    def path(self) -> list[Point] | None:
        """The witness, inches: a polyline of the base's centre; for ``sight`` the sightline from above.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/charging-2.toml")
        >>> verdict = sbg.check(table, "third-to-pippin")
        >>> verdict.path is None or verdict.path[0]
        (7.0, 12.0)

        """
        if self.sightline is not None:
            return [(x, y) for x, y, _ in self.sightline]
        return None if self.route is None else self.route.points()

    @property
    def tests(self) -> tuple[Test, ...]:
        """The dice on the best route.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/jumping.toml")
        >>> verdict = sbg.check(table, "pippin-goes-on")
        >>> [test.kind for test in verdict.tests]
        ['jump']

        """
        return () if self.route is None else self.route.tests
