"""What each enemy's Control Zone takes away: the reach with its zone and without, the largest loss first."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import shapely

from sbg_sim.geometry.areas import difference
from sbg_sim.solver.field.fans import SAGITTA
from sbg_sim.solver.per_enemy import PerEnemy
from sbg_sim.solver.reach import Reach, reach
from sbg_sim.table.board import side_of, sound
from sbg_sim.tolerance import SPECK

if TYPE_CHECKING:
    from sbg_sim.rules.zones import Zone
    from sbg_sim.solver.space.transitions import Transition
    from sbg_sim.table.board import Table


@dataclass(frozen=True)
class Denial:
    """What one enemy's zone takes away (CZ.1).

    Parameters
    ----------
    enemy
        Whose zone.
    area
        Square inches of certain end positions lost to it; 0 when no part is larger than a speck.
    region
        Where they lie, without specks of 1e-4 square inches and less.
    area_without
        Square inches of certain end positions if this one zone were not there.

    """

    enemy: str
    area: float
    region: shapely.Geometry = field(repr=False)
    area_without: float

    def __repr__(self) -> str:
        return f"<Denial by {self.enemy}: {self.area:.3f} square inches>"


@dataclass(frozen=True)
class DenialList(PerEnemy[Denial]):
    """What the zones of all enemies take away from one model, each on its own, the largest loss first.

    Parameters
    ----------
    table, model
        The table and the mover's id.
    area
        Square inches of certain end positions as things are.
    area_error
        Bound on the error of that area, and of each loss twice that much.
    entries
        A row per enemy that has a zone. Where two zones cover the same ground neither alone takes it away.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.load("scenarios/charging-2.toml")
    >>> [entry.enemy for entry in sbg.denials(table, "uruk-3")]
    ['boromir', 'aragorn', 'pippin']

    """

    table: Table = field(repr=False)
    model: str
    area: float
    area_error: float
    entries: tuple[Denial, ...]
    _about: ClassVar[str] = "enemy"

    def __repr__(self) -> str:
        rows = "".join(f"\n  {entry.enemy} takes away {entry.area:.3f} square inches" for entry in self.entries)
        return f"<Denials to {self.model}: {self.area:.3f} square inches are left>{rows}"


def denials(table: Table, model: str) -> DenialList:
    """Rank the enemies of a model by what their zones take away from its reach.

    Parameters
    ----------
    table
        Where it stands.
    model
        The mover's id.

    Raises
    ------
    UnknownNameError
        When there is no such model.
    QuestionError
        When its maximum Move or its side is not given, or it is not on the table yet.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.load("scenarios/control-zones.toml")
    >>> denials(table, "uruk-2")[0]
    <Denial by boromir: 13.897 square inches>

    """
    mover = sound(table).present(model)
    side_of(mover)
    now = reach(table, model, least=1)
    found = []
    for enemy in table.standing():
        if not (mover.is_enemy(enemy) and enemy.has_zone):
            continue
        lost: shapely.Geometry = shapely.Polygon()
        loss = 0.0
        if _could_matter(now, enemy.id):
            without = reach(table, model, without=frozenset({enemy.id}), least=1).area
            lost = _cleaned(difference(without, now.area))
            loss = 0.0 if lost.is_empty else max(0.0, without.area - now.area.area)
        found.append(Denial(enemy.id, loss, lost, now.area.area + loss))
    found.sort(key=lambda denial: -denial.area)
    return DenialList(table, model, now.area.area, now.area_error, tuple(found))


def _cleaned(region: shapely.Geometry) -> shapely.Geometry:
    """Leave out what is no wider than the chords of the two outlines may differ, and specks."""
    opened = shapely.buffer(shapely.buffer(region, -2 * SAGITTA), 2 * SAGITTA)
    return shapely.union_all([part for part in shapely.get_parts(opened) if part.area > SPECK])


def _could_matter(now: Reach, enemy: str) -> bool:
    """Say whether a certain way could come to the rim of an enemy's zone: a zone that none comes to takes nothing.

    All such ways run through the places where the move may end and over what is crossed without a test.
    """
    for i, space in enumerate(now.setting.spaces):
        for zone in (z for z in space.zones if z.id == enemy):
            here = space.surface == now.surface
            if here and shapely.distance(now.area, shapely.Point(zone.at)) <= zone.radius + 2 * SAGITTA:
                return True
            free = [w for w in now.setting.transitions if not w.way.tests and i in {w.source, w.dest}]
            if free and (not here or any(_over(way, zone) for way in free)):
                return True
    return False


def _over(way: Transition, zone: Zone) -> bool:
    return float(way.body.clearance(np.array([zone.at]))[0]) <= zone.radius
