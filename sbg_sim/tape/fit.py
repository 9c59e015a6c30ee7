"""Least squares of distances: damped Gauss-Newton steps from many starts (Levenberg-Marquardt).

A reading is a distance with a standard deviation. The places that minimise the weighted sum of squared residuals are
sought from many starts, so that mirror images are found. Readings that leave a direction undetermined are refused. The
covariance of the places is the inverse of the normal matrix.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from sbg_sim.tolerance import ABOUT, CONDITION, HAIR, SMOOTH, SOFT, STILL, TINY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sbg_sim.arrays import Floats


Vector: TypeAlias = "Floats"
Place: TypeAlias = tuple[float, float]

EDGES: Final = ("left", "right", "lower", "upper")
CORNERS: Final = ("lower-left", "lower-right", "upper-left", "upper-right")

_STARTS: Final = 60
_STEPS: Final = 80
_OPEN: Final = HAIR  # a direction with a singular value below this share of the largest is undetermined
_ALIKE: Final = 9.0  # two fits with sums of squares that differ by less are both plausible (three sigma)
_WRONG: Final = 4.0  # a reading off by this many standard deviations contradicts the others
_SAME: Final = ABOUT  # places this near are the same, inches


@dataclass(frozen=True)
class Reading:
    """One distance read from a tape.

    Parameters
    ----------
    start, end
        Ids of models; the end may be an edge (:data:`EDGES`) or a corner (:data:`CORNERS`) of the table.
    inches, doubt
        The distance read, and its standard deviation, inches.
    centres
        Whether it was read between centres; otherwise between the edges of the bases.

    """

    start: str
    end: str
    inches: float
    doubt: float
    centres: bool = False


@dataclass(frozen=True)
class Disc:
    """A base: its radius, its place if known, and its approximate place if given; inches."""

    radius: float
    at: Place | None = None
    near: Place | None = None


@dataclass(frozen=True)
class Fit:
    """The places of models from readings.

    Parameters
    ----------
    places
        The places of the models that had none, by id, inches.
    covariance
        The covariance of each place: ``xx, xy, yy``, square inches.
    residuals
        Read less computed distances, inches, in the order of the readings.
    readings
        The readings.
    freedom
        The number of readings beyond those needed.
    sum_of_squares
        The sum of squares of residuals over doubts: about ``freedom`` if the doubts are right.
    discs, width, depth
        The bases, and the size of the table, inches.

    """

    places: Mapping[str, Place]
    covariance: Mapping[str, tuple[float, float, float]]
    residuals: tuple[float, ...]
    readings: tuple[Reading, ...]
    freedom: int
    sum_of_squares: float
    discs: Mapping[str, Disc] = field(default_factory=dict, repr=False)
    width: float = 0.0
    depth: float = 0.0

    @cached_property
    def images(self) -> tuple[Mapping[str, Place], ...]:
        """Other places that fit the readings as well, such as mirror images, and are ruled out only by ``near``."""
        bare = {name: replace(disc, near=None) for name, disc in self.discs.items()}
        system = _System(bare, self.readings, self.width, self.depth)
        alike = [x for size, x in _solutions(system) if size - self.sum_of_squares <= _ALIKE]
        rows = [{n: (float(p[0]), float(p[1])) for n in system.order for p in [system.place(n, x)]} for x in alike]
        return tuple(row for row in rows if any(math.dist(row[n], self.places[n]) > _SAME for n in row))

    @property
    def worst(self) -> int:
        """The index of the reading that fits worst."""
        return max(range(len(self.readings)), key=lambda i: abs(self.residuals[i]) / self.readings[i].doubt)

    def ellipse(self, name: str) -> tuple[float, float, float]:
        """Return the ellipse of one standard deviation: semi-axes, the longer first, inches, and its angle, radians."""
        xx, xy, yy = self.covariance[name]
        values, axes = np.linalg.eigh(np.array([[xx, xy], [xy, yy]]))
        major = axes[:, 1]
        small, large = np.sqrt(np.maximum(values, 0.0))
        return float(large), float(small), float(math.atan2(major[1], major[0]))


class MisfitError(ValueError):
    """Readings determine no places: too few, or contradictory. ``index`` is the reading to blame, or None."""

    def __init__(self, reason: str, index: int | None = None) -> None:
        self.index = index
        super().__init__(reason)


@dataclass
class _System:
    """The equations: the columns of each model, and the distances."""

    discs: Mapping[str, Disc]
    readings: Sequence[Reading]
    width: float
    depth: float
    order: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.order = [name for name, disc in self.discs.items() if disc.at is None]

    def place(self, name: str, x: Vector) -> Vector:
        disc = self.discs[name]
        if disc.at is not None:
            return np.array(disc.at)
        i = self.order.index(name)
        return x[2 * i : 2 * i + 2]

    def residuals(self, x: Vector) -> tuple[Vector, Vector]:
        """Return residuals over doubts ``(n,)``, read less computed, and their Jacobian by the places ``(n, k)``."""
        values = np.zeros(len(self.readings))
        slopes = np.zeros((len(self.readings), len(x)))
        for k, reading in enumerate(self.readings):
            far, pulls = self.length(reading, x)
            values[k] = (reading.inches - far) / reading.doubt
            for name, pull in pulls:
                if self.discs[name].at is None:
                    i = self.order.index(name)
                    slopes[k, 2 * i : 2 * i + 2] -= pull / reading.doubt
        return values, slopes

    def length(self, reading: Reading, x: Vector) -> tuple[float, list[tuple[str, Vector]]]:
        """Return the distance that a tape would read with models at some places, inches, and its gradients by these."""
        here = self.place(reading.start, x)
        less = 0.0 if reading.centres else self.discs[reading.start].radius
        if reading.end in EDGES:
            index = 0 if reading.end in {"left", "right"} else 1
            side = np.eye(2)[index]
            low = reading.end in {"left", "lower"}
            size = self.width if index == 0 else self.depth
            far = here[index] if low else size - here[index]
            return float(far) - less, [(reading.start, side if low else -side)]
        if reading.end in CORNERS:
            spot = np.array(
                [self.width if "right" in reading.end else 0.0, self.depth if "upper" in reading.end else 0.0]
            )
        else:
            spot = self.place(reading.end, x)
            less += 0.0 if reading.centres else self.discs[reading.end].radius
        away = here - spot
        apart = float(np.hypot(*away)) or TINY
        pulls = [(reading.start, away / apart)]
        if reading.end not in CORNERS:
            pulls.append((reading.end, -away / apart))
        return apart - less, pulls

    def start(self, dice: np.random.Generator) -> Vector:
        """Return places to start from: the approximate ones if given, else random ones on the table."""
        rows = []
        for name in self.order:
            near = self.discs[name].near
            rows.append(near if near is not None else dice.uniform((0, 0), (self.width, self.depth)))
        return np.array(rows, dtype=float).ravel()


def fit(discs: Mapping[str, Disc], readings: Sequence[Reading], width: float, depth: float) -> Fit:
    """Place models by readings.

    Parameters
    ----------
    discs
        Every model in the readings; those without a place are placed.
    readings
        The readings.
    width, depth
        The size of the table, inches.

    Raises
    ------
    MisfitError
        For readings that leave a place undetermined, fit two arrangements, or contradict each other.

    """
    system = _System(discs, readings, width, depth)
    _counted(system)
    found = _solutions(system)
    best = found[0]
    _fixed(system, best[1])
    values, slopes = system.residuals(best[1])
    freedom = len(readings) - len(best[1])
    _consistent(system, values, freedom)
    _unmistakable(system, found)
    inverse = np.linalg.inv(slopes.T @ slopes)
    places, covariance = {}, {}
    for i, name in enumerate(system.order):
        x, y = best[1][2 * i : 2 * i + 2]
        places[name] = (float(x), float(y))
        part = inverse[2 * i : 2 * i + 2, 2 * i : 2 * i + 2]
        covariance[name] = (float(part[0, 0]), float(part[0, 1]), float(part[1, 1]))
    residuals = tuple(float(v) * r.doubt for v, r in zip(values, readings, strict=True))
    squares = float(values @ values)
    return Fit(places, covariance, residuals, tuple(readings), freedom, squares, discs, width, depth)


def _counted(system: _System) -> None:
    """Refuse models with too few readings."""
    for name in system.order:
        count = sum(name in (r.start, r.end) for r in system.readings)
        if count < 2:
            said = "one reading" if count else "no reading"
            raise MisfitError(
                f"{said} of `{name}` does not place it: it takes two at least, and a third to tell the side"
            )


def _solutions(system: _System) -> list[tuple[float, Vector]]:
    """Return the different minima on the table found from many starts, the best first."""
    dice = np.random.default_rng(1)
    found: list[tuple[float, Vector]] = []
    hinted = all(system.discs[name].near is not None for name in system.order)
    for _ in range(1 if hinted else _STARTS):
        x = _descended(system, system.start(dice))
        values, _slopes = system.residuals(x)
        found.append((float(values @ values), x))
    found.sort(key=lambda pair: pair[0])
    on = [pair for pair in found if _on_the_table(system, pair[1])]
    kept: list[tuple[float, Vector]] = []
    for pair in on or found:
        if all(np.abs(pair[1] - other).max() > _SAME for _, other in kept):
            kept.append(pair)
    return kept


def _on_the_table(system: _System, x: Vector) -> bool:
    for i, name in enumerate(system.order):
        r = system.discs[name].radius - 0.1
        if not (r <= x[2 * i] <= system.width - r and r <= x[2 * i + 1] <= system.depth - r):
            return False
    return True


def _descended(system: _System, x: Vector) -> Vector:
    """Return the minimum reached from a start by the Levenberg-Marquardt method."""
    damping = SOFT
    values, slopes = system.residuals(x)
    size = float(values @ values)
    for _ in range(_STEPS):
        normal = slopes.T @ slopes
        step = np.linalg.lstsq(normal + damping * np.eye(len(x)), -slopes.T @ values, rcond=None)[0]
        after, steeper = system.residuals(x + step)
        fresh = float(after @ after)
        if fresh <= size:
            done = float(np.abs(step).max()) < STILL
            x, values, slopes, size, damping = x + step, after, steeper, fresh, max(damping / 10, CONDITION)
            if done:
                break
        else:
            damping *= 10
            if damping > 1e12:
                break
    return x


def _fixed(system: _System, x: Vector) -> None:
    """Refuse readings that leave a direction undetermined."""
    _, slopes = system.residuals(x)
    _, sizes, axes = np.linalg.svd(slopes)
    sizes = np.concatenate([sizes, np.zeros(len(x) - len(sizes))])
    free = [axes[i] for i in range(len(x)) if sizes[i] <= _OPEN * max(1.0, float(sizes[0]))]
    if not free:
        return
    moved = np.sqrt(np.sum(np.array(free) ** 2, axis=0))
    names = [n for i, n in enumerate(system.order) if np.hypot(*moved[2 * i : 2 * i + 2]) > SMOOTH]
    together = len(names) == len(system.order) and len(names) > 1
    how = "can turn or slide as a whole" if together else "can slide or turn without changing any reading"
    raise MisfitError(f"too few readings: {_joined(names)} {how}; read {names[0]} from another model, edge or corner")


def _unmistakable(system: _System, found: list[tuple[float, Vector]]) -> None:
    """Refuse readings that another arrangement, such as a mirror image, fits as well."""
    if len(found) < 2 or found[1][0] - found[0][0] > _ALIKE:
        return
    one, other = found[0][1], found[1][1]
    apart = [float(np.hypot(*(one - other)[2 * i : 2 * i + 2])) for i in range(len(system.order))]
    i = int(np.argmax(apart))
    places = " and ".join(f"({x[2 * i]:.2f}, {x[2 * i + 1]:.2f})" for x in (one, other))
    name = system.order[i]
    raise MisfitError(
        f"a mirror image fits as well: `{name}` may stand at {places}; say near = [x, y] for it, or read more"
    )


def _consistent(system: _System, values: Vector, freedom: int) -> None:
    """Refuse readings that contradict each other, and name the one without which the others agree best."""
    if freedom <= 0 and float(np.abs(values).max()) <= _WRONG:
        return
    if float(np.abs(values).max()) <= _WRONG and float(values @ values) <= freedom + 5 * math.sqrt(2 * freedom) + 8:
        return
    rest = []
    for k in range(len(system.readings)):
        others = [r for i, r in enumerate(system.readings) if i != k]
        part = _System(system.discs, others, system.width, system.depth)
        dice = np.random.default_rng(2)
        places = [_descended(part, part.start(dice)) for _ in range(8)]
        rest.append(min(((float(v @ v), x) for x in places for v in [part.residuals(x)[0]]), key=lambda pair: pair[0]))
    blame = min(range(len(rest)), key=lambda k: rest[k][0]) if freedom > 1 else int(np.argmax(np.abs(values)))
    reading = system.readings[blame]
    off = float(values[blame]) * reading.doubt
    if freedom > 1:  # the others alone determine it
        off = reading.inches - system.length(reading, rest[blame][1])[0]
    raise MisfitError(
        f"contradicts the other readings: {reading.start} to {reading.end} was read as {reading.inches:g} in, "
        f"{abs(off):.3g} in {'more' if off > 0 else 'less'} than they allow",
        blame,
    )


def _joined(names: Sequence[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
