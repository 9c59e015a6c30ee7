"""Safe ground on one level: the places that no enemy can charge, and the margins of charges."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from sbg_sim.geometry.areas import NOWHERE, areas_only, difference, parts_joined, union, with_chance
from sbg_sim.rules.defended import defended
from sbg_sim.solver.answer import ask
from sbg_sim.solver.path.options import beyond_the_move, farthest
from sbg_sim.table.board import allowance, horizon_of
from sbg_sim.table.questions import Charge
from sbg_sim.threats.chargeable import placed
from sbg_sim.tolerance import SAGITTA, SIMPLIFIED, SPECK, STRIP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sbg_sim.arrays import Floats
    from sbg_sim.geometry.areas import Regions
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.reach_areas import Reach
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table

BROAD: Final = 10 * STRIP
"""Inches on either side of a line on which dice land the model that are examined with it."""

_SPREAD: Final = 0.25  # inches between the places considered for the largest margin
_TRIED: Final = 3  # of these the number whose charges are judged, the most promising first
_ALL: Final = Fraction(0)


@dataclass(frozen=True)
class Danger:
    """Where one enemy can charge the model next turn.

    Parameters
    ----------
    enemy
        Its id.
    regions
        Chance and area, nested, the best chance first; places of the model's centre on one level within its reach.
        Places that only a way through the model's own zone adds are listed where no other enemy is a danger already.
    doubt
        Narrow strips in which its charge depends on a way through the model's own zone and was not decided.

    """

    enemy: str
    regions: Regions = field(repr=False)
    doubt: shapely.Geometry = field(repr=False)

    @property
    def area(self) -> shapely.Geometry:
        """Where it has any chance, square inches as a shapely geometry."""
        return with_chance(self.regions, 0)


@dataclass(frozen=True)
class SafeLevel:
    """Where on one level a model can end its move so that no enemy can charge it next turn.

    Parameters
    ----------
    table, model
        The table and the model's id.
    reach
        Its reach, on all levels.
    dangers
        A row per enemy that could charge it there.
    surface
        The level, as `reach` names it: None for the ground.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> found = sbg.safe(sbg.load("scenarios/jumping.toml"), "pippin")
    >>> found.surface is None, [str(chance) for chance, _ in found.by_chance]
    (True, ['1', '5/6', '1/6'])

    """

    table: Table = field(repr=False)
    model: str
    reach: Reach = field(repr=False)
    dangers: tuple[Danger, ...] = field(repr=False)
    surface: str | None

    @property
    def ends(self) -> Regions:
        """Chances, each with the places where it can end its move on this level with at least that chance; nested."""
        return self.reach.on(self.surface)

    @property
    def certain(self) -> shapely.Geometry:
        """Where it can certainly end its move on this level, square inches as a shapely geometry."""
        return with_chance(self.ends, 1)

    @cached_property
    def area(self) -> shapely.Geometry:
        """Where it can certainly end its move and no enemy can charge it, whatever the dice.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> found = sbg.safe(sbg.load("scenarios/control-zones.toml"), "boromir")
        >>> round(found.area.area, 1) <= round(sbg.reach(found.table, "boromir").area.area, 1)
        True

        """
        return self.below(_ALL)

    def below(self, chance: Fraction) -> shapely.Geometry:
        """Return where no enemy's charge has a better chance than this one, 0 to 1, as a shapely geometry.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> found = sbg.safe(sbg.load("scenarios/control-zones.toml"), "boromir")
        >>> from fractions import Fraction
        >>> found.below(Fraction(1)).area >= found.area.area
        True

        """
        return self._left_of(self.certain, chance)

    def _left_of(self, ends: shapely.Geometry, chance: Fraction = _ALL) -> shapely.Geometry:
        taken = self._taken if chance == _ALL else self._taken_above(chance)
        return ends if taken.is_empty else _without_specks(difference(ends, taken))

    def _taken_above(self, chance: Fraction) -> shapely.Geometry:
        # They are nested: the last contains the others.
        rows = [[area for least, area in danger.regions if least > chance] for danger in self.dangers]
        return union([self._open, *(some[-1] for some in rows if some)])

    @cached_property
    def _taken(self) -> shapely.Geometry:
        return self._taken_above(_ALL)

    @cached_property
    def _open(self) -> shapely.Geometry:
        # An undecided strip has at most the chance known for a model that bars nothing.
        return union([difference(danger.doubt, danger.area) for danger in self.dangers if not danger.doubt.is_empty])

    @cached_property
    def regions(self) -> Regions:
        """The best chance of any one enemy and the ground where none has a better one: never (0) first, nested.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> found = sbg.safe(sbg.load("scenarios/control-zones.toml"), "boromir")
        >>> str(found.regions[0][0])
        '0'

        """
        chances = {row[0] for danger in self.dangers for row in danger.regions} - {Fraction(1)}
        return tuple((c, self.below(c) if c else self.area) for c in sorted({_ALL, *chances}))

    @cached_property
    def by_chance(self) -> Regions:
        """Chances of getting there, each with the ground safe from every charge, nested; the certain one first.

        The landings of dice are lines, as in a reach.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> found = sbg.safe(sbg.load("scenarios/jumping.toml"), "pippin")
        >>> found.by_chance[0][1].equals(found.area)
        True

        """
        rows = ((chance, self.area if chance == 1 else self._left_of(ends)) for chance, ends in self.ends)
        return tuple(rows)

    @property
    def doubt(self) -> shapely.Geometry:
        """Undecided strips, counted as dangerous.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> found = sbg.safe(sbg.load("scenarios/control-zones.toml"), "boromir")
        >>> float(found.doubt.area) < 1
        True

        """
        return shapely.union_all([danger.doubt for danger in self.dangers])

    def charges_at(self, xy: Point) -> tuple[Verdict, ...]:
        """Return the charges of near enemies at the model at a place ``(x, y)``, inches; the cheapest first.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> found = sbg.safe(sbg.load("scenarios/control-zones.toml"), "boromir")
        >>> [charge.answer for charge in found.charges_at((8, 12))]
        ['yes', 'yes']

        """
        there = self._placed(xy)
        found = [_asked(there, name, self.model) for lacks, name in self._lacking(there) if lacks <= 0]
        return tuple(sorted(found, key=_missing))

    def margin(self, xy: Point) -> float:
        """Return by how much the best charge at a place ``(x, y)`` falls short, inches; negative if one succeeds.

        Infinite if no enemy could charge it with any Move, or sees it. Beyond the horizon a certified lower bound.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> found = sbg.safe(sbg.load("scenarios/control-zones.toml"), "boromir")
        >>> found.margin((8, 12)) < 0
        True

        """
        return self._margin(xy, -math.inf)[0]

    def _margin(self, xy: Point, above: float) -> tuple[float, bool]:
        """Return the margin at a place, inches, and whether it is exact; one of at most ``above`` need not be."""
        there, least, exact = self._placed(xy), math.inf, True
        for lacks, name in self._lacking(there):
            if lacks >= least or least <= above:
                break
            # Costs beyond the least margin so far do not matter.
            limit = allowance(there.model(name))
            near = replace(there, horizon=min(horizon_of(there, limit), limit + least))
            verdict = _asked(near, name, self.model)
            if (lacks := _missing(verdict)) < least:
                least, exact = lacks, verdict.needed is not None
        return least, exact

    def _placed(self, xy: Point) -> Table:
        return placed(self.table, self.table.model(self.model), xy, self.surface)

    def _lacking(self, there: Table) -> list[tuple[float, str]]:
        """Return for each enemy a lower bound of the missing Move, by the straight line, inches; the least first."""
        mover, found = there.model(self.model), []
        for m in there.standing():
            if m.is_enemy(mover) and m.move is not None:
                lacks = math.dist(m.at, mover.at) - m.radius - mover.radius - m.move
                # Contact across a barrier (CHG.8) is nearer; shifts and leaps lead farther than its Move.
                further = farthest(there, m, m.move) + beyond_the_move(there, m, m.move) > m.move
                nearer = further or any(d.locus for d in defended(there, m.id, mover.id))
                found.append((min(lacks, 0.0) if nearer else lacks, m.id))
        return sorted(found)

    @property
    def best(self) -> tuple[Point, float] | None:
        """The safest place that was found on this level, and its margin in inches; None if no place is safe.

        The model gets there with the best chance of all safe places: for certain, if any.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> found = sbg.safe(sbg.load("scenarios/control-zones.toml"), "boromir")
        >>> found.best is None or found.best[1] >= 0
        True

        """
        return self._best and (self._best[0], self._best[1][0])

    @property
    def best_exact(self) -> bool:
        """Whether the margin of the safest place is exact, and not a certified bound beyond the horizon.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> sbg.safe(sbg.load("scenarios/charging-2.toml"), "pippin").best_exact
        True

        """
        return self._best is None or self._best[1][1]

    @cached_property
    def _best(self) -> tuple[Point, tuple[float, bool]] | None:
        safest = next((area for _, area in self.by_chance if not area.is_empty), None)
        if safest is None:
            return None
        xy = _places(safest)
        found = self._largest((xy[0], (-math.inf, True)), xy, _TRIED)
        near = shapely.intersection(shapely.boundary(_inside(safest)), shapely.Point(found[0]).buffer(2 * _SPREAD))
        rim = shapely.get_coordinates(shapely.segmentize(near, SIMPLIFIED))  # outlines are no more precise
        return self._largest(found, [(float(x), float(y)) for x, y in rim], 1)

    def _largest(
        self, best: tuple[Point, tuple[float, bool]], xy: list[Point], tried: int
    ) -> tuple[Point, tuple[float, bool]]:
        """Return the best of a known place and of the most promising others: ``tried`` by the first promise."""
        likely: dict[int, None] = {}
        for promise in self._promises(xy) if xy else ():  # a line or a place has no rim
            likely |= dict.fromkeys(np.argsort(-promise, kind="stable")[: 1 if likely else tried].tolist())
        for i in likely:
            margin = self._margin(xy[i], best[1][0])
            best = (xy[i], margin) if margin[0] > best[1][0] else best
        return best

    def _promises(self, xy: list[Point]) -> Iterator[Floats]:
        """Yield the distances of places from chargeable ground, and the least Move that straight charges there lack."""
        if not self._taken.is_empty:
            yield shapely.distance(shapely.points(xy), self._taken)
        mover = self.table.model(self.model)
        foes = [m for m in self.table.standing() if m.is_enemy(mover) and m.move is not None]
        lacks = [np.hypot(*(np.reshape(xy, (-1, 2)) - m.at).T) - m.radius - allowance(m) for m in foes]
        yield np.min([np.full(len(xy), np.inf), *lacks], axis=0)

    @property
    def best_chance(self) -> Fraction:
        """The chance of getting to the safest place; 0 if no place is safe."""
        return next((chance for chance, area in self.by_chance if not area.is_empty), Fraction(0))

    def __repr__(self) -> str:
        where = self.surface or "the ground"
        return f"<SafeLevel of {self.model} on {where}: {told_of(self)} are safe from every charge>"


def told_of(level: SafeLevel) -> str:
    """Say how much of a level is safe, in square inches: of the certain ground, and with dice."""
    free, whole = float(level.area.area), float(level.certain.area)
    said = f"{free:.3f} of {whole:.3f} square inches"
    (chance, widest), most = level.by_chance[-1], float(level.ends[-1][1].area)
    with_dice = chance < 1 and (most - whole > SPECK or whole == 0)
    return f"{said}, with dice {float(widest.area):.3f} of {most:.3f}" if with_dice else said


def looked_at(ends: Regions) -> shapely.Geometry:
    """Return the places to examine for all ends of a model's move: areas, and lines widened a little."""
    widest = ends[-1][1]
    parts = shapely.get_parts(widest)
    lines = parts[shapely.get_dimensions(parts) < 2]
    return widest if not len(lines) else union([areas_only(widest), shapely.buffer(shapely.union_all(lines), BROAD)])


