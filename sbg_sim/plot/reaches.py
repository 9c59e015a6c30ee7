"""A reach: where a model can end its move, by chance, and the ground that its base can cover."""

from __future__ import annotations

import itertools
import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, PathPatch

from sbg_sim.arrays import point
from sbg_sim.plot import palette
from sbg_sim.plot.canvas import Box, explain, sheet, title
from sbg_sim.plot.charges import draw_contact_arcs
from sbg_sim.plot.entries import STEPS
from sbg_sim.plot.fonts import scaled, text_width
from sbg_sim.plot.labels import keep_clear_of_mark, label, per_point, place
from sbg_sim.plot.options import chance_hue, chosen, hue, opacity, paled
from sbg_sim.plot.outlines import lines_of, path_of, polygons
from sbg_sim.plot.rings import draw_mover
from sbg_sim.plot.routes import draw_route, route_box
from sbg_sim.plot.tables import finish, ground, stage
from sbg_sim.plot.verdicts import draw_wanted, plot_verdict
from sbg_sim.plot.views import box_of
from sbg_sim.plot.words import chance_text, inches_text
from sbg_sim.solver.reach import reach as find_reach
from sbg_sim.table.questions import ReachOf

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from sbg_sim.arrays import Floats
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.reach_areas import Reach
    from sbg_sim.solver.verdict import Verdict

_ISOCHRONE = "#1D5C80"
_ABOVE_TOPS = palette.LAYER["terrain-rim"] - palette.LAYER["reach"]
_SEAM = 0.002  # inches within which two outlines count as one: their chords stray from the arcs
_RIM = 0.01  # inches: a landing this near to better ground is not drawn
_MOST_STEPS = 20  # steps of cost that can be told apart
_SMALL = 7.0  # points: size of the cost on a line of equal cost
_ENOUGH = 2.5  # a line of equal cost gets a text only if it is this many times as long
_AIR = 4.0  # points of space between such a text and other labels
_ALONG = (0.5, 0.35, 0.65, 0.2, 0.8)  # shares of a line at which its text may stand
_LEAST_TOLD = 0.005  # square inches: a smaller area would be written as 0.00
_LEVELS = 3  # levels listed in a title besides the mover's own
_BRIEF = 8.0  # points: a shorter landing is drawn as a dot
_FINE = 0.001  # inches by which outlines may be off: with fewer vertices arcs show corners
_OF_SMALL = 1.5e-4  # and as a share of the extent of a small reach, which is drawn enlarged


def plot_reach(
    reach: Reach,
    *,
    ax: Axes | None = None,
    whole: bool = False,
    to: Point | None = None,
    contacts: bool = True,
    cost: bool = False,
) -> Axes:
    """Draw where a model can end its move.

    Parameters
    ----------
    reach
        The reach to draw.
    ax
        Where to draw; None makes a new figure.
    whole
        Show the whole table; otherwise a new figure shows the reach and its surroundings.
    to
        A place (inches) to which the way is shown as well, or a mark if the model cannot certainly end there.
    contacts
        Whether to draw the arcs of enemy bases that it can charge.
    cost
        Fill the certain area of every level by the cost of ending there, with a line at every inch.

    """
    table, mover = reach.table, model_of(reach)
    boxes = [box_of(mover), *boxes_of(reach)]
    route = reach.path(to) if to is not None else None
    boxes += [route_box(route, mover.radius)] if route is not None else []
    boxes += [(*to, *to)] if to is not None and route is None else []
    ax = stage(ax, table, boxes, whole=whole)
    ground(ax, table, mover=mover)
    draw_mover(ax, table, mover)
    draw_reach(ax, reach, contacts=contacts, fill=not cost)
    if cost:
        draw_costs_of(ax, reach)
    if route is not None:
        draw_route(ax, route, mover, allowance=reach.allowance)
    elif to is not None:
        above = any(shapely.intersects_xy(area, *to) for area in _certain_elsewhere(reach).values())
        draw_wanted(ax, to, mover, "on another level alone" if above else "it cannot certainly end there")
    asked = "what it costs {} to end its move" if cost else "where {} can end its move"
    head = f"{asked.format(mover.id)} · Move {inches_text(reach.allowance)}"
    blocked = tuple(getattr(reach, "blocked", ()))
    title(ax, head, f"it goes nowhere for certain: {', '.join(blocked)}" if blocked else _certain_words(reach))
    finish(ax)
    return ax


