"""Answers under doubt: what is said to be sure is never contradicted by a placement within the doubt."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim.cli import main
from sbg_sim.contested.asking import faults, shifted
from sbg_sim.contested.certain import certainty
from sbg_sim.contested.placings import less_doubt
from sbg_sim.solver.answer import ask
from tests.contested.field import FIELD

SCENARIOS = Path(__file__).parents[2] / "scenarios"


@pytest.mark.parametrize(("x", "answer"), [(10.93, "yes"), (10.95, "too-close"), (11.05, "too-close"), (11.07, "no")])
def test_two_bases_in_the_open_are_off_by_both_their_doubts(x, answer):
    """The way is x - 5 long and may be 0.06 longer or shorter; the Move is 6."""
    verdict = sbg.check(sbg.loads(FIELD % (0.03, x, "")), "can-he")
    assert verdict.answer == answer
    assert verdict.certainty.at_least == pytest.approx(x - 5.06, abs=1e-5)
    if answer == "yes":
        assert verdict.certainty.at_most == pytest.approx(x - 4.94, abs=1e-5)
        assert "for every placement" in verdict.reason


def test_a_models_own_doubt_goes_before_the_tables():
    sure = 'doubt = "0.1 mm"'
    verdict = sbg.check(sbg.loads(FIELD % (0.0, 10.998, sure)), "can-he")
    assert verdict.answer == "too-close"
    assert verdict.certainty.doubts == {"merry": pytest.approx(0.1 / 25.4)}
    assert [name for name, _ in verdict.certainty.matters] == ["merry"]
    verdict = sbg.check(sbg.loads(FIELD % (0.0, 10.99, sure)), "can-he")
    assert verdict.answer == "yes"


def test_a_model_without_doubt_stands_where_the_file_has_it():
    """Needs 5.96 of 6: with 0.03 of the mover's alone it holds, with 0.03 of both it does not."""
    assert sbg.check(sbg.loads(FIELD % (0.03, 10.96, "doubt = 0")), "can-he").answer == "yes"
    assert sbg.check(sbg.loads(FIELD % (0.03, 10.96, "")), "can-he").answer == "too-close"


@pytest.mark.parametrize(
    ("x", "answer", "most"),
    [(10.9, "yes", 0.95), (11.0, "yes", 4.05), (11.04, "yes", 4.09), (12.94, "yes", 5.99), (12.96, "too-close", 6.01)],
)
def test_who_may_have_crawled_too_little_stands_up(x, answer, most):
    """One inch of crawling, or half of a Move of 6 and the way: x - 10 may be 0.05 longer."""
    table = sbg.Table(
        24,
        24,
        models={"sam": {"at": [10, 10], "base": 1, "height": 1.5, "move": 6, "side": "good", "prone": True}},
        tolerance=0.05,
    )
    verdict = sbg.check(table, sbg.Move("sam", (x, 10)))
    assert verdict.answer == answer
    assert verdict.certainty.at_most == pytest.approx(most, abs=1e-6)


@pytest.mark.parametrize(("doubt", "sure"), [(0.026, True), (0.0275, False), (0.3, False)])
def test_a_way_without_dice_that_is_a_little_too_long_may_do(doubt, sure):
    """As she stands the way round the wall is 0.0269 in too long and she has to jump; so much nearer she need not."""
    wall = {"tags": ["obstacle"], "height": 1, "polygon": [[11, 13.2], [11.4, 13.2], [11.4, 18], [11, 18]]}
    elf = {"at": [10, 14.8], "base": "25 mm", "height": 1.5, "move": 6, "side": "good"}
    table, asked = sbg.Table(24, 24, models={"elf": elf}, terrain={"wall": wall}), sbg.Move("elf", (12.6, 15.5))
    r, lack = 12.5 / 25.4, 0.4 - 6  # the wall is 0.4 thick; a tangent and an arc at each of its corners
    for across, up in ((1.0, 1.6), (1.2, 2.3)):
        apart = math.hypot(across, up)
        lack += math.sqrt(apart**2 - r**2) + r * (math.pi / 2 + math.atan2(up, across) - math.acos(r / apart))
    found = certainty(table, asked, doubts={"elf": doubt})
    assert (found.answer, found.sure) == ("chance", sure)
    turns = sbg.flips(table, asked)
    assert turns.smallest.inches == pytest.approx(lack, abs=1e-5)
    assert turns.together == replace(turns.smallest, model="")


