"""The ground that each enemy's Control Zone denies a model, the largest loss first."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import shapely
from matplotlib.patches import Patch, PathPatch

from sbg_sim.plot import palette
from sbg_sim.plot.canvas import explain, title
from sbg_sim.plot.labels import label
from sbg_sim.plot.names import parted
from sbg_sim.plot.outlines import path_of, polygons
from sbg_sim.plot.reaches import boxes_of, draw_reach
from sbg_sim.plot.rings import draw_mover
from sbg_sim.plot.tables import finish, ground, stage
from sbg_sim.plot.views import box_of
from sbg_sim.plot.words import shortened
from sbg_sim.solver.reach import reach

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from sbg_sim.solver.denials import Denial, DenialList

_FINE = 0.006
_LEAST = 0.005  # square inches: a smaller loss would be written as 0.00, and is left out
_LISTED = 12
_NAMED = 6  # zones in a title, the last entry standing for all others


def plot_denials(denials: DenialList, *, ax: Axes | None = None, whole: bool = False) -> Axes:
    """Draw the ground that each enemy's zone denies a model.

    Parameters
    ----------
    denials
        The denials to draw: for each enemy the area lost, and where.
    ax
        Where to draw; None makes a new figure.
    whole
        Show the whole table.

    """
    table, told = denials.table, _ranked(denials)
    mover = table.model(denials.model) if isinstance(denials.model, str) else denials.model
    left = reach(table, mover.id)
    boxes = [box_of(mover), *boxes_of(left), *(e.region.bounds for e in told if not e.region.is_empty)]
    boxes += [box_of(table.model(e.enemy)) for e in told]
    ax = stage(ax, table, boxes, whole=whole)
    ground(ax, table, mover=mover)
    draw_mover(ax, table, mover)
    draw_reach(ax, left, contacts=False)
    draw_denials(ax, denials)
    title(ax, f"what Control Zones take from {mover.id}", _worst(told))
    finish(ax)
    return ax


def _ranked(denials: DenialList) -> list[Denial]:
    """Return the losses large enough to be written, the largest first; those written alike are in order of names."""
    told = (e for e in denials.entries if e.area >= _LEAST)
    return sorted(told, key=lambda e: (-round(e.area, 2), parted(e.enemy)))


def _worst(told: Sequence[Denial]) -> str:
    """Name the enemy whose zone denies the most, or all of them on a tie."""
    if not told:
        return "no zone takes anything away on its own"
    most = max(e.area for e in told)
    names = [e.enemy for e in told if e.area > most - _LEAST]
    verb = "denies" if len(names) == 1 else "deny"
    each = "" if len(names) == 1 else " each"
    return f"{shortened(names, _NAMED)} {verb} the most: {most:.2f} square inches{each}"


def draw_denials(ax: Axes, denials: DenialList) -> list[Artist]:
    """Draw the ground lost to each enemy in a hatch and colour of its own, lettered by rank; return the artists."""
    drawn: list[Artist] = []
    entries = _ranked(denials)
    for rank, entry in enumerate(entries):
        colour, hatch = palette.category(rank)
        style: dict[str, Any] = {"edgecolor": colour, "facecolor": "none", "hatch": hatch, "linewidth": 1.0}
        if rank < _LISTED:
            explain(
                ax,
                f"{_letter(rank)}  {entry.enemy}: {entry.area:.2f} square inches",
                Patch(**style),
                where=entry.region,
            )
        if not polygons(entry.region):
            continue
        patch = PathPatch(
            path_of(entry.region, _FINE), zorder=palette.LAYER["reach"], gid=f"denied-{entry.enemy}", **style
        )
        drawn.append(ax.add_patch(patch))
        largest = max(polygons(entry.region), key=lambda part: float(part.area))
        point = shapely.point_on_surface(largest)
        if math.isfinite(point.x):
            drawn.append(
                label(
                    ax,
                    (float(point.x), float(point.y)),
                    _letter(rank),
                    inside=True,
                    size=8.0,
                    fontweight="bold",
                )
            )
    if len(entries) > _LISTED:
        rest = sum(e.area for e in entries[_LISTED:])
        words = f"{len(entries) - _LISTED} more, lettered on: at most {rest:.2f} square inches together"
        explain(ax, words, Patch(facecolor="none", edgecolor=palette.FAINT))
    return drawn


def _letter(rank: int) -> str:
    """Return A, B, ... Z, AA, AB, ... for a rank from 0 up: numbers may stand for names."""
    return (_letter(rank // 26 - 1) if rank >= 26 else "") + chr(ord("A") + rank % 26)
