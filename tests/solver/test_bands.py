"""Bands of rays beside rims: what is put between two places on a rim."""

from __future__ import annotations

import numpy as np
import pytest

from sbg_sim.geometry.pieces import segment
from sbg_sim.geometry.rims import Rims
from sbg_sim.solver.field.bands import Bands, _halved
from sbg_sim.solver.field.rays import polygons

FROM, TO = 0.5, 1.7


def halved(cost, slope):
    band = Bands(
        np.array([[0, 0]]),
        np.array([[FROM, TO]]),
        np.array([cost]),
        np.array([slope]),
        np.array([[True, False]]),
        np.array([False]),
    )
    return _halved(band, Rims([segment((0.0, 0.0), (2.0, 0.0))]))


@pytest.mark.parametrize("bend", [0.02, -0.02])
def test_in_the_middle_a_cubic_is_met(bend):
    """By costs and slopes at its ends a cubic is known: Hermite's interpolation."""
    cost = np.polynomial.Polynomial([1.0, 0.3, 0.1, bend])
    found = halved(*([each(FROM), each(TO)] for each in (cost, cost.deriv())))
    middle = (FROM + TO) / 2
    assert found.u.tolist() == [[FROM, pytest.approx(middle)], [pytest.approx(middle), TO]]
    assert found.cost[:, 1].tolist() == pytest.approx([cost(middle), cost(TO)])
    assert found.slope[:, 1].tolist() == pytest.approx([cost.deriv()(middle), cost.deriv()(TO)])
    assert found.slope[1, 0] == found.slope[0, 1]


@pytest.mark.parametrize("slope", [[0.1, 0.3], [0.3, 0.1]])
def test_where_costs_and_slopes_do_not_fit_the_mean_is_taken(slope):
    """Both ends cost the same, though the cost is said to rise at both: the cubic would fall in the middle."""
    found = halved([1.0, 1.0], slope)
    assert found.slope[:, 1].tolist() == pytest.approx([0.2, slope[1]])


def test_three_places_are_a_polygon_and_two_are_none():
    triangle = np.array([(0.0, 0.0), (2.0, 0.0), (0.0, 1.0)])
    found = polygons([triangle[:2], triangle, triangle[:1]])
    assert [one.area for one in found] == [1.0]
    assert len(polygons([triangle[:2]])) == 0
