"""One search for all games: cheapest ways between situations, such as sites, regions or states of a turn."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

P = TypeVar("P", bound="Hashable")
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Way(Generic[P, M]):
    """A cheapest way to a situation: its cost, its moves, its end, and the index of its start."""

    cost: int
    moves: tuple[M, ...]
    end: P
    begun: int = 0


def ways(
    *begun: P,
    onward: Callable[[P], Iterable[tuple[int, M, P]]],
    limit: int | None = None,
    alike: Callable[[P], Hashable] = lambda place: place,
) -> Iterator[Way[P, M]]:
    """Yield a cheapest way to every situation, the cheapest first (Dijkstra's algorithm).

    Parameters
    ----------
    begun
        The situations in which a way can begin.
    onward
        Yields the moves from a situation: cost, move, and the situation after it. It is called once for each situation,
        in order of cost.
    limit
        The greatest cost of a way; None for no limit.
    alike
        Returns a key; of situations with the same key only the cheapest is kept. By default the situation itself.

    """
    number = count()  # of ways with equal costs the first found comes first
    heap: list[tuple[int, int, Way[P, M]]] = []
    for source, place in enumerate(begun):
        heapq.heappush(heap, (0, next(number), Way(0, (), place, source)))
    seen: set[Hashable] = set()
    while heap:
        cost, _, way = heapq.heappop(heap)
        if alike(way.end) in seen:
            continue
        seen.add(alike(way.end))
        yield way
        for spent, move, place in onward(way.end):
            if alike(place) not in seen and (limit is None or cost + spent <= limit):
                further = Way(cost + spent, (*way.moves, move), place, way.begun)
                heapq.heappush(heap, (further.cost, next(number), further))
