"""A route seen from the side: height against distance travelled, since heights do not show from above."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import shapely
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Polygon, Rectangle

from sbg_sim.errors import SbgError
from sbg_sim.plot import palette
from sbg_sim.plot.canvas import HARD, Box, chart_axes, explain, sheet, title, under
from sbg_sim.plot.fonts import scaled, text_width
from sbg_sim.plot.headlines import allowed, headline, mover_of, shown_route
from sbg_sim.plot.inches import ruled
from sbg_sim.plot.labels import extent, fits, keep_clear, keep_off_line, label
from sbg_sim.plot.legends import explained, legend
from sbg_sim.plot.options import chosen
from sbg_sim.plot.routes import along, draw_die, share_after, test_word
from sbg_sim.plot.tables import finish
from sbg_sim.plot.terrain import terrain_kind
from sbg_sim.plot.words import inches_text
from sbg_sim.table.levels import elevation
from sbg_sim.table.route import FACES
from sbg_sim.tolerance import FITS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table
    from sbg_sim.table.route import Leg, Route
    from sbg_sim.table.terrain import Terrain

_SAMPLE = 0.02  # inches between the places at which the terrain under a route is found
_AIR = 0.7  # inches over the highest thing drawn
_SHEER = 6.0  # height at which sheer terrain of unknown height is drawn, inches
_UNTOLD = 1.0  # depth at which a gap of unknown depth is drawn, inches
_NAMED = 7.5  # points: size of a name
_NAMED_BESIDE = 20.0  # weight by which names keep off terrain too small for its name
SOIL = 0.35  # inches of ground under the lowest terrain


@dataclass(frozen=True)
class Step:
    """One leg seen from the side: distances from the start and heights over the ground, inches.

    A step up or down is drawn at ``turn``, the distance at which the centre crosses the rim.
    """

    leg: Leg
    start: Point
    end: Point
    turn: float


def plot_section(verdict: Verdict, *, ax: Axes | None = None) -> Axes:
    """Draw the route of a verdict from the side, true to scale.

    Parameters
    ----------
    verdict
        An answer with a route.
    ax
        Where to draw; None makes a new figure.

    Raises
    ------
    SbgError
        When the verdict has no route.

    """
    route, mover = shown_route(verdict), mover_of(verdict)
    if route is None or mover is None or not route.legs:
        raise SbgError(f"{headline(verdict)}: there is no route to draw from the side")
    steps = profile(verdict.table, route, mover.on, mover.climbed)
    spare = mover.radius + 0.4
    strips = pieces_under(verdict.table, route, spare)
    tall = mover.height or 2 * mover.radius
    heads = [steps[0].start[1] + tall, steps[-1].end[1] + tall]
    high = max([s.end[1] for s in steps] + [t for *_, t in strips] + heads) + _AIR
    low = min([0.0] + [bottom(verdict.table, p) for p, *_ in strips]) - SOIL
    left, right = -spare, steps[-1].end[0] + spare
    own = ax is None
    if ax is None:
        ax = chart_axes(6.4, max(1.6, 6.4 * (high - low) / (right - left)))
    ax.set_aspect("equal", adjustable="box", anchor="NW")
    ax.set_xlim(left, right)
    ax.set_ylim(low, high)
    ruled(ax, "distance along the way")
    draw_section(ax, verdict, steps, strips)
    return entitled(ax, verdict, "seen from the side along the way", own=own)


def entitled(ax: Axes, verdict: Verdict, words: str, *, own: bool) -> Axes:
    """Give a side view its title, with the answer if it has a figure of its own, and its legend."""
    if own:
        title(ax, headline(verdict), words)
    else:
        wide = 72 * ax.get_window_extent().width / ax.figure.dpi
        brief = words if text_width(words, scaled(_NAMED)) <= wide else "from the side"
        ax.set_title(brief, loc="left", fontsize=scaled(_NAMED))
    legend(ax)
    return ax


def floor(table: Table, surface: str | None) -> float:
    """Return the height of a surface over the ground, inches; 0 for the ground itself and for unknown surfaces."""
    high = elevation(table, surface) if surface is None or surface in table.terrain else 0.0
    return high if math.isfinite(high) else 0.0


def profile(table: Table, route: Route, level: str | None, climbed: float = 0.0) -> list[Step]:
    """Return a route's legs as distances and heights, from its level and ``climbed`` inches up a face."""
    steps, way, height = [], 0.0, floor(table, level) + climbed
    for leg in route.legs:
        clings = bool(leg.rise) and leg.surface == level and leg.start == leg.end  # part of the way up a face
        after = height + leg.rise if clings else floor(table, leg.surface)
        if leg.kind in ("stand", "lie", "crawl") or (leg.walked and leg.surface == level):
            after = height
        turn = way + _crossing(table, leg, leg.surface if after > height else level, down=after < height)
        steps.append(Step(leg, (way, height), (way + leg.length, after), turn))
        way, height, level = way + leg.length, after, leg.surface
    return steps


