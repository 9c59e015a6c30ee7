"""Where no way leads at any Move: told of pens whose gaps are just too narrow, of levels nothing leads to, of no room.

What is called closed is held against a grid of places a twentieth of an inch apart from which a base goes to the next.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
import shapely.affinity
from scipy import ndimage

import sbg_sim as sbg
from sbg_sim.solver.path import closed
from sbg_sim.solver.path.closed import closed_off, covered, crowded_out
from sbg_sim.solver.path.options import Search
from sbg_sim.solver.space.surroundings import Goal, make_surroundings

MAN = {"base": 1, "height": 1.5, "move": 6}
ME = {**MAN, "at": (12, 6), "side": "good"}
SIZE = 24


def box(x0, y0, x1, y1, *tags, **more):
    return {
        "tags": list(tags) or ["obstacle", "unscalable"],
        "polygon": [(x0, y0), (x1, y0), (x1, y1), (x0, y1)],
    } | more


def pen(x, y, half, gap, **more):
    """Four sheer walls about a place, so wide inside; in the lower one a gap, in its middle."""
    a, b, thick = half, gap / 2, 0.5
    parts = [
        box(x - a - thick, y + a, x + a + thick, y + a + thick, **more),
        box(x - a - thick, y - a, x - a, y + a, **more),
        box(x + a, y - a, x + a + thick, y + a, **more),
        box(x - a - thick, y - a - thick, x - b, y - a, **more),
        box(x + b, y - a - thick, x + a + thick, y - a, **more),
    ]
    return {f"w{k}": {"height": 9.0} | part for k, part in enumerate(parts)}


def asked(terrain=None, goal=(12, 14), *, me=(), models=(), on=None, charging=None, size=SIZE, **given):
    """A search for a way to a place, or into contact with who is named."""
    there = {"me": ME | dict(me), **dict(models)}
    table = sbg.Table(size, size, models=there, terrain=terrain or {}, **given)
    mover = table.model("me")
    aim = Goal(on, goal)
    if charging is not None:
        enemy = table.model(charging)
        aim = Goal(enemy.on, contact=((*enemy.at, enemy.radius + mover.radius),), bound=enemy.has_zone)
    return Search(table, mover, charging, aim, 6.0, dice=True, horizon=12.0)


def leads_there(search, step=0.05):
    """Whether a base may go from the mover to the goal a step at a time, on ground with nothing to cross."""
    space = make_surroundings(search.table, search.mover, charging=search.charging).spaces[0]
    n = round(search.table.width / step)
    at = np.stack(np.meshgrid(np.arange(n + 1) * step, np.arange(n + 1) * step), axis=-1).reshape(-1, 2)
    free = space.free(at) if search.charging is None else np.logical_or(*space.states(at))
    label = ndimage.label(free.reshape(n + 1, n + 1), np.ones((3, 3)))[0].ravel()
    x, y, radius = search.goal.focus
    here, there = (np.hypot(*(at - c).T) <= r + step for c, r in ((search.mover.at, 0.0), ((x, y), radius)))
    return bool(set(label[here & free]) & set(label[there & free]))


@pytest.mark.parametrize(("gap", "shut"), [(0.8, True), (0.99, True), (1.01, False), (1.3, False)])
@pytest.mark.parametrize("inside", [True, False])
@pytest.mark.parametrize("half", [1.2, 4.0])
def test_a_pen_is_closed_whose_gap_a_base_does_not_pass(gap, shut, inside, half):
    """A small pen is seen round the goal or the mover, a large one on the whole table."""
    walls = pen(12, 14, half, gap)
    there, out = (12, 14), (12, 3)
    search = asked(walls, there if inside else out, me={"at": out if inside else there})
    assert closed_off(search) == shut


@pytest.mark.parametrize("seed", range(25))
def test_what_is_closed_off_no_base_comes_to_step_by_step(seed):
    """Rows of posts at random, with friends and enemies between: what is told is so, and most of what is so is told."""
    rng = np.random.default_rng(seed)
    gap = rng.uniform(0.7, 1.5)
    posts = {}
    for k, x in enumerate(np.arange(0.0, SIZE, 1.0 + gap).tolist()):
        y = 10 + float(rng.uniform(-0.2, 0.2))
        posts[f"p{k}"] = box(x, y, x + 1.0, y + 1.0, height=9.0)
    models = {}
    if seed % 2:
        models["friend"] = {**MAN, "at": (float(rng.uniform(2, 22)), 12.5), "side": "good"}
        models["foe"] = {**MAN, "at": (float(rng.uniform(2, 22)), 13.0), "side": "evil"}
    search = asked(posts, (12, 18), models=models)
    told, leads = closed_off(search), leads_there(search)
    assert not (told and leads)
    if abs(gap - 1.0) > 0.15:
        assert told != leads


def test_the_least_gap_a_row_of_posts_leaves_closes_or_not():
    assert [closed_off(asked(pen(12, 14, 2.0, g))) for g in (0.9985, 1.0015)] == [True, False]


def test_what_can_be_jumped_closes_nothing():
    low = pen(12, 14, 2.0, 0.2, height=1.0, tags=["obstacle"])
    assert not closed_off(asked(low))
    assert closed_off(asked(pen(12, 14, 2.0, 0.2)))


def test_a_base_in_a_gap_closes_it_and_so_does_a_zone_but_for_who_charges():
    pen_, wide = pen(12, 14, 3.0, 2.5), pen(12, 14, 3.0, 4.0)
    friend = {"friend": {**MAN, "at": (12, 10.75), "side": "good"}}
    foe = {"foe": {**MAN, "at": (12, 10.75), "side": "evil"}}
    assert not closed_off(asked(pen_))
    assert closed_off(asked(pen_, models=friend))
    aside = {"friend": {**MAN, "at": (11.3, 10.75), "side": "good"}}
    assert not closed_off(asked(pen_, models=aside))
    # Beside the base of a foe there is room enough, but not beside its zone.
    assert not closed_off(asked(wide, models=friend))
    assert closed_off(asked(wide, models=foe))
    assert not closed_off(asked(wide, models=foe, charging="foe"))
    within = {"foe": {**MAN, "at": (12, 14), "side": "evil"}}
    assert not closed_off(asked(wide, models=within, charging="foe"))
    assert closed_off(asked(pen(12, 14, 3.0, 0.9), models=within, charging="foe"))
    assert closed_off(asked(wide, models=within | {"other": foe["foe"]}, charging="foe"))


def test_who_may_leave_the_zone_of_whom_it_charges_is_barred_by_no_other_zone():
    """Under a reading a charger goes on through zones once it is in that one: then only what stands there closes."""
    foe = {"foe": {**MAN, "at": (12, 14), "side": "evil"}, "other": {**MAN, "at": (12, 10.75), "side": "evil"}}
    free = sbg.Rulings({"charge_stays_in_zone": "no"})
    assert not closed_off(asked(pen(12, 14, 3.0, 4.0), models=foe, charging="foe", rulings=free))
    assert closed_off(asked(pen(12, 14, 3.0, 2.5), models=foe, charging="foe", rulings=free))


def test_a_pen_beside_the_edge_of_the_table_is_closed_by_it():
    side = {
        "a": box(0, 10, 4, 10.5, height=9.0),
        "b": box(3.5, 10.5, 4, 16, height=9.0),
        "c": box(0, 16, 4, 16.5, height=9.0),
    }
    assert closed_off(asked(side, (2, 13)))
    assert closed_off(asked(side, (20, 13), me={"at": (2, 13)}))
    del side["c"]
    assert not closed_off(asked(side, (2, 13)))


def test_of_a_large_table_only_windows_are_looked_at():
    """With more than 120 things on it: a pen three inches wide is seen, one of twenty inches is not."""
    crowd = {f"f{k}": {**MAN, "at": (1.5 + k % 30 * 1.5, 40 + k // 30 * 1.5), "side": "good"} for k in range(125)}
    for half, told in ((2.0, True), (6.0, True), (9.5, False)):
        search = asked(pen(24, 24, half, 0.5), (24, 24), me={"at": (24, 4)}, models=crowd, size=48)
        assert closed_off(search) == told


@pytest.mark.parametrize("radius", [1.0, 4.0])
@pytest.mark.parametrize("turn", np.linspace(0, math.pi / 32, 5).tolist())
def test_up_to_contact_leads_what_comes_as_near_whichever_way_it_lies(monkeypatch, turn, radius):
    """Out of a pen whose one side lies just within contact, or a hair beyond: contact is no narrower on any side."""
    (x, y), search = (12.0, 14.0), asked()
    surroundings = make_surroundings(search.table, search.mover)
    for beyond, shut in ((-1e-5, False), (2e-3 * radius, True)):
        near = radius + beyond
        inner = shapely.box(x + near, y - 1, x + near + 2, y + 1)
        pen_ = shapely.affinity.rotate(shapely.difference(inner.buffer(0.3), inner), turn, (x, y), use_radians=True)
        monkeypatch.setattr(closed, "_barriers", lambda _, pen_=pen_: pen_)
        start = (x + (near + 1) * math.cos(turn), y + (near + 1) * math.sin(turn))
        assert closed._apart(surroundings, start, 5.0, start, (x, y, radius)) == shut
        assert closed._apart(surroundings, (x, y), 9.0, start, (x, y, radius)) is False  # round the goal all is open


# -- levels ------------------------------------------------------------------------------------------------------------

TOP = box(8, 10, 16, 18, "platform", "unscalable", height=5.0)


def ladder(to="top", at=(12, 10)):
    return {"tags": ["ladder"], "at": at, "to": to}


def test_to_a_top_that_nothing_leads_to_there_is_no_way():
    assert closed_off(asked({"top": TOP}, on="top"))
    assert not closed_off(asked({"top": TOP, "l": ladder()}, on="top"))
    low = box(8, 10, 16, 18, "platform", height=1.0)
    assert not closed_off(asked({"top": low}, on="top"))


def test_from_a_top_that_nothing_leads_from_there_is_no_way():
    up = {"at": (12, 14), "on": "top"}
    assert closed_off(asked({"top": TOP}, (12, 6), me=up))
    assert not closed_off(asked({"top": TOP, "l": ladder()}, (12, 6), me=up))
    assert not closed_off(asked({"top": TOP}, (12, 12), me=up, on="top"))


def test_to_a_top_that_only_another_lone_top_leads_to_there_is_no_way():
    """A bridge by a leap of an inch from one top to the other, and no ladder to either."""
    other = box(8, 19.0, 16, 23, "platform", "unscalable", height=5.0)
    tops = {"top": TOP, "other": other}
    assert closed_off(asked(tops, (12, 21), on="other"))
    assert not closed_off(asked({**tops, "l": ladder()}, (12, 21), on="other"))
    assert not closed_off(asked(tops, (12, 21), me={"at": (12, 14), "on": "top"}, on="other"))


# -- room --------------------------------------------------------------------------------------------------------------


def disc(radius, height=1.0):
    return {"tags": ["platform"], "circle": {"center": (12, 14), "radius": radius}, "height": height}


@pytest.mark.parametrize(("wide", "room"), [(0.45, False), (0.499, False), (0.501, True), (2.0, True)])
@pytest.mark.parametrize("shape", ["disc", "square"])
def test_a_top_holds_a_base_that_it_is_as_wide_as(wide, room, shape):
    top = disc(wide) if shape == "disc" else box(12 - wide, 14 - wide, 12 + wide, 14 + wide, "platform", height=1.0)
    search = asked({"top": top}, on="top")
    assert crowded_out(search.table, search.mover, search.goal) == (None if room else "")
    loose = asked({"top": top}, on="top", rulings=sbg.Rulings({"stand_on": "centre"}))
    assert crowded_out(loose.table, loose.mover, loose.goal) is None
    ground = asked({"top": top})
    assert crowded_out(ground.table, ground.mover, ground.goal) is None


@pytest.mark.parametrize(("more", "room"), [(-0.02, False), (0.02, True), (0.5, True)])
def test_round_whom_one_charges_on_a_top_there_is_room_or_not(more, room):
    """In the middle of a round top: half a base, the enemy's and twice the mover's radius must have room."""
    foe = {"foe": {**MAN, "at": (12, 14), "side": "evil", "on": "top"}}
    search = asked({"top": disc(0.5 + 2 * 0.5 + more)}, models=foe, charging="foe")
    assert crowded_out(search.table, search.mover, search.goal) == (None if room else " beside whom it charges")
    assert closed_off(search) == (not room)


@pytest.mark.parametrize("many", [5, 6])
@pytest.mark.parametrize("out", [1.02, 1.4])
def test_whom_others_stand_all_round_is_covered(many, out):
    """Six bases of an inch about one: between two of them is room at its rim for none, unless one is missing."""
    models = {"foe": {**MAN, "at": (12, 14), "side": "evil"}}
    for k in range(many):
        at = (12 + out * math.cos(k * math.tau / 6), 14 + out * math.sin(k * math.tau / 6))
        models[f"f{k}"] = {**MAN, "at": at, "side": "good"}
    assert covered(asked(models=models, charging="foe")) == (many == 6)


def test_of_a_place_nothing_is_covered_and_of_a_level_out_of_reach_nothing_is_told():
    assert not covered(asked())
    search = asked({"top": TOP}, on="top")
    assert closed._leaves(make_surroundings(search.table, search.mover)) is False
    led = asked({"top": TOP, "l": ladder()}, on="top")
    assert closed._leaves(make_surroundings(led.table, led.mover)) is True
