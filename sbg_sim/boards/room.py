"""One interface to ask all games: read a file with all its faults, answer its questions, and check expectations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sbg_sim.boards.expectations import expected, meets
from sbg_sim.boards.form import ANSWER, Strict, shaped, with_ids
from sbg_sim.boards.maps import with_map
from sbg_sim.boards.names import Check
from sbg_sim.boards.readings import changing
from sbg_sim.errors import FileFaultsError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from sbg_sim.boards.form import File
    from sbg_sim.boards.maps import Finder as MapFinder
    from sbg_sim.boards.names import Find


S = TypeVar("S")

DECIDING = ("answer", "cost", "turns", "costs", "types", "sees", "players")
"""The keys of an answer that decide whether a change of reading matters."""


@dataclass(frozen=True)
class Case:
    """The context of a question besides the position: the file with ids for names, its map, and the readings."""

    file: Any
    board: Any
    options: Any


@dataclass(frozen=True)
class Scenario(Generic[S]):
    """A file without faults: its game, map and position with ids for names; expectations as typed and with ids."""

    room: Room[S]
    file: Any
    board: Any
    state: S | None
    expects: Mapping[str, tuple[Any, Mapping[str, Any] | None]]

    @property
    def title(self) -> str:
        """The title of the file."""
        return str(self.file.title)

    @property
    def questions(self) -> Mapping[str, Any]:
        """The questions by id."""
        found: Mapping[str, Any] = self.file.questions
        return found

    def position(self, name: str) -> Any:
        """Return the position of a question; UnknownNameError for an unknown question."""
        asked = self.asked(name)
        state = self.room.position(self.case(self.readings(asked)), asked)
        return self if state is None else state

    def lit(self, name: str | None = None) -> Mapping[str, int] | None:
        """Return the ends of legal moves, each space with its cost; with a question, those of the moves it is about."""
        if name is None:
            played = self.room.played
            return None if played is None or self.state is None else played.lit(self.state)
        asked = self.asked(name)
        if asked.ask != "move":
            return None
        reach, case = self.room.solvers["reach"], self.case(self.readings(asked))
        costs: Mapping[str, int] = reach(
            self.room.position(case, asked), asked.model_copy(update={"ask": "reach", "player": None}), case
        )["costs"]
        return costs

    def readings(self, asked: Any) -> Any:
        """Return the readings of a question."""
        return asked.options.over(self.file.options.over(self.room.options))

    def case(self, options: Any) -> Case:
        """Return the context for the solvers of questions, under some readings."""
        return Case(self.file, self.board, options)

    def asked(self, name: str) -> Any:
        """Return a question; UnknownNameError for an unknown name."""
        if name not in self.questions:
            there = ", ".join(self.questions) or "none"
            raise UnknownNameError(f"no question is called {name!r}; there are: {there}")
        return self.questions[name]


@dataclass(frozen=True)
class Played(Generic[S]):
    """How a game is played in words.

    Parameters
    ----------
    rules
        Its `Game`: ``legal_moves``, ``explain``, ``apply``.
    told
        A move in words, different for any two legal moves.
    lit
        The places that can be reached now, each with its cost.
    tries
        The moves to a place that may be tried, legal or not.
    shown
        The state of the game, in lines.
    aside
        The position after words that are no move, such as a roll; None for other words.
    lacks
        The parts of a file without which there is no position, in words.

    """

    rules: Any
    told: Callable[[S, Any], str]
    lit: Callable[[S], Mapping[str, int]]
    tries: Callable[[S, str], Iterable[Any]]
    shown: Callable[[S], Iterable[str]]
    aside: Callable[[S, str], S | None] = lambda state, words: None  # noqa: ARG005
    lacks: str = "this file shows no game: give it [players] and a [[path]]"


@dataclass(frozen=True)
class Room(Generic[S]):
    """A game that can answer questions.

    Parameters
    ----------
    package
        The package with the game's maps.
    model
        The form of its files; names are marked with `Named`.
    options
        Its default readings.
    read
        Returns the map of a file, or None and records its faults, and the look-up of each kind of name; ``"place"`` is
        for names in an expectation.
    faults
        Records the parts of a file that contradict each other, given ids for names; the map is None if it has faults.
    position
        Returns the position of a question or, without a question, that of the file, if any.
    solvers
        By kind of question, a function of position, question and case that returns the answer's keys. ``more`` may be a
        function that returns further keys, which explain the answer and do not decide it.
    matters
        Says whether a change of one reading, in words, can matter in a position.
    played
        How the game is played in words.

    """

    package: str
    model: type[File]
    options: Any
    read: Callable[[Any, Check], tuple[Any, Mapping[str, Find]]]
    faults: Callable[[Any, Any, Check], None]
    position: Callable[[Case, Any], S | None]
    solvers: Mapping[str, Callable[[Any, Any, Any], dict[str, Any]]]
    matters: Callable[[str, Any], bool] = lambda change, state: True  # noqa: ARG005
    played: Played[S] | None = None

    def load(self, data: Mapping[str, Any], maps: MapFinder | None = None) -> Scenario[S]:
        """Return the scenario of a parsed file.

        Parameters
        ----------
        data
            The parsed file.
        maps
            Finds maps in files of their own.

        Raises
        ------
        pydantic.ValidationError
            When only the form of the file is wrong.
        FileFaultsError
            When names or facts contradict each other, with all faults and their keys; an error of form is its cause.

        """
        lost: set[str] = set()
        try:
            merged, faults = with_map(data, self.package, maps)
        except FileFaultsError as error:
            merged, faults = {key: value for key, value in data.items() if key != "board"}, list(error.faults)
            lost.add("board.map")
        typed, gone, form = shaped(self.model, merged)
        check = Check(lost | gone)
        check.faults += faults
        board, finders = self.read(typed, check)
        file = with_ids(typed, self.model, finders, check)
        self.faults(file, board, check)
        expects = {
            key: (typed.questions[key].expect, expected(asked, check, f"questions.{key}.expect"))
            for key, asked in file.questions.items()
        }
        if check.faults:
            raise FileFaultsError(tuple(check.faults)) from form
        if form is not None:
            raise form
        state = self.position(Case(file, board, file.options.over(self.options)), None)
        return Scenario(self, file, board, state, expects)

    def answer(self, scenario: Scenario[S], name: str) -> dict[str, Any]:
        """Return the answer to one question as plain data, ready for JSON, with the same keys in every game.

        Returns
        -------
        dict
            ``question``, ``ask``, ``answer`` (yes, no or None), ``cost``, ``turns``, ``route`` (ids), ``reachable``
            (ids), ``costs`` (by id), the keys of this kind of question, ``rules``, ``options`` (changes of one reading
            that would change the answer), ``reason``, ``expect``, ``met`` (None without an expectation).

        Raises
        ------
        UnknownNameError
            For an unknown question.

        """
        asked = scenario.asked(name)

        def solve(options: Any) -> dict[str, Any]:
            case = scenario.case(options)
            return self.solvers[asked.ask](self.position(case, asked), asked, case)

        options = scenario.readings(asked)
        found, state = solve(options), self.position(scenario.case(options), asked)
        more = found.pop("more", dict)()
        differ = changing(
            options, _decided(found), lambda other: _decided(solve(other)), matters=lambda c: self.matters(c, state)
        )
        said = {**dict.fromkeys(ANSWER), **found, **more, "options": differ}
        said |= {key: said.pop(key) for key in ("rules", "reason", "options")}  # at the end, after its own keys
        result = {"question": name, "ask": asked.ask, **said}
        typed, expect = scenario.expects[name]
        told = typed.model_dump(exclude_unset=True) if isinstance(typed, Strict) else typed
        return {**result, "expect": told, "met": None if expect is None else meets(result, expect)}


def _decided(found: Mapping[str, Any]) -> dict[str, Any]:
    told = (
        DECIDING if found.get("answer") is None else [key for key in DECIDING if key != "types"]
    )  # they then explain the answer
    return {key: found.get(key) for key in told}
