"""Candidates for the best paths to many places: which to polish, which are the best, and which are blocked."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from sbg_sim.arrays import equal_rows, first_of_each, point
from sbg_sim.solver.field.tails import slid_along
from sbg_sim.solver.path.batch import WRAP
from sbg_sim.solver.path.gathering import gather, loci_of, placed
from sbg_sim.solver.path.neighbours import walked_beside
from sbg_sim.solver.path.newton import minimise_most
from sbg_sim.solver.path.normal_form import weighed
from sbg_sim.solver.path.onward import mend, obstacles, onto_next_pieces
from sbg_sim.solver.path.options import NEAR_BEST
from sbg_sim.solver.path.paths import Fixed, Slide, Wrap, place_of, put, without
from sbg_sim.tolerance import DOUBLED_ROUNDING, HAIR, ROUNDING, TOUCH, UNLIKE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.solver.field.tails import Tail
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.path.batch import Batch
    from sbg_sim.solver.path.gathering import Locus
    from sbg_sim.solver.path.paths import Path

_CELL: Final = 0.5  # inches: side of the squares whose places are mended together
_AHEAD: Final = 32  # paths tested in one call if there are few places
_MOST: Final = 8  # blocked paths to one place that are mended together, the cheapest first


@dataclass(frozen=True)
class ToPolish:
    """Paths to polish: their tails; and for each path its place, tail and type, and where it slides if known."""

    tails: Sequence[Tail]
    rows: Ints
    which: Ints
    path_type: Ints
    slid: Floats | None = None


def ended(path: Path, u: Floats, at: Floats) -> Path:
    """Return a path with its sliding places at ``u`` ``(k,)``, a row of a batch, inches, and with another end."""
    path = placed(path, u)
    return replace(path, elements=(*path.elements[:-1], Fixed(point(at))))


def landed_last(net: TangentGraph, path: Path) -> list[Path]:
    """Return the types that land elsewhere on the ring round which a path goes from its landing to its end.

    The best landing depends on where the path ends, so what comes before the ring cannot be settled once.
    """
    if len(path.links) < 3 or path.links[-3].transition < 0 or path.links[-2].transition >= 0:
        return []
    landed, wrap = path.elements[-3:-1]
    if not (isinstance(landed, Fixed | Slide) and isinstance(wrap, Wrap)):
        return []
    at = place_of(net, landed) if isinstance(landed, Slide) else landed.at
    if abs(math.dist(at, net.rings[wrap.ring].center) - net.rings[wrap.ring].rho) > TOUCH:
        return []
    straight, i = without(path, len(path.links) - 1), len(path.links) - 2
    return [put(straight, i, Slide(j, u)) for j, u in net.rims.through(at) if j >= net.difficult_pieces]


@dataclass
class BestPaths:
    """How the best paths arrive at places.

    Their unit directions ``(n, 2)``, NaN where none was polished, weights and types; with the numbers of their tails in
    ``tails``, and where those slide ``(n, k)``, inches.
    """

    direction: Floats
    weight: Floats
    path_type: Ints
    which: Ints
    slid: Floats
    tails: Sequence[Tail] = ()

    def doubtful(self, xy: Floats, cost: Floats, limit: float) -> Bools:
        """Say to which of consecutive places ``(n, 2)`` within a limit (inches) other types of path may lead.

        Between two places of one type the cost changes by about the mean of the slopes at both ends; where two types
        meet, by a value between the two slopes.
        """
        d = np.diff(xy, axis=0)
        apart = np.hypot(d[:, 0], d[:, 1])
        slope = self.weight[:, None] * self.direction
        with np.errstate(invalid="ignore", divide="ignore"):
            one, two = ((some * d).sum(axis=1) / apart for some in (slope[:-1], slope[1:]))
            true = np.diff(cost) / apart
            # Where slopes rise, one type curves, and the mean is close; where they fall, two types meet anywhere.
            sure = np.where(two > one, 0.25, 0.5) * np.abs(two - one) + UNLIKE
            unlike = np.abs(true - (one + two) / 2) > sure
        least = cost.copy()  # a lower bound from the neighbours' costs
        least[1:] = np.minimum(least[1:], cost[:-1] - apart)
        least[:-1] = np.minimum(least[:-1], cost[1:] - apart)
        unlike = np.append(unlike, False) | np.append(False, unlike)
        return np.asarray((least <= limit) & ((self.which < 0) | unlike))

    def begin(self, tails: Sequence[Tail], wide: int) -> tuple[int, int]:
        """Add tails with up to ``wide`` elements; return the first numbers of these tails and of their types."""
        first, path_type = len(self.tails), int(self.path_type.max(initial=-1)) + 1
        self.tails = [*self.tails, *tails]
        self.slid = np.pad(self.slid, ((0, 0), (0, max(0, wide - self.slid.shape[1]))))
        return first, path_type

    def note(self, batch: Batch, i: Ints, path_type: Ints, which: Ints) -> None:
        """Record how paths arrive: the direction of their last link with a length."""
        legs = batch.legs()
        # A link that leaves a ring has the ring's direction even without a length.
        long = ((legs.length > HAIR) | (batch.kind[:, :-1] == WRAP)) & (
            np.arange(batch.weight.shape[1]) < batch.size[:, None] - 1
        )
        last = batch.weight.shape[1] - 1 - np.argmax(long[:, ::-1], axis=1)
        rows = np.arange(len(i))
        self.direction[i] = legs.ahead[rows, last]
        self.weight[i] = batch.weight[rows, last]
        self.path_type[i], self.which[i] = path_type, which
        self.slid[i], self.slid[i, : batch.u.shape[1]] = 0.0, batch.u


class Candidates:
    """Paths that may be the best, each for some places, with their sampled costs there.

    Parameters
    ----------
    before
        Earlier candidates for the same places, which are not polished again.

    """

    def __init__(self, before: Candidates | None = None) -> None:
        self.numbers: dict[tuple[object, ...], int] = {} if before is None else before.numbers
        self.done: set[int] = set() if before is None else before.done
        self.every: list[tuple[Path, Ints, Floats]] = []

    def add(self, path: Path, rows: Ints, low: Floats) -> None:
        """Add a path that may be the best for places ``rows``, with its sampled costs there."""
        self.every.append((path, rows, low))

    def fresh(self, tails: Sequence[Tail], path_type: Ints, rows: Ints, count: int) -> Bools:
        """Say which pairs of a tail ``(b,)`` and a place, of ``count``, are new, and record them."""
        own = {
            n: self.numbers.setdefault((tails[n].path_type, tails[n].before), len(self.numbers))
            for n in set(path_type.tolist())
        }
        codes = np.array([own[n] for n in path_type.tolist()], dtype=np.int64) * count + rows
        new = ~np.isin(codes, np.fromiter(self.done, np.int64, len(self.done)))
        self.done.update(codes[new].tolist())
        return new


# -- polished ----------------------------------------------------------------------------------------------------------


class Settled(NamedTuple):
    """The result of polishing: costs ``(n,)``, which places keep their sampled cost, and cheaper blocked paths."""

    cost: Floats
    sampled: Bools
    blocked: Blocked | None


class Polishing:
    """Paths to places, made shortest, and the state of each test whether they are allowed.

    For each path: ``bare`` is its cost without regard to obstacles, ``allowed`` its true cost; ``open`` says whether it
    is still to be tested, ``barred`` whether it was tested and is blocked or dearer; ``crept`` whether polishing gave
    it up because it crept into a kink.

    Parameters
    ----------
    net
        The tangent graph.
    xy, best
        The places ``(n, 2)``, and their best known costs ``(n,)``, inches.
    todo
        The paths.

    """

    def __init__(self, net: TangentGraph, xy: Floats, todo: ToPolish, best: Floats) -> None:
        self.todo, self.xy = todo, xy[todo.rows]
        batch = gather(net, [tail.path for tail in todo.tails]).rows(todo.which).ending(self.xy)
        if todo.slid is not None:
            wide = min(todo.slid.shape[1], batch.u.shape[1])
            batch = replace(batch, u=np.pad(todo.slid[:, :wide], ((0, 0), (0, batch.u.shape[1] - wide))))
        self.batch, self.bare, self.crept = minimise_most(batch.letting_past())
        self.before = np.array([tail.before for tail in todo.tails])[todo.which]
        self.bare += self.before
        self.open = np.isfinite(self.bare)
        self.allowed = np.full(len(self.bare), np.inf)
        # An arc past nothing, from where a stem joins its ring, was counted as a full turn.
        known, past = best[todo.rows], np.zeros(len(self.bare), dtype=bool)
        k = np.flatnonzero(self.open & (self.bare > known) & self.batch.turned.any(axis=1))
        lower = self.batch.rows(k).taken_past(np.ones(len(k), dtype=bool)).cost() + self.before[k]
        less = lower <= np.minimum(known[k], self.bare[k] - ROUNDING)
        past[k[less]], self.bare[k[less]] = True, lower[less]
        self.batch, self.open, self.barred = self.batch.taken_past(past), self.open & ~past, past

    def likely(self, best: Floats) -> Ints:
        """Return the open paths to test next: the cheapest to each place, if it could be the best there."""
        rows = self.todo.rows
        k = np.flatnonzero(self.open & (self.bare <= best[rows] + ROUNDING))
        k = k[np.lexsort((self.bare[k], rows[k]))]
        # For few places several at once, since most of the time is spent per call.
        ahead = max(1, _AHEAD // max(1, len(np.unique(rows[k]))))
        return np.asarray(k[first_of_each(rows[k], ahead)])

    def look_at(self, k: Ints) -> Floats:
        """Test paths; return their true costs, inches. Those dearer than without obstacles are barred."""
        self.open[k] = False
        value = self.allowed[k] = self.batch.rows(k).allowed(self.bare[k])
        # A path over more difficult ground than its type assumed may be mended to go round it.
        self.barred[k[value > self.bare[k] + DOUBLED_ROUNDING]] = True
        return np.asarray(value)

    def slide_along(self, best: Floats) -> None:
        """Slide nearly best paths along difficult ground that they touch; open those again that become shorter."""
        near = np.flatnonzero(np.isfinite(self.bare) & (self.bare <= best[self.todo.rows] + NEAR_BEST))
        self.batch, shorter = slid_along(self.batch, near, self._path)
        self.bare[shorter] = self.batch.rows(shorter).cost() + self.before[shorter]
        self.open[shorter], self.barred[shorter] = True, False

    def _path(self, n: int, u: Floats) -> Path:
        return ended(self.todo.tails[self.todo.which[n]].path, u, self.xy[n])

    def block(self, k: Ints) -> None:
        """Treat some paths as blocked, whatever their cost."""
        self.barred[k], self.bare[k] = True, -np.inf

    def blocked(self) -> Blocked | None:
        """Return the barred paths, to be mended; None if there are none."""
        k = np.flatnonzero(self.barred)
        if not len(k):
            return None
        rows, which = self.todo.rows[k], self.todo.which[k]
        return Blocked(self.todo.tails, which, self.batch.rows(k), rows, self.xy[k], self.bare[k], self.allowed[k])


# -- blocked -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Blocked:
    """Blocked paths, to be mended.

    Parameters
    ----------
    tails, which
        The tails of all types, and the number of each path's tail ``(b,)``.
    batch
        The tails, made shortest.
    rows, xy
        The numbers of the places to which they lead ``(b,)``, and those places ``(b, 2)``, inches.
    bare, allowed
        Their costs without regard to obstacles, and their true costs ``(b,)``, inches: infinite if they are blocked.

    """

    tails: Sequence[Tail]
    which: Ints
    batch: Batch
    rows: Ints
    xy: Floats
    bare: Floats
    allowed: Floats

    def some(self, k: Ints) -> Blocked:
        """Return some of the paths."""
        batch = self.batch.rows(k)
        return Blocked(self.tails, self.which[k], batch, self.rows[k], self.xy[k], self.bare[k], self.allowed[k])

    def cheapest(self, below: Floats) -> Blocked:
        """Return for each place its cheapest paths below a cost ``(n,)``, inches, at most ``_MOST`` of them.

        A mended path may be blocked again in several ways, each of them in several more. Types with one locus are the
        same way: the first of each locus comes before the second of any.
        """
        k = np.flatnonzero(self.bare < below[self.rows])
        k = k[np.lexsort((self.bare[k], self.rows[k]))]
        k = k[np.lexsort((self._known_before(k), self.rows[k]))]
        return self.some(k[first_of_each(self.rows[k], _MOST)])

    def _known_before(self, k: Ints) -> Ints:
        """Return, for places with many paths, how many earlier paths to the same place share each path's locus."""
        before, rows = np.zeros(len(k), dtype=np.int64), self.rows[k]
        many = np.flatnonzero(np.bincount(rows)[rows] > _MOST)
        count: Counter[tuple[int, Locus]] = Counter()
        loci = loci_of(self.batch.net, [self.path(n) for n in k[many].tolist()]) if len(many) else []
        for n, one in zip(many.tolist(), zip(rows[many].tolist(), loci, strict=True), strict=True):
            before[n] = count[one]
            count[one] += 1
        return before

    def path(self, n: int, *, polished: bool = True) -> Path:
        """Return one whole path, polished or as it was before."""
        tail = self.tails[int(self.which[n])]
        if not polished:
            return tail.onward(put(tail.path, len(tail.path.links), Fixed(point(self.xy[n]))))
        return tail.onward(ended(tail.path, self.batch.u[n], self.xy[n]))

    def walked(self) -> list[tuple[Path, Ints]]:
        """Return types that walk a part of the paths' ways over, each with the numbers of the paths."""
        cell = np.floor(self.xy / _CELL).astype(np.int64)
        found = []
        for alike in equal_rows(np.column_stack([self.which, cell])):
            some = self.path(int(alike[np.argmin(self.bare[alike])]), polished=False)
            found += [(path, alike) for path in walked_beside(self.batch.net, some)]
        return found

    def others(self) -> list[tuple[Path, Ints]]:
        """Return the types next to those of the paths, each with the numbers of those paths."""
        every = self._alike
        some = np.array([alike[np.argmin(self.bare[alike])] for alike in every], dtype=np.int64)
        cheapest = [self.path(n) for n in some.tolist()]
        batch = self.batch.rows(some)
        past, more = batch.past_nothing(batch.legs()), np.array([len(path.elements) for path in cheapest]) - batch.size
        mended = mend(self.batch.net, cheapest, np.where(past > 0, past + more, 0).tolist())
        # A path over more difficult ground than its type assumed is also weighed anew at its place.
        heavier = np.isfinite(self.allowed[some])
        near = [
            [*([path] if more else []), *([] if other is None else [other])]
            for path, other, more in zip(cheapest, mended, heavier.tolist(), strict=True)
        ]
        # A path that nothing blocks goes on along the next piece only if that costs less.
        open_ = np.flatnonzero(np.isinf(self.bare[some])).tolist()
        for n, ahead in zip(open_, onto_next_pieces(self.batch.net, [cheapest[n] for n in open_]), strict=True):
            near[n] = ahead
        return [(other, alike) for others, alike in zip(near, every, strict=True) for other in others]

    def weighed(self) -> list[tuple[Path, Ints]]:
        """Return the paths over more difficult ground than their types assumed, weighed anew, as :meth:`others`."""
        heavy = [alike[np.isfinite(self.allowed[alike])] for alike in self._alike]
        heavy = [alike for alike in heavy if len(alike)]
        paths = [self.path(int(alike[np.argmin(self.bare[alike])])) for alike in heavy]
        return list(zip(weighed(self.batch.net, paths), heavy, strict=True))

    @cached_property
    def _alike(self) -> list[Ints]:
        """Groups of paths of one type that lead to places close by and are blocked by the same obstacle."""
        batch, net = self.batch, self.batch.net
        legs = batch.legs()
        past, cut = batch.past_nothing(legs), np.full((len(batch), batch.weight.shape[1]), -1)
        for i in range(cut.shape[1]):
            # A ring whose arc has shrunk past nothing is left out, whatever else is in the way.
            real = (i < batch.size - 1) & (batch.transition[:, i] < 0) & (past == 0)
            for s in sorted(set(batch.space[real, i].tolist())):
                k = np.flatnonzero(real & (batch.space[:, i] == s))
                circles, depth = obstacles(net.spaces[s], legs.p[k, i], legs.q[k, i])
                if len(circles):
                    cut[k, i] = np.where(depth.min(axis=1) < 0, depth.argmin(axis=1), -1)
        cell = np.floor(self.xy / _CELL).astype(np.int64)
        marks = np.column_stack([self.which, cell, past, batch.ended, cut])
        return equal_rows(marks)


def joined(parts: Sequence[Blocked]) -> Blocked:
    """Return blocked paths as one; the tails of the last part contain those of all."""
    tails, net = parts[-1].tails, parts[-1].batch.net
    which, rows, xy, bare, allowed = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("which", "rows", "xy", "bare", "allowed")
    )
    batch = gather(net, [tail.path for tail in tails]).rows(which).ending(xy)
    u, past = (_padded([getattr(part.batch, name) for part in parts], batch.u.shape[1]) for name in ("u", "past"))
    return Blocked(tails, which, replace(batch, u=u, past=past), rows, xy, bare, allowed)


def _padded(parts: Sequence[Floats], wide: int) -> Floats:
    """Return the rows of arrays, padded to ``wide`` columns with their last column."""
    return np.concatenate([np.pad(part, ((0, 0), (0, wide - part.shape[1])), mode="edge") for part in parts])
