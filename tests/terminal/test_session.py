"""Playing by words."""

from __future__ import annotations

import pathlib

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from sbg_sim.cli.group import _sbg_sim
from sbg_sim.errors import QuestionError, SbgError
from sbg_sim.phase import Phase, replay
from sbg_sim.scenario import read
from sbg_sim.table.record import MoveRecord
from sbg_sim.terminal.session import Session
from sbg_sim.terminal.spoken import guarded
from sbg_sim.terminal.words import in_words, read_move
from tests.phase.tables import box, man, table

HERE = table(man("gimli", (10, 10)), man("uruk-1", (10, 13), "evil"), terrain=[box("hill", 1, 1, 3, 3, "platform")])
JUMPING = pathlib.Path(__file__).parents[2] / "scenarios" / "phase" / "jumping-three-hobbits.toml"


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("gimli charge uruk-1", MoveRecord("gimli", charge=("uruk-1",))),
        ("gimli moves to (10, 12)", MoveRecord("gimli", to=(10, 12))),
        ("gimli goes to 2 2 on hill rolls 3 6", MoveRecord("gimli", to=(2, 2), on="hill", rolls=(3, 6))),
        ("gimli crawls to 10 9 then stands up", MoveRecord("gimli", crawl=(10, 9), stand=True)),
        ("gimli lies down", MoveRecord("gimli", lie=True)),
        ("gimli stays", MoveRecord("gimli", to=(10, 10))),
        ("gimli path 10 10, 11 10, 11 12.5", MoveRecord("gimli", path=((10, 10), (11, 10), (11, 12.5)))),
        ("gimli arrives at 0 12 moves to 3 12", MoveRecord("gimli", arrive=(0, 12), to=(3, 12))),
    ],
)
def test_plain_words(said: str, meant: MoveRecord):
    assert read_move(said, HERE) == meant


@pytest.mark.parametrize(
    "said", ["", "gimli", "gimly to 1 1", "gimli fly", "gimli to 1", "gimli to 1 x", "gimli to nan 1",
             "gimli charge", "gimli charge nobody", "gimli to 1 1 to 2 2", "gimli to 1 1 rolls 7", "gimli path 1 2 3"]
)  # fmt: skip
def test_words_that_make_no_move(said: str):
    with pytest.raises(SbgError):
        read_move(said, HERE)


spot = st.tuples(*[st.floats(-50, 50)] * 2)


@settings(max_examples=50, deadline=None)
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "to": spot, "stand": st.just(True), "lie": st.just(True), "arrive": spot,
            "rolls": st.lists(st.integers(1, 6), min_size=1, max_size=3).map(tuple), "on": st.just("hill"),
        },
    ).filter(lambda d: set(d) & {"to", "stand", "lie", "arrive"})
)  # fmt: skip
def test_a_move_in_words_reads_back(fields: dict):
    move = MoveRecord("gimli", **fields)
    assert read_move(in_words(move), HERE) == move


def test_asks_for_dice_or_rolls_them():
    asked = []

    def ask(question: str) -> str:
        asked.append(question)
        return "3"

    session = Session.begin(read(JUMPING), None, ask)
    assert "3, passed" in session.hear("merry to 8 14")
    assert [question.partition(" (")[0] for question in asked] == ["jump over wall"]
    silent = Session.begin(read(JUMPING), "good", lambda _: "", seed=5)
    silent.hear("merry to 8 14")
    again = Session.begin(read(JUMPING), "good", lambda _: "", seed=5)
    again.hear("merry to 8 14")
    assert silent.phase == again.phase


def at_the_terminal(monkeypatch: pytest.MonkeyPatch, said: list, *more: str):
    """Type lines, or errors that typing raises; return what the program printed and asked."""
    lines, asked = iter(said), []

    def answer(question: str) -> str:
        asked.append(question)
        line = next(lines, EOFError())
        if isinstance(line, BaseException):
            raise line
        return line

    monkeypatch.setattr("builtins.input", answer)
    return CliRunner().invoke(_sbg_sim, ["phase", *more]), asked


