"""Safe ground: where a model can end its move so that no enemy can charge it next turn."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import shapely
import shapely.geometry

from sbg_sim.geometry.areas import NOWHERE, difference, intersection, merged, opened, union
from sbg_sim.pictured import Pictured
from sbg_sim.solver.reach import reach
from sbg_sim.table.board import side_of, sound
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.joining import joined
from sbg_sim.threats.barred import may_bar, unsettled
from sbg_sim.threats.chargeable import enemies_of, in_sight, next_turn, walk_of, walked, without
from sbg_sim.threats.hops import hopped, judged
from sbg_sim.threats.level import Danger, SafeLevel, looked_at, told_of
from sbg_sim.tolerance import STRIP

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sbg_sim.dice.executors import Progress
    from sbg_sim.geometry.areas import Regions
    from sbg_sim.solver.reach_areas import Reach
    from sbg_sim.table.board import Table

_MOST_ASKED: Final = 600  # most single charges, of all enemies together
_LEAST_ASKED: Final = 150  # the share of each enemy on each level, at least
_MOST_BARRED: Final = 100  # most single charges where the model may bar ways, of all enemies together on each level


@dataclass(frozen=True)
class SafeGround(SafeLevel, Pictured):
    """Where a model can end its move so that no enemy can charge it next turn from where the enemy stands now.

    Its own attributes are those of the model's level.

    Parameters
    ----------
    table, model, reach, dangers, surface
        As for `SafeLevel`.
    platforms
        A `SafeLevel` for every other level in its reach, by name as `reach` names them.

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

    platforms: Mapping[str | None, SafeLevel] = field(default=FrozenMap(), repr=False)

    @property
    def levels(self) -> tuple[SafeLevel, ...]:
        """All levels, its own first.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> found = sbg.safe(sbg.load("scenarios/control-zones.toml"), "boromir")
        >>> [level.surface for level in found.levels]
        [None]

        """
        return (self, *self.platforms.values())

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
        others = "".join(f"\n  on {row.surface or 'the ground'}: {told_of(row)}" for row in self.platforms.values())
        return f"<SafeGround of {self.model}: {told_of(self)} are safe from every charge>{others}"


