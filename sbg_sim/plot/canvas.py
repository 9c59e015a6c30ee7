"""An Axes in table coordinates, and what has been put on it so far: labels, legend entries, the table.

No figure here is known to pyplot: nothing shows, nothing stays open.
"""

from __future__ import annotations

import textwrap
import warnings
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.ticker import FuncFormatter, MultipleLocator

from sbg_sim.plot import palette

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from sbg_sim.table.board import Table

Box: TypeAlias = tuple[float, float, float, float]
"""``x0, y0, x1, y1`` in data coordinates."""

_KEY: Final = "_sbg_sheet"
_SIDE: Final = 6.4  # longest side of the plotted area on paper, inches
_MARGINS: Final = (0.6, 0.55, 2.9, 0.75)  # left, bottom, right (for the legend), top


@dataclass
class Sheet:
    """What is on an Axes already, so that results can be laid over each other.

    Parameters
    ----------
    own
        Whether the Axes was made here: then the view, the title and the margins are ours to set.
    table
        The table drawn on it, if any.
    boxes
        Areas that labels keep clear of, with a weight and whose they are.
    names
        The names of models and terrain, which move out of the way of what is drawn later.
    legend
        Legend handles by their words, in order.

    """

    own: bool = False
    table: Table | None = None
    boxes: list[tuple[Box, float, str]] = field(default_factory=list)
    names: list[Artist] = field(default_factory=list)
    legend: dict[str, Artist] = field(default_factory=dict)


def sheet(ax: Axes) -> Sheet:
    """Return what is on an Axes so far."""
    found: Sheet = vars(ax).setdefault(_KEY, Sheet())
    return found


@contextmanager
def house_style() -> Iterator[None]:
    """Draw under the project's own settings, and leave the user's as they were.

    Names are names: a dollar sign in one begins no formula. What no font here can show is drawn as boxes, in silence.
    """
    style: Any = {k: v for k, v in palette.STYLE.items() if k in mpl.rcParams}
    style["font.family"] = [*palette.STYLE["font.family"], *_further_fonts()]
    with mpl.rc_context(style), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        warnings.filterwarnings("ignore", message=".* does not support .* natively")  # scripts that want shaping
        yield


@cache
def _further_fonts() -> tuple[str, ...]:
    """Return the fonts of other scripts that are installed here."""
    there = {font.name for font in fontManager.ttflist}
    return tuple(name for name in palette.FURTHER_FONTS if name in there)


def new_axes(view: Box, *, side: float = _SIDE) -> Axes:
    """Make an Axes with equal scales that shows ``view`` (inches), with room for a legend on its right."""
    width, depth = view[2] - view[0], view[3] - view[1]
    scale = side / max(width, depth)
    ax = chart_axes(width * scale, depth * scale)
    ax.set_aspect("equal", adjustable="box")
    ax.set_xlim(view[0], view[2])
    ax.set_ylim(view[1], view[3])
    return ax


def chart_axes(width: float = 5.2, height: float = 3.4) -> Axes:
    """Make an Axes of a size on paper, inches."""
    left, bottom, right, top = _MARGINS
    whole_width, whole_height = left + width + right, bottom + height + top
    fig = Figure(figsize=(whole_width, whole_height))
    FigureCanvasAgg(fig)
    place = (left / whole_width, bottom / whole_height, width / whole_width, height / whole_height)
    ax = fig.add_axes(place)
    sheet(ax).own = True
    return ax


def rule_inches(ax: Axes) -> None:
    """Give both axes ticks in inches, at a step that suits the view, over a faint grid."""
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    span = max(abs(x1 - x0), abs(y1 - y0))
    major, minor = next(((a, b) for a, b, most in _STEPS if span <= most), (24.0, 12.0))
    mark = FuncFormatter(lambda value, _: f"{value:g}″")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MultipleLocator(major))
        axis.set_minor_locator(MultipleLocator(minor))
        axis.set_major_formatter(mark)
    ax.tick_params(which="both", direction="out", length=2.5)
    ax.grid(visible=True, which="both", color=palette.GRID, linewidth=0.6, zorder=palette.LAYER["grid"])
    ax.set_axisbelow(True)


_STEPS: Final = (
    (0.5, 0.1, 4.0),
    (1.0, 0.5, 9.0),
    (2.0, 1.0, 20.0),
    (6.0, 1.0, 30.0),
    (6.0, 2.0, 60.0),
    (12.0, 6.0, 120.0),
)


def title(ax: Axes, head: str, reason: str = "") -> None:
    """Write a title and, under it, a sentence; an Axes of the user's keeps the title it has."""
    if not sheet(ax).own and ax.get_title(loc="left") + ax.get_title():
        return
    room = (2.3 if sheet(ax).own else 0.0) + ax.get_window_extent().width / ax.figure.dpi
    wide = max(30, int(room * 13))
    lines = textwrap.wrap(head, wide) + textwrap.wrap(reason, wide)
    ax.set_title("\n".join(lines), loc="left", fontsize=8.5, color=palette.INK, linespacing=1.3)


def explain(ax: Axes, words: str, handle: Artist) -> None:
    """Note a legend entry; the first handle for the same words stays."""
    sheet(ax).legend.setdefault(words, handle)


def legend(ax: Axes) -> None:
    """Write the legend of everything noted: beside our own Axes, in the least busy corner of a user's."""
    entries = sheet(ax).legend
    if not entries:
        return
    words = [textwrap.fill(text, 34) for text in entries]
    beside = (
        {"loc": "upper left", "bbox_to_anchor": (1.015, 1.0), "borderaxespad": 0.0}
        if sheet(ax).own
        else {"loc": "best"}
    )
    drawn = ax.legend(
        list(entries.values()),
        words,
        fontsize=7.0,
        handlelength=2.4,
        handleheight=1.3,
        framealpha=0.9,
        **beside,
    )
    drawn.set_zorder(palette.LAYER["label"] + 1)


def view_around(boxes: Iterable[Box], within: Box, *, margin: float = 0.75, least: float = 5.0) -> Box:
    """Return a view that holds all boxes with a margin, no slimmer than 1 : 1.8, inside the table if it can.

    Parameters
    ----------
    boxes
        What must be seen, inches.
    within
        The whole table, inches.
    margin
        Room around, inches.
    least
        Shortest side, inches.

    """
    rows = list(boxes)
    if not rows:
        return within
    x0, y0 = min(b[0] for b in rows) - margin, min(b[1] for b in rows) - margin
    x1, y1 = max(b[2] for b in rows) + margin, max(b[3] for b in rows) + margin
    wide, deep = x1 - x0, y1 - y0
    wide_now, deep_now = max(wide, deep / 1.8, least), max(deep, wide / 1.8, least)
    left, right = _slid((x0 + x1 - wide_now) / 2, wide_now, within[0], within[2])
    low, high = _slid((y0 + y1 - deep_now) / 2, deep_now, within[1], within[3])
    return left, low, right, high


def _slid(low: float, length: float, least: float, most: float) -> tuple[float, float]:
    if length >= most - least:
        return least, most
    low = min(max(low, least), most - length)
    return low, low + length
