"""Terrain by kind: fill, hatch and rim, name and height; ladders as ladders."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from sbg_sim.arrays import point
from sbg_sim.errors import plain
from sbg_sim.geometry.areas import clipped
from sbg_sim.plot import palette
from sbg_sim.plot.canvas import HARD, explain, sheet
from sbg_sim.plot.labels import boxes_along, extent, fits, in_view, keep_off_line, meets, per_point, place, put
from sbg_sim.plot.outlines import area_patch, open_to_view, shape_middle, shape_patch, sign_of
from sbg_sim.plot.spots import Spot
from sbg_sim.plot.words import inches_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.patches import Patch as PatchType
    from matplotlib.text import Text

    from sbg_sim.arrays import Floats
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.plot.palette import TerrainStyle
    from sbg_sim.table.board import Table
    from sbg_sim.table.terrain import Terrain


def draw_terrain(ax: Axes, table: Table) -> list[Artist]:
    """Draw every piece of terrain by its kind."""
    drawn: list[Artist] = []
    for piece in _in_order(table.terrain.values()):
        drawn += _ladder(ax, table, piece) if piece.shape is None else _piece(ax, table, piece)
        if piece.shape is not None and piece.shape.kind == "line":
            keep_off_line(ax, piece.shape.spine, piece.shape.radius, _HEDGES)
    return drawn


def _in_order(pieces: Iterable[Terrain]) -> list[Terrain]:
    """Return the pieces in drawing order: platforms from low to high after other terrain, pieces on another last."""
    return sorted(
        pieces, key=lambda p: (p.on is not None, "platform" not in p.tags, p.top if "platform" in p.tags else 0.0)
    )


def terrain_kind(piece: Terrain) -> str:
    """Return the kind of a piece, a word of the palette."""
    return next(
        (kind for kind in ("gap", "ladder", "unscalable", "platform", "obstacle", "difficult") if kind in piece.tags),
        "",
    )


def _piece(ax: Axes, table: Table, piece: Terrain) -> list[Artist]:
    assert piece.shape is not None
    seen = open_to_view(table, piece)
    if seen is not None and seen.is_empty:
        return []
    body = piece.shape.to_shapely() if seen is None else seen

    def patch(**how: Any) -> PatchType:
        return shape_patch(piece.shape, **how) if seen is None and piece.shape else area_patch(body, **how)

    kind = terrain_kind(piece)
    style = palette.TERRAIN[kind]
    layer = palette.LAYER["terrain"] + 0.05 * (piece.on is not None)
    rim = palette.LAYER["terrain-rim"] + 0.05 * (piece.on is not None)
    drawn: list[Artist] = [
        ax.add_artist(patch(facecolor=style.fill, edgecolor="none", zorder=layer, gid=f"terrain-{piece.id}"))
    ]
    hatches = [(style.hatch, style.hatch_colour)] if style.hatch else []
    if piece.difficult and kind != "difficult":
        also = palette.TERRAIN["difficult"]
        hatches.append((also.hatch, also.edge))
        explain(ax, also.words, _swatch(also), where=body)
    for hatch, colour in hatches:
        drawn.append(
            ax.add_artist(patch(facecolor="none", edgecolor=colour, hatch=hatch, linewidth=0, zorder=rim - 0.02))
        )
    line: dict[str, Any] = {"edgecolor": style.edge, "linewidth": style.width, "linestyle": style.style}
    drawn.append(ax.add_artist(patch(facecolor="none", zorder=rim, **line)))
    if kind == "platform":
        drawn.append(ax.add_artist(patch(facecolor="none", edgecolor=style.fill, linewidth=0.9, zorder=rim + 0.01)))
    explain(ax, style.words, _swatch(style), where=body)
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
    """Draw a ladder as rails and rungs at its foot, pointing to the piece that it leads to."""
    assert piece.at is not None  # a ladder is a point
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
        ax,
        style.words,
        Line2D([], [], color=style.edge, linewidth=style.width, marker=sign_of("H"), markersize=8),
        where=shapely.Point(x, y),
    )
    return [ax.add_collection(lines, autolim=False)]


def _towards(table: Table, piece: Terrain) -> Point:
    """Return the direction in which a ladder crosses a rim: into the piece that it leads to, or back into its gap."""
    goal = table.terrain.get(piece.to or piece.on or "")
    if goal is None or goal.shape is None or piece.at is None:
        return 0.0, 1.0
    body, foot = goal.shape.to_shapely(), shapely.Point(piece.at)
    near = shapely.get_point(shapely.shortest_line(body.boundary, foot), 0)
    inside = shapely.intersection(body, shapely.buffer(near, _BY_THE_RIM)).centroid
    dx, dy = inside.x - near.x, inside.y - near.y
    size = math.hypot(dx, dy)
    return (dx / size, dy / size) if size > 0 else (0.0, 1.0)


def piece_middle(piece: Terrain) -> Point:
    """Return the place for a piece's label, inches."""
    if piece.shape is not None:
        return shape_middle(piece.shape)
    return piece.at or (0.0, 0.0)


