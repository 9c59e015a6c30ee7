"""Which rulings can touch a question at all: each by what must be there for it, a hair to either side."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import sbg_sim as sbg
from sbg_sim.solver import readings
from sbg_sim.solver.readings import relevant

MAN = {"base": 1, "height": 1.5, "move": 6}
ME = {**MAN, "at": (10, 10), "side": "good"}
FOE = {**MAN, "at": (14, 10), "side": "evil"}


def box(*tags, x=12.0, y=20.0, half=1.0, **more):
    corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
    return {"tags": list(tags), "polygon": corners} | more


def named(*, question=None, terrain=None, models=(), me=(), answer="no", tests=(), allowance=6.0, **rulings):
    """The rulings told of a move, or of another question, by a verdict that takes such dice."""
    there = {"me": ME | dict(me), **dict(models)}
    pieces = {"t": terrain} if terrain and "tags" in terrain else terrain or {}
    table = sbg.Table(60, 60, models=there, terrain=pieces, rulings=sbg.Rulings(rulings))
    verdict = SimpleNamespace(answer=answer, allowance=allowance, tests=[SimpleNamespace(kind=kind) for kind in tests])
    return set(relevant(table, question or sbg.Move("me", (10, 14)), verdict))


WALL = box("obstacle", height=1.0)


def test_on_an_empty_table_a_move_hangs_on_no_reading():
    assert named() == set()
    assert named(question=sbg.Charge("me", "foe"), models={"foe": FOE}) == {"charge_stays_in_zone"}
    assert named(question=sbg.Measure("me", "foe"), models={"foe": FOE}, terrain=WALL) == set()
    assert named(question=sbg.ReachOf("me"), terrain=WALL) == set()


# -- looks -------------------------------------------------------------------------------------------------------------

LOOK, ON = sbg.Sight("me", "foe"), {"eye", "sight_grazing"}


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({}, set()),
        ({"terrain": WALL}, ON | {"sight_within"}),
        ({"terrain": box("difficult")}, set()),  # flat
        ({"models": {"third": {**MAN, "at": (30, 30)}}}, ON | {"models_block_sight"}),
        ({"terrain": box("gap", depth=2.0)}, set()),
        ({"terrain": box("gap", depth=2.0, half=3.0, x=14.0, y=10.0), "models": {"foe": FOE | {"on": "t"}}}, ON),
    ],
)
def test_looks_hang_on_what_could_hide_somebody(given, found):
    given = {"models": {}, **given}
    told = named(question=LOOK, **given | {"models": {"foe": FOE} | given["models"]})
    assert told - {"sight_within"} == found - {"sight_within"}
    assert ("sight_within" in found) <= ("sight_within" in told)


def test_of_two_who_are_charged_either_may_hide_the_other():
    both = {"foe": FOE, "two": FOE | {"at": (14, 11.5)}}
    assert named(question=sbg.Charge("me", ("foe", "two")), models=both) >= ON | {"models_block_sight"}
    assert "eye" not in named(question=sbg.Charge("me", "foe"), models={"foe": FOE})


# -- zones -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("apart", "within"), [(1.9, True), (2.1, False)])
def test_who_starts_in_a_zone_hangs_on_how_it_leaves_it(apart, within):
    near = {"foe": FOE | {"at": (10 + apart, 10)}}
    moved = named(models=near)
    assert moved == ({"stuck_no_closer", "zone_once_left"} if within else set())
    charged = named(question=sbg.Charge("me", "foe"), models=near)
    assert charged - {"charge_stays_in_zone"} == (moved | {"stuck_then_charge"} if within else set())


@pytest.mark.parametrize(("y", "reaches"), [(17.95, True), (18.05, False)])
def test_zones_over_another_level_may_bind_there(y, reaches):
    """A top from y = 16 down to 14 below an enemy: its zone reaches two inches, from the mover's centre."""
    top = box("platform", height=5.0, x=10.0, y=15.0)
    told = named(models={"foe": FOE | {"at": (10, y)}}, terrain=top)
    assert ("zones_across_surfaces" in told) == reaches
    assert "zones_across_surfaces" not in named(models={"foe": FOE | {"at": (10, y), "side": "good"}}, terrain=top)
    on = named(models={"foe": FOE | {"at": (10, 15), "on": "t"}}, terrain=top)
    assert "zones_across_surfaces" in on


