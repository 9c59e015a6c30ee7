"""Reach by chance: nested areas in closed form, lines where dice land, places and areas of one mind."""

from fractions import Fraction
from itertools import pairwise
from math import acos, asin, cos, dist, pi, radians, sin, sqrt

import numpy as np
import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.solver.charges import charges
from sbg_sim.solver.reach import reach
from tests.heights.stage import PASS, SIX, box, disc, move, mover, other, piece, table, wall

X = Y = 20.0
M = 6.0


def segment(d):
    """Area of a disc of radius M beyond a chord d from its centre."""
    return M * M * acos(d / M) - d * sqrt(M * M - d * d)


def regions(*things, **given):
    return reach(table(mover(X, Y, **given), *things), "m")


def nested(rows):
    chances = [c for c, _ in rows]
    assert chances == sorted(set(chances), reverse=True)
    for (_, inner), (_, outer) in pairwise(rows):
        assert shapely.difference(inner, shapely.buffer(outer, 1e-6)).area < 1e-6
        assert shapely.difference(inner, shapely.buffer(outer, 1e-6)).length < 1e-6
    return dict(rows)


def test_a_wall_takes_a_strip():
    """Up to the near side certain; over the wall the straight way is the shortest, so only the strip is missing."""
    found = regions(wall(1.0, x=X + 2))
    rows = nested(found.regions)
    assert list(rows) == [1, PASS, SIX]
    before, after = 2 - 0.5, 2 + 0.5 + 0.5
    certain = pi * M * M - segment(before)
    assert rows[Fraction(1)].area == pytest.approx(certain, abs=0.01)
    assert rows[SIX].area == pytest.approx(certain + segment(after), abs=0.01)
    assert rows[PASS].area == rows[Fraction(1)].area


def test_the_landing_line():
    """With a 2 the mover stands beyond the wall, on the chord of its reach that touches it."""
    rows = dict(regions(wall(1.0, x=X + 2)).regions)
    line = shapely.difference(rows[PASS], shapely.buffer(rows[Fraction(1)], 1e-9))
    half = sqrt(M * M - 9)
    assert line.length == pytest.approx(2 * half, abs=1e-3)
    assert line.bounds == pytest.approx((X + 3, Y - half, X + 3, Y + half), abs=1e-3)


def test_two_walls():
    found = regions(wall(1.0, x=X + 1), wall(1.0, x=X + 3, name="second"))
    rows = nested(found.regions)
    assert list(rows) == [1, PASS, SIX, SIX * PASS, SIX**2]
    certain = pi * M * M - segment(0.5)
    between = segment(2.0) - segment(2.5)
    assert rows[Fraction(1)].area == pytest.approx(certain, abs=0.01)
    assert rows[SIX].area == pytest.approx(certain + between, abs=found.area_error)
    assert rows[SIX**2].area == pytest.approx(certain + between + segment(4.0), abs=found.area_error)


def test_a_gap_keeps_to_its_width():
    """Three wide is twice the height: straight over only, so what lies beyond is reached along the rim first."""
    gap = piece("gap", "gap", box(X + 1, -1, X + 4, 41), depth=2.0)
    found = reach(table(mover(X, Y), gap, leap_needs="remaining"), "m")
    rows = nested(found.regions)
    line = shapely.difference(rows[PASS], shapely.buffer(rows[Fraction(1)], 1e-9))
    # Up to the rim 0.5 and over 4: what is left of 6 goes along the rim beforehand, aslant on the first half inch.
    half = sqrt((M - 4) ** 2 - 0.25)
    assert line.length == pytest.approx(2 * half, abs=1e-3)


def test_a_leap_lands_beyond_what_is_left():
    """What counts is the maximum Move (LEAP.1): the whole rim that is come to in time is leapt from."""
    rows = nested(regions(piece("gap", "gap", box(X + 1, -1, X + 4, 41), depth=2.0)).regions)
    line = shapely.difference(rows[PASS], shapely.buffer(rows[Fraction(1)], 1e-9))
    assert line.length == pytest.approx(2 * sqrt(M**2 - 0.25), abs=0.13)  # as fine as samples at its ends
    assert line.bounds[0] == line.bounds[2] == pytest.approx(X + 4.5)


