"""Roaming minions and their cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

PENALTY: Final = 2
"""Twilight tokens removed in addition to a roaming minion's cost (L18)."""


@dataclass(frozen=True, slots=True)
class Minion:
    """A minion card.

    Parameters
    ----------
    id
        Its id in the file.
    number
        The first of its sites (L17). Block symbols do not matter (L20).
    cost
        Twilight cost.

    """

    id: str
    number: int
    cost: int = 0


def is_roaming(minion: Minion, site_number: int) -> bool:
    """Whether a minion is roaming at the site with this number on the path (L17, L19, L20)."""
    return site_number < minion.number


def price(minion: Minion, site_number: int, *, ignore_roaming: bool = False) -> int:
    """Return the twilight tokens removed to play a minion at a site (L18).

    `ignore_roaming` is for cards that play a minion without the penalty.
    """
    return minion.cost + (PENALTY if is_roaming(minion, site_number) and not ignore_roaming else 0)
