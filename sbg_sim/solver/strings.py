"""Nodes strung along rings: in order of travel, with what it costs to come that far."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.solver.network import TANGENT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.solver.rings import Arcs, Ring

Floats = np.ndarray


def strings(
    rings: Sequence[Ring],
    arcs: Arcs,
    on_ring: Sequence[tuple[Floats, Floats, Floats]],
    bound: Floats,
    kind: Floats,
    ref: Floats,
    turn: Floats,
    param: Floats,
) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """String tangent nodes and points along every ring, both ways round, free and bound.

    Parameters
    ----------
    rings, arcs
        The rings, and their arcs as arrays.
    on_ring
        Point nodes on rings: nodes, rings, angles (radians).
    bound, kind, ref, turn, param
        The nodes' states, kinds, rings, turns and angles.

    Returns
    -------
    Node, cost since the run's start (inches) and run number in order; ring and turn of every run.

    """
    mine = np.flatnonzero(kind == TANGENT)
    ids, ring, ways, theta = [mine], [ref[mine]], [turn[mine]], [param[mine]]
    for nodes, at, angle in on_ring:
        for way in (1, -1):
            ids.append(nodes)
            ring.append(at)
            ways.append(np.full(len(nodes), way))
            theta.append(angle)
    joined = [np.concatenate(part) for part in (ids, ring, ways, theta)]
    return ordered(rings, arcs, joined[0], joined[1], joined[2], joined[3], bound)


def ordered(
    rings: Sequence[Ring], arcs: Arcs, ids: Floats, ring: Floats, turn: Floats, theta: Floats, bound: Floats
) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Order nodes along their rings in travel with their turns; as :func:`strings`."""
    state = bound[ids].astype(np.int64)
    arc = arcs.locate(ring, theta, state)
    ok = arc >= 0
    ids, ring, turn, theta, arc, state = ids[ok], ring[ok], turn[ok], theta[ok], arc[ok], state[ok]
    # Ring by ring: free before bound, counter-clockwise before clockwise.
    group, which = np.unique(4 * ring + 2 * state + (turn < 0), return_inverse=True)
    number, base, closes = _chains(rings, group, arcs.angle.shape[1])
    into = arcs.into(ring, theta, arc)
    place = base[which, arc] + np.where(turn > 0, into, arcs.width[ring, arc] * arcs.cost[ring, arc] - into)
    string = number[which, arc]
    again = np.flatnonzero(closes[which])
    total = np.array([rings[int(k)].begin[-1] for k in ring[again]])
    ids, place = np.concatenate([ids, ids[again]]), np.concatenate([place, place[again] + total])
    which, string = np.concatenate([which, which[again]]), np.concatenate([string, string[again]])
    order = np.lexsort((place, string, which))
    which, string = which[order], string[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (which[1:] != which[:-1]) | (string[1:] != string[:-1])
    of = group[which[new]]
    return ids[order], place[order], np.cumsum(new) - 1, of // 4, 1 - 2 * (of % 2)


def _chains(rings: Sequence[Ring], group: Floats, most: int) -> tuple[Floats, Floats, Floats]:
    """By group and arc the number of its string and the cost at which travel comes to it; groups that close."""
    number, base = np.zeros((len(group), most), dtype=np.int64), np.zeros((len(group), most))
    closes = np.zeros(len(group), dtype=bool)
    for k, code in enumerate(group.tolist()):
        ring = rings[code // 4]
        string, order, closes[k] = ring.chain(code // 2 % 2, 1 - 2 * (code % 2))
        number[k, : len(string)] = string
        cost = np.diff(ring.begin)[order]
        # Counted along the order itself: the end of its last arc is not the beginning of the first.
        base[k, order[1:]] = np.cumsum(cost[:-1])
    return number, base, closes
