"""Trapped models: those that cannot back away a full inch from the enemies they fight.

The rules for moving only name backing away (CZ.3); this package reads it as follows. The loser is moved a whole inch in
one straight line, at no moment nearer to an enemy that it fights, through no base and over nothing that it could not
step over; it may end inside a Control Zone but touching no enemy. The possible directions have a closed form: each
obstacle bars an open interval of angles. A disc of radius ``rho`` at distance ``d`` bars those within ``asin(rho / d)``
of its bearing if its tangent is at most an inch long, else those within ``acos((d^2 + 1 - rho^2) / (2 d))``. A model is
trapped if the intervals leave no angle.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import shapely

from sbg_sim.errors import QuestionError
from sbg_sim.rules.ground import half_reached
from sbg_sim.table.joining import joined
from sbg_sim.tolerance import TOUCH
from sbg_sim.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.rules.pairing import Pairings
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain

FULL: Final = 1.0
"""How far a loser backs away, inches."""

Span: TypeAlias = tuple[float, float]
"""Directions between two angles, radians, the first in [0, 2 pi)."""


@dataclass(frozen=True, slots=True)
class _Bar:
    """A span of directions, and the name of the model, terrain or edge that bars it."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Trap:
    """Whether a model in a fight could back away.

    Parameters
    ----------
    model
        Its id.
    trapped
        Whether no direction is left.
    ways
        The directions in which it could back away, as spans of angles in radians.
    bars
        If it is trapped, names that together bar all directions: ids of models and terrain, ``"the table's edge"``;
        sorted.
    way_makers
        Friends in no fight that stand in the way: if they make way, it is not trapped.

    """

    model: str
    trapped: bool
    ways: tuple[Span, ...] = ()
    bars: tuple[str, ...] = ()
    way_makers: tuple[str, ...] = ()

    def __str__(self) -> str:
        if not self.trapped:
            return f"{self.model} can back away"
        unless = f", unless {listed(self.way_makers)} can make way" if self.way_makers else ""
        return f"{self.model} is trapped by {', '.join(self.bars)}{unless}"

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "model": self.model,
            "trapped": self.trapped,
            "ways": [[round(a, 9), round(b, 9)] for a, b in self.ways],
            "by": list(self.bars) if self.trapped else [],
            "unless_make_way": list(self.way_makers),
        }


def traps(table: Table, pairings: Pairings) -> tuple[Trap, ...]:
    """Return for every model in a fight whether it is trapped, in the order of the table.

    Parameters
    ----------
    table
        The table at the end of the Move phase.
    pairings
        Its fights.

    """
    against: dict[str, set[str]] = {}
    for one, other in pairings.contacts:
        against.setdefault(one, set()).add(other)
        against.setdefault(other, set()).add(one)
    return tuple(trap(table, name, against[name]) for name in table.models if name in against)


def trap(table: Table, name: str, enemies: Iterable[str]) -> Trap:
    """Find whether a model is trapped.

    Parameters
    ----------
    table, name
        The table and the model.
    enemies
        Ids of the enemies that it fights.

    Raises
    ------
    UnknownNameError
        For a model that the table does not have.

    """
    table = joined(table)
    model = table.model(name)
    foes = [table.model(enemy) for enemy in sorted(enemies)]
    bars = list(_bars(table, model, foes))
    ways = _left([bar.span for bar in bars])
    if ways:
        return Trap(name, trapped=False, ways=ways)
    makers = {
        other.id
        for other in table.standing()
        if other.id != name and not other.is_enemy(model) and not other.engaged and other.may_move
    }
    in_way = sorted({bar.name for bar in bars} & makers)
    freed = bool(in_way) and bool(_left([bar.span for bar in bars if bar.name not in makers]))
    return Trap(name, trapped=True, bars=_needed(bars), way_makers=tuple(in_way) if freed else ())


