"""Maps of METW as data: regions with borders, sites with their Havens and site paths, and the faults of a map."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from sbg_sim.boards.metw.kinds import RegionType, SiteType, written
from sbg_sim.boards.names import called, find_name, found_name, shared_names
from sbg_sim.boards.search import ways
from sbg_sim.errors import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


@dataclass(frozen=True, slots=True)
class Region:
    """A region: its id, name, type, the ids of its neighbours, and further names."""

    id: str
    name: str
    type: RegionType
    neighbours: frozenset[str] = frozenset()
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Site:
    """A site within one region (M1).

    Parameters
    ----------
    id, name, type, region
        Its id and name, its type, and the id of its region.
    haven
        The nearest Haven of an ordinary site; None for a Haven.
    paths
        The site paths on the card, as pairs (Haven, types of the regions on the way). For a Haven the types run from
        itself to the other Haven, for any other site from its Haven to itself (M11).
    also
        Further names.

    """

    id: str
    name: str
    type: SiteType
    region: str
    haven: str | None = None
    paths: tuple[tuple[str, tuple[RegionType, ...]], ...] = ()
    also: tuple[str, ...] = ()

    @property
    def is_haven(self) -> bool:
        """Whether the site is a Haven."""
        return self.type is SiteType.HAVEN

    def path(self, haven: str) -> tuple[RegionType, ...] | None:
        """Return the types on the site path for `haven`, or None if the card has none."""
        return dict(self.paths).get(haven)


@dataclass(frozen=True, eq=False)
class Atlas:
    """The regions and sites of one map, keyed by id; compared by identity.

    Parameters
    ----------
    regions, sites
        Keyed by id.
    excerpt
        Whether the map shows only a part of the lands: a Haven may then lack site paths to Havens outside it.

    """

    regions: Mapping[str, Region]
    sites: Mapping[str, Site]
    excerpt: bool = False

    @cached_property
    def region_names(self) -> Mapping[str, tuple[str, ...]]:
        """The further names of each region, by id."""
        return called(self.regions)

    @cached_property
    def site_names(self) -> Mapping[str, tuple[str, ...]]:
        """The further names of each site, by id."""
        return called(self.sites)

    def region(self, name: str) -> Region:
        """Return the region with this id, name or alias; raise `UnknownNameError` if there is none."""
        return self.regions[find_name(name, self.region_names, "region")]

    def site(self, name: str) -> Site:
        """Return the site with this id, name or alias; raise `UnknownNameError` if there is none."""
        return self.sites[find_name(name, self.site_names, "site")]

    def place(self, name: str) -> Site | Region:
        """Return the site, or else the region, with this name; raise `UnknownNameError` if there is neither."""
        return found_name(self.site, name) or self.region(name)

    @cached_property
    def sites_in(self) -> Mapping[str, tuple[str, ...]]:
        """The ids of the sites in each region."""
        found: dict[str, list[str]] = {key: [] for key in self.regions}
        for site in self.sites.values():
            found[site.region].append(site.id)
        return {key: tuple(sorted(ids)) for key, ids in found.items()}

    @cached_property
    def _chains(self) -> dict[str, dict[str, tuple[str, ...]]]:
        return {}  # filled on demand

    def chain(self, start: str, end: str) -> tuple[str, ...] | None:
        """Return a shortest chain of adjacent regions from `start` to `end`, both included, or None."""
        if start not in self._chains:
            found = ways(start, onward=lambda here: ((1, r, r) for r in sorted(self.regions[here].neighbours)))
            self._chains[start] = {way.end: (start, *way.moves) for way in found}
        return self._chains[start].get(end)


def walks(atlas: Atlas, start: str, types: tuple[RegionType, ...], end: str) -> Iterator[tuple[str, ...]]:
    """Yield every chain of different adjacent regions from `start` to `end` with the given types."""

    def go(chain: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if atlas.regions[chain[-1]].type is not types[len(chain) - 1]:
            return
        if len(chain) == len(types):
            if chain[-1] == end:
                yield chain
            return
        for there in sorted(atlas.regions[chain[-1]].neighbours):
            if there not in chain:
                yield from go((*chain, there))

    yield from go((start,))


def path_ends(site: Site, other: Site) -> tuple[Site, Site]:
    """Return the start and the end of the site path on `site`'s card."""
    return (site, other) if site.is_haven else (other, site)


