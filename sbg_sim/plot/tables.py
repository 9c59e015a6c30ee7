"""The table: ground, terrain by kind, bases as true circles, Control Zones."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import shapely
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Patch, Rectangle

from sbg_sim.plot import palette
from sbg_sim.plot.canvas import Box, explain, legend, new_axes, rule_inches, sheet, title, view_around
from sbg_sim.plot.labels import fits, forget, keep_clear, label
from sbg_sim.plot.outlines import shape_middle, shape_patch
from sbg_sim.plot.words import inches_text, joined
from sbg_sim.rules.zones import ZONE_WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.patches import Patch as PatchType

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.plot.palette import SideStyle, TerrainStyle
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.terrain import Terrain


def plot_table(table: Table, *, ax: Axes | None = None, zones: bool = True, names: bool = True) -> Axes:
    """Draw a whole table.

    Parameters
    ----------
    table
        What to draw.
    ax
        Where; None makes a new figure that pyplot does not know.
    zones
        Whether to draw the Control Zones (CZ.1) of models that have enemies on the table.
    names
        Whether models and terrain are labelled.

    """
    frame = whole(table)
    if ax is None:
        ax = new_axes(frame)
    ground(ax, table, zones=zones)
    title(
        ax, table.title or f"Table of {inches_text(table.width)} by {inches_text(table.depth)}", table.source
    )
    finish(ax, names=names)
    return ax


def finish(ax: Axes, *, names: bool = True) -> None:
    """Write names (again, where results were laid over the table) and the legend."""
    kept = sheet(ax)
    if names and kept.table is not None:
        for name in kept.names:
            name.remove()
        forget(ax, _NAMES)
        kept.names = draw_names(ax, kept.table)
    legend(ax)


def whole(table: Table) -> Box:
    """Return the view that shows all of a table with a little air, inches."""
    air = max(table.width, table.depth) * 0.015
    return -air, -air, table.width + air, table.depth + air


def neighbourhood(table: Table, boxes: Iterable[Box], *, margin: float = 0.75) -> Box:
    """Return the view of what matters, or of the whole table when that is hardly larger."""
    frame = whole(table)
    rows = list(boxes)
    view = view_around(rows, frame, margin=margin)
    # a base that would be cut by the edge of the view is shown whole, when its centre is in it
    cut = [box_of(m, 0.1) for m in table.standing() if _inside(m.at, view)]
    view = view_around([view, *cut], frame, margin=0.0)
    area = (view[2] - view[0]) * (view[3] - view[1])
    return frame if area > 0.8 * (frame[2] - frame[0]) * (frame[3] - frame[1]) else view


def _inside(xy: Point, view: Box) -> bool:
    return view[0] <= xy[0] <= view[2] and view[1] <= xy[1] <= view[3]


def ground(ax: Axes, table: Table, *, mover: Model | None = None, zones: bool = True) -> list[Artist]:
    """Draw the table under a result, unless one is on the Axes already; set an empty Axes up for it."""
    if sheet(ax).table is not None:
        return []
    if not sheet(ax).own and not ax.has_data():
        ax.set_aspect("equal", adjustable="box")
        frame = whole(table)
        ax.set_xlim(frame[0], frame[2])
        ax.set_ylim(frame[1], frame[3])
    rule_inches(ax)
    sheet(ax).table = table
    drawn = draw_ground(ax, table) + draw_terrain(ax, table)
    if zones:
        drawn += draw_zones(ax, table, mover=mover)
    return drawn + draw_models(ax, table)


def draw_table(ax: Axes, table: Table) -> list[Artist]:
    """Draw ground, terrain, Control Zones, models and their names; return the artists."""
    return ground(ax, table) + draw_names(ax, table)


def draw_ground(ax: Axes, table: Table) -> list[Artist]:
    """Draw the table's edge."""
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


