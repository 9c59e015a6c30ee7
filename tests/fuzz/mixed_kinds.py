"""Kinds of seeded tables that mix the others: riders, yards, storeys, ditches, other rulings."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import sbg_sim as sbg
from sbg_sim.table.frozen import FrozenMap
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


def ditches(seed, small=False):
    """Gaps split by strips and about islands as wide as a base or less, beside walls, tops and difficult ground."""
    stage = Stage(seed, small)
    dice, middle, r = stage.dice, stage.size / 2, stage.me.radius
    tall, turn = dice.choice([1.0, 1.5, 2.0]), dice.uniform(0, math.tau)
    move = dice.choice([3.0, 4.0, 5.0]) if small else dice.choice([6.0, 8.0])
    stage.models["me"] = replace(stage.me, height=tall, move=move)

    def strip():
        return dice.choice([1e-3, 0.1, 0.3, r, 2 * r - 1e-4, 2 * r, 2 * r + 1e-4, 2 * r + 0.3])

    def put(tags, rings, **more):
        outer, *holes = ([place(middle + x, middle + y) for x, y in ring] for ring in rings)
        stage.put(tags, sbg.polygon(outer, holes), **more)
        stage.terrain = apart(stage.terrain)

    def place(x, y):
        x, y = x - middle, y - middle
        return (middle + x * math.cos(turn) - y * math.sin(turn), middle + x * math.sin(turn) + y * math.cos(turn))

    at = r + dice.choice([0.0, 1e-4, 0.2, 0.6])  # the near rim; what follows lies behind it
    for _ in range(1 if small else 2):
        low, high = (dice.choice([dice.uniform(0.6, 2.5), 4.0]) for _ in range(2))
        low, sheer = -low, dice.choice([{"gap"}, {"gap", "unscalable"}])
        deep = {"depth": dice.choice([0.3, 1.0, 2.5])} if dice.random() < 0.9 else {}
        widths = [dice.choice([0.2, 0.5, 1.0, 1.5]) for _ in range(dice.choice([2, 2, 3]))]
        parts = [at]
        for wide in widths:
            parts += [parts[-1] + wide, parts[-1] + wide + strip()]
        parts, kind = parts[:-1], dice.randrange(4)
        if dice.random() < 0.2:  # just as wide as can be leapt, or not
            parts[-1] = max(at + 2 * tall + dice.choice([0.0, 1e-4, -1e-4]), parts[-2] + 0.05)
        if kind == 0:  # one beside the other
            for first, last in zip(parts[::2], parts[1::2], strict=True):
                more = dice.choice([0.0, 0.0, 0.4])
                put(sheer, [corner_to_corner(first, low - more, last, high)], **deep)
        elif kind == 1:  # joined at one end or at both
            ends = [dice.choice([-0.3, 0.3, 0.0]) for _ in parts[1:-1:2]]
            put(sheer, [comb(parts, low, high, ends)], **deep)
        elif kind == 2:  # about islands
            wide = strip()
            y = dice.uniform(low + 0.1, high - 0.1)
            isle = corner_to_corner(parts[1], y, parts[2], min(y + wide, high - 0.05))
            put(sheer, [corner_to_corner(at, low, parts[-1], high), isle], **deep)
        else:  # with a notch
            a, b, c = parts[0], parts[1], parts[-1]
            y = dice.uniform(low + 0.1, high - 0.1)
            z = min(y + strip(), high - 0.05)
            put(sheer, [[(a, low), (c, low), (c, high), (a, high), (a, z), (b, z), (b, y), (a, y)]], **deep)
        sunk = next((p for p in stage.terrain.values() if "gap" in p.tags and p.depth), None)
        beside(dice, put, sunk, (parts, low, high), strip)
        at = parts[-1] + 2 * r + dice.uniform(0.1, 0.6)
    for _ in range(stage.some(0, 2)):
        stage.stand(stage.near(move), dice.choice(["evil", "good"]), prone=dice.random() < 0.2)
    far = place(middle + at + dice.uniform(-0.5, 0.5), middle + dice.uniform(-1.5, 1.5))
    asked = charge(stage, dice.random() < 0.3)
    if asked is None and not stage.inside(far, r) and dice.random() < 0.8:
        asked = sbg.Move("me", far)
    table, question = stage.done(asked)
    for name in ("leap_width", "leap_needs", "stand_on", "jump_landing"):
        if dice.random() < 0.1:
            table = replace(table, rulings=table.rulings.having(name, RULINGS[name].readings[1]))
    return aloft(table, question, dice.choice([0.5, 2.0, 3.0])) if dice.random() < 0.2 else (table, question)


def beside(dice, put, gap, about, strip):
    """Put a thing or two beside a gap, over its rim, or in it."""
    parts, low, high = about
    for _ in range(dice.randint(0, 2)):
        kind, off = dice.randrange(5), dice.choice([0.0, 1e-4, 0.2, strip()])
        x = dice.choice(parts)
        y = dice.uniform(low, high)
        if kind == 0:
            wall = corner_to_corner(parts[-1] + off, y, parts[-1] + off + 0.2, y + 1.5)
            put(dice.choice([{"obstacle"}, {"unscalable"}]), [wall], height=dice.choice(HEIGHTS))
        elif kind == 1:
            wall = corner_to_corner(parts[0], high + off, parts[-1], high + off + 0.3)
            put({"obstacle"}, [wall], height=dice.choice(HEIGHTS))
        elif kind == 2:
            put({"difficult"}, [corner_to_corner(x - 0.5, y - 1.0, x + dice.choice([0.0, 0.5]), y + 0.8)])
        elif kind == 3:
            top = corner_to_corner(parts[-1] + off, low, parts[-1] + off + 1.6, high)
            put({"platform"}, [top], height=dice.choice(HEIGHTS))
        elif gap is not None and off < parts[1] - parts[0] - 0.05:  # a stone in the gap, as high as its brim or not
            stone = corner_to_corner(parts[0] + off, y, min(parts[0] + off + 1.2, parts[1]), y + 1.2)
            put({"platform"}, [stone], on=gap.id, height=gap.depth + dice.choice([0.0, 0.0, -0.2, 0.2]))


def aloft(table, question, height):
    """All of a table on top of one platform."""
    low, high = table.width / 2 - 9.0, table.width / 2 + 9.0
    deck = sbg.Terrain("deck", frozenset({"platform"}), box(low, low, high, high), height=height)
    models = {n: replace(m, on="deck") for n, m in table.models.items()}
    terrain = {n: replace(p, on=p.on or "deck") for n, p in table.terrain.items()}
    maps = {"models": FrozenMap(models), "terrain": FrozenMap({"deck": deck, **terrain})}
    asked = replace(question, on="deck") if isinstance(question, sbg.Move) else question
    return replace(table, **maps), asked


def comb(parts, low, high, ends):
    """A gap between the first and last place of a list, with strips of ground in it that reach in from an end."""
    lower, upper = [(parts[0], low)], []
    for first, last, end in zip(parts[1:-1:2], parts[2:-1:2], ends, strict=True):
        if end < 0:
            lower += [(first, low), (first, high + end), (last, high + end), (last, low)]
        elif end > 0:
            upper += [(first, high), (first, low + end), (last, low + end), (last, high)]
    return [*lower, (parts[-1], low), (parts[-1], high), *upper[::-1], (parts[0], high)]


def corner_to_corner(x0, y0, x1, y1):
    """The corners of a rectangle."""
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


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
    """Terrain without what was put last, where that is or meets a level and overlaps something it does not stand on."""
    *rest, (_, last) = terrain.items() or [("", None)]
    levels = {"platform", "gap"}
    for _, piece in rest:
        solid = not (piece.tags == {"difficult"} or last.tags == {"difficult"})
        if solid and last.on != piece.id and (piece.tags | last.tags) & levels and shapes_meet(piece, last):
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