def faults(atlas: Atlas, key: str = "board", others: Iterable[Fault] = ()) -> tuple[Fault, ...]:
    """Return the faults of a map, after `others` that are known; keys lie below `key` (M1, M11, M12, M13)."""
    found: list[Fault] = list(others)
    known = tuple(fault.key for fault in found)
    found += shared_names(atlas.region_names, "region", f"{key}.regions")
    found += shared_names(atlas.site_names, "site", f"{key}.sites")
    for site in atlas.sites.values():
        place = f"{key}.sites.{site.id}"
        if site.region not in atlas.regions:
            found.append(
                Fault(
                    f"M1: a site lies within one region, and none is called {site.region!r}",
                    f"{place}.region",
                )
            )
        if not any(at.startswith(f"{place}.path") for at in known):  # else written as those of the other kind
            found += _haven_faults(atlas, site, place) if site.is_haven else _site_faults(atlas, site, place)
    if found:  # site paths can only be followed on a map without other faults
        return tuple(found)
    for site in atlas.sites.values():
        for haven, types in site.paths:
            found += _path_faults(atlas, site, haven, types, f"{key}.sites.{site.id}.path")
    return tuple(found)


def _haven_faults(atlas: Atlas, site: Site, place: str) -> Iterator[Fault]:
    if site.haven is not None:
        yield Fault("M12: a Haven has no nearest Haven; name two in `paths`", f"{place}.haven")
    if len(site.paths) != 2 and not (atlas.excerpt and len(site.paths) < 2):
        yield Fault(f"M13: a Haven has exactly two site paths, not {len(site.paths)}", f"{place}.paths")
    for haven, types in site.paths:
        other = atlas.sites.get(haven)
        if other is None or not other.is_haven or other is site:
            yield Fault(f"M13: a Haven's site path leads to another Haven, not to {haven!r}", f"{place}.paths.{haven}")
            continue
        back = other.path(site.id)
        if back is None and not atlas.excerpt:
            yield Fault(f"M13: {other.name} has no site path back to {site.name}", f"{place}.paths.{haven}")
        elif back is not None and back != types[::-1]:
            reason = f"M13: the way back from {other.name} is {written(back)}, which is not this one reversed"
            yield Fault(reason, f"{place}.paths.{haven}")


def _site_faults(atlas: Atlas, site: Site, place: str) -> Iterator[Fault]:
    if site.haven is None:
        yield Fault("M12: a site that is no Haven names its nearest Haven", f"{place}.haven")
    elif site.haven not in atlas.sites or not atlas.sites[site.haven].is_haven:
        yield Fault(f"M12: the nearest Haven is a Haven of this map, and {site.haven!r} is none", f"{place}.haven")
    if len(site.paths) != 1:
        yield Fault(f"M12: a site that is no Haven has one site path, not {len(site.paths)}", f"{place}.path")


def _path_faults(atlas: Atlas, site: Site, haven: str, types: tuple[RegionType, ...], place: str) -> Iterator[Fault]:
    first, last = path_ends(site, atlas.sites[haven])
    start, end = atlas.regions[first.region], atlas.regions[last.region]
    if not types or types[0] is not start.type or types[-1] is not end.type:
        ends = f"begins with {start.name} ({start.type.value}) and ends with {end.name} ({end.type.value})"
        yield Fault(f"M11: a site path {ends}, so {written(types)!r} cannot be it", place)
    elif next(walks(atlas, start.id, types, end.id), None) is None:
        yield Fault(
            f"M10: no way from {start.name} to {end.name} goes through regions of types {written(types)}",
            place,
        )


def retyped(atlas: Atlas, name: str, kind: RegionType) -> Atlas:
    """Return the map with the type of one region changed, on site paths as well.

    A site path shows types only; it is changed if every chain of regions with its types passes through the region at
    the same step.
    """
    region = atlas.region(name)
    regions = {**atlas.regions, region.id: replace(region, type=kind)}

    def redone(site: Site, haven: str, types: tuple[RegionType, ...]) -> tuple[RegionType, ...]:
        first, last = path_ends(site, atlas.sites[haven])
        ways = list(walks(atlas, first.region, types, last.region))
        return tuple(
            kind if ways and all(way[step] == region.id for way in ways) else old for step, old in enumerate(types)
        )

    sites = {
        key: replace(site, paths=tuple((haven, redone(site, haven, types)) for haven, types in site.paths))
        for key, site in atlas.sites.items()
    }
    return Atlas(regions, sites, atlas.excerpt)
