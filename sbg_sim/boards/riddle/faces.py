"""Questions about a Riddle board asked in a file, and their answers as plain data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, NonNegativeInt, PositiveInt

from sbg_sim.boards.form import Strict, options_table, question
from sbg_sim.boards.readings import changing
from sbg_sim.boards.riddle.legality import apply, explain, legal_moves, steps
from sbg_sim.boards.riddle.model import BoardTable
from sbg_sim.boards.riddle.options import Options
from sbg_sim.boards.riddle.reading import build
from sbg_sim.boards.riddle.search import endings, needed, plan, situations, trace
from sbg_sim.boards.riddle.state import EndTurn, Flight, Move, State, Step, start
from sbg_sim.boards.riddle.terrain import FLIGHTS, Card, Way
from sbg_sim.errors import Fault, FileFaultsError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sbg_sim.boards.game import Violation
    from sbg_sim.boards.riddle.board import Board

CardWord = Literal["cloak", "rope", "boat", "horse", "eagles", "flying-beasts", "tom-bombadil"]
FlightWord = Literal["eagles", "flying-beasts", "tom-bombadil"]


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


if TYPE_CHECKING:
    from sbg_sim.boards.form import OptionsTable
else:
    OptionsTable = options_table(Options)


class MarkerTable(Strict):
    """The marker at the beginning of a turn; questions may change each of these."""

    at: str | None = None
    allowance: NonNegativeInt | None = None
    cards: list[CardWord] | None = None
    in_play: list[Literal["cloak", "rope"]] | None = None


class QuestionTable(MarkerTable):
    """One question.

    ``reach`` lists where this turn can end. ``move`` asks for one turn: to end on `to`, or to go exactly
    along `path`; with `by` the marker is lifted to its first place. ``route`` asks for turns to `to`.
    """

    ask: Literal["reach", "move", "route"]
    to: str | None = None
    path: list[str] | None = None
    by: FlightWord | None = None
    rolls: list[NonNegativeInt] = Field(default_factory=list)
    turns: PositiveInt = 40
    options: OptionsTable = OptionsTable()
    expect: str | int | list[str] | dict[str, Any] | None = None


class ScenarioFile(Strict):
    """A file about The Riddle of the Ring."""

    game: Literal["riddle"]
    title: str = ""
    source: str = ""
    options: OptionsTable = OptionsTable()
    board: BoardTable = Field(default_factory=lambda: BoardTable(map="standard"))
    marker: MarkerTable = MarkerTable()
    questions: dict[str, QuestionTable] = Field(default_factory=dict)


model = ScenarioFile


@dataclass(frozen=True, slots=True)
class Scenario:
    """A file read and found sound: the board, and every question with the state it is asked in."""

    file: ScenarioFile
    board: Board
    states: Mapping[str, State]

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
        With every fault of the board, or else every question that does not fit it.

    """
    file = ScenarioFile.model_validate(dict(data))
    board = build(file.board, "board.")
    faults: list[Fault] = []
    states: dict[str, State] = {}
    for key, asked in file.questions.items():
        found = list(_question_faults(board, file.marker, key, asked))
        faults += found
        if not found:
            states[key] = _state(board, file, asked)
    if faults:
        raise FileFaultsError(tuple(faults))
    return Scenario(file, board, states)


def _question_faults(board: Board, marker: MarkerTable, key: str, asked: QuestionTable) -> Iterator[Fault]:
    at = f"questions.{key}"
    if asked.at is None and marker.at is None:
        yield Fault("the marker stands somewhere: give `at` here or under [marker]", at)
    if asked.allowance is None and marker.allowance is None:
        yield Fault("a turn has an allowance: give `allowance` here or under [marker]", at)
    where = f"{at}.at" if asked.at is not None else "marker.at"
    named = [(where, asked.at if asked.at is not None else marker.at), (f"{at}.to", asked.to)]
    named += [(f"{at}.path", place) for place in asked.path or ()]
    for name, place in named:
        if place is not None and place not in board.places:
            yield Fault(f"the board has no space or dot {place!r}", name)
    if asked.ask == "reach" and (asked.to or asked.path):
        yield Fault("`reach` lists every place and has neither `to` nor `path`", at)
    if asked.ask == "move" and (asked.to is None) == (asked.path is None):
        yield Fault("`move` has either `to` or `path`", at)
    if asked.ask == "route" and (asked.to is None or asked.path is not None):
        yield Fault("`route` has `to` and no `path`", at)
    if asked.path is not None and not asked.path:
        yield Fault("a path has at least one place", f"{at}.path")
    if asked.by is not None and asked.path is None:
        yield Fault("`by` goes with a `path` whose first place is flown to", f"{at}.by")


