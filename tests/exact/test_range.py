"""What is left out because it stands too far away never matters, and what stands far away costs nothing."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.geometry.grown import grown
from sbg_sim.geometry.regions import Region, disc_region
from sbg_sim.solver.space.surroundings import make_surroundings
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.nearby import standing_near
from tests.benchmarks.reach_maps import ten_times
from tests.fuzz.scatter import Recipe, scatter

EXACT = 1e-9


def stage(*pieces, at=(10.0, 10.0), move=6.0, models=(), size=40.0, horizon=None):
    me = sbg.Model("me", at, 1.0, 1.5, move, "good")
    return sbg.Table(
        size,
        size,
        FrozenMap({m.id: m for m in (me, *models)}),
        FrozenMap({piece.id: piece for piece in pieces}),
        horizon=horizon,
    )


def sheer(name, shape):
    return sbg.Terrain(name, frozenset({"unscalable"}), shape)


def box(x0, y0, x1, y1):
    return sbg.polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


@pytest.mark.parametrize("seed", range(4))
def test_a_region_leaves_out_nothing_that_comes_near(seed):
    rng = np.random.default_rng(seed)
    start, end = rng.uniform(-5, 5, (2, 2)).tolist()
    total = math.dist(start, end) + float(rng.uniform(0.0, 6.0))
    region = Region(tuple(start), tuple(end), total, margin=0.5)
    p = rng.uniform(-15, 15, (4000, 2))
    inside = p[np.hypot(*(p - start).T) + np.hypot(*(p - end).T) <= total]
    angle, far, radius = rng.uniform(0, 2 * math.pi, len(inside)), rng.uniform(0, 1, len(inside)), 0.7
    # A disc whose rim is within the margin of a place inside, and a box with a side there.
    away = far[:, None] * (0.5 + radius) * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    x, y = (inside + away).T
    assert region.discs(x, y, np.full(len(x), radius)).all()
    x, y = (inside + away * 0.5 / (0.5 + radius)).T
    wide, high = rng.uniform(0, 4, (2, len(x)))
    assert region.boxes(np.stack([x, y - high / 2, x + wide, y + high / 2], axis=1)).all()


def test_a_disc_is_left_out_just_beyond_the_reach():
    near = disc_region((1.0, 2.0), 3.0, margin=0.5)
    x = np.array([1.0 + 3.0 + 0.5 + 0.25 - 1e-3, 1.0 + 3.0 + 0.5 + 0.25 + 1e-3])
    assert near.discs(x, np.full(2, 2.0), np.full(2, 0.25)).tolist() == [True, False]


def test_nine_copies_beside_the_table_leave_the_setting_as_it_was():
    table = scatter(3, Recipe(bases=30, pieces=12, size=24.0, enemies=0.3))
    me = table.model("me")
    one, ten = (make_surroundings(t, me, reach=6.0) for t in (table, ten_times(table)))
    assert [s.blocks for s in one.spaces] == [s.blocks for s in ten.spaces]
    assert [s.zones for s in one.spaces] == [s.zones for s in ten.spaces]
    assert 0 < len(one.spaces[0].blocks) < 30


@pytest.mark.parametrize("half", [1.0, 3.0, 9.0])
def test_the_way_round_a_wall_of_any_length(half):
    # Tangents to the circle of 1/2 + 1/10 about an end of the wall's middle line, and its rim between them.
    wall = sheer("wall", sbg.line([(12.0, 10.0 - half), (12.0, 10.0 + half)], 0.2))
    rho, apart = 0.5 + 0.1, math.hypot(2.0, half)
    tangent = math.sqrt(apart**2 - rho**2)
    wrapped = 2 * (math.pi - math.atan2(2.0, half) - math.acos(rho / apart))
    verdict = sbg.check(stage(wall, horizon=30.0), sbg.Move("me", (14.0, 10.0)))
    assert verdict.needed == pytest.approx(2 * tangent + rho * wrapped, abs=EXACT)
    assert verdict.answer == ("yes" if half == 1.0 else "no")


@pytest.mark.parametrize(("half", "horizon"), [(9.0, None), (3.0, 7.0)])
def test_beyond_the_horizon_a_bound_is_told(half, horizon):
    wall = sheer("wall", sbg.line([(12.0, 10.0 - half), (12.0, 10.0 + half)], 0.2))
    verdict = sbg.check(stage(wall, horizon=horizon), sbg.Move("me", (14.0, 10.0)))
    assert (verdict.answer, verdict.needed, verdict.at_most, verdict.margin) == ("no", None, None, None)
    assert verdict.at_least == (horizon or 12.0)
    assert f"needs at least {horizon or 12:g} in" in verdict.reason
    assert [(v.rule, v.blame) for v in verdict.violations] == [("MOV.3", ""), ("TER.5", "wall")]


@pytest.mark.parametrize(
    ("far", "words"),
    [(14.0, "at least 14 in and has 6 in"), (12 + 2 / 3, "at least 12.66665 in and has 6 in")],
)
def test_what_lies_beyond_the_horizon_needs_its_distance_or_more(far, words):
    # The way is open: it costs exactly what it is told to cost at least, and the number shown is never above it.
    verdict = sbg.check(stage(size=60.0), sbg.Move("me", (10.0 + far, 10.0)))
    assert verdict.reason == f"me to ({10 + far:g}, 10): no, needs {words}"
    assert [v.reason for v in verdict.violations] == [f"me needs {words}"]


def test_nothing_within_a_horizon_that_is_the_move_itself():
    wall = sheer("wall", sbg.line([(12.0, 9.0), (12.0, 11.0)], 0.2))
    verdict = sbg.check(stage(wall, move=4.5, horizon=4.5), sbg.Move("me", (14.0, 10.0)))
    assert verdict.at_least == 4.5
    assert verdict.reason.endswith("no, needs more than 4.5 in and has 4.5 in")


def test_a_place_walled_in_far_from_the_mover_cannot_be_reached_at_all():
    corners = [(30.0, 30.0), (36.0, 30.0), (36.0, 36.0), (30.0, 36.0), (30.0, 30.0)]
    verdict = sbg.check(stage(sheer("ring", sbg.line(corners, 0.2))), sbg.Move("me", (33.0, 33.0)))
    assert verdict.needed is None
    assert verdict.violations[0].blame == "ring"


def test_walls_met_one_after_another_are_all_gone_round():
    # Each wall hides the next from whoever looks only along the straight line.
    short = [sheer("a", box(15, 0, 15.5, 20)), sheer("b", box(20, 12, 20.5, 40)), sheer("c", box(25, 0, 25.5, 20))]
    table = stage(*short, at=(10.0, 10.0), horizon=60.0)
    verdict = sbg.check(table, sbg.Move("me", (30.0, 10.0)))
    whole = sbg.check(stage(*short, at=(30.0, 10.0), horizon=60.0), sbg.Move("me", (10.0, 10.0)))
    assert verdict.needed == pytest.approx(whole.needed, abs=EXACT)
    # Over the top of a, under b, over c: tangents between circles of half an inch about the corners.
    assert verdict.needed == pytest.approx(around(), abs=EXACT)


def around():
    """From (10, 10) over (15.25, 20), under (20.25, 12), over (25.25, 20) to (30, 10), by tight tangents."""
    r = 0.5
    corners = [((15.0, 20.0), -1), ((15.5, 20.0), -1), ((20.0, 12.0), 1), ((20.5, 12.0), 1)]
    corners += [((25.0, 20.0), -1), ((25.5, 20.0), -1)]
    total, heading, last = 0.0, None, ((10.0, 10.0), 0)
    for here in (*corners, ((30.0, 10.0), 0)):
        d = math.dist(last[0], here[0])
        off = here[1] * r - last[1] * r
        phi = math.atan2(here[0][1] - last[0][1], here[0][0] - last[0][0]) - math.atan2(
            off, math.sqrt(d * d - off * off)
        )
        if heading is not None:
            total += r * abs(math.remainder(phi - heading, 2 * math.pi))
        total += math.sqrt(d * d - off * off)
        heading, last = phi, here
    return total


def test_heights_far_away_are_not_asked_for():
    far = sbg.Terrain("far", frozenset({"obstacle"}), box(30, 30, 32, 32))
    near = sbg.Terrain("near", frozenset({"obstacle"}), box(12, 9, 13, 11))
    assert sbg.check(stage(far), sbg.Move("me", (14.0, 10.0))).answer == "yes"
    with pytest.raises(sbg.QuestionError, match=r"terrain\.near\.height is missing"):
        sbg.check(stage(near), sbg.Move("me", (14.0, 10.0)))


def test_what_is_derived_from_a_map_is_no_part_of_its_value():
    table = scatter(5, Recipe(bases=4, pieces=2))
    same = replace(table, models=FrozenMap(dict(table.models)), terrain=FrozenMap(dict(table.terrain)))
    sbg.check(table, sbg.Move("me", (13.0, 12.0)), alternatives=False)
    assert table == same
    assert hash(table.models) == hash(same.models)
    assert pickle.loads(pickle.dumps(table)) == table
    moved = table.having("m1", at=(1.0, 1.0))
    assert [m.id for m in standing_near(moved, disc_region((1.0, 1.0), 0.0))] == ["m1"]


@pytest.mark.parametrize("seed", range(3))
def test_the_quick_look_at_places_says_what_the_distance_says(seed):
    rng = np.random.default_rng(seed)
    shapes = [piece.shape for piece in scatter(seed, Recipe(bases=0, pieces=14, size=16.0)).terrain.values()]
    shapes += [sbg.circle(tuple(rng.uniform(0, 16, 2)), 0.4) for _ in range(8)]
    shapes += [sbg.polygon([(0, 0), (6, 0), (6, 6), (0, 6)], [[(1.5, 1.5), (5, 1.5), (5, 5), (1.5, 5)]])]
    body = grown((shape, 0.5) for shape in shapes)
    p = rng.uniform(-1, 17, (3000, 2))
    for slack in (0.0, 1e-6, 0.3):
        assert (body.clears(p, slack) == (body.clearance(p) >= -slack)).all()
