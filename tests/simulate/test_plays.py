"""Routes to plays: the tables of the rulebook read result by result."""

from __future__ import annotations

import math
from fractions import Fraction

import icepool
import pytest

from sbg_sim.dice import distribution, success_chance
from sbg_sim.errors import QuestionError
from sbg_sim.simulate import goal_of, play_of, route_play
from sbg_sim.simulate.plays import point_on
from sbg_sim.solver.verdict import Verdict
from sbg_sim.table.questions import Charge, Move, Sight
from sbg_sim.table.route import Leg, Route
from tests.simulate.corridor import Way, Y, judge, table

WALL_AT, LANDING = 3.5, 5.0


def at(x):
    return (x, Y)


def test_each_result_of_a_jump():
    """JMP.1: a 1 stays in contact, 2-5 touches the far side, 6 goes on with what is left."""
    play = route_play(table(), "merry", Way().walk(2.5).jump(1.5).walk(2.0).route)
    chances = {(e.at, e.used, e.success): p for e, p in distribution(play).items()}
    assert chances == {
        (at(WALL_AT), 2.5, False): Fraction(1, 6),
        (at(LANDING), 4.0, False): Fraction(4, 6),
        (at(7.0), 6.0, True): Fraction(1, 6),
    }


def test_a_landing_on_the_goal_counts_every_pass():
    assert success_chance(route_play(table(), "merry", Way().walk(2.5).jump(1.5).route)) == Fraction(5, 6)
    hair = Way().walk(2.5).jump(1.5).walk(1e-9).route
    assert success_chance(route_play(table(), "merry", hair)) == Fraction(5, 6)


@pytest.mark.parametrize("walls", [1, 2, 3])
@pytest.mark.parametrize("beyond", [0.0, 0.5])
def test_walls_in_a_row_by_icepool(walls, beyond):
    way = Way()
    for _ in range(walls):
        way = way.walk(0.25).jump(1.5)
    way = way.walk(beyond) if beyond else way
    needed = [6] * (walls - 1) + [6 if beyond else 2]
    passed = icepool.map(
        lambda *rolled: all(face >= least for face, least in zip(rolled, needed, strict=True)),
        *(icepool.d6 for _ in needed),
    )
    assert success_chance(route_play(table(), "merry", way.route)) == passed.probability(True)


def test_a_jump_is_not_begun_without_the_movement_to_land():
    way = Way().walk(5.0).jump(1.5).route
    play = route_play(table(), "merry", way)
    assert play.stages == ()
    assert (play.final.at, play.final.used, play.final.success) == (at(6.0), 5.0, False)
    begun = route_play(table().under("jump_without_movement", "yes"), "merry", way)
    assert success_chance(begun) == Fraction(5, 6)


def test_a_leap_may_be_judged_by_the_maximum_move():
    way = Way().walk(5.0).leap(2.0, drop=4.0, hits=1).route
    assert route_play(table().under("leap_needs", "remaining"), "merry", way).stages == ()
    assert len(route_play(table(), "merry", way).stages) == 1
    wide = Way().leap(7.0, drop=4.0, hits=1).route
    assert route_play(table().under("leap_needs", "maximum"), "merry", wide).stages == ()


def test_a_missed_leap_falls_to_the_bottom():
    """LEAP.2, FALL.2: prone at the bottom with its hits, nothing used but the way there."""
    play = route_play(table(), "merry", Way().walk(2.5).leap(2.0, drop=4.0, hits=4).walk(1.0).route)
    (fallen,) = [e for e in distribution(play) if e.prone]
    assert (fallen.at, fallen.on, fallen.used, fallen.hits) == (at(4.5), "pit", 2.5, 4)
    assert distribution(play)[fallen] == Fraction(1, 6)


def test_climbing_scaffolding_by_the_book():
    """CLIMBING: a 4 reaches the top and stops, a 6 goes on with what is left, a 1 lies at the foot."""
    play = route_play(table(), "merry", Way().walk(1.0).climb(2.0).walk(1.0).route)
    by_face = dict(zip(("1", "4", "6"), (play.stages[0].faces[i] for i in (0, 3, 5)), strict=True))
    assert (by_face["1"].at, by_face["1"].prone, by_face["1"].on) == (at(2.0), True, None)
    assert (by_face["4"].at, by_face["4"].on, by_face["4"].used) == (at(3.0), "scaffold", 5.0)
    assert (play.final.at, play.final.used, play.final.success) == (at(4.0), 6.0, True)


def test_a_climb_too_high_for_one_turn_stays_on_the_face():
    """CLB.4: with 4 of 6 inches left, two of them upwards are climbed; at 2 the rest would be missing."""
    play = route_play(table(), "merry", Way().walk(2.0).climb(5.0).route)
    assert play.final.climbed == pytest.approx(2.0)
    assert (play.final.at, play.final.on, play.final.used) == (at(3.0), None, 6.0)
    assert success_chance(play) == 0
    assert distribution(play)[play.final] == Fraction(5, 6)
    later = route_play(table(climbed=2.0), "merry", Way().climb(3.5).route)
    assert later.final.climbed == pytest.approx(5.0)


