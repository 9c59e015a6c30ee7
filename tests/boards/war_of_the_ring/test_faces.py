"""War of the Ring scenario files: answers, and every fault of a file is told with its key."""

import tomllib

import pytest
from pydantic import ValidationError

from sbg_sim.boards.war_of_the_ring import faces
from sbg_sim.errors import FileFaultsError, UnknownNameError


def load(text):
    return faces.load(tomllib.loads(f'game = "war-of-the-ring"\n{text}'))


def answer(text):
    return faces.answer(load(text), "q")


def faults(text):
    with pytest.raises(FileFaultsError) as caught:
        load(text)
    return [fault.key for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('[options]\ncontrols = "current"', ("options", "controls")),
        ('[options]\ncontrol = "nobody"', ("options", "control")),
        ("[characters]\nStrider = 3", ("characters", "Strider")),
        ('[control]\nMoria = "elves"', ("control", "Moria")),
        ("[cards.c]\nmoves = true", ("cards", "c", "side")),
        ('[board.regions.a]\nsettlement = "hut"', ("board", "regions", "a", "settlement")),
        ('[questions.q]\nask = "fly"', ("questions", "q")),
        ('[questions.q]\nask = "move"\nwho = "Strider"', ("questions", "q", "move", "to")),
    ],
)
def test_fields_that_are_wrong(text, place):
    with pytest.raises(ValidationError) as caught:
        load(text)
    assert [error["loc"] for error in caught.value.errors()] == [place]


def test_every_unknown_name_is_told_at_once():
    text = (
        'besieged = ["Atlantis"]\n[characters]\nStrid = "Bree"\nMerry = "Nowhere"\n'
        '[fellowship]\ncompanions = ["Nobody"]\nat = "Elsewhere"\n[control]\nUp = "shadow"\n'
        '[armies]\nDown = "shadow"\n[entries]\nSaru = ["Isengard"]\n'
        '[questions.q]\nask = "move"\nwho = ["Merri"]\nto = "X"\nby = "magic"\nafter = ["Pip"]\n'
    )
    assert sorted(faults(text)) == sorted([
        "characters.Strid", "characters.Merry", "fellowship.companions", "fellowship.at", "control.Up",
        "armies.Down", "besieged", "entries.Saru", "entries.Saru",
        "questions.q.who", "questions.q.after", "questions.q.to", "questions.q.by",
    ])  # fmt: skip


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ('besieged = ["Bree"]', ["besieged"]),
        ('[control]\nHollin = "shadow"', ["control.Hollin"]),
        ('[characters]\nMerry = "Bree"\nMeriadoc = "Dale"', ["characters.Meriadoc"]),
        ('[characters]\nMerry = "Bree"\n[fellowship]\ncompanions = ["Merry"]', ["fellowship.companions"]),
        ('[fellowship]\ncompanions = ["Gandalf the White"]', ["fellowship.companions"]),
        ('[board]\nmap = "moon"', ["board.map"]),
        ('[board]\nmap = "standard"\n[board.regions.bree]', ["board.regions.bree"]),
        ('[board]\nmap = "standard"\nimpassable = [["bree", "buckland"]]', ["board.impassable"]),
        ('[characters]\nSaruman = "Bree"', ["characters.Saruman"]),
        ("[entries]\nSaruman = ['Orthanc', 'Bree']", ["entries.Saruman"]),
        ('phase = "Action"', ["phase"]),
        ('[fellowship]\ncompanions = ["Merry", "Meriadoc"]', ["fellowship.companions"] * 2),
        ('[questions.q]\nask = "separate"\nwho = "Merry"', ["questions.q"]),
        (
            (
                '[cards.c]\nside = "shadow"\n[characters]\nMerry = "Bree"\n'
                '[questions.q]\nask = "reach"\nwho = "Merry"\nby = "c"\nside = "shadow"'
            ),
            ["questions.q.side"],
        ),
    ],
)
def test_positions_that_cannot_be(text, keys):
    assert faults(text) == keys


