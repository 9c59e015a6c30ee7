"""A figure that is saved with everything it shows, and a canvas for a figure without one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from matplotlib.backend_bases import FigureCanvasBase
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PAD: Final = 0.08
"""Inches of paper round a figure that is saved whole."""


class WholeFigure(Figure):
    """A figure without a fixed size: a legend or a side view below its edge is saved with it."""

    def savefig(self, fname: Any, **options: Any) -> None:
        """Save as matplotlib does, but whole if something would be cut off, unless ``bbox_inches`` is given."""
        if "bbox_inches" not in options and self._cuts():
            options = {"bbox_inches": "tight", "pad_inches": PAD, **options}
        super().savefig(fname, **options)

    def _cuts(self) -> bool:
        shown, (wide, deep) = self.get_tightbbox(), self.get_size_inches().tolist()
        return bool(min(shown.x0, shown.y0, wide - shown.x1, deep - shown.y1) < 0)


def measurable(ax: Axes) -> None:
    """Give a figure with no canvas but the bare one a canvas that can measure text quickly.

    On the bare one matplotlib makes a new renderer to measure each text. Saving is as before.
    """
    figure = ax.get_figure(root=True)
    if figure is not None and type(figure.canvas) is FigureCanvasBase:
        FigureCanvasAgg(figure)