def test_whether_a_climber_may_be_charged_is_asked_of_climbers():
    face = box("platform", height=5.0, x=14.0, y=12.5, half=2.0)
    for climbed, told in ((1.0, True), (0.0, False)):
        foe = {"foe": FOE | {"at": (14, 10)} | ({"climbed": climbed} if climbed else {})}
        assert ("charge_a_climber" in named(question=sbg.Charge("me", "foe"), models=foe, terrain=face)) == told
    assert "climb_test_each_turn" not in named(terrain=face)
    hung = named(me={"at": (14, 10), "climbed": 1.0}, terrain=face)
    assert "climb_test_each_turn" in hung


# -- heights -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("height", "half", "low", "jumped", "climbed"),
    [
        (0.5, False, True, False, False),
        (0.75, True, True, True, False),
        (0.75 - 5e-10, True, True, True, False),
        (0.75 - 1e-6, False, True, False, False),
        (0.75 + 1e-6, False, False, True, False),
        (1.5, False, False, True, False),
        (1.5 + 1e-6, False, False, False, True),
        (3.0, False, False, False, True),
    ],
)
def test_walls_are_stepped_over_jumped_or_climbed_by_their_height(height, half, low, jumped, climbed):
    told = named(terrain=box("obstacle", height=height))
    want = {
        "obstacle_exactly_half": half,
        "end_on_low_obstacle": low,
        "jump_landing": jumped,
        "climb_over": climbed,
    }
    assert {name: name in told for name in want} == want
    assert not told & {"stand_on", "leap_needs", "leap_width", "leap_landing", "contact_across_heights"}
    # A yes takes no dice: other readings of tests cannot better it.
    sure = named(terrain=box("obstacle", height=height), answer="yes")
    assert sure == told - {"jump_landing", "jump_without_movement", "climb_over"}
    assert named(terrain=box("obstacle", height=height), me={"height": None}) == set()


def test_what_no_way_within_the_move_comes_near_does_not_count():
    """The Move, and six times four radii that shifts may gain, from rim to rim."""
    reach = 6.0 + 6 * 4 * 0.5 + 0.5
    for off, there in ((-0.01, True), (0.01, False)):
        wall = box("obstacle", height=1.0, x=10.0, y=10 + reach + 1 + off)
        assert ("jump_landing" in named(terrain=wall)) == there
        assert "jump_landing" not in named(terrain=wall, allowance=None)


@pytest.mark.parametrize("kind", ["jump", "jump-up", "jump-prone", "leap", "climb"])
@pytest.mark.parametrize("answer", ["yes", "chance"])
def test_dice_that_are_thrown_hang_on_the_readings_about_them(kind, answer):
    told = named(tests=[kind], answer=answer)
    assert ("jump_landing" in told) == kind.startswith("jump")
    assert ("leap_needs" in told) == (kind == "leap")
    assert ("climb_over" in told) == (kind == "climb")
    charged = named(tests=[kind], answer=answer, question=sbg.Charge("me", "foe"), models={"foe": FOE})
    assert ("jump_into_contact" in charged) == (kind != "climb")


@pytest.mark.parametrize(("tall", "told"), [(3.0, False), (3.0 + 1e-6, True)])
def test_over_who_lies_and_is_more_than_twice_as_tall_it_is_asked_how_tall_is_too_tall(tall, told):
    lies = {"friend": {**MAN, "at": (10, 16), "height": tall, "prone": True, "side": "good"}}
    found = named(models=lies)
    assert ("jump_prone_height" in found) == told
    assert "jump_landing" in found
    stands = {"friend": lies["friend"] | {"prone": False}}
    assert named(models=stands) == set()
    assert named(me={"prone": True}) == set()  # over itself nobody jumps


