"""Geometry where there is nothing, or where the library below fails."""

import math

import numpy as np
import pytest
import shapely

from sbg_sim.geometry import areas, weak_visibility
from sbg_sim.geometry.breaks import _in_order
from sbg_sim.geometry.grown import crossings, grown
from sbg_sim.geometry.panorama import Panorama
from sbg_sim.geometry.regions import Region, disc_region
from sbg_sim.geometry.shapes import circle, line, polygon
from sbg_sim.geometry.sight import Prism, _try, view
from sbg_sim.geometry.vista import plain_looks


def test_no_circles_have_no_breaks():
    row, angle, first = _in_order(0, [])
    assert (len(row), len(angle), first.tolist()) == (0, 0, [0])


def test_a_region_without_end_is_near_everything():
    for region in (disc_region((3, 4), math.inf, 0.5), Region((0, 0), (5, 5), math.inf)):
        assert region.discs(np.array([1e9]), np.array([-1e9]), np.array([0.1])).all()
        assert region.boxes(np.array([[1e9, 1e9, 2e9, 2e9]])).all()


def test_how_far_places_are_from_a_grown_line():
    """A line of four inches a quarter thick, grown by a quarter; from nothing everything is infinitely far."""
    places = np.array([[2.0, 3.0], [7.0, 4.0], [1.0, 0.0]])
    assert grown([(line([(0, 0), (4, 0)], thickness=0.5), 0.25)]).clearance(places) == pytest.approx([2.5, 4.5, -0.5])
    assert (grown([]).clearance(places) == math.inf).all()


def failing(real, times):
    """A function of shapely that fails the first few times."""
    left = [times]

    def operation(*given, **kinds):
        left[0] -= 1
        if left[0] >= 0:
            raise shapely.errors.GEOSException
        return real(*given, **kinds)

    return operation


@pytest.mark.parametrize("times", [0, 1, 3])
def test_areas_where_an_overlay_fails(monkeypatch, times):
    """Squares of two inches, one inch apart: on a finer and finer grid, and piece by piece at last."""
    squares = [shapely.box(x, 0, x + 2, 2) for x in (0, 1, 2)]
    for name in ("union_all", "union", "difference", "intersection"):
        monkeypatch.setattr(shapely, name, failing(getattr(shapely, name), times))
    assert areas.union(squares).area == pytest.approx(4 * 2)
    assert areas.difference(squares[0], squares[1]).area == pytest.approx(1 * 2)
    assert areas.intersection(squares[0], squares[1]).area == pytest.approx(1 * 2)


def test_what_lies_below_every_look_hides_nothing():
    """Eye and target are two inches and more up; a wall of an inch lies below, one of four inches is in the way."""
    target = Prism(circle((10, 0), 0.5), 2.0, 3.0)
    wall = polygon([(4, -3), (5, -3), (5, 3), (4, 3)])
    assert view((0, 0, 2.5), target, [Prism(wall, 0.0, 1.0)], widest=False).seen
    assert not view((0, 0, 2.5), target, [Prism(wall, 0.0, 1.0), Prism(wall, 0.0, 4.0)], widest=False).seen


def test_of_no_segments_none_crosses_a_rim():
    none = np.zeros((0, 2))
    assert crossings(none, none, grown([(line([(0, 0), (4, 0)], thickness=0.5), 0.25)])).shape == (0, 6)


@pytest.mark.parametrize(("arcs", "seen"), [(600, True), (1, False)])
def test_a_search_of_the_rim_that_gives_up_is_not_certain(monkeypatch, arcs, seen):
    """Past the end of a wall only one side of the eye sees: that is found out in time, and not ruled out without."""
    monkeypatch.setattr(weak_visibility, "_ARCS", arcs)
    target = Prism(circle((10, 0), 0.5), 0.0, 1.0)
    wall = Prism(polygon([(4, -9), (5, -9), (5, 0.45), (4, 0.45)]), 0.0, 1.5)
    found, eye, certain = weak_visibility.view_from_disc((0, 0, 1.0), 0.5, target, [wall], grazing=False)
    assert (found.seen, certain) == (seen, seen)
    if seen:  # from its left side: past (4, 0.45) to the side of the target
        assert eye[1] > 0.41


