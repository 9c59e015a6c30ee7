"""One level as a mover meets it: bases, solids, difficult ground, and the ways over (MOV, TER, JMP, LEAP, CLB)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import shapely

from sbg_sim.errors import QuestionError
from sbg_sim.geometry.shapes import Shape, circle
from sbg_sim.table.board import height_of
from sbg_sim.table.joining import faces_of
from sbg_sim.table.levels import elevation, is_level, is_stood_on, standing_out, supports, uncovered
from sbg_sim.table.nearby import pieces_near, standing_near
from sbg_sim.tolerance import ROUNDING, TOUCH

if TYPE_CHECKING:
    from sbg_sim.geometry.regions import Region
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain


@dataclass(frozen=True)
class Way:
    """A way over a piece, up or down, instead of walking.

    Parameters
    ----------
    kind
        ``"jump"``, ``"leap"``, ``"jump-prone"``, ``"climb-over"``, ``"up"``, ``"jump-up"``, ``"climb"``, ``"ladder"``,
        ``"down"``, ``"descend"``.
    rule
        Rule id.
    rise
        Inches of height that count as movement before doubling; 0 where height is ignored.
    cost
        Movement (inches) in addition to the horizontal distance that counts.
    horizontal
        Whether the horizontal distance counts.
    across
        True when only the shift straight across is possible.
    tests
        The number of its dice.
    to
        The surface to which it leads (None: the ground); for ways that stay on a surface, that surface.
    longest
        The greatest length over the gap itself, inches.
    foot
        The only place at which it can begin, if there is one: a ladder's foot, or where a climber hangs.

    """

    kind: str
    rule: str
    rise: float = 0.0
    cost: float = 0.0
    horizontal: bool = True
    across: bool = False
    tests: int = 1
    to: str | None = None
    longest: float = math.inf
    foot: tuple[float, float] | None = None


@dataclass(frozen=True)
class Block:
    """A model or a piece of terrain that the mover's base may not overlap.

    Parameters
    ----------
    id
        Model or terrain.
    rule
        Rule id by which it blocks.
    shape
        Its own outline, not grown.
    ways
        The ways past it.
    reason
        Its description in a sentence.
    step
        Whether only the mover's centre is kept out, and the base may overlap it (ruling ``stand_on``).

    """

    id: str
    rule: str
    shape: Shape
    ways: tuple[Way, ...] = ()
    reason: str = ""
    step: bool = False


@dataclass(frozen=True)
class Ground:
    """One level as a mover meets it.

    Parameters
    ----------
    surface
        The platform, or the gap whose bottom the level is; None for the ground.
    bases, solids
        The models and the terrain that block.
    difficult
        Pieces on which a step counts double, by id.
    low
        Pieces that are stepped over freely, but on which no move ends.
    inside
        The level's outline, within which the base must stay; None for the ground.
    high
        Its height above the ground, inches.

    """

    surface: str | None
    bases: tuple[Block, ...]
    solids: tuple[Block, ...]
    difficult: tuple[tuple[str, Shape], ...]
    low: tuple[tuple[str, Shape], ...]
    inside: Shape | None = None
    high: float = 0.0


def ground(
    table: Table, mover: Model, surface: str | None, *, prone: bool = False, region: Region | None = None
) -> Ground:
    """Collect the models and the terrain that a mover meets on one surface.

    Parameters
    ----------
    table
        The table.
    mover
        The mover; it does not block itself.
    surface
        A platform, or None for the ground.
    prone
        Whether it crawls: then there are no ways over.
    region
        Only models and terrain near it are collected.

    Raises
    ------
    QuestionError
        If an obstacle is there and the mover's height is not known.

    """
    others = table.standing() if region is None else standing_near(table, region)
    high = elevation(table, surface)
    centred = table.rulings["stand_on"] == "centre"
    near = height_of(mover) / 2 + ROUNDING if centred and mover.height is not None else -1.0
    bases = tuple(
        _base(table, mover, other, surface)
        for other in others
        if other.id != mover.id and (other.on == surface or abs(elevation(table, other.on) - high) <= near)
    )
    held = supports(table, surface)
    solids: list[Block] = []
    difficult: list[tuple[str, Shape]] = []
    low: list[tuple[str, Shape]] = []
    for piece in table.terrain.values() if region is None else pieces_near(table, region):
        if piece.shape is None or mover.id in piece.lets_through:
            continue
        lies = piece.id if is_level(piece) else piece.on
        # By its centre it may stand half over the next step, and difficult ground there counts too (TER.2).
        if piece.difficult and (lies == surface or (centred and _is_step(table, mover, lies, high))):
            difficult += [(piece.id, shape) for shape in uncovered(table, piece)]
        if piece.id == surface or piece.id in held:
            continue
        if "gap" in piece.tags:
            if piece.on == surface:
                leaps = _leaps(table, mover, piece.shape, surface)
                step = centred and is_level(piece) and not needs_test(table, mover, piece.depth or 0.0)
                parts = standing_out(table, piece)
                solids += [Block(piece.id, "LEAP.1", shape, leaps, f"{piece.id}, a gap", step) for shape in parts]
            continue
        tall = _standing_out(table, piece, surface, high)
        if not piece.is_obstacle or tall <= ROUNDING:
            continue
        parts = standing_out(table, piece) if piece.on == surface else (piece.shape,)
        if "platform" in piece.tags and (piece.on != surface or is_stood_on(table, piece, mover.radius)):
            face = piece.shape if math.isinf(tall) else faces_of(table, piece.id, high)
            step = centred and tall <= height_of(mover) + ROUNDING  # its base overlaps nothing taller than itself
            for shape in () if face is None else parts if face is piece.shape else (face,):
                solids.append(Block(piece.id, "TER.4", shape, (), f"the face of {piece.id}", step))
        elif not needs_test(table, mover, tall):
            low += [(piece.id, shape) for shape in parts]
        else:
            whole = _solid(table, mover, piece, surface, tall)
            solids += [replace(whole, shape=shape) for shape in parts]
    if prone:
        solids = [Block(b.id, b.rule, b.shape, (), b.reason, b.step) for b in solids]
        bases = tuple(Block(b.id, b.rule, b.shape, (), b.reason) for b in bases)
    inside = None if surface is None else table.piece(surface).shape
    return Ground(surface, bases, tuple(solids), tuple(difficult), tuple(low), inside, high)


def _is_step(table: Table, mover: Model, level: str | None, high: float) -> bool:
    return not needs_test(table, mover, abs(elevation(table, level) - high))


def _standing_out(table: Table, piece: Terrain, surface: str | None, high: float) -> float:
    """Return by how much a piece stands out of a level, inches; 0 if it is above the level and is passed under."""
    if piece.is_obstacle and piece.height is None and not math.isinf(piece.top):
        raise QuestionError(f"terrain.{piece.id}.height is missing, and this question needs it")
    if piece.on == surface:
        return piece.top
    foot = elevation(table, piece.on)
    if "platform" not in piece.tags and foot > high + ROUNDING:
        return 0.0
    return foot + piece.top - high


def _base(table: Table, mover: Model, other: Model, surface: str | None) -> Block:
    """Return a base as a block on a surface; a prone model is jumped only on its own surface."""
    ways: tuple[Way, ...] = ()
    if other.prone and other.on == surface and may_jump_prone(table, mover, other):
        ways = (Way("jump-prone", "PRN.5", to=other.on),)
    return Block(other.id, "MOV.4", disc(other.at, other.radius), ways, f"the base of {other.id}")


def may_jump_prone(table: Table, mover: Model, other: Model) -> bool:
    """Say whether a prone model is low enough to be jumped (ruling ``jump_prone_height``; PRN.5)."""
    any_height = table.rulings["jump_prone_height"] == "any"
    return any_height or height_of(other) / 2 <= height_of(mover) + ROUNDING


@lru_cache(maxsize=4096)
def disc(at: Point, radius: float) -> Shape:
    """Return a base as a shape, cached, because a shape keeps what is computed from it."""
    return circle(at, radius)


def half_reached(table: Table, mover: Model, piece: Terrain) -> bool:
    """Say whether an obstacle is high enough to need a test: from half the mover's height on (TER.3, TER.4)."""
    if piece.height is None and not math.isinf(piece.top):
        raise QuestionError(f"terrain.{piece.id}.height is missing, and this question needs it")
    return needs_test(table, mover, piece.top)


