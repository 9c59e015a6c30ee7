"""Files about the adventure path: faults, answers, scenarios."""

import pytest
from pydantic import ValidationError

from sbg_sim.boards.lotr_tcg import Block, Where, faces
from sbg_sim.boards.lotr_tcg.cards import find_site, site_names, standard_sites
from sbg_sim.boards.lotr_tcg.reading import where_of
from sbg_sim.boards.names import find_name
from sbg_sim.errors import FileFaultsError, UnknownNameError
from tests.boards.lotr_tcg.games import SITES

BASE = {
    "game": "lotr-tcg",
    "players": {"a": {"deck": ["shadows/nurn"]}, "b": {"deck": ["shadows/mount-doom"]}},
    "path": [{"site": "shadows/east-road", "owner": "a"}],
    "minions": {"orc": {"number": 4, "cost": 2}},
}


def ask(**question):
    scenario = faces.load({**BASE, "questions": {"q": question}})
    return faces.answer(scenario, "q")


def test_answers_have_the_keys_of_the_contract():
    keys = {"question", "ask", "answer", "cost", "turns", "route", "reachable", "rules", "options", "reason"}
    assert keys <= set(ask(ask="reach"))
    assert keys <= set(ask(ask="stealth", where="3"))
    assert ask(ask="reach")["reachable"] == ["shadows/mount-doom"]


def test_titles_stand_for_ids():
    assert ask(ask="move", player="b", site="Mount Doom")["answer"] == "yes"


def test_a_title_of_several_paths_is_that_of_the_format_or_none():
    names = site_names(standard_sites(), Block.SHADOWS)
    assert find_name("East Road", names, "site") == "shadows/east-road"
    with pytest.raises(UnknownNameError, match=r"say fellowship/east-road or shadows/east-road"):
        find_site("East Road", standard_sites())


def test_nobody_places_a_site_that_lies_there():
    two = [*BASE["path"], {"site": "shadows/east-road", "owner": "b"}]
    asked = {"q": {"ask": "move", "player": "b", "site": "shadows/mount-doom"}}
    answer = faces.answer(faces.load({**BASE, "path": two, "questions": asked}), "q")
    assert (answer["answer"], answer["rules"], answer["players"]) == ("no", ["L3"], [])


def test_the_fellowships_own_site_is_meant_when_nothing_is_said():
    assert ask(ask="roaming", minion="orc")["answer"] == "yes"
    assert ask(ask="stealth")["answer"] == "no"


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ({"ask": "route"}, "questions.q.to"),
        ({"ask": "roaming"}, "questions.q.minion"),
        ({"ask": "roaming", "minion": "elf"}, "questions.q.minion"),
        ({"ask": "text", "condition": "somewhere"}, "questions.q.condition"),
        ({"ask": "home", "line": "Companion"}, "questions.q.line"),
        ({"ask": "stealth", "where": "12"}, "questions.q.where"),
        ({"ask": "move", "player": "b"}, "questions.q"),
        ({"ask": "move", "player": "z", "site": "shadows/nurn"}, "questions.q.player"),
        ({"ask": "move", "player": "b", "site": "nowhere"}, "questions.q.site"),
        ({"ask": "deck"}, "questions.q"),
        ({"ask": "deck", "deck": ["nowhere"]}, "questions.q.deck"),
        ({"ask": "move", "by": "card"}, "questions.q"),
        ({"ask": "reach", "format": "king-block"}, "questions.q.format"),
        ({"ask": "text", "condition": "sites 3[tower] to 4[king]", "where": "3"}, "questions.q.condition"),
        ({"ask": "text", "condition": "sites 4 to 3", "where": "3"}, "questions.q.condition"),
    ],
)
def test_questions_that_do_not_fit(question, key, wrong_keys):
    assert wrong_keys(lambda: ask(**question)) == [key]


def test_a_game_that_does_not_fit_has_all_faults_named():
    with pytest.raises(FileFaultsError) as caught:
        faces.load(
            {
                "game": "lotr-tcg",
                "sites": {"x": {"title": "X", "block": "shadows", "number": 3, "arrow": "left"}},
                "players": {"a": {"deck": ["nowhere"], "at": 2}},
                "moving": "c",
                "path": [{"site": "shadows/nurn", "owner": "d"}],
                "effects": [{"player": "e"}],
                "minions": {"m": {"number": 1, "hand": "f"}},
            }
        )
    assert {fault.key for fault in caught.value.faults} == {
        "sites.x",
        "players",
        "players.a.deck",
        "players.a.at",
        "moving",
        "path.0.owner",
        "effects.0.player",
        "minions.m.hand",
    }


def test_a_path_that_the_format_cannot_have(wrong_keys):
    def path(*sites, **more):
        rows = [{"site": site, "owner": "a"} for site in sites]
        return lambda: faces.load({**BASE, "path": rows, **more})

    assert wrong_keys(path("shadows/nurn", *["shadows/east-road"] * 9)) == ["path"]
    assert wrong_keys(path("nowhere")) == ["path.0.site"]
    tower = [next(s.id for s in SITES.values() if s.block is Block.TOWER and s.number == n) for n in (1, 3)]
    assert wrong_keys(path("shadows/nurn", tower[0])) == ["path.1.site"]
    assert wrong_keys(path(*tower, format="tower-block")) == ["path.1.site"]  # it bears number 3
    other = {"format": "tower-block", "options": {"replacement_number": "any"}}
    assert path(*tower, **other)().state.path[1].number == 2


