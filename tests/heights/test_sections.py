"""Walls put together from sections: where they stand against each other they are crossed as one (TER.4)."""

import pytest

from sbg_sim.geometry.shapes import line, polygon
from sbg_sim.table.joining import joined
from sbg_sim.table.terrain import Terrain
from tests.heights.stage import PASS, POLISHED, SIX, box, charge, move, mover, other, piece, table


def section(name, *corners, tags="obstacle", height=1.0, **given):
    return piece(name, tags, box(*corners), height=height, **given)


def two(**given):
    """A wall along x = 6 whose sections meet at y = 12."""
    return section("one", 6, 4, 6.4, 12, **given), section("two", 6, 12, 6.4, 20, **given)


@pytest.mark.parametrize(("to", "chance", "needed"), [((6.9, 12), PASS, 2.9), ((8, 12), SIX, 4.0)])
def test_straight_over_where_two_sections_meet(to, chance, needed):
    found = move(table(mover(4, 12), *two()), to)
    assert (found.chance, found.needed) == (chance, pytest.approx(needed, abs=POLISHED))


def test_climbed_over_where_two_sections_meet():
    found = move(table(mover(5.5, 12, move=8.0), *two(height=2.0), climb_over="over"), (6.9, 12))
    assert (found.chance, found.needed) == (PASS, pytest.approx(4, abs=POLISHED))


def test_ends_cut_aslant_meet_along_more_than_the_thickness():
    """A corner of two arms, each cut at 45 degrees."""
    lower = polygon([(6, 4), (6.4, 4), (6.4, 12), (6, 12.4)])
    upper = polygon([(6.4, 12), (12, 12), (12, 12.4), (6, 12.4)])
    arms = (piece(name, "obstacle", shape, height=1.0) for name, shape in (("one", lower), ("two", upper)))
    assert set(joined(table(mover(4, 12), *arms)).terrain) == {"one"}


@pytest.mark.parametrize("x", [6.4, 6.39])
def test_rows_one_behind_the_other_stay_two(x):
    """Over both at once there is no jump: the base would land on the second."""
    rows = section("front", 6, 4, 6.4, 20), section("back", x, 4, x + 0.4, 20)
    assert len(joined(table(mover(4, 12), *rows)).terrain) == 2
    assert move(table(mover(4, 12), *rows), (x + 0.9, 12)).needed is None


def test_across_both_sections_at_who_leans_on_them():
    found = charge(table(mover(4, 12), *two(), other("foe", 6.9, 12)), "foe")
    assert (found.answer, found.needed) == ("yes", pytest.approx(1.5, abs=POLISHED))


@pytest.mark.parametrize("to", [(6.9, 9.0), (8.0, 13.2), (9.0, 11.0), (7.5, 7.0)])
def test_two_arms_are_crossed_as_the_same_hedge_in_one_piece(to):
    arms = section("one", 6, 4, 6.4, 12.4), section("two", 6, 12, 12, 12.4)
    whole = piece(
        "one", "obstacle", polygon([(6, 4), (6.4, 4), (6.4, 12), (12, 12), (12, 12.4), (6, 12.4)]), height=1.0
    )
    found, known = (move(table(mover(4, 11, move=9.0), *things), to) for things in (arms, (whole,)))
    assert found.chance == known.chance
    assert found.needed == pytest.approx(known.needed, abs=POLISHED)


def test_into_a_pen_of_four_walls():
    walls = [(6, 10, 6.4, 14), (6.4, 10, 10, 10.4), (6.4, 13.6, 10, 14), (9.6, 10.4, 10, 13.6)]
    pen = [section(f"wall-{n}", *corners) for n, corners in enumerate(walls)]
    assert len(joined(table(mover(4, 12), *pen)).terrain) == 1
    found = move(table(mover(4, 12), *pen), (6.9, 12))
    assert (found.chance, found.needed) == (PASS, pytest.approx(2.9, abs=POLISHED))


@pytest.mark.parametrize(
    "second",
    [{"height": 1.2}, {"tags": "obstacle unscalable"}, {"lets_through": frozenset({"m"})}, {"on": "deck"}],
)
def test_what_is_not_alike_stays_apart(second):
    deck = piece("deck", "platform", box(30, 30, 34, 34), height=1.0)
    sections = section("one", 6, 4, 6.4, 12), section("two", 6, 12, 6.4, 20, **second)
    assert set(joined(table(mover(4, 12), *sections, deck)).terrain) == {"one", "two", "deck"}


def test_what_only_touches_in_a_corner_stays_apart():
    sections = section("one", 6, 4, 6.4, 12), section("two", 6.4, 12, 6.8, 20)
    assert len(joined(table(mover(4, 12), *sections)).terrain) == 2


@pytest.mark.parametrize(("tags", "size"), [("obstacle", {"height": 1.0}), ("gap", {"depth": 2.0}), ("gap", {})])
@pytest.mark.parametrize("shape", [box(6, 4, 6.4, 20), line([(6.2, 4), (6.2, 20)], 0.4)], ids=["box", "line"])
def test_a_piece_that_is_there_twice_is_one(tags, size, shape):
    """By any name: a hedge copied into a file once too often is jumped as the one hedge that it is."""
    once, again = (piece(name, tags, shape, **size) for name in ("hedge", "twin"))
    found = move(table(mover(4, 12), once, again), (8, 12))
    assert (found.chance, found.needed) == (SIX, pytest.approx(4.0, abs=POLISHED))
    assert set(joined(table(mover(4, 12), once, again)).terrain) == {"hedge"}


def test_what_lies_on_a_copy_lies_on_the_one():
    """A top that is a thick line, with a bog and a model on its copy, and a ladder that leads there."""
    shape = line([(8, 4), (8, 20)], 3.0)
    deck, copy = (piece(name, "platform", shape, height=1.0) for name in ("deck", "copy"))
    bog = piece("bog", "difficult", box(7, 13, 9, 15), on="copy")
    ladder = Terrain("ladder", frozenset({"ladder"}), at=(6.5, 12), to="copy")
    at = joined(table(mover(8, 10, on="copy"), deck, copy, bog, ladder))
    assert set(at.terrain) == {"deck", "bog", "ladder"}
    assert (at.model("m").on, at.piece("bog").on, at.piece("ladder").to) == ("deck", "deck", "deck")
    # 1.5 in to the bog, as touched by the base, the rest at twice its length.
    assert move(at, (8, 14), on="deck").needed == pytest.approx(2.5 + 2 * 1.5, abs=POLISHED)
