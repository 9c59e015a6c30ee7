"""Axes ruled in inches, with a step that suits the view and the room at the time of drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import matplotlib as mpl
from matplotlib.font_manager import FontProperties
from matplotlib.ticker import FuncFormatter, MultipleLocator

from sbg_sim.plot import palette
from sbg_sim.plot.fonts import scaled, text_width
from sbg_sim.plot.labels import per_point

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_TICKS: Final = 30
_INCHES: Final = (1.0, 2.0, 6.0, 12.0, 24.0, 48.0)  # steps of numbers along a side view; the least that fits
_ASIDE: Final = 0.22  # inches of paper for each number
_APART: Final = 5.0  # points between two numbers at least
_STEPS: Final = (
    (0.02, 0.01, 0.2),
    (0.1, 0.02, 1.0),
    (0.5, 0.1, 4.0),
    (1.0, 0.5, 9.0),
    (2.0, 1.0, 20.0),
    (6.0, 1.0, 30.0),
    (6.0, 2.0, 60.0),
    (12.0, 6.0, 120.0),
)


class _Ruled(MultipleLocator):
    """A locator whose step is found anew whenever the view or the room changes, as a later layout may do."""

    def __init__(self, ax: Axes, part: int) -> None:
        super().__init__()
        self._ax, self._part = ax, part

    def tick_values(self, vmin: float, vmax: float) -> Any:
        """Return the places between two, inches."""
        self.set_params(base=_steps(self._ax)[self._part])
        return super().tick_values(vmin, vmax)


def rule_inches(ax: Axes) -> None:
    """Give both axes ticks in inches, with a step that suits the view and its room, and a faint grid."""
    mark = FuncFormatter(lambda value, _: f"{value:g}″")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(_Ruled(ax, 0))
        axis.set_minor_locator(_Ruled(ax, 1))
        axis.set_major_formatter(mark)
    ax.tick_params(which="both", direction="out", length=2.5)
    ax.grid(visible=True, which="both", color=palette.GRID, linewidth=0.6, zorder=palette.LAYER["grid"])
    ax.set_axisbelow(True)


def _steps(ax: Axes) -> tuple[float, float]:
    """Return the steps between numbers and between grid lines that suit a view, inches."""
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    wide, span = abs(x1 - x0), max(abs(x1 - x0), abs(y1 - y0))
    size = FontProperties(size=mpl.rcParams["xtick.labelsize"]).get_size_in_points()
    room = 72 * ax.get_window_extent().width / ax.figure.dpi  # points

    def most(step: float) -> float:
        """Return how many numbers fit."""
        widest = max(text_width(f"{round(x / step) * step:g}″", size) for x in (x0, x1))
        return room / (widest + _APART)

    found = ((a, b) for a, b, most_wide in _STEPS if span <= most_wide and wide / a <= most(a))
    major, minor = next(found, (24.0, 12.0))
    while span > _MOST_TICKS * major:  # on tables larger than any real one
        major, minor = 10 * major, 10 * minor
    return major, minor


class _RuledAlong(MultipleLocator):
    """A locator with the smallest step at which the numbers fit, found anew whenever a side view changes its size."""

    def __init__(self, ax: Axes, apart: float) -> None:
        super().__init__()
        self._ax, self._apart = ax, apart

    def tick_values(self, vmin: float, vmax: float) -> Any:
        """Return the places between two, inches."""
        inch = 1 / (72 * max(per_point(self._ax)))  # inches of paper for an inch of the table
        self.set_params(base=next((s for s in _INCHES if s * inch >= self._apart), _INCHES[-1]))
        return super().tick_values(vmin, vmax)


def ruled(ax: Axes, along_what: str) -> None:
    """Mark both axes of a side view in inches."""
    mark = FuncFormatter(lambda value, _: f"{value:g}″")
    for axis, apart in ((ax.xaxis, _ASIDE), (ax.yaxis, _ASIDE / 2)):
        axis.set_major_locator(_RuledAlong(ax, apart))
        axis.set_major_formatter(mark)
    ax.set_xlabel(along_what, fontsize=scaled(7.0))
    ax.set_ylabel("height", fontsize=scaled(7.0))
    ax.set_axisbelow(True)
    ax.grid(visible=True, color=palette.GRID, linewidth=0.6)
