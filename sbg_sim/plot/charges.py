"""Charges: the arcs of contact on every target, where the charger can stand, and why a charge fails."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, cast

import shapely
from matplotlib.lines import Line2D
from matplotlib.patches import Arc, Wedge

from sbg_sim.plot import palette
from sbg_sim.plot.canvas import explain, title
from sbg_sim.plot.headlines import allowed, shown_route
from sbg_sim.plot.labels import in_view, keep_clear, keep_clear_of_mark, label, per_point
from sbg_sim.plot.options import hue
from sbg_sim.plot.rings import draw_mover
from sbg_sim.plot.routes import draw_route, draw_test, route_box
from sbg_sim.plot.tables import finish, ground, stage
from sbg_sim.plot.verdicts import ROUND_A_NUMBER, SIGN, highlight, mark_fault, out_of_reach
from sbg_sim.plot.views import box_of
from sbg_sim.plot.words import chance_text, inches_text, shortened
from sbg_sim.wording import cut_off, listed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from fractions import Fraction

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.backend_bases import RendererBase

    from sbg_sim.geometry.shapes import Point
    from sbg_sim.solver.charges import ChargeEntry, ChargeList
    from sbg_sim.table.board import Table
    from sbg_sim.table.models import Model
    from sbg_sim.table.violation import Violation

_SMALL = 12.0  # points: a base of a smaller radius has a broad rim in proportion
_BROAD, _THIN = 3.6, 1.2  # points: width of arcs of contact, and the least width on small bases
_SHORT = 0.1  # radians; shorter arcs get round ends, without which they could not be seen
_DOT = 1e-6  # radians; a shorter arc is a single place
_NAMED = 6  # targets in a title, the last entry standing for all others
_CROWD, _TOLD = 12, 6  # with more refused targets in view, only the nearest few get a reason
_FEW = 3  # up to this many refused targets, each gets a reason even if it covers something
_FORBIDS = "^"  # marks the place where a rule forbids a charge; crosses mark targets that cannot be charged
_BROKEN = ((0, (2.0, 0.7)), (0, (0.7, 0.7)), (0, (2.0, 0.5, 0.5, 0.5)))  # arcs with dice, the best chance first


def plot_charges(charges: ChargeList, *, ax: Axes | None = None, whole: bool = False, paths: bool = True) -> Axes:
    """Draw the enemies that a model can charge, and the parts of their bases where it can be in contact.

    Parameters
    ----------
    charges
        The charge list to draw.
    ax
        Where to draw; None makes a new figure.
    whole
        Show the whole table; otherwise a new figure shows the charger, its targets and the ways.
    paths
        Whether to draw the best way to each target.

    """
    table = charges.table
    mover: Model = table.model(charges.model) if isinstance(charges.model, str) else charges.model
    shown = [e for e in charges.entries if _matters(mover, table, e)]
    near = shown
    if sum(not possible(e) for e in shown) > _TOLD:  # targets beyond any straight way would make the others small
        near = [e for e in shown if _matters(mover, table, e, 1.0)]
    boxes = [box_of(mover), *(box_of(table.model(e.target), 2 * mover.radius) for e in near)]
    routes = [r for e in charges.entries if possible(e) and (r := shown_route(e.verdict)) is not None]
    boxes += [route_box(r, mover.radius) for r in routes]
    ax = stage(ax, table, boxes, whole=whole)
    ground(ax, table, mover=mover)
    draw_mover(ax, table, mover)
    draw_charges(ax, charges, paths=paths)
    able = [e.target for e in charges.entries if possible(e)]
    head = f"{mover.id} can charge {shortened(able, _NAMED)}" if able else f"{mover.id} can charge nobody"
    told = "" if shown or not charges.entries else "no enemy stands within two Moves of it"
    title(ax, head + (f" · Move {inches_text(mover.move)}" if mover.move is not None else ""), told)
    finish(ax)
    return ax


def _matters(mover: Model, table: Table, entry: ChargeEntry, moves: float = 2.0) -> bool:
    """Say whether a picture must show a target: it can be charged, or a straight way of ``moves`` Moves reaches it."""
    far = math.dist(mover.at, table.model(entry.target).at) - mover.radius - table.model(entry.target).radius
    return possible(entry) or mover.move is None or far <= moves * mover.move


def possible(entry: ChargeEntry) -> bool:
    """Say whether a charge can succeed, with dice or without."""
    return entry.verdict.answer in ("yes", "chance", "too-close")


def draw_charges(ax: Axes, charges: ChargeList, *, paths: bool = True) -> list[Artist]:
    """Draw where the charger can stand by each target, in a hatch of its own, the best ways, and crosses on others."""
    table = charges.table
    mover: Model = table.model(charges.model) if isinstance(charges.model, str) else charges.model
    drawn: list[Artist] = []
    ways = [(e, r) for e in charges.entries if paths and possible(e) and (r := shown_route(e.verdict)) is not None]
    bare: dict[str, Any] = {"costs": False, "swept": False, "tests": False}
    for entry, route in ways:
        drawn += draw_route(ax, route, mover, allowance=allowed(entry.verdict), **bare)
    for test in (leg.test for _, route in ways for leg in route.legs if leg.test is not None):
        drawn += draw_test(ax, test)
    refused = [entry for entry in charges.entries if not possible(entry)]
    seen = [entry for entry in refused if in_view(ax, table.model(entry.target).at)]
    crowd = len(seen) > _CROWD
    near = sorted(seen, key=lambda e: math.dist(table.model(e.target).at, mover.at))
    told = near[:_TOLD] if crowd else near
    foiled = _foiled(mover, table, told)
    for rank, entry in enumerate(charges.entries):
        if possible(entry):
            drawn += _room(ax, mover, table.model(entry.target), entry, rank)
    words = "cannot be charged" + ": why is told of the nearest" * crowd
    for entry in refused:
        drawn += _cross(ax, table.model(entry.target), words)
    for at in (at for entry in told for _, at, here in _forbidding(mover, table, entry) if not here):
        keep_clear_of_mark(ax, at, SIGN)  # for all marks, before the first label is placed
    marked: set[tuple[str, Point]] = set()
    for rank, entry in enumerate(told):
        known = {v.rule for other in told[rank + 1 :] for v in other.verdict.violations} if crowd else set()
        drawn += _refused(ax, mover, table, entry, foiled, known, marked, many=len(told) > _FEW)
    arcs = {e.target: e.arcs for e in charges.entries if possible(e)}
    drawn += draw_contact_arcs(ax, table, arcs)
    for entry in charges.entries:
        drawn += _arcs_with_dice(ax, table.model(entry.target), getattr(entry, "by_chance", ()))
    return drawn


def _arcs_with_dice(
    ax: Axes, target: Model, by_chance: Sequence[tuple[Fraction, Iterable[tuple[float, float]]]]
) -> list[Artist]:
    """Draw arcs that take dice as broken lines, a style for each chance, the best on top; a single place is a mark."""
    drawn: list[Artist] = []
    rows = [row for row in by_chance if row[0] != 1]
    for rank, (chance, arcs) in reversed(list(enumerate(rows))):
        way = min(rank, len(_BROKEN) - 1)
        broad = _broad(target.radius, per_point(ax)[0])
        style: dict[str, Any] = {"color": hue(palette.CONTACT), "linewidth": broad, "linestyle": _BROKEN[way]}
        spot: dict[str, Any] = {"marker": palette.MARKERS[way], "markersize": 8.0, "markerfacecolor": palette.PAPER}
        layer, gid = palette.LAYER["base"] + 0.2, f"contact-{target.id}-{chance}"
        for first, last in arcs:
            dot = last - first < _DOT
            span = [first] if dot else [first + (last - first) * i / 90 for i in range(91)]
            xs = [target.at[0] + target.radius * math.cos(a) for a in span]
            ys = [target.at[1] + target.radius * math.sin(a) for a in span]
            if not dot:  # hides the rim between the dashes
                under = Line2D(xs, ys, color=palette.PAPER, linewidth=broad, zorder=layer)
                drawn.append(ax.add_line(under))
            drawn.append(ax.add_line(Line2D(xs, ys, zorder=layer + 0.1, gid=gid, **style, **(spot if dot else {}))))
        sign = Line2D([], [], **style | {"linewidth": _BROAD}, **(spot if all(b - a < _DOT for a, b in arcs) else {}))
        words = chance_text(rows[way][0]) + " or less" * (way == len(_BROKEN) - 1 < len(rows) - 1)
        where = shapely.buffer(shapely.Point(target.at), target.radius)
        explain(ax, f"part of the base that can be charged: {words}", sign, where=where)
    return drawn


def _room(ax: Axes, mover: Model, target: Model, entry: ChargeEntry, rank: int) -> list[Artist]:
    """Draw the ring where the charger's base can stand in contact, in the target's own hatch and colour."""
    colour, hatch = palette.category(rank)
    style: dict[str, Any] = {
        "facecolor": "none",
        "edgecolor": colour,
        "hatch": hatch,
        "linewidth": 0.9,
        "alpha": 0.9,
    }
    drawn: list[Artist] = []
    for first, last in entry.arcs:
        wedge = Wedge(
            target.at,
            target.radius + 2 * mover.radius,
            math.degrees(first),
            math.degrees(last),
            width=2 * mover.radius,
            zorder=palette.LAYER["reach"],
            gid=f"contact-room-{entry.target}",
            **style,
        )
        drawn.append(ax.add_patch(wedge))
        middle = (first + (last if last > first else last + 2 * math.pi)) / 2
        out = target.radius + mover.radius
        x, y = target.at[0] + out * math.cos(middle), target.at[1] + out * math.sin(middle)
        keep_clear(ax, (x - mover.radius, y - mover.radius, x + mover.radius, y + mover.radius), 0.8)
    verdict = entry.verdict
    cost = "" if verdict.needed is None else inches_text(verdict.needed, verdict.allowance)
    chance = f", {chance_text(verdict.chance)}" if verdict.chance is not None and verdict.chance != 1 else ""
    bound = f" (the straight way binds to {listed(list(entry.binds))})" if entry.binds else ""
    sign = _swatch(style) if entry.arcs else Line2D([], [], color=hue(palette.PATH), linestyle=(0, (3, 1.5)))
    explain(
        ax,
        f"against {entry.target}: {cost}{chance}{bound}",
        sign,
        where=shapely.buffer(shapely.Point(target.at), target.radius + 2 * mover.radius),
    )
    return drawn


def _swatch(style: dict[str, Any]) -> Artist:
    from matplotlib.patches import Patch

    return Patch(**style)


def _foiled(mover: Model, table: Table, entries: Iterable[ChargeEntry]) -> dict[str, list[str]]:
    """Return by rule the targets whose charges are blocked: one ring in the legend stands for each rule."""
    foiled: dict[str, list[str]] = {}
    for entry in entries:
        if not possible(entry) and _matters(mover, table, entry) and not out_of_reach(entry.verdict):
            for rule in dict.fromkeys(v.rule for v in entry.verdict.violations if v.blame and v.rule != "MOV.3"):
                foiled.setdefault(rule, []).append(entry.target)
    return foiled


def _cross(ax: Axes, target: Model, words: str) -> list[Artist]:
    """Draw a cross on a target that cannot be charged."""
    style: dict[str, Any] = {"linestyle": "none", "marker": "x", "markersize": ROUND_A_NUMBER, "markeredgewidth": 2.0}
    (x, y), gid = target.at, f"refused-{target.id}"
    cross = Line2D([x], [y], zorder=palette.LAYER["mark"], gid=gid, color=palette.FAULT, **style)
    keep_clear_of_mark(ax, target.at, ROUND_A_NUMBER)
    sign = Line2D([], [], color=palette.FAULT, **{**style, "markersize": 9})
    explain(ax, words, sign, where=shapely.Point(target.at))
    return [ax.add_line(cross)]


def _refused(
    ax: Axes,
    mover: Model,
    table: Table,
    entry: ChargeEntry,
    foiled: Mapping[str, Sequence[str]],
    known: Collection[str],
    marked: set[tuple[str, Point]],
    *,
    many: bool,
) -> list[Artist]:
    """Say how far a charge falls short or which rules forbid it, and mark where; ``known`` rules are not named there.

    Each place is marked once, and none in the mover's base, which would seem struck out. With ``many`` targets words
    without a free place are left out.
    """
    target, verdict = table.model(entry.target), entry.verdict
    why = ", ".join(dict.fromkeys(v.rule for v in verdict.violations)) or ", ".join(verdict.rules)
    far = all(v.rule == "MOV.3" for v in verdict.violations)  # otherwise a larger Move would not help
    if far and verdict.margin is not None and verdict.margin < 0:
        why = f"{inches_text(-verdict.margin)} short"
    elif out_of_reach(verdict) and verdict.at_least is not None and verdict.allowance is not None:
        short = cut_off(verdict.at_least - verdict.allowance, 0.01)
        why = f"at least {inches_text(short)} short" if short > 0 else "out of reach"
    drawn: list[Artist] = []
    if in_view(ax, target.at):
        words = f"no: {why}" if why else "no"
        drawn.append(label(ax, target.at, words, colour=palette.FAULT, clear=target.radius, size=7.0, spare=many))
    for violation, at, here in _forbidding(mover, table, entry):
        whose = foiled.get(violation.rule, ())
        rank = list(foiled).index(violation.rule) if whose else 0
        if violation.blame:
            drawn += highlight(ax, table, violation.blame, violation.rule, whose=whose, rank=rank)
        near = SIGN * per_point(ax)[0]  # overlapping signs would blur
        if not here and not any(v == violation.rule and math.dist(p, at) <= near for v, p in marked):
            told = violation.rule not in known
            drawn += mark_fault(ax, table, at, [violation.rule], told=told, marker=_FORBIDS)
            marked.add((violation.rule, at))
    return drawn


def _forbidding(mover: Model, table: Table, entry: ChargeEntry) -> Iterator[tuple[Violation, Point, bool]]:
    """Yield the violations of a charge, their places, and whether the place is in a base that needs no mark."""
    told = _matters(mover, table, entry) and not out_of_reach(entry.verdict)
    for violation in entry.verdict.violations if told else ():
        at = violation.place
        if at is not None and violation.rule != "MOV.3":  # the label says by how much it is short
            yield violation, at, at == table.model(entry.target).at or math.dist(at, mover.at) <= mover.radius


def _broad(radius: float, point: float) -> float:
    """Return the width of an arc of contact, points, from the base's radius and the length of a point."""
    return min(_BROAD, max(_THIN, radius / point / 2))


