"""Nodes on rings are strung in the order of travel, and the cost of coming to them is that of the way round."""

import math

import numpy as np
import pytest

from sbg_sim.solver.space.rings import Ring, RingArcs, make_runs


def ring(angles, opened=None, inner=None, weight=None, rho=2.0):
    m = len(angles)
    return Ring(
        (0.0, 0.0),
        rho,
        0,
        np.array(angles),
        np.array([[True] * m if opened is None else opened, [False] * m]),
        np.ones(m) if weight is None else np.array(weight),
        np.zeros(m, dtype=np.int64) if inner is None else np.array(inner),
        np.zeros((2, m), dtype=bool),
        np.zeros(0),
    )


def strung(one, theta, turn):
    n = len(theta)
    ids, reached, run, *_ = make_runs(
        RingArcs([one]),
        np.arange(n),
        np.zeros(n, dtype=np.int64),
        np.full(n, turn),
        np.array(theta),
        np.zeros(n, dtype=bool),
    )
    return ids.tolist(), reached.tolist(), run.tolist()


@pytest.mark.parametrize("turn", [1, -1])
def test_the_end_of_the_last_arc_is_a_whole_turn_on(turn):
    # All round is open, but the zone left behind at angle 0 cannot be entered again: the run begins and ends there.
    end = math.nextafter(math.tau, 0.0) if turn > 0 else 0.0
    gate = ring([0.0, math.pi], inner=[1, 0] if turn > 0 else [0, 1])
    ids, reached, run = strung(gate, [end, math.pi / 2], turn)
    assert ids == [1, 0]
    assert len(set(run)) == 1
    quarter = 2.0 * math.pi / 2
    assert reached[1] - reached[0] == pytest.approx(3 * quarter if turn > 0 else quarter)


@pytest.mark.parametrize("turn", [1, -1])
def test_a_closed_ring_is_strung_twice_round(turn):
    ids, reached, run = strung(ring([0.0]), [1.0, 2.5], turn)
    assert ids == ([0, 1, 0, 1] if turn > 0 else [1, 0, 1, 0])
    gap = 2.0 * 1.5
    assert np.diff(reached) == pytest.approx([gap, 2.0 * math.tau - gap, gap])
    assert run == [0] * 4


def test_weights_count_and_closed_arcs_part_the_runs():
    three = ring([0.0, 1.0, 2.0, 3.0], opened=[True, True, False, True], weight=[1.0, 2.0, 1.0, 1.0])
    ids, reached, run = strung(three, [0.5, 1.5, 2.5, 4.0], 1)
    # From the closed arc on: the arc at 3, then those at 0 and 1, the last of double weight.
    assert ids == [3, 0, 1]
    assert np.diff(reached) == pytest.approx([2.0 * (math.tau - 4.0 + 0.5), 2.0 * (0.5 + 2 * 0.5)])
    assert run == [0, 0, 0]
