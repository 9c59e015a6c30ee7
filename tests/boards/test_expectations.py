"""What a file expects, checked when it is read and compared with an answer."""

from dataclasses import dataclass
from typing import Annotated

import pytest

from sbg_sim.boards.expectations import expected, meets
from sbg_sim.boards.form import PLACE, Named, Place, Strict, file_form, with_ids
from sbg_sim.boards.names import Check, one_of
from sbg_sim.document import parse
from sbg_sim.errors import FileFaultsError
from sbg_sim.scenario import games

FINDERS = {PLACE: lambda name: one_of(["a", "b"], "place")(name.lower()), "who": one_of(["me"], "player")}


@dataclass(frozen=True)
class NoOptions:
    pass


class Seen(Strict):
    to: Place | None = None
    hidden: int | None = None


FORM = file_form(
    "tag",
    NoOptions,
    dict.fromkeys(("move", "reach", "route", "view"), ("Asks.", {})),
    {"legs": int, "sees": dict[Annotated[str, Named("who")], Seen]},
)


def read(expect, ask="move"):
    check, typed = Check(), FORM(game="tag", questions={"q": {"ask": ask, "expect": expect}})
    return expected(with_ids(typed, FORM, FINDERS, check).questions["q"], check, "questions.q.expect"), check.faults


@pytest.mark.parametrize(
    ("expect", "fits"),
    [
        ("yes", True),
        ("no", False),
        (2, True),
        (3, False),
        (["A", "b"], True),
        (["b", "a"], False),
        ({"cost": 2, "rules": ["R1"]}, True),
        ({"cost": 2, "rules": ["R2"]}, False),
        ({"turns": 1}, False),
        ({"route": ["A", "B"]}, True),
        ({"sees": {"me": {"to": "B"}}}, True),
        ({"sees": {"me": {"to": "a"}}}, False),
        ({"legs": 1}, False),
    ],
)
def test_what_meets_an_expectation(expect, fits):
    result = {
        "answer": "yes",
        "cost": 2,
        "route": ["a", "b"],
        "rules": ["R1"],
        "sees": {"me": {"to": "b", "hidden": 1}},
    }
    wanted, faults = read(expect)
    assert not faults
    assert meets(result, wanted) is fits


@pytest.mark.parametrize(
    ("expect", "fits"),
    [
        (2, True),
        (1, False),
        (["B", "a"], True),
        (["a"], False),
        ({"reachable": ["b", "A"]}, True),
        ({"reachable": {"B": 3}}, True),
        ({"reachable": {"B": 4}}, False),
        ({"costs": {"A": 1}}, True),
    ],
)
def test_what_meets_an_expectation_about_a_reach(expect, fits):
    wanted, faults = read(expect, "reach")
    assert not faults
    assert meets({"answer": "yes", "reachable": ["a", "b"], "costs": {"a": 1, "b": 3}}, wanted) is fits


def test_turns_are_meant_by_the_number_of_a_route():
    assert read(3, "route")[0] == {"turns": 3}
    assert read(None)[0] is None


@pytest.mark.parametrize(
    ("expect", "keys"),
    [
        ("maybe", ["expect"]),
        (["a", "c"], ["expect"]),
        ({"route": ["d"]}, ["expect.route"]),
        ({"sees": {"you": {"to": "c"}}}, ["expect.sees.you", "expect.sees.you.to"]),
        ({"costs": {"z": 1}}, ["expect.costs.z"]),
    ],
)
def test_words_and_names_that_are_none(expect, keys):
    assert sorted(fault.key.removeprefix("questions.q.") for fault in read(expect)[1]) == sorted(keys)


@pytest.mark.parametrize(
    ("expect", "told"),
    [
        ('{ rules = [3, "W4"] }', {"rules[0]": "must be a string"}),
        ('{ anwser = "yes", cost = "x" }', {"anwser": "did you mean `answer`", "cost": "must be a whole number"}),
        ('{ answer = "maybe" }', {"answer": "cannot be"}),
        ("{ sees = { f = { site = 3, too = 1 } } }", {"sees.f.site": "must be a string", "sees.f.too": "unknown key"}),
        ('{ costs = { Lorien = 1.5 }, route = ["Nowhere"] }', {"costs.Lorien": "must be a whole", "route": "no site"}),
        ("true", {"": "must be a string or a whole number or an array or a table"}),
    ],
)
def test_an_expectation_of_another_kind_is_a_fault_of_the_file(expect, told):
    text = 'game = "metw"\n[companies.f]\nsite = "rivendell"\n[questions.q]\nask = "reach"\ncompany = "f"\nexpect = '
    with pytest.raises(FileFaultsError) as caught:
        games.load(parse(text + expect, "x.toml"))
    assert {f.key.removeprefix("questions.q.expect").lstrip("."): f.line for f in caught.value.faults} == dict.fromkeys(
        told, 7
    )
    for fault in caught.value.faults:
        assert told[fault.key.removeprefix("questions.q.expect").lstrip(".")] in fault.reason
