"""Paths: a path as the sequence of things it touches.

Its elements are fixed points, rings that it wraps round with a turn, and places that slide along a rim. Its cost is a
smooth function of the positions of the sliding places. Paths that touch the same things in the same order are of one
type; a type has, on straight rims, one shortest path.
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

_ABOUT: Final = 0.3  # inches: paths of one type that slide farther apart than this may have different shortest paths
_DIGITS: Final = 9  # decimals of a place in inches: places that differ by rounding alone count as one

PathType: TypeAlias = tuple[object, ...]
"""What a path touches, in order, and the ways over it takes, without positions."""
Steps: TypeAlias = list[tuple[int, int, int]]
"""A path as the labels of a search tell it, from the start: edge or -1, run of a ring or -1, node."""


@dataclass(frozen=True)
class Fixed:
    """A place that does not slide."""

    at: tuple[float, float]


@dataclass(frozen=True)
class Wrap:
    """A ring that the path wraps round: ``turn`` is 1 counter-clockwise, -1 clockwise."""

    ring: int
    turn: int


@dataclass(frozen=True)
class Slide:
    """A place on a piece of a rim, ``u`` inches along it."""

    piece: int
    u: float


@dataclass(frozen=True)
class OnCircle:
    """Contact with a circle ``(x, y, radius)``: the nearest place on it."""

    circle: tuple[float, float, float]


@dataclass(frozen=True)
class SamePlace:
    """The same place as the element before: a way over begins where another one landed."""


Element = Fixed | Wrap | Slide | OnCircle | SamePlace


@dataclass(frozen=True)
class Link:
    """How one element leads to the next: straight on a space, at a weight, or over a transition.

    ``bound`` tells whether the mover is within the zone of the charged enemy at either end.
    """

    space: int
    weight: float = 1.0
    transition: int = -1
    bound: tuple[bool, bool] = (False, False)


@dataclass(frozen=True)
class Constraint:
    """A way over of a path that must touch a circle without cutting it, or must be no longer or dearer than a limit.

    Parameters
    ----------
    way
        Which way over of the path, counted from 0.
    circle
        ``(x, y, radius)``, inches; None where the limit is one of length or cost.
    side
        +1 when the circle lies to the left of the way over, -1 to the right.
    zone
        Index of the space whose zone the circle is; it binds only until the way enters the charged enemy's zone there.
    opposite
        Whether the limit of length leaves no choice: the way must end exactly opposite to where it starts.
    line
        Whether the circle binds beyond the ends of the way too: it stands at the corner of the gap that is crossed.
    ground
        The difficult ground by which the way is weighed, where it must keep out of the rest; None for all of it.
    begun, alone
        Limit of the cost before the way, the last of the path, begins; limit of its own cost; inches, one at most.
    lines
        The two lines ``(ax, ay, bx, by)``, sides of a gap, between which its length counts; empty where all counts.

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
        """Whether the limit is one of length."""
        return self.circle is None and self.begun is None and self.alone is None


@dataclass(frozen=True)
class Path:
    """Elements, the links between them (one fewer), and the constraints of its ways over."""

    elements: tuple[Element, ...]
    links: tuple[Link, ...]
    constraints: tuple[Constraint, ...] = ()

    @cached_property
    def slides(self) -> tuple[int, ...]:
        """Indices of the sliding elements."""
        return tuple(i for i, e in enumerate(self.elements) if isinstance(e, Slide))

    def then(self, link: Link, element: Element) -> Path:
        """Return the path with one more link and element at its end."""
        return replace(self, elements=(*self.elements, element), links=(*self.links, link))

    @cached_property
    def over(self) -> tuple[int, ...]:
        """Indices of the links that are ways over."""
        return tuple(i for i, link in enumerate(self.links) if link.transition >= 0)


def type_of(path: Path) -> PathType:
    """Return the type of a path: paths of one type differ only in where their places slide."""
    return tuple(map(_touched, path.elements)) + tuple(link.transition for link in path.links)


