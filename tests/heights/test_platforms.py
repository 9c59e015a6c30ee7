"""Up onto platforms and down: stepping, jumping, climbing, ladders, descents and falls (TER.3-4, CLB, FALL)."""

from math import acos, cos, hypot, pi, radians, sin, tan

import pytest

from sbg_sim.dice.play import distribution
from sbg_sim.geometry.shapes import line, polygon
from sbg_sim.simulate.plays import route_play
from sbg_sim.solver.reach import reach
from sbg_sim.table.questions import Charge, Move
from tests.heights.stage import PASS, POLISHED, SIX, TOLD, ask, box, disc, move, mover, other, piece, table, wall

RIDER = frozenset({"cavalry"})


def terrace(height, tags="platform"):
    """A platform with its near face at x = 8: bases step from x = 7.5 to x = 8.5."""
    return piece("t", tags, box(8, 8, 14, 16), height=height)


def ladder(**given):
    return piece("l", "ladder", at=(8.0, 12.0), to="t", **given)


@pytest.mark.parametrize("height", [0.2, 0.74])
def test_a_low_step_is_free(height):
    """The distance across the rim counts, the height does not."""
    found = move(table(mover(6, 12), terrace(height)), (10, 12), "t")
    assert (found.chance, found.needed) == (1, pytest.approx(4, abs=POLISHED))


def test_a_low_step_aslant():
    found = move(table(mover(6, 12), terrace(0.7)), (10, 14), "t")
    assert found.needed == pytest.approx(hypot(4, 2), abs=1e-5)


@pytest.mark.parametrize(("reading", "chance"), [("test", PASS), ("free", 1)])
def test_half_the_height_up(reading, chance):
    start = table(mover(6, 12), terrace(0.75), obstacle_exactly_half=reading)
    assert move(start, (8.5, 12), "t").chance == chance


@pytest.mark.parametrize("height", [0.76, 1.0, 1.5])
def test_jumped_onto(height):
    start = table(mover(6, 12), terrace(height))
    rim, top = move(start, (8.5, 12), "t"), move(start, (10, 12), "t")
    assert (rim.chance, rim.needed) == (PASS, pytest.approx(2.5, abs=POLISHED))
    assert (top.chance, top.needed) == (SIX, pytest.approx(4, abs=POLISHED))
    assert [t.kind for t in top.tests] == ["jump"]


@pytest.mark.parametrize("height", [1.5001, 2.0])
def test_climbed(height):
    """Height counts, doubled (CLB.1); the shift across the rim does not."""
    start = table(mover(6, 12, move=8.0), terrace(height))
    rim, top = move(start, (8.5, 12), "t"), move(start, (10, 12), "t")
    assert (rim.chance, rim.needed) == (PASS, pytest.approx(1.5 + 2 * height, abs=TOLD))
    assert (top.chance, top.needed) == (SIX, pytest.approx(1.5 + 2 * height + 1.5, abs=POLISHED))
    (test,) = rim.tests
    assert (test.kind, test.fail_hits, test.prone_on_fail, test.drop) == ("climb", 0, True, 0.0)
    assert "foot" in test.results["1"]


@pytest.mark.parametrize(("start", "y"), [((8.75, 22), 23.5), ((8.75, 22), 22.5), ((8, 16), 19), ((7, 22.5), 20)])
def test_a_climb_to_a_place_at_the_rim_is_proven_to_rounding(start, y):
    """It is begun opposite to that place, where the cost has a kink: no other place of the face leads there."""
    at = table(mover(*start), piece("tower", "platform", box(10, 10, 14, 30), height=2.0))
    found = move(at, (10.5, y), on="tower")
    assert found.needed == pytest.approx(hypot(9.5 - start[0], y - start[1]) + 4, abs=1e-9)
    assert found.needed - found.at_least < 1e-8


def test_too_tall_for_one_turn_stays_on_the_face():
    """5 in up: from an inch before the face a Move of 6 climbs (6 - 1)/2 = 2.5 in, and rests there."""
    start = table(mover(6.5, 12), terrace(5.0))
    found = move(start, (8.5, 12), "t")
    assert (found.answer, found.needed) == ("no", pytest.approx(1 + 10, abs=TOLD))
    ends = distribution(route_play(start, "m", found.route))
    by = {end.climbed: chance for end, chance in ends.items()}
    assert by == {0.0: SIX, 2.5: PASS}
    assert all(end.prone == (end.climbed == 0) for end in ends)
    assert {end.on for end in ends} == {None}


