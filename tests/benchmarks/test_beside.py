"""The ways of others find our lengths, as near as polygons stand for circles; nothing about time."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from tests.benchmarks.beside import OTHERS, free_space, goals, open_ground, ours
from tests.benchmarks.growth import far_away
from tests.benchmarks.lists import questions


@pytest.fixture(scope="module")
def ground():
    table = open_ground(5, 4, 2, 12.0)
    space = free_space(table)
    ends = goals(table, space, 4)[:4]
    return table.model("me").at, space, ends, ours(table, ends)


@pytest.mark.parametrize("name", OTHERS)
def test_others_find_the_same_lengths(ground, name):
    library, work = OTHERS[name]
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    start, space, ends, exact = ground
    found = work(space, start, ends)
    # Polygons lie inside the circles they stand for: their ways are a little shorter, or as long.
    assert np.all(found <= exact + 1e-4)
    assert found == pytest.approx(exact, abs=0.005)
    assert np.all(exact > np.hypot(*(np.array(ends) - start).T) + 1e-6)


def test_a_shore_of_very_many_corners_lies_beyond_every_way():
    table = far_away()
    assert table.terrain["far"].shape.bounds[0] > 200
    assert len(table.terrain["far"].shape.to_shapely().exterior.coords) > 100_000


def test_questions_are_of_the_table_and_as_many_as_wanted():
    table = open_ground(3, 8, 4, 16.0)
    found = list(questions(table, 7, np.random.default_rng(0)))
    assert len(found) == 7
    assert all(q.model in table.models for q in found)
