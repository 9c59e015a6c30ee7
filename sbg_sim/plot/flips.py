"""What flips an answer, drawn on its picture: shifts of bases as arrows, other readings of the rules in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import shapely
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Patch

from sbg_sim.plot import palette
from sbg_sim.plot.canvas import HARD, explain
from sbg_sim.plot.labels import keep_off_line, keep_off_rim, label
from sbg_sim.plot.palette import FLIP
from sbg_sim.plot.reaches import plot_answer
from sbg_sim.plot.tables import finish, stage
from sbg_sim.plot.verdicts import plot_verdict
from sbg_sim.plot.words import chance_text, inches_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from sbg_sim.geometry.shapes import Point

_SHORTEST = 0.35  # inches on the table: the least length of an arrow; its number tells the true shift


def plot_flips(found: Any, *, ax: Axes | None = None, most: int = 4, **options: Any) -> Axes:
    """Draw an answer with the smallest shifts that flip it: an arrow from each base, with its length.

    Parameters
    ----------
    found
        The result of `flips`.
    ax
        Where to draw; a new figure's Axes when not given.
    most
        The most arrows, the smallest shifts first.
    options
        Options of the picture of the answer.

    """
    ax = plot_verdict(found.verdict, ax=ax, **options)
    tips = [tip for _, tip in _arrows(found, most)]
    if tips:
        stage(ax, found.verdict.table, [(*tip, *tip) for tip in tips])
    draw_flips(ax, found, most=most)
    return ax


def _arrows(found: Any, most: int) -> list[tuple[Any, Point]]:
    """Return the smallest shifts that have a direction, and the end of the arrow of each, inches."""
    shifts = [shift for shift in found.shifts if shift.direction is not None][:most]
    return [(s, _tip(found.verdict.table.model(s.model).at, s)) for s in shifts]


def _tip(at: Point, shift: Any) -> Point:
    long = max(shift.inches, _SHORTEST)
    return at[0] + long * shift.direction[0], at[1] + long * shift.direction[1]


def draw_flips(ax: Axes, found: Any, *, most: int = 4) -> Sequence[Artist]:
    """Draw only the arrows; return the artists."""
    artists: list[Artist] = []
    table = found.verdict.table
    for shift, tip in _arrows(found, most):
        (x, y), (dx, dy) = table.model(shift.model).at, shift.direction
        shaft = {"arrowstyle": "-|>", "color": FLIP, "lw": 1.8, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 11}
        artists.append(ax.annotate("", tip, (x, y), arrowprops=shaft, zorder=9))
        keep_off_line(ax, [(x, y), tip], weight=HARD)
        gid = f"flip {shift.model} {math.degrees(math.atan2(dy, dx)):.1f}"
        words = inches_text(shift.inches, 0.0)
        artists.append(label(ax, tip, words, clear=0.1, size=8.0, colour=FLIP, gid=gid, zorder=10))
        sign = Line2D([], [], color=FLIP, linewidth=1.8, marker=">", ms=5)
        explain(ax, "so far off, it would turn the answer", sign, where=shapely.LineString([(x, y), tip]))
    if not artists:
        words = f"no base that is up to {inches_text(found.limit, 0.0)} off would turn the answer"
        explain(ax, words, Line2D([], [], linestyle="none"))
    finish(ax)  # names keep clear of the arrows
    return artists


def plot_readings(found: Any, *, ax: Axes | None = None, whole: bool = False, section: bool = False) -> Axes:
    """Draw an answer, and list in the legend the readings of the rules under which it would differ.

    Parameters
    ----------
    found
        The result of `rulings`.
    ax, whole, section
        As of `sbg_sim.plot.verdicts.plot_verdict`.

    """
    ax = plot_verdict(found.verdict, ax=ax, whole=whole, section=section)
    others = [row for row in (*found.rows, *found.combinations) if not row.in_force]
    for row in (row for row in others if row.differs):
        told = " and ".join(f"{name} = {reading}" for name, reading in row.chosen)
        said = "chance " + chance_text(row.verdict.chance) if row.answer == "chance" else row.answer or "no question"
        explain(ax, f"if {told}: {said.upper()}", Line2D([], [], linestyle="none"))
    if same := sum(not row.differs for row in others):
        words = f"{same} other reading{'s' * (same != 1)} of the rules would not change it"
        explain(ax, words, Line2D([], [], linestyle="none"))
    finish(ax)
    return ax


def plot_certainty(found: Any, *, ax: Axes | None = None, **options: Any) -> Axes:
    """Draw an answer, the doubt about each place that matters, and whether the answer holds for all such places.

    Parameters
    ----------
    found
        The result of `certainty`.
    ax
        Where to draw; a new figure's Axes when not given.
    options
        Options of the picture of the answer.

    """
    ax = plot_answer(found.verdict, ax=ax, **options)
    models = found.verdict.table.models
    who = [name for name, _ in found.matters] or [getattr(found.verdict.question, "model", "")]
    for model in (models[name] for name in who if name in models and found.doubts.get(name)):
        off = found.doubts[model.id]
        style: dict[str, Any] = {"edgecolor": FLIP, "facecolor": "none", "linewidth": 1.4, "linestyle": (0, (1, 1.2))}
        far = Circle(model.at, model.radius + off, zorder=palette.LAYER["mark"], gid=f"doubt-{model.id}", **style)
        ax.add_patch(far)
        keep_off_rim(ax, model.at, far.radius)
        where = shapely.buffer(shapely.Point(model.at), far.radius)
        explain(ax, f"its base may be up to {inches_text(off, 0.0)} off", Patch(**style), where=where)
    sure = f"{found.answer or 'what is told'}, wherever all stand within the doubt"
    told = sure if found.sure else f"not sure: {found.why}"
    explain(ax, told, Line2D([], [], linestyle="none"))
    finish(ax)
    return ax
