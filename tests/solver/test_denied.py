"""What zones on other levels take away: the reach without a zone less the reach with it, drawn as a whole."""

from __future__ import annotations

import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.solver.denials import denials
from sbg_sim.solver.reach import reach

FOE = {"base": 1, "height": 1.5, "move": 6, "side": "evil"}
TOP = [(8, 0), (11, 0), (11, 24), (8, 24)]  # all across the table


def table(foe, *, height=0.4, ladders=False, on="top", move=8):
    """A strip that one steps onto and off, or climbs by ladders, and an enemy on it."""
    tags = ["platform", "unscalable"] if ladders else ["platform"]
    terrain = {"top": {"tags": tags, "polygon": TOP, "height": height}}
    if ladders:
        terrain |= {name: {"tags": ["ladder"], "at": (x, 12), "to": "top"} for name, x in (("west", 8), ("east", 11))}
    models = {"m": {"at": (6.5, 12), "base": 1, "height": 1.5, "move": move, "side": "good"}, "foe": FOE | {"at": foe}}
    models["foe"] |= {"on": on} if on else {}
    return sbg.Table(28, 24, models=models, terrain=terrain)


@pytest.mark.parametrize(
    ("foe", "given"),
    [
        ((9.5, 12), {"move": 6.5}),
        ((10.2, 9.0), {}),
        ((9.5, 13.5), {"ladders": True, "height": 0.6, "move": 6.5}),
        ((5.0, 15.5), {"on": None}),
    ],
)
def test_as_much_is_lost_as_the_reach_without_the_zone_holds_more(foe, given):
    """Shifts by a short ladder lead farther than they cost: what lies behind the zone reaches as far."""
    on = table(foe, **given)
    (found,) = denials(on, "m")
    now, freed = reach(on, "m", least=1), reach(on, "m", without=frozenset({"foe"}), least=1)
    lost = shapely.difference(freed.area, now.area)
    assert found.area == pytest.approx(lost.area, abs=0.02)
    assert found.area > 1
    assert found.area_without == pytest.approx(now.area.area + found.area)
    assert shapely.symmetric_difference(found.region, lost).area < 0.02


def test_out_of_reach_a_zone_takes_nothing_away():
    (found,) = denials(table((9.5, 22.5)), "m")
    assert (found.area, found.region.is_empty) == (0.0, True)
