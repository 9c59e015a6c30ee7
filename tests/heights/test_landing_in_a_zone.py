"""A charge that lands in the zone of the very enemy it charges (CHG.3), and what else an audit found wrong."""

import math
from fractions import Fraction

import numpy as np
import pytest

from sbg_sim.geometry.shapes import line
from sbg_sim.phase.legality import judge
from sbg_sim.rules.sight import look
from sbg_sim.solver.answer import ask
from sbg_sim.solver.reach import reach
from sbg_sim.table.questions import Charge, Move
from sbg_sim.table.record import MoveRecord
from tests.heights.stage import PASS, POLISHED, SIX, box, charge, move, mover, other, piece, table, wall


def tower(height):
    """Every place at its near rim is within 2 in of an enemy at (10.05, 12)."""
    return piece("t", "platform", box(8, 11, 11.6, 13), height=height)


def ladder():
    return piece("l", "ladder", at=(8.0, 12.0), to="t")


@pytest.mark.parametrize("rulings", [{}, {"zones_across_surfaces": "yes"}, {"jump_landing": "across"}])
@pytest.mark.parametrize(
    ("height", "rise", "chance", "more"),
    [(0.5, 0, Fraction(1), ()), (1.0, 0, SIX, ()), (2.0, 4 - 1, SIX, ()), (3.0, 3 - 1, Fraction(1), (ladder(),))],
)
def test_up_into_the_zone(height, rise, chance, more, rulings):
    """To the face 1.5; up, which counts 2 r = 1 across or the rise; from the rim 0.55 into contact."""
    enemy = other("e", 10.05, 12, on="t")
    exact = 1.5 + 1 + rise + 0.55
    for spare, odds in ((1e-4, chance), (-1e-4, 0)):
        at = table(mover(6, 12, move=exact + spare), tower(height), *more, enemy, **rulings)
        found = charge(at, "e")
        if chance == 1 or "jump_landing" in rulings or height == 2:
            assert found.chance == odds
            assert found.needed == pytest.approx(exact, abs=POLISHED)


@pytest.mark.parametrize("rulings", [{}, {"zones_across_surfaces": "yes"}])
@pytest.mark.parametrize(("height", "rise", "more"), [(1.0, 1, ()), (3.0, 3, (ladder(),))])
def test_down_into_the_zone(height, rise, more, rulings):
    """Off the rim at (8.5, 12) to (7.5, 12), into the zone of the enemy at (6.1, 12); 0.4 more is contact."""
    exact = 0.5 + rise + 0.4
    at = table(mover(9, 12, move=exact + 1e-4, on="t"), tower(height), *more, other("e", 6.1, 12), **rulings)
    assert charge(at, "e").needed == pytest.approx(exact, abs=POLISHED)


def test_round_the_corner_of_what_it_climbs():
    """The best place to climb lies round the corner of the tower: in contact when it comes up, so a 2 will do."""
    found = charge(table(mover(6, 12, move=8.0), tower(2.0), other("e", 10.05, 12, on="t")), "e")
    assert found.chance == PASS


def test_who_lies_looks_from_there():
    """Lying it is 3/4 in high and does not see over a wall of 1.4 in; standing up first does not help (CHG.1)."""
    at = table(mover(3, 12, prone=True, move=12.0), wall(1.4, x=5.0), other("e", 7, 12))
    assert ask(at, Charge("m", "e"), alternatives=False).violations[0].rule == "CHG.1"
    assert [v.rule for v in judge(at, MoveRecord("m", charge=("e",), stand=True)).violations] == ["CHG.1"]


def test_touching_an_enemy_that_lies_is_no_move():
    at = table(mover(6, 12), other("e", 9, 12, prone=True))
    found = reach(at, "m")
    near, off = np.array([8.0, 12.0]), np.array([7.999, 12.0])
    assert math.isinf(float(found.distance(near)))
    assert found.chance((8.0, 12.0)) == 0
    assert float(found.distance(off)) == pytest.approx(1.999)


def test_a_charge_names_the_low_obstacle_it_would_end_on():
    """The only free place to touch the target is on top of a low wall of half an inch."""
    at = table(mover(6, 12, move=4.5), wall(0.5, x=8.0, thick=2.3), other("e", 11.0, 12))
    found = ask(at, Charge("m", "e"))
    assert (found.answer, found.rulings) == ("no", ("end_on_low_obstacle = yes",))


