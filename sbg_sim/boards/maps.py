"""Maps: those of the package, those in files of their own, and the additions of a scenario to either."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import TYPE_CHECKING, Any, TypeVar

from sbg_sim.boards.names import find_name
from sbg_sim.errors import Fault, FileFaultsError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import TypeAlias

    Finder: TypeAlias = Callable[[str], Mapping[str, Any]]
    """Returns the content of a map file by its name; raises `FileFaultsError`."""


T = TypeVar("T")


def map_names(package: str) -> tuple[str, ...]:
    """Return the names of the maps in a package's folder ``maps``."""
    folder = resources.files(package) / "maps"
    if not folder.is_dir():  # the spaces are cards, all of which come with the package
        return ("standard",)
    return tuple(sorted(item.name.removesuffix(".toml") for item in folder.iterdir() if item.name.endswith(".toml")))


def map_data(package: str, name: str) -> dict[str, Any]:
    """Return the parsed file of a map in a package's folder ``maps``; UnknownNameError if there is none."""
    known = map_names(package)
    try:
        name = find_name(name, dict.fromkeys(known, ()), "map")
    except UnknownNameError:
        reason = f"no map is called {name!r}; there are: {', '.join(known)}, or say the name of a file in .toml"
        raise UnknownNameError(reason) from None
    file = resources.files(package) / "maps" / f"{name}.toml"
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}


def with_map(data: Mapping[str, Any], package: str, maps: Finder | None) -> tuple[Mapping[str, Any], list[Fault]]:
    """Return a file with the map that its board names put into the board, and faults for entries given twice.

    Parameters
    ----------
    data
        A parsed file. A board that names a map of the package and adds nothing stays as it is.
    package
        The package with the game's maps.
    maps
        Finds maps in files of their own.

    Raises
    ------
    FileFaultsError
        When there is no map of that name, or it has faults.

    """
    board = data.get("board")
    name = board.get("map") if isinstance(board, dict) else None
    if not isinstance(board, dict) or not isinstance(name, str):
        return data, []
    added = {key: value for key, value in board.items() if key != "map"}
    own = name.endswith(".toml")
    if not added and not own:
        return data, []
    if own and maps is None:
        raise FileFaultsError((Fault("a map in a file of its own needs a scenario in a file", "board.map"),))
    try:
        found = maps(name) if own and maps is not None else map_data(package, name)
    except UnknownNameError as error:
        raise FileFaultsError((Fault(str(error), "board.map"),)) from None
    faults: list[Fault] = []
    return {**data, "board": {**found, **_added(found, added, faults)}}, faults


def _added(found: Mapping[str, Any], added: Mapping[str, Any], faults: list[Fault]) -> dict[str, Any]:
    """Return the tables of a board with additions, and record faults for entries that the map has already."""
    result: dict[str, Any] = {}
    for key, value in added.items():
        old = found.get(key)
        if isinstance(old, list) and isinstance(value, list):
            result[key] = [*old, *value]
        elif isinstance(old, dict) and isinstance(value, dict):
            result[key] = dict(old)
            for name, entry in value.items():
                both = isinstance(old.get(name), list) and isinstance(entry, list)
                if name in old and not both:
                    faults.append(
                        Fault(f"the map has {name!r} already; give this one another id", f"board.{key}.{name}")
                    )
                else:
                    result[key][name] = [*old[name], *entry] if both else entry
        else:
            result[key] = value
    return result


def border_faults(
    regions: Iterable[str], borders: Mapping[str, Iterable[str]], key: str, rules: tuple[str, str] = ("", "")
) -> Iterator[Fault]:
    """Yield a fault for every border with an unknown region or of a region with itself.

    `rules` are the prefixes of their reasons, such as ``("M1: ", "M21: ")``.
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
    """Return the neighbours of every region; a border given on one side holds on both, unknown regions are ignored."""
    found: dict[str, set[str]] = {region: set() for region in regions}
    for region, others in borders.items():
        for other in others:
            if region in found and other in found:
                found[region].add(other)
                found[other].add(region)
    return {region: frozenset(beside) for region, beside in found.items()}


def shipped(load: Callable[[str], T], name: str, key: str) -> T:
    """Return a map of the package; FileFaultsError, with its key below `key`, if there is none of this name."""
    try:
        return load(name)
    except UnknownNameError as error:
        raise FileFaultsError((Fault(str(error), f"{key}.map"),)) from None
