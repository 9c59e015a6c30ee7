"""A verdict: the witness on the table, the things in the way, the things that hide a target."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import shapely
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch

from sbg_sim.plot import palette
from sbg_sim.plot.canvas import Box, explain, title
from sbg_sim.plot.headlines import allowed, headline, mover_of, shown_route
from sbg_sim.plot.labels import keep_clear, keep_clear_of_mark, keep_off_line, keep_off_rim, label
from sbg_sim.plot.outlines import area_patch, open_to_view, shape_patch
from sbg_sim.plot.rings import draw_mover, draw_rings, in_rank
from sbg_sim.plot.routes import draw_route, route_box
from sbg_sim.plot.tables import finish, ground, stage
from sbg_sim.plot.views import box_of
from sbg_sim.plot.words import inches_text, shortened
from sbg_sim.rules.sight import look
from sbg_sim.table.questions import Charge, Gap, Measure, Move, Sight
from sbg_sim.tolerance import FITS, TOUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.verdict import Verdict
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.route import Route
    from sbg_sim.table.violation import Violation


_CROSSED = frozenset({"TER.4", "LEAP.1"})  # rules of obstacles that can be jumped, climbed or leapt
_BESIDE = 3.0  # inches round a measured line that are in view
SIGN = 9.0  # points: size of a sign that a rule forbids something
ROUND_A_NUMBER = 14.0  # points: size of a cross on a base, with arms that show round a number
_TOLD = 3  # charges named in an entry of the legend


def plot_verdict(verdict: Verdict, *, ax: Axes | None = None, whole: bool = False, section: bool = False) -> Axes:
    """Draw the answer to a question on its table.

    Parameters
    ----------
    verdict
        The verdict to draw.
    ax
        Where to draw; None makes a new figure.
    whole
        Show the whole table; otherwise a new figure shows the neighbourhood of the question.
    section
        Add a side view of the route, or of the line of sight, under the plan (heights do not show from above).

    """
    table = verdict.table
    ax = stage(ax, table, _boxes(verdict), whole=whole)
    ground(ax, table, mover=mover_of(verdict))
    draw_verdict(ax, verdict)
    title(ax, headline(verdict), ". ".join(said for said in (verdict.reason, clearance(verdict)) if said))
    finish(ax)
    if section and shown_route(verdict) is not None:
        from sbg_sim.plot.sections import add_section

        add_section(verdict, ax)
    elif section and isinstance(verdict.question, Sight):
        from sbg_sim.plot.sections import add_section
        from sbg_sim.plot.sightlines import plot_sightline

        add_section(verdict, ax, plot_sightline)
    return ax


def clearance(verdict: Verdict) -> str:
    """Say by how much a look succeeds or fails; empty for other questions, and if nothing is near the look."""
    question = verdict.question
    if not isinstance(question, Sight):
        return ""
    margin = look(verdict.table, question.model, question.target).margin
    if not math.isfinite(margin):
        return ""
    if abs(margin) <= TOUCH:  # over a top at the height of the eye rounding leaves millionths
        return "The look only grazes"
    return (
        f"The widest band that is seen is {inches_text(margin, 0.0)} high"
        if margin > 0
        else f"{inches_text(-margin, 0.0)} too low to be seen"
    )


def draw_verdict(ax: Axes, verdict: Verdict) -> list[Artist]:
    """Draw the parts that a verdict adds to its table: route, dice, distance, sightline, violations."""
    drawn: list[Artist] = []
    mover, question = mover_of(verdict), verdict.question
    route = shown_route(verdict)
    if route is not None and mover is not None:
        drawn += draw_route(ax, route, mover, allowance=allowed(verdict))
    if isinstance(question, Move | Charge) and mover is not None and route is None:
        drawn += draw_mover(ax, verdict.table, mover)  # otherwise the way shows the mover
    if isinstance(question, Move) and mover is not None and (route is None or not route.legs):
        drawn += draw_wanted(ax, question.to, mover, "no way there" if verdict.at_least is None else "out of reach")
    if isinstance(question, Measure):
        drawn += draw_distance(ax, verdict.table, question.start, question.end, verdict.inches)
    if isinstance(question, Gap):
        drawn += draw_pinch(ax, verdict)
        drawn += draw_distance(ax, verdict.table, *question.between, verdict.inches, against=_base_of(verdict))
    if isinstance(question, Sight):
        drawn += draw_sight(ax, verdict)
    if isinstance(question, Charge) and mover is not None:
        unseen = [v.place for v in verdict.violations if v.rule == "CHG.1" and v.blame not in question.targets]
        for target in (verdict.table.model(name) for name in question.targets):
            drawn += draw_view_rims(ax, mover, target) if target.at in unseen else []
    told = [v for v in verdict.violations if not _drawn_already(verdict, route, v)]
    rules = list(dict.fromkeys(v.rule for v in told if v.blame))
    for violation in told:
        if violation.blame:
            drawn += highlight(ax, verdict.table, violation.blame, violation.rule, rank=rules.index(violation.rule))
    if out_of_reach(verdict):
        for at in (verdict.table.model(name).at for name in getattr(question, "targets", ())):
            drawn += mark_fault(ax, verdict.table, at, ["MOV.3"], means="out of reach")
        return drawn
    for place in dict.fromkeys(v.place for v in told if v.place is not None):
        drawn += mark_fault(ax, verdict.table, place, list(dict.fromkeys(v.rule for v in told if v.place == place)))
    return drawn


def out_of_reach(verdict: Verdict) -> bool:
    """Say whether the goal is too far by a bound, and all obstacles on the straight way may be crossed with dice."""
    broken = [v.rule for v in verdict.violations]
    return shown_route(verdict) is None and broken[:1] == ["MOV.3"] and _CROSSED.issuperset(broken[1:])


def _drawn_already(verdict: Verdict, route: Route | None, violation: Violation) -> bool:
    """Say whether a violation needs no cross: the route shows where the Move ends, or the hiding thing is drawn."""
    if isinstance(verdict.question, Sight):
        return bool(verdict.hidden_by)
    late = route is not None and verdict.allowance is not None and route.cost > verdict.allowance + FITS
    return late and violation.rule == "MOV.3"


def _boxes(verdict: Verdict) -> list[Box]:
    """Return the boxes that a picture of a verdict must show, inches."""
    table, question = verdict.table, verdict.question
    names: list[str] = [v.blame for v in verdict.violations if v.blame in table.models] + list(verdict.hidden_by)
    boxes: list[Box] = []
    for x, y in [v.place for v in verdict.violations if v.place is not None]:
        boxes.append((x, y, x, y))
    mover, route = mover_of(verdict), shown_route(verdict)
    if mover is not None:
        boxes.append(box_of(mover))
        if route is not None:
            boxes.append(route_box(route, mover.radius))
        if isinstance(question, Move):
            (x, y), r = question.to, mover.radius
            boxes.append((x - r, y - r, x + r, y + r))
    match question:
        case Charge():
            names += question.targets
        case Sight():
            names.append(question.target)
        case Gap():
            names += question.between
        case Measure():
            names += [question.start, question.end]
    for name in names:
        if name in table.models:
            boxes.append(box_of(table.models[name]))
        elif name in table.terrain and isinstance(question, Measure | Gap):
            boxes.append(_beside_the_tape(table, question, name))
    return boxes


def _beside_the_tape(table: Table, question: Measure | Gap, name: str) -> Box:
    """Return the box of the part of a piece near the measured line, such as an end of a long wall."""
    ends = question.between if isinstance(question, Gap) else (question.start, question.end)
    line = shapely.shortest_line(*(_body(table, end) for end in ends))
    near = shapely.intersection(_body(table, name), shapely.box(*shapely.buffer(line, _BESIDE).bounds))
    x0, y0, x1, y1 = near.bounds
    return x0, y0, x1, y1


def draw_wanted(ax: Axes, to: Point, mover: Model, why: str) -> list[Artist]:
    """Mark the place asked for when no route is drawn there, and say why."""
    from matplotlib.patches import Circle

    circle = Circle(
        to,
        mover.radius,
        facecolor="none",
        edgecolor=palette.FAULT,
        linestyle=(0, (1.2, 1.6)),
        linewidth=1.4,
        zorder=palette.LAYER["ghost"],
        gid="wanted",
    )
    style: dict[str, Any] = {
        "linestyle": (0, (1.2, 1.6)),
        "marker": "o",
        "markersize": 8,
        "markerfacecolor": "none",
    }
    (x, y), r = to, mover.radius
    keep_clear(ax, (x - r, y - r, x + r, y + r))
    keep_off_rim(ax, to, r)
    explain(ax, f"the place asked for: {why}", Line2D([], [], color=palette.FAULT, **style), where=_disc(to, r))
    return [ax.add_patch(circle)]


def _base_of(verdict: Verdict) -> float | None:
    mover = mover_of(verdict)
    return None if mover is None else mover.base


def draw_pinch(ax: Axes, verdict: Verdict) -> list[Artist]:
    """Draw the base that is to pass, to scale, in the narrowest place of a gap."""
    from matplotlib.patches import Circle

    question, mover = verdict.question, mover_of(verdict)
    if not isinstance(question, Gap) or mover is None:
        return []
    (x0, y0), (x1, y1) = shapely.shortest_line(*(_body(verdict.table, name) for name in question.between)).coords
    fits = verdict.answer == "yes"
    colour = palette.SIGHT if fits else palette.FAULT
    style: dict[str, Any] = {"edgecolor": colour, "linestyle": (0, (2, 1.2)), "linewidth": 1.5}
    wide = inches_text(mover.base, verdict.inches)
    words = f"the base of {mover.id}, {wide} wide, in the pinch: {'it fits' if fits else 'it does not fit'}"
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    sign = Line2D([], [], color=colour, linestyle=(0, (2, 1.2)), marker="o", markersize=8, mfc="none")
    explain(ax, words, sign, where=_disc(middle, mover.radius))
    keep_off_rim(ax, middle, mover.radius)
    pinch = Circle(middle, mover.radius, facecolor="none", zorder=palette.LAYER["ghost"], gid="pinch", **style)
    return [ax.add_patch(pinch)]


def draw_distance(
    ax: Axes, table: Table, one: str, two: str, inches: float | None, *, against: float | None = None
) -> list[Artist]:
    """Draw the distance between the nearest edges of two models or pieces, as a measured line."""
    a, b = _body(table, one), _body(table, two)
    line = shapely.shortest_line(a, b)
    (x0, y0), (x1, y1) = line.coords
    arrow = FancyArrowPatch(
        (x0, y0),
        (x1, y1),
        arrowstyle="|-|,widthA=0.25,widthB=0.25",
        color=palette.PATH,
        linewidth=1.4,
        shrinkA=0,
        shrinkB=0,
        zorder=palette.LAYER["mark"],
        gid="distance",
    )
    sign = Line2D([], [], color=palette.PATH, marker="|", linewidth=1.4)
    explain(ax, "distance between nearest edges", sign, where=line)
    drawn: list[Artist] = [ax.add_patch(arrow)]
    keep_off_line(ax, [(x0, y0), (x1, y1)])
    length = math.hypot(x1 - x0, y1 - y0) if inches is None else inches
    text = inches_text(length, against) if length > 0 else "touching: 0″"
    drawn.append(label(ax, ((x0 + x1) / 2, (y0 + y1) / 2), text, clear=0.06, size=8.0, fontweight="bold"))
    return drawn


def _disc(at: Point, radius: float) -> shapely.Geometry:
    return shapely.buffer(shapely.Point(at), radius)


def _body(table: Table, name: str) -> shapely.Geometry:
    if name in table.models:
        model = table.models[name]
        return shapely.Point(model.at).buffer(model.radius, quad_segs=64)
    piece = table.piece(name)
    return piece.shape.to_shapely() if piece.shape is not None else shapely.Point(piece.at)


def draw_sight(ax: Axes, verdict: Verdict) -> list[Artist]:
    """Draw a sightline; if there is none, the field of view and the things that hide the target in it."""
    question = verdict.question
    assert isinstance(question, Sight)
    if verdict.sightline is not None:
        xs, ys = [p[0] for p in verdict.sightline], [p[1] for p in verdict.sightline]
        line = Line2D(
            xs,
            ys,
            color=palette.SIGHT,
            linewidth=1.8,
            marker="o",
            markersize=3.5,
            zorder=palette.LAYER["path"],
            gid="sightline",
        )
        keep_off_line(ax, list(zip(xs, ys, strict=True)))
        explain(
            ax,
            "line of sight",
            Line2D([], [], color=palette.SIGHT, linewidth=1.8, marker="o", markersize=3.5),
            where=shapely.LineString(list(zip(xs, ys, strict=True))),
        )
        drawn: list[Artist] = [ax.add_line(line)]
        for (x, y, z), where in ((verdict.sightline[0], "eye"), (verdict.sightline[-1], "seen")):
            drawn.append(label(ax, (x, y), f"{where} at {inches_text(z)}", clear=0.2, size=7.0, colour="#00563E"))
        return drawn
    drawn = draw_view_rims(ax, verdict.table.model(question.model), verdict.table.model(question.target))
    for name in verdict.hidden_by:
        drawn += highlight(ax, verdict.table, name, "hides it")
    return drawn


def draw_view_rims(ax: Axes, looker: Model, target: Model) -> list[Artist]:
    """Draw the two lines between which the looker sees a target."""
    style: dict[str, Any] = {"color": palette.HIDES, "linestyle": (0, (4, 2)), "linewidth": 1.0}
    drawn: list[Artist] = []
    for x, y in tangents(looker.at, target):
        xs, ys = [looker.at[0], x], [looker.at[1], y]
        drawn.append(ax.add_line(Line2D(xs, ys, zorder=palette.LAYER["path"], gid="view-rim", **style)))
        where = shapely.LineString([looker.at, (x, y)])
        explain(ax, "edge of the view on the target", Line2D([], [], **style), where=where)
    return drawn


def tangents(eye: Point, target: Model) -> list[Point]:
    """Return the two points, inches, where lines from the eye touch the target's base; none from inside it."""
    dx, dy = eye[0] - target.at[0], eye[1] - target.at[1]
    far = math.hypot(dx, dy)
    if far <= target.radius:
        return []
    middle, turn = math.atan2(dy, dx), math.acos(target.radius / far)
    return [
        (target.at[0] + target.radius * math.cos(a), target.at[1] + target.radius * math.sin(a))
        for a in (middle - turn, middle + turn)
    ]


