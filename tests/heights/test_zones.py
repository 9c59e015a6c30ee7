"""Control Zones of models that stand higher or lower than the mover (CZ.1, ruling ``zones_across_surfaces``)."""

from math import acos, atan2, hypot, sqrt

import pytest

from sbg_sim.solver.charges import charges
from tests.heights.stage import POLISHED, box, charge, move, mover, other, piece, table

OTHER = "zones_across_surfaces = yes"


def terrace(height=0.5):
    """A platform with its near face at x = 8; half an inch is stepped onto."""
    return piece("t", "platform", box(8, 4, 14, 20), height=height)


def both(*things):
    return table(*things), table(*things, zones_across_surfaces="yes")


def test_who_stands_above_binds_below_only_when_ruled_so():
    """Bases are an inch: centres nearer than 2 are in the zone, whatever is between in height."""
    plain, ruled = both(mover(6, 9), terrace(), other("e", 8.5, 12, on="t"))
    found = move(plain, (7.3, 12), alternatives=True)
    assert (found.answer, found.needed) == ("yes", pytest.approx(hypot(1.3, 3), abs=POLISHED))
    assert OTHER in found.rulings
    closed = move(ruled, (7.3, 12), alternatives=True)
    assert (closed.answer, closed.violations[0].rule, closed.violations[0].blame) == ("no", "CZ.1", "e")
    assert "zones_across_surfaces = no" in closed.rulings
    assert move(ruled, (6.5, 12)).answer == "yes"  # the rim may be touched


def test_who_stands_below_binds_above_only_when_ruled_so():
    plain, ruled = both(mover(10, 9, on="t"), terrace(), other("e", 7.4, 12))
    assert move(plain, (8.5, 12), "t").answer == "yes"
    assert move(ruled, (8.5, 12), "t").violations[0].rule == "CZ.1"


def test_a_way_past_a_zone_above():
    """Straight past below it is 6; round the zone it is two tangents and an arc on a circle of 2 in."""
    plain, ruled = both(mover(7, 9, move=9.0), terrace(3.0), other("e", 8.5, 12, on="t"))
    assert move(plain, (7, 15)).needed == pytest.approx(6, abs=POLISHED)
    round_it = move(ruled, (7, 15))
    away = hypot(1.5, 3)
    around = 2 * sqrt(away**2 - 4) + 2 * 2 * (atan2(3, 1.5) - acos(2 / away))
    assert (round_it.answer, round_it.needed) == ("yes", pytest.approx(around, abs=POLISHED))


def test_stuck_under_a_zone():
    plain, ruled = both(mover(7.4, 12), terrace(3.0), other("e", 8.5, 12, on="t"))
    assert move(plain, (7.45, 12)).answer == "yes"
    assert move(ruled, (7.45, 12)).violations[0].rule == "CZ.4"
    assert move(ruled, (6, 12)).answer == "yes"


@pytest.mark.parametrize("reading", ["no", "yes"])
def test_a_charge_up_a_step(reading):
    """Bound or not below, the way leads straight up the step into contact."""
    found = charge(table(mover(6, 12), terrace(), other("e", 9.5, 12, on="t"), zones_across_surfaces=reading), "e")
    assert (found.answer, found.needed) == ("yes", pytest.approx(2.5, abs=POLISHED))


def test_who_would_bind_a_charge():
    """On the straight way to e the zone of g, who stands on the terrace, is entered first, where it binds below."""
    things = (mover(7, 4), terrace(3.0), other("g", 8.5, 9, on="t"), other("e", 7, 14))
    for at, binds in zip(both(*things), ((), ("g",)), strict=True):
        (entry,) = (e for e in charges(at, "m").entries if e.target == "e")
        assert entry.binds == binds


def test_a_way_to_another_level_keeps_out_of_the_zones_of_both():
    """Up beside the zone, over with slope m: 5 s - m - 3 in all, where s = sqrt(1 + m^2); least where 5 m = s."""
    things = terrace(), other("e", 8.5, 12, on="t")
    up = move(table(mover(7.5, 11), *things), (8.5, 10), "t")
    assert up.needed == pytest.approx(sqrt(24) - 3, abs=POLISHED)
    back = move(table(mover(8.5, 10, on="t"), *things), (7.5, 11))
    assert back.needed == pytest.approx(sqrt(24) - 3, abs=POLISHED)


def test_no_way_back_into_a_zone_by_another_level():
    """Stuck in the zone of who stands beside it, it steps down, and up again only out of the zone (CZ.4)."""
    deck = piece("t", "platform", box(3.5, 2, 8.5, 4), height=0.4)
    at = table(mover(7.892, 2.879, on="t"), deck, other("e", 6.396, 2.989, on="t"))
    found = move(at, (4.183, 2.728), "t")
    (up,) = (leg for leg in found.route.legs if leg.kind == "up")
    assert hypot(up.start[0] - 6.396, up.start[1] - 2.989) >= 2 - 1e-6


def test_two_zones_entered_by_the_same_step_leave_the_choice():
    """At the foot of the step it is in neither zone, on the step in both at once (CHG.3)."""
    things = terrace(), other("e", 8.6, 12, on="t"), other("f", 8.6, 13.2, on="t")
    at = table(mover(7.5, 12.6), *things)
    for target in ("e", "f"):
        assert charge(at, target).answer == "yes"
