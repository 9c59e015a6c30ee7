"""Leaps that begin near the end of a move, far from the ground that matters, and lead onto it all the same."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
import shapely

import sbg_sim as sbg


@pytest.fixture(scope="module")
def table():
    models = {
        "troll": {"at": [6, 12], "base": 1, "height": 3.0, "move": 6, "side": "evil"},
        "pippin": {"at": [20, 12], "base": 1, "height": 1.5, "move": 6, "side": "good"},
    }
    gap = {"polygon": [[12, 2], [16, 2], [16, 22], [12, 22]], "tags": ["gap"]}
    return sbg.Table(40, 24, models=models, terrain={"gap": gap})


def test_a_window_keeps_the_far_rim_of_a_leap_that_begins_out_of_it(table):
    window = (16, 10, 20, 14)
    whole = sbg.reach(table, "troll")
    near = whole.near(window)
    assert [chance for chance, _ in near.regions] == [1, Fraction(5, 6)]
    lines = [shapely.intersection(found.regions[-1][1], shapely.box(*window)) for found in (whole, near)]
    assert lines[0].length == pytest.approx(4)
    assert shapely.equals_exact(shapely.normalize(lines[0]), shapely.normalize(lines[1]), 1e-9) or (
        shapely.hausdorff_distance(*lines) < 1e-6
    )


@pytest.fixture(scope="module")
def safe(table):
    return sbg.safe(table, "pippin")


@pytest.mark.parametrize("x", [17.2, 17.45, 17.6])
def test_ground_beyond_such_a_leap_is_dangerous_as_single_charges_are(table, safe, x):
    there = table.with_model(replace(table.model("pippin"), at=(x, 12)))
    chance = sbg.check(there, sbg.Charge("troll", "pippin")).chance
    assert chance == (Fraction(5, 6) if x < 17.5 else 0)
    assert shapely.intersects_xy(safe.dangers[0].area, x, 12) == (chance > 0)


def test_a_line_that_a_late_leap_lands_on_is_safe_to_where_an_enemy_comes(table):
    """Pippin comes 5 in far, contact included: on the line x = 16.5, which is 4 in off, to 3 in beside him."""
    danger = replace(table.model("pippin"), at=(20.5, 8), move=4)
    found = sbg.safe(table.with_model(danger), "troll")
    beyond = shapely.box(16, 2, 17, 22)
    line, safe = (shapely.intersection(rows[-1][1], beyond) for rows in (found.ends, found.by_chance))
    assert line.bounds[1] < 10
    assert safe.bounds[1] == pytest.approx(11, abs=1e-3)
    assert safe.length == pytest.approx(line.bounds[3] - 11, abs=1e-3)


def test_ground_beyond_a_jump_that_movement_does_not_bound_is_dangerous():
    """Six inches of wall: who begins to jump in time lands on x = 12.5, and touches whoever stands up to 13.5."""
    body = {"base": 1, "height": 1.5, "move": 1.25}
    models = {"m": body | {"at": [4.5, 12], "side": "good"}, "foe": body | {"at": [13.5, 12], "side": "evil"}}
    wall = {"polygon": [[6, 0], [12, 0], [12, 40], [6, 40]], "tags": ["obstacle"], "height": 1.0}
    rulings = sbg.Rulings({"jump_without_movement": "yes"})
    table = sbg.Table(40, 40, models=models, terrain={"wall": wall}, rulings=rulings)
    assert sbg.check(table, sbg.Charge("m", "foe")).chance == Fraction(5, 6)
    assert sbg.charges(table, "m")["foe"].verdict.chance == Fraction(5, 6)
    found = sbg.safe(table, "foe")
    assert found.area.area == pytest.approx(shapely.Point(0, 0).buffer(1.25, quad_segs=256).area / 2, abs=0.01)
    assert [str(charge.chance) for charge in found.charges_at((13.45, 12))] == ["5/6"]
    assert [str(charge.chance) for charge in found.charges_at((13.55, 12))] == ["0"]
