"""The threats of a whole side: the ground that its bases can cover next turn, and the enemies that it can charge."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from importlib import import_module
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
import shapely.geometry

from sbg_sim.dice.executors import one_by_one, processes
from sbg_sim.errors import QuestionError, UnknownNameError
from sbg_sim.geometry.areas import NOWHERE, merged, with_chance
from sbg_sim.pictured import Pictured
from sbg_sim.solver.charges import possible
from sbg_sim.solver.reach import reach
from sbg_sim.solver.reach_costs import LEAST
from sbg_sim.table.board import sound
from sbg_sim.table.joining import joined
from sbg_sim.threats.chargeable import covered, grown, next_turn
from sbg_sim.threats.crowding import together
from sbg_sim.tolerance import SIMPLIFIED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sbg_sim.dice.executors import Progress
    from sbg_sim.geometry.areas import Regions
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.charges import ChargeEntry
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table


@dataclass(frozen=True)
class Threat:
    """The ground that one model can cover next turn, and the enemies that it can charge.

    Parameters
    ----------
    model
        Its id.
    move
        Its maximum Move, inches.
    regions
        Chances, each with the ground that its base can cover at the end of a move or of a charge, on all levels, seen
        from above; nested, the best chance first.
    targets
        Ids of the enemies that it can charge.
    blocked
        Why it may not move, and so covers only its own place; empty if it may.

    """

    model: str
    move: float
    regions: Regions = field(repr=False)
    targets: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()

    @property
    def area(self) -> shapely.Geometry:
        """The ground that its base can certainly cover."""
        return with_chance(self.regions, 1)

    @property
    def widest(self) -> shapely.Geometry:
        """The ground that its base can cover with any dice."""
        return with_chance(self.regions, 0)


@dataclass(frozen=True)
class Charger:
    """A charger of a target.

    Parameters
    ----------
    model
        Its id.
    verdict
        The answer to the single charge.
    arcs
        The arcs of the target's base on which it can certainly end, radians.

    """

    model: str
    verdict: Verdict = field(repr=False)
    arcs: tuple[tuple[float, float], ...] = field(repr=False)


@dataclass(frozen=True)
class Target:
    """An enemy of the side.

    Parameters
    ----------
    target
        Its id.
    chargers
        The models that can charge it, the cheapest first, those that need dice last.
    together
        Chargers and places, in an order in which they certainly come into contact one after the other; as many as were
        found.
    most
        The number of certain chargers that have room round its base, if none is in another's way.

    """

    target: str
    chargers: tuple[Charger, ...]
    together: tuple[tuple[str, Point], ...] = ()
    most: int = 0

    @property
    def at_once(self) -> int:
        """A lower bound of the chargers that certainly charge at once: across a barrier or levels only one counts."""
        return len(self.together) or int(any(charger.verdict.answer == "yes" for charger in self.chargers))


@dataclass(frozen=True)
class Threats(Pictured):
    """The threats of one side next turn.

    Parameters
    ----------
    table, side
        The table at the start of its move, and the side.
    models
        A row per model of the side on the table.
    targets
        A row per enemy of the side on the table.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> found = sbg.threats(table, "evil")
    >>> [threat.model for threat in found.models], [target.target for target in found.targets]
    (['lurtz'], ['merry'])

    """

    table: Table = field(repr=False)
    side: str
    models: tuple[Threat, ...] = field(repr=False)
    targets: tuple[Target, ...] = field(repr=False)

    def __getitem__(self, target: str) -> Target:
        for row in self.targets:
            if row.target == target:
                return row
        raise KeyError(target)

    @cached_property
    def area(self) -> shapely.Geometry:
        """The ground that at least one model can certainly cover, seen from above, as a shapely geometry in inches.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> found = sbg.threats(sbg.load("scenarios/control-zones.toml"), "evil")
        >>> round(found.area.area, 1) > 100
        True

        """
        return with_chance(self.regions, 1)

    @cached_property
    def regions(self) -> Regions:
        """Chances, each with the ground that one model covers with at least that chance, seen from above; nested.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> found = sbg.threats(sbg.load("scenarios/control-zones.toml"), "evil")
        >>> [str(chance) for chance, _ in found.regions]
        ['1']

        """
        return merged(*(row.regions for row in self.models))

    @cached_property
    def levels(self) -> tuple[tuple[int, shapely.Geometry], ...]:
        """Numbers of models, each with the ground that as many or more can certainly cover; nested, `area` first.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> found = sbg.threats(sbg.load("scenarios/control-zones.toml"), "evil")
        >>> [count for count, _ in found.levels]
        [1, 2]

        """
        areas = [shapely.simplify(row.area, SIMPLIFIED) for row in self.models]  # none is empty: each covers its base
        lines = shapely.union_all([shapely.boundary(area) for area in areas])
        faces = np.array(shapely.get_parts(shapely.polygonize(shapely.get_parts(lines))), dtype=object)
        inside = shapely.point_on_surface(faces)
        tree = shapely.STRtree(inside)
        count = np.zeros(len(faces), dtype=int)
        for area in areas:
            np.add.at(count, tree.query(area, predicate="contains"), 1)
        levels: list[tuple[int, shapely.Geometry]] = []
        level: shapely.Geometry = NOWHERE
        for least in range(int(count.max()), 1, -1):
            # Faces share whole sides, so that to join two it is enough to leave out the sides between them.
            level = shapely.coverage_union_all([*shapely.get_parts(level), *faces[count == least]])
            levels.append((least, level))
        return ((1, self.area), *reversed(levels))

    def count(self, xy: np.ndarray) -> np.ndarray:
        """Return how many models can certainly cover each place.

        Parameters
        ----------
        xy
            Places ``(..., 2)``, inches.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> found = sbg.threats(sbg.load("scenarios/control-zones.toml"), "evil")
        >>> import numpy as np
        >>> found.count(np.array([[8.0, 11.0], [20.0, 20.0]])).tolist()
        [2, 0]

        """
        p = np.asarray(xy, dtype=float)
        total = np.zeros(p.shape[:-1], dtype=int)
        for row in self.models:
            total += shapely.intersects_xy(row.area, p[..., 0], p[..., 1])
        return total

    def chance(self, xy: Point) -> Fraction:
        """Return the best chance of any one model to cover a place ``(x, y)``, inches.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> found = sbg.threats(sbg.load("scenarios/control-zones.toml"), "evil")
        >>> found.chance((6, 10))
        Fraction(1, 1)

        """
        spot = shapely.Point(xy)
        return next((chance for chance, area in self.regions if shapely.intersects(area, spot)), Fraction(0))

    def as_json(self) -> dict[str, Any]:
        """Return what the command line prints with ``--json``.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> found = sbg.threats(sbg.load("scenarios/control-zones.toml"), "evil")
        >>> found.as_json()["side"]
        'evil'

        """
        found: dict[str, Any] = import_module("sbg_sim.threats.data").threats_json(self)
        return found

    @property
    def __geo_interface__(self) -> dict[str, Any]:
        """The area as a GeoJSON Feature, inches."""
        return {"type": "Feature", "geometry": shapely.geometry.mapping(self.area), "properties": {}}

    def __repr__(self) -> str:
        able = [row for row in self.targets if row.chargers]
        rows = "".join(f"\n  {r.target}: {len(r.chargers)} can charge it, {r.at_once} surely at once" for r in able)
        return f"<Threats of {self.side}: {len(self.models)} models cover {self.area.area:.2f} square inches>{rows}"


def threats(
    table: Table,
    side: str,
    *,
    dice: bool = True,
    workers: int = 1,
    told: Callable[[Threat, int], None] | None = None,
    progress: Progress | None = None,
) -> Threats:
    """Find where the models of one side can be next turn, and which enemies they can charge.

    Parameters
    ----------
    table
        The table.
    side
        The side.
    dice
        Whether ground that takes dice is mapped as well. Without it `regions` have only the certain ground, in about
        half of the time; the charges are the same.
    workers
        The number of processes that share the work; 1 is this one. The answer is the same.
    told
        Called with each model's threat when it is done, and the number of all.
    progress
        Called with the number of models and enemies done, and of all; ``print`` will do.

    Raises
    ------
    UnknownNameError
        If no model on the table is of that side.
    QuestionError
        If a model of it has no Move, or if `dice` or `workers` is of another type.
    WorkersDiedError
        If a process that shares the work died.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> threats(table, "evil").area.area > 100
    True

    """
    given: Any = workers
    if isinstance(given, bool) or not isinstance(given, Integral) or given < 1:
        raise QuestionError(f"workers must be a whole number from 1 up, not {workers!r:.60}")
    mapped: Any = dice
    if not isinstance(mapped, bool):
        raise QuestionError(f"dice is True or False, not {dice!r:.60}")
    named: Any = side
    if not isinstance(named, str):
        raise UnknownNameError(f"a side is named by its word, a string, not {named!r:.60}")
    now = next_turn(sound(table), side)
    able = [m for m in now.standing() if m.side == side]
    if not side or not able:
        sides = sorted({m.side for m in table.standing() if m.side})
        raise UnknownNameError(f"no model on this table is of side {side!r}; sides: {', '.join(sides) or 'none'}")
    for model in able:
        if model.move is None:
            raise QuestionError(f"models.{model.id}.move is missing, and threats need it")
    names = [m.id for m in now.standing() if m.is_enemy(able[0])]
    found: dict[str, list[tuple[str, ChargeEntry]]] = {name: [] for name in names}
    rows: list[Threat] = []
    levelled = joined(now)
    with processes(workers) if workers > 1 else nullcontext() as pool:
        for row, entries in one_by_one(partial(_threat, now, dice=dice), [m.id for m in able], pool):
            rows.append(row)
            for entry in entries:
                # Other processes return each answer with a copy of the table.
                verdict = entry.verdict if pool is None else replace(entry.verdict, table=levelled)
                found[entry.target].append((row.model, replace(entry, verdict=verdict)))
            if told is not None:
                told(row, len(able))
            if progress is not None:
                progress(len(rows), len(able) + len(names))
        chargers = [_chargers(found[name]) for name in names]
        arcs = [(name, {c.model: c.arcs for c in some if c.arcs}) for name, some in zip(names, chargers, strict=True)]
        room = []
        for held in one_by_one(partial(together, now), arcs, pool):
            room.append(held)
            if progress is not None:
                progress(len(rows) + len(room), len(able) + len(names))
    targets = (Target(name, some, *held) for name, some, held in zip(names, chargers, room, strict=True))
    return Threats(now, side, tuple(rows), tuple(replace(row, most=max(row.most, row.at_once)) for row in targets))


def _threat(table: Table, name: str, *, dice: bool) -> tuple[Threat, tuple[ChargeEntry, ...]]:
    """Return the threat of one model."""
    model, found = table.model(name), reach(table, name, least=LEAST if dice else 1)
    every = merged(found.regions, *found.platforms.values())
    covered = tuple((c, grown(area, model.radius)) for c, area in every)
    row = Threat(name, found.allowance, covered, blocked=() if found.may_move else found.blocked)
    if row.blocked:
        return row, ()
    entries = possible(table, name)
    return _with_contacts(table, row, entries, dice=dice), entries


def _with_contacts(table: Table, threat: Threat, entries: Iterable[ChargeEntry], *, dice: bool) -> Threat:
    """Add the enemies that a model can charge, and the ground that its base covers in contact with them."""
    model, rows = table.model(threat.model), list[tuple[Fraction, shapely.Geometry]]()
    for entry in entries:
        arcs = entry.by_chance or ((entry.verdict.chance or Fraction(1), entry.arcs),)
        arcs = tuple(row for row in arcs if row[1] and (dice or row[0] == 1))
        rows += [(chance, covered(model, table.model(entry.target), some)) for chance, some in arcs]
    targets = tuple(entry.target for entry in entries)
    return replace(threat, regions=merged(threat.regions, tuple(rows)), targets=targets)


def _chargers(entries: list[tuple[str, ChargeEntry]]) -> tuple[Charger, ...]:
    entries.sort(key=lambda row: (-(row[1].verdict.chance or 0), row[1].verdict.needed or 0.0, row[0]))
    return tuple(Charger(model, entry.verdict, entry.arcs) for model, entry in entries)
