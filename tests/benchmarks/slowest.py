"""The slowest answers that are known, found by searching for them: tables and questions by name. Part of
`tests.benchmarks`.
"""

from __future__ import annotations

import io
from functools import cache

import numpy as np

import sbg_sim as sbg
from tests.benchmarks.crowds import CROWDS, broad, crowd, littered, mixed, puddles, timed
from tests.fuzz.kinds import make
from tests.fuzz.scatter import Recipe

PLACES = 200  # along each side of a cost map
NAMED = Recipe(bases=200, pieces=300, size=72.0, enemies=0.5, largest=1.2)
MANY = Recipe(bases=2000, pieces=100, size=200.0, enemies=0.5)

ragged = cache(lambda: broad()[0])
round_bogs = cache(lambda: puddles(20, 64))
sixty = cache(lambda seed: crowd(seed, CROWDS["60 bases, 20 pieces"]))
wide = cache(lambda: mixed(0, models=60, pieces=20, size=48.0))


def late():
    """A small table by readings under which a last jump or leap may cost more than is left."""
    table = make("ledges", 149000000, True)[0]
    return table.under("leap_needs", "maximum").under("jump_without_movement", "yes")


def ditches(seed):
    """A table of gaps, and the move over several of them."""
    return make("ditches", seed, False)[:2]


def charged(model, target):
    """A charge, as work on a table."""
    return lambda table: sbg.check(table, sbg.Charge(model, target))


def cost_map(table):
    """The exact costs of a square of places about the mover, as far as its Move."""
    here = table.model("me")
    side = np.linspace(-here.move, here.move, PLACES)
    places = np.stack(np.meshgrid(here.at[0] + side, here.at[1] + side), axis=-1).reshape(-1, 2)
    return sbg.reach(table, "me").distance(places)


def picture(table):
    """A whole table as a picture, written nowhere."""
    sbg.plot(table).figure.savefig(io.BytesIO(), format="png")


ANSWERS = {
    "a charge beyond the Move, held to clear something: `mixed(118)`, m38 at m37": (
        0.5,
        lambda: mixed(118),
        charged("m38", "m37"),
    ),
    "the same: `mixed(102)`, m18 at m11": (0.5, lambda: mixed(102), charged("m18", "m11")),
    "a charge held to clear a base it just touches: 60 bases, 20 pieces, m23 at m2": (
        0.5,
        lambda: sixty(1),
        charged("m23", "m2"),
    ),
    "a charge amid 500 models and 300 ragged pieces: m315 at m62": (0.5, ragged, charged("m315", "m62")),
    "a move of five leaps, each begun where the last landed: full `ditches` 140500006": (
        0.5,
        lambda: ditches(140500006),
        lambda both: sbg.check(*both),
    ),
    "a move beyond the Move, over four gaps and tops that each clear something: full `ditches` 175100039": (
        0.5,
        lambda: ditches(175100039),
        lambda both: sbg.check(*both),
    ),
    "a charge by two readings under which its last leap may cost more than is left: small `ledges` 149000000": (
        0.5,
        late,
        charged("me", "m2"),
    ),
    "`charges` amid 500 models and 300 ragged pieces: m62": (2, ragged, lambda table: sbg.charges(table, "m62")),
    "`charges` amid 200 models and 200 ragged, round and long pieces of five kinds, `littered(1)`: m7": (
        2,
        lambda: littered(1),
        lambda table: sbg.charges(table, "m7"),
    ),
    "`denies` amid 500 models and 300 ragged pieces: m62": (2, ragged, lambda table: sbg.denials(table, "m62")),
    "area of the reach of the same": (2, ragged, lambda table: sbg.reach(table, "m62").area),
    "`charges` amid twenty round bogs of 64 corners: m7": (2, round_bogs, lambda table: sbg.charges(table, "m7")),
    "`reach.distance` of 200 x 200 places, 60 bases, 20 pieces: the mover of seed 5": (
        0.3,
        lambda: sixty(5),
        cost_map,
    ),
    "`safe`, 60 models, 20 pieces of five kinds, 48 x 48 in: m20": (
        None,
        wide,
        lambda table: sbg.safe(table, "m20"),
    ),
    "`threats` of one side of the same": (None, wide, lambda table: sbg.threats(table, "good")),
    "`threats` of one side of 200 bases, 60 pieces": (
        None,
        lambda: crowd(1, CROWDS["200 bases, 60 pieces"]),
        lambda table: sbg.threats(table, "evil"),
    ),
    "the picture of 200 named models among 300 pieces": (5, lambda: crowd(1, NAMED), picture),
    "the picture of 2,000 models": (5, lambda: crowd(1, MANY), picture),
}
"""By what it is: seconds aimed at, if any are, what makes the table, and the work on it that is timed."""


def slowest():
    """Rows of the slowest answers, seconds, with what is aimed at."""
    for name, (aim, table, work) in ANSWERS.items():
        given = table()
        took = timed(lambda work=work, given=given: work(given))[0]
        met = "" if aim is None else f"{aim:g}{'' if took <= aim else ': not met'}"
        yield f"| {name} | {took:.1f} | {met} |"
