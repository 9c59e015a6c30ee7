"""Where a straight first runs into something, and what: step by step, and by tangents and chords."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.solver.space.surroundings import Goal, make_surroundings
from sbg_sim.solver.why_not import (
    _barred,
    _barred_between,
    _both_touched,
    _cannot_come_down,
    _common_place,
    _levelled,
    _unfit,
    along,
    ends_badly,
    why_not_straight,
    why_not_together,
)
from sbg_sim.table.models import Model
from sbg_sim.table.route import Leg

MAN = {"base": 1, "height": 1.5, "move": 8}
MODELS = {
    "me": MAN | {"at": (6, 12), "side": "good"},
    "friend": MAN | {"at": (10, 12.3), "side": "good"},
    "foe": MAN | {"at": (6, 17), "side": "evil"},
    "close": MAN | {"at": (6, 10.2), "side": "evil"},
}
ROCK = {"rock": {"tags": ["unscalable"], "polygon": [(2, 13), (4, 13), (4, 16), (2, 16)], "height": 9}}


def on(**models):
    return sbg.Table(24, 24, models=MODELS | models, terrain=ROCK)


@pytest.mark.parametrize(
    ("to", "rule", "blame", "at"),
    [
        ((14.0, 12.0), "MOV.4", "friend", (10 - math.sqrt(1 - 0.3**2), 12.0)),
        ((6.0, 15.5), "CZ.1", "foe", (6.0, 15.0)),  # where the zone of 2 in begins
        ((0.5, 12.0 + 5.5 * 0.5), "TER.5", "rock", None),
        ((6.0, 10.9), "CZ.4", "close", (6.0, 12.0)),  # no nearer than it stands
        ((0.0, 12.0), "MOV.5", None, (0.5, 12.0)),  # off the table
    ],
)
def test_a_straight_is_barred_where_it_first_runs_into_something(to, rule, blame, at):
    table = on()
    found = why_not_straight(table, table.model("me"), to, ())
    assert (found.rule, found.blame or None) == (rule, blame)
    if at is not None:
        assert found.place == pytest.approx(at, abs=2e-6)
    else:
        rock = sbg.polygon(ROCK["rock"]["polygon"])
        assert rock.depth(np.array([found.place]))[0] == pytest.approx(0.5, abs=2e-6)


def test_an_open_straight_is_barred_by_nothing():
    table = on()
    assert why_not_straight(table, table.model("me"), (9.0, 14.5), ()) is None


def test_who_is_charged_bars_nothing_and_within_its_zone_no_other_does():
    """Another enemy's zone overlaps that of the target: entered first it bars, after the target's it does not."""
    table = on(other=MAN | {"at": (7.5, 17.3), "side": "evil"})
    me = table.model("me")
    assert why_not_straight(table, me, (5.0, 16.0), ("foe",)) is None
    first = why_not_straight(table, me, (8.8, 16.2), ("foe",))
    assert (first.rule, first.blame) == ("CHG.3", "other")
    assert math.dist(first.place, (7.5, 17.3)) == pytest.approx(2.0, abs=2e-6)


def test_of_a_way_between_an_open_place_and_a_closed_one_the_rim_is_told():
    table = on()
    space = make_surroundings(table, table.model("me"), reach=9.0).spaces[0]
    for angle in np.linspace(0.1, 6.1, 13):
        toward = np.array([math.cos(angle), math.sin(angle)])
        good, bad = np.array([10, 12.3]) + 1.3 * toward, np.array([10, 12.3]) + 0.7 * toward
        found = _barred_between(space, good, bad, (), bound=False)
        assert math.dist(found.place, (10, 12.3)) == pytest.approx(1.0, abs=2e-6)
        assert found.blame == "friend"


@pytest.mark.parametrize("far", [5.0, 0.05, 0.019])
def test_places_along_a_leg_lie_no_farther_apart_than_a_fiftieth(far):
    end = (1.0 + 0.6 * far, 2.0 + 0.8 * far)
    places = along(Leg("straight", (1.0, 2.0), end, far))
    assert np.hypot(*np.diff(places, axis=0).T).max() <= 0.02 + 1e-12
    assert len(places) == math.ceil(far / 0.02) + 1
    assert (places[0].tolist(), places[-1].tolist()) == ([1.0, 2.0], list(end))
    assert along(Leg("straight", (1.0, 2.0), (1.0, 2.0), 0.0)).tolist() == [[1.0, 2.0]] * 2


@pytest.mark.parametrize(
    ("to", "told"),
    [
        ((10.5, 12.3), {("MOV.4", "friend")}),
        ((6.0, 15.5), {("CZ.1", "foe")}),
        ((6.0, 11.0), {("CZ.4", "close"), ("MOV.4", "close")}),
        ((3.0, 14.0), {("TER.5", "rock")}),
        ((0.2, 12.0), {("MOV.5", "")}),
        ((14.0, 12.0), set()),
        ((11.0, 12.3), set()),  # just in contact
        ((6.0, 15.0), set()),  # just on the rim of the zone
    ],
)
def test_where_nobody_could_stand_all_that_is_wrong_is_told(to, told):
    table = on()
    found = ends_badly(table, table.model("me"), to, None)
    assert {(v.rule, v.blame or "") for v in found} == told
    assert all(v.place == to for v in found)


def test_on_what_is_no_surface_nobody_stands():
    table = on()
    (found,) = ends_badly(table, table.model("me"), (6.0, 12.0), "rock")
    assert found.rule == "MOV.5"
    space = make_surroundings(table, table.model("me"), reach=9.0).spaces[0]
    assert _unfit(space, (6.0, 12.0)) == []


def disc(at, base):
    return Model("x", at, base, 1.5, 6.0, "evil")


@pytest.mark.parametrize(("gap", "both"), [(0.9, True), (1.0, True), (1.0 + 5e-7, True), (1.001, False)])
def test_two_bases_no_farther_apart_than_one_is_wide_are_touched_at_once(gap, both):
    mover = disc((0.0, 0.0), 1.0)
    assert _both_touched(mover, disc((5.0, 5.0), 1.0), disc((5.0, 6.5 + gap), 2.0)) is both


@pytest.mark.parametrize(("apart", "both"), [(0.6, True), (0.5, True), (0.499, False)])
def test_of_a_base_within_another_none_is_touched_beside_it(apart, both):
    assert _both_touched(disc((0.0, 0.0), 1.0), disc((5.0, 5.0), 2.0), disc((5.0 + apart, 5.0), 1.0)) is both


@pytest.mark.parametrize("turn", [0.0, 0.7, 2.9, 4.0])
def test_three_circles_through_one_place_have_it_in_common(turn):
    def about(angle, radius):
        return (3.0 + radius * math.cos(turn + angle), 4.0 + radius * math.sin(turn + angle), radius)

    circles = (about(0.3, 1.0), about(2.0, 1.6), about(4.4, 2.1))
    assert _common_place(circles)
    assert _common_place((*circles, about(5.5, 0.8)))
    x, y, radius = circles[2]
    assert not _common_place((*circles[:2], (x, y, radius + 1e-4)))
    assert not _common_place((*circles, (x, y, radius - 1e-4)))


def test_who_cannot_be_touched_together_is_named():
    models = {"one": MAN | {"at": (12, 12), "side": "evil"}, "two": MAN | {"at": (12, 15), "side": "evil"}}
    table = sbg.Table(24, 24, models=MODELS | models)
    me, one, two = (table.model(name) for name in ("me", "one", "two"))
    (found,) = why_not_together(me, [one, two])
    assert (found.rule, found.blame, found.place) == ("CHG.6", "two", (12.0, 13.5))


@pytest.mark.parametrize("climbed", [0.0, 1.0, 2.0])
@pytest.mark.parametrize("keywords", [(), ("cavalry",)])
@pytest.mark.parametrize("at", [(7.5, 12.0), (3.0, 20.0)])
def test_who_hangs_on_a_face_comes_down_unless_it_rides_or_nothing_can_be_climbed(climbed, keywords, at):
    """From no higher than it is tall (1.5 in) it needs no face."""
    top = {"tags": ["platform"], "polygon": [(8, 8), (16, 8), (16, 16), (8, 16)], "height": 4}
    table = sbg.Table(24, 24, models={"m": MODELS["me"]}, terrain={"top": top})
    me = Model("m", at, 1.0, 1.5, 8.0, "good", keywords=frozenset(keywords), climbed=climbed)
    found = [v.rule for v in _cannot_come_down(table, me)]
    down = climbed <= 1.5 or (not keywords and at == (7.5, 12.0))
    assert found == ([] if down else ["CLB.3" if keywords else "TER.5"])


def test_levelled_a_table_keeps_its_levels_as_places_of_no_height():
    terrain = {
        "top": {"tags": ["platform"], "polygon": [(8, 8), (16, 8), (16, 16), (8, 16)], "height": 4},
        "upper": {"tags": ["platform"], "polygon": [(9, 9), (12, 9), (12, 12), (9, 12)], "height": 2, "on": "top"},
        "bog": {"tags": ["difficult"], "polygon": [(1, 1), (3, 1), (3, 3), (1, 3)]},
    }
    flat = _levelled(sbg.Table(24, 24, models={"me": MODELS["me"]}, terrain=terrain))
    assert set(flat.terrain) == {"top", "upper"}
    assert {(p.height, p.on, *p.tags) for p in flat.terrain.values()} == {(0.0, None, "platform")}
    assert Goal(None, (9.0, 9.0)).apart((6.0, 5.0)) == 5.0


def test_at_an_open_place_nothing_bars():
    space = make_surroundings(on(), on().model("me"), reach=8.0).spaces[0]
    assert _barred(space, (6, 12), (), bound=False) is None
    assert _barred(space, (6, 15.2), (), bound=False).blame == "foe"
    assert _barred(space, (6, 15.2), (), bound=True) is None
    assert _barred(space, (3, 14), (), bound=True).blame == "rock"
