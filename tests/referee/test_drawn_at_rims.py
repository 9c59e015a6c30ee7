"""Drawn lines that bend at a rim, go by ladders, crawl, or can be read in two ways: what is meant, by formula."""

from math import dist, sqrt

import pytest

from sbg_sim.geometry.shapes import polygon
from sbg_sim.phase.state import Phase
from sbg_sim.referee import audit_path
from sbg_sim.solver.answer import ask
from sbg_sim.table.questions import Move
from sbg_sim.table.record import MoveRecord
from tests.heights.stage import box, mover, other, piece, table

CENTRE = {"stand_on": "centre"}  # a base is 1 in wide, and its model 1.5 in tall


def kinds(drawn):
    return [leg.kind for leg in drawn.route.legs]


# -- bends at the very rim ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hair", [0.0, 1e-9, 0.01])
def test_a_jump_begins_beside_a_face_though_the_line_bends_at_its_rim(hair):
    """From half an inch before the rim to the rim itself, straight, whatever the line does within."""
    at = table(mover(6, 12, move=9.0), piece("p", "platform", box(8, 6, 14, 18), height=1.0), **CENTRE)
    drawn = audit_path(at, "m", [(6, 12), (8 - hair, 12), (10, 13)], on="p")
    assert (kinds(drawn), drawn.violations) == (["straight", "jump", "straight"], ())
    assert drawn.route.legs[1].start == pytest.approx((7.5, 12), abs=1e-9)
    assert drawn.cost == pytest.approx(2 + sqrt(5), abs=0.01 if hair > 1e-6 else 1e-6)


def test_the_way_down_into_a_deeper_pit_begins_beside_it_though_the_line_bends_at_its_rim():
    """From a pit 0.6 in deep into one of 2 in beside it: down by no more than it is tall, over the rim between."""
    pits = piece("a", "gap", box(8, 6, 12, 18), depth=0.6), piece("b", "gap", box(12, 6, 16, 18), depth=2.0)
    at = table(mover(9, 12, on="a", move=9.0), *pits, **CENTRE)
    told = ask(at, Move("m", (13, 12.5), "b"), alternatives=False)
    for line in (told.path, [(9, 12), (12, 12.3), (13, 12.5)]):
        drawn = audit_path(at, "m", line, on="b")
        assert (kinds(drawn), drawn.violations) == (["straight", "down", "straight"], ())
        assert drawn.route.legs[1].start[0] == pytest.approx(11.5, abs=1e-6)


def test_what_goes_round_a_corner_on_a_step_has_gone_up_it():
    """An arc that leads onto a step is on it from the rim on."""
    corner = piece("w", "obstacle unscalable", box(6, 4, 9, 9.5), height=9.0)
    at = table(mover(5.5, 8, move=9.0), corner, piece("s", "platform", box(8.9, 6, 14, 18), height=0.4), **CENTRE)
    told = ask(at, Move("m", (9.4, 10.3), "s"), alternatives=False)
    drawn = audit_path(at, "m", told.path, on="s")
    assert drawn.violations == ()
    assert drawn.cost == pytest.approx(told.needed, abs=1e-6)


def test_onto_a_top_without_room_for_the_base_one_climbs_with_the_centre():
    """It is 0.8 in wide: the base comes to stand over its rim, for twice its height."""
    at = table(mover(6, 12, move=9.0), piece("p", "platform", box(8, 6, 8.8, 18), height=2.5), **CENTRE)
    told = ask(at, Move("m", (8.2, 12.0), "p"), alternatives=False)
    drawn = audit_path(at, "m", told.path, on="p")
    assert (kinds(drawn), drawn.violations) == (["straight", "climb", "straight"], ())
    assert drawn.cost == pytest.approx(told.needed, abs=1e-6)
    assert told.needed == pytest.approx(1.5 + 5.0 + 0.2, abs=1e-6)


