"""Ways to a goal that takes several turns: the best one, and the best ones without what it crosses with dice."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Final

from sbg_sim.errors import QuestionError
from sbg_sim.simulate.plays import goal_of
from sbg_sim.simulate.simulation import ask_solver
from sbg_sim.solver.judge import may_move
from sbg_sim.table.board import horizon_of, sound
from sbg_sim.table.questions import Charge, Move

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sbg_sim.dice.executors import Progress
    from sbg_sim.simulate.sweep import Judge
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table
    from sbg_sim.table.questions import Question
    from sbg_sim.table.route import Route

MOST_BARRED: Final = 4
"""Most pieces on a route of which every subset is closed in turn to find other ways."""

FARTHEST: Final = 4
"""The greatest horizon for a way over several turns, in sums of the table's sides."""


def ways(
    table: Table, question: Question | str, *, judge: Judge | None = None, progress: Progress | None = None
) -> dict[str, Route]:
    """Return the best route, and the best ones if pieces that it crosses with dice are closed.

    Parameters
    ----------
    table, question
        The table, and the question with the goal.
    judge
        Finds routes; by default the solver.
    progress
        Called with the number of ways that have been sought, and of all; ``print`` will do.

    Returns
    -------
    dict
        Routes by a description, as ``"over wall"``, ``"without dice"``.

    """
    asked(table, question)
    verdict = asked_far(table, question, judge)
    found: dict[str, Route] = {}
    first = [route for route in (verdict.route, verdict.play) if route is not None]
    crossed = dict.fromkeys(test.over for route in first for test in route.tests if test.over in table.terrain)
    several = tuple(crossed)[:MOST_BARRED]
    closings = [some for n in range(1, len(several) + 1) for some in combinations(several, n)]
    for done, some in enumerate([(), *closings], start=1):
        for route in first if not some else [asked_far(barred(table, some), question, judge).route]:
            if route is not None and all(route.legs != other.legs for other in found.values()):
                found[_fresh(described(route), found)] = route
        if progress is not None:
            progress(done, 1 + len(closings))
    return found


def asked_far(table: Table, question: Question | str, judge: Judge | None) -> Verdict:
    """Ask with ever wider horizons: over several turns a way may cost more than a single Move."""
    ask = judge or ask_solver
    verdict = ask(table, question)
    farthest = FARTHEST * (table.width + table.depth)
    horizon = horizon_of(table, verdict.allowance or 0.0)
    while verdict.route is None and verdict.at_least is not None and horizon < farthest:
        horizon = min(2 * horizon, farthest)
        verdict = ask(replace(table, horizon=horizon), question)
    return verdict


def barred(table: Table, pieces: tuple[str, ...]) -> Table:
    """Return the table with some pieces made unscalable and too high to cross; platforms stay as they are."""
    terrain = table.terrain
    for name in pieces:
        piece = table.piece(name)
        if "platform" not in piece.tags:
            tags = (piece.tags - {"gap", "ladder"}) | {"obstacle", "unscalable"}
            terrain = terrain.with_item(name, replace(piece, tags=tags, height=None, depth=None))
    return replace(table, terrain=terrain)


def asked(table: Table, question: Question | str) -> Move | Charge:
    """Return the question about the end of a move; QuestionError if its model may move in no turn."""
    goal = sound(table).asked(question).question
    goal_of(table, goal)
    assert isinstance(goal, Move | Charge)
    held = may_move(replace(table.present(goal.model), moved=False))
    if held:
        raise QuestionError(f"{held[0].reason} ({held[0].rule}), and nobody says in which turn it may")
    return goal


def described(route: Route) -> str:
    """Return the name of a way."""
    over = dict.fromkeys(test.over for test in route.tests)
    return f"over {', '.join(over)}" if over else "without dice"


def _fresh(name: str, taken: Mapping[str, Route]) -> str:
    number = 1
    fresh = name
    while fresh in taken:
        number += 1
        fresh = f"{name} ({number})"
    return fresh
