"""A model that hangs on a face from an earlier turn: tested again, or not (CLB.4, ruling ``climb_test_each_turn``)."""

from dataclasses import replace
from fractions import Fraction
from math import inf

import pytest

from sbg_sim.dice.play import distribution
from sbg_sim.phase import replay
from sbg_sim.referee import audit, audit_path
from sbg_sim.simulate.campaign import campaign
from sbg_sim.simulate.plays import route_play
from sbg_sim.solver.reach import reach
from sbg_sim.table.questions import Move
from sbg_sim.table.record import MoveRecord, Record
from tests.heights.stage import PASS, POLISHED, SIX, TOLD, ask, box, move, mover, piece, table, wall

ONCE = {"climb_test_each_turn": "no"}


def terrace(height):
    """A platform with its near face at x = 8: bases step from x = 7.5 to x = 8.5."""
    return piece("t", "platform", box(8, 8, 14, 16), height=height)


def test_tested_again_or_not():
    """3 of 5 inches are climbed: 2 more cost 4, and an inch of walking is left of 6 from the rim on."""
    again = table(mover(7.5, 12, climbed=3.0), terrace(5.0))
    top, beyond = move(again, (8.5, 12), "t", alternatives=True), move(again, (9.5, 12), "t")
    assert (top.chance, beyond.chance) == (PASS, SIX)
    assert "climb_test_each_turn = no" in top.rulings
    once = table(mover(7.5, 12, climbed=3.0), terrace(5.0), **ONCE)
    top, beyond = move(once, (8.5, 12), "t", alternatives=True), move(once, (9.5, 12), "t")
    assert (top.answer, top.needed, top.tests) == ("yes", pytest.approx(4, abs=TOLD), ())
    assert (beyond.answer, beyond.needed) == ("yes", pytest.approx(5, abs=POLISHED))
    assert "CLB.4" in top.rules
    assert "climb_test_each_turn = yes" in top.rulings


def test_who_begins_is_tested_either_way():
    assert move(table(mover(7.5, 12), terrace(2.5), **ONCE), (8.5, 12), "t").chance == PASS


def test_up_a_wall_without_a_new_die_and_down_with_one():
    """1 of 2 inches is left: 2 up, 4 down behind it, where only the way down is tested."""
    once = table(mover(7.5, 12, climbed=1.0, move=9.0), wall(2.0, x=8.0), **ONCE)
    found = move(once, (9.0, 12))
    assert ([t.kind for t in found.tests], found.chance) == (["descend"], PASS)
    assert found.needed == pytest.approx(6, abs=TOLD)
    over = move(once.under("climb_over", "over"), (9.0, 12))
    assert (over.answer, over.needed) == ("yes", pytest.approx(2, abs=TOLD))


def test_the_referee_judges_it_alike():
    once = table(mover(7.5, 12, climbed=3.0), terrace(5.0), **ONCE)
    route = move(once, (8.5, 12), "t").route
    again = audit(once.under("climb_test_each_turn", "yes"), "m", route).violations
    assert [v.rule for v in again] == ["CLB.2"]
    tested = move(once.under("climb_test_each_turn", "yes"), (8.5, 12), "t").route
    assert [v.rule for v in audit(once, "m", tested).violations] == ["CLB.4"]
    by_hand = audit_path(once, "m", [(7.5, 12), (9.5, 12)])
    assert (by_hand.violations, by_hand.route.tests) == ((), ())
    assert by_hand.cost == pytest.approx(5, abs=POLISHED)


def test_the_rest_of_a_tall_face():
    """5 in of 9 are climbed, 3 more are within the Move: no die, and it hangs at 8."""
    once = table(mover(7.5, 12, climbed=5.0), terrace(9.0), **ONCE)
    route = ask(once, Move("m", (8.5, 12), "t"), alternatives=False).route
    ends = distribution(route_play(once, "m", route))
    assert {end.climbed: chance for end, chance in ends.items()} == {8.0: Fraction(1)}


def test_turns_to_the_top():
    """9 in from the foot, M 6: turns to 3, 6 and 9 in. Tested each turn, or in the first alone.

    Who falls lies at the foot and stands up for 3: a turn then gains 1.5 in of height, and 3 turns more follow.
    """
    start = table(mover(7.5, 12), terrace(9.0))
    goal = Move("m", (8.5, 12), "t")
    often, once = campaign(start, goal), campaign(start.under("climb_test_each_turn", "no"), goal)
    assert once.within(3).by_turn(3) == PASS
    assert often.within(3).by_turn(3) == PASS**3


def test_a_record_goes_on_without_a_roll():
    record = Record("good", (MoveRecord("m", to=(8.5, 12), on="t"),), ())
    once = table(mover(7.5, 12, climbed=3.0), terrace(5.0), **ONCE)

    (step,) = replay(replace(once, record=record)).steps
    assert (step.legal, step.on, step.climbed, step.rolls) == (True, "t", 0.0, ())


@pytest.mark.parametrize(
    ("keyword", "tags", "rule"), [("cavalry", "platform", "CLB.3"), ("infantry", "platform unscalable", "TER.5")]
)
def test_who_cannot_climb_down_stays_where_it_hangs(keyword, tags, rule):
    """Two inches up: more than its height, so that it would have to climb down."""
    face = piece("t", tags, box(8, 8, 14, 16), height=5.0)
    rider = mover(7.5, 12, climbed=2.0, keywords=frozenset({keyword}))
    found = move(table(rider, face), (6, 12), None)
    assert (found.answer, found.violations[0].rule) == ("no", rule)
    assert "hangs 2 in up a face" in found.violations[0].reason
    there = reach(table(rider, face), "m")
    assert there.blocked == ("m hangs 2 in up a face: it cannot climb down",)
    assert there.distance((6.0, 12.0)) == inf
    free = move(table(replace(rider, climbed=1.5), face), (6, 12), None)
    assert (free.answer, free.needed) == ("yes", pytest.approx(1.5, abs=TOLD))
