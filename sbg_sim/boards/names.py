"""Names as people type them: found without accents and case; names shared by two things are faults."""

from __future__ import annotations

import difflib
import unicodedata
from typing import TYPE_CHECKING, Any, TypeVar

from sbg_sim.errors import Fault, FileFaultsError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import TypeAlias

    Find: TypeAlias = Callable[[str], str]
    """Returns the id that a name means, or raises `UnknownNameError`."""

T = TypeVar("T")


def folded(name: str) -> str:
    """Return `name` for comparison: without accents and case, runs of blanks, hyphens and underscores as a blank.

    Examples
    --------
    >>> folded("Barad-dûr") == folded("barad dur")
    True

    """
    bare = "".join(c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c))
    for mark in "-_":
        bare = bare.replace(mark, " ")
    return " ".join(bare.replace("’", "'").casefold().split())


def find_name(name: str, names: Mapping[str, Iterable[str]], kind: str) -> str:
    """Return the id in `names` that `name` means.

    Parameters
    ----------
    name
        The id, a name or an alias, with or without accents, in any case.
    names
        The further names of each id.
    kind
        The kind of thing, for messages ("region", "site").

    Raises
    ------
    UnknownNameError
        When no thing has that name (the message gives the closest names), or several have it (it gives their ids).

    """
    if name in names:
        return name
    wanted = folded(name)
    found = [key for key in names if folded(key) == wanted]
    found = found or [key for key, others in names.items() if wanted in map(folded, others)]
    if len(found) == 1:
        return found[0]
    if found:
        raise UnknownNameError(f"more than one {kind} is called {name!r}: say {' or '.join(found)}")
    known = {folded(key): key for key in names}
    close = [known[k] for k in difflib.get_close_matches(wanted, list(known), n=3)]
    hint = f"; close to it: {', '.join(close)}" if close else ""
    raise UnknownNameError(f"no {kind} is called {name!r}{hint}")


def called(things: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return by id the names of things that have a ``name`` and further names ``also``."""
    return {key: (thing.name or key, *thing.also) for key, thing in things.items()}


def found_name(find: Callable[[str], T], name: str) -> T | None:
    """Return what `find` finds, or None for an unknown name."""
    try:
        return find(name)
    except UnknownNameError:
        return None


def shared_names(names: Mapping[str, Iterable[str]], kind: str, key: str) -> Iterator[Fault]:
    """Yield a fault, with its key below `key`, for every id that shares a name with an earlier one."""
    owners: dict[str, str] = {}
    for thing, others in names.items():
        for name in dict.fromkeys((thing, *others)):
            first = owners.setdefault(folded(name), thing)
            if first != thing:
                yield Fault(f"{name!r} is a name of the {kind} {first!r} already", f"{key}.{thing}")
                break


def finder(names: Mapping[str, Iterable[str]], kind: str) -> Callable[[str], str]:
    """Return a look-up of names by `find_name`."""
    return lambda name: find_name(name, names, kind)


class Check:
    """Looks up names and records every fault of a file.

    Parameters
    ----------
    gone
        Dotted keys that were left out of the file for errors of form: their names are not reported as unknown.

    """

    def __init__(self, gone: Iterable[str] = ()) -> None:
        self.faults: list[Fault] = []
        self.typed: dict[str, str] = {}  # keys as typed in the file, by keys with ids for names
        self.gone = frozenset(gone)
        self.blind = "board.map" in self.gone  # without the map it is unknown which names are wrong
        self._waived = {folded(key.rpartition(".")[2]) for key in self.gone}

    def fault(self, key: str, reason: str) -> None:
        """Record a fault."""
        self.faults.append(Fault(reason, self.typed.get(key, key)))

    def lacks(self, key: str) -> bool:
        """Return whether a key at `key` or below it was left out."""
        return any(gone == key or gone.startswith(f"{key}.") for gone in self.gone)

    def look(self, find: Find, name: str | None, key: str) -> str | None:
        """Return the id of the name at `key`; None, with a fault, for an unknown name, and None for None."""
        if name is None:
            return None
        try:
            return find(name)
        except UnknownNameError as error:
            if folded(name) not in self._waived and not self.blind:
                self.fault(key, str(error))
        return None

    def each(self, find: Find, names: Iterable[str], key: str) -> list[str]:
        """Return the ids of the known names at `key`."""
        return [found for name in names if (found := self.look(find, name, key)) is not None]

    def made(self, make: Callable[[], T], key: str) -> T | None:
        """Return the result of `make`, or None and record its faults, unless a part of `key` was left out."""
        try:
            return make()
        except FileFaultsError as error:
            self.faults += () if self.lacks(key) else error.faults
            self.blind = self.blind or any(fault.key == f"{key}.map" for fault in error.faults)
        return None


def one_of(names: Iterable[str], kind: str) -> Find:
    """Return a look-up of names that must match exactly."""
    known = list(names)

    def find(name: str) -> str:
        if name not in known:
            raise UnknownNameError(f"no {kind} is called {name!r}; there are: {', '.join(known) or 'none'}")
        return name

    return find
