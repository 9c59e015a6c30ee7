"""Tables for tests of zones and charges, and what every answer must satisfy whatever the case."""

import math

from sbg_sim.geometry.shapes import circle, polygon
from sbg_sim.referee import audit
from sbg_sim.solver.answer import ask
from sbg_sim.table.board import Table
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.models import Model
from sbg_sim.table.questions import Charge, Move
from sbg_sim.table.rulings import Rulings
from sbg_sim.table.terrain import Terrain
from sbg_sim.tolerance import CERTIFICATE

TOLD = 1e-9


def good(name, at, base=1.0, **more):
    more.setdefault("height", 1.5)
    more.setdefault("move", 6.0)
    return Model(name, at, base, side="good", **more)


def evil(name, at, base=1.0, **more):
    more.setdefault("height", 1.5)
    more.setdefault("move", 6.0)
    return Model(name, at, base, side="evil", **more)


def piece(name, tags, shape, **more):
    return Terrain(name, frozenset(tags.split()), shape, **more)


def box(x0, y0, x1, y1):
    return polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def disc(x, y, radius):
    return circle((x, y), radius)


def stage(*things, size=40.0, **rulings):
    """A table of models and terrain under the readings given."""
    models = {t.id: t for t in things if isinstance(t, Model)}
    terrain = {t.id: t for t in things if isinstance(t, Terrain)}
    return Table(size, size, models=FrozenMap(models), terrain=FrozenMap(terrain), rulings=Rulings(FrozenMap(rulings)))


def charge(table, model, *targets):
    """Charge, and check what holds for every answer."""
    verdict = ask(table, Charge(model, targets if len(targets) > 1 else targets[0]), alternatives=False)
    return checked(table, model, verdict, targets)


def move(table, model, to, on=None):
    """Move, and check what holds for every answer."""
    verdict = ask(table, Move(model, to, on), alternatives=False)
    return checked(table, model, verdict, ())


def checked(table, model, verdict, targets):
    assert verdict.reason
    assert (verdict.answer == "no") == bool(verdict.violations)
    for violation in verdict.violations:
        assert violation.rule in verdict.rules
        assert violation.place is not None
    if verdict.needed is not None:
        assert verdict.at_least <= verdict.needed <= verdict.at_most
        assert verdict.at_most - verdict.at_least <= CERTIFICATE
        assert verdict.route.cost == verdict.needed
    if verdict.play is not None:
        found = audit(table, model, verdict.play, charging=targets)
        assert found.violations == (), found.violations
        assert math.isclose(found.cost, verdict.needed, abs_tol=1e-8)
    elif verdict.route is not None and verdict.margin < 0:
        found = audit(table, model, verdict.route, charging=targets, allowance=math.inf)
        blamed = {v.rule for v in verdict.violations} - {"MOV.3"}
        assert {v.rule for v in found.violations} <= blamed | {"LOS"}, found.violations
    return verdict
