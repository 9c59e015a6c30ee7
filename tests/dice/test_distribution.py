"""Exact distributions against icepool and against rolling every die by hand."""

from __future__ import annotations

import pickle
from fractions import Fraction
from itertools import product

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbg_sim.dice import (
    Distribution,
    End,
    Go,
    Play,
    Stage,
    best,
    distribution,
    hits,
    inches_used,
    places,
    prone,
    success_chance,
)
from sbg_sim.errors import QuestionError, SbgError

STUMBLE = End(at=(1.0, 0.0), used=1.0, label="stumbles")
OVER = End(at=(2.5, 0.0), used=2.5, label="over")
FALL = End(at=(3.0, 0.0), used=3.0, prone=True, hits=2, label="falls")
TOP = End(at=(3.0, 0.0), on="scaffold", used=5.0, label="on top")
GOAL = End(at=(4.0, 0.0), on="scaffold", used=6.0, success=True, label="there")


def walls(count: int) -> Play:
    """A row of walls of which the last only needs to be landed behind."""
    landed = End(at=(9.0, 0.0), used=6.0, success=True, label="behind the last")
    before = tuple(Stage.split("jump", f"wall-{i}", STUMBLE, OVER, Go.ON) for i in range(count - 1))
    return Play((*before, Stage.split("jump", "last", STUMBLE, landed, landed)), landed)


def by_icepool(play: Play) -> dict[End, Fraction]:
    ends = [STUMBLE, OVER, FALL, TOP, GOAL]
    die = icepool.Die([ends.index(play.final)])
    for stage in reversed(play.stages):
        outcomes = [die if face is Go.ON else ends.index(face) for face in stage.faces]
        die = icepool.d6.map({i + 1: o for i, o in enumerate(outcomes)})
    return {ends[i]: p for i, p in zip(die.keys(), die.probabilities(), strict=True)}


def by_hand(play: Play) -> dict[End, Fraction]:
    """Roll every die of every trial, needed or not, and look what happens."""
    found: dict[End, Fraction] = {}
    rolls = list(product(range(6), repeat=len(play.stages)))
    for rolled in rolls:
        end = play.final
        for stage, face in zip(play.stages, rolled, strict=True):
            what = stage.faces[face]
            if isinstance(what, End):
                end = what
                break
        found[end] = found.get(end, Fraction(0)) + Fraction(1, len(rolls))
    return found


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_k_walls_are_passed_with_one_sixth_for_each_but_the_last(count):
    assert success_chance(walls(count)) == Fraction(1, 6) ** (count - 1) * Fraction(5, 6)
    assert distribution(walls(count)).denominator == 6**count


def test_a_place_beyond_the_wall_needs_the_six():
    play = Play((Stage.split("jump", "wall", STUMBLE, OVER, Go.ON),), GOAL)
    assert distribution(play) == {STUMBLE: Fraction(1, 6), OVER: Fraction(4, 6), GOAL: Fraction(1, 6)}


def test_no_dice_is_certain():
    assert distribution(Play((), GOAL)) == {GOAL: 1}
    assert success_chance(Play((), STUMBLE)) == 0


@given(
    st.lists(
        st.lists(st.sampled_from([STUMBLE, OVER, FALL, TOP, GOAL, Go.ON]), min_size=6, max_size=6),
        max_size=4,
    ),
)
@settings(max_examples=50, deadline=None)
def test_any_chain_of_dice_agrees_with_icepool_and_with_hand_rolling(table):
    play = Play(tuple(Stage("jump", "wall", tuple(faces)) for faces in table), GOAL)
    found = distribution(play)
    assert dict(found) == by_hand(play)
    assert dict(found) == by_icepool(play)
    assert sum(found.values()) == 1
    assert set(found) == set(play.ends)


