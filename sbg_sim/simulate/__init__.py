"""Moves played with dice: one move many times, sweeps over a parameter, goals that take several turns.

The room can be called: ``sbg_sim.simulate`` is this module as soon as it is loaded, and
``sbg_sim.simulate(table, ...)`` plays before and after.
"""

from __future__ import annotations

import sys
import types
from typing import Any

from sbg_sim.simulate.campaign import Campaign, Campaigns, campaign, compare, ways
from sbg_sim.simulate.plays import goal_of, play_of, route_play
from sbg_sim.simulate.simulation import DisagreementError, Simulation, simulate, simulate_verdict
from sbg_sim.simulate.sweep import Sweep, sweep
from sbg_sim.simulate.vary import ByKey, InARow, Shifted

__all__ = [
    "ByKey",
    "Campaign",
    "Campaigns",
    "DisagreementError",
    "InARow",
    "Shifted",
    "Simulation",
    "Sweep",
    "campaign",
    "compare",
    "goal_of",
    "play_of",
    "route_play",
    "simulate",
    "simulate_verdict",
    "sweep",
    "ways",
]


class _Room(types.ModuleType):
    """A module that plays when it is called, since it stands where the package's own ``simulate`` stands."""

    def __call__(self, *args: Any, **options: Any) -> Simulation:
        return simulate(*args, **options)


sys.modules[__name__].__class__ = _Room
