"""A last leap or jump that may cost more than is left, begun just in time beside a straight ditch or wall: formulas."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import copysign, hypot, sqrt

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.referee import audit
from sbg_sim.solver.graph.graph_builder import GraphBuilder
from sbg_sim.solver.graph.label_search import settle
from sbg_sim.solver.graph.tangent_graph import SPACING
from sbg_sim.solver.path import type_search
from sbg_sim.solver.path.gathering import as_path, trace
from sbg_sim.solver.path.mending import Mender
from sbg_sim.solver.path.options import Search
from sbg_sim.solver.path.paths import Fixed, Path, Slide, place_of, put
from sbg_sim.solver.space.surroundings import Goal
from sbg_sim.table.route import Leg, Route

BASE, HEIGHT = 1.0, 1.5
NEAR = 9.5  # where a base touches the ditch, or the wall, that begins at y = 10


def strip(kind, width, **more):
    tags = {"gap": ["gap", "unscalable"], "wall": ["obstacle"]}[kind]
    tall = {"depth": 3.0} if kind == "gap" else {"height": 1.0}
    return {"tags": tags, "polygon": [(0, 10), (24, 10), (24, 10 + width), (0, 10 + width)]} | tall | more


def moved(kind, width, away, move, goal, *, rulings=None, terrain=()):
    """The verdict on a move from ``away`` in before the near rim to a place of the far one, ``goal`` in farther on."""
    me = {"at": (6, NEAR - away), "base": BASE, "height": HEIGHT, "move": move, "side": "good"}
    table = sbg.Table(
        24, 24, models={"me": me}, terrain={"strip": strip(kind, width), **dict(terrain)},
        rulings=sbg.Rulings(rulings or {}),
    )  # fmt: skip
    return sbg.check(table, sbg.Move("me", (6 + goal, 10 + width + BASE / 2)))


def walled(width, *, away=1.0, move=1.25, goal=0.0, wide=None, horizon=None):
    """A table with a wall, as wide to either side of x = 12 as told, and a move to its far rim beyond the Move."""
    me = {"at": (12, NEAR - away), "base": BASE, "height": HEIGHT, "move": move, "side": "good"}
    x0, x1 = (0, 24) if wide is None else (12 - wide, 12 + wide)
    wall = {"tags": ["obstacle"], "height": 1.0, "polygon": [(x0, 10), (x1, 10), (x1, 10 + width), (x0, 10 + width)]}
    rulings = sbg.Rulings({"jump_without_movement": "yes"})
    table = sbg.Table(24, 24, models={"me": me}, terrain={"wall": wall}, rulings=rulings, horizon=horizon)
    return table, sbg.Move("me", (12 + goal, 10 + width + BASE / 2))


def just_in_time(width, away, move, goal):
    """What the cheapest way costs whose leap begins after the Move at most, and costs no more than the Move itself."""
    over = width + BASE
    at = goal * away / (away + over)  # where straight on is cheapest
    if hypot(away, at) > move:
        at = copysign(sqrt(move**2 - away**2), goal)
    return hypot(away, at), hypot(goal - at, over)


CASES = [
    (0.5, 4.0, 4.2, 2.5),
    (0.5, 4.0, 4.2, -3.0),
    (1.0, 5.0, 5.05, 2.0),
    (1.0, 5.0, 5.05, 1.0),  # straight on is in time
    (0.8, 2.5, 2.501, 1.0),
]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("kind", "rulings"), [("gap", {}), ("wall", {"jump_without_movement": "yes"})])
def test_of_the_places_come_to_in_time_the_best_is_the_last(kind, rulings, case):
    before, alone = just_in_time(*case)
    verdict = moved(kind, *case, rulings=rulings)
    assert verdict.answer == "chance"
    assert verdict.needed == pytest.approx(before + alone, abs=2e-6)
    assert verdict.at_least <= before + alone + 1e-9
    assert sum(leg.cost for leg in verdict.route.legs[:-1]) <= case[2] + 1e-9


@pytest.mark.parametrize("goal", [0.0, 3.0, 10.0])
@pytest.mark.parametrize("horizon", [None, 0.1, 20.0])
def test_no_horizon_bounds_a_jump_that_movement_does_not(horizon, goal):
    """Over six inches of wall with a Move of 1.25: more than the horizon, which by itself is 7.25 in."""
    table, move = walled(6.0, goal=goal, horizon=horizon)
    before, alone = just_in_time(6.0, 1.0, 1.25, goal)
    verdict = sbg.check(table, move)
    assert (verdict.answer, str(verdict.chance)) == ("chance", "5/6")
    assert verdict.needed == pytest.approx(before + alone, abs=2e-6)
    assert verdict.at_least == pytest.approx(before + alone, abs=1e-5)
    assert "jump_without_movement = no" in verdict.rulings
    strict = sbg.check(table.under("jump_without_movement", "no"), move)
    assert (strict.answer, strict.rulings) == ("no", ("jump_without_movement = yes",))


@pytest.mark.parametrize(("away", "answer"), [(1.25, "chance"), (1.2501, "no")])
def test_a_jump_however_long_begins_in_time(away, answer):
    assert sbg.check(*walled(6.0, away=away)).answer == answer


def test_a_way_round_that_is_cheaper_but_too_long_hides_no_jump():
    """The wall ends 2 in aside: round it are some 4 in, within the horizon, and over it 7 in; either ends there."""
    table, move = walled(3.0, away=0.2, move=0.5, wide=1.0, horizon=6.0)
    assert sbg.check(table.under("jump_without_movement", "no"), move).needed < 6.0
    verdict = sbg.check(table, move)
    assert (str(verdict.chance), verdict.needed) == ("5/6", pytest.approx(4.2))
    thick, move = walled(9.0, away=0.2, move=0.5, wide=0.5, horizon=12.0)
    strict = sbg.check(thick.under("jump_without_movement", "no"), move)
    assert (strict.answer, strict.needed) == ("no", pytest.approx(0.2 + 10.0))
    for horizon in (None, 0.1, 12.0):
        assert str(sbg.check(replace(thick, horizon=horizon), move).chance) == "5/6"


# -- piece by piece ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sampled():
    """A search over a ditch half an inch wide to a place three inches aside, its graph, labels and last leaps."""
    me = {"at": (6, NEAR - 4), "base": BASE, "height": HEIGHT, "move": 4.3, "side": "good"}
    table = sbg.Table(24, 24, models={"me": me}, terrain={"strip": strip("gap", 0.5)})
    search = Search(table, table.model("me"), None, Goal(None, (9.0, 11.0)), 4.3, dice=True, horizon=12.0)
    net = GraphBuilder(search.around(9.0), search.goal, SPACING, 9.0).build()
    labels = settle(net.graph, dict.fromkeys(net.source, 0.0), layers=1)
    return search, net, labels


def begins(net, labels, edge):
    """Where a last leap begins, and the path by way of it."""
    steps = trace(net, labels, 0, int(net.graph.src[edge]))
    return net.nodes.xy[net.graph.src[edge], 0] - 6, as_path(net, [*steps, (int(edge), -1, int(net.graph.dst[edge]))])


def test_the_last_leaps_are_those_to_the_goal_that_begin_in_time_but_for_samples(sampled):
    search, net, labels = sampled
    last, alone = type_search._last(search, net, labels, 1)
    assert alone.tolist() == [4.3] * len(last)
    x = net.nodes.xy[net.graph.src[last], 0] - 6
    leads = (net.transition_of >= 0) & np.isin(net.graph.dst, net.goals)
    every = np.flatnonzero(leads)
    at = net.nodes.xy[net.graph.src[every], 0] - 6
    begun, over = np.hypot(at, 4.0), np.hypot(3.0 - at, 1.5)
    sampled_begun = labels.cost[0, net.graph.src[every]]
    np.testing.assert_allclose(sampled_begun[np.isfinite(sampled_begun)], begun[np.isfinite(sampled_begun)], atol=1e-9)
    want = every[(begun <= 4.3 + SPACING) & (over <= 4.3 + SPACING) & np.isfinite(sampled_begun)]
    assert set(last.tolist()) == set(want.tolist())
    assert 3 < len(last) < len(every)
    assert (np.hypot(x, 4.0) > 4.3).any()
    assert (np.hypot(x, 4.0) < 4.3).any()
    none = type_search._last(replace(search, table=search.table.under("leap_needs", "remaining")), net, labels, 1)
    assert [len(part) for part in none] == [0, 0]
    assert len(type_search._last(replace(search, used=2.0), net, labels, 1)[0]) == 0
    short = replace(search, allowance=2.0, used=-2.3)  # as much is left, but a leap may cost two inches alone
    last, alone = type_search._last(short, net, labels, 1)
    at = net.nodes.xy[net.graph.src[last], 0] - 6
    assert alone.tolist() == [2.0] * len(last)
    assert len(last)
    assert (np.hypot(3.0 - at, 1.5) <= 2.0 + SPACING).all()


def test_a_leap_that_begins_late_but_for_samples_is_slid_to_where_it_does_not(sampled):
    """The nearest place in time of the hundred and one about it: a hundredth of a step from where time is up."""
    search, net, labels = sampled
    last, _ = type_search._last(search, net, labels, 1)
    slid = kept = 0
    for edge in last.tolist():
        x, path = begins(net, labels, edge)
        i = path.over[-1]
        if not isinstance(path.elements[i], Slide):
            assert type_search._slid_in_time(net, path, search.left) is path
            continue
        found = type_search._slid_in_time(net, path, search.left)
        at = net.rims.at(np.array([found.elements[i].piece]), np.array([found.elements[i].u]))[0]
        new = at[0] - 6
        assert at[1] == pytest.approx(NEAR)
        assert found.elements[:i] + found.elements[i + 1 :] == path.elements[:i] + path.elements[i + 1 :]
        up = copysign(sqrt(4.3**2 - 16), x)
        if abs(x) <= abs(up):
            assert new == pytest.approx(x, abs=1e-9)
            kept += 1
        elif abs(x) - abs(up) < SPACING:
            assert 0 <= abs(up) - abs(new) < SPACING / 50 + 1e-9
            slid += 1
    assert slid
    assert kept
    x, path = begins(net, labels, int(last[0]))
    assert type_search._slid_in_time(net, path, 1.0) is path  # nowhere near it is begun in time


@pytest.mark.parametrize("first", [True, False])
def test_so_it_is_in_the_first_inch_of_a_rim_and_in_its_last(sampled, first):
    """From four inches below a place 0.3 in from an end: begun 0.5 in from that end too late, 0.4 in just in time."""
    _, net, labels = sampled
    path = begins(net, labels, np.flatnonzero(net.transition_of >= 0)[0])[1]
    i = path.over[-1]
    piece = path.elements[i].piece
    length = float(net.rims.length[piece])
    from_end = np.array([0.3, 0.4, 0.5])
    u = from_end if first else length - from_end
    x = net.rims.at(np.full(3, piece), u)[:, 0].tolist()
    path = Path((Fixed((x[0], NEAR - 4)), Slide(piece, float(u[2])), Fixed((x[0], 11.0))), path.links[i - 1 : i + 1])
    found = type_search._slid_in_time(net, path, hypot(4, x[1] - x[0])).elements[1]
    assert found.piece == piece
    assert abs(found.u - u[1]) < SPACING / 50 + 1e-9
    assert abs(found.u - u[0]) <= abs(u[1] - u[0]) + 1e-9


def test_up_to_its_last_leap_a_path_is_made_shortest_by_itself(sampled):
    search, net, labels = sampled
    last, _ = type_search._last(search, net, labels, 1)
    paths = [begins(net, labels, edge)[1] for edge in last.tolist()]
    slides = [isinstance(path.elements[path.over[-1]], Slide) for path in paths]
    least = type_search._shortest_to_last(net, paths)
    for path, cost, free in zip(paths, least, slides, strict=True):
        x = place_of(net, path.elements[1])[0] - 6 if not free else 0.0
        assert cost == pytest.approx(hypot(4.0, x), abs=1e-6)  # to the foot, where it may slide
    begun = [Path(path.elements[1:], path.links[1:]) for path in paths]
    assert type_search._shortest_to_last(net, begun) == [0.0] * len(begun)  # it stands where the leap begins


def test_of_spots_of_a_rim_the_best_that_is_allowed_is_closed_in_on(sampled, monkeypatch):
    """What is barred left of a place costs least just beside it: that is found to within a hair, in a few looks."""
    search, net, labels = sampled
    last, _ = type_search._last(search, net, labels, 1)
    path = next(
        path for x, path in (begins(net, labels, edge) for edge in last.tolist())
        if isinstance(path.elements[path.over[-1]], Slide) and 0.6 < x < 1.3
    )  # fmt: skip
    i = path.over[-1]
    here, piece = place_of(net, path.elements[i])[0], path.elements[i].piece
    for bar in (here - 0.1, here + 0.003):
        mender = Mender(search.table, search.mover, net, 1, landed=True)
        asked = []

        def route(_, one, bar=bar, asked=asked):
            x = place_of(net, one.elements[i])[0] if isinstance(one.elements[i], Slide) else one.elements[i].at[0]
            asked.append(x)
            cost = hypot(x - 6, 4.0) + hypot(9.0 - x, 1.5)
            start, end = (6.0, NEAR - 4), (x, NEAR)
            legs = (Leg("straight", start, end, hypot(x - 6, 4.0)), Leg("leap", end, (9.0, 11.0), hypot(9 - x, 1.5)))
            return None if x > bar else Route(legs) if cost else None

        monkeypatch.setattr(Mender, "route", route)
        found = type_search._held_at_spots(mender, path)
        assert found.route.legs[0].end[0] == pytest.approx(bar, abs=1e-6)
        assert bar - found.route.legs[0].end[0] >= 0
        assert len(asked) <= 33 + 7 * 18  # the cheapest first: the barred half of each look, and one more
        assert min(asked) >= here - SPACING - 1e-9
        assert max(asked) <= here + SPACING + 1e-9
        assert 0 < found.slack < 1e-5
        monkeypatch.undo()
    monkeypatch.setattr(Mender, "route", lambda *_: None)
    assert type_search._held_at_spots(Mender(search.table, search.mover, net, 1, landed=True), path) is None
    still = put(path, i, Fixed(place_of(net, Slide(piece, 0.0))))
    assert type_search._held_at_spots(Mender(search.table, search.mover, net, 1, landed=True), still) is None


def test_round_a_corner_on_whose_arc_the_last_leap_could_begin_as_well_it_begins_in_time():
    """Made shortest alone, the way up to that leap ran all round the corner: 7.0 in, while it takes 5.5 in."""
    low = [
        (9.679285, 5.982609), (12.309001, 5.443777), (13.341076, 10.480718), (10.71136, 11.01955),
        (10.701323, 10.970567), (12.170793, 10.669471), (12.075304, 10.203448), (10.605834, 10.504545),
    ]  # fmt: skip
    deep = [(14.141105, 7.574747), (16.688186, 7.052847), (17.801166, 12.484638), (15.254086, 13.006537)]
    table = sbg.Table(
        24,
        24,
        models={"me": {"at": (10, 10), "base": "25 mm", "height": 1, "move": 6, "side": "good"}},
        terrain={
            "low": {"tags": ["gap"], "depth": 1.0, "polygon": low},
            "deep": {"tags": ["gap", "unscalable"], "depth": 2.5, "polygon": deep},
        },
        rulings=sbg.Rulings({"stand_on": "centre"}),
    )
    verdict = sbg.check(table, sbg.Move("me", (17.523803, 8.679322)), alternatives=False)
    assert verdict.chance == Fraction(5, 36)  # out of the low gap and over the deep one, not over a corner of it too
    assert [leg.kind for leg in verdict.route.legs].count("arc") == 1
    assert sum(leg.cost for leg in verdict.route.legs[:-1]) <= 6
    assert audit(table, "me", verdict.route, allowance=6).legal
