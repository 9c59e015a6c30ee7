"""Reinforcements: from a point of the edge, whole warbands, and proofs that there is no room."""

from __future__ import annotations

import math

import pytest

import sbg_sim as sbg
from sbg_sim.errors import QuestionError
from sbg_sim.geometry.shapes import line
from sbg_sim.phase import IllegalMoveError, Phase, replay
from sbg_sim.phase.deploy import deploy
from sbg_sim.referee import audit
from sbg_sim.table.record import MoveRecord, Record
from sbg_sim.table.terrain import Terrain
from sbg_sim.tolerance import APART
from tests.phase.tables import R, box, man, table

POINT = (0.0, 12.0)


def outside(count: int = 1, *others, **more) -> tuple[Phase, list[str]]:
    names = [f"ranger-{i}" for i in range(count)]
    band = frozenset({"warband"})
    models = [man(n, keywords=band) for n in names]
    foe = man("orc", (20, 20), "evil")
    return Phase.begin(table(*models, foe, *others, off=tuple(names), **more), "good"), names


def pocket(width: float, depth: float) -> list:
    """A room open only to the edge, of a width along it and a depth, about (0, 12)."""
    low, high = 12 - width / 2, 12 + width / 2
    return [
        box("low", 0, low - 1, depth + 1, low, "unscalable"),
        box("high", 0, high, depth + 1, high + 1, "unscalable"),
        box("back", depth, low, depth + 1, high, "unscalable"),
    ]


def refused(phase: Phase, **does) -> list[str]:
    return [v.rule for v in phase.explain(MoveRecord("ranger-0", **does))]


def test_reinforcements_come_on_after_the_side_has_moved():
    phase, _ = outside()
    assert refused(phase, arrive=POINT) == ["REINF.1"]
    assert refused(phase, to=(3, 12)) == ["REINF.1"]
    phase = phase.end()
    assert phase.reinforcing
    assert phase.movable == ("ranger-0",)
    after = phase.push(MoveRecord("ranger-0", arrive=POINT, to=(5.5, 12)))
    assert after.steps[-1].used == pytest.approx(5.5 + R)
    assert "ranger-0" not in after.table.off
    assert refused(phase, arrive=POINT, to=(5.51, 12)) == ["MOV.3"]
    assert refused(phase, arrive=(3.0, 12.0)) == ["REINF.1"]
    assert refused(phase, arrive=POINT, charge=("orc",)) == ["REINF.1"]


@pytest.mark.parametrize(
    ("point", "at", "used"),
    [
        ((0, 12), (R, 12), 2 * R),
        ((24, 12), (24 - R, 12), 2 * R),
        ((12, 0), (12, R), 2 * R),
        ((12, 24), (12, 24 - R), 2 * R),
        ((0, 0), (R, R), 2 * R * math.sqrt(2)),
    ],
)
def test_from_every_edge(point, at, used):
    phase, _ = outside()
    step = phase.end().push(MoveRecord("ranger-0", arrive=point)).steps[-1]
    assert step.at == pytest.approx(at)
    assert step.used == pytest.approx(used)


@pytest.mark.parametrize(("low", "wrong"), [(0.0, ["MOV.5"]), (2.0, [])])
def test_no_die_is_thrown_before_the_base_is_on_the_table(low, wrong):
    """Onto a top at the very edge a 1 would leave it outside; 2 in farther in it stops before the top."""
    phase, _ = outside(terrain=[box("top", low, 9, 6, 15, "platform", height=1.2)])
    phase = phase.end()
    move = {"arrive": POINT, "to": (low + 1.0, 12.0), "on": "top"}
    assert refused(phase, **move) == wrong
    if not wrong:
        assert phase.push(MoveRecord("ranger-0", **move), [1]).table.model("ranger-0").at == pytest.approx((2 - R, 12))


@pytest.mark.parametrize(("reading", "engaged", "apart"), [("yes", {"ugluk"}, 0.0), ("no", set(), APART)])
def test_who_comes_on_and_fails_to_jump_an_enemy_must_charge_it_or_stops(reading, engaged, apart):
    """In a lane at the edge: PRN.5 says that it must, REINF.1 that it may not."""
    lane = [box(name, 0, y, 9, y + 0.4, "unscalable", height=5.0) for name, y in (("low", 11), ("high", 12.6))]
    ugluk = man("ugluk", (2 + 2 * R, 12), "evil", prone=True)
    phase, _ = outside(1, ugluk, terrain=lane, rulings={"reinforcement_must_charge": reading})
    phase = phase.end().push(MoveRecord("ranger-0", arrive=POINT, to=(5.2, 12)), [1])
    came = phase.table.model("ranger-0")
    assert (came.engaged, math.dist(came.at, (2, 12))) == (engaged, pytest.approx(apart, abs=2e-6))
    assert ("must charge" in phase.steps[-1].reason) is bool(engaged)


