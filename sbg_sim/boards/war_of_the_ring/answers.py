"""The answers to questions about a War of the Ring position, as plain data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, get_args

from sbg_sim.boards.war_of_the_ring import play, travel
from sbg_sim.boards.war_of_the_ring.position import Means, MeansKind, Move, State
from sbg_sim.boards.wording import counted, refused

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Ask:
    """A question: its id, what is asked, about whom, where to, by what, and who has moved before."""

    id: str
    ask: str
    who: tuple[str, ...] = ()
    to: str | None = None
    by: str | None = None
    after: tuple[str, ...] = ()


def answered(state: State, cards: Mapping[str, Means], ask: Ask) -> dict[str, Any]:
    """Return the answer to `ask`, without the expectation."""
    who = tuple(sorted(state.chart.character(name).id for name in ask.who))
    ask = replace(ask, who=who)
    if ask.by is not None:
        state = play.take(state, _means(state, cards, ask))
    state = replace(state, moved=frozenset(state.chart.character(name).id for name in ask.after))
    kinds = {"reach": _reach, "move": _move, "enter": _enter, "route": _route, "with-army": _with_army}
    return {"ask": ask.ask, **kinds[ask.ask](state, ask)}


def _means(state: State, cards: Mapping[str, Means], ask: Ask) -> Means:
    if ask.by is not None and ask.by in cards:
        return cards[ask.by]
    kind: MeansKind = next(known for known in get_args(MeansKind) if known == ask.by)
    return Means(state.chart.characters[ask.who[0]].side, kind)


def _names(state: State, ask: Ask) -> str:
    return ", ".join(state.chart.characters[figure].name for figure in ask.who)


def _by_rules(state: State, ask: Ask) -> list[str]:
    """Return the rules that give these figures their range."""
    group = [state.chart.characters[figure] for figure in ask.who]
    if group[0].side == "free-peoples":
        return ["W9"] if len(group) > 1 else ["W8"]
    return list(dict.fromkeys("W15" if who.is_nazgul else "W21" for who in group))


def _move(state: State, ask: Ask) -> dict[str, Any]:
    before = state.moved
    state = replace(play.ready(state, ask.who), moved=before)
    move = Move("travel", ask.who, ask.to)
    violations = play.explain(state, move)
    if violations:
        return refused(violations)
    assert ask.to is not None
    region = state.chart.region(ask.to)
    reached = travel.reach(state, ask.who)[region.id]
    return {
        "answer": "yes",
        "cost": reached.cost,
        "route": list(reached.route),
        "rules": _by_rules(state, ask),
        "reason": f"{_names(state, ask)} may go to {region.name}.",
    }


def _reach(state: State, ask: Ask) -> dict[str, Any]:
    state = play.ready(state, ask.who)
    violations = travel.standing(state, ask.who)
    if violations:
        return {**refused(violations), "answer": None, "reachable": {}}
    costs = {place: reached.cost for place, reached in play.reachable(state, ask.who).items()}
    reason = f"{_names(state, ask)} can go to {counted(len(costs), 'region')}."
    return {"answer": None, "reachable": costs, "rules": _by_rules(state, ask), "reason": reason}


def _enter(state: State, ask: Ask) -> dict[str, Any]:
    violations = play.explain(state, Move("enter", ask.who, ask.to))
    if violations:
        return refused(violations)
    assert ask.to is not None
    rule = "W2" if state.chart.characters[ask.who[0]].enters == "will-of-the-west" else "W3"
    region = state.chart.region(ask.to)
    reason = f"{_names(state, ask)} comes into play in {region.name}."
    return {"answer": "yes", "route": [region.id], "rules": [rule], "reason": reason}


def _route(state: State, ask: Ask) -> dict[str, Any]:
    assert ask.to is not None
    region = state.chart.region(ask.to)
    violations = travel.standing(play.ready(state, ask.who), ask.who)
    if violations:
        return {**refused(violations), "turns": None}
    legs = play.plan(state, ask.who, region.id)
    rules = _by_rules(state, ask)
    if legs is None:
        reason = f"no series of actions brings {_names(state, ask)} to {region.name}."
        return {"answer": "no", "turns": None, "route": None, "rules": rules, "reason": reason}
    return {
        "answer": "yes",
        "turns": len(legs),
        "route": [legs[0].route[0] if legs else region.id, *(leg.route[-1] for leg in legs)],
        "legs": [list(leg.route) for leg in legs],
        "rules": rules,
        "reason": f"{_names(state, ask)} can be in {region.name} after {counted(len(legs), 'action')}.",
    }


def _with_army(state: State, ask: Ask) -> dict[str, Any]:
    violations = travel.stays(state, ask.who[0])
    if violations:
        return refused(violations)
    reason = f"{_names(state, ask)} may go along with an Army; how Armies move is outside these rules."
    return {"answer": "yes", "rules": ["W7"], "reason": reason}
