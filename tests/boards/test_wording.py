"""Words for answers."""

import pytest

from sbg_sim.boards import Violation
from sbg_sim.boards.wording import in_order, refused
from sbg_sim.scenario.games import words
from sbg_sim.wording import counted


def test_one_thing_and_several():
    assert [counted(n, "turn") for n in (0, 1, 2)] == ["0 turns", "1 turn", "2 turns"]


def test_rules_stand_by_their_numbers_each_once():
    assert in_order(["R10", "R9", "R10", "R2"]) == ["R2", "R9", "R10"]


def test_a_refusal_says_each_reason_once():
    twice = (Violation("W2", "it is so"), Violation("W1", "it is so"), Violation("W2", "and so"))
    assert refused(twice) == {"answer": "no", "rules": ["W2", "W1"], "reason": "it is so; and so."}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, ""),
        ([], ""),
        (0, "0"),
        (["a", "b"], "a, b"),
        ({"a": 0, "b": 2}, "a 0, b 2"),
        ([["a", "b"], ["b", "c"]], "a, b; b, c"),
        ({"answer": "no", "rules": ["M8"]}, "answer no, rules M8"),
        ([{"to": "h", "regions": []}, {"to": "s", "regions": ["a", "b"]}], "to h; to s, regions a b"),
        ({"k": {"site": "h", "to": None, "hidden": False}, "m": {"site": "s"}}, "k site h, hidden no; m site s"),
    ],
)
def test_parts_of_an_answer_in_a_line(value, said):
    assert words(value) == said
