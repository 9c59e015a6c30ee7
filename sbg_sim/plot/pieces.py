"""Signs on the spaces of a board: pieces, armies, sieges, cities, bridges, fords, and names."""

from __future__ import annotations

import itertools
import math
import textwrap
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Patch, Rectangle

from sbg_sim.plot import palette
from sbg_sim.plot.canvas import HARD, explain, sheet
from sbg_sim.plot.labels import (
    RINGS,
    WAYS_ROUND,
    extent,
    from_afar,
    keep_clear,
    leads_over,
    on_leads,
    place,
    put,
)
from sbg_sim.plot.spots import Spot, end_of_lead

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from sbg_sim.arrays import Floats
    from sbg_sim.geometry.shapes import Point

SIZE: Final = 0.2  # radius of a space, with neighbours 1 apart
SMALL: Final = 0.085  # radius of a river dot, and half the side of a site

LEAST: Final = 7.0
"""Points of the smallest type on a map: nine pixels if the map, at most 645 points wide, is shown 830 pixels wide."""

_NEAR: Final = (0.0, 5.0, 10.0)  # points: distances at which a name is tried before it is written smaller
_CLOSE: Final = 1.5  # distance within which the names of spaces compete for room
_OVER: Final = 5.0  # cost of a leader line over another space: more than of a place further off

STAR: dict[str, Any] = {
    "linestyle": "none",
    "marker": "*",
    "markersize": 11,
    "markerfacecolor": palette.YELLOW,
    "markeredgecolor": palette.BLACK,
}


def stand(ax: Axes, name: str, at: Point, who: Sequence[str], *, small: bool) -> list[Artist]:
    """Draw a star at the upper right of a space, clear of its cost, and the names of the pieces there."""
    off = (SMALL if small else SIZE * 0.8) + 0.02
    x, y = at[0] + off, at[1] + off
    star = ax.add_line(Line2D([x], [y], zorder=palette.LAYER["mark"], gid=f"piece-{name}", **STAR))
    keep_clear(ax, (x - 0.08, y - 0.08, x + 0.08, y + 0.08), HARD)
    explain(ax, "who stands there", Line2D([], [], **STAR))
    shown = [*who[:6], *([f"and {len(who) - 6} more"] if len(who) > 6 else [])]
    words, how = "\n".join(shown), {"fontweight": "bold", "gid": f"who-{name}"}
    spot = place(ax, (x, y), words, clear=0.12, size=LEAST, weight="bold")
    good = spot.free and not (spot.led and leads_over(ax, (x, y), np.array([spot.box]), HARD)[0])
    afar = None if good else from_afar(ax, (x, y), words, LEAST, weight="bold")
    return [star, put(ax, (x, y), words, afar or spot, clear=0.12, size=LEAST, **how)]


def crossing(ax: Axes, start: Point, end: Point, word: str) -> Artist:
    """Draw a bridge or a ford in the middle of the link between two spaces."""
    style: dict[str, Any] = {"linestyle": "none", "markersize": 6, "markeredgecolor": palette.BLUE}
    style |= (
        {"marker": "s", "markerfacecolor": "#7A5C2E"} if word == "bridge" else {"marker": "D", "markerfacecolor": "w"}
    )
    explain(ax, word, Line2D([], [], **style))
    middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    return ax.add_line(Line2D([middle[0]], [middle[1]], zorder=1.4, gid=word, **style))


_ARMIES: Final[dict[str, dict[str, Any]]] = {
    "free peoples army": {"marker": "s", "markerfacecolor": palette.BLUE, "markeredgecolor": "w"},
    "shadow army": {"marker": "^", "markerfacecolor": "#7A1F12", "markeredgecolor": "w"},
}


def mark(ax: Axes, name: str, at: Point, word: str) -> Artist:
    """Draw a mark: a small square for a city, a broken ring round a besieged space, a piece for an army."""
    gid = f"{word.replace(' ', '-')}-{name}"
    if word in _ARMIES:
        style = {"linestyle": "none", "markersize": 8, **_ARMIES[word]}
        explain(ax, word, Line2D([], [], **style))
        x, y = at[0] - SIZE * 0.8, at[1] - SIZE * 0.8
        keep_clear(ax, (x - 0.08, y - 0.08, x + 0.08, y + 0.08), 4.0)
        return ax.add_line(Line2D([x], [y], zorder=palette.LAYER["mark"], gid=gid, **style))
    if word == "city":
        style = {"facecolor": palette.SPACES["city"], "edgecolor": palette.INK, "linewidth": 0.7}
        side = SIZE * 0.8
        shape: Patch = Rectangle((at[0] - side / 2, at[1] - side / 2), side, side, zorder=2.1, **style)
    else:
        style = {"edgecolor": palette.FAULT, "facecolor": "none", "linewidth": 2.0, "linestyle": (0, (2, 1))}
        shape = Circle(at, SIZE * 1.5, zorder=2.3, **style)
    shape.set_gid(gid)
    explain(ax, word, Patch(**style))
    return ax.add_patch(shape)


