"""Property: on random tables, what threats and safe ground say is what single charges answer."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.rules.sight import look
from sbg_sim.solver.answer import ask
from sbg_sim.solver.judge import judge_charge
from sbg_sim.table.frozen import FrozenMap

INCH = 25 / 25.4
NEAR = 4e-3  # inches: closer to a rim of the drawn area nothing is asked
NEAR_DICE = 0.01  # inches: the same where a die lands the model, on rims whose costs are sampled


def random_table(seed, models=(6, 9), size=22, strewn=(4, 18)):
    """Six to eight models and a few pieces of each kind, close enough to matter to each other."""
    rng = np.random.default_rng(seed)
    pieces, count = {}, models
    kinds = (("difficult", None), ("obstacle", 0.6), ("obstacle", 1.4), ("unscalable", 4.0), ("obstacle", 0.9))
    for i in range(int(rng.integers(1, 4))):
        (tag, height), (x, y), (w, d) = kinds[rng.integers(5)], rng.uniform(7, 15, 2), rng.uniform(0.3, 3, 2)
        shape = sbg.polygon([(x, y), (x + w, y), (x + w, y + d), (x, y + d)])
        pieces[f"t{i}"] = sbg.Terrain(f"t{i}", frozenset({tag}), shape, height)
    taken = [piece.shape.to_shapely() for piece in pieces.values()]
    models = {}
    for i in range(int(rng.integers(*count))):
        base, at = float(rng.choice([INCH, 40 / 25.4])), None
        while at is None or any(shapely.Point(at).distance(t) < base / 2 + 0.01 for t in taken):
            at = tuple(rng.uniform(*strewn, 2).round(3).tolist())
        taken.append(shapely.Point(at).buffer(base / 2))
        side = "good" if i % 2 else "evil"
        models[f"m{i}"] = sbg.Model(
            f"m{i}", at, base, float(rng.choice([1.0, 1.5, 2.5])), float(rng.integers(4, 9)), side
        )
    return sbg.Table(size, size, models=FrozenMap(models), terrain=FrozenMap(pieces)), rng


def agrees_on_threats(seed):
    table, _ = random_table(seed)
    found = sbg.threats(table, "evil")
    for target in (m for m in table.standing() if m.side == "good"):
        row = found[target.id]
        told = {charger.model: charger.verdict for charger in row.chargers}
        for charger in (m for m in table.standing() if m.side == "evil"):
            asked = sbg.check(table, sbg.Charge(charger.id, target.id))
            assert (charger.id in told) == (asked.answer != "no"), (seed, charger.id, target.id)
            if asked.answer != "no":
                assert told[charger.id].answer == asked.answer
                assert told[charger.id].chance == asked.chance
                assert told[charger.id].needed == pytest.approx(asked.needed, abs=1e-6)
                assert found.regions[-1][1].distance(shapely.Point(target.at)) <= target.radius + 1e-3
        for i, (name, at) in enumerate(row.together):
            radius = table.model(name).radius
            assert math.dist(at, target.at) == pytest.approx(radius + target.radius, abs=1e-4)
            for other, spot in row.together[:i]:
                assert math.dist(at, spot) >= radius + table.model(other).radius - 1e-4


def surely_looked(table, model, at):
    """Say of each enemy whether a look at a model at some place is decided, not given up."""
    there = table.with_model(replace(table.model(model), at=at))
    enemies = [m.id for m in there.standing() if m.is_enemy(there.model(model))]
    return [look(there, enemy, model, widest=False).certain for enemy in enemies]


def agrees_on_safe_ground(seed, places=14, model="m1", eye="centre", lying=(), **crowd):
    """Ask every enemy's charge at random places of the reach, and on both sides of the rim of what is safe."""
    table, rng = random_table(seed, **crowd)
    for name in lying:
        table = table.with_model(replace(table.model(name), prone=True))
    table = replace(table, rulings=table.rulings.having("eye", eye))
    found = sbg.safe(table, model)
    if found.reach.area.is_empty:
        return set()
    rim, own = shapely.boundary(found.area), found.reach.area
    x0, y0, x1, y1 = own.bounds
    spots = [tuple(p) for p in rng.uniform((x0, y0), (x1, y1), (places, 2)).tolist()]
    for share in rng.uniform(0, 1, places).tolist() if not rim.is_empty else ():
        p, angle = rim.interpolate(share, normalized=True), rng.uniform(0, math.tau)
        spots.append((p.x + 0.02 * math.cos(angle), p.y + 0.02 * math.sin(angle)))
    dice = shapely.union_all([shapely.boundary(a) for row in found.dangers for c, a in row.regions if c < 1])
    seen = set()
    for at in spots:
        place = shapely.Point(at)
        if not own.contains(place) or (not rim.is_empty and rim.distance(place) < NEAR) or found.doubt.covers(place):
            continue
        if not dice.is_empty and dice.distance(place) < NEAR_DICE:
            continue
        if eye == "volume" and not all(surely_looked(table, model, at)):
            continue
        safe = all(verdict.answer == "no" for verdict in found.charges_at(at))
        assert found.area.contains(place) == safe, (seed, at)
        seen.add(safe)
    return seen


