"""Tables for tests of crossings, and what every answer with dice must satisfy whatever the case.

Bases are an inch across (r = 1/2) and models 1.5 in high unless told otherwise, so h/2 = 3/4 and 2h = 3.
"""

import math
from fractions import Fraction

from sbg_sim.dice.play import success_chance
from sbg_sim.geometry.shapes import circle, polygon
from sbg_sim.referee import audit
from sbg_sim.simulate.plays import play_of
from sbg_sim.solver.answer import ask
from sbg_sim.table.board import Table
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.models import Model
from sbg_sim.table.questions import Charge, Move
from sbg_sim.table.rulings import Rulings
from sbg_sim.table.terrain import Terrain

SIX = Fraction(1, 6)
PASS = Fraction(5, 6)
TOLD = 1e-9
POLISHED = 1e-6


def mover(x, y, **given):
    start = {"base": 1.0, "height": 1.5, "move": 6.0, "side": "good", "keywords": frozenset({"infantry"})}
    return Model("m", (x, y), **(start | given))


def other(name, x, y, side="evil", **given):
    start = {"base": 1.0, "height": 1.5, "move": 6.0}
    return Model(name, (x, y), side=side, **(start | given))


def piece(name, tags, shape=None, **given):
    return Terrain(name, frozenset(tags.split()), shape, **given)


def box(x0, y0, x1, y1):
    return polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def disc(x, y, radius):
    return circle((x, y), radius)


def wall(height, x=6.0, thick=0.5, name="wall", tags="obstacle"):
    """A wall across the whole table, its near face at ``x``."""
    return piece(name, tags, box(x, -1, x + thick, 41), height=height)


def corridor(y=12.0, room=1.2, end=24.0):
    """Two sheer sides that leave a base little more than its own width along ``y``."""
    low, high = y - room / 2, y + room / 2
    sides = (box(0, low - 0.5, end, low), box(0, high, end, high + 0.5))
    return tuple(piece(f"side-{i}", "unscalable", side) for i, side in enumerate(sides))


def table(*things, size=40.0, **rulings):
    models = {t.id: t for t in things if isinstance(t, Model)}
    terrain = {t.id: t for t in things if isinstance(t, Terrain)}
    return Table(size, size, FrozenMap(models), FrozenMap(terrain), rulings=Rulings(FrozenMap(rulings)))


def move(at, to, on=None, *, alternatives=False):
    """Ask for a move of ``m`` and check what holds for every answer."""
    return checked(at, ask(at, Move("m", to, on), alternatives=alternatives), ())


def charge(at, *targets):
    """Ask for a charge of ``m`` and check what holds for every answer."""
    question = Charge("m", targets if len(targets) > 1 else targets[0])
    return checked(at, ask(at, question, alternatives=False), targets)


def checked(at, verdict, targets):
    """The chance is that of the play's own dice, and the referee, who shares no code, agrees."""
    if verdict.answer != "too-close":
        assert verdict.chance == success_chance(play_of(verdict))
    assert (verdict.answer == "no") == (verdict.chance == 0)
    assert (verdict.answer == "yes") == (verdict.chance == 1)
    if verdict.needed is not None:
        assert verdict.at_least <= verdict.needed <= verdict.at_most
        for test in verdict.tests:
            assert set(test.results) in ({"1", "2-5", "6"}, {"1", "2-6"})
            assert all(test.results.values())
    if verdict.play is not None:
        found = audit(at, "m", verdict.play, charging=targets)
        assert found.violations == ()
        assert math.isclose(found.cost, verdict.needed, abs_tol=1e-8)
    elif verdict.route is not None and not verdict.violations[0].rule.startswith("MOV.6"):
        found = audit(at, "m", verdict.route, charging=targets, allowance=math.inf)
        assert not found.violations or {v.rule for v in found.violations} <= {v.rule for v in verdict.violations}
    return verdict
