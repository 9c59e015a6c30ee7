"""Draw the figures of docs/algorithm.md anew, from what the solver itself works with: ``python docs/figures.py``.

Grown shapes, rings, samples of rims, labels, edges and whether they were weighed, ellipses looked at, fans, costs by
angle: all are taken from the solver's own values, for small tables.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import shapely
from matplotlib.patches import Circle, Ellipse
from panels import GREY, area_of, aslant, ends, fill, on_arc, panels, say, show, stroke, way

import sbg_sim as sbg
from sbg_sim.plot.files import svg
from sbg_sim.plot.fonts import house_style
from sbg_sim.plot.palette import BLUE, CATEGORIES, FAINT, GREEN, INK, TERRAIN, VERMILION
from sbg_sim.solver.arcs import contact_costs, within
from sbg_sim.solver.field.fans import RayFans
from sbg_sim.solver.graph.graph_builder import GraphBuilder
from sbg_sim.solver.graph.label_search import Limits, settle
from sbg_sim.solver.graph.tangent_graph import SAMPLE, SPACING
from sbg_sim.solver.path.best_path import options
from sbg_sim.solver.path.options import NEAR_BEST, Search
from sbg_sim.solver.space.surroundings import Goal, make_surroundings

OUT = Path(__file__).parent / "figures"
WALL, ROUGH, ZONED = "#D9D4C7", TERRAIN["difficult"].fill, "#F7D9C4"


def model(at, side="good", move=10.0):
    """Describe a model on a base of one inch: r = 0.5."""
    return {"at": at, "base": 1.0, "height": 1.5, "move": move, "side": side}


def piece(polygon, *tags, height=3.0):
    """Describe a piece of terrain, one that nobody climbs if nothing else is said."""
    return {"polygon": polygon, "tags": list(tags or ("obstacle", "unscalable")), "height": height}


def block(x0, y0, x1, y1, *tags, height=3.0):
    """Describe a piece with four sides along the axes."""
    return piece([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], *tags, height=height)


# -- what the solver works with -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Noted(Goal):
    """A goal that notes within what cost the solver looks at the table for it."""

    asked: list = field(default_factory=list)

    def surroundings(self, table, mover, cost, **more):
        """Note the cost, and do what a goal does."""
        self.asked.append(cost)
        return super().surroundings(table, mover, cost, **more)


def searched(table, mover, to, most, *, dice=False):
    """Return the tangent graph from a model to a place within a cost, and its labels."""
    goal = Goal(None, tuple(to))
    surroundings = goal.surroundings(table, mover, most, charging=None, dice=dice)
    net = GraphBuilder(surroundings, goal, SPACING, most).build()
    start, ahead = dict.fromkeys(net.source, 0.0), net.ahead(goal)
    labels = settle(net.graph, start, Limits(most, ahead, net.goals), layers=int(dice))
    return net, labels


# -- the figures --------------------------------------------------------------------------------------------------


def grown():
    """A table, and the same table for the centre of the mover's base."""
    wall = [[4, 1.2], [8.2, 1.2], [8.2, 2.2], [5, 2.2], [5, 4.7], [4, 4.7]]
    models = {"mover": model([1.5, 2]), "friend": model([6.5, 4.1]), "enemy": model([11, 6.2], "evil")}
    table = sbg.Table(14, 9, models=models, terrain={"wall": piece(wall)})
    space = make_surroundings(table, table.models["mover"], dice=False).spaces[0]
    left, right = panels("On the table: bases and a wall", "For the mover's centre: a point", high=2.8)
    show(left, table, (0, 0, 14, 9), zones=True)
    say(left, "mover, radius r", (2.2, 3.2))
    say(left, "friend, radius R", (7.6, 5.3))
    say(left, "enemy, and its\nControl Zone", (8.6, 8.1), (9.9, 7.1))
    say(left, "a gap of 2r", (2.9, 6.6), (5.5, 4.3))
    show(right, table, (0, 0, 14, 9))
    for zone in space.zones:
        right.add_patch(Circle(zone.at, zone.radius, facecolor=ZONED, edgecolor=VERMILION, zorder=1))
    fill(right, area_of(space.walls), WALL, edgecolor=INK, linewidth=1.1)
    stroke(right, space.walls.spines.reshape(-1, 2, 2), color=VERMILION, linewidth=1.2, linestyle=(0, (2, 2)), zorder=4)
    right.plot(*table.models["mover"].at, "o", color=BLUE, markersize=4, zorder=5)
    say(right, "open disc,\nradius R + r", (7.4, 6.9), (6.8, 5.05))
    say(right, "capsules of radius r\nabout the wall's sides", (4.2, 8.1), (4.6, 5.2))
    say(right, "they touch:\nthe centre passes", (2.1, 6.1), (5.5, 4.15))
    say(right, "open disc of radius\nR + 1 + r, closed\nto a free mover", (11.3, 2.4), (11.1, 3.75))
    return left.figure


