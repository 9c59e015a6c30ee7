"""Tables as people write them: every number a half or a quarter of an inch, so that things touch and line up."""

from __future__ import annotations

from dataclasses import replace

import sbg_sim as sbg
from tests.fuzz.mixed_kinds import apart
from tests.fuzz.more_kinds import charge
from tests.fuzz.stage import MM, Stage, box

HEIGHTS = (0.5, 1.0, 1.5, 2.0, 3.0)
PLACES = 40  # places drawn for where the mover is to go, should others be taken


def lattices(seed, small=False):
    """Bases an inch or two wide, boxes, lines and discs of all kinds with their corners on a lattice."""
    stage = Stage(seed, small)
    dice, middle = stage.dice, stage.size / 2
    step, stage.close = dice.choice([0.5, 0.5, 0.25, 1.0]), dice.random() < 0.4
    base, tall = dice.choice([1.0, 1.0, 1.0, 2.0, 25 * MM, 40 * MM]), dice.choice([1.0, 1.5, 2.0])
    move = dice.choice([3.0, 4.0, 5.0]) if small else dice.choice([6.0, 8.0, 10.0])
    words = frozenset({"cavalry"}) if dice.random() < 0.15 else frozenset()
    at = (middle, middle)
    stage.models["me"] = replace(stage.me, at=at, base=base, height=tall, move=move, keywords=words)
    reach = move + 1.0

    def place():
        x, y = stage.near(reach)
        return round(x / step) * step, round(y / step) * step

    for _ in range(stage.some(3, 9)):
        put(stage, place(), step)
    for _ in range(stage.some(0, 6)):
        stage.stand(place(), dice.choice(["evil", "good"]), dice.choice([1.0, base, 2.0]), prone=dice.random() < 0.15)
    asked = charge(stage, dice.random() < 0.4)
    for _ in range(PLACES if asked is None else 0):
        to = place()
        if all(base / 2 <= v <= stage.size - base / 2 for v in to) and not stage.inside(to, base / 2) and to != at:
            asked = sbg.Move("me", to)
            break
    return stage.done(asked)


def put(stage, at, step):
    """Put a piece about a place of the lattice, of any kind and shape."""
    dice, (x, y) = stage.dice, at
    wide, deep = (step * dice.choice([1, 2, 3, 4]) for _ in range(2))
    turn = 1j ** dice.randrange(4)  # by quarters
    shapes = [box(x, y, x + wide, y + deep), box(x, y, x + wide, y + deep)]
    shapes.append(sbg.circle(at, dice.choice([0.5, 1.0, 1.5])))
    ends = [(x, y), (x + wide, y + dice.choice([0, deep]))]
    shapes.append(sbg.line(ends, dice.choice([0.25, 0.5])))
    shapes.append(sbg.line([*ends, (ends[1][0], ends[1][1] + deep)], dice.choice([0.25, 0.5])))
    corner = [(0, 0), (2 * wide, 0), (2 * wide, deep), (wide, deep), (wide, 2 * deep), (0, 2 * deep)]
    for corners in (corner, [(0, 0), (wide, 0), (0, deep)]):
        turned = [complex(*p) * turn for p in corners]
        shapes.append(sbg.polygon([(x + p.real, y + p.imag) for p in turned]))
    tags = dice.choice([{"obstacle"}, {"obstacle"}, {"unscalable"}, {"difficult"}, {"platform"}, {"gap"}])
    sizes = {"gap": {"depth": dice.choice(HEIGHTS)}, "unscalable": {}, "difficult": {}}
    stage.put(tags, dice.choice(shapes), **sizes.get(*tags, {"height": dice.choice(HEIGHTS)}))
    stage.terrain = apart(stage.terrain)