@pytest.mark.parametrize("seed", [1, 2])
def test_threats_are_single_charges(seed):
    agrees_on_threats(seed)


def test_safe_ground_is_where_no_single_charge_succeeds():
    assert agrees_on_safe_ground(1) == {True, False}


def test_who_lies_stands_up_before_it_charges_through_another_zone():
    assert agrees_on_safe_ground(5, lying=("m0", "m2")) == {True, False}


def test_few_single_charges_are_asked(monkeypatch):
    asked = []
    hops = import_module("sbg_sim.threats.hops")
    monkeypatch.setattr(hops, "judge_charge", lambda *args, **keys: asked.append(keys) or judge_charge(*args, **keys))
    found = sbg.safe(random_table(2)[0], "m1")
    assert 0 < len(asked) < 60  # 167 were asked where growing the ground settles most
    assert all(keys == {"only_fits": True} for keys in asked)
    assert found.area.area == pytest.approx(69.93, abs=0.02)


def test_a_line_that_but_touches_a_cell_is_asked_where_it_runs(monkeypatch):
    """From (0.4, 0.1) eastwards: of the cells of 0.4 in the first has a point of it alone."""
    asked = []
    hops = import_module("sbg_sim.threats.hops")
    monkeypatch.setattr(hops, "placed", lambda _, model, at, on: asked.append(at) or SimpleNamespace(at=at, on=on))
    monkeypatch.setattr(hops, "replace", lambda there, **_: there)
    monkeypatch.setattr(hops, "judge_charge", lambda *_, **__: SimpleNamespace(chance=Fraction(1, 6)))
    area, line = shapely.box(0, 0, 0.8, 0.2), shapely.LineString([(0.4, 0.1), (0.8, 0.1)])
    rows, doubt, left = hops.judged(None, SimpleNamespace(id="e"), SimpleNamespace(id="m", on=None), area, line, 50)
    ((chance, found),) = rows
    assert chance == Fraction(1, 6)
    assert found.equals(shapely.box(0.4, 0, 0.8, 0.2))
    assert doubt.is_empty
    assert left == 50 - len(asked)
    assert all(0.4 < x < 0.8 and y == pytest.approx(0.1) for x, y in asked)


def test_the_chance_of_a_charge_is_the_same_without_its_cost():
    table, told = random_table(3)[0], 0
    for charger in table.standing():
        for target in filter(charger.is_enemy, table.standing()):
            charge = sbg.Charge(charger.id, target.id)
            verdict = ask(table, charge, alternatives=False)
            if verdict.answer != "yes":
                assert judge_charge(replace(table, horizon=0.0), charge, only_fits=True).chance == verdict.chance
                continue
            for more in (1e-4, -1e-4):
                moved = replace(charger, move=verdict.needed + more)
                there = replace(table.with_model(moved), horizon=0.0)
                chance = judge_charge(there, charge, only_fits=True).chance
                assert (chance == 1) == (more > 0)
                assert chance == ask(there, charge, alternatives=False).chance
            told += 1
    assert told > 5


