"""The threats of a side, and the friends that screen a model."""

from __future__ import annotations

import functools
import itertools
import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, FancyArrowPatch, Patch, PathPatch

from sbg_sim.arrays import point
from sbg_sim.plot import palette
from sbg_sim.plot.canvas import HARD, explain, sheet, title
from sbg_sim.plot.labels import extent, keep_clear, keep_clear_of_mark, keep_off_line, label, per_point
from sbg_sim.plot.outlines import path_of, polygons, sign_of
from sbg_sim.plot.rings import draw_rings
from sbg_sim.plot.tables import finish, ground, stage
from sbg_sim.plot.views import box_of
from sbg_sim.plot.words import chance_text, shortened
from sbg_sim.wording import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from sbg_sim.arrays import Floats
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.models import Model
    from sbg_sim.threats import Screen, Threats

_FINE = 0.004
_SHOWN = 5  # steps of colour that can be told apart
_TOLD = 6  # names in a title
_ARROWS = 24  # charges beyond which the arrows of all could not be told apart
_NAMED = 40  # pieces of terrain beyond which none is named
_SPELT = 6  # targets up to which numbers are spelt out; more words would cover the targets
_SCALE: Final = 9.0  # points: the scale of an arrow,
_HEAD: Final = 0.4 * _SCALE  # and the length and width of its head
_SHAFT: Final = 0.5  # cost of a label on the line of an arrow: less than of a distant place
_ROUND: Final = {"color": palette.PAPER, "linewidth": 2.7, "capstyle": "butt"}  # pale, to show on any shade
_SPELT_OUT = "{}, {} surely at once"
_WIDE = 0.25  # share of the view beyond which spelt-out numbers are too wide
_ASTRAY = 20.0  # cost of a number nearer to another target than to its own
_GHOST = 0.3  # cost of a label over a place of a charger: less than of one off its target


def plot_threats(threats: Threats, *, ax: Axes | None = None, whole: bool = False) -> Axes:
    """Draw the ground that a side can cover next turn, darker where more models can, and the charges that it can make.

    Parameters
    ----------
    threats
        The threats to draw.
    ax
        Where to draw; None makes a new figure.
    whole
        Show the whole table.

    """
    table = threats.table
    boxes = [row.widest.bounds for row in threats.models if not row.widest.is_empty]
    boxes += [box_of(table.model(row.model)) for row in threats.models]
    boxes += [box_of(table.model(row.target)) for row in threats.targets if row.chargers]
    ax = stage(ax, table, boxes, whole=whole)
    ground(ax, table, zones=False)
    draw_threats(ax, threats)
    able = [row for row in threats.targets if row.chargers]
    head = f"what {threats.side} can cover next turn: {threats.area.area:.1f} square inches for certain"
    reason = f"it can charge {shortened([row.target for row in able], _TOLD)}" if able else "it can charge nobody"
    title(ax, head, reason)
    sheet(ax).bare |= len(table.terrain) > _NAMED  # the names of many pieces would cover the models
    finish(ax)
    return ax


def draw_threats(ax: Axes, threats: Threats) -> list[Artist]:
    """Draw nested areas by the number of models that cover them, areas that take dice, and a note at every target."""
    drawn: list[Artist] = []
    levels = list(threats.levels)
    for rank, (least, area) in enumerate(levels[:_SHOWN]):
        colour = palette.THREATS[min(rank, len(palette.THREATS) - 1)]
        exact = least == len(levels) or (rank < _SHOWN - 1 and rank + 1 < len(levels))
        words = f"{least}{'' if exact else ' or more'} model{'s' if least > 1 else ''} can come here"
        style: dict[str, Any] = {"facecolor": colour, "edgecolor": palette.THREAT_EDGE, "linewidth": 0.7}
        if polygons(area):
            layer = palette.LAYER["swept"] + 0.02 * rank
            drawn.append(_outlined(ax, area, zorder=layer, gid=f"threat-{least}", **style))
            explain(ax, words, Patch(**style), where=area)
    drawn += _with_dice(ax, threats)
    able = [row for row in threats.targets if row.chargers]
    for row in able:
        drawn += _chargers(ax, threats, row)
    for row in able:  # after all arrows, whose heads they avoid
        drawn.append(_count(ax, threats, row))
    return drawn


def _outlined(ax: Axes, area: shapely.Geometry, **style: Any) -> Artist:
    """Add an area with very many corners; `add_patch` would take long to update the data limits."""
    path = path_of(area, _FINE)
    ax.update_datalim(path.vertices)
    return ax.add_artist(PathPatch(path, **style))


