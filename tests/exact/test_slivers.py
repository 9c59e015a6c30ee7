"""Areas are unions of many thin fans: the overlay must not stumble over them."""

import math

import pytest
import shapely

from sbg_sim.geometry import areas
from sbg_sim.geometry.shapes import polygon
from sbg_sim.solver.reach import reach
from sbg_sim.table.board import Table
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.models import Model
from sbg_sim.table.terrain import Terrain

MM25 = 25 / 25.4


def test_a_square_bog_beside_an_enemy_has_a_reach():
    """Overlay without a grid failed on this table."""
    models = {
        "lurtz": Model("lurtz", (10.0, 12.0), MM25, 1.5, 6.0, "evil"),
        "merry": Model("merry", (14.0, 12.0), MM25, 1.5, 6.0, "good"),
    }
    bog = Terrain("bog", frozenset({"difficult"}), polygon([(10, 14), (14, 14), (14, 18), (10, 18)]))
    found = reach(Table(24.0, 24.0, FrozenMap(models), FrozenMap({"bog": bog})), "lurtz")
    assert found.area.is_valid
    assert 60 < found.area.area < math.pi * 36


def test_union_falls_back_to_finer_means(monkeypatch):
    calls = []

    def stumble(parts, grid_size=None, **_):
        calls.append(grid_size)
        if len(calls) < 3:
            raise shapely.errors.GEOSException("found two shells in EdgeRing list")
        return shapely.box(0, 0, 2, 1)

    monkeypatch.setattr(shapely, "union_all", stumble)
    assert areas.union([shapely.box(0, 0, 1, 1), shapely.box(1, 0, 2, 1)]).area == pytest.approx(2)
    assert calls == [None, 1e-9, 1e-7]


def test_an_outline_that_crosses_itself_is_laid_over_others():
    """Two triangles that meet in a point, 2 square inches; of one 0.75 are cut off."""
    bow = shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])
    assert areas.difference(bow, shapely.box(0, 0, 0.5, 2)).area == pytest.approx(1.25, abs=1e-6)
