"""Routes and whole Move phases as moving pictures: the bases travel, the cost counts up."""

from __future__ import annotations

import math
import pathlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Circle

from sbg_sim.errors import QuestionError, SbgError
from sbg_sim.plot import palette
from sbg_sim.plot.beneath import lay
from sbg_sim.plot.canvas import HARD, Box, explain, new_axes, sheet, title
from sbg_sim.plot.dispatch import turn_dark
from sbg_sim.plot.films import checked, write
from sbg_sim.plot.fonts import house_style, scaled
from sbg_sim.plot.headlines import allowed, headline, mover_of, shown_route
from sbg_sim.plot.labels import extent, place
from sbg_sim.plot.names import NAME_SIZE, over_a_bar
from sbg_sim.plot.options import PictureOptions, with_options
from sbg_sim.plot.phases import counted
from sbg_sim.plot.reels import Moment, Reel, labels_of, longest_named
from sbg_sim.plot.routes import along
from sbg_sim.plot.tables import explain_prone, finish, ground, prone_bar
from sbg_sim.plot.terrain import NAMES
from sbg_sim.plot.verdicts import plot_verdict
from sbg_sim.plot.views import box_of, neighbourhood
from sbg_sim.plot.views import whole_of as whole_view
from sbg_sim.plot.words import inches_text, shortened
from sbg_sim.rules.zones import ZONE_WIDTH
from sbg_sim.table.frozen import FrozenMap
from sbg_sim.tolerance import TOUCH

if TYPE_CHECKING:
    import os

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.text import Text

    from sbg_sim.arrays import Floats
    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.route import Route

_UNDER: Final = 20.0  # points from a picture down to the note under it, below the scale,
_GAP: Final = 6.0  # and from a legend under the picture down to the note
_TRAVELS: Final = palette.LAYER["label"] - 0.3  # a travelling base covers no words
_HOLD: Final = 0.25  # share of the running time for which the last picture stays
_TOLD: Final = 3  # pairs of engaged models that fit under the picture
_PER_STEP: Final = 1.2  # seconds for each move of a phase, unless the length of the film is given
_LOOKED_AT: Final = 200  # moments at which the bases and names that a name meets are counted
_MOST: Final = 20_000  # pictures in a film at most: at 12 a second nearly half an hour


def animate(
    thing: Verdict | Any,
    path: str | os.PathLike[str],
    *,
    seconds: float | None = None,
    frames_per_second: int = 12,
    whole: bool = False,
    theme: str = "auto",
) -> pathlib.Path:
    """Write a film of a verdict's route, or of every move of a turn, a phase or a replay.

    Parameters
    ----------
    thing
        An answer with a route, a `Phase`, a `Replay` or one `Turn` of it.
    path
        The file to write: ``.gif``, ``.html`` (one page, with a slider), or ``.mp4``, which needs the program ffmpeg or
        the extra ``film``.
    seconds, frames_per_second
        The length of the film and its pictures per second; by default 4 seconds for a route, 1.2 for each move of a
        phase.
    whole
        Show the whole table.
    theme
        ``"light"``, ``"dark"``, or ``"auto"``: an HTML page follows its reader, other films are light.

    Returns
    -------
    The path.

    Raises
    ------
    SbgError
        When nothing moves, for an unknown suffix or theme, without ffmpeg for MP4, or when the file cannot be written.

    """
    target = pathlib.Path(path)
    checked(target)
    if frames_per_second < 1 or (seconds is not None and seconds <= 0):
        raise SbgError("a film needs at least one frame per second and some time to run")
    if seconds is not None and not seconds * frames_per_second <= _MOST:
        most = f"{_MOST / frames_per_second:g} is the most at {frames_per_second} a second"
        raise SbgError(f"a film of {seconds:g} seconds is too long; {most}")
    with house_style(), with_options(PictureOptions.wanted(theme=theme)):
        if hasattr(thing, "question"):
            reel = _of_verdict(thing, seconds or 4.0, frames_per_second, whole=whole)
        elif hasattr(thing, "steps") and (hasattr(thing, "table") or hasattr(thing, "start")):
            reel = _of_phase(thing, seconds, frames_per_second, whole=whole)
        else:
            kinds = "of a verdict, a phase, a turn or a replay there is"
            raise SbgError(f"there is no film of a {type(thing).__name__}; {kinds}")
        if theme == "dark":
            turn_dark(reel.ax)
        write(reel, target, frames_per_second, follow=theme == "auto")
    return target


