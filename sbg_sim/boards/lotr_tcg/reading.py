"""The form of a file about an adventure path, the game that it shows, and the faults between its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import AfterValidator, Field, NonNegativeInt

from sbg_sim.boards.form import PLACE, Named, Strict, file_form
from sbg_sim.boards.lotr_tcg.cards import Arrow, Block, Catalogue, Site, SiteNumber, site_names, standard_sites
from sbg_sim.boards.lotr_tcg.decks import PATHS, Format
from sbg_sim.boards.lotr_tcg.options import Options
from sbg_sim.boards.lotr_tcg.roaming import Minion
from sbg_sim.boards.lotr_tcg.state import Effect, PathSite, State
from sbg_sim.boards.lotr_tcg.text import AllyLine, SiteText, Where
from sbg_sim.boards.names import Check, finder, one_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sbg_sim.boards.form import File as Form
    from sbg_sim.boards.names import Find
    from sbg_sim.boards.room import Case


def where_of(text: str) -> Where:
    """Return the site that a question names by ``3``, ``3[tower]``, ``3[king]`` or ``shadows 3``.

    Raises
    ------
    ValueError
        For any other text.

    """
    words = text.lower().split()
    if len(words) == 2 and words[0] == "shadows":
        return Where(SiteNumber.parse(words[1]).number, Block.SHADOWS)
    number = SiteNumber.parse(text)
    return Where(number.number, number.block)


def _parsed(parse: Callable[[str], object]) -> AfterValidator:
    """Return a validator that accepts a text if it can be parsed, and keeps the text."""
    return AfterValidator(lambda text: (parse(text), text)[1])


SiteName = Annotated[str, Named(PLACE)]
Player = Annotated[str, Named("player")]
Number = Annotated[int, Field(ge=1, le=9)]
Place = Annotated[str, _parsed(where_of)] | None
Condition = Annotated[str, _parsed(SiteText.parse)]
Line = Annotated[str, _parsed(AllyLine.parse)]
FormatWord = Literal[
    "fellowship-block", "tower-block", "king-block", "towers-standard", "king-standard", "movie-block", "expanded",
    "standard",
]  # fmt: skip

QUESTIONS: Final[Mapping[str, tuple[str, dict[str, Any]]]] = {
    "deck": (
        "Whether the adventure deck of `player`, or `deck`, is valid in the format.",
        {"player": Player | None, "deck": list[SiteName] | None, "format": FormatWord | None},
    ),
    "move": (
        "Whether the fellowship may move on, or `player` place `site` as it does; `by`: or a card plays the site.",
        {
            "player": Player | None, "site": SiteName | None, "by": (Literal["travel", "card"], "travel"),
            "format": FormatWord | None,
        },
    ),
    "reach": ("Which sites may come next.", {"player": Player | None, "format": FormatWord | None}),
    "route": ("The sites up to number `to`.", {"player": Player | None, "to": Number}),
    "roaming": (
        "Whether a minion roams and what it takes.",
        {"minion": Annotated[str, Named("minion")], "where": Place, "ignore_roaming": (bool, False)},
    ),
    "text": ("Whether a condition holds at a site.", {"condition": Condition, "where": Place}),
    "home": ("Whether an ally with this line is at home.", {"line": Line, "where": Place}),
    "stealth": ("Whether Hobbit Stealth cancels.", {"where": Place}),
}  # fmt: skip

ANSWERS: Final[Mapping[str, Any]] = {
    "players": list[Player], "home": Player, "cards": list[str], "effect": str, "playable": Literal["yes", "no"],
    "faults": list[str], "number": Number,
}  # fmt: skip

if not TYPE_CHECKING:
    Form = file_form("lotr-tcg", Options, QUESTIONS, ANSWERS)


class SiteTable(Strict):
    """A site of the file's own, besides those of the package."""

    title: str
    block: Literal["fellowship", "tower", "king", "shadows"]
    number: Number | None = None
    arrow: Literal["left", "right"]
    shadow: NonNegativeInt = 0


class PlayerTable(Strict):
    """A player: the adventure deck without sites on the path, and the number of the fellowship's site."""

    deck: list[SiteName] = Field(default_factory=list)
    at: Number = 1


class PathTable(Strict):
    """A site on the path; its number is its position in the file."""

    site: SiteName
    owner: Player
    cards: list[str] = Field(default_factory=list)
    stacked: list[str] = Field(default_factory=list)


class MinionTable(Strict):
    """A minion: its site number, its cost, and the player with it in hand (absent: in play)."""

    number: Number
    cost: NonNegativeInt = 0
    hand: Player | None = None


class EffectTable(Strict):
    """A card that lets a player play a site now: the next one, or site `number`."""

    player: Player
    number: Number | None = None


class BoardTable(Strict):
    """Sites of the file's own, besides those of the package; `map` may name a file with more."""

    map: Literal["standard"] | None = None
    title: str = ""
    sites: dict[str, SiteTable] = Field(default_factory=dict)


