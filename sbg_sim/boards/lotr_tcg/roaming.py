"""Roaming minions and what they cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

PENALTY: Final = 2
"""Twilight tokens to remove beside a roaming minion's cost (L18)."""


@dataclass(frozen=True, slots=True)
class Minion:
    """A minion card.

    Parameters
    ----------
    id
        Its name in the game at hand.
    number
        Where its range of sites begins (L17). A block symbol has no say in it (L20).
    cost
        Twilight cost.

    """

    id: str
    number: int
    cost: int = 0


def is_roaming(minion: Minion, site_number: int) -> bool:
    """Whether a minion is roaming at the site that has this number on the path (L17, L19, L20)."""
    return site_number < minion.number


def price(minion: Minion, site_number: int, *, ignore_roaming: bool = False) -> int:
    """Return the twilight tokens that playing a minion at a site removes (L18).

    `ignore_roaming` is for a card that plays it and says that no penalty is paid.
    """
    return minion.cost + (PENALTY if is_roaming(minion, site_number) and not ignore_roaming else 0)