def draw_names(ax: Axes, table: Table) -> list[Artist]:
    """Write the name and state of every model in view, and the name and height of every piece of terrain."""
    models = [m for m in table.standing() if _in_view(ax, m.at, m.radius)]
    drawn: list[Artist] = [
        label(
            ax,
            m.at,
            model_text(m),
            clear=m.radius,
            inside=_name_fits(ax, m),
            owner=_NAMES,
            gid=f"name-{m.id}",
        )
        for m in models
    ]
    return drawn + [label_piece(ax, piece) for piece in table.terrain.values() if _piece_in_view(ax, piece)]


_NAMES = "names"


def draw_terrain(ax: Axes, table: Table) -> list[Artist]:
    """Draw every piece by its kind."""
    drawn: list[Artist] = []
    for piece in sorted(table.terrain.values(), key=lambda p: (p.on is not None, "platform" not in p.tags)):
        drawn += _ladder(ax, table, piece) if piece.shape is None else _piece(ax, piece)
    return drawn


def terrain_kind(piece: Terrain) -> str:
    """Return the word of the palette a piece is drawn by."""
    return next(
        (
            kind
            for kind in ("gap", "ladder", "unscalable", "platform", "obstacle", "difficult")
            if kind in piece.tags
        ),
        "",
    )


def _piece(ax: Axes, piece: Terrain) -> list[Artist]:
    assert piece.shape is not None
    kind = terrain_kind(piece)
    style = palette.TERRAIN[kind]
    layer = palette.LAYER["terrain"] + 0.05 * (piece.on is not None)
    rim = palette.LAYER["terrain-rim"] + 0.05 * (piece.on is not None)
    drawn: list[Artist] = [
        ax.add_patch(
            shape_patch(
                piece.shape, facecolor=style.fill, edgecolor="none", zorder=layer, gid=f"terrain-{piece.id}"
            )
        )
    ]
    hatches = [(style.hatch, style.hatch_colour)] if style.hatch else []
    if piece.difficult and kind != "difficult":
        also = palette.TERRAIN["difficult"]
        hatches.append((also.hatch, also.edge))
        explain(ax, also.words, _swatch(also))
    for hatch, colour in hatches:
        drawn.append(
            ax.add_patch(
                shape_patch(
                    piece.shape,
                    facecolor="none",
                    edgecolor=colour,
                    hatch=hatch,
                    linewidth=0,
                    zorder=rim - 0.02,
                )
            )
        )
    outline = shape_patch(
        piece.shape,
        facecolor="none",
        edgecolor=style.edge,
        linewidth=style.width,
        linestyle=style.style,
        zorder=rim,
    )
    drawn.append(ax.add_patch(outline))
    if kind == "platform":
        inner = shape_patch(
            piece.shape, facecolor="none", edgecolor=style.fill, linewidth=0.9, zorder=rim + 0.01
        )
        drawn.append(ax.add_patch(inner))
    explain(ax, style.words, _swatch(style))
    return drawn


def _swatch(style: TerrainStyle) -> PatchType:
    return Patch(
        facecolor=style.fill,
        edgecolor=style.hatch_colour if style.hatch else style.edge,
        hatch=style.hatch,
        linestyle=style.style,
        linewidth=style.width,
    )


def _ladder(ax: Axes, table: Table, piece: Terrain) -> list[Artist]:
    """Draw a ladder as rails and rungs at its foot, pointing to what it leads to."""
    if piece.at is None:
        return []
    (x, y), style = piece.at, palette.TERRAIN["ladder"]
    up = _towards(table, piece)
    along, across = up, (-up[1], up[0])

    def place(a: float, b: float) -> Point:
        return x + a * along[0] + b * across[0], y + a * along[1] + b * across[1]

    rails = [[place(-0.3, side), place(0.3, side)] for side in (-0.15, 0.15)]
    rungs = [[place(a, -0.15), place(a, 0.15)] for a in (-0.2, 0.0, 0.2)]
    lines = LineCollection(
        rails + rungs,
        colors=style.edge,
        linewidths=style.width,
        zorder=palette.LAYER["terrain-rim"] + 0.1,
        gid=f"terrain-{piece.id}",
    )
    explain(
        ax, style.words, Line2D([], [], color=style.edge, linewidth=style.width, marker="$H$", markersize=8)
    )
    return [ax.add_collection(lines, autolim=False)]


