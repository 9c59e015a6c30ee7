"""Who jumps over a prone enemy is put down apart from it (PRN.5): so it is not charged."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sbg_sim as sbg

MM = 1 / 25.4
TOP = sbg.polygon([(9.866761, 15.196554), (9.730397, 13.201208), (10.869251, 13.123377), (11.005616, 15.118723)])
BOG = sbg.polygon([(5.714022, 12.232939), (7.584426, 11.948538), (7.731723, 12.917255), (5.861319, 13.201656)])


def beside_a_low_top(move: float) -> sbg.Table:
    """Where it comes to touch the prone model first it is half over a top that it may not end on."""
    models = {
        "rider": {"at": [10, 10], "base": 60 * MM, "height": 3, "move": move, "side": "good", "keywords": ["cavalry"]},
        "friend": {"at": [8.474276, 13.620113], "base": 25 * MM, "height": 1.5, "move": 6, "side": "good"},
        "lies": {"at": [9.066759, 14.863377], "base": 32 * MM, "height": 1.5, "move": 6, "side": "evil", "prone": True},
    }
    top = sbg.Terrain("top", frozenset({"platform"}), TOP, height=0.99)
    bog = sbg.Terrain("bog", frozenset({"difficult"}), BOG)
    return sbg.Table(20, 20, models=models, terrain=[top, bog])


def round_it() -> float:
    """A tangent to where it touches the prone model, and along that until it is off the long side of the top."""
    me, lies, radius, touches = np.array([10.0, 10.0]), np.array([9.066759, 14.863377]), 30 * MM, 46 * MM
    a, b = np.array([9.866761, 15.196554]), np.array([11.005616, 15.118723])
    along = (b - a) / np.hypot(*(b - a))
    beside = a + radius * np.array([-along[1], along[0]])  # a base whose centre is on this line just touches that side
    foot = beside + along * ((lies - beside) @ along)
    end = foot + along * math.sqrt(touches**2 - math.dist(foot, lies) ** 2)
    apart = math.dist(me, lies)
    turn = math.atan2(*(end - lies)[::-1]) - math.atan2(*(me - lies)[::-1]) - math.acos(touches / apart)
    return math.sqrt(apart**2 - touches**2) + touches * turn


@pytest.mark.parametrize(("move", "answer"), [(6.5, "no"), (6.8, "yes")])
def test_a_jump_over_whom_it_charges_is_no_charge(move, answer):
    """A jump over it would cost 6.37 in and come down in contact; round it costs 6.72 in and takes no die."""
    table = beside_a_low_top(move)
    charge = sbg.Charge("rider", "lies")
    found = sbg.check(table, charge)
    assert (found.answer, found.chance) == (answer, int(answer == "yes"))
    assert found.needed == pytest.approx(round_it(), abs=1e-6)
    assert [leg.test for leg in found.route.legs if leg.test is not None] == []
    assert sbg.simulate(table, charge, trials=50).successes == (50 if answer == "yes" else 0)
