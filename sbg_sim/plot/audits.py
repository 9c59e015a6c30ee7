"""A route as the referee judged it: its cost, and where it breaks rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sbg_sim.plot.canvas import sheet, title
from sbg_sim.plot.routes import draw_route, route_box
from sbg_sim.plot.tables import finish, stage
from sbg_sim.plot.verdicts import mark_fault
from sbg_sim.plot.words import inches_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_audit(found: Any, *, ax: Axes | None = None) -> Axes:
    """Draw a judged route: alone, or on a table if one is drawn on the Axes.

    Parameters
    ----------
    found
        The result of `audit`.
    ax
        Where to draw; None makes a new figure that shows the route.

    """
    faults = [(v.place, v.rule) for v in found.violations if v.place is not None]
    ax = stage(ax, None, [route_box(found.route, 1.0), *((x, y, x, y) for (x, y), _ in faults)])
    drawn = draw_route(ax, found.route, allowance=found.allowance)
    for place in dict.fromkeys(place for place, _ in faults):
        mark_fault(ax, sheet(ax).table, place, list(dict.fromkeys(rule for at, rule in faults if at == place)))
    used = f"a way that costs {inches_text(found.cost, found.allowance)} of {inches_text(found.allowance)}"
    said = f"{'legal' if found.legal else 'not legal'}: {used if drawn else 'a way of no legs: it stays where it is'}"
    title(ax, said, "; ".join(dict.fromkeys(v.reason for v in found.violations)))
    finish(ax)
    return ax
