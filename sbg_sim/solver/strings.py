"""Nodes strung along rings: in order of travel, with what it costs to come that far."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.solver.network import TANGENT

if TYPE_CHECKING:
    from sbg_sim.solver.rings import Ring

Floats = np.ndarray


def strings(
    all_rings: list[Ring],
    on_ring: list[tuple[int, int, float]],
    bound: Floats,
    kind: Floats,
    ref: Floats,
    turn: Floats,
    param: Floats,
) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """String tangent nodes and points along every ring, both ways round, free and bound.

    Parameters
    ----------
    all_rings
        The rings.
    on_ring
        Point nodes on rings: node, ring, angle (radians).
    bound, kind, ref, turn, param
        The nodes' states, kinds, rings, turns and angles.

    Returns
    -------
    Node, cost since the run's start (inches) and run number in order; ring and turn of every run.

    """
    points: dict[int, list[tuple[int, float]]] = {}
    for node, at, angle in on_ring:
        points.setdefault(at, []).append((node, angle))
    along, reached, string = [np.zeros(0, dtype=np.int64)], [np.zeros(0)], [np.zeros(0, dtype=np.int64)]
    count = 0
    rings: list[int] = []
    turns: list[int] = []
    tangent = kind == TANGENT
    for k, ring in enumerate(all_rings):
        mine = np.flatnonzero(tangent & (ref == k))
        extra = points.get(k, [])
        for state in (False, True):
            pts = [(n, a) for n, a in extra if bound[n] == state]
            p_ids = np.array([n for n, _ in pts], dtype=np.int64)
            p_ang = np.array([a for _, a in pts])
            for way in (1, -1):
                ids = mine[(bound[mine] == state) & (turn[mine] == way)]
                ids, theta = np.concatenate([ids, p_ids]), np.concatenate([param[ids], p_ang])
                if not len(ids):
                    continue
                ids, cost, number = ordered(ring, ids, theta, int(state), way)
                along.append(ids)
                reached.append(cost)
                string.append(number + count)
                new = int(number.max(initial=-1)) + 1
                count += new
                rings += [k] * new
                turns += [way] * new
    return (
        np.concatenate(along),
        np.concatenate(reached),
        np.concatenate(string),
        np.array(rings, dtype=np.int64),
        np.array(turns, dtype=np.int64),
    )


def ordered(ring: Ring, ids: Floats, theta: Floats, state: int, turn: int) -> tuple[Floats, Floats, Floats]:
    """Order nodes along a ring in travel with a turn: node, cost since the beginning, string number."""
    arc = ring.locate(theta, np.full(len(ids), state))
    ok = arc >= 0
    ids, theta, arc = ids[ok], theta[ok], arc[ok]
    number, order, closes = ring.chain(state, turn)
    total = float(ring.begin[-1])
    place = ring.along(theta, arc)
    place = place if turn > 0 else total - place
    origin = float(ring.begin[order[0]]) if turn > 0 else total - float(ring.begin[order[0] + 1])
    place = (place - origin) % total if total else place
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    # A node at the very start may seem to lie a whole turn on by rounding.
    wrapped = (place > total - 1e-7) & (rank[arc] == 0) & (len(order) > 1)
    place = np.where(wrapped, 0.0, place)
    sort = np.lexsort((place, number[arc]))
    ids, place, strings = ids[sort], place[sort], number[arc][sort]
    if closes:
        ids, place, strings = np.tile(ids, 2), np.concatenate([place, place + total]), np.tile(strings, 2)
    _, strings = np.unique(strings, return_inverse=True)
    return ids, place, strings
