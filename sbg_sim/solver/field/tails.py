"""Tails of paths: the end of a path from the last bend that is the same wherever the path ends.

The stem of a path, up to a corner or to the tangent onto a ring, does not depend on where the path ends, for along a
ring the cost only adds up. So the stem is made shortest once, and for every place only the few crossings of the tail
slide.

Where a way over touches a round corner of difficult ground from outside, the slope of the cost is infinite on one side,
and a path comes to rest there too early. A constraint that keeps the way out of the ground lets it slide along.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from sbg_sim.arrays import point, unit
from sbg_sim.solver.path.batch import Batch
from sbg_sim.solver.path.differences import columns, differences
from sbg_sim.solver.path.gathering import gather, placed
from sbg_sim.solver.path.grazing import constrain_grazing
from sbg_sim.solver.path.newton import minimise
from sbg_sim.solver.path.normal_form import normal
from sbg_sim.solver.path.onward import mend, onto_next_pieces
from sbg_sim.solver.path.optimise import optimise
from sbg_sim.solver.path.paths import Fixed, Link, Path, PathType, Slide, Wrap, form_of
from sbg_sim.solver.space.rings import ways_round
from sbg_sim.tolerance import NO_GAIN, ROUNDING, STEEP, TOUCH

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.graph.tangent_graph import TangentGraph

_MENDS: Final = 3  # greatest number of rounds in which a stem is mended
_ON: Final = 0.01  # inches that a path goes on along a ring beyond its tangent
_WAYS: Final = 2  # mended paths that are followed at a time, the likeliest first


class OnRing(NamedTuple):
    """A place on a run of a ring: the run, the cost from its beginning, and the cost of the whole ring, inches.

    The whole is 0 unless the run closes on itself; without a run its number is negative.
    """

    run: int = 0
    place: float = 0.0
    whole: float = 0.0


@dataclass(frozen=True)
class Tail:
    """The end of a path.

    Parameters
    ----------
    path
        The path from the bend on; if the bend is a ring, from where the path touches it.
    before
        The cost of the path up to there, inches.
    whole
        The whole path, with the bend at element ``bend``.
    path_type
        The form of the path from the bend on.
    on_ring
        The place where it comes onto the ring.

    """

    path: Path
    before: float
    whole: Path
    bend: int
    path_type: PathType
    on_ring: OnRing

    @property
    def start(self) -> tuple[float, float, float, float]:
        """Where the tail begins (x, y), the least cost of an inch from there, and the cost up to there, inches."""
        first = self.path.elements[0]
        assert isinstance(first, Fixed)
        # Ways over may cost less than their length.
        return (*first.at, float(not self.path.over), self.before)

    def after(self, stem: Tail) -> Tail:
        """Return this tail behind another stem to its bend, with its crossings where they are."""
        past = len(self.whole.elements) - 1 - self.bend
        path = replace(self.path, elements=(*stem.path.elements[:-past], *self.path.elements[-past:]))
        return replace(stem, path=path, whole=stem.onward(path))

    def onward(self, path: Path) -> Path:
        """Return the whole path with its tail replaced."""
        more = len(path.elements) + self.bend - len(self.whole.elements)
        return replace(self.whole, elements=(*self.whole.elements[: self.bend], *path.elements[more:]))


@dataclass(frozen=True)
class _Stem:
    """The part of a path before a bend: at its shortest, its cost (inches), where it ends, and types to try next."""

    path: Path
    cost: float
    entry: Point
    on_ring: OnRing
    others: list[Path]


class Tails:
    """Parts paths into stems, which are settled once, and tails.

    Parameters
    ----------
    net
        The graph to which the paths refer.
    most
        The greatest cost of a stem of interest, inches; dearer ones are not mended, which would not make them cheaper.

    """

    def __init__(self, net: TangentGraph, most: float) -> None:
        self.net, self.most = net, most
        self._stems: dict[PathType, _Stem] = {}
        self._ways: dict[PathType, list[_Stem]] = {}  # the open stems, by the form of the stem that was wanted

    def of(self, paths: Sequence[Path]) -> list[list[Tail]]:
        """Return the tails of paths in normal form: one each, or several or none if the stem is blocked."""
        bends = [_bend(path) for path in paths]
        parts = [Path(path.elements[: i + 1], path.links[:i]) for path, i in zip(paths, bends, strict=True)]
        keys = [form_of(part) for part in parts]
        self._learn({key: part for key, part in zip(keys, parts, strict=True) if part.links})
        found = []
        for path, i, part, key in zip(paths, bends, parts, keys, strict=True):
            stems = self._ways[key] if i else [_Stem(part, 0.0, (0.0, 0.0), OnRing(), [])]
            found.append([_tail(_joined(stem.path, path, i), len(stem.path.links), stem) for stem in stems])
        return found

    def _learn(self, wanted: dict[PathType, Path]) -> None:
        """Make stems shortest and mend blocked ones, all together."""
        every = [(key, path) for key, path in wanted.items() if key not in self._ways]
        self._ways |= {key: [] for key, _ in every}
        seen: set[tuple[PathType, PathType]] = set()
        for _ in range(_MENDS + 1):
            if not every:
                break
            keys = [form_of(path) for _, path in every]
            fresh = {key: path for key, (_, path) in zip(keys, every, strict=True) if key not in self._stems}
            self._stems |= zip(fresh, self._settled(list(fresh.values())), strict=True)
            mended: dict[PathType, list[Path]] = {}
            for key, (root, _) in zip(keys, every, strict=True):
                # Mending often leads to the same type several times.
                if (root, key) in seen:
                    continue
                seen.add((root, key))
                stem = self._stems[key]
                if math.isfinite(stem.cost):
                    self._ways[root].append(stem)
                mended.setdefault(root, []).extend(stem.others)
            # A stem through many obstacles can be mended in many ways, each of them in as many more.
            then = [(root, path) for root, paths in mended.items() for path in paths[:_WAYS]]
            made = zip(then, normal(self.net, [path for _, path in then]), strict=True)
            # A mended stem must still end at the wanted bend.
            every = [(root, path) for (root, _), path in made if path.elements[-1] == wanted[root].elements[-1]]

    def _settled(self, paths: list[Path]) -> list[_Stem]:
        """Make stems shortest, all together."""
        if not paths:
            return []
        rows, size = np.arange(len(paths)), np.array([len(path.elements) for path in paths])
        ring = np.array([isinstance(path.elements[-1], Wrap) for path in paths])
        # A stem onto a ring is settled up to its tangent point, beyond which costs add up.
        ended = [path.then(_on(path.links[-1]), Fixed((0.0, 0.0))) for path in paths]
        batch = gather(self.net, ended)
        stay = batch.xy[rows, size - 1]

        def touched() -> Floats:
            return np.asarray(np.where(ring[:, None], batch.legs().q[rows, size - 2], stay))

        batch, _ = minimise(batch.ending(touched()).letting_past())
        batch = self._slid_along(paths, batch, touched())
        entry = touched()
        batch = batch.ending(entry)
        bare = batch.cost()
        cost = batch.allowed(bare)
        ends = [point(at) for at in entry]
        best = [placed(path, batch.u[n]) for n, path in enumerate(paths)]
        onto = [
            replace(ended[n], elements=(*path.elements, Fixed(ends[n]))) if ring[n] else path
            for n, path in enumerate(best)
        ]
        shut = np.flatnonzero(~np.isfinite(cost) & (bare <= self.most)).tolist()
        at_end = np.flatnonzero(batch.ended.any(axis=1) & (cost <= self.most)).tolist()
        # The arc on the last ring has no length, whatever rounding makes of it.
        past = batch.past_nothing(batch.legs())
        past = np.where(ring & (past == size - 1), 0, past)[shut]
        mended = mend(self.net, [onto[n] for n in shut], past.tolist())
        others = {n: [] if other is None else [other] for n, other in zip(shut, mended, strict=True)}
        others |= zip(at_end, onto_next_pieces(self.net, [onto[n] for n in at_end]), strict=True)
        out = []
        for n, path in enumerate(best):
            last, beside, on_ring = path.elements[-1], others.get(n, []), OnRing()
            if isinstance(last, Wrap):
                on_ring = self._on_ring(last, ends[n], bound=path.links[-1].bound[1])
                beside = [Path(other.elements[:-1], other.links[:-1]) for other in beside]
            out.append(_Stem(path, float(cost[n]), ends[n], on_ring, beside))
        return out

    def _slid_along(self, paths: Sequence[Path], batch: Batch, entry: Floats) -> Batch:
        """Slide stems along difficult ground that their ways over touch.

        A stem onto a ring goes on a little way, since just at the tangent point its cost jumps by a full turn.
        """
        rows, last = np.arange(len(paths)), batch.size - 2
        centre, turned = batch.xy[rows, last], batch.turned[rows, last]
        d, onto = entry - centre, turned != 0
        angle = np.arctan2(d[:, 1], d[:, 0]) + _ON / np.where(onto, turned, 1.0)
        batch = batch.ending(np.where(onto[:, None], centre + np.abs(turned)[:, None] * unit(angle), entry))

        def path_of(n: int, u: Floats) -> Path:
            path = placed(paths[n], u)
            return path.then(_on(path.links[-1]), Fixed(point(batch.xy[n, last[n] + 1]))) if onto[n] else path

        return slid_along(batch, rows, path_of)[0]

    def best(self, tails: Sequence[Tail]) -> Ints:
        """Return for every tail the number of one that can replace it ``(n,)``: of its type, and nowhere dearer."""
        out = np.arange(len(tails))
        types: dict[PathType, list[int]] = {}
        for n in sorted(out.tolist(), key=lambda n: tails[n].before):
            types.setdefault(tails[n].path_type, []).append(n)
        for numbers in types.values():
            kept: list[int] = []
            for n in numbers:
                out[n] = next((k for k in kept if _serves(tails[k], tails[n])), n)
                if out[n] == n:
                    kept.append(n)
        return out

    def _on_ring(self, wrap: Wrap, at: Point, *, bound: bool) -> OnRing:
        """Return the place on a ring's run where a path comes onto it."""
        arcs, ring, turn = self.net.arcs, np.array([wrap.ring]), np.array([wrap.turn])
        center = arcs.center[wrap.ring]
        theta = np.arctan2([at[1] - center[1]], [at[0] - center[0]])
        arc = arcs.locate(ring, theta, np.array([bound]), TOUCH)
        if arc[0] < 0:
            return OnRing(-1)
        way, runs = int(ways_round(wrap.ring, bound, wrap.turn)), arcs.runs
        place = runs.base[way, arc] + arcs.upto(ring, theta, arc, turn, TOUCH)
        whole = float(arcs.whole[wrap.ring]) if runs.closes[way] else 0.0
        return OnRing(int(runs.number[way, arc[0]]), float(place[0]), whole)


