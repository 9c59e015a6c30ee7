"""Finds where paths to many places cross rims of difficult ground last, from the exact costs along the rims.

The cost of a place by way of a rim is the cost of the rim plus the straight from there. If along a stretch this sum
falls at one end and rises at the other, its minimum lies in between; a cubic through costs and slopes gives its place
and about its value. Paths that are blocked are mended.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.arrays import Rows, distances, dot, equal_rows, first_of_each, lengths
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

_AHEAD: Final = 64  # crossings polished in one call, if there are few places
_STRAIGHTS: Final = 4  # straights to each place tested in one call
_STEPS: Final = 6  # Newton steps on a cubic
_BLOCK: Final = 300_000  # pairs of places and places on rims in one array


@dataclass(frozen=True)
class Crossings(Rows):
    """Where paths to places may cross rims last, a row for each crossing.

    Parameters
    ----------
    row
        The number of the place to which the path leads.
    spot
        The number, in the rim costs, of the place whose type of path it takes.
    piece, u
        The piece on which it crosses, and inches along it.
    cost
        About the cost of the path, inches; a lower bound where types of path meet.
    left
        The last place, in the rim costs, at or before the crossing.
    sure
        Whether the cost is true to about ``CUBIC``.

    """

    row: Ints
    spot: Ints
    piece: Ints
    u: Floats
    cost: Floats
    left: Ints
    sure: Bools


class BehindRims:
    """Finds where the paths of one field cross rims last.

    Parameters
    ----------
    costs
        Exact costs along the rims.
    exact
        Polishes paths to the places of the field.

    Attributes
    ----------
    nodes
        The samples of rims that need not count as last bends: types of path are known at all their neighbours.

    """

    def __init__(self, costs: RimCosts, exact: ExactCosts) -> None:
        rims = exact.net.rims
        self.costs, self.exact, self.rims = costs, exact, rims
        self.tangent, normal, _ = rims.frame(costs.piece, costs.u)
        self.columns = np.concatenate([costs.xy.T, self.tangent.T, normal.T])
        linked = costs.linked
        same = linked & costs.alike
        # Also between two pieces of a course, where pieces in between may have no sample.
        self.met = np.flatnonzero(costs.joined & ~same)
        self.width = np.diff(rims.along(costs.piece, costs.u))[self.met]
        # Places of one type between two samples make one stretch. Along an arc the cost may fall, rise and fall again:
        # there every place ends a stretch.
        ends = (costs.node >= 0) | ~np.append(same, False) | ~np.append(False, same) | (rims.radius[costs.piece] > 0)
        self.spots = np.flatnonzero(ends)
        stretch = np.searchsorted(self.spots, np.flatnonzero(same), side="right") - 1
        self.wide = np.full(max(len(self.spots) - 1, 0), -np.inf)  # excludes gaps between spots that no stretch fills
        self.wide[stretch] = np.diff(costs.u[self.spots])[stretch]
        low, high = ~np.append(False, linked)[self.spots], ~np.append(linked, False)[self.spots]
        self.ends, self.low, self.high = np.flatnonzero(low | high), low, high
        # A place alone on its piece, on a course of tiny pieces: other types of path may begin beside it.
        on_piece, on_course = (np.append(False, v) | np.append(v, False) for v in (linked, costs.joined))
        vague = (costs.which < 0) | (on_course & ~on_piece)
        vague |= np.append(False, vague[:-1] & linked) | np.append(vague[1:] & linked, False)
        self.nodes = np.unique(costs.node[(costs.node >= 0) & ~vague])
        self.tails: list[Tail] = []
        self._numbers: dict[tuple[int, int, float], int] = {}
        self._forms: dict[tuple[PathType, float, PathType], int] = {}
        # Where types meet, the paths of both sides may go on out of the ground as one type.
        passing = [[self._passes(n, 0), self._passes(n, 1)] for n in self.met.tolist()]
        self.passing = np.array(passing, dtype=bool).reshape(-1, 2)
        self.passed = np.zeros(len(costs.piece), dtype=bool)  # no other type of path begins between them and the next
        self.passed[self.met[self.passing.any(axis=1)]] = True

    def least(self, xy: Floats, most: Floats) -> tuple[Floats, Bools]:
        """Return costs of places ``(n, 2)`` by way of rims, inches; infinite if not below ``most`` ``(n,)``.

        Return as well to which places a type of path may lead that the rims do not know.
        """
        weight = self.exact.space.weight(xy)
        out, bare, barred = self._polished(xy, weight, most, self.near(xy, weight, most + CUBIC))
        if barred:
            out, _ = self.exact.mended(xy, out, joined(barred))
        return np.where(out < most, out, np.inf), bare < out - ROUNDING

    def straight(self, xy: Floats, weight: Floats, most: Floats, every: Crossings) -> Floats:
        """Return costs of places ``(n, 2)`` by straights from crossings, true to about ``CUBIC``, inches.

        The ground at the places has the given weights ``(n,)``. Costs are infinite if not below ``most`` ``(n,)``.
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
        """Polish the crossings that may lead to places ``(n, 2)`` for less than ``most`` ``(n,)``, inches.

        Returns
        -------
        Costs; lower bounds of the costs by other types of path, inches, infinite if there are none; and blocked paths.

        """
        every = every.some(np.lexsort((every.cost, every.row)))
        left, bare, out = np.arange(len(every.row)), np.full(len(xy), np.inf), most
        barred: list[Blocked] = []
        while len(left):
            # The cheapest crossing of each place goes first; one that cannot improve the cost is dropped.
            left = left[every.cost[left] < out[every.row[left]] + CUBIC]
            # For few places several at once, since most of the time is spent per call.
            row = every.row[left]
            ahead = max(1, _AHEAD // max(1, len(np.unique(row))))
            first = first_of_each(row, ahead)
            part, left = every.some(left[first]), left[~first]
            which, slid = self.paths(part, weight[part.row])
            out, _, blocked = self.exact.settled(xy, out, ToPolish(self.tails, part.row, which, which, slid))
            # A cost that was not attained may belong to another type of path, for which a place on the rim stands.
            other = (part.cost < out[part.row] - CUBIC) & ~(self.passed[part.left] & (weight[part.row] == 1.0))
            if blocked is not None:
                barred.append(blocked)
                count = len(self.tails)
                other &= ~np.isin(part.row * count + which, blocked.rows * count + blocked.which)
            np.minimum.at(bare, part.row[other], part.cost[other])
        return out, bare, barred

    def _straight(self, xy: Floats, weight: Floats, most: Floats, every: Crossings) -> Floats:
        """Return the least costs of places by straights from sorted crossings, but at most ``most``, inches."""
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
        """Say for each crossing whether one convex wall bars the straights from the whole rim about it."""
        to, ends = xy[every.row], self.costs.xy[every.left + np.array([[0], [1]])]
        (dx, dy), wide = np.moveaxis(ends - to, -1, 0), np.hypot(*(ends[1] - ends[0]).T)
        away = np.hypot(dx, dy)
        (one, two), (part, other) = (
            np.split(found, 2)
            for found in first_hit(np.tile(to, (2, 1)), np.arctan2(dy, dx).ravel(), away.ravel(), body, TOUCH)
        )
        # A rim bulges from its chord by less than the length of the chord.
        return np.asarray((part == other) & (np.maximum(one, two) < away.min(axis=0) - wide))

    # -- crossings ------------------------------------------------------------------------------------------

    def near(self, xy: Floats, weight: Floats, most: Floats) -> Crossings:
        """Return the crossings by which paths may lead to places ``(n, 2)`` for less than ``most`` ``(n,)``, inches."""
        step = max(1, _BLOCK // (len(self.spots) + 1))
        parts = []
        for a in range(0, len(xy), step):
            part = self._near(xy[a : a + step], weight[a : a + step], most[a : a + step])
            parts.append(replace(part, row=part.row + a))
        return Crossings.joined(parts)

    def _near(self, xy: Floats, weight: Floats, most: Floats) -> Crossings:
        """Return :meth:`near` of a block of places."""
        (i, k), (row, end) = self._low(xy, weight, most)
        found = [self._between(xy, weight, most, i, k)]
        # At the end of a rim a path may cross although the slope is not zero.
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
        """Return costs by way of places on rims (inches), their slopes along the rim, and whether paths go on there."""
        costs = self.costs
        px, py, tx, ty, nx, ny = self.columns.take(spot, axis=1)
        dx, dy = px - xy[..., 0], py - xy[..., 1]
        away = np.sqrt(dx * dx + dy * dy)
        out = dx * nx + dy * ny <= 0
        rise = costs.slope[spot] + weight * (dx * tx + dy * ty) / np.maximum(away, TINY)
        goes = np.where(out, costs.sides[spot, 0], costs.sides[spot, 1]) & (out == (weight == 1.0))
        return costs.cost[spot] + weight * away, rise, goes

    def _between(self, xy: Floats, weight: Floats, most: Floats, i: Ints, k: Ints) -> Crossings:
        """Return the crossings where the costs of places ``i`` have a minimum between the ends of stretches ``k``."""
        a, b, costs = self.spots[k], self.spots[k + 1], self.costs
        # Inwards from either end the cost rises by at most an inch an inch: by way of the rim itself.
        fa, da, one = self._at(xy[i], weight[i], a)
        da -= np.maximum(costs.slope[a] - 1, 0)
        down = np.flatnonzero(da < 0)
        i, a, b, width = i[down], a[down], b[down], self.wide[k[down]]
        fa, da, one = fa[down], da[down], one[down]
        fb, db, two = self._at(xy[i], weight[i], b)
        db += np.maximum(-1 - costs.slope[b], 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            # The cost where the tangents of both ends meet, a lower bound.
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
        """Return where the cost is least between places on rims and the next, given cubics, and that cost, inches."""
        piece, u0 = self.costs.piece[left], self.costs.u[left]
        flat, lean, bend, twist = cubic
        low, high = np.zeros(len(h)), h.copy()
        # Begin at the foot of the perpendicular: a path to a place near the rim crosses near that foot.
        t = np.clip(dot(xy - self.costs.xy[left], self.tangent[left]), 0.0, h)
        for _ in range(_STEPS):
            slope, curve = self._rise(piece, u0 + t, xy, weight)
            slope, curve = slope + lean + (2 * bend + 3 * twist * t) * t, curve + 2 * bend + 6 * twist * t
            low, high = np.where(slope < 0, t, low), np.where(slope < 0, high, t)
            new = t - slope / curve
            t = np.where((new >= low) & (new <= high), new, (low + high) / 2)
        away = np.hypot(*(self.rims.at(piece, u0 + t) - xy).T)
        return t, flat + (lean + (bend + twist * t) * t) * t + weight * away

    def _rise(self, piece: Ints, u: Floats, xy: Floats, weight: Floats) -> tuple[Floats, Floats]:
        """Return first and second derivatives, along rims, of the cost of the straights to places."""
        tangent, normal, curve = self.rims.frame(piece, u)
        d = self.rims.at(piece, u) - xy
        away = np.maximum(lengths(d[:, 0], d[:, 1]), TINY)
        along = dot(d, tangent) / away
        return weight * along, weight * ((1 - along * along) - dot(d, normal) * curve) / away

    def _where_types_meet(self, xy: Floats, weight: Floats, most: Floats) -> Crossings:
        """Return the crossings between two places on a rim with different types of path, for each of the two types."""
        costs, met, width = self.costs, np.tile(self.met, 2), np.tile(self.width, 2)
        side = np.repeat([0, 1], len(self.met))
        sign, spot = 2.0 * side - 1, met + side
        told = self.passing.T.ravel() & (weight == 1.0)[:, None]  # the other side tells of these paths too
        i, s = np.nonzero((costs.cost[spot] < most[:, None] + width) & ~told)
        value, rise, ok = self._at(xy[i], weight[i], spot[s])
        slope = sign[s] * np.maximum(sign[s] * costs.slope[spot[s]], -1.0)
        rise += slope - costs.slope[spot[s]]
        ahead = sign[s] * rise
        k = np.flatnonzero(ok & (ahead > 0) & (value - np.maximum(ahead, 0.0) * width[s] < most[i]))
        i, s, slope = i[k], s[k], slope[k]
        # A type is known at one end only; its cost is bounded by the tangent there.
        none = np.zeros(len(s))
        straight = (costs.cost[spot[s]] - side[s] * slope * width[s], slope, none, none)
        t, cost = self._least(xy[i], weight[i], met[s], width[s], straight)
        both = met[s, None] + np.array([0, 1])
        piece, u = self.rims.between(costs.piece[both], costs.u[both], t / width[s])
        return Crossings(i, spot[s], piece, u, cost, met[s], np.zeros(len(i), dtype=bool))

    # -- paths ----------------------------------------------------------------------------------------------

    def paths(self, crossings: Crossings, weight: Floats) -> tuple[Ints, Floats]:
        """Return the tails of paths by given crossings, and where they slide ``(b, k)``, inches."""
        costs = self.costs
        which = np.empty(len(crossings.row), dtype=np.int64)
        u = np.zeros((len(which), costs.slid.shape[1] + 1))
        u[:, :-1] = costs.slid[crossings.spot]
        piece, path_type = crossings.piece, costs.path_type[crossings.spot]
        for mine in equal_rows(np.column_stack([path_type, piece, weight.astype(np.int64)])):
            one = int(mine[0])
            number = which[mine] = self._number((int(path_type[one]), int(piece[one]), float(weight[one])))
            last = len(self.tails[number].path.elements) - 2
            crossing = self.tails[number].path.elements[last]
            if isinstance(crossing, Slide) and crossing.piece == piece[one]:
                u[mine, last] = crossings.u[mine]
        return which, u

    def _number(self, key: tuple[int, int, float]) -> int:
        """Return the number of the tail for a type of path, the piece it crosses and the weight of ground beyond."""
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
        """Say whether a path out of the ground goes on from a rim without a bend there.

        It leaves the ring of its rim by a tangent; and a straight rim along which it came it can leave earlier.
        """
        straight = self.rims.radius[crossing.piece] == 0 and tail.path.links[-1].weight == 1.0
        return straight or on_own_ring(self.exact.net, crossing, tail.path.elements[-2])

    def _passes(self, met: int, side: int) -> bool:
        """Say whether the paths on both sides of where types meet go on out of the ground as one type."""
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
        """Return the costs of the paths to places on rims by their own types ``(n,)``, without ways along the rim."""
        costs = self.costs
        tails = [costs.tails[n] for n in costs.which[spots].tolist()]
        paths = [ended(tail.path, costs.slid[n], costs.xy[n]) for tail, n in zip(tails, spots.tolist(), strict=True)]
        return np.asarray(gather(self.exact.net, paths).cost() + np.array([tail.before for tail in tails]))
