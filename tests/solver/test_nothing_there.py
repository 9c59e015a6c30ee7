"""Questions about what is not there: no height, no way, no place, no rim, nobody who may move."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.errors import QuestionError
from sbg_sim.geometry.pieces import segment
from sbg_sim.geometry.shapes import polygon
from sbg_sim.solver.arcs import comes_to, contact_costs
from sbg_sim.solver.bounds import contact_bounds
from sbg_sim.solver.path.jumped import longest_jump
from sbg_sim.solver.space.rim_pairs import _opposite, over_face
from sbg_sim.table.obstacles import _sides
from tests.phase.tables import box, man, table

ME, FOE = man("me", (6, 12)), man("foe", (10, 12), "evil")


def hidden_by_one_reading(**foe):
    """By this ruling no base hides anybody; by the other a tall friend amid the two does, if height there is."""
    models = man("me", (4, 12), move=9), man("by", (7, 12), height=9), man("foe", (12, 12), "evil", **foe)
    return table(*models, rulings={"models_block_sight": "no"})


@pytest.mark.parametrize("asked", [sbg.Sight("me", "foe"), sbg.Charge("me", "foe")])
def test_a_reading_under_which_a_height_is_missing_spoils_no_answer(asked):
    found = sbg.check(hidden_by_one_reading(height=None), asked)
    assert (found.answer, found.rulings) == ("yes", ())
    assert sbg.check(hidden_by_one_reading(), asked).rulings == ("models_block_sight = yes",)


def test_nothing_is_measured_from_a_thing_to_itself():
    with pytest.raises(QuestionError, match="a measure runs between two things, not from me to itself"):
        sbg.check(table(ME, FOE), sbg.Measure("me", "me"))


def test_who_may_not_move_comes_into_no_contact():
    contact = np.array([[9.0, 12.0]])
    free, held = table(ME, FOE), table(man("me", (6, 12), engaged=frozenset({"foe"})), FOE)
    assert comes_to(free, free.model("me"), free.model("foe"), contact)
    assert not comes_to(held, held.model("me"), held.model("foe"), contact)
    assert contact_costs(held, held.model("me"), held.model("foe")) == []


def test_into_a_gap_of_which_nobody_knows_how_deep_it_is_no_contact_leads():
    """A file may not put anybody there; a table made of values may."""
    contact = np.array([[9.5, 12.0]])
    pit = box("pit", 9, 10, 13, 14, "gap")
    there = table(ME, man("foe", (10.5, 12), "evil", on="pit"), terrain=[pit])
    assert not comes_to(there, there.model("me"), there.model("foe"), contact)
    assert contact_costs(there, there.model("me"), there.model("foe")) == []


@pytest.mark.parametrize(("half", "told"), [(1.0, []), (0.0, ["foe"])])
def test_of_who_stands_in_a_rock_nothing_is_bounded(half, told):
    """Where the mover cannot stand no way begins; of whom it has no bound the list says nothing."""
    rock = box("rock", 6 - half, 12 - half, 6 + half, 12 + half, "unscalable") if half else box("r", 1, 1, 2, 2, "gap")
    there = table(ME, FOE, terrain=[rock])
    assert list(contact_bounds(there, there.model("me"), [there.model("foe")], 10.0)) == told


def test_a_level_out_of_range_is_come_to_at_no_cost():
    deck = box("deck", 20, 20, 23, 23, "platform", height=1.0)
    found = sbg.reach(table(man("me", (3, 3)), terrain=[deck]), "me")
    assert found.distance_on("deck", [[21, 21], [22, 22]]).tolist() == [math.inf, math.inf]


def test_who_has_no_height_jumps_over_nothing_but_who_lies():
    """A wall 0.4 in thick is jumped by who is as high; the longest jump spans it, and both radii."""
    wall = box("wall", 8, 11, 8.4, 13, "obstacle", height=1.0)
    tall, unsaid = (man("me", (6, 12), height=height) for height in (1.5, None))
    assert longest_jump(table(tall, terrain=[wall]), tall, 6.0) > 1.4
    assert longest_jump(table(unsaid, terrain=[wall]), unsaid, 6.0) == 0
    low = man("low", (8, 12), prone=True)
    assert longest_jump(table(unsaid, low, terrain=[wall]), unsaid, 6.0) > 2


def test_of_no_rim_nothing_lies_over_or_opposite_anything():
    face, rim = polygon([(0, 0), (2, 0), (2, 1), (0, 1)]), [segment((0, 0), (1, 0))]
    assert over_face((), face) == ()
    assert [piece.length for piece in over_face(rim, face)] == [1.0]
    across = segment((0, 1), (1, 1))
    assert _opposite(rim, [], [across]) == ()
    assert [piece.length for piece in _opposite(rim, [across], [across])] == [1.0]


@pytest.mark.parametrize(
    ("area", "sides"),
    [
        (shapely.box(0, 0, 2, 1), (1.0, 2.0)),
        (shapely.LineString([(0, 0), (1, 1)]), (0.0, 0.0)),
        (shapely.Point(1, 1), (0.0, 0.0)),
    ],
)
def test_what_only_touches_has_no_sides(area, sides):
    assert _sides(area) == pytest.approx(sides)
