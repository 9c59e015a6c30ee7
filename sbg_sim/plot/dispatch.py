"""One verb for every result: which function draws what, by the name of its class.

Names, not classes: a room that makes results need not be imported to draw those of another.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
from typing import TYPE_CHECKING, Any, Final

from sbg_sim.errors import SbgError
from sbg_sim.plot.canvas import house_style

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from matplotlib.axes import Axes

_DRAWERS: Final[dict[str, str]] = {
    "Table": "tables:plot_table",
    "Verdict": "verdicts:plot_verdict",
    "Reach": "reaches:plot_reach",
    "ChargeList": "charges:plot_charges",
    "DenialList": "denials:plot_denials",
    "Denials": "denials:plot_denials",
    "Threats": "threatened:plot_threats",
    "SafeGround": "threatened:plot_safe",
    "Screen": "threatened:plot_screen",
    "Doubt": "doubts:plot_doubt",
    "Flips": "flips:plot_flips",
    "Phase": "phases:plot_phase",
    "Replay": "phases:plot_phase",
    "Distribution": "charts:plot_distribution",
    "PlayOut": "charts:plot_simulation",
    "Simulation": "charts:plot_simulation",
    "Sweep": "charts:plot_sweep",
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
    """Something was to be drawn that nobody here knows how to draw."""


class UnknownOptionError(SbgError, TypeError):
    """An option that this kind of picture does not have."""


def register(name: str, drawer: str) -> None:
    """Say which function draws instances of the class called ``name``.

    Parameters
    ----------
    name
        The class's name, or its full dotted name where two share one.
    drawer
        ``"module:function"``, the module inside `sbg_sim.plot` or by its full name; loaded on first use.

    """
    _DRAWERS[name] = drawer


def plot(thing: Any, ax: Axes | None = None, **options: Any) -> Axes:
    """Draw any result and return the Axes; neither shows nor saves.

    Parameters
    ----------
    thing
        A table, reach, verdict, charge list, simulation, distribution, phase, board, ...
    ax
        Where to draw; results lie over each other: ``plot(reach, ax=plot(table))``. None makes a new figure.
    options
        Of the kind of thing: ``whole=True``, ``section=True``; see the ``plot_*`` functions.

    Raises
    ------
    SbgError
        For a thing that has no picture.

    """
    with house_style():
        return _drawer(thing)(thing, ax=ax, **options)


def known_options(drawer: Callable[..., Any], given: Iterable[str], what: str) -> None:
    """Refuse options that a drawer does not have, and name those it has.

    Raises
    ------
    UnknownOptionError
        For the first option it does not have.

    """
    there = [name for name, p in inspect.signature(drawer).parameters.items() if p.kind is p.KEYWORD_ONLY]
    for name in given:
        if name not in there:
            near = difflib.get_close_matches(name, there, n=1)
            guess = f"; did you mean {near[0]!r}?" if near else ""
            raise UnknownOptionError(f"{what} has no option {name!r}{guess} (options: {', '.join(sorted(there))})")


def _drawer(thing: Any) -> Callable[..., Axes]:
    for kind in type(thing).__mro__:
        place = _DRAWERS.get(f"{kind.__module__}.{kind.__qualname__}") or _DRAWERS.get(kind.__name__)
        if place is not None:
            module, _, name = place.partition(":")
            full = module if "." in module else f"sbg_sim.plot.{module}"
            found: Callable[..., Axes] = getattr(importlib.import_module(full), name)
            return found
    known = ", ".join(sorted(_DRAWERS))
    raise CannotDrawError(f"there is no picture of a {type(thing).__name__}; what can be drawn: {known}")
