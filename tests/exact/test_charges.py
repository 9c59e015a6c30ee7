"""Charges against lengths worked out on paper: bases of an inch, zones keep centres 2 in apart, contact is at 1 in."""

from __future__ import annotations

from fractions import Fraction
from math import acos, asin, atan, cos, hypot, pi, sin, sqrt

import pytest

from sbg_sim.solver.answer import ask
from sbg_sim.table.questions import Charge, Move

EXACT = 1e-9


def test_straight(lay):
    assert lay.charge(lay.table(lay.mover(4, 12), lay.model("a", 9, 12)), "a").needed == pytest.approx(4, abs=EXACT)


def test_first_zone_binds(lay):
    """The guard's zone lies on the way: round its rim, until the line to the captain clears it."""
    table = lay.table(lay.mover(4, 12), lay.model("guard", 7, 11), lay.model("captain", 12, 12))
    d, e = hypot(3, 1), hypot(5, 1)
    arc = pi - atan(1 / 3) - atan(1 / 5) - acos(2 / d) - acos(2 / e)
    expected = sqrt(d * d - 4) + 2 * arc + sqrt(e * e - 4) - 1
    assert lay.charge(table, "captain").needed == pytest.approx(expected, abs=EXACT)


def test_bound_charge_ignores_later_zones(lay):
    """The second enemy stands past the first: its zone overlaps the target's, and does not bend the charge."""
    table = lay.table(lay.mover(4, 12), lay.model("a", 9, 12), lay.model("b", 9, 13.3))
    assert lay.charge(table, "a").needed == pytest.approx(4, abs=EXACT)


@pytest.mark.parametrize("off", [0.0, 0.2, 0.4])
def test_round_a_friend_in_contact(lay, off):
    """A friend touches the target in front: roll round the friend until contact, 60 degrees off their line."""
    friend = lay.model("f", 9 - cos(off), 12 - sin(off), side="good")
    table = lay.table(lay.mover(4, 12), lay.model("a", 9, 12, engaged=frozenset({"f"})), friend)
    fx, fy = friend.at
    d = hypot(fx - 4, fy - 12)
    start = pi - asin((12 - fy) / d)  # bearing of the mover from the friend
    touch = acos(1 / d)
    upper = start - touch - (off + pi / 3)
    assert upper > 0
    expected = sqrt(d * d - 1) + upper
    assert lay.charge(table, "a").needed == pytest.approx(expected, abs=EXACT)


def test_two_at_once(lay):
    table = lay.table(lay.mover(4, 12), lay.model("a", 9, 12.8), lay.model("b", 9, 11.2))
    assert lay.charge(table, "a", "b").needed == pytest.approx(5 - sqrt(1 - 0.64), abs=EXACT)


def test_three_at_once(lay):
    """Three on a circle of 1 in round a place: only there all are touched."""
    things = [lay.model(n, 10 + cos(a), 12 + sin(a)) for n, a in (("a", 0.0), ("b", 1.2), ("c", -1.2))]
    table = lay.table(lay.mover(4, 12), *things)
    assert lay.charge(table, "a", "b", "c").needed == pytest.approx(6, abs=1e-6)


def test_four_cannot_all_be_touched(lay):
    things = [lay.model(n, 10 + cos(a), 12 + sin(a)) for n, a in (("a", 0.0), ("b", 1.2), ("c", -1.2))]
    things.append(lay.model("d", 10 + 1.01 * cos(2.6), 12 + 1.01 * sin(2.6)))
    assert lay.charge(lay.table(lay.mover(4, 12), *things), "a", "b", "c", "d").needed is None


def test_two_zones_touched_at_the_same_instant(lay):
    """Straight between two: both zones are entered at once, and either may be charged."""
    table = lay.table(lay.mover(4, 12), lay.model("a", 9, 13), lay.model("b", 9, 11))
    expected = hypot(5, 1) - 1
    for name in ("a", "b"):
        assert lay.charge(table, name).needed == pytest.approx(expected, abs=EXACT)


def test_behind_a_rank(lay):
    """Between two whose zones touch on the line: the rims are touched, not entered, and the way is free."""
    table = lay.table(lay.mover(4, 12), lay.model("a", 8, 14), lay.model("b", 8, 10), lay.model("c", 12, 12))
    assert lay.charge(table, "c").needed == pytest.approx(7, abs=EXACT)
    closer = lay.table(lay.mover(4, 12), lay.model("a", 8, 13.9995), lay.model("b", 8, 10.0005), lay.model("c", 12, 12))
    assert lay.charge(closer, "c").needed > 7.5


def test_engaged_enemies_let_pass(lay):
    """CHG.7: the same rank, engaged, has no zones."""
    others = (lay.model("f", 8, 14.2, side="good"), lay.model("g", 8, 9.8, side="good"))
    shut = (lay.model("a", 8, 13.2, engaged=frozenset({"f"})), lay.model("b", 8, 10.8, engaged=frozenset({"g"})))
    table = lay.table(lay.mover(4, 12), *shut, *others, lay.model("c", 12, 12))
    assert lay.charge(table, "c").needed == pytest.approx(7, abs=EXACT)


def test_into_a_bog(lay):
    """The enemy's contact circle lies in a bog that begins 3 in before its centre."""
    table = lay.table(lay.mover(4, 12), lay.model("a", 11, 12), lay.bog("b", lay.box(8.5, -20, 40, 40)))
    assert lay.charge(table, "a").needed == pytest.approx(4 + 2 * 2, abs=1e-6)


