"""Levels and what leads over between them, by brute force: rims stood within, zones minded, what a leap leads over."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.arrays import unit
from sbg_sim.geometry.grown import grown
from sbg_sim.geometry.rims import Rims
from sbg_sim.rules.zones import Zone
from sbg_sim.solver.path.routes import beginnings
from sbg_sim.solver.space import rings, transitions
from sbg_sim.solver.space.rim_pairs import inner_rim, over_face
from sbg_sim.solver.space.surroundings import make_surroundings
from tests.solver.stage import net

# -- what a leap leads over --------------------------------------------------------------------------------------------

ROOF = [(0.0, 0.0), (4.0, 0.0), (4.0, 3.0), (2.5, 1.5), (0.0, 3.0)]
GAP = [(0.5, 3.5), (2.0, 2.6), (5.0, 3.4), (5.0, 6.0), (3.0, 4.5), (0.5, 6.0)]


def leapt(p, q, roof, gap, *, beside):
    """By steps: from where a chord first leaves the roof to where it last leaves the gap, or to beside its corner."""
    share = np.linspace(0, 1, 8001)
    at = p + share[:, None] * (q - p)
    on, over = (shapely.contains_xy(shapely.Polygon(shape), *at.T) for shape in (roof, gap))
    if over.any():
        end = share[np.flatnonzero(over)[-1]]
    elif beside:
        d = (q - p) / np.hypot(*(q - p))
        off = np.array(gap) - p
        k = np.abs(off @ [-d[1], d[0]]).argmin()
        end = float(np.clip(off[k] @ d / np.hypot(*(q - p)), 0, 1))
    else:
        end = 0.0
    leave = 1.0 if on.all() else share[int(np.argmin(on))]
    return max(end - leave, 0.0) * float(np.hypot(*(q - p)))


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_a_leap_leads_from_where_it_leaves_the_roof_to_where_it_leaves_the_gap(seed, beside):
    rng = np.random.default_rng(seed)
    p, q = rng.uniform((0, 0), (4, 1.5), (80, 2)), rng.uniform((-1, 2), (6, 7), (80, 2))
    roof, gap = (grown([(sbg.polygon(shape), 0.0)]) for shape in (ROOF, GAP))
    found = transitions._from_roof_to_brim(p, q, roof, gap, beside=beside)
    true = [leapt(a, b, ROOF, GAP, beside=beside) for a, b in zip(p, q, strict=True)]
    np.testing.assert_allclose(found, true, atol=4e-3)
    assert (found > 0.5).sum() > 20
    assert beside or (found == 0).sum() > 5


@pytest.mark.parametrize("kind", ["jump", "climb-over", "climb"])
def test_lower_bounds_and_lengths_hold_for_every_chord(kind):
    rng = np.random.default_rng(3)
    p, q = rng.uniform(-4, 4, (2, 200, 2))
    way = SimpleNamespace(horizontal=kind == "jump", kind=kind, cost=1.5)
    bog = grown([(sbg.polygon([(-1, -1), (2, -1), (0, 3)]), 0.0)])
    here = SimpleNamespace(radius=0.5)
    over = SimpleNamespace(way=way, here=here, difficult=bog)
    cost = transitions.Transition.cost(over, p, q)
    long = np.hypot(*(q - p).T)
    assert (transitions.Transition.at_least(over, long) <= cost + 1e-12).all()
    factor = transitions.Transition.length_per_cost.fget(over)
    if kind == "jump":
        share = np.linspace(0, 1, 4001)[:, None, None]
        inside = ~bog.clears((p + share * (q - p)).reshape(-1, 2), 0.0).reshape(4001, 200)
        np.testing.assert_allclose(cost, long * (1 + inside.mean(axis=0)) + 1.5, atol=5e-3)
        assert factor == 1
        none = transitions.Transition.cost(over, p, q, grown(()))
        np.testing.assert_allclose(none, long + 1.5)
    elif kind == "climb-over":  # two bases at either end are free
        np.testing.assert_allclose(cost, np.maximum(long - 2.0, 0.0) + 1.5)
        assert factor == pytest.approx(2.0 / 1.5)
        assert (np.maximum(long, 2.0) <= factor * np.maximum(cost, 1.5) + 1e-12).all()
    else:
        assert cost.tolist() == [1.5] * 200
        assert factor == pytest.approx(2.0 / 1.5)
    dear = SimpleNamespace(way=SimpleNamespace(horizontal=False, cost=5.0), here=here)
    assert transitions.Transition.length_per_cost.fget(dear) == 1.0


@pytest.mark.parametrize("seed", range(4))
def test_a_climb_begins_at_the_side_it_first_crosses(seed):
    """Chords from about a square out of it, aslant: open where the first side they cross is one the base touches."""
    rng = np.random.default_rng(seed)
    corners = np.array([(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)])
    sides = np.concatenate([corners, np.roll(corners, -1, axis=0)], axis=1)
    over = SimpleNamespace(sides=sides, least=1.0, here=SimpleNamespace(radius=0.5))
    over.aslant = lambda p, q: transitions.Transition.aslant(over, p, q)
    k = rng.integers(0, 4, 200)
    a, b = corners[k], np.roll(corners, -1, axis=0)[k]
    out = np.array([(0, -1), (1, 0), (0, 1), (-1, 0)])[k]
    p = a + rng.uniform(-0.1, 1.1, (200, 1)) * (b - a) + 0.5 * out
    q = rng.uniform(0.5, 3.5, (200, 2))
    found = transitions.Transition._at_its_side(over, p, q)
    lines = [shapely.LineString([s[:2], s[2:]]) for s in sides]
    for n in range(200):
        chord = shapely.LineString([p[n], q[n]])
        met = [(shapely.Point(p[n]).distance(chord.intersection(line)), line) for line in lines if chord.crosses(line)]
        least = min(away for away, _ in met)
        touched = [line for away, line in met if away < least + 1e-9]
        # Of the line through a side, as far as it reaches: a base at its corner touches it too.
        want = any(
            abs((p[n][0] if line.coords[0][0] == line.coords[1][0] else p[n][1])
                - (line.coords[0][0] if line.coords[0][0] == line.coords[1][0] else line.coords[0][1])) <= 0.5 + 1e-9
            for line in touched
        )  # fmt: skip
        assert found[n] == want or math.dist(p[n], q[n]) <= 1.0
    straight = a + 0.5 * (b - a) + 0.5 * out
    assert transitions.Transition._at_its_side(over, straight, straight - out).all()
    over.sides = None
    assert transitions.Transition._at_its_side(over, p, q).all()


# -- zones that straights mind -----------------------------------------------------------------------------------------


def minds(space, p, q, bound, ends_bound):
    """By steps along a line: no zone is entered but that of whom it charges, and none it starts in more deeply."""
    if bound and not ends_bound:
        return False, False
    share = np.linspace(0, 1, 4001)
    at = p + share[:, None] * (q - p)
    target, tight = space.target, False
    if ends_bound and target is not None:
        if space.stays and not target.reaches(q[None])[0]:
            return False, abs(math.dist(q, target.at) - target.radius) < 1e-2
        if not bound:
            within = target.reaches(at)
            if not within.any():
                return False, abs(target.apart(at).min() - target.radius) < 1e-2
            at = at[: int(np.argmax(within)) + 1]
    if bound:
        return True, False
    ok = True
    for zone in space.zones:
        if zone is target and ends_bound:
            continue
        starts_in = zone.stuck and math.dist(p, zone.at) < zone.radius
        bar, away = (zone.closest if starts_in else zone.radius), zone.apart(at)
        ok &= bool(away.min() >= bar - 1e-6)
        tight |= abs(away.min() - bar) < 1e-2
        if starts_in and space.monotone:
            ok &= bool((q - p) @ (p - zone.at) >= -1e-6)
    return ok, tight


@pytest.mark.parametrize("charging", [None, "foe", "near"])
@pytest.mark.parametrize("stays", [True, False])
@pytest.mark.parametrize("monotone", [True, False])
def test_straights_mind_zones_as_steps_along_them_do(charging, stays, monotone):
    rng = np.random.default_rng(7)
    foe, near = Zone("foe", (3.0, 0.0), 1.5, 0.0), Zone("near", (-1.0, 0.5), 2.0, 1.1)
    other = Zone("other", (1.0, 4.0), 1.2, 0.0)
    target = {"foe": foe, "near": near}.get(charging)
    space = replace(net().spaces[0], zones=(foe, near, other), target=target, stays=stays, monotone=monotone)
    p, q = rng.uniform(-4, 6, (2, 600, 2))
    p[:200] = np.array(near.at) + rng.uniform(1.1, 2.0, (200, 1)) * unit(rng.uniform(0, math.tau, 200))
    one, two = rng.random((2, 600)) < 0.4
    if charging is None:
        one[:] = two[:] = False
    found = space.minds_zones(p, q, one, two)
    told = 0
    for k in range(600):
        want, tight = minds(space, p[k], q[k], bool(one[k]), bool(two[k]))
        if not tight:
            assert found[k] == want, (p[k], q[k], one[k], two[k])
            told += 1
    assert told > 450
    assert 40 < found.sum() < 560


def test_on_another_level_zones_that_were_left_are_closed_again():
    """Who stands within a zone there when it comes over minds its whole radius, but that of whom it charges."""
    near, far = Zone("near", (0.0, 0.0), 2.0, 1.0), Zone("far", (9.0, 0.0), 1.5, 0.0)
    p, q = np.array([[0.0, 1.2], [0.0, 2.5], [-3.0, 2.1]]), np.array([[0.0, 3.0], [0.0, 4.0], [3.0, 2.1]])
    free, bound = np.zeros(3, dtype=bool), np.ones(3, dtype=bool)
    for zone, target, after, want in (
        (near, None, free, [False, True, True]),
        (replace(near, reopened=True), None, free, [True, True, True]),
        (near, near, bound, [True, False, False]),  # entered at the same instant; those do not enter it at all
        (replace(near, closest=0.0), None, free, [False, True, True]),
    ):
        space = replace(net().spaces[0], zones=(zone, far), target=zone if target else None, stays=False)
        assert transitions._minds_zones_there(space, p, q, free, after).tolist() == want


# -- rims of levels ----------------------------------------------------------------------------------------------------

SHAPES = {
    "square": [(0, 0), (4, 0), (4, 3), (0, 3)],
    "ell": [(0, 0), (6, 0), (6, 2.2), (2.4, 2.2), (2.4, 6), (0, 6)],
    "dart": [(0, 0), (5, 1), (0, 6), (1.8, 2.2)],
}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("margin", [0.0, 0.3, 0.5])
def test_the_rim_a_base_stands_within_is_the_outline_shrunk(name, margin):
    shape, whole = sbg.polygon(SHAPES[name]), shapely.Polygon(SHAPES[name])
    rim = Rims(inner_rim(shape, margin))
    inner = whole.buffer(-margin, quad_segs=256)
    assert float(rim.length.sum()) == pytest.approx(inner.length, rel=1e-4)
    for k in range(len(rim.length)):
        at = rim.at(np.full(9, k), np.linspace(0, rim.length[k], 9))
        np.testing.assert_allclose(shape.depth(at), -margin, atol=1e-9)
        if not margin:  # its normal leads onto the top
            normal = rim.frame(np.array([k]), np.array([rim.length[k] / 2]))[1]
            assert shape.contains(at[[4]] + 1e-3 * normal)[0]
            assert not shape.contains(at[[4]] - 1e-3 * normal)[0]


@pytest.mark.parametrize(("wide", "pieces"), [(0.5 - 1e-3, 0), (0.5, 1), (0.5 + 1e-3, None)])
def test_on_a_top_just_as_wide_as_its_base_one_place_is_left(wide, pieces):
    disc, square = (
        sbg.circle((2.0, 1.0), wide),
        sbg.polygon([(2 - wide, 1 - wide), (2 + wide, 1 - wide), (2 + wide, 1 + wide), (2 - wide, 1 + wide)]),
    )
    for shape in (disc, square):
        rim = inner_rim(shape, 0.5)
        assert pieces is None or len(rim) == pieces
        if pieces == 1:
            assert rim[0].length == 0
            assert rim[0].start == pytest.approx((2.0, 1.0), abs=1e-6)
        if pieces is None:
            long = sum(piece.length for piece in rim)
            assert long == pytest.approx((math.tau if shape is disc else 8.0) * 1e-3)


@pytest.mark.parametrize(("face", "over"), [((0.5, 1.7), 1.2), ((-1.0, 1.0), 0.5), ((5.2, 9.0), 0.3)])
def test_over_a_face_one_may_stand_from_the_end_of_a_side(face, over):
    """A side of five inches where one stands, from (1/2, 1/2), is cut where the face ends or begins."""
    rim = inner_rim(sbg.polygon([(0, 0), (6, 0), (6, 4), (0, 4)]), 0.5)
    (side,) = (
        piece for piece in rim if abs(piece.start[1] - 0.5) + abs(piece.at(np.array([piece.length]))[0, 1] - 0.5) < 1e-9
    )
    (part,) = over_face([side], sbg.polygon([(face[0], 0), (face[1], 0), (face[1], 1), (face[0], 1)]))
    assert part.length == pytest.approx(over)


def test_over_a_face_one_stands_where_it_is_below():
    """A rim of six inches, over a face that is three of them wide: cut at the face's corners."""
    rim = inner_rim(sbg.polygon([(0, 0), (6, 0), (6, 4), (0, 4)]), 0.5)
    face = sbg.polygon([(1.5, 0), (4.5, 0), (4.5, 1.0), (1.5, 1.0)])
    parts = over_face(rim, face)
    ends = np.sort(Rims(parts).ends.reshape(-1, 2), axis=0)
    assert sum(part.length for part in parts) == pytest.approx(3.0)
    np.testing.assert_allclose(ends[[0, -1]], [[1.5, 0.5], [4.5, 0.5]])


