"""Further kinds of seeded tables: what a table looks like that is made to be hard, and half way through a phase."""

from __future__ import annotations

import math
from dataclasses import replace

import shapely

import sbg_sim as sbg
from tests.fuzz.stage import BASES, MM, Stage, box

HAIRS = (0.0, 0.0, 1e-4, -1e-4)  # inches by which gaps are wider than what is to pass
LARGE = (60 * MM, 80 * MM, 100 * MM)


def rows(seed, small=False):
    """Thin walls one behind the other, low and high, gaps between them a base wide or a hair off."""
    stage = Stage(seed, small, (4.0, 6.0, 8.0)[seed % 3])
    dice, c, base = stage.dice, stage.size / 2, stage.me.base
    turn, y = dice.choice([0.0, dice.uniform(0, math.tau)]), c + base / 2 + dice.choice([0.0, 1e-4, 0.3])
    for _ in range(stage.some(2, 4)):
        thin, left, wide = dice.choice([0.02, 0.1, 0.25]), dice.uniform(-2, 0.5), dice.uniform(1.5, 4)
        tags = dice.choice([{"obstacle"}, {"obstacle"}, {"unscalable"}, {"obstacle", "difficult"}])
        high = {} if "unscalable" in tags else {"height": dice.choice([0.5, 0.99, 1.0, 1.5, 2.0, 2.5])}
        stage.put(tags, turned(box(c + left, y, c + left + wide, y + thin), c, turn), **high)
        y += thin + base + dice.choice([*HAIRS, 0.3])
    return stage.done(charge(stage, stage.stand(stage.near(5), "evil") and seed % 2))


def gates(seed, small=False):
    """Gates of enemies or friends that just do and just do not let a base through, and walls that it touches."""
    stage = Stage(seed, small)
    dice, c, r = stage.dice, stage.size / 2, stage.me.radius
    for _ in range(stage.some(1, 3)):
        (x, y), turn = stage.near(3.5), dice.uniform(0, math.tau)
        side, one, other = dice.choice(["evil", "good"]), dice.choice(BASES), dice.choice(BASES)
        half = (one / 2 + stage.me.base + other / 2 + 2 * (side == "evil") + dice.choice(HAIRS)) / 2
        for sign, base in ((1, one), (-1, other)):
            stage.stand((x + sign * half * math.cos(turn), y + sign * half * math.sin(turn)), side, base)
    right, below = c + r + dice.choice([0.0, 1e-7, 1e-4]), c - r - dice.choice([0.0, 0.5])
    stage.put(dice.choice([{"unscalable"}, {"difficult"}]), box(right, c - 1, right + 0.5, c + dice.uniform(0, 2)))
    stage.put({"obstacle"}, box(c - 2, below - 0.3, c + 1, below), height=dice.choice([0.5, 1.0, 2.0, 3.0]))
    return stage.done(charge(stage, seed % 3 == 0))


def ledges(seed, small=False):
    """From a platform down at enemies beside it: over its edge, by a ladder, or round by a lower one."""
    stage = Stage(seed, small, (4.0, 6.0, 8.0)[seed % 3])
    dice, c, r, wide = stage.dice, stage.size / 2, stage.me.radius, stage.dice.uniform(0.7, 1.5)
    x0, y0, x1, y1 = c - wide, c - r - dice.choice([0.0, 0.3]), c + wide, c + wide
    high = dice.choice([0.5, 1.0, 1.99, 2.0, 2.5, 4.0])
    stage.terrain["t0"] = sbg.Terrain("t0", frozenset({"platform"}), box(x0, y0, x1, y1), height=high)
    stage.models["me"] = replace(stage.me, on="t0")
    if dice.random() < 0.5:
        foot = (dice.uniform(x0, x1), y0)
        stage.terrain["t1"] = sbg.Terrain("t1", frozenset({"ladder"}), at=foot, to="t0")
    for tags, shape, more in (
        ({"platform"}, box(x1, y0, x1 + dice.uniform(0.5, 1.5), y1), {"height": high / 2}),
        ({"difficult"}, box(x0 - 2, y0 - 1.5, x1, y0), {}),
    ):
        if dice.random() < 0.5:
            stage.terrain[f"t{len(stage.terrain) + 1}"] = sbg.Terrain(
                f"t{len(stage.terrain) + 1}", frozenset(tags), shape, **more
            )
    for _ in range(stage.some(1, 3)):
        stage.stand(stage.near(4), "evil", prone=dice.random() < 0.2)
    return stage.done(charge(stage, dice.random() < 0.8))