def test_questions_without_a_game():
    text = {"ask": "text", "condition": "site 3", "where": "3"}
    assert faces.answer(faces.load({"game": "lotr-tcg", "questions": {"q": text}}), "q")["answer"] == "yes"
    for question in ({"ask": "reach"}, {"ask": "stealth"}):
        with pytest.raises(FileFaultsError):
            faces.load({"game": "lotr-tcg", "questions": {"q": question}})
    with pytest.raises(FileFaultsError, match="at least site 1"):
        faces.load({"game": "lotr-tcg", "players": BASE["players"]})


@pytest.mark.parametrize(
    "change",
    [
        {"game": "riddle"},
        {"format": "vintage"},
        {"twilight": -1},
        {"more": 1},
        {"options": {"arrows": "never"}},
    ],
)
def test_files_of_the_wrong_shape(change):
    with pytest.raises(ValidationError):
        faces.load({**BASE, **change})


def test_where():
    assert where_of("3[king]") == Where(3, Block.KING)
    assert where_of("Shadows 7") == Where(7, Block.SHADOWS)
    with pytest.raises(ValueError):
        where_of("shadows")


def test_unknown_questions():
    with pytest.raises(UnknownNameError):
        faces.answer(faces.load(BASE), "q")


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ({"ask": "stealth", "where": "3", "minion": "orc"}, "minion"),
        ({"ask": "route", "to": 1, "site": "shadows/nurn"}, "site"),
        ({"ask": "reach", "where": "3"}, "where"),
        ({"ask": "text", "condition": "site 3", "where": "3", "player": "a"}, "player"),
    ],
)
def test_a_part_that_a_question_does_not_have(question, part, wrong_keys):
    assert wrong_keys(lambda: ask(**question)) == [f"questions.q.{part}"]


def test_a_site_of_the_package_is_not_made_anew():
    site = {"title": "Nurn", "block": "shadows", "arrow": "left"}
    with pytest.raises(FileFaultsError) as caught:
        faces.load({**BASE, "sites": {"shadows/nurn": site}})
    assert [fault.key for fault in caught.value.faults] == ["sites.shadows/nurn"]


def test_a_game_without_a_path_is_told_where_its_players_stand():
    with pytest.raises(FileFaultsError) as caught:
        faces.load({"game": "lotr-tcg", "players": {"a": {}, "b": {}}})
    assert [fault.key for fault in caught.value.faults] == ["players"]


def test_a_title_that_several_blocks_have_is_that_of_the_path():
    game = {**BASE, "format": "standard", "questions": {"q": {"ask": "deck", "deck": ["Anduin Banks"]}}}
    assert faces.load(game).questions["q"].deck == ["shadows/anduin-banks"]


@pytest.mark.parametrize(
    ("form", "first", "stray", "rule", "why"),
    [
        ("king-block", "king/edoras-hall", "tower/derndingle", "L23", "L13"),
        ("movie-block", "king/edoras-hall", "tower/derndingle", "L14", "L13"),
        ("standard", "shadows/east-road", "tower/derndingle", "L2", "L3"),
    ],
)
def test_a_site_of_another_path_is_not_played(form, first, stray, rule, why):
    deck = {"a": {}, "b": {"deck": [stray]}}
    data = {"game": "lotr-tcg", "format": form, "players": deck, "path": [{"site": first, "owner": "a"}]}
    asked = {
        "reach": {"ask": "reach"},
        "card": {"ask": "move", "by": "card", "player": "b", "site": stray},
    }
    scenario = faces.load({**data, "effects": [{"player": "b"}], "questions": asked})
    found = {name: faces.answer(scenario, name) for name in asked}
    assert [(one["answer"], one["rules"]) for one in found.values()] == [("no", [why]), ("no", [rule])]


@pytest.mark.parametrize(
    ("hand", "twilight", "rules", "said"),
    [
        ("b", 4, ["L17"], "takes 4 twilight."),
        ("b", 3, ["L17", "L18"], "4 twilight, its cost; 3 are there."),
        ("a", 4, ["L17", "L27"], "it cannot be played, for a is moving and is no Shadow player now."),
    ],
)
def test_why_a_minion_cannot_be_played_is_said(hand, twilight, rules, said):
    minions = {"orc": {"number": 1, "cost": 4, "hand": hand}}
    questions = {"q": {"ask": "roaming", "minion": "orc"}}
    scenario = faces.load({**BASE, "minions": minions, "twilight": twilight, "questions": questions})
    found = faces.answer(scenario, "q")
    assert (found["answer"], found["rules"]) == ("no", rules)
    assert found["playable"] == ("yes" if rules == ["L17"] else "no")
    assert found["reason"].endswith(said)


@pytest.mark.parametrize(
    ("number", "where", "hand", "rules"),
    [
        (4, "3", None, ["L17", "L18"]),
        (4, "4", None, ["L17", "L19"]),
        (4, "4", "b", ["L17"]),
        (4, "4[king]", None, ["L17", "L19", "L20"]),
        (4, "3[tower]", None, ["L17", "L18", "L20"]),
    ],
)
def test_roaming_cites_what_ends_it_and_what_a_block_symbol_is_worth(number, where, hand, rules):
    minion = {"number": number, "cost": 1} | ({"hand": hand} if hand else {})
    questions = {"q": {"ask": "roaming", "minion": "orc", "where": where}}
    scenario = faces.load({**BASE, "minions": {"orc": minion}, "questions": questions})
    assert faces.answer(scenario, "q")["rules"] == rules
