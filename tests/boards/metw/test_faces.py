"""METW scenario files: answers, and every fault of a file is told with its key."""

import tomllib

import pytest
from pydantic import ValidationError

from sbg_sim.boards import metw
from sbg_sim.boards.metw import faces
from sbg_sim.errors import FileFaultsError, UnknownNameError


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
        ("[creatures.c]\nsymbols = ''", ("creatures", "c", "symbols")),
        ("[questions.q]\nask = 'fly'", ("questions", "q")),
        (
            "new_game = true\n[questions.q]\nask = 'reach'\ncompany = 'one-1'\nturns = 2",
            ("questions", "q", "reach", "turns"),
        ),
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


def test_two_players_of_one_name():
    assert keys('players = ["one", "two", "one"]\n' + COMPANY) == ["players"]


SHIRE = """[board]
excerpt = true
[board.regions.a]
type = "w"
[board.regions.b]
type = "b"
[board.borders]
a = ["b"]
[board.sites.home]
type = "h"
region = "a"
[board.sites.far]
type = "r"
region = "b"
haven = "home"
"""


def test_m12_m13_each_kind_of_site_has_paths_of_its_own():
    load(SHIRE + 'path = "w b"\n')
    assert keys(SHIRE + 'path = "w b"\npaths = { home = "w b" }\n') == ["board.sites.far.paths"]
    assert keys(SHIRE + 'paths = { nowhere = "w b" }\n') == ["board.sites.far.paths"]
    assert keys(SHIRE.replace('type = "h"', 'type = "h"\npath = "w"') + 'path = "w b"\n') == ["board.sites.home.path"]


def test_a_scenario_adds_to_a_map():
    added = """[board]
map = "standard"
[board.regions.dorwinion-hills]
type = "w"
[board.borders]
dorwinion = ["dorwinion-hills"]
[board.sites.vineyard]
name = "The Vineyard"
type = "B"
region = "dorwinion-hills"
haven = "lorien"
path = "w b b w b w"
"""
    found = answer(
        added
        + '[companies.c]\nsite = "Vineyard"\n[questions.q]\nask = "reach"\ncompany = "c"'.replace(
            "Vineyard", "The Vineyard"
        )
    )
    assert "shrel-kain" in found["reachable"]
    assert keys(added.replace("vineyard]", "bree]")) == ["board.sites.bree"]
    assert keys(added.replace('"dorwinion-hills"\nhaven', '"dorwinion"\nhaven')) == ["board.sites.vineyard.path"]


def test_m19_an_empty_series_is_no_site_path():
    asked = COMPANY + '[questions.q]\nask = "move"\ncompany = "c"\nto = "Bree"\n'
    assert answer(asked)["answer"] == "yes"
    assert answer(asked + 'method = "site-path"')["rules"] == ["M8"]
    for extra in ("regions = []", 'regions = []\nmethod = "region"'):
        found = answer(asked + extra)
        assert (found["answer"], found["rules"]) == ("no", ["M19"])
    assert keys(asked + 'method = "site-path"\nregions = ["Rhudaur"]') == ["questions.q.regions"]


CREATURE = '[creatures.wild]\nsymbols = "w"\n'


def test_m25_only_a_journey_that_may_be_made_offers_its_regions():
    asked = COMPANY + CREATURE + '[questions.q]\nask = "attack"\ncompany = "c"\ncreature = "wild"\n'
    assert answer(asked + 'to = "Bree"\nregions = ["Rhudaur", "Arthedain"]')["answer"] == "yes"
    found = answer(asked + 'to = "Edoras"\nregions = ["Rhudaur", "Rohan"]')
    assert (found["answer"], found["rules"], found["types"]) == ("no", ["M21", "M23"], "")
    assert answer(asked)["rules"] == ["M25"]
    assert "declared no journey" in answer(asked)["reason"]
    assert keys(asked + 'regions = ["Rhudaur"]') == ["questions.q.regions"]
    declared = asked.replace(
        'site = "Rivendell"', 'site = "Rivendell"\ndeclared = { to = "Bree", regions = ["Rhudaur"] }'
    )
    assert answer(declared)["rules"] == ["M22"]


def test_questions_and_games_that_do_not_fit():
    ask = '[questions.q]\nask = "move"\ncompany = "c"\n'
    assert keys(f"new_game = true\n{COMPANY}") == ["new_game"]
    assert keys(COMPANY + ask) == ["questions.q"]
    assert keys(COMPANY + ask + 'method = "stay"\nto = "Bree"') == ["questions.q"]


def test_m7_a_company_moves_in_the_turn_of_its_player():
    asked = answer(f'turn = "two"\n{COMPANY}[questions.q]\nask = "move"\ncompany = "c"\nto = "Bree"\n')
    assert (asked["answer"], asked["rules"]) == ("no", ["M7"])