def _of_verdict(verdict: Verdict, seconds: float, frames_per_second: int, *, whole: bool) -> Reel:
    route, mover = shown_route(verdict), mover_of(verdict)
    if route is None or not route.legs or mover is None:
        raise QuestionError(f"{headline(verdict)}: nothing moves there; `sbg-sim plot` draws the answer")
    ax = plot_verdict(verdict, whole=whole)
    count = max(2, round(seconds * (1 - _HOLD) * frames_per_second))
    held = max(1, round(seconds * _HOLD * frames_per_second))
    moments = [
        Moment({mover.id: at}, _said(verdict, mover, used), prone=_lying(mover, route, used))
        for at, used in timeline(route, count)
    ]
    moments += [moments[-1]] * held
    style = palette.side_styles([mover.side])[mover.side]
    for patch in ax.patches:
        if patch.get_gid() == f"model-{mover.id}":  # where the mover was
            patch.set(facecolor="none", linestyle=(0, (1, 1.5)), linewidth=1.0)
    for line in ax.lines:
        if line.get_gid() == f"prone-{mover.id}":
            line.set_visible(False)  # it travels with the base
    base = _base(ax, mover, style)
    bars = {mover.id: _bar(ax, mover, style)} if mover.prone else {}
    parts: dict[str, list[Artist]] = {mover.id: [base]}
    home = {mover.id: mover.at}
    return Reel(ax, parts, home, _note(ax), moments, headline(verdict), bars=bars)


def _lying(mover: Model, route: Route, used: float) -> frozenset[str]:
    """Return the mover's id while it is prone, ``used`` inches along a route; nothing once it has stood up."""
    risen = next((leg.cost for leg in route.legs if leg.kind == "stand"), math.inf)
    return frozenset({mover.id} if mover.prone and used < risen - TOUCH else ())


def _bar(ax: Axes, model: Model, style: palette.SideStyle) -> Line2D:
    """Return the bar that marks a prone model, drawn over travelling bases."""
    bar = prone_bar(model, style)
    bar.set(zorder=_TRAVELS + 0.1, visible=False)
    explain_prone(ax, model)
    ax.add_line(bar)
    return bar


def _said(verdict: Verdict, mover: Model, used: float) -> str:
    """Say how much of its Move a model has used, and whether that is more than it has."""
    if verdict.allowance is None:
        return f"{mover.id} {used:.2f}″"
    over = ": beyond its Move" * (used > (allowed(verdict) or 0.0) + TOUCH)
    return f"{mover.id} {used:.2f}″ of {inches_text(verdict.allowance)}{over}"


def _base(ax: Axes, mover: Model, style: palette.SideStyle) -> Circle:
    base = Circle(mover.at, mover.radius, facecolor=style.fill, edgecolor=style.rim, linewidth=2.2, alpha=0.95)
    base.set(linestyle=style.style, zorder=_TRAVELS, gid="moving")
    ax.add_patch(base)
    return base


def _note(ax: Axes) -> Text:
    """Return the note under the picture, below a legend that stands there."""
    lay(ax)
    legend, foot = ax.get_legend(), ax.get_window_extent().y0
    box = None if legend is None else legend.get_window_extent()
    low = 0.0 if box is None or box.y1 > foot else (foot - box.y0) * 72 / ax.figure.dpi
    style: dict[str, Any] = {"fontsize": scaled(9.0), "fontweight": "bold", "color": palette.INK, "parse_math": False}
    below: dict[str, Any] = {
        "xytext": (0, -max(_UNDER, low + _GAP)),
        "textcoords": "offset points",
        "va": "top",
        "annotation_clip": False,
    }
    return ax.annotate("", (0, 0), xycoords="axes fraction", **below, **style)