def test_a_leap_aslant_lands_as_far_as_the_move_is_long():
    """From the last place of the rim that is come to in time it still leads on along the rim, as far as it may cost."""
    rows = nested(regions(piece("gap", "gap", box(X + 1, -1, X + 1.5, 41), depth=2.0)).regions)
    line = shapely.difference(rows[PASS], shapely.buffer(rows[Fraction(1)], 1e-9))
    half = sqrt(M**2 - 0.5**2) + sqrt(M**2 - 1.5**2)
    assert line.bounds == pytest.approx((X + 2, Y - half, X + 2, Y + half), abs=0.07)  # as fine as samples at its ends
    assert line.length == pytest.approx(2 * half, abs=0.13)


@pytest.mark.parametrize("y", [8.0, 32.0])
def test_a_leap_aslant_lands_up_to_the_corner_of_its_rim(y):
    """The gap ends short of the table's edges; what is not in it is closed."""
    gap = piece("gap", "gap", box(X + 1, 1, X + 1.5, 39), depth=2.0)
    ends = [piece(f"w{k}", "unscalable", box(X + 1, k, X + 1.5, k + 1)) for k in (0, 39)]
    rows = nested(reach(table(mover(X, y), gap, *ends), "m").regions)
    line = shapely.difference(rows[PASS], shapely.buffer(rows[Fraction(1)], 1e-9))
    half = sqrt(M**2 - 0.5**2) + sqrt(M**2 - 1.5**2)
    low, high = (1.0, y + half) if y < 20 else (y - half, 39.0)
    assert (line.bounds[1], line.bounds[3]) == pytest.approx((low, high), abs=0.09)  # two places of a rim


def test_a_leap_from_roof_to_roof_lands_beyond_what_is_left():
    start = table(
        mover(X, Y, on="a"),
        piece("a", "platform", box(X - 10, 0, X + 1, 40), height=4.0),
        piece("b", "platform", box(X + 2, 0, X + 12, 40), height=4.0),
    )
    rows = nested(reach(start, "m").platforms["b"])
    half = sqrt(M**2 - 0.5**2) + sqrt(M**2 - 2**2)
    assert rows[PASS].bounds == pytest.approx((X + 2.5, Y - half, X + 2.5, Y + half), abs=0.07)


def test_straight_across_a_jump_lands_opposite_to_where_it_begins():
    """It may cost more than is left, and leads nowhere aslant."""
    start = table(mover(X, Y), piece("w", "obstacle", box(X + 1, -1, X + 1.5, 41), height=1.0))
    across = start.under("jump_without_movement", "yes").under("jump_landing", "across")
    rows = nested(reach(across, "m").regions)
    line = shapely.difference(rows[PASS], shapely.buffer(rows[Fraction(1)], 1e-9))
    assert line.length == pytest.approx(2 * sqrt(M**2 - 0.5**2), abs=0.13)


def test_a_jump_that_costs_more_than_is_left_does_not_land_in_a_zone():
    """An enemy just beyond the wall keeps who is put down there two bases and an inch away, straight across or not."""
    foe = piece("w", "obstacle", box(X + 1, -1, X + 7, 41), height=1.0)
    start = table(mover(X, Y, move=1.0), foe)
    start = start.with_model(sbg.Model("foe", (X + 8.5, Y), base=1.0, height=1.5, move=1.0, side="evil"))
    begun = start.under("jump_without_movement", "yes")
    rows = nested(reach(begun, "m").regions)
    line = shapely.intersection(rows[PASS], shapely.box(X + 7, 0, X + 8, 40))
    barred = shapely.LineString([(X + 7.5, Y - sqrt(3)), (X + 7.5, Y + sqrt(3))])  # 2 in from the enemy's centre
    assert shapely.intersection(line, shapely.buffer(barred, 1e-6, cap_style="flat")).length < 0.1
    assert shapely.distance(line, shapely.Point(X + 7.5, Y - sqrt(3))) < 0.05
    assert line.bounds[3] - line.bounds[1] > 20


