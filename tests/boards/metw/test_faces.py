"""METW scenario files: every example holds, and every fault of a file is told with its key."""

import json
import tomllib
from pathlib import Path

import pytest
from pydantic import ValidationError

from sbg_sim.boards.metw import faces
from sbg_sim.errors import FileFaultsError, UnknownNameError

FOLDER = Path(__file__).parents[3] / "scenarios" / "boards" / "metw"
FILES = sorted(FOLDER.glob("*.toml"))


def test_there_are_scenarios():
    assert len(FILES) >= 10


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_expectation_is_met(path):
    scenario = faces.load(tomllib.loads(path.read_text("utf-8")))
    assert scenario.source
    assert scenario.questions
    for question in scenario.questions:
        result = faces.answer(scenario, question)
        assert result["met"], result
        assert result["question"] == question
        assert result["rules"]
        assert result["reason"].endswith(".")
        json.dumps(result)


def load(text):
    return faces.load(tomllib.loads(f'game = "metw"\n{text}'))


def answer(text):
    return faces.answer(load(text), "q")


def keys(text):
    with pytest.raises(FileFaultsError) as caught:
        load(text)
    return [fault.key for fault in caught.value.faults]


COMPANY = '[companies.c]\nsite = "Rivendell"\n'


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[options]\nmax_region = 4", ("options", "max_region")),
        ('[options]\nseries = "circle"', ("options", "series")),
        ("[options]\nrepeat_regions = 1", ("options", "repeat_regions")),
        ("[companies.c]\nplayer = 'one'", ("companies", "c", "site")),
        ("[board.regions.a]\ntype = 'x'", ("board", "regions", "a", "type")),
        ("[creatures.c]\nsymbols = 'w q'", ("creatures", "c", "symbols")),
        ("[questions.q]\nask = 'fly'", ("questions", "q")),
        ("[questions.q]\nask = 'reach'\ncompany = 'c'\nturns = 2", ("questions", "q", "reach", "turns")),
    ],
)
def test_fields_that_are_wrong(text, place):
    with pytest.raises(ValidationError) as caught:
        load(text)
    assert [error["loc"] for error in caught.value.errors()] == [place]


def test_every_unknown_name_is_told_at_once():
    text = COMPANY + (
        '[companies.d]\nsite = "Nowhere"\nplayer = "nine"\ndeclared = { to = "X", regions = ["Y"] }\n'
        '[questions.q]\nask = "move"\ncompany = "e"\nto = "Z"\nregions = ["V"]\n'
        '[questions.r]\nask = "attack"\ncompany = "c"\ncreature = "troll"\n'
        '[questions.s]\nask = "type"\nplace = "W"\n'
    )
    assert sorted(keys(text)) == [
        "companies.d.declared.regions", "companies.d.declared.to", "companies.d.player", "companies.d.site",
        "questions.q.company", "questions.q.regions", "questions.q.to", "questions.r.creature",
        "questions.s.place",
    ]  # fmt: skip


def test_faults_of_a_board():
    assert keys('[board]\nmap = "moon"') == ["board.map"]
    assert keys('[board]\nmap = "standard"\n[board.regions.a]\ntype = "w"') == ["board.map"]
    assert keys("[board]\ntitle = 'empty'") == ["board"]
    bad = '[board.regions.a]\ntype = "w"\n[board.sites.s]\ntype = "r"\nregion = "a"\nhaven = "h"\npath = "w"\n'
    assert keys(bad) == ["board.sites.s.haven"]


def test_the_options_that_would_change_an_answer():
    text = COMPANY.replace("Rivendell", "Moria") + '[questions.q]\nask = "move"\ncompany = "c"\nto = "Dimrill Dale"\n'
    result = answer(text + 'regions = ["Redhorn Gate"]\nexpect = "no"')
    assert result["answer"] == "yes"
    assert result["met"] is False
    assert result["options"] == ['movement = "site-path"', "same_region_move = false"]


def test_no_expectation_is_neither_met_nor_missed():
    assert answer(COMPANY + '[questions.q]\nask = "reach"\ncompany = "c"')["met"] is None


def test_an_unknown_question():
    with pytest.raises(UnknownNameError):
        faces.answer(load(COMPANY), "nothing")


def test_a_route_that_there_is_not():
    text = '[options]\nhaven_hops = "once"\nmovement = "site-path"\n' + COMPANY.replace("Rivendell", "Bree")
    result = answer(text + '[questions.q]\nask = "route"\ncompany = "c"\nto = "Lond Galen"')
    assert (result["answer"], result["turns"], result["route"]) == ("no", None, None)
    assert 'haven_hops = "repeat"' in result["options"]


def test_a_destination_out_of_every_reach():
    result = answer(COMPANY + '[questions.q]\nask = "move"\ncompany = "c"\nto = "Edoras"\nexpect = "no"')
    assert result["met"]
    assert {"M8", "M23"} <= set(result["rules"])


def test_a_schema_can_be_exported():
    schema = faces.model.model_json_schema()
    assert {"game", "options", "board", "companies", "questions"} <= set(schema["properties"])
    assert "same_region_move" in schema["$defs"]["OptionsTable"]["properties"]
