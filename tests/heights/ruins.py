"""Small ruins nobody chose: stairs, storeys, pits, ditches, bridges, ladders and walls, on a grid of quarter inches.

Bases are an inch across and models 1.5 in high; everything lies in a square of 10 in amid a table so wide that
its edges matter to nobody.
"""

import math
import random
from dataclasses import replace

import shapely

from sbg_sim.geometry.shapes import circle
from sbg_sim.table.faults import table_faults
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.questions import Charge, Move
from tests.heights.stage import box, mover, other, piece, table

SIZE = 42.0
LOW, HIGH = 16.0, 26.0
KINDS = ("block", "stairs", "pit", "storey", "bridge", "wall", "ladder", "bog", "deck")
HEIGHTS = (0.25, 0.5, 0.74, 0.75, 1.0, 1.5, 1.51, 2.0, 3.0)


def ruin(seed, *, kinds=KINDS, enemies=2):
    """A table with a mover and a few questions about it; the same ones for a seed."""
    dice = random.Random(f"ruin {seed}")
    while True:
        made = _drawn(dice, kinds, enemies)
        if made is not None:
            return made


def _drawn(dice, kinds, enemies):
    pieces = built(dice, kinds)
    if not pieces:
        return None
    rulings = {"stand_on": "centre"} if dice.random() < 0.15 else {}
    bare = table(*pieces.values(), size=SIZE, **rulings)
    if table_faults(bare):
        return None
    levels = [None, *(p.id for p in pieces.values() if {"platform"} & p.tags or p.depth is not None)]
    things, at = [], bare
    for k in range(1 + dice.randint(0, enemies)):
        for _ in range(30):
            spot, on = (quarter(dice, LOW, HIGH), quarter(dice, LOW, HIGH)), dice.choice(levels)
            prone = dice.random() < (0.2 if k else 0.1)
            new = other(f"e{k}", *spot, on=on, prone=prone)
            if k == 0:
                new = mover(*spot, on=on, prone=prone, move=float(dice.randint(4, 8)))
            tried = table(*pieces.values(), *things, new, size=SIZE, **rulings)
            if not table_faults(tried):
                things.append(new)
                at = tried
                break
        else:
            return None
    me = at.model("m")
    asked = [Charge("m", t.id) for t in things[1:]]
    for _ in range(80):
        x, y = (quarter(dice, max(LOW - 1, c - me.move), min(HIGH + 1, c + me.move)) for c in me.at)
        on = dice.choice([level for level in levels if level != me.on or dice.random() < 0.3] or levels)
        gone = replace(at, models=FrozenMap({**at.models, "m": replace(me, at=(x, y), on=on)}))
        if math.dist((x, y), me.at) <= me.move and not table_faults(gone):
            asked.append(Move("m", (x, y), on))
        if len(asked) == len(things) + 3:
            return at, asked
    return None


def built(dice, kinds=KINDS):
    """Two to four things, each built of pieces: ``{id: piece}``."""
    pieces = {}
    for i in range(dice.randint(2, 4)):
        for new in _BUILT[dice.choice(kinds)](dice, f"{'abcd'[i]}", pieces):
            pieces[new.id] = new
    return pieces


def quarter(dice, low, high):
    """A random multiple of a quarter of an inch."""
    return dice.randint(round(4 * low), round(4 * high)) / 4


def _room(dice, pieces, wide, deep):
    """A free box of a size on the ground, often flush with one that stands there; None when none was found."""
    for _ in range(20):
        x, y = quarter(dice, LOW, HIGH - wide), quarter(dice, LOW, HIGH - deep)
        if pieces and dice.random() < 0.6:
            a = dice.choice(list(pieces.values()))
            if a.shape is not None:
                left, _, right, _ = a.shape.bounds
                x = dice.choice([left - wide, right, left, right - wide])
        if _free(box(x, y, x + wide, y + deep), None, pieces):
            return x, y, x + wide, y + deep
    return None


def _free(shape, on, pieces):
    """Whether a shape overlaps nothing else that stands on a level or is cut into it."""
    there = [p.shape.to_shapely() for p in pieces.values() if p.on == on and p.shape is not None]
    return all(shapely.intersection(shape.to_shapely(), body).area < 1e-9 for body in there)


def _sizes(dice, low=1.5, high=5.0):
    return quarter(dice, low, high), quarter(dice, low, high)


def _tags(dice, first):
    return first + (" difficult" if dice.random() < 0.2 else "") + (" unscalable" if dice.random() < 0.15 else "")


def _block(dice, name, pieces):
    room = _room(dice, pieces, *_sizes(dice))
    return [piece(name, _tags(dice, "platform"), box(*room), height=dice.choice(HEIGHTS))] if room else []


def _stairs(dice, name, pieces):
    steps, deep, wide = dice.randint(2, 3), dice.choice([0.75, 1.0, 1.5]), quarter(dice, 1.5, 4)
    room = _room(dice, pieces, steps * deep, wide)
    if room is None:
        return []
    x, y0, _, y1 = room
    heights = [0.5 * (k + 1) for k in range(steps)][:: dice.choice([1, -1])]
    treads = [box(x + k * deep, y0, x + (k + 1) * deep, y1) for k in range(steps)]
    return [piece(f"{name}{k}", "platform", treads[k], height=heights[k]) for k in range(steps)]


def _pit(dice, name, pieces):
    deep = dice.choice([0.5, 1.0, 1.5, 2.0, 3.0])
    room = _room(dice, pieces, *_sizes(dice, 1.0, 4.0))
    rough = " difficult" if dice.random() < 0.2 else ""
    return [piece(name, "gap" + rough, box(*room), depth=deep)] if room else []


