"""The range of a walking character: steps, Strongholds that stop it, sieges that close regions (W8-W14, W21-W25)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sbg_sim.boards.game import Reached
from sbg_sim.boards.search import ways

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sbg_sim.boards.war_of_the_ring.chart import Character
    from sbg_sim.boards.war_of_the_ring.position import State


@dataclass(frozen=True, slots=True)
class Terrain:
    """The effect of the map on one walking character.

    Parameters
    ----------
    stops
        Regions that end the move when they are entered.
    closed
        Regions that cannot be entered, each with the rule that forbids it.
    no_end
        Regions where the move cannot end, each with the rule that forbids it.
    sealed
        Regions that cannot be left, each with the rule that forbids it.

    """

    stops: frozenset[str]
    closed: tuple[tuple[str, str], ...] = ()
    no_end: tuple[tuple[str, str], ...] = ()
    sealed: tuple[tuple[str, str], ...] = ()

    def without(self, rule: str) -> Terrain:
        """Return the terrain without the effects of one rule."""
        return replace(
            self,
            stops=frozenset() if rule in {"W12", "W21"} else self.stops,
            closed=tuple(pair for pair in self.closed if pair[1] != rule),
            no_end=tuple(pair for pair in self.no_end if pair[1] != rule),
            sealed=tuple(pair for pair in self.sealed if pair[1] != rule),
        )


OPEN = Terrain(frozenset())


def terrain(state: State, walker: Character) -> Terrain:
    """Return the effect of the map on a Companion (W12, W13) or on the Mouth of Sauron (W24, W25)."""
    regions, options = state.chart.regions, state.options
    siege_rule = "W13" if walker.side == "free-peoples" else "W24"
    free_of_siege = walker.side == "free-peoples" and state.means is not None and state.means.ignore_siege
    sealed = () if free_of_siege else _pairs((r for r in regions if state.sealed(r, walker.side)), siege_rule)
    closed, no_end = (sealed, ()) if options.siege_blocks == "entering" else ((), sealed)
    if walker.side == "free-peoples":
        stops = frozenset(
            place
            for place, region in regions.items()
            if region.is_stronghold
            and state.owner(place) == "shadow"
            and (options.besieged_stronghold_stops or state.besieged_by(place) != "free-peoples")
        )
        return Terrain(stops, closed, no_end, sealed)
    shut = _pairs((place for place in regions if state.shut(place)), "W25")
    stops = frozenset(
        place
        for place, region in regions.items()
        if options.mouth_besieged == "stop" and region.is_stronghold and state.besieged_by(place) == "shadow"
    )
    if options.mouth_passing == "every-region":
        return Terrain(stops, closed + shut, no_end, sealed)
    return Terrain(stops, closed, no_end + shut, sealed)


def _pairs(places: Iterable[str], rule: str) -> tuple[tuple[str, str], ...]:
    return tuple((place, rule) for place in sorted(places))


def walk(state: State, origin: str, ground: Terrain, limit: int | None = None) -> dict[str, Reached]:
    """Return the regions within `limit` steps of `origin`, without itself, with their distances and routes.

    A region that stops is reached but not passed through; a closed one is not reached; from a sealed origin none is.
    """
    if origin in dict(ground.sealed):
        return {}
    closed, no_end = dict(ground.closed), dict(ground.no_end)

    def onward(here: str) -> Iterator[tuple[int, str, str]]:
        if here == origin or here not in ground.stops:
            yield from ((1, there, there) for there in sorted(state.chart.regions[here].neighbours - closed.keys()))

    found = ways(origin, onward=onward, limit=limit)
    return {way.end: Reached(way.cost, (origin, *way.moves)) for way in found if way.cost and way.end not in no_end}
