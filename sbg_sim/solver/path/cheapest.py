"""The best option among types of path: all are polished, then mended in order of cost until none can be cheaper."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np

from sbg_sim.solver.path.gathering import gather, loci_of
from sbg_sim.solver.path.optimise import certify
from sbg_sim.solver.path.options import NEAR_BEST, SAMPLING_ERROR, Option
from sbg_sim.solver.path.paths import Fixed
from sbg_sim.solver.path.polish import polish
from sbg_sim.tolerance import DOUBLED_ROUNDING, ROUNDING, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.solver.graph.tangent_graph import TangentGraph
    from sbg_sim.solver.path.gathering import Locus
    from sbg_sim.solver.path.mending import Done, Mender
    from sbg_sim.solver.path.paths import Path
    from sbg_sim.solver.path.polish import Polished
    from sbg_sim.table.route import Route

_Ends: TypeAlias = "tuple[Fixed | None, ...]"
MOST_TYPES: Final = 40
"""Types of path polished for one answer, the cheapest first."""


class Sampled(NamedTuple):
    """A path as it was sampled: its cost in inches, and its normal form if that is known."""

    cost: float
    path: Path
    plain: Path | None = None


def cheapest(
    mender: Mender, types: Sequence[Sampled], winner: Option | None, most: float
) -> tuple[Option | None, list[float]]:
    """Polish types of path; return the best option and the cost of each type (as sampled if no route came of it)."""
    return cheapest_of_each(mender, [types], [winner], most)[0]


def cheapest_of_each(
    mender: Mender,
    groups: Sequence[Sequence[Sampled]],
    winners: Sequence[Option | None],
    most: float,
    *,
    again: bool = True,
) -> list[tuple[Option | None, list[float]]]:
    """Do what :func:`cheapest` does for several groups of types, which are polished together.

    With ``again``, paths that came back to a type they had been of go on at another of their sliding places.
    """
    every = [one for types in groups for one in types]
    polished = polish(mender.net, [one.path for one in every], stops=True, plain=[one.plain for one in every])
    rest = iter(polished)
    parts = [list(itertools.islice(rest, len(types))) for types in groups]
    found = [
        _cheapest_mended(mender, types, part, winner, most)
        for types, part, winner in zip(groups, parts, winners, strict=True)
    ]
    others = [
        [Sampled(one.cost, other.further) for one, other in zip(types, part, strict=True) if other.further is not None]
        for types, part in zip(groups, parts, strict=True)
    ]
    if any(others) and again:
        gone_on = cheapest_of_each(mender, others, [best for best, _ in found], most, again=False)
        found = [(best, costs) for (best, _), (_, costs) in zip(gone_on, found, strict=True)]
    return found


@dataclass(eq=False)
class _Locus:
    """The types that were polished to one locus, which are one way.

    Parameters
    ----------
    options
        The options made of them, each with the places where its type is fixed.
    failed
        Whether one of them could not be mended.

    """

    options: list[tuple[_Ends, Option]] = field(default_factory=list)
    failed: bool = False

    def option(self, ends: _Ends) -> Option | None:
        """Return an option of a type that is fixed only where ``ends`` is."""
        return next((one for freer, one in self.options if _as_free(freer, ends)), None)


@dataclass(eq=False)
class _Type:
    """A type of path that was polished.

    Parameters
    ----------
    number
        Its index among the types.
    sampled, polished
        The path as sampled, and as polished.
    least
        Lower bound of its cost once mended, inches.
    locus
        All types with the same locus.

    """

    number: int
    sampled: Sampled
    polished: Polished
    least: float
    locus: _Locus

    def __post_init__(self) -> None:
        self.ends = _fixed_ends(self.sampled.path)


def _types(net: TangentGraph, types: Sequence[Sampled], polished: Sequence[Polished]) -> list[_Type]:
    """Return types with the paths they were polished to, the cheapest first.

    Of those of one locus the ones with fewest fixed places come first: once constrained, they can move farther.
    """
    if not types:
        return []
    # Weights hold near where a path began; polished farther it may have come to cost more than it did there.
    begun = np.maximum(gather(net, [one.path for one in types]).cost(), [one.cost for one in types]).tolist()
    loci = loci_of(net, [best.path for best in polished])
    known: dict[Locus, _Locus] = {}
    every = []
    for n, (one, best, start) in enumerate(zip(types, polished, begun, strict=True)):
        least = best.cost if best.cost <= start + TOUCH else start - NEAR_BEST
        every.append(_Type(n, one, best, least, known.setdefault(loci[n], _Locus())))
    fixed = np.array([sum(end is not None for end in one.ends) for one in every])
    order = np.lexsort((fixed, np.round(np.array([best.cost for best in polished]) / ROUNDING)))
    return [every[n] for n in order.tolist()]


def _cheapest_mended(
    mender: Mender, types: Sequence[Sampled], polished: Sequence[Polished], winner: Option | None, most: float
) -> tuple[Option | None, list[float]]:
    """Mend polished types, the cheapest first and ever more of them together; return what :func:`cheapest` does."""
    costs = [one.cost for one in types]
    todo, size = _types(mender.net, types, polished), 1
    dear: list[_Type] = []

    def bar() -> float:
        return min(most, winner.cost if winner else math.inf) + TOUCH

    def note(some: Sequence[_Type], options: Sequence[Option | None]) -> None:
        nonlocal winner
        for one, option in zip(some, options, strict=True):
            if option is None:
                one.locus.failed = True
            else:
                one.locus.options.append((one.ends, option))
                costs[one.number] = option.cost
            winner = better(option, winner)

    while todo:
        now: list[_Type] = []
        later: list[_Type] = []
        proven: list[tuple[_Type, Option]] = []
        for one in todo:
            if one.least > bar() or mender.gave_up(one.polished.path):
                dear.append(one)  # mending makes no path cheaper
                continue
            option = one.locus.option(one.ends)
            # An option that is not proven is tried from elsewhere too, unless the winner is proven.
            if option is not None and min(option.slack, winner.slack if winner else math.inf) <= DOUBLED_ROUNDING:
                proven.append((one, option))
            elif len(now) == size or (not one.locus.failed and any(other.locus is one.locus for other in now)):
                later.append(one)
            else:
                now.append(one)
        options = _options(mender, now, bar())
        note([one for one, _ in proven], [option for _, option in proven])
        note(now, options)
        todo, size = later, 2 * size
    along = [dear[k] for k in mender.cheaper_along([one.polished for one in dear], bar() - 2 * TOUCH)]
    note(along, _options(mender, along, bar()))
    return winner, costs


def _fixed_ends(path: Path) -> _Ends:
    """Return the fixed places where ways over begin and land and where the path ends; None for those that slide."""
    ends = [path.elements[i + k] for i in path.over for k in (0, 1)]
    return tuple(e if isinstance(e, Fixed) else None for e in (*ends, path.elements[-1]))


def _as_free(one: _Ends, other: _Ends) -> bool:
    """Say whether one path is fixed only where the other is."""
    return all(e is None or e == f for e, f in zip(one, other, strict=True))


def _options(mender: Mender, which: Sequence[_Type], bar: float) -> list[Option | None]:
    """Mend some types to options; None for those that cannot be mended below a bar, inches."""
    if not which:
        return []
    sampled = [one.sampled for one in which]
    every = mender.mended([(one.polished.path, one.sampled.path, one.sampled.cost + NEAR_BEST) for one in which], bar)
    plain: dict[int, Route] = {}
    for k, (done, one) in enumerate(zip(every, sampled, strict=True)):
        dear = done is None or done[0].cost > one.cost + TOUCH
        route = mender.route(one.path) if dear and one.cost <= bar else None
        if route is not None:
            plain[k] = route
    # As sampled they are legal; mended they are barred or cost more.
    again = [k for k, route in plain.items() if (done := every[k]) is None or route.cost < done[0].cost - TOUCH]
    for k, done in zip(again, mender.kept([(sampled[k].path, plain[k].cost) for k in again]), strict=True):
        every[k] = done
    return [option_of(mender, done, sampled[k].path, plain.get(k)) for k, done in enumerate(every)]


def option_of(mender: Mender, done: Done | None, sampled: Path, plain: Route | None) -> Option | None:
    """Make an option of a mended type, with its certificate, or else of the sampled path if its route is legal.

    None where there is neither.
    """
    snap, path = 0.0, sampled
    if done is not None:
        route, path = done
        residual, snap = certify(mender.net, path)
        slack = ROUNDING + residual
    elif plain is not None:
        # Nothing is proven of a path as sampled but what closer samples could gain.
        route, slack = plain, (SAMPLING_ERROR if path.over else NEAR_BEST) if path.slides else ROUNDING
        snap = SAMPLING_ERROR if path.over and path.slides else 0.0
    else:
        return None
    begun = route.cost - route.legs[-1].cost if mender.landed and route.legs else 0.0
    return Option(mender.tests, mender.landed, route.cost, slack, route, begun, snap, path)


def better(one: Option | None, other: Option | None) -> Option | None:
    """Return the cheaper option; of two as cheap the better proven, then the one with shorter ways over."""
    if one is None or other is None:
        return one or other
    if abs(one.cost - other.cost) > DOUBLED_ROUNDING:
        return min(one, other, key=lambda option: option.cost)

    def preferred(option: Option) -> tuple[float, float, float]:
        over = sum(leg.length for leg in option.route.legs if not leg.walked)
        return round(option.slack / ROUNDING), round(over / ROUNDING), option.cost

    best = min(one, other, key=preferred)
    return replace(best, slack=best.slack + best.cost - min(one.cost, other.cost))
