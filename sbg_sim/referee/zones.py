"""Judges a path in Control Zones: which zones it enters, in which order, and whether it may (CZ, CHG)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sbg_sim.referee.curves import Spot, nearest_to_point, segment
from sbg_sim.referee.outline import below, edges, merged, near_point, signed_gap
from sbg_sim.table.violation import Violation
from sbg_sim.tolerance import ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.geometry.shapes import Point, Shape
    from sbg_sim.referee.scene import Scene, Surface, Track
    from sbg_sim.table.models import Model
    from sbg_sim.table.route import Route

ZONE: Final = 1.0
"""How far a Control Zone reaches from the edge of a base, inches (CZ.1)."""


@dataclass(frozen=True, slots=True)
class Stay:
    """A stretch of path inside one enemy's zone.

    Parameters
    ----------
    enemy
        The enemy whose zone it is.
    first, last
        Where it begins and ends, inches along the path.
    place
        The mover's centre where it begins.
    from_start
        Whether the mover was inside before it moved.

    """

    enemy: Model
    first: float
    last: float
    place: Spot
    from_start: bool


@dataclass(frozen=True, slots=True)
class Way:
    """The whole path by its length, inches."""

    tracks: tuple[Track, ...]

    @property
    def length(self) -> float:
        """Length of the path, inches."""
        return self.tracks[-1].offset + self.tracks[-1].curve.length if self.tracks else 0.0

    def at(self, s: float) -> Spot:
        """Return the mover's centre after ``s`` inches of path."""
        for track in self.tracks:
            if s <= track.offset + track.curve.length:
                return track.curve.at(s - track.offset)
        return self.tracks[-1].curve.end

    def distances(self, middle: Spot, first: float, last: float) -> list[tuple[float, float]]:
        """Return path lengths and distances to a point: at two lengths, and where the distance is extreme between."""
        found = []
        for track in self.tracks:
            low, high = max(0.0, first - track.offset), min(track.curve.length, last - track.offset)
            if low > high:
                continue
            places = [
                low,
                *(t for t in sorted(nearest_to_point(track.curve, middle)) if low < t < high),
                high,
            ]
            found += [(track.offset + t, math.dist(track.curve.at(t), middle)) for t in places]
        return found


def stays(scene: Scene, way: Way) -> list[Stay]:
    """Return every stretch inside an enemy zone, in the order entered; rims are outside (CZ.1, CZ.2)."""
    everywhere = scene.table.rulings["zones_across_surfaces"] == "yes"
    found = []
    for other in scene.everyone():
        if not (other.is_enemy(scene.model) and other.has_zone):
            continue
        level = ZONE + other.radius + scene.radius - TOUCH
        inside = merged(
            (track.offset + a, track.offset + b)
            for track in way.tracks
            if everywhere or other.on in track.surfaces
            for a, b in near_point(track.curve, other.at, level)
        )
        inside = _unbroken(way, inside, other.at, level + 2 * TOUCH)
        starts_in = (everywhere or other.on == scene.model.on) and math.dist(way.at(0.0), other.at) < level
        found += [Stay(other, a, b, way.at(a), starts_in and a <= TOUCH) for a, b in inside]
    return sorted(found, key=lambda stay: (stay.first, stay.enemy.id))


def _unbroken(way: Way, inside: Sequence[tuple[float, float]], centre: Point, rim: float) -> list[tuple[float, float]]:
    """Join stretches between which the path only touches the rim: touching it is not leaving the zone."""
    found: list[tuple[float, float]] = []
    for a, b in inside:
        if found and math.dist(way.at((found[-1][1] + a) / 2), centre) <= rim:
            found[-1] = (found[-1][0], b)
        else:
            found.append((a, b))
    return found


def judged(scene: Scene, way: Way, charging: Sequence[str]) -> list[Violation]:
    """Return the violations of a path in enemy zones (CZ.1-4, CHG.3-6)."""
    within = stays(scene, way)
    stuck = [s for s in within if s.from_start]
    later = [s for s in within if not s.from_start]
    if scene.table.rulings["zone_once_left"] == "nearer" and scene.table.rulings["stuck_no_closer"] == "start":
        later, come_back = _without_returns(way, stuck, later, charging)
    else:
        come_back = []
    if not charging:
        return [*_kept_off(scene, way, stuck, math.inf), *come_back, *(_trespass(s, stuck) for s in later)]
    plans = [_bound(scene, way, s, ()) for s in stuck if s.enemy.id in charging]
    moves_away = scene.table.rulings["stuck_then_charge"] == "yes"
    if not plans or moves_away:
        plans.append([*_bound_later(scene, way, [*stuck, *later], charging), *come_back])
        if stuck and not moves_away:
            names = " or ".join(s.enemy.id for s in stuck)
            reason = f"it starts in the zone of {names} and may charge no other"
            plans[-1].append(Violation("CZ.4", reason, way.at(0.0), stuck[0].enemy.id))
    return min(plans, key=len)


