"""War of the Ring as a game of characters: an action takes a die or card, figures move or enter, the action ends."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, combinations
from typing import TYPE_CHECKING

from sbg_sim.boards.game import Reached, Violation, known, refuse
from sbg_sim.boards.search import ways
from sbg_sim.boards.war_of_the_ring import travel
from sbg_sim.boards.war_of_the_ring.position import Means, Move, State
from sbg_sim.errors import SbgError

if TYPE_CHECKING:
    from collections.abc import Iterator


def explain(state: State, move: Move) -> tuple[Violation, ...]:
    """Return the rules that `move` breaks; none if it is legal.

    Raises
    ------
    UnknownNameError
        When a figure or region is unknown.
    SbgError
        When the move lacks a part that its kind requires, or is no move.

    """
    move = resolved(state, move)
    if move.kind == "begin":
        return _explain_begin(state, move)
    if move.kind == "end":
        return () if state.means is not None else (Violation("W4", "no action is under way"),)
    if move.to is None or not move.figures:
        raise SbgError(f"a move of kind {move.kind!r} names figures and a region")
    if move.kind == "enter":
        return _explain_enter(state, move.figures, move.to)
    if move.kind == "separate":
        return _explain_separate(state, move.figures, move.to)
    found = travel.standing(state, move.figures)
    off = any(figure not in state.at for figure in move.figures)
    if off or any(violation.rule in {"W7", "W9", "W20"} for violation in found):
        return found  # for figures that cannot move the distance does not matter
    return found + travel.place_faults(state, move.figures, move.to)


def resolved(state: State, move: Move) -> Move:
    """Return `move` with ids for names, and its figures in order; SbgError if it is no move."""
    known(move, Move)
    return replace(
        move,
        figures=tuple(sorted(state.chart.character(figure).id for figure in move.figures)),
        to=None if move.to is None else state.chart.region(move.to).id,
    )


def _explain_begin(state: State, move: Move) -> tuple[Violation, ...]:
    if move.means is None:
        raise SbgError("a move of kind 'begin' names the die or card it takes")
    found = []
    if state.phase != "action-resolution":
        found.append(Violation("W4", f"actions are taken in the Action Resolution phase, not in {state.phase}"))
    if state.means is not None:
        found.append(Violation("W4", "another action is under way"))
    if move.means not in state.pool:
        found.append(Violation("W4", f"no {move.means.name or move.means.kind} of the {move.means.side} side is left"))
    return tuple(found)


def _explain_enter(state: State, figures: tuple[str, ...], to: str) -> tuple[Violation, ...]:
    found = []
    if len(figures) > 1:
        found.append(Violation("W3", "one die brings in one character"))
    if state.phase != "action-resolution":
        found.append(
            Violation("W4", f"characters come in by a die in the Action Resolution phase, not in {state.phase}")
        )
    for figure in figures:
        who = state.chart.characters[figure]
        rule = {"will-of-the-west": "W2", "muster": "W3"}.get(who.enters or "")
        if rule is None:
            wrong = "W1" if who.side == "free-peoples" else "W3"
            found.append(Violation(wrong, f"{who.name} does not come into play by a die and a card of its own"))
            continue
        if state.means is None or state.means.kind != f"{who.enters}-die" or state.means.side != who.side:
            found.append(Violation(rule, f"{who.name} comes into play by a {who.enters} die of its side"))
        if figure in state.at:
            found.append(Violation(rule, f"{who.name} is in play already", state.at[figure]))
        if (figure, to) not in state.entries:
            found.append(
                Violation(rule, f"the card of {who.name} does not allow {state.chart.regions[to].name} now", to)
            )
    return tuple(found)


def _explain_separate(state: State, figures: tuple[str, ...], to: str) -> tuple[Violation, ...]:
    found = []
    if state.phase != "action-resolution" or state.means is not None:
        found.append(Violation("W1", "Companions are separated before or after an action, in Action Resolution"))
    found += [
        Violation("W1", f"{state.chart.characters[figure].name} is not in the Fellowship")
        for figure in figures
        if figure not in state.fellowship
    ]
    if to != state.fellowship_at:
        found.append(Violation("W1", f"the Fellowship is not in {state.chart.regions[to].name}", to))
    return tuple(found)


def apply(state: State, move: Move) -> State:
    """Return the position after `move`.

    Raises
    ------
    IllegalMoveError
        When `explain` finds a violation.

    """
    move = resolved(state, move)
    refuse(explain(state, move))
    if move.kind == "begin":
        assert move.means is not None
        pool = list(state.pool)
        pool.remove(move.means)
        return replace(state, pool=tuple(pool), means=move.means, moved=frozenset())
    if move.kind == "end":
        return replace(state, means=None, moved=frozenset())
    assert move.to is not None
    left = replace(state, fellowship=state.fellowship - frozenset(move.figures))
    there = left.placed(dict.fromkeys(move.figures, move.to))
    if move.kind == "travel":
        return replace(there, moved=state.moved | frozenset(move.figures))
    if move.kind == "separate":
        return there
    return replace(there, means=None, moved=frozenset())  # the entry uses up the die


def legal_moves(state: State, who: str | None = None) -> tuple[Move, ...]:
    """Return every legal move once; `who` (a character) limits them to moves of that figure.

    Companions are listed in every group; figures of the Shadow one by one, since a move of several of them only stands
    for a move of each. Companions are also separated one by one.
    """
    figure = None if who is None else state.chart.character(who).id
    wanted = (move for move in _candidates(state) if figure is None or figure in move.figures)
    return tuple(move for move in wanted if not explain(state, move))


def _candidates(state: State) -> Iterator[Move]:
    yield from (Move("begin", means=means) for means in dict.fromkeys(state.pool))
    yield Move("end")
    yield from (Move("enter", (figure,), region) for figure, region in sorted(state.entries))
    if state.fellowship_at is not None:
        yield from (Move("separate", (figure,), state.fellowship_at) for figure in sorted(state.fellowship))
    if state.means is None:
        return
    for figures in _groups(state):
        if not travel.standing(state, figures):
            yield from (Move("travel", figures, to) for to in sorted(travel.reach(state, figures)))


def _groups(state: State) -> Iterator[tuple[str, ...]]:
    walkers: dict[str, list[str]] = {}
    for figure, region in state.figures:
        if state.chart.characters[figure].side == "shadow":
            yield (figure,)
        elif figure not in state.moved:
            walkers.setdefault(region, []).append(figure)
    for together in walkers.values():
        sizes = range(1, len(together) + 1)
        yield from chain.from_iterable(combinations(sorted(together), size) for size in sizes)


def ready(state: State, figures: tuple[str, ...]) -> State:
    """Return the position with a Character die of the figures' side in use, unless an action has begun."""
    if state.means is not None:
        return state
    return replace(state, means=Means(state.chart.characters[figures[0]].side), moved=frozenset())


