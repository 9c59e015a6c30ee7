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

MOST = 200
"""Looks within 12 in: each looks at least 0.05 in further than the one before, twice over where dice come in."""


@given(data=st.data())
def test_whatever_is_found_the_range_grows(lay, data):
    """Looks that find little, nothing or what is no way, with bounds that say nothing or too much."""
    table = lay.table(lay.mover(4.0, 12.0, move=6.0))
    search = Search(table, table.model("m"), None, Goal(None, (8.0, 12.0)), 6.0, dice=True, horizon=12.0)
    reaches = []
    bound = st.sampled_from([0.0, 3.999999999999999, 4.0, 12.0, math.inf])

    def look(_search, reach, _budget, far, *, testing=True, walked=None):
        reaches.append(reach)
        assert len(reaches) < 2 * MOST
        assert reach <= far
        found = [SimpleNamespace(tests=1, cost=data.draw(st.floats(4, 30)))] if data.draw(st.booleans()) else []
        least = (data.draw(bound), data.draw(bound))
        return best_path._Look(reach, found, least, whole=False, tests=not testing)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(best_path, "_within", look)
        patch.setattr(best_path, "_closed", lambda _search: False)
        found = best_path.options(search)
    assert found.beyond >= 4.0
    falls = [b for a, b in pairwise(reaches) if b <= a]
    assert len(falls) <= 1  # where dice come in it begins anew, once
