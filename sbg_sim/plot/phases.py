"""A Move phase as it was played: the table at its end, and every move as a numbered arrow."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import shapely
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, FancyArrowPatch

from sbg_sim.errors import SbgError
from sbg_sim.plot import palette
from sbg_sim.plot.canvas import HARD, explain, title
from sbg_sim.plot.labels import keep_clear, keep_off_line, label
from sbg_sim.plot.routes import route_box
from sbg_sim.plot.tables import finish, ground, stage
from sbg_sim.plot.views import box_of
from sbg_sim.plot.words import inches_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.phase.turn import Step, Turn
    from sbg_sim.plot.canvas import Box
    from sbg_sim.table.board import Table

_AIR: Final = 0.1  # inches round a base beyond the edge of the table


def plot_phase(phase: Any, *, ax: Axes | None = None) -> Axes:
    """Draw a phase or a replay: all moves in order, falls, slain models, and the models engaged now.

    Parameters
    ----------
    phase
        Has ``table`` (the current one), ``steps`` in order, and ``start``, the table before the first move or None.
    ax
        Where to draw; None makes a new figure.

    """
    table: Table = phase.table
    steps: tuple[Step, ...] = tuple(phase.steps)
    ax = stage(ax, table, _boxes(table, phase.start, steps), outside=_outside(table, steps))
    ground(ax, table)
    draw_steps(ax, table, steps, start=phase.start)
    wrong = next((step for step in steps if not step.legal), None)
    turn = getattr(phase, "side", "") or getattr(phase, "turn", "")
    head = f"Move phase: {counted(steps)}" + (f"; {turn} to move" if isinstance(turn, str) and turn else "")
    reason = f"{wrong.model}'s move is not allowed: {', '.join(wrong.rules)}" if wrong is not None else ""
    title(ax, head, reason)
    finish(ax)
    return ax


def plot_turn(turn: Turn, *, ax: Axes | None = None) -> Axes:
    """Draw a turn that is over: its moves, and the events until the next turn.

    Parameters
    ----------
    turn
        The turn to draw.
    ax
        Where to draw; None makes a new figure.

    """
    ax = stage(ax, turn.end, _boxes(turn.end, turn.start, turn.steps), outside=_outside(turn.end, turn.steps))
    ground(ax, turn.end)
    draw_steps(ax, turn.end, turn.steps, start=turn.start)
    title(ax, f"Turn {turn.number}: {counted(turn.steps)}", f"{turn.record.priority} has Priority")
    finish(ax)
    return ax


def plot_step(step: Step, *, ax: Axes | None = None) -> Axes:
    """Draw one move of a phase, or an event: where the model started, its way, its dice, the table afterwards.

    Parameters
    ----------
    step
        The step to draw; one made by a phase or a replay has its tables.
    ax
        Where to draw; None makes a new figure.

    Raises
    ------
    SbgError
        For a step without its tables.

    """
    if step.before is None or step.after is None:
        raise SbgError(f"the step of {step.model} has no table to be drawn on: it was not made by a phase")
    ax = stage(ax, step.after, _boxes(step.after, step.before, [step]), outside=_outside(step.after, [step]))
    ground(ax, step.after)
    draw_steps(ax, step.after, [step], start=step.before, numbered=False)
    title(ax, step.reason, ", ".join(step.rules))
    finish(ax)
    return ax


def counted(steps: Sequence[Step]) -> str:
    """Say how many moves were made, and how many models were slain."""
    moves = sum(step.legal and step.move.is_move for step in steps)
    slain = sum(step.legal and step.move.slain for step in steps)
    return f"{moves} move{'s' * (moves != 1)}" + f", {slain} slain" * bool(slain)


def _boxes(table: Table, start: Table | None, steps: Sequence[Step]) -> list[Box]:
    """Return the boxes that a picture of moves must show: the movers before and after, and models engaged with them."""
    names = {step.model for step in steps}
    names |= {other for step in steps for other in step.engaged}
    found = [box_of(m, 1.0) for m in table.standing() if m.id in names]
    found += [box_of(m, 0.5) for m in (start.standing() if start is not None else ()) if m.id in names]
    routes = [(step.route, table.models.get(step.model)) for step in steps]
    found += [route_box(route, 0.5 if m is None else m.radius) for route, m in routes if route.legs]
    wrong = [(_forbidden(step), table.models.get(step.model)) for step in steps if not step.legal]
    return found + [box_of(replace(m, at=at), 0.5) for at, m in wrong if at is not None and m is not None]


def _outside(table: Table, steps: Sequence[Step]) -> list[Box]:
    """Return the boxes of the places beyond the edge from which reinforcements come on."""
    came = [(step.route.legs[0].start, table.models.get(step.model)) for step in steps if step.route.legs]
    boxes = [box_of(replace(m, at=at), _AIR) for at, m in came if m is not None]
    return [box for box in boxes if min(box[:2]) < 0 or box[2] > table.width or box[3] > table.depth]


def _forbidden(step: Step) -> Point | None:
    """Return the first place where a rule forbids a move, if there is one."""
    return next((wrong.place for wrong in step.violations if wrong.place is not None), None)


def draw_steps(
    ax: Axes, table: Table, steps: Sequence[Step], *, start: Table | None = None, numbered: bool = True
) -> list[Artist]:
    """Draw every move as an arrow with its number; refused moves and slain models as a cross.

    Parameters
    ----------
    table
        The table afterwards.
    steps
        The moves in order.
    start
        The table before the first move; without it only steps with a route get an arrow.
    numbered
        Whether to number the moves.

    """
    at: dict[str, Point] = {m.id: m.at for m in start.standing()} if start is not None else {}
    known = table.models if start is None else {**start.models, **table.models}  # slain models may have moved too
    styles = palette.side_styles(m.side for m in known.values())
    drawn: list[Artist] = []
    for number, step in enumerate(steps, 1):
        model, told = known.get(step.model), f"{number}. " * numbered
        rim = styles[model.side].rim if model is not None else palette.INK
        radius = 0.4 if model is None else model.radius
        route = step.route
        points = route.points(0.1) if route.legs else [at.get(step.model), step.at]
        way = [p for p in points if p is not None]
        if not step.legal:
            drawn += _refused(ax, number, told, step, way[-1] if way else None, radius)
            continue
        if step.move.slain:
            drawn += _slain(ax, number, told, step, at.pop(step.model, None), rim, radius)
            continue
        if len(way) > 1 and math.dist(way[0], way[-1]) + len(way) > 2 + 1e-6:
            drawn += _arrow(ax, number, told, step, way, rim, radius)
        elif way and _what(step):  # the model stayed at its place
            style: dict[str, Any] = {"colour": rim, "fontweight": "bold", "gid": f"step-{number}"}
            drawn.append(label(ax, way[-1], f"{told}{_what(step)}", clear=radius, size=7.0, **style))
        if step.at is not None:
            at[step.model] = step.at
    return drawn


def _what(step: Step) -> str:
    """Say what a step cost and rolled, and its results other than a new place."""
    move, hits = step.move, step.hits
    words = [inches_text(step.used)] if step.used else []
    words += [f"rolled {', '.join(map(str, step.rolls))}"] if step.rolls else []
    fell = step.prone and step.before is not None and not step.before.model(step.model).prone and move.is_move
    words += ["falls" if step.hits else "ends prone"] if fell and not _lies_down(step) else []
    words += [f"{hits} Strength 3 hit{'s' * (hits != 1)}"] if hits else []
    if move.place is not None:
        words += [f"set down{', prone' if move.lie else ', standing' if move.stand else ''}"]
    elif move.stand or _lies_down(step):
        words += ["stands up" if move.stand else "lies down"]
    return " · ".join(words)


def _lies_down(step: Step) -> bool:
    return any(leg.kind == "lie" for leg in step.route.legs)


def _slain(ax: Axes, number: int, told: str, step: Step, at: Point | None, rim: str, radius: float) -> list[Artist]:
    """Draw the place where a slain model stood, with a cross."""
    if at is None:
        return []
    outline: dict[str, Any] = {"edgecolor": rim, "facecolor": "none", "linestyle": (0, (1, 1.5)), "linewidth": 1.2}
    base = Circle(at, radius, zorder=palette.LAYER["ghost"], gid=f"slain-base-{number}", **outline)
    style: dict[str, Any] = {"linestyle": "none", "marker": "x", "markersize": 9, "markeredgewidth": 2.0}
    style["color"] = palette.INK
    mark = Line2D([at[0]], [at[1]], zorder=palette.LAYER["mark"], gid=f"slain-{number}", **style)
    explain(ax, "slain here", Line2D([], [], **style), where=shapely.Point(at))
    keep_clear(ax, (at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius), HARD)
    words = f"{told}{step.model} slain"
    note = label(ax, at, words, clear=radius, size=7.0, colour=rim, fontweight="bold", gid=f"step-{number}")
    return [ax.add_patch(base), ax.add_line(mark), note]


def _arrow(ax: Axes, number: int, told: str, step: Step, way: list[Point], rim: str, radius: float) -> list[Artist]:
    """Draw one move: the base at its start, the way, the arrow's head, the number."""
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
    there = shapely.buffer(shapely.Point(way[0]), radius)
    was: dict[str, Any] = {"linestyle": (0, (1, 1.5)), "marker": "o", "markersize": 7, "linewidth": 1.0}
    explain(ax, "where it was", Line2D([], [], color=palette.INK, markerfacecolor="none", **was), where=there)
    arrow = Line2D([], [], color=palette.INK, marker=">", markersize=5, linewidth=1.2)
    explain(ax, "a move, numbered in order" if told else "a move", arrow, where=shapely.LineString(way))
    words = f"{told}{_what(step)}".rstrip()
    middle = way[len(way) // 2] if len(way) > 2 else ((xs[0] + xs[1]) / 2, (ys[0] + ys[1]) / 2)
    note = label(ax, middle, words, clear=0.2, size=7.0, colour=rim, fontweight="bold", gid=f"step-{number}")
    return [ax.add_patch(ghost), ax.add_line(line), ax.add_patch(head), note]


def _refused(ax: Axes, number: int, told: str, step: Step, at: Point | None, radius: float) -> list[Artist]:
    """Mark a forbidden move at the place where it breaks a rule, or at the model."""
    here, at = at, _forbidden(step) or at
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
    explain(ax, "a move that is not allowed", Line2D([], [], **style), where=shapely.Point(at))
    words = f"{told}{step.model} not allowed: {', '.join(step.rules)}"
    drawn: list[Artist] = [ax.add_line(mark)]
    if here is not None and math.dist(here, at) > radius:
        part = radius / math.dist(here, at)
        start = (here[0] + part * (at[0] - here[0]), here[1] + part * (at[1] - here[1]))
        keep_off_line(ax, [start, at])
        dotted: dict[str, Any] = {"linestyle": (0, (1, 1.5)), "linewidth": 1.2, "zorder": 3.9}
        drawn.append(ax.add_line(Line2D(*zip(start, at, strict=True), color=palette.FAULT, **dotted)))
    return [
        *drawn,
        label(ax, at, words, clear=0.25, size=7.0, colour=palette.FAULT, fontweight="bold"),
    ]
