"""Answers that must stand in a certain relation to each other (metamorphic testing), and routes held against others.

With fewer models in the way, with more Move, or told in another order nothing is dearer, and the same table in other
words has the same answers (``alike.py``). The readings of rules that are told to turn an answer are those that do. No
route that the referee allows, made of one that was found by moving the joints of its legs or by walking straight on
from a part of it, is cheaper or likelier than what was found. And on the ground, where nobody has a zone, the way back
costs as much as the way there.
"""

from __future__ import annotations

import math
import random
from dataclasses import replace
from fractions import Fraction

import sbg_sim as sbg
from sbg_sim.errors import SbgError
from sbg_sim.referee import audit
from sbg_sim.referee.outline import across
from sbg_sim.solver.answer import ask
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.joining import joined
from sbg_sim.table.route import Leg, Route
from sbg_sim.table.rulings import RULINGS
from tests.fuzz import alike

CLOSE = 1e-4  # inches: kinds of path that samples cannot tell apart
SHIFTS = (1.0, 0.3, 0.1, 0.03, 0.01, 0.003)  # of joints, inches
TRIES = 30  # routes with other joints
ELSEWHERE = 3  # other places whose ways are walked on from
DRAWN = 0.35  # of the rulings are drawn by lot, and the others as they are
ROUND = (0.0, 0.5, -0.5, 1.1, -1.1)  # radians about where a way comes straight at a target
CROSSINGS = frozenset({"jump", "leap", "climb", "descend", "up", "down"})
FOR_GOOD = frozenset({"CHG.1", "MOV.6", "CZ.4"})
"""Rules by which a move or charge is refused whatever way there is; the referee of routes does not ask who is seen."""

GROUND = frozenset({"obstacle", "unscalable", "difficult", "gap"})
TALL, WALL = 2.0, 1.5  # inches: a mover, and a wall that it can jump and neither stand astride of nor step over
LITTLE, FAR = 0.2, 14.0  # inches: a Move so short that of all ways the cheapest is told, up to a horizon so far

COUNT = {"relations": 0, "routes": 0, "words": 0, "areas": 0, "readings": 0, "back": 0}
"""How many answers were held against others, how many legal routes against what was found, how many verdicts against
those in other words, and how many times reaches and lists; how many readings were asked anew, how many ways back."""


def faults(table, question, seed):
    """Everything that one answer contradicts in another, or a route in an answer."""
    if not isinstance(question, sbg.Move | sbg.Charge):
        return []
    dice = random.Random(seed)
    verdict = ask(table, question, alternatives=False)
    found = [*alike.faults(table, question, seed, COUNT), *told(table, question, random.Random(f"told {seed}"))]
    found += there_and_back(table, question)
    if not {v.rule for v in verdict.violations} & FOR_GOOD:
        found += [*relations(table, question, verdict, dice), *joints(table, question, verdict, dice)]
        found += walked_on(table, question, verdict, dice)
    return found


