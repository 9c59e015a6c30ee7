"""How much is done to draw a reach: counts of what is cast, laid over each other and polished, never times."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.geometry import areas
from sbg_sim.geometry.pieces import segment
from sbg_sim.geometry.rims import Rims
from sbg_sim.solver.field import bands, fans
from sbg_sim.solver.field.behind_rims import BehindRims
from sbg_sim.solver.field.candidates import Candidates
from sbg_sim.solver.field.cost_field import CostField
from sbg_sim.solver.field.cost_fields import CostFields
from sbg_sim.solver.field.exact_costs import ExactCosts
from sbg_sim.solver.field.runs import Runs
from sbg_sim.solver.space.configuration_space import Space
from tests.benchmarks.reach_maps import benchmark_table
from tests.fuzz.kinds import make

AMID_DIFFICULT_GROUND = (5, 12, 20)  # seeds of tables of 60 bases and 20 pieces whose mover stands there


def counted(monkeypatch, of, name, count):
    """Let a function go on as it does, and gather what ``count`` says of its arguments and its value."""
    known, found = getattr(of, name), []

    def counting(*args, **more):
        value = known(*args, **more)
        found.append(count(value, *args, **more))
        return value

    monkeypatch.setattr(of, name, counting)
    return found


def reach_of(seed):
    return sbg.reach(benchmark_table(60, 20, seed), "me")


@pytest.mark.parametrize("seed", AMID_DIFFICULT_GROUND)
def test_only_bands_are_laid_on_a_grid(monkeypatch, seed):
    laid = counted(
        monkeypatch, areas, "_laid", lambda _, parts, grid: (grid > 0, int(shapely.get_num_coordinates(parts).sum()))
    )
    area = reach_of(seed).area
    on_grid, plain = (sum(count for fine, count in laid if fine is which) for which in (True, False))
    assert area.is_valid
    assert 0 < on_grid < plain / 2


@pytest.mark.parametrize("seed", AMID_DIFFICULT_GROUND)
def test_bands_whose_rays_cross_end_there(monkeypatch, seed):
    drawn = counted(monkeypatch, bands, "_drawn", lambda found, *_: shapely.is_valid(found))
    cast = counted(monkeypatch, bands, "_cast", lambda found, *_: found.crossing[0].sum())
    assert reach_of(seed).area.area > 0
    assert sum(cast) > 0  # some do cross, and are drawn as triangles that are valid
    assert np.concatenate(drawn).mean() > 0.9


def bands_along(*corners):
    """Bands and bends of a straight rim in pieces between corners, by how far along: what a lamp beside it costs."""
    rims = Rims([replace(segment((a, 0.0), (b, 0.0)), normal=(0.0, 1.0)) for a, b in pairwise(corners)])
    piece, u = rims.evenly(0.0625)
    found, at, cost = bands.sampled_bands(rims, piece, u, np.hypot(rims.at(piece, u)[:, 0] - 0.7, 3.0))
    x = rims.at(found.piece, found.u)[..., 0]
    order = np.argsort(x[:, 0])
    return x[order], found.cost[order], found.slope[order], at, cost


def test_bands_go_on_from_piece_to_piece():
    """A smooth rim in many pieces is one rim: rays leave joints as they leave other places."""
    whole, parted = bands_along(0.0, 2.0), bands_along(0.0, 0.5, 0.625, 1.5, 2.0)
    for one, other in zip(whole, parted, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)
    assert whole[3].tolist() == [[0.0, 0.0], [2.0, 0.0]]


def lamps(at, radius=0.0, count=81):
    """Bands and bends along a rim, straight or an arc, that lamps light: each a place and what it costs there."""
    piece = replace(segment((0.0, 0.0), (2.0 if radius else 4.0, 0.0)), radius=radius)
    piece = replace(piece, toward=(0.0, 0.0)) if radius else replace(piece, normal=(0.0, 1.0))
    rims = Rims([piece])
    u = np.linspace(0.0, piece.length, count)
    on = np.zeros(count, dtype=np.int64)
    xy = rims.at(on, u)
    cost = np.min([c + np.hypot(*(xy - p).T) for p, c in at], axis=0)
    return bands.sampled_bands(rims, on, u, cost)


def test_at_a_lamp_on_a_rim_a_band_of_no_length_turns():
    found, at, _ = lamps([((1.0, 0.0), 0.5)])
    (k,) = np.flatnonzero(found.u[:, 0] == found.u[:, 1])
    assert found.u[k, 0] == pytest.approx(1.0)
    assert found.slope[k] == pytest.approx([-1.0, 1.0])
    assert len(at) == 2  # the ends of the rim alone need fans


def test_between_two_lamps_bands_meet_where_both_cost_the_same():
    found, at, _ = lamps([((0.31, 1.0), 0.5), ((3.7, 1.0), 0.5)])
    assert (found.u[:, 0] < found.u[:, 1]).all()
    (k,) = np.flatnonzero(found.met)
    assert found.u[k, 0] < (0.31 + 3.7) / 2 < found.u[k, 1]
    assert len(at) == 2


def test_along_a_rim_that_curves_slopes_are_those_of_the_cost():
    found, at, _ = lamps([((-2.0, 0.3), 0.0)], radius=0.5, count=41)
    x, y = 0.5 * np.cos(found.u / 0.5), 0.5 * np.sin(found.u / 0.5)
    true = (-(x + 2.0) * np.sin(found.u / 0.5) + (y - 0.3) * np.cos(found.u / 0.5)) / np.hypot(x + 2.0, y - 0.3)
    assert np.abs(found.slope - true)[2:-2].max() < 5e-3
    assert not found.met.any()
    assert len(at) == 2


def test_what_one_wall_bars_is_barred(monkeypatch):
    """Costs of rings are the same where ways from rims are polished that a wall bars between any two samples."""
    barred = counted(monkeypatch, BehindRims, "_barred", lambda found, *_: found.sum())
    quick = [reach_of(seed).certain.at(0, None).sharp[1] for seed in AMID_DIFFICULT_GROUND]
    assert sum(barred) > 0
    monkeypatch.setattr(BehindRims, "_barred", lambda behind, body, xy, every: np.zeros(len(every.row), dtype=bool))
    for cost, seed in zip(quick, AMID_DIFFICULT_GROUND, strict=True):
        np.testing.assert_allclose(cost, reach_of(seed).certain.at(0, None).sharp[1], atol=1e-9)


def test_samples_along_rims_cost_behind_dice_what_they_cost_without():
    """Among jumps the samples of difficult rims have exact costs before any die, not those of a search over them."""
    table, question = make("mounds", 9, small=True)
    found = sbg.reach(table, question.model)
    net, labels = found.fields.fine
    exact, rims = found.certain.at(0, None), found.certain.at(0, None).net.rims
    k = np.flatnonzero(net.on_ground & (labels.cost[0] < found.limit))
    known = exact.rims.between(rims, net.nodes.ref[k], net.nodes.param[k])
    k, known = k[np.isfinite(known)], known[np.isfinite(known)]
    assert len(k) > 50
    np.testing.assert_array_equal(labels.cost[0, k], known)
    some = k[:: len(k) // 25]
    np.testing.assert_allclose(exact.distance(net.nodes.xy[some]), labels.cost[0, some], atol=2e-5)


def test_the_area_behind_a_ragged_mound_holds_what_verdicts_say():
    """Past a mound of many corners that is jumped; costs of places beside the outline are those of single moves."""
    table, question = make("mounds", 99100004, small=True)
    at = (12.9719, 10.1135)
    verdict = sbg.check(table, sbg.Move(question.model, at))
    assert (verdict.answer, str(verdict.chance)) == ("chance", "1/6")
    assert verdict.needed < 3.0
    areas_by_chance = dict(sbg.reach(table, question.model).regions)
    assert areas_by_chance[verdict.chance].contains(shapely.Point(at))


def test_rays_that_end_at_one_thing_leave_their_chord():
    """Before a round base as wide as the window that a fan sees, all but its outermost rays are left out."""
    models = {
        "me": {"at": [6, 12], "base": 1, "height": 1, "move": 6, "side": "a"},
        "wide": {"at": [12, 12], "base": 6, "height": 1, "move": 6, "side": "a"},
    }
    table = sbg.Table(24, 24, models=models)
    reach = sbg.reach(table, "me")
    field = reach.certain.at(0, None)
    drawn = fans.RayFans(field, reach.limit)
    shapes = drawn._fans()
    disc = shapely.Point(12, 12).buffer(3.5 + 1e-3, quad_segs=96)
    xy = shapely.get_coordinates(shapes)
    own = np.hypot(*(xy - (12, 12)).T)
    at_start = np.hypot(*(xy - (6, 12)).T) < 1e-9
    # Places on the far rim come from starts of rays round it; of those on the near side two ends a fan are left.
    near = (np.abs(own - 3.5) < 1e-5) & (xy[:, 0] < 12 - 3.5 * math.cos(math.radians(40)))
    assert not at_start.all()
    assert near.sum() < 12
    assert reach.area.intersection(disc.buffer(-2e-3)).area < 1e-9


def test_rays_round_a_ring_are_as_far_apart_as_what_is_left_allows():
    def rays(move):
        table = sbg.Table(
            40,
            24,
            models={
                "me": {"at": [6, 12], "base": 1, "height": 1, "move": move, "side": "a"},
                "other": {"at": [11, 12], "base": 1, "height": 1, "move": 6, "side": "a"},
            },
        )
        reach = sbg.reach(table, "me")
        found = fans.RayFans(reach.certain.at(0, None), reach.limit)._ring_rays()
        return int((found.cost < 5.9).sum())

    # On one stretch of the ring chords stray by a share of what is left: 1.1 in from its first tangent on, or 13.
    assert rays(6.0) > 10
    assert rays(18.0) > 2.5 * rays(6.0)


def test_about_each_place_goes_one_fan(monkeypatch):
    """Where several pieces of rims meet, and samples, it is that of the cheapest."""
    rays = counted(monkeypatch, fans.RayFans, "_spot_rays", lambda found, *_: found.center)
    assert reach_of(5).area.area > 0
    assert len(rays) == 1
    assert len(np.unique(np.round(rays[0], 6), axis=0)) == len(rays[0])


@pytest.mark.parametrize("seed", AMID_DIFFICULT_GROUND)
def test_sampled_costs_of_a_few_places_are_told_in_few_looks(monkeypatch, seed):
    reach = reach_of(seed)
    field = reach.certain.at(0, None)
    angle = np.arange(48) * math.tau / 48
    places = np.array(reach.mover.at) + 4 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    want = field.distance(places, exact=(math.inf, math.inf))
    looks = counted(monkeypatch, Space, "straight", lambda found, *_: len(found))
    np.testing.assert_array_equal(field.distance(places, exact=(math.inf, math.inf)), want)
    assert len(looks) <= 3


@pytest.mark.parametrize("seed", AMID_DIFFICULT_GROUND)
def test_few_stretches_of_rims_are_looked_at_closer(monkeypatch, seed):
    looked = counted(monkeypatch, BehindRims, "_at", lambda found, *_: found[0].size)
    asked = counted(monkeypatch, BehindRims, "near", lambda _, behind, xy, *__: len(xy) * len(behind.spots))
    reach = reach_of(seed)
    every = np.stack(np.meshgrid(*(np.linspace(-6, 6, 40) + at for at in reach.mover.at)), axis=-1)
    assert np.isfinite(reach.distance(every)).any()
    assert sum(asked) > 10_000
    assert sum(looked) < sum(asked) / 2


def test_of_places_on_rings_few_are_asked(monkeypatch):
    """Those whose labels a rim may undercut, and those beside them: not all to which the start is in plain sight."""
    asked = counted(monkeypatch, CostField, "distance", lambda _, field, xy, **__: len(xy))
    on_rings = counted(monkeypatch, Runs, "along", lambda found, *_: len(found))
    for seed in AMID_DIFFICULT_GROUND:
        assert reach_of(seed).area.area > 0
    assert 0 < sum(asked) < sum(on_rings) / 10


@pytest.mark.parametrize("seed", [5, 12])
def test_where_places_are_few_several_crossings_are_polished_at_once(monkeypatch, seed):
    rounds = counted(monkeypatch, ExactCosts, "settled", lambda _, __, xy, best, work, *___: len(work.rows))
    along = counted(monkeypatch, ExactCosts, "along", lambda *_: len(rounds))
    within = counted(monkeypatch, BehindRims, "straight", lambda *_: len(rounds))
    assert reach_of(seed).area.area > 0
    assert len(within) == len(along) == 1
    assert along[0] <= 4  # along rims types of path spread from place to place, not beyond what is left
    assert len(rounds) - along[0] <= 2


def test_what_is_known_of_rims_and_rings_serves_every_window(monkeypatch):
    reach = reach_of(20)
    x, y = reach.mover.at
    wide = reach.near((x - 8, y - 8, x + 8, y + 8))
    whole = wide.area
    made = counted(monkeypatch, Runs, "along", lambda *_: 1)
    rims = counted(monkeypatch, BehindRims, "__init__", lambda *_: 1)
    box = (x - 3.0, y - 3.0, x + 3.0, y + 3.0)
    near = wide.near(box)
    less = near.near(box, less=1.0)
    parts = [shapely.clip_by_rect(area, *box) for area in (whole, near.area, less.area)]
    assert not made
    assert not rims
    assert parts[0].symmetric_difference(parts[1]).area < 1e-6
    assert less.limit == reach.limit - 1
    assert less.area.area < near.area.area


def test_only_places_that_are_reached_and_not_straight_ahead_are_polished(monkeypatch):
    """Beside a platform one steps down from, places seen from where the mover stands cost what they lie away."""
    step = {"tags": ["platform"], "height": 0.4, "polygon": [[13, 9], [16, 9], [16, 15], [13, 15]]}
    mire = {"tags": ["difficult"], "polygon": [[14, 16], [16, 16], [16, 18], [14, 18]]}
    models = {"me": {"at": [12, 6], "base": 1, "height": 1, "move": 9, "side": "a"}}
    table = sbg.Table(36, 24, models=models, terrain={"step": step, "mire": mire})
    reach = sbg.reach(table, "me")
    assert reach.certain.surroundings.transitions
    polished = counted(monkeypatch, ExactCosts, "polished", lambda _, __, xy, *___: xy)
    every = np.stack(np.meshgrid(np.linspace(1, 35, 60), np.linspace(1, 23, 60)), axis=-1).reshape(-1, 2)
    cost, away = reach.distance(every), np.hypot(*(every - (12, 6)).T)
    asked = np.concatenate(polished)
    assert (np.abs(cost - away) < 1e-9).sum() > 300
    assert 0 < len(asked) < (np.isfinite(cost) & (cost > away + 1e-9)).sum() + 100
    assert np.hypot(*(asked - (12, 6)).T).max() <= 9 + 1e-6


@pytest.mark.parametrize("seed", [12, 20])
def test_a_path_over_one_last_bend_is_looked_at_once_for_all_its_places(monkeypatch, seed):
    field = reach_of(seed).certain.at(0, None)
    added = counted(monkeypatch, Candidates, "add", lambda _, __, ___, rows, ____: len(rows))
    away = np.random.default_rng(1).uniform(-7, 7, (400, 2))
    assert np.isfinite(field.distance(field.net.nodes.xy[field.net.source[0]] + away)).sum() > 100
    assert 0 < len(added) < 0.6 * sum(added)


@pytest.mark.parametrize("stood_on", [True, False])
@pytest.mark.parametrize(("seed", "small"), [(903, False), (5004, False), (5011, True)])
def test_samples_hide_no_more_than_is_told(monkeypatch, seed, small, stood_on):
    """Down past what the best way just clears, between samples of either rim: a platform, a zone, a bog's corner."""
    table, question = make("ledges", seed, small=small)
    if stood_on:
        # Too narrow for the mover, a platform is a level and no obstacle to it as long as somebody stands there.
        ledge = next(p for p in table.terrain.values() if "platform" in p.tags and p.top < 1)
        spot = ledge.shape.to_shapely().representative_point()
        table = table.with_model(
            replace(table.model(question.model), id="on it", base=0.1, at=(spot.x, spot.y), on=ledge.id)
        )
    told = sbg.reach(table, question.model, least=1).certain
    area = told.area(0, None)
    monkeypatch.setattr(CostFields, "_step", 0.008)
    closer = sbg.reach(table, question.model, least=1).certain.area(0, None)
    assert abs(area.area - closer.area) < told.error(area.length)


def test_a_band_without_width_has_the_mean_of_its_slopes_within():
    """A cost that jumps at one place rises by no slope that numbers hold."""
    rims, zero = Rims([segment((0, 0), (4, 0))]), np.zeros((1, 2))
    sides, met = np.array([[True, True]]), np.array([False])
    one = bands.Bands(zero.astype(int), zero + 1, np.array([[2.0, 3.0]]), np.array([[0.2, 0.6]]), sides, met)
    with np.errstate(all="raise"):
        half = bands._halved(one, rims)
    assert half.slope.tolist() == [[0.2, 0.4], [0.4, 0.6]]