@pytest.mark.parametrize("x", [-1.5, 0.0, 1.0, 2.4])
def test_over_a_face_that_ends_amid_an_arc_one_stands_up_to_there(x):
    """On a round top of three inches, two and a half from its middle: along a circle, of which a chord is cut off."""
    rim = inner_rim(sbg.circle((0.0, 0.0), 3.0), 0.5)
    parts = over_face(rim, sbg.polygon([(x, -4), (4, -4), (4, 4), (x, 4)]))
    assert sum(part.length for part in parts) == pytest.approx(2.5 * 2 * math.acos(x / 2.5))
    assert Rims(parts).ends[..., 0].max() <= 2.5
    assert all(part.at(np.linspace(0, part.length, 50))[:, 0].min() >= x - 1e-9 for part in parts)


def test_over_a_face_that_ends_aslant_one_stands_up_to_there():
    """Its back runs from two inches behind the front to nothing: half an inch behind it three quarters of the way."""
    rim = inner_rim(sbg.polygon([(0, 0), (8, 0), (8, 6), (0, 6)]), 0.5)
    parts = over_face(rim, sbg.polygon([(0, 0), (8, 0), (0, 2)]))
    front = [part for part in parts if abs(part.at(np.array([part.length / 2]))[0, 1] - 0.5) < 1e-9]
    np.testing.assert_allclose(np.sort(Rims(front).ends.reshape(-1, 2)[:, 0]), [0.5, 6.0], atol=1e-9)
    left = [part for part in parts if part not in front]
    assert sum(part.length for part in left) == pytest.approx((2 - 0.5 / 4) - 0.5)  # at x = 1/2 it is so deep


