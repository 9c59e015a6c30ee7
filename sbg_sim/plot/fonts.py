"""The settings pictures are drawn under, how wide type is, and which letters no font here can show."""

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
_TOLD: Final = 12  # letters that a warning shows


@contextmanager
def house_style() -> Iterator[None]:
    """Draw under the project's own settings wherever the user has not changed matplotlib's.

    Names are names: a dollar sign in one begins no formula. What no font here has, `warn_of_boxes` says once.
    """
    usual: Any = mpl.rcParamsDefault
    now: Any = mpl.rcParams
    style: Any = {k: v for k, v in palette.STYLE.items() if k in now and now[k] == usual[k]}
    if "font.size" not in style:  # what is as large as usual is so in proportion
        style |= {k: scaled(v) for k, v in style.items() if k.endswith("size")}
    if "font.family" in style:
        style["font.family"] = [*_families(), "sans-serif"]
    with mpl.rc_context(style), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        warnings.filterwarnings("ignore", message=".* does not support .* natively")  # scripts that want shaping
        yield


@cache
def _families() -> tuple[str, ...]:
    """Return the font of the house, and those of other scripts that are installed here."""
    there = {font.name for font in fontManager.ttflist}
    return (*palette.STYLE["font.family"], *(name for name in palette.FURTHER_FONTS if name in there))


def warn_of_boxes(figure: Figure) -> None:
    """Log a warning of the letters in a figure that are drawn as boxes: no font it is written in has them."""
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
    """Return the letters that some of the fonts have."""
    return frozenset().union(*(get_font(findfont(FontProperties(family=[name]))).get_charmap() for name in families))


def scaled(size: float) -> float:
    """Return a size of type, points, in proportion to the size of type that is set."""
    return float(size * mpl.rcParams["font.size"] / palette.STYLE["font.size"])


def text_width(line: str, size: float, weight: str = "normal") -> float:
    """Return how wide a line of type of some size is, points, in the fonts that are set."""
    return _width(line, size, weight, tuple(mpl.rcParams["font.family"]))


@lru_cache(maxsize=4096)
def _width(line: str, size: float, weight: str, families: tuple[str, ...]) -> float:
    font = FontProperties(family=list(families), size=size, weight=weight)
    parts = (part for part in line.split("\n") if part)  # a name may hold the end of a line
    widths = (float(_MEASURE.get_text_width_height_descent(part, font, ismath=False)[0]) for part in parts)
    return max(widths, default=0.0)
