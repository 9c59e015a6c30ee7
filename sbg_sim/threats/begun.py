"""Where an enemy comes in time to begin a way over something: what costs of rims rule out needs no single charge."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
import shapely

from sbg_sim.geometry.areas import intersection
from sbg_sim.solver.field.late_landings import begun
from sbg_sim.solver.path.options import SIX, chance_of, late_ways
from sbg_sim.solver.space.transitions import length_per_cost
from sbg_sim.threats.chargeable import ASIDE, ROUND

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sbg_sim.arrays import Array, Floats
    from sbg_sim.solver.reach import Reach
    from sbg_sim.solver.space.transitions import Transition

_APART: Final = 0.15  # inches between places where ways begin that are told apart
_Ways: TypeAlias = "Sequence[tuple[Transition, Floats, Floats]]"


def ways_begun(
    found: Reach, chance: Fraction = Fraction(0), *, more: float = 0.0
) -> Iterator[tuple[Transition, Floats, Floats]]:
    """Yield each way over something that an enemy comes to in time, and to a place with such a chance or a better one.

    Parameters
    ----------
    found
        Where the enemy may end its move; within its window alone is looked at.
    chance
        The chance, 0 to 1.
    more
        Inches by which it may move further where shifts over steps cost nothing.

    Yields
    ------
    The way, the places it is begun at ``(n, 2)``, inches, and how far the movement left there leads at the most
    ``(n,)``: as far as the way itself may, where the last of a move may cost more than is left.

    """
    if found.blocked:
        return
    net, labels = found.fields.fine
    longest, late = length_per_cost(net.transitions), late_ways(found.table, found.mover.move or 0.0)
    # Samples may cost a little more than what lies between them.
    limit = found.limit + ASIDE + (more if longest > 1 else 0.0)
    for transition in net.transitions:
        tests = transition.way.tests
        # With so many dice thrown before, whatever they lead to.
        before = [k for k in range(len(labels.cost)) if _chance(k, tests) >= chance]
        if not before:
            continue
        cost = labels.cost[before].min(axis=0)
        places = begun(net, cost, transition, limit)
        if not places:
            continue
        p, used = (np.concatenate(part) for part in zip(*places, strict=True))
        left = (limit - used) * longest
        yield transition, p, np.maximum(left, late[transition.way.kind]) if transition.way.kind in late else left


def _chance(before: int, tests: int) -> Fraction:
    return chance_of(before + tests, landing=True) if tests else SIX**before


def over_in_time(bodies: Sequence[shapely.Geometry], ways: _Ways) -> list[shapely.Geometry]:
    """Return of what a base is over on ways (areas, inches) the parts that it comes to in time, by what is left."""
    near = [_thinned(p, left) for way, p, left in ways if way.source == way.dest]
    onto = [_thinned(p, left) for way, p, left in ways if way.source != way.dest]
    found = []
    for body in bodies:
        some = [(p[close], left[close]) for p, left in near for close in [shapely.dwithin(p, body, ASIDE)]] + onto
        if not some:
            continue
        p, left = (np.concatenate(part) for part in zip(*some, strict=True))
        whole = (shapely.hausdorff_distance(body, p) <= left).any()
        discs = body if whole else shapely.union_all(shapely.buffer(p, left, quad_segs=ROUND // 6))
        found.append(body if whole else intersection(discs, body))
    return found


def _thinned(p: Floats, left: Floats) -> tuple[Array, Floats]:
    """Return places some way apart as points, each with what is left at any place near it that it stands for."""
    cell = np.unique(np.floor(p / _APART), axis=0, return_inverse=True)[1].ravel()
    order = np.lexsort((-left, cell))
    first = order[np.flatnonzero(np.diff(cell[order], prepend=-1))]
    return np.asarray(shapely.points(p[first])), left[first] + 2 * _APART