def towers(seed, small=False):
    """Round tops, discs and polygons of many corners: from their rims and their middle, down and up, by ladders too."""
    stage = Stage(seed, small, (4.0, 6.0, 8.0)[seed % 3])
    dice, c, r = stage.dice, stage.size / 2, stage.me.radius
    above, tops = dice.random() < 0.6, {}
    for n in range(stage.some(1, 3)):
        wide, turn, mine = dice.choice([r, dice.uniform(0.6, 1.6)]), dice.uniform(0, math.tau), above and not n
        off = (wide - r) * dice.choice([0.0, 1.0, dice.random()])  # the base in the middle, at the rim, or between
        at = (c + off * math.cos(turn), c + off * math.sin(turn)) if mine else stage.near(4)
        apart = [math.dist(at, p) - w - wide for p, w in tops.values()]
        if not mine and min([math.dist(at, stage.me.at) - r - wide, *apart]) < 0.2:
            continue
        name, corners = f"t{n}", dice.choice([0, 0, 16, 40])
        tops[name] = (at, wide)
        shape = round_of(at, wide, corners) if corners else sbg.circle(at, wide)
        high = dice.choice([0.5, 1.0, 1.99, 2.0, 2.5, 4.0])
        stage.terrain[name] = sbg.Terrain(name, frozenset({"platform"}), shape, height=high)
        if mine:
            stage.models["me"] = replace(stage.me, on=name)
        if dice.random() < 0.4:
            foot = (at[0] + wide, at[1])  # the middle of a side
            stage.terrain[f"l{n}"] = sbg.Terrain(f"l{n}", frozenset({"ladder"}), at=foot, to=name)
    if dice.random() < 0.4:
        stage.put({"difficult"}, sbg.circle(stage.near(3), dice.uniform(0.5, 1.5)))
    for _ in range(stage.some(0, 2)):
        stage.stand(stage.near(5), "evil")
    if tops and dice.random() < 0.4:
        top, ((x, y), wide) = dice.choice(sorted(tops.items()))
        turn, off = dice.uniform(0, math.tau), (wide - r) * dice.choice([1.0, dice.random()])
        return stage.done(sbg.Move("me", (x + off * math.cos(turn), y + off * math.sin(turn)), top))
    return stage.done(charge(stage, dice.random() < 0.5))


def round_of(about, wide, corners):
    """A regular polygon about a disc, the middle of a side to the east."""
    far, each = wide / math.cos(math.pi / corners), math.tau / corners
    turns = [each * (k + 0.5) for k in range(corners)]
    return sbg.polygon([(about[0] + far * math.cos(a), about[1] + far * math.sin(a)) for a in turns])


def bends(seed, small=False):
    """Thin hedges that turn, once or more and by any angle; some begin on, or cross, an arm of the one before."""
    stage = Stage(seed, small, (4.0, 6.0, 8.0)[seed % 3])
    dice, arm = stage.dice, ()
    for _ in range(stage.some(1, 3)):
        start, turn = stage.near(3.5), dice.uniform(0, math.tau)
        if arm and dice.random() < 0.5:
            start = along(*arm, dice.choice([0.0, 1.0, dice.random()]))  # an end, a corner, or between
            if dice.random() < 0.5:
                start = (start[0] - 0.6 * math.cos(turn), start[1] - 0.6 * math.sin(turn))
        bend, places = dice.choice([math.pi / 2, -math.pi / 2, dice.uniform(-3, 3)]), [start]
        for k in range(dice.randint(2, 4)):
            (x, y), far = places[-1], dice.choice([0.3, dice.uniform(0.2, 2.5)])
            places.append((x + far * math.cos(turn), y + far * math.sin(turn)))
            turn += bend * dice.choice([1, 1, (-1) ** k])  # round a corner, round a yard, or to and fro
        tags = dice.choice([{"obstacle"}, {"obstacle"}, {"obstacle"}, {"unscalable"}, {"obstacle", "difficult"}])
        high = {} if "unscalable" in tags else {"height": dice.choice([0.5, 0.99, 1.0, 1.5, 2.0, 2.5])}
        stage.put(tags, thin(places, dice.choice([0.02, 0.1, 0.25]), square=dice.random() < 0.5), **high)
        k = dice.randrange(len(places) - 1)
        arm = places[k : k + 2]
    if dice.random() < 0.3:
        stage.put({"difficult"}, sbg.circle(stage.near(3), dice.uniform(0.5, 1.5)))
    for _ in range(stage.some(0, 2)):
        stage.stand(stage.near(5), "evil")
    return stage.done(charge(stage, dice.random() < 0.4))


