"""Where what is drawn is cut: places found by trying are left out beside places that are known exactly."""

import numpy as np
import pytest

from sbg_sim.solver.space.cutting import _apart
from sbg_sim.tolerance import TOUCH


@pytest.mark.parametrize("side", [-1, 1])
def test_places_found_by_trying_are_left_out_beside_known_ones(side):
    """On either side of one, on its own piece alone."""
    known = [(np.array([0, 1]), np.array([2.0, 5.0])), (np.array([1]), np.array([7.0]))]
    u = np.array([2.0, 5.0, 2.0, 5.0, 7.0, 7.0]) + side * np.array([3, 3, 3, 3, 3, 5]) * TOUCH
    row, places = _apart((np.array([0, 0, 1, 1, 1, 1]), u), known)
    assert row.tolist() == [0, 1, 1]
    assert places.tolist() == u[[1, 2, 5]].tolist()
