"""Outlines as arcs: they hold the area that the engine states, and follow the circles they are said to."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.geometry.shapes import Shape, circle, line, polygon
from sbg_sim.web.arcs import circles_of, outline_path
from sbg_sim.web.drawing import area_path, contact_path, disc_path, label_spot, shape_path, strips
from tests.web.conftest import ROOT

TOKEN = re.compile(r"([MLAZ])([^MLAZ]*)")


def rings(path):
    """The corners of each ring of a path, arcs in steps of a thousandth of a turn; y up again."""
    found, here = [], None
    for command, rest in TOKEN.findall(path):
        numbers = [float(n) for n in rest.split()]
        if command == "M":
            found.append([])
        if command == "A":
            r, _, _, large, clockwise, x, y = numbers
            found[-1] += arc(here, (x, -y), r, bool(large), bool(clockwise))
        if command in "ML":
            x, y = numbers
        if command != "Z":
            here = (x, -y)
            found[-1].append(here)
    return found


def arc(start, end, r, large, clockwise):
    """The inner places of an arc: of the two centres it may have, the one that makes it long or short as it says."""
    apart = math.dist(start, end)
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    rise = math.sqrt(max(0.0, r * r - apart * apart / 4))
    nx, ny = (start[1] - end[1]) / apart, (end[0] - start[0]) / apart
    for side in (1, -1):
        cx, cy = middle[0] + side * rise * nx, middle[1] + side * rise * ny
        first = math.atan2(start[1] - cy, start[0] - cx)
        sweep = (math.atan2(end[1] - cy, end[0] - cx) - first) % math.tau
        sweep -= math.tau if clockwise else 0.0
        if (abs(sweep) > math.pi + 1e-9) == large:
            break
    turns = [first + sweep * i / 400 for i in range(1, 400)]
    return [(cx + r * math.cos(turn), cy + r * math.sin(turn)) for turn in turns]


def region(path):
    """The area of a path, rings filled where an odd number of them is."""
    body = shapely.Polygon()
    for ring in rings(path):
        body = shapely.symmetric_difference(body, shapely.make_valid(shapely.Polygon(ring)))
    return body


@pytest.mark.parametrize(
    ("file", "model"),
    [("amon-hen", "lurtz"), ("charging-2", "uruk-3"), ("movement-2", None), ("difficult-terrain-1", None)],
)
def test_an_outline_of_arcs_holds_the_area_of_the_reach(file, model):
    table = sbg.load(ROOT / f"scenarios/{file}.toml")
    reach = sbg.reach(table, model or next(iter(table.models)))
    path = outline_path(reach.area, circles_of(reach))
    assert "A" in path
    assert len(path) < len(area_path(reach.area))
    drawn = region(path)
    assert abs(drawn.area - reach.area.area) < 3e-4 * reach.area.length
    assert shapely.symmetric_difference(drawn, reach.area).area < 8e-4 * reach.area.length


def test_open_ground_is_one_circle():
    text = "[table]\nwidth = 40\ndepth = 40\n[models.a]\nbase = 1\nmove = 6\nheight = 1\nat = [20, 20]\n"
    reach = sbg.reach(_read(text), "a")
    path = outline_path(reach.area, circles_of(reach))
    assert path.count("A") == 3
    assert "L" not in path
    assert region(path).area == pytest.approx(36 * math.pi, rel=1e-4)


def _read(text):
    from sbg_sim.scenario import read_text

    return read_text(text)


@pytest.mark.parametrize(
    ("shape", "area"),
    [
        (polygon([(0, 0), (4, 0), (4, 4), (0, 4)], [[(1, 1), (1, 2), (2, 2), (2, 1)]]), 15.0),
        (circle((3, 4), 2), 4 * math.pi),
        (line([(0, 0), (5, 0)], 1), 5 + math.pi / 4),
    ],
)
def test_pieces_are_drawn_as_they_are(shape, area):
    assert region(shape_path(shape)).area == pytest.approx(area, rel=1e-4)


def test_what_is_no_area_is_a_line():
    bent = shapely.LineString([(1, 1), (3, 1), (3, 4)])
    ((start, *_, end),) = rings(area_path(bent))
    assert (start, end) == ((1, 1), (3, 4))
    assert area_path(shapely.Polygon()) == ""


def test_part_of_a_base_is_an_arc():
    ((start, *_, end),) = rings(contact_path((5, 5), 2, [(0, math.pi / 2)]))
    assert (start, end) == (pytest.approx((7, 5), abs=1e-3), pytest.approx((5, 7), abs=1e-3))


@pytest.mark.parametrize(
    ("shape", "at"),
    [
        (polygon([(0, 0), (4, 0), (4, 2), (0, 2)]), (2, 1)),
        (circle((3, 4), 1), (3, 4)),
        (line([(0, 0), (4, 0)], 0.2), (2, 0)),
    ],
)
def test_a_name_stands_in_the_middle(shape, at):
    assert label_spot(shape) == at


def test_an_outline_that_follows_no_circle():
    square = shapely.box(1, 1, 3, 2)
    assert set(rings(outline_path(square, np.zeros((0, 3))))[0]) == {(1, 1), (1, 2), (3, 1), (3, 2)}


def test_a_disc():
    assert region(disc_path((1, 2), 3)).area == pytest.approx(9 * math.pi, rel=1e-5)


def test_the_colours_are_those_of_the_pictures():
    """The light colours of the page are the palette's, and sides look the same in both."""
    from sbg_sim.plot import palette
    from sbg_sim.web.scene import KINDS, SIDES, side_looks

    css = (ROOT / "sbg_sim/web/static/page.css").read_text(encoding="utf-8")
    light = css[: css.index(":root.dark")].lower()
    for index, style in enumerate((*palette.SIDES, palette.NO_SIDE)):
        name = -1 if index == len(palette.SIDES) else index
        assert f"--side{name}-rim: {style.rim}".lower() in light
        assert f"--side{name}-fill: {style.fill}".lower() in light
    for kind in KINDS:
        style = palette.TERRAIN[kind]
        assert f"--{kind}-edge: {style.edge}".lower() in light
        assert style.fill == "none" or f"--{kind}-fill: {style.fill}".lower() in light
    assert len(palette.SIDES) == SIDES
    for sides in (["good", "evil"], ["elves", "evil"], ["a", "b", "c", "d", "e"], ["dark", "light", ""]):
        styles, looks = palette.side_styles(sides), side_looks(sides)
        assert {s: (palette.NO_SIDE if looks[s] < 0 else palette.SIDES[looks[s]]) for s in sides} == {
            s: styles[s] for s in sides
        }


def test_the_stretches_of_a_polygon():
    corner = polygon([(0, 0), (4, 0), (4, 3), (3.5, 3), (3.5, 0.5), (0, 0.5)])
    assert strips(corner)[0] == pytest.approx((0, 0.25, 4, 0.25, 0.5))
    assert {round(breadth, 9) for *_, breadth in strips(corner)} == {0.5}
    assert strips(polygon([(math.cos(a), math.sin(a)) for a in np.linspace(0, 6, 24)])) == []
    assert strips(circle((1, 1), 2)) == []


def test_an_outline_that_crosses_itself_is_named_at_its_first_corner():
    """A page may be given it before anything has been refused."""
    bow = Shape("polygon", (((0.0, 0.0), (4.0, 4.0), (4.0, 0.0), (0.0, 4.0)),))
    assert (strips(bow), label_spot(bow)) == ([], (0.0, 0.0))
