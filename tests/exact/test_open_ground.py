"""Shortest ways among bases, walls and edges against lengths worked out on paper (bases of an inch, r = 0.5)."""

from __future__ import annotations

import math
from math import acos, asin, atan, hypot, pi, sqrt

import pytest

EXACT = 1e-9


def half_round(d: float, big: float) -> float:
    """Tangent and arc from a place ``d`` before a circle to the circle's highest point."""
    return sqrt(d * d - big * big) + big * (pi / 2 - acos(big / d))


def test_nothing_in_the_way(lay):
    assert lay.needed(lay.table(lay.mover(3, 4)), (6, 8)) == pytest.approx(5, abs=EXACT)


@pytest.mark.parametrize("side", ["good", "evil"])
def test_one_base_passed(lay, side):
    """An enemy that is engaged has no zone, so friend and foe block alike."""
    other = lay.model("a", 8, 12, side=side, engaged=frozenset({"b"}))
    friend = lay.model("b", 8, 13, side="good" if side == "evil" else "evil", engaged=frozenset({"a"}))
    things = (lay.mover(5, 12), other, friend)
    assert lay.needed(lay.table(*things), (11, 12)) == pytest.approx(2 * half_round(3, 1), abs=EXACT)


def test_one_zone_passed(lay):
    table = lay.table(lay.mover(4, 12), lay.model("a", 8, 12))
    assert lay.needed(table, (12, 12)) == pytest.approx(2 * half_round(4, 2), abs=EXACT)


def test_outer_tangent_of_two(lay):
    table = lay.table(lay.mover(5, 12), lay.model("a", 8, 12, side="good"), lay.model("b", 11, 12, side="good"))
    assert lay.needed(table, (14, 12)) == pytest.approx(2 * half_round(3, 1) + 3, abs=EXACT)


def test_outer_tangent_of_two_sizes(lay):
    """Radii 1 and 2 round centres 6 apart: the outer tangent is sqrt(36 - 1) long and leans by asin(1/6)."""
    table = lay.table(lay.mover(4, 12), lay.model("a", 7, 12, side="good"), lay.wall("t", lay.circle(13, 12, 1.5)))
    lean = asin(1 / 6)
    first = sqrt(8) + (pi / 2 - acos(1 / 3) - lean)
    last = sqrt(12) + 2 * (pi / 2 - acos(2 / 4) + lean)
    assert lay.needed(table, (17, 12)) == pytest.approx(first + sqrt(35) + last, abs=EXACT)


def test_inner_tangent_of_two(lay):
    """From above the first to below the second: the inner tangent is sqrt(9 - 4) long."""
    table = lay.table(lay.mover(7, 14), lay.model("a", 8, 12, side="good"), lay.model("b", 11, 12, side="good"))
    arc = pi - atan(2) - acos(1 / sqrt(5)) - acos(2 / 3)
    assert lay.needed(table, (12, 10)) == pytest.approx(2 * 2 + sqrt(5) + 2 * arc, abs=EXACT)


def test_round_a_walls_end(lay):
    """Thin to no thickness: an arc of r round the end of a wall, symmetric about it."""
    wall = lay.wall("w", lay.polygon([(8, 12), (8.2, 12), (8.2, 20), (8, 20)]))
    d = hypot(2, 1)
    arc = pi / 2 + atan(1 / 2) - acos(0.5 / d)
    expected = 2 * (sqrt(d * d - 0.25) + 0.5 * arc) + 0.2
    assert lay.needed(lay.table(lay.mover(6, 13), wall), (10.2, 13)) == pytest.approx(expected, abs=EXACT)


def test_round_a_thick_lines_end(lay):
    """The round end of a thick line, 0.4 across: an arc of 0.2 + 0.5."""
    wall = lay.wall("w", lay.line([(8, 12), (8, 30)], 0.4))
    d = hypot(2, 1)
    expected = 2 * (sqrt(d * d - 0.49) + 0.7 * (pi / 2 + atan(1 / 2) - acos(0.7 / d)))
    table = lay.table(lay.mover(6, 13), wall, depth=40.0)
    assert lay.needed(table, (10, 13)) == pytest.approx(expected, abs=EXACT)


