"""Results that show themselves as a picture in a notebook, without knowing how they are drawn."""

from __future__ import annotations

from importlib import import_module


class Pictured:
    """Something that `sbg_sim.plot` can draw, and that a notebook shows as its picture.

    The room that draws stands above all others, so it is looked up by name, when a picture is wanted and
    not before: no result imports it, and matplotlib is not loaded until then.
    """

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(import_module("sbg_sim.plot").svg(self))
