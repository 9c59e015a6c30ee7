"""Candidates for the best paths to many places: which are to be polished, which are best, and which are blocked."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from sbg_sim.arrays import first_of_each, point, unit
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

_CELL: Final = 0.5  # inches: places of one square of so much are mended together
_AHEAD: Final = 32  # paths looked at at once where places are few
_MOST: Final = 8  # blocked paths to one place that are mended at once, the cheapest first


@dataclass(frozen=True)
class ToPolish:
    """Paths to polish: their tails, and row by row the place, which tail and its type, and where it slides if known."""

    tails: Sequence[Tail]
    rows: Ints
    which: Ints
    path_type: Ints
    slid: Floats | None = None


def ended(path: Path, u: Floats, at: Floats) -> Path:
    """Return a path with its places where a row of a batch has them ``(k,)``, inches, and with another end."""
    path = placed(path, u)
    return replace(path, elements=(*path.elements[:-1], Fixed(point(at))))


def landed_last(net: TangentGraph, path: Path) -> list[Path]:
    """Return the types that land along the ring which a path goes round from where it landed on it to its end.

    How far along it a path does best to land depends on where on it that ends: what comes before does not stand still.
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
    """How the best paths come to places: unit directions ``(n, 2)``, NaN where none was polished; types of path.

    With them the tails they have, and where those slide ``(n, k)``, inches.
    """

    direction: Floats
    weight: Floats
    path_type: Ints
    which: Ints
    slid: Floats
    tails: Sequence[Tail] = ()

    def doubtful(self, xy: Floats, cost: Floats, limit: float) -> Bools:
        """Say to which places in a row ``(n, 2)`` within a limit (inches) other types of path may lead.

        By one type the cost changes between two places about as its slopes at both ends say, and where two types meet
        by something between those.
        """
        d = np.diff(xy, axis=0)
        apart = np.hypot(d[:, 0], d[:, 1])
        slope = self.weight[:, None] * self.direction
        with np.errstate(invalid="ignore", divide="ignore"):
            one, two = ((some * d).sum(axis=1) / apart for some in (slope[:-1], slope[1:]))
            true = np.diff(cost) / apart
            # Where slopes rise one type curves, and tells the middle well; where they fall two may meet anywhere.
            sure = np.where(two > one, 0.25, 0.5) * np.abs(two - one) + UNLIKE
            unlike = np.abs(true - (one + two) / 2) > sure
        least = cost.copy()  # by the way from the places beside them
        least[1:] = np.minimum(least[1:], cost[:-1] - apart)
        least[:-1] = np.minimum(least[:-1], cost[1:] - apart)
        unlike = np.append(unlike, False) | np.append(False, unlike)
        return np.asarray((least <= limit) & ((self.which < 0) | unlike))

    def begin(self, tails: Sequence[Tail], wide: int) -> tuple[int, int]:
        """Take up tails of paths with so many elements; return from where on they and their types are numbered."""
        first, path_type = len(self.tails), int(self.path_type.max(initial=-1)) + 1
        self.tails = [*self.tails, *tails]
        self.slid = np.pad(self.slid, ((0, 0), (0, max(0, wide - self.slid.shape[1]))))
        return first, path_type

    def note(self, batch: Batch, i: Ints, path_type: Ints, which: Ints) -> None:
        """Note from where paths come: along their last link that has a length."""
        legs = batch.legs()
        # A link that leaves a ring has the ring's direction, however short it is.
        long = ((legs.length > HAIR) | (batch.kind[:, :-1] == WRAP)) & (
            np.arange(batch.weight.shape[1]) < batch.size[:, None] - 1
        )
        last = batch.weight.shape[1] - 1 - np.argmax(long[:, ::-1], axis=1)
        rows = np.arange(len(i))
        phi = legs.phi[rows, last]
        self.direction[i] = unit(phi)
        self.weight[i] = batch.weight[rows, last]
        self.path_type[i], self.which[i] = path_type, which
        self.slid[i], self.slid[i, : batch.u.shape[1]] = 0.0, batch.u


class Candidates:
    """Paths that may be best, each for some places, with what it costs to come there as sampled.

    Parameters
    ----------
    before
        Earlier candidates for the same places: what was polished is not polished again.

    """

    def __init__(self, before: Candidates | None = None) -> None:
        self.numbers: dict[tuple[object, ...], int] = {} if before is None else before.numbers
        self.done: set[int] = set() if before is None else before.done
        self.every: list[tuple[Path, Ints, Floats]] = []

    def add(self, path: Path, rows: Ints, low: Floats) -> None:
        """Note that a path may be best for some places, whose sampled costs by it are given."""
        self.every.append((path, rows, low))

    def fresh(self, tails: Sequence[Tail], path_type: Ints, rows: Ints, count: int) -> Bools:
        """Say which of some tails ``(b,)`` for some of ``count`` places were not asked for before, and note them."""
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
    """What polishing paths to places came to: costs ``(n,)``, which places remain as sampled, cheaper blocked paths."""

    cost: Floats
    sampled: Bools
    blocked: Blocked | None


