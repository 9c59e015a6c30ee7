"""Judges moves and charges: which rules allow or forbid them, their costs and their dice."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from sbg_sim.geometry.regions import disc_region
from sbg_sim.rules.contact import contact_levels, touchable, within_reach
from sbg_sim.rules.defended import defended_together
from sbg_sim.rules.sight import look
from sbg_sim.rules.zones import stuck_zones
from sbg_sim.solver.path.best_path import options
from sbg_sim.solver.path.options import UNTOLD, Known, Option, Options, Search, fits
from sbg_sim.solver.path.routes import beginnings
from sbg_sim.solver.space.surroundings import Goal
from sbg_sim.solver.why_not import ends_badly, why_no_contact, why_no_way, why_not_together
from sbg_sim.table.board import allowance, horizon_of, standing_up
from sbg_sim.table.joining import joined, level_of
from sbg_sim.table.nearby import standing_near, without_difficult
from sbg_sim.table.route import Leg, Route
from sbg_sim.table.violation import Violation
from sbg_sim.tolerance import FITS, ROUNDING, TOUCH
from sbg_sim.wording import cut_off

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.rules.sight import Look
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.questions import Charge, Move

CRAWL: Final = 1.0
"""How far a prone model may crawl, inches (PRN.2)."""


@dataclass(frozen=True)
class Finding:
    """The judgement on a move or a charge.

    Parameters
    ----------
    best
        The option with the best chance within the allowance, else the cheapest of all; None if there is no route.
    chance
        The best probability within the allowance.
    limit
        The movement available, inches: the maximum Move, or 1 for a crawl.
    violations
        The reasons why the move is not allowed.
    across
        The barrier across which a charge ends in contact (CHG.8); empty for a contact of bases.
    beyond
        Without a best option, a lower bound of the cost of every way, inches; infinite if there is none at any Move.

    """

    best: Option | None
    chance: Fraction
    limit: float
    violations: tuple[Violation, ...] = ()
    across: str = ""
    beyond: float = math.inf

    @property
    def needed(self) -> float | None:
        """The cost of the best route, inches."""
        return None if self.best is None else self.best.cost

    @property
    def shortfall(self) -> str:
        """The lower bound of the cost, cut off, not rounded up, and the movement available, in words."""
        least = cut_off(self.beyond)
        bound = f"at least {least:.12g}" if least > self.limit else f"more than {self.limit:g}"
        return f"{bound} in and has {self.limit:g} in"


def may_move(mover: Model) -> list[Violation]:
    """Return the reasons why a model may not move at all (MOV.6)."""
    why = []
    if mover.engaged:
        why.append(f"is engaged with {', '.join(sorted(mover.engaged))} and may not move")
    if mover.moved:
        why.append("has already moved this phase")
    if not mover.may_move:
        why.append("is held by an effect and may not move")
    return [Violation("MOV.6", f"{mover.id} {reason}", mover.at) for reason in why]


def judge_move(table: Table, question: Move, *, only_fits: bool = False, known: Known | None = None) -> Finding:
    """Judge whether a model can end its move at a place.

    With ``only_fits`` the route need not be the cheapest, only within the allowance, and there is no search if the
    model may not move. ``known`` keeps the results of searches, to be used again for the same question.
    """
    if question.on is not None:
        table.piece(question.on)
    table = joined(table)
    question = replace(question, on=level_of(table, question.on))
    mover = table.model(question.model)
    limit = allowance(mover)
    wrong = may_move(mover)
    # To name its own foot tells a model that hangs to come down.
    stay = math.dist(mover.at, question.to) <= FITS and mover.on == question.on and mover.climbed <= TOUCH
    wrong += [] if stay else ends_badly(table, mover, question.to, question.on)
    if wrong and (only_fits or any(v.rule != "MOV.6" for v in wrong)):
        return Finding(None, Fraction(0), limit, tuple(wrong))
    if stay:
        return _settled(table, [Option(0, landing=False, cost=0.0, slack=0.0, route=Route())], limit, wrong)
    touched = _touched(table, mover, question)
    if mover.prone and not touched:
        crawl = _crawl(table, mover, question)
        if crawl is not None and crawl.cost <= CRAWL + FITS:
            return _settled(table, [crawl], CRAWL, wrong)
    goal = Goal(question.on, question.to)
    ways = _standing(table, mover, None, goal, landing=bool(touched), only_fits=only_fits, known=known)
    found = ways.found
    if touched:
        # A landing beside a prone model that was jumped is the only contact that is no charge (PRN.5).
        found = [o for o in found if o.landing and {v.blame for v in touched} == {o.route.tests[-1].over}]
        wrong += [] if found else touched
    finding = _settled(table, found, limit, wrong, ways.beyond)
    if finding.best is None and not wrong and math.isinf(ways.beyond) and not only_fits:
        blocked = why_no_way(table, mover, goal)
        finding = replace(finding, violations=tuple(blocked))
    return finding


def _touched(table: Table, mover: Model, question: Move) -> list[Violation]:
    """Return the enemies with which a move without a charge would end in contact (CHG.1, PRN.4)."""
    found = []
    near = standing_near(table, disc_region(question.to, 0.0, mover.radius))
    for other, apart in touchable(table, mover, question.on, near):
        if math.dist(question.to, other.at) <= apart:
            reason = f"the move would end in contact with {other.id} without charging that model"
            found.append(Violation("CHG.1", reason, question.to, other.id))
    return found


def judge_charge(
    table: Table,
    question: Charge,
    *,
    told: Options = UNTOLD,
    sight: Look | None = None,
    only_fits: bool = False,
    known: Known | None = None,
) -> Finding:
    """Judge whether a model can end its move in contact with all its targets.

    ``told`` holds a bound and maybe a cheapest way, known beforehand; ``sight`` the look at the target. With
    ``only_fits`` the route need not be the cheapest, only within the allowance, and there is no search if the model may
    not charge. ``known`` keeps the results of searches, to be used again for the same question.
    """
    table = joined(table)
    mover = table.model(question.model)
    targets = [table.model(t) for t in question.targets]
    limit = allowance(mover)
    wrong = charge_refusals(table, mover, targets, sight)
    if wrong and only_fits:
        return Finding(None, Fraction(0), limit, tuple(wrong))
    levels = contact_levels(table, mover, targets)
    if not levels:
        reason = "the targets stand on different levels, and from none can a base touch them all"
        return Finding(None, Fraction(0), limit, (*wrong, Violation("CHG.6", reason, targets[0].at)))
    contact = charge_options(table, mover, targets, levels, told=told, only_fits=only_fits, known=known)
    over = _across(table, mover, targets, only_fits=only_fits, known=known) if len({t.on for t in targets}) == 1 else []
    found = [*contact.found, *(option for ways, _ in over for option in ways.found)]
    beyond = min([contact.beyond, *(ways.beyond for ways, _ in over)])
    finding = _settled(table, found, limit, wrong, beyond)
    barriers = [barrier for ways, barrier in over if any(option is finding.best for option in ways.found)]
    finding = replace(finding, across=barriers[0]) if barriers else finding
    if finding.best is not None or wrong or only_fits:
        return finding
    apart = why_not_together(mover, targets) if math.isinf(beyond) or not over else []
    if apart:
        return replace(finding, violations=tuple(apart), beyond=math.inf)
    undone = _left_undone(table, question)
    if undone:
        return replace(finding, violations=tuple(undone))
    if math.isinf(beyond):
        level = mover.on if mover.on in {t.on for t in targets} & {*levels} else levels[-1]
        finding = replace(finding, violations=tuple(why_no_contact(table, mover, targets, level)))
    return finding


def _left_undone(table: Table, question: Charge) -> list[Violation]:
    """Return why a charge is forbidden that only a 6 would bring into contact (CZ.1, ruling ``charge_on_a_six``)."""
    if table.rulings["charge_on_a_six"] == "yes":
        return []
    best = judge_charge(table.under("charge_on_a_six", "yes"), question).best
    if best is None:
        return []
    test, names = best.route.tests[-1], " or ".join(question.targets)
    reason = f"a 2 to 5 would leave {question.model} in the zone of {names}, short of contact"
    return [Violation("CZ.1", reason, test.landing, test.over)]


def charge_refusals(table: Table, mover: Model, targets: list[Model], sight: Look | None = None) -> list[Violation]:
    """Return what forbids a charge whatever its route (MOV.6, CHG.1, CZ.4); ``sight`` is the look if it is known."""
    wrong = may_move(mover)
    for target in targets:
        if not mover.is_enemy(target):
            wrong.append(Violation("CHG.1", f"{target.id} is not an enemy of {mover.id}", target.at, target.id))
        elif not within_reach(table, mover, target):
            reason = f"{target.id} hangs {target.climbed:g} in up a face, where {mover.id} cannot touch it"
            wrong.append(Violation("CHG.1", reason, target.at, target.id))
        elif not (seen := sight or look(table, mover.id, target.id, widest=False)).seen:
            hidden = ", ".join(seen.hidden_by) or "what stands between"
            blame = seen.hidden_by[0] if seen.hidden_by else target.id
            reason = f"{mover.id} does not see {target.id}: hidden by {hidden}"
            wrong.append(Violation("CHG.1", reason, target.at, blame))
    stuck = stuck_zones(table, mover)
    names = {t.id for t in targets}
    if stuck and table.rulings["stuck_then_charge"] == "no" and not names & {z.id for z in stuck}:
        held = ", ".join(z.id for z in stuck)
        reason = f"{mover.id} starts in the zone of {held} and may charge only there"
        wrong.append(Violation("CZ.4", reason, mover.at, stuck[0].id))
    return wrong


def charge_options(
    table: Table,
    mover: Model,
    targets: list[Model],
    levels: Sequence[str | None],
    *,
    told: Options = UNTOLD,
    only_fits: bool = False,
    known: Known | None = None,
    at: Point | None = None,
) -> Options:
    """Return the ways to end in contact with all targets, for each zone that can be entered first (CHG.3, CHG.6).

    ``levels`` are those on which a base can touch all targets. With ``at``, return only ways whose last die puts the
    mover down at that place in contact.
    """
    circles, charged = tuple((*t.at, t.radius + mover.radius) for t in targets), frozenset(t.id for t in targets)
    found = [Options([], math.inf)]
    apart = table.rulings["zones_across_surfaces"] == "no"
    for level in levels:
        here = told if all(t.on == level for t in targets) else UNTOLD
        landing = all(t.has_zone for t in targets if t.on == level)
        set_down = landing or table.rulings["jump_into_contact"] == "charge"
        binding = [t for t in targets if t.has_zone and not (apart and t.on != level)]
        for first in _firsts(targets, binding):
            goal = Goal(level, at, () if at else circles, bound=first is not None)
            how = {"set_down": set_down, "only_fits": only_fits, "landing": at is not None}
            found.append(_standing(table, mover, first, goal, charged=charged, told=here, known=known, **how))
    return Options([option for ways in found for option in ways.found], min(ways.beyond for ways in found))


def _firsts(targets: list[Model], zoned: list[Model]) -> list[str | None]:
    """Return the targets whose zones may be entered first, and None (no zone) if a target has none there (CHG.3)."""
    return [*(t.id for t in zoned), *([None] if len(zoned) < len(targets) else [])]


def _standing(
    table: Table,
    mover: Model,
    charging: str | None,
    goal: Goal,
    *,
    landing: bool = False,
    told: Options = UNTOLD,
    set_down: bool = True,
    charged: frozenset[str] = frozenset(),
    only_fits: bool = False,
    known: Known | None = None,
) -> Options:
    """Return the ways to a goal of a mover that first stands up, if it is prone."""
    up, limit = standing_up(mover), allowance(mover)
    search = Search(
        table,
        replace(mover, prone=False),
        charging,
        goal,
        limit,
        dice=True,
        horizon=horizon_of(table, limit) - up,
        used=up,
        landing=landing,
        least=told.beyond,
        cheapest=next(iter(told.found), None),
        set_down=set_down,
        charged=charged,
        only_fits=only_fits,
    )
    if mover.climbed > TOUCH and not mover.prone:
        return _from_a_face(search, known)
    return _stood_up(mover, options(search, known), up)


def _from_a_face(search: Search, known: Known | None) -> Options:
    """Return the ways of a mover that hangs on a face: it climbs on, or comes down first (CLB.4).

    The zones that hold its start still bind it: it may come no nearer to those enemies than at the foot (CZ.4). Once
    the climb has led it into its target's zone, no other zone binds it (CHG.5).
    """
    table, mover, charging = search.table, search.mover, search.charging
    others = frozenset(m.id for m in table.standing() if mover.is_enemy(m) and m.id != charging)
    around = search.around(max(search.horizon, 2 * mover.base))
    found, beyond = list[Option](), math.inf
    for begun, there, bound in beginnings(table, mover, around, charging=charging is not None):
        more, cost = len(begun.tests), begun.cost
        began = None if bound else mover
        onward = replace(search, mover=there, began=began, bound=bound, least=0.0, cheapest=None)
        onward = replace(onward, horizon=search.horizon - cost, used=search.used + cost)
        ways = options(replace(onward, without=search.without | others) if bound else onward, known)
        beyond = min(beyond, ways.beyond + cost)
        for o in ways.found:
            landing = o.landing or (more > 0 and o.cost <= TOUCH)
            thrown = o.begun + cost if o.tests else 0.0
            whole = Route((*begun.legs, *o.route.legs))
            found.append(
                replace(o, tests=o.tests + more, landing=landing, cost=o.cost + cost, begun=thrown, route=whole)
            )
    return Options(found, beyond)


def _stood_up(mover: Model, ways: Options, cost: float) -> Options:
    """Return ways with standing up, for half the Move, as their first leg (PRN.3)."""
    if not cost:
        return ways
    up = Leg("stand", mover.at, mover.at, cost, mover.on)
    found = [replace(o, cost=o.cost + cost, begun=o.begun + cost, route=Route((up, *o.route.legs))) for o in ways.found]
    return Options(found, ways.beyond + cost)


def _across(
    table: Table,
    mover: Model,
    targets: list[Model],
    *,
    only_fits: bool = False,
    known: Known | None = None,
) -> list[tuple[Options, str]]:
    """Return ways to contact across barriers, with the barriers' ids (CHG.8)."""
    found = []
    for defence in defended_together(table, mover.id, tuple(t.id for t in targets)):
        # Behind a thick barrier some places lie outside the target's zone; the mover reaches them free.
        for first in dict.fromkeys([*(t.id for t in targets if t.has_zone), None]):
            goal = Goal(targets[0].on, lines=defence.locus, bound=first is not None)
            ways = _standing(table, mover, first, goal, only_fits=only_fits, known=known)
            found.append((ways, defence.barrier))
    return found