@pytest.mark.parametrize("point", [(0, 30), (0, -3), (24, 24.1), (30, 24), (-3, 0), (12, 30)])
def test_what_goes_on_beyond_a_corner_is_no_edge(point):
    phase, names = outside()
    assert refused(phase.end(), arrive=point) == ["REINF.1"]
    with pytest.raises(QuestionError, match="no point of the table's edge"):
        deploy(phase.table, names, point)


def test_with_the_centre_on_the_edge_as_ruled():
    phase, _ = outside(rulings={"edge_entry": "centre"})
    step = phase.end().push(MoveRecord("ranger-0", arrive=POINT, to=(6, 12))).steps[-1]
    assert step.used == pytest.approx(6)


def test_nobody_enters_a_control_zone_from_outside():
    phase, _ = outside(1, man("guard", (1, 12), "evil"))
    assert refused(phase.end(), arrive=POINT) == ["CZ.1"]


def test_a_drawn_way_on():
    phase, _ = outside()
    step = phase.end().push(MoveRecord("ranger-0", arrive=POINT, path=((0, 12), (2, 12), (2, 14)))).steps[-1]
    assert step.used == pytest.approx(R + 4)


def test_a_warband_comes_from_one_point_and_whole():
    phase, _ = outside(2)
    phase = phase.end().push(MoveRecord("ranger-0", arrive=POINT, to=(3, 12)))
    elsewhere = phase.explain(MoveRecord("ranger-1", arrive=(0, 3)))
    assert [v.rule for v in elsewhere] == ["REINF.2"]
    with pytest.raises(IllegalMoveError, match=r"REINF\.2"):
        phase.end()
    half = replay(phase.record())
    assert not half.legal
    assert half.violations[0].rule == "REINF.2"
    moves = (*phase.record().record.moves, MoveRecord("orc", to=(20, 20)))
    sent = replay(phase.start, Record("good", moves))
    assert not sent.legal
    assert "orc is of evil" in sent.steps[-1].violations[0].reason  # before the whole warband is there
    phase = phase.push(MoveRecord("ranger-1", arrive=POINT)).end()
    assert phase.side == "evil"


WARBAND = """
[table]
width = 24
depth = 24
[profiles.ranger]
base = "25 mm"
height = 1.5
move = 6
keywords = ["Warband-1"]
[models.ranger-0]
profile = "ranger"
side = "good"
off_table = true
[models.ranger-1]
profile = "ranger"
side = "good"
off_table = true
[phase]
priority = "good"
[[moves]]
model = "ranger-0"
arrive = [0, 12]
to = [3, 12]
[[moves]]
model = "ranger-1"
arrive = [0, 12]
"""


def test_a_record_holds_a_warband_to_its_point():
    assert replay(sbg.loads(WARBAND)).legal
    last = 'model = "ranger-1"\narrive = [0, 12]'
    apart = replay(sbg.loads(WARBAND.replace(last, last.replace("12", "20")))).steps[-1]
    assert not apart.legal
    assert apart.rules == ("REINF.2",)
    left = replay(sbg.loads(WARBAND.replace("[[moves]]\n" + last, "")))
    assert [violation.rule for violation in left.violations] == ["REINF.2"]
    assert replay(sbg.loads(WARBAND.replace(last, last.replace("12", "20")).replace("Warband-1", "infantry"))).legal


def test_who_is_delayed_waits():
    phase, names = outside(2)
    phase = phase.delay(names)
    assert phase.end().side == "evil"
    with pytest.raises(QuestionError):
        phase.delay(["orc"])


def test_no_half_of_a_warband_is_delayed():
    """REINF.2: whoever waits outside, waits with all of its warband; whichever half is said first."""
    phase, _ = outside(2)
    half = phase.end().push(MoveRecord("ranger-0", arrive=POINT))
    late = half.explain(MoveRecord("ranger-1", delayed=True))
    assert [(v.rule, v.blame) for v in late] == [("REINF.2", "ranger-0")]
    waits = phase.end().push(MoveRecord("ranger-1", delayed=True))
    assert refused(waits, arrive=POINT) == ["REINF.2"]
    moves = (MoveRecord("ranger-0", arrive=POINT), MoveRecord("ranger-1", delayed=True))
    assert not replay(phase.table, Record("good", moves)).legal
    assert replay(phase.table, Record("good", (moves[1],))).legal


