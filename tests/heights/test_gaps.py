"""Leaping over gaps: how wide, with what movement left, and what a 1 does (LEAP, FALL.2)."""

from fractions import Fraction
from math import acos, asin, atan2, cos, dist, hypot, sqrt, tan

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.referee import audit
from sbg_sim.table.faults import table_faults
from tests.heights.stage import PASS, POLISHED, SIX, TOLD, box, disc, move, mover, piece, table


def gap(width, depth=3.0, x=6.0):
    """A gap across the whole table; by its sheer sides nobody climbs down or out."""
    return piece("gap", "gap unscalable", box(x, -1, x + width, 41), depth=depth)


@pytest.mark.parametrize("width", [0.5, 2.0, 2.9999, 3.0])
def test_up_to_twice_the_height(width):
    """From touching the near rim to touching the far one, so fully on it: the width and a base."""
    found = move(table(mover(5, 12), gap(width)), (6.5 + width, 12))
    assert (found.chance, found.needed) == (PASS, pytest.approx(1.5 + width, abs=POLISHED))
    beyond = move(table(mover(5, 12), gap(width)), (7 + width, 12))
    assert (beyond.chance, beyond.needed) == (SIX, pytest.approx(2 + width, abs=POLISHED))


@pytest.mark.parametrize("width", [3.0001, 4.0])
def test_a_hair_wider_is_too_wide(width):
    found = move(table(mover(5, 12, move=20.0), gap(width)), (6.5 + width, 12))
    assert (found.answer, found.needed) == ("no", None)


@pytest.mark.parametrize("width", [2.999, 3.001])
def test_a_finger_of_ground_too_narrow_to_stand_on_is_leapt_with_the_gap(width):
    """Two arms of a gap about a strip 0.3 wide: the leap is as wide as from the first rim to the last."""
    arms = [(6, -1), (6 + width, -1), (6 + width, 41), (7.6, 41), (7.6, 1), (7.3, 1), (7.3, 41), (6, 41)]
    cut = piece("gap", "gap unscalable", sbg.polygon(arms), depth=3.0)
    found = move(table(mover(5, 12), cut), (6.5 + width, 12))
    assert (found.chance, found.needed) == (
        (PASS, pytest.approx(1.5 + width, abs=POLISHED)) if width < 3 else (0, None)
    )
    # It falls beside the strip, to the bottom.
    assert [(test.drop, test.fail_on) for test in found.tests] == ([(3.0, "gap")] if width < 3 else [])


def test_aslant_as_far_as_twice_the_height_goes():
    """A gap 2 wide is 3 long along a slope of sqrt(5)/2: what is missing to that slope is walked first."""
    found = move(table(mover(5.5, 12), gap(2.0)), (8.5, 16))
    rise = 3 * sqrt(5) / 2
    assert found.chance == PASS
    assert found.needed == pytest.approx(4 - rise + hypot(3, rise), abs=1e-5)


def test_width_at_its_narrowest():
    """The other reading: 2 wide is narrow enough whichever way it is leapt."""
    found = move(table(mover(5.5, 12), gap(2.0), leap_width="narrowest"), (8.5, 16))
    assert (found.chance, found.needed) == (PASS, pytest.approx(5, abs=POLISHED))
    wide = move(table(mover(5.5, 12), gap(3.001), leap_width="narrowest"), (9.501, 12))
    assert wide.needed is None


@pytest.mark.parametrize(("low", "cost"), [(4.0, 5), (-1.0, 4 - 3 * sqrt(5) / 2 + 4.5)])
def test_a_gap_amid_a_deck_has_a_width_and_one_with_an_open_side_has_none(low, cost):
    """By the other reading 2 in are narrow enough however it is leapt; a notch is 3 long along a leap, as above."""
    deck = piece("deck", "platform unscalable", box(2, 0, 14, 24), height=4.0)
    pit = piece("pit", "gap unscalable", box(6, low, 8, 24 - low), on="deck", depth=3.0)
    found = move(table(mover(5.5, 12, on="deck"), deck, pit, leap_width="narrowest"), (8.5, 16), "deck")
    assert (found.chance, found.needed) == (PASS, pytest.approx(cost, abs=1e-5))


