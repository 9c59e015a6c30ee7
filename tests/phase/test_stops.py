"""Where a model is when its die stops it on the way, over walls and before enemies (JMP.1, CLB.1)."""

import math

import pytest

from sbg_sim.phase import Phase
from sbg_sim.table.faults import table_faults
from sbg_sim.table.record import MoveRecord
from sbg_sim.tolerance import APART
from tests.phase.tables import box, man, table

LOW = box("low", 12, 0, 12.5, 24, "obstacle", height=1.0)
TALL = box("tall", 12, 0, 12.5, 24, "obstacle", height=2.0)


def after(move, die, wall, x=15.0, *, prone=False, **rulings):
    """Gimli at (10, 12) with ten inches, an orc beyond the wall; his place, whom he fights, and what is said."""
    gimli, orc = man("gimli", (10, 12), move=10.0), man("orc", (x, 12), "evil", prone=prone)
    phase = Phase.begin(table(gimli, orc, terrain=[wall], rulings=rulings), "good")
    phase = phase.push(MoveRecord("gimli", **move), die)
    now = phase.table.model("gimli")
    return now, phase.steps[-1].reason


@pytest.mark.parametrize(("die", "x", "engaged"), [(1, 11.5, False), (3, 13.0, False), (6, 14.0, True)])
def test_a_charge_that_a_jump_stops_reaches_nobody(die, x, engaged):
    """Before the wall on a 1, behind it on a 2 to 5, and on to the orc on a 6."""
    now, said = after({"charge": ("orc",)}, [die], LOW)
    assert now.at == pytest.approx((x, 12))
    assert now.engaged == ({"orc"} if engaged else set())
    assert said.startswith("gimli charges orc" if engaged else f"gimli does not reach orc and ends at ({x:g}, 12)")


@pytest.mark.parametrize(("reading", "die", "engaged"), [("charge", 3, True), ("apart", 3, False), ("apart", 6, True)])
def test_a_jump_that_lands_beside_who_lies(reading, die, engaged):
    """Just behind the wall bases touch: a charge by one reading; by the other only a 6 goes on to it.

    Straight back from him would lead into the wall: he is set down beside.
    """
    now, _ = after({"charge": ("orc",)}, [die], LOW, x=14.0, prone=True, jump_into_contact=reading)
    assert now.engaged == ({"orc"} if engaged else set())
    apart = math.dist(now.at, (14, 12)) - 1.0
    assert apart == pytest.approx(0.0, abs=1e-9) if engaged else APART / 2 <= apart <= 2 * APART
    assert now.at[0] >= 13 - 1e-6


@pytest.mark.parametrize(
    ("reading", "dice", "x", "climbed"),
    [
        ("over", [3], 13.0, 0.0),  # one test does all, and stops behind the wall
        ("over", [6], 13.2, 0.0),
        ("down", [3], 11.5, 2.0),  # it clings to the top of a wall that cannot be stood on
        ("down", [6, 6], 13.2, 0.0),
    ],
)
def test_over_a_wall_that_must_be_climbed(reading, dice, x, climbed):
    now, _ = after({"to": (13.2, 12)}, dice, TALL, x=20.0, climb_over=reading)
    assert (now.at, now.climbed) == (pytest.approx((x, 12)), climbed)


@pytest.mark.parametrize("reading", ["over", "down"])
@pytest.mark.parametrize(("die", "x", "on"), [(1, 10.5, "pit"), (3, 11.5, None), (6, 12.0, None)])
def test_out_of_a_pit_that_must_be_climbed(reading, die, x, on):
    """A side of 2 in, more than his height: at its foot on a 1, at the brim on a 2 to 5, hanging nowhere."""
    pit = box("pit", 6, 8, 11, 16, "gap", depth=2.0)
    gimli = man("gimli", (9, 12), move=12.0, on="pit")
    phase = Phase.begin(
        table(gimli, man("orc", (20, 12), "evil"), terrain=[pit], rulings={"climb_over": reading}), "good"
    )
    now = phase.push(MoveRecord("gimli", to=(12.0, 12.0)), [die]).table.model("gimli")
    assert (now.at, now.on, now.climbed, now.prone) == (pytest.approx((x, 12)), on, 0.0, die == 1)


