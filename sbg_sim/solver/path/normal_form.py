"""The normal form of a path: every link has one weight, and a sliding place stands just where a link crosses a rim.

Ways over stay as they are. The geometry of all paths is computed in arrays.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from sbg_sim.geometry.grown import segments_clear
from sbg_sim.solver.path.gathering import gather
from sbg_sim.solver.path.paths import Element, Fixed, Link, Path, Slide, Wrap, on_own_ring, without
from sbg_sim.solver.space.configuration_space import all_even
from sbg_sim.tolerance import ABOUT, ROUNDING, SHARE, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sbg_sim.arrays import Floats, Ints
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.space.configuration_space import Space

_ROWS: Final = 4000  # crossings whose places on rims are computed at once
_ROUNDS: Final = 3  # rounds of leaving out idle elements and splitting links anew
_BETWEEN: Final = 1.5  # a weight below this is that of open ground
_Gap: TypeAlias = "tuple[int, int, tuple[Link, ...]]"
"""Elements to leave out of a path: the first, the one after the last, and the link that replaces theirs, if any."""


def normal(net: TangentGraph, paths: Sequence[Path]) -> list[Path]:
    """Return the normal forms of paths, in their order."""
    found = [_without_stops(net, path) for path in paths]
    if all_even(net.spaces):
        return found
    forms = {path: path for path in found}  # equal paths are done once
    todo = list(forms)
    for _ in range(_ROUNDS):
        if not todo:
            break
        whole = _split(net, _tidied(net, [forms[path] for path in todo]))
        slim = _slim(net, whole)
        forms.update(zip(todo, slim, strict=True))
        todo = [path for path, one, two in zip(todo, whole, slim, strict=True) if len(two.elements) < len(one.elements)]
    if todo:
        forms.update(zip(todo, _split(net, [forms[path] for path in todo]), strict=True))
    return [forms[path] for path in found]


def without_idle(net: TangentGraph, paths: Sequence[Path]) -> list[Path]:
    """Leave out of paths with ways over the elements beside a link of no length that do not change the cost.

    So paths of several types that are one path, sampled differently, become one type. Ways over stay with both their
    ends, and so do places from which a path is bound. The paths must be as sampled, without constraints.
    """
    out, todo = list(paths), [n for n, path in enumerate(paths) if path.over]
    while todo:
        batch = gather(net, [out[n] for n in todo])
        legs = batch.legs()
        none, before = (legs.length <= ROUNDING).tolist(), dict(zip(todo, batch.cost(legs).tolist(), strict=True))
        trials = [
            (n, _left_out(out[n], *gap))
            for n, short in zip(todo, none, strict=True)
            for gap in _gaps(net, out[n], short)
        ]
        after = gather(net, [path for _, path in trials]).cost().tolist() if trials else []
        idle: dict[int, Path] = {}
        for (n, path), cost in zip(trials, after, strict=True):
            if abs(before[n] - cost) <= ROUNDING:
                idle.setdefault(n, path)
        for n, path in idle.items():
            out[n] = path
        todo = list(idle)
    return out


def weighed_ahead(net: TangentGraph, paths: Sequence[Path]) -> list[Path]:
    """Give a link of no length the weight of the ground that it crosses once its sliding end moves.

    A link keeps its weight where that ground differs to either side, and where both of its ends slide or none.
    """
    some = [n for n, path in enumerate(paths) if path.slides]
    out = list(paths)
    if not some or all_even(net.spaces):
        return out
    batch = gather(net, [paths[n] for n in some])
    one_slides = batch.slides[:, 1:] != batch.slides[:, :-1]
    row, col = np.nonzero(one_slides & (batch.weight > 0) & (batch.legs().length <= ROUNDING))
    space, sides = batch.space[row, col], np.full((2, len(row)), np.nan)
    for side, aside in zip(sides, (-ABOUT, ABOUT) if len(row) else (), strict=False):
        legs = replace(batch, u=np.clip(batch.u + aside, 0.0, batch.top)).legs()
        long = np.flatnonzero(legs.length[row, col] > TOUCH)  # not past the end of its piece
        mid = (legs.p[row, col] + legs.q[row, col]) / 2
        side[long] = _weight(net, space[long], mid[long])
    weight = np.where(np.isnan(sides[0]), sides[1], sides[0])
    unlike = (sides[0] != sides[1]) & ~np.isnan(sides).any(axis=0)
    for k in np.flatnonzero(~unlike & ~np.isnan(weight) & (weight != batch.weight[row, col])).tolist():
        n, i = some[int(row[k])], int(col[k])
        links = list(out[n].links)
        links[i] = replace(links[i], weight=float(weight[k]))
        out[n] = replace(out[n], links=tuple(links))
    return out


def weighed(net: TangentGraph, paths: Sequence[Path]) -> list[Path]:
    """Give straight links the weights of the ground at their middles, leaving all elements as they are."""
    if not paths:
        return []
    batch = gather(net, paths)
    legs, weight = batch.legs(), batch.weight.copy()
    row, col = np.nonzero((weight > 0) & (legs.length > TOUCH))
    weight[row, col] = _weight(net, batch.space[row, col], (legs.p[row, col] + legs.q[row, col]) / 2)
    return [
        replace(path, links=tuple(replace(link, weight=w) for link, w in zip(path.links, some, strict=False)))
        for path, some in zip(paths, weight.tolist(), strict=True)
    ]


def _gaps(net: TangentGraph, path: Path, none: Sequence[bool]) -> Iterator[_Gap]:
    """Yield the elements beside links of no length that may be left out: with links of one space and state."""
    for i, (before, after) in enumerate(pairwise(path.links), 1):
        alike = before.space == after.space and len({*before.bound, *after.bound}) == 1
        if (none[i - 1] or none[i]) and alike and _on_ground(path, i):
            # Between two arcs of one ring both links go, and the arcs become one.
            rejoined = isinstance(path.elements[i - 1], Wrap) and path.elements[i - 1] == path.elements[i + 1]
            yield i, i + 1 + rejoined, () if rejoined else (before if none[i] else after,)
    if len(path.links) > 1 and none[len(path.links) - 1] and isinstance(path.elements[-2], Fixed):
        landed, last = path.links[-2:]
        stays = landed.transition >= 0 and not net.transitions[landed.transition].way.across
        if stays and last.transition < 0 and len(set(last.bound)) == 1:
            yield len(path.links), len(path.elements), ()


def _left_out(path: Path, first: int, last: int, joined: tuple[Link, ...]) -> Path:
    """Return a path without the elements of a gap."""
    links = path.links[: first - 1] + joined + path.links[first + 1 :]
    return replace(path, elements=path.elements[:first] + path.elements[last:], links=links)


def _ends(net: TangentGraph, paths: Sequence[Path], spots: Sequence[tuple[int, int]]) -> tuple[Floats, Floats]:
    """Return the ends of links ``(n, 2)``, inches; each is given by the number of its path and its number there."""
    if not spots:
        return np.zeros((0, 2)), np.zeros((0, 2))
    numbers, cols = np.array(spots).T
    some, rows = np.unique(numbers, return_inverse=True)
    legs = gather(net, [paths[n] for n in some.tolist()]).legs()
    return legs.p[rows, cols], legs.q[rows, cols]


def _without_stops(net: TangentGraph, path: Path) -> Path:
    """Leave out elements at which a path cannot bend, as samples of ways over not taken, and links that do not move."""
    i = 1
    while i < len(path.elements) - 1:
        if _on_ground(path, i) and _stops(net, *path.elements[i - 1 : i + 2]):
            path = without(path, i)
        else:
            i += 1
    goes = [i for i in range(len(path.links)) if not _stays(path, i)]
    if len(goes) in {0, len(path.links)}:
        return path
    elements = (path.elements[0], *(path.elements[i + 1] for i in goes))
    return replace(path, elements=elements, links=tuple(path.links[i] for i in goes))


def _stops(net: TangentGraph, before: Element, element: Element, after: Element) -> bool:
    """Say whether a path cannot bend at an element, given the elements on either side, joined by straight links."""
    if isinstance(element, Wrap):
        # A tangent leads from no ring to the same ring, whichever way round, and no path turns round a ring from a
        # place back to that place.
        return before.ring == element.ring if isinstance(before, Wrap) else before == after
    if element == before:
        return isinstance(element, Fixed | Slide)
    if not isinstance(element, Slide):
        return False
    # A sample on the rim of a way over that is not taken, or the middle one of three on one piece.
    beside = [e.piece for e in (before, after) if isinstance(e, Slide)]
    return element.piece >= net.difficult_pieces or beside == [element.piece] * 2


def _stays(path: Path, i: int) -> bool:
    """Say whether a link leads from a place to that same place, and does not part two ways over."""
    one, two, link = path.elements[i], path.elements[i + 1], path.links[i]
    parts = 0 < i < len(path.links) - 1 and not _on_ground(path, i) and not _on_ground(path, i + 1)
    # After a way over the landing may follow its begin, and the end of the path must not.
    parts |= 0 < i == len(path.links) - 1 and path.links[i - 1].transition >= 0
    return (
        isinstance(one, Fixed) and one == two and link.transition < 0 and link.bound[0] == link.bound[1] and not parts
    )


def _on_ground(path: Path, i: int) -> bool:
    """Say whether an inner element has links on the ground on both sides, no ways over."""
    return 0 < i < len(path.links) and path.links[i - 1].transition < 0 and path.links[i].transition < 0


def _tidied(net: TangentGraph, paths: list[Path]) -> list[Path]:
    """Leave out places on a rim where a path from open ground joins or leaves the rim's own ring: a tangent does so."""
    out = list(paths)
    first = dict.fromkeys(range(len(paths)), 1)  # elements before this one are done

    def joins(path: Path, i: int) -> bool:
        beside = (path.elements[k] for k in (i - 1, i + 1))
        return _on_ground(path, i) and any(on_own_ring(net, path.elements[i], other) for other in beside)

    while first:
        spots = {n: next((i for i in out[n].slides if i >= k and joins(out[n], i)), 0) for n, k in first.items()}
        some = [n for n, i in spots.items() if i]
        links = [(n, k) for n in some for k in (spots[n] - 1, spots[n])]
        p, q = _ends(net, out, links)
        spaces = np.array([out[n].links[k].space for n, k in links], dtype=np.int64)
        open_ = (np.hypot(*(q - p).T) >= ROUNDING) & (_weight(net, spaces, (p + q) / 2) < _BETWEEN)
        first = {}
        for n, (into, onward) in zip(some, open_.reshape(-1, 2).tolist(), strict=True):
            i, path = spots[n], out[n]
            before, here, after = path.elements[i - 1 : i + 2]
            by_tangent = (into and on_own_ring(net, here, after)) or (onward and on_own_ring(net, here, before))
            if by_tangent and _joined(net, before, after):
                out[n], first[n] = without(path, i), i
            else:
                first[n] = i + 1
    return out


