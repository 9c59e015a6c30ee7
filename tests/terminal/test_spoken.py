"""What sessions say to words that no other test types."""

from __future__ import annotations

import io
import json
import pathlib
import random
import threading

import pytest
from click.testing import CliRunner

from sbg_sim.cli.group import _sbg_sim
from sbg_sim.phase import Phase
from sbg_sim.scenario import read, write
from sbg_sim.table.record import MoveRecord
from sbg_sim.table.terrain import Terrain
from sbg_sim.terminal import easel, playing, prompt, telling
from sbg_sim.terminal.completing import completions
from sbg_sim.terminal.journal import Kept, left_off
from sbg_sim.terminal.priority import priority_asked
from sbg_sim.terminal.session import Session
from sbg_sim.terminal.spoken import guarded
from sbg_sim.terminal.words import in_words, read_move
from tests.phase.tables import box, man, table
from tests.terminal.test_journal import JUMPING, REINFORCED, hash_in, run

GAME = 'game = "metw"\nnew_game = true\n'


def session(*models, **more):
    here = table(*models, **more) if models else table(man("gimli", (10, 10)), man("uruk-1", (10, 13), "evil"))
    return Session(lambda _: "5", Phase.begin(here, "good"), lambda _: 5)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("gimli stand now", "'now' is too much after 'stand'"),
        ("gimli to 10 12 on", "on which platform?"),
        ("who gimly", "no model is called 'gimly'"),
        ("place gimli at 12 12", "gimli"),
        ("save", "to which file? say `save game.toml`"),
        ("show off", "no picture is drawn any more"),
    ],
)
def test_what_is_answered(said, words):
    assert words in guarded(session(), said)


def test_one_who_is_placed_stands_there():
    here = session()
    here.hear("place gimli at 12 12")
    assert here.phase.table.model("gimli").at == (12, 12)
    assert "place gimli at 12.0 12.0" in here.hear("record")


def test_what_one_model_can_do():
    here = session()
    assert here.hear("who gimli").splitlines()[0].startswith("  gimli at (10, 10)")
    assert here.hear("who uruk-1").startswith("  uruk-1: nothing: ")


