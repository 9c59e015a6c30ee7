"""Polishing: the shortest path of its type, taken on where places run into each other or over the end of their rim.

Within one sequence of straight rims the cost is convex, and Newton's method on it gives the optimum to rounding
error; at the optimum a crossing of a rim obeys Snell's law.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.solver.path.gathering import gather
from sbg_sim.solver.path.neighbours import along_rims, mend, nearest_on
from sbg_sim.solver.path.normal_form import normal, weighed_ahead
from sbg_sim.solver.path.optimise import Optimum, merits, optimise
from sbg_sim.solver.path.paths import (
    Fixed,
    Link,
    Path,
    SamePlace,
    Slide,
    Wrap,
    bound_where_sliding,
    place_of,
    put,
    type_of,
    whereabouts,
    without,
)
from sbg_sim.tolerance import ABOUT, MET, ROUNDING, STILL, TOUCH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sbg_sim.solver.graph.tangent_graph import TangentGraph

_ASIDE: Final = (MET, 0.05)  # inches from a corner at which two ways over begin to part: an arc may lie in between
_ROUNDS: Final = 30  # types that one path goes through at most


def polish(
    net: TangentGraph,
    paths: Sequence[Path],
    *,
    hops: bool = True,
    stuck: dict[int, Path] | None = None,
    most: float = math.inf,
    optima: dict[Path, Optimum] | None = None,
    plain: Sequence[Path] | None = None,
) -> list[tuple[Path, float]]:
    """Return the shortest path of each type and its cost (inches), whether or not something is in the way.

    Many types come to one: it has one shortest path, which is looked for once. With ``hops`` a place that comes to the
    end of its piece of a rim goes on along the next, else it stays on its piece; where that comes back to what it came
    from, another such place goes on, or that is noted in ``stuck``, by path. What must clear something is slow to make
    shortest: it is noted in ``optima``, and not made so again. The normal forms of the paths may be known (``plain``).
    """
    if not paths:
        return []
    found: list[tuple[Path, float]] = [(_joined(net, path), math.inf) for path in paths]
    forms = list(paths if plain is None else plain)
    fresh_forms = [n for n, path in enumerate(paths) if plain is None or found[n][0] is not path]
    for n, form in zip(fresh_forms, normal(net, [found[n][0] for n in fresh_forms]), strict=True):
        forms[n] = form
    forms = weighed_ahead(net, forms)
    seen: list[set[tuple[object, ...]]] = [set() for _ in paths]
    held: dict[int, Optimum] = {}
    todo, first, same = list(range(len(paths))), dict[tuple[object, ...], int](), list(range(len(paths)))
    for turn in range(_ROUNDS):
        if not todo:
            break
        alone, then = [], []
        now = _round_ground(net, [found[n][0] for n in todo]) if turn else forms
        for n, path in zip(todo, now, strict=True):
            other = first.setdefault((type_of(path), path.links, path.constraints, whereabouts(path)), n)
            while same[other] != other:
                other = same[other]
            same[n] = other
            if other == n:
                alone.append((n, path))
        bests = _optima(
            net, [path for _, path in alone], most, {} if optima is None or not hops else optima, within=not hops
        )
        then_on, sound = _further(net, alone, bests, hops=hops)
        for (n, path), best, meant in zip(alone, bests, sound, strict=True):
            # Of two that cost the same the later: places that had met are one there.
            if path.constraints and best.clears and meant and best.cost <= held.get(n, best).cost + ROUNDING:
                held[n] = best
        rows = [(n, best, onward) for (n, _), best, onward in zip(alone, bests, then_on, strict=True)]
        at_rest = [(n, best, on) for n, best, on in rows if on is best.path or _form(on) in seen[n]]
        ways = _elsewhere(net, at_rest, held) if hops else {n: [] for n, *_ in at_rest}
        for n, best, onward in rows:
            further = onward
            if n in ways:
                further = next((way for way in ways[n] if _form(way) not in seen[n]), best.path)
                if stuck is not None and further is not best.path:
                    stuck[n], further = further, best.path
            if further is best.path:
                # What must be cleared may be so no more beyond the end of a piece.
                last = held.get(n, best)
                weights = [[link.weight for link in one.path.links] for one in (last, best)]
                last = last if weights[0] == weights[1] or not best.clears else best
                found[n] = (bound_where_sliding(net, last.path), last.cost)
                continue
            seen[n].add(_form(further))
            found[n] = (further, best.cost)
            then.append(n)
        todo = then
    for n in range(len(paths)):
        while same[n] != same[same[n]]:
            same[n] = same[same[n]]
    return [found[n] for n in same]


def _elsewhere(
    net: TangentGraph, at_rest: Sequence[tuple[int, Optimum, Path]], held: dict[int, Optimum]
) -> dict[int, list[Path]]:
    """Let other places go on of numbered paths that came to rest or back, or of what they cost least as (``held``).

    Of those that came to rest none does: that was looked at.
    """
    some = [(n, best) for n, best, onward in at_rest if onward is not best.path]
    some += [(n, held[n]) for n, best, _ in at_rest if held.get(n, best) is not best]
    found: dict[int, list[Path]] = {n: [] for n, *_ in at_rest}
    for (n, _), ways in zip(some, _hops(net, [one for _, one in some]), strict=True):
        found[n] += ways
    return found


def _form(path: Path) -> tuple[object, ...]:
    return type_of(path), path.links


def _optima(
    net: TangentGraph, paths: Sequence[Path], most: float, known: dict[Path, Optimum], *, within: bool
) -> list[Optimum]:
    """Return the shortest path of each type, those with something to clear from what is known, and note them there.

    What cost more than it was to cost is not noted: of that it is not known how much.
    """
    fresh = [path for path in paths if path not in known]
    found = dict(zip(fresh, optimise(net, fresh, most, within=within), strict=True))
    known.update((path, best) for path, best in found.items() if path.constraints and best.cost <= most)
    return [found[path] if path in found else known[path] for path in paths]


def _round_ground(net: TangentGraph, paths: Sequence[Path]) -> list[Path]:
    """Return the normal forms of paths; what came to run over difficult ground goes round it where that is cheaper."""
    found = normal(net, paths)
    some = [n for n, path in enumerate(paths) if len(found[n].slides) > len(path.slides)]
    around = {n: path for n, path in zip(some, mend(net, [paths[n] for n in some]), strict=True) if path is not None}
    for n, path in zip(around, normal(net, list(around.values())), strict=True):
        one, other = gather(net, [found[n], path]).cost()
        found[n] = path if other < one - TOUCH else found[n]
    return found


def _further(
    net: TangentGraph, alone: Sequence[tuple[int, Path]], bests: Sequence[Optimum], *, hops: bool
) -> tuple[list[Path], list[bool]]:
    """Return the types that numbered paths go on to from where they were made shortest; the paths there if nowhere.

    And whether they were weighed rightly when they were made so.
    """
    found = _weighed(net, [path for _, path in alone], bests)
    sound = [path is best.path for path, best in zip(found, bests, strict=True)]
    for n, best in enumerate(bests):
        if best.stopped and sound[n]:
            found[n] = replace(best.path)
    still = [n for n, best in enumerate(bests) if found[n] is best.path and best.path.slides]
    for n in still:
        # What goes on with an arc past nothing would have it go all the way round.
        found[n] = bests[n].path if _past_nothing(bests[n]) else _pin(net, bests[n])
        if found[n] is bests[n].path:
            found[n] = _merge(net, alone[n][1], bests[n])
    still = [n for n in still if found[n] is bests[n].path] if hops else []
    for n, ways in zip(still, _hops(net, [bests[n] for n in still]), strict=True):
        found[n] = ways[0] if ways else found[n]
    return found, sound


def _weighed(net: TangentGraph, before: Sequence[Path], bests: Sequence[Optimum]) -> list[Path]:
    """Return paths to be weighed anew that came to other pieces, or where a link came to a length: its weight was none.

    Those that are weighed as they were stay what they are.
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
    # Where an arc has shrunk past nothing its ring is left out first.
    some = [n for n in slide if (came[n] or type_of(found[n]) != type_of(before[n])) and not _past_nothing(bests[n])]
    for n, form in zip(some, normal(net, [found[n] for n in some]), strict=True):
        if _form(form) != _form(found[n]):
            # So weighed it may be shortest where it began; from where it came to no way may lead back.
            alike = came[n] and type_of(form) == type_of(found[n])
            found[n] = replace(before[n], links=form.links) if alike else replace(found[n])
    return found


