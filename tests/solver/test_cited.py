"""Which rules a verdict names for the way it tells."""

from __future__ import annotations

import pytest

import sbg_sim as sbg

CORNER = {"polygon": [[9, 4], [9.4, 4], [9.4, 12.2], [9, 12.2]]}
ROUND = {"circle": {"center": [9, 11.9], "radius": 0.5}}


@pytest.mark.parametrize("shape", [CORNER, ROUND])
@pytest.mark.parametrize(
    ("tags", "rule"), [(["difficult"], "TER.2"), (["obstacle"], "TER.4"), (["obstacle", "unscalable"], "TER.5")]
)
def test_what_a_way_goes_round_is_named(shape, tags, rule):
    model = {"at": [6, 12], "base": 1, "height": 1.5, "move": 7, "side": "good"}
    table = sbg.Table(24, 24, models={"m": model}, terrain={"piece": {"tags": tags, "height": 1, **shape}})
    found = sbg.check(table, sbg.Move("m", (12, 12)))
    assert "arc" in {leg.kind for leg in found.route.legs}
    assert found.rules == ("MOV.3", rule)


def test_difficult_ground_off_the_way_is_not_named():
    model = {"at": [6, 12], "base": 1, "height": 1.5, "move": 7, "side": "good"}
    bog = {"tags": ["difficult"], "circle": {"center": [9, 14], "radius": 1}}
    table = sbg.Table(24, 24, models={"m": model}, terrain={"bog": bog})
    assert sbg.check(table, sbg.Move("m", (12, 12))).rules == ("MOV.3",)
