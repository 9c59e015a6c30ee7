"""Lines of sight from anywhere on a level disc: common tangents, then branch and bound over its rim.

What no look passes over leaves a question in the plane, and common tangents decide it
(:mod:`~sbg_sim.geometry.stabbing`). For what is lower: when nothing floats, whatever is above a free line
is free; so an eye inside the disc may slide along the look to the rim (forwards when it looks down,
backwards when it looks up) and sees no less. The rim is searched in arcs. Moving the eye by no more than
``d`` is moving everything else by no more than ``d``: when the middle of an arc does not see a target grown
by ``d`` past prisms shrunk by ``d``, no eye of the arc sees the target.

The answer is exact but for outlines moved by :data:`~sbg_sim.tolerance.GRAZE`, with two limits, which the
answer owns up to: prisms higher than the eye that reach over the disc spoil the sliding, and a look over or
round something low that is shut by a few micro-inches along a whole stretch of the rim may exhaust the
number of arcs.
"""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING, Final

import shapely

from sbg_sim.geometry.panorama import Prism
from sbg_sim.geometry.shapes import Shape, circle
from sbg_sim.geometry.sight import View, view
from sbg_sim.geometry.stabbing import free_starts
from sbg_sim.tolerance import GRAZE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sbg_sim.geometry.panorama import Place
    from sbg_sim.geometry.shapes import Point

_ARCS: Final = 600
"""How many arcs of the rim are looked at before the search gives up."""


_TANGENTS: Final = 40
"""How many lines free of all that is tall are looked along before the rim is searched."""


def view_from_disc(
    eye: Place, radius: float, target: Prism, prisms: Sequence[Prism], *, grazing: bool = True
) -> tuple[View, Place, bool]:
    """Find an eye on a level disc that sees the target.

    Parameters
    ----------
    eye, radius
        Centre and radius of the disc of eyes, inches.
    target, prisms, grazing
        As for :func:`~sbg_sim.geometry.sight.view`.

    Returns
    -------
    The view, the eye it is told from (the centre when nothing is seen), and whether the answer is certain.

    """
    centre = view(eye, target, prisms, grazing=grazing)
    if centre.seen:
        return centre, eye, True
    if _hidden_about(eye, radius, target, prisms, grazing=grazing) is None:
        return centre, eye, True
    found = None
    if grazing:
        starts, sure = _past_what_is_tall(eye, radius, target, prisms)
        if sure and not starts:
            return centre, eye, True
        found = _first_seen(((x, y, eye[2]) for x, y in starts[:_TANGENTS]), target, prisms)
    found = found or _round_the_rim(eye, radius, target, prisms, grazing=grazing)
    if found is not None:
        return (*found, True) if found[0].seen else (centre, eye, False)
    return centre, eye, not any(p.high > eye[2] and _overlaps(p, eye[:2], radius) for p in prisms)


def _past_what_is_tall(eye: Place, radius: float, target: Prism, prisms: Sequence[Prism]) -> tuple[list[Point], bool]:
    """Return starts of lines free of all that no look passes over, and whether there are surely no others."""
    tall = [p for p in prisms if _bars_every_height(p, eye[2], target)]
    (goal,) = target.shape.spine
    discs = ((eye[:2], radius), (goal, target.shape.radius))
    sure = not any(_overlaps(p, spot, size) for p in tall for spot, size in discs)
    return free_starts(eye[:2], radius, target.shape, [p.shape for p in tall]), sure


def _first_seen(eyes: Iterable[Place], target: Prism, prisms: Sequence[Prism]) -> tuple[View, Place] | None:
    for eye in eyes:
        found = view(eye, target, prisms, told=False)
        if found.seen:
            return found, eye
    return None


def _round_the_rim(
    eye: Place, radius: float, target: Prism, prisms: Sequence[Prism], *, grazing: bool
) -> tuple[View, Place] | None:
    """Search the rim: a view that sees, a blind one when the search gives up, None when all is hidden."""
    (tx, ty) = target.shape.spine[0]
    facing = math.atan2(ty - eye[1], tx - eye[0])
    arcs = deque((facing + k * math.pi / 4, math.pi / 8) for k in (0, 2, -2, 1, -1, 4, 3, -3))
    for _ in range(_ARCS):
        if not arcs:
            return None
        angle, half = arcs.popleft()
        spot = (eye[0] + radius * math.cos(angle), eye[1] + radius * math.sin(angle), eye[2])
        found = view(spot, target, prisms, grazing=grazing, told=False)
        if found.seen:
            return found, spot
        reach = 2 * radius * math.sin(half / 2)
        doubt = _hidden_about(spot, reach, target, prisms, grazing=grazing)
        if doubt is not None and reach <= GRAZE:
            return doubt, spot
        if doubt is not None:
            arcs += [(angle - half / 2, half / 2), (angle + half / 2, half / 2)]
    return View(seen=False), eye


def _bars_every_height(prism: Prism, height: float, target: Prism) -> bool:
    """Whether no look from a height to the target passes under or over a prism."""
    return prism.low <= min(height, target.low) and prism.high > max(height, target.high) + GRAZE


def _overlaps(prism: Prism, spot: Point, radius: float) -> bool:
    return float(prism.shape.distance(spot)) < radius - GRAZE


def _hidden_about(eye: Place, reach: float, target: Prism, prisms: Sequence[Prism], *, grazing: bool) -> View | None:
    """Return None when no eye within reach sees the target, else the look that leaves it open."""
    (spot,) = target.shape.spine
    wide = Prism(circle(spot, target.shape.radius + reach), target.low, target.high)
    found = view(eye, wide, [thin for p in prisms for thin in _shrunk(p, reach)], grazing=grazing, told=False)
    return found if found.seen else None


def _shrunk(prism: Prism, by: float) -> list[Prism]:
    """Return a prism inside all copies of this one that are moved over the ground by no more than ``by``."""
    shape = prism.shape
    if not shape.rings:
        if shape.radius <= by:
            return []
        return [Prism(Shape(shape.kind, (), shape.spine, shape.radius - by), prism.low, prism.high)]
    # mitred corners lie outside rounded ones, seen from the hole they close: never too much is left
    body = shapely.buffer(shape.to_shapely(), -by, join_style="mitre", mitre_limit=8.0)
    rings = [
        tuple((float(x), float(y)) for x, y in ring.coords[:-1])
        for part in shapely.get_parts(body)
        if not part.is_empty
        for ring in (part.exterior, *part.interiors)
    ]
    return [Prism(Shape("polygon", tuple(rings)), prism.low, prism.high)] if rings else []
