"""For how many dice ways are worked out, and over what range: what is told of them, and by how little work."""

from __future__ import annotations

import math
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.solver.path import best_path
from sbg_sim.solver.path.options import SAMPLING_ERROR, Option, Options, Search, chance_of
from sbg_sim.solver.space.surroundings import Goal
from sbg_sim.table.route import Route

LEFT, HORIZON = 6.0, 9.0


class Dice:
    """What a way with so many dice costs, whether the last sets it down on the goal, and what was sampled of that."""

    def __init__(self, monkeypatch, true, *, hidden=0.0, landing=False, least=0.0, late=None, chance=0):
        self.true, self.asked, self.late = true, [], late
        self.labels = SimpleNamespace(cost=true[:, 0], ending=lambda landed: true[:, [int(landed)]] - hidden)
        self.net = SimpleNamespace(goals=np.array([0]))
        self.search = SimpleNamespace(
            chance=chance,
            landing=landing,
            left=LEFT,
            horizon=HORIZON,
            table=None,
            mover=None,
            goal=None,
            fits=lambda one: one.cost <= LEFT + 1e-9 or one.begun < 0,
            cannot_cost_less=lambda one: one.cost <= least + 2e-9,
        )
        monkeypatch.setattr(best_path, "best_options", self.best_options)
        monkeypatch.setattr(best_path, "over_instead", lambda *_: [])
        monkeypatch.setattr(best_path, "beyond_the_move", lambda *_: 0.0 if late is None else 5.0)
        monkeypatch.setattr(best_path, "begun_in_time", self.begun_in_time)

    def best_options(self, _search, _net, _labels, k, *, landed, most=math.inf, optimistic=None):
        self.asked.append((k, landed))
        cost = self.true[k, int(landed)]
        return [Option(k, landed, cost, 0.0, Route())] if cost <= most and cost < math.inf else []

    def begun_in_time(self, _search, _net, _labels, k):
        self.asked.append((k, "late"))
        return [Option(k, True, self.late[k], 0.0, Route(), -1.0)] if k in self.late else []

    def told(self):
        return best_path._by_dice(self.search, self.net, self.labels)


def random_costs(rng):
    """With more dice a way costs less; one that ends where it lands no less than any with as many sixes."""
    dice = int(rng.integers(0, 4))
    plain = np.sort(rng.uniform(4, 12, dice + 1))[::-1].copy()
    plain[rng.random(dice + 1) < 0.2] = math.inf
    landed = plain + rng.choice([0.0, 1.0, math.inf], dice + 1)
    landed[0] = math.inf
    return np.column_stack([plain, landed])


@pytest.mark.parametrize("hidden", [0.0, 0.9 * SAMPLING_ERROR])
@pytest.mark.parametrize("seed", range(60))
def test_the_best_chance_that_fits_is_told_or_else_the_cheapest(monkeypatch, seed, hidden):
    true = random_costs(np.random.default_rng(seed))
    dice = Dice(monkeypatch, true, hidden=hidden)
    found, beyond = dice.told()
    every = {(k, landed): true[k, int(landed)] for k in range(len(true)) for landed in (False, True) if k or not landed}
    fitting = [key for key, cost in every.items() if cost <= LEFT]
    best = max((chance_of(k, landing=landed) for k, landed in fitting), default=0)
    assert max((one.chance for one in found if one.cost <= LEFT), default=0) == best
    assert len(dice.asked) == len(set(dice.asked))
    if fitting:
        assert beyond == math.inf
        # What could give no better chance is not worked out.
        assert all(chance_of(k, landing=landed) >= best for k, landed in dice.asked)
        return
    within = [cost for cost in every.values() if cost <= HORIZON]
    if within:
        assert min(one.cost for one in found) == min(within)
    told = [one.cost for one in found]
    left_out = [cost for cost in every.values() if cost not in told and cost > HORIZON]
    assert beyond <= min(left_out, default=math.inf) or (beyond == math.inf and min(told) <= min(left_out))
    if not told:
        assert beyond == min(every.values(), default=math.inf) - hidden


def test_the_cheapest_of_those_that_do_not_fit_are_worked_out_first(monkeypatch):
    true = np.array([[8.5, math.inf], [8.0, 8.0], [7.0, 7.0], [6.5, 6.5]])
    dice = Dice(monkeypatch, true)
    found, beyond = dice.told()
    assert [(one.tests, one.cost) for one in found] == [(3, 6.5)]
    assert dice.asked == [(3, False)]
    assert beyond == math.inf


def test_no_chance_that_is_had_already_is_looked_for(monkeypatch):
    true = np.array([[math.inf, math.inf], [5.0, 5.5], [4.0, 4.5]])
    for chance, asked in (
        (chance_of(1, landing=True), []),
        (chance_of(1, landing=False), [(1, True)]),
        (chance_of(2, landing=True), [(1, True)]),
        (0, [(1, True)]),
    ):
        dice = Dice(monkeypatch, true, chance=chance)
        dice.told()
        assert dice.asked == asked


