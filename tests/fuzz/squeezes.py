"""Jumps over a wall right across the table, between bases that they must clear and difficult ground that they may cut.

Slow and plainly right: dense lines to the wall, over it and from it, sampled ever closer about the cheapest. Shares no
code with the solver; every path it finds is legal, so no answer may be dearer.
"""

from __future__ import annotations

import math

import numpy as np

import sbg_sim as sbg
from tests.fuzz.oracle import Body, Oracle
from tests.fuzz.stage import BASES, Stage, box

STEP, MARKS, ROUNDS, STARTS, APART = 0.02, 9, 24, 8, 0.1
ASIDE = 1.8  # inches to either side of the mover that jumps begin and land
AFAR = 0.7  # inches from the mover or its goal that bases stand at most


def squeezes(seed, small=False):
    """A wall right across, one to four bases and two to four bogs of three to five corners where it is jumped."""
    stage = Stage(seed, small=small)
    dice, me = stage.dice, stage.me
    low = me.at[1] - me.radius - dice.uniform(0.02, 1.0)
    high = low - dice.uniform(0.1, 0.6)
    stage.put({"obstacle"}, box(-1, high, stage.size + 1, low), height=dice.uniform(1.2, me.height))
    goal = (me.at[0] + dice.uniform(-0.8, 0.8), high - me.radius - dice.uniform(0.02, 0.8))
    for _ in range(dice.randint(1, 2 if small else 4)):
        for _ in range(30):
            base, by = dice.choice(BASES), dice.choice((me.at, goal))
            at = (by[0] + dice.uniform(-2, 2), by[1] + dice.uniform(-1.5, 1.5))
            off = [math.dist(at, end) - me.radius - base / 2 for end in (me.at, goal)]
            if min(off) > 0.002 and off[by is goal] < AFAR and stage.stand(at, "good", base):
                break
    for _ in range(dice.randint(1, 2) if small else dice.randint(2, 4)):
        c = (me.at[0] + dice.uniform(-1.2, 1.2), dice.uniform(high - 0.6, low + 0.6))
        reach, turn, n = dice.uniform(0.1, 0.9), dice.uniform(0, math.tau), dice.randint(3, 5)
        every = [(reach * dice.uniform(0.5, 1), turn + math.tau * k / n) for k in range(n)]
        corners = [(c[0] + far * math.cos(angle), c[1] + far * math.sin(angle)) for far, angle in every]
        stage.put({"difficult"}, sbg.polygon(corners))
    return stage.done(sbg.Move("me", goal))


def wall_across(table, question):
    """The bottom and top of the box right across that is jumped; None where more is about than bases and bogs."""
    if not isinstance(question, sbg.Move) or table.rulings["jump_landing"] != "any":
        return None
    me = table.model(question.model)
    solid = [p for p in table.terrain.values() if not p.difficult]
    plain = all(m.on is None and not m.is_enemy(me) and not m.prone for m in table.models.values())
    if not plain or len(solid) != 1 or solid[0].tags != {"obstacle"} or len(solid[0].shape.rings) != 1:
        return None  # of more rings all but one are holes
    (ring,), (x0, low, x1, high) = solid[0].shape.rings, solid[0].shape.bounds
    corners = {(x, y) for x in (x0, x1) for y in (low, high)}
    right = x0 <= 0 and x1 >= table.width and {tuple(p) for p in ring} <= corners
    jumped = me.height / 2 <= solid[0].top <= me.height
    return (low, high) if right and jumped and question.to[1] < low and high < me.at[1] else None


class Lines:
    """Lines from the mover to a wall, over it, and on to a goal below."""

    def __init__(self, table, question, wall):
        walk = Oracle(table, question.model)
        walk.walls = Body()
        me = table.model(question.model)
        for other in table.standing():
            if other.id != me.id:
                walk.walls.add(sbg.circle(other.at, other.radius), me.radius)
        walk.walls.settle()
        self.walk, self.start, self.goal = walk, np.array(me.at), np.array(question.to)
        self.low, self.high = wall[0] - me.radius, wall[1] + me.radius
        self.ends = me.radius, table.width - me.radius

    def costs(self, begun, landed):
        """What lines cost over the wall from some places along it to others ``(n, m)``, inches; infinite if barred."""
        p = np.column_stack([begun, np.full(len(begun), self.high)])
        q = np.column_stack([landed, np.full(len(landed), self.low)])
        first, last = self.walk.edges(self.start, p), self.walk.edges(self.goal, q)
        over = np.full((len(p), len(q)), np.inf)
        for k in np.flatnonzero(np.isfinite(first)).tolist():
            over[k] = self.walk.edges(p[k], q)
        return first[:, None] + over + last

    def least(self):
        """The least cost that is found, inches; infinite where no line is open."""
        middle = (self.start[0] + self.goal[0]) / 2
        along = np.clip(middle + np.arange(-ASIDE, ASIDE, STEP), *self.ends)
        every = self.costs(along, along)
        starts = []
        for k in np.argsort(every, axis=None)[: np.isfinite(every).sum()].tolist():
            i, j = np.unravel_index(k, every.shape)
            if all(abs(along[i] - p) + abs(along[j] - q) > APART for p, q in starts):
                starts.append((along[i], along[j]))
            if len(starts) == STARTS:
                break
        return min((self._refined(*start) for start in starts), default=math.inf)

    def _refined(self, begun, landed):
        width = STEP
        for _ in range(ROUNDS):
            marks = width * np.linspace(-1, 1, MARKS)
            found = self.costs(begun + marks, landed + marks)
            i, j = np.unravel_index(int(found.argmin()), found.shape)
            begun, landed = begun + marks[i], landed + marks[j]
            width *= 0.9 if {int(i), int(j)} & {0, MARKS - 1} else 0.6
        return float(found.min())