def network():
    """The tangent graph of a small table, and the verdict's path on it."""
    models = {"mover": model([1.2, 2.5]), "one": model([4.4, 2.9]), "two": model([7.0, 1.7])}
    models["enemy"] = model([10, 4.7], "evil")
    table = sbg.Table(14, 6.5, models=models, terrain={"house": block(5.4, 4.3, 6.9, 5.3)})
    mover, to = table.models["mover"], (12.9, 2.9)
    verdict = sbg.check(table, sbg.Move("mover", to))
    net, _ = searched(table, mover, to, verdict.needed + 1.0)
    (ax,) = panels(f"Open arcs, tangents, and the shortest path: {verdict.needed:.4f} in", high=3.9)
    show(ax, table, (0, 0, 14, 6.5))
    space = net.spaces[0]
    for zone in space.zones:
        ax.add_patch(Circle(zone.at, zone.radius, facecolor=ZONED))
    fill(ax, area_of(space.walls), WALL)
    lines = np.stack(net.ends(np.arange(len(net.graph.src))), axis=1)
    known, open_ = net.graph.known, np.isfinite(net.graph.low)
    stroke(ax, lines[~known], color=GREY, linewidth=0.6, zorder=3)
    stroke(ax, lines[known & ~open_], color=VERMILION, linewidth=0.8, linestyle=(0, (4, 2)), zorder=4)
    stroke(ax, lines[known & open_], color=BLUE, linewidth=1.1, zorder=4)
    arcs = [(ring, i) for ring in net.rings for i in np.flatnonzero(ring.open[0]).tolist()]
    stroke(ax, [on_arc(ring, ring.angles[i], ring.width[i]) for ring, i in arcs], color=GREEN, linewidth=1.8, zorder=5)
    way(ax, verdict.route)
    ends(ax, mover.at, to)
    say(ax, "open arc", (3.2, 5.3), (4.0, 3.85), colour="#00694C")
    say(ax, "open arc: only between the normals\nof a corner's two sides", (2.9, 6.0), (4.98, 5.55), colour="#00694C")
    say(ax, "weighed: clear", (2.1, 4.2), (2.5, 3.18), colour=BLUE)
    say(ax, "weighed: something is in the way", (10.4, 0.6), (8.9, 2.33), colour="#A63D00")
    say(ax, "never weighed: could improve no label", (3.4, 0.5), (5.4, 1.15), colour="#6A6A6A")
    say(ax, "enemy's zone:\nclosed", (12.9, 5.6), (11.6, 5.3))
    return ax.figure


