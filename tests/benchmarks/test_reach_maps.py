"""A small round of the benchmark: that it runs and that its two answers agree, nothing about time."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("skfmm")

import sbg_sim as sbg
from tests.benchmarks.reach_maps import HEAD, H, benchmark_table, line, measure, ten_times


@pytest.fixture(scope="module")
def row():
    return measure("8+3", benchmark_table(8, 3, seed=2, size=14.0, move=2.0), rounds=1)


def test_fast_marching_and_the_exact_costs_agree_within_the_grid(row):
    both = np.isfinite(row.ours) & np.isfinite(row.grid.time)
    assert both.sum() > 100
    off = np.abs(row.ours[both] - row.grid.time[both])
    assert np.median(off) < H / 2
    assert off.max() < 4 * H


def test_costs_of_the_map_are_those_of_verdicts(row):
    for needed, ours, _ in row.samples:
        assert ours == pytest.approx(needed, abs=1e-6)


def test_areas_agree_within_the_grid(row):
    # The grid's own error: half a cell all along an outline that is not much longer than the circle's.
    assert row.area == pytest.approx(row.grid.area, abs=H * 2 * np.pi * 2.0)


def test_prints_a_line(row):
    assert len(line(row)) == len(HEAD)


def test_a_table_ten_times_as_large_has_the_same_answers():
    table = benchmark_table(8, 3, seed=2, size=14.0, move=2.0)
    large = ten_times(table)
    assert len(large.models) == 10 * len(table.models)
    assert sbg.reach(large, "me").area.area == pytest.approx(sbg.reach(table, "me").area.area, abs=1e-9)
