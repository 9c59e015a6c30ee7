"""Turns a path into a route, the witness: every leg is weighed and tested once more, and dice get their results.

Also the routes by which a model that hangs on a face begins: down to the foot, or on up or over (CLB.4).
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.arrays import point
from sbg_sim.rules.ground import climbed_on
from sbg_sim.rules.results import coming_down, with_results
from sbg_sim.solver.path.gathering import gather
from sbg_sim.solver.path.paths import Fixed, OnCircle, Path, Wrap
from sbg_sim.solver.space.rings import make_rings, ways_round
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.route import Leg, Route, Test
from sbg_sim.tolerance import ANGLE, HAIR, NO_LENGTH, ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sbg_sim.arrays import Floats
    from sbg_sim.geometry.pieces import Piece
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.space.configuration_space import Space
    from sbg_sim.solver.space.rings import RingArcs
    from sbg_sim.solver.space.surroundings import Goal, Surroundings
    from sbg_sim.solver.space.transitions import Transition
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model


def route_of(table: Table, mover: Model, net: TangentGraph, path: Path) -> Route | None:
    """Turn a path into a route, weighing every leg anew; None if a leg is not allowed."""
    all_legs = gather(net, [path]).legs()
    starts, ends, sweeps = all_legs.p[0], all_legs.q[0], all_legs.sweep[0].tolist()
    if not (np.isfinite(starts).all() and np.isfinite(ends).all()):
        return None  # a place within a ring, from which no tangent leads to it
    last = path.elements[-1]
    if isinstance(last, Fixed) and math.dist(ends[-1], last.at) > TOUCH:
        return None  # the last way over goes straight across, and its begin has slid: it misses the goal
    legs: list[Leg] = []
    bound = path.links[0].bound[0] if path.links else False
    turned, came = (-1, 0, bound), 0  # ring, turn and state of the last arc, and the number of legs after it
    for i, link in enumerate(path.links):
        element = path.elements[i]
        space = net.spaces[link.space]
        if isinstance(element, Wrap) and i:
            arc = _arc(net.arcs, element, ends[i - 1], sweeps[i], bound, space)
            if arc is None:
                return None
            way = (element.ring, element.turn, bound)
            # An arc that follows another on the same ring continues it.
            on = legs[-1:] if (way, len(legs)) == (turned, came) else []
            if arc:
                legs[len(legs) - len(on) :] = _joined([*on, *arc])
                turned, came = way, len(legs)
        p, q = starts[i], ends[i]
        if link.transition >= 0:
            made = legs_over(table, mover, net.transitions[link.transition], p, q, (bound, link.bound[1]))
            if made is None:
                return None
            legs += made
            bound = link.bound[1]
            continue
        then = bound or (link.bound[1] and bool(space.in_target(q[None])[0]))
        if math.dist(p, q) > NO_LENGTH:
            cost = float(space.straight(p[None], q[None], np.array([bound]), np.array([then]))[0])
            if not math.isfinite(cost):
                return None
            legs.append(Leg("straight", point(p), point(q), cost, space.surface))
        bound = then
        if isinstance(path.elements[i + 1], OnCircle) and not bool(space.may_end(q[None])[0]):
            return None
    return Route(tuple(legs))


def route_again(around: Surroundings, goal: Goal, route: Route, *, landing: bool = False) -> Route | None:
    """Weigh a route to a goal anew, leg by leg, in other surroundings; None if it may not be taken there.

    It may be taken only if its dice and their results stay the same. With ``landing`` the route must end where its last
    way over lands: that way's second leg is not taken for a walk on.
    """
    legs, index = route.legs, around.index(goal.surface)
    found: list[Leg] = []
    states = set(around.spaces[0].begins)
    while len(found) < len(legs) and states:
        on = legs[len(found) :]
        along = on[0].walked
        whole = landing and len(on) == 2 and on[1].walked
        some, states = _along(around, on[0], states) if along else _over(around, on[:2], states, least=1 + whole)
        found += some
    if not found or index is None or goal.bound not in states:
        return None
    ends = around.spaces[index].may_end(np.array([legs[-1].end]))
    return Route(tuple(found)) if ends[0] else None


def _along(around: Surroundings, leg: Leg, states: set[bool]) -> tuple[list[Leg], set[bool]]:
    """Weigh a straight or an arc anew, begun in any of the given states (bound or not).

    Returns the leg and the states in which it may end; neither if it may not be taken.
    """
    index = around.index(leg.surface)
    if index is None:
        return [], set()
    space, p, q = around.spaces[index], np.array([leg.start]), np.array([leg.end])
    held = bool(space.in_target(q)[0])
    if leg.kind == "straight":
        ways = [(one, then) for one in states for then in {one, one or held}]
        before, after = (np.array(side) for side in zip(*ways, strict=True))
        many = len(ways)
        cost = space.straight(np.repeat(p, many, axis=0), np.repeat(q, many, axis=0), before, after)
        fine = np.isfinite(cost)
        return [replace(leg, cost=float(cost.min()))] if fine.any() else [], set(after[fine].tolist())
    assert leg.center is not None
    circle = (*leg.center, leg.radius)
    arcs = make_rings((space,), frozenset([circle]))[1]
    number = arcs.number.get((0, *circle), -1)
    if number < 0:
        return [], set()
    wrap = Wrap(number, 1 if leg.sweep > 0 else -1)
    made = {bound: _arc(arcs, wrap, p[0], leg.sweep, bound, space) for bound in states}
    ended = {bound for bound, some in made.items() if some is not None}
    some = next((some for some in made.values() if some is not None), None)
    # At the rim of the target's zone the mover may enter it.
    entered = {True} if ended and space.target is not None and bool(space.target.reaches(q)[0]) else set()
    return some or [], ended | entered


def _over(around: Surroundings, legs: Sequence[Leg], states: set[bool], least: int) -> tuple[list[Leg], set[bool]]:
    """Weigh a way over of at least ``least`` legs, one or two, anew, as :func:`_along` does."""
    for count in range(least, len(legs) + 1):
        p, q = np.array(legs[0].start), np.array(legs[count - 1].end)
        same = [replace(leg, cost=0.0) for leg in legs[:count]]  # dice and results must be equal, costs need not
        ended: dict[bool, list[Leg]] = {}
        for transition in around.transitions:
            if transition.way.across and not transition.leads(p, q):
                continue
            for bound in ((one, then) for one in states for then in {one, True}):
                made = legs_over(around.table, around.mover, transition, p, q, bound)
                if made is not None and [replace(leg, cost=0.0) for leg in made] == same:
                    ended.setdefault(bound[1], made)
        if ended:
            return next(iter(ended.values())), set(ended)
    return [], set()


def _arc(arcs: RingArcs, wrap: Wrap, start: Floats, sweep: float, bound: bool, space: Space) -> list[Leg] | None:
    """Cut an arc where its weight changes into legs; none if it has no length, None if part of it is closed."""
    (cx, cy), rho = arcs.center[wrap.ring].tolist(), float(arcs.rho[wrap.ring])
    if abs(sweep) * rho < NO_LENGTH:
        return []
    if sweep * wrap.turn < 0:
        return [] if abs(sweep) < HAIR else None
    first = math.atan2(start[1] - cy, start[0] - cx)
    rel = ((arcs.angle[wrap.ring, : arcs.count[wrap.ring]] - first) * wrap.turn) % math.tau
    marks = np.sort(rel[(rel > ANGLE) & (rel < abs(sweep) - ANGLE)])
    edges = np.concatenate([[0.0], marks, [abs(sweep)]])
    pieces: list[tuple[float, float, int]] = []
    passed = arcs.passes[ways_round(wrap.ring, bound, wrap.turn)]
    for a, b in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        if b <= a:  # two of the ring's cuts fall together
            continue
        mid = np.array([first + wrap.turn * (a + b) / 2])
        i = int(arcs.locate(np.array([wrap.ring]), mid, np.array([bound]), TOUCH)[0])
        if (i < 0 or not passed[i]) and (b - a) * rho >= TOUCH:
            return None
        pieces.append((a, b, i))
    legs: list[Leg] = []
    for a, b, i in _without_specks(pieces):
        s, e = first + wrap.turn * a, first + wrap.turn * b
        p = (cx + rho * math.cos(s), cy + rho * math.sin(s))
        q = (cx + rho * math.cos(e), cy + rho * math.sin(e))
        cost = float(arcs.cost[wrap.ring, i]) * (b - a)
        legs.append(Leg("arc", p, q, cost, space.surface, (cx, cy), rho, wrap.turn * (b - a)))
    return _joined(legs)


def _without_specks(pieces: list[tuple[float, float, int]]) -> list[tuple[float, float, int]]:
    """Give pieces shorter than the tolerance that seem closed to the piece beside them, so that no gap is left."""
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
        if last is not None and abs(last.cost / last.length - leg.cost / leg.length) < ROUNDING:
            out[-1] = replace(last, end=leg.end, cost=last.cost + leg.cost, sweep=last.sweep + leg.sweep)
        else:
            out.append(leg)
    return out


def legs_over(
    table: Table, mover: Model, transition: Transition, p: Floats, q: Floats, bound: tuple[bool, bool]
) -> list[Leg] | None:
    """Return the legs of a way over from one place ``(2,)`` to another, ``bound`` at either; None if it is barred."""
    here, there = transition.here, transition.there
    if not (_on_rim(transition.near, p) and _on_rim(transition.far, q)):
        return None
    flags = np.array([bound[0]]), np.array([bound[1]])
    if not bool(transition.open(p[None], q[None], *flags)[0]):
        return None
    if not bool(there.passable(q[None])[0] and there.may_end(q[None])[0]):
        return None
    cost = float(transition.cost(p[None], q[None])[0])
    kind, way = transition.way.kind, transition.way
    face = table.terrain.get(transition.block)
    hung = 0.0 if face is None or way.foot is None else climbed_on(mover, face, abs(way.rise))
    a, b, surface = point(p), point(q), there.surface
    if kind in {"up", "down", "ladder"}:
        return [Leg(kind, a, b, cost, surface, rise=way.rise)]

    def tested(leg: Leg, kind: str, climbed: float = 0.0) -> Leg:
        test = Test(kind, transition.block, leg.start, leg.end, FrozenMap(), way.rule, leg.surface)
        return with_results(table, mover, replace(leg, test=test), here.surface, climbed)

    if kind == "climb-over" and table.rulings["climb_over"] == "down":
        # First to the top of the face; the shift across belongs to the die that brings the mover down.
        left = way.rise - hung
        down = tested(Leg("descend", a, b, cost - 2 * left, surface, rise=-way.rise), "descend")
        if left <= ROUNDING:
            return [replace(down, cost=cost)]
        climb = Leg("climb", a, a, 2 * left, surface, rise=left)
        return [tested(climb, "climb", hung) if way.tests > 1 else climb, down]
    test = {"climb-over": "climb", "jump-up": "jump"}.get(kind, kind)
    named = {"jump-prone": "jump"}.get(test, test)
    # Inches climbed in an earlier turn are not climbed again (CLB.4).
    rise = way.rise - hung if named == "climb" else way.rise
    leg = Leg(named, a, b, cost, surface, rise=rise)
    return [tested(leg, test, hung) if way.tests else leg]


def _on_rim(rim: Sequence[Piece], p: Floats) -> bool:
    """Say whether a place is on a rim: bending round a neighbour can draw a path off it."""
    return bool(np.isfinite(p).all()) and any(piece.nearest(point(p))[1] <= TOUCH for piece in rim)


# -- a mover that hangs on a face -------------------------------------------------------------------------------------


def beginnings(
    table: Table, mover: Model, around: Surroundings, *, charging: bool = False
) -> Iterator[tuple[Route, Model, bool]]:
    """Yield the first routes of a mover that has inches climbed, the mover after each, and whether it is then bound.

    Parameters
    ----------
    table, mover
        The table, and the model that hangs on the face.
    around
        The surroundings within its range, and the levels a base or two beside it: shifts across rims are free.
    charging
        Whether it charges: then a climb may lead into the zone of the charged enemy (CHG.3), where it is bound.

    """
    down = coming_down(table, mover)
    if down is not None:
        yield Route((down,)), replace(mover, climbed=0.0), False
    start = np.array([mover.at])
    for way in around.transitions:
        if way.source or way.way.foot is None or way.way.rise < 0:  # a climb that goes on, or a ladder
            continue
        for end in np.concatenate([way.landing(start), way.tied(start)[1]]):
            for bound in [False, True] if charging else [False]:
                legs = legs_over(table, mover, way, start[0], end, (False, bound))
                if legs is not None:
                    yield Route(tuple(legs)), replace(mover, at=point(end), on=way.there.surface, climbed=0.0), bound