def _crossing(table: Table, leg: Leg, upper: str | None, *, down: bool) -> float:
    """Return where on a leg its centre crosses the rim of the higher level, inches: at its lower end, but for steps."""
    rim = leg.surface if upper is None else upper
    if rim is None or leg.kind not in ("up", "down"):
        return leg.length if down else 0.0
    shape = table.piece(rim).shape
    assert shape is not None
    ways = np.linspace(0.0, 1.0, math.ceil(leg.length / _SAMPLE) + 2)
    inside = shape.contains(np.array([along(leg, t) for t in ways]))
    last = leg.kind == "down"  # down: where the centre leaves for good; up: where it first arrives
    changes = np.flatnonzero(inside[1:] != inside[:-1])
    return leg.length * float(ways[changes[-1 if last else 0] + 1]) if len(changes) else leg.length * last


def pieces_under(table: Table, route: Route, spare: float = 0.0) -> list[Strip]:
    """Return the terrain under the centre: piece, first and last distance, height of its top, inches.

    Parameters
    ----------
    table, route
        The table and the route.
    spare
        How far to go straight on beyond either end of the way, inches.

    """
    ways, points = _beyond(route, spare, before=True)
    way = 0.0
    for leg in route.legs:
        count = max(1, math.ceil(leg.length / _SAMPLE))
        for i in range(count + 1):
            ways.append(way + leg.length * i / count)
            points.append(along(leg, i / count))
        way += leg.length
    more, further = _beyond(route, spare, before=False)
    ways, points = ways + [way + w for w in more], points + further
    xy, at = np.array(points), np.array(ways)
    found = []
    for piece in table.terrain.values():
        if piece.shape is None:
            continue
        inside = piece.shape.contains(xy)
        edges = np.flatnonzero(np.diff(np.concatenate(([0], inside.astype(int), [0]))))
        tall = 0.0 if "gap" in piece.tags else piece.top if math.isfinite(piece.top) else _SHEER
        top = floor(table, piece.on) + tall
        found += [(piece, float(at[a]), float(at[b - 1]), top) for a, b in edges.reshape(-1, 2) if at[b - 1] > at[a]]
    return sorted(found, key=lambda entry: (entry[0].on is not None, "platform" not in entry[0].tags, entry[3]))


def _beyond(route: Route, spare: float, *, before: bool) -> tuple[list[float], list[Point]]:
    """Return distances and places straight on from a way: before its start (negative) or beyond its end."""
    long = [leg for leg in route.legs if leg.length > _SAMPLE]
    if not long or spare <= 0:
        return [], []
    a, b = (long[0].start, along(long[0], 0.01)) if before else (along(long[-1], 0.99), long[-1].end)
    x, y = a if before else b
    step = math.dist(a, b)
    count = math.ceil(spare / _SAMPLE)
    off = [(i - count if before else i + 1) * spare / count for i in range(count)]
    return off, [(x + w * (b[0] - a[0]) / step, y + w * (b[1] - a[1]) / step) for w in off]


def draw_section(ax: Axes, verdict: Verdict, steps: list[Step], strips: list[Strip]) -> list[Artist]:
    """Draw the ground, the terrain, the way and the model; return the artists."""
    mover = mover_of(verdict)
    assert mover is not None
    tall, style = mover.height or 2 * mover.radius, palette.side_styles([mover.side])[mover.side]
    start, end = (
        (way - mover.radius, height, way + mover.radius, height + tall)
        for way, height in (steps[0].start, steps[-1].end)
    )
    corners = shapely.box(*end).exterior.coords
    keep_off_line(ax, corners)
    dashed: dict[str, Any] = {"edgecolor": style.rim, "linestyle": (0, (2, 1.2)), "linewidth": 1.5}
    ghost = Polygon(corners, facecolor="none", zorder=palette.LAYER["base"], gid="ghost-end", **dashed)
    drawn = [*draw_soil(ax), *draw_body(ax, mover.id, start, style), ax.add_patch(ghost)]
    for strip in strips:
        drawn += draw_strip(ax, verdict.table, strip, strips)
    used, limit = 0.0, allowed(verdict)
    most = math.inf if limit is None else limit
    for step in steps:
        drawn += _move(ax, verdict.table, step, most - used)
        used += step.leg.cost
    return drawn + _notes(ax, steps)


