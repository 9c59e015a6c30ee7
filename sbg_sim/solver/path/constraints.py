"""Constraints: they keep the ways over of a path clear of what these would cut, and no longer than they may be.

A path is polished, the first constraint that it violates is added, and it is polished again. The length of a leap over
its gap has a kink, or a jump, where the leap passes a corner of the gap: there a constraint holds it to that corner.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from sbg_sim.arrays import point
from sbg_sim.geometry.grown import segments_clear
from sbg_sim.geometry.spines import points_spines, segments_spines, where_crossed
from sbg_sim.solver.path.gathering import gather
from sbg_sim.solver.path.paths import Constraint, Element, Fixed, Link, Path, Slide, at_end, place_of, put
from sbg_sim.tolerance import CLEARED, MET, RESTS, ROUNDING, TINY, TOUCH

if TYPE_CHECKING:
    from sbg_sim.arrays import Floats
    from sbg_sim.geometry.grown import Grown
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.rules.zones import Zone
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.space.configuration_space import Space
    from sbg_sim.solver.space.transitions import Transition

    Chord: TypeAlias = tuple[Floats, Floats]
    """The two ends of a way over, ``(1, 2)`` each, inches."""

_PART: Final = np.linspace(0.0, 1.0, 65)[1:, None]
"""Shares of the change from one chord to another at which the chords between are tested for what they cut."""
_OFF: Final = 0.01  # inches by which an end of a way over that touches something at the end of a rim is moved off it
_HALVED: Final = 40  # steps of the bisection for where a chord passes a corner


def constrain(net: TangentGraph, polished: Path, sampled: Path) -> Path | None:
    """Return the sampled path with a constraint that the polished one violates; None if it violates none.

    The constraint holds a way over tangent to what it cuts, on the side on which the sampled way passes. Where a way
    should land bound but does not, the path returned is free there instead.
    """
    legs, first = ways_of(net, polished), ways_of(net, sampled)
    if len(legs) != len(first):
        return None
    for k, i in enumerate(polished.over):
        if _lands_outside(net, polished.links[i], legs[k][1]):
            return _free_from(sampled, k)
        held = _held_short(net, polished, sampled, k, legs[k], first[k])
        held = _held_off(net, polished.links[i], sampled, k, legs[k], first[k]) if held is None else held
        if held is not None:
            return held
    return None


def _held_short(net: TangentGraph, polished: Path, sampled: Path, k: int, leg: Chord, first: Chord) -> Path | None:
    """Hold a way over that became too long to the corner it passed, or to its greatest length.

    None if it is not too long, or is held to both already.
    """
    transition = net.transitions[polished.links[polished.over[k]].transition]
    longest = transition.way.longest
    if not np.isfinite(longest) or float(transition.over(*leg)[0]) <= longest + TOUCH:
        return None
    corner = _corner_passed(transition, first, leg)
    if corner is not None and not held_to(sampled, k, corner):
        return constrain_to_pass(sampled, k, first, corner)
    if not any(g.way == k and g.longest for g in sampled.constraints):
        return _shortened(net, sampled, k, first)
    return constrain_to_sides(net, polished)


def _held_off(net: TangentGraph, link: Link, sampled: Path, k: int, leg: Chord, first: Chord) -> Path | None:
    """Hold a way over to an inward corner that it passes on the wrong side, else to the circle that it cuts first.

    None if there is neither. Where it lands inside the zone of the charged enemy the path is bound from there instead.
    """
    transition, (p, q) = net.transitions[link.transition], leg
    notch = _notch(transition, leg, first)
    if notch is not None and not any(g.way == k and g.circle == notch[0] for g in sampled.constraints):
        return constrain_to_pass(sampled, k, notch[1], notch[0], line=transition.firm is not None)
    before, after = (np.array([bound]) for bound in link.bound)
    bodies: list[tuple[int | None, Floats, Floats]] = [(None, q, transition.others.ends[0])]
    # Where the same zones bind on both levels none is entered or left on the way.
    levels = {net.spaces[i].zones: i for i in (transition.dest, transition.source)}
    for i in sorted(levels.values()) if not before else []:
        space = net.spaces[i]
        if not (after and i == transition.dest and within_zone(space.target, p)):
            come = i != transition.source
            bound = space.until_bound(p, q, before, after)[0] if come else transition.until_bound(p, q, before, after)
            bodies.append((i, bound, _zones(space, p[0], come=come)))
    circles = np.concatenate([some for _, _, some in bodies])
    of = np.repeat(np.arange(len(bodies)), [len(some) for _, _, some in bodies])
    if not len(circles):
        return None
    depth = np.concatenate([_between(first, (p, end), some) for _, end, some in bodies], axis=1)
    worst = _first_met(depth)
    (x, y, rho), zone = circles[worst].tolist(), bodies[of[worst]][0]
    if depth[-1, worst] >= -TOUCH:
        end, zone = _end_to_pass(transition.others, leg, first), None
        if end is None:
            return None
        x, y, rho = end
    if zone is not None and _lands_within(net, link, q, (x, y, rho)):
        return _bound_from(sampled, k)
    if any(g.way == k and g.circle == (x, y, rho) for g in sampled.constraints):
        return None
    return constrain_to_pass(sampled, k, first, (x, y, rho), zone=zone)


def fix_touching_ends(net: TangentGraph, path: Path, polished: Path) -> Path:
    """Fix ends of a way over that stay, when polished, at the end of a rim where they touch the circle held to last.

    There a way can turn off the circle while its clearance hardly changes.
    """
    held = path.constraints[-1] if path.constraints else None
    if held is None or held.circle is None:
        return path
    i, j = path.over[held.way], polished.over[held.way]
    for k in (0, 1):
        at = _touched_end(net, path.elements[i + k], held)
        if at is not None and path.elements[i + k] == polished.elements[j + k]:
            path = put(path, i + k, Fixed(at))
    return path


def off_touching_ends(net: TangentGraph, path: Path) -> Path | None:
    """Move ends of ways over off the end of a rim where they touch the circle they are held to; None if none does.

    At that end the clearance has no slope to follow; a little aside it has one.
    """
    moved = path
    for k, slide in touching_ends(net, path).items():
        length = net.pieces[slide.piece].length
        aside = min(_OFF, length / 2)
        moved = put(moved, k, replace(slide, u=aside if 2 * slide.u < length else length - aside))
    return None if moved is path else moved


def touching_ends(net: TangentGraph, path: Path) -> dict[int, Slide]:
    """Return the ends of ways over that touch, at the end of a rim, a circle they are held to, by index of element."""
    found = {}
    for held in path.constraints:
        for k in (path.over[held.way], path.over[held.way] + 1):
            slide = path.elements[k]
            if isinstance(slide, Slide) and _touched_end(net, slide, held) is not None:
                found[k] = slide
    return found


def _touched_end(net: TangentGraph, element: Element, held: Constraint) -> Point | None:
    """Return the place of an element that slides, at the end of its piece, and touches a circle; None for others."""
    if held.circle is None or not isinstance(element, Slide) or not at_end(net, element):
        return None
    at = place_of(net, element)
    return at if abs(math.dist(at, held.circle[:2]) - held.circle[2]) <= ROUNDING else None


def _between(one: Chord, other: Chord, circles: Floats) -> Floats:
    """Return distances ``(n, m)`` from the rims of circles ``(m, 3)`` of the chords between two chords, inches."""
    p, q = ((1 - _PART) * a + _PART * b for a, b in zip(one, other, strict=True))
    return apart_from_rims(p, q, circles)


def _first_met(depth: Floats) -> int:
    """Return which circle is cut first as a chord changes, of those that it cuts at last; any one if it cuts none."""
    cut = (depth < -TOUCH) & (depth[-1] < -TOUCH)
    first = int(cut.any(axis=1).argmax())
    return int(np.where(cut[first], depth[first], np.inf).argmin())


def constrain_to_pass(
    path: Path,
    way: int,
    ends: Chord,
    circle: tuple[float, float, float],
    *,
    zone: int | None = None,
    line: bool = False,
    ground: Grown | None = None,
) -> Path:
    """Hold a way over to just clear a circle, on the side on which the chord ``ends`` passes it."""
    side = left_of(ends, np.array([circle[:2]]))[0]
    held = Constraint(way, circle, 1.0 if side > 0 else -1.0, zone=zone, line=line, ground=ground)
    return replace(path, constraints=(*path.constraints, held))


def left_of(way: Chord, at: Floats) -> Floats:
    """Return how far to the left of a chord places ``(n, 2)`` lie, inches; negative to the right."""
    p, along = way[0][0], way[1][0] - way[0][0]
    off = along[0] * (at[:, 1] - p[1]) - along[1] * (at[:, 0] - p[0])
    return np.asarray(off / max(float(np.hypot(*along)), TINY))


def _notch(transition: Transition, way: Chord, sampled: Chord) -> tuple[tuple[float, float, float], Chord] | None:
    """Return the corner that a way passes farthest on the wrong side, as a circle, and a chord on the right side of it.

    A way that leaves its solid between its ends has passed an inward corner of it, as a leap past the corner of its
    gap; a way onto a top that comes over it before it lands has passed a corner or an arc of the top's rim. The chord
    is the sampled way, moved aside if it leads through the corner. None if no corner is on the wrong side.
    """
    if transition.leaves(*way)[0]:
        at, rho = transition.notches, 0.0 if transition.firm is None else TOUCH
        circles, out = np.pad(at, ((0, 0), (0, 1))), np.zeros_like(at)
    elif transition.stands_before(*way)[0]:
        (circles, out), rho = transition.tops, 0.0
    else:
        return None
    off, before = (left_of(chord, circles[:, :2]) for chord in (way, sampled))
    through = np.abs(before) <= TOUCH
    before = np.where(through, left_of(sampled, circles[:, :2] + out) - before, before)
    wrong = np.where(before, circles[:, 2] - np.sign(before) * off, 0.0)
    k = int(wrong.argmax()) if len(wrong) else 0
    if wrong.max(initial=0.0) <= TOUCH:
        return None
    x, y, radius = circles[k].tolist()
    aside = out[k] * through[k]
    return (x, y, radius + rho), (sampled[0] - aside, sampled[1] - aside)


def within_zone(zone: Zone | None, p: Floats) -> bool:
    """Say whether a place ``(1, 2)`` lies within a zone, if there is one."""
    return zone is not None and bool(zone.reaches(p)[0])


def _lands_within(net: TangentGraph, link: Link, q: Floats, zone: tuple[float, float, float]) -> bool:
    """Say whether a way over that is free all along ends in the zone of the charged enemy, which it may enter (CHG.3).

    Only where that zone is the circle ``zone``.
    """
    target = net.transitions[link.transition].there.target
    if target is None or any(link.bound) or (*target.at, target.radius) != zone:
        return False
    return bool(target.holds(q)[0])


def _lands_outside(net: TangentGraph, link: Link, q: Floats) -> bool:
    """Say whether a way over that is to land bound ends outside the zone of the charged enemy."""
    target = net.transitions[link.transition].there.target
    return target is not None and link.bound == (False, True) and not target.reaches(q)[0]


def _free_from(path: Path, way: int) -> Path:
    """Return a path that is free where one of its ways over lands, and bound only from the next element on."""
    at = path.over[way]
    links = list(path.links)
    links[at] = replace(links[at], bound=(False, False))
    if at + 1 < len(links):
        links[at + 1] = replace(links[at + 1], bound=(False, links[at + 1].bound[1]))
    return replace(path, links=tuple(links))


def _bound_from(path: Path, way: int) -> Path:
    """Return a path that is bound to the charged enemy from the landing of one of its ways over."""
    at = path.over[way]
    after = tuple(replace(link, bound=(True, True)) for link in path.links[at + 1 :])
    landing = replace(path.links[at], bound=(False, True))
    return replace(path, links=(*path.links[:at], landing, *after))


def _end_to_pass(body: Grown, way: Chord, sampled: Chord) -> tuple[float, float, float] | None:
    """Return the circle about an end of the side that a way cuts deepest: about the end nearest to the sampled way.

    None if no side is cut.
    """
    if body.empty:
        return None
    depth = segments_spines(*way, body.spines)[0] - body.rho
    cut = int(np.argmin(depth))
    if depth[cut] >= -TOUCH:
        return None
    ends = body.spines[cut].reshape(2, 2)
    x, y = ends[segments_spines(*sampled, np.tile(ends, 2))[0].argmin()].tolist()
    return x, y, float(body.rho[cut])


def _shortened(net: TangentGraph, path: Path, way: int, ends: Chord) -> Path:
    """Hold a way over to its greatest length; a way without any to spare goes straight across (``opposite``).

    A way that is shorter than straight across, as beside a corner, has some to spare.
    """
    i = path.over[way]
    transition = net.transitions[path.links[i].transition]
    over = (float(transition.over(ends[0], to)[0]) for to in (transition.landing(ends[0]), ends[1]))
    held = Constraint(way, None, opposite=all(-TOUCH <= transition.way.longest - some < CLEARED for some in over))
    elements, landing = list(path.elements), path.elements[i + 1]
    if held.opposite and isinstance(landing, Fixed):
        x, y = transition.landing(np.array([landing.at]))[0].tolist()
        elements[i] = Fixed((x, y))
    return replace(path, elements=tuple(elements), constraints=(*path.constraints, held))


def constrain_to_sides(net: TangentGraph, path: Path) -> Path | None:
    """Hold leaps of greatest length that all but pass a corner of their gap to both of its sides; None if none does.

    There the length over the gap is the greater of two smooth functions, one for each side, and has a kink.
    """
    held, ways = list(path.constraints), ways_of(net, path)
    for g in path.constraints:
        transition = net.transitions[path.links[path.over[g.way]].transition]
        sides = _sides_passed(transition, *ways[g.way]) if g.longest and not g.opposite else []
        if len(sides) > 1 and not g.lines:
            held.remove(g)
            held += [replace(g, lines=lines) for lines in sides]
    return replace(path, constraints=tuple(held)) if len(held) > len(path.constraints) else None


def _corner_passed(over: Transition, short: Chord, long: Chord) -> tuple[float, float, float] | None:
    """Return the corner of a gap past which the length of a leap jumps above its limit, as a circle of no radius.

    It is found by bisection between a chord that is short enough and one that is too long; None if there is no jump.
    """
    if over.firm is not None:
        return None
    for _ in range(_HALVED):
        p, q = ((a + b) / 2 for a, b in zip(short, long, strict=True))
        if float(over.over(p, q)[0]) > over.way.longest + TOUCH:
            long = p, q
        else:
            short = p, q
    if float(over.over(*long)[0]) < over.way.longest + MET:
        return None
    corners = over.body.spines.reshape(-1, 2)
    x, y = corners[np.abs(left_of(long, corners)).argmin()].tolist()
    return x, y, 0.0


def _sides_passed(over: Transition, p: Floats, q: Floats) -> list[tuple[tuple[float, ...], ...]]:
    """Return the pairs of sides of its gap, as lines, between which a leap is measured; several beside a corner."""
    if over.source != over.dest or over.firm is not None:
        return []
    spines = over.body.spines[over.body.rho <= over.here.radius]
    ends, t = spines.reshape(-1, 2, 2), where_crossed(p, q, spines)[0]
    off = left_of((p, q), spines.reshape(-1, 2)).reshape(-1, 2)
    met = (off[:, 0] * off[:, 1] <= 0) & (t > 0) & (t < 1)
    if met.sum() < 2:
        return []
    found = []
    for last, at in ((1, np.where(met, t, np.inf).argmin()), (-1, np.where(met, t, -np.inf).argmax())):
        k = int(np.abs(off[at]).argmin())
        beside = np.abs(ends - ends[at, k]).max(axis=2).min(axis=1) <= ROUNDING
        # At an inward corner the length is the lesser of the two, and the other side must not be held as well.
        beside &= (last * (t - t[at]) >= 0) & (np.abs(off[at, k]) < RESTS)
        found.append([tuple(spines[n].tolist()) for n in sorted({int(at), *np.flatnonzero(beside).tolist()})])
    return list(itertools.product(*found))


def ways_of(net: TangentGraph, path: Path) -> list[Chord]:
    """Return the chords of a path's ways over, in order."""
    legs = gather(net, [path]).legs()
    return [(legs.p[:, i], legs.q[:, i]) for i in path.over]


