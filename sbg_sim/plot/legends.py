"""The legend of everything on an Axes: beside it, in a free corner, or under it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import shapely
from matplotlib.lines import Line2D

from sbg_sim.plot import palette
from sbg_sim.plot.beneath import SHARE, beneath, trimmed
from sbg_sim.plot.canvas import MARGINS, NARROW, miniature, narrow, sheet
from sbg_sim.plot.entries import SIDE_BY_SIDE, going, key_lines, named, on_a_scale
from sbg_sim.plot.fonts import scaled
from sbg_sim.plot.options import chosen
from sbg_sim.tolerance import ROUNDING

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.transforms import Bbox

_HARDLY: Final = 0.005  # share of the view along its edge in which nothing is noticed
_MANY: Final = 14  # entries of a legend beyond which,
_LONG: Final = 1.25  # and if it is this many times as high as its Axes, it stands under it
_BESIDE: Final = 1.015  # where a legend beside its Axes begins, times the width of the Axes
_GAP: Final = 0.04  # and its distance from an Axes below, a share of that width
_CORNERS: Final = ("upper right", "lower right", "upper left", "lower left")


def _in_view(ax: Axes, shapes: list[shapely.Geometry] | None) -> bool:
    (x0, x1), (y0, y1) = sorted(ax.get_xlim()), sorted(ax.get_ylim())
    x, y = _HARDLY * (x1 - x0), _HARDLY * (y1 - y0)
    return shapes is None or bool(shapely.intersects(shapes, shapely.box(x0 + x, y0 + y, x1 - x, y1 - y)).any())


def explained(ax: Axes) -> dict[tuple[str, str], Artist]:
    """Return the legend entries of things in view, by result and words."""
    kept = sheet(ax)
    return {key: handle for key, handle in kept.legend.items() if _in_view(ax, kept.places.get(key))}


def legend(ax: Axes, *, corner: bool = False) -> None:
    """Write the legend of all recorded entries: beside an Axes made here, in a free corner of the user's or under it.

    With ``corner`` an Axes made here is treated as the user's: beside a large map a legend would make names small. If
    there is no room for all entries, steps of a scale share an entry and numbers of a key share lines, before entries
    are left out. A miniature has its legend in a free corner or none, unless the caller asks for one.
    """
    wanted, entries = chosen().legend, explained(ax)
    if not entries or wanted is False:
        old = ax.get_legend()
        if old is not None and wanted is False:
            old.remove()
        return
    if not _write(ax, entries, corner=corner):
        _write(ax, entries, corner=corner, brief=True)


def _write(ax: Axes, entries: dict[tuple[str, str], Artist], *, corner: bool, brief: bool = False) -> bool:
    """Write the legend of some entries, in its short form if ``brief``; say whether all of them fit."""
    kept, wanted = sheet(ax), chosen().legend
    rows = on_a_scale(entries, kept.steps, kept.ground) if brief else entries
    words, handles, general = named(rows, kept.chances, kept.ground, kept.results)
    key = key_lines(kept.key, brief=brief) if kept.key else []
    if key:
        words += [line for line, _ in key]
        bases = {text: handle for (_, text), handle in kept.legend.items()}
        handles += [bases.get(f"base, {side} side", Line2D([], [], linestyle="none")) for _, side in key]
    go = going(general, len(key))
    look_of: dict[str, Any] = {
        "fontsize": scaled(7.5),
        "handlelength": 3.5 if brief and kept.steps else 2.2,
        "handleheight": 1.2,
        "labelspacing": 0.35,
        "framealpha": 0.9,
        "handler_map": SIDE_BY_SIDE,
    }
    figure = ax.get_figure(root=True)
    assert figure is not None
    inside = not kept.own or (chosen().figsize is not None and ax in figure.axes)  # but not of an Axes under a map

    def write(left_out: int = 0, **where: Any) -> Any:
        shown, lines = trimmed(words, go[:left_out], len(key))
        signs = [handles[n] if n is not None else Line2D([], [], linestyle="none") for n in shown]
        drawn = ax.legend(signs, lines, **look_of, **where)
        drawn.set_zorder(palette.LAYER["label"] + 1)
        return drawn

    def write_under() -> bool:
        return beneath(ax, handles, words, look_of, inside=inside, going=go, key=len(key)) == 0

    small = wanted == "auto" and miniature(ax)
    if wanted == "below":
        return write_under()
    if (corner or small or not kept.own) and _in_a_corner(ax, write(loc=_CORNERS[0])):
        pass
    elif small:
        write(loc="best").remove()
    elif not kept.own or corner or (inside and _larger_above(ax)):
        return write_under()
    else:
        place: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (_right(ax), 1.0), "borderaxespad": 0.0}
        beside = write(**place)
        if inside:  # the figure cannot grow
            gone = 0
            while beside.get_window_extent().y0 < 0 and gone < len(go) - 1:
                gone += 1
                beside = write(gone, **place)
            return gone == 0
        most = _LONG * ax.get_window_extent().height
        long = len(words) > _MANY and beside.get_window_extent().height > most
        if wanted == "auto" and (long or kept.cramped):
            write_under()
    return True


def _in_a_corner(ax: Axes, drawn: Any) -> bool:
    """Put a legend in the first corner where it covers nothing; say whether there is one."""
    for place in _CORNERS:
        drawn.set_loc(place)
        if _stands_free(ax, drawn):
            return True
    return False


def _right(ax: Axes) -> float:
    """Return where a legend beside an Axes begins, a share of its width: right of the Axes under it as well."""
    inner, boxes = ax.get_window_extent(), [part.get_tightbbox() for part in ax.child_axes]
    right = max((box.x1 for box in boxes if box is not None), default=0.0) if chosen().figsize is not None else 0.0
    return _BESIDE + max(0.0, float((right + _GAP * inner.width - inner.x1) / inner.width))


def _larger_above(ax: Axes) -> bool:
    """Say whether a map in a figure of a given size is larger with its legend under it than beside it; then enlarge it.

    A chart has its legend beside it if there is room.
    """
    narrow(ax)
    figure = ax.get_figure(root=True)
    assert figure is not None
    (wide, deep), room = figure.get_size_inches().tolist(), ax.get_position(original=True)
    if (1 - room.x1) * wide < MARGINS[2] - ROUNDING:
        return True
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    alone = wide * (1 - room.x0) - NARROW
    across, along = abs(x1 - x0), abs(y1 - y0)
    beside = min(room.width * wide / across, room.height * deep / along)
    above = min(alone / across, (1 - SHARE) * (room.y1 * deep) / along)
    if ax.get_aspect() == "auto" or ax.child_axes or above <= beside:
        return False
    sheet(ax).room, laid_out = (room.x0, room.y0, room.width, room.height), ax.get_in_layout()
    ax.set_position((room.x0, room.y0, alone / wide, room.height))
    ax.set_in_layout(laid_out)
    return True


def _on_a_line(ax: Axes, box: Bbox) -> bool:
    """Say whether a box, pixels, lies on the lines, bars, areas or numbers of a chart."""
    drawn = [(line.get_path(), line.get_transform(), False) for line in ax.lines]
    drawn += [(patch.get_path(), patch.get_transform(), True) for patch in ax.patches]
    drawn += [(path, group.get_transform(), True) for group in ax.collections for path in group.get_paths()]
    met = (path.transformed(shift).intersects_bbox(box, filled) for path, shift, filled in drawn)
    return any(met) or any(text.get_window_extent().overlaps(box) for text in ax.texts if text.get_visible())


def _stands_free(ax: Axes, drawn: Any) -> bool:
    """Say whether a legend covers no base, no label and nothing of the answer."""
    box = drawn.get_window_extent().transformed(ax.transData.inverted())
    kept = sheet(ax)
    if ax.get_aspect() == "auto" and _on_a_line(ax, drawn.get_window_extent()):
        return False
    shown = [shape for key, shapes in kept.places.items() if key not in kept.ground for shape in shapes]
    if shapely.intersects(shown, shapely.box(box.x0, box.y0, box.x1, box.y1)).any():
        return False
    boxes, weights = kept.rows()
    if not len(boxes):
        return True
    meets = (boxes[:, 0] < box.x1) & (boxes[:, 2] > box.x0) & (boxes[:, 1] < box.y1) & (boxes[:, 3] > box.y0)
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    inside = box.x0 >= x0 and box.x1 <= x1 and box.y0 >= y0 and box.y1 <= y1
    return bool(inside and not (meets & (weights >= 1.0)).any())
