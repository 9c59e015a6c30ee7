"""What came of verifying a certificate."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Findings:
    """What a certificate's claims are worth, a sentence each.

    Parameters
    ----------
    confirmed
        What was worked out anew and is so.
    unconfirmed
        What would take a search of its own, and was not looked for.
    refuted
        What is not so.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> found = sbg.Findings(confirmed=["what stands on the table"], refuted=["the cost is not 6 in but 7 in"])
    >>> found.sound, found.as_json()["result"]
    (False, 'refuted')

    """

    confirmed: list[str] = field(default_factory=list)
    unconfirmed: list[str] = field(default_factory=list)
    refuted: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether nothing was refuted.

        Examples
        --------
        >>> Findings().sound
        True

        """
        return not self.refuted

    def hold(self, holds: bool, good: str, bad: str) -> bool:
        """Note what holds or what does not, and return whether it does; an empty sentence is not noted.

        Examples
        --------
        >>> found = Findings()
        >>> found.hold(2 < 3, "two is less", "two is not less")
        True
        >>> found.sound
        True

        """
        said = good if holds else bad
        if said:
            (self.confirmed if holds else self.refuted).append(said)
        return holds

    def as_json(self) -> dict[str, Any]:
        """Return what the command line prints, ready for :func:`json.dumps`.

        Examples
        --------
        >>> sorted(Findings().as_json())
        ['confirmed', 'refuted', 'result', 'unconfirmed']

        """
        return {
            "result": "confirmed" if self.sound else "refuted",
            "confirmed": list(self.confirmed),
            "unconfirmed": list(self.unconfirmed),
            "refuted": list(self.refuted),
        }
