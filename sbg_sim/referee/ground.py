"""Judges plain travel: bases, solids, table edges, tops; and the cost of a piece of path by the ground."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sbg_sim.referee.curves import Curve, Spot, nearest_approach, nearest_to_line
from sbg_sim.referee.outline import above, below, merged, signed_gap, spans
from sbg_sim.table.violation import Violation
from sbg_sim.tolerance import RIM_RUN, ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sbg_sim.geometry.shapes import Shape
    from sbg_sim.referee.scene import Scene, Surface, Track
    from sbg_sim.table.terrain import Terrain


@dataclass(frozen=True, slots=True)
class Weighed:
    """The cost of a piece of path.

    Parameters
    ----------
    cost
        Its length, and once more the length on difficult ground (TER.2), inches.
    most
        The cost if stretches too short and shallow to decide count as inside, inches.
    doubled
        Whether any of it lies on difficult ground.

    """

    cost: float
    most: float
    doubled: bool


def weigh(scene: Scene, curve: Curve, surfaces: Iterable[Surface]) -> Weighed:
    """Return the cost of a piece of path: its length in the open and on rims, twice that within (TER.2)."""
    sure: list[tuple[float, float]] = []
    maybe: list[tuple[float, float]] = []
    for surface in surfaces:
        for shape in scene.rough(surface):
            deep, shallow = _within(curve, shape, scene.radius)
            sure += deep
            maybe += shallow
    doubled = math.fsum(b - a for a, b in merged(sure, 0.0))
    at_most = math.fsum(b - a for a, b in merged([*sure, *maybe], 0.0))
    return Weighed(curve.length + doubled, curve.length + at_most, doubled > 0 or at_most > 0)


def _within(curve: Curve, shape: Shape, radius: float) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """Return the stretches certainly inside a grown piece, and those too short and shallow to decide."""
    groups: list[list[tuple[float, float, float]]] = []
    for span in spans(curve, shape, radius):
        if not span.below or span.length <= 0:
            continue
        stretch = (span.first, span.last, span.low)
        if groups and groups[-1][-1][1] == span.first:
            groups[-1].append(stretch)
        else:
            groups.append([stretch])
    deep: list[tuple[float, float]] = []
    shallow: list[tuple[float, float]] = []
    for group in groups:
        if min(low for _, _, low in group) >= radius - ROUNDING:
            shallow += [(a, b) for a, b, _ in group if b - a < RIM_RUN]
        else:
            # A stretch along the rim weighs 1, though the path goes on from it into the piece.
            deep += [(a, b) for a, b, low in group if low < radius - ROUNDING or b - a < RIM_RUN]
    return deep, shallow


def overlapped(scene: Scene, track: Track) -> list[Violation]:
    """Return the bases that a piece of path runs into (MOV.4); touching is allowed."""
    found = []
    for surface in track.surfaces:
        for other in scene.others(surface):
            if other.id == track.over:
                continue
            nearest, t = nearest_approach(track.curve, other.at)
            lack = scene.radius + other.radius - nearest
            if lack > TOUCH:
                reason = f"the base overlaps the base of {other.id} by {lack:.6g} inches"
                found.append(Violation("MOV.4", reason, track.curve.at(t), other.id))
    return found


def clearance(scene: Scene, tracks: Iterable[Track]) -> float:
    """Return the least distance between the mover's base and any other, inches; infinite without others."""
    least = math.inf
    for track in tracks:
        for surface in track.surfaces:
            for other in scene.others(surface):
                if other.id != track.over:
                    nearest, _ = nearest_approach(track.curve, other.at)
                    least = min(least, nearest - scene.radius - other.radius)
    return least