def _joined(net: TangentGraph, one: Element, two: Element) -> bool:
    """Say whether a tangent can join two elements: none leads between overlapping rings of opposite turns."""
    if not (isinstance(one, Wrap) and isinstance(two, Wrap)):
        return True
    a, b = net.rings[one.ring], net.rings[two.ring]
    return math.dist(a.center, b.center) >= abs(two.turn * b.rho - one.turn * a.rho) - TOUCH


def _slim(net: TangentGraph, paths: list[Path]) -> list[Path]:
    """Leave out sliding places on rims of difficult ground at which the weight does not change: no path bends there."""
    spots = [(n, i) for n, path in enumerate(paths) for i in reversed(path.slides) if _weighs_the_same(net, path, i)]
    p, q = _ends(net, paths, [(n, k) for n, i in spots for k in (i - 1, i)])
    # The weight of a link of no length means nothing.
    long = (np.hypot(*(q - p).T) > ROUNDING).reshape(-1, 2).all(axis=1)
    out = list(paths)
    for (n, i), means in zip(spots, long.tolist(), strict=True):
        if means:
            out[n] = without(out[n], i)
    return out


def _weighs_the_same(net: TangentGraph, path: Path, i: int) -> bool:
    """Say whether a place slides on a rim of difficult ground that weighs the same on both sides."""
    slide = path.elements[i]
    return (
        isinstance(slide, Slide)
        and slide.piece < net.difficult_pieces
        and _on_ground(path, i)
        and path.links[i - 1].weight == path.links[i].weight
    )


