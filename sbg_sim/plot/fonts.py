"""The settings under which pictures are drawn, the width of type, and the letters that no font here can show."""

from __future__ import annotations

import logging
import warnings
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

import matplotlib as mpl
from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font
from matplotlib.text import Text
from matplotlib.textpath import TextToPath

from sbg_sim.plot import palette

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.figure import Figure

_MEASURE: Final = TextToPath()
_TOLD: Final = 12  # letters named in a warning


@contextmanager
def house_style() -> Iterator[None]:
    """Draw under the project's own settings wherever the user has not changed matplotlib's.

    A dollar sign in a name begins no formula. Missing letters are reported by `warn_of_boxes`, once.
    """
    usual: Any = mpl.rcParamsDefault
    now: Any = mpl.rcParams
    style: Any = {k: v for k, v in palette.STYLE.items() if k in now and now[k] == usual[k]}
    if "font.size" not in style:  # sizes left at their default scale with it
        style |= {k: scaled(v) for k, v in style.items() if k.endswith("size")}
    if "font.family" in style:
        style["font.family"] = [*_families(), "sans-serif"]
    with mpl.rc_context(style), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        warnings.filterwarnings("ignore", message=".* does not support .* natively")  # of scripts that need shaping
        yield


@cache
def _families() -> tuple[str, ...]:
    """Return the project's font, and the installed fonts for other scripts."""
    there = {font.name for font in fontManager.ttflist}
    return (*palette.STYLE["font.family"], *(name for name in palette.FURTHER_FONTS if name in there))


def warn_of_boxes(figure: Figure) -> None:
    """Log a warning that names the letters of a figure that are drawn as boxes, because none of its fonts has them."""
    missing: dict[str, None] = {}
    for text in figure.findobj(Text):
        if isinstance(text, Text) and text.get_visible():
            families = tuple(text.get_fontfamily())
            missing.update((letter, None) for letter in text.get_text() if not _shown(letter, families))
    if missing:
        told = "".join(list(missing)[:_TOLD]) + "..." * (len(missing) > _TOLD)
        logging.getLogger("sbg_sim").warning(
            "no font here has the letters %s: they are drawn as boxes; install one that has them (Noto Sans of that "
            "script), or write an .svg, which the reader's own fonts show",
            told,
        )


def _shown(letter: str, families: tuple[str, ...]) -> bool:
    return not letter.isprintable() or letter.isspace() or ord(letter) in _letters(families)


@cache
def _letters(families: tuple[str, ...]) -> frozenset[int]:
    """Return the code points of the letters that at least one of the fonts has."""
    return frozenset().union(*(get_font(findfont(FontProperties(family=[name]))).get_charmap() for name in families))


def scaled(size: float) -> float:
    """Return a size of type, points, in proportion to matplotlib's setting ``font.size``."""
    return float(size * mpl.rcParams["font.size"] / palette.STYLE["font.size"])


def text_width(line: str, size: float, weight: str = "normal") -> float:
    """Return the width of a line of type of some size, points, in matplotlib's current fonts."""
    return _width(line, size, weight, tuple(mpl.rcParams["font.family"]))


@lru_cache(maxsize=4096)
def _width(line: str, size: float, weight: str, families: tuple[str, ...]) -> float:
    font = FontProperties(family=list(families), size=size, weight=weight)
    parts = (part for part in line.split("\n") if part)  # a name may hold a line break
    widths = (float(_MEASURE.get_text_width_height_descent(part, font, ismath=False)[0]) for part in parts)
    return max(widths, default=0.0)