def test_onto_a_platform():
    """The top from half an inch within; every place is reached along the straight line to it."""
    found = regions(piece("t", "platform", box(X + 2, 0, X + 12, 40), height=1.0))
    assert nested(found.regions).keys() == {1}
    rows = nested(found.platforms["t"])
    assert rows.keys() == {PASS, SIX}
    assert rows[SIX].area == pytest.approx(segment(2.5), abs=0.01)
    assert rows[PASS].length == pytest.approx(2 * sqrt(M * M - 2.5**2), abs=1e-3)


def test_up_a_low_step_is_certain():
    found = regions(piece("t", "platform", box(X + 2, 0, X + 12, 40), height=0.5))
    rows = nested(found.platforms["t"])
    assert list(rows) == [1]
    assert rows[Fraction(1)].area == pytest.approx(segment(2.5), abs=0.01)


def test_up_a_ladder():
    """1.5 to its foot and 3 up leave 1.5: half a disc, but for the half inch of rim."""
    found = regions(
        piece("t", "platform unscalable", box(X + 2, 0, X + 12, 40), height=3.0),
        piece("l", "ladder", at=(X + 2, Y), to="t"),
    )
    assert nested(found.platforms["t"])[Fraction(1)].area == pytest.approx(pi * 1.5**2 / 2, abs=0.01)


def test_up_a_face():
    """1.5 to the face and 4 up leave 0.5; the 2 to 5 land on the rim as far as hypot(1.5, y) + 4 is within 6."""
    found = regions(piece("t", "platform", box(X + 2, 0, X + 12, 40), height=2.0))
    rows = nested(found.platforms["t"])
    assert rows[PASS].length == pytest.approx(2 * sqrt(4 - 1.5**2), abs=1e-2)
    assert rows[SIX].bounds[2] == pytest.approx(X + 2.5 + 0.5, abs=1e-2)


def test_a_lone_wall_leaves_chance_only_where_the_way_round_is_too_long():
    found = regions(piece("w", "obstacle", box(X + 2, Y - 1, X + 2.5, Y + 1), height=1.0))
    rows = nested(found.regions)
    around = shapely.difference(rows[SIX], rows[Fraction(1)])
    assert around.area > 0
    assert pi * M * M - 3.5 > rows[Fraction(1)].area > pi * M * M - 12
    at = X + M - 0.02, Y
    assert found.chance(at) == SIX
    assert found.chance((X + 3.2, Y + 0.3)) == 1


@pytest.mark.parametrize(
    "things",
    [
        (wall(1.0, x=X + 2),),
        (wall(1.2, x=X + 1.5), piece("rock", "unscalable", disc(X + 4, Y + 1, 0.8))),
        (
            piece("w", "obstacle", box(X + 1.5, Y - 2, X + 2, Y + 2), height=1.4),
            piece("b", "difficult", disc(X, Y + 3, 2)),
        ),
        (piece("gap", "gap", box(X + 1, Y - 3, X + 3, Y + 3), depth=2.0),),
    ],
)
def test_places_and_areas_agree(things):
    """A place well inside a region, and outside every better one, has that region's chance."""
    found = regions(*things)
    rows = found.regions
    for dx, dy in [(-3.1, 1), (0.7, -3.3), (2.9, 0.35), (3.6, -1.1), (4.9, 0.2), (3.3, 4.1), (5.4, -2.0), (6.5, 0)]:
        at = (X + dx, Y + dy)
        spot = shapely.Point(at)
        if any(abs(shapely.distance(spot, shapely.boundary(area))) < 0.02 for _, area in rows if area.area):
            continue
        expected = next((c for c, area in rows if shapely.contains(area, spot)), 0)
        assert found.chance(at) == expected, at


