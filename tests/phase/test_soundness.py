"""The checks of random play see what they are to see."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from sbg_sim.geometry.shapes import circle
from sbg_sim.phase import Phase
from sbg_sim.table.record import MoveRecord
from sbg_sim.table.route import Leg, Route
from sbg_sim.table.terrain import Terrain
from tests.phase.soundness import unfair, unsound
from tests.phase.tables import box, man, table

SAM, ORC = man("sam", (5, 5)), man("orc", (12, 12), "evil")
WALL = box("wall", 3, 8, 9, 8.5, "unscalable")


@pytest.mark.parametrize(
    ("models", "word"),
    [
        ((SAM, man("bill", (5.9999, 5))), "overlaps"),
        ((SAM, man("orc", (6, 5), "evil")), "not engaged"),
        ((replace(SAM, engaged=frozenset({"orc"})), ORC), "only one"),
        ((replace(SAM, engaged=frozenset({"orc"})), replace(ORC, engaged=frozenset({"sam"}))), "apart"),
        ((man("sam", (0.4999, 5)),), "off the table"),
        ((man("sam", (5, 7.5001)),), "inside wall"),
        ((man("sam", (14, 4.4999), on="hill"),), "sticks out"),
        ((man("sam", (14, 9)),), "inside chasm"),
    ],
)
def test_unsound_tables_are_seen(models: tuple, word: str):
    terrain = [WALL, box("hill", 12, 4, 16, 6, "platform", height=1.0), box("chasm", 12, 8, 16, 10, "gap", depth=2.0)]
    assert any(word in wrong for wrong in unsound(table(*models, terrain=terrain)))


def test_sound_tables_are_not_complained_of():
    terrain = [WALL, box("hill", 12, 4, 16, 6, "platform", height=1.0)]
    fighting = replace(SAM, engaged=frozenset({"orc"})), man("orc", (6, 5), "evil", engaged=frozenset({"sam"}))
    assert unsound(table(*fighting, man("up", (14, 5), on="hill"), man("by", (5, 7.5)), terrain=terrain)) == []


@pytest.mark.parametrize(
    ("way", "word"),
    [
        ([(5, 5), (5, 11)], "through wall"),
        ([(5, 5), (10.5, 5), (10.5, 6)], "used 6.5"),
        ([(5, 5), (8, 5)], "through bill"),
        ([(5, 5), (5, 0.4)], "beyond the edge"),
        ([(5, 5), (1, 5)], "doubled"),
        ([(5, 5), (5, 6.5), (10.5, 6.5), (11, 10.5)], "comes within"),
    ],
)
def test_unfair_moves_are_seen(way: list, word: str):
    bog = Terrain("bog", frozenset({"difficult"}), circle((2, 5), 1.0))
    before = table(SAM, man("bill", (7, 4.5)), ORC, terrain=[WALL, bog])
    step = Phase.begin(before, "good").push(MoveRecord("sam", to=(5, 5.5))).steps[-1]
    assert unfair(before, step) == []
    legs = [Leg("straight", a, b, abs(a[0] - b[0]) + abs(a[1] - b[1])) for a, b in itertools.pairwise(way)]
    drawn = replace(step, route=Route(tuple(legs)), used=sum(leg.cost for leg in legs), at=way[-1])
    assert any(word in wrong for wrong in unfair(before, drawn))
