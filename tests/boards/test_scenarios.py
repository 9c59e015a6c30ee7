"""Every scenario of the four games: sound, with a source, and answered as it expects."""

import json
import tomllib
from pathlib import Path

import pytest

from sbg_sim.scenario.games import GAMES, faces

FOLDER = Path(__file__).parents[2] / "scenarios" / "boards"
FILES = sorted(FOLDER.glob("*/*.toml"))


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_scenarios(game):
    assert len([path for path in FILES if path.parent.name == game]) >= 8


def test_what_is_lit_without_a_question_and_for_one():
    scenario = faces("riddle").load(
        {
            "game": "riddle",
            "marker": {"at": "bree", "allowance": 1},
            "questions": {"q": {"ask": "reach"}, "m": {"ask": "move", "to": "shire"}},
        }
    )
    costs = scenario.room.answer(scenario, "q")["costs"]
    assert scenario.lit("m") == costs == {"bree": 0, **scenario.lit()}
    assert scenario.lit("q") is None  # its answer lights what it reaches
    assert faces("riddle").load({"game": "riddle"}).lit() is None


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_expectation_is_met(path):
    data = tomllib.loads(path.read_text("utf-8"))
    room = faces(data["game"])
    scenario = room.load(data)
    assert data["source"]
    assert scenario.questions
    for name, asked in data["questions"].items():
        found = room.answer(scenario, name)
        assert asked["expect"] is not None
        assert found["met"], (name, found)
        assert list(found)[:8] == ["question", "ask", "answer", "cost", "turns", "route", "reachable", "costs"]
        assert list(found)[-5:] == ["rules", "reason", "options", "expect", "met"]
        assert found["question"] == name
        assert isinstance(found["rules"], list)
        assert found["reason"]
        json.dumps(found)
