"""Every answer of the corpus is the one that was kept; and what is compared notices what changes."""

from __future__ import annotations

import json
import sys

import pytest

from sbg_sim.scenario.values import from_data
from tests.kept import holding, lines
from tests.kept.__main__ import main
from tests.kept.asking import answered, slim
from tests.kept.same import AREAS, LENGTHS, PLACES, SKETCHES, differences

LINES = [line for held in lines.read().values() for line in held]
ROWS = [row for line in LINES for row in line["asked"]]


@pytest.mark.parametrize("line", LINES, ids=lambda line: line["name"].replace(" ", "-"))
def test_answers_are_those_that_were_kept(line):
    table = from_data(line["table"])
    wrong = []
    for row in line["asked"]:
        asked = {key: row[key] for key in row if key not in {"answer", "held"}}
        wrong += [f"{asked}: {one}" for one in differences(row["answer"], slim(answered(table, asked)))]
    assert wrong == []


def test_everything_is_asked_tables_are_told_apart_and_something_stands_behind_all_answers():
    """But behind looks and a gap, of which scenarios say what they expect."""
    assert {row["ask"] for row in ROWS} == set(holding.BEHIND)
    assert len({line["name"] for line in LINES}) == len(LINES)
    assert {row["ask"] for row in ROWS if not row["held"]} <= {"sight", "gap"}
    assert all(line["name"].startswith("scenario ") for line in LINES if not all(row["held"] for row in line["asked"]))


def leaves(value, way=()):
    """Every number, word and flag of an answer, by its way there."""
    if isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(one, (*way, key))
    else:
        yield way, value


def changed(value, way, by):
    """The answer with another leaf."""
    if not way:
        return by(value)
    copy = value.copy()
    copy[way[0]] = changed(value[way[0]], way[1:], by)
    return copy


def otherwise(leaf):
    """Another value of a leaf, by more than any is held to."""
    if isinstance(leaf, bool) or leaf is None:
        return not leaf
    if isinstance(leaf, str):
        return f"{leaf}, or not"
    return leaf + 1.01 * max(PLACES, SKETCHES * abs(leaf))


@pytest.mark.parametrize("asked", sorted({row["ask"] for row in ROWS}))
def test_whatever_changes_in_an_answer_is_told(asked):
    answer = next(row["answer"] for row in ROWS if row["ask"] == asked)
    assert list(differences(answer, answer)) == []
    for way, _ in leaves(answer):
        told = list(differences(answer, changed(answer, way, otherwise)))
        assert len(told) == 1, way


def test_lengths_areas_and_sentences_differ_by_no_more_than_they_may():
    kept = {"needed": 3.0, "area": [8.0, 12.0], "reason": "yes, 3.0000 of 6 in", "chance": "5/36"}
    assert not list(differences(kept, {**kept, "needed": 3.0 + LENGTHS, "area": [8.0, 12.0 + 11 * AREAS]}))
    assert list(differences(kept, {**kept, "needed": 3.0 + 4 * LENGTHS}))
    assert list(differences(kept, {**kept, "area": [8.0 + 9 * AREAS, 12.0]}))
    assert not list(differences(kept, {**kept, "reason": "yes, 2.9999 of 6 in"}))
    assert list(differences(kept, {**kept, "reason": "yes, 2.9997 of 6 in"}))
    assert list(differences(kept, {**kept, "reason": "yes, 3.0000 of 7 in"}))
    assert list(differences(kept, {**kept, "chance": "6/36"}))
    assert list(differences(kept, {key: kept[key] for key in kept if key != "chance"}))


def test_an_answer_that_changed_is_told_and_written_only_when_explained(tmp_path, monkeypatch, capsys):
    line = min((one for one in LINES if "needed" in one["asked"][0]["answer"]), key=lambda one: len(json.dumps(one)))
    dearer = changed(line, ("asked", 0, "answer", "needed"), otherwise)
    monkeypatch.setattr(lines, "FOLDER", tmp_path)
    lines.write("ground", [dearer])
    for call, left in ([], dearer), (["--write"], dearer), (["--write", "--explained", "a cure"], line):
        monkeypatch.setattr(sys, "argv", ["kept", *call])
        assert main() == 1
        assert "needed: " in capsys.readouterr().out
        assert lines.read() == {"ground": [left]}
    assert main() == 0
