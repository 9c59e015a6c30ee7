"""What is called sure must hold wherever within their doubts the models stand: held against random placements."""

from __future__ import annotations

import math
import random

import sbg_sim as sbg
from sbg_sim.contested.asking import faults as misplaced
from sbg_sim.contested.asking import shifted
from sbg_sim.contested.certain import certainty
from sbg_sim.contested.pulls import pulls
from sbg_sim.solver.answer import ask
from tests.fuzz.judging import CLOSE

DOUBTS = (0.01, 0.03, 0.1, 0.45)
"""In parts of the mover's base."""
COUNT = {"sure": 0, "open": 0, "placements": 0}
"""How many answers were sure and how many not, and how many placements were tried, since the program began."""


def faults(table, question, seed, trials=25):
    """Everything said of all placements that one of some placements contradicts."""
    dice = random.Random(seed)
    doubt = dice.choice(DOUBTS) * table.model(question.model).base
    table, asked = on_edge(table, another(table, question, dice), doubt, dice)
    doubts = {name: doubt if dice.random() < 0.8 else doubt / 3 for name in table.models}
    nominal = ask(table, asked, alternatives=False)
    found = certainty(table, asked, nominal, doubts)
    COUNT["sure" if found.sure else "open"] += 1
    usual = misplaced(table)
    return [
        wrong
        for moves in placements(table, nominal, doubts, dice, trials)
        if not misplaced(there := shifted(table, moves)) - usual
        for wrong in contradictions(found, ask(there, asked, alternatives=False), moves)
    ]


def another(table, question, dice):
    """The question of the table, or a charge at one of its enemies, or a look at one."""
    foes = [m.id for m in table.standing() if m.is_enemy(table.model(question.model))]
    if not foes or dice.random() < 0.4:
        return question
    kind = sbg.Sight if dice.random() < 0.15 else sbg.Charge
    return kind(question.model, dice.choice(foes))


def on_edge(table, question, doubt, dice):
    """The table with a Move of about what the way costs, so that a few doubts decide."""
    cost = ask(table, question, alternatives=False).needed
    if not cost:
        return table, question
    return table.having(question.model, move=max(doubt, cost + dice.uniform(-5, 5) * doubt)), question


def placements(table, verdict, doubts, dice, trials):
    """Shifts of all models: along what the cost pulls at, both ways, then any, most of them far out."""
    gradient = pulls(verdict).gradient if verdict.route is not None else {}
    for sign in (1, -1):
        along = {n: sign * doubts[n] / size for n, g in gradient.items() if n in doubts and (size := math.hypot(*g))}
        yield {n: (far * gradient[n][0], far * gradient[n][1]) for n, far in along.items()}
    for _ in range(trials - 2):
        rows = ((n, dice.uniform(0, math.tau), d * math.sqrt(dice.uniform(0.5, 1))) for n, d in doubts.items())
        yield {n: (far * math.cos(turn), far * math.sin(turn)) for n, turn, far in rows}


def contradictions(found, verdict, moves):
    """What a placement says against what was said of all."""
    COUNT["placements"] += 1
    said = {name: (round(x, 5), round(y, 5)) for name, (x, y) in moves.items()}
    if found.sure and verdict.answer != found.answer:
        yield f"sure: {found.answer} for every placement, but {verdict.answer} ({verdict.reason}) at {said}"
    cost = verdict.needed
    if cost is not None and found.at_least is not None and cost < found.at_least - CLOSE:
        yield f"below: at least {found.at_least}, but {cost} at {said}"
    if cost is not None and found.at_most is not None and cost > found.at_most + CLOSE:
        yield f"above: at most {found.at_most}, but {cost} at {said}"
