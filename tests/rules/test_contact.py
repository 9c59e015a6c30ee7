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


@pytest.mark.parametrize(("spare", "within"), [(1e-3, True), (-1e-3, False)])
def test_a_wide_charger_touches_from_all_levels_that_its_base_reaches_to(spare, within):
    """Its near rim at the target, its far rim on a low top beyond, all but its own width of 100 mm away from it."""
    wide = 100 / 25.4
    me = {"base": wide, "height": 4, "move": 9, "side": "good", "at": [10 - wide / 2, 10], "on": "tower"}
    foe = {"base": 2 * RADIUS, "height": 1.2, "move": 6, "side": "evil", "at": [10 + RADIUS, 10]}
    near = 10 + 2 * RADIUS + wide - spare
    terrain = {
        "tower": {"tags": ["platform"], "height": 3, "polygon": [[2, 5], [10, 5], [10, 15], [2, 15]]},
        "low": {"tags": ["platform"], "height": 1, "polygon": [[near, 5], [near + 9, 5], [near + 9, 15], [near, 15]]},
    }
    table = sbg.Table(40, 20, models={"me": me, "foe": foe}, terrain=terrain).under("contact_across_heights", "yes")
    found = contact_levels(table, table.model("me"), [table.model("foe")])
    assert set(found) == ({None, "low"} if within else {None})
