"""Every rule by its id, said in this package's own words: what verdicts cite, and what explains them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from sbg_sim.document.suggest import meant
from sbg_sim.errors import UnknownNameError
from sbg_sim.rules.wording import WORDING
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.rulings import RULINGS

CHAPTERS: Final = FrozenMap(
    {
        "MOV": "Moving",
        "CZ": "Control Zones",
        "CHG": "Charging",
        "PAIR": "Pairing off",
        "TER": "Terrain",
        "JMP": "Jumping",
        "LEAP": "Leaping",
        "CLB": "Climbing",
        "FALL": "Going down and falling",
        "PRN": "Lying down",
        "REINF": "Reinforcements",
        "LOS": "Line of sight",
    }
)
"""Chapters by the letters their rule ids begin with, in the order in which a move needs them."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule, as this package understands and applies it.

    Parameters
    ----------
    id
        What verdicts cite, as ``CZ.1``.
    title
        A few words.
    text
        The whole of it, in a few sentences; lengths are inches.
    scenario
        A file that shows it, under ``scenarios/``; empty when there is none.

    Examples
    --------
    >>> RULES["CZ.2"].title, RULES["CZ.2"].chapter
    ('Who has no zone', 'Control Zones')

    """

    id: str
    title: str
    text: str
    scenario: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the rule as plain data, with the readings of its rulings, the default first.

        Examples
        --------
        >>> RULES["CZ.1"].as_json()["chapter"]
        'Control Zones'

        """
        return {
            "id": self.id,
            "chapter": self.chapter,
            "title": self.title,
            "text": self.text,
            "scenario": self.scenario,
            "rulings": {name: list(RULINGS[name].readings) for name in self.rulings},
        }

    @property
    def chapter(self) -> str:
        """The name of its chapter.

        Examples
        --------
        >>> RULES["CHG.3"].chapter
        'Charging'

        """
        return CHAPTERS[self.id.partition(".")[0]]

    @property
    def rulings(self) -> tuple[str, ...]:
        """Names of the rulings that choose between readings of it.

        Examples
        --------
        >>> RULES["CZ.1"].rulings
        ('zones_across_surfaces', 'charge_on_a_six')

        """
        return tuple(name for name, ruling in RULINGS.items() if ruling.rule == self.id)


_RULES: Final = tuple(Rule(*row) for row in WORDING)

RULES: Final[FrozenMap[str, Rule]] = FrozenMap({rule.id: rule for rule in _RULES})
"""Every rule by its id, chapter after chapter."""


def rules(name: str = "") -> tuple[Rule, ...]:
    """Return the rule of an id, the rules of a chapter (``MOV``), or all of them.

    Parameters
    ----------
    name
        An id or a chapter, in capitals or not.

    Raises
    ------
    UnknownNameError
        If there is neither.

    Examples
    --------
    >>> [rule.title for rule in rules("jmp")]
    ['The Jump test', 'What a jump costs', 'How high']

    """
    wanted = name.strip().upper()
    found = tuple(rule for rule in _RULES if wanted in ("", rule.id, rule.id.partition(".")[0]))
    if not found:
        raise UnknownNameError(f"no rule or chapter is called {name!r}{meant(wanted, (*CHAPTERS, *RULES))}")
    return found