def test_past_a_step_too_shallow_to_stand_on_a_jump_begins_on_the_ground():
    """The lower step is a quarter of an inch deep: beside the face of the upper one the centre is on the ground."""
    low = piece("a", "platform", box(8, 6, 14, 18), height=0.5)
    at = table(mover(6, 12), low, piece("b", "platform", box(8.25, 6, 14, 18), height=0.75, on="a"), **CENTRE)
    told = ask(at, Move("m", (10, 12), "b"), alternatives=False)
    drawn = audit_path(at, "m", [(6, 12), (10, 12)], on="b")
    assert (kinds(drawn), drawn.violations) == (["straight", "jump", "straight"], ())
    assert drawn.route.legs[1].start == pytest.approx((7.75, 12), abs=1e-9)
    assert (drawn.cost, told.needed) == (pytest.approx(4.0, abs=1e-6), pytest.approx(4.0, abs=1e-6))


def test_a_jump_past_a_corner_of_a_top_ends_where_the_line_comes_onto_it():
    """The top is an L: the line cuts the corner of one arm, where the base has no room, and ends on the other."""
    arms = [piece("a", "platform", box(7, 6, 12, 10.75), height=0.75)]
    arms += [piece("b", "platform", box(12, 6.75, 14.25, 8), height=0.75)]
    line = [(11.75, 12), (13.2, 7.3)]
    at = table(mover(*line[0]), *arms)
    told = ask(at, Move("m", line[1], "b"), alternatives=False)
    drawn = audit_path(at, "m", line, on="b")
    assert (kinds(drawn), drawn.violations) == (["straight", "jump", "straight"], ())
    assert (drawn.cost, told.needed) == (pytest.approx(dist(*line), abs=1e-6), pytest.approx(dist(*line), abs=1e-6))


@pytest.mark.parametrize("reading", ["centre", "whole"])
def test_round_an_inward_corner_of_a_level_arcs_are_arcs(reading):
    """Two tops of one height make an L; its inner corner is gone round half an inch away, or touched."""
    arms = piece("a", "platform", box(8, 6, 16, 9), height=0.4), piece("b", "platform", box(8, 9, 10, 16), height=0.4)
    at = table(mover(9.4, 15, on="b", move=14.0), *arms, stand_on=reading)
    told = ask(at, Move("m", (15, 8.4), "a"), alternatives=False)
    drawn = audit_path(at, "m", told.path, on="a")
    assert drawn.violations == ()
    assert drawn.cost == pytest.approx(told.needed, abs=1e-6)


def test_where_a_line_would_leave_a_pit_again_it_comes_down_beyond():
    """Half an inch of room before a neck narrower than the base: who comes down behind it comes down once."""
    below = [(8, 6), (9.5, 6), (9.5, 11.7), (11, 11.7), (11, 6), (14, 6)]
    rim = polygon([*below, *((x, 24 - y) for x, y in below[::-1])])
    at = table(mover(6, 12, move=9.0), piece("g", "gap", rim, depth=0.5))
    told = ask(at, Move("m", (12.5, 12), "g"), alternatives=False)
    drawn = audit_path(at, "m", [(6, 12), (12.5, 12)], on="g")
    assert (kinds(drawn), drawn.violations) == (["straight", "down", "straight"], ())
    assert (told.answer, drawn.cost) == ("yes", pytest.approx(told.needed, abs=1e-6))
    assert drawn.cost == pytest.approx(6.5, abs=1e-6)


# -- ladders -----------------------------------------------------------------------------------------------------------


def rungs(height):
    return piece("p", "platform", box(8, 6, 14, 18), height=height), piece("l", "ladder", at=(8.0, 12.0), to="p")


@pytest.mark.parametrize("reading", ["centre", "whole"])
@pytest.mark.parametrize(("start", "on", "to", "there"), [(6, None, 10, "p"), (10, "p", 6, None)])
def test_a_ladder_shifts_the_whole_base_for_its_height_alone(reading, start, on, to, there):
    """Up or down 2 in, and 4 in straight but for a base's width across the rim."""
    at = table(mover(start, 12, on=on, move=9.0), *rungs(2.0), stand_on=reading)
    told = ask(at, Move("m", (to, 12), there), alternatives=False)
    for line in (told.path, [(start, 12), (to, 12)]):
        drawn = audit_path(at, "m", line, on=there)
        assert (kinds(drawn), drawn.violations) == (["straight", "ladder", "straight"], ())
        assert drawn.cost == pytest.approx(3 + 2, abs=1e-6)
    assert told.needed == pytest.approx(3 + 2, abs=1e-6)


