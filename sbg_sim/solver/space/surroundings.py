"""The surroundings of one question: spaces, zones and transitions within range; and its goal."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.arrays import point
from sbg_sim.geometry.regions import Region, disc_region
from sbg_sim.geometry.rims import Rims
from sbg_sim.geometry.spines import from_spines, keep_off
from sbg_sim.rules.ground import ground
from sbg_sim.rules.passages import in_the_air, passages
from sbg_sim.rules.zones import as_left, zones
from sbg_sim.solver.space.configuration_space import Space, make_space
from sbg_sim.solver.space.rim_pairs import transitions
from sbg_sim.solver.space.transitions import Transition, led_to, length_per_cost
from sbg_sim.table.joining import joined, level_of
from sbg_sim.table.levels import is_level
from sbg_sim.table.nearby import levels_near
from sbg_sim.tolerance import NO_LENGTH, TOUCH

if TYPE_CHECKING:
    from collections.abc import Container, Hashable, Sequence

    from sbg_sim.arrays import Bools, Floats
    from sbg_sim.geometry.grown import Grown
    from sbg_sim.geometry.pieces import Piece
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.rules.ground import Ground
    from sbg_sim.rules.zones import Zone
    from sbg_sim.solver.space.transitions import Touching
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model


@dataclass(frozen=True)
class Surroundings:
    """The spaces and transitions that a mover can meet.

    Parameters
    ----------
    table, mover
        The table and the mover.
    spaces
        One space for each level; first the level on which the mover starts.
    transitions
        Ways over solids within the spaces, and ways between them.

    """

    table: Table
    mover: Model
    spaces: tuple[Space, ...]
    transitions: tuple[Transition, ...]

    @cached_property
    def holds(self) -> tuple[Hashable, ...]:
        """The levels that ways lead to, and those ways, as values to compare between readings of rules."""
        onto = led_to(((way.source, way.dest) for way in self.transitions), 0)
        levels = [
            (
                space.ground,
                space.low.empty,
                space.inside is not None and space.margin,
                space.target is not None and (space.target.id, space.stays, space.begins),
                space.monotone and any(zone.stuck for zone in space.zones),
                *((zone.id, zone.radius, zone.closest, zone.reopened) for zone in space.zones),
            )
            for space in (self.spaces[i] for i in sorted(onto))
        ]
        ways = [
            (
                way.block,
                way.way,
                way.here.surface,
                way.there.surface,
                way.near,
                way.far,
                way.least,
                way.touching is None,
            )
            for way in self.transitions
            if way.source in onto
        ]
        return (*levels, *ways)

    def stuck(self, surfaces: Container[str | None]) -> tuple[Hashable, ...]:
        """Return by level, for some levels, the zones in which the mover starts and how they bind it (CZ.4)."""
        return tuple(
            (space.surface, *((z.id, z.radius, z.closest, z.reopened, z.entered) for z in held))
            for space in self.spaces
            if (held := [zone for zone in space.zones if zone.stuck]) and space.surface in surfaces
        )

    def index(self, surface: str | None) -> int | None:
        """Return the index of a level's space, None if the level is out of range."""
        surface = level_of(self.table, surface)
        return next((i for i, space in enumerate(self.spaces) if space.surface == surface), None)

    def straight(self, goal: Goal, ends: Floats) -> Floats:
        """Return the costs of straight moves that end at places ``(n, 2)`` for a goal; infinite if not allowed."""
        cost = np.full(len(ends), np.inf)
        if self.index(goal.surface) != 0:
            return cost
        space, k = self.spaces[0], np.flatnonzero(self.spaces[0].takes(ends, bound=goal.bound))
        start, bound = np.broadcast_to(np.array(self.mover.at), (len(k), 2)), np.full(len(k), goal.bound)
        for begun in space.begins:
            cost[k] = np.minimum(cost[k], space.straight(start, ends[k], np.full(len(k), begun), bound))
        return cost


