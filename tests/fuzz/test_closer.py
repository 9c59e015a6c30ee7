"""Samples four times as close find nothing else, unless what looks between samples is left out."""

import pytest

from sbg_sim.solver.path import best_path, type_search
from tests.fuzz import closer
from tests.fuzz.kinds import make


@pytest.mark.parametrize(("kind", "seed"), [("squeezes", 179_620_025), ("hedges", 1), ("ditches", 2), ("mires", 3)])
def test_closer_samples_find_the_same(kind, seed):
    before, asked = best_path._look, closer.COUNT["answers"]
    assert closer.faults(*make(kind, seed, small=True), seed) == []
    assert (best_path._look, closer.COUNT["answers"]) == (before, asked + 1)


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
