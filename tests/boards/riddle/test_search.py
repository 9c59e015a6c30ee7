"""The search against one that forgets nothing: every state of a turn, by legal moves alone."""

from dataclasses import fields, replace
from typing import get_args, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbg_sim.boards import riddle
from sbg_sim.boards.riddle import Card, EndTurn, Options, Step
from sbg_sim.boards.riddle.search import needed, situations
from tests.boards.riddle.random_boards import boards

CARDS = [card.value for card in Card]


@st.composite
def readings(draw):
    """Any reading of every rule, numbers small."""
    hints = get_type_hints(Options)
    chosen = {}
    for field in fields(Options):
        kind = hints[field.name]
        words = st.booleans() if kind is bool else st.sampled_from(get_args(kind)) if get_args(kind) else None
        chosen[field.name] = draw(words if words is not None else st.integers(0, 2))
    return Options(**chosen)


def turn(state):
    """Every state of one turn with the least points to it, found by moves one after the other."""
    spent, queue = {state: 0}, [state]
    while queue:
        here = queue.pop()
        for move in riddle.legal_moves(here):
            if isinstance(move, EndTurn):
                continue
            there = riddle.apply(here, move)
            cost = spent[here] + (here.points - there.points if isinstance(move, Step) else 0)
            if cost < spent.get(there, 10**6):
                spent[there] = cost
                queue.append(there)
    return {here: cost for here, cost in spent.items() if not riddle.explain(here, EndTurn())}


def costs(state):
    found = {}
    for here, cost in turn(state).items():
        found[here.at] = min(cost, found.get(here.at, cost))
    return found


def turns_to(state, goal, rolls, most):
    """The fewest turns to `goal`, by all states that turns can end in."""
    front = {state}
    for number in range(most):
        roll = rolls[min(number, len(rolls) - 1)] if rolls else state.allowance
        ends = {end for here in front for end in turn(here)}
        if any(end.at == goal for end in ends):
            return number + 1
        front = {riddle.begin_turn(riddle.apply(end, EndTurn()), roll) for end in ends}
    return None


def begun(data, raw, cards, roll, options):
    board = riddle.read_board(raw)
    at = data.draw(st.sampled_from(board.places))
    in_play = data.draw(st.sets(st.sampled_from(["cloak", "rope"])))
    return riddle.start(board, at, roll, cards, in_play=in_play & cards, options=options)


@settings(max_examples=150, deadline=None)
@given(boards(), st.sets(st.sampled_from(CARDS), max_size=5), st.integers(0, 4), readings(), st.data())
def test_a_reach_is_that_of_all_states(raw, cards, roll, options, data):
    state = begun(data, raw, cards, roll, options)
    assert {place: way.cost for place, way in riddle.reachable(state).items()} == costs(state)


@settings(max_examples=60, deadline=None)
@given(boards(), st.sets(st.sampled_from(CARDS), max_size=3), readings(), st.data())
def test_a_plan_takes_as_few_turns_as_all_states_do(raw, cards, options, data):
    rolls = data.draw(st.lists(st.integers(0, 2), max_size=2))
    state = begun(data, raw, cards, data.draw(st.integers(0, 2)), options)
    goal = data.draw(st.sampled_from([place for place in state.board.places if place != state.at]))
    plan = riddle.plan(state, goal, rolls, turns=3)
    assert (None if plan is None else len(plan.turns)) == turns_to(state, goal, rolls, 3)
    if plan is not None:
        here = state
        for number, moves in enumerate(plan.turns):
            for move in moves:
                here = riddle.apply(here, move)
            last = here.at
            roll = rolls[min(number, len(rolls) - 1)] if rolls else state.allowance
            here = riddle.begin_turn(riddle.apply(here, EndTurn()), roll)
        assert last == goal


@settings(max_examples=60, deadline=None)
@given(boards(), st.sets(st.sampled_from(CARDS), max_size=3), readings(), st.data())
def test_the_allowance_needed_is_the_first_that_does(raw, cards, options, data):
    state = begun(data, raw, cards, 0, options)
    goal = data.draw(st.sampled_from(state.board.places))
    tries = (n for n in range(6) if goal in costs(replace(state, allowance=n, points=n)))
    assert needed(state, goal, 5) == next(tries, None)


@pytest.mark.parametrize("card", ["eagles", "tom-bombadil"])
def test_r42_who_could_have_flown_may_walk_on_all_the_same(line, card):
    # flying is the whole move and the card stays: b by air ends the turn there, b on foot does not
    board = line("open lake lake")
    options = Options(flight="instead", flights_spent=False, bombadil_range=1, fly_to_dots=False)
    state = riddle.start(board, "a", 3, [card, "boat"], options=options)
    found = riddle.reachable(state)
    assert found["b"].cost == 0
    board = line("open open open open")
    state = riddle.start(board, "a", 3, ["tom-bombadil"], options=options)
    assert {place: way.cost for place, way in riddle.reachable(state).items()} == {"a": 0, "b": 0, "c": 2, "d": 3}


def test_who_waits_for_a_better_roll_is_not_forgotten(line):
    board = line("open open open")
    state = riddle.start(board, "a", 0)
    for rolls, turns in (([0, 1], 3), ([0, 0, 2], 4), ([0, 1, 0, 2], 3)):
        assert len(riddle.plan(state, "b", rolls).turns) == turns
    assert len(riddle.plan(riddle.start(line("open mountain open"), "a", 1), "c", [0, 1, 0, 1]).turns) == 3
    assert len(riddle.plan(state, "c", [0, 0, 0, 2]).turns) == 5


def test_a_hand_of_all_cards_leaves_few_situations():
    state = riddle.start(riddle.standard(), "bree", 6, CARDS, options=Options(horse_bonus=2))
    assert sum(1 for _ in situations(state)) < 2000  # with points and cards in play apart there are many times as many


def test_water_is_out_of_reach_without_a_boat_whatever_else_there_is(monkeypatch):
    monkeypatch.setattr("sbg_sim.boards.riddle.search.endings", None)  # it is not looked for
    state = riddle.start(riddle.standard(), "bree", 6, [card for card in CARDS if card != "boat"])
    assert riddle.plan(state, "long-lake") is None
