"""Legends under an Axes and titles above it: in a figure of a given size the Axes gives up room for them."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, cast
from weakref import WeakKeyDictionary

import matplotlib as mpl
import numpy as np
from matplotlib.lines import Line2D
from matplotlib.transforms import Affine2DBase, Bbox, ScaledTranslation

from sbg_sim.plot import palette
from sbg_sim.wording import wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.gridspec import SubplotSpec

    from sbg_sim.arrays import Floats

_EDGE: Final = 0.05  # inches left free at the edges of the figure
SHARE: Final = 0.45  # share of the Axes' room that its legend may take
_WIDTHS: Final = ((2, 34), (2, 28), (2, 22), (1, 34), (1, 28), (1, 22), (1, 16))  # columns, letters per line
_FREE: Final = 46  # letters per line where the figure grows with its legend
_ASIDE: Final = 0.4  # share of the width of an Axes that words on its left may take
_LEAST: Final = 0.1  # share of the figure's height: the least height of an Axes
_WIDER: Final = 1.12  # times the width at the usual dots per inch: hinting makes type wider at others
# Widths and heights of legends already measured in a figure, inches.
_SIZES: Final[WeakKeyDictionary[Figure, dict[tuple[Any, ...], tuple[float, float]]]] = WeakKeyDictionary()


def beneath(
    ax: Axes,
    handles: Sequence[Any],
    words: Sequence[str],
    style: dict[str, Any],
    *,
    inside: bool,
    going: Sequence[int] = (),
    key: int = 0,
) -> int:
    """Write a legend under an Axes, and return how many of its entries are left out.

    Parameters
    ----------
    ax
        The Axes.
    handles, words
        The entries.
    style
        Options of the legend.
    inside
        Whether the legend must stay inside the figure: the Axes gives up part of its room, and entries without room are
        only counted.
    going
        Indices of the entries in the order in which they are then left out.
    key
        Number of entries, the last ones, that explain the numbers in the picture.

    """
    if inside and ax.child_axes:
        give(ax, under=0.0, foot=0.0)
    low = _low(ax)
    if not inside:
        at = 0.0, -(low + 2 * _EDGE) * ax.figure.dpi / ax.get_window_extent().height
        lines = ["\n".join(wrapped(" ".join(text.split()), _FREE)) for text in words[: -key or None]]
        lines += words[len(lines) :]
        written = ax.legend(handles, lines, **style, loc="upper left", bbox_to_anchor=at, borderaxespad=0.0, ncols=2)
        written.set_zorder(palette.LAYER["label"] + 1)
        return 0
    figure = ax.figure.get_figure(root=True)
    assert figure is not None
    wide, deep = figure.get_size_inches().tolist()
    place = ax.get_position(original=True)
    left, right, bottom = _room(ax)
    most = SHARE * (place.y1 - bottom) * deep

    def write(columns: int, letters: int, left_out: int) -> Any:
        """Write the legend in ``columns`` columns."""
        shown, lines = trimmed(words, going[:left_out], key, letters)
        marks = [handles[n] if n is not None else Line2D([], [], linestyle="none") for n in shown]
        return ax.legend(
            marks,
            lines,
            **style,
            loc="lower left",
            bbox_to_anchor=(left, bottom + _EDGE / deep),
            bbox_transform=figure.transFigure,
            borderaxespad=0.0,
            ncols=columns,
        )

    # The size of a legend depends on its lines and its type alone: one measured before in this figure is not written
    # again to be measured, when names are placed anew or another result is drawn over this one.
    known = _SIZES.setdefault(figure, {})
    type_of = (figure.dpi, repr(mpl.rcParams.find_all(r"^(font|legend|text)\.")))
    type_of += tuple(value for name, value in style.items() if name != "handler_map")

    def sized(columns: int, letters: int, left_out: int) -> tuple[float, float]:
        """Return the width and height of the legend, inches."""
        wanted = (columns, tuple(trimmed(words, going[:left_out], key, letters)[1]), *type_of)
        if wanted not in known:
            box = write(columns, letters, left_out).get_window_extent()
            known[wanted] = box.width / figure.dpi, box.height / figure.dpi
        return known[wanted]

    least, best = len(going), _WIDTHS[-1]
    for width in _WIDTHS:
        across, high = sized(*width, 0)
        if _WIDER * across > (right - left) * wide and width != _WIDTHS[-1]:
            continue
        if high <= most or len(going) < 2:
            least, best = 0, width
            break
        # The least number to leave out, by bisection: fewer entries are never higher. One entry always stays.
        some, few = least - 1, 0
        if least < len(going) and (not some or sized(*width, some)[1] > most):
            continue
        while some - few > 1:
            middle = (some + few) // 2
            if sized(*width, middle)[1] > most:
                few = middle
            else:
                some = middle
        least, best = some, width
    written, (across, high) = write(*best, least), sized(*best, least)
    # The legend begins where the Axes begins, if it fits there.
    start = max(left, min(float(place.x0), right - _WIDER * across / wide))
    written.set_zorder(palette.LAYER["label"] + 1)
    low = _with_less(ax, low, (place.y1 - bottom) * deep - above(ax) - 2 * _EDGE - high)
    foot = 2 * _EDGE + high + low
    give(ax, under=foot - (place.y0 - bottom) * deep, foot=foot)
    # It is placed relative to its Axes: a later layout (`tight_layout`) moves both, and makes room for both.
    x, y = (start - place.x0) * wide, -(low + _EDGE + high)
    hung = ax.transAxes + RoomShift(ax) + ScaledTranslation(x, y, figure.dpi_scale_trans)
    written.set_bbox_to_anchor((0.0, 0.0), transform=hung)
    return least


def trimmed(
    words: Sequence[str], left_out: Sequence[int], key: int, letters: int | None = None
) -> tuple[list[int | None], list[str]]:
    """Return the indices of the entries written, and their lines; None stands before the key for those left out.

    Parameters
    ----------
    words
        The entries, those of the key last.
    left_out
        Indices of the entries not written.
    key
        Number of entries of the key.
    letters
        Letters per line; None leaves lines as they are.

    """
    shown: list[int | None] = [n for n in range(len(words)) if n not in left_out]
    lines = [
        words[n] if letters is None else "\n".join(wrapped(re.sub(r"[ \n]+", " ", words[n]), letters))
        for n in shown
        if n is not None
    ]
    if left_out:
        spot = sum(n is not None and n < len(words) - key for n in shown) or len(shown)
        shown.insert(spot, None)
        lines.insert(spot, f"and {len(left_out)} more")
    return shown, lines


def lay(ax: Axes) -> None:
    """Put an Axes where it will be drawn: matplotlib does so only on drawing, but labels are placed before that."""
    locator = ax.get_axes_locator()
    ax.apply_aspect(None if locator is None else locator(ax, None))  # type: ignore[arg-type]  # as in matplotlib


class RoomShift(Affine2DBase):
    """A shift along x from the left edge of a map to that of its Axes' room; the map may be narrower than the room."""

    def __init__(self, ax: Axes) -> None:
        super().__init__()
        self._ax = ax
        self.set_children(ax.transAxes)

    def get_matrix(self) -> Floats:
        """Return the current shift as a matrix ``(3, 3)``, pixels."""
        ax = self._ax
        left = ax.get_position(original=True).transformed(ax.figure.transSubfigure).x0
        return np.array([[1.0, 0.0, left - ax.bbox.x0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])


class Below:
    """A locator for an Axes under another one, which follows when the upper one changes its size.

    Parameters
    ----------
    over
        The upper Axes.
    left
        Share of the width left free on the left.
    gap
        Distance between the two, inches.
    deep
        Depth, as a multiple of the upper one's.

    """

    def __init__(self, over: Axes, left: float, gap: float, deep: float) -> None:
        self._over, self._left, self._gap, self._deep = over, left, gap, deep

    def __call__(self, _ax: Any, _renderer: object) -> Bbox:
        """Return the room of the lower Axes, in shares of the figure."""
        box, figure = self._over.bbox, self._over.figure
        high = box.y0 - self._gap * figure.dpi
        room = Bbox.from_extents(box.x0 + self._left * box.width, high - self._deep * box.height, box.x1, high)
        return room.transformed(figure.transSubfigure.inverted())


def lay_out(ax: Axes) -> None:
    """Run the layout engine of a figure now, so that labels are placed where they will be drawn."""
    figure = ax.figure.get_figure(root=True)
    assert figure is not None
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
        lay(ax)


def _low(ax: Axes) -> float:
    """Return how far below an Axes its ticks, their labels and its child Axes with their legends reach, inches."""
    lay(ax)
    boxes = [ax.xaxis.get_tightbbox(), *(part.get_tightbbox() for part in ax.child_axes)]
    foot = ax.get_window_extent().y0
    return float(max([0.0, *(foot - box.y0 for box in boxes if box is not None)]) / ax.figure.dpi)


def _with_less(ax: Axes, low: float, room: float) -> float:
    """Return how far below an Axes (now ``low``) its child Axes reaches once both share ``room``; inches."""
    high = ax.get_window_extent().height / ax.figure.dpi
    for part in ax.child_axes:
        share = part.get_window_extent().height / ax.figure.dpi / high  # the child Axes has the same scale
        fixed = low - share * high  # the gap and the words under the child Axes
        low -= share * max(0.0, high - (room - fixed) / (1 + share))
    return low


def below_title(ax: Axes, tall: float) -> None:
    """Lower the top of an Axes, by at most half of its room, to fit a title ``tall`` inches high above it."""
    figure = ax.figure.get_figure(root=True)
    assert figure is not None
    if figure.get_layout_engine() is not None:
        return  # the layout engine makes room
    place = ax.get_position(original=True)
    above = []
    for other in figure.axes:
        box, words = other.get_position(original=True), other.get_legend()
        if other is ax or not other.get_visible() or box.y0 < place.y1 - 1e-9:
            continue
        if box.x0 < place.x1 and box.x1 > place.x0:
            foot = (box.y0 + place.y1) / 2
            if words is not None:
                foot = min(foot, words.get_window_extent().transformed(figure.transFigure.inverted()).y0)
            above.append(foot)
    lack = (tall + _EDGE) / figure.get_size_inches()[1] - (min([1.0, *above]) - place.y1)
    give(ax, above=min(max(lack, 0.0), place.height / 2) * figure.get_size_inches()[1])


def room_beside(ax: Axes) -> float:
    """Return the greatest width of words left of an Axes, points: to the figure's edge or half-way to a neighbour.

    The Axes can give up part of its own width for them. A figure with a layout engine, or one that grows, sets no
    limit.
    """
    figure = ax.figure.get_figure(root=True)
    assert figure is not None
    place = ax.get_position(original=True)
    if figure.get_layout_engine() is not None or ax not in figure.axes:
        return math.inf
    return float(72 * (place.x0 - _room(ax)[0] + _ASIDE * place.width) * figure.get_size_inches()[0])


def beside_words(ax: Axes, wide: float) -> None:
    """Move the left end of an Axes to the right to fit words ``wide`` points wide beside it."""
    figure = ax.figure.get_figure(root=True)
    assert figure is not None
    place = ax.get_position(original=True)
    lack = wide / 72 - (place.x0 - _room(ax)[0]) * figure.get_size_inches()[0]
    give(ax, left=min(max(lack, 0.0), _ASIDE * place.width * figure.get_size_inches()[0]))


@dataclass(frozen=True)
class _Margins:
    """A locator for an Axes that gives up some of its room; layout engines still see, and move, the whole room.

    Parameters
    ----------
    spec
        The Axes' cell in a grid of Axes, if any: layout engines find the Axes by it.
    under, above
        Room given up for its legend and its title, inches; the legend also takes the edge of the figure.
    foot
        Distance from the Axes down to the end of its legend, inches: the legend stays in the figure if the room moves.
    left
        Room given up for words on its left, inches.

    """

    spec: SubplotSpec | None
    under: float = 0.0
    above: float = 0.0
    foot: float = 0.0
    left: float = 0.0

    def get_subplotspec(self) -> SubplotSpec | None:
        return self.spec

    def __call__(self, ax: Any, _: object) -> Bbox:
        room: Bbox = ax.get_position(original=True)
        wide, deep = ax.figure.get_figure(root=True).get_size_inches().tolist()
        low, high = room.y0 + self.under / deep, room.y1 - self.above / deep
        if self.foot:
            low = max(low, _room(ax)[2] + self.foot / deep)
        return Bbox.from_extents(room.x0 + self.left / wide, min(low, high - _LEAST), room.x1, high)


def give(ax: Axes, **room: float) -> None:
    """Let an Axes give up some of its room for its legend, its title or words beside it, inches."""
    locator = ax.get_axes_locator()
    if locator is None or isinstance(locator, _Margins):
        margins = replace(locator or _Margins(ax.get_subplotspec()), **cast("Any", room))
        gives = margins.under or margins.above or margins.foot or margins.left
        ax.set_axes_locator(margins if gives else None)  # type: ignore[arg-type]  # None removes the locator
        lay(ax)


def above(ax: Axes) -> float:
    """Return the room that an Axes gave up for its title, inches."""
    locator = ax.get_axes_locator()
    return locator.above if isinstance(locator, _Margins) else 0.0


def _room(ax: Axes) -> tuple[float, float, float]:
    """Return the left, right and lower bounds for the legend of an Axes, in shares of the figure."""
    figure = ax.figure.get_figure(root=True)
    assert figure is not None
    place = ax.get_position(original=True)
    edge = _EDGE / figure.get_size_inches()[0]
    left, right, bottom = edge, 1 - edge, 0.0  # with space between neighbours: type is wider at fewer dots per inch
    for other in figure.axes:
        box = other.get_position(original=True)
        if other is ax or not other.get_visible():
            continue
        if box.y1 <= place.y0 + 1e-9 and box.x0 < place.x1 and box.x1 > place.x0:
            bottom = max(bottom, (box.y1 + place.y0) / 2)
        elif box.y0 < place.y1 and box.y1 > place.y0:
            left = max(left, (box.x1 + place.x0) / 2 + edge) if box.x1 <= place.x0 + 1e-9 else left
            right = min(right, (box.x0 + place.x1) / 2 - edge) if box.x0 >= place.x1 - 1e-9 else right
    return left, right, bottom
