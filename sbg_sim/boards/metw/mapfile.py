"""Maps of METW in files: the entries of a board table, and the maps that come with the package."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Annotated, Final

from pydantic import AfterValidator, Field

from sbg_sim.boards import maps
from sbg_sim.boards.form import Strict
from sbg_sim.boards.metw.atlas import Atlas, Region, Site, faults, retyped
from sbg_sim.boards.metw.kinds import RegionType, SiteType, region_type, site_type, symbols, written
from sbg_sim.errors import Fault, FileFaultsError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sbg_sim.boards.metw.options import Options

PACKAGE: Final = "sbg_sim.boards.metw"

RegionSymbol = Annotated[str, AfterValidator(lambda text: region_type(text).value)]
SiteSymbol = Annotated[str, AfterValidator(lambda text: site_type(text).value)]
Row = Annotated[str, AfterValidator(lambda text: written(symbols(text)))]


class RegionEntry(Strict):
    """A region: the symbol of its type, its name (the id if absent) and further names."""

    type: RegionSymbol
    name: str | None = None
    also: list[str] = Field(default_factory=list)


class SiteEntry(Strict):
    """A site: its type by symbol, its region, and its nearest Haven with the types on the way; a Haven has `paths`."""

    type: SiteSymbol
    region: str
    name: str | None = None
    haven: str | None = None
    path: Row | None = None
    paths: dict[str, Row] = Field(default_factory=dict)
    also: list[str] = Field(default_factory=list)


class BoardEntry(Strict):
    """A board: the name or file of a map, and regions, borders and sites of the board's own."""

    map: str | None = None
    title: str | None = None
    excerpt: bool = False
    regions: dict[str, RegionEntry] = Field(default_factory=dict)
    borders: dict[str, list[str]] = Field(default_factory=dict)
    sites: dict[str, SiteEntry] = Field(default_factory=dict)


def map_names() -> tuple[str, ...]:
    """Return the names of the maps that come with the package."""
    return maps.map_names(PACKAGE)


@cache
def load_map(name: str = "standard") -> Atlas:
    """Return a map that comes with the package; UnknownNameError if there is no map of this name."""
    return build(BoardEntry.model_validate(maps.map_data(PACKAGE, name)), name)


def build(entry: BoardEntry, key: str = "board") -> Atlas:
    """Return the map of a board table; FileFaultsError holds all its faults, with keys below `key`."""
    if entry.map is not None:
        return maps.shipped(load_map, entry.map, key)
    found = (*maps.border_faults(entry.regions, entry.borders, key, ("M1: ", "M21: ")), *_path_faults(entry, key))
    if not entry.regions:
        found += (Fault("a board needs regions, or the name of a map", key),)
    beside = maps.neighbours(entry.regions, entry.borders)
    regions = {
        name: Region(name, one.name or name, RegionType(one.type), beside[name], tuple(one.also))
        for name, one in entry.regions.items()
    }
    sites = {name: _site(name, site) for name, site in entry.sites.items()}
    atlas = Atlas(regions, sites, entry.excerpt)
    if found := faults(atlas, key, found):
        raise FileFaultsError(found)
    return atlas


def _path_faults(entry: BoardEntry, key: str) -> Iterator[Fault]:
    """Yield a fault for every site with paths in the form of the other kind of site."""
    for name, site in entry.sites.items():
        haven, place = site_type(site.type) is SiteType.HAVEN, f"{key}.sites.{name}"
        if haven and site.path is not None:
            yield Fault("M13: a Haven has `paths`, one to each of two Havens, and no `path`", f"{place}.path")
        if not haven and site.paths:
            reason = "M12: a site that is no Haven has one `path`, to its nearest Haven, and no `paths`"
            yield Fault(reason, f"{place}.paths")


def _site(name: str, entry: SiteEntry) -> Site:
    shown = dict(entry.paths)
    if entry.path is not None:
        shown[entry.haven or ""] = entry.path
    paths = tuple((haven, symbols(row)) for haven, row in sorted(shown.items()))
    return Site(name, entry.name or name, site_type(entry.type), entry.region, entry.haven, paths, tuple(entry.also))


def read_as(atlas: Atlas, options: Options) -> Atlas:
    """Return the map under the options that concern it: the type of Anduin Vales."""
    if options.anduin_vales == "printed" or "anduin-vales" not in atlas.regions:
        return atlas
    if atlas.regions["anduin-vales"].type is RegionType.WILDERNESS:
        return atlas
    return retyped(atlas, "anduin-vales", RegionType.WILDERNESS)