def weighted():
    """Two paths over difficult ground: one bends by Snell's law, one runs along the rim between critical angles."""
    left, right = panels("Across: Snell's law", "Along the rim: the critical angle", high=3.1)
    one = sbg.Table(12, 8, models={"mover": model([1.2, 1.4])}, terrain={"bog": block(4.5, -1, 7.5, 9, "difficult")})
    two = sbg.Table(12, 8, models={"mover": model([1.5, 2.4])}, terrain={"bog": block(-1, -1, 13, 3.4, "difficult")})
    a, b = crossing(left, one, (10.8, 6.6), 0.0)
    say(left, f"a = {a:.2f}\u00b0", (2.6, 4.3), (3.35, 3.05))
    say(left, f"b = {b:.2f}\u00b0", (6.2, 2.4), (4.95, 3.5))
    say(left, f"sin a = {math.sin(math.radians(a)) / math.sin(math.radians(b)):.4f} sin b", (10.0, 1.0))
    say(left, "samples\nof the rim", (1.7, 6.9), (3.95, 6.6), colour="#00694C")
    _, b = crossing(right, two, (10.5, 2.4), math.pi / 2)
    say(right, f"b = {b:.2f}\u00b0: sin b = {math.sin(math.radians(b)):.6f}", (4.8, 2.0), (1.95, 3.2))
    say(right, "the rim weighs 1: the path runs along it,\nin and out at the critical angle", (6, 5.9), (6, 3.95))
    say(left, "grown difficult\nground: an inch\ncosts two", (6.0, 6.9))
    say(right, "grown difficult ground: an inch costs two", (6.0, 0.6))
    return left.figure


def crossing(ax, table, to, normal):
    """Draw a path over difficult ground; return its angles with a rim's normal before and behind its first bend."""
    mover = table.models["mover"]
    verdict = sbg.check(table, sbg.Move("mover", to))
    net, _ = searched(table, mover, to, verdict.needed + NEAR_BEST)
    show(ax, table, (0, 0, 12, 8))
    fill(ax, area_of(net.spaces[0].difficult), ROUGH, edgecolor=FAINT, linestyle=(0, (4, 2)), alpha=0.7)
    ax.plot(*net.nodes.xy[net.nodes.kind == SAMPLE].T, ".", color=GREEN, markersize=3, zorder=4)
    way(ax, verdict.route)
    ends(ax, mover.at, to)
    bends = np.array([leg.end for leg in verdict.route.legs[:-1]])
    across = np.array([math.cos(normal), math.sin(normal)])
    stroke(ax, [[p - 1.2 * across, p + 1.2 * across] for p in bends], color=INK, linewidth=0.8, linestyle=(0, (1, 2)))
    say(ax, f"costs {verdict.needed:.4f} in", (10.0, 7.5))
    turns = [math.atan2(leg.end[1] - leg.start[1], leg.end[0] - leg.start[0]) for leg in verdict.route.legs[:2]]
    one, two = (math.degrees(turn - normal) for turn in turns)
    return (one, two) if normal == 0 else (abs(two), abs(one))