def test_without_doubt_nothing_changes():
    verdict = sbg.check(sbg.loads(FIELD % (0.0, 11.0, "")), "can-he")
    assert (verdict.answer, verdict.certainty) == ("yes", None)


@pytest.mark.parametrize(("doubts", "sure"), [({"merry": 0.02}, False), ({}, True)])
def test_a_distance_is_sure_only_where_nobody_is_in_doubt(doubts, sure):
    found = certainty(sbg.loads(FIELD % (0.0, 11.0, "")), sbg.Measure("lurtz", "merry"), doubts=doubts)
    assert (found.answer, found.sure, found.doubts) == (None, sure, doubts)


@pytest.mark.parametrize("tolerance", [0.0, 0.03, 0.5])
def test_a_list_of_charges_is_as_sure_as_check(tolerance):
    table = replace(sbg.load(SCENARIOS / "amon-hen.toml"), tolerance=tolerance)
    found = sbg.charges(table, "lurtz")
    for entry in found:
        asked = sbg.check(table, sbg.Charge("lurtz", entry.target), alternatives=False)
        assert (entry.verdict.answer, entry.verdict.reason) == (asked.answer, asked.reason)
        assert entry.verdict.certainty == asked.certainty
    assert ("too-close" in {entry.verdict.answer for entry in found}) == (tolerance == 0.5)


@pytest.mark.parametrize(("x", "answer"), [(10.95, "too-close"), (11.05, "too-close"), (11.07, "no")])
def test_the_command_for_charges_does_not_judge_by_the_margin(tmp_path, capsys, x, answer):
    """The margin is 0.05 with a tolerance of 0.03: both bases may be off by it, so 0.05 is too close."""
    file = tmp_path / "field.toml"
    file.write_text(FIELD % (0.03, x, ""))
    for command, said in (("charges", answer), ("reach", "as placed"), ("denies", "as placed")):
        with pytest.raises(SystemExit) as ended:
            main([command, str(file), "lurtz"])
        assert ended.value.code == 0
        assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    "command",
    ["simulate --trials 10", "sweep --vary models.lurtz.move=6:7:1", "campaign", "rulings"],
    ids=lambda command: command.split()[0],
)
def test_what_says_yes_where_check_says_too_close_says_why(tmp_path, capsys, command):
    file = tmp_path / "field.toml"
    name, *options = command.split()
    for tolerance in (0.03, 0.0):
        file.write_text(FIELD % (tolerance, 10.95, ""))
        with pytest.raises(SystemExit) as ended:
            main([name, str(file), "can-he", *options])
        assert ended.value.code == 0
        told = "as placed: up to 0.03 in by which models may be off are not weighed" in capsys.readouterr().out
        assert told == (tolerance > 0)


@pytest.mark.parametrize(("doubt", "sure"), [(0.49, True), (0.6, False), (1.6, False)])
def test_a_doubt_larger_than_the_base_may_take_its_zone_away(doubt, sure):
    """The place lies 0.55 deep in the zone of a guard whose base is half an inch in radius."""
    guard = {"at": [12, 12], "base": 1, "height": 1.5, "move": 6, "side": "good"}
    orc = {"at": [10, 16], "base": 1, "height": 1.5, "move": 6, "side": "evil"}
    table = sbg.Table(24, 24, models={"guard": guard, "orc": orc})
    asked = sbg.Move("orc", (12 - 1.45, 12.0))
    found = certainty(table, asked, doubts={"guard": doubt})
    assert (found.answer, found.sure) == ("no", sure)
    assert sbg.check(table.having("guard", at=(12.551, 12)), asked).answer == "yes"


