"""Readings of the rules for moving characters that the text leaves open, each a named option."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sbg_sim.boards.readings import check_readings


@dataclass(frozen=True, slots=True)
class Options:
    """Readings of the rules that the text leaves open.

    Parameters
    ----------
    besieged_stronghold_stops
        Whether Companions must stop at a Shadow Stronghold that is itself under siege (W12).
    control
        The side that counts as the owner of a Stronghold in W12, W17 and W25: its ``current`` holder, or its
        ``original`` owner.
    friendly
        Which besieged Strongholds are friendly for W13 and W24: those ``controlled`` by the mover's side,
        or those that were its ``original`` ones.
    mouth_passing
        Where W25 forbids the Mouth of Sauron to be: in ``every-region`` on his way, or only at his ``destination``.
    siege_blocks
        What a siege forbids in W13 and W24: ``entering``, also on the way through, or only ``landing``.
    mouth_alone
        When the Mouth of Sauron moves alone (W21): ``without-army``, or ``without-figures`` of any kind.
    level_zero_rides
        Whether a character of Level 0 may go along in a group of Companions (W7, W9).
    mouth_besieged
        What the Mouth of Sauron does in a besieged Stronghold of the Free Peoples: ``go-on`` or ``stop``.
    nazgul_null_move
        Whether moving a Nazgûl to the region where it is counts as a move.

    """

    besieged_stronghold_stops: bool = True
    control: Literal["current", "original"] = "current"
    friendly: Literal["controlled", "original"] = "controlled"
    mouth_passing: Literal["every-region", "destination"] = "every-region"
    siege_blocks: Literal["entering", "landing"] = "entering"
    mouth_alone: Literal["without-army", "without-figures"] = "without-army"
    level_zero_rides: bool = False
    mouth_besieged: Literal["go-on", "stop"] = "go-on"
    nazgul_null_move: bool = False

    def __post_init__(self) -> None:
        check_readings(self)
