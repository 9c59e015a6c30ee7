"""Areas cut by a box whose corner an edge all but touches: GEOS 3.14 gives up there, and `safe` with it."""

from __future__ import annotations

import pytest
import shapely

from sbg_sim.geometry.areas import clipped

TRIANGLE = [
    (13.434560367407233, 10.735352183993475),
    (13.91811716550114, 11.771545322766134),
    (13.075206590427783, 9.965308376180367),
]
BOX = (13.576473412623729, 11.452549442114451, 13.91575884321838, 11.833958999790783)


BESIDE = [[], [shapely.box(13.7, 11.5, 13.8, 11.6)], [shapely.LineString([(13, 11), (14, 12)])]]


@pytest.mark.parametrize("beside", BESIDE)
def test_what_an_edge_all_but_touches_is_cut_all_the_same(beside):
    """The triangle is so slim that it has no area in the box: what lies beside it is left, and nothing is raised."""
    box = shapely.box(*BOX)
    found = clipped(shapely.GeometryCollection([shapely.Polygon(TRIANGLE), *beside]), BOX)
    exact = shapely.union_all([shapely.intersection(part, box) for part in beside])
    assert found.area == pytest.approx(exact.area, abs=1e-12)
    assert found.length == pytest.approx(exact.length, abs=1e-9)
    assert found.difference(box.buffer(1e-9)).is_empty


def test_lines_and_areas_are_cut_alike_without_such_an_edge():
    shape = shapely.GeometryCollection([shapely.box(0, 0, 2, 2), shapely.LineString([(0, 3), (4, 3)])])
    found = clipped(shape, (1, 1, 3, 4))
    assert (found.area, shapely.get_dimensions(found)) == (1, 2)
    assert found.length == 4 + 2
