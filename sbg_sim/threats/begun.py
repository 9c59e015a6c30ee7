"""Finds where an enemy comes in time to begin a way over, by the costs of rims, without single charges."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from sbg_sim.arrays import distances
from sbg_sim.geometry.areas import intersection
from sbg_sim.solver.field.landings import begun
from sbg_sim.solver.path.options import SIX, chance_of, late_ways
from sbg_sim.solver.space.transitions import length_per_cost
from sbg_sim.threats.chargeable import ASIDE, ROUND

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sbg_sim.arrays import Array, Floats
    from sbg_sim.geometry.pieces import Piece
    from sbg_sim.solver.reach_areas import Reach
    from sbg_sim.solver.space.transitions import Transition

_APART: Final = 0.15  # inches between the places that stand for all at which a way begins


def ways_begun(
    found: Reach, chance: Fraction = Fraction(0), *, more: float = 0.0
) -> Iterator[tuple[Transition, Floats, Floats]]:
    """Yield the ways over that an enemy can begin in time, and complete with at least some chance.

    Parameters
    ----------
    found
        The enemy's reach; only its window is examined.
    chance
        The least chance, 0 to 1.
    more
        Inches by which it may move further if shifts over steps are free.

    Yields
    ------
    The way, the places where it begins ``(n, 2)``, inches, and how far the movement left there leads at most ``(n,)``:
    as far as the way itself, if the last way of a move may cost more than is left.

    """
    if found.blocked:
        return
    net, labels = found.fields.fine
    longest, late = length_per_cost(net.transitions), late_ways(found.table, found.mover.move or 0.0)
    # Samples may cost a little more than places between them.
    limit = found.limit + ASIDE + (more if longest > 1 else 0.0)
    for transition in net.transitions:
        tests = transition.way.tests
        # The numbers of dice that may have been thrown before.
        before = [k for k in range(len(labels.cost)) if _chance(k, tests) >= chance]
        if not before:
            continue
        cost = labels.cost[before].min(axis=0)
        p, used, _ = begun(net, cost, transition, limit)
        if not len(p):
            continue
        left = (limit - used) * longest
        yield transition, p, np.maximum(left, late[transition.way.kind]) if transition.way.kind in late else left


def _chance(before: int, tests: int) -> Fraction:
    return chance_of(before + tests, landing=True) if tests else SIX**before


def over_in_time(
    found: Reach, bodies: Mapping[str, shapely.Geometry], chance: Fraction, *, more: float
) -> list[shapely.Geometry]:
    """Return the parts of pieces over which an enemy comes in time, on a way with at least some chance.

    Parameters
    ----------
    found, chance, more
        As for `ways_begun`.
    bodies
        By the ids of pieces, the places at which a base is over them, inches.

    """
    ways = [(way, *_thinned(p, left)) for way, p, left in ways_begun(found, chance, more=more)] if bodies else []
    led_over = {name for way in found.surroundings.transitions for name in _pieces(way)}
    parts = []
    for name, body in bodies.items():
        some = [(p, left) for way, p, left in ways if name in _pieces(way)]
        if some:
            p, left = (np.concatenate(part) for part in zip(*some, strict=True))
            whole = (shapely.hausdorff_distance(body, p) <= left).any()
            discs = body if whole else shapely.union_all(shapely.buffer(p, left, quad_segs=ROUND // 6))
            parts.append(body if whole else intersection(discs, body))
        elif name not in led_over:
            parts.append(body)  # it may be joined with a piece of another id
    return parts


def _pieces(way: Transition) -> set[str | None]:
    """Return the ids of the pieces that a way leads over, onto or down from."""
    return {way.block, way.here.surface, way.there.surface}


def beside_landings(found: Reach, contact: float, chance: Fraction) -> shapely.Geometry:
    """Return the area within ``contact`` inches, and a little more, of where a last die may land an enemy.

    Zones do not count; the landings have at least the given chance.
    """
    landed = []
    for way, p, left in ways_begun(found, chance):
        if way.way.tests and way.far:
            far = np.concatenate(rim_places(way.far))
            landed.append(far[(distances(far, p) <= left + ASIDE).any(axis=1)])
    places = np.unique(np.concatenate([np.empty((0, 2)), *landed]), axis=0)
    return shapely.union_all(shapely.buffer(shapely.points(places), contact + 2 * ASIDE, quad_segs=ROUND // 6))


def rim_places(rim: Sequence[Piece]) -> list[Floats]:
    """Return places ``(n, 2)`` along each piece of a rim, inches."""
    return [piece.at(np.linspace(0.0, piece.length, 2 + int(piece.length / ASIDE))) for piece in rim]


def _thinned(p: Floats, left: Floats) -> tuple[Array, Floats]:
    """Return one place of each cell of a grid as a point, with a bound of how far the cell's places lead, inches."""
    cell = np.unique(np.floor(p / _APART), axis=0, return_inverse=True)[1].ravel()
    order = np.lexsort((-left, cell))
    first = order[np.flatnonzero(np.diff(cell[order], prepend=-1))]
    return np.asarray(shapely.points(p[first])), left[first] + 2 * _APART
