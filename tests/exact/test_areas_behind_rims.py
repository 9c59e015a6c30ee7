"""Areas of a reach hold the places beside rims of difficult ground and rings that costs say, and no others."""

from dataclasses import replace

import numpy as np
import pytest
import shapely

import sbg_sim as sbg
from tests.fuzz.kinds import make, rebuilt

BOG_AND_LAKE = {
    "bog": [(4.29, 13.0), (3.18, 11.68), (3.8, 10.45), (5.31, 10.39), (5.96, 12.04), (5.28, 12.87)],
    "lake": [(5.5, 10.05), (5.56, 7.9), (6.96, 8.89)],
}
AT_A_RIM = {
    "west": [(3.81, 12.15), (2.36, 11.66), (2.06, 10.36), (3.22, 9.26), (4.88, 10.21), (4.9, 11.15)],
    "north": [(9.53, 12.24), (11.27, 11.75), (10.69, 13.54)],
    "south": [(5.56, 7.02), (3.94, 5.38), (4.72, 3.76), (7.14, 4.16), (7.5, 5.14)],
}
ROCK = [(9.34, 11.66), (8.93, 12.43), (8.48, 12.23), (7.93, 11.12), (8.67, 10.99), (9.11, 10.78), (9.86, 11.22)]
BOG = [(7.75, 10.18), (6.99, 10.73), (6.24, 10.25), (6.26, 9.54), (6.94, 9.1), (7.62, 9.4)]


def table(bogs, others=(), rock=()):
    """One model with a Move of 6 in at (8, 8), bogs, other bases of 25 mm and bigger, and a rock."""
    models = {"me": {"at": (8, 8), "base": "25mm", "height": 1.5, "move": 6, "side": "good"}}
    models |= {
        f"other-{n}": {"at": at, "base": base, "height": 1.5, "move": 6, "side": side}
        for n, (at, base, side) in enumerate(others)
    }
    terrain = {name: {"tags": ["difficult"], "polygon": ring} for name, ring in bogs.items()}
    terrain |= {"rock": {"tags": ["unscalable"], "polygon": rock}} if rock else {}
    return sbg.Table(16, 16, models=models, terrain=terrain)


def held(found, at):
    return found.area.contains(shapely.Point(at)) and found.area.boundary.distance(shapely.Point(at)) > 0.005


@pytest.mark.parametrize(
    ("on", "at"),
    [
        # round a ring that samples of a rim come to too dear
        (table({"bog": BOG}, rock=ROCK), (7.71, 12.8)),
        # behind a rim that goes on as one that may not be entered
        (
            table(
                AT_A_RIM,
                [
                    ((6.27, 10.0), "25mm", "good"),
                    ((2.97, 13.3), "60mm", "evil"),
                    ((9.18, 9.82), "25mm", "evil"),
                ],
            ),
            (5.16, 11.55),
        ),
        # between two rays from a corner, one of which runs over difficult ground
        (table(BOG_AND_LAKE, [((4.73, 7.17), "40mm", "good")]), (4.26, 9.92)),
    ],
)
def test_places_that_cost_less_than_the_move_are_held(on, at):
    found = sbg.reach(on, "me")
    assert found.distance(at) < found.allowance - 0.005
    assert held(found, at)


def test_a_rim_is_left_where_its_two_ways_round_cost_the_move():
    """The cost rises from both ends of a stretch: beyond the kink it is no straight line."""
    pond = {"tags": ["difficult"], "circle": {"center": (6.751, 3.562), "radius": 0.3548843843}}
    on = sbg.Table(16, 16, models={"me": {"at": (8, 8), "base": "25mm", "height": 1.5, "move": 6}}, terrain={"p": pond})
    found, at = sbg.reach(on, "me"), (6.516, 2.748)
    assert np.isinf(found.distance(at))
    assert not found.area.contains(shapely.Point(at))


@pytest.mark.parametrize(
    ("seed", "small", "at"),
    [
        (14_000_014, False, (4.6196, 8.5055)),  # at the corner of a rim
        (14_000_062, True, (8.3541, 8.6543)),  # round two rings, one after the other
    ],
)
def test_places_beyond_rings_behind_mounds_are_held(seed, small, at):
    on, question = make("mounds", seed, small)
    assert held(sbg.reach(on, question.model, least=1), at)


def test_a_rim_is_followed_to_where_it_leaves_the_zone_one_starts_in():
    """From there ground within the zone is come to for less than from before; a hair on the zone is left (CZ.4)."""
    enemy, bog, radius = (11.124148, 10.522599), (11.633827, 11.649572), 1.230880883930143
    models = {
        "me": {"at": (10, 10), "base": "25mm", "height": 2, "move": 3, "side": "good"},
        "foe": {"at": enemy, "base": "25mm", "height": 1.5, "move": 6, "side": "evil", "moved": True},
    }
    terrain = {"bog": {"tags": ["difficult"], "circle": {"center": bog, "radius": radius}}}
    on = sbg.Table(20, 20, models=models, terrain=terrain)
    zone, rim = (
        shapely.Point(c).buffer(r, 4096).exterior for c, r in ((enemy, 50 / 25.4 / 2 + 1), (bog, radius + 12.5 / 25.4))
    )
    corner = min(zone.intersection(rim).geoms, key=lambda p: p.x)
    at, just_inside = (10.2511, 12.2434), (corner.x + 2e-6, corner.y - 3e-6)
    there, on_from = (sbg.check(on, sbg.Move("me", to)) for to in (just_inside, at))
    assert on_from.needed == pytest.approx(there.needed + 2 * shapely.Point(at).distance(corner), abs=2e-5)
    assert on_from.at_most - on_from.at_least <= 1e-6
    assert held(sbg.reach(on, "me"), at)


