"""Random questions on crowded tables of every kind, and the lists of random models. Part of `tests.benchmarks`."""

from __future__ import annotations

import math

import numpy as np

import sbg_sim as sbg
from tests.benchmarks.crowds import CROWDS, broad, crowd, littered, mixed, spread, timed, two_lines
from tests.fuzz.kinds import make

KINDS = ("melee", "ranks", "forest", "hedges", "platforms", "mounds")
TABLES = 10  # of each kind
MODELS = 12  # of a crowd whose lists are asked
DRAGS = 4  # of each of them
MIXED = "60 models of three kinds, 30 pieces of five, 36 x 36 in"
LITTERED = "200 models of five kinds, 200 ragged, round and long pieces of five, 72 x 48 in"
LISTS = {
    "`charges`": sbg.charges,
    "`reach`": lambda table, model: sbg.reach(table, model).area,
    "`denies`": sbg.denials,
}


def questions(table, count, rng):
    """Random moves and charges of random models, as questions of a table."""
    names = [m.id for m in table.models.values() if m.move]
    for _ in range(count):
        mover = table.model(names[int(rng.integers(len(names)))])
        foes = sorted((m for m in table.models.values() if mover.is_enemy(m)), key=lambda m: math.dist(m.at, mover.at))
        if foes and rng.uniform() < 0.5:
            yield sbg.Charge(mover.id, foes[int(rng.integers(min(8, len(foes))))].id)
        else:
            angle, far = rng.uniform(0, math.tau), rng.uniform(0.2, 1.3 * mover.move)
            yield sbg.Move(mover.id, (mover.at[0] + far * math.cos(angle), mover.at[1] + far * math.sin(angle)))


def tables(seed):
    """The tables asked, by what they are: each a function of how many."""
    found = {kind: [make(kind, seed + k)[0] for k in range(TABLES)] for kind in KINDS}
    found |= {name: [crowd(seed + k, recipe) for k in range(3)] for name, recipe in CROWDS.items()}
    found |= {MIXED: [mixed(seed + k) for k in range(TABLES)]}
    return found | {"two lines of 30, two ranks each": [two_lines()]}


def asked(count, seed):
    """Rows for some ``count`` single questions, and one for all of them."""
    rng, rows, everything = np.random.default_rng(seed), [], []
    found = tables(seed)
    for name, some in found.items():
        each = math.ceil(count / len(found) / len(some))
        took = [timed(lambda t=t, q=q: sbg.check(t, q))[0] for t in some for q in questions(t, each, rng)]
        rows.append(f"| {name} | {len(took)} | {spread(took)} |")
        everything += took
    return [*rows, f"| all | {len(everything)} | {spread(everything)} |"]


def listed(seed, models=MODELS):
    """Rows for the lists of random models, and for dragging one."""
    rng, rows = np.random.default_rng(seed), []
    crowds = {name: (crowd(seed, recipe), models) for name, recipe in CROWDS.items()}
    crowds["two lines of 30, two ranks each"] = (two_lines(), models)
    crowds[MIXED] = (mixed(seed), models)
    crowds[LITTERED] = (littered(seed), max(models // 2, 1))
    crowds["500 bases, 300 pieces of 50 ragged corners"] = (broad()[0], max(models // 3, 1))
    for name, (table, count) in crowds.items():
        chosen = [str(n) for n in rng.choice(list(table.models), size=min(count, len(table.models)), replace=False)]
        for what, ask in LISTS.items():
            took = [timed(lambda t=table, n=n, ask=ask: ask(t, n))[0] for n in chosen]
            rows.append(f"| {name} | {what} | {len(took)} | {spread(took)} |")
        took = [drag for n in chosen for drag in drags(table, n)]
        rows.append(f"| {name} | drag | {len(took)} | {spread(took)} |")
    return rows


def drags(table, name):
    """Seconds for the reach area of a model that is dragged, step by step; the first look at the table is not one."""
    at = table.model(name).at

    def step(k):
        return sbg.reach(table.having(name, at=(at[0] + 0.002 * k, at[1])), name).area

    step(0)
    return [timed(lambda k=k: step(k))[0] for k in range(1, DRAGS + 1)]
