"""Turns until something happens: closed forms, a dense solver, and random walks."""

from __future__ import annotations

from fractions import Fraction

import icepool
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbg_sim.dice import explore
from sbg_sim.errors import QuestionError

SIXTH = Fraction(1, 6)


def walls(count: int):
    """A wall a turn, passed on 2-6."""
    return explore(lambda s: {s: SIXTH, s + 1: 5 * SIXTH}, 0, lambda s: s == count)


@pytest.mark.parametrize("count", [0, 1, 2, 7])
def test_walls_one_a_turn_take_six_fifths_of_a_turn_each(count):
    assert walls(count).expected == Fraction(6, 5) * count


def test_turns_of_one_wall_are_geometric():
    table = walls(1).within(6)
    assert table.chances == (0, *(5 * SIXTH * SIXTH**k for k in range(6)))
    assert table.tail == SIXTH**6
    assert table.by_turn(2) == 1 - SIXTH**2


def test_turns_of_three_walls_are_negative_binomial_by_icepool():
    """Within n turns means at least three passes among n dice."""
    table = walls(3).within(8)
    for n in range(9):
        passes = (icepool.d6 >= 2).pool(n).sum() if n else icepool.Die([0])
        assert table.by_turn(n) == (passes >= 3).probability(True)


def test_gamblers_ruin():
    """From i with even odds between 0 and n: chance i / n."""
    chain = explore(
        lambda s: {s: Fraction(1)} if s == 0 else {s - 1: Fraction(1, 2), s + 1: Fraction(1, 2)},
        3,
        lambda s: s == 10,
    )
    assert chain.chance == Fraction(3, 10)
    assert chain.expected is None
    assert chain.turns_for(Fraction(3, 10)) is None


def test_a_way_that_never_arrives():
    chain = explore(lambda s: {s: Fraction(1)}, "stuck", lambda s: s == "home")
    assert (chain.chance, chain.expected) == (0, None)
    assert chain.turns_for(0.5) is None
    assert chain.simulate(100, 1).missing == 100
    assert np.isnan(chain.simulate(100, 1).mean)


def test_certain_walks_and_starts_at_home():
    chain = explore(lambda s: {s + 1: Fraction(1)}, 0, lambda s: s == 4)
    assert chain.expected == 4
    assert chain.turns_for(1) == 4
    assert explore(lambda s: {s: Fraction(1)}, 0, lambda s: s == 0).within(2).chances == (1, 0, 0)


def test_turns_for_a_chance():
    assert walls(1).turns_for(Fraction(5, 6)) == 1
    assert walls(1).turns_for(Fraction(35, 36)) == 2
    assert walls(1).turns_for(0.99) == 3
    assert walls(1).turns_for(1) is None
    with pytest.raises(QuestionError):
        walls(1).turns_for(1.5)


@given(st.data())
@settings(max_examples=30, deadline=None)
def test_any_chain_agrees_with_a_dense_solver(data):
    n = data.draw(st.integers(2, 7))
    rows = []
    for _ in range(n - 1):
        weights = data.draw(st.lists(st.integers(0, 5), min_size=n, max_size=n).filter(any))
        weights[-1] += 1  # home can be reached from everywhere, so the expectation is finite
        rows.append({j: Fraction(w, sum(weights)) for j, w in enumerate(weights)})
    chain = explore(lambda s: rows[s], 0, lambda s: s == n - 1)
    P = np.array([[float(rows[i][j]) for j in range(n - 1)] for i in range(n - 1)])
    expected = np.linalg.solve(np.eye(n - 1) - P, np.ones(n - 1))[0]
    assert float(chain.expected) == pytest.approx(expected, rel=1e-9)
    assert chain.chance == 1
    table = chain.within(5)
    start = np.eye(n - 1)[0]
    for turn in range(1, 6):
        before = np.linalg.matrix_power(P, turn - 1)
        home = [float(rows[i][n - 1]) for i in range(n - 1)]
        assert float(table.chances[turn]) == pytest.approx(start @ before @ home)


def test_no_turns_and_a_turn_after_the_last():
    assert walls(0).within(0).chances == (1,)
    walked = walls(1).simulate(50, 1)
    low, high = walked.interval(len(walked.arrived))
    assert low == pytest.approx(0, abs=1e-12)
    assert 0 < high < 0.2


@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_chain_is_walked_for_so_many_turns_and_no_more(most):
    walked = walls(1).simulate(2000, 1, most_turns=most)
    whole = walls(1).simulate(2000, 1)
    assert walked.arrived == whole.arrived[: most + 1]
    assert len(walked.arrived) == most + 1


def test_random_walks_agree_with_the_exact_turns():
    chain = walls(3)
    trials = 200_000
    walked = chain.simulate(trials, 5)
    assert walked == chain.simulate(trials, 5)
    assert sum(walked.arrived) == trials
    for turn, p in enumerate(chain.within(6).chances):
        low, high = walked.interval(turn, level=0.999999)
        assert low <= p <= high
    assert walked.mean == pytest.approx(3.6, abs=5 * (3 * (1 / 6) / (5 / 6) ** 2 / trials) ** 0.5)


def test_a_long_row_of_states_is_solved_fast():
    assert walls(2000).expected == 2400


def test_chances_must_sum_to_one_and_states_must_end():
    with pytest.raises(QuestionError, match="sum to 1"):
        explore(lambda s: {s: Fraction(1, 2)}, 0, lambda s: False)
    with pytest.raises(QuestionError, match="more than 50 states"):
        explore(lambda s: {s + 1: Fraction(1)}, 0, lambda s: False, most_states=50)
    with pytest.raises(QuestionError):
        walls(1).within(-1)
    fine = explore(lambda s: {1: Fraction(1, 3**50), 2: 1 - Fraction(1, 3**50)}, 0, lambda s: s > 0)
    with pytest.raises(QuestionError, match="a die of 717897987691852588770249 sides"):
        fine.simulate(1, 0)
    for trials in (0, 1.5):
        with pytest.raises(QuestionError, match="at least 1"):
            walls(1).simulate(trials, 0)


def test_it_shows_itself():
    table = walls(1).within(2)
    assert repr(table) == "<TurnTable: chance to have arrived by turn 0: 0.00000, 1: 0.83333, 2: 0.97222>"
    assert "arrives in this turn" in table._repr_svg_()
    assert [Fraction(share) for share in table.as_json()["chances"]] == list(table.chances)


def test_every_row_adds_up_and_goals_stay_where_they_are():
    chain = walls(2)
    assert all(sum(p for _, p in row) == 1 for row in chain.rows)
    assert [chain.rows[g] for g in chain.goals] == [((g, 1),) for g in chain.goals]