@pytest.mark.parametrize(("climbed", "hits"), [(1.0, 0), (1.5, 0), (2.0, 1), (2.5, 2), (3.7, 3)])
def test_the_rest_of_a_climb(climbed, hits):
    """What was climbed is not climbed again, and is what is fallen on a 1."""
    found = move(table(mover(7.5, 12, climbed=climbed, move=9.0), terrace(5.0)), (8.5, 12), "t")
    assert (found.chance, found.needed) == (PASS, pytest.approx(2 * (5 - climbed), abs=TOLD))
    (test,) = found.tests
    assert (test.drop, test.fail_hits) == (climbed, hits)


def test_what_was_climbed_counts_on_its_own_face_only():
    """Who hangs on one face has climbed nothing of another."""
    near = piece("n", "platform", box(2, 8, 6, 16), height=5.0)
    start = table(mover(6.5, 12, climbed=1.0, move=12.0), near, terrace(2.0))
    assert ask(start, Move("m", (8.5, 12), "t"), alternatives=False).needed == pytest.approx(1 + 4, abs=TOLD)


@pytest.mark.parametrize("shape", [line([(9, 9), (9, 15)], 2.0), box(8, 8, 10, 16)], ids=["line", "box"])
def test_a_thick_line_is_a_platform_like_any_other(shape):
    """Onto it aslant: the straight way. Straight across for a climb: to the line that halves the way by slopes."""
    jumped = move(table(mover(6, 12), piece("t", "platform", shape, height=1.0)), (9, 13.5), "t")
    assert jumped.needed == pytest.approx(hypot(3, 1.5), abs=POLISHED)
    assert jumped.at_most - jumped.at_least <= POLISHED
    climbed = move(table(mover(6, 12), piece("t", "platform", shape, height=2.0)), (9.2, 13.5), "t")
    # 1.5 before the shift and 0.7 behind it: without the shift one straight line.
    assert climbed.needed == pytest.approx(hypot(2.2, 1.5) + 4, abs=POLISHED)
    assert climbed.at_most - climbed.at_least <= POLISHED


@pytest.mark.parametrize(
    "shape", [line([(9, 9), (9, 15)], 1.0), box(8.5, 8.5, 9.5, 15.5), disc(9, 13, 0.5)], ids=["line", "box", "disc"]
)
@pytest.mark.parametrize(("wider", "needed"), [(0.0, hypot(3, 1)), (-1e-4, None)])
def test_just_as_wide_as_the_base(shape, wider, needed):
    """It holds the base when it is no narrower: its edges may be touched (MOV.4, MOV.5)."""
    start = table(mover(6, 12, base=1.0 - wider), piece("t", "platform", shape, height=1.0))
    there = move(start, (9, 13), "t")
    assert there.needed == (None if needed is None else pytest.approx(needed, abs=POLISHED))
    if needed is not None:
        back = way_back(start)
        assert there.chance == PASS
        assert back.needed == pytest.approx(needed, abs=POLISHED)


def way_back(start):
    """The way back from the top."""
    return move(start.having("m", at=(9.0, 13.0), on="t"), (6, 12))


def test_sheer_faces_and_riders():
    assert move(table(mover(6, 12), terrace(5.0, "platform unscalable")), (8.5, 12), "t").needed is None
    assert move(table(mover(6, 12, keywords=RIDER), terrace(1.6)), (8.5, 12), "t").needed is None
    assert move(table(mover(6, 12, keywords=RIDER), terrace(1.5)), (8.5, 12), "t").chance == PASS
    assert move(table(mover(6, 12), terrace(1.2, "platform unscalable")), (8.5, 12), "t").chance == PASS


@pytest.mark.parametrize("height", [1.0, 3.0, 4.5])
def test_up_a_ladder(height):
    """Its height, no test and no doubling (CLB.5)."""
    start = table(mover(7, 12), terrace(height, "platform unscalable"), ladder())
    found = move(start, (8.5, 12), "t")
    if height > 1.5:
        assert (found.chance, found.tests) == (1, ())
        assert found.needed == pytest.approx(0.5 + height, abs=TOLD)
    found = move(start, (9.0, 12), "t")
    assert found.chance == 1
    assert [(leg.rise, leg.cost) for leg in found.route.legs if leg.kind == "ladder"] == [(height, height)]


def test_a_ladder_in_a_pit_leads_out_of_it_and_nowhere_else():
    """Beside it stands a block, which is jumped onto."""
    pit = piece("pit", "gap", box(4, 4, 20, 20), depth=5.0)
    block = piece("block", "platform", box(8, 8, 14, 16), height=1.0, on="pit")
    rungs = piece("l", "ladder", at=(8.0, 12.0), on="pit")
    assert move(table(mover(7, 12, on="pit"), pit, block, rungs), (8.5, 12), "block").chance == PASS


