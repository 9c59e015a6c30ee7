"""The same ruin in other words: a level cut in two, half of a gap filled, all raised, lowered, turned, renamed."""

import math
import random
from dataclasses import replace
from functools import cache

import pytest
import shapely
import shapely.ops
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from sbg_sim.geometry.shapes import from_shapely
from sbg_sim.solver.answer import ask
from sbg_sim.table.faults import table_faults
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.questions import Move
from sbg_sim.tolerance import FITS
from tests.heights.ruins import SIZE, placed, quarter, ruin
from tests.heights.stage import POLISHED, box, piece

FLOORS = (("platform", {"height": 3.0}), ("platform", {"height": 0.5}), ("gap", {"depth": 3.3}))
"""What lies under all; the gap is so deep that no top fills it to the brim."""


def cut(at, asked, dice):
    """A platform or gap cut along a line; what stands on it stands on the part under its centre."""
    names = [p.id for p in at.terrain.values() if p.tags & {"platform", "gap"}]
    if not names:
        return None
    whole = at.piece(dice.choice(names))
    x0, y0, x1, y1 = whole.shape.bounds
    x, y = dice.choice([(dice.uniform(x0, x1), dice.uniform(y0, y1)), (quarter(dice, x0, x1), quarter(dice, y0, y1))])
    angle = dice.choice([0.0, math.pi / 2, dice.uniform(0, math.pi)])
    dx, dy = SIZE * math.cos(angle), SIZE * math.sin(angle)
    line = shapely.LineString([(x - dx, y - dy), (x + dx, y + dy)])
    parts = shapely.get_parts(shapely.ops.split(whole.shape.to_shapely(), line))
    if len(parts) < 2 or min(part.area for part in parts) < 1e-3:
        return None
    halves = {f"half-{i}": replace(whole, id=f"half-{i}", shape=from_shapely(part)) for i, part in enumerate(parts)}

    def there(name, spot):
        nearest = min(halves, key=lambda half: float(halves[half].shape.distance([spot])[0]))
        return nearest if name == whole.id else name

    return _rewritten(at, asked, there, halves, whole.id)


def deepened(at, asked, dice):
    """A gap cut along a line, one half of it deeper and filled again by a step."""
    pits = {k: p for k, p in at.terrain.items() if "gap" in p.tags}
    made = cut(at, asked, dice) if pits else None
    half = dice.choice(["half-0", "half-1"])
    if made is None or "gap" not in made[0].terrain[half].tags:
        return None
    at, asked = made
    gap = at.piece(half)
    deeper = {half: replace(gap, depth=gap.depth + 0.5)}
    step = piece("step", "platform difficult" if gap.difficult else "platform", gap.shape, on=half, height=0.5)
    return _rewritten(at, asked, lambda name, _: "step" if name == half else name, {**deeper, "step": step}, half)


def raised(at, asked, dice):
    """All of it on a platform, or in a gap, as wide as the table."""
    tags, told = dice.choice(FLOORS)
    floor = {"floor": piece("floor", tags, box(-SIZE, -SIZE, 2 * SIZE, 2 * SIZE), **told)}
    return _rewritten(at, asked, lambda name, _: name or "floor", floor)


def turned(at, asked, dice):
    """Turned about the middle of the table, and perhaps mirrored."""
    turn, mirror = dice.choice([math.pi / 2, math.pi, dice.uniform(0, math.tau)]), dice.random() < 0.5
    c, s, x = math.cos(turn), math.sin(turn), SIZE / 2
    y = -x if mirror else x
    return placed(at, asked, turn, (x - (c * x - s * y), x - (s * x + c * y)), mirror=mirror)


def renamed(at, asked, dice):
    """With other names, told in another order."""
    order = list(at.terrain)
    dice.shuffle(order)
    names = {name: f"piece-{i}" for i, name in enumerate(order)}
    at = replace(at, terrain=FrozenMap({name: at.terrain[name] for name in order}))
    other, asked = _rewritten(at, asked, lambda name, _: names.get(name, name))
    pieces = (replace(p, id=names[p.id]) for p in other.terrain.values())
    return replace(other, terrain=FrozenMap({p.id: p for p in pieces})), asked


def _rewritten(at, asked, there, more=(), less=None):
    """The table with its levels called otherwise, with more pieces and without one."""

    def spot(p):
        return p.at or ((p.shape.bounds[0] + p.shape.bounds[2]) / 2, (p.shape.bounds[1] + p.shape.bounds[3]) / 2)

    terrain = {k: replace(p, on=there(p.on, spot(p)), to=p.to and there(p.to, spot(p))) for k, p in at.terrain.items()}
    terrain = {**dict(more), **{k: p for k, p in terrain.items() if k != less}}
    models = {k: replace(m, on=there(m.on, m.at)) for k, m in at.models.items()}
    questions = [replace(q, on=there(q.on, q.to)) if isinstance(q, Move) else q for q in asked]
    return replace(at, terrain=FrozenMap(terrain), models=FrozenMap(models)), questions


@cache
def told(seed, count):
    """A ruin, some questions about it, and their answers."""
    at, asked = ruin(seed)
    asked = random.Random(seed).sample(asked, min(count, len(asked)))
    return at, asked, [ask(at, question, alternatives=False) for question in asked]


def differences(seed, words, count):
    at, asked, first = told(seed, count)
    made = words(at, asked, random.Random(f"{words.__name__} {seed}"))
    if made is None:
        return
    assert table_faults(made[0]) == []
    for question, one, other in zip(asked, first, (ask(made[0], q, alternatives=False) for q in made[1]), strict=True):
        same = (one.answer, one.chance) == (other.answer, other.chance)
        costs = (one.needed, other.needed)
        if None in costs:
            same = same and costs == (None, None)
        elif abs(costs[0] - costs[1]) > 2 * POLISHED:
            same = same and in_a_hair(at, question, costs)
        if not same:
            yield f"{seed}, {question}: {one.answer} {one.needed}, {words.__name__} {other.answer} {other.needed}"


def in_a_hair(at, question, costs):
    """Say whether a Move longer or shorter by what fits anyway takes the answer past all these costs.

    A way over that may begin nowhere but straight ahead, at the end of the Move, may begin to a side of that by the
    root of what is rounded.
    """
    mover = at.models[question.model]

    def asked(move):
        other = replace(at, models=FrozenMap({**at.models, mover.id: replace(mover, move=move)}))
        return ask(other, question, alternatives=False)

    long, short = asked(mover.move + 10 * FITS), asked(mover.move - 10 * FITS)
    barred = short.answer == "no"
    return long.needed <= min(costs) + 2 * POLISHED and (barred or max(costs) <= short.needed + 2 * POLISHED)


WORDS = (cut, deepened, raised, turned, renamed)


@pytest.mark.parametrize("words", WORDS, ids=lambda words: words.__name__)
@pytest.mark.parametrize("seed", [0, 2, 3, 4])
def test_the_same_in_other_words(seed, words):
    assert list(differences(seed, words, 2)) == []


def test_the_answers_are_of_every_kind():
    assert {v.answer for seed in (0, 2, 3, 4) for v in told(seed, 2)[2]} == {"yes", "no", "chance"}


@pytest.mark.heavy
def test_where_only_one_line_reaches_a_leap_the_cost_hangs_on_what_fits():
    assert list(differences(1124, turned, 4)) == []


@pytest.mark.heavy
@settings(max_examples=150, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(st.integers(0, 10**6))
def test_the_same_in_other_words_in_any_ruin(seed):
    assert [line for words in WORDS for line in differences(seed, words, 4)] == []