def test_nothing_hides_where_heights_are_left_out():
    at = table(mover(6, 12, height=None), other("e", 11, 12, height=None), sight_grazing="blocks")
    assert look(at, "m", "e").seen


def test_messages():
    tread = piece("tread", "platform", box(8, 10, 8.4, 14), height=0.5)
    plinth = piece("plinth", "platform", box(12, 11.3, 13.4, 12.7), height=1.0)
    at = table(mover(6, 12), tread, plinth, other("e", 12.7, 12, on="plinth"))
    assert ask(at, Charge("m", "e"), alternatives=False).violations[0].rule == "MOV.5"
    hair = ask(table(mover(6, 12)), Move("m", (12 + 1e-7, 12)), alternatives=False)
    assert "1e-07 in short" in hair.reason
    mire = piece("mire", "difficult", box(7, 10, 12, 14))
    assert "TER.2" in move(table(mover(6, 12), mire, wall(1.0, x=8.0)), (9.0, 12)).rules


def test_a_step_that_begins_on_the_edge_of_the_zone_it_may_enter():
    """Two zones reach to below the top: only where the target's is touched the step up enters both in one instant."""
    low, top = piece("low", "platform", box(19.5, 20.5, 23, 23.75), height=0.5), box(23, 17.5, 27.5, 22.5)
    enemies = other("e", 24.5, 19.5, on="top"), other("f", 23.75, 21, on="top")
    at = table(mover(18.5, 22.75, move=7.0), low, piece("top", "platform", top, height=0.25), *enemies)
    verdict = ask(at, Charge("m", ("e",)), alternatives=False)
    # Over the low platform straight to (22.5, 19.5), which lies 2 in from the target, and an inch up into contact.
    assert verdict.needed == pytest.approx(math.hypot(4, 3.25) + 1, abs=1e-9)
    assert verdict.at_most - verdict.at_least < 1e-8


def test_a_jump_begun_within_the_zone_to_where_a_walls_end_touches_contact():
    """Straight to the place about the target that touches the wall's end as well; its zone begins before the jump."""
    r, end = 80 / 25.4 / 2, (6.970686691309341, 9.121568126952104)
    wall = piece("w", "unscalable", line([end, (5.9730047432790645, 11.720866450333235)], 0.2), height=2.0)
    target = other("e", 4.706273710238268, 6.760322165124667, base=2 * r)
    near, far, apart = r + 0.1, 2 * r, math.dist(end, target.at)
    along = (apart * apart + near * near - far * far) / (2 * apart)
    x, y = ((b - a) / apart for a, b in zip(end, target.at, strict=True))
    aside = math.sqrt(near * near - along * along)
    meet = (end[0] + along * x - aside * y, end[1] + along * y + aside * x)
    found = charge(table(mover(10, 10, base=2 * r, height=2.5, move=3.0), wall, target), "e")
    assert found.needed == pytest.approx(math.dist((10, 10), meet), abs=POLISHED)


def before_a_wall(move, *more, x=14.5, **rulings):
    """A wall from x = 12 to 12.5 and an enemy beyond it: who stands behind the wall at x = 13 is near its zone."""
    jumped = wall(height=1.5, x=12)
    return table(mover(10, 12, move=move), jumped, *more, other("e", x, 12), **rulings)


def test_a_die_that_may_leave_it_in_the_zone_short_of_contact():
    """Straight over is 3.5; or aslant over to the zone's rim, sqrt(4 - 1.5^2) aside, and 1 on from there with a 6."""
    aslant = math.hypot(3, math.sqrt(4 - 1.5**2)) + 1
    for spare, chance in ((1e-4, SIX), (-1e-4, 0)):
        assert charge(before_a_wall(3.5 + spare), "e").chance == chance
        found = charge(before_a_wall(aslant + spare, charge_on_a_six="no"), "e")
        assert (found.chance, found.needed) == (chance, pytest.approx(aslant, abs=POLISHED))
    told = ask(before_a_wall(4.0), Charge("m", "e"))
    assert "charge_on_a_six = no" in told.rulings
    told = ask(before_a_wall(4.0, charge_on_a_six="no"), Charge("m", "e"))
    assert (told.answer, told.rulings) == ("no", ("charge_on_a_six = yes",))


