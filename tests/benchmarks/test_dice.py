"""What playing dice costs beside drawing them: printed, never asserted, since clocks differ (`pytest -s`)."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import pytest

from sbg_sim.dice import End, Go, Play, Stage, play_out

TRIALS = 1_000_000
STUMBLE, OVER, GOAL = End(label="stumbles"), End(label="over"), End(label="there", success=True)


def quickest(work, rounds: int = 15) -> float:
    best = float("inf")
    for _ in range(rounds):
        start = perf_counter()
        work()
        best = min(best, perf_counter() - start)
    return best


@pytest.mark.parametrize("crossings", [1, 3])
def test_a_million_trials_beside_drawing_the_dice(crossings):
    play = Play(tuple(Stage.split("jump", f"w{i}", STUMBLE, OVER, Go.ON) for i in range(crossings)), GOAL)
    rng = np.random.default_rng(1)
    drawing = quickest(lambda: rng.integers(1, 7, size=TRIALS, dtype=np.uint8))
    playing = quickest(lambda: play_out(play, TRIALS, 1))
    print(
        f"\n{crossings} crossing(s), {TRIALS} trials: {1e3 * playing:.2f} ms, drawing one die each "
        f"{1e3 * drawing:.2f} ms, ratio {playing / drawing:.2f}"
    )
    assert sum(count for _, count in play_out(play, TRIALS, 1).counts) == TRIALS
