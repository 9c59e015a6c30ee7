"""What a file expects, compared with an answer."""

import pytest

from sbg_sim.boards.expectations import meets, met


@pytest.mark.parametrize(
    ("expect", "fits"),
    [
        ("yes", True),
        ("no", False),
        (2, True),
        (3, False),
        (["a", "b"], True),
        (["b", "a"], False),
        ({"cost": 2, "rules": ["R1"]}, True),
        ({"cost": 2, "rules": ["R2"]}, False),
        ({"turns": 1}, False),
        ({"more": {"x": 1}}, True),
        ({"more": {"x": 2}}, False),
        (None, False),
    ],
)
def test_what_meets_an_expectation(expect, fits):
    result = {"answer": "yes", "cost": 2, "route": ["a", "b"], "rules": ["R1"], "more": {"x": 1, "y": None}}
    assert meets(result, expect) is fits


@pytest.mark.parametrize(("expect", "fits"), [(2, True), (1, False), (["b", "a"], True), (["a"], False)])
def test_what_meets_an_expectation_about_a_reach(expect, fits):
    assert meets({"answer": None, "reachable": {"a": 1, "b": 2}}, expect) is fits


@pytest.mark.parametrize(
    ("ask", "expect", "fits"),
    [
        ("route", None, None),
        ("route", 3, True),
        ("move", 3, False),
        ("move", 2, True),
        ("move", ["A", "B"], True),
        ("move", {"route": ["A", "b"], "cost": 2}, True),
        ("move", {"route": ["b", "A"]}, False),
        ("move", "yes", True),
    ],
)
def test_an_expectation_may_use_any_name_of_a_place(ask, expect, fits):
    result = {"ask": ask, "answer": "yes", "cost": 2, "turns": 3, "route": ["a", "b"]}
    assert met(result, expect, str.lower) is fits
