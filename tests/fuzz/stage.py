"""What seeded tables grow on."""

from __future__ import annotations

import math
import random

import sbg_sim as sbg
from sbg_sim.table.frozen import FrozenMap

MM = 1 / 25.4
BASES = (25 * MM, 25 * MM, 25 * MM, 32 * MM, 40 * MM, 1.0)


class Stage:
    """A table that grows while nothing on it touches what it must not."""

    def __init__(self, seed, small=False, move=6.0):
        self.dice, self.size, self.small = random.Random(f"small {seed}" if small else seed), 20.0, small
        if small:
            move = self.dice.choice((2.0, 2.5, 3.0, 4.0))
        self.models = {"me": sbg.Model("me", (10.0, 10.0), 25 * MM, 2.0, move, "good")}
        self.terrain = {}
        self.close = False  # whether the mover may start in zones

    @property
    def me(self):
        return self.models["me"]

    def some(self, few, many):
        """How many of a thing."""
        return self.dice.randint(min(few, 3), min(many, 6)) if self.small else self.dice.randint(few, many)

    def near(self, reach):
        """A place within a reach of the middle."""
        reach = min(reach, self.me.move + 1.5) if self.small else reach
        turn, far = self.dice.uniform(0, math.tau), reach * math.sqrt(self.dice.random())
        return (self.size / 2 + far * math.cos(turn), self.size / 2 + far * math.sin(turn))

    def stand(self, at, side, base=None, **more):
        """Put a model there, unless it overlaps another, or the mover would start in its zone."""
        base = base or self.dice.choice(BASES)
        one = sbg.Model(f"m{len(self.models)}", at, base, 1.5, 6.0, side, **more)
        for other in self.models.values():
            apart = math.dist(at, other.at) - one.radius - other.radius
            zone = other.id == "me" and side == "evil" and one.has_zone
            if apart < (1.001 if zone and not self.close else -1e-9):
                return False
        if not all(one.radius <= v <= self.size - one.radius for v in at) or self.inside(at, one.radius):
            return False
        self.models[one.id] = one
        return True

    def inside(self, at, radius):
        """Whether a base there overlaps something solid."""
        bad = ("obstacle", "unscalable", "platform", "gap")
        return any(p.tags & set(bad) and float(p.shape.depth([at])[0]) < radius - 1e-9 for p in self.terrain.values())

    def put(self, tags, shape, **more):
        """Put a piece there, unless it overlaps a base."""
        free = tags == {"difficult"} or all(float(shape.depth([m.at])[0]) >= m.radius for m in self.models.values())
        if free:
            name = f"t{len(self.terrain)}"
            self.terrain[name] = sbg.Terrain(name, frozenset(tags), shape, **more)

    def done(self, question=None):
        """The table, and a move of the mover to somewhere within and beyond its Move."""
        maps = {"models": FrozenMap(self.models), "terrain": FrozenMap(self.terrain)}
        if question is None:
            for _ in range(50):
                to, r = self.near(1.4 * self.me.move), self.me.radius
                if all(r <= v <= self.size - r for v in to) and not self.inside(to, r):
                    break
            question = sbg.Move("me", to)
        return sbg.Table(self.size, self.size, **maps), question


def box(x0, y0, x1, y1):
    """A rectangle."""
    return sbg.polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