def _past_nothing(best: Optimum) -> bool:
    wraps = [(i, e.turn) for i, e in enumerate(best.path.elements) if isinstance(e, Wrap)]
    return any(best.sweep[i] * turn < -TOUCH for i, turn in wraps)


def _joined(net: TangentGraph, path: Path) -> Path:
    """Join sliding places that stand at the corner of two rims: the weight of the link between them means nothing."""
    for i in reversed(path.slides[:-1]):
        one, two = path.elements[i], path.elements[i + 1]
        if not isinstance(one, Slide) or not isinstance(two, Slide) or path.links[i].transition >= 0:
            continue
        if math.dist(place_of(net, one), place_of(net, two)) <= ROUNDING:
            path = _met(net, path, i) or path
    return path


def _pin(net: TangentGraph, best: Optimum) -> Path:
    """Fix a sliding place that has come to rest on a fixed one: there the cost has a kink, which Newton cannot see."""
    path = best.path
    for i in path.slides:
        element = path.elements[i]
        assert isinstance(element, Slide)
        at = place_of(net, element)
        for k, n in ((i - 1, i - 1), (i, i + 1)):
            if n == len(path.elements):
                continue  # the path ends on a line, at the place that slides
            other = path.elements[n]
            if path.links[k].transition < 0 and n > i and isinstance(other, Slide):
                met = _met(net, path, i, best)
                if met is not None:
                    return met
            if path.links[k].transition >= 0 or not isinstance(other, Fixed) or math.dist(other.at, at) > MET:
                continue
            if net.pieces[element.piece].nearest(other.at)[1] <= ROUNDING:
                return put(path, i, Fixed(other.at))
    return path


