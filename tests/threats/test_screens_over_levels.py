"""Friends who screen a model from another level than the one they start on."""

from __future__ import annotations

import json

import pytest

import sbg_sim as sbg
from sbg_sim.table.questions import Move

FOOT = {"base": 1, "height": 1.5, "move": 6}


@pytest.fixture(scope="module")
def found():
    # A corridor of the deck, shut by one base, leads to merry; its friend stands one step below.
    deck = {"polygon": [[8, 8], [20, 8], [20, 9.4], [8, 9.4]], "tags": ["platform"], "height": 0.7}
    models = {
        "merry": {**FOOT, "side": "good", "at": [18.5, 8.7], "on": "deck"},
        "sam": {**FOOT, "side": "good", "at": [14, 11]},
        "orc": {**FOOT, "side": "evil", "at": [12.5, 8.7], "on": "deck"},
    }
    return sbg.screen(sbg.Table(24, 18, models=models, terrain={"deck": deck}), "merry")


def test_a_friend_climbs_the_deck_to_screen(found):
    assert found.places
    assert found.levels == ("deck",)
    assert " on deck" in repr(found)
    (row,) = json.loads(json.dumps(found.as_json()))["places"]
    assert (row["model"], row["on"]) == ("sam", "deck")


def test_it_can_go_there_and_nobody_charges_then(found):
    ((name, at),) = found.places
    assert sbg.check(found.before, Move(name, at, "deck")).answer == "yes"
    assert sbg.check(found.before, sbg.Charge("orc", "merry")).answer == "yes"
    assert sbg.check(found.table, sbg.Charge("orc", "merry")).answer == "no"
