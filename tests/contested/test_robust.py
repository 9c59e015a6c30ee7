"""Which ways hold wherever within their doubts the models stand, and what is said where none does."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.contested import legs
from sbg_sim.contested.asking import faults, shifted
from sbg_sim.contested.certain import certainty
from sbg_sim.solver.answer import ask
from sbg_sim.table.questions import Charge, Gap, Move, Sight
from sbg_sim.table.route import Leg

ONE = {"base": 1, "height": 2}


def model(x, y, side="good", **more):
    return {**ONE, "at": [x, y], "side": side, **more}


def me(x=6, y=12, **more):
    return model(x, y, **{"move": 6, **more})


def box(x0, y0, x1, y1, tags="obstacle", **more):
    return {"tags": tags.split(), "height": 3, "polygon": [[x0, y0], [x1, y0], [x1, y1], [x0, y1]], **more}


def table(terrain=None, rulings=None, **models):
    made = sbg.Table(24, 24, models=models, terrain=terrain or {})
    for name, reading in (rulings or {}).items():
        made = made.under(name, reading)
    return made


def told(there, question, **doubts):
    """What is sure of an answer; forty random placements do not contradict it."""
    found = certainty(there, question, doubts=doubts)
    rng = np.random.default_rng(5)
    seen = set()
    for _ in range(40):
        turns, far = rng.uniform(0, math.tau, len(doubts)), np.sqrt(rng.uniform(0.5, 1, len(doubts)))
        moves = {
            name: (doubt * f * math.cos(a), doubt * f * math.sin(a))
            for (name, doubt), a, f in zip(doubts.items(), turns, far, strict=True)
        }
        other = shifted(there, moves)
        if faults(other):
            continue
        verdict = ask(other, question, alternatives=False)
        seen.add(verdict.answer)
        if verdict.needed is not None:
            assert found.at_least is None or verdict.needed >= found.at_least - 1e-6
            assert found.at_most is None or verdict.needed <= found.at_most + 1e-6
    assert not found.sure or seen <= {found.answer}
    return found


@pytest.mark.parametrize(("to", "sure"), [((6, 9), True), ((9, 12), False)])
def test_at_the_start_only_who_goes_straight_away_from_a_base_is_sure_to_get_off_it(to, sure):
    there = table(m=me(), friend=model(6, 13.02))
    found = told(there, Move("m", to), m=0.03)
    assert (found.sure, found.why) == (sure, "" if sure else "friend may be in the way at the start")


@pytest.mark.parametrize(("to", "sure"), [((6, 9), True), ((9, 12), False)])
def test_at_the_start_only_who_goes_straight_away_from_a_zone_is_sure_to_stay_out(to, sure):
    there = table(m=me(), foe=model(6, 14.02, "evil"))
    found = told(there, Move("m", to), m=0.03)
    assert (found.sure, found.why) == (sure, "" if sure else "the zone of foe may be in the way at the start")


def test_beside_one_straight_wall_the_way_along_it_is_sure_in_a_corner_of_two_it_is_not():
    right, below = box(6.51, 8, 6.9, 20), box(2, 11, 6.51, 11.49)
    assert told(table({"right": right}, m=me()), Move("m", (6, 15)), m=0.03).sure
    corner = {
        "tags": ["obstacle"],
        "height": 3,
        "polygon": [[2, 11], [6.9, 11], [6.9, 20], [6.51, 20], [6.51, 11.49], [2, 11.49]],
    }
    found = told(table({"corner": corner}, m=me()), Move("m", (6, 15)), m=0.03)
    assert (found.sure, found.why) == (False, "corner may be in the way at the start")
    assert told(table({"right": right, "below": below}, m=me(6, 12.1)), Move("m", (6, 15)), m=0.03).sure


@pytest.mark.parametrize(("x", "sure"), [(6.52, False), (7, True)])
def test_near_the_rim_of_a_platform_the_start_is_in_doubt(x, sure):
    deck = box(6, 6, 18, 18, "platform")
    there = table({"deck": deck}, m=me(x, 12, on="deck"))
    found = told(there, Move("m", (x + 3, 12), "deck"), m=0.03)
    assert (found.sure, found.why) == (sure, "" if sure else "the rim of deck is too near to the start")


def test_terrain_that_lets_through_or_is_low_is_in_nobodys_way():
    for more in ({"lets_through": ["m"]}, {"height": 0.9}):
        wall = {**box(6.51, 11.4, 6.9, 12.6), **more}
        assert told(table({"wall": wall}, m=me()), Move("m", (4, 12)), m=0.03).sure


def test_to_stay_costs_nothing_wherever_others_stand():
    there = table(m=me(), friend=model(8, 12))
    assert told(there, Move("m", (6, 12)), friend=0.1).at_most == 0
    found = certainty(there, Move("m", (6, 12)), doubts={"m": 0.1})
    assert not found.sure


def test_contact_with_several_at_once_is_never_sure():
    there = table(m=me(), a=model(9, 11.4, "evil"), b=model(9, 12.6, "evil"))
    found = told(there, Charge("m", ("a", "b")), a=0.01)
    assert (found.answer, found.sure) == ("yes", False)
    assert found.why == "contact with several at once hangs on where they stand"


def test_round_a_corner_into_the_zone_is_sure_where_it_leads_inward_all_the_way():
    """Two friends leave a passage just a base wide, and the way round one of them bends as it comes into the zone."""
    there = table(m=me(), one=model(8, 13), two=model(8, 11), foe=model(10, 12, "evil"))
    found = told(there, Charge("m", "foe"), **dict.fromkeys(("m", "one", "two", "foe"), 0.03))
    assert found.sure
    wall = box(8, 0, 8.2, 11.2)
    there = table({"wall": wall}, m=me(y=10.6), foe=model(9.5, 11, "evil"))
    assert told(there, Charge("m", "foe"), m=0.05, foe=0.05).sure


@pytest.mark.parametrize(
    ("others", "why"),
    [
        ({}, "whether it stays in the zone of foe hangs on where the models stand"),
        ({"far": model(20, 20, "evil")}, "whether it stays in the zone of foe hangs on where the models stand"),
        ({"near": model(7.06, 14.57, "evil")}, "which zone is entered first hangs on where the models stand"),
    ],
)
def test_only_enemies_whose_zones_the_way_comes_near_can_be_entered_first(others, why):
    """From within the zone of its target, past the upper corner of a wall: within a hair of that zone's rim."""
    there = table({"wall": box(8.62, 9, 9, 12.6, height=1.9)}, m=me(8.1), foe=model(10, 12, "evil"), **others)
    found = told(there, Charge("m", "foe"), m=0.03, foe=0.03)
    assert (found.answer, found.sure, found.why) == ("yes", False, why)


