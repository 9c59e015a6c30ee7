"""Readings of the rules about sites that the text leaves open, each a named option."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sbg_sim.boards.readings import check_readings


@dataclass(frozen=True, slots=True)
class Options:
    """One reading of every doubtful rule; the package argues for the defaults.

    Parameters
    ----------
    arrows
        The arrow decides who plays the next site in ``"all-formats"``, or only in ``"post-shadows"`` ones; in the
        others any Shadow player may then play it.
    replacement_number
        In block formats a site that replaces another bears the same ``"printed"`` number, or ``"any"``.
    replay_replaced
        Whether the site that is replaced may be chosen to replace itself, by its owner.
    next_site_of
        A card's "next site" is the one after the ``"moving-player"``'s, or after the ``"card-player"``'s.
    any_site_counts_shadows
        Whether "any site 5" holds at a Shadows site that was played as site 5.
    missing_site
        If no site can be played, the move is an ``"error"`` against the rules, or the fellowship ``"stays"``.
    deck_limits
        Whether Shadows decks hold no site twice and at most three of one Shadow number (deck building rules).

    """

    arrows: Literal["all-formats", "post-shadows"] = "all-formats"
    replacement_number: Literal["printed", "any"] = "printed"
    replay_replaced: bool = False
    next_site_of: Literal["moving-player", "card-player"] = "moving-player"
    any_site_counts_shadows: bool = True
    missing_site: Literal["error", "stays"] = "error"
    deck_limits: bool = True

    def __post_init__(self) -> None:
        check_readings(self)
