"""Maps of the package and of a file of its own: which there are, what a board adds to one, and what it cannot say."""

import pytest

from sbg_sim.boards import metw, riddle, war_of_the_ring
from sbg_sim.boards.lotr_tcg import faces as tcg
from sbg_sim.boards.metw import faces
from sbg_sim.document import parse
from sbg_sim.errors import FileFaultsError
from sbg_sim.scenario import games


def fault(load, game, **board):
    with pytest.raises(FileFaultsError) as caught:
        load({"game": game, "board": board})
    (one,) = caught.value.faults
    return one.key, one.reason


def test_the_maps_that_come_with_the_package():
    assert metw.map_names() == ("lonely-mountain", "standard")
    assert riddle.map_names() == war_of_the_ring.map_names() == ("standard",)
    for game in (metw, riddle, war_of_the_ring):
        assert all(game.load_map(name) for name in game.map_names())


def test_a_map_that_there_is_not():
    key, reason = fault(faces.load, "metw", map="moon", excerpt=True)
    assert (key, "lonely-mountain, standard" in reason) == ("board.map", True)
    assert fault(tcg.load, "lotr-tcg", map="moon", sites={})[1].startswith(
        "no map is called 'moon'; there are: standard"
    )


def test_a_map_of_its_own_needs_a_file_beside_it():
    key, reason = fault(faces.load, "metw", map="my.toml")
    assert (key, "needs a scenario in a file" in reason) == ("board.map", True)


def test_a_map_of_another_game(tmp_path):
    (tmp_path / "my.toml").write_text('game = "riddle"\n[regions.a]\ntype = "w"\n', "utf-8")
    source = parse('game = "metw"\n[board]\nmap = "my.toml"\n', str(tmp_path / "s.toml"))
    with pytest.raises(FileFaultsError, match="this is a map of riddle, and the scenario plays metw"):
        games.load(source)


def test_a_table_of_expectations_that_is_not_met_is_told_by_its_keys():
    text = 'game = "metw"\nnew_game = true\n[questions.q]\nask = "move"\ncompany = "one-1"\nto = "Bree"\n'
    source = parse(text + 'expect = { answer = "no", rules = ["M8"] }')
    (said,) = games.unmet(source, games.answers(source))
    assert said == "q: expected answer no, rules M8, got answer yes, rules M19"


def test_what_a_board_says_of_a_map_that_has_no_such_table():
    scenario = faces.load({"game": "metw", "board": {"map": "standard", "excerpt": True}})
    assert scenario.board.excerpt
    assert scenario.board.sites.keys() == metw.load_map("standard").sites.keys()
