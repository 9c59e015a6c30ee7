"""Safe ground of a model, on every level that it can reach."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import shapely
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, PathPatch

from sbg_sim.plot import palette
from sbg_sim.plot.canvas import explain, title
from sbg_sim.plot.labels import extent, keep_clear, label
from sbg_sim.plot.outlines import lines_of, path_of, polygons
from sbg_sim.plot.reaches import above_base
from sbg_sim.plot.rings import draw_mover, draw_rings
from sbg_sim.plot.tables import finish, ground, stage
from sbg_sim.plot.views import box_of
from sbg_sim.plot.words import chance_text, inches_text, shortened
from sbg_sim.wording import cut_off, fraction

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from sbg_sim.threats import SafeGround, SafeLevel

_FINE = 0.004
_TOLD = 6  # names in a title
_LABEL = 7.5  # points: size of a label
_LARGE = 8.0  # ground this many times as large as a label is seen even under one
_HIDES = 6.0  # weight by which labels keep off smaller ground


def plot_safe(safe: SafeGround, *, ax: Axes | None = None, whole: bool = False) -> Axes:
    """Draw where a model can end its move safe from every charge, and where not, on every level that it can reach.

    Parameters
    ----------
    safe
        The safe ground to draw.
    ax
        Where to draw; None makes a new figure.
    whole
        Show the whole table.

    """
    table, mover = safe.table, safe.table.model(safe.model)
    enemies = [table.model(name) for name in _enemies(safe)]
    ends = [level.ends[-1][1] for level in safe.levels]
    boxes = [box_of(mover), *(area.bounds for area in ends if not area.is_empty), *map(box_of, enemies)]
    ax = stage(ax, table, boxes, whole=whole)
    ground(ax, table, mover=mover)
    draw_mover(ax, table, mover)
    draw_safe(ax, safe)
    safest = _safest_of(safe)
    there = ""
    if len(safe.levels) > 1 and safest.surface is not None:
        there = f", {'in' if 'gap' in table.piece(safest.surface).tags else 'on'} {safest.surface},"
    head = f"where {safe.model} is safe from every charge next turn"
    head += (
        f": {sum(x.area.area for x in safe.levels):.2f} of {sum(x.certain.area for x in safe.levels):.2f} square inches"
    )
    if safest.best is None:
        names = [enemy.id for enemy in enemies]
        reason = f"nowhere: wherever it goes, {'one of ' * (len(names) > 1)}{shortened(names, _TOLD)} can charge it"
    elif math.isinf(safest.best[1]):
        reason = f"no enemy can come at it at the safest place{there.rstrip(',')}"
    else:
        reason = f"at the safest place{there} the nearest charge is {_short(safest)}"
    if safest.best_chance not in (0, 1):
        reason += f"; it gets there with {chance_text(safest.best_chance)}"
    title(ax, head, reason)
    finish(ax)
    return ax


def _safest_of(safe: SafeGround) -> SafeLevel:
    """Return the level with the safest place of all."""
    return max(safe.levels, key=lambda level: (level.best_chance, level.best[1] if level.best else 0.0))


def _short(level: SafeLevel) -> str:
    """Say by how much the nearest charge falls short at the safest place, at least as far as certified."""
    assert level.best is not None
    margin = level.best[1]
    return f"{inches_text(margin) if level.best_exact else f'at least {inches_text(cut_off(margin, 0.01))}'} short"


def _enemies(safe: SafeGround) -> list[str]:
    """Return the ids of the enemies that can charge the model somewhere."""
    return list(dict.fromkeys(row.enemy for level in safe.levels for row in level.dangers))


def draw_safe(ax: Axes, safe: SafeGround) -> list[Artist]:
    """Draw on every level the safe ground, ground endangered only by dice, dangerous ground, and the safest place."""
    drawn: list[Artist] = []
    safest = _safest_of(safe)
    for level in safe.levels:
        above = above_base(level.reach)
        if level is not safe:
            above = max(above, palette.LAYER["terrain-rim"] - palette.LAYER["reach"])
        drawn += _level(ax, level, above)
        _keep_seen(ax, level)
        if level.best is not None:
            drawn += _safest(ax, level, above, of_all=level is safest)
    enemies = [safe.table.model(name) for name in _enemies(safe)]
    return drawn + draw_rings(ax, enemies, "danger", palette.HIDES, "an enemy that can charge it somewhere")


def _keep_seen(ax: Axes, level: SafeLevel) -> None:
    """Keep labels off small safe ground, which they would hide."""
    label_area = math.prod(extent(ax, "0.00″ short", _LABEL))
    for part in polygons(level.area):
        if part.area < _LARGE * label_area:
            keep_clear(ax, part.bounds, _HIDES)


def _level(ax: Axes, level: SafeLevel, above: float) -> list[Artist]:
    """Draw one level, ``above`` layers over the reach; ground that the model reaches only by dice is dotted."""
    drawn: list[Artist] = []
    inner: shapely.Geometry = shapely.Polygon()
    name = "" if level.surface == level.reach.surface else f"{level.surface or 'ground'}-"
    for key, words, area, style in _rows(level):
        ring = _seen(shapely.difference(area, inner))
        inner = shapely.union(inner, area)
        gid = f"safe-{name}{key}"
        if polygons(ring):
            look: dict[str, Any] = {**style, "linewidth": 0.8, "alpha": 0.7}
            layer = palette.LAYER["reach"] + above
            drawn.append(ax.add_patch(PathPatch(path_of(ring, _FINE), zorder=layer, gid=gid, **look)))
            explain(ax, words, Patch(**look), where=ring)
        for line in lines_of(ring):
            stroke = Line2D(*line.xy, color=style["edgecolor"], linewidth=3.0, solid_capstyle="butt", gid=f"{gid}-line")
            stroke.set_zorder(palette.LAYER["reach"] + above + 0.4)
            drawn.append(ax.add_line(stroke))
            explain(ax, f"{words} (a line)", stroke, where=line)
    return drawn


def _seen(area: shapely.Geometry) -> shapely.Geometry:
    """Leave out slivers between the chords of two outlines, which would be drawn as lines."""
    parts = shapely.get_parts(area)
    thin = (shapely.get_dimensions(parts) == 2) & shapely.is_empty(shapely.buffer(parts, -_FINE / 2))
    return shapely.union_all(parts[~thin])


def _rows(level: SafeLevel) -> Iterator[tuple[Any, str, shapely.Geometry, dict[str, Any]]]:
    """Yield name, words, area and style of the areas of a level; each is drawn without those before it."""
    safe = {"facecolor": palette.SAFE, "edgecolor": palette.SAFE_EDGE, "hatch": ""}
    danger = {"facecolor": palette.DANGER, "edgecolor": palette.HIDES, "hatch": "xxxx"}
    for rank, (chance, area) in enumerate(level.regions):
        if chance == 0:
            yield chance, "safe: no enemy can charge it here", area, safe
        else:
            hatch = palette.DANGER_HATCHES[(rank - 1) % len(palette.DANGER_HATCHES)]
            dice = {"facecolor": palette.danger_colour(chance), "edgecolor": palette.HIDES, "hatch": hatch}
            yield chance, f"an enemy can charge it here: {chance_text(chance)} at the most", area, dice
    words = "an enemy can charge it here"
    yield None, words, level.certain, danger
    dotted = {**safe, "hatch": "..."}
    for chance, area in level.by_chance:
        if chance < 1:
            yield f"dice-{fraction(chance)}", f"safe, and it gets there with {chance_text(chance)}", area, dotted
    yield "dice", words, level.ends[-1][1], danger


def _safest(ax: Axes, level: SafeLevel, above: float, *, of_all: bool) -> list[Artist]:
    """Mark the safest place of a level, filled if it is the safest of all, and write how far a charge falls short."""
    assert level.best is not None
    (x, y), margin = level.best
    star: dict[str, Any] = {"linestyle": "none", "marker": "*", "markersize": 12, "color": palette.SAFE_EDGE}
    if not of_all:
        star["markerfacecolor"] = palette.PAPER
    where = "safest" if level.surface == level.reach.surface else f"safest-{level.surface or 'ground'}"
    drawn: list[Artist] = [ax.add_line(Line2D([x], [y], zorder=palette.LAYER["mark"] + above, gid=where, **star))]
    explain(ax, "the safest place" if of_all else "the safest on its level", Line2D([], [], **star))
    if math.isfinite(margin):
        drawn.append(label(ax, (x, y), _short(level), clear=0.25, gid=where.replace("safest", "margin")))
    return drawn