@pytest.mark.parametrize("height", [2.0, 4.5])
def test_down_a_ladder(height):
    start = table(mover(9, 12, on="t"), terrace(height, "platform unscalable"), ladder())
    found = move(start, (7, 12))
    assert (found.chance, found.tests) == (1, ())
    assert found.needed == pytest.approx(0.5 + height + 0.5, abs=TOLD)


@pytest.mark.parametrize("to", [(8.5, 6.5), (6.5, 8.5)])
def test_down_a_ladder_at_a_corner_on_either_side_of_it(to):
    """From (8.5, 8.5) to (8, 7.5) or (7.5, 8), whichever way the table lies."""
    corner = piece("l", "ladder", at=(8.0, 8.0), to="t")
    start = table(mover(9, 9, on="t"), terrace(3.0, "platform unscalable"), corner)
    found = move(start, to)
    assert (found.chance, found.tests) == (1, ())
    assert found.needed == pytest.approx(hypot(0.5, 0.5) + 3.0 + hypot(0.5, 1.0), abs=TOLD)


def test_a_rider_takes_the_ladder():
    """It asks for no test, so it is no climb."""
    found = move(table(mover(7, 12, keywords=RIDER), terrace(3.0), ladder()), (8.5, 12), "t")
    assert (found.chance, found.needed) == (1, pytest.approx(3.5, abs=TOLD))


def test_the_rest_of_a_ladder():
    found = move(table(mover(7.5, 12, climbed=4.0), terrace(9.0, "platform unscalable"), ladder()), (8.5, 12), "t")
    assert (found.chance, found.needed) == (1, pytest.approx(5, abs=TOLD))


def test_a_ladder_is_dearer_than_a_jump_but_certain():
    start = table(mover(7, 12), terrace(1.2), ladder())
    found = move(start, (9, 12), "t")
    assert (found.chance, found.needed) == (1, pytest.approx(0.5 + 1.2 + 0.5, abs=TOLD))


@pytest.mark.parametrize("height", [0.5, 1.0, 1.5])
def test_down_by_the_own_height_is_free(height):
    found = move(table(mover(10, 12, on="t"), terrace(height)), (6, 12))
    assert (found.chance, found.needed, found.tests) == (1, pytest.approx(4, abs=POLISHED), ())


@pytest.mark.parametrize(
    ("height", "hits", "begun"), [(1.5001, 1, 2), (2.5, 2, 2), (3.0, 2, 3), (3.5, 3, 3), (4.2, 3, 4)]
)
def test_down_a_face(height, hits, begun):
    """A Climb test downwards, the height doubled; a 1 is a fall from the top to the foot."""
    start = table(mover(9, 12, on="t", move=12.0), terrace(height))
    foot, beyond = move(start, (7.5, 12)), move(start, (7, 12))
    assert (foot.chance, foot.needed) == (PASS, pytest.approx(0.5 + 2 * height, abs=TOLD))
    assert (beyond.chance, beyond.needed) == (SIX, pytest.approx(1 + 2 * height, abs=POLISHED))
    (test,) = foot.tests
    assert (test.kind, test.drop, test.fail_hits, test.prone_on_fail) == ("descend", height, hits, True)
    assert test.fail_at == pytest.approx((7.5, 12))
    assert move(start.under("fall_inches", "begun"), (7.5, 12)).tests[0].fail_hits == begun


def test_no_way_down_for_riders_or_down_sheer_faces():
    for start in (
        table(mover(9, 12, on="t", keywords=RIDER), terrace(2.0)),
        table(mover(9, 12, on="t"), terrace(2.0, "platform unscalable")),
    ):
        found = move(start, (7, 12))
        assert (found.answer, found.needed) == ("no", None)
        assert found.violations


def test_from_one_terrace_onto_the_next():
    """A second step of 0.7 on the first: two free steps up, nothing but the distance counts."""
    second = piece("u", "platform", box(10, 9, 13, 15), height=0.7, on="t")
    found = move(table(mover(6, 12), terrace(0.7), second), (11.5, 12), "u")
    assert (found.chance, found.needed) == (1, pytest.approx(5.5, abs=1e-5))


def test_too_small_to_stand_on():
    for side, answer in ((0.99, "no"), (1.001, "yes")):
        post = piece("t", "platform", box(8, 12, 8 + side, 12 + side), height=0.7)
        assert move(table(mover(6, 12.5), post), (8.5, 12.5), "t").answer == answer


