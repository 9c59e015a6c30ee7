"""The search of one goal ends whatever its looks find: its range grows with every one of them."""

import math
from itertools import pairwise
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbg_sim.solver.path import best_path
from sbg_sim.solver.path.options import Search
from sbg_sim.solver.space.surroundings import Goal

MOST = 60
"""Looks within 12 in, the first at 4 in: each looks at least a fiftieth further than the one before."""


@given(data=st.data())
def test_whatever_is_found_the_range_grows(lay, data):
    """Looks that find nothing, what is no way, what is dearer than the range, or what is beyond the horizon."""
    table = lay.table(lay.mover(4.0, 12.0, move=6.0))
    search = Search(table, table.model("m"), None, Goal(None, (8.0, 12.0)), 6.0, dice=True, horizon=12.0)
    reaches = []

    def look(_search, reach, far):
        reaches.append(reach)
        assert len(reaches) < MOST
        assert reach <= far
        cost = data.draw(st.floats(4, 30))
        further = best_path._more_than(max(cost, reach))
        return data.draw(
            st.sampled_from(
                [
                    best_path._Look(reach, [], 1.02 * reach),
                    best_path._Look(reach, [], 3 * reach),
                    best_path._Look(reach, [SimpleNamespace(tests=1, cost=cost)], further),
                    best_path._Look(reach, [], further, dearer=cost),
                ]
            )
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(best_path, "_look", look)
        patch.setattr(best_path, "_closed", lambda _search: False)
        found = best_path._sought(search, 4.0, 12.0)
    assert reaches
    assert all(a < b for a, b in pairwise(reaches))
    # What is told is no dearer than what was looked at, and nothing is said to be closed off.
    assert all(option.cost <= reaches[-1] for option in found.found)
    assert found.found or found.beyond == pytest.approx(12.0)
    assert math.isfinite(found.beyond) or found.found