def test_many_models_are_named_in_lines():
    here = session(*(man(f"m{i}", (2 + 1.5 * (i % 10), 2 + 1.5 * (i // 10))) for i in range(30)))
    first, second, *_ = telling.models_told(here.phase, 60).splitlines()
    assert first.startswith("  30 models: m0, m1")
    assert max(len(first), len(second)) <= 60


def test_what_takes_too_long_is_left_to_a_question(monkeypatch):
    monkeypatch.setattr(telling, "PATIENCE", -1.0)
    assert "say `who gimli`" in session().hear("who")


def test_fights_that_can_be_paired_in_many_ways():
    """In a row four enemies stand between five, so that one of them has two against it: four ways for each row."""
    rows = [
        man(f"{side[0]}{i}-{y}", (3 + 2 * i + (side == "evil"), y), side)
        for y in (10, 16)
        for side, count in (("good", 5), ("evil", 4))
        for i in range(count)
    ]
    told = session(*rows).hear("fights").splitlines()
    assert told[-1] == "and 4 more ways"


def test_moves_are_written_as_they_are_said():
    here = session().phase.table
    for move in (MoveRecord("gimli", crawl=(10, 9)), MoveRecord("gimli", path=((10.0, 10.0), (11.0, 10.0)))):
        assert read_move(in_words(move), here) == move


def test_what_can_be_typed_next():
    here = session()
    assert here.completions("gim") == completions(here.phase, "gim") == [("gimli", 3)]
    assert {word for word, _ in here.completions("gimli to 10 12 ")} >= {"lie", "rolls"}
    assert here.completions("gimli to ten twelve ") != here.completions("gimli to 10 12 ")


def test_dice_may_be_said_with_the_move():
    here = Session.begin(read(JUMPING), "good", lambda _: pytest.fail("nobody is asked"))
    assert "3, passed" in here.hear("merry to 8 14 rolls 3")


def test_a_choice_of_fights_is_there_again(tmp_path):
    path = tmp_path / "fights.toml"
    path.write_bytes((JUMPING.parents[1] / "pairing-off-fights.toml").read_bytes())
    chosen = run(path, ["end", "end", "choose 2", "hash"]).output
    assert "has chosen" in chosen
    assert hash_in(run(path, ["hash"], "--resume").output) == hash_in(chosen)


def test_a_map_has_ladders_and_what_is_too_small_to_see():
    roof = box("roof", 14, 14, 18, 18, "platform", height=3.0)
    rungs = Terrain("rungs", frozenset({"ladder"}), at=(14.0, 16.0), to="roof")
    thing = session(man("gimli", (10, 10)), terrain=[roof, rungs])
    assert "H" in thing.hear("map")
    nobody = session(man("gimli", (10, 10), move=None))
    assert nobody.hear("map gimli") == nobody.hear("map")  # who has no Move shades nothing


def test_a_fault_of_the_program_loses_no_game(monkeypatch):
    here = session()
    monkeypatch.setattr(Session, "_hash", lambda *_: 1 / 0)
    assert guarded(here, "hash").startswith("that failed, by a fault of the program (ZeroDivisionError")


def test_priority_may_be_rolled_and_is_asked_again():
    asked, said = [], iter(["elves", "roll"])

    def answer(question):
        asked.append(question)
        return next(said)

    here = table(man("gimli", (10, 10)), man("uruk-1", (10, 13), "evil"))
    assert priority_asked(here, answer, random.Random(1)) in {"good", "evil"}
    assert asked[1].startswith("'elves' is no side\n")


def test_who_is_asked_for_priority_may_leave(tmp_path):
    path = tmp_path / "table.toml"
    path.write_text(write(table(man("gimli", (10, 10)), man("uruk-1", (10, 13), "evil"))), encoding="utf-8")
    told = CliRunner().invoke(_sbg_sim, ["phase", str(path)], input="quit\n")
    assert told.exit_code == 0
    assert "no side" not in told.output


def test_board_games_answer_too(tmp_path):
    path = tmp_path / "game.toml"
    path.write_text(GAME, encoding="utf-8")
    picture = tmp_path / "map.svg"
    words = [f"show {picture}", "moves to nowhere", "why", "show off", "show map.txt", "quit"]
    told = CliRunner().invoke(_sbg_sim, ["play", str(path)], input="\n".join([*words, ""])).output
    for answer in (
        f"drawn to {picture}",
        "no legal move has the words",
        "say `why`",
        "no picture is drawn any more",
        "say the name of a file in .png",
    ):
        assert answer in told
    drawn = picture.read_text(encoding="utf-8")
    assert drawn.startswith("<svg")
    assert "prefers-color-scheme: dark" in drawn  # it follows its reader


def test_a_journal_of_a_board_game_that_cannot_be_gone_on_with(tmp_path):
    path = tmp_path / "game.toml"
    path.write_text(GAME, encoding="utf-8")
    CliRunner().invoke(_sbg_sim, ["play", str(path)], input="1\n")
    journal = tmp_path / "game.toml.journal"
    head, done = journal.read_text(encoding="utf-8").splitlines()
    journal.write_text(f"{head}\n{json.dumps({'do': 'one-1 to nowhere'})}\n{done}\n", encoding="utf-8")
    told = CliRunner().invoke(_sbg_sim, ["play", str(path), "--resume"], input="")
    assert told.exit_code == 2
    assert "'one-1 to nowhere' is no legal move here" in told.stderr


def test_what_a_journal_may_hold(tmp_path):
    path = tmp_path / "game.toml"
    path.write_bytes(JUMPING.read_bytes())
    journal = tmp_path / "game.toml.journal"
    journal.write_text("none of ours\nat all\n", encoding="utf-8")
    told = run(path, ["merry lie"]).output
    assert f"{journal} is no journal of a game; it is kept in {journal}.old" in told
    assert journal.with_name("game.toml.journal.old").read_text(encoding="utf-8") == "none of ours\nat all\n"
    journal.unlink()
    journal.write_text('{"journal": 1}\n', encoding="utf-8")  # a game in which nothing was done
    assert "is no journal" not in run(path, ["merry lie"]).output
    head, done = journal.read_text(encoding="utf-8").splitlines()
    asked = json.dumps({"asked": {"model": "sam", "to": [12, 14]}})
    journal.write_text(f"{head}\n{done}\n{asked}\n{json.dumps({'dropped': True})}\n", encoding="utf-8")
    told = run(path, ["record"], "--resume").output
    assert "merry lie" in told
    assert "was about to move" not in told


def test_when_a_journal_was_left_off(tmp_path):
    assert left_off(tmp_path / "gone") == "before"


def test_a_picture_nobody_named_stands_among_temporary_files(monkeypatch):
    place = pathlib.Path(easel.place_for("games/moria.toml"))
    assert (place.suffix, place.stem.endswith("-moria")) == (".png", True)
    assert pathlib.Path(easel.place_for("")).stem.endswith("-table")
    monkeypatch.setenv("DISPLAY", ":0")
    opened = []
    monkeypatch.setattr("click.launch", opened.append)
    easel.shown(lambda _: None, "x.png", launch=True)
    assert (easel.has_screen(), opened) == (True, ["x.png"])


def test_a_picture_that_cannot_be_written_is_told_and_the_game_goes_on():
    def full(path):
        raise OSError(28, "No space left on device", path)

    with pytest.raises(OSError, match="No space"):
        easel.shown(full, "x.png", launch=False)
    drawing = easel.Easel()
    drawing.put(full, ["x.png"])
    drawing.close()
    assert "No space left on device" in drawing.trouble
    told = []
    asked = prompt.Prompt(plain=True)
    asked.back = ["record", "record"]
    for _ in range(2):
        playing._one_line(session(), asked, told.append, drawing, None)
    assert sum("No space left" in line for line in told) == 1  # told once
    assert sum("no move has been made" in line for line in told) == 2


def test_no_line_editor_on_a_plain_terminal(monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    assert not prompt.on_terminal()


def test_an_interrupted_answer_to_a_die_drops_the_move():
    class Interrupted:
        def go_on(self):
            raise KeyboardInterrupt

    assert playing._gone_on(Interrupted()) == "\nthat move is dropped"


def test_nothing_is_gone_on_with_where_nothing_was_begun(tmp_path):
    assert session().go_on() == ""
    path = tmp_path / "game.toml"
    path.write_text(GAME, encoding="utf-8")
    CliRunner().invoke(_sbg_sim, ["play", str(path)], input="1\n")
    again = CliRunner().invoke(_sbg_sim, ["play", str(path), "--resume"], input="record\nquit\n")
    assert (again.exit_code, "was about to" in again.output) == (0, False)


def test_a_move_under_way_that_is_not_allowed_any_more_is_told():
    here = session()
    here.pending = Kept({}, asked=MoveRecord("gimli", to=(10.0, 20.0)))
    assert here.go_on().startswith("not allowed any more: ")
    assert here.phase.steps == ()
    assert here.pending is None


def test_who_says_nothing_to_a_game_left_off_goes_on_with_it(tmp_path):
    path = tmp_path / "table.toml"
    path.write_bytes(JUMPING.read_bytes())
    run(path, ["merry lie"])
    again = CliRunner().invoke(_sbg_sim, ["phase", str(path)], input="")
    assert "resume it? (y/n)" in again.output
    assert "a new game begins" not in again.output
    assert "merry lie" in run(path, ["record"], "--resume").output


def test_a_map_shows_nothing_of_what_lies_off_the_table():
    rock = box("rock", 30, 30, 31, 31, "unscalable")
    models = man("gimli", (10, 10)), man("uruk-1", (10, 13), "evil")
    assert session(*models, terrain=[rock]).hear("map") == session(*models).hear("map")


def test_the_line_editor_completes_and_takes_a_long_question_above_its_line(monkeypatch):
    from prompt_toolkit.application import create_app_session
    from prompt_toolkit.input import create_pipe_input

    out = io.StringIO()
    monkeypatch.setattr("sys.stdout", out)
    here = session()
    with create_pipe_input() as typed, create_app_session(input=typed):
        for playing_now, question, keys, line in (
            (here, "> ", "gim\t", "gimli to 10 11"),
            (None, "> ", "gim\t", "gim to 10 11"),
            (here, "a question that is longer than a line " * 4, "", "to 10 11"),
        ):
            typed.send_text(keys)
            threading.Timer(0.5, typed.send_text, [" to 10 11\r"]).start()  # who types waits for what is completed
            assert " ".join(prompt._line_editor(lambda it=playing_now: it)(question).split()) == line
    told = out.getvalue()
    assert "a line a question that is longer than a line \n" in told
    assert "> \n" not in told


def test_an_end_that_is_not_yet_allowed_is_told():
    here = Session.begin(read(REINFORCED), None, lambda _: "5")
    here.hear("end")
    assert "faramir" in here.hear("faramir arrive 0 12 to 3 12")
    said = guarded(here, "end")
    assert said.startswith("not yet: ")
    assert "its warband comes on whole or not at all" in said


@pytest.mark.parametrize("die", [1, 3])
def test_dice_that_a_move_had_before_the_session_ended_are_not_asked_for_again(die):
    wall = box("wall", 0, 10.6, 24, 11.0, "obstacle", height=1.0)
    here = session(man("gimli", (10, 10)), man("uruk-1", (10, 20), "evil"), terrain=[wall])
    here.pending = Kept({}, asked=MoveRecord("gimli", to=(10.0, 12.0)), dice=(die,))
    here.go_on()
    assert here.phase.steps[-1].move.rolls == (die,)
