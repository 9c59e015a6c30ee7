"""The form of a file about an adventure path, and the game it shows, with every fault its parts have together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal

from pydantic import Field, NonNegativeInt

from sbg_sim.boards.expectations import PLACE
from sbg_sim.boards.form import Asked, File, Strict, options_table
from sbg_sim.boards.lotr_tcg.cards import Arrow, Block, Catalogue, Site, SiteNumber, find_site, standard_sites
from sbg_sim.boards.lotr_tcg.decks import PATHS, Format
from sbg_sim.boards.lotr_tcg.options import Options
from sbg_sim.boards.lotr_tcg.roaming import Minion
from sbg_sim.boards.lotr_tcg.state import Effect, PathSite, State
from sbg_sim.boards.lotr_tcg.text import AllyLine, SiteText, Where
from sbg_sim.boards.names import Check, one_of
from sbg_sim.boards.room import Reading

if TYPE_CHECKING:
    from sbg_sim.boards.form import OptionsTable
else:
    OptionsTable = options_table(Options)

Number = Annotated[int, Field(ge=1, le=9)]
FormatWord = Literal[
    "fellowship-block",
    "tower-block",
    "king-block",
    "towers-standard",
    "king-standard",
    "movie-block",
    "expanded",
    "standard",
]


class SiteTable(Strict):
    """A site of the file's own, beside those of the package."""

    title: str
    block: Literal["fellowship", "tower", "king", "shadows"]
    number: Number | None = None
    arrow: Literal["left", "right"]
    shadow: NonNegativeInt = 0


class PlayerTable(Strict):
    """A player: the adventure deck without what lies on the path, and where the fellowship is."""

    deck: list[str] = Field(default_factory=list)
    at: Number = 1


class PathTable(Strict):
    """A site on the path; their order in the file is their number."""

    site: str
    owner: str
    cards: list[str] = Field(default_factory=list)
    stacked: list[str] = Field(default_factory=list)


class MinionTable(Strict):
    """A minion: its site number, its cost, and whose hand it is in (absent: in play)."""

    number: Number
    cost: NonNegativeInt = 0
    hand: str | None = None


class EffectTable(Strict):
    """A card that lets a player play a site now: the next one, or the one of `number`."""

    player: str
    number: Number | None = None


class QuestionTable(Asked):
    """One question.

    ``deck``: is the adventure deck of `player` (or `deck`) valid in the format. ``move``: may the fellowship
    move on, or `player` place `site` as it does; with ``by = "card"`` a card plays the site. ``reach``: which
    sites may come next. ``route``: the sites up to number `to`. ``roaming``: does `minion` roam and what
    does it take. ``text``: does a `condition` hold. ``home``: is an ally with this `line` at home.
    ``stealth``: does Hobbit Stealth cancel.
    """

    ask: Literal["deck", "move", "reach", "route", "roaming", "text", "home", "stealth"]
    player: str | None = None
    deck: list[str] | None = None
    format: FormatWord | None = None
    site: str | None = None
    by: Literal["travel", "card"] = "travel"
    to: Number | None = None
    minion: str | None = None
    ignore_roaming: bool = False
    condition: str | None = None
    line: str | None = None
    where: str | None = None
    options: OptionsTable = OptionsTable()


class BoardTable(Strict):
    """Sites of the file's own, beside those of the package; `map` may name a file that holds more."""

    map: Literal["standard"] | None = None
    title: str = ""
    sites: dict[str, SiteTable] = Field(default_factory=dict)


class ScenarioFile(File):
    """A file about the sites of The Lord of the Rings TCG."""

    game: Literal["lotr-tcg"]
    format: FormatWord = "standard"
    options: OptionsTable = OptionsTable()
    board: BoardTable = BoardTable()
    sites: dict[str, SiteTable] = Field(default_factory=dict)
    players: dict[str, PlayerTable] = Field(default_factory=dict)
    moving: str | None = None
    path: list[PathTable] = Field(default_factory=list)
    twilight: NonNegativeInt = 0
    minions: dict[str, MinionTable] = Field(default_factory=dict)
    effects: list[EffectTable] = Field(default_factory=list)
    questions: dict[str, QuestionTable] = Field(default_factory=dict)


NEEDS: Final = {
    "deck": (),
    "move": (),
    "reach": (),
    "route": ("to",),
    "roaming": ("minion",),
    "text": ("condition",),
    "home": ("line",),
    "stealth": (),
}
"""What each kind of question must say."""

HAS: Final = {
    "deck": {"player", "deck", "format"},
    "move": {"player", "site", "by", "format"},
    "reach": {"player", "format"},
    "route": {"player", "to"},
    "roaming": {"minion", "where", "ignore_roaming"},
    "text": {"condition", "where"},
    "home": {"line", "where"},
    "stealth": {"where"},
}
"""What else each kind of question may say, besides what all of them may."""

ON_THE_PATH = frozenset({"move", "reach", "route"})
"""Questions about the game as it stands."""


def where_of(text: str) -> Where:
    """Return a site as a question names it: ``3``, ``3[tower]``, ``3[king]`` or ``shadows 3``.

    Raises
    ------
    ValueError
        When it is none of these.

    """
    words = text.lower().split()
    if len(words) == 2 and words[0] == "shadows":
        return Where(SiteNumber.parse(words[1]).number, Block.SHADOWS)
    number = SiteNumber.parse(text)
    return Where(number.number, number.block)


