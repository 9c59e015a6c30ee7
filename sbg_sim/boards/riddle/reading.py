"""Boards from files: their form, all faults of a board, and the building of a board."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import Field, ValidationError

from sbg_sim.boards import maps
from sbg_sim.boards.form import Strict
from sbg_sim.boards.riddle.board import Board, Border, Dot, Space
from sbg_sim.boards.riddle.terrain import WATER, Kind
from sbg_sim.errors import Fault, FileFaultsError

if TYPE_CHECKING:
    from collections.abc import Mapping

PACKAGE: Final = "sbg_sim.boards.riddle"

Pair = Annotated[list[str], Field(min_length=2, max_length=2)]
Point = Annotated[list[float], Field(min_length=2, max_length=2)]
Terrain = Literal["open", "forest", "thicket", "mountain", "hill", "ocean", "lake", "swamp"]


class SpaceTable(Strict):
    """One space: its terrain, its city and symbols, and the spaces that it borders."""

    name: str = ""
    terrain: list[Terrain] = Field(default=["open"])
    city: bool = False
    river_head: bool = False
    symbols: list[Literal["gollum", "clairvoyance", "secret"]] = Field(default_factory=list)
    borders: list[str] = Field(default_factory=list)
    roads_apart: list[Pair] = Field(default_factory=list)
    drawn: Point | None = None


class DotTable(Strict):
    """One river dot: the three spaces that meet there."""

    banks: list[str]
    drawn: Point | None = None


class RiverTable(Strict):
    """One river: its dots in order, the borders along it, and its crossings."""

    course: list[str] = Field(default_factory=list)
    between: list[Pair] = Field(default_factory=list)
    bridges: list[Pair] = Field(default_factory=list)
    fords: list[Pair] = Field(default_factory=list)


class RoadTable(Strict):
    """One road: its spaces in order."""

    through: Annotated[list[str], Field(min_length=2)]


class BoardTable(Strict):
    """A board: the name or file of a map, and spaces, dots, rivers and roads of the board's own."""

    map: str | None = None
    title: str = ""
    invented: bool = False
    spaces: dict[str, SpaceTable] = Field(default_factory=dict)
    dots: dict[str, DotTable] = Field(default_factory=dict)
    rivers: dict[str, RiverTable] = Field(default_factory=dict)
    roads: dict[str, RoadTable] = Field(default_factory=dict)


def read_board(data: Mapping[str, Any]) -> Board:
    """Return the board of `data`, a parsed TOML file: its tables, or ``map = "standard"`` with additions.

    Raises
    ------
    FileFaultsError
        For a board with faults: wrong types and unknown keys first, then contradictions.

    """
    merged, doubled = maps.with_map({"board": dict(data)}, PACKAGE, None)
    try:
        table = BoardTable.model_validate(merged["board"])
    except ValidationError as error:
        faults = (Fault(e["msg"], ".".join(map(str, e["loc"]))) for e in error.errors())
        raise FileFaultsError((*doubled, *faults)) from None
    if doubled:
        raise FileFaultsError(tuple(doubled))
    return build(table)


def map_names() -> tuple[str, ...]:
    """Return the names of the boards that come with the package."""
    return maps.map_names(PACKAGE)


@cache
def load_map(name: str = "standard") -> Board:
    """Return a board that comes with the package; UnknownNameError if there is none of this name."""
    return build(BoardTable.model_validate(maps.map_data(PACKAGE, name)))


def standard() -> Board:
    """Return the board that comes with the package: an invented one with every kind of space."""
    return load_map("standard")


def build(table: BoardTable, prefix: str = "") -> Board:
    """Return the board of a table; FileFaultsError holds all its faults, with a `prefix` of keys, as ``"board."``."""
    if table.map is not None:
        return maps.shipped(load_map, table.map, prefix.rstrip("."))
    builder = _Builder(table, prefix)
    board = builder.board()
    if builder.faults:
        raise FileFaultsError(tuple(builder.faults))
    return board


def _point(drawn: list[float] | None) -> tuple[float, float] | None:
    return None if drawn is None else (drawn[0], drawn[1])


