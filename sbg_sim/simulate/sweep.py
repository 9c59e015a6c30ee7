"""Sweeps: one question asked of many tables that differ in one number, as rows for a table or a picture."""

from __future__ import annotations

import csv
import io
import itertools
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from dataclasses import field as hidden
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from sbg_sim.dice.executors import WorkersDiedError, in_order, processes
from sbg_sim.dice.montecarlo import checked_seed
from sbg_sim.document.whole import write_whole
from sbg_sim.errors import QuestionError, SbgError
from sbg_sim.pictured import Pictured
from sbg_sim.simulate.simulation import ask_solver, simulate_verdict
from sbg_sim.simulate.vary import ByKey, Vary
from sbg_sim.solver.verdict import Verdict
from sbg_sim.table.board import Table, sound
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.tolerance import HAIR
from sbg_sim.wording import fraction

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

    from numpy.typing import NDArray

    from sbg_sim.dice.executors import Progress
    from sbg_sim.dice.montecarlo import Seed
    from sbg_sim.table.questions import Question

Judge: TypeAlias = Callable[[Table, "Question | str"], Verdict]
Row: TypeAlias = FrozenMap[str, Any]

ANSWERED: Final = ("answer", "needed", "allowance", "margin", "chance", "chance_value", "dice")
"""Columns of every sweep after its parameter."""

SIZES: Final = {"measure": "inches", "gap": "inches", "reach": "area"}
"""The measured answer of each kind of question, in inches or square inches: a further column."""

LENGTHS: Final = ("needed", "allowance", "margin", *SIZES.values())
"""The columns with measured values, in inches or square inches."""

COUNTED: Final = ("trials", "successes", "frequency", "low", "high")
"""Columns of a sweep with trials, last."""


@dataclass(frozen=True)
class Threshold:
    """A value at which an answer jumps.

    Parameters
    ----------
    low, high
        The last value known on the side of ``before``, and the first known on the other.
    before, after
        The answers there.

    """

    low: float
    high: float
    before: str | None
    after: str | None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _kind(row: Row) -> tuple[Any, ...]:
    return row["answer"], row["chance"]


@dataclass(frozen=True)
class Sweep(Pictured):
    """Tidy rows of a sweep, one per value: a column means the same in every row.

    Parameters
    ----------
    parameter
        The name of the parameter, and of the first column.
    rows
        In the order of the values.
    question
        The question's id in the file; empty if it was asked from Python.
    unit
        The unit of the values: ``"in"`` for the lengths of a file; empty for others.
    asked
        The question; None in a sweep that was made by hand.

    """

    parameter: str
    rows: tuple[Row, ...]
    question: str = ""
    ask: Callable[[Any], Row] | None = hidden(default=None, compare=False, repr=False)
    unit: str = ""
    asked: Question | None = hidden(default=None, compare=False, repr=False)

    def thresholds(self, *, most: int = 8) -> tuple[Threshold, ...]:
        """Return the values between neighbouring rows at which the answer or its chance jumps, by bisection.

        If rows that differ have further answers between them, as a chance between no and yes, each jump is returned;
        between rows that do not differ none is sought.

        Parameters
        ----------
        most
            The greatest number of jumps, in order; each takes some thirty answers.

        """
        return tuple(itertools.islice(self._jumps(), max(0, most)))

    def _jumps(self) -> Iterator[Threshold]:
        for here, there in itertools.pairwise(self.rows):
            numbers = all(_is_number(row[self.parameter]) for row in (here, there))
            first = here
            while numbers and self.ask is not None and _kind(first) != _kind(there):
                last, first = self._beside(first, there)
                low, high = float(last[self.parameter]), float(first[self.parameter])
                yield Threshold(low, high, last["answer"], first["answer"])

    def _beside(self, one: Row, two: Row) -> tuple[Row, Row]:
        """Return the last row with the answer of the first of two, and the first with another, a hair apart."""
        assert self.ask is not None
        kind = _kind(one)
        while abs(two[self.parameter] - one[self.parameter]) > HAIR:
            try:
                row = self.ask((one[self.parameter] + two[self.parameter]) / 2)
            except SbgError:  # a number that only comes whole
                break
            one, two = (row, two) if _kind(row) == kind else (one, row)
        return one, two

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(self.rows[0]) if self.rows else (self.parameter, *ANSWERED)

    def column(self, name: str) -> list[Any]:
        """Return one column; QuestionError if there is none of that name."""
        if name not in self.columns:
            raise QuestionError(f"a sweep has no column {name!r}; it has {', '.join(self.columns)}")
        return [row[name] for row in self.rows]

    def to_array(self) -> NDArray[np.void]:
        """Return the rows as a structured array; missing numbers are NaN, missing words empty."""
        words = {"answer", "chance"}
        words |= {name for name in self.columns if any(isinstance(row[name], str) for row in self.rows)}
        kinds = {name: "U32" if name in words else "f8" for name in self.columns}
        missing = {name: "" if name in words else float("nan") for name in self.columns}
        rows = [tuple(missing[n] if row[n] is None else row[n] for n in self.columns) for row in self.rows]
        return np.array(rows, dtype=list(kinds.items()))

    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the rows as comma-separated text with a header, and write it if a path is given."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows([["" if row[n] is None else row[n] for n in self.columns] for row in self.rows])
        if path is not None:
            write_whole(path, out.getvalue())
        return out.getvalue()

    def to_frame(self) -> Any:
        """Return the rows as a pandas DataFrame; MissingPackageError when pandas is not installed."""
        return import_module("sbg_sim.report.told").frame(self)

    def as_json(self) -> dict[str, Any]:
        """Return what the command line prints with ``--json``."""
        return {"parameter": self.parameter, "rows": [dict(row) for row in self.rows]}

    def __repr__(self) -> str:
        rows = "".join(f"\n  {_shown(row[self.parameter])}: {row['answer']}, {row['chance']}" for row in self.rows)
        return f"<Sweep of {self.parameter} over {len(self.rows)} values: answer, chance>{rows}"


