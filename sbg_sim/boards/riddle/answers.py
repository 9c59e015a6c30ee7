"""The answers to questions about a marker in its turn, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sbg_sim.boards.riddle.legality import after, explain, legal_steps, steps
from sbg_sim.boards.riddle.search import endings, needed, plan, situations, trace
from sbg_sim.boards.riddle.state import EndTurn, Flight, Move, State, Step
from sbg_sim.boards.riddle.terrain import FLIGHTS, Card, Way
from sbg_sim.boards.wording import counted, in_order

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sbg_sim.boards.game import Violation

ABOUT = {
    "bombadil_": {Card.TOM_BOMBADIL},
    "fly_to_dots": FLIGHTS,
    "flight": FLIGHTS,
    "horse_": {Card.HORSE},
    "cards_outside": {Card.CLOAK, Card.ROPE},
    "two_terrains": {Card.CLOAK, Card.ROPE},
    "road_by_boat": {Card.BOAT},
    "river_pace": {Card.BOAT},
    "head_by_river": {Card.BOAT},
}
"""The cards an option is about, by the beginning of its name; the others can matter always."""


@dataclass(frozen=True)
class Ask:
    """A question: what is asked, and the places, by their ids, and rolls it asks about."""

    ask: str
    to: str | None = None
    path: tuple[str, ...] | None = None
    by: Card | None = None
    rolls: tuple[int, ...] = ()
    turns: int = 40


def matters(words: str, cards: frozenset[Card]) -> bool:
    """Whether a reading can change anything with these cards; most are about cards nobody has."""
    name = words.split(" ", maxsplit=1)[0]
    needed_cards = next((some for start, some in ABOUT.items() if name.startswith(start)), None)
    return needed_cards is None or bool(needed_cards & cards)


def essence(result: Mapping[str, Any]) -> tuple[object, ...]:
    """Return what of an answer a reading may change so that it counts."""
    return tuple(result.get(key) for key in ("answer", "cost", "turns", "reachable", "costs"))


def answered(asked: Ask, state: State, *, full: bool = True) -> dict[str, Any]:
    """Return the answer in one reading; not `full` leaves out what only explains a no."""
    blank = {"answer": None, "cost": None, "turns": None, "needed": None, "route": None, "reachable": None}
    if asked.ask == "reach":
        return blank | _reach(state)
    if asked.ask == "route":
        return blank | _route(asked, state)
    return blank | (_walk(asked, state) if asked.path is not None else _go(asked, state, full=full))


def _reach(state: State) -> dict[str, Any]:
    costs: dict[str, int] = {}
    rules: list[str] = []
    for way in endings(state):
        costs.setdefault(way.state.at, way.cost)
        rules += rules_of(way.moves)
    reached = {place: costs[place] for place in state.board.places if place in costs}
    count = counted(len(reached), "place")
    return {
        "answer": "yes",
        "reachable": list(reached),
        "costs": reached,
        "rules": in_order(rules),
        "reason": f"from {state.at} the marker can end this turn on {count}",
    }


def _route(asked: Ask, state: State) -> dict[str, Any]:
    assert asked.to is not None
    found = plan(state, asked.to, asked.rolls, turns=asked.turns)
    if found is None:
        why = f"no route from {state.at} to {asked.to} in {asked.turns} turns"
        return {"answer": "no", "rules": [], "reason": why}
    moves = [move for turn in found.turns for move in turn]
    number = len(found.turns)
    return {
        "answer": "yes",
        "cost": number,
        "turns": number,
        "route": list(found.route),
        "rules": in_order(rules_of(moves)),
        "reason": f"{asked.to} is {counted(number, 'turn')} from {state.at}",
    }


def _go(asked: Ask, state: State, *, full: bool) -> dict[str, Any]:
    to = asked.to
    assert to is not None
    ways = [way for way in endings(state) if way.state.at == to]
    if ways:
        best = min(ways, key=lambda way: way.cost)
        rules = in_order(rules_of(best.moves))
        reason = f"{to} is reached for {best.cost} of {state.allowance}"
        route = list(trace(state.at, best.moves))
        return {
            "answer": "yes",
            "cost": best.cost,
            "needed": None if state.options.exact_roll else best.cost,
            "route": route,
            "rules": rules,
            "reason": reason,
        }
    if not full:
        return {"answer": "no"}
    need = needed(state, to)
    why = _why_not(state, to)
    reason = why[0].reason if why else f"{to} is too far for {state.allowance}"
    if why and why[0].rule == "R4" and need is not None:
        reason = f"{to} takes {need}, more than {state.allowance}"
    rules = in_order([violation.rule for violation in why]) or ["R4"]
    return {"answer": "no", "needed": need, "rules": rules, "reason": reason}


def _why_not(state: State, to: str) -> tuple[Violation, ...]:
    """Return what breaks the last step to `to` that comes nearest to being legal."""
    tries = [
        violations
        for way in situations(state)
        for step in steps(state.board, way.state.at)
        if step.to[-1] == to and (violations := explain(way.state, step))
    ]
    return min(tries, key=lambda found: (found[0].rule == "R4", len(found)), default=())


def _walk(asked: Ask, state: State) -> dict[str, Any]:
    path = asked.path or ()
    begun = Along(0, (), state)
    if asked.by is not None:
        lift = Flight(asked.by, path[0])
        why = explain(state, lift)
        if why:
            return _refused(why)
        begun, path = Along(0, (lift,), after(state, lift)), path[1:]
    ends, why = _along(begun, path)
    if not ends:
        return _refused(why)
    best = min(ends, key=lambda end: end.cost)
    return {
        "answer": "yes",
        "cost": best.cost,
        "route": list(trace(state.at, best.moves)),
        "rules": in_order(rules_of(best.moves)),
        "reason": f"the marker goes along the path for {best.cost} and ends on {best.state.at}",
    }


def _refused(why: tuple[Violation, ...]) -> dict[str, Any]:
    return {"answer": "no", "rules": in_order([v.rule for v in why]), "reason": why[0].reason}


@dataclass(frozen=True, slots=True)
class Along:
    """A part of a path gone: the points it took, the moves, and the state it ends in."""

    cost: int
    moves: tuple[Move, ...]
    state: State


def _along(begun: Along, path: tuple[str, ...]) -> tuple[list[Along], tuple[Violation, ...]]:
    """Return the cheapest way to every state in which exactly `path` is gone, and what stops the furthest try."""
    parts: list[dict[State, Along]] = [{begun.state: begun}, *({} for _ in path)]
    stopped: tuple[Violation, ...] = ()
    for gone, part in enumerate(parts[:-1]):
        rest = path[gone:]
        for here in part.values():
            for step in legal_steps(here.state):
                if step.to == rest[: len(step.to)]:
                    there = after(here.state, step)
                    cost = here.cost + here.state.points - there.points
                    known = parts[gone + len(step.to)].get(there)
                    if known is None or cost < known.cost:
                        parts[gone + len(step.to)][there] = Along(cost, (*here.moves, step), there)
        if part:
            stopped = _stopped(next(iter(part.values())).state, rest[0]) or stopped
    ends = [end for end in parts[-1].values() if not explain(end.state, EndTurn())]
    if not ends and parts[-1]:
        stopped = explain(next(iter(parts[-1])), EndTurn())
    return ends, stopped


def _stopped(state: State, place: str) -> tuple[Violation, ...]:
    """Return what keeps the marker from stepping to `place`, by the way that breaks least; empty when one is legal."""
    shaped = [step for step in steps(state.board, state.at) if step.to == (place,)]
    return min((explain(state, step) for step in shaped or [Step(Way.LAND, (place,))]), key=len)


def rules_of(moves: tuple[Move, ...] | list[Move]) -> list[str]:
    """Return the ids of the rules that `moves` make use of, in order and with repeats."""
    names = {
        Way.LAND: ("R4", "R4"),
        Way.ROAD: ("R15", "R16"),
        Way.CROSS: ("R22", "R22"),
        Way.WATER: ("R37", "R39"),
        Way.RIVER: ("R26", "R26"),
    }
    out = []
    for move in moves:
        if isinstance(move, Flight):
            out.append("R47" if move.card is Card.TOM_BOMBADIL else "R42")
        elif isinstance(move, Step):
            out.append(names[move.way][len(move.to) - 1])
    return out
