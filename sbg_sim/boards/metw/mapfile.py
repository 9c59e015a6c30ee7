"""Maps of METW as files: the entries of a board table, and the maps that come with the package."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from sbg_sim.boards.game import find_name
from sbg_sim.boards.metw.atlas import Atlas, Region, Site, checked, retyped
from sbg_sim.boards.metw.kinds import RegionType, region_type, site_type, symbols, written
from sbg_sim.errors import Fault, FileFaultsError

if TYPE_CHECKING:
    from sbg_sim.boards.metw.options import Options


def _region_symbol(text: str) -> str:
    return region_type(text).value


def _site_symbol(text: str) -> str:
    return site_type(text).value


def _row(text: str) -> str:
    return written(symbols(text))


Row = Annotated[str, AfterValidator(_row)]


class _Entry(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class RegionEntry(_Entry):
    """A region: its type by symbol, its name (the id when absent) and further names."""

    type: Annotated[str, AfterValidator(_region_symbol)]
    name: str | None = None
    also: list[str] = Field(default_factory=list)


class SiteEntry(_Entry):
    """A site: type by symbol, region, and its nearest Haven with the types on the way; a Haven has
    `paths`.
    """

    type: Annotated[str, AfterValidator(_site_symbol)]
    region: str
    name: str | None = None
    haven: str | None = None
    path: Row | None = None
    paths: dict[str, Row] = Field(default_factory=dict)
    also: list[str] = Field(default_factory=list)


class BoardEntry(_Entry):
    """A board: the name of a map that comes with the package, or regions, borders and sites of its own."""

    map: str | None = None
    title: str | None = None
    excerpt: bool = False
    regions: dict[str, RegionEntry] = Field(default_factory=dict)
    borders: dict[str, list[str]] = Field(default_factory=dict)
    sites: dict[str, SiteEntry] = Field(default_factory=dict)


def map_names() -> tuple[str, ...]:
    """Return the names of the maps that come with the package."""
    folder = resources.files(__package__) / "maps"
    return tuple(sorted(item.name.removesuffix(".toml") for item in folder.iterdir() if item.name.endswith(".toml")))


@cache
def load_map(name: str = "standard") -> Atlas:
    """Return a map that comes with the package.

    Raises
    ------
    UnknownNameError
        When there is no map of this name.

    """
    name = find_name(name, dict.fromkeys(map_names(), ()), "METW map")
    text = (resources.files(__package__) / "maps" / f"{name}.toml").read_text("utf-8")
    return build(BoardEntry.model_validate(tomllib.loads(text)), name)


def _map_faults(entry: BoardEntry, key: str) -> tuple[Fault, ...]:
    if entry.regions or entry.borders or entry.sites:
        return (Fault("a board names a map or has regions of its own, not both", f"{key}.map"),)
    if entry.map not in map_names():
        known = ", ".join(map_names())
        return (Fault(f"no METW map is called {entry.map!r}; there are: {known}", f"{key}.map"),)
    return ()


def build(entry: BoardEntry, key: str = "board") -> Atlas:
    """Return the map of a board table.

    Raises
    ------
    FileFaultsError
        With every fault of the map, keyed below `key`.

    """
    if entry.map is not None:
        faults = _map_faults(entry, key)
        if faults:
            raise FileFaultsError(faults)
        return load_map(entry.map)
    neighbours: dict[str, set[str]] = {region: set() for region in entry.regions}
    for region, others in entry.borders.items():
        for other in others:
            neighbours.setdefault(region, set()).add(other)
            if other in neighbours:  # an unknown neighbour is a fault of `region`, found below
                neighbours[other].add(region)
    unknown = [
        Fault(f"M1: no region is called {region!r}", f"{key}.borders.{region}")
        for region in neighbours
        if region not in entry.regions
    ]
    if not entry.regions:
        unknown.append(Fault("a board needs regions, or the name of a map", key))
    if unknown:
        raise FileFaultsError(tuple(unknown))
    regions = {
        name: Region(
            name,
            region.name or name,
            RegionType(region.type),
            frozenset(neighbours[name]),
            tuple(region.also),
        )
        for name, region in entry.regions.items()
    }
    sites = {name: _site(name, site) for name, site in entry.sites.items()}
    return checked(Atlas(regions, sites, entry.excerpt), key)


def _site(name: str, entry: SiteEntry) -> Site:
    shown = dict(entry.paths)
    if entry.path is not None:
        shown[entry.haven or ""] = entry.path
    paths = tuple((haven, symbols(row)) for haven, row in sorted(shown.items()))
    return Site(name, entry.name or name, site_type(entry.type), entry.region, entry.haven, paths, tuple(entry.also))


def read_as(atlas: Atlas, options: Options) -> Atlas:
    """Return the map under the options that are about the map: the type of Anduin Vales."""
    if options.anduin_vales == "printed" or "anduin-vales" not in atlas.regions:
        return atlas
    if atlas.regions["anduin-vales"].type is RegionType.WILDERNESS:
        return atlas
    return retyped(atlas, "anduin-vales", RegionType.WILDERNESS)
