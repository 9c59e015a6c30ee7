"""The kinds of spaces, the cards and the ways of The Riddle of the Ring."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Kind(StrEnum):
    """The eleven kinds of space (R1)."""

    OPEN = "open"
    ROAD = "road"
    FOREST = "forest"
    THICKET = "thicket"
    MOUNTAIN = "mountain"
    HILL = "hill"
    RIVER = "river"
    OCEAN = "ocean"
    LAKE = "lake"
    SWAMP = "swamp"
    CITY = "city"


class Card(StrEnum):
    """The cards that change the moves of a marker."""

    CLOAK = "cloak"
    ROPE = "rope"
    BOAT = "boat"
    HORSE = "horse"
    EAGLES = "eagles"
    FLYING_BEASTS = "flying-beasts"
    TOM_BOMBADIL = "tom-bombadil"


class Way(StrEnum):
    """The ways from one space to the next."""

    LAND = "land"
    ROAD = "road"
    CROSS = "cross"
    WATER = "water"
    RIVER = "river"


WOODED: Final = frozenset({Kind.FOREST, Kind.THICKET})
STEEP: Final = frozenset({Kind.MOUNTAIN, Kind.HILL})
WATER: Final = frozenset({Kind.OCEAN, Kind.LAKE, Kind.SWAMP})
TERRAIN: Final = frozenset({Kind.OPEN}) | WOODED | STEEP | WATER
"""The kinds of terrain of a space. Roads and rivers belong to borders and dots; a city stands on its space."""

FLIGHTS: Final = frozenset({Card.EAGLES, Card.FLYING_BEASTS, Card.TOM_BOMBADIL})
"""The cards that carry the marker through the air."""

KEEPERS: Final = {Card.CLOAK: WOODED, Card.ROPE: STEEP}
"""The terrain that each card opens, and in which it stays in play (R9, R14, R19)."""

SYMBOLS: Final = frozenset({"gollum", "clairvoyance", "secret"})
"""Symbols of the Advanced Game, which the Basic Game ignores (R3)."""

RIVER_HEADS: Final = (
    "Rivendell",
    "Moria",
    "Orthanc",
    "Fangorn",
    "Gundabad",
    "Rilennyn",
    "Ceber Faniun",
    "Lorien",
)
"""The eight cities where rivers begin, as printed in the rules (R32)."""
