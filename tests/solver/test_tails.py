"""What a place costs does not hang on the places that are asked for together with it."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("skfmm")

import sbg_sim as sbg
from tests.benchmarks.reach_maps import benchmark_table


@pytest.mark.parametrize(
    ("seed", "at"),
    [
        (32, (23.487437185929647, 28.348959380745555)),  # crosses the rim round the corner
        (5, (22.00903184779178, 20.352464478580664)),  # along a ring, then across its rim
    ],
)
def test_a_place_costs_the_same_alone_among_others_and_as_a_verdict(seed, at):
    table = benchmark_table(60, 20, seed)
    reach = sbg.reach(table, "me")
    near = np.array(at) + np.stack(np.meshgrid(*[np.linspace(-0.2, 0.2, 5)] * 2), axis=-1).reshape(-1, 2)
    alone, among = reach.distance(np.array([at])), reach.distance(np.concatenate([near, [at]]))
    assert alone[0] == pytest.approx(among[-1], abs=1e-9)
    verdict = sbg.check(table, sbg.Move("me", at))
    assert verdict.needed == pytest.approx(alone[0], abs=1e-6)