def test_a_climb_with_no_movement_left_is_not_tested():
    assert route_play(table(), "merry", Way().walk(6.0).climb(2.0).route).stages == ()


def test_a_climb_down_broken_off_hangs_above_the_ground():
    play = route_play(table(on="scaffold"), "merry", Way(on="scaffold").descend(4.0).route)
    assert play.final.climbed == pytest.approx(1.0)
    fallen = play.stages[0].faces[0]
    assert (fallen.at, fallen.on, fallen.prone) == (at(2.0), None, True)


def test_a_ladder_needs_no_die_and_can_be_left_half_way():
    assert route_play(table(), "merry", Way().walk(2.0).ladder(3.0).route).final.success
    half = route_play(table(), "merry", Way().walk(4.0).ladder(3.0).route).final
    assert (half.climbed, half.used, half.success) == (pytest.approx(2.0), 6.0, False)


def test_a_long_walk_ends_where_the_move_does():
    end = route_play(table(), "merry", Way().walk(10.0).route).final
    assert (end.at, end.used, end.success) == (at(7.0), 6.0, False)
    arc = Leg("arc", at(1.0), (-1.0, Y), 2 * math.pi, center=(0.0, Y), radius=1.0, sweep=math.pi)
    assert point_on(arc, 0.5) == (pytest.approx(0.0), pytest.approx(Y + 1.0))


def test_a_prone_model_stands_and_goes_on():
    play = route_play(table(prone=True), "merry", Way().stay("stand", 3.0).walk(3.0).route)
    assert (play.final.prone, play.final.used, play.final.success) == (False, 6.0, True)
    lying = route_play(table(), "merry", Way().walk(1.0).stay("lie", 3.0).route)
    assert lying.final.prone


def test_failing_over_a_prone_enemy_charges_it_and_over_a_friend_does_not():
    """PRN.5; a charge at the very enemy that is jumped over is then reached by a 1 as well."""
    board = table(target=5.0).having("uruk", prone=True)
    contact = at(4.0)
    way = Way().walk(2.9).jump(2.2, over="uruk", kind="jump-prone", fail_at=contact).route
    goal = goal_of(board, Charge("merry", "uruk"))
    one = route_play(board, "merry", way, goal).stages[0].faces[0]
    assert one.success
    assert one.at == contact
    assert one.used == pytest.approx(3.0)
    friend = board.having("uruk", side="good")
    same = route_play(friend, "merry", way, goal_of(friend, Move("merry", (9.0, Y)))).stages[0].faces[0]
    assert not same.success
    assert "charges" not in same.label


def test_a_landing_in_contact_is_a_charge_by_any_pass():
    board = table(target=6.0)
    way = Way().walk(2.5).jump(1.5).walk(0.5).route
    assert success_chance(route_play(board, "merry", way, goal_of(board, Charge("merry", "uruk")))) == Fraction(5, 6)


def test_no_play_stays_where_it_is():
    board = table()
    play = play_of(Verdict(board, Move("merry", (20.0, Y)), answer="no"))
    assert (play.stages, play.final.at, play.final.success) == ((), (1.0, Y), False)


def test_standing_on_the_goal_already_is_success():
    board = table()
    verdict = Verdict(board, Move("merry", (1.0, Y)), answer="yes", play=Way().route, route=Way().route)
    assert play_of(verdict).final.success


@pytest.mark.parametrize("height", [0.4, 0.5, 1.0, 1.1])
@pytest.mark.parametrize("x", [5.0, 6.0, 9.0])
def test_a_play_has_the_chance_its_verdict_states(height, x):
    from sbg_sim.simulate.vary import ByKey

    verdict = judge(ByKey("terrain.wall.height")(table(), height), Move("merry", (x, Y)))
    assert success_chance(play_of(verdict)) == verdict.chance


def test_only_moves_and_charges_end_somewhere():
    with pytest.raises(QuestionError, match="sight"):
        goal_of(table(), Sight("merry", "uruk"))


def test_who_has_too_little_left_to_lie_down_stays_standing():
    """Four of six inches are walked, and to lie down costs three (PRN.3)."""
    route = Way().walk(4.0).route
    down = Leg("lie", at(5.0), at(5.0), 3.0, None)
    end = route_play(table(), "merry", Route((*route.legs, down))).final
    assert (end.at, end.prone, end.used, end.success) == (at(5.0), False, 4.0, False)
    route = Way().walk(3.0).route
    down = Leg("lie", at(4.0), at(4.0), 3.0, None)
    end = route_play(table(), "merry", Route((*route.legs, down))).final
    assert (end.at, end.prone, end.used, end.success) == (at(4.0), True, 6.0, True)