def test_rounding_leads_into_nothing_that_the_way_down_touches():
    """Down the side at x = 7.5, as near to the gap as its edge at y = 6.5 lets a base: y = 7 to within a micro-inch."""
    top, gap = box("top", 6, 5.75, 7.5, 9.5, "platform", height=1.5), box("gap", 8, 1.5, 11, 6.5, "gap", depth=2.0)
    merry = man("merry", (7, 6.75), base=1.0, height=0.9, on="top")
    phase = Phase.begin(table(merry, man("orc", (20, 20), "evil"), terrain=[top, gap]), "good")
    now = phase.push(MoveRecord("merry", to=(11.5, 3.938)), [2]).table
    assert (now.model("merry").at, now.model("merry").on) == (pytest.approx((8, 7), abs=2e-6), None)
    assert table_faults(now) == []


ROOF = box("roof", 6, 8, 10, 16, "platform", height=2.0)


def charged(gimli, *others, terrain, dice, rulings=()):
    """The table after Gimli charges the first of the others, who are enemies, and whom he is said to reach."""
    there = table(gimli, *others, terrain=terrain, rulings=dict(rulings))
    phase = Phase.begin(there, "good").push(MoveRecord("gimli", charge=(others[0].id,)), dice)
    return phase.table, phase.steps[-1]


def test_who_falls_before_whom_it_charges_lies_apart():
    """Down a face of 2 in to an orc at its foot: a 1 lets him fall there, a hair from it and no fight (CZ.3, PRN.3)."""
    gimli, orc = man("gimli", (9, 12), base=1.0, on="roof"), man("orc", (11.5, 12), "evil", base=1.0)
    now, step = charged(gimli, orc, terrain=[ROOF], dice=[1])
    fallen = now.model("gimli")
    assert (fallen.prone, fallen.engaged, now.model("orc").engaged) == (True, frozenset(), frozenset())
    assert 1 + APART / 2 <= math.dist(fallen.at, (11.5, 12)) < 1.3
    assert step.reason.startswith("gimli does not reach orc")
    now, _ = charged(gimli, orc, terrain=[ROOF], dice=[2])
    assert now.model("gimli").engaged == {"orc"}


@pytest.mark.parametrize("die", [1, 3, 6])
def test_who_jumps_one_that_lies_to_charge_another_is_set_down_touching_neither(die):
    """In a lane over Ugluk to an orc: a 1 means Ugluk must be charged, a 6 leads on, a 3 beyond him and to nobody."""
    lane = [box(name, 0, y, 18, y + 0.4, "unscalable", height=5.0) for name, y in (("low", 11), ("high", 12.6))]
    lying = {"base": 1.0, "prone": True}
    orc, ugluk = man("orc", (12, 12), "evil", **lying), man("ugluk", (9, 12), "evil", **lying)
    now, step = charged(man("gimli", (7, 12), base=1.0), orc, ugluk, terrain=lane, dice=[die])
    gimli, told = now.model("gimli"), {1: {"ugluk"}, 3: set(), 6: {"orc"}}[die]
    assert (gimli.engaged, set(step.engaged)) == (told, told)
    assert gimli.at == pytest.approx({1: (8, 12), 3: (10 + APART, 12), 6: (11, 12)}[die], abs=1e-9)


@pytest.mark.parametrize(("reading", "engaged"), [("charge", {"orc"}), ("apart", set())])
def test_a_move_that_a_die_sets_down_touching_who_lies_is_a_charge_by_one_reading(reading, engaged):
    """Drawn over a wall and on past an orc that lies just behind it: with a 2 it ends where it lands, touching him."""
    orc = man("orc", (14, 12), "evil", base=1.0, prone=True)
    wall = box("wall", 12, 0, 12.5, 24, "obstacle", height=1.0)
    there = table(man("gimli", (10, 12), base=1.0), orc, terrain=[wall], rulings={"jump_into_contact": reading})
    move = MoveRecord("gimli", path=((10, 12), (13, 12), (13, 13.5)))
    for die, fought in ((1, set()), (2, engaged), (6, set())):
        now = Phase.begin(there, "good").push(move, [die]).table.model("gimli")
        assert now.engaged == fought
        assert math.dist(now.at, (14, 12)) >= (1 - 1e-6 if fought else 1 + APART / 2)
