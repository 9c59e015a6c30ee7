"""Straight lines into the zone of whom a model charges: only those that nobody can take are left out unweighed."""

from dataclasses import replace

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.solver.graph import graph_builder
from sbg_sim.solver.graph.edges import open_entries
from sbg_sim.solver.space.surroundings import Goal
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.joining import joined
from tests.benchmarks.crowds import two_lines


@pytest.mark.parametrize("foe", ["evil-14", "evil-15", "evil-18", "evil-0"])
def test_what_is_left_out_could_not_be_walked(foe, monkeypatch):
    monkeypatch.setattr(graph_builder, "open_entries", lambda builder, src, dst: np.ones(len(src), dtype=bool))
    bog = sbg.Terrain("bog", frozenset({"difficult"}), sbg.polygon([(12, 12), (17, 12), (18, 17), (13, 18)]))
    table = joined(replace(two_lines(), terrain=FrozenMap({"bog": bog})))
    mover, target = table.model("good-14"), table.model(foe)
    goal = Goal(target.on, contact=((*target.at, target.radius + mover.radius),), bound=True)
    here = goal.surroundings(table, mover, 12.0, charging=foe, dice=False)
    builder = graph_builder.GraphBuilder(replace(here, transitions=()), goal, range_=12.0)
    net = builder.build()
    barred = np.flatnonzero(~open_entries(builder, net.graph.src, net.graph.dst))
    assert len(barred) > 100
    assert not np.isfinite(net.weigh(barred)).any()