def test_round_a_bent_line(lay):
    """Inside the bend a thick line has a sharp corner, outside a round one."""
    wall = lay.wall("w", lay.line([(6, 14), (10, 10), (14, 14)], 0.4))
    d = 2.0
    expected = 2 * (sqrt(d * d - 0.49) + 0.7 * (pi / 2 - acos(0.7 / d)))
    table = lay.table(lay.mover(8, 10), wall)
    assert lay.needed(table, (12, 10)) == pytest.approx(expected, abs=EXACT)


def test_exact_gap_between_bases(lay):
    table = lay.table(lay.mover(5, 12), lay.model("a", 8, 13, side="good"), lay.model("b", 8, 11, side="good"))
    assert lay.needed(table, (11, 12)) == pytest.approx(6, abs=EXACT)


def test_gap_a_thousandth_too_narrow(lay):
    h = 0.9995
    table = lay.table(lay.mover(5, 12), lay.model("a", 8, 12 + h, side="good"), lay.model("b", 8, 12 - h, side="good"))
    d = hypot(3, h)
    expected = 2 * sqrt(d * d - 1) + (pi + 2 * atan(h / 3) - 2 * acos(1 / d))
    assert lay.needed(table, (11, 12)) == pytest.approx(expected, abs=EXACT)


def test_exact_gap_between_walls(lay):
    upper, lower = lay.wall("u", lay.box(8, 12.5, 9, 20)), lay.wall("l", lay.box(8, 2, 9, 11.5))
    assert lay.needed(lay.table(lay.mover(5, 12), upper, lower), (11, 12)) == pytest.approx(6, abs=EXACT)


def test_exact_gap_aslant(lay):
    """The same gap on a table turned by an angle with no tidy sine."""
    upper, lower = lay.wall("u", lay.box(0, 0.5, 1, 8)), lay.wall("l", lay.box(0, -9, 1, -0.5))
    plain = lay.table(lay.mover(-3, 0), upper, lower, width=60.0, depth=60.0)
    turned = lay.turned(plain, 0.7, (30.0, 30.0), mirror=False)
    to = (30 + 3 * math.cos(0.7), 30 + 3 * math.sin(0.7))
    assert lay.needed(turned, to) == pytest.approx(6, abs=EXACT)


def test_along_the_tables_edge(lay):
    """A tower leaves exactly a base along the edge; a thousandth less and the way leads round behind it."""
    along = lay.table(lay.mover(4, 0.5), lay.wall("t", lay.circle(8, 2, 1)))
    assert lay.needed(along, (12, 0.5)) == pytest.approx(8, abs=EXACT)
    shut = lay.table(lay.mover(4, 0.5), lay.wall("t", lay.circle(8, 1.999, 1)))
    d = hypot(4, 1.499)
    expected = 2 * sqrt(d * d - 2.25) + 1.5 * (pi + 2 * atan(1.499 / 4) - 2 * acos(1.5 / d))
    assert lay.needed(shut, (12, 0.5)) == pytest.approx(expected, abs=EXACT)


def test_nothing_leads_round_when_both_edges_are_shut(lay):
    wall = lay.wall("w", lay.box(8, 0.999, 9, 24 - 0.999))
    assert lay.move(lay.table(lay.mover(4, 12), wall), (12, 12)).needed is None
    open_wall = lay.wall("w", lay.box(8, 1, 9, 24 - 0.999))
    d = hypot(4, 11)
    arc = pi / 2 + atan(11 / 4) - acos(0.5 / d)
    expected = 2 * (sqrt(d * d - 0.25) + 0.5 * arc) + 1
    found = lay.needed(lay.table(lay.mover(4, 12), open_wall), (13, 12))
    assert found == pytest.approx(expected, abs=EXACT)


