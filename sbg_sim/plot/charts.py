"""Numbers as charts: exact distributions, simulations beside the exact chance, sweeps, turns to a goal."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from sbg_sim.plot import palette
from sbg_sim.plot.beneath import beside_words, room_beside
from sbg_sim.plot.canvas import chart_axes, explain, miniature, rule_percent, sheet, title
from sbg_sim.plot.convergence import add_convergence
from sbg_sim.plot.fonts import scaled, text_width
from sbg_sim.plot.headlines import heading
from sbg_sim.plot.labels import keep_clear
from sbg_sim.plot.legends import legend
from sbg_sim.plot.options import chosen
from sbg_sim.plot.words import chance_text
from sbg_sim.wording import fraction, wrapped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

_EXACT: dict[str, Any] = {
    "linestyle": "none",
    "marker": "D",
    "markersize": 5.5,
    "markerfacecolor": palette.YELLOW,
    "markeredgecolor": palette.BLACK,
}
_WORDS = 7.5  # points: size of words beside bars,
_LINE = 9.0  # the height of a line of them,
_TICK = 9.0  # and their distance from the bars
_LETTERS = (38, 20, 16, 12)  # letters per line of them, the most that fit
_NUMBER = 30.0  # points: width of a number under an axis
_HIGH = 0.15  # chance from which a bar has room for its number
_TOLD = 0.005  # a bar of a smaller chance cannot be seen: no number
_BAR: dict[str, Any] = {"color": "#9CC9E8", "edgecolor": palette.BLUE, "linewidth": 0.9}


def plot_distribution(chances: Mapping[Any, Fraction], *, ax: Axes | None = None, heading: str = "") -> Axes:
    """Draw an exact distribution: a bar per outcome, with its chance as a fraction.

    Parameters
    ----------
    chances
        Chances by outcome; numbers stand in order along x, other outcomes below each other.
    ax
        Where to draw; None makes a new figure.
    heading
        The title.

    """
    numbers = all(isinstance(key, int | float) and not isinstance(key, bool) for key in chances)
    if ax is None:
        ax = chart_axes(5.6, 3.2) if numbers else chart_axes(4.6, max(1.2, 0.42 * len(chances) + 0.3))
    if numbers:
        _columns(ax, chances)
    else:
        draw_rows(ax, [(outcome_text(key), float(value), chance_text(value)) for key, value in chances.items()])
    title(ax, heading or "exact chances")
    if not numbers:
        _write_words(ax, [outcome_text(key) for key in chances])
    legend(ax)
    return ax


def _columns(ax: Axes, chances: Mapping[Any, Fraction]) -> list[Artist]:
    keys = sorted(chances)
    steps = [b - a for a, b in itertools.pairwise(keys)]
    bars = ax.bar(keys, [float(chances[k]) for k in keys], width=0.7 * min(steps, default=1.0), **_BAR)
    if len(keys) <= 12:
        for key in keys:
            value = chances[key]
            text = fraction(value) if getattr(value, "denominator", 10**6) < 10**4 else chance_text(value)
            ax.annotate(
                text,
                (key, float(value)),
                (0, 2),
                textcoords="offset points",
                ha="center",
                va="bottom",
                fontsize=scaled(7.0),
            )
    rule_percent(ax.yaxis, ax)
    ax.set_ylim(0, max(float(v) for v in chances.values()) * 1.12)
    ax.set_ylabel("chance")
    return list(bars)


def draw_rows(ax: Axes, rows: Sequence[tuple[str, float, str]]) -> list[Artist]:
    """Draw a horizontal bar for each row (words, share, label), the first on top."""
    places = range(len(rows))
    bars = ax.barh(places, [share for _, share, _ in rows], height=0.62, **_BAR)
    _write_words(ax, [words for words, _, _ in rows])
    ax.set_ylim(len(rows) - 0.4, -0.6)
    _up_to(ax, max((share for _, share, _ in rows), default=1.0) * 1.3)
    for place, (_, share, text) in zip(places, rows, strict=True):
        _write_at_end(ax, text, (share, place), 4)
    rule_percent(ax.xaxis, ax)
    ax.set_xlabel("chance")
    return list(bars)


def _write_words(ax: Axes, words: Sequence[str]) -> None:
    """Write words beside bars, or write them again after a title or an Axes under the bars has taken some room."""
    told, wide = _beside(ax, words)
    if chosen().figsize is not None or not sheet(ax).own:
        beside_words(ax, wide)
    ax.set_yticks(range(len(words)), told, fontsize=scaled(_WORDS))


def _beside(ax: Axes, words: Sequence[str]) -> tuple[list[str], float]:
    """Return words in lines that fit left of an Axes, and their width with the ticks, points."""
    grows = sheet(ax).own and chosen().figsize is None  # the figure grows with the words
    room = math.inf if grows else room_beside(ax)
    tall = 72 * ax.get_window_extent().height / ax.figure.dpi / (len(words) + 0.25)  # with space above and below
    short = [text.partition(" at (")[0] for text in words]
    for letters in _LETTERS[not sheet(ax).own :]:  # another Axes may stand beside the user's
        told = ["\n".join(wrapped(text, letters)) for text in words]
        wide = max((text_width(line, scaled(_WORDS)) for text in told for line in text.split("\n")), default=0.0)
        if wide + _TICK <= room:
            break
    if not grows and len({*short}) == len(short) and any(_LINE * (text.count("\n") + 1) > tall for text in told):
        return _beside(ax, short) if short != [*words] else (told, wide + _TICK)
    return told, wide + _TICK


def _up_to(ax: Axes, end: float) -> None:
    """Let an axis of chances run from 0 to ``end``, with ticks up to 1 only: the rest is room for words."""
    ax.set_xlim(0, end or 1.0)
    most = max(1, int(72 * ax.get_window_extent().width / ax.figure.dpi / _NUMBER))
    ticks = MaxNLocator(min(most, 9), steps=[1, 2, 2.5, 5, 10]).tick_values(0, end or 1.0)
    ax.set_xticks([tick for tick in ticks if 0 <= tick <= min(1.0, end or 1.0)])


def outcome_text(outcome: Any) -> str:
    """Return an outcome in words: where and how a move ends; True and False are yes and no."""
    if isinstance(outcome, bool):
        return "yes" if outcome else "no"
    words = getattr(outcome, "words", None)
    if isinstance(words, str):
        return words
    names = getattr(outcome, "__dataclass_fields__", None)
    if names is None:
        return str(outcome)
    at = getattr(outcome, "at", None)
    place = "" if at is None else f"at ({', '.join(f'{v:.4g}' for v in at)})"
    parts = [f"{getattr(outcome, 'label', '')} {place}".strip()]
    parts += [word for word in ("prone", "engaged") if getattr(outcome, word, None) is True]
    for name, unit in (("used", "″ used"), ("climbed", "″ up"), ("hits", " hits")):
        value = getattr(outcome, name, None)
        if value:
            parts.append(f"{value:.4g}{unit}")
    told = {"at", "used", "label", "climbed", "hits", "prone", "engaged", "success"}
    if not told & set(names):
        parts += [
            f"{n.replace('_', ' ')} {v}" for n in names if (v := getattr(outcome, n)) not in (None, "", 0, False, ())
        ]
    return ", ".join(part for part in parts if part) or "nothing"


def plot_simulation(run: Any, *, ax: Axes | None = None, convergence: bool | None = None) -> Axes:
    """Draw a simulation: the frequency of each outcome, its interval, and the exact chance beside it.

    Parameters
    ----------
    run
        A run with ``trials``, ``seed``, ``successes``, ``frequency``, ``interval`` and ``chance``; if it also has
        ``counts`` and exact chances of its outcomes, those are drawn too.
    ax
        Where to draw; None makes a new figure.
    convergence
        Whether to draw under it how the share converges to the exact chance; by default only in a new figure.

    """
    rows = simulation_rows(run)
    under = convergence if convergence is not None else ax is None and hasattr(getattr(run, "run", run), "play")
    if ax is None:
        ax = chart_axes(4.8, 0.5 * len(rows) + 0.4)
    draw_simulation(ax, run, rows)
    verdict = getattr(run, "verdict", None)
    asked = heading(getattr(run, "question", ""), None if verdict is None else verdict.question)
    low, high = _interval(run)
    title(
        ax,
        f"{asked}{run.successes:,} of {run.trials:,} reach the goal: {run.frequency:.5f}",
        f"exact {chance_text(run.chance)}; 99 % interval {low:.5f} to {high:.5f}; seed {run.seed}",
    )
    if under and run.trials and not (convergence is None and miniature(ax)):
        add_convergence(run, ax)
    _write_words(ax, [words for words, _, _ in rows])
    legend(ax)
    return ax


def _interval(run: Any) -> tuple[float, float]:
    low, high = run.interval() if callable(run.interval) else run.interval
    return float(low), float(high)


def simulation_rows(run: Any) -> list[tuple[str, float, Fraction | None]]:
    """Return the words, share and exact chance of the goal and of every outcome."""
    rows: list[tuple[str, float, Fraction | None]] = [("goal reached", run.frequency, run.chance)]
    exact = getattr(run, "distribution", None)
    exact = getattr(run, "exact", {}) if exact is None else exact
    pairs = getattr(run, "counts", ())
    pairs = tuple(pairs.items()) if hasattr(pairs, "items") else tuple(pairs)
    if len(pairs) > 1 and run.trials:
        rows += [(outcome_text(end), count / run.trials, exact.get(end)) for end, count in pairs]
    return rows


def _write_at_end(ax: Axes, text: str, at: tuple[float, float], off: float) -> None:
    """Write beside the end of a bar, or on the bar where the text would leave the Axes."""
    size, (low, high) = scaled(7.0), ax.get_xlim()
    share, room = (at[0] - low) / (high - low), 72 * ax.get_window_extent().width / ax.figure.dpi
    wide = text_width(text, size) + off
    if wide > max(share, 1 - share) * room:  # the first number alone; the title and the axis tell the rest
        text = text.partition(" · ")[0]
        wide = text_width(text, size) + off
    style: dict[str, Any] = {"textcoords": "offset points", "fontsize": size, "va": "center"}
    beside, long = wide <= (1 - share) * room or share * room < wide, wide / room * (high - low)
    first = at[0] if beside else at[0] - long
    keep_clear(ax, (first, at[1] - 0.2, first + long, at[1] + 0.2))  # no legend covers it
    if beside:
        ax.annotate(text, at, (off, 0), ha="left", **style)
    else:
        box = {"boxstyle": "square,pad=0.1", "facecolor": palette.PAPER, "edgecolor": "none", "alpha": 0.82}
        ax.annotate(text, at, (-off, 0), ha="right", bbox=box, **style)


def draw_simulation(ax: Axes, run: Any, rows: list[tuple[str, float, Fraction | None]]) -> list[Artist]:
    """Draw the bars, the interval of the goal and the exact chances; return the artists."""
    drawn = draw_rows(ax, [(words, share, "") for words, share, _ in rows])
    low, high = _interval(run)
    whisker = ax.errorbar(
        [run.frequency], [0], xerr=[[max(0.0, run.frequency - low)], [max(0.0, high - run.frequency)]],
        color=palette.BLACK, capsize=4, linestyle="none", linewidth=1.4,
    )  # fmt: skip
    marks = [(float(p), i) for i, (_, _, p) in enumerate(rows) if p is not None]
    line = Line2D([x for x, _ in marks], [y for _, y in marks], zorder=4, gid="exact", **_EXACT)
    drawn += [whisker.lines[0] or line, ax.add_line(line)]
    top = max([share for _, share, _ in rows] + [x for x, _ in marks] + [high])
    _up_to(ax, top * 1.55)
    for place, (_, share, exact) in enumerate(rows):
        text = f"{share:.4f}" + (f" · exact {chance_text(exact)}" if exact is not None else "")
        end = max(share, 0.0 if exact is None else float(exact), high if place == 0 else 0.0)
        _write_at_end(ax, text, (end, place), 7)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    explain(ax, "share of the trials", drawn[0])
    explain(
        ax,
        "99 % interval (Wilson)",
        Line2D([], [], color=palette.BLACK, marker="|", markersize=7, linewidth=1.4),
    )
    explain(ax, "exact chance", Line2D([], [], **_EXACT))
    return drawn


def plot_turns(table: Any, *, ax: Axes | None = None, goal: str = "", place: str = "") -> Axes:
    """Draw the chance of arriving in each turn and by the end of each turn.

    Parameters
    ----------
    table
        Has ``chances``: the chance of being there at the start, then for each turn the chance of arriving in it.
    ax
        Where to draw; None makes a new figure.
    goal
        The name of the question.
    place
        Where the goal is, in words that follow its name.

    """
    if ax is None:
        ax = chart_axes(5.4, 3.1)
    shares = [float(p) for p in table.chances]
    turns = list(range(len(shares)))
    bars = ax.bar(turns, shares, width=0.7, **_BAR)
    total = [sum(shares[: n + 1]) for n in turns]
    style: dict[str, Any] = {"color": palette.VERMILION, "marker": "o", "markersize": 4, "linewidth": 1.2}
    ax.plot(turns, total, drawstyle="steps-post", gid="arrived", **style)
    for turn, value in zip(turns[:11], table.chances, strict=False):
        if value < _TOLD:
            continue
        text = str(value) if getattr(value, "denominator", 10**6) < 10**4 else f"{float(value):.3g}"
        box = {"boxstyle": "square,pad=0.1", "facecolor": palette.PAPER, "edgecolor": "none", "alpha": 0.82}
        within = value >= _HIGH  # clear of the line of arrivals, which runs by the top of a high bar
        at, up = (turn, float(value) * (0.5 if within else 1.0)), 0 if within else 6
        how: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "bbox": box, "zorder": 5}
        ax.annotate(text, at, (0, up), fontsize=scaled(7.0), **how)
    explain(ax, "arrives in this turn", bars[0])
    explain(ax, "has arrived by the end of this turn", Line2D([], [], **style))
    return _by_turn(ax, "chance", goal, place)


def _by_turn(ax: Axes, chance: str, goal: str = "", place: str = "") -> Axes:
    """Finish a chart of chances by turn; `chance` names its vertical axis."""
    ax.set_xlabel("turn")
    ax.set_ylabel(chance)
    ax.set_ylim(0, 1.05)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    rule_percent(ax.yaxis, ax)
    title(ax, f"{goal}: turns to the goal{place}, exact chances".removeprefix(": "))
    legend(ax)
    return ax


def plot_chain(chain: Any, *, ax: Axes | None = None, turns: int = 12) -> Axes:
    """Draw for each of the first ``turns`` turns the chance that a Markov chain has arrived by its end."""
    return plot_turns(chain.within(turns), ax=ax, goal=getattr(chain, "name", ""), place=_end_of(chain))


def _end_of(way: Any) -> str:
    """Say where a way ends; nothing if it has no route."""
    route = getattr(way, "route", None)
    return "".join(f" at ({x:.6g}, {y:.6g})" for x, y in ([leg.end for leg in route.legs][-1:] if route else ()))


def plot_campaigns(campaigns: Any, *, ax: Axes | None = None, turns: int = 12) -> Axes:
    """Draw several ways to one goal: the chance of having arrived by the end of each turn.

    Parameters
    ----------
    campaigns
        Ways, each with a ``name`` and ``within(turns)``, which has a chance for each turn.
    ax
        Where to draw; None makes a new figure.
    turns
        Number of turns to show.

    """
    if ax is None:
        ax = chart_axes(5.4, 3.1)
    ends = set()
    for rank, way in enumerate(campaigns):
        ends.add(_end_of(way))
        total, totals = 0.0, []
        for chance in way.within(turns).chances:
            total += float(chance)
            totals.append(total)
        style: dict[str, Any] = {
            "color": palette.CATEGORIES[rank % 8],
            "marker": palette.MARKERS[rank % 8],
            "linestyle": palette.LINES[rank % 4],
            "markersize": 4.5,
            "linewidth": 1.2,
        }
        ax.plot(range(len(totals)), totals, gid="campaign", drawstyle="steps-post", **style)
        expected = getattr(way, "expected", None)
        mean = f": {float(expected):.2f} turns on average" if expected is not None else ": may never arrive"
        explain(ax, f"{way.name}{mean}", Line2D([], [], **style))
    return _by_turn(ax, "chance to have arrived", place=ends.pop() if len(ends) == 1 else "")