def test_the_options_that_would_change_an_answer():
    text = '[characters]\nStrider = "Hollin"\n[control]\nMoria = "free-peoples"\n[questions.q]\nask = "move"\n'
    result = answer(text + 'who = "Strider"\nto = "Dimrill Dale"\nexpect = "no"')
    assert (result["answer"], result["cost"], result["met"]) == ("yes", 2, False)
    assert result["route"] == ["hollin", "moria", "dimrill-dale"]
    assert result["options"] == ['control = "original"']


def test_a_character_that_is_nowhere():
    text = '[questions.q]\nask = "reach"\nwho = "Strider"'
    assert answer(text)["reachable"] == []
    assert answer(text)["answer"] == "no"
    assert answer(text.replace("reach", "route") + '\nto = "Bree"')["answer"] == "no"
    assert answer(text)["met"] is None


def test_no_route_to_an_island():
    text = (
        '[board.regions]\na = {}\nb = {}\n[characters]\nStrider = "a"\n[questions.q]\nask = "route"\n'
        'who = "Strider"\nto = "b"\nexpect = "no"'
    )
    assert answer(text)["met"]


def test_an_army_takes_characters_along():
    assert answer('[questions.q]\nask = "with-army"\nwho = "Strider"')["answer"] == "yes"


def test_an_unknown_question():
    with pytest.raises(UnknownNameError):
        faces.answer(load(""), "nothing")


def test_a_schema_can_be_exported():
    schema = faces.model.model_json_schema()
    assert {"game", "options", "board", "characters", "questions"} <= set(schema["properties"])
    assert "mouth_passing" in schema["$defs"]["OptionsTable"]["properties"]


def test_a_group_has_somebody_in_it():
    for ask in ('ask = "reach"', 'ask = "move"\nto = "Bree"', 'ask = "route"\nto = "Bree"'):
        with pytest.raises(ValidationError) as caught:
            load(f"[questions.q]\n{ask}\nwho = []")
        assert {error["loc"][:2] for error in caught.value.errors()} == {("questions", "q")}


def test_one_region_under_two_names():
    assert faults('[control]\nMoria = "free-peoples"\nmoria = "shadow"') == ["control.moria"]
    assert faults('[armies]\n"The Shire" = "free-peoples"\nshire = "shadow"') == ["armies.shire"]


def test_a_card_named_like_a_die():
    assert faults('[cards.character-die]\nside = "shadow"') == ["cards.character-die"]


def test_a_phase_mistyped():
    asked = '[characters]\nStrider = "Rivendell"\n[questions.q]\nask = "move"\nwho = "Strider"\nto = "Bree"'
    assert answer(f'phase = "Action Resolution"\n{asked}')["answer"] == "yes"
    assert answer(f'phase = "fellowship"\n{asked}')["rules"] == ["W4"]
    with pytest.raises(FileFaultsError, match=r"there are: .*action-resolution"):
        load(f'phase = "acton-resolution"\n{asked}')


def test_a_scenario_adds_a_character_and_a_region():
    text = (
        '[board]\nmap = "standard"\nborders = { bree = ["staddle"] }\nregions = { staddle = {} }\n'
        'characters = { nob = { kind = "companion", level = 1 } }\n[characters]\nnob = "Staddle"\n'
        '[questions.q]\nask = "reach"\nwho = "Nob"\nexpect = ["Bree"]'
    )
    assert answer(text)["met"]


def test_w1_companions_leave_the_fellowship_where_it_is():
    text = '[fellowship]\ncompanions = ["Merry"]\nat = "Bree"\n[questions.q]\nask = "separate"\n'
    assert answer(text + 'who = "Merry"')["route"] == ["bree"]
    assert answer(text + 'who = "Merry"\nto = "Dale"')["rules"] == ["W1"]
    assert answer(text + 'who = ["Merry", "Pippin"]')["answer"] == "no"
    nowhere = text.replace('at = "Bree"\n', "")
    assert answer(nowhere + 'who = "Merry"')["reason"] == "the Fellowship is not on the map."
    assert answer(nowhere + 'who = ["Pippin", "Gimli"]')["reason"].endswith("are not in the Fellowship.")