@pytest.mark.heavy
def test_entering_a_zone_on_difficult_ground_leaves_less_than_an_inch():
    # From the place where m4 enters the zone of m1 its base is still over the bog: an inch on costs 1.03.
    table, _ = random_table(22)
    table = replace(
        table,
        models=FrozenMap({name: table.models[name] for name in ("m1", "m3", "m4")}),
        terrain=FrozenMap({"t1": table.terrain["t1"]}),
    )
    at = (17.55649681063648, 13.392921094584567)
    found = sbg.safe(table, "m1")
    assert found.charges_at(at)[0].needed == pytest.approx(6.00816, abs=1e-4)
    assert not any(area.covers(shapely.Point(at)) for row in found.dangers for _, area in row.regions)


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(3, 23))
def test_many_tables(seed):
    agrees_on_threats(seed)
    agrees_on_safe_ground(seed)


def test_safe_ground_is_exact_where_any_part_of_a_base_looks():
    assert agrees_on_safe_ground(13_200_005, eye="volume", models=(8, 14)) == {True, False}


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(13_200_000, 13_200_024))
def test_many_tables_where_any_part_of_a_base_looks(seed):
    agrees_on_safe_ground(seed, eye="volume", models=(8, 14))


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(1, 9))
def test_crowded_tables(seed):
    agrees_on_safe_ground(seed, places=6, model=f"m{seed}", models=(30, 61), size=36, strewn=(6, 28))


def test_who_touches_across_a_barrier_comes_from_further_away():
    # To the wall it is 19.3 - 13 - 1/2 = 5.8 in, to the base behind it 6.3 in (CHG.8).
    foot = {"base": 1, "height": 1.5, "move": 6}
    models = {"merry": {**foot, "side": "good", "at": [12, 12]}, "uruk": {**foot, "side": "evil", "at": [19.3, 12]}}
    wall = {"tags": ["obstacle"], "height": 0.8, "polygon": [[12.5, 8], [13, 8], [13, 16], [12.5, 16]]}
    table = sbg.Table(24, 24, models=models, terrain={"wall": wall})
    assert sbg.check(table, sbg.Charge("uruk", "merry")).needed == pytest.approx(5.8)
    found = sbg.threats(table, "evil")
    (row,) = found.targets
    assert [charger.model for charger in row.chargers] == ["uruk"]
    assert (row.at_once, row.most, row.together) == (1, 1, ())
    assert "merry: 1 can charge it, 1 surely at once" in repr(found)
    assert [verdict.question.model for verdict in sbg.screen(table, "merry").through] == ["uruk"]
    ground = sbg.safe(table, "merry")
    assert [charge.answer for charge in ground.charges_at((12, 12))] == ["yes"]
    assert ground.margin((12, 12)) == pytest.approx(-0.2)
    away = table.having("uruk", at=(19.6, 12))
    assert sbg.threats(away, "evil").targets[0].chargers == ()
    assert sbg.screen(away, "merry").through == ()


def test_a_low_wide_base_charges_further_than_it_moves_over_what_it_climbs():
    """Up and down a wall lower than the base is wide costs 1 in and shifts it by two bases (CLB.1)."""
    wall = sbg.Terrain("wall", frozenset({"obstacle"}), sbg.polygon([(10, 0), (11, 0), (11, 24), (10, 24)]), 0.5)
    models = {
        "a": sbg.Model("a", (8.7, 12), 60 / 25.4, 0.4, 6.0, "evil"),
        "b": sbg.Model("b", (16.5, 12), 1.0, 1.5, 6.0, "good"),
    }
    table = sbg.Table(30, 24, models=FrozenMap(models), terrain=FrozenMap({"wall": wall}))
    asked = sbg.check(table, sbg.Charge("a", "b"))
    assert asked.needed < 6 < 16.5 - 8.7 - 30 / 25.4 - 0.5
    told = [(charger.verdict.answer, charger.verdict.chance) for charger in sbg.threats(table, "evil")["b"].chargers]
    assert told == [(asked.answer, asked.chance)]
    assert [charge.answer for charge in sbg.safe(table, "b").charges_at((16.5, 12))] == [asked.answer]