@pytest.mark.parametrize("reading", ["centre", "whole"])
@pytest.mark.parametrize(
    ("height", "start", "on", "to", "there", "kind", "cost"),
    [
        (1.2, 10, "p", 6, None, "down", 4.0),  # by the ladder 3 in and 1.2 in
        (0.6, 10, "p", 6, None, "ladder", 3.6),
        (0.6, 6, None, 10, "p", "ladder", 3.6),  # stepped up it would be 4 in
        (1.2, 6, None, 10, "p", "ladder", 4.2),  # without a die
    ],
)
def test_a_ladder_is_used_where_it_saves_movement_or_a_die(reading, height, start, on, to, there, kind, cost):
    at = table(mover(start, 12, on=on, move=9.0), *rungs(height), stand_on=reading)
    told = ask(at, Move("m", (to, 12), there), alternatives=False)
    drawn = audit_path(at, "m", [(start, 12), (to, 12)], on=there)
    assert (kinds(drawn), drawn.violations) == (["straight", kind, "straight"], ())
    assert (told.chance, told.needed) == (1, pytest.approx(drawn.cost, abs=1e-6))
    assert drawn.cost == pytest.approx(cost, abs=1e-6)


# -- crawling ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reading", ["centre", "whole"])
def test_who_crawls_goes_down_a_step_and_pays_no_more_for_difficult_ground(reading):
    mire = piece("d", "difficult", box(7, 6, 9, 18))
    at = table(mover(7.5, 12, prone=True), piece("g", "gap", box(8, 6, 12, 18), depth=0.5), mire, stand_on=reading)
    to = (8.5, 12)
    told = ask(at, Move("m", to, "g"), alternatives=False)
    drawn = audit_path(at, "m", [(7.5, 12), to], on="g")
    assert (told.answer, told.needed) == ("yes", pytest.approx(1.0, abs=1e-6))
    assert (drawn.violations, drawn.cost) == ((), pytest.approx(1.0, abs=1e-6))
    assert set(kinds(drawn)) <= {"crawl", "down"}
    assert "down" in kinds(drawn)
    far = audit_path(at, "m", [(7.5, 12), (8.7, 12)], on="g")
    assert [v.rule for v in far.violations] == ["PRN.2"]


# -- levels with several pieces, and gaps in platforms -----------------------------------------------------------------


@pytest.mark.parametrize("name", ["p", "q"])
def test_a_level_made_of_several_pieces_goes_by_the_id_of_any(name):
    tops = piece("p", "platform", box(8, 6, 10, 18), height=0.4), piece("q", "platform", box(10, 6, 14, 18), height=0.4)
    at = table(mover(6, 12, move=9.0), *tops)
    phase = Phase.begin(at, "good")
    assert phase.explain(MoveRecord("m", path=((6, 12), (12, 12)), on=name)) == ()
    assert [v.rule for v in phase.explain(MoveRecord("m", path=((6, 12), (6, 11)), on=name))] == ["MOV.5"]


@pytest.mark.parametrize("reading", ["centre", "whole"])
@pytest.mark.parametrize("on", ["p", None])
def test_out_of_a_gap_in_a_platform_one_goes_over_its_own_rim(reading, on):
    """Down into the gap, and up out of it on its far side, to the platform that it is cut into."""
    top = piece("p", "platform", box(4, 6, 20, 18), height=0.5)
    at = table(
        mover(6, 12, on="p", move=9.0), top, piece("g", "gap", box(8, 6, 11, 18), depth=0.4, on="p"), stand_on=reading
    )
    drawn = audit_path(at, "m", [(6, 12), (13, 12)], on=on)
    assert [k for k in kinds(drawn) if k != "straight"] == ["down", "up"]
    assert (drawn.violations, drawn.cost) == ((), pytest.approx(7.0, abs=1e-6))


def test_from_a_top_to_one_of_its_height_that_is_not_climbed_one_steps_across():
    """Two tops with a common side, one of them unscalable: they are two levels of one height."""
    sheer = piece("b", "platform unscalable", box(8, 6, 14, 18), height=1.0)
    at = table(mover(6, 12, on="a"), piece("a", "platform", box(4, 6, 8, 18), height=1.0), sheer, **CENTRE)
    told = ask(at, Move("m", (10, 13), "b"), alternatives=False)
    for line in (told.path, [(6, 12), (10, 13)]):
        drawn = audit_path(at, "m", line, on="b")
        assert (drawn.violations, len(drawn.tests)) == ((), 0)
        assert drawn.cost == pytest.approx(sqrt(17), abs=1e-5)


