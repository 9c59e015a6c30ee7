"""Turns to a goal: closed forms, and a model walked turn by turn with real dice."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from sbg_sim.errors import QuestionError
from sbg_sim.simulate import campaign, compare, ways
from sbg_sim.simulate.campaign import Standing, turn
from sbg_sim.simulate.steps import steps_of
from sbg_sim.simulate.ways import barred
from sbg_sim.table.board import Table
from sbg_sim.table.questions import Charge, Measure, Move
from tests.simulate.corridor import Way, Y, dodging_judge, judge, table

FAR = Move("merry", (20.0, Y))
GOAL = Move("merry", (7.5, Y))


def follow(way: Way, *, board=None, question=FAR):
    return campaign(board or table(), question, way.route)


def turns_by_hand(route, move: float, rng: random.Random, *, most: int = 1000) -> int:
    """Walk a route of walks, jumps, leaps into shallow gaps and climbs with dice, one turn at a time."""
    i, done, lying, turns = 0, 0.0, False, 0
    while i < len(route.legs) or lying:
        turns += 1
        assert turns < most
        left = move
        if lying:
            left, lying = move / 2, False
        while i < len(route.legs):
            leg = route.legs[i]
            if leg.kind == "straight":
                far = min(left, leg.cost - done)
                left, done = left - far, done + far
                if done < leg.cost - 1e-9:
                    break
                i, done = i + 1, 0.0
                continue
            if left < 1e-9 or (leg.kind == "jump" and left < leg.cost - 1e-9):
                break
            roll = rng.randint(1, 6)
            if roll == 1:
                done, lying = 0.0, leg.kind != "jump"
                break
            far = min(left, leg.cost - done)
            left, done = left - far, done + far
            if done < leg.cost - 1e-9:
                break
            i, done = i + 1, 0.0
            if roll != 6:
                break
    return turns


@pytest.mark.parametrize(("far", "turns"), [(0.0, 1), (5.0, 1), (6.0, 1), (6.1, 2), (12.0, 2), (18.5, 4)])
def test_without_dice_it_takes_the_whole_turns_that_the_inches_need(far, turns):
    """A ceiling; and a route of no length takes no turn."""
    found = follow(Way().walk(far))
    assert found.expected == (turns if far else 0)
    assert found.within(5).by_turn(turns) == 1


def test_one_wall_and_a_walk_behind_it():
    """Written out by hand, M 6: contact at 3, over 1.5, then 2 more: even a 6 is half an inch short at first.

    At the wall with a full Move: E_A = 1 + E_A / 6 + 4/6 (a 6 arrives), so E_A = 2.
    From the start: 1 + 2/6 + 4/6 + 1/6 = 13/6.
    """
    found = follow(Way().walk(3.0).jump(1.5).walk(2.0))
    assert found.expected == Fraction(13, 6)
    table_ = found.within(3)
    assert table_.chances[:2] == (0, 0)
    # Turn 2: 5/6 walked the rest; of the 1/6 at the wall a 6 arrives at once.
    assert table_.chances[2] == Fraction(5, 6) + Fraction(1, 6) * Fraction(1, 6)
    assert found.chance == 1


def test_a_goal_right_behind_the_wall_counts_every_pass():
    found = follow(Way().walk(3.0).jump(1.5))
    assert found.expected == Fraction(6, 5)
    assert found.turns_for(0.8) == 1
    assert found.turns_for(0.99) == 3


def test_a_jump_that_cannot_be_finished_waits_in_contact():
    found = follow(Way().walk(5.0).jump(1.5))
    assert found.expected == 1 + Fraction(6, 5)
    assert found.chain.states[1] == Standing(1)


def test_a_wall_wider_than_the_move_is_never_crossed():
    found = follow(Way().walk(1.0).jump(7.0))
    assert (found.expected, found.chance) == (None, 0)
    assert "never" in str(found)


def test_a_tall_face_takes_a_test_a_turn_and_falls_back_to_the_foot():
    """Rise 6 costs 12: two turns of 6. Fallen, half the Move is left: 3 of 12 that turn.

    S: at the foot standing; H: half way (6 of 12); L: lying at the foot.
    H = 1 + L/6; S = 1 + L/6 + 5/6 H; after L: 3 climbed (Q): L = 1 + L/6 + 5/6 Q;
    Q = 1 + L/6 + 5/6 R with R at 9: R = 1 + L/6.
    """
    L = Fraction(0)
    # With a = 1 + L/6 every line is a + 5/6 of the next: H = R = a, Q = a + 5/6 a, L = a + 5/6 Q.
    f = Fraction(5, 6)
    factor = 1 + f + f * f
    L = factor / (1 - factor / 6)
    a = 1 + L / 6
    assert follow(Way().climb(6.0)).expected == a + f * a


def test_a_model_half_way_up_falls_to_the_foot_of_the_whole_face():
    """2 of 3 inches climbed, 1 left: cost 2. Fallen, the face is 3 high again: cost 6, of which 3 at first.

    L (lying) = 1 + L/6 + 5/6 P, P (3 of 6 climbed) = 1 + L/6; start = 1 + L/6.
    """
    found = follow(Way().climb(1.0, drop=2.0), board=table(climbed=2.0))
    f = Fraction(5, 6)
    L = (1 + f) / (1 - (1 + f) / 6)
    assert found.expected == 1 + L / 6


def test_a_shallow_gap_is_walked_out_of():
    """Drop 0.4 under half of 1 inch: 3 inches to stand up at the bottom, 0.5 to the far rim, 2 further."""
    way = Way().walk(1.0).leap(1.0, drop=0.4, hits=0).walk(2.0)
    # 1: next turn stands and walks 0.5 + 2 of 3 left. 2-5: next turn. 6: at once.
    assert follow(way).expected == Fraction(5, 6) * 2 + Fraction(1, 6)


def test_of_two_gaps_each_has_its_own_way_out():
    """M 6: 1 to the first, 1 between them, 2 behind the second; out of either walk 0.5 after 3 to stand up.

    In the second, and landed behind it, one turn more: 1. Landed between: D = 1 + 5/6. In the first 1.5 are left at the
    second, so that even a 6 takes a turn more: A = 2. S = 1 + A/6 + 4/6 D + 1/6 (5/6), as two sixes arrive at once.
    """
    way = Way().walk(1.0).leap(1.0, drop=0.4, hits=0).walk(1.0).leap(1.0, drop=0.4, hits=0).walk(2.0)
    between = 1 + Fraction(5, 6)
    assert follow(way).expected == 1 + Fraction(2, 6) + Fraction(4, 6) * between + Fraction(1, 6) * Fraction(5, 6)


@pytest.mark.parametrize("drop", [0.5, 1.0])
def test_a_gap_from_half_to_all_of_the_models_height_is_jumped_out_of(drop):
    """Drop 0.5 or 1: out by a Jump test with what Move is left; a 6 goes on for the 2 inches."""
    way = Way().walk(1.0).leap(1.0, drop=drop, hits=0).walk(2.0)
    # In the pit standing or lying: G = 1 + G/6 + 4/6; so G = 2.
    assert follow(way).expected == 1 + Fraction(1, 6) * 2 + Fraction(4, 6)


def test_a_deep_gap_is_climbed_out_of_unless_it_is_sheer():
    way = Way().walk(1.0).leap(1.0, drop=1.25, hits=1)
    # Climb of 2.5 after 0.5 of walking: from lying, 3 inches left just do. C = 1 + C/6, so C = 6/5.
    assert follow(way).expected == 1 + Fraction(1, 6) * Fraction(6, 5)
    board = table()
    pit = replace(board.piece("pit"), tags=frozenset({"gap", "unscalable"}))
    lost = follow(way, board=replace(board, terrain=board.terrain.with_item("pit", pit)))
    assert (lost.expected, lost.chance) == (None, Fraction(5, 6))
    rider = follow(way, board=table(keywords=frozenset({"cavalry"})))
    assert rider.chance == Fraction(5, 6)


def test_the_way_out_of_a_deep_gap_counts_double():
    """Drop 2.5 costs 5. Lying, 3 inches are left: 0.5 to the face and 2.5 up it; fallen off, 3 up it.

    F (lying at the foot) = (1 + F/6)(1 + 5/6), since one more turn does the rest: F = 66/25.
    """
    assert follow(Way().walk(1.0).leap(1.0, drop=2.5, hits=2)).expected == 1 + Fraction(1, 6) * Fraction(66, 25)


def test_falling_on_the_way_down_arrives_lying_and_has_to_stand():
    """FALL.2: 1: at the bottom, lying, a turn more to stand up; 2-6: there."""
    way = Way(on="scaffold").descend(3.0)
    assert follow(way, board=table(on="scaffold")).expected == 1 + Fraction(1, 6)


def test_a_lying_model_stands_up_on_its_route():
    found = follow(Way().stay("stand", 3.0).walk(5.0), board=table(prone=True))
    assert found.expected == 2
    crawled = follow(Way().stay("crawl", 1.0).stay("stand", 3.0).walk(5.0), board=table(prone=True))
    assert crawled.expected == 2  # crawls and stands; then the whole Move is free again
    stays = follow(Way().stay("crawl", 1.0).walk(1.0), board=table())
    assert stays.expected == 2  # nothing but standing up after a crawl


def test_a_charge_does_not_stop_inside_the_zone():
    """7 inches to contact: the first 6 would end exactly on the zone's rim; 8.5 with the rest in one turn."""
    board = table(target=9.0)
    question = Charge("merry", "uruk")
    assert follow(Way().walk(7.0), board=board, question=question).expected == 2
    close = table(target=8.5)  # contact after 6.5, the zone after 5.5: half an inch inside it may not be stood
    found = follow(Way().walk(6.5), board=close, question=question)
    assert found.expected == 2
    first = found.chain.states[1]
    assert found.steps.steps[first.step].needs == pytest.approx(1.0)
    assert found.steps.steps[first.step].cost == pytest.approx(1.0)
    assert first.along == 0.0
    uruk = replace(close.model("uruk"), engaged=frozenset({"pippin"}))  # no zone: it may come as near as it likes
    engaged = close.with_model(uruk)
    assert follow(Way().walk(6.5), board=engaged, question=question).chain.states[1].along == 6.0