def _needed(bars: Sequence[_Bar]) -> tuple[str, ...]:
    """Return names that together bar every direction, without redundant ones; sorted."""
    names = sorted(
        {bar.name for bar in bars}, key=lambda n: (sum(b.span[1] - b.span[0] for b in bars if b.name == n), n)
    )
    kept = list(names)
    for name in names:
        rest = [bar.span for bar in bars if bar.name in kept and bar.name != name]
        if not _left(rest):
            kept.remove(name)
    return tuple(sorted(kept))


def _bars(table: Table, model: Model, foes: Sequence[Model]) -> Iterator[_Bar]:
    at, r = model.at, model.radius
    for foe in foes:
        yield from _nearer(table, model, foe)
    for other in table.standing():
        if other.id == model.id or other.on != model.on:
            continue
        for span in _disc(at, other.at, other.radius + r):
            yield _Bar(other.id, span)
        if other.is_enemy(model):
            for span in _ends_touching(at, other.at, other.radius + r):
                yield _Bar(other.id, span)
    for piece in table.terrain.values():
        if _bars_way(table, model, piece):
            assert piece.shape is not None
            for row in piece.shape.capsules.tolist():
                for span in _capsule(at, (row[0], row[1]), (row[2], row[3]), piece.shape.radius + r):
                    yield _Bar(piece.id, span)
    for name, (a, b) in _edges(table, model):
        for span in _capsule(at, a, b, r):
            yield _Bar(name, span)


def _nearer(table: Table, model: Model, foe: Model) -> Iterator[_Bar]:
    """Yield the directions that lead nearer to a foe, or under ``straight`` all but the one straight away."""
    bearing = math.atan2(foe.at[1] - model.at[1], foe.at[0] - model.at[0])
    half = math.pi if table.rulings["back_away"] == "straight" else math.pi / 2
    yield _Bar(foe.id, _about(bearing, half))


def _bars_way(table: Table, model: Model, piece: Terrain) -> bool:
    """Say whether a model pushed back cannot pass a piece: one that it cannot step over, or a gap (TER.3)."""
    if piece.shape is None or piece.on != model.on or model.id in piece.lets_through:
        return False
    if "gap" in piece.tags:
        return True
    if not piece.is_obstacle and "platform" not in piece.tags:
        return False
    try:
        return half_reached(table, model, piece)
    except QuestionError:
        return True  # of unknown height: it is not known that it can be stepped over


def _edges(table: Table, model: Model) -> Iterator[tuple[str, tuple[Point, Point]]]:
    """Yield the lines that bound the base: the table's edge, or the rim of the level on which it stands (MOV.5)."""
    if model.on is None:
        corners = [(0.0, 0.0), (table.width, 0.0), (table.width, table.depth), (0.0, table.depth)]
        for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
            yield "the table's edge", (a, b)
        return
    top = _top(table, table.piece(model.on))
    for ring in (r for part in shapely.get_parts(top) for r in (part.exterior, *part.interiors)):
        corners = [(float(x), float(y)) for x, y in ring.coords]
        for a, b in itertools.pairwise(corners):
            yield f"the edge of {model.on}", (a, b)


def _top(table: Table, platform: Terrain) -> Any:
    """Return the tops of all platforms of a platform's height that stand on the same level, as one area."""
    level = [
        _area(piece)
        for piece in table.terrain.values()
        if "platform" in piece.tags
        and piece.shape is not None
        and piece.on == platform.on
        and abs(piece.top - platform.top) <= TOUCH
    ]
    return shapely.union_all(level)


def _area(piece: Terrain) -> Any:
    shape = piece.shape
    assert shape is not None
    if shape.rings:
        return shape.to_shapely()
    spine = shapely.Point(shape.spine[0]) if len(shape.spine) == 1 else shapely.LineString(shape.spine)
    return spine.buffer(shape.radius, quad_segs=256)


# -- spans of directions ----------------------------------------------------------------------------------------


