"""Finds where on its base an enemy can be touched: the cost of contact by angle, and the arcs within the Move.

A base in contact can be rolled along the other base. So along an open stretch the cost changes by at most two inches
an inch of the contact circle, the price of difficult ground. This bounds the cost between two samples, and more samples
are taken only where it might cross the limit (Piyavskii 1972, Shubert 1972, on Lipschitz functions).
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from sbg_sim.arrays import unit
from sbg_sim.solver.field.cost_field import CostField
from sbg_sim.solver.field.rim_costs import RIM_STEP
from sbg_sim.solver.field.sampled_costs import sampling_error
from sbg_sim.solver.graph.graph_builder import GraphBuilder
from sbg_sim.solver.graph.label_search import Limits, settle
from sbg_sim.solver.graph.tangent_graph import SPACING
from sbg_sim.solver.judge import may_move
from sbg_sim.solver.path.options import chance_of
from sbg_sim.solver.space.surroundings import Goal
from sbg_sim.table.board import allowance, standing_up
from sbg_sim.tolerance import ANGLE, FITS, ROUNDING

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from sbg_sim.arrays import Floats
    from sbg_sim.solver.space.configuration_space import Space
    from sbg_sim.solver.space.surroundings import Surroundings
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model

STEP: Final = math.tau / 48
"""Distance of the first samples, radians."""

_FINEST: Final = math.radians(0.05)  # arcs and gaps narrower than this may be missed between samples
_ROUNDS: Final = 40  # greatest number of looks at an end of an arc; three are usual, at a jump as well
_BENT: Final = 0.25  # error of a secant: a share of the stretch, for each radian of its width
_OFF: Final = np.array([-64.0, -8.0, -1.0, 1.0, 8.0, 64.0])  # multiples of that error at which to look
_QUARTERS: Final = np.array([0.25, 0.5, 0.75])
_EVENLY: Final = np.arange(1, 32) / 32
_BESIDE: Final = 2.0 ** np.arange(-24, 0)
"""Shares of a stretch at which to look for a jump of the cost: first beside its good end, where most jumps are."""
_CLOSE: Final = 4 * ANGLE  # radians: precision of ends, the distance of the two sides of a break

ContactArcs: TypeAlias = tuple[tuple[float, float], ...]


def contact_arcs(table: Table, mover: Model, enemy: Model) -> ContactArcs:
    """Return the arcs of an enemy's base where a charger can certainly end, radians from its centre.

    Parameters
    ----------
    table, mover, enemy
        The table, the charger and the charged enemy.

    """
    return next((arcs for _, arcs in arcs_with_dice(table, mover, enemy, 0)), ())


def arcs_with_dice(table: Table, mover: Model, enemy: Model, dice: int) -> list[tuple[Fraction, ContactArcs]]:
    """Return the arcs where a charger can end after no die, one six, two sixes and so on, with their chances.

    Parameters
    ----------
    table, mover, enemy
        The table, the charger and the charged enemy.
    dice
        How many dice at most.

    """
    x, y, rho = *enemy.at, enemy.radius + mover.radius
    left = allowance(mover) - standing_up(mover)
    found: list[tuple[Fraction, ContactArcs]] = []
    for layer, costs in enumerate(contact_costs(table, mover, enemy, dice)):
        space = costs.net.spaces[costs.space]
        costs_at = _at_contact(costs, space, (x, y, rho), left)
        arcs = within(costs_at, space.breaks((x, y), rho), rho, left + FITS)
        if arcs and (not found or arcs != found[-1][1]):
            found.append((chance_of(layer, landing=False), arcs))
    return found


def contact_costs(table: Table, mover: Model, enemy: Model, dice: int = 0) -> list[CostField]:
    """Return the costs of ending in contact after no die, one six and so on, up to the last that reaches a place.

    Parameters
    ----------
    table, mover, enemy
        The table, the charger and the charged enemy.
    dice
        How many dice at most.

    """
    return [] if may_move(mover) else _costs(*_contact(table, mover, enemy, dice), dice)


def comes_to(table: Table, mover: Model, enemy: Model, ends: Floats) -> bool:
    """Say whether a charger can certainly end at any of some places in contact.

    Parameters
    ----------
    table, mover, enemy
        The table, the charger and the charged enemy.
    ends
        The places ``(n, 2)``, inches.

    """
    if may_move(mover):
        return False
    (surroundings, goal, most), left = _contact(table, mover, enemy, 0), allowance(mover) - standing_up(mover)
    end = surroundings.index(goal.surface)
    if end is None:
        return False
    ends = ends[surroundings.spaces[end].takes(ends, bound=goal.bound)]
    if not len(ends):
        return False
    # A straight way needs no graph.
    if not mover.climbed and bool((surroundings.straight(goal, ends) <= left + FITS).any()):
        return True
    costs = next(iter(_costs(surroundings, goal, most, 0)), None)
    # A sampled cost within the Move is enough; one above it by at most the sampling error is made exact.
    return costs is not None and bool(
        (costs.distance(ends, exact=(left, left + costs.sampling_error)) <= left + FITS).any()
    )


def _contact(table: Table, mover: Model, enemy: Model, dice: int) -> tuple[Surroundings, Goal, float]:
    """Return the surroundings, the goal and the greatest cost (inches) of a search for contact with an enemy.

    That cost is a little beyond the Move, so that the ends of arcs are approached from both sides.
    """
    rho = enemy.radius + mover.radius
    goal = Goal(enemy.on, contact=((*enemy.at, rho),), bound=enemy.has_zone)
    most = allowance(mover) - standing_up(mover) + max(2 * rho * STEP, SPACING)
    standing = replace(mover, prone=False)
    return goal.surroundings(table, standing, most, charging=enemy.id, dice=dice > 0), goal, most


def _costs(surroundings: Surroundings, goal: Goal, most: float, dice: int) -> list[CostField]:
    """Return the costs of ending for a goal, up to ``most`` inches, by number of dice."""
    end, mover = surroundings.index(goal.surface), surroundings.mover
    if end is None:
        return []
    spacing = RIM_STEP if dice else SPACING
    net = GraphBuilder(surroundings, goal, spacing, most, absorbing=True).build()
    labels = settle(net.graph, dict.fromkeys(net.source, 0.0), Limits(most, net.ahead(goal)), layers=dice)
    bound = surroundings.spaces[end].target is not None
    reached = itertools.takewhile(lambda layer: (labels.cost[layer] <= most).any(), range(dice + 1))
    error = sampling_error(surroundings.transitions, spacing)
    return [
        CostField(surroundings.table, mover, net, labels, end, k, bound=bound, cutoff=most, sampling_error=error)
        for k in reached
    ]


def _at_contact(
    costs: CostField, space: Space, circle: tuple[float, float, float], limit: float
) -> Callable[[Floats], Floats]:
    """Return the cost of contact as a function of angles, exact where it might lie on either side of the limit."""
    x, y, rho = circle
    # Arcs after dice are only drawn, so sampled costs suffice.
    error = 0.0 if costs.layer else costs.sampling_error

    def cost(angle: Floats) -> Floats:
        p = np.array([x, y]) + rho * unit(angle)
        found = np.full(len(p), np.inf)
        k = np.flatnonzero(space.may_end(p))
        sampled = costs.distance(p[k], exact=(limit, limit + error))
        # Costs that stay sampled are lowered to a bound.
        found[k] = sampled - np.where(sampled > limit + error, error, 0.0)
        return found

    return cost


# -- arcs within a limit -----------------------------------------------------------------------------------------------


def within(
    cost: Callable[[Floats], Floats], breaks: Floats, rho: float, limit: float
) -> tuple[tuple[float, float], ...]:
    """Return the arcs of a circle where a cost is within a limit.

    Parameters
    ----------
    cost
        Returns costs (inches) at angles ``(n,)`` (radians); infinite at closed places, or far above the limit.
    breaks
        Sorted angles in [0, 2 pi); between two of them the cost is infinite, or changes by at most two inches an inch.
    rho
        Radius of the circle, inches.
    limit
        Inches.

    Returns
    -------
    First and last angle of every arc, the last beyond 2 pi where it passes 0; ``((0, 2 pi),)`` for the whole circle.

    """
    angle = samples(breaks)
    value = cost(angle)
    ends: dict[float, _End] = {}
    while True:
        after = np.append(angle[1:], angle[0] + math.tau)
        gap, near = after - angle, np.stack([value, np.roll(value, -1)], axis=1)
        good = near <= limit
        # Two samples beyond the limit may hide a dip, two within it a peak, if the cost can change enough in between.
        swing = np.where(np.isfinite(near).all(axis=1), near.mean(axis=1), near.min(axis=1))
        k = np.flatnonzero((good[:, 0] == good[:, 1]) & (gap > _FINEST) & (np.abs(swing - limit) < rho * gap))
        for n in np.flatnonzero(good[:, 0] != good[:, 1]).tolist():
            (a, b), (low, high) = (float(angle[n]), float(after[n])), (near[n] - limit).tolist()
            back = math.tau if b >= math.tau else 0.0  # an arc begins in the first turn, or just before it
            ends.setdefault(
                a, _End(a, b, low, high) if good[n, 0] else _End(b - back, a - back, high, low, begins=True)
            )
        closing = [end for end in ends.values() if end.open]
        if not len(k) and not closing:
            break
        # All places are looked at in one call, which takes hardly longer than one for few.
        asked = [(angle[k] + gap[k] * _QUARTERS[:, None]).ravel(), *(end.asked() for end in closing)]
        found = np.split(cost(np.concatenate(asked) % math.tau), np.cumsum([len(part) for part in asked[:-1]]))
        for end, looks, costs in zip(closing, asked[1:], found[1:], strict=True):
            end.close_in(looks, costs - limit)
        angle, value = np.append(angle, asked[0]), np.append(value, found[0])
        order = np.argsort(angle, kind="stable")
        angle, value = angle[order], value[order]
    if not ends:
        return ((0.0, math.tau),) if good.all() else ()
    lows, highs = ([end.good for end in ends.values() if end.begins == begins] for begins in (True, False))
    return tuple((low, min(high if high >= low else high + math.tau for high in highs)) for low in sorted(lows))


def samples(breaks: Floats, step: float = STEP) -> Floats:
    """Return sorted angles at most ``step`` radians apart, with both sides of every break."""
    even = np.arange(0.0, math.tau, step)
    sides = np.concatenate([breaks - ANGLE, breaks + ANGLE]) % math.tau
    return np.unique(np.concatenate([even, breaks, sides]))


@dataclass
class _End:
    """One end of an arc: it lies between an angle ``good`` within the limit and an angle ``bad`` beyond it, radians.

    ``low`` and ``high`` are the costs at these angles less the limit, inches.
    """

    good: float
    bad: float
    low: float
    high: float
    begins: bool = False
    looks: int = 0

    @property
    def open(self) -> bool:
        """Whether more looks can narrow it: not once the cost at ``good`` equals the limit to rounding."""
        return abs(self.bad - self.good) > _CLOSE and self.low < -ROUNDING and self.looks < _ROUNDS

    def asked(self) -> Floats:
        """Return the angles to look at next."""
        width = self.bad - self.good
        if not math.isfinite(self.high):  # the cost jumps somewhere in between, and no secant tells where
            return np.asarray(self.good + (_EVENLY if self.looks else _BESIDE) * width)
        return np.asarray(self.good + _shares(self.low, self.high, abs(width)) * width)

    def close_in(self, angle: Floats, above: Floats) -> None:
        """Narrow it to the first of some angles that is beyond the limit and the angle before."""
        angles = [self.good, *angle.tolist(), self.bad]
        costs = [self.low, *above.tolist(), self.high]
        k = next(k for k, cost in enumerate(costs) if cost > 0)
        (self.good, self.bad), (self.low, self.high) = angles[k - 1 : k + 1], costs[k - 1 : k + 1]
        self.looks += 1


def _shares(low: float, high: float, width: float) -> Floats:
    """Return rising shares of a stretch of ``width`` radians: its quarters, and places beside the secant's guess."""
    guess = low / (low - high) if high > low else 0.5
    shares = np.concatenate([_QUARTERS, guess + max(_BENT * width, _CLOSE) * _OFF])
    return np.sort(np.clip(shares, 0.0, 1.0))
