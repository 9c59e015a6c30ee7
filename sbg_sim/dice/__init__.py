"""Dice without geometry: exact distributions, plays simulated with random dice, and numbers of turns to a goal."""

from sbg_sim.dice.chain import Chain, ChainCounts, TurnTable, explore
from sbg_sim.dice.distribution import Distribution
from sbg_sim.dice.executors import WorkersDiedError, in_order, processes
from sbg_sim.dice.interval import wilson
from sbg_sim.dice.montecarlo import PlayOut, play_out
from sbg_sim.dice.play import (
    End,
    Go,
    Play,
    Stage,
    best,
    distribution,
    hits,
    inches_used,
    places,
    prone,
    success_chance,
)

__all__ = [
    "Chain",
    "ChainCounts",
    "Distribution",
    "End",
    "Go",
    "Play",
    "PlayOut",
    "Stage",
    "TurnTable",
    "WorkersDiedError",
    "best",
    "distribution",
    "explore",
    "hits",
    "in_order",
    "inches_used",
    "places",
    "play_out",
    "processes",
    "prone",
    "success_chance",
    "wilson",
]
