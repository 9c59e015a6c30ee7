"""Names as people type them: found without accents and case, and told when two things go by one name."""

from __future__ import annotations

import difflib
import unicodedata
from typing import TYPE_CHECKING, TypeVar

from sbg_sim.errors import Fault, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

T = TypeVar("T")


def folded(name: str) -> str:
    """Return `name` as it is compared: no accents, no case, runs of blanks, hyphens and underscores as one
    blank.

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
        As typed: the id, a name or an alias, with or without accents, in any case.
    names
        Per id every further name it goes by.
    kind
        What is looked for, for the message ("region", "site").

    Raises
    ------
    UnknownNameError
        When nothing goes by that name, with the closest names there are.

    """
    if name in names:
        return name
    wanted = folded(name)
    for key, others in names.items():
        if wanted == folded(key) or any(wanted == folded(other) for other in others):
            return key
    known = {folded(key): key for key in names}
    close = [known[k] for k in difflib.get_close_matches(wanted, list(known), n=3)]
    hint = f"; close to it: {', '.join(close)}" if close else ""
    raise UnknownNameError(f"no {kind} is called {name!r}{hint}")


def found_name(find: Callable[[str], T], name: str) -> T | None:
    """Return what `find` finds, or None when nothing goes by that name."""
    try:
        return find(name)
    except UnknownNameError:
        return None


def shared_names(names: Mapping[str, Iterable[str]], kind: str, key: str) -> Iterator[Fault]:
    """Yield a fault, with its key below `key`, for every id whose names another one goes by already."""
    owners: dict[str, str] = {}
    for own, others in names.items():
        for name in dict.fromkeys((own, *others)):
            first = owners.setdefault(folded(name), own)
            if first != own:
                yield Fault(f"{name!r} is a name of the {kind} {first!r} already", f"{key}.{own}")
                break


class NameCheck:
    """Looks names up one after the other and keeps a fault for each that nothing goes by."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def look(self, find: Callable[[str], object], names: str | Iterable[str] | None, key: str) -> None:
        """Look up one name or several, all of which stand at `key` in the file; None is no name."""
        for name in (names,) if isinstance(names, str) else names or ():
            try:
                find(name)
            except UnknownNameError as error:
                self.faults.append(Fault(str(error), key))


def one_of(names: Iterable[str], kind: str) -> Callable[[str], None]:
    """Return a look-up for `NameCheck` among names that are taken to the letter."""
    known = list(names)

    def find(name: str) -> None:
        if name not in known:
            raise UnknownNameError(f"no {kind} is called {name!r}; there are: {', '.join(known) or 'none'}")

    return find
