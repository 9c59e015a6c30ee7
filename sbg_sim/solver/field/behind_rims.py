"""Places behind rims of difficult ground: where along them paths to many places cross, from exact costs along the rims.

Along a stretch of a rim the cost of a place is what the rim costs and the straight from there on. Where it falls at one
end and rises at the other it is least in between; a cubic through costs and slopes says where, and what about it costs.
What something is in the way of is mended.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.arrays import Rows, distances, first_of_each
from sbg_sim.geometry.breaks import first_hit
from sbg_sim.solver.field.candidates import ToPolish, ended, joined
from sbg_sim.solver.path.gathering import gather
from sbg_sim.solver.path.paths import Fixed, Link, Slide, form_of, on_own_ring
from sbg_sim.tolerance import CUBIC, ROUNDING, TINY, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.geometry.grown import Grown
    from sbg_sim.solver.field.candidates import Blocked
    from sbg_sim.solver.field.exact_costs import ExactCosts
    from sbg_sim.solver.field.rim_costs import RimCosts
    from sbg_sim.solver.field.tails import Tail
    from sbg_sim.solver.path.paths import PathType

_AHEAD: Final = 64  # crossings looked at in one go, if only one of each place
_STRAIGHTS: Final = 4  # straights to one place looked at in one go
_STEPS: Final = 6  # of Newton's method on a cubic
_BLOCK: Final = 300_000  # places times places on rims looked at in one go


@dataclass(frozen=True)
class Crossings(Rows):
    """Where paths to some places may cross rims last, a row each.

    Parameters
    ----------
    row
        Which place it leads to.
    spot
        The place on the rim whose type of path it is.
    piece, u
        Where it crosses: the piece, and inches along it.
    cost
        About what it costs, inches; a lower bound where types of path meet.
    left
        The place on the rim that it lies at, or after: before the next.
    sure
        Whether it costs so much to about ``CUBIC``.

    """

    row: Ints
    spot: Ints
    piece: Ints
    u: Floats
    cost: Floats
    left: Ints
    sure: Bools


class BehindRims:
    """Finds where paths cross the rims of one field last.

    Parameters
    ----------
    costs
        Exact costs along the rims.
    exact
        What polishes the costs of places of the field.

    Attributes
    ----------
    nodes
        The samples of rims that need not be looked at as last bends: all their neighbours have types of path.

    """

    def __init__(self, costs: RimCosts, exact: ExactCosts) -> None:
        rims = exact.net.rims
        self.costs, self.exact, self.rims = costs, exact, rims
        self.tangent, normal, _ = rims.frame(costs.piece, costs.u)
        self.columns = np.concatenate([costs.xy.T, self.tangent.T, normal.T])
        linked = costs.linked
        same = linked & costs.alike
        # Between two pieces of a course as well: pieces between them may have no sample.
        self.met = np.flatnonzero(costs.joined & ~same)
        self.width = np.diff(rims.along(costs.piece, costs.u))[self.met]
        # Neighbours of one type between two samples make one stretch; on either side of it others may begin. Along an
        # arc the cost of a place may fall, rise and fall again: there every neighbour is looked at.
        ends = (costs.node >= 0) | ~np.append(same, False) | ~np.append(False, same) | (rims.radius[costs.piece] > 0)
        self.spots = np.flatnonzero(ends)
        stretch = np.searchsorted(self.spots, np.flatnonzero(same), side="right") - 1
        self.wide = np.full(max(len(self.spots) - 1, 0), -np.inf)  # as good as: from there to the next leads no stretch
        self.wide[stretch] = np.diff(costs.u[self.spots])[stretch]
        low, high = ~np.append(False, linked)[self.spots], ~np.append(linked, False)[self.spots]
        self.ends, self.low, self.high = np.flatnonzero(low | high), low, high
        # Alone on its piece, on a course of tiny ones: types of path may begin between it and the next.
        on_piece, on_course = (np.append(False, v) | np.append(v, False) for v in (linked, costs.joined))
        vague = (costs.which < 0) | (on_course & ~on_piece)
        vague |= np.append(False, vague[:-1] & linked) | np.append(vague[1:] & linked, False)
        self.nodes = np.unique(costs.node[(costs.node >= 0) & ~vague])
        self.tails: list[Tail] = []
        self._numbers: dict[tuple[int, int, float], int] = {}
        self._forms: dict[tuple[PathType, float, PathType], int] = {}
        # Where a path along a rim meets one that comes straight to it, both go on out of the ground as one type.
        passing = [[self._passes(n, 0), self._passes(n, 1)] for n in self.met.tolist()]
        self.passing = np.array(passing, dtype=bool).reshape(-1, 2)
        self.passed = np.zeros(len(costs.piece), dtype=bool)  # no other type of path begins between them and the next
        self.passed[self.met[self.passing.any(axis=1)]] = True

    def least(self, xy: Floats, most: Floats) -> tuple[Floats, Bools]:
        """Return costs of places ``(n, 2)`` by way of rims, inches; infinite where others ``(n,)`` are no higher.

        With them the places to which another type of path may lead than those that the rims have.
        """
        weight = self.exact.space.weight(xy)
        out, bare, barred = self._polished(xy, weight, most, self.near(xy, weight, most + CUBIC))
        if barred:
            out, _ = self.exact.mended(xy, out, joined(barred))
        return np.where(out < most, out, np.inf), bare < out - ROUNDING

    def straight(self, xy: Floats, weight: Floats, most: Floats, every: Crossings) -> Floats:
        """Return what places ``(n, 2)`` on ground of some weights cost that come straight from crossings, inches.

        To about ``CUBIC``; infinite where others ``(n,)`` are no higher.
        """
        every = every.some(np.lexsort((every.cost, every.row)))
        out = self._straight(xy, weight, most, every.some(np.flatnonzero(every.sure)))
        every = every.some(np.flatnonzero(~every.sure & (every.cost < out[every.row] + CUBIC)))
        every = every.some(np.flatnonzero(~self._barred(self.exact.space.closed, xy, every)))
        out = self._polished(xy, weight, out, every)[0]
        return np.where(out < most, out, np.inf)

    def _polished(
        self, xy: Floats, weight: Floats, most: Floats, every: Crossings
    ) -> tuple[Floats, Floats, list[Blocked]]:
        """Polish the crossings that may lead to places ``(n, 2)`` for less than others ``(n,)``, inches.

        Returns
        -------
        Costs, what other types of path may cost (inches, infinite where none may lead), and blocked paths.

        """
        every = every.some(np.lexsort((every.cost, every.row)))
        left, bare, out = np.arange(len(every.row)), np.full(len(xy), np.inf), most
        barred: list[Blocked] = []
        while len(left):
            # The cheapest of every place is looked at first; what cannot come below what is known, never.
            left = left[every.cost[left] < out[every.row[left]] + CUBIC]
            # Where places are few, several are looked at: most of the time goes into asking at all.
            row = every.row[left]
            ahead = max(1, _AHEAD // max(1, len(np.unique(row))))
            first = first_of_each(row, ahead)
            part, left = every.some(left[first]), left[~first]
            which, slid = self.paths(part, weight[part.row])
            out, _, blocked = self.exact.settled(xy, out, ToPolish(self.tails, part.row, which, which, slid))
            # What a rim costs by the way along it another type of path may come to.
            other = (part.cost < out[part.row] - CUBIC) & ~(self.passed[part.left] & (weight[part.row] == 1.0))
            if blocked is not None:
                barred.append(blocked)
                count = len(self.tails)
                other &= ~np.isin(part.row * count + which, blocked.rows * count + blocked.which)
            np.minimum.at(bare, part.row[other], part.cost[other])
        return out, bare, barred

    def _straight(self, xy: Floats, weight: Floats, most: Floats, every: Crossings) -> Floats:
        """Return costs of places by straights from crossings, in order, or others ``(n,)`` no higher, inches."""
        out, left = most.copy(), np.arange(len(every.row))
        while len(left):
            left = left[every.cost[left] < out[every.row[left]]]
            first = first_of_each(every.row[left], _STRAIGHTS)
            part, left = every.some(left[first]), left[~first]
            p, q, free = self.rims.at(part.piece, part.u), xy[part.row], np.zeros(len(part.row), dtype=bool)
            bare = weight[part.row] * np.hypot(*(q - p).T)
            open_ = np.flatnonzero(self.exact.space.straight(p, q, free, free) <= bare + CUBIC)
            np.minimum.at(out, part.row[open_], part.cost[open_])
        return out

    def _barred(self, body: Grown, xy: Floats, every: Crossings) -> Bools:
        """Say whether one convex part of what is closed bars the straights from all places on a rim near crossings."""
        to, ends = xy[every.row], self.costs.xy[every.left + np.array([[0], [1]])]
        (dx, dy), wide = np.moveaxis(ends - to, -1, 0), np.hypot(*(ends[1] - ends[0]).T)
        away = np.hypot(dx, dy)
        (one, two), (part, other) = (
            np.split(found, 2)
            for found in first_hit(np.tile(to, (2, 1)), np.arctan2(dy, dx).ravel(), away.ravel(), body, TOUCH)
        )
        # A rim bulges from the straight between two places by less than they lie apart.
        return np.asarray((part == other) & (np.maximum(one, two) < away.min(axis=0) - wide))

    # -- crossings ------------------------------------------------------------------------------------------

    def near(self, xy: Floats, weight: Floats, most: Floats) -> Crossings:
        """Return where paths to places ``(n, 2)`` on ground of some weights may cross for at most so much ``(n,)``."""
        step = max(1, _BLOCK // (len(self.spots) + 1))
        parts = []
        for a in range(0, len(xy), step):
            part = self._near(xy[a : a + step], weight[a : a + step], most[a : a + step])
            parts.append(replace(part, row=part.row + a))
        return Crossings.joined(parts)

    def _near(self, xy: Floats, weight: Floats, most: Floats) -> Crossings:
        (i, k), (row, end) = self._low(xy, weight, most)
        found = [self._between(xy, weight, most, i, k)]
        # Where a rim ends a path may cross just there.
        spot, low, high = (v[self.ends[end]] for v in (self.spots, self.low, self.high))
        cost, rise, ok = self._at(xy[row], weight[row], spot)
        k = np.flatnonzero(ok & ((low & (rise >= 0)) | (high & (rise <= 0))))
        row, spot, sure = row[k], spot[k], np.ones(len(k), dtype=bool)
        found.append(Crossings(row, spot, self.costs.piece[spot], self.costs.u[spot], cost[k], spot, sure))
        found.append(self._where_types_meet(xy, weight, most))
        every = Crossings.joined(found)
        return every.some(np.flatnonzero(self.costs.which[every.spot] >= 0))

    def _low(self, xy: Floats, weight: Floats, most: Floats) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints]]:
        """Return for which places the cost along which stretches may be below the most, and for which at which ends."""
        value = distances(self.costs.xy[self.spots], xy)
        value *= weight
        value += self.costs.cost[self.spots, None]
        # Along a stretch the cost rises by no more than an inch an inch, and so does the straight from there.
        least = value[:-1] + value[1:]
        least -= (1 + weight) * self.wide[:, None]
        k, i = np.nonzero(least < 2 * most)
        end, row = np.nonzero(value[self.ends] < most)
        return (i, k), (row, end)

    def _at(self, xy: Floats, weight: Floats, spot: Ints) -> tuple[Floats, Floats, Bools]:
        """Cost by way of places on rims (inches), how fast it rises along them, and whether paths go on there."""
        costs = self.costs
        px, py, tx, ty, nx, ny = self.columns.take(spot, axis=1)
        dx, dy = px - xy[..., 0], py - xy[..., 1]
        away = np.sqrt(dx * dx + dy * dy)
        out = dx * nx + dy * ny <= 0
        rise = costs.slope[spot] + weight * (dx * tx + dy * ty) / np.maximum(away, TINY)
        goes = np.where(out, costs.sides[spot, 0], costs.sides[spot, 1]) & (out == (weight == 1.0))
        return costs.cost[spot] + weight * away, rise, goes

    def _between(self, xy: Floats, weight: Floats, most: Floats, i: Ints, k: Ints) -> Crossings:
        """Where the cost of places ``i`` is least along stretches ``k``, between their ends."""
        a, b, costs = self.spots[k], self.spots[k + 1], self.costs
        # Inwards from either end the cost rises no faster than along the rim, however a path comes to that end.
        fa, da, one = self._at(xy[i], weight[i], a)
        da -= np.maximum(costs.slope[a] - 1, 0)
        down = np.flatnonzero(da < 0)
        i, a, b, width = i[down], a[down], b[down], self.wide[k[down]]
        fa, da, one = fa[down], da[down], one[down]
        fb, db, two = self._at(xy[i], weight[i], b)
        db += np.maximum(-1 - costs.slope[b], 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            # Where the tangents at both ends meet.
            least = (fa * db - fb * da + da * db * width) / (db - da)
        near = (db > 0) & (one | two) & (np.minimum(least, np.minimum(fa, fb)) < most[i])
        i, left, right = i[near], a[near], b[near]
        todo = np.flatnonzero(right > left + 1)
        while len(todo):
            mid = left[todo] + 1
            falls = self._at(xy[i[todo]], weight[i[todo]], mid)[1] < 0
            left[todo[falls]], right[todo[~falls]] = mid[falls], mid[~falls]
            todo = todo[right[todo] > left[todo] + 1]
        right = left + 1
        h = np.maximum(costs.u[right] - costs.u[left], TINY)
        t, cost = self._least(xy[i], weight[i], left, h, costs.cubic(left, h))
        spot = np.where(t < h / 2, left, right)
        return Crossings(i, spot, costs.piece[left], costs.u[left] + t, cost, left, costs.smooth(left, h))

    @np.errstate(divide="ignore", invalid="ignore", under="ignore")
    def _least(
        self, xy: Floats, weight: Floats, left: Ints, h: Floats, cubic: Sequence[Floats]
    ) -> tuple[Floats, Floats]:
        """Where between places on rims and the next the cost is least if the rim has a cubic, and that cost, inches."""
        piece, u0 = self.costs.piece[left], self.costs.u[left]
        flat, lean, bend, twist = cubic
        low, high = np.zeros(len(h)), h.copy()
        # From the foot of a place on the rim: near to it a path crosses as near to its foot.
        t = np.clip(((xy - self.costs.xy[left]) * self.tangent[left]).sum(axis=1), 0.0, h)
        for _ in range(_STEPS):
            slope, curve = self._rise(piece, u0 + t, xy, weight)
            slope, curve = slope + lean + (2 * bend + 3 * twist * t) * t, curve + 2 * bend + 6 * twist * t
            low, high = np.where(slope < 0, t, low), np.where(slope < 0, high, t)
            new = t - slope / curve
            t = np.where((new >= low) & (new <= high), new, (low + high) / 2)
        away = np.hypot(*(self.rims.at(piece, u0 + t) - xy).T)
        return t, flat + (lean + (bend + twist * t) * t) * t + weight * away

    def _rise(self, piece: Ints, u: Floats, xy: Floats, weight: Floats) -> tuple[Floats, Floats]:
        """How fast the straight on to places changes along rims, and how fast that does."""
        tangent, normal, curve = self.rims.frame(piece, u)
        d = self.rims.at(piece, u) - xy
        away = np.maximum(np.hypot(d[:, 0], d[:, 1]), TINY)
        along = (d * tangent).sum(axis=1) / away
        return weight * along, weight * ((1 - along * along) - (d * normal).sum(axis=1) * curve) / away

    def _where_types_meet(self, xy: Floats, weight: Floats, most: Floats) -> Crossings:
        """Crossings between two places on a rim that paths of two types come to: of the one type and of the other."""
        costs, met, width = self.costs, np.tile(self.met, 2), np.tile(self.width, 2)
        side = np.repeat([0, 1], len(self.met))
        sign, spot = 2.0 * side - 1, met + side
        told = self.passing.T.ravel() & (weight == 1.0)[:, None]  # what the other says of both is no less
        i, s = np.nonzero((costs.cost[spot] < most[:, None] + width) & ~told)
        value, rise, ok = self._at(xy[i], weight[i], spot[s])
        slope = sign[s] * np.maximum(sign[s] * costs.slope[spot[s]], -1.0)
        rise += slope - costs.slope[spot[s]]
        ahead = sign[s] * rise
        k = np.flatnonzero(ok & (ahead > 0) & (value - np.maximum(ahead, 0.0) * width[s] < most[i]))
        i, s, slope = i[k], s[k], slope[k]
        # The cost of a type goes on straight at least, for what is known at one end.
        none = np.zeros(len(s))
        straight = (costs.cost[spot[s]] - side[s] * slope * width[s], slope, none, none)
        t, cost = self._least(xy[i], weight[i], met[s], width[s], straight)
        both = met[s, None] + np.array([0, 1])
        piece, u = self.rims.between(costs.piece[both], costs.u[both], t / width[s])
        return Crossings(i, spot[s], piece, u, cost, met[s], np.zeros(len(i), dtype=bool))

    # -- paths ----------------------------------------------------------------------------------------------

    def paths(self, crossings: Crossings, weight: Floats) -> tuple[Ints, Floats]:
        """Return the tails of the paths that cross so, to ground of some weights, and where they slide ``(b, k)``."""
        costs = self.costs
        which = np.empty(len(crossings.row), dtype=np.int64)
        u = np.zeros((len(which), costs.slid.shape[1] + 1))
        u[:, :-1] = costs.slid[crossings.spot]
        piece, path_type = crossings.piece, costs.path_type[crossings.spot]
        marks = np.column_stack([path_type, piece, weight.astype(np.int64)])
        for mark in np.unique(marks, axis=0).tolist():
            mine = np.flatnonzero((marks == mark).all(axis=1))
            number = self._number((mark[0], mark[1], float(mark[2])))
            which[mine] = number
            last = len(self.tails[number].path.elements) - 2
            crossing = self.tails[number].path.elements[last]
            if isinstance(crossing, Slide) and crossing.piece == mark[1]:
                u[mine, last] = crossings.u[mine]
        return which, u

    def _number(self, key: tuple[int, int, float]) -> int:
        """Return the number of the tail that goes on behind a piece of a rim, to which one type of path leads."""
        if key not in self._numbers:
            path_type, piece, weight = key
            spot = np.flatnonzero((self.costs.path_type == path_type) & (self.costs.which >= 0))[0]
            tail = self.costs.tails[int(self.costs.which[spot])]
            link, crossing, end = Link(self.exact.field.space, weight=weight), Slide(piece, 0.0), Fixed((0.0, 0.0))
            leaves = weight == 1.0 and self._leaves(tail, crossing)
            path, whole = (
                replace(one, elements=(*one.elements[:-1], end), links=(*one.links[:-1], link))
                if leaves
                else replace(one, elements=(*one.elements[:-1], crossing, end), links=(*one.links, link))
                for one in (tail.path, tail.whole)
            )
            form = form_of(path), tail.before, form_of(whole)
            if form not in self._forms:
                self._forms[form] = len(self.tails)
                self.tails.append(replace(tail, path=path, whole=whole, path_type=(*tail.path_type, piece, weight)))
            self._numbers[key] = self._forms[form]
        return self._numbers[key]

    def _leaves(self, tail: Tail, crossing: Slide) -> bool:
        """Say whether a path that comes to a rim goes on out of the ground without a bend there.

        Off the ring of its rim it goes by a tangent, and off a straight rim that it came along it could go before.
        """
        straight = self.rims.radius[crossing.piece] == 0 and tail.path.links[-1].weight == 1.0
        return straight or on_own_ring(self.exact.net, crossing, tail.path.elements[-2])

    def _passes(self, met: int, side: int) -> bool:
        """Say whether the path on one side of where types meet goes on out of the ground as that on the other does."""
        spots = np.array([met + side, met + 1 - side])
        if (self.costs.which[spots] < 0).any():
            return False
        piece, path_type = self.costs.piece[spots].tolist(), self.costs.path_type[spots].tolist()
        tail, crossing = self.costs.tails[int(self.costs.which[spots[0]])], Slide(piece[0], 0.0)
        if piece[0] != piece[1] or not self._leaves(tail, crossing):
            return False
        one, other = (self._number((kind, piece[0], 1.0)) for kind in path_type)
        return one == other and bool((self._told(spots) <= self.costs.cost[spots] + ROUNDING).all())

    def _told(self, spots: Ints) -> Floats:
        """Return what paths to some places on rims cost by their types alone ``(n,)``, whatever the way along rims."""
        costs = self.costs
        tails = [costs.tails[n] for n in costs.which[spots].tolist()]
        paths = [ended(tail.path, costs.slid[n], costs.xy[n]) for tail, n in zip(tails, spots.tolist(), strict=True)]
        return np.asarray(gather(self.exact.net, paths).cost() + np.array([tail.before for tail in tails]))