def _asked(table: Table, enemy: str, model: str) -> Verdict:
    return ask(table, Charge(enemy, model), alternatives=False)


def _missing(verdict: Verdict) -> float:
    """Return how much Move a charge lacks, inches; infinite if no Move would do."""
    if verdict.answer != "no":
        return -max(0.0, verdict.margin or 0.0)
    if verdict.margin is not None and verdict.margin < 0:
        return -verdict.margin
    if verdict.at_least is not None and verdict.allowance is not None and verdict.at_least > verdict.allowance:
        return verdict.at_least - verdict.allowance
    return math.inf


def _places(area: shapely.Geometry) -> list[Point]:
    """Return places spread over an area, corners of its outline included."""
    found: list[Point] = []
    for part in shapely.get_parts(area):
        if part.geom_type != "Polygon":
            line = shapely.segmentize(part, _SPREAD) if part.length else part
            found += [(float(x), float(y)) for x, y in shapely.get_coordinates(line)]
            continue
        x0, y0, x1, y1 = part.bounds
        grid = np.stack(np.meshgrid(np.arange(x0, x1, _SPREAD), np.arange(y0, y1, _SPREAD)), axis=-1).reshape(-1, 2)
        held = grid[shapely.contains_xy(part, grid[:, 0], grid[:, 1])]
        rim = shapely.get_coordinates(shapely.simplify(part, 0.05))
        inside = _inside(part)
        if not inside.is_empty:
            rim = shapely.get_coordinates(shapely.simplify(inside, 0.02))
        found += [(float(x), float(y)) for x, y in np.concatenate([held, rim])]
    return found


def _inside(area: shapely.Geometry) -> shapely.Geometry:
    """Return an area a hair smaller, so that rounding puts no corner of its outline out of reach."""
    return shapely.buffer(area, -SIMPLIFIED)


def _without_specks(area: shapely.Geometry) -> shapely.Geometry:
    """Leave out specks, parts no wider than the difference of two outlines' chords, and lines as short."""
    parts = parts_joined(area)  # a line comes in pieces hardly longer than a speck
    flat = shapely.get_dimensions(parts) == 2
    kept = [p for p in parts[flat] if p.area > SPECK and not shapely.buffer(p, -2 * SAGITTA).is_empty]
    kept += [p for p in parts[~flat] if p.length > BROAD or p.geom_type == "Point"]
    return shapely.union_all(kept) if kept else NOWHERE
