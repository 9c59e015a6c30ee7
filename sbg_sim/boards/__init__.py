"""Games on boards made of spaces: four games with one interface, none of which imports another.

Every game is a sub-package with the same four functions (`legal_moves`, `explain`, `apply`, `reachable`),
frozen states, moves and options, and a ``faces`` module that answers the questions of a scenario file.
"""

from sbg_sim.boards.game import Game, IllegalMoveError, Reached, Violation
from sbg_sim.boards.perft import perft

__all__ = ["Game", "IllegalMoveError", "Reached", "Violation", "perft"]
