"""The table: ground, terrain by kind, bases as true circles, Control Zones."""

from __future__ import annotations

import math
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
import shapely
from matplotlib.collections import EllipseCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Rectangle

from sbg_sim.plot import palette
from sbg_sim.plot.beneath import lay_out
from sbg_sim.plot.canvas import HARD, Box, broken, explain, new_axes, sheet, show_view, title
from sbg_sim.plot.inches import rule_inches
from sbg_sim.plot.labels import forget, keep_clear, per_point, settle
from sbg_sim.plot.legends import legend
from sbg_sim.plot.names import draw_names, rim_width, side_on_paper
from sbg_sim.plot.options import chosen, with_options
from sbg_sim.plot.terrain import NAMES, draw_terrain
from sbg_sim.plot.underlays import draw_underlay
from sbg_sim.plot.views import box_of, neighbourhood, view_around, whole_of
from sbg_sim.plot.words import inches_text
from sbg_sim.rules.zones import ZONE_WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from sbg_sim.plot.palette import SideStyle
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model


def plot_table(
    table: Table, *, ax: Axes | None = None, zones: bool = True, names: bool = True, readings: bool = False
) -> Axes:
    """Draw a whole table.

    Parameters
    ----------
    table
        The table to draw.
    ax
        Where to draw; None makes a new figure that pyplot does not know.
    zones
        Whether to draw the Control Zones (CZ.1) of models that have enemies on the table.
    names
        Whether models and terrain are labelled.
    readings
        Whether to draw the tape readings that placed models: tapes, ellipses of doubt, residuals.

    """
    if readings:
        drawn: Axes = import_module("sbg_sim.plot.tapes").plot_readings(table, ax=ax, names=names)  # draws the table
        return drawn
    ax = stage(ax, table, [whole_of(table)], whole=True)
    ground(ax, table, zones=zones)
    title(ax, table.title or f"Table of {inches_text(table.width)} by {inches_text(table.depth)}", table.source)
    finish(ax, names=names)
    return ax


