"""Moves played with dice: simulations of one move, sweeps over a parameter, goals that take several turns."""

from __future__ import annotations

from sbg_sim.simulate.campaign import Campaign, Campaigns, campaign, compare
from sbg_sim.simulate.plays import goal_of, play_of, route_play
from sbg_sim.simulate.simulation import DisagreementError, Simulation, simulate, simulate_verdict
from sbg_sim.simulate.sweep import Sweep, sweep
from sbg_sim.simulate.vary import ByKey, InARow, Shifted
from sbg_sim.simulate.ways import ways

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
