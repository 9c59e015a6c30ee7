"""The rules by which one journey connects two sites: site paths (M8, M9) and region movement (M19-M23)."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from sbg_sim.boards.game import Violation
from sbg_sim.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sbg_sim.boards.metw.atlas import Atlas, Site
    from sbg_sim.boards.metw.kinds import RegionType
    from sbg_sim.boards.metw.options import Options


def by_site_path(start: Site, end: Site, options: Options) -> tuple[Violation, ...]:
    """Return the rules that a journey by site path from `start` to `end` breaks (M6, M8, M9, M13, M18)."""
    same = list(_new_site(start, end, options))
    found = [*_method(options, "site-path"), *same]
    if same:
        return tuple(found)
    if not start.is_haven:
        if end.id != start.haven:
            reason = f"from {start.name} the site path leads only to its nearest Haven, not to {end.name}"
            found.append(Violation("M9", reason, start.id))
    elif not end.is_haven:
        if end.haven != start.id:
            found.append(Violation("M8", f"{end.name} does not list {start.name} as its nearest Haven", end.id))
    elif options.haven_to_haven == "never":
        reason = f"{end.name} is a Haven and lists no nearest Haven"
        found.append(Violation("M8", reason, end.id))
    elif start.path(end.id) is None and end.path(start.id) is None:
        found.append(Violation("M8", f"{start.name} and {end.name} show no site path to each other", end.id))
    return tuple(found)


def by_regions(
    atlas: Atlas, start: Site, end: Site, regions: tuple[str, ...], options: Options
) -> tuple[Violation, ...]:
    """Return the rules that a journey from `start` to `end` over the series `regions` (ids) breaks (M18-M23)."""
    found = [*_method(options, "region"), *_new_site(start, end, options)]
    if not regions:
        found.append(Violation("M19", "region movement needs at least one region card", start.id))
        return tuple(found)
    limit = options.series_limit
    if len(regions) > limit:
        found.append(
            Violation("M19", f"a series holds no more than {counted(limit, 'region')}, not {len(regions)}", start.id)
        )
    if not options.repeat_regions and len(set(regions)) < len(regions):
        twice = next(region for region in regions if regions.count(region) > 1)
        found.append(Violation("M19", f"{atlas.regions[twice].name} stands twice in the series", twice))
    if len(regions) == 1 and not options.same_region_move:
        found.append(Violation("M21", "a series needs two regions that are adjacent", regions[0]))
    found += _joined(atlas, start, end, regions, options)
    if any(violation.rule in {"M19", "M20", "M21", "M22"} for violation in found):
        found += _too_far(atlas, start, end, limit)
    return tuple(found)


def _method(options: Options, method: str) -> Iterator[Violation]:
    if options.movement not in {"both", method}:
        yield Violation("M18", f"only {options.movement} movement is in play")


def _new_site(start: Site, end: Site, options: Options) -> Iterator[Violation]:
    if start.id == end.id and not options.same_site_move:
        yield Violation("M6", f"a company moves to a new site, and it is at {start.name} already", start.id)


def _joined(atlas: Atlas, start: Site, end: Site, regions: tuple[str, ...], options: Options) -> Iterator[Violation]:
    loose = options.series == "connected"
    first, last = atlas.regions[regions[0]], atlas.regions[regions[-1]]
    if (start.region not in regions) if loose else (start.region != first.id):
        reason = f"{start.name} lies in {atlas.regions[start.region].name}, so the series does not begin with it"
        yield Violation("M20", reason, first.id)
    if loose:
        yield from _one_piece(atlas, regions)
    else:
        for here, there in itertools.pairwise(regions):
            if there not in atlas.regions[here].neighbours:
                reason = f"{atlas.regions[here].name} and {atlas.regions[there].name} are not adjacent"
                yield Violation("M21", reason, there)
    if (end.region not in regions) if loose else (end.region != last.id):
        reason = f"{end.name} lies in {atlas.regions[end.region].name}, so the series does not end with it"
        yield Violation("M22", reason, last.id)


def _one_piece(atlas: Atlas, regions: tuple[str, ...]) -> Iterator[Violation]:
    left, queue = set(regions[1:]) - {regions[0]}, [regions[0]]
    while queue:
        touched = atlas.regions[queue.pop()].neighbours & left
        left -= touched
        queue += touched
    if left:
        stray = min(left)
        yield Violation("M21", f"{atlas.regions[stray].name} does not hang together with the rest", stray)


def _too_far(atlas: Atlas, start: Site, end: Site, limit: int) -> Iterator[Violation]:
    chain = atlas.chain(start.region, end.region)
    if chain is None or len(chain) > limit:
        apart = "no chain of regions joins" if chain is None else f"it takes {counted(len(chain), 'region')} to join"
        yield Violation("M23", f"{apart} {start.name} and {end.name}, more than one turn's {limit}", end.id)


def shortest(atlas: Atlas, start: str, end: str, options: Options) -> tuple[str, ...]:
    """Return a shortest series from region `start` to region `end`, empty if there is none.

    If a series of one region is not allowed, a neighbour is added, and for a chain that may repeat regions the way
    back.
    """
    chain = atlas.chain(start, end) or ()
    loose = options.series == "connected"
    if len(chain) == 1 and not options.same_region_move and (loose or options.repeat_regions):
        beside = sorted(atlas.regions[start].neighbours)[:1]
        chain = (start, *beside, *(() if loose else (start,)))
    return tuple(sorted(chain)) if options.series == "connected" else chain


def series(atlas: Atlas, start: str, options: Options) -> Iterator[tuple[str, ...]]:
    """Yield every series of regions from region `start` that the options allow.

    With ``series = "connected"`` the order of the cards does not matter: each set is yielded once, sorted.
    """
    if options.series == "connected":
        yield from _connected_sets(atlas, start, options.series_limit)
        return
    queue: list[tuple[str, ...]] = [(start,)]
    while queue:
        chain = queue.pop()
        yield chain
        if len(chain) < options.series_limit:
            queue += [
                (*chain, there)
                for there in sorted(atlas.regions[chain[-1]].neighbours, reverse=True)
                if options.repeat_regions or there not in chain
            ]


def _connected_sets(atlas: Atlas, start: str, limit: int) -> Iterator[tuple[str, ...]]:
    layer = {frozenset((start,))}
    for _ in range(limit):
        yield from sorted(tuple(sorted(found)) for found in layer)
        layer = {
            found | {there} for found in layer for here in found for there in atlas.regions[here].neighbours - found
        }


def path_types(
    atlas: Atlas, start: Site, end: Site, method: str, regions: tuple[str, ...], options: Options
) -> tuple[RegionType, ...]:
    """Return the region types that a journey offers to creatures, in the order of travel (M25).

    Region movement offers the types of the cards played. A site path offers its symbols only with
    ``site_path_keying = "types"``.
    """
    if method == "region":
        return tuple(atlas.regions[region].type for region in regions)
    if method != "site-path" or options.site_path_keying == "cards":
        return ()
    return site_path(start, end)


def site_path(start: Site, end: Site) -> tuple[RegionType, ...]:
    """Return the types from `start` to `end` along the site path that joins them; empty if none does (M10, M11)."""
    if start.is_haven and end.is_haven:
        return start.path(end.id) or (end.path(start.id) or ())[::-1]
    if start.is_haven:
        return end.path(start.id) or ()
    return (start.path(end.id) or ())[::-1]
