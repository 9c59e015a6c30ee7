"""Maps that come with a game's package, and borders that hold in both directions."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import TYPE_CHECKING, Any

from sbg_sim.boards.names import find_name
from sbg_sim.errors import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


def map_names(package: str) -> tuple[str, ...]:
    """Return the names of the maps in a package's folder ``maps``."""
    folder = resources.files(package) / "maps"
    return tuple(sorted(item.name.removesuffix(".toml") for item in folder.iterdir() if item.name.endswith(".toml")))


def map_data(package: str, name: str, game: str) -> dict[str, Any]:
    """Return the parsed file of a map in a package's folder ``maps``.

    Parameters
    ----------
    package
        The game's package.
    name
        The map's name, as anybody types it.
    game
        The game's name, for the message.

    Raises
    ------
    UnknownNameError
        When there is no map of this name.

    """
    name = find_name(name, dict.fromkeys(map_names(package), ()), f"{game} map")
    return tomllib.loads((resources.files(package) / "maps" / f"{name}.toml").read_text("utf-8"))


def choice_faults(package: str, name: str, game: str, key: str, *, typed_in: bool) -> tuple[Fault, ...]:
    """Return what is wrong with a board that names a map of the package (`typed_in`: and has spaces too)."""
    if typed_in:
        return (Fault("a board names a map that comes with the package or is typed in, not both", f"{key}.map"),)
    known = map_names(package)
    if name not in known:
        return (Fault(f"no {game} map is called {name!r}; there are: {', '.join(known)}", f"{key}.map"),)
    return ()


def border_faults(
    regions: Iterable[str], borders: Mapping[str, Iterable[str]], key: str, rules: tuple[str, str] = ("", "")
) -> Iterator[Fault]:
    """Yield a fault for every border with a region that the map does not have, or with itself.

    `rules` are put before the reasons of the two: ``("M1: ", "M21: ")``.
    """
    known, (unknown, itself) = set(regions), rules
    for name, others in borders.items():
        place = f"{key}.borders.{name}"
        for other in (name, *others):
            if other not in known:
                yield Fault(f"{unknown}no region is called {other!r}", place)
        if name in others:
            yield Fault(f"{itself}a region does not border on itself", place)


def neighbours(regions: Iterable[str], borders: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    """Return the neighbours of every region; a border named on one side holds on both."""
    found: dict[str, set[str]] = {region: set() for region in regions}
    for region, others in borders.items():
        for other in others:
            found[region].add(other)
            found[other].add(region)
    return {region: frozenset(beside) for region, beside in found.items()}