def _certain_words(reach: Reach) -> str:
    """Say how large the certain area is, and how large on other levels, the largest first."""
    # The error is rounded up to the last digit shown: its third digit differs between processors.
    error = f"±{max(math.ceil(100 * reach.area_error) / 100, 0.01):g}"
    told = f"{reach.area.area:.2f} square inches certain for its centre"
    rows = [(float(area.area), on) for on, area in _certain_elsewhere(reach).items()]
    others = sorted((row for row in rows if row[0] >= _LEAST_TOLD), key=lambda row: (-row[0], str(row[1])))
    if not others:
        return f"{told} ({error})"
    more = [f"{size:.2f} on {on or 'the ground'}" for size, on in others[:_LEVELS]]
    more += [f"more on {len(others) - _LEVELS} other levels"] if len(others) > _LEVELS else []
    return f"{told} on {reach.surface or 'the ground'} ({error}), {', '.join(more)}"


def boxes_of(reach: Reach) -> list[Box]:
    """Return the boxes of all areas of a reach, on every level, and of the ground that the base can cover, inches."""
    rows = [*reach.regions, *(row for level in getattr(reach, "platforms", {}).values() for row in level)]
    return [area.bounds for area in (*(area for _, area in rows), reach.swept) if not area.is_empty]


def plot_answer(verdict: Verdict, *, ax: Axes | None = None, whole: bool = False, section: bool = False) -> Axes:
    """Draw the answer to a question on its table; for a question about a reach, the whole reach.

    Parameters
    ----------
    verdict, ax, whole, section
        As of `sbg_sim.plot.verdicts.plot_verdict`.

    """
    if isinstance(verdict.question, ReachOf):
        return plot_reach(find_reach(verdict.table, verdict.question.model), ax=ax, whole=whole)
    return plot_verdict(verdict, ax=ax, whole=whole, section=section)


def model_of(reach: Any) -> Any:
    """Return the model of a reach or charge list, which may hold the model or its id."""
    return reach.table.model(reach.model) if isinstance(reach.model, str) else reach.model


def draw_costs_of(ax: Axes, reach: Reach) -> list[Artist]:
    """Fill the certain area of every level by cost in steps of an inch, with a line of equal cost at each step.

    The steps are areas of a smaller Move, as exact as the whole area. A Move above 20 has longer steps.
    """
    levels = {reach.surface: reach.area} | _certain_elsewhere(reach)
    each = max(1, math.ceil(reach.allowance / _MOST_STEPS))
    steps = [*range(each, math.ceil(reach.allowance), each), reach.allowance]
    shades = [palette.cost_colour(rank / max(len(steps) - 1, 1)) for rank in range(len(steps))]
    nested = {on: _nested(reach, on, steps[:-1], whole) for on, whole in levels.items() if polygons(whole)}
    drawn: list[Artist] = []
    for rank, (low, high) in enumerate(itertools.pairwise([0, *steps])):
        sign = Patch(facecolor=shades[rank], edgecolor=_ISOCHRONE, linewidth=0.7)
        for on, areas in nested.items():
            ring = areas[rank] if rank == 0 else shapely.difference(areas[rank], areas[rank - 1])
            if not polygons(shapely.buffer(ring, -_SEAM)):
                continue
            explain(ax, f"costs {low:g} to {high:g}″", sign, where=ring, step=(low, high))
            above = above_base(reach) if on == reach.surface else _ABOVE_TOPS
            layer = palette.LAYER["reach"] + above + 0.1 * (1 - rank / len(steps))  # smaller costs lie on top
            style: dict[str, Any] = {"facecolor": shades[rank], "edgecolor": "none", "gid": f"costs-{high:g}"}
            drawn.append(ax.add_patch(PathPatch(path_of(areas[rank], _FINE, _OF_SMALL), zorder=layer, **style)))
            drawn += _isochrone(ax, high, areas[rank], areas[-1], layer + 0.1, reach) if high < steps[-1] else []
    return drawn


def _certain_elsewhere(reach: Reach) -> dict[str | None, shapely.Geometry]:
    """Return the certain areas on the other levels."""
    rows = getattr(reach, "platforms", {}).items()
    return {on: areas[0][1] for on, areas in rows if areas[0][0] == 1}


def _nested(
    reach: Reach, surface: str | None, steps: Sequence[float], whole: shapely.Geometry
) -> list[shapely.Geometry]:
    """Return the areas of a level up to each cost (inches), then the whole; no more once it is full."""
    found: list[shapely.Geometry] = []
    for step in steps:
        full = bool(found) and shapely.covers(shapely.buffer(found[-1], _SEAM), whole)
        found.append(whole if full else reach.within(step, surface))
    return [*found, whole]