@pytest.mark.parametrize(("base", "doubt", "apart"), [(9e-4, 1e-4, 8.5e-4), (1.0, 0.4998, 0.5003)])
def test_no_base_grows_for_being_in_doubt(base, doubt, apart):
    """The place overlaps a friend who is off by more than that; a thousandth of an inch or less is left of its base."""
    man = {"base": base, "height": base, "move": 9 * base, "side": "good"}
    at, middle = (9 * base, 9 * base), (12 * base, 9 * base)
    table = sbg.Table(20 * base, 20 * base, models={"me": {**man, "at": at}, "friend": {**man, "at": middle}})
    asked = sbg.Move("me", (middle[0] - apart, middle[1]))
    found = certainty(table, asked, doubts={"friend": doubt})
    assert (found.answer, found.sure) == ("no", False)
    aside = ask(table.having("friend", at=(middle[0] + doubt, middle[1])), asked)
    assert aside.answer == "yes"
    assert aside.needed >= found.at_least


@pytest.mark.parametrize("doubt", [1e-4, 3e-4])
def test_a_mover_in_doubt_grows_no_more_than_others(doubt):
    man = {"base": 9e-4, "height": 1e-3, "move": 5e-3, "side": "good"}
    table = sbg.Table(0.02, 0.02, models={"me": {**man, "at": [0.01, 0.01]}, "by": {**man, "at": [0.0109, 0.01]}})
    doubts = {"me": doubt, "by": doubt}
    there = less_doubt(table, sbg.Move("me", (0.008, 0.01)), doubts, slim=True)
    assert all(m.base == pytest.approx(9e-4 - 2 * doubt) for m in there.models.values())


@pytest.mark.parametrize("doubts", [{"foe": 0.2}, {"me": 0.1, "foe": 0.2}])
def test_a_target_that_may_be_in_contact_costs_nothing(doubts):
    """Half the gap is out of reach as placed; off by their doubts the two may touch before the charge."""
    man = {"base": 1, "height": 1.5}
    me = {**man, "at": [10, 10], "move": 0.05, "side": "good"}
    table = sbg.Table(24, 24, models={"me": me, "foe": {**man, "at": [11.1, 10], "move": 6, "side": "evil"}})
    asked = sbg.Charge("me", "foe")
    found = certainty(table, asked, doubts=doubts)
    assert (found.answer, found.sure, found.at_least) == ("no", False, 0.0)
    assert ask(table.having("foe", at=(11.02, 10)), asked).answer == "yes"


@pytest.mark.parametrize("doubt", [0.3, 0.7])
def test_a_doubt_larger_than_a_base_lets_the_look_past_it(doubt):
    """Between the two stands a third, and hides all of the far one; off by more than its radius it hides nothing."""
    man = {"base": 1, "height": 2, "move": 6, "side": "good"}
    table = sbg.Table(
        30, 24, models={"one": {**man, "at": [4, 12]}, "two": {**man, "at": [12, 12]}, "far": {**man, "at": [24, 12]}}
    )
    found = certainty(table, sbg.Sight("one", "far"), doubts={"two": doubt})
    aside = sbg.check(table.having("two", at=(12, 12 + doubt)), sbg.Sight("one", "far")).answer
    assert not found.sure or aside == found.answer


CASES = [
    ("disputes/charge-round-a-friend", "round-gimli", "yes"),
    ("disputes/first-zone-entered", "round-the-guard", "no"),
    ("disputes/first-zone-entered", "the-guard-himself", "yes"),
    ("disputes/zone-of-a-prone-model", "past-the-standing", "no"),
    ("disputes/gap-too-narrow", "a-thousandth-too-narrow", "no"),
    ("disputes/squeezing-between-two-enemies", "both-rims-touched", "too-close"),
    ("charging-2-open", "third-to-pippin", "yes"),
    ("movement-2", "further-than-it-looks", "no"),
    ("jumping", "merry-across", "chance"),
    ("sight-over-a-wall", "a-hundredth-lower", "yes"),
    ("unscalable", "pippin-is-slower", "no"),
]


@pytest.mark.parametrize(("file", "question", "answer"), CASES)
def test_random_placements_never_contradict_what_is_sure(file, question, answer):
    placed(file, question, answer, 25, 0.03)


@pytest.mark.heavy
@pytest.mark.parametrize("doubt", [0.01, 0.03, 0.1])
@pytest.mark.parametrize(("file", "question", "answer"), CASES)
def test_ten_thousand_placements_never_contradict_what_is_sure(file, question, answer, doubt):
    """Ten thousand in all; `tests.fuzz --placed` asks them of tables nobody chose."""
    placed(file, question, answer if doubt == 0.03 else None, 304, doubt)