class Polishing:
    """Paths to places, made shortest: which to look at, and what became of those that were looked at.

    Of each path: what it costs ``bare`` of all that may be in its way, and as ``allowed``; whether it is ``open``, that
    is still to be looked at, or ``barred``; whether it ``crept``.

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
        self.open, self.barred = np.isfinite(self.bare), np.zeros(len(self.bare), dtype=bool)
        self.allowed = np.full(len(self.bare), np.inf)
        # An arc past nothing, from where a stem joined its ring, was taken for a full turn.
        lower, known = self.batch.taken_past(self.open).cost() + self.before, best[todo.rows]
        past = self.open & (self.bare > known) & (lower <= np.minimum(known, self.bare - ROUNDING))
        self.batch, self.bare = self.batch.taken_past(past), np.where(past, lower, self.bare)
        self.open[past], self.barred[past] = False, True

    def likely(self, best: Floats) -> Ints:
        """Return the open paths to be looked at next: the cheapest to every place, if it could be the best there."""
        rows = self.todo.rows
        k = np.flatnonzero(self.open & (self.bare <= best[rows] + ROUNDING))
        k = k[np.lexsort((self.bare[k], rows[k]))]
        # Where places are few, several are looked at at once: most of the time goes into looking at all.
        ahead = max(1, _AHEAD // max(1, len(np.unique(rows[k]))))
        return np.asarray(k[first_of_each(rows[k], ahead)])

    def look_at(self, k: Ints) -> Floats:
        """Return what some paths cost as allowed, inches; those that are dearer so are barred, and none is open."""
        self.open[k] = False
        value = self.allowed[k] = self.batch.rows(k).allowed(self.bare[k])
        # What comes over more difficult ground than was thought may go round it.
        self.barred[k[value > self.bare[k] + DOUBLED_ROUNDING]] = True
        return np.asarray(value)

    def slide_along(self, best: Floats) -> None:
        """Slide what is nearly best along difficult ground that it touches, and open it anew where that is shorter."""
        near = np.flatnonzero(np.isfinite(self.bare) & (self.bare <= best[self.todo.rows] + NEAR_BEST))
        self.batch, shorter = slid_along(self.batch, near, self._path)
        self.bare[shorter] = self.batch.rows(shorter).cost() + self.before[shorter]
        self.open[shorter], self.barred[shorter] = True, False

    def _path(self, n: int, u: Floats) -> Path:
        return ended(self.todo.tails[self.todo.which[n]].path, u, self.xy[n])

    def block(self, k: Ints) -> None:
        """Take some paths for blocked, whatever they cost."""
        self.barred[k], self.bare[k] = True, -np.inf

    def blocked(self) -> Blocked | None:
        """Return the barred paths: mending them may still beat what is known."""
        k = np.flatnonzero(self.barred)
        if not len(k):
            return None
        rows, which = self.todo.rows[k], self.todo.which[k]
        return Blocked(self.todo.tails, which, self.batch.rows(k), rows, self.xy[k], self.bare[k], self.allowed[k])


# -- blocked -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Blocked:
    """Blocked paths.

    Parameters
    ----------
    tails, which
        The tails of all types, and which each path has ``(b,)``.
    batch
        The tails as they are made shortest.
    rows, xy
        Which places they lead to ``(b,)``, and where those are ``(b, 2)``, inches.
    bare, allowed
        What they would cost, and what they do ``(b,)``, inches: infinite where they are barred.

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
        """Return of each place the paths below a cost that is given by place ``(n,)``, inches, no more than are mended.

        What is mended may be blocked again in several ways, each of them in several more. Types that came to one locus
        are one way: of each the first come before all others.
        """
        k = np.flatnonzero(self.bare < below[self.rows])
        k = k[np.lexsort((self.bare[k], self.rows[k]))]
        k = k[np.lexsort((self._known_before(k), self.rows[k]))]
        return self.some(k[first_of_each(self.rows[k], _MOST)])

    def _known_before(self, k: Ints) -> Ints:
        """Say of how many paths that lead to its place each of some in order has the locus, where those are many."""
        before, rows = np.zeros(len(k), dtype=np.int64), self.rows[k]
        many = np.flatnonzero(np.bincount(rows)[rows] > _MOST)
        count: Counter[tuple[int, Locus]] = Counter()
        loci = loci_of(self.batch.net, [self.path(n) for n in k[many].tolist()]) if len(many) else []
        for n, one in zip(many.tolist(), zip(rows[many].tolist(), loci, strict=True), strict=True):
            before[n] = count[one]
            count[one] += 1
        return before

    def path(self, n: int, *, polished: bool = True) -> Path:
        """Return one of the paths as a whole, as it was made shortest or as it began."""
        tail = self.tails[int(self.which[n])]
        if not polished:
            return tail.onward(put(tail.path, len(tail.path.links), Fixed(point(self.xy[n]))))
        return tail.onward(ended(tail.path, self.batch.u[n], self.xy[n]))

    def walked(self) -> list[tuple[Path, Ints]]:
        """Return types that walk where ways over of the paths need not lead over yet, each with the paths' numbers."""
        cell = np.floor(self.xy / _CELL).astype(np.int64)
        found = []
        for alike in _grouped(np.column_stack([self.which, cell])):
            some = self.path(int(alike[np.argmin(self.bare[alike])]), polished=False)
            found += [(path, alike) for path in walked_beside(self.batch.net, some)]
        return found

    def others(self) -> list[tuple[Path, Ints]]:
        """Return the types next to those of the paths, each with the numbers of the paths it is next to."""
        every = self._alike
        some = np.array([alike[np.argmin(self.bare[alike])] for alike in every], dtype=np.int64)
        cheapest = [self.path(n) for n in some.tolist()]
        batch = self.batch.rows(some)
        past, more = batch.past_nothing(batch.legs()), np.array([len(path.elements) for path in cheapest]) - batch.size
        mended = mend(self.batch.net, cheapest, np.where(past > 0, past + more, 0).tolist())
        # What only comes over more difficult ground than was thought is also weighed anew where it stands.
        heavier = np.isfinite(self.allowed[some])
        near = [
            [*([path] if more else []), *([] if other is None else [other])]
            for path, other, more in zip(cheapest, mended, heavier.tolist(), strict=True)
        ]
        # What nothing blocks goes on only where that costs less.
        open_ = np.flatnonzero(np.isinf(self.bare[some])).tolist()
        for n, ahead in zip(open_, onto_next_pieces(self.batch.net, [cheapest[n] for n in open_]), strict=True):
            near[n] = ahead
        return [(other, alike) for others, alike in zip(near, every, strict=True) for other in others]

    def weighed(self) -> list[tuple[Path, Ints]]:
        """Return what came over more difficult ground than was thought weighed anew where it stands, as `others`."""
        heavy = [alike[np.isfinite(self.allowed[alike])] for alike in self._alike]
        heavy = [alike for alike in heavy if len(alike)]
        paths = [self.path(int(alike[np.argmin(self.bare[alike])])) for alike in heavy]
        return list(zip(weighed(self.batch.net, paths), heavy, strict=True))

    @cached_property
    def _alike(self) -> list[Ints]:
        """Put the paths together that are of one type, to places close by, and blocked by the same."""
        batch, net = self.batch, self.batch.net
        legs = batch.legs()
        cut = np.full((len(batch), batch.weight.shape[1]), -1)
        for i in range(cut.shape[1]):
            real = (i < batch.size - 1) & (batch.transition[:, i] < 0)
            for s in sorted(set(batch.space[real, i].tolist())):
                k = np.flatnonzero(real & (batch.space[:, i] == s))
                circles, depth = obstacles(net.spaces[s], legs.p[k, i], legs.q[k, i])
                if len(circles):
                    cut[k, i] = np.where(depth.min(axis=1) < 0, depth.argmin(axis=1), -1)
        cell = np.floor(self.xy / _CELL).astype(np.int64)
        marks = np.column_stack([self.which, cell, batch.past_nothing(legs), batch.ended, cut])
        return _grouped(marks)


def _grouped(marks: Ints) -> list[Ints]:
    """Return which rows are the same."""
    label = np.unique(marks, axis=0, return_inverse=True)[1].ravel()
    order = np.argsort(label, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(label[order])) + 1) if len(order) else []


def joined(parts: Sequence[Blocked]) -> Blocked:
    """Return all of some blocked paths, the tails of the last being those of all."""
    tails, net = parts[-1].tails, parts[-1].batch.net
    which, rows, xy, bare, allowed = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("which", "rows", "xy", "bare", "allowed")
    )
    batch = gather(net, [tail.path for tail in tails]).rows(which).ending(xy)
    u, past = (_padded([getattr(part.batch, name) for part in parts], batch.u.shape[1]) for name in ("u", "past"))
    return Blocked(tails, which, replace(batch, u=u, past=past), rows, xy, bare, allowed)


def _padded(parts: Sequence[Floats], wide: int) -> Floats:
    """Return rows of some arrays filled up with their last columns to so many."""
    return np.concatenate([np.pad(part, ((0, 0), (0, wide - part.shape[1])), mode="edge") for part in parts])
