"""Readings that turn an answer: each is named, tried by `rulings`, and judged alike by the referee."""

from fractions import Fraction
from pathlib import Path

import pytest

import sbg_sim as sbg
from sbg_sim import certificate, report
from sbg_sim.dice import distribution
from sbg_sim.referee import audit
from sbg_sim.simulate.plays import route_play
from sbg_sim.solver.answer import ask
from sbg_sim.solver.readings import differing, relevant
from sbg_sim.table.questions import Charge, Move
from sbg_sim.table.rulings import RULINGS
from tests.heights.ruins import ruin
from tests.heights.stage import PASS, SIX, box, charge, move, mover, other, piece, table, wall

LEVELS = Path(__file__).parents[2] / "scenarios" / "levels"
TURNED = [
    ("roofs-of-two-heights", "not-up-again", {"leap_landing = both"}),
    ("roofs-of-two-heights", "down-to-the-lower", {"leap_landing = neither"}),
    ("plinth", "within-reach", {"contact_across_heights = no"}),
    ("plinth-untouchable", "a-hair-too-narrow", {"contact_across_heights = yes"}),
    ("treads", "up-the-treads", {"stand_on = whole"}),
    ("open-sides", "out-of-the-ditch", {"stand_on = centre"}),
    ("low-wall-in-the-way", "a-hair-too-far", {"end_on_low_obstacle = yes"}),
    ("ends-on-a-low-wall", "on-top-of-it", {"end_on_low_obstacle = no"}),
    ("leap-takes-the-move", "more-than-is-left", {"leap_needs = remaining"}),
    ("leap-takes-what-is-left", "a-hair-too-short", {"leap_needs = maximum"}),
    ("landing-beside-who-lies", "just-beyond-the-wall", {"jump_into_contact = apart"}),
    ("landing-apart-from-who-lies", "just-beyond-the-wall", {"jump_into_contact = charge"}),
    ("zone-once-left", "a-hair-nearer", {"zone_once_left = nearer"}),
    ("zone-once-left-nearer", "comes-round", {"zone_once_left = closed"}),
    ("climber-charged", "a-hair-higher", {"charge_a_climber = no"}),
    ("climber-out-of-reach", "a-hair-higher", {"charge_a_climber = yes"}),
    ("jumping-over-a-troll", "a-hair-too-low", {"jump_prone_height = half"}),
    ("jumping-over-a-troll-by-height", "a-hair-too-low", {"jump_prone_height = any"}),
]


@pytest.mark.parametrize(("file", "question", "named"), TURNED, ids=[f"{f}-{q}" for f, q, _ in TURNED])
def test_the_reading_that_turns_it_is_named(file, question, named):
    found = sbg.check(sbg.load(LEVELS / f"{file}.toml"), question)
    assert named <= set(found.rulings)


def test_the_referee_knows_who_hangs_too_high():
    table = sbg.load(LEVELS / "climber-charged.toml")
    way, there = sbg.check(table, "a-hair-higher").route, table.under("charge_a_climber", "no")
    assert sbg.audit(table, "uruk-2", way, charging=("pippin",)).violations == ()
    assert [v.rule for v in sbg.audit(there, "uruk-2", way, charging=("pippin",)).violations] == ["CHG.1"]
    assert sbg.audit(there, "uruk-1", sbg.check(there, "half-its-height").route, charging=("merry",)).legal


def test_a_jump_that_another_reading_does_away_with_is_named():
    """Onto a top exactly half as high a last jump may outrun the Move, by one reading; by another it is no jump."""
    at = table(mover(6, 12, height=2.0, move=2.0), piece("top", "platform", box(8, 8, 16, 16), height=1.0))
    found = ask(at, Move("m", (8.5, 12), "top"))
    assert (found.answer, found.needed, found.rulings) == ("no", 2.5, ("jump_without_movement = yes",))


