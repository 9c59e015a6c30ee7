"""Chances behind walls, gaps, faces and ladders (bases of an inch, models 1.5 in high)."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import pytest

import sbg_sim as sbg
from sbg_sim.referee import audit
from sbg_sim.solver.answer import ask
from sbg_sim.table.questions import Move

EXACT = 1e-9
SIX = Fraction(1, 6)
PASS = Fraction(5, 6)


def walls(lay, count):
    """Walls of 0.5 from x = 4 on, 2 in apart, as wide as the narrow table; the space between takes a base."""
    return [lay.piece(f"w{i}", lay.box(4 + 2 * i, -1, 4.5 + 2 * i, 5), "obstacle", height=1.0) for i in range(count)]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_behind_walls(lay, count):
    """Touching the last wall's far side: a 2 or more there, sixes before. Beyond: sixes only."""
    table = lay.narrow(lay.mover(2, 2), *walls(lay, count))
    landing = 4.5 + 2 * (count - 1) + 0.5
    touching = lay.move(table, (landing, 2))
    assert touching.chance == SIX ** (count - 1) * PASS
    assert touching.needed == pytest.approx(landing - 2, abs=EXACT)
    beyond = lay.move(table, (landing + 0.3, 2))
    assert beyond.chance == SIX**count
    assert beyond.needed == pytest.approx(landing + 0.3 - 2, abs=EXACT)
    assert len(beyond.tests) == count


def test_before_a_wall_needs_no_die(lay):
    found = lay.move(lay.narrow(lay.mover(2, 2), *walls(lay, 1)), (3.5, 2))
    assert (found.answer, found.chance) == ("yes", 1)


def test_landing_aslant(lay):
    """A jump may lead along any straight line: to a place touching the far side, straight there."""
    found = lay.move(lay.narrow(lay.mover(3.5, 2), *walls(lay, 1)), (5, 3))
    assert found.chance == PASS
    assert found.needed == pytest.approx(sqrt(1.5**2 + 1), abs=1e-6)


def test_landing_straight_across(lay):
    """By the other reading the mover goes along the wall first."""
    table = lay.narrow(lay.mover(3.5, 2), *walls(lay, 1), jump_landing="across")
    found = lay.move(table, (5, 3))
    assert found.chance == PASS
    assert found.needed == pytest.approx(1 + 1.5, abs=1e-6)


def test_walking_round_beats_a_roll(lay):
    """Where the Move allows the way round, nothing is left to the dice; where it does not, they are thrown."""
    wall = lay.piece("w", lay.box(6, 10, 6.5, 14), "obstacle", height=1.0)
    rich = lay.move(lay.table(lay.mover(4, 12, move=9.0), wall), (9, 12))
    assert (rich.answer, rich.chance, rich.tests) == ("yes", 1, ())
    poor = lay.move(lay.table(lay.mover(4, 12, move=5.5), wall), (9, 12))
    assert (poor.answer, poor.chance) == ("chance", SIX)
    assert poor.needed == pytest.approx(5, abs=EXACT)


def test_one_wall_round_and_one_over(lay):
    """A die that can be saved is saved: the short wall is walked round, the long one jumped."""
    short = lay.piece("s", lay.box(6, 11.5, 6.3, 12.5), "obstacle", height=1.0)
    long = lay.piece("l", lay.box(9, -1, 9.5, 25), "obstacle", height=1.0)
    found = lay.move(lay.table(lay.mover(4, 12, move=9.0), short, long), (10, 12))
    assert found.chance == PASS
    assert len(found.tests) == 1


@pytest.mark.parametrize(
    ("height", "chance"), [(0.7, Fraction(1)), (0.75, PASS), (1.5, PASS), (1.500001, SIX * PASS), (1.6, SIX * PASS)]
)
def test_how_high_is_what(lay, height, chance):
    """Below half: free; to the height: one die; above: up and down, two dice and four times the height."""
    wall = lay.piece("w", lay.box(6, -1, 6.5, 5), "obstacle", height=height)
    found = lay.move(lay.narrow(lay.mover(5.5, 2), wall), (7, 2))
    assert found.chance == chance
    expected = 4 * height if height > 1.5 else 1.5
    assert found.needed == pytest.approx(expected, abs=EXACT)


