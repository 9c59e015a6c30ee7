"""Bundles: many chains without ways over in arrays, polished together whatever kinds they are of.

A place is a circle of no radius here, so that every link is a tangent of two circles with signed radii. By the
envelope theorem the slope of the cost at a sliding place is what the directions of its two links say, and the
curvature of the cost is closed form too; only places with a straight link between them hang on one another, so
Newton's step comes from one sweep along each chain.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.geometry.breaks import TAU
from sbg_sim.geometry.rims import Rims
from sbg_sim.solver.chains import Chain, Fixed, Slide, Wrap, arc_cost

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.solver.network import Network

Floats = np.ndarray
FIXED, WRAP, SLIDE = 0, 1, 2
_SOFT: Final = 1e-3  # least curvature (1/inch) a Newton step is taken with
_SHORT: Final = 1e-9  # inches: a link this short has no direction
_STILL: Final = 1e-11  # inches: a step this small changes no cost
_OVERLAP: Final = 1e-3  # inches that two circles may overlap and still have a tangent between them


@dataclass(frozen=True)
class Bundle:
    """Chains as rows, filled up with their last place.

    Parameters
    ----------
    kind, ring, piece
        What each element is and on which ring or rim piece ``(b, k)``.
    xy
        Places, and centres of rings ``(b, k, 2)``, inches.
    turned
        Radii signed by turns ``(b, k)``, inches; 0 for places.
    u
        Where sliding places stand ``(b, k)``, inches.
    weight
        Of the links ``(b, k - 1)``; 0 beyond the end.
    size
        How many elements each chain has ``(b,)``.

    """

    kind: Floats
    ring: Floats
    piece: Floats
    xy: Floats
    turned: Floats
    u: Floats
    weight: Floats
    size: Floats

    def __len__(self) -> int:
        return len(self.size)

    def rows(self, k: Floats) -> Bundle:
        """Return some of the chains."""
        return Bundle(
            self.kind[k],
            self.ring[k],
            self.piece[k],
            self.xy[k],
            self.turned[k],
            self.u[k],
            self.weight[k],
            self.size[k],
        )

    def ending(self, at: Floats) -> Bundle:
        """Return the chains with other last places ``(b, 2)``."""
        beyond = np.arange(self.kind.shape[1]) >= self.size[:, None] - 1
        return replace(self, xy=np.where(beyond[..., None], at[:, None, :], self.xy))


@dataclass(frozen=True)
class Legs:
    """Links of a bundle: ends ``(b, k - 1, 2)``, lengths, directions (radians); sweeps on rings ``(b, k)``."""

    p: Floats
    q: Floats
    length: Floats
    phi: Floats
    sweep: Floats


class Bundler:
    """Puts chains of one network into arrays and polishes them."""

    def __init__(self, net: Network) -> None:
        self.net = net
        self.rims = Rims(net.pieces)
        rings = net.rings
        self.center = np.array([r.center for r in rings]).reshape(-1, 2)
        self.rho = np.array([r.rho for r in rings], dtype=float)
        self.even = np.array([(r.weight == r.weight[0]).all() for r in rings], dtype=bool)
        self.heavy = np.array([r.weight[0] for r in rings], dtype=float)

    def gather(self, chains: Sequence[Chain]) -> Bundle:
        """Put chains into arrays; none may have a way over or end on a circle."""
        b, k = len(chains), max((len(c.elements) for c in chains), default=1)
        kind, ring, piece = (np.zeros((b, k), dtype=np.int64) for _ in range(3))
        xy, turn, u = np.zeros((b, k, 2)), np.zeros((b, k)), np.zeros((b, k))
        weight = np.zeros((b, max(k - 1, 0)))
        size = np.array([len(c.elements) for c in chains], dtype=np.int64)
        for i, chain in enumerate(chains):
            for j, e in enumerate(chain.elements):
                if isinstance(e, Fixed):
                    xy[i, j] = e.at
                elif isinstance(e, Wrap):
                    kind[i, j], ring[i, j], turn[i, j] = WRAP, e.ring, e.turn
                elif isinstance(e, Slide):
                    kind[i, j], piece[i, j], u[i, j] = SLIDE, e.piece, e.u
            last = chain.elements[-1]
            xy[i, len(chain.elements) :] = last.at if isinstance(last, Fixed) else 0.0
            weight[i, : len(chain.links)] = [link.weight for link in chain.links]
        wrap = kind == WRAP
        xy[wrap] = self.center[ring[wrap]]
        turned = np.zeros((b, k))
        turned[wrap] = turn[wrap] * self.rho[ring[wrap]]
        return Bundle(kind, ring, piece, xy, turned, u, weight, size)

    # -- places and costs -----------------------------------------------------------------------------------

    def legs(self, bundle: Bundle) -> Legs:
        """Work out the links of all chains."""
        c = bundle.xy.copy()
        slide = bundle.kind == SLIDE
        c[slide] = self.rims.at(bundle.piece[slide], bundle.u[slide])
        r1, r2 = bundle.turned[:, :-1], bundle.turned[:, 1:]
        d = c[:, 1:] - c[:, :-1]
        dist, off = np.hypot(d[..., 0], d[..., 1]), r2 - r1
        square = (dist - off) * (dist + off)
        length = np.sqrt(np.maximum(square, 0.0))
        # Two rings one of which lies within the other have no tangent; a place within a ring lies on it by rounding.
        both = (r1 != 0) & (r2 != 0)
        length[both & (np.abs(off) - dist > _OVERLAP)] = np.nan
        phi = np.arctan2(d[..., 1], d[..., 0]) - np.arctan2(off, length)
        side = np.stack([np.sin(phi), -np.cos(phi)], axis=-1)  # a quarter turn clockwise of the direction
        p, q = c[:, :-1] + r1[..., None] * side, c[:, 1:] + r2[..., None] * side
        sweep = np.zeros(bundle.kind.shape)
        turn = np.sign(bundle.turned[:, 1:-1])
        by = ((phi[:, 1:] - phi[:, :-1]) * turn) % TAU
        sweep[:, 1:-1] = np.where(by > TAU - 1e-4, by - TAU, by) * turn
        return Legs(p, q, length, phi, sweep)

    def cost(self, bundle: Bundle, legs: Legs) -> Floats:
        """Cost of chains ``(b,)``, inches; infinite where rings lie within each other."""
        straight = (bundle.weight * np.where(bundle.weight > 0, legs.length, 0.0)).sum(axis=1)
        wrap = bundle.kind == WRAP
        even = wrap & self.even[bundle.ring] if len(self.even) else wrap
        arcs = np.zeros(bundle.kind.shape)
        arcs[even] = legs.sweep[even] * bundle.turned[even] * self.heavy[bundle.ring[even]]
        row, col = np.nonzero(wrap & ~even)
        for j in np.unique(bundle.ring[row, col]).tolist():
            k = bundle.ring[row, col] == j
            r, c = row[k], col[k]
            arcs[r, c] = arc_cost(
                self.net.rings[j], legs.q[r, c - 1], legs.sweep[r, c], np.sign(bundle.turned[r, c]).astype(np.int64)
            )
        total = straight + arcs.sum(axis=1)
        return np.where(np.isnan(total), np.inf, total)

    # -- Newton -----------------------------------------------------------------------------------------------

    def settle(self, bundle: Bundle, *, rounds: int = 40) -> tuple[Bundle, Floats]:
        """Slide the places of all chains to where each costs least; returns the chains and their costs (inches)."""
        top = np.where(bundle.kind == SLIDE, self.rims.length[bundle.piece], 0.0) if len(self.rims.length) else 0.0
        u = np.clip(bundle.u, 0.0, top)
        bundle = replace(bundle, u=u)
        value = self.cost(bundle, self.legs(bundle))
        live = np.flatnonzero((bundle.kind == SLIDE).any(axis=1) & np.isfinite(value))
        for _ in range(rounds):
            if not len(live):
                break
            part, high = bundle.rows(live), np.broadcast_to(top, u.shape)[live]
            step = self._step(part, high)
            part, new, moved = self._search(part, high, step, value[live])
            u[live], value[live] = part.u, new
            live = live[moved > _STILL]
        return bundle, value

    def _step(self, bundle: Bundle, top: Floats) -> Floats:
        """Newton's step ``(b, k)`` for sliding places, by elimination along each chain."""
        legs = self.legs(bundle)
        slide = bundle.kind == SLIDE
        tangent, normal, curve = self.rims.frame(bundle.piece, bundle.u)
        e = np.stack([np.cos(legs.phi), np.sin(legs.phi)], axis=-1)
        # Onto a ring the direction is that of its tangent, however short the link.
        round_ = (bundle.turned[:, 1:] != 0) | (bundle.turned[:, :-1] != 0)
        w = np.where((legs.length > _SHORT) | round_, bundle.weight, 0.0)
        along_in = (e * tangent[:, 1:]).sum(axis=-1)  # of the link that comes in, at its end
        along_out = (e * tangent[:, :-1]).sum(axis=-1)
        stiff = w / np.maximum(legs.length, _SHORT)
        slope, bend = np.zeros(slide.shape), np.zeros(slide.shape)
        slope[:, 1:] += w * along_in
        slope[:, :-1] -= w * along_out
        bend[:, 1:] += stiff * (1 - along_in**2) - w * (e * normal[:, 1:]).sum(axis=-1) * curve[:, 1:]
        bend[:, :-1] += stiff * (1 - along_out**2) + w * (e * normal[:, :-1]).sum(axis=-1) * curve[:, :-1]
        held = ~slide | ((bundle.u <= 0) & (slope > 0)) | ((bundle.u >= top) & (slope < 0))
        slope[held], bend[held] = 0.0, 1.0
        tie = -stiff * ((tangent[:, :-1] * tangent[:, 1:]).sum(axis=-1) - along_in * along_out)
        tie[held[:, :-1] | held[:, 1:]] = 0.0
        # Elimination with every pivot kept positive, so that the step always leads downhill.
        n = slide.shape[1]
        pivot, rest = np.empty(slide.shape), -slope
        pivot[:, 0] = np.maximum(np.abs(bend[:, 0]), _SOFT)
        for k in range(1, n):
            share = tie[:, k - 1] / pivot[:, k - 1]
            new = bend[:, k] - share * tie[:, k - 1]
            pivot[:, k] = np.maximum(np.abs(new), _SOFT)
            rest[:, k] -= share * rest[:, k - 1]
        step = np.empty(slide.shape)
        step[:, -1] = rest[:, -1] / pivot[:, -1]
        for k in range(n - 2, -1, -1):
            step[:, k] = (rest[:, k] - tie[:, k] * step[:, k + 1]) / pivot[:, k]
        step = np.where(np.isfinite(step), step, 0.0)
        big = np.abs(step).max(axis=1, initial=1e-300)
        return np.asarray(step * np.minimum(1.0, 1.0 / big)[:, None])

    def _search(self, bundle: Bundle, top: Floats, step: Floats, here: Floats) -> tuple[Bundle, Floats, Floats]:
        """Shorten steps until none makes a chain dearer; returns chains, costs and how far places moved (inches)."""
        u, value, moved = bundle.u.copy(), here.copy(), np.zeros(len(here))
        open_, scale = np.arange(len(here)), 1.0
        for _ in range(14):
            trial = np.clip(u[open_] + scale * step[open_], 0.0, top[open_])
            rows = replace(bundle.rows(open_), u=trial)
            new = self.cost(rows, self.legs(rows))
            good = new <= here[open_] + 1e-15
            k = open_[good]
            moved[k] = np.abs(trial[good] - u[k]).max(axis=1)
            u[k], value[k] = trial[good], new[good]
            open_ = open_[~good]
            if not len(open_):
                break
            scale /= 4
        return replace(bundle, u=u), value, moved
