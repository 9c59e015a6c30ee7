"""Questions about METW in scenario files: what a file may say, and the answers."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, fields, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from sbg_sim.boards.expectations import PLACE
from sbg_sim.boards.form import Asked, File, Strict, options_table
from sbg_sim.boards.game import Violation
from sbg_sim.boards.metw import journey, play, routes, words
from sbg_sim.boards.metw.creatures import Creature, explain_attack
from sbg_sim.boards.metw.kinds import symbols, written
from sbg_sim.boards.metw.mapfile import PACKAGE, BoardEntry, Row, build, read_as
from sbg_sim.boards.metw.options import Options
from sbg_sim.boards.names import Check, finder, one_of
from sbg_sim.boards.room import Played, Reading, Room, Scenario, reached
from sbg_sim.boards.wording import counted, refused

if TYPE_CHECKING:
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
    """A creature by its region symbols, as ``"w w"`` or ``"[s] [d]"``, and the player who holds it, if it matters."""

    symbols: Row
    name: str | None = None
    player: str | None = None


class _Question(Asked):
    options: OptionsTable = OptionsTable()


class ReachQuestion(_Question):
    """Which sites a company can move to this turn."""

    ask: Literal["reach"]
    company: str


class MoveQuestion(_Question):
    """Whether a company may make this move this turn; without method and regions: by any way. It may also stay."""

    ask: Literal["move"]
    company: str
    to: str | None = None
    method: Literal["site-path", "region", "stay"] | None = None
    regions: list[str] | None = None


class RouteQuestion(_Question):
    """In how many turns a company gets to a site, and by which sites."""

    ask: Literal["route"]
    company: str
    to: str


class StartQuestion(_Question):
    """Whether starting characters come into play at a site (M3)."""

    ask: Literal["start"]
    site: str


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
    ReachQuestion
    | MoveQuestion
    | RouteQuestion
    | StartQuestion
    | AttackQuestion
    | PathQuestion
    | TypeQuestion
    | ViewQuestion,
    Field(discriminator="ask"),
]


class ScenarioFile(File):
    """A METW scenario: options, a board, companies, creatures and questions.

    `turn` says whose turn it is; without it every company is asked as in a turn of its own player. With `new_game`
    every player has a company at Rivendell (M3), called ``one-1``, ``two-1`` after the players.
    """

    game: Literal["metw"]
    options: OptionsTable = Field(default_factory=OptionsTable)
    board: BoardEntry = Field(default_factory=lambda: BoardEntry(map="standard"))
    players: list[str] = Field(default=["one", "two"], min_length=1)
    turn: str | None = None
    new_game: bool = False
    companies: dict[str, CompanyEntry] = Field(default_factory=dict)
    creatures: dict[str, CreatureEntry] = Field(default_factory=dict)
    questions: dict[str, Question] = Field(default_factory=dict)


def _read(file: ScenarioFile, check: Check) -> Reading[play.State]:
    atlas = check.made(lambda: build(file.board), "board")
    entries = (file.board.regions, file.board.sites)
    regions, sites = ({key: (one.name or key, *one.also) for key, one in table.items()} for table in entries)
    if atlas is not None:
        regions, sites = dict(atlas.region_names), dict(atlas.site_names)
    region, site = finder(regions, "region"), finder(sites, "site")
    player = one_of(file.players, "player")
    for key, company in file.companies.items():
        check.look(site, company.site, f"companies.{key}.site")
        check.look(player, company.player, f"companies.{key}.player")
        if company.declared is not None:
            check.look(site, company.declared.to, f"companies.{key}.declared.to")
            check.each(region, company.declared.regions or (), f"companies.{key}.declared.regions")
    for key, creature in file.creatures.items():
        check.look(player, creature.player, f"creatures.{key}.player")
    check.look(player, file.turn, "turn")
    _contradictions(file, check)
    if file.new_game:
        check.look(site, play.START, "new_game")
    companies = [f"{name}-1" for name in file.players] if file.new_game else file.companies
    finders = {
        "company": one_of(companies, "company"),
        "creature": one_of(file.creatures, "creature"),
        "player": player,
        "to": site,
        "start": site,
        "site": site,
        "place": finder({**regions, **sites}, "site or region"),
        "regions": region,
    }
    return Reading(atlas, lambda: _state(file, atlas), finders)


def _contradictions(file: ScenarioFile, check: Check) -> None:
    """Note everything in the file that cannot go together."""
    for name, times in Counter(file.players).items():
        if times > 1:
            check.fault("players", f"{times} players are called {name!r}; every player has a name of their own")
    if file.new_game and file.companies:
        check.fault("new_game", "a new game has the starting companies alone; leave `companies` out")
    for key, asked in file.questions.items():
        at = f"questions.{key}"
        if not isinstance(asked, MoveQuestion | AttackQuestion):
            continue
        stays = isinstance(asked, MoveQuestion) and asked.method == "stay"
        if stays and (asked.to is not None or asked.regions is not None):
            check.fault(at, "a company that stays goes nowhere; leave `to` and `regions` out")
        if isinstance(asked, MoveQuestion) and not stays and asked.to is None and not check.lacks(at):
            check.fault(at, 'a move goes to a site: say `to`, or method = "stay"')
        if asked.regions is None:
            continue
        if isinstance(asked, MoveQuestion) and asked.method == "site-path":
            reason = 'a journey by site path plays no regions; leave them out, or say method = "region"'
            check.fault(f"{at}.regions", reason)
        if isinstance(asked, AttackQuestion) and asked.to is None:
            check.fault(f"{at}.regions", "a series of regions leads to a site: say `to`")


def _state(file: ScenarioFile, atlas: Atlas | None) -> play.State:
    assert atlas is not None
    options, players = file.options.over(Options()), tuple(file.players)
    if file.new_game:
        state = play.new_game(atlas, players, options)
        return replace(state, active=file.turn or state.active)
    companies = tuple(_company(key, entry, atlas) for key, entry in file.companies.items())
    active = file.turn or (companies[0].player if companies else players[0])
    return play.State(read_as(atlas, options), companies, players, active, options)


def _company(key: str, entry: CompanyEntry, atlas: Atlas) -> play.Company:
    site, cards = atlas.site(entry.site).id, entry.declared
    if cards is None:
        return play.Company(key, site, entry.player)
    regions = tuple(atlas.region(region).id for region in cards.regions or ())
    method: play.Method = "site-path" if cards.regions is None else "region"
    return play.Company(key, site, entry.player, play.Move(method, key, atlas.site(cards.to).id, regions))


def _under(scenario: Scenario[play.State], asked: Asked, options: Options) -> play.State:
    """Return the position under some readings; in a turn of the company's player, unless the file says whose it is."""
    assert scenario.state is not None
    state = replace(scenario.state, atlas=read_as(scenario.board, options), options=options)
    company = getattr(asked, "company", None)
    return state if scenario.file.turn or not company else replace(state, active=state.company(company).player)


