"""The convergence of a simulation: the share of successes by the number of trials, with its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import EngFormatter, LogLocator, NullFormatter

from sbg_sim.plot import palette
from sbg_sim.plot.canvas import chart_axes, explain, rule_percent, sheet, title, under
from sbg_sim.plot.legends import legend
from sbg_sim.plot.options import hue
from sbg_sim.plot.words import chance_text

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from sbg_sim.dice.montecarlo import PlayOut

_FIRST: Final = 20
_POINTS: Final = 28
_MOST: Final = 1_000_000  # trials of a point on the way at most; the last point is the run itself


def plot_convergence(run: Any, *, ax: Axes | None = None) -> Axes:
    """Draw how the share of successes converges to the exact chance as trials are added.

    Each point is a run of that many trials from the same seed.

    Parameters
    ----------
    run
        A simulation, or the simulated run of a play.
    ax
        Where to draw; None makes a new figure.

    """
    ax = chart_axes(5.2, 3.0) if ax is None else ax
    draw_convergence(ax, run)
    title(ax, f"{run.successes:,} of {run.trials:,} trials: {run.frequency:.5f}, exact {chance_text(run.chance)}")
    legend(ax)
    return ax


def add_convergence(run: Any, ax: Axes) -> Axes:
    """Draw the convergence under a chart of outcomes, in the same figure."""
    below = under(ax, 2.2, gap=0.75)
    draw_convergence(below, run)
    sheet(ax).legend.update(sheet(below).legend)
    return below


def running(run: Any) -> list[PlayOut]:
    """Return runs of the first trials, more and more of them up to the whole run."""
    from sbg_sim.dice.montecarlo import play_out

    whole: PlayOut = getattr(run, "run", run)
    most = min(whole.trials, _MOST)
    first = max(1, min(_FIRST, most // 10))
    counts = np.unique(np.geomspace(first, most, _POINTS).astype(int)).tolist() if most else []
    return [play_out(whole.play, n, whole.seed, chunk=whole.chunk) for n in counts if n < whole.trials] + [whole]


def draw_convergence(ax: Axes, run: Any) -> list[Artist]:
    """Draw the share so far, its 99 % interval and the exact chance; return the artists."""
    runs = running(run)
    counts = [r.trials for r in runs]
    low, high = np.array([r.interval() for r in runs]).T
    band = ax.fill_between(counts, low, high, color=hue("#9CC9E8"), alpha=0.55, linewidth=0, gid="interval")
    style: dict[str, Any] = {"color": hue(palette.BLUE), "marker": "o", "markersize": 2.6, "linewidth": 1.2}
    (line,) = ax.plot(counts, [r.frequency for r in runs], gid="running", **style)
    exact: dict[str, Any] = {"color": palette.VERMILION, "linestyle": (0, (4, 2)), "linewidth": 1.3}
    rule = ax.axhline(float(run.chance), gid="exact-chance", **exact)
    ax.set_xscale("log")
    ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    ax.xaxis.set_major_formatter(EngFormatter(sep=""))
    ax.xaxis.set_minor_formatter(NullFormatter())  # the usual one writes formulas, which are off
    ax.set_xlabel("trials")
    ax.set_ylabel("share of successes")
    ax.set_xlim(counts[0], max(counts[-1], counts[0] + 1))
    rule_percent(ax.yaxis, ax)
    ax.xaxis.grid(visible=True, color=palette.GRID, linewidth=0.6)
    explain(ax, "share of successes so far", Line2D([], [], **style))
    explain(ax, "99 % interval so far", Patch(facecolor=hue("#9CC9E8"), alpha=0.55))
    explain(ax, f"exact chance: {chance_text(run.chance)}", Line2D([], [], **exact))
    return [band, line, rule]
