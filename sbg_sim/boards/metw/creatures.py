"""Creatures that may attack a company directly, by the types of the regions on its journey (M25, M26)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from sbg_sim.boards.game import Violation
from sbg_sim.boards.metw.kinds import RegionType, written
from sbg_sim.boards.metw.options import Options


@dataclass(frozen=True, slots=True)
class Creature:
    """A creature card: its name and its region symbols; two equal symbols require two regions of that type."""

    name: str
    symbols: tuple[RegionType, ...]


def explain_attack(
    creature: Creature, offered: tuple[RegionType, ...], options: Options | None = None
) -> tuple[Violation, ...]:
    """Return why `creature` may not attack on a journey with these region types; empty if it may.

    One type is enough, if the journey has it as often as the card (M25, M26).
    """
    options = options or Options()
    wanted, there = Counter(creature.symbols), Counter(offered)
    if options.double_symbol == "one-card":
        wanted = Counter(set(creature.symbols))
    if any(there[kind] >= count for kind, count in wanted.items()):
        return ()
    short = [kind for kind in wanted if there[kind]]
    if short:
        kind = short[0]
        reason = f"{creature.name} needs {wanted[kind]} regions of type {kind.value}, not {there[kind]}"
        return (Violation("M26", reason),)
    card = f"{creature.name} ({written(creature.symbols)})"
    among = f"no type of {card} is among {written(offered)}"
    return (Violation("M25", among if offered else f"no region type is shown that {card} could match"),)
