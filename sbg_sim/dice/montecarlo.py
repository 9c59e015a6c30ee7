"""A play played out with dice, many times: counts beside exact chances.

Trials are cut into chunks of a fixed size and every chunk has a seed of its own, spawned from the one given:
the counts depend on the play, the number of trials, the seed and the chunk size, and on nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from numpy.random import PCG64, Generator, SeedSequence

from sbg_sim.dice.executors import Progress, in_order
from sbg_sim.dice.interval import LEVEL, wilson
from sbg_sim.dice.play import SIDES, End, Go, Play, Stage, distribution, is_success
from sbg_sim.errors import QuestionError
from sbg_sim.pictured import Pictured
from sbg_sim.wording import fraction

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor
    from fractions import Fraction

    from sbg_sim.dice.distribution import Distribution

CHUNK: Final = 1 << 18
"""Trials with one seed: a die is one byte, so that a chunk's dice fit a processor's cache."""

MOST_TRIALS: Final = 10**10
"""More trials than this are refused: they take minutes, and narrow the interval no further than any dispute needs."""

BATCHES: Final = 64
"""Most pieces of work for the workers: enough to balance their load, few enough to be cheap to send."""

Seed: TypeAlias = int | tuple[int, ...]
"""A seed: a whole number from 0 up, or several for a member of a family of runs."""


@dataclass(frozen=True)
class PlayOut(Pictured):
    """The result of playing a play many times.

    Parameters
    ----------
    play, trials, seed, chunk
        The play, the number of trials, the seed, and the size of chunks.
    counts
        The number of trials with each end: pairs in the order of :attr:`Play.ends`.

    """

    play: Play
    trials: int
    seed: Seed
    chunk: int
    counts: tuple[tuple[End, int], ...]

    @cached_property
    def exact(self) -> Distribution[End]:
        """The exact distribution from which the counts are drawn."""
        return distribution(self.play)

    def count(self, goal: Callable[[End], bool] = is_success) -> int:
        """Return the number of trials that reached a goal."""
        return sum(count for end, count in self.counts if goal(end))

    @property
    def successes(self) -> int:
        """The number of trials that reached the play's own goal."""
        return self.count()

    @property
    def frequency(self) -> float:
        """Successes over trials."""
        return self.successes / self.trials

    @property
    def chance(self) -> Fraction:
        """The exact chance of success."""
        return self.exact.chance_of(is_success)

    def interval(self, *, level: float = LEVEL) -> tuple[float, float]:
        """Return the Wilson interval of the chance of success."""
        return wilson(self.successes, self.trials, level=level)

    def as_json(self) -> dict[str, Any]:
        """Return the share of trials that reach the goal, its interval and the exact chance, as plain data."""
        return {
            "trials": self.trials,
            "seed": self.seed,
            "successes": self.successes,
            "frequency": self.frequency,
            "interval": list(self.interval()),
            "chance": fraction(self.chance),
            "chance_value": float(self.chance),
        }

    def __repr__(self) -> str:
        low, high = self.interval()
        return (
            f"<PlayOut: {self.successes} of {self.trials} reach the goal, {self.frequency:.5f} "
            f"in [{low:.5f}, {high:.5f}], exactly {self.chance}, seed {self.seed}>"
        )


def play_out(
    play: Play,
    trials: int,
    seed: Seed,
    *,
    chunk: int = CHUNK,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> PlayOut:
    """Play a play with dice.

    A die is only rolled if the move gets that far. Trials differ only in their dice, so it is enough to count how many
    go on to the next test, and to roll that many dice for it.

    Parameters
    ----------
    play
        The play.
    trials
        The number of trials.
    seed
        The seed of the dice; the same seed gives the same counts with any workers.
    chunk
        The number of trials with one spawned seed; another size gives other dice.
    executor
        Does the work; None does it in this thread.
    progress
        Called after each piece with the number of trials done, and of all.

    Raises
    ------
    QuestionError
        If trials, seed or chunk size are no whole numbers or too small, or there are more than `MOST_TRIALS`.

    """
    entropy = checked_seed(seed)
    checked_trials(trials)
    if not _whole(chunk) or chunk < 1:
        raise QuestionError(f"a chunk of {chunk!r} trials: it takes a whole number from 1 up")
    chunks = -(-trials // chunk)
    step = 1 if executor is None else max(1, -(-chunks // BATCHES))
    batches = [(first, min(first + step, chunks)) for first in range(0, chunks, step)]
    tallies = in_order(
        partial(_play_chunks, play, entropy, trials, chunk),
        batches,
        executor,
        progress,
        size=lambda batch: min(batch[1] * chunk, trials) - batch[0] * chunk,
    )
    counts = {end: sum(tally[end] for tally in tallies) for end in play.ends}
    return PlayOut(play, trials, seed, chunk, tuple(counts.items()))


def checked_trials(trials: int) -> None:
    """Raise QuestionError for an invalid number of trials."""
    if not _whole(trials) or trials < 1:
        raise QuestionError(f"{trials!r} trials: it takes a whole number, at least 1")
    if trials > MOST_TRIALS:
        raise QuestionError(f"{trials} trials are too many; {MOST_TRIALS} is the most")


def checked_seed(seed: Seed) -> Seed:
    """Return a valid seed; QuestionError for another value."""
    numbers = seed if isinstance(seed, tuple) else (seed,)
    if not numbers or not all(_whole(number) and number >= 0 for number in numbers):
        raise QuestionError(f"{seed!r} is no seed: it takes a whole number from 0 up")
    return seed


def dice_of_chunk(seed: Seed, index: int) -> Generator:
    """Return the generator of one chunk: the ``index``-th child that the seed's sequence would spawn."""
    return Generator(PCG64(SeedSequence(seed, spawn_key=(index,))))


def _whole(number: object) -> bool:
    return isinstance(number, int | np.integer) and not isinstance(number, bool)


def _play_chunks(play: Play, seed: Seed, trials: int, chunk: int, batch: tuple[int, int]) -> dict[End, int]:
    """Play the chunks of a batch, and count the ends of the moves."""
    counts = dict.fromkeys(play.ends, 0)
    for index in range(*batch):
        alive = min(chunk, trials - index * chunk)
        dice = dice_of_chunk(seed, index)
        for stage in play.stages:
            if not alive:
                break
            alive = _roll(stage, alive, dice, counts)
        if alive:
            counts[play.final] += alive
    return counts


def _roll(stage: Stage, alive: int, dice: Generator, counts: dict[End, int]) -> int:
    """Roll a stage for the trials that get there, count those that end, and return the number that go on."""
    rolled = dice.integers(1, SIDES + 1, size=alive, dtype=np.uint8)
    going, left = 0, alive
    # The largest group is the rest, so that usually only a 1 and a 6 are counted.
    groups = sorted(stage.groups, key=lambda group: len(group[1]))
    for number, (effect, faces) in enumerate(groups, start=1):
        last = number == len(groups)
        many = left if last else sum(int(np.count_nonzero(rolled == face)) for face in faces)
        left -= many
        if effect is Go.ON:
            going += many
        else:
            counts[effect] += many
    return going
