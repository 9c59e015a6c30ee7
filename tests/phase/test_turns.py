"""Games of several turns: what is kept, what is cleared, what befalls models in between."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from sbg_sim.cli.group import _sbg_sim
from sbg_sim.errors import FileFaultsError, QuestionError
from sbg_sim.phase import IllegalMoveError, Phase, fingerprint, replay
from sbg_sim.phase.record import resumed
from sbg_sim.phase.turn import roll_off
from sbg_sim.scenario import read, read_text, write
from sbg_sim.scenario.edit import with_record, with_state
from sbg_sim.table.record import MoveRecord, Record
from tests.phase.tables import box, man, table

if TYPE_CHECKING:
    import pathlib

HEAD = """\
# A field, two a side.
title = "Two a side"

[table]
width = 24  # inches
depth = 24

[profiles.man]  # a tall one
base = "25 mm"
height = "40 mm"
move = 6

[models.gimli]
profile = "man"
side = "good"
at = [10, 10]   # by the well

[models.frodo]
profile = "man"
side = "good"
at = [4, 4]

[models.uruk]
profile = "man"
side = "evil"
at = [10, 15]

[models."orc one"]
profile = "man"
side = "evil"
at = [20, 20]
"""

GAME = (
    HEAD
    + """
[phase]
priority = "good"

[[moves]]  # the charge
model = "gimli"
charge = "uruk"

[[moves]]
model = "uruk"
slain = true

[[turns]]
priority = "evil"

[[turns.moves]]
model = "orc one"
to = [18, 16]

[[turns.moves]]
model = "gimli"
place = [10, 12]
lie = true

[[turns.moves]]
model = "frodo"
to = [4, 9]

[[turns]]
priority = "good"