def test_charges_by_chance():
    """Beyond a wall an enemy is charged with a 6, as far round its base as the Move goes."""
    start = table(mover(X, Y), wall(1.0, x=X + 1), other("e", X + 6, Y))
    entry = charges(start, "m")["e"]
    assert (entry.verdict.chance, entry.arcs) == (SIX, ())
    ((chance, ((first, last),)),) = entry.by_chance
    assert chance == SIX
    # The tangent touches at acos(1/6) from the near side, sqrt(35) away; what is left goes round the base, an inch an
    # inch since its contact circle has radius 1.
    half = acos(1 / 6) + 6 - sqrt(35)
    assert (first, last) == (pytest.approx(pi - half, abs=1e-3), pytest.approx(pi + half, abs=1e-3))


def test_a_landing_in_contact_counts_the_two():
    """Contact right beyond the wall: a 2 puts the charger there, at the one place; a 6 lets it choose."""
    start = table(mover(X, Y), wall(1.0, x=X + 1), other("e", X + 3, Y))
    entry = charges(start, "m")["e"]
    assert entry.verdict.chance == PASS
    (best, ((first, last),)), (after, _) = entry.by_chance
    assert (best, after) == (PASS, SIX)
    assert first == last
    assert first % (2 * pi) == pytest.approx(pi, abs=1e-6)


@pytest.mark.parametrize(("climbed", "area"), [(1.5, pi * M * M / 2), (2.0, 0.0)])
def test_from_a_face(climbed, area):
    """By its height it comes down free and has all of its Move; from higher up nothing is certain."""
    start = table(mover(X, Y, climbed=climbed), piece("t", "platform", box(X + 0.5, 0, X + 9, 40), height=9.0))
    assert reach(start, "m").area.area == pytest.approx(area, abs=0.01)


@pytest.mark.parametrize("most", [0.0, 1e-7, 1e-4])
def test_who_gets_nowhere_still_covers_its_base(most):
    found = reach(table(mover(X, Y, move=most)), "m")
    assert found.area.area == pytest.approx(pi * most**2, abs=1e-6)
    assert found.area.distance(shapely.Point(X, Y)) <= 1e-6
    assert found.swept.area == pytest.approx(pi * (0.5 + most) ** 2, abs=1e-3)


def test_a_prone_model_of_no_move_crawls():
    assert reach(table(mover(X, Y, move=0.0, prone=True)), "m").area.area == pytest.approx(pi, abs=1e-2)


@pytest.mark.parametrize("off", [0.0, 0.3])
def test_a_round_top_is_reached_as_far_as_the_whole_base_stands_on_it(off):
    """It was drawn 0.01 in too far, where bands of the ways down begin."""
    tower = {"tags": ["platform"], "height": 2, "circle": {"center": (10, 10), "radius": 1.5}}
    me = {"at": (10 + off, 10), "base": 1, "height": 2, "move": 4, "side": "good", "on": "tower"}
    found = sbg.reach(sbg.Table(20, 20, models={"me": me}, terrain={"tower": tower}), "me", least=1)
    assert found.area.area == pytest.approx(pi, abs=found.area_error)
    assert not found.area.buffer(-1e-3).intersects(shapely.Point(10, 10).buffer(1, 512).exterior)


@pytest.mark.parametrize(("on", "at"), [("b", (26.0, 21.8)), (None, (23.9, 18.9)), (None, (27.3, 18.5))])
def test_a_step_up_that_touches_difficult_ground_slides_along_it(on, at):
    """Beside the corner of a difficult top, on to a place on the next one, past its other side, and round its end."""
    rough = piece("a", "platform difficult", box(20.25, 20, 25.25, 23.25), height=0.25)
    plain = piece("b", "platform", box(25.25, 20.25, 30, 24.5), height=0.25)
    here = table(mover(24, 24.75, move=8.0), rough, plain)
    found, needed = reach(here, "m").distance_on(on, [at])[0], move(here, at, on).needed
    assert found == pytest.approx(needed, abs=1e-9)


