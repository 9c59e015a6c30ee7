"""Prone models: crawling, standing up, being jumped over; what may not be combined (PRN)."""

from math import asin, cos, hypot, inf, pi, sin, sqrt

import pytest

from sbg_sim.referee import audit
from sbg_sim.solver.reach import reach
from sbg_sim.table.route import Leg, Route
from tests.heights.stage import PASS, POLISHED, SIX, TOLD, box, charge, corridor, move, mover, other, piece, table, wall


def lying(x=5.0, y=12.0, **given):
    return mover(x, y, prone=True, **given)


# -- crawling and standing up -------------------------------------------------------------------------------------


@pytest.mark.parametrize("speed", [0.5, 6.0, 10.0])
def test_crawl_an_inch_whatever_the_move(speed):
    found = move(table(lying(move=speed)), (6, 12))
    assert (found.chance, found.needed, found.allowance) == (1, pytest.approx(1, abs=TOLD), 1)
    assert [leg.kind for leg in found.route.legs] == ["crawl"]
    assert "PRN.2" in found.rules


@pytest.mark.parametrize("beside", [(), (piece("step", "platform", box(5.8, 0, 9, 24), height=0.5),)])
def test_on_foot_is_not_where_one_crawls(beside):
    """Of 3 in half are left once it stands, which lead 3/4 in through a bog; it crawls an inch. A step lies farther."""
    bog = piece("bog", "difficult", box(0, 0, 24, 24))
    found = reach(table(lying(4.5, move=3.0), bog, *beside), "m", least=1)
    assert found.afoot.area == pytest.approx(pi * 0.75**2, abs=1e-4)
    assert found.area.area > 2.9


def test_crawl_an_inch_whatever_the_ground():
    bog = piece("bog", "difficult", box(0, 0, 24, 24))
    assert move(table(lying(), bog), (6, 12)).needed == pytest.approx(1, abs=TOLD)


def test_beyond_an_inch_it_stands_up():
    """Half of 6, and the way: 3 + 1.0001 to a hair beyond a crawl, 3 + 3 to the last place."""
    found = move(table(lying()), (6.0001, 12))
    assert (found.chance, found.needed) == (1, pytest.approx(4.0001, abs=TOLD))
    assert [leg.kind for leg in found.route.legs] == ["stand", "straight"]
    assert move(table(lying()), (8, 12)).answer == "yes"
    assert move(table(lying()), (8.0001, 12)).answer == "no"


def test_standing_up_on_difficult_ground():
    """The ground doubles the way, not the standing up."""
    bog = piece("bog", "difficult", box(0, 0, 24, 24))
    assert move(table(lying(move=8.0), bog), (6.5, 12)).needed == pytest.approx(4 + 2 * 1.5, abs=POLISHED)


@pytest.mark.parametrize(("x", "answer"), [(9.0, "yes"), (9.0001, "no")])
def test_stand_up_and_charge(x, answer):
    """3 to stand, and 3 from centre to contact 4 away."""
    found = charge(table(lying(), other("e", x, 12)), "e")
    assert (found.answer, found.needed) == (answer, pytest.approx(3 + x - 5 - 1, abs=TOLD))
    assert "PRN.3" in found.rules


def test_no_charge_by_crawling():
    """In contact after half an inch: it still has to stand up first."""
    found = charge(table(lying(), other("e", 6.5, 12, prone=True)), "e")
    assert (found.answer, found.needed) == ("yes", pytest.approx(3.5, abs=TOLD))
    assert found.route.legs[0].kind == "stand"


def test_no_test_while_crawling():
    """A thin wall, a small base: 0.6 across, but only upright."""
    fence = wall(1.0, x=5.25, thick=0.1)
    found = move(table(lying(base=0.5), fence), (5.6, 12))
    assert (found.chance, found.needed) == (PASS, pytest.approx(3 + 0.6, abs=TOLD))
    assert [leg.kind for leg in found.route.legs] == ["stand", "jump"]


def test_a_low_wall_is_crawled_over():
    """Stepping over takes no test: a place beyond it within an inch is crawled to."""
    found = move(table(lying(base=0.5), wall(0.5, x=5.25, thick=0.1)), (5.7, 12))
    assert (found.chance, found.needed, found.allowance) == (1, pytest.approx(0.7, abs=TOLD), 1)


def test_no_crawl_into_a_zone():
    found = move(table(lying(), other("e", 7.5, 12)), (6, 12))
    assert (found.answer, found.violations[0].rule) == ("no", "CZ.1")


def leg(kind, start, end, cost):
    return Leg(kind, (start, 12.0), (end, 12.0), cost)


