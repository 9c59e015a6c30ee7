"""Threats without dice: the same charges, and of the ground what is certain; in words nothing else is told."""

from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner

import sbg_sim as sbg
from sbg_sim.cli.group import _sbg_sim
from sbg_sim.dice.executors import one_by_one
from sbg_sim.errors import QuestionError

ROOT = Path(__file__).parents[2]
SIDES = [("jumping", "good"), ("amon-hen", "evil"), ("levels/leap-off-a-roof", "good"), ("charging-2", "evil")]


@pytest.mark.parametrize(("file", "side"), SIDES)
def test_threats_without_dice_are_those_that_are_certain(file, side):
    table = sbg.load(ROOT / f"scenarios/{file}.toml")
    whole, certain = sbg.threats(table, side), sbg.threats(table, side, dice=False)
    assert {chance for row in certain.models for chance, _ in row.regions} == {1}
    assert (whole.regions[-1][0] < 1) == (file != "charging-2")
    assert certain.area.equals(whole.area)
    assert certain.targets == whole.targets
    assert [row.targets for row in certain.models] == [row.targets for row in whole.models]
    assert [(row.area.area, row.blocked) for row in certain.models] == [(r.area.area, r.blocked) for r in whole.models]


@pytest.mark.parametrize("given", ["no", None, 1, 0.5])
def test_whether_dice_are_wanted_is_told_by_yes_or_no(given):
    with pytest.raises(QuestionError, match=f"dice is True or False, not {given!r}"):
        sbg.threats(sbg.load(ROOT / "scenarios/amon-hen.toml"), "evil", dice=given)


@pytest.mark.parametrize("how", [(), ("--json",), ("--jsonl",)])
def test_only_what_is_printed_is_looked_for(how, monkeypatch):
    asked = []

    def watched(function, *more):
        asked.append(function.keywords)
        return one_by_one(function, *more)

    monkeypatch.setattr(import_module("sbg_sim.threats.sides"), "one_by_one", watched)
    found = CliRunner().invoke(_sbg_sim, ["threats", str(ROOT / "scenarios/jumping.toml"), "good", *how])
    assert found.exit_code == 0, found.output
    assert asked[0] == {"dice": bool(how)}