def leads_over(net: TangentGraph, path: Path) -> bool:
    """Say whether the last way over of a path leads over its solid, and does not only touch it."""
    over = net.transitions[path.links[path.over[-1]].transition]
    return (
        over.source != over.dest
        or over.firm is not None
        or not segments_clear(*ways_of(net, path)[-1], over.body, TOUCH)[0]
    )


def fix_at_corners(net: TangentGraph, path: Path) -> Path:
    """Fix both ends of ways over that must go straight across and have an end at a corner or the end of a piece."""
    for i, (p, q) in zip(path.over, ways_of(net, path), strict=True):
        over = net.transitions[path.links[i].transition]
        straight = over.way.across or over.way.longest - float(over.over(p, q)[0]) < CLEARED
        end = path.elements[i + 1]
        if i + 1 == len(path.links) and isinstance(end, Fixed) and math.dist(q[0].tolist(), end.at) > TOUCH:
            continue  # the path must end at its goal, which is not opposite to where this way begins
        if straight and any(isinstance(e, Fixed) or at_end(net, e) for e in path.elements[i : i + 2]):
            for k, at in ((i, p), (i + 1, q)):
                path = put(path, k, Fixed(point(at[0])))
    return path


def apart_from_rims(p: Floats, q: Floats, circles: Floats) -> Floats:
    """Return the distances ``(n, m)`` of chords from the rims of circles ``(m, 3)``, inches; negative if they cut."""
    return points_spines(circles[:, :2], np.hstack([p, q])).T - circles[:, 2]


def _zones(space: Space, p: Floats, *, come: bool) -> Floats:
    """Return the zones that a free mover at a place must keep out of, as circles ``(n, 3)``, inches.

    A mover that has ``come`` to this level has left the zones in which it started.
    """
    left = [(come and not z.reopened and z is not space.target) or not z.holds(p) for z in space.zones]
    rho = [z.radius if out else z.bar for z, out in zip(space.zones, left, strict=True)]
    return np.array([(*z.at, r) for z, r in zip(space.zones, rho, strict=True)]).reshape(-1, 3)


def held_to(path: Path, k: int, circle: tuple[float, float, float]) -> bool:
    """Say whether a way over of a path is held to a circle."""
    known = [g.circle for g in path.constraints if g.way == k and g.circle is not None]
    return any(np.allclose(other, circle, 0, TOUCH) for other in known)