@pytest.mark.parametrize(("depth", "on", "drop"), [(None, None, 4.0), (0.5, "hole", 1.5)])
def test_where_a_hole_is_of_unknown_depth_the_deck_is_not_there_to_fall_on(depth, on, drop):
    """Two stones an inch high on a deck of 3, a leap over the hole between them: a 1 leads through it to the ground."""
    deck = piece("deck", "platform unscalable", box(2, 0, 14, 24), height=3.0)
    stones = (
        piece(name, "platform unscalable", box(x, 8, x + 2, 16), height=1.0, on="deck")
        for name, x in (("near", 4), ("far", 8))
    )
    hole = piece("hole", "gap unscalable", box(6.1, 7, 7.9, 17), on="deck", depth=depth)
    at = table(mover(5, 12, on="near"), deck, *stones, hole)
    (test,) = move(at, (9, 12), "far").tests
    assert (test.fail_on, test.drop) == (on, pytest.approx(drop, abs=TOLD))
    stops = {stop.results: stop.surface for stop in audit(at, "m", move(at, (9, 12), "far").play).stops}
    assert stops == {("1",): on, ("2-5",): "far", ("6",): "far"}


def test_what_is_left_of_the_move_or_all_of_it():
    """An inch to the rim, 3 over a gap 2 wide: 4 in all. With 3.5 only the other reading lets it leap."""
    start = table(mover(4.5, 12, move=3.5), gap(2.0))
    found = move(start.under("leap_needs", "remaining"), (8.5, 12), alternatives=True)
    assert (found.answer, found.needed) == ("no", pytest.approx(4, abs=POLISHED))
    assert "leap_needs = maximum" in found.rulings
    allowed = move(start, (8.5, 12), alternatives=True)
    assert allowed.chance == PASS
    assert "leap_needs = remaining" in allowed.rulings
    short = move(table(mover(4.5, 12, move=2.9), gap(2.0), leap_needs="maximum"), (8.5, 12))
    assert short.chance == 0
    beyond = move(start.under("leap_needs", "maximum"), (8.6, 12))
    assert beyond.chance == 0


@pytest.mark.parametrize(
    ("depth", "hits", "begun"),
    [(1.0, 0, 0), (1.5, 0, 0), (1.51, 1, 2), (2.5, 2, 2), (2.6, 2, 3), (3.4, 2, 3), (4.5, 4, 4)],
)
def test_hits_at_the_bottom(depth, hits, begun):
    """None up to the own height of 1.5; beyond it one, and one more for each whole inch, or inch begun."""
    start = table(mover(5, 12), gap(0.9, depth))
    (test,) = move(start, (7.4, 12)).tests
    assert (test.fail_hits, test.prone_on_fail, test.drop) == (hits, True, depth)
    assert test.fail_at == pytest.approx((6.45, 12), abs=1e-6)  # at the bottom, half way
    assert test.fail_on == "gap"
    (other,) = move(start.under("fall_inches", "begun"), (7.4, 12)).tests
    assert other.fail_hits == begun
    assert ("hit" in test.results["1"]) == (hits > 0)


def test_cavalry_leaps():
    assert move(table(mover(5, 12, keywords=frozenset({"cavalry"})), gap(2.0)), (8.5, 12)).chance == PASS


def test_a_short_gap_is_walked_round():
    pit = piece("pit", "gap", box(6, 11.5, 7, 12.5), depth=3.0)
    found = move(table(mover(5.5, 12, move=6.0), pit), (7.5, 12))
    assert (found.chance, found.tests) == (1, ())


