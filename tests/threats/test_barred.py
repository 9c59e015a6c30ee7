"""Who stands where a way down or over must end is not charged by that way: it is in its own enemy's way."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.geometry.areas import lines_of
from sbg_sim.threats.barred import unsettled
from tests.fuzz.kinds import make

FOOT = {"base": 1, "height": 1.5, "move": 6}


@pytest.fixture(scope="module")
def ladder():
    """An enemy on a roof three inches up, with a ladder as the only way down that its Move lets it go."""
    roof = {"tags": ["platform"], "polygon": [[10, 9], [16, 9], [16, 15], [10, 15]], "height": 3.0}
    models = {
        "a": {**FOOT, "side": "good", "at": [6, 12]},
        "b": {**FOOT, "side": "evil", "at": [11, 12], "on": "roof"},
    }
    way = {"tags": ["ladder"], "at": [10, 12], "to": "roof"}
    return sbg.Table(24, 24, models=models, terrain={"roof": roof, "ladder": way})


def test_beside_the_foot_of_a_ladder_nobody_comes_down(ladder):
    """The foot is half an inch before the wall: 0.5 in to the rim and 3 down leave 2.5; bases meet an inch apart."""
    found, told = sbg.safe(ladder, "a"), set()
    foot = (9.5, 12.0)
    for far in (0.2, 0.5, 0.8, 0.95, 1.05, 1.5, 3.0, 3.4, 3.6):
        for angle in (2.4, math.pi, 4.0):
            at = (foot[0] + far * math.cos(angle), foot[1] + far * math.sin(angle))
            if not found.reach.area.covers(shapely.Point(at)) or found.doubt.covers(shapely.Point(at)):
                continue
            free = all(verdict.answer == "no" for verdict in found.charges_at(at))
            assert found.area.covers(shapely.Point(at)) is free, (far, angle)
            assert free is not (1.0 <= far <= 3.5), (far, angle)
            told.add(far)
    assert {0.5, 1.5, 3.4, 3.6} <= told
    assert found.doubt.area < 0.6  # a strip about the circle an inch round the foot


def test_what_only_a_jump_leads_to_is_asked_where_the_model_bars_it():
    """Over the low wall between two high ones it lands 0.6 in behind the middle, at most 0.44 aside.

    Bases meet an inch apart, so that a model nearer than 0.89 in to that line lies wherever it could land; the enemy
    would come past it by 1.8 in. Straight ahead it comes to one that leaves it its landing.
    """
    high = {"tags": ["unscalable"], "thickness": 0.4, "height": 3}
    terrain = {
        "low": {"tags": ["obstacle"], "line": [[11.5, 6], [12.5, 6]], "thickness": 0.2, "height": 1.0},
        "left": {**high, "line": [[6, 6], [11.2, 6]]},
        "right": {**high, "line": [[12.8, 6], [18, 6]]},
    }
    models = {
        "a": {**FOOT, "move": 1, "side": "good", "at": [12, 7.55]},
        "b": {**FOOT, "move": 4, "side": "evil", "at": [12, 4.4]},
    }
    found = sbg.safe(sbg.Table(24, 12, models=models, terrain=terrain), "a")
    for y, safe in [(6.65, True), (7.0, True), (7.3, True), (8.0, False), (8.5, False)]:
        assert not found.doubt.covers(shapely.Point(12, y)), y
        assert found.area.covers(shapely.Point(12, y)) is safe, y
        assert any(danger.area.covers(shapely.Point(12, y)) for danger in found.dangers) is not safe, y
        assert all(verdict.answer == "no" for verdict in found.charges_at((12, y))) is safe, y
    assert found.doubt.area < 1


def test_what_another_does_surely_hangs_on_nobody():
    """Where one enemy's danger hangs on the model, another's that is as great and does not settles it."""
    half, sixth = Fraction(1, 2), Fraction(1, 6)
    rows, bars = [(half, shapely.box(0, 0, 4, 1))], shapely.box(0, 0, 3, 1)
    nowhere = shapely.Polygon()
    assert unsettled(rows, bars, []).bounds == (0, 0, 3, 1)
    as_great = ([(half, shapely.box(0, 0, 2, 1))], nowhere)
    assert unsettled(rows, bars, [as_great]).bounds == (2, 0, 3, 1)
    smaller = ([(sixth, shapely.box(0, 0, 2, 1))], nowhere)
    assert unsettled(rows, bars, [smaller]).bounds == (0, 0, 3, 1)
    itself_unsure = ([(half, shapely.box(0, 0, 2, 1))], shapely.box(0, 0, 1, 1))
    assert unsettled(rows, bars, [smaller, itself_unsure]).area == pytest.approx(2)


def test_a_line_without_breadth_is_asked_along_itself_where_the_model_bars_it():
    """Beside a narrow line no die lands the model, and there its own base lies otherwise in the enemy's way."""
    table, question = make("ditches", 96_200_018, small=True)
    found, told = sbg.safe(table, question.model), []
    line = lines_of(found.ends[-1][1])
    for x, y in shapely.get_coordinates(shapely.line_interpolate_point(line, np.linspace(0.1, line.length - 0.1, 9))):
        spot = shapely.Point(x, y)
        if shapely.dwithin(found.doubt, spot, 1e-6):
            continue
        free = all(verdict.answer == "no" for verdict in found.charges_at((x, y)))
        assert shapely.dwithin(found.by_chance[-1][1], spot, 1e-6) == free, (x, y)
        told.append(free)
    assert set(told) == {True, False}
    assert found.doubt.area < 0.02