def along(a, b, share):
    """A place on the way from one place to another."""
    return (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]))


def thin(places, wide, *, square):
    """A line through places, its ends and corners round or, where it does not close on itself, square."""
    outline = shapely.LineString(places).buffer(wide / 2, cap_style="flat", join_style="mitre", mitre_limit=20)
    if square and outline.geom_type == "Polygon" and not outline.interiors:
        return sbg.polygon(outline.exterior.coords[:-1])
    return sbg.line(places, wide)


def giants(seed, small=False):
    """Bases of 60 to 100 mm with short and long Moves among all kinds of things, prone at times."""
    stage = Stage(seed, small)
    dice, state = stage.dice, {"prone": stage.dice.random() < 0.2, "height": stage.dice.choice([2.5, 4.0])}
    stage.models["me"] = replace(stage.me, base=dice.choice(LARGE), move=dice.choice([3.0, 5.0, 12.0]), **state)
    for _ in range(stage.some(2, 6)):
        kind, size = dice.randrange(4), dice.uniform(0.3, 1.2)
        if kind == 0:
            stage.stand(stage.near(8), dice.choice(["good", "evil"]), dice.choice([*BASES, *LARGE]))
        elif kind == 1:
            stage.put({"difficult"}, sbg.circle(stage.near(7), size))
        else:
            a, turn = stage.near(6), dice.uniform(0, math.tau)
            b = (a[0] + 3 * size * math.cos(turn), a[1] + 3 * size * math.sin(turn))
            tags = {"obstacle"} if kind == 2 else {"unscalable"}
            stage.put(tags, sbg.line([a, b], 0.2), height=dice.choice([0.5, 1.0, 2.0]))
    return stage.done(charge(stage, dice.random() < 0.5))


def fights(seed, small=False):
    """Enemies that lie, fight or have moved, in whose zone one may stand, to be charged one or two at once."""
    stage = Stage(seed, small)
    dice, stage.close = stage.dice, stage.dice.random() < 0.3
    stage.models["me"] = replace(stage.me, prone=dice.random() < 0.3, move=dice.choice([3.0, 6.0, 10.0, 12.0]))
    for _ in range(stage.some(2, 5)):
        at, base = stage.near(5), dice.choice(BASES)
        state = {"prone": dice.random() < 0.2, "moved": dice.random() < 0.3}
        if not stage.stand(at, dice.choice(["evil", "evil", "good"]), base, **state):
            continue
        first, turn = stage.models[f"m{len(stage.models) - 1}"], dice.uniform(0, math.tau)
        apart, side = base + dice.choice([0.0, 0.0, 0.4, 1e-4]), dice.choice(["evil", "good"])
        if not stage.stand((at[0] + apart * math.cos(turn), at[1] + apart * math.sin(turn)), side, base):
            continue
        second = stage.models[f"m{len(stage.models) - 1}"]
        if side != first.side and apart == base:
            stage.models[first.id] = replace(first, engaged=frozenset({second.id}))
            stage.models[second.id] = replace(second, engaged=frozenset({first.id}))
    if dice.random() < 0.5:
        stage.put({"difficult"}, sbg.circle(stage.near(4), dice.uniform(0.5, 1.5)))
    return stage.done(charge(stage, dice.random() < 0.8, several=dice.random() < 0.4))


def charge(stage, asked, *, several=False):
    """A charge at an enemy, or at it and the one nearest to it; None where there is none or it is not asked for."""
    foes = [m for m in stage.models.values() if m.side == "evil"]
    if not foes or not asked:
        return None
    first = stage.dice.choice(foes)
    beside = sorted(foes, key=lambda m: math.dist(m.at, first.at))[: 1 + several]
    return sbg.Charge("me", tuple(m.id for m in beside))


def turned(shape, about, turn):
    """A polygon turned about a place on the diagonal."""

    def place(p):
        x, y = p[0] - about, p[1] - about
        return (about + x * math.cos(turn) - y * math.sin(turn), about + x * math.sin(turn) + y * math.cos(turn))

    return sbg.polygon([place(p) for p in shape.rings[0]])