def test_who_begins_inside_the_zone_charges_on_from_there():
    at = table(target=2.4)  # contact after 0.4 in
    found = campaign(at, Charge("merry", "uruk"))
    assert (found.expected, len(found.steps.steps)) == (1, 1)


WAYS = {
    "two walls": Way().walk(2.0).jump(1.5).walk(3.0).jump(1.5).walk(4.0),
    "wall and scaffold": Way().walk(1.0).jump(1.5).walk(1.0).climb(4.0).walk(2.0),
    "three walls close": Way().jump(1.5).jump(1.5).jump(1.5),
    "a face": Way().walk(3.0).climb(5.0),
}


@pytest.mark.parametrize("name", WAYS)
def test_dice_turn_by_turn_agree(name):
    way, trials = WAYS[name], 20_000
    found = follow(way)
    rng = random.Random(5)
    rolled = [turns_by_hand(way.route, 6.0, rng) for _ in range(trials)]
    for turns, p in enumerate(found.within(12).chances):
        slack = 5 * (float(p * (1 - p)) / trials) ** 0.5 + 1e-12
        assert abs(rolled.count(turns) / trials - p) <= slack, turns
    walked = found.simulate(100_000, 3)
    for turns, p in enumerate(found.within(8).chances):
        low, high = walked.interval(turns, level=0.999999)
        assert low <= p <= high


