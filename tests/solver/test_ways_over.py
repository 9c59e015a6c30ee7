"""Where ways over begin and end between samples: lines that touch two things, and corners a leap apart."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.geometry.breaks import each_once
from sbg_sim.geometry.grown import Grown, discs, grown
from sbg_sim.geometry.pieces import segment
from sbg_sim.geometry.rims import Rims
from sbg_sim.rules.zones import Zone
from sbg_sim.solver.graph.between_samples import (
    _beside,
    _between_two,
    _met,
    _narrows,
    _straight_across,
    beside_way,
)
from sbg_sim.solver.graph.graph_builder import GraphBuilder
from sbg_sim.solver.graph.tangent_graph import SAMPLE
from sbg_sim.solver.space.surroundings import make_surroundings

EMPTY = grown(())
SPACING = 0.25


def way(circles, *, zones=(), body=None, **more):
    """A way over with things beside it, as circles of centres that the mover may not enter, and zones."""
    space = SimpleNamespace(zones=zones, radius=0.5)
    body = discs([(5.0, 5.0, 4.0)]) if body is None else body
    given = {"here": space, "there": space, "others": discs(circles), "body": body, "firm": None, "brim": None}
    return SimpleNamespace(**given | more)


@pytest.mark.parametrize("room", [0.0, 0.1, 0.2])
@pytest.mark.parametrize("turn", [0.0, 1.1, 4.0])
def test_between_two_things_lines_lead_through_the_middle_and_along_both_tangents(room, turn):
    """Each touches both circles from between them; the place through which it leads lies between the two."""
    one, two = 1.0, 1.6
    apart = one + two + room
    at = np.array([5.0, 5.0])
    other = at + apart * np.array([math.cos(turn), math.sin(turn)])
    a, b = _between_two(way([(*at, one), (*other, two)]), SPACING)
    assert len(a) == 6
    along = (other - at) / apart
    seen = set()
    for p, q in zip(a, b, strict=True):
        d = (q - p) / math.dist(p, q)
        assert math.dist(p, q) == pytest.approx(2e-7, rel=1e-3)
        off = [(c - p)[0] * d[1] - (c - p)[1] * d[0] for c in (at, other)]
        assert off[0] * off[1] < 0  # they lie to either side
        across = abs(d @ along) < 1e-6
        clear = np.abs(off) - (one, two)
        assert clear.sum() == pytest.approx(room if across else 0.0, abs=1e-6)
        # Straight through the middle both are cleared by shares of the room as their radii.
        if across:
            assert clear[0] == pytest.approx(room * one / (one + two), abs=1e-6)
        else:
            assert clear == pytest.approx([0.0, 0.0], abs=1e-6)
        seen.add(tuple(d.round(4).tolist()))
    # Either way along three lines, of which two come to one where nothing is left between the circles.
    assert len(seen) == (6 if room else 2)


def test_what_touches_or_lies_wide_apart_or_overlaps_leaves_nothing_to_be_found():
    apart = [(0.0, 1), (SPACING - 1e-3, 1), (SPACING + 1e-3, 0), (-1e-3, 0), (-5e-7, 1), (-2e-6, 0)]
    for room, found in apart:
        assert len(_between_two(way([(5, 5, 1.0), (7 + room, 5, 1.0)]), SPACING)[0]) == 6 * found
    three = way([(5, 5, 1.0), (7.1, 5, 1.0), (5, 7.1, 1.0)])
    assert len(_between_two(three, SPACING)[0]) == 12


def test_a_zone_beside_a_way_may_leave_a_slit_as_well():
    zones = (Zone("orc", (8.1, 5.0), 2.0, 0.0),)
    assert len(_between_two(way([(5, 5, 1.0)], zones=zones), SPACING)[0]) == 6
    wood = {"difficult": discs([(5.0, 2.0, 0.5)]), "way": SimpleNamespace(horizontal=True)}
    over = way([(5, 5, 1.0)], zones=zones, **wood)
    assert sorted(map(tuple, beside_way(over).tolist())) == [(5.0, 5.0, 1.0), (8.1, 5.0, 2.0)]
    assert sorted(beside_way(over, grazed=True)[:, :2].tolist()) == [[5.0, 2.0], [5.0, 5.0], [8.1, 5.0]]
    climb = way([(5, 5, 1.0)], **wood | {"way": SimpleNamespace(horizontal=False)})
    assert beside_way(climb, grazed=True)[:, :2].tolist() == [[5.0, 5.0]]  # it costs its height alone


@pytest.mark.parametrize("side", [0, 1])
def test_what_stands_farther_off_than_a_way_may_come_is_not_beside_it(side):
    """A straight solid from 2 to 8 grown by 1.5: a way over it comes no nearer to a circle than its box lets it."""
    body = Grown(np.array([[2.0, 5.0, 8.0, 5.0]]), np.array([1.5]), owner=np.array([0]))
    for off, beside in ((2.49, True), (2.51, False)):
        at = [(5.0, 5.0 + off), (8.0 + off, 5.0)][side]
        found = beside_way(way([(*at, 1.0)], body=body))
        assert bool(len(found)) is beside


def gap(width, *, firm=None, brim=None, rho=0.5):
    """A gap between two straight sides, and a notch in one of them whose corner is nearer to the other side."""
    sides = np.array([[3.0, 0.0, 13.0, 0.0], [3.0, width, 7.0, width], [7.0, width, 7.0, width + 2.0]])
    body = Grown(sides, np.full(3, rho), owner=np.zeros(3, dtype=np.int64))
    leap = SimpleNamespace(longest=3.0)
    return way([], body=body, way=leap, firm=firm, brim=brim)


@pytest.mark.parametrize(("width", "found"), [(2.9, True), (3.0, True), (3.0 + 5e-7, True), (3.1, False), (2.4, False)])
def test_corners_about_a_leap_from_a_side_are_looked_at(width, found):
    """Much narrower, samples beside lead over as well; wider, nothing does."""
    a, b = _narrows(gap(width), SPACING)
    pairs = {(tuple(p), tuple(q)) for p, q in zip(a.round(8).tolist(), b.round(8).tolist(), strict=True)}
    w = round(width, 8)
    for corner, foot in (((7.0, w), (7.0, 0.0)), ((3.0, w), (3.0, 0.0))):
        assert ((corner, foot) in pairs) is found
        assert ((foot, corner) in pairs) is found  # and the other way round
    assert len(a) % 2 == 0
    assert all(math.dist(p, q) <= 3.0 + 2e-6 for p, q in pairs)


def test_of_round_things_there_are_no_corners():
    assert len(_narrows(gap(2.9, rho=0.6), SPACING)[0]) == 0  # grown by more than the mover is wide
    assert len(_narrows(gap(2.9, rho=0.5), SPACING)[0]) > 0
    roof = grown([(sbg.polygon([(0, 20), (4, 20), (4, 24), (0, 24)]), 0.0)])
    other = grown([(sbg.polygon([(0, 14), (4, 14), (4, 17.1), (0, 17.1)]), 0.0)])
    between = gap(2.9, firm=roof)
    between.brim = other
    a, b = _narrows(between, SPACING)  # of a roof and the brim of a gap: sides of both, not of what is grown
    assert len(a) > 0
    assert np.concatenate([a, b])[:, 1].min() >= 14.0


@pytest.fixture(scope="module")
def builder():
    hedge = {"tags": ["obstacle"], "line": [(12, 8), (12, 16)], "thickness": 0.4, "height": 1}
    models = {"m": {"at": (6, 12), "base": 1, "height": 1.5, "move": 20}}
    table = sbg.Table(24, 24, models=models, terrain={"hedge": hedge})
    found = GraphBuilder(make_surroundings(table, table.model("m"), reach=20.0), None, 0.3, 20.0)
    found.net = found.build()
    return found


def sampled(builder):
    """The samples of the rim on which a jump begins: all round the hedge."""
    return np.flatnonzero((builder.nodes.kind == SAMPLE) & np.isin(builder.nodes.ref, builder.net.rim_of(0, near=True)))


def test_lines_meet_a_rim_beyond_where_they_begin(builder):
    near = sampled(builder)
    a = np.array([[9.0, 11.0], [9.0, 11.0], [9.0, 30.0], [14.0, 12.0]])
    b = np.array([[8.0, 10.5], [10.0, 11.5], [8.0, 30.0], [15.0, 12.0]])
    p, piece, u = _met(builder, near, a, b)
    assert p[0].tolist() == pytest.approx([11.3, 12.15])
    assert p[3].tolist() == pytest.approx([12.7, 12.0])  # from beyond as well
    assert np.isnan(p[1:3]).all() or not np.isfinite(p[1:3]).all(axis=1).any()
    for n in (0, 3):
        at = builder.pieces[piece[n]].at(np.array(u[n]))
        np.testing.assert_allclose(at, p[n], atol=1e-9)


def test_the_samples_beside_a_place_are_those_just_before_and_after_it(builder):
    near = sampled(builder)
    piece = int(np.bincount(builder.nodes.ref[near]).argmax())
    assert len(set(builder.nodes.ref[near].tolist())) > 2
    mine = near[builder.nodes.ref[near] == piece]
    marks = np.sort(builder.nodes.param[mine])
    for k in (0, 3, len(marks) - 2):
        mark = 0.3 * marks[k] + 0.7 * marks[k + 1]
        found = _beside(builder, near[::-1], piece, mark)
        want = [builder.pieces[piece].at(np.array(u)).tolist() for u in marks[k : k + 2]]
        np.testing.assert_allclose(found, want, atol=1e-9)
    first = _beside(builder, near, piece, marks[0] - 0.1)
    np.testing.assert_allclose(first, [builder.pieces[piece].at(np.array(marks[0]))], atol=1e-9)
    last = _beside(builder, near, piece, marks[-1] + 0.1)
    np.testing.assert_allclose(last, [builder.pieces[piece].at(np.array(marks[-1]))], atol=1e-9)


def test_samples_twice_as_close_are_those_there_are_and_the_middles_between_them():
    """What is asked of closer samples costs no more: none of the others is given up."""
    rims = Rims([segment((0.0, 0.0), (1.1, 0.0)), segment((0.0, 2.0), (0.2, 2.0))])
    row, u = rims.evenly(SPACING)
    row, u = each_once(row, u)
    closer = rims.halved(row, u, SPACING / 2)
    pairs = set(zip(*(part.tolist() for part in closer), strict=True))
    assert set(zip(row.tolist(), u.tolist(), strict=True)) < pairs
    assert closer[1][closer[0] == 0].tolist() == pytest.approx(np.linspace(0.0, 1.1, 11))
    assert closer[1][closer[0] == 1].tolist() == pytest.approx([0.0, 0.1, 0.2])
    assert [part.tolist() for part in rims.halved(*closer, SPACING / 2)] == [part.tolist() for part in closer]


@pytest.mark.parametrize(
    ("narrower", "aslant", "across"), [(0.0, 0.0, True), (0.01, 0.0, True), (0.03, 0.0, False), (0.0, 1e-3, False)]
)
def test_where_a_leap_leads_all_but_straight_across_alone_it_is_tried_all_along_parallel_sides(
    narrower, aslant, across
):
    """Between sides as far apart as a leap is long, or a little less, at places no farther apart than samples."""
    width = 3.0 - narrower
    sides = np.array([[3.0, 0.0, 13.0, 0.0], [3.0, width + aslant, 7.0, width]])
    body = Grown(sides, np.full(2, 0.5), owner=np.zeros(2, dtype=np.int64))
    a, b = _straight_across(way([], body=body, way=SimpleNamespace(longest=3.0)), SPACING)
    assert (len(a) > 0) is across
    if across:
        np.testing.assert_allclose(a[:, 0], b[:, 0])
        np.testing.assert_allclose(np.abs(a[:, 1] - b[:, 1]), width)
        at = np.unique(a[:, 0].round(6))
        assert (at.min(), at.max() > 6.7) == (3.0, True)
        assert np.diff(at).max() <= SPACING + 1e-6
