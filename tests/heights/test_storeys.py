"""Storeys that stand on one another, leaps between the brim of a gap and a platform, and why a level is closed off."""

import pytest

from sbg_sim.referee import audit
from sbg_sim.solver.answer import ask
from sbg_sim.table.questions import Charge, Move
from sbg_sim.table.route import Leg, Route, Test
from tests.heights.stage import PASS, POLISHED, SIX, box, charge, move, mover, other, piece, table


def block(name, height, shape=None, on=None, tags="platform"):
    return piece(name, tags, shape or box(8, 6, 14, 18), height=height, on=on)


def two_storeys(shape, low=1.0, high=1.0):
    return block("a", low), block("b", high, shape, "a")


@pytest.mark.parametrize(
    ("low", "high", "chance", "needed"),
    [(1.0, 1.0, PASS, 1.5 + 2 * 2), (0.5, 1.0, PASS, 2.5), (0.3, 0.4, 1, 2.5), (2.0, 0.5, PASS, 1.5 + 2 * 2.5)],
)
def test_flush_sides_are_one_face(low, high, chance, needed):
    found = move(table(mover(6, 12, move=8.0), *two_storeys(box(8, 6, 12, 18), low, high)), (8.5, 12), "b")
    assert (found.chance, found.needed) == (chance, pytest.approx(needed, abs=POLISHED))
    down = move(table(mover(8.5, 12, move=8.0, on="b"), *two_storeys(box(8, 6, 12, 18), low, high)), (7.5, 12))
    drop = low + high
    assert (down.chance, down.needed) == ((1, 1.0) if drop <= 1.5 else (PASS, 2 * drop))


def test_set_back_it_is_two_climbs_and_sticking_out_it_is_passed_under():
    back = move(table(mover(6, 12, move=12.0), *two_storeys(box(9, 7, 13, 17))), (9.5, 12), "b")
    assert (back.chance, back.needed) == (PASS * SIX, pytest.approx(3.5, abs=POLISHED))
    out = table(mover(5, 12, move=12.0), *two_storeys(box(7, 6, 12, 18)))
    assert move(out, (7.5, 12)).needed == pytest.approx(2.5, abs=POLISHED)
    up = Test("climb", "b", (7.5, 12.0), (8.0, 12.0), rule="CLB.1", landing_on="b")
    legs = (Leg("straight", (5, 12), (7.5, 12), 2.5), Leg("climb", (7.5, 12), (7.5, 12), 4.0, "b", rise=2.0, test=up))
    assert any("stands under b" in v.reason for v in audit(out, "m", Route(legs)).violations)


def test_two_storeys_in_two_pieces_each():
    """The upper ones name two pieces that make one level."""
    walls = [block("a1", 1.0, box(8, 6, 11, 18)), block("a2", 1.0, box(11, 6, 14, 18))]
    walls += [block("b1", 1.0, box(9, 7, 11, 17), "a1"), block("b2", 1.0, box(11, 7, 13, 17), "a2")]
    found = move(table(mover(8.5, 12, on="a1", move=12.0), *walls), (12, 12), "b2")
    assert (found.chance, found.needed) == (SIX, pytest.approx(3.5, abs=POLISHED))


def test_up_a_ladder_along_both():
    ladder = piece("l", "ladder", at=(8.0, 12.0), to="b")
    at = table(mover(6, 12, move=9.0), *two_storeys(box(8, 6, 12, 18), high=2.0), ladder)
    assert move(at, (8.5, 12), "b").needed == pytest.approx(1.5 + 3)


def test_onto_a_top_just_as_wide_as_the_base_and_off_it():
    plinth = block("p", 1.0, box(9.5, 11.5, 10.5, 12.5))
    assert move(table(mover(7, 12), plinth), (10, 12), "p").needed == pytest.approx(3, abs=POLISHED)
    assert charge(table(mover(10, 12, on="p"), plinth, other("e", 13, 12)), "e").needed == pytest.approx(2)
    tall = block("p", 2.0, box(9.5, 11.5, 10.5, 12.5))
    for x, y in ((11.5, 12), (8.5, 12), (10, 13.5), (10, 10.5)):
        found = move(table(mover(10, 12, on="p"), tall), (x, y))
        assert (found.chance, found.needed) == (SIX, pytest.approx(4.5, abs=POLISHED))


# -- over a gap, to another level ------------------------------------------------------------------------------


def chasm(height, x0=10.0, depth=4.0):
    stone = piece("s", "platform unscalable", box(x0, 10, x0 + 3, 14), height=height, on="g")
    return piece("g", "gap", box(8, -1, 16, 41), depth=depth), stone