@pytest.mark.parametrize("reading", ["yes", "no"])
def test_dice_that_leave_nothing_undone(reading):
    """Set down in contact by the die itself, or short of the zone: tried by either reading."""
    assert charge(before_a_wall(3.0 + 1e-4, x=14.0, charge_on_a_six=reading), "e").chance == PASS
    assert charge(before_a_wall(4.0 + 1e-4, x=15.0, charge_on_a_six=reading), "e").chance == SIX


def test_where_every_landing_lies_in_the_zone():
    """In a lane 2 in wide all of the wall's far side is in the zone: there is no way but one, and it is named."""
    sides = [piece(n, "obstacle unscalable", box(0, y, 24, y + 0.1), height=9.0) for n, y in (("s", 10.9), ("n", 13.0))]
    at = before_a_wall(8.0, *sides, x=14.3)
    assert charge(at, "e").chance == SIX
    told = ask(at.under("charge_on_a_six", "no"), Charge("m", "e"))
    assert (told.answer, [v.rule for v in told.violations]) == ("no", ["CZ.1"])
    assert told.reason.endswith("a 2 to 5 would leave m in the zone of e, short of contact (CZ.1)")


@pytest.mark.parametrize(("x", "climbed", "height"), [(8.0, 0.0, 2.0), (11.5, 3.0, 5.0)])
def test_a_climb_into_the_zone_names_the_reading(x, climbed, height):
    """From a lane a base wide there is one place to climb at; at its top, x = 12.5, it is in the zone, a way off."""
    sides = [piece(n, "unscalable", box(0, y, 12, y + 1.4)) for n, y in (("s", 10.1), ("n", 12.5))]
    deck = piece("p", "platform", box(12, 4, 20, 20), height=height)
    at = table(mover(x, 12, move=8.0, climbed=climbed), deck, *sides, other("e", 13.6, 12, on="p"))
    assert "charge_on_a_six = no" in ask(at, Charge("m", "e")).rulings
    told = ask(at.under("charge_on_a_six", "no"), Charge("m", "e"))
    assert told.answer == "no"
    assert "charge_on_a_six = yes" in told.rulings


@pytest.mark.parametrize("stand_on", ["whole", "centre"])
@pytest.mark.parametrize("x", [5.0, 5.01, 5.3])
@pytest.mark.parametrize("prone", [True, False])
def test_a_climb_that_comes_out_in_contact_takes_a_two(stand_on, x, prone):
    """It comes out at x = 5 with its whole base on top, an inch from the target: that a level ends at 4.5 is no matter.

    To the foot of the place straight across from there, and twice the height.
    """
    deck = piece("p", "platform", box(4.5, 0, 10.5, 12), height=2.0)
    enemy = other("e", x, 5, on="p", prone=prone)
    at = table(mover(3, 7, height=1.0), deck, enemy, stand_on=stand_on)
    found = charge(at, "e")
    assert found.chance == PASS
    assert found.needed == pytest.approx(math.hypot(1, 2 - math.sqrt(1 - (x - 5) ** 2)) + 4, abs=POLISHED)


@pytest.mark.parametrize(("reading", "rules"), [("yes", []), ("no", ["CZ.1"])])
def test_a_record_by_either_reading(reading, rules):
    judged = judge(before_a_wall(4.0, charge_on_a_six=reading), MoveRecord("m", path=((10, 12), (13.5, 12))))
    assert [v.rule for v in judged.violations] == rules


@pytest.mark.parametrize(("x", "aside", "chance"), [(11.5, 10.9, PASS), (12.0, 10.9, SIX)])
def test_up_into_the_zone_of_its_target_and_then_of_who_stands_below(x, aside, chance):
    """On its way up it is on both levels: the first zone it enters is that of the enemy above, at x - 2 (CHG.5).

    That of the one below, 1.8 in aside, begins at ``aside`` - sqrt(4 - 1.8^2).
    """
    exact = x - 1 - 7
    roof = piece("p", "platform", box(10, 11, 16, 13), height=1.5)
    at = table(mover(7, 12, move=exact + 1e-4), roof, other("e", x, 12, on="p"), other("f", aside, 10.2))
    found = charge(at, "e")
    assert found.chance == chance
    assert found.needed == pytest.approx(exact, abs=POLISHED)


