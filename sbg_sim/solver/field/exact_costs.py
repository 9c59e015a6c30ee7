"""Exact costs of many places: every kind of path that may be best is polished, all places and kinds together.

Which kinds there are comes from the network: the last bends within the sampling error of the best, the detours
beside the best of them, and the kinds that pass a corner of a rim beside it. Whether a polished path is allowed is
asked only of those that could still be the cheapest.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

from sbg_sim.geometry.grown import inside_share
from sbg_sim.solver.path.batch import WRAP, Batch, gather, placed
from sbg_sim.solver.path.mending import Mender
from sbg_sim.solver.path.neighbours import beside, beside_corners, neighbours
from sbg_sim.solver.path.normal_form import normal
from sbg_sim.solver.path.optimise import settle
from sbg_sim.solver.path.options import SLACK
from sbg_sim.solver.path.path_types import Fixed, PathType, Slide, kind_of
from sbg_sim.tolerance import ROUNDING

if TYPE_CHECKING:
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.route import Route

Floats = np.ndarray
_Key: TypeAlias = tuple[int, int, float, bool]  # last bend, node that labels it, weight of the last straight, wide
_MET = 1e-7  # inches: a link shorter than this says nothing of where a path comes from
_SHARE = 1e-9  # of a link that crosses no rim
_MENDS = 6  # times a path is mended


class Bends(Protocol):
    """What is asked of a cost field: its last bends and the chains to them."""

    table: Table
    mover: Model
    net: TangentGraph
    space: int
    layer: int
    cutoff: float

    def prefixes_of(self, c: int, node: int, *, wide: bool) -> list[PathType]:
        """Return the chains to one last bend, with the detours beside them when wanted."""
        ...

    def closed(self, prefix: PathType, at: Floats) -> PathType:
        """Return a chain to a last bend with its last straight to a place, inches."""
        ...

    def route(self, at: Point) -> Route | None:
        """Return the best route to a place."""
        ...


class ExactCosts:
    """Polishes the costs of one field.

    Parameters
    ----------
    field
        The cost field.

    """

    def __init__(self, field: Bends) -> None:
        self.field, self.net = field, field.net
        self.space = field.net.spaces[field.space]
        self._kinds: dict[_Key, tuple[PathType, ...]] = {}
        self._still: dict[_Key, bool] = {}  # whether the remembered path slides nowhere

    def polished(self, xy: Floats, low: Floats, start: Floats, source: Floats, best: Floats) -> Floats:
        """Return the exact costs of places ``(n, 2)``.

        Parameters
        ----------
        xy
            The places, inches.
        low, start, source
            Lower bounds by last bend ``(n, c)``, where the last straight begins, and which node labels the bend.
        best
            Best costs as sampled ``(n,)``.

        """
        reached = best <= self.field.cutoff + SLACK
        rows, cands = np.nonzero((low <= best[:, None] + SLACK) & reached[:, None])
        share = inside_share(start[rows, cands], xy[rows], self.space.difficult)
        whole = (share < _SHARE) | (share > 1 - _SHARE)
        choice = np.argmin(low, axis=1)
        leading = set(choice[reached].tolist())
        jobs = Jobs()
        node = source[rows, cands]
        # A best straight that crosses a rim is one of a kind: where it crosses, it bends.
        bent = np.flatnonzero(~whole & (cands == choice[rows]))
        made = [
            self.field.closed(self.field.prefixes_of(int(cands[k]), int(node[k]), wide=False)[0], xy[rows[k]])
            for k in bent.tolist()
        ]
        for k, chain in zip(bent.tolist(), normal(self.net, made), strict=True):
            if chain.slides:
                jobs.add(chain, rows[[k]], low[rows[[k]], cands[k]])
        heavy = np.where(share > 0.5, 2.0, 1.0)
        order = np.flatnonzero(whole)
        order = order[np.lexsort((rows[order], heavy[order], node[order], cands[order]))]
        rows, cands, node, heavy = rows[order], cands[order], node[order], heavy[order]
        keys: list[_Key] = [
            (c, n, w, c in leading) for c, n, w in zip(cands.tolist(), node.tolist(), heavy.tolist(), strict=True)
        ]
        first = [k for k, key in enumerate(keys) if not k or key != keys[k - 1]]
        self._learn({keys[k]: xy[rows[k]] for k in first})
        for k, mine in zip(first, np.split(rows, first[1:]), strict=False):
            for chain in self._kinds[keys[k]]:
                jobs.add(chain, mine, low[mine, cands[k]])
        out, sampled, blocked = self._settled(xy, best, jobs)
        # A best straight to which nothing slides is exact as it is.
        for k in np.flatnonzero(cands == choice[rows]).tolist():
            sampled[rows[k]] &= not self._still[keys[k]]
        for i in np.flatnonzero(sampled & reached).tolist():
            route = self.field.route((float(xy[i, 0]), float(xy[i, 1])))
            out[i] = min(out[i], route.cost) if route is not None else out[i]
        return self._mended(xy, out, blocked)

    def _mended(self, xy: Floats, out: Floats, blocked: list[tuple[int, float, PathType]]) -> Floats:
        """Mend the cheaper ones of the paths that something blocks, all together, as often as that may help."""
        seen: set[tuple[object, ...]] = set()
        for _ in range(_MENDS):
            again: list[tuple[int, float, PathType]] = []
            for i, bare, chain in sorted(blocked, key=lambda row: row[:2]):
                if bare >= out[i] - ROUNDING:
                    continue
                if _ways_over(chain):
                    out[i] = min(out[i], self._alone(chain, float(out[i])))
                    continue
                for other in neighbours(self.net, chain):
                    key = (i, *kind_of(other))
                    if key not in seen:
                        seen.add(key)
                        again.append((i, bare, other))
            if not again:
                break
            jobs = Jobs()
            for (i, bare, _), chain in zip(again, normal(self.net, [row[2] for row in again]), strict=True):
                jobs.add(chain, np.array([i]), np.array([bare]))
            out, _, blocked = self._settled(xy, out, jobs)
        return out

    def _alone(self, chain: PathType, most: float) -> float:
        """Polish and mend one chain by itself; its cost, infinite if none below ``most`` (inches) is found."""
        mender = Mender(self.field.table, self.field.mover, self.net, self.field.layer)
        found = mender.polished(chain, most)
        return np.inf if found is None else found[0].cost

    # -- kinds ----------------------------------------------------------------------------------------------

    def _learn(self, wanted: dict[_Key, Floats]) -> None:
        """Find the kinds of path that slide, over last bends and beside them, for last straights to some places."""
        fresh = {key: p for key, p in wanted.items() if key not in self._kinds}
        chains: list[PathType] = []
        of: list[_Key] = []
        for key, p in fresh.items():
            kinds: dict[tuple[object, ...], PathType] = {}
            for prefix in self.field.prefixes_of(key[0], key[1], wide=key[3]):
                closed = self.field.closed(prefix, p)
                next_to = beside_corners if _ways_over(closed) else beside
                for chain in (closed, *next_to(self.net, closed)):
                    kinds.setdefault(kind_of(chain), chain)
            chains += kinds.values()
            of += [key] * len(kinds)
        found: dict[_Key, list[PathType]] = {key: [] for key in fresh}
        for key, chain in zip(of, normal(self.net, chains), strict=True):
            self._still.setdefault(key, not chain.slides)
            if chain.slides:
                links = (*chain.links[:-1], replace(chain.links[-1], weight=key[2]))
                found[key].append(replace(chain, links=links))
        self._kinds |= {key: tuple(kinds) for key, kinds in found.items()}

    # -- settling -------------------------------------------------------------------------------------------

    def ending_at_nodes(self, chains: list[PathType]) -> list[list[PathType]]:
        """Return normal forms of chains that end where they slide to, each with the kinds beside it."""
        fixed: list[PathType] = []
        of: list[int] = []
        for n, chain in enumerate(chains):
            last = chain.elements[-1]
            if isinstance(last, Slide):
                x, y = self.net.pieces[last.piece].at(np.array(last.u)).tolist()
                chain = replace(chain, elements=(*chain.elements[:-1], Fixed((x, y))))  # noqa: PLW2901
            kinds = [chain, *([] if _ways_over(chain) else beside(self.net, chain))]
            fixed += kinds
            of += [n] * len(kinds)
        found: list[list[PathType]] = [[] for _ in chains]
        for n, chain in zip(of, normal(self.net, fixed), strict=True):
            found[n].append(chain)
        return found

    def along(self, xy: Floats, best: Floats, jobs: Jobs) -> tuple[Floats, Arrivals]:
        """Polish jobs: exact costs ``(n,)`` of places, no dearer than ``best``, and how the paths arrive."""
        notes = Arrivals(np.full((len(xy), 2), np.nan), np.full(len(xy), np.nan), np.full(len(xy), -1))
        out, _, _ = self._settled(xy, best, jobs, notes)
        return out, notes

    def _settled(
        self, xy: Floats, best: Floats, jobs: Jobs, notes: Arrivals | None = None
    ) -> tuple[Floats, Floats, list[tuple[int, float, PathType]]]:
        """Polish all jobs: costs, which places remain as sampled, and cheaper paths that are blocked."""
        out, sampled = best.copy(), np.ones(len(xy), dtype=bool)
        blocked: list[tuple[int, float, PathType]] = []
        chains, rows, which, kind = jobs.chosen()
        if not len(rows):
            return out, sampled, blocked
        batch, bare = settle(gather(self.net, chains).rows(which).ending(xy[rows]))
        open_ = np.isfinite(bare)
        while True:
            # The cheapest of every place is looked at first; what cannot come below what is known, never.
            k = np.flatnonzero(open_ & (bare <= out[rows] + ROUNDING))
            k = k[np.lexsort((bare[k], rows[k]))]
            k = k[np.concatenate([[True], np.diff(rows[k]) != 0])[: len(k)]]
            if not len(k):
                return out, sampled, blocked
            open_[k] = False
            value = batch.rows(k).allowed(bare[k])
            i = rows[k]
            if notes is not None:
                better = np.flatnonzero(value < out[i] + ROUNDING)
                _note(notes, batch.rows(k[better]), i[better], kind[k[better]])
            sampled[i[value <= out[i] + ROUNDING]] = False
            # Polished into something: mending it may still beat what is known.
            for n in k[~np.isfinite(value)].tolist():
                end = Fixed((float(xy[rows[n], 0]), float(xy[rows[n], 1])))
                chain = placed(chains[which[n]], batch.u[n])
                blocked.append((int(rows[n]), float(bare[n]), replace(chain, elements=(*chain.elements[:-1], end))))
            out[i] = np.minimum(out[i], value)


@dataclass
class Arrivals:
    """How the best paths come to places: unit directions ``(n, 2)``, NaN where none was polished; kinds of path."""

    direction: Floats
    weight: Floats
    kind: Floats


class Jobs:
    """Places and the kinds of path to polish for each, every kind once a place, from where it was cheapest."""

    def __init__(self) -> None:
        self.chains: list[PathType] = []
        self.kind: list[int] = []
        self.rows: list[Floats] = []
        self.low: list[Floats] = []
        self._numbers: dict[tuple[object, ...], int] = {}

    def add(self, chain: PathType, rows: Floats, low: Floats) -> None:
        """Note that a chain may be best for some places, whose sampled costs by it are given."""
        weights = tuple(link.weight for link in chain.links)
        key = (*kind_of(replace(chain, elements=chain.elements[:-1])), weights)
        self.chains.append(chain)
        self.kind.append(self._numbers.setdefault(key, len(self._numbers)))
        self.rows.append(rows)
        self.low.append(low)

    def chosen(self) -> tuple[list[PathType], Floats, Floats, Floats]:
        """Return chains, and row by row the place, which chain and which kind."""
        counts = [len(rows) for rows in self.rows]
        rows, low = (np.concatenate([np.zeros(0), *part]) for part in (self.rows, self.low))
        kind, which = np.repeat(self.kind, counts), np.repeat(np.arange(len(counts)), counts)
        order = np.lexsort((low, rows, kind))
        rows, kind, which = rows[order].astype(np.int64), kind[order].astype(np.int64), which[order]
        first = np.ones(len(rows), dtype=bool)
        first[1:] = (np.diff(rows) != 0) | (np.diff(kind) != 0)
        used, which = np.unique(which[first], return_inverse=True)
        return [self.chains[n] for n in used.tolist()], rows[first], which, kind[first]


def _note(notes: Arrivals, batch: Batch, i: Floats, kind: Floats) -> None:
    """Note from where paths come: along their last link that has a length."""
    legs = batch.legs()
    # A link that leaves a ring has the ring's direction, however short it is.
    long = ((legs.length > _MET) | (batch.kind[:, :-1] == WRAP)) & (
        np.arange(batch.weight.shape[1]) < batch.size[:, None] - 1
    )
    last = batch.weight.shape[1] - 1 - np.argmax(long[:, ::-1], axis=1)
    rows = np.arange(len(i))
    phi = legs.phi[rows, last]
    notes.direction[i] = np.stack([np.cos(phi), np.sin(phi)], axis=1)
    notes.weight[i] = batch.weight[rows, last]
    notes.kind[i] = kind


def _ways_over(chain: PathType) -> bool:
    return any(link.transition >= 0 for link in chain.links)
