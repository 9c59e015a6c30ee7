"""Routes over several turns: by site paths alone (M15), or by site paths and regions (M24)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sbg_sim.boards.metw.journey import by_site_path
from sbg_sim.boards.metw.play import Move, State, steps
from sbg_sim.boards.search import ways

if TYPE_CHECKING:
    from collections.abc import Iterator


def site_path_route(state: State, start: str, goal: str) -> tuple[str, ...] | None:
    """Return the sites on a shortest route by site paths, without `start`, or None if there is none.

    Each site is one turn's move (M15); with ``haven_hops = "once"`` only one step leads from Haven to Haven.
    """
    sites = state.atlas.sites
    options = replace(state.options, movement="site-path", same_site_move=False)
    once = options.haven_hops == "once"

    def onward(place: tuple[str, bool]) -> Iterator[tuple[int, str, tuple[str, bool]]]:
        here, hopped = place
        for there in sorted(sites):
            hop = once and sites[here].is_haven and sites[there].is_haven
            if not (hop and hopped) and not by_site_path(sites[here], sites[there], options):
                yield 1, there, (there, hopped or hop)

    begin, end = state.atlas.site(start).id, state.atlas.site(goal).id
    return next((way.moves for way in ways((begin, False), onward=onward) if way.end[0] == end), None)


def plan(state: State, start: str, goal: str) -> tuple[Move, ...] | None:
    """Return the journeys, one per turn, that take a company from `start` to `goal` in the fewest turns, or None.

    Every stop is a site (M24). With site paths only it follows `site_path_route`.
    """
    begin, end = state.atlas.site(start).id, state.atlas.site(goal).id
    if state.options.movement == "site-path":
        route = site_path_route(state, begin, end)
        return None if route is None else tuple(Move("site-path", "", site) for site in route)

    def onward(here: str) -> Iterator[tuple[int, Move, str]]:
        return ((1, move, move.to) for move in steps(state, here) if move.to is not None)

    return next((way.moves for way in ways(begin, onward=onward) if way.end == end), None)
