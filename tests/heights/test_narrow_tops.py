"""Platforms too narrow to be stood on: obstacles to some bases, and levels to others (TER.3, TER.4)."""

import pytest

from sbg_sim.referee import audit, audit_path
from sbg_sim.table.route import Leg, Route, Test
from tests.heights.stage import PASS, POLISHED, SIX, box, disc, move, mover, other, piece, table


def top(wide, height, tags="platform"):
    return piece("t", tags, box(8, -1, 8 + wide, 41), height=height)


@pytest.mark.parametrize(
    ("height", "tags", "keywords", "chance", "cost"),
    [
        (0.7, "platform", "infantry", 1, 3.1),
        (0.75, "platform", "infantry", PASS, 3.1),
        (1.5, "platform unscalable", "infantry", PASS, 3.1),
        (2.0, "platform", "infantry", SIX * PASS, 1.5 + 4 + 4),
        (2.0, "platform unscalable", "infantry", 0, None),
        (2.0, "platform", "cavalry", 0, None),
    ],
)
def test_a_top_without_room_is_an_obstacle(height, tags, keywords, chance, cost):
    """0.6 in wide, from touching it at 7.5 to touching it at 9.1."""
    at = table(mover(6, 12, move=12.0, keywords=frozenset({keywords})), top(0.6, height, tags))
    found = move(at, (9.1, 12))
    assert found.chance == chance
    assert found.needed == (cost if cost is None else pytest.approx(cost, abs=POLISHED))


@pytest.mark.parametrize(("wide", "chance"), [(1 - 1e-5, PASS), (1.0, SIX), (2.0, SIX)])
def test_a_top_with_room_is_not_jumped_over(wide, chance):
    """Jumped onto, and down from with a 6; over it with a 2 only where nobody could stand on it."""
    at, end = table(mover(6, 12), top(wide, 1.5)), 8.5 + wide
    found = move(at, (end, 12))
    assert (found.chance, found.needed) == (chance, pytest.approx(end - 6, abs=POLISHED))
    start, cost = (7.5, 12.0), end - 7.5
    over = Leg("jump", start, (end, 12.0), cost, test=Test("jump", "t", start, (end, 12.0)))
    judged = audit(at, "m", Route((Leg("straight", (6.0, 12.0), start, 1.5), over)))
    assert [v.rule for v in judged.violations] == ([] if chance == PASS else ["JMP.1"])


def test_round_tops_and_those_of_others():
    post = piece("t", "platform", disc(8, 12, 0.3), height=1.5)
    assert move(table(mover(6, 12, move=4.1), post), (10, 12)).chance == SIX
    narrow = top(0.6, 1.5)
    small = table(mover(6, 12, base=0.5), narrow)
    assert move(small, (8.25, 12), "t").chance == PASS  # room for its base
    watched = table(mover(6, 12), narrow, other("e", 8.3, 12, base=0.5, on="t"))
    assert move(watched, (9.1, 12)).answer == "no"  # somebody stands there


@pytest.mark.parametrize(("reading", "answer"), [("no", "no"), ("yes", "yes")])
def test_no_end_on_top_of_a_low_one(reading, answer):
    at = table(mover(6, 12), top(0.6, 0.7), end_on_low_obstacle=reading)
    found = move(at, (8.3, 12), alternatives=True)
    assert found.answer == answer
    assert (f"end_on_low_obstacle = {'yes' if reading == 'no' else 'no'}") in found.rulings


@pytest.mark.parametrize("by", [[], [(9.5, 12)], [(8.5, 12), (9.5, 12)]])
def test_a_drawn_path_may_end_touching_what_it_came_down_from(by):
    at = table(mover(6, 12), top(2.0, 0.7))
    judged = audit_path(at, "m", [(6, 12), *by, (10.5, 12)])
    assert (judged.legal, judged.cost) == (True, pytest.approx(4.5))
    assert [leg.kind for leg in judged.route.legs] == ["straight", "up", "straight", "down"]
