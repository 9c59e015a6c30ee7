"""The shape the games share: moves, refusals, perft."""

import pickle

import pytest

from sbg_sim.boards import IllegalMoveError, Reached, Violation, perft
from sbg_sim.boards.game import refuse
from sbg_sim.boards.perft import divide


class Countdown:
    """Take one or two from a heap: the number of ways is a Fibonacci number."""

    def legal_moves(self, state, who=None):
        return tuple(take for take in (1, 2) if take <= state)

    def explain(self, state, move):
        return () if move in self.legal_moves(state) else (Violation("X1", "too many"),)

    def apply(self, state, move):
        refuse(self.explain(state, move))
        return state - move

    def reachable(self, state, who):
        return {str(state - move): Reached(move, (str(state), str(state - move))) for move in (1, 2)}


def test_perft_counts_sequences_of_exactly_this_length():
    game = Countdown()
    # from a large heap every move has two choices; from 3 after two moves: 1+1, 1+2, 2+1
    assert [perft(game, 100, depth) for depth in range(5)] == [1, 2, 4, 8, 16]
    assert [perft(game, 3, depth) for depth in range(5)] == [1, 2, 3, 1, 0]
    assert divide(game, 3, 2) == {1: 2, 2: 1}


def test_perft_refuses_a_depth_that_is_none():
    with pytest.raises(ValueError):
        perft(Countdown(), 3, -1)
    with pytest.raises(ValueError):
        divide(Countdown(), 3, 0)


def test_an_illegal_move_says_why_and_survives_pickling():
    with pytest.raises(IllegalMoveError, match="X1: too many") as caught:
        Countdown().apply(1, 2)
    assert pickle.loads(pickle.dumps(caught.value)).violations == caught.value.violations


def test_refuse_nothing():
    assert refuse(()) is None
