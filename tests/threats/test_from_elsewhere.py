"""Enemies who hang, come from another level or land on it: what is safe is what single charges answer on each level."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.geometry.areas import clipped
from sbg_sim.threats import hops
from sbg_sim.threats.begun import ways_begun
from sbg_sim.threats.shadows import _shadows
from tests.threats.test_clipped import BOX, TRIANGLE
from tests.threats.test_under_rulings import EVIL, GOOD, MAN, box, table

AWAY = {**GOOD, "at": [6, 12], "move": 3}


def asked(found, spots, near=0.02):
    """Ask every enemy's charge at random places of each level that lie off the rims of what is drawn."""
    seen = set()
    for level in found.levels:
        ground = level.certain
        if ground.is_empty:
            continue
        rims = shapely.union_all([shapely.boundary(area) for _, area in level.regions])
        x0, y0, x1, y1 = ground.bounds
        places = np.random.default_rng(11).uniform((x0, y0), (x1, y1), (spots, 2))
        for spot in places[shapely.contains_xy(ground, places)]:
            place = shapely.Point(spot)
            if shapely.distance(rims, place) < near or level.doubt.covers(place):
                continue
            safe = all(charge.answer == "no" for charge in level.charges_at(tuple(spot)))
            assert level.area.covers(place) == safe, (level.surface, spot)
            seen.add((level.surface, safe))
    return seen


@pytest.mark.parametrize("tags", [("platform",), ("obstacle",)])
@pytest.mark.parametrize("friend", [{}, {"f": {**GOOD, "at": [9, 10]}}])
def test_an_enemy_that_hangs_on_a_face_comes_down_or_up_first(tags, friend):
    """Through the zone of a friend, too, within that of the model: it goes on from wherever it has begun."""
    foe = {**EVIL, "at": [11.5, 12], "climbed": 0.7}
    there = table({"a": AWAY, "b": foe, **friend}, {"tower": box(12, 10, 15, 14, tags=tags)})
    assert asked(sbg.safe(there, "a"), 25) == {(None, True), (None, False)}


def test_dice_that_would_land_in_the_zone_lead_through_no_other_zone_by_this_ruling():
    models = {"a": AWAY, "b": {**EVIL, "at": [13, 12]}, "f": {**GOOD, "at": [9.5, 10.7]}}
    there = table(models, {"w": box(9, 8, 9.4, 10, height=1.0)}, rulings={"charge_on_a_six": "no"})
    assert asked(sbg.safe(there, "a"), 12) == {(None, True), (None, False)}


def test_past_a_zone_beyond_a_gap_a_late_leap_goes_no_further():
    gap = {"tags": ["gap"], "polygon": [[10, 2], [12, 2], [12, 22], [10, 22]]}
    models = {"a": AWAY, "b": {**EVIL, "at": [13.5, 12], "height": 3}, "f": {**GOOD, "at": [8, 10]}}
    assert asked(sbg.safe(table(models, {"gap": gap}), "a"), 10) >= {(None, True)}


@pytest.mark.parametrize("reading", ["yes", "no"])
def test_zones_across_levels_hold_an_enemy_or_not(reading):
    models = {"a": AWAY, "b": {**EVIL, "at": [11, 12]}, "f": {**GOOD, "at": [8, 10]}}
    deck = box(3, 13, 9, 16, height=0.6, tags=("platform",))
    there = table(models, {"deck": deck}, rulings={"zones_across_surfaces": reading})
    assert {level for level, _ in asked(sbg.safe(there, "a"), 8)} == {None, "deck"}


def test_who_stands_above_is_charged_from_below_past_a_zone_by_who_gets_up():
    models = {
        "a": {**AWAY, "at": [6, 14], "on": "deck"},
        "b": {**EVIL, "at": [11, 12]},
        "f": {**GOOD, "at": [9.8, 14.5]},
    }
    there = table(models, {"deck": box(3, 11, 9, 17, height=1.2, tags=("platform",))})
    assert ("deck", True) in asked(sbg.safe(there, "a"), 6)


@pytest.mark.parametrize("reading", ["no", "yes"])
def test_who_begins_in_a_zone_charges_nobody_that_has_none(reading):
    """Who lies has no zone: by this ruling an enemy that begins in another's may not charge it, wherever it crawls."""
    models = {
        "a": {**AWAY, "at": [8, 12], "prone": True},
        "b": {**EVIL, "at": [11, 12]},
        "f": {**GOOD, "at": [11, 10.5]},
    }
    found = sbg.safe(table(models, rulings={"stuck_then_charge": reading}), "a")
    assert found.area.covers(shapely.Point(8, 12)) == (reading == "no")
    assert {charge.answer for charge in found.charges_at((8, 12))} == {"no" if reading == "no" else "yes"}