def test_round_the_target_to_a_dry_side(lay):
    """Only the near side is open: a wall stands behind the enemy, a friend in front of it on either hand."""
    table = lay.table(
        lay.mover(4, 12),
        lay.model("a", 9, 12, engaged=frozenset({"f", "g"})),
        lay.model("f", 9 - sin(0.4), 12 + cos(0.4), side="good"),
        lay.model("g", 9 - sin(0.4), 12 - cos(0.4), side="good"),
    )
    assert lay.charge(table, "a").needed == pytest.approx(4, abs=EXACT)


def test_from_inside_its_zone(lay):
    table = lay.table(lay.mover(7.5, 12), lay.model("a", 9, 12))
    assert lay.charge(table, "a").needed == pytest.approx(0.5, abs=EXACT)


def test_from_inside_one_zone_to_another(lay):
    """Away from one, into another: by the default reading; by the other the answer is no, and that is said."""
    table = lay.table(lay.mover(7.5, 12), lay.model("a", 6, 12), lay.model("b", 12, 12))
    found = ask(table, Charge("m", "b"))
    assert found.needed == pytest.approx(3.5, abs=EXACT)
    assert found.answer == "yes"
    assert "stuck_then_charge = no" in found.rulings
    held = ask(table.under("stuck_then_charge", "no"), Charge("m", "b"))
    assert held.answer == "no"
    assert "CZ.4" in held.rules


def test_circling_inside_a_zone(lay):
    """Half round an enemy at the distance of the start: an arc of 1.5 in all the way."""
    table = lay.table(lay.mover(7.5, 12), lay.model("a", 9, 12))
    assert lay.needed(table, (10.5, 12)) == pytest.approx(1.5 * pi, abs=EXACT)
    outward = lay.needed(table, (9, 15))
    assert outward == pytest.approx(1.5 * (pi / 2 - acos(1.5 / 3)) + sqrt(9 - 2.25), abs=EXACT)


def test_a_zone_once_left_is_closed(lay):
    """Stuck in one zone with a friend in the way round: the mover may leave the zone, but not come back in."""
    friend = lay.model("f", 9, 13.6, side="good")
    table = lay.table(lay.mover(7.5, 12), lay.model("a", 9, 12), friend, lay.wall("w", lay.box(8.9, 2, 9.1, 11.2)))
    assert lay.move(table, (10.5, 12)).needed is None
    assert lay.move(table, (9, 16)).needed is not None


def test_monotone_reading(lay):
    """May the distance shrink on the way out? From 1.5 in straight past and back to 1.6 in: only by one reading."""
    table = lay.table(lay.mover(7.5, 12), lay.model("a", 9, 12), stuck_no_closer="monotone")
    there = (9 + 1.9 * cos(2.0), 12 + 1.9 * sin(2.0))
    assert lay.move(table, there).answer == "yes"


def test_prone_enemy_is_charged_without_a_zone(lay):
    """A prone enemy has no zone, so a second enemy's zone binds if it comes first."""
    table = lay.table(lay.mover(4, 12), lay.model("a", 9, 12, prone=True))
    assert lay.charge(table, "a").needed == pytest.approx(4, abs=EXACT)
    guarded = lay.table(lay.mover(4, 12), lay.model("a", 9, 12, prone=True), lay.model("b", 9, 13.2))
    needed = lay.charge(guarded, "a").needed
    assert needed is None or needed > 4


def test_prone_mover_stands_up_first(lay):
    table = lay.table(lay.mover(4, 12, prone=True, move=8.0), lay.model("a", 9, 12))
    assert lay.charge(table, "a").needed == pytest.approx(4 + 4, abs=EXACT)
    assert lay.charge(table, "a").answer == "yes"


def test_prone_mover_crawls_an_inch(lay):
    table = lay.table(lay.mover(4, 12, prone=True, move=8.0), lay.bog("b", lay.box(0, 0, 20, 20)))
    assert lay.move(table, (5, 12)).answer == "yes"
    assert lay.needed(table, (5, 12)) == pytest.approx(1, abs=EXACT)
    assert lay.needed(table, (5.5, 12)) == pytest.approx(4 + 3, abs=1e-6)


@pytest.mark.parametrize(("given", "rule"), [({"moved": True}, "MOV.6"), ({"may_move": False}, "MOV.6")])
def test_models_that_may_not_move(lay, given, rule):
    table = lay.table(lay.mover(4, 12, **given), lay.model("a", 9, 12))
    for question in (Charge("m", "a"), Move("m", (5, 12))):
        found = ask(table, question, alternatives=False)
        assert found.answer == "no"
        assert rule in found.rules


def test_charge_without_sight(lay):
    table = lay.table(lay.mover(4, 12), lay.model("a", 9, 12), lay.wall("w", lay.box(6, 10, 6.5, 14)))
    found = lay.charge(table, "a")
    assert found.answer == "no"
    assert "CHG.1" in found.rules


def test_contact_may_not_be_a_move(lay):
    """A move that is no charge may not end touching an enemy without a zone; a hair before is allowed."""
    table = lay.table(lay.mover(4, 12), lay.model("a", 9, 12, prone=True))
    assert lay.move(table, (8, 12)).answer == "no"
    assert lay.move(table, (7.999, 12)).answer == "yes"
    assert lay.move(table, (7.999, 12)).chance == Fraction(1)


def test_touching_a_friend_is_allowed(lay):
    table = lay.table(lay.mover(4, 12), lay.model("a", 9, 12, side="good"))
    assert lay.move(table, (8, 12)).answer == "yes"
