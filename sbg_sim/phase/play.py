"""Plays a route with dice: where it ends, whether prone or hurt (JMP.1, LEAP.2, CLB.2, FALL.2, PRN.5)."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias

from sbg_sim.errors import QuestionError
from sbg_sim.phase.canonical import snapped
from sbg_sim.phase.turn import Judged, Step
from sbg_sim.rules.contact import in_contact_across, touched
from sbg_sim.rules.results import failed, stops_short
from sbg_sim.solver.why_not import ends_badly
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.joining import level_of, piece_under
from sbg_sim.table.levels import elevation
from sbg_sim.table.route import Route
from sbg_sim.tolerance import APART, ROUNDING, SNAP, TOUCH
from sbg_sim.wording import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.route import Leg, Test
    from sbg_sim.table.violation import Violation

Roller: TypeAlias = "Callable[[Test], int]"
"""Gives the die for a test when it is needed."""


_CRAWLED: Final = frozenset({"crawl", "up", "down"})
"""Kinds of legs of a prone model: crawling along, and up or down if no test is needed (PRN.2)."""


class Cup:
    """Given dice, taken one by one.

    Parameters
    ----------
    rolls
        The dice in order.
    who
        The id of the mover, for messages.

    """

    def __init__(self, rolls: Iterable[int], who: str) -> None:
        self.rolls = tuple(rolls)
        self.who = who
        self.taken = 0
        for number, roll in enumerate(self.rolls, 1):
            shown(roll, f"roll {number} of {who}")

    def __call__(self, test: Test) -> int:
        """Return the next die; QuestionError if there is none."""
        if self.taken == len(self.rolls):
            dice = "die is" if self.taken == 1 else "dice are"
            raise QuestionError(
                f"{self.taken or 'no'} {dice if self.taken else 'dice are'} given for {self.who}, "
                f"and one more is needed: {test.named}"
            )
        self.taken += 1
        return self.rolls[self.taken - 1]

    def finish(self) -> None:
        """Raise QuestionError if dice are left over."""
        if self.taken < len(self.rolls):
            needed = (
                f"only {self.taken} {'is' if self.taken == 1 else 'are'} needed" if self.taken else "none is needed"
            )
            given = f"{len(self.rolls)} {'die is' if len(self.rolls) == 1 else 'dice are'} given"
            raise QuestionError(f"{given} for {self.who}, and {needed}")


def shown(roll: int, what: str) -> int:
    """Return a die; QuestionError if it shows no number from 1 to 6."""
    if isinstance(roll, bool) or not isinstance(roll, int) or not 1 <= roll <= 6:
        raise QuestionError(f"{what} is {roll!r}; a die shows 1 to 6")
    return roll


class _Walk:
    """A mover that follows a route, with a die thrown wherever one is needed, and the end of that.

    Parameters
    ----------
    table
        The table before the move.
    mover
        The mover; for a reinforcement its place means nothing.
    route
        The route, within the allowance.
    roller
        Gives the dice.

    Attributes
    ----------
    at, on, prone
        The centre, inches, the surface (None is the ground), and whether it is prone.
    climbed
        Inches of a face below it, if it hangs on one.
    used
        Movement used, inches, without crawling (PRN.2).
    hits
        Strength 3 hits from a fall.
    rolls, told
        The dice in the order thrown, and the effect of each, a phrase each.
    must_charge
        The prone enemy that must be charged instead of jumped (PRN.5); empty if there is none.
    short
        Whether it is set down a hair from an enemy that it would touch.
    route, done
        The part of the route that was made, and whether that is all of it.

    """

    def __init__(self, table: Table, mover: Model, route: Route, roller: Roller) -> None:
        self.table, self.mover, self.roller = table, mover, roller
        self.at, self.on = mover.at, level_of(table, mover.on)
        self.prone, self.climbed, self.used = mover.prone, mover.climbed, 0.0
        self.rolls: list[int] = []
        self.told: list[str] = []
        self.hits, self.must_charge, self.done, self.short = 0, "", False, False
        self.route = self._made(route)
        self.on = piece_under(table, self.on, self.at)

    def _made(self, route: Route) -> Route:
        """Follow a route as far as the dice let it go, and return that part."""
        for index, leg in enumerate(route.legs):
            last = index == len(route.legs) - 1
            if leg.test is None:
                self._make(leg)
                continue
            roll = shown(self.roller(leg.test), f"the roll to {leg.test.named}")
            self.rolls.append(roll)
            if roll == 1:
                self._fail(leg, leg.test)
                return Route(route.legs[:index])
            self._say(leg.test, roll, "passed" if last else "goes on" if roll == 6 else "passed, and stops there")
            self._make(leg)
            short = stops_short(self.table, self.mover, leg) if roll < 6 else None
            if short is not None:
                self.at, self.short = short, True
            if roll < 6 and not (last and short is None):
                return Route(route.legs[: index + 1])
        self.done = True
        return route

    def _make(self, leg: Leg) -> None:
        if not (self.prone and leg.kind in _CRAWLED):
            self.used += leg.cost
        if leg.kind in {"climb", "ladder"} and leg.rise > 0 and leg.surface == self.on and not _passes(leg):
            self.climbed += leg.rise  # it hangs on the face (CLB.4)
        elif leg.kind in {"descend", "ladder"} and leg.rise < 0:
            left = (self.climbed or self._whole(leg)) + leg.rise
            self.climbed = left if left > ROUNDING else 0.0  # above the foot if the way down is not complete (CLB.4)
        elif leg.kind not in {"stand", "lie"}:
            self.climbed = 0.0
        self.prone = {"stand": False, "lie": True}.get(leg.kind, self.prone)
        if self._atop(leg):
            assert leg.test is not None
            self.at, self.climbed = leg.start, self.table.piece(leg.test.over).top
        else:
            self.at, self.on = leg.end, leg.surface

    def _atop(self, leg: Leg) -> bool:
        """Say whether a leg ends on a wall that cannot be stood on: the model hangs at its top."""
        over = leg.test is not None and self.table.rulings["climb_over"] == "down" and leg.test.over != leg.surface
        return over and leg.kind == "climb" and leg.surface == self.on and _passes(leg)

    def _whole(self, leg: Leg) -> float:
        """Return the whole way down of a leg that may end half way, inches."""
        for piece in self.table.terrain.values() if leg.kind == "ladder" else ():
            near = piece.at is not None and math.dist(piece.at, leg.end) <= self.mover.radius + TOUCH
            if near and piece.height is not None and piece.on == leg.surface:
                return piece.height
        return elevation(self.table, self.on) - elevation(self.table, leg.surface)

    def _fail(self, leg: Leg, test: Test) -> None:
        one = failed(self.table, self.mover, leg, self.on, self.climbed)
        self.at, self.on, self.prone = test.fail_at or one.at, one.on, self.prone or one.prone
        if not one.prone:
            self.must_charge = one.must_charge
            charges = f", and must charge {one.must_charge}" if one.must_charge else ", and stops there"
            self._say(test, 1, f"failed{charges}")
            return
        self.climbed, self.hits = 0.0, one.hits
        hurt = f", falls {one.drop:g} in" if one.drop > 0 else ""
        hurt += f": {one.hits} Strength 3 hit{'s' if one.hits > 1 else ''}" if one.hits else ""
        self._say(test, 1, f"failed{hurt}, and lies prone at the bottom")

    def _say(self, test: Test, roll: int, what: str) -> None:
        self.told.append(f"{test.named}: {roll}, {what}")


def _passes(leg: Leg) -> bool:
    """Say whether a climb leads on from the face at which it starts."""
    return math.dist(leg.start, leg.end) > TOUCH


def played(table: Table, judged: Judged, roller: Roller) -> tuple[Step, Table]:
    """Play an allowed move with its dice.

    Parameters
    ----------
    table
        The table before.
    judged
        The move, judged and allowed.
    roller
        Returns the dice as they are needed.

    Returns
    -------
    The step, and the table after it: models in contact are engaged (CHG.2), one that fell is prone.

    """
    mover = table.model(judged.move.model)
    if judged.route.legs:
        mover = replace(mover, at=judged.route.legs[0].start)
    walk = _Walk(table, mover, judged.route, roller)
    targets = (walk.must_charge,) if walk.must_charge else judged.targets
    but = _set_down_on(table, judged, walk)
    at = _resting_place(table, mover, judged, walk, but)
    met = _met(table, mover, at, walk, targets, but)
    after = _applied(table, mover, at, walk, met)
    step = Step(
        mover.id,
        legal=True,
        used=walk.used,
        at=at,
        on=walk.on,
        prone=walk.prone,
        climbed=walk.climbed,
        engaged=tuple(sorted(after.model(mover.id).engaged)),
        rolls=tuple(walk.rolls),
        hits=walk.hits,
        rules=_rules(judged, walk, met),
        reason=_reason(judged, walk, met, at),
        move=replace(judged.move, rolls=tuple(walk.rolls)),
        route=walk.route,
    )
    return step, after


def _resting_place(table: Table, mover: Model, judged: Judged, walk: _Walk, but: frozenset[str]) -> Point:
    """Return where the base comes to rest: out of contact that was not chosen (CZ.3), but for some enemies."""
    at = judged.aim if walk.done and judged.aim is not None else _rounded(table, mover, walk)
    jumped = any(test.kind == "jump-prone" for test in walk.route.tests)
    if walk.must_charge or (walk.done and (judged.targets or not jumped)):
        return at
    return kept_apart(table, mover, at, walk.on, over_gap=walk.prone, but=but, sure=not walk.short)


def _set_down_on(table: Table, judged: Judged, walk: _Walk) -> frozenset[str]:
    """Return the enemies that a 2 to 5 may set the mover down touching (ruling ``jump_into_contact``).

    Those charged; in a move without a charge those without a zone, whom it charges thereby. None by a 1 (CZ.3), by a
    jump over a prone model, which lands touching nobody (PRN.5), or for a reinforcement that charges nobody (REINF.1).
    """
    if not walk.rolls or walk.rolls[-1] == 1 or table.rulings["jump_into_contact"] != "charge":
        return frozenset()
    if walk.route.tests[-1].kind == "jump-prone" or walk.done:
        return frozenset()
    if judged.targets or walk.mover.id in table.off:
        return frozenset(judged.targets)
    beside = touched(table, walk.mover, walk.at, walk.on)
    return frozenset(name for name in beside if not table.model(name).has_zone)


def _rounded(table: Table, mover: Model, walk: _Walk) -> Point:
    """Return the end of a walk as it becomes part of a state: the nearest rounded place where the base may be.

    A path may touch things to within a tolerance, and rounding leads beyond it.
    """
    x, y = snapped(walk.at)
    if not walk.rolls:
        return (x, y)
    beside = itertools.product((0.0, 10.0**-SNAP, -(10.0**-SNAP)), repeat=2)
    spots = sorted((snapped((x + dx, y + dy)) for dx, dy in beside), key=lambda spot: math.dist(spot, walk.at))
    fit = (
        spot
        for spot in spots
        if all(_bearable(v, over_gap=walk.prone) for v in ends_badly(table, mover, spot, walk.on))
    )
    return next(fit, (x, y))


def kept_apart(
    table: Table,
    mover: Model,
    at: Point,
    on: str | None,
    *,
    over_gap: bool = False,
    but: frozenset[str] = frozenset(),
    sure: bool = True,
) -> Point:
    """Return the nearest place where a base touches no enemy, which may lie inside a zone (CZ.3).

    Parameters
    ----------
    table, mover
        The table, and the model that was forced there.
    at, on
        The place, inches, and the surface.
    over_gap
        Whether it may be in a gap, because it fell in.
    but
        Ids of enemies that it may touch.
    sure
        Whether its base may be at the place itself but for enemies.

    """
    others = [
        m
        for m in table.standing()
        if m.id != mover.id and (m.on == on or (m.is_enemy(mover) and in_contact_across(table, mover, on, m.on)))
    ]

    def free(spot: Point) -> bool:
        for other in others:
            gap = math.dist(spot, other.at) - other.radius - mover.radius
            apart = other.is_enemy(mover) and other.id not in mover.engaged | but
            wanted = APART / 2 if apart else -TOUCH
            if gap < wanted:
                return False
        return (sure and spot == at) or all(_bearable(v, over_gap=over_gap) for v in ends_badly(table, mover, spot, on))

    if free(at):
        return at
    for ring in range(1, 64):
        far = APART * ring
        for k in range(72):
            angle = math.tau * k / 72
            spot = snapped((at[0] + far * math.cos(angle), at[1] + far * math.sin(angle)))
            if free(spot):
                return spot
    return at


def _bearable(violation: Violation, *, over_gap: bool) -> bool:
    """Say whether a model that is forced to a place may be there in spite of a violation (CZ.3)."""
    return violation.rule.startswith("CZ") or (over_gap and violation.rule == "LEAP.1")


def _met(
    table: Table, mover: Model, at: Point, walk: _Walk, targets: tuple[str, ...], but: frozenset[str]
) -> tuple[str, ...]:
    """Return the enemies that a move engages: those charged, and others that the base touches then.

    Of those that stopped short of a charge, only enemies ``but`` that they were set down touching.
    """
    if walk.done or walk.must_charge:
        return tuple(sorted({*targets, *touched(table, mover, at, walk.on)})) if targets else ()
    return tuple(name for name in touched(table, mover, at, walk.on) if name in but)


def _applied(table: Table, mover: Model, at: Point, walk: _Walk, met: tuple[str, ...]) -> Table:
    models = dict(table.models)
    models[mover.id] = replace(
        mover,
        at=at,
        on=walk.on,
        prone=walk.prone,
        climbed=walk.climbed,
        moved=True,
        waited=0,
        engaged=mover.engaged | set(met),
    )
    for name in met:
        models[name] = replace(models[name], engaged=models[name].engaged | {mover.id})
    return replace(table, models=FrozenMap(models), off=table.off - {mover.id})


def _rules(judged: Judged, walk: _Walk, met: tuple[str, ...]) -> tuple[str, ...]:
    found = list(judged.rules)
    found += ["PRN.5"] if walk.must_charge else []
    found += ["CHG.2"] if met else []
    found += ["FALL.2"] if walk.prone and 1 in walk.rolls else []
    found += ["CLB.4"] if walk.climbed else []
    return tuple(dict.fromkeys(found))


def _reason(judged: Judged, walk: _Walk, met: tuple[str, ...], at: Point) -> str:
    name = judged.move.model
    place = f"({at[0]:.4g}, {at[1]:.4g})" + (f" on {walk.on}" if walk.on else "")
    how = f"; {'; '.join(walk.told)}" if walk.told else ""
    crawled = judged.move.crawl is not None
    kinds = {"crawl" if crawled and leg.kind in _CRAWLED else leg.kind for leg in judged.route.legs}
    up = "stands up and " if "stand" in kinds else ""
    if met:
        return f"{name} {up}charges {listed(met)} with {walk.used:.4f} in used{how}"
    if judged.targets:
        return f"{name} {up}does not reach {listed(judged.targets)} and ends at {place}{how}"
    if kinds <= {"stand", "lie", "crawl"} and kinds:
        verbs = {"crawl": f"crawls to {place}", "stand": "stands up", "lie": "lies down"}
        did = " and ".join(verbs[k] for k in ("crawl", "stand", "lie") if k in kinds)
        where = "" if "crawl" in kinds else f" at {place}"
        return f"{name} {did}{where} with {walk.used:.4f} in used{how}"
    if not judged.route.legs:
        return f"{name} stays at {place}"
    verb = "comes on and moves" if judged.move.arrive is not None else "moves"
    hangs = f", {walk.climbed:.4g} in up a face" if walk.climbed else ""
    down = " and lies down" if "lie" in kinds and walk.prone and 1 not in walk.rolls else ""
    return f"{name} {up}{verb} to {place}{hangs}{down} with {walk.used:.4f} in used{how}"