@pytest.mark.parametrize(("reading", "safe"), [("ignored", False), ("blocks", True)])
def test_a_wood_does_not_hide_from_who_stands_in_it_by_one_ruling(reading, safe):
    wood = box(8, 9, 11, 15, height=3, tags=("difficult",))
    models = {"a": {**AWAY, "at": [5, 12], "move": 1}, "b": {**EVIL, "at": [9.5, 12], "move": 9}}
    found = sbg.safe(table(models, {"wood": wood}, rulings={"sight_within": reading}), "a")
    assert asked(found, 6) == {(None, safe)}


@pytest.mark.parametrize(("reading", "dangers"), [("no", 0), ("yes", 1)])
def test_an_enemy_whose_every_landing_lies_in_the_models_zone_is_no_danger(reading, dangers):
    """Over the wall it lands 1.6 in off wherever the model goes: by this ruling no die is thrown there."""
    models = {"b": {**MAN, "at": [6, 12], "move": 4, "side": "evil"}, "a": {**AWAY, "at": [10.6, 12], "move": 0.1}}
    there = table(models, {"w": box(8, 0, 8.5, 24, height=1.0)}, rulings={"charge_on_a_six": reading})
    found = sbg.safe(there, "a")
    assert len(found.dangers) == dangers
    assert found.area.area == pytest.approx(0 if dangers else found.reach.area.area, abs=1e-9)


@pytest.mark.parametrize(("engaged", "ways"), [(["a"], 0), ([], 1)])
def test_who_may_not_move_begins_no_way_over_the_wall_it_touches(engaged, ways):
    models = {
        "a": {**GOOD, "at": [5, 12], "engaged": ["b"] * len(engaged)},
        "b": {**EVIL, "at": [6, 12], "engaged": engaged},
    }
    found = sbg.reach(table(models, {"w": box(6.5, 11, 7, 13, height=1.0)}), "b")
    assert sum(len(places) > 0 for _, places, _ in ways_begun(found)) >= ways
    assert bool(list(ways_begun(found))) == bool(ways)


def test_a_shadow_that_all_but_touches_the_corner_of_a_box_is_cut_all_the_same():
    """GEOS gives up at the slim one if all are cut at once: each is then cut alone, and the other is none the worse."""
    other = np.array(shapely.get_coordinates(shapely.box(13.7, 11.5, 13.8, 11.6)))
    found = _shadows([(np.array(TRIANGLE), 1.0, 1.0), (other, 1.0, 1.0)], (0.0, 0.0), BOX)
    assert [part.area for part in found] == pytest.approx(
        [clipped(shapely.Polygon(TRIANGLE), BOX).area, 0.01], abs=1e-9
    )


def test_what_two_walls_hide_from_all_over_a_base_is_safe():
    """Seen from anywhere over the enemy's base: the walls share a corner, and hide less from its rim than apart."""
    walls = {"near": box(9.4, 9.3, 9.8, 10.5), "far": box(8.8, 10.1, 9.4, 11.5)}
    models = {"a": {**AWAY, "move": 2}, "b": {**EVIL, "at": [12, 12], "move": 7}}
    found = sbg.safe(table(models, walls, rulings={"eye": "volume"}), "a")
    assert asked(found, 25) == {(None, True), (None, False)}


@pytest.mark.parametrize("spare", [0.0, 0.05, 1.0])
def test_an_enemy_steps_onto_a_low_top_at_all_of_its_rim_that_its_move_reaches(spare):
    """Straight to where its base is wholly on; a climb leads there for certain to none of it."""
    top = {"tags": ["platform"], "height": 0.5, "polygon": [[8, 1], [13, 1], [13, 11], [8, 11]]}
    models = {"b": {**EVIL, "at": [4, 6], "move": 4.5 + spare}}

    def onto(**more):
        walk = sbg.reach(sbg.Table(24, 12, models=models, terrain={"top": top | more}), "b")
        return hops._got_onto(walk, "top", certain=True)

    half = ((4.5 + spare) ** 2 - 4.5**2) ** 0.5
    reached = shapely.LineString([(8.5, 6 - half), (8.5, 6 + half)])
    assert onto().covers(reached)
    assert not onto().intersects(shapely.Point(8.5, 6 + half + 1.5))
    assert onto(height=2.0).is_empty
