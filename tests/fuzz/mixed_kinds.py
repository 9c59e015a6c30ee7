"""Kinds of seeded tables that mix the others: riders, yards, storeys, other rulings, and tables far from the origin."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import sbg_sim as sbg
from sbg_sim.table.rulings import RULINGS
from tests.fuzz.more_kinds import charge, turned
from tests.fuzz.stage import MM, Stage, box
from tests.heights.ruins import ruin

HEIGHTS = (0.5, 0.99, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0)


def riders(seed, small=False):
    """Mounted and large movers that jump, leap and step down: hedges, ditches, low tops and difficult ground."""
    stage = Stage(seed, small)
    dice, tall = stage.dice, stage.dice.choice([1.5, 2.0, 2.5, 3.0])
    move = dice.choice([3.0, 4.0, 5.0]) if small else dice.choice([8.0, 10.0, 12.0])
    words = frozenset({"cavalry"}) if dice.random() < 0.7 else frozenset()
    stage.models["me"] = replace(
        stage.me, base=dice.choice([25, 40, 50, 60]) * MM, height=tall, move=move, keywords=words
    )
    for _ in range(stage.some(3, 7)):
        at, turn, kind = stage.near(move), dice.uniform(0, math.tau), dice.randrange(5)
        wide, deep = dice.uniform(0.1, 0.6), dice.uniform(0.5, 2.0)
        body = box(at[0] - deep, at[1] - wide, at[0] + deep, at[1] + wide)
        body = spun(body, at, turn)
        if kind == 0:
            stage.put({"gap"}, body, depth=dice.choice([0.5, 1.0, 3.0]))
        elif kind == 1:
            stage.put({"difficult"}, sbg.circle(at, deep) if dice.random() < 0.5 else body)
        elif kind == 2:
            top = spun(box(at[0] - 1, at[1] - deep, at[0] + 1, at[1] + deep), at, turn)
            stage.put({"platform"}, top, height=dice.choice(HEIGHTS))
        else:
            tags = dice.choice([{"obstacle"}, {"obstacle"}, {"obstacle", "difficult"}, {"unscalable"}])
            high = {} if "unscalable" in tags else {"height": dice.choice(HEIGHTS)}
            stage.put(tags, body, **high)
        stage.terrain = apart(stage.terrain)
    for _ in range(stage.some(1, 4)):
        stage.stand(stage.near(move), dice.choice(["evil", "evil", "good"]), prone=dice.random() < 0.2)
    return stage.done(charge(stage, dice.random() < 0.5))


def yards(seed, small=False):
    """Walls, tops, ditches and bogs with holes or doors, in some of which one stands, and what crosses the edge."""
    stage = Stage(seed, small)
    dice, stage.size, me = stage.dice, 9.0 if small else 14.0, stage.me
    c = stage.size / 2
    off = dice.choice([0.0, 0.0, c - me.radius - dice.choice([0.0, 0.3, 1.0])])
    stage.models["me"] = replace(me, at=(c + off, c), move=dice.choice([2.0, 3.0, 4.0]) if small else 6.0)
    for n in range(stage.some(2, 4)):
        at = stage.me.at if n == 0 and dice.random() < 0.5 else stage.near(4.5)
        wide, thick = dice.uniform(0.7, 1.8), dice.choice([0.1, 0.3, 0.8])
        kind = dice.randrange(4)
        if kind == 0:  # all round
            shape = sbg.polygon(square(at, wide + thick), [square(at, wide)])
        elif kind == 1:  # with a door
            shape = sbg.line(square(at, wide), thick)
        elif kind == 2:  # round
            shape = sbg.polygon(corners(at, wide + thick, 12), [corners(at, wide, dice.choice([4, 12]))])
        else:  # over the edge of the table
            x, y = dice.choice([(0.0, at[1]), (at[0], 0.0), (stage.size, at[1]), (0.0, 0.0)])
            shape = box(x - wide, y - wide, x + wide, y + wide)
        tags = dice.choice([{"obstacle"}, {"obstacle"}, {"unscalable"}, {"difficult"}, {"platform"}, {"gap"}])
        size = {"depth": dice.choice([0.5, 1.0])} if tags == {"gap"} else {"height": dice.choice(HEIGHTS)}
        stage.put(tags, shape, **({} if tags in ({"unscalable"}, {"difficult"}) else size))
        stage.terrain = apart(stage.terrain)
    for _ in range(stage.some(0, 3)):
        stage.stand(stage.near(4), dice.choice(["evil", "good"]))
    return stage.done(charge(stage, dice.random() < 0.4))


def storeys(seed, small=False):
    """Ruins of several storeys with pits, bridges and ladders, and many enemies on all levels."""
    kinds = ("storey", "storey", "bridge", "ladder", "pit", "deck", "block")
    table, asked = ruin(f"storeys {small} {seed}", kinds=kinds, enemies=2 if small else 4)
    dice = random.Random(f"storeys {seed}")
    if dice.random() < 0.5:
        table = replace(table, rulings=table.rulings.having("zones_across_surfaces", "yes"))
    return table, dice.choice(asked)


def spun(shape, about, turn):
    """A polygon turned about a place."""
    far = turned(sbg.polygon([(x - about[0], y - about[1]) for x, y in shape.rings[0]]), 0.0, turn)
    return sbg.polygon([(x + about[0], y + about[1]) for x, y in far.rings[0]])


def square(at, wide):
    """The corners of a square."""
    (x, y), w = at, wide
    return [(x - w, y - w), (x + w, y - w), (x + w, y + w), (x - w, y + w)]


def corners(at, wide, many):
    """The corners of a regular polygon."""
    turns = [math.tau * k / many for k in range(many)]
    return [(at[0] + wide * math.cos(a), at[1] + wide * math.sin(a)) for a in turns]


def apart(terrain):
    """Terrain without what was put last, where that is or meets a level and overlaps something solid."""
    *rest, (_, last) = terrain.items() or [("", None)]
    levels = {"platform", "gap"}
    for _, piece in rest:
        solid = not (piece.tags == {"difficult"} or last.tags == {"difficult"})
        if solid and (piece.tags | last.tags) & levels and shapes_meet(piece, last):
            return dict(rest)
    return terrain


def shapes_meet(one, other):
    """Whether the inside of two pieces overlaps."""
    return one.shape.to_shapely().intersection(other.shape.to_shapely()).area > 1e-9


def readings(make, seed, small=False):
    """A table of another kind under one to four readings that are not the default."""
    dice = random.Random(f"readings {seed}")
    table, question = make(seed, small)
    for name in dice.sample(sorted(RULINGS), dice.randint(1, 4)):
        table = replace(table, rulings=table.rulings.having(name, dice.choice(RULINGS[name].readings[1:])))
    return table, question
