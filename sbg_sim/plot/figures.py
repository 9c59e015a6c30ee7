"""A figure that is saved with all that it shows, and a canvas for one that has none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from matplotlib.backend_bases import FigureCanvasBase
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PAD: Final = 0.08
"""Inches of paper round what is saved whole."""


class WholeFigure(Figure):
    """A figure of no wanted size: a legend or a side view that hangs below its edge is saved with it."""

    def savefig(self, fname: Any, **options: Any) -> None:
        """Save as matplotlib does, and where something would be cut off, all of it, unless ``bbox_inches`` is given."""
        if "bbox_inches" not in options and self._cuts():
            options = {"bbox_inches": "tight", "pad_inches": PAD, **options}
        super().savefig(fname, **options)

    def _cuts(self) -> bool:
        shown, (wide, deep) = self.get_tightbbox(), self.get_size_inches().tolist()
        return bool(min(shown.x0, shown.y0, wide - shown.x1, deep - shown.y1) < 0)


def measurable(ax: Axes) -> None:
    """Give a figure that was made by hand and has no canvas of any kind one that keeps how large words are on it.

    On the bare one matplotlib makes a new renderer for each word that is asked for its size. Saving is as before.
    """
    figure = ax.get_figure(root=True)
    if figure is not None and type(figure.canvas) is FigureCanvasBase:
        FigureCanvasAgg(figure)