def _towards(table: Table, piece: Terrain) -> Point:
    goal = table.terrain.get(piece.to or "")
    if goal is None or goal.shape is None or piece.at is None:
        return 0.0, 1.0
    body = goal.shape.to_shapely()
    middle = body.representative_point()
    dx, dy = middle.x - piece.at[0], middle.y - piece.at[1]
    size = math.hypot(dx, dy)
    return (dx / size, dy / size) if size > 0 else (0.0, 1.0)


def piece_middle(piece: Terrain) -> Point:
    """Return where a piece is labelled, inches."""
    if piece.shape is not None:
        return shape_middle(piece.shape)
    return piece.at or (0.0, 0.0)


def piece_text(piece: Terrain) -> str:
    """Return a piece's label: its name, its height or depth, where it stands."""
    text = piece.id
    if "gap" in piece.tags:
        text += f" {inches_text(piece.depth)} deep" if piece.depth is not None else ""
    elif piece.height is not None and not (piece.height == 0 and terrain_kind(piece) == "difficult"):
        text += f" {inches_text(piece.height)}"
    return text + (f" (on {piece.on})" if piece.on else "")


def label_piece(ax: Axes, piece: Terrain) -> Artist:
    """Write a piece's label on it, or beside it when it is too small."""
    text, middle = piece_text(piece), piece_middle(piece)
    style: dict[str, Any] = {"size": 6.5, "style": "italic", "owner": _NAMES, "gid": f"name-{piece.id}"}
    if piece.shape is None:
        return label(ax, middle, text, clear=0.35, **style)
    x0, y0, x1, y1 = piece.shape.bounds
    seen = _seen(ax, piece)
    inside = fits(ax, text, 6.5, (x1 - x0, y1 - y0))
    if not (inside and _in_view(ax, middle, 0.0)):
        point = seen.representative_point()
        middle = (float(point.x), float(point.y))
    return label(ax, middle, text, clear=min(x1 - x0, y1 - y0) / 2, inside=True, more=_spots(seen), **style)


def _spots(area: shapely.Geometry) -> list[Point]:
    """Return a few places spread over an area, the middle ones first."""
    x0, y0, x1, y1 = area.bounds
    parts = (0.5, 0.35, 0.65, 0.2, 0.8, 0.08, 0.92)
    places = [(x0 + (x1 - x0) * u, y0 + (y1 - y0) * v) for u in parts for v in parts]
    places.sort(key=lambda p: math.hypot(p[0] - (x0 + x1) / 2, p[1] - (y0 + y1) / 2))
    held = shapely.contains_xy(area, [p[0] for p in places], [p[1] for p in places])
    return [p for p, inside in zip(places, held, strict=True) if inside][:24]