def test_who_may_end_only_where_it_is_put_down_asks_for_landings_alone(monkeypatch):
    true = np.array([[5.0, math.inf], [5.0, 7.0], [4.0, 6.5]])
    dice = Dice(monkeypatch, true, landing=True)
    found, _ = dice.told()
    assert [(one.tests, one.landing, one.cost) for one in found] == [(2, True, 6.5)]
    assert dice.asked == [(2, True)]


def test_a_late_leap_is_looked_for_where_none_fits(monkeypatch):
    true = np.array([[7.0, math.inf], [6.5, 6.8], [6.4, 6.6]])
    dice = Dice(monkeypatch, true, late={1: 8.0})
    found, beyond = dice.told()
    assert [(one.tests, one.cost) for one in found] == [(1, 8.0)]
    assert dice.asked[-1] == (1, "late")
    assert beyond == math.inf
    fits = Dice(monkeypatch, np.array([[5.0, math.inf], [4.0, 4.0]]), late={1: 8.0})
    fits.told()
    assert fits.asked == [(0, False)]


# -- ever wider ranges -------------------------------------------------------------------------------------------------


def sought(monkeypatch, looks, *, near=2.0, least=0.0, within=6.0, far=12.0, closed=()):
    """Looks over ever wider ranges, each what it finds up to there; whether the goal is called closed off."""
    asked = []

    def look(_search, reach, _far):
        asked.append(reach)
        return looks(reach)

    told = iter(closed)
    monkeypatch.setattr(best_path, "_look", look)
    monkeypatch.setattr(best_path, "_closed", lambda _: next(told, False))
    search = SimpleNamespace(horizon=9.0, left=6.0, near=near, least=least)
    return best_path._sought(search, within, far), asked


def seen(reach, costs, *, dearer=math.inf, growth=1.6, ended=False):
    found = [Option(0, False, cost, 0.0, Route()) for cost in costs if cost <= reach]
    return SimpleNamespace(reach=reach, found=found, dearer=dearer, further=math.inf if ended else growth * reach)


def test_ranges_grow_until_what_is_found_lies_within_them(monkeypatch):
    found, asked = sought(monkeypatch, lambda reach: seen(reach, [8.0]), within=3.0)
    assert [one.cost for one in found.found] == [8.0]
    assert found.beyond == math.inf
    assert asked[0] == 3.0
    assert asked[-1] >= 8.0 > asked[-2]
    assert all(b == pytest.approx(1.6 * a) or b == 12.0 for a, b in pairwise(asked))


def test_a_first_look_reaches_what_is_known_or_may_fit(monkeypatch):
    for given, first in (
        ({"near": 4.0, "within": 1.0}, 4.0 * 1.02 + 0.05),
        ({"near": 1.0, "least": 5.0, "within": 1.0}, 5.0 * 1.02 + 0.05),
        ({"near": 1.0, "within": 7.0}, 7.0),
        ({"near": 1.0, "within": 10.5}, 12.0),  # nearly all of it: then all of it
    ):
        _, asked = sought(monkeypatch, lambda reach: seen(reach, [0.5]), **given)
        assert asked == [pytest.approx(first)]


def test_where_nothing_is_found_up_to_the_horizon_that_is_told(monkeypatch):
    found, asked = sought(monkeypatch, lambda reach: seen(reach, [15.0]))
    assert (found.found, found.beyond) == ([], 9.0)
    assert asked[-1] == 12.0
    found, asked = sought(monkeypatch, lambda reach: seen(reach, [], ended=True))
    assert (found.found, found.beyond, len(asked)) == ([], math.inf, 1)
    found, _ = sought(monkeypatch, lambda reach: seen(reach, [], dearer=10.0, ended=True))
    assert (found.found, found.beyond) == ([], 9.0)


def test_after_two_looks_that_find_nothing_it_is_asked_whether_a_goal_is_closed_off(monkeypatch):
    found, asked = sought(monkeypatch, lambda reach: seen(reach, []), within=3.0, closed=[True])
    assert (found, len(asked)) == (Options([]), 2)
    found, asked = sought(monkeypatch, lambda reach: seen(reach, [11.0]), within=3.0, closed=[False])
    assert [one.cost for one in found.found] == [11.0]
    found, asked = sought(monkeypatch, lambda reach: seen(reach, []), within=12.0, closed=[True])
    assert (found, len(asked)) == (Options([]), 1)


@pytest.mark.parametrize("reach", [0.5, 2.0, 5.0, 11.0])
def test_where_nothing_can_be_made_of_what_was_reached_far_more_is_looked_at_next(monkeypatch, reach):
    """It may have to be gone round a long way, and no look is worth while that hardly sees more."""
    man = {"at": (12, 12), "base": 1, "height": 1.5, "move": 6, "side": "good"}
    table = sbg.Table(24, 24, models={"me": man})
    goal = Goal(None, (12.0 + 0.8 * reach, 12.0))
    search = Search(table, table.model("me"), None, goal, 6.0, dice=True, horizon=12.0)
    monkeypatch.setattr(best_path, "_by_dice", lambda *_: ([], math.inf))
    look = best_path._look(search, reach, math.inf)
    assert (look.reach, look.found) == (reach, [])
    assert 2 * reach <= look.further < math.inf
