"""The answer to a question as a value: bounds, witness, dice, rules and a sentence; and lists of answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, overload

from sbg_sim.errors import UnknownNameError
from sbg_sim.pictured import Pictured

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.board import Table
    from sbg_sim.table.frozen import FrozenMap
    from sbg_sim.table.questions import Question
    from sbg_sim.table.route import Route, Test
    from sbg_sim.table.violation import Violation

Entry = TypeVar("Entry")


@dataclass(frozen=True)
class Verdict(Pictured):
    """The answer to one question.

    Parameters
    ----------
    table, question, name
        The table, the question and its id in the file; the id is empty when asked from Python.
    answer
        ``"yes"``, ``"no"``, ``"chance"``, ``"too-close"``; None for ``measure`` and ``reach``.
    needed, at_least, at_most
        Cost of the best route and certified bounds, inches; None when no route exists at any Move.
    allowance, margin
        The maximum Move, and the rest of it after the move (negative: missing), inches.
    chance
        Exact probability under best play.
    route
        The best route, whatever its cost; the witness.
    play
        The route with the best chance within the allowance; None when there is none.
    sightline
        For ``sight``: the line of sight when there is one.
    hidden_by
        For ``sight`` answered no: ids of the models and terrain that hide the target.
    rules
        Ids of the rules that decided the answer.
    rulings
        ``"name = reading"`` for each reading under which the answer would differ.
    reason
        One sentence for people.
    violations
        The reasons for a no, with rule ids and places.
    inches
        For ``measure`` and ``gap``: the distance, inches.
    certainty
        Where placements are in doubt: how sure the answer is (`sbg_sim.contested.certain.Certainty`).
    area, areas
        For ``reach``: the certain area, square inches; and the nested areas by chance.

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


# -- lists -------------------------------------------------------------------------------------------------------------


class PerEnemy(Pictured, Generic[Entry]):
    """A sequence of entries, one for each enemy of a model, also found by the enemy's id."""

    model: str
    entries: tuple[Entry, ...]
    _about: ClassVar[str]
    """The field of an entry that holds its enemy's id."""

    @overload
    def __getitem__(self, enemy: str | int) -> Entry: ...
    @overload
    def __getitem__(self, enemy: slice) -> tuple[Entry, ...]: ...
    def __getitem__(self, enemy: str | int | slice) -> Entry | tuple[Entry, ...]:
        if not isinstance(enemy, str):
            return self.entries[enemy]
        ids = [getattr(entry, self._about) for entry in self.entries]
        if enemy in ids:
            return self.entries[ids.index(enemy)]
        known = ", ".join(ids) or "none"
        raise UnknownNameError(f"{enemy!r} is no enemy of {self.model} in this list; there are {known}")

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __contains__(self, enemy: object) -> bool:
        return any(enemy in (getattr(entry, self._about), entry) for entry in self.entries)

    def to_frame(self) -> Any:
        """Return the list as a pandas DataFrame, a row per enemy.

        Raises
        ------
        MissingPackageError
            If pandas is not installed.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/charging-2.toml")
        >>> sbg.charges(table, "uruk-3").to_frame()[["target", "answer"]].values.tolist()
        [['aragorn', 'yes'], ['boromir', 'yes'], ['pippin', 'no']]
        >>> list(sbg.denials(table, "uruk-3").to_frame().columns)
        ['enemy', 'denied', 'area_without']

        """
        return import_module("sbg_sim.report.told").frame(self)
