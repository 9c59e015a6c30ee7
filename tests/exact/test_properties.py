"""What must hold on any table: symmetry, the triangle, invariance, and that nothing in the way ever helps."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from sbg_sim.errors import FileFaultsError

SMALL = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
EXACT = 1e-6

place = st.integers(12, 84).map(lambda k: k / 8)
"""Places on a grid of an eighth of an inch: ties and touching bases come up often."""
spot = st.tuples(place, place)
size = st.integers(2, 12).map(lambda k: k / 8)


@st.composite
def crowds(draw, difficult=True):
    """A start, two goals, up to four bases, walls and bogs on a table of 12 x 12, nothing on the three places."""
    start, one, two = draw(spot), draw(spot), draw(spot)
    discs = draw(st.lists(st.tuples(spot, size), max_size=3))
    boxes = draw(st.lists(st.tuples(spot, size, size, st.booleans()), max_size=3))
    assume(min(math.dist(start, one), math.dist(one, two), math.dist(start, two)) > 0.25)
    return start, one, two, discs, [b for b in boxes if difficult or not b[3]]


def laid(lay, start, discs, boxes, base=1.0):
    walls = [lay.wall(f"d{i}", lay.circle(*at, radius)) for i, (at, radius) in enumerate(discs)]
    for i, ((x, y), w, h, wet) in enumerate(boxes):
        shape = lay.box(x, y, x + w, y + h)
        walls.append(lay.bog(f"b{i}", shape) if wet else lay.wall(f"b{i}", shape))
    return lay.table(lay.mover(*start, base=base), *walls, width=12.0, depth=12.0)


def cost(lay, table, to):
    found = lay.move(table, to).needed
    return math.inf if found is None else found


def stands(lay, table, *places):
    try:
        tables = [table.having("m", at=place) for place in places]
    except FileFaultsError:  # a base would overlap something there
        return False
    return all(lay.move(there, place).answer == "yes" for there, place in zip(tables, places, strict=True))


@SMALL
@given(crowds())
def test_symmetry_and_triangle(lay, crowd):
    start, one, two, discs, boxes = crowd
    table = laid(lay, start, discs, boxes)
    assume(stands(lay, table, start, one, two))
    there = cost(lay, table, one)
    back = cost(lay, table.having("m", at=one), start)
    assert there == pytest.approx(back, abs=EXACT)
    assert there >= math.dist(start, one) - 1e-9
    assert cost(lay, table, two) <= there + cost(lay, table.having("m", at=one), two) + EXACT


@SMALL
@given(crowds(), st.floats(0, 6.28), st.booleans())
def test_shifted_turned_and_mirrored(lay, crowd, turn, mirror):
    """On a wide table, where no edge matters."""
    start, one, _, discs, boxes = crowd
    table = laid(lay, start, discs, boxes)
    assume(stands(lay, table, start, one))
    wide = lay.turned(replace(table, width=200.0, depth=200.0), 0.0, (90.0, 90.0), mirror=False)
    moved = lay.turned(replace(table, width=200.0, depth=200.0), turn, (100.0, 100.0), mirror=mirror)
    x, y = one[0], -one[1] if mirror else one[1]
    c, s = math.cos(turn), math.sin(turn)
    expected = cost(lay, wide, (one[0] + 90, one[1] + 90))
    assert cost(lay, moved, (c * x - s * y + 100, s * x + c * y + 100)) == pytest.approx(expected, abs=EXACT)


@SMALL
@given(crowds(), spot, size, st.booleans())
def test_more_in_the_way_never_helps(lay, crowd, at, radius, wet):
    start, one, _, discs, boxes = crowd
    table = laid(lay, start, discs, boxes)
    assume(stands(lay, table, start, one))
    shape = lay.circle(*at, radius)
    more = lay.bog("more", shape) if wet else lay.wall("more", shape)
    fuller = replace(table, terrain=table.terrain.with_item("more", more))
    assume(stands(lay, fuller, start, one))
    assert cost(lay, fuller, one) >= cost(lay, table, one) - EXACT


@SMALL
@given(crowds())
@example(((3.875, 6.125), (4.75, 1.5), (1.5, 1.5), [], [((4.375, 1.5), 0.25, 0.25, True)]))
def test_a_bigger_base_never_helps(lay, crowd):
    start, one, _, discs, boxes = crowd
    table, bigger = laid(lay, start, discs, boxes), laid(lay, start, discs, boxes, base=1.25)
    assume(stands(lay, bigger, start, one))
    assert cost(lay, bigger, one) >= cost(lay, table, one) - EXACT


@SMALL
@given(crowds(difficult=False), spot)
def test_zones_never_help_and_charges_are_legal(lay, crowd, at):
    """Charging one enemy: the way is legal, and no shorter than without its guard."""
    start, one, _, discs, boxes = crowd
    assume(math.dist(at, start) > 2.01 and math.dist(one, start) > 1.01 and math.dist(one, at) > 1.01)
    table = laid(lay, start, discs, boxes)
    assume(stands(lay, table, start, one, at))
    alone = replace(table, models=table.models.with_item("e", lay.model("e", *one)))
    guarded = replace(alone, models=alone.models.with_item("g", lay.model("g", *at)))
    free = lay.charge(alone, "e").needed
    bound = lay.charge(guarded, "e").needed
    assert bound is None or (free is not None and bound >= free - EXACT)
