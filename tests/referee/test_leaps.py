"""Leaps from roof to roof and between a gap's brim and a roof, as the referee judges them by itself (LEAP.1)."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from sbg_sim.geometry.shapes import circle, polygon
from sbg_sim.referee import audit
from sbg_sim.referee.curves import segment
from sbg_sim.referee.leaps import gap_width, narrowest
from sbg_sim.table.route import Route
from sbg_sim.table.terrain import Terrain
from tests.referee.legs import die_leg, me, model, piece, said, table_of

# Radius 1/2, height 1.5, Move 6. One roof ends at x = 8, the other begins at 10: rims are stood on at 7.5 and 10.5.


def roof(name: str, low: float, high: float, height: float = 3.0, **more: object) -> Terrain:
    return piece(name, "platform", x=low, wide=high - low, height=height, **more)


ROOFS = (roof("west", 4, 8), roof("east", 10, 14))
OVER = die_leg("leap", "east", (7.5, 10), (10.5, 10), on="east")


def told(*things: object, leg: object = OVER, at: float = 7.5, on: str | None = "west", **rulings: str) -> list[str]:
    """What the referee says of a leap: rule ids."""
    found = audit(table_of(me(at, 10, on=on), *things, **rulings), "m", Route((leg,)))  # type: ignore[arg-type]
    return [v.rule for v in found.violations]


def test_from_rim_to_rim() -> None:
    assert told(*ROOFS) == []
    assert "LEAP.1" in told(*ROOFS, leg=die_leg("leap", "east", (7.4, 10), (10.5, 10), on="east"), at=7.4)
    assert "LEAP.1" in told(*ROOFS, leg=die_leg("leap", "east", (7.5, 10), (10.6, 10), on="east"))


@pytest.mark.parametrize(("far", "expected"), [(11.0, []), (11.001, ["LEAP.1"])])
def test_no_wider_than_twice_the_height(far: float, expected: list[str]) -> None:
    leg = die_leg("leap", "east", (7.5, 10), (far + 0.5, 10), on="east")
    assert told(ROOFS[0], roof("east", far, 14), leg=leg) == expected


def test_no_leap_where_there_is_no_gap() -> None:
    """From one side of a roof to its other side nothing is leapt over."""
    leg = die_leg("leap", "west", (4.5, 10), (7.5, 10), on="west")
    assert "LEAP.1" in told(ROOFS[0], leg=leg, at=4.5)


@pytest.mark.parametrize(
    ("height", "reading", "expected"),
    [
        (3.0, "neither", []),
        (1.5, "lower", []),
        (1.499, "lower", ["LEAP.1"]),
        (1.5, "neither", ["LEAP.1"]),
        (4.5, "lower", ["LEAP.1"]),
        (4.5, "both", []),
        (4.501, "both", ["LEAP.1"]),
        (1.5, "both", []),
    ],
)
def test_up_or_down_by_up_to_the_height_as_ruled(height: float, reading: str, expected: list[str]) -> None:
    assert told(ROOFS[0], roof("east", 10, 14, height), leap_landing=reading) == expected


@pytest.mark.parametrize(("height", "expected"), [(3.0, []), (3.001, ["LEAP.1"])])
def test_past_nothing_that_stands_higher(height: float, expected: list[str]) -> None:
    assert told(*ROOFS, piece("mast", "obstacle", x=8.9, wide=0.2, height=height)) == expected


def test_over_what_stands_on_a_roof_or_hangs_above_one_s_head() -> None:
    over = Terrain("beam", frozenset({"obstacle"}), polygon([(7.2, 9), (7.8, 9), (7.8, 11), (7.2, 11)]), 0.4, on="deck")
    deck = roof("deck", 4, 8, 1.5, on="west")
    assert told(*ROOFS, deck, over, leg=OVER) != []  # under a deck upon its own roof it does not stand
    shelf = piece("shelf", "platform", x=16.0, wide=2.0, height=4.5)
    assert told(*ROOFS, shelf) == []


@pytest.mark.parametrize(
    ("x", "y", "height", "expected"),
    [(9.0, 10.0, 3.0, []), (9.0, 10.0, 3.001, ["MOV.4"]), (9.0, 11.0, 3.5, []), (9.0, 10.999, 3.5, ["MOV.4"])],
)
def test_past_no_model_that_is_taller(x: float, y: float, height: float, expected: list[str]) -> None:
    """Who stands between on the ground is in the way from above its own head on only; touching is allowed."""
    between = replace(model("e", x, y, "good"), height=height)
    assert told(*ROOFS, between) == expected
    assert told(*ROOFS, replace(between, height=2 * height, prone=True)) == expected


def test_who_has_no_height_is_in_nobody_s_way_from_below() -> None:
    deck = roof("deck", 8.2, 9.8, 2.5)
    unknown = replace(model("e", 9, 10, "good"), height=None, on="deck")
    assert told(*ROOFS, deck, unknown) == told(*ROOFS, deck) == []


# A gap from 8 to 10 in the ground; a stone stands at its far side, from 9.4 on.
RIFT = piece("rift", "gap", wide=2.0, depth=4.0)
STONE = roof("stone", 9.4, 12, 1.0)
ONTO = die_leg("leap", "rift", (7.5, 10), (9.9, 10), on="stone")
OFF = die_leg("leap", "rift", (9.9, 10), (7.5, 10))


def test_between_a_brim_and_a_roof() -> None:
    assert told(RIFT, STONE, leg=OFF, at=9.9, on="stone") == []
    assert told(RIFT, STONE, leg=ONTO, on=None) == ["LEAP.1"]  # an inch up, which is ruled out by default
    assert told(RIFT, STONE, leg=ONTO, on=None, leap_landing="both") == []


def test_it_begins_at_the_brim_and_ends_at_the_rim() -> None:
    early = die_leg("leap", "rift", (7.4, 10), (9.9, 10), on="stone")
    assert told(RIFT, STONE, leg=early, at=7.4, on=None, leap_landing="both") == ["LEAP.1"]
    deep = die_leg("leap", "rift", (7.5, 10), (10.0, 10), on="stone")
    assert told(RIFT, STONE, leg=deep, on=None, leap_landing="both") == ["LEAP.1"]


@pytest.mark.parametrize(("wide", "expected"), [(3.0, []), (3.001, ["LEAP.1"])])
def test_a_ledge_before_the_gap_counts_as_part_of_it(wide: float, expected: list[str]) -> None:
    """From a roof a foot behind the brim: what lies between roof and gap is leapt over with it."""
    back = roof("back", 4, 11 - wide, 1.0)
    at = 10.5 - wide
    rift = piece("rift", "gap", x=8.5, wide=2.5, depth=4.0)
    leg = die_leg("leap", "rift", (at, 10), (11.5, 10))
    assert told(back, rift, leg=leg, at=at, on="back") == expected


def test_the_narrowest_width() -> None:
    assert narrowest(polygon([(0, 0), (4, 0), (4, 2), (0, 2)])) == pytest.approx(2)
    assert narrowest(polygon([(0, 0), (3, 0), (0, 4)])) == pytest.approx(2.4)
    assert narrowest(circle((3, 3), 0.75)) == pytest.approx(1.5)


@pytest.mark.parametrize(("deep", "width"), [(0.0, 2.0), (1e-7, 2.0), (1e-3, 4.0)])
def test_a_leap_that_touches_a_corner_of_its_gap_is_not_over_it_there(deep: float, width: float) -> None:
    """Two inches of ground lie between the corner and the rest: what rounding cuts off of it does not count."""
    gap = polygon([(0, -4), (5, -4), (5, 3), (3, 3), (3, -3), (2, -3), (1, deep), (0, -3)])
    scene = SimpleNamespace(table=SimpleNamespace(rulings={"leap_width": "line"}))
    assert gap_width(scene, gap, segment((-2, 0), (6, 0))) == pytest.approx(width, abs=1e-3)


def test_from_a_roof_at_the_brim_there_is_nothing_to_leap_to_that_brim() -> None:
    """The roof reaches over the whole of the gap's far side and just to the brim."""
    over = roof("over", 10.0, 12, 1.0)
    leg = die_leg("leap", "rift", (10.5, 10), (10.5, 10))
    found = said(table_of(me(10.5, 10, on="over"), RIFT, over, leap_landing="both"), leg)
    assert "there is no gap to leap over" in found
