"""Paths in arrays: the costs of many types of path at once, with slopes and curvatures, and whether they are legal.

Here a place is a circle of radius 0, so that every link is a tangent of two circles with signed radii. By the envelope
theorem the slope of the cost at a sliding place follows from the directions of its two links, and the curvature has a
closed form too. Not so for ways over, whose landing follows the start round corners.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from sbg_sim.arrays import dot, lengths, sums, unit
from sbg_sim.solver.space.rings import ways_round
from sbg_sim.tolerance import ABOUT, ANGLE, HAIR, ON_CIRCLE, ROUNDED, ROUNDING, SMOOTH, TINY, TOUCH

if TYPE_CHECKING:
    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.geometry.grown import Grown
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.path.paths import Constraint

FIXED, WRAP, SLIDE, FOLLOW = 0, 1, 2, 3
_CLOCKWISE: Final = np.array([1.0, -1.0])
_FAR_PAST: Final = 1.0  # radians by which an arc that began short may shrink past nothing


@dataclass(frozen=True)
class Legs:
    """Links of a batch: ends, lengths, unit vectors along them ``(b, k - 1, 2)``; sweeps on rings ``(b, k)``.

    ``whole`` is the length of the tangent itself, which goes on to the centre of a circle on whose rim a path ends.
    """

    p: Floats
    q: Floats
    length: Floats
    whole: Floats
    ahead: Floats
    sweep: Floats


class Held(NamedTuple):
    """Constraints: every different one, and the numbers of those of each path ``(n, g)``."""

    every: tuple[Constraint, ...]
    which: Ints


@dataclass(frozen=True)
class Batch:
    """Paths as rows, filled up with their last place.

    Parameters
    ----------
    net
        The tangent graph that they refer to.
    kind, ring, course
        The kind of each element, and its ring or its smooth course of rim pieces ``(b, k)``. An element of the kind
        FOLLOW is the landing of the way over before it, or the same place as the element before.
    xy
        Places, and centres of rings ``(b, k, 2)``, inches.
    turned
        Radii signed by turns ``(b, k)``, inches; 0 for places.
    heavy
        Weight of rings ``(b, k)``; 0 where it changes along the ring.
    u, top
        Positions of sliding places on stretches of their courses, and the lengths of these ``(b, k)``, inches; 0 for
        other elements.
    origin
        How far along their courses the stretches begin ``(b, k)``, inches.
    space, weight, transition, bound
        Of the links ``(b, k - 1)``, and the states at both their ends ``(b, k - 1, 2)``; weight 0 for ways over and
        beyond the end.
    rim
        Radius of the circle on whose rim a path ends ``(b,)``, inches, else 0.
    size
        Number of elements of each path ``(b,)``.
    past
        An arc within this of a full turn counts as one that has shrunk past nothing ``(b, k)``, radians.
    of
        Number of each path among those that the batch was taken from, as in a Lagrangian ``(b,)``.
    inner
        For paths that are nearly shortest: differences are taken inside pieces of rims only, beyond whose ends the cost
        may have a kink, and no strides are tried, which may lead past the position where an arc vanishes.

    """

    net: TangentGraph
    kind: Ints
    ring: Ints
    course: Ints
    xy: Floats
    turned: Floats
    heavy: Floats
    u: Floats
    top: Floats
    origin: Floats
    space: Ints
    weight: Floats
    transition: Ints
    bound: Bools
    rim: Floats
    size: Ints
    past: Floats
    of: Ints
    inner: bool = False

    def __len__(self) -> int:
        return len(self.size)

    def rows(self, k: Ints) -> Batch:
        """Return some of the paths."""
        part = {name: getattr(self, name).take(k, axis=0) for name in _ROWS}
        return Batch(net=self.net, inner=self.inner, **part)

    def parts(self) -> list[tuple[Ints, Batch]]:
        """Sort the paths by number of elements and by whether they wrap round rings; return the rows and batch of each.

        No row is then filled up, and most parts have no arcs, so that their costs are quick to work out.
        """
        kinds, which = np.unique(2 * self.size + (self.turned != 0).any(axis=1), return_inverse=True)
        found: list[tuple[Ints, Batch]] = []
        for n, size in enumerate((kinds // 2).tolist()):
            k, wide = np.flatnonzero(which == n), {self.kind.shape[1]: size, self.weight.shape[1]: size - 1}
            rows = {name: getattr(self, name).take(k, axis=0) for name in _ROWS}
            part = {name: some[:, : wide[some.shape[1]]] if some.ndim > 1 else some for name, some in rows.items()}
            found.append((k, Batch(net=self.net, inner=self.inner, **part)))
        return found

    def ending(self, at: Floats) -> Batch:
        """Return the paths with other last places ``(b, 2)``."""
        beyond = np.arange(self.kind.shape[1]) >= self.size[:, None] - 1
        return replace(self, xy=np.where(beyond[..., None], at[:, None, :], self.xy))

    def letting_past(self) -> Batch:
        """Let arcs shrink past nothing where that cannot be taken for a full turn."""
        return replace(self, past=np.where(np.abs(self.legs().sweep) < np.pi, _FAR_PAST, SMOOTH))

    def taken_past(self, some: Bools) -> Batch:
        """Take arcs of more than half a turn of the paths ``some`` ``(b,)`` as ones that shrank past nothing."""
        return replace(self, past=np.where(some[:, None], np.pi, self.past))

    @property
    def slides(self) -> Bools:
        """Which elements slide ``(b, k)``."""
        return np.asarray(self.kind == SLIDE)

    @property
    def ended(self) -> Bools:
        """Which elements slide and have come to an end of their stretch ``(b, k)``."""
        return np.asarray(self.slides & ((self.u <= ROUNDING) | (self.u >= self.top - ROUNDING)))

    def past_nothing(self, legs: Legs) -> Ints:
        """Return the index of the first arc of each path that has shrunk past nothing ``(b,)``; 0 for none."""
        return np.asarray(np.argmax(legs.sweep * np.sign(self.turned) < -ANGLE, axis=1))

    @property
    def over(self) -> Bools:
        """Which paths take ways over ``(b,)``."""
        return np.asarray((self.transition >= 0).any(axis=1))

    @property
    def cut_short(self) -> Bools:
        """Which paths lead from a ring to a place within it, or back, so that their cost means nothing ``(b,)``."""
        apart, round_ = self.apart(), np.abs(self.turned)
        one = (round_[:, 1:] == 0) != (round_[:, :-1] == 0)
        one[np.arange(len(self)), self.size - 2] &= self.rim == 0
        return np.asarray((one & (apart < np.maximum(round_[:, 1:], round_[:, :-1]) - TOUCH)).any(axis=1))

    # -- places and costs -----------------------------------------------------------------------------------

    def legs(self) -> Legs:
        """Work out the links of all paths."""
        c = self.places()
        d = c[:, 1:] - c[:, :-1]
        dist = lengths(d[..., 0], d[..., 1])
        if not (self.turned.any() or self.rim.any()):
            ahead = d / np.maximum(dist, TINY)[..., None]
            return Legs(c[:, :-1], c[:, 1:], dist, dist, ahead, np.zeros(self.kind.shape))
        r1, r2 = self.turned[:, :-1], self.turned[:, 1:]
        off = r2 - r1
        least = np.abs(off)
        gap, round_, both = dist - least, (r1 != 0) | (r2 != 0), (r1 != 0) & (r2 != 0)
        # A place far from the origin lies beside its ring by more than numbers of size 1 are rounded.
        beyond = gap * (dist + least)
        apart = (gap > ROUNDED) & (beyond > ON_CIRCLE * (round_ & ~both))
        whole = np.sqrt(np.where(apart, beyond, 0.0))
        # Two rings one of which lies within the other have no tangent; a place within a ring lies on it by rounding.
        whole[both & (gap < -ABOUT)] = np.nan
        phi = np.arctan2(d[..., 1], d[..., 0]) - np.arctan2(off, whole)
        ahead = unit(phi)
        side = ahead[..., ::-1] * _CLOCKWISE  # a quarter turn clockwise of the direction
        p, q = c[:, :-1] + r1[..., None] * side, c[:, 1:] + r2[..., None] * side
        length = whole
        onto = np.flatnonzero(self.rim)
        if len(onto):
            last = self.size[onto] - 2
            length = whole.copy()
            length[onto, last] = np.abs(whole[onto, last] - self.rim[onto])
            q[onto, last] -= self.rim[onto, None] * ahead[onto, last]
        sweep = np.zeros(self.kind.shape)
        turn = np.sign(self.turned[:, 1:-1])
        by = ((phi[:, 1:] - phi[:, :-1]) * turn) % math.tau
        sweep[:, 1:-1] = np.where(by > math.tau - self.past[:, 1:-1], by - math.tau, by) * turn
        return Legs(p, q, length, whole, ahead, sweep)

    def places(self) -> Floats:
        """Positions of all elements, of rings their centres ``(b, k, 2)``."""
        c = self.xy.copy()
        slide = self.slides.nonzero()
        if len(slide[0]):
            c[slide] = self.net.rims.at(*self._on_pieces(slide))
        follow = self.kind == FOLLOW
        for i in np.flatnonzero(follow.any(axis=0)).tolist() if follow.any() else ():
            rows = np.flatnonzero(follow[:, i])
            for j, mine in alike(self.transition[rows, i - 1]):
                k = rows[mine]
                c[k, i] = c[k, i - 1] if j < 0 else self.net.transitions[j].landing(c[k, i - 1])
        return c

    def _on_pieces(self, slide: tuple[Ints, ...]) -> tuple[Ints, Floats]:
        """Return the pieces of rims, and parameters on them, of elements that slide, given by rows and columns."""
        return self.net.rims.on_piece(self.course[slide], self.origin[slide], self.u[slide])

    def apart(self) -> Floats:
        """How far apart neighbouring places are, and centres of rings ``(b, k - 1)``, inches."""
        c = self.places()
        d = c[:, 1:] - c[:, :-1]
        return lengths(d[..., 0], d[..., 1])

    def frame(self) -> tuple[Floats, Floats, Floats]:
        """Return tangents, normals and curvatures where places slide; 0 elsewhere."""
        slide, found = self.slides.nonzero(), (*np.zeros((2, *self.kind.shape, 2)), np.zeros(self.kind.shape))
        for out, some in zip(found, self.net.rims.frame(*self._on_pieces(slide)), strict=True):
            out[slide] = some
        return found

    def cost(self, legs: Legs | None = None, held: Held | None = None) -> Floats:
        """Cost of paths ``(b,)``, inches; infinite where rings lie within each other or a way over cannot land.

        Ways over that constraints keep out of difficult ground are weighed without it.
        """
        if legs is None and not (self.turned.any() or self.rim.any() or (self.transition >= 0).any()):
            return sums(self.weight * self.apart())
        begun, last = self.costs(legs, held)
        return begun + last

    def costs(self, legs: Legs | None = None, held: Held | None = None) -> tuple[Floats, Floats]:
        """Return the cost of paths without their last way over, and the cost of that ``(b,)``; see :meth:`cost`."""
        legs = self.legs() if legs is None else legs
        begun, last = sums(self.weight * np.where(self.weight > 0, legs.length, 0.0)), np.zeros(len(self))
        begun += sums(legs.sweep * self.turned * self.heavy)
        row, col = np.nonzero((self.kind == WRAP) & (self.heavy == 0))
        if len(row):
            turn, at = np.sign(self.turned[row, col]), (row, col - 1)
            np.add.at(begun, row, self.net.arcs.costs(self.ring[row, col], legs.q[at], legs.sweep[row, col], turn))
        row, col = np.nonzero(self.transition >= 0)
        ends = np.append(row[1:] != row[:-1], True)  # row by row
        for j, mine in alike(self.transition[row, col]):
            transition, r, c = self.net.transitions[j], row[mine], col[mine]
            for ground, k in self._grounds(r, c, held):
                at = r[k], c[k]
                cost, final = transition.cost(legs.p[at], legs.q[at], ground), ends[mine][k]
                last[r[k][final]] = cost[final]
                np.add.at(begun, r[k][~final], cost[~final])
        return np.where(np.isnan(begun), np.inf, begun), np.where(np.isnan(last), np.inf, last)

    def _grounds(self, row: Ints, column: Ints, held: Held | None) -> list[tuple[Grown | None, Ints | slice]]:
        """Return the grounds by which ways over, links given by rows and columns, are weighed, each with its ways."""
        if held is None or all(g.ground is None for g in held.every):
            return [(None, slice(None))]
        way = np.cumsum(self.transition >= 0, axis=1)[row, column] - 1
        alike, group = np.unique(np.column_stack([way, held.which[self.of[row]]]), axis=0, return_inverse=True)
        grounds = [
            [g.ground for g in map(held.every.__getitem__, which) if g.way == number and g.ground is not None]
            for number, *which in alike.tolist()
        ]
        return [(some[-1] if some else None, np.flatnonzero(group.ravel() == n)) for n, some in enumerate(grounds)]

    def slopes(self) -> tuple[Floats, Floats, Floats]:
        """Slopes and curvatures of the costs at sliding places ``(b, k)``, mixed ones of neighbours ``(b, k - 1)``.

        For paths without ways over, where only places joined by a straight link depend on each other.
        """
        legs = self.legs()
        tangent, normal, curve = self.frame()
        e = legs.ahead
        # Onto a ring the direction is that of its tangent, however short the link.
        round_ = (self.turned[:, 1:] != 0) | (self.turned[:, :-1] != 0)
        w = np.where((legs.whole > ROUNDING) | round_, self.weight, 0.0)
        along_in, along_out = dot(e, tangent[:, 1:]), dot(e, tangent[:, :-1])  # of the link that comes in, at its end
        stiff = w / np.maximum(legs.whole, ROUNDING)
        slope, bend = np.zeros(self.kind.shape), np.zeros(self.kind.shape)
        slope[:, 1:] += w * along_in
        slope[:, :-1] -= w * along_out
        bend[:, 1:] += stiff * (1 - along_in**2) - w * dot(e, normal[:, 1:]) * curve[:, 1:]
        bend[:, :-1] += stiff * (1 - along_out**2) + w * dot(e, normal[:, :-1]) * curve[:, :-1]
        tie = -stiff * (dot(tangent[:, :-1], tangent[:, 1:]) - along_in * along_out)
        return slope, bend, tie

    # -- legality -------------------------------------------------------------------------------------------

    def allowed(self, bare: Floats) -> Floats:
        """Return the costs of paths checked link by link, given their plain costs ``(b,)``; infinite where barred."""
        legs = self.legs()
        total = bare.copy()
        before, after = self._bound_by(legs)
        real = np.arange(self.weight.shape[1]) < self.size[:, None] - 1
        row, col = np.nonzero(real & (self.kind[:, :-1] == WRAP))
        total[row[~self._arcs_open(legs, row, col, before[row, col])]] = np.inf
        links = (self.transition + 1) * len(self.net.spaces) + self.space
        row, col = np.nonzero(real & np.isfinite(total)[:, None])
        for link, mine in alike(links[row, col]):
            k, i = row[mine], col[mine]
            way, s = link // len(self.net.spaces) - 1, link % len(self.net.spaces)
            p, q = legs.p[k, i], legs.q[k, i]
            if way >= 0:
                total[k[~self.net.transitions[way].open(p, q, *self.bound[k, i].T)]] = np.inf
                continue
            true = self.net.spaces[s].straight(p, q, before[k, i], after[k, i])
            # A link may weigh less than was thought (along a rim), never more.
            more = np.where(np.isfinite(true), true - self.weight[k, i] * legs.length[k, i], np.inf)
            np.add.at(total, k, more)
        return total

    def _bound_by(self, legs: Legs) -> tuple[Bools, Bools]:
        """Say whether the mover is bound to the charged enemy at the begin and the end of each link ``(b, k - 1)``."""
        turns = np.zeros(self.space.shape, dtype=bool)
        for s, space in enumerate(self.net.spaces):
            if space.target is not None:
                near = space.target.reaches(legs.q)
                # A sliding place may have come into the zone, or out of it.
                charges = self.bound[np.arange(len(self)), self.size - 2, 1][:, None] & self.slides[:, 1:]
                turns |= (self.space == s) & ((self.bound[..., 1] & (near | (not space.stays))) | (charges & near))
        before, after = np.zeros((2, *self.space.shape), dtype=bool)
        state = self.bound[:, 0, 0]
        for i in range(self.space.shape[1]):
            before[:, i] = state
            state = after[:, i] = np.where(self.transition[:, i] >= 0, self.bound[:, i, 1], state | turns[:, i])
        return before, after

    def _arcs_open(self, legs: Legs, k: Ints, i: Ints, bound: Bools) -> Bools:
        """Say which arcs ``(n,)``, each of a path and an element, are open from end to end."""
        turn, q, p = np.sign(self.turned[k, i]).astype(int), legs.q[k, i - 1], legs.p[k, i]
        arcs, every = self.net.arcs, self.ring[k, i]
        # From a place on the ring, up to rounding, a tangent is as long as the root of the rounding error.
        theta = [np.arctan2(d[:, 1], d[:, 0]) for d in (q - arcs.center[every], p - arcs.center[every])]
        at = [arcs.locate(every, angle, bound, TOUCH) for angle in theta]
        into = [arcs.into(every, angle, np.maximum(arc, 0), TOUCH) for angle, arc in zip(theta, at, strict=True)]
        into = [np.where(turn > 0, some, arcs.width[every, arc] - some) for some, arc in zip(into, at, strict=True)]
        way, runs = ways_round(every, bound, turn), arcs.runs
        begin, end = (runs.until[way, arc] + some for arc, some in zip(at, into, strict=True))
        sweep = legs.sweep[k, i]
        # An arc from late on a run to early on it would pass through the gap between the end and the begin of the run.
        within = (runs.number[way, at[0]] == runs.number[way, at[1]]) & (np.abs(sweep) - (end - begin) < np.pi)
        ok = arcs.passed(every, at[0], bound, turn) & arcs.passed(every, at[1], bound, turn)
        ok &= (runs.closes[way] | within) & (sweep * turn >= 0)
        return np.asarray(ok | (np.abs(sweep) * arcs.rho[every] < HAIR))


_ROWS: Final = tuple(one.name for one in fields(Batch) if one.name not in {"net", "inner"})


def alike(numbers: Ints) -> list[tuple[int, Ints]]:
    """Return the different numbers among a few, in order, each with its positions."""
    return [(number, np.flatnonzero(numbers == number)) for number in sorted(set(numbers.tolist()))]