def needs_test(table: Table, mover: Model, rise: float) -> bool:
    """Say whether a rise, in inches, needs a test: from half the mover's height on (TER.3, TER.4)."""
    if math.isinf(rise):
        return True
    half = height_of(mover) / 2
    if abs(rise - half) <= ROUNDING:
        return table.rulings["obstacle_exactly_half"] == "test"
    return rise > half


def _solid(table: Table, mover: Model, piece: Terrain, surface: str | None, tall: float) -> Block:
    assert piece.shape is not None
    if math.isinf(tall):
        return Block(piece.id, "TER.5", piece.shape, (), f"{piece.id}, which cannot be scaled")
    h = height_of(mover)
    across = table.rulings["jump_landing"] == "across"
    if tall <= h + ROUNDING:
        way = Way("jump", "TER.4", across=across, to=surface)
        return Block(piece.id, "TER.4", piece.shape, (way,), f"{piece.id}, an obstacle that must be jumped")
    if "unscalable" in piece.tags:
        return Block(piece.id, "TER.5", piece.shape, (), f"{piece.id}, which cannot be scaled")
    if "cavalry" in mover.keywords:
        return Block(piece.id, "CLB.3", piece.shape, (), f"{piece.id}, which cavalry cannot climb")
    both = table.rulings["climb_over"] == "down"
    over = Way(
        "climb-over",
        "CLB.1",
        rise=tall,
        cost=2 * tall * (2 if both else 1),
        horizontal=False,
        across=True,
        tests=1 + both,
        to=surface,
    )
    ways: tuple[Way, ...] = (over,)
    if hung := climbed_on(mover, piece, tall):
        # The rest of the climb begins where it hangs; a mover that hangs at the top has only the way down before it.
        up = 1 if must_test(table, hung) and not (both and hung >= tall - ROUNDING) else 0
        ways += (replace(over, cost=over.cost - 2 * hung, tests=up + both, foot=mover.at),)
    return Block(piece.id, "TER.4", piece.shape, ways, f"{piece.id}, which must be climbed")