def form_of(path: Path) -> PathType:
    """Return the type of a path together with the spaces, weights and states of its links."""
    return (*type_of(path), *((link.space, link.weight, link.bound) for link in path.links))


def _touched(e: Element) -> tuple[object, ...]:
    if isinstance(e, Fixed):
        return (round(e.at[0], _DIGITS), round(e.at[1], _DIGITS))
    if isinstance(e, Wrap):
        return ("wrap", e.ring, e.turn)
    return ("slide", e.piece) if isinstance(e, Slide) else (type(e).__name__,)


def whereabouts(path: Path) -> tuple[int, ...]:
    """Return roughly where a path with ways over slides: on arcs one type may have several locally shortest paths."""
    if not path.over:
        return ()
    return tuple(int(e.u // _ABOUT) for e in path.elements if isinstance(e, Slide))


def place_of(net: TangentGraph, slide: Slide) -> tuple[float, float]:
    """Return where a place on a rim is, inches."""
    x, y = net.pieces[slide.piece].at(np.array(slide.u)).tolist()
    return x, y


def on_own_ring(net: TangentGraph, slide: Element, other: Element) -> bool:
    """Say whether an element slides on an arc that belongs to the ring that another element wraps round."""
    if not (isinstance(slide, Slide) and isinstance(other, Wrap)):
        return False
    piece, ring = net.pieces[slide.piece], net.rings[other.ring]
    return piece.radius == ring.rho and piece.start == ring.center


def put(path: Path, i: int, element: Element) -> Path:
    """Return a path with its element ``i`` replaced."""
    return replace(path, elements=(*path.elements[:i], element, *path.elements[i + 1 :]))


def at_end(net: TangentGraph, element: Element) -> bool:
    """Say whether an element is a sliding place at an end of its piece of a rim."""
    if not isinstance(element, Slide):
        return False
    return not ROUNDING < element.u < net.pieces[element.piece].length - ROUNDING


def fixed(net: TangentGraph, path: Path, i: int) -> Path:
    """Return a path with its element ``i`` fixed where it stands, if it slides."""
    element = path.elements[i]
    return put(path, i, Fixed(place_of(net, element))) if isinstance(element, Slide) else path


def fix_at_ends(net: TangentGraph, path: Path) -> Path:
    """Fix the sliding places that stand at an end of their piece of a rim."""
    for i in path.slides:
        path = fixed(net, path, i) if at_end(net, path.elements[i]) else path
    return path


def fix_where_closed(net: TangentGraph, path: Path) -> Path:
    """Fix sliding places where a ring beside them is closed: where a zone begins, a path changes from ring to ring.

    A path with ways over is left as it is.
    """
    for i in path.slides if not path.over else ():
        still = fixed(net, path, i)
        at, around = still.elements[i], (net.rings[e.ring] for e in path.elements[i - 1 : i + 2] if isinstance(e, Wrap))
        path = still if isinstance(at, Fixed) and any(ring.closes_at(at.at) for ring in around) else path
    return path


def bound_where_sliding(net: TangentGraph, path: Path) -> Path:
    """Set the states of a path at its sliding places: bound inside the zone of the charged enemy, free outside."""
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
            continue  # a way over may begin free on the edge of the zone and be bound only farther on
        bound = within >= -TOUCH
        links[i - 1], links[i] = replace(before, bound=(False, bound)), replace(after, bound=(bound, True))
    return replace(path, links=tuple(links))


def without(path: Path, i: int) -> Path:
    """Leave element ``i`` out of a path; its two links become one."""
    i = max(i, 1)
    elements = path.elements[:i] + path.elements[i + 1 :]
    before, after = path.links[i - 1], path.links[i]
    joined = replace(after, bound=(before.bound[0], after.bound[1]))
    return replace(path, elements=elements, links=(*path.links[: i - 1], joined, *path.links[i + 1 :]))
