"""Questions about METW in scenario files: the form of a file, and the answers."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import Field

from sbg_sim.boards.form import PLACE, Named, Strict, file_form
from sbg_sim.boards.game import Violation
from sbg_sim.boards.metw import journey, play, routes, words
from sbg_sim.boards.metw.creatures import Creature, explain_attack
from sbg_sim.boards.metw.kinds import symbols, title, written
from sbg_sim.boards.metw.mapfile import PACKAGE, BoardEntry, Row, build, read_as
from sbg_sim.boards.metw.options import Options
from sbg_sim.boards.names import Check, called, finder, one_of
from sbg_sim.boards.room import Case, Played, Room
from sbg_sim.boards.wording import allowed, denied, reached, refused
from sbg_sim.wording import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sbg_sim.boards.form import File as Form
    from sbg_sim.boards.metw.atlas import Atlas
    from sbg_sim.boards.names import Find

SiteName = Annotated[str, Named("site")]
Regions = list[Annotated[str, Named("region")]] | None
Player = Annotated[str, Named("player")]
CompanyName = Annotated[str, Named("company")]
CreatureName = Annotated[str, Named("creature")]

QUESTIONS: Final[Mapping[str, tuple[str, dict[str, Any]]]] = {
    "reach": ("Which sites a company can move to this turn.", {"company": CompanyName}),
    "move": (
        "Whether a company may make this move this turn; without method and regions: by any way. It may also stay.",
        {
            "company": CompanyName, "to": SiteName | None, "regions": Regions,
            "method": Literal["site-path", "region", "stay"] | None,
        },
    ),
    "route": ("In how many turns a company gets to a site.", {"company": CompanyName, "to": SiteName}),
    "start": ("Whether starting characters come into play at a site (M3).", {"site": SiteName}),
    "attack": (
        "Whether a creature may attack a company on a journey: the one named, else the one declared.",
        {"creature": CreatureName, "company": CompanyName, "to": SiteName | None, "regions": Regions},
    ),
    "path": ("The region types on the site path between two sites.", {"start": SiteName, "to": SiteName}),
    "type": ("The type symbol of a region or a site.", {"place": Annotated[str, Named(PLACE)]}),
    "view": ("What a player sees of every company.", {"player": Player}),
}  # fmt: skip


class LegTable(Strict):
    """A turn of a route, in an expectation."""

    to: SiteName
    method: Literal["site-path", "region"]
    regions: list[Annotated[str, Named("region")]] = Field(default_factory=list)


class SeenTable(Strict):
    """The part of a company that a player sees, in an expectation."""

    site: SiteName | None = None
    face_down_sites: int | None = None
    face_down_regions: int | None = None
    to: SiteName | None = None
    regions: Regions = None
    hidden: bool | None = None


ANSWERS: Final = {"types": str, "legs": list[LegTable], "sees": dict[CompanyName, SeenTable]}

if not TYPE_CHECKING:
    Form = file_form("metw", Options, QUESTIONS, ANSWERS)


class JourneyEntry(Strict):
    """A journey: the new site, and the series of regions or, without one, a site path."""

    to: SiteName
    regions: Regions = None


class CompanyEntry(Strict):
    """A company: its site (M2), its player, and the journey that it has declared face down."""

    site: SiteName
    player: Player = "one"
    declared: JourneyEntry | None = None


class CreatureEntry(Strict):
    """A creature by its region symbols, such as ``"w w"`` or ``"[s] [d]"``, and its player, if that matters."""

    symbols: Row
    name: str | None = None
    player: Player | None = None


class ScenarioFile(Form):
    """A METW scenario: options, a board, companies, creatures and questions.

    `turn` is the player whose turn it is; without it every company is asked about as in its own player's turn. With
    `new_game` every player has a company at Rivendell (M3), called ``one-1``, ``two-1`` after the players.
    """

    board: BoardEntry = Field(default_factory=lambda: BoardEntry(map="standard"))
    players: list[str] = Field(default=["one", "two"], min_length=1)
    turn: Player | None = None
    new_game: bool = False
    companies: dict[str, CompanyEntry] = Field(default_factory=dict)
    creatures: dict[str, CreatureEntry] = Field(default_factory=dict)


def _read(file: ScenarioFile, check: Check) -> tuple[Atlas | None, Mapping[str, Find]]:
    atlas = check.made(lambda: build(file.board), "board")
    shown = atlas or file.board  # of a map with faults, the names on it
    regions, sites = called(shown.regions), called(shown.sites)
    region, site = finder(regions, "region"), finder(sites, "site")
    if file.new_game:
        check.look(site, play.START, "new_game")
    return atlas, {
        "company": one_of([f"{name}-1" for name in file.players] if file.new_game else file.companies, "company"),
        "creature": one_of(file.creatures, "creature"),
        "player": one_of(file.players, "player"),
        "site": site,
        "region": region,
        PLACE: finder({**regions, **sites}, "site or region"),
    }


def _faults(file: ScenarioFile, _: Atlas | None, check: Check) -> None:
    """Record the parts of the file that contradict each other."""
    for name, times in Counter(file.players).items():
        if times > 1:
            check.fault("players", f"{times} players are called {name!r}; every player has a name of their own")
    if file.new_game and file.companies:
        check.fault("new_game", "a new game has the starting companies alone; leave `companies` out")
    for key, asked in file.questions.items():
        at, stays = f"questions.{key}", getattr(asked, "method", None) == "stay"
        if stays and (asked.to is not None or asked.regions is not None):
            check.fault(at, "a company that stays goes nowhere; leave `to` and `regions` out")
        if asked.ask == "move" and not stays and asked.to is None and not check.lacks(at):
            check.fault(at, 'a move goes to a site: say `to`, or method = "stay"')
        if asked.ask == "move" and asked.regions is not None and asked.method == "site-path":
            reason = 'a journey by site path plays no regions; leave them out, or say method = "region"'
            check.fault(f"{at}.regions", reason)
        if asked.ask == "attack" and asked.regions is not None and asked.to is None:
            check.fault(f"{at}.regions", "a series of regions leads to a site: say `to`")


def _position(case: Case, asked: Any) -> play.State:
    """Return the position, in a turn of the player of the company asked about unless the file says whose turn it is."""
    file, players = case.file, tuple(case.file.players)
    atlas, options = read_as(case.board, case.options), case.options
    if file.new_game:
        state = play.new_game(atlas, players, options)
    else:
        companies = tuple(_company(key, entry) for key, entry in file.companies.items())
        state = play.State(atlas, companies, players, companies[0].player if companies else players[0], options)
    company = getattr(asked, "company", None)
    return replace(state, active=file.turn or (state.company(company).player if company else state.active))


def _company(key: str, entry: CompanyEntry) -> play.Company:
    cards = None if entry.declared is None else _journey(key, entry.declared.to, entry.declared.regions)
    return play.Company(key, entry.site, entry.player, cards)


def _journey(company: str, to: str | None, regions: list[str] | None) -> play.Move:
    return play.Move("site-path" if regions is None else "region", company, to, tuple(regions or ()))


def _late(state: play.State, company: play.Company) -> tuple[Violation, ...]:
    """Return the rule that it is another player's turn, if so (M7)."""
    return play.explain(state, play.Move("stay", company.id)) if company.player != state.active else ()


