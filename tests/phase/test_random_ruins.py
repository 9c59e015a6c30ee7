"""Random play in ruins of several levels: every move ends where the referee says, on a table that can be read again."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

import pytest

from sbg_sim.phase import replay
from sbg_sim.referee import audit
from sbg_sim.scenario import read_text, write
from sbg_sim.table.faults import table_faults
from sbg_sim.table.joining import level_of
from sbg_sim.table.record import MoveRecord
from sbg_sim.table.rulings import RULINGS
from sbg_sim.tolerance import APART
from tests.heights.ruins import HIGH, KINDS, LOW, SIZE, built, quarter
from tests.heights.stage import other, table
from tests.phase.games import play

if TYPE_CHECKING:
    from sbg_sim.phase import Phase, Step
    from sbg_sim.phase.turn import Judged
    from sbg_sim.table.board import Table

READINGS = ("leap_fall", "climb_over", "jump_into_contact", "stand_on", "climb_test_each_turn")
RESULTS = {1: {"1"}, 2: {"2-5", "2-6"}, 4: {"2-5", "2-6"}, 5: {"2-5", "2-6"}, 6: {"6", "2-6"}}
SEEDS = (4, 5, 14)
SLACK = 2e-6  # places are rounded to six decimals


def ruins(dice: random.Random) -> Table:
    """A ruin with four to seven models on all of its levels, some of whom lie or ride, at times by other readings."""
    while True:
        pieces = built(dice, (*KINDS, "ditch"))
        chosen = {name: dice.choice(list(RULINGS[name].readings)) for name in READINGS if dice.random() < 0.15}
        if not pieces or table_faults(table(*pieces.values(), size=SIZE, **chosen)):
            continue
        levels = [None, *(p.id for p in pieces.values() if "platform" in p.tags or p.depth is not None)]
        models = []
        for k in range(7):
            rides = dice.random() < 0.12
            body = {"base": 1.5, "height": 2.5, "move": 10.0} if rides else {"height": dice.choice([0.9, 1.5])}
            for _ in range(40):
                spot = (quarter(dice, LOW - 1, HIGH + 1), quarter(dice, LOW - 1, HIGH + 1))
                more = {"side": ("good", "evil")[k % 2], "on": dice.choice(levels), "prone": dice.random() < 0.2}
                kind = frozenset({"cavalry" if rides else "infantry"})
                model = other(f"{'ge'[k % 2]}{k}", *spot, keywords=kind, **body, **more)
                if not table_faults(table(*pieces.values(), *models, model, size=SIZE, **chosen)):
                    models.append(model)
                    break
        if len(models) >= 4:
            return table(*pieces.values(), *models, size=SIZE, **chosen)


def some_move(phase: Phase, dice: random.Random) -> MoveRecord | None:
    """A move that may or may not be allowed; None when nobody is left to move."""
    if not phase.movable:
        return None
    mover = phase.table.model(dice.choice(phase.movable))
    stand = mover.prone and dice.random() < 0.6
    enemies = sorted((math.dist(e.at, mover.at), e.id) for e in phase.table.standing() if e.is_enemy(mover))
    if dice.random() < 0.25 and enemies:
        return MoveRecord(mover.id, charge=(dice.choice(enemies[:3])[1],), stand=stand)
    far, turn = 1.0 if mover.prone and not stand else mover.move or 0.0, dice.uniform(0, math.tau)
    far *= math.sqrt(dice.random())
    to = (round(mover.at[0] + far * math.cos(turn), 3), round(mover.at[1] + far * math.sin(turn), 3))
    under = [p.id for p in phase.table.terrain.values() if p.shape is not None and p.shape.distance([to])[0] <= 0]
    levels = [name for name in under if "platform" in phase.table.piece(name).tags or phase.table.piece(name).depth]
    return MoveRecord(mover.id, to=to, on=dice.choice([None, *levels][-2:]), stand=stand)


def ends_elsewhere(before: Table, judged: Judged, step: Step) -> list[str]:
    """Say where the referee ends a move with these dice, if it ends elsewhere (JMP.1, LEAP.2, CLB.2, FALL.1)."""
    if not step.rolls:
        return []
    seen = audit(before, step.model, judged.route, charging=judged.move.charge, hanging=True)
    found = [f"{one.rule} {one.reason}" for one in seen.violations]
    ends = [
        stop
        for stop in seen.stops
        if len(stop.results) == len(step.rolls)
        and all(result in RESULTS[roll] for result, roll in zip(stop.results, step.rolls, strict=True))
    ]
    if len(ends) != 1:
        return [*found, f"{len(ends)} ends for {step.rolls}"]
    (end,) = ends
    # Who lands beside one that lies, and may not touch it, is set down a hair farther away (PRN.5).
    apart = 2 * APART if any(test.kind == "jump-prone" for test in judged.route.tests) else SLACK
    same = (level_of(before, end.surface), end.prone) == (level_of(before, step.on), step.prone)
    if not same or step.at is None or math.dist(end.place, step.at) > apart:
        found.append(f"{end} is not {step.at} on {step.on}")
    return found


def thrown_in(seed: int, tries: int) -> int:
    """Play a phase in a ruin, and its record again; return the number of moves that took dice."""
    start = ruins(random.Random(f"ruin {seed}"))
    phase = play(start, seed, tries, wish=some_move, ill=table_faults, wrongly=ends_elsewhere)
    again = replay(phase.record())
    assert again.legal, again.steps[-1].reason
    assert again.hash == phase.hash == replay(read_text(write(phase.record()))).hash
    return sum(bool(step.rolls) for step in phase.steps)


def test_moves_in_ruins_end_where_the_referee_says():
    assert sum(thrown_in(seed, 20) for seed in SEEDS) >= 3


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(100, 250))
def test_moves_in_many_ruins_end_where_the_referee_says(seed: int):
    thrown_in(seed, 40)
