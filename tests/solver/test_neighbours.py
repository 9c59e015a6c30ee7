"""Types of path next to one: what they go over instead of round."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.arrays import unit
from sbg_sim.geometry.grown import grown
from sbg_sim.geometry.pieces import Piece, rim_pieces
from sbg_sim.solver.graph.graph_builder import GraphBuilder
from sbg_sim.solver.path import neighbours, onward
from sbg_sim.solver.path.gathering import gather
from sbg_sim.solver.path.neighbours import over_rings
from sbg_sim.solver.path.newton import minimise
from sbg_sim.solver.path.normal_form import normal
from sbg_sim.solver.path.paths import Fixed, Link, Path, SamePlace, Slide, Wrap, at_end, place_of
from sbg_sim.solver.space.rings import Ring
from sbg_sim.solver.space.surroundings import Goal, make_surroundings
from tests.solver.stage import level, path
from tests.solver.stage import net as bare

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


@pytest.mark.parametrize("other", [{}, {"source": 1}, {"dest": 1}, {"horizontal": False}, {"turns": False}])
def test_over_is_only_gone_what_ways_turn_at_there_and_lies_on_that_level(monkeypatch, net, other):
    """Not what leads to another level or from it, is climbed, or merely stands beside what the path goes round."""
    ring = next(j for j, ring in enumerate(net.rings) if ring.center == (8.0, 12.0))
    (over,) = net.transitions
    told = {"source": 0, "dest": 0, "horizontal": True, "turns": True} | other
    way = SimpleNamespace(horizontal=told["horizontal"], tests=1)
    there = SimpleNamespace(source=told["source"], dest=told["dest"], way=way, body=over.body)
    there.turns_at = lambda _: told["turns"]
    monkeypatch.setattr(net, "transitions", [there])
    found = over_rings(net, Path((Fixed((7.5, 11.99)), Wrap(ring, -1), Fixed(END)), (Link(0), Link(0))))
    assert len(found) == (not other)


def test_a_place_stands_at_an_end_of_its_piece_but_for_rounding(net):
    piece, long = max(enumerate(p.length for p in net.pieces), key=lambda row: row[1])
    stands = [at_end(net, Slide(piece, u)) for u in (0.0, 1e-10, 1e-3, long / 2, long - 1e-3, long - 1e-10, long)]
    assert stands == [True, True, False, False, False, True, True]
    assert not at_end(net, Fixed(END))


# -- beside corners, rings and ends ------------------------------------------------------------------------------------


def mire(lean, off):
    """Difficult ground on one side of a leaning line past a ring of an inch about the origin, and the ring."""
    turn = np.array([math.cos(lean), math.sin(lean)])
    left = np.array([-turn[1], turn[0]])
    corners = [-20 * turn + off * left, 20 * turn + off * left, 20 * turn + 30 * left, -20 * turn + 30 * left]
    ground = grown([(sbg.polygon([tuple(c.tolist()) for c in corners]), 0.0)])
    half = math.acos(off)
    middle = lean + math.pi / 2
    angles = np.array([middle - half, middle + half])
    order = np.argsort((angles + math.pi) % math.tau)
    angles = ((angles + math.pi) % math.tau - math.pi)[order]
    weight = np.array([2.0, 1.0]) if order[0] == 0 else np.array([1.0, 2.0])
    open_, none = np.ones((2, 2), dtype=bool), np.zeros(2, dtype=np.int64)
    ring = Ring((0.0, 0.0), 1.0, 0, angles, open_, weight, none, ~open_, np.zeros(0))
    return bare(rim_pieces(ground), [ring], ground)


def run_along(rng):
    """A surface, and a path that joins a ring by a tangent on one side of a rim and leaves it, by another, anywhere."""
    while True:
        here = mire(rng.uniform(-3, 3), rng.uniform(-0.8, 0.8))
        on, sweep, turn = rng.uniform(-3, 3), rng.uniform(0.8, 2.6), int(rng.choice([-1, 1]))
        off = on + turn * sweep
        ahead = [turn * unit(np.array(a + math.pi / 2)) for a in (on, off)]
        ends = unit(np.array(on)) - 2.0 * ahead[0], unit(np.array(off)) + 3.0 * ahead[1]
        first, last = (Fixed(tuple(end.tolist())) for end in ends)
        (whole,) = normal(here, [path(first, Wrap(0, turn), last)])
        if len(whole.elements) == 3:  # else a tangent crosses the rim as well
            return here, whole, on, sweep, turn


@pytest.mark.parametrize("seed", range(20))
def test_where_a_path_runs_along_a_ring_across_a_rim_it_leaves_the_ring_there_if_that_is_cheaper(seed):
    """Both ways along the rim are tried by what they come to cost: a path runs on where neither costs less."""
    here, whole, on, sweep, turn = run_along(np.random.default_rng(seed))
    cost = gather(here, [whole]).cost()[0]
    found = neighbours._off_rings_once(here, [whole])[0]
    ring = here.rings[0]
    crossed = [k for k in ring.steps.tolist() if 1e-3 < (ring.angles[k] - on) * turn % math.tau < sweep - 1e-3]
    assert {k for (_, k), _ in found} <= set(crossed)
    for k in crossed:
        at = ring.angles[k]
        mine = [c for (_, n), c in found if n == k]
        before = (at - on) * turn % math.tau
        for c in mine:
            begun, wrapped, slide, again, ended = c.elements
            assert (begun, wrapped, again, ended) == (*whole.elements[:2], *whole.elements[1:])
            away = math.dist(place_of(here, slide), unit(np.array(at)))
            assert 0 < away <= 0.02 + 1e-12
            # From so near that what is left of the arcs on either side of it has not shrunk past nothing.
            assert away <= max(2e-6, min(before, sweep - before) ** 2 / 8) + 1e-12
        # Both sides of the place along the rim: one of them leads off the ring.
        tries = []
        for piece, u in here.rims.through(tuple(unit(np.array(at)).tolist())):
            for v in (u - 0.003, u + 0.003):
                slide = Slide(piece, v)
                if math.hypot(*place_of(here, slide)) > 1:
                    links = (Link(0),) * 4
                    elements = (*whole.elements[:2], slide, *whole.elements[1:])
                    tries += normal(here, [Path(elements, links)])
        least = min(minimise(gather(here, [one]))[1][0] for one in tries)
        if abs(least - cost) > 1e-7:
            assert bool(mine) is bool(least < cost)


def test_along_the_rims_through_a_place_crossings_are_tried_beside_it():
    pieces = [level(2.0), Piece((0.0, 2.0), (0.0, 1.0), 0.03), Piece((5.0, 5.0), (1.0, 0.0), 3.0)]
    here = bare(pieces)
    found = neighbours.along_rims(here, np.arange(3), (0.0, 2.0), 0.02)
    assert [(s.piece, pytest.approx(s.u)) for s in found] == [(0, 19.98), (1, 0.015)]  # at most to the middle
    assert [s.u for s in neighbours.along_rims(here, np.arange(3), (19.99, 2.0), 0.02)] == [pytest.approx(39.97)]
    assert [s.u for s in neighbours.along_rims(here, np.arange(3), (-19.99, 2.0), 0.02)] == [pytest.approx(0.03)]
    assert [s.piece for s in neighbours.along_rims(here, np.array([1]), (0.0, 2.0), 0.02)] == [1]
    assert neighbours.along_rims(here, np.arange(3), (0.0, 3.0), 0.02) == []


A, B = Fixed((-6.0, 0.0)), Fixed((6.0, 5.0))
CORNER = [Piece((-9.0, 2.0), (1.0, 0.0), 9.0), Piece((0.0, 2.0), (0.0, 1.0), 9.0)]


def test_beside_a_corner_at_which_a_path_bends_it_crosses_either_rim():
    here, at = bare(CORNER), Fixed((0.0, 2.0))
    found = neighbours.beside_corners(here, path(A, at, B))
    assert [c.elements[1] for c in found] == [Slide(0, pytest.approx(8.98)), Slide(1, pytest.approx(0.02))]
    assert neighbours.beside_corners(here, path(A, Fixed((0.0, 1.0)), B)) == []
    assert neighbours.beside_corners(here, path(at, B)) == []  # it begins there
    for over in (0, 1):
        links = tuple(Link(0, transition=0 if k == over else -1) for k in range(2))
        assert neighbours.beside_corners(here, Path((A, at, B), links)) == []


def test_at_the_end_of_a_piece_a_last_crossing_goes_on_along_the_next():
    here = bare(CORNER)
    end = path(A, Slide(0, 9.0), B)
    assert [c.elements[1] for c in neighbours.beside_last_crossing(here, end)] == [Slide(1, pytest.approx(0.02))]
    assert neighbours.beside_last_crossing(here, path(A, Slide(0, 5.0), B)) == []
    assert neighbours.beside_last_crossing(here, path(A, B)) == []
    # What it turns just behind may be in the way of that crossing alone.
    behind = neighbours.beside_last_crossing(here, path(A, Fixed((0.0, 2.0)), Fixed((0.1, 2.1)), Fixed((0.2, 2.1))))
    assert {len(c.elements) for c in behind} == {3}
    assert {c.elements[1] for c in behind} == {Slide(0, 8.98), Slide(1, 0.02)}
    inner = [Fixed((-3.0, 1.0)), Fixed((0.0, 2.0)), Fixed((0.05, 2.1)), Fixed((0.1, 2.1)), Fixed((0.2, 2.1))]
    several = neighbours.beside_last_crossing(here, path(A, *inner))
    for piece in (Slide(0, 8.98), Slide(1, 0.02)):
        # Without the first of what it turns, and without all of it.
        assert [c.elements for c in several if c.elements[2] == piece] == [
            (A, inner[0], piece, *inner[3:]),
            (A, inner[0], piece, inner[4]),
        ]
    away = neighbours.beside_last_crossing(here, path(A, *inner[:4], Fixed((9.0, 2.1))))
    assert [c.elements[3:] for c in away] == [(inner[3], Fixed((9.0, 2.1)))] * 2  # all of it leads too far
    far = neighbours.beside_last_crossing(here, path(A, Fixed((0.0, 2.0)), Fixed((3.0, 2.1)), Fixed((9.0, 2.1))))
    assert far == []  # farther off another sample tells of the crossing


def test_the_last_crossing_is_looked_for_among_the_last_four_elements():
    here, on = bare(CORNER), Fixed((0.0, 2.0))
    off = [Fixed((float(k), 4.0)) for k in range(1, 6)]
    for between in range(5):
        found = neighbours._last_crossing(here, path(A, on, *off[:between], B))
        assert found == (1 if between < 4 else 0)
    assert neighbours._last_crossing(here, path(A, Slide(0, 3.0), off[0], B)) == 1
    assert neighbours._last_crossing(here, path(on, off[0], B)) == 0
    links = (Link(0), Link(0), Link(0, transition=0), Link(0))
    assert neighbours._last_crossing(here, Path((A, on, off[0], off[1], B), links)) == 0


@pytest.mark.parametrize("landed", [Slide(0, 3.0), Fixed((0.0, 2.0))])
def test_where_a_way_over_lands_nothing_is_crossed_and_behind_it_a_rim_may_be(landed):
    """What is put beside a landing would lie off the rim it has to land on."""
    here, off = bare(CORNER), Fixed((-4.0, 1.0))
    over, walk = Link(0, transition=0), Link(0)
    assert neighbours._last_crossing(here, Path((A, landed, B), (over, walk))) == 0
    assert neighbours._last_crossing(here, Path((A, off, landed, B), (walk, over, walk))) == 0
    behind = Path((A, off, landed, B), (over, walk, walk))
    assert neighbours._last_crossing(here, behind) == 2
    assert neighbours._last_crossing(here, Path((A, *behind.elements), (walk, *behind.links))) == 3


def over(here, *, across=False, near=(0,), far=(1,)):
    """Lets two ways over begin and end on some pieces of a surface."""
    way = SimpleNamespace(way=SimpleNamespace(across=across))
    here.transitions = [way, way]
    here.rim_of = lambda _, *, near: np.array(sides[near])
    sides = {True: list(near), False: list(far)}
    return here


def test_a_way_over_that_stands_at_the_end_of_its_rim_is_let_go_along_it():
    here = over(bare([level(2.0), level(5.0)]))
    links = (Link(0), Link(0, transition=0), Link(0))
    stands = Path((A, Fixed((20.0, 2.0)), Fixed((3.0, 5.0)), B), links)
    found = neighbours.let_go(here, stands)
    assert [c.elements[1:3] for c in found] == [
        (Slide(0, 40.0), Fixed((3.0, 5.0))),
        (Fixed((20.0, 2.0)), Slide(1, 23.0)),
    ]
    straight = over(bare([level(2.0), level(5.0)]), across=True)
    assert [c.elements[1] for c in neighbours.let_go(straight, stands)] == [Slide(0, 40.0)]  # the landing follows
    begun = Path((Fixed((20.0, 2.0)), Fixed((3.0, 5.0)), B), links[1:])
    assert [c.elements[:2] for c in neighbours.let_go(here, begun)] == [(Fixed((20.0, 2.0)), Slide(1, 23.0))]
    ended = Path((A, Fixed((20.0, 2.0)), Fixed((3.0, 5.0))), links[:2])
    assert [c.elements[1:] for c in neighbours.let_go(here, ended)] == [(Slide(0, 40.0), Fixed((3.0, 5.0)))]
    assert neighbours.let_go(straight, ended) == []


def test_a_way_over_may_begin_just_where_the_one_before_it_landed():
    here = over(bare([level(2.0), level(5.0)]), near=(1,))
    links = (Link(0, transition=0), Link(0), Link(0, transition=1))
    landed = Path((Fixed((0.0, 2.0)), Slide(1, 20.0), Slide(1, 25.0), B), links)
    (found,) = neighbours.begun_where_landed(here, landed)
    assert found.elements == (landed.elements[0], Slide(1, 20.0), SamePlace(), B)
    for other in (
        Path(landed.elements, (Link(0), Link(0), Link(0, transition=1))),
        Path(landed.elements, (Link(0, transition=0), Link(0), Link(0))),
        Path(landed.elements, (Link(0, transition=0), Link(0, transition=1), Link(0, transition=1))),
        Path((landed.elements[0], Fixed((0.0, 5.0)), *landed.elements[2:]), links),
        Path((landed.elements[0], Slide(0, 20.0), *landed.elements[2:]), links),  # not on the rim it begins on
    ):
        assert neighbours.begun_where_landed(here, other) == []


def test_where_a_path_landed_on_the_rim_of_a_ring_it_joins_that_by_a_tangent():
    arc = Piece((5.0, 6.0), (0.0, 0.0), 6.0, radius=1.0)
    here = bare([level(2.0), arc])
    here.rings = [SimpleNamespace(center=(5.0, 6.0), rho=1.0)]
    links = (Link(0, transition=0), Link(0), Link(0), Link(0))
    way = Path((A, Fixed((1.0, 2.0)), Slide(1, 2.0), Wrap(0, 1), B), links)
    (found,) = neighbours.landed_beside_ring(here, way)
    assert found.elements == (A, Fixed((1.0, 2.0)), Wrap(0, 1), B)
    for other in (
        Path(way.elements, (Link(0), *links[1:])),
        Path(way.elements, (links[0], Link(0, transition=0), *links[2:])),
        Path((A, Fixed((1.0, 2.0)), Slide(0, 2.0), Wrap(0, 1), B), links),
    ):
        assert neighbours.landed_beside_ring(here, other) == []


@pytest.mark.parametrize("seed", range(12))
def test_a_place_at_the_end_of_its_rim_goes_on_along_the_next_only_where_that_costs_less(seed):
    """Along either rim through the corner, by what a hair along it costs."""
    here, rng = bare(CORNER), np.random.default_rng(seed)
    (a, b), (c, d) = rng.uniform(-5, 5, (2, 2)).tolist()
    heavy = float(rng.choice([1.0, 2.0]))
    way = path(Fixed((a, b)), Slide(0, 9.0), Fixed((c, d)), weights=[1.0, heavy])
    found = {slide.piece for one in onward.onto_next_pieces(here, [way])[0] for slide in one.elements[1:2]}

    def cost(x, y):
        return math.dist((a, b), (x, y)) + heavy * math.dist((x, y), (c, d))

    falls = {piece for piece, at in ((0, (-1e-6, 2.0)), (1, (0.0, 2.0 + 1e-6))) if cost(*at) < cost(0.0, 2.0)}
    assert found == falls
    middle = path(Fixed((a, b)), Slide(0, 5.0), Fixed((c, d)))
    assert onward.onto_next_pieces(here, [middle]) == [[]]
