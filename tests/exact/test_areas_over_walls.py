"""Areas by chance behind walls and gaps, worked out by hand."""

from dataclasses import replace
from fractions import Fraction
from math import dist, pi

import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.table.frozen import FrozenMap
from tests.benchmarks.crowds import hedge_rows


def test_over_walls_right_across_the_table_each_strip_asks_for_a_six_more():
    """Jumps cost what they are long, and the Move reaches every corner: whole strips, 23 in long, between the walls."""
    table = hedge_rows(4)
    far = replace(table, models=FrozenMap({"me": replace(table.models["me"], move=24.0)}))
    found = sbg.reach(far, "me", least=Fraction(1, 1296))
    before = 7.15 - 0.5 - 0.5
    behind = 23.5 - (7.2 + 3 * 1.25 + 0.05 + 0.5)
    strips = [before, *[0.15] * 3, behind]  # of 1.25 in from wall to wall a wall of 0.1 and a base of 1 take the rest
    sixes = {chance: area for chance, area in found.areas.items() if chance.startswith("1/")}
    assert list(sixes) == ["1/1", "1/6", "1/36", "1/216", "1/1296"]
    for k, area in enumerate(sixes.values()):
        assert area == pytest.approx(23 * sum(strips[: k + 1]), abs=found.area_error)


def test_a_leap_slanting_over_a_narrow_gap_is_longer_than_the_gap_is_wide():
    """Over half an inch of gap it may run for three (LEAP.1), and of the grown gap for nine: as the crow flies."""
    gap = {"tags": ["gap"], "polygon": [[0, 10], [24, 10], [24, 10.5], [0, 10.5]], "depth": 3}
    start, goal = (6.0, 9.2), (16.0, 11.2)
    mover = {"at": start, "base": 1, "height": 1.5, "move": dist(start, goal) + 1e-3}
    chances = dict(sbg.reach(sbg.Table(24, 24, models={"m": mover}, terrain={"gap": gap}), "m").regions)
    assert chances[Fraction(1, 6)].covers(shapely.Point(goal))


def test_the_yard_of_a_low_wall_is_no_part_of_the_wall():
    """Over the wall leads nothing within the Move: the area is a disc."""
    outer, yard = ([(10 - s, 10 - s), (10 + s, 10 - s), (10 + s, 10 + s), (10 - s, 10 + s)] for s in (6, 5))
    wall = {"tags": ["obstacle"], "polygon": outer, "holes": [yard], "height": 0.5}
    me = {"at": (10, 10), "base": "25mm", "height": 2, "move": 3}
    found = sbg.reach(sbg.Table(20, 20, models={"me": me}, terrain={"wall": wall}), "me")
    assert found.area.area == pytest.approx(9 * pi, abs=found.area_error)


def test_what_rises_on_a_top_is_no_part_of_the_area_round_it():
    """The Move reaches every corner of the top, on which the centre alone must stand."""
    top = {"tags": ["platform"], "polygon": [(8, 8), (11, 8), (11, 11), (8, 11)], "height": 0.75}
    step = {"tags": ["platform"], "polygon": [(9, 9), (10, 9), (10, 10), (9, 10)], "height": 0.5, "on": "top"}
    me = {"at": (8.5, 8.5), "base": "25mm", "height": 1.5, "move": 6, "on": "top"}
    terrain = {"top": top, "step": step}
    found = sbg.reach(sbg.Table(20, 20, models={"me": me}, terrain=terrain, rulings={"stand_on": "centre"}), "me")
    assert found.area.area == pytest.approx(9 - 1, abs=found.area_error)
