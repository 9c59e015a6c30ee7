"""Control Zones and charges judged by the referee (CZ, CHG, PRN.4)."""

from __future__ import annotations

import itertools
import math

import pytest

from sbg_sim.errors import QuestionError
from sbg_sim.geometry.shapes import line, polygon
from sbg_sim.referee import audit
from sbg_sim.table.board import Table
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.models import Model
from sbg_sim.table.route import Leg, Route, Test
from sbg_sim.table.rulings import Rulings
from sbg_sim.table.terrain import Terrain

# Every base has radius 1/2, so the mover's centre is inside a zone nearer than 1 + 1/2 + 1/2 = 2 inches.


def model(name: str, x: float, y: float, side: str = "evil", **changes: object) -> Model:
    return Model(name, (x, y), 1.0, 1.5, 6.0, side, **changes)  # type: ignore[arg-type]


def table_of(*models: Model, terrain: tuple[Terrain, ...] = (), **rulings: str) -> Table:
    return Table(
        24.0,
        24.0,
        FrozenMap({m.id: m for m in models}),
        FrozenMap({t.id: t for t in terrain}),
        rulings=Rulings(FrozenMap(rulings)),
    )


def straight(*points: tuple[float, float]) -> Route:
    pairs = itertools.pairwise(points)
    return Route(tuple(Leg("straight", p, q, math.dist(p, q)) for p, q in pairs))


def rules(table: Table, route: Route, *charging: str) -> list[str]:
    return [v.rule for v in audit(table, "m", route, charging=charging, allowance=99.0).violations]


def me(x: float, y: float, **changes: object) -> Model:
    return model("m", x, y, "good", **changes)


@pytest.mark.parametrize(("aside", "expected"), [(2.0, []), (1.999, ["CZ.1"])])
def test_rim_may_be_touched_not_entered(aside: float, expected: list[str]) -> None:
    table = table_of(me(4, 10), model("e", 8, 10 + aside))
    found = audit(table, "m", straight((4, 10), (12, 10)), allowance=8.0)
    assert [v.rule for v in found.violations] == expected
    assert [e.enemy for e in found.entered] == (["e"] if expected else [])


def test_entry_place_is_where_the_rim_is_met() -> None:
    found = audit(table_of(me(4, 10), model("e", 8, 10)), "m", straight((4, 10), (6.5, 10)))
    assert found.entered[0].place == pytest.approx((6.0, 10.0), abs=2e-6)
    assert found.entered[0].after == pytest.approx(2.0, abs=2e-6)


@pytest.mark.parametrize("state", [{"prone": True}, {"engaged": frozenset({"x"})}, {"side": "good"}, {"side": ""}])
def test_models_without_a_zone(state: dict[str, object]) -> None:
    assert rules(table_of(me(4, 10), model("e", 8, 11.5, **state)), straight((4, 10), (12, 10))) == []


def test_ending_in_contact_without_a_charge() -> None:
    table = table_of(me(4, 10), model("e", 8, 10, prone=True))
    assert rules(table, straight((4, 10), (7, 10))) == ["CHG.1"]
    assert rules(table, straight((4, 10), (6.999, 10))) == []
    assert rules(table, straight((4, 10), (7, 10)), "e") == []


@pytest.mark.parametrize(("x", "expected"), [(7.0, []), (6.999, ["CHG.1"]), (7.001, ["MOV.4", "CHG.1"])])
def test_charge_ends_in_contact(x: float, expected: list[str]) -> None:
    assert rules(table_of(me(4, 10), model("e", 8, 10)), straight((4, 10), (x, 10)), "e") == expected


def test_charge_at_a_friend_is_none() -> None:
    assert "CHG.1" in rules(table_of(me(4, 10), model("f", 8, 10, "good")), straight((4, 10), (7, 10)), "f")


def test_first_zone_entered_binds() -> None:
    # Going right along y = 10, the zone of b (reach 2 about (9, 11.9)) is met before that of e at (11, 10).
    table = table_of(me(4, 10), model("e", 11, 10), model("b", 9, 11.9))
    assert rules(table, straight((4, 10), (10, 10)), "e") == ["CHG.3"]
    assert rules(table.having("b", at=(9.0, 12.0)), straight((4, 10), (10, 10)), "e") == []
    assert rules(table.having("b", prone=True), straight((4, 10), (10, 10)), "e") == []