@pytest.mark.parametrize(("more", "sure"), [({}, True), ({"base": 1.4}, False)])
def test_contact_beside_the_edge_of_the_table(more, sure):
    """A larger base that comes along the edge may have to go round it, where the smaller one stands nearer to it."""
    start = me(6, 0.5 + (0.21 if more else 0.01), **more)
    there = table(m=start, foe=model(11, 0.5 if not more else 0.52, "evil"))
    found = told(there, Charge("m", "foe"), foe=0.1)
    assert found.sure == sure
    assert sure or found.why == "the edge of the table is too near to the contact"


@pytest.mark.parametrize(("tags", "said"), [("obstacle", "wall may be in the way of the contact"), ("difficult", "")])
def test_contact_beside_terrain(tags, said):
    there = table({"wall": box(9, 12.55, 9.9, 13, tags)}, m=me(), foe=model(10, 12, "evil"))
    found = told(there, Charge("m", "foe"), foe=0.1)
    assert (found.sure, found.why) == (not said, said)
    if not said:
        assert found.at_most == pytest.approx(3 + 2 * 0.1, abs=1e-5)  # what it may be farther off counts double


@pytest.mark.parametrize(("y", "sure"), [(6.55, False), (12, True)])
def test_contact_near_the_rim_of_a_platform(y, sure):
    there = table({"deck": box(4, 6, 18, 18, "platform")}, m=me(6, y, on="deck"), foe=model(10, y, "evil", on="deck"))
    found = told(there, Charge("m", "foe"), foe=0.1)
    assert (found.sure, found.why) == (sure, "" if sure else "the rim of deck is too near to the contact")


def test_across_a_barrier_it_is_not_sure_where_the_charge_ends():
    there = table({"wall": box(8, 8, 8.4, 16, height=1.9)}, m=me(6, 12), foe=model(8.9, 12, "evil"))
    assert sbg.check(there, Charge("m", "foe")).answer == "yes"
    found = told(there, Charge("m", "foe"), foe=0.001)
    assert not found.sure
    assert found.at_least is not None


