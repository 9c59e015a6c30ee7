"""Charges at defended models: contact across the barrier (CHG.8), and agreed openings (MOV.8)."""

import math

import pytest

from sbg_sim.solver.answer import ask
from sbg_sim.table.questions import Charge
from tests.charges.stage import TOLD, box, charge, disc, evil, good, piece, stage


def near(value):
    return pytest.approx(value, abs=TOLD)


WALL = piece("wall", "obstacle", box(15, 10, 15.4, 30), height=1.0)
BEHIND = evil("e", (15.9, 20))


def test_across_a_wall_straight_ahead():
    found = charge(stage(good("a", (10, 20)), BEHIND, WALL), "a", "e")
    assert (found.answer, found.needed) == ("yes", near(4.5))
    assert "CHG.8" in found.rules
    assert "across wall" in found.reason


def test_only_as_far_along_the_wall_as_the_bases_overlap():
    # opposite is one radius of either base to each side: from y = 23 the nearest place is (14.5, 21)
    table = stage(good("a", (11, 23)), BEHIND, WALL)
    assert charge(table, "a", "e").needed == near(math.hypot(3.5, 2))
    anywhere = stage(good("a", (11, 23)), BEHIND, WALL, defended_opposite="anywhere")
    assert charge(anywhere, "a", "e").needed == near(3.5)


def test_too_far_says_how_much():
    found = charge(stage(good("a", (5, 20)), BEHIND, WALL), "a", "e")
    assert (found.answer, found.needed) == ("no", near(9.5))
    assert found.violations[0].place == (pytest.approx(11, abs=1e-6), pytest.approx(20, abs=1e-6))


def test_a_friend_at_the_wall_leaves_a_part_of_it():
    friends = good("b", (14.5, 20.3)), good("c", (14.5, 21.5))
    found = charge(stage(good("a", (10, 20)), BEHIND, WALL, *friends), "a", "e")
    # the place left nearest is (14.5, 19.3): a tangent to the friend's circle and an arc to it
    way = math.hypot(4.5, 0.3)
    turn = math.pi / 2 + math.atan2(0.3, 4.5) * -1 - math.acos(1 / way)
    assert found.needed == near(math.sqrt(way**2 - 1) + turn)
    all_taken = good("b", (14.5, 20)), good("c", (14.5, 21)), good("d", (14.5, 19))
    shut = ask(stage(good("a", (10, 20)), BEHIND, WALL, *all_taken), Charge("a", "e"), alternatives=False)
    assert shut.answer != "yes"


def test_prone_chargers_stand_up_first():
    found = charge(stage(good("a", (12, 20), prone=True), BEHIND, WALL), "a", "e")
    assert found.needed == near(3 + 2.5)
    assert found.route.legs[0].kind == "stand"


def test_direct_contact_is_taken_when_it_is_no_dearer():
    # beside the end of a short wall the target's base itself is nearer
    short = piece("wall", "obstacle", box(15, 19.4, 15.4, 30), height=1.0)
    found = charge(stage(good("a", (15.4, 15)), BEHIND, short), "a", "e")
    assert found.needed == near(math.dist((15.4, 15), (15.9, 20)) - 1)
    assert "CHG.8" not in found.rules


def test_another_zone_entered_first_still_binds():
    guard = evil("guard", (12.5, 20))
    found = charge(stage(good("a", (9, 20), move=12), BEHIND, guard, WALL), "a", "e")
    # the guard's rim is 2 in: the target's own zone reaches out to x = 13.9 only
    assert found.needed > 5.5 + 0.1
    freed = charge(stage(good("a", (9, 20), move=12), BEHIND, evil("guard", (12.5, 20), prone=True), WALL), "a", "e")
    assert freed.needed < found.needed


def test_a_round_barrier():
    # a round hedge of 1 in between: the rim for the centre is 1.5 round it, and straight across is nearest
    hedge = piece("hedge", "obstacle", disc(14, 20, 1.0), height=1.0)
    found = charge(stage(good("a", (9, 20)), evil("e", (15.5, 20)), hedge), "a", "e")
    assert found.needed == near(5 - 1.5)
    assert "across hedge" in found.reason


def test_dice_on_the_way_to_the_barrier():
    first = piece("fence", "obstacle", box(11, 10, 11.4, 30), height=1.0)
    found = charge(stage(good("a", (9.5, 20)), BEHIND, WALL, first), "a", "e")
    assert (found.answer, str(found.chance), found.needed) == ("chance", "1/6", near(5))
    assert "CHG.8" in found.rules


def test_a_target_that_stands_back_is_charged_itself():
    found = charge(stage(good("a", (10, 20)), evil("e", (17, 20)), WALL), "a", "e")
    assert (found.answer, str(found.chance), found.needed) == ("chance", "1/6", near(6))


