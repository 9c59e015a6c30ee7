"""Random play: whatever is allowed leaves a sound table, and can be taken back, and is replayed to one hash."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

import pytest
import shapely

from sbg_sim.phase import Phase, replay
from sbg_sim.scenario import read_text, write
from sbg_sim.table.record import MoveRecord
from tests.phase.tables import box, busy, man, table

if TYPE_CHECKING:
    from sbg_sim.table.board import Table


def unsound(table_: Table) -> list[str]:
    """Say what is wrong with where models stand, told by shapely alone."""
    found = []
    models = table_.standing()
    for i, one in enumerate(models):
        (x, y), r = one.at, one.radius
        if min(x, y, table_.width - x, table_.depth - y) < r - 2e-6:
            found.append(f"{one.id} off the table")
        found += [
            f"{one.id} overlaps {other.id}"
            for other in models[i + 1 :]
            if one.on == other.on and math.dist(one.at, other.at) < r + other.radius - 2e-6
        ]
        disc = shapely.Point(one.at)
        for piece in table_.terrain.values():
            if piece.shape is None or piece.on != one.on or not (piece.is_obstacle or "gap" in piece.tags):
                continue
            if "gap" in piece.tags and one.prone:
                continue
            body = shapely.Polygon(piece.shape.rings[0]) if piece.shape.rings else shapely.Point(piece.shape.spine[0])
            if body.distance(disc) < r + piece.shape.radius - 2e-6:
                found.append(f"{one.id} inside {piece.id}")
    for one in models:
        found += [f"{one.id} alone engages {n}" for n in one.engaged if one.id not in table_.model(n).engaged]
    return found


def open_ground(seed: int) -> Table:
    """A few models in the open with a wall that is jumped and a rock."""
    dice = random.Random(seed)
    terrain = [box("wall", 2, 8, 9, 8.3, "obstacle", height=1.0), box("rock", 13, 9, 15, 10, "unscalable")]
    models = []
    while len(models) < 6:
        at = (round(dice.uniform(1, 17), 4), round(dice.uniform(1, 17), 4))
        clear = all(math.dist(at, m.at) > 1 for m in models)
        if clear and all(float(p.shape.distance([at])[0]) > 0.5 for p in terrain):
            side = "good" if len(models) % 2 else "evil"
            models.append(man(f"{side}-{len(models)}", at, side, prone=dice.random() < 0.15))
    return table(*models, man("late", (0, 0)), off=("late",), terrain=terrain)


def some_move(phase: Phase, dice: random.Random) -> MoveRecord | None:
    """Return a move that may or may not be allowed."""
    if not phase.movable:
        return None
    model = phase.table.model(dice.choice(phase.movable))
    if model.id in phase.table.off:
        return MoveRecord(model.id, arrive=(0.0, round(dice.uniform(0, 24), 3)))
    stand = model.prone and dice.random() < 0.6
    there = (model.at[0] + dice.uniform(-5, 5), model.at[1] + dice.uniform(-5, 5))
    kind = dice.random()
    if kind < 0.2:
        enemies = [e.id for e in phase.table.standing() if e.is_enemy(model)]
        return MoveRecord(model.id, charge=(dice.choice(enemies),), stand=stand)
    if kind < 0.3:
        return MoveRecord(model.id, to=there, stand=stand)
    if kind < 0.35:
        platforms = [n for n, p in phase.table.terrain.items() if "platform" in p.tags]
        return MoveRecord(model.id, to=there, on=dice.choice([*platforms, None]), stand=stand)
    if kind < 0.95:
        middle = (model.at[0] + dice.uniform(-2, 2), model.at[1] + dice.uniform(-2, 2))
        return MoveRecord(model.id, path=(model.at, middle, there), stand=stand)
    return MoveRecord(model.id, lie=not model.prone, stand=model.prone)


def play(start: Table, seed: int, tries: int) -> Phase:
    dice = random.Random(seed)
    phase = Phase.begin(start, dice.choice(["good", "evil"]))
    assert unsound(start) == []
    for _ in range(tries):
        move = some_move(phase, dice)
        if phase.over:
            break
        if move is None or dice.random() < 0.04:
            if not phase.left_outside():
                phase = phase.end()
            continue
        if phase.explain(move):
            continue
        after = phase.push(move, lambda _: dice.randint(1, 6))
        assert after.pop() == phase
        assert unsound(after.table) == [], (seed, move, after.steps[-1].rolls)
        if not after.steps[-1].rolls or min(after.steps[-1].rolls) > 1:
            assert after.steps[-1].used <= 6 + 1e-6
        phase = after
    return phase


@pytest.mark.parametrize("seed", range(10))
def test_nothing_allowed_leaves_an_unsound_table(seed: int):
    phase = play(open_ground(seed), seed, 30)
    again = replay(phase.record())
    assert again.legal, again.steps[-1].reason
    assert again.hash == phase.hash == replay(read_text(write(phase.record()))).hash


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(200))
def test_nothing_allowed_leaves_an_unsound_table_for_long(seed: int):
    start = busy(seed) if seed % 4 == 0 else open_ground(1000 + seed)
    phase = play(start, seed, 40)
    again = replay(phase.record())
    assert again.legal, again.steps[-1].reason
    assert again.hash == phase.hash