def make_surroundings(
    table: Table,
    mover: Model,
    *,
    region: Region | None = None,
    reach: float = math.inf,
    surface: str | None = None,
    charging: str | None = None,
    without: frozenset[str] = frozenset(),
    began: Model | None = None,
    bound: bool = False,
    dice: bool = True,
    over: bool = True,
    touching: Touching | None = None,
    to: Point | None = None,
    contact: Sequence[tuple[float, float, float]] = (),
) -> Surroundings:
    """Return the surroundings of a mover within range.

    Parameters
    ----------
    table, mover
        The table and the mover.
    region
        Only shapes that come near it are kept; without it, those within ``reach`` inches of the mover's base.
    reach
        See ``region``.
    surface
        A platform that is kept wherever it stands.
    charging
        The charged enemy, whose zone may be entered first.
    without
        Enemies whose zones are left out.
    began
        The mover at the start of its move, if it has moved since: it is stuck in the zones it was in then (CZ.4).
    bound
        Whether the mover has already entered the zone of the charged enemy (CHG.3).
    dice
        Whether ways that need a die are kept.
    over
        Whether ways over, up and down are made at all.
    touching
        Says which places are in contact with all charged enemies, as :meth:`Goal.met` does.
    to
        Where the move is to end, on ``surface``. There, as at its start, the base may overlap shapes by TOUCH.
    contact
        Or circles ``(x, y, radius)`` on which the move is to end, on ``surface``, inches.

    """
    table, surface = joined(table), level_of(table, surface)
    mover = replace(mover, on=level_of(table, mover.on))
    r = mover.radius
    near = disc_region(mover.at, reach, r) if region is None else region
    first = mover if began is None else replace(began, on=level_of(table, began.on))
    found = zones(table, first, without=without, region=near)
    if charging is not None and charging not in {z.id for z in found}:
        there = disc_region(table.model(charging).at, 0.0)
        found += tuple(z for z in zones(table, first, without=without, region=there) if z.id == charging)
    found = tuple(replace(z, entered=bound and z.id == charging) for z in as_left(table, found, charging))
    spaces = []
    for name in _levels(table, mover, near, surface):
        stood = tuple((p[0], p[1]) for p, on in ((mover.at, mover.on), (to, surface)) if p is not None and on == name)
        here = tuple(z.through(stood) for z in found if z.binds(name))
        level, circles = ground(table, mover, name, prone=not dice, region=near), contact if name == surface else ()
        spaces.append(_space(table, mover, level, here, charging, stood, circles))
    if not over:
        return Surroundings(table, mover, tuple(spaces), ())
    names = [space.surface for space in spaces]
    found_ways = passages(table, mover, names, tests=dice) if len(names) > 1 or names[0] is not None else ()
    only = touching if table.rulings["charge_on_a_six"] == "no" else None
    ways = transitions(spaces, found_ways, lambda one, two: in_the_air(table, mover, one, two), only)
    return Surroundings(table, mover, tuple(spaces), tuple(ways))


def _space(
    table: Table,
    mover: Model,
    level: Ground,
    here: tuple[Zone, ...],
    charging: str | None,
    stood: tuple[Point, ...],
    circles: Sequence[tuple[float, float, float]],
) -> Space:
    """Make the space of a level, on which a base at a place ``stood`` touches shapes that it overlaps by at most TOUCH.

    The same holds for the places on ``circles`` that overlap shapes least.
    """
    r, at = mover.radius, np.array(stood).reshape(-1, 2)
    margin = r if table.rulings["stand_on"] == "whole" else 0.0
    x0, y0 = (keep_off(r, p) for p in at.T)
    x1, y1 = (size - keep_off(r, size - p) for size, p in zip((table.width, table.depth), at.T, strict=True))
    space = partial(
        make_space,
        *(level, r, (x0, y0, x1, y1), here),
        next((z for z in here if z.id == charging), None),
        stays=table.rulings["charge_stays_in_zone"] == "yes",
        monotone=table.rulings["stuck_no_closer"] == "monotone",
        may_end_low=table.rulings["end_on_low_obstacle"] == "yes",
        margin=keep_off(margin, -level.inside.depth(at)) if level.inside is not None and margin else margin,
    )
    found = space()
    at = np.concatenate([at, *(_farthest_out(found.walls, circle) for circle in circles)])
    at = at[~found.walls.clears(at, NO_LENGTH)]
    touched = tuple(map(point, at[found.walls.clears(at, TOUCH)]))
    return space(touched=touched) if touched else found


def _farthest_out(walls: Grown, circle: tuple[float, float, float]) -> Floats:
    """Return for each capsule near a circle the two places ``(n, 2)`` where the circle may touch it from within."""
    c, r = np.array([circle[:2]]), circle[2]
    near = walls.meeting(c - r, c + r)[1]
    away = r * from_spines(np.repeat(c, len(near), axis=0), walls.spines[near])[1]
    return np.concatenate([c + away, c - away])