def test_the_referee_knows_how_tall_who_lies_is():
    table = sbg.load(LEVELS / "jumping-over-a-troll.toml")
    over, there = sbg.check(table, "a-hair-too-low").route, table.under("jump_prone_height", "half")
    assert sbg.audit(table, "frodo", over).legal
    assert [v.rule for v in sbg.audit(there, "frodo", over).violations] == ["PRN.5"]
    assert sbg.audit(there, "boromir", sbg.check(there, "just-as-high").route).legal
    assert not sbg.check(there, "just-as-high").rulings


def test_all_rulings_at_once():
    found = sbg.rulings(sbg.load(LEVELS / "plinth-untouchable.toml"), "a-hair-too-narrow")
    assert {"contact_across_heights = yes", "stand_on = centre"} <= set(found.deciding)


def beside(**rulings):
    """Behind the wall a jump puts it down at (7, 12), an inch from an enemy that lies."""
    return table(mover(4, 12), wall(1.0), other("e", 8, 12, prone=True), **rulings)


@pytest.mark.parametrize(("reading", "chance", "results"), [("charge", PASS, "2-6"), ("apart", SIX, "6")])
def test_a_2_sets_it_down_touching_or_apart(reading, chance, results):
    at = beside(jump_into_contact=reading)
    found = charge(at, "e")
    assert found.chance == chance
    stops = {stop.results: stop for stop in audit(at, "m", found.play, charging=("e",)).stops}
    assert (results,) in stops
    if reading == "apart":
        short = stops[("2-5",)].place
        assert 0 < 7 - short[0] < 0.1
        assert short in {end.at for end in distribution(route_play(at, "m", found.play))}


def test_near_a_level_what_is_low_is_tried_and_not_named_for_nothing():
    """Round the low wall it goes for the same, and onto the deck nobody asked."""
    deck = piece("deck", "platform", box(10, 14, 13, 17), height=3.0)
    low = wall(0.5)
    assert sbg.check(table(mover(4, 12), low, deck), Move("m", (4.0, 9.0))).rulings == ()


def test_the_ruling_for_landings_beside_who_lies_touches_no_other():
    one, two = (table(mover(4, 12), wall(1.0), other("e", 20, 12), jump_into_contact=r) for r in ("charge", "apart"))
    landed = Move("m", (9.0, 12.0))
    assert sbg.check(one, landed).chance == sbg.check(two, landed).chance


@pytest.mark.parametrize(("file", "chance"), [("beside", "5/6"), ("apart-from", "1/6")])
def test_certificates_of_either_are_confirmed(file, chance):
    at = sbg.load(LEVELS / f"landing-{file}-who-lies.toml")
    paper = certificate.issue(at, "just-beyond-the-wall", report.as_json(sbg.check(at, "just-beyond-the-wall")))
    assert paper["claim"]["chance"] == chance
    assert certificate.verify(paper).refuted == []


@pytest.mark.parametrize("depth", [0.5, 1.0, 2.0])
def test_the_bottom_of_a_pit_in_a_deck(depth):
    """What it is cut into is no obstacle down there; over 1.5 in down it takes a Climb test."""
    deck = piece("k", "platform", box(4, 8, 16, 16), height=3.0)
    pit = piece("g", "gap", box(7, 8, 11, 16), depth=depth, on="k")
    down = move(table(mover(6, 12, on="k"), deck, pit), (7.5, 12), "g")
    assert down.chance == (1 if depth <= 1.5 else PASS)
    assert down.needed == pytest.approx(1.5 if depth <= 1.5 else 0.5 + 2 * depth)
    back = move(table(mover(8, 12, on="g"), deck, pit), (6.5, 12), "k")
    assert back.chance == (Fraction(1) if depth < 0.75 else PASS)


def test_a_base_that_hangs_over_difficult_ground():
    """By its centre it stands on the ground, with the base over a bog half an inch up: that counts double (TER.2)."""
    bog = piece("s", "platform difficult", box(8, 4, 14, 20), height=0.5)
    at = table(mover(6, 12, move=8.0), bog, stand_on="centre")
    assert move(at, (10, 12), "s").needed == pytest.approx(1.5 + 2 * 2.5, abs=1e-5)


