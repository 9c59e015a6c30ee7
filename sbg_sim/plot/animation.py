"""A route as a moving picture: the base travels, the cost counts up."""

from __future__ import annotations

import pathlib
from typing import TYPE_CHECKING

from matplotlib.animation import FFMpegWriter, PillowWriter
from matplotlib.patches import Circle

from sbg_sim.errors import SbgError
from sbg_sim.plot import palette
from sbg_sim.plot.canvas import house_style
from sbg_sim.plot.headlines import headline, mover_of, shown_route
from sbg_sim.plot.routes import along
from sbg_sim.plot.verdicts import plot_verdict
from sbg_sim.plot.words import inches_text

if TYPE_CHECKING:
    import os

    from matplotlib.axes import Axes

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.route import Route

_HOLD = 0.25  # of the running time the last picture stays


def animate(
    verdict: Verdict,
    path: str | os.PathLike[str],
    *,
    seconds: float = 4.0,
    frames_per_second: int = 12,
    whole: bool = False,
) -> pathlib.Path:
    """Write a film of the verdict's route.

    Parameters
    ----------
    verdict
        An answer with a route.
    path
        Where to: ``.gif``, or ``.mp4`` where the program ffmpeg is installed.
    seconds, frames_per_second
        How long and how smooth.
    whole
        Show the whole table.

    Returns
    -------
    The path.

    Raises
    ------
    SbgError
        When there is no route, for another suffix, without ffmpeg for MP4, or when it cannot be written.

    """
    target = pathlib.Path(path)
    route = shown_route(verdict)
    writer = _writer(target, frames_per_second)
    if route is None or not route.legs:
        raise SbgError(f"{headline(verdict)}: there is no route to show")
    if not target.parent.is_dir():
        raise SbgError(f"{target}: there is no folder {target.parent}")
    with house_style():
        ax = plot_verdict(verdict, whole=whole)
        figure = ax.get_figure(root=True)
        assert figure is not None
        count = max(2, round(seconds * (1 - _HOLD) * frames_per_second))
        held = max(1, round(seconds * _HOLD * frames_per_second))
        try:
            with writer.saving(figure, str(target), dpi=80):
                moving = _Moving(ax, verdict)
                for place, used in [*timeline(route, count), *([(route.legs[-1].end, route.cost)] * held)]:
                    moving.show(place, used)
                    writer.grab_frame()
        except OSError as fault:
            raise SbgError(f"{target}: the film cannot be written: {fault.strerror or fault}") from fault
    return target


def _writer(target: pathlib.Path, frames_per_second: int) -> PillowWriter | FFMpegWriter:
    match target.suffix.lower():
        case ".gif":
            return PillowWriter(fps=frames_per_second)
        case ".mp4":
            if not FFMpegWriter.isAvailable():
                raise SbgError(f"{target}: MP4 needs the program ffmpeg, which is not here; write a .gif instead")
            return FFMpegWriter(fps=frames_per_second, metadata={}, extra_args=["-pix_fmt", "yuv420p"])
    raise SbgError(f"{target}: {target.suffix!r} is not a kind of film; write to a file ending in .gif or .mp4")


class _Moving:
    """The base that moves over the picture, with the cost so far."""

    def __init__(self, ax: Axes, verdict: Verdict) -> None:
        mover = mover_of(verdict)
        assert mover is not None
        style = palette.side_styles([mover.side])[mover.side]
        self.limit = verdict.allowance
        self.base = Circle(
            mover.at,
            mover.radius,
            facecolor=style.fill,
            edgecolor=style.rim,
            linewidth=2.2,
            alpha=0.95,
            zorder=palette.LAYER["label"] + 1,
            gid="moving",
        )
        ax.add_patch(self.base)
        box = {"boxstyle": "round,pad=0.15", "facecolor": palette.PAPER, "edgecolor": style.rim}
        self.note = ax.text(
            *mover.at,
            "",
            ha="center",
            va="bottom",
            fontsize=8.5,
            fontweight="bold",
            bbox=box,
            zorder=palette.LAYER["label"] + 2,
        )

    def show(self, place: Point, used: float) -> None:
        """Put the base at a place with this much movement used, inches."""
        self.base.center = place
        self.note.set_position((place[0], place[1] + self.base.radius * 1.15))
        of = f" of {inches_text(self.limit)}" if self.limit is not None else ""
        self.note.set_text(f"{used:.2f}″{of}")


def timeline(route: Route, count: int) -> list[tuple[Point, float]]:
    """Return where the base is and what it has used (inches) at ``count`` even moments from start to end."""
    spans = [max(leg.cost, leg.length, 1e-9) for leg in route.legs]
    total = sum(spans)
    found = []
    for i in range(count):
        left, used = total * i / (count - 1), 0.0
        for leg, span in zip(route.legs, spans, strict=True):
            if left <= span or leg is route.legs[-1]:
                share = min(1.0, left / span)
                found.append((along(leg, share), used + leg.cost * share))
                break
            left, used = left - span, used + leg.cost
    return found
