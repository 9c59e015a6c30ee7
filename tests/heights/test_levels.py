"""Levels: what touches and is level is one, every two that meet are joined, and heights count from where one stands."""

from math import hypot

import pytest

from tests.heights.stage import PASS, POLISHED, SIX, box, charge, move, mover, other, piece, table

TOP = [(8, 6), (14, 6), (14, 18), (8, 18)]


def stairs(*heights, deep=2.0):
    shapes = [box(8 + deep * i, 4, 8 + deep * (i + 1), 20) for i in range(len(heights))]
    return [piece(f"s{i}", "platform", shapes[i], height=h) for i, h in enumerate(heights)]


def test_stairs_cost_what_the_ground_distance_costs():
    up = table(mover(6, 12, move=9.0), *stairs(0.5, 1.0, 1.5))
    assert move(up, (13, 14), "s2").needed == pytest.approx(hypot(7, 2), abs=POLISHED)
    down = table(mover(13, 14, move=9.0, on="s2"), *stairs(0.5, 1.0, 1.5))
    assert move(down, (6, 12)).needed == pytest.approx(hypot(7, 2), abs=POLISHED)


def test_steps_lead_aslant_however_jumps_land():
    up = table(mover(6, 12, move=9.0), *stairs(0.5, 1.0), jump_landing="across")
    assert move(up, (11, 15), "s1").needed == pytest.approx(hypot(5, 3), abs=POLISHED)
    down = table(mover(11, 15, move=9.0, on="s1"), *stairs(0.5, 1.0), jump_landing="across")
    assert move(down, (6, 12)).needed == pytest.approx(hypot(5, 3), abs=POLISHED)


def ledge(deep):
    """A roof 2.4 in high, and at its side, from y = 8 on, a ledge 1 in high; the ground is 2.4 in below the roof."""
    roof = piece("roof", "platform unscalable", box(4, 0, 8, 10), height=2.4)
    return roof, piece("ledge", "platform unscalable", box(8, 8, 8 + deep, 10), height=1.0)


@pytest.mark.parametrize("deep", [2.0, 1.0])
@pytest.mark.parametrize(("longest", "answer"), [(6.5001, "yes"), (6.4999, "no")])
def test_a_way_down_leads_over_its_two_levels_alone(deep, longest, answer):
    """Along the roof's rim to beside the ledge, 5.5 in, and an inch across: not aslant over the ground between."""
    found = move(table(mover(7.5, 3, move=longest, on="roof"), *ledge(deep)), (8.5, 8.5), "ledge")
    assert (found.answer, found.needed) == (answer, pytest.approx(5.5 + 1, abs=POLISHED))


def test_a_jump_up_lands_where_nothing_but_its_two_levels_is_passed():
    """A six, for beside the ledge it lands, and walks on along the rim; what it would pass aslant lies 1 in below."""
    found = move(table(mover(8.5, 8.5, move=6.5001, on="ledge"), *ledge(2.0)), (7.5, 3), "roof")
    assert (found.chance, found.needed) == (SIX, pytest.approx(1 + 5.5, abs=POLISHED))
    aslant = move(table(mover(8.5, 8.5, move=6.5001, on="ledge"), *ledge(2.0)), (7.5, 9.5), "roof")
    assert (aslant.chance, aslant.needed) == (PASS, pytest.approx(hypot(1, 1), abs=POLISHED))


def test_a_step_down_beside_a_storey_keeps_to_the_roof_it_stands_on():
    """The storey's side is flush with the roof's: aslant past the corner the base would hang over the ground."""
    roof = piece("roof", "platform unscalable", box(4, 4, 12, 12), height=2.4)
    upper = piece("upper", "platform", box(4, 4, 8, 8), height=0.7, on="roof")
    low = table(mover(5, 7.5, move=6.0, on="upper"), roof, upper)
    assert move(low, (5, 8.5), "roof").needed == pytest.approx(1, abs=POLISHED)
    rim = table(mover(7.5, 4.5, move=6.0, on="upper"), roof, upper)
    assert move(rim, (8.5, 4.5), "roof").needed == pytest.approx(1, abs=POLISHED)


