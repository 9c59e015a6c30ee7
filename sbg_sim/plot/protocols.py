"""What a picture needs of results: structure, not classes, so that no result knows how it is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from fractions import Fraction

    import shapely

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table
    from sbg_sim.table.route import Route


class ReachLike(Protocol):
    """Where a model can end its move; see `plot_reach`."""

    @property
    def table(self) -> Table:
        """The table asked."""

    @property
    def model(self) -> Any:
        """The mover, or its id."""

    @property
    def allowance(self) -> float:
        """Its Move, inches."""

    @property
    def area(self) -> shapely.Geometry:
        """Where its centre can certainly end."""

    @property
    def regions(self) -> Sequence[tuple[Fraction, shapely.Geometry]]:
        """Chances and areas, nested, the best chance first."""

    @property
    def swept(self) -> shapely.Geometry:
        """What its base can cover."""

    def distance(self, xy: Any) -> Any:
        """Cost of ending at places without any die, inches; infinite where it cannot."""

    @property
    def area_error(self) -> float:
        """Bound on the error of the area, square inches."""

    @property
    def contacts(self) -> Mapping[str, Iterable[tuple[float, float]]]:
        """By enemy, the arcs of its base where the mover can end in contact, radians."""

    def path(self, xy: Point, /) -> Route | None:
        """Return the best way to a place."""


class ChargeEntryLike(Protocol):
    """One target of a charge list."""

    @property
    def target(self) -> str:
        """Id of the enemy."""

    @property
    def verdict(self) -> Verdict:
        """Whether it can be charged."""

    @property
    def arcs(self) -> Iterable[tuple[float, float]]:
        """Angles around the target where the charger can stand, radians."""

    @property
    def binds(self) -> Sequence[str]:
        """Enemies whose zones it would be bound to first."""


class ChargeListLike(Protocol):
    """Every enemy of a model, chargeable or not."""

    @property
    def table(self) -> Table:
        """The table asked."""

    @property
    def model(self) -> Any:
        """The charger, or its id."""

    @property
    def entries(self) -> Sequence[ChargeEntryLike]:
        """A row per enemy."""


class DenialLike(Protocol):
    """What one enemy's Control Zone takes away."""

    @property
    def enemy(self) -> str:
        """Whose zone."""

    @property
    def area(self) -> float:
        """Square inches of the reach it denies."""

    @property
    def region(self) -> shapely.Geometry:
        """Where the centre could end if the zone were not there."""


class DenialListLike(Protocol):
    """What every enemy's zone takes away from a model's reach."""

    @property
    def table(self) -> Table:
        """The table asked."""

    @property
    def model(self) -> Any:
        """The mover, or its id."""

    @property
    def entries(self) -> Sequence[DenialLike]:
        """A row per enemy."""


class StepLike(Protocol):
    """One move of a phase that was played."""

    @property
    def model(self) -> str:
        """Who moved."""

    @property
    def legal(self) -> bool:
        """Whether the rules allow it."""

    @property
    def at(self) -> Point | None:
        """Where its centre is afterwards, inches."""

    @property
    def rules(self) -> Sequence[str]:
        """Rule ids that decided it."""
