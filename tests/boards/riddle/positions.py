"""What the tests of the Riddle ask of a state."""

from sbg_sim.boards import riddle
from sbg_sim.boards.riddle import Options


def rules(state, move):
    return {violation.rule for violation in riddle.explain(state, move)}


def costs(board, at, allowance, *cards, **options):
    state = riddle.start(board, at, allowance, cards, options=Options(**options))
    return {place: way.cost for place, way in riddle.reachable(state).items()}