def _reach(state: play.State, asked: Any, _: Case) -> dict[str, Any]:
    company = state.company(asked.company)
    late = _late(state, company)
    if late:
        return reached({}, ["M7"], late[0].reason)
    moves = play.steps(state, company.site)  # regardless of declared journeys
    ways = {move.to: play.reached(state, company.site, move) for move in moves if move.to is not None}
    by_path, movement = "M8" if state.atlas.sites[company.site].is_haven else "M9", state.options.movement
    rules = {"both": ["M18", by_path, "M19"], "site-path": ["M18", by_path], "region": ["M18", "M19"]}[movement]
    return reached(ways, rules, f"{company.id} can move to {counted(len(ways), 'site')} this turn, or stay")


def _move(state: play.State, asked: Any, _: Case) -> dict[str, Any]:
    company = state.company(asked.company)
    late = _late(state, company)
    if late:
        return refused(late)
    here = state.atlas.sites[company.site]
    if asked.to is None:
        return allowed(["M7"], f"{company.id} need not move and stays at {here.name}", cost=0, route=[here.id])
    end = state.atlas.sites[asked.to]
    shortest = journey.shortest(state.atlas, here.region, end.region, state.options)
    tried = [_journey(company.id, end.id, asked.regions)]
    if asked.regions is None and asked.method != "site-path":
        by_regions = play.Move("region", company.id, end.id, shortest)
        tried = [by_regions] if asked.method == "region" else [by_regions, *tried]
    broken = [play.explain_journey(state, here.id, move) for move in tried]
    if all(broken):
        return refused(violation for why in reversed(broken) for violation in why)
    move = tried[broken.index(())]
    found = play.reached(state, here.id, move)
    way = "by its site path" if move.method == "site-path" else f"over {counted(len(move.regions), 'region')}"
    rule = ("M8" if here.is_haven else "M9") if move.method == "site-path" else "M19"
    reason = f"{company.id} moves from {here.name} to {end.name} {way}"
    return allowed([rule], reason, cost=found.cost, route=list(found.route))


