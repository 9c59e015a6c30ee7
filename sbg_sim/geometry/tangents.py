"""Tangents from points to circles and between circles, on whole arrays.

A turn is +1 for counter-clockwise and -1 for clockwise travel round a circle. Travelling in direction ``phi``
with turn ``s``, a path touches the circle at the angle ``phi - s * pi/2`` seen from the centre.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.arrays import dot
from sbg_sim.tolerance import ON_CIRCLE

if TYPE_CHECKING:
    from sbg_sim.arrays import Floats, Ints


def leave_to_point(c: Floats, rho: Floats, turn: Ints, p: Floats) -> tuple[Floats, Floats]:
    """Return the tangents that leave circles and run to points.

    Parameters
    ----------
    c, rho, turn
        Centres ``(..., 2)``, radii and turns ``(...)``.
    p
        Points ``(..., 2)``; one that lies inside by rounding counts as on the circle.

    Returns
    -------
    angle, length
        Angle of the touching point seen from the centre (radians) and length of the tangent (inches).

    """
    d = p - c
    beyond = dot(d, d) - rho * rho
    length = np.sqrt(np.where(beyond > ON_CIRCLE, beyond, 0.0))
    # Seen from the centre, the touching point lies acos(rho/d) before the direction to p, in the direction of travel.
    return np.arctan2(d[..., 1], d[..., 0]) - turn * np.arctan2(length, rho), length


def run_to_circles(p: Floats, c: Floats, rho: Floats) -> tuple[Floats, Floats, Floats]:
    """Return both tangents that run from points to circles, pair by pair.

    Parameters
    ----------
    p
        Points ``(n, 2)``; one that lies inside by rounding counts as on the circle.
    c, rho
        Centres ``(n, 2)`` and radii ``(n,)``, inches.

    Returns
    -------
    angle, touch, length
        Their directions and the angles of the touching points seen from the centres ``(2, n)`` (radians), and their
        lengths ``(n,)`` (inches).

    """
    turn = np.array([[1], [-1]])
    touch, length = leave_to_point(c, rho, turn, p)
    return touch - turn * math.pi / 2, touch, length


def bitangents(
    c1: Floats, r1: Floats, s1: Ints, c2: Floats, r2: Floats, s2: Ints, slack: float
) -> tuple[Floats, Floats, Floats]:
    """Return the tangents that leave circles 1 with turn ``s1`` and arrive at circles 2 with turn ``s2``.

    Parameters
    ----------
    c1, c2
        Centres ``(n, 2)``, inches.
    r1, r2, s1, s2
        Radii (inches) and turns ``(n,)``.
    slack
        Overlap (inches) up to which circles count as touching.

    Returns
    -------
    angle1, angle2, length
        Angles of the touching points on either circle (radians), length (inches); NaN where none exists.

    """
    d = c2 - c1
    dist = np.hypot(d[:, 0], d[:, 1])
    # With signed radii a = s*r the tangent's normal offset is the difference of the two.
    off = s2 * r2 - s1 * r1
    with np.errstate(invalid="ignore", divide="ignore"):
        length2 = (dist - off) * (dist + off)
        length = np.where(
            length2 >= 0, np.sqrt(np.maximum(length2, 0.0)), np.where(np.abs(off) - dist <= slack, 0.0, np.nan)
        )
        phi = np.arctan2(d[:, 1], d[:, 0]) - np.arctan2(off, length)
    length = np.where((dist == 0) & (off == 0), np.nan, length)
    return phi - s1 * math.pi / 2, phi - s2 * math.pi / 2, length
