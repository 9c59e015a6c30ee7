"""What the tests of paths stand on: a surface with rims of difficult ground and rings, and paths over it."""

import math
from types import SimpleNamespace

import numpy as np

import sbg_sim as sbg
from sbg_sim.geometry.grown import grown
from sbg_sim.geometry.pieces import Piece
from sbg_sim.geometry.rims import Rims
from sbg_sim.rules.ground import Ground
from sbg_sim.solver.path.paths import Link, Path
from sbg_sim.solver.space.configuration_space import Space
from sbg_sim.solver.space.rings import Ring, RingArcs

EMPTY = grown(())
STRIP = sbg.polygon([(-50, 2), (50, 2), (50, 4), (-50, 4)])


def net(pieces=(), rings=(), difficult=EMPTY):
    """What a path refers to: rim pieces of difficult ground and circles on one surface."""
    bare, box = Ground(None, (), (), (), ()), (-99, -99, 99, 99)
    space = Space(bare, 0.5, (), EMPTY, difficult, EMPTY, box, (), None, stays=True, monotone=False)
    return SimpleNamespace(
        pieces=list(pieces),
        piece_space=[0] * len(pieces),
        difficult_pieces=len(pieces),
        difficult_on=lambda space: np.arange(len(pieces)),
        rims=Rims(pieces),
        rings=list(rings),
        arcs=RingArcs(rings),
        spaces=[space],
        transitions=[],
    )


def ring(x, y, rho, weights=(1.0,)):
    angles = np.linspace(0, 2 * math.pi, len(weights), endpoint=False)
    open_, none = np.ones((2, len(weights)), dtype=bool), np.zeros(len(weights), dtype=np.int64)
    return Ring((x, y), rho, 0, angles, open_, np.array(weights), none, ~open_, np.zeros(0))


def path(*elements, weights=None):
    weights = weights or [1.0] * (len(elements) - 1)
    return Path(elements, tuple(Link(0, w) for w in weights))


def level(y, length=40.0):
    """A straight rim from left to right."""
    return Piece((-20.0, y), (1.0, 0.0), length, normal=(0.0, 1.0))