def test_a_leap_needs_room_to_stand():
    """The far side is an inch deep before a sheer rock, a hair less and nobody can stand there."""
    for room, chance in ((1.0, PASS), (0.999, 0)):
        rock = piece("rock", "unscalable", box(8 + room, -1, 12, 41))
        found = move(table(mover(5.5, 12), gap(2.0), rock), (8.5, 12))
        assert found.chance == chance


@pytest.mark.parametrize("rise", [0.0, 0.5])
def test_a_leap_from_roof_to_roof_leads_past_no_further_gap(rise):
    """Over 1 in between two roofs: straight, or so that the base touches the corner of a pit in the second."""
    low = piece("low", "platform unscalable", box(11, 8, 15, 14), height=3.0 - rise)
    high = piece("high", "platform unscalable", box(6, 8, 10, 14), height=3.0)
    bare = table(mover(9.5, 10, on="high"), high, low)
    straight = move(bare, (11.5, 12), "low")
    assert straight.needed == pytest.approx(2 * sqrt(2), abs=POLISHED)
    pit = piece("pit", "gap unscalable", box(11.2, 10.3, 11.45, 11.4), depth=2.0, on="low")
    found = move(table(mover(9.5, 10, on="high"), high, low, pit), (11.5, 12), "low")
    # From the landing the corner is seen at a slope of 2; the tangent to the circle about it turns by atan(sqrt(5)/2).
    slope = (2 - sqrt(5) / 2) / (1 + sqrt(5))
    needed = 2 - 2 * slope + 2 * hypot(1, slope)
    assert (found.needed, found.chance) == (pytest.approx(needed, abs=POLISHED), PASS)
    seen = audit(table(mover(9.5, 10, on="high"), high, low, pit), "m", straight.route)
    assert [(v.rule, v.blame) for v in seen.violations] == [("LEAP.1", "pit")]


def test_no_end_above_the_gap():
    found = move(table(mover(5, 12), gap(2.0)), (7, 12))
    assert (found.answer, found.violations[0].rule) == ("no", "LEAP.1")


def test_straight_over_costs_to_the_last_digit():
    assert move(table(mover(5.5, 12), gap(2.0)), (8.5, 12)).needed == pytest.approx(3, abs=TOLD)


def test_the_widest_gap_is_leapt_from_afar():
    """Exactly 2h wide, it can only be leapt straight across: the take-off must be the place opposite to the landing."""
    found = move(table(mover(4.0, 12.073), gap(3.0)), (9.5, 12.073))
    assert (found.chance, found.needed) == (PASS, pytest.approx(5.5, abs=POLISHED))
    aside = move(table(mover(4.0, 12.173), gap(3.0)), (9.5, 12.073))
    assert (aside.chance, aside.needed) == (PASS, pytest.approx(hypot(1.5, 0.1) + 4, abs=POLISHED))
    maximum = move(table(mover(4.0, 12.073, move=5.0), gap(3.0), leap_needs="maximum"), (9.5, 12.073))
    assert maximum.chance == PASS


@pytest.mark.parametrize("width", [2.9, 2.99, 2.9999, 3.0])
@pytest.mark.parametrize(("to", "chance"), [(12.3, SIX), (14.0, SIX), (10.9, SIX)])
def test_a_leap_as_far_aslant_as_its_length_allows(width, to, chance):
    """Over a gap nearly 2h wide the leap is as slanted as 2h allows, and the rest is walked before and after it."""
    across = width + 1.0
    most = sqrt(9 - width**2) * across / width
    rise = to - 12.0

    def length(start, slant):
        return hypot(1.5, start) + hypot(across, slant) + hypot(1.5, rise - start - slant)

    # For a given slant both walks go one way, so it is a question of the slant alone; the more of the way, the better.
    slant = min(max(rise * across / (across + 3.0), -most), most)
    walked = rise - slant
    best = length(walked / 2, slant)
    found = move(table(mover(4, 12, move=20.0), gap(width)), (8.0 + width, to))
    assert (found.needed, found.chance) == (pytest.approx(best, abs=POLISHED), chance)
    assert found.at_most - found.at_least <= 1e-6


