"""What was probably meant by a name that does not exist."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_LITTLE: Final = 0.8  # of the letters alike and in order, where not even the first is the same
_EFFORT: Final = 100_000  # comparisons of two names, about a second


class Names:
    """Names of which some may be misspelt many times over: beyond a bounded effort it suggests nothing.

    Parameters
    ----------
    known
        The names there are.

    """

    def __init__(self, known: Iterable[str]) -> None:
        self._known = dict.fromkeys(known)
        self._left = max(1, _EFFORT // max(1, len(self._known)))

    def __contains__(self, name: object) -> bool:
        return name in self._known

    def meant(self, name: str) -> str:
        """Return what `meant` does, or nothing once it has been asked too often."""
        self._left -= 1
        return meant(name, self._known) if self._left >= 0 else ""


def nearest(name: object, known: Iterable[str]) -> str:
    """Return the known name that is most like a name, whatever its case; empty where none is like it.

    Examples
    --------
    >>> nearest("widht", ["width", "depth"]), nearest("companions", ["options", "characters"])
    ('width', '')

    """
    by_fold = {n.casefold(): n for n in dict.fromkeys(known)}
    word = str(name).casefold()
    near = difflib.get_close_matches(word, list(by_fold))
    return next((by_fold[other] for other in near if _alike(word, other)), "")


def _alike(word: str, other: str) -> bool:
    """Say whether two like words are one misspelt: one in the other, begun alike, or alike but for a little."""
    within = word in other or other in word
    return within or word[:1] == other[:1] or difflib.SequenceMatcher(None, word, other).ratio() >= _LITTLE


def meant(name: object, known: Iterable[str]) -> str:
    """Return the end of a sentence that names the nearest known name, or lists the few there are.

    Parameters
    ----------
    name
        What was written.
    known
        What could have been written.

    Examples
    --------
    >>> meant("bse", ["base", "height"])
    '; did you mean `base`?'
    >>> meant("xyz", ["yes", "no"])
    '; there are `yes`, `no`'
    >>> meant("xyz", [])
    '; there are none'

    """
    names = list(dict.fromkeys(known))
    near = nearest(name, names)
    if near:
        return f"; did you mean `{near}`?"
    if not names:
        return "; there are none"
    if len(names) <= 20:
        return f"; there {'are' if len(names) > 1 else 'is'} {', '.join(f'`{n}`' for n in names)}"
    return ""
