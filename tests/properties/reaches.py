"""Tables with one mover, and places about its reach."""

from __future__ import annotations

import math

import numpy as np
import shapely

import sbg_sim as sbg
from sbg_sim.table.frozen import FrozenMap

BASE = 1.0


R = BASE / 2


# This near the outline of an area (chords of arcs, sampled rims) inside and outside may be taken for each other.
OUTLINE = 2e-3


def table(*things, size=12.0, move=4.0, at=(6.0, 6.0), **state):
    """A table of the mover ``me`` and models and pieces."""
    me = sbg.Model("me", at, BASE, 1.5, move, "good", **state)
    models = {"me": me} | {t.id: t for t in things if isinstance(t, sbg.Model)}
    terrain = {t.id: t for t in things if isinstance(t, sbg.Terrain)}
    return sbg.Table(size, size, FrozenMap(models), FrozenMap(terrain))


def bog(name, body):
    return sbg.Terrain(name, frozenset({"difficult"}), body)


def enemy(name, at):
    return sbg.Model(name, at, BASE, 1.5, 4.0, "evil")


def places(found, count, seed):
    """Random places within the move's circle, on the table."""
    rng = np.random.default_rng(seed)
    turn, out = rng.uniform(0, 2 * math.pi, count), found.allowance * 1.05 * np.sqrt(rng.uniform(size=count))
    return np.array(found.mover.at) + out[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)


def within(area, xy):
    return shapely.contains_xy(area, xy[:, 0], xy[:, 1])
