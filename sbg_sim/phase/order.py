"""Finds an order of charges in which all wishes, or as many as possible, come true.

Contact cancels zones (CHG.7) and bases close gaps, so the order decides. Every order is tried, each charge by its
shortest way; positions that several orders share are examined once. If not all wishes come true, other places around
the targets are tried as well. A wish that is impossible even without the other chargers on the table, and without the
zones of all enemies that they may touch, is impossible in every order: that gives a bound for all orders.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from sbg_sim.errors import QuestionError
from sbg_sim.geometry.pieces import segment
from sbg_sim.phase.canonical import canonical
from sbg_sim.phase.legality import judge, without_zones
from sbg_sim.phase.play import played
from sbg_sim.phase.turn import printed
from sbg_sim.rules.defended import defended
from sbg_sim.solver.path.best_path import options
from sbg_sim.solver.path.options import Search
from sbg_sim.solver.space.surroundings import Goal
from sbg_sim.table.board import allowance, standing_up
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.record import MoveRecord
from sbg_sim.tolerance import FITS, TOUCH
from sbg_sim.wording import fraction, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sbg_sim.phase.turn import Judged
    from sbg_sim.table.board import Table
    from sbg_sim.table.violation import Violation

BUDGET: Final = 600
"""Moves judged before the search gives up."""

AROUND: Final = 12
"""Places tried around a target, besides the nearest."""


@dataclass(frozen=True, slots=True, order=True)
class Wish:
    """A wished charge.

    Parameters
    ----------
    charger
        Id of the model that charges.
    targets
        Ids of its targets, all to be charged at once.

    """

    charger: str
    targets: tuple[str, ...]

    def move(self, table: Table) -> MoveRecord:
        """Return the charge as a move; a prone charger stands up before it (PRN.3)."""
        return MoveRecord(self.charger, charge=self.targets, stand=table.model(self.charger).prone)


@dataclass(frozen=True)
class Ordering:
    """The best order found.

    Parameters
    ----------
    table
        The table before the charges.
    wishes
        The wishes.
    moves
        The charges in order.
    missed
        Wishes that do not come true, with the reasons at the end.
    after
        The table after the moves, every die a six.
    chance
        Probability that the dice let all of them succeed; 1 without dice.
    bound
        The most wishes that can come true in any order.
    proof
        ``"all"``: every wish comes true. ``"bound"``: as many as the bound allows. ``"every order"``: every order was
        tried, with the shortest charges and with a number of other places. ``"none"``: the search stopped before.
    judged
        The number of moves judged.

    """

    table: Table
    wishes: tuple[Wish, ...]
    moves: tuple[MoveRecord, ...]
    missed: tuple[tuple[Wish, tuple[Violation, ...]], ...]
    after: Table = field(repr=False)
    chance: Fraction
    bound: int
    proof: str
    judged: int

    @property
    def optimal(self) -> bool:
        """Whether it is proven that no order fulfils more wishes."""
        return self.proof in {"all", "bound"}

    @property
    def summary(self) -> str:
        """One sentence on how good the order is."""
        got, wanted = len(self.wishes) - len(self.missed), len(self.wishes)
        why = {
            "all": "every wish comes true",
            "bound": f"{got} of {wanted} wishes come true, and no order does better",
            "every order": f"{got} of {wanted} wishes come true in the best of all orders tried",
            "none": f"{got} of {wanted} wishes come true, and the search stopped early",
        }[self.proof]
        dice = "" if self.chance == 1 else f", with a chance of {self.chance}"
        most = "" if self.optimal else f"; no more than {self.bound} can"
        return f"{why}{most}{dice}"

    def told(self, move: MoveRecord) -> str:
        """Return one of its moves in words, a drawn way by its end."""
        if move.charge:
            return f"{move.model} {'stands up and ' * move.stand}charges {listed(move.charge)}"
        at = move.path[-1] if move.path else (0.0, 0.0)
        met = ", ".join(sorted(self.after.model(move.model).engaged))
        return f"{move.model} charges {met}, going round to ({at[0]:.4f}, {at[1]:.4f})"

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "order": [
                {
                    "model": m.model,
                    "engaged": sorted(self.after.model(m.model).engaged),
                    "at": [printed(x) for x in self.after.model(m.model).at],
                    "stand": m.stand,
                    "path": None if m.path is None else [[printed(x) for x in p] for p in m.path],
                }
                for m in self.moves
            ],
            "missed": [
                {
                    "charger": wish.charger,
                    "targets": list(wish.targets),
                    "violations": [{"rule": v.rule, "reason": v.reason} for v in wrong],
                }
                for wish, wrong in self.missed
            ],
            "bound": self.bound,
            "proof": self.proof,
            "chance": fraction(self.chance),
            "reason": self.summary,
        }


def read_wishes(text: str) -> tuple[Wish, ...]:
    """Read wishes: ``a:b,c:d+e`` wishes that a charges b, and c charges d and e at once.

    Raises
    ------
    QuestionError
        If the text has another form.

    """
    found = []
    for part in filter(None, (p.strip() for p in text.split(","))):
        charger, _, targets = (p.strip() for p in part.partition(":"))
        names = tuple(name.strip() for name in targets.split("+"))
        if not charger or not all(names):
            raise QuestionError(f"{part!r} is no wish: say who should charge whom, as a:b,c:d+e")
        found.append(Wish(charger, names))
    return tuple(found)


Best: TypeAlias = tuple[int, Fraction, tuple[MoveRecord, ...]]


def find_order(table: Table, wishes: Iterable[Wish | tuple[str, str]], *, budget: int = BUDGET) -> Ordering:
    """Find an order of charges in which all wishes come true, or the most of them.

    Parameters
    ----------
    table
        The table before.
    wishes
        The wishes; a charger may have several, of which one can come true.
    budget
        Moves judged before the search gives up.

    Raises
    ------
    UnknownNameError
        For a model that the table does not have.
    QuestionError
        If there are no wishes, or if their chargers are not of one side.

    """
    wanted = tuple(dict.fromkeys(w if isinstance(w, Wish) else Wish(w[0], (w[1],)) for w in wishes))
    if not wanted:
        raise QuestionError("there are no wishes: say who should charge whom")
    sides = {table.model(w.charger).side for w in wanted}
    if len(sides) > 1:
        raise QuestionError(f"the chargers are of several sides: {', '.join(sorted(sides))}")
    for wish in wanted:
        for name in wish.targets:
            table.model(name)
    possible = frozenset(wish for wish in wanted if _possible(table, wish, wanted))
    bound = len({wish.charger for wish in possible})
    search = _Orders(bound, budget)
    best = search.best(table, possible)
    if best[0] < bound and not search.spent:
        search.around = True
        search.memo.clear()
        best = max(best, search.best(table, possible), key=lambda b: b[:2])
    return _ordering(table, wanted, best, search)


def _ordering(table: Table, wanted: tuple[Wish, ...], best: Best, search: _Orders) -> Ordering:
    count, chance, moves = best
    after = table
    fulfilled: set[Wish] = set()
    for move in moves:
        judged = judge(after, move)
        step, after = played(after, judged, lambda _: 6)
        fulfilled |= {w for w in wanted if w.charger == move.model and set(w.targets) <= set(step.engaged)}
    missed = tuple((wish, judge(after, wish.move(after)).violations) for wish in wanted if wish not in fulfilled)
    if count == len(wanted):
        proof = "all"
    elif count == search.bound:
        proof = "bound"
    else:
        proof = "none" if search.spent else "every order"
    return Ordering(table, wanted, moves, missed, after, chance, search.bound, proof, search.judged)


class _Orders:
    """A depth-first search over all orders, each position once."""

    def __init__(self, bound: int, budget: int) -> None:
        self.bound, self.budget = bound, budget
        self.judged, self.around = 0, False
        self.memo: dict[tuple[frozenset[Wish], str], Best] = {}

    @property
    def spent(self) -> bool:
        """Whether the search had to stop."""
        return self.judged >= self.budget

    def best(self, table: Table, left: frozenset[Wish], done: int = 0) -> Best:
        """Return the most wishes that can come true from here, the chance, and the moves."""
        key = (left, canonical(table))  # the wishes left tell which models have moved
        if key in self.memo:
            return self.memo[key]
        found: Best = (0, Fraction(1), ())
        for wish in sorted(left):
            for judged in self._charges(table, wish):
                if self.spent:
                    return found
                _, after = played(table, judged, lambda _: 6)
                rest = frozenset(w for w in left if w.charger != wish.charger)
                count, chance, moves = self.best(after, rest, done + 1)
                here = (count + 1, chance * judged.chance, (judged.move, *moves))
                found = max(found, here, key=lambda b: b[:2])
                if done + found[0] >= self.bound and found[1] == 1:
                    return found
        self.memo[key] = found
        return found

    def _charges(self, table: Table, wish: Wish) -> Iterator[Judged]:
        """Yield the ways to make a charge: the shortest, then others around the target."""
        self.judged += 1
        judged = judge(table, wish.move(table), closely=False)
        if judged.violations:
            return
        yield judged
        if not self.around or len(wish.targets) > 1:
            return
        for move in _around(table, wish.charger, wish.targets[0]):
            self.judged += 1
            other = judge(table, move)
            if not other.violations and wish.targets[0] in other.targets:
                yield other


def _around(table: Table, charger: str, target: str) -> Iterator[MoveRecord]:
    """Yield drawn ways into contact with other parts of a target's base (CHG.4)."""
    mover, enemy = table.model(charger), table.model(target)
    limit, reach = allowance(mover) - standing_up(mover), mover.radius + enemy.radius
    for k in range(AROUND):
        angle = math.tau * k / AROUND
        spot = (enemy.at[0] + reach * math.cos(angle), enemy.at[1] + reach * math.sin(angle))
        bound = target if enemy.has_zone else None
        near = math.dist(mover.at, spot)
        if near > limit + FITS:
            continue
        goal = Goal(enemy.on, lines=(segment(spot, spot),), bound=bound is not None)
        search = Search(table, replace(mover, prone=False), bound, goal, limit, dice=False, horizon=limit)
        ways = [o for o in options(search).found if o.cost <= limit + FITS]
        if ways:
            best = min(ways, key=lambda o: o.cost)
            yield MoveRecord(charger, path=tuple(best.route.points()), stand=mover.prone)


def _possible(table: Table, wish: Wish, wanted: tuple[Wish, ...]) -> bool:
    """Say whether a wish can come true without the other chargers and the zones of enemies that they may touch."""
    others = {w.charger for w in wanted} - {wish.charger}
    hit = {name for w in wanted if w.charger != wish.charger for name in _touchable(table, w)}
    models = {name: m for name, m in table.models.items() if name not in others}
    alone = replace(table, models=FrozenMap(models), off=table.off - others)
    move = wish.move(table)
    return any(
        not judge(without_zones(alone, cancelled, wish.charger), move, closely=False).violations
        for cancelled in (hit - set(wish.targets), hit | set(wish.targets))
    )


def _touchable(table: Table, wish: Wish) -> set[str]:
    """Return the enemies that a charger may touch after a charge: its targets, and models near one of them (CHG.2)."""
    charger = table.model(wish.charger)
    found = set(wish.targets)
    for target in map(table.model, wish.targets):
        across = any(d.locus for d in defended(table, charger.id, target.id))
        near = target.radius + charger.base + TOUCH
        found |= {
            m.id
            for m in table.standing()
            if m.is_enemy(charger) and (across or math.dist(m.at, target.at) - m.radius <= near)
        }
    return found
