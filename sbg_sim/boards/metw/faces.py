"""Questions about METW in scenario files: what a file may say, and the answers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, Field

from sbg_sim.boards.expectations import met
from sbg_sim.boards.form import Strict, options_table, question
from sbg_sim.boards.metw import play
from sbg_sim.boards.metw.answers import Ask, answered
from sbg_sim.boards.metw.creatures import Creature
from sbg_sim.boards.metw.kinds import symbols, written
from sbg_sim.boards.metw.mapfile import BoardEntry, build, read_as
from sbg_sim.boards.metw.options import Options
from sbg_sim.boards.names import NameCheck, found_name, one_of
from sbg_sim.boards.readings import changing
from sbg_sim.errors import Fault, FileFaultsError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sbg_sim.boards.form import OptionsTable
    from sbg_sim.boards.metw.atlas import Atlas
else:
    OptionsTable = options_table(Options)


class JourneyEntry(Strict):
    """A journey: the new site, and the series of regions or, without one, a site path."""

    to: str
    regions: list[str] | None = None


class CompanyEntry(Strict):
    """A company: where it is (M2), whose it is, and what it has declared face down."""

    site: str
    player: str = "one"
    declared: JourneyEntry | None = None


class CreatureEntry(Strict):
    """A creature by its region symbols, as ``"w w"`` or ``"[s] [d]"``."""

    symbols: Annotated[str, AfterValidator(lambda text: written(symbols(text)))]
    name: str | None = None


class _Question(Strict):
    options: OptionsTable = OptionsTable()
    expect: str | int | list[str] | dict[str, Any] | None = None


class ReachQuestion(_Question):
    """Which sites a company can move to this turn."""

    ask: Literal["reach"]
    company: str


class MoveQuestion(_Question):
    """Whether a company may make this move this turn; without method and regions: by any way."""

    ask: Literal["move"]
    company: str
    to: str
    method: Literal["site-path", "region"] | None = None
    regions: list[str] | None = None


class RouteQuestion(_Question):
    """In how many turns a company gets to a site, and by which sites."""

    ask: Literal["route"]
    company: str
    to: str


class AttackQuestion(_Question):
    """Whether a creature may attack a company on a journey: the one named, else the one declared."""

    ask: Literal["attack"]
    creature: str
    company: str
    to: str | None = None
    regions: list[str] | None = None


class PathQuestion(_Question):
    """The region types on the site path between two sites."""

    ask: Literal["path"]
    start: str
    to: str


class TypeQuestion(_Question):
    """The type symbol of a region or a site."""

    ask: Literal["type"]
    place: str


class ViewQuestion(_Question):
    """What a player sees of every company."""

    ask: Literal["view"]
    player: str


Question = Annotated[
    ReachQuestion | MoveQuestion | RouteQuestion | AttackQuestion | PathQuestion | TypeQuestion | ViewQuestion,
    Field(discriminator="ask"),
]


class ScenarioFile(Strict):
    """A METW scenario: options, a board, companies, creatures and questions."""

    game: Literal["metw"]
    title: str | None = None
    source: str | None = None
    options: OptionsTable = Field(default_factory=OptionsTable)
    board: BoardEntry = Field(default_factory=lambda: BoardEntry(map="standard"))
    players: list[str] = Field(default=["one", "two"], min_length=1)
    companies: dict[str, CompanyEntry] = Field(default_factory=dict)
    creatures: dict[str, CreatureEntry] = Field(default_factory=dict)
    questions: dict[str, Question] = Field(default_factory=dict)


model = ScenarioFile


@dataclass(frozen=True)
class Scenario:
    """A file that is sound: the position, the creatures by id, and the questions by id.

    `atlas` is the map as the file has it, before the options about the map; `options` are those of each question.
    """

    atlas: Atlas
    state: play.State
    creatures: Mapping[str, Creature]
    questions: Mapping[str, Ask]
    expects: Mapping[str, Any]
    options: Mapping[str, Options]
    title: str | None = None
    source: str | None = None

    def under(self, options: Options) -> play.State:
        """Return the position under other options."""
        return play.State(
            read_as(self.atlas, options), self.state.companies, self.state.players, self.state.active, options
        )


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
    options = file.options.over(Options())
    atlas = build(file.board)
    besides = {"expect", "options"}
    questions = {key: Ask(id=key, **asked.model_dump(exclude=besides)) for key, asked in file.questions.items()}
    faults = [*_names(file, atlas), *_contradictions(file)]
    if faults:
        raise FileFaultsError(tuple(faults))
    companies = tuple(_company(key, entry, atlas) for key, entry in file.companies.items())
    players = tuple(file.players)
    active = companies[0].player if companies else players[0]
    state = play.State(read_as(atlas, options), companies, players, active, options)
    creatures = {key: Creature(entry.name or key, symbols(entry.symbols)) for key, entry in file.creatures.items()}
    expects = {key: asked.expect for key, asked in file.questions.items()}
    readings = {key: asked.options.over(options) for key, asked in file.questions.items()}
    return Scenario(atlas, state, creatures, questions, expects, readings, file.title, file.source)


def _company(key: str, entry: CompanyEntry, atlas: Atlas) -> play.Company:
    site = atlas.site(entry.site).id
    if entry.declared is None:
        return play.Company(key, site, entry.player)
    regions = tuple(atlas.region(region).id for region in entry.declared.regions or ())
    method: play.Method = "site-path" if entry.declared.regions is None else "region"
    journey = play.Move(method, key, atlas.site(entry.declared.to).id, regions)
    return play.Company(key, site, entry.player, journey)


def _names(file: ScenarioFile, atlas: Atlas) -> list[Fault]:
    """Return a fault for every name in the file that nothing goes by."""
    check = NameCheck()
    for key, company in file.companies.items():
        check.look(atlas.site, company.site, f"companies.{key}.site")
        check.look(one_of(file.players, "player"), company.player, f"companies.{key}.player")
        if company.declared is not None:
            check.look(atlas.site, company.declared.to, f"companies.{key}.declared.to")
            check.look(atlas.region, company.declared.regions, f"companies.{key}.declared.regions")
    finders = {
        "company": one_of(file.companies, "company"),
        "creature": one_of(file.creatures, "creature"),
        "player": one_of(file.players, "player"),
        "to": atlas.site,
        "start": atlas.site,
        "place": atlas.place,
        "regions": atlas.region,
    }
    for key, asked in file.questions.items():
        for part, find in finders.items():
            check.look(find, getattr(asked, part, None), f"questions.{key}.{part}")
    return check.faults


def _contradictions(file: ScenarioFile) -> Iterator[Fault]:
    """Yield a fault for everything in the file that cannot go together."""
    for name, times in Counter(file.players).items():
        if times > 1:
            yield Fault(f"{times} players are called {name!r}; every player has a name of their own", "players")
    for key, asked in file.questions.items():
        place = f"questions.{key}.regions"
        if getattr(asked, "regions", None) is None:
            continue
        if getattr(asked, "method", None) == "site-path":
            yield Fault('a journey by site path plays no regions; leave them out, or say method = "region"', place)
        if getattr(asked, "to", None) is None:
            yield Fault("a series of regions leads to a site: say `to`", place)


def answer(scenario: Scenario, question_id: str) -> dict[str, Any]:
    """Return the answer to one question as plain data, ready for JSON.

    Keys: ``question``, ``ask``, ``answer`` (yes, no or None), ``cost`` (regions), ``turns``, ``route`` (ids),
    ``reachable`` (site to cost), ``types``, ``sees``, ``rules``, ``options`` (changes that would change the
    answer), ``reason``, ``expect`` and ``met`` (None without an expectation); keys that do not apply are
    left out.

    Raises
    ------
    UnknownNameError
        When the scenario has no such question.

    """
    ask = question(scenario.questions, question_id)
    state = scenario.under(scenario.options[question_id])
    result = answered(state, scenario.creatures, ask)

    def decided(options: Options) -> object:
        return _decided(answered(scenario.under(options), scenario.creatures, ask))

    differ = changing(state.options, _decided(result), decided)
    expect = scenario.expects[question_id]
    return {
        "question": question_id,
        **result,
        "options": differ,
        "expect": expect,
        "met": met(result, expect, lambda name: _known(scenario.atlas, name)),
    }


def _decided(result: Mapping[str, Any]) -> dict[str, Any]:
    return {key: result.get(key) for key in ("answer", "cost", "turns", "reachable", "types", "sees")}


def _known(atlas: Atlas, name: str) -> str:
    place = found_name(atlas.place, name)
    return name if place is None else place.id
