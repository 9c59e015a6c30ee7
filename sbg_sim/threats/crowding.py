"""Finds how many chargers have room round one base at once, and an order in which they can come."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from sbg_sim.arrays import unit
from sbg_sim.geometry.breaks import joined_spans
from sbg_sim.solver.arcs import comes_to
from sbg_sim.tolerance import ANGLE, HAIR, ROUNDING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.arcs import ContactArcs
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model

_MOST_LOOKS: Final = 20_000  # placements tried; six bases of one size fit round a seventh
_BESIDE: Final = np.array([0.0, -1.0, 1.0]) * (ANGLE + HAIR)  # radians


def placements(target: Model, arcs: Mapping[str, ContactArcs], radii: Mapping[str, float]) -> list[tuple[str, float]]:
    """Place as many chargers as possible side by side round a base, each on its own arcs.

    A best placement can be turned clockwise until a charger stands at the start of an arc, with the others each as
    early as possible, counter-clockwise. So it is enough to try every start and every order.

    Parameters
    ----------
    target
        The model whose base it is.
    arcs
        By charger, the arcs on which it can end, radians.
    radii
        By charger, the radius of its base, inches.

    Returns
    -------
    Pairs of charger and angle (radians), counter-clockwise, as many as were found to fit.

    """
    best: list[tuple[str, float]] = []
    looks = 0
    seen: dict[tuple[str, frozenset[str]], float] = {}
    names = sorted(arcs, key=lambda name: (_length(arcs[name]), name))
    gaps = {one: {two: apart(target, radii[one], radii[two]) for two in names} for one in names}
    closest = min((gap for row in gaps.values() for gap in row.values()), default=math.tau)
    begin, end = np.array([arc for some in arcs.values() for arc in some]).reshape(-1, 2).T
    low, high = joined_spans(np.stack([begin % math.tau, begin % math.tau + end - begin]))
    anywhere = tuple(zip(low.tolist(), high.tolist(), strict=True))  # the union of all arcs, within one turn

    def room(angle: float, first: float) -> int:
        """Return a bound of the number that fit beyond an angle: as if each had the smallest base, and all arcs."""
        count, at = 0, _earliest(anywhere, angle + closest - ROUNDING)
        while at is not None and at + closest <= first + math.tau + 2 * ANGLE + ROUNDING:
            count, at = count + 1, _earliest(anywhere, at + closest - ROUNDING)
        return count

    def go(placed: list[tuple[str, float]], first: float) -> None:
        nonlocal best, looks
        looks += 1
        if len(placed) > len(best):
            best = list(placed)
        if looks > _MOST_LOOKS or len(best) == len(names):
            return
        last, angle = placed[-1]
        own = last, frozenset(name for name, _ in placed)
        if seen.get(own, math.inf) <= angle:
            return  # the same chargers left more room in another order
        seen[own] = angle
        around = (first + math.tau - angle) / closest - 1 + ROUNDING
        if len(placed) + around < len(best) + 1 or len(placed) + room(angle, first) <= len(best):
            return  # the room left cannot make this the best
        options = []
        for name in names:
            if name in own[1]:
                continue
            at = _earliest(arcs[name], angle + gaps[last][name])
            if at is not None and at + gaps[name][placed[0][0]] <= first + math.tau + ANGLE:
                options.append((at, name))
        for at, name in sorted(options):
            go([*placed, (name, at)], first)

    for name in names:
        for start, _ in arcs[name]:
            seen.clear()
            go([(name, start)], start)
    return best


def apart(target: Model, one: float, two: float) -> float:
    """Return the angle between two neighbours that touch, both in contact with the target (radii in inches)."""
    a, b = target.radius + one, target.radius + two
    return math.acos(max(-1.0, min(1.0, (a * a + b * b - (one + two) ** 2) / (2 * a * b))))


def _length(arcs: ContactArcs) -> float:
    return sum(last - first for first, last in arcs)


def _earliest(arcs: ContactArcs, least: float) -> float | None:
    """Return the first angle from `least` on, within a turn, that lies on an arc."""
    found = []
    for first, last in arcs:
        turns = math.ceil((least - last - ANGLE) / math.tau)
        low, high = first + turns * math.tau, last + turns * math.tau
        if high >= least - ANGLE:
            found.append(max(low, least))
    return min(found, default=None)


def together(table: Table, charged: tuple[str, Mapping[str, ContactArcs]]) -> tuple[tuple[tuple[str, Point], ...], int]:
    """Find chargers that can come into contact with a target one after the other.

    Parameters
    ----------
    table
        The table.
    charged
        The target's id; and by charger, in the preferred order of moves, the arcs on which it can end.

    Returns
    -------
    Chargers and places in their order, as many as were found; and the number that have room side by side.

    """
    target, arcs = charged
    radii = {name: table.model(name).radius for name in arcs}
    enemy, rank = table.model(target), {name: i for i, name in enumerate(arcs)}
    mirrored = {name: tuple((-last, -first) for first, last in some) for name, some in arcs.items()}
    early = placements(enemy, arcs, radii)
    late = [(name, -angle) for name, angle in placements(enemy, mirrored, radii)]
    best: tuple[tuple[str, Point], ...] = ()
    for wanted in (early, late):
        for way in (1, -1):
            found = in_turn(table, target, sorted(wanted, key=lambda row: way * rank[row[0]]))
            best = max(best, found, key=len)
            if len(best) == len(early):
                return best, len(early)
    return best, len(early)


def in_turn(table: Table, target: str, wanted: Sequence[tuple[str, float]]) -> tuple[tuple[str, Point], ...]:
    """Play a placement: return the chargers that can still go to their places when those before stand on theirs.

    Parameters
    ----------
    table
        The table.
    target
        The id of the target.
    wanted
        Pairs of charger and angle, in the order of moves.

    """
    done: list[tuple[str, Point]] = []
    waiting = list(wanted)
    while waiting:
        for name, angle in waiting:
            mover, enemy = table.model(name), table.model(target)
            out = mover.radius + enemy.radius
            at = (enemy.at[0] + out * math.cos(angle), enemy.at[1] + out * math.sin(angle))
            if not done or _comes_to(table, mover, enemy, angle):
                table = _engaged(table, name, target, at)
                done.append((name, at))
                waiting.remove((name, angle))
                break
        else:
            break
    return tuple(done)


def _comes_to(table: Table, mover: Model, enemy: Model, angle: float) -> bool:
    """Say whether a charger can certainly end in contact at an angle of a base (radians), or a hair beside it.

    Only that place is examined, not all arcs of the base.
    """
    angles = angle + _BESIDE
    xy = np.array(enemy.at) + (mover.radius + enemy.radius) * unit(angles)
    return comes_to(table, mover, enemy, xy)


def _engaged(table: Table, name: str, target: str, at: Point) -> Table:
    mover, enemy = table.model(name), table.model(target)
    models = table.models.with_item(
        name, replace(mover, at=at, moved=True, prone=False, engaged=mover.engaged | {target})
    )
    models = models.with_item(target, replace(enemy, engaged=enemy.engaged | {name}))
    return replace(table, models=models)