def test_cavalry_does_not_climb(lay):
    wall = lay.piece("w", lay.box(6, -1, 6.5, 5), "obstacle", height=2.0)
    rider = lay.mover(5.5, 2, keywords=frozenset({"cavalry"}))
    assert lay.move(lay.narrow(rider, wall), (7, 2)).needed is None


def test_unscalable_is_jumped_or_not_at_all(lay):
    low = lay.piece("w", lay.box(6, -1, 6.5, 5), "obstacle", "unscalable", height=1.5)
    assert lay.move(lay.narrow(lay.mover(5.5, 2), low), (7, 2)).chance == PASS
    high = lay.piece("w", lay.box(6, -1, 6.5, 5), "obstacle", "unscalable", height=1.51)
    assert lay.move(lay.narrow(lay.mover(5.5, 2), high), (7, 2)).needed is None


@pytest.mark.parametrize(("width", "fits"), [(2.999, True), (3.0, True), (3.001, False)])
def test_leap_up_to_twice_the_height(lay, width, fits):
    gap = lay.piece("g", lay.box(6, -1, 6 + width, 5), "gap", "unscalable", depth=3.0)
    found = lay.move(lay.narrow(lay.mover(5, 2), gap), (6.5 + width, 2))
    assert found.chance == (PASS if fits else 0)
    if fits:
        assert found.needed == pytest.approx(1.5 + width, abs=1e-6)
        assert found.tests[0].fail_hits == 1 + 1
        assert found.tests[0].prone_on_fail


def test_leap_needs_the_movement(lay):
    """3.5 in to the far side; by the other reading what counts is the maximum Move alone."""
    gap = lay.piece("g", lay.box(6, -1, 8, 5), "gap", "unscalable", depth=3.0)
    short = lay.narrow(lay.mover(4, 2, move=4.4), gap)
    assert lay.move(short, (8.5, 2)).chance == PASS
    short = short.under("leap_needs", "remaining")
    assert lay.move(short, (8.5, 2)).chance == 0
    assert lay.move(short.having("m", move=4.5), (8.5, 2)).chance == PASS
    found = ask(short, Move("m", (8.5, 2)))
    assert "leap_needs = maximum" in found.rulings


class TestPlatforms:
    """A terrace of 4 x 8 with its near face at x = 8; bases step from x = 7.5 to x = 8.5."""

    def terrace(self, lay, height, *tags):
        return lay.piece("t", lay.box(8, 8, 14, 16), "platform", *tags, height=height)

    def test_low_step(self, lay):
        table = lay.table(lay.mover(6, 12), self.terrace(lay, 0.7))
        found = lay.move(table, (10, 12), "t")
        assert (found.chance, found.needed) == (1, pytest.approx(4, abs=1e-6))

    def test_jump_up(self, lay):
        table = lay.table(lay.mover(6, 12), self.terrace(lay, 1.5))
        rim = lay.move(table, (8.5, 12), "t")
        assert (rim.chance, rim.needed) == (PASS, pytest.approx(2.5, abs=1e-6))
        top = lay.move(table, (10, 12), "t")
        assert (top.chance, top.needed) == (SIX, pytest.approx(4, abs=1e-6))

    def test_climb(self, lay):
        table = lay.table(lay.mover(6, 12), self.terrace(lay, 2.0))
        rim = lay.move(table, (8.5, 12), "t")
        assert (rim.chance, rim.needed) == (PASS, pytest.approx(1.5 + 4, abs=EXACT))
        top = lay.move(table, (10, 12), "t")
        assert (top.chance, top.needed) == (SIX, pytest.approx(1.5 + 4 + 1.5, abs=1e-6))

    def test_rest_of_a_climb(self, lay):
        """An inch climbed in an earlier turn is not climbed again."""
        table = lay.table(lay.mover(7.5, 12, climbed=1.0), self.terrace(lay, 2.0))
        assert lay.needed(table, (8.5, 12), "t") == pytest.approx(2, abs=EXACT)

    def test_ladder(self, lay):
        ladder = lay.piece("l", None, "ladder", at=(8.0, 12.0), to="t")
        table = lay.table(lay.mover(6, 12), self.terrace(lay, 5.0, "unscalable"), ladder)
        found = lay.move(table, (10, 12), "t")
        assert (found.chance, found.needed) == (1, pytest.approx(1.5 + 5 + 1.5, abs=EXACT))

    def test_sheer_face_without_a_ladder(self, lay):
        table = lay.table(lay.mover(6, 12), self.terrace(lay, 5.0, "unscalable"))
        assert lay.move(table, (10, 12), "t").needed is None

    def test_down_by_the_own_height(self, lay):
        table = lay.table(lay.mover(10, 12, on="t"), self.terrace(lay, 1.5))
        found = lay.move(table, (6, 12))
        assert (found.chance, found.needed) == (1, pytest.approx(4, abs=1e-6))

    def test_down_a_face(self, lay):
        table = lay.table(lay.mover(10, 12, on="t"), self.terrace(lay, 3.0))
        foot = lay.move(table, (7.5, 12))
        assert (foot.chance, foot.needed) == (PASS, pytest.approx(1.5 + 6, abs=EXACT))
        assert foot.tests[0].fail_hits == 1 + 1
        beyond = lay.move(table, (6, 12))
        assert (beyond.chance, beyond.needed) == (SIX, pytest.approx(1.5 + 6 + 1.5, abs=1e-6))

    def test_too_small_to_stand_on(self, lay):
        pillar = lay.piece("t", lay.box(8, 12, 8.9, 16), "platform", height=0.7)
        assert lay.move(lay.table(lay.mover(6, 12), pillar), (8.5, 13), "t").answer == "no"


