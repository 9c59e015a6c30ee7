"""Answers with crossings on random tables: bounds, witnesses, reach, allowances to a hair, and a slow oracle."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest

from sbg_sim.referee import audit
from sbg_sim.rules.zones import zones
from sbg_sim.solver.answer import ask
from sbg_sim.solver.reach import reach
from sbg_sim.table.questions import Charge, Move
from tests.fuzz.crossings import Heights
from tests.heights.stage import box, disc, mover, other, piece, table
from tests.heights.test_outcomes import random_table

HAIR = 1e-4
CLOSE = 1e-6


def crowded(seed):
    """Many pieces near one another: platforms that overlap, models beside rims, gaps, walls and bogs."""
    dice = random.Random(seed)
    things, at = [mover(10, 10, move=dice.choice([4.0, 6.0, 8.0]))], [(10.0, 10.0)]
    for i in range(dice.randint(3, 6)):
        x, y = 10 + dice.uniform(-4, 4), 10 + dice.uniform(-4, 4)
        wide, deep = dice.uniform(0.3, 1.6), dice.uniform(0.3, 1.6)
        tags = dice.choice(["platform", "platform", "obstacle", "obstacle", "gap", "difficult"])
        if tags == "platform":
            wide, deep = dice.uniform(0.8, 1.6), dice.uniform(0.8, 1.6)
        shape = disc(x, y, wide) if dice.random() < 0.3 else box(x - wide, y - deep, x + wide, y + deep)
        if tags != "difficult" and float(shape.distance(np.array([[10.0, 10.0]]))[0]) < 0.55:
            continue
        size = {"gap": {"depth": 1.0}, "difficult": {}}.get(tags, {"height": dice.uniform(0.3, 2.6)})
        things.append(piece(f"p{i}", tags, shape, **size))
    for i in range(dice.randint(0, 3)):
        x, y = 10 + dice.uniform(-4, 4), 10 + dice.uniform(-4, 4)
        if all(math.dist((x, y), p) > 2.2 for p in at):
            at.append((x, y))
            things.append(other(f"o{i}", x, y, side=dice.choice(["good", "evil"]), prone=dice.random() < 0.4))
    return table(*things, size=20.0)


def questions(start, seed):
    """Ends on the ground and on each platform, and every enemy."""
    dice = random.Random(seed)
    found = [Move("m", (10 + dice.uniform(-4, 4), 10 + dice.uniform(-4, 4)))]
    found += [Charge("m", name) for name, model in start.models.items() if model.side == "evil"]
    for name, p in start.terrain.items():
        if "platform" in p.tags:
            x0, y0, x1, y1 = p.shape.bounds
            found.append(
                Move("m", (x0 + dice.uniform(0.5, x1 - x0 - 0.5), y0 + dice.uniform(0.5, y1 - y0 - 0.5)), name)
            )
    return found


def asked(start, question):
    return ask(start, question, alternatives=False)


def judge(start, question):
    """Check what holds for every answer; return it."""
    verdict = asked(start, question)
    if verdict.needed is None:
        return verdict
    assert verdict.at_least <= verdict.needed <= verdict.at_most
    assert verdict.at_most - verdict.at_least <= CLOSE
    assert verdict.needed == pytest.approx(verdict.route.cost, abs=1e-9)
    targets = question.targets if isinstance(question, Charge) else ()
    found = audit(start, "m", verdict.route, charging=targets, allowance=math.inf)
    told = {v.rule for v in verdict.violations}
    assert {v.rule for v in found.violations} <= told, found.violations
    assert found.cost == pytest.approx(verdict.needed, abs=1e-8)
    return verdict


def to_a_hair(start, question, verdict):
    """With a Move that just suffices the same route is played; with a little less its chance is gone."""
    if verdict.needed is None or {v.rule for v in verdict.violations} - {"MOV.3"} or start.model("m").prone:
        return
    enough = replace_move(start, verdict.needed + HAIR)
    short = replace_move(start, verdict.needed - HAIR)
    tests = len(verdict.route.tests)
    more, less = asked(enough, question), asked(short, question)
    assert more.chance > 0
    assert more.needed <= verdict.needed + CLOSE
    assert less.chance < more.chance or less.needed <= verdict.needed - HAIR + 1e-8
    assert len(more.route.tests) <= tests


def replace_move(start, inches):
    return start.having("m", move=inches)


def same_as_reach(start, question, verdict):
    """What certainly costs so much costs as much on the map of reach."""
    if isinstance(question, Charge) or question.on is not None or verdict.chance != 1 or verdict.route.tests:
        return
    found = float(reach(start, "m").distance(np.array([question.to]))[0])
    assert found == pytest.approx(verdict.needed, abs=CLOSE)


def nothing_lower(start, question, verdict):
    """No path of the oracle is cheaper than what is needed, or likelier within the Move."""
    m = start.model("m")
    if isinstance(question, Charge) or m.prone or any(z.stuck for z in zones(start, m)):
        return
    if {v.rule for v in verdict.violations} & {"CHG.1", "MOV.5", "TER.3", "TER.4"}:
        return
    ours = math.inf if verdict.needed is None else verdict.needed
    for dice, cost in enumerate(Heights(start).costs(question.to, question.on, min(ours, 15.0))):
        chance = Fraction(1, 6) ** dice
        if chance > verdict.chance > 0:
            assert cost > m.move - CLOSE, f"{dice} dice do for {cost}"
        elif chance == verdict.chance or not verdict.chance:
            assert cost >= ours - 2 * CLOSE, f"{cost} with {dice} dice, not {ours}"


def everything(start, seed):
    for question in questions(start, seed):
        verdict = judge(start, question)
        to_a_hair(start, question, verdict)
        same_as_reach(start, question, verdict)
        nothing_lower(start, question, verdict)


@pytest.mark.parametrize(
    ("seed", "to", "on"),
    [
        (152, (14.768282788668788, 12.230526959259759), "p2"),
        (218, (9.621236433331394, 6.889438452706252), "p2"),
        (112, (5.271498813489646, 10.954002213699207), "p1"),
        (157, (7.241833860934226, 6.056819261485581), "p1"),
        (189, (6.429622514254647, 10.498336040676048), "p0"),
        (324, (7.057370495253236, 13.767330598459463), "p1"),
        (397, (5.5109002242971545, 8.310610313775591), "p3"),
    ],
)
def test_bounds_that_were_open(seed, to, on):
    judge(random_table(random.Random(seed)), Move("m", to, on))


@pytest.mark.parametrize(
    ("seed", "to", "on"),
    [
        (1130, (7.81309, 7.34332), "p2"),  # a climb to the very place where the next wall begins
        (1135, (9.848798669086246, 5.915587182702229), "p3"),
        (1024, (14.495327699089515, 5.604698826992257), "p4"),  # a way up that touches a corner of difficult ground
    ],
)
def test_bounds_that_were_open_on_crowded_tables(seed, to, on):
    judge(crowded(seed), Move("m", to, on))


def test_up_and_down_again_at_one_place():
    """From landing on a platform to going down from it there is no way at all: both slide along its rim as one."""
    judge(crowded(1013), Charge("m", "o2"))


@pytest.mark.parametrize("seed", [3, 17, 29, 92])
def test_random_tables(seed):
    everything(random_table(random.Random(seed)), seed)


@pytest.mark.parametrize("seed", [1, 2])
def test_crowded_tables(seed):
    everything(crowded(seed), seed)


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(400))
def test_random_tables_at_length(seed):
    everything(random_table(random.Random(seed)), seed)


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(1000, 1150))
def test_crowded_tables_at_length(seed):
    everything(crowded(seed), seed)
