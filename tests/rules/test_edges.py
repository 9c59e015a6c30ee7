"""Whose outline lies between two levels that meet in plan."""

from __future__ import annotations

import pytest

import sbg_sim as sbg
from sbg_sim.rules.passages import _edge_between


def box(x0, y0, x1, y1):
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


TERRAIN = {
    "top": {"tags": ["platform"], "polygon": box(4, 4, 14, 14), "height": 3},
    "pit": {"tags": ["gap"], "polygon": box(6, 6, 9, 9), "depth": 2, "on": "top"},
    "ditch": {"tags": ["gap"], "polygon": box(18, 4, 22, 14), "depth": 2},
    "block": {"tags": ["platform"], "polygon": box(19, 5, 21, 8), "height": 1, "on": "ditch"},
    "next": {"tags": ["platform"], "polygon": box(14, 4, 18, 14), "height": 2},
    "deep": {"tags": ["gap"], "polygon": box(22, 4, 26, 14), "depth": 3},
    "far": {"tags": ["platform"], "polygon": box(30, 4, 34, 14), "height": 3},
}


@pytest.mark.parametrize(
    ("low", "top", "edge"),
    [
        (None, "top", "top"),  # what stands out of the ground
        ("pit", "top", "pit"),  # the gap cut into it
        ("ditch", None, "ditch"),
        ("ditch", "block", "block"),
        ("next", "top", "top"),  # of two that touch the higher
        ("ditch", "next", "next"),
        ("deep", "ditch", "deep"),  # of two gaps that touch the lower
        ("next", "far", None),
        ("ditch", "far", None),
        (None, None, None),
    ],
)
def test_between_two_levels_lies_the_gap_or_what_stands_out(low, top, edge):
    table = sbg.Table(40, 20, models={}, terrain=TERRAIN)
    found = _edge_between(table, low, top)
    assert (None if found is None else found.id) == edge
