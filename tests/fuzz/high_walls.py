"""Seeded tables with walls as wide as a base and wider that have to be climbed, and charges over them."""

from __future__ import annotations

import math
from dataclasses import replace

import sbg_sim as sbg
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.rulings import RULINGS
from tests.fuzz import lines
from tests.fuzz.mixed_kinds import corner_to_corner, spun
from tests.fuzz.more_kinds import HAIRS, charge, thin
from tests.fuzz.stage import Stage

CLIMBS = (
    "climb_over", "climb_test_each_turn", "charge_a_climber", "fall_inches", "jump_landing", "jump_without_movement",
    "jump_into_contact", "charge_on_a_six", "charge_stays_in_zone", "obstacle_exactly_half", "end_on_low_obstacle",
    "stand_on", "contact_across_heights", "defended_opposite", "defended_behind", "zone_once_left", "sight_within",
)  # fmt: skip
"""Rulings that a climb, or a charge that ends behind a wall, may meet."""


def ramparts(seed, small=False):
    """Walls to be climbed, as wide as a base and wider, one or two, and who stands, lies or hangs at their feet."""
    if seed % 5 == 4:
        return alone(seed)
    stage = Stage(f"ramparts {seed}", small)
    dice, c, turn = stage.dice, stage.size / 2, stage.dice.uniform(0, math.tau)
    tall, move = dice.choice([0.5, 0.6, 0.8, 1.0]), dice.choice([5.0, 6.0, 8.0] if small else [8.0, 10.0, 12.0])
    words = frozenset({"cavalry"}) if dice.random() < 0.04 else frozenset()
    stage.models["me"] = replace(stage.me, height=tall, move=move, keywords=words, prone=dice.random() < 0.06)
    me, r = stage.me, stage.me.radius
    y = c + r + dice.choice([0.0, 0.0, 1e-4, 0.2, 0.8])
    feet = []
    for n in range(1 if small else dice.randint(1, 2)):
        high = tall * dice.choice([1.0001, 1.05, 1.2, 1.2, 1.5] if n == 0 else [0.4, 0.8, 1.0, 1.05, 1.3])
        y = wall(stage, turn, y, high)
        feet.append(y)
        y += me.base + dice.choice([*HAIRS, 0.3, 1.0])
    first = stage.terrain.get("t0")
    if first and dice.random() < 0.2 and abs(float(first.shape.distance([me.at])[0]) - r) < 1e-9 and not me.prone:
        stage.models["me"] = replace(stage.me, climbed=first.top * dice.choice([0.3, 0.7, 1.0]))
    if dice.random() < 0.3:
        stage.put(
            {"difficult"}, sbg.circle(place(c, turn, dice.uniform(-1, 1), dice.choice(feet)), dice.uniform(0.4, 1.2))
        )
    for _ in range(dice.randint(0, 2) if small else dice.randint(1, 4)):
        off = dice.choice([0.0, 1e-4, 0.3, 1.0, 1.5])
        at, side = (dice.uniform(-2.5, 2.5), dice.choice(feet) + r + off), dice.choice(["evil", "evil", "evil", "good"])
        stage.stand(place(c, turn, *at), side, me.base if off < 1e-3 else None, prone=dice.random() < 0.15)
    asked = charge(stage, dice.random() < 0.6, several=dice.random() < 0.15)
    far = place(
        c, turn, dice.choice([0.0, dice.uniform(-2, 2)]), dice.choice(feet) + r + dice.choice([0.0, 1e-4, 0.3, 1.0])
    )
    if asked is None and not stage.inside(far, r) and all(r <= v <= stage.size - r for v in far):
        asked = sbg.Move("me", far)
    table, question = stage.done(asked)
    for name in CLIMBS:
        if dice.random() < (0.3 if name == "climb_over" else 0.08):
            table = replace(table, rulings=table.rulings.having(name, RULINGS[name].readings[1]))
    return table, question


def place(c, turn, x, y):
    """A place of a table that is turned about its middle, ``x`` aside from it and ``y`` up the table."""
    y -= c
    return (c + x * math.cos(turn) - y * math.sin(turn), c + x * math.sin(turn) + y * math.cos(turn))


def wall(stage, turn, y, high):
    """Put a wall whose near side lies at ``y`` and return where its far side does, straight ahead."""
    dice, c, base = stage.dice, stage.size / 2, stage.me.base
    thick = dice.choice([0.4, base, base, base + 1e-4, base - 1e-4, base + 0.2, 1.5 * base, 2 * base, 2.6 * base])
    left, right = (dice.choice([1.5, 3.0, c, c, c]) for _ in range(2))
    kind = dice.randrange(7)
    if kind < 3:
        shape = sbg.polygon(corner_to_corner(c - left, y, c + right, y + thick))
    elif kind == 3:  # a wedge
        thin_end = thick * dice.choice([0.3, 0.7, 1.3])
        shape = sbg.polygon([(c - left, y), (c + right, y), (c + right, y + thin_end), (c - left, y + thick)])
        thick += (thin_end - thick) * left / (left + right)
    elif kind == 4:  # round
        shape = sbg.circle((c, y + thick / 2), thick / 2)
    elif kind == 5:  # with round ends, or a corner
        ways = [(c - left, y + thick / 2), (c + right, y + thick / 2)]
        ways += [(c + right + dice.choice([-0.5, 0.0, 0.5]), y + thick / 2 + 2 * thick)] * (dice.random() < 0.6)
        shape = thin(ways, thick, square=dice.random() < 0.5)
    else:  # with a tooth on one side or on both
        x, w = dice.uniform(-0.8, 0.8), dice.choice([0.1, 0.4, base])
        deep = [min(dice.choice([0.0, 0.15, 0.5]), 0.6 * thick) for _ in "nf"]
        ends = min(c - left, c + x - w - 0.1), max(c + right, c + x + w + 0.1)
        near, far = (
            [(ends[0], side), (c + x - w, side), (c + x, side + out), (c + x + w, side), (ends[1], side)]
            for side, out in zip((y, y + thick), deep, strict=True)
        )
        shape = sbg.polygon([*near, *far[::-1]])
    shape = about(shape, c, turn)
    tags = dice.choice([{"obstacle"}] * 7 + [{"obstacle", "difficult"}, {"obstacle", "unscalable"}])
    stage.put(tags, shape, height=high)
    return y + thick


def about(shape, c, turn):
    """A shape turned about the middle of the table."""
    if shape.kind == "polygon":
        return spun(shape, (c, c), turn)
    spine = [place(c, turn, x - c, y) for x, y in shape.spine]
    return sbg.circle(spine[0], shape.radius) if shape.kind == "circle" else sbg.line(spine, 2 * shape.radius)


def alone(seed):
    """A wall right across the table with corners on both sides, and nobody but the mover: lines are drawn over it."""
    case = lines.make(seed, thick=(0.1, 3.0))
    high = 1.0 + case.r * (seed % 7) / 10 + 1e-3
    me = sbg.Model("me", case.start, 2 * case.r, 1.0, 4 * high + 4.0, "good")
    terrain = {"wall": sbg.Terrain("wall", frozenset({"obstacle"}), sbg.polygon(case.ring), height=high)}
    table = sbg.Table(40.0, 40.0, FrozenMap({"me": me}), FrozenMap(terrain))
    if seed % 2:
        table = replace(table, rulings=table.rulings.having("climb_over", "over"))
    return table, sbg.Move("me", case.goal)
