"""Questions about a Riddle board asked in a file, and their answers as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from pydantic import Field, NonNegativeInt, PositiveInt

from sbg_sim.boards.expectations import PLACE
from sbg_sim.boards.form import Asked, File, Strict, options_table
from sbg_sim.boards.names import Check, finder
from sbg_sim.boards.riddle import legality, words
from sbg_sim.boards.riddle.legality import explain, legal_steps, moved, steps
from sbg_sim.boards.riddle.options import Options
from sbg_sim.boards.riddle.reading import PACKAGE, BoardTable, build
from sbg_sim.boards.riddle.search import endings, needed, plan, situations, trace
from sbg_sim.boards.riddle.state import EndTurn, Flight, Move, State, Step, start
from sbg_sim.boards.riddle.terrain import FLIGHTS, Card, Way
from sbg_sim.boards.room import Played, Reading, Room, Scenario, reached
from sbg_sim.boards.search import ways
from sbg_sim.boards.wording import counted, in_order, refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sbg_sim.boards.form import OptionsTable
    from sbg_sim.boards.game import Violation
    from sbg_sim.boards.riddle.board import Board
else:
    OptionsTable = options_table(Options)

CardWord = Literal["cloak", "rope", "boat", "horse", "eagles", "flying-beasts", "tom-bombadil"]
FlightWord = Literal["eagles", "flying-beasts", "tom-bombadil"]

INVENTED: Final = "invented, not the printed board"
LACKS: Final = "a turn is played from somewhere with a roll: give `at` and `allowance` under [marker]"

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


class MarkerTable(Strict):
    """The marker at the beginning of a turn; questions may change each of these."""

    at: str | None = None
    allowance: NonNegativeInt | None = None
    cards: list[CardWord] | None = None
    in_play: list[Literal["cloak", "rope"]] | None = None


class QuestionTable(MarkerTable, Asked):
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


class ScenarioFile(File):
    """A file about The Riddle of the Ring."""

    game: Literal["riddle"]
    options: OptionsTable = OptionsTable()
    board: BoardTable = Field(default_factory=lambda: BoardTable(map="standard"))
    marker: MarkerTable = MarkerTable()
    questions: dict[str, QuestionTable] = Field(default_factory=dict)


def _read(file: ScenarioFile, check: Check) -> Reading[State]:
    board = check.made(lambda: build(file.board, "board."), "board")
    typed = {key: (space.name,) for key, space in file.board.spaces.items()} | dict.fromkeys(file.board.dots, ())
    place = finder(typed, "space or river dot") if board is None else board.find
    check.look(place, file.marker.at, "marker.at")
    for key, asked in file.questions.items():
        for at, reason in _misfits(file.marker, asked):
            check.fault(f"questions.{key}{at}", reason)
    return Reading(
        board, lambda: _begun(board, file, file.marker), {"at": place, "to": place, "path": place, PLACE: place}
    )


def _misfits(marker: MarkerTable, asked: QuestionTable) -> Iterator[tuple[str, str]]:
    """Yield what a question lacks or has too much, each with where."""
    if asked.at is None and marker.at is None:
        yield "", "the marker stands somewhere: give `at` here or under [marker]"
    if asked.allowance is None and marker.allowance is None:
        yield "", "a turn has an allowance: give `allowance` here or under [marker]"
    if asked.ask == "reach" and (asked.to or asked.path):
        yield "", "`reach` lists every place and has neither `to` nor `path`"
    if asked.ask == "move" and (asked.to is None) == (asked.path is None):
        yield "", "`move` has either `to` or `path`"
    if asked.ask == "route" and (asked.to is None or asked.path is not None):
        yield "", "`route` has `to` and no `path`"
    if asked.path is not None and not asked.path:
        yield ".path", "a path has at least one place"
    if asked.by is not None and asked.path is None:
        yield ".by", "`by` goes with a `path` whose first place is flown to"
    if asked.ask != "route":
        for part in sorted(asked.model_fields_set & {"rolls", "turns"}):
            yield f".{part}", f"`{asked.ask}` asks about one turn; `{part}` goes with `route`"


def _begun(
    board: Board | None, file: ScenarioFile, marker: MarkerTable, options: Options | None = None
) -> State | None:
    """Return the marker at the beginning of its turn, `marker` before what the file says; None when it is nowhere."""
    at, allowance, cards, in_play = (
        mine if (mine := getattr(marker, part)) is not None else getattr(file.marker, part)
        for part in ("at", "allowance", "cards", "in_play")
    )
    if board is None or at is None or allowance is None:
        return None
    readings = options or file.options.over(Options())
    return start(board, board.find(at), allowance, cards or (), in_play=in_play or (), options=readings)


def _under(scenario: Scenario[State], asked: QuestionTable, options: Options) -> State:
    state = _begun(scenario.board, scenario.file, asked, options)
    assert state is not None
    return state


def _matters(change: str, state: State) -> bool:
    """Whether a reading can change anything with these cards; most are about cards nobody has."""
    about = next((some for name, some in ABOUT.items() if change.startswith(name)), None)
    return about is None or bool(about & state.cards)


def _solved(state: State, asked: QuestionTable, _: ScenarioFile) -> dict[str, Any]:
    solve = {"reach": _reach, "route": _route, "move": _go if asked.path is None else _walk}[asked.ask]
    said = {"map": INVENTED} if state.board.invented else {}
    return {"needed": None, **said, **solve(state, asked)}


def _reach(state: State, _: QuestionTable) -> dict[str, Any]:
    costs: dict[str, int] = {}
    rules: list[str] = []
    for way in endings(state):
        costs.setdefault(way.end.at, way.cost)
        rules += rules_of(way.moves)
    found = {place: costs[place] for place in state.board.places if place in costs}
    return reached(
        found, in_order(rules), f"from {state.at} the marker can end this turn on {counted(len(found), 'place')}."
    )


def _route(state: State, asked: QuestionTable) -> dict[str, Any]:
    assert asked.to is not None
    found = plan(state, asked.to, asked.rolls, turns=asked.turns)
    if found is None:
        return {
            "answer": "no",
            "rules": [],
            "reason": f"no route from {state.at} to {asked.to} in {asked.turns} turns.",
        }
    number = len(found.turns)
    return {
        "answer": "yes",
        "cost": number,
        "turns": number,
        "route": list(found.route),
        "rules": in_order(rules_of(move for turn in found.turns for move in turn)),
        "reason": f"{asked.to} is {counted(number, 'turn')} from {state.at}.",
    }


def _go(state: State, asked: QuestionTable) -> dict[str, Any]:
    to = asked.to
    assert to is not None
    best = next((way for way in endings(state) if way.end.at == to), None)
    if best is None:
        return {"answer": "no", "rules": [], "reason": "", "more": lambda: _too_far(state, to)}
    return {
        "answer": "yes",
        "cost": best.cost,
        "needed": None if state.options.exact_roll else best.cost,
        "route": list(trace(state.at, best.moves)),
        "rules": in_order(rules_of(best.moves)),
        "reason": f"{to} is reached for {best.cost} of {state.allowance}.",
    }


def _too_far(state: State, to: str) -> dict[str, Any]:
    """Say why `to` is not reached: by what breaks the last step to it that comes nearest to being legal."""
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


def _walk(state: State, asked: QuestionTable) -> dict[str, Any]:
    """Answer whether the marker can go exactly along a path, by search over (state, places gone)."""
    path, lift = tuple(asked.path or ()), None
    begun = (state, 0)
    if asked.by is not None:
        lift = Flight(Card(asked.by), path[0])
        why = explain(state, lift)
        if why:
            return _refused(why)
        begun = (moved(state, lift), 1)

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
                return {
                    "answer": "yes",
                    "cost": way.cost,
                    "route": list(trace(state.at, moves)),
                    "rules": in_order(rules_of(moves)),
                    "reason": f"the marker goes along the path for {way.cost} and ends on {there.at}.",
                }
        elif gone > furthest[1] and _stopped(there, path[gone]):
            furthest = way.end
    return _refused(short or _stopped(furthest[0], path[furthest[1]]))


def _stopped(state: State, place: str) -> tuple[Violation, ...]:
    """Return what keeps the marker from stepping to `place`, by the way that breaks least; empty when one is legal."""
    shaped = [step for step in steps(state.board, state.at) if step.to == (place,)]
    return min((explain(state, step) for step in shaped or [Step(Way.LAND, (place,))]), key=len)


def _refused(why: tuple[Violation, ...]) -> dict[str, Any]:
    return {**refused(why), "rules": in_order(found.rule for found in why), "reason": f"{why[0].reason}."}


def rules_of(moves: Iterable[Move]) -> list[str]:
    """Return the ids of the rules that `moves` make use of, in order and with repeats."""
    names = {
        Way.LAND: ("R4", "R4"), Way.ROAD: ("R15", "R16"), Way.CROSS: ("R22", "R22"), Way.WATER: ("R37", "R39"),
        Way.RIVER: ("R26", "R26"),
    }  # fmt: skip
    out = []
    for move in moves:
        if isinstance(move, Flight):
            out.append("R47" if move.card is Card.TOM_BOMBADIL else "R42")
        elif isinstance(move, Step):
            out.append(names[move.way][len(move.to) - 1])
    return out


room: Room[State] = Room(
    PACKAGE,
    ScenarioFile,
    Options(),
    _read,
    dict.fromkeys(("reach", "move", "route"), _solved),
    _under,
    {"needed": None, "map": None},
    _matters,
    Played(legality, words.told, words.lit, words.tries, words.shown, words.aside, LACKS),
)
load, answer, model = room.load, room.answer, room.model
