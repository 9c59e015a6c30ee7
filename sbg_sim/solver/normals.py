"""Many chains brought to their normal form at once: every link weighed, a sliding place just where a rim is crossed.

What :func:`sbg_sim.solver.polish.normal` does to one chain, with the geometry of all chains in arrays.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.geometry.grown import crossings
from sbg_sim.solver.chains import Chain, Element, Fixed, Link, Slide, Wrap
from sbg_sim.solver.mending import lifted, mend
from sbg_sim.solver.polish import joined, without
from sbg_sim.solver.sheet import MIRE_RIM
from sbg_sim.tolerance import ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.solver.bundles import Bundler

Floats = np.ndarray
_MARK: Final = 1e-9  # marks this near each other along a link (a share of it) are one
_ROWS: Final = 4000  # links whose crossings are looked for at once
_BESIDE: Final = 0.02  # inches from a corner at which a path beside it starts to be polished
_MET: Final = 1e-4  # two places nearer than this (inches) have run into one
_NEAR: Final = 1e-6  # a crossing this near a rim piece (inches) is on it


class Normals:
    """Normal forms of chains on one sheet, none of them with ways over.

    Parameters
    ----------
    bundler
        Of the network.
    sheet
        Index of the sheet.

    """

    def __init__(self, bundler: Bundler, sheet: int) -> None:
        self.bundler, self.net = bundler, bundler.net
        self.mire = self.net.sheets[sheet].mire
        self.mine = np.array([j for j in range(self.net.mire_pieces) if self.net.piece_sheet[j] == sheet], dtype=int)
        self._corners: dict[tuple[float, float], list[tuple[int, float]]] = {}

    def normal(self, chains: Sequence[Chain]) -> list[Chain]:
        """Return the normal forms of chains, in their order."""
        found = list(chains)
        if self.mire.empty:
            return found
        todo = list(range(len(found)))
        for _ in range(3):
            if not todo:
                return found
            whole = self._split(self._tidied([found[i] for i in todo]))
            then = []
            for i, chain, slim in zip(todo, whole, self._slim(whole), strict=True):
                found[i] = slim
                if len(slim.elements) < len(chain.elements):
                    then.append(i)
            todo = then
        for i, chain in zip(todo, self._split([found[i] for i in todo]), strict=True):
            found[i] = chain
        return found

    def beside(self, chain: Chain) -> list[Chain]:
        """Return the kinds next to a chain that meets a rim at a corner or on a ring: those that cross it beside."""
        found = []
        for i, element in enumerate(chain.elements[1:-1], 1):
            if isinstance(element, Fixed):
                for j, u in self._meeting(element.at):
                    elements = (*chain.elements[:i], Slide(j, u), *chain.elements[i + 1 :])
                    found.append(replace(chain, elements=elements))
        return [*found, *lifted(self.net, chain)]

    def neighbours(self, chain: Chain) -> list[Chain]:
        """Return the kinds next to one that is blocked where it stands.

        A ring it no longer bends round is left out or one that it runs into put in; places that have run into each
        other become one; and a place at the end of its rim goes on along the next.
        """
        mended = mend(self.net, chain)
        found = [] if mended is None else [mended]
        points = {
            i: self.net.pieces[e.piece].at(np.array(e.u)) for i, e in enumerate(chain.elements) if isinstance(e, Slide)
        }
        for i, at in points.items():
            if i + 1 in points and float(np.hypot(*(points[i + 1] - at))) < _MET:
                found += [without(chain, i), without(chain, i + 1)]
            element = chain.elements[i]
            assert isinstance(element, Slide)
            if _MARK < element.u < self.net.pieces[element.piece].length - _MARK:
                continue
            for j, u in self._meeting((float(at[0]), float(at[1]))):
                if j != element.piece:
                    found.append(replace(chain, elements=(*chain.elements[:i], Slide(j, u), *chain.elements[i + 1 :])))
        return found

    def _meeting(self, at: tuple[float, float]) -> list[tuple[int, float]]:
        """Rim pieces that come to a place, and where beside it a path might cross them."""
        if at not in self._corners:
            u, apart = self.bundler.rims.nearest(np.array([at]))
            found = []
            for j in self.mine[apart[0, self.mine] <= TOUCH].tolist():
                length = float(self.bundler.rims.length[j])
                aside = min(_BESIDE, length / 2)
                near = float(u[0, j])
                found.append((j, near + aside if near < length / 2 else near - aside))
            self._corners[at] = found
        return self._corners[at]

    # -- steps ----------------------------------------------------------------------------------------------

    def _weight(self, mid: Floats) -> Floats:
        out = np.ones(len(mid))
        for k in range(0, len(mid), _ROWS):
            out[k : k + _ROWS] += self.mire.clearance(mid[k : k + _ROWS]) < -MIRE_RIM
        return out

    def _tidied(self, chains: list[Chain]) -> list[Chain]:
        """Leave out places where a path joins or leaves the ring of a rim on its open side."""
        spots = [[i for i in c.slides if _on_own_ring(self.bundler, c, i)] for c in chains]
        some = [n for n, s in enumerate(spots) if s]
        if not some:
            return chains
        legs = self.bundler.legs(self.bundler.gather([chains[n] for n in some]))
        asked = [(m, k) for m, n in enumerate(some) for i in spots[n] for k in (i - 1, i)]
        rows, cols = np.array(asked).T
        p, q = legs.p[rows, cols], legs.q[rows, cols]
        weight = np.where(np.hypot(*(q - p).T) < _MARK, 2.0, self._weight((p + q) / 2))
        known = dict(zip(asked, weight.tolist(), strict=True))
        out = list(chains)
        for m, n in enumerate(some):
            chain = out[n]
            for i in reversed(spots[n]):
                drop = any(
                    isinstance(chains[n].elements[other], Wrap)
                    and _own(self.bundler, chains[n].elements[i], chains[n].elements[other])
                    and known[m, side] < 1.5
                    for side, other in ((i - 1, i + 1), (i, i - 1))
                )
                if drop and joined(self.net, chain.elements[i - 1], chain.elements[i + 1]):
                    chain = without(chain, i)
            out[n] = chain
        return out

    def _slim(self, chains: list[Chain]) -> list[Chain]:
        """Leave out sliding places at which the weight does not change: nothing bends there."""
        legs = self.bundler.legs(self.bundler.gather(chains))
        length = np.hypot(*np.moveaxis(legs.q - legs.p, -1, 0))
        out = []
        for n, chain in enumerate(chains):
            slim = chain
            for i in reversed([i for i in chain.slides if chain.elements[i].piece < self.net.mire_pieces]):  # type: ignore[union-attr]
                before, after = slim.links[i - 1].weight, slim.links[i].weight
                if before == after and length[n, i - 1] > ROUNDING and length[n, i] > ROUNDING:
                    slim = without(slim, i)
            out.append(slim)
        return out

    def _split(self, chains: list[Chain]) -> list[Chain]:
        """Put a sliding place wherever a link crosses a rim, and weigh every link."""
        if not chains:
            return []
        legs = self.bundler.legs(self.bundler.gather(chains))
        rows = np.repeat(np.arange(len(chains)), [len(c.links) for c in chains])
        cols = np.concatenate([np.arange(len(c.links)) for c in chains])
        p, q = legs.p[rows, cols], legs.q[rows, cols]
        real = np.hypot(*(q - p).T) > _MARK
        stretches: list[list[tuple[float, float]]] = [[] for _ in rows]
        for at, row in zip(np.flatnonzero(real).tolist(), self._stretches(p[real], q[real]), strict=True):
            stretches[at] = row
        places = [(n, t) for n, row in enumerate(stretches) for t, _ in row if t < 1]
        slides = iter(self._slides(np.array([p[n] + t * (q[n] - p[n]) for n, t in places]).reshape(-1, 2)))
        out, n = [], 0
        for chain in chains:
            elements: list[Element] = [chain.elements[0]]
            links: list[Link] = []
            for i, link in enumerate(chain.links):
                if not stretches[n]:
                    links.append(link)
                for t, weight in stretches[n]:
                    slide = next(slides) if t < 1 else None
                    if t < 1 and slide is None:
                        continue
                    links.append(replace(link, weight=weight))
                    if slide is not None:
                        elements.append(slide)
                elements.append(chain.elements[i + 1])
                n += 1
            out.append(replace(chain, elements=tuple(elements), links=tuple(links)))
        return out

    def _stretches(self, p: Floats, q: Floats) -> list[list[tuple[float, float]]]:
        """Weights along segments: for each, parameters up to which a weight holds."""
        marks: list[list[float]] = []
        for k in range(0, len(p), _ROWS):
            t = np.sort(crossings(p[k : k + _ROWS], q[k : k + _ROWS], self.mire), axis=1)
            count = (t < 1).sum(axis=1)
            for row, m in zip(t, count.tolist(), strict=True):
                kept, last = [], 0.0
                for mark in row[:m].tolist():
                    if mark - last > _MARK:
                        kept.append(mark)
                        last = mark
                if kept and 1 - kept[-1] <= _MARK:
                    kept.pop()
                marks.append([*kept, 1.0])
        counts = [len(m) for m in marks]
        upto = np.array([t for m in marks for t in m])
        start = np.array([t for m in marks for t in (0.0, *m[:-1])])
        of = np.repeat(np.arange(len(p)), counts)
        weight = iter(self._weight(p[of] + ((start + upto) / 2)[:, None] * (q[of] - p[of])).tolist())
        out = []
        for row in marks:
            found: list[tuple[float, float]] = []
            for end in row:
                w = next(weight)
                if found and found[-1][1] == w:
                    found[-1] = (end, w)
                else:
                    found.append((end, w))
            out.append(found)
        return out

    def _slides(self, at: Floats) -> list[Slide | None]:
        """Return the places of rims at some crossings."""
        if not len(at) or not len(self.mine):
            return [None] * len(at)
        out: list[Slide | None] = []
        for k in range(0, len(at), _ROWS):
            u, apart = self.bundler.rims.nearest(at[k : k + _ROWS])
            best = self.mine[np.argmin(apart[:, self.mine], axis=1)]
            rows = np.arange(len(best))
            out += [
                Slide(j, v) if d < _NEAR else None
                for j, v, d in zip(best.tolist(), u[rows, best].tolist(), apart[rows, best].tolist(), strict=True)
            ]
        return out


def _on_own_ring(bundler: Bundler, chain: Chain, i: int) -> bool:
    return any(_own(bundler, chain.elements[i], chain.elements[k]) for k in (i - 1, i + 1))


def _own(bundler: Bundler, slide: Element, other: Element) -> bool:
    """Whether a place slides on the rim of which the other element is the ring."""
    if not (isinstance(slide, Slide) and isinstance(other, Wrap)):
        return False
    piece, ring = bundler.net.pieces[slide.piece], bundler.net.rings[other.ring]
    return bool(piece.radius) and ring.center == piece.start and ring.rho == piece.radius
