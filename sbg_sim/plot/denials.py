"""What each enemy's Control Zone takes away from a reach, the largest loss first."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import shapely
from matplotlib.patches import Patch, PathPatch

from sbg_sim.plot import palette
from sbg_sim.plot.canvas import explain, title
from sbg_sim.plot.labels import label
from sbg_sim.plot.outlines import path_of, polygons
from sbg_sim.plot.tables import box_of, finish, ground, stage

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from sbg_sim.plot.protocols import DenialListLike

_FINE = 0.006


def plot_denials(denials: DenialListLike, *, ax: Axes | None = None, whole: bool = False) -> Axes:
    """Draw the ground that each enemy's zone denies a model.

    Parameters
    ----------
    denials
        What to draw: per enemy the area lost and where.
    ax
        Where; None makes a new figure.
    whole
        Show the whole table.

    """
    table = denials.table
    mover = table.model(denials.model) if isinstance(denials.model, str) else denials.model
    lost = [e.region.bounds for e in denials.entries if not e.region.is_empty]
    boxes = [box_of(mover), *lost, *(box_of(table.model(e.enemy), 1.0) for e in denials.entries)]
    boxes += [box_of(mover, mover.move)] if mover.move is not None else []
    ax = stage(ax, table, boxes, whole=whole)
    ground(ax, table, mover=mover)
    draw_denials(ax, denials)
    worst = max(denials.entries, key=lambda e: e.area, default=None)
    reason = (
        f"{worst.enemy} denies the most: {worst.area:.2f} square inches"
        if worst is not None
        else "no zone is in its way"
    )
    title(ax, f"what Control Zones take from {mover.id}", reason)
    finish(ax)
    return ax


def draw_denials(ax: Axes, denials: DenialListLike) -> list[Artist]:
    """Draw each enemy's lost ground in a hatch and colour of its own, with its rank; return the artists."""
    drawn: list[Artist] = []
    entries = sorted(denials.entries, key=lambda e: -e.area)
    for rank, entry in enumerate(entries):
        colour, hatch = palette.CATEGORIES[rank % 8], palette.HATCHES[rank % 8]
        style: dict[str, Any] = {"edgecolor": colour, "facecolor": "none", "hatch": hatch, "linewidth": 1.0}
        explain(ax, f"{rank + 1}. {entry.enemy}: {entry.area:.2f} square inches", Patch(**style))
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
                    f"{rank + 1}",
                    inside=True,
                    size=8.0,
                    fontweight="bold",
                )
            )
    return drawn
