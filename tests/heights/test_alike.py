"""The same table in other words gives the same answers: a platform cut in two, the whole table raised or lowered."""

import math
import random
from dataclasses import replace
from functools import cache

import pytest
import shapely
import shapely.ops

from sbg_sim.geometry.shapes import from_shapely
from sbg_sim.solver.answer import ask
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.questions import Charge, Move
from tests.heights.stage import POLISHED, box, disc, mover, other, piece, table

ASKED = (
    Move("m", (13.0, 13.0), "t"),
    Move("m", (8.5, 4.0), "ditch"),
    Move("m", (18.5, 11.0)),
    Charge("m", "up"),
    Charge("m", "down"),
)


def scene(seed):
    """A mover on the ground or up on a platform, one enemy up there and one beyond, a wall and a ditch about."""
    rng = random.Random(seed)
    height = rng.choice([0.5, 1.0, 2.0])
    up = rng.random() < 0.4
    start = {"move": 12.0, "prone": rng.random() < 0.2}
    things = [
        mover(10, 12, on="t", **start) if up else mover(6, 12, **start),
        other("up", 14.0, 9.5, on="t"),
        other("down", 19.0, 14.0, prone=rng.random() < 0.3),
        piece("t", "platform", box(8, 7, 16, 15), height=height),
        piece("wall", "obstacle", disc(17.2, 12.5, 0.25), height=1.0),
        piece("ditch", "gap", box(5, 3, 12, 5), depth=1.0),
    ]
    return table(*things, size=24.0)


def answers(at, asked=ASKED):
    return [ask(at, question, alternatives=False) for question in asked]


@cache
def plain(seed):
    return answers(scene(seed))


def alike(one, other):
    assert (one.answer, one.chance) == (other.answer, other.chance)
    assert one.needed == (None if other.needed is None else pytest.approx(other.needed, abs=2 * POLISHED))


def halves(at, seed):
    """The platform cut along a line through its inside; what stands on it stands on the half under its centre."""
    rng = random.Random(seed)
    x, y, angle = rng.uniform(10, 14), rng.uniform(8.5, 13.5), rng.uniform(0, math.pi)
    dx, dy = 40 * math.cos(angle), 40 * math.sin(angle)
    whole = at.piece("t")
    cut = shapely.LineString([(x - dx, y - dy), (x + dx, y + dy)])
    parts = shapely.get_parts(shapely.ops.split(whole.shape.to_shapely(), cut))
    assert len(parts) == 2
    pieces = {f"t{i}": replace(whole, id=f"t{i}", shape=from_shapely(part)) for i, part in enumerate(parts)}

    def under(spot):
        return min(pieces, key=lambda name: float(pieces[name].shape.distance([spot])[0]))

    terrain = {**{k: p for k, p in at.terrain.items() if k != "t"}, **pieces}
    models = {k: replace(m, on=under(m.at)) if m.on == "t" else m for k, m in at.models.items()}
    asked = [replace(q, on=under(q.to)) if isinstance(q, Move) and q.on == "t" else q for q in ASKED]
    return replace(at, terrain=FrozenMap(terrain), models=FrozenMap(models)), asked


@pytest.mark.parametrize("seed", range(5))
def test_a_platform_cut_in_two_is_the_same_platform(seed):
    at = scene(seed)
    cut, asked = halves(at, seed)
    for one, two in zip(plain(seed), answers(cut, asked), strict=True):
        alike(one, two)


@pytest.mark.parametrize(("tags", "told"), [("platform", {"height": 3.0}), ("gap", {"depth": 3.0})])
@pytest.mark.parametrize("seed", range(3))
def test_the_whole_table_raised_or_lowered(seed, tags, told):
    at = scene(seed)
    floor = piece("floor", tags, box(0, 0, 24, 24), **told)
    terrain = {"floor": floor} | {k: replace(p, on="floor") for k, p in at.terrain.items()}
    models = {k: replace(m, on=m.on or "floor") for k, m in at.models.items()}
    moved = replace(at, terrain=FrozenMap(terrain), models=FrozenMap(models))
    asked = [replace(q, on=q.on or "floor") if isinstance(q, Move) else q for q in ASKED]
    for one, two in zip(plain(seed), answers(moved, asked), strict=True):
        alike(one, two)


def test_the_answers_are_of_every_kind():
    assert {v.answer for seed in range(5) for v in plain(seed)} == {"yes", "no", "chance"}