def _isochrone(
    ax: Axes, cost: float, area: shapely.Geometry, whole: shapely.Geometry, layer: float, reach: Reach
) -> list[Artist]:
    """Draw the outline of an area of smaller cost where it is not the whole's, and write the cost on it."""
    fronts = lines_of(shapely.difference(area.boundary, shapely.buffer(whole.boundary, _SEAM)))
    if not fronts:
        return []
    points = [shapely.simplify(line, _FINE).coords for line in fronts]
    lines = LineCollection(points, colors=_ISOCHRONE, linewidths=0.7, zorder=layer, gid=f"isochrone-{cost:g}")
    return [ax.add_collection(lines, autolim=False), *_told_along(ax, cost, fronts, whole, reach)]


def _told_along(
    ax: Axes, cost: float, fronts: Sequence[shapely.LineString], area: shapely.Geometry, reach: Reach
) -> list[Artist]:
    """Write the cost on a line of equal cost, where the line is long enough and the place free."""
    text, rim, mover = f"{cost:g}″", area.boundary, model_of(reach)
    shapely.prepare(rim)
    ring = shapely.Point(mover.at), sheet(ax).ringed.get(mover.id, 0.0)
    drawn: list[Artist] = []
    room = shapely.buffer(area, -_wide(ax, text) / 2)
    for line in lines_of(shapely.intersection(shapely.MultiLineString(list(fronts)), room)):
        spots = [point(line.interpolate(share, normalized=True).coords[0]) for share in _ALONG]
        how: dict[str, Any] = {"size": _SMALL, "more": spots, "rings": (), "air": _AIR}
        how["costly"] = partial(_off_the_area, ax, text, line.length, rim, ring)
        if place(ax, spots[0], text, **how).free:
            drawn.append(label(ax, spots[0], text, spare=True, gid="isochrone-cost", **how))
    return drawn


def _wide(ax: Axes, text: str) -> float:
    """Return the width of a written cost, inches of the table."""
    return per_point(ax)[0] * text_width(text, scaled(_SMALL))


def _off_the_area(
    ax: Axes, text: str, long: float, rim: shapely.Geometry, ring: tuple[shapely.Point, float], boxes: Floats
) -> Floats:
    """Return infinite costs for boxes of a text on a short line, over the area's rim or on the mover's ring, else 0."""
    wide = _wide(ax, text)
    if long <= _ENOUGH * wide:
        return np.full(len(boxes), math.inf)
    apart = shapely.distance(rim, shapely.points((boxes[:, :2] + boxes[:, 2:]) / 2))
    on_ring = shapely.distance(ring[0], shapely.box(*boxes.T)) < ring[1]
    return np.where((apart < wide / 2 - _SEAM) | on_ring, math.inf, 0.0)


def draw_reach(ax: Axes, reach: Reach, *, contacts: bool = True, fill: bool = True) -> list[Artist]:
    """Draw the regions by chance, the swept area and the contact arcs, or their outlines alone; return the artists."""
    drawn: list[Artist] = []
    if polygons(reach.swept):
        colour = chosen().color  # of several results each is pale in its own colour
        style: dict[str, Any] = {
            # beside fills of costs another pale fill would be taken for a cost
            "facecolor": "none" if not fill else palette.SWEPT if colour is None else paled(colour, 0.16),
            "edgecolor": "#9DB4C4" if colour is None else paled(colour, 0.5),
            "linewidth": 0.6,
            "linestyle": (0, (2, 1.5)),
        }
        patch = PathPatch(path_of(reach.swept, _FINE, _OF_SMALL), zorder=palette.LAYER["swept"], gid="swept", **style)
        drawn.append(ax.add_patch(patch))
    drawn += _regions(ax, reach.regions, above=above_base(reach), certain=fill)
    for regions in getattr(reach, "platforms", {}).values():
        drawn += _regions(ax, regions, above=_ABOVE_TOPS, certain=fill)
    if polygons(reach.swept):
        explain(ax, "its base can cover", Patch(**style), where=reach.swept)
    if contacts and reach.contacts:
        drawn += draw_contact_arcs(ax, reach.table, reach.contacts)
    return drawn


def above_base(reach: Reach) -> float:
    """Return by how many layers an area is raised that the mover's base would hide, else 0."""
    mover = model_of(reach)
    if not shapely.covers(shapely.Point(mover.at).buffer(mover.radius), reach.area):
        return 0.0
    return palette.LAYER["base"] + 0.05 - palette.LAYER["reach"]


