"""Charge lists: the arc of each enemy's base that can be reached, what binds first, and why not."""

import math
from fractions import Fraction

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.solver import arcs
from sbg_sim.solver.charges import charges
from sbg_sim.solver.path import type_search
from sbg_sim.solver.readings import relevant
from sbg_sim.table.questions import Charge
from tests.charges.stage import box, charge, evil, good, piece, stage
from tests.fuzz.kinds import make

WALL = piece("wall", "obstacle", box(12, 0, 12.4, 40), height=1.0)
NARROW = math.acos(0.7)  # off the normal of a rim 0.7 in before a target's centre, where bases an inch wide touch


def arcs_of(table, target="e"):
    return charges(table, "a")[target].arcs


def one_arc(table, target="e"):
    """The arc as its middle and half-width, the middle between 0 and two pi."""
    ((first, last),) = arcs_of(table, target)
    return ((first + last) / 2) % (2 * math.pi), (last - first) / 2


def assert_places(arcs, *angles):
    """The arcs are single places at these angles, and no others."""
    assert np.ravel(arcs) == pytest.approx(np.repeat(angles, 2), abs=1e-6)


def test_the_arc_within_a_straight_move():
    # the charger in the west, 3 in from the target's centre: 9 + 1 - 6 cos = 2.5^2 at the ends
    middle, half = one_arc(stage(good("a", (10, 20), move=2.5), evil("e", (13, 20))))
    assert middle == pytest.approx(math.pi, abs=1e-8)
    assert half == pytest.approx(math.acos((10 - 2.5**2) / 6), abs=1e-7)


def test_the_arc_round_the_base():
    # beyond the tangent the way rolls round the base
    _, half = one_arc(stage(good("a", (10, 20), move=4), evil("e", (13, 20))))
    assert half == pytest.approx(math.acos(1 / 3) + 4 - math.sqrt(8), abs=1e-7)


def test_all_round():
    assert arcs_of(stage(good("a", (10, 20), move=6), evil("e", (13, 20)))) == ((0.0, 2 * math.pi),)


def test_a_friend_takes_sixty_degrees_to_either_side():
    # bases of one size: a friend in contact behind the target shuts 60 degrees on either side of him
    table = stage(good("a", (10, 20), move=6), evil("e", (13, 20)), good("b", (14, 20)))
    _, half = one_arc(table)
    assert half == pytest.approx(math.pi - math.pi / 3, abs=1e-5)


def test_a_zone_cuts_the_arc_of_a_prone_target():
    # the rim of 2 in round an enemy 1.5 in beyond it crosses the contact circle: outside lies the arc
    table = stage(good("a", (10, 20), move=9), evil("p", (13, 20), prone=True), evil("e", (14.5, 20)))
    _, half = one_arc(table, "p")
    assert half == pytest.approx(math.pi - math.acos((1 + 2.25 - 4) / 3), abs=1e-5)


def test_every_enemy_is_listed_the_cheapest_first():
    tower = piece("tower", "unscalable", box(9, 13, 11, 14), height=4)
    table = stage(
        good("a", (10, 20)), evil("e", (13, 20)), evil("far", (30, 20)), evil("hid", (10, 10)), tower,
        evil("rear", (16, 20.1)), good("friend", (5, 5)),
    )  # fmt: skip
    found = charges(table, "a")
    assert found.entries[0].target == "e"
    assert {entry.target for entry in found.entries} == {"e", "far", "hid", "rear"}
    assert repr(found["e"]) == "<Charge at e: yes (a into e: yes, 2.0000 of 6 in, 4.0000 in to spare)>"
    assert found["e"].binds == ()
    assert found["rear"].binds == ("e",)
    assert found["far"].arcs == ()
    (short,) = found["far"].verdict.violations
    assert (short.rule, found["far"].verdict.answer) == ("MOV.3", "no")
    assert short.place is not None
    hidden = found["hid"].verdict.violations[0]
    assert (hidden.rule, hidden.blame, hidden.place) == ("CHG.1", "tower", (10, 10))


