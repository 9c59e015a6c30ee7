"""Answers held against lines drawn at random and shortened step by step: the referee reads and judges every one.

Nothing of the solver is used: no graph, no path type, no sample of a rim. A line is the base's centre from its start
to the goal, with up to three bends about corners, bases and zones. The cheapest lines of each number of dice are
shortened by moving their bends at random. No line may be cheaper or likelier than the answer.
"""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import sbg_sim as sbg
from sbg_sim.referee import audit_path
from sbg_sim.solver.answer import ask
from sbg_sim.table.joining import joined
from tests.fuzz.more_kinds import along
from tests.fuzz.related import FOR_GOOD, beaten

if TYPE_CHECKING:
    from sbg_sim.table.route import Route

LINES = 150  # drawn for each table
STEPS = 250  # by which each of the best is shortened
BEST = 2  # lines shortened for each number of dice
BENDS = (0, 1, 1, 2, 2, 3)
ABOUT = 0.7  # of bends, the share that lie beside a corner, a base or the rim of a zone
BESIDE = (0.0, 1e-6, 1e-3, 0.05)  # inches outside the circle that they lie on
SIZES = (1.0, 0.3, 0.1, 0.03, 0.01)  # of steps, as shares of the largest
LARGEST, SHRINKS, LEAST = 0.5, 0.95, 1e-3  # inches: the largest step at first; after one in vain; at last
FAR = 30.0  # inches: the length of lines where the cost has no bound
NEAR = 1e-3  # inches
ASLANT = 0.01  # inches that a climb may save by its slant, of which the referee allows a little

COUNT = {"lines": 0, "allowed": 0, "answers": 0, "near": 0}
"""How many lines were drawn, how many of them are legal, for how many answers one was, and for how many of those the
best line costs at most ``NEAR`` more than the answer."""


class Line(NamedTuple):
    """A legal line: its cost in inches, its number of dice, its points and the route as which it was read."""

    cost: float
    tests: int
    points: list
    route: Route


