"""War of the Ring: characters on the map, moved by Character die results or Event cards.

The rules are cited by the ids W1-W26; readings that the text leaves open are the fields of `Options`. Moves and fights
of Armies are not covered.
"""

from sbg_sim.boards.war_of_the_ring.chart import Character, Chart, Region
from sbg_sim.boards.war_of_the_ring.mapfile import load_map, map_names
from sbg_sim.boards.war_of_the_ring.options import Options
from sbg_sim.boards.war_of_the_ring.play import apply, explain, legal_moves, plan, reachable, ready
from sbg_sim.boards.war_of_the_ring.position import Means, Move, State
from sbg_sim.boards.war_of_the_ring.travel import stays

__all__ = [
    "Character",
    "Chart",
    "Means",
    "Move",
    "Options",
    "Region",
    "State",
    "apply",
    "explain",
    "legal_moves",
    "load_map",
    "map_names",
    "plan",
    "reachable",
    "ready",
    "stays",
]