def safe(
    table: Table,
    model: str,
    *,
    told: Callable[[SafeGround, int, int], None] | None = None,
    progress: Progress | None = None,
) -> SafeGround:
    """Find where a model can end its move, on every level of its reach, so that no enemy can charge it next turn.

    Every enemy charges from where it stands now, past the zones of all standing models; the model itself has moved. The
    charger must see the model before it moves (CHG.1). A place that only a barrier defends (CHG.8) counts as open
    ground: judge it by a single charge. Only places to stand count: a model that stays on a face counts as standing at
    its foot, and one that lies as having stood up, wherever it ends.

    Parameters
    ----------
    table
        The table.
    model
        Id of the model that wants to be safe.
    told
        Called with the result so far, the number of steps done, and of all: each enemy takes two for every level, the
        first for the ground that it can walk to. After all first steps the ways that the model itself bars are left
        out; from then on dangerous ground only grows.
    progress
        Called with the two numbers alone; ``print`` will do.

    Raises
    ------
    UnknownNameError
        If there is no such model.
    QuestionError
        If it is not on the table yet, or if its Move or side is missing, or the Move of an enemy.

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
    mover = sound(table).present(model)
    side_of(mover)
    own = reach(table, model)
    for side in sorted({m.side for m in table.standing() if m.is_enemy(mover)}):
        table = next_turn(table, side)
    looks = _Looks(table, own)
    for looked in (looks.walk, looks.hop):
        for one in looks.wanted:
            looked(*one)
            if told is not None:
                told(looks.found, looks.done, 2 * len(looks.wanted))
            if progress is not None:
                progress(looks.done, 2 * len(looks.wanted))
    return looks.found


class _Looks:
    """The search for a model's safe ground, on each level of its reach.

    Parameters
    ----------
    table
        The table at the start of the enemies' turn.
    own
        The model's reach.

    """

    def __init__(self, table: Table, own: Reach) -> None:
        self._table, self._own, self.done = table, own, 0
        levelled, mover = joined(table), own.mover
        self._levelled, alone = levelled, without(levelled, mover)
        self._there = {
            name: replace(mover, on=name, climbed=0.0, prone=False) for name in (own.surface, *own.platforms)
        }
        grounds = {name: looked_at(own.on(name)) for name in self._there}
        self._sights: dict[tuple[str | None, str], shapely.Geometry] = {}
        self._walks: dict[str, Reach] = {}
        for enemy in enemies_of(levelled, mover):
            seen = {name: in_sight(levelled, enemy, self._there[name], ground) for name, ground in grounds.items()}
            walk = walk_of(alone, enemy, mover, seen.values())
            if walk is not None:
                self._walks[enemy.id] = walk
                self._sights |= {(name, enemy.id): area for name, area in seen.items() if not area.is_empty}
        self.wanted = sorted(self._sights, key=lambda row: list(self._there).index(row[0]))
        self._dangers: dict[tuple[str | None, str], Danger] = {}
        self._grounds, self._left = grounds, dict(grounds)
        self._most = max(_LEAST_ASKED, _MOST_ASKED // max(1, len(self._walks)))

    def walk(self, name: str | None, enemy: str) -> None:
        """Find where on a level an enemy can charge the model by ending its move as it may anyway."""
        self._note(name, enemy, walked(self._walks[enemy], self._there[name], self._sights[name, enemy]))
        if self.done == len(self.wanted):
            for level in self._there:
                self._settle(level)

    def _settle(self, name: str | None) -> None:
        """Leave out where the model itself bars every way over by which an enemy would come."""
        model, ends = self._there[name], self._own.on(name)[-1][1]
        left = _MOST_BARRED if self._table.rulings["charge_on_a_six"] == "yes" else self._most
        here = [one for one, danger in self._dangers.items() if one[0] == name and danger.regions]
        both = {one: may_bar(self._walks[one[1]], model) for one in here}
        rows = {one: _without(self._dangers[one].regions, both[one][1]) for one in here}
        bars = {one: both[one][0] for one in here}
        for one in here:
            others = [(rows[other], bars[other]) for other in here if other != one]
            open_, doubt = opened(unsettled(rows[one], bars[one], others), STRIP), NOWHERE
            if not open_.is_empty:
                asked, doubt, left = judged(self._levelled, self._walks[one[1]].mover, model, open_, ends, left)
                # An undecided part keeps the chance for a model that bars nothing.
                kept = _without(rows[one], difference(open_, doubt))
                rows[one], bars[one] = merged(kept, asked), union([difference(bars[one], open_), doubt])
            self._dangers[one] = Danger(one[1], rows[one], doubt)
            if not rows[one] and doubt.is_empty:
                del self._dangers[one]
        taken = [danger.area for one, danger in self._dangers.items() if one[0] == name]
        self._left[name] = difference(self._grounds[name], union(taken))

    def hop(self, name: str | None, enemy: str) -> None:
        """Find where on a level an enemy can charge the model only by a way through the model's own zone."""
        within = intersection(self._left[name], self._sights[name, enemy])
        walk, model, ends = self._walks[enemy], self._there[name], self._own.on(name)[-1][1]
        self._note(name, enemy, *hopped(self._levelled, walk, model, within, ends, most_asked=self._most))

    def _note(self, name: str | None, enemy: str, more: Regions, doubt: shapely.Geometry = NOWHERE) -> None:
        self.done += 1
        known = self._dangers.get((name, enemy), Danger(enemy, (), NOWHERE))
        regions, doubt = merged(known.regions, more), union([known.doubt, doubt])
        if regions or not doubt.is_empty:
            self._dangers[name, enemy] = Danger(enemy, regions, doubt)
        if more:
            self._left[name] = difference(self._left[name], more[-1][1])

    @property
    def found(self) -> SafeGround:
        """The result so far."""
        rows = {
            name: tuple(self._dangers[one] for one in self.wanted if one in self._dangers and one[0] == name)
            for name in self._there
        }
        own, model = self._own, self._own.model
        platforms = {name: SafeLevel(self._table, model, own, rows[name], name) for name in own.platforms}
        return SafeGround(self._table, model, own, rows[own.surface], own.surface, FrozenMap(platforms))


def _without(rows: Regions, part: shapely.Geometry) -> Regions:
    """Return areas by chance without a part."""
    left = ((chance, area if part.is_empty else difference(area, part)) for chance, area in rows)
    return tuple((chance, area) for chance, area in left if not area.is_empty)
