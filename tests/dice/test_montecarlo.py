"""Dice that are rolled: counts that do not depend on who rolls, intervals that hold the exact chance."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbg_sim.dice import End, Go, Play, Stage, distribution, play_out, processes, wilson
from sbg_sim.dice.executors import WorkersDiedError, in_order, one_by_one
from sbg_sim.dice.montecarlo import dice_of_chunk
from sbg_sim.errors import QuestionError

STUMBLE = End(label="stumbles")
OVER = End(label="over", used=2.0)
GOAL = End(label="there", used=5.0, success=True)
ONE = Play((Stage.split("jump", "wall", STUMBLE, OVER, Go.ON),), GOAL)
TWO = Play((ONE.stages[0], Stage.split("jump", "second", STUMBLE, GOAL, GOAL)), GOAL)


def test_the_counts_are_those_of_the_dice_of_each_chunk():
    """Every trial followed one by one over the same dice: a chunk's first dice, then its second ones."""
    trials, chunk = 1000, 300
    expected = dict.fromkeys(TWO.ends, 0)
    for index, size in enumerate([300, 300, 300, 100]):
        dice = dice_of_chunk(7, index)
        sixes = 0
        for face in dice.integers(1, 7, size=size, dtype=np.uint8):
            if face == 6:
                sixes += 1
            else:
                expected[STUMBLE if face == 1 else OVER] += 1
        for face in dice.integers(1, 7, size=sixes, dtype=np.uint8):
            expected[STUMBLE if face == 1 else GOAL] += 1
    assert dict(play_out(TWO, trials, 7, chunk=chunk).counts) == expected


def test_chunks_have_the_seeds_that_spawning_gives():
    spawned = np.random.SeedSequence(7).spawn(3)[2]
    assert dice_of_chunk(7, 2).integers(2**60) == np.random.default_rng(spawned).integers(2**60)


def test_workers_make_no_difference():
    alone = play_out(TWO, 100_001, 3, chunk=1000)
    with ThreadPoolExecutor(3) as threads:
        assert play_out(TWO, 100_001, 3, chunk=1000, executor=threads) == alone
    with processes(2) as pool:
        assert play_out(TWO, 100_001, 3, chunk=1000, executor=pool) == alone


def test_a_cluster_makes_no_difference():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        found = play_out(TWO, 20_001, 3, chunk=1000, executor=client.get_executor(pure=False))
    assert found == play_out(TWO, 20_001, 3, chunk=1000)


def test_the_seed_decides():
    assert play_out(TWO, 10_000, 1) == play_out(TWO, 10_000, 1)
    assert play_out(TWO, 10_000, 1).counts != play_out(TWO, 10_000, 2).counts
    assert play_out(TWO, 10_000, (1, 0)).counts != play_out(TWO, 10_000, (1, 1)).counts


def test_frequencies_come_near_the_exact_chances():
    """For each end a binomial count: within five standard deviations of its mean."""
    trials = 600_000
    run = play_out(TWO, trials, 11)
    exact = distribution(TWO)
    assert sum(count for _, count in run.counts) == trials
    for end, count in run.counts:
        p = float(exact[end])
        assert abs(count - trials * p) < 5 * math.sqrt(trials * p * (1 - p))
    low, high = run.interval(level=0.999999)
    assert low < Fraction(5, 36) < high
    assert run.chance == Fraction(5, 36)
    assert run.successes == run.count(lambda end: end.success)
    assert "5/36" in repr(run)
    assert run.as_json()["chance"] == "5/36"
    assert "exact chance" in run._repr_svg_()


def test_only_needed_dice_are_rolled():
    """A second die after a first that never lets go on would change nothing but the time."""
    dead = Play((Stage("jump", "wall", (OVER,) * 6), *TWO.stages), GOAL)
    assert dict(play_out(dead, 1000, 1).counts) == {OVER: 1000}


@pytest.mark.parametrize("trials", [1, 5])
def test_few_trials(trials):
    run = play_out(ONE, trials, 1, chunk=2)
    assert sum(count for _, count in run.counts) == trials
    assert run.interval()[0] <= run.frequency <= run.interval()[1]


def test_a_chunk_may_be_one_trial():
    assert sum(count for _, count in play_out(ONE, 3, 1, chunk=1).counts) == 3


def test_processes_that_die_are_told_and_those_of_a_failure_are_ended():
    with processes(1) as pool, pytest.raises(WorkersDiedError, match="the worker processes died"):
        in_order(eval, ["__import__('os')._exit(1)"], pool)
    held, began = [], time.monotonic()

    def interrupted() -> None:
        with processes(1) as pool:
            assert pool.submit(os.getpid).result() != os.getpid()
            held.append(pool.submit(time.sleep, 60))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert time.monotonic() - began < 30
    assert not held[0].done() or held[0].cancelled() or held[0].exception() is not None


