"""Arcs of a circle within a limit, and lines of landings: held against every angle, and every place, by itself."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sbg_sim.arrays import unit
from sbg_sim.solver import arcs
from sbg_sim.solver.arcs import samples
from sbg_sim.solver.field.landings import _lines_within

FINE = np.linspace(0.0, math.tau, 200_001)


def costs(rng, rho, closed):
    """What angles of a circle cost from a few lamps about it, an inch or two an inch; infinite where it is closed."""
    lamps, start, weight = rng.uniform(-6, 6, (3, 2)), rng.uniform(0, 2, 3), rng.choice([1.0, 2.0], 3)
    asked = []

    def cost(angle):
        asked.append(len(angle))
        p = rho * unit(angle)
        found = (start + weight * np.hypot(*np.moveaxis(p[:, None] - lamps, -1, 0))).min(axis=1)
        for first, last in closed:
            found = np.where((angle % math.tau > first) & (angle % math.tau < last), np.inf, found)
        return found

    return cost, asked


@pytest.mark.parametrize("shut", [0, 1, 3])
@pytest.mark.parametrize("seed", range(10))
def test_arcs_within_a_limit_are_those_of_every_angle(seed, shut):
    rng = np.random.default_rng(100 * shut + seed)
    rho = float(rng.uniform(0.5, 2.5))
    breaks = np.sort(rng.uniform(0.05, math.tau - 0.05, 2 * shut))
    closed = breaks.reshape(-1, 2).tolist()
    cost, asked = costs(rng, rho, closed)
    fine = cost(FINE)
    limit = float(np.quantile(fine[np.isfinite(fine)], rng.uniform(0.2, 0.8)))
    asked.clear()
    found = arcs.within(cost, breaks, rho, limit)
    assert sum(asked) < 3000
    inside = np.zeros(len(FINE), dtype=bool)
    for first, last in found:
        assert -arcs.STEP <= first < math.tau  # in the first turn, or just before it
        assert first < last <= first + math.tau
        for turn in (-math.tau, 0.0, math.tau):
            inside |= (first <= FINE + turn) & (last >= FINE + turn)
    off = np.flatnonzero(inside != (fine <= limit))
    off = np.split(off, np.flatnonzero(np.diff(off) > 1) + 1)
    assert max(map(len, off)) <= 1  # beside the ends alone
    ends = np.array([(end, side) for arc in found for end, side in zip(arc, (1, -1), strict=True)]).reshape(-1, 2)
    assert (cost(ends[:, 0] + 1e-9 * ends[:, 1]) <= limit + 1e-6).all()
    assert (cost(ends[:, 0] - 1e-6 * ends[:, 1]) > limit).all()


def test_of_a_circle_all_of_it_or_nothing_may_be_within():
    cost, _ = costs(np.random.default_rng(1), 1.0, [])
    none = np.zeros(0)
    assert arcs.within(cost, none, 1.0, 99.0) == ((0.0, math.tau),)
    assert arcs.within(cost, none, 1.0, -1.0) == ()
    assert arcs.within(lambda angle: np.full(len(angle), np.inf), none, 1.0, 9.0) == ()


@pytest.mark.parametrize("middle", [1.0, 3.3, 0.004])
@pytest.mark.parametrize("dip", [-1, 1])
def test_dips_and_peaks_between_samples_are_found(middle, dip):
    """As deep as a slope of two to either side allows between two samples a step apart."""
    wide = 0.2 * arcs.STEP
    centre = middle + 0.37 * arcs.STEP

    def cost(angle):
        off = np.abs((angle - centre + math.pi) % math.tau - math.pi)
        return 5.0 + dip * 2 * np.minimum(off - wide, 0.1)

    found = arcs.within(cost, np.zeros(0), 1.0, 5.0)
    ((first, last),) = found
    if dip > 0:
        assert (first % math.tau, last % math.tau) == pytest.approx((centre - wide, centre + wide), abs=1e-7)
    else:
        assert (first % math.tau, last % math.tau) == pytest.approx((centre + wide, centre - wide), abs=1e-7)


def test_samples_lie_a_step_apart_and_on_both_sides_of_breaks():
    breaks = np.array([0.0, 1.0, 6.2])
    found = samples(breaks, 0.1)
    assert (np.diff(found) > 0).all()
    assert (np.diff(found) <= 0.1 + 1e-12).all()
    assert found[0] >= 0
    assert found[-1] < math.tau
    assert math.tau - found[-1] + found[0] <= 0.1
    for one in breaks:
        off = np.sort((found - one + math.pi) % math.tau - math.pi)
        assert ((off > -2e-9) & (off < -1e-10)).any()
        assert ((off < 2e-9) & (off > 1e-10)).any()
        assert 0.0 in off.round(12)


# -- lines of landings -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_lines_lie_where_costs_between_neighbours_are_within_a_limit(seed):
    rng = np.random.default_rng(seed)
    at = np.column_stack([np.cumsum(rng.uniform(0.2, 1.0, 14)), np.zeros(14)])
    cost = rng.uniform(0, 10, 14)
    cost[rng.integers(0, 14, 2)] = np.inf
    piece = np.sort(rng.integers(0, 3, 14))
    lines = _lines_within(at, cost, 5.0, piece)
    x = np.linspace(at[0, 0], at[-1, 0], 20001)
    k = np.clip(np.searchsorted(at[:, 0], x, side="right") - 1, 0, 12)
    share = (x - at[k, 0]) / (at[k + 1, 0] - at[k, 0])
    with np.errstate(invalid="ignore"):
        between = cost[k] + share * (cost[k + 1] - cost[k])
    true = np.isfinite(cost[k]) & np.isfinite(cost[k + 1]) & (piece[k] == piece[k + 1]) & (between <= 5.0)
    on = np.zeros(len(x), dtype=bool)
    for line in lines:
        a, b = line.bounds[0], line.bounds[2]
        on |= (x >= a) & (x <= b)
    assert np.abs(on.astype(int) - true.astype(int)).sum() <= 2 * len(lines) + 2
    assert sum(line.length for line in lines) == pytest.approx(true.mean() * (at[-1, 0] - at[0, 0]), abs=0.02)
    # Neighbours make one line, from end to end.
    runs = np.count_nonzero(np.diff(true.astype(int), prepend=0) == 1)
    assert abs(len(lines) - runs) <= np.count_nonzero(np.diff(piece))
