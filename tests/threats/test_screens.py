"""Screens on random tables: no charge gets through one, and where two friends are named one alone does not do."""

from __future__ import annotations

import math
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.solver.judge import judge_charge
from sbg_sim.table.frozen import FrozenMap
from tests.threats import test_single_charges

INCH = 25 / 25.4
screens = import_module("sbg_sim.threats.screens")  # the front door has a function of a like name


def random_table(seed):
    """One model, one or two enemies from one side, every third time from two, and four friends close by."""
    rng = np.random.default_rng(seed)
    models = {"me": sbg.Model("me", (10.0, 10.0), INCH, 1.5, 6.0, "good")}

    def put(name, side, least, most, middle, spread):
        while True:
            far, angle = rng.uniform(least, most), middle + rng.uniform(-spread, spread)
            at = (round(10 + far * math.cos(angle), 3), round(10 + far * math.sin(angle), 3))
            if all(math.dist(at, m.at) > INCH + (1.2 if m.side != side else 0.1) for m in models.values()):
                models[name] = sbg.Model(name, at, INCH, 1.5, 6.0, side)
                return

    middle = rng.uniform(0, math.tau)
    apart = 2.0 if seed % 3 == 0 else 0.0
    for i in range(2 if apart else int(rng.integers(1, 3))):
        put(f"orc{i}", "evil", 5.0, 6.5, middle + i * apart, 0.3)
    for i in range(4):
        put(f"friend{i}", "good", 1.5, 4.0, middle + apart / 2, 2.0)
    return sbg.Table(20, 20, models=FrozenMap(models))


def through(table):
    return [m.id for m in table.standing() if m.side == "evil" and _charges(table, m.id)]


def _charges(table, enemy):
    return sbg.check(table, sbg.Charge(enemy, "me")).answer != "no"


def one_alone(table):
    """Places of single friends round the model that keep every enemy off."""
    found = []
    for friend in (m for m in table.standing() if m.id.startswith("friend")):
        far = friend.radius + table.model("me").radius
        turn = np.linspace(0, math.tau, 12, endpoint=False)
        rings = [far + gap for gap in (1e-6, 0.8, 1.8)]
        xy = np.concatenate([10 + d * np.stack([np.cos(turn), np.sin(turn)], axis=1) for d in rings])
        for at in xy[np.isfinite(sbg.reach(table, friend.id).distance(xy))].tolist():
            there = table.with_model(replace(friend, at=tuple(at)))
            if not through(there):
                found.append((friend.id, tuple(at)))
    return found


def judged(seed):
    """Check one screen; how many friends it takes, -1 where none was found."""
    table = random_table(seed)
    found = sbg.screen(table, "me")
    if found.places is None:
        assert [v.question.model for v in found.through] == through(table)
        return -1
    assert through(found.table) == []
    if not found.places:
        assert through(table) == []
    for name, at in found.places:
        assert np.isfinite(sbg.reach(table, name).distance(np.array([at]))).all()
        assert found.table.model(name).at == pytest.approx(at)
    if len(found.places) == 2:
        assert one_alone(table) == [], seed
    return len(found.places)


def test_no_charge_gets_through_a_screen():
    assert {judged(seed) for seed in range(4)} & {1, 2}


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(4, 30))
def test_many_screens(seed):
    judged(seed)


def test_who_cannot_be_screened_is_drawn_with_those_who_come_through():
    found = sbg.screen(sbg.load("scenarios/charging-2-open.toml"), "pippin")
    ax = sbg.plot(found)
    assert found.places is None
    ringed = {a.get_gid().removeprefix("danger-") for a in ax.patches if (a.get_gid() or "").startswith("danger-")}
    assert ringed == {verdict.question.model for verdict in found.through} != set()
    assert all(name in ax.get_title(loc="left") for name in ringed)


def test_who_is_touched_already_can_be_asked_about():
    apart = sbg.load("scenarios/disputes/charge-round-a-friend.toml")
    found = sbg.screen(apart.having("gimli", at=(9 - 25 / 25.4, 12)), "gimli")
    (through,) = found.through
    assert through.play.legs == ()
    assert found.places is None


@pytest.fixture
def searched(monkeypatch):
    """Who was searched for ways of theirs."""
    found = []

    def search(table, question, **how):
        found.append(question.model)
        return judge_charge(table, question, **how)

    monkeypatch.setattr(screens, "judge_charge", search)
    return found


def test_what_a_known_way_comes_through_is_not_searched(searched):
    table, _ = test_single_charges.random_table(5, models=(8, 12), size=20, strewn=(3, 17))
    found = sbg.screen(table, "m1")
    assert found.places is None
    assert len(searched) < found.tried / 4


def test_a_known_way_to_who_is_hidden_by_a_friend_comes_through_no_more(searched):
    models = {
        "uruk": sbg.Model("uruk", (6.0, 12.0), INCH, 1.0, 10.0, "evil"),
        "merry": sbg.Model("merry", (12.0, 12.0), INCH, 1.0, 4.0, "good"),
        "boromir": sbg.Model("boromir", (9.0, 12.0), 2.0, 2.5, 6.0, "good"),
    }
    seen, hidden = (sbg.Table(24, 24, models=models, rulings={"models_block_sight": r}) for r in ("no", "yes"))
    way = sbg.check(seen, sbg.Charge("uruk", "merry")).play
    assert not screens._screened(seen, seen.model("merry"), {"uruk": way})
    assert not searched
    assert screens._screened(hidden, hidden.model("merry"), {"uruk": way})


def test_who_cannot_be_charged_needs_no_screen():
    man = {"base": 1, "height": 1.5, "move": 6}
    models = {"me": {**man, "at": [4, 4], "side": "good"}, "orc": {**man, "at": [20, 20], "side": "evil"}}
    found = sbg.screen(sbg.Table(24, 24, models=models), "me")
    assert found.places == ()
    assert repr(found) == "<Screen of me: none needed, no enemy can charge it>"
