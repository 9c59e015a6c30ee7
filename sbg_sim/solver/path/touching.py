"""Ways over beside difficult ground: the lines are tried that touch the circles and corners that a way passes.

The length of a chord of a circle grows as the root of its depth, and has a kink where two rims meet at an inward
corner. So the cost of a way over may have several minima close together, most of them on lines that touch something,
and Newton's method finds only one of them. Here all lines near by that touch two circles are tried, and lines that turn
about one circle. A corner is a circle of no radius.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from sbg_sim.arrays import point, unit
from sbg_sim.geometry.breaks import circles_breaks
from sbg_sim.geometry.rims import Rims
from sbg_sim.geometry.tangents import bitangents
from sbg_sim.solver.graph.between_samples import beside_way
from sbg_sim.solver.graph.tangent_graph import SPACING
from sbg_sim.solver.path.cheapest import option_of
from sbg_sim.solver.path.constraints import apart_from_rims, left_of, ways_of
from sbg_sim.solver.path.gathering import gather
from sbg_sim.solver.path.grazing import inward_corner
from sbg_sim.solver.path.neighbours import nearest_on
from sbg_sim.solver.path.normal_form import normal
from sbg_sim.solver.path.paths import Fixed, Path, Slide, Wrap, place_of, put, without
from sbg_sim.solver.path.polish import polish
from sbg_sim.tolerance import BESIDE, CLEARED, DOUBLED_ROUNDING, HAIR, TINY, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.geometry.grown import Grown
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.path.constraints import Chord
    from sbg_sim.solver.path.mending import Mender
    from sbg_sim.solver.path.options import Option
    from sbg_sim.solver.space.transitions import Transition

_ROUNDS: Final = 4  # rounds, each from the best option of the round before
_TURNED: Final = 33  # lines about one circle that are compared at once
_NEXT: Final = 12.0  # factor by which the angles between them shrink in each step
_TRIED: Final = 8  # lines that touch two circles whose paths are polished, cheapest first
_ABOUT: Final = 3  # circles about which lines are turned in ever smaller steps, cheapest first
_HOPE: Final = 0.02  # inches that a path may still gain when the rest of it is polished or the line turned further
_FAR: Final = 1e3  # inches: longer than any way over


@dataclass(frozen=True)
class _Way:
    """A way over of a path.

    Parameters
    ----------
    net, path
        The tangent graph and the path.
    at
        The index of its link in the path.
    ends
        Its chord: where it begins and lands.

    """

    net: TangentGraph
    path: Path
    at: int
    ends: Chord

    @property
    def transition(self) -> Transition:
        """The transition that it takes."""
        return self.net.transitions[self.path.links[self.at].transition]

    @property
    def slides(self) -> list[bool]:
        """Whether its begin slides, and whether its landing does; an end shared with another way over does not."""
        links, found = self.path.links, [isinstance(e, Slide) for e in self.path.elements[self.at : self.at + 2]]
        beside = (links[self.at - 1 : self.at], links[self.at + 1 : self.at + 2])
        return [
            slides and all(link.transition < 0 for link in some) for slides, some in zip(found, beside, strict=True)
        ]

    @property
    def angle(self) -> float:
        """Its direction, radians."""
        x, y = (self.ends[1] - self.ends[0])[0].tolist()
        return math.atan2(y, x)

    @cached_property
    def _rims(self) -> tuple[Rims, Rims]:
        over, net = self.path.links[self.at].transition, self.net
        near, far = (Rims([net.pieces[n] for n in net.rim_of(over, near=near).tolist()]) for near in (True, False))
        return near, far

    def along(self, lines: _Lines) -> list[Path | None]:
        """Return the path with this way along each line instead; None if the line meets the rims far off or is barred.

        The ends of the way are fixed where the line meets the rims.
        """
        e = unit(lines.angle)
        at = lines.circles[:, :2] - (lines.side * lines.circles[:, 2])[:, None] * np.column_stack([-e[:, 1], e[:, 0]])
        at = at + (((self.ends[0] + self.ends[1]) / 2 - at) * e).sum(axis=1)[:, None] * e
        found = [np.repeat(end, len(e), axis=0) for end in self.ends]
        for k, turn in enumerate((math.pi, 0.0)):
            if self.slides[k]:
                away, _ = self._rims[k].first_hit(at, lines.angle + turn, np.full(len(e), _FAR), -TOUCH)
                with np.errstate(invalid="ignore"):
                    found[k] = at + away[:, None] * unit(lines.angle + turn)
        near = [np.hypot(*(some - end).T) <= 2 * SPACING for some, end in zip(found, self.ends, strict=True)]
        good = near[0] & near[1]
        good[good] = self._fits(*(some[good] for some in found))
        others = tuple(g for g in self.path.constraints if self.path.over[g.way] != self.at)
        free = replace(self.path, constraints=others)
        return [
            put(put(free, self.at, Fixed(point(p))), self.at + 1, Fixed(point(q))) if fits else None
            for p, q, fits in zip(*found, good, strict=True)
        ]

    def _fits(self, p: Floats, q: Floats) -> Bools:
        """Say which chords clear the circles that the way clears, and are not too long, up to rounding ``(n,)``.

        The tolerance is narrow: the cost changes so fast near a circle of difficult ground that cutting something else
        by a hair would make a chord cheaper.
        """
        fits = (apart_from_rims(p, q, self._cleared) >= -CLEARED).all(axis=1)
        longest = self.transition.way.longest
        return np.asarray(fits & (self.transition.over(p, q) <= longest + CLEARED) if math.isfinite(longest) else fits)

    @cached_property
    def _cleared(self) -> Floats:
        """The circles ``(n, 3)`` of solids and zones near by that the way clears."""
        solid = self._near(beside_way(self.transition))
        return np.asarray(solid[apart_from_rims(*self.ends, solid)[0] >= -TOUCH])

    def likely(self, lines: _Lines, most: float) -> list[tuple[float, int, Path]]:
        """Return the allowed paths along lines that cost at most ``most`` inches: cost, number of the line and path.

        The cheapest comes first. The rest of each path stays where it was.
        """
        rows = [(k, path) for k, path in enumerate(self.along(lines)) if path is not None]
        if not rows:
            return []
        batch = gather(self.net, [path for _, path in rows])
        cost = batch.cost()
        cheap = np.flatnonzero(cost <= most)
        if len(cheap):
            cost[cheap] = batch.rows(cheap).allowed(cost[cheap])
        order = np.argsort(cost, kind="stable")[: np.count_nonzero(cost <= most)]
        return [(float(cost[n]), *rows[n]) for n in order.tolist()]

    def passed(self, *, proven: bool) -> Floats:
        """Return the circles ``(n, 3)`` that it passes near by, inches; none if none is of difficult ground.

        Inward corners of difficult ground are circles of no radius. If the path is not ``proven`` to be the best of its
        type, the circles that it is held to are included, and returned even without difficult ground.
        """
        over = self.transition
        held = [g.circle for g in self.path.constraints if self.path.over[g.way] == self.at and g.circle is not None]
        some = [self._near(over.difficult.ends[0]), self._inward_corners(over.difficult)]
        some += [] if proven else [np.array(held).reshape(-1, 3)]
        circles = np.concatenate(some)
        if not len(circles):
            return circles
        return np.unique(np.concatenate([circles, self._cleared]), axis=0)

    def sides(self, circles: Floats) -> Ints:
        """Return on which side of it the centres of circles lie ``(n,)``: +1 to the left, -1 to the right."""
        return np.where(left_of(self.ends, circles[:, :2]) > 0, 1, -1)

    def _near(self, circles: Floats) -> Floats:
        """Return those of the given circles whose rims it passes within the spacing of samples."""
        p, along = self.ends[0][0], (self.ends[1] - self.ends[0])[0]
        foot = (circles[:, :2] - p) @ along / max(float(np.hypot(*along)), TINY)
        off = np.abs(np.abs(left_of(self.ends, circles[:, :2])) - circles[:, 2])
        near = (off < SPACING) & (foot > -SPACING) & (foot < float(np.hypot(*along)) + SPACING)
        return np.asarray(circles[near])

    def _inward_corners(self, ground: Grown) -> Floats:
        """Return the inward corners of difficult ground near it, as circles of no radius ``(n, 3)``."""
        low, high = (of(np.concatenate(self.ends), axis=0) for of in (np.min, np.max))
        boxes = ground.boxes
        some = np.flatnonzero((boxes[:, :2] < high + SPACING).all(axis=1) & (boxes[:, 2:] > low - SPACING).all(axis=1))
        if len(some) < 2:
            return np.zeros((0, 3))
        part = replace(ground, spines=ground.spines[some], rho=ground.rho[some], rings=(), groups=(), edge=None)
        part = replace(part, owner=ground.owner[some]) if len(ground.owner) else part
        discs, long = part.ends[0], part.spines[part.long]
        row, angle = circles_breaks(discs[:, :2], discs[:, 2], part)
        at = [discs[row, :2] + discs[row, 2:] * unit(angle)]
        along = long[:, 2:] - long[:, :2]
        out = part.rho[part.long, None] * np.column_stack([-along[:, 1], along[:, 0]]) / np.hypot(*along.T)[:, None]
        for aside in (out, -out):
            begin, end = long[:, :2] + aside, long[:, 2:] + aside
            row, share = part.breaks(begin, end)
            at.append(begin[row] + share[:, None] * (end - begin)[row])
        places = self._near(np.pad(np.concatenate(at), ((0, 0), (0, 1))))[:, :2]
        places = np.unique(places.round(9), axis=0)
        corners = [inward_corner(place, part) for place in places[ground.clears(places, BESIDE)]]
        found = np.array([corner[0] for corner in corners if corner is not None]).reshape(-1, 3)
        return found[np.unique(found.round(7), axis=0, return_index=True)[1]]


class _Lines(NamedTuple):
    """Lines that just touch circles.

    Parameters
    ----------
    circles
        The circle that each line touches ``(n, 3)``, inches.
    side
        +1 where the circle lies to the left of its line, -1 to the right ``(n,)``.
    angle
        The directions of the lines, radians ``(n,)``.

    """

    circles: Floats
    side: Ints
    angle: Floats

    def one(self, k: int) -> _Lines:
        """Return line ``k`` alone."""
        return _Lines(self.circles[k : k + 1], self.side[k : k + 1], self.angle[k : k + 1])

    def turned(self, width: float) -> _Lines:
        """Return lines that touch the circle of a single one, turned by up to ``width`` radians from it either way."""
        circles, side = np.repeat(self.circles, _TURNED, axis=0), np.repeat(self.side, _TURNED)
        return _Lines(circles, side, self.angle + width * np.linspace(-1.0, 1.0, _TURNED))


def along_what_it_touches(mender: Mender, winner: Option) -> Option:
    """Return the cheapest option found with ways over along lines that touch what those of ``winner`` pass near by.

    Fixed places of its walk are left out as well where that is cheaper. Without a cheaper option it is ``winner``.
    """
    for _ in range(_ROUNDS):
        if winner.path is None or not winner.path.over:
            break
        path = _let_slide(mender.net, winner.path)
        ways = [_Way(mender.net, path, i, ends) for i, ends in zip(path.over, ways_of(mender.net, path), strict=True)]
        ways = [w for w in ways if w.transition.way.horizontal and not w.transition.way.across and any(w.slides)]
        every = [(way, way.passed(proven=winner.slack <= TOUCH)) for way in ways]
        passed = [(way, circles) for way, circles in every if len(circles)]
        found = _straightened(mender, winner, path) or _touching_two(mender, winner, passed)
        found = found or _touching_one(mender, winner, passed)
        if found is None:
            break
        winner = found
    return winner


def _let_slide(net: TangentGraph, path: Path) -> Path:
    """Return a path whose ways over slide where they are fixed on their rims, except at both ends of the path."""
    for i in path.over:
        for k in (i, i + 1):
            element, rim = path.elements[k], net.rim_of(path.links[i].transition, near=k == i)
            if isinstance(element, Fixed) and 0 < k < len(path.links) and len(rim):  # straight across, no far rim
                slide = nearest_on(net, rim, np.array(element.at))
                path = put(path, k, slide) if math.dist(place_of(net, slide), element.at) <= TOUCH else path
    return path


def _straightened(mender: Mender, winner: Option, path: Path) -> Option | None:
    """Leave out of a path with ways over a run of bends of its walk that includes a fixed place.

    The place was fixed at a corner of rims while the ways over stood elsewhere. None if no such path is cheaper.
    """
    bends = [i > 0 and path.links[i - 1].transition < 0 > link.transition for i, link in enumerate(path.links)]
    tries = []
    for first, element in enumerate(path.elements):
        for last in range(first + 1, len(path.links) + 1):
            if not bends[last - 1] or not isinstance(element, Fixed | Wrap):
                break
            some = path.elements[first:last]
            if any(isinstance(e, Fixed) for e in some):
                tries.append(reduce(without, range(last - 1, first - 1, -1), path))
    return _best(mender, winner, normal(mender.net, tries))


def _touching_two(mender: Mender, winner: Option, passed: Sequence[tuple[_Way, Floats]]) -> Option | None:
    """Return a cheaper option with a way over along a line that touches two circles; None if there is none."""
    most = winner.cost + _HOPE
    some = [row for way, circles in passed for row in way.likely(_touch_two(way, circles), most)]
    tries = sorted(some, key=lambda row: row[0])[:_TRIED]
    return _best(mender, winner, [path for *_, path in tries])


def _touch_two(way: _Way, circles: Floats) -> _Lines:
    """Return the lines that touch two of the circles, each on the side on which the way passes it.

    If an end of the way does not slide, the lines lead through that end and touch one circle.
    """
    if all(way.slides):
        one, two = (circles[k] for k in np.triu_indices(len(circles), 1))
    else:
        end = way.ends[way.slides.index(False)][0]
        one, two = np.repeat([[*end, 0.0]], len(circles), axis=0), circles
    turn = [way.sides(some) for some in (one, two)]
    # A line may touch the two in either order.
    one, two = np.concatenate([one, two]), np.concatenate([two, one])
    first, last = np.concatenate(turn), np.concatenate(turn[::-1])
    touch = bitangents(one[:, :2], one[:, 2], first, two[:, :2], two[:, 2], last, 0.0)[0]
    angle = touch + first * math.pi / 2
    k = np.flatnonzero(np.cos(angle - way.angle) > 0)  # NaN where one circle lies within the other: no tangent
    return _Lines(one[k], first[k], angle[k])


def _touching_one(mender: Mender, winner: Option, passed: Sequence[tuple[_Way, Floats]]) -> Option | None:
    """Return a cheaper option with a way over along a line that touches one circle; None if there is none."""
    begun: list[tuple[float, _Way, _Lines, float]] = []
    for way, circles in passed:
        if not all(way.slides):
            continue
        side = way.sides(circles)
        width = 2 * SPACING / max(math.dist(way.ends[0][0], way.ends[1][0]), SPACING)
        now = _Lines(circles, side, np.full(len(circles), way.angle))
        for n in range(len(circles)):
            lines = now.one(n).turned(width)
            for cost, k, _ in way.likely(lines, winner.cost + _HOPE)[:1]:
                begun.append((cost, way, lines.one(k), width / _NEXT))
    found = [
        _turned_closer(mender, winner, way, line, width)
        for _, way, line, width in sorted(begun, key=lambda row: row[0])[:_ABOUT]
    ]
    return min(filter(None, found), key=lambda option: option.cost, default=None)


def _turned_closer(mender: Mender, winner: Option, way: _Way, line: _Lines, width: float) -> Option | None:
    """Turn a line about its circle to where a way over along it is cheapest; None if that is not cheaper."""
    best = None
    while width > HAIR * HAIR:
        lines = line.turned(width)
        rows = [(k, path) for k, path in enumerate(way.along(lines)) if path is not None]
        polished = polish(mender.net, [path for _, path in rows])
        allowed = mender.first_allowed(polished)
        if allowed is None:
            break
        n, route = allowed
        beside = np.array([one.cost for one in polished[max(n - 1, 0) : n + 2]])
        # If the cost is convex it falls between two lines by no more than it rises to the next one.
        least = route.cost - float((beside - route.cost).max(initial=0.0))
        option = option_of(mender, (route, polished[n].path), way.path, None)
        if option is not None and option.cost < winner.cost - DOUBLED_ROUNDING:
            more = option.cost - min(option.cost, float(beside.min()))
            best = replace(option, slack=option.slack + more)
        elif least >= winner.cost - DOUBLED_ROUNDING:
            break
        line, width = lines.one(rows[n][0]), width / _NEXT
    return best


def _best(mender: Mender, winner: Option, paths: Sequence[Path]) -> Option | None:
    """Polish paths; return the cheapest option that is allowed, if it is cheaper than ``winner``."""
    polished = polish(mender.net, paths)
    allowed = mender.first_allowed(polished, winner.cost - DOUBLED_ROUNDING)
    if allowed is None:
        return None
    n, route = allowed
    option = option_of(mender, (route, polished[n].path), polished[n].path, None)
    return option if option is not None and option.cost < winner.cost - DOUBLED_ROUNDING else None