def catalogue_of_file(file: ScenarioFile, check: Check) -> Catalogue:
    """Return the sites of the package and of a file; what is no site is noted."""
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
    return catalogue


def read(file: ScenarioFile, check: Check) -> Reading[State]:
    """Return the game of a file, None when it has no players, and note what does not fit together."""
    catalogue = catalogue_of_file(file, check)

    def site(name: str) -> str:
        return find_site(name, catalogue).id

    player = one_of(file.players, "player")
    for name, one in file.players.items():
        check.each(site, one.deck, f"players.{name}.deck")
        if one.at > max(1, len(file.path)) and not check.lacks("path"):
            check.fault(f"players.{name}.at", f"the path has no site {one.at} yet")
    if len(file.players) == 1:
        check.fault("players", "a game has two or more players")
    if file.players and not file.path and not check.lacks("path"):
        check.fault("players", "a game has at least site 1 on its path: give it a [[path]]")
    if len(file.path) > 9:
        check.fault("path", "a path has at most nine sites")
    check.look(player, file.moving, "moving")
    for i, effect in enumerate(file.effects):
        check.look(player, effect.player, f"effects.{i}.player")
    for key, minion in file.minions.items():
        check.look(player, minion.hand, f"minions.{key}.hand")
    ids = [check.look(site, entry.site, f"path.{i}.site") for i, entry in enumerate(file.path)]
    for i, entry in enumerate(file.path):
        check.look(player, entry.owner, f"path.{i}.owner")
        _on_path(file, check, i, catalogue.get(ids[i] or ""))
    for key, asked in file.questions.items():
        _question(file, check, f"questions.{key}", asked)
    finders = {"player": player, "site": site, "deck": site, "minion": one_of(file.minions, "minion"), PLACE: site}
    return Reading(catalogue, lambda: _state(file, catalogue), finders)


def _on_path(file: ScenarioFile, check: Check, i: int, site: Site | None) -> None:
    """Note a site that a path of the file's format cannot have at its place (L2, L13, L15, L23)."""
    block = PATHS[Format(file.format)]
    if site is None:
        return
    if site.block is not block:
        reason = f"{site.title} is a {site.block.value} site, and {file.format} plays on the {block.value} path"
        check.fault(f"path.{i}.site", reason)
    elif site.number not in {None, i + 1} and file.options.over(Options()).replacement_number == "printed":
        check.fault(f"path.{i}.site", f"{site.title} bears number {site.number} and cannot be site {i + 1} of the path")


def _question(file: ScenarioFile, check: Check, at: str, asked: QuestionTable) -> None:
    for name in NEEDS[asked.ask]:
        if getattr(asked, name) is None:
            check.fault(at, f"`{asked.ask}` asks with `{name}`")
    for name in sorted(asked.model_fields_set - HAS[asked.ask] - {"ask", "options", "expect"}):
        check.fault(f"{at}.{name}", f"`{asked.ask}` asks nothing about `{name}`")
    if asked.ask in ON_THE_PATH and not file.players:
        check.fault(at, f"`{asked.ask}` asks about a game: the file has no [players]")
    if asked.ask in {"text", "home", "stealth", "roaming"} and asked.where is None and not file.players:
        check.fault(at, f'`{asked.ask}` asks about a site: say `where`, as "3[tower]" or "shadows 3"')
    if asked.ask == "deck" and (asked.deck is None) == (asked.player is None):
        check.fault(at, "`deck` asks about a `player`'s deck or about a `deck`")
    if asked.ask == "move" and (asked.site is None) != (asked.player is None):
        check.fault(at, "a site is placed by a player: say both `player` and `site`")
    if asked.ask == "move" and asked.by == "card" and asked.site is None:
        check.fault(at, "a card plays a site: say `player` and `site`")
    if asked.ask != "deck" and asked.format and PATHS[Format(asked.format)] is not PATHS[Format(file.format)]:
        check.fault(f"{at}.format", f"the path of this file is one of {file.format}, not of {asked.format}")
    parsers = {"condition": SiteText.parse, "line": AllyLine.parse, "where": where_of}
    for name, parse in parsers.items():
        text = getattr(asked, name)
        if text is not None:
            try:
                parse(text)
            except ValueError as error:
                check.fault(f"{at}.{name}", str(error))


def minions_of(file: ScenarioFile) -> dict[str, Minion]:
    """Return the minions of a file by id."""
    return {key: Minion(key, one.number, one.cost) for key, one in file.minions.items()}


def _state(file: ScenarioFile, catalogue: Catalogue) -> State | None:
    if not file.players:
        return None
    seats, minions = tuple(file.players), minions_of(file)

    def site(name: str) -> str:
        return find_site(name, catalogue).id

    return State(
        seats=seats,
        decks=tuple(tuple(sorted(map(site, file.players[name].deck))) for name in seats),
        path=tuple(
            PathSite(i, site(one.site), one.owner, tuple(one.cards), tuple(one.stacked))
            for i, one in enumerate(file.path, 1)
        ),
        at=tuple(file.players[name].at for name in seats),
        moving=file.moving if file.moving is not None else seats[0],
        fmt=Format(file.format),
        twilight=file.twilight,
        hand=tuple((one.hand, minions[key]) for key, one in file.minions.items() if one.hand is not None),
        minions=tuple(minions[key] for key, one in file.minions.items() if one.hand is None),
        effects=tuple(Effect(one.player, one.number) for one in file.effects),
        catalogue=catalogue,
        options=file.options.over(Options()),
    )
