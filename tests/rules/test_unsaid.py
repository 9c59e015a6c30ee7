"""Rules where the table says too little, or has more of something than can be listed."""

import math
from dataclasses import replace

import pytest

from sbg_sim.errors import QuestionError
from sbg_sim.geometry.shapes import circle, line, polygon
from sbg_sim.phase.turn import Melee
from sbg_sim.rules import pairing
from sbg_sim.rules.backing import trap
from sbg_sim.rules.contact import touchable
from sbg_sim.rules.ground import least_width
from sbg_sim.rules.pairing import fights
from sbg_sim.rules.sight import standing_height
from sbg_sim.table.board import Table
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.models import Model
from sbg_sim.table.terrain import Terrain
from tests.phase.tables import box, man, table


def crowd(good, evil):
    """Every one of some models touches every one of others."""
    names = [f"g{i}" for i in range(good)], [f"e{i}" for i in range(evil)]
    models = {
        name: Model(name, (3.0 * i, 1.0 + 3 * k), 1.0, side=("good", "evil")[k], engaged=frozenset(names[1 - k]))
        for k in (0, 1)
        for i, name in enumerate(names[k])
    }
    return Table(100, 100, models=FrozenMap(models))


@pytest.mark.parametrize(("height", "wall", "trapped"), [(1.5, 0.5, False), (1.5, None, True), (None, 0.5, True)])
def test_a_wall_of_unknown_height_is_not_stepped_over(height, wall, trapped):
    """Foes on three sides, a wall half an inch behind: a third of one's height is stepped over."""
    behind = box("wall", 0, 10.0, 24, 11.0, "obstacle", height=wall)
    foes = [man(name, at, "evil") for name, at in {"e": (13, 12), "w": (11, 12), "n": (12, 13)}.items()]
    here = table(man("frodo", (12, 12), height=height), *foes, terrain=[behind])
    found = trap(here, "frodo", ["e", "w", "n"])
    assert found.trapped == trapped
    if not trapped:
        assert str(found) == "frodo can back away"


def test_a_round_rock_bars_as_many_directions_as_its_tangents_say():
    """The inch leads into the rock where it comes within r of it: at 1.2 in between middles, up to the tangents."""
    rock = Terrain("rock", frozenset({"unscalable"}), circle((12, 13.2), 0.4))
    found = trap(table(man("frodo", (12, 12)), man("foe", (12, 11), "evil"), terrain=[rock]), "frodo", ["foe"])
    half = math.asin((0.4 + 0.5) / 1.2)  # the tangent, 0.79 in long, is shorter than the inch
    assert [b - a for a, b in found.ways] == pytest.approx(
        [math.pi / 2 - half] * 2, abs=1e-5
    )  # a hair narrower: touching is allowed


@pytest.mark.parametrize(("reading", "rise", "met"), [("yes", 0.75, True), ("yes", 0.76, False), ("no", 0.75, False)])
def test_contact_with_who_stands_higher(reading, rise, met):
    """Bases of an inch meet over half the mover's height of 1.5 in at most, by one reading; else on one level only."""
    step = box("step", 12.5, 8, 16, 16, "platform", height=rise)
    foe = man("foe", (13, 12), "evil", on="step")
    here = table(man("frodo", (10, 12)), foe, terrain=[step], rulings={"contact_across_heights": reading})
    found = [(other.id, apart) for other, apart in touchable(here, here.model("frodo"), None, [foe])]
    assert found == ([("foe", pytest.approx(1.0))] if met else [])


@pytest.mark.parametrize(
    ("shape", "width"),
    [
        (line([(0, 0), (4, 3)], thickness=0.5), 0.5),
        (circle((3, 3), 2), 4.0),
        (polygon([(0, 0), (4, 0), (4, 3)]), 4 * 3 / 5),  # the height over its longest side
        (polygon([(0, 0), (5, 0), (5, 2), (0, 2)]), 2.0),
    ],
)
def test_the_narrowest_width_of_a_gap(shape, width):
    assert least_width(shape) == pytest.approx(width)


def test_platforms_that_stand_on_each_other():
    one = box("one", 0, 0, 4, 4, "platform", height=1.0, on="two")
    other = box("two", 0, 0, 4, 4, "platform", height=1.0, on="one")
    here = table(terrain=[one, other])
    with pytest.raises(QuestionError, match="one stands on two stands on one"):
        standing_height(here, one)
    assert standing_height(table(terrain=[replace(other, on=None), one]), one) == pytest.approx(1.0)


def test_more_pairings_than_can_be_listed(monkeypatch):
    """Two against three, all touching: one of the two has one foe and the other two, in 2 * 3 = 6 ways."""
    pair = fights(crowd(2, 3))
    alone = set(pair.pairings)
    assert pair.count == len(alone) == 6
    monkeypatch.setattr(pairing, "MOST_PAIRINGS", 6)
    assert fights(crowd(2, 3)).count == 6
    monkeypatch.setattr(pairing, "MOST_PAIRINGS", 5)
    with pytest.raises(QuestionError, match="6 pairings off, too many to list"):
        _ = replace(pair).pairings
    with pytest.raises(QuestionError, match="more than 5 ways"):
        fights(crowd(2, 3))


def test_the_pairing_that_was_chosen_is_shown():
    here = crowd(1, 1)
    assert Melee(here, fights(here)).shown == fights(here).pairings[0]
    there = crowd(2, 3)
    several = fights(there)
    last = several.pairings[-1]
    chosen = tuple(tuple(sorted((*fight.good, *fight.evil))) for fight in last)
    assert Melee(there, several, chosen).shown == last
