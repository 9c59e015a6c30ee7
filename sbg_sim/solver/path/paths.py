"""Paths: a path as a sequence of things it touches.

A path's elements are fixed points, rings it wraps round with a turn, and places that slide along a rim. Its cost
is a smooth function of the sliding places.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from sbg_sim.tolerance import ROUNDING, TOUCH

if TYPE_CHECKING:
    from sbg_sim.geometry.grown import Grown
    from sbg_sim.solver.graph.tangent_graph import TangentGraph

_ABOUT: Final = 0.3  # inches: paths of a type that begin farther apart may come to different ends
_DIGITS: Final = 9  # of a place in inches: those that differ by rounding alone are one

PathType: TypeAlias = tuple[object, ...]
"""What a path touches in order, and by which ways over it goes, without where."""
Steps: TypeAlias = list[tuple[int, int, int]]
"""A path as labels tell it: edge or -1, run of a ring or -1, node; from the start on."""


@dataclass(frozen=True)
class Fixed:
    """A place that does not slide."""

    at: tuple[float, float]


@dataclass(frozen=True)
class Wrap:
    """A ring wrapped round with a turn."""

    ring: int
    turn: int


@dataclass(frozen=True)
class Slide:
    """A place on a rim piece at parameter ``u``."""

    piece: int
    u: float


@dataclass(frozen=True)
class OnCircle:
    """Contact with a circle ``(x, y, radius)``: the nearest place on it."""

    circle: tuple[float, float, float]


@dataclass(frozen=True)
class SamePlace:
    """The place of the element before: a way over begins where another one ended."""


Element = Fixed | Wrap | Slide | OnCircle | SamePlace


@dataclass(frozen=True)
class Link:
    """How one element leads to the next: straight on a space at a weight, or through a transition."""

    space: int
    weight: float = 1.0
    transition: int = -1
    bound: tuple[bool, bool] = (False, False)


@dataclass(frozen=True)
class Constraint:
    """A way over that must just clear a circle, or that is just as long as it may be.

    Parameters
    ----------
    way
        Which way over of the path, counted from 0.
    circle
        ``(x, y, radius)``, inches; None when its length binds, or a cost.
    side
        +1 when the circle lies to the left of the way, -1 to the right.
    zone
        Index of the space whose zone it is, which binds only until the way enters the zone of whom it charges there.
    opposite
        Whether the way is so nearly too long that it can only end just opposite to where it starts.
    line
        Whether the circle binds beyond the ends of the way too: it stands at the corner of a gap that is led over.
    ground
        By what difficult ground the way is weighed where it may not come into more of it; None for all of it.
    begun, alone
        What the path may cost before the way, its last, begins, and what the way itself may, inches; one at most.
    lines
        Between which two lines ``(ax, ay, bx, by)``, sides of a gap, its length is told; none where all of it counts.

    """

    way: int
    circle: tuple[float, float, float] | None
    side: float = 1.0
    zone: int | None = None
    opposite: bool = False
    line: bool = False
    ground: Grown | None = field(default=None, compare=False)
    begun: float | None = None
    alone: float | None = None
    lines: tuple[tuple[float, ...], ...] = ()

    @property
    def longest(self) -> bool:
        """Whether it is the length of the way that binds."""
        return self.circle is None and self.begun is None and self.alone is None


@dataclass(frozen=True)
class Path:
    """Elements, the links between them (one fewer), and what its ways over must just clear."""

    elements: tuple[Element, ...]
    links: tuple[Link, ...]
    constraints: tuple[Constraint, ...] = ()

    @cached_property
    def slides(self) -> tuple[int, ...]:
        """Indices of the sliding elements."""
        return tuple(i for i, e in enumerate(self.elements) if isinstance(e, Slide))

    def then(self, link: Link, element: Element) -> Path:
        """Return the path gone on by a link to one more element."""
        return replace(self, elements=(*self.elements, element), links=(*self.links, link))

    @cached_property
    def over(self) -> tuple[int, ...]:
        """Indices of the links that are ways over."""
        return tuple(i for i, link in enumerate(self.links) if link.transition >= 0)


def type_of(path: Path) -> PathType:
    """Return what a path touches in order, without where: paths of one type differ only in where they slide."""
    return tuple(map(_touched, path.elements)) + tuple(link.transition for link in path.links)


def form_of(path: Path) -> PathType:
    """Return the type of a path with its links: on which spaces they lead, what they weigh, where they are bound."""
    return (*type_of(path), *((link.space, link.weight, link.bound) for link in path.links))


def _touched(e: Element) -> tuple[object, ...]:
    if isinstance(e, Fixed):
        return (round(e.at[0], _DIGITS), round(e.at[1], _DIGITS))
    if isinstance(e, Wrap):
        return ("wrap", e.ring, e.turn)
    return ("slide", e.piece) if isinstance(e, Slide) else (type(e).__name__,)


def whereabouts(path: Path) -> tuple[int, ...]:
    """Return about where a path slides if it takes ways over: on arcs a type has shortest paths at several places."""
    if not path.over:
        return ()
    return tuple(int(e.u // _ABOUT) for e in path.elements if isinstance(e, Slide))


def place_of(net: TangentGraph, slide: Slide) -> tuple[float, float]:
    """Return where a place on a rim is, inches."""
    x, y = net.pieces[slide.piece].at(np.array(slide.u)).tolist()
    return x, y


def on_own_ring(net: TangentGraph, slide: Element, other: Element) -> bool:
    """Say whether an element slides on the rim of which another is the ring."""
    if not (isinstance(slide, Slide) and isinstance(other, Wrap)):
        return False
    piece, ring = net.pieces[slide.piece], net.rings[other.ring]
    return piece.radius == ring.rho and piece.start == ring.center


def put(path: Path, i: int, element: Element) -> Path:
    """Return a path with another element in one place."""
    return replace(path, elements=(*path.elements[:i], element, *path.elements[i + 1 :]))


def at_end(net: TangentGraph, element: Element) -> bool:
    """Say whether an element slides and stands at an end of its piece of a rim."""
    if not isinstance(element, Slide):
        return False
    return not ROUNDING < element.u < net.pieces[element.piece].length - ROUNDING


def fixed(net: TangentGraph, path: Path, i: int) -> Path:
    """Return a path with one element fixed where it is if it slides."""
    element = path.elements[i]
    return put(path, i, Fixed(place_of(net, element))) if isinstance(element, Slide) else path


def fix_at_ends(net: TangentGraph, path: Path) -> Path:
    """Fix places that have come to the end of a piece of a rim."""
    for i in path.slides:
        path = fixed(net, path, i) if at_end(net, path.elements[i]) else path
    return path


def fix_where_closed(net: TangentGraph, path: Path) -> Path:
    """Fix places at which a ring beside them is closed: where a zone begins a path goes from one circle to another.

    A path with ways over stays as it is: it has places of its own to begin and land.
    """
    for i in path.slides if not path.over else ():
        still = fixed(net, path, i)
        at, around = still.elements[i], (net.rings[e.ring] for e in path.elements[i - 1 : i + 2] if isinstance(e, Wrap))
        path = still if isinstance(at, Fixed) and any(ring.closes_at(at.at) for ring in around) else path
    return path


def bound_where_sliding(net: TangentGraph, path: Path) -> Path:
    """Return a path with its states where it slides as they are there: in the zone of whom it charges it is bound."""
    links = list(path.links)
    for i in path.slides if links[-1].bound[1] else ():
        element, before, after = path.elements[i], links[max(i - 1, 0)], links[min(i, len(links) - 1)]
        over = after.transition >= 0
        target = net.spaces[before.space if over else links[-1].space].target
        if before is after or before.transition >= 0 or before.bound[0] or not after.bound[1] or target is None:
            continue
        assert isinstance(element, Slide)
        within = target.radius - math.dist(place_of(net, element), target.at)
        if over and abs(within) <= TOUCH:
            continue  # on its edge a way over may begin free, and bind only as it goes on
        bound = within >= -TOUCH
        links[i - 1], links[i] = replace(before, bound=(False, bound)), replace(after, bound=(bound, True))
    return replace(path, links=tuple(links))


def without(path: Path, i: int) -> Path:
    """Leave one element out of a path, its two links becoming one."""
    i = max(i, 1)
    elements = path.elements[:i] + path.elements[i + 1 :]
    before, after = path.links[i - 1], path.links[i]
    joined = replace(after, bound=(before.bound[0], after.bound[1]))
    return replace(path, elements=elements, links=(*path.links[: i - 1], joined, *path.links[i + 1 :]))
