"""Questions about War of the Ring in scenario files: the form of a file, and the answers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, get_args

from pydantic import Field

from sbg_sim.boards.form import PLACE, Named, Strict, file_form
from sbg_sim.boards.names import Check, called, finder
from sbg_sim.boards.room import Case, Played, Room
from sbg_sim.boards.war_of_the_ring import play, travel, words
from sbg_sim.boards.war_of_the_ring.chart import Side
from sbg_sim.boards.war_of_the_ring.mapfile import PACKAGE, BoardEntry, build, load_map
from sbg_sim.boards.war_of_the_ring.options import Options
from sbg_sim.boards.war_of_the_ring.position import Means, Move, State
from sbg_sim.boards.wording import allowed, denied, reached, refused
from sbg_sim.errors import UnknownNameError
from sbg_sim.wording import counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sbg_sim.boards.form import File as Form
    from sbg_sim.boards.names import Find
    from sbg_sim.boards.war_of_the_ring.chart import Chart

RegionName = Annotated[str, Named(PLACE)]
Who = Annotated[str, Named("character")]
Group = Who | Annotated[list[Who], Field(min_length=1)]
By = Annotated[str, Named("die or card")]

SIDES: Final[tuple[Side, ...]] = get_args(Side)
RESOLUTION: Final = "action-resolution"
PHASES: Final[Mapping[str, tuple[str, ...]]] = {
    "recover-and-draw": ("Recover Action Dice and Draw Event Cards", "recover action dice", "draw event cards"),
    "fellowship": ("Fellowship phase",),
    "hunt-allocation": ("Hunt Allocation phase", "hunt"),
    "action-roll": ("Action Roll phase",),
    RESOLUTION: ("Action Resolution phase",),
    "victory-check": ("Victory Check", "victory check phase"),
}
"""The phases of a turn, with further names; characters move only in one of them (W4)."""

Die = Literal["character-die", "will-of-the-west-die", "muster-die", "army-die"]
DICE: Final[tuple[Die, ...]] = get_args(Die)

QUESTIONS: Final[Mapping[str, tuple[str, dict[str, Any]]]] = {
    "reach": ("Where characters can all go in one action.", {"who": Group, "by": By | None, "side": Side | None}),
    "move": (
        "Whether they may go to a region; `by` a die or card, `side` whose die, `after` who moved with it before.",
        {"who": Group, "to": RegionName, "by": By | None, "side": Side | None, "after": (list[Who], [])},
    ),
    "enter": (
        "Whether a character comes into play in a region by this die (W1-W3).",
        {"who": Who, "to": RegionName, "by": By, "side": Side | None},
    ),
    "separate": (
        "Whether Companions may leave the Fellowship, in the region where it is (W1).",
        {"who": Group, "to": RegionName | None},
    ),
    "route": ("In how many actions they get to a region.", {"who": Group, "to": RegionName}),
    "with-army": ("Whether a character goes along when its Army leaves (W1, W7, W20).", {"who": Who}),
}

ANSWERS: Final[Mapping[str, Any]] = {"legs": list[list[RegionName]], "routes": dict[Who, list[RegionName]]}

if not TYPE_CHECKING:
    Form = file_form("war-of-the-ring", Options, QUESTIONS, ANSWERS)


class CardEntry(Strict):
    """An Event card: whether it moves characters, and whether it ignores sieges for Companions (W4, W13)."""

    side: Side
    moves: bool = True
    ignore_siege: bool = False


class FellowshipEntry(Strict):
    """The Fellowship: its Companions and its region (W1)."""

    companions: list[Who]
    at: RegionName | None = None


class ScenarioFile(Form):
    """A War of the Ring scenario: options, a board, positions of figures, dice, and questions."""

    phase: Annotated[str, Named("phase")] = RESOLUTION
    board: BoardEntry = Field(default_factory=lambda: BoardEntry(map="standard"))
    characters: dict[Who, RegionName] = Field(default_factory=dict)
    fellowship: FellowshipEntry | None = None
    control: dict[RegionName, Side] = Field(default_factory=dict)
    besieged: list[RegionName] = Field(default_factory=list)
    armies: dict[RegionName, Side] = Field(default_factory=dict)
    entries: dict[Who, list[RegionName]] = Field(default_factory=dict)
    cards: dict[str, CardEntry] = Field(default_factory=dict)
    dice: dict[Side, list[Die]] | None = None


def _read(file: ScenarioFile, check: Check) -> tuple[Chart | None, Mapping[str, Find]]:
    chart = check.made(lambda: build(file.board), "board")
    shown = chart or file.board  # of a map with faults, the names on it
    regions, cast = called(shown.regions), called(shown.characters or load_map().characters)

    def means(name: str) -> str:
        if name not in DICE and name not in file.cards:
            raise UnknownNameError(f"no card is called {name!r}, nor is it one of {', '.join(DICE)}")
        return name

    return chart, {
        PLACE: finder(regions, "region"), "character": finder(cast, "character"), "phase": _phase, "die or card": means,
    }  # fmt: skip


def _phase(name: str) -> str:
    try:
        return finder(PHASES, "phase")(name)
    except UnknownNameError:
        raise UnknownNameError(f"no phase is called {name!r}; there are: {', '.join(PHASES)}") from None


def _faults(file: ScenarioFile, chart: Chart | None, check: Check) -> None:
    """Record faults for cards, sieges, holders and characters that no position can have (W1, W20)."""
    for name in file.cards:
        if name in DICE:
            check.fault(f"cards.{name}", "a card has a name of its own, not that of a die result")
    for key, asked in file.questions.items():
        if getattr(asked, "side", None) is not None and getattr(asked, "by", None) in file.cards:
            check.fault(f"questions.{key}.side", "a card says itself whose it is; `side` goes with a die")
        if asked.ask == "separate" and file.fellowship is None:
            check.fault(f"questions.{key}", "Companions leave the Fellowship: say where it is, under [fellowship]")
    inside = file.fellowship.companions if file.fellowship is not None else []
    for who in inside:
        name = chart.characters[who].name if chart is not None and who in chart.characters else who
        if who in file.characters:
            check.fault("fellowship.companions", f"{name} stands here and at characters.{who}")
        if inside.count(who) > 1:
            check.fault("fellowship.companions", f"{name} stands here twice")
    if chart is None:
        return
    for place in file.control:
        if place in chart.regions and chart.regions[place].settlement is None:
            check.fault(f"control.{place}", f"{chart.regions[place].name} has no settlement to control")
    for place in file.besieged:
        if place in chart.regions and not chart.regions[place].is_stronghold:
            check.fault("besieged", f"only a Stronghold is besieged, and {chart.regions[place].name} has none")
    for one in (chart.characters[who] for who in inside if who in chart.characters):
        if one.kind != "companion" or one.enters:
            check.fault("fellowship.companions", f"{one.name} is never in the Fellowship")
    standing = [(f"characters.{who}", who, place) for who, place in file.characters.items()]
    standing += [(f"entries.{who}", who, place) for who, places in file.entries.items() for place in places]
    for key, who, place in standing:
        bound = chart.characters[who].bound if who in chart.characters else None
        if place in chart.regions and bound not in {None, place}:
            name, home = chart.characters[who].name, chart.regions[bound or ""].name
            check.fault(key, f"W20: {name} never leaves {home}, so it is not in {chart.regions[place].name}")


def _position(case: Case, asked: Any) -> State:
    """Return the position of a question: with its die or card in use, and the characters of ``after`` moved."""
    file, inside = case.file, case.file.fellowship
    state = State(
        case.board,
        tuple(file.characters.items()),
        frozenset(inside.companions if inside else ()),
        inside.at if inside else None,
        tuple(file.control.items()),
        frozenset(file.besieged),
        frozenset(file.armies.items()),
        frozenset((who, place) for who, places in file.entries.items() for place in places),
        pool=tuple(_pool(file, case.board)),
        moved=frozenset(getattr(asked, "after", ())),
        phase=file.phase,
        options=case.options,
    )
    by: Any = getattr(asked, "by", None)
    side = getattr(asked, "side", None)
    if by is None and side is None:
        return state
    if by in file.cards:
        return replace(state, means=_card(by, file.cards[by]))
    return replace(state, means=Means(side or case.board.characters[_who(asked)[0]].side, by or "character-die"))


def _card(name: str, card: CardEntry) -> Means:
    return Means(card.side, "event", card.moves, card.ignore_siege, name)


def _pool(file: ScenarioFile, chart: Chart) -> Iterator[Means]:
    """Yield the dice and cards of the file, or else one die of each useful kind."""
    yield from (_card(key, card) for key, card in file.cards.items())
    if file.dice is not None:
        yield from (Means(side, die) for side, dice in file.dice.items() for die in dice)
        return
    yield from (Means("free-peoples"), Means("shadow"))
    cast = [chart.characters[who] for who in file.entries]
    for who in {one.enters: one for one in cast if one.enters}.values():
        yield Means(who.side, "muster-die" if who.enters == "muster" else "will-of-the-west-die")


def _who(asked: Any) -> tuple[str, ...]:
    return (asked.who,) if isinstance(asked.who, str) else tuple(sorted(asked.who))


def _names(state: State, asked: Any) -> str:
    return listed([state.chart.characters[figure].name for figure in _who(asked)])


def _by_rules(state: State, figures: tuple[str, ...]) -> list[str]:
    """Return the rules that determine the range of these figures."""
    group = [state.chart.characters[figure] for figure in figures]
    if group[0].side == "free-peoples":
        return ["W9"] if len(group) > 1 else ["W8"]
    rules = ["W15" if who.is_nazgul else "W21" for who in group]
    rules += ["W16"] if rules.count("W15") > 1 else []
    return list(dict.fromkeys([*rules, *("W18" for who in group if who.is_nazgul and who.is_minion)]))


def _move(state: State, asked: Any, _: Case) -> dict[str, Any]:
    figures = _who(asked)
    ready = replace(play.ready(state, figures), moved=state.moved)
    violations = play.explain(ready, Move("travel", figures, asked.to))
    if violations:
        return refused(violations)
    found = travel.reach(ready, figures)[asked.to]
    apart = {}
    if len({state.at[figure] for figure in figures}) > 1:
        apart["routes"] = {figure: list(travel.reach(ready, (figure,))[asked.to].route) for figure in figures}
    rules = [*_by_rules(state, figures), *_past_others(state, figures, apart.get("routes", {}), found.route)]
    reason = f"{_names(state, asked)} may go to {state.chart.regions[asked.to].name}"
    return allowed(rules, reason, cost=found.cost, route=list(found.route), **apart)


def _past_others(
    state: State, figures: tuple[str, ...], routes: Mapping[str, list[str]], route: tuple[str, ...]
) -> Iterator[str]:
    """Yield the rules by which characters move despite enemy Armies there, or after another group moved."""
    group = [state.chart.characters[figure] for figure in figures]
    walkers = [who for who in group if not who.is_nazgul]
    passed = {(place, who.side) for who in walkers for place in routes.get(who.id, route)}
    if any((place, side) in passed for place, army in state.armies for side in SIDES if side != army):
        yield "W11" if group[0].side == "free-peoples" else "W23"
    if state.moved and group[0].side == "free-peoples":
        yield "W10"


def _reach(state: State, asked: Any, _: Case) -> dict[str, Any]:
    figures = _who(asked)
    violations = travel.standing(play.ready(state, figures), figures)
    if violations:
        return {**reached({}, (), ""), **refused(violations)}
    ways, rules = play.reachable(state, figures), _by_rules(state, figures)
    shut = () if ways else travel.shut_in(state, figures)
    if shut:
        return {**reached({}, (), ""), **refused(shut)}
    return reached(ways, rules, f"{_names(state, asked)} can go to {counted(len(ways), 'region')}")


def _enter(state: State, asked: Any, _: Case) -> dict[str, Any]:
    violations = play.explain(state, Move("enter", _who(asked), asked.to))
    if violations:
        return refused(violations)
    rule = "W2" if state.chart.characters[asked.who].enters == "will-of-the-west" else "W3"
    reason = f"{_names(state, asked)} comes into play in {state.chart.regions[asked.to].name}"
    return allowed([rule], reason, route=[asked.to])


def _separate(state: State, asked: Any, _: Case) -> dict[str, Any]:
    to, figures = asked.to or state.fellowship_at, _who(asked)
    if to is None:
        inside = [state.chart.characters[who].name for who in figures if who not in state.fellowship]
        why = f"{listed(inside)} {'is' if len(inside) == 1 else 'are'} not in the Fellowship"
        return denied(["W1"], why if inside else "the Fellowship is not on the map")
    violations = play.explain(state, Move("separate", figures, to))
    if violations:
        return refused(violations)
    leaves = "leaves" if len(figures) == 1 else "leave"
    reason = f"{_names(state, asked)} {leaves} the Fellowship in {state.chart.regions[to].name}"
    return allowed(["W1"], reason, route=[to])


def _route(state: State, asked: Any, _: Case) -> dict[str, Any]:
    figures = _who(asked)
    violations = travel.standing(play.ready(state, figures), figures)
    if violations:
        return refused(violations)
    name, legs = state.chart.regions[asked.to].name, play.plan(state, figures, asked.to)
    if legs is None:
        why = [
            found for found in travel.place_faults(state, figures, asked.to) if found.rule not in {"W8", "W9", "W21"}
        ]
        reason = f"no series of actions brings {_names(state, asked)} to {name}"
        return denied(dict.fromkeys(found.rule for found in why) or _by_rules(state, figures), reason)
    late = travel.place_faults(state, figures, asked.to) if len(legs) > 1 else ()  # why one action does not suffice
    return allowed(
        dict.fromkeys([*_by_rules(state, figures), *(found.rule for found in late)]),
        f"{_names(state, asked)} can be in {name} after {counted(len(legs), 'action')}",
        turns=len(legs),
        route=[legs[0].route[0] if legs else asked.to, *(leg.route[-1] for leg in legs)],
        legs=[list(leg.route) for leg in legs],
    )


def _with_army(state: State, asked: Any, _: Case) -> dict[str, Any]:
    violations = travel.stays(state, asked.who)
    if violations:
        return refused(violations)
    reason = f"{_names(state, asked)} may go along with an Army; how Armies move is outside these rules"
    return allowed(["W7"], reason)


room: Room[State] = Room(
    PACKAGE,
    ScenarioFile,
    Options(),
    _read,
    _faults,
    _position,
    {
        "reach": _reach, "move": _move, "enter": _enter, "separate": _separate, "route": _route,
        "with-army": _with_army,
    },
    played=Played(play, words.told, words.lit, words.tries, words.shown),
)  # fmt: skip
load, answer, model = room.load, room.answer, room.model