def beyond_edge(scene: Scene, curve: Curve, skip: frozenset[str] = frozenset()) -> list[Violation]:
    """Return the table edges over which the base juts out (MOV.5)."""
    found = []
    table, r = scene.table, scene.radius
    edges: tuple[tuple[str, Spot, Spot], ...] = (
        ("left", (0.0, 0.0), (1.0, 0.0)),
        ("right", (table.width, 0.0), (-1.0, 0.0)),
        ("lower", (0.0, 0.0), (0.0, 1.0)),
        ("upper", (0.0, table.depth), (0.0, -1.0)),
    )
    for name, through, inward in edges:
        if name in skip:
            continue
        places = (0.0, *nearest_to_line(curve, inward), curve.length)

        def room(t: float, through: Spot = through, inward: Spot = inward) -> float:
            x, y = curve.at(t)
            return (x - through[0]) * inward[0] + (y - through[1]) * inward[1]

        worst = min(places, key=room)
        if room(worst) < r - TOUCH:
            lack = r - room(worst)
            found.append(
                Violation("MOV.5", f"the base sticks out over the {name} edge by {lack:.6g} inches", curve.at(worst))
            )
    return found


def barrier(scene: Scene, piece: Terrain, surface: Surface) -> tuple[str, str] | None:
    """Return the rule and the reason by which a piece bars plain travel; None if it does not (TER.1-5, LEAP)."""
    if scene.lets_through(piece):
        return None
    if "gap" in piece.tags:
        return "LEAP.1", f"the base is over the gap {piece.id}, which only a leap crosses"
    if scene.is_stood_on(piece, surface):
        return "TER.4", f"the base runs into the side of {piece.id}"
    tall = scene.tall(piece, surface)
    if not piece.is_obstacle or scene.is_step(tall):
        return None
    if "unscalable" in piece.tags and not scene.no_taller(tall):
        return "TER.5", f"{piece.id} cannot be crossed"
    if scene.no_taller(tall):
        return "TER.4", f"{piece.id} is only crossed by a Jump test"
    return "TER.4", f"{piece.id} is only crossed by a Climb test"


def barred(scene: Scene, track: Track, *, gaps: bool = False) -> list[Violation]:
    """Return the pieces of terrain, or only the gaps, that a piece of path runs into without a way over them."""
    found = []
    # The pieces on which a level stands do not bar the way up to it.
    held = {on for name in track.surfaces if name is not None for on in _supports(scene, name)}
    for surface in track.surfaces:
        for piece, shape in scene.pieces(surface):
            if piece.id == track.over or piece.id in track.surfaces or not (piece.is_obstacle or "gap" in piece.tags):
                continue
            if gaps and "gap" not in piece.tags:
                continue
            reach = -TOUCH if scene.is_seam(piece, surface) else scene.radius - TOUCH
            hit = below(track.curve, shape, reach)
            why = barrier(scene, piece, surface) if hit and piece.id not in held else None
            if why is not None:
                found.append(Violation(why[0], why[1], track.curve.at(hit[0][0]), piece.id))
    return found


def _supports(scene: Scene, name: str) -> list[str]:
    found: list[str] = []
    on = scene.table.piece(name).on
    while on is not None and on not in found:
        found.append(on)
        on = scene.table.piece(on).on
    return found


def off_top(scene: Scene, curve: Curve, surface: str) -> list[Violation]:
    """Return the first place at which the base does not stand wholly on a platform's top, as a violation."""
    out = above(curve, scene.top(surface), TOUCH - scene.margin)
    if not out:
        return []
    place = curve.at(out[0][0])
    return [Violation("FALL.1", f"the base is not wholly on top of {surface}", place, surface)]


def ends_atop(scene: Scene, spot: Spot, surface: Surface, reason: str = "the move ends") -> list[Violation]:
    """Return the low obstacles on which a move would end (ruling ``end_on_low_obstacle``)."""
    if scene.table.rulings["end_on_low_obstacle"] == "yes":
        return []
    found = []
    for piece, shape in scene.pieces(surface):
        if not piece.is_obstacle or scene.is_stood_on(piece, surface) or scene.lets_through(piece):
            continue
        if signed_gap(spot, shape) < scene.radius - TOUCH and scene.is_step(scene.tall(piece, surface)):
            found.append(Violation("TER.3", f"{reason} on top of {piece.id}", spot, piece.id))
    return found
