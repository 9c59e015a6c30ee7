"""Exact costs of many places: polishes every type of path that may be the best, all places and types together.

The types come from the tangent graph: paths by all last bends within the sampling error of the best, detours of the
best of them, and types that pass beside a corner of a rim. A polished path is tested against obstacles only while it
could still be the cheapest.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from sbg_sim.arrays import point
from sbg_sim.geometry.grown import inside_share
from sbg_sim.solver.field.candidates import (
    BestPaths,
    Blocked,
    Candidates,
    Polishing,
    Settled,
    ToPolish,
    landed_last,
)
from sbg_sim.solver.field.tails import Tail, Tails
from sbg_sim.solver.graph.tangent_graph import SAMPLE, SPACING
from sbg_sim.solver.path.gathering import gather
from sbg_sim.solver.path.mending import Mender
from sbg_sim.solver.path.neighbours import begun_where_landed, beside, beside_corners, landed_beside_ring
from sbg_sim.solver.path.normal_form import normal
from sbg_sim.solver.path.paths import Fixed, Path, Slide, fix_at_ends, put, type_of
from sbg_sim.solver.path.polish import polish
from sbg_sim.tolerance import DOUBLED_ROUNDING, ROUNDING, SHARE

if TYPE_CHECKING:
    from sbg_sim.arrays import Bools, Floats, Ints
    from sbg_sim.solver.field.sampled_costs import LastBends, SampledCosts

_Prefix: TypeAlias = tuple[Any, ...]  # type of the path to a last bend, its rough place, and the weight beyond
_ABOUT = 0.5  # inches of a rim on which paths of one type share a starting place for polishing
_MENDS = 6  # greatest number of rounds of mending
_PLACES = 2000  # places whose paths are mended together


class _Onward(NamedTuple):
    """A last bend, the node that labels it, the weight of the straight on, and whether detours may matter."""

    bend: int
    node: int
    weight: float
    wide: bool


class ExactCosts:
    """Makes sampled costs exact: of any places (:meth:`polished`), or of consecutive places (:meth:`along`).

    In both cases the types of path that may be the best are chosen, polished (:meth:`settled`), and mended if they are
    blocked (:meth:`mended`).

    Parameters
    ----------
    field
        The sampled costs, and the paths to last bends.

    """

    def __init__(self, field: SampledCosts) -> None:
        self.field, self.net = field, field.net
        self.space = field.net.spaces[field.space]
        self.tails = Tails(field.net, field.sampled)
        # The types of path that slide, and whether the labelled path itself slides nowhere.
        self._types: dict[_Onward, tuple[list[Path], bool]] = {}
        self._beside: dict[_Prefix, list[Path]] = {}
        self._parted: dict[Path, list[Tail]] = {}
        self._landings: dict[_Onward, list[tuple[Path, tuple[float, float]]]] = {}

    def polished(self, xy: Floats, bends: LastBends, best: Floats, known: Floats, *, wide: bool = False) -> Floats:
        """Return the exact costs of places ``(n, 2)``, inches.

        Parameters
        ----------
        xy
            The places, inches.
        bends
            The last bends of paths to them.
        best
            The best sampled costs ``(n,)``.
        known
            Exact costs by way of rims ``(n,)``, infinite if unknown; the samples of those rims are no last bends then.
        wide
            Whether detours may matter though a way by a rim is cheaper.

        """
        best = np.minimum(best, known)
        candidates, landed, still = self._leading_to(xy, bends, best, np.full(len(xy), np.inf) if wide else known)
        out, sampled, blocked = self.settled(xy, best, self._chosen(candidates, xy, best))
        sampled &= (known > best) & ~still
        out, barred = self.mended(xy, out, blocked, candidates)
        # Apart from the others, so that each type is polished from its own starting place as well.
        out = self.settled(xy, out, self._chosen(landed, xy, out)).cost if landed.every else out
        left = np.flatnonzero(sampled & barred & (best <= self.field.sampled))
        for some in (left[a : a + _PLACES] for a in range(0, len(left), _PLACES)):
            costs = [np.inf if route is None else route.cost for route in self.field.routes(xy[some])]
            out[some] = np.minimum(out[some], costs)
        return out

    def _leading_to(
        self, xy: Floats, bends: LastBends, best: Floats, known: Floats
    ) -> tuple[Candidates, Candidates, Bools]:
        """Return the types of path that may be the best to places, and separately those that land along a ring.

        Return as well to which places the best sampled path is exact already ``(n,)``.
        """
        low, choice = bends.low, np.argmin(bends.low, axis=1)
        # The number of points that have no column.
        beyond = len(self.field.points) + len(self.field.runs) - low.shape[1]
        reached = best <= self.field.sampled
        promising, on_rims = self.field.promising(xy, bends, best)
        rows, cands = np.nonzero(promising & reached[:, None])
        start, node = bends.start[rows, cands], bends.node[rows, cands]
        weight, candidates = self._weight(start, xy[rows]), Candidates()
        k = np.flatnonzero((weight == 0) & (cands == choice[rows]) & (known[rows] > best[rows]))
        self._add_crossing(candidates, rows[k], xy[rows[k]], cands[k] + beyond, node[k], low[rows[k], cands[k]])
        # From a rim just beside the place, a path that crosses elsewhere comes over the ground of the place itself.
        near = np.flatnonzero((weight == 0) & on_rims[rows, cands])
        weight[near] = self.space.weight(xy[rows[near]])
        # The place nearest to a last bend has the most types beside it.
        away = np.hypot(*(start - xy[rows]).T)
        order = np.flatnonzero(weight)
        order = order[np.lexsort((away[order], weight[order], node[order], cands[order]))]
        rows, marks = rows[order], np.stack([cands[order], node[order], weight[order]])
        first = np.flatnonzero((np.diff(marks, prepend=-1) != 0).any(axis=0))
        # The detours of a last bend do not matter if a way by a rim is cheaper.
        leading = set(choice[reached & (low[np.arange(len(xy)), choice] <= known)].tolist())
        every = [_Onward(int(c) + beyond, int(n), w, int(c) in leading) for c, n, w in marks[:, first].T.tolist()]
        self._learn({on: xy[rows[k]] for on, k in zip(every, first.tolist(), strict=True)})
        still, landed = np.zeros(len(xy), dtype=bool), Candidates()
        for on, mine in zip(every, np.split(rows, first[1:]) if every else [], strict=True):
            c, (types, exact) = on.bend - beyond, self._types[on]
            # Paths that cross a rim last are known already, except beside the samples that are left.
            over_rims = not beyond or (on.bend < len(self.field.points) and self.net.nodes.kind[on.node] == SAMPLE)
            for path in types:
                if over_rims or not isinstance(path.elements[-2], Slide):
                    candidates.add(path, mine, low[mine, c])
            for path, at in self._landed(on):
                near = mine[np.hypot(*(xy[mine] - at).T) <= SPACING]
                landed.add(path, near, low[near, c])
            # A best path without sliding places is exact already.
            still[mine[choice[mine] == c]] |= exact
        return candidates, landed, still

    def _weight(self, p: Floats, q: Floats) -> Floats:
        """Return the weights of straights between places ``(n, 2)``; 0 for a straight that crosses a rim."""
        share = inside_share(p, q, self.space.difficult)
        return np.where(share < SHARE, 1.0, np.where(share > 1 - SHARE, 2.0, 0.0))

    def _add_crossing(
        self, candidates: Candidates, rows: Ints, xy: Floats, bends: Ints, nodes: Ints, low: Floats
    ) -> None:
        """Add paths whose last straight crosses a rim, in normal form, where they bend at the crossing."""
        ends = zip(bends.tolist(), nodes.tolist(), xy, strict=True)
        made = [self.field.ended_at(self.field.prefix_of(c, n), at) for c, n, at in ends]
        for k, path in enumerate(normal(self.net, made)):
            if path.slides:
                candidates.add(path, rows[[k]], low[[k]])

    def mended(
        self, xy: Floats, best: Floats, blocked: Blocked | None, candidates: Candidates | None = None
    ) -> tuple[Floats, Bools]:
        """Mend blocked paths to places ``(n, 2)``, the cheaper ones, all together, while that may help.

        Return costs no dearer than the best known ``(n,)``, inches, and which places keep their sampled cost. Paths
        polished as earlier candidates are not polished again.
        """
        out, candidates = best.copy(), candidates or Candidates()
        sampled = np.ones(len(xy), dtype=bool)
        for n in range(_MENDS):
            if blocked is None:
                break
            blocked = blocked.cheapest(out - ROUNDING)
            over = blocked.batch.over
            ways = np.flatnonzero(over)
            for some in (ways[a : a + _PLACES] for a in range(0, len(ways), _PLACES)):
                rows, alone = blocked.rows[some], self._with_ways_over(blocked.some(some), out)
                sampled[rows[alone <= out[rows] + ROUNDING]] = False
                np.minimum.at(out, rows, alone)
            walked = blocked.some(ways)
            bent = blocked.some(np.flatnonzero(~over))
            candidates = self._following(candidates, (bent, bent.others()), (walked, walked.walked()))
            # Types that gain nothing are followed in the first round only, or they would become ever more.
            gain = -ROUNDING if n == 0 else ROUNDING
            out, still, blocked = self.settled(xy, out, self._chosen(candidates, xy, out), gain=gain)
            sampled &= still
        return out, sampled

    def _following(self, candidates: Candidates, *next_to: tuple[Blocked, list[tuple[Path, Ints]]]) -> Candidates:
        """Return the types next to blocked ones as candidates, after earlier ones."""
        candidates = Candidates(candidates)
        for blocked, others in next_to:
            for path, (_, alike) in zip(normal(self.net, [path for path, _ in others]), others, strict=True):
                candidates.add(path, blocked.rows[alike], blocked.bare[alike])
            for path, alike in blocked.weighed():
                candidates.add(path, blocked.rows[alike], blocked.bare[alike])
        return candidates

    def _with_ways_over(self, blocked: Blocked, most: Floats) -> Floats:
        """Polish and mend paths with ways over; return their costs (inches), infinite above ``most`` of the place."""
        mender = Mender(self.field.table, self.field.mover, self.net, self.field.layer)
        every, limits = range(len(blocked.rows)), most[blocked.rows]
        paths, begun = [blocked.path(n) for n in every], [blocked.path(n, polished=False) for n in every]
        polished = polish(self.net, paths)
        bare = np.array([best.cost for best in polished])
        costs = gather(self.net, [best.path for best in polished]).allowed(bare)
        # Legal paths need no mending, and mending makes no path cheaper.
        some = np.flatnonzero((costs > bare + DOUBLED_ROUNDING) & (bare <= limits)).tolist()
        found = mender.mended([(polished[n].path, begun[n], float(limits[n])) for n in some], np.inf)
        costs[some] = [np.inf if done is None else done[0].cost for done in found]
        return np.where(costs <= limits + ROUNDING, costs, np.inf)

    # -- types ----------------------------------------------------------------------------------------------

    def _learn(self, wanted: dict[_Onward, Floats]) -> None:
        """Collect the types of path that slide, by last bends and beside those, for straights on to some places."""
        of: dict[_Onward, list[_Prefix]] = {}
        fresh: dict[_Prefix, Path] = {}
        for on, p in wanted.items():
            if on in self._types:
                continue
            prefixes = [self.field.prefix_of(on.bend, on.node)]
            if on.wide:
                # The best path may bend at the very end of a rim.
                held = fix_at_ends(self.net, prefixes[0])
                ended = put(held, len(held.links), prefixes[0].elements[-1])
                prefixes += [*self.field.detours_of(on.bend, on.node), held, ended]
            lasts = [prefix.elements[-1] for prefix in prefixes]
            about = [int(last.u // _ABOUT) if isinstance(last, Slide) else 0 for last in lasts]
            of[on] = [(*type_of(prefix), n, on.weight) for prefix, n in zip(prefixes, about, strict=True)]
            for which, prefix in zip(of[on], prefixes, strict=True):
                if which not in self._beside:
                    fresh.setdefault(which, self.field.ended_at(prefix, p))
        self._look_beside(fresh)
        for on, known in of.items():
            types = dict.fromkeys(path for which in known for path in self._beside[which])
            self._types[on] = [path for path in types if path.slides], not self._beside[known[0]][0].slides

    def _look_beside(self, fresh: dict[_Prefix, Path]) -> None:
        """Collect the normal forms of paths and of the types beside them."""
        every: list[tuple[_Prefix, Path]] = []
        for (which, whole), others in zip(fresh.items(), self._next_to(list(fresh.values())), strict=True):
            types: dict[tuple[object, ...], Path] = {}
            for path in (whole, *others):
                types.setdefault(type_of(path), path)
            every += [(which, path) for path in types.values()]
        for (which, _), path in zip(every, normal(self.net, [path for _, path in every]), strict=True):
            last = replace(path.links[-1], weight=which[-1]) if path.slides else path.links[-1]
            self._beside.setdefault(which, []).append(replace(path, links=(*path.links[:-1], last)))

    def _next_to(self, paths: list[Path]) -> list[list[Path]]:
        """Return the types beside paths; with ways over only those that pass corners, or join ways and rings."""
        net, plain = self.net, iter(beside(self.net, [path for path in paths if not path.over]))
        over = (beside_corners, begun_where_landed, landed_beside_ring)
        return [[other for near in over for other in near(net, path)] if path.over else next(plain) for path in paths]

    def _landed(self, on: _Onward) -> list[tuple[Path, tuple[float, float]]]:
        """Return the types that land elsewhere on the last ring of a path to a last bend, and where that one landed."""
        if on.bend < len(self.field.points) or on in self._landings:
            return self._landings.get(on, [])
        at, prefix = self.net.nodes.xy[on.node], self.field.prefix_of(on.bend, on.node)
        paths = normal(self.net, landed_last(self.net, self.field.ended_at(prefix, at)) if prefix.over else [])
        self._landings[on] = [(path, point(at)) for path in paths if path.slides]
        return self._landings[on]

    # -- settling -------------------------------------------------------------------------------------------

    def ending_at_nodes(self, nodes: list[int]) -> list[list[Path]]:
        """Return normal forms of paths (no ways over) that end at samples of rims, each with the types beside it."""
        paths = zip(map(self.field.prefix, nodes), self.net.nodes.xy[nodes], strict=True)
        ended = [put(path, len(path.links), Fixed(point(at))) for path, at in paths]
        every = [[path, *others] for path, others in zip(ended, beside(self.net, ended), strict=True)]
        made = iter(normal(self.net, [path for types in every for path in types]))
        return [list(islice(made, len(types))) for types in every]

    def along(self, xy: Floats, best: Floats, candidates: Candidates) -> tuple[Floats, BestPaths]:
        """Polish candidates; return exact costs ``(n,)`` of places, no dearer than ``best``, and how paths arrive."""
        n = len(xy)
        noted = BestPaths(np.full((n, 2), np.nan), np.full(n, np.nan), np.full(n, -1), np.full(n, -1), np.zeros((n, 0)))
        out, _, blocked = self.settled(xy, best, self._chosen(candidates, xy, best), noted)
        for _ in range(_MENDS):
            before, doubtful = out, noted.doubtful(xy, out, self.field.cutoff)
            more = Candidates(candidates)
            if blocked is not None:
                # Between a sample whose path takes a ring and one whose path does not, neither type may be open.
                blocked = blocked.some(np.flatnonzero(doubtful[blocked.rows])).cheapest(out - ROUNDING)
                more = self._following(candidates, (blocked, blocked.others())) if len(blocked.rows) else more
            self._beside_doubtful(more, np.flatnonzero(doubtful), out, noted)
            if not more.every:
                break
            out, _, blocked = self.settled(xy, out, self._chosen(more, xy, out), noted)
            told = blocked is None or np.isfinite(out[doubtful]).all()
            if told and not (out < before - ROUNDING).any():
                break
        return out, noted

    def _beside_doubtful(self, candidates: Candidates, rows: Ints, out: Floats, noted: BestPaths) -> None:
        """Add the types of the neighbours of doubtful places as candidates there."""
        for k in (np.maximum(rows - 1, 0), np.minimum(rows + 1, len(out) - 1)):
            there = noted.which[k]
            for n in np.unique(there[there >= 0]).tolist():
                mine = rows[there == n]
                candidates.add(noted.tails[n].whole, mine, out[mine])

    def settled(
        self, xy: Floats, best: Floats, todo: ToPolish, noted: BestPaths | None = None, gain: float = -ROUNDING
    ) -> Settled:
        """Polish paths to places ``(n, 2)`` that may cost less than the best known ``(n,)``, inches.

        A path that improves the cost by ``gain`` (inches) and comes to the end of a rim counts as blocked as well,
        since a type next to it may be better. ``noted`` records how the best paths arrive.
        """
        out, sampled = best.copy(), np.ones(len(xy), dtype=bool)
        if not len(todo.rows):
            return Settled(out, sampled, None)
        paths = Polishing(self.net, xy, todo, best)
        rows, first = todo.rows, (0, 0) if noted is None else noted.begin(todo.tails, paths.batch.u.shape[1])
        for along_ground in (False, True):
            if along_ground:
                paths.slide_along(out)
            while len(k := paths.likely(out)):
                value = paths.look_at(k)
                good = np.flatnonzero(np.isfinite(value) & (value <= out[rows[k]] + ROUNDING))
                np.minimum.at(out, rows[k], value)
                k = k[good[np.argsort(-value[good], kind="stable")]]  # the best path of each place is recorded last
                if noted is not None:
                    noted.note(paths.batch.rows(k), rows[k], todo.path_type[k] + first[1], todo.which[k] + first[0])
                sampled[rows[k[~paths.crept[k]]]] = False
                # A crossing at the end of its rim may go on along the next rim.
                paths.block(k[paths.batch.rows(k).ended.any(axis=1) & (out[rows[k]] <= best[rows[k]] - gain)])
        return Settled(out, sampled, paths.blocked())

    def _chosen(self, candidates: Candidates, xy: Floats, best: Floats) -> ToPolish:
        """Return the paths that can be the best, parted into tails: each tail once for each place."""
        fresh = [path for path in dict.fromkeys(path for path, _, _ in candidates.every) if path not in self._parted]
        self._parted |= zip(fresh, self.tails.of(fresh), strict=True)
        every = [(tail, rows, low) for path, rows, low in candidates.every for tail in self._parted[path]]
        if not every:
            return ToPolish([], *np.zeros((3, 0), dtype=np.int64))
        tails = [tail for tail, _, _ in every]
        stem = self.tails.best(tails)
        which = np.repeat(np.arange(len(tails)), [len(rows) for _, rows, _ in every])
        rows = np.concatenate([rows for _, rows, _ in every]).astype(np.int64)
        low = np.concatenate([low for _, _, low in every])
        # Leave out a tail that would be dearer even if the straight from its bend to the place were open.
        bend = np.array([tail.start for tail in tails])[stem]
        away = np.hypot(*(xy[rows] - bend[which, :2]).T) * bend[which, 2] + bend[which, 3]
        near = np.flatnonzero(away <= best[rows] + DOUBLED_ROUNDING)
        order = near[np.lexsort((low[near], rows[near], stem[which[near]]))]
        rows, which = rows[order], which[order]
        first = np.concatenate([[True], (np.diff(rows) != 0) | (np.diff(stem[which]) != 0)])[: len(rows)]
        rows, which = rows[first], which[first]
        new = candidates.fresh(tails, stem[which], rows, len(xy))
        rows, which, path_type = rows[new], which[new], stem[which[new]]
        used, which = np.unique(which, return_inverse=True)
        return ToPolish([tails[n].after(tails[stem[n]]) for n in used.tolist()], rows, which, path_type)
