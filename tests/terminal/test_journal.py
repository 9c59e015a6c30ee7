"""The journal: what it keeps, what it does without, and files that are never lost."""

from __future__ import annotations

import json
import pathlib
import sys

import pytest
from click.testing import CliRunner

from sbg_sim.cli.group import _sbg_sim
from sbg_sim.phase import replay
from sbg_sim.scenario import read, read_text
from sbg_sim.terminal import easel
from sbg_sim.terminal.journal import Journal
from sbg_sim.terminal.session import Session
from sbg_sim.terminal.spoken import guarded

JUMPING = pathlib.Path(__file__).parents[2] / "scenarios" / "phase" / "jumping-three-hobbits.toml"
REINFORCED = JUMPING.with_name("reinforcements-faramir.toml")


@pytest.fixture
def game(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "game.toml"
    path.write_bytes(JUMPING.read_bytes())
    return path


def run(path: pathlib.Path, said: list[str], *more: str):
    return CliRunner().invoke(_sbg_sim, ["phase", str(path), *more], input="\n".join([*said, ""]))


def hash_in(output: str) -> str:
    return next(word for word in output.split() if len(word) == 64)


def test_what_was_done_is_there_again(game: pathlib.Path):
    first = run(game, ["merry to 8 14", "3", "pippin to 10 9", "undo", "end", "slay sam", "hash"])
    journal = game.with_name("game.toml.journal")
    assert journal.exists()
    assert "the game is kept" in first.output
    again = run(game, ["record", "hash"], "--resume")
    assert hash_in(again.output) == hash_in(first.output)
    assert "evil moves" in again.output
    offered = run(game, ["y", "undo 2", "record", "hash"])
    assert "2 moves, left off" in offered.output  # merry's and what befell sam
    assert "good moves" in offered.output
    assert "slay sam" not in offered.output.partition("good moves")[2]
    anew = run(game, ["n", "record"])
    assert "no move has been made" in anew.output
    assert game.with_name("game.toml.journal.old").exists()


def test_a_line_that_is_no_answer_begins_anew_in_a_script_and_is_heard(game: pathlib.Path):
    run(game, ["merry lie"])
    again = run(game, ["merry lie", "record"])
    assert "a new game begins" in again.output
    assert "merry lies down" in again.output


def test_half_a_line_is_left_out(game: pathlib.Path):
    run(game, ["merry lie", "sam lie"])
    journal = game.with_name("game.toml.journal")
    text = journal.read_text()
    journal.write_text(text[:-20])
    again = run(game, ["record"], "--resume")
    assert "merry lie" in again.output
    assert "sam lie" not in again.output
    journal.write_text(text.partition("\n")[0][:-5])
    assert "no move has been made" in run(game, ["record"]).output


def test_a_die_that_was_asked_for_is_asked_for_again(game: pathlib.Path):
    run(game, ["merry to 8 14"])  # and the end of input instead of a die
    again = run(game, ["3", "record"], "--resume")
    assert "merry was about to move" in again.output
    assert "merry to 8.0 14.0 rolls 3" in again.output


def test_the_seed_goes_on_where_it_was(game: pathlib.Path):
    whole = run(
        game, ["merry to 8 14", "", "pippin to 10 14", "", "sam to 12 14", "", "hash", "quit", "quit"], "--seed", "4"
    )
    game.with_name("game.toml.journal").unlink()
    run(game, ["merry to 8 14", ""], "--seed", "4")
    run(game, ["pippin to 10 14", ""], "--resume")
    last = run(game, ["sam to 12 14", "", "hash"], "--resume")
    assert hash_in(last.output) == hash_in(whole.output)


def test_a_changed_file_is_told(game: pathlib.Path):
    run(game, ["merry to 8 9"])
    game.write_text(game.read_text().replace("at = [8.0, 10.5]", "at = [8.0, 20.5]"))
    result = run(game, ["record"], "--resume")
    assert result.exit_code == 2
    assert "changed since" in result.output
    assert game.with_name("game.toml.journal").exists()


def test_a_file_that_was_changed_and_is_still_played_on_is_told(game: pathlib.Path):
    run(game, ["merry lie"])
    assert "has been changed" not in run(game, ["record"], "--resume").output
    game.write_text(game.read_text().replace("title =", "# by hand\ntitle =", 1))
    result = run(game, ["record"], "--resume")
    assert result.exit_code == 0
    assert "has been changed since" in result.output
    assert "merry lie" in result.output


def test_the_same_file_is_not_played_twice_at_once(game: pathlib.Path):
    held = Journal.beside(game)
    held.begin(b"", "good", was_resumed=False, seed=None, rolled=0)
    held.note(end="good moves")
    result = run(game, ["merry lie"])
    assert result.exit_code == 2
    assert "another terminal" in result.output
    held.close()
    assert run(game, ["y", "merry lie"]).exit_code == 0


@pytest.mark.parametrize("ended", [False, True])
def test_who_began_before_another_had_done_anything_leaves_its_journal_alone(game: pathlib.Path, ended: bool):
    """Both found no journal: the second to do something emptied that of the first, and wrote on in it."""
    first, second = Journal.beside(game), Journal.beside(game)
    for one in (first, second):
        assert one.kept() is None
        one.begin(b"", "good", was_resumed=False, seed=None, rolled=0)
    first.note(end="good moves")
    if ended:
        first.close()
    second.note(end="evil moves")
    assert "another terminal" in second.trouble
    second.remove()  # it has done nothing that is not saved
    if not ended:
        first.note(end="evil moves")
        first.close()
    kept = Journal.beside(game).kept()
    assert kept is not None
    assert [line["end"] for line in kept.done] == ["good moves", "evil moves"][: 1 if ended else 2]


@pytest.mark.parametrize("ended", [False, True])
def test_one_of_two_goes_on_with_a_game_that_was_left_off(game: pathlib.Path, ended: bool):
    begun = Journal.beside(game)
    begun.begin(b"", "good", was_resumed=False, seed=None, rolled=0)
    begun.note(end="good moves")
    begun.close()
    first, second = Journal.beside(game), Journal.beside(game)
    found = [one.kept() for one in (first, second)]
    first.go_on(found[0])
    first.note(end="evil moves")
    if ended:
        first.close()
    second.go_on(found[1])
    assert "another terminal" in second.trouble
    first.close()
    assert len(Journal.beside(game).kept().done) == 2


def test_a_journal_that_cannot_be_written_is_told_once(game: pathlib.Path):
    game.with_name("game.toml.journal").mkdir()
    result = run(game, ["merry lie", "sam lie", "record"])
    assert result.output.count("no journal can be kept") == 1
    assert "sam lie" in result.output


def test_a_journal_that_could_not_be_written_is_left_alone(game: pathlib.Path):
    """What stands in its way may have gone meanwhile: half a game would be taken for all of it."""
    path = game.with_name("game.toml.journal")
    path.mkdir()
    journal = Journal(path, {})
    journal.note(did="one")
    assert "no journal can be kept" in journal.trouble
    path.rmdir()
    journal.note(did="two")
    assert not path.exists()


def test_save_asks_before_it_overwrites_and_keeps_every_byte(game: pathlib.Path):
    before = game.read_bytes()
    no = run(game, ["merry to 8 9", "save", "n", f"save {game}", "no", "quit", "quit"], "--priority", "good")
    assert no.output.count("overwrite it?") == 2
    assert game.read_bytes() == before
    yes = run(game, ["y", "save", "y", "pippin to 10 9"])
    assert "saved to" in yes.output
    text = game.read_text()
    head = before.decode().partition("[[moves]]")[0]
    assert text.startswith(head)
    assert len(read_text(text).record.moves) == 1
    assert not list(game.parent.glob(".game*"))
    again = run(game, ["record"], "--resume")  # the file's record, then the journal
    assert "merry to 8.0 9.0" in again.output
    assert "pippin to 10.0 9.0" in again.output


def test_a_saved_game_leaves_no_journal(game: pathlib.Path, tmp_path: pathlib.Path):
    run(game, ["merry to 8 9", f"save {tmp_path / 'my game (1).toml'}", "quit"])
    assert not game.with_name("game.toml.journal").exists()
    assert replay(read(tmp_path / "my game (1).toml")).legal


def test_turn_after_turn(game: pathlib.Path):
    said = [
        "merry to 8 9",
        "next",
        "end",
        "end",
        "next evil",
        "rider to 10 7",
        "end",
        "end",
        "next",
        "",
        "hash",
        "record",
    ]
    result = run(game, said, "--seed", "1")
    assert "not yet: good moves now" in result.output
    assert "turn 2: evil moves" in result.output
    assert "has Priority" in result.output
    assert "turn 3: " in result.output
    again = run(game, ["hash"], "--resume")
    assert hash_in(again.output) == hash_in(result.output)


def test_reinforcements_that_are_delayed(tmp_path: pathlib.Path):
    path = tmp_path / "late.toml"
    path.write_bytes(REINFORCED.read_bytes())
    said = ["end", "delay faramir and ranger-1", "delay RANGER-2", "end", "end", "next good"]
    result = run(path, said)
    assert "reinforcements due: faramir (+1 to the roll, REINF.2)" in result.output


def test_who_has_priority_is_asked(tmp_path: pathlib.Path):
    path = tmp_path / "open.toml"
    path.write_text(JUMPING.read_text().replace('[phase]\npriority = "good"\n', "").partition("[[moves]]")[0])
    asked = run(path, ["EVIL", "record"])
    assert "who has Priority, evil or good?" in asked.output
    assert "evil moves" in asked.output
    none = run(path, [])
    assert (none.exit_code, "--priority" in none.output) == (2, True)


def test_pairings_are_chosen():
    from tests.phase.tables import man, table

    here = table(
        man("sam", (10, 10)), man("frodo", (12, 10)), man("orc", (11, 10), "evil"), man("uruk", (13, 10), "evil")
    )
    session = Session.begin(here, "good", lambda _: "")
    told = session.hear("fights")
    assert "frodo against uruk" in told or "way 1" in told
    trio = table(man("sam", (10, 10)), man("frodo", (12, 10)), man("merry", (11, 11)), man("orc", (11, 10), "evil"),
                 man("uruk", (12, 11), "evil"))  # fmt: skip
    session = Session.begin(trio, "good", lambda _: "")
    assert "choose 2" in session.hear("fights")
    assert "good has chosen" in session.hear("choose 2")
    assert len(session.phase.record().record.fights) == 2
    assert "no way number 99" in guarded(session, "choose 99")
    session.hear("undo")
    assert session.phase.chosen == ()


def test_pictures_do_not_end_a_game(game: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch):
    picture = tmp_path / "pic.svg"
    run(game, [f"show {picture}", "merry to 8 9", "quit", "quit"])
    assert "step-1" in picture.read_text()  # drawn anew after the move
    monkeypatch.setattr(sys.modules["sbg_sim.plot"], "save", lambda *_: 1 / 0)
    result = run(game, ["y", f"show {picture}", "record"])
    assert "cannot be drawn" in result.output
    assert "merry to 8.0 9.0" in result.output
    wrong = run(game, ["y", "show pic.doc", "show /nowhere/pic.png", "record"])
    assert wrong.exit_code == 0


def test_the_table_is_put_down_for_the_page(tmp_path: pathlib.Path):
    session = Session.begin(read(JUMPING), "good", lambda _: "3")
    session.hear("merry to 8 14")
    easel.put_down(session.phase, str(tmp_path / "w.toml"))
    assert read(tmp_path / "w.toml").model("merry") == session.phase.table.model("merry")


def test_the_journal_holds_one_object_a_line(game: pathlib.Path):
    run(game, ["merry to 8 14", "3", "end"])
    head, *lines = (json.loads(line) for line in game.with_name("game.toml.journal").read_text().splitlines())
    assert head["priority"] == "good"
    assert [next(iter(line)) for line in lines] == ["asked", "die", "do", "end"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"undo": null}', "game.toml.journal:2: is nothing that is done in a game"),
        ('{"die": []}', "game.toml.journal:2: is nothing that is done in a game"),
        ('{"undo": "x"}', "game.toml.journal:2: is nothing that is done in a game"),
        ('{"do": {"model": "sam", "slain": tr', "game.toml.journal:2: is nothing that is done in a game"),
        ("[" * 100_000, "game.toml.journal:2: is nothing that is done in a game"),
        ('{"do": "merry to 8 14"}', "the journal holds a move that is none"),
        ('{"next": "nobody"}', "cannot be played on this file any more"),
    ],
)
def test_a_journal_that_somebody_changed_is_told_and_left_as_it_is(game: pathlib.Path, line: str, said: str):
    run(game, ["merry lie"])
    journal = game.with_name("game.toml.journal")
    head, done = journal.read_text(encoding="utf-8").splitlines()
    changed = f"{head}\n{line}\n{done}\n"
    journal.write_text(changed, encoding="utf-8")
    told = run(game, ["record"], "--resume")
    assert told.exit_code == 2
    assert said in told.stderr
    assert "begin anew" in told.stderr or "is none" in told.stderr
    assert journal.read_text(encoding="utf-8") == changed
