"""The shape the games share: names, readings, expectations, perft."""

import pickle
from dataclasses import dataclass
from typing import Literal

import pytest

from sbg_sim.boards import IllegalMoveError, Reached, Violation, perft
from sbg_sim.boards.game import find_name, folded, meets, refuse, variants
from sbg_sim.boards.perft import divide
from sbg_sim.errors import UnknownNameError


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


@pytest.mark.parametrize("name", ["Barad-dûr", "barad dur", "BARAD_DUR", " Barad  du\u0302r "])
def test_names_are_compared_without_accents_case_and_marks(name):
    assert folded(name) == "barad dur"
    assert find_name(name, {"barad-dur": (), "dol-guldur": ("Hill of Sorcery",)}, "site") == "barad-dur"


def test_an_unknown_name_tells_what_is_close():
    names = {"bree": (), "edoras": ("Golden Hall",)}
    assert find_name("golden hall", names, "site") == "edoras"
    with pytest.raises(UnknownNameError, match=r"no site is called 'Brea'; close to it: bree"):
        find_name("Brea", names, "site")
    with pytest.raises(UnknownNameError, match=r"no site is called .qqq.$"):
        find_name("qqq", names, "site")


@dataclass(frozen=True)
class Readings:
    again: bool = False
    way: Literal["a", "b", "c"] = "b"
    most: int = 4


def test_variants_change_one_reading_at_a_time():
    assert dict(variants(Readings())) == {
        "again = true": Readings(again=True),
        'way = "a"': Readings(way="a"),
        'way = "c"': Readings(way="c"),
    }


@pytest.mark.parametrize(
    ("expect", "met"),
    [
        ("yes", True),
        ("no", False),
        (2, True),
        (3, False),
        (["a", "b"], True),
        (["b", "a"], False),
        ({"cost": 2, "rules": ["R1"]}, True),
        ({"cost": 2, "rules": ["R2"]}, False),
        ({"turns": 1}, False),
        ({"more": {"x": 1}}, True),
        ({"more": {"x": 2}}, False),
        (None, False),
    ],
)
def test_what_meets_an_expectation(expect, met):
    result = {"answer": "yes", "cost": 2, "route": ["a", "b"], "rules": ["R1"], "more": {"x": 1, "y": None}}
    assert meets(result, expect) is met


@pytest.mark.parametrize(("expect", "met"), [(2, True), (1, False), (["b", "a"], True), (["a"], False)])
def test_what_meets_an_expectation_about_a_reach(expect, met):
    assert meets({"answer": None, "reachable": {"a": 1, "b": 2}}, expect) is met