class Pen:
    """Draws lines for a question at random, and has each judged by the referee."""

    def __init__(self, table, question, dice):
        self.table, self.question, self.dice = joined(table), question, dice
        self.mover = self.table.model(question.model)
        self.targets = [self.table.model(name) for name in getattr(question, "targets", ())]

    def judged(self, points):
        """The line through these points if the referee allows it."""
        COUNT["lines"] += 1
        names, on = [m.id for m in self.targets], getattr(self.question, "on", None)
        how = {"stand": self.mover.prone, "allowance": math.inf, "on": on}
        seen = audit_path(self.table, self.mover.id, points, charging=names, **how)
        COUNT["allowed"] += seen.legal
        return Line(seen.cost, len(seen.tests), points, seen.route) if seen.legal else None

    def goal(self):
        """The place to go to, or one in contact with all targets, mostly on the side of the mover."""
        if not self.targets:
            return self.question.to
        target, *others = self.targets
        apart, turn = target.radius + self.mover.radius, self.dice.uniform(-math.pi, math.pi)
        if others:  # at one of the two places in contact with both
            other, off = others[0], math.dist(target.at, others[0].at)
            far = other.radius + self.mover.radius
            cosine = (apart**2 + off**2 - far**2) / (2 * apart * off)
            turn = self.dice.choice((1, -1)) * math.acos(max(-1.0, min(1.0, cosine)))
            return around(target.at, apart, direction(target.at, other.at) + turn)
        turn = self.dice.gauss(0, 0.7) if self.dice.random() < 0.5 else turn
        return around(target.at, apart, direction(target.at, self.mover.at) + turn)

    def circles(self, most):
        """Circles ``(middle, radius)`` on which lines may bend, no farther away than ``most`` inches."""
        r, found = self.mover.radius, []
        for piece in self.table.terrain.values():
            for ring in (piece.shape.rings or (piece.shape.spine,)) if piece.shape is not None else ():
                for a, b in zip(ring, (*ring[1:], ring[0]), strict=True):
                    t = self.dice.random()
                    found += [(p, out + piece.shape.radius) for p in (a, along(a, b, t)) for out in (0.0, r)]
        for model in self.table.standing():
            apart = r + model.radius
            found += [(model.at, apart), (model.at, apart + 1.0)] if model.id != self.mover.id else []
        return [circle for circle in found if math.dist(circle[0], self.mover.at) <= most + circle[1]]

    def bend(self, circles, end, most):
        """A place on one of the circles, or in the ellipse that holds all lines of up to ``most`` inches."""
        dice, start, angle = self.dice, self.mover.at, self.dice.uniform(0, math.tau)
        if circles and dice.random() < ABOUT:
            middle, radius = dice.choice(circles)
            return around(middle, radius + dice.choice(BESIDE), angle)
        apart, share = math.dist(start, end), math.sqrt(dice.random())
        long = max(most, apart)
        x, y = share * long * math.cos(angle), share * math.sqrt(long**2 - apart**2) * math.sin(angle)
        ux, uy = ((e - s) / (apart or 1.0) for s, e in zip(start, end, strict=True))
        middle = along(start, end, 0.5)
        return (middle[0] + (x * ux - y * uy) / 2, middle[1] + (x * uy + y * ux) / 2)

    def drawn(self, most):
        """Legal lines of about ``most`` inches of cost."""
        circles, found = self.circles(most), []
        for _ in range(LINES):
            end = self.goal()
            bends = [self.bend(circles, end, most) for _ in range(self.dice.choice(BENDS))]
            points = [self.mover.at, *bends, end]
            if sum(map(math.dist, points, points[1:])) <= 1.6 * most + 1.0:
                found.append(self.judged(points))
        return [line for line in found if line is not None]

    def shortened(self, line):
        """The cheapest line found from this one by moving one point at a time, with no more dice."""
        largest, movable = LARGEST, range(1, len(line.points) - (len(self.targets) != 1))
        for _ in range(STEPS if movable else 0):
            points, k = list(line.points), self.dice.choice(movable)
            size = largest * self.dice.choice(SIZES)
            if k == len(points) - 1:
                target, turn = self.targets[0], self.dice.gauss(0, size)
                toward = direction(target.at, points[k]) + turn
                points[k] = around(target.at, target.radius + self.mover.radius, toward)
            else:
                points[k] = tuple(self.dice.gauss(v, size) for v in points[k])
            other = self.judged(points)
            if other is not None and other.tests <= line.tests and other.cost < line.cost:
                line = other
            else:
                largest = max(SHRINKS * largest, LEAST)
        return line


def around(middle, radius, angle):
    """The place on a circle at an angle (radians)."""
    return (middle[0] + radius * math.cos(angle), middle[1] + radius * math.sin(angle))


def direction(a, b):
    """The angle at which one place sees another, radians."""
    return math.atan2(b[1] - a[1], b[0] - a[0])


def faults(table, question, seed):
    """Lines that are better than the answer."""
    if not isinstance(question, sbg.Move | sbg.Charge):
        return []
    verdict = ask(table, question, alternatives=False)
    pen = Pen(table, question, random.Random(f"drawn {seed}"))
    walked = [leg.kind for leg in verdict.route.legs if leg.cost] if verdict.route is not None else None
    straight = walked in ([], ["straight"])  # nothing is shorter
    if straight or {v.rule for v in verdict.violations} & FOR_GOOD:
        return []
    told = [cost for cost in (verdict.needed, verdict.at_least, table.horizon) if cost is not None]
    lines = pen.drawn(min([*told[:1], FAR]))
    for tests in sorted({line.tests for line in lines}):
        some = sorted((line for line in lines if line.tests <= tests), key=lambda line: line.cost)
        lines += [pen.shortened(line) for line in some[:BEST]]
    COUNT["answers"] += bool(lines)
    if lines and verdict.needed is not None:
        COUNT["near"] += min(line.cost for line in lines) <= verdict.needed + NEAR
    found = []
    for line in lines:
        aslant = ASLANT * any(leg.kind in {"climb", "descend"} for leg in line.route.legs)
        ends = 5 if line.route.legs and line.route.legs[-1].test is not None else 1  # results of the last die that do
        found += beaten(verdict, line.cost + aslant, ends * Fraction(1, 6) ** line.tests, line.route, "drawn")
    return found[:1]