def _of_phase(phase: Any, seconds: float | None, frames_per_second: int, *, whole: bool) -> Reel:
    """Film every move of a phase: names are placed in the last picture, and travel with their bases."""
    turns = _turns(phase)
    first: Table = turns[0][0]
    steps = [step for _, made in turns for step in made if step.legal and step.at is not None]
    names = list(dict.fromkeys(step.model for step in steps))
    if not names:
        raise QuestionError("nobody has moved in this phase: there is nothing to film")
    total = seconds if seconds is not None else max(2.0, _PER_STEP * len(steps))
    each = max(2, round(total * frames_per_second * 0.9 / len(steps)))
    moments = _moments(turns, names, each)
    ended = replace(moments[-1], note=_fights(*turns[-1]) or moments[-1].note)
    moments += [ended] * max(1, round(total * frames_per_second * 0.1))
    home = {name: at for moment in moments for name, at in moment.places.items()}  # the last place of each
    movers = {name: longest_named(name, home[name], moments) for name in names}
    # A model that is prone all the time and does not move is drawn with the table.
    lying = frozenset().union(*(moment.prone for moment in moments))
    risen = {name for moment in moments for name in lying - moment.prone} - movers.keys()
    change = movers | {name: replace(first.model(name), prone=False) for name in risen}
    last = replace(first, models=FrozenMap({**first.models, **change}), off=first.off - frozenset(names))
    seen = [(*at, movers[name].radius + ZONE_WIDTH) for m in moments for name, at in m.places.items()]
    ax = new_axes(
        whole_view(first) if whole else neighbourhood(last, [(x - r, y - r, x + r, y + r) for x, y, r in seen])
    )
    ground(ax, last, zones=False)
    moved = counted([step for _, made in turns for step in made])
    told = first.title or "the Move phase"
    alone = not hasattr(phase, "table")  # one turn, of a replay
    told += f", turn {phase.number}" if alone else ""
    title(ax, f"{told}: {moved}")
    rings = {model.id: _zone(ax, model) for model in last.standing() if model.side}
    styles = palette.side_styles(model.side for model in first.models.values())
    bars = {name: _bar(ax, model, styles[model.side]) for name, model in change.items() if name in lying}
    finish(ax)
    for name in bars:
        over_a_bar(ax, change[name])
    _turn_names(ax, movers, moments, [model for model in last.standing() if model.id not in movers])
    parts = {name: _travelling(ax, model) for name, model in movers.items()}
    labels = {name: labels_of(ax, name, artists, moments) for name, artists in parts.items()}
    labels = {name: texts for name, texts in labels.items() if len(texts) > 1}
    parts = {name: [*artists, *labels.get(name, ())[1:]] for name, artists in parts.items()}
    return Reel(ax, parts, home, _note(ax), moments, told, rings, bars, labels)


def _fights(table: Table, steps: tuple[Any, ...]) -> str:
    """Say which models are engaged with which at the end of a turn."""
    gone = {step.model for step in steps if step.legal and step.at is None}
    rows = [(m.id, other) for m in table.standing() for other in m.engaged]
    rows += [(step.model, other) for step in steps if step.legal for other in step.engaged]
    pairs = dict.fromkeys(f"{min(row)} with {max(row)}" for row in rows if gone.isdisjoint(row))
    return f"engaged: {shortened([*pairs], _TOLD)}" if pairs else ""