class _Builder:
    """Reads a table once, records its faults and builds the parts without faults."""

    def __init__(self, table: BoardTable, prefix: str) -> None:
        self.table = table
        self.prefix = prefix
        self.faults: list[Fault] = []
        self.borders: dict[frozenset[str], Border] = {}
        self.channels: set[frozenset[str]] = set()

    def fault(self, key: str, reason: str) -> None:
        self.faults.append(Fault(reason, f"{self.prefix}{key}"))

    def board(self) -> Board:
        if not self.table.spaces:
            self.fault("spaces", "a board has at least one space")
        spaces = {key: self.space(key) for key in self.table.spaces}
        for key in self.table.spaces:
            self.space_borders(key)
        for key in self.table.rivers:
            self.river(key)
        for key in self.table.roads:
            self.road(key)
        for key in self.table.spaces:
            self.roads_apart(key)
        dots = {key: self.dot(key) for key in self.table.dots}
        self.heads()
        return Board(spaces, dots, self.borders, frozenset(self.channels), self.table.title, self.table.invented)

    def is_water(self, key: str) -> bool:
        return any(Kind(kind) in WATER for kind in self.table.spaces[key].terrain)

    def known(self, key: str, place: str) -> bool:
        if place in self.table.spaces:
            return True
        kind = "a river dot, not a space" if place in self.table.dots else "no space of this board"
        self.fault(key, f"{place!r} is {kind}")
        return False

    def space(self, key: str) -> Space:
        table, at = self.table.spaces[key], f"spaces.{key}"
        terrain = frozenset(Kind(kind) for kind in table.terrain)
        if key in self.table.dots:
            self.fault(at, f"{key!r} is a river dot as well; spaces and dots share one set of ids")
        if not terrain:
            self.fault(f"{at}.terrain", 'a space is made of something; open country is ["open"]')
        if len(terrain) > 1 and Kind.OPEN in terrain:
            self.fault(f"{at}.terrain", "open country is a space with nothing else on it")
        if terrain & WATER and terrain - WATER:
            self.fault(f"{at}.terrain", "a space is land or water, not both")
        if table.river_head and not table.city:
            self.fault(f"{at}.river_head", "a river head is a city: say city = true")
        if table.river_head and terrain & WATER:
            self.fault(f"{at}.river_head", "a river head is a land space")
        apart = frozenset(frozenset(pair) for pair in table.roads_apart)
        symbols = frozenset[str](table.symbols)
        drawn = _point(table.drawn)
        return Space(key, table.name or key, terrain, table.city, table.river_head, symbols, apart, drawn)

    def space_borders(self, key: str) -> None:
        for other in self.table.spaces[key].borders:
            at = f"spaces.{key}.borders"
            if other == key:
                self.fault(at, f"{key!r} does not border itself")
            elif self.known(at, other):
                pair = frozenset((key, other))
                self.borders.setdefault(pair, Border(pair))

    def pair(self, key: str, pair: list[str]) -> frozenset[str] | None:
        a, b = pair
        known = [self.known(key, end) for end in pair]
        if not all(known):
            return None
        ends = frozenset(pair)
        if ends not in self.borders:
            self.fault(key, f"{a!r} and {b!r} do not border each other")
            return None
        return ends

    def river(self, key: str) -> None:
        table, at = self.table.rivers[key], f"rivers.{key}"
        for place in table.course:
            if place in self.table.dots:
                continue
            if place not in self.table.spaces:
                self.fault(f"{at}.course", f"{place!r} is no river dot of this board")
            elif not self.table.spaces[place].river_head:
                self.fault(f"{at}.course", f"{place!r} is a space; a course has dots and river heads only")
        for a, b in pairwise(table.course):
            if a == b:
                self.fault(f"{at}.course", f"{a!r} follows itself")
            else:
                self.channels.add(frozenset((a, b)))
        for name, pairs in (("between", table.between), ("bridges", table.bridges), ("fords", table.fords)):
            for pair in pairs:
                ends = self.pair(f"{at}.{name}", pair)
                if ends is None:
                    continue
                if any(map(self.is_water, ends)):
                    self.fault(f"{at}.{name}", f"no river parts {pair[0]!r} and {pair[1]!r}: there is water")
                old = self.borders[ends]
                bridge, ford = old.bridge or name == "bridges", old.ford or name == "fords"
                self.borders[ends] = replace(old, river=True, bridge=bridge, ford=ford)

    def road(self, key: str) -> None:
        at = f"roads.{key}.through"
        for place in self.table.roads[key].through:
            if place in self.table.spaces and self.is_water(place):
                self.fault(at, f"no road leads through the water space {place!r}")
        for a, b in pairwise(self.table.roads[key].through):
            ends = self.pair(at, [a, b])
            if ends is not None:
                old = self.borders[ends]
                self.borders[ends] = replace(old, roads=old.roads | {key})

    def roads_apart(self, key: str) -> None:
        for pair in self.table.spaces[key].roads_apart:
            if pair[0] == pair[1]:
                self.fault(f"spaces.{key}.roads_apart", f"two roads pass without meeting, not {pair[0]!r} twice")
            for road in pair:
                if road not in self.table.roads:
                    self.fault(f"spaces.{key}.roads_apart", f"there is no road {road!r}")
                elif key not in self.table.roads[road].through:
                    self.fault(f"spaces.{key}.roads_apart", f"road {road!r} does not come through {key!r}")

    def dot(self, key: str) -> Dot:
        banks, at = self.table.dots[key].banks, f"dots.{key}.banks"
        if len(set(banks)) != 3 or len(banks) != 3:
            self.fault(at, f"exactly three spaces come together at a river dot, not {len(set(banks))}")
        for bank in banks:
            self.known(at, bank)
        if not any(key in river.course for river in self.table.rivers.values()):
            self.fault(f"dots.{key}", f"no river's course has the dot {key!r}")
        known = tuple(bank for bank in dict.fromkeys(banks) if bank in self.table.spaces)
        return Dot(key, known, _point(self.table.dots[key].drawn))

    def heads(self) -> None:
        for key, space in self.table.spaces.items():
            if space.river_head and not any(key in river.course for river in self.table.rivers.values()):
                self.fault(f"spaces.{key}.river_head", f"no river's course has {key!r} in it")
