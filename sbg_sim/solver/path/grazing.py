"""Constraints that hold the ways over of a polished path out of difficult ground that they touch.

As a way cuts into a circle of difficult ground its cost grows as the root of the depth; as it passes an inward corner,
where two rims meet, its cost has a kink. Newton's method needs a smooth cost, so the way is weighed by the rest of the
ground alone and held to one side of the circle or corner.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.arrays import point
from sbg_sim.geometry.grown import inside_share
from sbg_sim.geometry.spines import segments_spines
from sbg_sim.solver.path.constraints import apart_from_rims, constrain_to_pass, held_to, left_of, ways_of
from sbg_sim.tolerance import BESIDE, MET, TINY, WEIGHS_ALIKE

if TYPE_CHECKING:
    from sbg_sim.arrays import Bools, Floats
    from sbg_sim.geometry.grown import Grown
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.path.constraints import Chord
    from sbg_sim.solver.path.paths import Path

_DRAWN_BACK: Final = 0.01  # share of its radius by which the other rim of a corner is drawn back
_SMOOTH: Final = 0.999  # cosine of the angle at which two rims meet, above which they run into each other
_ROUNDS: Final = 4  # steps of Newton's method for the corner of two rims, from a place near it


def constrain_grazing(net: TangentGraph, path: Path, *, depth: float = BESIDE) -> Path | None:
    """Hold a polished path's ways over to the difficult ground that they touch; None if none touches any.

    They must keep out of ground that they touch from outside, or whose rim they pass within ``depth`` inches, and on
    their side of inward corners that they run through.
    """
    held = path
    for k, (i, way) in enumerate(zip(path.over, ways_of(net, path), strict=True)):
        transition = net.transitions[path.links[i].transition]
        if not transition.way.horizontal or transition.difficult.empty:
            continue
        held = _off_rounds(_off_notches(held, k, way, transition.difficult), k, way, transition.difficult, depth)
    return None if held is path else held


def _off_rounds(held: Path, k: int, way: Chord, ground: Grown, depth: float = BESIDE) -> Path:
    """Hold a way over out of ground that it touches from outside, or whose rim it passes within ``depth`` inches."""
    p, along = way[0][0], way[1][0] - way[0][0]
    discs, first = ground.ends
    foot = (discs[:, :2] - p) @ along / max(float(along @ along), TINY)
    touches = np.abs(np.abs(left_of(way, discs[:, :2])) - discs[:, 2]) < max(depth, MET)
    for n in np.flatnonzero(touches & (foot > 0) & (foot < 1)).tolist():
        owner = int(ground.owner[first[n]])
        same_owner = ground.owner == owner
        deepest = float((segments_spines(*way, ground.spines[same_owner])[0] - ground.rho[same_owner]).min())
        x, y, rho = discs[n].tolist()
        if deepest > -depth and not held_to(held, k, (x, y, rho)):
            held = constrain_to_pass(held, k, way, (x, y, rho), ground=_weighed(held, k, ground).without(owner))
    return held


def _off_notches(held: Path, k: int, way: Chord, ground: Grown) -> Path:
    """Hold a way over to its side of inward corners of ground where it goes in or out, so that one rim counts there."""
    (p,), (q,) = way
    ground = _weighed(held, k, ground)
    for t in ground.breaks(*way)[1].tolist():
        corner = inward_corner(p + t * (q - p), ground)
        if corner is None or held_to(held, k, corner[0]):
            continue
        alone = replace(ground, rho=np.where(corner[1], (1 - _DRAWN_BACK) * ground.rho, ground.rho), edge=None)
        if _otherwise_weighed(way, alone, ground) < WEIGHS_ALIKE:
            # By rounding the way may pass on the other rim's side: the side is chosen by which rim counts there.
            off = left_of(way, np.array(corner[0][:2])[None])[0]
            beside = (_moved_left(way, off - aside) for aside in (np.copysign(BESIDE, off), -np.copysign(BESIDE, off)))
            passes = min(beside, key=lambda one: _otherwise_weighed(one, alone, ground))
            held, ground = constrain_to_pass(held, k, passes, corner[0], ground=alone), alone
    return held


def _otherwise_weighed(way: Chord, one: Grown, other: Grown) -> float:
    """Return the difference of the shares of a way that lie in one ground and in another."""
    return float(abs(inside_share(*way, one)[0] - inside_share(*way, other)[0]))


def _moved_left(way: Chord, by: float) -> Chord:
    """Return a chord moved to its left by some inches."""
    (p,), (q,) = way
    left = np.array([p[1] - q[1], q[0] - p[0]]) / max(float(np.hypot(*(q - p))), TINY)
    return way[0] + by * left, way[1] + by * left


def inward_corner(at: Floats, ground: Grown) -> tuple[tuple[float, float, float], Bools] | None:
    """Return the inward corner at a place on a rim, as a circle of no radius, and the spines of its other rim."""
    out, off = _from_spines(at, ground)
    nearest = int(np.argmin(np.abs(off)))
    other = (np.abs(off) < BESIDE) & (out @ out[nearest] < _SMOOTH)
    if off.min() < -BESIDE or not other.any():
        return None
    both = [nearest, int(np.argmax(other))]
    for _ in range(_ROUNDS):
        out, off = _from_spines(at, ground)
        at = at - np.linalg.lstsq(out[both], off[both], rcond=None)[0]
    return (*point(at), 0.0), other


def _from_spines(at: Floats, ground: Grown) -> tuple[Floats, Floats]:
    """Return for a place the unit vectors ``(n, 2)`` away from each spine, and its distances ``(n,)`` from the rims.

    Inches; negative inside.
    """
    a, along = ground.spines[:, :2], ground.spines[:, 2:] - ground.spines[:, :2]
    t = ((at - a) * along).sum(axis=1) / np.maximum((along * along).sum(axis=1), TINY)
    out = at - (a + np.clip(t, 0.0, 1.0)[:, None] * along)
    away = np.hypot(*out.T)
    return out / np.maximum(away, TINY)[:, None], away - ground.rho


def _weighed(held: Path, k: int, ground: Grown) -> Grown:
    """Return the ground by which a way over of a path is weighed: all of it, or that of its last constraint."""
    return next((g.ground for g in held.constraints[::-1] if g.way == k and g.ground is not None), ground)


def constrain_further(net: TangentGraph, held: Path, polished: Path) -> Path | None:
    """Hold a way over to clear also what it now cuts of ground that it must keep out of; None if none cuts any."""
    first = ways_of(net, held)
    for k, (i, way) in enumerate(zip(held.over, ways_of(net, polished), strict=False)):
        ground = net.transitions[held.links[i].transition].difficult
        weighed = _weighed(held, k, ground)
        discs, of = ground.ends
        left = discs[~np.isin(ground.owner[of], weighed.owner)]
        depth = apart_from_rims(*way, left)[0]
        for n in np.argsort(depth)[: np.count_nonzero(depth < -BESIDE)].tolist():
            x, y, rho = left[n].tolist()
            if not held_to(held, k, (x, y, rho)):
                return constrain_to_pass(held, k, first[k], (x, y, rho), ground=weighed)
    return None
