"""Why not: what is refused before a way is looked for, and what closes every way when more than one thing does."""

from __future__ import annotations

import math

import pytest

import sbg_sim as sbg
from sbg_sim.errors import QuestionError, UnknownNameError
from sbg_sim.solver import why_not
from sbg_sim.solver.why_not import _common_place
from sbg_sim.wording import length

MAN = {"base": 1, "height": 1.5, "move": 6}
A = {**MAN, "at": [6, 12], "side": "good"}
B = {**MAN, "at": [12, 12], "side": "evil"}


def table(models, terrain=None, depth=24, **given):
    return sbg.Table(24, depth, models=models, terrain=terrain or {}, **given)


def sheer(x0, y0, x1, y1):
    return {"tags": ["obstacle", "unscalable"], "polygon": [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]}


def ring(middle, out):
    """Six friends round a place, so near each other that nobody gets out between them."""
    spots = [math.tau * k / 6 for k in range(6)]
    return {
        f"friend-{k}": {**MAN, "at": [middle[0] + out * math.cos(a), middle[1] + out * math.sin(a)], "side": "good"}
        for k, a in enumerate(spots)
    }


def test_a_gap_lies_between_two_things_that_are_there():
    there = table({"a": A, "b": B})
    with pytest.raises(QuestionError, match="two things, not between a and itself"):
        sbg.check(there, sbg.Gap(("a", "a"), "b"))
    with pytest.raises(QuestionError, match="b is one of the two things that the gap lies between"):
        sbg.check(there, sbg.Gap(("a", "b"), "b"))
    with pytest.raises(UnknownNameError, match="nobody"):
        sbg.check(there, sbg.Gap(("a", "nobody"), "b"))


@pytest.mark.parametrize("between", [("a",), (), ("a", "b", "a"), "ab"])
def test_a_gap_has_two_sides(between):
    with pytest.raises(QuestionError, match="between: must be the ids of two models or pieces of terrain, not"):
        sbg.Gap(between, "a")


def test_a_gap_too_narrow_that_a_model_may_pass_by_agreement():
    low, high = sheer(8, 4, 9, 11.6), sheer(8, 12.2, 9, 20)
    asked = sbg.Gap(("low", "high"), "a")
    found = sbg.check(table({"a": A}, {"low": low, "high": high}), asked)
    assert (found.answer, found.margin, found.rules) == ("no", pytest.approx(-0.4), ("MOV.4",))
    found = sbg.check(table({"a": A}, {"low": low, "high": {**high, "lets_through": ["a"]}}), asked)
    assert (found.answer, found.margin, found.rules) == ("yes", pytest.approx(-0.4), ("MOV.8",))
    assert "the players agreed" in found.reason


def test_a_ladder_is_measured_to_as_a_point():
    """From (6, 12) to (7.5, 14): two and a half inches less the radius of the base."""
    roof = {"tags": ["platform"], "polygon": [[7.5, 14], [9, 14], [9, 18], [7.5, 18]], "height": 3}
    there = table({"a": A}, {"roof": roof, "rungs": {"tags": ["ladder"], "at": [7.5, 14], "to": "roof"}})
    assert sbg.check(there, sbg.Measure("a", "rungs")).inches == pytest.approx(2.5 - 0.5)


def test_who_is_not_on_the_table_is_not_asked_about():
    there = table({"a": A, "b": B}, off=["a"])
    for asked in (
        lambda: sbg.check(there, sbg.Charge("a", "b")),
        lambda: sbg.check(there, sbg.Charge("b", "a")),
        lambda: sbg.reach(there, "a"),
    ):
        with pytest.raises(QuestionError, match="a is not on the table yet"):
            asked()


@pytest.mark.parametrize("least", [0, -1, 2])
def test_a_reach_asks_for_a_chance(least):
    with pytest.raises(QuestionError, match="must be above 0 and at most 1"):
        sbg.reach(table({"a": A}), "a", least=least)


