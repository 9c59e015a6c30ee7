"""Ways as they are drawn: how the referee reads them, and what it refuses of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sbg_sim.errors import QuestionError
from sbg_sim.geometry.shapes import polygon
from sbg_sim.referee import audit, audit_path
from sbg_sim.table.route import Leg, Route
from sbg_sim.tolerance import ROUNDING, TOUCH
from tests.referee.legs import TOWER, die_leg, me, model, piece, said, table_of, walk

if TYPE_CHECKING:
    from sbg_sim.table.board import Table

ME = me(6, 10)
LOW = replace(TOWER, id="low", height=1.0)
PIT = piece("pit", "gap", wide=1.0, depth=3.0)


def read(table: Table, *points: tuple[float, float], **given: bool) -> tuple[list[str], float, list[tuple[str, str]]]:
    found = audit_path(table, "m", points, **given)
    kinds = [leg.kind for leg in found.route.legs]
    return kinds, pytest.approx(found.cost, abs=1e-9), [(v.rule, v.reason) for v in found.violations]


def test_short_pieces_in_the_open_are_straight() -> None:
    # 5e-3 in each, beside nobody they could wind round
    assert read(table_of(ME), (6, 10), (6, 10.005), (6.005, 10.005)) == (["straight", "straight"], 0.01, [])


def test_lying_down_at_the_end_costs_half_the_move() -> None:
    assert read(table_of(ME), (6, 10), (8, 10), lie=True) == (["straight", "lie"], 2 + 3, [])


def test_who_lies_cannot_lie_down() -> None:
    kinds, cost, why = read(table_of(replace(ME, prone=True)), (6, 10), lie=True)
    assert (kinds, cost, why) == (["lie"], 3, [("PRN.3", "m is prone already")])


def test_a_way_of_one_place_elsewhere() -> None:
    assert read(table_of(ME), (9, 9)) == ([], 0, [("MOV.3", "the path does not start where the model stands")])


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        (0.5 * TOUCH, 0.5 * ROUNDING, []),  # typed places are rounded; what is led on from is known
        (1.5 * TOUCH, 0.0, ["the path does not start where the model stands"]),
        (0.0, 0.5 * TOUCH, ["the path is broken off and taken up elsewhere"]),
    ],
)
def test_a_way_begins_within_rounding_of_typed_places_and_goes_on_where_it_was(
    first: float, second: float, why: list[str]
) -> None:
    legs = walk((6, 10 + first), (8, 10)), walk((8, 10 + second), (9, 10))
    assert said(table_of(ME), *legs) == why


def test_a_way_that_ends_over_the_rim_of_a_top() -> None:
    leaving = read(table_of(me(10, 10, on="tower"), TOWER), (10, 10), (8.2, 10))
    assert leaving == (["straight"], 1.8, [("FALL.1", "the base is not wholly on top of tower")])
    coming = read(table_of(me(7, 10), LOW), (7, 10), (8.2, 10))
    assert coming == (["straight"], 1.2, [("TER.4", "the base runs into the side of low")])


def test_down_from_a_top_no_taller_than_the_model() -> None:
    assert read(table_of(me(10, 10, on="low"), LOW), (10, 10), (7, 10)) == (["straight", "down", "straight"], 3, [])


@pytest.mark.parametrize(("x", "legs"), [(9.0, ["straight", "jump"]), (9.0 - 1e-4, ["straight"])])
def test_over_a_model_that_lies_to_where_the_bases_touch(x: float, legs: list[str]) -> None:
    """It lies at x = 8, and both bases are an inch wide."""
    kinds, cost, why = read(table_of(ME, model("lying", 8.0, 10.0, prone=True)), (6, 10), (x, 10))
    assert (kinds, cost) == (legs, x - 6)
    assert [rule for rule, _ in why] == ([] if x == 9 else ["MOV.4", "CHG.1"])


def test_a_ladder_down_where_none_leads() -> None:
    down = Leg("ladder", (6.0, 10.0), (6.0, 10.0), 1.0, None, rise=-1.0)
    assert said(table_of(ME), down) == ["no ladder leads there"]


def test_a_leap_onto_what_is_narrower_than_the_base() -> None:
    """Over a gap an inch wide onto 0.6 in of a top half an inch high."""
    ledge = piece("ledge", "platform", x=9.0, wide=0.6, height=0.5)
    leap = die_leg("leap", "pit", (7.5, 10.0), (9.5, 10.0), on="ledge")
    assert "the base is not wholly on top of ledge" in said(table_of(me(7.5, 10), PIT, ledge), leap)


def test_what_is_no_route_and_no_level_is_told() -> None:
    with pytest.raises(QuestionError, match="charging holds the ids"):
        audit(table_of(ME), "m", Route(()), charging="lying")
    on_a_wall = Leg("straight", (6.0, 10.0), (8.2, 10.0), 2.2, "wall")
    with pytest.raises(QuestionError, match="wall is no platform"):
        audit(table_of(ME, piece("wall", "obstacle", height=1.0)), "m", Route((on_a_wall,)))


@pytest.mark.parametrize(
    ("depth", "ruling", "legal"), [(0.7, "centre", True), (3.0, "centre", False), (0.7, "whole", False)]
)
def test_hanging_over_a_ditch_that_is_stepped_into(depth: float, ruling: str, *, legal: bool) -> None:
    """With the centre 0.3 in from it, where who stands by its centre may (``stand_on``)."""
    found = audit_path(table_of(ME, replace(PIT, depth=depth), stand_on=ruling), "m", [(6, 10), (7.7, 10)])
    assert found.legal == legal


@pytest.mark.parametrize(
    ("height", "up", "down"),
    [(0.5, "up", "down"), (1.0, "jump", "down"), (1.4, "jump", "down"), (2.0, "climb", "descend")],
)
def test_up_and_down_by_the_centre(height: float, up: str, down: str) -> None:
    """A base hangs over what is no taller than the model: it is on it as soon as its centre is (``stand_on``)."""
    table = table_of(me(6, 10), replace(TOWER, height=height), stand_on="centre")
    cost = {"climb": 3 - 1 + 2 * height}.get(up, 3.0)
    assert read(table, (6, 10), (9, 10), on="tower") == (["straight", up, "straight"], cost, [])
    above = table_of(me(9, 10, on="tower"), replace(TOWER, height=height), stand_on="centre")
    assert read(above, (9, 10), (6, 10)) == (["straight", down, "straight"], cost, [])
    if up != "climb":
        brim = read(table, (6, 10), (8.1, 10), on="tower")
        assert brim == (["straight", up, "straight"], 2.1, [])


def test_up_stairs_narrower_than_a_base() -> None:
    """Four treads of 0.4 in, each half an inch higher, are gone up by the centre one after the other."""
    treads = [piece(f"tread {i}", "platform", x=8 + 0.4 * i, height=0.5 * (i + 1)) for i in range(4)]
    table = table_of(me(6, 10), *treads, stand_on="centre")
    assert read(table, (6, 10), (9.5, 10), on="tread 3") == (["straight", "up"] * 4 + ["straight"], 3.5, [])


@pytest.mark.parametrize("reading", ["whole", "centre"])
def test_through_a_ditch_that_is_stepped_into(reading: str) -> None:
    """It could be leapt, which would take a die; to walk through it costs no more and takes none."""
    ditch = piece("ditch", "gap", wide=2.0, depth=0.4)
    kinds = ["straight", "down", "straight", "up", "straight"]
    assert read(table_of(ME, ditch, stand_on=reading), (6, 10), (12, 10)) == (kinds, 6, [])


def test_over_a_ditch_in_which_an_enemy_stands() -> None:
    """Through its zone nobody walks; over it is leapt, as drawn."""
    ditch = piece("ditch", "gap", wide=2.0, depth=0.4)
    kinds = read(table_of(ME, ditch, model("e", 9, 11, "evil", on="ditch")), (6, 10), (12, 10))
    assert kinds == (["straight", "leap", "straight"], 6, [])


def test_a_line_over_the_end_of_a_thin_wall_climbs_it_no_more_than_there_and_back() -> None:
    """Straight across from beside its end leads along all of it, and from there back again."""
    end = polygon([(10.5, 11.6), (12.3, 11.6), (12.3, 11.7), (10.5, 11.7)])
    wall = replace(TOWER, id="wall", shape=end, tags=frozenset({"obstacle"}), height=2.5)
    seen = audit_path(table_of(me(9.5, 11.5), wall), "m", [(9.5, 11.5), (12, 12.5)], allowance=100.0)
    assert [leg.kind for leg in seen.route.legs] == ["straight", *2 * ("climb", "descend"), "straight"]
    assert [v.reason for v in seen.violations] == ["wall is only crossed by a Climb test"]
