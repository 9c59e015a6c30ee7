"""The straight way is taken without a network where it is open, and readings that cannot matter are not asked."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.errors import SbgError
from sbg_sim.solver import readings
from sbg_sim.solver.answer import ask
from sbg_sim.solver.graph.label_search import settle
from sbg_sim.solver.judge import judge_charge
from sbg_sim.solver.path import best_path, type_search
from sbg_sim.solver.path.options import Option, Search, beyond_the_move
from sbg_sim.solver.space.surroundings import Goal
from sbg_sim.table.route import Route
from tests.fuzz.scatter import Recipe, scatter


def asked(table, rng):
    """Some moves and charges near the mover."""
    x, y = table.model("me").at
    foes = [m for m in table.models.values() if m.side == "evil"]
    for enemy in sorted(foes, key=lambda m: math.dist(m.at, (x, y)))[:4]:
        yield sbg.Charge("me", enemy.id)
    for angle, far in zip(rng.uniform(0, math.tau, 6), rng.uniform(0.3, 7.0, 6), strict=True):
        yield sbg.Move("me", (x + far * math.cos(angle), y + far * math.sin(angle)))


@pytest.mark.parametrize("seed", range(6))
def test_the_network_finds_nothing_else(seed, monkeypatch):
    table = scatter(seed, Recipe(bases=14, pieces=4, size=18.0, enemies=0.4))
    table = table.under("charge_stays_in_zone", "no") if seed % 2 else table
    told = [ask(table, q, alternatives=False) for q in asked(table, np.random.default_rng(seed))]
    monkeypatch.setattr(best_path, "_straight", lambda search: None)
    searched = [ask(table, q, alternatives=False) for q in asked(table, np.random.default_rng(seed))]
    straight = 0
    for one, two in zip(told, searched, strict=True):
        assert (one.answer, one.chance, one.rules) == (two.answer, two.chance, two.rules)
        assert one.needed == (None if two.needed is None else pytest.approx(two.needed, abs=1e-9))
        straight += one.route is not None and [leg.kind for leg in one.route.legs] == ["straight"]
    assert straight


@pytest.mark.parametrize("seed", [1, 2, *(pytest.param(seed, marks=pytest.mark.heavy) for seed in range(3, 40))])
def test_every_reading_asked_anew_says_the_same(seed):
    """Whatever is left out: under each reading that is not told the answer is the same."""
    table = scatter(seed, Recipe(bases=14, pieces=4, size=18.0, enemies=0.4))
    models = {k: replace(m, prone=k == "m3") for k, m in table.models.items()}
    table = replace(table, models=type(table.models)(models))
    for question in asked(table, np.random.default_rng(seed)):
        verdict = ask(table, question)
        for name in readings._FREER:
            for reading in table.rulings.alternatives(name):
                try:
                    other = ask(table.under(name, reading), question, alternatives=False)
                except SbgError:
                    continue
                differs = (other.answer, other.chance) != (verdict.answer, verdict.chance)
                assert differs == (f"{name} = {reading}" in verdict.rulings), (question, name, reading)


@pytest.mark.parametrize(("reading", "chance"), [("whole", Fraction(5, 6)), ("centre", Fraction(0))])
def test_where_it_may_stand_tells_where_a_jump_puts_it_down(reading, chance):
    """A jump that nothing is left for leads half a base onto the roof, or to its very edge: then 0.5 in are missing."""
    corners = [(9, 6), (15, 6), (15, 18), (9, 18)]
    roof = sbg.Terrain("roof", frozenset({"platform"}), sbg.polygon(corners), height=1.5)
    me = sbg.Model("me", (6.0, 12.0), 1.0, 2.0, 3.3, "good")
    rulings = {"stand_on": reading, "jump_without_movement": "yes"}
    table = sbg.Table(24.0, 24.0, {"me": me}, {"roof": roof}, rulings=rulings)
    verdict = ask(table, sbg.Move("me", (9.5, 12.0), on="roof"))
    other = "centre" if reading == "whole" else "whole"
    assert verdict.chance == chance
    assert f"stand_on = {other}" in verdict.rulings


def gapped(target):
    """A model before a gap and a wall; and an enemy beyond both, or beside them."""
    gap = sbg.Terrain("gap", frozenset({"gap"}), sbg.polygon([(9, 2), (10.5, 2), (10.5, 22), (9, 22)]), depth=3.0)
    wall = sbg.Terrain("wall", frozenset({"obstacle"}), sbg.line([(14, 2), (14, 22)], 0.2), height=1.2)
    me = sbg.Model("me", (6.0, 12.0), 1.0, 1.5, 6.0, "good")
    foe = sbg.Model("foe", target, 1.0, 1.5, 6.0, "evil")
    return sbg.Table(24.0, 24.0, {"me": me, "foe": foe}, {"gap": gap, "wall": wall})


def test_more_than_is_left_is_spent_only_where_a_base_is_put_down():
    table = gapped((20.0, 12.0))
    far, beside = Goal(None, (17.0, 12.0)), Goal(None, (11.0, 12.0))
    me = table.model("me")
    assert beyond_the_move(table, me, 6.0) == beyond_the_move(table, me, 6.0, beside) == 6.0
    assert beyond_the_move(table, me, 6.0, far) == 0.0
    begun = table.under("jump_without_movement", "yes")
    assert beyond_the_move(begun, me, 6.0, Goal(None, (14.6, 12.0))) == 0.0  # the wall is 7.4 in away
    assert beyond_the_move(begun, me, 6.0, far) == 0.0
    # With 8 in left a jump begins at the wall no more than 8 in to either side, and ends a base and 0.2 in farther on.
    jump = beyond_the_move(begun, me, 8.0, Goal(None, (14.6, 12.0)))
    assert jump == pytest.approx(math.hypot(1.2 + 0.05, 8 + 0.05))
    # With less left, as after standing up, all of the Move for a leap all the same.
    assert beyond_the_move(begun, me, 2.0, beside) == 6.0
    lying = begun.having("foe", at=(17.4, 12.6), prone=True)
    assert beyond_the_move(lying, me, 6.0, far) == 0.0
    assert beyond_the_move(lying, me, 14.0, far) > 2.0  # over two bases


def test_beside_a_platform_a_leap_puts_nobody_down_on_the_ground():
    roof = sbg.Terrain("roof", frozenset({"platform"}), sbg.polygon([(9, 8), (12, 8), (12, 16), (9, 16)]), height=2.0)
    table = gapped((20.0, 12.0))
    table = replace(table, terrain={"roof": roof})
    me = table.model("me")
    assert beyond_the_move(table, me, 6.0, Goal("roof", (10.5, 12.0))) == 6.0
    assert beyond_the_move(table, me, 6.0, Goal(None, (12.5, 12.0))) == 0.0


@pytest.mark.parametrize("foe", [(12.0, 12.0), (16.5, 12.0)])
def test_where_no_walk_fits_dice_are_looked_at_in_the_same_search(monkeypatch, foe):
    table, layers = gapped(foe), []
    wall = sbg.Terrain("wall", frozenset({"obstacle"}), sbg.line([(9, 2), (9, 22)], 0.2), height=1.2)
    table = replace(table, terrain={"wall": wall})

    def noted(*args, **keywords):
        layers.append(keywords["layers"])
        return settle(*args, **keywords)

    monkeypatch.setattr(best_path, "settle", noted)
    assert ask(table, sbg.Charge("me", "foe"), alternatives=False).route.tests
    assert len(layers) <= 2
    assert min(layers) > 0


def test_readings_in_order_are_asked_at_once(monkeypatch):
    """What no reading of several allows needs one search, not one each."""
    table, asked = gapped((13.0, 12.0)).having("me", move=4.0), []
    judged = readings.judge_charge
    monkeypatch.setattr(readings, "judge_charge", lambda *a, **k: asked.append(a[0].rulings) or judged(*a, **k))
    verdict = ask(table, sbg.Charge("me", "foe"))
    assert (verdict.answer, verdict.rulings) == ("no", ())
    ordered = ("charge_stays_in_zone", "jump_landing", "jump_without_movement", "end_on_low_obstacle")
    changed = [{name for name in ordered if rulings[name] != table.rulings[name]} for rulings in asked]
    assert max(map(len, changed)) > 1
    assert not any(len(names) == 1 for names in changed)


def test_whether_a_way_fits_is_known_of_it_as_it_was_sampled(monkeypatch):
    table, charge = gapped((13.0, 12.0)).having("me", move=8.0), sbg.Charge("me", "foe")
    exact = judge_charge(table, charge)
    rough = judge_charge(table, charge, only_fits=True)
    assert exact.chance == rough.chance == Fraction(1, 6)
    assert exact.needed <= rough.needed <= exact.limit
    monkeypatch.setattr(type_search, "cheapest", pytest.fail)
    assert judge_charge(table, charge, only_fits=True).chance == Fraction(1, 6)


def test_a_leap_that_cannot_begin_in_time_is_not_made_exact(monkeypatch):
    # 2.5 in to the gap and 2.5 over it, into contact: the maximum Move has to do for each, not for both.
    table, charge = replace(gapped((12.0, 12.0)), horizon=0.0), sbg.Charge("me", "foe")
    assert judge_charge(table.having("me", move=2.6), charge, only_fits=True).chance == Fraction(5, 6)
    assert judge_charge(table.having("me", move=2.49), charge, only_fits=True).chance == 0
    monkeypatch.setattr(type_search, "cheapest", pytest.fail)
    assert judge_charge(table.having("me", move=2.0), charge, only_fits=True).chance == 0


def test_closer_samples_are_looked_at_where_they_may_turn_whether_a_way_fits():
    table = gapped((12.0, 12.0))
    search = Search(table, table.model("me"), "foe", Goal(None), 6.0, dice=True, horizon=0.0)
    option = Option(1, landing=False, cost=6.05, slack=0.0, route=Route(), snap=0.1)
    every = [replace(search, allowance=allowance) for allowance in (5.9, 6.0, 6.1)]
    assert [best_path._coarse(one, option) for one in every] == [True, True, True]
    fitting = [replace(one, only_fits=True) for one in every]
    assert [best_path._coarse(one, option) for one in fitting] == [False, True, False]
