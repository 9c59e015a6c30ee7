"""The meaning of site numbers in game text: homes, ranges, "or higher", "any site"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from sbg_sim.boards.lotr_tcg.cards import NUMBERS, Block, Site, SiteNumber
from sbg_sim.boards.lotr_tcg.options import Options


@dataclass(frozen=True, slots=True)
class Where:
    """A site on the path, as game text refers to it: its number there and its block."""

    number: int
    block: Block

    @classmethod
    def of(cls, site: Site, number: int) -> Where:
        """Return `site` as number `number` of the path (L16)."""
        return cls(number, site.block)


@dataclass(frozen=True, slots=True)
class SiteText:
    """A condition on a site.

    Parameters
    ----------
    first, last
        The range of numbers.
    block
        The block of the symbol in the text, Fellowship without a symbol (L23); None for "any site" (L26).

    """

    first: int
    last: int
    block: Block | None = Block.FELLOWSHIP

    @classmethod
    def parse(cls, text: str) -> SiteText:
        """Return the condition in a text.

        The forms are ``site 4``, ``site 4[king]``, ``sites 1 to 5``, ``site 5 or higher``, ``any site 5``.

        Raises
        ------
        ValueError
            For any other text.

        """
        words = " ".join(text.lower().replace("[ ", "[").split())
        number = r"([1-9](?:\s*\[\w+\])?)"
        if match := re.fullmatch(r"any site ([1-9])", words):
            return cls(int(match.group(1)), int(match.group(1)), None)
        if match := re.fullmatch(r"(?:site )?([1-9]) or higher", words):
            return cls(int(match.group(1)), NUMBERS[-1])  # Fellowship sites only (L25)
        if match := re.fullmatch(rf"sites? {number} (?:to|through) {number}", words):
            first, last = (SiteNumber.parse(part) for part in match.groups())
            if Block.FELLOWSHIP not in {first.block, last.block} and first.block is not last.block:
                raise ValueError(f"{text!r} runs over two paths")
            block = last.block if first.block is Block.FELLOWSHIP else first.block
            if first.number > last.number:
                raise ValueError(f"{text!r} runs backwards")
            return cls(first.number, last.number, block)
        if match := re.fullmatch(rf"site {number}", words):
            one = SiteNumber.parse(match.group(1))
            return cls(one.number, one.number, one.block)
        forms = "'site 4', 'sites 1 to 5', 'site 5 or higher' or 'any site 5'"
        raise ValueError(f"{text!r} is no site in game text; write {forms}")

    def holds(self, where: Where, options: Options | None = None) -> bool:
        """Whether the condition holds at a site (L23 to L26)."""
        if not self.first <= where.number <= self.last:
            return False
        if self.block is None:
            shadows = (options or Options()).any_site_counts_shadows
            return where.block is not Block.SHADOWS or shadows
        return where.block is self.block


def hobbit_stealth(where: Where) -> Literal["cancel", "strength +2"]:
    """Return the effect of Hobbit Stealth at a site: it cancels a skirmish at Fellowship sites 1 to 5 (L24)."""
    return "cancel" if SiteText(1, 5).holds(where) else "strength +2"


@dataclass(frozen=True, slots=True)
class AllyLine:
    """The line under an ally's title: home sites and race (L21)."""

    homes: tuple[SiteNumber, ...]
    race: str = ""

    @classmethod
    def parse(cls, text: str) -> AllyLine:
        """Parse a line such as ``Ally • Home 3 • Elf``, with one or more homes, which may bear symbols.

        Raises
        ------
        ValueError
            For any other text.

        Examples
        --------
        >>> AllyLine.parse("Ally • Home 3[tower] & 4[tower] • Man").homes[1].number
        4

        """
        parts = [part.strip() for part in re.split(r"[•·|]", text)]
        if len(parts) < 2 or parts[0].lower() != "ally" or not parts[1].lower().startswith("home "):
            raise ValueError(f"{text!r} is no ally's line; write 'Ally • Home 3 • Elf'")
        homes = re.split(r"\s*(?:&|,|\band\b)\s*", parts[1][5:])
        return cls(tuple(SiteNumber.parse(home) for home in homes), parts[2] if len(parts) > 2 else "")

    def at_home(self, where: Where) -> bool:
        """Whether a site is a home of the ally, by number and block; never on Shadows paths (L21, L23)."""
        return any(home.number == where.number and home.block is where.block for home in self.homes)
