"""Types of path next to one: what they go over instead of round."""

import math

import pytest

import sbg_sim as sbg
from sbg_sim.solver.graph.graph_builder import GraphBuilder
from sbg_sim.solver.path.neighbours import over_rings
from sbg_sim.solver.path.paths import Fixed, Link, Path, Slide, Wrap, at_end, place_of
from sbg_sim.solver.space.surroundings import Goal, make_surroundings

END = (8.5, 13.2)


@pytest.fixture
def net():
    """A wall to jump, whose upper end is round for a base of one inch."""
    mover = sbg.Model("a", (4.0, 12.0), 1.0, 1.5, 10.0, "good")
    wall = sbg.Terrain(
        "wall", frozenset({"obstacle"}), sbg.polygon([(8, 6), (8.02, 6), (8.02, 12), (8, 12)]), height=1.0
    )
    table = sbg.Table(24, 24, models={"a": mover}, terrain={"wall": wall})
    surroundings = make_surroundings(table, mover, reach=10.0)
    return GraphBuilder(surroundings, Goal(None, END), 0.25, 10.0).build()


@pytest.mark.parametrize("aside", [-1e-12, 0.0, 1e-12])
@pytest.mark.parametrize("back", [False, True])
def test_what_is_gone_over_may_begin_and_end_on_its_rim_but_for_rounding(net, aside, back):
    ring = next(j for j, ring in enumerate(net.rings) if ring.center == (8.0, 12.0))
    ends = Fixed((7.5 + aside, 11.99)), Fixed(END)
    elements = (ends[back], Wrap(ring, 1 if back else -1), ends[not back])
    found = over_rings(net, Path(elements, (Link(0), Link(0))))
    assert [dice for dice, _ in found] == [1]
    _, begun, landed, _ = found[0][1].elements
    begun, landed = (place_of(net, begun), place_of(net, landed))[:: -1 if back else 1]
    assert math.dist(begun, (7.5, 11.99)) < 1e-5
    ahead = 0.5 * 1.0 + 0.01 * 1.21, math.hypot(1.0, 1.21)  # the corner's centre lies 0.5 to the right and 0.01 up
    along = ahead[0] / ahead[1]
    across = along + math.sqrt(along**2 - 0.01**2)  # to where the corner's circle of half an inch ends
    assert math.dist(begun, landed) == pytest.approx(across, abs=1e-5)


def test_a_place_stands_at_an_end_of_its_piece_but_for_rounding(net):
    piece, long = max(enumerate(p.length for p in net.pieces), key=lambda row: row[1])
    stands = [at_end(net, Slide(piece, u)) for u in (0.0, 1e-10, 1e-3, long / 2, long - 1e-3, long - 1e-10, long)]
    assert stands == [True, True, False, False, False, True, True]
    assert not at_end(net, Fixed(END))
