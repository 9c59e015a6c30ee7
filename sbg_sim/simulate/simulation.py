"""Simulates the answer to a question with dice: counts beside the exact chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sbg_sim.dice.montecarlo import PlayOut, play_out
from sbg_sim.errors import SbgError
from sbg_sim.pictured import Pictured
from sbg_sim.simulate.plays import goal_of, play_of
from sbg_sim.table.board import sound

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from fractions import Fraction

    from sbg_sim.dice.distribution import Distribution
    from sbg_sim.dice.executors import Progress
    from sbg_sim.dice.montecarlo import Seed
    from sbg_sim.dice.play import End
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table
    from sbg_sim.table.questions import Question


class DisagreementError(SbgError):
    """A verdict and the dice of its own play give different chances: a mistake in this package."""


@dataclass(frozen=True)
class Simulation(Pictured):
    """A question's best play, played many times.

    Parameters
    ----------
    verdict
        The answer whose best play was played.
    run
        The counts.

    """

    verdict: Verdict
    run: PlayOut

    @property
    def question(self) -> str:
        """The question's id in the file; empty if it was asked from Python."""
        return self.verdict.name

    @property
    def trials(self) -> int:
        """How often it was played."""
        return self.run.trials

    @property
    def seed(self) -> Seed:
        """Where the dice came from."""
        return self.run.seed

    @property
    def successes(self) -> int:
        """How often the goal was reached."""
        return self.run.successes

    @property
    def frequency(self) -> float:
        """Successes over trials."""
        return self.run.frequency

    @property
    def interval(self) -> tuple[float, float]:
        """The 99 % Wilson interval of the chance."""
        return self.run.interval()

    @property
    def chance(self) -> Fraction:
        """The exact chance."""
        return self.run.chance

    @property
    def distribution(self) -> Distribution[End]:
        """The exact distribution over the ways the move ends."""
        return self.run.exact

    @property
    def counts(self) -> tuple[tuple[End, int], ...]:
        """How often the move ended in each way."""
        return self.run.counts

    def as_json(self) -> dict[str, object]:
        """Return what the command line prints, ready for :func:`json.dumps`."""
        return {"question": self.question, **self.run.as_json()}

    def __repr__(self) -> str:
        name = f" of {self.question}" if self.question else ""
        return f"<Simulation{name}: {repr(self.run)[len('<PlayOut: ') :]}"


def simulate(
    table: Table,
    question: Question | str,
    trials: int = 100_000,
    seed: Seed = 0,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """Answer a move or charge question and play its best play with dice.

    Parameters
    ----------
    table
        The table.
    question
        A question, or the id of one of the table's.
    trials, seed
        The number of trials, and the seed of the dice: the same seed gives the same counts with any workers.
    executor
        Does the work; None does it in this thread.
    progress
        Called with the number of trials done, and of all.

    Raises
    ------
    UnknownNameError
        If there is no such question, model or target.
    QuestionError
        If the question is not about the end of a move, or if trials or seed are impossible.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.load("scenarios/jumping.toml")
    >>> played = simulate(table, "pippin-goes-on", trials=1000, seed=7)
    >>> played.chance, played.successes
    (Fraction(1, 6), 171)

    """
    asked = sound(table).asked(question).question
    goal_of(table, asked)  # says no before the search begins
    return simulate_verdict(ask_solver(table, question), trials, seed, executor, progress)


def simulate_verdict(
    verdict: Verdict,
    trials: int,
    seed: Seed,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """Play the best play of a given answer; see :func:`simulate`.

    Raises
    ------
    DisagreementError
        If the verdict states another chance than its play has.

    """
    run = play_out(play_of(verdict), trials, seed, executor=executor, progress=progress)
    if verdict.chance is not None and verdict.chance != run.chance:
        raise DisagreementError(
            f"the verdict says {verdict.chance} and the dice of its play say {run.chance}; please report this table",
        )
    return Simulation(verdict, run)


def ask_solver(table: Table, question: Question | str) -> Verdict:
    """Ask the solver, which is loaded with the first question."""
    from sbg_sim.solver.answer import ask

    return ask(table, question)
