"""Areas as people read them: no digit beyond what their error leaves, and a bound that holds for what is written."""

from __future__ import annotations

import random
import re

from sbg_sim.units import area_within


def test_the_truth_lies_within_what_is_written_beside_an_area():
    rng = random.Random(7)
    for _ in range(2000):
        value, error = 10 ** rng.uniform(-3, 4), 10 ** rng.uniform(-6, 1)
        found = re.fullmatch(r"(\d+(?:\.(\d+))?) sq in, within (\S+) sq in", area_within(value, error))
        assert found is not None
        written, digits, within = float(found[1]), len(found[2] or ""), float(found[3])
        assert abs(written - value) + error <= within * (1 + 1e-9)
        assert within <= 2 * (abs(written - value) + error)
        assert digits == 0 or 10**-digits >= min(error, 0.01)
