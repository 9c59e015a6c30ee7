"""Suggestions for names that do not exist."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_LITTLE: Final = 0.8  # ratio of matching letters needed if the first letters differ
_EFFORT: Final = 100_000  # comparisons of two names at most, about a second


class Names:
    """Known names, with suggestions for misspelt ones up to a bounded effort.

    Parameters
    ----------
    known
        The known names.

    """

    def __init__(self, known: Iterable[str]) -> None:
        self._known = dict.fromkeys(known)
        self._left = max(1, _EFFORT // max(1, len(self._known)))

    def __contains__(self, name: object) -> bool:
        return name in self._known

    def meant(self, name: str) -> str:
        """Return the result of `meant`, or an empty text once the effort is used up."""
        self._left -= 1
        return meant(name, self._known) if self._left >= 0 else ""


def nearest(name: object, known: Iterable[str]) -> str:
    """Return the known name most like a name, in any case; empty if none is like it.

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
    """Say whether a word is likely a similar one misspelt: contained in it or reverse, begun alike, or nearly equal."""
    within = word in other or other in word
    return within or word[:1] == other[:1] or difflib.SequenceMatcher(None, word, other).ratio() >= _LITTLE


def meant(name: object, known: Iterable[str]) -> str:
    """Return the end of a sentence that suggests the nearest known name, or lists the names if they are few.

    Parameters
    ----------
    name
        The unknown name.
    known
        The names that are possible.

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
