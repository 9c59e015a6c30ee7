"""The normal form of paths: a place just where a rim is crossed, and none where nothing bends."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.geometry.grown import grown
from sbg_sim.geometry.pieces import rim_pieces
from sbg_sim.solver.path import type_search
from sbg_sim.solver.path.gathering import gather
from sbg_sim.solver.path.normal_form import (
    _gaps,
    _left_out,
    normal,
    weighed_ahead,
    without_idle,
)
from sbg_sim.solver.path.paths import Fixed, Slide, Wrap
from sbg_sim.tolerance import ROUNDING
from tests.solver.stage import STRIP, level, net, path, ring


def strip():
    difficult = grown([(STRIP, 0.5)])
    return net(rim_pieces(difficult), difficult=difficult)


def test_the_normal_form_has_a_place_just_where_a_rim_is_crossed():
    here = strip()
    (found,) = normal(here, [path(Fixed((0, 0)), Fixed((8, 8)))])
    assert [type(e) for e in found.elements] == [Fixed, Slide, Slide, Fixed]
    assert [link.weight for link in found.links] == [1.0, 2.0, 1.0]
    at = [here.pieces[e.piece].at(np.array(e.u)).tolist() for e in found.elements[1:3]]
    np.testing.assert_allclose(at, [(1.5, 1.5), (4.5, 4.5)], atol=1e-12)
    assert normal(here, [found]) == [found]


def test_the_normal_form_leaves_out_places_where_nothing_bends():
    here = strip()
    rim = next(j for j, p in enumerate(here.pieces) if not p.radius and p.start[1] == pytest.approx(1.5))
    bent = path(Fixed((0, 0)), Slide(rim, 20.0), Slide(rim, 25.0), Fixed((9, 0)))
    (found,) = normal(here, [bent])
    assert found == path(Fixed((0, 0)), Fixed((9, 0)))
    aside = path(Fixed((0, 0)), Fixed((5, 0)), Fixed((9, 0)))
    assert normal(here, [aside, bent, aside]) == [aside, found, aside]


@pytest.mark.parametrize(("round_", "weight"), [(True, 2.0), (False, 1.0)])
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_a_link_of_no_length_weighs_what_it_comes_to_lead_over(round_, weight, share):
    """Along a round corner of difficult ground its chord leads through that, along a side it leads beside it."""
    here = strip()
    j = next(j for j, p in enumerate(here.pieces) if bool(p.radius) is round_)
    u = share * here.pieces[j].length
    at = Fixed(tuple(here.pieces[j].at(np.array(u)).tolist()))
    still = path(Fixed((0, 0)), at, Slide(j, u), Fixed((9, 9)), weights=[1.0, 3.0, 1.0])
    alike = replace(still, elements=(*still.elements[:2], at, Fixed((9, 9))))
    found, same = weighed_ahead(here, [still, alike])
    assert [link.weight for link in found.links] == [1.0, weight, 1.0]
    assert same == alike  # nothing slides


def test_one_piece_of_a_rim_is_crossed_twice_in_a_row_at_most():
    """Along a rim crossings that rounding makes became more with every round of polishing."""
    along = [Slide(0, u) for u in (20.0, 21.0, 22.0, 23.0)]
    (found,) = normal(
        net([level(2.0)]), [path(Fixed((0, 0)), *along, Fixed((9, 8)), weights=[1.0, 2.0, 1.0, 2.0, 1.0])]
    )
    assert found.elements == (Fixed((0, 0)), along[0], along[-1], Fixed((9, 8)))


def bare(*pieces, rings=()):
    """A surface without difficult ground, whose pieces are rims of ways over."""
    here = net(pieces, rings)
    here.difficult_pieces = 0
    return here


A, B, C = Fixed((0, 0)), Fixed((3, 0)), Fixed((9, 0))


@pytest.mark.parametrize(
    ("elements", "left"),
    [
        ((A, Slide(0, 20.0), C), (A, C)),  # a sample of a rim that is not gone over
        ((A, B, B, C), (A, B, C)),
        ((A, A, C), (A, C)),  # no way at all to begin with
        ((A, C, C), (A, C)),
        ((A, Wrap(0, 1), Slide(0, 20.0), Wrap(0, 1), C), (A, Wrap(0, 1), C)),  # off a ring and back onto it
        ((A, Wrap(0, 1), Wrap(0, -1), C), (A, Wrap(0, 1), C)),
        ((A, B, Wrap(0, 1), B, C), (A, B, C)),  # round a ring from a place to that place
        ((A, Wrap(0, 1), Wrap(1, 1), C), (A, Wrap(0, 1), Wrap(1, 1), C)),
        ((A, B, C), (A, B, C)),
    ],
)
def test_nothing_is_stopped_at_where_nothing_bends(elements, left):
    here = bare(level(2.0), rings=[ring(3.0, 3.0, 1.0), ring(6.0, 3.0, 0.5)])
    assert normal(here, [path(*elements)])[0].elements == left


def linked(*elements, over=(), bound=()):
    """A path some links of which are ways over, or come to be bound."""
    plain = path(*elements)
    links = [
        replace(link, transition=0 if i in over else -1, bound=(False, True) if i in bound else link.bound)
        for i, link in enumerate(plain.links)
    ]
    return replace(plain, links=tuple(links))


def test_samples_between_ways_over_stay():
    here = bare(level(2.0))
    lands = linked(A, Slide(0, 19.0), Slide(0, 21.0), C, over=[1])
    assert normal(here, [lands]) == [lands]
    between = linked(A, B, B, C, over=[0, 2])
    assert normal(here, [between]) == [between]
    after = linked(A, B, C, C, over=[1])
    assert normal(here, [after]) == [after]  # the end may follow where the way over began
    before = linked(A, A, B, C, over=[1])
    assert normal(here, [before])[0].elements == (A, B, C)


def test_a_place_where_a_path_comes_to_be_bound_stays():
    here = bare()
    entering, staying = linked(A, C, C, bound=[1]), linked(A, C, C)
    assert [found.elements for found in normal(here, [entering, staying])] == [(A, C, C), (A, C)]


@pytest.mark.parametrize("turn", [-1, 1])
@pytest.mark.parametrize(("start", "touches"), [((0.0, 0.0), (3.8, 0.9)), ((5.0, 0.0), (3.8, 0.9))])
def test_the_ring_of_a_rim_is_joined_by_a_tangent_from_its_open_side(start, touches, turn):
    """From within the ground a path comes out just there, and stays."""
    disc = grown([(sbg.circle((5.0, 0.0), 1.0), 0.5)])
    pieces = rim_pieces(disc)
    here = net(pieces, [ring(5.0, 0.0, 1.5)], disc)
    place = Slide(0, float(pieces[0].nearest(touches)[0]))
    onto = path(Fixed(start), place, Wrap(0, turn), C)
    away = path(C, Wrap(0, -turn), place, Fixed(start))
    inner = [found.elements[1:-1] for found in normal(here, [onto, away])]
    if start == (5.0, 0.0):
        assert inner == [(place, Wrap(0, turn)), (Wrap(0, -turn), place)]
    else:
        assert inner == [(Wrap(0, turn),), (Wrap(0, -turn),)]


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("across", [False, True])
def test_what_is_left_out_behind_a_landing_where_the_way_ends(first, across):
    """A link of no length, where the landing may be moved; whichever way over it is, the first too."""
    here = net()
    here.transitions = [SimpleNamespace(way=SimpleNamespace(across=across))] * 2
    whole = path(Fixed((0, 0)), Fixed((3, 0)), Fixed((5, 0)), Fixed((5, 0)))
    links = (whole.links[0], replace(whole.links[1], transition=first), whole.links[2])
    short = replace(whole, elements=whole.elements[:-1], links=links[:-1])
    landing = replace(whole, links=links)
    left = [_left_out(landing, *gap) for gap in _gaps(here, landing, [False, False, True])]
    assert left == ([] if across else [short])


@pytest.fixture(scope="module")
def sampled():
    """Ways as they were sampled from one side of difficult ground, hedges and a base to the other; and their graph."""
    hedge = {"tags": ["obstacle"], "height": 1}
    table = sbg.Table(
        24,
        24,
        models={
            "me": {"at": [6, 12], "base": 1, "height": 1.5, "move": 10, "side": "good"},
            "post": {"at": [8, 11.4], "base": 1, "height": 1.5, "side": "good"},
        },
        terrain={
            "bog": {"tags": ["difficult"], "polygon": [[6.6, 11], [8, 9.5], [9.2, 12.6], [7.4, 13.2]]},
            "hedge": {**hedge, "polygon": [[9.6, 6], [9.8, 6], [9.8, 18], [9.6, 18]]},
            "wall": {**hedge, "polygon": [[11.6, 9], [11.8, 9], [12.2, 12], [11.8, 15], [11.6, 15], [12, 12]]},
        },
    )
    seen = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type_search, "without_idle", lambda *given: (seen.append(given), without_idle(*given))[1])
        sbg.check(table, sbg.Move("me", (14.0, 12.3)))
    return [(here, path) for here, paths in seen for path in paths if path.over]


def without_one(here, path):
    """A path without each of what may be idle."""
    gaps = _gaps(here, path, (gather(here, [path]).legs().length[0] <= ROUNDING).tolist())
    return [_left_out(path, *gap) for gap in gaps]


def test_of_what_is_left_nothing_is_idle(sampled):
    fewer = 0
    for here, way in sampled:
        (left,) = without_idle(here, [way])
        whole, bare = gather(here, [way, left]).cost()
        assert bare == pytest.approx(whole, abs=1e-8)
        others = gather(here, [left, *without_one(here, left)]).cost()
        assert (np.abs(others[1:] - others[0]) > ROUNDING).all()
        fewer += len(left.elements) < len(way.elements)
    assert fewer


def test_of_many_paths_what_is_idle_is_that_of_each(sampled):
    here = sampled[0][0]
    some = [way for net, way in sampled if net is here]
    assert without_idle(here, some) == [without_idle(here, [way])[0] for way in some]


@pytest.mark.parametrize(
    ("landing", "none"),
    [
        (Slide(0, 25.0), [False, False, True]),  # the end would slide along the rim it is landed on
        (Fixed((5, 2)), [False, False, False]),  # the last link leads on
    ],
)
def test_what_slides_or_leads_on_behind_a_landing_stays(landing, none):
    here = net([level(2.0)])
    here.transitions = [SimpleNamespace(way=SimpleNamespace(across=False))]
    whole = path(Fixed((0, 0)), Fixed((3, 0)), landing, Fixed((5, 2)))
    links = (whole.links[0], replace(whole.links[1], transition=0), whole.links[2])
    assert list(_gaps(here, replace(whole, links=links), none)) == []
    straight = path(Fixed((0, 0)), Fixed((5, 2)))
    assert list(_gaps(here, straight, [True])) == []


def test_what_is_left_out_behind_a_landing_may_be_all_but_the_way_over_itself():
    here = net()
    here.transitions = [SimpleNamespace(way=SimpleNamespace(across=False))]
    whole = path(Fixed((3, 0)), Fixed((5, 0)), Fixed((5, 0)))
    links = (replace(whole.links[0], transition=0), whole.links[1])
    landing = replace(whole, links=links)
    (gap,) = _gaps(here, landing, [False, True])
    found = _left_out(landing, *gap)
    assert (found.elements, found.links) == (whole.elements[:2], links[:1])