def test_lines_beside_an_area_are_grown_each_and_joined():
    """A square, a line of two pieces end to end, and a point: two, an inch apart, and a disc."""
    square, point = shapely.box(0, 0, 2, 2), shapely.Point(20, 20)
    line_ = shapely.MultiLineString([[(4, 0), (4, 1)], [(4, 1), (4, 2)]])
    found = areas.buffered(shapely.GeometryCollection([square, line_, point]), 1.0, 96)
    whole = shapely.union_all([shapely.buffer(shape, 1.0, quad_segs=96) for shape in (square, line_, point)])
    assert shapely.symmetric_difference(found, whole).area < 1e-6
    assert found.area == pytest.approx((4 + 8 + math.pi) + (4 + math.pi) + math.pi, abs=2e-3)
    assert areas.buffered(square, 1.0, 96).area == pytest.approx(12 + math.pi, abs=1e-3)


def test_how_deep_places_are_where_the_rim_is_not_grown():
    """A square of two inches with a disc beside it, neither grown: inside, on the rim, outside, in the disc."""
    places = np.array([[1.0, 1.0], [2.0, 1.0], [3.0, 1.0], [1.9, 1.0], [6.0, 1.0]])
    body = grown([(polygon([(0, 0), (2, 0), (2, 2), (0, 2)]), 0.0), (circle((6, 1), 1.0), 0.0)])
    for slack in (0.0, 0.2, 1.5):
        assert (body.clears(places, slack) == (body.clearance(places) >= -slack)).all()
    assert body.clears(places, 0.0).tolist() == [False, True, True, False, False]


def test_what_a_line_can_touch_are_both_discs_all_round_ends_and_corners():
    prisms = [
        Prism(circle((4, 1), 0.3), 0, 2),
        Prism(circle((6, -1), 0.7), 0, 2),
        Prism(polygon([(7, 1), (8, 1), (8, 2)]), 0, 2),
    ]
    scene = Panorama.make((0, 0, 1.0), Prism(circle((10, 0), 0.5), 0, 1), prisms)
    found = {(round(x, 9), round(y, 9), r) for x, y, r in weak_visibility._outlines(scene, 0.6).tolist()}
    discs = {(0.0, 0.0, 0.6), (10.0, 0.0, 0.5), (4.0, 1.0, 0.3), (6.0, -1.0, 0.7)}
    assert found == discs | {(7.0, 1.0, 0.0), (8.0, 1.0, 0.0), (8.0, 2.0, 0.0)}


def test_where_the_eye_is_in_something_or_right_at_it_nothing_is_plain():
    """Of two targets the nearer one holds the eye, and only the other is plainly seen; at a wall's rim neither is."""
    near, far = (Prism(circle((x, 0), 0.5), 0.0, 2.0) for x in (4.0, 8.0))
    none = np.array([-1])
    seen, hidden = plain_looks((4.2, 0.0, 1.0), [near, far], [Prism(circle((20, 0), 1.0), 0.0, 2.0)], none)
    assert (seen.tolist(), hidden) == ([False, True], {})
    seen, hidden = plain_looks((4.2, 0.0, 1.0), [near, far], [], none[:0])
    assert (seen.tolist(), hidden) == ([True, True], {})  # nothing stands in the way of anything
    at_the_rim = [Prism(circle((4.2 + 1.0, 5.0), 1.0), 0.0, 2.0)]
    seen, hidden = plain_looks((4.2, 5.0, 1.0), [far], at_the_rim, none)
    assert (seen.tolist(), hidden) == ([False], {})
    seen, _ = plain_looks((4.2, 5.0, 1.0), [far], [Prism(circle((4.2 - 1.1, 5.0), 1.0), 0.0, 2.0)], none)
    assert seen.tolist() == [True]


@pytest.mark.parametrize("grazing", [True, False])
def test_between_two_sides_that_all_but_meet_only_a_grazing_look_passes(grazing):
    scene = Panorama.make((0.0, 0.0, 1.0), Prism(circle((4, 0), 0.5), 0.0, 2.0), ())
    assert _try(scene, np.array([0.01, 0.01 + 1e-15]), grazing=grazing).seen == grazing
    assert _try(scene, np.array([0.01, 0.02]), grazing=grazing).seen
