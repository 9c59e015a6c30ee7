"""Finds a way that stays legal for every placement within the doubts, and an upper bound of its cost.

The mover first goes straight from its true place to a place on the way, then along the way, and at last straight into
contact with the target at its true place. Each of these parts is checked against every base, with both doubts added.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely
import shapely.ops

from sbg_sim.contested.legs import comes_within, cut, farthest, least_ahead, nearest
from sbg_sim.contested.placings import more_doubt
from sbg_sim.contested.seeing import surely_sees
from sbg_sim.errors import SbgError
from sbg_sim.rules.zones import ZONE_WIDTH
from sbg_sim.solver.answer import ask
from sbg_sim.table.questions import Charge, Move
from sbg_sim.tolerance import ABOUT, HAIR, TOUCH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.route import Leg, Route

_FIRST: Final = (0.0, 0.1, 0.25, 0.5, 1.0, 2.0)  # places on its first leg where the way may be joined, inches along it


def robust_cost(
    table: Table, question: Move | Charge, off: Mapping[str, float], chance: Fraction
) -> tuple[float | None, str]:
    """Return an upper bound of the cost of a way that is legal for every placement; or None, and what is in its way.

    Parameters
    ----------
    table, question
        The table, and the question.
    off
        Doubts by model, inches.
    chance
        The least chance that the dice on the way must give.

    """
    targets = question.targets if isinstance(question, Charge) else ()
    if len(targets) > 1:
        return None, "contact with several at once hangs on where they stand"
    if any(surely_sees(table, question.model, t, off) is not True for t in targets):
        return None, "whether it is seen hangs on where the models stand"
    why = "no way keeps clear of every base by its doubt"
    best: float | None = None
    ends = max((off.get(t, 0.0) for t in targets), default=0.0)
    for extra in dict.fromkeys((TOUCH, ends + TOUCH)):
        try:
            there = replace(more_doubt(table, question, off, extra), horizon=0.0)  # ways that cost too much are no use
            found = ask(there, question, alternatives=False)
        except SbgError:
            continue
        if found.play is None or (found.chance or 0) < chance:
            continue
        cost, held = Way(table, question, off, found.play).cost()
        if ends > 0 and chance > Fraction(1, 6) ** len(found.play.tests):
            cost, held = None, f"where {targets[0]} stands decides whether a die ends in contact"
        why = held or why
        if cost is not None:
            best = cost if best is None else min(best, cost)
    return best, "" if best is not None else why


class Way:
    """A way that is checked for every placement within the doubts."""

    def __init__(self, table: Table, question: Move | Charge, off: Mapping[str, float], route: Route) -> None:
        self.table, self.off, self.route = table, off, route
        self.mover = table.model(question.model)
        self.own = off.get(self.mover.id, 0.0)
        self.target = table.model(question.targets[0]) if isinstance(question, Charge) else None
        self.legs = [leg for leg in route.legs if leg.kind not in {"stand", "lie"}]
        self.others = [m for m in table.standing() if m.id != self.mover.id and m is not self.target]

    def cost(self) -> tuple[float | None, str]:
        """Return an upper bound of the cost of the way; or None, and what is in its way."""
        if not self.legs:
            return (None, "the start is in doubt") if self.own else (self.route.cost, "")
        prone = [leg.test.over for leg in self.legs if leg.test is not None and leg.test.kind == "jump-prone"]
        if any(name in self.off for name in prone):
            return None, f"where {prone[0]} lies decides the jump"
        bound = self._bound()
        if bound is None:
            assert self.target is not None
            first = any(self._passes_zone(leg, other) for leg in self.legs for other in self._zoned())
            what = "which zone is entered first" if first else f"whether it stays in the zone of {self.target.id}"
            return None, f"{what} hangs on where the models stand"
        begin, held = self._start(bound)
        if begin is None:
            return None, held
        held = self._middle(bound)
        if held:
            return None, held
        end, held = self._end(bound)
        return (None, held) if end is None else (self.route.cost + begin + end, "")

    # -- zones ---------------------------------------------------------------------------------------------------

    def _bound(self) -> float | None:
        """Return how far along the way the mover is certainly bound to its target; None if it may leave the zone again.

        Infinite if it never is: then every other zone counts all the way.
        """
        if self.target is None or not self.target.has_zone:
            return math.inf
        doubt = self.off.get(self.target.id, 0.0)
        rim = ZONE_WIDTH + self.mover.radius + self.target.radius
        inner, outer = rim - doubt, rim + doubt
        if math.dist(self.mover.at, self.target.at) <= inner - self.own:
            outside = any(farthest(leg, self.target.at) > inner - HAIR for leg in self.legs)
            return None if outside and self._stays() else 0.0
        if doubt == 0 and self.own == 0:
            return self._along(rim)
        passed, bound = 0.0, math.inf
        begun = False
        for leg in self.legs:
            near = nearest(leg, self.target.at)
            if bound < math.inf and farthest(leg, self.target.at) > inner - HAIR and self._stays():
                return None
            if bound == math.inf and near <= outer + self.own + TOUCH:
                begun = True
                first, last = (comes_within(leg, self.target.at, d) for d in (outer + self.own, inner))
                if least_ahead(leg, self.target.at, first, last) < doubt + self.own:
                    return None  # the way must lead nearer to the target, at any place of it, until it is in its zone
                if near < inner - HAIR:
                    if farthest(leg, self.target.at, last) > inner + HAIR:
                        return None
                    bound = passed + last
            passed += leg.length
        return None if begun and bound == math.inf else bound

    def _stays(self) -> bool:
        return self.table.rulings["charge_stays_in_zone"] == "yes"

    def _along(self, rim: float) -> float:
        assert self.target is not None
        passed = 0.0
        for leg in self.legs:
            if nearest(leg, self.target.at) <= rim + TOUCH:
                return passed + (comes_within(leg, self.target.at, rim) if leg.center is None else 0.0)
            passed += leg.length
        return math.inf

    # -- the beginning -------------------------------------------------------------------------------------------

    def _start(self, bound: float) -> tuple[float | None, str]:
        """Return the further cost of going straight onto the way from any start, inches."""
        first = self.legs[0]
        if self.own == 0:
            held = self._leaves(first, 0.0, bound)
            return (None, held) if held else (0.0, "")
        held = "the start is in doubt"
        joins = [s for s in _FIRST if s <= first.length] if first.center is None and first.test is None else [0.0]
        for along in joins:
            held = self._leaves(first, along, bound)
            if not held:
                return self._dearer(first, along), ""
        return None, held

    def _leaves(self, first: Leg, along: float, bound: float) -> str:
        """Say what may be in the way between any start and a place on the first leg; empty if nothing is."""
        m = np.array(self.mover.at)
        q = self._joined(first, along)
        if self.own == 0 and along == 0:
            return ""
        for other in self.others:
            if self._clear(m, q, other, 0.0):
                continue
            return f"{other.id} may be in the way at the start"
        for other in self._zoned():
            if bound == 0 or self._clear(m, q, other, ZONE_WIDTH):
                continue
            return f"the zone of {other.id} may be in the way at the start"
        return self._solid(m, q)

    def _joined(self, first: Leg, along: float) -> np.ndarray:
        if along == 0:
            return np.array(first.start)
        return np.array(first.start) + along * np.subtract(first.end, first.start) / first.length

    def _zoned(self) -> list[Model]:
        return [m for m in self.others if m.is_enemy(self.mover) and m.has_zone]

    def _passes_zone(self, leg: Leg, other: Model) -> bool:
        reach = ZONE_WIDTH + self.mover.radius + other.radius + self.own + self.off.get(other.id, 0.0)
        return nearest(leg, other.at) < reach + HAIR

    def _clear(self, m: np.ndarray, q: np.ndarray, other: Model, more: float) -> bool:
        """Say whether a straight piece stays clear of a base, or a zone, or leads away from it."""
        doubt = self.off.get(other.id, 0.0)
        reach = self.mover.radius + other.radius + more
        line = shapely.LineString([m, q]) if np.hypot(*(q - m)) > 0 else shapely.Point(m)
        if shapely.distance(line, shapely.Point(other.at)) >= reach + self.own + doubt + HAIR:
            return True
        return self._away(m, q - m, other, doubt)

    def _away(self, m: np.ndarray, u: np.ndarray, other: Model, doubt: float) -> bool:
        """Say whether the distance to a base grows all along, for every placement of the two."""
        w = m - np.array(other.at)
        size, apart = float(np.hypot(*u)), float(np.hypot(*w))
        lost = size * (self.own + doubt) + self.own * apart + self.own * (self.own + doubt)
        return float(u @ w) >= lost > 0

    def _solid(self, m: np.ndarray, q: np.ndarray) -> str:
        hull, r = self._from_anywhere(m, q), self.mover.radius
        half = (self.mover.height or 0.0) / 2
        for piece in self.table.terrain.values():
            if piece.shape is not None and piece.id == self.mover.on:
                if shapely.distance(hull, piece.shape.to_shapely().boundary) < r + HAIR:
                    return f"the rim of {piece.id} is too near to the start"
                continue
            if piece.shape is None or piece.on != self.mover.on or self.mover.id in piece.lets_through:
                continue
            low = piece.top < half - TOUCH and not piece.tags & {"gap"}
            if low or not (piece.is_obstacle or "gap" in piece.tags):
                continue
            body = replace(piece.shape, radius=0.0).to_shapely() if not piece.shape.rings else piece.shape.to_shapely()
            if shapely.distance(body, hull) - piece.shape.radius < r + HAIR and not self._beside(
                body, piece.shape.radius, m, q
            ):
                return f"{piece.id} may be in the way at the start"
        return ""

    def _from_anywhere(self, m: np.ndarray, q: np.ndarray) -> shapely.Geometry:
        """Return the area of all straight ways to ``q`` from any place within the mover's doubt about ``m``."""
        starts = shapely.Point(m).buffer(1.001 * self.own, quad_segs=32)
        return shapely.union_all([starts, shapely.Point(q)]).convex_hull

    def _beside(self, body: shapely.Geometry, thick: float, m: np.ndarray, q: np.ndarray) -> bool:
        """Say whether a straight line parts all of a solid nearby from the piece of way."""
        spot = np.array(shapely.ops.nearest_points(body, shapely.Point(m))[0].coords[0])
        away = m - spot
        normal = away / (float(np.hypot(*away)) or 1.0)
        reach = self.mover.radius + thick + 3 * self.own + float(np.hypot(*(q - m))) + 0.01
        near = shapely.intersection(body, shapely.Point(m).buffer(reach, quad_segs=32))
        sides = (shapely.get_coordinates(near) - spot) @ normal
        return bool((sides <= TOUCH).all()) and float((q - spot) @ normal) >= self.mover.radius + thick - TOUCH

    def _dearer(self, first: Leg, along: float) -> float:
        r = self.mover.radius
        hull = self._from_anywhere(np.array(self.mover.at), self._joined(first, along))
        near = [
            p.shape
            for p in self.table.terrain.values()
            if p.difficult and p.shape is not None and shapely.distance(p.shape.to_shapely(), hull) < r + ABOUT
        ]
        return 2 * (along + self.own) - along if near else self.own

    # -- the way itself ------------------------------------------------------------------------------------------

    def _middle(self, bound: float) -> str:
        """Say which base or zone the way may pass too closely; empty if it stays clear of all."""
        r = self.mover.radius
        passed = 0.0
        leaving = True
        for index, leg in enumerate(self.legs):
            for other in self.others:
                doubt = self.off.get(other.id, 0.0)
                level = r + other.radius + doubt - (TOUCH if doubt else 2 * TOUCH)
                if nearest(leg, other.at) < level and not (index == 0 and self._off_first(leg, other, doubt)):
                    return f"it passes {other.id} too closely"
            if passed < bound:
                part = cut(leg, bound - passed)
                for other in self._zoned():
                    doubt = self.off.get(other.id, 0.0)
                    level = ZONE_WIDTH + r + other.radius + doubt - (TOUCH if doubt else 2 * TOUCH)
                    if nearest(part, other.at) < level and not (
                        leaving and index == 0 and self._off_first(part, other, doubt)
                    ):
                        return f"it passes the zone of {other.id} too closely"
            passed += leg.length
        return ""

    def _off_first(self, leg: Leg, other: Model, doubt: float) -> bool:
        """Say whether a first straight leg leads away from a base, or a zone, at which it starts."""
        if leg.center is not None or leg.length <= TOUCH:
            return False
        u = np.subtract(leg.end, leg.start)
        w = np.subtract(leg.start, other.at)
        if self.own == 0 and doubt == 0:
            return float(u @ w) >= -HAIR
        return self._away(np.array(leg.start), u, other, doubt)

    # -- the end -------------------------------------------------------------------------------------------------

    def _end(self, bound: float) -> tuple[float | None, str]:
        """Return an upper bound of the cost of the last piece into contact, inches; or None, and what is in its way."""
        last = self.legs[-1]
        r = self.mover.radius
        if self.target is None:
            for other in self.others:
                close = math.dist(last.end, other.at) < r + other.radius + self.off.get(other.id, 0.0) + 2 * TOUCH
                if close and other.is_enemy(self.mover):
                    return None, f"it may end in contact with {other.id}"
            return 0.0, ""
        doubt = self.off.get(self.target.id, 0.0)
        if doubt == 0:
            return 0.0, ""
        e, toward = np.array(last.end), np.subtract(self.target.at, last.end)
        apart = float(np.hypot(*toward))
        if abs(apart - r - self.target.radius) > 2 * TOUCH:
            return None, "it ends across a barrier"
        for other in self.others:
            other_doubt = self.off.get(other.id, 0.0)
            zone = ZONE_WIDTH if bound == math.inf and other.is_enemy(self.mover) and other.has_zone else 0.0
            w = e - np.array(other.at)
            size = float(np.hypot(*w))
            leads_off = float(w @ toward) / apart >= size * doubt / (apart - doubt) + other_doubt
            if size < r + other.radius + zone + other_doubt + doubt and not leads_off:
                return None, f"{other.id} may be in the way of the contact"
        x, y = last.end
        room = min(x, y, self.table.width - x, self.table.depth - y) - r
        if room < doubt and self.target.radius < r:
            return None, "the edge of the table is too near to the contact"
        doubled = False
        for piece in self.table.terrain.values():
            if piece.shape is None:
                continue
            near = float(piece.shape.distance(e)) < r + doubt + HAIR
            solid = (piece.is_obstacle or "gap" in piece.tags) and piece.id != last.surface
            if near and solid and piece.on == last.surface and self.mover.id not in piece.lets_through:
                return None, f"{piece.id} may be in the way of the contact"
            if piece.id == last.surface and -float(piece.shape.depth(e)) < r + doubt:
                return None, f"the rim of {piece.id} is too near to the contact"
            doubled |= near and piece.difficult
        return doubt * (2 if doubled else 1), ""
