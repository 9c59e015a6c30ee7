"""What must hold of an answer, whoever computed it: each fault found is a sentence that begins with its kind."""

from __future__ import annotations

import math
import random
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import shapely

import sbg_sim as sbg
from sbg_sim.dice.play import End, success_chance
from sbg_sim.referee import audit
from sbg_sim.simulate.plays import play_of
from sbg_sim.solver.answer import ask
from sbg_sim.solver.bounds import contact_bounds
from sbg_sim.table.board import allowance, horizon_of, standing_up
from sbg_sim.table.joining import level_of
from tests.fuzz import contacts, lines, squeezes
from tests.fuzz.kinds import rebuilt

sys.path.insert(0, str(Path(__file__).parents[2] / "conformance"))
import brute

CLOSE = 1e-6
LEEWAY = 1e-4  # by which a way is longer round discs that are a little larger
DRAWN = 0.005  # inches by which outlines may err
BESIDE, SPOTS = 0.05, 80  # how far from an outline places lie (inches), and how many
PLACES = 3  # beside an outline that are asked as moves too
BARE = 0.01  # square inches: less is no area to ask about
FAR = 1e4  # inches from the origin, beyond which rounding leaves notches in areas


def faults(table, question, seed):
    """Everything that is wrong with the answer to a question, and with the reach of who moves."""
    return [*answered(table, question, seed), *drawn(table, question, seed), *landed(table, question, seed)]


def answered(table, question, seed):
    """Everything that is wrong with the answer to a question."""
    verdict = ask(table, question, alternatives=False)
    found = [*bounds(verdict), *witness(table, question, verdict), *played(table, question, verdict)]
    found += against_tangents(table, question, verdict)
    found += against_lines(table, question, verdict)
    found += against_squeezes(table, question, verdict)
    found += turned(table, question, verdict, seed)
    return [*found, *listed(table, question, verdict)]


def bounds(verdict):
    """Bounds hold the cost between them, no more than a micro-inch apart."""
    low, cost, high = verdict.at_least, verdict.needed, verdict.at_most
    if cost is None:
        return
    if low is None or high is None or not low <= cost <= high:
        yield f"bounds: {low} <= {cost} <= {high} does not hold"
    elif high - low > CLOSE:
        yield f"width: bounds {low} and {high} lie {high - low:.3g} apart"


def witness(table, question, verdict):
    """The referee, who shares no code with the solver, finds the way legal and its cost the same."""
    if verdict.route is None or verdict.needed is None:
        return
    charging = question.targets if isinstance(question, sbg.Charge) else ()
    seen = audit(table, question.model, verdict.route, charging=charging, allowance=math.inf)
    told = {v.rule for v in verdict.violations}
    for wrong in seen.violations:
        if wrong.rule not in told:
            yield f"referee: {wrong.rule} {wrong.reason}"
    end = verdict.route.legs[-1].end if verdict.route.legs else table.model(question.model).at
    if isinstance(question, sbg.Move) and math.dist(end, question.to) > CLOSE:
        yield f"end: the way leads to {end}, not to {question.to}"
    if abs(seen.cost - verdict.needed) > CLOSE:
        yield f"cost: the referee finds {seen.cost}, the verdict says {verdict.needed}"


def played(table, question, verdict):
    """Each result of each die on the likeliest way ends the move where the referee says, as the simulation has it."""
    if verdict.play is None:
        return
    charging = question.targets if isinstance(question, sbg.Charge) else ()
    seen, play = audit(table, question.model, verdict.play, charging=charging), play_of(verdict)
    for wrong in seen.violations:
        yield f"play: {wrong.rule} {wrong.reason}"
    if success_chance(play) != verdict.chance:
        yield f"chance: {success_chance(play)} by the dice, {verdict.chance} by the verdict"
    stops, before = {stop.results: stop for stop in seen.stops}, ()
    legs = [leg for leg in verdict.play.legs if leg.test is not None]
    for leg, stage in zip(legs, play.stages, strict=True):
        one, middle, six = (stage.faces[k] for k in (0, 1, 5))
        yield from ended(table, stops.get((*before, "1")), one, before)
        yield from fallen(table, table.model(question.model), leg, one, first=not before)
        both = (*before, "2-6") in stops
        yield from ended(table, stops.get((*before, "2-6" if both else "2-5")), middle, before)
        before = (*before, "2-6" if both else "6")
        if isinstance(six, End):
            yield from ended(table, stops.get(before), six, before)
    yield from ended(table, stops.get(before), play.final, before)


