"""Readings of the rules of The Riddle of the Ring that the text leaves open, each a named option."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sbg_sim.boards.readings import check_readings


@dataclass(frozen=True, slots=True)
class Options:
    """One reading of every doubtful rule; the package argues for the defaults.

    Parameters
    ----------
    exact_roll
        True: all points must be used while a step is legal. False: a marker may move less.
    leaving_rough
        ``"free"``: only entering forest or mountain stops the marker; a turn that begins there may go on outside.
        ``"one-space"``: without the card the first step out of it ends the turn as well.
    two_terrains
        A space both wooded and steep requires ``"both"`` cards or ``"either"``.
    road_space
        ``"along"``: a road helps a marker that moves along it. ``"any"``: a space with a road is never rough.
    road_pair
        ``"joined"``: two road steps count one if the road continues through the middle space, also onto a second road
        that meets it. ``"one-road"``: only if both are on one named road.
    road_by_boat
        A road that ends at a river without bridge or ford and is crossed by Boat: a ``"single"`` step, or ``"double"``
        as on a road.
    river_pace
        A step from dot to dot counts one (``"single"``), or two of them count one as on water spaces (``"double"``).
    head_by_river
        A marker that comes along the river to a river-head city on rough land: ``"river"`` stops it only on the land
        side, ``"land"`` stops it altogether. From another river it goes ashore, and stops.
    small_rough
        Whether thickets and hills count in the rules on Boats and river heads, which name only forest and mountain.
    flight
        ``"free"``: flying is done beside the roll. ``"instead"``: it is the whole move.
    flights_spent
        Whether a card that carries the marker is used up (the text of the cards is not part of the rules used here).
    fly_to_dots
        Whether a marker with a Boat may land on a river dot.
    horse_bonus
        Points a Horse adds, for steps on land only.
    horse_after_water
        What is left of the Horse's points after a step on water: ``"kept"`` or ``"lost"``.
    bombadil_range
        How many spaces Tom Bombadil carries the marker.
    bombadil_graph
        What is counted: ``"spaces"``, or ``"dots"`` for spaces and river dots.
    bombadil_zero
        Whether he may set the marker down where it stood.
    bombadil_stop
        Whether rough land stops the marker he sets down, as with flying.
    cards_outside
        Cloak and Rope in play when the turn ends away from their terrain: ``"lost"`` or ``"kept"``.

    """

    exact_roll: bool = False
    leaving_rough: Literal["free", "one-space"] = "free"
    two_terrains: Literal["both", "either"] = "both"
    road_space: Literal["along", "any"] = "along"
    road_pair: Literal["joined", "one-road"] = "joined"
    road_by_boat: Literal["single", "double"] = "single"
    river_pace: Literal["single", "double"] = "single"
    head_by_river: Literal["river", "land"] = "river"
    small_rough: bool = True
    flight: Literal["free", "instead"] = "free"
    flights_spent: bool = True
    fly_to_dots: bool = True
    horse_bonus: int = 0
    horse_after_water: Literal["kept", "lost"] = "kept"
    bombadil_range: int = 6
    bombadil_graph: Literal["spaces", "dots"] = "spaces"
    bombadil_zero: bool = False
    bombadil_stop: bool = True
    cards_outside: Literal["lost", "kept"] = "lost"

    def __post_init__(self) -> None:
        check_readings(self)
