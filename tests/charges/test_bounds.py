"""Lower bounds for lists of charges never exceed what a charge costs; zones that are not asked about take nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

import sbg_sim as sbg
from sbg_sim.solver.bounds import contact_bounds
from sbg_sim.solver.path import best_path
from sbg_sim.table.board import standing_up
from tests.fuzz.kinds import make

WIDE = {"base": 3.0, "height": 1.5, "move": 8, "side": "evil"}
TALL = {"base": 1, "height": 4, "move": 6, "side": "good"}
WALL = {"line": [[10, 0], [10, 24]], "thickness": 2.0, "height": 1.6, "tags": ["obstacle"]}


@pytest.mark.parametrize("reading", ["over", "down"])
def test_a_free_shift_over_a_wall_is_no_part_of_the_bound(reading: str):
    models = {"a": {"at": [5, 12], **WIDE}, "b": {"at": [14.5, 12], **TALL}, "c": {"at": [14.5, 18], **TALL}}
    table = sbg.Table(30, 24, models=models, terrain={"wall": WALL}, rulings={"climb_over": reading})
    least = contact_bounds(table, table.model("a"), [table.model("b"), table.model("c")], 20.0)
    for entry in sbg.charges(table, "a"):
        assert least[entry.target].beyond <= entry.verdict.needed + 1e-9


@pytest.mark.parametrize(
    ("enemy", "block"), [((12.1, 28.3), (18.9, 23.7, 20.6, 25.4)), ((29.7, 35.5), (23.7, 26.9, 25.1, 28.3))]
)
def test_a_charge_round_a_corner_just_within_the_horizon_has_its_cost_in_the_list(enemy, block):
    # the enemy's centre lies farther than the horizon, contact does not
    west, south, east, north = block
    outline = [[west, south], [east, south], [east, north], [west, north]]
    block = {"polygon": outline, "height": 4, "tags": ["obstacle", "unscalable"]}
    far = {"base": 1, "height": 1, "side": "good"}
    models = {
        "a": {"at": [24, 24], **WIDE, "base": 1, "move": 6},
        "b": {"at": enemy, **far},
        "c": {"at": [2, 2], **far},
    }
    table = sbg.Table(48, 48, models=models, terrain={"block": block})
    alone = sbg.check(table, sbg.Charge("a", "b")).needed
    assert 11.5 < alone < 12
    assert sbg.charges(table, "a")["b"].verdict.needed == pytest.approx(alone, abs=1e-9)


@pytest.mark.parametrize("kind", ["melee", "mires", "stairs", "ledges"])
def test_what_a_list_is_told_is_no_more_than_single_charges_cost(kind: str):
    told = ways = 0
    for seed in range(300, 304):
        table, question = make(kind, seed)
        mover = table.model(question.model)
        enemies = [m for m in table.standing() if m.is_enemy(mover)]
        for name, known in contact_bounds(table, replace(mover, prone=False), enemies, 12.0).items():
            verdict = sbg.check(table, sbg.Charge(mover.id, name))
            if verdict.needed is None:
                assert not known.found
                continue
            needed = verdict.needed - standing_up(mover)
            assert known.beyond <= needed + 1e-9
            told += known.beyond > 0.5 * needed
            for way in known.found:
                assert way.cost == pytest.approx(needed, abs=1e-8)
                ways += 1
    assert told
    assert ways or kind == "ledges"


@pytest.mark.parametrize("name", ["charging-2:uruk-3", "amon-hen:lurtz", "control-zones:uruk-2"])
def test_denials_are_those_of_every_enemy_asked_alone(name: str):
    file, model = name.split(":")
    table = sbg.load(f"scenarios/{file}.toml")
    now = sbg.reach(table, model)
    found = sbg.denials(table, model)
    assert len(found)
    for entry in found:
        without = sbg.reach(table, model, without=frozenset({entry.enemy})).area.area
        assert entry.area == pytest.approx(max(0.0, without - now.area.area), abs=0.02)


@pytest.mark.parametrize(("kind", "seed"), [("melee", 1), ("hedges", 3), ("stairs", 3)])
def test_what_an_enemy_denies_is_looked_for_no_further_than_a_move_comes(kind: str, seed: int):
    table, question = make(kind, seed)
    now = sbg.reach(table, question.model, least=1).area
    found = sbg.denials(table, question.model)
    for entry in found[:3]:
        without = sbg.reach(table, question.model, least=1, without=frozenset({entry.enemy})).area
        assert entry.region.difference(without.buffer(1e-3)).area < 1e-6
        assert entry.area == pytest.approx(max(0.0, without.area - now.area), abs=1e-3)


def test_a_zone_over_treads_denies_what_lies_behind_them():
    # Going over the treads costs nothing across their rims: what the zone takes away lies further off.
    treads = {
        "high": (0.9, [[11.623, 7.835], [13.123, 9.0], [13.123, 11.2], [11.623, 11.872]]),
        "beside": (0.9, [[13.123, 9.276], [14.173, 9.0], [14.173, 11.2], [13.123, 10.976]]),
        "low": (0.3, [[14.173, 8.486], [15.373, 9.0], [15.373, 11.2], [14.173, 10.845]]),
    }
    terrain = {name: {"tags": ["platform"], "height": high, "polygon": at} for name, (high, at) in treads.items()}
    wall = [[8, 12.3], [20, 12.3], [20, 12.6], [8, 12.6]]
    terrain["wall"] = {"tags": ["obstacle", "unscalable"], "height": 9, "polygon": wall}
    foot = {"base": 1, "height": 2, "move": 6}
    models = {"me": {**foot, "side": "good", "at": [10, 10]}, "foe": {**foot, "side": "evil", "at": [14.118, 11.703]}}
    table = sbg.Table(30, 24, models=models, terrain=terrain)
    for ruled in (table.under("zones_across_surfaces", reading) for reading in ("yes", "no")):
        lost = (
            sbg.reach(ruled, "me", least=1, without=frozenset({"foe"})).area.area
            - sbg.reach(ruled, "me", least=1).area.area
        )
        assert lost > 0.05 or ruled.rulings["zones_across_surfaces"] == "no"
        assert sbg.denials(ruled, "me")["foe"].area == pytest.approx(lost, abs=1e-3)


def test_beside_a_ladder_what_lies_behind_a_zone_is_denied_to_the_end_of_the_move():
    # Up a ladder a wide base is shifted for nothing: paths may be longer than what they cost, never shorter.
    foot = {"base": 2, "height": 2, "move": 12}
    terrain = {
        "step": {"tags": ["platform"], "height": 1.2, "polygon": [[5, 8], [8, 8], [8, 12], [5, 12]]},
        "ladder": {"tags": ["ladder"], "at": [8, 10], "to": "step"},
    }
    models = {"me": {**foot, "side": "good", "at": [10, 10]}, "foe": {**foot, "side": "evil", "at": [13.5, 10]}}
    table = sbg.Table(30, 24, models=models, terrain=terrain)
    lost = sbg.reach(table, "me", without=frozenset({"foe"})).area.area - sbg.reach(table, "me").area.area
    assert sbg.denials(table, "me")["foe"].area == pytest.approx(lost, abs=1e-3)


def looked(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return a list to which every look for ways adds its range, inches."""
    looks: list[float] = []
    look = best_path._look

    def noted(search: object, reach: float, *rest: object, **more: object) -> object:
        looks.append(reach)
        return look(search, reach, *rest, **more)

    monkeypatch.setattr(best_path, "_look", noted)
    return looks


