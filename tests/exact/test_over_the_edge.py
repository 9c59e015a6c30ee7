"""Terrain that reaches over the edge of the table: what lies outside changes nothing inside."""

from dataclasses import replace

import pytest

EXACT = 1e-8


def twice(lay, *things, to, edge):
    """The same question on a table whose edge cuts through the terrain and on one where no edge is near."""
    small = lay.table(*things, width=edge, depth=edge)
    wide = lay.turned(replace(small, width=200.0, depth=200.0), 0.0, (90.0, 90.0), mirror=False)
    return lay.move(small, to), lay.move(wide, (to[0] + 90, to[1] + 90))


@pytest.mark.parametrize(("x", "radius"), [(1.5, 1.125), (0.0, 2.6), (-4.0, 6.5), (0.6, 1.7)])
def test_a_round_bog_over_the_edge_weighs_what_it_weighs_inside(lay, x, radius):
    """Its rim was left out where the middle of the rim lay outside the table: 3.0141 instead of 2.8759."""
    bogs = lay.bog("more", lay.circle(x, 4.0, radius)), lay.bog("b", lay.box(2.0, 1.5, 2.25, 1.75))
    here, there = twice(lay, lay.mover(2.875, 3.375), *bogs, to=(2.25, 1.0), edge=12.0)
    assert here.needed == pytest.approx(there.needed, abs=EXACT)


@pytest.mark.parametrize("far", [-1.0, -9.0, -40.0])
def test_a_straight_rim_over_the_edge(lay, far):
    bog = lay.bog("b", lay.polygon([(far, 3.0), (4.0, 3.0), (4.0, 5.0), (far, 5.0)]))
    here, there = twice(lay, lay.mover(3.5, 7.0), bog, to=(3.25, 4.5), edge=12.0)
    assert here.needed == pytest.approx(there.needed, abs=EXACT)


@pytest.mark.parametrize("far", [-1.0, -9.0, -40.0])
def test_a_wall_over_the_edge_is_jumped_as_one_inside(lay, far):
    wall = lay.piece("w", lay.box(far, 4.0, 4.0, 4.3), "obstacle", height=1.0)
    closed = lay.wall("c", lay.box(4.0, 3.9, 12.0, 4.4))
    table = lay.table(lay.mover(2.0, 6.0), wall, closed, width=12.0, depth=12.0)
    found = lay.move(table, (2.0, 2.5))
    assert (found.answer, len(found.tests)) == ("chance", 1)
    assert found.needed == pytest.approx(3.5, abs=EXACT)


def test_contact_at_the_edge_of_the_table(lay):
    """The near side of the enemy is past the edge: the place where the contact circle meets the edge is the nearest."""
    table = lay.table(lay.mover(4.0, 0.5), lay.model("e", 0.5, 0.3, base=0.6), width=12.0, depth=12.0)
    # Along the edge, at y = 0.5, until it touches (0.5, 0.3): x = 0.5 + sqrt(0.8 ** 2 - 0.2 ** 2).
    assert lay.charge(table, "e").needed == pytest.approx(4.0 - 0.5 - (0.8**2 - 0.2**2) ** 0.5, abs=EXACT)