def test_l_shaped_wall(lay):
    """From inside the L's elbow to behind it: round the end of the shorter arm."""
    ell = lay.wall("l", lay.polygon([(8, 8), (16, 8), (16, 9), (9, 9), (9, 12), (8, 12)]))
    d = hypot(2, 2)
    arc = pi / 2 + pi / 4 - acos(0.5 / d)
    expected = 2 * (sqrt(d * d - 0.25) + 0.5 * arc) + 1
    assert lay.needed(lay.table(lay.mover(11, 10), ell), (6, 10)) == pytest.approx(expected, abs=EXACT)


def test_inside_corner_is_no_corner(lay):
    """Past the inner corner of the L nothing bends: the straight way is free."""
    ell = lay.wall("l", lay.polygon([(8, 8), (16, 8), (16, 9), (9, 9), (9, 16), (8, 16)]))
    assert lay.needed(lay.table(lay.mover(9.5, 15), ell), (15, 9.5)) == pytest.approx(5.5 * sqrt(2), abs=EXACT)


def test_courtyard(lay):
    """Inside a courtyard ways are free; out of it there is none."""
    yard = lay.polygon([(5, 5), (15, 5), (15, 15), (5, 15)], [[(6, 6), (14, 6), (14, 14), (6, 14)]])
    table = lay.table(lay.mover(7, 7), lay.wall("y", yard))
    assert lay.needed(table, (13.5, 13.5)) == pytest.approx(6.5 * sqrt(2), abs=EXACT)
    assert lay.move(table, (20, 10)).needed is None
    assert lay.move(table, (13.6, 13.5)).needed is None


def test_round_a_house(lay):
    """A square house of 4: along one side, round two corners."""
    house = lay.wall("h", lay.box(8, 8, 12, 12))
    d = hypot(2, 2)
    expected = 2 * (sqrt(d * d - 0.25) + 0.5 * (pi / 2 + pi / 4 - acos(0.5 / d))) + 4
    assert lay.needed(lay.table(lay.mover(6, 10), house), (14, 10)) == pytest.approx(expected, abs=EXACT)


def test_touching_walls_leave_no_gap(lay):
    """Two pieces that only share an edge are one wall."""
    one, two = lay.wall("a", lay.box(8, 0, 9, 12)), lay.wall("b", lay.box(8, 12, 9, 24))
    assert lay.move(lay.table(lay.mover(4, 12), one, two), (12, 12)).needed is None


def test_wedged_base_may_leave(lay):
    """A start that touches three bases at once can still slip out by the way it came."""
    angles = {"a": 0.3, "b": 1.5, "c": 2.8}
    others = [lay.model(n, 12 + math.cos(a), 12 + math.sin(a), side="good") for n, a in angles.items()]
    table = lay.table(lay.mover(12, 12), *others)
    assert lay.needed(table, (12, 9)) == pytest.approx(3, abs=EXACT)
    assert lay.needed(table, (12, 15)) > 3


@pytest.mark.parametrize("offset", [1e-4, 0.01, 0.3, 0.7, 0.99, 1.0])
def test_one_base_off_the_line(lay, offset):
    table = lay.table(lay.mover(5, 12), lay.model("a", 8, 12 - offset, side="good"))
    d = hypot(3, offset)
    expected = 2 * sqrt(d * d - 1) + max(0.0, pi - 2 * atan(offset / 3) - 2 * acos(1 / d))
    assert lay.needed(table, (11, 12)) == pytest.approx(expected, abs=EXACT)


def test_row_of_bases(lay):
    """Five bases side by side are gone round like one long wall."""
    row = [lay.model(f"a{i}", 8, 10 + i, side="good") for i in range(5)]
    d = hypot(3, 2)
    expected = 2 * sqrt(d * d - 1) + (pi + 2 * atan(2 / 3) - 2 * acos(1 / d))
    assert lay.needed(lay.table(lay.mover(5, 12), *row), (11, 12)) == pytest.approx(expected, abs=EXACT)
