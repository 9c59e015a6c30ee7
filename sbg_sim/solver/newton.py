"""Newton's method on the cost of a chain, held to what its ways over must clear, and the certificate of it.

On straight rims the cost is convex in the sliding places; where something must just be cleared, multipliers take up
the slope of the cost across it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.solver.chains import Chain, Slide, clearances, cost_of, values

if TYPE_CHECKING:
    from sbg_sim.solver.network import Network

Floats = np.ndarray
Merit = Callable[["Network", Chain, Floats], Floats]
_STEP: Final = 1e-5  # step (inches) of the differences; the optimum is flat, so its square is the error
_STIFF: Final = 100.0  # of what must be cleared, per square inch or radian: far above the curvature of a cost
_SHARES: Final = 0.5 ** np.arange(26)  # of a Newton step that are tried, the largest first


@dataclass(frozen=True)
class Hold:
    """What ways over must clear, with the method of multipliers.

    Parameters
    ----------
    pull
        Minus the multipliers ``(g,)``.
    stiff
        Weight of what is missed, squared.
    scale
        By which each clearance is multiplied ``(g,)``.
    oneway
        Which may be cleared by more than just so ``(g,)``.

    """

    pull: Floats
    stiff: float
    scale: Floats
    oneway: Floats

    def missed(self, net: Network, chain: Chain, u: Floats) -> Floats:
        """Return the scaled clearances at places ``(b, s)``: ``(b, g)``."""
        return np.asarray(clearances(net, chain, u) * self.scale)

    def merit(self, net: Network, chain: Chain, u: Floats) -> Floats:
        """Return cost and what holds it, at places ``(b, s)``."""
        miss = self.missed(net, chain, u)
        held = self.pull * miss + self.stiff / 2 * miss * miss
        slack = np.maximum(-self.pull - self.stiff * miss, 0.0)
        free = (slack * slack - self.pull * self.pull) / (2 * self.stiff)
        return np.asarray(cost_of(net, chain, u) + np.where(self.oneway, free, held).sum(axis=1))

    def harder(self, miss: Floats) -> Hold:
        """Return what to hold with after so much was missed ``(g,)``."""
        pull = self.pull + self.stiff * miss
        return replace(self, pull=np.where(self.oneway, np.minimum(pull, 0.0), pull))

    def violated(self, miss: Floats) -> float:
        """How far from held, the multipliers considered."""
        return float(np.abs(np.where(self.oneway, np.minimum(miss, -self.pull / self.stiff), miss)).max())


def newton(net: Network, chain: Chain) -> tuple[Floats, float, Merit]:
    """Return the sliding places of least cost, that cost, and what was made least: cost and what must be cleared."""
    if not chain.grazes:
        return (*_minimum(net, chain, partial(cost_of, net, chain), values(chain)[0]), cost_of)
    # Ways that must just clear something: the method of multipliers, the clearance being smooth where it binds.
    u = np.clip(values(chain)[0], 0.0, _lengths(net, chain))
    oneway = np.array([not g.opposite for g in chain.grazes])
    long = np.array([g.circle is None and not g.opposite for g in chain.grazes])
    scale = np.ones(len(oneway))
    if long.any():
        u = _to_the_limit(net, chain, u, long)
        steep = np.sqrt(np.square(_across(net, chain, u)).sum(axis=0))
        scale = np.where(long, 1 / np.maximum(steep, _STEP), 1.0)
    pull = -_pull(net, chain, u) / scale
    hold, before = Hold(np.where(oneway, np.minimum(pull, 0.0), pull), _STIFF, scale, oneway), np.inf
    for _ in range(25):
        u, _ = _minimum(net, chain, partial(hold.merit, net, chain), u)
        miss = hold.missed(net, chain, u[None])[0]
        worst = hold.violated(miss)
        if worst < 1e-10 or worst > before / 2:
            break  # cleared; or held by the end of a rim, and nothing is gained by pulling harder
        hold, before = hold.harder(miss), worst
    return u, float(cost_of(net, chain, u[None])[0]), hold.merit


def _to_the_limit(net: Network, chain: Chain, u: Floats, which: Floats) -> Floats:
    """Go from places towards those of least cost for as far as ways stay short enough: there the limit binds."""
    free, _ = _minimum(net, chain, partial(cost_of, net, chain), u)
    low, high = 0.0, 1.0
    for _ in range(50):
        mid = (low + high) / 2
        room = clearances(net, chain, (u + mid * (free - u))[None])[0][which].min()
        low, high = (mid, high) if room > 0 else (low, mid)
    return np.asarray(u + low * (free - u))


def _pull(net: Network, chain: Chain, u: Floats) -> Floats:
    """Return how much of the cost's slope each thing to clear takes up."""
    g, _ = _slopes(partial(cost_of, net, chain), u)
    return np.asarray(np.linalg.lstsq(_across(net, chain, u), g, rcond=None)[0])


def _across(net: Network, chain: Chain, u: Floats) -> Floats:
    """Return the slopes of what the ways over must clear: ``(s, g)``."""
    eye = np.eye(len(u)) * _STEP
    return np.asarray((clearances(net, chain, u + eye) - clearances(net, chain, u - eye)) / (2 * _STEP))


