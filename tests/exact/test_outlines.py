"""What a line runs over, read off the true outline, is what all the circles and capsules of the corners say."""

import math
from dataclasses import replace

import numpy as np
import pytest
import shapely

from sbg_sim.geometry import rims
from sbg_sim.geometry.areas import lines_of
from sbg_sim.geometry.breaks import first_exit
from sbg_sim.geometry.grown import Grown, grown, inside_share, joined
from sbg_sim.geometry.pieces import outline, rim_pieces, without_specks
from sbg_sim.geometry.shapes import boxes_distance, circle, line, polygon, shape_distance
from sbg_sim.tolerance import RIM, TOUCH


def star(rng, middle, corners, breadth=2.0):
    angle = math.tau * (np.arange(corners) + 0.6 * rng.uniform(size=corners)) / corners
    away = breadth * rng.uniform(0.4, 1.0, corners)
    return polygon(
        [(middle[0] + s * math.cos(a), middle[1] + s * math.sin(a)) for a, s in zip(angle, away, strict=True)]
    )


def shapes(rng):
    holed = polygon([(0, 0), (4, 0), (4, 4), (0, 4)], [[(1.5, 1.5), (3, 1.5), (3, 3), (1.5, 3)]])
    middles = rng.uniform(-3, 3, (3, 2)).tolist()
    return [
        *(star(rng, m, int(rng.integers(3, 50))) for m in middles),
        holed,
        circle((2, -2), 1.3),
        line([(-3, 0), (0, 1), (3, -1)], 0.4),
    ]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("radius", [0.2, 0.5, 1.2])
