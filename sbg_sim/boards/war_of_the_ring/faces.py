"""Questions about War of the Ring in scenario files: what a file may say, and the answers."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import AfterValidator, Field

from sbg_sim.boards.expectations import met
from sbg_sim.boards.form import Strict, options_table, question
from sbg_sim.boards.names import NameCheck, folded, found_name
from sbg_sim.boards.readings import changing
from sbg_sim.boards.war_of_the_ring.answers import Ask, answered
from sbg_sim.boards.war_of_the_ring.chart import Side  # noqa: TC001  pydantic reads it
from sbg_sim.boards.war_of_the_ring.mapfile import BoardEntry, build
from sbg_sim.boards.war_of_the_ring.options import Options
from sbg_sim.boards.war_of_the_ring.position import Means, MeansKind, State
from sbg_sim.errors import Fault, FileFaultsError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import BaseModel

    from sbg_sim.boards.form import OptionsTable
    from sbg_sim.boards.war_of_the_ring.chart import Chart
else:
    OptionsTable = options_table(Options)


Group = str | Annotated[list[str], Field(min_length=1)]


RESOLUTION: Final = "action-resolution"


def _phase(text: str) -> str:
    """Return a phase; one that is all but the Action Resolution phase is that phase mistyped, or in other letters."""
    if folded(text) == folded(RESOLUTION):
        return RESOLUTION
    if difflib.get_close_matches(folded(text), [folded(RESOLUTION)], cutoff=0.8):
        raise ValueError(f"{text!r} is no phase; did you mean {RESOLUTION!r}?")
    return text


class CardEntry(Strict):
    """An Event card: whether characters move by it, and whether sieges do not hold Companions (W4, W13)."""

    side: Side
    moves: bool = True
    ignore_siege: bool = False


class FellowshipEntry(Strict):
    """The Fellowship: the Companions in it and where it is (W1)."""

    companions: list[str]
    at: str | None = None


class _Question(Strict):
    options: OptionsTable = OptionsTable()
    expect: str | int | list[str] | dict[str, Any] | None = None


class ReachQuestion(_Question):
    """Where a character, or a group, can go in one action."""

    ask: Literal["reach"]
    who: Group
    by: str | None = None


class MoveQuestion(_Question):
    """Whether a character, or a group, may go to a region; `after` lists who moved with the same die
    before.
    """

    ask: Literal["move"]
    who: Group
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
    who: Group
    to: str


class WithArmyQuestion(_Question):
    """Whether a character goes along when its Army leaves (W7, W20)."""

    ask: Literal["with-army"]
    who: str


Question = Annotated[
    ReachQuestion | MoveQuestion | EnterQuestion | RouteQuestion | WithArmyQuestion,
    Field(discriminator="ask"),
]


class ScenarioFile(Strict):
    """A War of the Ring scenario: options, a board, who stands where, and questions."""

    game: Literal["war-of-the-ring"]
    title: str | None = None
    source: str | None = None
    phase: Annotated[str, AfterValidator(_phase)] = RESOLUTION
    options: OptionsTable = Field(default_factory=OptionsTable)
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
    """A file that is sound: the position, the Event cards by id, and the questions by id with their options."""

    state: State
    cards: Mapping[str, Means]
    questions: Mapping[str, Ask]
    expects: Mapping[str, Any]
    options: Mapping[str, Options]
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
    company, options = file.fellowship, file.options.over(Options())
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
        options=options,
    )
    questions = {key: _ask(key, asked) for key, asked in file.questions.items()}
    expects = {key: asked.expect for key, asked in file.questions.items()}
    readings = {key: asked.options.over(options) for key, asked in file.questions.items()}
    return Scenario(state, cards, questions, expects, readings, file.title, file.source)


def _ask(key: str, asked: BaseModel) -> Ask:
    parts = asked.model_dump(exclude={"expect", "options"})
    who = parts["who"]
    parts["who"] = (who,) if isinstance(who, str) else tuple(who)
    parts["after"] = tuple(parts.get("after", ()))
    return Ask(id=key, **parts)


def _names(file: ScenarioFile, chart: Chart) -> list[Fault]:
    """Return a fault for every name in the file that nothing goes by."""
    check = NameCheck()

    def means(name: str) -> None:
        if name not in DICE and name not in file.cards:
            raise UnknownNameError(f"no card is called {name!r}, nor is it one of {', '.join(DICE)}")

    for who, place in file.characters.items():
        check.look(chart.character, who, f"characters.{who}")
        check.look(chart.region, place, f"characters.{who}")
    if file.fellowship is not None:
        check.look(chart.character, file.fellowship.companions, "fellowship.companions")
        check.look(chart.region, file.fellowship.at, "fellowship.at")
    for key, table in (("control", file.control), ("armies", file.armies)):
        for place in table:
            check.look(chart.region, place, f"{key}.{place}")
    check.look(chart.region, file.besieged, "besieged")
    for who, places in file.entries.items():
        check.look(chart.character, who, f"entries.{who}")
        check.look(chart.region, places, f"entries.{who}")
    finders = {"who": chart.character, "after": chart.character, "to": chart.region, "by": means}
    for key, asked in file.questions.items():
        for part, find in finders.items():
            check.look(find, getattr(asked, part, None), f"questions.{key}.{part}")
    return check.faults


def _places(file: ScenarioFile, chart: Chart) -> list[Fault]:
    """Return a fault for every siege and holder that the position cannot have, and every character in two
    places.

    Names that nothing goes by are left to `_names`.
    """
    found = []
    for name in file.besieged:
        region = found_name(chart.region, name)
        if region is not None and not region.is_stronghold:
            found.append(Fault(f"only a Stronghold is besieged, and {region.name} has none", "besieged"))
    for name in file.control:
        region = found_name(chart.region, name)
        if region is not None and region.settlement is None:
            found.append(Fault(f"{region.name} has no settlement to control", f"control.{name}"))
    found += [
        Fault("a card has a name of its own, not that of a die result", f"cards.{name}")
        for name in file.cards
        if name in DICE
    ]
    for key, table in (("control", file.control), ("armies", file.armies)):
        said: dict[str, str] = {}
        for name in table:
            region = found_name(chart.region, name)
            if region is not None and said.setdefault(region.id, name) != name:
                found.append(Fault(f"{region.name} stands here already as {said[region.id]!r}", f"{key}.{name}"))
    seen: dict[str, str] = {}
    inside = file.fellowship.companions if file.fellowship else []
    keys = [(name, f"characters.{name}") for name in file.characters]
    for name, key in keys + [(name, "fellowship.companions") for name in inside]:
        who = found_name(chart.character, name)
        if who is not None and who.id in seen:
            found.append(Fault(f"{who.name} stands here and at {seen[who.id]}", key))
        elif who is not None:
            seen[who.id] = key
    for name in inside:
        who = found_name(chart.character, name)
        if who is not None and (who.kind != "companion" or who.enters):
            found.append(Fault(f"{who.name} is never in the Fellowship", "fellowship.companions"))
    return found


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
    ask = question(scenario.questions, question_id)
    state, cards = replace(scenario.state, options=scenario.options[question_id]), scenario.cards
    result = answered(state, cards, ask)

    def decided(options: Options) -> object:
        return _decided(answered(replace(state, options=options), cards, ask))

    differ = changing(state.options, _decided(result), decided)
    expect = scenario.expects[question_id]
    return {
        "question": question_id,
        **result,
        "options": differ,
        "expect": expect,
        "met": met(result, expect, lambda name: _known(state.chart, name)),
    }


def _decided(result: Mapping[str, Any]) -> dict[str, Any]:
    return {key: result.get(key) for key in ("answer", "cost", "turns", "reachable")}


def _known(chart: Chart, name: str) -> str:
    region = found_name(chart.region, name)
    return name if region is None else region.id
