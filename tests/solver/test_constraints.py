"""What ways over must clear: whom a charge is held to where it lands."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.rules.zones import Zone
from sbg_sim.solver.path.constraints import _corner_passed, _free_from, _lands_outside, _sides_passed
from sbg_sim.solver.path.paths import Fixed, Link
from sbg_sim.solver.space.surroundings import make_surroundings
from tests.solver.stage import path

ZONE = Zone("orc", (0.0, 0.0), 2.0, 0.0)


@pytest.mark.parametrize(
    ("target", "bound", "away", "outside"),
    [
        (ZONE, (False, True), 2.5, True),
        (ZONE, (False, True), 1.5, False),  # it is bound where it lands
        (ZONE, (False, True), 2.0, False),  # so it is on the very rim
        (ZONE, (False, False), 2.5, False),  # it is to end free
        (ZONE, (True, True), 2.5, False),  # it was bound before
        (None, (False, True), 2.5, False),  # it charges nobody there
    ],
)
def test_a_way_over_that_is_to_end_bound_ends_in_the_zone_of_whom_it_charges(target, bound, away, outside):
    net = SimpleNamespace(transitions=[SimpleNamespace(there=SimpleNamespace(target=target))])
    assert _lands_outside(net, Link(0, transition=0, bound=bound), np.array([[0.0, away]])) is outside


@pytest.mark.parametrize("foot", [(9.5, 3.0), (11.0, 4.5)])
def test_what_a_leap_leads_over_goes_on_evenly_where_it_passes_a_corner_of_its_gap(foot):
    """A roof, and a gap whose corner at (8, 6) it passes: a hair inside it leads over the gap, a hair outside by it."""
    top, pit = [(2, 8), (8, 8), (8, 16), (2, 16)], [(8, 6), (12, 6), (12, 20), (8, 20)]
    roof = sbg.Terrain("roof", ("platform", "unscalable"), sbg.polygon(top), height=1.5)
    gap = sbg.Terrain("gap", ("gap",), sbg.polygon(pit), depth=3.0)
    mover = {"at": (6, 12), "base": 1, "height": 1.5, "move": 10, "on": "roof"}
    table = sbg.Table(24, 24, models={"m": mover}, terrain={"roof": roof, "gap": gap})
    ways = make_surroundings(table, table.model("m"), reach=12.0).transitions
    (leap,) = (way for way in ways if way.brim is not None and way.source != way.dest and not way.inward)
    corner, q = np.array([8.0, 6.0]), np.array([foot])
    across = (corner - q) @ [[0.0, -1.0], [1.0, 0.0]] / np.hypot(*(corner - q)[0])
    x, y = foot
    up_to = np.hypot(2.0, 2.0 * (x - 8) / (6 - y))  # from the roof's edge, two inches above the corner
    places = [corner + (corner - q) * 1.5 + off * across for off in (-1e-5, 1e-5)]
    assert [float(leap.over(p, q, beside=True)[0]) for p in places] == pytest.approx([up_to, up_to], abs=1e-4)
    assert sorted(float(leap.over(p, q)[0]) for p in places) == pytest.approx([0.0, up_to], abs=1e-4)


def test_a_way_that_lands_free_is_bound_beyondthe_next_place_on():
    bound = path(Fixed((0, 0)), Fixed((3, 0)), Fixed((5, 0)), Fixed((8, 0)))
    links = tuple(replace(link, bound=(True, True)) for link in bound.links)
    links = (links[0], replace(links[1], transition=0), links[2])
    found = _free_from(replace(bound, links=links), 0)
    assert [link.bound for link in found.links] == [(True, True), (False, False), (False, True)]
    last = replace(bound, elements=bound.elements[:3], links=links[:2])  # nothing follows
    assert [link.bound for link in _free_from(last, 0).links] == [(True, True), (False, False)]


@pytest.mark.parametrize("beyond", [0.0, 5.0])
def test_a_leap_that_grows_too_long_at_once_has_passed_a_corner(beyond):
    """From the origin to y = 2: right of x = 3 there, past (1.5, 1), it leads over an arm as well."""
    corners = np.array([[[0.0, 5.0, 9.0, 5.0], [1.5, 1.0, 1.5, 9.0]]])
    arm = SimpleNamespace(
        over=lambda p, q: np.where(q[:, 0] < 3.0, 1.0, beyond),
        way=SimpleNamespace(longest=2.0),
        firm=None,
        body=SimpleNamespace(spines=corners),
    )
    here, left, right = (np.array([at]) for at in ((0.0, 0.0), (2.0, 2.0), (4.5, 2.0)))
    found = _corner_passed(arm, (here, left), (here, right))
    assert found == ((1.5, 1.0, 0.0) if beyond > 2 else None)
    arm.firm = corners
    assert _corner_passed(arm, (here, left), (here, right)) is None


def test_a_leap_that_meets_but_one_side_of_its_gap_is_between_none():
    one, two = [[0.0, 1.0, 9.0, 1.0]], [[0.0, 1.0, 9.0, 1.0], [0.0, 2.0, 9.0, 2.0]]
    for spines, count in ((one, 0), (two, 1)):
        gap = SimpleNamespace(
            source=0, dest=0, firm=None, here=SimpleNamespace(radius=0.5),
            body=SimpleNamespace(spines=np.array(spines), rho=np.full(len(spines), 0.5)),
        )  # fmt: skip
        assert len(_sides_passed(gap, np.array([[3.0, 0.0]]), np.array([[3.0, 3.0]]))) == count