def _with_dice(ax: Axes, threats: Threats) -> list[Artist]:
    chance = min((row.regions[-1][0] for row in threats.models if row.regions), default=1)
    if chance == 1:
        return []
    style: dict[str, Any] = {
        "facecolor": "none",
        "edgecolor": palette.THREAT_EDGE,
        "linestyle": (0, (1.2, 1.4)),
        "linewidth": 1.2,
    }
    area = shapely.union_all(shapely.simplify([row.widest for row in threats.models], _FINE / 4))
    explain(ax, f"with dice: {chance_text(chance)} at the least", Patch(**style), where=area)
    return [_outlined(ax, area, zorder=palette.LAYER["reach"], gid="threat-dice", **style)]


def _chargers(ax: Axes, threats: Threats, row: Any) -> list[Artist]:
    """Draw the chargers of a target, and the places where they are in contact at once."""
    drawn = _arrows(ax, threats, row)
    for name, at in row.together:
        radius = threats.table.model(name).radius
        look: dict[str, Any] = {"facecolor": "none", "edgecolor": palette.INK, "linestyle": (0, (2, 1.2))}
        drawn.append(ax.add_patch(Circle(at, radius, zorder=palette.LAYER["ghost"], gid=f"together-{name}", **look)))
        keep_clear(ax, (at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius), _GHOST)
        explain(
            ax,
            "where they stand in contact at once",
            Line2D([], [], ls="none", marker="o", mfc="none", mec=palette.INK),
            where=shapely.buffer(shapely.Point(at), radius),
        )
    return drawn


def _count(ax: Axes, threats: Threats, row: Any) -> Artist:
    """Write at a target the number of models that can charge it, and how many at once."""
    target = threats.table.model(row.target)
    many, can = _too_many(ax, threats), len(row.chargers)
    words = f"{can} ({row.at_once})" if many else _SPELT_OUT.format(can, row.at_once) if can > 1 else str(can)
    note: dict[str, Any] = {"size": 7.0, "colour": palette.FAULT, "fontweight": "bold", "gid": f"count-{row.target}"}
    others = [threats.table.model(other.target) for other in threats.targets if other.target != row.target]
    note["others"] = [(*m.at, m.radius) for m in others]
    note["costly"] = functools.partial(_astray, target, others)
    told = label(ax, target.at, words, clear=target.radius + 0.1, **note)
    # An opaque ground: no shade shows through.
    told.set_bbox({"boxstyle": "square,pad=0.1", "facecolor": palette.PAPER, "edgecolor": "none"})
    sign = Line2D([], [], linestyle="none", marker=sign_of("3"), markersize=6, color=palette.FAULT)
    at_once = " (and how many of them surely at once)" if many else ", and how many of them surely at once"
    where = shapely.buffer(shapely.Point(target.at), target.radius)
    explain(ax, "how many can charge it" + at_once, sign, where=where)
    return told


def _astray(target: Model, others: Sequence[Model], boxes: Floats) -> Floats:
    """Return the costs of boxes ``(n, 4)``, inches, for a number: those nearer to another target cost more."""
    middles = (boxes[:, None, :2] + boxes[:, None, 2:]) / 2
    gaps = [
        np.linalg.norm(middles - [m.at for m in them], axis=-1) - [m.radius for m in them]
        for them in ([target], others or [target])
    ]
    return np.where(gaps[1].min(axis=1) < gaps[0][:, 0], _ASTRAY, 0.0)


def _too_many(ax: Axes, threats: Threats) -> bool:
    """Say whether spelt-out numbers would cover targets or stand beside the wrong one."""
    places = [threats.table.model(row.target).at for row in threats.targets if len(row.chargers) > 1]
    wide = extent(ax, _SPELT_OUT.format(9, 9), 7.0, "bold")[0]
    close = any(math.dist(one, two) < wide for one, two in itertools.combinations(places, 2))
    return len(places) > _SPELT or close or wide > _WIDE * abs(ax.get_xlim()[1] - ax.get_xlim()[0])


