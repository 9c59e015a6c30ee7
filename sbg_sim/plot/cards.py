"""An adventure path as a row of cards: numbers, titles, Shadow numbers, arrows, and the cards that may come next."""

from __future__ import annotations

import itertools
import textwrap
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Patch

from sbg_sim.plot import palette
from sbg_sim.plot.canvas import explain, new_axes, title
from sbg_sim.plot.legends import legend
from sbg_sim.plot.options import chosen, with_options
from sbg_sim.plot.pieces import LEAST, STAR

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from matplotlib.axes import Axes

    from sbg_sim.geometry.shapes import Point

_WIDE: Final = 1.0
_HIGH: Final = 1.35
_STEP: Final = 1.3
_NEXT: Final = "may come next"


def plot_path(
    state: Any,
    *,
    ax: Axes | None = None,
    reachable: Iterable[str] = (),
    answer: Mapping[str, Any] | None = None,
    heading: str = "",
) -> Axes:
    """Draw an adventure path: nine places for cards, the cards in play, and the cards that may come next.

    Parameters
    ----------
    state
        A game of the Lord of the Rings TCG.
    ax
        Where to draw; None makes a new figure.
    reachable
        Ids of the sites that may come next.
    answer
        The answer to a question: its ``route``, ``reachable`` and ``reason`` are drawn.
    heading
        The title if no question gives one.

    """
    said = dict(answer or {})
    there = {site.number: site.site for site in state.path}
    route: Sequence[str] = said.get("route") or ()
    number = said.get("number") or state.number(state.moving) + 1
    by_card, laid = "L8" in said.get("rules", ()), bool(route and said.get("number"))
    nexts = list(dict.fromkeys(reachable or said.get("reachable") or ()))
    if laid:
        nexts = [route[number - 1] if by_card else route[-1]]
    loose = [site for site in nexts if laid or site != there.get(number)]
    rows = -(-len(loose) // 9)
    if ax is None:
        ax = new_axes((0.4, -2.05 - rows * 1.75, 9 * _STEP + 0.6, 1.35), side=8.7)
    for place in range(1, 10):
        _slot(ax, state, place, lit=not laid and there.get(place) in nexts and place == number)
    _fellowships(ax, state)
    spots = _candidates(ax, state, loose, number, said.get("players") or (), "played by a card" if by_card else _NEXT)
    if not by_card:  # else a site is played, and no fellowship moves
        _hops(ax, route, state, spots if laid else {})
    ax.set_aspect("equal", adjustable="box")
    ax.set_xticks([])
    ax.set_yticks([])
    title(ax, said.get("question") or heading or "adventure path", str(said.get("reason") or ""))
    wanted = chosen()  # a legend beside the long row would make everything small
    with with_options(replace(wanted, legend="below") if wanted.legend in ("auto", True) else wanted):
        legend(ax)
    return ax


def _at(place: int) -> Point:
    return place * _STEP, 0.0


def _slot(ax: Axes, state: Any, place: int, *, lit: bool) -> None:
    here = next((site for site in state.path if site.number == place), None)
    if here is None:
        _frame(ax, _at(place), gid=f"slot-{place}", edgecolor=palette.FAINT, facecolor="none", linestyle=(0, (3, 3)))
        ax.text(*_at(place), str(place), ha="center", va="center", fontsize=15, color=palette.FAINT)
        explain(ax, "no site yet", Patch(edgecolor=palette.FAINT, facecolor="none", linestyle=(0, (3, 3))))
        return
    word = _NEXT if lit else ""
    _card(ax, state.card(here), _at(place), number=str(place), owner=here.owner, lit=word, gid=f"card-{place}")


def _frame(ax: Axes, at: Point, **style: Any) -> None:
    corner = at[0] - _WIDE / 2, at[1] - _HIGH / 2
    style = {"linewidth": 1.1, "zorder": 2, **style}
    ax.add_patch(FancyBboxPatch(corner, _WIDE, _HIGH, boxstyle="round,pad=0,rounding_size=0.08", **style))


def _card(ax: Axes, site: Any, at: Point, *, number: str, owner: str, lit: str, gid: str) -> None:
    edge = {"edgecolor": palette.BLUE, "linewidth": 3.0} if lit else {"edgecolor": palette.INK}
    _frame(ax, at, facecolor=palette.SPACES[f"{site.block.value}-site"], gid=gid, **edge)
    explain(
        ax,
        f"{site.block.value} site",
        Patch(facecolor=palette.SPACES[f"{site.block.value}-site"], edgecolor=palette.INK),
    )
    if lit:
        explain(ax, lit, Patch(facecolor="none", edgecolor=palette.BLUE, linewidth=3.0))
    x, y = at
    words: dict[str, Any] = {"ha": "center", "va": "center", "zorder": 4, "color": palette.INK}
    ax.text(x - 0.34, y + 0.5, number, fontsize=11, fontweight="bold", gid=f"number-{gid}", **words)
    ax.text(x + 0.3, y + 0.5, str(site.shadow), fontsize=9, gid=f"shadow-{gid}", **words)
    ax.text(x, y + 0.05, textwrap.fill(site.title, 11), fontsize=LEAST, linespacing=1.15, **words)
    ax.text(x, y - 0.36, owner, fontsize=LEAST, **{**words, "color": "#555555"})
    explain(ax, "top left: its number; top right: its Shadow number", Line2D([], [], linestyle="none"))
    way = -0.22 if site.arrow.value == "left" else 0.22
    _arrow(ax, (x - way, y - 0.55), (x + way, y - 0.55), color=palette.INK, linewidth=1.4, gid=f"arrow-{gid}")
    explain(
        ax, "who plays the next site: left or right of the moving player", Line2D([], [], color=palette.INK, marker=">")
    )


def _arrow(ax: Axes, start: Point, end: Point, **style: Any) -> None:
    style = {"zorder": 4, **style}
    ax.add_patch(FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=10, shrinkA=0, shrinkB=0, **style))


