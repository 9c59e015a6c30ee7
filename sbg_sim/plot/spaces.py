"""Boards made of spaces: regions, links, routes, what can be reached; sites on an adventure path."""

from __future__ import annotations

import itertools
import math
import textwrap
from typing import TYPE_CHECKING, Any

from matplotlib.lines import Line2D
from matplotlib.patches import Circle, FancyArrowPatch, Patch, Rectangle

from sbg_sim.errors import SbgError
from sbg_sim.plot import palette
from sbg_sim.plot.canvas import explain, legend, new_axes, title
from sbg_sim.plot.labels import keep_clear, keep_off_line, label
from sbg_sim.plot.layout import spread
from sbg_sim.plot.maps import SpaceMap, space_map
from sbg_sim.plot.words import joined

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from sbg_sim.geometry.shapes import Point

_SIZE = 0.2  # radius of a space where neighbours are 1 apart
_HATCHES = {
    "free-domains": "",
    "border-lands": "///",
    "wilderness": "\\\\\\",
    "shadow-lands": "xx",
    "dark-domains": "xxxx",
}


def plot_board(
    board: Any,
    *,
    ax: Axes | None = None,
    route: Sequence[str] = (),
    reachable: Mapping[str, Any] | Iterable[str] = (),
    answer: Mapping[str, Any] | None = None,
    around: int | None = None,
    lit: Mapping[str, Any] | None = None,
) -> Axes:
    """Draw a board of spaces, with a route and what can be reached.

    Parameters
    ----------
    board
        A map, a state or a scenario of one of the games, or a `SpaceMap`.
    ax
        Where; None makes a new figure.
    route
        Spaces on a way, in order; drawn over the links.
    reachable
        Spaces, or spaces with their cost (a number, or something with a ``cost``).
    answer
        A question's answer as the games give it: its ``route``, ``reachable`` and ``reason`` are drawn.
    lit
        Where legal moves lead, each space with its cost; all others are dimmed.
    around
        Show only spaces within this many links of the route, the reachable spaces and the pieces.

    Raises
    ------
    SbgError
        When a space of the route is not on the board.

    """
    said = dict(answer or {})
    shown = _asked(board, said)
    route = tuple(shown.within.get(name, name) for name in route or said.get("route") or ())
    costs = _costs(reachable or lit or said.get("costs") or said.get("reachable") or (), shown.within)
    missing = [name for name in (*route, *costs) if name not in shown.names]
    if missing:
        route = tuple(name for name in route if name in shown.names)
        costs = {name: cost for name, cost in costs.items() if name in shown.names}
        asked = answer is None  # an answer may speak of cards that lie nowhere on the board yet
        if asked and not route and not costs:
            raise SbgError(f"these spaces are not on the board: {joined(missing[:5])}")
    if around is not None:
        shown = _narrowed(shown, {*route, *costs, *shown.pieces}, around)
    places = dict(shown.places) or spread(shown.names, [(a, b) for a, b, _ in shown.links])
    if ax is None:
        ax = new_axes(_frame(places), side=_paper(len(places)))
    draw_board(ax, shown, places, costs)
    if route:
        draw_hops(ax, route, places, {name for name, words in shown.names.items() if not words})
    _plain(ax)
    title(ax, said.get("question") or shown.heading or "board", str(said.get("reason") or ""))
    legend(ax)
    return ax


def _asked(board: Any, said: Mapping[str, Any]) -> SpaceMap:
    """Return the board of a question: that of its own state where it has one."""
    name = said.get("question")
    asked = name in getattr(board, "questions", ())
    return space_map(board.position(name) if asked else board)


def _paper(count: int) -> float:
    """Return how large a map of so many spaces is drawn, inches of its longer side."""
    return 6.4 if count <= 30 else 8.5 if count <= 60 else 11.5


def _plain(ax: Axes) -> None:
    ax.set_aspect("equal", adjustable="box")
    ax.set_xticks([])
    ax.set_yticks([])


def _frame(places: Mapping[str, Point]) -> tuple[float, float, float, float]:
    xs, ys = [p[0] for p in places.values()] or [0.0], [p[1] for p in places.values()] or [0.0]
    air = 0.8
    return min(xs) - air, min(ys) - air, max(xs) + air, max(ys) + air


def _costs(reachable: Mapping[str, Any] | Iterable[str], within: Mapping[str, str]) -> dict[str, Any]:
    """Return the cost of each space, the least of what lies within it; None where none is given."""
    found: dict[str, Any] = {}
    pairs = reachable.items() if hasattr(reachable, "items") else ((name, None) for name in reachable)
    for name, reached in pairs:
        space, cost = within.get(name, name), getattr(reached, "cost", reached)
        known = found.get(space)
        found[space] = cost if known is None else known if cost is None else min(known, cost)
    return found