def ended(table, stop, end, before):
    """Whether the referee and the simulation end a move alike: of pieces that make one level either may be named."""
    if stop is None or not isinstance(end, End):
        yield f"stop: after {before} the one has {stop}, the other {end}"
        return
    on = level_of(table, stop.surface) == level_of(table, end.on)
    same = math.dist(stop.place, end.at) <= CLOSE and on and stop.prone == end.prone
    if not same or (not stop.must_charge and abs(stop.cost - end.used) > CLOSE):
        yield f"stop: {stop.results} at {stop.place} on {stop.surface}, {stop.cost} by the referee, {end} by the dice"


def fallen(table, me, leg, one, *, first):
    """A hit for a fall over a wall's side from higher than the model, and one for each inch more (FALL.2)."""
    piece = table.terrain.get(leg.test.over)
    if leg.kind not in {"climb", "descend"} or piece is None or piece.tags & {"platform", "gap"} or me.on is not None:
        return
    fell = piece.top if leg.kind == "descend" else me.climbed if first else 0.0
    begun = table.rulings["fall_inches"] == "begun"
    more = (math.ceil if begun else math.floor)(fell - me.height + (-1e-9 if begun else 1e-9))
    if one.hits != (1 + more if fell > me.height + 1e-9 else 0) or not one.prone:
        yield f"fall: {fell} in by who is {me.height} high, and {one}"


def against_lines(table, question, verdict):
    """Over a wall right across the table, nobody else about, no line that can be drawn is cheaper."""
    if not isinstance(question, sbg.Move) or len(table.models) > 1 or len(table.terrain) != 1 or table.depth != 40:
        return
    me, (wall,) = table.model(question.model), table.terrain.values()
    if wall.tags != {"obstacle"} or not wall.shape.rings or wall.top <= me.height:
        return
    if wall.shape.bounds[1] >= 0 or wall.shape.bounds[3] <= table.depth:
        return
    price = 2 * wall.top * (1 + (table.rulings["climb_over"] == "down"))
    least = lines.Case(list(wall.shape.rings[0]), me.radius, me.at, question.to).across(price)
    if verdict.needed is None or verdict.needed > least + CLOSE:
        yield f"lines: a way of {least} can be drawn, and the solver says {verdict.needed}"


def against_squeezes(table, question, verdict):
    """Over a wall right across the table, between bases and difficult ground, no line that can be drawn is cheaper."""
    wall = squeezes.wall_across(table, question)
    if wall is None:
        return
    least = squeezes.Lines(table, question, wall).least()
    if math.isfinite(least) and (verdict.needed is None or verdict.needed > least + CLOSE):
        yield f"squeezed: a way of {least} can be drawn, and the solver says {verdict.needed}"


def all_discs(table, question):
    """Whether the graph of tangents knows everything on the table: discs that stand, and nothing on legs of dice."""
    rocks = all(p.tags == {"unscalable"} and p.shape.kind == "circle" for p in table.terrain.values())
    return rocks and isinstance(question, sbg.Move) and not any(m.prone for m in table.models.values())


