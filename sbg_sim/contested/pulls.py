"""The derivatives of the cost of the cheapest way by every position: a taut string pulls at its bends.

A string bent by an angle t round a base pulls with 2 sin(t/2), twice that on difficult ground; its ends pull with its
whole tension. A small shift of a base changes the cost by the shift times the pull (the envelope theorem: the way
itself adapts, at no first-order cost).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sbg_sim.rules.zones import ZONE_WIDTH
from sbg_sim.table.questions import Charge, Move
from sbg_sim.tolerance import ACROSS, BESIDE, ROUNDING, SMOOTH, TOUCH

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sbg_sim.arrays import Floats
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.route import Leg

    Add: TypeAlias = Callable[[str, Floats], None]


@dataclass(frozen=True)
class Bend:
    """A place at which the way is held.

    Parameters
    ----------
    around
        The id of the model or piece of terrain.
    what
        ``"start"``, ``"end"``, ``"base"``, ``"zone"`` or ``"corner"``.
    at
        The mover's centre there, inches.
    angle
        The angle by which the way turns, radians.
    pull
        The greatest change of cost per inch of shift.

    """

    around: str
    what: str
    at: Point
    angle: float
    pull: float


@dataclass(frozen=True)
class Pulls:
    """The derivatives of the cost by all positions.

    Parameters
    ----------
    gradient
        By model, the derivatives by shifts along x and y, inches per inch. Models that do not appear can be shifted a
        little without changing the cost.
    bends
        The places at which the way is held, from its start on.

    """

    gradient: Mapping[str, tuple[float, float]]
    bends: tuple[Bend, ...]


def pulls(verdict: Verdict) -> Pulls:
    """Return the derivatives of the cost of a verdict's way by all positions; empty if there is no way.

    Parameters
    ----------
    verdict
        The verdict of a move or a charge.

    """
    question, route = verdict.question, verdict.route
    if not isinstance(question, Move | Charge) or route is None:
        return Pulls({}, ())
    table = verdict.table
    walked = [leg for leg in route.legs if leg.length > TOUCH]
    if not walked:
        return Pulls({}, ())
    mover = table.model(question.model)
    found: dict[str, Floats] = {}
    bends = []

    def add(name: str, force: Floats) -> None:
        found[name] = found.get(name, np.zeros(2)) + force

    first = _rate(table, mover, walked[0], end=False) * _heading(walked[0], end=False)
    add(mover.id, -first)
    bends.append(Bend(mover.id, "start", walked[0].start, 0.0, float(np.hypot(*first))))
    for i, leg in enumerate(walked):
        bends += _round(table, mover, leg, add)
        if i + 1 < len(walked):
            bends += _kink(table, mover, leg, walked[i + 1], add)
    last = _rate(table, mover, walked[-1], end=True) * _heading(walked[-1], end=True)
    if isinstance(question, Charge):
        bends += _ending(table, mover, question, walked[-1], last, add)
    gradient = {name: (float(v[0]), float(v[1])) for name, v in found.items() if np.hypot(*v) > SMOOTH}
    return Pulls(gradient, tuple(bends))


def _heading(leg: Leg, *, end: bool) -> Floats:
    """Return the direction of a leg at its start or its end, a unit vector."""
    if leg.center is None:
        along = np.subtract(leg.end, leg.start)
        return np.asarray(along / np.hypot(*along))
    spoke = np.subtract(leg.end if end else leg.start, leg.center) / leg.radius
    return np.array([-spoke[1], spoke[0]]) * math.copysign(1.0, leg.sweep)


def _rate(table: Table, mover: Model, leg: Leg, *, end: bool) -> float:
    """Return the cost per inch at one end of a leg: 2 over difficult ground, 0 for a free shift (TER.2)."""
    if leg.kind in {"up", "down", "climb", "descend", "ladder"}:
        return 0.0
    if leg.kind == "crawl":
        return 1.0
    place = np.asarray(leg.end if end else leg.start) + (-TOUCH if end else TOUCH) * _heading(leg, end=end)
    for piece in table.terrain.values():
        shape = piece.shape if piece.difficult and piece.on == leg.surface else None
        if shape is not None and float(shape.distance(place)) < mover.radius - ROUNDING:
            return 2.0
    return 1.0


def _owner(table: Table, mover: Model, leg: Leg) -> tuple[str, str]:
    """Return the model round whose base or zone an arc leads, or else the nearest piece of terrain."""
    assert leg.center is not None
    for other in table.standing():
        if other.id != mover.id and math.dist(other.at, leg.center) <= BESIDE:
            reach = leg.radius - mover.radius - other.radius
            return other.id, "base" if abs(reach) <= BESIDE else "zone"
    near = [
        (float(piece.shape.distance(leg.center)), piece.id)
        for piece in table.terrain.values()
        if piece.shape is not None
    ]
    return (min(near)[1] if near else ""), "corner"


def _round(table: Table, mover: Model, leg: Leg, add: Add) -> list[Bend]:
    """Return the pull of an arc at the thing round which it leads."""
    if leg.center is None or abs(leg.sweep) <= SMOOTH:
        return []
    force = _rate(table, mover, leg, end=False) * (_heading(leg, end=False) - _heading(leg, end=True))
    name, what = _owner(table, mover, leg)
    if what != "corner":
        add(name, force)
    return [Bend(name, what, leg.points(leg.length / 2)[1], abs(leg.sweep), float(np.hypot(*force)))]


def _rims_at(table: Table, mover: Model, spot: Point) -> list[tuple[str, str, Floats]]:
    """Return the bases and zones on whose rims a place lies, with unit vectors away from their centres."""
    found = []
    for other in table.standing():
        if other.id == mover.id:
            continue
        away = np.subtract(spot, other.at)
        apart = float(np.hypot(*away))
        gap = apart - mover.radius - other.radius
        zone = other.is_enemy(mover) and other.has_zone
        if abs(gap) <= BESIDE or (zone and abs(gap - ZONE_WIDTH) <= BESIDE):
            found.append((other.id, "base" if abs(gap) <= BESIDE else "zone", np.asarray(away / apart)))
    return found


def _kink(table: Table, mover: Model, leg: Leg, after: Leg, add: Add) -> list[Bend]:
    """Return the pulls where two legs meet at an angle: at one base, or between two."""
    into = _rate(table, mover, leg, end=True) * _heading(leg, end=True)
    force = into - _rate(table, mover, after, end=False) * _heading(after, end=False)
    size = float(np.hypot(*force))
    if size <= SMOOTH:
        return []
    held = _rims_at(table, mover, leg.end)[:2]
    parts = _split(force, [normal for _, _, normal in held])
    bends = []
    cos = float(_heading(leg, end=True) @ _heading(after, end=False))
    for (name, what, _), part in zip(held, parts, strict=True):
        add(name, part)
        bends.append(Bend(name, what, leg.end, math.acos(min(1.0, max(-1.0, cos))), float(np.hypot(*part))))
    return bends


def _split(force: Floats, normals: list[Floats]) -> list[Floats]:
    """Split a force along one or two normals."""
    if not normals:
        return []
    columns = np.column_stack(normals)
    shares, *_ = np.linalg.lstsq(columns, force, rcond=None)
    return [np.asarray(share * normal) for share, normal in zip(shares, normals, strict=True)]


def _ending(table: Table, mover: Model, question: Charge, leg: Leg, last: Floats, add: Add) -> list[Bend]:
    """Return the pulls at the end of a charge: at its targets, and at a base along which it slid into contact."""
    normals = {}
    for name in question.targets:
        toward = np.subtract(table.model(name).at, leg.end)
        apart = float(np.hypot(*toward))
        if abs(apart - mover.radius - table.model(name).radius) <= BESIDE:
            normals[name] = toward / apart
    if not normals:
        return []
    if len(normals) == 1:
        ((name, normal),) = normals.items()
        unit = last / (np.hypot(*last) or 1.0)
        share = float(unit @ normal)
        pull = normal * np.hypot(*last) / share if share > ACROSS else last
        add(name, pull)
        rest = last - pull
        beside = [row for row in _rims_at(table, mover, leg.end) if row[0] not in normals]
        if np.hypot(*rest) > SMOOTH and beside:
            add(beside[0][0], rest)
        return [Bend(name, "end", leg.end, 0.0, float(np.hypot(*pull)))]
    names = list(normals)[:2]
    parts = _split(last, [normals[name] for name in names])
    for name, part in zip(names, parts, strict=True):
        add(name, part)
    return [Bend(n, "end", leg.end, 0.0, float(np.hypot(*p))) for n, p in zip(names, parts, strict=True)]
