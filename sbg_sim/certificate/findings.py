"""The findings of a verification."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Findings:
    """The results of verifying the claims of a certificate, a sentence each.

    Parameters
    ----------
    confirmed
        Claims that were computed anew and are true.
    unconfirmed
        Claims that would take a search, and were not checked.
    refuted
        Claims that are false.

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
        """Note one of two sentences by whether a claim holds, and return that; an empty sentence is not noted.

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