@pytest.mark.parametrize(("things", "needed", "answer"), [((), 0.5 + 4 + 0.7, "chance"), (("ladder",), 3.2, "yes")])
def test_who_climbs_does_so_from_where_the_whole_base_stands(things, needed, answer):
    """Half an inch to the rim, down, and 0.7 in to contact, the zone entered on landing; by the centre just so."""
    crag = piece("t", "platform", box(8, 10, 12, 14), height=2.0)
    ladder = [piece("l", "ladder", at=(12.0, 12.0), to="t") for _ in things]
    at = table(mover(11, 12, on="t"), crag, *ladder, other("e", 14.2, 12))
    for reading in ("whole", "centre"):
        found = charge(at.under("stand_on", reading), "e")
        assert (found.answer, found.needed) == (answer, pytest.approx(needed, abs=POLISHED))


def test_narrow_treads_need_the_other_reading():
    """Treads of 0.4 in under a base of 1 in: stood on by the centre, or not at all (``stand_on``)."""
    at = table(mover(6, 12), *stairs(0.4, 0.8, deep=0.4), piece("top", "platform", box(8.8, 4, 14, 20), height=1.2))
    assert move(at, (8.6, 12), "s1").violations[0].rule == "MOV.5"
    centred = at.under("stand_on", "centre")
    assert move(centred, (8.6, 12), "s1").needed == pytest.approx(2.6, abs=1e-5)
    assert move(centred, (10, 12), "top").needed == pytest.approx(4, abs=1e-5)


def roofs(gap=2.0, high=(3.0, 3.0)):
    return (
        piece("p", "platform unscalable", box(4, 8, 8, 16), height=high[0]),
        piece("q", "platform unscalable", box(8 + gap, 8, 13 + gap, 16), height=high[1]),
    )


@pytest.mark.parametrize(("gap", "chance"), [(3.0, PASS), (3.0001, 0)])
def test_from_roof_to_roof(gap, chance):
    found = move(table(mover(7, 12, on="p"), *roofs(gap)), (8.5 + gap, 12), "q")
    assert found.chance == chance
    if chance:
        (test,) = found.tests
        assert (test.kind, test.fail_on, test.drop, test.fail_hits) == ("leap", None, 3.0, 2)


def test_into_a_ditch_and_out_of_it():
    ditch = piece("d", "gap", box(8, -1, 11, 41), depth=0.5)
    at = table(mover(6, 12), ditch)
    assert move(at, (9.5, 12), "d").needed == pytest.approx(3.5, abs=POLISHED)
    assert (move(at, (12, 12)).answer, move(at, (12, 12)).needed) == ("yes", pytest.approx(6, abs=POLISHED))
    deep = piece("d", "gap", box(8, -1, 11, 41), depth=2.0)
    out = move(table(mover(9.5, 12, on="d"), deep), (7.5, 12))
    assert (out.chance, out.needed) == (PASS, pytest.approx(1 + 4, abs=POLISHED))  # to the side, 2 in up count double


def test_crawling_over_a_step():
    step = piece("s", "platform", box(8, 4, 14, 20), height=0.5)
    assert move(table(mover(7.5, 12, prone=True), step), (8.5, 12), "s").needed == pytest.approx(1, abs=POLISHED)
    high = piece("s", "platform", box(8, 4, 14, 20), height=0.8)
    assert move(table(mover(7.5, 12, prone=True, move=1.0), high), (8.5, 12), "s").chance == 0


def test_a_difficult_top():
    """Up the step the base lies over it from the first: everything from there counts double (TER.2)."""
    bog = piece("s", "platform difficult", box(8, 4, 14, 20), height=0.5)
    found = move(table(mover(6, 12, move=8.0), bog), (10, 12), "s")
    assert found.needed == pytest.approx(1.5 + 2 * 2.5, abs=POLISHED)


