"""Safe ground past walls, under other rulings and from others' eyes, held against single charges place by place."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.errors import QuestionError

MAN = {"base": 1, "height": 1.5, "move": 6}
GOOD = {**MAN, "at": [9, 12], "side": "good"}
EVIL = {**MAN, "at": [15, 12], "side": "evil"}


def table(models, terrain=None, **given):
    return sbg.Table(24, 24, models=models, terrain=terrain or {}, **given)


def wall(*corners, height=4.0, tags=("obstacle",)):
    return {"tags": list(tags), "polygon": [list(corner) for corner in corners], "height": height}


def box(x0, y0, x1, y1, **given):
    return wall((x0, y0), (x1, y0), (x1, y1), (x0, y1), **given)


BENT = wall((11.5, 9), (12, 9), (12, 12.5), (14, 12.5), (14, 13), (11.5, 13))
BOG = {"tags": ["difficult"], "polygon": [[9, 13], [11, 13], [11, 16], [9, 16]]}
FRIEND = {**MAN, "at": [12, 12], "side": "good"}


@pytest.mark.parametrize(
    ("models", "terrain", "rulings"),
    [
        ({}, {"bent": BENT, "bog": BOG}, {}),
        ({}, {"bent": BENT}, {"sight_within": "ignored"}),
        ({}, {"bent": BENT}, {"eye": "volume"}),
        ({"c": FRIEND}, {}, {}),
        ({"c": FRIEND}, {}, {"models_block_sight": "no"}),
        ({"b": {**EVIL, "height": 0.8}}, {"low": box(11.5, 9, 12, 13, height=1.2)}, {}),  # looks up over a wall
        ({"b": {**EVIL, "height": 3.0}}, {"low": box(11.5, 9, 12, 13, height=1.2)}, {}),  # and down
        ({"b": {**EVIL, "prone": True}}, {"low": box(11.5, 9, 12, 13, height=1.0)}, {}),
        ({"a": {**GOOD, "move": 4}}, {"low": box(11.5, -1, 12, 25, height=1.0)}, {}),  # a jump each time
    ],
)
def test_safe_ground_is_where_the_charge_fails(models, terrain, rulings):
    there = table({"a": GOOD, "b": EVIL, **models}, terrain, rulings=rulings)
    found = sbg.safe(there, "a")
    rims = shapely.union_all([shapely.boundary(area) for _, area in found.regions])
    x0, y0, x1, y1 = found.reach.area.bounds
    spots = np.random.default_rng(11).uniform((x0, y0), (x1, y1), (30, 2))
    asked = set()
    for spot in spots[shapely.contains_xy(found.reach.area, spots)]:
        place = shapely.Point(spot)
        if shapely.distance(rims, place) < 0.02 or found.doubt.covers(place):
            continue
        told = next((chance for chance, area in found.regions if shapely.contains_xy(area, *spot)), None)
        moved = there.having("a", at=tuple(spot.tolist()))
        charge = sbg.check(moved, sbg.Charge("b", "a"), alternatives=False).chance
        most = Fraction(1) if told is None else told
        assert charge == most, spot
        asked.add(charge)
    assert len(asked) > 1


def test_what_is_asked_of_those_not_there():
    there = table({"a": GOOD, "b": EVIL}, off=["a"])
    for asked in (sbg.safe, sbg.screen):
        with pytest.raises(QuestionError, match="a is not on the table yet: it has no place to be asked about"):
            asked(there, "a")
        unknown = table({"a": GOOD, "b": {"base": 1, "height": 1.5, "at": [15, 12], "side": "evil"}})
        with pytest.raises(QuestionError, match=r"models\.b\.move is missing"):  # never told to be out of its reach
            asked(unknown, "a")
    with pytest.raises(QuestionError, match=r"models\.b\.move is missing"):
        sbg.threats(table({"a": GOOD, "b": {"base": 1, "height": 1.5, "at": [15, 12], "side": "evil"}}), "evil")
    with pytest.raises(KeyError):
        sbg.threats(table({"a": GOOD, "b": EVIL}), "evil")["c"]


@pytest.mark.parametrize(("x", "short"), [(12.9, None), (13.1, 0.1), (20, 7.0)])
def test_safe_ground_of_who_is_held_is_where_it_stands(x, short):
    """Bases an inch across and a Move of 6: from more than seven inches away no charge comes through."""
    found = sbg.safe(table({"a": {**GOOD, "at": [6, 12], "may_move": False}, "b": {**EVIL, "at": [x, 12]}}), "a")
    title = sbg.plot(found).get_title(loc="left")
    if short is None:
        assert found.best is None
        assert title.endswith("nowhere: wherever it goes, b can charge it")
    else:
        assert found.best == ((6.0, 12.0), pytest.approx(short))
        assert found.best_exact == (x < 20)  # 13 inches: beyond the horizon it lacks 7 at the least
        assert title.endswith(f"the nearest charge is {'' if x < 20 else 'at least '}{short:g}″ short")


def test_who_can_charge_is_ringed_outside_the_rim_and_only_together_are_they_everywhere():
    """Two orcs come at a man from two sides: a ring on the rim would hide the colour of their side."""
    orcs = {"b": {**EVIL, "at": [14, 12]}, "c": {**EVIL, "at": [4, 12]}}
    found = sbg.safe(table({"a": {**GOOD, "move": 4}, **orcs}), "a")
    ax = sbg.plot(found)
    rings = {patch.get_gid(): patch for patch in ax.patches if str(patch.get_gid()).startswith("danger-")}
    assert sorted(rings) == ["danger-b", "danger-c"]
    assert all(ring.get_radius() > 0.5 for ring in rings.values())
    assert found.best is None
    assert not any(row.area.buffer(0.01).covers(found.reach.area) for row in found.dangers)
    assert ax.get_title(loc="left").endswith("nowhere: wherever it goes, one of b and c can charge it")


def test_where_there_is_no_enemy_all_ground_is_safe():
    found = sbg.safe(table({"a": GOOD}), "a")
    assert found.area.equals(found.reach.area)
    assert sbg.plot(found).get_title(loc="left").endswith("no enemy can come at it at the safest place")
    shown = shapely.geometry.shape(found.__geo_interface__["geometry"])
    assert shown.area == pytest.approx(found.area.area)


def test_ground_that_takes_dice_is_drawn_with_its_chance():
    """Behind a wall right across the table every charge is a jump: beyond it needs a 2 or more at the least."""
    found = sbg.safe(table({"a": {**GOOD, "move": 4}, "b": EVIL}, {"low": box(11.5, -1, 12, 25, height=1.0)}), "a")
    words = [text.get_text().replace("\n", " ") for text in sbg.plot(found).get_legend().get_texts()]
    told = [chance for chance, area in found.regions if chance and area.area]
    assert told
    for chance in told:
        assert any(f"{chance.numerator}/{chance.denominator}" in word and "at the most" in word for word in words)


def test_a_screen_is_told_and_said():
    """Held six inches from a charger, with two friends beside it: one of them steps between."""
    friends = {"c": {**FRIEND, "at": [6, 14]}, "d": {**FRIEND, "at": [6, 10]}}
    there = table({"a": {**GOOD, "at": [6, 12], "may_move": False}, "b": {**EVIL, "at": [13, 12]}, **friends})
    steps = []
    found = sbg.screen(there, "a", progress=lambda done, most: steps.append((done, most)))
    ((name, (x, y)),) = found.places
    assert repr(found) == f"<Screen of a: {name} to ({x:.3f}, {y:.3f})>"
    assert [done for done, _ in steps] == list(range(steps[0][0], found.tried + 1))
    assert all(done <= most for done, most in steps)
    assert sbg.plot(found).get_title(loc="left").startswith(f"{name} screens a")
    charge = sbg.Charge("b", "a")
    assert sbg.check(there, charge).answer == "yes"
    assert sbg.check(there.having(name, at=(x, y)), charge).answer == "no"
    alone = sbg.screen(table({"a": {**GOOD, "may_move": False}, "b": EVIL}), "a")
    assert alone.places is None
    assert repr(alone) == f"<Screen of a: none found among {alone.tried} arrangements>"


def test_who_is_held_in_the_zone_of_another_charges_nobody_else():
    """CZ.4: by this reading it charges only whom it began beside, so all ground is safe but in the model's own zone."""
    held = table({"a": GOOD, "b": EVIL, "c": {**FRIEND, "at": [16.5, 13]}}, rulings={"stuck_then_charge": "no"})
    found = sbg.safe(held, "a")
    assert not found.dangers
    assert found.area.equals(found.reach.area)
    # who holds it as well is charged: it begins in the zone of both
    near = sbg.safe(held.having("a", at=(13.2, 12.0)), "a")
    assert [danger.enemy for danger in near.dangers] == ["b"]
    assert near.charges_at((13.2, 12.0))[0].answer == "yes"
    apart = shapely.Point(15, 12).buffer(2.001, quad_segs=64)
    assert apart.covers(near.dangers[0].area)


