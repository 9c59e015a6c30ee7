"""Random play: whatever is allowed leaves a sound table, and can be taken back, and is replayed to one hash."""

from __future__ import annotations

import random

import pytest

from sbg_sim.phase import replay
from sbg_sim.scenario import read_text, write
from tests.phase.games import KINDS, game, next_turn, play
from tests.phase.soundness import unsound

QUICK = {
    "plain": (20, 21, 22, 23), "gaps": (21, 23, 25, 26), "gates": (20, 21, 22),
    "heights": (24,), "hedges": (22, 24), "bogs": (21,),
}  # fmt: skip
LONG = {"plain": 55, "gaps": 55, "gates": 50, "hedges": 14, "bogs": 14, "heights": 14, "busy": 8}


@pytest.mark.parametrize(("kind", "seed"), [(kind, seed) for kind, seeds in QUICK.items() for seed in seeds])
def test_nothing_allowed_leaves_an_unsound_table(kind: str, seed: int):
    phase = play(game(kind, seed), seed, 14)
    assert len(phase.steps) > 2
    again = replay(phase.record())
    assert again.legal, again.steps[-1].reason
    assert again.hash == phase.hash == replay(read_text(write(phase.record()))).hash


def test_every_kind_is_played():
    assert set(QUICK) == set(KINDS)
    assert set(LONG) == {*KINDS, "busy"}


@pytest.mark.heavy
@pytest.mark.parametrize(("kind", "seed"), [(kind, seed) for kind, count in LONG.items() for seed in range(count)])
def test_nothing_allowed_leaves_an_unsound_table_for_long(kind: str, seed: int):
    dice = random.Random(seed)
    start = game(kind, seed)
    for turn in range(3 if LONG[kind] > 20 else 1):
        if len({m.side for m in start.standing()}) < 2:
            break
        phase = play(start, seed + 1000 * turn, 40)
        again = replay(phase.record())
        assert again.legal, again.steps[-1].reason
        assert again.hash == phase.hash
        assert unsound(again.table) == []
        start = next_turn(phase.table, dice)
