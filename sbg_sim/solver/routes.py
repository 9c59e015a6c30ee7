"""From a polished chain to a route: legs with costs, checked once more leg by leg, and the dice on the way."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.geometry.breaks import TAU
from sbg_sim.rules.ground import climbed_on, fall_hits
from sbg_sim.solver.chains import Aim, Chain, Link, Slide, Wrap, places
from sbg_sim.table.board import tallness
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.route import Leg, Route, Test
from sbg_sim.tolerance import ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.geometry.pieces import Piece
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.network import Network
    from sbg_sim.solver.sheet import Sheet
    from sbg_sim.solver.ways import Portal
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model

Floats = np.ndarray

_WORDS = {
    "jump": {
        "1": "stumbles and stops touching the obstacle",
        "2-5": "gets over, placed touching the far side, and stops there",
        "6": "gets over and may go on",
    },
    "leap": {
        "1": "falls to the bottom of the gap, prone",
        "2-5": "lands touching the far side and stops there",
        "6": "lands and may go on",
    },
    "climb": {
        "1": "falls, prone at the foot",
        "2-5": "climbs and stops",
        "6": "climbs and may go on from the top",
    },
    "descend": {
        "1": "falls, prone at the foot",
        "2-5": "climbs down and stops",
        "6": "climbs down and may go on",
    },
    "jump-prone": {
        "1": "fails and stops short",
        "2-5": "gets over, placed next to the prone model, and stops there",
        "6": "gets over and may go on",
    },
}


def words_of(kind: str, drop: float, hits: int) -> FrozenMap[str, str]:
    """Return what each result of a die does, in words; a 1 tells a fall of ``drop`` inches and its hits."""
    words = FrozenMap(_WORDS[kind])
    if not hits:
        return words
    fall = f"; falls {drop:g} in: {hits} Strength 3 hit{'s' if hits > 1 else ''}"
    return words.with_item("1", words["1"] + fall)


def chain_route(table: Table, mover: Model, net: Network, chain: Chain) -> Route | None:
    """Turn a chain into a route, weighing every leg anew; None when a leg turns out not to be allowed."""
    u = np.array([[e.u for e in chain.elements if isinstance(e, Slide)]])
    places_, sweeps = places(net, chain, u)
    if not all(np.isfinite(end).all() for leg in places_ for end in leg):
        return None  # a place within a ring, from which no tangent leads to it
    legs: list[Leg] = []
    bound = chain.links[0].bound[0] if chain.links else False
    for i, link in enumerate(chain.links):
        element = chain.elements[i]
        sheet = net.sheets[link.sheet]
        if isinstance(element, Wrap) and i:
            arc = _arc(net, element, places_[i - 1][1][0], float(sweeps[0, i]), bound, sheet)
            if arc is None:
                return None
            legs += arc
        p, q = places_[i][0][0], places_[i][1][0]
        if link.portal >= 0:
            made = _over(table, mover, net, net.portals[link.portal], p, q, link)
            if made is None:
                return None
            legs += made
            bound = link.bound[1]
            continue
        then = bound or (link.bound[1] and _inside_target(sheet, q))
        if math.dist(p, q) > 1e-12:
            cost = float(sheet.straight(p[None], q[None], np.array([bound]), np.array([then]))[0])
            if not math.isfinite(cost):
                return None
            legs.append(Leg("straight", _pt(p), _pt(q), cost, sheet.surface))
        bound = then
        if isinstance(chain.elements[i + 1], Aim) and not bool(sheet.may_end(q[None])[0]):
            return None
    return Route(tuple(legs))


def _pt(p: Floats) -> Point:
    return (float(p[0]), float(p[1]))


def _inside_target(sheet: Sheet, q: Floats) -> bool:
    zone = sheet.target
    if zone is None:
        return False
    return not sheet.stays or math.dist(zone.at, _pt(q)) <= zone.radius + TOUCH


def _arc(net: Network, wrap: Wrap, start: Floats, sweep: float, bound: bool, sheet: Sheet) -> list[Leg] | None:
    """Cut an arc where its weight changes; None when part of it is closed."""
    ring = net.rings[wrap.ring]
    if abs(sweep) * ring.rho < 1e-12:
        return []
    if sweep * wrap.turn < 0:
        return [] if abs(sweep) < 1e-7 else None
    cx, cy = ring.center
    first = math.atan2(start[1] - cy, start[0] - cx)
    rel = ((ring.angles - first) * wrap.turn) % TAU
    marks = np.sort(rel[(rel > 1e-9) & (rel < abs(sweep) - 1e-9)])
    edges = np.concatenate([[0.0], marks, [abs(sweep)]])
    pieces: list[tuple[float, float, int]] = []
    for a, b in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        if b <= a:  # two of the ring's cuts fall together
            continue
        mid = np.array([first + wrap.turn * (a + b) / 2])
        i = int(ring.locate(mid, np.array([bound]))[0])
        if i < 0 and (b - a) * ring.rho >= TOUCH:
            return None
        pieces.append((a, b, i))
    legs: list[Leg] = []
    for a, b, i in _without_specks(pieces):
        s, e = first + wrap.turn * a, first + wrap.turn * b
        p = (cx + ring.rho * math.cos(s), cy + ring.rho * math.sin(s))
        q = (cx + ring.rho * math.cos(e), cy + ring.rho * math.sin(e))
        weight = float(ring.weight[i])
        legs.append(
            Leg(
                "arc",
                p,
                q,
                weight * ring.rho * (b - a),
                sheet.surface,
                (cx, cy),
                ring.rho,
                wrap.turn * (b - a),
            )
        )
    return _joined(legs)


def _without_specks(pieces: list[tuple[float, float, int]]) -> list[tuple[float, float, int]]:
    """Give specks that seem closed to the piece beside them, so that an arc ends where the next leg begins."""
    out: list[tuple[float, float, int]] = []
    for a, b, i in pieces:
        if out and (i < 0 or out[-1][2] < 0):
            out[-1] = (out[-1][0], b, max(i, out[-1][2]))
        else:
            out.append((a, b, i))
    return [piece for piece in out if piece[2] >= 0]


def _joined(legs: list[Leg]) -> list[Leg]:
    """Join neighbouring arcs of one weight."""
    out: list[Leg] = []
    for leg in legs:
        last = out[-1] if out else None
        if last is not None and abs(last.cost / last.length - leg.cost / leg.length) < 1e-9:
            out[-1] = Leg(
                "arc",
                last.start,
                leg.end,
                last.cost + leg.cost,
                leg.surface,
                leg.center,
                leg.radius,
                last.sweep + leg.sweep,
            )
        else:
            out.append(leg)
    return out


def _over(
    table: Table, mover: Model, net: Network, portal: Portal, p: Floats, q: Floats, link: Link
) -> list[Leg] | None:
    sheet = net.sheets[portal.source]
    if portal.way.across:
        q = portal.landing(p[None])[0]
    if not (_on_rim(portal.near, p) and _on_rim(portal.far, q)):
        return None
    flags = np.array([link.bound[0]]), np.array([link.bound[1]])
    if not bool(portal.open(p[None], q[None], sheet, *flags)[0]):
        return None
    dest = net.sheets[portal.dest]
    if not bool(dest.passable(q[None])[0] and dest.may_end(q[None])[0]):
        return None
    cost = float(portal.cost(p[None], q[None], sheet)[0])
    kind, way = portal.way.kind, portal.way
    hung = climbed_on(mover, table.terrain[portal.block]) if portal.block in table.terrain else 0.0
    a, b, surface = _pt(p), _pt(q), dest.surface
    if kind in {"up", "down", "ladder"}:
        return [Leg(kind, a, b, cost, surface, rise=way.rise)]
    if kind == "jump-up":
        return [Leg("jump", a, b, cost, surface, test=_test(table, mover, "jump", portal, a, b, surface, 0.0))]
    if kind == "climb-over" and table.rulings["climb_over"] == "down":
        # First to the top of the face it climbs; the shift across goes with the die that brings it down.
        down = _test(table, mover, "descend", portal, a, b, surface, way.rise, fail_at=b)
        left = way.rise - hung
        if left <= ROUNDING:
            return [Leg("descend", a, b, cost, surface, rise=-way.rise, test=down)]
        climb = _test(table, mover, "climb", portal, a, a, surface, hung) if way.tests > 1 else None
        up = Leg("climb", a, a, cost - 2 * way.rise, surface, rise=left, test=climb)
        return [up, Leg("descend", a, b, 2 * way.rise, surface, rise=-way.rise, test=down)]
    named = {"climb-over": "climb"}.get(kind, kind)
    drop = {"climb": hung, "descend": -way.rise, "leap": _depth(table, portal.block)}.get(named, 0.0)
    fail_at = {"descend": b, "leap": ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)}.get(named, a)
    test = _test(table, mover, named, portal, a, b, surface, drop, fail_at=fail_at) if way.tests else None
    leg = {"jump-prone": "jump"}.get(named, named)
    # What was climbed in an earlier turn is not climbed again (CLB.4).
    rise = way.rise - hung if named == "climb" else way.rise
    return [Leg(leg, a, b, cost, surface, rise=rise, test=test)]


def _on_rim(rim: Sequence[Piece], p: Floats) -> bool:
    """Say whether a place touches what is crossed: bending round a neighbour can draw it off."""
    return bool(np.isfinite(p).all()) and any(piece.nearest(_pt(p))[1] <= TOUCH for piece in rim)


def _depth(table: Table, name: str) -> float:
    piece = table.terrain.get(name)
    return 0.0 if piece is None or piece.depth is None else piece.depth


def _test(
    table: Table,
    mover: Model,
    kind: str,
    portal: Portal,
    at: Point,
    landing: Point,
    surface: str | None,
    drop: float,
    fail_at: Point | None = None,
) -> Test:
    prone = kind in {"leap", "climb", "descend"}
    hits = fall_hits(table, tallness(mover), drop) if drop > 0 else 0
    words = words_of(kind, drop, hits)
    if kind == "leap" and table.terrain[portal.block].depth is None:
        words = words.with_item("1", f"{words['1']}; how deep it is, and what hits that costs, is not said")
    if kind == "jump-prone" and table.model(portal.block).is_enemy(mover):
        words = words.with_item("1", f"must charge {portal.block} instead")
    return Test(
        kind,
        portal.block,
        at,
        landing,
        words,
        portal.way.rule,
        surface,
        drop,
        prone,
        fail_at or at,
        hits,
    )