def test_round_a_zone_that_binds_from_another_level_arcs_are_arcs():
    """An enemy in a pit beside a platform: its zone is gone round on the platform, two bases and an inch away."""
    top, pit = piece("p", "platform", box(4, 4, 20, 12), height=0.5), piece("g", "gap", box(10, 12, 16, 18), depth=0.5)
    at = table(mover(9, 11, on="p", move=12.0), top, pit, other("e", 12, 12.7, on="g"), zones_across_surfaces="yes")
    told = ask(at, Move("m", (15, 11), "p"), alternatives=False)
    drawn = audit_path(at, "m", told.path, on="p")
    assert "arc" in kinds(drawn)
    assert (drawn.violations, drawn.cost) == ((), pytest.approx(told.needed, abs=1e-6))


# -- lines that can be read in two ways --------------------------------------------------------------------------------


def roofs(height, move, **rulings):
    """Two roofs two inches apart, and a model on the first of them, three from its rim."""
    tops = (piece(n, "platform", box(x, 6, x + 6, 18), height=height) for n, x in (("r", 4), ("s", 12)))
    return table(mover(7, 12, on="r", move=move), *tops, **rulings)


def test_from_roof_to_roof_a_line_leaps_where_walking_takes_too_long():
    """5.5 in: 2.5 to the rim, three over the gap. By foot 5.5 as well, which must be within the Move."""
    line, whole = [(7, 12), (12.5, 12)], ["straight", "down", "straight", "jump"]
    assert kinds(audit_path(roofs(1.2, 6.0), "m", line)) == whole
    short = audit_path(roofs(1.2, 5.0), "m", line)
    assert (kinds(short), short.violations) == (["straight", "leap"], ())
    assert ask(roofs(1.2, 5.0), Move("m", (12.5, 12), "s"), alternatives=False).answer == "chance"
    strict = audit_path(roofs(1.2, 5.0, leap_needs="remaining"), "m", line)
    assert (kinds(strict), [v.rule for v in strict.violations]) == (whole, ["MOV.3"])


@pytest.mark.parametrize("line", [[(9, 12), (11, 8)], [(9, 12), (10, 10), (11.2, 8)]])
def test_at_the_corner_between_two_steps_a_line_goes_up_one_by_one(line):
    """Onto the upper one at once it would be a jump. Where one stands on the other, flush, there is no step between."""
    steps = [piece(n, "platform", box(x, 6, x + 2, 10), height=h) for n, x, h in (("a", 8, 0.6), ("b", 10, 1.2))]
    at = table(mover(9, 12), *steps, **CENTRE)
    told = ask(at, Move("m", line[-1], "b"), alternatives=False)
    drawn = audit_path(at, "m", line, on="b")
    assert (drawn.violations, [k for k in kinds(drawn) if k != "straight"]) == ((), ["up", "up"])
    assert drawn.cost == pytest.approx(sum(map(dist, line, line[1:])), abs=1e-5)
    assert (told.answer, told.needed) == ("yes", pytest.approx(drawn.cost, abs=0.01))
    stacked = [piece(n, "platform", box(8, 6, 14, 18), height=0.6, on=on) for n, on in (("a", None), ("b", "a"))]
    drawn = audit_path(table(mover(6, 12), *stacked, **CENTRE), "m", [(6, 12), (10, 12)], on="b")
    assert [k for k in kinds(drawn) if k != "straight"] == ["jump"]


def test_by_the_centre_a_leap_leads_from_rim_to_rim():
    """Two inches between roofs of three: begun with the centre on the one rim, and ended on the other."""
    tops = (piece(n, "platform", box(x, 6, x + 4, 18), height=3.0) for n, x in (("r", 4), ("s", 10)))
    at = table(mover(6, 12, on="r"), *tops, **CENTRE)
    drawn = audit_path(at, "m", [(6, 12), (11, 12)])
    assert (kinds(drawn), drawn.violations) == (["straight", "leap", "straight"], ())
    assert (drawn.route.legs[1].start, drawn.route.legs[1].end) == (pytest.approx((8, 12)), pytest.approx((10, 12)))
    assert ask(at, Move("m", (11, 12), "s"), alternatives=False).needed == pytest.approx(5.0, abs=1e-6)