def _without_returns(
    way: Way, stuck: Sequence[Stay], later: Sequence[Stay], charging: Sequence[str]
) -> tuple[list[Stay], list[Violation]]:
    """Leave out stays in a zone that the mover left and may enter again; return them judged by its start (CZ.4).

    There it may come no closer to the enemy than where it started.
    """
    names = {s.enemy.id for s in stuck if s.enemy.id not in charging}
    found = []
    for stay in later:
        if stay.enemy.id not in names:
            continue
        start = math.dist(way.at(0.0), stay.enemy.at)
        near = [(s, apart) for s, apart in way.distances(stay.enemy.at, stay.first, stay.last) if apart < start - TOUCH]
        if near:
            reason = f"back in the zone of {stay.enemy.id} it gets {start - near[0][1]:.6g} inches closer"
            found.append(Violation("CZ.4", reason, way.at(near[0][0]), stay.enemy.id))
    return [s for s in later if s.enemy.id not in names], found


def _bound_later(scene: Scene, way: Way, within: Sequence[Stay], charging: Sequence[str]) -> list[Violation]:
    """Judge a charge that is free until the first zone it enters (CHG.3)."""
    stuck = [s for s in within if s.from_start]
    later = [s for s in within if not s.from_start]
    if not later:
        return _kept_off(scene, way, stuck, math.inf)
    first = later[0]
    free = _kept_off(scene, way, stuck, first.first)
    entries = {s.enemy.id: s for s in reversed(later)}
    at_once = [s for name, s in entries.items() if name in charging and _same_instant(scene, first, s)]
    if not at_once:
        reason = f"it enters the zone of {first.enemy.id} first and must charge that model"
        return [*free, Violation("CHG.3", reason, first.place, first.enemy.id)]
    return min((_bound(scene, way, s, free) for s in at_once), key=len)


def _bound(scene: Scene, way: Way, stay: Stay, free: Sequence[Violation]) -> list[Violation]:
    """Judge a charge once it is bound to one enemy (CHG.4, CHG.5)."""
    found = list(free)
    if scene.table.rulings["charge_stays_in_zone"] == "yes" and stay.last < way.length - 2 * TOUCH:
        reason = f"bound to charge {stay.enemy.id}, it leaves that zone before contact"
        found.append(Violation("CHG.4", reason, way.at(stay.last), stay.enemy.id))
    return found


def _same_instant(scene: Scene, first: Stay, other: Stay) -> bool:
    """Say whether a zone is entered, or its rim touched, at the instant the first is entered (CHG.3)."""
    if other.first <= first.first + 2 * TOUCH:
        return True
    rim = ZONE + other.enemy.radius + scene.radius
    return abs(math.dist(first.place, other.enemy.at) - rim) <= 2 * TOUCH


def _trespass(stay: Stay, stuck: Sequence[Stay]) -> Violation:
    """Return the violation of entering a zone without charging its owner (CZ.1, CZ.4)."""
    if any(s.enemy.id == stay.enemy.id for s in stuck):
        reason = f"it had left the zone of {stay.enemy.id}, and comes back into it"
        return Violation("CZ.4", reason, stay.place, stay.enemy.id)
    reason = f"it enters the zone of {stay.enemy.id} without charging that model"
    return Violation("CZ.1", reason, stay.place, stay.enemy.id)


def _kept_off(scene: Scene, way: Way, stuck: Sequence[Stay], until: float) -> list[Violation]:
    """Return the enemies to which a mover gets closer while inside the zone in which it started (CZ.4)."""
    monotone = scene.table.rulings["stuck_no_closer"] == "monotone"
    found = []
    for stay in stuck:
        passed = way.distances(stay.enemy.at, 0.0, min(stay.last, until))
        bound = passed[0][1] if passed else 0.0
        for s, apart in passed:
            if apart < bound - TOUCH:
                reason = f"inside the zone of {stay.enemy.id} it gets {bound - apart:.6g} inches closer"
                found.append(Violation("CZ.4", reason, way.at(s), stay.enemy.id))
                break
            if monotone:
                bound = max(bound, apart)
    return found


