"""The referee's findings on one path: violations, cost, zones entered, and where dice end it; frozen values."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from sbg_sim.pictured import Pictured
from sbg_sim.table.route import Route

if TYPE_CHECKING:
    from sbg_sim.referee.curves import Spot
    from sbg_sim.table.route import Test
    from sbg_sim.table.violation import Violation


@dataclass(frozen=True, slots=True)
class Entry:
    """A zone entered on the way.

    Parameters
    ----------
    enemy
        The id of the enemy whose zone it is.
    place
        The mover's centre at that instant, inches.
    after
        Inches of path before it.

    """

    enemy: str
    place: Spot
    after: float


@dataclass(frozen=True, slots=True)
class Stop:
    """An end of a move by the results of dice.

    Parameters
    ----------
    results
        The results in order, each ``"1"``, ``"2-5"``, ``"2-6"`` or ``"6"``.
    place
        The mover's centre then, inches.
    surface
        Its surface then; None is the ground.
    legs
        The number of legs of the route made until then.
    cost
        Movement used, inches.
    prone
        Whether it is prone there.
    must_charge
        The prone enemy it must charge instead (PRN.5); empty when there is none.

    """

    results: tuple[str, ...]
    place: Spot
    surface: str | None
    legs: int
    cost: float
    prone: bool = False
    must_charge: str = ""


@dataclass(frozen=True, slots=True)
class Audit(Pictured):
    """A judged path.

    Parameters
    ----------
    violations
        All its violations of rules; empty for a legal path.
    cost
        The movement that it uses, recomputed, inches.
    allowance
        The movement that it may use, inches.
    tests
        The dice on the way, in order.
    entered
        Enemy zones in the order entered; those in which the mover starts are in ``stuck``.
    stuck
        Ids of the enemies in whose zones the mover starts.
    clearance
        Least distance between the mover's base and another on the way, inches; infinite when alone.
    stops
        Where each result of each test ends the move behind sixes alone, then the path's own end.
    reached
        Where the given rolls end it; None when none were given.
    route
        The path as legs.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.load("scenarios/charging-2.toml")
    >>> seen = sbg.audit(table, "uruk-3", sbg.Route(()))
    >>> seen.legal, seen.cost
    (True, 0.0)

    """

    violations: tuple[Violation, ...] = ()
    cost: float = 0.0
    allowance: float = math.inf
    tests: tuple[Test, ...] = ()
    entered: tuple[Entry, ...] = ()
    stuck: tuple[str, ...] = ()
    clearance: float = math.inf
    stops: tuple[Stop, ...] = ()
    reached: Stop | None = None
    route: Route = field(default_factory=Route, repr=False)

    @property
    def legal(self) -> bool:
        """Whether nothing is wrong with it.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/jumping.toml")
        >>> route = sbg.check(table, "merry-across").route
        >>> sbg.audit(table, "merry", route).legal
        True

        """
        return not self.violations

    def as_json(self) -> dict[str, Any]:
        """Return the account as plain data; what has no bound is None.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> table = sbg.load("scenarios/jumping.toml")
        >>> route = sbg.check(table, "merry-across").route
        >>> sbg.audit(table, "merry", route).as_json()["legal"]
        True

        """
        return {
            "legal": self.legal,
            "cost": self.cost,
            "allowance": self.allowance if math.isfinite(self.allowance) else None,
            "clearance": self.clearance if math.isfinite(self.clearance) else None,
            "violations": [asdict(one) for one in self.violations],
            "tests": [asdict(one) | {"results": dict(one.results)} for one in self.tests],
            "entered": [asdict(one) for one in self.entered],
            "stuck": list(self.stuck),
            "stops": [asdict(one) for one in self.stops],
            "reached": None if self.reached is None else asdict(self.reached),
        }
