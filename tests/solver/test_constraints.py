"""What ways over must clear: whom a charge is held to where it lands."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from sbg_sim.rules.zones import Zone
from sbg_sim.solver.path.constraints import _free_from, _lands_outside
from sbg_sim.solver.path.paths import Fixed, Link
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


def test_a_way_that_lands_free_is_bound_from_the_next_place_on():
    bound = path(Fixed((0, 0)), Fixed((3, 0)), Fixed((5, 0)), Fixed((8, 0)))
    links = tuple(replace(link, bound=(True, True)) for link in bound.links)
    links = (links[0], replace(links[1], transition=0), links[2])
    found = _free_from(replace(bound, links=links), 0)
    assert [link.bound for link in found.links] == [(True, True), (False, False), (False, True)]
    last = replace(bound, elements=bound.elements[:3], links=links[:2])  # nothing follows
    assert [link.bound for link in _free_from(last, 0).links] == [(True, True), (False, False)]
