"""A route on the table: legs with true arcs, the swept ground, costs, dice, the base at the end."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from matplotlib.lines import Line2D
from matplotlib.patches import Arc, Circle, Patch, PathPatch
from matplotlib.path import Path

from sbg_sim.plot import palette
from sbg_sim.plot.canvas import explain, sheet, title
from sbg_sim.plot.labels import in_view, keep_clear, keep_clear_of_mark, keep_off_line, keep_off_rim, label
from sbg_sim.plot.options import chosen, hue, opacity, paled
from sbg_sim.plot.outlines import path_of
from sbg_sim.plot.tables import finish, stage
from sbg_sim.plot.words import inches_text
from sbg_sim.table.route import FACES
from sbg_sim.tolerance import FITS

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.models import Model
    from sbg_sim.table.route import Leg, Route, Test

_SEEN = 32  # parts of a leg that are tested for being in view
_DRAWN_STEP = 0.05  # inches between the points of a swept strip and of a cut arc
_SHARES = (0.5, 0.35, 0.65, 0.2, 0.8, 0.05, 0.95)  # shares of a stretch at which its cost may stand
_FEW = 4  # with up to this many stretches each gets its cost, whatever the label covers
_END = 6.0  # points round the end of a route that no label covers
_STEPS = 8  # steps to the radius of a base, at least
_STILL = ("stand", "lie")
_CROSSINGS = ("jump", "leap", "climb", "descend", "ladder", "up", "down")


def plot_route(route: Route, *, ax: Axes | None = None) -> Axes:
    """Draw a route: the way of the base's centre, its costs and dice; alone, or on a table if one is drawn on the Axes.

    Parameters
    ----------
    route
        The route to draw.
    ax
        Where to draw; None makes a new figure that shows the route.

    """
    ax = stage(ax, None, [route_box(route, 1.0)])
    drawn = draw_route(ax, route)
    title(ax, f"a way that costs {inches_text(route.cost)}" if drawn else "a way of no legs: it stays where it is")
    finish(ax)
    return ax


def draw_route(
    ax: Axes,
    route: Route,
    mover: Model | None = None,
    *,
    allowance: float | None = None,
    costs: bool = True,
    swept: bool = True,
    tests: bool = True,
) -> list[Artist]:
    """Draw the route of a model's base, or of its centre if the model is not given.

    Parameters
    ----------
    route
        The route to draw.
    mover
        The model that moves.
    allowance
        Its Move, inches; the part of the route beyond it looks different.
    costs
        Whether to label stretches with the movement that they use.
    swept
        Whether to shade the ground that the base passes over.
    tests
        Whether to draw the dice; if not, the caller does so by `draw_test`, once everything that their words avoid is
        drawn.

    """
    points = route.points(_DRAWN_STEP if mover is None else min(_DRAWN_STEP, mover.radius / _STEPS))
    drawn: list[Artist] = []
    if swept and len(points) > 1 and mover is not None:
        strip = shapely.buffer(shapely.LineString(points), mover.radius, quad_segs=16)
        colour = chosen().color
        style: dict[str, Any] = {
            "facecolor": palette.SWEPT if colour is None else paled(colour, 0.16),
            "edgecolor": "#9DB4C4" if colour is None else paled(colour, 0.5),
            "linewidth": 0.5,
            "alpha": opacity(0.75),
        }
        # Beside other results it lies over their areas, so that it shows.
        layer = palette.LAYER["swept"] if colour is None else palette.LAYER["reach"] + 0.1
        drawn.append(ax.add_patch(PathPatch(path_of(strip), zorder=layer, gid="swept", **style)))
        explain(ax, "ground the base passes over", Patch(**style), where=strip)
    keep_off_line(ax, points)
    if points and mover is not None:
        (x, y), r = points[-1], mover.radius
        keep_off_rim(ax, (x, y), r)
        keep_clear(ax, (x - r, y - r, x + r, y + r))
        keep_clear_of_mark(ax, (x, y), _END)
    used = 0.0
    for leg in route.legs:
        drawn += _leg(ax, leg, used, math.inf if allowance is None else allowance)
        used += leg.cost
    if mover is not None:
        late = allowance is not None and route.cost > allowance + FITS
        drawn += draw_ghost(ax, mover, route, "the place asked for: out of reach" if late else "end of the move")
    elif points:
        drawn.append(_dot(ax, points[-1]))
    for leg in route.legs:
        if leg.test is not None and tests:
            drawn += draw_test(ax, leg.test)
    if costs:
        drawn += draw_costs(ax, route)
    return drawn


def _leg(ax: Axes, leg: Leg, used: float, allowance: float) -> list[Artist]:
    """Draw one leg; the part beyond the allowance has a colour of its own."""
    if leg.kind in _STILL or leg.length == 0:
        return []
    left = allowance - used
    if left >= leg.cost - FITS:
        return [_stroke(ax, leg, beyond=False)]
    if left <= 0:
        return [_stroke(ax, leg, beyond=True)]
    near, far = _cut(leg, share_after(leg, left))
    tick = Line2D(
        [near.end[0]],
        [near.end[1]],
        linestyle="none",
        marker="|",
        markersize=11,
        markeredgewidth=1.8,
        color=palette.BEYOND,
        zorder=palette.LAYER["mark"],
        gid="used-up",
    )
    note = label(ax, near.end, f"{inches_text(allowance)} used up", clear=0.15, size=7.0, colour=palette.BEYOND)
    strokes = [_stroke(ax, part, beyond=part is far) for part in (near, far) if part.length > 0]
    return [*strokes, ax.add_line(tick), note]


def share_after(leg: Leg, spent: float) -> float:
    """Return the share (0 to 1) of a leg, seen from above, that is behind a base after some inches of movement.

    On a face the base stays where it is: at the foot on the way up, and past the rim on the way down (CLB.1, CLB.5).
    """
    if leg.kind not in FACES or not leg.rise:
        return spent / leg.cost
    face = (1 if leg.kind == "ladder" else 2) * abs(leg.rise)
    along_top = leg.cost - face
    if leg.rise > 0:
        return 0.0 if spent < face or along_top <= FITS else (spent - face) / along_top
    return min(1.0, spent / along_top) if along_top > FITS else 1.0


def _cut(leg: Leg, share: float) -> tuple[Leg, Leg]:
    from dataclasses import replace

    middle = along(leg, share)
    near = replace(leg, end=middle, cost=leg.cost * share, sweep=leg.sweep * share)
    return near, replace(leg, start=middle, cost=leg.cost * (1 - share), sweep=leg.sweep * (1 - share))


def along(leg: Leg, share: float) -> Point:
    """Return the centre of the base after a share (0 to 1) of a leg, inches."""
    if leg.center is not None:
        cx, cy = leg.center
        angle = math.atan2(leg.start[1] - cy, leg.start[0] - cx) + leg.sweep * share
        return cx + leg.radius * math.cos(angle), cy + leg.radius * math.sin(angle)
    return tuple(a + (b - a) * share for a, b in zip(leg.start, leg.end, strict=True))  # type: ignore[return-value]


def _stroke(ax: Axes, leg: Leg, *, beyond: bool) -> Artist:
    colour = palette.BEYOND if beyond else hue(palette.PATH)
    style: Any = (0, (1.2, 1.6)) if beyond else (0, (3, 1.5)) if leg.kind in _CROSSINGS else "solid"
    width = 1.5
    words = (
        "beyond its Move"
        if beyond
        else "crossing: jump, leap or climb"
        if leg.kind in _CROSSINGS
        else "way of the base's centre"
    )
    where = shapely.LineString([along(leg, k / _SEEN) for k in range(_SEEN + 1)])
    explain(ax, words, Line2D([], [], color=colour, linestyle=style, linewidth=width), where=where)
    if leg.center is not None:
        first = math.degrees(math.atan2(leg.start[1] - leg.center[1], leg.start[0] - leg.center[0]))
        last = first + math.degrees(leg.sweep)
        arc = Arc(
            leg.center,
            2 * leg.radius,
            2 * leg.radius,
            theta1=min(first, last),
            theta2=max(first, last),
            color=colour,
            linestyle=style,
            linewidth=width,
            zorder=palette.LAYER["path"],
            gid="leg-arc",
        )
        return ax.add_patch(arc)
    xs, ys = zip(leg.start, leg.end, strict=True)
    line = Line2D(
        xs,
        ys,
        color=colour,
        linestyle=style,
        linewidth=width,
        zorder=palette.LAYER["path"],
        gid=f"leg-{leg.kind}",
    )
    return ax.add_line(line)


def _dot(ax: Axes, at: Point) -> Artist:
    """Draw a dot at the end of the way of a centre."""
    dot = Line2D([at[0]], [at[1]], linestyle="none", marker="o", markersize=3.2, color=hue(palette.PATH), gid="end")
    dot.set_zorder(palette.LAYER["mark"])
    return ax.add_line(dot)


def draw_ghost(ax: Axes, mover: Model, route: Route, words: str) -> list[Artist]:
    """Draw the base at the end of a route, as a dashed circle, and its centre."""
    if not route.legs:
        return []
    end = route.legs[-1].end
    rim = hue(palette.side_styles([mover.side])[mover.side].rim)
    circle = Circle(
        end,
        mover.radius,
        facecolor="none",
        edgecolor=rim,
        linestyle=(0, (2, 1.2)),
        linewidth=1.6,
        zorder=palette.LAYER["ghost"],
        gid="ghost-end",
    )
    explain(
        ax,
        words,
        Line2D(
            [],
            [],
            color=rim,
            linestyle=(0, (2, 1.2)),
            marker="o",
            markersize=8,
            markerfacecolor="none",
            linewidth=1.4,
        ),
        where=shapely.buffer(shapely.Point(end), mover.radius),
    )
    return [ax.add_patch(circle), _dot(ax, end)]


def _die() -> tuple[Path, Path]:
    """Return the outline of a die and the five pips on it, as marker paths."""
    outline = Path([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)], closed=True)
    pips = [Path.circle(at, 0.2) for at in ((-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5), (0, 0))]
    return outline, Path.make_compound_path(*pips)


DIE, PIPS = _die()


def draw_die(ax: Axes, at: Point) -> list[Artist]:
    """Draw a die at a point."""
    box: dict[str, Any] = {"linestyle": "none", "zorder": palette.LAYER["mark"] + 0.2}
    face = Line2D(
        [at[0]],
        [at[1]],
        marker=DIE,
        markersize=11,
        markerfacecolor=palette.YELLOW,
        markeredgecolor=palette.BLACK,
        gid="die",
        **box,
    )
    pips = Line2D([at[0]], [at[1]], marker=PIPS, markersize=11, markerfacecolor=palette.BLACK, markeredgewidth=0, **box)
    explain(
        ax,
        "a die is rolled here",
        Line2D(
            [],
            [],
            linestyle="none",
            marker=DIE,
            markersize=8,
            markerfacecolor=palette.YELLOW,
            markeredgecolor=palette.BLACK,
        ),
        where=shapely.Point(at),
    )
    return [ax.add_line(face), ax.add_line(pips)]


def draw_test(ax: Axes, test: Test) -> list[Artist]:
    """Draw the die of a test at the place where it is rolled, and name the test."""
    drawn = draw_die(ax, test.at)
    way = {"climb": "up", "descend": "down"}.get(test.kind, "over")
    words = f"{test_word(test.kind)}: {test.over}\n2+ gets {way}, 6 goes on"
    if any(note.text.get_text() == words for note in sheet(ax).notes):
        return drawn  # several ways over one piece: named once
    note = label(ax, test.at, words, clear=0.25, size=7.0)
    return [*drawn, note]


def test_word(kind: str) -> str:
    """Return the rulebook's name of a test."""
    return {
        "jump": "Jump test",
        "leap": "Leap test",
        "climb": "Climb test",
        "descend": "Climb test, down",
        "jump-prone": "Jump test, prone model",
    }.get(kind, f"{kind} test")


