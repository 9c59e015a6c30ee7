"""The Move phase played: states, records, replays, reinforcements, and the order of moves."""

from sbg_sim.phase.canon import canonical, fingerprint
from sbg_sim.phase.judging import Judged
from sbg_sim.phase.replaying import Replay, replay
from sbg_sim.phase.state import IllegalMoveError, Phase
from sbg_sim.phase.steps import Step

__all__ = ["IllegalMoveError", "Judged", "Phase", "Replay", "Step", "canonical", "fingerprint", "replay"]
