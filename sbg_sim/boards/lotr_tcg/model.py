"""The shape of a file about an adventure path, as pydantic models: strict, nothing unknown lets itself in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, NonNegativeInt

from sbg_sim.boards.form import Strict, options_table
from sbg_sim.boards.lotr_tcg.options import Options

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


if TYPE_CHECKING:
    from sbg_sim.boards.form import OptionsTable
else:
    OptionsTable = options_table(Options)


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


class QuestionTable(Strict):
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
    expect: str | int | list[str] | dict[str, Any] | None = None


class ScenarioFile(Strict):
    """A file about the sites of The Lord of the Rings TCG."""

    game: Literal["lotr-tcg"]
    title: str = ""
    source: str = ""
    format: FormatWord = "standard"
    options: OptionsTable = OptionsTable()
    sites: dict[str, SiteTable] = Field(default_factory=dict)
    players: dict[str, PlayerTable] = Field(default_factory=dict)
    moving: str | None = None
    path: list[PathTable] = Field(default_factory=list)
    twilight: NonNegativeInt = 0
    minions: dict[str, MinionTable] = Field(default_factory=dict)
    effects: list[EffectTable] = Field(default_factory=list)
    questions: dict[str, QuestionTable] = Field(default_factory=dict)