def test_w5_w6_a_die_of_the_other_side():
    text = '[characters]\nMerry = "Bree"\n"Nazgûl 1" = "Morannon"\n[questions.q]\nask = "move"\nto = "Buckland"\n'
    assert answer(text + 'who = "Merry"\nside = "shadow"')["rules"] == ["W6"]
    assert answer(text + 'who = "Nazgûl 1"\nby = "character-die"\nside = "free-peoples"')["rules"] == ["W5"]


def test_one_region_is_not_regions():
    board = '[board.regions.a]\n[board.regions.b]\n[board.borders]\na = ["b"]\n[characters]\nMerry = "a"\n'
    assert "can go to 1 region." in answer(board + '[questions.q]\nask = "reach"\nwho = "Merry"')["reason"]


def test_a_question_has_readings_of_its_own():
    asked = '[characters]\n"Nazgûl 1" = "Bree"\n[questions.q]\nask = "move"\nwho = "Nazgûl 1"\nto = "Bree"\n'
    assert answer(asked)["rules"] == ["W26"]
    found = answer(asked + "options = { nazgul_null_move = true }")
    assert (found["answer"], found["options"]) == ("yes", ["nazgul_null_move = false"])


def test_what_goes_nowhere_says_why():
    shut = {"characters": {"Strider": "Minas Tirith", "nazgul-1": "Dol Guldur"}, "besieged": ["Minas Tirith"]}
    questions = {
        "out": {"ask": "reach", "who": "Strider"},
        "by-air": {"ask": "route", "who": "nazgul-1", "to": "Lórien"},
    }
    scenario = faces.load({"game": "war-of-the-ring", **shut, "questions": questions})
    out, by_air = (faces.answer(scenario, name) for name in questions)
    assert (out["answer"], out["reachable"], out["rules"]) == ("no", [], ["W13"])
    assert (by_air["answer"], by_air["rules"]) == ("no", ["W17"])


def test_two_minions_go_each_as_far_as_its_own_level():
    added = {"map": "standard", "characters": {"messenger": {"kind": "minion", "level": 1}}}
    where = {"messenger": "Barad-dûr", "Mouth of Sauron": "Gorgoroth"}
    question = {"ask": "move", "who": ["messenger", "Mouth of Sauron"], "to": "Morannon"}
    file = {"game": "war-of-the-ring", "board": added, "characters": where, "questions": {"q": question}}
    answer = faces.answer(faces.load(file), "q")
    assert (answer["answer"], answer["rules"]) == ("no", ["W21"])
    assert "messenger moves up to 1" in answer["reason"]


@pytest.mark.parametrize(
    ("who", "rules"),
    [
        ('"wk"', ["W15", "W18"]),
        ('["n", "wk"]', ["W15", "W16", "W18"]),
        ('"n"', ["W15"]),
        ('["m", "n"]', ["W21", "W15"]),
    ],
)
def test_the_rules_by_which_nazgul_move(who, rules):
    text = (
        '[board]\nregions = { a = {}, b = {} }\nborders = { a = ["b"] }\n[board.characters]\n'
        'wk = { kind = "witch-king" }\nn = { kind = "nazgul" }\nm = { kind = "minion", level = 3 }\n'
        '[characters]\nwk = "a"\nn = "a"\nm = "a"\n'
    )
    assert answer(f'{text}[questions.q]\nask = "move"\nwho = {who}\nto = "b"')["rules"] == rules
    assert answer(f'{text}[questions.q]\nask = "reach"\nwho = {who}')["rules"] == rules


