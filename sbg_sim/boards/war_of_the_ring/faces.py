"""Questions about War of the Ring in scenario files: what a file may say, and the answers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, get_args

from pydantic import Field

from sbg_sim.boards.expectations import PLACE
from sbg_sim.boards.form import Asked, File, Strict, options_table
from sbg_sim.boards.names import Check, finder
from sbg_sim.boards.room import Played, Reading, Room, Scenario, reached, under_options
from sbg_sim.boards.war_of_the_ring import play, travel, words
from sbg_sim.boards.war_of_the_ring.chart import Side  # noqa: TC001  pydantic reads it
from sbg_sim.boards.war_of_the_ring.mapfile import PACKAGE, BoardEntry, build, load_map
from sbg_sim.boards.war_of_the_ring.options import Options
from sbg_sim.boards.war_of_the_ring.position import Means, Move, State
from sbg_sim.boards.wording import counted, refused
from sbg_sim.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sbg_sim.boards.form import OptionsTable
    from sbg_sim.boards.names import Find
    from sbg_sim.boards.war_of_the_ring.chart import Chart
else:
    OptionsTable = options_table(Options)

Group = str | Annotated[list[str], Field(min_length=1)]

RESOLUTION: Final = "action-resolution"
PHASES: Final[Mapping[str, tuple[str, ...]]] = {
    "recover-and-draw": ("Recover Action Dice and Draw Event Cards", "recover action dice", "draw event cards"),
    "fellowship": ("Fellowship phase",),
    "hunt-allocation": ("Hunt Allocation phase", "hunt"),
    "action-roll": ("Action Roll phase",),
    RESOLUTION: ("Action Resolution phase",),
    "victory-check": ("Victory Check", "victory check phase"),
}
"""The phases of a turn, with other names; characters move in one of them only (W4)."""

Die = Literal["character-die", "will-of-the-west-die", "muster-die", "army-die"]
DICE: Final[tuple[Die, ...]] = get_args(Die)


class CardEntry(Strict):
    """An Event card: whether characters move by it, and whether sieges do not hold Companions (W4, W13)."""

    side: Side
    moves: bool = True
    ignore_siege: bool = False


class FellowshipEntry(Strict):
    """The Fellowship: the Companions in it and where it is (W1)."""

    companions: list[str]
    at: str | None = None


class _Question(Asked):
    options: OptionsTable = OptionsTable()


class ReachQuestion(_Question):
    """Where a character, or a group, can go in one action."""

    ask: Literal["reach"]
    who: Group
    by: str | None = None
    side: Side | None = None


class MoveQuestion(_Question):
    """Whether a character, or a group, may go to a region.

    `by` is a die or a card, `side` whose die it is; `after` lists who moved with the same die before.
    """

    ask: Literal["move"]
    who: Group
    to: str
    by: str | None = None
    side: Side | None = None
    after: list[str] = Field(default_factory=list)


class EnterQuestion(_Question):
    """Whether a character comes into play in a region by this die (W1-W3)."""

    ask: Literal["enter"]
    who: str
    to: str
    by: str
    side: Side | None = None


class SeparateQuestion(_Question):
    """Whether Companions may leave the Fellowship, in the region where it is (W1)."""

    ask: Literal["separate"]
    who: Group
    to: str | None = None


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
    ReachQuestion | MoveQuestion | EnterQuestion | SeparateQuestion | RouteQuestion | WithArmyQuestion,
    Field(discriminator="ask"),
]


class ScenarioFile(File):
    """A War of the Ring scenario: options, a board, who stands where, dice to play with, and questions."""

    game: Literal["war-of-the-ring"]
    phase: str = RESOLUTION
    options: OptionsTable = Field(default_factory=OptionsTable)
    board: BoardEntry = Field(default_factory=lambda: BoardEntry(map="standard"))
    characters: dict[str, str] = Field(default_factory=dict)
    fellowship: FellowshipEntry | None = None
    control: dict[str, Side] = Field(default_factory=dict)
    besieged: list[str] = Field(default_factory=list)
    armies: dict[str, Side] = Field(default_factory=dict)
    entries: dict[str, list[str]] = Field(default_factory=dict)
    cards: dict[str, CardEntry] = Field(default_factory=dict)
    dice: dict[Side, list[Die]] | None = None
    questions: dict[str, Question] = Field(default_factory=dict)


def _phase(name: str) -> str:
    try:
        return finder(PHASES, "phase")(name)
    except UnknownNameError:
        raise UnknownNameError(f"no phase is called {name!r}; there are: {', '.join(PHASES)}") from None


def _read(file: ScenarioFile, check: Check) -> Reading[State]:
    chart = check.made(lambda: build(file.board), "board")
    board = file.board
    regions, cast = ({k: (one.name or k, *one.also) for k, one in t.items()} for t in (board.regions, board.characters))
    if chart is not None:
        regions, cast = dict(chart.region_names), dict(chart.character_names)
    elif not cast:
        cast = dict(load_map().character_names)
    region, character = finder(regions, "region"), finder(cast, "character")

    def means(name: str) -> str:
        if name not in DICE and name not in file.cards:
            raise UnknownNameError(f"no card is called {name!r}, nor is it one of {', '.join(DICE)}")
        return name

    check.look(_phase, file.phase, "phase")
    for name in file.cards:
        if name in DICE:
            check.fault(f"cards.{name}", "a card has a name of its own, not that of a die result")
    for key, asked in file.questions.items():
        if getattr(asked, "side", None) is not None and getattr(asked, "by", None) in file.cards:
            check.fault(f"questions.{key}.side", "a card says itself whose it is; `side` goes with a die")
        if asked.ask == "separate" and file.fellowship is None:
            check.fault(f"questions.{key}", "Companions leave the Fellowship: say where it is, under [fellowship]")
    _places(file, check, chart, region)
    _cast(file, check, chart, region, character)
    finders = {"who": character, "after": character, "to": region, "by": means, PLACE: region}
    return Reading(chart, lambda: _state(file, chart), finders)


def _places(file: ScenarioFile, check: Check, chart: Chart | None, region: Find) -> None:
    """Note every siege, holder and Army that the position cannot have."""
    for key, table in (("control", file.control), ("armies", file.armies)):
        said: dict[str, str] = {}
        for name in table:
            place = check.look(region, name, f"{key}.{name}")
            if place is None:
                continue
            if said.setdefault(place, name) != name:
                check.fault(f"{key}.{name}", f"{name} stands here already as {said[place]!r}")
            if key == "control" and chart is not None and chart.regions[place].settlement is None:
                check.fault(f"control.{name}", f"{chart.regions[place].name} has no settlement to control")
    for place in check.each(region, file.besieged, "besieged"):
        if chart is not None and not chart.regions[place].is_stronghold:
            check.fault("besieged", f"only a Stronghold is besieged, and {chart.regions[place].name} has none")


def _cast(file: ScenarioFile, check: Check, chart: Chart | None, region: Find, character: Find) -> None:
    """Note every character that is nowhere known, stands twice, or where it never is (W1, W20)."""
    seen: dict[str, str] = {}
    inside = file.fellowship
    for name, at in file.characters.items():
        _stands(check, chart, check.look(character, name, f"characters.{name}"), f"characters.{name}", seen)
        _bound(check, chart, character, region, name, [at], f"characters.{name}")
    for name in inside.companions if inside is not None else ():
        key = "fellowship.companions"
        who = check.look(character, name, key)
        _stands(check, chart, who, key, seen)
        if who is not None and chart is not None:
            one = chart.characters[who]
            if one.kind != "companion" or one.enters:
                check.fault(key, f"{one.name} is never in the Fellowship")
    check.look(region, inside.at if inside is not None else None, "fellowship.at")
    for name, places in file.entries.items():
        check.look(character, name, f"entries.{name}")
        _bound(check, chart, character, region, name, places, f"entries.{name}")


def _stands(check: Check, chart: Chart | None, who: str | None, key: str, seen: dict[str, str]) -> None:
    if who is not None and who in seen:
        check.fault(key, f"{chart.characters[who].name if chart else who} stands here and at {seen[who]}")
    elif who is not None:
        seen[who] = key


def _bound(
    check: Check, chart: Chart | None, character: Find, region: Find, name: str, places: list[str], key: str
) -> None:
    """Look regions up, and note one where a character that never leaves another cannot be (W20)."""
    who = Check().look(character, name, key)
    for place in check.each(region, places, key):
        bound = chart.characters[who].bound if chart is not None and who is not None else None
        if chart is not None and bound not in {None, place}:
            home = chart.regions[bound or ""].name
            check.fault(key, f"W20: {name} never leaves {home}, so it is not in {chart.regions[place].name}")


def _state(file: ScenarioFile, chart: Chart | None) -> State:
    assert chart is not None
    inside = file.fellowship
    return State(
        chart,
        tuple(file.characters.items()),
        frozenset(inside.companions if inside else ()),
        inside.at if inside else None,
        tuple(file.control.items()),
        frozenset(file.besieged),
        frozenset(file.armies.items()),
        frozenset((who, place) for who, places in file.entries.items() for place in places),
        pool=tuple(_pool(file, chart)),
        phase=_phase(file.phase),
        options=file.options.over(Options()),
    )


def _pool(file: ScenarioFile, chart: Chart) -> Iterator[Means]:
    """Yield the dice and cards to play with: those of the file, or else one die of each kind that can be of use."""
    for key, card in file.cards.items():
        yield Means(card.side, "event", card.moves, card.ignore_siege, key)
    if file.dice is not None:
        yield from (Means(side, die) for side, dice in file.dice.items() for die in dice)
        return
    yield from (Means("free-peoples"), Means("shadow"))
    cast = [chart.character(name) for name in file.entries]
    for who in {one.enters: one for one in cast if one.enters}.values():
        yield Means(who.side, "muster-die" if who.enters == "muster" else "will-of-the-west-die")


def _who(asked: Any) -> tuple[str, ...]:
    return (asked.who,) if isinstance(asked.who, str) else tuple(sorted(asked.who))


def _under(scenario: Scenario[State], asked: Any, options: Options) -> State:
    """Return the position in which a question is asked: with its die or card in use, and after those who moved."""
    state: State = under_options(scenario, asked, options)
    by, side = getattr(asked, "by", None), getattr(asked, "side", None)
    if by is None and side is None:
        return replace(state, moved=frozenset(getattr(asked, "after", ())))
    if by in scenario.file.cards:
        card = scenario.file.cards[by]
        means = Means(card.side, "event", card.moves, card.ignore_siege, str(by))
    else:
        means = Means(side or state.chart.characters[_who(asked)[0]].side, by or "character-die")
    return replace(state, means=means, moved=frozenset(getattr(asked, "after", ())))


def _names(state: State, asked: Any) -> str:
    return ", ".join(state.chart.characters[figure].name for figure in _who(asked))


def _by_rules(state: State, figures: tuple[str, ...]) -> list[str]:
    """Return the rules that give these figures their range."""
    group = [state.chart.characters[figure] for figure in figures]
    if group[0].side == "free-peoples":
        return ["W9"] if len(group) > 1 else ["W8"]
    return list(dict.fromkeys("W15" if who.is_nazgul else "W21" for who in group))


def _move(state: State, asked: MoveQuestion, _: ScenarioFile) -> dict[str, Any]:
    figures = _who(asked)
    ready = replace(play.ready(state, figures), moved=state.moved)
    violations = play.explain(ready, Move("travel", figures, asked.to))
    if violations:
        return refused(violations)
    found = travel.reach(ready, figures)[asked.to]
    each = (
        {figure: list(travel.reach(ready, (figure,))[asked.to].route) for figure in figures}
        if _apart(state, figures)
        else None
    )
    return {
        "answer": "yes",
        "cost": found.cost,
        "route": list(found.route),
        **({"routes": each} if each else {}),
        "rules": _by_rules(state, figures),
        "reason": f"{_names(state, asked)} may go to {state.chart.regions[asked.to].name}.",
    }


def _apart(state: State, figures: tuple[str, ...]) -> bool:
    return len({state.at[figure] for figure in figures}) > 1


def _reach(state: State, asked: ReachQuestion, _: ScenarioFile) -> dict[str, Any]:
    figures = _who(asked)
    violations = travel.standing(play.ready(state, figures), figures)
    if violations:
        no = refused(violations)
        return reached({}, no["rules"], no["reason"])
    costs = {place: way.cost for place, way in play.reachable(state, figures).items()}
    reason = f"{_names(state, asked)} can go to {counted(len(costs), 'region')}."
    return reached(costs, _by_rules(state, figures), reason)


def _enter(state: State, asked: EnterQuestion, _: ScenarioFile) -> dict[str, Any]:
    violations = play.explain(state, Move("enter", _who(asked), asked.to))
    if violations:
        return refused(violations)
    rule = "W2" if state.chart.characters[asked.who].enters == "will-of-the-west" else "W3"
    reason = f"{_names(state, asked)} comes into play in {state.chart.regions[asked.to].name}."
    return {"answer": "yes", "route": [asked.to], "rules": [rule], "reason": reason}


def _separate(state: State, asked: SeparateQuestion, _: ScenarioFile) -> dict[str, Any]:
    to = asked.to or state.fellowship_at
    figures = _who(asked)
    if to is None:
        inside = [state.chart.characters[who].name for who in figures if who not in state.fellowship]
        why = f"{', '.join(inside)} is not in the Fellowship" if inside else "the Fellowship is not on the map"
        return {"answer": "no", "rules": ["W1"], "reason": f"{why}."}
    violations = play.explain(state, Move("separate", figures, to))
    if violations:
        return refused(violations)
    reason = f"{_names(state, asked)} leaves the Fellowship in {state.chart.regions[to].name}."
    return {"answer": "yes", "route": [to], "rules": ["W1"], "reason": reason}


def _route(state: State, asked: RouteQuestion, _: ScenarioFile) -> dict[str, Any]:
    figures = _who(asked)
    violations = travel.standing(play.ready(state, figures), figures)
    if violations:
        return refused(violations)
    name, legs = state.chart.regions[asked.to].name, play.plan(state, figures, asked.to)
    if legs is None:
        reason = f"no series of actions brings {_names(state, asked)} to {name}."
        return {"answer": "no", "rules": _by_rules(state, figures), "reason": reason}
    return {
        "answer": "yes",
        "turns": len(legs),
        "route": [legs[0].route[0] if legs else asked.to, *(leg.route[-1] for leg in legs)],
        "legs": [list(leg.route) for leg in legs],
        "rules": _by_rules(state, figures),
        "reason": f"{_names(state, asked)} can be in {name} after {counted(len(legs), 'action')}.",
    }


def _with_army(state: State, asked: WithArmyQuestion, _: ScenarioFile) -> dict[str, Any]:
    violations = travel.stays(state, asked.who)
    if violations:
        return refused(violations)
    reason = f"{_names(state, asked)} may go along with an Army; how Armies move is outside these rules."
    return {"answer": "yes", "rules": ["W7"], "reason": reason}


room: Room[State] = Room(
    PACKAGE,
    ScenarioFile,
    Options(),
    _read,
    {
        "reach": _reach, "move": _move, "enter": _enter, "separate": _separate, "route": _route,
        "with-army": _with_army,
    },
    _under,
    {"legs": None, "routes": None},
    played=Played(play, words.told, words.lit, words.tries, words.shown),
)  # fmt: skip
load, answer, model = room.load, room.answer, room.model
