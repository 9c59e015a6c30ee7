"""Pictures of every result, in table coordinates; the only room that imports matplotlib.

``plot(thing)`` draws anything on an Axes and returns it; ``save`` writes it to a file; ``svg`` returns it as text;
``animate`` makes a film of a route. Nothing here opens a window or touches pyplot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sbg_sim.plot.dispatch import CannotDrawError, plot, register
from sbg_sim.plot.files import render, save, svg

if TYPE_CHECKING:
    import os
    import pathlib

    from sbg_sim.table.board import Table

__all__ = ["CannotDrawError", "animate", "explore", "plot", "register", "render", "save", "svg"]


def animate(thing: Any, path: str | os.PathLike[str], **options: Any) -> pathlib.Path:
    """Write a film of a verdict's route, a turn, a phase or a replay; see `sbg_sim.plot.animation.animate`.

    Parameters
    ----------
    thing
        An answer with a route, a phase, a replay, or one of its turns.
    path
        The file to write: ``.gif``, ``.mp4`` or ``.html``.
    options
        ``seconds``, ``frames_per_second``, ``whole``, ``theme``.

    Raises
    ------
    SbgError
        When nothing moves, for an unknown option or suffix, or when the file cannot be written.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.load("scenarios/charging-2.toml")
    >>> animate(sbg.check(table, "third-to-pippin"), "move.gif")  # doctest: +SKIP

    """
    from sbg_sim.plot import animation
    from sbg_sim.plot.dispatch import known_options

    known_options(animation.animate, options, "a film")
    return animation.animate(thing, path, **options)


def explore(table: Table, model: str, **options: Any) -> Any:
    """Show where a model can end its move, live in a notebook; see `sbg_sim.plot.explorer.explore`.

    Parameters
    ----------
    table, model
        The table, and the id of the model to drag.
    options
        ``cost`` (whether to draw lines of equal cost) and the options of `plot`.

    Returns
    -------
    A widget for Jupyter and VS Code, with the current ``table`` and ``reach``; without the extra ``explore``, the
    picture as an Axes.

    Raises
    ------
    SbgError
        As `plot` and `reach` do.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> explore(sbg.load("scenarios/charging-2.toml"), "uruk-3")  # doctest: +SKIP

    """
    from sbg_sim.plot.explorer import explore as live

    return live(table, model, **options)