@pytest.mark.parametrize("stays", ["no", "yes"])
def test_who_begins_in_the_zone_of_its_target_is_bound_from_the_start(stays):
    there = table(rulings={"charge_stays_in_zone": stays}, m=me(8.3, 12), foe=model(10, 12, "evil"))
    found = told(there, Charge("m", "foe"), foe=0.02, m=0.02)
    assert found.sure
    assert found.at_most == pytest.approx(0.74, abs=1e-5)


def test_a_ladder_hides_nothing_and_is_in_nobodys_way():
    deck = box(14, 14, 18, 18, "platform")
    rungs = {"tags": ["ladder"], "at": [14, 16], "to": "deck"}
    models = {"m": me(), "foe": model(10, 12, "evil")}
    without, there = (table(pieces, **models) for pieces in ({"deck": deck}, {"deck": deck, "rungs": rungs}))
    for question in (Charge("m", "foe"), Move("m", (6, 9)), Sight("m", "foe")):
        plain, found = (told(one, question, m=0.05, foe=0.05) for one in (without, there))
        assert (found.answer, found.sure, found.why) == (plain.answer, plain.sure, plain.why)
        assert found.sure
    beside = table({"deck": deck, "rungs": {**rungs, "at": [14, 14]}}, m=me(8, 13.5), foe=model(20, 13.5, "evil"))
    assert certainty(beside, Sight("m", "foe"), doubts={"m": 0.05, "foe": 0.05}).sure  # half a base from the line


@pytest.mark.parametrize(("y", "sure"), [(12, True), (13.96, False), (14.3, True)])
def test_who_may_begin_in_a_zone_may_not_charge_another(y, sure):
    """Under this ruling; the zone of who is beside it ends 2 in away, and what it charges lies 3.5 in on."""
    there = table(
        None, {"stuck_then_charge": "no"}, m=me(6, 16), beside=model(6, y, "evil"), foe=model(9.5, 16, "evil")
    )
    found = told(there, Charge("m", "foe"), m=0.05, beside=0.05)
    assert found.sure == sure
    assert found.answer == ("no" if y > 14 else "yes") or not sure


@pytest.mark.parametrize(("x", "sure"), [(8, True), (6.45, False)])
def test_a_wood_one_may_stand_in_hides_nothing_by_one_ruling(x, sure):
    wood = box(x, 11, x + 2, 13, "difficult", height=9)
    there = table({"wood": wood}, {"sight_within": "ignored"}, m=me(), foe=model(14, 12, "evil"))
    found = told(there, Sight("m", "foe"), m=0.08)
    assert found.sure == sure


def test_what_is_none_of_its_enemies_is_surely_not_charged():
    there = table(m=me(), friend=model(9, 12))
    found = certainty(there, Charge("m", "friend"), doubts={"m": 0.1, "friend": 0.1})
    assert (found.answer, found.sure) == ("no", True)


@pytest.mark.parametrize(
    ("base", "off", "sure"), [(1.0, 0.04, True), (1.0, 0.06, False), (1.2, 0.04, True), (1.2, 0.06, False)]
)
def test_a_gap_is_as_wide_as_it_is_and_both_doubts(base, off, sure):
    """The gap is 1.1 in wide: a tenth more or less than the base."""
    there = table(m=me(base=base), a=model(10, 10), b=model(10, 12.1))
    found = certainty(there, Gap(("a", "b"), "m"), doubts={"a": off, "b": off})
    assert (found.answer, found.sure) == ("yes" if base == 1.0 else "no", sure)
    assert (found.at_least, found.at_most) == (pytest.approx(1.1 - 2 * off), pytest.approx(1.1 + 2 * off))
    assert found.why == ("" if sure else "the gap hangs on it")
    assert found.matters == (("a", off), ("b", off))


def test_what_matters_is_weighed_by_how_far_it_moves_the_cost():
    """On a straight way an inch of either is an inch of cost; the one in more doubt comes first."""
    there = table(m=me(), foe=model(10, 12, "evil"))
    found = certainty(there, Charge("m", "foe"), doubts={"m": 0.02, "foe": 0.05})
    assert found.matters == (("foe", pytest.approx(0.05)), ("m", pytest.approx(0.02)))