def dice():
    """A jump as a step from one layer of the graph to the next."""
    wall = block(5.2, 1.4, 5.8, 6.2, "obstacle", height=1.0)
    table = sbg.Table(12, 8, models={"mover": model([2, 3.2], move=8)}, terrain={"wall": wall})
    to = (9.6, 4.0)
    jump, walk = (sbg.check(table.having("mover", move=most), sbg.Move("mover", to)) for most in (8, 12))
    (ax,) = panels("A layer for each die: a jump leads from the near rim to the far rim, one layer up", high=4.3)
    layers(ax, *searched(table, table.models["mover"], to, walk.needed + NEAR_BEST, dice=True), wall["polygon"])
    legs = jump.route.legs
    over = next(i for i, leg in enumerate(legs) if leg.test is not None)
    ink = {"color": INK, "linewidth": 2.2}
    stroke(ax, [aslant(leg.points(0.05), 0) for leg in walk.route.legs], color=BLUE, linewidth=1.8, zorder=0.95)
    stroke(ax, [aslant(leg.points(), 0) for leg in legs[:over]], **ink, zorder=0.95)
    stroke(ax, [aslant(leg.points(), 1) for leg in legs[over + 1 :]], **ink, zorder=3)
    places = (legs[0].start, 0), (legs[over].start, 0), (legs[over].end, 1), (to, 0), (to, 1)
    start, begin, land, low, high = (tuple(aslant([p], layer)[0]) for p, layer in places)
    stroke(ax, [[begin, land]], color=VERMILION, linewidth=2.4, zorder=3)
    ax.plot(*start, "o", color=BLUE, markersize=6, zorder=4)
    ax.plot(*np.array([low, high]).T, "*", color=INK, markersize=10, zorder=4, linestyle="none")
    at = np.cumsum([leg.cost for leg in legs])
    say(ax, f"near rim, {at[over - 1]:.2f} in", (1.9, 3.3), begin, colour="#A63D00")
    say(ax, f"far rim, {at[over]:.2f} in: a 2 to 5\nends the move here, 5/6", (4.6, 6.7), land, colour="#A63D00")
    say(ax, f"{at[-1]:.2f} in, only with a 6: {jump.chance}", (12.9, 7.4), high)
    say(ax, f"round it: {walk.needed:.2f} in, no die,\nmore than the Move of 8", (14.7, 0.5), low, colour=BLUE)
    return ax.figure


