"""Steps in a pit that are as high as it is deep: their tops are level with what the pit is cut into."""

import pytest

import sbg_sim as sbg

MAN = {"base": 1, "height": 1.5, "move": 6, "side": "good"}


def plain(x0, y0, x1, y1):
    return [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]


def top(*box, **given):
    return {"tags": ["platform"], "polygon": plain(*box), **given}


PIT = {"tags": ["gap"], "polygon": plain(8, 8, 12, 12), "depth": 3}


def asked(terrain, to, level=None, **given):
    there = sbg.Table(24, 24, models={"a": {**MAN, "at": (6, 10), **given}}, terrain=terrain)
    return sbg.check(there, sbg.Move("a", to, level))


def test_what_is_left_of_a_pit_filled_in_part_is_a_gap():
    """The fill ends at x = 10: a base of an inch goes on to x = 9.5 as over the ground, and no farther."""
    terrain = {"pit": PIT, "fill": top(8, 8, 10, 12, height=3, on="pit")}
    assert asked(terrain, (9.5, 10)).needed == pytest.approx(3.5, abs=1e-9)
    assert asked(terrain, (9.5, 10), "fill").needed == pytest.approx(3.5, abs=1e-9)
    beyond = asked(terrain, (9.5001, 10))
    assert (beyond.answer, beyond.violations[0].rule) == ("no", "LEAP.1")
    # Into what is left one climbs down at its rim, which costs twice the depth: from x = 9.5 to x = 10.5.
    below = asked(terrain, (11, 10), "pit", move=12)
    assert below.needed == pytest.approx(3.5 + 2 * 3 + 0.5, abs=1e-6)
    assert below.chance < 1


WEST, EAST, ALL = (top(x0, 8, x1, 12, height=3, on="pit") for x0, x1 in ((8, 10), (10, 12), (8, 12)))


@pytest.mark.parametrize(("first", "second"), [(WEST, EAST), (WEST, ALL), (ALL, WEST)])
def test_a_pit_filled_whole_is_no_gap(first, second):
    terrain = {"pit": PIT, "fill": first, "second": second}
    for on in (None, "fill", "second", "pit"):
        found = asked(terrain, (11, 10), on)
        assert (found.needed, found.chance) == (pytest.approx(5, abs=1e-9), 1)
    assert asked({"pit": PIT}, (11, 10)).answer == "no"


def test_a_pit_filled_in_a_roof_that_is_one_with_its_neighbour():
    """From the west roof over the seam at x = 8 and on over the filled pit."""
    terrain = {
        "west": top(2, 6, 8, 14, height=3),
        "east": top(8, 6, 16, 14, height=3),
        "pit": {**PIT, "polygon": plain(9, 8, 13, 12), "on": "east", "depth": 1},
        "fill": top(9, 8, 13, 12, height=1, on="pit"),
    }
    there = sbg.Table(24, 24, models={"a": {**MAN, "at": (6, 10), "on": "west"}}, terrain=terrain)
    for on in ("fill", "east", "west"):
        found = sbg.check(there, sbg.Move("a", (11, 10), on))
        assert (found.needed, found.chance) == (pytest.approx(5, abs=1e-9), 1)


# -- steps flush with the bottom of the gap beside theirs --------------------------------------------------------------

DEEP = {"tags": ["gap"], "polygon": plain(12, 8, 16, 12), "depth": 4}
"""Beside ``PIT``, an inch deeper than it."""
LEDGE = top(12, 8, 14, 12, height=1, on="deep")


@pytest.mark.parametrize("order", [("pit", "deep", "ledge"), ("deep", "ledge", "pit")])
def test_a_step_is_one_level_with_the_bottom_of_the_next_gap(order):
    """From x = 10 in the pit over its seam at x = 12 to places on it, up to x = 13.5 where the step ends."""
    pieces = {"pit": PIT, "deep": DEEP, "ledge": LEDGE}
    terrain = {name: pieces[name] for name in order}
    for x in (11.8, 12.0, 12.3, 13.5):
        for on in ("pit", "ledge"):
            found = asked(terrain, (x, 10), on, at=(10, 10), on="pit")
            assert (found.needed, found.chance) == (pytest.approx(x - 10, abs=1e-9), 1)
    assert asked(terrain, (13.51, 10), "ledge", at=(10, 10), on="pit").answer == "no"
    # What is left of the deep gap lies an inch lower, no more than its height: down from x = 13.5 to 14.5, and on.
    assert asked(terrain, (15, 10), "deep", at=(10, 10), on="pit").needed == pytest.approx(5, abs=1e-6)


def test_a_gap_that_steps_fill_whole_is_one_with_the_gap_beside_it():
    """The far step touches the pit only over the near one."""
    far = top(14, 8, 16, 12, height=1, on="deep")
    terrain = {"deep": DEEP, "far": far, "ledge": LEDGE, "pit": PIT}
    for on in ("pit", "far", "ledge", "deep"):
        found = asked(terrain, (15, 10), on, at=(10, 10), on="pit")
        assert (found.needed, found.chance) == (pytest.approx(5, abs=1e-9), 1)


@pytest.mark.parametrize("given", [{"height": 0.9}, {"tags": ["platform", "unscalable"]}])
def test_a_step_a_little_lower_or_sheer_is_a_level_of_its_own(given):
    terrain = {"pit": PIT, "deep": DEEP, "ledge": {**LEDGE, **given}}
    assert asked(terrain, (12, 10), "ledge", at=(10, 10), on="pit").answer == "no"


def test_a_step_in_a_gap_that_reaches_below_its_platform_fills_it():
    """A pit of 2 1/2 in in a deck of 2 in, at its side, with a step of 1/2 in: the ground goes on over it."""
    terrain = {
        "deck": top(8, 6, 14, 14, height=2),
        "pit": {**PIT, "polygon": plain(8, 8, 12, 12), "on": "deck", "depth": 2.5},
        "step": top(8, 8, 12, 12, height=0.5, on="pit"),
    }
    found = asked(terrain, (10, 10), "step")
    assert (found.needed, found.chance) == (pytest.approx(4, abs=1e-9), 1)
    assert asked(terrain, (10, 10)).needed == pytest.approx(4, abs=1e-9)