def test_who_lies_may_have_to_stand_up_where_it_could_have_crawled():
    """Half of a Move of 6 to stand up, and the way, 0.05 longer at most; with a Move of 2 an inch is all there is."""
    there = table(m=me(prone=True))
    found = certainty(there, Move("m", (6.98, 12)), doubts={"m": 0.05})
    assert (found.answer, found.sure) == ("yes", True)
    assert found.at_most == pytest.approx(3 + 0.98 + 0.05, abs=1e-6)
    slow = certainty(there.having("m", move=2), Move("m", (6.98, 12)), doubts={"m": 0.05})
    assert (slow.answer, slow.sure) == ("yes", False)


def test_where_no_way_leads_no_placement_within_the_doubt_finds_one():
    """Sheer walls all around, an inch from the base: no cost is told, and the no is sure."""
    walls = {
        "west": box(3, 9, 4, 15, "unscalable", height=9),
        "east": box(8, 9, 9, 15, "unscalable", height=9),
        "south": box(4, 9, 8, 10, "unscalable", height=9),
        "north": box(4, 14, 8, 15, "unscalable", height=9),
    }
    found = told(table(walls, m=me()), Move("m", (14, 12)), m=0.03)
    assert (found.answer, found.sure, found.at_least, found.at_most) == ("no", True, None, None)


def test_who_goes_no_more_than_a_hair_off_a_lying_enemy_may_end_in_contact_with_it():
    there = table(m=me(), foe=model(7.005, 12, "evil", prone=True))
    for x, sure in ((5.98, False), (5.9, True)):
        found = told(there, Move("m", (x, 12)), foe=0.05)
        assert (found.answer, found.sure, found.why) == ("yes", sure, "" if sure else "it may end in contact with foe")


def test_a_way_that_turns_round_a_base_it_starts_at_passes_it_too_closely():
    there = table(m=me(), friend=model(7, 12))
    found = told(there, Move("m", (9, 12)), friend=0.03)
    assert (found.answer, found.sure, found.why) == ("yes", False, "it passes friend too closely")


def test_out_of_a_zone_round_a_wall_and_past_the_zone_again():
    """Who it starts beside can be taken for no larger than it is, and the way back along its zone then comes too near.

    With a wall 0.9 in thicker the way back keeps off that zone, wherever within its doubt it is.
    """
    for right, sure in ((6.8, False), (7.7, True)):
        wall = box(6.6, 10.5, right, 22, "unscalable", height=1.9)
        there = table({"wall": wall}, m=me(move=14), beside=model(6, 13.01, "evil"), foe=model(8.7, 17, "evil"))
        found = certainty(there, Charge("m", "foe"), doubts={"beside": 0.05})
        why = "" if sure else "it passes the zone of beside too closely"
        assert (found.answer, found.sure, found.why) == ("yes", sure, why)


@pytest.mark.parametrize(
    ("right", "doubt", "stays", "why"),
    [
        (10.5, 0.07, "yes", "whether it stays in the zone of foe hangs on where the models stand"),  # on the arc
        (10.5, 0.07, "no", "wall may be in the way of the contact"),
        (10.6, 0.08, "yes", "whether it stays in the zone of foe hangs on where the models stand"),  # on the straight
        (10.5, 0.03, "yes", "wall may be in the way of the contact"),
    ],
)
def test_a_charge_past_its_target_and_back_may_leave_its_zone_again(right, doubt, stays, why):
    """Along a wall to 1.85 in of its middle, and round its end at 1.94: the zone may end between the two."""
    wall = box(0, 13, right, 13.35, "unscalable", height=1.9)
    there = table({"wall": wall}, {"charge_stays_in_zone": stays}, m=me(6, 13.86, move=8), foe=model(10, 12, "evil"))
    found = certainty(there, Charge("m", "foe"), doubts={"foe": doubt})
    assert (found.answer, found.sure, found.why) == ("yes", False, why)


def test_out_of_a_zone_that_is_in_no_doubt_into_one_that_is():
    there = table(m=me(), beside=model(6, 13.8, "evil"), foe=model(9.5, 11.5, "evil"))
    found = told(there, Charge("m", "foe"), foe=0.03)
    assert found.sure
    assert found.at_most == pytest.approx(math.hypot(3.5, 0.5) - 1 + 0.03, abs=1e-5)


def test_a_jump_over_who_lies_hangs_on_where_it_lies():
    there = table(m=me(4), low=model(7, 12, prone=True), left=model(7, 13.05), right=model(7, 10.95))
    found = told(there, Move("m", (9, 12)), low=0.03)
    assert (found.answer, found.sure, found.why) == ("chance", False, "where low lies decides the jump")
    assert certainty(there, Move("m", (9, 12)), doubts={"m": 0.01}).why != found.why