def _arrows(ax: Axes, threats: Threats, row: Any) -> list[Artist]:
    """Draw an arrow from every charger to its target; in a crowd only from those in contact at once."""
    target, places = threats.table.model(row.target), dict(row.together)
    crowd = sum(len(other.chargers) for other in threats.targets) > _ARROWS
    drawn: list[Artist] = []
    for charger in row.chargers:
        if crowd and charger.model not in places:
            continue
        at, certain = threats.table.model(charger.model).at, charger.verdict.answer != "chance"
        line: Any = "solid" if certain else (0, (1.2, 1.4))
        style: dict[str, Any] = {"color": palette.INK, "linewidth": 1.1, "linestyle": line}
        end = places[charger.model] if crowd else _rim_of(target, at)
        keep_off_line(ax, [at, end], weight=_SHAFT)
        keep_clear_of_mark(ax, _middle_of_head(ax, at, end), _HEAD)
        for name, shape, look in (("round-", "-", _ROUND), ("", "-|>", style)):
            arrow = FancyArrowPatch(at, end, arrowstyle=shape, mutation_scale=_SCALE, shrinkA=0, shrinkB=0, **look)
            arrow.set(zorder=palette.LAYER["contact"], gid=f"{name}charge-{charger.model}-{row.target}")
            drawn.append(ax.add_patch(arrow))
        words = "charges, surely at once with others" if crowd else "can charge" + ", with dice" * (not certain)
        explain(ax, words, Line2D([], [], marker=">", ms=4, **style), where=shapely.LineString([at, end]))
    return drawn


def _middle_of_head(ax: Axes, start: Point, end: Point) -> Point:
    """Return the middle of the head of an arrow."""
    step = np.array(per_point(ax))
    way = (np.array(end) - start) / step
    back = way / (float(np.linalg.norm(way)) or 1.0) * _HEAD / 2 * step
    return point(np.array(end) - back)


def _rim_of(target: Model, at: Point) -> Point:
    """Return where a straight from a place meets a base: an arrow that ends there is seen whole."""
    (x, y), apart = target.at, math.dist(target.at, at)
    share = target.radius / apart if apart else 0.0
    return x + share * (at[0] - x), y + share * (at[1] - y)


def plot_screen(screen: Screen, *, ax: Axes | None = None, whole: bool = False) -> Axes:
    """Draw the friends that screen a model, at their places in the screen.

    Parameters
    ----------
    screen
        The screen to draw.
    ax
        Where to draw; None makes a new figure.
    whole
        Show the whole table.

    """
    table, mover = screen.table, screen.table.model(screen.model)
    names = [name for name, _ in screen.places or ()]
    boxes = [box_of(mover), *(box_of(table.model(name), 1.0) for name in names)]
    boxes += [box_of(m) for m in table.standing() if m.is_enemy(mover) and math.dist(m.at, mover.at) < 10]
    chargers = [str(getattr(verdict.question, "model", "")) for verdict in screen.through]
    boxes += [box_of(table.model(name)) for name in chargers]
    came = [screen.before.model(name) for name in names] if screen.before is not None else []
    ax = stage(ax, table, [*boxes, *map(box_of, came)], whole=whole)
    ground(ax, table)
    draw_rings(ax, [mover], "screened", palette.PATH, f"{mover.id}: who is to be screened")
    draw_rings(ax, [table.model(name) for name in names], "screens", palette.SAFE_EDGE, "goes here to screen it")
    _draw_arrivals(ax, came, [table.model(name) for name in names])
    draw_rings(ax, map(table.model, chargers), "danger", palette.HIDES, "an enemy that can charge it")
    if screen.places is None:
        head = f"nobody found to screen {screen.model} from {listed(chargers)}"
        reason = f"arrangements asked: {screen.tried}"
    elif names:
        head, reason = f"{listed(names)} screen{'s' * (len(names) == 1)} {screen.model}", "no enemy can charge it"
    else:
        head, reason = f"{screen.model} needs no screen", "no enemy can charge it"
    title(ax, head, reason)
    finish(ax)
    return ax


def _draw_arrivals(ax: Axes, came: Sequence[Model], stand: Sequence[Model]) -> list[Artist]:
    """Draw where models stood before their moves, with an arrow from there to the rim of each base."""
    drawn: list[Artist] = []
    style: dict[str, Any] = {"edgecolor": palette.SAFE_EDGE, "linestyle": (0, (1.2, 1.6)), "linewidth": 1.2}
    for old, new in zip(came, stand, strict=True):
        keep_clear(ax, box_of(old), HARD)
        end = _rim_of(new, old.at)
        keep_off_line(ax, [old.at, end])
        ghost = Circle(old.at, old.radius, facecolor="none", zorder=palette.LAYER["ghost"], gid=f"stood-{new.id}")
        ghost.set(**style)
        arrow = FancyArrowPatch(old.at, end, arrowstyle="-|>", mutation_scale=9, shrinkA=0, shrinkB=0)
        arrow.set(color=palette.SAFE_EDGE, linewidth=1.1, zorder=palette.LAYER["contact"], gid=f"goes-{new.id}")
        drawn += [ax.add_patch(ghost), ax.add_patch(arrow)]
        sign = Line2D([], [], ls="none", marker="o", mfc="none", mec=palette.SAFE_EDGE)
        explain(ax, "where it stood", sign, where=shapely.buffer(shapely.Point(old.at), old.radius))
    return drawn
