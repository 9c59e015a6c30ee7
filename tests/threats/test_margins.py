"""What a charge lacks, the places at which margins are looked for, and chances that are borne."""

from __future__ import annotations

import math
from fractions import Fraction
from importlib import import_module

import numpy as np
import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.threats.level import _SPREAD, _missing, _places

FOOT = {"base": 1, "height": 1.5, "move": 6}


def charge(x, **more):
    wall = {"tags": ["obstacle", "unscalable"], "height": 4, "polygon": [[6, 2.9], [6.3, 2.9], [6.3, 5.1], [6, 5.1]]}
    models = {"e": {**FOOT, "side": "evil", "at": [4, 4]}, "m": {**FOOT, "side": "good", "at": [x, 4]}}
    table = sbg.Table(48, 24, models=models, terrain={"wall": wall} if more.pop("hidden", False) else {}, **more)
    return sbg.check(table, sbg.Charge("e", "m"))


def test_what_a_charge_lacks():
    assert _missing(charge(9)) == -2  # 5 - 1 of 6
    assert _missing(charge(12)) == 1  # 8 - 1
    afar = charge(40)
    assert afar.needed is None
    assert _missing(afar) == pytest.approx(29)  # 36 - 1 - 6, beyond the horizon
    hidden = charge(9, hidden=True)
    assert (hidden.answer, "CHG.1" in hidden.rules) == ("no", True)
    assert hidden.needed < 6
    assert _missing(hidden) == math.inf  # no Move makes it see


@pytest.mark.parametrize("hole", [[], [[(5, 5), (6, 5), (6, 6), (5, 6)]]])
def test_places_lie_within_an_area_and_leave_no_part_of_it_out(hole):
    area = shapely.Polygon([(2, 2), (9, 2), (9, 8), (2, 8)], hole)
    at = shapely.points(np.array(_places(area)))
    assert shapely.contains(area, at).all()  # and none on its outline
    among = shapely.union_all(at)
    for x, y in np.random.default_rng(1).uniform((2, 2), (9, 8), (300, 2)):
        if area.contains(shapely.Point(x, y)):
            assert among.distance(shapely.Point(x, y)) < 1.5 * _SPREAD
    for corner in ((2, 2), (9, 2), (9, 8), (2, 8)):
        assert among.distance(shapely.Point(corner)) < 0.01


def test_places_of_what_has_no_breadth():
    assert _places(shapely.Point(3, 4)) == [(3.0, 4.0)]
    line = _places(shapely.LineString([(0, 0), (10, 0)]))
    assert (line[0], line[-1]) == ((0, 0), (10, 0))
    assert max(np.diff([x for x, _ in line])) <= _SPREAD + 1e-9
    sliver = shapely.Polygon([(0, 0), (1, 0), (1, 1e-5), (0, 1e-5)])
    assert len(_places(sliver)) >= 2


def test_a_chance_that_is_borne_takes_no_ground():
    """Over the wall the enemy comes with 5/6, and round it in no time: what is borne is that chance and no other."""
    wall = {"tags": ["obstacle"], "height": 1, "polygon": [[10, 0], [10.5, 0], [10.5, 24], [10, 24]]}
    models = {"e": {**FOOT, "side": "evil", "at": [9, 12]}, "m": {**FOOT, "side": "good", "at": [14, 12], "move": 1}}
    found = sbg.safe(sbg.Table(24, 24, models=models, terrain={"wall": wall}), "m")
    most = max(chance for danger in found.dangers for chance, _ in danger.regions)
    assert most < 1
    assert found.below(most).area == pytest.approx(found.certain.area, rel=1e-3)
    assert found.below(most - Fraction(1, 100)).area < 0.9 * found.certain.area
    assert math.isclose(found.below(Fraction(0)).area, found.area.area)


def test_the_safest_place_is_that_of_the_largest_margin_and_few_charges_are_asked_for_it(monkeypatch):
    """Five enemies behind a wall: of the places after the first it is enough to know that they are no safer."""
    foes = {f"e{i}": {**FOOT, "side": "evil", "at": [20 - i, 6 + 3 * i]} for i in range(5)}
    models = {**foes, "m": {**FOOT, "side": "good", "at": [11, 12]}}
    wall = {"tags": ["obstacle", "unscalable"], "height": 1, "polygon": [[14, 5], [14.5, 5], [14.5, 21], [14, 21]]}
    found = sbg.safe(sbg.Table(30, 24, models=models, terrain={"wall": wall}), "m")
    level_module = import_module("sbg_sim.threats.level")
    asked, ask = [], level_module._asked

    def counted(table, *more):
        asked.append(table.horizon)
        return ask(table, *more)

    monkeypatch.setattr(level_module, "_asked", counted)
    best, margin = found.best
    taken = shapely.union_all([danger.area for danger in found.dangers])
    places = _places(found.area)
    order = np.argsort(-shapely.distance(shapely.points(places), taken), kind="stable")[: level_module._TRIED]
    margins = [
        min(_missing(ask(there, name, "m")) for name in foes) for i in order for there in [found._placed(places[i])]
    ]
    assert max(margins) <= margin < max(margins) + 0.1  # the rim is looked at closely round the best of them
    assert margin == pytest.approx(min(_missing(ask(found._placed(best), name, "m")) for name in foes), abs=1e-9)
    assert len(asked) < len(order) * len(foes)
    asked.clear()
    behind = found.margin((13.0, 12.0))
    assert asked[0] == 12
    assert max(asked[1:]) < 12  # what costs more than lacks anyway is not told
    singles = (_missing(ask(found._placed((13.0, 12.0)), name, "m")) for name in foes)
    assert behind == pytest.approx(min(singles), abs=1e-9)
