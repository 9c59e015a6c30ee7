"""Polishing: the shortest path of a type, and of the types it goes on to where places meet or pass the end of a rim.

For one sequence of straight rims the cost is convex, and Newton's method finds the optimum up to rounding; there each
crossing of a rim obeys Snell's law.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from sbg_sim.solver.path.gathering import gather
from sbg_sim.solver.path.neighbours import along_rims, nearest_on
from sbg_sim.solver.path.normal_form import normal, weighed_ahead
from sbg_sim.solver.path.onward import joined, mend, met, past_nothing
from sbg_sim.solver.path.optimise import Optimum, merits, optimise
from sbg_sim.solver.path.paths import (
    Fixed,
    Link,
    Path,
    Slide,
    bound_where_sliding,
    form_of,
    place_of,
    put,
    type_of,
    whereabouts,
)
from sbg_sim.tolerance import ABOUT, MET, ROUNDING, STILL, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sbg_sim.solver.graph.tangent_graph import TangentGraph

_ASIDE: Final = (MET, 0.05)  # inches by which two ways over that meet at a corner are parted: an arc may lie between
_ROUNDS: Final = 30  # most types that one path goes through


class Polished(NamedTuple):
    """The shortest path of a type, its cost (inches), and a path from which another of its places could go on."""

    path: Path
    cost: float
    further: Path | None = None


@dataclass(eq=False)
class _Polishing:
    """A path while it is polished.

    Parameters
    ----------
    path, cost
        The path now, and its cost when it was last minimised, inches.
    form
        Its normal form, which is minimised next.
    seen
        The types that it has gone on to.
    held
        The cheapest result so far that meets its constraints, if it has any.
    further
        A path from which another of its places could go on, if it stopped though one can.

    """

    path: Path
    form: Path
    cost: float = math.inf
    further: Path | None = None
    seen: set[tuple[object, ...]] = field(default_factory=set)
    held: Optimum | None = None

    def __post_init__(self) -> None:
        self.same = self

    @property
    def leader(self) -> _Polishing:
        """The path that stands for all that came to its type."""
        return self if self.same is self else self.same.leader

    def went_on_to(self, path: Path) -> bool:
        """Say whether it has been of the type of ``path`` before."""
        return form_of(path) in self.seen

    def rest(self, net: TangentGraph, best: Optimum) -> None:
        """Note its result: ``held`` unless weights changed since, as a constraint may be violated beyond a piece."""
        held = best if self.held is None else self.held
        weights = [[link.weight for link in one.path.links] for one in (held, best)]
        last = held if weights[0] == weights[1] or not best.clears else best
        self.path, self.cost = bound_where_sliding(net, last.path), last.cost


def polish(
    net: TangentGraph,
    paths: Sequence[Path],
    *,
    hops: bool = True,
    stops: bool = False,
    most: float = math.inf,
    plain: Sequence[Path | None] = (),
) -> list[Polished]:
    """Return the shortest path of each type, whether or not something is in its way.

    Types that come to one and the same type are minimised once. With ``hops`` a place at the end of its piece
    goes on along the next piece of the rim, else it stays. Where a path so comes back to a type it had been of, another
    place goes on instead, or, with ``stops``, it stops and returns the path ``further`` on. Results above ``most``
    inches need not be exact. Known normal forms can be given as ``plain``.
    """
    if not paths:
        return []
    every = _begun(net, paths, plain)
    first: dict[tuple[object, ...], _Polishing] = {}
    todo = every
    for turn in range(_ROUNDS):
        if not todo:
            break
        if turn:
            for one, form in zip(todo, _round_ground(net, [one.path for one in todo]), strict=True):
                one.form = form
        for one in todo:
            kind = (*form_of(one.form), one.form.constraints, whereabouts(one.form))
            one.same = first.setdefault(kind, one).leader
        todo = [one for one in todo if one.same is one]
        bests = optimise(net, [one.form for one in todo], most, within=not hops)
        onward = _further(net, todo, bests, hops=hops)
        came = list(zip(todo, bests, onward, strict=True))
        ways = _elsewhere(net, [row for row in came if row[2] is row[1].path or row[0].went_on_to(row[2])], hops=hops)
        todo = []
        for one, best, on in came:
            further = on
            if one in ways:
                further = next((way for way in ways[one] if not one.went_on_to(way)), best.path)
                if stops and further is not best.path:
                    one.further, further = further, best.path
            if further is best.path:
                one.rest(net, best)
            else:
                one.seen.add(form_of(further))
                one.path, one.cost = further, best.cost
                todo.append(one)
    return [Polished(one.leader.path, one.leader.cost, one.further) for one in every]


def _begun(net: TangentGraph, paths: Sequence[Path], plain: Sequence[Path | None]) -> list[_Polishing]:
    """Return the paths in their normal forms, as far as these are not known already."""
    begun = [joined(net, path) for path in paths]
    known = {path: form for path, form in zip(paths, plain, strict=bool(plain)) if form is not None}
    fresh = [path for path in begun if path not in known]
    known |= zip(fresh, normal(net, fresh), strict=True)
    forms = weighed_ahead(net, [known[path] for path in begun])
    return [_Polishing(path, form) for path, form in zip(begun, forms, strict=True)]


def _elsewhere(
    net: TangentGraph, at_rest: Sequence[tuple[_Polishing, Optimum, Path]], *, hops: bool
) -> dict[_Polishing, list[Path]]:
    """Return for paths that rest, or came back to an earlier type, those in which another place goes on.

    Also from their cheapest result that met the constraints (``held``). Without ``hops`` no place goes on.
    """
    found: dict[_Polishing, list[Path]] = {one: [] for one, *_ in at_rest}
    back = [(one, best) for one, best, on in at_rest if on is not best.path]
    back += [(one, one.held) for one, best, _ in at_rest if one.held is not None and one.held is not best]
    for (one, _), ways in zip(back, _hops(net, [best for _, best in back]) if hops else [], strict=hops):
        found[one] += ways
    return found


def _round_ground(net: TangentGraph, paths: Sequence[Path]) -> list[Path]:
    """Return normal forms; paths that came to run over difficult ground go round it where that is cheaper."""
    found = normal(net, paths)
    some = [n for n, path in enumerate(paths) if len(found[n].slides) > len(path.slides)]
    around = {n: path for n, path in zip(some, mend(net, [paths[n] for n in some]), strict=True) if path is not None}
    for n, path in zip(around, normal(net, list(around.values())), strict=True):
        one, other = gather(net, [found[n], path]).cost()
        found[n] = path if other < one - TOUCH else found[n]
    return found


def _further(net: TangentGraph, todo: Sequence[_Polishing], bests: Sequence[Optimum], *, hops: bool) -> list[Path]:
    """Return the path that each optimum goes on to as another type; the optimal path itself if it rests.

    Results that meet their constraints, with the right weights, are noted in ``held``.
    """
    found = _weighed(net, [one.form for one in todo], bests)
    for n, (one, best) in enumerate(zip(todo, bests, strict=True)):
        if found[n] is not best.path:
            continue
        # Of two of the same cost the later: places that met are one place there.
        if best.path.constraints and best.clears and (one.held is None or best.cost <= one.held.cost + ROUNDING):
            one.held = best
        if best.stopped and not past_nothing(best):
            found[n] = replace(best.path)
        elif best.path.slides:
            found[n] = met(net, one.form, best)
    still = [n for n, best in enumerate(bests) if found[n] is best.path and best.path.slides] if hops else []
    for n, ways in zip(still, _hops(net, [bests[n] for n in still]), strict=True):
        found[n] = ways[0] if ways else found[n]
    return found


def _weighed(net: TangentGraph, before: Sequence[Path], bests: Sequence[Optimum]) -> list[Path]:
    """Return optimal paths with new weights where they came to other pieces, or a link of no length got one.

    Paths whose weights are right are returned as they are.
    """
    found = [best.path for best in bests]
    slide = [n for n, path in enumerate(found) if path.slides]
    if not slide:
        return found
    batch = gather(net, [before[n] for n in slide])
    short = (batch.legs().length <= ROUNDING) & (batch.weight > 0)
    links = [len(found[n].links) for n in slide]
    came = {
        n: (short[k, :m] & (bests[n].length[:m] > TOUCH)).any()
        for k, (n, m) in enumerate(zip(slide, links, strict=True))
    }
    # Where an arc is past nothing its ring is left out first.
    some = [n for n in slide if (came[n] or type_of(found[n]) != type_of(before[n])) and not past_nothing(bests[n])]
    for n, form in zip(some, normal(net, [found[n] for n in some]), strict=True):
        if form_of(form) != form_of(found[n]):
            # With the new weights the optimum may be where the path began, and not be reached from where it is now.
            alike = came[n] and type_of(form) == type_of(found[n])
            found[n] = replace(before[n], links=form.links) if alike else replace(found[n])
    return found


def parted(net: TangentGraph, paths: Sequence[Path]) -> list[Path | None]:
    """Return paths with a landing and the begin of the next way over, which meet at a corner, parted; None if dearer.

    Where both meet the cost has a kink, behind which a cheaper path may lie that constraints or ends of rims allow.
    """
    trials = [(n, i, trial) for n, path in enumerate(paths) for i, trial in _parted(net, path)]
    here = sorted({n for n, *_ in trials})
    cost = dict(zip(here, gather(net, [paths[n] for n in here]).cost().tolist(), strict=True))
    most = max(cost.values(), default=0.0)
    bests: dict[tuple[int, int], Optimum] = {}
    for (n, i, _), best in zip(trials, optimise(net, normal(net, [trial for *_, trial in trials]), most), strict=True):
        bests[n, i] = min(best, bests.get((n, i), best), key=lambda one: one.cost)
    found: list[Path | None] = [None] * len(paths)
    for (n, _), best in bests.items():
        if found[n] is None and best.cost < cost[n] - TOUCH:
            found[n] = best.path
    return found


def _parted(net: TangentGraph, path: Path) -> Iterator[tuple[int, Path]]:
    """Yield paths with two ways over that meet at a corner moved apart along the rims, with the element's index."""
    for i, element in enumerate(path.elements[1:-1], 1):
        if not isinstance(element, Fixed):
            continue
        k = i + 1 if path.elements[i + 1] == element and path.links[i].transition < 0 else i  # last element there
        if k > len(path.links) - 1:
            continue
        landed, begun = path.links[i - 1].transition, path.links[k].transition
        if min(landed, begun) < 0:
            continue
        link = Link(net.transitions[landed].dest, bound=(path.links[i - 1].bound[1], path.links[k].bound[0]))
        links = (*path.links[:i], link, *path.links[k:])
        for aside in _ASIDE:
            for one in along_rims(net, net.rim_of(landed, near=False), element.at, aside):
                for two in along_rims(net, net.rim_of(begun, near=True), element.at, aside):
                    trial = replace(path, elements=(*path.elements[:i], one, two, *path.elements[k + 1 :]), links=links)
                    yield i, trial
                    yield from ((i, further) for further in _beyond_ends(net, trial))