def _route(state: play.State, asked: Any, _: Case) -> dict[str, Any]:
    here, end = state.atlas.sites[state.company(asked.company).site], state.atlas.sites[asked.to]
    legs = routes.plan(state, here.id, end.id)
    rules = ["M15"] if state.options.movement == "site-path" else ["M24"]
    if legs is None:
        return denied(rules, f"no series of moves leads from {here.name} to {end.name}")
    told = [{"to": leg.to, "method": leg.method, "regions": list(leg.regions)} for leg in legs]
    reason = f"{end.name} is {counted(len(legs), 'turn')} away from {here.name}"
    return allowed(rules, reason, turns=len(legs), route=[here.id, *(leg.to for leg in legs)], legs=told)


def _start(state: play.State, asked: Any, _: Case) -> dict[str, Any]:
    where = "starting characters come into play at Rivendell"
    if asked.site == play.START:
        return allowed(["M3"], where)
    return denied(["M3"], f"{where}, not at {state.atlas.sites[asked.site].name}")


def _attack(state: play.State, asked: Any, case: Case) -> dict[str, Any]:
    entry, company = case.file.creatures[asked.creature], state.company(asked.company)
    creature = Creature(entry.name or asked.creature, symbols(entry.symbols))
    move = company.journey if asked.to is None else _journey(company.id, asked.to, asked.regions)
    if entry.player == company.player:
        same_player = Violation("M25", f"{creature.name} and {company.id} are both of {entry.player}", company.site)
        return refused([same_player], types="")
    if move is None or move.to is None:
        nothing = Violation("M25", f"{company.id} has declared no journey, so it plays no region card", company.site)
        return refused([nothing], types="")
    violations = play.explain_journey(state, company.site, move)
    if violations:
        return refused(violations, types="")
    start, end = state.atlas.sites[company.site], state.atlas.sites[move.to]
    offered = journey.path_types(state.atlas, start, end, move.method, move.regions, state.options)
    violations = explain_attack(creature, offered, state.options)
    if violations:
        return refused(violations, types=written(offered))
    single = any(creature.symbols.count(kind) == 1 and kind in offered for kind in creature.symbols)
    rule = "M25" if single else "M26"
    reason = f"{creature.name} ({written(creature.symbols)}) may attack on {written(offered)}"
    return allowed([rule], reason, types=written(offered))


def _path(state: play.State, asked: Any, _: Case) -> dict[str, Any]:
    start, end = state.atlas.sites[asked.start], state.atlas.sites[asked.to]
    types = written(journey.site_path(start, end))
    reason = f"from {start.name} to {end.name}: {types or 'no site path'}."
    route = [start.id, end.id] if types else None
    return {"types": types, "route": route, "rules": ["M10", "M11"], "reason": reason}


def _type(state: play.State, asked: Any, _: Case) -> dict[str, Any]:
    place = state.atlas.place(asked.place)
    rule = "M17" if place.id in state.atlas.sites else "M16"
    return {"types": place.type.value, "rules": [rule], "reason": f"{place.name} is of type {title(place.type)}."}


def _view(state: play.State, asked: Any, _: Case) -> dict[str, Any]:
    sees = {
        key: {**asdict(seen), "regions": None if seen.regions is None else list(seen.regions), "hidden": seen.hidden}
        for key, seen in play.view(state, asked.player).items()
    }
    hidden = sum(bool(shown["hidden"]) for shown in sees.values())
    reason = f"{asked.player} sees {len(sees)} companies, {hidden} of them with a destination face down."
    return {"sees": sees, "rules": ["M6", "M19"], "reason": reason}


room: Room[play.State] = Room(
    PACKAGE,
    ScenarioFile,
    Options(),
    _read,
    _faults,
    _position,
    {
        "reach": _reach, "move": _move, "route": _route, "start": _start, "attack": _attack, "path": _path,
        "type": _type, "view": _view,
    },
    played=Played(play, words.told, words.lit, words.tries, words.shown),
)  # fmt: skip
load, answer, model = room.load, room.answer, room.model
