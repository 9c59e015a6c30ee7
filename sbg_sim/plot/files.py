"""Pictures as files and as text; the same input gives the same bytes."""

from __future__ import annotations

import io
import os
import pathlib
from typing import Any, Final

from matplotlib.axes import Axes

from sbg_sim.document.whole import write_whole
from sbg_sim.errors import SbgError
from sbg_sim.plot.dispatch import plot
from sbg_sim.plot.figures import PAD
from sbg_sim.plot.fonts import house_style, warn_of_boxes
from sbg_sim.plot.themes import following
from sbg_sim.plot.vectors import told

_METADATA: Final[dict[str, dict[str, Any]]] = {
    "svg": {"Date": None, "Creator": "sbg_sim"},
    "pdf": {"CreationDate": None, "Creator": "sbg_sim", "Producer": None},
    "png": {"Software": None},
}
"""Metadata that leave out the date and the program, by format."""

_DOTS: Final = 144  # dots per inch of a PNG


def save(thing: Any, path: str | os.PathLike[str], **options: Any) -> pathlib.Path:
    """Write a picture as ``.svg``, ``.png`` or ``.pdf``, by its suffix.

    Parameters
    ----------
    thing
        An Axes, or anything `plot` can draw.
    path
        The file to write; an existing one is replaced.
    options
        Options of `plot`, when the thing is not an Axes; with ``theme="auto"`` an SVG follows its reader's theme.

    Returns
    -------
    The path.

    Raises
    ------
    SbgError
        For an unknown suffix, or a file that cannot be written.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(table, pathlib.Path(folder) / "table.svg").name
    'table.svg'

    """
    if not isinstance(path, str | os.PathLike):
        raise SbgError(f"{path!r:.60} is no path to write a picture to")
    target = pathlib.Path(path)
    kind = target.suffix.lower().removeprefix(".")
    if kind not in _METADATA:
        said = f"{target.suffix!r}" if target.suffix else "no suffix"
        film = " (`sbg.animate` writes films)" if kind in {"gif", "mp4", "html"} else ""
        raise SbgError(f"{target}: {said} is not a kind of picture{film}; write to a file ending in .svg, .png or .pdf")
    if not isinstance(thing, Axes) and target.is_dir():
        raise SbgError(f"{target}: this is a folder; give the name of a file in it")
    follows = kind == "svg" and options.get("theme") == "auto"
    content = svg(thing, follow=True, **options).encode("utf-8") if follows else render(thing, kind, **options)
    try:
        write_whole(target, content)
    except OSError as fault:
        raise SbgError(f"{target}: the picture cannot be written: {fault.strerror or fault}") from fault
    return target


def svg(thing: Any, *, follow: bool = False, **options: Any) -> str:
    """Return a picture as SVG text, for notebooks and pages.

    Parameters
    ----------
    thing
        An Axes, or anything `plot` can draw.
    follow
        Whether the colours turn dark for readers who prefer that.
    options
        Options of `plot`, when the thing is not an Axes.

    Raises
    ------
    SbgError
        As `plot` does, and for an Axes that was removed from its figure.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> svg(table).lstrip()[:4]
    '<svg'

    """
    text = render(thing, "svg", **options).decode("utf-8")
    text = text[text.index("<svg") :]
    return following(text) if follow else text


def render(thing: Any, kind: str, **options: Any) -> bytes:
    """Return a picture's bytes, ``kind`` being ``"svg"``, ``"png"`` or ``"pdf"``; equal for equal input."""
    ax = thing if isinstance(thing, Axes) else plot(thing, **options)
    figure = ax.get_figure(root=True)
    if figure is None:
        raise SbgError("these axes belong to no figure any more")
    out = io.BytesIO()
    ground = figure.get_facecolor()
    with house_style():
        if kind != "svg":
            warn_of_boxes(figure)
        figure.savefig(
            out,
            format=kind,
            dpi=_DOTS,
            bbox_inches="tight",
            pad_inches=PAD,
            facecolor=ground,
            metadata=_METADATA[kind],
        )
    return _titled(out.getvalue().decode("utf-8"), ax).encode("utf-8") if kind == "svg" else out.getvalue()


def _titled(text: str, ax: Axes) -> str:
    """Add to an SVG a title and a description: its title, the answer and the legend, in words."""
    head, *rest = ax.get_title(loc="left").split("\n")
    legend = ax.get_legend()
    entries = [" ".join(t.get_text().split()) for t in legend.get_texts()] if legend is not None else []
    shown = f"It shows: {'; '.join(entries)}." if entries else ""
    return told(text, head or "picture", " ".join([*rest, shown]).strip())
