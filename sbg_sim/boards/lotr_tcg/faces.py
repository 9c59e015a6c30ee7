"""Questions about an adventure path in a file, and their answers as plain data."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sbg_sim.boards.lotr_tcg import legality, words
from sbg_sim.boards.lotr_tcg.cards import Block
from sbg_sim.boards.lotr_tcg.decks import Format, check_deck, post_shadows
from sbg_sim.boards.lotr_tcg.legality import apply, effect_number, explain, next_players, reachable
from sbg_sim.boards.lotr_tcg.options import Options
from sbg_sim.boards.lotr_tcg.reading import ScenarioFile, faults, minions_of, position, read, where_of
from sbg_sim.boards.lotr_tcg.roaming import is_roaming, price
from sbg_sim.boards.lotr_tcg.state import Effect, PlayMinion, PlaySite, State, Travel, UseEffect, region
from sbg_sim.boards.lotr_tcg.text import AllyLine, SiteText, Where, hobbit_stealth
from sbg_sim.boards.room import Case, Played, Room
from sbg_sim.boards.wording import allowed, denied, in_order, reached
from sbg_sim.wording import counted

if TYPE_CHECKING:
    from sbg_sim.boards.game import Violation


def _where(state: State, asked: Any) -> Where:
    return where_of(asked.where) if asked.where is not None else state.where(state.moving)


def _named(where: Where) -> str:
    if where.block is Block.SHADOWS:
        return f"Shadows site {where.number}"
    return f"site {where.number}" + ("" if where.block is Block.FELLOWSHIP else f"[{where.block.value}]")


def _no(why: tuple[Violation, ...], **more: Any) -> dict[str, Any]:
    return denied(in_order(v.rule for v in why), why[0].reason, **more)


def _deck(_: State, asked: Any, case: Case) -> dict[str, Any]:
    file, fmt = case.file, Format(asked.format or case.file.format)
    deck = asked.deck
    if deck is None:
        played = [site.site for site in file.path if site.owner == asked.player]
        deck = [*file.players[asked.player].deck, *played]
    why = check_deck(deck, fmt, case.board, case.options)
    if why:
        return _no(why, faults=[str(violation) for violation in why])
    return allowed(["L1", "L2" if post_shadows(fmt) else "L15"], f"the deck may be played in {fmt.value}")


def _move(state: State, asked: Any, _: Case) -> dict[str, Any]:
    if asked.by == "card":
        return _by_card(asked, state)
    why = explain(state, Travel())
    if why:
        return _no(why)
    number = state.number(state.moving) + 1
    gone = apply(state, Travel())
    if gone == state:
        return denied(["L3"], f"nobody has a site {number} to play")
    if asked.site is None:
        if gone.pending is None:
            return allowed(["L3"], f"site {number} is on the path", cost=1, players=[], number=number)
        players = list(next_players(state))
        rules = ["L3", "L5" if len(state.seats) == 2 else "L4"]
        reason = f"{' or '.join(players)} places site {number}"
        return allowed(rules, reason, cost=1, players=players, number=number)
    move = PlaySite(asked.player, asked.site)
    why = explain(gone, move)
    if why:
        return _no(why, players=[] if gone.pending is None else list(gone.pending.players))
    after = apply(gone, move)
    number = after.number(after.moving)
    route = [site.site for site in after.path[number - 2 : number]]
    reason = f"{asked.player} places it as site {number}, in region {region(number)}"
    rules = ["L3", "L5" if len(state.seats) == 2 else "L4", "L6" if post_shadows(state.fmt) else "L13"]
    return allowed(rules, reason, cost=1, players=[asked.player], route=route, number=number)


def _by_card(asked: Any, state: State) -> dict[str, Any]:
    effects = [effect for effect in state.effects if effect.player == asked.player]
    tries = [UseEffect(effect, asked.site) for effect in effects or [Effect(asked.player)]]
    verdicts = [(move, explain(state, move)) for move in tries]
    legal = [move for move, why in verdicts if not why]
    if not legal:
        return _no(min((why for _, why in verdicts), key=len))
    number = effect_number(state, legal[0].effect)
    after = apply(state, legal[0])
    new, old = after.path[number - 1], state.path[number - 1] if number <= len(state.path) else None
    back = "" if old is None else f"; {old.site} goes back to {old.owner}'s deck"
    return allowed(
        ["L8"] if old is None else ["L8", "L9", "L10", "L11"],
        f"{asked.player} plays it as site {number}{back}",
        players=[asked.player],
        route=[entry.site for entry in after.path],
        cards=[*new.cards, *new.stacked],
        home=None if old is None else old.owner,
        number=number,
    )


def _reach(state: State, asked: Any, _: Case) -> dict[str, Any]:
    state = state if asked.player is None else replace(state, moving=asked.player)
    why = explain(state, Travel())
    if why:
        return {**reached({}, (), ""), **_no(why)}
    found = reachable(state)
    number = state.number(state.moving) + 1
    if not found:
        return reached({}, ["L3"], f"nobody has a site {number}: the fellowship stays")
    if number <= len(state.path):
        return reached(found, ["L3"], f"site {number} is on the path", players=[], number=number)
    rules = ["L3", "L5" if len(state.seats) == 2 else "L4", "L6" if post_shadows(state.fmt) else "L13"]
    reason = f"{counted(len(found), 'card')} can become site {number}"
    return reached(found, rules, reason, players=list(next_players(state)), number=number)


def _route(state: State, asked: Any, _: Case) -> dict[str, Any]:
    here, to = state.number(asked.player or state.moving), asked.to
    if to < here or to > len(state.path):
        return denied(["L3"], f"site {to} is {'behind' if to < here else 'not on the path yet'}")
    route = [site.site for site in state.path[here - 1 : to]]
    moves = to - here
    return allowed(["L10"], f"site {to} is {counted(moves, 'move')} on", cost=moves, turns=moves, route=route)


def _roaming(state: State, asked: Any, case: Case) -> dict[str, Any]:
    minion = minions_of(case.file)[asked.minion]
    where = _where(state, asked)
    roams = is_roaming(minion, where.number)
    takes = price(minion, where.number, ignore_roaming=asked.ignore_roaming)
    owner, more = case.file.minions[asked.minion].hand, {}
    why: tuple[Violation, ...] = ()
    if asked.where is None and owner is not None:
        why = explain(state, PlayMinion(owner, minion, asked.ignore_roaming))
        more["playable"] = "no" if why else "yes"
    said = allowed if roams else denied
    reason = f"{minion.id} is {'' if roams else 'not '}roaming at {_named(where)} and takes {takes} twilight"
    reasons = [reason, *(f"it cannot be played, for {one.reason}" for one in why)]
    rules = [*(["L17", "L18"] if roams else ["L17"]), *(one.rule for one in why)]
    if owner is None and not roams:
        rules.append("L19")  # a minion in play is no longer roaming, wherever it was played
    if where.block in {Block.TOWER, Block.KING}:
        rules.append("L20")
    return said(in_order(rules), "; ".join(reasons), cost=takes, **more)


def _text(state: State, asked: Any, case: Case) -> dict[str, Any]:
    where, text = _where(state, asked), SiteText.parse(asked.condition)
    rule = "L26" if text.block is None else "L25" if "higher" in asked.condition.lower() else "L23"
    if text.holds(where, case.options):
        return allowed([rule], f"'{asked.condition}' holds at {_named(where)}")
    return denied([rule], f"'{asked.condition}' does not hold at {_named(where)}")


def _home(state: State, asked: Any, _: Case) -> dict[str, Any]:
    where = _where(state, asked)
    if AllyLine.parse(asked.line).at_home(where):
        return allowed(["L21", "L23"], f"the ally is at home at {_named(where)}")
    return denied(["L21", "L23"], f"the ally is not at home at {_named(where)}")


def _stealth(state: State, asked: Any, _: Case) -> dict[str, Any]:
    where = _where(state, asked)
    does = hobbit_stealth(where)
    if does == "cancel":
        return allowed(["L24"], f"at {_named(where)} Hobbit Stealth cancels the skirmish", effect=does)
    return denied(["L24"], f"at {_named(where)} Hobbit Stealth gives {does}", effect=does)


room: Room[State] = Room(
    "sbg_sim.boards.lotr_tcg",
    ScenarioFile,
    Options(),
    read,
    faults,
    position,
    {
        "deck": _deck, "move": _move, "reach": _reach, "route": _route, "roaming": _roaming, "text": _text,
        "home": _home, "stealth": _stealth,
    },
    played=Played(legality, words.told, words.lit, words.tries, words.shown),
)  # fmt: skip
load, answer, model = room.load, room.answer, room.model
