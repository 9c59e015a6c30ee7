"""A route: the move of a model, leg by leg; the witness of an answer."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from sbg_sim.pictured import Pictured
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.tolerance import PATH_STEP

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point

LEG_KINDS: Final = (
    "straight",  # along a segment
    "arc",  # round a base, a zone or a corner, or along a curved rim
    "jump",  # a straight chord over an obstacle or a prone model, with a Jump test
    "leap",  # a straight chord over a gap, with a Leap test
    "up",  # onto a platform lower than h/2: a straight shift across its rim, free of tests
    "down",  # off a platform by no more than h: a straight shift across its rim, free of tests
    "climb",  # up a face, with a Climb test; ``rise`` inches; the shift across the rim is free
    "descend",  # down a face, with a Climb test; ``rise`` is negative
    "ladder",  # up or down a ladder: ``rise`` inches of movement, no test
    "stand",  # stand up, M/2
    "lie",  # lie down, M/2
    "crawl",  # up to 1" while prone; along an arc if it has a centre
)

FACES: Final = frozenset({"climb", "descend", "ladder"})
"""Kinds of legs that can end half way: the model stays on the face (CLB.4)."""

_TRIED: Final = {
    "jump": "jump over",
    "jump-prone": "jump over prone",
    "leap": "leap over",
    "climb": "climb",
    "descend": "climb down",
}
TEST_RULES: Final = {"jump": "JMP.1", "jump-prone": "PRN.5", "leap": "LEAP.2", "climb": "CLB.2", "descend": "FALL.1"}
"""The rule that gives the results of a die, by the kind of its test."""


@dataclass(frozen=True, slots=True)
class Test:
    """A die on the way.

    Parameters
    ----------
    kind
        ``"jump"``, ``"leap"``, ``"climb"``, ``"descend"`` or ``"jump-prone"``.
    over
        Id of the terrain or prone model that is crossed.
    at, landing
        The mover's centre before and after, inches.
    results
        The effect of each result in words, by ``"1"``, ``"2-5"``, ``"6"`` (or ``"2-6"``).
    rule
        The rule id.
    landing_on
        The surface of the landing; None is the ground.
    drop
        Inches fallen on a 1; 0 without a fall.
    prone_on_fail
        Whether a 1 leaves the mover prone.
    fail_at
        The mover's centre after a 1, inches.
    fail_hits
        Strength 3 hits taken on a 1 (FALL.2).
    fail_on
        The mover's level after a 1; None is the ground.

    """

    __test__ = False

    kind: str
    over: str
    at: Point
    landing: Point
    results: FrozenMap[str, str] = field(default_factory=FrozenMap)
    rule: str = ""
    landing_on: str | None = None
    drop: float = 0.0
    prone_on_fail: bool = False
    fail_at: Point | None = None
    fail_hits: int = 0
    fail_on: str | None = None

    @property
    def named(self) -> str:
        """The attempt, in words.

        Examples
        --------
        >>> Test("jump", "wall", (0, 0), (2, 0)).named, Test("leap", "roof", (0, 0), (3, 0), landing_on="roof").named
        ('jump over wall', 'leap to roof')

        """
        onto = {"jump": "jump onto", "leap": "leap to"} if self.landing_on == self.over else {}
        return f"{onto.get(self.kind) or _TRIED.get(self.kind, self.kind)} {self.over}"

    @property
    def table(self) -> str:
        """Id of the rule that gives the results of the die; empty for an unknown kind.

        Examples
        --------
        >>> Test("climb", "tower", (0, 0), (1, 0), rule="CLB.1").table
        'CLB.2'

        """
        return TEST_RULES.get(self.kind, "")


@dataclass(frozen=True, slots=True)
class Leg:
    """One piece of a route.

    Parameters
    ----------
    kind
        One of :data:`LEG_KINDS`.
    start, end
        The base's centre before and after, inches.
    cost
        Movement used, inches.
    surface
        The level on which it is made (the one after it, if it leads to another); None is the ground.
    center, radius, sweep
        Of an arc, crawled or walked: centre, radius (inches) and signed angle (radians, counter-clockwise positive).
    rise
        Inches up (positive) or down for climbs, descents and ladders.
    test
        The test that it needs, if any.

    Examples
    --------
    >>> Leg("straight", (0, 0), (3, 4), 5.0).length
    5.0

    """

    kind: str
    start: Point
    end: Point
    cost: float
    surface: str | None = None
    center: Point | None = None
    radius: float = 0.0
    sweep: float = 0.0
    rise: float = 0.0
    test: Test | None = None

    @property
    def length(self) -> float:
        """Length over the ground, inches.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/jumping.toml")
        >>> route = sbg.check(table, "pippin-goes-on").route
        >>> round(route.legs[0].length, 4)
        1.5079

        """
        if self.center is not None:
            return self.radius * abs(self.sweep)
        return math.dist(self.start, self.end)

    @property
    def walked(self) -> bool:
        """Whether it is walked: straight or along an arc, and not crawled.

        Examples
        --------
        >>> Leg("straight", (0, 0), (3, 4), 5.0).walked, Leg("jump", (0, 0), (3, 4), 5.0).walked
        (True, False)

        """
        return self.kind in {"straight", "arc"}

    @property
    def stops_anywhere(self) -> bool:
        """Whether it can be broken off anywhere: walked or crawled.

        Examples
        --------
        >>> Leg("crawl", (0, 0), (1, 0), 1.0).stops_anywhere, Leg("climb", (0, 0), (1, 0), 2.0).stops_anywhere
        (True, False)

        """
        return self.walked or self.kind == "crawl"

    def risen(self, spent: float) -> float:
        """Return how far up a face (negative: down) the first ``spent`` inches of movement lead (CLB.1, CLB.5).

        Cost beyond that of the height is for the way along the top of a wall: after the way up, or before the way down.

        Examples
        --------
        >>> over = Leg("climb", (9, 12), (14, 12), 7.0, rise=3.0)  # an inch of it along the top
        >>> over.risen(2.0), over.risen(6.5), Leg("descend", (9, 12), (14, 12), 7.0, rise=-3.0).risen(2.0)
        (1.0, 3.0, -0.5)

        """
        rate = 1 if self.kind == "ladder" else 2
        first = 0.0 if self.rise >= 0 else self.cost - rate * -self.rise
        return math.copysign(min(max(spent - first, 0.0) / rate, abs(self.rise)), self.rise)

    def points(self, step: float = PATH_STEP) -> list[Point]:
        """Return points along the leg, ends included, arcs no coarser than ``step`` inches.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/jumping.toml")
        >>> route = sbg.check(table, "pippin-goes-on").route
        >>> route.legs[0].points()
        [(6.0, 12.0), (7.5078740157480315, 12.0)]

        """
        if self.center is None:
            return [self.start, self.end]
        count = max(1, math.ceil(self.length / step))
        cx, cy = self.center
        first = math.atan2(self.start[1] - cy, self.start[0] - cx)
        inner = [
            (
                cx + self.radius * math.cos(first + self.sweep * i / count),
                cy + self.radius * math.sin(first + self.sweep * i / count),
            )
            for i in range(1, count)
        ]
        return [self.start, *inner, self.end]


@dataclass(frozen=True, slots=True)
class Route(Pictured):
    """A whole move.

    Parameters
    ----------
    legs
        In order; each starts where the one before ends.

    Examples
    --------
    >>> Route((Leg("straight", (0, 0), (3, 4), 5.0), Leg("straight", (3, 4), (3, 5), 2.0))).cost
    7.0

    """

    legs: tuple[Leg, ...] = ()

    @property
    def cost(self) -> float:
        """Movement used, inches.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/jumping.toml")
        >>> route = sbg.check(table, "pippin-goes-on").route
        >>> round(route.cost, 6)
        4.0

        """
        return math.fsum(leg.cost for leg in self.legs)

    @property
    def tests(self) -> tuple[Test, ...]:
        """The dice on the way, in order.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/jumping.toml")
        >>> route = sbg.check(table, "pippin-goes-on").route
        >>> [test.over for test in route.tests]
        ['wall']

        """
        return tuple(leg.test for leg in self.legs if leg.test is not None)

    def points(self, step: float = PATH_STEP) -> list[Point]:
        """Return the polyline of the base's centre, arcs no coarser than ``step`` inches, no point twice in a row.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/jumping.toml")
        >>> route = sbg.check(table, "pippin-goes-on").route
        >>> route.points()[-1]
        (10.0, 12.0)

        """
        found: list[Point] = []
        for leg in self.legs:
            found += [p for p in leg.points(step) if not found or p != found[-1]]
        return found
