"""The shape the games share: moves, refusals, perft."""

import pickle

import pytest

from sbg_sim.boards import IllegalMoveError, Reached, Violation, lotr_tcg, metw, perft, riddle, war_of_the_ring
from sbg_sim.boards.game import refuse
from sbg_sim.boards.perft import divide
from sbg_sim.errors import SbgError, UnknownNameError


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


@pytest.mark.parametrize("thing", ["x", None, 5, ("travel",)])
def test_what_is_no_move_is_refused_and_never_legal(thing):
    games = (
        (metw, metw.new_game(metw.load_map())),
        (riddle, riddle.start(riddle.standard(), "bree", 2)),
        (war_of_the_ring, war_of_the_ring.State(war_of_the_ring.load_map())),
        (lotr_tcg, _adventure()),
    )
    for game, state in games:
        for ask in (game.explain, game.apply):
            with pytest.raises(SbgError, match="is no move; a move is a "):
                ask(state, thing)


def _adventure():
    sites = [site.id for site in lotr_tcg.standard_sites().values() if site.block is lotr_tcg.Block.SHADOWS]
    return lotr_tcg.start({"ann": sites[:9], "bob": sites[9:18]}, sites[0])


def test_kinds_of_moves_and_rolls_that_there_are_not():
    with pytest.raises(SbgError, match="'fly' is no way to move; there are stay, site-path, region, reveal, end-turn"):
        metw.Move("fly", "one-1", "Bree")
    with pytest.raises(SbgError, match="'jump' is no kind of move; there are begin, travel, enter, separate, end"):
        war_of_the_ring.Move("jump", ("strider",), "bree")
    for roll in (2.5, -1, "2"):
        with pytest.raises(ValueError, match="the allowance is a whole number, 0 or more"):
            riddle.start(riddle.standard(), "bree", roll)
    with pytest.raises(UnknownNameError, match="no region is called 'oz'"):
        war_of_the_ring.load_map().distance("oz", "bree")