def _met(net: TangentGraph, path: Path, i: int, best: Optimum | None = None) -> Path | None:
    """Put two sliding places that have run into each other at the place where their rims meet, if that is cheaper.

    Cheaper as an optimum weighs it, if one is given.
    """
    one, two = path.elements[i], path.elements[i + 1]
    assert isinstance(one, Slide)
    assert isinstance(two, Slide)
    here, there = net.pieces[one.piece], net.pieces[two.piece]
    at = here.at(np.array(one.u))
    if one.piece == two.piece or math.dist(at, there.at(np.array(two.u))) > MET:
        return None
    for x, y in net.piece_ends[[one.piece, two.piece]].reshape(-1, 2).tolist():
        if math.dist((x, y), at) <= MET and max(here.nearest((x, y))[1], there.nearest((x, y))[1]) <= ROUNDING:
            before, after = path.elements[:i], path.elements[i + 2 :]
            links = (*path.links[:i], *path.links[i + 1 :])
            trial = replace(path, elements=(*before, Fixed((x, y)), *after), links=links)
            both = [trial, path]
            new, old = gather(net, both).cost() if best is None else merits(net, both, [best, best])
            return trial if math.isfinite(new) and new <= old + ROUNDING else None
    return None


def parted(net: TangentGraph, paths: Sequence[Path]) -> list[Path | None]:
    """Return polished paths that go on from where they stand at the corner of two rims, between two ways over.

    Where the landing and the next start meet the cost has a kink; what ways over must clear moves them off it, and
    so may the end of a rim elsewhere, beyond which it costs less. None where that is no shorter.
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
    """Part two ways over that meet at a corner by a little along the rims: at which element it is, and each path."""
    for i, element in enumerate(path.elements[1:-1], 1):
        if not isinstance(element, Fixed):
            continue
        k = i + 1 if path.elements[i + 1] == element and path.links[i].transition < 0 else i  # to where it stands
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


def _merge(net: TangentGraph, before: Path, best: Optimum) -> Path:
    """Join sliding places on one rim that have run into each other, and leave rings whose arcs have run out.

    Where an arc has shrunk past nothing its ends stand for no way: they go on from where they were before.
    """
    path, length = best.path, best.length
    for i, link in enumerate(path.links):
        one, two = path.elements[i], path.elements[i + 1]
        if link.transition >= 0 or not isinstance(two, Slide):
            continue
        if not isinstance(one, Slide):
            if i and _follows(net, path, i) and float(length[i]) < MET:
                return put(path, i + 1, SamePlace())
            continue
        if float(length[i]) < MET:
            # A place at the end of a transition stays: leaving it out would leave the way over out of the path.
            if not i or path.links[i - 1].transition < 0:
                return _left_out(net, path, i) or without(path, i)
            if i + 1 < len(path.links) and path.links[i + 1].transition < 0:
                return without(path, i + 1)
            if _one_line(net, one, two):
                return put(path, i + 1, SamePlace())
    for i, element in enumerate(path.elements[1:-1], 1):
        if isinstance(element, Wrap) and best.sweep[i] * element.turn < TOUCH:
            a, b = path.elements[i - 1], path.elements[i + 1]
            if isinstance(a, Slide) or isinstance(b, Slide):
                sides = (before, path) if best.sweep[i] * element.turn < -TOUCH else (path,)
                met = (_arc_run_out(net, one, i) for one in sides)
                return next(filter(None, met), None) or without(sides[0] if path.over else path, i)
    return path


def _arc_run_out(net: TangentGraph, path: Path, i: int) -> Path | None:
    """Begin a way over just where the one before it lands, the arc ``i`` between having run out; None if it cannot.

    The arc is of the rim the one way lands on or the other begins on: straight on would lead through the solid.
    """
    if not 1 < i < len(path.links) - 1 or min(path.links[i - 2].transition, path.links[i + 1].transition) < 0:
        return None
    legs, one, two = gather(net, [path]).legs(), path.elements[i - 1], path.elements[i + 1]
    for slide, (x, y) in ((two, legs.q[0, i - 2].tolist()), (one, legs.p[0, i + 1].tolist())):
        if isinstance(slide, Slide) and net.pieces[slide.piece].nearest((x, y))[1] <= MET:
            met = put(without(path, i), i, SamePlace())
            if isinstance(one, Slide) and isinstance(two, Slide) and _one_line(net, one, two):
                return met
            return put(put(met, i - 1, Fixed((x, y))), i, Fixed((x, y))) if isinstance(one, Slide) else met
    return None


def _left_out(net: TangentGraph, path: Path, i: int) -> Path | None:
    """Leave out two sliding places that have met, where straight on past the rim is cheaper; None where it is not."""
    if not 0 < i < len(path.links) - 1 or path.links[i + 1].transition >= 0:
        return None
    if path.links[i - 1].weight != path.links[i + 1].weight:
        return None
    bare = normal(net, [without(without(path, i + 1), i)])[0]
    new, old = gather(net, [bare, path]).cost().tolist()
    return bare if new < old - TOUCH else None


def _one_line(net: TangentGraph, one: Slide, two: Slide) -> bool:
    """Say whether two sliding places that have met could slide on together, their rims being one just there."""
    here, there = net.pieces[one.piece], net.pieces[two.piece]
    around = np.clip(one.u + np.array([-MET, MET]), 0.0, here.length)
    return all(there.nearest((x, y))[1] <= ROUNDING for x, y in here.at(around).tolist())


def _follows(net: TangentGraph, path: Path, i: int) -> bool:
    """Say whether an element is where a way straight across lands, and slides on the same line as the next element."""
    start, before, two = path.elements[i - 1], path.links[i - 1], path.elements[i + 1]
    if before.transition < 0 or not net.transitions[before.transition].way.across or not isinstance(start, Slide):
        return False
    assert isinstance(two, Slide)
    piece = net.pieces[start.piece]
    # Rims that a way lands on may end a touch beyond those that the next one begins on.
    end = min(TOUCH, piece.length / 2)
    around = piece.at(np.clip(start.u + np.array([-MET, MET]), end, piece.length - end))
    landings = net.transitions[before.transition].landing(around)
    return all(net.pieces[two.piece].nearest((x, y))[1] <= ROUNDING for x, y in landings.tolist())


def _lands_last(net: TangentGraph, path: Path, i: int) -> bool:
    """Whether a way straight across from an element ends the path: from beyond its piece it leads elsewhere."""
    over = path.links[i].transition if i + 2 == len(path.elements) else -1
    return over >= 0 and net.transitions[over].way.across


def _one_rim(net: TangentGraph, one: int, two: int) -> bool:
    """Whether two pieces belong to one rim: of difficult ground on one surface, or of one side of one way over."""
    if net.piece_space[one] != net.piece_space[two]:
        return False
    if one < net.difficult_pieces or two < net.difficult_pieces:
        return max(one, two) < net.difficult_pieces
    return net.pieces[one].owner == net.pieces[two].owner


def _hops(net: TangentGraph, bests: Sequence[Optimum]) -> list[list[Path]]:
    """Return of each path those that cost less, a place at the end of its piece gone on along the next of the rim."""
    trials = [(n, trial) for n, best in enumerate(bests) for trial in _beyond_ends(net, best.path)]
    here = sorted({n for n, _ in trials})
    paths, of = [bests[n].path for n in here] + [trial for _, trial in trials], [*here, *(n for n, _ in trials)]
    found: list[list[Path]] = [[] for _ in bests]
    if trials:
        merit = merits(net, paths, [bests[n] for n in of]).tolist()
        old = dict(zip(here, merit, strict=False))
        for (n, trial), new in zip(trials, merit[len(here) :], strict=True):
            if new < old[n] - STILL:
                found[n].append(trial)
    return found


def _beyond_ends(net: TangentGraph, path: Path) -> Iterator[Path]:
    """Carry sliding places that have come to the end of their piece over to the next pieces of the rim, one by one."""
    for i in path.slides:
        element = path.elements[i]
        assert isinstance(element, Slide)
        if 0 < element.u < net.pieces[element.piece].length or _lands_last(net, path, i):
            continue
        apart = np.hypot(*np.moveaxis(net.piece_ends - place_of(net, element), -1, 0))
        for j, end in np.argwhere(apart <= TOUCH).tolist():
            other = net.pieces[j]
            v, away = (other.length, -1.0) if end else (0.0, 1.0)
            if _one_rim(net, j, element.piece) and not (j == element.piece and v == element.u):
                onto = Slide(j, v + away * min(MET, other.length / 2))
                yield put(path, i, onto)
                yield from _along_with(net, put(path, i, onto), i, element)


def _along_with(net: TangentGraph, path: Path, i: int, before: Slide) -> Iterator[Path]:
    """Take a sliding place along that stands right beside one that was carried on from where it was ``before``."""
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
