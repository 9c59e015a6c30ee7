"""The cost field of one search: the exact cost of any place, from the network of one start."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sbg_sim.geometry.grown import inside_share
from sbg_sim.geometry.tangents import leave_to_point
from sbg_sim.solver.chains import Chain, Fixed, Link, Slide, Wrap, as_chain, cost_of, kind_of, places, trace
from sbg_sim.solver.detours import detours
from sbg_sim.solver.mending import loosened
from sbg_sim.solver.network import POINT, SAMPLE, Network
from sbg_sim.solver.plan import MOST_KINDS, SLACK, polished_route
from sbg_sim.solver.polish import normal
from sbg_sim.tolerance import ROUNDING, TOUCH

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.search import Labels
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.route import Route

Floats = np.ndarray
_ROWS = 2000  # places per block: keeps the table of candidates within a few megabytes
_STEP = 1e-5


class Field:
    """Costs of places on one sheet, free or bound, after a number of dice.

    Parameters
    ----------
    table, mover
        Whose move it is.
    net, labels
        The settled network.
    sheet
        Index of the sheet.
    layer
        Number of dice taken.
    bound
        Whether places are those of a bound mover.
    cutoff
        Costs beyond this (inches) are not wanted.

    """

    def __init__(
        self,
        table: Table,
        mover: Model,
        net: Network,
        labels: Labels,
        sheet: int,
        layer: int,
        *,
        bound: bool,
        cutoff: float,
    ) -> None:
        self.table, self.mover, self.net, self.labels = table, mover, net, labels
        self.sheet, self.layer, self.bound, self.cutoff = sheet, layer, bound, cutoff
        cost = labels.cost[layer]
        here = (net.sheet == sheet) & (cost <= cutoff + SLACK)
        if not bound:
            here &= ~net.bound
        self.points = np.flatnonzero(here & ((net.kind == POINT) | (net.kind == SAMPLE)))
        self.cost = cost

    @cached_property
    def runs(self) -> list[tuple[int, int, bool, Floats, Floats]]:
        """Per ring, turn and state that is reached: ring, turn, bound, nodes in order, cost since the beginning."""
        net, g = self.net, self.net.graph
        found = []
        for s in np.unique(g.string):
            on = np.flatnonzero(g.string == s)
            ring, turn = int(net.string_ring[s]), int(net.string_turn[s])
            if net.rings[ring].sheet != self.sheet:
                continue
            state = bool(net.bound[g.along[on[0]]])
            if state and not self.bound:
                continue
            if (self.cost[g.along[on]] <= self.cutoff + SLACK).any():
                found.append((ring, turn, state, g.along[on], g.reached[on]))
        return found

    # -- costs ----------------------------------------------------------------------------------------------

    def distance(self, xy: Floats, *, polished: bool = True) -> Floats:
        """Exact cost of places ``(n, 2)``: ``(n,)``, inches; infinite beyond the cutoff or where one may not be.

        Unpolished costs come quickly and are as good as the samples on rims are fine.
        """
        xy = np.asarray(xy, dtype=float).reshape(-1, 2)
        out = np.full(len(xy), np.inf)
        sheet = self.net.sheets[self.sheet]
        ok = sheet.bound(xy) if self.bound else sheet.free(xy)
        k = np.flatnonzero(ok)
        for a in range(0, len(k), _ROWS):
            rows = k[a : a + _ROWS]
            out[rows] = self._block(xy[rows], polished=polished)
        return np.where(out <= self.cutoff + 1e-9, out, np.inf)

    def _block(self, xy: Floats, *, polished: bool) -> Floats:
        low, start, source = self._candidates(xy)
        best, _choice = self._verify(xy, low, start)
        if not polished or not len(self.net.pieces) or not len(source):
            return best
        return self._polished(xy, low, start, source, best)

    def _candidates(self, xy: Floats) -> tuple[Floats, Floats, Floats]:
        """Lower bounds of costs by last bend ``(n, c)``, where the last straight begins ``(n, c, 2)``, and its node."""
        net = self.net
        n = len(xy)
        d = xy[:, None, :] - net.xy[self.points][None]
        lows = [self.cost[self.points] + np.hypot(d[..., 0], d[..., 1])]
        starts = [np.broadcast_to(net.xy[self.points], (n, len(self.points), 2))]
        source = [self.points]
        for ring, turn, state, nodes, reached in self.runs:
            low, start = self.ring_candidate(xy, ring, turn, state, nodes, reached)
            lows.append(low[:, None])
            starts.append(start[:, None])
            source.append(np.array([nodes[0]]))
        self._states = np.concatenate(
            [net.bound[self.points], np.array([state for _, _, state, _, _ in self.runs], dtype=bool)]
        )
        return np.concatenate(lows, axis=1), np.concatenate(starts, axis=1), np.concatenate(source)

    def ring_candidate(
        self, xy: Floats, ring: int, turn: int, state: bool, nodes: Floats, reached: Floats
    ) -> tuple[Floats, Floats]:
        """Lower bounds of costs by way of a ring, and where the last straight leaves it."""
        r = self.net.rings[ring]
        c = np.array(r.center)
        theta, length = leave_to_point(c, np.array(r.rho), np.array(turn), xy)
        outside = np.hypot(*(xy - c).T) >= r.rho - 1e-6
        arc = r.locate(theta, np.full(len(xy), state))
        number, order, _ = r.chain(int(state), turn)
        first = int(r.locate(self.angle(nodes[:1], c), np.array([state]))[0])
        mine = (arc >= 0) & (number[arc] == number[first]) & outside
        at = self._place(r, theta, np.maximum(arc, 0), turn, order)
        total = float(r.begin[-1])
        label = np.minimum.accumulate(self.cost[nodes] - reached)
        k = np.searchsorted(reached, at + 1e-9, side="right") - 1
        closed = reached[-1] > total or (len(nodes) > 1 and len(np.unique(nodes)) < len(nodes))
        low = np.where(mine & (k >= 0), label[np.maximum(k, 0)] + at, np.inf)
        if closed:
            k2 = np.searchsorted(reached, at + total + 1e-9, side="right") - 1
            low = np.where(mine, np.minimum(low, label[np.maximum(k2, 0)] + at + total), np.inf)
        start = c + r.rho * np.stack([np.cos(theta), np.sin(theta)], axis=-1)
        return low + length, start

    def angle(self, nodes: Floats, c: Floats) -> Floats:
        """Angles of nodes seen from a centre, radians."""
        d = self.net.xy[nodes] - c
        return np.asarray(np.arctan2(d[:, 1], d[:, 0]))

    @staticmethod
    def _place(r: object, theta: Floats, arc: Floats, turn: int, order: Floats) -> Floats:
        ring = r
        total = float(ring.begin[-1])  # type: ignore[attr-defined]
        place = ring.along(theta, arc)  # type: ignore[attr-defined]
        place = place if turn > 0 else total - place
        begin = ring.begin  # type: ignore[attr-defined]
        origin = float(begin[order[0]]) if turn > 0 else total - float(begin[order[0] + 1])
        place = (place - origin) % total
        return np.asarray(np.where(place > total - 1e-7, 0.0, place))

    def _verify(self, xy: Floats, low: Floats, start: Floats) -> tuple[Floats, Floats]:
        """Check the most promising straight of every place until the best is one that is allowed."""
        rows = np.arange(len(xy))
        known = np.zeros(low.shape, dtype=bool)
        sheet = self.net.sheets[self.sheet]
        while low.shape[1]:
            choice = np.argmin(low, axis=1)
            best = low[rows, choice]
            open_ = (best <= self.cutoff + SLACK) & ~known[rows, choice]
            if not open_.any():
                return best, choice
            r, c = rows[open_], choice[open_]
            p, q = start[r, c], xy[r]
            plain = np.hypot(*(q - p).T)
            true = sheet.straight(p, q, self._states[c], np.full(len(r), self.bound))
            low[r, c] = low[r, c] - plain + true
            known[r, c] = True
        return np.full(len(xy), np.inf), np.zeros(len(xy), dtype=np.int64)

    # -- polishing ------------------------------------------------------------------------------------------

    def _polished(self, xy: Floats, low: Floats, start: Floats, source: Floats, best: Floats) -> Floats:
        """Polish every kind of path that may be best, all places of one kind together."""
        near = (low <= best[:, None] + SLACK) & (best <= self.cutoff + SLACK)[:, None]
        rows, cands = np.nonzero(near)
        sheet = self.net.sheets[self.sheet]
        share = inside_share(start[rows, cands], xy[rows], sheet.mire)
        whole = (share < 1e-9) | (share > 1 - 1e-9)
        groups: dict[tuple[object, ...], tuple[Chain, list[Floats], list[Floats], list[Floats]]] = {}
        choice = np.argmin(low, axis=1)
        leading = set(choice[best <= self.cutoff + SLACK].tolist())

        def add(chain: Chain, mine: Floats, value: Floats) -> None:
            u = np.array([e.u for e in chain.elements if isinstance(e, Slide)])
            group = groups.setdefault(_key(chain), (chain, [], [], []))
            group[1].append(mine)
            group[2].append(np.broadcast_to(u, (len(mine), len(u))))
            group[3].append(value)

        # A best straight that crosses a rim is one of a kind: where it crosses, it bends.
        for i, c in zip(rows[~whole].tolist(), cands[~whole].tolist(), strict=True):
            if c == choice[i]:
                for prefix in self._prefixes_of(c, source, wide=False):
                    chain = normal(self.net, self._closed(prefix, xy[i]))
                    if chain.slides:
                        add(chain, np.array([i]), low[[i], c])
        rows, cands, heavy = rows[whole], cands[whole], share[whole] > 0.5
        for c in np.unique(cands).tolist():
            for weight in (1.0, 2.0):
                mine = rows[(cands == c) & (heavy == (weight == 2.0))]
                if not len(mine):
                    continue
                for chain in self._chains_for(c, source, weight, xy[mine[0]], wide=c in leading):
                    add(chain, mine, low[mine, c])
        out = best.copy()
        sampled = np.ones(len(xy), dtype=bool)
        blocked = np.full(len(xy), np.inf)
        for chain, row_parts, u_parts, low_parts in groups.values():
            r, u, value = np.concatenate(row_parts), np.concatenate(u_parts), np.concatenate(low_parts)
            order = np.lexsort((value, r))
            r, u = r[order], u[order]
            first = np.concatenate([[True], r[1:] != r[:-1]])
            r, u = r[first], u[first]
            many = replace(chain, elements=(*chain.elements[:-1], Fixed(xy[r])))
            value, bare = self._settle_many(many, u)
            sampled[r[value <= out[r] + ROUNDING]] = False
            # Polished into something: mending it may still beat what is known.
            blocked[r] = np.where(np.isfinite(value), blocked[r], np.minimum(blocked[r], bare))
            out[r] = np.minimum(out[r], value)
        rows_of = np.flatnonzero((sampled | (blocked < out - ROUNDING)) & (out <= self.cutoff + SLACK))
        for i in rows_of.tolist():
            if blocked[i] < out[i] or self._chains_for(int(choice[i]), source, 1.0, xy[i]):
                route = self.route((float(xy[i, 0]), float(xy[i, 1])))
                out[i] = min(out[i], route.cost) if route is not None else out[i]
        return out

    def _chains_for(
        self, c: int, source: Floats, weight: float, at: Floats, *, wide: bool = False
    ) -> tuple[Chain, ...]:
        """The kinds of path that slide, over one last bend and beside it, for a last straight of one weight."""
        cache: dict[tuple[int, float, bool], tuple[Chain, ...]] = self.__dict__.setdefault("_kinds", {})
        key = (c, weight, wide)
        if key not in cache:
            found: list[Chain] = []
            for prefix in self._prefixes_of(c, source, wide=wide):
                whole = self._closed(prefix, at)
                for chain in (whole, *loosened(self.net, whole)):
                    kind = normal(self.net, chain)
                    kind = replace(kind, links=(*kind.links[:-1], replace(kind.links[-1], weight=weight)))
                    found += [kind] if kind.slides else []
            cache[key] = tuple(found)
        return cache[key]

    def _prefixes_of(self, c: int, source: Floats, *, wide: bool) -> list[Chain]:
        """Chains to one last bend: the one remembered and, when wanted, the detours within the sampling error."""
        ring = c >= len(self.points)
        first = self._ring_prefix(c - len(self.points)) if ring else self._prefix(int(source[c]))
        found = [] if first is None else [first]
        if not wide:
            return found
        node = self._ring_node(c - len(self.points)) if ring else int(source[c])
        for steps, _ in detours(
            self.net, self.labels, self.layer, trace(self.net, self.labels, self.layer, node), SLACK
        ):
            chain = as_chain(self.net, steps)
            found.append(self._onto_ring(chain, c - len(self.points)) if ring else chain)
        return found

    def _settle_many(self, chain: Chain, u: Floats) -> tuple[Floats, Floats]:
        """Polish one kind of path for many places; costs, infinite where it is not allowed, and costs regardless."""
        u, bare = _newton_many(self.net, chain, u)
        legs, sweeps = places(self.net, chain, u)
        total = cost_of(self.net, chain, u)
        bound = np.full(len(u), chain.links[0].bound[0])
        for i, link in enumerate(chain.links):
            element = chain.elements[i]
            if isinstance(element, Wrap) and i:
                total = np.where(self._arc_open(element, legs, i, sweeps[:, i], bound), total, np.inf)
            p, q = legs[i]
            sheet = self.net.sheets[link.sheet]
            if link.portal >= 0:
                portal = self.net.portals[link.portal]
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

    def _arc_open(self, wrap: Wrap, legs: list[tuple[Floats, Floats]], i: int, sweep: Floats, bound: Floats) -> Floats:
        ring = self.net.rings[wrap.ring]
        c = np.array(ring.center)
        ends = []
        for p in (legs[i - 1][1], legs[i][0]):
            d = p - c
            ends.append(ring.locate(np.arctan2(d[:, 1], d[:, 0]), bound))
        number, _, closes = ring.chain(int(bound[0]), wrap.turn)
        ok = (ends[0] >= 0) & (ends[1] >= 0) & (closes | (number[ends[0]] == number[ends[1]]))
        short = np.abs(sweep) * ring.rho < 1e-7
        return np.asarray(short | (ok & (sweep * wrap.turn >= 0)))

    def _prefix(self, node: int) -> Chain | None:
        cache = self.__dict__.setdefault("_prefixes", {})
        if node not in cache:
            cache[node] = as_chain(self.net, trace(self.net, self.labels, self.layer, node))
        found: Chain = cache[node]
        return found

    def _ring_node(self, run: int) -> int:
        """The node that gives a ring its labels."""
        _, _, _, nodes, reached = self.runs[run]
        return int(nodes[int(np.argmin(self.cost[nodes] - reached))])

    def _ring_prefix(self, run: int) -> Chain | None:
        """The chain to a ring, from the node that gives the ring its labels."""
        chain = self._prefix(self._ring_node(run))
        return None if chain is None else self._onto_ring(chain, run)

    def _onto_ring(self, chain: Chain, run: int) -> Chain:
        ring, turn, state, _, _ = self.runs[run]
        wrap = Wrap(ring, turn)
        if chain.elements[-1] == wrap:
            return chain
        link = Link(self.sheet, bound=(state, state))
        return Chain((*chain.elements, wrap), (*chain.links, link))

    def _closed(self, prefix: Chain, at: Floats) -> Chain:
        link = Link(self.sheet, bound=(False, self.bound))
        return Chain((*prefix.elements, Fixed((float(at[0]), float(at[1])))), (*prefix.links, link))

    # -- routes ---------------------------------------------------------------------------------------------

    def route(self, at: Point) -> Route | None:
        """Return the best route to one place, None when it is not reached."""
        xy = np.array([at], dtype=float)
        sheet = self.net.sheets[self.sheet]
        if not bool((sheet.bound(xy) if self.bound else sheet.free(xy))[0]):
            return None
        low, start, source = self._candidates(xy)
        best, _ = self._verify(xy, low, start)
        if not math.isfinite(best[0]):
            return None
        kinds: dict[tuple[object, ...], tuple[float, Chain]] = {}
        near = np.flatnonzero(low[0] <= best[0] + SLACK)
        for c in near[np.argsort(low[0, near], kind="stable")].tolist():
            for prefix in self._prefixes_of(c, source, wide=bool(low[0, c] <= best[0] + ROUNDING)):
                whole = self._closed(prefix, xy[0])
                for chain in (whole, *loosened(self.net, whole)):
                    kinds.setdefault(kind_of(chain), (float(low[0, c]) + SLACK, chain))
        winner: Route | None = None
        for most, chain in list(kinds.values())[:MOST_KINDS]:
            done = polished_route(self.table, self.mover, self.net, chain, self.layer, most)
            if done is not None and (winner is None or done[0].cost < winner.cost):
                winner = done[0]
        return winner


def _key(chain: Chain) -> tuple[object, ...]:
    weights = tuple(link.weight for link in chain.links)
    return (*kind_of(replace(chain, elements=chain.elements[:-1])), weights)


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
