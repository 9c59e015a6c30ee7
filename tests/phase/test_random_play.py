"""Random play: whatever is allowed leaves a sound table, and can be taken back, and is replayed to one hash."""

from __future__ import annotations

import random

import pytest

from sbg_sim.phase import replay
from sbg_sim.scenario import read_text, write
from tests.phase.games import KINDS, game, next_turn, play
from tests.phase.soundness import unsound


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_allowed_leaves_an_unsound_table(kind: str):
    phase = play(game(kind, 5), 5, 20)
    assert len(phase.steps) > 2
    again = replay(phase.record())
    assert again.legal, again.steps[-1].reason
    assert again.hash == phase.hash == replay(read_text(write(phase.record()))).hash


@pytest.mark.heavy
@pytest.mark.parametrize("kind", [*KINDS, "busy"])
@pytest.mark.parametrize("seed", range(30))
def test_nothing_allowed_leaves_an_unsound_table_for_long(kind: str, seed: int):
    dice = random.Random(seed)
    start = game(kind, seed)
    for turn in range(4):
        if len({m.side for m in start.standing()}) < 2:
            break
        phase = play(start, seed + 1000 * turn, 40)
        again = replay(phase.record())
        assert again.legal, again.steps[-1].reason
        assert again.hash == phase.hash
        assert unsound(again.table) == []
        start = next_turn(phase.table, dice)