def left_undone(scene: Scene, way: Way, route: Route, charging: Sequence[str]) -> list[Violation]:
    """Return the tests whose 2 to 5 leaves a charger in its target's zone, short of contact (CZ.1, CHG.3).

    The ruling ``charge_on_a_six`` may allow that. A charger that starts in the zone and came no nearer has not entered.
    """
    if scene.table.rulings["charge_on_a_six"] == "yes":
        return []
    found = []
    within = [stay for stay in stays(scene, way) if stay.enemy.id in charging]
    for track, leg in zip(way.tracks, route.legs, strict=True):
        done = track.offset + track.curve.length
        entered = [
            s.enemy for s in within if s.first < done - TOUCH and not (s.from_start and _no_nearer(way, s, done))
        ]
        if leg.test is not None and entered and contact_faults(scene, leg.end, leg.surface, charging):
            name = entered[0].id
            reason = f"a 2 to 5 would leave it in the zone of {name}, short of contact"
            found.append(Violation("CZ.1", reason, leg.end, name))
    return found


def _no_nearer(way: Way, stay: Stay, until: float) -> bool:
    """Say whether a mover, ``until`` inches on, has come no nearer to the enemy in whose zone it starts (CZ.4)."""
    passed = way.distances(stay.enemy.at, 0.0, until)
    return all(apart >= passed[0][1] - TOUCH for _, apart in passed)


def contact_faults(scene: Scene, spot: Spot, surface: Surface, charging: Sequence[str]) -> list[Violation]:
    """Return the targets with which a charge does not end in contact (CHG.1, CHG.8)."""
    found = []
    for name in charging:
        target = scene.table.model(name)
        apart = math.dist(spot, target.at) - scene.radius - target.radius
        if beside(scene, target, surface) and abs(apart) <= TOUCH:
            continue
        if target.on == surface and apart > 0 and across(scene, spot, target) is not None:
            continue
        reason = f"the move ends {apart:.6g} inches from {name}" if apart > 0 else f"it ends overlapping {name}"
        if not beside(scene, target, surface):
            reason = f"the move does not end on the surface where {name} stands"
        found.append(Violation("CHG.1", reason, spot, name))
    return found


def beside(scene: Scene, target: Model, surface: Surface) -> bool:
    """Say whether bases on a target's level and on another can be in contact (ruling ``contact_across_heights``)."""
    if target.on == surface:
        return True
    if scene.table.rulings["contact_across_heights"] == "no" or scene.model.height is None:
        return False
    return abs(scene.elevation(target.on) - scene.elevation(surface)) <= scene.height / 2 + ROUNDING


def across(scene: Scene, spot: Spot, target: Model) -> str | None:
    """Return the barrier that two bases touch from opposite sides; None if there is none (CHG.8)."""
    for piece, shape in scene.pieces(target.on):
        if not piece.is_obstacle or "platform" in piece.tags:
            continue
        if scene.table.rulings["defended_behind"] == "test" and scene.is_step(piece.top):
            continue
        both = (signed_gap(spot, shape) - scene.radius, signed_gap(target.at, shape) - target.radius)
        touching = all(abs(gap) <= TOUCH for gap in both) and below(segment(spot, target.at), shape, 0.0)
        if touching and _faces(scene, spot, target, shape):
            return piece.id
    return None


def _faces(scene: Scene, spot: Spot, target: Model, shape: Shape) -> bool:
    """Say whether a base pushed straight across would meet the target's, as ruled (``defended_opposite``)."""
    if scene.table.rulings["defended_opposite"] == "anywhere":
        return True
    dx, dy = spot[0] - target.at[0], spot[1] - target.at[1]
    for edge in edges(shape):
        ux, uy = _toward(target.at, *edge)
        away = math.hypot(ux, uy)
        beside = abs(dx * uy - dy * ux) <= (scene.radius + target.radius + TOUCH) * away
        if abs(away - shape.radius - target.radius) <= TOUCH and beside and dx * ux + dy * uy > 0:
            return True
    return False


def _toward(p: Point, a: Spot, b: Spot) -> Spot:
    """Return the vector from a point to the nearest place of a segment, inches."""
    ex, ey = b[0] - a[0], b[1] - a[1]
    square = ex * ex + ey * ey
    t = ((p[0] - a[0]) * ex + (p[1] - a[1]) * ey) / square if square else 0.0
    t = min(max(t, 0.0), 1.0)
    return (a[0] + t * ex - p[0], a[1] + t * ey - p[1])


def strays_into_contact(scene: Scene, spot: Spot, surface: Surface, jumped: str) -> list[Violation]:
    """Return the enemies with which a move without a charge ends in contact (CHG.1, PRN.4)."""
    found = []
    for other in scene.everyone():
        if not other.is_enemy(scene.model) or other.id == jumped or not beside(scene, other, surface):
            continue
        limit = scene.radius + other.radius + TOUCH
        if math.dist(spot, other.at) <= limit < math.dist(scene.model.at, other.at):
            reason = f"the move ends in contact with {other.id} without charging that model"
            found.append(Violation("CHG.1", reason, spot, other.id))
    return found