def _split(net: TangentGraph, paths: list[Path]) -> list[Path]:
    """Put a sliding place wherever a link crosses a rim, and weigh every link."""
    spots = [(n, i) for n, path in enumerate(paths) for i in range(len(path.links))]
    found = iter(_crossed(net, [paths[n].links[i] for n, i in spots], *_ends(net, paths, spots)))
    out = []
    for path in paths:
        elements: list[Element] = [path.elements[0]]
        links: list[Link] = []
        for element, link, (slides, weights) in zip(path.elements[1:], path.links, found, strict=False):
            elements += [*slides, element]
            links += [replace(link, weight=weight) for weight in weights] if weights else [link]
        out.append(Path(tuple(elements), tuple(links), path.constraints))
    return out


def _crossed(net: TangentGraph, links: list[Link], p: Floats, q: Floats) -> list[tuple[list[Element], list[float]]]:
    """Return the elements where links with ends ``(n, 2)`` cross rims, and the weights between; ways over have none."""
    out: list[tuple[list[Element], list[float]]] = [([], []) for _ in links]
    spaces = np.array([link.space for link in links], dtype=np.int64)
    real = (np.hypot(*(q - p).T) > ROUNDING) & np.array([link.transition < 0 for link in links], dtype=bool)
    for space in sorted(set(spaces[real].tolist())):
        if net.spaces[space].difficult.empty:
            continue
        numbers = np.flatnonzero(real & (spaces == space)).tolist()
        stretches = list(zip(numbers, _stretches(net.spaces[space], p[numbers], q[numbers]), strict=True))
        at = np.array([p[n] + t * (q[n] - p[n]) for n, found in stretches for t, _ in found if t < 1]).reshape(-1, 2)
        spots = iter(zip(at.tolist(), _slides(net, space, at), strict=True))
        for n, found in stretches:
            for upto, weight in found:
                element: Element | None = None
                if upto < 1:
                    (x, y), element = next(spots)
                    if element is None and segments_clear(p[n, None], q[n, None], net.spaces[space].walls, TOUCH)[0]:
                        element = Fixed((x, y))  # in a passage just a base wide a single point of the rim is open
                    if element is None:
                        continue
                    out[n][0].append(element)
                out[n][1].append(weight)
    return out


