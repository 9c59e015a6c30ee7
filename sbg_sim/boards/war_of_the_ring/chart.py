"""The map of War of the Ring and its characters as data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from sbg_sim.boards.names import called, find_name
from sbg_sim.boards.search import ways

if TYPE_CHECKING:
    from collections.abc import Mapping

Side = Literal["free-peoples", "shadow"]
Settlement = Literal["town", "city", "fortification", "stronghold"]
Kind = Literal["companion", "guide", "minion", "nazgul", "witch-king"]
Entry = Literal["will-of-the-west", "muster"]


@dataclass(frozen=True, slots=True)
class Region:
    """A region; its neighbours are those across passable borders.

    Parameters
    ----------
    id, name
        Its id and name.
    neighbours
        Ids of the regions one step away (W14).
    nation, side
        The nation it belongs to and that nation's side; None for a region of no nation.
    settlement
        Town, city, fortification, Stronghold, or None.
    also
        Further names.

    """

    id: str
    name: str
    neighbours: frozenset[str] = frozenset()
    nation: str | None = None
    side: Side | None = None
    settlement: Settlement | None = None
    also: tuple[str, ...] = ()

    @property
    def is_stronghold(self) -> bool:
        """Whether it has a Stronghold."""
        return self.settlement == "stronghold"


@dataclass(frozen=True, slots=True)
class Character:
    """A character.

    Parameters
    ----------
    id, name
        Its id and name.
    kind
        Companion, guide (Gollum), Minion, Nazgûl, or the Witch-king, who is both of the last two (W18).
    level
        Its Level; None for a Nazgûl, whose move has no limit (W15).
    enters
        The die with which its card brings it into play, or None (W2, W3).
    bound
        The region it never leaves, or None (W20).
    also
        Further names.

    """

    id: str
    name: str
    kind: Kind
    level: int | None = None
    enters: Entry | None = None
    bound: str | None = None
    also: tuple[str, ...] = ()

    @property
    def is_nazgul(self) -> bool:
        """Whether rules and cards about Nazgûl apply to it, as they do to the Witch-king (W18)."""
        return self.kind in {"nazgul", "witch-king"}

    @property
    def is_minion(self) -> bool:
        """Whether rules and cards about Minions apply to it, as they do to the Witch-king (W18)."""
        return self.kind in {"minion", "witch-king"}

    @property
    def side(self) -> Side:
        """The side that moves it."""
        return "free-peoples" if self.kind in {"companion", "guide"} else "shadow"


@dataclass(frozen=True, eq=False)
class Chart:
    """The regions and characters, keyed by id; compared by identity.

    `impassable` holds pairs of regions with a black border between them, which are not neighbours for that reason
    (W14).
    """

    regions: Mapping[str, Region]
    characters: Mapping[str, Character]
    impassable: frozenset[frozenset[str]] = frozenset()

    @cached_property
    def region_names(self) -> Mapping[str, tuple[str, ...]]:
        """The further names of each region, by id."""
        return called(self.regions)

    @cached_property
    def character_names(self) -> Mapping[str, tuple[str, ...]]:
        """The further names of each character, by id."""
        return called(self.characters)

    def region(self, name: str) -> Region:
        """Return the region with this id, name or alias; raise `UnknownNameError` if there is none."""
        return self.regions[find_name(name, self.region_names, "region")]

    def character(self, name: str) -> Character:
        """Return the character with this id, name or alias; raise `UnknownNameError` if there is none."""
        return self.characters[find_name(name, self.character_names, "character")]

    def distance(self, start: str, end: str) -> int | None:
        """Return the number of borders between two regions, ignoring all other rules, or None."""
        start, end = self.region(start).id, self.region(end).id
        found = ways(start, onward=lambda here: ((1, there, there) for there in self.regions[here].neighbours))
        return next((way.cost for way in found if way.end == end), None)
