"""Gaps that reach the side of what they are cut into, and steps at the side of a gap: levels that meet are joined."""

from dataclasses import replace
from math import hypot

import pytest

import sbg_sim as sbg
from sbg_sim.table.faults import table_faults
from sbg_sim.table.questions import Sight
from sbg_sim.table.route import Leg, Route
from tests.heights.stage import POLISHED, SIX, box, move, mover, other, piece, table

DECK = piece("deck", "platform", box(6, 8, 14, 16), height=2.0)
DITCH = piece("ditch", "gap", box(6, 8, 14, 16), depth=2.0)


def notch(depth, shape=None, tags="gap"):
    return piece("notch", tags, shape or box(6, 10, 9, 14), depth=depth, on="deck")


def step(height, shape=None, tags="platform"):
    return piece("step", tags, shape or box(6, 10, 9, 14), height=height, on="ditch")


@pytest.mark.parametrize(
    ("depth", "chance"), [(1.2501, 1), (1.2499, SIX), (0.5001, SIX), (2.0, 1), (2.5, 1), (3.5, 1), (3.4999, 1)]
)
def test_from_the_ground_into_it(depth, chance):
    """Up by 2 less its depth: free below 3/4, a Jump test up to 1.5; on a level with the ground; down by up to 1.5."""
    found = move(table(mover(5, 12), DECK, notch(depth)), (7.5, 12), "notch")
    assert (found.chance, found.needed) == (chance, pytest.approx(2.5, abs=POLISHED))


def test_deeper_than_the_own_height_below_the_ground():
    found = move(table(mover(5, 12), DECK, notch(3.5001)), (7.5, 12), "notch")
    assert found.tests[0].kind == "descend"


def test_a_climb_into_it():
    """Up 1.6 counts double and needs a test, the walk before it half an inch."""
    found = move(table(mover(5, 12), DECK, notch(0.4)), (6.5, 12), "notch")
    assert (found.tests[0].kind, found.needed) == ("climb", pytest.approx(0.5 + 3.2, abs=POLISHED))


@pytest.mark.parametrize(("depth", "chance"), [(1.25, SIX), (0.7499, 1)])
def test_on_to_the_deck(depth, chance):
    """From its bottom up its inner side, as out of any gap."""
    found = move(table(mover(7.5, 12, on="notch"), DECK, notch(depth)), (10, 12), "deck")
    assert (found.chance, found.needed) == (chance, pytest.approx(2.5, abs=POLISHED))


def test_over_it_still():
    """A leap leads over it as ever, and who fails lies at its bottom."""
    found = move(table(mover(7.5, 9, on="deck"), DECK, notch(1.8, box(6, 10, 9, 11.5))), (7.5, 13), "deck")
    (test,) = found.tests
    assert (test.kind, test.fail_on, test.drop, found.needed) == ("leap", "notch", 1.8, pytest.approx(4, abs=POLISHED))


def test_a_notch_on_a_level_with_the_ground_is_ground():
    """An enemy there binds who walks outside; difficult ground there doubles."""
    foe = other("foe", 6.6, 12, on="notch")
    past = move(table(mover(4.9, 8, move=12.0), foe, DECK, notch(2.0)), (4.9, 16))
    assert past.needed > 8
    rough = move(table(mover(5, 12), DECK, notch(2.0, tags="gap difficult")), (7.5, 12), "notch")
    assert rough.needed == pytest.approx(0.5 + 2 * 2.0, abs=POLISHED)
    assert table_faults(replace(table(mover(7.5, 12), DECK, notch(2.0)))) == []


def test_through_and_through():
    """A trench through a deck, and one that sticks out of it: only what lies in the deck is cut."""
    trench = notch(2.0, box(5, 10, 15, 14))
    found = move(table(mover(5, 12, move=12.0), DECK, trench), (15, 12))
    assert (found.chance, found.needed) == (1, pytest.approx(10, abs=POLISHED))
    narrow = notch(2.0, box(5, 10, 15, 10.999))
    assert move(table(mover(5, 12, move=30.0), DECK, narrow), (15, 12)).needed > 12


def test_two_that_touch():
    """The one at the side opens the other to it."""
    inner = piece("inner", "gap", box(9, 10, 12, 14), depth=1.0, on="deck")
    found = move(table(mover(7.5, 12, on="notch"), DECK, notch(1.5), inner), (10.5, 12), "inner")
    assert (found.chance, found.needed) == (1, pytest.approx(3, abs=POLISHED))


def test_level_with_a_platform_beside():
    """Its bottom and a platform of that height are one level, and a base may rest across the seam."""
    low = piece("low", "platform", box(2, 10, 6, 14), height=1.0)
    found = move(table(mover(4, 12, on="low"), low, DECK, notch(1.0)), (6, 12), "low")
    assert (found.chance, found.needed) == (1, pytest.approx(2, abs=POLISHED))


