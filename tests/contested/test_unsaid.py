"""Shifts, readings and bounds under which a question needs a height that the table does not say."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

import sbg_sim as sbg
from sbg_sim.contested.asking import Asker
from sbg_sim.contested.certain import certainty
from sbg_sim.contested.robust import robust_cost
from sbg_sim.contested.rulings import rulings
from sbg_sim.solver.answer import ask
from sbg_sim.table.questions import Charge, Move, Sight
from tests.contested.test_robust import box, me, model, table

ONTO = Move("m", (9, 12))


def beside_a_wall():
    """The look is free, and the wall 0.2 in beside all lines of sight; how high the one looked at is nobody says."""
    there = table({"wall": box(8, 12.7, 9, 14)}, m=me(), foe=model(12, 12, "evil"))
    return there.having("foe", height=None)


def past_who_lies(**more):
    """Half of who lies on the way must be no higher than the mover, and how high that is nobody says."""
    there = table(None, {"jump_prone_height": "half"}, m=me(), low=model(7.5, 12.9, prone=True), **more)
    return there.having("low", height=None)


def test_a_shift_under_which_a_height_is_missing_turns_nothing():
    there, look = beside_a_wall(), Sight("m", "foe")
    asker = Asker.of(there, look)
    assert asker.verdict.answer == "yes"
    assert asker.at({"m": (0.0, 0.15)}).answer == "yes"
    assert asker.at({"m": (0.0, 0.5)}) is None
    assert not asker.turns({"m": (0.0, 0.5)})
    assert sbg.flips(there, look).smallest is None
    assert sbg.flips(there.having("foe", height=1.0), look, limit=6).smallest is not None


@pytest.mark.parametrize(("doubt", "sure"), [(0.15, True), (0.5, False)])
def test_a_look_that_may_need_a_height_that_is_missing_is_not_sure(doubt, sure):
    found = certainty(beside_a_wall(), Sight("m", "foe"), doubts={"m": doubt})
    assert (found.answer, found.sure) == ("yes", sure)


def test_a_placement_that_needs_a_height_that_is_missing_is_no_no():
    """Of twenty placements five need it: to count them as a no told 15 of 20."""
    there, look = beside_a_wall(), Sight("m", "foe")
    with pytest.raises(sbg.QuestionError, match=re.escape("models.foe.height is missing")):
        sbg.doubt(there, look, sigma=0.3, trials=20)
    assert sbg.doubt(there, look, sigma=0.01, trials=20).successes == 20
    assert sbg.doubt(there.having("foe", height=4), look, sigma=0.3, trials=20).successes == 20


def test_where_a_way_that_is_barred_as_placed_may_need_a_height_nothing_is_sure():
    """The place overlaps a friend by a hundredth of an inch: no way to it is looked for before somebody is shifted."""
    there = past_who_lies(friend=model(9, 12.99))
    asker = Asker.of(there, ONTO)
    assert asker.verdict.violations[0].blame == "friend"
    assert not asker.surely({"friend": 0.05})
    assert asker.at({"friend": (0.0, 0.05)}) is None
    assert asker.movable(0.05) == ["m", "friend"]  # without the friend nobody can say
    with pytest.raises(sbg.QuestionError, match=re.escape("models.low.height is missing")):
        certainty(there, ONTO, doubts={"friend": 0.05})
    with pytest.raises(sbg.QuestionError, match=re.escape("models.low.height is missing")):
        sbg.doubt(there, ONTO, sigma=0.05, trials=10)
    tall = there.having("low", height=2)
    assert sbg.flips(tall, ONTO).smallest.inches == pytest.approx(0.01, abs=2e-6)


def test_no_way_is_robust_that_nobody_can_look_for():
    there = past_who_lies()
    with pytest.raises(sbg.QuestionError, match="height is missing"):
        ask(there, ONTO)
    assert robust_cost(there, ONTO, {"m": 0.01}, Fraction(1)) == (
        None,
        "no way keeps clear of every base by its doubt",
    )


@pytest.mark.parametrize(("height", "sure"), [(None, False), (2.0, True)])
def test_a_charge_at_two_levels_that_may_need_a_height_is_bounded_as_the_crow_flies(height, sure):
    """As placed no base touches both, whatever the way: none is looked for. A bound for each alone looks for one."""
    deck = box(9.5, 11.5, 10.5, 12.5, "platform", height=2)
    there = table(
        {"deck": deck},
        {"jump_prone_height": "half", "models_block_sight": "no"},
        m=me(),
        up=model(10, 12, "evil", on="deck"),
        foe=model(9, 13.2, "evil"),
        low=model(8, 11.3, prone=True),
    ).having("low", height=height)
    found = certainty(there, Charge("m", ("up", "foe")), doubts={"foe": 0.05})
    assert (found.answer, found.sure) == ("no", sure)
    if not sure:
        assert found.at_least == pytest.approx(4 - 1)  # between the bases of the mover and of who stands above


def test_a_reading_under_which_a_height_is_missing_decides_nothing():
    there = table(None, {"models_block_sight": "no"}, m=me(4), by=model(7, 12, height=9), foe=model(12, 12, "evil"))
    there = there.having("foe", height=None)
    found = rulings(there, Sight("m", "foe"))
    blocks = next(row for row in found.rows if row.chosen == (("models_block_sight", "yes"),))
    assert (blocks.verdict, blocks.answer, blocks.differs) == (None, None, False)
    assert found.deciding == ()
    assert blocks.as_json()["answer"] is None
    known = rulings(there.having("foe", height=2), Sight("m", "foe"))
    assert known.deciding == ("models_block_sight = yes",)