def test_a_die_is_asked_for_until_one_is_given(monkeypatch: pytest.MonkeyPatch, game: str):
    result, asked = at_the_terminal(monkeypatch, ["merry to 8 14", "9", "x", "3", "hash"], game)
    assert result.exit_code == 0
    assert [q for q in asked if q.startswith("jump over wall")] == asked[1:4]
    assert "'9' is no die" in result.output
    assert "3, passed" in result.output


@pytest.fixture
def game(tmp_path: pathlib.Path) -> str:
    """A file of its own: a journal is kept beside it."""
    path = tmp_path / "game.toml"
    path.write_bytes(JUMPING.read_bytes())
    return str(path)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), EOFError()])
def test_a_move_whose_die_is_not_given_is_not_made(monkeypatch: pytest.MonkeyPatch, error: BaseException, game: str):
    result, asked = at_the_terminal(monkeypatch, ["merry to 8 14", error, "record"], game)
    assert result.exit_code == 0
    assert "merry moves" not in result.output
    # an interruption goes back to the question, an end of what is typed is the end
    assert ("no move has been made\n" in result.output) == isinstance(error, KeyboardInterrupt)
    assert len(asked) == (4 if isinstance(error, KeyboardInterrupt) else 2)


def test_an_interruption_does_not_lose_the_game(monkeypatch: pytest.MonkeyPatch, game: str):
    result, _ = at_the_terminal(monkeypatch, ["merry lie", KeyboardInterrupt(), "record", "quit", "quit"], game)
    assert "say `quit` to leave" in result.output
    assert "merry lie" in result.output
    assert result.output.count("not saved") == 1


def test_leaving_asks_once_about_what_is_not_saved(tmp_path: pathlib.Path):
    session = Session.begin(HERE, "good", lambda _: "")
    session.hear("gimli lie")
    assert "not saved" in session.hear("quit")
    assert not session.finished
    session.hear("hash")
    assert "not saved" in session.hear("quit")
    session.hear("quit")
    assert session.finished
    fresh = Session.begin(HERE, "good", lambda _: "")
    fresh.hear("quit")
    assert fresh.finished


def test_a_saved_game_goes_on_where_it_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path, game: str):
    saved = str(tmp_path / "saved.toml")
    said = ["merry to 8 14 rolls 6", f"save {saved}", "quit"]
    first, _ = at_the_terminal(monkeypatch, said, game)
    assert first.exit_code == 0
    again, _ = at_the_terminal(monkeypatch, ["record", "undo", "record", "quit"], saved, "--resume")
    assert "merry to 8.0 14.0 rolls 6" in again.output
    assert "no move has been made" in again.output
    anew, _ = at_the_terminal(monkeypatch, ["record"], saved)
    assert "--resume goes on" in anew.output
    assert "no move has been made" in anew.output
    both, _ = at_the_terminal(monkeypatch, [], saved, "--resume", "--priority", "evil")
    assert (both.exit_code, "--priority" in both.output) == (2, True)
    none, _ = at_the_terminal(monkeypatch, [], str(JUMPING.parents[1] / "jumping.toml"), "--resume")
    assert (none.exit_code, "no record" in none.output) == (2, True)


def test_deploying_is_told_in_words_that_can_be_said():
    band = frozenset({"warband"})
    late = [man(f"late-{i}", keywords=band) for i in range(2)]
    here = table(man("gimli", (20, 20)), man("orc", (20, 4), "evil"), *late, off=("late-0", "late-1"))
    session = Session.begin(here, "good", lambda _: "")
    told, *moves = session.hear("deploy 0 12").splitlines()
    assert told.startswith("yes: all 2 find room")
    session.hear("end")
    for move in moves:
        assert "comes on" in session.hear(move)
    block = box("block", 0, 11, 1, 13, "unscalable")
    shut = Session.begin(table(*late, off=("late-0", "late-1"), terrain=[block]), "good", lambda _: "")
    assert "+1 to the roll (REINF.2)" in shut.hear("deploy 0 12")
    for said in ("deploy", "deploy 0 x", "deploy 3 3"):
        with pytest.raises(QuestionError):
            session.hear(said)


