"""From a file of the right shape to a game, with every fault that its parts have together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbg_sim.boards.lotr_tcg.cards import Arrow, Block, Catalogue, Site, SiteNumber, find_site, standard_sites
from sbg_sim.boards.lotr_tcg.decks import Format
from sbg_sim.boards.lotr_tcg.options import Options
from sbg_sim.boards.lotr_tcg.roaming import Minion
from sbg_sim.boards.lotr_tcg.state import Effect, PathSite, State
from sbg_sim.boards.lotr_tcg.text import AllyLine, SiteText, Where
from sbg_sim.errors import Fault, FileFaultsError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sbg_sim.boards.lotr_tcg.model import QuestionTable, ScenarioFile

NEEDS = {
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

HAS = {
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


class Reader:
    """Reads one file once, notes every fault, and keeps what it found.

    Parameters
    ----------
    file
        A file of the right shape.

    """

    def __init__(self, file: ScenarioFile) -> None:
        self.file = file
        self.faults: list[Fault] = []
        self.catalogue = self._catalogue()
        self.minions = {key: Minion(key, m.number, m.cost) for key, m in file.minions.items()}

    def read(self) -> State | None:
        """Return the game, or None when the file has no players.

        Raises
        ------
        FileFaultsError
            With every fault found.

        """
        decks = {name: self._deck(f"players.{name}.deck", p.deck) for name, p in self.file.players.items()}
        self._players()
        path = [self._path_site(i) for i in range(len(self.file.path))]
        for key, question in self.file.questions.items():
            self._question(key, question)
        if self.faults:
            raise FileFaultsError(tuple(self.faults))
        return self._state(decks, path) if self.file.players else None

    def fault(self, key: str, reason: str) -> None:
        """Note a fault."""
        self.faults.append(Fault(reason, key))

    def _catalogue(self) -> Catalogue:
        catalogue = dict(standard_sites())
        for key, table in self.file.sites.items():
            if key in catalogue:
                self.fault(f"sites.{key}", f"the package has a site {key!r} already; give this one an id of its own")
                continue
            try:
                catalogue[key] = Site(
                    key, table.title, Block(table.block), table.number, Arrow(table.arrow), table.shadow
                )
            except ValueError as error:
                self.fault(f"sites.{key}", str(error))
        return catalogue

    def site(self, key: str, name: str) -> str:
        """Return a site's id, and note a fault when there is none."""
        try:
            return find_site(name, self.catalogue).id
        except UnknownNameError as error:
            self.fault(key, str(error))
            return name

    def _deck(self, key: str, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(self.site(key, name) for name in names))

    def _player(self, key: str, name: str) -> None:
        if name not in self.file.players:
            self.fault(key, f"there is no player {name!r}")

    def _players(self) -> None:
        file = self.file
        if len(file.players) == 1:
            self.fault("players", "a game has two or more players")
        if file.players and not file.path:
            self.fault("players", "a game has at least site 1 on its path: give it a [[path]]")
        if len(file.path) > 9:
            self.fault("path", "a path has at most nine sites")
        for name, table in file.players.items():
            if table.at > max(1, len(file.path)):
                self.fault(f"players.{name}.at", f"the path has no site {table.at} yet")
        if file.moving is not None:
            self._player("moving", file.moving)
        for i, effect in enumerate(file.effects):
            self._player(f"effects.{i}.player", effect.player)
        for key, minion in file.minions.items():
            if minion.hand is not None:
                self._player(f"minions.{key}.hand", minion.hand)

    def _path_site(self, i: int) -> PathSite:
        table = self.file.path[i]
        self._player(f"path.{i}.owner", table.owner)
        site = self.site(f"path.{i}.site", table.site)
        return PathSite(i + 1, site, table.owner, tuple(table.cards), tuple(table.stacked))

    def _question(self, key: str, asked: QuestionTable) -> None:
        at = f"questions.{key}"
        for name in NEEDS[asked.ask]:
            if getattr(asked, name) is None:
                self.fault(at, f"`{asked.ask}` asks with `{name}`")
        for name in sorted(asked.model_fields_set - HAS[asked.ask] - {"ask", "options", "expect"}):
            self.fault(f"{at}.{name}", f"`{asked.ask}` asks nothing about `{name}`")
        if asked.ask in ON_THE_PATH and not self.file.players:
            self.fault(at, f"`{asked.ask}` asks about a game: the file has no [players]")
        if asked.ask in {"text", "home", "stealth", "roaming"} and asked.where is None and not self.file.players:
            self.fault(at, f'`{asked.ask}` asks about a site: say `where`, as "3[tower]" or "shadows 3"')
        if asked.ask == "deck" and (asked.deck is None) == (asked.player is None):
            self.fault(at, "`deck` asks about a `player`'s deck or about a `deck`")
        if asked.ask == "move" and (asked.site is None) != (asked.player is None):
            self.fault(at, "a site is placed by a player: say both `player` and `site`")
        if asked.ask == "move" and asked.by == "card" and asked.site is None:
            self.fault(at, "a card plays a site: say `player` and `site`")
        if asked.player is not None:
            self._player(f"{at}.player", asked.player)
        if asked.site is not None:
            self.site(f"{at}.site", asked.site)
        for name in asked.deck or ():
            self.site(f"{at}.deck", name)
        if asked.minion is not None and asked.minion not in self.file.minions:
            self.fault(f"{at}.minion", f"there is no minion {asked.minion!r}")
        parsers = {"condition": SiteText.parse, "line": AllyLine.parse, "where": where_of}
        for name, parse in parsers.items():
            text = getattr(asked, name)
            if text is not None:
                try:
                    parse(text)
                except ValueError as error:
                    self.fault(f"{at}.{name}", str(error))

    def _state(self, decks: dict[str, tuple[str, ...]], path: list[PathSite]) -> State:
        file = self.file
        seats = tuple(file.players)
        hand = ((m.hand, self.minions[key]) for key, m in file.minions.items())
        return State(
            seats=seats,
            decks=tuple(decks[name] for name in seats),
            path=tuple(path),
            at=tuple(file.players[name].at for name in seats),
            moving=file.moving if file.moving is not None else seats[0],
            fmt=Format(file.format),
            twilight=file.twilight,
            hand=tuple((name, minion) for name, minion in hand if name is not None),
            minions=tuple(self.minions[key] for key, m in file.minions.items() if m.hand is None),
            effects=tuple(Effect(e.player, e.number) for e in file.effects),
            catalogue=self.catalogue,
            options=file.options.over(Options()),
        )