def against_tangents(table, question, verdict):
    """Among discs: the same cost as the graph of all tangents has, which was written without this package."""
    if not all_discs(table, question):
        return
    me = table.model(question.model)
    discs = contacts.grown(table, me)
    if any(abs(math.dist(p, d[:2]) - d[2]) <= contacts.ROUNDED for p in (me.at, question.to) for d in discs):
        yield from between_contacts(table, question, verdict, discs)
        return
    off = min((math.dist(question.to, d[:2]) - d[2] for d in discs), default=1.0)
    edge = min(
        v - me.radius for p in (*question.to, table.width - question.to[0], table.depth - question.to[1]) for v in [p]
    )
    if abs(off) < 1e-5 or min(off, edge) < 0:
        return  # an end that is not legal is another chapter
    most = max(2 * me.move, me.move + 6)
    walls = brute.costs(me.at, [question.to], discs, most + 1)[0]
    inner = [v for v in (walls,) if v < most - 1e-4]
    if inner and not inside_edges(table, me, walls):
        return  # ways that leave the table are legal for the graph
    if inner and (verdict.needed is None or abs(verdict.needed - walls) > CLOSE):
        yield from unless_hairs(table, question, verdict, discs, walls)


def between_contacts(table, question, verdict, discs):
    """Who touches discs, but for overlaps of rounding, goes as far as round discs that are smaller by as much."""
    me = table.model(question.model)
    most = max(2 * me.move, me.move + 6) - LEEWAY
    cost = brute.costs(me.at, [question.to], [(x, y, r - 2 * contacts.ROUNDED) for x, y, r in discs], most)[0]
    if not inside_edges(table, me, cost):
        return
    if verdict.needed is None or not cost - CLOSE <= verdict.needed <= cost + LEEWAY:
        yield f"contacts: {cost} by the graph of tangents, {verdict.needed} by the solver"


def inside_edges(table, me, cost):
    """Whether no way of that cost can come near the table's edge."""
    room = min(*me.at, table.width - me.at[0], table.depth - me.at[1]) - me.radius
    return cost <= room


def unless_hairs(table, question, verdict, discs, cost):
    """A disagreement, unless a hair of difference in the discs explains it: gaps of just a base's width."""
    thin = [(x, y, r - 2e-6) for x, y, r in discs]
    wide = [(x, y, r + 2e-6) for x, y, r in discs]
    start, to = table.model(question.model).at, [question.to]
    low, high = (brute.costs(start, to, some, cost + 20)[0] for some in (thin, wide))
    if verdict.needed is None or not low - CLOSE <= verdict.needed <= high + CLOSE:
        yield f"tangents: {cost} by the graph of tangents ({low} to {high}), {verdict.needed} by the solver"


def listed(table, question, verdict):
    """What a list of charges is told of a charge before it is searched for is no more than it costs."""
    if not isinstance(question, sbg.Charge) or len(question.targets) > 1 or verdict.needed is None:
        return  # of two at once both zones may be entered
    me, foe = table.model(question.model), table.model(question.targets[0])
    end = verdict.route.legs[-1].end if verdict.route.legs else me.at
    if math.dist(end, foe.at) > me.radius + foe.radius + CLOSE:
        return  # across what it leans on the charger never comes to it
    enemies = [m for m in table.standing() if m.is_enemy(me)]
    least = contact_bounds(table, replace(me, prone=False), enemies, horizon_of(table, allowance(me)))
    told = least[foe.id].beyond if foe.id in least else 0.0
    if told > verdict.needed - standing_up(me) + CLOSE:
        yield f"list: at least {told} was told of a charge that takes {verdict.needed}"