def cross(ax: Axes, at: Point, name: str) -> Artist:
    """Cross out a space to which a move was refused."""
    style: dict[str, Any] = {
        "linestyle": "none",
        "marker": "X",
        "markersize": 12,
        "markerfacecolor": palette.FAULT,
        "markeredgecolor": "w",
    }
    explain(ax, "not allowed: see the reason above", Line2D([], [], **style))
    return ax.add_line(Line2D([at[0]], [at[1]], zorder=palette.LAYER["mark"], gid=f"refused-{name}", **style))


def crowd(places: Mapping[str, Point], name: str) -> int:
    """Return the number of spaces near one: names are placed first where there are few."""
    return sum(math.dist(at, places[name]) < _CLOSE for at in places.values())


def write_name(
    ax: Axes,
    name: str,
    at: Point,
    words: str,
    wide: int,
    clear: float,
    size: float,
    colour: str,
    others: Sequence[Point],
) -> Artist:
    """Write a name beside its space and no other; without room there in other lines, smaller or in a key."""
    middles = shapely.points(np.array(others).reshape(-1, 2))

    def over(boxes: Floats) -> Floats:
        """Return the costs of leader lines from the space to boxes ``(n, 4)`` that run over other spaces."""
        ends = np.clip(np.array(at), boxes[:, :2], boxes[:, 2:])
        lines = shapely.linestrings(np.stack([np.broadcast_to(at, ends.shape), ends], axis=1))
        return np.asarray(_OVER * (shapely.distance(lines[:, None], middles) < SIZE).any(axis=1))

    def crosses(text: str, spot: Spot) -> bool:
        """Say whether a name would lie on a leader line, or its own would run over another space or name."""
        line = shapely.LineString([at, end_of_lead(spot, text, at)])
        over = spot.led and leads_over(ax, at, np.array([spot.box]))[0]
        return bool(over or on_leads(ax, np.array([spot.box]))[0] or (shapely.distance(line, middles) < SIZE).any())

    tried: list[tuple[str, float, Spot]] = []
    short = ""
    for rings, points, most in itertools.product(
        (_NEAR, RINGS), dict.fromkeys((size, LEAST)), (wide, wide - 5, 2 * wide)
    ):
        text = textwrap.fill(words, most, break_long_words=False)
        how: dict[str, Any] = {"rings": rings, "others": [(*p, clear) for p in others]}
        spot = place(ax, at, text, clear=clear, size=points, costly=over, **how)
        tried.append((text, points, spot))
        if spot.free and not crosses(text, spot):
            break
    else:
        told = textwrap.fill(words, wide, break_long_words=False)
        short = _short(words, {row[0] for row in sheet(ax).key})
        round_it = np.array(at) + WAYS_ROUND * (clear + np.array(extent(ax, short, LEAST)) / 2)
        how = {"costly": over, "others": [(*p, clear) for p in others], "more": map(tuple, round_it.tolist())}
        near = place(ax, at, short, clear=clear, size=LEAST, **how)
        afar = [(text, from_afar(ax, at, text, LEAST)) for text in (told, short)]
        tried += [(text, LEAST, spot) for text, spot in (afar[1], (short, near), afar[0]) if spot is not None]
    text, points, spot = min(reversed(tried), key=lambda t: (not t[2].free, crosses(t[0], t[2])))
    if text == short:
        sheet(ax).key.append((short, words, ""))
    return put(ax, at, text, spot, clear=clear, size=points, colour=colour, gid=f"name-{name}")


def _short(words: str, taken: Collection[str]) -> str:
    """Return a short name for a key, not in ``taken``: the initials of its words, or the first letters of one."""
    letters = [word[0].upper() for word in words.replace("-", " ").split() if word[0].isalpha()]
    short = "".join(letters) if len(letters) > 1 else words[:3]
    return next(told for n in range(1, len(taken) + 2) if (told := f"{short}{n}" if n > 1 else short) not in taken)
