"""Straight lines into the zone of whom a model charges: only those that nobody can take are left out unweighed."""

import numpy as np
import pytest

from sbg_sim.solver.graph import graph_builder
from sbg_sim.solver.graph.edges import open_entries
from sbg_sim.solver.space.surroundings import Goal
from sbg_sim.table.joining import joined
from tests.benchmarks.crowds import CROWDS, crowd


@pytest.mark.parametrize("seed", range(4))
def test_what_is_left_out_could_not_be_walked(seed, monkeypatch):
    asked = []

    def kept(w, src, dst, transition):
        use = open_entries(w, src, dst, transition)
        asked.append(np.flatnonzero(~use))
        return np.ones(len(src), dtype=bool)

    monkeypatch.setattr(graph_builder, "open_entries", kept)
    table = joined(crowd(seed, CROWDS["60 bases, 20 pieces"]))
    mover = table.model("me")
    foes = sorted(
        (m for m in table.standing() if mover.is_enemy(m) and m.has_zone),
        key=lambda m: np.hypot(m.at[0] - mover.at[0], m.at[1] - mover.at[1]),
    )
    left_out = 0
    for foe in foes[:4]:
        goal = Goal(foe.on, contact=((*foe.at, foe.radius + mover.radius),), bound=True)
        here = goal.surroundings(table, mover, 9.0, charging=foe.id, dice=False)
        net = graph_builder.GraphBuilder(here.spaces, [], (0, mover.at), (0, goal), range_=9.0).build()
        barred = asked.pop()
        assert not np.isfinite(net.weigh(barred)).any()
        left_out += len(barred)
    assert left_out > 100
