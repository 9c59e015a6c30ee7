"""Formats and the adventure decks that they allow."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING

from sbg_sim.boards.game import Violation
from sbg_sim.boards.lotr_tcg.cards import NUMBERS, Block, Catalogue, Site, find_site
from sbg_sim.boards.lotr_tcg.options import Options

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Format(StrEnum):
    """The formats: the sets of cards that players agree to use."""

    FELLOWSHIP_BLOCK = "fellowship-block"
    TOWER_BLOCK = "tower-block"
    KING_BLOCK = "king-block"
    TOWERS_STANDARD = "towers-standard"
    KING_STANDARD = "king-standard"
    MOVIE_BLOCK = "movie-block"
    EXPANDED = "expanded"
    STANDARD = "standard"


PATHS = {
    Format.FELLOWSHIP_BLOCK: Block.FELLOWSHIP,
    Format.TOWER_BLOCK: Block.TOWER,
    Format.KING_BLOCK: Block.KING,
    Format.TOWERS_STANDARD: Block.TOWER,
    Format.KING_STANDARD: Block.KING,
    Format.MOVIE_BLOCK: Block.KING,
    Format.EXPANDED: Block.SHADOWS,
    Format.STANDARD: Block.SHADOWS,
}
"""The path of each format; unofficial formats use the last path that is legal in them (L14)."""


def post_shadows(fmt: Format) -> bool:
    """Whether the next site is chosen in a format (L12, L13)."""
    return PATHS[fmt] is Block.SHADOWS


def off_path(site: Site, fmt: Format) -> tuple[Violation, ...]:
    """Return why a site does not belong to the path of a format; empty if it does (L2, L14, L23)."""
    path = PATHS[fmt]
    if site.block is path:
        return ()
    unofficial = fmt in {Format.TOWERS_STANDARD, Format.KING_STANDARD, Format.MOVIE_BLOCK}
    rule = "L2" if path is Block.SHADOWS else "L14" if unofficial else "L23"
    why = f"{site.title} is a {site.block.value} site; {fmt.value} plays on the {path.value} path"
    return (Violation(rule, why, site.id),)


def check_deck(
    deck: Sequence[str], fmt: Format, catalogue: Catalogue, options: Options | None = None
) -> tuple[Violation, ...]:
    """Return every rule that an adventure deck breaks; empty if it is legal.

    Parameters
    ----------
    deck
        Site ids or titles.
    fmt
        The format.
    catalogue
        All known sites.
    options
        The readings; None for the defaults.

    Raises
    ------
    UnknownNameError
        When a site is not in `catalogue`.

    """
    return tuple(_deck_faults(deck, fmt, catalogue, options or Options()))


def _deck_faults(deck: Sequence[str], fmt: Format, catalogue: Catalogue, options: Options) -> Iterator[Violation]:
    sites = [find_site(name, catalogue) for name in deck]
    if len(sites) != 9:
        yield Violation("L1", f"an adventure deck has nine sites, not {len(sites)}")
    for site in sites:
        yield from off_path(site, fmt)
    if post_shadows(fmt):
        if options.deck_limits:
            for key, times in Counter(site.id for site in sites).items():
                if times > 1:
                    yield Violation("L1", f"{catalogue[key].title} is in the deck {times} times", key)
            for shadow, times in sorted(Counter(site.shadow for site in sites).items()):
                if times > 3:
                    yield Violation("L1", f"{times} sites have Shadow number {shadow}; three are the most")
        return
    for number in NUMBERS:
        times = sum(site.number == number and site.block is PATHS[fmt] for site in sites)
        if times != 1:
            yield Violation("L15", f"there is one site of each number; number {number} is there {times} times")
