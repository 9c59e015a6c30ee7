"""The threats of a whole side next turn: the ground it can cover, safe ground for a model, and screens."""

from sbg_sim.threats.level import Danger, SafeLevel
from sbg_sim.threats.safety import SafeGround, safe
from sbg_sim.threats.screens import Screen, screen
from sbg_sim.threats.sides import Charger, Target, Threat, Threats, threats

__all__ = [
    "Charger",
    "Danger",
    "SafeGround",
    "SafeLevel",
    "Screen",
    "Target",
    "Threat",
    "Threats",
    "safe",
    "screen",
    "threats",
]
