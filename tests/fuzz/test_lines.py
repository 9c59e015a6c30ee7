"""Jumps straight across, climbs and leaps over gaps of many corners, held against dense lines through them."""

import math

import pytest

import sbg_sim as sbg
from sbg_sim.referee import audit
from sbg_sim.solver.answer import ask
from tests.fuzz.lines import make, tall
from tests.heights.stage import mover, piece, table

CLOSE = 1e-6


def held(case, cut, least, height, **rulings):
    """The answer is sure, legal and no dearer than what the lines find, nor cheaper by more than bends could save."""
    me = mover(*case.start, base=2 * case.r, height=height, move=20.0)
    at = table(me, cut, **rulings)
    found = ask(at, sbg.Move("m", case.goal), alternatives=False)
    if found.needed is None:
        assert math.isinf(least)
        return
    assert found.needed <= least + CLOSE
    assert found.at_most - found.at_least <= CLOSE
    assert audit(at, "m", found.route, allowance=math.inf).violations == ()


def jumped(seed):
    case = make(seed)
    wall = piece("wall", "obstacle", sbg.polygon(case.ring), height=1.0)
    held(case, wall, case.across(), 1.5, jump_landing="across")


def climbed(seed, ruled):
    """Up and down, or up alone: what leads along the top counts but for two bases of it."""
    case = make(seed, thick=(0.1, 3.0))
    wall = piece("wall", "obstacle", sbg.polygon(case.ring), height=1.2)
    held(case, wall, case.across(2 * 1.2 * (1 + (ruled == "down"))), 1.0, climb_over=ruled)


def leapt(seed):
    case = make(seed)
    height = tall(case, seed)
    gap = piece("gap", "gap unscalable", sbg.polygon(case.ring), depth=30.0)
    held(case, gap, case.leap(2 * height), height)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_jumps_straight_across(seed):
    jumped(seed)


@pytest.mark.parametrize("ruled", ["down", "over"])
@pytest.mark.parametrize("seed", [0, 3, 4])
def test_climbs_over_walls_wider_than_a_base_and_narrower(seed, ruled):
    climbed(seed, ruled)


@pytest.mark.parametrize("seed", [14, 24, 27, 31, 38])
def test_leaps_past_corners_of_their_gap(seed):
    leapt(seed)


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(200))
def test_jumps_straight_across_at_length(seed):
    jumped(seed)


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(40))
def test_leaps_at_length(seed):
    leapt(seed)


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(200))
def test_climbs_at_length(seed):
    climbed(seed, ("down", "over")[seed % 2])