def test_another_reading_of_opposite_is_told_when_it_decides():
    # 4.46 in to the overlap, 3.5 in to the wall
    table = stage(good("a", (11, 23.5), move=4.0), BEHIND, WALL)
    found = ask(table, Charge("a", "e"))
    assert found.answer == "no"
    assert "defended_opposite = anywhere" in found.rulings


@pytest.mark.parametrize(("height", "told"), [(0.7, True), (0.8, False)])
def test_a_kerb_defends_by_one_reading_and_a_wall_by_both(height, told):
    """Half of who charges is 0.75 in. Without the kerb's defence it steps over and goes round whom it charges."""
    kerb = piece("wall", "obstacle", box(15, 10, 15.4, 30), height=height)
    found = ask(stage(good("a", (10, 20), move=5.0), BEHIND, kerb), Charge("a", "e"))
    assert (found.answer, found.needed, "defended_behind = test" in found.rulings) == ("yes", near(4.5), told)
    other = ask(stage(good("a", (10, 20), move=5.0), BEHIND, kerb, defended_behind="test"), Charge("a", "e"))
    assert (other.answer, "defended_behind = any" in other.rulings) == (("no", True) if told else ("yes", False))


def test_an_agreed_opening_lets_a_charger_through():
    gate = piece("gate", "unscalable", box(12, 0, 12.4, 40), lets_through=frozenset({"a"}), height=0.3)
    found = charge(stage(good("a", (10, 20)), evil("e", (15, 20)), gate), "a", "e")
    assert (found.answer, found.needed) == ("yes", near(4))
    # without the agreement it must be jumped, or cannot be passed when it is sheer
    sheer = piece("gate", "unscalable", box(12, 0, 12.4, 40))
    shut = charge(stage(good("a", (10, 20)), evil("e", (15, 20)), sheer, sight_within="ignored"), "a", "e")
    assert shut.answer == "no"
    assert shut.violations[-1].blame == "gate"


def test_put_down_at_the_barrier_by_a_die():
    """A fence whose far side lies a base before the wall: a 2 lands in contact across it, so it is 5/6 and no 6."""
    fence = piece("fence", "obstacle", box(13.6, 0, 14, 40), height=1.0)
    found = charge(stage(good("a", (11.5, 23)), BEHIND, WALL, fence), "a", "e")
    assert (str(found.chance), found.needed) == ("5/6", near(math.hypot(3, 2)))
    straight = charge(stage(good("a", (11.5, 23)), BEHIND, WALL, fence, jump_landing="across"), "a", "e")
    assert (str(straight.chance), straight.needed) == ("5/6", near(math.hypot(1.6, 2) + 1.4))
    farther = piece("fence", "obstacle", box(13.5, 0, 13.9, 40), height=1.0)
    assert str(charge(stage(good("a", (11.5, 20)), BEHIND, WALL, farther), "a", "e").chance) == "1/6"


def test_two_behind_one_wall():
    """Opposite to both is from y = 19.5 to y = 20.5."""
    two = evil("e", (15.9, 19.5)), evil("f", (15.9, 20.5))
    ahead = charge(stage(good("a", (10, 20)), *two, WALL), "a", "e", "f")
    assert (ahead.answer, ahead.needed) == ("yes", near(4.5))
    assert {"CHG.6", "CHG.8"} <= set(ahead.rules)
    aside = charge(stage(good("a", (11, 23)), *two, WALL), "a", "e", "f")
    assert aside.needed == near(math.hypot(3.5, 2.5))
    apart = evil("e", (15.9, 19.0)), evil("f", (15.9, 21.0))
    assert charge(stage(good("a", (11, 23)), *apart, WALL), "a", "e", "f").needed == near(math.hypot(3.5, 3))
    too_far = evil("e", (15.9, 18.9999)), evil("f", (15.9, 21.0001))
    assert charge(stage(good("a", (11, 23)), *too_far, WALL), "a", "e", "f").answer == "no"


@pytest.mark.parametrize(("at", "answer"), [(21.8, "yes"), (22.0, "yes"), (22.0005, "no")])
def test_one_behind_the_wall_and_one_before_it(at, answer):
    """Touching the one before it is an inch below him on the wall; opposite to the other is up to y = 21."""
    before = evil("f", (14.5, at))
    found = charge(stage(good("a", (10, 20)), BEHIND, before, WALL), "a", "e", "f")
    assert found.answer == answer
    if answer == "yes":
        assert found.needed == near(math.hypot(4.5, at - 21))


def test_two_walls_that_make_a_corner():
    right = piece("right", "obstacle", box(15, 10, 15.4, 24.9), height=1.0)
    above = piece("above", "obstacle", box(5, 25, 14.9, 25.4), height=1.0)
    found = charge(
        stage(good("a", (11, 21)), evil("e", (15.9, 24.2)), evil("f", (14.2, 25.9)), right, above), "a", "e", "f"
    )
    assert (found.answer, found.needed) == ("yes", near(math.hypot(3.5, 3.5)))
    assert "across right and above" in found.reason
