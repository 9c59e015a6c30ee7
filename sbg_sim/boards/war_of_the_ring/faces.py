"""Questions about War of the Ring in scenario files: what a file may say, and the answers."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, create_model

from sbg_sim.boards.game import meets, variants
from sbg_sim.boards.war_of_the_ring.answers import Ask, answered
from sbg_sim.boards.war_of_the_ring.chart import Side  # noqa: TC001  pydantic reads it
from sbg_sim.boards.war_of_the_ring.mapfile import BoardEntry, build
from sbg_sim.boards.war_of_the_ring.options import Options
from sbg_sim.boards.war_of_the_ring.position import Means, MeansKind, State
from sbg_sim.errors import Fault, FileFaultsError, UnknownNameError

_STRICT = ConfigDict(strict=True, extra="forbid")

T = TypeVar("T")

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sbg_sim.boards.war_of_the_ring.chart import Chart

    class OptionsEntry(BaseModel):
        """The options table of a file: the fields of `Options`."""
else:
    _hints = get_type_hints(Options)
    OptionsEntry = create_model(
        "OptionsEntry",
        __config__=_STRICT,
        __doc__="Readings of the rules that the text leaves open.",
        **{field.name: (_hints[field.name], field.default) for field in fields(Options)},
    )


class _Entry(BaseModel):
    model_config = _STRICT


class CardEntry(_Entry):
    """An Event card: whether characters move by it, and whether sieges do not hold Companions (W4, W13)."""

    side: Side
    moves: bool = True
    ignore_siege: bool = False


class FellowshipEntry(_Entry):
    """The Fellowship: the Companions in it and where it is (W1)."""

    companions: list[str]
    at: str | None = None


class _Question(_Entry):
    expect: str | int | list[str] | dict[str, Any] | None = None


class ReachQuestion(_Question):
    """Where a character, or a group, can go in one action."""

    ask: Literal["reach"]
    who: str | list[str]
    by: str | None = None


class MoveQuestion(_Question):
    """Whether a character, or a group, may go to a region; `after` lists who moved with the same die
    before.
    """

    ask: Literal["move"]
    who: str | list[str]
    to: str
    by: str | None = None
    after: list[str] = Field(default_factory=list)


class EnterQuestion(_Question):
    """Whether a character comes into play in a region by this die (W1-W3)."""

    ask: Literal["enter"]
    who: str
    to: str
    by: str


class RouteQuestion(_Question):
    """In how many actions a character, or a group, gets to a region."""

    ask: Literal["route"]
    who: str | list[str]
    to: str


class WithArmyQuestion(_Question):
    """Whether a character goes along when its Army leaves (W7, W20)."""

    ask: Literal["with-army"]
    who: str


Question = Annotated[
    ReachQuestion | MoveQuestion | EnterQuestion | RouteQuestion | WithArmyQuestion,
    Field(discriminator="ask"),
]


class ScenarioFile(_Entry):
    """A War of the Ring scenario: options, a board, who stands where, and questions."""

    game: Literal["war-of-the-ring"]
    title: str | None = None
    source: str | None = None
    phase: str = "action-resolution"
    options: OptionsEntry = Field(default_factory=OptionsEntry)
    board: BoardEntry = Field(default_factory=lambda: BoardEntry(map="standard"))
    characters: dict[str, str] = Field(default_factory=dict)
    fellowship: FellowshipEntry | None = None
    control: dict[str, Side] = Field(default_factory=dict)
    besieged: list[str] = Field(default_factory=list)
    armies: dict[str, Side] = Field(default_factory=dict)
    entries: dict[str, list[str]] = Field(default_factory=dict)
    cards: dict[str, CardEntry] = Field(default_factory=dict)
    questions: dict[str, Question] = Field(default_factory=dict)


model = ScenarioFile

DICE: tuple[MeansKind, ...] = ("character-die", "will-of-the-west-die", "muster-die", "army-die")


@dataclass(frozen=True)
class Scenario:
    """A file that is sound: the position, the Event cards by id, and the questions by id."""

    state: State
    cards: Mapping[str, Means]
    questions: Mapping[str, Ask]
    expects: Mapping[str, Any]
    title: str | None = None
    source: str | None = None


def load(data: Mapping[str, Any]) -> Scenario:
    """Return the scenario of a parsed file.

    Raises
    ------
    pydantic.ValidationError
        When a field is missing, unknown or of the wrong kind.
    FileFaultsError
        When names do not fit together; every fault with its key.

    """
    file = ScenarioFile.model_validate(data)
    chart = build(file.board)
    faults = [*_names(file, chart), *_places(file, chart)]
    if faults:
        raise FileFaultsError(tuple(faults))
    cards = {key: Means(card.side, "event", card.moves, card.ignore_siege, key) for key, card in file.cards.items()}
    company = file.fellowship
    state = State(
        chart,
        tuple(file.characters.items()),
        frozenset(company.companions if company else ()),
        company.at if company else None,
        tuple(file.control.items()),
        frozenset(file.besieged),
        frozenset(file.armies.items()),
        frozenset((who, place) for who, places in file.entries.items() for place in places),
        phase=file.phase,
        options=Options(**file.options.model_dump()),
    )
    questions = {key: _ask(key, question) for key, question in file.questions.items()}
    expects = {key: question.expect for key, question in file.questions.items()}
    return Scenario(state, cards, questions, expects, file.title, file.source)


def _ask(key: str, question: BaseModel) -> Ask:
    parts = question.model_dump(exclude={"expect"})
    who = parts["who"]
    parts["who"] = (who,) if isinstance(who, str) else tuple(who)
    parts["after"] = tuple(parts.get("after", ()))
    return Ask(id=key, **parts)


def _names(file: ScenarioFile, chart: Chart) -> list[Fault]:
    """Return a fault for every name in the file that nothing goes by."""
    found: list[Fault] = []

    def look(find: Callable[[str], object], names: str | list[str], key: str) -> None:
        for name in [names] if isinstance(names, str) else names:
            try:
                find(name)
            except UnknownNameError as error:
                found.append(Fault(str(error), key))

    def means(name: str) -> None:
        if name not in DICE and name not in file.cards:
            raise UnknownNameError(f"no card is called {name!r}, nor is it one of {', '.join(DICE)}")

    for who, place in file.characters.items():
        look(chart.character, who, f"characters.{who}")
        look(chart.region, place, f"characters.{who}")
    if file.fellowship is not None:
        look(chart.character, file.fellowship.companions, "fellowship.companions")
        look(chart.region, file.fellowship.at or [], "fellowship.at")
    for key, table in (("control", file.control), ("armies", file.armies)):
        for place in table:
            look(chart.region, place, f"{key}.{place}")
    look(chart.region, file.besieged, "besieged")
    for who, places in file.entries.items():
        look(chart.character, who, f"entries.{who}")
        look(chart.region, places, f"entries.{who}")
    finders = {"who": chart.character, "after": chart.character, "to": chart.region, "by": means}
    for key, question in file.questions.items():
        for part, find in finders.items():
            look(find, getattr(question, part, None) or [], f"questions.{key}.{part}")
    return found


def _places(file: ScenarioFile, chart: Chart) -> list[Fault]:
    """Return a fault for every siege and holder that the position cannot have, and every character in two
    places.

    Names that nothing goes by are left to `_names`.
    """
    found = []
    for name in file.besieged:
        region = _found(chart.region, name)
        if region is not None and not region.is_stronghold:
            found.append(Fault(f"only a Stronghold is besieged, and {region.name} has none", "besieged"))
    for name in file.control:
        region = _found(chart.region, name)
        if region is not None and region.settlement is None:
            found.append(Fault(f"{region.name} has no settlement to control", f"control.{name}"))
    seen: dict[str, str] = {}
    inside = file.fellowship.companions if file.fellowship else []
    keys = [(name, f"characters.{name}") for name in file.characters]
    for name, key in keys + [(name, "fellowship.companions") for name in inside]:
        who = _found(chart.character, name)
        if who is not None and who.id in seen:
            found.append(Fault(f"{who.name} stands here and at {seen[who.id]}", key))
        elif who is not None:
            seen[who.id] = key
    for name in inside:
        who = _found(chart.character, name)
        if who is not None and (who.kind != "companion" or who.enters):
            found.append(Fault(f"{who.name} is never in the Fellowship", "fellowship.companions"))
    return found


def _found(find: Callable[[str], T], name: str) -> T | None:
    try:
        return find(name)
    except UnknownNameError:
        return None


def answer(scenario: Scenario, question_id: str) -> dict[str, Any]:
    """Return the answer to one question as plain data, ready for JSON.

    Keys: ``question``, ``ask``, ``answer`` (yes, no or None), ``cost`` (regions), ``turns`` (actions),
    ``route`` (ids), ``reachable`` (region to cost), ``rules``, ``options`` (changes that would change the
    answer), ``reason``, ``expect`` and ``met`` (None without an expectation); keys that do not apply are
    left out.

    Raises
    ------
    UnknownNameError
        When the scenario has no such question.

    """
    if question_id not in scenario.questions:
        raise UnknownNameError(f"no question is called {question_id!r}")
    ask = scenario.questions[question_id]
    result = answered(scenario.state, scenario.cards, ask)
    kept = _decided(result)
    differ = [
        change
        for change, options in variants(scenario.state.options)
        if _decided(answered(replace(scenario.state, options=options), scenario.cards, ask)) != kept
    ]
    expect = scenario.expects[question_id]
    met = None if expect is None else meets(result, _expected(scenario.state.chart, expect, result))
    return {"question": question_id, **result, "options": differ, "expect": expect, "met": met}


def _decided(result: Mapping[str, Any]) -> dict[str, Any]:
    return {key: result.get(key) for key in ("answer", "cost", "turns", "reachable")}


def _expected(chart: Chart, expect: Any, result: Mapping[str, Any]) -> Any:
    """Return the expectation with every region by its id, and a route's number meaning actions."""
    if isinstance(expect, bool | str):
        return expect
    if isinstance(expect, int):
        return {"turns": expect} if result["ask"] == "route" else expect
    if isinstance(expect, list):
        return [_known(chart, name) for name in expect]
    return {key: [_known(chart, n) for n in value] if key == "route" else value for key, value in expect.items()}


def _known(chart: Chart, name: str) -> str:
    try:
        return chart.region(name).id
    except UnknownNameError:
        return name
