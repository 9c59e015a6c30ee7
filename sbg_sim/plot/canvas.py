"""An Axes in table coordinates, and a record of what is drawn on it: labels, legend entries, the table.

No figure made here is known to pyplot: no window opens, and no figure stays open.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from sbg_sim.errors import plain
from sbg_sim.plot import palette
from sbg_sim.plot.beneath import Below, RoomShift, above, below_title, give, lay
from sbg_sim.plot.figures import WholeFigure
from sbg_sim.plot.fonts import scaled, text_width
from sbg_sim.plot.options import PictureOptions, chosen
from sbg_sim.plot.words import left_to_right
from sbg_sim.wording import wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    import shapely
    from matplotlib.artist import Artist
    from matplotlib.lines import Line2D
    from matplotlib.text import Text

    from sbg_sim.arrays import Floats
    from sbg_sim.table.board import Table

Box: TypeAlias = tuple[float, float, float, float]
"""``x0, y0, x1, y1`` in data coordinates."""

_KEY: Final = "_sbg_sheet"
HARD: Final = 100.0
"""The weight of what a label must never cover: bases and other labels."""
SIDE: Final = 5.6  # longest side of the plotted area on paper, inches
_TITLE: Final = 9.0  # points of a title
_SPARE: Final = 0.92  # share of its room that a title fills: type is wider at some dots per inch, layouts may take some
_SHORT: Final = 24  # letters per line below which a title is not broken further
_MINIATURE: Final = 1.6  # inches: in less room only a brief title can be read
_BRIEF: Final = 2  # lines of a brief title at most,
_MOST: Final = 4  # and of any title that the caller did not set
_ABOVE: Final = 0.1  # inches between an Axes and its title
MARGINS: Final = (0.6, 0.55, 2.6, 0.75)  # left, bottom, right (for the legend), top
_LEAST: Final = 0.6  # inches that two Axes in one figure have at least
_WIDER: Final = 0.2  # inches by which a legend is wider than at 100 dots per inch: no edge may cut it
NARROW: Final = 0.2  # right margin without a legend, and top margin where the Axes makes room for its title, inches


@dataclass
class Note:
    """A label: the point it names (inches), its owner, how it was placed, and at what scale (inches per point).

    A ``spare`` label is left out where it has no free place.
    """

    text: Text
    xy: tuple[float, float]
    owner: str
    how: dict[str, Any]
    scale: tuple[float, float]
    spare: bool = False


@dataclass
class Sheet:
    """A record of what is drawn on an Axes, so that results can be laid over each other.

    Parameters
    ----------
    own
        Whether the Axes was made here: then its view, title and margins are set here too.
    table
        The table drawn on it, if any.
    boxes
        Areas that labels keep clear of, each with a weight and its owner.
    names, named_at
        The names of models and terrain, which are placed anew when more is drawn, and the scale at which they were
        written, inches per point.
    framed
        Whether the view was set here.
    side
        Longest side of an Axes made here, inches on paper.
    leads
        By owner, the lines that lead from labels to the things they name.
    notes
        Labels to be placed anew when the scale changes.
    key
        The numbers that stand for names, the names, and their sides where sides share numbers.
    cramped
        Whether numbers in bases are so small that a legend beside the Axes would make them illegible on a page.
    bare
        Whether terrain has no names.
    ringed
        By model id, the radius of the ring round its base, inches: the model's name stands outside it.
    legend
        Legend handles by result (empty for the table) and words, in order.
    places
        The shapes that a legend entry explains, inches; entries without shapes are always in view.
    chances, steps, ground
        The chances of legend entries, the bounds of the steps of a scale (inches), and the entries of the table itself.
    results, heads, titled, title
        The label and the title of each result drawn; the titles written over the Axes, and their text artist.
    options
        The options of the last result on it.
    room
        Left, bottom, width and height of the Axes before its legend moved under it, in shares of the figure.

    """

    own: bool = False
    table: Table | None = None
    framed: bool = False
    side: float = SIDE
    boxes: list[tuple[Box, float, str]] = field(default_factory=list)
    names: list[Artist] = field(default_factory=list)
    named_at: tuple[float, float] = (0.0, 0.0)
    leads: dict[str, list[Line2D]] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    key: list[tuple[str, str, str]] = field(default_factory=list)
    cramped: bool = False
    bare: bool = False
    ringed: dict[str, float] = field(default_factory=dict)
    legend: dict[tuple[str, str], Artist] = field(default_factory=dict)
    places: dict[tuple[str, str], list[shapely.Geometry]] = field(default_factory=dict)
    chances: dict[tuple[str, str], Fraction] = field(default_factory=dict)
    steps: dict[tuple[str, str], tuple[float, float]] = field(default_factory=dict)
    ground: set[tuple[str, str]] = field(default_factory=set)
    results: list[str] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    titled: list[str] = field(default_factory=list)
    title: Text | None = None
    options: PictureOptions = field(default_factory=PictureOptions)
    room: Box | None = None
    _rows: tuple[list[tuple[Box, float, str]], Floats, Floats] | None = None
    _scale: tuple[tuple[Any, ...], tuple[float, float]] | None = None

    def rows(self) -> tuple[Floats, Floats]:
        """Return the boxes ``(n, 4)``, inches, and their weights ``(n,)``; only new boxes are converted."""
        if self._rows is None or self._rows[0] is not self.boxes or len(self._rows[2]) > len(self.boxes):
            self._rows = self.boxes, np.zeros((0, 4)), np.zeros(0)
        _, boxes, weights = self._rows
        new = self.boxes[len(weights) :]
        if new:
            boxes = np.concatenate([boxes, np.array([box for box, _, _ in new])])
            weights = np.append(weights, [weight for _, weight, _ in new])
            self._rows = self.boxes, boxes, weights
        return boxes, weights

    def scale(self, ax: Axes) -> tuple[float, float]:
        """Return data units per typographic point along x and y, computed anew after a change of view or room."""
        box, dots, (x0, x1), (y0, y1) = ax.figure.bbox, ax.figure.dpi / 72, ax.get_xlim(), ax.get_ylim()
        room, shape = ax.get_position(original=True), (ax.get_aspect(), ax.get_adjustable(), ax.get_anchor())
        now = (x0, x1, y0, y1, *room.bounds, *box.bounds, dots, *shape)
        if self._scale is None or self._scale[0] != now or ax.get_axes_locator() is not None:
            lay(ax)
            inside = ax.get_window_extent()
            (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
            wide, high = max(inside.width, 1), max(inside.height, 1)
            self._scale = now, (abs(x1 - x0) / wide * dots, abs(y1 - y0) / high * dots)
        return self._scale[1]


def sheet(ax: Axes) -> Sheet:
    """Return the record of what is drawn on an Axes."""
    found: Sheet = vars(ax).setdefault(_KEY, Sheet())
    return found


class TableAxes(Axes):
    """An Axes that notebooks show as a picture."""

    def _repr_svg_(self) -> str | None:
        if not sheet(self).own:
            return None  # the figure is the user's to show
        from importlib import import_module

        return str(import_module("sbg_sim.plot.files").svg(self))


def new_axes(view: Box, *, side: float = SIDE) -> Axes:
    """Make an Axes with equal scales that shows ``view`` (inches), with room for a legend on its right."""
    width, depth = view[2] - view[0], view[3] - view[1]
    scale = side / max(width, depth)
    ax = chart_axes(width * scale, depth * scale)
    ax.set_aspect("equal", adjustable="box")
    sheet(ax).side = side
    show_view(ax, view)
    return ax


def show_view(ax: Axes, view: Box) -> None:
    """Set the part of the table that is seen, inches; a figure made here takes its shape."""
    ax.set_xlim(view[0], view[2])
    ax.set_ylim(view[1], view[3])
    sheet(ax).framed = True
    figure = ax.get_figure(root=True)
    if sheet(ax).own and figure is not None and chosen().figsize is None and len(figure.axes) == 1:
        width, depth = view[2] - view[0], view[3] - view[1]
        scale = sheet(ax).side / max(width, depth)
        _lay_out(figure, ax, width * scale, depth * scale)


def chart_axes(width: float = 5.2, height: float = 3.4) -> Axes:
    """Make an Axes of a size on paper, inches; if the caller set a size for the figure, the Axes fits that instead."""
    left, bottom, right, top = MARGINS
    wanted = chosen().figsize
    if wanted is not None:
        right, top = right + _WIDER if wanted[0] > left + right + 1 else NARROW, NARROW
        width, height = max(wanted[0] - left - right, 0.3), max(wanted[1] - bottom - top, 0.3)
    fig = WholeFigure() if wanted is None else Figure()
    FigureCanvasAgg(fig)
    ax = fig.add_axes((0.0, 0.0, 1.0, 1.0), axes_class=TableAxes)
    _lay_out(fig, ax, width, height, right, top)
    if wanted is not None:
        fig.set_size_inches(*wanted)
    sheet(ax).own = True
    return ax


def under(ax: Axes, deep: float = 0.0, *, gap: float = 0.5, left: float = 0.0) -> Axes:
    """Make an Axes under another, in the same figure; a figure of a given size is divided between the two.

    Parameters
    ----------
    ax
        The upper Axes.
    deep, gap
        Depth of the new Axes and its distance below, inches on paper; depth 0 is half that of the upper one, at least
        2.6.
    left
        Share of the width left free on the left.

    """
    figure = ax.get_figure(root=True)
    assert figure is not None
    lay(ax)
    high = ax.get_position().height * figure.get_size_inches()[1]
    deep = deep or max(2.6, high / 2)
    if chosen().figsize is not None and sheet(ax).own:
        narrow(ax)
        high = ax.get_position().height * figure.get_size_inches()[1]
        room, tall = ax.get_position(original=True), float(figure.get_size_inches()[1])
        shared = max(room.height * tall - gap - above(ax), _LEAST)
        high, deep = shared * high / (high + deep), shared * deep / (high + deep)
        ax.set_position((room.x0, room.y1 - (high + above(ax)) / tall, room.width, (high + above(ax)) / tall))
        lay(ax)
        high = ax.get_position().height * tall
    elif not sheet(ax).own:
        room, tall = ax.get_position(original=True), float(figure.get_size_inches()[1])
        shared = max(room.height * tall - gap - above(ax), _LEAST)
        give(ax, under=room.height * tall - above(ax) - shared * high / (high + deep))
    below = ax.inset_axes((left, -(deep + gap) / high, 1.0 - left, deep / high))
    below.set_axes_locator(Below(ax, left, gap, deep / high))
    return below


def miniature(ax: Axes) -> bool:
    """Say whether an Axes has too little room for more words than a brief title.

    In a figure made here the whole figure counts as room, whatever stands beside or under the Axes.
    """
    figure, room = ax.get_figure(root=True), ax.get_position(original=True)
    assert figure is not None
    wide, tall = figure.get_size_inches().tolist()
    if sheet(ax).own:
        return bool(min(wide - MARGINS[0] - NARROW, tall - MARGINS[1] - NARROW) < _MINIATURE)
    return bool(min(room.width * wide, room.height * tall) < _MINIATURE)


def narrow(ax: Axes) -> None:
    """Give an Axes back the room that it had before its legend moved under it."""
    kept = sheet(ax)
    if kept.room is not None:
        ax.set_position(kept.room)
        give(ax, under=0.0, foot=0.0)
        kept.room = None


def _lay_out(
    figure: Figure, ax: Axes, width: float, height: float, right: float = MARGINS[2], top: float = MARGINS[3]
) -> None:
    """Give an Axes a size on paper, inches, and its figure margins for the title, the scales and the legend."""
    left, bottom = MARGINS[:2]
    whole_width, whole_height = left + width + right, bottom + height + top
    figure.set_size_inches(whole_width, whole_height)
    ax.set_position((left / whole_width, bottom / whole_height, width / whole_width, height / whole_height))


def rule_percent(axis: Any, ax: Axes) -> None:
    """Label an axis of chances or shares in percent."""
    axis.set_major_formatter(PercentFormatter(1.0, decimals=None))
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.set_axisbelow(True)
    axis.grid(visible=True, color=palette.GRID, linewidth=0.6)


def title(ax: Axes, head: str, reason: str = "") -> None:
    """Write a title and a sentence under it; the user's own Axes keeps its title unless a new one is asked for.

    The titles of several results on one Axes stand under each other.
    """
    wanted, kept = chosen().title, sheet(ax)
    if wanted is False or wanted == "":
        return
    if wanted is True and not kept.own and not kept.heads and ax.get_title(loc="left") + ax.get_title():
        return
    if isinstance(wanted, str):
        head, reason = wanted, ""
        kept.heads = []
    kept.heads.append(head)
    texts = [head, reason] if len(kept.heads) == 1 else kept.heads[-3:]
    if wanted is True and len(_lines(ax, texts)) > (most := _BRIEF if miniature(ax) else _MOST):
        texts = [_brief(ax, text, most // min(len(kept.heads), 2)) for text in kept.heads[-2:]]
    kept.titled = [plain(part, lines=True) for part in texts]
    style: dict[str, Any] = {"fontsize": scaled(_TITLE), "color": palette.INK, "linespacing": 1.3}
    made = kept.title = ax.set_title(broken(ax), loc="left", **style)
    vars(made).pop("_sbg_dark", None)  # it is in ink again
    if not kept.own or chosen().figsize is not None:
        made.set_transform(made.get_transform() + RoomShift(ax))  # its lines were broken to fit the room
        below_title(ax, made.get_window_extent().height / ax.figure.dpi + _ABOVE)


def broken(ax: Axes) -> str:
    """Return the title of an Axes, in lines that fit its room."""
    return "\n".join(map(left_to_right, _lines(ax, sheet(ax).titled)))


def _lines(ax: Axes, texts: Sequence[str]) -> list[str]:
    """Return texts in lines that fit the room of a title."""
    room, size = _room_of_title(ax), scaled(_TITLE)
    return [line for text in texts for line in _within(text, room, size)]


def _room_of_title(ax: Axes) -> float:
    """Return the greatest width of a title, points: to the edge of a figure made here, else the width of the room."""
    place = ax.get_position(original=True).transformed(ax.figure.transSubfigure)  # a map may be narrower than its room
    wide = ax.figure.bbox.x1 - place.x0 if sheet(ax).own else place.width
    grows = sheet(ax).own and chosen().figsize is None
    return float((1.0 if grows else _SPARE) * 72 * wide / ax.figure.dpi)


def _brief(ax: Axes, head: str, most: int) -> str:
    """Return the first parts of a title that fit in ``most`` lines, at least one."""
    parts = head.split(" · ")
    while len(parts) > 1 and len(_lines(ax, [" · ".join(parts)])) > most:
        parts.pop()
    return " · ".join(parts)


def _within(text: str, room: float, size: float) -> list[str]:
    """Return a text in lines no wider than ``room`` points, but not broken below ``_SHORT`` letters."""
    letters = max(_SHORT, int(room * len(text) / max(text_width(text, size), 1.0)))
    while True:
        lines = wrapped(text, letters)
        if letters == _SHORT or all(text_width(line, size) <= room for line in lines):
            return lines
        letters -= 1


def explain(
    ax: Axes,
    words: str,
    handle: Artist,
    *,
    where: shapely.Geometry | None = None,
    chance: Fraction | None = None,
    step: tuple[float, float] | None = None,
) -> None:
    """Record a legend entry; of entries with the same words and result the first handle stays.

    An entry with shapes (``where``, inches) is written only if one of them is in view. Entries with a ``chance`` are
    grouped where there are many, the steps of a scale (``step``: from and to, inches) where there is little room.
    """
    key = (chosen().label or "", words)
    sheet(ax).legend.setdefault(key, handle)
    if step is not None:
        sheet(ax).steps[key] = step
    if chance is not None:
        sheet(ax).chances[key] = chance
    if where is not None:
        sheet(ax).places.setdefault(key, []).append(where)
