"""Names as people type them: in any case, with their spaces, with or without quotes, or as numbers on the map."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from unicodedata import normalize

from sbg_sim.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_WORD: Final = re.compile(r'"([^"]*)"|([^\s,;()\[\]=]+)')
_PLAIN: Final = re.compile(r"[^\s,;()\[\]=\"#][^\s,;()\[\]=\"]*")


@dataclass(frozen=True, slots=True)
class Word:
    """One word that was typed.

    Parameters
    ----------
    text
        As typed, without quotes.
    quoted
        Whether it was in quotes, and so is a name and no verb.

    """

    text: str
    quoted: bool = False

    @property
    def verb(self) -> str:
        """The word in lower case, to be looked up among verbs; empty if quoted."""
        return "" if self.quoted else self.text.casefold()


def words_of(text: str) -> list[Word]:
    """Split a line into words; a text in double quotes is one word.

    Examples
    --------
    >>> [word.text for word in words_of('"The One" to (10, 12)')]
    ['The One', 'to', '10', '12']

    """
    return [Word(m[1], quoted=True) if m[1] is not None else Word(m[2]) for m in _WORD.finditer(normalize("NFC", text))]


class Names:
    """Names that can be found in a line.

    Parameters
    ----------
    known
        The names, in the order of their numbers, from 1.
    kind
        The kind of things, for messages.

    """

    def __init__(self, known: Iterable[str], kind: str) -> None:
        self.known = tuple(known)
        self.kind = kind
        self._by_words: dict[tuple[str, ...], list[str]] = {}
        for name in self.known:
            for key in {_key(words_of(name)), (name.casefold(),)}:
                self._by_words.setdefault(key, []).append(name)
        self._longest = max(map(len, self._by_words), default=0)

    def at(self, words: Sequence[Word], start: int = 0) -> tuple[str, int] | None:
        """Return the longest name that begins at a word, and its number of words; None if there is none.

        Raises
        ------
        UnknownNameError
            When two names differ only in case and neither is typed exactly.

        """
        if start < len(words) and words[start].text.startswith("#") and words[start].text[1:].isdigit():
            number = int(words[start].text[1:])
            return (self.known[number - 1], 1) if 0 < number <= len(self.known) else None
        for count in range(min(self._longest, len(words) - start), 0, -1):
            part = words[start : start + count]
            if count > 1 and any(word.quoted for word in part):
                continue
            found = self._by_words.get(_key(part))
            if found:
                return self._one(found, " ".join(word.text for word in part)), count
        return None

    def _one(self, found: list[str], typed: str) -> str:
        if len(found) == 1 or typed in found:
            return typed if typed in found else found[0]
        raise UnknownNameError(f"{typed!r} is the name of several: {', '.join(found)}; type it exactly, in quotes")

    def within(self, words: Sequence[Word]) -> list[str]:
        """Return the names in a sequence of words, with or without `and` between them.

        Raises
        ------
        UnknownNameError
            When some of the words are not part of a name.

        """
        found = []
        index = 0
        while index < len(words):
            hit = self.at(words, index)
            if hit is not None:
                found.append(hit[0])
                index += hit[1]
            elif words[index].verb == "and":
                index += 1
            else:
                raise UnknownNameError(
                    f"no {self.kind} is called {words[index].text!r}{self.nearest(words[index].text)}"
                )
        return found

    def nearest(self, typed: str) -> str:
        """Return a question that suggests the nearest name; empty if none is near."""
        import difflib

        folded = {name.casefold(): name for name in self.known}
        near = difflib.get_close_matches(typed.casefold(), list(folded), n=1)
        return f"; did you mean {folded[near[0]]!r}?" if near else ""


def written(name: str, verbs: Iterable[str] = ()) -> str:
    """Write a name so that it reads back: in quotes unless it is one plain word.

    Examples
    --------
    >>> written("uruk-1"), written("The One"), written("to", verbs=["to"])
    ('uruk-1', '"The One"', '"to"')

    """
    plain = _PLAIN.fullmatch(name) and name.casefold() not in set(verbs)
    return name if plain else f'"{name}"'


def _key(words: Sequence[Word]) -> tuple[str, ...]:
    return tuple(word.text.casefold() for word in words)


def spoken(words: Iterable[Word]) -> str:
    """Return words as they were typed."""
    return " ".join(f'"{word.text}"' if word.quoted else word.text for word in words)
