"""Transitions: ways over solids, up and down; what they cost, and which of their chords are legal."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from sbg_sim.geometry.breaks import first_exit
from sbg_sim.geometry.grown import (
    Grown,
    along_edges,
    crossings,
    grown,
    inside_share,
    inside_span,
    joined,
    parts,
    segments_clear,
    segments_meet,
)
from sbg_sim.geometry.rims import Rims
from sbg_sim.geometry.spines import segments_spines, side, where_crossed
from sbg_sim.tolerance import HAIR, NO_GAIN, RIM, ROUNDING, TINY, TOUCH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.geometry.pieces import Piece
    from sbg_sim.rules.ground import Way
    from sbg_sim.solver.space.configuration_space import Space
    from sbg_sim.solver.space.rings import Ring

    Touching: TypeAlias = Callable[[Floats], Bools]


_Level = TypeVar("_Level")
_WHOLE: Final = 1 - HAIR  # share of a chord inside the solid that counts as all of it
_ENDS: Final = 2 * TOUCH  # inches left out at each end of a chord: it may begin and land TOUCH off the rims


@dataclass(frozen=True)
class Transition:
    """One way over one solid, or from one level to another.

    Parameters
    ----------
    block
        Id of the terrain or model.
    way
        Its kind, rule, price and dice.
    source, dest
        Indices of the spaces it leads from and to.
    here, there
        Those spaces.
    near, far
        Rim pieces on which it begins and ends, not yet cut by other shapes.
    body
        The solid grown by the mover's radius.
    others
        Other obstacles: the walls of the source space without the solid, or those of both spaces.
    firm
        For a leap from roof to roof: the roofs, not grown; the leap leads over the rest of its chord. For a leap
        between a roof and the brim of a gap: the roof.
    brim
        For a leap between a roof and the brim of a gap: the gap, not grown.
    least
        The least length of a chord between two spaces, inches.
    sides
        For a climb between two spaces: the sides ``(m, 4)`` of the outline it crosses; it begins at the crossed side.
    touching
        Says which places are in contact with all charged enemies, if a die may put down a charger that has entered its
        target's zone only there (ruling ``charge_on_a_six``).
    inward
        Whether it leads onto a top over the top's own rim.

    """

    block: str
    way: Way
    source: int
    dest: int
    here: Space
    there: Space
    near: tuple[Piece, ...]
    far: tuple[Piece, ...]
    body: Grown
    others: Grown
    firm: Grown | None = None
    least: float = 0.0
    brim: Grown | None = None
    sides: Floats | None = None
    touching: Touching | None = None
    inward: bool = False

    def landing(self, p: Floats) -> Floats:
        """Return where shifts straight across from ``p`` ``(n, 2)`` end: ``(n, 2)``, NaN for none."""
        if not self.far or not len(p):
            return np.full((len(p), 2), np.nan)
        if self.source == self.dest:
            return self._straight_across(p)
        u, apart = self._far.nearest(p)
        j = (apart <= apart.min(axis=1, keepdims=True) + NO_GAIN).argmax(axis=1)
        return self._far.at(j, u[np.arange(len(p)), j])

    def tied(self, p: Floats) -> tuple[Ints, Floats]:
        """Return further places as near across as :meth:`landing`: rows of ``p``, and places ``(m, 2)``.

        From a corner the mover can cross either face.
        """
        if self.source == self.dest or not self.far or not len(p):
            return np.zeros(0, dtype=np.int64), np.zeros((0, 2))
        u, apart = self._far.nearest(p)
        i, j = np.nonzero(apart <= apart.min(axis=1, keepdims=True) + ROUNDING)
        q = self._far.at(j, u[i, j])
        other = np.hypot(*(q - self.landing(p)[i]).T) > TOUCH
        return i[other], q[other]

    def leads(self, p: Floats, q: Floats) -> bool:
        """Say whether a shift straight across from ``p`` ``(2,)`` can end at ``q``; a corner allows several."""
        landings = np.concatenate([self.landing(p[None]), self.tied(p[None])[1]])
        return bool(np.hypot(*(landings - q).T).min() <= TOUCH)

    def to_far(self, p: Floats) -> Floats:
        """Return the distances of places ``(n, 2)`` from the far rim, inches: infinite if it has no pieces."""
        return np.asarray(self._far.nearest(p)[1].min(axis=1, initial=np.inf))

    @cached_property
    def difficult(self) -> Grown:
        """Difficult ground of the spaces from and to which it leads."""
        return self.here.difficult if self.here is self.there else joined(self.here.difficult, self.there.difficult)

    @cached_property
    def _far(self) -> Rims:
        return Rims(self.far)

    @cached_property
    def notches(self) -> Floats:
        """Corners ``(m, 2)`` that chords must pass on the inner side: inward ones of the solid, of a gap, of roofs."""
        if self.firm is not None:
            return (self.firm if self.brim is None else self.brim).spines.reshape(-1, 2)
        if self.source != self.dest or not self.near:
            return np.zeros((0, 2))
        return Rims(self.near).corners[0]

    def leaves(self, p: Floats, q: Floats) -> Bools:
        """Say which chords ``(n,)`` leave the solid between their ends or, of leaps, lead over no gap."""
        if self.firm is not None:
            return np.asarray(self.over(p, q) <= TOUCH)
        if not len(self.notches):
            return np.zeros(len(p), dtype=bool)
        return ~self._through(p, q)

    def _through(self, p: Floats, q: Floats) -> Bools:
        """Say which chords ``(n,)`` lie inside the grown solid all along."""
        off = (q - p) * np.minimum(_ENDS / np.maximum(np.hypot(*(q - p).T), TINY), 0.25)[:, None]
        return np.asarray(inside_share(p + off, q - off, self.body) >= _WHOLE)

    @cached_property
    def _tops_rim(self) -> Grown | None:
        """The line beyond which the base stands on the level it leads to: on a top, or past a gap.

        None if no result of a die can leave the mover there.
        """
        between = self.source != self.dest or self.firm is not None
        if not between or self.way.kind not in {"jump-up", "leap"}:
            return None
        top = self.there.inside
        if not self.inward:
            return self.body if self.way.kind == "jump-up" else None
        assert top is not None
        margin = self.there.margin
        return along_edges(top, margin) if top.rings else grown([(top, -margin)])

    @cached_property
    def tops(self) -> tuple[Floats, Floats]:
        """Circles ``(m, 3)`` that chords onto a level pass before they land, corners and arcs of its rim; and the
        directions ``(m, 2)`` in which the level lies from them, zero for an arc.
        """
        if self._tops_rim is None or not self.far:
            return np.zeros((0, 3)), np.zeros((0, 2))
        (at, out), top = self._far.corners, self.there.inside
        round_ = self.inward and top is not None and not top.rings
        arcs = np.array([(*piece.start, piece.radius) for piece in self.far if piece.radius and round_]).reshape(-1, 3)
        more = ((0, len(arcs)), (0, 0))
        return np.concatenate([np.pad(at, ((0, 0), (0, 1))), arcs]), np.pad(out, more)

    def stands_before(self, p: Floats, q: Floats) -> Bools:
        """Say which chords ``(n,)`` come onto the far level before they end: a 2 to 5 would end the move there."""
        found, rim = np.zeros(len(p), dtype=bool), self._tops_rim
        if rim is None or not len(p):
            return found
        row, begin, end = parts(np.ones(len(p)), [segments_meet(p, q, rim)])
        along = q - p
        k = np.flatnonzero((end - begin) * np.hypot(*along[row].T) > TOUCH)
        row, at = row[k], p[row[k]] + ((begin[k] + end[k]) / 2)[:, None] * along[row[k]]
        top, margin = self.there.inside, self.there.margin
        stands = np.ones(len(at), dtype=bool) if top is None else top.depth(at) <= -margin - TOUCH
        if not self.inward:
            stands &= rim.clears(at, -TOUCH)
        found[row[stands]] = True
        return found

    def turns_at(self, ring: Ring) -> bool:
        """Say whether a ring lies on the rim of the grown solid, so that paths round the solid may turn at it."""
        x, y, rho = (*ring.center, ring.rho)
        ends = self.body.spines.reshape(-1, 2, 2) == (x, y)
        return bool((ends.all(axis=2).any(axis=1) & (self.body.rho == rho)).any())

    @cached_property
    def _beyond(self) -> float:
        """A length greater than any chord of the grown solid, inches."""
        return float(np.ptp(self.body.spines.reshape(-1, 2), axis=0).sum() + 2 * self.body.rho.max() + 1)

    @cached_property
    def _bare(self) -> Grown:
        """The solid itself, not grown."""
        return replace(self.body, rho=self.body.rho - self.here.radius, edge=None)

    def _straight_across(self, p: Floats) -> Floats:
        u, apart = self._far.nearest(p)
        j = apart.argmin(axis=1)
        normal = self._far.frame(j, u[np.arange(len(p)), j])[1]
        out = np.full((len(p), 2), np.nan)
        far = p - self._beyond * normal
        first = first_exit(p, far, self.body, RIM)
        k = np.flatnonzero(np.isfinite(first))
        out[k] = p[k] + first[k, None] * (far - p)[k]
        return out

    def cost(self, p: Floats, q: Floats, ground: Grown | None = None) -> Floats:
        """Return the movement used from ``p`` to ``q`` ``(n, 2)``, inches; ``ground`` replaces the difficult ground."""
        if self.way.horizontal:
            d = np.hypot(q[:, 0] - p[:, 0], q[:, 1] - p[:, 1])
            share = inside_share(p, q, self.difficult if ground is None else ground)
            return np.asarray(d * (1 + share) + self.way.cost)
        if self.way.kind == "climb-over":
            return np.asarray(np.maximum(np.hypot(*(q - p).T) - 4 * self.here.radius, 0.0) + self.way.cost)
        return np.full(len(p), self.way.cost)

    def at_least(self, apart: Floats) -> Floats:
        """Return lower bounds of the cost of chords of given lengths ``(n,)``, inches."""
        if self.way.horizontal:
            return np.asarray(apart + self.way.cost)
        free = 4 * self.here.radius if self.way.kind == "climb-over" else math.inf
        return np.asarray(np.maximum(apart - free, 0.0) + self.way.cost)

    @property
    def length_per_cost(self) -> float:
        """The greatest ratio, at least 1, of the length of a chord to its cost."""
        return 1.0 if self.way.horizontal else max(1.0, 4 * self.here.radius / max(self.way.cost, TINY))

    def open(self, p: Floats, q: Floats, from_bound: Bools, to_bound: Bools) -> Bools:
        """Say which chords ``(n,)`` are legal: through this solid, past no other obstacle, by the rules of zones."""
        ok = np.isfinite(q).all(axis=1)
        ok &= np.hypot(*(q - p).T) > ROUNDING
        k = np.flatnonzero(ok)
        if len(k) and self.firm is None and self.source == self.dest:
            whole = self._through(p[k], q[k])
            ok[k] = whole
            k = k[whole]
        elif len(k) and self.firm is None:
            ok[k] = (np.hypot(*(q[k] - p[k]).T) >= self.least - TOUCH) & self._at_its_side(p[k], q[k])
        if len(k) and not self.others.empty:
            ok[k] &= segments_clear(p[k], q[k], self.others, TOUCH)
        to = np.where(np.isfinite(q), q, p)
        if self.here.zones:
            minded = to if self.here.target is not None else self.until_bound(p, to, from_bound, to_bound)
            ok &= self.here.minds_zones(p, minded, from_bound, to_bound)
        if self.there.zones and self.there.zones != self.here.zones:
            ok &= _minds_zones_there(self.there, p, to, from_bound, to_bound)
        target = self.there.target
        if target is not None and self.here.target is None:
            # No zone binds where the way begins; landing in the target's zone binds the mover (CHG.3).
            ok &= from_bound | ~to_bound | target.reaches(to)
        if self.touching is not None and self.way.tests:
            ok &= ~to_bound | self.touching(to)
            if self.way.tests > 1:  # a 2 to 5 of the first die leaves the mover on top of a wall, above its start
                ok &= ~from_bound | self.touching(p)
        k = np.flatnonzero(ok)
        if len(k) and (self.firm is not None or np.isfinite(self.way.longest)):
            # The length over the gap itself counts (LEAP.1). It takes longest to compute, so it is compared last.
            over = self.over(p[k], q[k])
            ok[k] = (over <= self.way.longest + TOUCH) & ((self.firm is None) | (over > TOUCH))
            k = k[ok[k]]
        if len(k):
            ok[k] = ~self.stands_before(p[k], q[k])
        return np.asarray(ok)

    def aslant(self, p: Floats, q: Floats) -> Bools:
        """Say which climbs ``(n,)`` between two spaces are longer than straight across the side where they begin."""
        if self.sides is None:
            return np.zeros(len(p), dtype=bool)
        return np.asarray(np.hypot(*(q - p).T) > self.least + TOUCH)

    def _at_its_side(self, p: Floats, q: Floats) -> Bools:
        """Say which climbs ``(n,)`` first cross a side that the base touches at their start (CLB.1)."""
        ok, k = np.ones(len(p), dtype=bool), np.flatnonzero(self.aslant(p, q))
        if self.sides is None or not len(k):
            return ok
        p, q = p[k], q[k]
        a, b = self.sides[:, :2], self.sides[:, 2:]
        share = where_crossed(p, q, self.sides)
        at = p[:, None] + share[..., None] * (q - p)[:, None]
        long = np.hypot(*(b - a).T)
        along = ((at - a) * (b - a)).sum(axis=2) / long
        met = (along >= -TOUCH) & (along <= long + TOUCH) & (share >= 0) & (share <= 1)
        first = np.where(met, share, np.inf).min(axis=1, initial=np.inf)
        met &= (share - first[:, None]) * np.hypot(*(q - p).T)[:, None] <= TOUCH
        touched = np.abs(side(a, b, p[:, None])) <= (self.here.radius + TOUCH) * long
        ok[k] = (met & touched).any(axis=1) | ~np.isfinite(first)
        return ok

    def until_bound(self, p: Floats, q: Floats, from_bound: Bools, to_bound: Bools) -> Floats:
        """Return the ends of chords, cut off where they enter the target's zone and no other binds any more (CHG.5).

        On its way the mover is on both levels, and the target may stand on either.
        """
        space = self.here if self.here.target is not None else self.there
        return space.until_bound(p, q, from_bound, to_bound)[0]

    def open_free(self, p: Floats, q: Floats) -> Bools:
        """Say which chords are legal for a free mover ``(n,)``."""
        free = np.zeros(len(p), dtype=bool)
        return self.open(p, q, free, free)

    def over(self, p: Floats, q: Floats, *, beside: bool = False) -> Floats:
        """Return how much of each chord ``(n,)`` runs over the solid itself, not grown, or between roofs, inches.

        A part of a gap on which no base can stand counts as gap. With ``beside``, a chord from a roof that misses the
        gap is measured up to the corner it passes nearest: turned by a hair it leads over the gap.
        """
        if self.firm is not None and self.brim is not None:
            ends = (q, p) if self.inward else (p, q)
            return _from_roof_to_brim(*ends, self.firm, self.brim, beside=beside)
        if self.firm is not None:
            return np.asarray((1 - inside_share(p, q, self.firm)) * np.hypot(*(q - p).T))
        return np.asarray(inside_span(p, q, self._bare) * np.hypot(*(q - p).T))


def _minds_zones_there(space: Space, p: Floats, q: Floats, from_bound: Bools, to_bound: Bools) -> Bools:
    """Say which ways to another level obey the zones that bind there: the mover is on both levels all the way."""
    ok = space.minds_zones(p, q, from_bound, to_bound)
    left = np.array([(*z.at, z.radius) for z in space.zones if z.stuck and not z.reopened and z is not space.target])
    if len(left):  # a mover that comes back from another level has left these zones: they are closed again (CZ.4)
        ok &= (segments_spines(p, q, left[:, [0, 1, 0, 1]]) >= left[:, 2] - TOUCH).all(axis=1)
    if space.target is not None:
        # If the way begins in the target's zone, it enters all zones there at the same instant (CHG.3).
        ok |= to_bound & space.target.reaches(p)
    return np.asarray(ok)


def _from_roof_to_brim(p: Floats, q: Floats, roof: Grown, gap: Grown, *, beside: bool) -> Floats:
    """Return the length of chords from where they leave a roof to where they last leave a gap, inches.

    With ``beside``, a chord that misses the gap is measured up to where it passes the nearest corner.
    """
    first, last, within = _stretches(p, q, roof)
    leaves = np.where(within | (last - first < ROUNDING), 1.0, first).min(axis=1)
    first, last, within = _stretches(p, q, gap)
    ends = np.where(within, last, 0.0).max(axis=1)
    if beside and (missed := np.flatnonzero(~within.any(axis=1))).size:
        corners, a, b = gap.spines.reshape(-1, 2), p[missed, None], q[missed, None]
        nearest = np.abs(side(a, b, corners)).argmin(axis=1)
        a, b = a[:, 0], b[:, 0]
        foot = ((corners[nearest] - a) * (b - a)).sum(axis=1) / np.maximum(np.square(b - a).sum(axis=1), TINY)
        ends[missed] = np.clip(foot, 0.0, 1.0)
    return np.asarray(np.maximum(ends - leaves, 0.0) * np.hypot(*(q - p).T))


def _stretches(p: Floats, q: Floats, body: Grown) -> tuple[Floats, Floats, Bools]:
    """Cut chords at the rim of a body; return where parts begin and end, as shares, and which lie inside.

    A part shorter than rounding does not count as inside.
    """
    t = np.sort(crossings(p, q, body), axis=1)
    t = np.concatenate([np.zeros((len(p), 1)), t, np.ones((len(p), 1))], axis=1)
    first, last = t[:, :-1], t[:, 1:]
    i, j = np.nonzero(last - first >= ROUNDING)
    within = np.zeros(first.shape, dtype=bool)
    within[i, j] = ~body.clears(p[i] + ((first[i, j] + last[i, j]) / 2)[:, None] * (q[i] - p[i]), 0.0)
    return first, last, within


def length_per_cost(ways: Iterable[Transition]) -> float:
    """Return the greatest ratio, at least 1, of the length of a path over such ways to its cost: shifts may be free."""
    return max((transition.length_per_cost for transition in ways), default=1.0)


def led_to(ways: Iterable[tuple[_Level, _Level]], start: _Level) -> set[_Level]:
    """Return the levels that can be reached from ``start`` over ways ``(from, to)``, ``start`` included."""
    ways, found = list(ways), {start}
    while more := {there for here, there in ways if here in found} - found:
        found |= more
    return found