@pytest.mark.parametrize(("wide", "over"), [(1.0, True), (0.5, True), (0.4, False)])
def test_the_one_place_on_a_top_is_over_a_face_or_is_not(wide, over):
    rim = inner_rim(sbg.polygon([(0, 0), (1, 0), (1, 1), (0, 1)]), 0.5)
    assert [piece.length for piece in rim] == [0.0]
    assert over_face(rim, sbg.polygon([(0, 0), (wide, 0), (wide, 1), (0, 1)])) == (rim if over else ())


# -- rings beside enemies in whose zone one starts ---------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_on_a_circle_one_comes_nearer_to_another_until_it_turns_away(seed):
    rng = np.random.default_rng(seed)
    zones = [Zone(f"z{k}", tuple(rng.uniform(-2, 2, 2).tolist()), 2.0, 1.0) for k in range(2)]
    centre, rho = rng.uniform(-2, 2, (3, 2)), rng.uniform(0.5, 2, 3)
    circle, angle = rings._turning_points(zones, centre)
    assert np.bincount(circle).tolist() == [4, 4, 4]
    turn = np.linspace(0, math.tau, 20001)
    for k in range(3):
        at = centre[k] + rho[k] * unit(turn)
        mine = angle[circle == k]
        for zone in zones:
            away = zone.apart(at)
            for extreme in (away.argmin(), away.argmax()):
                off = np.abs((mine - turn[extreme] + math.pi) % math.tau - math.pi)
                assert off.min() < 1e-3
        where = rng.uniform(0, math.tau, 50)
        inner = rng.integers(0, 4, 50)
        found = rings._nearer(zones, np.tile(centre[k], (50, 1)), where, inner)
        for way, sign in enumerate((1, -1)):
            step = 1e-5 * sign
            for n in range(50):
                drops = [
                    zone.apart(centre[k] + rho[k] * unit(where[n] + step))
                    - zone.apart(centre[k] + rho[k] * unit(where[n]))
                    for zone in zones
                ]
                held = [bool(inner[n] >> j & 1) for j in (0, 1)]
                if min(map(abs, drops)) > 1e-8:
                    assert found[way, n] == any(h and d < 0 for h, d in zip(held, drops, strict=True))


