"""The odds of an answer under random errors of positions, by Monte Carlo."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sbg_sim.contested.asking import faults, shifted
from sbg_sim.contested.certain import certainty
from sbg_sim.dice.executors import in_order
from sbg_sim.dice.interval import wilson
from sbg_sim.dice.montecarlo import checked_seed, checked_trials, dice_of_chunk
from sbg_sim.errors import QuestionError, SbgError
from sbg_sim.pictured import Pictured
from sbg_sim.report import fraction, number
from sbg_sim.solver.answer import ask
from sbg_sim.table.board import sound
from sbg_sim.table.questions import Measure, ReachOf
from sbg_sim.tolerance import LARGEST
from sbg_sim.units import inches

if TYPE_CHECKING:
    from collections.abc import Mapping
    from concurrent.futures import Executor

    from numpy.random import Generator

    from sbg_sim.dice.executors import Progress
    from sbg_sim.dice.montecarlo import Seed
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table
    from sbg_sim.table.questions import Question

SIGMA: Final = "1 mm"
"""Standard deviation along x and along y of a position measured with a tape."""

CHUNK: Final = 16
"""Trials with one seed, in one piece of work: each takes a search."""

_REDRAWN: Final = 200  # times a placement is drawn anew if models cannot stand so
_SCREENS: Final = (4.0, 3.0, 2.5, 2.0, 1.5, 1.0)  # multiples of sigma within which the answer may be sure by bounds
_FAR: Final = 9.0  # sigma: the error of a model far off up to which it does not matter


@dataclass(frozen=True)
class Doubt(Pictured):
    """The answers for many random placements.

    Parameters
    ----------
    verdict
        The answer as the table stands.
    sigma
        Standard deviation along x and y, inches: the greatest of all models; for tape readings, along the longer axis.
    trials, seed
        The number of placements, and their seed.
    answers
        The count of each answer.
    course
        Pairs of a number of trials and the count of yes among them, to show the convergence.
    searched
        The number of trials that took a search; the answers of the others are sure by bounds.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> found = sbg.doubt(table, sbg.Charge("lurtz", "merry"), sigma="1 mm", trials=50, seed=1)
    >>> found.successes, found.frequency
    (50, 1.0)

    """

    verdict: Verdict
    sigma: float
    trials: int
    seed: Seed
    answers: Mapping[str, int] = field(hash=False)
    course: tuple[tuple[int, int], ...]
    searched: int

    @property
    def successes(self) -> int:
        """The number of placements with a yes.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/control-zones.toml")
        >>> found = sbg.doubt(table, "a-hair-inside", trials=20, seed=1)
        >>> found.successes <= found.trials
        True

        """
        return self.answers.get("yes", 0)

    @property
    def frequency(self) -> float:
        """The share of placements with a yes.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/control-zones.toml")
        >>> found = sbg.doubt(table, "a-hair-inside", trials=20, seed=1)
        >>> found.frequency == found.successes / 20
        True

        """
        return self.successes / self.trials

    @property
    def interval(self) -> tuple[float, float]:
        """The 99 % Wilson interval of the chance of a yes.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/control-zones.toml")
        >>> found = sbg.doubt(table, "a-hair-inside", trials=20, seed=1)
        >>> found.interval[0] <= found.frequency <= found.interval[1]
        True

        """
        return wilson(self.successes, self.trials)

    def as_json(self) -> dict[str, Any]:
        """Return what the command line prints, ready for :func:`json.dumps`.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/control-zones.toml")
        >>> found = sbg.doubt(table, "a-hair-inside", trials=20, seed=1)
        >>> found.as_json()["trials"]
        20

        """
        chance = self.verdict.chance
        return {
            "question": self.verdict.name,
            "answer": self.verdict.answer,
            "margin": number(self.verdict.margin),
            "chance": None if chance is None else fraction(chance),
            "sigma": number(self.sigma),
            "trials": self.trials,
            "seed": self.seed,
            "successes": self.successes,
            "frequency": self.frequency,
            "interval": list(self.interval),
            "answers": dict(self.answers),
            "convergence": [
                {"trials": n, "successes": k, "frequency": k / n, "interval": list(wilson(k, n))}
                for n, k in self.course
            ],
            "searched": self.searched,
        }

    def __repr__(self) -> str:
        low, high = self.interval
        return (
            f"<Doubt: {self.verdict.answer} as measured; yes for {self.successes} of {self.trials} placements, "
            f"{self.frequency:.4f} in [{low:.4f}, {high:.4f}], sigma {self.sigma:.4g} in, seed {self.seed}>"
        )


@dataclass(frozen=True)
class Trials:
    """The data of every piece of work.

    Parameters
    ----------
    table, question
        The table, and the question.
    sigma
        Standard deviation by model, inches; or a covariance for a model whose place comes from tape readings.
    seed, count
        The seed of the placements, and their number.
    answer, sure
        The answer on the table as it is, and how far each model may be off without changing it, inches.

    """

    table: Table
    question: Question
    sigma: Mapping[str, float]
    spread: Mapping[str, tuple[float, float, float]]
    seed: Seed
    count: int
    answer: str | None
    sure: Mapping[str, float]


def doubt(
    table: Table,
    question: Question | str,
    *,
    sigma: float | str | None = None,
    trials: int = 1000,
    seed: Seed = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Doubt:
    """Answer a question for many placements, each model off by a normal error along x and along y.

    Placements on which models cannot stand (over an edge, in each other, in something solid) are drawn anew.

    Parameters
    ----------
    table, question
        The table, and the question.
    sigma
        Standard deviation, inches or with a unit; by default that of a model's tape readings, else its doubt, else the
        table's tolerance, else 1 mm.
    trials, seed
        The number of trials, and the seed: the same seed gives the same counts with any workers.
    executor
        Does the work; None does it in this thread.
    progress
        Called with the number of trials done, and of all.

    Raises
    ------
    UnknownNameError
        For a name the table does not have.
    QuestionError
        For a question without a yes or no, or for impossible numbers.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> dict(doubt(table, sbg.Charge("lurtz", "merry"), sigma="1 mm", trials=50, seed=1).answers)
    {'yes': 50}

    """
    name = question if isinstance(question, str) else ""
    asked = sound(table).asked(question).question
    if isinstance(asked, Measure | ReachOf):
        raise QuestionError(f"a question of kind {asked.ask!r} has no yes or no to be in doubt")
    checked_trials(trials)
    checked_seed(seed)
    verdict = ask(table, asked, name, alternatives=False)
    spread = {} if sigma is not None else _spreads(table)
    sizes = _sizes(table, sigma)
    work = Trials(table, asked, sizes, spread, seed, trials, verdict.answer, _screen(table, asked, verdict, sizes))
    starts = range(0, trials, CHUNK)
    found = in_order(partial(_some, work), starts, executor, progress, size=lambda s: min(CHUNK, trials - s))
    answers = [answer for part, _ in found for answer in part]
    counts: dict[str, int] = {kind: answers.count(kind) for kind in ("yes", "chance", "no") if kind in answers}
    typical = max((table.fit.ellipse(n)[0] if table.fit and n in spread else s for n, s in sizes.items()), default=0.0)
    return Doubt(verdict, typical, trials, seed, counts, _course(answers), sum(n for _, n in found))


def _sizes(table: Table, sigma: float | str | None) -> dict[str, float]:
    if sigma is None:
        usual = table.tolerance or inches(SIGMA)
        return {m.id: usual if m.doubt is None else m.doubt for m in table.standing()}
    try:
        size = inches(sigma)
    except ValueError as error:
        raise QuestionError(f"sigma: {error}") from None
    if size <= 0:
        raise QuestionError(f"sigma must be greater than 0, not {sigma!r}")
    if size > LARGEST:
        raise QuestionError(f"sigma must not be beyond {LARGEST:g} in, and is {size:g}")
    return {m.id: size for m in table.standing()}


def _spreads(table: Table) -> dict[str, tuple[float, float, float]]:
    """Return the covariances of the fit of tape readings, ``xx, xy, yy`` by model, square inches."""
    return {} if table.fit is None else dict(table.fit.covariance)


def _screen(table: Table, question: Question, verdict: Verdict, sizes: Mapping[str, float]) -> dict[str, float]:
    """Return how far models may be off without changing the answer; empty if no such range is found."""
    if verdict.answer == "chance":
        return {}
    middle = getattr(question, "model", "")
    at = table.model(middle).at if middle in table.models else None
    reach = (verdict.allowance or 0.0) + (verdict.needed or 0.0) + 3.0
    far = {m.id for m in table.standing() if at is not None and math.dist(m.at, at) - m.radius > reach}
    for times in _SCREENS:
        range_ = {n: (_FAR if n in far else times) * s for n, s in sizes.items()}
        try:
            if certainty(table, question, verdict, range_).sure:
                return range_
        except SbgError:
            return {}
    return {}


def _some(work: Trials, start: int) -> tuple[list[str], int]:
    """Answer a chunk of trials; return also the number that took a search."""
    dice = dice_of_chunk(work.seed, start // CHUNK)
    usual = faults(work.table)
    found, searched = [], 0
    for _ in range(start, min(start + CHUNK, work.count)):
        moves = _placement(work, dice, usual)
        within = all(math.hypot(*move) <= work.sure.get(name, -1.0) for name, move in moves.items())
        if within and work.answer is not None:
            found.append(work.answer)
            continue
        searched += 1
        found.append(_answer(work, moves))
    return found, searched


def _answer(work: Trials, moves: Mapping[str, Any]) -> str:
    return ask(shifted(work.table, moves), work.question, alternatives=False).answer or "no"


def _placement(work: Trials, dice: Generator, usual: frozenset[Any]) -> dict[str, tuple[float, float]]:
    for _ in range(_REDRAWN):
        moves = {}
        for name, size in work.sigma.items():
            x, y = dice.standard_normal(2)
            moves[name] = _correlated(work.spread[name], x, y) if name in work.spread else (size * x, size * y)
        if not faults(shifted(work.table, moves)) - usual:
            return moves
    raise QuestionError("with errors this large models can hardly stand as they are placed; choose a smaller sigma")


def _correlated(spread: tuple[float, float, float], x: float, y: float) -> tuple[float, float]:
    xx, xy, yy = spread
    first = math.sqrt(max(xx, 0.0))
    slope = xy / first if first > 0 else 0.0
    return (first * x, slope * x + math.sqrt(max(yy - slope * slope, 0.0)) * y)


def _course(answers: list[str]) -> tuple[tuple[int, int], ...]:
    """Return the count of yes after 10, 20, 50, 100, ... trials and in the end."""
    yes = np.cumsum([answer == "yes" for answer in answers])
    marks = sorted({m * 10**k for k in range(1, 9) for m in (1, 2, 5) if m * 10**k < len(answers)} | {len(answers)})
    return tuple((mark, int(yes[mark - 1])) for mark in marks)