[[turns.moves]]
model = "gimli"
stand = true
to = [10, 14]
"""
)


def test_turns_are_played_through():
    played = replay(read_text(GAME))
    assert played.legal
    assert [turn.record.priority for turn in played.turns] == ["good", "evil", "good"]
    assert [len(turn.steps) for turn in played.turns] == [2, 3, 1]
    assert played.table.model("gimli").at == (10, 14)
    assert "uruk" not in played.table.models
    data = played.as_json()
    assert [step["turn"] for step in data["steps"]] == [1, 1, 2, 2, 2, 3]
    assert data["turns"][-1]["hash"] == data["hash"] == fingerprint(played.next_table)
    assert replay(read_text(write(read_text(GAME)))).hash == played.hash


def test_every_turn_begins_where_the_one_before_ended():
    turns = replay(read_text(GAME)).turns
    assert turns[0].start.model("gimli").at == (10, 10)
    assert [turn.start.model("gimli").at for turn in turns[1:]] == [turns[0].end.model("gimli").at, (10, 12)]
    assert [turn.start.model("gimli").prone for turn in turns] == [False, False, True]
    assert ["uruk" in turn.start.models for turn in turns] == [True, False, False]


def test_a_turn_is_known_by_the_key_it_has_in_the_file():
    whole = replay(read_text(GAME)).phase.record()
    assert [turn.key for turn in (whole.record, *whole.record.later)] == ["", "turns[0].", "turns[1]."]
    # what begins with a later turn, as the rest of a record does, counts on from there
    after = (
        Phase.begin(replace(read_text(GAME), record=Record("good", key="turns[0].")), "good").end().end().next("evil")
    )
    assert [turn.key for turn in (after.record().record, *after.record().record.later)] == ["turns[0].", "turns[1]."]


def test_what_is_kept_and_what_is_cleared():
    start = table(man("gimli", (10, 10)), man("sam", (4, 4), prone=True), man("uruk", (10, 15), "evil"))
    over = Phase.begin(start, "good").push(MoveRecord("gimli", charge=("uruk",))).end().end()
    with pytest.raises(QuestionError, match="not over"):
        Phase.begin(start, "good").next("evil")
    second = over.next("evil")
    assert (second.number, second.side, second.moved) == (2, "evil", ())
    assert second.engaged == ("gimli", "uruk")
    assert second.prone == ("sam",)
    assert second.movable == ()  # the uruk is engaged
    assert second.hash == over.hash
    assert second.pop() == over
    freed = second.push(MoveRecord("uruk", place=(10, 20)))
    assert freed.engaged == ()
    assert freed.movable == ("uruk",)


def test_setting_down_is_no_move_but_it_has_limits():
    start = table(
        man("gimli", (10, 10)), man("uruk", (10, 15), "evil"), terrain=[box("rock", 2, 2, 4, 4, "unscalable")]
    )
    phase = Phase.begin(start, "good")
    assert [v.rule for v in phase.explain(MoveRecord("uruk", place=(10, 11)))] == ["CZ.3"]  # contact
    assert phase.legal(MoveRecord("uruk", place=(10, 11.5)))  # within the zone
    assert [v.rule for v in phase.explain(MoveRecord("uruk", place=(10.2, 10.1)))] == ["MOV.4", "CZ.3"]
    assert [v.rule for v in phase.explain(MoveRecord("uruk", place=(23.9, 10)))] == ["MOV.5"]
    assert [v.rule for v in phase.explain(MoveRecord("uruk", place=(3, 3)))] == ["TER.5"]
    knocked = phase.push(MoveRecord("uruk", place=(10, 15), lie=True))
    assert knocked.prone == ("uruk",)
    assert knocked.moved == ()
    with pytest.raises(QuestionError, match="only one"):
        phase.push(MoveRecord("uruk", place=(1, 1), slain=True))


def test_who_is_knocked_down_on_a_face_lies_at_its_foot():
    """FALL.2; who is only set down where it hangs goes on hanging."""
    tower = box("tower", 10, 8, 16, 16, "platform", height=3.0)
    phase = Phase.begin(table(man("gimli", (9.5, 12), climbed=1.5), terrain=[tower]), "good")
    for how, climbed in (({"lie": True}, 0.0), ({}, 1.5)):
        after = phase.push(MoveRecord("gimli", place=(9.5, 12), **how))
        assert after.steps[-1].climbed == after.table.model("gimli").climbed == climbed
    lies = phase.push(MoveRecord("gimli", place=(9.5, 12), lie=True))
    assert lies.legal(MoveRecord("gimli", stand=True))


def test_who_is_slain_neither_moves_nor_is_charged():
    phase = Phase.begin(
        table(man("gimli", (10, 10)), man("uruk", (10, 15), "evil"), man("orc", (20, 20), "evil")), "good"
    )
    phase = phase.slain("uruk")
    assert [v.rule for v in phase.explain(MoveRecord("uruk", to=(1, 1)))] == ["MOV.6"]
    assert [v.rule for v in phase.explain(MoveRecord("gimli", charge=("uruk",)))] == ["CHG.1"]


@pytest.mark.parametrize("again", [MoveRecord("uruk", to=(1, 1)), MoveRecord("uruk", slain=True)])
def test_a_record_that_goes_on_with_the_slain_ends_there(again):
    start = table(man("gimli", (10, 10)), man("uruk", (10, 15), "evil"), man("orc", (20, 20), "evil"))
    moves = (MoveRecord("uruk", slain=True), again, MoveRecord("gimli", to=(10, 11)))
    played = replay(start, Record("good", moves))
    assert [step.legal for step in played.steps] == [True, False]
    assert played.steps[-1].reason == "uruk has been slain (MOV.6)"
    assert played.as_json()["steps"][-1]["rules"] == ["MOV.6"]


def test_reinforcements_that_waited_are_due_with_a_bonus():
    start = table(man("gimli", (10, 10)), man("late"), man("orc", (20, 20), "evil"), off=("late",))
    phase = Phase.begin(start, "good").end().delay(["late"])
    assert phase.due == ()
    second = phase.end().end().next("good")
    assert second.due == ("late",)
    assert second.table.model("late").waited == 1
    again = resumed(second.record())
    assert (again.table.model("late").waited, again.doing, again.number) == (1, "good moves", 2)
    arrived = second.push(MoveRecord("gimli", to=(10, 11))).end().push(MoveRecord("late", arrive=(12, 0), to=(12, 1)))
    assert (arrived.table.model("late").waited, arrived.table.off) == (0, frozenset())


def test_dice_for_priority():
    phase = Phase.begin(table(man("gimli", (10, 10)), man("orc", (20, 20), "evil")), "good").end().end()
    rolls = iter([3, 5, 4, 4])  # evil rolls first
    assert roll_off(phase.table, phase.priority, lambda: next(rolls))[0] == "good"
    assert roll_off(phase.table, phase.priority, lambda: next(rolls))[0] == "evil"  # equal dice pass it on


def test_a_record_says_how_far_the_turn_has_come():
    start = read_text(HEAD)
    phase = Phase.begin(start, "good").push(MoveRecord("gimli", to=(10, 8))).end()
    assert phase.record().record.stage == "evil moves"
    again = resumed(read_text(write(phase.record())))
    assert (again.doing, again.hash) == ("evil moves", phase.hash)
    assert phase.push(MoveRecord("uruk", to=(10, 16))).record().record.stage == ""
    over = phase.end()
    assert resumed(read_text(with_record(HEAD, over.record().record))).over
    third = over.next("evil").end()
    again = resumed(read_text(with_record(HEAD, third.record().record)))
    assert (again.doing, again.number, again.hash) == ("good moves", 2, third.hash)


@pytest.mark.parametrize(
    ("wrong", "key"),
    [
        ('[[turns]]\npriority = "elves"', "turns[0].priority"),
        ('[[turns]]\npriority = "good"\nstage = "later"', "turns[0].stage"),
        ('[[turns]]\npriority = "good"\n[[turns.moves]]\nmodel = "gimly"\nto = [1, 1]', "turns[0].moves[0].model"),
        ('[[turns]]\npriority = "good"\n[[turns.moves]]\nmodel = "gimli"', "turns[0].moves[0]"),
        ('[[turns]]\npriority = "good"\n[[turns.moves]]\nmodel = "gimli"\nslain = true\nto = [1, 1]', "turns[0].moves[0].slain"),  # noqa: E501
        ('[[turns]]\npriority = "good"\n[[turns.moves]]\nmodel = "gimli"\nto = [1]', "turns[0].moves[0].to"),
    ],
)  # fmt: skip
def test_faults_of_turns_have_their_place(wrong: str, key: str):
    with pytest.raises(FileFaultsError) as caught:
        read_text(HEAD + wrong)
    assert [fault.key for fault in caught.value.faults] == [key]
    assert caught.value.faults[0].line > HEAD.count("\n")


def test_an_illegal_step_of_a_later_turn_stops_there():
    text = GAME.replace("to = [18, 16]", "to = [18, 6]")
    played = replay(read_text(text))
    assert not played.legal
    assert (len(played.steps), played.steps[-1].rules[0]) == (3, "MOV.3")
    with pytest.raises(IllegalMoveError):
        resumed(read_text(text))
    dice = GAME.replace("to = [18, 16]", "to = [18, 16]\nrolls = [3]")
    with pytest.raises(QuestionError, match=r"turns\[0\]\.moves\[0\]\.rolls"):
        replay(read_text(dice))


def test_the_next_turn_in_the_file_itself(tmp_path: pathlib.Path):
    path, out = tmp_path / "game.toml", tmp_path / "next.toml"
    path.write_text(GAME, encoding="utf-8")
    result = CliRunner().invoke(_sbg_sim, ["replay", str(path), "--json", "--out", str(out), "--priority", "evil"])
    assert result.exit_code == 0
    data = json.loads(result.stdout)
    text = out.read_text(encoding="utf-8")
    wanted = HEAD.replace("at = [10, 10]   # by the well", "at = [10.0, 14.0]   # by the well")
    wanted = wanted.replace("at = [4, 4]", "at = [4.0, 9.0]").replace("at = [20, 20]", "at = [18.0, 16.0]")
    wanted = wanted.replace('[models.uruk]\nprofile = "man"\nside = "evil"\nat = [10, 15]\n\n', "")
    assert text == wanted + '\n[phase]\npriority = "evil"\n'
    assert fingerprint(read(out)) == data["hash"]
    assert Phase.begin(read(out)).movable == ("orc one",)


def test_saving_changes_nothing_but_what_is_new():
    start = read_text(GAME)
    assert with_record(GAME, start.record) == GAME
    phase = resumed(start)
    more = phase.push(MoveRecord("frodo", to=(4, 12))).end()
    text = with_record(GAME, more.record().record)
    head, added = text[: len(GAME)], text[len(GAME) :]
    stage = '[[turns]]\npriority = "good"\n'
    assert head[: GAME.rindex(stage)] == GAME[: GAME.rindex(stage)]
    assert 'stage = "evil moves"' in text
    assert 'model = "frodo"\nto = [4.0, 12.0]' in added
    assert read_text(text).record == more.record().record
    for ends in ("\r\n",):
        crossed = GAME.replace("\n", ends)
        assert with_record(crossed, start.record) == crossed
        assert with_record(crossed, more.record().record) == text.replace("\n", ends)
    inline = HEAD + '[phase]\npriority = "good"\n'
    inline = inline.replace('title = "Two a side"', 'title = "Two a side"\nmoves = [{ model = "gimli", to = [10, 8] }]')
    two = resumed(read_text(inline)).push(MoveRecord("frodo", to=(4, 5)))
    assert '}, {model = "frodo"' in with_record(inline, two.record().record)


def test_one_rule_for_one_test_by_place_or_by_path():
    wall = box("wall", 4, 12, 16, 12.5, "obstacle", height=1.0)
    phase = Phase.begin(table(man("sam", (10, 11)), man("rider", (10, 2), "evil"), terrain=[wall]), "good")
    to = phase.push(MoveRecord("sam", to=(10, 14)), [6]).steps[-1]
    path = phase.push(MoveRecord("sam", path=((10, 11), (10, 14))), [6]).steps[-1]
    assert to.rules == path.rules
    assert "JMP.1" in to.rules


def test_a_lying_model_charges_only_whom_it_saw():
    hedge = box("hedge", 4, 12, 16, 12.2, "obstacle", height=0.74)
    lies = table(man("frodo", (10, 11), prone=True), man("orc", (10, 14), "evil", height=0.7), terrain=[hedge])
    phase = Phase.begin(lies, "good")
    for move in (
        MoveRecord("frodo", stand=True, charge=("orc",)),
        MoveRecord("frodo", stand=True, path=((10, 11), (10, 13))),
    ):
        assert phase.explain(move)[0].rule == "CHG.1"
        assert "does not see" in phase.explain(move)[0].reason


def test_a_name_in_another_normal_form_is_found_where_it_stands():
    text = '[table]\nwidth = 24\ndepth = 24\n["models"."e\u0301omer"]\nbase = 1  # of cardboard\nat = [4, 4]\n'
    there = read_text(text)
    moved = with_state(text, there.having("éomer", at=(9, 6)))
    assert "base = 1  # of cardboard\n" in moved
    assert read_text(moved).model("éomer").at == (9, 6)


def test_what_a_record_no_longer_holds_goes_from_the_file():
    """Moves, fights, a stage and later turns; and a record kept in turns alone leaves no [phase]."""
    phase = '[phase]\npriority = "good"\nstage = "evil moves"\nfights = [["sam", "orc"]]\n'
    moves = '[[moves]]\nmodel = "sam"\nto = [4, 5]\n[[turns]]\npriority = "evil"\n'
    models = '[models.sam]\nbase = 1\nat = [4, 4]\nmove = 6\nside = "good"  # Gamgee\n'
    models += '[models.orc]\nbase = 1\nat = [5, 4]\nmove = 6\nside = "evil"\n'
    text = "[table]\nwidth = 24\ndepth = 24\n" + models + phase + moves
    start = read_text(text).record
    assert (start.stage, len(start.moves), len(start.later)) == ("evil moves", 1, 1)
    bare = with_record(text, Record("good"))
    assert read_text(bare).record == Record("good")
    assert 'side = "good"  # Gamgee\n' in bare
    assert not {"moves", "turns", "stage", "fights"} & {line.partition(" ")[0].strip("[]") for line in bare.split("\n")}
    turns = with_record(bare, Record("evil", key="turns[0]."))
    assert "[phase]" not in turns
    assert read_text(turns).record == Record("evil")


def test_what_is_taken_from_a_model_goes_from_the_file():
    text = (
        "[table]\nwidth = 24\ndepth = 24\n[profiles.man]\nbase = 1\nmove = 6\nprone = true  # all of them\n"
        '[models.sam]\nprofile = "man"\nat = [4, 4]\nside = "good"\n'
        '[models.orc]\nprofile = "man"\nat = [9, 4]\nside = "evil"\ndoubt = 0.1\n'
        '[terrain.hedge]\ntags = ["obstacle"]\nheight = 2\nlets_through = ["sam"]\n'
        "line = [[2, 9], [6, 9]]\nthickness = 0.2\n"
    )
    there = read_text(text)
    orc = replace(there.model("orc"), prone=False, doubt=None)
    hedge = replace(there.piece("hedge"), lets_through=frozenset())
    after = replace(there.with_model(orc), terrain=there.terrain.with_item("hedge", hedge))
    found = with_state(text, after)
    assert read_text(found).models == after.models
    assert read_text(found).terrain == after.terrain
    assert "prone = true  # all of them\n" in found
    assert "prone = false" in found
    assert "doubt" not in found
    assert "lets_through" not in found
    waiting = with_state(found, replace(after, off=frozenset({"orc"})))
    assert read_text(waiting).off == {"orc"}
    assert "at = [9, 4]" in waiting