def test_m6_a_company_moves_to_a_site():
    state = load(COMPANY).state
    assert [broken.rule for broken in metw.explain(state, metw.Move("site-path", "c"))] == ["M6"]
    assert [broken.rule for broken in metw.explain_journey(state, "rivendell", metw.Move("region", "c"))] == ["M6"]


@pytest.mark.parametrize("symbols", ["w or", "or w", "or"])
def test_m25_or_stands_between_symbols(symbols):
    with pytest.raises(ValidationError, match="between two symbols"):
        load(f'[creatures.c]\nsymbols = "{symbols}"')


def test_one_turn_is_not_turns():
    assert "1 turn away" in answer(COMPANY + '[questions.q]\nask = "route"\ncompany = "c"\nto = "Bree"')["reason"]


def test_a_question_has_readings_of_its_own():
    asked = '[questions.q]\nask = "type"\nplace = "Anduin Vales"\n'
    assert answer(asked)["types"] == "b"
    found = answer(asked + 'options = { anduin_vales = "example" }')
    assert (found["types"], found["options"]) == ("w", ['anduin_vales = "printed"'])
    both = '[options]\nanduin_vales = "example"\n' + asked + "options = { max_regions = 2 }"
    assert answer(both)["types"] == "w"
    far = COMPANY + '[questions.q]\nask = "move"\ncompany = "c"\nto = "Goblin-gate"\nmethod = "region"\n'
    assert answer(far)["answer"] == "yes"
    assert answer(far + "options = { max_regions = 1 }")["rules"] == ["M19", "M23"]


def test_reach_and_move_agree_for_every_company():
    text = COMPANY + '[companies.d]\nsite = "Rivendell"\nplayer = "two"\ndeclared = { to = "Bree" }\n'
    first, second = (answer(text + f'[questions.q]\nask = "reach"\ncompany = "{who}"') for who in "cd")
    assert first["reachable"] == second["reachable"]
    assert len(first["reachable"]) == 37
    assert answer(text + '[questions.q]\nask = "move"\ncompany = "d"\nto = "Moria"')["answer"] == "yes"


def test_a_company_that_is_there_already_is_told_that_alone():
    found = answer(COMPANY + '[questions.q]\nask = "move"\ncompany = "c"\nto = "Rivendell"\n')
    assert (found["rules"], found["reason"]) == (
        ["M6"],
        "a company moves to a new site, and it is at Rivendell already.",
    )


@pytest.mark.parametrize(("symbols", "options"), [("d", []), ("b b", ['anduin_vales = "example"'])])
def test_a_reading_counts_where_it_turns_whether_a_creature_attacks(symbols, options):
    """Over Anduin Vales it is w b b w as printed, w w b w as in the example: dark-domains are on neither."""
    text = """
[companies.c]
site = "Lórien"
[creatures.foe]
symbols = "%s"
[questions.q]
ask = "attack"
creature = "foe"
company = "c"
to = "The Lonely Mountain"
regions = ["Wold & Foothills", "Anduin Vales", "Woodland Realm", "Northern Rhovanion"]
"""
    found = answer(text % symbols)
    assert found["types"] == "w b b w"
    assert [change for change in found["options"] if "anduin" in change] == options


@pytest.mark.parametrize(
    ("movement", "rules"),
    [("both", ["M18", "M8", "M19"]), ("site-path", ["M18", "M8"]), ("region", ["M18", "M19"])],
)
def test_a_reach_names_the_ways_of_moving_in_play(movement, rules):
    text = f"[questions.q]\nask = 'reach'\ncompany = 'c'\noptions = {{ movement = '{movement}' }}"
    assert answer(COMPANY + text)["rules"] == rules


@pytest.mark.parametrize(("symbols", "rule"), [("w w", "M26"), ("w w b", "M25"), ("w w d", "M26")])
def test_a_creature_of_several_types_comes_by_the_rule_that_fits(symbols, rule):
    text = f"[creatures.x]\nsymbols = '{symbols}'\n[questions.q]\nask = 'attack'\ncreature = 'x'\ncompany = 'c'\n"
    journey = "to = 'Lorien'\nregions = ['Rhudaur', 'High Pass', 'Anduin Vales', 'Wold & Foothills']"  # w w b w
    assert answer(COMPANY + text + journey)["rules"] == [rule]


def test_one_region_alone_is_told_as_too_few():
    text = "[companies.c]\nsite = 'Moria'\n[questions.q]\nask = 'move'\ncompany = 'c'\nto = 'Dimrill Dale'\n"
    found = answer(f"{text}method = 'region'\noptions = {{ same_region_move = false }}")
    assert (found["answer"], found["rules"]) == ("no", ["M21"])
    assert "repeat_regions = true" in found["options"]