def _regions(
    ax: Axes, regions: Sequence[tuple[Fraction, shapely.Geometry]], *, above: float = 0.0, certain: bool = True
) -> list[Artist]:
    """Draw nested areas by chance, each without the better ones inside it; the certain one only if ``certain``."""
    drawn: list[Artist] = []
    inner: shapely.Geometry | None = None
    all_rows, regions = regions, grouped(regions)
    for rank, (chance, area) in enumerate(regions):
        ring = area if inner is None else shapely.difference(area, inner)
        lines = ring if inner is None else shapely.difference(area, shapely.buffer(inner, _RIM))
        inner = area if inner is None else shapely.union(inner, area)
        filled = certain or chance < 1
        ring = _without_hairs(ring, rank) if filled else ring
        if filled and polygons(ring):
            rare = rank == STEPS - 1 and len(regions) < len(all_rows)
            drawn += _region(ax, ring, chance, rank, palette.LAYER["reach"] + above, rare=rare)
        drawn += _lines(ax, lines, chance, above)
    return drawn


def _without_hairs(ring: shapely.Geometry, rank: int) -> shapely.Geometry:
    """Return the areas of a ring without parts thinner than the error of an outline, which would be drawn as lines.

    In the surest area these are seams between its parts, in others slivers between the chords of two outlines.
    """
    by = _FINE / 2 if rank == 0 else -_FINE / 2
    return shapely.buffer(
        shapely.buffer(shapely.union_all(polygons(ring)), by, join_style="mitre"), -by, join_style="mitre"
    )


def grouped(rows: Sequence[tuple[Fraction, shapely.Geometry]]) -> Sequence[tuple[Fraction, shapely.Geometry]]:
    """Return at most five steps of chance, the smallest joined: more could not be told apart."""
    return rows if len(rows) <= STEPS else [*rows[: STEPS - 1], rows[-1]]


def _lines(ax: Axes, area: shapely.Geometry, chance: Fraction, above: float) -> list[Artist]:
    """Draw places without breadth (where a jump lands) as a line in the colour of their chance, with a dark casing."""
    drawn: list[Artist] = []
    for line in lines_of(area):
        xs, ys = zip(*((p[0], p[1]) for p in line.coords), strict=True)
        brief = line.length < _BRIEF * per_point(ax)[0]
        if brief:  # a name would hide it, and without round ends it could not be seen
            keep_clear_of_mark(ax, line.interpolate(0.5, normalized=True).coords[0], _BRIEF)
        for width, colour in ((5.0, "#1D5C80"), (3.2, chance_hue(chance))):
            ends = "round" if brief else "butt"
            style: dict[str, Any] = {"color": colour, "linewidth": width, "solid_capstyle": ends}
            gid = f"reach-line-{chance}" if width < 4 else "reach-casing"
            drawn.append(ax.add_line(Line2D(xs, ys, zorder=palette.LAYER["reach"] + above + 0.4, gid=gid, **style)))
        explain(ax, f"centre can end on this line: {chance_text(chance)}", drawn[-1], where=line, chance=chance)
    return drawn


def _region(
    ax: Axes, ring: shapely.Geometry, chance: Fraction, rank: int, layer: float, *, rare: bool = False
) -> list[Artist]:
    colour = chance_hue(chance)
    hatch = palette.CHANCE_HATCHES[min(rank, len(palette.CHANCE_HATCHES) - 1)]
    path, edge = path_of(ring, _FINE, _OF_SMALL), hue("#1D5C80")
    fill = PathPatch(
        path,
        facecolor=colour,
        edgecolor="none",
        alpha=opacity(0.62 if chosen().color is None else 0.35),
        zorder=layer,
        gid=f"reach-{chance}",
    )
    rim = PathPatch(
        path,
        facecolor="none",
        edgecolor=edge,
        hatch=hatch or None,
        linewidth=0.0 if hatch else 1.0,
        zorder=layer + 0.1,
    )
    outline = PathPatch(path, facecolor="none", edgecolor=edge, linewidth=0.9, zorder=layer + 0.2)
    swatch = Patch(facecolor=colour, edgecolor=edge, hatch=hatch or None, linewidth=0.9, alpha=0.85)
    words = f"{chance_text(chance)} or a little more" if rare else chance_text(chance)
    explain(ax, f"centre can end here: {words}", swatch, where=ring, chance=chance)
    return [ax.add_patch(p) for p in ((fill, rim, outline) if hatch else (fill, outline))]
