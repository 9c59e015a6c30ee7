"""Small tables made by hand, questions asked of them, and every witness judged by the referee on the way."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sbg_sim.geometry.shapes import Point, Shape, circle, line, polygon
from sbg_sim.referee import audit
from sbg_sim.solver.answer import ask
from sbg_sim.table.board import Table
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.models import Model
from sbg_sim.table.questions import Charge, Move
from sbg_sim.table.rulings import Rulings
from sbg_sim.table.terrain import Terrain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sbg_sim.solver.verdict import Verdict


class Lay:
    """Bases of an inch (r = 0.5) on a table of 24 x 24, unless told otherwise; the mover is ``m``."""

    def mover(self, x: float, y: float, **given: object) -> Model:
        start: dict[str, object] = {"base": 1.0, "height": 1.5, "move": 100.0, "side": "good"}
        return Model("m", (x, y), **(start | given))  # type: ignore[arg-type]

    def model(self, name: str, x: float, y: float, **given: object) -> Model:
        start: dict[str, object] = {"base": 1.0, "height": 1.5, "move": 6.0, "side": "evil"}
        return Model(name, (x, y), **(start | given))  # type: ignore[arg-type]

    def piece(self, name: str, shape: Shape, *tags: str, **given: object) -> Terrain:
        return Terrain(name, frozenset(tags), shape, **given)  # type: ignore[arg-type]

    def wall(self, name: str, shape: Shape) -> Terrain:
        return self.piece(name, shape, "unscalable", height=9.0)

    def bog(self, name: str, shape: Shape) -> Terrain:
        return self.piece(name, shape, "difficult")

    def box(self, x0: float, y0: float, x1: float, y1: float) -> Shape:
        return polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])

    def circle(self, x: float, y: float, radius: float) -> Shape:
        return circle((x, y), radius)

    def line(self, points: Iterable[Point], thickness: float) -> Shape:
        return line(points, thickness)

    def polygon(self, *args: object) -> Shape:
        return polygon(*args)  # type: ignore[arg-type]

    def table(self, *things: Model | Terrain, width: float = 24.0, depth: float = 24.0, **rulings: str) -> Table:
        models = FrozenMap({t.id: t for t in things if isinstance(t, Model)})
        terrain = FrozenMap({t.id: t for t in things if isinstance(t, Terrain)})
        return Table(width, depth, models, terrain, rulings=Rulings(FrozenMap(rulings)))

    def narrow(self, *things: Model | Terrain, **rulings: str) -> Table:
        """A lane 4 in wide: few places to cross a wall at, so that many can stand in a row."""
        return self.table(*things, depth=4.0, **rulings)

    def move(self, table: Table, to: Point, on: str | None = None) -> Verdict:
        return self._judged(ask(table, Move("m", to, on), alternatives=False), ())

    def charge(self, table: Table, *targets: str) -> Verdict:
        question = Charge("m", targets[0] if len(targets) == 1 else targets)
        return self._judged(ask(table, question, alternatives=False), targets)

    def needed(self, table: Table, to: Point, on: str | None = None) -> float:
        found = self.move(table, to, on).needed
        assert found is not None
        return found

    def turned(self, table: Table, turn: float, shift: Point, *, mirror: bool) -> Table:
        """Everything on the table mirrored, turned and shifted; the table must be large enough."""

        def place(p: Point) -> Point:
            return circle(p, 0.0).moved(turn, shift, mirror=mirror).spine[0]

        models = {k: replace(m, at=place(m.at)) for k, m in table.models.items()}
        pieces = {
            k: replace(t, shape=None if t.shape is None else t.shape.moved(turn, shift, mirror=mirror))
            for k, t in table.terrain.items()
        }
        return replace(table, models=FrozenMap(models), terrain=FrozenMap(pieces))

    def _judged(self, found: Verdict, charging: tuple[str, ...]) -> Verdict:
        if found.route is None:
            return found
        judged = audit(found.table, "m", found.route, charging=charging, allowance=math.inf)
        assert judged.legal, judged.violations
        assert found.needed == pytest.approx(judged.cost, abs=1e-8)
        assert found.at_least is not None
        assert found.at_most is not None
        assert found.at_least <= found.needed <= found.at_most <= found.at_least + 1e-6
        return found


def least_of(cost: Callable[[float], float], low: float, high: float, samples: int = 400) -> float:
    """The least value of a function of one place: a scan, then golden sections round its best sample."""
    step = (high - low) / samples
    best = min(range(samples + 1), key=lambda i: cost(low + i * step))
    a, b = max(low, low + (best - 1) * step), min(high, low + (best + 1) * step)
    ratio = (math.sqrt(5) - 1) / 2
    for _ in range(90):
        c, d = b - ratio * (b - a), a + ratio * (b - a)
        if cost(c) < cost(d):
            b = d
        else:
            a = c
    return cost((a + b) / 2)


def root_of(f: Callable[[float], float], low: float, high: float) -> float:
    """The root of a function that rises through zero, by bisection."""
    for _ in range(200):
        mid = (low + high) / 2
        if f(mid) < 0:
            low = mid
        else:
            high = mid
    return (low + high) / 2


@pytest.fixture(scope="session")
def lay() -> Lay:
    return Lay()


@pytest.fixture(scope="session")
def least() -> Callable[..., float]:
    return least_of


@pytest.fixture(scope="session")
def root() -> Callable[..., float]:
    return root_of
