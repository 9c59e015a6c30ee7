"""Where an enemy comes into contact as it walks, held against the definition: an area grown, part by part."""

from __future__ import annotations

import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.geometry.areas import parts_joined
from sbg_sim.threats.chargeable import in_contact, walked
from tests.benchmarks.crowds import mixed


def touching(part, by):
    """Places so far from some place of a part; those near to all of a small one a base would cover."""
    about = shapely.buffer(part, by, quad_segs=96)
    if shapely.minimum_bounding_radius(part) >= by:
        return about
    corners = shapely.points(shapely.get_coordinates(shapely.convex_hull(part)))
    return about - shapely.intersection_all(shapely.buffer(corners, by, quad_segs=96))


@pytest.mark.parametrize("name", ["m20", "m8"])
def test_contact_is_what_all_parts_of_an_area_touch(name):
    table = mixed(311, models=24, pieces=12, size=24.0)
    model = table.model("m5")
    alone = sbg.Table(24, 24, models={n: m for n, m in table.models.items() if n != "m5"}, terrain=dict(table.terrain))
    walk = sbg.reach(alone, name)
    by = walk.mover.radius + model.radius
    rows = in_contact(walk, model)
    small = [p for _, area in rows for p in parts_joined(area) if shapely.minimum_bounding_radius(p) < by]
    assert len(rows) > 1
    assert small
    for within in (shapely.box(0, 0, 24, 24), shapely.box(6, 8, 13, 17), shapely.Point(10, 20).buffer(1.0)):
        found = dict(walked(walk, model, within))
        for chance, area in rows:
            plain = shapely.union_all([touching(part, by) for part in parts_joined(area)]) & within
            assert shapely.symmetric_difference(found.get(chance, shapely.Polygon()), plain).area < 0.02