def highlight(
    ax: Axes, table: Table, name: str, words: str, *, whose: Sequence[str] = (), rank: int = 0
) -> list[Artist]:
    """Draw a ring round a model or terrain that is in the way, of the charges at ``whose`` if there are several.

    ``rank`` gives the things in the way under each rule a line of their own.
    """
    of = f" of the charge{'s' * (len(whose) > 1)} at {shortened(whose, _TOLD)}" if whose else ""
    told = f"in the way{of}: {words}"
    if name in table.models:
        return draw_rings(ax, [table.models[name]], "blamed", palette.HIDES, told, rank=rank)
    shape = table.terrain[name].shape if name in table.terrain else None
    if shape is None:
        return []
    line, broad = in_rank(rank)
    style: dict[str, Any] = {"edgecolor": palette.HIDES, "linewidth": 3.0 * broad, "linestyle": line}
    sign = Line2D([], [], color=palette.HIDES, linewidth=3.0 * broad, linestyle=line)
    explain(ax, told, sign, where=shape.to_shapely())
    layer = palette.LAYER["mark"] - 0.2 - 0.01 * rank
    style |= {"facecolor": "none", "zorder": layer, "gid": f"blamed-{name}"}
    seen = open_to_view(table, table.terrain[name])
    return [ax.add_patch(area_patch(seen, **style) if seen else shape_patch(shape, **style))]


