"""Whether two answers as data are the same, within what they are held to."""

from __future__ import annotations

import re

LENGTHS = 1e-7
"""By how much costs, bounds and angles may differ: inches, radians; many times what another order of sums makes."""

AREAS = 1e-5
"""By how much areas and the lengths of their outlines may differ, and by what share where they are larger than 1."""

SKETCHES = 1e-3
"""The same of areas drawn coarsely: of ways that cost the same another may be told, and corners be joined otherwise."""

PLACES = 2e-4
"""By how much a place along a way may: a cost that is least there hardly changes beside it."""

PRINTED = 1.5  # units of the last digit, by which numbers in sentences may differ

_WITHIN = {
    **dict.fromkeys(("way", "ways", "play", "line", "violations"), PLACES),
    **dict.fromkeys(("area", "error", "regions", "afoot", "half", "rows", "models", "doubt", "dangers"), AREAS),
    "sketch": SKETCHES,
}
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def differences(kept, found, where="", within=LENGTHS):
    """Everything in which an answer differs from the one kept: a sentence each."""
    if isinstance(kept, dict) and isinstance(found, dict):
        for key in sorted({*kept, *found}):
            here = f"{where}.{key}" if where else key
            yield from differences(kept.get(key), found.get(key), here, _WITHIN.get(key, within))
    elif isinstance(kept, list) and isinstance(found, list) and len(kept) == len(found):
        for i, (one, other) in enumerate(zip(kept, found, strict=True)):
            yield from differences(one, other, f"{where}[{i}]", within)
    elif not _same(kept, found, within):
        yield f"{where}: {kept!r} was kept, {found!r} was found"


def _same(kept, found, within):
    if isinstance(kept, str) and isinstance(found, str):
        return alike(kept, found)
    if isinstance(kept, bool) or isinstance(found, bool) or kept is None or found is None:
        return kept is found
    if isinstance(kept, int | float) and isinstance(found, int | float):
        return abs(kept - found) <= (within * max(1.0, abs(kept)) if within in {AREAS, SKETCHES} else within)
    return kept == found


def alike(kept, found):
    """Whether two sentences are the same but for the last digit of numbers in them, which may be rounded otherwise."""
    if kept == found:
        return True
    if _NUMBER.sub("#", kept) != _NUMBER.sub("#", found):
        return False
    return all(_near(a, b) for a, b in zip(_NUMBER.findall(kept), _NUMBER.findall(found), strict=True))


def _near(kept, found):
    places = [len(text.partition(".")[2]) for text in (kept, found)]
    return kept == found or (min(places) > 0 and abs(float(kept) - float(found)) <= PRINTED * 10.0 ** -max(places))