def _fellowships(ax: Axes, state: Any) -> None:
    for place in sorted(set(state.at)):
        who = [player for player, at in zip(state.seats, state.at, strict=True) if at == place]
        who.sort(key=lambda player: player != state.moving)  # the moving player first: a line can end after that name
        x, y = _at(place)
        names = ", ".join(f"{player} (moving)" if player == state.moving else player for player in who)
        ax.add_line(Line2D([x], [y - 0.9], zorder=5, gid=f"piece-{place}", **STAR))
        ax.text(x, y - 1.12, textwrap.fill(names, 11), ha="center", va="top", fontsize=LEAST, fontweight="bold")
        explain(ax, "whose fellowship is there", Line2D([], [], **STAR))


def _candidates(
    ax: Axes, state: Any, sites: Sequence[str], number: int, players: Sequence[str], word: str
) -> dict[str, Point]:
    """Draw the cards that may come next under the path, with their owners among `players`; return their places."""
    spots: dict[str, Point] = {}
    holders = sorted(zip(state.seats, state.decks, strict=True), key=lambda held: held[0] not in players)
    first = min(max(1, number - len(sites) // 2), max(1, 10 - len(sites)))
    for i, site in enumerate(sites):
        row, column = divmod(i, 9)
        spots[site] = (first + column) * _STEP if len(sites) <= 9 else (1 + column) * _STEP, -2.45 - row * 1.75
        owner = next((player for player, deck in holders if site in deck), "")
        card = state.catalogue[site]
        _card(ax, card, spots[site], number=str(number), owner=owner, lit=word, gid=f"candidate-{site}")
    return spots


def _hops(ax: Axes, route: Sequence[str], state: Any, loose: Mapping[str, Point]) -> None:
    """Draw a way from card to card as arrows over them, and down to a card that is to be played."""
    sites, here = [site.site for site in state.path], state.number(state.moving) - 1
    along = route[:-1] if loose else route
    begins = [i for i in range(len(sites)) if sites[i : i + len(along)] == list(along)]
    begin = min(begins, key=lambda i: i != here, default=0)  # of copies of a card, begin at the mover's
    spots = [(_at(begin + i + 1), True) for i in range(len(along))] + [(at, False) for at in loose.values()]
    for (start, _), (end, laid) in itertools.pairwise(spots):
        style = {"color": palette.ROUTE, "linewidth": 2.4, "zorder": 6, "gid": "hop"}
        if laid:
            high = _HIGH / 2 + 0.22
            _arrow(ax, (start[0] + 0.1, high), (end[0] - 0.1, high), **style)
        else:
            _arrow(ax, (start[0] + _WIDE / 2, start[1] - 0.4), (end[0], end[1] + _HIGH / 2), **style)
        explain(ax, "the way", Line2D([], [], color=palette.ROUTE, linewidth=2.4, marker=">", markersize=6))