@pytest.mark.parametrize(
    ("reading", "shape", "area"),
    [
        ("whole", box(8, 8, 12, 12), 9.0),
        ("centre", box(8, 8, 12, 12), 16.0),
        ("whole", disc(10, 10, 2), 2.25 * pi),
        ("centre", disc(10, 10, 2), 4 * pi),
    ],
)
def test_the_area_on_a_level_ends_with_it(reading, shape, area):
    """As far as the base may, or the centre, by the ruling of what stands on a level (MOV.5)."""
    top = piece("t", "platform", shape, height=3.0)
    found = reach(table(mover(10, 10, on="t"), top, stand_on=reading), "m", least=1)
    assert found.area.area == pytest.approx(area, abs=2e-3)


def test_the_area_goes_round_an_inward_corner_of_a_level():
    """8 in by 4, and beside its far end 2 in by 4: what is left at the corner is a sector cut off by the far side."""
    level = polygon([(8, 8), (16, 8), (16, 16), (14, 16), (14, 12), (8, 12)])
    top = piece("t", "platform", level, height=3.0)
    found = reach(table(mover(10, 10, on="t", move=7.0), top, stand_on="centre"), "m", least=1)
    left = 7 - hypot(4, 2)
    turn = acos(2 / left)
    beyond = 2 * (tan(turn) - 0.5) + left**2 / 2 * (pi / 2 - turn)
    assert found.area.area == pytest.approx(8 * 4 + 1 + beyond, abs=2e-3)


def test_from_where_a_base_may_not_be_it_goes_nowhere():
    pit = piece("t", "gap", box(8, 8, 12, 12), depth=3.0)
    assert reach(table(mover(10, 10, prone=True), pit), "m", least=1).area.area == 0


def test_on_top_the_ground_counts_as_it_is():
    """Difficult ground on the platform from x = 9.5: grown, what lies beyond x = 9 counts double."""
    moss = piece("moss", "difficult", box(9.5, 8, 14, 16), on="t")
    found = move(table(mover(6, 12, move=9.0), terrace(0.7), moss), (10, 12), "t")
    assert found.needed == pytest.approx(3 + 2 * 1, abs=POLISHED)


def test_who_clings_to_a_walls_top_has_the_way_down_left():
    """Up in an earlier turn: one test, and twice the height down the far side."""
    start = table(mover(7.5, 12, climbed=2.0), wall(2.0, x=8.0))
    found = move(start, (9, 12))
    assert [t.kind for t in found.tests] == ["descend"]
    assert (found.chance, found.needed) == (PASS, pytest.approx(4, abs=TOLD))


class TestHanging:
    """A model that has climbed part of a face in an earlier turn comes down before it goes anywhere else (CLB.4)."""

    def start(self, climbed, **given):
        return table(mover(7.5, 12, climbed=climbed, **given), terrace(6.0))

    def test_by_its_own_height_for_nothing(self):
        found = move(self.start(1.5), (5, 12))
        assert (found.chance, found.needed) == (1, pytest.approx(2.5, abs=TOLD))
        assert [leg.kind for leg in found.route.legs] == ["down", "straight"]

    def test_further_by_a_climb_test(self):
        """2.5 in down are 5 in of movement; a 6 lets it go on, a 1 drops it: one inch beyond its height, two hits."""
        found = move(self.start(2.5), (6.5, 12))
        assert (found.chance, found.needed) == (SIX, pytest.approx(5 + 1, abs=TOLD))
        (test,) = found.tests
        assert (test.kind, test.over, test.drop, test.fail_hits) == ("descend", "t", 2.5, 2)
        assert move(self.start(2.5), (6.4, 12)).answer == "no"

    def test_down_a_ladder_without_a_test(self):
        start = table(mover(7.5, 12, climbed=4.0), terrace(9.0, "platform unscalable"), ladder())
        found = move(start, (6, 12))
        assert (found.chance, found.needed) == (1, pytest.approx(4 + 1.5, abs=TOLD))

    def test_up_is_still_the_rest(self):
        assert move(self.start(4.0), (8.5, 12), "t").needed == pytest.approx(4, abs=TOLD)


@pytest.mark.parametrize(("deeper", "answer"), [(1e-4, "chance"), (-1e-4, "no")])
def test_one_narrow_place_beside_whom_it_charges(deeper, answer):
    """On top only one corner is left: the circle of contact comes by it for a hundredth of a degree, or misses it."""
    side, turn = 0.711, radians(45.25)
    corner = (8.5 + side, 10.5 + side)
    at = (corner[0] - (1 + deeper) * cos(turn), corner[1] - (1 + deeper) * sin(turn))
    deck = piece("t", "platform", box(8, 10, 9 + side, 11 + side), height=1.0)
    start = table(mover(12, 12.5), deck, other("e", *at, on="t"))
    assert ask(start, Charge("m", "e"), alternatives=False).answer == answer