@pytest.mark.parametrize(("reading", "taken"), [("yes", True), ("no", False)])
def test_no_danger_of_dice_that_may_not_be_thrown(reading, taken):
    """Straight over the wall it lands for 3 at x = 9, in the zone of who stands less than 2 beyond, and goes on by a 6.

    To land outside of that zone, sqrt(4 - 1.5^2) aside of one who stands 1.5 beyond, and go on into contact needs more
    than the 4 that it has.
    """
    evil = {**MAN, "at": [6, 12], "move": 4, "side": "evil"}
    good = {**MAN, "at": [10.6, 12], "move": 0.5, "side": "good"}
    jumped = {"w": box(8, 0, 8.5, 24, height=1.0)}
    found = sbg.safe(table({"m": evil, "e": good}, jumped, rulings={"charge_on_a_six": reading}), "e")
    for x in (10.5, 10.8):
        assert [row.answer for row in found.charges_at((x, 12))] == ["chance" if taken else "no"]
        assert found.area.covers(shapely.Point(x, 12)) != taken


@pytest.mark.parametrize("reading", ["yes", "no"])
def test_who_hangs_on_a_face_hangs_nowhere_else(reading):
    """An inch up a tower nobody may reach it by the other reading; wherever it goes on the ground it is charged."""
    tower = box(9.5, 10, 13, 14, tags=("platform",))
    there = table({"a": {**GOOD, "climbed": 1}, "b": {**EVIL, "at": [3, 12]}}, {"tower": tower})
    there = there.under("charge_a_climber", reading)
    assert sbg.check(there, sbg.Charge("b", "a")).answer == ("yes" if reading == "yes" else "no")
    found = sbg.safe(there, "a")
    for at in ((8, 12), (8, 10)):
        assert [charge.answer for charge in found.charges_at(at)] == ["yes"]
        assert found.margin(at) < 0


