"""Pictures of every result, in table coordinates; the only room that imports matplotlib.

``plot(thing)`` draws anything on an Axes and returns it; ``save`` writes it to a file; ``svg`` gives it as
text; ``animate`` makes a film of a route. Nothing here shows a window or touches pyplot.

The room can be called as well: ``sbg_sim.plot`` is this module as soon as it is loaded, and
``sbg_sim.plot(thing)`` draws before and after.
"""

from __future__ import annotations

import sys
import types
from typing import TYPE_CHECKING, Any

from sbg_sim.plot.dispatch import CannotDrawError, plot, register
from sbg_sim.plot.files import render, save, svg

if TYPE_CHECKING:
    import os
    import pathlib

    from matplotlib.axes import Axes

    from sbg_sim.solver.verdict import Verdict

__all__ = ["CannotDrawError", "animate", "plot", "register", "render", "save", "svg"]


def animate(verdict: Verdict, path: str | os.PathLike[str], **options: Any) -> pathlib.Path:
    """Write a film of a verdict's route; see `sbg_sim.plot.animation.animate`."""
    from sbg_sim.plot import animation

    return animation.animate(verdict, path, **options)


class _Room(types.ModuleType):
    """A module that draws when it is called, since it stands where the package's own ``plot`` stands."""

    def __call__(self, thing: Any, ax: Axes | None = None, **options: Any) -> Axes:
        return plot(thing, ax=ax, **options)


sys.modules[__name__].__class__ = _Room