def _lands_last(net: TangentGraph, path: Path, i: int) -> bool:
    """Say whether the path ends with a way straight across from an element: beyond its piece that ends elsewhere."""
    over = path.links[i].transition if i + 2 == len(path.elements) else -1
    return over >= 0 and net.transitions[over].way.across


def _one_rim(net: TangentGraph, one: int, two: int) -> bool:
    """Say whether two pieces belong to one rim: of difficult ground on one level, or of one side of one way over."""
    if net.piece_space[one] != net.piece_space[two]:
        return False
    if one < net.difficult_pieces or two < net.difficult_pieces:
        return max(one, two) < net.difficult_pieces
    return net.pieces[one].owner == net.pieces[two].owner


def _hops(net: TangentGraph, bests: Sequence[Optimum]) -> list[list[Path]]:
    """Return for each optimum the cheaper paths in which a place at the end of its piece goes on along the next.

    They must be cheaper with weights for the ground they then lead over.
    """
    trials = [(n, trial) for n, best in enumerate(bests) for trial in _beyond_ends(net, best.path)]
    here = sorted({n for n, _ in trials})
    paths, of = [bests[n].path for n in here] + [trial for _, trial in trials], [*here, *(n for n, _ in trials)]
    found: list[list[Path]] = [[] for _ in bests]
    if not trials:
        return found
    merit = merits(net, paths, [bests[n] for n in of]).tolist()
    old = dict(zip(here, merit, strict=False))
    less = [(n, trial, old[n] - new) for (n, trial), new in zip(trials, merit[len(here) :], strict=True)]
    less = [one for one in less if one[2] > STILL]
    if less:
        going = [trial for _, trial, _ in less]
        forms = normal(net, going)
        dearer = gather(net, forms).cost() - gather(net, going).cost()
        for (n, trial, gain), form, more in zip(less, forms, dearer.tolist(), strict=True):
            # Where elements come or go, weights are set when it is minimised.
            if gain - more > STILL or form.elements != trial.elements:
                found[n].append(trial)
    return found