def test_only_rules_that_bar_the_way_are_told():
    """The besieged keep is friendly to the Mouth (W24), and by its first owner one it must not enter (W25)."""
    text = (
        'besieged = ["keep"]\n[board.nations]\nn = "free-peoples"\n[board.regions]\na = {}\nb = {}\n'
        'keep = { nation = "n", settlement = "stronghold" }\n[board.borders]\nkeep = ["a", "b"]\n'
        '[control]\nkeep = "shadow"\n[characters]\nmouth-of-sauron = "a"\n'
        '[questions.q]\nask = "move"\nwho = "mouth-of-sauron"\nto = "b"\noptions = { control = "original" }\n'
    )
    assert answer(text)["rules"] == ["W24", "W25"]


@pytest.mark.parametrize(
    ("who", "rules", "turns"), [("three", ["W8", "W12"], 2), ("one", ["W8"], 2), ("mouth", ["W21"], 1)]
)
def test_a_route_names_the_rules_by_which_one_action_is_not_enough(who, rules, turns):
    text = (
        '[board.nations]\nn = "shadow"\n[board.regions]\na = {}\nb = {}\n'
        'keep = { nation = "n", settlement = "stronghold" }\n[board.borders]\nkeep = ["a", "b"]\n[board.characters]\n'
        'three = { kind = "companion", level = 3 }\none = { kind = "companion", level = 1 }\n'
        'mouth = { kind = "minion", level = 3 }\n[characters]\nthree = "a"\none = "a"\nmouth = "a"\n'
    )
    found = answer(f'{text}[questions.q]\nask = "route"\nwho = "{who}"\nto = "b"\n')
    assert (found["rules"], found["turns"]) == (rules, turns)


def test_how_far_the_mouth_moves_is_said_as_the_rule_does():
    found = answer(
        '[characters]\nmouth-of-sauron = "barad-dur"\n'
        '[questions.q]\nask = "move"\nwho = "mouth-of-sauron"\nto = "edoras"\n'
    )
    assert found["rules"] == ["W21"]
    assert found["reason"].endswith("regions away, and The Mouth of Sauron moves up to 3.")


def test_nobody_goes_with_an_army_from_within_the_fellowship():
    text = '[fellowship]\ncompanions = ["Gimli"]\nat = "Hollin"\n[questions.q]\nask = "with-army"\nwho = '
    assert (answer(text + '"Gimli"')["answer"], answer(text + '"Gimli"')["rules"]) == ("no", ["W1"])
    assert answer(text + '"Legolas"')["answer"] == "yes"


@pytest.mark.parametrize(
    ("who", "at", "to", "army", "rules"),
    [
        ("Strider", "Rivendell", "Bree", "Trollshaws", ["W8", "W11"]),
        ("Strider", "Rivendell", "Bree", "Minas Morgul", ["W8"]),
        ("the Mouth of Sauron", "Barad-dûr", "Gorgoroth", "Gorgoroth", ["W21", "W23"]),
        ("the Witch-king", "Dol Guldur", "Gorgoroth", "Gorgoroth", ["W15", "W18"]),
    ],
)
def test_enemy_armies_on_the_way_are_told_to_be_nothing(who, at, to, army, rules):
    side = "shadow" if who == "Strider" else "free-peoples"
    text = (
        f'[characters]\n"{who}" = "{at}"\n[armies]\n"{army}" = "{side}"\n[questions.q]\nask = "move"\nwho = "{who}"\n'
    )
    found = answer(f'{text}to = "{to}"')
    assert (found["answer"], found["rules"]) == ("yes", rules)


def test_a_second_group_moves_with_the_same_die():
    text = '[characters]\nStrider = "Rivendell"\nLegolas = "Rivendell"\n[questions.q]\nask = "move"\nwho = "Legolas"\n'
    assert answer(f'{text}to = "Hollin"\nafter = ["Strider"]')["rules"] == ["W8", "W10"]
    assert answer(f'{text}to = "Hollin"')["rules"] == ["W8"]