def _travelling(ax: Axes, model: Model) -> list[Artist]:
    """Return the artists that travel with a model: its base, its name, and the line that leads to the name."""
    order = {f"model-{model.id}": 0, f"name-{model.id}": 1}
    found: list[Artist] = [artist for artist in ax.get_children() if artist.get_gid() in order]
    found.sort(key=lambda artist: order[str(artist.get_gid())])
    for name in found[1:]:
        name.set_clip_on(False)  # the name of a model near the edge of the table is shown whole
    return found + [lead for lead in sheet(ax).leads.get(NAMES, ()) if _leads_to(model, lead)]


def _turn_names(ax: Axes, movers: dict[str, Model], moments: list[Moment], still: list[Model]) -> None:
    """Put names beside bases where they meet the fewest other bases and names on their way."""
    seen = moments[:: math.ceil(len(moments) / _LOOKED_AT)]
    nowhere = (math.nan, math.nan)  # before a model arrives and after it is slain
    paths = {name: np.array([m.places.get(name, nowhere) for m in seen]) - model.at for name, model in movers.items()}
    texts = {str(text.get_gid()).removeprefix("name-"): text for text in ax.texts}
    beside = {n: t for n, t in texts.items() if n in movers and t.get_position() != movers[n].at}
    names = {n: _box(ax, t) for n, t in texts.items() if n in beside or n not in movers}
    everyone, kept = [*movers.values(), *still], sheet(ax)
    for name, text in beside.items():
        model, path = movers[name], paths[name]
        others = [other for other in everyone if other is not model]
        parts = [(other.id, box_of(other)) for other in others] + [row for row in names.items() if row[0] != name]
        there = np.stack([np.array(box) + np.tile(paths.get(of, np.zeros_like(path)), 2) for of, box in parts])

        def met(boxes: Floats, there: Floats = there, path: Floats = path) -> Floats:
            """Return the mean number of bases and names that boxes ``(n, 4)`` meet on their way."""
            moved = boxes[:, None, None] + np.tile(path, 2)
            over = (moved[..., :2] < there[..., 2:]).all(axis=-1) & (moved[..., 2:] > there[..., :2]).all(axis=-1)
            return np.asarray(over.sum(axis=1).mean(axis=1))

        kept_boxes = [entry for entry in kept.boxes if entry[2] == NAMES and np.allclose(entry[0], names[name])]
        kept.boxes = [entry for entry in kept.boxes if entry not in kept_boxes]
        how: dict[str, Any] = {"clear": model.radius, "size": NAME_SIZE, "rings": (0.0,), "costly": met}
        spot = place(ax, model.at, text.get_text(), others=[(*m.at, m.radius) for m in others], **how)
        if spot.free:
            for lead in [lead for lead in kept.leads.get(NAMES, ()) if _leads_to(model, lead)]:
                lead.remove()
                kept.leads[NAMES].remove(lead)
            text.set_position(spot.at)
            names[name], kept_boxes = spot.box, [(spot.box, HARD, NAMES)]
        kept.boxes += kept_boxes


def _box(ax: Axes, text: Text) -> Box:
    """Return the box that a name covers, inches."""
    (x, y), (wide, high) = text.get_position(), extent(ax, text.get_text(), NAME_SIZE)
    return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


def _leads_to(model: Model, lead: Line2D) -> bool:
    start = np.asarray(lead.get_xydata())[0]
    return abs(math.dist(start, model.at) - model.radius) < TOUCH


def _zone(ax: Axes, model: Model) -> Circle:
    ring = Circle(model.at, model.radius + ZONE_WIDTH, facecolor="none", edgecolor=palette.ZONE, linewidth=0.9)
    ring.set(linestyle=palette.ZONE_STYLE, zorder=palette.LAYER["zone"])
    sign = Line2D([], [], color=palette.ZONE, linestyle=palette.ZONE_STYLE, linewidth=0.9)
    explain(ax, "Control Zone: 1″ round the base (CZ.1)", sign)
    ax.add_patch(ring)
    return ring