def test_nothing_for_who_may_not_move():
    found = charges(stage(good("a", (10, 20), moved=True), evil("e", (13, 20))), "a")
    assert found["e"].arcs == ()
    assert found["e"].verdict.violations[0].rule == "MOV.6"


def test_the_ends_of_an_arc_cost_the_whole_move():
    table = stage(good("a", (10, 20), move=3.7), evil("e", (13, 21)))
    ((first, last),) = arcs_of(table)
    way, least = math.hypot(3, 1), math.hypot(3, 1) - 1
    assert charge(table, "a", "e").needed == pytest.approx(least, abs=1e-9)
    for angle in (first, last):
        turn = abs((angle - math.atan2(-1, -3) + math.pi) % (2 * math.pi) - math.pi)
        assert math.sqrt(way**2 - 1) + turn - math.acos(1 / way) == pytest.approx(3.7, abs=1e-7)


def test_only_readings_with_something_to_be_about_are_tried():
    alone = stage(good("a", (10, 20)), evil("e", (13, 20)))
    question = Charge("a", "e")
    names = relevant(alone, question, charge(alone, "a", "e"))
    assert not {"eye", "sight_within", "sight_grazing", "models_block_sight", "defended_opposite"} & set(names)
    wall = piece("wall", "obstacle", box(15, 10, 15.4, 30), height=1.0)
    walled = stage(good("a", (10, 20)), evil("e", (15.9, 20)), wall)
    names = relevant(walled, question, charge(walled, "a", "e"))
    assert {"eye", "sight_within", "sight_grazing", "defended_opposite"} <= set(names)


def test_a_last_leap_that_costs_more_than_is_left_ends_in_contact_where_it_lands():
    # the far rim of the ditch, 0.5 in beyond its side, meets the contact circle of 1 in 0.7 in before its centre
    ditch = piece("ditch", "gap", box(12, 0, 13.5, 40), depth=4)
    table = stage(good("a", (6, 20), move=5.6), evil("e", (14.7, 20)), ditch)
    entry = charges(table, "a")["e"]
    ((chance, places),) = entry.by_chance
    assert (entry.verdict.answer, entry.arcs, chance) == ("chance", (), Fraction(5, 6))
    assert entry.verdict.needed == pytest.approx(math.hypot(14 - 6, math.sqrt(1 - 0.7**2)), abs=1e-6)
    assert_places(places, math.pi - NARROW, math.pi + NARROW)


@pytest.mark.parametrize(("spare", "count"), [(1e-4, 2), (-1e-4, 1)])
def test_every_place_that_a_last_die_puts_a_charger_down_at_is_told(spare, count):
    """A straight way over the wall to the further of the two places of its far rim in contact costs its length."""
    further = math.hypot(2.9, 0.5 + math.sqrt(1 - 0.7**2))
    table = stage(good("a", (10, 20), move=further + spare), evil("e", (13.6, 20.5)), WALL)
    entry = charges(table, "a")["e"]
    best, *worse = entry.by_chance
    assert (entry.verdict.answer, entry.arcs, best[0]) == ("chance", (), Fraction(5, 6))
    assert_places(best[1], *[math.pi - NARROW, math.pi + NARROW][-count:])
    for _, some in worse:
        assert all(any(first <= place <= last for first, last in some) for place, _ in best[1])


def test_places_beyond_a_second_die_are_told_with_its_chance():
    """Behind a second wall a six comes first, whichever of the two places the second die puts the charger down at."""
    more = piece("more", "obstacle", box(10.5, 0, 10.9, 40), height=1.0)
    entry = charges(stage(good("a", (8, 20), move=8), evil("e", (13.6, 20)), WALL, more), "a")["e"]
    assert entry.by_chance[0][0] == Fraction(5, 36)
    assert_places(entry.by_chance[0][1], math.pi - NARROW, math.pi + NARROW)
    assert entry.by_chance[1][0] == Fraction(1, 36)