@dataclass(frozen=True)
class Stretch:
    """Consecutive legs with the same rate of cost, for one label."""

    words: str
    legs: tuple[Leg, ...]

    def at(self, share: float) -> Point:
        """Return the place after a share (0 to 1) of the stretch, inches."""
        left = share * sum(leg.length for leg in self.legs)
        for leg in self.legs:
            if left <= leg.length and leg.length > 0:
                return along(leg, left / leg.length)
            left -= leg.length
        return self.legs[-1].end


def stretches(route: Route) -> list[Stretch]:
    """Join consecutive legs with the same rate of cost into stretches, one label each."""
    runs: list[tuple[tuple[str, float], list[Leg]]] = []
    for leg in route.legs:
        kind = "" if leg.walked else leg.kind
        weight = round(leg.cost / leg.length, 3) if leg.length > 1e-6 and not kind else 1.0
        if runs and not kind and runs[-1][0] == (kind, weight):
            runs[-1][1].append(leg)
        else:
            runs.append(((kind, weight), [leg]))
    found = []
    for (kind, weight), legs in runs:
        cost, length = sum(leg.cost for leg in legs), sum(leg.length for leg in legs)
        if cost < 0.05:
            continue
        words = inches_text(cost)
        if kind in ("climb", "descend"):
            words = f"{kind} {inches_text(abs(sum(leg.rise for leg in legs)))}: {words}"
        elif kind in ("stand", "lie"):
            words = f"{kind} {'up' if kind == 'stand' else 'down'}: {words}"
        elif kind:
            words = f"{kind}: {words}"
        elif weight != 1.0:
            words = f"{inches_text(length)} ×{weight:g} = {words}"
        found.append(Stretch(words, tuple(legs)))
    return found


def draw_costs(ax: Axes, route: Route) -> list[Artist]:
    """Label every stretch of a route with the movement that it uses, in its middle or where it is in view."""
    drawn: list[Artist] = []
    all_of_it = stretches(route)
    for stretch in all_of_it:
        places = [stretch.at(share) for share in _SHARES]
        at = next((place for place in places if in_view(ax, place)), places[0])
        how: dict[str, Any] = {"spare": len(all_of_it) > _FEW, "gid": "cost", "fontweight": "bold"}
        drawn.append(label(ax, at, stretch.words, clear=0.12, size=7.0, **how))
    return drawn


def route_box(route: Route, radius: float) -> tuple[float, float, float, float]:
    """Return the box of the ground that a base covers on a route, inches."""
    xy = np.array(route.points(_DRAWN_STEP) or [(0.0, 0.0)])
    low, high = xy.min(axis=0) - radius, xy.max(axis=0) + radius
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])