def _narrowed(shown: SpaceMap, kept: set[str], around: int) -> SpaceMap:
    from dataclasses import replace

    for _ in range(around):
        kept = kept | {b for a, b, _ in shown.links if a in kept} | {a for a, b, _ in shown.links if b in kept}
    links = tuple(link for link in shown.links if link[0] in kept and link[1] in kept)
    return replace(shown, names={k: v for k, v in shown.names.items() if k in kept}, links=links)


def draw_board(
    ax: Axes, shown: SpaceMap, places: Mapping[str, Point], costs: Mapping[str, Any] | None = None
) -> list[Artist]:
    """Draw links, spaces by kind, what can be reached at what cost, who stands where; return the artists."""
    drawn: list[Artist] = [_link(ax, places[a], places[b], kind, path=shown.path) for a, b, kind in shown.links]
    drawn += [_crossing(ax, places[a], places[b], word) for a, b, word in shown.crossings if {a, b} <= places.keys()]
    for name in shown.names:
        drawn += _space(ax, name, places[name], shown.kinds.get(name, ""), costs or {}, dot=not shown.names[name])
    drawn += [_mark(ax, name, places[name], word) for name, word in shown.marked.items() if name in places]
    for name, who in shown.pieces.items():
        if name in places:
            x, y = places[name]
            mark = Line2D([x], [y], zorder=palette.LAYER["mark"], gid=f"piece-{name}", **_PIECE)
            drawn += [
                ax.add_line(mark),
                label(ax, (x, y), joined(list(who)), clear=_SIZE, fontweight="bold", size=6.5),
            ]
            explain(ax, "who stands there", Line2D([], [], **_PIECE))
    size = 7.0 if len(shown.names) <= 30 else 5.5
    small = 14 if len(shown.names) > 30 else 18
    for name, words in shown.names.items():
        if not words:  # a river dot has no name
            continue
        drawn.append(
            label(
                ax,
                places[name],
                textwrap.fill(words, small),
                clear=_SIZE * 1.35,
                size=size,
                gid=f"name-{name}",
            )
        )
    return drawn


_PIECE: dict[str, Any] = {
    "linestyle": "none",
    "marker": "*",
    "markersize": 11,
    "markerfacecolor": palette.YELLOW,
    "markeredgecolor": palette.BLACK,
}

_WAYS: dict[str, dict[str, Any]] = {
    "": {"color": "#B3B0A8", "linewidth": 1.0},
    "land": {"color": "#B3B0A8", "linewidth": 1.0},
    "road": {"color": "#7A5C2E", "linewidth": 2.4},
    "cross": {"color": palette.BLUE, "linewidth": 1.0, "linestyle": (0, (1, 1.5))},
    "water": {"color": palette.SKY, "linewidth": 1.4, "linestyle": (0, (5, 2))},
    "river": {"color": palette.BLUE, "linewidth": 2.0},
    "bank": {"color": palette.SKY, "linewidth": 0.8, "linestyle": (0, (1, 1))},
    "closed": {"color": palette.FAULT, "linewidth": 1.2, "linestyle": (0, (2, 2))},
}
_WAY_WORDS = {
    "": "neighbours",
    "land": "neighbours over land",
    "road": "along a road",
    "cross": "over a river, by Boat",
    "water": "over water",
    "river": "along a river, by Boat",
    "bank": "between a bank and the river",
    "closed": "impassable border",
}


def _link(ax: Axes, start: Point, end: Point, kind: str, *, path: bool) -> Artist:
    style = _WAYS.get(kind, _WAYS[""])
    keep_off_line(ax, [start, end], 0.03, 0.2)
    if path:
        ends = _between(start, end, _SIZE, _SIZE)
        return ax.add_patch(_arrow(*ends, color="#6B6659", linewidth=1.2, zorder=1.2, gid="link"))
    explain(ax, _WAY_WORDS.get(kind, kind), Line2D([], [], **style))
    return ax.add_line(Line2D([start[0], end[0]], [start[1], end[1]], zorder=1.2, gid="link", **style))


def _between(start: Point, end: Point, before: float, behind: float) -> tuple[Point, Point]:
    """Return the ends of a line without its first and last bit, where the spaces are."""
    far = math.dist(start, end)
    a, b = (min(before, 0.45 * far) / far, 1 - min(behind, 0.45 * far) / far) if far else (0.0, 1.0)
    x, y = end[0] - start[0], end[1] - start[1]
    return (start[0] + a * x, start[1] + a * y), (start[0] + b * x, start[1] + b * y)


