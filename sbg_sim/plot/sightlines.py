"""A line of sight seen from the side: the things between the eye and the target, and their heights."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from matplotlib.lines import Line2D

from sbg_sim.errors import SbgError
from sbg_sim.plot import palette
from sbg_sim.plot.canvas import chart_axes, explain
from sbg_sim.plot.headlines import headline, mover_of
from sbg_sim.plot.inches import ruled
from sbg_sim.plot.labels import keep_clear_of_mark, keep_off_line
from sbg_sim.plot.sections import SOIL, bottom, draw_body, draw_soil, draw_strip, entitled, floor, pieces_under
from sbg_sim.table.questions import Sight
from sbg_sim.table.route import Leg, Route

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from sbg_sim.geometry.panorama import Place
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model


def plot_sightline(verdict: Verdict, *, ax: Axes | None = None) -> Axes:
    """Draw a line of sight from the side, true to scale; if there is none, the line to the target's far upper edge.

    Parameters
    ----------
    verdict
        The answer to a `sight` question.
    ax
        Where to draw; None makes a new figure.

    Raises
    ------
    SbgError
        When the verdict does not answer a `sight` question.

    """
    question, looker = verdict.question, mover_of(verdict)
    if not isinstance(question, Sight) or looker is None:
        raise SbgError(f"{headline(verdict)}: there is no line of sight to draw from the side")
    table, target = verdict.table, verdict.table.model(question.target)
    ends = verdict.sightline or _best_try(table, looker, target)
    (x0, y0, eye), (x1, y1, seen) = ends
    long = max(math.dist((x0, y0), (x1, y1)), 1e-6)
    spare = max(looker.radius, 2 * target.radius) + 0.4
    way = Route((Leg("straight", (x0, y0), (x1, y1), long, looker.on),))
    strips = pieces_under(table, way, spare)
    models = [(m, *span) for m in table.standing() if (span := _across(m, (x0, y0), (x1, y1), spare)) is not None]
    high = max([eye, seen, *(t for *_, t in strips), *(top_of(table, m) for m, *_ in models)]) + 0.7
    feet = [floor(table, m.on) for m, *_ in models]
    low = min([0.0, eye, seen, *feet, *(bottom(table, piece) for piece, *_ in strips)]) - SOIL
    own = ax is None
    if ax is None:
        ax = chart_axes(6.4, max(1.6, 6.4 * (high - low) / (long + 2 * spare)))
    ax.set_aspect("equal", adjustable="box", anchor="NW")
    ax.set_xlim(-spare, long + spare)
    ax.set_ylim(low, high)
    ruled(ax, "distance from the eye")
    draw_soil(ax)
    _draw_line(ax, ((0.0, eye), (long, seen)), seen=verdict.sightline is not None)
    for model, first, last in models:
        _draw_body(ax, table, model, first, last)
    for strip in strips:
        draw_strip(ax, table, strip, strips)
    return entitled(ax, verdict, "seen from the side along the line of sight", own=own)


def _best_try(table: Table, looker: Model, target: Model) -> tuple[Place, Place]:
    """Return the eye, and the place that a look from above loses last: the upper edge of the target's far side."""
    (ax, ay), (bx, by) = looker.at, target.at
    stretch = 1 + target.radius / max(math.dist(looker.at, target.at), 1e-6)
    far = (ax + stretch * (bx - ax), ay + stretch * (by - ay), top_of(table, target))
    return (ax, ay, top_of(table, looker)), far


def top_of(table: Table, model: Model) -> float:
    """Return the height over the ground of a model's top, inches; a prone one has half its height (PRN.1)."""
    tall = model.height if model.height is not None else 2 * model.radius
    return floor(table, model.on) + model.climbed + tall / (2 if model.prone else 1)


def _across(model: Model, start: Point, end: Point, spare: float) -> tuple[float, float] | None:
    """Return the distances between which a line runs over a base, inches; None if it does not."""
    long = max(math.dist(start, end), 1e-6)
    ux, uy = (end[0] - start[0]) / long, (end[1] - start[1]) / long
    dx, dy = model.at[0] - start[0], model.at[1] - start[1]
    foot, off = dx * ux + dy * uy, abs(dx * uy - dy * ux)
    if off >= model.radius:
        return None
    half = math.sqrt(model.radius**2 - off**2)
    return (foot - half, foot + half) if -spare < foot + half and foot - half < long + spare else None


def _draw_body(ax: Axes, table: Table, model: Model, first: float, last: float) -> list[Artist]:
    style = palette.side_styles([m.side for m in table.models.values()])[model.side]
    foot, top = floor(table, model.on) + model.climbed, top_of(table, model)
    return draw_body(ax, model.id, (first, foot, last, top), style)


def _draw_line(ax: Axes, ends: tuple[Point, Point], *, seen: bool) -> list[Artist]:
    style = {
        "color": palette.SIGHT if seen else palette.HIDES,
        "linestyle": "solid" if seen else (0, (3, 1.5)),
        "linewidth": 1.8,
        "marker": "o",
        "markersize": 3.5,
    }
    words = "line of sight" if seen else "no line of sight: the way the eye looks"
    explain(ax, words, Line2D([], [], **style))  # type: ignore[arg-type]
    keep_off_line(ax, ends)
    for end in ends:
        keep_clear_of_mark(ax, end, 6)
    line = Line2D(*zip(*ends, strict=True), zorder=palette.LAYER["path"], gid="look", **style)  # type: ignore[arg-type]
    return [ax.add_line(line)]
