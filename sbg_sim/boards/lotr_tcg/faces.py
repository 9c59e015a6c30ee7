"""Questions about an adventure path asked in a file, and their answers as plain data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sbg_sim.boards.form import question
from sbg_sim.boards.lotr_tcg.cards import Block, Catalogue, find_site
from sbg_sim.boards.lotr_tcg.decks import Format, check_deck
from sbg_sim.boards.lotr_tcg.legality import apply, effect_number, explain, next_players, reachable
from sbg_sim.boards.lotr_tcg.model import QuestionTable, ScenarioFile
from sbg_sim.boards.lotr_tcg.options import Options
from sbg_sim.boards.lotr_tcg.reading import Reader, where_of
from sbg_sim.boards.lotr_tcg.roaming import Minion, is_roaming, price
from sbg_sim.boards.lotr_tcg.state import Effect, Move, PlayMinion, PlaySite, State, Travel, UseEffect, region
from sbg_sim.boards.lotr_tcg.text import AllyLine, SiteText, Where, hobbit_stealth
from sbg_sim.boards.readings import changing
from sbg_sim.boards.wording import counted, in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sbg_sim.boards.game import Violation

model = ScenarioFile

BLANK: Mapping[str, Any] = dict.fromkeys(("answer", "cost", "turns", "route", "reachable"))


@dataclass(frozen=True, slots=True)
class Scenario:
    """A file read and found sound: the game it shows, if it shows one, and its questions."""

    file: ScenarioFile
    state: State | None
    catalogue: Catalogue
    minions: Mapping[str, Minion]

    @property
    def questions(self) -> Mapping[str, QuestionTable]:
        """The questions by id."""
        return self.file.questions


def load(data: Mapping[str, Any]) -> Scenario:
    """Return the scenario of a parsed TOML file.

    Raises
    ------
    pydantic.ValidationError
        When the file has the wrong shape.
    FileFaultsError
        With everything that does not fit together.

    """
    file = ScenarioFile.model_validate(dict(data))
    reader = Reader(file)
    state = reader.read()
    return Scenario(file, state, reader.catalogue, reader.minions)


def answer(scenario: Scenario, question_id: str) -> dict[str, Any]:
    """Return the answer to one question.

    Parameters
    ----------
    scenario
        From `load`.
    question_id
        The question's key.

    Returns
    -------
    dict
        ``question``, ``ask``, ``answer``, ``cost``, ``turns``, ``route``, ``reachable``, ``players`` where
        someone plays a site, ``rules``, ``options`` (readings that change the answer) and ``reason``.

    Raises
    ------
    UnknownNameError
        When there is no such question.

    """
    asked = question(scenario.questions, question_id)
    solve = SOLVERS[asked.ask]
    options = asked.options.over(scenario.file.options.over(Options()))
    result = {**BLANK, **solve(scenario, asked, options)}
    differing = changing(options, _essence(result), lambda other: _essence({**BLANK, **solve(scenario, asked, other)}))
    return {"question": question_id, "ask": asked.ask, **result, "options": differing}


def _essence(result: Mapping[str, Any]) -> tuple[object, ...]:
    found = result["reachable"]
    return (result["answer"], result["cost"], tuple(found or ()), tuple(result.get("players") or ()))


def _state(scenario: Scenario, asked: QuestionTable, options: Options) -> State:
    assert scenario.state is not None
    fmt = Format(asked.format) if asked.format else scenario.state.fmt
    return replace(scenario.state, options=options, fmt=fmt)


def _where(scenario: Scenario, asked: QuestionTable) -> Where:
    if asked.where is not None:
        return where_of(asked.where)
    assert scenario.state is not None
    return scenario.state.where(scenario.state.moving)


def _named(where: Where) -> str:
    if where.block is Block.FELLOWSHIP:
        return f"site {where.number}"
    if where.block is Block.SHADOWS:
        return f"Shadows site {where.number}"
    return f"site {where.number}[{where.block.value}]"


def _no(why: tuple[Violation, ...]) -> dict[str, Any]:
    return {"answer": "no", "rules": in_order(v.rule for v in why), "reason": why[0].reason}


def _deck(scenario: Scenario, asked: QuestionTable, options: Options) -> dict[str, Any]:
    fmt = Format(asked.format or scenario.file.format)
    player = asked.player
    if player is not None and asked.deck is None:
        deck = scenario.file.players[player].deck
        deck = deck + [site.site for site in scenario.file.path if site.owner == player]
    else:
        deck = asked.deck or []
    why = check_deck(deck, fmt, scenario.catalogue, options)
    if why:
        return _no(why) | {"faults": [str(violation) for violation in why]}
    return {
        "answer": "yes",
        "rules": ["L1", "L2" if fmt in {Format.STANDARD, Format.EXPANDED} else "L15"],
        "reason": f"the deck may be played in {fmt.value}",
    }


def _move(scenario: Scenario, asked: QuestionTable, options: Options) -> dict[str, Any]:
    state = _state(scenario, asked, options)
    if asked.by == "card":
        return _by_card(scenario, asked, state)
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
    move: Move = PlaySite(asked.player, find_site(asked.site, scenario.catalogue).id)
    why = explain(gone, move)
    if why:
        return _no(why) | {"players": list(next_players(state))}
    after = apply(gone, move)
    number = after.number(after.moving)
    reason = f"{asked.player} places it as site {number}, in region {region(number)}"
    rules = [
        "L3",
        "L4",
        "L6" if scenario.state and state.fmt in {Format.STANDARD, Format.EXPANDED} else "L13",
    ]
    return {
        "answer": "yes",
        "cost": 1,
        "players": [asked.player],
        "route": [site.site for site in after.path[number - 2 : number]],
        "rules": rules,
        "reason": reason,
    }


def _by_card(scenario: Scenario, asked: QuestionTable, state: State) -> dict[str, Any]:
    assert asked.player is not None
    assert asked.site is not None
    site = find_site(asked.site, scenario.catalogue).id
    effects = [effect for effect in state.effects if effect.player == asked.player]
    tries: list[Move] = [UseEffect(effect, site) for effect in effects or [Effect(asked.player)]]
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


def _reach(scenario: Scenario, asked: QuestionTable, options: Options) -> dict[str, Any]:
    state = _state(scenario, asked, options)
    if asked.player is not None:
        state = replace(state, moving=asked.player)
    why = explain(state, Travel())
    if why:
        return _no(why) | {"reachable": []}
    found = list(reachable(state))
    number = state.number(state.moving) + 1
    if not found:
        reason = f"nobody has a site {number}: the fellowship stays"
        return {"answer": "no", "reachable": [], "rules": ["L3"], "reason": reason}
    laid = number <= len(state.path)
    players = [] if laid else list(next_players(state))
    rule = "L6" if state.fmt in {Format.STANDARD, Format.EXPANDED} else "L13"
    return {
        "answer": "yes",
        "reachable": found,
        "players": players,
        "rules": ["L3"] if laid else ["L3", "L5" if len(state.seats) == 2 else "L4", rule],
        "reason": f"site {number} can be {counted(len(found), 'card')}",
    }


def _route(scenario: Scenario, asked: QuestionTable, options: Options) -> dict[str, Any]:
    state = _state(scenario, asked, options)
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


def _roaming(scenario: Scenario, asked: QuestionTable, options: Options) -> dict[str, Any]:
    assert asked.minion is not None
    minion = scenario.minions[asked.minion]
    where = _where(scenario, asked)
    roams = is_roaming(minion, where.number)
    takes = price(minion, where.number, ignore_roaming=asked.ignore_roaming)
    reason = f"{minion.id} is {'' if roams else 'not '}roaming at {_named(where)} and takes {takes} twilight"
    result = {
        "answer": "yes" if roams else "no",
        "cost": takes,
        "rules": ["L17", "L18"] if roams else ["L17"],
        "reason": reason,
    }
    owner = scenario.file.minions[asked.minion].hand
    if asked.where is None and owner is not None and scenario.state is not None:
        move = PlayMinion(owner, minion, asked.ignore_roaming)
        why = explain(_state(scenario, asked, options), move)
        result["playable"] = "no" if why else "yes"
    return result


def _text(scenario: Scenario, asked: QuestionTable, options: Options) -> dict[str, Any]:
    assert asked.condition is not None
    where = _where(scenario, asked)
    text = SiteText.parse(asked.condition)
    holds = text.holds(where, options)
    rule = "L26" if text.block is None else "L25" if "higher" in asked.condition.lower() else "L23"
    reason = f"'{asked.condition}' {'holds' if holds else 'does not hold'} at {_named(where)}"
    return {"answer": "yes" if holds else "no", "rules": [rule], "reason": reason}


def _home(scenario: Scenario, asked: QuestionTable, options: Options) -> dict[str, Any]:  # noqa: ARG001
    assert asked.line is not None
    where = _where(scenario, asked)
    home = AllyLine.parse(asked.line).at_home(where)
    reason = f"the ally is {'' if home else 'not '}at home at {_named(where)}"
    return {"answer": "yes" if home else "no", "rules": ["L21", "L23"], "reason": reason}


def _stealth(scenario: Scenario, asked: QuestionTable, options: Options) -> dict[str, Any]:  # noqa: ARG001
    where = _where(scenario, asked)
    does = hobbit_stealth(where)
    reason = f"at {_named(where)} Hobbit Stealth {'cancels the skirmish' if does == 'cancel' else 'gives ' + does}"
    return {"answer": "yes" if does == "cancel" else "no", "effect": does, "rules": ["L24"], "reason": reason}


SOLVERS: Mapping[str, Callable[[Scenario, QuestionTable, Options], dict[str, Any]]] = {
    "deck": _deck,
    "move": _move,
    "reach": _reach,
    "route": _route,
    "roaming": _roaming,
    "text": _text,
    "home": _home,
    "stealth": _stealth,
}

__all__ = ["Scenario", "ScenarioFile", "answer", "load", "model"]
