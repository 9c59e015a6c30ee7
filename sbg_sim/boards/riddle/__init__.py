"""The Riddle of the Ring: a marker on a board of spaces, its roll, and the cards that help it on.

A module with the four functions of `sbg_sim.boards.Game`. Rule ids are R1 to R48.

Examples
--------
>>> from sbg_sim.boards import riddle
>>> state = riddle.start(riddle.standard(), "bree", 1)
>>> sorted(riddle.reachable(state))[:3]
['amon-sul', 'bree', 'chetwood']

"""

from sbg_sim.boards.riddle.board import Board, Border, Dot, Space
from sbg_sim.boards.riddle.legality import apply, explain, legal_moves
from sbg_sim.boards.riddle.options import Options
from sbg_sim.boards.riddle.reading import load_map, map_names, read_board, standard
from sbg_sim.boards.riddle.search import Plan, needed, plan, reachable
from sbg_sim.boards.riddle.state import EndTurn, Flight, Move, State, Step, begin_turn, start
from sbg_sim.boards.riddle.stops import stays_in_play
from sbg_sim.boards.riddle.terrain import RIVER_HEADS, Card, Kind, Way

__all__ = [
    "RIVER_HEADS",
    "Board",
    "Border",
    "Card",
    "Dot",
    "EndTurn",
    "Flight",
    "Kind",
    "Move",
    "Options",
    "Plan",
    "Space",
    "State",
    "Step",
    "Way",
    "apply",
    "begin_turn",
    "explain",
    "legal_moves",
    "load_map",
    "map_names",
    "needed",
    "plan",
    "reachable",
    "read_board",
    "standard",
    "start",
    "stays_in_play",
]