def test_which_zones_a_place_lies_in_is_told_as_bits():
    zones = [Zone("a", (0.0, 0.0), 2.0, 1.0), Zone("b", (1.0, 0.0), 1.0, 0.5), Zone("c", (9.0, 0.0), 1.0, 0.5)]
    p = np.array([[1.0, 0.0], [-1.0, 0.0], [9.0, 0.0], [5.0, 5.0], [2.5, 0.0]])
    assert rings._inner(zones, p).tolist() == [3, 1, 4, 0, 0]


def test_arcs_that_are_alike_are_one_and_between_closed_ones_nothing_changes():
    """Two circles: of the first the arcs differ now and then, of the second they are all alike."""
    open_ = np.array([[1, 1, 0, 0, 1, 1, 1, 1], [1, 1, 0, 0, 1, 1, 1, 1]], dtype=bool)
    weight = np.array([1.0, 1.0, 1.0, 2.0, 2.0, 1.0, 1.0, 1.0])
    inner, nearer = np.zeros(8, dtype=np.int64), np.zeros((2, 8), dtype=bool)
    first = np.array([0, 5, 8])
    # Weight 2 comes to weight 1 where the circle closes; the second circle keeps its first arc alone.
    want = [True, False, True, False, True, True, False, False]
    assert rings._changes(open_, weight, inner, nearer, first).tolist() == want
    marked = inner.copy()
    marked[1] = 1
    assert rings._changes(open_, weight, marked, nearer, first).tolist() == [
        True,
        True,
        True,
        False,
        True,
        True,
        False,
        False,
    ]
    turned = nearer.copy()
    turned[1, 6] = True
    assert rings._changes(open_, weight, inner, turned, first).tolist()[5:] == [False, True, True]
    shut = np.zeros((2, 3), dtype=bool)
    assert not rings._changes(shut, np.array([1.0, 2.0, 1.0]), inner[:3], nearer[:, :3], np.array([0, 3])).any()