@pytest.mark.parametrize(
    ("legs", "rule"),
    [
        ((leg("crawl", 5, 6, 1),), None),
        ((leg("crawl", 5, 6, 1), leg("stand", 6, 6, 3)), None),
        ((leg("stand", 5, 5, 3), leg("straight", 5, 8, 3)), None),
        ((leg("crawl", 5, 6.001, 1.001),), "PRN.2"),
        ((leg("crawl", 5, 6, 1), leg("stand", 6, 6, 3), leg("straight", 6, 6.5, 0.5)), "PRN.2"),
        ((leg("stand", 5, 5, 3), leg("crawl", 5, 6, 1)), "PRN.2"),
        ((leg("stand", 5, 5, 3), leg("lie", 5, 5, 3)), "PRN.3"),
        ((leg("straight", 5, 6, 1),), "PRN.2"),
    ],
)
def test_what_goes_with_what(legs, rule):
    found = audit(table(lying()), "m", Route(legs))
    assert {v.rule for v in found.violations} == (set() if rule is None else {rule})


def test_lying_down_and_not_up_again():
    start = table(mover(5, 12))
    down = (leg("straight", 5, 8, 3), leg("lie", 8, 8, 3))
    assert audit(start, "m", Route(down)).legal
    again = audit(start, "m", Route((leg("lie", 5, 5, 3), leg("stand", 5, 5, 3))), allowance=inf)
    assert {v.rule for v in again.violations} == {"PRN.3"}


# -- over prone models ---------------------------------------------------------------------------------------------


def prone_in_a_corridor(side, **given):
    """A prone model at x = 8 between sheer sides: the only way on is over it, from x = 7 to x = 9."""
    return table(mover(5, 12, **given), other("p", 8, 12, side=side, prone=True), *corridor(room=1.2))


@pytest.mark.parametrize("side", ["good", "evil"])
def test_over_a_prone_model(side):
    """As near as can be on either side, so two bases across; 2 to 6 pass, 6 goes on."""
    beside = move(prone_in_a_corridor(side), (9, 12))
    beyond = move(prone_in_a_corridor(side), (10, 12))
    assert (beside.chance, beside.needed) == (PASS, pytest.approx(4, abs=POLISHED))
    assert (beyond.chance, beyond.needed) == (SIX, pytest.approx(5, abs=POLISHED))
    (test,) = beside.tests
    assert (test.kind, test.over, test.rule, test.fail_hits) == ("jump-prone", "p", "PRN.5", 0)


def test_failing_over_a_friend_and_over_an_enemy():
    (friend,) = move(prone_in_a_corridor("good"), (9, 12)).tests
    (enemy,) = move(prone_in_a_corridor("evil"), (9, 12)).tests
    assert "charge" not in friend.results["1"]
    assert "charge p" in enemy.results["1"]


def test_walking_round_a_prone_model_is_certain():
    """Two tangents of sqrt(9 - 1) and the arc between them."""
    start = table(mover(5, 12, move=7.0), other("p", 8, 12, side="good", prone=True))
    found = move(start, (11, 12))
    assert (found.chance, found.tests) == (1, ())
    assert found.needed == pytest.approx(2 * sqrt(8) + (pi - 2 * (pi / 2 - asin(1 / 3))), abs=TOLD)


def test_a_prone_enemy_has_no_zone_to_keep_out_of():
    start = table(mover(5, 12), other("p", 8, 12, prone=True))
    assert move(start, (6.9, 12)).answer == "yes"
    assert move(start, (7.0, 12)).answer == "no"  # that would be contact, and so a charge
    assert charge(start, "p").needed == pytest.approx(2, abs=TOLD)


def test_jumping_a_prone_model_aslant():
    """Straight over: from contact to contact along any chord; here towards a place beside the straight line."""
    start = table(mover(5, 12, move=6.0), other("p", 8, 12, side="good", prone=True))
    found = move(start, (9.5, 12.2))
    assert found.chance == 1  # round it is within the Move
    assert found.needed < hypot(4.5, 0.2) + 1


def test_a_crawl_round_a_zone():
    """Half a quarter round a zone's rim, radius 2 for the centre: an arc crawled, not walked."""
    turn = pi / 8
    x, y = 8 - 2 * cos(turn), 12 + 2 * sin(turn)
    found = move(table(lying(6.0, 12.0), other("e", 8, 12)), (x, y))
    assert (found.chance, found.needed) == (1, pytest.approx(2 * turn, abs=1e-6))
    assert {leg.kind for leg in found.route.legs} == {"crawl"}
