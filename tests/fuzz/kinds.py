"""Seeded tables of every kind, each with a question: ``make(kind, seed)`` gives the same ones every time.

A full table fills what the mover can reach and more. A small one holds a few things close around a mover with a short
Move: most mistakes show on a table that small, and a hundred of them are asked in the time of ten full ones.
"""

from __future__ import annotations

import math
import random
from dataclasses import replace

import sbg_sim as sbg
from sbg_sim.table.frozen import FrozenMap
from tests.fuzz import contacts as touching
from tests.fuzz import mixed_kinds
from tests.fuzz.high_walls import ramparts
from tests.fuzz.lattices import lattices
from tests.fuzz.mixed_kinds import ditches, riders, storeys, yards
from tests.fuzz.more_kinds import bends, fights, gates, giants, ledges, rows, towers
from tests.fuzz.scatter import Recipe, scatter
from tests.fuzz.squeezes import squeezes
from tests.fuzz.stage import BASES, Stage, box
from tests.heights.ruins import ruin


def melee(seed, small=False):
    """Bases of both sides, close together."""
    stage = Stage(seed, small)
    for _ in range(stage.some(4, 14)):
        stage.stand(stage.near(6), stage.dice.choice(["good", "evil"]), prone=stage.dice.random() < 0.15)
    foes = [m.id for m in stage.models.values() if m.side == "evil"]
    ask = sbg.Charge("me", stage.dice.choice(foes)) if foes and seed % 3 == 0 else None
    return stage.done(ask)


def ranks(seed, small=False):
    """Two ranks of enemies, some with gaps that just do and just do not let a base through."""
    stage = Stage(seed, small)
    base, y = stage.dice.choice(BASES), stage.size / 2 + stage.dice.uniform(2.1, 3)
    for rank in range(2):
        x = stage.size / 2 - stage.dice.uniform(3, 6)
        while x < stage.size / 2 + 5:
            stage.stand((x, y + rank * (base + stage.dice.choice([0.0, 1e-6, 0.3]))), "evil", base)
            just = 2 + stage.me.base if stage.dice.random() < 0.3 else 0.0
            x += base + stage.dice.choice([0.0, 1e-7, 0.01, 0.5, just, just + 1e-6, abs(just - 1e-5)])
    return stage.done()


def forest(seed, small=False):
    """Trunks, and friends among them."""
    stage = Stage(seed, small)
    for _ in range(stage.some(6, 20)):
        stage.put({"unscalable"}, sbg.circle(stage.near(7), stage.dice.uniform(0.1, 0.9)))
    for _ in range(3):
        stage.stand(stage.near(6), "good")
    return stage.done()


def chain(seed, small=False):
    """Bases and rocks that touch in chains, to rounding and a hair off."""
    stage = Stage(seed, small)
    at, turn = stage.near(3.5), stage.dice.uniform(0, math.tau)
    r0 = 0.0
    for _ in range(stage.some(4, 10)):
        r = stage.dice.choice(BASES) / 2
        step = r0 + r + stage.dice.choice([0.0, 0.0, 1e-12, 1e-9, 1e-7, 1e-3, 2 * stage.me.radius])
        at = (at[0] + step * math.cos(turn), at[1] + step * math.sin(turn)) if r0 else at
        if stage.dice.random() < 0.5:
            stage.stand(at, "good", 2 * r)
        else:
            stage.put({"unscalable"}, sbg.circle(at, r))
        turn, r0 = turn + stage.dice.uniform(-1.2, 1.2), r
    return stage.done()


def corridor(seed, small=False):
    """Walls that leave corridors of one base's width, and a hair more or less."""
    stage = Stage(seed, small)
    wide, x = stage.me.base + stage.dice.choice([0.0, 1e-9, 1e-6, -1e-5, 0.01]), stage.size / 2 + 1.0
    for _ in range(stage.some(1, 2)):
        thick, y = stage.dice.uniform(0.2, 1.5), stage.size / 2 + stage.dice.uniform(-2, 2)
        stage.put({"unscalable"}, box(x, 1, x + thick, y - wide / 2))
        stage.put({"unscalable"}, box(x, y + wide / 2, x + thick, 19))
        x += thick + stage.dice.choice([wide, 1.2, 2.0])
    return stage.done()


def sliver(seed, small=False):
    """Triangles a thousandth of an inch thick, thin lines, near one another."""
    stage = Stage(seed, small)
    for _ in range(stage.some(3, 7)):
        a, turn = stage.near(5), stage.dice.uniform(0, math.tau)
        far, thin = stage.dice.uniform(0.5, 3), stage.dice.choice([1e-3, 1e-2, 0.05])
        b = (a[0] + far * math.cos(turn), a[1] + far * math.sin(turn))
        c = (b[0] - thin * math.sin(turn), b[1] + thin * math.cos(turn))
        shape = sbg.polygon([a, b, c]) if stage.dice.random() < 0.6 else sbg.line([a, b], thin)
        stage.put(stage.dice.choice([{"unscalable"}, {"difficult"}]), shape)
    return stage.done()