def test_onto_a_roof_just_as_wide_as_the_base_a_leap_ends_where_the_line_does():
    """All of it is its rim. 1.5 in to the near rim and 5.5 in one leap, begun in time: 7 in with a Move of 6."""
    narrow = piece("s", "platform", box(10, 11.5, 16, 12.5), height=3.0)
    at = table(mover(6, 12, on="r"), piece("r", "platform", box(4, 6, 8, 18), height=3.0), narrow)
    told = ask(at, Move("m", (13, 12), "s"), alternatives=False)
    drawn = audit_path(at, "m", [(6, 12), (13, 12)])
    assert (kinds(drawn), drawn.violations) == (["straight", "leap"], ())
    assert (str(told.chance), told.needed) == ("5/6", pytest.approx(7.0, abs=1e-6))
    assert drawn.cost == pytest.approx(7.0, abs=1e-6)


def test_past_a_ladder_that_takes_too_long_a_line_jumps():
    """By the ladder 3 in and 1.4 in; by a jump 4 in."""
    line = [(6, 12), (10, 12)]
    for move, way, cost in ((4.5, "ladder", 4.4), (4.2, "jump", 4.0)):
        drawn = audit_path(table(mover(6, 12, move=move), *rungs(1.4)), "m", line)
        assert (kinds(drawn), drawn.violations) == (["straight", way, "straight"], ())
        assert drawn.cost == pytest.approx(cost, abs=1e-6)


def test_no_die_is_thrown_where_none_need_be():
    """Roofs of half an inch are stepped down and up: within the Move by foot, beyond it by a leap."""
    line = [(7, 12), (12.5, 12)]
    assert kinds(audit_path(roofs(0.5, 6.0), "m", line)) == ["straight", "down", "straight", "up"]
    assert kinds(audit_path(roofs(0.5, 5.0), "m", line)) == ["straight", "leap"]


@pytest.mark.parametrize(("depth", "move", "read"), [(0.5, 7.0, "down"), (0.5, 4.0, "leap"), (1.2, 7.0, "leap")])
def test_a_ditch_is_gone_through_or_leapt(depth, move, read):
    """2.5 in to its rim, and 3 over it."""
    at = table(mover(6, 12, move=move), piece("g", "gap", box(9, 6, 11, 18), depth=depth))
    drawn = audit_path(at, "m", [(6, 12), (11.5, 12)])
    assert drawn.violations == ()
    assert read in kinds(drawn)
    assert drawn.cost == pytest.approx(5.5, abs=1e-6)


@pytest.mark.parametrize("hair", [0.0, 4e-10, -4e-10])
def test_a_landing_ends_a_path_that_is_told_with_a_rounding_error(hair):
    """A 2 to 5 will do: nothing is left to be walked."""
    at = table(mover(6, 12, move=9.0), piece("w", "obstacle", box(8, 6, 9, 18), height=1.0))
    drawn = audit_path(at, "m", [(6, 12), (9.5 + hair, 12)])
    assert (kinds(drawn), drawn.violations) == (["straight", "jump"], ())
    assert dist(drawn.route.legs[-1].end, (9.5, 12)) < 1e-9


def test_dice_of_a_record_are_those_of_the_way_that_is_meant():
    phase = Phase.begin(roofs(1.2, 5.0), "good").push(MoveRecord("m", path=((7, 12), (12.5, 12)), rolls=(3,)))
    assert (phase.table.model("m").on, phase.table.model("m").at) == ("s", (12.5, 12.0))


def test_of_many_forks_only_so_many_readings_are_judged():
    """Ten ditches that can be stepped through: a line over all of them takes no die, and is judged once."""
    ditches = (piece(f"g{k}", "gap", box(5 + 3 * k, 6, 6.5 + 3 * k, 18), depth=0.5) for k in range(10))
    at = table(mover(3, 12, move=40.0), *ditches)
    drawn = audit_path(at, "m", [(3, 12), (36, 12)])
    assert (drawn.violations, len(drawn.tests)) == ((), 0)