def reachable(state: State, who: str | tuple[str, ...]) -> dict[str, Reached]:
    """Return the regions that a character or a group of Companions can reach in one action; the cost counts regions.

    If no action has begun, a Character die of the figures' side is assumed. A Nazgûl's single move costs 1.
    """
    names = (who,) if isinstance(who, str) else who
    figures = tuple(sorted(state.chart.character(name).id for name in names))
    state = ready(state, figures)
    if travel.standing(state, figures):
        return {}
    return dict(sorted(travel.reach(state, figures).items()))


def plan(state: State, who: str | tuple[str, ...], goal: str) -> tuple[Reached, ...] | None:
    """Return the moves, one per action, that take a character or a group to `goal`, or None.

    The number of moves is the least possible, and then the number of regions. Sieges, control and the group stay as
    they are; every action is one Character die (by W12 the next action is free of the stop).
    """
    names = (who,) if isinstance(who, str) else who
    figures = tuple(sorted(state.chart.character(name).id for name in names))
    state = replace(ready(state, figures), moved=frozenset())
    if travel.standing(state, figures):
        return None
    if len({state.at[figure] for figure in figures}) > 1:  # figures of the Shadow, each alone: the slowest counts
        plans = [plan(state, figure, goal) for figure in figures]
        return None if None in plans else max((legs for legs in plans if legs is not None), key=len)
    end, action = state.chart.region(goal).id, len(state.chart.regions) + 1  # an action costs more than all regions

    def onward(here: str) -> Iterator[tuple[int, Reached, str]]:
        ends = sorted(travel.reach(state, figures, here).items())
        return ((action + reached.cost, reached, there) for there, reached in ends)

    return next((way.moves for way in ways(state.at[figures[0]], onward=onward) if way.end == end), None)
