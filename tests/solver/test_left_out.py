"""Places of a path that have met and are left out, and fans that are cast in one graph or its sharper one."""

from __future__ import annotations

import pytest

import sbg_sim as sbg
from sbg_sim.solver.field.fans import RayFans
from sbg_sim.solver.path import polish
from sbg_sim.solver.path.paths import Fixed, Slide
from tests.solver.stage import level, net, path

A, B = Fixed((0.0, 0.0)), Fixed((9.0, 0.0))


@pytest.mark.parametrize(
    ("weights", "left"), [([1.0, 2.0, 1.0], True), ([1.0, 2.0, 2.0], False), ([2.0, 2.0, 1.0], False)]
)
def test_places_that_met_are_left_out_where_straight_on_is_cheaper(weights, left):
    here = net([level(2.0)])
    met = path(A, Slide(0, 23.0), Slide(0, 23.0), B, weights=weights)
    found = polish._left_out(here, met, 1)
    assert (found is not None) == left
    if left:
        assert found.elements == (A, B)
        assert [link.weight for link in found.links] == [1.0]
    straight = path(A, Slide(0, 20.0), Slide(0, 20.0), Fixed((0.0, 9.0)), weights=[1.0, 2.0, 1.0])
    assert polish._left_out(here, straight, 1) is None  # no cheaper
    assert polish._left_out(here, met, 0) is None
    assert polish._left_out(here, met, 2) is None


def test_runs_are_those_of_the_graph_that_fans_are_cast_in():
    models = {
        "me": {"at": (8, 8), "base": 1, "height": 1.5, "move": 6, "side": "good"},
        "friend": {"at": (10.2, 9.1), "base": 1.5, "height": 1.5, "move": 6, "side": "good"},
    }
    bog = {"tags": ["difficult"], "polygon": [(4, 4), (7, 4), (7, 6), (4, 6)]}
    field = sbg.reach(sbg.Table(16, 16, models=models, terrain={"bog": bog}), "me").certain.at(0, None)
    sketch = RayFans(field, 6.0, sagitta=0.1)
    assert sketch.net is field.net
    assert sketch.runs is field.runs
    fine = RayFans(field, 6.0)
    assert fine.net is field.sharp[0]
    assert (fine.runs is field.runs) == (fine.net is field.net)
    assert len(fine.cost) == len(fine.net.nodes.xy)