def test_targets_on_different_surfaces_are_not_charged_at_once():
    roof = {"tags": ["platform"], "polygon": [[7.5, 8], [14, 8], [14, 11.4], [7.5, 11.4]], "height": 0.5}
    there = table({"a": A, "b": {**B, "at": [9, 14]}, "c": {**B, "at": [9, 10], "on": "roof"}}, {"roof": roof})
    assert [sbg.check(there, sbg.Charge("a", name)).answer for name in ("b", "c")] == ["yes", "yes"]
    found = sbg.check(there, sbg.Charge("a", ("b", "c")))
    assert (found.answer, [v.rule for v in found.violations]) == ("no", ["CHG.6"])


def test_nobody_stands_on_a_wall():
    there = table({"a": A}, {"rock": sheer(8, 8, 12, 11)})
    found = sbg.check(there, sbg.Move("a", (10, 9.5), "rock"))
    assert (found.answer, found.reason) == ("no", "a to (10, 9.5) on rock: no, rock is no surface to stand on (MOV.5)")


@pytest.mark.parametrize(
    ("out", "room", "rule", "what"),
    [
        (1.05, True, "MOV.4", "bases, zones and terrain together close every way"),
        (1.05, False, "MOV.4", "bases close every way"),
        (None, True, "TER.5", "terrain closes every way"),
    ],
)
def test_what_closes_every_way(out, room, rule, what):
    """Six friends about who moves, four walls about where to: each alone closes every way, or both do."""
    sides = {"s": (14, 10, 18, 10.2), "n": (14, 13.8, 18, 14), "w": (14, 10, 14.2, 14), "e": (17.8, 10, 18, 14)}
    walls = {name: sheer(*side) for name, side in sides.items()}
    there = table({"a": A, **(ring((6, 12), out) if out else {})}, walls if room else {})
    found = sbg.check(there, sbg.Move("a", (16, 12)))
    assert (found.answer, found.violations[0].rule) == ("no", rule)
    assert found.violations[0].reason.startswith(what)


def test_a_zone_closes_a_long_way_round():
    """Round the end of the wall there is a way of more than eighty inches: the zone that shuts it is to blame."""
    wall = sheer(10, -1, 11, 44)
    there = table({"a": {**A, "at": [8, 2]}}, {"wall": wall}, depth=48)
    asked = sbg.Move("a", (13, 2))
    assert sbg.check(there, asked).at_least == pytest.approx(12)
    guarded = sbg.check(
        table({"a": {**A, "at": [8, 2]}, "b": {**B, "at": [10.5, 46]}}, {"wall": wall}, depth=48), asked
    )
    assert (guarded.answer, guarded.at_least) == ("no", None)
    assert [(v.rule, v.reason) for v in guarded.violations] == [("CZ.1", "Control Zones close every way")]


@pytest.mark.parametrize(
    ("gap", "guard", "blame", "reason"),
    [
        (3, True, "b", "Control Zones close every way; the shortest is barred"),
        (0, False, "low", "terrain closes every way; the shortest is barred"),
        (0, True, "b", "terrain closes every way; the shortest is barred"),
    ],
)
def test_what_closes_off_a_place_beyond_the_horizon(monkeypatch, gap, guard, blame, reason):
    """A yard forty inches off, and who stands in the gate: no way much longer than the straight one is looked for."""
    asked, known = [], why_not.options

    def sought(search):
        asked.append(search.horizon)
        return known(search)

    monkeypatch.setattr(why_not, "options", sought)
    yard = {"s": sheer(44, 9, 50, 9.2), "n": sheer(44, 14.8, 50, 15), "e": sheer(49.8, 9, 50, 15)}
    yard |= {"low": sheer(44, 9, 44.2, 12 - gap / 2), "high": sheer(44, 12 + gap / 2, 44.2, 15)}
    models = {"a": A} | ({"b": {**B, "at": [43, 12]}} if guard else {})
    there = sbg.Table(60, 24, models=models, terrain=yard)
    found = sbg.check(there, sbg.Move("a", (47, 12)))
    assert (found.answer, found.violations[0].blame) == ("no", blame)
    assert found.violations[0].reason.startswith(reason)
    assert asked == [pytest.approx(1.05 * 41)]


