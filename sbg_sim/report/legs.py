"""Routes as exact legs and back: the form in which a way is given to other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.route import LEG_KINDS, Leg, Route, Test

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sbg_sim.geometry.shapes import Point

SEGMENT: Final = "segment"
"""The name of a straight leg in data, a term of geometry."""


def as_legs(route: Route) -> list[dict[str, Any]]:
    """Return a route as a list of legs with exact numbers: nothing is rounded, and arcs stay arcs.

    Returns
    -------
    One object for each leg: ``kind`` (``"segment"``, ``"arc"``, ``"jump"``, ...), ``start`` and ``end`` of the centre,
    ``cost`` in inches, ``level`` (the platform, None for the ground; for legs that change level the new one), for arcs
    ``center``, ``radius`` and ``sweep`` (radians, counter-clockwise positive), ``rise`` in inches, and the ``test``.

    """
    return [_leg(leg) for leg in route.legs]


def _leg(leg: Leg) -> dict[str, Any]:
    round_ = leg.center is not None
    return {
        "kind": SEGMENT if leg.kind == "straight" else leg.kind,
        "start": _point(leg.start),
        "end": _point(leg.end),
        "cost": float(leg.cost),
        "level": leg.surface,
        "center": _point(leg.center),
        "radius": float(leg.radius) if round_ else None,
        "sweep": float(leg.sweep) if round_ else None,
        "rise": float(leg.rise),
        "test": None if leg.test is None else _test(leg.test),
    }


def _point(point: Point | None) -> list[float] | None:
    return None if point is None else [float(point[0]), float(point[1])]


def _test(test: Test) -> dict[str, Any]:
    return {
        "kind": test.kind,
        "terrain": test.over,
        "at": _point(test.at),
        "landing": _point(test.landing),
        "results": dict(test.results),
        "rule": test.rule,
        "landing_on": test.landing_on,
        "drop": float(test.drop),
        "prone_on_fail": test.prone_on_fail,
        "fail_at": _point(test.fail_at),
        "fail_on": test.fail_on,
        "fail_hits": test.fail_hits,
    }


def route_of(legs: Sequence[Mapping[str, Any]]) -> Route:
    """Return the route of a list of legs: ``route_of(as_legs(route)) == route``.

    Raises
    ------
    ValueError
        For an unknown kind of leg. The caller must ensure that the other entries exist and have the right types.

    """
    return Route(tuple(_read_leg(leg) for leg in legs))


def _read_leg(leg: Mapping[str, Any]) -> Leg:
    kind = "straight" if leg["kind"] == SEGMENT else leg["kind"]
    if kind not in LEG_KINDS or leg["kind"] == "straight":
        raise ValueError(f"{leg['kind']!r} is no kind of leg")
    return Leg(
        kind=kind,
        start=_read_point(leg["start"]),
        end=_read_point(leg["end"]),
        cost=float(leg["cost"]),
        surface=leg["level"],
        center=None if leg["center"] is None else _read_point(leg["center"]),
        radius=float(leg["radius"] or 0.0),
        sweep=float(leg["sweep"] or 0.0),
        rise=float(leg["rise"]),
        test=None if leg["test"] is None else _read_test(leg["test"]),
    )


def _read_point(point: Sequence[float]) -> Point:
    return (float(point[0]), float(point[1]))


def _read_test(test: Mapping[str, Any]) -> Test:
    return Test(
        kind=test["kind"],
        over=test["terrain"],
        at=_read_point(test["at"]),
        landing=_read_point(test["landing"]),
        results=FrozenMap(test["results"]),
        rule=test["rule"],
        landing_on=test["landing_on"],
        drop=float(test["drop"]),
        prone_on_fail=test["prone_on_fail"],
        fail_at=None if test["fail_at"] is None else _read_point(test["fail_at"]),
        fail_on=test["fail_on"],
        fail_hits=int(test["fail_hits"]),
    )
