"""What each result of a die does, in words."""

from __future__ import annotations

from pathlib import Path

import pytest

import sbg_sim as sbg

SCENARIOS = Path(__file__).parents[2] / "scenarios"


def worst(table, question):
    (test, *_) = sbg.check(table, question).play.tests
    return test.kind, test.results["1"]


@pytest.mark.parametrize(
    ("file", "question", "kind"),
    [
        ("jumping", "pippin-goes-on", "jump"),
        ("climbing", "legolas-goes-on", "climb"),
        ("jumping-over-prone", "over-frodo", "jump-prone"),
        ("descending", "climbs-down", "descend"),
        ("leaping", "and-on", "leap"),
    ],
)
def test_how_deep_one_falls_is_asked_of_what_has_no_depth_alone(file, question, kind):
    found, words = worst(sbg.load(SCENARIOS / f"{file}.toml"), question)
    assert found == kind
    assert "not said" not in words


def test_a_gap_without_a_depth_says_so():
    models = {"boromir": {"at": [4, 6], "base": 1, "height": 1.5, "move": 6, "side": "good"}}
    gap = {"tags": ["gap"], "polygon": [[5, 0], [7, 0], [7, 12], [5, 12]]}
    kind, words = worst(sbg.Table(12, 12, models=models, terrain={"gap": gap}), sbg.Move("boromir", (9, 6)))
    assert kind == "leap"
    assert "how deep it is, and what hits that costs, is not said" in words
