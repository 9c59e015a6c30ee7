"""Boards made of spaces: regions and their sites, links, routes, reachable spaces, and the pieces on them."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from matplotlib.lines import Line2D
from matplotlib.patches import Circle, FancyArrowPatch, Patch, Rectangle, Wedge

from sbg_sim.errors import SbgError
from sbg_sim.plot import palette
from sbg_sim.plot.canvas import HARD, explain, new_axes, sheet, title
from sbg_sim.plot.cards import plot_path
from sbg_sim.plot.labels import keep_clear, keep_off_line
from sbg_sim.plot.layout import spread
from sbg_sim.plot.legends import legend
from sbg_sim.plot.maps import SpaceMap, reached_by, space_map
from sbg_sim.plot.options import paled
from sbg_sim.plot.pieces import LEAST, SIZE, SMALL, cross, crossing, crowd, mark, stand, write_name
from sbg_sim.wording import listed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from sbg_sim.geometry.shapes import Point

_AROUND: Final = 0.36  # distance from a region to its sites
_MANY: Final = 30  # spaces beyond which a map gets larger paper, with its legend in a corner or below
_WIDTH: Final = 8.7  # inches: width of a map of many spaces, at which its smallest letters can be read on a page
_TALLEST: Final = 11.0  # inches: greatest height of such a map
_DIM: Final = 0.4  # share of its colour that a dimmed space keeps
_HATCHES: Final = {
    "coastal-seas": "---",
    "border-lands": "///",
    "wilderness": "\\\\\\",
    "shadow-lands": "xx",
    "dark-domains": "xxxx",
    "thicket": "\\\\",
    "forest": "||",
    "mountain": "xx",
    "hill": "//",
    "swamp": "--",
    "ocean": "+++",
    "lake": "++",
    "town": "...",
    "city": "///",
    "fortification": "---",
    "free-peoples-stronghold": "xx",
    "shadow-stronghold": "xxxx",
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
    """Draw a board of spaces, with a route and the reachable spaces; an adventure path as its cards.

    Parameters
    ----------
    board
        A map, a state or a scenario of one of the games, or a `SpaceMap`.
    ax
        Where to draw; None makes a new figure.
    route
        Spaces of a way, in order; drawn over the links.
    reachable
        Spaces, or spaces with their costs (numbers, or objects with a ``cost``).
    answer
        The answer to a question, as the games give it: its ``route``, ``reachable`` and ``reason`` are drawn. The goal
        of a refused move is crossed out.
    lit
        The ends of legal moves, each space with its cost; all others are dimmed, and sites among them not named.
    around
        Show only spaces within this many links of the route, the reachable spaces and the pieces.

    Raises
    ------
    SbgError
        When a space of the route is not on the board, or ``around`` is given without anything to be around.

    """
    said = dict(answer or {})
    asked = said.get("question") in getattr(board, "questions", ())
    state = board.position(said["question"]) if asked else board
    path = _path_of(state)
    if path is not None:
        return plot_path(
            path, ax=ax, reachable=lit or reachable, answer=answer, heading=str(getattr(board, "title", ""))
        )
    shown = space_map(state)
    route = tuple(route or _through(said) or said.get("route") or ())
    told = reachable or said.get("costs") or said.get("reachable")
    costs = _costs(told or lit or ())
    who = () if told else getattr(lit, "who", ())
    missing = [name for name in (*route, *costs) if name not in shown.names]
    if missing:
        raise SbgError(f"these spaces are not on the board: {listed(missing[:5])}")
    whole = None
    if around is not None:
        whole, middle = _regions(shown), {*route, *costs, *shown.pieces}
        if not middle:
            raise SbgError(f"around={around}: no piece stands on this board, and there is no answer to draw")
        shown = _narrowed(shown, middle, around)
    used = {name: name for name in (*route, *costs) if name in shown.names and not shown.names[name]}
    shown = replace(shown, names={**shown.names, **used})  # river dots are named if the answer uses them
    small = {*shown.within, *(name for name, kind in shown.kinds.items() if kind == "river")}
    places = _placed(shown, whole)
    refused = _refused(board.asked(said["question"]), said) if asked else None
    dim = shown.names.keys() - costs.keys() - shown.pieces.keys() - set(route) - {refused} if lit and costs else set()
    if ax is None:
        view = _frame(places)
        ax = new_axes(view, side=_paper(len(places), view))
    for a, b in itertools.pairwise(route):
        keep_off_line(ax, [places[a], places[b]])  # names are placed first and avoid the way
    draw_board(ax, shown, places, costs, dim=dim, who=who if len(shown.pieces) > 1 or len(who) > 1 else ())
    if route:
        draw_hops(ax, route, places, small)
    if refused in places:
        cross(ax, places[str(refused)], str(refused))
    sheet(ax).key.sort()
    _plain(ax)
    note = " (invented, not the printed board)" if getattr(getattr(board, "board", board), "invented", False) else ""
    title(ax, f"{said.get('question') or shown.heading or 'board'}{note}", str(said.get("reason") or ""))
    legend(ax, corner=len(places) > _MANY)
    return ax


def _through(said: Mapping[str, Any]) -> list[str]:
    """Return the way of an answer with the regions that each turn passes through; empty if it tells none."""
    legs, route = said.get("legs") or (), list(said.get("route") or ())
    if len(route) != len(legs) + 1 or not any(leg.get("regions") for leg in legs):
        return []
    return route[:1] + [name for leg in legs for name in (*leg.get("regions", ()), leg["to"])]


def _path_of(state: Any) -> Any:
    """Return the game with an adventure path in a position, or None."""
    for found in (state, getattr(state, "state", None), getattr(state, "game", None)):
        if hasattr(found, "path") and hasattr(found, "seats"):
            return found
    return None


def _refused(asked: Any, said: Mapping[str, Any]) -> str | None:
    """Return the goal of a question that was answered with no."""
    to = getattr(asked, "to", None) or (getattr(asked, "path", None) or [None])[-1]
    return to if said.get("answer") == "no" and isinstance(to, str) else None


def _regions(shown: SpaceMap, like: Mapping[str, Point] | None = None) -> dict[str, Point]:
    """Return the places of spaces: those that the board gives, or a layout, turned as in a larger picture ``like``."""
    large = {name: words for name, words in shown.names.items() if name not in shown.within}
    places = {name: at for name, at in shown.places.items() if name in large}
    return places or spread(large, [(a, b) for a, b, _ in shown.links], like)


def _placed(shown: SpaceMap, like: Mapping[str, Point] | None = None) -> dict[str, Point]:
    """Return the places of all spaces, with sites round their regions."""
    places = _regions(shown, like)
    large = list(places)
    for region, around in itertools.groupby(sorted(shown.within, key=lambda s: (shown.within[s], s)), shown.within.get):
        sites = [site for site in around if site in shown.names]
        if region not in places:
            continue
        near = [places[b if a == region else a] for a, b, _ in shown.links if region in {a, b}]
        near += [
            at for at in (places[name] for name in large) if 0 < math.dist(at, places[str(region)]) < 2.5 * _AROUND
        ]
        for site, angle in zip(sites, _free_angles(places[region], near, len(sites)), strict=True):
            x, y = places[str(region)]
            places[site] = x + _AROUND * math.cos(angle), y + _AROUND * math.sin(angle)
    return places


def _free_angles(at: Point, near: Sequence[Point], count: int) -> list[float]:
    """Return ``count`` evenly spaced directions (radians) from a place, as far as possible from its neighbours."""
    links = [math.atan2(y - at[1], x - at[0]) for x, y in near]

    def room(turn: float) -> float:
        chosen = [turn + math.tau * i / count for i in range(count)]
        return min((abs(math.remainder(a - b, math.tau)) for a in chosen for b in links), default=0.0)

    best = max((math.tau * i / 24 / max(count, 1) for i in range(24)), key=room)
    return [best + math.tau * i / count for i in range(count)]


def _paper(count: int, view: tuple[float, float, float, float]) -> float:
    """Return the longer side of a map of ``count`` spaces on paper, inches.

    Pages show all maps equally wide: on wider paper letters would be too small to read there.
    """
    wide, tall = view[2] - view[0], view[3] - view[1]
    return 6.1 if count <= _MANY else min(_WIDTH * max(1.0, tall / wide), _TALLEST)


def _plain(ax: Axes) -> None:
    ax.set_aspect("equal", adjustable="box")
    ax.set_xticks([])
    ax.set_yticks([])


def _frame(places: Mapping[str, Point]) -> tuple[float, float, float, float]:
    xs, ys = [p[0] for p in places.values()] or [0.0], [p[1] for p in places.values()] or [0.0]
    air = 0.6
    return min(xs) - air, min(ys) - air, max(xs) + air, max(ys) + air


def _costs(reachable: Mapping[str, Any] | Iterable[str]) -> dict[str, Any]:
    """Return the cost of each space, or None if none is given."""
    pairs = reachable.items() if hasattr(reachable, "items") else ((name, None) for name in reachable)
    return {name: getattr(reached, "cost", reached) for name, reached in pairs}


def _narrowed(shown: SpaceMap, kept: set[str], around: int) -> SpaceMap:
    kept = {shown.within.get(name, name) for name in kept}
    for _ in range(around):
        kept = kept | {b for a, b, _ in shown.links if a in kept} | {a for a, b, _ in shown.links if b in kept}
    links = tuple(link for link in shown.links if link[0] in kept and link[1] in kept)
    names = {name: words for name, words in shown.names.items() if shown.within.get(name, name) in kept}
    return replace(shown, names=names, links=links)


def draw_board(
    ax: Axes,
    shown: SpaceMap,
    places: Mapping[str, Point],
    costs: Mapping[str, Any] | None = None,
    *,
    dim: Collection[str] = (),
    who: Sequence[str] = (),
) -> list[Artist]:
    """Draw links, spaces by kind, costs of reachable spaces, and pieces; return the artists."""
    costs = costs or {}
    words = reached_by(who)
    drawn: list[Artist] = [_link(ax, places[a], places[b], kind) for a, b, kind in shown.links]
    for site, region in shown.within.items():
        if site in places:
            tie = Line2D(*zip(places[region], places[site], strict=True), color="#B3B0A8", linewidth=0.7, zorder=1.1)
            drawn.append(ax.add_line(tie))
    drawn += [crossing(ax, places[a], places[b], word) for a, b, word in shown.crossings if {a, b} <= places.keys()]
    for name in shown.names:
        alpha = _DIM if name in dim else 1.0
        if name in shown.within:
            drawn.append(_site(ax, name, places[name], alpha=alpha))
        else:
            drawn.append(_space(ax, name, places[name], shown.kinds.get(name, ""), alpha=alpha))
            drawn += _parts(ax, name, places[name], shown.besides.get(name, ()), alpha=alpha)
    for name in shown.names:  # after all spaces, so that the legend lists their kinds together
        alpha = _DIM if name in dim else 1.0
        drawn += _inside(ax, name, places[name], costs, shown.letters.get(name, ""), words, alpha=alpha)
    drawn += [mark(ax, name, places[name], word) for name, word in shown.marked if name in places]
    for name, standing in shown.pieces.items():
        if name in places:
            drawn += stand(ax, name, places[name], standing, small=name in shown.within)
    wide = 14 if len(shown.names) > 30 else 18
    for name, words in sorted(shown.names.items(), key=lambda entry: (entry[0] in dim, -crowd(places, entry[0]))):
        # A river dot has no name unless an answer uses it; sites that are dimmed need none.
        if words and not (name in dim and name in shown.within):
            little = name in shown.within or shown.kinds.get(name) == "river"
            colour = palette.FAINT if name in dim else "#5A4A32" if little else palette.INK
            clear = (SMALL if little else SIZE) * 1.35
            alike = [s for s in places if s != name and (s in shown.within) == (name in shown.within)]
            size, others = LEAST if little else 8.0, [places[s] for s in alike]
            drawn.append(write_name(ax, name, places[name], words, wide, clear, size, colour, others))
    return drawn


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


def _link(ax: Axes, start: Point, end: Point, kind: str) -> Artist:
    style = _WAYS.get(kind, _WAYS[""])
    keep_off_line(ax, [start, end], 0.03, 0.2)
    explain(ax, _WAY_WORDS.get(kind, kind), Line2D([], [], **style))
    return ax.add_line(Line2D([start[0], end[0]], [start[1], end[1]], zorder=1.2, gid="link", **style))


def _between(start: Point, end: Point, before: float, behind: float) -> tuple[Point, Point]:
    """Return the ends of a line without its first and last parts, which the spaces cover."""
    far = math.dist(start, end)
    a, b = (min(before, 0.45 * far) / far, 1 - min(behind, 0.45 * far) / far) if far else (0.0, 1.0)
    x, y = end[0] - start[0], end[1] - start[1]
    return (start[0] + a * x, start[1] + a * y), (start[0] + b * x, start[1] + b * y)


def _arrow(start: Point, end: Point, **style: Any) -> FancyArrowPatch:
    return FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=9, shrinkA=0, shrinkB=0, **style)


def _space(ax: Axes, name: str, at: Point, kind: str, *, alpha: float) -> Artist:
    radius = SMALL if kind == "river" else SIZE
    keep_clear(ax, (at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius), HARD)
    return ax.add_patch(Circle(at, radius, zorder=2, gid=f"space-{name}", **_style(ax, kind, alpha)))


def _parts(ax: Axes, name: str, at: Point, kinds: Sequence[str], *, alpha: float) -> list[Artist]:
    """Draw the further kinds of a space, each as a slice, counter-clockwise to the top."""
    share = 360 / (1 + len(kinds))
    return [
        ax.add_patch(
            Wedge(at, SIZE, 90 - (i + 1) * share, 90 - i * share, zorder=2.1, gid=f"part-{name}-{kind}",
                  **_style(ax, kind, alpha))
        )
        for i, kind in enumerate(kinds)
    ]  # fmt: skip


def _style(ax: Axes, kind: str, alpha: float) -> dict[str, Any]:
    """Return the style of a kind of space, and explain it in the legend."""
    fill, hatch = palette.SPACES.get(kind, palette.SPACE), _HATCHES.get(kind, "")
    edge = "#8C8980" if hatch else palette.INK
    style: dict[str, Any] = {"facecolor": fill, "edgecolor": edge, "hatch": hatch or None, "linewidth": 0.7}
    if kind:
        explain(ax, kind.replace("-", " "), Patch(**style))
    return style | {"facecolor": paled(fill, alpha), "edgecolor": paled(edge, alpha)}


def _site(ax: Axes, name: str, at: Point, *, alpha: float) -> Artist:
    style: dict[str, Any] = {"facecolor": palette.PAPER, "edgecolor": palette.INK, "linewidth": 0.7}
    keep_clear(ax, (at[0] - SMALL, at[1] - SMALL, at[0] + SMALL, at[1] + SMALL), HARD)
    explain(ax, "site, with the symbol of its type", Patch(**style))
    corner = at[0] - SMALL, at[1] - SMALL
    style["edgecolor"] = paled(palette.INK, alpha)
    return ax.add_patch(Rectangle(corner, 2 * SMALL, 2 * SMALL, zorder=2.4, gid=f"site-{name}", **style))


def _inside(
    ax: Axes, name: str, at: Point, costs: Mapping[str, Any], letter: str, told: str, *, alpha: float
) -> list[Artist]:
    """Draw the content of a space: a ring and its cost if it can be reached, else the letter of a site."""
    words: dict[str, Any] = {"ha": "center", "va": "center", "zorder": 5, "fontweight": "bold"}
    if name not in costs:
        return (
            [ax.text(*at, letter, fontsize=LEAST, color="#555555" if alpha == 1.0 else palette.FAINT, **words)]
            if letter
            else []
        )
    body = next(patch for patch in reversed(ax.patches) if patch.get_gid() in {f"space-{name}", f"site-{name}"})
    radius = SMALL * 1.5 if letter else body.get_radius() * 1.25 if isinstance(body, Circle) else SIZE
    little = radius < SIZE
    style: dict[str, Any] = {"facecolor": "none", "edgecolor": palette.BLUE, "linewidth": 1.6 if little else 2.2}
    drawn: list[Artist] = [ax.add_patch(Circle(at, radius, zorder=2.5, gid=f"reached-{name}", **style))]
    keep_clear(ax, (at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius), HARD)
    mark: dict[str, Any] = {"marker": "o", "markersize": 8, "markerfacecolor": "none", "markeredgewidth": 2.0}
    explain(ax, told, Line2D([], [], linestyle="none", markeredgecolor=palette.BLUE, **mark))
    if costs[name] is not None:
        back = {"boxstyle": "circle,pad=0.12", "facecolor": palette.PAPER, "edgecolor": "none", "alpha": 0.85}
        size = LEAST if little else 7.5
        drawn.append(ax.text(*at, str(costs[name]), fontsize=size, bbox=back, gid=f"cost-{name}", **words))
    return drawn


def draw_hops(ax: Axes, route: Sequence[str], places: Mapping[str, Point], small: Collection[str] = ()) -> list[Artist]:
    """Draw a way as arrows from rim to rim of its spaces, `small` ones being dots and sites; return the artists."""
    drawn: list[Artist] = []
    for a, b in itertools.pairwise(route):
        if a != b:
            style: dict[str, Any] = {
                "color": palette.ROUTE,
                "linewidth": 2.4,
                "zorder": palette.LAYER["path"],
                "gid": "hop",
            }
            sizes = (SMALL if name in small else SIZE for name in (a, b))
            drawn.append(ax.add_patch(_arrow(*_between(places[a], places[b], *sizes), **style)))
            explain(ax, "the way", Line2D([], [], color=palette.ROUTE, linewidth=2.4, marker=">", markersize=6))
    return drawn