def _about(middle: float, half: float) -> Span:
    """Return the open span about a direction, a hair narrower, for touching is allowed."""
    half = max(0.0, half - TOUCH / FULL)
    return (middle - half, middle + half)


def _disc(at: Point, center: Point, rho: float) -> Iterator[Span]:
    """Yield the span of directions in which the inch leads into a disc."""
    d = math.dist(at, center)
    rho = min(rho, d)  # a base that touches may overlap by rounding
    if d >= FULL + rho or d == 0:
        return
    tangent = math.sqrt(max(0.0, d * d - rho * rho))
    half = math.asin(rho / d) if tangent <= FULL else math.acos(_unit((d * d + FULL**2 - rho * rho) / (2 * d * FULL)))
    yield _about(math.atan2(center[1] - at[1], center[0] - at[0]), half)


def _ends_touching(at: Point, center: Point, rho: float) -> Iterator[Span]:
    """Yield the span of directions in which the inch ends touching a base, its ends included (CZ.3)."""
    d, rho = math.dist(at, center), rho + TOUCH
    if abs(d - FULL) < rho and 0 < d <= FULL + rho:
        half = math.acos(_unit((d * d + FULL**2 - rho * rho) / (2 * d * FULL))) + TOUCH
        bearing = math.atan2(center[1] - at[1], center[0] - at[0])
        yield (bearing - half, bearing + half)


def _capsule(at: Point, a: Point, b: Point, rho: float) -> Iterator[Span]:
    """Yield spans of directions in which the inch comes within ``rho`` of a segment."""
    yield from _disc(at, a, rho)
    if a == b:
        return
    yield from _disc(at, b, rho)
    length = math.dist(a, b)
    along = ((b[0] - a[0]) / length, (b[1] - a[1]) / length)
    offset = (at[0] - a[0]) * -along[1] + (at[1] - a[1]) * along[0]  # signed distance from the line
    side = 1.0 if offset >= 0 else -1.0
    foot = (at[0] - a[0]) * along[0] + (at[1] - a[1]) * along[1]
    gap = max(0.0, abs(offset) - rho)  # to the line on which the base would touch
    if gap >= FULL:
        return
    if abs(offset) < rho - TOUCH and not 0 <= foot <= length:
        return  # beside its end: the discs about the ends are enough
    reach = math.sqrt(FULL**2 - gap * gap)
    low, high = max(-foot, -reach), min(length - foot, reach)
    if gap == 0.0:  # touching: all directions that lead in
        if -TOUCH <= foot <= length + TOUCH:
            yield _about(math.atan2(-side * along[0], side * along[1]), math.pi / 2)
        return
    if low >= high:
        return
    normal = math.atan2(-side * along[0], side * along[1])
    angles = sorted(side * math.atan2(share, gap) for share in (low, high))
    middle, half = (angles[0] + angles[1]) / 2, (angles[1] - angles[0]) / 2
    yield _about(normal + middle, half)


def _unit(value: float) -> float:
    return min(1.0, max(-1.0, value))


def _left(barred: Iterable[Span]) -> tuple[Span, ...]:
    """Return the spans of directions that are not barred."""
    flat: list[Span] = []
    for low, high in barred:
        if high <= low:
            continue
        if high - low >= math.tau:
            return ()
        start = low % math.tau
        stop = start + high - low
        flat.append((start, min(stop, math.tau)))
        if stop > math.tau:
            flat.append((0.0, stop - math.tau))
    free: list[Span] = []
    reached = 0.0
    for low, high in sorted(flat):
        if low > reached:
            free.append((reached, low))
        reached = max(reached, high)
    if reached < math.tau:
        free.append((reached, math.tau))
    if len(free) > 1 and free[0][0] == 0.0 and free[-1][1] == math.tau:  # one span across the direction 0
        free = [*free[1:-1], (free[-1][0], math.tau + free[0][1])]
    return tuple(free)
