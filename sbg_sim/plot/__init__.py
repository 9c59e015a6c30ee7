"""Pictures of every result, in table coordinates; the only room that imports matplotlib.

``plot(thing)`` draws anything on an Axes and returns it; ``save`` writes it to a file; ``svg`` gives it as
text; ``animate`` makes a film of a route. Nothing here shows a window or touches pyplot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sbg_sim.plot.dispatch import CannotDrawError, plot, register
from sbg_sim.plot.files import render, save, svg

if TYPE_CHECKING:
    import os
    import pathlib

    from sbg_sim.solver.verdict import Verdict

__all__ = ["CannotDrawError", "animate", "plot", "register", "render", "save", "svg"]


def animate(verdict: Verdict, path: str | os.PathLike[str], **options: Any) -> pathlib.Path:
    """Write a film of a verdict's route; see `sbg_sim.plot.animation.animate`."""
    from sbg_sim.plot import animation

    return animation.animate(verdict, path, **options)