class ScenarioFile(Form):
    """A file about the sites of The Lord of the Rings TCG."""

    format: FormatWord = "standard"
    board: BoardTable = BoardTable()
    sites: dict[str, SiteTable] = Field(default_factory=dict)
    players: dict[str, PlayerTable] = Field(default_factory=dict)
    moving: Player | None = None
    path: list[PathTable] = Field(default_factory=list)
    twilight: NonNegativeInt = 0
    minions: dict[str, MinionTable] = Field(default_factory=dict)
    effects: list[EffectTable] = Field(default_factory=list)


def read(file: ScenarioFile, check: Check) -> tuple[Catalogue, Mapping[str, Find]]:
    """Return the sites of the package and of a file, and look-ups of names; record faults of sites."""
    catalogue = dict(standard_sites())
    for at, table in (("board.sites", file.board.sites), ("sites", file.sites)):
        for key, entry in table.items():
            if key in catalogue:
                check.fault(f"{at}.{key}", f"there is a site {key!r} already; give this one an id of its own")
                continue
            try:
                arrow = Arrow(entry.arrow)
                catalogue[key] = Site(key, entry.title, Block(entry.block), entry.number, arrow, entry.shadow)
            except ValueError as error:
                check.fault(f"{at}.{key}", str(error))
    site = finder(site_names(catalogue, PATHS[Format(file.format)]), "site")
    return catalogue, {
        PLACE: site, "player": one_of(file.players, "player"), "minion": one_of(file.minions, "minion"),
    }  # fmt: skip


def faults(file: ScenarioFile, catalogue: Catalogue, check: Check) -> None:
    """Record the parts of a file that contradict each other."""
    for name, one in file.players.items():
        if one.at > max(1, len(file.path)) and not check.lacks("path"):
            check.fault(f"players.{name}.at", f"the path has no site {one.at} yet")
    if len(file.players) == 1:
        check.fault("players", "a game has two or more players")
    if file.players and not file.path and not check.lacks("path"):
        check.fault("players", "a game has at least site 1 on its path: give it a [[path]]")
    if len(file.path) > 9:
        check.fault("path", "a path has at most nine sites")
    for i, entry in enumerate(file.path):
        _on_path(file, check, i, catalogue.get(entry.site))
    for key, asked in file.questions.items():
        _question(file, check, f"questions.{key}", asked)


def _on_path(file: ScenarioFile, check: Check, i: int, site: Site | None) -> None:
    """Record a fault for a site that cannot stand at its place on a path of the file's format (L2, L13, L15, L23)."""
    block = PATHS[Format(file.format)]
    if site is None:
        return
    if site.block is not block:
        reason = f"{site.title} is a {site.block.value} site, and {file.format} plays on the {block.value} path"
        check.fault(f"path.{i}.site", reason)
    elif site.number not in {None, i + 1} and file.options.over(Options()).replacement_number == "printed":
        check.fault(f"path.{i}.site", f"{site.title} bears number {site.number} and cannot be site {i + 1} of the path")


def _question(file: ScenarioFile, check: Check, at: str, asked: Any) -> None:
    if asked.ask in {"move", "reach", "route"} and not file.players:
        check.fault(at, f"`{asked.ask}` asks about a game: the file has no [players]")
    if getattr(asked, "where", "") is None and not file.players:
        check.fault(at, f'`{asked.ask}` asks about a site: say `where`, as "3[tower]" or "shadows 3"')
    if asked.ask == "deck" and (asked.deck is None) == (asked.player is None):
        check.fault(at, "`deck` asks about a `player`'s deck or about a `deck`")
    if asked.ask == "move" and (asked.site is None) != (asked.player is None):
        check.fault(at, "a site is placed by a player: say both `player` and `site`")
    if asked.ask == "move" and asked.by == "card" and asked.site is None:
        check.fault(at, "a card plays a site: say `player` and `site`")
    other = getattr(asked, "format", None)
    if asked.ask != "deck" and other and PATHS[Format(other)] is not PATHS[Format(file.format)]:
        check.fault(f"{at}.format", f"the path of this file is one of {file.format}, not of {other}")


def minions_of(file: ScenarioFile) -> dict[str, Minion]:
    """Return the minions of a file by id."""
    return {key: Minion(key, one.number, one.cost) for key, one in file.minions.items()}


def position(case: Case, asked: Any) -> State | None:
    """Return the game that a file shows; None if it has no players."""
    file = case.file
    if not file.players:
        return None
    seats, minions = tuple(file.players), minions_of(file)
    return State(
        seats=seats,
        decks=tuple(tuple(sorted(file.players[name].deck)) for name in seats),
        path=tuple(
            PathSite(i, one.site, one.owner, tuple(one.cards), tuple(one.stacked)) for i, one in enumerate(file.path, 1)
        ),
        at=tuple(file.players[name].at for name in seats),
        moving=file.moving if file.moving is not None else seats[0],
        fmt=Format(getattr(asked, "format", None) or file.format),
        twilight=file.twilight,
        hand=tuple((one.hand, minions[key]) for key, one in file.minions.items() if one.hand is not None),
        minions=tuple(minions[key] for key, one in file.minions.items() if one.hand is None),
        effects=tuple(Effect(one.player, one.number) for one in file.effects),
        catalogue=case.board,
        options=case.options,
    )
