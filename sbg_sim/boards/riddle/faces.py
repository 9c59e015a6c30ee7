"""Questions about a Riddle board in a file, and their answers as plain data."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias

from pydantic import Field

from sbg_sim.boards.form import PLACE, Named, Strict, file_form
from sbg_sim.boards.game import Reached
from sbg_sim.boards.names import Check, finder
from sbg_sim.boards.riddle import legality, words
from sbg_sim.boards.riddle.legality import explain, goes_by_river, legal_steps, moved, steps
from sbg_sim.boards.riddle.options import Options
from sbg_sim.boards.riddle.reading import PACKAGE, BoardTable, build
from sbg_sim.boards.riddle.search import endings, needed, plan, situations, trace
from sbg_sim.boards.riddle.state import EndTurn, Flight, Move, State, Step, begin_turn, start
from sbg_sim.boards.riddle.stops import lacking, opened, rough
from sbg_sim.boards.riddle.terrain import FLIGHTS, Card, Way
from sbg_sim.boards.room import Case, Played, Room
from sbg_sim.boards.search import ways
from sbg_sim.boards.wording import allowed, denied, in_order, reached, refused
from sbg_sim.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sbg_sim.boards.form import File as Form
    from sbg_sim.boards.game import Violation
    from sbg_sim.boards.names import Find
    from sbg_sim.boards.riddle.board import Board

PlaceName = Annotated[str, Named(PLACE)]
CardWord = Literal["cloak", "rope", "boat", "horse", "eagles", "flying-beasts", "tom-bombadil"]


_MOST: Final = 1000  # spaces and turns: more than any board needs, and few enough to compute
Roll: TypeAlias = Annotated[int, Field(ge=0, le=_MOST)]


class MarkerTable(Strict):
    """The marker at the beginning of a turn; questions may change every key."""

    at: PlaceName | None = None
    allowance: Roll | None = None
    cards: list[CardWord] | None = None
    in_play: list[Literal["cloak", "rope"]] | None = None


MARKER: Final[dict[str, Any]] = {part: field.annotation for part, field in MarkerTable.model_fields.items()}

QUESTIONS: Final[Mapping[str, tuple[str, dict[str, Any]]]] = {
    "reach": ("Where this turn can end.", MARKER),
    "move": (
        "Whether this turn can end on `to`, or go exactly along `path`; `by`: lifted to its first place.",
        {
            "to": PlaceName | None, "path": Annotated[list[PlaceName], Field(min_length=1)] | None,
            "by": Literal["eagles", "flying-beasts", "tom-bombadil"] | None, **MARKER,
        },
    ),
    "route": (
        "In how many turns the marker gets to a place.",
        {"to": PlaceName, "rolls": (list[Roll], []), "turns": (Annotated[int, Field(ge=1, le=_MOST)], 40), **MARKER},
    ),
}  # fmt: skip

if not TYPE_CHECKING:
    Form = file_form("riddle", Options, QUESTIONS, {"needed": int, "map": str})

INVENTED: Final = "invented, not the printed board"
LACKS: Final = "a turn is played from somewhere with a roll: give `at` and `allowance` under [marker]"

OPENS: Final = {Card.CLOAK: "R9", Card.ROPE: "R14"}
STOPS: Final = {Card.CLOAK: "R5", Card.ROPE: "R10"}
"""The rules that end a move on rough land, by the missing card."""
ONE_A_TURN: Final = {Card.CLOAK: "R8", Card.ROPE: "R13"}
AFLOAT: Final = {Way.CROSS: "R20", Way.RIVER: "R24", Way.WATER: "R36"}
"""The ways that require a Boat, with the rule."""

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
"""The cards that an option concerns, by the beginning of its name; other options can always matter."""


class ScenarioFile(Form):
    """A file about The Riddle of the Ring."""

    board: BoardTable = Field(default_factory=lambda: BoardTable(map="standard"))
    marker: MarkerTable = MarkerTable()


def _read(file: ScenarioFile, check: Check) -> tuple[Board | None, Mapping[str, Find]]:
    board = check.made(lambda: build(file.board, "board."), "board")
    typed = {key: (space.name,) for key, space in file.board.spaces.items()} | dict.fromkeys(file.board.dots, ())
    return board, {PLACE: finder(typed, "space or river dot") if board is None else board.find}


def _faults(file: ScenarioFile, _: Board | None, check: Check) -> None:
    for key, asked in file.questions.items():
        at = f"questions.{key}"
        if asked.at is None and file.marker.at is None and not check.lacks("marker"):
            check.fault(at, "the marker stands somewhere: give `at` here or under [marker]")
        if asked.allowance is None and file.marker.allowance is None and not check.lacks("marker"):
            check.fault(at, "a turn has an allowance: give `allowance` here or under [marker]")
        if asked.ask == "move" and (asked.to is None) == (asked.path is None) and not check.lacks(at):
            check.fault(at, "`move` has either `to` or `path`")
        if asked.ask == "move" and asked.by is not None and asked.path is None:
            check.fault(f"{at}.by", "`by` goes with a `path` whose first place is flown to")


def _position(case: Case, asked: Any) -> State | None:
    """Return the marker at the beginning of its turn; keys of a question override those of the file."""
    marker = case.file.marker
    at, allowance, cards, in_play = (
        given if (given := getattr(asked, part, None)) is not None else getattr(marker, part) for part in MARKER
    )
    if at is None or allowance is None:
        return None
    return start(case.board, at, allowance, cards or (), in_play=in_play or (), options=case.options)


def _matters(change: str, state: State) -> bool:
    """Whether a change of reading can matter with these cards; most readings concern particular cards."""
    about = next((cards for name, cards in ABOUT.items() if change.startswith(name)), None)
    return about is None or bool(about & state.cards)


def _solved(state: State, asked: Any, _: Case) -> dict[str, Any]:
    move = _go if getattr(asked, "path", None) is None else _walk
    solve = {"reach": _reach, "route": _route, "move": move}[asked.ask]
    said = {"map": INVENTED} if state.board.invented else {}
    return {"needed": None, **said, **solve(state, asked)}


def _reach(state: State, _: Any) -> dict[str, Any]:
    found: dict[str, Reached] = {}
    rules: list[str] = []
    for way in endings(state):
        found.setdefault(way.end.at, Reached(way.cost, ()))
        rules += rules_of(state, way.moves)
    in_place = {place: found[place] for place in state.board.places if place in found}
    reason = f"from {state.at} the marker can end this turn on {counted(len(found), 'place')}"
    return reached(in_place, in_order(rules), reason)


def _route(state: State, asked: Any) -> dict[str, Any]:
    found = plan(state, asked.to, asked.rolls, turns=asked.turns)
    if found is None:
        return _no_route(state, asked)
    number = len(found.turns)
    rules, now = [], state
    for moves in found.turns:
        rules += rules_of(now, moves)
        ended = reduce(moved, moves, now)
        rules += [ONE_A_TURN[card] for card in lacking(ended)] if moves is not found.turns[-1] else []
        now = begin_turn(moved(ended, EndTurn()), state.allowance)
    rules = in_order(rules)
    reason = f"{asked.to} is {counted(number, 'turn')} from {state.at}"
    return allowed(rules, reason, cost=number, turns=number, route=list(found.route))


def _no_route(state: State, asked: Any) -> dict[str, Any]:
    """Answer that there is no route, with the rules on Boats if there is a route with a Boat."""
    reason = f"no route from {state.at} to {asked.to} in {asked.turns} turns"
    with_boat = replace(state, cards=state.cards | {Card.BOAT})
    found = plan(with_boat, asked.to, asked.rolls, turns=asked.turns)
    if found is None:
        return denied([], reason)
    moves = [move for turn in found.turns for move in turn]
    rules = [AFLOAT[move.way] for move in moves if isinstance(move, Step) and move.way in AFLOAT]
    flown = [move for move in moves if isinstance(move, Flight) and state.board.is_water(move.to)]
    rules += ["R48" if move.card is Card.TOM_BOMBADIL else "R46" for move in flown]
    return denied(in_order(rules), f"{reason} without a Boat")


def _go(state: State, asked: Any) -> dict[str, Any]:
    to = asked.to
    best = next((way for way in endings(state) if way.end.at == to), None)
    if best is None:
        return {**denied([], ""), "more": lambda: _too_far(state, to)}
    need = None if state.options.exact_roll else best.cost
    reason, route = f"{to} is reached for {best.cost} of {state.allowance}", list(trace(state.at, best.moves))
    return allowed(in_order(rules_of(state, best.moves)), reason, cost=best.cost, needed=need, route=route)


def _too_far(state: State, to: str) -> dict[str, Any]:
    """Say why `to` is not reached: the fewest violations of a last step to it, a lack of points only if no other."""
    need = needed(state, to)
    tries = [
        violations
        for way in situations(state)
        for step in steps(state.board, way.end.at)
        if step.to[-1] == to and (violations := explain(way.end, step))
    ]
    why = min(tries, key=lambda found: (found[0].rule == "R4", len(found)), default=())
    reason = why[0].reason if why else f"{to} is too far for {state.allowance}"
    if why and why[0].rule == "R4" and need is not None:
        reason = f"{to} takes {need}, more than {state.allowance}"
    return {"needed": need, "rules": in_order(found.rule for found in why) or ["R4"], "reason": f"{reason}."}


def _walk(state: State, asked: Any) -> dict[str, Any]:
    """Answer whether the marker can follow exactly a path, by search over pairs (state, number of places done)."""
    path, lift = tuple(asked.path), None
    begun = (state, 0)
    if asked.by is not None:
        lift = Flight(Card(asked.by), path[0])
        why = explain(state, lift)
        if why:
            return _refused(why)
        begun = (moved(state, lift), 1)
    elif path[0] == state.at and len(path) > 1:
        path = path[1:]  # it begins with the marker's place, as routes of answers do

    def onward(here: tuple[State, int]) -> Iterator[tuple[int, Move, tuple[State, int]]]:
        now, gone = here
        for step in legal_steps(now):
            if step.to == path[gone : gone + len(step.to)]:
                there = moved(now, step)
                yield now.points - there.points, step, (there, gone + len(step.to))

    furthest, short = begun, None
    for way in ways(begun, onward=onward):
        there, gone = way.end
        if gone == len(path):
            short = explain(there, EndTurn())
            if not short:
                moves = way.moves if lift is None else (lift, *way.moves)
                reason = f"the marker goes along the path for {way.cost} and ends on {there.at}"
                rules, route = in_order(rules_of(state, moves)), list(trace(state.at, moves))
                return allowed(rules, reason, cost=way.cost, route=route)
        elif gone > furthest[1] and _stopped(there, path[gone]):
            furthest = way.end
    return _refused(short or _stopped(furthest[0], path[furthest[1]]))


def _stopped(state: State, place: str) -> tuple[Violation, ...]:
    """Return the violations of the step to `place` with the fewest; empty if one is legal."""
    shaped = [step for step in steps(state.board, state.at) if step.to == (place,)]
    return min((explain(state, step) for step in shaped or [Step(Way.LAND, (place,))]), key=len)


def _refused(why: tuple[Violation, ...]) -> dict[str, Any]:
    return {**refused(why), "rules": in_order(found.rule for found in why), "reason": f"{why[0].reason}."}


def rules_of(state: State, moves: Iterable[Move]) -> list[str]:
    """Return the ids of the rules that allow `moves` of one turn from `state` on, in order and with repeats."""
    names = {
        Way.LAND: ("R4", "R4"), Way.ROAD: ("R15", "R16"), Way.CROSS: ("R22", "R22"), Way.WATER: ("R37", "R39"),
    }  # fmt: skip
    out = []
    for move in moves:
        if isinstance(move, Flight):
            out.append("R47" if move.card is Card.TOM_BOMBADIL else "R42")
        elif isinstance(move, Step):
            out += _river_step(state, move.to[0]) if move.way is Way.RIVER else [names[move.way][len(move.to) - 1]]
            if move.way in {Way.LAND, Way.ROAD} and any(_bridged(state, leg) for leg in pairwise((state.at, *move.to))):
                out.append("R21")
            if move.way is Way.ROAD and any(rough(state.board, state.options, place) for place in move.to):
                out.append("R18")
            cards = opened(state, by_river=goes_by_river(state.board, state.at, move))
            out += [OPENS[card] for card in cards] + (["R45"] if cards and state.flown else [])
        state = moved(state, move)
        out += [STOPS[card] for card in lacking(state, by_river=True) if isinstance(move, Step)]
    return out


def _river_step(state: State, to: str) -> list[str]:
    """Return the rules of a step on a river: from dot to dot, from a bank onto a dot, or ashore."""
    if state.board.follow(state.at, to):
        return ["R26"]
    return ["R29" if state.at in state.board.dots else "R28", "R30"]


def _bridged(state: State, leg: tuple[str, str]) -> bool:
    border = state.board.border(*leg)
    return border is not None and border.river and border.dry


room: Room[State] = Room(
    PACKAGE,
    ScenarioFile,
    Options(),
    _read,
    _faults,
    _position,
    dict.fromkeys(QUESTIONS, _solved),
    matters=_matters,
    played=Played(legality, words.told, words.lit, words.tries, words.shown, words.aside, LACKS),
)
load, answer, model = room.load, room.answer, room.model
