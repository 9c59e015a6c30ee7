"""The answers to questions about a METW position, as plain data."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from sbg_sim.boards.game import Violation
from sbg_sim.boards.metw import journey, play, routes
from sbg_sim.boards.metw.creatures import Creature, explain_attack
from sbg_sim.boards.metw.kinds import written
from sbg_sim.boards.wording import counted, refused

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Ask:
    """A question: its id, what is asked, and the names it asks about."""

    id: str
    ask: str
    company: str = ""
    creature: str = ""
    player: str = ""
    place: str = ""
    start: str = ""
    to: str | None = None
    method: str | None = None
    regions: list[str] | None = None


def answered(state: play.State, creatures: Mapping[str, Creature], ask: Ask) -> dict[str, Any]:
    """Return the answer to `ask`, without the expectation."""
    if ask.ask == "attack":
        found = _attack(state, creatures[ask.creature], ask)
    else:
        kinds = {"reach": _reach, "move": _move, "route": _route, "path": _path, "type": _type, "view": _view}
        found = kinds[ask.ask](state, ask)
    return {"ask": ask.ask, **found}


def _reach(state: play.State, ask: Ask) -> dict[str, Any]:
    here = state.company(ask.company).site  # whatever was declared, and as in a turn of the company's player
    moves = play.steps(state, here)
    costs = {move.to: play.reached(state, here, move).cost for move in moves if move.to is not None}
    rules = ["M18", "M8" if state.atlas.sites[state.company(ask.company).site].is_haven else "M9", "M19"]
    reason = f"{ask.company} can move to {counted(len(costs), 'site')} this turn, or stay."
    return {"answer": None, "reachable": costs, "rules": rules, "reason": reason}


def _journey(state: play.State, ask: Ask) -> play.Move:
    method: play.Method = "site-path" if ask.regions is None else "region"
    return play.resolved(state, play.Move(method, ask.company, ask.to, tuple(ask.regions or ())))


def _move(state: play.State, ask: Ask) -> dict[str, Any]:
    company = state.company(ask.company)
    assert ask.to is not None
    end = state.atlas.site(ask.to)
    if ask.method is None and ask.regions is None:
        moves = [move for move in play.steps(state, company.site, company.id) if move.to == end.id]
        if not moves:
            return refused(_neither(state, company.site, end.id))
        move = moves[0]
    elif ask.method == "region" and ask.regions is None:
        start = state.atlas.sites[company.site]
        series = journey.shortest(state.atlas, start.region, end.region, state.options)
        move = play.Move("region", company.id, end.id, series)
    else:
        move = _journey(state, ask)
    violations = play.explain_journey(state, company.site, move)
    if violations:
        return refused(violations)
    sites = state.atlas.sites
    types = journey.site_path(sites[company.site], end) if move.method == "site-path" else ()
    way = "by its site path" if move.method == "site-path" else f"over {counted(len(move.regions), 'region')}"
    rule = ("M8" if sites[company.site].is_haven else "M9") if move.method == "site-path" else "M19"
    return {
        "answer": "yes",
        "cost": len(move.regions) or len(types),
        "route": [company.site, *move.regions, end.id],
        "rules": [rule],
        "reason": f"{company.id} moves from {sites[company.site].name} to {end.name} {way}.",
    }


def _neither(state: play.State, start: str, end: str) -> tuple[Violation, ...]:
    sites = state.atlas.sites
    series = journey.shortest(state.atlas, sites[start].region, sites[end].region, state.options)
    return (
        *play.explain_journey(state, start, play.Move("site-path", "", end)),
        *play.explain_journey(state, start, play.Move("region", "", end, series)),
    )


def _route(state: play.State, ask: Ask) -> dict[str, Any]:
    company, atlas = state.company(ask.company), state.atlas
    assert ask.to is not None
    end = atlas.site(ask.to)
    legs = routes.plan(state, company.site, end.id)
    rules = ["M15"] if state.options.movement == "site-path" else ["M24"]
    if legs is None:
        reason = f"no series of moves leads from {atlas.sites[company.site].name} to {end.name}."
        return {"answer": "no", "turns": None, "route": None, "rules": rules, "reason": reason}
    return {
        "answer": "yes",
        "turns": len(legs),
        "route": [company.site, *(leg.to for leg in legs)],
        "legs": [{"to": leg.to, "method": leg.method, "regions": list(leg.regions)} for leg in legs],
        "rules": rules,
        "reason": f"{end.name} is {counted(len(legs), 'turn')} away from {atlas.sites[company.site].name}.",
    }


def _attack(state: play.State, creature: Creature, ask: Ask) -> dict[str, Any]:
    company = state.company(ask.company)
    move = company.journey if ask.to is None else _journey(state, ask)
    if move is None or move.to is None:
        nothing = Violation("M25", f"{company.id} has declared no journey, so it plays no region card", company.site)
        return {**refused((nothing,)), "types": ""}
    violations = play.explain_journey(state, company.site, move)
    if violations:
        return {**refused(violations), "types": ""}
    start, end = state.atlas.sites[company.site], state.atlas.sites[move.to]
    offered = journey.path_types(state.atlas, start, end, move.method, move.regions, state.options)
    violations = explain_attack(creature, offered, state.options)
    if violations:
        return {**refused(violations), "types": written(offered)}
    rule = "M26" if len(creature.symbols) > len(set(creature.symbols)) else "M25"
    reason = f"{creature.name} ({written(creature.symbols)}) may attack on {written(offered)}."
    return {"answer": "yes", "types": written(offered), "rules": [rule], "reason": reason}


def _path(state: play.State, ask: Ask) -> dict[str, Any]:
    assert ask.to is not None
    start, end = state.atlas.site(ask.start), state.atlas.site(ask.to)
    types = journey.site_path(start, end)
    reason = f"from {start.name} to {end.name}: {written(types) or 'no site path'}."
    return {"answer": None, "types": written(types), "rules": ["M10", "M11"], "reason": reason}


def _type(state: play.State, ask: Ask) -> dict[str, Any]:
    place = state.atlas.place(ask.place)
    rule = "M17" if place.id in state.atlas.sites else "M16"
    words = place.type.name.replace("_", " ").capitalize()
    return {"answer": None, "types": place.type.value, "rules": [rule], "reason": f"{place.name} is of type {words}."}


def _view(state: play.State, ask: Ask) -> dict[str, Any]:
    sees = {
        seen.company: {k: v for k, v in asdict(seen).items() if k != "company"} for seen in play.view(state, ask.player)
    }
    for shown in sees.values():
        shown["hidden"] = bool(shown["face_down_sites"]) and shown["to"] is None
        shown["regions"] = None if shown["regions"] is None else list(shown["regions"])
    hidden = sum(shown["hidden"] for shown in sees.values())
    reason = f"{ask.player} sees {len(sees)} companies, {hidden} of them with a destination face down."
    return {"answer": None, "sees": sees, "rules": ["M6", "M19"], "reason": reason}