def _serves(one: Tail, other: Tail) -> bool:
    """Say whether a tail can replace another of its type: it comes to that one's bend at no more cost."""
    (run, place, whole), (its_run, its_place, _) = one.on_ring, other.on_ring
    if run != its_run or run < 0:
        return False
    more = its_place - place
    if more < -NO_GAIN:
        more += whole
    return more >= -NO_GAIN and one.before + more <= other.before


def _bend(path: Path) -> int:
    """Return the index of the last inner element that is the same wherever the path ends; 0 if there is none."""
    if path.constraints:
        return 0
    for i in range(len(path.elements) - 2, 0, -1):
        before, after = path.links[i - 1], path.links[i]
        same = before.bound[1] == after.bound[0]
        if isinstance(path.elements[i], Fixed | Wrap) and before.transition < 0 and same:
            return i
    return 0


def _joined(stem: Path, path: Path, i: int) -> Path:
    """Return a path with another stem up to its element ``i``."""
    return Path((*stem.elements, *path.elements[i + 1 :]), (*stem.links, *path.links[i:]))


def _on(link: Link) -> Link:
    return Link(link.space, bound=(link.bound[1], link.bound[1]))


def _tail(path: Path, i: int, stem: _Stem) -> Tail:
    """Return the tail of a path from its element ``i`` on, behind a stem."""
    elements, links = path.elements[i:], path.links[i:]
    if isinstance(elements[0], Wrap):
        elements, links = (Fixed(stem.entry), *elements), (_on(path.links[i - 1]), *links)
    form = form_of(Path(path.elements[i:-1], path.links[i:]))
    whole = replace(path, elements=(*stem.path.elements[:i], *path.elements[i:]))
    return Tail(replace(path, elements=elements, links=links), stem.cost, whole, i, form, stem.on_ring)