def test_places_beside_who_was_jumped_are_where_two_circles_meet():
    """A friend who lies 1.2 in before the target: beyond him the charger touches both, an inch from either."""
    walls = [piece("north", "unscalable", box(11, 21.5, 16, 21.7), height=4)]
    walls.append(piece("south", "unscalable", box(11, 18.3, 16, 18.5), height=4))
    friend = good("f", (13, 20), prone=True, base=1.4)
    entry = charges(stage(good("a", (10, 20), move=8), evil("e", (14.4, 20)), friend, *walls), "a")["e"]
    # by the law of cosines in the triangle of sides 1.4 (to the friend), 1.2 (touching him) and 1 (touching the target)
    aside = math.acos((1.4**2 + 1 - 1.2**2) / (2 * 1.4))
    assert entry.by_chance[0][0] == Fraction(5, 6)
    assert_places(entry.by_chance[0][1], math.pi - aside, math.pi + aside)


def test_by_a_reading_that_puts_nobody_down_in_contact_no_such_place_is_told():
    table = stage(good("a", (10, 20)), evil("e", (13.6, 20.5), prone=True), WALL, jump_into_contact="apart")
    entry = charges(table, "a")["e"]
    assert [chance for chance, _ in entry.by_chance] == [Fraction(1, 6)]


@pytest.mark.parametrize("move", [4.5, 5.0])
def test_no_arc_is_reached_by_a_jump_over_who_is_charged(move):
    """Who jumps over it is put down apart from it (PRN.5): the arcs are those of one too tall to be jumped."""
    wall = piece("wall", "obstacle", box(10.6, 0, 11, 40), height=1.0)

    def arcs_by_chance(height):
        lies = evil("e", (13.5, 20), prone=True, height=height)
        return charges(stage(good("a", (10, 20), move=move), lies, wall, jump_prone_height="half"), "a")["e"].by_chance

    ((chance, low),), ((same, tall),) = arcs_by_chance(2.9), arcs_by_chance(3.1)
    assert (chance, same) == (Fraction(1, 6), Fraction(1, 6))
    assert np.ravel(low) == pytest.approx(np.ravel(tall), abs=1e-6)


@pytest.mark.parametrize(("limit", "looks"), [(2.5, 4), (2.01, 5), (3.9, 4)])
def test_an_arc_is_closed_in_on_in_few_looks(limit, looks):
    """The distance of places on a unit circle from one three inches from its centre: 10 - 6 cos at the ends."""
    asked = []

    def cost(angle):
        asked.append(len(angle))
        return np.sqrt(10 - 6 * np.cos(angle))

    ((first, last),) = arcs.within(cost, np.zeros(0), 1.0, limit)
    half = math.acos((10 - limit**2) / 6)
    assert [(first + math.pi) % math.tau - math.pi, last - first] == pytest.approx([-half, 2 * half], abs=1e-8)
    assert len(asked) <= looks


@pytest.mark.parametrize("noise", [1e-15, 1e-13, 1e-11, 1e-9])
def test_an_arc_is_not_lost_to_rounding(noise):
    """Of costs that are not told alike twice, the angles on both sides of an end come to be one."""
    told = np.random.default_rng(0)

    def cost(angle):
        return np.abs(angle - math.pi) + noise * told.standard_normal(len(angle))

    for limit in np.linspace(0.3, 2.9, 40).tolist():
        ((first, last),) = arcs.within(cost, np.zeros(0), 1.0, limit)
        assert [first, last] == pytest.approx([math.pi - limit, math.pi + limit], abs=1e-7)


@pytest.mark.parametrize(("kind", "seed"), [("mounds", 116_000_000), ("fights", 116_000_000)])
def test_contacts_of_a_reach_are_the_arcs_of_charges_that_are_not_told_what_they_cost(kind, seed, monkeypatch):
    table, question = make(kind, seed, small=True)
    polished, known = [], type_search.cheapest
    monkeypatch.setattr(type_search, "cheapest", lambda *a: polished.append(a) or known(*a))
    found = dict(sbg.reach(table, question.model).contacts)
    assert not polished
    assert found == {entry.target: entry.arcs for entry in charges(table, question.model) if entry.arcs}
    assert polished
    assert found
