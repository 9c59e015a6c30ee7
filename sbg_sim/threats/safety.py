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

_MOST_ASKED: Final = 600  # single charges, of all enemies together
_LEAST_ASKED: Final = 150  # of each, on each level
_MOST_BARRED: Final = 100  # single charges where the model itself may bar ways, of all enemies on each level together


@dataclass(frozen=True)
class SafeGround(SafeLevel, Pictured):
    """Where a model can end its move so that no enemy can charge it next turn, each from where it stands now.

    What it says itself is of the level that the model stands on.

    Parameters
    ----------
    table, model, reach, dangers, surface
        As of `SafeLevel`.
    platforms
        The same of every other level that it can get to, by name as `reach` names them.

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
    """Find where a model can end its move, on every level it gets to, so that no enemy can charge it next turn.

    Every enemy charges from where it stands now, past the zones of all who stand; the model itself has moved. A charge
    needs a look at the model before it begins (CHG.1). A place that only a barrier defends (CHG.8) counts as open
    ground: ask it singly. Only places to stand are looked at: who stays on a face counts as standing at its foot.

    Parameters
    ----------
    table
        The table.
    model
        Id of the model that wants to be safe.
    told
        Told what is known so far, how many looks at enemies are done, and of how many: each has two for every level,
        the first at the ground it can walk to. After all of the first what the model itself bars is left out; then
        more may turn out dangerous until the last one, never less.
    progress
        Told the two numbers alone; ``print`` will do.

    Raises
    ------
    UnknownNameError
        When there is no such model.
    QuestionError
        When it is not on the table yet, or its Move or side is missing, or the Move of an enemy.

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
    """What is known so far of where a model is safe, on each level that it gets to.

    Parameters
    ----------
    table
        The table at the start of the enemies' turn.
    own
        Where the model can end its move.

    """

    def __init__(self, table: Table, own: Reach) -> None:
        self._table, self._own, self.done = table, own, 0
        levelled, mover = joined(table), own.mover
        self._levelled, alone = levelled, without(levelled, mover)
        self._there = {name: replace(mover, on=name, climbed=0.0) for name in (own.surface, *own.platforms)}
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
        """Look where on a level an enemy comes at the model as it walks anyway."""
        self._note(name, enemy, walked(self._walks[enemy], self._there[name], self._sights[name, enemy]))
        if self.done == len(self.wanted):
            for level in self._there:
                self._settle(level)

    def _settle(self, name: str | None) -> None:
        """Leave out where the model itself bars every way over something by which an enemy would come at it."""
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
                # What is not settled keeps the chance that it has were the model in nobody's way.
                kept = _without(rows[one], difference(open_, doubt))
                rows[one], bars[one] = merged(kept, asked), union([difference(bars[one], open_), doubt])
            self._dangers[one] = Danger(one[1], rows[one], doubt)
            if not rows[one] and doubt.is_empty:
                del self._dangers[one]
        taken = [danger.area for one, danger in self._dangers.items() if one[0] == name]
        self._left[name] = difference(self._grounds[name], union(taken))

    def hop(self, name: str | None, enemy: str) -> None:
        """Look where it does so only by a way through the model's own zone."""
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
        """What is known so far."""
        rows = {
            name: tuple(self._dangers[one] for one in self.wanted if one in self._dangers and one[0] == name)
            for name in self._there
        }
        own, model = self._own, self._own.model
        platforms = {name: SafeLevel(self._table, model, own, rows[name], name) for name in own.platforms}
        return SafeGround(self._table, model, own, rows[own.surface], own.surface, FrozenMap(platforms))


def _without(rows: Regions, part: shapely.Geometry) -> Regions:
    """Leave a part out of areas by chance."""
    left = ((chance, area if part.is_empty else difference(area, part)) for chance, area in rows)
    return tuple((chance, area) for chance, area in left if not area.is_empty)