class _ContactArc(Arc):
    """An arc of contact with a width to suit the size of the base when it is drawn."""

    def draw(self, renderer: RendererBase) -> None:
        """Set the width and draw the arc."""
        ax = cast("Axes", self.axes)
        broad = _broad(self.get_width() / 2, per_point(ax)[0])
        if broad != self.get_linewidth():
            self.set_linewidth(broad)
        super().draw(renderer)


def draw_contact_arcs(ax: Axes, table: Table, contacts: Mapping[str, Iterable[tuple[float, float]]]) -> list[Artist]:
    """Draw on each enemy's base the arcs where a charger can be in contact.

    Parameters
    ----------
    contacts
        By enemy, pairs of angles (radians, counter-clockwise from the first to the second).

    """
    drawn: list[Artist] = []
    for name, arcs in contacts.items():
        target = table.model(name)
        (x, y), r = target.at, target.radius
        if r < _SMALL * per_point(ax)[0]:  # a number in the base would run into the arcs
            keep_clear(ax, (x - r, y - r, x + r, y + r), 4.0)
        for first, last in arcs:
            size = 2 * target.radius
            arc = _ContactArc(
                target.at,
                size,
                size,
                theta1=math.degrees(first),
                theta2=math.degrees(last),
                color=hue(palette.CONTACT),
                linewidth=_BROAD,
                capstyle="round" if last - first + math.tau * (last < first) < _SHORT else "butt",
                zorder=palette.LAYER["base"] + 0.2,
                gid=f"contact-{name}",
            )
            drawn.append(ax.add_patch(arc))
            explain(
                ax,
                "part of the base that can be charged (CHG.1)",
                Line2D([], [], color=hue(palette.CONTACT), linewidth=_BROAD),
                where=shapely.Point(target.at).buffer(target.radius),
            )
    return drawn