def test_marginals_of_a_climb_behind_a_wall():
    play = Play(
        (
            Stage.split("jump", "wall", STUMBLE, OVER, Go.ON),
            Stage.split("climb", "scaffold", FALL, TOP, Go.ON),
        ),
        GOAL,
    )
    ends = distribution(play)
    assert prone(ends) == {True: Fraction(1, 36), False: Fraction(35, 36)}
    assert hits(ends).mean() == Fraction(2, 36)
    assert places(ends)[(3.0, 0.0), "scaffold"] == Fraction(4, 36)
    assert inches_used(ends).mean() == pytest.approx((6 * 1 + 24 * 2.5 + 1 * 3 + 4 * 5 + 1 * 6) / 36)
    assert ends.chance_of(lambda end: end.on == "scaffold") == Fraction(5, 36)
    assert ends.numerator(GOAL) == 1
    assert ends.numerator(End(label="never")) == 0


def test_the_best_play_is_by_the_goal_asked_for():
    safe = Play((), STUMBLE)
    bold = Play((Stage.split("jump", "wall", STUMBLE, OVER, Go.ON),), GOAL)
    assert best([safe, bold]) == (bold, Fraction(1, 6))
    assert best([safe, bold], lambda end: end == STUMBLE) == (safe, Fraction(1))
    assert best([safe, safe])[0] is safe
    with pytest.raises(QuestionError):
        best([])


def test_a_distribution_is_a_value():
    d = Distribution([("a", 2), ("b", 4), ("c", 0)], 6)
    same = Distribution.of({"b": Fraction(2, 3), "a": Fraction(1, 3)})
    assert d == same
    assert hash(d) == hash(same)
    assert (d.denominator, same.denominator) == (6, 3)
    assert "c" not in d
    assert pickle.loads(pickle.dumps(d)) == d
    assert pickle.loads(pickle.dumps(d)).denominator == 6
    assert repr(d) == "<Distribution: 2/6 a; 4/6 b>"
    assert d.as_json()[1] == {"outcome": "b", "chance": "2/3", "chance_value": pytest.approx(2 / 3)}
    assert "2/3 (67 %)" in d._repr_svg_()


def test_means_are_exact_for_exact_numbers():
    d6 = Distribution([(face, 1) for face in range(1, 7)], 6)
    assert d6.mean() == Fraction(7, 2)
    assert d6.mean(lambda face: face * face) == Fraction(91, 6)
    assert d6.mean(float) == pytest.approx(3.5)
    with pytest.raises(SbgError):
        Distribution([("a", 1)], 1).mean()


@pytest.mark.parametrize(("weights", "over"), [([("a", 5)], 6), ([("a", -1), ("b", 7)], 6), ([], 0)])
def test_weights_that_are_none_are_refused(weights, over):
    with pytest.raises(QuestionError):
        Distribution(weights, over)


def test_a_picture_does_not_let_a_name_through():
    assert "<b>" not in Distribution([("<b>", 1)], 1)._repr_svg_()


def test_a_die_has_six_faces():
    with pytest.raises(QuestionError, match="six faces"):
        Stage("jump", "wall", (STUMBLE,))


def test_the_mean_weighs_every_outcome():
    loaded = Distribution([(1, 1), (2, 2), (4, 3)], 6)
    assert loaded.mean() == Fraction(1 + 4 + 12, 6)
    assert loaded.mean(lambda n: Fraction(1, n)) == Fraction(1 + 1, 6) + Fraction(3, 24)
    assert loaded.mean(float) == pytest.approx(17 / 6)


def test_an_end_in_words_tells_what_is_so_and_nothing_else():
    assert str(End()) == "ends, at (0.00, 0.00), 0.00 in used"
    assert str(FALL) == "falls, at (3.00, 0.00), 3.00 in used, prone, 2 hits"
    assert str(GOAL) == "there, at (4.00, 0.00), on scaffold, 6.00 in used, goal"
    assert str(End(at=(1, 2), hits=1, climbed=0.5)) == "ends, at (1.00, 2.00), 0.50 in up the face, 0.00 in used, 1 hit"