@pytest.mark.parametrize(("y", "beside"), [(14.5, True), (14.55, True), (14.65, False)])
def test_where_a_jump_could_put_it_down_it_may_cost_more_than_is_left(y, beside):
    """Beside a wall from y = 15 on, a base and a tenth of an inch off at most; or beside who lies."""
    wall = box("obstacle", height=1.0, x=10.0, y=16.0)
    question = sbg.Move("me", (10, 14.5 - (y - 14.5)))
    assert ("jump_without_movement" in named(terrain=wall, question=question)) == beside
    lies = {"friend": {**MAN, "at": (10, 15.5), "prone": True, "side": "good"}}
    assert ("jump_without_movement" in named(models=lies, question=question)) == beside
    foe = {"foe": FOE | {"at": (10, 13.5 - (y - 14.5))}}  # a base in contact lies within a base of it
    assert ("jump_without_movement" in named(terrain=wall, models=foe, question=sbg.Charge("me", "foe"))) == beside


@pytest.mark.parametrize(
    ("piece", "found"),
    [
        (box("gap", depth=2.0), {"stand_on", "leap_needs", "leap_width"}),
        (box("platform", height=2.0), {"stand_on"}),
        (box("platform", height=0.75), {"stand_on", "obstacle_exactly_half", "jump_landing"}),
        (box("platform", height=0.7), {"stand_on"}),
        (box("platform", height=1.2), {"stand_on", "jump_landing"}),
    ],
)
def test_levels_are_stood_on_and_gaps_leapt(piece, found):
    assert named(terrain=piece) - {"climb_over"} == found


@pytest.mark.parametrize(("step", "told"), [(0.7, True), (0.75, True), (0.76, False)])
def test_whom_one_could_touch_from_another_level_is_asked_of_low_steps(step, told):
    top = box("platform", height=step)
    assert ("contact_across_heights" in named(terrain=top, models={"foe": FOE})) == told
    assert "contact_across_heights" not in named(terrain=top)
    assert "contact_across_heights" not in named(terrain=top, models={"foe": FOE | {"side": "good"}})


@pytest.mark.parametrize(("high", "told"), [(2.0, False), (2.5, True)])
def test_between_roofs_of_two_heights_it_is_asked_which_way_a_leap_may_lead(high, told):
    roofs = {
        "a": box("platform", height=2.0, x=12.0, y=16.0),
        "b": box("platform", height=high, x=15.0, y=16.0),
    }
    found = named(terrain=roofs)
    assert ("leap_landing" in found) == told
    assert "leap_needs" in found
    assert "leap_width" not in found
    assert "leap_landing" not in named(terrain=roofs, answer="yes")


def test_a_yes_is_not_turned_by_what_allows_more_nor_a_no_by_what_allows_less():
    table = sbg.Table(20, 20, models={"me": ME})
    for name, order in readings._FREER.items():
        now = table.rulings[name]
        for reading in order:
            if reading != now:
                freer = order.index(reading) > order.index(now)
                assert readings._freer(table, name, reading) is freer
                for answer in ("yes", "no", "chance"):
                    verdict = SimpleNamespace(answer=answer, table=table)
                    assert readings._settled(name, reading, verdict) == (answer == ("yes" if freer else "no"))
    assert readings._freer(table, "obstacle_exactly_half", "x") is None
    for answer, reading, so in (("yes", "centre", True), ("yes", "whole", False), ("no", "centre", False)):
        assert readings._settled("stand_on", reading, SimpleNamespace(answer=answer, table=table)) is so


def test_of_readings_in_order_the_furthest_are_tried_together_first():
    table = sbg.Table(20, 20, models={"me": ME}, rulings=sbg.Rulings({"leap_landing": "lower"}))
    changes = [("leap_landing", "both"), ("leap_landing", "neither"), ("jump_landing", "across"), ("eye", "volume")]
    changes += [("end_on_low_obstacle", "yes"), ("stand_on", "centre")]
    by = {
        (name, reading): order.index(reading) - order.index(table.rulings[name])
        for name, reading in changes
        if name in readings._NO_NEARER and (order := readings._FREER.get(name))
    }
    freer, stricter = readings._ordered(table, changes)
    assert set(freer) == {change for change, more in by.items() if more > 0} >= {("leap_landing", "both")}
    assert set(stricter) == {change for change, more in by.items() if more < 0} >= {("leap_landing", "neither")}
    assert [abs(by[change]) for change in freer] == sorted(abs(by[change]) for change in freer)
    assert ("eye", "volume") not in by