def _leaps(table: Table, mover: Model, shape: Shape, surface: str | None) -> tuple[Way, ...]:
    longest = 2 * height_of(mover)
    if table.rulings["leap_width"] == "narrowest" and least_width(shape) <= longest + TOUCH:
        longest = math.inf  # by this reading a gap that is narrow enough somewhere may be leapt anywhere
    return (Way("leap", "LEAP.1", to=surface, longest=longest),)


def least_width(shape: Shape) -> float:
    """Return the least width of a shape, inches: the least distance of two parallel lines with the shape between."""
    hull = shapely.MultiPoint([p for ring in shape.rings or (shape.spine,) for p in ring]).convex_hull
    if hull.geom_type != "Polygon":
        return 2 * shape.radius
    corners = np.array(hull.exterior.coords)
    ways = np.diff(corners, axis=0)
    normals = np.stack([-ways[:, 1], ways[:, 0]], axis=1) / np.hypot(*ways.T)[:, None]
    return float(np.ptp(corners @ normals.T, axis=0).min()) + 2 * shape.radius


def climbed_on(mover: Model, piece: Terrain, tall: float | None = None) -> float:
    """Return how many inches of a piece's face lie below a mover that hangs on it; 0 if it does not (CLB.4).

    It hangs on the sides of a gap from inside.
    """
    if not mover.climbed or piece.shape is None:
        return 0.0
    gap = "gap" in piece.tags
    outside = float(piece.shape.depth([mover.at])[0])
    whole = (piece.depth or 0.0) if gap else piece.top
    apart = (-outside if gap else outside) - mover.radius
    return min(mover.climbed, whole if tall is None else tall) if abs(apart) <= TOUCH else 0.0


def must_test(table: Table, climbed: float) -> bool:
    """Say whether going up a face takes a Climb test, given the inches climbed in earlier turns (CLB.4)."""
    return climbed <= 0 or table.rulings["climb_test_each_turn"] == "yes"


def fall_hits(table: Table, height: float, fallen: float) -> int:
    """Return the Strength 3 hits of a fall: one beyond the model's height, one more per inch beyond that (FALL.2)."""
    beyond = fallen - height
    if beyond <= ROUNDING:
        return 0
    inches = math.floor(beyond + ROUNDING) if table.rulings["fall_inches"] == "whole" else math.ceil(beyond - ROUNDING)
    return 1 + inches