def _seen(ax: Axes, piece: Terrain) -> shapely.Geometry:
    """Return the part of a piece that can be seen (a long wall may leave the view)."""
    assert piece.shape is not None
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    body = piece.shape.to_shapely(tolerance=0.01)
    seen = shapely.clip_by_rect(body, min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
    return body if seen.is_empty else seen


def _piece_in_view(ax: Axes, piece: Terrain) -> bool:
    if piece.shape is None:
        return _in_view(ax, piece_middle(piece), 0.0)
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    box = piece.shape.bounds
    return box[0] < max(x0, x1) and box[2] > min(x0, x1) and box[1] < max(y0, y1) and box[3] > min(y0, y1)


def _in_view(ax: Axes, xy: Point, reach: float) -> bool:
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    return x0 - reach <= xy[0] <= x1 + reach and y0 - reach <= xy[1] <= y1 + reach


def draw_models(ax: Axes, table: Table) -> list[Artist]:
    """Draw every model on the table: base, side, prone, engaged."""
    styles = palette.side_styles(m.side for m in table.models.values())
    standing = table.standing()
    drawn: list[Artist] = []
    for model in standing:
        drawn += _base(ax, model, styles[model.side])
        keep_clear(ax, box_of(model), 1.6)
    return drawn + _contacts(ax, table)


def box_of(model: Model, grow: float = 0.0) -> Box:
    """Return the box round a model's base, inches."""
    (x, y), r = model.at, model.radius + grow
    return x - r, y - r, x + r, y + r


def _name_fits(ax: Axes, model: Model) -> bool:
    return fits(ax, model_text(model), 7.0, (1.9 * model.radius, model.radius))


def model_text(model: Model) -> str:
    """Return a model's label: its name, and what state it is in."""
    notes = ["prone"] * model.prone + [f"on {model.on}"] * (model.on is not None)
    notes += [f"climbed {inches_text(model.climbed)}"] * (model.climbed > 0)
    notes += ["moved"] * model.moved + ["held"] * (not model.may_move)
    return model.id + (f"\n({', '.join(notes)})" if notes else "")


def _base(ax: Axes, model: Model, style: SideStyle) -> list[Artist]:
    circle = Circle(
        model.at,
        model.radius,
        facecolor=style.fill,
        edgecolor=style.rim,
        linestyle=style.style,
        linewidth=1.8,
        zorder=palette.LAYER["base"],
        gid=f"model-{model.id}",
    )
    explain(
        ax,
        f"base, {model.side} side" if model.side else "base, no side",
        Line2D(
            [],
            [],
            color=style.rim,
            linestyle=style.style,
            linewidth=1.8,
            marker="o",
            markersize=7,
            markerfacecolor=style.fill,
        ),
    )
    drawn: list[Artist] = [ax.add_patch(circle)]
    if model.prone:
        (x, y), r = model.at, model.radius
        lying = Line2D(
            [x - 0.62 * r, x + 0.62 * r],
            [y, y],
            color=style.rim,
            linewidth=4,
            solid_capstyle="round",
            zorder=palette.LAYER["base"] + 0.1,
            gid=f"prone-{model.id}",
        )
        drawn.append(ax.add_line(lying))
        explain(ax, "prone (PRN.1)", Line2D([], [], color=palette.INK, linewidth=4, solid_capstyle="round"))
    return drawn


def _contacts(ax: Axes, table: Table) -> list[Artist]:
    """Mark the touching point of every engaged pair once."""
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
        mark = Line2D([at[0]], [at[1]], **_ENGAGED, zorder=palette.LAYER["mark"], gid=f"engaged-{one}-{two}")
        drawn.append(ax.add_line(mark))
        explain(ax, "engaged: in base contact (CHG.2)", Line2D([], [], **_ENGAGED))
    return drawn


_ENGAGED: dict[str, Any] = {
    "linestyle": "none",
    "marker": "X",
    "markersize": 7.0,
    "markerfacecolor": palette.YELLOW,
    "markeredgecolor": palette.BLACK,
    "markeredgewidth": 0.8,
}


def draw_zones(ax: Axes, table: Table, *, mover: Model | None = None) -> list[Artist]:
    """Draw Control Zones as thin rings 1 inch outside the bases; cancelled ones (CZ.2) dotted and grey.

    Parameters
    ----------
    mover
        When given, only the zones of its enemies; otherwise of every model that has an enemy on the table.

    """
    standing = table.standing()
    drawn: list[Artist] = []
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
        drawn.append(ax.add_patch(ring))
        if live:
            words = "Control Zone: 1″ round the base (CZ.1)"
        else:
            words = "no Control Zone: prone or engaged (CZ.2)"
        explain(
            ax,
            words,
            Line2D([], [], color=ring.get_edgecolor(), linestyle=ring.get_linestyle(), linewidth=0.9),
        )
        if not live and _in_view(ax, model.at, model.radius):
            why = joined(["prone"] * model.prone + ["engaged"] * bool(model.engaged))
            spot = (model.at[0], model.at[1] + model.radius + ZONE_WIDTH)
            drawn.append(label(ax, spot, f"no zone: {why}", inside=True, size=6.0, colour="#6A6A6A"))
    return drawn
