"""A position of War of the Ring as far as it concerns characters: figures, Strongholds, sieges, dice and cards."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, get_args

from sbg_sim.boards.war_of_the_ring.options import Options
from sbg_sim.errors import SbgError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sbg_sim.boards.war_of_the_ring.chart import Chart, Side

MeansKind = Literal["character-die", "event", "will-of-the-west-die", "muster-die", "army-die"]
MoveKind = Literal["begin", "travel", "enter", "separate", "end"]


@dataclass(frozen=True, slots=True, order=True)
class Means:
    """The means of an action: an Action die result or an Event card.

    Parameters
    ----------
    side
        The side that uses it.
    kind
        The die result, or ``event``.
    moves
        Whether an Event card lets characters move (W4); for a die its result decides.
    ignore_siege
        Whether an Event card lets Companions leave and enter besieged Strongholds (W13).
    name
        The name of the card, if any.

    """

    side: Side
    kind: MeansKind = "character-die"
    moves: bool = True
    ignore_siege: bool = False
    name: str = ""

    @property
    def moves_characters(self) -> bool:
        """Whether it moves characters: a Character die result or an Event card with that effect (W4)."""
        return self.kind == "character-die" or (self.kind == "event" and self.moves)


@dataclass(frozen=True, slots=True)
class Move:
    """One step of an action.

    Parameters
    ----------
    kind
        ``begin`` takes a die or card, ``travel`` moves figures, ``enter`` brings one in by its card,
        ``separate`` takes a Companion out of the Fellowship, ``end`` ends the action.
    figures
        Ids of the figures. Several Companions form a group (W9); several figures of the Shadow each move alone.
    to
        The region, for ``travel``, ``enter`` and ``separate``.
    means
        The die or card that ``begin`` takes.

    """

    kind: MoveKind
    figures: tuple[str, ...] = ()
    to: str | None = None
    means: Means | None = None

    def __post_init__(self) -> None:
        if self.kind not in get_args(MoveKind):
            raise SbgError(f"{self.kind!r:.60} is no kind of move; there are {', '.join(get_args(MoveKind))}")


@dataclass(frozen=True)
class State:
    """A position, immutable; names in it are kept as ids.

    Parameters
    ----------
    chart
        Map and characters.
    figures
        Pairs (character, region) of the characters on the map, each at most once.
    fellowship, fellowship_at
        The Companions in the Fellowship, and its region (None: off the map).
    control
        Pairs (region, side) of settlements held by another side than the original owner.
    besieged
        Regions whose Stronghold is besieged by an Army of the side that does not control it.
    armies
        Pairs (region, side) of Armies in the open; characters that move without an Army ignore them (W11, W23).
    entries
        Pairs (character, region) for which the conditions on Character cards are met now (W2, W3).
    pool
        Dice and Event cards not yet used.
    means
        The means of the current action, or None.
    moved
        Characters moved in this action (W26).
    phase
        ``action-resolution``, or another phase, in which no character moves (W4).
    options
        Readings of the rules.

    Raises
    ------
    SbgError
        When a character stands twice, or a siege is at a region without a held Stronghold.

    """

    chart: Chart
    figures: tuple[tuple[str, str], ...] = ()
    fellowship: frozenset[str] = frozenset()
    fellowship_at: str | None = None
    control: tuple[tuple[str, Side], ...] = ()
    besieged: frozenset[str] = frozenset()
    armies: frozenset[tuple[str, Side]] = frozenset()
    entries: frozenset[tuple[str, str]] = frozenset()
    pool: tuple[Means, ...] = ()
    means: Means | None = None
    moved: frozenset[str] = frozenset()
    phase: str = "action-resolution"
    options: Options = field(default_factory=Options)

    def __post_init__(self) -> None:
        def set_to(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        region, character = self.chart.region, self.chart.character
        set_to("figures", tuple(sorted((character(who).id, region(place).id) for who, place in self.figures)))
        set_to("fellowship", frozenset(character(who).id for who in self.fellowship))
        set_to("control", tuple(sorted((region(place).id, side) for place, side in self.control)))
        set_to("besieged", frozenset(region(place).id for place in self.besieged))
        set_to("armies", frozenset((region(place).id, side) for place, side in self.armies))
        set_to("entries", frozenset((character(who).id, region(place).id) for who, place in self.entries))
        set_to("pool", tuple(sorted(self.pool)))
        if self.fellowship_at is not None:
            set_to("fellowship_at", region(self.fellowship_at).id)
        standing = [who for who, _ in self.figures]
        if len(set(standing)) < len(standing) or self.fellowship & set(standing):
            raise SbgError("a character stands in one place: one region, or the Fellowship")
        for who in self.fellowship:
            if self.chart.characters[who].kind != "companion" or self.chart.characters[who].enters:
                raise SbgError(f"{self.chart.characters[who].name} is never in the Fellowship")
        for place in self.besieged:
            if not self.chart.regions[place].is_stronghold:
                raise SbgError(f"only a Stronghold is besieged, and {self.chart.regions[place].name} has none")

    @cached_property
    def at(self) -> Mapping[str, str]:
        """The region of each character on the map."""
        return dict(self.figures)

    def holder(self, region: str) -> Side | None:
        """Return the side that now controls the settlement of `region` (an id)."""
        return dict(self.control).get(region, self.chart.regions[region].side)

    def owner(self, region: str) -> Side | None:
        """Return the side that counts as controlling `region` for W12, W17 and W25."""
        if self.options.control == "original":
            return self.chart.regions[region].side
        return self.holder(region)

    def besieged_by(self, region: str) -> Side | None:
        """Return the side whose Army besieges the Stronghold of `region`, or None."""
        if region not in self.besieged:
            return None
        return "shadow" if self.holder(region) == "free-peoples" else "free-peoples"

    def sealed(self, region: str, side: Side) -> bool:
        """Return whether an enemy Army besieges a Stronghold of `region` that is friendly to `side` (W13, W24)."""
        if self.besieged_by(region) in {None, side}:
            return False
        original = self.options.friendly == "original"
        return (self.chart.regions[region].side if original else self.holder(region)) == side

    def shut(self, region: str) -> bool:
        """Return whether an unbesieged Stronghold of the Free Peoples keeps the Shadow out (W17, W25)."""
        held = self.chart.regions[region].is_stronghold and self.owner(region) == "free-peoples"
        return held and self.besieged_by(region) != "shadow"

    def placed(self, figures: Mapping[str, str]) -> State:
        """Return the position with some characters moved to other regions."""
        return replace(self, figures=tuple({**self.at, **figures}.items()))