def piece_text(piece: Terrain) -> str:
    """Return a piece's label: its name, its height or depth, and the piece on which it stands."""
    text = plain(piece.id)
    if "gap" in piece.tags:
        text += f" {inches_text(piece.depth)} deep" if piece.depth is not None else ""
    elif piece.height is not None and not (piece.height == 0 and terrain_kind(piece) == "difficult"):
        text += f" {inches_text(piece.height)}"
    return text + (f" (on {piece.on})" if piece.on else "")


class Rims:
    """Pieces and their rims, so that no name is written over another piece or its rim."""

    def __init__(self, table: Table, pieces: Iterable[Terrain]) -> None:
        shaped = [piece for piece in _in_order(pieces) if piece.shape is not None]
        self._names = np.array([piece.id for piece in shaped])
        bodies = [_in_sight(table, piece) for piece in shaped]
        self._tree = shapely.STRtree([body.boundary for body in bodies])
        self._bodies = shapely.STRtree(bodies)

    def uncovered(self, name: str, seen: shapely.Geometry) -> shapely.Geometry:
        """Return the visible part of a piece without pieces drawn over it, or all of it if nothing would be left."""
        met = self._bodies.query(seen, predicate="intersects")
        over = met[met > np.flatnonzero(self._names == name)[0]]
        left = shapely.difference(seen, shapely.union_all(self._bodies.geometries[over]))
        return seen if left.is_empty else left

    def meet(self, name: str, room: shapely.Geometry) -> bool:
        """Say whether a name's room meets the rim of another piece."""
        return bool(np.any(self._names[self._tree.query(room, predicate="intersects")] != name))

    def crossed(self, name: str, boxes: Floats) -> Floats:
        """Return the costs of boxes ``(n, 4)``, inches, for a name that would cover the rims of other pieces."""
        at, which = self._tree.query(shapely.box(*boxes.T), predicate="intersects")
        others = at[self._names[which] != name] if len(self._names) else at
        return np.asarray(_OVER_RIM * np.bincount(others, minlength=len(boxes)))


def label_piece(ax: Axes, piece: Terrain, rims: Rims) -> Text | None:
    """Write a piece's label on its visible part, or beside it if it is too small; return None if there is no room."""
    text, middle = piece_text(piece), piece_middle(piece)
    style: dict[str, Any] = {"style": "italic", "owner": NAMES, "gid": f"name-{piece.id}"}
    clear, inside, more, rings = 0.35, False, [], [0.0, 8.0, 18.0]
    within: list[Point] = []
    costly = functools.partial(rims.crossed, piece.id)
    if piece.shape is not None:
        x0, y0, x1, y1 = _in_sight(sheet(ax).table, piece).bounds
        seen = _seen(ax, piece)
        if _hardly(seen, piece.shape.to_shapely(tolerance=0.01)):
            return None
        bare = rims.uncovered(piece.id, seen)
        within = _spots(bare, extent(ax, text, TERRAIN_SIZES[0]))
        roomy = fits(ax, text, TERRAIN_SIZES[0], (x1 - x0, y1 - y0))
        if not (roomy and in_view(ax, middle) and shapely.intersects_xy(seen, *middle)):
            point = seen.representative_point()
            middle = (float(point.x), float(point.y))
        clear, inside, more = min(x1 - x0, y1 - y0) / 2, True, _spots(seen)
        if not in_view(ax, piece_middle(piece)):  # a leader line, lest the name seem another piece's
            clear, rings = 0.1, rings[1:]
        if too_small(ax, piece):  # its name would hide it
            inside, more = False, _beside(ax, seen, extent(ax, text, TERRAIN_SIZES[0]))
            clear = min(clear, 0.35)
    if within:
        spot = place(ax, within[0], text, size=TERRAIN_SIZES[0], more=within, rings=(), costly=costly)
        if spot.free:
            return put(ax, middle, text, spot, clear=0.0, size=TERRAIN_SIZES[0], **style)
    for size in TERRAIN_SIZES:
        how: dict[str, Any] = {"clear": clear, "inside": inside, "more": more, "rings": rings}
        spot = place(ax, middle, text, size=size, costly=costly, **how)
        room = shapely.box(*spot.box)
        if piece.shape is not None and (
            not spot.free or spot.led or rims.meet(piece.id, room) or meets(ax, room, _ACROSS)
        ):
            written = _written_along(ax, piece, seen, rims, size, style)
            if written is not None:
                return written
        if spot.free and spot.bare:
            if spot.led and piece.shape is not None:
                middle = _bare_point(ax, seen, middle, spot)
            return put(ax, middle, text, spot, clear=0.0, size=size, **style)
    return None