def test_later_zones_are_ignored_once_bound() -> None:
    # e's rim is met at x = 9, b's later.
    table = table_of(me(4, 10), model("e", 11, 10), model("b", 10.8, 11.5))
    found = audit(table, "m", straight((4, 10), (10, 10)), charging=("e",))
    assert found.violations == ()
    assert [e.enemy for e in found.entered] == ["e", "b"]


def test_two_zones_at_the_same_instant_leave_the_choice() -> None:
    table = table_of(me(4, 10), model("a", 10, 11), model("b", 10, 9))
    a, b = table.model("a").at, table.model("b").at
    end_a = (10 - math.cos(math.pi / 6), 11 - math.sin(math.pi / 6))
    assert math.dist(end_a, b) > 1
    assert math.dist(end_a, a) == pytest.approx(1.0)
    assert rules(table, straight((4, 10), (8.5, 10), end_a), "a") == []
    assert rules(table, straight((4, 10), (8.5, 10), end_a), "b") == ["CHG.1"]
    # Both: the centre where the two contact circles touch, (10, 10), is on the way of a straight charge.
    assert rules(table, straight((4, 10), (10, 10)), "a", "b") == []
    lower = table.having("b", at=(9.99, 9.0))
    end = (9.99 - math.cos(math.pi / 6), 9 + math.sin(math.pi / 6))
    assert rules(lower, straight((4, 10), (8.5, 10), end_a), "a") == ["CHG.3"]
    assert rules(lower, straight((4, 10), (8.5, 10), end), "b") == []


def test_several_targets_bound_to_any_of_them() -> None:
    # The mover comes between a and b, two contact circles of radius 1 about (10, 10.8) and (10, 9.2).
    table = table_of(me(4, 10), model("a", 10, 10.8), model("b", 10, 9.2), model("c", 11.7, 10))
    x = 10 - math.sqrt(1 - 0.64)
    assert rules(table, straight((4, 10), (x, 10)), "a", "b") == []
    assert rules(table, straight((4, 10), (x, 10)), "a", "b", "c") == ["CHG.1"]


def test_round_the_target_inside_its_zone() -> None:
    # Straight in to contact, then half round the base: allowed; cutting out of the zone on the way: not.
    table = table_of(me(4, 10), model("e", 10, 10))
    arc = Leg("arc", (9.0, 10.0), (11.0, 10.0), math.pi, None, (10.0, 10.0), 1.0, math.pi)
    assert rules(table, Route((*straight((4, 10), (9, 10)).legs, arc)), "e") == []
    out = straight((4, 10), (8.5, 10), (10, 12.1), (10, 11))
    assert rules(table, out, "e") == ["CHG.4"]
    inside = straight((4, 10), (8.5, 10), (10, 11.99), (10, 11))
    assert rules(table, inside, "e") == []
    free = table_of(me(4, 10), model("e", 10, 10), charge_stays_in_zone="no")
    assert rules(free, out, "e") == []


def test_stuck_may_not_get_closer() -> None:
    table = table_of(me(8.5, 10), model("e", 10, 10))
    assert rules(table, straight((8.5, 10), (8.5, 12))) == []
    assert rules(table, straight((8.5, 10), (8.501, 10))) == ["CZ.4"]
    assert rules(table, straight((8.5, 10), (8.9, 9.0))) == ["CZ.4"]
    found = audit(table, "m", straight((8.5, 10), (7, 10)))
    assert found.legal
    assert found.stuck == ("e",)
    assert found.entered == ()
    assert audit(table, "m", Route()).legal


def test_stuck_round_at_the_same_distance() -> None:
    table = table_of(me(8.5, 10), model("e", 10, 10))
    for radius, expected in ((1.5, []), (1.4999, ["CZ.4"])):
        arc = Leg("arc", (8.5, 10.0), (11.5, 10.0), 1.5 * math.pi, None, (10.0, 10.0), 1.5, math.pi)
        shifted = table.having("m", at=(8.5, 10.0)).having("e", at=(10.0, 10.0 - 1.5 + radius))
        assert rules(shifted, Route((arc,))) == expected