def test_warbands_of_two_sides_may_have_one_name():
    band = frozenset({"warband"})
    orc = man("orc", side="evil", keywords=band)
    here = table(
        man("ranger", keywords=band), orc, man("a", (12, 12)), man("x", (12, 16), "evil"), off=("ranger", "orc")
    )
    phase = Phase.begin(here, "good").end().push(MoveRecord("ranger", arrive=POINT)).end().end()
    assert phase.push(MoveRecord("orc", arrive=(24.0, 12.0))).table.off == frozenset()


def test_a_warband_finds_room_and_the_referee_agrees():
    phase, names = outside(8)
    found = deploy(phase.table, names, POINT)
    assert (found.answer, found.bonus) == ("yes", 0)
    played = replay(phase.table, Record("good", found.moves))
    assert played.legal
    here = phase.table
    for step in played.steps:
        assert audit(here, step.model, step.route).legal
        models = here.models.with_item(step.model, played.table.model(step.model))
        here = type(here)(24.0, 24.0, models, off=here.off - {step.model})


def test_four_fill_a_pocket_of_two_by_two_and_five_do_not_fit():
    walls = pocket(2.0, 2.0)
    four, names = outside(4, terrain=walls)
    assert deploy(four.table, names, POINT).answer == "yes"
    # Centres keep within a square of side 1: 2 / sqrt(3) + 4 / 2 + 1 = 4.15 points an inch apart.
    five, names = outside(5, terrain=walls)
    found = deploy(five.table, names, POINT)
    assert (found.answer, found.room, found.bonus) == ("no", 4, 1)


def test_a_closed_point_has_room_for_nobody():
    block = box("block", 0, 11, 1, 13, "unscalable")
    phase, names = outside(1, terrain=[block])
    assert deploy(phase.table, names, POINT).answer == "no"
    guarded, names = outside(1, man("guard", (1, 12), "evil"))
    assert deploy(guarded.table, names, POINT).answer == "no"


def test_the_bound_never_denies_what_can_be_placed():
    for width, depth in ((1.2, 1.2), (1.2, 3.2), (3.1, 1.1), (2.2, 3.1)):
        for count in (1, 2, 3, 6):
            phase, names = outside(count, terrain=pocket(width, depth))
            fits = math.floor(width) * math.floor(depth) >= count
            assert not fits or deploy(phase.table, names, POINT, budget=0).room == count


def test_a_warband_of_several_bases_round_a_platform():
    """The search goes round the sheer platform before the point, and finds places for the small and the large."""
    deck = box("deck", 1, 10, 3, 12.5, "platform unscalable", height=3.0)
    models = [man("troll", base=2.0), man("orc-1"), man("orc-2", base=0.8)]
    phase = Phase.begin(table(*models, terrain=[deck], off=("troll", "orc-1", "orc-2")), "good")
    found = deploy(phase.table, ["troll", "orc-1", "orc-2"], (0.0, 14.0))
    assert (found.answer, len(found.moves)) == ("yes", 3)
    phase = phase.end()
    for move in found.moves:
        assert phase.explain(move) == ()
        phase = phase.push(move)
    placed = [phase.table.model(m.id) for m in models]
    assert all(float(deck.shape.distance([m.at])[0]) >= m.radius - 1e-9 for m in placed)
    assert all(math.dist(a.at, b.at) >= a.radius + b.radius - 1e-9 for a in placed for b in placed if a is not b)


def test_a_search_without_time_decides_nothing():
    phase, names = outside(3)
    assert deploy(phase.table, names, POINT).answer == "yes"
    found = deploy(phase.table, names, POINT, budget=0)
    assert (found.answer, found.moves, found.bonus) == ("undecided", (), 0)


@pytest.mark.parametrize(("count", "answer"), [(4, "yes"), (5, "no")])
def test_a_pocket_between_thick_lines(count, answer):
    """Lines half an inch to each side leave a room of two by two: four bases of an inch fit, and five do not."""
    walls = [
        Terrain(name, frozenset({"unscalable"}), line(spots, thickness=1.0))
        for name, spots in {
            "low": [(0.5, 10.5), (2.5, 10.5)], "high": [(0.5, 13.5), (2.5, 13.5)], "back": [(2.5, 10.5), (2.5, 13.5)],
        }.items()
    ]  # fmt: skip
    phase, names = outside(count, terrain=walls)
    found = deploy(phase.table, names, POINT)
    assert found.answer == answer