def sweep(
    table: Table,
    question: Question | str,
    parameter: str | Vary,
    values: Iterable[Any],
    *,
    name: str | None = None,
    trials: int = 0,
    seed: Seed = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
    judge: Judge | None = None,
) -> Sweep:
    """Ask one question of a table once for every value of a parameter.

    Parameters
    ----------
    table, question
        The table, and the question.
    parameter
        A dotted key (see :class:`~sbg_sim.simulate.vary.ByKey`), or a function from table and value to a table.
    values
        The values of the parameter.
    name
        Name of the first column; by default the key, if the parameter is one.
    trials
        The number of simulated trials of each best play; 0 for the exact chance alone.
    seed
        The seed of the dice; every value has a seed of its own made from it, so that rows do not depend on the workers.
    executor
        Does the work; None starts as many processes as there are processors, or works in this thread if one is enough,
        if the judge is a script's own, or if processes cannot be started.
    progress
        Called with the number of rows done, and of all.
    judge
        Answers the question; by default the solver. For other processes it must be importable.

    Raises
    ------
    UnknownNameError, QuestionError
        If the key names nothing, or the question cannot be asked.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.load("scenarios/jumping.toml")
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(1) as pool:
    ...     found = sweep(table, "pippin-goes-on", "models.pippin.move", [3, 4], executor=pool)
    >>> found.column("answer")
    ['no', 'chance']

    """
    sound(table)
    checked_seed(seed)
    if not (isinstance(parameter, str) or callable(parameter)):
        raise QuestionError(f"a parameter is a dotted key or a function from table and value, not {parameter!r:.60}")
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise QuestionError(
            f"values are what to put in the place of {parameter}, one after the other, not {values!r:.60}"
        )
    vary = ByKey(parameter) if isinstance(parameter, str) else parameter
    title = name or (parameter if isinstance(parameter, str) else "value")
    seeds = seed if isinstance(seed, tuple) else (seed,)
    # Tables are varied here, so that the function need not travel to other processes.
    values = [vary.read(value) for value in values] if isinstance(vary, ByKey) else values
    pieces = [(vary(table, value), value, (*seeds, i)) for i, value in enumerate(values)]
    task = partial(_row, question, title, trials, judge)
    name = question if isinstance(question, str) else ""
    told: dict[str, Any] = {"question": name, "ask": partial(_again, table, vary, task)}
    told["asked"] = table.asked(question).question
    told["unit"] = vary.unit if isinstance(vary, ByKey) else ""
    own = judge is not None and getattr(judge, "__module__", "__main__") == "__main__"
    if executor is None and len(pieces) > 1 and (os.cpu_count() or 1) > 1 and not own:
        try:
            with processes() as workers:
                return Sweep(title, tuple(in_order(task, pieces, workers, progress)), **told)
        except WorkersDiedError:  # no processes to be had: the work is done here
            pass
    return Sweep(title, tuple(in_order(task, pieces, executor, progress)), **told)


def _again(table: Table, vary: Vary, task: Callable[[Any], Row], value: Any) -> Row:
    """Return the row of a value between two rows."""
    return task((vary(table, value), value, (0,)))


def _row(
    question: Question | str,
    title: str,
    trials: int,
    judge: Judge | None,
    piece: tuple[Table, Any, tuple[int, ...]],
) -> Row:
    table, value, seed = piece
    verdict = ask_solver(table, question) if judge is None else judge(table, question)
    chance = verdict.chance
    row: dict[str, Any] = {
        title: value,
        "answer": verdict.answer,
        "needed": verdict.needed,
        "allowance": verdict.allowance,
        "margin": verdict.margin,
        "chance": None if chance is None else fraction(chance),
        "chance_value": None if chance is None else float(chance),
        "dice": len(verdict.play.tests) if verdict.play is not None else None,
    }
    size = SIZES.get(verdict.question.ask)
    if size is not None:
        row["dice"] = None
        row[size] = getattr(verdict, size)
    if trials:
        run = simulate_verdict(verdict, trials, seed)
        low, high = run.interval
        row |= dict(zip(COUNTED, (trials, run.successes, run.frequency, low, high), strict=True))
    return FrozenMap(row)


def _shown(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
