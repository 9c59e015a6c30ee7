"""Lines drawn at random come as near as a thousandth of an inch to what answers say, and find wrong ones out."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tests.fuzz import drawn
from tests.fuzz.kinds import make

CASES = [("ditches", 2), ("ditches", 3), ("gates", 10), ("lattices", 18), ("mires", 23), ("riders", 6), ("fights", 26)]


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_no_line_is_better_and_the_best_comes_near(kind, seed):
    drawn.COUNT.update(dict.fromkeys(drawn.COUNT, 0))
    assert drawn.faults(*make(kind, seed, small=True), seed) == []
    print(kind, seed, drawn.COUNT)
    assert drawn.COUNT["near"] == drawn.COUNT["answers"] == 1


@pytest.mark.parametrize(("kind", "seed"), CASES)
@pytest.mark.parametrize("dearer", [0.002, 0.5])
def test_an_answer_that_is_too_dear_is_found_out(monkeypatch, kind, seed, dearer):
    def dear(*asked, **how):
        verdict = truth(*asked, **how)
        needed = verdict.needed + dearer
        no = {"answer": "no", "chance": Fraction(0)} if needed > verdict.allowance else {}
        return replace(verdict, needed=needed, at_least=needed - 1e-9, **no)

    truth = drawn.ask
    monkeypatch.setattr(drawn, "ask", dear)
    assert [fault.partition(":")[0] for fault in drawn.faults(*make(kind, seed, small=True), seed)] == ["route"]