def _beyond_ends(net: TangentGraph, path: Path) -> Iterator[Path]:
    """Yield paths with one sliding place carried from the end of its piece over to a next piece of the rim."""
    for i in path.slides:
        element = path.elements[i]
        assert isinstance(element, Slide)
        if 0 < element.u < net.pieces[element.piece].length or _lands_last(net, path, i):
            continue
        apart = np.hypot(*np.moveaxis(net.rims.ends - place_of(net, element), -1, 0))
        for j, end in np.argwhere(apart <= TOUCH).tolist():
            other = net.pieces[j]
            v, away = (other.length, -1.0) if end else (0.0, 1.0)
            if _one_rim(net, j, element.piece) and not (j == element.piece and v == element.u):
                onto = Slide(j, v + away * min(MET, other.length / 2))
                yield put(path, i, onto)
                yield from _along_with(net, put(path, i, onto), i, element)


def _along_with(net: TangentGraph, path: Path, i: int, before: Slide) -> Iterator[Path]:
    """Yield paths in which a place right beside the one that was carried on from ``before`` moves with it."""
    slide = path.elements[i]
    assert isinstance(slide, Slide)
    was = np.array(place_of(net, before))
    for k, link in ((i - 1, i - 1), (i + 1, i)):
        beside = path.elements[k] if 0 < k < len(path.elements) else None
        if not isinstance(beside, Slide) or path.links[link].transition >= 0:
            continue
        at = np.array(place_of(net, beside))
        if math.dist(at, was) <= ABOUT:
            rim = np.array([j for j in range(len(net.pieces)) if _one_rim(net, j, beside.piece)])
            yield put(path, k, nearest_on(net, rim, at + place_of(net, slide) - was))
