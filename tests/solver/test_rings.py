"""What arcs of rings cost that run through difficult ground."""

from __future__ import annotations

import math

import numpy as np

from sbg_sim.solver.space.rings import RingArcs
from tests.solver.stage import ring


def test_arcs_cost_what_the_ground_under_them_weighs():
    rng = np.random.default_rng(4)
    weights, rho = ((1.0, 2.0, 1.0), (2.0, 1.0, 1.0, 2.0, 1.0), (1.0,)), (0.5, 2.0, 3.0)
    arcs = RingArcs([ring(k, -k, r, w) for k, (r, w) in enumerate(zip(rho, weights, strict=True))])
    which = rng.integers(0, 3, 300)
    start, sweep = rng.uniform(-7, 7, 300), rng.uniform(-6, 6, 300)
    turn = np.where(rng.random(300) < 0.9, np.sign(sweep), -np.sign(sweep))
    found = arcs.costs(which, arcs.places(which, start), sweep, turn)
    shares = (np.arange(4000) + 0.5) / 4000
    for k in range(300):
        under, r = np.array(weights[which[k]]), rho[which[k]]
        angle = (start[k] + shares * sweep[k]) % math.tau
        weighed = under[(angle / math.tau * len(under)).astype(int)].mean() * abs(sweep[k]) * r
        assert abs(found[k] - (weighed if sweep[k] * turn[k] > 0 else -weighed)) < 0.02