def _arrow(start: Point, end: Point, **style: Any) -> FancyArrowPatch:
    return FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=9, shrinkA=0, shrinkB=0, **style)


def _crossing(ax: Axes, start: Point, end: Point, word: str) -> Artist:
    """Draw what leads over the river between two spaces in the middle of their link."""
    style: dict[str, Any] = {"linestyle": "none", "markersize": 6, "markeredgecolor": palette.BLUE}
    style |= (
        {"marker": "s", "markerfacecolor": "#7A5C2E"} if word == "bridge" else {"marker": "D", "markerfacecolor": "w"}
    )
    explain(ax, word, Line2D([], [], **style))
    middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    return ax.add_line(Line2D([middle[0]], [middle[1]], zorder=1.4, gid=word, **style))


def _mark(ax: Axes, name: str, at: Point, word: str) -> Artist:
    """Draw a mark on a space: a small square for a city, a broken ring round what is besieged."""
    if word == "city":
        style: dict[str, Any] = {"facecolor": palette.SPACES["city"], "edgecolor": palette.INK, "linewidth": 0.7}
        side = _SIZE * 0.8
        shape: Patch = Rectangle((at[0] - side / 2, at[1] - side / 2), side, side, zorder=2.1, **style)
    else:
        style = {"edgecolor": palette.FAULT, "facecolor": "none", "linewidth": 2.0, "linestyle": (0, (2, 1))}
        shape = Circle(at, _SIZE * 1.2, zorder=2.3, **style)
    shape.set_gid(f"{word}-{name}")
    explain(ax, word, Patch(**style))
    return ax.add_patch(shape)


def _space(ax: Axes, name: str, at: Point, kind: str, costs: Mapping[str, Any], *, dot: bool) -> list[Artist]:
    fill, hatch = palette.SPACES.get(kind, palette.SPACE), _HATCHES.get(kind, "")
    reached = name in costs
    body = Circle(
        at,
        _SIZE * (0.4 if dot else 1.0),
        facecolor=fill,
        edgecolor="#8C8980" if hatch else palette.INK,
        hatch=hatch or None,
        linewidth=0.7,
        zorder=2,
        gid=f"space-{name}",
    )
    keep_clear(ax, (at[0] - _SIZE, at[1] - _SIZE, at[0] + _SIZE, at[1] + _SIZE), 2.0)
    drawn: list[Artist] = [ax.add_patch(body)]
    if kind:
        explain(
            ax,
            kind.replace("-", " "),
            Patch(facecolor=fill, edgecolor="#8C8980", hatch=hatch or None, linewidth=0.7),
        )
    if reached:
        ring = Circle(
            at,
            _SIZE * 1.25,
            facecolor="none",
            edgecolor=palette.BLUE,
            linewidth=2.2,
            zorder=2.2,
            gid=f"reached-{name}",
        )
        drawn.append(ax.add_patch(ring))
        mark: dict[str, Any] = {
            "marker": "o",
            "markersize": 8,
            "markerfacecolor": "none",
            "markeredgewidth": 2.0,
        }
        swatch = Line2D([], [], linestyle="none", markeredgecolor=palette.BLUE, **mark)
        explain(ax, "can be reached, with its cost", swatch)
        if costs[name] is not None:
            drawn.append(
                ax.text(
                    *at,
                    str(costs[name]),
                    ha="center",
                    va="center",
                    fontsize=7,
                    fontweight="bold",
                    zorder=5,
                    gid=f"cost-{name}",
                )
            )
    return drawn


def draw_hops(ax: Axes, route: Sequence[str], places: Mapping[str, Point], dots: Collection[str] = ()) -> list[Artist]:
    """Draw a way from space to space as arrows from rim to rim; `dots` are the small ones. Return the artists."""
    drawn: list[Artist] = []
    for a, b in itertools.pairwise(route):
        if a != b:
            style: dict[str, Any] = {
                "color": palette.ROUTE,
                "linewidth": 2.4,
                "zorder": palette.LAYER["path"],
                "gid": "hop",
            }
            sizes = (_SIZE * (0.4 if name in dots else 1.0) for name in (a, b))
            drawn.append(ax.add_patch(_arrow(*_between(places[a], places[b], *sizes), **style)))
            explain(ax, "the way", Line2D([], [], color=palette.ROUTE, linewidth=2.4, marker=">", markersize=6))
    return drawn