@pytest.mark.parametrize(("x", "faults"), [(9.0, 0), (8.5, 0), (8.4999, 1), (3.0, 1)])
def test_who_fell_lies_in_the_gap(x, faults):
    """A base wider than the gap lies over its rims, but never with its centre outside (8.5 to 9.5)."""
    crack = piece("g", "gap", box(8.5, 0, 9.5, 24), depth=2.0)
    at = table(mover(x, 12, base=1.5, on="g", prone=True), crack)
    assert len(table_faults(at)) == faults


def test_a_walk_that_falls_short_hides_no_dearer_leap():
    """The ladder is 0.25 in too long; down the wall with a 6 and over the ditch is dearer, but begun in time."""
    table = sbg.Table(
        24,
        24,
        models={
            "uruk": {"at": [9, 15], "base": 1, "height": 1.5, "move": 6, "side": "evil", "on": "tower"},
            "merry": {"at": [11.269, 11.261], "base": 1, "height": 1.5, "move": 6, "side": "good"},
        },
        terrain={
            "tower": {"tags": ["platform"], "height": 2, "polygon": [[7, 13], [11, 13], [11, 17], [7, 17]]},
            "steps": {"tags": ["ladder"], "at": [11, 15], "to": "tower"},
            "ditch": {"tags": ["gap"], "depth": 3, "polygon": [[8.5, 2], [10, 2], [10, 12], [8.5, 12]]},
        },
    )
    found = sbg.check(table, sbg.Charge("uruk", "merry"))
    assert (found.answer, found.chance) == ("chance", Fraction(5, 36))
    assert [test.kind for test in found.tests] == ["descend", "leap"]
    nearer = table.having("uruk", move=6.26)
    assert sbg.check(nearer, sbg.Charge("uruk", "merry")).answer == "yes"


@pytest.mark.parametrize("wide", [0.5, 1.0, 1.4])
@pytest.mark.parametrize("y", [12.0, 13.5, 15.0, 17.0, 18.5, 19.0])
def test_a_last_leap_begins_within_the_move_where_the_cheapest_way_would_not(wide, y):
    """The straight way comes to the rim too late; the best that does not comes to it with nothing left, and leaps on.

    A leap may cost the maximum Move itself.
    """
    start = table(mover(3.5, 12, move=5.3), gap(wide, x=9.0))
    near, end = (8.5, 12 + (y - 12) * 5 / (6 + wide)), (9.5 + wide, y)
    if dist((3.5, 12), near) > 5.3:
        near = (8.5, 12 + sqrt(5.3**2 - 5**2))
    found = move(start, end)
    if dist(near, end) > 5.3:
        assert found.chance == 0
    else:
        assert (found.chance, found.needed) == (PASS, pytest.approx(dist((3.5, 12), near) + dist(near, end), abs=1e-8))
        assert found.at_most - found.at_least < POLISHED
    assert move(start.under("leap_needs", "remaining"), end).chance == 0


def test_a_last_leap_that_would_cost_more_than_the_move_begins_nearer():
    """Straight over is nearest; from as far along the rim as the leap may be long it still begins in time."""
    start = table(mover(8.0, 12, move=3.0), gap(0.5, x=9.0))
    y = 12 + 3.7
    away = y - sqrt(3**2 - 1.5**2)  # where along the near rim a leap of 3 in begins
    found = move(start, (10, y))
    assert found.chance == PASS
    assert found.needed == pytest.approx(hypot(0.5, away - 12) + 3, abs=POLISHED)
    assert hypot(2, 3.7) < found.needed


