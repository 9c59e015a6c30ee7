"""Questions about a Riddle board asked in a file, and their answers as plain data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, NonNegativeInt, PositiveInt

from sbg_sim.boards.form import Strict, options_table, question
from sbg_sim.boards.names import NameCheck
from sbg_sim.boards.readings import changing
from sbg_sim.boards.riddle.answers import Ask, answered, essence, matters
from sbg_sim.boards.riddle.model import BoardTable
from sbg_sim.boards.riddle.options import Options
from sbg_sim.boards.riddle.reading import build
from sbg_sim.boards.riddle.state import State, start
from sbg_sim.boards.riddle.terrain import Card
from sbg_sim.errors import Fault, FileFaultsError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sbg_sim.boards.riddle.board import Board

CardWord = Literal["cloak", "rope", "boat", "horse", "eagles", "flying-beasts", "tom-bombadil"]
FlightWord = Literal["eagles", "flying-beasts", "tom-bombadil"]


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
    """A file read and found sound: the board, and every question by ids with the state it is asked in."""

    file: ScenarioFile
    board: Board
    states: Mapping[str, State]
    asks: Mapping[str, Ask]

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
    check = NameCheck()
    check.look(board.find, file.marker.at, "marker.at")
    for key, asked in file.questions.items():
        for part in ("at", "to", "path"):
            check.look(board.find, getattr(asked, part), f"questions.{key}.{part}")
    shape = (fault for key, asked in file.questions.items() for fault in _question_faults(file.marker, key, asked))
    if faults := (*check.faults, *shape):
        raise FileFaultsError(faults)
    states = {key: _state(board, file, asked) for key, asked in file.questions.items()}
    return Scenario(file, board, states, {key: _ask(board, asked) for key, asked in file.questions.items()})


def _question_faults(marker: MarkerTable, key: str, asked: QuestionTable) -> Iterator[Fault]:
    at = f"questions.{key}"
    if asked.at is None and marker.at is None:
        yield Fault("the marker stands somewhere: give `at` here or under [marker]", at)
    if asked.allowance is None and marker.allowance is None:
        yield Fault("a turn has an allowance: give `allowance` here or under [marker]", at)
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
    if asked.ask != "route":
        for part in sorted(asked.model_fields_set & {"rolls", "turns"}):
            yield Fault(f"`{asked.ask}` asks about one turn; `{part}` goes with `route`", f"{at}.{part}")


def _ask(board: Board, asked: QuestionTable) -> Ask:
    to = None if asked.to is None else board.find(asked.to)
    path = None if asked.path is None else tuple(map(board.find, asked.path))
    by = None if asked.by is None else Card(asked.by)
    return Ask(asked.ask, to, path, by, tuple(asked.rolls), asked.turns)


def _state(board: Board, file: ScenarioFile, asked: QuestionTable) -> State:
    marker = file.marker
    at = asked.at if asked.at is not None else marker.at
    allowance = asked.allowance if asked.allowance is not None else marker.allowance
    assert at is not None
    assert allowance is not None
    cards = asked.cards if asked.cards is not None else marker.cards or []
    in_play = asked.in_play if asked.in_play is not None else marker.in_play or []
    options = asked.options.over(file.options.over(Options()))
    return start(board, board.find(at), allowance, cards, in_play=in_play, options=options)


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
    question(scenario.questions, question_id)
    ask, state = scenario.asks[question_id], scenario.states[question_id]
    result = answered(ask, state)

    def decided(options: Options) -> object:
        return essence(answered(ask, replace(state, options=options), full=False))

    differing = changing(state.options, essence(result), decided, matters=lambda words: matters(words, state.cards))
    return {"question": question_id, "ask": ask.ask, **result, "options": differing}