def layers(ax, net, labels, wall):
    """Draw two layers of a graph above each other, and jumps from one to the next that were weighed."""
    ax.set_aspect("equal")
    ax.set_axis_off()
    for layer, words in enumerate(("layer 0: no die thrown", "layer 1: one die thrown")):
        sheet, body = (aslant(corners, layer).T for corners in ([[0, 0], [12, 0], [12, 8], [0, 8]], wall))
        ax.fill(*sheet, facecolor="#FFFFFF", edgecolor=GREY, zorder=layer, alpha=0.9)
        ax.fill(*body, facecolor=TERRAIN["obstacle"].fill, edgecolor=INK, zorder=layer + 0.2)
        rim = [aslant(part.at(np.linspace(0, part.length, 20)), layer) for part in net.transitions[0].near]
        stroke(ax, rim, color=GREEN, linewidth=1.2, linestyle=(0, (3, 2)), zorder=layer + 0.3)
        say(ax, words, (0.7, 4.6 * layer - 0.35), ha="left")
    say(ax, "the wall's grown rim", (13.4, 3.0), tuple(aslant([[6.3, 6.2]], 0)[0]), colour="#00694C")
    graph = net.graph
    jumps = np.flatnonzero((graph.layers_up == 1) & np.isfinite(labels.cost[0, graph.src]) & graph.known)
    both = [
        [aslant(net.nodes.xy[[n]], layer)[0] for layer, n in enumerate((graph.src[e], graph.dst[e]))] for e in jumps
    ]
    stroke(ax, both[:: max(1, len(both) // 40)], color=VERMILION, linewidth=0.4, zorder=0.9, alpha=0.5)


def ellipses():
    """The ellipses within which a search looks at the table, one after the other."""
    crowd = (2.2, 8.4), (4.4, 1.2), (6.4, 10), (8.6, 0.9), (11.9, 9.7), (13.6, 1.2), (16.2, 8.3), (18.4, 2.2)
    models = {"mover": model([3, 5.2], move=8)} | {f"friend-{i}": model(list(at)) for i, at in enumerate(crowd)}
    terrain = {"house": block(7.0, 4.4, 8.4, 7.6), "barn": block(10.2, 2.6, 11.2, 5.6)}
    table = sbg.Table(20, 11, models=models, terrain=terrain)
    mover, to = table.models["mover"], (15.5, 5.2)
    goal, apart = Noted(None, to), math.dist(mover.at, to)
    found = options(Search(table, mover, None, goal, 8.0, dice=False, horizon=17.0)).found[0]
    (ax,) = panels("Within what cost the search looked, and what stood there", high=4.3)
    show(ax, table, (0, -0.7, 20, 11.1))
    looks = sorted({round(cost, 6) for cost in goal.asked})
    middle = ((mover.at[0] + to[0]) / 2, (mover.at[1] + to[1]) / 2)
    for total in [*looks[1:], 17.0]:
        style = (FAINT, (0, (4, 3))) if total == 17.0 else (BLUE, "solid")
        deep = math.sqrt(total**2 - apart**2)
        ax.add_patch(Ellipse(middle, total, deep, fill=False, edgecolor=style[0], linestyle=style[1], linewidth=1.2))
    stroke(ax, [[mover.at, to]], color=VERMILION, linewidth=1.0, linestyle=(0, (4, 2)), zorder=5)
    way(ax, found.route)
    ends(ax, mover.at, to)
    say(ax, f"1: the straight, {looks[0]:g} in, is not open", (3.2, 6.6), (5.2, 5.2), colour="#A63D00")
    half = [math.sqrt((total**2 - apart**2) / 4 * (1 - (2 * (middle[0] - 6) / total) ** 2)) for total in looks[1:]]
    say(ax, f"2: {looks[1]:g} in", (4.8, 2.8), (6.0, middle[1] - half[0]), colour=BLUE)
    say(ax, f"3: {looks[2]:.2f} in", (3.4, 9.3), (6.0, middle[1] + half[1]), colour=BLUE)
    say(
        ax,
        f"a path of {found.cost:.4f} in: it lies within\nthe third: what stands outside cannot matter",
        (15.3, 2.9),
    )
    say(ax, "horizon, 17 in: beyond it\nonly a bound is told", (17.6, 10.1), (15.4, 8.95), colour="#6A6A6A")
    return ax.figure


def reach():
    """The fans of a reach, each from where paths bend last, and isochrones."""
    models = {"mover": model([6, 6], move=5), "friend": model([8.3, 7.0])}
    bog = piece([[2.3, 7.6], [4.8, 8.4], [4.2, 10.2], [2.1, 9.8]], "difficult")
    table = sbg.Table(12, 12, models=models, terrain={"wall": block(6.9, 2.4, 7.5, 4.9), "bog": bog})
    found = sbg.reach(table, "mover")
    left, right = panels("Fans of rays, by the bend they leave", "Isochrones, an inch of cost apart", high=3.9)
    for ax in (left, right):
        show(ax, table, (0.6, 0.6, 11.6, 11.9))
    fans = RayFans(found.certain.at(0, None), found.limit)
    bands, spots = fans._bands(), fans._fans()  # noqa: SLF001 - what goes on inside is what is shown
    here = shapely.Point(found.mover.at)
    own = [part for part in spots if part.distance(here) < 1e-6]
    fill(left, shapely.union_all(own), CATEGORIES[4], alpha=0.35, edgecolor=BLUE, linewidth=0.8)
    for colour, parts in (("#E69F00", [part for part in spots if part.distance(here) >= 1e-6]), ("#8C9A58", bands)):
        fill(left, shapely.MultiPolygon(parts), colour, alpha=0.4, edgecolor=colour, linewidth=0.6)
    fill(left, found.area, "none", edgecolor=INK, linewidth=1.2, zorder=5)
    say(left, "from the start", (3.6, 3.4), colour=BLUE)
    say(left, "from bends round\nbases and corners", (9.9, 10.6), (9.2, 8.6), colour="#8A5A00")
    say(left, "from the rim of\ndifficult ground", (2.4, 11.2), (4.4, 7.9), colour="#5D6A2A")
    x, y = np.meshgrid(np.arange(0.8, 11.4, 0.1), np.arange(0.8, 11.4, 0.1))
    cost = np.ma.masked_invalid(found.distance(np.stack([x.ravel(), y.ravel()], axis=1)).reshape(x.shape))
    lines = right.contour(x, y, cost, levels=[1, 2, 3, 4], colors=[BLUE], linewidths=0.9)
    right.clabel(lines, fmt="%d in", fontsize=7)
    fill(right, found.area, "none", edgecolor=INK, linewidth=1.2, zorder=5)
    return left.figure


def contact():
    """The cost of contact by angle, where it was sampled, and the arc within the Move."""
    models = {"mover": model([1.5, 4], move=6.5), "enemy": model([7, 4], "evil"), "friend": model([7.6, 5.35])}
    table = sbg.Table(11, 8, models=models)
    mover, enemy = table.models["mover"], table.models["enemy"]
    (costs,) = contact_costs(table, mover, enemy)
    rho, looks = enemy.radius + mover.radius, []

    def place(angle):
        return np.array(enemy.at) + rho * np.stack([np.cos(angle), np.sin(angle)], axis=1)

    def cost(angle):
        value = costs.distance(place(angle))
        looks.append(np.stack([np.degrees(angle), value], axis=1))
        return value

    ((begin, end),) = within(cost, costs.net.spaces[costs.space].breaks(enemy.at, rho), rho, mover.move)
    left, right = panels("Where the charge can end", "Its cost by angle", high=3.3, widths=[1, 1.5])
    show(left, table, (3.8, 0.8, 10.2, 7.2), zones=True)
    left.add_patch(Circle(enemy.at, rho, fill=False, edgecolor=GREY, zorder=2))
    arc = place(np.linspace(begin, end, 90))
    stroke(left, [arc], color=GREEN, linewidth=3, zorder=5)
    begin, end = math.degrees(begin), math.degrees(end)
    say(left, f"ends at {end:.2f}\u00b0:\nthe Move is used up", (8.2, 1.5), tuple(arc[-1]), colour="#00694C")
    say(left, f"ends at {begin:.2f}\u00b0:\nthe friend is in the way", (5.8, 6.5), tuple(arc[0]), colour="#00694C")
    by_angle(right, looks, math.radians(rho), mover.move)
    say(right, "a break,\nin closed form", (122, 5.9), (begin, 5.3), colour="#A63D00")
    return left.figure


def by_angle(ax, looks, inch, most):
    """Draw samples of a cost by angle, and between what it can be from one of the first of them to the next."""
    first = looks[0][np.argsort(looks[0][:, 0])]
    for (t0, low), (t1, high) in itertools.pairwise(first[np.isfinite(first[:, 1])]):
        t = np.linspace(t0, t1, 21)
        above = np.minimum(low + 2 * inch * (t - t0), high + 2 * inch * (t1 - t))
        below = np.maximum(low - 2 * inch * (t - t0), high - 2 * inch * (t1 - t))
        crossed = below.min() <= most <= above.max()
        ax.fill_between(t, below, above, color="#F2B48C" if crossed else "#D5E3EE", linewidth=0)
    ax.plot(*first.T, ".", color=BLUE, markersize=4)
    ax.plot(*np.concatenate(looks[1:]).T, "|", color=VERMILION, markersize=6)
    ax.axhline(most, color=INK, linewidth=1)
    ax.set(xlabel="angle seen from the enemy, degrees", ylabel="cost, inches", xlim=(95, 345), ylim=(4.2, 7.0))
    say(ax, "the Move", (112, 6.6))
    say(ax, "between two samples the cost stays in here", (195, 5.6), (222, 4.86), colour=BLUE)
    say(ax, "only where that may cross\nthe Move it is asked again", (268, 6.8), (317.5, 6.53), colour="#A63D00")


FIGURES = (grown, network, weighted, dice, ellipses, reach, contact)


def main():
    """Write every figure."""
    OUT.mkdir(exist_ok=True)
    for figure in FIGURES:
        with house_style():
            text = svg(figure().axes[0], follow=True)
        (OUT / f"{figure.__name__}.svg").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
