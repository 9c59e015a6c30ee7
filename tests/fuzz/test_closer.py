"""Samples four times as close find nothing else, unless what looks between samples is left out."""

import pytest

from sbg_sim.solver.answer import ask
from sbg_sim.solver.path import best_path, type_search
from tests.fuzz import closer, judging
from tests.fuzz.kinds import make


@pytest.mark.parametrize(
    ("kind", "seed"),
    [
        ("hedges", 1),
        ("ditches", 2),
        ("mires", 3),
        ("squeezes", 179_620_025),  # round a corner that the walk no longer needed: 1e-3 in too dear
        ("riders", 179_640_178),  # a jump over what is just gone round, before a leap held to clear something: 8e-4
        ("ditches", 179_610_180),  # a climb down from a corner beside that of a path that was not sampled: 4e-6
        # Leaps as long as may be that just pass the corner of their gap, with bounds 0.009 and 0.03 apart.
        ("ditches", 179_610_015),
        ("ditches", 179_610_057),
    ],
)
def test_closer_samples_find_the_same(kind, seed):
    table, question = make(kind, seed, small=True)
    before, asked = best_path._look, closer.COUNT["answers"]
    assert closer.faults(table, question, seed) == []
    assert (best_path._look, closer.COUNT["answers"]) == (before, asked + 1)
    verdict = ask(table, question, alternatives=False)
    assert [*judging.bounds(verdict), *judging.witness(table, question, verdict)] == []


def test_what_samples_hide_is_told(monkeypatch):
    monkeypatch.setattr(type_search, "along_what_it_touches", lambda _mender, winner: winner)
    (fault,) = closer.faults(*make("squeezes", 179_620_108, small=True), 179_620_108)
    assert fault.startswith("closer: needs 3.581")


def test_samples_are_closer_by_so_much(monkeypatch):
    apart = []
    built = best_path.GraphBuilder

    def builder(around, goal, spacing, *more, **given):
        apart.append(spacing)
        return built(around, goal, spacing, *more, **given)

    monkeypatch.setattr(best_path, "GraphBuilder", builder)
    table, question = make("squeezes", 1, small=True)
    closer.faults(table, question, 1)
    assert {best_path.SPACING, best_path.SPACING / closer.TIMES} <= set(apart)
