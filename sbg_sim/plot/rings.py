"""Rings round the bases that a picture is about: the mover in a crowd, chargers, screening models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import shapely
from matplotlib.lines import Line2D
from matplotlib.patches import Circle

from sbg_sim.plot import palette
from sbg_sim.plot.canvas import explain, sheet
from sbg_sim.plot.labels import keep_clear

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model

_RING: Final = 0.12  # inches between a base and its ring
_BROKEN: Final[tuple[Any, ...]] = ("solid", (0, (1.2, 0.6)), (0, (0.4, 0.4)), (0, (2.0, 0.4, 0.4, 0.4)))
_BROADER: Final = 0.5  # widths of a line by which the next rank is broader
_CROWD: Final = 5  # models beyond which the mover is not found by its name at once


def draw_rings(ax: Axes, models: Iterable[Model], part: str, colour: str, words: str, *, rank: int = 0) -> list[Artist]:
    """Draw rings round the bases of some models, and explain them in the legend.

    Rings of one colour with different meanings differ by ``rank``: the first is a whole line, later ones are broken.
    """
    drawn: list[Artist] = []
    line, broad = in_rank(rank)
    style: dict[str, Any] = {"facecolor": "none", "edgecolor": colour, "linewidth": 2.6 * broad, "linestyle": line}
    for model in models:
        # outside the rim, the colour of which tells the side, and under neighbouring bases
        layer = palette.LAYER["base"] - 0.1 - 0.01 * rank
        ring = Circle(model.at, model.radius + _RING, zorder=layer, gid=f"{part}-{model.id}", **style)
        drawn.append(ax.add_patch(ring))
        (x, y), out = model.at, model.radius + _RING
        keep_clear(ax, (x - out, y - out, x + out, y + out), 4.0)
        sheet(ax).ringed[model.id] = out
        sign: Artist = Line2D([], [], linestyle="none", marker="o", markersize=9, markerfacecolor="none")
        sign.set(markeredgecolor=colour, markeredgewidth=2.2)
        if rank:  # markers cannot have a broken rim
            sign = Line2D([], [], color=colour, linewidth=2.6 * broad, linestyle=line)
        explain(ax, words, sign, where=shapely.Point(model.at).buffer(out))
    return drawn


def in_rank(rank: int) -> tuple[Any, float]:
    """Return the style of a line of some rank, and the factor of its width: it shows beside the lines over it."""
    return _BROKEN[min(rank, len(_BROKEN) - 1)], 1.0 + _BROADER * min(rank, len(_BROKEN) - 1)


def draw_mover(ax: Axes, table: Table, mover: Model) -> list[Artist]:
    """Draw a ring round the mover if a crowd stands on the table."""
    movers = [mover] if len(table.standing()) > _CROWD else []
    return draw_rings(ax, movers, "mover", palette.PATH, f"{mover.id}: who moves")