@pytest.mark.parametrize("off", [0.0, 1e-9, -1e-9, 1e-6, -1e-6, -0.02])
@pytest.mark.parametrize("wide", [0.02, 0.12, 0.24])
def test_no_way_leads_along_a_rim_where_it_lies_in_a_zone(wide, off):
    """A zone bulges over a straight rim: below its circle the bog is crossed at twice its length (CZ.1, TER.2)."""
    base, rim, before, move = 1.0, 8.0, 0.8, 3.0
    radius, corner = base / 2 + 1 + base / 2, np.array([8 + wide / 2, rim])
    bog = [(2, 3), (14, 3), (14, rim - base / 2), (2, rim - base / 2)]
    start, enemy = (8 - wide / 2 - before, rim + off), (8, rim + (radius**2 - wide**2 / 4) ** 0.5)
    models = {
        "me": {"at": start, "base": base, "height": 1, "move": move, "side": "good"},
        "foe": {"at": enemy, "base": base, "height": 1, "move": 6, "side": "evil"},
    }
    found = sbg.reach(sbg.Table(16, 16, models=models, terrain={"bog": {"tags": ["difficult"], "polygon": bog}}), "me")
    # Out of the bog first, at the angle at which who goes on along its rim leaves it: arccos(1/2).
    cost = 3**0.5 * max(-off, 0.0) + before + 2 * 2 * radius * np.arcsin(wide / 2 / radius)
    for angle in (0.01, 0.03):
        ahead = np.array([np.cos(angle), np.sin(angle)])
        within, beyond = (corner + (move - cost + more) * ahead for more in (-0.006, 0.006))
        assert found.distance(within) == pytest.approx(move - 0.006, abs=1e-4)  # a hair of the zone counts as none
        assert np.isinf(found.distance(beyond))
        assert found.area.contains(shapely.Point(within))
        assert not found.area.contains(shapely.Point(beyond))


def test_along_a_rim_no_way_leads_back_into_a_zone_that_was_left():
    """Round the bog who has left the zone comes to its rim again, cheaper than within it, and not back in (CZ.4)."""
    enemy, start = (10.399, 8.332), (10, 10)
    models = {
        "me": {"at": start, "base": "25mm", "height": 2, "move": 4, "side": "good"},
        "foe": {"at": enemy, "base": 1.0, "height": 1.5, "move": 6, "side": "evil"},
    }
    terrain = {"bog": {"tags": ["difficult"], "polygon": [(10.0, 9.9), (10.37, 9.17), (11.4, 9.69)]}}
    found = sbg.reach(sbg.Table(20, 20, models=models, terrain=terrain), "me")
    within, left = 0.5 + 12.5 / 25.4 + 1, np.hypot(*np.subtract(start, enemy))
    inside = [(12.0047, 9.0463), (12.1162, 8.563), (12.3199, 8.6292)]
    away = np.hypot(*(np.array(inside) - enemy).T)
    assert ((left < away) & (away < within)).all()
    assert np.isinf(found.distance(inside)).all()
    assert not any(found.area.contains(shapely.Point(at)) for at in inside)
    just_outside = np.array(enemy) + (np.array(inside[0]) - enemy) * (within + 0.02) / away[0]
    assert held(found, just_outside)


def test_behind_a_corner_of_a_rim_and_a_zone_all_that_costs_the_move_is_held():
    """Beyond the corner the rim lies in the zone: the fan about it goes on from what the rim costs there, not a sample.

    The mover begins a micro-inch deep in the zone, which counts as outside of it.
    """
    mm = 1 / 25.4
    apart, angle = 20 * mm + 1 + 12.5 * mm - 1e-6, np.arctan2(8.093686 - 10, 11.249883 - 10)
    enemy = {"base": "40mm", "height": 1.5, "move": 6, "side": "evil"}
    models = {
        "me": {"at": (10, 10), "base": "25mm", "height": 2, "move": 2, "side": "good"},
        "south": {**enemy, "at": (10 + apart * np.cos(angle), 10 + apart * np.sin(angle))},
        "west": {**enemy, "at": (8.705, 10.113)},
    }
    bog = [(9.7, 10.81), (7.9, 11.26), (8.14, 9.9), (8.85, 9.07), (9.53, 9.08), (9.44, 9.67)]
    found = sbg.reach(sbg.Table(20, 20, models=models, terrain={"bog": {"tags": ["difficult"], "polygon": bog}}), "me")
    for at in [(11.3214, 11.4372), (11.2959, 11.46)]:
        assert found.distance(at) < found.allowance - 0.018
        assert held(found, at)


@pytest.mark.parametrize("off", [1e-7, 1e-6, 1e-5])
def test_a_hair_within_difficult_ground_the_edge_of_a_shadow_stays_where_it_is(off):
    """Along such a hair of a rim rays turn by a right angle: between two of them lay 0.03 in beside what ends one."""
    table, question = make("gates", 179_500_249, small=True)
    me = table.model(question.model)
    found = [sbg.reach(table.with_model(replace(me, at=(me.at[0] + by, me.at[1]))), me.id) for by in (0.0, off)]
    assert all(held(each, (9.6363, 13.9416)) for each in found)
    assert found[1].area.area == pytest.approx(found[0].area.area, abs=1e-3)


def test_far_from_the_origin_an_area_is_as_large_as_at_it():
    """What touches a ring lies beside it by rounding, which grows with the distance from the origin."""
    table, question = make("afar", 97_100_022, small=True)
    near, _ = rebuilt(table, question, lambda p: (p[0] - 1600, p[1] - 1600))
    far, here = (sbg.reach(one, question.model, least=1).area for one in (table, near))
    assert far.area == pytest.approx(here.area, abs=2e-5)
