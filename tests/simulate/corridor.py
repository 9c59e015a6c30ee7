"""A corridor along x, and routes down it leg by leg: what the solver would find there, made by hand."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction

from sbg_sim.geometry.shapes import polygon
from sbg_sim.solver.verdict import Verdict
from sbg_sim.table.board import Table, allowance, height_of
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.table.models import Model
from sbg_sim.table.questions import Move
from sbg_sim.table.route import Leg, Route, Test
from sbg_sim.table.terrain import Terrain

Y = 12.0


def table(*, move: float = 6.0, height: float = 1.0, target: float = 12.0, **changes) -> Table:
    merry = Model("merry", (1.0, Y), base=1.0, height=height, move=move, side="good", **changes)
    uruk = Model("uruk", (target, Y), base=1.0, height=1.5, move=6.0, side="evil")
    wall = Terrain("wall", frozenset({"obstacle"}), polygon([(4, 0), (4.5, 0), (4.5, 24), (4, 24)]), height=1.0)
    pit = Terrain("pit", frozenset({"gap"}), polygon([(4, 0), (5, 0), (5, 24), (4, 24)]), depth=4.0)
    return Table(
        24.0,
        24.0,
        models=FrozenMap({"merry": merry, "uruk": uruk}),
        terrain=FrozenMap({"wall": wall, "pit": pit}),
    )


@dataclass
class Way:
    """Writes a route down leg by leg."""

    x: float = 1.0
    on: str | None = None
    legs: list[Leg] = field(default_factory=list)

    def walk(self, far: float) -> Way:
        return self._leg("straight", far, far)

    def jump(self, far: float, over: str = "wall", kind: str = "jump", fail_at=None) -> Way:
        test = Test(kind, over, (self.x, Y), (self.x + far, Y), landing_on=self.on, fail_at=fail_at)
        return self._leg("jump", far, far, test=test)

    def leap(self, far: float, drop: float, hits: int, over: str = "pit") -> Way:
        middle = (self.x + far / 2, Y)
        test = Test(
            "leap",
            over,
            (self.x, Y),
            (self.x + far, Y),
            drop=drop,
            prone_on_fail=True,
            fail_at=middle,
            fail_hits=hits,
        )
        return self._leg("leap", far, far, test=test)

    def climb(self, rise: float, far: float = 1.0, over: str = "scaffold", drop: float = 0.0) -> Way:
        test = Test("climb", over, (self.x, Y), (self.x + far, Y), landing_on=over, drop=drop, prone_on_fail=True)
        self.on = over
        return self._leg("climb", far, 2 * rise, rise=rise, test=test)

    def descend(self, fall: float, far: float = 1.0, over: str = "scaffold", hits: int = 0) -> Way:
        test = Test(
            "descend",
            over,
            (self.x, Y),
            (self.x + far, Y),
            drop=fall,
            prone_on_fail=True,
            fail_at=(self.x + far, Y),
            fail_hits=hits,
        )
        self.on = None
        return self._leg("descend", far, 2 * fall, rise=-fall, test=test)

    def ladder(self, rise: float, far: float = 1.0) -> Way:
        self.on = "scaffold"
        return self._leg("ladder", far, rise, rise=rise)

    def stay(self, kind: str, cost: float) -> Way:
        return self._leg(kind, 0.0, cost)

    def _leg(self, kind: str, far: float, cost: float, **more) -> Way:
        leg = Leg(kind, (self.x, Y), (self.x + far, Y), cost, surface=self.on, **more)
        return Way(self.x + far, self.on, [*self.legs, leg])

    @property
    def route(self) -> Route:
        return Route(tuple(self.legs))


def judge(board: Table, question) -> Verdict:
    """Answer a move straight down the corridor over its wall: its height decides, and how far it is.

    Lower than half the mover: walked. Up to its height: a jump. Higher, or sheer: no way.
    """
    asked = board.asked(question).question if isinstance(question, str) else question
    assert isinstance(asked, Move)
    mover, wall = board.model(asked.model), board.piece("wall")
    far, r = asked.to[0] - mover.at[0], mover.radius
    left, right = wall.shape.bounds[0] - r, wall.shape.bounds[2] + r
    tall, most = height_of(mover), allowance(mover)
    if wall.top < tall / 2:
        route = Way(mover.at[0]).walk(far).route
        chance = Fraction(int(far <= most))
    elif wall.top <= tall:
        landed = right - mover.at[0]
        route = Way(mover.at[0]).walk(left - mover.at[0]).jump(right - left).walk(far - landed).route
        behind = far - landed <= 1e-6
        chance = Fraction(5 if behind else 1, 6) if far <= most else Fraction(0)
    else:
        return Verdict(board, asked, answer="no", chance=Fraction(0), allowance=most)
    name = question if isinstance(question, str) else ""
    return Verdict(
        board,
        asked,
        name,
        answer={0: "no", 1: "yes"}.get(chance, "chance"),
        needed=far,
        allowance=most,
        margin=most - far,
        chance=chance,
        route=route,
        play=route if chance else None,
    )


def dodging_judge(board: Table, question) -> Verdict:
    """Like :func:`judge`, with a way round the wall's end, 10 inches longer, when it is closed."""
    found = judge(board, question)
    if math.isinf(board.piece("wall").top):
        mover = board.model("merry")
        far = found.question.to[0] - mover.at[0]
        route = Route((Leg("straight", mover.at, found.question.to, far + 10),))
        return Verdict(board, found.question, answer="no", needed=far + 10, route=route, chance=Fraction(0))
    return found
