"""The Move phase as it is played: states, turns, records, replays, reinforcements, and the order of moves."""

from sbg_sim.phase.canonical import canonical, fingerprint
from sbg_sim.phase.record import Replay, replay
from sbg_sim.phase.state import Phase
from sbg_sim.phase.turn import Judged, Melee, Step, Turn
from sbg_sim.phase.turn_taking import IllegalMoveError

__all__ = [
    "IllegalMoveError",
    "Judged",
    "Melee",
    "Phase",
    "Replay",
    "Step",
    "Turn",
    "canonical",
    "fingerprint",
    "replay",
]