def shared(seed, small=False):
    """Boxes on a lattice: collinear edges, shared edges, shared corners, difficult beside solid."""
    stage = Stage(seed, small)
    lattice = range(6, 14, 2) if small else range(4, 16, 2)
    cells = [(i, j) for i in lattice for j in lattice if (i, j) not in {(8, 8), (10, 10), (8, 10), (10, 8)}]
    for i, j in stage.dice.sample(cells, stage.some(3, 9)):
        tags = stage.dice.choice([{"unscalable"}, {"unscalable"}, {"difficult"}])
        stage.put(tags, box(i, j, i + stage.dice.choice([2, 2, 1.5]), j + 2))
    return stage.done()


def platforms(seed, small=False):
    """Platforms, stairs of platforms, ladders, gaps, walls to jump."""
    stage = Stage(seed, small, stage_move(seed))
    dice = stage.dice
    for _ in range(stage.some(2, 4)):
        x, y = stage.near(4.5)
        wide, deep = (dice.uniform(0.5, 1.0) if small else dice.uniform(0.8, 1.8) for _ in range(2))
        tags = dice.choice([{"platform"}, {"platform"}, {"obstacle"}, {"gap"}])
        size = {"depth": 1.0} if tags == {"gap"} else {"height": dice.choice([0.5, 0.99, 1.0, 1.5, 2.0, 2.01, 3.0])}
        shape = box(x - wide, y - deep, x + wide, y + deep)
        if all(float(p.shape.distance([[x, y]])[0]) > wide + deep for p in stage.terrain.values()):
            stage.put(tags, shape, **size)
    tops = [p for p in stage.terrain.values() if "platform" in p.tags]
    if tops and dice.random() < 0.7:
        x0, y0, x1, y1 = tops[0].shape.bounds
        return stage.done(
            sbg.Move("me", (dice.uniform(x0 + 0.5, x1 - 0.5), dice.uniform(y0 + 0.5, y1 - 0.5)), tops[0].id)
        )
    return stage.done()


def hedges(seed, small=False):
    """Hedges that are jumped, low walls that are stepped over, and enemies behind them."""
    stage = Stage(seed, small, stage_move(seed))
    for _ in range(stage.some(1, 4)):
        a, turn, far = stage.near(4), stage.dice.uniform(0, math.tau), stage.dice.uniform(1, 4)
        b = (a[0] + far * math.cos(turn), a[1] + far * math.sin(turn))
        height = stage.dice.choice([0.5, 0.999, 1.0, 1.5, 2.0])
        stage.put({"obstacle"}, sbg.line([a, b], stage.dice.uniform(0.1, 0.5)), height=height)
    for _ in range(stage.some(0, 3)):
        stage.stand(stage.near(6), "evil")
    return stage.done()


def mounds(seed, small=False):
    """Ragged mounds and bogs of many corners, to go round, through and over, and an enemy behind them."""
    stage = Stage(seed, small, stage_move(seed))
    corners, ragged = stage.dice.choice([12, 24, 50]), stage.dice.choice([0.0, 0.02, 0.1])
    for _ in range(stage.some(2, 4)):
        at, radius = stage.near(stage.me.move * 0.7), stage.dice.uniform(0.5, 1.6)
        shore = [
            (at[0] + r * math.cos(math.tau * k / corners), at[1] + r * math.sin(math.tau * k / corners))
            for k, r in enumerate(radius * stage.dice.uniform(1 - ragged, 1) for _ in range(corners))
        ]
        tags = stage.dice.choice([{"difficult"}, {"difficult"}, {"obstacle"}, {"obstacle", "difficult"}])
        stage.put(tags, sbg.polygon(shore), **({"height": stage.dice.choice([0.5, 1.0])} if "obstacle" in tags else {}))
    stage.stand(stage.near(1.2 * stage.me.move), "evil")
    foes = [m.id for m in stage.models.values() if m.side == "evil"]
    return stage.done(sbg.Charge("me", foes[0]) if foes and seed % 2 else None)


def stairs(seed, small=False):
    """Ruins: flights of steps, storeys, pits, bridges, ladders, and enemies on any level."""
    table, asked = ruin(f"small {seed}" if small else seed, enemies=1 if small else 2)
    return table, asked[seed % len(asked)]


def tiny(seed, small=False):
    """A melee whose lengths are all a thousandth of what they should be; zones stay an inch, so all are friends."""
    stage = Stage(seed, small)
    for _ in range(stage.some(3, 9)):
        stage.stand(stage.near(6), "good")
    for _ in range(stage.some(0, 4)):
        stage.put({"unscalable"}, sbg.circle(stage.near(6), stage.dice.uniform(0.2, 0.9)))
    return scaled(*stage.done(), 1e-3)


def far(seed, small=False):
    """Chains and forests shifted far from the origin of a very large table."""
    table, question = (chain if seed % 2 else forest)(seed, small)
    return shifted(table, question, 40_000.0 + (seed % 7) * 1234.567)


