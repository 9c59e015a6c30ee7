"""The entries of a legend: whose they are, and chances grouped so that no more are told than can be told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from matplotlib.legend_handler import HandlerTuple
from matplotlib.patches import Patch

from sbg_sim.errors import plain
from sbg_sim.plot.words import chance_text, left_to_right
from sbg_sim.wording import wrapped

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from fractions import Fraction

    from matplotlib.artist import Artist

    Key = tuple[str, str]

STEPS: Final = 5
"""Chances that a legend tells at most, those of all results together: nobody tells more of them apart."""


class Scale(tuple[Any, ...]):
    """The signs of the steps of a scale, drawn as one strip."""

    __slots__ = ()


SIDE_BY_SIDE: Final[dict[type, Any]] = {
    Scale: HandlerTuple(ndivide=None, pad=0.0),
    tuple: HandlerTuple(ndivide=None, pad=0.2),
}
"""How signs that are grouped are drawn."""

_LETTERS: Final = 34  # in a line
_KEYED: Final = 46  # in a line of a key
_RUN_ON: Final = 12  # rows of a key beyond which they share lines
_SHORT: Final = 17  # letters of a name of which two have room in a line, in the mean


def named(
    entries: Mapping[Key, Artist], chances: Mapping[Key, Fraction], table: Collection[Key], results: list[str]
) -> tuple[list[str], list[Any], list[bool]]:
    """Return the words and the signs of entries by whose they are and what they say, and which are the table's.

    Parameters
    ----------
    entries
        Their signs, in order.
    chances
        The chances of those that tell one.
    table
        Those of the table itself, which are nobody's.
    results
        The names of the results before: where others follow, what is the first one's says so as well.

    """
    first = results[0] if results and any(owner for owner, _ in entries) else ""
    rows = [(owner or ("" if (owner, text) in table else first), text, (owner, text)) for owner, text in entries]
    told: dict[str, list[Key]] = {}
    for owner, _, key in rows:
        if key in chances:
            told.setdefault(owner, []).append(key)
    grouped: dict[Key, list[Key]] = {}
    if sum(map(len, told.values())) > STEPS:
        each = max(1, STEPS // len(told))
        for keys in told.values():
            best = sorted(keys, key=lambda key: -chances[key])
            if len(best) > each:
                grouped[best[each - 1]] = best[each - 1 :]
    left = {key for keys in grouped.values() for key in keys[1:]}
    words, signs, general = [], list[Any](), list[bool]()
    for owner, text, key in rows:
        if key in left:
            continue
        several = grouped.get(key)
        if several:
            text = f"centre can end here or on a line: {_span([chances[k] for k in several])}"  # noqa: PLW2901
        if owner and not text.startswith(f"{owner}: "):  # that is about a model of this name as it is
            text = f"{owner}: {text}"  # noqa: PLW2901
        words.append(left_to_right("\n".join(wrapped(plain(text), _LETTERS))))
        signs.append(tuple(entries[k] for k in several) if several else entries[key])
        general.append(key in table)
    return words, signs, general


def going(general: Sequence[bool], key: int) -> list[int]:
    """Return in which order entries are left out where there is no room: the answer's own words stay longest.

    Parameters
    ----------
    general
        Which entries are those of the table itself, whose terrain comes first.
    key
        How many lines of a key follow, without which numbers mean nothing: they go last.

    """
    count = len(general)
    own = [n for n in range(count) if not general[n]]
    return [n for n in range(count) if general[n]] + own[::-1] + list(range(count, count + key))[::-1]


def _span(chances: list[Fraction]) -> str:
    most, least = chance_text(max(chances)), chance_text(min(chances))
    return most if most == least else f"{most} to {least}"


def on_a_scale(
    entries: Mapping[Key, Artist], steps: Mapping[Key, tuple[float, float]], table: Collection[Key]
) -> dict[Key, Any]:
    """Return entries with the steps of each result's scale as one, after those of the table itself."""
    rows: dict[Key, Any] = {key: sign for key, sign in entries.items() if key in table}
    for owner in dict.fromkeys(owner for owner, text in entries if (owner, text) in steps):
        mine = [key for key in entries if key[0] == owner and key in steps]
        each = max(steps[key][1] - steps[key][0] for key in mine)
        first, last = steps[mine[0]][0], steps[mine[-1]][1]
        words = f"costs {first:g} to {last:g}″, a shade {'an inch' if each == 1 else f'each {each:g}″'}"
        rows[owner, words] = Scale(Patch(facecolor=entries[key].get_facecolor()) for key in mine)  # type: ignore[attr-defined]  # they are patches
    return rows | {key: sign for key, sign in entries.items() if key not in steps}


def key_lines(key: list[tuple[str, str, str]], *, brief: bool = False) -> list[tuple[str, str]]:
    """Return the lines of a key of numbers and whose they are, each short enough for the legend; of many they run on.

    Long names stand one in a line. A ``brief`` key runs on in one entry, which is still to be broken into lines.
    """
    key = [(number, plain(name), side) for number, name, side in key]
    few = len(key) <= _RUN_ON and not brief
    if few or sum(len(name) for _, name, _ in key) > _SHORT * len(key) or any(row[2] for row in key):
        return [("\n".join(wrapped(f"{number}  {name}", _KEYED, hang="    ")), side) for number, name, side in key]
    row = ", ".join(f"{number} {name}".replace(" ", "\u00a0") for number, name, _ in key)
    if brief:
        return [(row, "")]
    return [(line, "") for line in wrapped(row, _KEYED, long_words=False)]
