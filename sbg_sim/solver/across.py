"""Charges across a barrier: into contact with the barrier opposite to a defended model (CHG.8)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.geometry.breaks import circle_breaks, segment_breaks
from sbg_sim.geometry.grown import joined
from sbg_sim.rules.defended import defended
from sbg_sim.solver.field import Field
from sbg_sim.solver.network import Goal
from sbg_sim.solver.plan import MOST_TESTS, Option, Search, options
from sbg_sim.solver.search import settle
from sbg_sim.solver.setting import Setting, make_setting
from sbg_sim.solver.sheet import zone_discs
from sbg_sim.solver.weaver import Weaver
from sbg_sim.tolerance import ANGLE, FITS, ROUNDING

if TYPE_CHECKING:
    from collections.abc import Callable

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.rules.defended import Strand
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model

Floats = np.ndarray

_SPACING: Final = 0.02  # inches between the places first tried; between them costs are smooth or have one dip
_GOLDEN: Final = (math.sqrt(5) - 1) / 2
_CUTS: Final = 44  # golden sections: from twice the spacing to below a thousandth of a micro-inch
_DIPS: Final = 3  # places of least cost that are followed to their ends


@dataclass(frozen=True)
class Across:
    """A way to contact across a barrier.

    Parameters
    ----------
    barrier
        Its id.
    option
        The way.

    """

    barrier: str
    option: Option


def across_options(table: Table, mover: Model, target: Model, limit: float) -> list[Across]:
    """Return the cheapest ways to touch each barrier opposite to the target, by number of dice.

    Parameters
    ----------
    table
        The table.
    mover, target
        Who charges, standing up; and whom.
    limit
        The movement it has, inches.

    """
    found: list[Across] = []
    for defence in defended(table, mover.id, target.id):
        if not defence.locus:
            continue
        nearest = min(math.dist(mover.at, s.at(t)) for s in defence.locus for t in np.linspace(0, 1, 9))
        # first within the Move, then far enough to say how much is missing
        for reach in (limit, 2 * (limit + nearest), 4 * (table.width + table.depth)):
            ways = _ways(table, mover, target, defence.locus, reach)
            if ways:
                found += [Across(defence.barrier, option) for option in ways]
                break
    return found


def _ways(table: Table, mover: Model, target: Model, locus: tuple[Strand, ...], reach: float) -> list[Option]:
    found = _ways_with(table, mover, target, locus, reach, dice=False)
    # what takes no dice is not bettered by dice
    return found or _ways_with(table, mover, target, locus, reach, dice=True)


def _ways_with(
    table: Table, mover: Model, target: Model, locus: tuple[Strand, ...], reach: float, *, dice: bool
) -> list[Option]:
    charging = target.id if target.has_zone else None
    setting = make_setting(table, mover, reach=reach, charging=charging, dice=dice)
    here = setting.index(target.on)
    layers = MOST_TESTS if dice and any(p.way.tests for p in setting.portals) else 0
    if here is None or (dice and not layers):
        return []
    net = Weaver(setting.sheets, setting.portals, (0, mover.at), None, range_=reach + 1.0).weave()
    labels = settle(net.graph, dict.fromkeys(net.source, 0.0), layers=layers, cutoff=reach + FITS)
    found: list[Option] = []
    for layer in range(1 if layers else 0, layers + 1):
        for bound in (True, False) if charging else (False,):
            field = Field(table, mover, net, labels, here, layer, bound=bound, cutoff=reach + FITS)
            spot = _cheapest(field, locus)
            if spot is not None:
                goal = _at(spot, target.on, bound=bound)
                near = math.dist(mover.at, spot)
                ways = options(Search(table, mover, charging, goal, 0.0, dice=dice, near=near), reach)
                # the place itself is known to within the last golden section
                found += [replace(way, slack=max(way.slack, 10 * ROUNDING)) for way in ways]
        if found:
            break
    return found


def _at(spot: Point, surface: str | None, *, bound: bool) -> Callable[[Setting], Goal | None]:
    def goal(setting: Setting) -> Goal | None:
        i = setting.index(surface)
        return None if i is None else Goal(i, spot, (), bound)

    return goal


def _cheapest(field: Field, locus: tuple[Strand, ...]) -> Point | None:
    """Return the place of least cost on the strands, None when none is reached."""
    sheet = field.net.sheets[field.sheet]
    best: tuple[float, Point] | None = None
    for strand in locus:

        def cost(shares: Floats, strand: Strand = strand) -> Floats:
            p = np.array([strand.at(float(t)) for t in shares])
            return np.where(sheet.may_end(p), field.distance(p), np.inf)

        # a stretch is open or closed as a whole: its ends are exact, not where rounding lets a place pass
        for first, last in pairwise(_marks(field, strand)):
            shares = np.linspace(first, last, max(3, math.ceil((last - first) * strand.length / _SPACING) + 1))
            costs = cost(shares)
            if not np.isfinite(costs[1:-1]).any():
                continue
            for k in _dips(costs):
                low, high = shares[max(k - 1, 0)], shares[min(k + 1, len(shares) - 1)]
                value, share = _followed(cost, float(low), float(shares[k]), float(high), float(costs[k]))
                if best is None or value < best[0]:
                    best = (value, strand.at(share))
    return None if best is None else best[1]


def _marks(field: Field, strand: Strand) -> list[float]:
    """Return the shares of a strand at which it meets walls, low obstacles and the rims of zones, and its ends."""
    sheet = field.net.sheets[field.sheet]
    body = joined(sheet.walls, sheet.low, zone_discs(sheet.zones))
    if strand.center is None:
        inner = segment_breaks(np.array(strand.start), np.array(strand.end), body)
    else:
        x, y = strand.center
        first = math.atan2(strand.start[1] - y, strand.start[0] - x)
        angles = circle_breaks(np.array([x, y]), strand.radius, body)
        inner = (angles - first) * math.copysign(1.0, strand.sweep) % (2 * math.pi) / abs(strand.sweep)
    return [0.0, *sorted({float(t) for t in inner if ANGLE < t < 1 - ANGLE}), 1.0]


def _dips(costs: Floats) -> list[int]:
    """Return where sampled costs are least: the few lowest of the local minima."""
    padded = np.concatenate([[np.inf], costs, [np.inf]])
    low = np.isfinite(costs) & (costs <= padded[:-2]) & (costs <= padded[2:])
    at = np.flatnonzero(low)
    return [int(k) for k in at[np.argsort(costs[at], kind="stable")][:_DIPS]]


def _followed(
    cost: Callable[[Floats], Floats], low: float, mid: float, high: float, value: float
) -> tuple[float, float]:
    """Follow a dip to its bottom by golden sections; where the place is closed counts as high ground."""
    best = (value, mid)
    for _ in range(_CUTS):
        cuts = np.array([high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)])
        one, two = cost(cuts).tolist()
        best = min(best, (one, float(cuts[0])), (two, float(cuts[1])))
        if math.isinf(one) and math.isinf(two):
            # both closed: only the side of the best place is of use
            low, high = (low, float(cuts[0])) if best[1] < cuts[0] else (float(cuts[1]), high)
        elif one <= two:
            high = float(cuts[1])
        else:
            low = float(cuts[0])
    return best