def test_progress_counts_trials():
    seen: list[tuple[int, int]] = []
    play_out(ONE, 250, 1, chunk=100, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(100, 250), (200, 250), (250, 250)]
    seen.clear()
    play_out(ONE, 100, 1, chunk=1, progress=lambda done, total: seen.append((done, total)))
    assert [done for done, _ in seen] == list(range(1, 101))  # here each piece is told, however many there are
    seen.clear()
    with ThreadPoolExecutor(2) as threads:
        play_out(ONE, 250, 1, chunk=100, executor=threads, progress=lambda done, total: seen.append((done, total)))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert seen[-1] == (250, 250)


@pytest.mark.parametrize(
    ("trials", "seed", "chunk"),
    [
        (-1, 0, 10),
        (0, 0, 10),
        (10**11, 0, 10),
        (1.5, 0, 10),
        (True, 0, 10),
        (1, -1, 10),
        (1, 0.5, 10),
        (1, (), 10),
        (1, 0, 0),
    ],
)
def test_nonsense_is_refused(trials, seed, chunk):
    with pytest.raises(QuestionError):
        play_out(ONE, trials, seed, chunk=chunk)


@given(st.integers(0, 400), st.integers(0, 400), st.floats(0.5, 0.9999))
@settings(max_examples=50, deadline=None)
def test_wilson_bounds_are_the_roots_of_its_equation(a, b, level):
    """The bounds q solve (p - q)^2 = z^2 q (1 - q) / n, and lie on either side of p."""
    from statistics import NormalDist

    k, n = min(a, b), max(a, b, 1)
    low, high = wilson(k, n, level=level)
    z = NormalDist().inv_cdf(0.5 + level / 2)
    p = k / n
    assert 0 <= low <= p <= high <= 1
    for q in (low, high):
        assert (p - q) ** 2 == pytest.approx(z * z * q * (1 - q) / n, abs=1e-12)


def test_wilson_at_the_ends():
    """With no success the upper bound is z^2 / (n + z^2); with no failure the lower is n / (n + z^2)."""
    z2 = 2.5758293035489004**2  # the two-sided 99 % point of the normal distribution
    assert wilson(0, 100) == (0.0, pytest.approx(z2 / (100 + z2), rel=1e-12))
    assert wilson(100, 100) == (pytest.approx(100 / (100 + z2), rel=1e-12), 1.0)
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(("k", "n", "level"), [(2, 1, 0.9), (-1, 1, 0.9), (0, 1, 1.0), (0, 1, 0.0)])
def test_wilson_refuses_nonsense(k, n, level):
    with pytest.raises(QuestionError):
        wilson(k, n, level=level)


def test_wilson_covers_as_often_as_it_says():
    """Exact coverage at n = 200, p = 5/6, from the binomial distribution: near 99 %."""
    n, p = 200, 5 / 6
    covered = sum(
        math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1) if wilson(k, n)[0] <= p <= wilson(k, n)[1]
    )
    assert 0.98 < covered < 0.998


def test_an_error_in_a_worker_is_the_callers():
    with ThreadPoolExecutor(2) as threads, pytest.raises(ZeroDivisionError):
        in_order(lambda x: 1 // x, [1, 0, 2], threads)


def test_results_come_one_by_one_in_the_order_of_the_pieces():
    done = []
    found = one_by_one(lambda x: done.append(x) or -x, [3, 1, 2])
    assert (next(found), done) == (-3, [3])  # here and now: nothing is done before it is asked for
    assert list(found) == [-1, -2]
    later = threading.Event()
    with ThreadPoolExecutor(2) as threads:
        found = one_by_one(lambda x: later.wait(10) and x if x == 1 else later.set() or x, [1, 2], threads)
        assert list(found) == [1, 2]
        with pytest.raises(ZeroDivisionError):
            list(one_by_one(lambda x: 1 // x, [1, 0, 2], threads))


UNGUARDED = """
from pathlib import Path
import sbg_sim as sbg
from sbg_sim.dice import processes, in_order, WorkersDiedError
print("once")
with processes(2) as pool:
    print(in_order(abs, [-1, 2], pool))
table = sbg.load(Path(ROOT) / "scenarios/jumping.toml")
def own(table, question):
    return sbg.check(table, question)
for judge in (None, own):
    print(sbg.sweep(table, "pippin-goes-on", "models.pippin.move", [3, 4], judge=judge).column("chance"))
try:
    with processes(1) as pool:
        in_order(eval, ["__import__('os')._exit(1)"], pool)
except WorkersDiedError as fault:
    print("told:", fault)
"""


def test_a_script_needs_no_guard(tmp_path):
    script = tmp_path / "unguarded.py"
    script.write_text(f"ROOT = {str(Path(__file__).parents[2])!r}\n{UNGUARDED}")
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    once, numbers, first, second, told = done.stdout.splitlines()
    assert (once, numbers) == ("once", "[1, 2]")
    assert first == second == "['0/1', '1/6']"
    assert told.startswith("told: the worker processes died")
    assert done.stderr == ""


def test_a_pool_that_is_interrupted_waits_for_nothing_it_has_begun():
    with pytest.raises(KeyboardInterrupt), processes(1) as pool:  # noqa: PT012
        pool.submit(time.sleep, 0.0).result()
        pool.submit(time.sleep, 90)
        time.sleep(0.2)
        begun = time.monotonic()
        signal.raise_signal(signal.SIGINT)
    assert time.monotonic() - begun < 45
