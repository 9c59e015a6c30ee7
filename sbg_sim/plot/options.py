"""The options that every picture has: one value, in force while the picture is drawn."""

from __future__ import annotations

import math
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from matplotlib.colors import is_color_like, to_hex, to_rgb

from sbg_sim.errors import SbgError
from sbg_sim.plot import palette

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

COMMON: Final = ("figsize", "title", "legend", "view", "names", "zones", "color", "alpha", "label", "theme")
"""The options that every picture has, besides ``ax``."""


@dataclass(frozen=True)
class PictureOptions:
    """The options that every picture has.

    Parameters
    ----------
    figsize
        Width and height of a new figure on paper, inches.
    title
        The title; True for the picture's own, False or an empty text for none.
    legend
        ``"auto"`` (or True): beside an Axes made here, in a free corner of the user's or under it; ``"below"``: under
        the Axes; False: none. In less than 1.6 inches ``"auto"`` is in a free corner or left out, as other words
        without room.
    view
        ``"all"`` shows the whole table, ``"fit"`` what matters to the result, four numbers (x0, y0, x1, y1) that part
        of the table, inches.
    names, zones
        Whether to write names, and to draw Control Zones.
    color, alpha
        Colour and opacity (0 to 1) of the artists that the result adds to its table.
    label
        The name of this result in the legend, if several lie on one Axes.
    theme
        ``"light"``, ``"dark"``, or ``"auto"``: dark on a dark Axes.

    """

    figsize: tuple[float, float] | None = None
    title: str | bool = True
    legend: bool | str = "auto"
    view: str | tuple[float, float, float, float] | None = None
    names: bool = True
    zones: bool = True
    color: str | None = None
    alpha: float | None = None
    label: str | None = None
    theme: str = "auto"

    @classmethod
    def wanted(cls, **given: Any) -> PictureOptions:
        """Check options and return them as one value.

        Raises
        ------
        SbgError
            For a value that an option cannot have; the message names those that it can.

        """
        for name, choices in _CHOICES.items():
            value = given.get(name, choices[0])
            numbers = name == "view" and not isinstance(value, str | bool | None)
            if not numbers and not (isinstance(value, str | bool | None) and value in choices):
                _refuse(name, value, f"one of {', '.join(map(repr, choices))}{_ALSO.get(name, '')}")
        if not isinstance(given.get("title", True), str | bool):
            _refuse("title", given["title"], "words, True or False")
        if not isinstance(given.get("label", ""), str):
            _refuse("label", given["label"], "words")
        size, view = given.get("figsize"), given.get("view")
        if size is not None:
            given["figsize"] = _numbers("figsize", size, 2)
            if min(given["figsize"]) <= 0:
                _refuse("figsize", size, "a width and a height over 0")
        if view is not None and not isinstance(view, str):
            x0, y0, x1, y1 = given["view"] = _numbers("view", view, 4)
            if x0 >= x1 or y0 >= y1:
                _refuse("view", view, "(x0, y0, x1, y1) with x0 < x1 and y0 < y1")
        if given.get("color") is not None:
            if not is_color_like(given["color"]):
                _refuse("color", given["color"], "a colour, such as '#0072B2' or 'tab:red'")
            given["color"] = to_hex(given["color"])
        alpha = given.get("alpha")
        if alpha is not None and not (isinstance(alpha, int | float) and 0 <= alpha <= 1):
            _refuse("alpha", alpha, "a number from 0 to 1")
        return cls(**given)


_CHOICES: Final[dict[str, tuple[Any, ...]]] = {
    "legend": ("auto", True, False, "below"),
    "view": (None, "all", "fit"),
    "names": (True, False),
    "zones": (True, False),
    "theme": ("auto", "light", "dark"),
}
_ALSO: Final = {"view": " or (x0, y0, x1, y1)"}
_NOW: ContextVar[PictureOptions] = ContextVar("options", default=PictureOptions())  # noqa: B039 - frozen


def _refuse(name: str, value: object, said: str) -> None:
    raise SbgError(f"{name}={value!r} cannot be: it is {said}")


def _numbers(name: str, value: Any, count: int) -> tuple[Any, ...]:
    try:
        found = tuple(float(v) for v in value)
    except (TypeError, ValueError):
        found = ()
    if len(found) != count or not all(map(math.isfinite, found)):
        _refuse(name, value, f"{count} numbers, inches")
    return found


def chosen() -> PictureOptions:
    """Return the options in force."""
    return _NOW.get()


@contextmanager
def with_options(wanted: PictureOptions) -> Iterator[None]:
    """Put options in force while the context lasts."""
    before = _NOW.set(wanted)
    try:
        yield
    finally:
        _NOW.reset(before)


def hue(usual: str) -> str:
    """Return the caller's colour for a result, or the usual one."""
    return chosen().color or usual


def paled(colour: str, part: float) -> tuple[float, float, float]:
    """Return a colour mixed with white, ``part`` of it the colour: opaque, unlike a transparent one."""
    red, green, blue = to_rgb(colour)
    return 1 - part * (1 - red), 1 - part * (1 - green), 1 - part * (1 - blue)


def chance_hue(chance: Fraction | float) -> str:
    """Return the colour of a chance: the caller's, paler the less sure, or the usual one."""
    wanted = chosen().color
    return palette.chance_colour(chance) if wanted is None else to_hex(paled(wanted, 0.25 + 0.75 * float(chance)))


def opacity(usual: float) -> float:
    """Return the caller's opacity for a result, or the usual one."""
    wanted = chosen().alpha
    return usual if wanted is None else wanted
