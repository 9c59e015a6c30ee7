"""What small ruins cost, place by place and level by level, against a lattice that shares no code with the search."""

import math
from dataclasses import replace

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.referee import audit_path
from sbg_sim.solver.path.best_path import options
from sbg_sim.solver.path.options import Search
from sbg_sim.solver.reach import reach
from sbg_sim.solver.space.surroundings import Goal
from sbg_sim.table.faults import table_faults
from sbg_sim.table.frozen import FrozenMap
from tests.heights.lattice import STEP, Plan
from tests.heights.ruins import ruin
from tests.heights.stage import POLISHED

MOVE = 4.0
KINDS = ("block", "stairs", "pit", "storey", "bridge", "bog", "deck")
DITCHES = ("ditch", "block", "ditch")
STRAY = 0.12
"""How much dearer a true cost may seem where ground is difficult: the lattice samples how much of a way is."""

HAIR = 1e-6  # inches


def ruins(seed, kinds=KINDS):
    """A ruin whose mover walks, out of every zone; None where it does not, or where what counts is its centre."""
    at, _ = ruin(seed, kinds=kinds)
    me = replace(at.model("m"), move=MOVE, prone=False)
    others = [m for m in at.models.values() if m.id != "m"]
    sheer = any("unscalable" in p.tags for p in at.terrain.values())
    pits = [(p.id, p.shape.bounds) for p in at.terrain.values() if "gap" in p.tags]
    if any(
        m.prone and m.on != k and inside((*m.at, *m.at), (a - 1, b - 1, c + 1, d + 1))
        for m in others
        for k, (a, b, c, d) in pits
    ):
        return None  # it lies over a pit
    if sheer or at.rulings["stand_on"] != "whole" or any(math.dist(m.at, me.at) < 2 for m in others):
        return None
    made = replace(at, models=FrozenMap({**at.models, "m": me}))
    return None if table_faults(made) else made  # who lay over a pit cannot stand there


def inside(box, around):
    return all(a < b for a, b in zip(around[:2], box[:2], strict=True)) and all(
        a > b for a, b in zip(around[2:], box[2:], strict=True)
    )


def compared(seed, count, kinds=KINDS):
    """Rows of dice, whether ground is difficult, the true cost and the lattice's at places of one table."""
    at = ruins(seed, kinds)
    if at is None:
        return
    plan, found = Plan(at), reach(at, "m")
    cost, level = plan.costs()
    cells = np.stack(np.meshgrid(np.arange(plan.n), np.arange(plan.n), indexing="ij"), axis=-1).reshape(-1, 2)
    place, level, cost = plan.origin + cells * STEP, level.reshape(-1), cost.reshape(2, -1)
    dice = np.random.default_rng(seed)
    for space in found.surroundings.spaces:
        inside = space.free(place) & (level >= 0)
        if not inside.any():
            continue
        here = np.flatnonzero(level == np.bincount(level[inside]).argmax())
        some = dice.permutation(here)[:count]
        true = np.full(len(some), np.inf)
        tests = max((t.way.tests for t in found.surroundings.transitions), default=0)
        for used in range(min(tests + 1, len(cost))):  # no lattice of more dice
            true = np.minimum(true, found.fields.at(used, space.surface).distance(place[some]))
            for p, exact, rough in zip(place[some], true, cost[used][some], strict=True):
                yield space.surface, used, tuple(p), bool(plan.rough), float(exact), float(rough)


def faults(seed, rows, kinds=KINDS):
    for level, used, place, bog, exact, lattice in rows:
        if lattice <= MOVE - 1e-6 and exact > lattice + (STRAY if bog else 5 * POLISHED):
            yield f"{level}, {place}, {used} dice: {exact} for what {lattice} do"
        if (
            exact <= MOVE - 0.4
            and lattice > 1.02 * exact + 0.3
            and not witnessed(seed, kinds, level, used, place, exact)
        ):
            yield f"{level}, {place}, {used} dice: {exact}, where no way is shorter than about {lattice}"


def witnessed(seed, kinds, level, used, place, cost):
    """Whether the referee accepts a way of no more than some cost and dice: the lattice is too wide for narrow ways."""
    at = ruins(seed, kinds)
    most, to = cost + 5 * POLISHED, tuple(map(float, place))
    at = replace(at, models=FrozenMap({**at.models, "m": replace(at.model("m"), move=most)}))
    # A verdict tells the likeliest way only; all ways that the solver finds and the straight line are judged. Just
    # along a rim a leap may land nowhere before the place, and its chance hides a way that costs less: a hair aside.
    held = [audit_path(at, "m", [at.model("m").at, to], on=level)]
    for dx, dy in ((0.0, 0.0), (HAIR, HAIR), (-HAIR, HAIR), (HAIR, -HAIR), (-HAIR, -HAIR)):
        goal = Goal(level, (to[0] + dx, to[1] + dy))
        search = Search(at, at.model("m"), None, goal, most, dice=True, horizon=most)
        held += [sbg.audit(at, "m", option.route) for option in options(search).found]
    return any(one.legal and one.cost <= most and len(one.tests) <= used for one in held)


@pytest.mark.parametrize("seed", [4, 9, 10])
def test_costs_of_places(seed):
    assert list(faults(seed, compared(seed, 15))) == []


@pytest.mark.parametrize("seed", [1001, 1006, 1008])
def test_ditches(seed):
    """Pits with steps and deeper pits in them, at their sides too, and blocks at their brims."""
    assert list(faults(seed, compared(seed, 10, DITCHES), DITCHES)) == []


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(150))
def test_many_ditches(seed):
    assert list(faults(seed, compared(seed, 60, DITCHES), DITCHES)) == []


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(400))
def test_costs_of_places_in_many_ruins(seed):
    assert list(faults(seed, compared(seed, 60))) == []