def _stretches(space: Space, p: Floats, q: Floats) -> list[list[tuple[float, float]]]:
    """Return the weights along segments: for each, pairs of the share up to which a weight holds, and the weight."""
    marks: list[list[float]] = []
    row, t = space.difficult.breaks(p, q)
    order = np.lexsort((t, row))
    ends = np.searchsorted(row[order], np.arange(len(p) + 1)).tolist()
    for first, end in pairwise(ends):
        kept, last = [], 0.0
        for mark in t[order[first:end]].tolist():
            if mark - last > SHARE:
                kept.append(mark)
                last = mark
        if kept and 1 - kept[-1] <= SHARE:
            kept.pop()
        marks.append([*kept, 1.0])
    counts = [len(m) for m in marks]
    upto = np.array([t for m in marks for t in m])
    start = np.array([t for m in marks for t in (0.0, *m[:-1])])
    of = np.repeat(np.arange(len(p)), counts)
    weight = iter(space.weight(p[of] + ((start + upto) / 2)[:, None] * (q[of] - p[of])).tolist())
    out = []
    for upto_here in marks:
        found: list[tuple[float, float]] = []
        for mark in upto_here:
            w = next(weight)
            if found and found[-1][1] == w:
                found[-1] = (mark, w)
            else:
                found.append((mark, w))
        out.append(found)
    return out


def _weight(net: TangentGraph, spaces: Ints, mid: Floats) -> Floats:
    """Return the weights of places ``(n, 2)`` on spaces ``(n,)``."""
    out = np.ones(len(mid))
    for space in sorted(set(spaces.tolist())):
        k = np.flatnonzero(spaces == space)
        out[k] = net.spaces[space].weight(mid[k])
    return out


def _slides(net: TangentGraph, space: int, at: Floats) -> list[Slide | None]:
    """Return crossings ``(n, 2)`` as places on the rims of difficult ground; None for those that lie on no rim."""
    pieces = net.difficult_on(space)
    if not len(at) or not len(pieces):
        return [None] * len(at)
    out: list[Slide | None] = []
    for k in range(0, len(at), _ROWS):
        u, apart = net.rims.nearest(at[k : k + _ROWS])
        best = pieces[np.argmin(apart[:, pieces], axis=1)]
        rows = np.arange(len(best))
        out += [
            Slide(j, v) if d < TOUCH else None
            for j, v, d in zip(best.tolist(), u[rows, best].tolist(), apart[rows, best].tolist(), strict=True)
        ]
    return out
