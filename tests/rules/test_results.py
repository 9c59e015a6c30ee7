"""What each result of a die does, in words."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.referee import audit
from sbg_sim.rules.contact import touched
from sbg_sim.rules.ground import fall_hits, may_jump_prone, must_test
from sbg_sim.rules.results import coming_down, failed, stops_short
from sbg_sim.rules.zones import as_left, zones
from sbg_sim.table.route import Leg, Route, Test
from sbg_sim.tolerance import APART

SCENARIOS = Path(__file__).parents[2] / "scenarios"


def worst(table, question):
    (test, *_) = sbg.check(table, question).play.tests
    return test.kind, test.results["1"]


@pytest.mark.parametrize(
    ("file", "question", "kind"),
    [
        ("jumping", "pippin-goes-on", "jump"),
        ("climbing", "legolas-goes-on", "climb"),
        ("jumping-over-prone", "over-frodo", "jump-prone"),
        ("descending", "climbs-down", "descend"),
        ("leaping", "and-on", "leap"),
    ],
)
def test_how_deep_one_falls_is_asked_of_what_has_no_depth_alone(file, question, kind):
    found, words = worst(sbg.load(SCENARIOS / f"{file}.toml"), question)
    assert found == kind
    assert "not said" not in words


def test_a_gap_without_a_depth_says_so():
    models = {"boromir": {"at": [4, 6], "base": 1, "height": 1.5, "move": 6, "side": "good"}}
    gap = {"tags": ["gap"], "polygon": [[5, 0], [7, 0], [7, 12], [5, 12]]}
    kind, words = worst(sbg.Table(12, 12, models=models, terrain={"gap": gap}), sbg.Move("boromir", (9, 6)))
    assert kind == "leap"
    assert "how deep it is, and what hits that costs, is not said" in words


@pytest.mark.parametrize(("height", "said"), [(1.6, "1 Strength 3 hit"), (3.0, "2 Strength 3 hits")])
def test_one_hit_is_told_as_one(height, said):
    """One hit beyond the own height of 1.5 in, and one more for each whole inch beyond."""
    models = {"m": {"at": [4, 6], "base": 1, "height": 1.5, "move": 16, "side": "good"}}
    wall = {"tags": ["obstacle"], "height": height, "polygon": [[6, 0], [7, 0], [7, 12], [6, 12]]}
    play = sbg.check(sbg.Table(12, 12, models=models, terrain={"wall": wall}), sbg.Move("m", (9, 6))).play
    (*_, last) = play.tests
    assert last.kind == "descend"
    assert last.results["1"] == f"falls, prone at the foot; falls {height:g} in: {said}"


def test_who_hangs_higher_than_it_is_tall_comes_down_by_a_test():
    """Cavalry and who hangs on nothing that is climbed do not, and from no higher than it is tall it is free."""
    tower = {"tower": {"tags": ["platform"], "height": 5, "polygon": [[6, 2], [9, 2], [9, 9], [6, 9]]}}
    man = {"at": [5.5, 6], "base": 1, "height": 1.5, "move": 6, "side": "good", "climbed": 2.0}

    def down(terrain, **other):
        table = sbg.Table(12, 12, models={"m": man | other}, terrain=terrain)
        return coming_down(table, table.model("m"))

    leg = down(tower)
    assert (leg.kind, leg.rise, leg.cost, leg.test.kind) == ("descend", -2.0, 4.0, "descend")
    assert down(tower, keywords=["cavalry"]) is None
    assert down({"tower": tower["tower"] | {"tags": ["platform", "unscalable"]}}) is None
    assert (down(tower, climbed=1.5).kind, down(tower, climbed=1.5).cost) == ("down", 0.0)
    # A ladder that it does not touch, though told of first, is nothing that it hangs on.
    rungs = {"tags": ["ladder"], "at": [9.5, 6], "to": "tower"}
    assert down({"rungs": rungs} | tower).test.over == "tower"
    assert down({"rungs": rungs | {"at": [5.5, 6]}} | tower).kind == "ladder"


@pytest.mark.parametrize("apart", [1.0, 1.0 - 5e-7])
@pytest.mark.parametrize("away", [(-1.0, 0.0), (-0.8, -0.6), (-0.8, 0.6)])
def test_who_may_not_touch_is_set_down_a_hair_from_it(apart, away):
    """Straight away from whom it would touch, by as much as the name says, however near the leg led."""
    man = {"base": 1, "height": 1.5, "move": 6}
    models = {"m": man | {"at": [3, 6], "side": "good"}, "foe": man | {"at": [7, 6], "side": "evil", "prone": True}}
    terrain = {"wall": {"tags": ["obstacle"], "height": 1, "polygon": [[4, 2], [5, 2], [5, 9], [4, 9]]}}
    table = sbg.Table(12, 12, models=models, terrain=terrain).under("jump_into_contact", "apart")
    near, far = ((7 + off * away[0], 6 + off * away[1]) for off in (apart, apart + APART))
    leg = Leg("jump", (3.5, 6), near, 2.5, test=Test("jump", "wall", (3.5, 6), near))
    assert stops_short(table, table.model("m"), leg) == pytest.approx(far, abs=1e-12)
    beside = (near[0] - 0.01, near[1])  # who touches nobody stays where the leg ends
    assert stops_short(table, table.model("m"), Leg("jump", (3.5, 6), beside, 2.49, test=leg.test)) is None


@pytest.mark.parametrize(
    ("fallen", "whole", "begun"), [(1.5, 0, 0), (2.0, 1, 2), (2.5, 2, 2), (2.6, 2, 3), (3.5, 3, 3), (3.5 - 1e-12, 3, 3)]
)
def test_a_further_hit_for_every_inch_that_is_whole_or_begun(fallen, whole, begun):
    """Beyond the height of 1.5 in of who falls (FALL.2)."""
    table = sbg.Table(12, 12)
    assert fall_hits(table.under("fall_inches", "whole"), 1.5, fallen) == whole
    assert fall_hits(table.under("fall_inches", "begun"), 1.5, fallen) == begun


@pytest.mark.parametrize(("climbed", "once"), [(0.0, True), (0.01, False), (1.0, False)])
def test_a_climb_that_is_begun_is_tested_again_or_not(climbed, once):
    table = sbg.Table(12, 12)
    assert must_test(table.under("climb_test_each_turn", "no"), climbed) is once
    assert must_test(table.under("climb_test_each_turn", "yes"), climbed)


@pytest.mark.parametrize(("tall", "half"), [(2.0, True), (2.001, False)])
def test_who_lies_is_jumped_up_to_half_its_height_inclusive(tall, half):
    """Where it is ruled so (PRN.5)."""
    man = {"base": 1, "move": 6}
    models = {"m": man | {"at": [3, 6], "height": 1.0}, "f": man | {"at": [7, 6], "height": tall, "prone": True}}
    table = sbg.Table(12, 12, models=models)
    assert may_jump_prone(table.under("jump_prone_height", "half"), table.model("m"), table.model("f")) is half
    assert may_jump_prone(table, table.model("m"), table.model("f"))


@pytest.mark.parametrize(
    ("left", "closer", "reopened"),
    [
        ("closed", "start", False),
        ("closed", "monotone", False),
        ("nearer", "monotone", False),
        ("nearer", "start", True),
    ],
)
def test_a_zone_that_was_left_is_open_again_by_one_pair_of_readings(left, closer, reopened):
    """As near as where the mover started, and no nearer (CZ.4)."""
    man = {"base": 1, "height": 1.5, "move": 6}
    models = {"m": man | {"at": [3, 6], "side": "good"}, "f": man | {"at": [4.5, 6], "side": "evil"}}
    table = sbg.Table(12, 12, models=models).under("zone_once_left", left).under("stuck_no_closer", closer)
    found = zones(table, table.model("m"))
    (zone,) = as_left(table, found, None)
    assert (zone.reopened, zone.radius) == (reopened, 1.5 if reopened else 2.0)
    assert as_left(table, found, "f") == found


GAP = {"pit": {"tags": ["gap"], "depth": 3, "polygon": [[9, 0], [11, 0], [11, 24], [9, 24]]}}
ROOFS = {
    "here": {"tags": ["platform"], "height": 3, "polygon": [[5, 0], [10, 0], [10, 24], [5, 24]]},
    "there": {"tags": ["platform"], "height": 3, "polygon": [[12, 0], [16, 0], [16, 24], [12, 24]]},
}


def lies(terrain, start, landing, on=None, **others):
    """Return where who fails a leap comes to lie and on what, at the foot and amid the leap."""
    man = {"base": 1, "height": 1.5, "move": 6, "side": "good"}
    models = {"m": man | {"at": start, "on": on}} | {name: man | other for name, other in others.items()}
    table = sbg.Table(24, 24, models=models, terrain=terrain)

    def fallen(table):
        (test,) = sbg.check(table, sbg.Move("m", landing, on="there" if on else None)).play.tests
        return test.fail_at, test.fail_on

    return fallen(table), fallen(table.under("leap_fall", "middle"))


@pytest.mark.parametrize(
    ("terrain", "start", "landing", "on", "bottom", "foot"),
    [(GAP, (7, 12), (11.5, 12), None, "pit", 9.5), (ROOFS, (9.5, 12), (12.5, 12), "here", None, 10.5)],
)
def test_who_fails_a_leap_lies_at_the_foot_of_what_it_leapt_from_or_amid_the_leap(
    terrain, start, landing, on, bottom, foot
):
    """At the foot the base touches the near face: its centre is a radius from it. Amid is half way."""
    near, amid = lies(terrain, start, landing, on)
    assert near == (pytest.approx((foot, 12), abs=1e-12), bottom)
    assert amid == (pytest.approx((foot + 0.5, 12), abs=1e-12), bottom)


@pytest.mark.parametrize(
    ("terrain", "start", "landing", "on", "bottom", "foot"),
    [(GAP, (7, 12), (11.5, 12), None, "pit", 9.5), (ROOFS, (9.5, 12), (12.5, 12), "here", None, 10.5)],
)
def test_who_falls_lies_beside_whom_it_would_fall_upon(terrain, start, landing, on, bottom, foot):
    """A friend stands amid the bottom, half an inch from the foot: the nearest place to the brim and to the middle.

    Along the face a base clears it sqrt(1 - 1/4) up or down; amid the leap, straight up or down by a base.
    """
    friend = {"at": (foot + 0.5, 12), "on": bottom}
    ((x, y), below), amid = lies(terrain, start, landing, on, friend=friend)
    assert (x, abs(y - 12), below) == (pytest.approx(foot, abs=1e-12), pytest.approx(0.75**0.5, abs=1e-12), bottom)
    assert math.dist(amid[0], friend["at"]) == pytest.approx(1, abs=1e-12)


def test_who_falls_beside_an_enemy_does_not_touch_it():
    foe = {"at": (10.2, 12), "on": "pit", "side": "evil"}
    (at, _), _ = lies(GAP, (7, 12), (11.5, 12), foe=foe)
    assert math.dist(at, foe["at"]) == pytest.approx(1 + APART, abs=1e-12)


@pytest.mark.parametrize(("reading", "x"), [("no", 10.1), ("yes", 9.5)])
def test_who_falls_lies_beside_a_kerb_on_which_no_move_may_end(reading, x):
    """The kerb is 0.6 in wide at the foot of the face, and too long to lie past its end."""
    kerb = {"tags": ["obstacle"], "height": 0.4, "polygon": [[9, 10], [9.6, 10], [9.6, 14], [9, 14]], "on": "pit"}
    models = {"m": {"base": 1, "height": 1.5, "move": 6, "side": "good", "at": (7, 12)}}
    table = sbg.Table(24, 24, models=models, terrain={**GAP, "kerb": kerb}, rulings={"end_on_low_obstacle": reading})
    (test,) = sbg.check(table, sbg.Move("m", (11.5, 12))).play.tests
    assert (test.fail_at, test.fail_on) == (pytest.approx((x, 12), abs=1e-9), "pit")


def test_who_falls_where_a_row_fills_the_bottom_lies_beyond_its_end():
    row = {f"n{i}": {"at": (10, 10 + i), "on": "pit"} for i in range(5)}
    ((_, y), _), _ = lies(GAP, (7, 12), (11.5, 12), **row)
    assert abs(y - 12) == pytest.approx(2 + 0.75**0.5, abs=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_nowhere_nearer_to_where_it_fell_is_there_room(seed):
    """By brute force: a grid of places, each asked by its distances from faces and bases (FALL.2)."""
    rng = np.random.default_rng(seed)
    pit = sbg.polygon([(9, 6), (11.5, 6), (11 + rng.uniform(0, 1.5), 18), (9, 18), (9 - rng.uniform(0, 0.4), 12)])
    bottom = {}
    for at in rng.uniform((9.55, 10), (10.6, 14), (12, 2)).tolist():
        if all(math.dist(at, other) > 1.1 for other, _ in bottom.values()):
            bottom[f"n{len(bottom)}"] = (at, "evil" if rng.uniform() < 0.5 else "good")
    man = {"base": 1, "height": 1.5, "move": 6}
    models = {name: man | {"at": at, "on": "pit", "side": side} for name, (at, side) in bottom.items()}
    models["m"] = man | {"at": [8, 12], "side": "good"}
    terrain = {"pit": sbg.Terrain("pit", frozenset({"gap"}), pit, depth=3.0)}
    table = sbg.Table(24, 24, models=models, terrain=terrain)
    leg = Leg("leap", (8.4, 12), (12.6, 12), 4.2, test=Test("leap", "pit", (8.4, 12), (12.6, 12)))
    found = failed(table, table.model("m"), leg, None).at
    kept = [(at, 1 + (APART if side == "evil" else 0)) for at, side in bottom.values()]
    grid = np.stack(np.meshgrid(np.arange(8.5, 12.5, 0.02), np.arange(8, 16, 0.02)), axis=-1).reshape(-1, 2)

    def overlap(spots):
        edge, inner = pit.to_shapely().boundary, shapely.contains_xy(pit.to_shapely(), spots)
        faces = np.where(inner, shapely.distance(edge, shapely.points(spots)), 0.0)
        return np.max([0.5 - faces, *(apart - np.hypot(*(spots - at).T) for at, apart in kept)], axis=0)

    assert overlap(np.array([found]))[0] < 1e-9
    nearer = grid[np.hypot(*(grid - leg.start).T) < math.dist(found, leg.start) - 1e-9]
    assert len(nearer) > 100
    assert (overlap(nearer) > 0).all()


@pytest.mark.parametrize("wide", [0.3, 0.01, 1e-4])
def test_who_leaps_over_the_tip_of_a_gap_falls_into_it(wide):
    """However little of it is led over, it is as deep there; a base has room where sides of slope 6 leave it some."""
    y = 6 - 3 * wide
    gap = {"gap": {"tags": ["gap"], "depth": 3, "polygon": [[9, 0], [11, 0], [10, 6]]}}
    man = {"base": 1, "height": 1.5, "move": 6, "side": "good"}
    table = sbg.Table(24, 24, models={"m": man | {"at": [8.4, y]}}, terrain=gap)
    leg = Leg("leap", (8.9, y), (10.7, y), 1.8, test=Test("leap", "gap", (8.9, y), (10.7, y)))
    found = failed(table, table.model("m"), leg, None)
    assert (found.on, found.drop, found.hits) == ("gap", 3, 2)
    assert found.at == pytest.approx((10, 6 - 0.5 * 37**0.5), abs=1e-9)


@pytest.mark.parametrize(("y", "friend", "off", "beside"), [(12.2, 12, 0, 1), (11.9, 12, 0, -1), (0.7, 0.8, 0.35, 1)])
def test_who_falls_into_a_slit_where_another_lies_does_so_beside_it(y, friend, off, beside):
    """A slit of 0.7 in has no room for a base of an inch: its centre lies in it, a base away from that of the other.

    At the table edge it lies beyond the other, and there nearest to where it fell with its centre at a side.
    """
    slit = {"slit": {"tags": ["gap"], "depth": 3, "polygon": [[9.65, 0], [10.35, 0], [10.35, 24], [9.65, 24]]}}
    for (x, far), level in lies(slit, (8, y), (11.5, y), friend={"at": (10, friend), "on": "slit", "prone": True}):
        assert (abs(x - 10), level) == (pytest.approx(off, abs=1e-9), "slit")
        assert far - friend == pytest.approx(beside * (1 - off**2) ** 0.5, abs=1e-9)


def test_who_falls_at_the_table_edge_stays_on_the_table():
    """Half an inch from the edge, where a friend lies at the foot: there is room on one side of it alone."""
    roofs = {
        "here": {"tags": ["platform"], "height": 3, "polygon": [[5, 0], [10, 0], [10, 6], [5, 6]]},
        "there": {"tags": ["platform"], "height": 3, "polygon": [[11.2, 0], [16, 0], [16, 6], [11.2, 6]]},
    }
    man = {"base": 1, "height": 1.5, "move": 6, "side": "good"}
    models = {"m": man | {"at": [9.5, 0.9], "on": "here"}, "friend": man | {"at": [10.6, 1.1]}}
    table = sbg.Table(24, 24, models=models, terrain=roofs)
    leg = Leg("leap", (9.5, 0.9), (11.7, 0.9), 2.2, surface="there", test=Test("leap", "", (9.5, 0.9), (11.7, 0.9)))
    x, y = failed(table, table.model("m"), leg, "here").at
    assert (x, y) == (pytest.approx(10.5, abs=1e-12), pytest.approx(1.1 + 0.99**0.5, abs=1e-12))


@pytest.mark.parametrize(("radius", "at"), [(0.5, (10, 12)), (0.7, (9.8, 12))])
def test_in_a_round_pit_one_lies_at_its_face_or_just_in_its_middle(radius, at):
    """Just as wide as the base there is one place; wider by 0.2 in the centre comes as near as that to the start."""
    man = {"base": 1, "height": 1.5, "move": 6, "side": "good"}
    pit = sbg.Terrain("pit", frozenset({"gap"}), sbg.circle((10, 12), radius), depth=3.0)
    table = sbg.Table(24, 24, models={"m": man | {"at": [8, 12]}}, terrain={"pit": pit})
    leg = Leg("leap", (9, 12), (11.2, 12), 2.2, test=Test("leap", "pit", (9, 12), (11.2, 12)))
    assert failed(table, table.model("m"), leg, None).at == pytest.approx(at, abs=1e-12)


@pytest.mark.parametrize("other", [None, "above"])
def test_who_falls_is_neither_in_its_own_way_nor_in_that_of_who_stands_above(other):
    """To the middle of its leap (LEAP.2), nearer to where it began than its base is wide."""
    man = {"base": 1, "height": 1.5, "move": 6, "side": "good"}
    terrain = {
        "gap": {"tags": ["gap"], "depth": 3, "polygon": [[5, 0], [5.8, 0], [5.8, 12], [5, 12]]},
        "bridge": {"tags": ["platform"], "height": 4, "polygon": [[5, 4], [7, 4], [7, 8], [5, 8]]},
    }
    models = {"m": man | {"at": [4.5, 6]}}
    if other:
        models[other] = man | {"at": [5.5, 6], "on": "bridge"}
    table = sbg.Table(12, 12, models=models, terrain=terrain).under("leap_fall", "middle")
    leg = Leg("leap", (4.5, 6), (6.3, 6), 1.8, test=Test("leap", "gap", (4.5, 6), (6.3, 6)))
    found = failed(table, table.model("m"), leg, None)
    assert (found.at, found.on, found.drop) == (pytest.approx((5.4, 6), abs=1e-12), "gap", 3.0)


def test_a_base_touches_enemies_on_its_own_level_alone():
    man = {"base": 1, "height": 1.5, "move": 6}
    terrain = {"tower": {"tags": ["platform"], "height": 4, "polygon": [[7, 4], [9, 4], [9, 8], [7, 8]]}}
    models = {
        "m": man | {"at": [2, 6], "side": "good"},
        "friend": man | {"at": [6.5, 7], "side": "good"},
        "foe": man | {"at": [6.5, 5], "side": "evil"},
        "above": man | {"at": [7.5, 6], "side": "evil", "on": "tower"},
        "above-friend": man | {"at": [7.5, 6], "side": "good", "on": "tower"},
    }
    for name in ("above", "above-friend"):
        some = {n: m for n, m in models.items() if n in {"m", "friend", "foe", name}}
        table = sbg.Table(12, 12, models=some, terrain=terrain)
        assert touched(table, table.model("m"), (6.5, 6), None) == ("foe",)
    assert touched(table, table.model("m"), (6.5, 6), None, leaving=(6.0, 5.5)) == ()


@pytest.mark.parametrize(("step", "level", "drop"), [(1.0, "step", 2.0), (None, "gap", 3.0)])
def test_who_fails_a_leap_falls_onto_the_step_that_is_under_it_far_from_its_middle(step, level, drop):
    """Along the brim of a gap three inches deep, over an arm of it near the end alone: there a step stands, or none."""
    corners = [[4.5, 2], [9.5, 2], [9.5, 8], [9.1, 8], [9.1, 5.8], [4.5, 5.8]]
    terrain = {"gap": {"tags": ["gap"], "depth": 3, "polygon": corners}}
    if step is not None:
        arm = [[9.1, 5.9], [9.5, 5.9], [9.5, 8], [9.1, 8]]
        terrain["step"] = {"tags": ["platform"], "height": step, "polygon": arm, "on": "gap"}
    start, end = (4.5 - math.sqrt(0.5**2 - 0.2**2), 6.0), (10.0, 6.0)  # it touches the brim where it leaves and lands
    models = {"m": {"at": start, "base": 1, "height": 3, "move": 9, "side": "good"}}
    table = sbg.Table(14, 12, models=models, terrain=terrain)
    leap = Leg("leap", start, end, math.dist(start, end), test=Test("leap", "gap", start, end))
    assert audit(table, "m", Route((leap,))).violations == ()
    found = failed(table, table.model("m"), leap, None, 0.0)
    assert (found.on, found.drop) == (level, pytest.approx(drop))