def test_a_game_at_the_terminal(tmp_path: pathlib.Path, game: str):
    saved = tmp_path / "saved.toml"
    said = "help\nwho\nmerry to 8 14\n3\nundo\nmerry to 8 14 rolls 6\npippin to 9 9\n"
    said += "why sam to 1 1\nnonsense\nend\nend\nfights\n"
    said += f"record\nhash\nsave {saved}\nsave {tmp_path}\nquit\n"
    result = CliRunner().invoke(_sbg_sim, ["phase", game], input=said)
    assert result.exit_code == 0
    assert "Traceback" not in result.output
    assert "MOV.3" in result.output
    assert "the Move phase is over" in result.output
    again = replay(read(saved))
    assert again.legal
    assert again.hash in result.output
    assert read(saved).record.moves[0].rolls == (6,)


def test_a_game_is_saved_to_a_toml_file_and_no_other(tmp_path):
    photo = tmp_path / "photo.png"
    photo.write_text("mine")
    said = f"save {photo}\nquit\nquit\n"
    result = CliRunner().invoke(_sbg_sim, ["phase", "scenarios/phase/three-turns.toml", "--resume"], input=said)
    assert "say `save photo.toml`" in result.output
    assert photo.read_text() == "mine"


def duel() -> Session:
    here = table(man("gimli", (10, 10)), man("sam", (6, 10)), man("uruk-1", (10, 13), "evil"))
    return Session(lambda _: "5", Phase.begin(here, "good"), lambda _: 5)


def test_words_that_ask_for_too_much_or_too_little():
    session = duel()
    assert session.hear("   ") == ""
    for said, words in (
        ("place", "set down whom, and where"),
        ("slay", "who"),
        ("map gimli sam", "the reach of one model can be shaded"),
        ("choose", "which way to pair off"),
        ("undo", "there is nothing to take back"),
        ("status", "no model is called 'status' on this table; `help` tells what can be said"),
    ):
        assert words in guarded(session, said)
    session.hear("end")
    session.hear("end")
    assert guarded(session, "deploy 0 12") == "nobody waits outside the table"
    assert "the Move phase is over: say `next`" in guarded(session, "end")


def test_whether_a_move_is_allowed_is_told_before_it_is_made():
    session = duel()
    assert session.hear("why gimli to 10 8") == "allowed: 2.0000 in [MOV.3]"
    assert session.hear("why gimli to 10 20").startswith("not allowed: ")
    assert session.phase.table.model("gimli").at == (10, 10)
    wall = box("wall", 4, 11, 8, 11.4, "obstacle", height=1.0)
    here = table(man("sam", (6, 10)), man("uruk-1", (10, 20), "evil"), terrain=[wall])
    told = Session(lambda _: "5", Phase.begin(here, "good"), lambda _: 5).hear("why sam to 6 13")
    assert told.startswith("allowed, with a chance of 1/6 (jump over wall): 3.0000 in")


def test_the_map_shades_the_reach_of_a_model():
    session = duel()
    plain, shaded = session.hear("map"), session.hear("map gimli")
    assert plain != shaded
    assert len(plain.splitlines()) == len(shaded.splitlines())


def test_fights_are_drawn_into_a_file(tmp_path: pathlib.Path):
    session = duel()
    session.hear("gimli charges uruk-1")
    out = tmp_path / "fights.svg"
    told = session.hear(f"fights {out}")
    assert told.endswith(f"drawn to {out}")
    drawn = out.read_text(encoding="utf-8")
    assert drawn.startswith("<svg")
    assert "prefers-color-scheme: dark" in drawn