def test_every_turn_is_a_distribution():
    way = WAYS["wall and scaffold"]
    steps = steps_of(table(), "merry", way.route)
    for state in follow(way).chain.states[:-1]:
        if state.step != steps.goal:
            assert sum(turn(steps, state).values()) == 1


def test_round_or_over_is_decided_by_the_turns():
    """Over: 1.5 of 6.5 inches under a die. Round: so many inches more. The fewer expected turns win."""
    over = Way().walk(2.5).jump(1.5).walk(2.5).route
    board = table()

    def ranked(extra):
        return compare(board, GOAL, {"over": over, "round": Way().walk(6.5 + extra).route})

    assert ranked(1.0).best.name == "round"  # 2 turns for sure, against more than 2
    assert ranked(6.0).best.name == "over"  # 3 turns
    assert [c.name for c in ranked(6.0)] == ["over", "round"]
    assert len(ranked(6.0)) == 2
    assert "turns on average" in ranked(6.0)._repr_svg_()


def test_ways_are_found_by_closing_what_is_crossed():
    found = ways(table(), GOAL, judge=dodging_judge)
    assert list(found) == ["over wall", "without dice"]
    assert found["without dice"].cost == pytest.approx(16.5)
    best = compare(table(), GOAL, judge=dodging_judge).best
    assert best.name == "over wall"
    assert str(best).startswith("over wall: ")


def test_a_barred_piece_is_sheer_and_endless_and_platforms_stay():
    board = table()
    assert barred(board, ("wall",)).piece("wall").top == float("inf")
    closed = barred(board, ("pit",)).piece("pit")
    assert closed.tags == {"obstacle", "unscalable"}
    stage = replace(board.piece("wall"), tags=frozenset({"platform"}))
    high = replace(board, terrain=board.terrain.with_item("wall", stage))
    assert barred(high, ("wall",)) == high


