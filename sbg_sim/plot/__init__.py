"""Pictures of every result, in table coordinates; the only room that imports matplotlib.

``plot(thing)`` draws anything on an Axes and returns it; ``save`` writes it to a file; ``svg`` gives it as
text.
Nothing here shows a window or touches pyplot.
"""

from sbg_sim.plot.dispatch import CannotDrawError, plot, register
from sbg_sim.plot.files import render, save, svg

__all__ = ["CannotDrawError", "plot", "register", "render", "save", "svg"]