def _minimum(net: Network, chain: Chain, cost: Callable[[Floats], Floats], start: Floats) -> tuple[Floats, float]:
    """Newton's method for a function of a chain's sliding places, within their rims."""
    top = _lengths(net, chain)
    u = np.clip(start, 0.0, top)
    here = float(cost(u[None])[0])
    for _ in range(60):
        g, hess = _slopes(cost, u)
        if not (np.isfinite(g).all() and np.isfinite(hess).all()):
            break  # a neighbouring place is closed: stay at the sampled one
        stuck = ((u <= 0) & (g > 0)) | ((u >= top) & (g < 0))
        live = np.flatnonzero(~stuck)
        if not len(live) or np.abs(g[live]).max() < 1e-9:
            break
        step = np.zeros(len(u))
        sub = hess[np.ix_(live, live)]
        low = float(np.linalg.eigvalsh(sub).min())
        sub = sub + np.eye(len(live)) * max(0.0, 1e-3 - low)
        step[live] = -np.linalg.solve(sub, g[live])
        limit = np.abs(step).max()
        if limit > 1.0:
            step /= limit
        # A cost of many rows takes little longer than one of a single row: all shares of the step at once.
        trials = np.clip(u + _SHARES[:, None] * step, 0.0, top)
        rows = cost(trials)
        good = np.flatnonzero(rows <= here + 1e-15)
        if not len(good):
            break
        trial, value = trials[good[0]], float(rows[good[0]])
        moved = float(np.abs(trial - u).max())
        u, gain, here = trial, here - value, value
        if moved < 1e-12 or (gain < 1e-16 and moved < 1e-7):
            break
    return _ended(cost, u, here, top)


def _ended(cost: Callable[[Floats], Floats], u: Floats, here: float, top: Floats) -> tuple[Floats, float]:
    """Put places that stand just before the end of a rim on it, if that costs no more: differences see past it."""
    for i in range(len(u)):
        for end in (0.0, float(top[i])):
            if 0 < abs(u[i] - end) <= 2 * _STEP:
                trial = np.where(np.arange(len(u)) == i, end, u)
                value = float(cost(trial[None])[0])
                if value <= here:
                    u, here = trial, value
    return u, here


def _lengths(net: Network, chain: Chain) -> Floats:
    return np.array([net.pieces[e.piece].length for e in chain.elements if isinstance(e, Slide)])


def _slopes(cost: Callable[[Floats], Floats], u: Floats) -> tuple[Floats, Floats]:
    """First and second derivatives of a function of sliding places, by differences."""
    s = len(u)
    eye = np.eye(s) * _STEP
    pairs = [(i, j) for i in range(s) for j in range(i)]
    stencil = np.concatenate(
        [u[None], u + eye, u - eye, *[np.stack([u + eye[i] + eye[j], u - eye[i] - eye[j]]) for i, j in pairs]]
    )
    f = cost(stencil)
    up, down = f[1 : 1 + s], f[1 + s : 1 + 2 * s]
    hess = np.diag((up - 2 * f[0] + down) / _STEP**2)
    for m, (i, j) in enumerate(pairs):
        pp, mm = f[1 + 2 * s + 2 * m], f[2 + 2 * s + 2 * m]
        hess[i, j] = hess[j, i] = (pp + mm - up[i] - down[i] - up[j] - down[j] + 2 * f[0]) / (2 * _STEP**2)
    return (up - down) / (2 * _STEP), hess


def certify(net: Network, chain: Chain) -> tuple[float, float]:
    """Say how far a polished chain may still lie above the best path there is.

    Returns
    -------
    residual, snap
        What is left to gain within this kind of path, from slope and curvature at the polished places (inches);
        and what moving every crossing to the nearest sample of its rim can cost: kinds of path whose sampled cost
        is farther than that above the best are ruled out (inches).

    """
    u = values(chain)[0]
    if not len(u):
        return 0.0, 0.0
    g, hess = _slopes(partial(cost_of, net, chain), u)
    if chain.grazes:
        g = _unheld(net, chain, u, g)
    top = _lengths(net, chain)
    live = np.flatnonzero((u > 1e-9) & (u < top - 1e-9))
    residual = 0.0
    if len(live):
        curve = np.linalg.eigvalsh(hess[np.ix_(live, live)])
        residual = float(g[live] @ g[live]) / (2 * max(float(curve.min()), 1e-3))
    # A place held at the end of its rim is a sample itself; nothing is lost there.
    gaps = np.array([_gap(net, e) for e in chain.elements if isinstance(e, Slide)])[live]
    snap = 0.5 * float(np.abs(hess[np.ix_(live, live)]).sum(axis=1) @ (gaps * gaps)) if len(live) else 0.0
    return residual, snap


def _unheld(net: Network, chain: Chain, u: Floats, g: Floats) -> Floats:
    """Return the part of a slope that is not held by what the ways over must clear."""
    across = _across(net, chain, u)
    return np.asarray(g - across @ np.linalg.lstsq(across, g, rcond=None)[0])


def _gap(net: Network, slide: Slide) -> float:
    """Half the distance between the samples on either side of a sliding place, inches."""
    marks = np.sort(net.samples_of(slide.piece))
    if len(marks) < 2:
        return 0.0
    k = int(np.clip(np.searchsorted(marks, slide.u), 1, len(marks) - 1))
    return float(marks[k] - marks[k - 1]) / 2
