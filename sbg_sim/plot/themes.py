"""The dark theme: the same picture with lightness inverted and hues kept.

One function maps every colour, so that no drawing depends on the theme, and colours that differ on paper differ in the
dark.
"""

from __future__ import annotations

import colorsys
import re
from typing import TYPE_CHECKING, Any, Final

from matplotlib import rcParams
from matplotlib.collections import Collection
from matplotlib.colors import to_hex, to_rgb, to_rgba
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Annotation, Text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

_FLOOR: Final = 0.09
_CEILING: Final = 0.93
_LINES: Final = 3.0  # contrast on paper from which a colour is one of lines,
_CONTRAST: Final = 4.0  # and the least contrast it has in the dark, where thin lines look thinner
_HALVINGS: Final = 12
_COLOUR: Final = re.compile(r"(fill|stroke): (#[0-9a-f]{6})")


def darkened(colour: str) -> str:
    """Return a colour's counterpart on dark ground: the same hue, inverted lightness, no less contrast than on paper.

    Examples
    --------
    >>> darkened("#ffffff"), darkened("#000000")
    ('#171717', '#ededed')

    """
    hue, light, strong = colorsys.rgb_to_hls(*to_rgb(colour))
    strong *= 0.9
    low, high = _FLOOR + (_CEILING - _FLOOR) * (1 - light), _CEILING
    wanted = _contrast(to_rgb(colour), (1.0, 1.0, 1.0))
    wanted = _CONTRAST if wanted >= _LINES else wanted
    ground = colorsys.hls_to_rgb(0.0, _FLOOR, 0.0)
    if _contrast(colorsys.hls_to_rgb(hue, low, strong), ground) < wanted:  # purples have little luminance
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            seen = _contrast(colorsys.hls_to_rgb(hue, middle, strong), ground) >= wanted
            low, high = (low, middle) if seen else (middle, high)
        low = high
    return str(to_hex(colorsys.hls_to_rgb(hue, low, strong)))


def _contrast(one: tuple[float, float, float], two: tuple[float, float, float]) -> float:
    """Return the ratio by which two colours differ in luminance, 1 to 21 (WCAG 2.2, contrast ratio)."""
    low, high = sorted((_luminance(one), _luminance(two)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: tuple[float, float, float]) -> float:
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def is_dark(ax: Axes) -> bool:
    """Say whether an Axes has a dark ground."""
    return _is_dark(ax.get_facecolor())


def _is_dark(colour: Any) -> bool:
    red, green, blue = to_rgb(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.4


def darken(ax: Axes, artists: Iterable[Artist], *, own: bool) -> None:
    """Turn artists to the dark theme, each once; with ``own`` the whole Axes.

    The grid is turned on every Axes; a legend that a dark style has drawn stays as it is.
    """
    ax.tick_params(which="both", grid_color=darkened("#e9e9e6"))
    old = ax.get_legend()
    if old is not None and _is_dark(old.get_frame().get_facecolor()):
        light = [text for text in old.get_texts() if not _is_dark(text.get_color())]
        for part in (old.get_frame(), *light):
            part._sbg_dark = True  # type: ignore[attr-defined]  # noqa: SLF001 - as it is
    for artist in artists:
        for part in artist.findobj():
            _turn(part)
            if isinstance(part, Text) and part.get_bbox_patch() is not None:
                _turn(part.get_bbox_patch())
            if isinstance(part, Annotation) and part.arrow_patch is not None:
                _turn(part.arrow_patch)
    if own and not getattr(ax, "_sbg_dark", False):
        ax._sbg_dark = True  # type: ignore[attr-defined]  # noqa: SLF001 - our mark on our own Axes
        ax.set_facecolor(darkened("#ffffff"))
        figure = ax.get_figure(root=True)
        if figure is not None:
            figure.set_facecolor(darkened("#ffffff"))
        ink = darkened("#1f1f1f")
        ax.tick_params(which="both", colors=ink, grid_color=darkened("#e9e9e6"))
        for spine in ax.spines.values():
            spine.set_edgecolor(ink)
        for label in (ax.xaxis.label, ax.yaxis.label):
            label.set_color(ink)


def _turn(part: Any) -> None:
    if getattr(part, "_sbg_dark", False):
        return
    part._sbg_dark = True  # noqa: SLF001 - our mark, so that no colour is turned twice
    if isinstance(part, Line2D):
        # all are read before one is set: a marker without a colour of its own takes its line's
        names = ("color", "markerfacecolor", "markeredgecolor")
        for name, colour in [(name, getattr(part, f"get_{name}")()) for name in names]:
            _set(part, name, colour)
    elif isinstance(part, Patch):
        filled = part.get_fill()
        _set(part, "edgecolor", part.get_edgecolor())
        if filled:
            _set(part, "facecolor", part.get_facecolor())
    elif isinstance(part, Collection):
        part.set_edgecolor([_turned(c) for c in part.get_edgecolor()])
        part.set_facecolor([_turned(c) for c in part.get_facecolor()])
    elif isinstance(part, Text) and (part.get_color() != rcParams["text.color"] or _is_dark(part.get_color())):
        _set(part, "color", part.get_color())  # light text of a dark style stays


def _set(part: Any, name: str, colour: Any) -> None:
    if isinstance(colour, str) and colour in ("none", "auto"):
        return
    getattr(part, f"set_{name}")(_turned(colour))


def _turned(colour: Any) -> Any:
    alpha = to_rgba(colour)[3]
    return "none" if alpha == 0 else (*to_rgb(darkened(to_hex(colour))), alpha)


def following(svg: str) -> str:
    """Add rules to an SVG that turn every colour in it for readers who prefer a dark theme."""
    found = sorted(set(_COLOUR.findall(svg)))
    rules = "".join(f'[style*="{kind}: {c}"]{{{kind}:{darkened(c)}!important}}' for kind, c in found)
    plain = f"text{{fill:{darkened('#000000')}}}"  # text without a colour of its own is black
    style = f"<style>@media (prefers-color-scheme: dark){{{plain}{rules}}}</style>"
    at = svg.index(">", svg.index("<svg")) + 1
    return svg[:at] + style + svg[at:]
