"""The way back costs as much as the way there, and where an answer says otherwise it is found out."""

from dataclasses import replace

import pytest

from tests.fuzz import related
from tests.fuzz.kinds import make


@pytest.mark.parametrize(
    ("kind", "seed"), [("hedges", 186000102), ("hedges", 186001532), ("ditches", 3), ("lattices", 7), ("mires", 1)]
)
def test_the_way_back_costs_as_much(kind, seed):
    before = related.COUNT["back"]
    assert list(related.there_and_back(*make(kind, seed, small=True))) == []
    assert related.COUNT["back"] == before + 1


def test_a_way_back_that_is_told_too_dear_is_found_out(monkeypatch):
    def dear(table, question, **how):
        verdict = truth(table, question, **how)
        return replace(verdict, needed=verdict.needed + 1e-5 * (table.model("me").at != start))

    table, question = make("hedges", 186000102, small=True)
    truth, start = related.ask, table.model("me").at
    monkeypatch.setattr(related, "ask", dear)
    assert [fault.partition(":")[0] for fault in related.there_and_back(table, question)] == ["back"]


def test_nobody_goes_back_from_beyond_the_table():
    """A base of 60 mm is asked to a place nine tenths of an inch from the edge."""
    before = related.COUNT["back"]
    assert list(related.there_and_back(*make("riders", 189500123))) == []
    assert related.COUNT["back"] == before
