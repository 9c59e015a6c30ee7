"""One verb for every result: a table of drawing functions by the name of the result's class.

Names, not classes, so that drawing one kind of result imports no room that makes others.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from matplotlib.axes import Axes

from sbg_sim.errors import SbgError
from sbg_sim.plot import palette
from sbg_sim.plot.canvas import sheet
from sbg_sim.plot.figures import measurable
from sbg_sim.plot.fonts import house_style
from sbg_sim.plot.headlines import heading
from sbg_sim.plot.options import COMMON, PictureOptions, chosen, with_options
from sbg_sim.plot.themes import darken, is_dark

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from matplotlib.artist import Artist

_DRAWERS: Final[dict[str, str]] = {
    "Table": "tables:plot_table",
    "Verdict": "reaches:plot_answer",
    "Route": "routes:plot_route",
    "Reach": "reaches:plot_reach",
    "ChargeList": "charges:plot_charges",
    "DenialList": "denials:plot_denials",
    "Threats": "threatened:plot_threats",
    "SafeGround": "sheltered:plot_safe",
    "Screen": "threatened:plot_screen",
    "Doubt": "doubts:plot_doubt",
    "Flips": "flips:plot_flips",
    "Readings": "flips:plot_readings",
    "Certainty": "flips:plot_certainty",
    "Audit": "audits:plot_audit",
    "Phase": "phases:plot_phase",
    "Replay": "phases:plot_phase",
    "Turn": "phases:plot_turn",
    "sbg_sim.phase.turn.Step": "phases:plot_step",
    "Melee": "fights:plot_fights",
    "Distribution": "charts:plot_distribution",
    "PlayOut": "charts:plot_simulation",
    "Simulation": "charts:plot_simulation",
    "Sweep": "sweeps:plot_sweep",
    "TurnTable": "charts:plot_turns",
    "Chain": "charts:plot_chain",
    "Campaign": "charts:plot_chain",
    "Campaigns": "charts:plot_campaigns",
    "SpaceMap": "spaces:plot_board",
    "Atlas": "spaces:plot_board",
    "Chart": "spaces:plot_board",
    "sbg_sim.boards.room.Scenario": "spaces:plot_board",
    "sbg_sim.boards.metw.play.State": "spaces:plot_board",
    "sbg_sim.boards.riddle.board.Board": "spaces:plot_board",
    "sbg_sim.boards.riddle.state.State": "spaces:plot_board",
    "sbg_sim.boards.war_of_the_ring.position.State": "spaces:plot_board",
    "sbg_sim.boards.lotr_tcg.state.State": "spaces:plot_board",
}


class CannotDrawError(SbgError, TypeError):
    """The thing to be drawn has no picture."""


class UnknownOptionError(SbgError, TypeError):
    """A picture of this kind has no option of that name."""


def register(name: str, drawer: str) -> None:
    """Register the function that draws instances of the class called ``name``.

    Parameters
    ----------
    name
        The class's name, or its full dotted name where two share one.
    drawer
        ``"module:function"``, with a module of `sbg_sim.plot` or the full name of one; imported on first use.

    """
    _DRAWERS[name] = drawer


def plot(thing: Any, ax: Axes | None = None, **options: Any) -> Axes:
    """Draw any result and return the Axes, neither shown nor saved. A notebook shows the Axes as its picture.

    Parameters
    ----------
    thing
        A table, reach, verdict, charge list, simulation, distribution, phase, board, ...
    ax
        Where to draw; None makes a new figure. Results can be laid over each other, as in ``plot(reach,
        ax=plot(table))``: each gets its own colour and legend entry, and the view holds all of them.
    options
        For every picture: ``figsize`` (inches of paper), ``title`` (words, or False), ``legend`` (True, False,
        ``"auto"``, ``"below"``), ``view`` (``"all"``, ``"fit"`` or ``(x0, y0, x1, y1)``), ``names``, ``zones``,
        ``color``, ``alpha``, ``label`` and ``theme`` (``"auto"``, ``"light"``, ``"dark"``); and those of this kind of
        picture, such as ``section=True`` or ``cost=True``; see the ``plot_*`` functions.

    Raises
    ------
    SbgError
        For a thing that has no picture, and for an unknown option or value; the message names the known ones.

    Examples
    --------
    >>> import sbg_sim as sbg
    >>> table = sbg.Table(24, 24, models={
    ...     "lurtz": {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    ...     "merry": {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    ... })
    >>> ax = plot(table)
    >>> ax.get_aspect()
    1.0

    """
    drawer = _drawer(thing)
    if ax is not None and not isinstance(ax, Axes):
        raise SbgError(f"ax={ax!r:.60} cannot be: it is an Axes of matplotlib, or None for a new figure")
    if ax is not None and (ax.name != "rectilinear" or ax.get_figure() is None):
        fault = "was removed from its figure" if ax.name == "rectilinear" else f"has the projection {ax.name!r}"
        raise SbgError(f"ax cannot be an Axes that {fault}: it is a flat one of a figure, or None for a new figure")
    common = {name: options.pop(name) for name in COMMON if name in options and options[name] is not None}
    options = {name: value for name, value in options.items() if name not in COMMON}
    known_options(drawer, options, f"a picture of a {type(thing).__name__}", COMMON)
    wanted = PictureOptions.wanted(**common)
    name = wanted.label or _called(thing, drawer, [] if ax is None else sheet(ax).results)
    if ax is not None:
        measurable(ax)
    with house_style(), with_options(_composed(thing, ax, name, wanted)):
        before = set() if ax is None else set(ax.get_children())
        ax = drawer(thing, ax=ax, **options)
        sheet(ax).options = chosen()
        sheet(ax).results += [] if type(thing).__name__ == "Table" else [name]
        others = [] if sheet(ax).own else importlib.import_module("sbg_sim.plot.tables").renew(ax)
        if chosen().theme == "dark" or (chosen().theme == "auto" and is_dark(ax)):
            turn_dark(ax, before)
        for other in filter(is_dark, others):
            turn_dark(other)
        return ax


def _called(thing: Any, drawer: Callable[..., Axes], before: Collection[str]) -> str:
    """Name a result after its model or its question, and add its kind if that name is in ``before``."""
    about = (thing, getattr(thing, "question", None))
    names = (getattr(one, attribute, "") for one in about for attribute in ("model", "name", "side"))
    question = getattr(thing, "question", None)
    told = heading(question, getattr(thing, "asked", None)).removesuffix(": ") if isinstance(question, str) else ""
    name = str(next(filter(None, (*names, told)), type(thing).__name__))
    kind = drawer.__name__.removeprefix("plot_").replace("_", " ")
    told = name if name not in before else f"{name}, {kind}"
    return told if told not in before else f"{told} ({len(before) + 1})"


def turn_dark(ax: Axes, before: Collection[Artist] = ()) -> None:
    """Turn the new artists of an Axes to the dark theme; on the user's own Axes nothing else changes."""
    new = [a for a in ax.get_children() if a not in before and a is not ax.patch and a not in _frame(ax)]
    legend = ax.get_legend()
    titles = _titles(ax) if sheet(ax).heads else []
    darken(ax, [*new, *titles, *([legend] if legend is not None else [])], own=sheet(ax).own)


def _frame(ax: Axes) -> list[Artist]:
    return [ax.xaxis, ax.yaxis, *_titles(ax), *ax.spines.values()]


def _titles(ax: Axes) -> list[Artist]:
    return [getattr(ax, name) for name in ("title", "_left_title", "_right_title")]


def _composed(thing: Any, ax: Axes | None, name: str, wanted: PictureOptions) -> PictureOptions:
    """Give the second and later results on an Axes a label and a colour of their own, unless the caller set them."""
    rank = 0 if ax is None or type(thing).__name__ == "Table" else len(sheet(ax).results)
    if rank == 0:
        return wanted
    return replace(wanted, label=name, color=wanted.color or palette.CATEGORIES[rank % len(palette.CATEGORIES)])


def known_options(drawer: Callable[..., Any], given: Iterable[str], what: str, common: Iterable[str] = ()) -> None:
    """Refuse options that a drawer does not have; the message names those it has.

    Raises
    ------
    UnknownOptionError
        For the first unknown option.

    """
    taken = inspect.signature(drawer).parameters.values()
    if any(p.kind is p.VAR_KEYWORD for p in taken):
        return
    there = sorted({*(p.name for p in taken if p.kind is p.KEYWORD_ONLY), *common})
    for name in given:
        if name not in there:
            near = difflib.get_close_matches(name, there, n=1)
            guess = f"; did you mean {near[0]!r}?" if near else ""
            raise UnknownOptionError(f"{what} has no option {name!r}{guess} (options: {', '.join(there)})")


def _drawer(thing: Any) -> Callable[..., Axes]:
    for kind in type(thing).__mro__:
        place = _DRAWERS.get(f"{kind.__module__}.{kind.__qualname__}") or _DRAWERS.get(kind.__name__)
        if place is not None:
            module, _, name = place.partition(":")
            full = module if "." in module else f"sbg_sim.plot.{module}"
            found: Callable[..., Axes] = getattr(importlib.import_module(full), name)
            return found
    kinds = sorted({drawer.rpartition(":")[2].removeprefix("plot_").replace("_", " ") for drawer in _DRAWERS.values()})
    named = f"{thing!r:.60}" if thing is None or isinstance(thing, str | int | float) else repr(type(thing).__name__)
    raise CannotDrawError(f"there is no picture of {named}; what can be drawn: {', '.join(kinds)}")
