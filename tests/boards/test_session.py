"""A board game played by words: listed, chosen, tried, taken back, saved and gone on with."""

import tomllib

import pytest

from sbg_sim.errors import FileFaultsError, SbgError
from sbg_sim.scenario.games import faces
from sbg_sim.terminal.board_session import BoardSession

FILES = {
    "metw": 'game = "metw"\nnew_game = true\n',
    "riddle": 'game = "riddle"\n[marker]\nat = "bree"\nallowance = 2\n',
    "war-of-the-ring": 'game = "war-of-the-ring"\n[characters]\nMerry = "Bree"\n"Nazgûl 1" = "Moria"\n',
    "lotr-tcg": (
        'game = "lotr-tcg"\n[players.a]\n[players.b]\ndeck = ["shadows/nurn"]\n'
        '[[path]]\nsite = "shadows/east-road"\nowner = "a"\n'
    ),
}


def begun(text, *, resume=False):
    data = tomllib.loads(text)
    session = BoardSession.begin(faces(data["game"]).load(data), lambda question: "n", resume=resume)
    session.text = text
    return session


@pytest.mark.parametrize("game", FILES)
def test_no_two_legal_moves_are_told_alike_and_each_can_be_chosen_and_saved(game):
    session = begun(FILES[game])
    for _ in range(4):
        told = [session.game.told(session.state, move) for move in session.legal()]
        assert len(set(told)) == len(told)
        assert f"{told[0]}\n" in session.hear(told[0])
    again = begun(session.recorded(), resume=True)
    assert again.state == session.state
    assert again.hear("record").splitlines() == [words for _, words in session.past]
    longer = again.recorded()
    assert longer == session.recorded()  # the old record is not kept beside the new one
    for _ in range(4):
        assert again.hear("undo").startswith("taken back")
    assert again.state == begun(FILES[game]).state
    assert again.hear("undo") == "no move has been made"


@pytest.mark.parametrize("game", FILES)
def test_what_is_lit_is_where_legal_moves_lead(game):
    session = begun(FILES[game])
    lit = session.game.lit(session.state)
    assert lit
    assert all(isinstance(cost, int) for cost in lit.values())


def test_moves_by_cards_and_dice_are_told():
    tcg = FILES["lotr-tcg"] + '[[effects]]\nplayer = "b"\n[minions.orc]\nnumber = 1\ncost = 0\nhand = "b"\n'
    assert "b plays the minion orc" in begun(tcg).hear("moves")
    assert "b plays shadows/nurn by a card as site 2" in begun(tcg).hear("moves")
    riddle = begun(FILES["riddle"].replace("[marker]", "[marker]\ncards = ['eagles', 'boat']\nin_play = ['cloak']"))
    assert "cards: boat, cloak, eagles; in play: cloak" in riddle.status()
    assert "by eagles" in riddle.hear("moves")
    ring = '[fellowship]\ncompanions = ["Gimli"]\nat = "Bree"\n[dice]\nfree-peoples = ["character-die"]\n'
    war = begun(f'game = "war-of-the-ring"\n{ring}')
    assert "in the Fellowship: Gimli" in war.status()
    assert war.status().startswith("left: free-peoples character-die\n")  # the die of the file, and no other
    assert "gimli leaves the fellowship in bree" in war.hear("moves")


def test_moves_by_words_and_numbers():
    session = begun(FILES["metw"])
    assert session.hear("moves bree site").split() == ["1", "one-1", "to", "bree", "by", "site", "path"]
    assert "turn of one" in session.hear("1")
    assert session.state.company("one-1").journey.to == "bree"
    with pytest.raises(SbgError, match="the list has no move 99"):
        session.hear("99")
    with pytest.raises(SbgError, match="no legal move has the words 'xyzzy'"):
        session.hear("xyzzy")
    session.hear("undo")
    assert "say a number" in session.hear("bree")
    assert session.hear("  ") == ""


def test_why_a_place_is_barred():
    assert "M8, Edoras does not list Rivendell" in begun(FILES["metw"]).hear("why Edoras")
    assert "W17" in begun(FILES["war-of-the-ring"]).hear("why Rivendell")
    assert "legal" in begun(FILES["riddle"]).hear("why shire")
    assert "R4" in begun(FILES["riddle"]).hear("why gorgoroth")
    assert "L3" in begun(FILES["lotr-tcg"]).hear("explain Nurn")


def test_a_roll_sets_a_turn_that_has_just_begun():
    session = begun(FILES["riddle"])
    session.hear("roll 4")
    assert session.state.points == 4
    session.hear("moves")
    session.hear("1")
    with pytest.raises(SbgError):
        session.hear("roll 6")
    assert begun(session.recorded(), resume=True).state == session.state


def test_leaving_tells_what_is_not_saved():
    session = begun(FILES["riddle"])
    session.hear("1")
    assert "not saved" in session.hear("quit")
    assert not session.finished
    session.hear("quit")
    assert session.finished
    with pytest.raises(SbgError, match=r"in \.toml"):
        session.hear("save game")


def test_a_record_that_is_not_legal_and_a_file_without_a_position():
    with pytest.raises(FileFaultsError) as caught:
        begun(FILES["riddle"] + '[[moves]]\nmove = "to mordor by train"', resume=True)
    assert [fault.key for fault in caught.value.faults] == ["moves.0.move"]
    for text in ('game = "riddle"', 'game = "lotr-tcg"'):
        with pytest.raises(FileFaultsError):
            begun(text)


def test_the_loop_of_the_phase_keeps_a_journal_and_offers_it(tmp_path):
    from click.testing import CliRunner

    from sbg_sim.cli.group import _sbg_sim

    file, run = tmp_path / "game.toml", CliRunner()
    file.write_text(FILES["riddle"], "utf-8")

    def play(said, *options):
        found = run.invoke(_sbg_sim, ["play", str(file), *options], input=said)
        assert found.exit_code == 0, found.output
        return found.output

    first = play("to shire by road\nundo\nto shire by road\n")
    assert "is kept in" in first
    assert "`sbg-sim play" in first
    assert "marker is on shire" in play("status\n", "--resume")
    assert "resumed after 1 move" in play("y\nsave\ny\nquit\n")
    assert not (tmp_path / "game.toml.journal").exists()
    assert file.read_text("utf-8").endswith('[[moves]]\nmove = "to shire by road"\n')
    assert "are not played" in play("quit\n")
    assert "marker is on shire" in play("quit\n", "--resume")


def test_several_moves_taken_back_and_words_completed():
    session = begun(FILES["riddle"])
    for words in ("to shire by road", "end the turn on shire", "roll 3"):
        session.hear(words)
    assert session.hear("undo 2") == "taken back: end the turn on shire, roll 3"
    assert session.hear("record") == "to shire by road"
    with pytest.raises(SbgError, match="undo how many"):
        session.hear("undo x")
    assert ("moves", 2) in session.completions("mo")
    assert {word for word, _ in session.completions("to sarn")} == {"sarn-ford"}