def test_a_line_runs_over_as_much_by_the_outline(seed, radius):
    rng = np.random.default_rng(seed)
    p, q = rng.uniform(-5, 5, (2, 400, 2))
    every = shapes(rng)
    whole = joined(*(outline(shape, radius)[0] for shape in every))
    assert whole.edge is not None
    plain = grown((shape, radius) for shape in every)
    assert plain.edge is None
    np.testing.assert_allclose(inside_share(p, q, whole), inside_share(p, q, plain), atol=1e-9)
    one = outline(every[0], radius)[0]
    np.testing.assert_allclose(inside_share(p, q, one), inside_share(p, q, grown([(every[0], radius)])), atol=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_shapes_are_as_far_apart_as_shapely_says(seed):
    rng = np.random.default_rng(seed)
    for one in (star(rng, (0, 0), 30), polygon([(-1, -1), (1, -1), (0, 1)])):
        for two in (star(rng, rng.uniform(-6, 6, 2).tolist(), 200), line([(3, 3), (4, 6)], 0.0)):
            apart = shapely.distance(one.to_shapely(), two.to_shapely())
            assert shape_distance(one, two) == pytest.approx(apart, abs=1e-12)
            assert boxes_distance(one, two) <= apart + 1e-12
    assert shape_distance(circle((0, 0), 1), circle((4, 3), 1)) == pytest.approx(3)
    cross = line([(-1, 0), (1, 0)], 0.0), line([(0, -1), (0, 1)], 0.0)
    assert shape_distance(*cross) == 0


def test_tiny_pieces_share_samples(lay, monkeypatch):
    """A round bog of many corners: a crossing is carried from piece to piece, so fewer samples change no cost."""
    angle = np.arange(96) / 96 * math.tau
    bog = lay.bog("bog", polygon(zip(12 + 3 * np.cos(angle), 12 + 3 * np.sin(angle), strict=True)))
    table = lay.table(lay.mover(7.0, 12.0), bog)
    places = [(13.0, 13.5), (12.0, 9.6), (16.2, 13.0)]
    shared = [lay.needed(table, to) for to in places]
    monkeypatch.setattr(rims, "_MANY", 10**9)
    assert shared == pytest.approx([lay.needed(table, to) for to in places], abs=1e-7)


@pytest.mark.parametrize("seed", range(4))
def test_rays_end_where_the_outline_begins(seed):
    """A ray ends at its first piece: just before that it is outside, just behind it inside, or the other way about."""
    rng = np.random.default_rng(seed)
    body, rim = outline(star(rng, (0, 0), 40), 0.5)
    p, angle = rng.uniform(-5, 5, (300, 2)), rng.uniform(0, math.tau, 300)
    length, which = rims.Rims(rim).first_hit(p, angle, np.full(len(p), np.inf), 1e-6)
    assert 50 < np.isfinite(length).sum() < 300
    ahead = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    k = np.flatnonzero(np.isfinite(length))
    before, behind = (body.clears(p[k] + (length[k] + s)[:, None] * ahead[k], 0.0) for s in (-1e-5, 1e-5))
    assert (before != behind).mean() > 0.99  # but for rays that only touch
    assert (inside_share(p, p + np.minimum(length - 1e-6, 20.0)[:, None] * ahead, body) % 1 < 1e-6).all()
    at = p[k] + length[k, None] * ahead[k]
    assert all(rim[j].nearest(tuple(xy))[1] < 1e-6 for j, xy in zip(which[k].tolist(), at.tolist(), strict=True))


def test_a_course_leads_from_piece_to_piece_and_no_farther_than_its_rim():
    """Round a convex piece the outline is one smooth course; where another rim is said to begin it ends."""
    corners = [(0, 0), (3, 0), (4, 1), (2, 3), (0, 2)]
    rim = outline(polygon(corners), 0.5)[1]
    whole = rims.Rims(rim)
    course, begin = whole.courses
    assert set(course.tolist()) == {0}
    assert whole.whole.tolist() == pytest.approx([whole.length.sum()])
    far = np.linspace(0.0, whole.whole[0], 400)
    piece, u = whole.on_piece(np.zeros(400, dtype=int), np.zeros(400), far)
    assert (begin[piece] + u).tolist() == pytest.approx(far.tolist())
    assert ((u >= 0) & (u <= whole.length[piece] + 1e-12)).all()
    steps = np.hypot(*np.diff(whole.at(piece, u), axis=0).T)
    assert steps.max() <= np.diff(far).max() + 1e-12
    assert steps.min() >= 0.99 * np.diff(far).min()  # chords of an arc: nothing is left out, nothing is gone back over
    beyond, past = whole.on_piece(np.zeros(2, dtype=int), np.zeros(2), np.array([-0.1, far[-1] + 0.1]))
    assert past.tolist() == pytest.approx([-0.1, whole.length[beyond[1]] + 0.1])
    cut = rims.Rims(rim, np.arange(len(rim)) // 4)
    number = cut.courses[0]
    assert all(len(set((np.arange(len(rim)) // 4)[number == n].tolist())) == 1 for n in set(number.tolist()))
    assert len(cut.whole) > 1


def test_where_lines_leave_a_ragged_piece_is_looked_for_at_its_outline_alone(monkeypatch):
    dice, turn = np.random.default_rng(5), np.arange(50) / 50 * math.tau
    far = 1.2 * dice.uniform(0.9, 1, 50)
    shape = polygon(zip((far * np.cos(turn)).tolist(), (far * np.sin(turn)).tolist(), strict=True))
    body, rim = outline(shape, 0.5)
    along, every = rims.Rims(rim), np.arange(len(rim))
    p = along.at(every, along.length / 3)
    q = p - 9 * along.frame(every, along.length / 3)[1]
    expected = first_exit(p, q, replace(body, edge=None), RIM)
    asked, clears = [], Grown.clears
    monkeypatch.setattr(Grown, "clears", lambda self, at, slack: (asked.append(len(at)), clears(self, at, slack))[1])
    assert first_exit(p, q, body, RIM) == pytest.approx(expected, abs=1e-12)
    assert np.isfinite(expected).all()
    assert sum(asked) <= 4 * len(p)  # not between all circles and sides of fifty corners


@pytest.mark.parametrize("seed", range(6))
def test_where_circles_touch_a_rim_it_is_not_cut_into_specks(seed):
    """Sides run into the circles of their own corners: of those the outline of a turned rectangle has all its parts."""
    rng = np.random.default_rng(seed)
    turn, radius = rng.uniform(0, 3), 25 / 50.8
    to = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    corners = np.array([(0, 0), (2, 0), (2, 1), (0, 1)]) @ to + rng.uniform(0, 20, 2)
    lengths = [part.length for part in rim_pieces(grown([(polygon(corners.tolist()), radius)]))]
    assert min(lengths) > TOUCH
    assert sum(lengths) == pytest.approx(6 + math.tau * radius, abs=1e-7)


@pytest.mark.parametrize("corners", [400, 1600])
def test_an_outline_of_many_corners_takes_work_as_they_are_many(monkeypatch, corners):
    """Within a base of each corner lie dozens to hundreds of others, whose circles it crosses all."""
    angle, rng = math.tau * np.arange(corners) / corners, np.random.default_rng(1)
    away = 4 + 0.3 * np.sin(9 * angle) + 0.05 * rng.uniform(size=corners)
    ragged = (away * np.stack([np.cos(angle), np.sin(angle)])).T.tolist()
    asked, clears = [], Grown.clears
    monkeypatch.setattr(Grown, "clears", lambda self, at, slack: (asked.append(len(at)), clears(self, at, slack))[1])
    rim = rim_pieces(grown([(polygon(ragged), 0.5)]))
    length = shapely.Polygon(ragged).buffer(0.5, quad_segs=512).length
    assert sum(piece.length for piece in rim) == pytest.approx(length, rel=1e-6)
    assert sum(asked) <= 20 * corners  # of 1,600 each was 167 times


def test_specks_are_joined_to_what_is_of_use_beside_them():
    marks = np.array([0.0, 5e-8, 0.5, 0.5 + 2e-8, 1.0])
    row, begin, end = np.array([3, 3, 3, 3]), marks[:-1], marks[1:]
    joined_ = [part.tolist() for part in without_specks(row, begin, end, np.ones(4, dtype=bool))]
    assert joined_ == [[0, 3], [2, 3]]  # from 0 to 0.5 + 2e-8, and from there on
    # What is of no use keeps apart: the speck beside it is a place of its own.
    alone = [part.tolist() for part in without_specks(row, begin, end, np.array([True, False, True, True]))]
    assert alone == [[0, 2], [0, 3]]
    # Nor does another line take it in.
    others = [part.tolist() for part in without_specks(np.array([3, 4, 4, 4]), begin, end, np.ones(4, dtype=bool))]
    assert others == [[0, 1, 3], [0, 2, 3]]


def test_lines_beside_an_area_are_told_without_it():
    area, one, two = shapely.box(0, 0, 2, 1), shapely.LineString([(3, 0), (3, 2)]), shapely.LineString([(4, 0), (4, 1)])
    mixed = shapely.GeometryCollection([area, shapely.MultiLineString([one, two]), shapely.Point(9, 9)])
    assert lines_of(mixed).equals(shapely.MultiLineString([one, two]))
    assert lines_of(shapely.MultiPolygon([area, shapely.box(5, 5, 6, 6)])).is_empty