def _deck(dice, name, pieces):
    """A platform with a pit in it."""
    room = _room(dice, pieces, *_sizes(dice, 4.0, 6.0))
    if room is None:
        return []
    high = dice.choice([1.0, 1.5, 2.0, 3.0])
    x, y = quarter(dice, room[0], room[2] - 1.5), quarter(dice, room[1], room[3] - 1.5)
    x1, y1 = quarter(dice, x + 1.5, room[2]), quarter(dice, y + 1.5, room[3])
    deep = dice.choice([0.5, 1.0, high])
    pit = piece(f"{name}pit", "gap", box(x, y, x1, y1), depth=deep, on=name)
    return [piece(name, "platform", box(*room), height=high), pit]


def _ditch(dice, name, pieces):
    """A pit with a step or a deeper pit in it, often at its side, and at times a block at its brim."""
    room = _room(dice, pieces, *_sizes(dice, 3.0, 6.0))
    if room is None:
        return []
    x0, y0, x1, y1 = room
    wide, long = quarter(dice, 1.0, x1 - x0 - 1), quarter(dice, 1.0, y1 - y0)
    x, y = dice.choice([x0, x0, x1 - wide, quarter(dice, x0, x1 - wide)]), quarter(dice, y0, y1 - long)
    deep, shape = dice.choice([1.0, 1.5, 2.0]), box(x, y, x + wide, y + long)
    made = [piece(name, "gap", box(*room), depth=deep)]
    if dice.random() < 0.7:
        made.append(piece(f"{name}step", "platform", shape, height=dice.choice([0.25, 0.5, 0.75, 1.0]), on=name))
    else:
        made.append(piece(f"{name}hole", "gap", shape, depth=dice.choice([0.5, 1.0]), on=name))
    brim = box(x1, y0, x1 + 2, y1)
    if dice.random() < 0.5 and _free(brim, None, pieces):
        made.append(piece(f"{name}brim", "platform", brim, height=dice.choice([0.25, 0.5, 1.0])))
    return made


def _storey(dice, name, pieces):
    """A platform on another, within it or flush with its sides."""
    below = [p for p in pieces.values() if "platform" in p.tags and p.id.isalpha() and len(p.id) == 1]
    if not below:
        return _block(dice, name, pieces)
    base = dice.choice(below)
    x0, y0, x1, y1 = base.shape.bounds
    if min(x1 - x0, y1 - y0) < 2:
        return []
    a, b = quarter(dice, x0, x1 - 1.5), quarter(dice, y0, y1 - 1.5)
    shape = box(a, b, quarter(dice, a + 1.5, x1), quarter(dice, b + 1.5, y1))
    if not _free(shape, base.id, pieces):
        return []
    return [piece(name, _tags(dice, "platform"), shape, height=dice.choice(HEIGHTS), on=base.id)]


def _bridge(dice, name, pieces):
    """A platform as high as another and touching it."""
    to = [p for p in pieces.values() if "platform" in p.tags and p.on is None]
    if not to:
        return _block(dice, name, pieces)
    end = dice.choice(to)
    x0, y0, x1, y1 = end.shape.bounds
    long, wide = quarter(dice, 2, 5), quarter(dice, 1, 2)
    if wide > y1 - y0:
        return []
    y = quarter(dice, y0, y1 - wide)
    a, b = (x1, x1 + long) if dice.random() < 0.5 else (x0 - long, x0)
    shape = box(a, y, b, y + wide)
    if not _free(shape, None, pieces):
        return []
    return [piece(name, "platform", shape, height=end.height)]


def _wall(dice, name, pieces):
    long = quarter(dice, 1, 4)
    room = _room(dice, pieces, *dice.choice([(0.5, long), (long, 0.5)]))
    return [piece(name, "obstacle", box(*room), height=dice.choice(HEIGHTS))] if room else []


def _bog(dice, name, pieces):
    room = _room(dice, pieces, *_sizes(dice))
    return [piece(name, "difficult", box(*room))] if room else []


def _ladder(dice, name, pieces):
    to = [p for p in pieces.values() if "platform" in p.tags and p.height >= 1.0]
    if not to:
        return _block(dice, name, pieces)
    top = dice.choice(to)
    x0, y0, x1, _ = top.shape.bounds
    return [piece(f"{name}lad", "ladder", at=(quarter(dice, x0, x1), y0), to=top.id, on=top.on)]


_BUILT = {
    "block": _block,
    "stairs": _stairs,
    "pit": _pit,
    "deck": _deck,
    "ditch": _ditch,
    "storey": _storey,
    "bridge": _bridge,
    "wall": _wall,
    "bog": _bog,
    "ladder": _ladder,
}


def placed(at, asked, turn, shift, *, mirror=False):
    """The same table mirrored in the x axis (when asked), turned about the origin (radians), then shifted."""

    def there(p):
        """Return where a place comes to lie."""
        return circle(p, 1.0).moved(turn, shift, mirror=mirror).spine[0]

    models = {k: replace(m, at=there(m.at)) for k, m in at.models.items()}
    terrain = {
        k: replace(p, shape=p.shape and p.shape.moved(turn, shift, mirror=mirror), at=p.at and there(p.at))
        for k, p in at.terrain.items()
    }
    questions = [replace(q, to=there(q.to)) if isinstance(q, Move) else q for q in asked]
    return replace(at, models=FrozenMap(models), terrain=FrozenMap(terrain)), questions
