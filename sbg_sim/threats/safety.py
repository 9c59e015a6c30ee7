"""Safe ground: where a model can end its move so that no enemy can charge it next turn."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely
import shapely.geometry

from sbg_sim.errors import QuestionError
from sbg_sim.geometry.areas import difference, intersection, union
from sbg_sim.pictured import Pictured
from sbg_sim.rules.defended import defended
from sbg_sim.solver.answer import ask
from sbg_sim.solver.path.options import beyond_the_move, farthest
from sbg_sim.solver.reach import reach
from sbg_sim.table.board import side_of, sound
from sbg_sim.table.questions import Charge
from sbg_sim.threats.chargeable import in_sight, merged, next_turn, placed, walk_of, walked, without
from sbg_sim.threats.hops import hopped
from sbg_sim.tolerance import SAGITTA, SIMPLIFIED, SPECK

if TYPE_CHECKING:
    from collections.abc import Callable

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.field.cost_fields import Regions
    from sbg_sim.solver.reach import Reach
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table

_SPREAD: Final = 0.25  # inches between the places looked at for the largest margin
_MOST_ASKED: Final = 600  # single charges, of all enemies together
_LEAST_ASKED: Final = 150  # of each
_TRIED: Final = 3  # of them are asked, the most promising first


@dataclass(frozen=True)
class Danger:
    """Where one enemy can charge the model next turn.

    Parameters
    ----------
    enemy
        Its id.
    regions
        Chance and area, nested, the best chance first; places of the model's centre within its reach. What only a way
        through the model's own zone adds is listed where no other enemy is a danger already.
    doubt
        Strips where its charge hangs on a way through the model's own zone and was not settled; narrow ones.

    """

    enemy: str
    regions: Regions = field(repr=False)
    doubt: shapely.Geometry = field(repr=False)

    @property
    def area(self) -> shapely.Geometry:
        """Where it has any chance, square inches as a shapely geometry."""
        return self.regions[-1][1] if self.regions else shapely.Polygon()


@dataclass(frozen=True)
class SafeGround(Pictured):
    """Where a model can end its move so that no enemy can charge it next turn, each from where it stands now.

    Parameters
    ----------
    table, model
        The table and the model's id.
    reach
        Where it can certainly end its move.
    dangers
        A row per enemy that could come at it.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> found = sbg.safe(table, "merry")
    >>> float(found.margin((12, 12))), found.charges_at((12, 12))[0].answer
    (-1.0, 'yes')

    """

    table: Table = field(repr=False)
    model: str
    reach: Reach = field(repr=False)
    dangers: tuple[Danger, ...] = field(repr=False)

    @cached_property
    def area(self) -> shapely.Geometry:
        """Where no enemy can charge it, whatever the dice.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> found = sbg.safe(sbg.load("scenarios/control-zones.toml"), "boromir")
        >>> round(found.area.area, 1) <= round(sbg.reach(found.table, "boromir").area.area, 1)
        True

        """
        return self.below(Fraction(0))

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
        taken = [row[1] for danger in self.dangers for row in danger.regions if row[0] > chance]
        taken += [danger.doubt for danger in self.dangers]
        return (
            _without_specks(shapely.difference(self.reach.area, shapely.union_all(taken))) if taken else self.reach.area
        )

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
        return tuple((chance, self.below(chance)) for chance in sorted({Fraction(0), *chances}))

    @property
    def doubt(self) -> shapely.Geometry:
        """Strips not settled, counted as dangerous.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> found = sbg.safe(sbg.load("scenarios/control-zones.toml"), "boromir")
        >>> float(found.doubt.area) < 1
        True

        """
        return shapely.union_all([danger.doubt for danger in self.dangers])

    def charges_at(self, xy: Point) -> tuple[Verdict, ...]:
        """Ask the charges of enemies near enough singly, the model at a place ``(x, y)``, inches; the cheapest first.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> found = sbg.safe(sbg.load("scenarios/control-zones.toml"), "boromir")
        >>> [charge.answer for charge in found.charges_at((8, 12))]
        ['yes', 'yes']

        """
        there = placed(self.table, self.table.model(self.model), xy)
        found = [_asked(there, name, self.model) for lacks, name in self._lacking(xy) if lacks <= 0]
        return tuple(sorted(found, key=_missing))

    def margin(self, xy: Point) -> float:
        """Return by how much the nearest charge at a place ``(x, y)`` falls short, inches; negative where one succeeds.

        Infinite where no enemy could come at it with any Move, or sees it. Beyond the horizon of costs it is what is
        certified at least.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> found = sbg.safe(sbg.load("scenarios/control-zones.toml"), "boromir")
        >>> found.margin((8, 12)) < 0
        True

        """
        there = placed(self.table, self.table.model(self.model), xy)
        least = math.inf
        for lacks, name in self._lacking(xy):
            if lacks >= least:
                break
            least = min(least, _missing(_asked(there, name, self.model)))
        return least

    def _lacking(self, xy: Point) -> list[tuple[float, str]]:
        """Return what each enemy lacks on the straight way to a place at least, inches; the least first."""
        there = placed(self.table, self.table.model(self.model), xy)
        mover, found = there.model(self.model), []
        for m in there.standing():
            if m.is_enemy(mover) and m.move is not None:
                lacks = math.dist(m.at, xy) - m.radius - mover.radius - m.move
                # Nearer than the base across a barrier (CHG.8), or further than it moves by shifts or leaps.
                further = farthest(there, m, m.move) + beyond_the_move(there, m, m.move) > m.move
                nearer = further or any(d.locus for d in defended(there, m.id, mover.id))
                found.append((min(lacks, 0.0) if nearer else lacks, m.id))
        return sorted(found)

    @cached_property
    def best(self) -> tuple[Point, float] | None:
        """The safest place that was found, and its margin in inches; None when no place is safe.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> found = sbg.safe(sbg.load("scenarios/control-zones.toml"), "boromir")
        >>> found.best is None or found.best[1] >= 0
        True

        """
        if self.area.is_empty:
            return None
        taken = shapely.union_all([danger.area for danger in self.dangers] + [self.doubt])
        xy = _places(self.area)
        if taken.is_empty:
            return xy[0], self.margin(xy[0])
        far = shapely.distance(shapely.points(xy), taken)
        order = np.argsort(-far, kind="stable")[:_TRIED]
        return max(((xy[i], self.margin(xy[i])) for i in order.tolist()), key=lambda row: row[1])

    def as_json(self) -> dict[str, Any]:
        """Return what the command line prints with ``--json``.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> found = sbg.safe(sbg.load("scenarios/control-zones.toml"), "boromir")
        >>> found.as_json()["model"]
        'boromir'

        """
        found: dict[str, Any] = import_module("sbg_sim.threats.data").safe_json(self)
        return found

    @property
    def __geo_interface__(self) -> dict[str, Any]:
        """The area as a GeoJSON Feature, inches."""
        return {"type": "Feature", "geometry": shapely.geometry.mapping(self.area), "properties": {}}

    def __repr__(self) -> str:
        free, whole = float(self.area.area), float(self.reach.area.area)
        return f"<SafeGround of {self.model}: {free:.3f} of {whole:.3f} square inches are safe from every charge>"


def _asked(table: Table, enemy: str, model: str) -> Verdict:
    return ask(table, Charge(enemy, model), alternatives=False)


def _missing(verdict: Verdict) -> float:
    """Return how much Move a charge lacks, inches; infinite when no Move would do."""
    if verdict.answer != "no":
        return -max(0.0, verdict.margin or 0.0)
    if verdict.margin is not None and verdict.margin < 0:
        return -verdict.margin
    if verdict.at_least is not None and verdict.allowance is not None and verdict.at_least > verdict.allowance:
        return verdict.at_least - verdict.allowance
    return math.inf


def _places(area: shapely.Geometry) -> list[Point]:
    """Return places spread over an area, corners of its outline among them."""
    found: list[Point] = []
    for part in shapely.get_parts(area):
        if part.geom_type != "Polygon":
            found += [(float(x), float(y)) for x, y in shapely.get_coordinates(part)]
            continue
        x0, y0, x1, y1 = part.bounds
        grid = np.stack(np.meshgrid(np.arange(x0, x1, _SPREAD), np.arange(y0, y1, _SPREAD)), axis=-1).reshape(-1, 2)
        held = grid[shapely.contains_xy(part, grid[:, 0], grid[:, 1])]
        rim = shapely.get_coordinates(shapely.simplify(part, 0.05))
        # a hair inside, so that rounding does not put a corner of the outline out of reach
        inside = shapely.buffer(part, -SIMPLIFIED)
        if not inside.is_empty:
            rim = shapely.get_coordinates(shapely.simplify(inside, 0.02))
        found += [(float(x), float(y)) for x, y in np.concatenate([held, rim])]
    return found


def safe(table: Table, model: str, *, told: Callable[[SafeGround, int, int], None] | None = None) -> SafeGround:
    """Find where a model can end its move so that no enemy can charge it next turn.

    Every enemy charges from where it stands now, past the zones of all who stand; the model itself has moved. A charge
    needs a look at the model before it begins (CHG.1). A place that only a barrier defends (CHG.8) counts as open
    ground: ask it singly.

    Parameters
    ----------
    table
        The table.
    model
        Id of the model that wants to be safe.
    told
        Told what is known so far, how many looks at enemies are done, and of how many: each has two, the first at the
        ground it can walk to. Until the last one more may turn out dangerous, never less.

    Raises
    ------
    UnknownNameError
        When there is no such model.
    QuestionError
        When it is not on the table yet, or its Move or side is missing.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> found = safe(table, "merry")
    >>> 0 < found.area.area < found.reach.area.area
    True

    """
    mover = sound(table).model(model)
    if model in table.off:
        raise QuestionError(f"{model} is not on the table yet")
    side_of(mover)
    own = reach(table, model)
    after = table.with_model(replace(table.model(model), prone=mover.prone))
    for side in sorted({m.side for m in table.standing() if m.is_enemy(mover)}):
        after = next_turn(after, side)
    alone = without(after, mover)
    enemies = [m for m in after.standing() if m.is_enemy(mover) and m.move is not None]
    sights = {m.id: in_sight(after, m, mover, own.area) for m in enemies}
    walks = [walk for m in enemies if (walk := walk_of(alone, m, mover, sights[m.id])) is not None]
    dangers: dict[str, Danger] = {}

    def note(enemy: str, more: Regions, doubt: shapely.Geometry, done: int) -> None:
        together = merged(dangers[enemy].regions if enemy in dangers else (), more)
        if together or not doubt.is_empty:
            dangers[enemy] = Danger(enemy, together, doubt)
        if told is not None:
            told(SafeGround(after, model, own, tuple(dangers.values())), done, 2 * len(walks))

    for done, walk in enumerate(walks, 1):
        note(walk.model, walked(walk, mover, sights[walk.model]), shapely.Polygon(), done)
    left = difference(own.area, union([row.area for row in dangers.values()]))
    most = max(_LEAST_ASKED, _MOST_ASKED // max(1, len(walks)))
    for done, walk in enumerate(walks, 1 + len(walks)):
        more, doubt = hopped(after, walk, mover, intersection(left, sights[walk.model]), most_asked=most)
        left = difference(left, more[-1][1]) if more else left
        note(walk.model, more, doubt, done)
    return SafeGround(after, model, own, tuple(dangers[walk.model] for walk in walks if walk.model in dangers))


def _without_specks(area: shapely.Geometry) -> shapely.Geometry:
    """Leave out parts no wider than the chords of two outlines may differ, and specks."""
    kept = [p for p in shapely.get_parts(area) if p.area > SPECK and not shapely.buffer(p, -2 * SAGITTA).is_empty]
    return shapely.union_all(kept) if kept else shapely.Polygon()
