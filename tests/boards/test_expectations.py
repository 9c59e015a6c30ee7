"""What a file expects, checked when it is read and compared with an answer."""

import pytest

from sbg_sim.boards.expectations import PLACE, expected, meets
from sbg_sim.boards.form import Asked
from sbg_sim.boards.names import Check, one_of

FINDERS = {PLACE: lambda name: one_of(["a", "b"], "place")(name.lower()), "who": one_of(["me"], "player")}
MORE = {"legs": None, "sees": ("who", {"to": PLACE, "hidden": None})}


def read(expect, ask="move"):
    check = Check()
    return expected(Asked(ask=ask, expect=expect), MORE, FINDERS, check, "expect"), check.faults


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
        ({"anwser": "yes", "route": ["d"]}, ["expect.anwser", "expect.route"]),
        ({"sees": {"you": {"too": "a"}}}, ["expect.sees.you", "expect.sees.you.too"]),
        ({"costs": {"z": 1}}, ["expect.costs.z"]),
    ],
)
def test_keys_and_names_that_are_none(expect, keys):
    assert sorted(fault.key for fault in read(expect)[1]) == sorted(keys)