def test_what_grows_on_a_lower_step_slows_no_leap_over_it():
    """Of 4.5 in two are leapt; by the other reading they are walked, and count double."""
    roofs = [piece(f"r{x}", "platform", box(x, 8, x + 7, 16), height=5.0) for x in (1, 9)]
    tread = piece("t", "platform", box(8, 8, 9, 16), height=4.5)
    bog = piece("bog", "difficult", box(8, 8, 9, 16), on="t")
    at = table(mover(6, 12, on="r1"), *roofs, tread, bog)
    leap = move(at, (10.5, 12), "r9")
    assert (leap.chance, leap.needed) == (SIX, pytest.approx(4.5, abs=POLISHED))
    assert leap.tests[0].kind == "leap"
    half = move(at.under("stand_on", "centre"), (10.5, 12), "r9")
    assert (half.chance, half.needed) == (0, pytest.approx(4.5 + 2, abs=POLISHED))


@pytest.mark.parametrize(
    ("first", "second", "cost"),
    [
        ("", "", 6),
        ("", " difficult", 2.5 + 2 * 3.5),
        (" difficult", "", 2 * 3.5 + 2.5),
        (" difficult", " difficult", 12),
    ],
)
def test_of_two_tops_that_are_one_level_each_is_as_difficult_as_it_was(first, second, cost):
    """They meet at x = 10, and a base is in the difficult one from half an inch before."""
    one = piece("one", f"platform {first}", box(6, 8, 10, 16), height=2.0)
    other = piece("two", f"platform {second}", box(10, 8, 14, 16), height=2.0)
    found = move(table(mover(7, 12, move=12.0, on="one"), one, other), (13, 12), "two")
    assert (found.answer, found.needed) == ("yes", pytest.approx(cost, abs=POLISHED))


@pytest.mark.parametrize(("height", "answer"), [(0.75, "yes"), (0.7501, "no")])
def test_a_plinth_does_not_make_untouchable(height, answer):
    plinth = piece("p", "platform", box(9.5, 11.5, 10.5, 12.5), height=height)
    at = table(mover(6, 12), plinth, other("e", 10, 12, on="p"))
    found = charge(at, "e")
    assert found.answer == answer
    assert charge(at.under("contact_across_heights", "no"), "e").answer == "no"


@pytest.mark.parametrize("y", [11.5, 12.0, 13.5])
def test_down_a_face_into_a_ditch_beside_a_part_of_it(y):
    """The ditch lies at a third of the face, not at its middle: 1.6 in and 1.5 in down count double."""
    deck = piece("d", "platform", box(8, 11, 16, 20), height=1.6)
    ditch = piece("c", "gap", box(4, 11, 8, 14), depth=1.5)
    found = move(table(mover(9, 12, move=8.0, on="d"), deck, ditch), (7.5, y), "c")
    assert (found.chance, found.needed) == (PASS, pytest.approx(hypot(0.5, y - 12) + 2 * 3.1, abs=POLISHED))


@pytest.mark.parametrize(
    ("height", "tags", "start", "on", "to", "there", "cost"),
    [
        (0.7, "platform", (10, 12), "deck", (6, 12), None, 4.0),
        (1.5, "platform", (10, 12), "deck", (6, 12), None, 4.0),
        (0.7, "platform", (6, 12), None, (10, 12), "deck", 4.0),
        (2.5, "platform unscalable", (10, 12), "deck", (6, 12), None, 1.5 + 2.5 + 1.5),
    ],
    ids=["a step down", "a drop", "a step up", "down a ladder"],
)
def test_over_a_low_wall_at_the_foot_of_a_deck(height, tags, start, on, to, there, cost):
    """A way without a die leads beside the deck with the base over the wall, and goes on: no move ends there."""
    deck = piece("deck", tags, box(8, -1, 16, 41), height=height)
    low = piece("low", "obstacle", box(7.2, -1, 7.4, 41), height=0.5)
    steps = [piece("steps", "ladder", at=(8.0, 12.0), to="deck")] if height > 2 else []
    at = table(mover(*start, on=on), deck, low, *steps)
    found = move(at, to, there)
    assert (found.chance, found.needed) == (1, pytest.approx(cost, abs=POLISHED))
    assert move(at, (7.5, 12)).answer == "no"
