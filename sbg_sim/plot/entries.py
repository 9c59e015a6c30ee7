"""The entries of a legend: their owners, and chances grouped so that no more are shown than can be told apart."""

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
"""The most chances in a legend, of all results together: nobody tells more shades apart."""


class Scale(tuple[Any, ...]):
    """The swatches of the steps of a scale, drawn as one strip."""

    __slots__ = ()


SIDE_BY_SIDE: Final[dict[type, Any]] = {
    Scale: HandlerTuple(ndivide=None, pad=0.0),
    tuple: HandlerTuple(ndivide=None, pad=0.2),
}
"""Legend handlers for swatches that share one entry."""

_LETTERS: Final = 34  # letters per line
_KEYED: Final = 46  # letters per line of a key
_RUN_ON: Final = 12  # rows of a key beyond which rows share lines
_SHORT: Final = 17  # mean letters of names up to which rows share lines


def named(
    entries: Mapping[Key, Artist], chances: Mapping[Key, Fraction], table: Collection[Key], results: list[str]
) -> tuple[list[str], list[Any], list[bool]]:
    """Return the words and the swatches of entries, and which of them are the table's own.

    Parameters
    ----------
    entries
        The swatches by owner and words, in order.
    chances
        The chances of the entries that have one.
    table
        The entries of the table itself, which have no owner.
    results
        The names of the results drawn; if there are several, the entries of the first name their owner too.

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
        if owner and not text.startswith(f"{owner}: "):  # unless the text begins with that name already
            text = f"{owner}: {text}"  # noqa: PLW2901
        words.append(left_to_right("\n".join(wrapped(plain(text), _LETTERS))))
        signs.append(tuple(entries[k] for k in several) if several else entries[key])
        general.append(key in table)
    return words, signs, general


def going(general: Sequence[bool], key: int) -> list[int]:
    """Return the indices of entries in the order in which they are left out for want of room: the answer's go late.

    Parameters
    ----------
    general
        Which entries are the table's own; they are left out first.
    key
        Number of lines of a key that follow; they go last, since numbers mean nothing without them.

    """
    count = len(general)
    answers = [n for n in range(count) if not general[n]]
    return [n for n in range(count) if general[n]] + answers[::-1] + list(range(count, count + key))[::-1]


def _span(chances: list[Fraction]) -> str:
    most, least = chance_text(max(chances)), chance_text(min(chances))
    return most if most == least else f"{most} to {least}"


def on_a_scale(
    entries: Mapping[Key, Artist], steps: Mapping[Key, tuple[float, float]], table: Collection[Key]
) -> dict[Key, Any]:
    """Return the entries with each result's scale joined into one, after the entries of the table itself."""
    rows: dict[Key, Any] = {key: sign for key, sign in entries.items() if key in table}
    for owner in dict.fromkeys(owner for owner, text in entries if (owner, text) in steps):
        scale = [key for key in entries if key[0] == owner and key in steps]
        each = max(steps[key][1] - steps[key][0] for key in scale)
        first, last = steps[scale[0]][0], steps[scale[-1]][1]
        words = f"costs {first:g} to {last:g}″, a shade {'an inch' if each == 1 else f'each {each:g}″'}"
        rows[owner, words] = Scale(Patch(facecolor=entries[key].get_facecolor()) for key in scale)  # type: ignore[attr-defined]  # they are patches
    return rows | {key: sign for key, sign in entries.items() if key not in steps}


def key_lines(key: list[tuple[str, str, str]], *, brief: bool = False) -> list[tuple[str, str]]:
    """Return the lines of a key with their sides, each short enough for the legend; many short rows share lines.

    Rows with long names or sides get a line each. A ``brief`` key is one entry, still to be broken into lines.
    """
    key = [(number, plain(name), side) for number, name, side in key]
    few = len(key) <= _RUN_ON and not brief
    if few or sum(len(name) for _, name, _ in key) > _SHORT * len(key) or any(row[2] for row in key):
        return [("\n".join(wrapped(f"{number}  {name}", _KEYED, hang="    ")), side) for number, name, side in key]
    row = ", ".join(f"{number} {name}".replace(" ", "\u00a0") for number, name, _ in key)
    if brief:
        return [(row, "")]
    return [(line, "") for line in wrapped(row, _KEYED, long_words=False)]
