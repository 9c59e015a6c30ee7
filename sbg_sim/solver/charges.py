"""Lists every enemy of a model: whether it can be charged, the cost, where on its base, and why not."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from sbg_sim.arrays import unit
from sbg_sim.geometry.spines import chords
from sbg_sim.rules.contact import contact_levels
from sbg_sim.rules.defended import defended
from sbg_sim.rules.sight import looks_at_once
from sbg_sim.rules.zones import zones
from sbg_sim.solver.arcs import arcs_with_dice, contact_arcs
from sbg_sim.solver.bounds import contact_bounds
from sbg_sim.solver.judge import charge_options, judge_charge
from sbg_sim.solver.moving import charge_verdict
from sbg_sim.solver.path.options import UNTOLD, beyond_the_move, farthest, fits
from sbg_sim.solver.space.surroundings import Goal
from sbg_sim.solver.verdict import PerEnemy
from sbg_sim.table.board import allowance, horizon_of, side_of, standing_up
from sbg_sim.table.joining import joined as on_levels
from sbg_sim.table.questions import Charge
from sbg_sim.tolerance import FITS, TOUCH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sbg_sim.rules.sight import Look
    from sbg_sim.solver.arcs import ContactArcs
    from sbg_sim.solver.path.options import Options
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model

_DICE: Final = 2  # dice up to which arcs are computed; more only if the charge itself takes more

_PAIRS: Final = 100_000  # pairs of lines and zones in one array


@dataclass(frozen=True)
class ChargeEntry:
    """One enemy in a list of charges.

    Parameters
    ----------
    target
        The enemy's id.
    verdict
        The answer to charging it.
    arcs
        Angles (radians, seen from the enemy's centre) between which the charger can certainly end in contact.
    binds
        Enemies whose zones the straight way to this enemy enters first.
    by_chance
        Chances with the arcs where the charger can end with at least that chance, the best chance first; each entry
        contains the arcs before it. A place where the last die puts the charger down in contact (5/6, 5/36, ...) is an
        arc of no length. A charge without dice has only its certain arcs.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> sbg.charges(table, "lurtz")["merry"]
    <Charge at merry: yes (lurtz into merry: yes, 5.0000 of 6 in, 1.0000 in to spare)>

    """

    target: str
    verdict: Verdict
    arcs: ContactArcs = ()
    binds: tuple[str, ...] = ()
    by_chance: tuple[tuple[Fraction, ContactArcs], ...] = ()

    def __repr__(self) -> str:
        return f"<Charge at {self.target}: {self.verdict.answer} ({self.verdict.reason})>"


@dataclass(frozen=True)
class ChargeList(PerEnemy[ChargeEntry]):
    """All enemies of a model, the cheapest charge first: a sequence of entries, also found by id.

    Parameters
    ----------
    table, model
        The table and the charger's id.
    entries
        One per enemy.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.load("scenarios/charging-2.toml")
    >>> found = sbg.charges(table, "uruk-3")
    >>> [entry.target for entry in found], len(found), "merry" in found
    (['aragorn', 'boromir', 'pippin'], 3, False)

    """

    table: Table = field(repr=False)
    model: str
    entries: tuple[ChargeEntry, ...]
    _about: ClassVar[str] = "target"

    def __repr__(self) -> str:
        rows = "".join(f"\n  {entry.target}: {entry.verdict.reason}" for entry in self.entries)
        return f"<Charges of {self.model} at {len(self.entries)} enemies>{rows}"


def charges(
    table: Table, model: str, *, within: float = math.inf, told: Callable[[ChargeEntry, int], None] | None = None
) -> ChargeList:
    """List every enemy of a model, reachable or not, for models that stand exactly as the file has them.

    Parameters, errors and an example are those of :func:`sbg_sim.contested.certain.charges`, which also weighs doubts.
    """
    table = on_levels(table)
    mover = table.present(model)
    side_of(mover)
    enemies = [enemy for enemy in table.standing() if mover.is_enemy(enemy) and _apart(mover, enemy) <= within]
    entries = _entries(table, mover, enemies, told)
    return ChargeList(table, model, tuple(sorted(entries, key=cheapest_first)))


def possible(table: Table, model: str) -> tuple[ChargeEntry, ...]:
    """List the charges of a model that can succeed, the cheapest first; costs beyond the Move are not computed.

    Parameters
    ----------
    table
        The table.
    model
        Id of the charger.

    """
    table = on_levels(table)
    mover = table.present(model)
    asked, enemies = replace(table, horizon=0.0), in_range(table, mover, filter(mover.is_enemy, table.standing()))
    found = [row for row in _entries(asked, mover, enemies) if row.verdict.answer != "no"]
    whole = [replace(row, verdict=replace(row.verdict, table=table)) for row in found]
    return tuple(sorted(whole, key=cheapest_first))


def contacts(table: Table, model: str) -> dict[str, ContactArcs]:
    """Return by enemy the arcs of its base where a charger can certainly end, roughly the cheapest charge first.

    Parameters
    ----------
    table
        The table.
    model
        Id of the charger.

    """
    table = replace(on_levels(table), horizon=0.0)
    mover = table.present(model)
    enemies = in_range(table, mover, filter(mover.is_enemy, table.standing()))
    sure: list[tuple[float, str]] = []
    for charge, known, sight in _asked(table, mover, enemies):
        finding = judge_charge(table, charge, told=known, sight=sight, only_fits=True)
        if finding.chance == 1 and finding.best is not None:
            sure.append((finding.best.cost, charge.targets[0]))
    found = {name: contact_arcs(table, mover, table.model(name)) for _, name in sorted(sure)}
    return {name: arcs for name, arcs in found.items() if arcs}


def in_range(table: Table, mover: Model, enemies: Iterable[Model]) -> list[Model]:
    """Return the enemies within the straight reach of a charge, or behind a barrier of defence (CHG.8)."""
    left = allowance(mover) - standing_up(mover)
    far = farthest(table, mover, left + beyond_the_move(table, mover, left)) + FITS
    return [e for e in enemies if _apart(mover, e) <= far or any(d.locus for d in defended(table, mover.id, e.id))]


def _apart(mover: Model, enemy: Model) -> float:
    return math.dist(mover.at, enemy.at) - mover.radius - enemy.radius


def _entries(
    table: Table, mover: Model, enemies: Sequence[Model], told: Callable[[ChargeEntry, int], None] | None = None
) -> list[ChargeEntry]:
    """Return the entries of some enemies; ``told`` is called with each one and the number of all."""
    entries = []
    rows = zip(enemies, _asked(table, mover, enemies), _first_bound(table, mover, enemies), strict=True)
    for enemy, (charge, known, sight), binds in rows:
        verdict = charge_verdict(table, charge, told=known, sight=sight)
        entries.append(_entry(table, mover, enemy, verdict, binds))
        if told is not None:
            told(entries[-1], len(enemies))
    return entries


def _asked(table: Table, mover: Model, enemies: Sequence[Model]) -> Iterator[tuple[Charge, Options, Look | None]]:
    """Yield a charge at each enemy, with bounds and looks that were computed for all enemies at once."""
    most = horizon_of(table, allowance(mover)) - standing_up(mover)
    told_of = contact_bounds(table, replace(mover, prone=False), enemies, most) if len(enemies) > 1 else {}
    sights = looks_at_once(table, mover, enemies) if len(enemies) > 1 else {}
    for enemy in enemies:
        yield Charge(mover.id, enemy.id), told_of.get(enemy.id, UNTOLD), sights.get(enemy.id)


def cheapest_first(entry: ChargeEntry) -> tuple[bool, float, str]:
    """Return the sort key of a list of charges."""
    needed = entry.verdict.needed
    return entry.verdict.answer == "no", math.inf if needed is None else needed, entry.target


def _entry(table: Table, mover: Model, enemy: Model, verdict: Verdict, binds: tuple[str, ...]) -> ChargeEntry:
    """Return the entry of one enemy, with the arcs where a charge that succeeds can end."""
    arcs = contact_arcs(table, mover, enemy) if verdict.answer == "yes" else ()
    by_chance: list[tuple[Fraction, ContactArcs]] = [(Fraction(1), arcs)] if arcs else []
    if verdict.play is not None and verdict.play.tests:
        by_chance = _by_chance(table, mover, enemy, verdict)
    return ChargeEntry(enemy.id, verdict, arcs, binds, tuple(by_chance))


def _by_chance(table: Table, mover: Model, enemy: Model, verdict: Verdict) -> list[tuple[Fraction, ContactArcs]]:
    """Return the arcs of a charge that takes dice by the chance of ending there, nested."""
    assert verdict.play is not None
    best, (x, y) = verdict.chance or Fraction(0), verdict.play.legs[-1].end
    rows = arcs_with_dice(table, mover, enemy, max(_DICE, len(verdict.play.tests)))
    landed = math.atan2(y - enemy.at[1], x - enemy.at[0]) % math.tau
    places = [(best, landed), *_set_down(table, mover, enemy, landed)]
    found: list[tuple[Fraction, ContactArcs]] = []
    for least in sorted({chance for chance, _ in (*rows, *places) if chance <= best}, reverse=True):
        arcs = next((row for chance, row in reversed(rows) if chance >= least), ())
        for angle in (angle for chance, angle in places if chance >= least):
            if not any((angle - first) % math.tau <= last - first for first, last in arcs):
                arcs += ((angle, angle),)
        if not found or arcs != found[-1][1]:
            found.append((least, tuple(sorted(arcs))))
    return found


def _set_down(table: Table, mover: Model, enemy: Model, known: float) -> Iterator[tuple[Fraction, float]]:
    """Yield chances and angles (radians) at which the last of some dice puts a charger down in contact.

    A way over ends on a line beside the obstacle, which meets a contact circle in single places. ``known`` is the angle
    of one that is found already.
    """
    left, limit, rho = allowance(mover) - standing_up(mover), allowance(mover), enemy.radius + mover.radius
    levels = contact_levels(table, mover, [enemy])
    for level in levels:
        goal = Goal(level, contact=((*enemy.at, rho),), bound=enemy.has_zone)
        most = left + beyond_the_move(table, mover, left, goal)
        around = goal.surroundings(table, replace(mover, prone=False), most, charging=enemy.id, dice=True)
        ways = [way for way in around.transitions if way.way.tests and way.there.surface == level]
        if not ways:
            continue
        angle = ways[0].there.breaks(enemy.at, rho)
        apart = np.abs((angle - known + math.pi) % math.tau - math.pi)
        angle = angle[(np.diff(angle, prepend=-math.tau) > TOUCH / rho) & (apart > TOUCH / rho)]
        place = np.array(enemy.at) + rho * unit(angle)
        landed = np.min([way.to_far(place) for way in ways], axis=0) <= TOUCH
        for at, theta in zip(place[landed].tolist(), angle[landed].tolist(), strict=True):
            ends = charge_options(replace(table, horizon=0.0), mover, [enemy], levels, only_fits=True, at=at).found
            chances = [option.chance for option in ends if fits(table, option, limit, limit)]
            if chances:
                yield max(chances), theta


def _first_bound(table: Table, mover: Model, enemies: Sequence[Model]) -> list[tuple[str, ...]]:
    """Return for each enemy the others whose binding zones the straight line to it enters before its own."""
    binding = [zone for zone in zones(table, mover) if zone.binds(mover.on)]
    names, ids = np.array([zone.id for zone in binding], dtype=str), np.array([enemy.id for enemy in enemies])
    circles = np.array([(*zone.at, zone.radius) for zone in binding]).reshape(-1, 3)
    start, ends = np.array(mover.at), np.array([enemy.at for enemy in enemies]).reshape(-1, 2)
    found: list[tuple[str, ...]] = []
    for rows in np.array_split(np.arange(len(enemies)), 1 + len(enemies) * len(names) // _PAIRS):
        middle, half = chords(start, ends[rows, None] - start, circles[:, :2], circles[:, 2])
        t, is_own = np.where(half > 0, middle - half, np.inf), names == ids[rows, None]
        before = np.where(is_own, t, np.inf).min(axis=1, initial=np.inf)
        first = ~is_own & (t >= 0) & (t <= 1) & (t < before[:, None])
        found += [
            tuple(names[k[np.lexsort((names[k], t[n, k]))]].tolist()) for n, k in enumerate(map(np.flatnonzero, first))
        ]
    return found
