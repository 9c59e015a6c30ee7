"""Whose turn, what is allowed, what contact does, what dice do."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from sbg_sim.errors import QuestionError, UnknownNameError
from sbg_sim.geometry.shapes import circle
from sbg_sim.phase import IllegalMoveError, Phase
from sbg_sim.phase.play import kept_apart
from sbg_sim.phase.turn_taking import open_moves
from sbg_sim.rules.contact import touched
from sbg_sim.table.record import MoveRecord
from sbg_sim.table.terrain import Terrain
from tests.phase.tables import R, box, man, table


def rules(phase: Phase, move: MoveRecord) -> list[str]:
    return [v.rule for v in phase.explain(move)]


def facing(**more: object) -> Phase:
    good = [man("gimli", (10, 10)), man("legolas", (6, 10))]
    evil = [man("uruk", (10, 14), "evil"), man("orc", (20, 20), "evil")]
    return Phase.begin(table(*good, *evil, **more), "good")


def test_priority_moves_first_then_the_other_side():
    phase = facing()
    assert (phase.side, phase.sides) == ("good", ("good", "evil"))
    assert rules(phase, MoveRecord("uruk", to=(11, 14))) == ["MOV.1"]
    phase = phase.end()
    assert phase.side == "evil"
    assert rules(phase, MoveRecord("gimli", to=(10, 11))) == ["MOV.1"]
    phase = phase.end()
    assert phase.over
    assert rules(phase, MoveRecord("uruk", to=(11, 14))) == ["MOV.1"]
    with pytest.raises(QuestionError, match="over"):
        phase.end()


def test_a_model_moves_once():
    phase = facing().push(MoveRecord("gimli", to=(10, 8)))
    assert phase.table.model("gimli").at == (10, 8)
    assert phase.moved == ("gimli",)
    assert rules(phase, MoveRecord("gimli", to=(10, 9))) == ["MOV.6"]
    assert phase.movable == ("legolas",)


def test_contact_engages_both_at_once_and_cancels_the_zone():
    phase = facing()
    past = MoveRecord("legolas", path=((6, 10), (9, 13)))  # in gimli's wake, within an inch of the uruk
    assert not phase.legal(past)
    after = phase.push(MoveRecord("gimli", charge=("uruk",)))
    assert after.table.model("uruk").engaged == {"gimli"}
    assert after.table.model("gimli").engaged == {"uruk"}
    assert after.engaged == ("gimli", "uruk")
    assert after.steps[-1].used == pytest.approx(4 - 2 * R)
    assert after.legal(past)
    assert rules(after.end(), MoveRecord("uruk", to=(10, 15)))[0] == "MOV.6"


def test_the_freed_may_still_move_if_their_turn_is_not_past():
    phase = facing().push(MoveRecord("gimli", charge=("uruk",))).end()
    assert "uruk" not in phase.movable
    freed = phase.slain("gimli")
    assert "uruk" in freed.movable
    assert freed.legal(MoveRecord("uruk", to=(10, 16)))
    assert freed.pop() == phase


def test_who_charged_and_is_freed_has_moved():
    phase = facing().push(MoveRecord("gimli", charge=("uruk",))).slain("uruk")
    assert rules(phase, MoveRecord("gimli", to=(10, 10))) == ["MOV.6"]


def test_held_models_stay():
    held = table(man("frodo", (5, 5), may_move=False), man("orc", (20, 20), "evil"))
    phase = Phase.begin(held, "good")
    assert (phase.held, phase.movable) == (("frodo",), ())
    assert rules(phase, MoveRecord("frodo", to=(6, 5))) == ["MOV.6"]


def test_the_end_of_a_side_is_a_hook():
    seen = []

    def hook(phase: Phase):
        seen.append(phase.side)
        return phase.table.having("orc", prone=True)

    phase = Phase.begin(facing().table, "good", hooks=[hook]).end()
    assert seen == ["good"]
    assert phase.prone == ("orc",)
    phase.end()
    assert seen == ["good", "evil"]


def test_pop_undoes_push_and_end():
    phase = facing()
    after = phase.push(MoveRecord("gimli", charge=("uruk",)))
    assert after.pop() == phase
    assert after.end().pop() == after
    with pytest.raises(QuestionError):
        phase.pop()


def test_illegal_moves_are_not_played():
    with pytest.raises(IllegalMoveError, match=r"MOV\.3") as caught:
        facing().push(MoveRecord("gimli", to=(10, 3)))
    assert caught.value.violations[0].place is not None
    with pytest.raises(UnknownNameError, match="gimli"):
        facing().push(MoveRecord("gimly", to=(10, 9)))
    with pytest.raises(QuestionError, match="nothing"):
        facing().push(MoveRecord("gimli"))
    with pytest.raises(QuestionError, match="only one"):
        facing().push(MoveRecord("gimli", to=(10, 9), charge=("uruk",)))


def test_what_is_open():
    found = open_moves(facing(), "gimli")
    assert found.does == ("move", "lie", "charge")
    assert found.charges == (("uruk", Fraction(1)),)
    assert open_moves(facing(), "uruk").closed[0].rule == "MOV.1"


# -- lying and standing ---------------------------------------------------------------------------------------


def lying(**more: object) -> Phase:
    return Phase.begin(table(man("frodo", (10, 10), prone=True), man("orc", (10, 13), "evil"), **more), "good")


def test_crawl_an_inch_then_stand():
    phase = lying().push(MoveRecord("frodo", crawl=(10, 9), stand=True))
    frodo = phase.table.model("frodo")
    assert (frodo.at, frodo.prone) == ((10, 9), False)
    assert phase.steps[-1].used == 3
    assert rules(lying(), MoveRecord("frodo", crawl=(10, 8.9))) == ["PRN.2"]
    (too_far,) = lying().explain(MoveRecord("frodo", crawl=(10, 8.99999)))
    assert too_far.reason == "frodo would crawl 1.000010000 inches, and may crawl 1"
    bog = Terrain("bog", frozenset({"difficult"}), circle((10, 10), 5))
    assert lying(terrain=[bog]).legal(MoveRecord("frodo", crawl=(10, 9)))


def test_who_crawls_takes_no_test():
    """The inch up a step of 1 in is a Jump test: not the length is at fault."""
    roof = box("roof", 10.5, 0, 18, 24, "platform", height=1.0)
    (tested,) = lying(terrain=[roof]).explain(MoveRecord("frodo", crawl=(11, 10), on="roof"))
    assert tested.rule == "PRN.2"
    assert tested.reason == "frodo would have to jump onto roof on the way, and who crawls takes no test"


def test_who_crawls_goes_up_and_down_where_no_test_is_needed():
    """From 9.5 to 10.5 across the rim is the inch; standing up after it is half the Move, and nothing else counts."""
    step = box("step", 10, 0, 16, 24, "platform", height=0.6)  # less than half of 1.5
    up = Phase.begin(table(man("frodo", (9.5, 12), prone=True, base=1.0), terrain=[step]), "good")
    risen = up.push(MoveRecord("frodo", crawl=(10.5, 12), on="step", stand=True))
    frodo = risen.table.model("frodo")
    assert (frodo.at, frodo.on, frodo.prone, risen.steps[-1].used) == ((10.5, 12), "step", False, 3)
    assert risen.steps[-1].reason == "frodo crawls to (10.5, 12) on step and stands up with 3.0000 in used"
    down = Phase.begin(table(man("frodo", (10.5, 12), prone=True, base=1.0, on="step"), terrain=[step]), "good")
    fallen = down.push(MoveRecord("frodo", crawl=(9.5, 12)))
    frodo = fallen.table.model("frodo")
    assert (frodo.at, frodo.on, frodo.prone, fallen.steps[-1].used) == ((9.5, 12), None, True, 0)
    assert rules(down, MoveRecord("frodo", crawl=(9.4, 12))) == ["PRN.2"]
    tall = box("step", 10, 0, 16, 24, "platform", height=0.8)
    high = Phase.begin(table(man("frodo", (9.5, 12), prone=True, base=1.0), terrain=[tall]), "good")
    assert "PRN.2" in rules(high, MoveRecord("frodo", crawl=(10.5, 12), on="step"))


def test_prone_models_stand_up_before_they_charge():
    assert rules(lying(), MoveRecord("frodo", charge=("orc",))) == ["PRN.3"]
    phase = lying().push(MoveRecord("frodo", stand=True, charge=("orc",)))
    assert phase.steps[-1].used == pytest.approx(3 + 3 - 2 * R)
    far = Phase.begin(table(man("frodo", (10, 10), prone=True), man("orc", (10, 14.5), "evil")), "good")
    assert rules(far, MoveRecord("frodo", stand=True, charge=("orc",))) == ["MOV.3"]


def test_lying_down_costs_half_and_excludes_standing_up():
    phase = facing()
    assert phase.push(MoveRecord("gimli", lie=True)).table.model("gimli").prone
    assert phase.push(MoveRecord("gimli", to=(10, 7), lie=True)).steps[-1].used == 6
    short, half = phase.explain(MoveRecord("gimli", to=(10, 6.9), lie=True))
    assert (short.rule, short.reason) == ("MOV.3", "gimli needs 3.1000 in and has 3 in")
    assert (half.rule, half.reason) == ("PRN.3", "lying down takes 3 in of its Move")
    assert rules(lying(), MoveRecord("frodo", stand=True, to=(10, 16))) == ["MOV.3", "PRN.3"]
    assert rules(lying(), MoveRecord("frodo", stand=True, lie=True)) == ["PRN.3"]
    assert rules(phase, MoveRecord("gimli", stand=True)) == ["PRN.3"]


def test_what_is_said_of_standing_up_lying_down_and_crawling():
    told = [
        (lying(), MoveRecord("frodo", crawl=(10, 9)), "frodo crawls to (10, 9) with 0.0000 in used"),
        (
            lying(),
            MoveRecord("frodo", stand=True, to=(10, 9)),
            "frodo stands up and moves to (10, 9) with 4.0000 in used",
        ),
        (
            lying(),
            MoveRecord("frodo", stand=True, charge=("orc",)),
            "frodo stands up and charges orc with 5.0000 in used",
        ),
        (
            facing(),
            MoveRecord("gimli", to=(10, 7), lie=True),
            "gimli moves to (10, 7) and lies down with 6.0000 in used",
        ),
    ]
    assert [phase.push(move).steps[-1].reason for phase, move, _ in told] == [words for *_, words in told]


def test_who_fails_on_the_way_does_not_lie_down():
    phase = Phase.begin(
        table(man("sam", (10, 10)), terrain=[box("wall", 9, 11, 11, 11.2, "obstacle", height=1.0)]), "good"
    )
    step = phase.push(MoveRecord("sam", to=(10, 11.7), lie=True, rolls=(1,))).steps[-1]
    assert (step.prone, "lies down" in step.reason) == (False, False)


# -- hand-drawn paths -----------------------------------------------------------------------------------------


def test_a_drawn_path_is_judged_at_every_point():
    phase = facing()
    through = MoveRecord("legolas", path=((6, 10), (11.5, 10)))  # straight through gimli
    assert "MOV.4" in rules(phase, through)
    round_it = MoveRecord("legolas", path=((6, 10), (9, 8.5), (10, 8.5)))
    assert rules(phase, round_it) == []
    assert phase.push(round_it).steps[-1].used == pytest.approx(math.hypot(3, 1.5) + 1)


def test_a_drawn_path_charges_whom_it_ends_in_contact_with():
    phase = facing().push(MoveRecord("gimli", path=((10, 10), (10, 13))))
    assert phase.steps[-1].engaged == ("uruk",)
    hidden = facing(terrain=[box("tower", 9, 11.6, 11, 12.2, "unscalable")])
    way = ((10, 10), (8, 11), (8, 13), (9, 14))
    assert "CHG.1" in rules(hidden, MoveRecord("gimli", path=way))
    assert "CZ.1" in rules(facing(), MoveRecord("gimli", path=((10, 10), (10, 12.5))))


# -- dice -----------------------------------------------------------------------------------------------------

WALL = box("wall", 4, 12, 16, 12.5, "obstacle", height=1.0)


def at_wall(**more: object) -> Phase:
    return Phase.begin(table(man("sam", (10, 11)), man("rider", (10, 2), "evil"), terrain=[WALL], **more), "good")


@pytest.mark.parametrize(("roll", "y"), [(1, 12 - R), (2, 12.5 + R), (5, 12.5 + R), (6, 14.0)])
def test_a_jump_ends_where_its_die_says(roll: int, y: float):
    phase = at_wall().push(MoveRecord("sam", to=(10, 14)), [roll])
    assert phase.table.model("sam").at == pytest.approx((10, y))
    assert phase.steps[-1].rolls == (roll,)
    assert "JMP.1" in phase.steps[-1].rules or "TER.4" in phase.steps[-1].rules


@pytest.mark.parametrize("dice", [(), (6, 6), (7,), (0,), (True,), (3.0,)])
def test_dice_are_given_exactly_as_needed(dice: tuple[int, ...]):
    with pytest.raises(QuestionError, match=r"\bsam\b|die"):
        at_wall().push(MoveRecord("sam", to=(10, 14)), dice)
    with pytest.raises(QuestionError, match="none is needed"):
        at_wall().push(MoveRecord("sam", to=(10, 10)), [4])


def test_two_jumps_take_two_dice_only_behind_a_six():
    second = box("hedge", 4, 14, 16, 14.2, "obstacle", height=1.0)
    phase = Phase.begin(table(man("sam", (10, 11)), terrain=[WALL, second]), "good")
    far = phase.judge(MoveRecord("sam", to=(10, 15.5)))
    assert far.chance == Fraction(1, 36)
    assert phase.pushed(far, [6, 2]).table.model("sam").at == pytest.approx((10, 14.2 + R))
    assert phase.pushed(far, [4]).table.model("sam").at == pytest.approx((10, 12.5 + R))
    with pytest.raises(QuestionError, match="one more"):
        phase.pushed(far, [6])
    with pytest.raises(QuestionError, match="only 1"):
        phase.pushed(far, [4, 3])


def over_prone(side: str) -> Phase:
    lies = man("lies", (10, 12), side, prone=True)
    wall = [box("left", 4, 11.8, 9.4, 12.2, "unscalable"), box("right", 10.6, 11.8, 16, 12.2, "unscalable")]
    return Phase.begin(table(man("sam", (10, 10)), lies, man("far", (1, 1), "evil"), terrain=wall), "good")


def test_a_jump_that_fails_over_a_prone_enemy_is_a_charge():
    phase = over_prone("evil").push(MoveRecord("sam", to=(10, 14.5)), [1])
    assert phase.steps[-1].engaged == ("lies",)
    assert "PRN.5" in phase.steps[-1].rules
    assert phase.table.model("lies").engaged == {"sam"}


def test_a_jump_that_fails_over_a_prone_friend_just_fails():
    phase = over_prone("good").push(MoveRecord("sam", to=(10, 14.5)), [1])
    assert phase.steps[-1].engaged == ()


def test_who_passes_over_a_prone_enemy_stops_short_of_contact():
    phase = over_prone("evil").push(MoveRecord("sam", to=(10, 14.5)), [3])
    gap = math.dist(phase.table.model("sam").at, (10, 12)) - 2 * R
    assert 1e-6 < gap < 0.05
    assert phase.fights().contacts == ()


@pytest.mark.parametrize("die", [3, 6])
def test_a_path_drawn_over_a_prone_enemy_is_no_charge(die):
    beyond = (10, 12 + 2 * R)
    drawn = MoveRecord("sam", path=((10, 10), beyond))
    phase = over_prone("evil").push(drawn, [die])
    assert phase.steps[-1].engaged == ()
    assert math.dist(phase.table.model("sam").at, beyond) < 0.05
    told = over_prone("evil").explain(MoveRecord("sam", path=((10, 10), beyond), charge=("lies",)))
    assert "PRN.5" in [violation.rule for violation in told]


def test_who_falls_into_a_gap_lies_there_hurt():
    gap = box("chasm", 4, 12, 16, 13.5, "gap", depth=4.0)
    phase = Phase.begin(table(man("sam", (10, 11)), terrain=[gap]), "good")
    fallen = phase.push(MoveRecord("sam", to=(10, 15)), [1]).steps[-1]
    assert fallen.prone
    assert 12 < fallen.at[1] < 13.5
    # 4 in down is 2.5 beyond a height of 1.5: one hit, and one for each of 2 whole inches more.
    assert fallen.hits == 3


def test_a_forced_move_may_end_inside_a_zone_but_not_in_contact():
    here = table(man("sam", (10, 10)), man("orc", (10, 13), "evil"), man("friend", (9, 12)))
    spot = kept_apart(here, here.model("sam"), (10, 12), None)
    gap = math.dist(spot, (10, 13)) - 2 * R
    assert 0.004 < gap < 0.1  # inside the zone, and apart
    assert math.dist(spot, (9, 12)) >= 2 * R - 1e-6
    assert kept_apart(here, here.model("sam"), (10, 11.5), None) == (10, 11.5)


@pytest.mark.parametrize(("high", "ruled", "moved"), [(0.75, "yes", True), (0.76, "yes", False), (0.75, "no", False)])
def test_a_forced_move_is_kept_from_contact_with_who_stands_higher_as_a_charge_would_be(high, ruled, moved):
    """CZ.3 means by contact what PAIR.1 does: bases that meet seen from above, on levels up to half a height apart."""
    shelf = box("shelf", 8, 12, 12, 16, "platform", height=high)
    here = table(man("sam", (10, 10)), man("orc", (10, 12 + R), "evil", on="shelf"), terrain=[shelf])
    here = here.under("contact_across_heights", ruled)
    at = (10.0, 12 - R)  # against the shelf's face, and under the rim of the orc's base
    assert touched(here, here.model("sam"), at, None) == (("orc",) if moved else ())
    spot = kept_apart(here, here.model("sam"), at, None)
    assert (math.dist(spot, (10, 12 + R)) - 2 * R > 0.004) == moved
    assert (spot == at) != moved
    assert touched(here, here.model("sam"), spot, None) == ()


def test_a_tall_face_takes_several_turns():
    tower = box("tower", 8, 12, 12, 16, "platform", height=5.0)
    phase = Phase.begin(table(man("sam", (10, 11)), terrain=[tower]), "good")
    climb = phase.push(MoveRecord("sam", to=(10, 13), on="tower"), [4])
    sam = climb.table.model("sam")
    # Half an inch to the face leaves 5.5, and climbing counts double.
    assert (sam.on, sam.climbed) == (None, pytest.approx(2.75))
    fallen = phase.push(MoveRecord("sam", to=(10, 13), on="tower"), [1])
    assert fallen.table.model("sam").prone
    assert fallen.steps[-1].hits == 0
