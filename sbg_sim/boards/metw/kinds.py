"""The six types of region and the six types of site, and the reading of their symbols (M4, M5)."""

from __future__ import annotations

import re
from enum import Enum
from typing import TypeVar

K = TypeVar("K", bound=Enum)


class RegionType(Enum):
    """A type of region; the value is its symbol (M4)."""

    COASTAL_SEAS = "c"
    FREE_DOMAINS = "f"
    BORDER_LANDS = "b"
    WILDERNESS = "w"
    SHADOW_LANDS = "s"
    DARK_DOMAINS = "d"


class SiteType(Enum):
    """A type of site; the value is its symbol, which is case-sensitive (M5)."""

    HAVEN = "h"
    FREE_HOLD = "F"
    BORDER_HOLD = "B"
    RUINS_AND_LAIRS = "r"
    SHADOW_HOLD = "S"
    DARK_HOLD = "D"


def title(kind: RegionType | SiteType) -> str:
    """Return the name of a type in the rules.

    Examples
    --------
    >>> title(RegionType.BORDER_LANDS), title(SiteType.RUINS_AND_LAIRS)
    ('Border-lands', 'Ruins & Lairs')

    """
    apart = {"COASTAL_SEAS": "Coastal Seas", "RUINS_AND_LAIRS": "Ruins & Lairs"}
    return apart.get(kind.name, kind.name.replace("_", "-").capitalize())


def region_type(symbol: str) -> RegionType:
    """Read a region symbol, with or without brackets and blanks; ValueError if it is none of c f b w s d.

    Examples
    --------
    >>> region_type("[ w ]").name
    'WILDERNESS'

    """
    return _read(RegionType, symbol, "region")


def site_type(symbol: str) -> SiteType:
    """Read a site symbol as `region_type` does; ValueError if it is none: `F` is a Free-hold, `f` is no site."""
    return _read(SiteType, symbol, "site")


def _read(kinds: type[K], symbol: str, what: str) -> K:
    text = symbol.strip()
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1].strip()
    try:
        return kinds(text)
    except ValueError:
        raise ValueError(f"a {what} symbol is one of {' '.join(k.value for k in kinds)}, not {symbol!r}") from None


def symbols(text: str) -> tuple[RegionType, ...]:
    """Read a row of region symbols, such as ``"w w b w"`` or ``"[w][w]"``; a single ``or`` and commas are skipped.

    Raises
    ------
    ValueError
        When a symbol is unknown or the row is empty.

    """
    words = [word for word in re.split(r"[\s,\[\]]+", text) if word]
    if "or" in words[:1] + words[-1:]:
        raise ValueError(f"`or` stands between two symbols, not at an end of {text!r}")
    words = [word for word in words if word != "or"]
    if not words:
        raise ValueError("a row of region symbols cannot be empty")
    return tuple(region_type(word) for word in words)


def written(types: tuple[RegionType, ...]) -> str:
    """Return the row of symbols of `types`, separated by blanks."""
    return " ".join(kind.value for kind in types)