def _late(state: play.State, company: play.Company) -> tuple[Violation, ...]:
    """Return why a company does not move now: it is another player's turn (M7)."""
    return play.explain(state, play.Move("stay", company.id)) if company.player != state.active else ()


def _reach(state: play.State, asked: ReachQuestion, _: ScenarioFile) -> dict[str, Any]:
    company = state.company(asked.company)
    late = _late(state, company)
    if late:
        return {**refused(late), **reached({}, ["M7"], late[0].reason)}
    moves = play.steps(state, company.site)  # whatever was declared
    costs = {move.to: play.reached(state, company.site, move).cost for move in moves if move.to is not None}
    rules = ["M18", "M8" if state.atlas.sites[company.site].is_haven else "M9", "M19"]
    return reached(costs, rules, f"{company.id} can move to {counted(len(costs), 'site')} this turn, or stay.")


def _journey(asked: MoveQuestion | AttackQuestion) -> play.Move:
    by_regions = asked.regions is not None
    return play.Move("region" if by_regions else "site-path", asked.company, asked.to, tuple(asked.regions or ()))


def _move(state: play.State, asked: MoveQuestion, _: ScenarioFile) -> dict[str, Any]:
    company = state.company(asked.company)
    late = _late(state, company)
    if late:
        return refused(late)
    here = state.atlas.sites[company.site]
    if asked.to is None:
        reason = f"{company.id} need not move and stays at {here.name}."
        return {"answer": "yes", "cost": 0, "route": [here.id], "rules": ["M7"], "reason": reason}
    end = state.atlas.sites[asked.to]
    by_regions = play.Move(
        "region", company.id, end.id, journey.shortest(state.atlas, here.region, end.region, state.options)
    )
    move = _journey(asked)
    if (asked.method == "region" and asked.regions is None) or (
        asked.method is None and asked.regions is None and not play.explain_journey(state, here.id, by_regions)
    ):
        move = by_regions
    violations = play.explain_journey(state, here.id, move)
    if violations:
        either = asked.method is None and asked.regions is None
        return refused((*violations, *(play.explain_journey(state, here.id, by_regions) if either else ())))
    found = play.reached(state, here.id, move)
    way = "by its site path" if move.method == "site-path" else f"over {counted(len(move.regions), 'region')}"
    rule = ("M8" if here.is_haven else "M9") if move.method == "site-path" else "M19"
    reason = f"{company.id} moves from {here.name} to {end.name} {way}."
    return {"answer": "yes", "cost": found.cost, "route": list(found.route), "rules": [rule], "reason": reason}


