"""Site cards and their printed numbers, and the four adventure paths that come with the package."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Final

from sbg_sim.boards.names import find_name


class Block(StrEnum):
    """The blocks; each has a path of its own (L22, L27)."""

    FELLOWSHIP = "fellowship"
    TOWER = "tower"
    KING = "king"
    SHADOWS = "shadows"


class Arrow(StrEnum):
    """The direction of the arrow at the bottom of a site (L4)."""

    LEFT = "left"
    RIGHT = "right"


NUMBERS: Final = range(1, 10)
"""The numbers of an adventure path (L1, L15)."""


@dataclass(frozen=True, slots=True)
class SiteNumber:
    """A number as printed in game text and on cards, with its block symbol.

    Parameters
    ----------
    number
        1 to 9.
    block
        The block; Fellowship sites bear no symbol, so that no symbol means that block (L22).

    """

    number: int
    block: Block = Block.FELLOWSHIP

    def __post_init__(self) -> None:
        if self.number not in NUMBERS:
            raise ValueError(f"a site's number is 1 to 9, not {self.number}")
        if self.block is Block.SHADOWS:
            raise ValueError("Shadows sites have no printed number")

    def __str__(self) -> str:
        symbol = "" if self.block is Block.FELLOWSHIP else f"[{self.block.value}]"
        return f"{self.number}{symbol}"

    @classmethod
    def parse(cls, text: str) -> SiteNumber:
        """Return the number in a text such as ``3``, ``3[tower]`` or ``3[king]``.

        Raises
        ------
        ValueError
            For any other text.

        Examples
        --------
        >>> SiteNumber.parse("3[tower]")
        SiteNumber(number=3, block=<Block.TOWER: 'tower'>)

        """
        match = re.fullmatch(r"\s*([1-9])\s*(?:\[\s*(tower|king)\s*\])?\s*", text, re.IGNORECASE)
        if match is None:
            raise ValueError(f"{text!r} is no site number; write 3, 3[tower] or 3[king]")
        symbol = match.group(2)
        return cls(int(match.group(1)), Block(symbol.lower()) if symbol else Block.FELLOWSHIP)


@dataclass(frozen=True, slots=True)
class Site:
    """One site card.

    Parameters
    ----------
    id
        Block and slug, such as ``king/anduin-banks``.
    title
        The printed title.
    block
        The block to whose path it belongs.
    number
        The printed number; None on Shadows sites (L2).
    arrow
        The direction to the player who plays the next site (L4).
    shadow
        The Shadow number.
    card
        Set and number within the set; (0, 0) when unknown.

    """

    id: str
    title: str
    block: Block
    number: int | None
    arrow: Arrow
    shadow: int = 0
    card: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        if self.block is Block.SHADOWS and self.number is not None:
            raise ValueError(f"L2: {self.title} has a dark compass and so no site number")
        if self.block is not Block.SHADOWS and self.number not in NUMBERS:
            raise ValueError(f"L2: {self.title} is of the {self.block.value} path and so has a number, 1 to 9")

    @property
    def dark_compass(self) -> bool:
        """Whether it is a site of Shadows or later (L2)."""
        return self.block is Block.SHADOWS

    @property
    def printed(self) -> str:
        """The text beside the compass: a number with its symbol, or nothing (L22)."""
        return "" if self.number is None else str(SiteNumber(self.number, self.block))


Catalogue = Mapping[str, Site]
"""Sites by id."""


def catalogue_of(sites: Iterable[Site]) -> Catalogue:
    """Return `sites` by id."""
    return {site.id: site for site in sites}


@cache
def standard_sites() -> Catalogue:
    """Return every site of the four paths that come with the package."""
    out: dict[str, Site] = {}
    folder = resources.files("sbg_sim.boards.lotr_tcg").joinpath("paths")
    for block in Block:
        data = tomllib.loads(folder.joinpath(f"{block.value}.toml").read_text(encoding="utf-8"))
        for number, sites in data["sites"].items():
            for slug, fact in sites.items():
                site = Site(
                    id=f"{block.value}/{slug}",
                    title=fact["title"],
                    block=block,
                    number=None if number == "unnumbered" else int(number),
                    arrow=Arrow(fact["arrow"]),
                    shadow=fact["shadow"],
                    card=(fact["card"][0], fact["card"][1]),
                )
                out[site.id] = site
    return out


def site_names(catalogue: Catalogue, block: Block | None = None) -> dict[str, tuple[str, ...]]:
    """Return by id the further names of each site: its title.

    A title that occurs in several blocks means the site of `block`, if given.
    """
    of_block = {site.title for site in catalogue.values() if site.block is block}
    return {
        site.id: (site.title,) if site.block is block or site.title not in of_block else ()
        for site in catalogue.values()
    }


def find_site(name: str, catalogue: Catalogue, block: Block | None = None) -> Site:
    """Return the site with this id or title; UnknownNameError if there is none or several."""
    return catalogue[find_name(name, site_names(catalogue, block), "site")]
