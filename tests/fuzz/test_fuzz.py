"""The fuzzing itself: a few seeds of every kind, the corpus, and faults that it must find and shrink."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import replace
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import pytest
import shapely

import sbg_sim as sbg
from sbg_sim.rules.ground import fall_hits
from sbg_sim.simulate.plays import failed
from sbg_sim.solver.answer import ask
from sbg_sim.solver.path import best_path
from sbg_sim.table.faults import table_faults
from tests.fuzz import alike, files, judging, lists, placed, related
from tests.fuzz.__main__ import judged, run, shrunk
from tests.fuzz.kinds import KINDS, make, shifted

LISTS = {"melee": (2, 1), "hedges": (3,), "riders": (4, 181_120_016, 286_500_026)}  # in the last one leans on a wall
QUICK = {"melee": 4, "ranks": 6, "forest": 4, "chain": 6, "corridor": 3, "hedges": 2, "tiny": 3, "far": 3}


@pytest.mark.parametrize(("kind", "seed"), [(kind, seed) for kind, many in QUICK.items() for seed in range(many)])
def test_tables(kind, seed):
    assert judged(*make(kind, seed), seed) == []


@pytest.mark.parametrize(
    ("kind", "seed", "small"),
    [
        ("hedges", 100_064, False),  # a jump may not come down on what one may not end on
        ("hedges", 301_244, False),  # a jump past the end of a long wall that the shortest would cut in the middle
        ("stairs", 910_038, False),  # a charge up a step past another zone
        ("stairs", 220_021, False),  # a jump along the edge of difficult ground
        ("stairs", 250_013, True),  # a climb and a leap from where it ends
        ("stairs", 170_004, True),  # down to where difficult ground begins
        ("melee", 100_407, False),  # a zone that a jump nears ever so slowly along its rim
        ("hedges", 110_359, False),  # what a way over must clear touches it at its end
        ("hedges", 100_102, False),
        ("hedges", 6_002_292, False),  # ... and parts from it only some way along an arc
        ("hedges", 6_000_781, False),  # kinds that differ by a ring round which nothing turns
        ("stairs", 6_000_071, False),  # a descent straight across that lands just where the move ends
        ("stairs", 115, False),  # a charge down a step that lands outside the zone of whom it charges
        ("stairs", 2_000_163, False),  # a way that touches the corner of difficult ground
        ("stairs", 4_000_020, False),  # along the rim of difficult ground to where a way down begins
        ("stairs", 6_100_142, False),  # round the corner of a pit that the rim of its platform cuts off
        ("stairs", 6_000_000, False),  # round the inward corner of two roofs that are one
        ("stairs", 2_800_022, True),  # out of a pit and on up the side of a platform at its brim
        ("stairs", 9_900_019, False),  # a jump up out of a pit that must keep out of a zone of the level above
        ("stairs", 4_000_074, False),
        ("stairs", 6_100_239, False),  # back to a level one of whose zones had been left
        ("stairs", 110, False),  # down beside the very corner of a platform
        ("hedges", 4_201_489, True),  # two jumps, the second of which begins beside the corner on which the first lands
        ("melee", 110_951, False),  # held by the end of a rim as well as by what it must clear
        ("melee", 120_295, False),  # a die saves less than samples can show
        ("melee", 151_660, True),
        ("melee", 171_304, True),
        ("melee", 190_821, True),  # a charge by a jump that first just clears another zone
        ("melee", 211_191, True),
        ("melee", 8_004_662, False),  # a jump across a round base that can grow as well as shrink
        ("mounds", 23_000_031, False),  # across the very end of a row of tiny pieces of a rim
        ("melee", 8_002_319, False),  # going over what a way just goes round gains less than samples show
        ("melee", 9_003_805, False),
        ("melee", 25_001_012, False),  # ... which is not always the best place to jump from
        ("stairs", 14_000_001, False),  # a leap past the corner of a gap just as wide as it can be
        ("melee", 8_004_433, False),  # two jumps that meet at a corner, one of them held to a zone
        ("stairs", 12_000_100, False),  # a place at the end of a rim, beyond which its landing is another
        ("stairs", 23_010_299, False),
        ("stairs", 23_010_101, False),
        ("stairs", 23_000_133, False),  # a place one side of which is closed
        ("stairs", 23_000_199, False),  # a climb from where its landing jumps from one side to another
        ("stairs", 6_200_001, False),  # a leap from a corner over a gap just as wide as it can be
        ("stairs", 9_000_300, True),  # a climb down to the corner from which a way runs along a rim
        ("stairs", 13, False),  # a passage just a base wide, in which one place of a rim is all that is open
        ("stairs", 25_000_044, True),  # a leap that begins just where a climb lands
        ("gates", 84, True),  # from a start that all but touches difficult ground
        ("melee", 8_001_159, False),  # a clearance that hardly changes makes a step no numbers can tell
        ("ledges", 28_000_039, True),  # a multiplier that one step makes too large
        ("melee", 28_002_165, False),  # a charge round one zone into another, from a sample that sees past both
        ("gates", 28_000_032, False),  # a charge that first touches a corner within the zone of its target
        ("stairs", 28_000_176, False),  # a climb to the corner of a top
        ("towers", 42_000_052, True),  # down from the rim of a top that the start all but touches
        ("towers", 42_000_243, True),
        ("edges", 32_000_664, True),  # a jump that just clears something, 1e-4 in after difficult ground is left
        ("hedges", 28_000_036, False),
        ("towers", 44_100_103, True),  # down from where a leap lands, beside difficult ground below
        ("edges", 47_700_124, True),  # from the end of a rim that touches a zone, where what is cleared has no slope
        ("bends", 52_001_516, True),  # two jumps that meet on one arc, between them an arc that shrinks past nothing
        ("stairs", 51_000_000, True),  # a leap that came to lead past the corner of its gap, and over nothing
        ("gates", 62_010_009, True),  # a jump held to a zone that came to rest just before difficult ground
        ("towers", 62_010_000, True),  # a drop that came to rest where it touches difficult ground, dearer than another
        ("ditches", 91_000_003, True),  # a referee who let nobody jump straight up out of a gap
        ("stairs", 71_000_025, True),  # a leap over a notch of a roof that led over a pit in the roof as well
        ("gates", 83_000_005, False),  # a graph of tangents that broke at circles that touch from within
        ("ditches", 91_000_356, True),  # two leaps that meet where two rims cross, each at a place of its own
        ("giants", 28_000_097, False),  # a jump pinned to the corner of a ring, from which its cost falls
        ("gates", 32_000_105, False),  # the same, of a jump that just clears a corner: bounds 3e-6 apart
        ("storeys", 72_000_011, True),  # a way that begins where another lands, whose rim ends a touch beyond its own
        ("stairs", 82_000_020, True),  # a last leap that is cheapest where it only touches the corner of its gap
        (
            "storeys",
            90_300_034,
            True,
        ),  # a way straight down that ended opposite to where it came to begin, not at its goal
        ("ditches", 90_300_008, True),  # beside where a last leap begins it lands nowhere: an error of numpy's
        ("giants", 83_000_027, False),  # a jump that slides into the zone of whom it charges
        ("storeys", 99_600_032, True),  # a jump from below over who lies on the next step, which the referee refused
        ("bends", 97_400_095, True),  # a jump slid along difficult ground onto other ground: 0.01 in too dear, unproven
        ("ditches", 97_400_011, True),  # where one leap lands beside where the next begins, both at the ends of pieces
        ("riders", 105_000_013, True),  # two jumps that came to cost more, made shortest, than where they began
        ("ramparts", 160_020_059, True),  # a climb round a corner whose landing swings far between two samples
        ("ramparts", 160_010_040, True),  # a die that leaves a charger on a wall in the zone of whom it charges
        ("storeys", 177_000_176, False),  # a step down that begins short of the zone of whom it charges, bound by none
    ],
)
def test_answers_that_once_were_wrong(kind, seed, small):
    assert judged(*make(kind, seed, small), seed, judge=judging.answered) == []


@pytest.mark.parametrize(
    ("kind", "seed", "small"),
    [
        ("stairs", 77_000_054, False),  # two places that run into each other on rims of two levels
        ("sliver", 10_000_530, True),  # a place a hair behind a rim that is grazed between two samples
        ("sliver", 12_000_154, False),  # an area that filled in a notch behind a rim
        ("mounds", 14_000_014, False),  # ... and one that left out what lies round a ring beyond difficult ground
        ("sliver", 23_000_322, False),  # ... and one behind a rim, between samples with a ring on the way and without
        ("mounds", 23_010_146, False),  # ... and one of which a union of bands lost a piece
        ("stairs", 23_010_006, False),  # ... and one that went on past the corner of a platform
        ("mounds", 23_010_127, False),  # kinds that differed by samples along one rim alone hid a better one
        ("stairs", 9_000_114, True),
        ("melee", 12_000_590, True),  # a jump from the end of a rim that touches what it must clear
        ("mounds", 24_000_042, False),  # where the next piece of a rim lets a jump clear nothing
        ("mounds", 14_000_062, True),  # ... and where another place than the first must go on
        ("stairs", 34, False),  # two places that meet where the rim of the second ends
        ("stairs", 24_000_054, False),  # a step between two pits at the very corner of one
        ("hedges", 26_003_542, True),  # a jump held to a zone that lands at the end of a rim
        ("shared", 28_000_138, True),  # an area that went on behind a rim where the movement ends
        ("sliver", 42_100_026, True),  # an area with a notch behind a rim, at a place to which no type of path led
        ("ledges", 32_000_002, True),  # two ways over that part at a corner, the second landing beyond the end of a rim
        ("rows", 30_000_010, True),  # a step between two walls a ten-thousandth of an inch apart
        ("readings", 62_000_002, False),  # a jump onto a top that is to lead straight across, beside a corner
        ("mounds", 27_300_018, False),  # an area that left out what lies along a rim beyond its last sample in reach
        ("stairs", 62_001_054, True),  # an area that led past an inward corner of a top, from the corner of a step
        ("gates", 50_000_010, True),  # a jump at the end of a piece of its rim, beyond which differences looked
        ("riders", 84_200_049, True),  # a way beside the one that is just gone round, by a six where a 2 would do
        ("riders", 84_200_065, True),  # a last leap that begins in time, dearer than a walk that falls short
        ("ditches", 84_200_077, True),  # the same
        ("yards", 84_300_029, True),  # a last leap that is open only where it begins between two samples of a rim
        ("stairs", 84_400_073, True),  # a last leap from a fixed place to one just opposite: nothing slides
        ("stairs", 90_300_061, True),  # a way down into a ditch beside a part of the face alone
        ("storeys", 82_000_014, True),  # a reach past a step up that touches difficult ground
        ("readings", 91_000_045, True),  # a jump straight across through the end of a line
        ("gates", 91_500_002, True),  # an area without what lies behind a rim that is come to round a base in the bog
        ("gates", 175_310_077, True),  # a cost that is flat until the way runs into a zone: bounds 0.05 apart
        ("riders", 175_310_137, True),  # a leap through an inward corner, held to the other side of it: 7e-5 in
        ("mounds", 97_000_153, True),  # a jump beside a ragged mound, dearer as the table stands than turned
        ("hedges", 103_000_154, False),  # a place that was to slide on farther than it may at a time
        ("sliver", 97_400_054, True),  # a reach behind a crossing that is just before a ring would be gone round
        ("stairs", 94_000_030, True),  # a reach past a step down to the rim of difficult ground, beside its corner
        ("gates", 178_000_590, True),  # an area that went on from a rim as if it were walked along within a zone
    ],
)
def test_tables_that_once_were_wrong(kind, seed, small):
    assert judged(*make(kind, seed, small), seed) == []


@pytest.mark.parametrize(
    ("kind", "seed", "small", "way", "cost"),
    [
        # A corner of rims at which other ground begins, left out among many tiny pieces: 6.857708660. Before rims of
        # ways over difficult ground were sampled twice as close it was 6.857213273 either way.
        ("mounds", 26_200_011, True, "turned", 6.850163862),
        # Forty kinds that differed by samples along one rim alone hid a better one: 6.273407834.
        ("mounds", 12_100_278, False, "turned", 6.273047513),
        # Two multipliers that one step lets go of: 7.328940210.
        ("fights", 28_000_079, False, "turned", 7.310878109),
        # A leap over what is gone round, from the very rim that a leap lands on: 4.991878249.
        ("riders", 97_000_062, True, "as it stands", 4.990863825),
    ],
)
def test_the_way_round_that_was_wrong_costs_what_the_other_does(kind, seed, small, way, cost):
    """Both ways round, as `judging.answered` asks them, take half a minute: the other was right before and after."""
    table, question = make(kind, seed, small)
    if way == "turned":
        table, question = judging.other_way_round(table, question, seed)
    verdict = ask(table, question, alternatives=False)
    assert [*judging.bounds(verdict), *judging.witness(table, question, verdict)] == []
    assert verdict.needed == pytest.approx(cost, abs=1e-8)


def test_how_far_is_looked_changes_nothing(monkeypatch):
    """Two jumps that meet on one arc: turned, with more in range, they came to rest 2e-3 in dearer."""
    monkeypatch.setattr(best_path, "_PAD", 0.3)
    assert judged(*make("bends", 52_001_516, small=True), 52_001_516) == []


def test_the_part_before_a_last_way_that_begins_between_two_samples_is_made_shortest():
    """Nothing leads on from there: an error of numpy's while readings were asked."""
    verdict = sbg.check(*make("storeys", 93_000_029, small=True))
    assert (verdict.answer, verdict.rulings) == ("no", ("stand_on = centre",))