def test_no_closer_read_as_never_shrinking() -> None:
    # Out from 1.5 to 1.9, then back in to 1.6: never closer than at the start, yet the distance shrinks.
    route = straight((8.5, 10), (8.1, 10), (8.4, 10))
    models = (me(8.5, 10), model("e", 10, 10))
    assert rules(table_of(*models), route) == []
    assert rules(table_of(*models, stuck_no_closer="monotone"), route) == ["CZ.4"]


def test_a_zone_once_left_is_closed() -> None:
    table = table_of(me(8.5, 10), model("e", 10, 10))
    assert rules(table, straight((8.5, 10), (7.9, 10), (8.2, 10))) == ["CZ.4"]
    assert rules(table, straight((8.5, 10), (8.1, 10), (8.2, 10))) == []


def test_stuck_in_two_zones() -> None:
    table = table_of(me(8.5, 10), model("e", 10, 10), model("d", 7, 10))
    assert rules(table, straight((8.5, 10), (8.5, 12))) == []
    assert rules(table, straight((8.5, 10), (8.4, 10))) == ["CZ.4"]
    assert rules(table, straight((8.5, 10), (8, 10)), "d") == []
    assert rules(table, straight((8.5, 10), (9, 10)), "e") == []


def test_zones_not_started_in_stay_closed() -> None:
    table = table_of(me(8.5, 10), model("e", 10, 10), model("d", 5, 10))
    assert rules(table, straight((8.5, 10), (7, 10))) == []
    assert rules(table, straight((8.5, 10), (6.9, 10))) == ["CZ.1"]


def test_stuck_then_charge_another() -> None:
    models = (me(8.5, 10), model("e", 10, 10), model("d", 4, 10))
    route = straight((8.5, 10), (5, 10))
    assert rules(table_of(*models), route, "d") == []
    assert rules(table_of(*models, stuck_then_charge="no"), route, "d") == ["CZ.4"]


def test_prone_may_not_charge_until_it_stands() -> None:
    table = table_of(me(8, 10, prone=True), model("e", 10, 10))
    crawl = Leg("crawl", (8.0, 10.0), (9.0, 10.0), 1.0)
    assert rules(table, Route((crawl,)), "e") == ["PRN.3"]
    stand = Leg("stand", (8.0, 10.0), (8.0, 10.0), 3.0)
    assert rules(table, Route((stand, *straight((8, 10), (9, 10)).legs)), "e") == []


def test_contact_across_a_barrier() -> None:
    wall = Terrain("wall", frozenset({"obstacle"}), polygon([(8, 5), (8.4, 5), (8.4, 15), (8, 15)]), height=1.0)
    table = table_of(me(4, 10), model("e", 8.9, 10), terrain=(wall,))
    assert rules(table, straight((4, 10), (7.5, 10)), "e") == []
    assert rules(table, straight((4, 10), (7.499, 10)), "e") == ["CHG.1"]
    assert rules(table.having("e", at=(8.91, 10.0)), straight((4, 10), (7.5, 10)), "e") == ["CHG.1"]


def test_opposite_across_a_barrier_as_ruled() -> None:
    """Bases of 1 in: pushed straight across they meet from y = 9 to y = 11."""
    wall = Terrain("wall", frozenset({"obstacle"}), polygon([(8, 5), (8.4, 5), (8.4, 15), (8, 15)]), height=1.0)
    hedge = Terrain("hedge", frozenset({"obstacle"}), line([(8.2, 5), (8.2, 15)], 0.4), height=1.0)
    for barrier in (wall, hedge):
        table = table_of(me(4, 10), model("e", 8.9, 10), terrain=(barrier,))
        assert rules(table, straight((4, 10), (7.5, 11)), "e") == []
        assert rules(table, straight((4, 10), (7.5, 11.001)), "e") == ["CHG.1"]
        free = table_of(me(4, 10), model("e", 8.9, 10), terrain=(barrier,), defended_opposite="anywhere")
        assert rules(free, straight((4, 10), (7.5, 12)), "e") == []


