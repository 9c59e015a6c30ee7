"""Sweeps: an answer against a number of the file, with the value at every jump."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from matplotlib.lines import Line2D

from sbg_sim.errors import SbgError
from sbg_sim.plot import palette
from sbg_sim.plot.canvas import chart_axes, explain, miniature, rule_percent, title, under
from sbg_sim.plot.fonts import scaled
from sbg_sim.plot.headlines import heading
from sbg_sim.plot.legends import legend
from sbg_sim.plot.options import hue

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

_WORDS = {
    "chance_value": "chance",
    "needed": "movement needed, inches",
    "margin": "movement left, inches",
    "area": "area, square inches",
}
_JUMPS = 4  # jumps that are located; each takes some thirty answers


def plot_sweep(sweep: Any, *, ax: Axes | None = None, column: str | None = None, thresholds: bool = True) -> Axes:
    """Draw a sweep: one column of its rows against the parameter that was varied.

    Points are joined only while the answer stays of one kind. Values at which the chance jumps are found by bisection
    and marked. If the chance is 0 or 1 the margin is drawn under it.

    Parameters
    ----------
    sweep
        Has ``parameter`` and ``rows``, each a mapping from columns to values.
    ax
        Where to draw; None makes a new figure. Several sweeps lie over each other on one.
    column
        ``"chance_value"``, ``"needed"``, ``"margin"``, ...; by default the chance, with the share of successful trials
        and its interval if there are trials, or else the movement needed; for a measurement, a gap or a reach the
        measured size.
    thresholds
        Whether to locate the values at which the answer jumps.

    Raises
    ------
    SbgError
        When the sweep has no rows or no such column.

    """
    rows = list(sweep.rows)
    if not rows:
        raise SbgError("this sweep has no rows to draw")
    usual = column is None
    if column is None:
        column = "chance_value" if any(row.get("chance_value") is not None for row in rows) else "needed"
        column = next((size for size in ("area", "inches") if size in rows[0]), column)
    if column not in rows[0]:
        raise SbgError(f"this sweep has no column {column!r}; it has {', '.join(rows[0])}")
    new = ax is None
    ax = chart_axes(5.2, 3.0) if ax is None else ax
    found = sweep.thresholds(most=_JUMPS) if thresholds and hasattr(sweep, "thresholds") else ()
    draw_sweep(ax, sweep.parameter, rows, column, [(t.low + t.high) / 2 for t in found])
    inches = getattr(sweep, "unit", "") == "in"
    draw_thresholds(ax, found, unit="″" if inches else "")
    ax.set_xlabel(sweep.parameter + ", inches" * inches)
    ax.set_ylabel(_WORDS.get(column, column))
    asked = heading(getattr(sweep, "question", ""), getattr(sweep, "asked", None))
    title(ax, f"{asked}{_WORDS.get(column, column)} by {sweep.parameter}")
    plain = [row for row in rows if row.get("chance_value") in (0, 1) and row.get("margin") is not None]
    if new and usual and not miniature(ax) and column == "chance_value" and plain:
        _margins(ax, sweep.parameter, plain, found)
    legend(ax)
    return ax


def _margins(ax: Axes, parameter: str, rows: Sequence[Mapping[str, Any]], found: Sequence[Any]) -> None:
    """Draw under a chart of chances the movement left or missing, for rows with a chance of 0 or 1."""
    words = ax.get_xlabel()
    ax.set_xlabel("")
    below = under(ax, 2.55, gap=0.45)
    below.sharex(ax)
    draw_sweep(below, parameter, rows, "margin", [(t.low + t.high) / 2 for t in found])
    style: dict[str, Any] = {"color": palette.VERMILION, "linestyle": (0, (4, 2)), "linewidth": 1.2}
    below.axhline(0.0, **style)
    explain(ax, "nothing left: just enough", Line2D([], [], **style))
    below.set_xlabel(words)
    below.set_ylabel("movement left, inches\n(chance 0 or 1)")


def _alike(one: Mapping[str, Any], two: Mapping[str, Any]) -> bool:
    """Say whether two rows have the same kind of answer, so that their points may be joined."""
    return all(one.get(name) == two.get(name) for name in ("answer", "chance", "dice", "chance_value"))


def pieces(
    parameter: str, rows: Sequence[Mapping[str, Any]], column: str, jumps: Sequence[float]
) -> list[list[tuple[Any, float]]]:
    """Return runs of points to be joined; a run of chances extends to its jump, others end at their last point."""
    kept = [row for row in rows if row[column] is not None]
    runs: list[list[tuple[Any, float]]] = []
    for i, row in enumerate(kept):
        point = (row[parameter], float(row[column]))
        if i and _alike(kept[i - 1], row):
            runs[-1].append(point)
            continue
        if i and column == "chance_value":
            before = kept[i - 1][parameter]
            jump = next((x for x in jumps if min(before, row[parameter]) <= x <= max(before, row[parameter])), None)
            if jump is not None:
                runs[-1].append((jump, runs[-1][-1][1]))
                runs.append([(jump, point[1]), point])
                continue
        runs.append([point])
    return runs


def draw_sweep(
    ax: Axes, parameter: str, rows: Sequence[Mapping[str, Any]], column: str, jumps: Sequence[float] = ()
) -> list[Artist]:
    """Draw one column of the rows, exact values as points, trials with their interval; return the artists."""
    rank = len([line for line in ax.get_lines() if line.get_gid() == "sweep"])
    kept = [row for row in rows if row[column] is not None]
    xs, ys = [row[parameter] for row in kept], [float(row[column]) for row in kept]
    colour, mark = hue(palette.CATEGORIES[rank % 8]), palette.MARKERS[rank % 8]
    style: dict[str, Any] = {"color": colour, "marker": mark, "markersize": 5, "linestyle": "none"}
    drawn: list[Artist] = list(ax.plot(xs, ys, gid="sweep", zorder=3, **style))
    joined: dict[str, Any] = {"color": colour, "linestyle": palette.LINES[rank % 4], "linewidth": 1.2}
    runs = pieces(parameter, rows, column, jumps)
    for run in runs:
        if len(run) > 1:
            drawn += ax.plot(*zip(*run, strict=True), gid="sweep-run", zorder=2.8, **joined)
    words = "exact chance" if column == "chance_value" else column.replace("_", " ")
    sign = Line2D([], [], **{**style, **joined})
    explain(ax, words + (f" ({rank + 1})" if rank else ""), sign)
    if column == "chance_value" and kept and "frequency" in kept[0]:
        shares = [float(row["frequency"]) for row in kept]
        bars = [
            [max(0.0, s - row["low"]) for s, row in zip(shares, kept, strict=True)],
            [max(0.0, row["high"] - s) for s, row in zip(shares, kept, strict=True)],
        ]
        ax.errorbar(xs, shares, yerr=bars, linestyle="none", color=palette.BLACK, capsize=3, linewidth=1.0, zorder=4)
        bar = Line2D([], [], color=palette.BLACK, marker="_", linewidth=1.0)
        explain(ax, "share of the trials, 99 % interval", bar)
    if column == "needed" and kept and kept[0].get("allowance") is not None:
        limit = [row["allowance"] for row in kept]
        drawn += ax.plot(xs, limit, color=palette.VERMILION, linestyle=(0, (4, 2)), linewidth=1.2)
        explain(ax, "its Move", Line2D([], [], color=palette.VERMILION, linestyle=(0, (4, 2)), linewidth=1.2))
    if column == "chance_value":
        ax.set_ylim(-0.04, 1.06)
        rule_percent(ax.yaxis, ax)
    ax.grid(visible=True, color=palette.GRID, linewidth=0.6)
    ax.set_axisbelow(True)
    return drawn


def draw_thresholds(ax: Axes, found: Sequence[Any], *, unit: str = "") -> list[Artist]:
    """Mark the values at which the answer jumps."""
    style: dict[str, Any] = {"color": palette.INK, "linestyle": (0, (1, 1.5)), "linewidth": 1.1}
    drawn: list[Artist] = []
    for threshold, high in zip(found, itertools.cycle((0.52, 0.62, 0.72, 0.42)), strict=False):
        at = (threshold.low + threshold.high) / 2
        drawn.append(ax.axvline(at, gid="threshold", **style))
        text = f"{at:.6g}{unit}"
        box = {"boxstyle": "square,pad=0.1", "facecolor": palette.PAPER, "edgecolor": "none", "alpha": 0.82}
        drawn.append(
            ax.annotate(
                text,
                (at, high),
                (3, 0),
                xycoords=("data", "axes fraction"),
                textcoords="offset points",
                fontsize=scaled(7.5),
                bbox=box,
            )
        )
        explain(ax, "the answer jumps here (found by halving)", Line2D([], [], **style))
    return drawn
