"""What whole lists say is what single questions answer: charges, denials, threats and safe ground."""

from __future__ import annotations

import math

import numpy as np
import shapely

import sbg_sim as sbg
from sbg_sim.errors import SbgError
from sbg_sim.geometry.areas import areas_only
from sbg_sim.rules.defended import defended
from sbg_sim.solver.answer import ask
from sbg_sim.solver.reach import reach
from sbg_sim.threats.chargeable import next_turn, placed
from tests.fuzz.judging import BARE, BESIDE, CLOSE, DRAWN

NEAR = 0.02  # inches: closer to an outline nothing is asked
SPOTS = 12  # places beside an outline, and in it
COUNT = {"charges": 0, "denials": 0, "threats": 0, "safe": 0}
"""How many entries and places of each were held against single questions, since the program began."""


def faults(table, question, seed):
    """Everything in which the lists of a mover and its enemies differ from single answers."""
    me = table.model(question.model)
    foes = [m for m in table.standing() if m.is_enemy(me)]
    if not foes:
        return []
    found = [*listed(table, me, foes)]
    kinds = (denied, threatened, safely)
    return found + list(kinds[seed % 3](table, me, foes, np.random.default_rng(seed)))


def same(one, other):
    """Whether two verdicts say the same, but for a hair where a margin is one."""
    hair = any(v.margin is not None and abs(v.margin) <= 2 * CLOSE for v in (one, other))
    if one.needed is not None and other.needed is not None and abs(one.needed - other.needed) > 2 * CLOSE:
        return False
    return hair or (one.answer == other.answer and one.chance == other.chance)


def said(verdict):
    """A verdict in a few words."""
    return f"{verdict.answer} {verdict.needed} {verdict.chance}"


def listed(table, me, foes):
    """Every entry of a list of charges is the answer to the single charge."""
    entries = sbg.charges(table, me.id)
    if {entry.target for entry in entries} != {m.id for m in foes}:
        yield f"targets: {[entry.target for entry in entries]} of {[m.id for m in foes]}"
    for entry in entries:
        COUNT["charges"] += 1
        single = ask(table, sbg.Charge(me.id, entry.target), alternatives=False)
        if not same(entry.verdict, single):
            yield f"charges: {entry.target} {said(entry.verdict)}, but asked alone {said(single)}"
        if entry.arcs and single.answer != "yes":
            yield f"arcs: {entry.target} has some, but asked alone {said(single)}"
        yield from contacts(table, me, entry)


def contacts(table, me, entry):
    """Who ends within an arc of contact touches its target and no other base."""
    enemy = table.model(entry.target)
    by_chance = [arc for _, arcs in entry.by_chance for arc in arcs]
    for first, last in dict.fromkeys([*entry.arcs, *by_chance]):
        middle = (first + last) / 2
        rho = me.radius + enemy.radius
        at = (enemy.at[0] + rho * math.cos(middle), enemy.at[1] + rho * math.sin(middle))
        for other in table.standing():
            apart = math.dist(at, other.at) - me.radius - other.radius
            if other.id not in {me.id, enemy.id} and other.on == enemy.on and apart < -CLOSE:
                yield f"arc: at {middle} about {entry.target} the base overlaps {other.id} by {-apart}"


def beside(area, dice, off=BESIDE):
    """Places about the outline of an area, and some within its bounds."""
    rim = area.boundary
    at = shapely.get_coordinates(shapely.line_interpolate_point(rim, dice.uniform(0, rim.length, SPOTS)))
    x0, y0, x1, y1 = area.bounds
    inner = dice.uniform((x0, y0), (x1, y1), (SPOTS, 2))
    return np.concatenate([at + dice.uniform(-off, off, at.shape), inner])


