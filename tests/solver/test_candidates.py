"""Which paths are looked at for which places, and what serves in whose stead."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from sbg_sim.arrays import equal_rows
from sbg_sim.geometry.pieces import Piece
from sbg_sim.solver.field import candidates
from sbg_sim.solver.field.candidates import (
    BestPaths,
    Blocked,
    Candidates,
    Polishing,
    ToPolish,
    ended,
    landed_last,
)
from sbg_sim.solver.field.tails import Tail, Tails, _bend, _joined, _serves, _tail
from sbg_sim.solver.path.gathering import gather
from sbg_sim.solver.path.paths import Constraint, Fixed, Link, OnCircle, Path, SamePlace, Slide, Wrap
from tests.solver.stage import level, net, path, ring

A, B = Fixed((0.0, 0.0)), Fixed((9.0, 0.0))


def tail(kind="a", before=1.0, on_ring=(-1, 0.0, 0.0)):
    whole = path(A, Fixed((2.0, 0.0)), Slide(0, 25.0), B)
    return Tail(Path(whole.elements[1:], whole.links[1:]), before, whole, 1, (kind,), on_ring)


def test_a_type_is_asked_for_once_a_place_unless_it_costs_otherwise_to_come_there():
    some, rows = Candidates(), np.array([0, 1, 2, 0])
    tails = [tail("a"), tail("b"), tail("a"), tail("a", 2.0)]
    assert some.fresh(tails, np.array([0, 0, 1, 1]), rows, 5).tolist() == [True] * 4
    assert some.fresh(tails, np.array([2, 2, 2, 3]), np.array([0, 3, 2, 0]), 5).tolist() == [False, True, True, True]
    after = Candidates(some)  # what was polished is not polished again
    assert after.every == []
    assert after.fresh(tails, np.array([0, 1]), np.array([3, 2]), 5).tolist() == [False, False]
    assert Candidates().fresh(tails, np.array([0]), np.array([0]), 5).tolist() == [True]
    some.add(A, rows, rows * 1.0)
    assert len(some.every) == 1


def blocked(rows, bare):
    """Blocked paths: batches and tails of one kind."""
    here = net([level(2.0)])
    batch = gather(here, [path(Fixed((2.0, 0.0)), Slide(0, 25.0), B)] * len(rows))
    xy = np.column_stack([np.arange(len(rows), dtype=float), np.full(len(rows), 5.0)])
    allowed = np.full(len(rows), np.inf)
    return Blocked([tail()], np.zeros(len(rows), dtype=int), batch, np.array(rows), xy, np.array(bare), allowed)


def test_of_each_place_the_eight_cheapest_blocked_paths_are_mended():
    rng = np.random.default_rng(2)
    rows, bare = rng.integers(0, 4, 60), rng.uniform(0, 9, 60)
    below = np.array([9.0, 4.0, 0.0, 9.0])
    found = blocked(rows, bare).cheapest(below)
    for n in range(4):
        mine = np.sort(bare[(rows == n) & (bare < below[n])])[:8]
        assert sorted(found.bare[found.rows == n].tolist()) == mine.tolist()
        assert found.bare[found.rows == n].tolist() == mine.tolist()  # the cheapest first
    assert len(found.batch) == len(found.rows) == len(found.xy)
    assert not len(blocked([0], [5.0]).cheapest(np.array([5.0])).rows)


def test_types_that_came_to_one_way_leave_room_for_others():
    """Nine that end at one place all come to it in a line; a tenth, dearer, goes round a corner."""
    some = blocked([0] * 10, [1.0] * 9 + [2.0])
    u, xy = some.batch.u.copy(), np.tile([2.0, 5.0], (10, 1))
    u[:, 1] = 22.0  # on the line
    u[9, 1] = 25.0
    some = replace(some, batch=replace(some.batch, u=u).ending(xy), xy=xy)
    assert some.cheapest(np.array([9.0])).bare.tolist() == [1.0, 2.0] + [1.0] * 6


def test_a_blocked_path_is_the_whole_of_what_its_tail_came_to():
    one = blocked([0, 1], [1.0, 2.0])
    u = one.batch.u.copy()
    u[1, 1] = 31.0
    found = replace(one, batch=replace(one.batch, u=u)).path(1)
    assert found.elements == (A, Fixed((2.0, 0.0)), Slide(0, 31.0), Fixed((1.0, 5.0)))
    assert ended(path(A, Slide(0, 25.0), B), np.array([0.0, 7.0, 0.0]), np.array([3.0, 4.0])).elements == (
        A,
        Slide(0, 7.0),
        Fixed((3.0, 4.0)),
    )


@pytest.mark.parametrize(("known", "mended"), [(8.01, True), (8.0, False)])
def test_an_arc_past_nothing_is_no_full_turn_and_its_path_is_to_be_mended(known, mended):
    """Straight on it is 8 in; by the ring below, over its top, the tangents less what the arc lies past nothing."""
    here, whole = net(rings=[ring(4.0, -1.2, 1.0)]), path(A, Wrap(0, -1), B)
    tails = [Tail(whole, 0.0, whole, 1, ("a",), (-1, 0.0, 0.0))]
    one = np.zeros(1, dtype=np.int64)
    found = Polishing(here, np.array([[8.0, 0.0]]), ToPolish(tails, one, one, one), np.array([known]))
    away = math.hypot(4.0, 1.2)
    past = 2 * (math.atan2(1.2, 4.0) - math.asin(1.0 / away))
    bare = 2 * math.sqrt(away**2 - 1.0) - past + (0.0 if mended else math.tau)
    assert found.bare.tolist() == pytest.approx([bare], abs=1e-9)
    assert (found.open.tolist(), found.blocked() is not None) == ([not mended], mended)


def test_paths_of_one_tail_to_places_close_by_are_mended_as_one(monkeypatch):
    """Squares of half an inch: what lies in two of them is not alike, nor what other tails or ends of rims part."""
    one = blocked([0, 1, 2, 3, 4], [1.0] * 5)
    xy = np.array([(0.1, 5.1), (0.4, 5.4), (0.6, 5.1), (0.1, 5.6), (0.2, 5.2)])
    which = np.array([0, 0, 0, 0, 1])
    here = replace(one, xy=xy, which=which, tails=[tail(), tail("b")])
    here.batch.net.spaces[0] = SimpleNamespace(closed=None)
    monkeypatch.setattr(candidates, "obstacles", lambda *_: (np.zeros((0, 3)), np.zeros((5, 0))))
    alike = sorted(sorted(k.tolist()) for k in here._alike)
    assert alike == [[0, 1], [2], [3], [4]]


def test_best_paths_come_along_their_last_link_of_some_length():
    here = net([level(2.0)], [ring(5.0, 6.0, 1.0)])
    ends = [(3.0, 4.0), (3.0, 2.0 + 1e-9), (5.0 + math.cos(0.3), 6.0 + math.sin(0.3))]
    paths = [
        path(A, Slide(0, 23.0), Fixed(ends[0]), weights=[1.0, 2.0]),
        path(A, Slide(0, 23.0), Fixed(ends[1]), weights=[1.0, 2.0]),  # it ends where it slides
        path(A, Wrap(0, 1), Fixed(ends[2]), weights=[1.0, 2.0]),  # and on a ring, whose direction it has
    ]
    batch = gather(here, paths)
    none = np.full(3, -1)
    best = BestPaths(np.full((3, 2), np.nan), np.full(3, np.nan), none.copy(), none.copy(), np.zeros((3, 0)))
    assert best.begin([tail(), tail()], batch.u.shape[1]) == (0, 0)
    best.note(batch, np.arange(3), np.array([4, 5, 6]), np.array([0, 1, 1]))
    np.testing.assert_allclose(best.direction[0], [0.0, 1.0], atol=1e-9)
    np.testing.assert_allclose(best.direction[1], np.array([3.0, 2.0]) / math.sqrt(13), atol=1e-9)
    np.testing.assert_allclose(best.direction[2], [-math.sin(0.3), math.cos(0.3)], atol=1e-6)
    assert best.weight.tolist() == [2.0, 1.0, 2.0]
    assert (best.path_type.tolist(), best.which.tolist()) == ([4, 5, 6], [0, 1, 1])
    assert best.slid[0, 1] == 23.0
    assert best.begin([tail()], 7) == (2, 7)
    assert (len(best.tails), best.slid.shape) == (3, (3, 7))


def test_types_that_land_along_the_ring_they_go_round_are_told():
    arc = Piece((5.0, 6.0), (0.0, 0.0), 6.0, radius=1.0)
    here = net([level(2.0), arc], [ring(5.0, 6.0, 1.0)])
    here.difficult_pieces = 1
    here.transitions = [SimpleNamespace(way=SimpleNamespace(across=False))]
    links = (Link(0, transition=0), Link(0), Link(0))
    at = (5.0 + math.cos(1.0), 6.0 + math.sin(1.0))
    (found,) = landed_last(here, Path((A, Fixed(at), Wrap(0, 1), B), links))
    assert found.elements == (A, Slide(1, pytest.approx(1.0)), B)
    assert [link.transition for link in found.links] == [0, -1]
    (slid,) = landed_last(here, Path((A, Slide(1, 1.0), Wrap(0, 1), B), links))
    assert slid.elements == found.elements
    for elements, given in (
        ((A, Fixed((5.0, 7.1)), Wrap(0, 1), B), links),  # off the ring
        ((A, Fixed(at), Fixed((1.0, 1.0)), B), links),  # round nothing
        ((A, SamePlace(), Wrap(0, 1), B), links),
        ((A, Fixed(at), Wrap(0, 1), B), (Link(0), Link(0), Link(0))),  # landed nowhere
        ((A, Fixed(at), Wrap(0, 1), B), (Link(0, transition=0), Link(0, transition=0), Link(0))),
        ((A, Wrap(0, 1), B), links[1:]),
    ):
        assert landed_last(here, Path(elements, given)) == []


# -- tails -------------------------------------------------------------------------------------------------------------


def test_one_way_serves_for_another_along_its_ring_where_it_is_no_dearer_there():
    first = tail(before=2.0, on_ring=(3, 1.0, 0.0))
    later = tail(before=2.6, on_ring=(3, 1.5, 0.0))
    assert _serves(first, later)  # 2 and half an inch along the ring
    assert not _serves(first, replace(later, before=2.4))
    assert not _serves(later, first)  # none leads back
    assert not _serves(first, replace(later, on_ring=(4, 1.5, 0.0)))
    assert not _serves(replace(first, on_ring=(-1, 1.0, 0.0)), replace(later, on_ring=(-1, 1.5, 0.0)))
    round_ = replace(later, on_ring=(3, 1.5, 4.0))  # a ring of four inches that closes: three and a half on
    assert _serves(round_, replace(first, before=6.2, on_ring=(3, 1.0, 4.0)))
    assert not _serves(round_, replace(first, before=6.0, on_ring=(3, 1.0, 4.0)))
    assert _serves(first, replace(first, before=2.0))
    assert _serves(first, replace(first, on_ring=(3, 1.0 - 1e-13, 0.0)))


def test_of_tails_of_one_type_the_cheapest_serve():
    tails = [
        tail("a", 2.6, (3, 1.5, 0.0)),
        tail("a", 2.0, (3, 1.0, 0.0)),
        tail("b", 2.6, (3, 1.5, 0.0)),
        tail("a", 1.0, (-1, 0.0, 0.0)),
    ]
    assert Tails(net(), 9.0).best(tails).tolist() == [1, 1, 2, 3]


def linked(elements, *, over=(), bound=()):
    links = tuple(
        Link(0, transition=0 if k in over else -1, bound=(k > min(bound, default=99), k >= min(bound, default=99)))
        for k in range(len(elements) - 1)
    )
    return Path(elements, links)


def test_a_path_bends_last_at_what_stands_still_wherever_it_ends():
    slide, wrap = Slide(0, 3.0), Wrap(0, 1)
    assert _bend(linked((A, B, slide, B))) == 1
    assert _bend(linked((A, wrap, slide, B))) == 1
    assert _bend(linked((A, wrap, B, B))) == 2
    assert _bend(linked((A, slide, B))) == 0
    assert _bend(linked((A, B))) == 0
    assert _bend(linked((A, B, slide, B), over=[0])) == 0  # where a way over lands hangs on what follows
    assert _bend(linked((A, wrap, B, B), over=[1])) == 1
    assert _bend(replace(linked((A, B, slide, B)), constraints=(Constraint(0, None),))) == 0
    coming = Path((A, B, B), (Link(0, bound=(False, True)), Link(0, bound=(False, True))))
    assert _bend(coming) == 0  # where it comes to be bound
    assert (
        _bend(Path((A, B, OnCircle((1.0, 1.0, 1.0))), (Link(0, bound=(False, True)), Link(0, bound=(True, True))))) == 1
    )


def test_a_tail_begins_where_the_path_touches_its_ring():
    whole = path(A, Wrap(0, 1), Slide(0, 25.0), B, weights=[1.0, 1.0, 2.0])
    stem = SimpleNamespace(path=path(A, Slide(1, 2.0), Wrap(0, 1)), cost=3.0, entry=(4.0, 1.0), on_ring=(2, 0.5, 0.0))
    joined = _joined(stem.path, whole, 1)
    assert joined.elements == (A, Slide(1, 2.0), Wrap(0, 1), Slide(0, 25.0), B)
    assert len(joined.links) == 4
    found = _tail(joined, 2, stem)
    assert found.path.elements == (Fixed((4.0, 1.0)), Wrap(0, 1), Slide(0, 25.0), B)
    assert [link.weight for link in found.path.links] == [1.0, 1.0, 2.0]
    assert (found.before, found.bend, found.on_ring) == (3.0, 2, (2, 0.5, 0.0))
    assert found.whole.elements == joined.elements
    assert found.start == (4.0, 1.0, 1.0, 3.0)
    assert replace(found, path=linked(found.path.elements, over=[1])).start[2] == 0.0
    # With its crossings where they came to be, and after another way to its bend.
    moved = replace(found.path, elements=(*found.path.elements[:2], Slide(0, 31.0), B))
    assert found.onward(moved).elements == (A, Slide(1, 2.0), Wrap(0, 1), Slide(0, 31.0), B)
    other = replace(found, path=moved, whole=found.onward(moved), before=2.0, on_ring=(2, 0.1, 0.0))
    after = found.after(other)
    assert after.path.elements[2] == Slide(0, 25.0)
    assert (after.before, after.on_ring) == (2.0, (2, 0.1, 0.0))
    assert after.whole.elements == joined.elements


def test_of_a_place_the_tail_is_all_that_follows():
    whole = path(A, Fixed((2.0, 1.0)), Slide(0, 25.0), B)
    stem = SimpleNamespace(path=path(A, Fixed((2.0, 1.0))), cost=3.0, entry=(9.0, 9.0), on_ring=(0, 0.0, 0.0))
    found = _tail(whole, 1, stem)
    assert found.path.elements == whole.elements[1:]
    assert (
        found.path_type
        != _tail(replace(whole, links=(whole.links[0], Link(0, 2.0), whole.links[2])), 1, stem).path_type
    )
    assert found.path_type == _tail(path(A, Fixed((2.0, 1.0)), Slide(0, 29.0), A), 1, stem).path_type


@pytest.mark.parametrize("span", [3, 2**40])
def test_equal_rows_are_grouped_in_the_order_of_their_values(span):
    """Also where the numbers are too far apart to be told by one number a row."""
    rows = np.random.default_rng(4).integers(-1, 2, (200, 4)) * span
    kinds, of = np.unique(rows, axis=0, return_inverse=True)
    groups = equal_rows(rows)
    assert [some.tolist() for some in groups] == [np.flatnonzero(of.ravel() == n).tolist() for n in range(len(kinds))]
    assert equal_rows(rows[:0]) == []