def _bare_point(ax: Axes, seen: shapely.Geometry, middle: Point, spot: Spot) -> Point:
    """Return the end of a leader line: the middle of a piece or, if a base covers it, the place nearest to the name."""
    table = sheet(ax).table
    if table is None or not any(math.dist(model.at, middle) < model.radius for model in table.standing()):
        return middle
    x, y = shapely.shortest_line(seen, shapely.Point(spot.at)).coords[0]
    return float(x), float(y)


def _written_along(
    ax: Axes, piece: Terrain, seen: shapely.Geometry, rims: Rims, size: float, style: dict[str, Any]
) -> Text | None:
    """Write a name along the visible part of a slender piece; None if there is no room or the piece is not slender."""
    wide, high = extent(ax, piece_text(piece), size)
    corners, sides = _sides(seen)
    lengths = np.hypot(*sides.T)
    k = int(np.argmax(lengths))
    if lengths[k] < wide or min(lengths) > wide:
        return None
    way = sides[k] / lengths[k]
    way = way if (round(way[0], 6), way[1]) > (0, 0) else -way  # reads from the left, or upwards
    middle = corners[:4].mean(axis=0)
    for share in _ALONG:
        at = middle + share * (lengths[k] - wide) * way
        line = shapely.LineString([at - way * wide / 2, at + way * wide / 2])
        room = shapely.buffer(line, high / 2, cap_style="flat")
        if shapely.covers(seen, line) and not rims.meet(piece.id, room) and not meets(ax, room, _ACROSS):
            boxes = boxes_along(line.coords, high / 2)
            sheet(ax).boxes += [(box, HARD, NAMES) for box in boxes]
            spot = Spot(point(at), boxes[len(boxes) // 2], 0.0, free=True)
            angle = math.degrees(math.atan2(way[1], way[0]))
            return put(ax, spot.at, piece_text(piece), spot, clear=0.0, size=size, rotation=angle, **style)
    return None


def _hardly(seen: shapely.Geometry, body: shapely.Geometry) -> bool:
    """Say whether only a sliver of a piece is in view: less than half of it, and no part broad enough for a name."""
    broad = float(np.hypot(*_sides(body)[1].T).min())
    return bool(seen.area < 0.5 * body.area and shapely.buffer(seen, -min(_SLIVER, 0.4 * broad)).is_empty)


def _sides(area: shapely.Geometry) -> tuple[Floats, Floats]:
    """Return the corners ``(5, 2)`` of the smallest rectangle about an area and two of its sides ``(2, 2)``, inches."""
    about = shapely.oriented_envelope(area)
    corners = np.asarray(about.exterior.coords) if isinstance(about, shapely.Polygon) else np.zeros((5, 2))
    return corners, np.diff(corners[:3], axis=0)


_BY_THE_RIM: Final = 0.1  # inches round the nearest rim: the part of a piece in there tells the direction inwards
_HEDGES: Final = 0.24  # weight by which names keep off walls and hedges; legends do not
_OVER_RIM: Final = 1.0  # cost of a name over the rim of another piece
_SLIVER: Final = 0.15  # inches: half the breadth of the part of a piece that must be in view for its name
_SLENDER: Final = 0.15  # a piece narrower than this share of its length is a wall or a hedge
_KEPT: Final = 27  # places tried for a name
_ACROSS: Final = 4.0  # weight of things that a name avoids by standing along its piece
_ALONG: Final = (0.0, -0.2, 0.2, -0.4, 0.4)  # offsets from the middle of a piece, shares of the room along it


def too_small(ax: Axes, piece: Terrain) -> bool:
    """Say whether a piece would be hidden under its name."""
    if piece.shape is None:
        return False
    x0, y0, x1, y1 = _in_sight(sheet(ax).table, piece).bounds
    return bool(max(x1 - x0, y1 - y0) < extent(ax, piece_text(piece), TERRAIN_SIZES[0])[0])


def _spots(area: shapely.Geometry, size: tuple[float, float] = (0.0, 0.0)) -> list[Point]:
    """Return a few places spread over an area at which a box of a size fits into it, those near the middle first.

    In a slender area they lie along it, or all of them would be near its middle.
    """
    x0, y0, x1, y1 = area.bounds
    parts = (0.5, 0.35, 0.65, 0.2, 0.8, 0.08, 0.92, 0.03, 0.97)
    across = [(0.5, 0.2, 0.8) if x < _SLENDER * y else parts for x, y in ((x1 - x0, y1 - y0), (y1 - y0, x1 - x0))]
    places = np.array([(x0 + (x1 - x0) * u, y0 + (y1 - y0) * v) for u in across[0] for v in across[1]])
    places = places[np.argsort(np.hypot(*(places - ((x0 + x1) / 2, (y0 + y1) / 2)).T), kind="stable")]
    if size == (0.0, 0.0):
        held = shapely.contains_xy(area, places)
    else:
        shapely.prepare(area)
        held = shapely.covers(area, _boxes(places, size))
    return [(float(x), float(y)) for x, y in places[held][:_KEPT]]


def _boxes(places: Floats, size: tuple[float, float]) -> Any:
    low, high = places - np.array(size) / 2, places + np.array(size) / 2
    return shapely.box(low[:, 0], low[:, 1], high[:, 0], high[:, 1])


def _beside(ax: Axes, area: shapely.Geometry, size: tuple[float, float]) -> list[Point]:
    """Return places beside a piece for its name, clear of the piece, those near its middle first."""
    on, step = np.array(_spots(area) or [area.representative_point().coords[0]]), per_point(ax)[1]
    x0, y0, x1, y1 = area.bounds
    ways = [(0.0, -1.0), (0.0, 1.0), (1.0, 0.0), (-1.0, 0.0)]
    out = np.arange(0.0, max(x1 - x0, y1 - y0) + 4 * step, 2 * step)
    offs = [(w[0] * (size[0] / 2 + d), w[1] * (size[1] / 2 + d)) for w in ways for d in out.tolist()]
    places = (on[:, None] + np.array(offs)).reshape(-1, 2)
    boxes = _boxes(places, size)
    shapely.prepare(area)
    apart = shapely.distance(boxes, area)
    off = np.flatnonzero((apart > 0) & (apart < 4 * step))
    far = np.hypot(*(places[off] - ((x0 + x1) / 2, (y0 + y1) / 2)).T)
    return [(float(x), float(y)) for x, y in places[off[np.argsort(far, kind="stable")][:_KEPT]]]


def _seen(ax: Axes, piece: Terrain) -> shapely.Geometry:
    """Return the part of a piece that is in view and not under a taller top."""
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    body = _in_sight(sheet(ax).table, piece)
    return clipped(body, (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)))


def _in_sight(table: Table | None, piece: Terrain) -> shapely.Geometry:
    assert piece.shape is not None
    seen = None if table is None else open_to_view(table, piece)
    return piece.shape.to_shapely(tolerance=0.01) if seen is None else seen


def keep_names_off(ax: Axes, pieces: Iterable[Terrain]) -> None:
    """Let no name of terrain cover a piece that is smaller than its own name."""
    for piece in pieces:
        if piece.shape is not None and too_small(ax, piece):
            boxes = [piece.shape.bounds]
            if piece.shape.kind == "line":
                boxes = boxes_along(piece.shape.spine, piece.shape.radius)
            sheet(ax).boxes += [(box, HARD, NAMES) for box in boxes]


def piece_in_view(ax: Axes, piece: Terrain) -> bool:
    """Say whether the box of a piece meets the view."""
    if piece.shape is None:
        return in_view(ax, piece_middle(piece))
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    box = piece.shape.bounds
    return box[0] < max(x0, x1) and box[2] > min(x0, x1) and box[1] < max(y0, y1) and box[3] > min(y0, y1)


def middle_in_view(ax: Axes, piece: Terrain) -> Point | None:
    """Return a place in the visible part of a piece, inches; None if only a sliver is in view."""
    if piece.shape is None:
        return piece.at if piece_in_view(ax, piece) else None
    seen = _seen(ax, piece)
    if _hardly(seen, piece.shape.to_shapely(tolerance=0.01)):
        return None
    at = seen.representative_point()
    return float(at.x), float(at.y)


TERRAIN_SIZES: Final = (7.0, 5.5)
"""Sizes of a piece's name, points; the second is used if the first has no room."""
NAMES = "names"