# -- who hangs on a face -----------------------------------------------------------------------------------------------


def hung(terrain, at, climbed, *, charging=None, models=(), height=1.5, **given):
    me = {"at": at, "base": 1, "height": height, "move": 6, "climbed": climbed, "side": "good"}
    table = sbg.Table(20, 20, models={"m": me, **dict(models)}, terrain={"t": terrain}, **given)
    mover = table.model("m")
    around = make_surroundings(table, mover, reach=6.0, charging=charging)
    return list(beginnings(table, mover, around, charging=charging is not None))


TOP = {"tags": ["platform"], "polygon": [(0, 8), (20, 8), (20, 16), (0, 16)], "height": 3.0}


@pytest.mark.parametrize(("climbed", "way", "cost"), [(1.0, "down", 0.0), (2.0, "descend", 4.0)])
def test_who_hangs_on_a_face_begins_down_or_on_up(climbed, way, cost):
    """Down by no more than its height it drops freely (FALL.1); what is left of three inches it climbs."""
    last = ((route.legs[-1], there, bound) for route, there, bound in hung(TOP, (10, 7.5), climbed))
    told = [(leg.kind, leg.cost, there.at, there.on, there.climbed, bound) for leg, there, bound in last]
    up = [one for one in told if one[0] == "climb"]
    assert up == [("climb", pytest.approx(2 * (3 - climbed)), (10.0, 8.5), "t", 0.0, False)]
    assert [one for one in told if one[0] != "climb"] == [(way, cost, (10.0, 7.5), None, 0.0, False)]


def test_who_is_small_climbs_on_a_low_face():
    """Half an inch tall on a face of nine tenths."""
    found = hung(TOP | {"height": 0.9}, (10, 7.5), 0.3, height=0.5)
    (leg,) = [route.legs[-1] for route, _, _ in found if route.legs[-1].kind == "climb"]
    assert leg.cost == pytest.approx(2 * 0.6)


def test_on_a_side_one_climbs_on_straight_across_it():
    found = hung(TOP | {"polygon": [(0, 8), (10, 8), (10, 16), (0, 16)]}, (10.5, 12.0), 1.0)
    assert {there.at for route, there, _ in found if route.legs[-1].kind == "climb"} == {(9.5, 12.0)}


def test_who_charges_from_a_face_may_come_up_bound():
    foe = {"at": (10, 10.2), "base": 1, "height": 1.5, "side": "evil", "on": "t"}
    free, charged = (hung(TOP, (10, 7.5), 1.0, charging=name, models={"foe": foe}) for name in (None, "foe"))
    assert not [there for route, there, _ in free if route.legs[-1].kind == "climb"]  # it would come into the zone
    assert [(there.on, bound) for route, there, bound in charged if route.legs[-1].kind == "climb"] == [("t", True)]
