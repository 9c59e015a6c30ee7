"""On which levels a base can touch whom it charges (CHG.1)."""

import itertools

import pytest

import sbg_sim as sbg
from sbg_sim.rules.contact import contact_levels

TABLE = """
[table]
width = 40
depth = 20

[profiles.any]
base = "25 mm"
height = 1.2

[models]
me = { profile = "any", side = "good", at = [4, 10], move = 6 }
low = { profile = "any", side = "evil", at = [9.4, 10] }
high = { profile = "any", side = "evil", at = [HIGH, 10], on = "top" }

[terrain.top]
tags = ["platform"]
polygon = [[10, 5], [20, 5], [20, 15], [10, 15]]
height = 0.5
"""
RADIUS = 25 / 25.4 / 2


@pytest.mark.parametrize(("inside", "levels"), [(RADIUS, {None, "top"}), (RADIUS + 1e-3, {"top"})])
def test_two_on_two_levels_are_touched_on_the_ground_only_by_the_side(inside, levels):
    """Whoever stands farther inside the top than its radius is not touched from beside it, in whatever order told."""
    table = sbg.loads(TABLE.replace("HIGH", repr(10 + inside)))
    models = table.models
    for pair in itertools.permutations([models["low"], models["high"]]):
        assert set(contact_levels(table, models["me"], list(pair))) == levels
