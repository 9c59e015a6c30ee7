"""Finds the fewest friends, and places for them, that keep every enemy from charging a model next turn."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import shapely

from sbg_sim.errors import QuestionError
from sbg_sim.pictured import Pictured
from sbg_sim.referee import audit
from sbg_sim.solver.answer import ask
from sbg_sim.solver.charges import in_range
from sbg_sim.solver.judge import charge_refusals, judge_charge
from sbg_sim.solver.reach import reach
from sbg_sim.table.board import side_of, sound
from sbg_sim.table.joining import joined
from sbg_sim.table.questions import Charge
from sbg_sim.threats.chargeable import enemies_of, next_turn, placed
from sbg_sim.tolerance import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.dice.executors import Progress
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.route import Route

_Offer: TypeAlias = "tuple[Point, str | None]"  # a place and its level

_PER_FRIEND: Final = 6  # places of each friend in arrangements of several
_MOST_TRIED: Final = 300  # most arrangements of one size
_ALONG: Final = 0.5  # inches between the places considered along an enemy's way


@dataclass(frozen=True)
class Screen(Pictured):
    """Friends and places that screen a model.

    Parameters
    ----------
    table, model
        The table with the friends at their places, and the model's id.
    places
        Pairs of friend and place (inches), in the order of moves; empty if none is needed, None if none was found. The
        friends' levels are in the table (`levels`).
    through
        Charges that still succeed; empty if the model is screened.
    tried
        The number of arrangements tried. Fewer friends are not enough at any of the places tried.
    before
        The table before the friends move, if any do.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> found = sbg.screen(table, "merry")
    >>> found.places is None or len(found.places)
    True

    """

    table: Table = field(repr=False)
    model: str
    places: tuple[tuple[str, Point], ...] | None
    through: tuple[Verdict, ...] = field(repr=False)
    tried: int = 0
    before: Table | None = field(default=None, repr=False)

    @property
    def levels(self) -> tuple[str | None, ...]:
        """The level of each friend of `places`: the id of a piece, None for the ground.

        Examples
        --------
        >>> import sbg_sim as sbg
        >>> found = sbg.screen(sbg.load("scenarios/control-zones.toml"), "boromir")
        >>> len(found.levels) == len(found.places or ())
        True

        """
        return tuple(self.table.model(name).on for name, _ in self.places or ())

    def __repr__(self) -> str:
        if self.places is None:
            return f"<Screen of {self.model}: none found among {self.tried} arrangements>"
        if not self.places:
            return f"<Screen of {self.model}: none needed, no enemy can charge it>"
        rows = zip(self.places, self.levels, strict=True)
        said = ", ".join(f"{name} to ({x:.3f}, {y:.3f}){f' on {on}' if on else ''}" for (name, (x, y)), on in rows)
        return f"<Screen of {self.model}: {said}>"


def screen(table: Table, model: str, *, most: int = 2, progress: Progress | None = None) -> Screen:
    """Find the fewest friends that, if moved, keep every enemy from charging a model where it stands.

    Places are tried along the ways by which the enemies would come and round the model, on every level that a friend
    certainly reaches; for each arrangement that is returned every charge has been judged.

    Parameters
    ----------
    table
        The table.
    model
        Id of the model to be screened.
    most
        The most friends that may move.
    progress
        Called with the number of arrangements tried, and a bound of all; ``print`` will do.

    Raises
    ------
    UnknownNameError
        If there is no such model.
    QuestionError
        If it is not on the table yet, or if its side or the Move of an enemy is missing, or if ``most`` is no number.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> [verdict.question.model for verdict in screen(table, "merry").through]
    ['lurtz']

    """
    given: Any = most
    if isinstance(given, bool) or not isinstance(given, Integral) or given < 0:
        raise QuestionError(f"most must be a whole number of friends from 0 up, not {given!r:.60}")
    mover = sound(table).present(model)
    side_of(mover)
    start = table
    for side in sorted({m.side for m in table.standing() if m.is_enemy(mover)}):
        start = next_turn(start, side)
    through = _through(start, mover)
    if not through:
        return Screen(start, model, (), (), 1)
    offers = {m.id: found for m in start.standing() if (found := _offers(start, m, mover, through))}
    ways = {v.question.model: v.play for v in through if isinstance(v.question, Charge) and v.play is not None}
    tried = 1
    for count in range(1, most + 1):
        for arrangement in itertools.islice(_arrangements(offers, count), _MOST_TRIED):
            there = start
            for name, at, surface in arrangement:
                there = placed(there, there.model(name), at, surface)
            tried += 1
            if progress is not None:
                progress(tried, 1 + most * _MOST_TRIED)
            if _apart(there, [name for name, *_ in arrangement]) and _screened(there, mover, ways):
                return Screen(there, model, tuple((name, at) for name, at, _ in arrangement), (), tried, start)
    return Screen(start, model, None, through, tried)


def _through(table: Table, mover: Model) -> tuple[Verdict, ...]:
    """Return the charges at a model that can succeed."""
    near = (enemy for enemy in enemies_of(table, mover) if in_range(table, enemy, [mover]))
    every = (ask(table, Charge(enemy.id, mover.id), alternatives=False) for enemy in near)
    return tuple(verdict for verdict in every if verdict.answer != "no")


def _screened(table: Table, mover: Model, ways: dict[str, Route]) -> bool:
    """Say whether no charge at a model can succeed; known ways of each enemy are tried first, and new ones noted."""
    table = joined(replace(table, horizon=0.0))  # only whether a charge succeeds matters, not its cost
    near = [enemy for enemy in enemies_of(table, mover) if in_range(table, enemy, [mover])]
    known = ((enemy, ways[enemy.id]) for enemy in near if enemy.id in ways)
    for enemy, way in known:
        if audit(table, enemy.id, way, charging=(mover.id,)).legal and not charge_refusals(table, enemy, [mover]):
            return False
    for enemy in near:
        finding = judge_charge(table, Charge(enemy.id, mover.id), only_fits=True)
        if finding.best is not None and finding.chance:
            ways[enemy.id] = finding.best.route
            return False
    return True


def _offers(table: Table, friend: Model, mover: Model, through: Sequence[Verdict]) -> list[_Offer]:
    """Return the places that a friend can reach, on any level, the most in the way first."""
    if friend.id == mover.id or friend.side != mover.side or not friend.side or friend.move is None:
        return []
    touch = friend.radius + mover.radius
    places = [
        (mover.at[0] + touch * math.cos(a), mover.at[1] + touch * math.sin(a))
        for a in np.linspace(0, math.tau, 16, endpoint=False).tolist()
    ]
    ways = [way for v in through if v.play is not None and (way := v.play.points())]  # empty if it touches already
    for way in ways:
        line = shapely.LineString(way) if len(way) > 1 else shapely.Point(way[0])
        places += [(float(p.x), float(p.y)) for d in np.arange(0.0, line.length, _ALONG) for p in [line.interpolate(d)]]
    xy = np.array(places)
    if np.hypot(*(xy - friend.at).T).min() > friend.move:
        return []
    can = reach(table, friend.id)
    if can.blocked:
        return []
    lines = [shapely.LineString(way) for way in ways if len(way) > 1]
    held = [
        (sum(float(line.distance(shapely.Point(at))) for line in lines), (at, space.surface))
        for space in sorted(can.surroundings.spaces, key=lambda space: space.surface != can.surface)
        for i in np.flatnonzero(np.isfinite(can.distance_on(space.surface, xy))).tolist()
        for at in [places[i]]
        if _free(table, friend, at)
    ]
    held.sort(key=lambda row: row[0])  # stable: of places as near, those on its own level come first
    return [offer for _, offer in held[:_PER_FRIEND]]


def _free(table: Table, friend: Model, at: Point) -> bool:
    return all(
        m.id == friend.id or math.dist(m.at, at) >= m.radius + friend.radius - ROUNDING for m in table.standing()
    )


def _arrangements(offers: dict[str, list[_Offer]], count: int) -> list[list[tuple[str, Point, str | None]]]:
    found = []
    for names in itertools.combinations(offers, count):
        for places in itertools.product(*(enumerate(offers[name]) for name in names)):
            rank = sum(i for i, _ in places)
            found.append((rank, [(name, *offer) for name, (_, offer) in zip(names, places, strict=True)]))
    found.sort(key=lambda row: row[0])
    return [row for _, row in found]


def _apart(table: Table, names: Sequence[str]) -> bool:
    return all(_free(table, table.model(name), table.model(name).at) for name in names)