@pytest.mark.parametrize("aside", [10.85, 10.8, 10.7])
def test_up_by_the_corner_of_the_zones_of_its_target_and_of_who_stands_below(aside):
    """Straight up the zone of the enemy below comes first: the least of all ways up through where the two rims meet."""
    goal, below = (12.0, 12.0), (aside, 10.2)
    apart = math.dist(goal, below)
    off, (mx, my) = math.sqrt(4 - apart**2 / 4), ((goal[0] + aside) / 2, (goal[1] + 10.2) / 2)
    x, y = mx + off * (below[1] - goal[1]) / apart, my - off * (aside - goal[0]) / apart
    y_up, y_on = (y + np.linspace(-0.1, 0.1, 200_001) * (rim - x) for rim in (9.5, 10.5))
    ways = np.hypot(2.5, y_up - 12) + np.hypot(1, y_on - y_up) + np.hypot(1.5, y_on - 12) - 1
    roof = piece("p", "platform", box(10, 11, 16, 13), height=1.5)
    at = table(mover(7, 12, move=4.1), roof, other("e", *goal, on="p"), other("f", *below))
    found = charge(at, "e")
    assert (found.chance, found.needed) == (SIX, pytest.approx(ways.min(), abs=POLISHED))


def test_a_step_down_through_where_the_rims_of_two_zones_cross():
    """It begins outside both zones, enters the target's where the other's begins, and lands touching the target."""
    target, beside = other("e", 20.75, 17), other("f", 22.25, 16.25)
    low, start, rim = piece("low", "platform", box(21, 17.75, 23.25, 22.5), height=0.25), (22.75, 18.5), 18.25
    apart = math.dist(target.at, beside.at)
    x, y = ((b - a) / apart for a, b in zip(target.at, beside.at, strict=True))
    aside = math.sqrt(2**2 - (apart / 2) ** 2)
    cross = ((target.at[0] + beside.at[0]) / 2 - aside * y, (target.at[1] + beside.at[1]) / 2 + aside * x)
    landing = (target.at[0] + math.sqrt(1 - (rim - 1 - target.at[1]) ** 2), rim - 1)
    begun = (landing[0] + (cross[0] - landing[0]) / (cross[1] - landing[1]), rim)
    at = table(mover(*start, move=8.0, on="low"), low, target, beside, zones_across_surfaces="yes")
    verdict = charge(at, "e")
    assert verdict.needed == pytest.approx(math.dist(start, begun) + math.dist(begun, landing), abs=1e-9)
    assert verdict.at_most - verdict.at_least < 1e-8


def test_a_step_down_within_the_zone_in_which_a_move_began():
    """By this reading the zone binds on both levels: the step may come no nearer to the enemy than the start was."""
    top, enemy, start, goal = box(16, 19.5, 21, 25.25), (18.0, 23.75), np.array([19.5, 23.5]), np.array([18.25, 22.0])
    pit = piece("pit", "gap", box(17.75, 21.25, 20.75, 22.75), on="top", depth=1.0)
    levels = piece("top", "platform", top, height=3.0), pit
    at = table(mover(*start, move=4.0, on="top"), *levels, other("e", *enemy), zones_across_surfaces="yes")
    verdict = move(at, tuple(goal), on="pit")
    # Along a tangent of the circle about the enemy through the start, from rim to rim of the pit.
    apart = math.dist(start, enemy)
    angle = np.linspace(-1.2, 0.3, 2_000_001)
    normal = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    x1, x2 = (enemy[0] + (apart - (y - enemy[1]) * normal[:, 1]) / normal[:, 0] for y in (23.25, 22.25))
    cost = np.hypot(x1 - start[0], 23.25 - start[1]) + np.hypot(x2 - x1, 1.0) + np.hypot(x2 - goal[0], 22.25 - goal[1])
    assert verdict.needed == pytest.approx(cost.min(), abs=1e-9)
    assert verdict.at_most - verdict.at_least < 1e-8
