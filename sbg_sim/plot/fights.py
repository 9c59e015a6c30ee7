"""The fights after a Move phase: which models fight which, which are trapped, where the others can back away."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Wedge

from sbg_sim.plot import palette
from sbg_sim.plot.canvas import explain, title
from sbg_sim.plot.tables import finish, ground, stage
from sbg_sim.plot.views import box_of
from sbg_sim.rules.backing import FULL

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.phase.turn import Melee
    from sbg_sim.rules.backing import Trap
    from sbg_sim.table.models import Model

_FREE = "#2E7D32"


def plot_fights(melee: Melee, *, ax: Axes | None = None) -> Axes:
    """Draw the fights of a table, with the chosen pairing off or else the first.

    Parameters
    ----------
    melee
        The fights to draw.
    ax
        Where to draw; None makes a new figure.

    """
    names = {name for fight in melee.shown for name in fight.models}
    ax = stage(ax, melee.table, [box_of(melee.table.model(name), 1.5) for name in sorted(names)], whole=not names)
    ground(ax, melee.table)
    draw_fights(ax, melee)
    for trap in melee.traps:
        draw_trap(ax, melee.table.model(trap.model), trap)
    count, trapped = len(melee.shown), melee.trapped
    ways = "" if melee.pairings.count <= 1 else f", one of {melee.pairings.count} ways to pair off"
    head = f"{count} fight{'s' if count != 1 else ''}{ways}"
    title(ax, head, f"trapped: {', '.join(trapped)}" if trapped else "nobody is trapped" if count else "nobody fights")
    finish(ax)
    return ax


def draw_fights(ax: Axes, melee: Melee) -> list[Artist]:
    """Draw a line across the contact of each pair that fights, short of the names on the bases."""
    drawn: list[Artist] = []
    for number, fight in enumerate(melee.shown, 1):
        for one in fight.good:
            for other in fight.evil:
                xs, ys = zip(*_through_contact(melee.table.model(one), melee.table.model(other)), strict=True)
                line = Line2D(
                    xs,
                    ys,
                    color=palette.INK,
                    linewidth=2.4,
                    solid_capstyle="round",
                    zorder=palette.LAYER["path"],
                    gid=f"fight-{number}",
                )
                drawn.append(ax.add_line(line))
    if drawn:
        explain(ax, "they fight each other", Line2D([], [], color=palette.INK, linewidth=2.4))
    return drawn


def _through_contact(one: Model, other: Model) -> tuple[Point, Point]:
    """Return the ends of a line between two bases, each about half a radius from the centre."""
    far = math.dist(one.at, other.at)
    first, last = 0.55 * one.radius / far, 1 - 0.55 * other.radius / far
    (ax_, ay), (bx, by) = one.at, other.at
    return (ax_ + first * (bx - ax_), ay + first * (by - ay)), (ax_ + last * (bx - ax_), ay + last * (by - ay))


def draw_trap(ax: Axes, model: Model, trap: Trap) -> list[Artist]:
    """Draw a ring round a trapped model, or the directions in which it can back away."""
    if trap.trapped:
        ring = Circle(
            model.at,
            model.radius * 1.18,
            facecolor="none",
            edgecolor=palette.FAULT,
            linewidth=2.6,
            zorder=palette.LAYER["mark"],
            gid=f"trapped-{model.id}",
        )
        style: dict[str, Any] = {"marker": "o", "markersize": 11, "markerfacecolor": "none", "markeredgewidth": 2.2}
        explain(ax, "trapped", Line2D([], [], linestyle="none", markeredgecolor=palette.FAULT, **style))
        return [ax.add_patch(ring)]
    drawn: list[Artist] = []
    for low, high in trap.ways:
        wedge = Wedge(
            model.at,
            model.radius + FULL,
            math.degrees(low),
            math.degrees(high),
            width=FULL,
            facecolor=_FREE,
            alpha=0.13,
            edgecolor="none",
            zorder=palette.LAYER["ghost"],
            gid=f"way-{model.id}",
        )
        drawn.append(ax.add_patch(wedge))
    swatch = Line2D([], [], linestyle="none", marker="s", markersize=9, color=_FREE, alpha=0.3)
    explain(ax, "can back away there", swatch)
    return drawn