def _crawl(table: Table, mover: Model, question: Move) -> Option | None:
    """Return the cheapest crawl to a place, if there is one: an inch at most, on any ground, without dice (PRN.2)."""
    if math.dist(mover.at, question.to) > CRAWL + FITS:
        return None
    plain = without_difficult(table)
    goal = Goal(question.on, question.to)
    search = Search(plain, mover, None, goal, CRAWL, dice=False, horizon=CRAWL + FITS)
    found = options(search).found
    if not found:
        return None
    best = min(found, key=lambda o: o.cost)
    legs = tuple(replace(leg, kind="crawl") if leg.walked else leg for leg in best.route.legs)
    return replace(best, route=Route(legs))


def _settled(
    table: Table, found: list[Option], limit: float, wrong: list[Violation], beyond: float = math.inf
) -> Finding:
    """Choose the option with the best chance within the allowance, else the cheapest option."""
    possible = [o for o in found if fits(table, o, limit, limit)]
    if possible:
        best: Option | None = min(possible, key=lambda o: (-o.chance, o.cost))
    else:
        # Of costs equal to rounding the way with fewer dice counts: a jump over a mere edge saves nothing.
        least = min((o.cost for o in found), default=math.inf)
        best = min((o for o in found if o.cost <= least + ROUNDING), key=lambda o: (o.tests, o.cost), default=None)
    chance = best.chance if best is not None and possible and not wrong else Fraction(0)
    return Finding(best, chance, limit, tuple(wrong), beyond=beyond)