@pytest.mark.parametrize(("x", "chance", "sure"), [(9.9, "5/6", False), (10, "1/6", True)])
def test_whether_a_die_ends_in_contact_hangs_on_where_the_target_stands(x, chance, sure):
    """Past the wall, 8.4 to the right, it is put down at 8.9: in contact with who stands at 9.9, and just so."""
    there = table({"wall": box(8, 0, 8.4, 24, height=1.2)}, m=me(), foe=model(x, 12, "evil"))
    assert ask(there, Charge("m", "foe"), alternatives=False).chance == Fraction(chance)
    found = told(there, Charge("m", "foe"), foe=0.03)
    assert (found.answer, found.sure) == ("chance", sure)
    assert sure or found.why == "where foe stands decides whether a die ends in contact"


def test_across_a_barrier_wider_than_a_zone_no_zone_of_the_target_is_entered():
    """Whose doubt alone counts is far off: the charge ends half an inch on, three inches from who is charged."""
    wall = box(7, 8, 9, 16, height=1.9)
    there = table({"wall": wall}, m=me(), foe=model(9.5, 12, "evil"), by=model(3, 3, "evil"))
    found = certainty(there, Charge("m", "foe"), doubts={"by": 0.03})
    assert (found.answer, found.sure, found.at_most) == ("yes", True, pytest.approx(0.5))


def test_where_friends_surely_shut_every_way_no_cost_is_compared():
    """Gaps of 0.9 in between seven bases, the way round beyond what is asked: none, unless one is out of the row."""
    row = {f"f{i}": model(12 + 1.9 * (i - 3), 12.1) for i in range(7)}
    there = table(m=me(12, 11, move=2.2), **row)
    for doubt, sure in ((0.03, True), (1.2, False)):
        found = certainty(there, Move("m", (12, 13.2)), doubts={"f3": doubt})
        assert (found.answer, found.sure) == ("no", sure)


@pytest.mark.parametrize("sweep", [0.4, -0.4, 2.0, -2.0, 5.5, -5.5])
def test_how_near_and_how_far_an_arc_comes_is_what_a_thousand_places_on_it_say(sweep):
    rng = np.random.default_rng(11)
    turns = np.linspace(0, sweep, 4001)
    for _ in range(40):
        first, (x, y) = rng.uniform(0, math.tau), rng.uniform(-3, 3, 2)
        places = np.column_stack([2 * np.cos(first + turns), 2 * np.sin(first + turns)])
        start, end = tuple(places[0]), tuple(places[-1])
        leg = Leg("arc", start, end, 2 * abs(sweep), None, (0.0, 0.0), 2.0, sweep)
        apart = np.hypot(*(places - (x, y)).T)
        assert legs.nearest(leg, (x, y)) == pytest.approx(apart.min(), abs=1e-4)
        assert legs.farthest(leg, (x, y)) == pytest.approx(apart.max(), abs=1e-4)
        half = len(turns) // 2
        assert legs.farthest(leg, (x, y), abs(sweep)) == pytest.approx(apart[half:].max(), abs=1e-4)
        within = np.flatnonzero(apart <= 2.5)
        far = within[0] / 4000 if len(within) else 1
        assert legs.comes_within(leg, (x, y), 2.5) == pytest.approx(2 * abs(sweep) * far, abs=0.01)
        far_off = tuple(4.6 * np.array([math.cos(first), math.sin(first)]))
        assert legs.comes_within(leg, far_off, 2.5) == 2 * abs(sweep)  # never: its circle lies 2.6 in off
        ahead = np.diff(apart) / (2 * abs(sweep) / 4000) * -apart[:-1]  # how fast the distance shrinks
        assert legs.least_ahead(leg, (x, y), 0, abs(sweep)) == pytest.approx(ahead[:half].min(), abs=0.01)


@pytest.mark.parametrize(("aside", "radius", "along"), [(3.0, 5.0, 1.0), (5.0, 5.0, 5.0), (5.1, 5.0, 10.0)])
def test_where_a_straight_first_comes_within_so_much_of_a_place(aside, radius, along):
    leg = Leg("straight", (0.0, 0.0), (10.0, 0.0), 10.0, None)
    assert legs.comes_within(leg, (5.0, aside), radius) == pytest.approx(along)
