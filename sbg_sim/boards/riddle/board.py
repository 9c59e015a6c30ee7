"""The board of The Riddle of the Ring as a frozen value: spaces, borders, river dots and channels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sbg_sim.boards.names import find_name
from sbg_sim.boards.riddle.terrain import WATER, Kind, Way
from sbg_sim.boards.search import ways
from sbg_sim.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping


@dataclass(frozen=True, slots=True)
class Space:
    """One space of land or water.

    Parameters
    ----------
    id, name
        Its key in the file, and its printed name.
    terrain
        Its kinds of terrain; a space may have several, but never land with water.
    city
        Whether a city stands on it.
    river_head
        Whether that city is also the first dot of a river (R32).
    symbols
        Symbols of the Advanced Game, without effect here (R3).
    roads_apart
        Pairs of roads, by id, that pass through this space without meeting.
    drawn
        Its place in pictures, in any unit, or None. No rule depends on it.

    """

    id: str
    name: str = ""
    terrain: frozenset[Kind] = frozenset({Kind.OPEN})
    city: bool = False
    river_head: bool = False
    symbols: frozenset[str] = frozenset()
    roads_apart: frozenset[frozenset[str]] = frozenset()
    drawn: tuple[float, float] | None = None

    @property
    def water(self) -> bool:
        """Whether it is ocean, lake or swamp."""
        return bool(self.terrain & WATER)


@dataclass(frozen=True, slots=True)
class Dot:
    """A river dot and the three spaces that meet there (R28)."""

    id: str
    banks: tuple[str, ...]
    drawn: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Border:
    """The border between two neighbouring spaces.

    Parameters
    ----------
    ends
        The two spaces.
    river
        Whether a river runs along it (R20).
    bridge, ford
        Whether the river can be crossed there without a Boat (R21).
    roads
        The ids of the roads across it.

    """

    ends: frozenset[str]
    river: bool = False
    bridge: bool = False
    ford: bool = False
    roads: frozenset[str] = frozenset()

    @property
    def dry(self) -> bool:
        """Whether no river requires a Boat here."""
        return not self.river or self.bridge or self.ford


@dataclass(frozen=True, eq=False)
class Board:
    """A whole board. Build one with `read_board`, which reports every fault.

    Parameters
    ----------
    spaces, dots
        By id; the two share one set of ids.
    borders
        Keyed by the pair of spaces.
    channels
        Pairs of consecutive dots of a river; a river-head city counts as a dot.
    title
        The title of the board.
    invented
        Whether it is invented and not the printed board.

    """

    spaces: Mapping[str, Space]
    dots: Mapping[str, Dot]
    borders: Mapping[frozenset[str], Border]
    channels: frozenset[frozenset[str]]
    title: str = ""
    invented: bool = False

    @cached_property
    def places(self) -> tuple[str, ...]:
        """Every space and dot, in the order of the file."""
        return (*self.spaces, *self.dots)

    @cached_property
    def neighbours(self) -> Mapping[str, tuple[tuple[str, Way], ...]]:
        """For each place the places one step away, with the way there, regardless of the cards required."""
        out: dict[str, list[tuple[str, Way]]] = {place: [] for place in self.places}
        for border in self.borders.values():
            a, b = sorted(border.ends)
            way = self.border_way(border)
            out[a].append((b, way))
            out[b].append((a, way))
        for dot in self.dots.values():
            for bank in dot.banks:
                out[dot.id].append((bank, Way.RIVER))
                out[bank].append((dot.id, Way.RIVER))
        for channel in self.channels:
            a, b = sorted(channel)
            out[a].append((b, Way.RIVER))
            out[b].append((a, Way.RIVER))
        order = {place: i for i, place in enumerate(self.places)}
        return {
            place: tuple(sorted(set(steps), key=lambda step: (order[step[0]], step[1]))) for place, steps in out.items()
        }

    def border_way(self, border: Border) -> Way:
        """Return the way of a step over `border`: on water, by road, over dry land, or by Boat."""
        if any(self.spaces[end].water for end in border.ends):
            return Way.WATER
        if not border.dry:
            return Way.CROSS
        return Way.ROAD if border.roads else Way.LAND

    def border(self, a: str, b: str) -> Border | None:
        """Return the border between two spaces, or None."""
        return self.borders.get(frozenset((a, b)))

    def is_dot(self, place: str) -> bool:
        """Whether `place` is a river dot, a river-head city included (R32)."""
        return place in self.dots or self.spaces[place].river_head

    def is_water(self, place: str) -> bool:
        """Whether `place` is a water space: ocean, lake, swamp, or a river dot that is no city (R25)."""
        return place in self.dots or self.spaces[place].water

    def follow(self, a: str, b: str) -> bool:
        """Whether two dots are consecutive on a river; a river-head city counts as its first dot (R26, R32)."""
        return frozenset((a, b)) in self.channels

    def require(self, place: str) -> None:
        """Raise `UnknownNameError` for an unknown space or dot."""
        if place not in self.spaces and place not in self.dots:
            raise UnknownNameError(f"the board has no space or dot {place!r}")

    @cached_property
    def _names(self) -> Mapping[str, tuple[str, ...]]:
        """The printed name of each place; several may have the same."""
        return {**{space.id: (space.name,) for space in self.spaces.values()}, **dict.fromkeys(self.dots, ())}

    def find(self, name: str) -> str:
        """Return the id of the place with this id or printed name; raise `UnknownNameError` if there is not one."""
        return find_name(name, self._names, "space or river dot")

    def kinds(self, place: str) -> frozenset[Kind]:
        """Return the kinds of a place, of the eleven (R1)."""
        if place in self.dots:
            return frozenset({Kind.RIVER})
        space = self.spaces[place]
        kinds = set(space.terrain)
        if space.city:
            kinds.add(Kind.CITY)
        if space.river_head:
            kinds.add(Kind.RIVER)
        if self.roads_at(place):
            kinds.add(Kind.ROAD)
        return frozenset(kinds)

    def roads_at(self, place: str) -> frozenset[str]:
        """Return the ids of the roads through a space."""
        return self._roads.get(place, frozenset())

    @cached_property
    def _roads(self) -> Mapping[str, frozenset[str]]:
        roads: dict[str, frozenset[str]] = {}
        for border in self.borders.values():
            for end in border.ends:
                roads[end] = roads.get(end, frozenset()) | border.roads
        return roads

    def hops(self, start: str, *, dots: bool) -> Mapping[str, int]:
        """Return the distance of every place in spaces, ignoring all barriers (R47).

        Parameters
        ----------
        start
            A space or a dot.
        dots
            True: river dots count as spaces on the way. False: a dot can only be an end, one space from its banks.

        """
        self.require(start)
        if (start, dots) not in self._hops:
            self._hops[start, dots] = self._count_hops(start, dots=dots)
        return self._hops[start, dots]

    @cached_property
    def _hops(self) -> dict[tuple[str, bool], Mapping[str, int]]:
        return {}

    @cached_property
    def worked_out(self) -> dict[Hashable, tuple[Any, ...]]:
        """A cache of the passable steps by place, cards and readings."""
        return {}

    def _count_hops(self, start: str, *, dots: bool) -> Mapping[str, int]:
        def onward(here: str) -> Iterator[tuple[int, str, str]]:
            if dots or here == start or here not in self.dots:
                for there, way in self.neighbours[here]:
                    if dots or way is not Way.RIVER or self._is_bank(here, there):
                        yield 1, there, there

        return {way.end: way.cost for way in ways(start, onward=onward)}

    def _is_bank(self, a: str, b: str) -> bool:
        return any(dot in self.dots and bank in self.dots[dot].banks for dot, bank in ((a, b), (b, a)))