def edges(seed, small=False):
    """A table whose edges the base touches, or has a hair or a little more to."""
    table, question = (melee, forest, hedges, chain, rows)[seed % 5](seed, small)
    dice, me = random.Random(f"edges {seed}"), table.model("me")
    gap = [me.radius + dice.choice([0.0, 1e-4, 0.4, 2.0, 4.0]) for _ in "xy"]

    def place(p):
        return (p[0] - me.at[0] + gap[0], p[1] - me.at[1] + gap[1])

    table, question = rebuilt(table, question, place, size=10.0)
    on = {n: m for n, m in table.models.items() if all(m.radius <= v <= 10.0 - m.radius for v in m.at)}
    if isinstance(question, sbg.Move):
        to = tuple(min(max(v, me.radius), 10.0 - me.radius) for v in question.to)
        return replace(table, models=FrozenMap(on)), replace(question, to=to)
    foes = [n for n, m in on.items() if m.side == "evil"]
    asked = sbg.Charge("me", foes[0]) if foes else sbg.Move("me", (gap[0] + 3.0, gap[1] + 1.0))
    return replace(table, models=FrozenMap(on)), asked


def stage_move(seed):
    """Moves of several lengths."""
    return (4.0, 6.0, 8.0)[seed % 3]


def rebuilt(table, question, place, scale=1.0, size=None):
    """The table with every place moved and every length scaled."""
    models = {
        n: replace(m, at=place(m.at), base=m.base * scale, height=m.height * scale, move=m.move * scale)
        for n, m in table.models.items()
    }
    terrain = {}
    for name, piece in table.terrain.items():
        s = shape = piece.shape
        if s is not None:
            rings = tuple(tuple(place(p) for p in ring) for ring in s.rings)
            shape = sbg.Shape(s.kind, rings, tuple(place(p) for p in s.spine), s.radius * scale)
        sizes = {key: v * scale for key in ("height", "depth") if (v := getattr(piece, key)) is not None}
        terrain[name] = replace(piece, shape=shape, at=piece.at and place(piece.at), **sizes)
    size = size or table.width * scale
    asked = replace(question, to=place(question.to)) if isinstance(question, sbg.Move) else question
    maps = {"models": FrozenMap(models), "terrain": FrozenMap(terrain)}
    return replace(table, width=size, depth=size, **maps), asked


def scaled(table, question, by):
    """Everything smaller or larger."""
    return rebuilt(table, question, lambda p: (p[0] * by, p[1] * by), by)


def shifted(table, question, by):
    """Everything far away, on a table that reaches there."""
    return rebuilt(table, question, lambda p: (p[0] + by, p[1] + by), size=by + 2 * table.width)


def mires(seed, small=False):
    """Difficult ground of all shapes, much of it within zones, and bases in it."""
    dice = random.Random(f"mires {seed} {small}")
    many, size, move = (dice.randint(3, 6), 9.0, dice.choice([2.0, 3.0, 4.0])) if small else (12, 16.0, 6.0)
    recipe = Recipe(many, many, size, move, varied=False, largest=1.6, difficult=0.8, enemies=dice.choice([0.0, 0.6]))
    table, question = scatter(seed, recipe), None
    middle, r = size / 2, table.model("me").radius
    while question is None:
        turn, far = dice.uniform(0, math.tau), 1.2 * move * math.sqrt(dice.random())
        to = (middle + far * math.cos(turn), middle + far * math.sin(turn))
        solid = any(p.is_obstacle and float(p.shape.depth([to])[0]) < r for p in table.terrain.values())
        question = sbg.Move("me", to) if not solid and all(r <= v <= size - r for v in to) else None
    return table, question


def afar(seed, small=False):
    """Difficult ground, hedges and stairs a thousand inches from the origin and more."""
    table, question = (mires, mounds, sliver, hedges, stairs)[seed % 5](seed, small)
    return shifted(table, question, 1000.0 + (seed % 7) * 123.4567)


def readings(seed, small=False):
    """Tables of other kinds under readings of rules that are not the default."""
    kinds = (melee, hedges, stairs, ledges, bends, fights, rows, riders, storeys, platforms, yards)
    return mixed_kinds.readings(kinds[seed % len(kinds)], seed, small)


def contacts(seed, small=False):
    """Bases and round rocks, and a move between places where two of them are touched, typed to six decimals."""
    return touching.contacts(*(melee if seed % 2 else forest)(3 * seed + 1, small), seed)


OLD = (melee, ranks, forest, chain, corridor, sliver, shared, platforms, stairs, hedges, mounds, tiny, far)
NEWER = (rows, gates, ledges, giants, fights, edges, towers, bends, mires, riders, yards, storeys, afar, readings)
NEWEST = (ditches, ramparts, squeezes, contacts, lattices)
KINDS = {kind.__name__: kind for kind in (*OLD, *NEWER, *NEWEST)}


def make(kind, seed, small=False):
    """The table and the question of a kind and a seed."""
    return KINDS[kind](seed, small)