def test_only_readings_that_have_something_to_be_about_are_tried():
    steps = [piece(f"s{i}", "platform", box(8 + 2 * i, 4, 10 + 2 * i, 20), height=0.5 * (i + 1)) for i in range(2)]
    at, up = table(mover(6, 12), *steps), Move("m", (11, 12), "s1")
    assert relevant(at, up, ask(at, up, alternatives=False)) == ["stand_on"]
    step = piece("t", "platform", box(10, 8, 16, 16), height=0.5)
    at, far = table(mover(6, 12), step, other("e", 14.2, 12, on="t")), Charge("m", "e")
    refused = ask(at, far, alternatives=False)
    assert (refused.answer, len(relevant(at, far, refused)) > 3) == ("no", True)
    assert differing(at, far, refused, []) == ()  # 7.2 in apart for a Move of 6: no reading brings it nearer


def test_the_lip_of_a_ditch_may_be_grazed_though_nothing_stands():
    ditch = piece("g", "gap", box(10, 8, 14, 16), depth=2.0)
    at, charge = table(mover(6, 12, move=9.0), ditch, other("e", 10.5, 12, on="g")), Charge("m", "e")
    assert "sight_grazing" in relevant(at, charge, ask(at, charge, alternatives=False))
    assert set(ask(at, charge).rulings) == by_every_reading(at, charge)


def by_every_reading(at, question):
    """The readings by which an answer is another, each tried."""
    first = ask(at, question, alternatives=False)
    found = set()
    for name in RULINGS:
        for reading in at.rulings.alternatives(name):
            other = ask(at.under(name, reading), question, alternatives=False)
            if (other.answer, other.chance) != (first.answer, first.chance):
                found.add(f"{name} = {reading}")
    return found


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(60))
def test_no_reading_that_turns_an_answer_is_left_out(seed):
    at, asked = ruin(seed)
    for question in asked[:3]:
        assert set(ask(at, question).rulings) == by_every_reading(at, question)


def test_what_a_jump_over_a_model_that_lies_needs_is_asked_where_no_wall_is():
    """3.6 in to contact, the last 2 of them over a base: only where a jump needs no movement left it is made with 3."""
    body = {"base": 1, "height": 1.5, "side": "evil", "move": 6}
    models = {
        "me": {**body, "at": [6, 12], "move": 3, "side": "good"},
        "low": {**body, "at": [8.6, 12], "prone": True},
        "foe": {**body, "at": [10.6, 12]},
    }
    verdict = ask(sbg.Table(24, 24, models=models), sbg.Charge("me", "foe"))
    assert (verdict.answer, verdict.needed) == ("no", pytest.approx(3.6))
    assert verdict.rulings == ("jump_without_movement = yes",)


@pytest.mark.parametrize(("reading", "answer", "other_one"), [("no", "no", "yes"), ("yes", "chance", "no")])
def test_a_jump_that_needs_far_more_than_is_left_is_named(reading, answer, other_one):
    """An inch up to the wall and two over it, with a Move of 1.25; by either landing it goes straight across."""
    at = table(mover(4.5, 12, height=1.0, move=1.25), wall(1.0, thick=1.0), jump_without_movement=reading)
    told = ask(at, Move("m", (7.5, 12)))
    assert (told.answer, told.needed) == (answer, pytest.approx(3.0, abs=1e-9))
    assert told.rulings == (f"jump_without_movement = {other_one}",)


def test_no_2_to_5_leads_over_a_top_to_its_far_rim_by_either_landing():
    """Contact is at x = 9 and beyond; the base first stands on top at x = 5, and from there a 6 alone leads on."""
    deck = piece("p", "platform", box(4.5, 2, 10.5, 12), height=0.75)
    at = table(mover(3, 5, move=8.0), deck, other("e", 10, 6, height=1.0, move=8.0, on="p", prone=True), size=14.0)
    found = ask(at, Charge("m", "e"))
    assert found.chance == SIX
    assert ask(at.under("jump_landing", "across"), Charge("m", "e")).chance == SIX
    assert "jump_landing = across" not in found.rulings