def _state(board: Board, file: ScenarioFile, asked: QuestionTable) -> State:
    marker = file.marker
    at = asked.at if asked.at is not None else marker.at
    allowance = asked.allowance if asked.allowance is not None else marker.allowance
    assert at is not None
    assert allowance is not None
    cards = asked.cards if asked.cards is not None else marker.cards or []
    in_play = asked.in_play if asked.in_play is not None else marker.in_play or []
    options = asked.options.over(file.options.over(Options()))
    return start(board, at, allowance, cards, in_play=in_play, options=options)


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
        ``question``, ``ask``, ``answer``, ``cost`` (points; turns for routes), ``turns``, ``needed``,
        ``route``, ``reachable``, ``rules``, ``options`` (readings that change the answer) and ``reason``.

    Raises
    ------
    UnknownNameError
        When there is no such question.

    """
    asked, state = question(scenario.questions, question_id), scenario.states[question_id]
    result = _solve(asked, state)

    def decided(options: Options) -> object:
        return _essence(_solve(asked, replace(state, options=options), full=False))

    differing = changing(state.options, _essence(result), decided, matters=lambda words: _matters(words, state.cards))
    return {"question": question_id, "ask": asked.ask, **result, "options": differing}


def _matters(words: str, cards: frozenset[Card]) -> bool:
    """Whether a reading can change anything with these cards; most are about cards nobody has."""
    name = words.split(" ", maxsplit=1)[0]
    needed_cards = next((some for start, some in ABOUT.items() if name.startswith(start)), None)
    return needed_cards is None or bool(needed_cards & cards)


def _essence(result: Mapping[str, Any]) -> tuple[object, ...]:
    return (result["answer"], result["turns"], tuple(result["reachable"] or ()))


def _solve(asked: QuestionTable, state: State, *, full: bool = True) -> dict[str, Any]:
    """Answer in one reading; not `full` leaves out what only explains a no."""
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
    count = f"{len(reached)} place{'s' if len(reached) != 1 else ''}"
    return {
        "answer": "yes",
        "reachable": list(reached),
        "costs": reached,
        "rules": _in_order(rules),
        "reason": f"from {state.at} the marker can end this turn on {count}",
    }


def _route(asked: QuestionTable, state: State) -> dict[str, Any]:
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
        "rules": _in_order(rules_of(moves)),
        "reason": f"{asked.to} is {number} turn{'s' if number != 1 else ''} from {state.at}",
    }


def _go(asked: QuestionTable, state: State, *, full: bool) -> dict[str, Any]:
    to = asked.to
    assert to is not None
    ways = [way for way in endings(state) if way.state.at == to]
    if ways:
        best = min(ways, key=lambda way: way.cost)
        rules = _in_order(rules_of(best.moves))
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
    rules = _in_order([violation.rule for violation in why]) or ["R4"]
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


def _walk(asked: QuestionTable, state: State) -> dict[str, Any]:
    path = tuple(asked.path or ())
    if asked.by is not None:
        lift = Flight(Card(asked.by), path[0])
        why = explain(state, lift)
        if why:
            return _refused(why)
        ends, furthest = _along(apply(state, lift), path[1:], (lift,))
    else:
        ends, furthest = _along(state, path, ())
    if ends:
        moves, last = min(ends, key=lambda end: end[1].allowance - end[1].points)
        cost = sum(isinstance(move, Step) for move in moves)
        return {
            "answer": "yes",
            "cost": cost,
            "route": list(trace(state.at, moves)),
            "rules": _in_order(rules_of(moves)),
            "reason": f"the marker goes along the path for {cost} and ends on {last.at}",
        }
    return _refused(furthest)


def _refused(why: tuple[Violation, ...]) -> dict[str, Any]:
    return {"answer": "no", "rules": _in_order([v.rule for v in why]), "reason": why[0].reason}


Ends = list[tuple[tuple[Move, ...], State]]


def _along(state: State, path: tuple[str, ...], past: tuple[Move, ...]) -> tuple[Ends, tuple[Violation, ...]]:
    """Return every way to take exactly `path`, and what stops the try that comes furthest."""
    if not path:
        why = explain(state, EndTurn())
        return ([], why) if why else ([(past, state)], ())
    ends: Ends = []
    reasons: list[tuple[int, tuple[Violation, ...]]] = []
    offered = [move for move in legal_moves(state) if isinstance(move, Step) and move.to == path[: len(move.to)]]
    for move in offered:
        found, why = _along(apply(state, move), path[len(move.to) :], (*past, move))
        ends += found
        reasons += [(1, why)] if why else []
    shaped = [step for step in steps(state.board, state.at) if step.to == path[:1]]
    if not offered:
        tries = [explain(state, step) for step in shaped] or [explain(state, Step(Way.LAND, path[:1]))]
        reasons += [(0, min(tries, key=len))]
    best = max(reasons, key=lambda reason: reason[0], default=(0, ()))
    return ends, best[1]


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


def _in_order(rules: list[str]) -> list[str]:
    return sorted(set(rules), key=lambda rule: int(rule[1:]))


__all__ = ["Scenario", "ScenarioFile", "answer", "load", "model", "rules_of"]
