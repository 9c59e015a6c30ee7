"""Reaches and denials of a model that starts inside an enemy's zone: against single moves, and without the enemy."""

import math

import numpy as np
import pytest
import shapely

import sbg_sim as sbg

MAN = {"base": 1, "height": 1.5, "move": 6}
BOG = {"tags": ["difficult"], "polygon": [[3, 12.5], [6, 12.5], [6, 16], [3, 16]]}
ROOF = {"tags": ["platform", "unscalable"], "polygon": [[8, 8], [12, 8], [12, 12], [8, 12]], "height": 4}


def table(models, terrain=None, **rulings):
    men = {"a": {**MAN, "at": [6, 12], "side": "good"}}
    men |= {name: {**MAN, "side": "evil", **one} for name, one in models.items()}
    return sbg.Table(24, 24, models=men, terrain=terrain or {}, rulings=rulings)


def post(x, y, half):
    corners = [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]]
    return {"tags": ["obstacle", "unscalable"], "polygon": corners}


TABLES = {
    "posts in the zone": (
        {"b": {"at": [6.85, 11.07]}},
        {"near": post(6.03, 10.97, 0.25), "far": post(7.99, 12.01, 0.22)},
    ),
    "posts before the enemy": (
        {"b": {"at": [7.06, 13.01]}},
        {"one": post(7.5, 12.13, 0.2), "two": post(6.97, 12.12, 0.14)},
    ),
    "alone": ({"b": {"at": [7.5, 12]}}, {}),
    "beside a bog": ({"b": {"at": [7.3, 12.9]}, "c": {"at": [5.2, 10.6]}}, {"bog": BOG}),
}


@pytest.mark.parametrize("reading", ["monotone", "start"])
@pytest.mark.parametrize("name", TABLES)
def test_reaches_of_who_is_stuck_are_single_moves(name, reading):
    models, terrain = TABLES[name]
    here = table(models, terrain, stuck_no_closer=reading)
    found = sbg.reach(here, "a")
    rim = shapely.boundary(found.area)
    asked = set()
    for spot in np.random.default_rng(3).uniform((-0.5, 5.5), (12.5, 18.5), (20 if "bog" in terrain else 80, 2)):
        if rim.distance(shapely.Point(spot)) < 0.02:
            continue
        verdict = sbg.check(here, sbg.Move("a", tuple(spot.tolist())), alternatives=False)
        cost, inside = float(found.distance(spot)), found.area.contains(shapely.Point(spot))
        assert inside == (verdict.answer == "yes"), spot
        assert cost == pytest.approx(verdict.needed if inside else math.inf, abs=1e-6), spot
        asked.add(inside)
    assert asked == {True, False}


def test_coming_no_closer_on_the_way_is_more_than_ending_no_closer():
    """Behind a post in the zone one comes round it only by turning toward the enemy for a while."""
    models, terrain = TABLES["posts in the zone"]
    freer, stricter = (sbg.reach(table(models, terrain, stuck_no_closer=r), "a").area for r in ("start", "monotone"))
    assert shapely.difference(stricter, freer).area < 1e-3
    assert shapely.difference(freer, stricter).area > 1


def beside_a_friend():
    """Out of a friend's way, within the zone, to a place beside it that is nearer to the enemy than the way led.

    The friend, of a base of 0.8 in, touches the enemy: round it one is 0.9 in from its middle, which is as far from the
    enemy's, so that at an angle of 50 degrees from straight away one is 1.8 cos 25 degrees from the enemy.
    """
    away, there = math.radians(60), math.radians(110)
    friend = np.array([12 + 0.9 * math.cos(away), 12 + 0.9 * math.sin(away)])
    models = {
        "a": {**MAN, "at": [13.5, 12], "side": "good"},
        "f": {**MAN, "base": 0.8, "at": friend.tolist(), "side": "good"},
        "e": {**MAN, "at": [12, 12], "side": "evil"},
    }
    return models, (float(friend[0] + 0.9 * math.cos(there)), float(friend[1] + 0.9 * math.sin(there)))


@pytest.mark.parametrize("beyond", [0.0, 1e-6])
def test_an_arc_that_ends_nearer_to_the_enemy_than_it_led_is_coming_closer(beyond):
    models, to = beside_a_friend()
    to = (to[0] - beyond, to[1] + beyond)
    freer, stricter = (sbg.Table(24, 24, models=models, rulings={"stuck_no_closer": r}) for r in ("start", "monotone"))
    verdict = sbg.check(freer, sbg.Move("a", to))
    # 1.5 in round the enemy, along the tangent of both circles, and on round the friend.
    tangent = math.sqrt(0.9**2 - 0.6**2)
    leaves = math.radians(60) + math.atan(0.6 / tangent) - math.pi / 2
    assert verdict.needed == pytest.approx(1.5 * leaves + tangent + 0.9 * (math.radians(110) - leaves), abs=1e-5)
    assert verdict.rulings == ("stuck_no_closer = monotone",)
    found = sbg.audit(stricter, "a", verdict.route)
    assert [v.rule for v in found.violations] == ["CZ.4"]
    # The other way round the enemy, 1.5 in from it until a tangent leads to the place.
    longer = sbg.check(stricter, sbg.Move("a", to))
    assert longer.needed > 6
    assert not sbg.audit(stricter, "a", longer.route, allowance=math.inf).violations
    assert sbg.reach(stricter, "a").distance(to) == math.inf
    assert sbg.reach(freer, "a").distance(to) == pytest.approx(verdict.needed, abs=1e-6)


@pytest.mark.parametrize("reading", ["monotone", "start"])
def test_what_is_denied_is_what_is_reached_without_the_zone(reading):
    here = table(*TABLES["beside a bog"], stuck_no_closer=reading)
    found = sbg.denials(here, "a")
    assert [entry.enemy for entry in found.entries] == ["c", "b"]
    for entry in found.entries:
        free = here.having(entry.enemy, prone=True)  # who lies has no zone (PRN.1); its base stays
        more = sbg.reach(free, "a").area.area - sbg.reach(here, "a").area.area
        assert entry.area == pytest.approx(more, abs=2e-3)


def test_who_stands_where_nobody_comes_denies_nothing():
    """Up a sheer roof one enemy, on the ground another: no way leads up, so that the first one's zone is far."""
    here = table({"b": {"at": [10, 10], "on": "roof"}, "c": {"at": [9, 14]}}, {"roof": ROOF})
    denied = {entry.enemy: entry.area for entry in sbg.denials(here, "a").entries}
    assert denied["b"] == 0
    more = sbg.reach(here.having("c", prone=True), "a").area.area - sbg.reach(here, "a").area.area
    assert denied["c"] == pytest.approx(more, abs=2e-3)
