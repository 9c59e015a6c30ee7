"""One search for all games: the cheapest ways over situations, be they sites, regions, or a marker in its turn."""

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
    """A cheapest way to a situation: what it costs, the moves made, where it ends, and which beginning it has."""

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
    """Yield a cheapest way to every situation, the cheapest first, each situation once.

    Parameters
    ----------
    begun
        Where a way can begin.
    onward
        The moves out of a situation: what each costs, the move, the situation after it. It is asked once for
        each situation, in order of cost.
    limit
        What a way may cost; None for any.
    alike
        What two situations share when the cheaper one is as good; itself: only equal ones are alike.

    """
    number = count()  # of ways with one cost the first found comes first
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