def denied(table, me, foes, dice):
    """What a zone takes away could be reached without it, and cannot be with it."""
    if me.move is None:
        return
    now, by_enemy = reach(table, me.id, least=1), {entry.enemy: entry for entry in sbg.denials(table, me.id)}
    for enemy in (m for m in foes if m.has_zone):
        free = reach(table, me.id, without=frozenset({enemy.id}), least=1)
        if free.area.area < BARE:
            continue
        at = beside(free.area, dice)
        with_it, without_it = now.distance(at), free.distance(at)
        region = by_enemy[enemy.id].region
        COUNT["denials"] += len(at)
        lost = (with_it > now.allowance + CLOSE) & (without_it <= free.allowance - DRAWN)
        for p, was_lost, cost in zip(at, lost, with_it, strict=True):
            spot = shapely.Point(p)
            if shapely.dwithin(now.area.boundary, spot, NEAR) or shapely.dwithin(free.area.boundary, spot, NEAR):
                continue
            if was_lost != shapely.dwithin(region, spot, DRAWN):
                yield f"denied: {p.tolist()} by {enemy.id}: {was_lost}, costs {cost} with its zone"


def threatened(table, me, foes, dice):
    """Who threatens whom is who can charge it next turn."""
    side = foes[0].side
    try:
        found, now = sbg.threats(table, side), next_turn(table, side)
    except SbgError:
        return  # somebody has no Move
    for row in found.targets:
        told = {charger.model: charger.verdict for charger in row.chargers}
        for charger in (m for m in now.standing() if m.side == side):
            COUNT["threats"] += 1
            single = ask(now, sbg.Charge(charger.id, row.target), alternatives=False)
            able = single.answer not in {"no", None}
            if (charger.id in told) != able or (able and not same(told[charger.id], single)):
                alone = said(told[charger.id]) if charger.id in told else "nothing"
                yield f"threats: {charger.id} at {row.target} {alone}, but asked alone {said(single)}"


def safely(table, me, foes, dice):
    """Where a model is safe no enemy can charge it, and elsewhere within its reach one can; on every level."""
    if me.prone:
        return
    for level in sbg.safe(table, me.id).levels:
        yield from safely_on(level, dice)


def safely_on(level, dice):
    """What is said of one level, at places beside the outlines of what it gets to, by dice too, and of what is safe."""
    walk, area, doubt = level.ends[-1][1], level.by_chance[-1][1], level.doubt
    at = [beside(flat, dice) for flat in map(areas_only, (walk, area)) if flat.area >= BARE]
    parts = shapely.get_parts(walk)
    lines = parts[shapely.get_dimensions(parts) == 1]
    at += [landed(shapely.union_all(lines), dice)] if len(lines) else []
    taken = [rim(one) for one in (doubt, *(some for danger in level.dangers for _, some in danger.regions))]
    rims = [*taken, rim(walk), rim(area)]
    for p in np.concatenate(at) if at else ():
        spot = shapely.Point(p)
        on_line = any(shapely.dwithin(line, spot, DRAWN) for line in lines)
        if not (on_line or walk.contains(spot)) or shapely.dwithin(doubt, spot, NEAR):
            continue
        if any(shapely.dwithin(one, spot, NEAR) for one in (taken if on_line else rims)) or beset(level, p):
            continue
        COUNT["safe"] += 1
        there = level.charges_at((float(p[0]), float(p[1])))
        stands = placed(level.table, level.table.model(level.model), p, level.surface)
        able = [v for v in there if v.answer != "no" and (v.margin is None or abs(v.margin) > NEAR)]
        # What a barrier alone defends counts as open ground: who is landed beside one may be charged across it (CHG.8).
        dangers = [v for v in able if not defended(stands, v.question.model, level.model)]
        close = any(v.margin is not None and abs(v.margin) <= NEAR for v in there)
        said_safe = shapely.dwithin(area, spot, DRAWN)
        where = f"{p.tolist()} on {level.surface or 'the ground'} is said to be"
        if said_safe and dangers:
            yield f"safe: {where}, but {dangers[0].reason}"
        elif not said_safe and not able and not close:
            yield f"unsafe: {where}, but {there[0].reason if there else 'nobody comes'}"


def beset(level, at):
    """Whether a base at a place touches another, as beside one that lies and was jumped: chords of lines lie in it."""
    me = level.table.model(level.model)
    others = [m for m in level.table.standing() if m.id != me.id]
    return any(math.dist(m.at, at) < m.radius + me.radius + DRAWN for m in others)


def rim(area):
    """The outline of an area; of its lines their ends."""
    return shapely.union_all(shapely.boundary(shapely.get_parts(area)))


def landed(lines, dice):
    """Places on lines on which dice land a model."""
    return shapely.get_coordinates(shapely.line_interpolate_point(lines, dice.uniform(0, lines.length, SPOTS)))