def _route(state: play.State, asked: RouteQuestion, _: ScenarioFile) -> dict[str, Any]:
    sites, company = state.atlas.sites, state.company(asked.company)
    here, end = sites[company.site], sites[asked.to]
    legs = routes.plan(state, here.id, end.id)
    rules = ["M15"] if state.options.movement == "site-path" else ["M24"]
    if legs is None:
        return {"answer": "no", "rules": rules, "reason": f"no series of moves leads from {here.name} to {end.name}."}
    return {
        "answer": "yes",
        "turns": len(legs),
        "route": [here.id, *(leg.to for leg in legs)],
        "legs": [{"to": leg.to, "method": leg.method, "regions": list(leg.regions)} for leg in legs],
        "rules": rules,
        "reason": f"{end.name} is {counted(len(legs), 'turn')} away from {here.name}.",
    }


def _start(state: play.State, asked: StartQuestion, _: ScenarioFile) -> dict[str, Any]:
    site = state.atlas.sites[asked.site]
    here = site.id == play.START
    reason = f"starting characters come into play at Rivendell{'' if here else f', not at {site.name}'}."
    return {"answer": "yes" if here else "no", "rules": ["M3"], "reason": reason}


def _attack(state: play.State, asked: AttackQuestion, file: ScenarioFile) -> dict[str, Any]:
    entry, company = file.creatures[asked.creature], state.company(asked.company)
    creature = Creature(entry.name or asked.creature, symbols(entry.symbols))
    move = company.journey if asked.to is None else _journey(asked)
    if entry.player == company.player:
        own = Violation("M25", f"{creature.name} and {company.id} are both of {entry.player}", company.site)
        return {**refused((own,)), "types": ""}
    if move is None or move.to is None:
        nothing = Violation("M25", f"{company.id} has declared no journey, so it plays no region card", company.site)
        return {**refused((nothing,)), "types": ""}
    violations = play.explain_journey(state, company.site, move)
    if violations:
        return {**refused(violations), "types": ""}
    start, end = state.atlas.sites[company.site], state.atlas.sites[move.to]
    offered = journey.path_types(state.atlas, start, end, move.method, move.regions, state.options)
    violations = explain_attack(creature, offered, state.options)
    if violations:
        return {**refused(violations), "types": written(offered)}
    rule = "M26" if len(creature.symbols) > len(set(creature.symbols)) else "M25"
    reason = f"{creature.name} ({written(creature.symbols)}) may attack on {written(offered)}."
    return {"answer": "yes", "types": written(offered), "rules": [rule], "reason": reason}


def _path(state: play.State, asked: PathQuestion, _: ScenarioFile) -> dict[str, Any]:
    start, end = state.atlas.sites[asked.start], state.atlas.sites[asked.to]
    types = written(journey.site_path(start, end))
    return {
        "types": types,
        "rules": ["M10", "M11"],
        "reason": f"from {start.name} to {end.name}: {types or 'no site path'}.",
    }


def _type(state: play.State, asked: TypeQuestion, _: ScenarioFile) -> dict[str, Any]:
    place = state.atlas.place(asked.place)
    rule, words = "M17" if place.id in state.atlas.sites else "M16", place.type.name.replace("_", " ").capitalize()
    return {"types": place.type.value, "rules": [rule], "reason": f"{place.name} is of type {words}."}


def _view(state: play.State, asked: ViewQuestion, _: ScenarioFile) -> dict[str, Any]:
    sees = {seen.company: asdict(seen) for seen in play.view(state, asked.player)}
    for shown in sees.values():
        del shown["company"]
        shown["hidden"] = bool(shown["face_down_sites"]) and shown["to"] is None
        shown["regions"] = None if shown["regions"] is None else list(shown["regions"])
    hidden = sum(shown["hidden"] for shown in sees.values())
    reason = f"{asked.player} sees {len(sees)} companies, {hidden} of them with a destination face down."
    return {"sees": sees, "rules": ["M6", "M19"], "reason": reason}


SEEN = {field.name: None for field in fields(play.Seen)} | {
    "site": PLACE,
    "to": PLACE,
    "regions": PLACE,
    "hidden": None,
}

room: Room[play.State] = Room(
    PACKAGE,
    ScenarioFile,
    Options(),
    _read,
    {
        "reach": _reach, "move": _move, "route": _route, "start": _start, "attack": _attack, "path": _path,
        "type": _type, "view": _view,
    },
    _under,
    {"types": None, "legs": None, "sees": ("company", SEEN)},
    played=Played(play, words.told, words.lit, words.tries, words.shown),
)  # fmt: skip
load, answer, model = room.load, room.answer, room.model
