"""Tables on which a move begins and ends in contact with two things, in places typed to six decimals.

What rounding leaves is an overlap of half a micro-inch at most, which counts as none.
"""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import replace

import sbg_sim as sbg
from sbg_sim.table.frozen import FrozenMap

TYPED = 6  # decimals
ROUNDED = 1e-6  # what rounding to them leaves overlaps by no more than that
AGAIN = 20  # how often two places are drawn, should the first two not lie apart


def contacts(table, question, seed):
    """The table with its mover where it touches two things, to be asked for a move to another such place."""
    me, dice = table.model(question.model), random.Random(f"contacts {seed}")
    discs = grown(table, me)
    places = [p for pair in itertools.combinations(discs, 2) for p in meets(*pair) if free(table, me, discs, p)]
    near = [p for p in places if math.dist(p, me.at) <= me.move + 1]
    for _ in range(AGAIN if len(near) > 1 else 0):
        begin, end = dice.sample(near, 2)
        if math.dist(begin, end) > me.base:
            moved = replace(me, at=typed(begin))
            models = FrozenMap({**table.models, me.id: moved})
            return replace(table, models=models), sbg.Move(me.id, typed(end))
    return table, question


def typed(p):
    return round(p[0], TYPED), round(p[1], TYPED)


def grown(table, me):
    """Discs ``(x, y, radius)`` that the mover's centre keeps out of: bases, zones and round rocks."""
    found = [(*p.shape.spine[0], p.shape.radius + me.radius) for p in table.terrain.values()]
    others = [m for m in table.standing() if m.id != me.id]
    return found + [(*m.at, m.radius + me.radius + (me.is_enemy(m) and m.has_zone)) for m in others]


def meets(one, two):
    """Where the rims of two discs meet."""
    (x, y, r), (u, v, s) = one, two
    d = math.dist((x, y), (u, v))
    if not abs(r - s) < d < r + s:
        return []
    along = (d * d + r * r - s * s) / (2 * d)
    up, dx, dy = math.sqrt(max(r * r - along * along, 0.0)), (u - x) / d, (v - y) / d
    return [(x + along * dx - k * up * dy, y + along * dy + k * up * dx) for k in (1, -1)]


def free(table, me, discs, p):
    """Whether a place lies on the table and in no disc."""
    inside = all(me.radius <= v <= table.width - me.radius for v in p)
    return inside and all(math.dist(p, d[:2]) >= d[2] - 1e-9 for d in discs)


def overlaps(table, me, p):
    """Whether a base at a place overlaps another, or a piece, by what counts as touching."""
    gaps = [math.dist(p, m.at) - m.radius - me.radius for m in table.standing() if m.id != me.id]
    gaps += [float(piece.shape.depth([p])[0]) - me.radius for piece in table.terrain.values() if piece.shape]
    return any(-ROUNDED <= gap < -1e-9 for gap in gaps)
