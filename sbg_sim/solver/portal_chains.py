"""One kind of path with ways over, polished for many places at once.

What a way over costs is not smooth in closed form (a landing follows its start round corners), so slopes and
curvatures are differences here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.solver.chains import Chain, Fixed, Wrap, cost_of, places
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    from sbg_sim.solver.network import Network

Floats = np.ndarray
_STEP = 1e-5  # of the differences, inches


def settle_over(net: Network, chain: Chain, u: Floats) -> tuple[Floats, Floats]:
    """Polish one kind of path for many places.

    Parameters
    ----------
    net
        The network.
    chain
        The kind, which ends at places ``(b, 2)``.
    u
        Where its sliding places begin ``(b, s)``, inches.

    Returns
    -------
    Costs ``(b,)`` (inches), infinite where the path is not allowed, and costs whatever stands in the way.

    """
    u, bare = _newton_many(net, chain, u)
    legs, sweeps = places(net, chain, u)
    total = cost_of(net, chain, u)
    bound = np.full(len(u), chain.links[0].bound[0])
    for i, link in enumerate(chain.links):
        element = chain.elements[i]
        if isinstance(element, Wrap) and i:
            total = np.where(_arc_open(net, element, legs, i, sweeps[:, i], bound), total, np.inf)
        p, q = legs[i]
        sheet = net.sheets[link.sheet]
        if link.portal >= 0:
            portal = net.portals[link.portal]
            fb, tb = np.full(len(u), link.bound[0]), np.full(len(u), link.bound[1])
            good = portal.open(p, q, sheet, fb, tb)
            total = np.where(good, total, np.inf)
            bound = tb
            continue
        then = bound.copy()
        if link.bound[1] and sheet.target is not None:
            apart = np.hypot(q[:, 0] - sheet.target.at[0], q[:, 1] - sheet.target.at[1])
            then |= (apart <= sheet.target.radius + TOUCH) | (not sheet.stays)
        true = sheet.straight(p, q, bound, then)
        # A link may weigh less than was thought (along a rim), never more.
        plain = link.weight * np.hypot(*(q - p).T)
        total = np.where(np.isfinite(true), total + (true - plain), np.inf)
        bound = then
    return np.asarray(total), bare


def _arc_open(
    net: Network, wrap: Wrap, legs: list[tuple[Floats, Floats]], i: int, sweep: Floats, bound: Floats
) -> Floats:
    ring = net.rings[wrap.ring]
    c = np.array(ring.center)
    ends = []
    for p in (legs[i - 1][1], legs[i][0]):
        d = p - c
        ends.append(ring.locate(np.arctan2(d[:, 1], d[:, 0]), bound))
    number, _, closes = ring.chain(int(bound[0]), wrap.turn)
    ok = (ends[0] >= 0) & (ends[1] >= 0) & (closes | (number[ends[0]] == number[ends[1]]))
    short = np.abs(sweep) * ring.rho < 1e-7
    return np.asarray(short | (ok & (sweep * wrap.turn >= 0)))


def _newton_many(net: Network, chain: Chain, u: Floats) -> tuple[Floats, Floats]:
    """Polish one kind of chain for many ends at once: places along the rims and costs."""
    b, s = u.shape
    at = chain.elements[-1].at  # type: ignore[union-attr]
    top = np.array([net.pieces[chain.elements[i].piece].length for i in chain.slides])  # type: ignore[union-attr]
    u = np.clip(u, 0.0, top)
    eye = np.eye(s) * _STEP
    pairs = [(i, j) for i in range(s) for j in range(i)]
    shifts = np.concatenate(
        [np.zeros((1, s)), eye, -eye, *[np.stack([eye[i] + eye[j], -eye[i] - eye[j]]) for i, j in pairs]]
    )
    m = len(shifts)
    stencil_chain = replace(chain, elements=(*chain.elements[:-1], Fixed(np.repeat(at, m, axis=0))))  # type: ignore[arg-type]
    here = cost_of(net, chain, u)
    for _ in range(25):
        f = cost_of(net, stencil_chain, (u[:, None] + shifts).reshape(-1, s)).reshape(b, m)
        up, down = f[:, 1 : 1 + s], f[:, 1 + s : 1 + 2 * s]
        g = (up - down) / (2 * _STEP)
        hess = np.zeros((b, s, s))
        hess[:, np.arange(s), np.arange(s)] = (up - 2 * f[:, :1] + down) / _STEP**2
        for n, (i, j) in enumerate(pairs):
            pp, mm = f[:, 1 + 2 * s + 2 * n], f[:, 2 + 2 * s + 2 * n]
            hess[:, i, j] = hess[:, j, i] = (pp + mm - up[:, i] - down[:, i] - up[:, j] - down[:, j] + 2 * f[:, 0]) / (
                2 * _STEP**2
            )
        sound = np.isfinite(hess).all(axis=(1, 2)) & np.isfinite(g).all(axis=1)
        hess[~sound], g[~sound] = np.eye(s), 0.0
        low = np.linalg.eigvalsh(hess)[:, 0]
        hess[:, np.arange(s), np.arange(s)] += np.maximum(0.0, 1e-3 - low)[:, None]
        step = -np.linalg.solve(hess, g[..., None])[..., 0]
        big = np.abs(step).max(axis=1, initial=1e-300)
        step *= np.minimum(1.0, 1.0 / big)[:, None]
        moved = np.zeros(b)
        scale = np.ones(b)
        done = np.zeros(b, dtype=bool)
        for _ in range(12):
            trial = np.clip(u + scale[:, None] * step, 0.0, top)
            value = cost_of(net, chain, trial)
            good = ~done & (value <= here + 1e-15)
            moved[good] = np.abs(trial[good] - u[good]).max(axis=1)
            u[good], here[good] = trial[good], value[good]
            done |= good
            if done.all():
                break
            scale[~done] /= 4
        if moved.max(initial=0.0) < 1e-9:
            break
    return u, here
