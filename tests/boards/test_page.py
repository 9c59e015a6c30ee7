"""The page about the four games: its maps are sound, it names every reading and every kind of question."""

import inspect
import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from sbg_sim.boards import lotr_tcg, metw, riddle, war_of_the_ring
from sbg_sim.document import parse
from sbg_sim.scenario import games

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "boards.md").read_text("utf-8")
ROOMS = {"metw": metw, "riddle": riddle, "war-of-the-ring": war_of_the_ring, "lotr-tcg": lotr_tcg}


@pytest.mark.parametrize("game", ROOMS)
def test_every_reading_stands_there_with_its_default(game):
    about = TEXT.partition(f"### Readings of {game}\n")[2].partition("###")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", about, re.MULTILINE))
    assert rows == {f.name: str(f.default).lower() if isinstance(f.default, bool | int) else f'"{f.default}"'
                    for f in fields(ROOMS[game].Options)}  # fmt: skip
    words = " ".join(inspect.getdoc(ROOMS[game].Options).split()).replace("`", "")
    for told in re.findall(r"^\| `\w+` \| `[^`]+` \| (.*) \|$", about, re.MULTILINE):
        assert told.replace("`", "") in words


@pytest.mark.parametrize("game", ROOMS)
def test_the_map_of_the_page_is_sound_in_a_file_of_its_own(game, tmp_path):
    block = TEXT.partition(f"### {game}\n")[2].partition("```toml\n")[2].partition("```")[0]
    (tmp_path / "my-map.toml").write_text(block, "utf-8")
    text = f'game = "{game}"\n[board]\nmap = "my-map.toml"\n'
    _, scenario = games.load(parse(text, str(tmp_path / "scenario.toml")))
    assert scenario.board


def test_the_examples_are_as_they_should_be(tmp_path):
    first, added = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)[:2]
    (answer,) = games.answers(parse(first))
    assert answer["met"]
    text = added.replace('"my-map.toml"', '"standard"')
    _, scenario = games.load(parse(f'game = "metw"\n{text}', str(tmp_path / "x.toml")))
    assert scenario.board.site("My Inn").region == "rhudaur"


def test_every_kind_of_question_and_key_is_named():
    for game in ROOMS:
        room = games.faces(game)
        for ask in room.solvers:
            assert f"`{ask}`" in TEXT, (game, ask)
        for key in room.model.model_json_schema()["$defs"]["Expectation"]["properties"]:
            assert f"`{key}`" in TEXT, (game, key)


def test_the_empty_form_is_sound_and_has_the_river_heads(tmp_path):
    form = (DOCS / "riddle-form.toml").read_text("utf-8")
    data = tomllib.loads(form)
    assert [space["name"] for space in data["spaces"].values()] == list(riddle.RIVER_HEADS)
    (tmp_path / "riddle-form.toml").write_text(form, "utf-8")
    text = 'game = "riddle"\n[board]\nmap = "riddle-form.toml"\n[marker]\nat = "moria"\nallowance = 3\n'
    _, scenario = games.load(parse(text + '[questions.q]\nask = "reach"', str(tmp_path / "s.toml")))
    found = scenario.room.answer(scenario, "q")
    assert found["reachable"] == ["moria"]
    assert "map" not in found  # nobody says that it is invented


def test_faults_of_a_map_file_stand_in_that_file(tmp_path):
    (tmp_path / "my-map.toml").write_text('[regions.a]\ntype = "w"\n\n[borders]\na = ["b"]\n', "utf-8")
    source = parse('game = "metw"\n[board]\nmap = "my-map.toml"\n', str(tmp_path / "scenario.toml"))
    with pytest.raises(games.FileFaultsError) as caught:
        games.load(source)
    assert [(Path(f.file).name, f.line, f.key) for f in caught.value.faults] == [("my-map.toml", 5, "borders.a")]
    for name in ("nowhere.toml", "nowhere"):
        source = parse(f'game = "metw"\n[board]\nmap = "{name}"\n', str(tmp_path / "scenario.toml"))
        with pytest.raises(games.FileFaultsError) as caught:
            games.load(source)
        assert [(Path(f.file).name, f.line, f.key) for f in caught.value.faults] == [("scenario.toml", 3, "board.map")]


def test_a_map_that_is_lost_hides_no_other_fault(tmp_path):
    text = (
        'game = "metw"\n[board]\nmap = {}\n[questions.q]\nask = "type"\nplace = "Nowhere"\nexpect = {{ typs = "w" }}\n'
    )
    for lost, key in (('"lost.toml"', "board.map"), ('"moon"', "board.map"), ("3", "board.map")):
        with pytest.raises(games.FileFaultsError) as caught:
            games.load(parse(text.format(lost), str(tmp_path / "s.toml")))
        assert [fault.key for fault in caught.value.faults] == [key, "questions.q.expect.typs"]
