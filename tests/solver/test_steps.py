"""Steps of Newton's method and what is made least with multipliers, held against dense solves and formulas."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from sbg_sim.solver.graph import ways_over
from sbg_sim.solver.graph.tangent_graph import ON_RING, POINT, SAMPLE, VIRTUAL
from sbg_sim.solver.path import lagrangian, newton
from sbg_sim.solver.path.gathering import gather
from sbg_sim.solver.path.lagrangian import Lagrangian
from sbg_sim.solver.path.paths import Fixed, Slide
from tests.solver.stage import level, net, path


class Sloped:
    """What a step is taken of: slopes, curvatures and ties between neighbours, at places on rims ten inches long."""

    def __init__(self, slope, bend, tie, u=None, slides=None):
        self.of = slope, bend, tie
        self.u = np.full(slope.shape, 5.0) if u is None else u
        self.slides = np.ones(slope.shape, dtype=bool) if slides is None else slides

    def slopes(self):
        return tuple(part.copy() for part in self.of)


def dense(bend, tie):
    return np.diag(bend) + np.diag(tie, 1) + np.diag(tie, -1)


@pytest.mark.parametrize("seed", range(8))
def test_a_step_from_closed_forms_is_that_of_the_whole_matrix(seed):
    rng = np.random.default_rng(seed)
    n = 1 + seed % 5
    slope, tie = rng.normal(size=(6, n)) / 20, rng.uniform(-1, 1, (6, n - 1))
    bend = 2.5 + rng.uniform(0, 1, (6, n))
    slides = rng.random((6, n)) < 0.8
    u = rng.choice([0.0, 5.0, 10.0], (6, n))
    found = newton._closed_step(Sloped(slope, bend, tie, u, slides), np.full((6, n), 10.0))
    for k in range(6):
        held = ~slides[k] | ((u[k] == 0) & (slope[k] > 0)) | ((u[k] == 10) & (slope[k] < 0))
        free = np.flatnonzero(~held)
        want = np.zeros(n)
        want[free] = np.linalg.solve(dense(bend[k], tie[k])[np.ix_(free, free)], -slope[k][free])
        np.testing.assert_allclose(found[k], want, atol=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_a_step_leads_downhill_whatever_the_curvatures(seed):
    rng = np.random.default_rng(seed)
    slope, bend, tie = rng.normal(size=(20, 4)), rng.normal(size=(20, 4)), rng.normal(size=(20, 3))
    step = newton._closed_step(Sloped(slope, bend, tie), np.full((20, 4), 10.0))
    assert ((step * slope).sum(axis=1) < 0).all()
    assert (np.abs(step) <= 1 + 1e-12).all()


@pytest.mark.parametrize("each", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_curvatures_are_made_positive_each_by_itself_or_all_alike(seed, each):
    rng = np.random.default_rng(seed)
    half = rng.normal(size=(30, 3, 3))
    hess, slope = half + half.transpose(0, 2, 1), rng.normal(size=(30, 3))
    found = newton._downhill(slope, hess, each=each)
    for k in range(30):
        bend, along = np.linalg.eigh(hess[k])
        if abs(bend).min() < 1e-3:
            continue
        if each:
            want = -along @ ((along.T @ slope[k]) / abs(bend))
        elif bend[0] > 0:
            want = -np.linalg.solve(hess[k], slope[k])
        else:  # by a multiple of the unit matrix, just so that it is positive
            shift = -(along.T @ found[k]) * bend - along.T @ slope[k]
            np.testing.assert_allclose(shift / (along.T @ found[k]), -bend[0], rtol=1e-2)
            continue
        np.testing.assert_allclose(found[k], want, rtol=1e-6)
        assert found[k] @ slope[k] < 0


def test_steps_are_no_longer_than_an_inch():
    step = np.array([[0.5, -0.2], [3.0, -1.5], [math.nan, 0.3], [-math.inf, 4.0], [0.0, 0.0]])
    found = newton._limited(step)
    np.testing.assert_allclose(found, [[0.5, -0.2], [1.0, -0.5], [0.0, 0.3], [0.0, 1.0], [0.0, 0.0]])


def test_links_join_the_places_at_both_their_ends():
    links = np.array([[True, False, False], [False, True, True], [False, False, False]])
    want = [[True, True, False, False], [False, True, True, True], [False] * 4]
    assert newton.joined_by(links).tolist() == want


@pytest.mark.parametrize(("apart", "within", "met"), [(5e-5, 1e-4, True), (2e-4, 1e-4, False), (2e-4, 1e-3, True)])
def test_places_that_slide_meet_where_a_straight_link_between_them_is_so_short(apart, within, met):
    here = net([level(2.0), level(2.0)])
    one = path(Fixed((0.0, 0.0)), Slide(0, 20.0), Slide(1, 20.0 + apart), Fixed((0.0, 5.0)))
    still = path(Fixed((0.0, 0.0)), Slide(0, 20.0), Fixed((apart, 2.0)), Fixed((0.0, 5.0)))
    batch = gather(here, [one, still])
    assert newton.meeting(batch, within).tolist() == [[False, met, False], [False] * 3]
    over = replace(batch, transition=np.where(np.arange(3) == 1, 0, batch.transition))
    assert not newton.meeting(over, within).any()


# -- steps that are shortened ------------------------------------------------------------------------------------------


def searched(cost, step, *, u=5.0, top=10.0):
    """One place on a rim of forty inches, of which so much may be used, and a step of its."""
    batch = gather(net([level(2.0)]), [path(Fixed((0.0, 0.0)), Slide(0, u), Fixed((0.0, 5.0)))])
    way = np.zeros(batch.u.shape)
    way[0, 1] = step
    high = np.where(batch.slides, top, 0.0)

    def merit(some):
        return cost(some.u[:, 1])

    found, value, moved = newton._search(batch, high, way, merit(batch), merit)
    return found[0, 1], value[0], moved[0]


@pytest.mark.parametrize("step", [-1.0, -0.3, 0.4, 1.0])
def test_a_step_that_pays_is_taken_whole_to_the_end_of_its_rim(step):
    found, value, moved = searched(lambda u: -np.sign(step) * u, step)
    assert (found, value, moved) == pytest.approx((5.0 + step, -np.sign(step) * (5 + step), abs(step)))
    for end in (0.2, 9.8):
        at, _, moved = searched(lambda u: -np.sign(step) * u, step, u=end)
        assert at == pytest.approx(min(max(end + step, 0.0), 10.0))
        assert moved == pytest.approx(abs(at - end))


@pytest.mark.parametrize("least", [0.002, 0.007, 0.01, 0.03, 0.1, 0.3, 0.45])
@pytest.mark.parametrize("side", [-1, 1])
def test_a_step_too_long_is_shortened_until_it_pays(least, side):
    """To a kink: where little of the step is left, the best part of it."""
    found, value, moved = searched(lambda u: np.abs(u - 5.0 - side * least), side * 1.0)
    assert value < least
    assert moved == pytest.approx(abs(found - 5.0))
    assert 0 < side * (found - 5.0) < 2 * least
    if least in {0.03, 0.007}:  # a sixty-fourth, or a 256th, of the step stops short of it
        assert found == pytest.approx(5.0 + side * least, abs=least / 100)


def test_a_step_that_pays_nowhere_is_not_taken():
    assert searched(lambda u: np.abs(u - 5.0), 0.7) == (5.0, 0.0, 0.0)
    assert searched(lambda u: np.where(u == 5.0, 0.0, np.nan), 0.7) == (5.0, 0.0, 0.0)


@pytest.mark.parametrize("side", [-1, 1])
def test_where_a_cost_falls_on_one_goes_on_the_same_way(side):
    here = net([level(2.0)])
    batch = gather(here, [path(Fixed((0.0, 0.0)), Slide(0, 20.0 + side * 0.1), Fixed((0.0, 5.0)))])
    before, top = batch.u - side * 0.1 * batch.slides, np.where(batch.slides, 40.0, 0.0)

    def merit(some):
        return np.abs(some.u[:, 1] - 20.0 - side * 3.0)

    found, value = newton._strode(batch, top, before, merit(batch), merit)
    assert value[0] < 2.0
    assert value[0] == pytest.approx(abs(found[0, 1] - 20.0 - side * 3.0))
    rest, same = newton._strode(batch, top, before, np.zeros(1), merit)
    np.testing.assert_array_equal(rest, batch.u)
    assert same.tolist() == [0.0]


# -- multipliers -------------------------------------------------------------------------------------------------------

STIFF = lagrangian._STIFF


@pytest.mark.parametrize(("seed", "stiff"), [(0, STIFF), (1, STIFF), (2, STIFF), (3, 30 * STIFF)])
def test_what_is_made_least_is_the_cost_and_what_holds_the_constraints(seed, stiff):
    """An augmented Lagrangian: of what must be just met, and of what may be cleared by more."""
    rng = np.random.default_rng(seed)
    y, miss, oneway = rng.normal(size=(5, 3)), rng.normal(size=(5, 3)) / 10, rng.random((5, 3)) < 0.5
    y = np.where(oneway, np.abs(y), y)
    cost = rng.uniform(5, 9, 5)
    batch = SimpleNamespace(of=np.arange(5), legs=lambda: None, costs=lambda _legs, _held: (cost - 2, np.full(5, 2.0)))
    some = SimpleNamespace(multipliers=y, oneway=oneway, held=None, stiff=stiff, missed=lambda *_: miss)
    found = Lagrangian.merit(some, batch)
    want = cost.copy()
    for k in range(5):
        for g in range(3):
            c = miss[k, g]
            if oneway[k, g] and y[k, g] - stiff * c <= 0:
                want[k] -= y[k, g] ** 2 / (2 * stiff)
            else:
                want[k] += stiff / 2 * c * c - y[k, g] * c
    np.testing.assert_allclose(found, want)
    better = np.where(oneway, np.maximum(y - stiff * miss, 0.0), y - stiff * miss)
    np.testing.assert_allclose(Lagrangian.improved(some, batch, miss), better)
    off = np.abs(np.where(oneway, np.minimum(miss, y / stiff), miss)).max(axis=1)
    np.testing.assert_allclose(Lagrangian.violated(some, batch, miss), off)


# -- goals that a way over lands at ------------------------------------------------------------------------------------


def test_goals_on_the_far_rim_are_those_of_its_level_that_lie_on_it():
    kind = np.array([POINT, SAMPLE, POINT, VIRTUAL, POINT, ON_RING])
    space = np.array([1, 1, 0, 1, 1, 1])
    xy = np.array([[0.0, 0.0], [5e-7, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 1e-3], [0.0, 0.0]])
    nodes = SimpleNamespace(kind=kind, space=space, xy=xy)
    over = SimpleNamespace(dest=1, to_far=lambda p: np.hypot(*p.T))
    assert ways_over.on_far(SimpleNamespace(goals=[0, 1, 2, 3, 4], nodes=nodes), over).tolist() == [0, 1]
    for goals in ([], [2], [3]):
        assert ways_over.on_far(SimpleNamespace(goals=goals, nodes=nodes), over).tolist() == []
