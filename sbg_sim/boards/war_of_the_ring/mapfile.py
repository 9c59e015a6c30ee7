"""Maps of War of the Ring in files: the entries of a board table, and the map that comes with the package."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from pydantic import Field

from sbg_sim.boards import maps
from sbg_sim.boards.form import Strict
from sbg_sim.boards.names import called, shared_names
from sbg_sim.boards.war_of_the_ring.chart import Character, Chart, Entry, Kind, Region, Settlement, Side
from sbg_sim.errors import Fault, FileFaultsError

if TYPE_CHECKING:
    from collections.abc import Iterator


PACKAGE: Final = "sbg_sim.boards.war_of_the_ring"


class RegionEntry(Strict):
    """A region: name (the id if absent), nation, settlement, further names."""

    name: str | None = None
    nation: str | None = None
    settlement: Settlement | None = None
    also: list[str] = Field(default_factory=list)


class CharacterEntry(Strict):
    """A character: kind, Level (a Nazgûl has none), the die that brings it into play, the region it never leaves."""

    kind: Kind
    name: str | None = None
    level: int | None = Field(default=None, ge=0)
    enters: Entry | None = None
    bound: str | None = None
    also: list[str] = Field(default_factory=list)


class BoardEntry(Strict):
    """A board: the name or file of a map, and regions, borders and characters of the board's own.

    A board without a map and characters has the characters of the standard map that fit on it.
    """

    map: str | None = None
    title: str | None = None
    nations: dict[str, Side] = Field(default_factory=dict)
    regions: dict[str, RegionEntry] = Field(default_factory=dict)
    borders: dict[str, list[str]] = Field(default_factory=dict)
    impassable: list[list[str]] = Field(default_factory=list)
    characters: dict[str, CharacterEntry] = Field(default_factory=dict)


def map_names() -> tuple[str, ...]:
    """Return the names of the maps that come with the package."""
    return maps.map_names(PACKAGE)


@cache
def load_map(name: str = "standard") -> Chart:
    """Return a map that comes with the package; UnknownNameError if there is no map of this name."""
    return build(BoardEntry.model_validate(maps.map_data(PACKAGE, name)), name)


def build(entry: BoardEntry, key: str = "board") -> Chart:
    """Return the map of a board table; FileFaultsError holds all its faults, with keys below `key`."""
    if entry.map is not None:
        return maps.shipped(load_map, entry.map, key)
    found = _faults(entry, key)
    if found:
        raise FileFaultsError(tuple(found))
    neighbours = maps.neighbours(entry.regions, entry.borders)
    regions = {
        name: Region(
            name,
            one.name or name,
            neighbours[name],
            one.nation,
            entry.nations[one.nation] if one.nation else None,
            one.settlement,
            tuple(one.also),
        )
        for name, one in entry.regions.items()
    }
    characters = {
        name: Character(name, one.name or name, one.kind, one.level, one.enters, one.bound, tuple(one.also))
        for name, one in entry.characters.items()
    }
    if not characters:
        cast = load_map().characters.values()
        characters = {who.id: who for who in cast if who.bound is None or who.bound in regions}
    return Chart(regions, characters, frozenset(frozenset(pair) for pair in entry.impassable))


def _faults(entry: BoardEntry, key: str) -> list[Fault]:
    found = [] if entry.regions else [Fault("a board needs regions, or the name of a map", key)]
    for name, region in entry.regions.items():
        place = f"{key}.regions.{name}.nation"
        if region.nation is not None and region.nation not in entry.nations:
            found.append(Fault(f"no nation is called {region.nation!r}; give it a side under nations", place))
        if region.settlement == "stronghold" and region.nation is None:
            found.append(Fault("a Stronghold belongs to a nation", place))
    found += [*_border_faults(entry, key), *_character_faults(entry, key)]
    found += shared_names(called(entry.regions), "region", f"{key}.regions")
    return [*found, *shared_names(called(entry.characters), "character", f"{key}.characters")]


def _border_faults(entry: BoardEntry, key: str) -> Iterator[Fault]:
    yield from maps.border_faults(entry.regions, entry.borders, key)
    crossed = {frozenset((name, other)) for name, others in entry.borders.items() for other in others}
    for pair in entry.impassable:
        if len(set(pair)) != 2 or not set(pair) <= entry.regions.keys():
            yield Fault("an impassable border lies between two regions of the board", f"{key}.impassable")
        elif frozenset(pair) in crossed:
            reason = f"W14: the border of {pair[0]} and {pair[1]} is impassable and can be crossed at once"
            yield Fault(reason, f"{key}.impassable")


def _character_faults(entry: BoardEntry, key: str) -> Iterator[Fault]:
    for name, who in entry.characters.items():
        limitless = who.kind in {"nazgul", "witch-king"}
        if limitless != (who.level is None):
            reason = "W15: a Nazgûl has no Level" if limitless else "every character but a Nazgûl has a Level"
            yield Fault(reason, f"{key}.characters.{name}.level")
        if who.bound is not None and who.bound not in entry.regions:
            yield Fault(f"no region is called {who.bound!r}", f"{key}.characters.{name}.bound")