def test_who_stands_beyond_all_that_can_be_shifted_over_is_not_looked_for(monkeypatch: pytest.MonkeyPatch):
    """A wide base shifts over a low wall for nothing, but here the wall stands beyond the horizon."""
    models = {"a": {"at": [5, 12], **WIDE}, "b": {"at": [28, 12], **TALL}, "c": {"at": [9, 20], **TALL}}
    rock = {"polygon": [[14, 10], [16, 10], [16, 14], [14, 14]], "height": 4, "tags": ["obstacle", "unscalable"]}
    terrain = {"wall": {**WALL, "line": [[30, 0], [30, 24]]}, "rock": rock}
    table = sbg.Table(40, 24, models=models, terrain=terrain)
    looks = looked(monkeypatch)
    far = sbg.check(table, sbg.Charge("a", "b"))
    assert not looks
    # As the crow flies it is 21 in: a way that shifts beyond the horizon may cost less.
    assert far.answer == "no"
    assert far.needed is None
    assert far.at_least == 16.0


def test_what_nothing_leads_to_within_the_horizon_is_looked_for_once(monkeypatch: pytest.MonkeyPatch):
    models = {"a": {"at": [5, 12], **WIDE, "base": 1, "move": 6}, "b": {"at": [17, 12], **TALL}}
    wall = {"line": [[13, 4], [13, 20]], "thickness": 0.5, "height": 4, "tags": ["obstacle", "unscalable"]}
    table = sbg.Table(30, 24, models=models, terrain={"wall": wall})
    looks = looked(monkeypatch)
    assert sbg.check(table, sbg.Charge("a", "b")).at_least == 12.0
    assert len(looks) == 1
