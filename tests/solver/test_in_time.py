"""A last leap or jump that may cost more than is left, begun just in time beside a straight ditch or wall: formulas."""

from __future__ import annotations

from math import copysign, hypot, sqrt

import pytest

import sbg_sim as sbg

BASE, HEIGHT = 1.0, 1.5
NEAR = 9.5  # where a base touches the ditch, or the wall, that begins at y = 10


def strip(kind, width, **more):
    tags = {"gap": ["gap", "unscalable"], "wall": ["obstacle"]}[kind]
    tall = {"depth": 3.0} if kind == "gap" else {"height": 1.0}
    return {"tags": tags, "polygon": [(0, 10), (24, 10), (24, 10 + width), (0, 10 + width)]} | tall | more


def moved(kind, width, away, move, goal, *, rulings=None, terrain=()):
    """The verdict on a move from ``away`` in before the near rim to a place of the far one, ``goal`` in farther on."""
    me = {"at": (6, NEAR - away), "base": BASE, "height": HEIGHT, "move": move, "side": "good"}
    table = sbg.Table(
        24, 24, models={"me": me}, terrain={"strip": strip(kind, width), **dict(terrain)},
        rulings=sbg.Rulings(rulings or {}),
    )  # fmt: skip
    return sbg.check(table, sbg.Move("me", (6 + goal, 10 + width + BASE / 2)))


def in_time(width, away, move, goal):
    """What the cheapest way costs whose leap begins after the Move at most, and costs no more than the Move itself."""
    over = width + BASE
    at = goal * away / (away + over)  # where straight on is cheapest
    if hypot(away, at) > move:
        at = copysign(sqrt(move**2 - away**2), goal)
    return hypot(away, at), hypot(goal - at, over)


CASES = [
    (0.5, 4.0, 4.2, 2.5),
    (0.5, 4.0, 4.2, -3.0),
    (1.0, 5.0, 5.05, 2.0),
    (1.0, 5.0, 5.05, 1.0),  # straight on is in time
    (0.8, 2.5, 2.501, 1.0),
]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("kind", "rulings"), [("gap", {}), ("wall", {"jump_without_movement": "yes"})])
def test_of_the_places_come_to_in_time_the_best_is_the_last(kind, rulings, case):
    before, alone = in_time(*case)
    verdict = moved(kind, *case, rulings=rulings)
    assert verdict.answer == "chance"
    assert verdict.needed == pytest.approx(before + alone, abs=2e-6)
    assert verdict.at_least <= before + alone + 1e-9
    assert sum(leg.cost for leg in verdict.route.legs[:-1]) <= case[2] + 1e-9