# -- along difficult ground --------------------------------------------------------------------------------------------


def slid_along(batch: Batch, which: Ints, path_of: Callable[[int, Floats], Path]) -> tuple[Batch, Ints]:
    """Slide polished paths along the difficult ground that their ways over touch.

    Parameters
    ----------
    batch
        The paths, each made shortest.
    which
        The numbers of the paths to slide ``(n,)``.
    path_of
        Returns one of the paths, given its number and where it slides ``(k,)``, inches.

    Returns
    -------
    The paths with their new places, and the numbers of those that became shorter.

    """
    rough = np.array([*(p.way.horizontal and not p.difficult.empty for p in batch.net.transitions), False])
    which = which[rough[batch.transition[which]].any(axis=1)]  # the last stands for no way over
    if len(which):
        which = which[_steep(batch.rows(which))]
    held = {n: constrain_grazing(batch.net, path_of(n, batch.u[n])) for n in which.tolist()}
    some = {n: path for n, path in held.items() if path is not None}
    if not some:
        return batch, np.zeros(0, dtype=np.int64)
    k = np.array(list(some))
    part, u = batch.rows(k), batch.u[k]
    for row, best in zip(u, optimise(batch.net, list(some.values()), within=True), strict=True):
        if best.clears:
            row[: len(best.path.elements)] = [e.u if isinstance(e, Slide) else 0.0 for e in best.path.elements]
    shorter = replace(part, u=u).cost() < part.cost() - ROUNDING
    slid = batch.u.copy()
    slid[k[shorter]] = u[shorter]
    return replace(batch, u=slid), k[shorter]


def _steep(batch: Batch) -> Bools:
    """Say which polished paths rest where their cost still has a slope ``(b,)``."""
    slope, _ = differences(batch, Batch.cost)
    cols, real = columns(batch)
    u, top = (np.take_along_axis(part, cols, axis=1) for part in (batch.u, batch.top))
    live = real & ((u > 2 * TOUCH) | (slope < 0)) & ((u < top - 2 * TOUCH) | (slope > 0))
    return np.asarray((live & (np.abs(slope) > STEEP)).any(axis=1))
