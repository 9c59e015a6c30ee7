"""A sheet about an answer on one A4 page, for a PDF or a PNG."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, Final

from matplotlib.figure import Figure
from matplotlib.image import imread

from sbg_sim.plot.files import render
from sbg_sim.plot.fonts import house_style
from sbg_sim.plot.palette import FAINT, INK
from sbg_sim.wording import wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable

_WIDTH, _HEIGHT = 8.27, 11.69  # A4, inches
_MARGIN: Final = 0.55
_LINE: Final = 0.155  # inches from line to line of small print
_COLOURS: Final = {"yes": "#00694c", "no": "#a3301a", "chance": "#8a5a00", "too-close": "#6d2a78"}
_COLUMN: Final = 62  # letters of small print per line of a column


class Page:
    """A page that is filled from the top down."""

    def __init__(self) -> None:
        self.figure = Figure(figsize=(_WIDTH, _HEIGHT))

    def text(self, x: float, y: float, words: str, **style: Any) -> None:
        """Write words with their upper left corner ``x`` and ``y`` inches from the page's."""
        self.figure.text(x / _WIDTH, 1 - y / _HEIGHT, words, va="top", **{"color": INK, "fontsize": 8, **style})

    def block(self, x: float, y: float, head: str, lines: Iterable[str]) -> float:
        """Write a heading and wrapped lines under it; return where they end, inches from the top."""
        rows = [part for line in lines for part in (wrapped(line, _COLUMN) or [""])]
        if not rows:
            return y
        self.text(x, y, head, fontsize=9, fontweight="bold")
        y += 0.2
        for row in rows:
            self.text(x, y, row, fontsize=7.6)
            y += _LINE
        return y + 0.12

    def sums(self, x: float, y: float, rows: Iterable[tuple[str, str, str]], width: float) -> float:
        """Write the arithmetic: items, how they are computed, and inches on the right; return where it ends."""
        for item, how, inches in rows:
            weight = "bold" if item == "in all" else "normal"
            self.text(x, y, item, fontsize=8, fontweight=weight)
            self.text(x + 1.35, y, how, fontsize=8, color=FAINT)
            self.text(x + width, y, f"{inches} in", fontsize=8, fontweight=weight, ha="right")
            y += _LINE + 0.02
        return y


def sheet_figure(facts: Any, thing: Any, title: str | bool, kind: str) -> bytes:
    """Return a sheet as the bytes of a ``"pdf"`` or ``"png"`` file.

    Parameters
    ----------
    facts
        The content of the sheet (`sbg_sim.sheet.Facts`).
    thing, title
        The result drawn on it, and the title of that picture.
    kind
        ``"pdf"`` or ``"png"``.

    """
    picture = imread(io.BytesIO(render(thing, "png", title=title)))
    with house_style():
        page = Page()
        bottom = _head(page, facts)
        bottom = _picture(page, picture, bottom)
        _columns(page, facts, bottom)
        page.text(_MARGIN, _HEIGHT - 0.4, facts.footer, fontsize=6.5, color=FAINT)
        out = io.BytesIO()
        metadata: dict[str, Any] = {"Title": f"{facts.question} {facts.answer}"}
        if kind == "pdf":
            metadata |= {"CreationDate": None, "Creator": "sbg_sim", "Producer": None}
        else:
            metadata |= {"Software": None, "Description": facts.alt}
        page.figure.savefig(out, format=kind, dpi=150, metadata=metadata)
    return out.getvalue()


def _head(page: Page, facts: Any) -> float:
    y = 0.4
    page.text(_MARGIN, y, facts.title, color=FAINT)
    y += 0.2
    for row in wrapped(facts.question, 58):
        page.text(_MARGIN, y, row, fontsize=15, fontweight="bold")
        y += 0.28
    page.text(_MARGIN, y, facts.answer, fontsize=26, fontweight="bold", color=_COLOURS.get(facts.kind, INK))
    page.text(_WIDTH - _MARGIN, y + 0.16, facts.margin, fontsize=10, ha="right")
    y += 0.52
    for line in (facts.reason, facts.certain):
        for row in wrapped(line, 118):
            page.text(_MARGIN, y, row, fontsize=8.5)
            y += 0.17
    return y + 0.06


def _picture(page: Page, picture: Any, y: float) -> float:
    wide = _WIDTH - 2 * _MARGIN
    tall = float(min(4.1, wide * picture.shape[0] / picture.shape[1]))
    axes = page.figure.add_axes((_MARGIN / _WIDTH, 1 - (y + tall) / _HEIGHT, wide / _WIDTH, tall / _HEIGHT))
    axes.imshow(picture, interpolation="lanczos")
    axes.set_axis_off()
    return y + tall + 0.15


def _columns(page: Page, facts: Any, y: float) -> None:
    wide = (_WIDTH - 2 * _MARGIN - 0.35) / 2
    left = y
    if facts.sums:
        page.text(_MARGIN, left, "The arithmetic", fontsize=9, fontweight="bold")
        left = page.sums(_MARGIN, left + 0.2, facts.sums, wide) + 0.12
    left = page.block(_MARGIN, left, "What would turn it", facts.flips)
    page.block(_MARGIN, left, "The dice", facts.dice)
    x = _MARGIN + wide + 0.35
    right = page.block(x, y, "The rules that decided", (f"{r} {t}. {s}" for r, t, s in facts.rules))
    rulings = [f"{n} = {r}: {a}." for n, r, a in facts.rulings] or ["No other reading of the rules changes it."]
    page.block(x, right, "Rulings that would change it" if facts.rulings else "Rulings", rulings)