def _turns(phase: Any) -> list[tuple[Table, tuple[Any, ...]]]:
    """Return the table at the start of every turn and its steps."""
    rows = getattr(phase, "turns", None)
    if rows:
        return [(turn.start, tuple(turn.steps)) for turn in rows]
    past = [(turn.start, tuple(turn.steps)) for turn in getattr(phase, "past", ())]
    start: Table = phase.start or phase.table
    return [*past, (start, tuple(phase.steps))]


def _moments(turns: list[tuple[Table, tuple[Any, ...]]], names: list[str], each: int) -> list[Moment]:
    found: list[Moment] = []
    number, last = 0, sum(len(steps) for _, steps in turns)
    states = FrozenMap({name: replace(turns[0][0].model(name), prone=False) for name in names})
    for turn, (table, steps) in enumerate(turns, 1):
        now = {name: table.model(name) for name in names if name in table.models}
        states = FrozenMap(
            {n: replace(one, on=now.get(n, one).on, climbed=now.get(n, one).climbed) for n, one in states.items()}
        )
        places = {m.id: m.at for m in table.standing() if m.id in names}
        zones = _zoned(table)
        prone = frozenset(m.id for m in table.standing() if m.prone)
        for step in steps:
            number += 1
            who = f"{f'turn {turn}, ' * (len(turns) > 1)}{number} of {last}: {step.model}"
            if not step.legal:
                continue
            if not step.move.is_move:  # an event, such as a fall, is told in full
                who = who.removesuffix(step.model) + step.reason
            if step.at is None:
                found += [Moment(places, who, zones, prone, states)] * max(1, each // 4)
                if step.move.slain:
                    places, zones = {n: at for n, at in places.items() if n != step.model}, _zoned(step.after)
                continue
            zones |= {step.model} if table.model(step.model).has_zone else frozenset()
            start = places.get(step.model, step.at)
            way = timeline(step.route, each) if step.route.legs else [(start, 0.0), (step.at, 0.0)]
            rolled = f" · rolled {', '.join(map(str, step.rolls))}" if step.rolls else ""
            begun = states.get(step.model)
            for at, used in way:
                places = {**places, step.model: at}
                if begun is not None:
                    states = states.with_item(step.model, _on_the_way(begun, step.route, used))
                lies = prone - {step.model} | _lying(table.model(step.model), step.route, used)
                found.append(Moment(places, f"{who} {used:.2f}″" if step.move.is_move else who, zones, lies, states))
            places = {**places, step.model: step.at}
            if begun is not None:
                states = states.with_item(step.model, replace(begun, on=step.on, climbed=step.climbed))
            zones = _zoned(step.after)
            prone = prone - {step.model} | ({step.model} if step.prone else frozenset())
            hangs = f" · hangs {step.climbed:.4g}″ up" if step.climbed > 0 else ""
            hurt = f" · falls: {step.hits} Strength 3 hit{'s' * (step.hits != 1)}" * bool(step.hits)
            end = f"{who} {step.used:.2f}″{rolled}{hangs}{hurt}" if step.move.is_move else who
            found += [Moment(places, end, zones, prone, states)] * max(1, each // 4)
    return found


def _on_the_way(model: Model, route: Route, used: float) -> Model:
    """Return a model on the level, and as far up a face, where it stands ``used`` inches along a route."""
    spent = 0.0
    for leg in route.legs:
        spent += leg.cost
        if spent > used + TOUCH:
            break
        model = replace(model, on=leg.surface, climbed=0.0)
    return model


def _zoned(table: Table | None) -> frozenset[str]:
    """Return the ids of the models with a Control Zone; a slain model frees those that were engaged with it alone."""
    return frozenset(m.id for m in table.standing() if m.has_zone and m.side) if table is not None else frozenset()


def timeline(route: Route, count: int) -> list[tuple[Point, float]]:
    """Return the base's place and the movement used (inches) at ``count`` evenly spaced moments from start to end."""
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