def stage(
    ax: Axes | None, table: Table | None, boxes: Iterable[Box], *, whole: bool = False, outside: Iterable[Box] = ()
) -> Axes:
    """Make an Axes that shows what matters, or fit the view of one that is given.

    Parameters
    ----------
    ax
        Where to draw; None makes a new figure. Limits that a user has set stay as they are.
    table
        The table drawn under the result; None if the result is drawn alone, or on a table that is there already.
    boxes
        Boxes that must be in view, inches.
    whole
        Show the whole table.
    outside
        Boxes beyond the edge of the table that must be in view as well, inches.

    """
    wanted = chosen().view
    if isinstance(wanted, tuple):
        view = wanted
    elif table is None:
        view = view_around(boxes, (-math.inf, -math.inf, math.inf, math.inf), margin=0.0)
    elif wanted == "all" or (whole and wanted is None):
        view = whole_of(table)
    else:
        view = neighbourhood(table, boxes)
    if not isinstance(wanted, tuple):
        for x0, y0, x1, y1 in outside:
            view = min(view[0], x0), min(view[1], y0), max(view[2], x1), max(view[3], y1)
    if ax is None:
        named = [*table.standing()] if table is not None and chosen().names else []
        ax = new_axes(view, side=side_on_paper(named, view))
        rule_inches(ax)
        return ax
    kept = sheet(ax)
    if kept.framed and wanted is None:  # a result over another: the view holds both
        (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
        both = min(view[0], x0), min(view[1], y0), max(view[2], x1), max(view[3], y1)
        if both != (x0, y0, x1, y1):
            show_view(ax, both)
            rule_inches(ax)
    elif wanted is not None or kept.framed or (ax.get_autoscalex_on() and not ax.has_data()):
        ax.set_aspect("equal", adjustable="box")
        show_view(ax, view)
        rule_inches(ax)
    return ax


def finish(ax: Axes, *, names: bool = True) -> None:
    """Write the names, anew if results were laid over the table, and the legend."""
    for _ in range(_ROUNDS):  # a legend that takes room of the Axes leaves less for labels
        settle(ax)
        _write_names(ax, wanted=names and chosen().names)
        before = per_point(ax)
        legend(ax)
        if per_point(ax) == before:
            break
        if sheet(ax).table is not None:
            rule_inches(ax)
    for part in ax.child_axes:
        settle(cast("Axes", part))


def renew(ax: Axes) -> list[Axes]:
    """Fit words to the room that a layout engine leaves them; return the other Axes that changed."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    if figure.get_layout_engine() is None:
        return []
    for _ in range(_TWICE):
        lay_out(ax)
        for other in figure.axes:
            written = sheet(other).title
            if written is not None:
                written.set_text(broken(other))
        if not sheet(ax).names or np.allclose(sheet(ax).named_at, per_point(ax), rtol=_SAME):
            break
        finish(ax)
    moved = []
    for other in (other for other in figure.axes if other is not ax and sheet(other).names):
        if not np.allclose(sheet(other).named_at, per_point(other), rtol=_HARDLY):
            with with_options(sheet(other).options):
                finish(other)
            moved.append(other)
    return moved


def _write_names(ax: Axes, *, wanted: bool) -> None:
    kept = sheet(ax)
    if kept.table is None:
        return
    for name in kept.names:
        name.remove()
    forget(ax, NAMES)
    kept.names, kept.key = [], []
    if wanted:
        kept.names, kept.named_at = draw_names(ax, kept.table), per_point(ax)


def ground(ax: Axes, table: Table, *, mover: Model | None = None, zones: bool = True) -> list[Artist]:
    """Draw the table under a result, unless the Axes has one; set up an empty Axes for it."""
    if sheet(ax).table is not None:
        return []
    if not sheet(ax).framed and not ax.has_data() and ax.get_autoscalex_on():
        ax.set_aspect("equal", adjustable="box")
        show_view(ax, whole_of(table))
    elif not ax.has_data():  # the user's limits stay, and circles are round
        ax.set_aspect("equal", adjustable="box")
    rule_inches(ax)
    sheet(ax).table = table
    with with_options(replace(chosen(), label=None, color=None, alpha=None)):
        drawn = draw_ground(ax, table)
        if table.picture is not None:
            drawn += draw_underlay(ax, table.picture)
        drawn += draw_terrain(ax, table) + draw_models(ax, table)
        if zones and chosen().zones:
            drawn += draw_zones(ax, table, mover=mover)
    sheet(ax).ground = set(sheet(ax).legend)
    return drawn


def draw_table(ax: Axes, table: Table) -> list[Artist]:
    """Draw ground, terrain, Control Zones, models and their names; return the artists."""
    return ground(ax, table) + draw_names(ax, table)


def draw_ground(ax: Axes, table: Table) -> list[Artist]:
    """Draw the table's edge; only the edge counts for automatic limits, as all else lies within it."""
    edge = Rectangle(
        (0, 0),
        table.width,
        table.depth,
        facecolor="none",
        edgecolor=palette.TABLE_EDGE,
        linewidth=1.6,
        zorder=palette.LAYER["ground"],
        gid="table",
    )
    return [ax.add_patch(edge)]


def draw_models(ax: Axes, table: Table) -> list[Artist]:
    """Draw every model on the table: base, side, prone, engaged."""
    styles = palette.side_styles(m.side for m in table.models.values())
    standing = table.standing()
    drawn: list[Artist] = []
    for model in standing:
        keep_clear(ax, box_of(model), HARD)
    if len(standing) > _MANY:
        for side, style in styles.items():
            members = [m for m in standing if m.side == side]
            look_of = {
                "facecolors": style.fill,
                "edgecolors": style.rim,
                "linestyles": [style.style],
                "linewidths": 0.9,
            }
            drawn += _discs(ax, members, 0.0, gid=f"models-{side}", zorder=palette.LAYER["base"], **look_of)
            explain_base(ax, {side: style}, members[:1])
        return drawn
    for model in standing:
        drawn += _base(ax, model, styles[model.side])
    return drawn + _contacts(ax, table)


_SAME: Final = 0.01  # share by which a scale may change before names are placed anew
_TWICE: Final = 2  # rounds: a legend changes the room of the title and the names
_HARDLY: Final = 0.05  # and the share for the other Axes of a figure
_ROUNDS: Final = 3  # rounds in which names and legend take room from each other
_MANY: Final = 300  # models beyond which the bases of a side are one artist, without names


def _discs(ax: Axes, models: Sequence[Model], grow: float, **style: Any) -> list[Artist]:
    """Draw many discs round the models' centres as one artist."""
    if not models:
        return []
    widths = [2 * (m.radius + grow) for m in models]
    spots: dict[str, Any] = {"offsets": [m.at for m in models], "offset_transform": ax.transData}
    discs = EllipseCollection(widths, widths, [0.0] * len(models), units="xy", **spots, **style)
    return [ax.add_collection(discs, autolim=False)]


def _base(ax: Axes, model: Model, style: SideStyle) -> list[Artist]:
    circle = Circle(
        model.at,
        model.radius,
        facecolor=style.fill,
        edgecolor=style.rim,
        linestyle=style.style,
        linewidth=rim_width(ax, model.radius),
        zorder=palette.LAYER["base"],
        gid=f"model-{model.id}",
    )
    explain_base(ax, {model.side: style}, [model])
    drawn: list[Artist] = [ax.add_artist(circle)]
    if model.prone:
        drawn.append(ax.add_line(prone_bar(model, style)))
        explain_prone(ax, model)
    return drawn


def prone_bar(model: Model, style: SideStyle) -> Line2D:
    """Return the bar across the base of a prone model."""
    (x, y), reach = model.at, 0.62 * model.radius
    style_of: dict[str, Any] = {"color": style.rim, "linewidth": 4, "solid_capstyle": "round"}
    bar = Line2D([x - reach, x + reach], [y, y], zorder=palette.LAYER["base"] + 0.1, **style_of)
    bar.set_gid(f"prone-{model.id}")
    return bar


def explain_prone(ax: Axes, model: Model) -> None:
    """Explain the bar across a base in the legend."""
    sign = Line2D([], [], color=palette.INK, linewidth=4, solid_capstyle="round")
    explain(ax, "prone (PRN.1)", sign, where=_disc(model))


def _disc(model: Model, more: float = 0.0) -> shapely.Geometry:
    return shapely.buffer(shapely.Point(model.at), model.radius + more)


def explain_base(ax: Axes, styles: Mapping[str, SideStyle], models: Iterable[Model]) -> None:
    """Explain the look of each side's bases in the legend."""
    for model in models:
        style = styles[model.side]
        look: dict[str, Any] = {"color": style.rim, "linestyle": style.style, "linewidth": 1.8}
        sign = Line2D([], [], marker="o", markersize=7, markerfacecolor=style.fill, **look)
        explain(ax, f"base, {model.side} side" if model.side else "base, no side", sign, where=_disc(model))


def _contacts(ax: Axes, table: Table) -> list[Artist]:
    """Mark the point of contact of every engaged pair once."""
    pairs = {
        (min(m.id, other), max(m.id, other))
        for m in table.standing()
        for other in m.engaged
        if other in table.models and other not in table.off
    }
    drawn: list[Artist] = []
    for one, two in sorted(pairs):
        a, b = table.models[one], table.models[two]
        gap = math.dist(a.at, b.at)
        part = (a.radius + (gap - a.radius - b.radius) / 2) / gap if gap > 0 else 0.5
        at = (a.at[0] + (b.at[0] - a.at[0]) * part, a.at[1] + (b.at[1] - a.at[1]) * part)
        size = min(_ENGAGED["markersize"], _OF_BASE * 2 * min(a.radius, b.radius) / per_point(ax)[0])
        mark = Line2D(
            [at[0]],
            [at[1]],
            **{**_ENGAGED, "markersize": size},
            zorder=palette.LAYER["mark"],
            gid=f"engaged-{one}-{two}",
        )
        drawn.append(ax.add_line(mark))
        explain(ax, "engaged: in base contact (CHG.2)", Line2D([], [], **_ENGAGED), where=shapely.Point(at))
    return drawn


_OF_BASE = 0.5  # greatest width of a mark on a rim, as a share of the base's: it must not cover a number
_ENGAGED: dict[str, Any] = {
    "linestyle": "none",
    "marker": "X",
    "markersize": 7.0,
    "markerfacecolor": palette.YELLOW,
    "markeredgecolor": palette.BLACK,
    "markeredgewidth": 0.8,
}


def _many_zones(ax: Axes, standing: Sequence[Model], mover: Model | None) -> list[Artist]:
    sides = {m.side for m in standing if m.side} if mover is None else {mover.side}
    live = [m for m in standing if m.has_zone and m.side and sides - {m.side}]
    look_of: dict[str, Any] = {"facecolors": "none", "edgecolors": palette.ZONE, "linestyles": [palette.ZONE_STYLE]}
    sign = Line2D([], [], color=palette.ZONE, linestyle=palette.ZONE_STYLE, linewidth=0.9)
    explain(ax, "Control Zone: 1″ round the base (CZ.1)", sign)
    return _discs(ax, live, ZONE_WIDTH, gid="zones", linewidths=0.5, zorder=palette.LAYER["zone"], **look_of)


def draw_zones(ax: Axes, table: Table, *, mover: Model | None = None) -> list[Artist]:
    """Draw Control Zones as thin rings 1 inch outside the bases; cancelled ones (CZ.2) dotted and grey.

    Parameters
    ----------
    mover
        When given, only the zones of its enemies; otherwise of every model that has an enemy on the table.

    """
    standing = table.standing()
    drawn: list[Artist] = []
    if len(standing) > _MANY:
        return _many_zones(ax, standing, mover)
    for model in standing:
        rivals = [mover] if mover is not None else standing
        if not any(model.is_enemy(other) for other in rivals):
            continue
        live = model.has_zone
        ring = Circle(
            model.at,
            model.radius + ZONE_WIDTH,
            facecolor="none",
            edgecolor=palette.ZONE if live else palette.ZONE_CANCELLED,
            linestyle=palette.ZONE_STYLE if live else palette.ZONE_CANCELLED_STYLE,
            linewidth=0.9,
            zorder=palette.LAYER["zone"],
            gid=f"{'zone' if live else 'no-zone'}-{model.id}",
        )
        drawn.append(ax.add_artist(ring))
        has, has_not = "Control Zone: 1″ round the base (CZ.1)", "no Control Zone: prone or engaged (CZ.2)"
        words = has if live else has_not
        explain(
            ax,
            words,
            Line2D([], [], color=ring.get_edgecolor(), linestyle=ring.get_linestyle(), linewidth=0.9),
            where=shapely.boundary(_disc(model, ZONE_WIDTH)),
        )
    return drawn