def draw_body(ax: Axes, name: str, box: Box, style: palette.SideStyle) -> list[Artist]:
    """Draw a model from the side, kept clear of words, and its name: inside if it fits, else above."""
    first, foot, last, top = box
    rim: dict[str, Any] = {"edgecolor": style.rim, "linestyle": style.style, "linewidth": 1.5}
    body = Rectangle((first, foot), last - first, top - foot, facecolor=style.fill, gid=f"model-{name}", **rim)
    body.set_zorder(palette.LAYER["base"])
    if fits(ax, name, _NAMED, (last - first, top - foot)):
        named = label(ax, ((first + last) / 2, (foot + top) / 2), name, inside=True, size=_NAMED)
        keep_clear(ax, box, HARD)
    else:
        keep_clear(ax, box, HARD)
        named = label(ax, ((first + last) / 2, top), name, clear=0.08, size=_NAMED, spare=True)
    return [ax.add_patch(body), named]


def draw_soil(ax: Axes) -> list[Artist]:
    """Draw the ground of a side view, down to the lower end of the axis."""
    low = ax.get_ylim()[0]
    soil = Rectangle(
        (-99, low), 999, -low, facecolor="#E9E4DA", edgecolor="none", zorder=palette.LAYER["terrain"] - 0.2
    )
    ground = Line2D([-99, 900], [0, 0], color=palette.TABLE_EDGE, linewidth=1.0, zorder=palette.LAYER["terrain-rim"])
    return [ax.add_patch(soil), ax.add_line(ground)]


def bottom(table: Table, piece: Terrain) -> float:
    """Return the height over the ground of the foot of a piece, or of the bottom of a gap, inches."""
    if "gap" not in piece.tags:
        return floor(table, piece.on)
    return floor(table, piece.on) - (_UNTOLD if piece.depth is None else piece.depth)


Strip: TypeAlias = "tuple[Terrain, float, float, float]"
"""A piece of terrain seen from the side: its first and last distance, and the height of its top, inches."""


def draw_strip(ax: Axes, table: Table, strip: Strip, strips: Sequence[Strip]) -> list[Artist]:
    """Draw a piece of terrain from the side, with its name where no higher piece of ``strips`` hides it."""
    piece, first, last, top = strip
    kind = terrain_kind(piece)
    style = palette.TERRAIN[kind]
    low = bottom(table, piece)
    if "gap" not in piece.tags and top <= low:  # flat ground, such as a bog
        low, top = low - 0.12, low
    fill = palette.PAPER if kind == "gap" else style.fill
    block: dict[str, Any] = {
        "facecolor": fill,
        "edgecolor": style.hatch_colour if style.hatch else style.edge,
        "hatch": style.hatch,
    }
    box = Rectangle(
        (first, low),
        last - first,
        top - low,
        linewidth=1.0,
        zorder=palette.LAYER["terrain"],
        gid=f"terrain-{piece.id}",
        **block,
    )
    explain(ax, style.words, Patch(**block))
    size = f" {inches_text(piece.depth)} deep" if kind == "gap" and piece.depth is not None else ""
    if kind != "gap" and piece.height:
        size = f" {inches_text(piece.height)}"
    text = piece.id + size
    how: dict[str, Any] = {"size": 7.0, "style": "italic", "spare": True}
    left, right = _bare(strip, strips)
    if fits(ax, text, 7.0, (right - left, top - low)):
        wide, high = extent(ax, text, how["size"])
        xs, ys = (np.linspace(a + w / 2, b - w / 2, 5) for a, b, w in ((left, right, wide), (low, top, high)))
        named = label(
            ax, ((left + right) / 2, (low + top) / 2), text, inside=True, more=itertools.product(xs, ys), **how
        )
    else:  # its name would hide it
        keep_clear(ax, (left, low, right, top), _NAMED_BESIDE)
        named = label(ax, ((left + right) / 2, top), text, clear=0.05, **how)
    return [ax.add_patch(box), named]


def _bare(strip: Strip, strips: Sequence[Strip]) -> tuple[float, float]:
    """Return the first and last distance of the longest stretch of a piece that no higher one hides."""
    _, first, last, top = strip
    parts = [(first, last)]
    for _, a, b, high in strips:
        if high > top:
            parts = [p for x, y in parts for p in ((x, min(y, a)), (max(x, b), y)) if p[1] > p[0]]
    return max(parts, key=lambda part: part[1] - part[0], default=(first, last))