def placed(file, question, answer, trials, doubt):
    table = replace(sbg.load(SCENARIOS / f"{file}.toml"), tolerance=doubt)
    asked = table.asked(question).question
    found = certainty(table, asked)
    if answer is not None:
        assert sbg.check(table, question, alternatives=False).answer == answer
    exact = replace(table, tolerance=0.0)
    rng = np.random.default_rng(13)
    names = list(found.doubts)
    seen = set()
    for _ in range(trials):
        angle, far = rng.uniform(0, 2 * math.pi, len(names)), doubt * np.sqrt(rng.uniform(0.6, 1, len(names)))
        moves = {n: (f * math.cos(a), f * math.sin(a)) for n, a, f in zip(names, angle, far, strict=True)}
        there = shifted(exact, moves)
        if faults(there):
            continue
        verdict = ask(there, asked, alternatives=False)
        seen.add(verdict.answer)
        if verdict.needed is not None:
            assert found.at_least is None or verdict.needed >= found.at_least - 1e-6
            assert found.at_most is None or verdict.needed <= found.at_most + 1e-6
    assert not found.sure or seen <= {found.answer}


@pytest.mark.parametrize("line", ["doubt = -0.1", 'doubt = "wide"'])
def test_a_doubt_that_is_none(line):
    with pytest.raises(sbg.FileFaultsError, match="doubt"):
        sbg.loads(FIELD % (0.0, 11.0, line))


def test_a_doubt_is_written_back():
    table = sbg.loads(FIELD % (0.02, 11.0, "doubt = 0.5"))
    assert sbg.loads(sbg.dump(table)) == table


@pytest.mark.parametrize(("reading", "answer"), [("yes", "too-close"), ("no", "no")])
def test_two_on_different_levels_may_both_be_touched_within_the_doubt(reading, answer):
    # As placed the one place that touches both lies under the plinth's edge; with `low` at (9, 13) it is not.
    foot = {"base": 1, "height": 1.5, "move": 6}
    models = {
        "me": {**foot, "side": "good", "at": [6, 12]},
        "up": {**foot, "side": "evil", "at": [10, 12], "on": "plinth"},
        "low": {**foot, "side": "evil", "at": [9.2, 13], "doubt": 0.25},
    }
    plinth = {"tags": ["platform"], "height": 0.5, "polygon": [[9.5, 11.5], [10.5, 11.5], [10.5, 12.5], [9.5, 12.5]]}
    table = sbg.Table(24, 24, models=models, terrain={"plinth": plinth}).under("contact_across_heights", reading)
    both = sbg.Charge("me", ("up", "low"))
    assert sbg.check(table, both).answer == answer
    moved = ask(table.having("low", at=(9, 13)), both)
    assert moved.answer == ("yes" if reading == "yes" else "no")


@pytest.mark.parametrize(
    ("doubts", "said"),
    [
        ({"lurz": 1}, "no model is called 'lurz'"),
        ({"uruk-3": -1}, "the doubt of uruk-3 must not be less than 0, and is -1"),
        ({"uruk-3": "1 parsec"}, "the doubt of uruk-3: '1 parsec' is not a length"),
        ({"uruk-3": math.nan}, "the doubt of uruk-3: nan is not a finite length"),
    ],
)
def test_doubts_that_are_none_are_refused(doubts, said):
    with pytest.raises(sbg.SbgError, match=said):
        sbg.certainty(sbg.load("scenarios/charging-2.toml"), sbg.Charge("uruk-3", "aragorn"), doubts=doubts)


def test_doubts_may_have_a_unit_and_those_of_nothing_are_none():
    table = sbg.load("scenarios/charging-2.toml")
    found = sbg.certainty(table, sbg.Charge("uruk-3", "aragorn"), doubts={"uruk-3": "2.54 mm", "aragorn": 0})
    assert dict(found.doubts) == {"uruk-3": pytest.approx(0.1)}


def test_doubts_in_the_place_of_a_verdict_are_refused():
    table = sbg.load("scenarios/charging-2.toml")
    with pytest.raises(sbg.QuestionError, match="is no verdict; `doubts` are given by that name"):
        sbg.certainty(table, sbg.Charge("uruk-3", "aragorn"), {"uruk-3": 0.1})