def mark_fault(
    ax: Axes,
    table: Table | None,
    place: Point,
    rules: Sequence[str],
    *,
    told: bool = True,
    marker: str = "x",
    means: str = "a rule forbids it here",
) -> list[Artist]:
    """Mark a place where rules are broken, with their ids if ``told``, and explain the mark by ``means``."""
    standing = [] if table is None else table.standing()
    within = any(math.dist(place, model.at) < model.radius / 2 for model in standing)
    style: dict[str, Any] = {
        "linestyle": "none",
        "marker": marker,
        "markersize": ROUND_A_NUMBER if within else SIGN,
        "markeredgewidth": 2.4,
        "color": palette.FAULT,
        "markerfacecolor": "none",
    }
    words, layer = ", ".join(rules), palette.LAYER["mark"] + 0.3
    drawn: list[Artist] = [ax.add_line(Line2D([place[0]], [place[1]], zorder=layer, gid=f"fault-{words}", **style))]
    keep_clear_of_mark(ax, place, style["markersize"])
    if told:
        look: dict[str, Any] = {"size": 7.0, "colour": palette.FAULT, "fontweight": "bold"}
        drawn.append(label(ax, place, words, clear=0.15, **look))
    sign = Line2D([], [], **{**style, "markersize": SIGN})
    explain(ax, means, sign, where=shapely.Point(place))
    return drawn
