"""The panels of the figures of docs/algorithm.md, and what is drawn in them."""

from __future__ import annotations

import math

import numpy as np
import shapely
from matplotlib.figure import Figure
from matplotlib.patches import Circle, PathPatch

from sbg_sim.plot.outlines import path_of
from sbg_sim.plot.palette import BLUE, INK, SIDES, TERRAIN
from sbg_sim.rules.zones import ZONE_WIDTH

GREY = "#A8A8A8"


def panels(*titles, high=3.0, widths=None):
    """Return a titled Axes for each part of a figure as wide as the page."""
    figure = Figure(figsize=(7.6, high), layout="constrained")
    axes = np.atleast_1d(figure.subplots(1, len(titles), width_ratios=widths)).tolist()
    for ax, title in zip(axes, titles, strict=True):
        ax.set_title(title)
    return axes


def show(ax, table, view, *, zones=False, terrain=True):
    """Draw what stands on a table, each shape as it is."""
    ax.set_aspect("equal")
    ax.set(xlim=view[::2], ylim=view[1::2], xticks=[], yticks=[])
    for thing in table.terrain.values() if terrain else ():
        style = TERRAIN["difficult" if "difficult" in thing.tags else "obstacle"]
        colours = {"facecolor": style.fill, "edgecolor": style.edge, "linestyle": style.style}
        ax.add_patch(PathPatch(path_of(thing.shape.to_shapely()), linewidth=0.9, zorder=2, **colours))
    for one in table.models.values():
        style = SIDES[one.side == "evil"]
        ax.add_patch(Circle(one.at, one.radius, facecolor=style.fill, edgecolor=style.rim, linewidth=1.1, zorder=3))
        if zones and one.side == "evil":
            ax.add_patch(Circle(one.at, one.radius + ZONE_WIDTH, fill=False, edgecolor=GREY, linestyle=(0, (5, 3))))


def say(ax, text, at, to=None, *, colour=INK, ha="center"):
    """Write a label, with a thin line to what it is about."""
    line = {"arrowstyle": "-", "color": colour, "linewidth": 0.7, "shrinkA": 1, "shrinkB": 0}
    box = {"boxstyle": "square,pad=0.12", "facecolor": "#FFFFFF", "edgecolor": "none", "alpha": 0.8}
    pointing = {"arrowprops": line} if to is not None else {}
    ax.annotate(text, to or at, at, color=colour, ha=ha, va="center", bbox=box, zorder=9, **pointing)


def stroke(ax, lines, **style):
    """Draw lines ``(n, 2)``, inches, as one."""
    gap = np.full((1, 2), np.nan)
    parts = [part for line in lines for part in (np.asarray(line, dtype=float).reshape(-1, 2), gap)]
    if parts:
        ax.plot(*np.concatenate(parts).T, **{"solid_capstyle": "round", **style})


def way(ax, route, colour=INK):
    """Draw a route, leg by leg."""
    stroke(ax, [leg.points(0.05) for leg in route.legs], color=colour, linewidth=2.2, zorder=6)


def fill(ax, area, colour, **style):
    """Fill an area."""
    ax.add_patch(PathPatch(path_of(area), facecolor=colour, **{"edgecolor": "none", "zorder": 1, **style}))


def area_of(grown):
    """Return a grown set as an area: capsules about its spines, and what its rings fill."""
    spines = shapely.linestrings(grown.spines.reshape(-1, 2, 2))
    return shapely.union_all([*shapely.buffer(spines, grown.rho, quad_segs=64), *map(shapely.Polygon, grown.rings)])


def ends(ax, start, goal):
    """Mark where a path begins and where it ends."""
    ax.plot(*start, "o", color=BLUE, markersize=5, zorder=7)
    ax.plot(*goal, "*", color=INK, markersize=9, zorder=7)


def on_arc(ring, first, width):
    """Return points along an arc of a ring."""
    angle = first + np.linspace(0.0, width, max(3, math.ceil(width / 0.05)))
    return np.stack([ring.center[0] + ring.rho * np.cos(angle), ring.center[1] + ring.rho * np.sin(angle)], axis=1)


def aslant(points, layer):
    """Return places of a table as they are drawn when it lies aslant, its layers above each other."""
    x, y = np.asarray(points, dtype=float).T
    return np.stack([x + 0.45 * y, 0.42 * y + 4.6 * layer], axis=-1)
