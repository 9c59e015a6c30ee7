"""A Move phase as it was played: the table at its end, and every move as a numbered arrow."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from matplotlib.lines import Line2D
from matplotlib.patches import Circle, FancyArrowPatch

from sbg_sim.plot import palette
from sbg_sim.plot.canvas import explain, title
from sbg_sim.plot.labels import keep_off_line, label
from sbg_sim.plot.routes import route_box
from sbg_sim.plot.tables import box_of, finish, ground, stage
from sbg_sim.plot.words import inches_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.phase.turn import Step
    from sbg_sim.plot.canvas import Box
    from sbg_sim.table.board import Table


def plot_phase(phase: Any, *, ax: Axes | None = None) -> Axes:
    """Draw a phase or a replay: who moved where, in which order, and who is engaged now.

    Parameters
    ----------
    phase
        Has ``table`` (as it stands now), ``steps``: moves in order, each with ``model``, ``legal``, ``at``,
        ``rules``, perhaps ``route``, ``used``, ``rolls``, and ``start``, the table before the first move or None.
    ax
        Where; None makes a new figure.

    """
    table: Table = phase.table
    steps: tuple[Step, ...] = tuple(phase.steps)
    ax = stage(ax, table, _boxes(table, phase.start, steps))
    ground(ax, table)
    draw_steps(ax, table, steps, start=phase.start)
    legal = sum(step.legal for step in steps)
    moves = f"{legal} move{'s' if legal != 1 else ''}"
    wrong = next((step for step in steps if not step.legal), None)
    turn = getattr(phase, "side", "") or getattr(phase, "turn", "")
    head = f"Move phase: {moves}" + (f"; {turn} to move" if isinstance(turn, str) and turn else "")
    reason = f"{wrong.model}'s move is not allowed: {', '.join(wrong.rules)}" if wrong is not None else ""
    title(ax, head, reason)
    finish(ax)
    return ax


def _boxes(table: Table, start: Table | None, steps: Sequence[Step]) -> list[Box]:
    """Return what a picture of these moves must show: who moved, from where, and who is engaged with them."""
    names = {step.model for step in steps}
    names |= {other for step in steps for other in getattr(step, "engaged", ())}
    found = [box_of(m, 1.0) for m in table.standing() if m.id in names]
    found += [box_of(m, 0.5) for m in (start.standing() if start is not None else ()) if m.id in names]
    routes = [(getattr(step, "route", None), table.models.get(step.model)) for step in steps]
    found += [
        route_box(route, 0.5 if m is None else m.radius) for route, m in routes if route is not None and route.legs
    ]
    return found


def draw_steps(ax: Axes, table: Table, steps: Sequence[Step], *, start: Table | None = None) -> list[Artist]:
    """Draw every move as an arrow with its number, from where the model stood; refused ones as a cross.

    Parameters
    ----------
    table
        The table afterwards.
    steps
        The moves in order.
    start
        The table before the first move: without it only routes that the steps bring are drawn.

    """
    at: dict[str, Point] = {m.id: m.at for m in start.standing()} if start is not None else {}
    known = table.models if start is None else {**start.models, **table.models}  # the slain have moved too
    styles = palette.side_styles(m.side for m in known.values())
    drawn: list[Artist] = []
    for number, step in enumerate(steps, 1):
        model = known.get(step.model)
        rim = styles[model.side].rim if model is not None else palette.INK
        route = getattr(step, "route", None)
        points = route.points(0.1) if route is not None and route.legs else [at.get(step.model), step.at]
        way = [p for p in points if p is not None]
        if not step.legal:
            drawn += _refused(ax, number, step, way[-1] if way else None)
            continue
        if len(way) > 1 and math.dist(way[0], way[-1]) + len(way) > 2 + 1e-6:
            drawn += _arrow(ax, number, step, way, rim, 0.4 if model is None else model.radius)
        if step.at is not None:
            at[step.model] = step.at
    return drawn


def _arrow(ax: Axes, number: int, step: Step, way: list[Point], rim: str, radius: float) -> list[Artist]:
    """Draw one move: where the base was, the way, the arrow's head, the number."""
    ghost = Circle(
        way[0],
        radius,
        facecolor="none",
        edgecolor=rim,
        linestyle=(0, (1, 1.5)),
        linewidth=1.0,
        zorder=palette.LAYER["ghost"],
        gid=f"was-{number}",
    )
    xs, ys = zip(*way, strict=True)
    line = Line2D(
        xs[:-1] if len(way) > 2 else xs, ys[:-1] if len(way) > 2 else ys, color=rim, linewidth=1.2, zorder=3.9
    )
    head = FancyArrowPatch(
        way[-2], way[-1], arrowstyle="-|>", mutation_scale=10, shrinkA=0, shrinkB=0, color=rim, linewidth=1.2,
        zorder=palette.LAYER["path"], gid=f"move-{number}",
    )  # fmt: skip
    keep_off_line(ax, way)
    was: dict[str, Any] = {"linestyle": (0, (1, 1.5)), "marker": "o", "markersize": 7, "linewidth": 1.0}
    explain(ax, "where it was", Line2D([], [], color=palette.INK, markerfacecolor="none", **was))
    arrow = Line2D([], [], color=palette.INK, marker=">", markersize=5, linewidth=1.2)
    explain(ax, "a move, numbered in order", arrow)
    used, rolls = getattr(step, "used", None), getattr(step, "rolls", ())
    words = (
        f"{number}."
        + (f" {inches_text(used)}" if used else "")
        + (f" · rolled {', '.join(map(str, rolls))}" if rolls else "")
    )
    middle = way[len(way) // 2] if len(way) > 2 else ((xs[0] + xs[1]) / 2, (ys[0] + ys[1]) / 2)
    note = label(ax, middle, words, clear=0.2, size=7.0, colour=rim, fontweight="bold", gid=f"step-{number}")
    return [ax.add_patch(ghost), ax.add_line(line), ax.add_patch(head), note]


def _refused(ax: Axes, number: int, step: Step, at: Point | None) -> list[Artist]:
    if at is None:
        return []
    style: Mapping[str, Any] = {
        "linestyle": "none",
        "marker": "x",
        "markersize": 10,
        "markeredgewidth": 2.4,
        "color": palette.FAULT,
    }
    mark = Line2D([at[0]], [at[1]], zorder=palette.LAYER["mark"], gid=f"refused-{number}", **style)
    explain(ax, "a move that is not allowed", Line2D([], [], **style))
    words = f"{number}. not allowed: {', '.join(step.rules)}"
    return [
        ax.add_line(mark),
        label(ax, at, words, clear=0.25, size=7.0, colour=palette.FAULT, fontweight="bold"),
    ]