@pytest.mark.parametrize("y", [12.0, 12.1])
@pytest.mark.parametrize("most", [10.0, 5.8])  # the second falls short where the leap ends, not where it begins
@pytest.mark.parametrize("room", [0.064, 0.072])
def test_between_two_posts_from_a_place_between_two_samples(y, most, room):
    """Both posts leave the near rim a few hundredths of an inch: from there the leap just clears the lower one."""
    low, high = (13.8, y - 0.576), (13.8, y + 0.576 + room)
    posts = (piece(name, "unscalable", disc(*at, 0.1), height=4.0) for name, at in (("low", low), ("high", high)))
    at = table(mover(6, y, move=most), gap(1.5, depth=14.0, x=12.0), *posts)
    end = (14.0, y)
    away = dist(end, low)
    # How far above west the leap begins as seen from its end: half the angle of the ring, less that of the post.
    rise = asin(0.6 / away) - atan2(end[1] - low[1], end[0] - low[0])
    across, up = 2.5, 2.5 * tan(rise)
    found = move(at, end)
    assert (found.chance, found.needed) == (PASS, pytest.approx(hypot(5.5, up) + hypot(across, up), abs=1e-5))


@pytest.mark.parametrize("on", ["wall", "gap"])
@pytest.mark.parametrize("room", [1e-5, 1e-4, 1e-3])
def test_on_from_where_a_way_between_two_posts_lands(on, room):
    """The way over leads through between samples alone, as steeply down as the two posts let it, and ends beyond."""
    y = 12.037
    aside = (0.6 + room / 2) * np.array([-1, 1])
    posts = (piece(f"post{d:+}", "unscalable", disc(6.25, y + d, 0.1), height=4.0) for d in aside.tolist())
    crossed = piece("wall", "obstacle", box(6, -1, 6.5, 41), height=1.0) if on == "wall" else gap(0.5)
    at = table(mover(4, 12.3, move=8.0), crossed, *posts)
    turn = acos(1.2 / (1.2 + room))
    down = 0.75 * tan(turn)
    needed = hypot(1.5, 12.3 - y - down) + 1.5 / cos(turn) + hypot(3, y - down - 11.6)
    found = move(at, (10, 11.6))
    assert (found.needed, found.chance) == (pytest.approx(needed, abs=POLISHED), SIX)


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("room", [0.05, 0.01, 0.001, -0.001])
def test_a_leap_into_contact_past_a_zone_that_leaves_it_little_of_the_rim(room, mirrored):
    """The ditch is 2.9 in wide, a leap 3 in at most: it may begin so far aside of where it lands, and no nearer.

    The cheapest is the longest, for the way there is shorter. A zone of 2.5 in touches the line that leaves the room.
    """
    land, turn = (13.4, 12.0), -1 if mirrored else 1
    aside = 3.9 * sqrt(3**2 - 2.9**2) / 2.9
    back, down = 3.9 / hypot(3.9, aside - room), (aside - room) / hypot(3.9, aside - room)
    begin = (9.5, 12 + turn * (aside - room))
    held = (begin[0] - 2.5 * down, begin[1] - 2.5 * turn * back)
    models = {
        "a": {"at": [6, 12 + 3 * turn], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
        "held": {"at": held, "base": 2, "height": 1, "move": 6, "side": "good"},
        "t": {"at": [land[0] + 1, land[1]], "base": 1, "height": 1.5, "move": 6, "side": "good"},
    }
    ditch = {"tags": ["gap"], "polygon": [[10, 0], [12.9, 0], [12.9, 24], [10, 24]], "depth": 4}
    verdict = sbg.check(sbg.Table(24, 24, models=models, terrain={"ditch": ditch}), sbg.Charge("a", "t"))
    assert verdict.chance == (Fraction(5, 6) if room > 0 else 0)
    if room > 0:
        cost = hypot(3.5, 3 - aside) + hypot(3.9, aside)
        assert verdict.needed == pytest.approx(cost, abs=1e-6)
        assert verdict.needed - verdict.at_least < 1e-6


def test_who_would_stand_over_a_gap_is_told_which():
    found = move(table(mover(5, 12), gap(2.0)), (6.5, 12))
    assert found.reason == "m to (6.5, 12): no, the base would overlap gap, a gap (LEAP.1)"