def test_a_last_leap_that_all_but_touches_the_corner_of_its_gap():
    """The nearer the corner it begins, the cheaper it is; at the corner it leads over nothing: a walk, and too long."""
    foot = {"base": 1, "height": 1.5, "move": 7}
    models = {
        "m": {"at": [25.25, 25], **foot, "side": "good"},
        "e": {"at": [16.75, 22.5], **foot, "side": "evil", "on": "a"},
    }
    ditch = sbg.polygon([(16.25, 19.75), (19.5, 19.75), (19.5, 23), (16.25, 23)])
    fence = sbg.polygon([(15.75, 21.5), (16.25, 21.5), (16.25, 24.75), (15.75, 24.75)])
    terrain = {
        "a": sbg.Terrain("a", frozenset({"gap"}), ditch, depth=0.5),
        "b": sbg.Terrain("b", frozenset({"obstacle"}), fence, height=1.5),
    }
    verdict = sbg.check(sbg.Table(48, 48, models=models, terrain=terrain), sbg.Charge("m", "e"))
    least = sqrt((25.25 - 19.5) ** 2 + (25 - 23.5) ** 2) + 19.5 - 16.75
    assert verdict.chance == PASS
    assert 0 < verdict.needed - least < 1e-4
    assert verdict.at_most - verdict.at_least < 1e-6
    assert audit(verdict.table, "m", verdict.route, charging=["e"]).legal


def test_a_last_leap_that_begins_in_time():
    """The cheapest way ends by a leap that begins too late; a longer leap begins in time and may cost more (LEAP.1)."""

    def piece(name, tag, x0, y0, x1, y1, **numbers):
        shape = sbg.polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
        return sbg.Terrain(name, frozenset({tag}), shape, **numbers)

    foot = {"base": "25 mm", "height": 1.5, "move": 6}
    models = {
        "rider": {"at": [16.154, 42.709], "base": "40 mm", "height": 2.5, "move": 10, "side": "evil"},
        "enemy": {"at": [20.798, 33.027], **foot, "side": "good"},
        "other": {"at": [20.022, 35.758], **foot, "side": "good"},
        "friend": {"at": [24.12, 35.933], **foot, "side": "evil"},
    }
    bog = piece("bog", "difficult", 19.709, 29.113, 22.309, 33.362)
    ditch = piece("ditch", "gap", 21.824, 34.235, 23.024, 40.009, depth=4.0)
    table = sbg.Table(48, 48, models=models, terrain={"bog": bog, "ditch": ditch})
    charge = sbg.Charge("rider", "enemy")
    # Nothing else leads there: with one die, the last, which puts the rider into contact unless it is a 1.
    assert sbg.check(table.under("leap_needs", "remaining"), charge).answer == "no"
    verdict = sbg.check(table, charge)
    assert [leg.kind for leg in verdict.route.legs if leg.test] == ["leap"]
    assert verdict.route.legs[-1].kind == "leap"
    assert verdict.chance == PASS
    assert verdict.needed > 10
    assert sum(leg.cost for leg in verdict.route.legs[:-1]) <= 10
    assert audit(table, "rider", verdict.route, charging=["enemy"]).legal
