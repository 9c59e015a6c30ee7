"""Routes over several turns: by site paths alone (M15), or by the best of both ways (M24)."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from sbg_sim.boards.metw.journey import by_site_path
from sbg_sim.boards.metw.play import Move, State, explain_journey, steps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

P = TypeVar("P")


def site_path_route(state: State, start: str, goal: str) -> tuple[str, ...] | None:
    """Return the sites visited on the shortest route by site paths, `start` left out, or None when there is
    none.

    Each is one turn's move (M15); with ``haven_hops = "once"`` only one step leads from Haven to Haven.
    """
    sites = state.atlas.sites
    options = replace(state.options, movement="site-path", same_site_move=False)

    def after(place: tuple[str, int]) -> Iterable[tuple[str, int]]:
        here, hops = place
        for there in sorted(sites):
            hop = sites[here].is_haven and sites[there].is_haven
            if hop and hops and options.haven_hops == "once":
                continue
            if not by_site_path(sites[here], sites[there], options):
                yield there, hops + hop if options.haven_hops == "once" else 0

    begin, end = state.atlas.site(start).id, state.atlas.site(goal).id
    found = _search((begin, 0), after, lambda place: place[0] == end)
    return None if found is None else tuple(site for site, _ in found[1:])


def plan(state: State, start: str, goal: str) -> tuple[Move, ...] | None:
    """Return one journey per turn that takes a company from `start` to `goal` in the fewest turns, or None.

    Every stop is a site (M24). With site paths only, the route is that of `site_path_route`.
    """
    begin, end = state.atlas.site(start).id, state.atlas.site(goal).id
    first: tuple[str, Move | None] = (begin, None)
    if state.options.movement == "site-path":
        route = site_path_route(state, begin, end)
        return None if route is None else tuple(Move("site-path", "", site) for site in route)
    legs = _search(
        first,
        lambda place: ((move.to, move) for move in steps(state, place[0]) if move.to is not None),
        lambda place: place[0] == end,
        key=lambda place: place[0],
    )
    if legs is None:
        return None
    moves = tuple(move for _, move in legs if move is not None)
    here = begin
    for move in moves:
        assert not explain_journey(state, here, move)
        here = move.to or here
    return moves


def _search(
    begin: P,
    after: Callable[[P], Iterable[P]],
    done: Callable[[P], bool],
    key: Callable[[P], object] = lambda p: p,
) -> tuple[P, ...] | None:
    """Search breadth first; return the places from `begin` to the first that is `done`."""
    before: dict[object, P | None] = {key(begin): None}

    def way_to(place: P) -> tuple[P, ...]:
        way = [place]
        while (last := before[key(way[-1])]) is not None:
            way.append(last)
        return tuple(reversed(way))

    if done(begin):
        return (begin,)
    queue = deque([begin])
    while queue:
        here = queue.popleft()
        for there in after(here):
            if key(there) not in before:
                before[key(there)] = here
                if done(there):
                    return way_to(there)
                queue.append(there)
    return None