def test_no_way_and_wrong_questions_say_so():
    with pytest.raises(QuestionError, match="no route"):
        campaign(table(height=0.9), GOAL, judge=judge)
    with pytest.raises(QuestionError, match="no route"):
        compare(table(height=0.9), GOAL, judge=judge)
    with pytest.raises(QuestionError, match="measure"):
        campaign(table(), Measure("merry", "uruk"))
    with pytest.raises(QuestionError, match="gets nowhere"):
        follow(Way().walk(1.0), board=table(move=0.0))


def test_who_falls_between_two_roofs_finds_its_way_back_up():
    """It falls to the ground, with a ladder to the far roof beside it, or with none: then it never arrives."""
    roofs = {
        f"r{i}": {
            "tags": ["platform", "unscalable"],
            "height": 3,
            "polygon": [[x, 8], [x + 4, 8], [x + 4, 16], [x, 16]],
        }
        for i, x in enumerate((4, 10))
    }
    model = {"at": [7.5, 12], "on": "r0", "base": 1, "height": 1.5, "move": 6, "side": "good"}
    ladder = {"tags": ["ladder"], "at": [10, 12], "to": "r1"}
    there = Move("m", (10.5, 12), "r1")
    sheer = campaign(Table(24, 24, models={"m": model}, terrain=roofs), there)
    assert (sheer.chance, sheer.expected) == (Fraction(5, 6), None)
    back = campaign(Table(24, 24, models={"m": model}, terrain={**roofs, "l": ladder}), there)
    # Lying at (9, 12), half an inch from the foot: 3 in to stand up, 0.5 in and 3 in up the ladder, in two more turns.
    assert (back.chance, back.expected) == (1, 1 + Fraction(1, 6) * 2)


def test_with_nothing_left_at_its_foot_no_climb_is_begun():
    """All six inches are walked: on the second turn the face is climbed with a 2 or more, and stood on."""
    found = follow(Way().walk(6.0).climb(2.5), question=Move("merry", (8.0, Y), "scaffold"))
    assert [found.within(2).by_turn(turn) for turn in (1, 2)] == [0, Fraction(5, 6)]


def rampart(mover: float, target: float) -> Table:
    """A rampart 4 in high, whose face is at y = 10, and a target on top of it; both in one line."""
    models = {
        "uruk": {"at": [12, mover], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
        "guard": {"at": [12, target], "on": "rampart", "base": 1, "height": 1.5, "move": 6, "side": "good"},
    }
    polygon = [[0, 10], [24, 10], [24, 20], [0, 20]]
    return Table(24, 24, models=models, terrain={"rampart": {"tags": ["platform"], "height": 4, "polygon": polygon}})


def test_a_climb_may_end_in_the_zone_that_binds_on_top_alone():
    """The landing touches the target: 8 in up, in two turns. Below nothing binds, whatever stands above (CZ.2).

    From three quarters up it sees the target, H = a = 1 + L/6, and goes on. Who fell lies, L = a + 5/6 Q, and is 3 of 8
    in up next turn, from where it does not (CHG.1): Q = a + 5/6 W, just below the rim, W = a. The start is a + 5/6 H.
    """
    found = campaign(rampart(9.5, 11.5), Charge("uruk", "guard"))
    up = Fraction(5, 6)
    a = 1 / (1 - Fraction(1, 6) * (1 + up + up * up))
    assert found.expected == (1 + up) * a


def test_who_cannot_charge_on_from_the_top_waits_below_it():
    """0.8 in of the zone are left on top. 2 of 8 in are climbed, then 6: there it waits, for it could not go on.

    Who falls lies, and climbs 3 of 8 in next turn: 1.5 in up its eye is at 3 in and sees nobody over the rim, so that
    from there it gets to just below the rim and no further (CHG.1). By the third turn who waits there has come up with
    a 6; by the fourth those who came to stand on top have as well, and who fell at first with a 6.
    """
    found = campaign(rampart(5.5, 12.3), Charge("uruk", "guard")).within(4)
    six, up = Fraction(1, 6), Fraction(5, 6)
    waited, fell = up * up, six * up
    third = waited * six
    fourth = third + waited * 4 * six + fell * up * six
    assert [found.by_turn(turn) for turn in (1, 2, 3, 4)] == [0, 0, third, fourth]