def test_a_leap_straight_across_is_found_beside_difficult_ground():
    """The gap is as wide as may be: samples led straight across through the ground alone, 0.96 in dearer."""
    table, question = make("ditches", 177_300_032, small=True)
    begun, landed = (11.6274, 9.9059), (12.8777, 6.1229)
    least = sum(math.dist(p, q) for p, q in pairwise([table.model("me").at, begun, landed, question.to]))
    assert ask(table, question, alternatives=False).needed == pytest.approx(least, abs=1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_small_tables(kind, monkeypatch):
    monkeypatch.setattr(judging, "PLACES", 1)  # of those where dice land, a verdict each
    for seed in (0,) if kind in {"stairs", "platforms"} else (1, 2):  # where dice land, what an area holds
        assert judged(*make(kind, seed, small=True), seed) == []


@pytest.mark.heavy
@pytest.mark.parametrize("kind", KINDS)
def test_tables_at_length(kind, tmp_path):
    line = run(kind, 500, 5000, 2.0, tmp_path)
    assert set(line["faults"]) <= {"slow"}, sorted(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("kind", "seed"),
    [
        ("melee", 84),  # a way without dice hides cheaper ones that take a die
        *((kind, seed) for kind in ("melee", "forest", "corridor", "hedges") for seed in range(2)),
    ],
)
def test_what_is_sure_holds_wherever_models_stand(kind, seed):
    assert placed.faults(*make(kind, seed), seed, 8) == []


@pytest.mark.parametrize(("kind", "seed"), [(kind, seed) for kind, some in LISTS.items() for seed in some])
def test_lists_say_what_single_questions_answer(kind, seed):
    assert lists.faults(*make(kind, seed, small=True), seed) == []


@pytest.mark.parametrize(
    ("kind", "seed"),
    [("melee", 3), ("hedges", 1), ("platforms", 0), pytest.param("ledges", 13, marks=pytest.mark.heavy)],
)
def test_answers_fit_those_that_differ_a_little(kind, seed):
    before = dict(related.COUNT)
    assert related.faults(*make(kind, seed, small=True), seed) == []
    aloft = {"back"} if kind in {"platforms", "ledges"} else set()  # up there no way back is asked
    assert {what for what in before if related.COUNT[what] == before[what]} == aloft


@pytest.mark.parametrize(
    ("kind", "seed", "words"),
    [
        ("mires", 0, "turned"), ("rows", 1, "aslant"), ("sliver", 2, "scaled"), ("shared", 3, "cut"),
        ("storeys", 3, "cut"), ("gates", 0, "doubled"), ("yards", 1, "doubled"),
    ],
)  # fmt: skip
def test_a_table_in_other_words_is_told_by_what_its_words_change(kind, seed, words, monkeypatch):
    """Whatever answers are worse by a hair there is found out; as they are nothing is."""
    assert alike.faults(*make(kind, seed, small=True), seed, Counter()) == []

    def dear(table, question, **how):
        verdict = truth(table, question, **how)
        other = (table, question) != pair.one and verdict.needed is not None
        return replace(verdict, needed=verdict.needed + 1e-3, answer="yes", chance=1) if other else verdict

    truth = alike.ask
    made = next(one for one in alike.WORDS if one.__name__ == words)
    pair = made(*make(kind, seed, small=True), random.Random(f"{words} {seed}"))
    monkeypatch.setattr(alike, "ask", dear)
    assert [*alike.verdicts(pair)]


def test_an_answer_that_is_too_dear_is_found_out_by_routes(monkeypatch):
    def dear(table, question, **how):
        verdict = truth(table, question, **how)
        return replace(verdict, needed=verdict.needed + 0.05) if verdict.needed is not None else verdict

    truth = related.ask
    monkeypatch.setattr(related, "ask", dear)
    found = [fault for seed in range(8) for fault in related.faults(*make("melee", seed, small=True), seed)]
    assert found
    assert {fault.partition(":")[0] for fault in found} == {"route"}  # dearer everywhere, answers still fit each other


def test_an_answer_that_what_is_elsewhere_makes_worse_is_found_out(monkeypatch):
    def unlikely(table, question, **how):
        verdict = truth(table, question, **how)
        few = len(table.models) < whole and verdict.chance
        return replace(verdict, chance=verdict.chance / 6) if few else verdict

    table, question = make("melee", 3, small=True)
    truth, whole = related.ask, len(table.models)
    monkeypatch.setattr(related, "ask", unlikely)
    assert any(fault.startswith("relation") for fault in related.faults(table, question, 3))


def test_a_reading_that_is_not_told_to_turn_an_answer_is_found_out(monkeypatch):
    """And one that is told to and does not. Over a model that lies there are 2 in to jump, and 1.4 in left."""
    body = {"base": 1, "height": 1.5, "side": "evil", "move": 6}
    models = {"me": {**body, "at": [6, 12], "move": 3, "side": "good"}, "foe": {**body, "at": [10.6, 12]}}
    models["low"] = {**body, "at": [8.6, 12], "prone": True}
    asked = sbg.Table(24, 24, models=models), sbg.Charge("me", "foe")
    monkeypatch.setattr(related, "DRAWN", 0.0)
    # Of those that do not turn it four stand for all: each is asked of all three times.
    kept = {"jump_without_movement", "jump_landing", "leap_needs", "stand_on", "models_block_sight", "sight_grazing"}
    monkeypatch.setattr(related, "RULINGS", {name: ruling for name, ruling in related.RULINGS.items() if name in kept})
    assert not [*related.told(*asked, random.Random(1))]
    truth, wrong = related.ask, []
    for rulings in ((), ("jump_landing = across",)):
        monkeypatch.setattr(related, "ask", lambda *a, r=rulings, **how: replace(truth(*a, **how), rulings=r))
        wrong += [fault.partition("by ")[2].partition(",")[0] for fault in related.told(*asked, random.Random(1))]
    assert wrong == ["jump_without_movement = yes", "jump_landing = across", "jump_without_movement = yes"]


def test_a_place_an_enemy_comes_to_only_past_where_it_must_not_end_is_safe():
    table, question = make("rows", 62_002_043, small=True)
    found, at = sbg.safe(table, question.model), (8.7818, 11.3498)
    assert found.reach.area.contains(shapely.Point(at))
    assert [verdict.answer for verdict in found.charges_at(at)] == ["no"]
    assert found.area.contains(shapely.Point(at))


@pytest.mark.parametrize(
    ("kind", "seed", "out"),
    [
        ("mounds", 62_000_003, 1246.9134),  # inches from the origin: rounding made of no arc a full turn, and an error
        ("stairs", 62_001_074, 0.0),  # from beside what is stepped onto a reach was 0.04 in too dear
        ("mires", 64, 0.0),  # no place on a ring is come to by way of a rim: an error
    ],
)
def test_areas_say_what_costs_say(kind, seed, out):
    places = seed - seed % 4 + 2  # every fourth is asked
    assert list(judging.drawn(*shifted(*make(kind, seed, small=True), out), places)) == []


def test_a_list_that_says_otherwise_is_found_out(monkeypatch):
    def wrong(table, question, **how):
        verdict = truth(table, question, **how)
        return replace(verdict, needed=verdict.needed + 1e-4) if verdict.needed is not None else verdict

    truth = lists.ask
    monkeypatch.setattr(lists, "ask", wrong)
    assert any(lists.faults(*make("melee", seed, small=True), seed) for seed in (0, 3, 6))


def test_what_is_not_sure_is_found_out(monkeypatch):
    """Bounds that forget the doubt are contradicted by placements."""

    def hasty(table, question, verdict, doubts):
        return replace(truth(table, question, verdict, doubts), sure=True, at_least=verdict.at_least)

    truth = placed.certainty
    monkeypatch.setattr(placed, "certainty", hasty)
    assert any(placed.faults(*make("melee", seed), seed, 8) for seed in range(6))


@pytest.mark.parametrize(
    ("kind", "seed", "at"), [("sliver", 87, (7.5894, 15.0101)), ("shared", 208, (15.2405, 12.4889))]
)
def test_a_place_just_behind_a_rim_has_its_cost(kind, seed, at):
    """Samples put its crossing up to an eighth of an inch aside: what they cost lay beyond the Move."""
    table, question = make(kind, seed)
    cost = float(sbg.reach(table, question.model).distance(at))
    assert cost == pytest.approx(sbg.check(table, sbg.Move(question.model, at)).needed, abs=1e-7)


@pytest.mark.parametrize("kind", KINDS)
def test_a_seed_is_a_table(kind):
    assert make(kind, 3) == make(kind, 3)
    assert make(kind, 3) != make(kind, 4)
    assert make(kind, 3, small=True) == make(kind, 3, small=True)
    assert make(kind, 3, small=True) != make(kind, 3)


def test_a_planted_fault_is_found_shrunk_and_saved(monkeypatch, tmp_path):
    def wrong(table, question, **how):
        verdict = truth(table, question, **how)
        if len(table.terrain) and verdict.needed is not None:
            return replace(verdict, needed=verdict.needed + 1e-4, at_most=verdict.at_most + 1e-4)
        return verdict

    truth = judging.ask
    monkeypatch.setattr(judging, "ask", wrong)
    line = run("forest", 0, 3, 1.0, tmp_path)
    assert line["tables"] == 3
    assert line["faults"]["cost"] >= 2
    saved = sorted(tmp_path.glob("*.toml"))
    assert saved
    smallest = sbg.load(saved[0])
    assert len(smallest.terrain) == 1
    assert list(smallest.models) == ["me"]
    assert list(smallest.questions) == ["q"]


def lying_elsewhere(*told, **how):
    end = failed(*told, **how)
    return replace(end, at=(end.at[0] + 1e-3, end.at[1]))


def hurt_more(*told):
    return fall_hits(*told) + 1


def answering(**wrong):
    def asked(table, question, **how):
        verdict = ask(table, question, **how)
        if verdict.play is None or not verdict.tests:
            return verdict
        return replace(verdict, **{name: change(getattr(verdict, name)) for name, change in wrong.items()})

    return asked


@pytest.mark.parametrize(
    ("module", "name", "wrong", "kind", "seeds"),
    [
        ("sbg_sim.referee.judge", "on_top", lambda *_: 0.0, "cost", (4, 9, 10)),  # it forgets what leads along a top
        ("sbg_sim.simulate.plays", "failed", lying_elsewhere, "stop", (34, 38)),  # who falls lies beside the foot
        ("sbg_sim.rules.results", "fall_hits", hurt_more, "fall", (34, 38)),
        ("tests.fuzz.judging", "ask", answering(chance=lambda chance: chance / 6), "chance", (12,)),
        ("tests.fuzz.judging", "ask", answering(needed=lambda cost: cost + 1e-4), "lines", (4, 9)),
    ],
    ids=["referee", "stop", "fall", "chance", "lines"],
)
def test_a_fault_in_climbs_over_wide_walls_is_found(module, name, wrong, kind, seeds, monkeypatch):
    asked = [(*make("ramparts", seed, small=True), seed) for seed in seeds]
    assert [judged(*one, judge=judging.answered) for one in asked] == [[] for _ in asked]
    monkeypatch.setattr(import_module(module), name, wrong)  # the front door has a function called `simulate`
    said = [fault.partition(":")[0] for one in asked for fault in judged(*one, judge=judging.answered)]
    assert kind in said


def test_ramparts_are_wide_and_high_and_hung_on():
    found = Counter()
    for seed in range(120):
        table, question = make("ramparts", seed, small=bool(seed % 2))
        me = table.model("me")
        high = [p for p in table.terrain.values() if p.is_obstacle and p.top > me.height]
        # A base of the mover's own size lies in a wall where that is as wide as it.
        wide = [p for p in high if not p.shape.to_shapely().buffer(1e-9 - me.radius).is_empty]
        found.update(high=bool(high), wide=bool(wide), hung=bool(me.climbed), charge=isinstance(question, sbg.Charge))
        found.update(ruled=bool(table.rulings.chosen), two=len(high) > 1)
        assert table_faults(table) == []
    assert found["high"] > 80
    assert found["wide"] > 50
    assert min(found["hung"], found["two"]) >= 3
    assert min(found["charge"], found["ruled"]) > 25


def test_the_graph_of_tangents_bites():
    bitten = 0
    for seed in range(12):
        table, question = make("forest", seed)
        verdict = sbg.check(table, question)
        if verdict.needed is not None:
            off = replace(verdict, needed=verdict.needed - 1e-4)
            bitten += bool(list(judging.against_tangents(table, question, off)))
    assert bitten >= 6


def test_slow_tables_are_kept_as_they_are(monkeypatch):
    def working(*_, **__):
        while True:
            pass

    monkeypatch.setattr(judging, "ask", working)
    table, question = make("chain", 1)
    assert judged(table, question, 1, 1) == ["slow: no answer within 1 s"]
    assert set(shrunk(table, question, 1, "slow", 0).terrain) == set(table.terrain)


@pytest.mark.parametrize("path", sorted(files.CORPUS.glob("*")), ids=lambda path: path.name)
def test_files_that_once_were_not_taken_as_they_should(path, tmp_path):
    assert files.fault(path.read_bytes(), tmp_path) == ""


def test_mutated_files(tmp_path):
    texts = files.sources(tmp_path)
    for seed in range(10_000_000, 10_000_400):
        dice = random.Random(seed)
        assert files.fault(files.mutated(dice.choice(texts), dice), tmp_path) == "", seed


def test_files_are_judged(monkeypatch, tmp_path):
    def broken(*_):
        raise TypeError("'NoneType' object is not iterable")

    monkeypatch.setattr(files, "read", broken)
    assert files.fault(b"", tmp_path) == "crash: TypeError: 'NoneType' object is not iterable"
    assert Path(files.CORPUS).is_dir()