def test_the_first_trouble_lies_behind_a_jump():
    """A lane two inches wide: over the low wall one may jump, but a zone fills the lane behind it."""
    lane = {"n": sheer(0, 13, 24, 13.2), "s": sheer(0, 10.8, 24, 11)}
    lane["low"] = {"tags": ["obstacle"], "polygon": [[8, 11], [8.5, 11], [8.5, 13], [8, 13]], "height": 1}
    there = table({"a": A, "b": {**B, "at": [11, 12]}}, lane)
    found = sbg.check(there, sbg.Move("a", (14, 12))).violations[0]
    assert (found.rule, found.blame) == ("CZ.1", "b")
    assert found.place == pytest.approx((11 - 2, 12), abs=1e-5)


def test_paths_of_who_lies():
    """A crawl costs its length; to stand up costs half of the Move, and where one lies costs nothing."""
    found = sbg.reach(table({"a": {**A, "prone": True}, "b": {**B, "at": [20, 12]}}), "a")
    for x, cost, kinds in ((6, 0, []), (6.5, 0.5, ["crawl"]), (7, 1, ["crawl"]), (8, 3 + 2, ["stand", "straight"])):
        path = found.path((x, 12))
        assert (path.cost, [leg.kind for leg in path.legs]) == (pytest.approx(cost), kinds)
    assert found.path((9.1, 12)) is None


@pytest.mark.parametrize(("off", "there"), [(0.0, True), (0.01, False)])
def test_three_circles_of_other_sizes_meet_in_one_place_or_do_not(off, there):
    circles = tuple((5 + r * math.cos(a), 5 + r * math.sin(a), r) for r, a in ((1.0, 0.3), (2.0, 2.0), (3.0, 4.0)))
    assert _common_place((*circles[:2], (*circles[2][:2], 3.0 + off))) is there
    assert _common_place((*circles[1:], (*circles[0][:2], 1.0 + off))) is there


@pytest.mark.parametrize(("inches", "beside", "told"), [(1.00001, 0.0, "1.0000"), (1.00001, 1.0, "1.000010000")])
def test_a_length_is_told_from_what_it_is_beside_alone(inches, beside, told):
    assert length(inches) == "1.0000"
    assert length(inches, beside) == told


@pytest.mark.parametrize(
    ("x", "who"), [(10.6, True), (9.4, True), (13.0, False)], ids=["at the head", "at the foot", "aside"]
)
def test_friends_that_shut_every_way_within_the_move_are_named(x, who):
    """The ladder is 4 in high and 1.5 in away: with 1.5 in on top all ways but that one are shut."""
    top = {"tags": ["platform", "unscalable"], "height": 4, "polygon": [[10, 8], [16, 8], [16, 16], [10, 16]]}
    terrain = {"p": top, "l": {"tags": ["ladder"], "at": [10, 12], "to": "p"}}
    friend = {**MAN, "at": [x, 12 if who else 9], "side": "good"} | ({"on": "p"} if x > 10 else {})
    there = sbg.Table(
        24,
        24,
        models={"m": {**MAN, "at": [8, 12], "side": "good", "move": 8, "height": 2}, "f": friend},
        terrain=terrain,
    )
    verdict = sbg.check(there, sbg.Move("m", (12, 12), "p"))
    if not who:
        assert verdict.answer == "yes"
        return
    assert [(v.rule, v.blame) for v in verdict.violations] == [("MOV.4", "f"), ("MOV.3", "")]
    assert "friends shut every way of 8 in; the best is barred: the base would overlap the base of f" in verdict.reason
    assert (verdict.at_least, verdict.needed) == (16, None)