def drawn(table, question, seed):
    """Beside its outline the area of a reach holds the places that costs say, and no others; every fourth table."""
    if seed % 4 != 2 or max(table.model(question.model).at) > FAR:
        return
    found = sbg.reach(table, question.model, least=1)
    area, rim, dice = found.area, found.area.boundary, np.random.default_rng(seed)
    if area.area < BARE:
        return
    at = shapely.get_coordinates(shapely.line_interpolate_point(rim, dice.uniform(0, rim.length, SPOTS)))
    at = at + dice.uniform(-BESIDE, BESIDE, at.shape)
    cost, places = found.distance(at), shapely.points(at)
    left_out = (cost <= found.allowance - DRAWN) & ~shapely.dwithin(area, places, DRAWN)
    put_in = ~np.isfinite(cost) & shapely.contains(area, places) & ~shapely.dwithin(rim, places, DRAWN)
    for k in np.flatnonzero(left_out | put_in).tolist()[:1]:
        yield f"area: {at[k].round(4).tolist()}, which costs {cost[k]}, is {'left out' if left_out[k] else 'put in'}"
    yield from told_alike(table, question.model, at, cost)


def told_alike(table, name, at, cost):
    """What the reach says of places, the verdict on a move there says too: of a few to which no straight way leads."""
    me = table.model(name)
    bent = np.flatnonzero(np.isfinite(cost) & (cost > np.hypot(*(at - me.at).T) + DRAWN))
    for k in bent[:PLACES].tolist() if me.on is None else ():
        verdict = ask(table, sbg.Move(name, tuple(at[k].tolist())), alternatives=False)
        if verdict.answer == "yes" and verdict.chance == 1 and abs(verdict.needed - cost[k]) > CLOSE:
            yield f"told: {at[k].tolist()} costs {verdict.needed} by the verdict, {cost[k]} by the reach"


def landed(table, question, seed):
    """Where a reach says that dice set a model down the verdict on a move there says so too; every fourth table."""
    if seed % 4 != 1 or max(table.model(question.model).at) > FAR:
        return
    found, dice = sbg.reach(table, question.model), np.random.default_rng(seed)
    for surface, rows in {found.surface: found.regions, **found.platforms}.items():
        for chance, area in rows:
            places = inner_corners(area)
            for at in dice.permutation(places)[:PLACES].tolist():
                verdict = ask(table, sbg.Move(question.model, tuple(at), surface), alternatives=False)
                hair = verdict.margin is not None and abs(verdict.margin) <= 2 * CLOSE
                # Beside an arc corners of chords lie a hair within what they touch.
                if verdict.chance < chance and not hair and not verdict.violations:
                    yield f"landed: {at} on {surface}, {chance} by the reach, {verdict.chance} by the verdict"


def inner_corners(area):
    """The corners of the lines beside an area ``(n, 2)``, but for the ends of lines, which are as fine as samples."""
    parts = shapely.get_parts(shapely.get_parts(area))
    lines = shapely.get_parts(shapely.line_merge(shapely.multilinestrings(parts[shapely.get_dimensions(parts) == 1])))
    return np.concatenate([np.zeros((0, 2)), *(shapely.get_coordinates(one)[1:-1] for one in lines)])


def turned(table, question, verdict, seed):
    """Mirrored, and turned by a quarter, a half or three, a table has the same answer."""
    other = ask(*other_way_round(table, question, seed), alternatives=False)
    same = (verdict.needed is None) == (other.needed is None)
    if same and verdict.needed is not None:
        same = abs(verdict.needed - other.needed) <= 2 * CLOSE
    hair = verdict.margin is not None and abs(verdict.margin) <= 2 * CLOSE
    if not same or (verdict.answer != other.answer and not hair):
        yield f"turned: {verdict.answer} {verdict.needed} becomes {other.answer} {other.needed}"


def other_way_round(table, question, seed):
    """The table and the question, mirrored or not and turned by so many quarters as the seed says."""
    return rebuilt(table, question, by_quarters(table.width, random.Random(seed)))


def by_quarters(size, dice):
    """Where a place of a square table is then: mirrored or not, and turned by quarters."""
    k, mirror = dice.randrange(4), dice.random() < 0.5

    def place(p):
        x, y = p[0] - size / 2, p[1] - size / 2
        x = -x if mirror else x
        for _ in range(k):
            x, y = -y, x
        return (x + size / 2, y + size / 2)

    return place
