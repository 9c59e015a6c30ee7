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


def is_roaming(minion: Minion, site_number: int, *, modifier: int = 0) -> bool:
    """Whether a minion at the site of `site_number` is roaming (L17, L20).

    Parameters
    ----------
    minion
        The minion.
    site_number
        The number the site has on the path.
    modifier
        What cards add to the minion's number.

    """
    return site_number < minion.number + modifier


def price(
    minion: Minion, site_number: int, *, modifier: int = 0, surcharge: int = 0, ignore_roaming: bool = False
) -> int:
    """Return the twilight tokens that playing a minion at a site removes (L18).

    Parameters
    ----------
    minion, site_number, modifier
        As for `is_roaming`.
    surcharge
        What cards add to the penalty; it never falls below 0.
    ignore_roaming
        Whether the card that plays it says that no penalty is paid.

    """
    if ignore_roaming or not is_roaming(minion, site_number, modifier=modifier):
        return minion.cost
    return minion.cost + max(0, PENALTY + surcharge)