@pytest.mark.parametrize("corners", [1, -1])
def test_straight_on_over_the_side_of_a_top_on_which_the_centre_may_stand(corners):
    """By its centre a base stands up to the very outline, whichever way round that is drawn: no movement is lost."""
    top = piece("top", "platform", sbg.polygon([(18, 19), (23, 19), (23, 22), (18, 22)][::corners]), height=0.75)
    found = reach(table(mover(17.25, 24.0), top, stand_on="centre"), "m")
    chance, area = found.platforms["top"][-1]
    assert chance == SIX
    for angle in range(-53, -30, 2):
        near, far = ((17.25 + r * cos(radians(angle)), 24 + r * sin(radians(angle))) for r in (5.999, 6.001))
        assert shapely.contains_xy(area, *near)
        assert not shapely.contains_xy(area, *far)


@pytest.mark.parametrize("x", [14.0, 16.5, 17.0])
def test_nothing_beyond_a_pit_in_a_top_is_certain(x):
    """A pit a leap takes a die to cross parts a top that is stood on by one's centre: this side alone is certain."""
    deck = piece("deck", "platform", box(10, 10, 26, 16), height=2.0)
    pit = piece("pit", "gap", box(17, 10, 19, 16), depth=1.0, on="deck")
    found = reach(table(mover(x, 13, on="deck"), deck, pit, stand_on="centre"), "m")
    back = 6 * (x - 10) if x - 10 < sqrt(M * M - 9) else 3 * sqrt(M * M - 9) + M * M * asin(3 / M)
    assert found.area.area == pytest.approx(6 * (17 - x) + back, abs=found.area_error)
    assert found.area.bounds[2] == pytest.approx(17.0, abs=1e-5)


def test_no_ray_leaves_a_rim_where_a_zone_closes_it():
    """A zone cuts off the round corner of a bog: along its edge the way leads through the bog, an inch for two.

    The rim from where the zone begins to where it ends is closed; a fan drawn from in between held places up to a
    tenth of an inch beyond the Move.
    """
    bog = {
        "tags": ["platform", "difficult"],
        "polygon": [[19.25, 16], [21.5, 16], [21.5, 18], [19.25, 18]],
        "height": 0.5,
    }
    models = {
        "m": {"at": [18.25, 19.25], "base": 1, "height": 1.5, "move": 6, "side": "good"},
        "e": {"at": [22.5, 20.25], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
    }
    made = sbg.Table(36, 36, models=models, terrain={"a": bog}, rulings={"stand_on": "centre"})
    corner, zone = shapely.Point(21.5, 18), shapely.Point(22.5, 20.25)
    apart, toward = corner.distance(zone), np.arctan2(-2.25, -1.0)  # from the enemy
    off = acos((4 + apart**2 - 0.25) / (4 * apart))
    first, last = ((22.5 + 2 * cos(toward + s * off), 20.25 + 2 * sin(toward + s * off)) for s in (-1, 1))
    area, held = reach(made, "m").area, []
    for to in [(x, y) for x in (23.34, 23.44, 23.54, 23.64) for y in (17.38, 17.48, 17.58, 17.68)]:
        cost = dist((18.25, 19.25), first) + 2 * 2 * 2 * off + dist(last, to)
        assert sbg.check(made, sbg.Move("m", to)).needed == pytest.approx(cost, abs=1e-6)
        assert area.contains(shapely.Point(to)) == (cost <= 6)
        held.append(cost <= 6)
    assert held.count(True) == 12


def test_within_a_cost_that_is_no_part_of_the_move():
    found = regions()
    assert found.within(M, None).area == pytest.approx(pi * M * M, abs=0.02)
    assert found.within(2, None).area == pytest.approx(pi * 2 * 2, abs=0.02)
    assert found.within(2, "nowhere").is_empty
    for cost in (-1, M + 1, "two", True, float("nan")):
        with pytest.raises(sbg.QuestionError, match="from 0 to 6 in"):
            found.within(cost, None)