@pytest.mark.parametrize("turn", [0.6, 1.9, 3.5, 5.1])
def test_opposite_across_a_barrier_that_stands_aslant(turn: float) -> None:
    """The same, turned about the middle of the wall."""

    def turned(x: float, y: float) -> tuple[float, float]:
        c, s = math.cos(turn), math.sin(turn)
        return (8.2 + c * (x - 8.2) - s * (y - 10), 10 + s * (x - 8.2) + c * (y - 10))

    wall = polygon([turned(*p) for p in [(8, 6), (8.4, 6), (8.4, 14), (8, 14)]])
    hedge = line([turned(8.2, 6), turned(8.2, 14)], 0.4)
    for shape in (wall, hedge):
        barrier = Terrain("barrier", frozenset({"obstacle"}), shape, height=1.0)
        table = table_of(me(*turned(4, 10)), model("e", *turned(8.9, 10)), terrain=(barrier,))
        for aside, expected in ((0.999, []), (-0.999, []), (1.001, ["CHG.1"]), (-1.001, ["CHG.1"])):
            assert rules(table, straight(turned(4, 10), turned(7.5, 10 + aside)), "e") == expected


@pytest.mark.parametrize(("height", "expected"), [(0.7, ["CHG.1"]), (0.8, [])])
def test_across_what_is_stepped_over_as_ruled(height: float, expected: list[str]) -> None:
    """Half of who charges is 0.75 in: below that a wall takes no test, and defends by one reading alone."""
    wall = Terrain("wall", frozenset({"obstacle"}), polygon([(8, 5), (8.4, 5), (8.4, 15), (8, 15)]), height=height)
    for reading, found in (("any", []), ("test", expected)):
        table = table_of(me(4, 10), model("e", 8.9, 10), terrain=(wall,), defended_behind=reading)
        assert rules(table, straight((4, 10), (7.5, 10)), "e") == found


def test_reinforcement_comes_on_from_the_edge_and_does_not_charge() -> None:
    table = Table(24.0, 24.0, FrozenMap({"m": me(0, 0), "e": model("e", 6, 10)}), off=frozenset({"m"}))
    assert rules(table, straight((-0.5, 10), (3, 10))) == []
    assert "REINF.1" in rules(table, straight((-0.6, 10), (3, 10)))
    assert rules(table, straight((-0.5, 10), (0.4, 10))) == ["MOV.5"]
    assert "REINF.1" in rules(table, straight((-0.5, 10), (5, 10)), "e")
    centre = Table(24.0, 24.0, table.models, off=table.off, rulings=Rulings(FrozenMap({"edge_entry": "centre"})))
    assert rules(centre, straight((0.0, 10), (3, 10))) == []


@pytest.mark.parametrize(("aside", "expected"), [(0.0, []), (0.001, ["CHG.3"])])
def test_on_the_second_rim_at_the_instant_of_entry(aside: float, expected: list[str]) -> None:
    # Along a's rim to the corner where b's crosses it, then steeply into a and at a shallow angle into b.
    table = table_of(me(10, 12), model("a", 10, 10), model("b", 12.5 + aside, 10))
    half = 1.25
    angle = math.acos(half / 2)
    corner = (10 + half, 10 + math.sqrt(4 - half * half))
    arc = Leg("arc", (10.0, 12.0), corner, 2 * (math.pi / 2 - angle), None, (10.0, 10.0), 2.0, angle - math.pi / 2)
    across = (corner[1] - 10) / 2
    # A tenth inwards from the tangent of b's rim.
    step = (-across + 0.1 * half / 2, -half / 2 - 0.1 * across)
    inside = (corner[0] + 0.3 * step[0], corner[1] + 0.3 * step[1])
    rest = straight(corner, inside, (11.5 + aside, 10))
    assert rules(table, Route((arc, *rest.legs)), "b") == expected