@pytest.mark.parametrize(
    ("height", "x0", "chance"),
    [(3.5, 10, PASS), (2.5, 10, PASS), (2.4999, 10, 0), (4.2, 10, 0), (3.5, 11, PASS), (3.5, 11.0001, 0)],
)
def test_from_the_brim_to_a_stone(height, x0, chance):
    found = move(table(mover(6, 12), *chasm(height, x0)), (x0 + 0.5, 12), "s")
    assert found.chance == chance
    if chance:
        assert found.needed == pytest.approx(x0 - 5.5, abs=POLISHED)
        assert (found.tests[0].fail_on, found.tests[0].drop, found.tests[0].fail_hits) == ("g", 4.0, 3)


@pytest.mark.parametrize(("reading", "up", "down"), [("lower", 0, PASS), ("both", PASS, PASS), ("neither", 0, 0)])
def test_stones_and_roofs_by_each_reading(reading, up, down):
    assert move(table(mover(10.5, 12, on="s"), *chasm(3.5), leap_landing=reading), (7.5, 12)).chance == up
    house = piece("p", "platform unscalable", box(2, 8, 8, 16), height=1.5), piece("g", "gap", box(8, -1, 10, 41))
    off = move(table(mover(7.5, 12, on="p"), *house, leap_landing=reading), (10.5, 12))
    assert off.chance == down
    if down:
        assert (off.needed, off.tests[0].drop) == (pytest.approx(3, abs=POLISHED), 0.0)


def test_a_ledge_before_the_gap_counts_as_part_of_it():
    for gap, chance in ((9.99, PASS), (10.01, 0)):
        house = piece("p", "platform unscalable", box(2, 8, 7, 16), height=1.5)
        at = table(mover(6.5, 12, on="p"), house, piece("g", "gap", box(7.9, -1, gap, 41)))
        assert move(at, (gap + 0.5, 12)).chance == chance


def test_the_referee_measures_leaps_to_other_levels_itself():
    gap, stone = chasm(2.0, 11.2)
    at = table(mover(7.5, 12), gap, stone)
    test = Test("leap", "g", (7.5, 12.0), (11.7, 12.0), rule="LEAP.1", landing_on="s")
    found = audit(at, "m", Route((Leg("leap", (7.5, 12), (11.7, 12), 4.2, "s", test=test),)))
    reasons = [v.reason for v in found.violations]
    assert any("3.2 inches from rim to rim" in r for r in reasons)
    assert any("lands -2 inches" in r for r in reasons)


def test_a_leap_between_levels_passes_over_what_is_lower_and_over_the_gap_itself():
    """Two platforms stand on a third, the lower half under the leap; a landing short of the gap is no leap over it."""
    low = piece("t", "platform", box(10, 10.5, 15, 11.5), height=0.4)
    lower = piece("u", "platform", box(10.5, 11, 15, 11.5), height=0.3, on="t")
    upper = piece("v", "platform", box(10.5, 11, 12, 12), height=1.0, on="t")
    gap = piece("g", "gap", box(7.5, 8, 8.5, 12), depth=1.0)
    found = move(table(mover(11.374, 11.5, on="v", move=5.0), low, lower, upper, gap), (8, 10.716), "g")
    assert found.chance == 0
    assert found.needed > 5


# -- why not ---------------------------------------------------------------------------------------------------

RIDER = {"keywords": frozenset({"cavalry"})}
CLOSED = [
    (mover(6, 12, **RIDER), block("t", 2.0), Move("m", (8.5, 12), "t"), "CLB.3", "cavalry may not climb t"),
    (mover(9, 12, on="t", **RIDER), block("t", 2.0), Move("m", (7, 12)), "CLB.3", "no other way leads to the ground"),
    (mover(9, 12, on="t", **RIDER), block("t", 2.0), Charge("m", "e"), "CLB.3", "cavalry may not climb t"),
    (mover(6, 12), block("t", 2.0, tags="platform unscalable"), Move("m", (9, 12), "t"), "TER.5", "t cannot be scaled"),
    (mover(9, 12, on="t"), block("t", 2.0, tags="platform unscalable"), Move("m", (7, 12)), "TER.5", "t cannot be"),
    (mover(9, 12, on="t", **RIDER), piece("t", "gap", box(8, -1, 11, 41), depth=2.0), Move("m", (7, 12)), "CLB.3", "t"),
]


@pytest.mark.parametrize(("who", "what", "question", "rule", "words"), CLOSED)
def test_why_a_level_is_closed_off(who, what, question, rule, words):
    foes = [other("e", 6, 12)] if isinstance(question, Charge) else []
    found = ask(table(who, what, *foes), question, alternatives=False)
    assert found.violations[0].rule == rule
    assert words in found.reason