def test_side_by_side_with_another_roof_it_is_closed():
    """What reaches only the seam of two roofs of one height lies amid their level."""
    more = piece("more", "platform", box(2, 8, 6, 16), height=2.0)
    found = move(table(mover(3.5, 12, on="more"), more, DECK, notch(1.0)), (7.5, 12), "notch")
    assert (found.chance, found.needed) == (1, pytest.approx(4, abs=POLISHED))
    beneath = move(table(mover(1.0, 12), more, DECK, notch(1.0)), (7.5, 12), "notch")
    assert beneath.needed is None or beneath.needed > 6


def test_a_ladder_in_it_leads_to_its_brim():
    ladder = piece("ladder", "ladder", at=(9, 12), on="notch")
    found = move(table(mover(8.5, 12, on="notch"), DECK, notch(1.8), ladder), (9.5, 12), "deck")
    assert (found.chance, found.needed) == (1, pytest.approx(1.8, abs=POLISHED))


def test_an_agreed_gap_keeps_its_brim():
    """Who is let through walks over it."""
    agreed = replace(notch(1.0), lets_through=frozenset({"m"}))
    found = move(table(mover(7.5, 9, on="deck"), DECK, agreed), (7.5, 12), "deck")
    assert (found.chance, found.needed) == (1, pytest.approx(3, abs=POLISHED))


def test_under_a_trench_nothing_is_seen():
    """What lies under the bottom of a trench through a deck hides as the rest of the deck does."""
    ends = (mover(2, 12), other("foe", 18, 12))
    for depth, seen in ((0.4, "no"), (0.6, "yes"), (2.0, "yes")):
        at = table(*ends, DECK, notch(depth, box(6, 10, 14, 14)))
        assert sbg.check(at, Sight("m", "foe")).answer == seen


@pytest.mark.parametrize(("height", "chance"), [(1.2501, 1), (1.2499, SIX), (0.5, SIX)])
def test_from_a_step_to_the_ground(height, chance):
    """Out of a ditch by a step at its side: 2 less its height is what is left."""
    at = table(mover(7.5, 12, on="step"), DITCH, step(height))
    found = move(at, (5, 12))
    assert (found.chance, found.needed) == (chance, pytest.approx(2.5, abs=POLISHED))
    down = move(table(mover(5, 12), DITCH, step(height)), (7.5, 12), "step")
    assert (down.chance, down.needed) == (1, pytest.approx(2.5, abs=POLISHED))


def test_a_climb_from_a_step():
    found = move(table(mover(6.5, 12, on="step"), DITCH, step(0.4)), (5.5, 12))
    assert (found.tests[0].kind, found.tests[0].over, found.needed) == (
        "climb",
        "ditch",
        pytest.approx(3.2, abs=POLISHED),
    )


def test_only_at_the_side():
    """A step that keeps off the side is reached from the bottom alone, or by a leap."""
    at = table(mover(5, 12), DITCH, step(1.5, box(8.1, 10, 10, 14)))
    assert move(at, (9, 12), "step").tests[0].kind == "leap"


def test_a_way_to_a_step_leads_over_nothing_lower():
    """Aslant past the step's corner the base would lie over the rest of the ditch."""
    at = table(mover(5.5, 9.6), DITCH, step(1.5))
    found = move(at, (6.5, 10.5), "step")
    assert found.needed == pytest.approx(0.9 + 1, abs=POLISHED)
    cost = hypot(1.0, 0.9)
    aslant = Route((Leg("down", (5.5, 9.6), (6.5, 10.5), cost, "step"),))
    assert {v.rule for v in sbg.audit(at, "m", aslant).violations}


def test_up_from_a_ditch_to_what_stands_at_its_brim():
    """The side of the ditch and that of the block above it are one face."""
    block = piece("block", "platform", box(14, 8, 18, 16), height=0.2)
    pit = replace(DITCH, depth=1.0)
    found = move(table(mover(12, 12, on="ditch"), pit, block), (15, 12), "block")
    assert (found.chance, found.needed) == (SIX, pytest.approx(3, abs=POLISHED))
    free = move(table(mover(12, 12, on="ditch"), replace(DITCH, depth=0.5), block), (15, 12), "block")
    assert (free.chance, free.needed) == (1, pytest.approx(3, abs=POLISHED))
    over = replace(block, shape=box(13, 8, 18, 16))  # it hangs over the ditch: no face down there, and none is needed
    found = move(table(mover(11, 12, on="ditch"), pit, over), (15, 12), "block")
    assert (found.chance, found.needed) == (SIX, pytest.approx(4, abs=POLISHED))
    deep = move(table(mover(11, 12, on="ditch"), replace(DITCH, depth=1.4), over), (15, 12), "block")
    assert deep.needed is None or deep.needed > 4  # 1.6 in would be climbed, and there is nothing to climb


def test_a_ditch_filled_by_a_platform():
    """A platform as high as its gap is deep fills it, all of it too."""
    found = move(table(mover(5, 12, move=10.0), DITCH, step(2.0, box(6, 8, 14, 16))), (15, 12))
    assert (found.chance, found.needed) == (1, pytest.approx(10, abs=POLISHED))
