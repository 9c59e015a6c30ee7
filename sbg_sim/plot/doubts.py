"""Odds under doubt: how the share of placements with a yes converges as more are asked about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import NullLocator

from sbg_sim.dice.interval import wilson
from sbg_sim.plot.canvas import chart_axes, explain, rule_percent, title
from sbg_sim.plot.headlines import heading
from sbg_sim.plot.legends import legend
from sbg_sim.plot.options import hue
from sbg_sim.plot.palette import BLUE, SKY

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_doubt(found: Any, *, ax: Axes | None = None) -> Axes:
    """Draw the share of placements with a yes against the number of placements, with its 99 % interval.

    Parameters
    ----------
    found
        The result of `doubt`.
    ax
        Where to draw; a new figure's Axes when not given.

    """
    if ax is None:
        ax = chart_axes(4.8, 2.6)
    trials = [n for n, _ in found.course]
    bands = [wilson(k, n) for n, k in found.course]
    style: dict[str, Any] = {"color": hue(BLUE), "marker": "o", "markersize": 3.5}
    ax.fill_between(trials, [b[0] for b in bands], [b[1] for b in bands], color=hue(SKY), alpha=0.35, linewidth=0)
    ax.plot(trials, [k / n for n, k in found.course], **style)
    explain(ax, "share that gives a yes", Line2D([], [], **style))
    explain(ax, "99 % interval (Wilson)", Patch(facecolor=hue(SKY), alpha=0.35))
    ax.set_xscale("log")
    told = trials[:: -max(1, len(trials) // 6)]  # always with the last
    ax.set_xticks(told, [f"{n:,}" for n in told])
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_ylim(-0.02, 1.02)
    rule_percent(ax.yaxis, ax)
    ax.set_xlabel("placements")
    ax.set_ylabel("share that gives a yes")
    low, high = found.interval
    asked = heading(found.verdict.name, found.verdict.question)
    title(
        ax,
        f"{asked}yes for {found.successes:,} of {found.trials:,} placements",
        f"{found.verdict.answer} as measured; 99 % interval {low:.4f} to {high:.4f}; "
        f"each off by {found.sigma:.3g} in along x and y",
    )
    legend(ax)
    return ax
