"""Landings of last ways over that may cost more than is left, drawn as lines."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from sbg_sim.solver.field import landings

BEGIN = np.array([[0.0, 0.0], [0.1, 0.0], [0.2, 0.0], [0.4, 0.0]])
FAR = 2 * np.diff(BEGIN[:, 0]) + landings._STEP  # twice as far as they begin apart, and a step
HAIR = 1e-6


def lines(monkeypatch, *, cost=1.0, limit=5.5, most=2.0, beyond=-HAIR, pieces=(0, 0, 0, 0)):
    land = np.append(0.0, np.cumsum(np.add(FAR, [-HAIR, -HAIR, beyond])))
    landed = np.column_stack([land, np.ones(4)])
    monkeypatch.setattr(landings, "_straight_over", lambda _, p: (landed, np.full(len(p), cost)))
    pieces, known = np.array(pieces), shapely.Polygon()
    found = landings._opposite(None, BEGIN, np.full(4, 5.0), pieces, limit, most, known)
    return [line.length for line in found]


def test_landings_far_apart_are_no_line(monkeypatch):
    assert lines(monkeypatch) == pytest.approx(FAR - HAIR)
    assert lines(monkeypatch, beyond=HAIR) == pytest.approx(FAR[:2] - HAIR)


def test_no_line_leads_from_a_piece_of_a_rim_to_the_next(monkeypatch):
    assert lines(monkeypatch, pieces=(0, 0, 1, 1)) == pytest.approx(FAR[[0, 2]] - HAIR)


def test_what_costs_more_than_it_may_alone_or_no_more_than_is_left_is_no_late_landing(monkeypatch):
    assert len(lines(monkeypatch, cost=2.0)) == 3
    assert lines(monkeypatch, cost=2.001) == []
    assert lines(monkeypatch, limit=6.0) == []
