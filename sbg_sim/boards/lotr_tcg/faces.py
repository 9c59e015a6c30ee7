"""Questions about an adventure path asked in a file, and their answers as plain data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sbg_sim.boards.lotr_tcg import legality, words
from sbg_sim.boards.lotr_tcg.cards import Block, Catalogue
from sbg_sim.boards.lotr_tcg.decks import Format, check_deck, post_shadows
from sbg_sim.boards.lotr_tcg.legality import apply, effect_number, explain, next_players, reachable
from sbg_sim.boards.lotr_tcg.options import Options
from sbg_sim.boards.lotr_tcg.reading import QuestionTable, ScenarioFile, minions_of, read, where_of
from sbg_sim.boards.lotr_tcg.roaming import is_roaming, price
from sbg_sim.boards.lotr_tcg.state import Effect, Move, PlayMinion, PlaySite, State, Travel, UseEffect, region
from sbg_sim.boards.lotr_tcg.text import AllyLine, SiteText, Where, hobbit_stealth
from sbg_sim.boards.room import Played, Room, Scenario, reached
from sbg_sim.boards.wording import counted, in_order

if TYPE_CHECKING:
    from sbg_sim.boards.game import Violation


@dataclass(frozen=True, slots=True)
class Asking:
    """What a question is asked about: the game, if the file shows one, and how it is read."""

    game: State | None
    catalogue: Catalogue
    options: Options

    @property
    def state(self) -> State:
        """The game."""
        assert self.game is not None
        return self.game


def _under(scenario: Scenario[State], asked: QuestionTable, options: Options) -> Asking:
    state = scenario.state
    if state is not None:
        state = replace(state, options=options, fmt=Format(asked.format) if asked.format else state.fmt)
    return Asking(state, scenario.board, options)


def _where(on: Asking, asked: QuestionTable) -> Where:
    return where_of(asked.where) if asked.where is not None else on.state.where(on.state.moving)


def _named(where: Where) -> str:
    if where.block is Block.FELLOWSHIP:
        return f"site {where.number}"
    if where.block is Block.SHADOWS:
        return f"Shadows site {where.number}"
    return f"site {where.number}[{where.block.value}]"


def _no(why: tuple[Violation, ...]) -> dict[str, Any]:
    return {"answer": "no", "rules": in_order(v.rule for v in why), "reason": why[0].reason}


def _deck(on: Asking, asked: QuestionTable, file: ScenarioFile) -> dict[str, Any]:
    fmt = Format(asked.format or file.format)
    player = asked.player
    if player is not None and asked.deck is None:
        deck = [*file.players[player].deck, *(site.site for site in file.path if site.owner == player)]
    else:
        deck = asked.deck or []
    why = check_deck(deck, fmt, on.catalogue, on.options)
    if why:
        return _no(why) | {"faults": [str(violation) for violation in why]}
    return {
        "answer": "yes",
        "rules": ["L1", "L2" if post_shadows(fmt) else "L15"],
        "reason": f"the deck may be played in {fmt.value}",
    }


def _move(on: Asking, asked: QuestionTable, _: ScenarioFile) -> dict[str, Any]:
    state = on.state
    if asked.by == "card":
        return _by_card(asked, state)
    why = explain(state, Travel())
    if why:
        return _no(why)
    number = state.number(state.moving) + 1
    gone = apply(state, Travel())
    if gone == state:
        return {"answer": "no", "rules": ["L3"], "reason": f"nobody has a site {number} to play"}
    if asked.site is None or asked.player is None:
        ready = gone.pending is None
        players = [] if ready else list(next_players(state))
        reason = f"site {number} is on the path" if ready else f"{' or '.join(players)} places site {number}"
        rules = ["L3"] if ready else ["L3", "L5" if len(state.seats) == 2 else "L4"]
        return {"answer": "yes", "cost": 1, "players": players, "rules": rules, "reason": reason}
    move: Move = PlaySite(asked.player, asked.site)
    why = explain(gone, move)
    if why:
        return _no(why) | {"players": list(next_players(state))}
    after = apply(gone, move)
    number = after.number(after.moving)
    reason = f"{asked.player} places it as site {number}, in region {region(number)}"
    rules = [
        "L3",
        "L4",
        "L6" if post_shadows(state.fmt) else "L13",
    ]
    return {
        "answer": "yes",
        "cost": 1,
        "players": [asked.player],
        "route": [site.site for site in after.path[number - 2 : number]],
        "rules": rules,
        "reason": reason,
    }


def _by_card(asked: QuestionTable, state: State) -> dict[str, Any]:
    assert asked.player is not None
    assert asked.site is not None
    effects = [effect for effect in state.effects if effect.player == asked.player]
    tries: list[Move] = [UseEffect(effect, asked.site) for effect in effects or [Effect(asked.player)]]
    verdicts = [(move, explain(state, move)) for move in tries]
    legal = [move for move, why in verdicts if not why]
    if not legal:
        return _no(min((why for _, why in verdicts), key=len))
    move = legal[0]
    assert isinstance(move, UseEffect)
    number = effect_number(state, move.effect)
    after = apply(state, move)
    new = after.path[number - 1]
    old = state.path[number - 1] if number <= len(state.path) else None
    reason = f"{asked.player} plays it as site {number}"
    if old is not None:
        reason += f"; {old.site} goes back to {old.owner}'s deck"
    return {
        "answer": "yes",
        "players": [asked.player],
        "route": [entry.site for entry in after.path],
        "cards": [*new.cards, *new.stacked],
        "home": None if old is None else old.owner,
        "rules": ["L8"] if old is None else ["L8", "L9", "L10", "L11"],
        "reason": reason,
    }


def _reach(on: Asking, asked: QuestionTable, _: ScenarioFile) -> dict[str, Any]:
    state = on.state if asked.player is None else replace(on.state, moving=asked.player)
    why = explain(state, Travel())
    if why:
        return reached({}, **{key: _no(why)[key] for key in ("rules", "reason")})
    found = {site: way.cost for site, way in reachable(state).items()}
    number = state.number(state.moving) + 1
    if not found:
        reason = f"nobody has a site {number}: the fellowship stays"
        return reached({}, ["L3"], reason)
    laid = number <= len(state.path)
    players = [] if laid else list(next_players(state))
    rule = "L6" if post_shadows(state.fmt) else "L13"
    rules = ["L3"] if laid else ["L3", "L5" if len(state.seats) == 2 else "L4", rule]
    return {**reached(found, rules, f"site {number} can be {counted(len(found), 'card')}"), "players": players}


def _route(on: Asking, asked: QuestionTable, _: ScenarioFile) -> dict[str, Any]:
    state = on.state
    here = state.number(asked.player or state.moving)
    to = asked.to
    assert to is not None
    if to < here or to > len(state.path):
        where = "behind" if to < here else "not on the path yet"
        return {"answer": "no", "rules": ["L3"], "reason": f"site {to} is {where}"}
    route = [site.site for site in state.path[here - 1 : to]]
    moves = to - here
    reason = f"site {to} is {counted(moves, 'move')} on"
    return {
        "answer": "yes",
        "cost": moves,
        "turns": moves,
        "route": route,
        "rules": ["L10"],
        "reason": reason,
    }


def _roaming(on: Asking, asked: QuestionTable, file: ScenarioFile) -> dict[str, Any]:
    assert asked.minion is not None
    minion = minions_of(file)[asked.minion]
    where = _where(on, asked)
    roams = is_roaming(minion, where.number)
    takes = price(minion, where.number, ignore_roaming=asked.ignore_roaming)
    reason = f"{minion.id} is {'' if roams else 'not '}roaming at {_named(where)} and takes {takes} twilight"
    result = {
        "answer": "yes" if roams else "no",
        "cost": takes,
        "rules": ["L17", "L18"] if roams else ["L17"],
        "reason": reason,
    }
    owner = file.minions[asked.minion].hand
    if asked.where is None and owner is not None and on.game is not None:
        result["playable"] = "no" if explain(on.game, PlayMinion(owner, minion, asked.ignore_roaming)) else "yes"
    return result


def _text(on: Asking, asked: QuestionTable, _: ScenarioFile) -> dict[str, Any]:
    assert asked.condition is not None
    where = _where(on, asked)
    text = SiteText.parse(asked.condition)
    holds = text.holds(where, on.options)
    rule = "L26" if text.block is None else "L25" if "higher" in asked.condition.lower() else "L23"
    reason = f"'{asked.condition}' {'holds' if holds else 'does not hold'} at {_named(where)}"
    return {"answer": "yes" if holds else "no", "rules": [rule], "reason": reason}


def _home(on: Asking, asked: QuestionTable, _: ScenarioFile) -> dict[str, Any]:
    assert asked.line is not None
    where = _where(on, asked)
    home = AllyLine.parse(asked.line).at_home(where)
    reason = f"the ally is {'' if home else 'not '}at home at {_named(where)}"
    return {"answer": "yes" if home else "no", "rules": ["L21", "L23"], "reason": reason}


def _stealth(on: Asking, asked: QuestionTable, _: ScenarioFile) -> dict[str, Any]:
    where = _where(on, asked)
    does = hobbit_stealth(where)
    reason = f"at {_named(where)} Hobbit Stealth {'cancels the skirmish' if does == 'cancel' else 'gives ' + does}"
    return {"answer": "yes" if does == "cancel" else "no", "effect": does, "rules": ["L24"], "reason": reason}


room: Room[State] = Room(
    "sbg_sim.boards.lotr_tcg",
    ScenarioFile,
    Options(),
    read,
    {
        "deck": _deck, "move": _move, "reach": _reach, "route": _route, "roaming": _roaming, "text": _text,
        "home": _home, "stealth": _stealth,
    },
    _under,
    {"players": "player", "home": "player", "cards": None, "effect": None, "playable": None, "faults": None},
    played=Played(legality, words.told, words.lit, words.tries, words.shown),
)  # fmt: skip
load, answer, model = room.load, room.answer, room.model