@pytest.mark.parametrize("turn", range(8))
def test_from_anywhere_over_a_base_is_from_all_round_it(turn):
    """By a wall's corner level with the top of its base an enemy looks along: what reaches above that line is seen.

    It looks from the eighth part of its rim that the table is turned to, and from no other place so far down.
    """
    across, up = math.cos(turn * math.pi / 4), math.sin(turn * math.pi / 4)

    def place(x, y):  # from the middle of the enemy's base
        return [15 + x * across - y * up, 15 + x * up + y * across]

    hides = wall(*(place(*corner) for corner in ((-1.2, -8), (-0.8, -8), (-0.8, 0.5), (-1.2, 0.5))))
    models = {"a": {**GOOD, "at": place(-5, 1)}, "b": {**EVIL, "at": place(0, 0), "move": 9}}
    there = sbg.Table(30, 30, models=models, terrain={"w": hides}, rulings={"eye": "volume"})
    found = sbg.safe(there, "a")
    for above, seen in ((0.025, True), (-0.025, False)):
        at = place(-7, above)
        told = [chance for chance, area in found.regions if shapely.contains_xy(area, *at)]
        assert sbg.check(there.having("a", at=tuple(at)), sbg.Charge("b", "a")).answer == ("yes" if seen else "no")
        assert told == ([] if seen else [0])
