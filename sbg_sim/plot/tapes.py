"""Places from tape readings: the tapes, ellipses of doubt, and the residual of each reading."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Ellipse

from sbg_sim.errors import QuestionError
from sbg_sim.plot import palette
from sbg_sim.plot.canvas import explain, sheet, title, under
from sbg_sim.plot.labels import label
from sbg_sim.plot.tables import finish, ground, stage
from sbg_sim.plot.views import box_of
from sbg_sim.plot.words import inches_text

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.table.board import Table
    from sbg_sim.tape import Fit, Reading

_TIMES: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
_SEEN: Final = 0.035  # greatest share of the view for the largest ellipse
_FAR: Final = 2.0  # standard deviations beyond which a reading is marked


def plot_readings(table: Table, *, ax: Axes | None = None, names: bool = True) -> Axes:
    """Draw the places of models from tape readings: every tape, enlarged ellipses of doubt, and the residuals below.

    Parameters
    ----------
    table
        A table placed by tape readings.
    ax
        Where to draw; None makes a new figure.
    names
        Whether models and terrain are labelled.

    Raises
    ------
    QuestionError
        When the table has no places from readings.

    """
    fit: Fit | None = table.fit
    if fit is None:
        raise QuestionError("no readings placed anything on this table; every model has its place")
    alone = ax is None
    boxes = [box_of(table.model(n)) for n in fit.discs]
    ends = [end for reading in fit.readings for end in _tape(table, reading)]
    boxes += [(x - 1, y - 1, x + 1, y + 1) for _, (x, y) in _images(fit)]
    ax = stage(ax, table, [*boxes, *((x, y, x, y) for x, y in ends)])
    ground(ax, table, zones=False)
    count, worst = len(fit.readings), fit.readings[fit.worst]
    spare = f"{fit.freedom} more than it takes; {worst.start} to {worst.end} fits least"
    if fit.freedom == 0:
        spare = "just as many as it takes: nothing checks them"
    title(ax, table.title or "Placed by tape", f"{count} readings, {spare}")
    draw_readings(ax, table)
    if alone and sheet(ax).own and fit.freedom > 0:
        _residuals(ax, fit)
    finish(ax, names=names)
    return ax


def draw_readings(ax: Axes, table: Table) -> list[Artist]:
    """Draw only tapes, ellipses and mirror images; return the artists."""
    fit: Fit = table.fit
    found: list[Artist] = []
    for number, (reading, off) in enumerate(zip(fit.readings, fit.residuals, strict=True), 1):
        found += _drawn(ax, table, reading, off / reading.doubt, number)
    times = _times(ax, fit)
    for name, at in fit.places.items():
        major, minor, turn = fit.ellipse(name)
        ring = Ellipse(
            at,
            2 * times * major,
            2 * times * minor,
            angle=math.degrees(turn),
            facecolor=palette.YELLOW,
            edgecolor=palette.BLACK,
            alpha=0.3,
            linewidth=1.2,
            zorder=palette.LAYER["mark"],
            gid=f"doubt-{name}",
        )
        found.append(ax.add_patch(ring))
    sign: dict[str, Any] = {"marker": "o", "markersize": 8, "markerfacecolor": palette.YELLOW, "color": palette.BLACK}
    large = "" if times == 1 else f", drawn {times} times as large"
    explain(ax, f"one standard deviation of its place{large}", Line2D([], [], linewidth=0, **sign))
    for name, at in _images(fit):
        found += _image(ax, name, at, fit.discs[name].radius)
    return found


def _images(fit: Fit) -> list[tuple[str, Point]]:
    """Return the other places where models might stand by the readings alone, each once."""
    spots = {(n, round(x, 3), round(y, 3)): (n, (x, y)) for image in fit.images for n, (x, y) in image.items()}
    return [(name, at) for name, at in spots.values() if math.dist(at, fit.places[name]) > 1e-3]


def _image(ax: Axes, name: str, at: Point, radius: float) -> list[Artist]:
    style: dict[str, Any] = {"edgecolor": palette.FAINT, "linestyle": (0, (2, 2)), "linewidth": 1.2}
    ring = Circle(at, radius, facecolor="none", zorder=palette.LAYER["base"], gid=f"image-{name}", **style)
    explain(ax, "fits as well, but for `near`", Line2D([], [], color=palette.FAINT, linestyle=(0, (2, 2))))
    return [ax.add_patch(ring), label(ax, at, f"{name}?", clear=radius, size=7.0, colour=palette.FAINT)]


def _times(ax: Axes, fit: Fit) -> int:
    """Return the factor by which ellipses are enlarged to be seen."""
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    largest = max(fit.ellipse(name)[0] for name in fit.places)
    room = _SEEN * max(abs(x1 - x0), abs(y1 - y0))
    return max((k for k in _TIMES if k * largest <= room), default=1)


def _tape(table: Table, reading: Reading) -> tuple[Point, Point]:
    """Return the ends of a tape: on the edges of both things, or at their centres."""
    one = table.model(reading.start)
    here = np.array(one.at)
    other = reading.end in table.models
    there = np.array(table.model(reading.end).at if other else _spot(table, reading.end, one.at))
    away = there - here
    unit = away / (float(np.hypot(*away)) or 1.0)
    if not reading.centres:
        here = here + one.radius * unit
        there = there - table.model(reading.end).radius * unit if other else there
    return (float(here[0]), float(here[1])), (float(there[0]), float(there[1]))


def _spot(table: Table, place: str, near: Point) -> Point:
    """Return the end of a tape on an edge of the table, or the corner."""
    x, y = near
    if "left" in place or "right" in place:
        x = 0.0 if "left" in place else table.width
    if "lower" in place or "upper" in place:
        y = 0.0 if "lower" in place else table.depth
    return (x, y)


def _drawn(ax: Axes, table: Table, reading: Reading, sigmas: float, number: int) -> list[Artist]:
    (x0, y0), (x1, y1) = _tape(table, reading)
    colour = palette.VERMILION if abs(sigmas) > _FAR else palette.BLUE
    style: dict[str, Any] = {"color": colour, "linewidth": 1.2, "marker": "|", "markersize": 5}
    line = Line2D([x0, x1], [y0, y1], zorder=palette.LAYER["mark"] - 0.1, gid=f"tape-{number}", **style)
    explain(ax, "a reading, by its number", Line2D([], [], **{**style, "color": palette.BLUE}))
    if colour != palette.BLUE:
        explain(ax, f"a reading off by more than {_FAR:g} of its doubts", Line2D([], [], **style))
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    words = f"{number}: {inches_text(reading.inches)}"
    return [ax.add_line(line), label(ax, middle, words, inside=True, size=7.0, colour=colour)]


def _residuals(ax: Axes, fit: Fit) -> None:
    """Draw a bar for every reading under the map: its residual in standard deviations."""
    rows = len(fit.readings)
    below = under(ax, 0.35 + 0.17 * rows, left=0.24)
    sigmas = [off / reading.doubt for off, reading in zip(fit.residuals, fit.readings, strict=True)]
    most = max(2.5, 1.15 * max(map(abs, sigmas)))
    below.axvspan(-1, 1, color=palette.SKY, alpha=0.25, linewidth=0)
    below.axvline(0, color=palette.FAINT, linewidth=0.8)
    colours = [palette.VERMILION if abs(s) > _FAR else palette.BLUE for s in sigmas]
    below.barh(range(1, rows + 1), sigmas, height=0.62, color=colours, gid="residuals")
    below.set_yticks(range(1, rows + 1), [f"{k}  {r.start} to {r.end}" for k, r in enumerate(fit.readings, 1)])
    below.set_ylim(rows + 0.6, 0.4)
    below.set_xlim(-most, most)
    below.set_xlabel("← read too short · in its own doubts, up to one shaded · read too long →")
    below.tick_params(labelsize=7.0, length=2)
    for side in ("top", "right", "left"):
        below.spines[side].set_visible(False)