def _move(ax: Axes, table: Table, step: Step, left: float) -> list[Artist]:
    """Draw one leg: level, over in a bow, or up and down at the face; from ``left`` inches on it looks different."""
    (x0, y0), (x1, y1) = step.start, step.end
    kind = step.leg.kind
    if kind in ("jump", "leap", "jump-prone"):
        over = step.leg.test.over if step.leg.test is not None else ""
        rise = table.terrain[over].top if kind == "jump" and over in table.terrain else 0.15
        apex = (0.0 if math.isinf(rise) else rise) + 0.3
        t = np.linspace(0, 1, 33)
        bow = 4 * t * (1 - t)
        xs, ys = x0 + (x1 - x0) * t, y0 + (y1 - y0) * t + apex * np.sqrt(bow)
    else:
        xs, ys = np.array([x0, step.turn, step.turn, x1]), np.array([y0, y0, y1, y1])
    crossing = not step.leg.stops_anywhere
    style: dict[str, Any] = {
        "color": palette.PATH,
        "linestyle": (0, (3, 1.5)) if crossing else "solid",
        "linewidth": 2.0,
    }
    keep_off_line(ax, list(zip(xs.tolist(), ys.tolist(), strict=True)))
    gid, layer = f"leg-{kind}", palette.LAYER["path"]
    near, far = (xs, ys), None
    if step.leg.cost > left + FITS:
        near, far = _parted(step, xs, ys, max(0.0, left))
    drawn: list[Artist] = []
    if far is None or left > FITS:
        words = "crossing: jump, leap or climb" if crossing else "way of the base's centre"
        explain(ax, words, Line2D([], [], **style))
        drawn.append(ax.add_line(Line2D(*near, zorder=layer, gid=gid, **style)))
    if far is not None:
        style |= {"color": palette.BEYOND, "linestyle": (0, (1.2, 1.6))}
        explain(ax, "beyond its Move", Line2D([], [], **style))
        drawn.append(ax.add_line(Line2D(*far, zorder=layer, gid=f"{gid}-beyond", **style)))
    return drawn


_Line: TypeAlias = "tuple[np.ndarray, np.ndarray]"


def _parted(step: Step, xs: np.ndarray, ys: np.ndarray, left: float) -> tuple[_Line, _Line]:
    """Divide the line of a leg where ``left`` inches of movement are used up."""
    leg, share = step.leg, share_after(step.leg, left)
    if leg.kind in FACES and leg.rise:
        risen = leg.risen(left) / leg.rise
        x, y = float(xs[0] + share * (xs[-1] - xs[0])), float(ys[0] + risen * (ys[-1] - ys[0]))
        at = 1 + (risen > 0 or leg.rise > 0) + (risen >= 1)
    else:
        way = np.abs(xs - xs[0])
        cut = share * way[-1]
        x, y = (float(np.interp(cut, way, values)) for values in (xs, ys))
        at = int(np.searchsorted(way, cut))
    return (np.append(xs[:at], x), np.append(ys[:at], y)), (np.insert(xs[at:], 0, x), np.insert(ys[at:], 0, y))


def _notes(ax: Axes, steps: list[Step]) -> list[Artist]:
    """Label each leg with the movement that it uses, and draw the dice."""
    drawn: list[Artist] = []
    for step in steps:
        (x0, y0), (x1, y1) = step.start, step.end
        leg = step.leg
        if leg.test is not None:
            drawn += draw_die(ax, (x0, y0))
            keep_clear(ax, (x0 - 0.15, y0 - 0.15, x0 + 0.15, y0 + 0.15), 3)
        if leg.cost < 0.05:
            continue
        words = f"{test_word(leg.test.kind)}: " if leg.test is not None else "" if leg.walked else f"{leg.kind}: "
        middle, how = ((x0 + x1) / 2, (y0 + y1) / 2), dict[str, Any](fontweight="bold", gid="cost")
        drawn.append(label(ax, middle, words + inches_text(leg.cost), clear=0.12, size=7.0, spare=True, **how))
    return drawn


def add_section(verdict: Verdict, ax: Axes, draw: Callable[..., Axes] = plot_section) -> Axes:
    """Draw a side view under a plan, in the same figure; its legend has only entries that the plan's lacks."""
    below = under(ax)
    sheet(below).own = True
    drawn = draw(verdict, ax=below)
    said, entries = explained(ax), sheet(below).legend
    more = {key: handle for key, handle in entries.items() if key not in said}
    sheet(below).legend = more
    written = below.get_legend()
    if written is not None:
        written.remove()
        if chosen().figsize is None and sheet(ax).own:
            legend(below)
        else:  # there is no room beside it
            sheet(ax).legend |= more
    finish(ax)  # the plan may be smaller, and its legend under the side view
    return drawn