def relations(table, question, verdict, dice):
    """Answers on other tables that are worse than the one here, or better where nothing but the order is changed."""
    mover = table.model(question.model)
    named = {question.model, *getattr(question, "targets", ()), *mover.engaged}
    others = [m.id for m in table.standing() if m.id not in named]
    for count in {1, len(others) // 2} if others else ():
        gone = set(dice.sample(others, count))
        fewer = replace(table, models=FrozenMap({n: m for n, m in table.models.items() if n not in gone}))
        yield from _held(f"without {sorted(gone)}", fewer, question, verdict)
    if mover.move and not mover.prone and not mover.climbed:
        more = dice.choice([0.01, 0.5, 2.0])
        yield from _held(f"with {more} in more", table.having(mover.id, move=mover.move + more), question, verdict)
    models, terrain = list(table.models.items()), list(table.terrain.items())
    dice.shuffle(models)
    dice.shuffle(terrain)
    shuffled = replace(table, models=FrozenMap(dict(models)), terrain=FrozenMap(dict(terrain)))
    yield from _held("in another order", shuffled, question, verdict, alike=True)


def told(table, question, dice):
    """Readings that turn an answer and are not told, or are told and do not; under readings some of which are drawn."""
    for name in sorted(RULINGS):
        if dice.random() < DRAWN:
            table = table.under(name, dice.choice(RULINGS[name].readings))
    yield from readings(table, question)


def readings(table, question):
    """Readings that turn an answer and are not told, or are told and do not."""
    try:
        verdict = ask(table, question)
    except SbgError:
        return  # nobody may ask that here
    for name in RULINGS:
        for reading in table.rulings.alternatives(name):
            try:
                other = ask(table.under(name, reading), question, alternatives=False)
            except SbgError:
                continue
            COUNT["readings"] += 1
            turns = (other.answer, other.chance) != (verdict.answer, verdict.chance)
            if turns != (f"{name} = {reading}" in verdict.rulings):
                drawn = dict(table.rulings.chosen)
                yield f"readings: {_said(verdict)}, but {_said(other)} by {name} = {reading}, under {drawn}"


def there_and_back(table, question):
    """Ways between two places on the ground that cost more one way than the other, there being no zones nor levels."""
    me = table.model(question.model)
    to = question.to if isinstance(question, sbg.Move) else table.model(question.targets[0]).at
    others = [m for m in table.models.values() if m.on is None and not (m.prone or m.is_enemy(me) or m.id == me.id)]
    aloft = me.on is not None or me.climbed or getattr(question, "on", None) is not None
    beyond = not all(me.radius <= v <= size - me.radius for v, size in zip(to, (table.width, table.depth), strict=True))
    if aloft or beyond or any(math.dist(m.at, to) < m.radius + me.radius for m in others):
        return
    ground = [p for p in table.terrain.values() if p.tags <= GROUND and p.on is None]
    terrain = {
        p.id: replace(p, height=WALL) if "obstacle" in p.tags and "unscalable" not in p.tags else p for p in ground
    }
    plain = replace(table, terrain=FrozenMap(terrain), horizon=FAR)
    mover = replace(me, height=TALL, move=LITTLE, prone=False, engaged=frozenset())
    needed = []
    for start, end in ((me.at, to), (to, me.at)):
        models = {m.id: m for m in (*others, replace(mover, at=start))}
        try:
            needed.append(
                ask(replace(plain, models=FrozenMap(models)), sbg.Move(me.id, end), alternatives=False).needed
            )
        except SbgError:
            return  # nobody may stand there
    COUNT["back"] += 1
    one, other = needed
    if (one is None) != (other is None) or (one is not None and abs(one - other) > 2 * alike.CLOSE):
        yield f"back: {one} there, but {other} back"


def _held(how, table, question, verdict, *, alike=False):
    try:
        other = ask(table, question, alternatives=False)
    except SbgError:
        return  # what was left out held something up
    COUNT["relations"] += 1
    if _worse(other, verdict) or (alike and _worse(verdict, other)):
        yield f"relation: {_said(verdict)}, but {_said(other)} {how}"


def _said(verdict):
    return f"{verdict.answer} {verdict.chance} {verdict.needed}"


def _worse(one, other):
    """Whether an answer has a lower chance, or the same and costs more."""
    chances = one.chance or 0, other.chance or 0
    if chances[0] != chances[1] or not chances[0]:
        return chances[0] < chances[1]
    return one.needed > other.needed + CLOSE


def joints(table, question, verdict, dice):
    """Routes like the one found, but for where legs meet, that are cheaper."""
    targets = tuple(getattr(question, "targets", ()))
    if verdict.route is None or verdict.needed is None or len(verdict.route.legs) < 2:
        return
    legs, shapes = verdict.route.legs, [p for p in joined(table).terrain.values() if p.shape is not None]
    for _ in range(TRIES):
        other = list(legs)
        for i in dice.sample(range(1, len(legs)), min(len(legs) - 1, dice.choice([1, 1, 2, 3]))):
            _shift(other, i, shapes, dice)
        found = _priced(table, question.model, other, targets)
        if found is not None:
            COUNT["routes"] += 1
            yield from beaten(verdict, *found, "with other joints")


def _shift(legs, i, shapes, dice):
    """Move where two legs meet; along the nearest side of what one of them crosses, and the landing with it or not."""
    before, after = legs[i - 1], legs[i]
    crossing = next((leg for leg in (after, before) if leg.kind in CROSSINGS), None)
    size, (x, y) = dice.choice(SHIFTS) * dice.choice([-1, 1]), before.end
    name = crossing.test.over if crossing is not None and crossing.test is not None else None
    sides = [p.shape for p in shapes if name in {None, p.id}]
    if crossing is not None and sides:
        ux, uy = across((x, y), min(sides, key=lambda shape: abs(float(shape.distance([(x, y)])[0]))))
        dx, dy = -size * uy, size * ux
    else:
        angle = dice.uniform(0, math.tau)
        dx, dy = size * math.cos(angle), size * math.sin(angle)
    legs[i - 1], legs[i] = _between(before, end=(x + dx, y + dy)), _between(after, start=(x + dx, y + dy))
    if after.kind in CROSSINGS and i + 1 < len(legs) and dice.random() < 0.6:
        there = (after.end[0] + dx, after.end[1] + dy)
        legs[i], legs[i + 1] = _between(legs[i], end=there), _between(legs[i + 1], start=there)


def _between(leg, **ends):
    """The leg between other ends; straight, if it was an arc."""
    test = leg.test and replace(leg.test, **{{"start": "at", "end": "landing"}[k]: at for k, at in ends.items()})
    straight = {"kind": "straight", "center": None, "radius": 0.0, "sweep": 0.0} if leg.kind == "arc" else {}
    return replace(leg, **ends, **straight, test=test)


def walked_on(table, question, verdict, dice):
    """Ways to other places, each cut short somewhere and then straight to where this one leads, that are better."""
    mover = joined(table).model(question.model)
    if mover.prone or mover.move is None or mover.id in table.off:
        return
    here = question.to if isinstance(question, sbg.Move) else table.model(question.targets[0]).at
    for _ in range(ELSEWHERE):
        angle, far = dice.uniform(0, math.tau), dice.choice([0.3, 1.0, 3.0]) * math.sqrt(dice.random())
        to = (here[0] + far * math.cos(angle), here[1] + far * math.sin(angle))
        try:
            route = ask(table, sbg.Move(mover.id, to, getattr(question, "on", None)), alternatives=False).route
        except SbgError:
            continue
        for k in range(len(route.legs) + 1) if route is not None else ():
            yield from _straight_on(table, question, verdict, mover, route.legs[:k])


def _straight_on(table, question, verdict, mover, legs):
    at, on = (legs[-1].end, legs[-1].surface) if legs else (mover.at, mover.on)
    targets = tuple(getattr(question, "targets", ()))
    level = joined(table).model(targets[0]).on if targets else question.on
    if on != level or len(targets) > 1:
        return
    ends = [question.to] if not targets else _contacts(table.model(targets[0]), mover, at)
    for end in ends:
        if math.dist(at, end) > CLOSE:
            found = _priced(table, mover.id, [*legs, Leg("straight", at, end, 0.0, on)], targets)
            if found is not None:
                COUNT["routes"] += 1
                yield from beaten(verdict, *found, "walked on to")


def _contacts(target, mover, at):
    """Places in contact with a target, about where one comes straight at it."""
    toward, apart = math.atan2(at[1] - target.at[1], at[0] - target.at[0]), target.radius + mover.radius
    return [
        (target.at[0] + apart * math.cos(toward + turn), target.at[1] + apart * math.sin(toward + turn))
        for turn in ROUND
    ]


def _priced(table, model, legs, targets):
    """The cost of legs by the referee, inches, and the chance that they are walked to the end; None if not legal."""
    fixed = []
    for leg in legs:
        # One leg after the other at the cost that the referee finds for it.
        seen = audit(table, model, Route((*fixed, leg)), charging=targets, allowance=math.inf, contact=False)
        fixed.append(replace(leg, cost=seen.cost - math.fsum(one.cost for one in fixed)))
    seen = audit(table, model, Route(tuple(fixed)), charging=targets, allowance=math.inf)
    return (seen.cost, Fraction(1, 6) ** len(seen.tests), seen.route) if seen.legal else None


def beaten(verdict, cost, chance, route, how):
    """Whether a route is cheaper than what was found with the same chance, or fits with a better one."""
    fits = verdict.allowance is not None and cost <= verdict.allowance - CLOSE
    if verdict.chance:
        beaten = fits and (chance > verdict.chance or (chance == verdict.chance and cost < verdict.needed - CLOSE))
    else:
        beaten = fits or cost < (verdict.at_least or 0.0) - CLOSE
    if beaten:
        yield f"route: {_said(verdict)}, but {cost} with a chance of {chance} {how}: {[leg.kind for leg in route.legs]}"
