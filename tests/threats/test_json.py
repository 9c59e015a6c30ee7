"""What `threats`, `safe` and screens print as JSON: units, what is null, and what must agree."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from click.testing import CliRunner

import sbg_sim as sbg
from sbg_sim.cli.group import _sbg_sim

HILL, GAP = "scenarios/amon-hen.toml", "scenarios/charging-2.toml"


def printed(*words):
    done = CliRunner().invoke(_sbg_sim, [*words, "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_units_and_what_is_null():
    data = printed("threats", HILL, "evil")
    assert data["area"] == data["areas"]["1/1"] == data["levels"][0]["area"]  # what one model covers is all of it
    assert [row["models"] for row in data["levels"]] == list(range(1, 1 + len(data["levels"])))
    for row in data["targets"]:
        assert len(row["together"]) <= row["at_once"] <= row["at_most"] <= len(row["chargers"])
        for charger in row["chargers"]:
            assert charger["margin"] == pytest.approx(charger["allowance"] - charger["needed"], abs=2e-6)
            assert float(Fraction(charger["chance"])) == charger["chance_value"]
            assert all(last >= first for first, last in charger["arcs"])
    safe = printed("safe", GAP, "pippin")
    assert safe["best"] is not None
    assert safe["margin"] > 0
    alone = sbg.Table(24, 24, models={"a": {"at": [6, 12], "base": 1, "height": 1, "move": 4, "side": "good"}})
    data = sbg.safe(alone, "a").as_json()
    assert data["margin_exact"]
    assert (data["margin"], data["dangers"], data["area"]) == (None, [], data["reach"])


def test_a_screen_names_who_still_charges():
    none = printed("safe", HILL, "merry", "--screen")
    assert none["places"] is None
    assert [row["enemy"] for row in none["through"]] == ["lurtz", "ugluk", "mauhur"]
    found = printed("safe", HILL, "lurtz", "--screen")
    assert found["through"] == []
    assert {place["model"] for place in found["places"]} == {"uruk-2", "uruk-3"}
    assert all(value == round(value, 9) for place in found["places"] for value in place["at"])
    assert printed("safe", HILL, "pippin", "--screen")["places"] in ([], None)


def test_costs_are_told_as_exactly_as_by_check():
    table = sbg.Table(
        24,
        24,
        models={
            "lurtz": {"at": [4, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
            "merry": {"at": [11 - 4e-7, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
        },
    )
    (charger,) = sbg.threats(table, "evil").as_json()["targets"][0]["chargers"]
    alone = sbg.check(table, sbg.Charge("lurtz", "merry")).as_json()
    assert (charger["needed"], charger["margin"]) == (5.9999996, 4e-7) == (alone["needed"], alone["margin"])