@pytest.mark.parametrize(
    ("foot", "height", "ruling", "expected"),
    [
        (3.0, 3.75, "yes", []),  # 0.75 in is half the mover's height
        (3.0, 3.751, "yes", ["CHG.1"]),
        (3.75, 3.0, "yes", []),
        (3.751, 3.0, "yes", ["CHG.1"]),
        (3.0, 3.75, "no", ["CHG.1"]),
    ],
)
def test_contact_between_two_roofs_by_half_the_height(
    foot: float, height: float, ruling: str, expected: list[str]
) -> None:
    west = Terrain("west", frozenset({"platform"}), polygon([(2, 5), (8, 5), (8, 15), (2, 15)]), height=foot)
    east = Terrain("east", frozenset({"platform"}), polygon([(8, 5), (14, 5), (14, 15), (8, 15)]), height=height)
    table = table_of(
        me(5, 10, on="west"), model("e", 8.5, 10, on="east"), terrain=(west, east), contact_across_heights=ruling
    )
    way = Route((Leg("straight", (5.0, 10.0), (7.5, 10.0), 2.5, "west"),))
    assert rules(table, way, "e") == expected
    # without a charge the same contact is no contact only where it is none
    stray = rules(table.having("e", prone=True), way)
    assert stray == ([] if expected else ["CHG.1"])


def test_coming_back_into_a_zone_tells_how_much_closer() -> None:
    table = table_of(me(8.5, 10), model("e", 10, 10), model("d", 4, 4), zone_once_left="nearer")
    route = straight((8.5, 10), (7.9, 10), (8.625, 10), (7.9, 10))
    found = audit(table, "m", route, allowance=99.0).violations
    assert [(v.rule, v.blame) for v in found] == [("CZ.4", "e")]
    assert found[0].reason == "back in the zone of e it gets 0.125 inches closer"
    assert rules(table, straight((8.5, 10), (7.9, 10), (8.5, 10))) == []


def test_an_answer_without_a_way_has_no_route_to_judge():
    with pytest.raises(QuestionError, match="route"):
        audit(table_of(me(4, 10)), "m", None)


@pytest.mark.parametrize(("x", "expected"), [(9.0, []), (9.5, ["CZ.1"]), (10.0, [])])
def test_no_die_that_leaves_a_charge_undone(x: float, expected: list[str]) -> None:
    """Behind the wall, at x = 8, it touches, is in the zone and touches nobody, or is at the zone's rim."""
    wall = Terrain("w", frozenset({"obstacle"}), polygon([(7, 0), (7.5, 0), (7.5, 24), (7, 24)]), 1.0)
    legs = [
        Leg("straight", (4, 10), (6.5, 10), 2.5),
        Leg("jump", (6.5, 10), (8, 10), 1.5, test=Test("jump", "w", (6.5, 10), (8, 10))),
    ]
    more = (Leg("straight", (8, 10), (x - 1, 10), x - 9),) if x > 9 else ()
    for reading, rules_there in (("yes", []), ("no", expected)):
        there = table_of(me(4, 10), model("e", x, 10), terrain=(wall,), charge_on_a_six=reading)
        assert rules(there, Route((*legs, *more)), "e") == rules_there


@pytest.mark.parametrize(
    ("x", "more", "expected"),
    [(7.6, [(8, 11.1 - math.sqrt(1 - 0.4**2))], ["CZ.1"]), (6.4, [(8, 11.1), (7.4, 11.1)], [])],
)
def test_who_starts_in_the_zone_and_comes_no_nearer_has_not_entered_it(
    x: float, more: list[tuple[float, float]], expected: list[str]
) -> None:
    """Over the end of a wall to x = 8: nearer to an enemy that stands on, and away from one that stands back."""
    wall = Terrain("w", frozenset({"obstacle"}), polygon([(7, 0), (7.5, 0), (7.5, 10.6), (7, 10.6)]), 1.0)
    jump = Leg("jump", (6.5, 10), (8, 10), 1.5, test=Test("jump", "w", (6.5, 10), (8, 10)))
    there = table_of(me(6.5, 10), model("e", x, 11.1), terrain=(wall,), charge_on_a_six="no")
    assert rules(there, Route((jump, *straight((8, 10), *more).legs)), "e") == expected


@pytest.mark.parametrize(("out", "expected"), [(2.0, []), (2.001, ["CZ.4"])])
def test_who_only_touches_the_rim_has_not_left_the_zone(out: float, expected: list[str]) -> None:
    """From 1.8 in to its rim at 2 in and in again to 1.92: no nearer than it began, and closed to who has left it."""
    there = table_of(me(10, 11.8), model("foe", 10, 10))
    assert rules(there, straight((10, 11.8), (10, 10 + out), (10.3, 11.9))) == expected