def _levels(table: Table, mover: Model, near: Region, wanted: str | None) -> list[str | None]:
    """Return the levels in range, the mover's own first, and the levels that those stand on or are cut into."""
    found: dict[str | None, None] = {mover.on: None, None: None}
    pieces = levels_near(table, near)
    asked = None if wanted is None else table.terrain.get(wanted)
    if asked is not None and is_level(asked) and asked not in pieces:
        pieces.append(asked)
    for piece in pieces:
        found[piece.id] = None
    for piece in pieces:
        on = None if piece.on is None else table.terrain.get(piece.on)
        if on is not None and is_level(on):
            found[on.id] = None
    return list(found)


# -- goals -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Goal:
    """Where a path is to end: at a place, in contact with enemies, or anywhere on some lines.

    Parameters
    ----------
    surface
        The platform, None for the ground.
    at
        A point (inches), or None when the goal is contact with circles.
    contact
        Contact circles ``(x, y, radius)``; if there are several, the goal is where all of them meet.
    bound
        Whether the mover is bound when it reaches the goal.
    lines
        Segments and arcs, at any place of which the path may end, if the goal is neither a point nor contact.

    """

    surface: str | None
    at: Point | None = None
    contact: tuple[tuple[float, float, float], ...] = ()
    bound: bool = False
    lines: tuple[Piece, ...] = ()

    @cached_property
    def focus(self) -> tuple[float, float, float]:
        """A circle ``(x, y, radius)`` that holds every place where a path may end, inches."""
        if self.at is not None:
            return (*self.at, 0.0)
        if self.contact:
            return self.contact[0]
        ends = np.concatenate([line.at(np.linspace(0.0, line.length, 9)) for line in self.lines])
        x, y = (ends.min(axis=0) + ends.max(axis=0)) / 2
        # No place of a line is farther than half a step from one of the nine places on it.
        stray = max(line.length for line in self.lines) / 16
        return float(x), float(y), float(np.hypot(ends[:, 0] - x, ends[:, 1] - y).max()) + stray

    def ahead(self, p: Floats) -> Floats:
        """Return lower bounds of the straight distance from places ``(..., 2)`` to the goal, inches."""
        x, y, radius = self.focus
        return np.asarray(np.maximum(np.hypot(p[..., 0] - x, p[..., 1] - y) - radius, 0.0))

    def apart(self, at: Point) -> float:
        """Return a closer lower bound of the straight distance from one place to the goal, inches."""
        if self.at is not None:
            return math.dist(at, self.at)
        if self.contact:
            return max(0.0, *(math.dist(at, (x, y)) - radius for x, y, radius in self.contact))
        return min(line.nearest(at)[1] for line in self.lines)

    def met(self, p: Floats) -> Bools:
        """Say at which places ``(n, 2)`` the goal is reached."""
        ok = np.ones(len(p), dtype=bool)
        if self.at is not None:
            return np.asarray(np.hypot(*(p - self.at).T) <= TOUCH)
        for x, y, radius in self.contact:
            ok &= np.abs(np.hypot(p[:, 0] - x, p[:, 1] - y) - radius) <= TOUCH
        return ok if self.contact else np.asarray(Rims(self.lines).nearest(p)[1].min(axis=1, initial=np.inf) <= TOUCH)

    def surroundings(
        self,
        table: Table,
        mover: Model,
        cost: float,
        *,
        charging: str | None,
        without: frozenset[str] = frozenset(),
        began: Model | None = None,
        bound: bool = False,
        dice: bool,
    ) -> Surroundings:
        """Return the surroundings of all paths to the goal that cost at most ``cost`` inches."""
        x, y, radius = self.focus

        def found(length: float) -> Surroundings:
            near = Region(mover.at, (x, y), length + TOUCH + radius, mover.radius)
            return make_surroundings(
                *(table, mover),
                region=near,
                surface=self.surface,
                charging=charging,
                without=without,
                began=began,
                bound=bound,
                dice=dice,
                touching=None if charging is None else self.met,
                to=self.at,
                contact=self.contact,
            )

        surroundings = found(max(cost, math.dist(mover.at, (x, y)) - radius))
        longer = length_per_cost(surroundings.transitions)
        # With free shifts a path may be longer than its cost, and leave the first ellipse.
        return found(longer * cost) if longer > 1 else surroundings
