"""Violations: why something is not allowed; the value that solver, referee and phase share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point


@dataclass(frozen=True)
class Violation:
    """One reason why something is not allowed.

    Parameters
    ----------
    rule
        Rule id, as ``CZ.1``.
    reason
        What is not allowed, one sentence.
    place
        Where, inches; None when it has no place.
    blame
        Id of the model or terrain that is in the way; empty if there is none.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> verdict = sbg.check(table, sbg.Charge("merry", "lurtz"))
    >>> verdict.violations[0].rule
    'MOV.3'

    """

    rule: str
    reason: str
    place: Point | None = None
    blame: str = ""
